// SPDX-License-Identifier: Apache-2.0
// solve/loops.c - parallel loops over couplings, nodes and parts of a convex problem
//
// Everything that a Newton iteration (solve/convex.c) does with vectors and couplings, except the
// factorisation: velocities of couplings J w and their impulses, J' impulse, gradient, A dw, the
// line search along a direction, and the active set; the columns of H = A + J' G J are in
// solve/loop_matrix.c.
//
// There are three kinds of loops. Over couplings: each writes its own v, impulse and Hessian. Over
// nodes: each gathers from the couplings that touch it (system->of), so no two threads add to the
// same number. Over parts (data/system.h): products with A, which is block diagonal by part. A loop
// runs in ranges of fixed size. Each range has its own sums, which are added in the order of the
// ranges: the bits do not depend on the number of threads. Inner loops are vectorised in
// solve/loop_kernel.h.

#include "solve/loop_parts.h"

#include <math.h>
#include <string.h>

// time of a number of A in a product [ns]
#define PRODUCT 0.4

static void over_parts(Loop *loop, LitheRangeFn *fn, double sums[LITHE_RANGE_SUMS]) {
    LitheSystem *s = loop->s;
    loop->kernel = lithe_loop_kernel();
    double cost = PRODUCT * (double)lithe_system_value_count(s) + (double)VECTOR * s->node_count;
    lithe_pool_ranges(s->pool, s->part_count, LITHE_PARTS_PER_RANGE, cost, fn, loop, s->partial,
                      sums);
}

static void copy_nodes(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    int32_t at = loop->s->node_at[first], end = loop->s->node_at[after];
    (void)range, (void)sums;
    memcpy(loop->out + at, loop->x + at, (size_t)(end - at) * sizeof(double));
}

void lithe_loop_copy(LitheSystem *system, const double *from, double *to) {
    double none[LITHE_RANGE_SUMS];
    over_nodes(&(Loop){.s = system, .x = from, .out = to}, 0, copy_nodes, none);
}

static double *dv_of(const LitheSystem *s, int32_t coupling) {
    return s->dv + LITHE_COUPLED_ROWS * (ptrdiff_t)coupling;
}

// --- velocities and impulses ---------------------------------------------------------------------

static inline void find_velocity(const Loop *loop, LitheCoupling *c) {
    if (c->group > 0)
        return; // known from its group
    memcpy(c->v, c->bias, sizeof c->v);
    loop->kernel->velocity(loop->s, c, loop->x, c->v);
}

// doubles from the velocity or impulse of a coupling to that of the next
enum { COUPLING_STRIDE = sizeof(LitheCoupling) / sizeof(double) };
_Static_assert(sizeof(LitheCoupling) % sizeof(double) == 0, "couplings are arrays of doubles");

// the groups in a range of couplings
#define OVER_GROUPS(s, range, g) \
    for (const LitheGroup *g = (s)->groups + (s)->group_start[range], \
                          *g##_end = (s)->groups + (s)->group_start[(range) + 1]; \
         g < g##_end; g++)

// velocities of the groups in a range
static void find_group_velocities(const Loop *loop, int32_t range) {
    LitheSystem *s = loop->s;
    OVER_GROUPS(s, range, g) {
        LitheCoupling *c = &s->couplings[g->first];
        for (int32_t k = 0; k < g->count; k++)
            memcpy(c[k].v, c[k].bias, sizeof c->v);
        loop->kernel->group_velocity(s, g, loop->x, c->v, COUPLING_STRIDE);
    }
}

static void respond(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    Loop *loop = user;
    LitheSystem *s = loop->s;
    if (s->in_lanes)
        lithe_lanes_sweep(s, range, &loop->lanes, sums);
    else if (s->group_count > 0)
        find_group_velocities(loop, range);
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        double *G = lithe_hessian_of(s, c);
        if (are_plain(s, i, after)) {
            for (int k = 0; k < 4; k++)
                find_velocity(loop, c + k);
            loop->kernel->respond_four(c, G, sums);
            i += 3;
            continue;
        }
        find_velocity(loop, c);
        sums[0] += lithe_term_is_plain(&c->term) ? lithe_term_plain(&c->term, c->v, c->impulse, G)
                                                 : lithe_term_cost(&c->term, c->v, c->impulse, G);
    }
}

