// SPDX-License-Identifier: Apache-2.0
// advance/ladder.c - the fallbacks of a substep, as a table
//
// The first row that fits a reason and an attempt says what follows; a reason without a row is
// accepted. In this order: TR-BDF2 falls back to backward Euler, in a hit to halves (T31); a
// substep is halved, with some patience where the result could be used; the smallest one has held
// contacts (Z6) where things would cross, and stronger regularisation (V32) where the solve did not
// converge.

#include "advance/ladder.h"

#include "advance/hit.h"

#include <stddef.h>

// halvings after which a reason is accepted
#define POOR_PATIENCE 3
#define INVERTED_PATIENCE 3
#define ENERGY_PATIENCE 10
#define HIT_PATIENCE LITHE_HIT_CUTS
#define NO_PATIENCE INT32_MAX

// the strongest regularisation that is tried; with the defaults a stick speed of 1e-4 m/s and beta
// 1. With more, things would visibly slide and sink in
#define SOFTEST 1e4

// traits of an attempt
enum {
    STAGED = 1,       // made by stages
    EULER = 2,        // by backward Euler in place of another scheme
    HELD = 4,         // with held contacts
    SOFT = 8,         // with stronger regularisation
    SOFTEST_YET = 16, // with the strongest
    MENDS = 32,       // for an attempt that failed
    SETTLES = 64,     // takes what it gets
    SLOW = 128,       // with slow constraints
    SMALLEST = 256,   // not halved
    HITS = 1024,      // too long for a hit
    REGULARISED = 512 // could have stronger regularisation
};

#define BIT(reason) (1u << LITHE_REASON_##reason)
#define JUDGED_LATER (BIT(ERROR) | BIT(BROKE))
#define UNSOLVED (BIT(CROSSING) | BIT(FAILED) | BIT(POOR) | BIT(UNCONVERGED))

typedef enum Step { HALVE, STOP, BY_EULER, HOLD, SOFTEN, SETTLE, SLOWER } Step;

typedef struct Row {
    unsigned reasons;
    unsigned with, without; // traits that the attempt has, and has not
    int32_t patience;       // the row holds below this number of halvings
    Step next;
} Row;

static const Row rows[] = {
    {BIT(INVERTED) | BIT(REFUSED) | BIT(ENERGY) | BIT(HIT), STAGED | HITS, SMALLEST, HIT_PATIENCE,
     HALVE},
    {~JUDGED_LATER, STAGED, 0, NO_PATIENCE, BY_EULER},
    {BIT(LIMIT), 0, EULER | HELD | SOFT | SETTLES, NO_PATIENCE, BY_EULER},
    // an attempt with stronger regularisation must be without fault
    {UNSOLVED, SOFT, SOFTEST_YET, NO_PATIENCE, SOFTEN},
    {UNSOLVED, SOFT | MENDS, 0, NO_PATIENCE, STOP},
    {UNSOLVED, SOFT, 0, NO_PATIENCE, SETTLE},
    {BIT(CROSSING), SMALLEST, HELD, NO_PATIENCE, HOLD},
    {BIT(CROSSING), SMALLEST, 0, NO_PATIENCE, STOP},
    {BIT(FAILED), SMALLEST | REGULARISED, HELD | SETTLES, NO_PATIENCE, SOFTEN},
    {BIT(FAILED), SMALLEST, 0, NO_PATIENCE, STOP},
    {BIT(CROSSING) | BIT(FAILED), 0, 0, NO_PATIENCE, HALVE},
    {BIT(POOR), 0, SMALLEST, POOR_PATIENCE, HALVE},
    {BIT(POOR), SMALLEST | REGULARISED, HELD | SETTLES, NO_PATIENCE, SOFTEN},
    {BIT(CONSTRAINTS), 0, SLOW, NO_PATIENCE, SLOWER},
    {BIT(REFUSED), SMALLEST, 0, NO_PATIENCE, STOP},
    {BIT(REFUSED), 0, 0, NO_PATIENCE, HALVE},
    {BIT(INVERTED), 0, SMALLEST, INVERTED_PATIENCE, HALVE},
    {BIT(ENERGY), 0, SMALLEST, ENERGY_PATIENCE, HALVE},
    {JUDGED_LATER, 0, SMALLEST, NO_PATIENCE, HALVE},
};

static unsigned traits_of(const LitheAttempt *attempt, const LitheRungs *rungs) {
    bool soft = attempt->soften > 1;
    return (rungs->staged && !attempt->euler ? STAGED : 0u) | (attempt->euler ? EULER : 0u) |
           (attempt->held ? HELD : 0u) | (soft ? SOFT : 0u) |
           (attempt->soften >= SOFTEST ? SOFTEST_YET : 0u) | (attempt->mends ? MENDS : 0u) |
           (attempt->settles ? SETTLES : 0u) | (attempt->slow ? SLOW : 0u) |
           (rungs->smallest ? SMALLEST : 0u) | (rungs->hits ? HITS : 0u) |
           (rungs->regularises ? REGULARISED : 0u);
}

static LitheNext take(Step step, LitheReason reason, const LitheAttempt *from, LitheAttempt *next) {
    if (step == HALVE || step == STOP)
        return step == HALVE ? LITHE_NEXT_HALVE : LITHE_NEXT_STOP;
    *next = lithe_plain_attempt(from->h);
    next->euler = from->euler || step == BY_EULER;
    next->slow = from->slow || step == SLOWER;
    next->held = step == HOLD;
    next->settles = step == SETTLE;
    if (step == SOFTEN) {
        next->soften = 10 * from->soften;
        next->mends = from->soften > 1 ? from->mends : reason == LITHE_REASON_FAILED;
    }
    return LITHE_NEXT_AGAIN;
}

LitheNext lithe_ladder_next(LitheReason reason, const LitheAttempt *attempt,
                            const LitheRungs *rungs, LitheAttempt *next) {
    unsigned traits = traits_of(attempt, rungs);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        if ((row->reasons >> reason & 1) && (traits & row->with) == row->with &&
            !(traits & row->without) && rungs->halvings < row->patience)
            return take(row->next, reason, attempt, next);
    }
    return LITHE_NEXT_ACCEPT;
}
