// SPDX-License-Identifier: Apache-2.0
// solve/potential.c - Newton on the incremental potential of units and their interaction
//
// Minimises the sum of the units' potentials (R3) and that of the interaction, with a line search.
// A first few iterations may ignore the Hessians of the interaction: each unit then has its own
// banded matrix. With them there is one sparse block matrix for all; where it is not positive
// definite every stencil is projected and it is recomputed. Between iterations the interaction
// updates its lagged terms. The stopping criterion is (N1) of docs/theory/time.md. See
// docs/theory/imc.md.

#include "solve/potential.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// as in solve/newton.c
#define ARMIJO 1e-4
#define MAX_CUTS 30
#define POTENTIAL_NOISE 1e-12

enum { ENTRIES = LITHE_STENCIL_BLOCKS };

struct LithePotential {
    LitheContext *context;
    LitheBlockMatrix *matrix;
    LitheBlockFactor *factor;

    // units
    int32_t unit_count;
    int32_t *node_size; // [node_count]
    int32_t node_count, node_capacity;
    int32_t *node_at; // [node_count + 1] first DoF
    int32_t node_at_capacity;
    unsigned char *held; // [dof_count]
    int32_t held_capacity, dof_count;

    // the analysed pattern
    LithePairList pairs, analysed;
    int64_t *entries; // [stencils][ENTRIES] first values of blocks of the matrix
    int32_t entry_capacity;

    // vectors [dof_count], in one block
    double *block;
    int32_t block_capacity;
    double *w, *r, *g; // iterate, residual of the units, gradient of the interaction
    double *trial, *trial_r, *trial_g;
    double *dx, *sum;
    double given; // potential of the interaction at the last evaluation
    bool curved;  // the units have their matrices at w
};

LithePotential *lithe_potential_create(LitheContext *context) {
    LithePotential *p = lithe_alloc(context, sizeof *p);
    if (!p)
        return NULL;
    p->context = context;
    p->pairs.context = p->analysed.context = context;
    p->matrix = lithe_block_matrix_create(context);
    p->factor = lithe_block_factor_create(context);
    if (p->matrix && p->factor)
        return p;
    lithe_potential_destroy(p);
    return NULL;
}

void lithe_potential_destroy(LithePotential *p) {
    if (!p)
        return;
    lithe_block_matrix_destroy(p->matrix);
    lithe_block_factor_destroy(p->factor);
    void *blocks[] = {p->node_size,     p->node_at, p->held, p->pairs.data,
                      p->analysed.data, p->entries, p->block};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(p->context, blocks[k]);
    lithe_free(p->context, p);
}

// --- numbering and pattern -----------------------------------------------------------------------

static bool number(const LitheModel *model, const LitheWork *work, LithePotential *p) {
    int32_t units = model->unit_count, nodes = model->node_count, dofs = 0;
    if (!LITHE_RESERVE(p->context, p->node_size, p->node_capacity, nodes) ||
        !LITHE_RESERVE(p->context, p->node_at, p->node_at_capacity, nodes + 1))
        return false;
    p->unit_count = units;
    p->node_count = 0;
    for (int32_t i = 0; i < units; i++) {
        const LitheUnit *unit = &model->units[i];
        for (int32_t k = 0; k < unit->node_count; k++) {
            p->node_size[p->node_count] = lithe_unit_node_size(unit, k);
            p->node_at[p->node_count] = dofs;
            dofs += p->node_size[p->node_count++];
        }
    }
    p->node_at[nodes] = dofs;
    p->dof_count = dofs;
    double **vectors[] = {&p->w,       &p->r,       &p->g,  &p->trial,
                          &p->trial_r, &p->trial_g, &p->dx, &p->sum};
    int32_t count = sizeof vectors / sizeof *vectors;
    if (!LITHE_RESERVE(p->context, p->block, p->block_capacity, (int64_t)count * dofs) ||
        !LITHE_RESERVE(p->context, p->held, p->held_capacity, dofs))
        return false;
    for (int32_t k = 0; k < count; k++)
        *vectors[k] = p->block + (int64_t)k * dofs;
    for (int32_t i = 0; i < units; i++) {
        int32_t at = p->node_at[model->units[i].node_at];
        const LitheUnitWork *body = &work->units[i];
        LITHE_ASSERT(at == model->units[i].v_at); // w is in the order of v
        memcpy(p->held + at, body->held, (size_t)body->dof_count);
        memcpy(p->w + at, body->w, (size_t)body->dof_count * sizeof(double));
    }
    return true;
}

