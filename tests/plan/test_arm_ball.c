// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_arm_ball.c - stages of an arm that turns a ball, and a short plan

#include "plan/arm_ball.h"

#include "test.h"

enum { CHAMBERS = LITHE_PLAN_CHAMBERS };

typedef struct Stage {
    LitheContext *context;
    LitheArmBall model;
    LitheTape *tape;
    LitheTapeWork *work;
    int32_t n, outputs;
    double p[LITHE_BY_COUNT];
} Stage;

static bool stage_begin(Stage *stage, LitheArmBall model) {
    stage->context = lithe_context_create(NULL);
    stage->model = model;
    stage->tape = lithe_arm_ball_tape(stage->context, &model);
    stage->n = lithe_arm_ball_variables(&model);
    stage->outputs = 1 + lithe_arm_ball_equations() + lithe_arm_ball_inequalities(&model);
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
    LitheArmBall model = lithe_arm_ball();
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
    FATAL(stage_begin(&stage, lithe_arm_ball()));
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

// --- a plan
// ------------------------------------------------------------------------------------------

enum { STAGES = 10 };

typedef struct Plan {
    double lower[STAGES * 64], upper[STAGES * 64], x[STAGES * 64], p[STAGES * LITHE_BY_COUNT];
    double before[64], target[4], hold[CHAMBERS];
} Plan;

static void bounds_of(int32_t i, double *lower, double *upper) {
    double most = i < LITHE_AT_SPEEDS       ? 0.16
                  : i < LITHE_AT_QUATERNION ? 2
                  : i < LITHE_AT_SPIN       ? 1.2
                  : i < LITHE_AT_EFFORT     ? 6
                  : i < LITHE_AT_NORMAL     ? 80
                  : i == LITHE_AT_GAP       ? 10
                  : i < LITHE_AT_GAP        ? 50
                  : i < LITHE_AT_SLACK      ? 20
                                            : 50;
    bool positive = i == LITHE_AT_NORMAL || i == LITHE_AT_GAP || i >= LITHE_AT_SLACK;
    *upper = most;
    *lower = positive ? 0 : i < LITHE_AT_SPEEDS ? -0.06 : -most;
}

static void start_of(Plan *plan, const Stage *stage, const double *lengths) {
    for (int k = 0; k < STAGES; k++) {
        double *x = plan->x + k * stage->n, *p = plan->p + k * LITHE_BY_COUNT;
        for (int32_t i = 0; i < stage->n; i++)
            bounds_of(i, &plan->lower[k * stage->n + i], &plan->upper[k * stage->n + i]);
        memcpy(x, lengths, CHAMBERS * sizeof *x);
        memcpy(x + LITHE_AT_EFFORT, plan->hold, sizeof plan->hold);
        x[LITHE_AT_QUATERNION] = 1;
        x[LITHE_AT_NORMAL] = 1;
        x[LITHE_AT_GAP] = 1e-3;
        memcpy(p + LITHE_BY_TARGET, plan->target, sizeof plan->target);
        memcpy(p + LITHE_BY_HOLD, plan->hold, sizeof plan->hold);
        p[LITHE_BY_LAST] = k == STAGES - 1;
        p[LITHE_BY_DYNAMIC] = 1;
    }
    memcpy(plan->before, lengths, CHAMBERS * sizeof *lengths);
    plan->before[LITHE_AT_QUATERNION] = 1;
}

// epsilon falls; every problem starts at the solution of the one before
TEST(an_arm_turns_a_ball_by_thirty_degrees) {
    Stage stage;
    LitheArmBall model = lithe_arm_ball();
    model.step = 0.08;
    FATAL(stage_begin(&stage, model));
    static Plan plan;
    const double axis[3] = {0, 0.55, 0.835};
    double lengths[CHAMBERS], centre[3];
    for (int i = 0; i < 3; i++)
        centre[i] =
            model.centre[i] - axis[i] / 0.99986 * (model.ball_radius + model.disk_half + 1e-3);
    for (int i = 0; i < CHAMBERS; i++)
        lengths[i] = 0.06;
    FATAL(lithe_arm_ball_pose(stage.context, &model, centre, axis, lengths, plan.hold));
    plan.target[0] = cos(3.14159265358979 / 12);
    plan.target[1] = sin(3.14159265358979 / 12);
    start_of(&plan, &stage, lengths);
    LitheStageProblem problem = {STAGES,
                                 stage.n,
                                 lithe_arm_ball_equations(),
                                 lithe_arm_ball_inequalities(&model),
                                 LITHE_BY_COUNT,
                                 stage.tape,
                                 plan.p,
                                 plan.lower,
                                 plan.upper,
                                 plan.before};
    LitheInterior *interior;
    FATAL(lithe_interior_create(stage.context, &problem, &interior, NULL) == LITHE_OK);
    LitheInteriorSetting setting = lithe_interior_setting();
    LitheInteriorState state;
    double last = 1e-6;
    const double levels[3] = {1e-2, 1e-4, last};
    for (int level = 0; level < 3; level++) {
        for (int k = 0; k < STAGES; k++)
            plan.p[k * LITHE_BY_COUNT + LITHE_BY_EPSILON] = levels[level];
        setting.barrier = level == 0 ? 0.1 : levels[level];
        setting.warm = level > 0;
        LitheInteriorEnd end = lithe_interior_solve(interior, &setting, plan.x, &state);
        printf("    measured: epsilon %g: %s, %d iterations, %d factors, cost %g\n", levels[level],
               lithe_interior_end_text(end), state.iteration, state.factors, state.cost);
        CHECK(end == LITHE_INTERIOR_CONVERGED);
    }
    // the ball has turned, the products are small, the equations hold: by values of this test
    double inner = 0, y[128], pair[128];
    for (int i = 0; i < 4; i++)
        inner += plan.x[(STAGES - 1) * stage.n + LITHE_AT_QUATERNION + i] * plan.target[i];
    CHECK_NEAR(1 - inner * inner, 0, 1e-3);
    for (int k = 0; k < STAGES; k++) {
        const double *own = plan.x + k * stage.n;
        size_t bytes = (size_t)stage.n * sizeof *own;
        memcpy(pair, k > 0 ? own - stage.n : plan.before, bytes);
        memcpy(pair + stage.n, own, bytes);
        lithe_tape_values(stage.tape, stage.work, pair, plan.p + k * LITHE_BY_COUNT, y);
        for (int i = 0; i < lithe_arm_ball_equations(); i++)
            CHECK_NEAR(y[1 + i], 0, 1e-8);
        CHECK(own[LITHE_AT_GAP] * own[LITHE_AT_NORMAL] <= last * 1.02);
        double pushed = 0;
        for (int j = 0; j < model.directions; j++)
            pushed += own[LITHE_AT_FRICTION + j];
        CHECK(pushed <= model.friction * own[LITHE_AT_NORMAL] + 1e-8);
    }
    lithe_interior_destroy(interior);
    stage_end(&stage);
}
