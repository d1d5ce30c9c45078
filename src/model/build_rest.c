// SPDX-License-Identifier: Apache-2.0
// model/build_rest.c - the rest shape of a solid whose mesh is its shape under load
//
// Wanted is the shape X at rest for which the mesh x is in balance, with f the weight by the mass
// of X, forces and pressures at the start, and held nodes at X = x:
//     (W6)  R(X) = grad E(x; X) - f(X) = 0   on free DoFs
//     (W7)  X <- X + K(x; X)\R,   K = d2E/dx2
// dR/dX is -K for small strains: each round multiplies the error by about the strain.
// docs/theory/solids.md.

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "model/build_solid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// out-of-balance forces of a rest shape, relative to the loads
#define TOLERANCE 1e-10
// strains up to a half converge in this number of rounds
#define MAX_ROUNDS 60

typedef struct Search {
    const LitheScene *scene;
    const LitheSolidDef *def;
    LitheSolid *solid;
    unsigned char *held; // [dofs] also nodes that are welded to bodies
    double *x;           // [dofs] the mesh as given
    double *gradient, *force, *step;
    double *values, *pressures;
    double *pressed; // [pressure_count] at the start [Pa]
    Mat3 *rotations; // [elements][points] frames of a lagged law at x
    LitheBlockFactor *factor;
} Search;

static int64_t dofs_of(const Search *s) {
    return 3 * (int64_t)s->solid->mesh.node_count;
}

static bool allocate(Search *s) {
    LitheContext *context = s->scene->context;
    const LitheBlockMatrix *m = s->solid->pattern;
    int64_t dofs = dofs_of(s);
    s->solid->start = lithe_alloc_array(context, dofs / 3, sizeof *s->solid->start);
    s->held = lithe_alloc_array(context, dofs, 1);
    s->x = lithe_alloc_array(context, 4 * dofs, sizeof(double));
    s->values = lithe_alloc_array(context, m->value_at[m->start[m->count]], sizeof(double));
    s->pressures = lithe_alloc_array(
        context, (int64_t)s->solid->mesh.element_count * s->solid->points, sizeof(double));
    s->pressed = lithe_alloc_array(context, s->solid->pressure_count + 1, sizeof(double));
    s->rotations = lithe_alloc_array(
        context, (int64_t)s->solid->mesh.element_count * s->solid->points, sizeof(Mat3));
    s->factor = lithe_block_factor_create(context);
    if (!s->solid->start || !s->held || !s->x || !s->values || !s->pressures || !s->pressed ||
        !s->rotations || !s->factor)
        return false;
    s->gradient = s->x + dofs;
    s->force = s->gradient + dofs;
    s->step = s->force + dofs;
    return lithe_block_analyse_fronts(s->factor, m, s->solid->order, NULL, 0);
}

static void release(Search *s) {
    void *blocks[] = {s->held, s->x, s->values, s->pressures, s->pressed, s->rotations};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(s->scene->context, blocks[k]);
    lithe_block_factor_destroy(s->factor);
}

static LitheStatus fail_rest(const Search *s, const char *why, LitheError *error) {
    char path[256];
    snprintf(path, sizeof path, "solids.%s.rest", s->def->name);
    return lithe_scene_fail(s->scene, error, path, "solid '%s': rest is loaded, but %s",
                            s->def->name, why);
}

// nodes that are held, driven, or welded to a body, which are taken to stay
static LitheStatus find_held(Search *s, LitheMembers *members, LitheError *error) {
    memcpy(s->held, s->solid->held, (size_t)dofs_of(s));
    for (int32_t i = 0; i < s->scene->constraint_count; i++) {
        const LitheConstraintDef *c = &s->scene->constraints[i];
        const LitheAnchor *sides[2] = {&c->a, &c->b};
        for (int k = 0; k < 2; k++) {
            if (!lithe_anchor_is_group(sides[k]))
                continue;
            LitheStatus status = lithe_members_find(s->scene, &sides[k]->place, "constraint",
                                                    c->name, members, error);
            if (status != LITHE_OK)
                return status;
            for (int32_t n = 0; n < members->count; n++)
                memset(s->held + 3 * (int64_t)members->list[n], 1, 3);
        }
    }
    return LITHE_OK;
}

