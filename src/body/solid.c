// SPDX-License-Identifier: Apache-2.0
// body/solid.c - a soft solid: its row in the table of kinds
//
// A solid is a mesh of tetrahedra whose nodes have positions and no rotation.
// docs/theory/solids.md.

#include "body/solid.h"

#include "base/assert.h"
#include "law/explicit_limit.h"

#include <math.h>
#include <string.h>

// --- the directory and scratch -------------------------------------------------------------------

static int32_t solid_count(const LitheModel *model) {
    return model->solid_count;
}

static void solid_describe(LitheModel *model, int32_t index, LitheUnit *unit) {
    LitheSolid *solid = &model->solids[index];
    int32_t nodes = solid->mesh.node_count;
    solid->unit = (int32_t)(unit - model->units);
    solid->point_at = unit->point_at;
    unit->name = solid->name;
    unit->thing = (LitheThing){LITHE_THING_SOLID, index + 1};
    unit->q_count = unit->v_count = 3 * (int64_t)nodes;
    unit->node_count = nodes;
    unit->point_count = nodes;
    unit->node_size = 3;
    unit->order = solid->order;
    unit->rank_count = lithe_solid_gas_count(solid);
    unit->site_nodes = lithe_solid_carriers(solid);
    unit->site_width = 3 * unit->site_nodes;
    unit->thickness = 0.5 * solid->edge;
    unit->length = solid->edge;
    for (int32_t i = 0; i < nodes; i++)
        unit->mass += solid->mass[i];
    unit->mass_moment = unit->mass * unit->thickness;
}

// the pattern of the model with other values
static LitheBlockMatrix matrix_with(const LitheSolid *solid, double *values) {
    LitheBlockMatrix matrix = *solid->pattern;
    matrix.value = values;
    return matrix;
}

static int64_t solid_layout(const LitheModel *model, int32_t unit, LitheWork *all, double *at) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const LitheBlockMatrix *m = solid->pattern;
    int64_t dofs = 3 * (int64_t)solid->mesh.node_count, each = lithe_work_round(dofs);
    int64_t values = lithe_work_round(m->value_at[m->start[m->count]]);
    int64_t points = (int64_t)solid->mesh.element_count * solid->points;
    int64_t taken = lithe_work_doubles(1, sizeof(LitheSolidWork));
    LitheSolidWork spare, *own = at ? (LitheSolidWork *)at : &spare;
    LitheUnitWork none, *solve = at ? &all->units[unit] : &none;
    double **arrays[] = {&own->stage_base, &own->target,   &own->force,     &own->outer,
                         &own->x,          &own->gradient, &own->momentum,  &own->change,
                         &own->follow,     &own->normal,   &own->diagonal,  &solve->w,
                         &solve->r,        &solve->trial,  &solve->trial_r, &solve->dx,
                         &solve->impulse};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++, taken += each)
        *arrays[k] = at + (at ? taken : 0);
    double *matrix = at ? at + taken : NULL;
    taken += values;
    int32_t gases = lithe_solid_gas_count(solid);
    double *ranks = at && gases > 0 ? at + taken : NULL;
    taken += lithe_work_round(gases * dofs);
    double *inertia = at && solid->mass_values ? at + taken : NULL;
    taken += solid->mass_values ? values : 0;
    own->damping = at && solid->damping_stiffness > 0 ? at + taken : NULL;
    taken += solid->damping_stiffness > 0 ? values : 0;
    own->start = at && solid->damping_stiffness > 0 ? at + taken : NULL;
    taken += solid->damping_stiffness > 0 ? each : 0;
    own->chord = at && solid->damping_stiffness > 0 ? at + taken : NULL;
    taken += solid->damping_stiffness > 0 ? each : 0;
    own->pressures = at && solid->patches.count ? at + taken : NULL;
    taken += solid->patches.count ? lithe_work_round(points) : 0;
    own->pressed = at ? at + taken : NULL;
    taken += lithe_work_round(solid->pressure_count);
    own->natural = at ? at + taken : NULL;
    taken += lithe_work_round(lithe_solid_swell_doubles(solid));
    own->rotations = at && solid->law->lagged ? (Mat3 *)(at + taken) : NULL;
    taken += solid->law->lagged ? lithe_work_doubles(points, sizeof(Mat3)) : 0;
    own->framed = at && solid->law->lagged ? at + taken : NULL;
    taken += solid->law->lagged ? each : 0;
    if (at) {
        own->has_frames = false;
        own->matrix = matrix_with(solid, matrix);
        own->matrix.rank_count = own->matrix.rank_room = gases;
        own->matrix.rank = ranks;
        own->inertia = matrix_with(solid, inertia);
        own->factor = own->mass_factor = NULL;
        own->bad = -1;
        own->now = *solid;
        solve->own = own;
        solve->dof_count = dofs;
        solve->held = solid->held;
        solve->has_potential = lithe_solid_has_potential(solid);
    }
    return taken;
}

