// SPDX-License-Identifier: Apache-2.0
// plan/turn_problem.c - the problem of a turn: start, bounds, parameters; measures of a plan

#include "plan/turn.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

LitheTurn lithe_turn_about(int32_t axis, int32_t stages) {
    LitheTurn turn = {.model = lithe_ball_task(),
                      .stages = stages,
                      .touch = {0, 0.55, 0.835},
                      .target = {sqrt(0.5)},
                      .kinematic = 1e-2,
                      .epsilon = {1e-2, 1e-6},
                      .levels = 2,
                      .bounds = lithe_plan_def_default().bounds,
                      .seconds = INFINITY,
                      .setting = lithe_interior_setting()};
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        turn.lengths[i] = 0.06;
    turn.model.step = 4.0 / stages;
    turn.target[1 + axis] = sqrt(0.5);
    if (axis == 2) { // a normal along z cannot turn about z
        turn.touch[1] = 0.8;
        turn.touch[2] = 0.6;
    }
    return turn;
}

double lithe_turn_error(const LitheTurn *turn, const double *x) {
    int32_t n = lithe_ball_task_variables(&turn->model);
    const double *q = x + (int64_t)(turn->stages - 1) * n + LITHE_AT_QUATERNION;
    double inner = 0;
    for (int i = 0; i < 4; i++)
        inner += q[i] * turn->target[i];
    return 1 - inner * inner;
}

// --- the start -----------------------------------------------------------------------------------

void lithe_turn_bounds(const LitheTurn *turn, int32_t i, double *lower, double *upper) {
    const LithePlanBounds *b = &turn->bounds;
    int32_t contacts_end = lithe_ball_task_contacts_end(&turn->model);
    if (i >= LITHE_AT_NORMAL && i < contacts_end) // all contacts have those of the first one
        i = LITHE_AT_NORMAL + (i - LITHE_AT_NORMAL) % lithe_ball_task_shift(&turn->model, 1);
    const struct {
        int32_t from;
        double lower, upper;
    } rows[] = {{LITHE_AT_LENGTHS, b->shortest, b->longest},
                {LITHE_AT_SPEEDS, -b->speed, b->speed},
                {LITHE_AT_QUATERNION, -1.2, 1.2},
                {LITHE_AT_SPIN, -b->angular_velocity, b->angular_velocity},
                {LITHE_AT_EFFORT, -b->effort, b->effort},
                {LITHE_AT_NORMAL, 0, b->force},
                {LITHE_AT_GAP, 0, 10},
                {LITHE_AT_SLIP, -20, 20},
                {LITHE_AT_SLACK, 0, 50},
                {LITHE_AT_FRICTION, 0, b->force},
                {contacts_end, -INFINITY, INFINITY}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (i >= rows[k].from) {
            *lower = rows[k].lower;
            *upper = rows[k].upper;
        }
}

// chamber lengths at the start, and the efforts that hold them
static LitheStatus find_start(LitheTurnProblem *p, LitheError *error) {
    LitheTurn *turn = &p->turn;
    const LitheBallTask *model = &turn->model;
    const double *touch = turn->touch;
    double size = sqrt(touch[0] * touch[0] + touch[1] * touch[1] + touch[2] * touch[2]);
    double centre[3];
    for (int i = 0; i < 3 && size > 0; i++)
        centre[i] = model->centre[i] -
                    touch[i] / size * (model->ball_radius + model->contact[0].half + 1e-3);
    if (!lithe_ball_task_pose(p->context, model, size > 0 ? centre : NULL, touch, turn->lengths,
                              p->hold)) {
        if (!(size > 0))
            return lithe_fail_memory(error, "the start of a plan");
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "the disk of the arm cannot reach (%.4g, %.4g, %.4g) m with its axis along "
            "(%.3g, %.3g, %.3g): the ball is out of reach",
            centre[0], centre[1], centre[2], touch[0], touch[1], touch[2]);
    }
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) {
        double lower, upper, length = turn->lengths[i];
        lithe_turn_bounds(turn, LITHE_AT_LENGTHS + i, &lower, &upper);
        if (!(length >= lower && length <= upper))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "the arm cannot %s: the elongation of chamber %d would be %.4g m, "
                              "must be from %g to %g m",
                              size > 0 ? "reach the ball" : "start", i + 1, length, lower, upper);
    }
    return LITHE_OK;
}

