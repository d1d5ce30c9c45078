// SPDX-License-Identifier: Apache-2.0
// assemble/system.c - the convex problem of a step: units that take part, pattern, residuals,
// matrices
//
// A system (data/system.h) is small: it contains only the units that some coupling touches. Their
// nodes are numbered consecutively in the order of the units, so the matrix A of all of them is
// block diagonal by unit (the parts of the system). A coupling adds blocks between the nodes that
// it touches.
//
// The pattern is the union of the patterns of the units and of the couplings. Nodes that couplings
// touch are eliminated last: all others are factored once per A, and each Newton iteration factors
// only the Schur complement of the touched ones. Numbering, pattern and symbolic factorisation are
// kept from step to step while every coupling touches the same nodes as before (bonds).
//
// Order of the calls: lithe_system_begin, the couplings, lithe_system_number, and then per pass
// lithe_system_linearise. All loops run in ranges whose sums are added in their order: the same
// bits for every number of threads.

#include "assemble/assemble.h"
#include "base/memory.h"
#include "body/unit.h"

#include <math.h>
#include <string.h>

// --- create and destroy --------------------------------------------------------------------------

void lithe_system_release(LitheSystem *s) {
    void *blocks[] = {
        s->units,    s->first_node,    s->node_size,  s->node_at,  s->state_at,    s->couplings,
        s->jacobian, s->jacobian_held, s->pairs.data, s->A,        s->block,       s->held,
        s->dv,       s->weighed,       s->shift,      s->settle,   s->settle_Q,    s->slip,
        s->hessians, s->touched,       s->part_start, s->of_start, s->of,          s->push,
        s->partial,  s->bonds,         s->dof_terms,  s->entries,  s->site_blocks, s->contact_laws,
        s->anchors,  s->limit_efforts, s->dry_slips,  s->order,    s->ride_J,      s->ride_own,
        s->carries,  s->bond_nodes,    s->places,     s->rows,     s->has_own,     s->is_touched};
    lithe_groups_release(s);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(s->context, blocks[k]);
    lithe_block_matrix_destroy(s->matrix);
    lithe_block_factor_destroy(s->factor);
    memset(s, 0, sizeof *s);
}

void lithe_system_drop_factor(LitheSystem *system) {
    lithe_block_factor_destroy(system->factor);
    system->factor = NULL;
    system->bond_count = 0;
    system->numbered = false;
}

bool lithe_system_begin(const LitheModel *model, LitheSystem *system) {
    if (!system->matrix)
        system->matrix = lithe_block_matrix_create(system->context);
    if (!system->factor)
        system->factor = lithe_block_factor_create(system->context);
    if (system->factor) {
        lithe_block_factor_pool(system->factor, system->pool);
        lithe_block_factor_meter(system->factor, system->meter);
    }
    if (!system->matrix || !system->factor)
        return false;
    system->coupling_count = system->jacobian_count = system->held_count = 0;
    system->place_count = system->row_count = 0;
    system->iterations = system->searches = 0;
    system->converged = true;
    system->has_pushed = false;
    system->residual = system->backward_error = 0;
    int32_t units = model->unit_count;
    if (!LITHE_RESERVE(system->context, system->first_node, system->first_capacity, units) ||
        !LITHE_RESERVE(system->context, system->shift, system->shift_capacity, units) ||
        !LITHE_RESERVE(system->context, system->units, system->unit_capacity, units) ||
        !LITHE_RESERVE(system->context, system->site_blocks, system->site_capacity,
                       LITHE_COUPLED_ROWS * (int64_t)model->site_width))
        return false;
    return true;
}

// --- numbering -----------------------------------------------------------------------------------

