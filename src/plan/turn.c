// SPDX-License-Identifier: Apache-2.0
// plan/turn.c - a plan that turns a ball
//
// The first level leaves out the equations of motion of the arm: its solution says where and when
// to touch. The others have them, with less and less relaxation.

#include "plan/turn.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const struct {
    double epsilon, barrier;
    bool dynamic;
} levels[LITHE_TURN_LEVELS] = {
    {1e-2, 1e-1, false}, {1e-2, 1e-2, true}, {1e-4, 1e-4, true}, {1e-6, 1e-6, true}};

LitheTurn lithe_turn_about(int32_t axis, int32_t stages) {
    LitheTurn turn = {.model = lithe_ball_task(),
                      .stages = stages,
                      .touch = {0, 0.55, 0.835},
                      .target = {sqrt(0.5)},
                      .setting = lithe_interior_setting()};
    turn.model.step = 4.0 / stages;
    turn.target[1 + axis] = sqrt(0.5);
    if (axis == 2) { // a normal along z cannot turn about z
        turn.touch[1] = 0.8;
        turn.touch[2] = 0.6;
    }
    return turn;
}

typedef struct Memory {
    double *lower, *upper, *parameter, *before;
    LitheTape *tape;
    LitheTapeWork *work;
    LitheInterior *interior;
} Memory;

static void release(LitheContext *context, Memory *memory) {
    lithe_interior_destroy(memory->interior);
    lithe_tape_work_free(memory->work);
    lithe_tape_free(memory->tape);
    lithe_free(context, memory->lower);
    lithe_free(context, memory->upper);
    lithe_free(context, memory->parameter);
    lithe_free(context, memory->before);
}

