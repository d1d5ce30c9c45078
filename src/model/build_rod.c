// SPDX-License-Identifier: Apache-2.0
// model/build_rod.c - a rod as built: nodes, frames, constants, natural state, first state

#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "geom/curve.h"
#include "law/rod_frame.h"
#include "law/section.h"
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

// edges shorter than this fraction of the mean length are refused: their nodes coincide
#define SHORTEST_FRACTION 1e-9
// consecutive edges of a built rod must keep 1 + t.t' above this: a turn of 179.2 degrees
#define BUILT_FOLD_LIMIT 1e-4

static LitheStatus fail_rod(const LitheScene *scene, int32_t index, const char *key,
                            LitheError *error, const char *text) {
    char path[256];
    const char *name = scene->rods[index].name;
    snprintf(path, sizeof path, "rods.%s.%s", name, key);
    return lithe_scene_fail(scene, error, path, "rod '%s': %s", name, text);
}

void lithe_build_free(LitheContext *context, LitheBuild *build) {
    lithe_free(context, build->x);
    lithe_free(context, build->t);
    lithe_free(context, build->d1);
    lithe_free(context, build->gamma);
    lithe_free(context, build->tau_ref);
}

// --- section -------------------------------------------------------------------------------------

// largest distance of the surface from the centreline [m]
static double outer_radius(const LitheSectionDef *section) {
    bool round = section->kind == LITHE_SECTION_CIRCLE || section->kind == LITHE_SECTION_STIFFNESS;
    return round ? section->radius : 0.5 * hypot(section->width, section->height);
}

// GJ of a round rod of an incompressible material over its EI, where none is given: without one,
// twist takes away the stiffness in bending (J6)
#define GJ_OF_EI (2.0 / 3)

// stiffnesses, and mass and rotary inertia per length
static void set_section(const LitheScene *scene, const LitheRodDef *def, LitheRod *rod,
                        double *line, double *rotary) {
    const LitheSectionDef *s = &def->section;
    rod->section = *s;
    // the circle that stands for an ellipse where the contact model has round rods only
    bool round = s->width == s->height || !lithe_contact_model_info(scene->contact.model)->sections;
    if (s->kind == LITHE_SECTION_ELLIPSE)
        rod->section.radius = round ? 0.5 * fmax(s->width, s->height) : 0;
    if (s->kind == LITHE_SECTION_STIFFNESS) {
        rod->EA = s->EA;
        rod->EI1 = s->EI1;
        rod->EI2 = s->EI2;
        rod->GJ = s->GJ > 0 ? s->GJ : GJ_OF_EI * fmin(s->EI1, s->EI2);
        rod->damping_mass = s->damping_mass;
        rod->damping_stiffness = s->damping_stiffness;
        rod->fibre = (LitheFibre){.strain_limit = s->strain_limit, .yield = s->strength};
        *line = s->mass_per_length;
        *rotary = s->spin_per_length > 0 ? s->spin_per_length
                                         : 0.5 * s->mass_per_length * s->radius * s->radius;
        return;
    }
    const LitheMaterialDef *m = &scene->materials[def->material.number - 1];
    LitheSection c = s->kind == LITHE_SECTION_CIRCLE ? lithe_section_circle(s->radius)
                     : s->kind == LITHE_SECTION_RECTANGLE
                         ? lithe_section_rectangle(s->width, s->height)
                         : lithe_section_ellipse(s->width, s->height);
    double shear = m->shear > 0 ? m->shear : m->young / (2 * (1 + m->poisson));
    rod->EA = m->young * c.area;
    rod->EI1 = m->young * c.I1;
    rod->EI2 = m->young * c.I2;
    rod->GJ = shear * c.J;
    rod->fibre = (LitheFibre){.half1 = c.half1,
                              .half2 = c.half2,
                              .arm = c.arm,
                              .corners = s->kind == LITHE_SECTION_RECTANGLE,
                              .young = m->young,
                              .shear = shear,
                              .poisson = m->poisson,
                              .strain_limit = m->strain_limit,
                              .yield = m->yield};
    rod->damping_mass = m->damping_mass;
    rod->damping_stiffness = m->damping_stiffness;
    *line = m->density * c.area;
    *rotary = m->density * (c.I1 + c.I2);
}

// --- topology ------------------------------------------------------------------------------------