int32_t lithe_system_unit(const LitheModel *model, int32_t node, int32_t last) {
    const LitheUnit *unit = &model->units[last];
    int32_t low = 0, high = model->unit_count;
    if (node >= unit->node_at && node < unit->node_at + unit->node_count)
        return last;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (model->units[middle].node_at <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// numbers the nodes of the units that take part, in the order of the units
static bool number_nodes(const LitheModel *model, LitheSystem *system) {
    int32_t units = model->unit_count, next = 0, dofs = 0, last = 0;
    for (int32_t i = 0; i < units; i++)
        system->units[i] =
            (system->whole && model->units[i].node_count > 0) || model->units[i].rides;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; k < c->node_count; k++) {
            last = lithe_system_unit(model, c->node[k], last);
            system->units[last] = 1;
        }
    }
    for (int32_t i = 0; i < units; i++)
        next += system->units[i] ? model->units[i].node_count : 0;
    if (!LITHE_RESERVE(system->context, system->node_size, system->node_capacity, next) ||
        !LITHE_RESERVE(system->context, system->state_at, system->state_capacity, next) ||
        !LITHE_RESERVE(system->context, system->node_at, system->node_at_capacity, next + 1))
        return false;

    // couplings first: their nodes are still in the numbering of the model
    int32_t shift = 0, at = 0;
    for (int32_t i = 0; i < units; i++) {
        int32_t count = model->units[i].node_count;
        system->shift[i] = shift;
        shift += system->units[i] ? 0 : count;
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; k < c->node_count; k++) {
            last = lithe_system_unit(model, c->node[k], last);
            c->node[k] -= system->shift[last];
        }
    }
    system->unit_count = 0;
    system->unit_cost = 0;
    for (int32_t i = 0; i < units; i++) {
        const LitheUnit *unit = &model->units[i];
        bool in = system->units[i] != 0;
        int64_t v_at = unit->v_at;
        system->first_node[i] = in ? at : -1;
        for (int32_t k = 0; in && k < unit->node_count; k++, at++) {
            int32_t size = lithe_unit_node_size(unit, k);
            system->node_size[at] = size;
            system->node_at[at] = dofs;
            system->state_at[at] = v_at;
            dofs += size;
            v_at += size;
        }
        if (!in)
            continue;
        system->unit_cost += lithe_unit_cost(unit);
        system->units[system->unit_count++] = i;
    }
    system->node_at[at] = dofs;
    system->node_count = at;
    system->dof_count = dofs;
    return true;
}

enum { VECTORS = 10 };

// The elimination of meshes, each by its own order; other units have few fill-ins in any order.
static bool order_nodes(const LitheModel *model, LitheSystem *s) {
    s->has_mesh = false;
    for (int32_t i = 0; i < s->unit_count; i++)
        s->has_mesh |= model->units[s->units[i]].order != NULL;
    if (!s->has_mesh)
        return true;
    if (!LITHE_RESERVE(s->context, s->order, s->order_capacity, s->node_count))
        return false;
    for (int32_t i = 0, at = 0; i < s->unit_count; i++) {
        const LitheUnit *unit = &model->units[s->units[i]];
        int32_t first = s->first_node[s->units[i]];
        for (int32_t k = 0; k < unit->node_count; k++)
            s->order[at++] = first + (unit->order ? unit->order[k] : k);
    }
    return true;
}

static bool allocate_vectors(LitheSystem *s) {
    int32_t n = s->dof_count, widest = 0;
    for (int32_t i = 0; i < s->node_count; i++)
        widest = s->node_size[i] > widest ? s->node_size[i] : widest;
    if (!LITHE_RENEW(s->context, s->block, s->block_capacity, (VECTORS + 2) * (int64_t)n) ||
        !LITHE_RESERVE(s->context, s->held, s->held_capacity, n) ||
        !LITHE_RESERVE(s->context, s->weighed, s->weighed_capacity,
                       LITHE_COUPLED_ROWS * (int64_t)widest *
                           lithe_range_count(s->node_count, LITHE_NODES_PER_RANGE)))
        return false;
    s->weighed_size = LITHE_COUPLED_ROWS * widest;
    double **vectors[VECTORS] = {&s->w0,       &s->w,      &s->r,  &s->scale, &s->best,
                                 &s->gradient, &s->smooth, &s->dw, &s->Adw,   &s->pushed};
    for (int i = 0; i < VECTORS; i++)
        *vectors[i] = s->block + (ptrdiff_t)n * i;
    s->spare = s->block + (ptrdiff_t)n * VECTORS;
    s->from = s->spare + n; // used between convex solves, which use the scratch
    return true;
}

// the parts are the units, or with riders, which couple units, all nodes together; a system without
// units has the given parts, or one with all nodes
static bool allocate_parts(LitheSystem *s) {
    if (s->unit_count == 0 && s->part_count > 0)
        return true;
    bool by_units = s->unit_count > 0 && !s->rides;
    s->part_count = by_units ? s->unit_count : 1;
    if (!LITHE_RESERVE(s->context, s->part_start, s->part_capacity, s->part_count + 1))
        return false;
    for (int32_t i = 0; i < s->part_count; i++)
        s->part_start[i] = by_units ? s->first_node[s->units[i]] : 0;
    s->part_start[s->part_count] = s->node_count;
    return true;
}

