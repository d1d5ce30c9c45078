// SPDX-License-Identifier: Apache-2.0
// body/rod.c - the rod's row in the table of kinds

#include "body/rod.h"
#include "body/hold.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/rod_fast.h"
#include "body/rod_sums.h"
#include "body/unit.h"

#include <stdio.h>
#include <string.h>

static const LitheRod *rod_of(const LitheModel *model, int32_t unit) {
    return &model->rods[model->units[unit].index];
}

// --- the directory -------------------------------------------------------------------------------

static int32_t rod_count(const LitheModel *model) {
    return model->rod_count;
}

static void rod_describe(LitheModel *model, int32_t index, LitheUnit *unit) {
    LitheRod *rod = &model->rods[index];
    int64_t dofs = 4 * (int64_t)rod->node_count;
    double length = 0;
    rod->unit = (int32_t)(unit - model->units);
    rod->dof_at = unit->v_at;
    rod->node_at = unit->node_at;
    rod->point_at = unit->point_at;
    rod->d1_at = unit->own_at;
    rod->tau_at = rod->d1_at + 3 * (int64_t)rod->edge_count;
    unit->name = rod->name;
    unit->thing = (LitheThing){LITHE_THING_ROD, index + 1};
    unit->q_count = unit->v_count = dofs;
    unit->node_count = rod->node_count;
    unit->node_size = 4;
    unit->point_count = rod->node_count;
    unit->own_count = 3 * (int64_t)rod->edge_count + rod->node_count;
    unit->site_nodes = 3;
    unit->site_width = 12;
    unit->thickness = lithe_rod_half_thickness(rod);
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    unit->length = fmax(length / rod->edge_count, unit->thickness);
    for (int32_t i = 0; i < rod->node_count; i++)
        unit->mass += rod->mass[4 * (int64_t)i];
    unit->mass_moment = unit->mass * unit->thickness;
}

LitheCarriedTwist lithe_twist_carried(const LitheModel *model, const LitheState *state) {
    for (int32_t i = 0; i < model->rod_count; i++) {
        const LitheRod *rod = &model->rods[i];
        const double *q = state->q + rod->dof_at;
        for (int32_t k = 0; k < rod->pin_count; k++) {
            const int32_t *ends = rod->ends[rod->pins[k].edge];
            Vec3 e = v3_sub(v3_load(q + 4 * (int64_t)ends[1]), v3_load(q + 4 * (int64_t)ends[0]));
            if (!lithe_rod_pin_acts(&rod->pins[k], v3_unit(e)))
                return (LitheCarriedTwist){rod->name, rod->pins[k].edge};
        }
    }
    return (LitheCarriedTwist){0};
}

// --- scratch -------------------------------------------------------------------------------------

typedef struct ArraySize {
    double **array;
    int64_t count; // doubles
} ArraySize;

enum { MAX_ARRAYS = 32 };