// DoFs from which on the tasks of a solid run alone with the pool: a factor of 1000 nodes takes
// some milliseconds
#define THREADS_FROM 3000

static bool solid_open(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const LitheBlockMatrix *m = solid->pattern;
    LitheSolidWork *own = lithe_solid_work(all, unit);
    own->factor = lithe_block_factor_create(all->context);
    if (!own->factor)
        return false;
    // the factor of a small unit is computed in a task of the pool, which cannot be entered twice
    bool alone = model->unit_count == 1 || model->units[unit].v_count >= THREADS_FROM;
    lithe_block_factor_pool(own->factor, alone ? all->pool : NULL);
    lithe_block_factor_meter(own->factor, &all->meter);
    if (!solid->mass_values)
        return true;
    LitheBlockPivots pivots;
    own->mass_factor = lithe_block_factor_create(all->context);
    if (!own->mass_factor ||
        !lithe_block_analyse_fronts(own->mass_factor, m, solid->order, NULL, 0))
        return false;
    memcpy(own->inertia.value, solid->mass_values,
           (size_t)m->value_at[m->start[m->count]] * sizeof(double));
    lithe_solid_lock(solid, true, &own->inertia);
    bool positive =
        lithe_block_factor_numeric(own->mass_factor, &own->inertia, LITHE_PIVOT_POSITIVE, &pivots);
    LITHE_ASSERT(positive); // a mass matrix is positive definite
    return true;
}

// DoFs from which on a factor takes more than about 100 MB: it is worth allocating it again
#define LARGE 20000

// its matrix is factored with that of the system
static void solid_drop(const LitheModel *model, int32_t unit, LitheWork *all) {
    if (model->units[unit].v_count >= LARGE)
        lithe_block_factor_forget(lithe_solid_work(all, unit)->factor);
}

static void solid_close(const LitheModel *model, int32_t unit, LitheWork *all) {
    LitheSolidWork *own = lithe_solid_work(all, unit);
    (void)model;
    lithe_block_factor_destroy(own->factor);
    lithe_block_factor_destroy(own->mass_factor);
}

// --- configurations ------------------------------------------------------------------------------

static void solid_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                        LitheState *state) {
    double *q = state->q + model->units[unit].q_at;
    (void)all;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        q[k] += by[k];
}

static void solid_advance(const LitheModel *model, int32_t unit, const LitheState *from,
                          const double *v, double time, LitheState *to) {
    int64_t at = model->units[unit].q_at;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        to->q[at + k] = from->q[at + k] + time * v[k];
}

static void solid_unmass(const LitheModel *model, int32_t unit, const LitheWork *all, double *x) {
    lithe_solid_mass_solve(lithe_solid_of(model, unit), lithe_solid_work(all, unit), x);
}

// --- material points -----------------------------------------------------------------------------