// a chain: edge i leaves node i, and the last one of a closed rod ends at the first node
static bool make_topology(LitheContext *context, LitheRod *rod) {
    int32_t n = rod->node_count;
    rod->corner_count = rod->closed ? n : n - 2;
    rod->ends = lithe_alloc_array(context, rod->edge_count, sizeof *rod->ends);
    rod->corners = lithe_alloc_array(context, rod->corner_count, sizeof *rod->corners);
    if (!rod->ends || !rod->corners)
        return false;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        rod->ends[i][0] = i;
        rod->ends[i][1] = i + 1 < n ? i + 1 : 0;
    }
    for (int32_t k = 0; k < rod->corner_count; k++) {
        int32_t node = rod->closed ? k : k + 1;
        rod->corners[k] = (LitheRodCorner){node, node > 0 ? node - 1 : rod->edge_count - 1, node};
    }
    return true;
}

// --- geometry ------------------------------------------------------------------------------------

static LitheStatus check_edges(const LitheScene *scene, int32_t index, const LitheRod *rod,
                               const LitheBuild *build, LitheError *error) {
    char text[256];
    double length = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    for (int32_t i = 0; i < rod->edge_count; i++) {
        if (rod->built_length[i] > SHORTEST_FRACTION * length / rod->edge_count)
            continue;
        snprintf(text, sizeof text,
                 "nodes %d and %d coincide: their distance is %.3g m, the mean is %.3g m", i,
                 rod->ends[i][1], rod->built_length[i], length / rod->edge_count);
        return fail_rod(scene, index, "shape", error, text);
    }
    for (int32_t i = rod->closed ? 0 : 1; i < rod->edge_count; i++) {
        double chi = 1 + v3_dot(build->t[i > 0 ? i - 1 : rod->edge_count - 1], build->t[i]);
        if (chi > BUILT_FOLD_LIMIT)
            continue;
        snprintf(text, sizeof text,
                 "the curve folds back on itself at node %d: it turns by %.2f degrees", i,
                 acos(fmax(-1, chi - 1)) * 180 / M_PI);
        return fail_rod(scene, index, "shape", error, text);
    }
    return LITHE_OK;
}

// reference directors by parallel transport; in a closed rod the seam has the remaining angle
static void make_frames(const LitheRodDef *def, const LitheRod *rod, LitheBuild *build) {
    Vec3 requested = v3_axpy(-v3_dot(def->director, build->t[0]), build->t[0], def->director);
    build->d1[0] = v3_norm(requested) > 1e-6 * v3_norm(def->director) ? v3_unit(requested)
                                                                      : v3_any_normal(build->t[0]);
    for (int32_t i = 1; i < rod->edge_count; i++)
        build->d1[i] = lithe_transport(build->d1[i - 1], build->t[i - 1], build->t[i]);
    if (!rod->closed)
        return;

    // parallel transport around the loop turns the director by this angle: spread it evenly as
    // twist, so that the material frame closes
    int32_t last = rod->edge_count - 1;
    Vec3 around = lithe_transport(build->d1[last], build->t[last], build->t[0]);
    build->tau_ref[0] = v3_angle_about(around, build->d1[0], build->t[0]);
    for (int32_t i = 0; i < rod->edge_count; i++)
        build->gamma[i] = -build->tau_ref[0] * (rod->edge_count - i) / rod->edge_count;
}

static bool is_end(const LithePlace *place, int32_t index, int32_t nodes, bool end) {
    if (!lithe_place_on_rod(place, index))
        return false;
    if (place->kind == LITHE_PLACE_FRACTION)
        return place->fraction == (end ? 1 : 0);
    int32_t node = place->node < 0 ? nodes + place->node : place->node;
    return end ? node >= nodes - 2 : node == 0;
}

// Whether the first edge of the rod (with `end` the last) is clamped: by `clamped`, a hold or a
// drive. The clamp is then at the midpoint of the edge.
static bool is_clamped(const LitheScene *scene, const LitheActing *acting, int32_t index,
                       int32_t nodes, bool end) {
    const LitheRodDef *def = &scene->rods[index];
    LitheThing rod = {LITHE_THING_ROD, index + 1};
    if (end ? def->clamp_end : def->clamp_start)
        return true;
    if (lithe_shape_closed(&def->shape))
        return false;
    LitheNumbers holds = lithe_acting_on(acting, &acting->holds, rod);
    for (int32_t i = 0; i < holds.count; i++) {
        const LitheHoldDef *hold = &scene->holds[holds.list[i]];
        if ((hold->bits & LITHE_HOLD_CLAMP) && is_end(&hold->place, index, nodes, end))
            return true;
    }
    LitheNumbers drives = lithe_acting_on(acting, &acting->drives, rod);
    for (int32_t i = 0; i < drives.count; i++) {
        const LitheDriveDef *drive = &scene->drives[drives.list[i]];
        if (drive->kind == LITHE_DRIVE_CLAMP && is_end(&drive->place, index, nodes, end))
            return true;
    }
    return false;
}