// Lists the arrays that a rod keeps from task to task, with their sizes: first those that only the
// beginning and the end of a step use. Arrays that the rod or the scheme does not need have size 0:
// only the midpoint rule and held twists move the anchor.
static int list_arrays(const LitheModel *model, const LitheRod *rod, LitheUnitWork *solve,
                       LitheRodWork *work, ArraySize out[MAX_ARRAYS]) {
    int64_t n = rod->node_count, e = rod->edge_count;
    bool staged = model->time.scheme == LITHE_SCHEME_TR_BDF2;
    bool moves = model->time.scheme == LITHE_SCHEME_MIDPOINT;
    bool drags = rod->drag_normal > 0 || rod->drag_tangent > 0;
    const ArraySize arrays[] = {
        {&work->anchor_d1, moves || rod->pin_count > 0 ? 3 * e : 0},
        {&work->anchor_tau_ref, moves ? n : 0},
        {&work->t0, 3 * e},
        {&work->angle0, n},
        {&work->rest_length, e},
        {&work->voronoi, n},
        {&work->natural, 3 * n},
        {&work->force, 4 * n},
        {&work->gyro, 4 * n},
        {&work->target, memchr(rod->held, 1, (size_t)(4 * n)) ? 4 * n : 0},
        {&work->drag, drags ? 6 * n : 0},
        {&work->damping_panel,
         rod->damping_stiffness > 0 ? LITHE_ROD_PANEL * (n + LITHE_FAST_SPILL) : 0},
        {&work->damped, rod->damping_stiffness > 0 ? 8 * n : 0},
        {&work->fast, LITHE_FAST_ARRAYS * lithe_fast_stride(rod->node_count)},
        {&work->q_block, 4 * (LITHE_FAST_FRONT + n + LITHE_FAST_BACK)},
        {&work->diagonal, 4 * (n + LITHE_FAST_SPILL)},
        {&solve->w, 4 * n},
        {&solve->r, 4 * n},
        {&solve->impulse, 4 * n},
        {&work->stage_base, staged ? 4 * n : 0},
    };
    int count = sizeof arrays / sizeof *arrays;
    LITHE_ASSERT(count <= MAX_ARRAYS);
    memcpy(out, arrays, sizeof arrays);
    return count;
}

// lists the arrays that are valid within one task
static int list_lent(const LitheRod *rod, LitheUnitWork *solve, LitheRodWork *work, double **edges,
                     ArraySize out[MAX_ARRAYS]) {
    int64_t n = rod->node_count, e = rod->edge_count;
    const ArraySize arrays[] = {
        {&work->matrix.panel, LITHE_ROD_PANEL * (n + LITHE_FAST_SPILL)},
        {&work->factor, lithe_rod_factor_size(rod->node_count, rod->closed)},
        {&work->gradient, 4 * (n + LITHE_FAST_SPILL)},
        {&work->scratch, 4 * n},
        {&work->edge_S, e},
        {&solve->trial, 4 * n},
        {&solve->trial_r, 4 * n},
        {&solve->dx, 4 * n},
        {edges, lithe_work_doubles(e, sizeof(LitheRodEdge))},
    };
    memcpy(out, arrays, sizeof arrays);
    return sizeof arrays / sizeof *arrays;
}

// Contact models that solve all units together evaluate all of them before they factor any: then
// every rod keeps its matrix. A rod that is alone needs no room.
static bool keeps_matrix(const LitheModel *model) {
    return model->contact.model != LITHE_CONTACT_CONVEX || model->unit_count == 1;
}

// places arrays one after the other, each at the start of a cache line; with `at` NULL only counts
static int64_t place(const ArraySize *arrays, int count, double *at) {
    int64_t taken = 0;
    for (int k = 0; k < count; k++) {
        if (at && arrays[k].count > 0)
            *arrays[k].array = at + taken;
        taken += lithe_work_round(arrays[k].count);
    }
    return taken;
}

static int64_t place_lent(const LitheRod *rod, LitheUnitWork *solve, LitheRodWork *work,
                          double *at) {
    LitheRodWork none;
    LitheUnitWork nothing;
    double *edges = NULL;
    ArraySize arrays[MAX_ARRAYS];
    int count = list_lent(rod, at ? solve : &nothing, at ? work : &none, &edges, arrays);
    int64_t taken = place(arrays, count, at);
    if (at)
        work->edges = (LitheRodEdge *)edges;
    return taken;
}

