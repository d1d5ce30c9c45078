// SPDX-License-Identifier: Apache-2.0
// cli/check_solids.c - lithe check: scales of soft solids
//
//     wave time     shortest edge over the speed of longitudinal waves, sqrt((lambda + 2 mu)/rho)
//     spin loss     omega^2 h: relative loss of angular momentum per time of backward Euler with a
//                   law of invariants, for a free solid with the angular velocity omega; after the
//                   time t 1/sqrt(1 + 2 omega^2 h t) of it is left
//     inertia       of the lumped masses over that of the elements with uniform density, about the
//                   axis through the centre for which it is largest

#include "cli/check_group.h"

#include "body/solid.h"
#include "data/model.h"
#include "geom/tet_check.h"

#include <math.h>

// error of the inertia of a free solid that is worth a warning
#define INERTIA_OFF 0.05

int64_t lithe_cli_solid_held(const LitheModel *model, int32_t solid) {
    const LitheSolid *own = &model->solids[solid];
    int64_t held = 0;
    for (int64_t k = 0; k < 3 * (int64_t)own->mesh.node_count; k++)
        held += own->held[k];
    return held;
}

static void put_quality(LitheCliGroups *all, LitheContext *context, const LitheTetMesh *mesh) {
    const double degrees = 57.29577951308232;
    LitheTetReport report;
    LitheTetMesh view = *mesh; // compiled elements are positive: the check does not turn them
    if (lithe_tet_mesh_check(context, &view, &report, NULL) != LITHE_OK)
        return;
    lithe_cli_put(
        all, "  %-26s dihedral angles %.3g to %.4g degrees, quality at least %.2g (1 is regular)",
        "elements", report.min_angle * degrees, report.max_angle * degrees, report.min_quality);
    if (report.part_count > 1)
        lithe_cli_put(all, ", %d parts", report.part_count);
    lithe_cli_put(all, "\n");
    for (int32_t s = 0; s < mesh->set_count; s++)
        lithe_cli_put(all, "%s%s (%d)%s", s ? ", " : "  groups                     ",
                      mesh->sets[s].name, mesh->sets[s].count,
                      s + 1 == mesh->set_count ? "\n" : "");
}

static void put_inertia(LitheCliGroups *all, const LitheModel *model, int32_t index, double ratio) {
    lithe_cli_put(all, "  %-26s %.4g times that of the elements, about one axis (lumped mass)\n",
                  "inertia up to", ratio);
    if (fabs(ratio - 1) > INERTIA_OFF && lithe_cli_solid_held(model, index) == 0)
        lithe_cli_put(all,
                      "  warning: a free solid turns as if its inertia were %.3g %% larger: use "
                      "mass: consistent or more elements\n",
                      100 * (ratio - 1));
}

// part of the spin of a free solid that a run may lose without a warning
#define SPIN_LOST 0.05

static void put_spin(LitheCliGroups *all, const LitheModel *model, int32_t index, double omega,
                     bool lagged) {
    if (!(omega > 0) || model->time.scheme != LITHE_SCHEME_BACKWARD_EULER || lagged)
        return;
    double rate = omega * omega * model->time.step;
    double lost = 1 - 1 / sqrt(1 + 2 * rate * model->time.end);
    lithe_cli_put(all, "  %-26s %.3g %% of its spin per second with backward Euler (omega^2 h)\n",
                  "a free solid loses", 100 * rate);
    if (lost > SPIN_LOST && lithe_cli_solid_held(model, index) == 0)
        lithe_cli_put(
            all,
            "  warning: backward Euler takes up to %.2g %% of its spin until the end: use "
            "scheme: tr-bdf2, law: corotated-lagged or shorter steps\n",
            100 * lost);
}

// Of n linear elements across its thickness a cantilever 8 times as long as it is thick is 47 %
// (n = 2), 20 % (3), 12 % (4), 5 % (6) stiffer than one of quadratic elements (poisson 0.3), a
// round bar in torsion 49 % (n = 4), 14 % (8): about 2/n^2 and 8/n^2.
#define FEW_ACROSS 7.5
// thicker bodies hardly bend
#define SLENDER 3
// above this Poisson's ratio linear elements that each keep their volume lock
#define NEARLY_INCOMPRESSIBLE 0.45

