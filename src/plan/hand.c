// SPDX-License-Identifier: Apache-2.0
// plan/hand.c - a plan of two fingers that turn a box: first without the inertia of the fingers
//
// The first guess turns the box about its lower edge towards the target, with the fingers at rest.

#include "plan/hand.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

LitheHand lithe_hand_turn(int32_t stages) {
    LitheHand hand = {.task = lithe_hand_task(),
                      .stages = stages,
                      .box = {-0.05, 0.05, 0},
                      .target = {0.05, 0.05, -0.5 * M_PI},
                      .epsilon = {1e-2, 1e-6},
                      .bounds = {.speed = 8, .force = 30, .velocity = 1.5, .angular_velocity = 3},
                      .seconds = INFINITY,
                      .setting = lithe_interior_setting()};
    hand.task.step = 2.0 / stages;
    for (int i = 0; i < LITHE_HAND_JOINTS; i++) {
        hand.bounds.lower[i] = -2.6;
        hand.bounds.upper[i] = 2.6;
        hand.bounds.effort[i] = 2;
    }
    for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
        double side = f == 0 ? -1 : 1, r = hand.task.finger[f].tip + 2e-3;
        double place[2] = {hand.box[0] + side * (hand.task.half[0] + r), 0.08};
        lithe_hand_reach(&hand.task.finger[f], place, f == 0, hand.angles + 2 * (ptrdiff_t)f);
    }
    return hand;
}

// --- the problem ---------------------------------------------------------------------------------

typedef LitheHandProblem Problem;

// both levels of a plan
typedef struct Solve {
    Problem problem;
    LitheHandResult *result;
    double began; // time of the clock
    bool dynamic;
} Solve;

static void bounds_of(const LitheHandBounds *b, int32_t i, double *lower, double *upper) {
    if (i < LITHE_HAND_SPEEDS) {
        *lower = b->lower[i];
        *upper = b->upper[i];
        return;
    }
    if (i < LITHE_HAND_TOUCH) {
        *upper = i < LITHE_HAND_EFFORTS         ? b->speed
                 : i < LITHE_HAND_BOX           ? b->effort[i - LITHE_HAND_EFFORTS]
                 : i < LITHE_HAND_BOX_SPEED     ? 10
                 : i < LITHE_HAND_BOX_SPEED + 2 ? b->velocity
                                                : b->angular_velocity;
        *lower = -*upper;
        return;
    }
    if (i >= LITHE_HAND_VARIABLES) { // stands in for an equation of the user
        *lower = -INFINITY;
        *upper = INFINITY;
        return;
    }
    *lower = 0;
    switch ((i - LITHE_HAND_TOUCH) % LITHE_TOUCH_VARIABLES) {
    case LITHE_TOUCH_GAP:
        *upper = 10;
        break;
    case LITHE_TOUCH_SLIP:
        *lower = -20;
        *upper = 20;
        break;
    case LITHE_TOUCH_SLACK:
        *upper = 50;
        break;
    default: // forces
        *upper = b->force;
    }
}

// the outputs of stage k, in p->y
static const double *values_of(const Problem *p, LitheTapeWork *work, const double *x, int32_t k) {
    int32_t n = p->stages.variables;
    const double *own = x + (int64_t)k * n;
    memcpy(p->pair, k > 0 ? own - n : p->before, (size_t)n * sizeof *x);
    memcpy(p->pair + n, own, (size_t)n * sizeof *x);
    lithe_tape_values(p->tape, work, p->pair, p->parameter + (int64_t)k * p->stages.parameters,
                      p->y);
    return p->y;
}

// the pose of the box turned about its lower edge by a part of the way
static void turned_box(const LitheHand *hand, double part, double *pose) {
    const double *from = hand->box, *to = hand->target, *half = hand->task.half;
    double by = part * (to[2] - from[2]), side = to[2] < from[2] ? 1 : -1;
    double x = -side * half[0], z = half[1]; // from the edge to the centre
    double slide = part * (to[0] - from[0] - side * (half[0] + half[1]));
    pose[0] = from[0] + side * half[0] + cos(by) * x - sin(by) * z + slide;
    pose[1] = sin(by) * x + cos(by) * z;
    pose[2] = from[2] + by;
}

