// SPDX-License-Identifier: Apache-2.0
// cli/validate/soft_arm.c - the experiments A1, A2 and A3: a soft arm on an inclined box and
// between two spheres under contact model lcp, and the stages of conditioning switched off one by
// one

#include "cli/validate/validate.h"

#include <stdio.h>
#include <string.h>

// a contact slides above this speed; those that stick have speeds of rounding [m/s]
#define SLIDES 1e-6

enum { MAX_STEPS = 20000, MARKS = 4 };

// What a run of 2 s shows. Counts are of each step.
typedef struct Flight {
    int32_t steps, touched, unsolved, fall_backs, brought_back;
    int64_t iterations;
    double deepest;       // m
    double gain;          // largest rise of the energy in a step before 1 s [J]
    double lost;          // of the energy up to 1 s [J]
    LitheVec3 tip[MARKS]; // at 0.5, 1, 1.5 and 2 s
    int32_t most;         // contacts with force, the most of a step
    int32_t sample_count; // every 10 ms
    double time[256], stick[256], slide[256], open[256];
} Flight;

static double stored(const LitheStand *stand) {
    LitheEnergy e = lithe_energy(stand->model, stand->state);
    return e.kinetic + e.elastic + e.gravity;
}

static void sample(const LitheStand *stand, int32_t disks, Flight *f) {
    int32_t k = f->sample_count;
    if (k >= 256)
        return;
    f->time[k] = lithe_state_time(stand->state);
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        if (c.normal > 0)
            *(c.slip > SLIDES ? &f->slide[k] : &f->stick[k]) += 1;
    }
    f->open[k] = disks - f->stick[k] - f->slide[k];
    f->sample_count++;
}

// runs a scene to `end`; a step that is not solved is counted, one that cannot be made ends the run
static bool follow(LitheTrial *trial, const char *scene, const char *const *sets, int32_t set_count,
                   double end, Flight *f) {
    LitheStand stand;
    memset(f, 0, sizeof *f);
    bool ok = lithe_stand_load(trial, &stand, scene, sets, set_count);
    int32_t disks = 0; // bodies of the arm
    for (int32_t i = 1; ok && i <= lithe_body_count(stand.model); i++)
        disks += strncmp(lithe_body_name(stand.model, (LitheBodyId){i}), "trunk/", 6) == 0;
    double before = ok ? stored(&stand) : 0, h = 0;
    for (int32_t k = 1; ok && lithe_state_time(stand.state) < end - 1e-9; k++) {
        LitheReport report;
        LitheError error = {0};
        if (lithe_step(stand.model, stand.state, stand.work, &report, &error) != LITHE_OK)
            break;
        double now = lithe_state_time(stand.state);
        h = report.step;
        f->steps++;
        f->touched += report.passes > 0;
        // a step that was cut in pieces was not solved at first
        f->unsolved += report.solve_unconverged || report.pieces > 1;
        f->fall_backs += report.fall_backs;
        f->brought_back += report.contacts_returned;
        f->iterations += report.solve_iterations;
        f->deepest = fmax(f->deepest, report.deepest);
        f->most = report.active > f->most ? report.active : f->most;
        if (now < 1 + 1e-9) {
            double after = stored(&stand);
            f->gain = fmax(f->gain, after - before);
            f->lost += before - after;
            before = after;
        }
        if (fmod(now + 0.5 * h, 0.01) < h)
            sample(&stand, disks, f);
        int32_t mark = (int32_t)floor((now + 0.5 * h) / 0.5);
        if (mark >= 1 && mark <= MARKS && fabs(now - 0.5 * mark) < 0.5 * h) {
            double pose[7];
            lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "trunk/tip"),
                            pose);
            f->tip[mark - 1] = (LitheVec3){pose[0], pose[1], pose[2]};
        }
    }
    lithe_stand_end(&stand);
    return ok;
}

// mean of samples in a span of time
static double mean(const Flight *f, const double *values, double from, double to) {
    double sum = 0;
    int32_t count = 0;
    for (int32_t k = 0; k < f->sample_count; k++)
        if (f->time[k] > from && f->time[k] < to) {
            sum += values[k];
            count++;
        }
    return count > 0 ? sum / count : 0;
}

// part of the contacts with force in a span of time
static double part(const Flight *f, const double *values, double from, double to) {
    double all = mean(f, f->stick, from, to) + mean(f, f->slide, from, to);
    return all > 0 ? mean(f, values, from, to) / all : 0;
}

