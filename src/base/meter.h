// SPDX-License-Identifier: Apache-2.0
// base/meter.h - the work of a step: counted, and given up when a stop is requested
//
// Long loops spend their work as they go and end when it is given up. What they leave then is not
// used: the step is taken back as a whole. Work counts evaluations of DoFs and tests of pairs,
// never seconds, so that a limit of work ends the same step on every machine. Before and after the
// work, in what reads its result, loops are never given up.

#ifndef LITHE_BASE_METER_H
#define LITHE_BASE_METER_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/// Why work is given up.
typedef enum LitheGivenUp {
    LITHE_GOES_ON,
    LITHE_STOP_REQUESTED,
    LITHE_WORK_EXCEEDED,
} LitheGivenUp;

typedef struct LitheMeter {
    const volatile sig_atomic_t *stop; // non-zero: a stop is requested; or NULL
    void (*beat)(void *user);          // called within long work, several times per second, by the
                                       // thread that began it; it may request the stop; or NULL
    void *beat_user;
    int64_t limit;       // of work; 0: any
    double search_limit; // of a search for an equilibrium: iterations times couplings

    bool active; // between begin and end
    atomic_llong spent;
    atomic_int given_up;
    uintptr_t thread; // that began the work
    double beat_due;  // by lithe_clock [s]
} LitheMeter;

/// Begins work with a limit; 0: any. False: it is part of work that has begun, whose caller ends
/// it.
bool lithe_meter_begin(LitheMeter *meter, int64_t limit);

/// Ends work for which lithe_meter_begin returned `began`.
void lithe_meter_end(LitheMeter *meter, bool began);

/// Adds work. True: it is given up. `meter` may be NULL: goes on.
bool lithe_meter_spend(LitheMeter *meter, int64_t work);

/// Whether some loop gave its work up, and why. `meter` may be NULL.
static inline LitheGivenUp lithe_meter_given_up(LitheMeter *meter) {
    return meter ? (LitheGivenUp)atomic_load_explicit(&meter->given_up, memory_order_relaxed)
                 : LITHE_GOES_ON;
}

#endif
