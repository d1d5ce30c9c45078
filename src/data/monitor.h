// SPDX-License-Identifier: Apache-2.0
// data/monitor.h - data of a run that show whether its results can be trusted

#ifndef LITHE_DATA_MONITOR_H
#define LITHE_DATA_MONITOR_H

#include <stddef.h>
#include <stdint.h>

enum {
    LITHE_WARNED_UNCONVERGED = 1,
    LITHE_WARNED_ENERGY = 2,
    LITHE_WARNED_CONTACTS = 4,
    LITHE_WARNED_UNSTABLE = 8,
    LITHE_WARNED_SLIP = 16,
    LITHE_WARNED_GUARD = 32,
    LITHE_WARNED_CONSTRAINT = 64,
    LITHE_WARNED_CONSTRAINT_OFF = 128,
    LITHE_WARNED_HALTED = 256,
    LITHE_WARNED_INVERTED = 512,
    LITHE_STOPPED_INVERTED = 1024, // the run stopped for it
    LITHE_WARNED_SECTION = 2048,
    LITHE_WARNED_FRICTION = 4096,
    LITHE_UNSETTLED = 8192, // the friction of the last step did not settle
    LITHE_WARNED_STRAIN = 16384,
    LITHE_WARNED_YIELD = 32768,
    LITHE_WARNED_CARRIED = 65536,
};

/// The largest value of a quantity of rods so far, relative to the limit of its rod.
typedef struct LithePeakAt {
    double fraction; // value over limit; 0: none
    double time;     // s
    int64_t index;   // of the rod
    int64_t node;
} LithePeakAt;

/// Convergence and energy balance of the steps so far (advance/monitor.c). It is part of
/// checkpoints, so that an interrupted run is judged like an uninterrupted one. The struct has no
/// padding.
typedef struct LitheMonitor {
    int64_t begun;       // 0: nothing below is valid
    int64_t warned;      // LITHE_WARNED_..
    int64_t unconverged; // steps in a row that did not converge
    int64_t above;       // steps in a row whose gain is above the smaller warning level
    double balance;      // energy + losses - work after the last step [J]
    double lowest;       // the lowest balance so far [J]
    double gravity;      // potential energy of gravity at the start [J]
    double absorbed;     // by normal forces of contacts, at the start [J]
    double scale;        // largest energy, loss or work so far, minus the gain at that time [J]
    double gain;         // largest gain so far, divided by the scale at that time
    // in checkpoints since version 10; zero: not set yet
    double lowest_sum; // lowest energy, with that stored in contacts, minus work so far [J]
    double largest;    // largest kinetic or stored energy so far [J]
    // in checkpoints since version 11
    LithePeakAt strain, stress;
} LitheMonitor;

/// Bytes of LitheMonitor in checkpoints of all versions that have it.
#define LITHE_MONITOR_BYTES offsetof(LitheMonitor, lowest_sum)

#endif