static bool add_modes(LitheTrial *trial, const Flight *f, const char *which) {
    char label[3][48];
    snprintf(label[0], sizeof label[0], "stick%s", which);
    snprintf(label[1], sizeof label[1], "slide%s", which);
    snprintf(label[2], sizeof label[2], "open%s", which);
    return lithe_trial_curve(trial, label[0], false, f->time, f->stick, f->sample_count) &&
           lithe_trial_curve(trial, label[1], false, f->time, f->slide, f->sample_count) &&
           lithe_trial_curve(trial, label[2], false, f->time, f->open, f->sample_count);
}

static bool add_solved(LitheTrial *trial, const Flight *f, const char *which, double end,
                       double step) {
    return lithe_trial_add(trial, at_most(f->unsolved, 0), "unsolved_steps%s", which) &&
           lithe_trial_add(trial, near_to(f->steps, lround(end / step), 0), "steps%s", which) &&
           lithe_trial_add(trial, at_most(f->deepest, 1e-5), "penetration%s", which) &&
           lithe_trial_add(trial, at_most(f->gain, 1e-9), "energy_gain_passive%s", which) &&
           lithe_trial_add(trial, reported(f->fall_backs), "fall_backs%s", which) &&
           lithe_trial_add(trial, reported(f->most), "contacts%s", which);
}

// --- A1 ------------------------------------------------------------------------------------------

typedef struct Reference {
    const char *disks, *which;
    LitheVec3 tip[MARKS];
} Reference;

// a prototype of the same equations, slope of 45 degrees, linearly implicit, 1 ms
static const Reference references[] = {
    {"parameters.disks=6",
     "_6_disks",
     {{0.348518, 0, -0.355594},
      {0.338222, 0, -0.345299},
      {0.339983, -0.006193, -0.347218},
      {0.317610, -0.053389, -0.328462}}},
    {"parameters.disks=3",
     "_3_disks",
     {{0.348510, 0, -0.355588},
      {0.338200, 0, -0.345285},
      {0.339867, -0.007588, -0.347123},
      {0.317329, -0.054791, -0.328211}}},
};

bool lithe_case_A1(LitheTrial *trial) {
    static Flight f;
    for (int i = 0; i < 2; i++) {
        const Reference *r = &references[i];
        if (!follow(trial, "soft-arm-slope", &r->disks, 1, 2, &f))
            return false;
        for (int k = 0; k < MARKS; k++) {
            double off = hypot(hypot(f.tip[k].x - r->tip[k].x, f.tip[k].y - r->tip[k].y),
                               f.tip[k].z - r->tip[k].z);
            // digits of the reference, in three coordinates
            if (!lithe_trial_add(trial, at_most(off, 1e-6), "tip_error_%g_s%s", 0.5 * (k + 1),
                                 r->which))
                return false;
        }
        if (!add_solved(trial, &f, r->which, 2, 1e-3) ||
            !lithe_trial_add(trial, reported(f.lost), "energy_lost_passive%s", r->which))
            return false;
        if (i == 0 && !add_modes(trial, &f, ", friction 0.6"))
            return false;
    }
    // more friction, without elongation at the start: disks stick until they are pulled
    const char *sets[] = {"parameters.mu=1.5", "parameters.start=0"};
    if (!follow(trial, "soft-arm-slope", sets, 2, 2, &f) ||
        !add_solved(trial, &f, "_friction_1.5", 2, 1e-3) ||
        !lithe_trial_add(trial, at_most(part(&f, f.slide, 0.4, 1), 0.01),
                         "sliding_part_before_the_pull") ||
        !lithe_trial_add(trial, at_most(part(&f, f.stick, 1.05, 1.2), 0.3),
                         "sticking_part_as_the_pull_begins") ||
        !lithe_trial_add(trial, at_most(part(&f, f.stick, 1.95, 2), 0.01),
                         "sticking_part_at_the_end"))
        return false;
    trial->plot.title = "A1: disks of the arm that stick, slide and are open";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "disks";
    return add_modes(trial, &f, ", friction 1.5");
}

// --- A2 ------------------------------------------------------------------------------------------

