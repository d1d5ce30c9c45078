// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_receding.c - replans over a receding horizon

#include "plan/receding.h"

#include "base/memory.h"
#include "test.h"

// angle of the ball from its target, in degrees
static double angle_left(const LitheTurn *turn, const double *stage) {
    double inner = 0;
    for (int i = 0; i < 4; i++)
        inner += stage[LITHE_AT_QUATERNION + i] * turn->target[i];
    return 2 * acos(fmin(1, fabs(inner))) * 180 / M_PI;
}

// a short horizon: 10 steps of 80 ms
static LitheTurn short_turn(void) {
    LitheTurn turn = lithe_turn_about(0, 10);
    turn.model.step = 0.08;
    double half = 0.25; // 29 degrees
    turn.target[0] = cos(half);
    turn.target[1] = sin(half);
    return turn;
}

// The world does what the plan says; half-way the ball is turned back by 10 degrees.
LONG_TEST(replans_turn_the_ball_and_mend_a_knock) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTurn turn = short_turn();
    LitheReceding *receding;
    LitheError error = {0};
    FATAL(lithe_receding_create(context, &turn, &receding, &error) == LITHE_OK);
    double now[LITHE_AT_EFFORT] = {[LITHE_AT_QUATERNION] = 1};
    double lengths[LITHE_PLAN_CHAMBERS], hold[LITHE_PLAN_CHAMBERS], centre[3];
    double size = hypot(turn.touch[1], turn.touch[2]);
    for (int i = 0; i < 3; i++)
        centre[i] =
            turn.model.centre[i] -
            turn.touch[i] / size * (turn.model.ball_radius + turn.model.contact[0].half + 1e-3);
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        lengths[i] = 0.06;
    FATAL(lithe_ball_task_pose(context, &turn.model, centre, turn.touch, lengths, hold));
    memcpy(now + LITHE_AT_LENGTHS, lengths, sizeof lengths);
    double before = 0, knocked = 0, after = 0;
    int iterations = 0, failed = 0;
    for (int k = 0; k < 24; k++) {
        LitheReplan replan;
        const double *stage = lithe_receding_plan(receding, now, &replan);
        failed += !replan.usable;
        iterations += replan.iterations;
        memcpy(now, stage, sizeof now);
        before = k == 11 ? angle_left(&turn, now) : before;
        if (k == 11) {
            double *q = now + LITHE_AT_QUATERNION, w = q[0], x = q[1];
            double c = cos(0.0873), s = sin(0.0873);
            q[0] = c * w + s * x;
            q[1] = c * x - s * w;
            knocked = angle_left(&turn, now);
        }
        after = angle_left(&turn, now);
    }
    printf("    measured: %.2f degrees left, knocked to %.2f, %.2f at the end; %d iterations\n",
           before, knocked, after, iterations);
    CHECK(before < 3);
    CHECK(knocked > 7);
    CHECK(after < 3);
    CHECK(failed <= 2);
    lithe_receding_destroy(receding);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(failures_of_memory_leave_nothing) {
    LitheTurn turn = short_turn();
    turn.stages = 2;
    bool made = false;
    int64_t n = 1;
    for (; n < 2000 && !made; n += 7) {
        LitheContext *context = lithe_context_create(NULL);
        lithe_context_fail_at(context, n);
        LitheReceding *receding;
        made = lithe_receding_create(context, &turn, &receding, NULL) == LITHE_OK;
        lithe_receding_destroy(receding);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
    CHECK(made && n > 20);
}