static bool allocate_matrices(LitheSystem *s) {
    s->A_is_new = s->is_rebuilt = true;
    return lithe_block_matrix_build(s->matrix, s->node_count, s->node_size, s->pairs.data,
                                    s->pairs.count) &&
           LITHE_RENEW(s->context, s->A, s->A_capacity, lithe_system_value_count(s));
}

bool lithe_system_allocate(LitheSystem *system) {
    system->has_pushed = false;
    return allocate_vectors(system) && allocate_parts(system) && allocate_matrices(system);
}

// size of `partial` [doubles]: an upper bound on the partial sums of any parallel loop
static int64_t partials(const LitheSystem *s) {
    int64_t couplings = lithe_range_count(s->coupling_count, LITHE_COUPLINGS_PER_RANGE);
    int64_t nodes = lithe_range_count(s->node_count, LITHE_NODES_PER_RANGE);
    int32_t most = s->part_count > s->unit_count ? s->part_count : s->unit_count;
    int64_t parts = lithe_range_count(most, LITHE_PARTS_PER_RANGE);
    return LITHE_RANGE_SUMS * (couplings + nodes + parts);
}

// the couplings that touch each node, in their order
static void list_couplings(LitheSystem *s) {
    memset(s->of_start, 0, (size_t)(s->node_count + 1) * sizeof *s->of_start);
    for (int32_t i = 0; i < s->coupling_count; i++)
        for (int32_t k = 0; s->couplings[i].group == 0 && k < s->couplings[i].node_count; k++)
            s->of_start[s->couplings[i].node[k] + 1]++;
    for (int32_t i = 0; i < s->node_count; i++)
        s->of_start[i + 1] += s->of_start[i];
    for (int32_t i = 0; i < s->coupling_count; i++)
        for (int32_t k = 0; s->couplings[i].group == 0 && k < s->couplings[i].node_count; k++)
            s->of[s->of_start[s->couplings[i].node[k]]++] = LITHE_COUPLED_STRIDE * i + k;
    // shift by one: filling advanced each start to the start of the next node
    memmove(s->of_start + 1, s->of_start, (size_t)s->node_count * sizeof *s->of_start);
    s->of_start[0] = 0;
    memset(s->pushed, 0, (size_t)s->dof_count * sizeof *s->pushed); // stays zero where none acts
}

// whether a coupling that is not idle touches a node, or riders do
static bool is_late(const LitheSystem *s, int32_t node) {
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1]; p++)
        if (!s->couplings[s->of[p] / LITHE_COUPLED_STRIDE].idle)
            return true;
    if (s->group_count > 0 && s->group_of_start[node] < s->group_of_start[node + 1])
        return true;
    return s->carries && s->carries[node];
}

// whether a coupling touches the same nodes as the one before, as points of a patch do
static bool is_repeated(const LitheSystem *s, int32_t i) {
    const LitheCoupling *c = &s->couplings[i], *before = c - 1;
    bool same =
        i > 0 && c->in_patch && c->node_count == before->node_count && c->idle == before->idle;
    for (int32_t k = 0; same && k < c->node_count; k++)
        same = c->node[k] == before->node[k];
    return same;
}