// finds the positions of the blocks of each stencil in the matrix
static bool find_entries(const LitheInteraction *act, LithePotential *p) {
    int32_t count = act->count(act->self);
    if (!LITHE_RESERVE(p->context, p->entries, p->entry_capacity, (int64_t)ENTRIES * count))
        return false;
    for (int32_t s = 0; s < count; s++) {
        int32_t nodes[LITHE_STENCIL_NODES], k = 0;
        act->nodes(act->self, s, nodes);
        for (int a = 0; a < LITHE_STENCIL_NODES; a++)
            LITHE_ASSERT(p->node_size[nodes[a]] >= act->width);
        for (int a = 0; a < LITHE_STENCIL_NODES; a++)
            for (int b = 0; b <= a; b++) {
                int32_t row = nodes[a] > nodes[b] ? nodes[a] : nodes[b];
                int32_t column = nodes[a] > nodes[b] ? nodes[b] : nodes[a];
                int32_t entry = lithe_block_find(p->matrix, row, column);
                p->entries[ENTRIES * (int64_t)s + k++] = p->matrix->value_at[entry];
            }
    }
    return true;
}

// Pairs of nodes that units and stencils couple. Analysed only if they differ from the last ones.
static bool lay_pattern(const LitheModel *model, const LitheInteraction *act, LithePotential *p) {
    LithePairList *pairs = &p->pairs, *last = &p->analysed;
    int32_t count = act->count(act->self);
    pairs->count = 0;
    for (int32_t i = 0; i < p->unit_count; i++)
        if (!lithe_unit_ops(model, i)->pattern(model, i, model->units[i].node_at, pairs))
            return false;
    if (!LITHE_RESERVE(p->context, pairs->data, pairs->capacity,
                       pairs->count + (int64_t)ENTRIES * count))
        return false;
    for (int32_t k = 0; k < count; k++) {
        int32_t nodes[LITHE_STENCIL_NODES];
        act->nodes(act->self, k, nodes);
        for (int a = 0; a < LITHE_STENCIL_NODES; a++)
            for (int b = 0; b < a; b++)
                pairs->data[pairs->count++] = (LitheBlockPair){nodes[a], nodes[b]};
    }
    size_t bytes = (size_t)pairs->count * sizeof *pairs->data;
    if (pairs->count == last->count && p->matrix->count == p->node_count &&
        memcmp(pairs->data, last->data, bytes) == 0)
        return true;
    last->count = 0;
    if (!LITHE_RESERVE(p->context, last->data, last->capacity, pairs->count) ||
        !lithe_block_matrix_build(p->matrix, p->node_count, p->node_size, pairs->data,
                                  pairs->count) ||
        !lithe_units_reserve_ranks(model, NULL, p->unit_count, p->matrix) ||
        !lithe_block_analyse(p->factor, p->matrix, NULL) || !find_entries(act, p))
        return false;
    memcpy(last->data, pairs->data, bytes);
    last->count = pairs->count;
    return true;
}

// --- values --------------------------------------------------------------------------------------

// Potential of the units at `w` and their residual, and with `curve` their matrices, which stay in
// their work
static double evaluate_bodies(const LitheModel *model, LithePotential *p, LitheWork *work,
                              const double *w, bool curve, bool project, double *r) {
    double sum = 0;
    for (int32_t i = 0; i < p->unit_count; i++) {
        int32_t at = p->node_at[model->units[i].node_at];
        double own =
            lithe_unit_ops(model, i)->evaluate(model, i, work, w + at, curve, project, r + at);
        if (!(own < INFINITY)) {
            work->units[i].finite = false;
            return INFINITY;
        }
        work->units[i].finite = true;
        sum += own;
    }
    return sum;
}

// potential at `w`, residual of the units and gradient of the interaction
static double evaluate(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                       LitheWork *work, const double *w, bool curve, double *r, double *g) {
    double sum = evaluate_bodies(model, p, work, w, curve, false, r);
    p->curved = curve;
    if (!(sum < INFINITY))
        return INFINITY;
    memset(g, 0, (size_t)p->dof_count * sizeof(double));
    p->given = act->evaluate(act->self, w, g);
    return sum + p->given;
}