// A wall of thickness t has twice the area V/t of its middle. A ball, a cube and a bar have 2 V/A
// of a third of their smallest extent or more.
#define WALL 0.25
// a cell of a box has five tetrahedra
#define PER_CELL 5

// the mean number of elements across the smallest extent, or across the wall of a hollow body,
// which is stored in `thickness` [m]
static double elements_across(const LitheSolid *solid, double *thickness) {
    const LitheTetMesh *mesh = &solid->mesh;
    Vec3 size = solid->extent;
    Vec3 axis = size.x <= size.y && size.x <= size.z ? v3(1, 0, 0)
                : size.y <= size.z                   ? v3(0, 1, 0)
                                                     : v3(0, 0, 1);
    double sum = 0, area = 0;
    for (int32_t i = 0; i < mesh->node_count; i++)
        area += solid->areas[i];
    *thickness = 2 * solid->volume / area;
    if (*thickness < WALL * v3_dot(axis, size))
        return *thickness / cbrt(PER_CELL * solid->volume / mesh->element_count);
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *nodes = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 4; k++) {
            double x = v3_dot(axis, mesh->nodes[nodes[k]]);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        sum += high - low;
    }
    *thickness = v3_dot(axis, size);
    return *thickness * mesh->element_count / sum;
}

// the mean over the elements of the longest edge over the smallest height, 1.2 when regular
static double mean_flatness(const LitheTetMesh *mesh) {
    double sum = 0;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        Vec3 X[4];
        double edge = 0, face = 0;
        for (int k = 0; k < 4; k++)
            X[k] = mesh->nodes[node[k]];
        double volume =
            fabs(v3_dot(v3_sub(X[1], X[0]), v3_cross(v3_sub(X[2], X[0]), v3_sub(X[3], X[0]))));
        for (int a = 0; a < 4; a++) {
            Vec3 p = X[(a + 1) % 4], q = X[(a + 2) % 4], r = X[(a + 3) % 4];
            face = fmax(face, v3_norm(v3_cross(v3_sub(q, p), v3_sub(r, p))));
            for (int b = 0; b < a; b++)
                edge = fmax(edge, v3_norm(v3_sub(X[a], X[b])));
        }
        sum += edge * face / volume;
    }
    return sum / mesh->element_count;
}

// Cells of a box that are n times as long as thick have tetrahedra of about 1.5 n. The fourth mode
// of a free plate of one layer of quadratic ones is 0.6 % (n = 2), 2 % (2.5), 4 % (2.9), 21 % (4)
// too high.
#define FLAT 3.9
// One quadratic element across a beam of length to height 4: too stiff by 4 %; with a mean volume
// too soft by 15 %, with two by 1 %. Each keeps its volume at Poisson's ratio 0.499: too stiff by
// 11 % with two, by 29 % with one.
#define ONE_ACROSS 1.5

static void put_stiffening(LitheCliGroups *all, const LitheSolid *solid, double poisson) {
    char a[32];
    double thickness, count = elements_across(solid, &thickness);
    double flat = mean_flatness(&solid->mesh);
    double length = fmax(solid->extent.x, fmax(solid->extent.y, solid->extent.z));
    bool linear = solid->mesh.nodes_per_element == 4, slender = length >= SLENDER * thickness;
    const char *size = lithe_cli_nice(thickness, "m", a);
    lithe_cli_put(all, "  %-26s %.2g (%s), thickness %s, edges %.2g times as long as thick\n",
                  "elements across", count, linear ? "linear" : "quadratic", size, flat / 1.5);
    if (linear && count < FEW_ACROSS && slender)
        lithe_cli_put(
            all,
            "  note: %.2g linear elements across the thickness of %s: too stiff by about %.0f %% "
            "where it bends,\n  by about %.0f %% where it is twisted; use `quadratic: true`, or "
            "smaller elements\n",
            count, size, 200 / (count * count), 800 / (count * count));
    else if (linear && count < FEW_ACROSS)
        lithe_cli_put(
            all,
            "  note: %.2g linear elements across the thickness of %s: too stiff where strains "
            "differ, in contacts by tens\n  of per cent; use `quadratic: true`, or smaller "
            "elements\n",
            count, size);
    if (!linear && count < ONE_ACROSS && slender)
        lithe_cli_put(all,
                      "  note: %.2g quadratic elements across the thickness of %s: too %s %% where "
                      "it bends;\n  use smaller elements\n",
                      count, size, solid->mean ? "soft by up to 15" : "stiff by up to 4");
    if (flat > FLAT)
        lithe_cli_put(
            all,
            "  note: elements are flat, %.2g times as long as thick: where a plate bends "
            "or is twisted, it is too\n  stiff (modes by 4 %% with quadratic ones 3 times as "
            "long, by 20 %% 4 times); use elements whose sides are nearly equal\n",
            flat / 1.5);
    if (!solid->mean && poisson > NEARLY_INCOMPRESSIBLE)
        lithe_cli_put(all,
                      "  note: %s elements with Poisson's ratio %.3g that each keep their "
                      "volume are too stiff\n  (they lock%s): use `volume: mean`\n",
                      linear ? "linear" : "quadratic", poisson,
                      linear ? "" : ", by 10 % with two across");
}