// rest at the start, touching by 1 N
static void fill_start(LitheTurnProblem *p, double *x) {
    const LitheTurn *turn = &p->turn;
    int32_t n = p->problem.variables;
    const size_t chambers = LITHE_PLAN_CHAMBERS * sizeof(double);
    memset(x, 0, (size_t)turn->stages * (size_t)n * sizeof *x);
    for (int32_t k = 0; k < turn->stages; k++) {
        double *own = x + (int64_t)k * n, *by = p->parameter + (int64_t)k * p->problem.parameters;
        for (int32_t i = 0; i < n; i++)
            lithe_turn_bounds(turn, i, &p->lower[(int64_t)k * n + i],
                              &p->upper[(int64_t)k * n + i]);
        memcpy(own + LITHE_AT_LENGTHS, turn->lengths, chambers);
        memcpy(own + LITHE_AT_EFFORT, p->hold, chambers);
        own[LITHE_AT_QUATERNION] = 1;
        for (int32_t c = 0; c < turn->model.contact_count; c++) {
            double *contact = own + lithe_ball_task_shift(&turn->model, c);
            contact[LITHE_AT_NORMAL] = 1;
            contact[LITHE_AT_GAP] = 1e-3;
        }
        memcpy(by + LITHE_BY_TARGET, turn->target, sizeof turn->target);
        by[LITHE_BY_LAST] = k == turn->stages - 1;
        lithe_user_terms_copy_data(turn->model.user, k, turn->stages, by + LITHE_BY_COUNT);
    }
    memcpy(p->before + LITHE_AT_LENGTHS, turn->lengths, chambers);
    p->before[LITHE_AT_QUATERNION] = 1;
}

// the outputs of a stage
static LitheStatus values_of(const LitheTurnProblem *p, LitheTapeWork *work, const double *x,
                             int32_t k, double *scratch, double *y) {
    int32_t n = p->problem.variables;
    const double *own = x + (int64_t)k * n;
    memcpy(scratch, k > 0 ? own - n : p->before, (size_t)n * sizeof *scratch);
    memcpy(scratch + n, own, (size_t)n * sizeof *scratch);
    lithe_tape_values(p->tape, work, scratch, p->parameter + (int64_t)k * p->problem.parameters, y);
    return LITHE_OK;
}

typedef struct Scratch {
    LitheTapeWork *work;
    double *pair, *y;
} Scratch;

static bool scratch_begin(const LitheTurnProblem *p, Scratch *s) {
    int32_t n = p->problem.variables;
    s->work = lithe_tape_work_new(p->context, p->tape);
    s->pair = lithe_alloc_array(p->context,
                                2 * (int64_t)n + 1 + p->problem.equations + p->problem.inequalities,
                                sizeof(double));
    s->y = s->pair != NULL ? s->pair + 2 * n : NULL;
    return s->work != NULL && s->pair != NULL;
}

static void scratch_end(const LitheTurnProblem *p, Scratch *s) {
    lithe_tape_work_free(s->work);
    lithe_free(p->context, s->pair);
}

// the ball must not overlap a disk at the start
static LitheStatus check_gap(const LitheTurnProblem *p, double *x, LitheError *error) {
    const int32_t first = 1 + 2 * LITHE_PLAN_CHAMBERS + 3 + 4;
    const LitheBallTask *model = &p->turn.model;
    Scratch s;
    LitheStatus status = LITHE_OK;
    if (scratch_begin(p, &s)) {
        values_of(p, s.work, x, 0, s.pair, s.y);
        for (int32_t c = 0; c < model->contact_count && status == LITHE_OK; c++) {
            double gap =
                x[LITHE_AT_GAP + lithe_ball_task_shift(model, c)] - s.y[first + 3 * (ptrdiff_t)c];
            if (!(gap >= 0))
                status = lithe_fail(error, LITHE_BAD_INPUT,
                                    "the ball is inside of the arm at the start: it overlaps disk "
                                    "'%s' by %.4g m",
                                    model->contact[c].name, -gap);
        }
    } else {
        status = lithe_fail_memory(error, "a plan");
    }
    scratch_end(p, &s);
    return status;
}