static LitheMeasure measure(const LitheModel *model, LithePotential *p, const LitheWork *work,
                            const double *r, const double *g) {
    double residual = 0, scale = 0, noise = 0;
    for (int32_t i = 0; i < p->dof_count; i++)
        p->sum[i] = r[i] + g[i];
    for (int32_t i = 0; i < p->unit_count; i++) {
        int32_t at = p->node_at[model->units[i].node_at];
        LitheMeasure own = lithe_unit_ops(model, i)->measure(model, i, work, p->sum + at);
        residual += own.residual * own.residual;
        scale += own.scale * own.scale;
        noise += own.noise * own.noise;
    }
    return (LitheMeasure){sqrt(residual), sqrt(scale), sqrt(noise), 0};
}

// removes held DoFs from the Hessian of a stencil
static void drop_held(const LithePotential *p, int32_t width,
                      const int32_t nodes[LITHE_STENCIL_NODES], double *H) {
    for (int a = 0; a < LITHE_STENCIL_NODES; a++)
        for (int b = 0; b <= a; b++)
            for (int32_t j = 0; j < width; j++)
                for (int32_t i = 0; i < width; i++, H++)
                    if (p->held[p->node_at[nodes[a]] + i] || p->held[p->node_at[nodes[b]] + j])
                        *H = 0;
}

// whether one of the first `width` DoFs of a node is held
static bool is_held(const LithePotential *p, int32_t node, int32_t width) {
    const unsigned char *held = p->held + p->node_at[node];
    uint32_t four;
    if (width < LITHE_STENCIL_WIDTH)
        return held[0] | held[1] | held[2];
    memcpy(&four, held, sizeof four); // every node of a stencil of width 4 has at least 4 DoFs
    return four != 0;
}

// for nodes in ascending order that have no DoFs beyond the width of the stencil: its blocks have
// the layout of the matrix
static void add_blocks(const double *H, const int64_t *entries, double *value) {
    enum { SIZE = LITHE_STENCIL_WIDTH * LITHE_STENCIL_WIDTH };
    for (int k = 0; k < ENTRIES; k++) {
        double *restrict block = value + entries[k];
        const double *restrict from = H + SIZE * k;
        for (int c = 0; c < SIZE; c++)
            block[c] += from[c];
    }
}

// for any nodes: the node with the larger number has the rows, and its size is the stride of a
// block
static void add_parts(const LithePotential *p, int32_t width,
                      const int32_t nodes[LITHE_STENCIL_NODES], const double *H,
                      const int64_t *entries, double *value) {
    for (int a = 0, k = 0; a < LITHE_STENCIL_NODES; a++)
        for (int b = 0; b <= a; b++, k++) {
            bool rows = nodes[a] >= nodes[b];
            int32_t stride = p->node_size[nodes[rows ? a : b]];
            for (int32_t j = 0; j < width; j++)
                for (int32_t i = 0; i < width; i++, H++)
                    value[entries[k] + (rows ? i + stride * j : j + stride * i)] += *H;
        }
}

// adds the Hessian of a stencil to the matrix
static void add_stencil(const LitheInteraction *act, LithePotential *p, int32_t stencil,
                        double *H) {
    const int64_t *entries = p->entries + ENTRIES * (int64_t)stencil;
    int32_t nodes[LITHE_STENCIL_NODES];
    bool held = false, whole = act->width == LITHE_STENCIL_WIDTH;
    act->nodes(act->self, stencil, nodes);
    for (int a = 0; a < LITHE_STENCIL_NODES; a++) {
        held |= is_held(p, nodes[a], act->width);
        whole = whole && p->node_size[nodes[a]] == LITHE_STENCIL_WIDTH;
    }
    if (held)
        drop_held(p, act->width, nodes, H);
    if (whole && nodes[0] < nodes[1] && nodes[1] < nodes[2] && nodes[2] < nodes[3])
        add_blocks(H, entries, p->matrix->value);
    else
        add_parts(p, act->width, nodes, H, entries, p->matrix->value);
}

static void add_stencils(const LitheInteraction *act, LithePotential *p, bool project) {
    double H[LITHE_STENCIL_GROUP * LITHE_STENCIL_HESSIAN];
    int32_t count = act->count(act->self), size = ENTRIES * act->width * act->width;
    for (int32_t first = 0; first < count; first += LITHE_STENCIL_GROUP) {
        int32_t left = count - first,
                group = left < LITHE_STENCIL_GROUP ? left : LITHE_STENCIL_GROUP;
        act->hessians(act->self, first, group, project, H);
        for (int32_t k = 0; k < group; k++)
            add_stencil(act, p, first + k, H + size * k);
    }
}