static void bounds_of(int32_t i, double *lower, double *upper) {
    static const struct {
        int32_t from;
        double lower, upper;
    } rows[] = {{LITHE_AT_LENGTHS, -0.06, 0.16},
                {LITHE_AT_SPEEDS, -2, 2},
                {LITHE_AT_QUATERNION, -1.2, 1.2},
                {LITHE_AT_SPIN, -6, 6},
                {LITHE_AT_EFFORT, -80, 80},
                {LITHE_AT_NORMAL, 0, 50},
                {LITHE_AT_GAP, 0, 10},
                {LITHE_AT_SLIP, -20, 20},
                {LITHE_AT_SLACK, 0, 50}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (i >= rows[k].from) {
            *lower = rows[k].lower;
            *upper = rows[k].upper;
        }
}

// rest at the start, touching by 1 N
static void fill_start(const LitheTurn *turn, Memory *memory, const double *lengths,
                       const double *hold, double *x) {
    int32_t n = lithe_ball_task_variables(&turn->model);
    const size_t chambers = LITHE_PLAN_CHAMBERS * sizeof(double);
    memset(x, 0, (size_t)turn->stages * (size_t)n * sizeof *x);
    for (int32_t k = 0; k < turn->stages; k++) {
        double *own = x + (int64_t)k * n, *p = memory->parameter + (int64_t)k * LITHE_BY_COUNT;
        for (int32_t i = 0; i < n; i++)
            bounds_of(i, &memory->lower[(int64_t)k * n + i], &memory->upper[(int64_t)k * n + i]);
        memcpy(own + LITHE_AT_LENGTHS, lengths, chambers);
        memcpy(own + LITHE_AT_EFFORT, hold, chambers);
        own[LITHE_AT_QUATERNION] = 1;
        own[LITHE_AT_NORMAL] = 1;
        own[LITHE_AT_GAP] = 1e-3;
        memcpy(p + LITHE_BY_TARGET, turn->target, sizeof turn->target);
        p[LITHE_BY_LAST] = k == turn->stages - 1;
    }
    memcpy(memory->before + LITHE_AT_LENGTHS, lengths, chambers);
    memory->before[LITHE_AT_QUATERNION] = 1;
}

static double turn_error(const LitheTurn *turn, const double *x) {
    int32_t n = lithe_ball_task_variables(&turn->model);
    const double *q = x + (int64_t)(turn->stages - 1) * n + LITHE_AT_QUATERNION;
    double inner = 0;
    for (int i = 0; i < 4; i++)
        inner += q[i] * turn->target[i];
    return 1 - inner * inner;
}

static void solve_level(const LitheTurn *turn, Memory *memory, int32_t level, const double *hold,
                        double *x, LitheTurnLevel *to) {
    int32_t n = lithe_ball_task_variables(&turn->model);
    bool dynamic = levels[level].dynamic,
         first = dynamic && level > 0 && !levels[level - 1].dynamic;
    const size_t chambers = LITHE_PLAN_CHAMBERS * sizeof(double);
    for (int32_t k = 0; k < turn->stages; k++) {
        double *p = memory->parameter + (int64_t)k * LITHE_BY_COUNT;
        p[LITHE_BY_EPSILON] = levels[level].epsilon;
        p[LITHE_BY_DYNAMIC] = dynamic;
        p[LITHE_BY_SPEED] = dynamic ? 0 : 1e-2;
        if (dynamic)
            memcpy(p + LITHE_BY_HOLD, hold, chambers);
        if (first) // the kinematic problem has no efforts
            memcpy(x + (int64_t)k * n + LITHE_AT_EFFORT, hold, chambers);
    }
    LitheInteriorSetting setting = turn->setting;
    setting.barrier = levels[level].barrier;
    setting.warm = level > 1;
    double began = lithe_clock();
    to->epsilon = levels[level].epsilon;
    to->dynamic = dynamic;
    to->end = lithe_interior_solve(memory->interior, &setting, x, &to->state);
    to->error = turn_error(turn, x);
    to->seconds = lithe_clock() - began;
}

// residuals and products of the plan, from its variables alone
static void measure(const LitheTurn *turn, const Memory *memory, const double *x, double *pair,
                    double *y, LitheTurnResult *result) {
    const LitheBallTask *model = &turn->model;
    int32_t n = lithe_ball_task_variables(model);
    for (int32_t k = 0; k < turn->stages; k++) {
        const double *own = x + (int64_t)k * n;
        memcpy(pair, k > 0 ? own - n : memory->before, (size_t)n * sizeof *pair);
        memcpy(pair + n, own, (size_t)n * sizeof *pair);
        lithe_tape_values(memory->tape, memory->work, pair,
                          memory->parameter + (int64_t)k * LITHE_BY_COUNT, y);
        for (int32_t i = 0; i < lithe_ball_task_equations(); i++)
            result->equations = fmax(result->equations, fabs(y[1 + i]));
        double force = own[LITHE_AT_NORMAL], cone = model->friction * force,
               gamma = own[LITHE_AT_SLACK];
        result->touching += force > 1e-3;
        result->products = fmax(result->products, own[LITHE_AT_GAP] * force);
        for (int32_t j = 0; j < model->directions; j++) {
            double angle = 2 * 3.14159265358979323846 * j / model->directions;
            double along =
                own[LITHE_AT_SLIP] * cos(angle) + own[LITHE_AT_SLIP + 1] * sin(angle) + gamma;
            result->products = fmax(result->products, own[LITHE_AT_FRICTION + j] * along);
            cone -= own[LITHE_AT_FRICTION + j];
        }
        result->products = fmax(result->products, cone * gamma);
    }
}

LitheStatus lithe_turn_solve(LitheContext *context, const LitheTurn *turn, double *x,
                             LitheTurnResult *result, LitheError *error) {
    const LitheBallTask *model = &turn->model;
    double centre[3], lengths[LITHE_PLAN_CHAMBERS], hold[LITHE_PLAN_CHAMBERS];
    const double *touch = turn->touch;
    double size = sqrt(touch[0] * touch[0] + touch[1] * touch[1] + touch[2] * touch[2]);
    *result = (LitheTurnResult){0};
    for (int i = 0; i < 3; i++)
        centre[i] =
            model->centre[i] - touch[i] / size * (model->ball_radius + model->disk_half + 1e-3);
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        lengths[i] = 0.06;
    if (!lithe_ball_task_pose(context, model, centre, touch, lengths, hold))
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "the disk of the arm cannot reach (%.4g, %.4g, %.4g) m with its axis along "
            "(%.3g, %.3g, %.3g)",
            centre[0], centre[1], centre[2], touch[0], touch[1], touch[2]);
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) {
        double lower, upper;
        bounds_of(LITHE_AT_LENGTHS + i, &lower, &upper);
        if (!(lengths[i] >= lower && lengths[i] <= upper))
            return lithe_fail(
                error, LITHE_BAD_INPUT,
                "the disk of the arm cannot reach (%.4g, %.4g, %.4g) m: chamber %d would be "
                "%.4g m longer, must be from %g to %g m",
                centre[0], centre[1], centre[2], i + 1, lengths[i], lower, upper);
    }
    int32_t n = lithe_ball_task_variables(model);
    int64_t all = (int64_t)turn->stages * n;
    Memory memory = {.lower = lithe_alloc_array(context, all, sizeof(double)),
                     .upper = lithe_alloc_array(context, all, sizeof(double)),
                     .parameter = lithe_alloc_array(context, (int64_t)turn->stages * LITHE_BY_COUNT,
                                                    sizeof(double)),
                     .before = lithe_alloc_array(context, (int64_t)n, sizeof(double)),
                     .tape = lithe_ball_task_tape(context, model)};
    memory.work = memory.tape != NULL ? lithe_tape_work_new(context, memory.tape) : NULL;
    int32_t outputs = 1 + lithe_ball_task_equations() + lithe_ball_task_inequalities(model);
    double *scratch = lithe_alloc_array(context, 2 * (int64_t)n + outputs, sizeof(double));
    LitheStatus status = LITHE_OK;
    if (memory.lower == NULL || memory.upper == NULL || memory.parameter == NULL ||
        memory.before == NULL || memory.work == NULL || scratch == NULL)
        status = lithe_fail_memory(error, "a plan");
    if (status == LITHE_OK) {
        fill_start(turn, &memory, lengths, hold, x);
        LitheStageProblem problem = {turn->stages,
                                     n,
                                     lithe_ball_task_equations(),
                                     lithe_ball_task_inequalities(model),
                                     LITHE_BY_COUNT,
                                     memory.tape,
                                     memory.parameter,
                                     memory.lower,
                                     memory.upper,
                                     memory.before};
        status = lithe_interior_create(context, &problem, &memory.interior, error);
    }
    for (int32_t level = 0; level < LITHE_TURN_LEVELS && status == LITHE_OK; level++)
        solve_level(turn, &memory, level, hold, x, &result->levels[level]);
    if (status == LITHE_OK) {
        result->error = turn_error(turn, x);
        measure(turn, &memory, x, scratch, scratch + 2 * n, result);
    }
    lithe_free(context, scratch);
    release(context, &memory);
    return status;
}