double lithe_loop_respond(LitheSystem *system, const double *w) {
    double sums[LITHE_RANGE_SUMS];
    Loop loop = {
        .s = system,
        .x = w,
        .lanes = {
            .velocity = LITHE_LANE_V_OF_X, .x = w, .law = LITHE_LANE_LAW_EXACT, .sums = true}};
    over_couplings(&loop, RESPOND, respond, sums);
    system->has_pushed = system->has_group_terms = false;
    system->has_group_sums = system->in_lanes;
    system->lane_length = 0;
    return sums[0];
}

static void cost_at(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    (void)range;
    for (int32_t i = first; i < after; i++) {
        const LitheCoupling *c = &loop->s->couplings[i];
        double v[LITHE_COUPLED_ROWS], impulse[LITHE_COUPLED_ROWS];
        double G[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS];
        memcpy(v, c->bias, sizeof v);
        loop->kernel->velocity(loop->s, c, loop->x, v);
        sums[0] += lithe_term_is_plain(&c->term) ? lithe_term_plain(&c->term, v, impulse, G)
                                                 : lithe_term_cost(&c->term, v, impulse, G);
    }
}

double lithe_loop_cost(LitheSystem *system, const double *w) {
    double sums[LITHE_RANGE_SUMS];
    if (system->group_count > 0) { // points of groups have their Jacobians side by side
        double cost = lithe_loop_respond(system, w);
        lithe_loop_respond(system, system->w);
        return cost;
    }
    over_couplings(&(Loop){.s = system, .x = w}, RESPOND, cost_at, sums);
    return sums[0];
}

// one coupling at v + length dv: adds cost, slope and curvature to `sums`
__attribute__((noinline)) static void try_one(LitheCoupling *c, int32_t rows, double length,
                                              const double *dv, double *G, double *sums) {
    double v[LITHE_COUPLED_ROWS] = {0}, slope = sums[1], curvature = sums[2];
    for (int32_t k = 0; k < rows; k++)
        v[k] = c->v[k] + length * dv[k];
    sums[0] += lithe_term_cost(&c->term, v, c->impulse, G);
    for (int32_t k = 0; k < rows; k++) {
        double bend = 0;
        for (int32_t j = 0; j < rows; j++)
            bend += G[rows * k + j] * dv[j];
        slope -= c->impulse[k] * dv[k];
        curvature += dv[k] * bend;
    }
    sums[1] = slope;
    sums[2] = curvature;
}

// the same of a contact with three rows under lagged friction, whose G has no entry between sliding
// and normal
static inline void try_plain(LitheCoupling *c, double length, const double *dv, double *G,
                             double *sums) {
    double v[3] = {c->v[0] + length * dv[0], c->v[1] + length * dv[1], c->v[2] + length * dv[2]};
    sums[0] += lithe_term_plain(&c->term, v, c->impulse, G);
    sums[1] = sums[1] - c->impulse[0] * dv[0] - c->impulse[1] * dv[1] - c->impulse[2] * dv[2];
    sums[2] += dv[0] * (G[0] * dv[0] + G[1] * dv[1]);
    sums[2] += dv[1] * (G[3] * dv[0] + G[4] * dv[1]);
    sums[2] += dv[2] * (G[8] * dv[2]);
}

static void try_length(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        if (are_plain(s, i, after)) {
            loop->kernel->try_four(c, loop->length, dv_of(s, i), lithe_hessian_of(s, c), sums);
            i += 3;
        } else if (lithe_term_is_plain(&c->term))
            try_plain(c, loop->length, dv_of(s, i), lithe_hessian_of(s, c), sums);
        else
            try_one(c, c->term.rows, loop->length, dv_of(s, i), lithe_hessian_of(s, c), sums);
    }
}

static void try_all(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    if (loop->s->in_lanes)
        lithe_lanes_sweep(loop->s, range, &loop->lanes, sums);
    try_length(range, first, after, sums, user);
}

double lithe_loop_try(LitheSystem *system, double length, double *slope, double *curvature) {
    double sums[LITHE_RANGE_SUMS];
    Loop loop = {.s = system,
                 .length = length,
                 .lanes = {.law = LITHE_LANE_LAW_EXACT,
                           .length = length - system->lane_length,
                           .sums = true}};
    over_couplings(&loop, RESPOND, try_all, sums);
    system->has_pushed = system->has_group_terms = false;
    system->has_group_sums = system->in_lanes;
    *slope = sums[1];
    *curvature = sums[2];
    return sums[0];
}