static bool factor_all(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                       LitheWork *work, bool project) {
    LitheBlockPivots pivots;
    lithe_stage_enter(&work->stages, LITHE_STAGE_ASSEMBLE);
    lithe_block_clear(p->matrix);
    for (int32_t i = 0; i < p->unit_count; i++)
        lithe_unit_ops(model, i)->scatter(model, i, work, model->units[i].node_at, p->matrix,
                                          p->matrix->value);
    lithe_units_gather_ranks(model, work, NULL, p->unit_count, NULL, p->matrix);
    add_stencils(act, p, project);
    lithe_stage_enter(&work->stages, LITHE_STAGE_FACTOR);
    return lithe_block_factor_numeric(p->factor, p->matrix, LITHE_PIVOT_POSITIVE, &pivots);
}

static bool factor_apart(const LitheModel *model, LithePotential *p, LitheWork *work) {
    for (int32_t i = 0; i < p->unit_count; i++)
        if (!lithe_unit_ops(model, i)->factor(model, i, work))
            return false;
    return true;
}

// dx = -A\(r + g); false when no matrix is positive definite
static bool direction(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                      LitheWork *work, bool together, LithePotentialOutcome *outcome) {
    if (!p->curved)
        evaluate_bodies(model, p, work, p->w, true, false, p->r);
    p->curved = true;
    lithe_stage_enter(&work->stages, LITHE_STAGE_FACTOR);
    bool ok = together ? factor_all(model, act, p, work, false) : factor_apart(model, p, work);
    if (!ok) {
        outcome->corrected++;
        evaluate_bodies(model, p, work, p->w, true, true, p->r);
        p->curved = false;
        ok = together ? factor_all(model, act, p, work, true) : factor_apart(model, p, work);
    }
    for (int32_t i = 0; i < p->dof_count; i++)
        p->dx[i] = p->held[i] ? 0 : -(p->r[i] + p->g[i]);
    if (ok && together)
        lithe_block_solve(p->factor, p->dx);
    for (int32_t i = 0; ok && !together && i < p->unit_count; i++)
        lithe_unit_ops(model, i)->solve(model, i, work,
                                        p->dx + p->node_at[model->units[i].node_at]);
    if (ok && together && act->aim)
        act->aim(act->self, p->dx);
    return ok;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

static bool line_search(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                        LitheWork *work, int32_t max_cuts, double *potential, LitheMeasure *size,
                        LithePotentialOutcome *outcome) {
    double slope = 0;
    double length = act->max_length ? fmin(1, act->max_length(act->self, p->w, p->dx)) : 1;
    lithe_stage_enter(&work->stages, LITHE_STAGE_LINE_SEARCH);
    for (int32_t i = 0; i < p->dof_count; i++)
        slope += p->held[i] ? 0 : (p->r[i] + p->g[i]) * p->dx[i];
    for (int32_t cut = 0; cut <= max_cuts; cut++, length *= 0.5) {
        if (lithe_meter_spend(&work->meter, p->dof_count))
            return false;
        outcome->cuts += cut > 0;
        for (int32_t i = 0; i < p->dof_count; i++)
            p->trial[i] = p->w[i] + (p->held[i] ? 0 : length * p->dx[i]);
        double trial = evaluate(model, act, p, work, p->trial, false, p->trial_r, p->trial_g);
        if (!(trial < INFINITY))
            continue;
        LitheMeasure after = measure(model, p, work, p->trial_r, p->trial_g);
        bool falls = trial <= *potential + ARMIJO * length * slope;
        double rounding = POTENTIAL_NOISE * fabs(*potential) + size->noise * size->scale;
        bool blind = fabs(trial - *potential) <= rounding;
        if (falls || (blind && after.residual <= (1 - 0.1 * length) * size->residual)) {
            swap(&p->w, &p->trial);
            swap(&p->r, &p->trial_r);
            swap(&p->g, &p->trial_g);
            *potential = trial;
            *size = after;
            return true;
        }
    }
    return false;
}

// --- the solve -----------------------------------------------------------------------------------

static double goal_of(LitheMeasure size, const LithePotentialSetting *setting) {
    return setting->tolerance * size.scale + size.noise;
}

// Updates the lagged terms; then potential, gradient and size are those after the update.
static double update_lagged(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                            LitheWork *work, bool solved, double *potential, LitheMeasure *size) {
    double moved = act->update_lagged(act->self, p->w, solved), before = p->given;
    if (moved == 0)
        return 0;
    memset(p->g, 0, (size_t)p->dof_count * sizeof(double));
    p->given = act->evaluate(act->self, p->w, p->g);
    *potential += p->given - before;
    *size = measure(model, p, work, p->r, p->g);
    return moved;
}

static void hand_back(const LitheModel *model, LithePotential *p,
                      const LithePotentialOutcome *outcome, LitheWork *work) {
    for (int32_t i = 0; i < p->unit_count; i++) {
        int32_t at = p->node_at[model->units[i].node_at];
        LitheUnitWork *body = &work->units[i];
        body->coupled = true;
        body->iterations = outcome->iterations;
        body->cuts = i == 0 ? outcome->cuts : 0;
        body->corrected = i == 0 ? outcome->corrected : 0;
        body->converged = outcome->converged;
        body->residual = outcome->residual;
        for (int64_t k = 0; k < body->dof_count; k++) {
            body->w[k] = p->w[at + k];
            body->impulse[k] = -p->g[at + k];
            body->r[k] = p->r[at + k] + p->g[at + k];
        }
    }
}

// from the guess, or from velocity 0 where that lies outside the domain
static bool start(const LitheModel *model, const LitheInteraction *act, LithePotential *p,
                  LitheWork *work, double *potential) {
    *potential = evaluate(model, act, p, work, p->w, true, p->r, p->g);
    if (*potential < INFINITY)
        return true;
    for (int32_t i = 0; i < p->dof_count; i++)
        p->w[i] = p->held[i] ? p->w[i] : 0;
    *potential = evaluate(model, act, p, work, p->w, true, p->r, p->g);
    return *potential < INFINITY;
}

bool lithe_potential_solve(const LitheModel *model, const LitheInteraction *act,
                           const LithePotentialSetting *setting, LitheWork *work, LithePotential *p,
                           LithePotentialOutcome *outcome, LitheStatus *status) {
    double potential;
    bool stuck = false, reached = false, laid = false;
    LITHE_ASSERT(act->width == 3 || act->width == LITHE_STENCIL_WIDTH);
    *outcome = (LithePotentialOutcome){.settled = true};
    *status = number(model, work, p) ? LITHE_OK : LITHE_NO_MEMORY;
    if (*status != LITHE_OK || !start(model, act, p, work, &potential))
        return false;
    LitheMeasure size = measure(model, p, work, p->r, p->g);
    // lagged terms are those of the guess
    update_lagged(model, act, p, work, false, &potential, &size);
    lithe_block_factor_meter(p->factor, &work->meter);
    while (outcome->iterations < setting->max_iterations && !stuck) {
        if (lithe_meter_spend(&work->meter, p->dof_count))
            break;
        bool together =
            outcome->iterations >= setting->plain && act->hessians && act->count(act->self) > 0;
        if (together && !laid && !(laid = lay_pattern(model, act, p))) {
            *status = LITHE_NO_MEMORY;
            return false;
        }
        if (!direction(model, act, p, work, together, outcome))
            break;
        outcome->iterations++;
        bool in_noise = size.residual <= goal_of(size, setting);
        stuck =
            !line_search(model, act, p, work, in_noise ? 0 : MAX_CUTS, &potential, &size, outcome);
        // after a refused direction the interaction is at another w: evaluate it again
        if (stuck)
            evaluate(model, act, p, work, p->w, false, p->r, p->g);
        reached = size.residual <= goal_of(size, setting);
        double moved = 0;
        if (outcome->lagged_updates < setting->max_lagged_updates) {
            moved = update_lagged(model, act, p, work, reached || stuck, &potential, &size);
            outcome->lagged_updates += moved > 0;
        }
        outcome->settled = moved <= setting->settled;
        if (outcome->settled && reached)
            break;
        stuck = stuck && outcome->settled;
        reached = size.residual <= goal_of(size, setting);
    }
    double goal = goal_of(size, setting);
    outcome->converged = reached || size.residual <= goal;
    outcome->residual = goal > 0 ? size.residual * setting->tolerance / goal : 0;
    hand_back(model, p, outcome, work);
    return isfinite(potential) && isfinite(size.residual);
}