// The tip behind the box follows its face, the other one goes round the corner to the face that
// comes down last; where a finger does not reach it stays.
static void guess_fingers(const LitheHand *hand, double part, double *stage) {
    const double *half = hand->task.half, *box = stage + LITHE_HAND_BOX;
    double side = hand->target[2] < hand->box[2] ? 1 : -1, c = cos(box[2]), s = sin(box[2]);
    memcpy(stage + LITHE_HAND_ANGLES, hand->angles, sizeof hand->angles);
    for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
        const LitheHandFinger *finger = &hand->task.finger[f];
        bool behind = (f == 0) == (side > 0);
        double r = finger->tip + 1e-3, round = 0.5 * M_PI * fmin(1, 2 * part);
        double away = hypot(half[0], half[1]) + r;
        double own[2] = {-side * (half[0] + r), 0.5 * half[1]};
        if (!behind) {
            own[0] = side * away * cos(round);
            own[1] = away * sin(round);
        }
        double place[2] = {box[0] + c * own[0] - s * own[1], box[1] + s * own[0] + c * own[1]};
        place[1] = fmax(place[1], r);
        lithe_hand_reach(finger, place, f == 0, stage + LITHE_HAND_ANGLES + (ptrdiff_t)f * 2);
    }
}

static void fill_start(Problem *p, double *x) {
    const LitheHand *hand = p->hand;
    const size_t joints = LITHE_HAND_JOINTS * sizeof *x;
    int32_t n = p->stages.variables;
    memset(x, 0, (size_t)hand->stages * (size_t)n * sizeof *x);
    for (int32_t k = 0; k < hand->stages; k++) {
        double *own = x + (int64_t)k * n;
        double *by = p->parameter + (int64_t)k * p->stages.parameters;
        for (int32_t i = 0; i < n; i++)
            bounds_of(&hand->bounds, i, &p->lower[(int64_t)k * n + i],
                      &p->upper[(int64_t)k * n + i]);
        double part = (k + 1.) / hand->stages;
        turned_box(hand, part, own + LITHE_HAND_BOX);
        guess_fingers(hand, part, own);
        memcpy(own + LITHE_HAND_EFFORTS, p->hold, joints);
        for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
            double *touch = own + LITHE_HAND_TOUCH + (ptrdiff_t)c * LITHE_TOUCH_VARIABLES;
            touch[LITHE_TOUCH_NORMAL] = 1;
            touch[LITHE_TOUCH_GAP] = 1e-3;
        }
        memcpy(by + LITHE_HAND_BY_TARGET, hand->target, sizeof hand->target);
        by[LITHE_HAND_BY_LAST] = k == hand->stages - 1;
        lithe_user_terms_copy_data(hand->task.user, k, hand->stages, by + LITHE_HAND_BY_COUNT);
    }
    memcpy(p->before + LITHE_HAND_ANGLES, hand->angles, joints);
    memcpy(p->before + LITHE_HAND_BOX, hand->box, sizeof hand->box);
}

void lithe_hand_relax(LitheHandProblem *p, double epsilon, bool dynamic) {
    for (int32_t k = 0; k < p->hand->stages; k++) {
        double *by = p->parameter + (int64_t)k * p->stages.parameters;
        by[LITHE_HAND_BY_EPSILON] = epsilon;
        by[LITHE_HAND_BY_DYNAMIC] = dynamic;
        for (int i = 0; i < LITHE_HAND_JOINTS; i++)
            by[LITHE_HAND_BY_HOLD + i] = dynamic ? p->hold[i] : 0;
    }
}