static void put_solid(LitheCliGroups *all, const LitheModel *model, int32_t index) {
    const LitheSolid *solid = &model->solids[index];
    const LitheTetMesh *mesh = &solid->mesh;
    LitheElasticScales scales = lithe_solid_scales(model, index);
    double speed = sqrt(solid->modulus / solid->density);
    char a[32], b[32], c[32];
    lithe_cli_put_own(all, "\nsolid '%s'\n", solid->name);
    lithe_cli_put(all, "  %-26s %d nodes, %d tetrahedra of %d nodes, %d triangles on the surface\n",
                  "mesh", mesh->node_count, mesh->element_count, mesh->nodes_per_element,
                  solid->triangle_count);
    put_quality(all, model->context, mesh);
    lithe_cli_put(all, "  %-26s %s x %s x %s, shortest edge ", "extent",
                  lithe_cli_nice(solid->extent.x, "m", a), lithe_cli_nice(solid->extent.y, "m", b),
                  lithe_cli_nice(solid->extent.z, "m", c));
    lithe_cli_put(all, "%s\n", lithe_cli_nice(solid->edge, "m", a));
    lithe_cli_put(all, "  %-26s %.4g kg (%s), volume %.4g m^3\n", "mass",
                  model->units[solid->unit].mass, solid->mass_values ? "consistent" : "lumped",
                  solid->volume);
    if (!solid->mass_values)
        put_inertia(all, model, index, scales.inertia);
    lithe_cli_put(all, "  %-26s %s: young %.4g Pa, poisson %.4g at rest\n", "law", solid->law->name,
                  scales.young, scales.poisson);
    lithe_cli_put(all, "  %-26s %lld, %lld held\n", "degrees of freedom",
                  3 * (long long)mesh->node_count, (long long)lithe_cli_solid_held(model, index));
    lithe_cli_put(all, "  %-26s %s, %.3g steps\n", "a wave crosses an edge in",
                  lithe_cli_nice(solid->edge / speed, "s", a),
                  solid->edge / speed / model->time.step);
    put_spin(all, model, index, scales.spin, solid->law->lagged);
    if (model->contact.enabled && model->geom_count > 0)
        lithe_cli_put(all, "  %-26s shapes of bodies at its %d surface nodes%s\n", "it touches",
                      solid->surface_count,
                      model->contact.certify ? "; a step in which one passes through is cut" : "");
    if (model->contact.enabled && solid->skin.edges)
        lithe_cli_put(all, "  %-26s other solids, rods and particles with %d triangles%s\n",
                      "it touches", solid->triangle_count,
                      model->contact.certify ? "; a step in which one passes through is cut" : "");
    put_stiffening(all, solid, scales.poisson);
}

void lithe_cli_check_solids(const LitheModel *model) {
    LitheCliGroups all = {"solid", "solids", .folded = true};
    for (int32_t i = 0; i < model->solid_count; i++) {
        put_solid(&all, model, i);
        lithe_cli_group(&all, model->solids[i].name);
    }
    lithe_cli_groups_end(&all);
}
