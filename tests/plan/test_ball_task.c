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

// the disk at the tip and one in the middle, or one of them
static LitheBallTask touching(bool tip, bool middle) {
    LitheBallTask model = lithe_ball_task();
    const LitheTouchDisk disks[2] = {model.contact[0],
                                     {.name = "middle",
                                      .section = 1,
                                      .place = 0.75,
                                      .radius = 0.05,
                                      .half = 0.005,
                                      .rim = 0.005,
                                      .friction = 0.4}};
    model.contact_count = 0;
    if (tip)
        model.contact[model.contact_count++] = disks[0];
    if (middle)
        model.contact[model.contact_count++] = disks[1];
    return model;
}

// All contacts push arm and ball: what each does alone adds. Their own rows do not differ.
TEST(contacts_of_two_disks_add) {
    static const bool which[3][2] = {{true, false}, {false, true}, {true, true}};
    enum { MOTION = 2 * CHAMBERS + 3, ROWS = MOTION + 4 };
    double moved[3][MOTION] = {{0}};
    double gaps[3][2];
    for (int k = 0; k < 3; k++) {
        Stage stage;
        LitheBallTask model = touching(which[k][0], which[k][1]);
        FATAL(stage_begin(&stage, model));
        double x[2 * 64] = {0}, y[128], rest[128], *now = x + stage.n;
        for (int i = 0; i < CHAMBERS; i++)
            now[i] = 0.02 + 0.01 * sin(1.7 * i);
        lithe_tape_values(stage.tape, stage.work, x, stage.p, rest);
        for (int32_t c = 0; c < model.contact_count; c++) {
            bool middle = k == 1 || c == 1;
            double *own = now + lithe_ball_task_shift(&model, c);
            own[LITHE_AT_NORMAL] = middle ? 2 : 3;
            own[LITHE_AT_FRICTION + 1] = middle ? 0.7 : 1.1;
            gaps[c == 1 ? 1 : 0][middle] = rest[1 + ROWS + 3 * c];
        }
        lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
        for (int i = 0; i < MOTION; i++)
            moved[k][i] = y[1 + i] - rest[1 + i];
        stage_end(&stage);
    }
    double most = 0;
    for (int i = 0; i < MOTION; i++) {
        most = fmax(most, fmin(fabs(moved[0][i]), fabs(moved[1][i])));
        CHECK_NEAR(moved[2][i], moved[0][i] + moved[1][i], 1e-12);
    }
    CHECK(most > 0.01); // both act
    CHECK_NEAR(gaps[1][1], gaps[0][1], 1e-15);
}

static void check_derivatives(LitheBallTask model) {
    Stage stage;
    FATAL(stage_begin(&stage, model));
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

TEST(derivatives_of_a_stage_equal_differences) {
    check_derivatives(lithe_ball_task());
}

TEST(derivatives_of_a_stage_with_two_disks_equal_differences) {
    LitheBallTask model = touching(true, true);
    model.coriolis = true;
    check_derivatives(model);
}

TEST(rows_and_variables_of_two_disks_are_named) {
    LitheBallTask one = lithe_ball_task(), two = touching(true, true);
    const int32_t motion = 2 * CHAMBERS + 3 + 4, equations = lithe_ball_task_equations(&two),
                  each = 3 + 2 * two.directions;
    const struct {
        int32_t row;
        const char *text;
    } rows[] = {{motion, "gap of disk and ball of disk 'tip'"},
                {motion + 4, "slip along tangent 1 of disk 'middle'"},
                {equations, "product of gap and normal force of disk 'tip'"},
                {equations + each + 1, "cone of friction of disk 'middle'"},
                {equations + 2 * each - 1,
                 "product of slip and friction along direction 4 of disk 'middle'"}};
    char text[LITHE_PLAN_ROW_TEXT];
    const char *unit;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(strcmp(lithe_ball_task_row(&two, rows[i].row, text, sizeof text), rows[i].text) == 0);
    int32_t second = LITHE_AT_GAP + lithe_ball_task_shift(&two, 1);
    CHECK(strcmp(lithe_ball_task_variable(&two, second, text, sizeof text, &unit),
                 "gap of disk 'middle'") == 0);
    CHECK(strcmp(unit, "m") == 0);
    CHECK(strcmp(lithe_ball_task_row(&one, motion, text, sizeof text), "gap of disk and ball") ==
          0);
    one.exact = true;
    CHECK(strcmp(lithe_ball_task_row(&one, motion + 4, text, sizeof text),
                 "final orientation, component 2") == 0);
}

// distance of a point (radius, height) from a disk with a rim of radius `rim`, about its centre
static double disk_distance(const LitheBallTask *model, double radius, double height) {
    double rim = model->contact[0].rim, out = fmax(0, radius - (model->contact[0].radius - rim)),
           up = fmax(0, fabs(height) - (model->contact[0].half - rim));
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
        model.contact[0].rim = cases[i].rim;
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