// nodes that carry a material point, all different, with their weights
typedef struct Carriers {
    int32_t count, node[LITHE_SOLID_CARRIERS];
    double weight[LITHE_SOLID_CARRIERS];
} Carriers;

static void add_carrier(Carriers *c, int32_t node, double weight) {
    int32_t k = 0;
    while (k < c->count && c->node[k] != node)
        k++;
    c->node[k] = node;
    c->weight[k] = k < c->count ? c->weight[k] + weight : weight;
    c->count += k == c->count;
}

static void add_place(Carriers *c, const LitheSolidPlace *place, double weight) {
    for (int k = 0; k < 4; k++)
        add_carrier(c, place->node[k], weight * place->weight[k]);
}

static Carriers carriers_of(const LitheSolid *solid, const LitheSite *site) {
    Carriers c = {.count = 0};
    const int32_t *corners;
    switch (site->kind) {
    case LITHE_SITE_ELEMENT:
        add_carrier(&c, site->element, 1);
        break;
    case LITHE_SITE_PLACE:
        add_place(&c, &solid->places[site->element], 1);
        break;
    case LITHE_SITE_TET:
        corners = solid->field.tets + 4 * (int64_t)site->element;
        add_carrier(&c, corners[0], 1 - site->s[0] - site->s[1] - site->s[2]);
        for (int k = 0; k < 3; k++)
            add_carrier(&c, corners[k + 1], site->s[k]);
        break;
    case LITHE_SITE_MIDDLE: // (S34)
        corners = solid->skin.triangles + 3 * (int64_t)site->element;
        for (int k = 0; k < 3; k++) {
            add_carrier(&c, corners[4 * k], -1.0 / 9);
            add_carrier(&c, corners[9 + k], 4.0 / 9);
        }
        break;
    case LITHE_SITE_FACE:
        corners = solid->skin.triangles + 3 * (int64_t)site->element;
        const double weight[3] = {1 - site->s[0] - site->s[1], site->s[0], site->s[1]};
        for (int k = 0; k < 3; k++)
            if (weight[k] > 0 && solid->fine.touches) // a corner or an edge has fewer nodes
                add_place(&c, &solid->fine.places[corners[k]], weight[k]);
            else if (weight[k] > 0)
                add_carrier(&c, corners[k], weight[k]);
        break;
    }
    return c;
}

// sum of the weighted vectors of the carriers
static Vec3 carried(const LitheModel *model, const LitheSite *site, const double *x) {
    Carriers c = carriers_of(lithe_solid_of(model, site->unit), site);
    if (c.count == 1 && c.weight[0] == 1)
        return v3_load(x + 3 * (int64_t)c.node[0]);
    Vec3 sum = v3(0, 0, 0);
    for (int32_t k = 0; k < c.count; k++)
        sum = v3_axpy(c.weight[k], v3_load(x + 3 * (int64_t)c.node[k]), sum);
    return sum;
}

static Vec3 solid_velocity(const LitheModel *model, const LitheState *state,
                           const LitheSite *site) {
    return carried(model, site, state->v + model->units[site->unit].v_at);
}

static Pose solid_place(const LitheModel *model, const LitheState *state, const LitheSite *site,
                        double ahead) {
    Pose pose = pose_identity();
    pose.at = carried(model, site, state->q + model->units[site->unit].q_at);
    if (ahead != 0)
        pose.at = v3_axpy(ahead, solid_velocity(model, state, site), pose.at);
    return pose;
}

// the rows measure the velocity of a point, which has no angular velocity
static int32_t solid_site(const LitheModel *model, const LitheState *state, const LitheWork *work,
                          const LitheSite *site, int32_t rows, const Vec3 *linear,
                          const Vec3 *angular, int32_t *nodes, double *blocks) {
    (void)state, (void)work, (void)angular;
    Carriers c = carriers_of(lithe_solid_of(model, site->unit), site);
    for (int32_t k = 0; k < c.count; k++) {
        nodes[k] = c.node[k];
        for (int32_t i = 0; i < rows; i++, blocks += 3)
            v3_store(v3_scale(c.weight[k], linear[i]), blocks);
    }
    return c.count;
}