static LitheStatus begin(Problem *p, double *x, LitheError *error) {
    const LitheHand *hand = p->hand;
    LitheContext *context = p->context;
    const LitheHandTask *task = &hand->task;
    int32_t n = lithe_hand_variables(task), parameters = lithe_hand_parameters(task),
            equations = lithe_hand_equations(task), inequalities = lithe_hand_inequalities(task);
    int64_t all = (int64_t)hand->stages * n;
    p->lower = lithe_alloc_array(context, all, sizeof(double));
    p->upper = lithe_alloc_array(context, all, sizeof(double));
    p->parameter = lithe_alloc_array(context, (int64_t)hand->stages * parameters, sizeof(double));
    p->before = lithe_alloc_array(context, n, sizeof(double));
    p->pair = lithe_alloc_array(context, 2 * (int64_t)n, sizeof(double));
    p->y = lithe_alloc_array(context, 1 + (int64_t)equations + inequalities, sizeof(double));
    p->elastic = lithe_alloc_array(context, inequalities, sizeof(bool));
    p->tape = lithe_hand_task_tape(context, task);
    if (p->lower == NULL || p->upper == NULL || p->parameter == NULL || p->before == NULL ||
        p->pair == NULL || p->y == NULL || p->elastic == NULL || p->tape == NULL)
        return lithe_fail_memory(error, "a plan");
    lithe_hand_products(p->elastic);
    p->stages = (LitheStageProblem){
        hand->stages, n,        equations, inequalities, parameters, p->tape, p->parameter,
        p->lower,     p->upper, p->before, p->elastic,   NULL,       NULL,    NULL};
    for (int f = 0; f < LITHE_HAND_FINGERS; f++)
        lithe_hand_hold(&hand->task.finger[f], hand->task.gravity,
                        hand->angles + (ptrdiff_t)f * LITHE_HAND_LINKS,
                        p->hold + (ptrdiff_t)f * LITHE_HAND_LINKS);
    fill_start(p, x);
    return LITHE_OK;
}

void lithe_hand_end(LitheHandProblem *p) {
    lithe_tape_free(p->tape);
    lithe_free(p->context, p->lower);
    lithe_free(p->context, p->upper);
    lithe_free(p->context, p->parameter);
    lithe_free(p->context, p->before);
    lithe_free(p->context, p->pair);
    lithe_free(p->context, p->y);
    lithe_free(p->context, p->elastic);
    *p = (LitheHandProblem){.context = p->context};
}

// --- the start -----------------------------------------------------------------------------------

static const char *const contact_words[LITHE_HAND_CONTACTS] = {
    "the left tip",           "the right tip",
    "the first lower corner", "the second lower corner",
    "the first upper corner", "the second upper corner"};

static const char *user_row(const LitheHandTask *task, LitheUserKind kind, int32_t index,
                            char *buffer, size_t size) {
    snprintf(buffer, size, "constraint '%.200s'", lithe_user_terms_name(task->user, kind, index));
    return buffer;
}

// distances from obstacles, then inequalities of the user
static const char *further_row(const LitheHandTask *task, int32_t row, char *buffer, size_t size) {
    static const char *const words[LITHE_HAND_AWAY] = {"the left tip", "the right tip", "the box"};
    int32_t k = row / LITHE_HAND_AWAY;
    if (k >= task->obstacle_count)
        return user_row(task, LITHE_USER_INEQUALITY, row - LITHE_HAND_AWAY * task->obstacle_count,
                        buffer, size);
    snprintf(buffer, size, "the distance of %s from '%.80s'", words[row % LITHE_HAND_AWAY],
             task->obstacles[k].name);
    return buffer;
}

const char *lithe_hand_row(const LitheHandTask *task, int32_t row, char *buffer, size_t size) {
    enum { POSES = 2 * LITHE_HAND_JOINTS, TOUCHES = POSES + 6, TIPS = LITHE_TOUCH_ROWS };
    static const char *const box[6] = {"path of the box along x",   "path of the box along z",
                                       "turn of the box",           "motion of the box along x",
                                       "motion of the box along z", "rotation of the box"};
    static const char *const complements[LITHE_TOUCH_ROWS] = {
        "gap times normal force", "cone of friction", "slip inside of the cone", "slip forwards",
        "friction against slip",  "slip backwards",   "friction against slip"};
    const int32_t first = LITHE_HAND_EQUATIONS,
                  last = first + LITHE_TOUCH_ROWS * LITHE_HAND_CONTACTS;
    int32_t own = lithe_user_terms_count(task->user, LITHE_USER_EQUATION);
    if (row >= first && row < first + own)
        return user_row(task, LITHE_USER_EQUATION, row - first, buffer, size);
    row -= row >= first ? own : 0;
    if (row >= LITHE_HAND_EQUATIONS + LITHE_HAND_INEQUALITIES)
        return further_row(task, row - LITHE_HAND_EQUATIONS - LITHE_HAND_INEQUALITIES, buffer,
                           size);
    if (row < POSES)
        snprintf(buffer, size, "%s of joint %d of the %s finger",
                 row < LITHE_HAND_JOINTS ? "path" : "motion", row % LITHE_HAND_LINKS + 1,
                 row % LITHE_HAND_JOINTS < LITHE_HAND_LINKS ? "left" : "right");
    else if (row < TOUCHES)
        snprintf(buffer, size, "%s", box[row - POSES]);
    else if (row < first)
        snprintf(buffer, size, "%s of %s", (row - TOUCHES) % 2 == 0 ? "gap" : "slip",
                 contact_words[(row - TOUCHES) / 2]);
    else if (row < last)
        snprintf(buffer, size, "%s of %s", complements[(row - first) % TIPS],
                 contact_words[(row - first) / TIPS]);
    else
        snprintf(buffer, size, "height of %s", contact_words[row - last]);
    return buffer;
}

