// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds.c - many random worlds: crashes, silent failures, stops, rises of the energy
//
// Each world that fails or stops leaves its scene file in FOLDER/worlds, with the command that runs
// it in its first line.

#include "cli/validate/worlds.h"
#include "cli/validate/apart.h"
#include "cli/validate/stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// counts of many worlds
typedef struct Tally {
    int64_t worlds, crashes, silent, stops, reported, warned;
    int64_t steps, trips;
    double energy; // largest rise in a world that did not report it
    double seconds;
} Tally;

static const char *const fault_names[WORLD_FAULTS] = {
    "a number is not finite", "the energy rose", "totals differ",    "overlap",
    "rods crossed",           "error of a tie",  "error of a joint", "momentum",
    "angular momentum"};

static const char *const end_names[] = {"done", "stopped", "refused", "crashed", "hung"};

static void tell(const LitheTrial *trial, const WorldPlan *plan, const char *text,
                 const WorldResult *r) {
    char name[64], path[640], what[256] = "";
    uint32_t silent = r->faults & ~r->reported;
    snprintf(name, sizeof name, "world-%llu-%s-x%g", (unsigned long long)plan->seed,
             lithe_world_scheme(plan->scheme), plan->times);
    lithe_world_leave(trial, name, text, path, sizeof path);
    for (int k = 0; k < WORLD_FAULTS; k++)
        if (r->faults >> k & 1)
            snprintf(what + strlen(what), sizeof what - strlen(what), "%s%s%s", *what ? ", " : "",
                     silent >> k & 1 ? "SILENT " : "", fault_names[k]);
    fprintf(stderr,
            "world %llu %s x%g: %s after %lld steps%s%s; energy %.2e at %.4g s, totals %.1e, depth "
            "%.2f, ties %.1e, joints %.1e, momentum %.1e, angular %.1e, crossings %lld; %s: lithe "
            "run %s\n",
            (unsigned long long)plan->seed, lithe_world_scheme(plan->scheme), plan->times,
            end_names[r->end], (long long)r->steps, *what ? "; " : "", what, r->energy,
            r->energy_time, r->totals, r->depth, r->ties, r->joints, r->momentum, r->angular,
            (long long)r->crossings, r->message, path);
}

static bool run_worlds(LitheTrial *trial, LitheScheme scheme, double times, int64_t count,
                       Tally *tally) {
    int64_t first = 1, last = count;
    if (trial->last_seed > 0)
        first = trial->first_seed, last = trial->last_seed;
    for (int64_t seed = first; seed <= last; seed++) {
        WorldPlan plan = {(uint64_t)seed, scheme, times};
        char *text = lithe_world_make(&plan);
        if (!text)
            return false;
        WorldResult r = lithe_world_run(&plan, text);
        uint32_t silent = r.faults & ~r.reported;
        bool crashed = r.end > WORLD_STOPPED;
        tally->worlds++;
        tally->crashes += crashed;
        tally->stops += r.end == WORLD_STOPPED;
        tally->silent += silent != 0;
        tally->reported += r.end == WORLD_DONE && r.faults != 0 && silent == 0;
        tally->warned += r.end == WORLD_DONE && r.warnings > 0;
        tally->steps += r.steps;
        tally->trips += r.trips;
        tally->seconds += r.seconds;
        if (r.end == WORLD_DONE && !(r.reported & WORLD_FAULT_ENERGY))
            tally->energy = fmax(tally->energy, r.energy);
        if (crashed || r.end == WORLD_STOPPED || r.faults != 0)
            tell(trial, &plan, text, &r);
        free(text);
    }
    return true;
}

static bool add_counts(LitheTrial *trial, const char *name, const Tally *t, bool limit_stops) {
    double stops = (double)t->stops / (double)t->worlds;
    return lithe_trial_add(trial, reported((double)t->worlds), "%s: worlds", name) &&
           lithe_trial_add(trial, at_most((double)t->crashes, 0), "%s: crashes", name) &&
           lithe_trial_add(trial, at_most((double)t->silent, 0), "%s: silent failures", name) &&
           lithe_trial_add(trial, limit_stops ? at_most(stops, 0.01) : reported(stops),
                           "%s: fraction that stopped", name) &&
           lithe_trial_add(trial, reported((double)t->reported), "%s: reported failures", name) &&
           lithe_trial_add(trial, reported((double)t->warned), "%s: worlds with a warning", name) &&
           lithe_trial_add(trial, reported(t->energy), "%s: largest rise of the energy", name);
}

static double trip_rate(const Tally *t) {
    return t->steps > 0 ? (double)t->trips / (double)t->steps : 0;
}

bool lithe_case_worlds(LitheTrial *trial) {
    // with few worlds the worst one dominates the rate, which is then only reported
    bool many = trial->refine > 1;
    int64_t count = many ? 2000 : 50;
    Tally second = {0}, first = {0};
    return run_worlds(trial, LITHE_SCHEME_TR_BDF2, 1, count, &second) &&
           add_counts(trial, "tr-bdf2", &second, true) &&
           lithe_trial_add(trial,
                           many ? at_most(trip_rate(&second), 0.01) : reported(trip_rate(&second)),
                           "tr-bdf2: fraction of steps that the guard changed") &&
           run_worlds(trial, LITHE_SCHEME_BACKWARD_EULER, 1, count, &first) &&
           add_counts(trial, "backward-euler", &first, true) &&
           lithe_stress_plot(trial, "Random worlds");
}

bool lithe_case_worlds_long_steps(LitheTrial *trial) {
    int64_t count = trial->refine > 1 ? 200 : 3;
    bool ok = true;
    for (double times = 10; ok && times <= 1000; times *= 10) {
        Tally t = {0};
        char name[32];
        snprintf(name, sizeof name, "step x%g", times);
        ok = run_worlds(trial, LITHE_SCHEME_TR_BDF2, times, count, &t) &&
             add_counts(trial, name, &t, false) &&
             lithe_trial_add(trial, reported(trip_rate(&t)),
                             "%s: fraction of steps that the guard changed", name);
    }
    return ok && lithe_stress_plot(trial, "Random worlds with steps far too long");
}

bool lithe_case_worlds_schemes(LitheTrial *trial) {
    int64_t count = trial->refine > 1 ? 200 : 3;
    Tally middle = {0}, explicit = {0};
    return run_worlds(trial, LITHE_SCHEME_MIDPOINT, 1, count, &middle) &&
           add_counts(trial, "midpoint", &middle, false) &&
           run_worlds(trial, LITHE_SCHEME_SYMPLECTIC, 1, count, &explicit) &&
           add_counts(trial, "symplectic-euler", &explicit, false) &&
           lithe_stress_plot(trial, "Random worlds by schemes that do not damp");
}