static LitheStatus make_geometry(const LitheScene *scene, const LitheActing *acting, int32_t index,
                                 LitheRod *rod, LitheBuild *build, LitheError *error) {
    const LitheRodDef *def = &scene->rods[index];
    LitheContext *context = scene->context;
    int32_t n = def->nodes;
    LitheError cause = {0};
    LitheStatus status =
        n > 0 ? LITHE_OK : lithe_curve_node_count(context, &def->shape, &n, &cause);
    if (status == LITHE_OK && n < 2)
        return fail_rod(scene, index, "nodes", error, "the number of nodes is missing");
    build->x = lithe_alloc_array(context, n, sizeof *build->x);
    if (!build->x)
        return lithe_fail(error, LITHE_NO_MEMORY, "out of memory for the %d nodes of rod '%s'", n,
                          def->name);
    if (status == LITHE_OK)
        status =
            lithe_curve_sample(context, &def->shape, n, is_clamped(scene, acting, index, n, false),
                               is_clamped(scene, acting, index, n, true),
                               outer_radius(&def->section), build->x, &rod->closed, &cause);
    if (status == LITHE_NO_MEMORY)
        return lithe_fail(error, status, "%s", cause.text);
    if (status != LITHE_OK)
        return fail_rod(scene, index, "shape", error, cause.text);

    rod->node_count = n;
    rod->edge_count = rod->closed ? n : n - 1;
    build->t = lithe_alloc_array(context, rod->edge_count, sizeof *build->t);
    build->d1 = lithe_alloc_array(context, rod->edge_count, sizeof *build->d1);
    build->gamma = lithe_alloc_array(context, rod->edge_count, sizeof *build->gamma);
    build->tau_ref = lithe_alloc_array(context, n, sizeof *build->tau_ref);
    rod->built_length = lithe_alloc_array(context, rod->edge_count, sizeof(double));
    rod->built_arc = lithe_alloc_array(context, (int64_t)rod->edge_count + 1, sizeof(double));
    if (!build->t || !build->d1 || !build->gamma || !build->tau_ref || !rod->built_length ||
        !rod->built_arc || !make_topology(context, rod))
        return lithe_fail_memory(error, "the frames of a rod");
    for (int32_t i = 0; i < rod->edge_count; i++) {
        Vec3 e = v3_sub(build->x[rod->ends[i][1]], build->x[rod->ends[i][0]]);
        rod->built_length[i] = v3_norm(e);
        rod->built_arc[i + 1] = rod->built_arc[i] + rod->built_length[i];
        build->t[i] = v3_unit(e);
    }
    status = check_edges(scene, index, rod, build, error);
    if (status == LITHE_OK)
        make_frames(def, rod, build);
    return status;
}

// --- natural state -------------------------------------------------------------------------------

static bool is_joint(const LitheRod *rod, int32_t node) {
    return rod->closed || (node > 0 && node < rod->node_count - 1);
}

static int32_t before(const LitheRod *rod, int32_t node) {
    return node > 0 ? node - 1 : rod->edge_count - 1;
}

// curvature [1/m] and twist [rad/m] of a node as built, untwisted
static void built_strain(const LitheRod *rod, const LitheBuild *build, int32_t node,
                         double curvature[2], double *twist) {
    int32_t p = before(rod, node);
    LitheRodEdge e = {0}, f = {0};
    double length = 0.5 * (rod->built_length[p] + rod->built_length[node]);
    Vec3 x = build->x[node], a = v3_sub(x, build->t[p]), b = v3_add(x, build->t[node]);
    lithe_rod_edge(a, x, build->gamma[p], build->t[p], build->d1[p], &e);
    lithe_rod_edge(x, b, build->gamma[node], build->t[node], build->d1[node], &f);
    Vec3 kb = v3_scale(2 / (1 + v3_dot(e.t, f.t)), v3_cross(e.t, f.t));
    double k1 = 0.5 * v3_dot(v3_add(e.m2, f.m2), kb), k2 = -0.5 * v3_dot(v3_add(e.m1, f.m1), kb);
    double k = hypot(k1, k2);
    double factor = k > 1e-8 ? 2 * atan(0.5 * k) / (k * length) : 1 / length;
    curvature[0] = factor * k1;
    curvature[1] = factor * k2;
    *twist = (build->gamma[node] - build->gamma[p] + build->tau_ref[node]) / length;
}