// nor may a disk overlap an obstacle
static LitheStatus check_obstacles(const LitheTurnProblem *p, LitheError *error) {
    LitheBallTask bare = p->turn.model, *model = &bare;
    double distances[LITHE_PLAN_DISKS * LITHE_PLAN_OBSTACLES];
    int32_t count = lithe_ball_task_clearance_count(model);
    if (count == 0)
        return LITHE_OK;
    for (int32_t i = 0; i < model->obstacle_count; i++)
        bare.obstacles[i].margin = 0; // it may start within them
    if (!lithe_ball_task_clearances(p->context, model, p->turn.lengths, distances))
        return lithe_fail_memory(error, "a plan");
    for (int32_t i = 0; i < count; i++) {
        char text[LITHE_PLAN_ROW_TEXT];
        if (!(distances[i] >= 0))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "the arm is too near an obstacle at the start: %s is short by %.4g m",
                              lithe_ball_task_clearance(model, i, text, sizeof text),
                              -distances[i]);
    }
    return LITHE_OK;
}

LitheStatus lithe_turn_begin(LitheContext *context, const LitheTurn *turn, LitheTurnProblem *to,
                             double *x, LitheError *error) {
    *to = (LitheTurnProblem){.context = context, .turn = *turn};
    LitheStatus status = find_start(to, error);
    if (status != LITHE_OK)
        return status;
    const LitheBallTask *model = &to->turn.model;
    int32_t n = lithe_ball_task_variables(model);
    int64_t all = (int64_t)turn->stages * n;
    to->lower = lithe_alloc_array(context, all, sizeof(double));
    to->upper = lithe_alloc_array(context, all, sizeof(double));
    to->parameter = lithe_alloc_array(
        context, (int64_t)turn->stages * lithe_ball_task_parameters(model), sizeof(double));
    to->before = lithe_alloc_array(context, (int64_t)n, sizeof(double));
    to->tape = lithe_ball_task_tape(context, model);
    to->elastic = lithe_alloc_array(context, lithe_ball_task_inequalities(model), sizeof(bool));
    to->solved_for =
        lithe_alloc_array(context, lithe_ball_task_equations(model), sizeof *to->solved_for);
    if (to->elastic != NULL)
        lithe_ball_task_products(model, to->elastic);
    if (to->solved_for != NULL)
        lithe_ball_task_solved_for(model, to->solved_for);
    to->problem = (LitheStageProblem){turn->stages,
                                      n,
                                      lithe_ball_task_equations(model),
                                      lithe_ball_task_inequalities(model),
                                      lithe_ball_task_parameters(model),
                                      to->tape,
                                      to->parameter,
                                      to->lower,
                                      to->upper,
                                      to->before,
                                      to->elastic,
                                      to->solved_for,
                                      NULL,
                                      NULL};
    if (to->elastic == NULL || to->lower == NULL || to->upper == NULL || to->parameter == NULL ||
        to->before == NULL || to->tape == NULL || to->solved_for == NULL)
        status = lithe_fail_memory(error, "a plan");
    if (status == LITHE_OK) {
        fill_start(to, x);
        status = check_gap(to, x, error);
    }
    if (status == LITHE_OK)
        status = check_obstacles(to, error);
    if (status != LITHE_OK)
        lithe_turn_end(to);
    return status;
}

void lithe_turn_end(LitheTurnProblem *p) {
    lithe_tape_free(p->tape);
    lithe_free(p->context, p->lower);
    lithe_free(p->context, p->upper);
    lithe_free(p->context, p->parameter);
    lithe_free(p->context, p->before);
    lithe_free(p->context, p->elastic);
    lithe_free(p->context, p->solved_for);
    *p = (LitheTurnProblem){.context = p->context};
}

// --- levels --------------------------------------------------------------------------------------

