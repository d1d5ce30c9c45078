// SPDX-License-Identifier: Apache-2.0
// body/unit.c - the table of kinds, and the directory of units of a model

#include "body/unit.h"

#include "base/assert.h"
#include "base/memory.h"

extern const LitheUnitOps lithe_rod_ops, lithe_tree_ops, lithe_particles_ops, lithe_solid_ops;

const LitheUnitOps *const lithe_unit_kinds[LITHE_UNIT_KINDS] = {
    [LITHE_UNIT_ROD] = &lithe_rod_ops,
    [LITHE_UNIT_TREE] = &lithe_tree_ops,
    [LITHE_UNIT_PARTICLES] = &lithe_particles_ops,
    [LITHE_UNIT_SOLID] = &lithe_solid_ops,
};

// asserts that a kind has all required calls: a missing one would crash only in rarely used schemes
static void check_row(const LitheUnitOps *ops) {
    LITHE_ASSERT(ops->count && ops->describe && ops->layout && ops->evaluate && ops->measure &&
                 ops->end && ops->explain);
    LITHE_ASSERT(ops->begin && ops->factor && ops->solve);
    LITHE_ASSERT(ops->free || (ops->refine && ops->step_explicit));
    LITHE_ASSERT(ops->place && ops->site && ops->norm && ops->mass && ops->moved &&
                 ops->lowest_omega2 && ops->totals && ops->event && ops->pattern && ops->scatter);
    LITHE_ASSERT(ops->shift && ops->accelerate && ops->unmass && ops->energies);
    LITHE_ASSERT(!ops->open == !ops->close);
}

bool lithe_units_reserve_ranks(const LitheModel *model, const int32_t *unit, int32_t count,
                               LitheBlockMatrix *matrix) {
    int32_t ranks = 0;
    for (int32_t i = 0; i < count; i++)
        ranks += model->units[unit ? unit[i] : i].rank_count;
    return lithe_block_reserve_ranks(matrix, ranks);
}

void lithe_units_gather_ranks(const LitheModel *model, const LitheWork *work, const int32_t *unit,
                              int32_t count, const int32_t *first, LitheBlockMatrix *matrix) {
    matrix->rank_count = 0;
    for (int32_t k = 0; matrix->rank_room > 0 && k < count; k++) {
        int32_t i = unit ? unit[k] : k;
        if (model->units[i].rank_count > 0)
            lithe_unit_ops(model, i)->ranks(model, i, work,
                                            first ? first[i] : model->units[i].node_at, matrix);
    }
}

bool lithe_units_build(LitheModel *model) {
    int32_t total = 0;
    for (int kind = 0; kind < LITHE_UNIT_KINDS; kind++) {
        check_row(lithe_unit_kinds[kind]);
        total += lithe_unit_kinds[kind]->count(model);
    }
    model->units = lithe_alloc_array(model->context, total, sizeof *model->units);
    if (!model->units)
        return false;
    for (int kind = 0; kind < LITHE_UNIT_KINDS; kind++) {
        int32_t count = lithe_unit_kinds[kind]->count(model);
        for (int32_t i = 0; i < count; i++) {
            LitheUnit *unit = &model->units[model->unit_count++];
            *unit = (LitheUnit){
                .kind = (LitheUnitKind)kind,
                .index = i,
                .q_at = model->q_count,
                .v_at = model->v_count,
                .node_at = model->node_count,
                .point_at = model->point_count,
                .own_at = model->own_count,
            };
            lithe_unit_kinds[kind]->describe(model, i, unit);
            LITHE_ASSERT(2 * unit->site_nodes <= LITHE_COUPLED_NODES);
            model->q_count += unit->q_count;
            model->v_count += unit->v_count;
            model->node_count += unit->node_count;
            model->point_count += unit->point_count;
            model->own_count += unit->own_count;
            model->unit_cost += lithe_unit_cost(unit);
            if (unit->site_width > model->site_width)
                model->site_width = unit->site_width;
        }
    }
    return true;
}

// --- loops over units ----------------------------------------------------------------------------

static bool is_large(const LitheModel *model, int32_t unit) {
    int64_t from = lithe_unit_ops(model, unit)->threads_from;
    return from > 0 && model->units[unit].v_count >= from;
}

int32_t lithe_room_take(LitheWork *work) {
    LitheRooms *rooms = &work->rooms;
    if (rooms->count <= 1)
        return 0;
    // there are as many rooms as threads: one is free
    for (int32_t k = 0;; k = k + 1 < rooms->count ? k + 1 : 0)
        if (!atomic_load(&rooms->taken[k]) && !atomic_exchange(&rooms->taken[k], true))
            return k;
}

void lithe_room_return(LitheWork *work, int32_t room) {
    if (work->rooms.count > 1)
        atomic_store(&work->rooms.taken[room], false);
}

void lithe_room_lend(const LitheModel *model, int32_t unit, LitheWork *work, int32_t room) {
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    if (ops->lend && work->rooms.size > 0)
        ops->lend(model, unit, work, work->rooms.block + work->rooms.size * room);
}

typedef struct SmallUnits {
    const LitheModel *model;
    LitheWork *work;
    LitheTaskFn *task;
    void *user;
} SmallUnits;

static void run_small(int32_t unit, void *user) {
    const SmallUnits *small = user;
    if (is_large(small->model, unit))
        return;
    int32_t room = lithe_room_take(small->work);
    lithe_room_lend(small->model, unit, small->work, room);
    small->task(unit, small->user);
    lithe_room_return(small->work, room);
}

void lithe_units_run(LitheWork *work, LitheTaskFn *task, void *user) {
    const LitheModel *model = work->model;
    SmallUnits small = {model, work, task, user};
    lithe_pool_run(work->pool, model->unit_count, model->unit_cost, run_small, &small);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (is_large(model, i))
            task(i, user);
}

double lithe_explicit_limit(const LitheModel *model, const LitheUnit **stiffest) {
    double limit = INFINITY;
    *stiffest = NULL;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        double own = ops->explicit_limit ? ops->explicit_limit(model, i) : INFINITY;
        if (own < limit) {
            *stiffest = &model->units[i];
            limit = own;
        }
    }
    return limit;
}