void lithe_carry_points(const LitheModel *model, const LitheState *state, double *x, double *v) {
    for (int32_t i = 0; i < model->solid_count; i++) {
        const LitheFineSurface *fine = &model->solids[i].fine;
        const LitheUnit *unit = &model->units[model->solids[i].unit];
        for (int32_t k = 0; fine->touches && k < fine->point_count; k++) {
            v3_store(lithe_fine_point(fine, state->q + unit->q_at, k), x + 3 * (fine->at + k));
            if (v)
                v3_store(lithe_fine_point(fine, state->v + unit->v_at, k), v + 3 * (fine->at + k));
        }
    }
}

// --- in the coupled solve ------------------------------------------------------------------------

static bool solid_pattern(const LitheModel *model, int32_t unit, int32_t first,
                          LithePairList *list) {
    const LitheBlockMatrix *m = lithe_solid_of(model, unit)->pattern;
    int64_t most = (int64_t)list->count + m->start[m->count] - m->count;
    if (!LITHE_RESERVE(list->context, list->data, list->capacity, most))
        return false;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t entry = m->start[column] + 1; entry < m->start[column + 1]; entry++)
            list->data[list->count++] = (LitheBlockPair){first + m->row[entry], first + column};
    return true;
}

// both patterns have ascending rows, and that of the system has all entries of the unit
static void solid_scatter(const LitheModel *model, int32_t unit, LitheWork *all, int32_t first,
                          const LitheBlockMatrix *target, double *values) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheBlockMatrix *m = &lithe_solid_work(all, unit)->matrix;
    lithe_solid_lock(solid, false, m);
    for (int32_t column = 0; column < m->count; column++) {
        int32_t to = target->start[first + column];
        for (int32_t entry = m->start[column]; entry < m->start[column + 1]; entry++) {
            while (target->row[to] != first + m->row[entry])
                to++;
            memcpy(values + target->value_at[to], m->value + m->value_at[entry],
                   9 * sizeof(double));
        }
    }
}

static void solid_ranks(const LitheModel *model, int32_t unit, const LitheWork *all, int32_t first,
                        LitheBlockMatrix *target) {
    const LitheBlockMatrix *m = &lithe_solid_work(all, unit)->matrix;
    for (int32_t k = 0; k < m->rank_count; k++)
        memcpy(lithe_block_add_rank(target) + target->at[first],
               m->rank + k * model->units[unit].v_count,
               (size_t)model->units[unit].v_count * sizeof(double));
}

// --- sums and events -----------------------------------------------------------------------------

static double solid_norm(const LitheModel *model, int32_t unit, const LitheWork *all,
                         const double *x) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *own = lithe_solid_work(all, unit);
    double sum = 0;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        own->change[k] = solid->held[k] ? 0 : x[k];
    lithe_solid_mass_times(solid, own->change, own->momentum);
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        sum += own->change[k] * own->momentum[k];
    return sum;
}

static void solid_mass(const LitheModel *model, int32_t unit, const LitheWork *all, const double *x,
                       double *y) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *own = lithe_solid_work(all, unit);
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        own->change[k] = solid->held[k] ? 0 : x[k];
    lithe_solid_mass_times(solid, own->change, own->momentum);
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        y[k] = solid->held[k] ? 0 : own->momentum[k];
}

static double solid_moved(const LitheModel *model, int32_t unit, LitheWork *all, const double *w) {
    double max = 0;
    (void)all;
    for (int64_t i = 0; i < lithe_solid_of(model, unit)->mesh.node_count; i++)
        max = fmax(max, v3_norm(v3_load(w + 3 * i)));
    return max;
}

