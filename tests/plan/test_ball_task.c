// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_ball_task.c - stages of an arm that turns a ball, and a short plan

#include "plan/turn.h"

#include "test.h"

enum { CHAMBERS = LITHE_PLAN_CHAMBERS };

typedef struct Stage {
    LitheContext *context;
    LitheBallTask model;
    LitheTape *tape;
    LitheTapeWork *work;
    int32_t n, outputs;
    double p[LITHE_BY_COUNT];
} Stage;

static bool stage_begin(Stage *stage, LitheBallTask model) {
    stage->context = lithe_context_create(NULL);
    stage->model = model;
    stage->tape = lithe_ball_task_tape(stage->context, &model);
    stage->n = lithe_ball_task_variables(&model);
    stage->outputs = 1 + lithe_ball_task_equations(&model) + lithe_ball_task_inequalities(&model);
    memset(stage->p, 0, sizeof stage->p);
    stage->p[LITHE_BY_DYNAMIC] = 1;
    stage->work = stage->tape != NULL ? lithe_tape_work_new(stage->context, stage->tape) : NULL;
    return stage->work != NULL;
}

static void stage_end(Stage *stage) {
    lithe_tape_work_free(stage->work);
    lithe_tape_free(stage->tape);
    CHECK(lithe_context_bytes(stage->context) == 0);
    lithe_context_destroy(stage->context);
}

// Mass matrix and weight of a bent arm, computed by an independent program with 8 nodes per section
// and checked with 30 digits; here the base is along z, so the weight acts along x.
TEST(inertia_and_weight_equal_reference_values) {
    static const double lengths[CHAMBERS] = {0.01, 0.02, 0.03, 0.0, 0.01, -0.01, 0.02, 0.02, 0.02};
    static const double weight[CHAMBERS] = {32.003710903942, -16.695456142736,  -16.764798739515,
                                            8.3453652679726, -4.5326363289989,  -5.1045059095526,
                                            1.0849047176999, -0.64301056617165, -0.75572583666758};
    static const double row[CHAMBERS] = {12.402223220001,  -5.9289495020556,  -5.8065447334213,
                                         4.6656109196771,  -2.2772211422619,  -2.2753855966984,
                                         0.76069403246646, -0.36739722690103, -0.3652905314657};
    Stage stage;
    LitheBallTask model = lithe_ball_task();
    memcpy(model.gravity, (const double[3]){9.81, 0, 0}, sizeof model.gravity);
    FATAL(stage_begin(&stage, model));
    double x[2 * 64] = {0}, y[128], with[128];
    memcpy(x + stage.n + LITHE_AT_LENGTHS, lengths, sizeof lengths);
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    for (int i = 0; i < CHAMBERS; i++)
        CHECK_NEAR(y[1 + CHAMBERS + i] / 0.1 - model.stiffness * lengths[i], weight[i], 1e-6);
    x[LITHE_AT_SPEEDS] = -1; // a change of the first speed by 1
    lithe_tape_values(stage.tape, stage.work, x, stage.p, with);
    for (int i = 0; i < CHAMBERS; i++)
        CHECK_NEAR((with[1 + CHAMBERS + i] - y[1 + CHAMBERS + i]) * model.step / 0.1, row[i], 1e-6);
    stage_end(&stage);
}

TEST(derivatives_of_a_stage_equal_differences) {
    Stage stage;
    FATAL(stage_begin(&stage, lithe_ball_task()));
    LithePattern rows = lithe_tape_jacobian_pattern(stage.tape);
    double x[128], up[128], down[128], y[128],
        *entries = malloc(sizeof(double) * (size_t)rows.count);
    for (int i = 0; i < 2 * stage.n; i++)
        x[i] = 0.1 + 0.05 * sin(2.7 * i);
    for (int i = 0; i < 4; i++)
        stage.p[LITHE_BY_TARGET + i] = 0.5;
    stage.p[LITHE_BY_LAST] = 1;
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    lithe_tape_jacobian(stage.tape, stage.work, entries);
    LitheTapeWork *other = lithe_tape_work_new(stage.context, stage.tape);
    for (int j = 0; j < 2 * stage.n; j++) {
        double keep = x[j], d = 1e-6;
        x[j] = keep + d;
        lithe_tape_values(stage.tape, other, x, stage.p, up);
        x[j] = keep - d;
        lithe_tape_values(stage.tape, other, x, stage.p, down);
        x[j] = keep;
        for (int i = 0; i < stage.outputs; i++) {
            double exact = 0, slope = (up[i] - down[i]) / (2 * d);
            for (int32_t e = rows.start[i]; e < rows.start[i + 1]; e++)
                if (rows.column[e] == j)
                    exact = entries[e];
            CHECK_NEAR(exact, slope, 1e-6 * (1 + fabs(slope)));
        }
    }
    lithe_tape_work_free(other);
    free(entries);
    stage_end(&stage);
}