// R of (W6) in `step`, K in `values`; returns |R| over the largest force on a node
static double balance(Search *s) {
    const LitheSolid *solid = s->solid;
    const LitheBlockMatrix *m = solid->pattern;
    LitheSolidTerms terms = {.gradient = s->gradient,
                             .values = s->values,
                             .scale = 1,
                             .project = true,
                             .pressures = s->pressures,
                             .normal = s->step};
    double rest = 0, scale = 0;
    memset(s->values, 0, (size_t)m->value_at[m->start[m->count]] * sizeof(double));
    if (solid->law->lagged)
        lithe_solid_rotations(solid, s->x, s->rotations);
    if (!(lithe_solid_elastic(solid, s->x, solid->law->lagged ? s->rotations : NULL, &terms) <
          INFINITY))
        return INFINITY;
    terms.values = NULL;
    lithe_solid_press(solid, s->pressed, s->x, s->x, &terms);
    for (int64_t k = 0; k < dofs_of(s); k += 3)
        v3_store(v3_axpy(lithe_profile_at(&solid->acceleration_profile, 0), solid->acceleration,
                         s->scene->gravity),
                 s->step + k);
    lithe_solid_mass_times(solid, s->step, s->force);
    for (int32_t k = 0; k < solid->load_count; k++) {
        const LitheLoad *load = &solid->loads[k];
        double *f = s->force + 3 * (int64_t)load->node;
        v3_store(v3_axpy(lithe_profile_at(&load->profile, 0), load->force, v3_load(f)), f);
    }
    for (int64_t k = 0; k < dofs_of(s); k++) {
        s->step[k] = s->held[k] ? 0 : s->gradient[k] - s->force[k];
        rest = fmax(rest, fabs(s->step[k]));
        scale = fmax(scale, fmax(fabs(s->force[k]), fabs(s->gradient[k])));
    }
    return scale > 0 ? rest / scale : 0;
}

// (W7)
static LitheStatus move(Search *s, LitheError *error) {
    LitheSolid *solid = s->solid;
    LitheBlockMatrix matrix = *solid->pattern;
    LitheBlockPivots pivots;
    unsigned char *held = solid->held;
    matrix.value = s->values;
    solid->held = s->held;
    lithe_solid_lock(solid, true, &matrix);
    solid->held = held;
    if (!lithe_block_factor_numeric(s->factor, &matrix, LITHE_PIVOT_POSITIVE, &pivots))
        return fail_rest(s,
                         "its stiffness is singular: a solid that is not held has no shape under "
                         "load; hold it, or weld a group of its nodes",
                         error);
    lithe_block_solve(s->factor, s->step);
    for (int64_t i = 0; i < dofs_of(s) / 3; i++)
        solid->mesh.nodes[i] = v3_add(solid->mesh.nodes[i], v3_load(s->step + 3 * i));
    return LITHE_OK;
}

static LitheStatus search(Search *s, LitheError *error) {
    LitheSolid *solid = s->solid;
    double residual = balance(s), moved = 0;
    int32_t round = 0;
    for (; round < MAX_ROUNDS && residual > TOLERANCE; round++) {
        LitheStatus status = move(s, error);
        if (status == LITHE_OK && lithe_fill_elements(s->scene, s->def, solid, error) != LITHE_OK)
            status = fail_rest(s,
                               "no rest shape was found: elements are turned inside out on the way "
                               "to it; is the material too soft for these loads?",
                               error);
        if (status != LITHE_OK)
            return status;
        residual = balance(s);
    }
    if (!(residual <= TOLERANCE)) {
        char why[200];
        snprintf(why, sizeof why,
                 "no rest shape was found: after %d rounds forces are out of balance by %.3g of "
                 "the largest, must be <= %g",
                 (int)round, residual, TOLERANCE);
        return fail_rest(s, why, error);
    }
    for (int64_t i = 0; i < dofs_of(s) / 3; i++)
        moved = fmax(moved, v3_distance(solid->mesh.nodes[i], solid->start[i]));
    lithe_log(s->scene->context, LITHE_LOG_INFO,
              "solid '%s': its rest shape differs from the mesh by up to %.4g m; forces are out of "
              "balance by %.2g of the largest after %d rounds",
              s->def->name, moved, residual, (int)round);
    return LITHE_OK;
}

LitheStatus lithe_build_rest(const LitheScene *scene, const LitheSolidDef *def,
                             LitheMembers *members, LitheSolid *solid, LitheError *error) {
    Search s = {.scene = scene, .def = def, .solid = solid};
    if (def->rest != LITHE_SOLID_REST_LOADED)
        return LITHE_OK;
    if (solid->swell_count > 0)
        return fail_rest(&s, "it swells, which changes its shape at rest", error);
    if (solid->fibre_count > 0)
        return fail_rest(&s, "it has fibres, whose directions are those of the shape at rest",
                         error);
    LitheStatus status =
        allocate(&s) ? LITHE_OK : lithe_fail_memory(error, "the search of a rest shape");
    if (status == LITHE_OK)
        status = find_held(&s, members, error);
    if (status == LITHE_OK) {
        for (int64_t i = 0; i < dofs_of(&s) / 3; i++) {
            solid->start[i] = solid->mesh.nodes[i];
            v3_store(solid->start[i], s.x + 3 * i);
        }
        lithe_solid_pressures_at(solid, 0, s.pressed);
        status = search(&s, error);
    }
    release(&s);
    return status;
}