static inline bool respond_if(const LitheTerm *term, bool plain, const double *v, bool is_active,
                              double *impulse, double *G) {
    return plain ? lithe_term_plain_if_active(term, v, is_active, impulse, G)
                 : lithe_term_if_active(term, v, is_active, impulse, G);
}

// sums: contacts that can be active, those whose state has changed, and drives at their bound
static void active_set(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        double *G = lithe_hessian_of(s, c);
        if (!loop->flag && are_plain(s, i, after) && isfinite(c[0].term.vbar) &&
            isfinite(c[1].term.vbar) && isfinite(c[2].term.vbar) && isfinite(c[3].term.vbar)) {
            sums[0] += 4;
            sums[1] += loop->kernel->active_four(c, G);
            i += 3;
            continue;
        }
        if (!lithe_term_has_active_set(&c->term)) {
            lithe_term_cost(&c->term, c->v, c->impulse, G);
            sums[2] += loop->flag && lithe_term_hold_back(&c->term, c->v, G);
            continue;
        }
        bool before = c->is_active, plain = lithe_term_is_plain(&c->term);
        if (loop->flag) {
            c->is_active = c->was_active || c->v[2] < c->term.vbar;
            if (s->recalls)
                lithe_slip_recall(c);
        } else
            c->is_active = respond_if(&c->term, plain, c->v, before, c->impulse, G);
        if (loop->flag || c->is_active != before)
            respond_if(&c->term, plain, c->v, c->is_active, c->impulse, G);
        if (c->leads)
            lithe_slip_lead(s, i);
        sums[0] += 1;
        sums[1] += c->is_active != before;
    }
}

static void active_sets(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    if (s->in_lanes && loop->flag)
        lithe_lanes_restart(s, range, s->recalls);
    if (s->in_lanes)
        lithe_lanes_sweep(s, range, &loop->lanes, sums);
    active_set(range, first, after, sums, user);
}

int32_t lithe_loop_active_set(LitheSystem *system, bool restart, int32_t *changed) {
    double sums[LITHE_RANGE_SUMS];
    Loop loop = {.s = system,
                 .flag = restart,
                 .lanes = {.law = restart ? LITHE_LANE_LAW_GIVEN : LITHE_LANE_LAW_ACTIVE,
                           .sums = true,
                           .terms = true}};
    over_couplings(&loop, RESPOND, active_sets, sums);
    system->has_pushed = false;
    system->has_group_sums = system->has_group_terms = system->in_lanes;
    if (sums[0] == 0 && sums[2] > 0) // no round follows
        lithe_loop_respond(system, system->w);
    *changed = (int32_t)sums[1];
    return (int32_t)sums[0];
}

// --- from couplings to nodes ---------------------------------------------------------------------

// group_sums = J' impulse, or J' push with `flag`
static void gather_groups(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)first, (void)after;
    if (s->in_lanes) {
        lithe_lanes_sweep(s, range, &(LitheLaneJob){.sums = true}, sums);
        return;
    }
    OVER_GROUPS(s, range, g)
    if (loop->flag)
        loop->kernel->group_gather(s, g, s->push + LITHE_COUPLED_ROWS * (ptrdiff_t)g->first,
                                   LITHE_COUPLED_ROWS);
    else
        loop->kernel->group_gather(s, g, s->couplings[g->first].impulse, COUPLING_STRIDE);
}

// before a loop over nodes that reads the sums of groups
static void over_groups(LitheSystem *system, bool push) {
    double none[LITHE_RANGE_SUMS];
    if (system->group_count > 0 && !system->has_group_sums)
        over_couplings(&(Loop){.s = system, .flag = push}, GATHER, gather_groups, none);
    system->has_group_sums = system->in_lanes;
}

static void spread(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range, (void)sums;
    loop->kernel->spread(s, first, after, loop->flag, loop->out);
}

void lithe_loop_spread(LitheSystem *system, bool held, double *out) {
    double sums[LITHE_RANGE_SUMS];
    if (!held && system->has_pushed) {
        lithe_loop_copy(system, system->pushed, out);
        return;
    }
    if (!held)
        over_groups(system, false);
    over_nodes(&(Loop){.s = system, .out = out, .flag = held}, GATHER, spread, sums);
}

static void gradient(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    (void)range;
    loop->kernel->gradient(loop->s, first, after, loop->x, sums);
}