// (S25): bending of a bar with the extents of the solid, held at one end: omega^2 is about
// modulus/density t^2/l^4
static double solid_lowest_omega2(const LitheModel *model, int32_t unit) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    Vec3 e = solid->extent;
    double thin = fmin(e.x, fmin(e.y, e.z)), length = fmax(e.x, fmax(e.y, e.z));
    return 2.5 * solid->shear / solid->density * thin * thin / (length * length * length * length);
}

// (S26): a wave crosses the smallest height of an element, which is at least a third of the
// shortest edge in a mesh of good elements; higher order elements have nodes half as far apart
static double solid_explicit_limit(const LitheModel *model, int32_t unit) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    double speed = sqrt(solid->modulus / solid->density);
    double limit = solid->edge / (solid->points > 1 ? 4 : 2) / speed;
    if (solid->fibre_omega2 > 0) // squared frequencies add
        limit = 1 / sqrt(1 / (limit * limit) + 0.25 * solid->fibre_omega2);
    return lithe_damped_limit(limit, solid->damping_stiffness);
}

static bool solid_totals(const LitheModel *model, int32_t unit, const LitheState *state,
                         LitheTotalsWanted wanted, LitheUnitTotals *sum) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const double *q = state->q + model->units[unit].q_at, *v = state->v + model->units[unit].v_at;
    if (wanted & LITHE_TOTALS_ELASTIC) {
        double time = lithe_load_time(state), elastic;
        if (!lithe_solid_energy_at(model, solid, time, q, &elastic))
            return false;
        sum->elastic += elastic + lithe_solid_gas_energy(solid, q, time);
    }
    lithe_solid_momenta(solid, model->gravity, q, v, sum);
    return true;
}

static void solid_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                           LitheWork *work, LitheUnitTotals *sum) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *own = lithe_solid_work(work, unit);
    const double *q = state->q + model->units[unit].q_at;
    double time = lithe_load_time(state);
    LitheSolidTerms terms = {0};
    // the next step computes its own natural size
    if (lithe_solid_swell(solid, time, own->natural, &own->now))
        sum->elastic += lithe_solid_elastic(&own->now, q, NULL, &terms);
    sum->elastic += lithe_solid_gas_energy(solid, q, time);
    solid_totals(model, unit, state, LITHE_TOTALS_ENERGY, sum);
}

// Frames at the state are those of the next step.
static void solid_shared_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                                  const LitheWork *work, LitheUnitTotals *sum) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *own = lithe_solid_work(work, unit);
    const double *q = state->q + model->units[unit].q_at;
    LitheSolidTerms terms = {.own_frames = true};
    lithe_solid_find_frames(solid, q, own);
    sum->elastic += lithe_solid_elastic(solid, q, own->rotations, &terms) +
                    lithe_solid_gas_energy(solid, q, lithe_load_time(state));
    solid_totals(model, unit, state, LITHE_TOTALS_ENERGY, sum);
}

static bool solid_shares(const LitheModel *model, int32_t unit) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    return solid->law->lagged && solid->swell_count == 0 && !solid->mean;
}

static bool solid_event(const LitheModel *model, int32_t unit, const LitheSpan *span) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    for (int32_t i = 0; i < solid->load_count; i++)
        if (lithe_profile_within(&solid->loads[i].profile, span))
            return true;
    for (int32_t i = 0; i < solid->pressure_count; i++)
        if (lithe_profile_within(&solid->pressures[i].profile, span))
            return true;
    for (int32_t i = 0; i < solid->swell_count; i++)
        if (lithe_profile_within(&solid->swells[i].profile, span))
            return true;
    if (lithe_profile_within(&solid->acceleration_profile, span))
        return true;
    return false;
}

static bool solid_changes(const LitheModel *model, int32_t unit) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    bool changes = solid->swell_count > 0;
    for (int32_t i = 0; i < solid->pressure_count; i++)
        changes |= solid->pressures[i].gas;
    return changes;
}