bool lithe_case_A2(LitheTrial *trial) {
    static Flight f;
    static const char *const sets[][1] = {{"parameters.mu=0.6"}, {"parameters.mu=1.5"}};
    static const char *const which[] = {", friction 0.6", ", friction 1.5"};
    static const char *const suffix[] = {"_friction_0.6", "_friction_1.5"};
    trial->plot.title = "A2: disks of the arm that stick, slide and are open";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "disks";
    for (int i = 0; i < 2; i++)
        if (!follow(trial, "soft-arm-spheres", sets[i], 1, 2, &f) ||
            !add_solved(trial, &f, suffix[i], 2, 1e-3) || !add_modes(trial, &f, which[i]) ||
            !lithe_trial_add(trial, reported(mean(&f, f.stick, 1.5, 2)), "mean_sticking%s",
                             suffix[i]) ||
            !lithe_trial_add(trial, reported(mean(&f, f.slide, 1.5, 2)), "mean_sliding%s",
                             suffix[i]))
            return false;
    return true;
}

// --- A3 ------------------------------------------------------------------------------------------

// one of the eight settings of stages 1, 2 and 3, over two slopes, two numbers of disks and two
// schemes; as published without recheck, warm start and fall-back
static bool ablate(LitheTrial *trial, int setting, double end, int32_t *good, double *worst,
                   double *deepest, double *iterations) {
    static Flight f;
    static const char *const angles[] = {"parameters.angle=45 deg", "parameters.angle=60 deg"};
    static const char *const disks[] = {"parameters.disks=3", "parameters.disks=6"};
    static const char *const schemes[] = {"time.scheme=semi-implicit-euler", "time.scheme=rk23"};
    static const char *const steps[] = {"parameters.step=0.1 ms", "parameters.step=1 ms"};
    const char *stages[] = {setting & 4 ? "contact.lcp.rank=true" : "contact.lcp.rank=false",
                            setting & 2 ? "contact.lcp.scale=true" : "contact.lcp.scale=false",
                            setting & 1 ? "contact.lcp.regularise=true"
                                        : "contact.lcp.regularise=false"};
    int64_t solves = 0, sum = 0;
    *good = 0;
    *worst = 1;
    *deepest = 0;
    for (int k = 0; k < 8; k++) {
        const char *sets[] = {stages[0],
                              stages[1],
                              stages[2],
                              angles[k / 4],
                              disks[k / 2 % 2],
                              schemes[k % 2],
                              steps[k % 2],
                              "contact.lcp.recheck=false",
                              "contact.lcp.warm-start=false",
                              "contact.lcp.fall-back=false",
                              "contact.lcp.masses-alone=true"};
        if (!follow(trial, "soft-arm-slope", sets, sizeof sets / sizeof *sets, end, &f))
            return false;
        double whole = lround(end / (k % 2 ? 1e-3 : 1e-4));
        double solved = f.touched > 0 ? 1 - (double)f.unsolved / f.touched : 1;
        *good += solved >= 0.95 && f.deepest < 0.01 && f.steps >= 0.8 * whole;
        *worst = fmin(*worst, solved);
        *deepest = fmax(*deepest, f.deepest);
        solves += f.touched;
        sum += f.iterations;
    }
    *iterations = solves > 0 ? (double)sum / (double)solves : 0;
    return true;
}

bool lithe_case_A3(LitheTrial *trial) {
    bool whole = trial->refine > 1;
    double end = whole ? 2 : 0.05, x[8], y[8];
    for (int setting = 7; setting >= (whole ? 0 : 6); setting--) {
        int32_t good;
        double worst, deepest, iterations;
        char name[32];
        if (!ablate(trial, setting, end, &good, &worst, &deepest, &iterations))
            return false;
        snprintf(name, sizeof name, "%s%s%s", setting & 4 ? "_rank" : "",
                 setting & 2 ? "_scale" : "",
                 setting & 1    ? "_regularise"
                 : setting == 0 ? "_raw"
                                : "");
        LitheFinding runs = reported(good);
        if (setting == 7)
            runs = near_to(good, 8, 0);
        if (!lithe_trial_add(trial, runs, "good_runs_of_8%s", name) ||
            !lithe_trial_add(trial, reported(worst), "worst_solved_part%s", name) ||
            !lithe_trial_add(trial, reported(deepest), "penetration%s", name) ||
            !lithe_trial_add(trial, reported(iterations), "iterations%s", name))
            return false;
        x[setting] = setting;
        y[setting] = 100 * worst;
    }
    trial->plot.title = "A3: solved steps of the worst run; stages rank 4 + scale 2 + regularise 1";
    trial->plot.x_label = "stages";
    trial->plot.y_label = "solved steps [%]";
    return lithe_trial_curve(trial, "worst run", true, x + (whole ? 0 : 6), y + (whole ? 0 : 6),
                             whole ? 8 : 2);
}
