// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_hand.c - stages of two fingers that turn a box, and a plan

#include "plan/hand.h"

#include "test.h"

enum {
    N = LITHE_HAND_VARIABLES,
    OUTPUTS = 1 + LITHE_HAND_EQUATIONS + LITHE_HAND_INEQUALITIES,
    MOTION = 1 + LITHE_HAND_JOINTS, // outputs: torques of the joints
    BOX_MOTION = 1 + 2 * LITHE_HAND_JOINTS + 3,
    TOUCH = 1 + 2 * LITHE_HAND_JOINTS + 6, // gap and slip of each contact
};

typedef struct Stage {
    LitheContext *context;
    LitheHandTask task;
    LitheTape *tape;
    LitheTapeWork *work;
    double p[LITHE_HAND_BY_COUNT];
} Stage;

static bool stage_begin(Stage *stage) {
    stage->context = lithe_context_create(NULL);
    stage->task = lithe_hand_task();
    stage->tape = lithe_hand_task_tape(stage->context, &stage->task);
    memset(stage->p, 0, sizeof stage->p);
    stage->p[LITHE_HAND_BY_DYNAMIC] = 1;
    stage->work = stage->tape != NULL ? lithe_tape_work_new(stage->context, stage->tape) : NULL;
    return stage->work != NULL;
}

static void stage_end(Stage *stage) {
    lithe_tape_work_free(stage->work);
    lithe_tape_free(stage->tape);
    CHECK(lithe_context_bytes(stage->context) == 0);
    lithe_context_destroy(stage->context);
}

// the double pendulum of textbooks: M(q) dv/h + weight, with the box far away
TEST(fingers_have_the_inertia_and_weight_of_a_double_pendulum) {
    Stage stage;
    FATAL(stage_begin(&stage));
    const LitheHandFinger *f = &stage.task.finger[1];
    double x[2 * N] = {0}, y[OUTPUTS], hold[2], h = stage.task.step, g = stage.task.gravity;
    const double q[2] = {0.4, -0.9}, dv[2] = {0.7, -0.3};
    x[LITHE_HAND_BOX] = x[N + LITHE_HAND_BOX] = 5;
    for (int i = 0; i < 2; i++) {
        x[LITHE_HAND_ANGLES + 2 + i] = x[N + LITHE_HAND_ANGLES + 2 + i] = q[i];
        x[N + LITHE_HAND_SPEEDS + 2 + i] = dv[i];
    }
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    double a = f->length[0], c1 = f->centre[0], c2 = f->centre[1], m1 = f->mass[0], m2 = f->mass[1];
    double cross = m2 * a * c2 * cos(q[1]), inner = f->inertia[1] + m2 * c2 * c2;
    double m[2][2] = {
        {f->inertia[0] + m1 * c1 * c1 + m2 * a * a + inner + 2 * cross, inner + cross},
        {inner + cross, inner}};
    lithe_hand_hold(f, g, q, hold);
    for (int i = 0; i < 2; i++) {
        double torque = (m[i][0] * dv[0] + m[i][1] * dv[1]) / h + hold[i] + f->damping[i] * dv[i];
        CHECK_NEAR(y[MOTION + 2 + i], torque, 1e-12);
    }
    double weight = m2 * g * c2 * sin(q[0] + q[1]);
    CHECK_NEAR(hold[1], weight, 1e-15);
    CHECK_NEAR(hold[0], weight + g * (m2 * a + m1 * c1) * sin(q[0]), 1e-15);
    stage_end(&stage);
}

// free of contacts the box falls; gaps of corners and tips are those of the geometry
TEST(a_box_falls_and_gaps_are_distances) {
    Stage stage;
    FATAL(stage_begin(&stage));
    double x[2 * N] = {0}, y[OUTPUTS], h = stage.task.step;
    double *now = x + N, place[2] = {0.1 - 0.05 - 0.012 - 0.02, 0.2};
    FATAL(lithe_hand_reach(&stage.task.finger[0], place, 1, now + LITHE_HAND_ANGLES));
    now[LITHE_HAND_BOX] = 0.1;
    now[LITHE_HAND_BOX + 1] = 0.2;
    now[LITHE_HAND_BOX_SPEED + 1] = -stage.task.gravity * h;
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(y[BOX_MOTION + i], 0, 1e-12);
    // gap variables are 0: the outputs are minus the gaps; edges are rounded by 1 mm
    CHECK_NEAR(-y[TOUCH], 0.02, 1e-4);
    for (int c = 0; c < LITHE_HAND_CORNERS; c++)
        CHECK_NEAR(-y[TOUCH + 2 * (LITHE_HAND_FINGERS + c)], c & 2 ? 0.25 : 0.15, 1e-12);
    CHECK(!lithe_hand_reach(&stage.task.finger[0], (const double[2]){0.4, 0}, 1, now));
    stage_end(&stage);
}

TEST(derivatives_of_a_stage_of_a_hand_equal_differences) {
    Stage stage;
    FATAL(stage_begin(&stage));
    LithePattern rows = lithe_tape_jacobian_pattern(stage.tape);
    double x[2 * N], up[OUTPUTS], down[OUTPUTS], y[OUTPUTS];
    double *entries = malloc(sizeof(double) * (size_t)rows.count);
    FATAL(entries != NULL);
    for (int i = 0; i < 2 * N; i++)
        x[i] = 0.1 + 0.3 * sin(2.7 * i);
    stage.p[LITHE_HAND_BY_LAST] = 1;
    lithe_tape_values(stage.tape, stage.work, x, stage.p, y);
    lithe_tape_jacobian(stage.tape, stage.work, entries);
    LitheTapeWork *other = lithe_tape_work_new(stage.context, stage.tape);
    for (int j = 0; j < 2 * N; j++) {
        double keep = x[j], d = 1e-6;
        x[j] = keep + d;
        lithe_tape_values(stage.tape, other, x, stage.p, up);
        x[j] = keep - d;
        lithe_tape_values(stage.tape, other, x, stage.p, down);
        x[j] = keep;
        for (int i = 0; i < OUTPUTS; i++) {
            double exact = 0, slope = (up[i] - down[i]) / (2 * d);
            for (int32_t e = rows.start[i]; e < rows.start[i + 1]; e++)
                if (rows.column[e] == j)
                    exact = entries[e];
            CHECK_NEAR(exact, slope, 2e-6 * (1 + fabs(slope)));
        }
    }
    lithe_tape_work_free(other);
    free(entries);
    stage_end(&stage);
}

LONG_TEST(two_fingers_turn_a_box_by_90_degrees) {
    LitheContext *context = lithe_context_create(NULL);
    enum { STAGES = 25 };
    LitheHand hand = lithe_hand_turn(STAGES);
    double *x = malloc(sizeof(double) * STAGES * N);
    LitheHandResult result;
    FATAL(x != NULL);
    FATAL(lithe_hand_solve(context, &hand, x, &result, NULL) == LITHE_OK);
    printf("%d + %d iterations, %.3g mm, %.3g rad, products %.3g\n", result.kinematic.iteration,
           result.state.iteration, 1e3 * result.place, result.angle, result.products);
    CHECK(result.end == LITHE_INTERIOR_CONVERGED);
    CHECK(result.place < 5e-3 && result.angle < 0.035);
    CHECK(result.products <= 1.02e-6 && result.equations <= 1e-8);
    CHECK(result.touching[0] > 0 && result.touching[LITHE_HAND_FINGERS + 1] > 0);
    free(x);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