// Nodes that couplings touch are eliminated last: everything before them is factored once per A.
bool lithe_system_bind(LitheSystem *s) {
    int64_t rows = LITHE_COUPLED_ROWS * (int64_t)s->coupling_count, hessians = 0;
    int32_t touched = 0, entries = 0;
    if (!LITHE_RESERVE(s->context, s->bonds, s->bond_capacity, s->coupling_count))
        return false;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        LitheCoupling *c = &s->couplings[i];
        LitheBond *bond = &s->bonds[i];
        bond->hessian_at = c->hessian_at = hessians;
        c->in_matrix = c->was_in_matrix = false;
        hessians += (int64_t)c->term.rows * c->term.rows;
        touched += c->node_count;
        bool repeated = is_repeated(s, i);
        bond->entry_at = repeated ? bond[-1].entry_at : entries;
        entries += repeated ? 0 : c->node_count * c->node_count;
    }
    if (!LITHE_RESERVE(s->context, s->hessians, s->hessians_capacity, hessians) ||
        !LITHE_RESERVE(s->context, s->dv, s->dv_capacity, rows) ||
        !LITHE_RESERVE(s->context, s->slip, s->slip_capacity, rows) ||
        !LITHE_RESERVE(s->context, s->push, s->push_capacity, rows) ||
        !LITHE_RESERVE(s->context, s->of_start, s->of_start_capacity, s->node_count + 1) ||
        !LITHE_RESERVE(s->context, s->of, s->of_capacity, touched) ||
        !LITHE_RESERVE(s->context, s->touched, s->touched_capacity, s->node_count) ||
        !LITHE_RESERVE(s->context, s->has_own, s->has_own_capacity, s->node_count) ||
        !LITHE_RESERVE(s->context, s->is_touched, s->is_touched_capacity, s->node_count) ||
        !LITHE_RESERVE(s->context, s->partial, s->partial_capacity, partials(s)) ||
        !LITHE_RESERVE(s->context, s->entries, s->entry_capacity, entries))
        return false;
    for (int32_t i = 0; i < s->coupling_count; i++)
        if (!s->couplings[i].idle && !is_repeated(s, i))
            lithe_block_find_term(s->matrix, s->couplings[i].node_count, s->couplings[i].node,
                                  s->entries + s->bonds[i].entry_at);
    if (!lithe_groups_list(s))
        return false;
    list_couplings(s);
    touched = 0;
    for (int32_t i = 0; i < s->node_count; i++)
        if (is_late(s, i))
            s->touched[touched++] = i;
    LitheStage before = lithe_stage_enter(s->stages, LITHE_STAGE_FACTOR);
    bool done = s->has_mesh ? lithe_block_analyse_fronts(s->factor, s->matrix, s->order, s->touched,
                                                         touched)
                            : lithe_block_analyse_late(s->factor, s->matrix, s->touched, touched);
    lithe_stage_enter(s->stages, before);
    return done;
}

// time of the comparison of a coupling with its bond [ns]
#define BOND_COST 15

// sums[0]: number of couplings whose nodes or rows differ from those at the last numbering
static void compare_bonds(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const LitheSystem *s = user;
    (void)range;
    for (int32_t i = first; i < after; i++) {
        const LitheCoupling *c = &s->couplings[i];
        const LitheBond *bond = &s->bonds[i];
        bool same = c->term.rows == bond->rows && c->node_count == bond->node_count &&
                    c->idle == bond->idle && c->in_patch == bond->in_patch;
        for (int32_t k = 0; same && k < c->node_count; k++)
            same = c->node[k] == s->bond_nodes[bond->node_at + k];
        sums[0] += !same;
    }
}

static void use_bonds(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const LitheSystem *s = user;
    (void)range, (void)sums;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &s->couplings[i];
        const LitheBond *bond = &s->bonds[i];
        const int32_t *node = s->bond_nodes + bond->node_at + bond->node_count;
        for (int32_t k = 0; k < bond->node_count; k++)
            c->node[k] = node[k];
        c->hessian_at = bond->hessian_at;
        c->group = bond->group;
    }
}

// If all couplings touch the same nodes as at the last numbering: uses that numbering again.
static bool reuse_numbering(LitheSystem *s) {
    double sums[LITHE_RANGE_SUMS];
    if (!s->numbered || (s->coupling_count == 0 && !s->rides) || s->bond_count != s->coupling_count)
        return false;
    lithe_pool_ranges(s->pool, s->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      BOND_COST * s->coupling_count, compare_bonds, s, s->partial, sums);
    if (sums[0] > 0)
        return false;
    lithe_pool_ranges(s->pool, s->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      BOND_COST * s->coupling_count, use_bonds, s, s->partial, sums);
    s->A_is_new = true;
    return true;
}

// pairs of nodes that share a block, of units and of couplings
static bool list_pairs(const LitheModel *model, LitheSystem *system) {
    system->pairs.count = 0;
    system->pairs.context = system->context;
    for (int32_t i = 0; i < system->unit_count; i++) {
        int32_t unit = system->units[i];
        if (!lithe_unit_ops(model, unit)
                 ->pattern(model, unit, system->first_node[unit], &system->pairs))
            return false;
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->idle || is_repeated(system, i))
            continue;
        for (int32_t a = 0; a < c->node_count; a++)
            for (int32_t b = 0; b < a; b++)
                if (!lithe_pair_list_add(&system->pairs, c->node[a], c->node[b]))
                    return false;
    }
    return lithe_rides_pairs(model, system);
}