void lithe_turn_relax(LitheTurnProblem *p, double epsilon, bool dynamic) {
    bool holds = dynamic && !p->turn.full_effort;
    // without efforts the speeds cost what efforts against damping would
    const double damping = p->turn.model.damping,
                 speed = p->turn.model.cost.effort * damping * damping;
    for (int32_t k = 0; k < p->turn.stages; k++) {
        double *by = p->parameter + (int64_t)k * p->problem.parameters;
        by[LITHE_BY_EPSILON] = epsilon;
        by[LITHE_BY_DYNAMIC] = dynamic;
        by[LITHE_BY_SPEED] = dynamic ? 0 : speed;
        for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
            by[LITHE_BY_HOLD + i] = holds ? p->hold[i] : 0;
    }
}

void lithe_turn_drive(LitheTurnProblem *p, double *x) {
    const int32_t first = 1 + LITHE_PLAN_CHAMBERS; // the equations of motion
    Scratch s;
    if (scratch_begin(p, &s))
        for (int32_t k = 0; k < p->turn.stages; k++) {
            double *effort = x + (int64_t)k * p->problem.variables + LITHE_AT_EFFORT;
            memcpy(effort, p->hold, sizeof p->hold);
            values_of(p, s.work, x, k, s.pair, s.y);
            for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) {
                double most = 0.9 * p->turn.bounds.effort;
                effort[i] = fmin(fmax(effort[i] + s.y[first + i] / LITHE_PLAN_MOTION, -most), most);
            }
        }
    scratch_end(p, &s);
}

void lithe_turn_press(LitheTurnProblem *p, const double *x) {
    int32_t n = p->problem.variables;
    int32_t contacts = p->turn.model.contact_count;
    for (int32_t k = 0; k < p->turn.stages * contacts; k++) {
        int64_t at = (int64_t)(k / contacts) * n + LITHE_AT_NORMAL +
                     lithe_ball_task_shift(&p->turn.model, k % contacts);
        // a force within a tenth of the least one is not a mode of its own
        if (x[at] > fmax(LITHE_PLAN_TOUCHING, 0.1 * p->turn.press))
            p->lower[at] = p->turn.press;
    }
}

void lithe_turn_fix_end(LitheTurnProblem *p) {
    p->parameter[(int64_t)(p->turn.stages - 1) * p->problem.parameters + LITHE_BY_EXACT] = 1;
}

LitheStatus lithe_turn_measure(const LitheTurnProblem *p, const double *x, LitheTurnResult *result,
                               LitheError *error) {
    const LitheBallTask *model = &p->turn.model;
    int32_t n = p->problem.variables, equations = p->problem.equations;
    Scratch s;
    result->error = lithe_turn_error(&p->turn, x);
    memcpy(result->start, p->before + LITHE_AT_LENGTHS, sizeof result->start);
    result->products = result->equations = result->worst = 0;
    result->touching = result->together = 0;
    memset(result->touching_of, 0, sizeof result->touching_of);
    result->jacobian = (int64_t)p->turn.stages * lithe_tape_jacobian_pattern(p->tape).count;
    result->hessian = (int64_t)p->turn.stages * lithe_tape_hessian_pattern(p->tape).count;
    if (!scratch_begin(p, &s)) {
        scratch_end(p, &s);
        return lithe_fail_memory(error, "a plan");
    }
    for (int32_t k = 0; k < p->turn.stages; k++) {
        const double *own = x + (int64_t)k * n;
        values_of(p, s.work, x, k, s.pair, s.y);
        for (int32_t i = 0; i < equations + p->problem.inequalities; i++) {
            double miss = i < equations ? fabs(s.y[1 + i]) : -s.y[1 + i];
            if (i < equations)
                result->equations = fmax(result->equations, miss);
            if (miss > result->worst) {
                result->worst = miss;
                result->worst_row = i;
                result->worst_stage = k;
            }
        }
        int32_t touching = 0;
        for (int32_t c = 0; c < model->contact_count; c++) {
            double force = own[LITHE_AT_NORMAL + lithe_ball_task_shift(model, c)];
            touching += force > LITHE_PLAN_TOUCHING;
            result->touching_of[c] += force > LITHE_PLAN_TOUCHING;
            result->products = fmax(result->products, lithe_ball_task_product(model, own, c));
        }
        result->touching += touching > 0;
        result->together += touching > 1;
    }
    scratch_end(p, &s);
    if (!lithe_ball_task_entered(p->context, model, p->turn.stages, x, &result->entered))
        return lithe_fail_memory(error, "a plan");
    return LITHE_OK;
}
