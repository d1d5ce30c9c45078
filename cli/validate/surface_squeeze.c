// SPDX-License-Identifier: Apache-2.0
// cli/validate/surface_squeeze.c - ten closed surfaces, filled with tetrahedra and squeezed by ten
// per cent between their held tops and bottoms
//
// References: the volume that the triangles of the surface bound, by the divergence theorem; no
// element may lose half of its volume, far less be inverted; and the squeezed body comes to rest.

#include "cli/validate/surfaces.h"
#include "cli/validate/validate.h"

#include "data/model.h"
#include "data/state.h"

#define SQUEEZE 0.9
// the parts at top and bottom that are held, of the height of the body
#define BAND 0.08

typedef struct Squeezed {
    double volume; // of the mesh [m^3]
    double left;   // smallest volume of an element over that at rest
    double speed;  // largest of a node at the end [m/s]
    int32_t nodes;
} Squeezed;

static void find_box(const Surface *s, Vec3 *low, Vec3 *high) {
    *low = *high = s->points[0];
    for (int32_t i = 0; i < s->point_count; i++) {
        Vec3 x = s->points[i];
        *low = v3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = v3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
}

static double bounded_volume(const Surface *s) {
    double six = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *k = s->triangles + 3 * t;
        six += v3_dot(s->points[k[0]], v3_cross(s->points[k[1]], s->points[k[2]]));
    }
    return six / 6;
}

/// Holds the nodes between two heights.
static bool hold_layer(LitheScene *scene, LitheSolidId solid, const char *name, double from,
                       double to) {
    LitheSetDef set = lithe_set_def_default();
    LitheHoldDef hold = lithe_hold_def_default();
    set.name = hold.name = name;
    set.of = lithe_thing_solid(solid);
    set.region = (LitheRegionDef){.kind = LITHE_REGION_BOX, .a = {-1, -1, from}, .b = {1, 1, to}};
    hold.place.kind = LITHE_PLACE_SET;
    hold.place.set = lithe_scene_add_set(scene, &set);
    return hold.place.set.number > 0 && lithe_scene_add_hold(scene, &hold);
}

static bool make_scene(LitheTrial *trial, LitheStand *stand, const Surface *s, double parts) {
    LitheTimeDef time = lithe_time_def_default();
    LitheMaterialDef material = lithe_material_def_default();
    LitheSolidDef def = lithe_solid_def_default();
    Vec3 low, high;
    find_box(s, &low, &high);
    double height = high.z - low.z;
    if (!lithe_stand_begin(trial, stand, NULL))
        return false;
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = 0.02;
    time.end = 10;
    lithe_scene_set_time(stand->scene, &time);
    material.name = "rubber";
    material.young = 1e5;
    material.poisson = 0.4;
    material.density = 1000;
    material.damping_mass = 20;
    def.name = "it";
    def.law = LITHE_SOLID_NEO_HOOKEAN;
    def.material = lithe_scene_add_material(stand->scene, &material);
    def.mesh.kind = LITHE_SOLID_MESH_SURFACE;
    def.mesh.nodes = s->points;
    def.mesh.node_count = s->point_count;
    def.mesh.elements = s->triangles;
    def.mesh.element_numbers = 3 * s->triangle_count;
    def.mesh.resolution = fmax(high.x - low.x, fmax(high.y - low.y, height)) / parts;
    LitheSolidId solid = lithe_scene_add_solid(stand->scene, &def);
    return solid.number > 0 && hold_layer(stand->scene, solid, "top", high.z - BAND * height, 1) &&
           hold_layer(stand->scene, solid, "bottom", -1, low.z + BAND * height) &&
           lithe_stand_compile(trial, stand);
}

/// Smallest volume of an element over that at rest.
static double smallest_left(const LitheSolid *solid, const double *x) {
    double left = INFINITY;
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const int32_t *n = solid->mesh.elements + 4 * (int64_t)e;
        Vec3 a = v3_load(x + 3 * n[0]), b = v3_load(x + 3 * n[1]), c = v3_load(x + 3 * n[2]);
        Vec3 d = v3_load(x + 3 * n[3]);
        double six = v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_sub(d, a));
        left = fmin(left, six / 6 / lithe_tet_mesh_element_volume(&solid->mesh, e));
    }
    return left;
}

static bool squeeze(LitheTrial *trial, const Surface *s, double parts, Squeezed *out) {
    LitheStand stand;
    bool ok = make_scene(trial, &stand, s, parts);
    if (ok) {
        const LitheSolid *solid = &stand.model->solids[0];
        const LitheUnit *unit = &stand.model->units[solid->unit];
        double *q = stand.state->q + unit->q_at, *v = stand.state->v + unit->v_at;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            q[3 * i + 2] *= SQUEEZE;
        for (int step = 0; step < 30 && ok; step++)
            ok = lithe_stand_step(trial, &stand);
        *out = (Squeezed){.volume = solid->volume,
                          .left = smallest_left(solid, q),
                          .nodes = solid->mesh.node_count};
        for (int32_t i = 0; i < 3 * solid->mesh.node_count; i++)
            out->speed = fmax(out->speed, fabs(v[i]));
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_surface_squeeze(LitheTrial *trial) {
    bool ok = true;
    for (int kind = 0; kind < SURFACE_COUNT && ok; kind++) {
        Surface s = make_surface(kind);
        Squeezed coarse = {0}, fine = {0};
        const char *name = surface_names[kind];
        ok = squeeze(trial, &s, 7 * trial->refine, &coarse) &&
             squeeze(trial, &s, 10 * trial->refine, &fine);
        LitheFinding volume = near_to(fine.volume, bounded_volume(&s), 0.01);
        volume.coarse = coarse.volume;
        volume.floor = 0.003; // the mesher stops correcting at 0.2 %
        ok = ok &&
             lithe_trial_add(trial, volume, "%s: volume of %d nodes (m^3)", name, fine.nodes) &&
             lithe_trial_add(trial, at_most(1 - fine.left, 0.5), "%s: largest loss of an element",
                             name) &&
             lithe_trial_add(trial, at_most(fine.speed, 1e-6), "%s: speed at the end (m/s)", name);
        surface_free(&s);
    }
    return ok;
}