// the struct, then its arrays
static int64_t rod_layout(const LitheModel *model, int32_t unit, LitheWork *all, double *at) {
    const LitheRod *rod = rod_of(model, unit);
    LitheUnitWork *solve = &all->units[unit], none;
    LitheRodWork *work = (LitheRodWork *)at, spare;
    ArraySize arrays[MAX_ARRAYS];
    int64_t taken = lithe_work_doubles(1, sizeof *work);
    int count = list_arrays(model, rod, at ? solve : &none, at ? work : &spare, arrays);
    taken += place(arrays, count, at ? at + taken : NULL);
    if (keeps_matrix(model))
        taken += place_lent(rod, solve, work, at ? at + taken : NULL);
    if (at) {
        work->q = work->q_block + 4 * LITHE_FAST_FRONT;
        work->matrix.node_count = rod->node_count;
        work->matrix.closed = rod->closed;
        solve->own = work;
        solve->dof_count = 4 * (int64_t)rod->node_count;
        solve->held = rod->held;
        solve->has_potential = !rod->has_moment;
    }
    return taken;
}

static int64_t rod_lend(const LitheModel *model, int32_t unit, LitheWork *all, double *room) {
    if (keeps_matrix(model))
        return 0;
    if (room)
        all->units[unit].lent = true;
    return place_lent(rod_of(model, unit), &all->units[unit],
                      room ? lithe_rod_work(all, unit) : NULL, room);
}

// A chain of many rods does not fit into the caches, and the arrays of a short rod are too short
// for the prefetcher of the processor, which serves longer ones. Second level: a rod may fill the
// first.
enum { FETCHED_NODES = 128 };

// always inlined: a function that only prefetches counts as one without effect, and is left out
__attribute__((always_inline)) static inline void fetch(const void *from, const void *end) {
    for (const char *line = from; line < (const char *)end; line += 64)
        __builtin_prefetch(line, 0, 2);
}

static void rod_fetch(const LitheModel *model, int32_t unit, const LitheWork *all,
                      LitheTaskKind task) {
    const LitheRod *rod = rod_of(model, unit);
    const LitheUnitWork *solve = &all->units[unit];
    const LitheRodWork *work = solve->own;
    int64_t dofs = 4 * (int64_t)rod->node_count;
    if (rod->node_count > FETCHED_NODES)
        return;
    // another thread may work on the unit: only addresses are read, which do not change. The arrays
    // are in the order of list_arrays.
    fetch(work, task == LITHE_TASK_EVALUATE ? (const double *)(work + 1) : work->force);
    if (task != LITHE_TASK_END)
        fetch(work->force, work->q_block);
    if (task == LITHE_TASK_BEGIN)
        fetch(solve->w, solve->w + dofs);
    else
        fetch(work->q_block, task == LITHE_TASK_END ? solve->impulse + dofs : solve->impulse);
    fetch(rod->mass, rod->mass + dofs);
    fetch(rod->held, rod->held + dofs);
}

// --- material points -----------------------------------------------------------------------------

static Vec3 rod_velocity(const LitheModel *model, const LitheState *state, const LitheSite *site) {
    const LitheRod *rod = rod_of(model, site->unit);
    const double *v = state->v + rod->dof_at;
    int32_t i = rod->ends[site->element][0], j = rod->ends[site->element][1];
    return v3_mix(v3_load(v + 4 * (int64_t)i), v3_load(v + 4 * (int64_t)j), site->s[0]);
}

static Pose rod_place(const LitheModel *model, const LitheState *state, const LitheSite *site,
                      double ahead) {
    const LitheRod *rod = rod_of(model, site->unit);
    Pose pose = lithe_edge_place(rod, state, site->element, site->s[0]);
    if (ahead == 0)
        return pose;
    pose.at = v3_axpy(ahead, rod_velocity(model, state, site), pose.at);
    return pose;
}

static void rod_advance(const LitheModel *model, int32_t unit, const LitheState *from,
                        const double *v, double time, LitheState *to) {
    const LitheRod *rod = rod_of(model, unit);
    const double *q0 = from->q + rod->dof_at;
    double *q = to->q + rod->dof_at;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        q[i] = q0[i] + time * v[i];
    for (int64_t i = 0; i < rod->edge_count; i++) {
        int64_t a = 4 * (int64_t)rod->ends[i][0], b = 4 * (int64_t)rod->ends[i][1];
        Vec3 t0 = v3_unit(v3_sub(v3_load(q0 + b), v3_load(q0 + a)));
        Vec3 t = v3_unit(v3_sub(v3_load(q + b), v3_load(q + a)));
        v3_store(lithe_transport(v3_load(from->own + rod->d1_at + 3 * i), t0, t),
                 to->own + rod->d1_at + 3 * i);
    }
}