// nothing overlaps at the start, and all angles are within their bounds
static LitheStatus check_start(const Problem *p, LitheError *error) {
    enum { GAPS = 1 + 2 * LITHE_HAND_JOINTS + 6 };
    const LitheHand *hand = p->hand;
    const LitheHandBounds *b = &hand->bounds;
    int32_t heights = 1 + p->stages.equations + LITHE_HAND_INEQUALITIES - LITHE_HAND_FINGERS;
    for (int i = 0; i < LITHE_HAND_JOINTS; i++)
        if (!(hand->angles[i] >= b->lower[i] && hand->angles[i] <= b->upper[i]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "joint %d of the %s finger starts at %.4g rad from the vertical or "
                              "from the link before, must be from %.4g to %.4g rad",
                              i % LITHE_HAND_LINKS + 1, i < LITHE_HAND_LINKS ? "left" : "right",
                              hand->angles[i], b->lower[i], b->upper[i]);
    LitheTapeWork *work = lithe_tape_work_new(p->context, p->tape);
    if (work == NULL)
        return lithe_fail_memory(error, "a plan");
    const double *y = values_of(p, work, p->before, 0); // at rest, all gaps 0
    lithe_tape_work_free(work);
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        double gap = -y[GAPS + 2 * c];
        if (!(gap >= -1e-6))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s overlaps the %s by %.4g m at the start",
                              contact_words[c], c < LITHE_HAND_FINGERS ? "box" : "ground", -gap);
    }
    for (int f = 0; f < LITHE_HAND_FINGERS; f++)
        if (!(y[heights + f] >= 0))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s is in the ground at the start",
                              contact_words[f]);
    for (int32_t i = 0; i < LITHE_HAND_AWAY * hand->task.obstacle_count; i++) {
        char text[256];
        if (!(y[heights + LITHE_HAND_FINGERS + i] >= 0))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s is short by %.4g m at the start",
                              further_row(&hand->task, i, text, sizeof text),
                              -y[heights + LITHE_HAND_FINGERS + i]);
    }
    return LITHE_OK;
}

LitheStatus lithe_hand_begin(LitheContext *context, const LitheHand *hand, LitheHandProblem *to,
                             double *x, LitheError *error) {
    *to = (LitheHandProblem){.context = context, .hand = hand};
    LitheStatus status = begin(to, x, error);
    if (status == LITHE_OK)
        status = check_start(to, error);
    if (status != LITHE_OK)
        lithe_hand_end(to);
    return status;
}

// --- measures ------------------------------------------------------------------------------------

static double products_of(const LitheHandTask *task, const double *stage, LitheHandResult *result) {
    double most = 0;
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        const double *touch = stage + LITHE_HAND_TOUCH + (ptrdiff_t)c * LITHE_TOUCH_VARIABLES;
        const double *friction = touch + LITHE_TOUCH_FRICTION;
        double normal = touch[LITHE_TOUCH_NORMAL], slack = touch[LITHE_TOUCH_SLACK],
               slip = touch[LITHE_TOUCH_SLIP];
        double mu = c < LITHE_HAND_FINGERS ? task->tip_friction : task->ground_friction;
        most = fmax(most, touch[LITHE_TOUCH_GAP] * normal);
        most = fmax(most, (mu * normal - friction[0] - friction[1]) * slack);
        most = fmax(most, fmax((slack + slip) * friction[0], (slack - slip) * friction[1]));
        result->touching[c] += normal > 1e-3;
    }
    return most;
}