// the nodes of units that carry riders
static bool list_carriers(const LitheModel *model, LitheSystem *s) {
    if (!s->rides)
        return true;
    if (!LITHE_RENEW(s->context, s->carries, s->carries_capacity, s->node_count))
        return false;
    memset(s->carries, 0, (size_t)s->node_count * sizeof *s->carries);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].rides && model->units[i].rider_count == 0)
            s->carries[s->first_node[i]] = true;
    return true;
}

// Bonds with the nodes of the couplings: counted through the model, or, with `numbered`, through
// the system.
static bool note_bonds(LitheSystem *s, bool numbered) {
    int64_t end = 0;
    for (int32_t i = 0; i < s->coupling_count; i++)
        end += 2 * (int64_t)s->couplings[i].node_count;
    if (end > INT32_MAX ||
        !LITHE_RESERVE(s->context, s->bonds, s->bond_capacity, s->coupling_count) ||
        !LITHE_RESERVE(s->context, s->bond_nodes, s->bond_node_capacity, end))
        return false;
    for (int32_t i = 0, at = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        LitheBond *bond = &s->bonds[i];
        bond->rows = c->term.rows;
        bond->idle = c->idle;
        bond->in_patch = c->in_patch;
        bond->group = c->group;
        bond->node_count = c->node_count;
        bond->node_at = at;
        for (int32_t k = 0; k < c->node_count; k++)
            s->bond_nodes[at + (numbered ? c->node_count : 0) + k] = c->node[k];
        at += 2 * c->node_count;
    }
    return true;
}

// pattern, places of the couplings in it and elimination order
static bool build(const LitheAssembly *all, LitheSystem *s) {
    if (!list_pairs(all->model, s) || !allocate_matrices(s) ||
        !lithe_units_reserve_ranks(all->model, s->units, s->unit_count, s->matrix) ||
        !lithe_system_bind(s))
        return false;
    for (int32_t i = 0; i < s->unit_count; i++)
        if (lithe_unit_ops(all->model, s->units[i])->drop)
            lithe_unit_ops(all->model, s->units[i])->drop(all->model, s->units[i], all->work);
    return true;
}

bool lithe_system_number(const LitheAssembly *all, LitheSystem *system) {
    if (reuse_numbering(system)) {
        lithe_groups_fill(system);
        return true;
    }
    system->bond_count = 0;
    system->numbered = system->has_pushed = false;
    if (!note_bonds(system, false) || !number_nodes(all->model, system) ||
        !order_nodes(all->model, system) || !list_carriers(all->model, system) ||
        !allocate_vectors(system) || !allocate_parts(system) || !build(all, system) ||
        !note_bonds(system, true))
        return false;
    lithe_groups_fill(system);
    system->bond_count = system->coupling_count;
    system->numbered = true;
    return true;
}

bool lithe_system_wake(const LitheAssembly *all, LitheSystem *system) {
    for (int32_t i = 0; i < system->coupling_count; i++)
        system->couplings[i].idle = system->bonds[i].idle = false;
    system->numbered = build(all, system);
    for (int32_t i = 0; i < system->coupling_count; i++)
        system->bonds[i].group = system->couplings[i].group;
    if (system->numbered)
        lithe_groups_fill(system);
    return system->numbered;
}

// --- residuals and matrices ----------------------------------------------------------------------

typedef struct Linearise {
    const LitheAssembly *all;
    LitheSystem *system;
    bool matrix, project;
} Linearise;

// 1/sqrt of the diagonal of a block of A; the size is a constant for the common ones
static inline void scale_rows(int32_t size, const double *D, const unsigned char *held,
                              double *restrict scale) {
    for (int32_t k = 0; k < size; k++) {
        double a = D[(size + 1) * k];
        scale[k] = held[k] || a == 0 ? 0 : 1 / sqrt(fabs(a));
    }
}

static void set_scale(LitheSystem *s, int32_t first, int32_t after) {
    const LitheBlockMatrix *m = s->matrix;
    const unsigned char *held = s->held;
    double *restrict scale = s->scale;
    for (int32_t j = first; j < after; j++) {
        int32_t size = s->node_size[j], at = s->node_at[j];
        const double *D = s->A + m->value_at[m->start[j]];
        if (size == 4)
            scale_rows(4, D, held + at, scale + at);
        else
            scale_rows(size, D, held + at, scale + at);
    }
}