// The rotation of an edge e = x1 - x0, of tangent t, in the rows a.v + b.omega of a site (V20). r
// leads from the centreline to the point of the site. With m = r x a + b the coefficients are
//     x0: -(m x t)/|e|,   x1: (m x t)/|e|,   gamma: m . t
// and of an edge of held twist, which spins by zeta.de as it turns (F2), -+ (m . t) zeta more.
typedef struct Turned {
    Vec3 t;
    double inverse; // 1/|e|
    double part;    // of the rotation of the site
    Vec3 zeta;      // 1/m
} Turned;

// (F2) of an edge of held twist at the tangent t; 0 for others
static Vec3 zeta_of(const LitheRod *rod, int32_t edge, Vec3 t, double inverse) {
    int32_t low = 0, high = rod->pin_count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        *(rod->pins[middle].edge > edge ? &high : &low) = middle;
    }
    const LitheRodPin *pin = rod->pins + low;
    if (pin->edge != edge || !lithe_rod_pin_acts(pin, t))
        return v3(0, 0, 0);
    return v3_scale(-inverse / (1 + v3_dot(pin->t, t)), v3_cross(pin->t, t));
}

static inline Turned turned(const LitheRod *rod, const double *q, int32_t edge, double part) {
    const int32_t *ends = rod->ends[edge];
    Vec3 e = v3_sub(v3_load(q + 4 * (int64_t)ends[1]), v3_load(q + 4 * (int64_t)ends[0]));
    double inverse = 1 / v3_norm(e);
    Turned out = {.t = v3_scale(inverse, e), .inverse = inverse, .part = part};
    if (rod->pin_count > 0)
        out.zeta = zeta_of(rod, edge, out.t, inverse);
    return out;
}

// adds it to the row of one or two nodes, `first` that of x0
static inline void add_turned(const Turned *edge, Vec3 m, double *first, double *second) {
    Vec3 own = v3_scale(edge->part, m), turn = v3_scale(edge->inverse, v3_cross(own, edge->t));
    turn = v3_axpy(v3_dot(own, edge->t), edge->zeta, turn);
    v3_store(v3_sub(v3_load(first), turn), first);
    v3_store(v3_add(v3_load(second), turn), second);
    first[3] += v3_dot(own, edge->t);
}

// A contact that is nearer to a node than this fraction of its edge has a weighted mean of the
// rotations of its edge and of the edge beyond the node. The weight of the other edge is 1/2 at the
// node and falls to 0 at this distance.
#define SHARED 0.1

