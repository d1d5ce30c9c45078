// SPDX-License-Identifier: Apache-2.0
// base/meter.c - the work of a step

#include "base/meter.h"

#include "base/clock.h"
#include "base/threads.h"

#include <stddef.h>

// s between two beats
#define BEAT_SECONDS 0.1

bool lithe_meter_begin(LitheMeter *meter, int64_t limit) {
    if (meter->active)
        return false;
    meter->active = true;
    meter->limit = limit;
    meter->thread = lithe_thread_self();
    meter->beat_due = meter->beat ? lithe_clock() + BEAT_SECONDS : 0;
    atomic_store_explicit(&meter->spent, 0, memory_order_relaxed);
    atomic_store_explicit(&meter->given_up, LITHE_GOES_ON, memory_order_relaxed);
    return true;
}

void lithe_meter_end(LitheMeter *meter, bool began) {
    meter->active = meter->active && !began;
}

static void beat(LitheMeter *meter) {
    if (meter->thread != lithe_thread_self() || lithe_clock() < meter->beat_due)
        return;
    meter->beat(meter->beat_user);
    meter->beat_due = lithe_clock() + BEAT_SECONDS;
}

bool lithe_meter_spend(LitheMeter *meter, int64_t work) {
    if (!meter || !meter->active)
        return false;
    if (lithe_meter_given_up(meter) != LITHE_GOES_ON)
        return true;
    int64_t spent = work + atomic_fetch_add_explicit(&meter->spent, work, memory_order_relaxed);
    if (meter->beat)
        beat(meter);
    LitheGivenUp why = meter->stop && *meter->stop                ? LITHE_STOP_REQUESTED
                       : meter->limit > 0 && spent > meter->limit ? LITHE_WORK_EXCEEDED
                                                                  : LITHE_GOES_ON;
    if (why != LITHE_GOES_ON)
        atomic_store_explicit(&meter->given_up, why, memory_order_relaxed);
    return why != LITHE_GOES_ON;
}