// velocities and residuals of a unit into the system. Bytes may alias everything: they are copied
// apart from the numbers, so that these loops need not read their pointers again.
static void copy_unit(LitheSystem *s, const LitheUnitWork *body, int32_t at) {
    int64_t count = body->dof_count;
    memcpy(s->held + at, body->held, (size_t)count * sizeof *s->held);
    memcpy(s->w0 + at, body->w, (size_t)count * sizeof *s->w0);
    const unsigned char *held = body->held;
    const double *own = body->r;
    double *restrict r = s->r + at;
    for (int64_t k = 0; k < count; k++)
        r[k] = held[k] ? 0 : own[k];
}

// sums: [0] potential, [1] sum of squared momentum scales, [2] sum of squared rounding levels
static void linearise_some(const Linearise *job, int32_t from, int32_t to, int32_t room,
                           double *sums) {
    const LitheAssembly *all = job->all;
    LitheSystem *s = job->system;
    const LitheBlockMatrix *m = s->matrix;
    for (int32_t i = from; i < to; i++) {
        int32_t unit = s->units[i], first = s->first_node[unit];
        int32_t after = first + all->model->units[unit].node_count;
        int32_t at = s->node_at[first];
        lithe_room_lend(all->model, unit, all->work, room);
        if (i + 1 < s->unit_count)
            lithe_unit_fetch(all->model, s->units[i + 1], all->work, LITHE_TASK_EVALUATE);
        const LitheUnitOps *ops = lithe_unit_ops(all->model, unit);
        LitheUnitWork *body = &all->work->units[unit];
        double own =
            ops->evaluate(all->model, unit, all->work, body->w, job->matrix, job->project, body->r);
        body->potential = own;
        if (!(own < INFINITY)) {
            sums[0] = INFINITY;
            return;
        }
        sums[0] += lithe_has_potential(all, body) ? own : 0;
        LitheMeasure size = ops->measure(all->model, unit, all->work, body->r);
        sums[1] += size.scale * size.scale;
        sums[2] += size.noise * size.noise;
        if (lithe_has_potential(all, body))
            sums[3] += size.noise * size.scale + size.potential;
        copy_unit(s, body, at);
        if (!job->matrix)
            continue;
        int64_t begin = m->value_at[m->start[first]], end = m->value_at[m->start[after]];
        // the blocks between units, and those of couplings, are zero in A
        if (s->is_rebuilt)
            memset(s->A + begin, 0, (size_t)(end - begin) * sizeof(double));
        ops->scatter(all->model, unit, all->work, first, m, s->A);
        set_scale(s, first, after);
    }
}

static void linearise_units(int32_t range, int32_t from, int32_t to, double *sums, void *user) {
    const Linearise *job = user;
    (void)range;
    int32_t room = lithe_room_take(job->all->work);
    linearise_some(job, from, to, room, sums);
    lithe_room_return(job->all->work, room);
}

double lithe_system_linearise(const LitheAssembly *all, LitheLinearise what, LitheSystem *system) {
    Linearise job = {all, system, what != LITHE_LINEARISE_RESIDUAL,
                     what == LITHE_LINEARISE_PROJECTED};
    double sums[LITHE_RANGE_SUMS];
    system->A_is_new |= job.matrix;
    // Units are the tasks, each in one thread. A large unit whose kind uses the pool itself
    // (threads_from, lithe_units_run) must run after this loop, alone with the pool: a pool cannot
    // be entered twice.
    double cost = system->unit_cost * (job.matrix ? 2 : 1); // a matrix takes as long as the rest
    lithe_pool_ranges(system->pool, system->unit_count, LITHE_PARTS_PER_RANGE, cost,
                      linearise_units, &job, system->partial, sums);
    if (!(sums[0] < INFINITY))
        return INFINITY;
    if (job.matrix)
        lithe_units_gather_ranks(all->model, all->work, system->units, system->unit_count,
                                 system->first_node, system->matrix);
    lithe_rides_fold(all, job.matrix, system);
    system->is_rebuilt &= !job.matrix;
    system->momentum = sqrt(sums[1]);
    system->noise = sqrt(sums[2]);
    system->rounding = sums[3];
    return sums[0];
}