static LitheStatus measure(const Problem *p, const double *x, LitheHandResult *result,
                           LitheError *error) {
    int32_t n = p->stages.variables, equations = p->stages.equations;
    LitheTapeWork *work = lithe_tape_work_new(p->context, p->tape);
    if (work == NULL)
        return lithe_fail_memory(error, "a plan");
    for (int32_t k = 0; k < p->hand->stages; k++) {
        const double *y = values_of(p, work, x, k);
        for (int32_t i = 0; i < equations + p->stages.inequalities; i++) {
            bool equation = i < equations;
            double miss = equation ? fabs(y[1 + i]) : -y[1 + i];
            if (equation)
                result->equations = fmax(result->equations, miss);
            if (miss > result->worst) {
                result->worst = miss;
                result->worst_row = i;
                result->worst_stage = k;
            }
        }
        result->products =
            fmax(result->products, products_of(&p->hand->task, x + (int64_t)k * n, result));
    }
    lithe_tape_work_free(work);
    for (int32_t k = 0; k < p->hand->stages; k++) {
        double spin = x[(int64_t)k * n + LITHE_HAND_BOX_SPEED + 2];
        result->turn = fmax(result->turn, p->hand->task.step * fabs(spin));
    }
    const double *box = x + (int64_t)(p->hand->stages - 1) * n + LITHE_HAND_BOX;
    const double *target = p->hand->target;
    result->place = hypot(box[0] - target[0], box[1] - target[1]);
    result->angle = fabs(box[2] - target[2]);
    return LITHE_OK;
}

// --- solution ------------------------------------------------------------------------------------

static void follow(void *user, double barrier) {
    Solve *solve = user;
    const double *epsilon = solve->problem.hand->epsilon;
    lithe_hand_relax(&solve->problem, fmin(epsilon[0], fmax(epsilon[1], barrier)), solve->dynamic);
}

static bool report(void *user, const LitheInteriorState *state) {
    Solve *solve = user;
    const LitheHand *hand = solve->problem.hand;
    *(solve->dynamic ? &solve->result->state : &solve->result->kinematic) = *state;
    return hand->report == NULL || hand->report(hand->user, solve->dynamic, state);
}

// before the first level
static bool ends(void *user) {
    Solve *solve = user;
    const LitheHand *hand = solve->problem.hand;
    return lithe_clock() - solve->began > hand->seconds ||
           (hand->report != NULL && !hand->report(hand->user, false, &solve->result->kinematic));
}

static LitheInteriorEnd solve_level(Solve *solve, LitheInterior *interior, bool dynamic,
                                    double *x) {
    const LitheHand *hand = solve->problem.hand;
    LitheInteriorSetting setting = hand->setting;
    LitheInteriorState state;
    solve->dynamic = dynamic;
    lithe_hand_relax(&solve->problem, hand->epsilon[0], dynamic);
    setting.report = report;
    setting.user = solve;
    setting.seconds = fmin(setting.seconds, hand->seconds - (lithe_clock() - solve->began));
    setting.barrier = dynamic ? hand->epsilon[0] : 0.1;
    if (dynamic) {
        setting.relax = follow;
        setting.relaxed = solve;
    } else {
        setting.tolerance = fmax(setting.tolerance, 1e-2);
        setting.violation = fmax(setting.violation, 1e-4);
        setting.iterations = setting.iterations < 300 ? setting.iterations : 300;
    }
    return lithe_interior_solve(interior, &setting, x, &state);
}

LitheStatus lithe_hand_solve(LitheContext *context, const LitheHand *hand, double *x,
                             LitheHandResult *result, LitheError *error) {
    *result = (LitheHandResult){0};
    Solve solve = {.result = result, .began = lithe_clock()};
    Problem *p = &solve.problem;
    LitheInterior *interior = NULL;
    LitheStatus status = lithe_hand_begin(context, hand, p, x, error);
    if (status != LITHE_OK)
        return status;
    p->stages.ends = ends;
    p->stages.ends_user = &solve;
    status = lithe_interior_create(context, &p->stages, &interior, error);
    if (status == LITHE_OK) {
        result->end = solve_level(&solve, interior, false, x);
        if (result->end != LITHE_INTERIOR_STOPPED) {
            for (int32_t k = 0; k < hand->stages; k++)
                memcpy(x + (int64_t)k * p->stages.variables + LITHE_HAND_EFFORTS, p->hold,
                       sizeof p->hold);
            result->end = solve_level(&solve, interior, true, x);
        }
        result->seconds = lithe_clock() - solve.began;
        status = measure(p, x, result, error);
    }
    lithe_interior_destroy(interior);
    lithe_hand_end(p);
    return status;
}
