// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_ladder.c - what follows a substep that is not accepted

#include "advance/ladder.h"
#include "test.h"

#include <string.h>

static const LitheRungs free_rungs = {.staged = true, .regularises = true};
static const LitheRungs smallest = {
    .staged = true, .regularises = true, .smallest = true, .halvings = 10};

static LitheAttempt by_euler(void) {
    LitheAttempt attempt = lithe_plain_attempt(1e-3);
    attempt.euler = true;
    return attempt;
}

TEST(every_fault_of_stages_leads_to_backward_euler_of_the_same_length) {
    LitheAttempt staged = lithe_plain_attempt(1e-3);
    for (LitheReason r = LITHE_REASON_LIMIT; r <= LITHE_REASON_HIT; r++)
        for (int k = 0; k < 2; k++) {
            LitheAttempt next = {0};
            CHECK(lithe_ladder_next(r, &staged, k ? &smallest : &free_rungs, &next) ==
                  LITHE_NEXT_AGAIN);
            CHECK(next.euler && next.h == staged.h && next.soften == 1 && !next.held && !next.slow);
        }
}

TEST(a_hit_that_a_step_in_stages_does_not_resolve_is_halved_eight_times) {
    LitheAttempt staged = lithe_plain_attempt(1e-3), next;
    LitheRungs rungs = free_rungs;
    rungs.hits = true;
    for (rungs.halvings = 0; rungs.halvings < 12; rungs.halvings++)
        for (LitheReason r = LITHE_REASON_INVERTED; r <= LITHE_REASON_HIT; r++)
            CHECK(lithe_ladder_next(r, &staged, &rungs, &next) ==
                  (rungs.halvings < 8 ? LITHE_NEXT_HALVE : LITHE_NEXT_AGAIN));
    // a crossing is no error of the energy
    rungs.halvings = 0;
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &staged, &rungs, &next) == LITHE_NEXT_AGAIN);
}

TEST(a_crossing_is_halved_then_held_then_stops) {
    LitheAttempt attempt = by_euler(), next;
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &attempt, &free_rungs, &next) ==
          LITHE_NEXT_HALVE);
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &attempt, &smallest, &next) == LITHE_NEXT_AGAIN);
    CHECK(next.held && next.euler && next.soften == 1);
    attempt = next;
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &attempt, &smallest, &next) == LITHE_NEXT_STOP);
    CHECK(lithe_ladder_next(LITHE_REASON_FAILED, &attempt, &smallest, &next) == LITHE_NEXT_STOP);
    CHECK(lithe_ladder_next(LITHE_REASON_POOR, &attempt, &smallest, &next) == LITHE_NEXT_ACCEPT);
}

// the regularisations that are tried while the solve stays as it is; `end` is what follows the last
static int softened(LitheReason reason, const LitheRungs *rungs, LitheAttempt *attempt,
                    LitheNext *end) {
    int count = 0;
    double soften = 1;
    LitheAttempt next = *attempt;
    while ((*end = lithe_ladder_next(reason, attempt, rungs, &next)) == LITHE_NEXT_AGAIN &&
           next.soften > 1) {
        soften *= 10;
        CHECK(next.soften == soften && next.euler == attempt->euler);
        *attempt = next;
        count++;
    }
    if (*end == LITHE_NEXT_AGAIN)
        *attempt = next;
    return count;
}

TEST(a_smallest_substep_is_regularised_in_steps_of_ten_up_to_ten_thousand) {
    LitheAttempt attempt = by_euler(), next;
    LitheNext end;
    CHECK(softened(LITHE_REASON_POOR, &smallest, &attempt, &end) == 4);
    CHECK(end == LITHE_NEXT_AGAIN && attempt.settles && attempt.soften == 1);
    // the poor solution is taken, but nothing that fails or crosses
    CHECK(lithe_ladder_next(LITHE_REASON_POOR, &attempt, &smallest, &next) == LITHE_NEXT_ACCEPT);
    CHECK(lithe_ladder_next(LITHE_REASON_FAILED, &attempt, &smallest, &next) == LITHE_NEXT_STOP);
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &attempt, &smallest, &next) ==
              LITHE_NEXT_AGAIN &&
          next.held);
    // one that failed has no solution to take
    attempt = by_euler();
    CHECK(softened(LITHE_REASON_FAILED, &smallest, &attempt, &end) == 4);
    CHECK(end == LITHE_NEXT_STOP && attempt.soften == 1e4);
    // contact models without a regularisation have no such attempts
    LitheRungs hard = smallest;
    hard.regularises = false;
    attempt = by_euler();
    CHECK(softened(LITHE_REASON_FAILED, &hard, &attempt, &end) == 0 && end == LITHE_NEXT_STOP);
    CHECK(softened(LITHE_REASON_POOR, &hard, &attempt, &end) == 0 && end == LITHE_NEXT_ACCEPT);
}

// halvings after which a substep that could be halved is accepted with this fault; -1: never
static int patience(LitheReason reason) {
    LitheAttempt attempt = by_euler(), next;
    attempt.slow = true;
    LitheRungs rungs = free_rungs;
    for (int k = 0; k < 100; k++) {
        rungs.halvings = k;
        if (lithe_ladder_next(reason, &attempt, &rungs, &next) == LITHE_NEXT_ACCEPT)
            return k;
    }
    return -1;
}

TEST(patience_is_as_documented) {
    CHECK(patience(LITHE_REASON_POOR) == 3 && patience(LITHE_REASON_INVERTED) == 3);
    CHECK(patience(LITHE_REASON_ENERGY) == 10);
    CHECK(patience(LITHE_REASON_CROSSING) == -1 && patience(LITHE_REASON_FAILED) == -1);
    CHECK(patience(LITHE_REASON_REFUSED) == -1 && patience(LITHE_REASON_ERROR) == -1);
}

TEST(constraints_are_slowed_once_and_the_other_choices_stay) {
    LitheAttempt attempt = by_euler(), next = {0};
    CHECK(lithe_ladder_next(LITHE_REASON_CONSTRAINTS, &attempt, &free_rungs, &next) ==
          LITHE_NEXT_AGAIN);
    CHECK(next.slow && next.euler && next.soften == 1);
    attempt = next;
    CHECK(lithe_ladder_next(LITHE_REASON_CONSTRAINTS, &attempt, &free_rungs, &next) ==
          LITHE_NEXT_ACCEPT);
    CHECK(lithe_ladder_next(LITHE_REASON_CROSSING, &attempt, &smallest, &next) == LITHE_NEXT_AGAIN);
    CHECK(next.slow && next.held);
}

TEST(no_sequence_of_faults_lasts_for_ever) {
    // each attempt has the fault that makes the longest chain: all sequences, to a depth
    int longest = 0;
    for (int scheme = 0; scheme < 2; scheme++) {
        LitheRungs rungs = smallest;
        rungs.staged = scheme == 1;
        for (long sequence = 0; sequence < 200000; sequence++) {
            LitheAttempt attempt = lithe_plain_attempt(1);
            long left = sequence * 7919 + 13;
            int count = 0;
            for (; count < 40; count++) {
                LitheAttempt next = attempt;
                LitheReason reason = LITHE_REASON_LIMIT + (LitheReason)(left % 10);
                left = left / 10 + (left % 10 == 0 ? sequence * 31 + 5 : 0);
                if (lithe_ladder_next(reason, &attempt, &rungs, &next) != LITHE_NEXT_AGAIN)
                    break;
                attempt = next;
            }
            longest = count > longest ? count : longest;
        }
    }
    printf("  at most %d attempts of a substep\n", longest + 1);
    CHECK(longest < 20);
}