static LitheStatus make_natural(const LitheScene *scene, int32_t index, LitheRod *rod,
                                const LitheBuild *build, LitheError *error) {
    const LitheRodDef *def = &scene->rods[index];
    LitheContext *context = scene->context;
    int32_t n = rod->node_count;
    rod->rest_stretch = lithe_alloc_array(context, rod->edge_count, sizeof(double));
    rod->rest_curvature = lithe_alloc_array(context, 2 * (int64_t)n, sizeof(double));
    rod->rest_twist = lithe_alloc_array(context, n, sizeof(double));
    rod->rest_offset = lithe_alloc_array(context, n, sizeof(double));
    if (!rod->rest_stretch || !rod->rest_curvature || !rod->rest_twist || !rod->rest_offset)
        return lithe_fail_memory(error, "the natural state of a rod");

    for (int32_t i = 0; i < rod->edge_count; i++)
        rod->rest_stretch[i] =
            def->natural_stretch * (def->edge_stretch ? def->edge_stretch[i] : 1);
    for (int32_t i = 0; i < n; i++) {
        double k[2] = {0, 0}, twist = 0;
        if (def->natural == LITHE_NATURAL_AS_SHAPED && is_joint(rod, i))
            built_strain(rod, build, i, k, &twist);
        k[0] += def->natural_curvature1 + (def->node_curvature1 ? def->node_curvature1[i] : 0);
        k[1] += def->natural_curvature2 + (def->node_curvature2 ? def->node_curvature2[i] : 0);
        twist += def->natural_twist + (def->node_twist ? def->node_twist[i] : 0);
        if (!is_joint(rod, i))
            k[0] = k[1] = twist = 0;
        rod->rest_curvature[2 * i] = k[0];
        rod->rest_curvature[2 * i + 1] = k[1];
        rod->rest_twist[i] = twist;
    }
    return LITHE_OK;
}

// Inserts the twist of the scene. In an open rod the frames turn along it. A closed rod is cut,
// twisted and glued: whole turns are inserted in the same way, and counted at the seam. Other
// angles are possible only if the section has no preferred direction; they are subtracted from the
// natural twist, which is equivalent.
static LitheStatus insert_twist(const LitheScene *scene, int32_t index, LitheRod *rod,
                                LitheBuild *build, LitheError *error) {
    double twist = scene->rods[index].twist;
    int32_t edges = rod->edge_count;
    if (twist == 0)
        return LITHE_OK;
    if (!rod->closed) {
        for (int32_t i = 0; i < edges; i++)
            build->gamma[i] += edges > 1 ? twist * i / (edges - 1) : 0;
        return LITHE_OK;
    }
    bool plain = rod->EI1 == rod->EI2;
    for (int32_t i = 0; i < 2 * rod->node_count; i++)
        plain = plain && rod->rest_curvature[i] == 0;
    if (plain) {
        for (int32_t i = 0; i < rod->node_count; i++)
            rod->rest_offset[i] -= twist / rod->node_count;
        return LITHE_OK;
    }
    double turns = twist / (2 * M_PI);
    if (fabs(turns - nearbyint(turns)) > 1e-9) {
        char text[160];
        snprintf(text, sizeof text,
                 "twist is %.9g turns, must be a whole number of turns: the rod is closed and its "
                 "section or natural curvature has a direction",
                 turns);
        return fail_rod(scene, index, "twist", error, text);
    }
    for (int32_t i = 0; i < edges; i++)
        build->gamma[i] += twist * i / edges;
    build->tau_ref[0] += twist;
    return LITHE_OK;
}

// --- together ------------------------------------------------------------------------------------

// ghost nodes with zero mass after the last one: kernels read whole SIMD vectors of nodes
#define GHOST_MASSES 4