// A row measures a.v + b.omega of a point. The velocity is that of the centreline, the rotation
// that of the edge; near a node, for a contact, a mean over both edges, which is continuous there.
static int32_t rod_site(const LitheModel *model, const LitheState *state, const LitheWork *all,
                        const LitheSite *site, int32_t rows, const Vec3 *linear,
                        const Vec3 *angular, int32_t *nodes, double *blocks) {
    const LitheRod *rod = rod_of(model, site->unit);
    const double *q = state->q + rod->dof_at;
    double s = site->s[0], from_node = fmin(s, 1 - s);
    bool at_first = s < 0.5;
    const int32_t *ends = rod->ends[site->element];
    int32_t other = site->element + (at_first ? -1 : 1);
    if (rod->closed)
        other = (other + rod->edge_count) % rod->edge_count;
    // a constraint (s[1] = 1) has the frame of one edge: it must have the rotation of this edge
    // alone
    bool shared = site->s[1] == 0 && from_node < SHARED && other >= 0 && other < rod->edge_count;
    double part = shared ? 0.5 * (1 - from_node / SHARED) : 0;
    Vec3 a0 = v3_load(q + 4 * (int64_t)ends[0]), a1 = v3_load(q + 4 * (int64_t)ends[1]);
    Vec3 r = v3_sub(site->point, v3_axpy(s, v3_sub(a1, a0), a0));
    Turned edge = turned(rod, q, site->element, 1 - part), beyond = {0};
    (void)all;
    nodes[0] = ends[0];
    nodes[1] = ends[1];
    if (shared) {
        beyond = turned(rod, q, other, part);
        nodes[2] = rod->ends[other][at_first ? 0 : 1];
    }
    double *first = blocks, *second = blocks + 4 * rows, *third = blocks + 8 * rows;
    for (int32_t row = 0; row < rows; row++, first += 4, second += 4) {
        Vec3 m = v3_add(v3_cross(r, linear[row]), angular[row]);
        v3_store(v3_scale(1 - s, linear[row]), first);
        v3_store(v3_scale(s, linear[row]), second);
        first[3] = second[3] = 0;
        add_turned(&edge, m, first, second);
        if (!shared)
            continue;
        third[0] = third[1] = third[2] = third[3] = 0;
        add_turned(&beyond, m, at_first ? third : second, at_first ? first : third);
        third += 4;
    }
    return shared ? 3 : 2;
}

// --- sums, events --------------------------------------------------------------------------------

static void rod_mass(const LitheModel *model, int32_t unit, const LitheWork *all, const double *x,
                     double *y) {
    const LitheRod *rod = rod_of(model, unit);
    (void)all;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        y[i] = rod->held[i] ? 0 : rod->mass[i] * x[i];
}

static double rod_moved(const LitheModel *model, int32_t unit, LitheWork *all, const double *w) {
    double max = 0;
    (void)all;
    for (int32_t i = 0; i < rod_of(model, unit)->node_count; i++)
        max = fmax(max, v3_norm(v3_load(w + 4 * (int64_t)i)));
    return max;
}

// an estimate from bending and weight, or from stretching when both are zero
static double rod_lowest_omega2(const LitheModel *model, int32_t unit) {
    const LitheRod *rod = rod_of(model, unit);
    double length = 0, mass = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    for (int32_t i = 0; i < rod->node_count; i++)
        mass += rod->mass[4 * i];
    double line = mass / length, bend = fmin(rod->EI1, rod->EI2);
    double rate = bend / (line * pow(length, 4)) + v3_norm(model->gravity) / length;
    return rate > 0 ? rate : 1e-6 * rod->EA / (line * length * length);
}

static double rod_norm(const LitheModel *model, int32_t unit, const LitheWork *all,
                       const double *x) {
    const LitheRod *rod = rod_of(model, unit);
    double sum = 0;
    (void)all;
    for (int64_t k = 0; k < 4 * (int64_t)rod->node_count; k++)
        sum += rod->held[k] ? 0 : rod->mass[k] * x[k] * x[k];
    return sum;
}

static bool rod_totals(const LitheModel *model, int32_t unit, const LitheState *state,
                       LitheTotalsWanted wanted, LitheUnitTotals *sum) {
    lithe_rod_totals(model, rod_of(model, unit), state, wanted, sum);
    return true;
}

static bool rod_event(const LitheModel *model, int32_t unit, const LitheSpan *span) {
    const LitheRod *rod = rod_of(model, unit);
    for (int32_t i = 0; i < rod->load_count; i++)
        if (lithe_profile_within(&rod->loads[i].profile, span))
            return true;
    for (int32_t i = 0; i < rod->natural_drive_count; i++)
        if (lithe_profile_within(&rod->natural_drives[i].profile, span))
            return true;
    return false;
}

static bool rod_changes(const LitheModel *model, int32_t unit) {
    return rod_of(model, unit)->natural_drive_count > 0;
}

static double rod_explicit_limit(const LitheModel *model, int32_t unit) {
    return lithe_rod_explicit_limit(model, rod_of(model, unit));
}