// (T29), with Young's modulus at rest
static double solid_hit_time(const LitheModel *model, int32_t unit) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    double mu = solid->shear, lambda = solid->modulus - 2 * mu;
    double young = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    double size = fmin(solid->extent.x, fmin(solid->extent.y, solid->extent.z));
    return 2 * size * sqrt(solid->density / young);
}

const LitheUnitOps lithe_solid_ops = {
    .kind = "solid",
    .cost = 700,
    .threads_from = THREADS_FROM,
    .swings = true,
    .count = solid_count,
    .describe = solid_describe,
    .layout = solid_layout,
    .open = solid_open,
    .close = solid_close,
    .drop = solid_drop,
    .begin = lithe_solid_begin,
    .evaluate = lithe_solid_evaluate,
    .measure = lithe_solid_measure,
    .factor = lithe_solid_factor,
    .solve = lithe_solid_solve,
    .refine = lithe_solid_refine,
    .step_explicit = lithe_solid_step_explicit,
    .end = lithe_solid_end,
    .shift = solid_shift,
    .advance = solid_advance,
    .difference = lithe_points_difference,
    .jump = lithe_solid_jump,
    .accelerate = lithe_solid_accelerate,
    .unmass = solid_unmass,
    .energies = solid_energies,
    .shares_energies = solid_shares,
    .shared_energies = solid_shared_energies,
    .calm = lithe_solid_calm,
    .drift = lithe_solid_drift,
    .hit_time = solid_hit_time,
    .explain = lithe_solid_explain,
    .place = solid_place,
    .velocity = solid_velocity,
    .site = solid_site,
    .pattern = solid_pattern,
    .scatter = solid_scatter,
    .ranks = solid_ranks,
    .norm = solid_norm,
    .mass = solid_mass,
    .moved = solid_moved,
    .lowest_omega2 = solid_lowest_omega2,
    .explicit_limit = solid_explicit_limit,
    .inverted = lithe_solid_inverted,
    .mesh_error = lithe_solid_estimate,
    .totals = solid_totals,
    .event = solid_event,
    .changes = solid_changes,
};

// --- reading -------------------------------------------------------------------------------------

static const LitheSolid *solid_of(const LitheModel *model, LitheSolidId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->solid_count);
    return &model->solids[id.number - 1];
}

int32_t lithe_solid_count(const LitheModel *model) {
    return model->solid_count;
}

LitheSolidId lithe_solid_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->solid_count; i++)
        if (strcmp(model->solids[i].name, name) == 0)
            return (LitheSolidId){i + 1};
    return (LitheSolidId){0};
}

const char *lithe_solid_name(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->name;
}

int32_t lithe_solid_node_count(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->mesh.node_count;
}

int32_t lithe_solid_element_count(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->mesh.element_count;
}

int32_t lithe_solid_nodes_per_element(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->mesh.nodes_per_element;
}

int32_t lithe_solid_triangle_count(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->triangle_count;
}

const int32_t *lithe_solid_elements(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->mesh.elements;
}

const int32_t *lithe_solid_triangles(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->triangles;
}

const double *lithe_solid_position(const LitheModel *model, const LitheState *state,
                                   LitheSolidId id) {
    return state->q + model->units[solid_of(model, id)->unit].q_at;
}

const double *lithe_solid_velocity(const LitheModel *model, const LitheState *state,
                                   LitheSolidId id) {
    return state->v + model->units[solid_of(model, id)->unit].v_at;
}

double *lithe_solid_velocity_writable(const LitheModel *model, LitheState *state, LitheSolidId id) {
    return state->v + model->units[solid_of(model, id)->unit].v_at;
}

double *lithe_solid_force_writable(const LitheModel *model, LitheState *state, LitheSolidId id) {
    return state->pushes + 3 * solid_of(model, id)->point_at;
}

const double *lithe_solid_mass(const LitheModel *model, LitheSolidId id) {
    return solid_of(model, id)->mass;
}