double lithe_loop_gradient(LitheSystem *system, const double *from, double *impulses) {
    double sums[LITHE_RANGE_SUMS];
    if (!system->has_pushed)
        over_groups(system, false);
    over_nodes(&(Loop){.s = system, .x = from}, system->has_pushed ? 0 : GATHER, gradient, sums);
    system->has_pushed = true;
    *impulses = sqrt(sums[0]);
    return sqrt(sums[1]);
}

// --- the smooth part -----------------------------------------------------------------------------

static void multiply_part(const LitheSystem *s, int32_t part, const double *x, double *y) {
    lithe_block_multiply_part(s->matrix, s->part_start[part], s->part_start[part + 1], s->A, x, y);
}

static void smooth(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    for (int32_t part = first; part < after; part++) {
        int32_t at = s->node_at[s->part_start[part]], end = s->node_at[s->part_start[part + 1]];
        bool moved = memcmp(s->w + at, s->w0 + at, (size_t)(end - at) * sizeof(double)) != 0;
        if (!moved) { // no cost, and nobody needs the displacement
            for (int32_t i = at; i < end; i++)
                s->smooth[i] = 0 + s->r[i];
            continue;
        }
        for (int32_t i = at; i < end; i++)
            s->dw[i] = s->w[i] - s->w0[i];
        multiply_part(s, part, s->dw, s->smooth);
        loop->kernel->smooth(s, at, end, sums);
    }
}

double lithe_loop_smooth(LitheSystem *system) {
    double sums[LITHE_RANGE_SUMS];
    over_parts(&(Loop){.s = system}, smooth, sums);
    return sums[0];
}

// --- along a direction ---------------------------------------------------------------------------

static void along_parts(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    for (int32_t part = first; part < after; part++) {
        if (s->is_accurate && !loop->flag)
            lithe_block_multiply_rows(s->matrix, s->part_start[part], s->part_start[part + 1],
                                      s->is_touched, s->A, s->dw, s->gradient, s->Adw);
        else
            multiply_part(s, part, s->dw, s->Adw);
        loop->kernel->along(s, s->node_at[s->part_start[part]], s->node_at[s->part_start[part + 1]],
                            sums);
    }
}

// y = G x
static inline void multiply_rows(int32_t rows, const double *G, const double *x, double *y) {
    for (int32_t k = 0; k < rows; k++) {
        double sum = 0;
        for (int32_t j = 0; j < rows; j++)
            sum += G[rows * k + j] * x[j];
        y[k] = sum;
    }
}

static void along_couplings(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    if (s->in_lanes)
        lithe_lanes_sweep(s, range, &loop->lanes, sums);
    else {
        memset(dv_of(s, first), 0, (size_t)(after - first) * LITHE_COUPLED_ROWS * sizeof *s->dv);
        if (s->group_count > 0)
            OVER_GROUPS(s, range, g)
        loop->kernel->group_velocity(s, g, s->dw, dv_of(s, g->first), LITHE_COUPLED_ROWS);
    }
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        const double *G = lithe_hessian_of(s, c);
        double *dv = dv_of(s, i), *push = s->push + LITHE_COUPLED_ROWS * (ptrdiff_t)i;
        int32_t rows = c->term.rows;
        if (s->in_lanes)
            memset(dv, 0, LITHE_COUPLED_ROWS * sizeof *dv);
        if (c->group == 0)
            loop->kernel->velocity(s, c, s->dw, dv);
        if (loop->flag && rows == 3) // a known size needs no loop
            multiply_rows(3, G, dv, push);
        else if (loop->flag)
            multiply_rows(rows, G, dv, push);
        for (int k = 0; k < 2 && c->leads; k++)
            dv[k] += c->lead[k];
        if (c->leads) // a line of the cache that is not written need not be written back
            c->leads = false;
    }
    OVER_RANGE(s, i, first, after) {
        ptrdiff_t at = LITHE_COUPLED_ROWS * (ptrdiff_t)i;
        if (!are_plain(s, i, after)) {
            lithe_slip_update(s, i);
            continue;
        }
        loop->kernel->slip_four(&s->couplings[i], s->dv + at, s->slip + at);
        i += 3;
    }
    if (loop->length > 0)
        try_length(range, first, after, sums, user);
}