// A clamp is in the middle of its edge, at the end of the rod: the half of the edge behind it, with
// its node, is not part of the rod and has no mass.
static void drop_behind_clamp(LitheRod *rod, bool end) {
    int32_t edge = end ? rod->edge_count - 1 : 0, node = rod->ends[edge][end];
    for (int c = 0; c < 3; c++)
        rod->mass[4 * node + c] = 0;
    rod->mass[4 * edge + 3] *= 0.5;
}

// each node has half of the mass of its edges; the dummy twist of an open rod has unit inertia
static LitheStatus make_mass(const LitheScene *scene, const LitheActing *acting, int32_t index,
                             LitheRod *rod, double line, double rotary, LitheError *error) {
    LitheContext *context = scene->context;
    rod->mass =
        lithe_alloc_array(context, 4 * ((int64_t)rod->node_count + GHOST_MASSES), sizeof(double));
    rod->held = lithe_alloc_array(context, 4 * (int64_t)rod->node_count, 1);
    if (!rod->mass || !rod->held)
        return lithe_fail_memory(error, "the masses of a rod");
    for (int32_t i = 0; i < rod->edge_count; i++) {
        double length = rod->built_length[i] * rod->rest_stretch[i];
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 3; c++)
                rod->mass[4 * rod->ends[i][k] + c] += 0.5 * line * length;
        rod->mass[4 * i + 3] = rotary * length;
    }
    for (int end = 0; end < 2; end++)
        if (is_clamped(scene, acting, index, rod->node_count, end))
            drop_behind_clamp(rod, end);
    if (!rod->closed) {
        rod->mass[4 * rod->node_count - 1] = 1;
        rod->held[4 * rod->node_count - 1] = 1;
    }
    return LITHE_OK;
}

LitheStatus lithe_build_rod(const LitheScene *scene, const LitheActing *acting, int32_t index,
                            LitheRod *rod, LitheBuild *build, LitheError *error) {
    const LitheRodDef *def = &scene->rods[index];
    double line, rotary;
    rod->name = lithe_alloc_text(scene->context, def->name);
    if (!rod->name)
        return lithe_fail_memory(error, "a rod");
    set_section(scene, def, rod, &line, &rotary);
    rod->touch = lithe_touch_of(scene, def->material, def->group, def->mask);
    // a rod without a material: Young's modulus follows from its stretching stiffness
    double half = lithe_rod_half_thickness(rod);
    if (def->material.number == 0 && half > 0)
        rod->touch.modulus = rod->EA / (M_PI * half * half);
    rod->self_contact = def->self_contact;
    rod->drag_normal = def->drag_normal;
    rod->drag_tangent = def->drag_tangent;
    LitheStatus status = make_geometry(scene, acting, index, rod, build, error);
    if (status == LITHE_OK)
        status = make_natural(scene, index, rod, build, error);
    if (status == LITHE_OK)
        status = insert_twist(scene, index, rod, build, error);
    if (status == LITHE_OK)
        status = make_mass(scene, acting, index, rod, line, rotary, error);
    return status;
}

void lithe_build_state(const LitheScene *scene, int32_t index, const LitheRod *rod,
                       const LitheBuild *build, LitheState *state) {
    const LitheRodDef *def = &scene->rods[index];
    double *q = state->q + rod->dof_at, *v = state->v + rod->dof_at;
    Vec3 centre = {0, 0, 0};
    double mass = 0;
    for (int32_t i = 0; i < rod->node_count; i++) {
        centre = v3_axpy(rod->mass[4 * i], build->x[i], centre);
        mass += rod->mass[4 * i];
    }
    centre = v3_scale(1 / mass, centre);
    for (int32_t i = 0; i < rod->node_count; i++) {
        Vec3 speed = v3_add(def->velocity, v3_cross(def->spin, v3_sub(build->x[i], centre)));
        v3_store(build->x[i], q + 4 * i);
        v3_store(speed, v + 4 * i);
        state->own[rod->tau_at + i] = build->tau_ref[i];
        if (i >= rod->edge_count)
            continue;
        q[4 * i + 3] = build->gamma[i];
        v[4 * i + 3] = v3_dot(def->spin, build->t[i]);
        v3_store(build->d1[i], state->own + rod->d1_at + 3 * (int64_t)i);
    }
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        if (rod->held[i])
            v[i] = 0;
}