// --- in the coupled solve ------------------------------------------------------------------------

// block k of panel i couples node i with the k-th after it; none beyond the end of an open rod
static int32_t partner(const LitheRod *rod, int32_t i, int32_t k) {
    int32_t j = i + k;
    return j < rod->node_count ? j : rod->closed ? j - rod->node_count : -1;
}

static bool rod_pattern(const LitheModel *model, int32_t unit, int32_t first, LithePairList *list) {
    const LitheRod *rod = rod_of(model, unit);
    int64_t max = list->count + 2 * (int64_t)rod->node_count;
    if (!LITHE_RESERVE(list->context, list->data, list->capacity, max))
        return false;
    for (int32_t i = 0; i < rod->node_count; i++)
        for (int32_t k = 1; k <= 2; k++) {
            int32_t j = partner(rod, i, k);
            if (j >= 0)
                list->data[list->count++] = (LitheBlockPair){first + i, first + j};
        }
    return true;
}

static void rod_scatter(const LitheModel *model, int32_t unit, LitheWork *all, int32_t first,
                        const LitheBlockMatrix *target, double *values) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodMatrix *matrix = &lithe_rod_work(all, unit)->matrix;
    lithe_rod_lock(rod, matrix);
    for (int32_t i = 0; i < rod->node_count; i++) {
        const double *panel = matrix->panel + LITHE_ROD_PANEL * (int64_t)i;
        for (int32_t k = 0; k <= 2; k++) {
            int32_t j = partner(rod, i, k);
            if (j < 0)
                continue;
            bool flipped = j < i; // across the end of a closed rod
            // the rows that follow the diagonal are those of the next nodes
            int32_t entry = flipped ? lithe_block_find(target, first + i, first + j)
                                    : target->start[first + i] + k;
            double *block = values + target->value_at[entry];
            for (int c = 0; k < 2 && !flipped && c < 4; c++)
                memcpy(block + 4 * c, panel + 12 * c + 4 * k, 4 * sizeof *block);
            if (k < 2 && !flipped)
                continue;
            for (int c = 0; c < 4; c++)
                for (int row = 0; row < (k == 2 ? 3 : 4); row++)
                    block[flipped ? 4 * row + c : 4 * c + row] = panel[12 * c + 4 * k + row];
        }
    }
}

const LitheUnitOps lithe_rod_ops = {
    .kind = "rod",
    .cost = 25,
    .certified = true,
    .winds = true,
    .elastic_is_recorded = true,
    .count = rod_count,
    .describe = rod_describe,
    .layout = rod_layout,
    .lend = rod_lend,
    .fetch = rod_fetch,
    .begin = lithe_rod_step_begin,
    .evaluate = lithe_rod_step_evaluate,
    .measure = lithe_rod_step_measure,
    .factor = lithe_rod_step_factor,
    .solve = lithe_rod_step_solve,
    .refine = lithe_rod_step_refine,
    .step_explicit = lithe_rod_step_explicit,
    .shift = lithe_rod_shift,
    .advance = rod_advance,
    .difference = lithe_points_difference,
    .jump = lithe_rod_jump,
    .accelerate = lithe_rod_accelerate,
    .unmass = lithe_rod_unmass,
    .energies = lithe_rod_energies,
    .calm = lithe_rod_calm,
    .drift = lithe_rod_drift,
    .end = lithe_rod_step_end,
    .explain = lithe_rod_step_explain,
    .place = rod_place,
    .velocity = rod_velocity,
    .site = rod_site,
    .norm = rod_norm,
    .mass = rod_mass,
    .moved = rod_moved,
    .lowest_omega2 = rod_lowest_omega2,
    .totals = rod_totals,
    .event = rod_event,
    .changes = rod_changes,
    .explicit_limit = rod_explicit_limit,
    .pattern = rod_pattern,
    .scatter = rod_scatter,
};