LitheAlong lithe_loop_direction(LitheSystem *system, bool measured, bool ahead, LitheTrial *full) {
    double sums[LITHE_RANGE_SUMS], trial[LITHE_RANGE_SUMS];
    Loop loop = {.s = system,
                 .flag = measured,
                 .length = 1,
                 .lanes = {.velocity = LITHE_LANE_V_ALONG,
                           .x = system->dw,
                           .law = LITHE_LANE_LAW_EXACT,
                           .pushes = measured,
                           .sums = true,
                           .terms = ahead}};
    over_parts(&loop, along_parts, sums);
    over_couplings(&loop, DIRECT + RESPOND, along_couplings, trial);
    system->has_pushed = false;
    system->has_group_sums = system->in_lanes;
    system->has_group_terms = system->in_lanes && ahead;
    system->lane_length = 1;
    *full = (LitheTrial){trial[0], trial[1], trial[2]};
    return (LitheAlong){sums[0], sums[1], sums[2], sqrt(sums[3])};
}

// max that propagates a NaN
static double larger(double max, double x) {
    double size = fabs(x);
    return size <= max || isnan(max) ? max : size;
}

// the largest of b, dw, H and the residual of each node, into the range's sums
static void compare(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    (void)range;
    loop->kernel->compare(loop->s, first, after, sums);
}

double lithe_loop_backward_error(LitheSystem *system) {
    double sums[LITHE_RANGE_SUMS], max[LITHE_RANGE_SUMS] = {0}, *own = system->group_sums;
    if (system->in_lanes)
        system->group_sums = system->group_pushes;
    else
        over_groups(system, true);
    over_nodes(&(Loop){.s = system}, GATHER, compare, sums);
    system->group_sums = own;
    int32_t ranges = lithe_range_count(system->node_count, LITHE_NODES_PER_RANGE);
    for (int32_t i = 0; i < ranges; i++)
        for (int k = 0; k < LITHE_RANGE_SUMS; k++)
            max[k] = larger(max[k], system->partial[LITHE_RANGE_SUMS * (ptrdiff_t)i + k]);
    double scale = max[2] * max[1] + max[0];
    return scale == 0 ? 0 : max[3] / scale;
}

static void move_nodes(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    sums[0] += loop->kernel->move(s, s->node_at[first], s->node_at[after], loop->length);
}

static void move_couplings(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range, (void)sums;
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        const double *dv = dv_of(s, i);
        for (int32_t k = 0; k < 3; k++) // beyond its rows both are zero
            c->v[k] += loop->length * dv[k];
        for (int32_t k = 3; k < c->term.rows; k++)
            c->v[k] += loop->length * dv[k];
    }
}

static void move_all(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    if (s->in_lanes && loop->length != s->lane_length)
        lithe_lanes_move(s, range, loop->length - s->lane_length);
    move_couplings(range, first, after, sums, user);
}

bool lithe_loop_move(LitheSystem *system, double length) {
    double sums[LITHE_RANGE_SUMS], none[LITHE_RANGE_SUMS];
    Loop loop = {.s = system, .length = length};
    over_nodes(&loop, 0, move_nodes, sums);
    over_couplings(&loop, COPY, move_all, none);
    system->lane_length = 0;
    return sums[0] > 0;
}

static void step_couplings(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    Loop full = {.s = loop->s, .kernel = loop->kernel, .length = 1};
    along_couplings(range, first, after, sums, user);
    move_couplings(range, first, after, sums, &full);
    active_set(range, first, after, sums, &full);
}

LitheAlong lithe_loop_step(LitheSystem *system, bool measured, bool ahead, int32_t *changed) {
    double sums[LITHE_RANGE_SUMS], set[LITHE_RANGE_SUMS], none[LITHE_RANGE_SUMS];
    Loop loop = {.s = system,
                 .flag = measured,
                 .lanes = {.velocity = LITHE_LANE_V_ALONG,
                           .x = system->dw,
                           .law = LITHE_LANE_LAW_ACTIVE,
                           .pushes = measured,
                           .sums = ahead,
                           .terms = ahead}};
    over_parts(&loop, along_parts, sums);
    over_couplings(&loop, DIRECT + RESPOND, step_couplings, set);
    over_nodes(&(Loop){.s = system, .length = 1}, 0, move_nodes, none);
    system->has_pushed = false;
    system->has_group_sums = system->has_group_terms = system->in_lanes && ahead;
    *changed = (int32_t)set[1];
    return (LitheAlong){sums[0], sums[1], sums[2], sqrt(sums[3])};
}
