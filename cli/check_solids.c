// SPDX-License-Identifier: Apache-2.0
// cli/check_solids.c - lithe check: scales of soft solids
//
//     wave time     shortest edge over the speed of longitudinal waves, sqrt((lambda + 2 mu)/rho)
//     spin loss     omega^2 h: relative loss of angular momentum per time of backward Euler with a
//                   law of invariants, for a free solid with the angular velocity omega

#include "cli/check_group.h"

#include "data/model.h"
#include "geom/tet_check.h"

#include <math.h>

int64_t lithe_cli_solid_held(const LitheModel *model, int32_t solid) {
    const LitheSolid *own = &model->solids[solid];
    int64_t held = 0;
    for (int64_t k = 0; k < 3 * (int64_t)own->mesh.node_count; k++)
        held += own->held[k];
    return held;
}

// largest angular velocity of the initial motion: that of the velocity gradient of an element
static double angular_velocity(const LitheSolid *solid) {
    int32_t width = solid->mesh.nodes_per_element;
    double max = 0;
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const Vec3 *g = solid->gradients + (int64_t)e * solid->points * width;
        Vec3 curl = v3(0, 0, 0);
        for (int32_t a = 0; a < width; a++)
            curl = v3_add(curl, v3_cross(g[a], solid->v0[solid->mesh.elements[e * width + a]]));
        max = fmax(max, 0.5 * v3_norm(curl));
    }
    return max;
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

static void put_solid(LitheCliGroups *all, const LitheModel *model, int32_t index) {
    const LitheSolid *solid = &model->solids[index];
    const LitheTetMesh *mesh = &solid->mesh;
    double young, poisson, speed = sqrt(solid->modulus / solid->density);
    double omega = angular_velocity(solid);
    char a[32], b[32], c[32];
    lithe_solid_young(solid->law, &solid->material, &young, &poisson);
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
    lithe_cli_put(all, "  %-26s %s: young %.4g Pa, poisson %.4g at rest\n", "law", solid->law->name,
                  young, poisson);
    lithe_cli_put(all, "  %-26s %lld, %lld held\n", "degrees of freedom",
                  3 * (long long)mesh->node_count, (long long)lithe_cli_solid_held(model, index));
    lithe_cli_put(all, "  %-26s %s, %.3g steps\n", "a wave crosses an edge in",
                  lithe_cli_nice(solid->edge / speed, "s", a),
                  solid->edge / speed / model->time.step);
    bool euler = model->time.scheme == LITHE_SCHEME_BACKWARD_EULER;
    if (omega > 0 && euler && !solid->law->lagged)
        lithe_cli_put(all,
                      "  %-26s %.3g %% of its spin per second with backward Euler (omega^2 h)\n",
                      "a free solid loses", 100 * omega * omega * model->time.step);
    if (model->contact.enabled && model->geom_count > 0)
        lithe_cli_put(all, "  %-26s shapes of bodies at its %d surface nodes%s\n", "it touches",
                      solid->surface_count,
                      model->contact.certify ? "; a step in which one passes through is cut" : "");
}

void lithe_cli_check_solids(const LitheModel *model) {
    LitheCliGroups all = {"solid", "solids", .folded = true};
    for (int32_t i = 0; i < model->solid_count; i++) {
        put_solid(&all, model, i);
        lithe_cli_group(&all, model->solids[i].name);
    }
    lithe_cli_groups_end(&all);
}