// distance of a point (radius, height) from a disk with a rim of radius `rim`, about its centre
static double disk_distance(const LitheBallTask *model, double radius, double height) {
    double rim = model->disk_rim, out = fmax(0, radius - (model->disk_radius - rim)),
           up = fmax(0, fabs(height) - (model->disk_half - rim));
    return hypot(out, up) - rim;
}

// A straight arm; the ball is above the face, at the rim, beside the disk and behind it. The gap of
// the plan is smooth, that of a simulation is not: they differ by micrometres at most,
// and by nanometres where neither part of the distance begins.
TEST(the_gap_is_the_distance_from_a_disk_with_a_sharp_or_a_round_rim) {
    static const struct {
        double radius, height, rim, tolerance;
    } cases[] = {{0, 0.055, 0, 5e-9},        {0.03, 0.056, 0, 3e-8},     {0.05, 0.055, 0, 1e-6},
                 {0.052, 0.0535, 0, 1e-6},   {0.09, 0.04, 0, 5e-9},      {0.1, 0.005, 0, 1e-6},
                 {0.1, 0, 0, 1e-6},          {0.08, -0.05, 0, 5e-9},     {0, 0.055, 4e-3, 5e-9},
                 {0.046, 0.055, 4e-3, 1e-6}, {0.08, 0.05, 4e-3, 5e-9},   {0.1, 0.001, 4e-3, 1e-6},
                 {0.07, -0.06, 4e-3, 5e-9},  {0.1, 0.0001, 4.9e-3, 3e-6}};
    enum { GAP = 1 + 2 * CHAMBERS + 3 + 4 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Stage stage;
        LitheBallTask model = lithe_ball_task();
        model.disk_rim = cases[i].rim;
        double angle = 0.7 + (double)i;
        memcpy(model.centre,
               (const double[3]){cases[i].radius * cos(angle), cases[i].radius * sin(angle),
                                 0.45 + cases[i].height},
               sizeof model.centre);
        FATAL(stage_begin(&stage, model));
        double x[2 * 64] = {0}, y[128];
        lithe_tape_values(stage.tape, stage.work, x, stage.p, y); // of a gap variable of 0
        double gap = disk_distance(&model, cases[i].radius, cases[i].height) - model.ball_radius;
        CHECK_NEAR(-y[GAP], gap, cases[i].tolerance);
        stage_end(&stage);
    }
}

// The forces of Coriolis of a bent arm in motion, computed by the same program. The speeds do not
// change; the lengths are those of a short step about the reference.
TEST(forces_of_coriolis_equal_reference_values) {
    static const double lengths[CHAMBERS] = {0.01, 0.02, 0.03, 0.0, 0.01, -0.01, 0.02, 0.02, 0.02};
    static const double speeds[CHAMBERS] = {0.1, -0.2, 0.3, 0.1, 0.05, -0.1, 0.2, 0.1, 0.0};
    static const double forces[CHAMBERS] = {
        -5.3845014298108,  -4.2115314674859,  2.3437524823524,   -3.0176518130183, -1.6462984828359,
        -0.47322610486671, -0.76441383772085, -0.55267258644588, -0.43731311130833};
    Stage stage;
    LitheBallTask model = lithe_ball_task();
    memset(model.gravity, 0, sizeof model.gravity);
    model.step = 1e-5;
    model.coriolis = true;
    FATAL(stage_begin(&stage, model));
    double x[2 * 64] = {0}, y[128];
    for (int i = 0; i < CHAMBERS; i++) {
        x[LITHE_AT_SPEEDS + i] = x[stage.n + LITHE_AT_SPEEDS + i] = speeds[i];
        x[stage.n + LITHE_AT_LENGTHS + i] = lengths[i] + 0.5 * model.step * speeds[i];
        x[LITHE_AT_LENGTHS + i] = lengths[i] - 0.5 * model.step * speeds[i];
    }
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    for (int i = 0; i < CHAMBERS; i++) {
        double elastic = model.stiffness * x[stage.n + LITHE_AT_LENGTHS + i];
        CHECK_NEAR(y[1 + CHAMBERS + i] / 0.1 - elastic - model.damping * speeds[i], forces[i],
                   1e-3);
    }
    stage_end(&stage);
}

// kinematics, then relaxations that tighten; a short plan, coarse in time
TEST(an_arm_turns_a_ball_by_thirty_degrees) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTurn turn = lithe_turn_about(0, 10);
    turn.model.step = 0.08;
    turn.target[0] = cos(3.14159265358979 / 12);
    turn.target[1] = sin(3.14159265358979 / 12);
    double x[10 * 64] = {0};
    LitheTurnResult result;
    FATAL(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
    for (int i = 0; i < result.level_count; i++)
        printf("    measured: epsilon %g: %s, %d iterations, %d factors, cost %g\n",
               result.levels[i].epsilon, lithe_interior_end_text(result.levels[i].end),
               result.levels[i].state.iteration, result.levels[i].state.factors,
               result.levels[i].state.cost);
    CHECK(lithe_turn_converged(&result));
    CHECK_NEAR(result.error, 0, 1e-3);
    CHECK_NEAR(result.equations, 0, 1e-8);
    CHECK(result.products <= 1.02e-6);
    CHECK(result.touching > 0);
    CHECK(lithe_context_bytes(context) == 0);

    turn.model.exact = true; // the end is a constraint, not a cost
    FATAL(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
    CHECK(lithe_turn_converged(&result));
    CHECK_NEAR(result.error, 0, 1e-12);
    CHECK_NEAR(result.equations, 0, 1e-8);
    turn.model.exact = false;

    turn.model.centre[2] = 2; // far beyond the arm
    LitheError error = {0};
    CHECK(lithe_turn_solve(context, &turn, x, &result, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "cannot reach");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static bool stop_after(void *user, const LitheTurnLevel *level) {
    int32_t *left = user;
    (void)level;
    return --*left > 0;
}

// A stop returns the best point so far; a least force holds where the plan touches.
TEST(a_stop_keeps_the_best_plan_and_a_plan_presses) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTurn turn = lithe_turn_about(0, 5);
    turn.model.step = 0.08;
    turn.target[0] = cos(3.14159265358979 / 18);
    turn.target[1] = sin(3.14159265358979 / 18);
    double x[5 * 64] = {0}, violation[2];
    LitheTurnResult result;
    int32_t n = lithe_ball_task_variables(&turn.model);
    for (int i = 0; i < 2; i++) {
        int32_t left = i == 0 ? 2 : 12;
        turn.report = stop_after;
        turn.user = &left;
        FATAL(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
        CHECK(result.level_count == 1 && result.levels[0].end == LITHE_INTERIOR_STOPPED);
        CHECK(!lithe_turn_converged(&result));
        violation[i] = result.levels[0].state.violation;
    }
    CHECK(violation[1] < violation[0]);
    turn.report = NULL;
    turn.press = 0.5;
    FATAL(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
    CHECK(lithe_turn_converged(&result) && result.levels[result.level_count - 1].pressed);
    for (int32_t k = 0; k < 5; k++) {
        double force = x[k * n + LITHE_AT_NORMAL];
        CHECK(force < 0.05 || force > 0.5 - 1e-6);
    }
    turn.press = 0;
    turn.seconds = 0; // a limit of time is kept
    FATAL(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
    CHECK(result.level_count == 1 && result.levels[0].end == LITHE_INTERIOR_TIME);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
