// SPDX-License-Identifier: Apache-2.0
// cli/check_step.c - lithe check: what the step of the scene means for its slowest motion
//
// A scheme multiplies the amplitude of a mode of angular frequency omega by R(z), z = i omega h,
// per step. The loss per period is 1 - |R|^(2 pi/(omega h)), the delay 1 - arg R/(omega h).
//     backward Euler   R = 1/(1 - z)
//     midpoint         R = (1 + z/2)/(1 - z/2)
//     TR-BDF2          R = (1 + w z (1 + (1 + d z)/(1 - d z)))/(1 - d z), d = 1 - sqrt(1/2),
//                      w = sqrt(1/8)

#include "cli/cli.h"

#include "body/unit.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

// max degrees of freedom for which modes are computed, as built and at equilibrium, so that the
// command stays fast
#define MODE_DOFS 600
// max degrees of freedom of one block, as of a chain of joints
#define MODE_BLOCK 150
#define REST_DOFS 60
// number of modes computed at first, and max number that lithe_world_modes computes
#define FEW_MODES 12
#define MAX_MODES 56

// --- modes ---------------------------------------------------------------------------------------

// period of the slowest stable mode of `count` modes at `state`; 0: there is none
static double period_of(const LitheModel *model, const LitheState *state, LitheWork *work,
                        int32_t count) {
    double omega[MAX_MODES], period = 0;
    double *shapes = calloc((size_t)(count * model->v_count), sizeof *shapes);
    if (shapes && lithe_world_modes(model, state, work, count, omega, shapes, NULL) == LITHE_OK)
        for (int32_t i = 0; i < count; i++)
            if (omega[i] > 0)
                period = fmax(period, 2 * M_PI / omega[i]);
    free(shapes);
    return period;
}

// the same from a few modes, or from many if none of the few has a period
static double period_at(const LitheModel *model, const LitheState *state, LitheWork *work) {
    int32_t all = (int32_t)model->v_count;
    double period = period_of(model, state, work, all < FEW_MODES ? all : FEW_MODES);
    if (period == 0 && all > FEW_MODES)
        period = period_of(model, state, work, all < MAX_MODES ? all : MAX_MODES);
    return period;
}

// whether some unit has one block of many DoFs, as a long chain of joints: the time of its modes
// grows with the cube of their number
static bool has_large_block(const LitheModel *model) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].v_count > MODE_BLOCK * (int64_t)model->units[i].node_count)
            return true;
    return false;
}

double lithe_cli_slowest_mode(const LitheModel *touching, const LitheState *state) {
    if (touching->v_count < 1 || touching->v_count > MODE_DOFS || has_large_block(touching))
        return 0;
    // without contacts, whose vibrations no step has to resolve
    LitheModel alone = *touching;
    const LitheModel *model = &alone;
    alone.contact.enabled = false;
    LitheWork *work = lithe_work_create(model, 1);
    LitheState *rest = lithe_state_copy(state);
    double period = work && rest ? period_at(model, rest, work) : 0;
    // a pendulum that starts horizontally swings about its equilibrium
    if (period == 0 && work && rest && model->v_count <= REST_DOFS &&
        lithe_equilibrium(model, rest, work, NULL, NULL) == LITHE_OK)
        period = period_at(model, rest, work);
    lithe_state_destroy(rest);
    lithe_work_destroy(work);
    return period;
}

// --- schemes -------------------------------------------------------------------------------------

typedef struct Error {
    double loss;  // of the amplitude, fraction per period
    double delay; // fraction of the period
} Error;

static Error error_of(LitheScheme scheme, double phase) {
    const double d = 1 - sqrt(0.5), w = sqrt(0.125);
    double complex z = I * phase, factor = 1;
    switch (scheme) {
    case LITHE_SCHEME_BACKWARD_EULER:
        factor = 1 / (1 - z);
        break;
    case LITHE_SCHEME_MIDPOINT:
        factor = (1 + z / 2) / (1 - z / 2);
        break;
    case LITHE_SCHEME_TR_BDF2:
        factor = (1 + w * z * (1 + (1 + d * z) / (1 - d * z))) / (1 - d * z);
        break;
    default:
        break;
    }
    double turn = carg(factor);
    turn += turn < 0 ? 2 * M_PI : 0;
    return (Error){1 - pow(cabs(factor), 2 * M_PI / phase), 1 - turn / phase};
}

// "a step of 3 ms or less", or "any step" if the limit is longer than the run
static const char *steps_up_to(double limit, const LitheModel *model, char out[64]) {
    char text[32];
    if (limit > model->time.end)
        return "any step of this run";
    snprintf(out, 64, "a step of %s or less", lithe_cli_nice(limit, "s", text));
    return out;
}

// The midpoint rule has no damping: axial waves that the step does not resolve grow where a rod
// rotates, and the energy increases. Steps up to this multiple of the time in which an axial wave
// crosses an edge resolve them (measured: the energy of free helices changes by less than 1 %).
#define MIDPOINT_CROSSINGS 2

static void print_midpoint(const LitheModel *model, const LitheCliTimes *times) {
    char a[32], b[64], c[32];
    double h = model->time.step;
    double safe = MIDPOINT_CROSSINGS * times->axial;
    double slow = times->period * sqrt(0.12) / (2 * M_PI);
    Error error = error_of(LITHE_SCHEME_MIDPOINT, 2 * M_PI * h / times->period);
    if (!times->unknown)
        printf("  midpoint: with this step the slowest motion (%s) is %.2g %% too slow; %s\n"
               "  keeps that below 1 %%\n",
               lithe_cli_nice(times->period, "s", a), 100 * error.delay,
               steps_up_to(slow, model, b));
    if (h > safe)
        printf(
            "  note: stretching crosses an edge in %s, which the step does not resolve: where "
            "edges "
            "turn by\n  more than some degrees per step, midpoint makes energy out of nothing; a "
            "step of %s or\n  less, or backward-euler, is safe for any motion\n",
            lithe_cli_nice(times->axial, "s", a), lithe_cli_nice(safe, "s", c));
}

// steps that keep the loss of backward Euler below 5 % per period, and both errors of TR-BDF2 below
// 1 %
static double euler_step(double period) {
    return period * 0.05 / (2 * M_PI * M_PI);
}

static double staged_step(double period) {
    return 0.5 * period / (2 * M_PI);
}

// period of motions that lose 5 % of their amplitude per period: faster ones lose more
static double damped_period(LitheScheme scheme, double h) {
    double low = 1e-3, high = M_PI;
    for (int i = 0; i < 60; i++) {
        double phase = sqrt(low * high);
        bool lost = error_of(scheme, phase).loss > 0.05;
        *(lost ? &high : &low) = phase;
    }
    return 2 * M_PI * h / high;
}

static void print_adaptive(const LitheModel *model, double period) {
    char a[32], b[64];
    lithe_cli_nice(period, "s", a);
    if (model->time.scheme == LITHE_SCHEME_BACKWARD_EULER)
        printf("  the step adapts to its error; fixed, %s would keep the loss of the\n"
               "  slowest motion (%s) below 5 %% of its amplitude per period\n",
               steps_up_to(euler_step(period), model, b), a);
    else
        printf("  the step adapts to its error; fixed, %s would keep the errors of the\n"
               "  slowest motion (%s) below 1 %% per period\n",
               steps_up_to(model->time.scheme == LITHE_SCHEME_TR_BDF2
                               ? staged_step(period)
                               : period * sqrt(0.12) / (2 * M_PI),
                           model, b),
               a);
}

static void print_explicit(double h, double limit) {
    char a[32];
    if (!isfinite(limit))
        return;
    if (h > limit)
        printf("  symplectic Euler: the step is above the explicit limit: use %s or less\n",
               lithe_cli_nice(0.8 * limit, "s", a));
    else
        printf("  symplectic Euler: the step is %.0f %% of the explicit limit\n", 100 * h / limit);
}

static void print_time(const LitheModel *model) {
    char a[32], b[32];
    if (model->time.min_step > 0) {
        printf("\ntime: step %s to", lithe_cli_nice(model->time.min_step, "s", a));
        printf(" %s, adaptive, end %s\n", lithe_cli_nice(model->time.step, "s", a),
               lithe_cli_nice(model->time.end, "s", b));
        return;
    }
    printf("\ntime: step %s, end %s\n", lithe_cli_nice(model->time.step, "s", a),
           lithe_cli_nice(model->time.end, "s", b));
}

void lithe_cli_check_step(const LitheModel *model, const LitheCliTimes *times) {
    print_time(model);
    char a[32], b[64], c[32];
    double h = model->time.step, period = times->period;
    LitheScheme scheme = model->time.scheme;
    if (scheme == LITHE_SCHEME_STATIC) {
        printf("  static: every step is an equilibrium, so the step only sets how loads change\n");
        return;
    }
    if (scheme == LITHE_SCHEME_SYMPLECTIC) {
        print_explicit(h, times->limit);
        return;
    }
    bool known = period > 0 && isfinite(period) && !times->unknown;
    if (times->unknown && scheme == LITHE_SCHEME_MIDPOINT && model->time.min_step == 0)
        print_midpoint(model, times);
    if (times->unknown)
        printf("  the slowest motion of '%s' depends on its tension: lithe modes finds it\n",
               times->unknown);
    if (!known && scheme == LITHE_SCHEME_TR_BDF2 && model->time.min_step == 0)
        printf("  TR-BDF2: with this step motions faster than %s lose 5 %% or more of their "
               "amplitude per\n  period\n",
               lithe_cli_nice(damped_period(scheme, h), "s", a));
    if (!known)
        return;
    if (model->time.min_step > 0) {
        print_adaptive(model, period);
        return;
    }
    lithe_cli_nice(period, "s", a);
    Error error = error_of(scheme, 2 * M_PI * h / period);
    if (scheme == LITHE_SCHEME_MIDPOINT)
        print_midpoint(model, times);
    else if (scheme == LITHE_SCHEME_BACKWARD_EULER)
        printf("  backward Euler damps: with this step the slowest motion (%s) loses %.2g %% of "
               "its\n  amplitude per period; %s keeps that below 5 %%\n",
               a, 100 * error.loss, steps_up_to(euler_step(period), model, b));
    else
        printf("  TR-BDF2: with this step the slowest motion (%s) is %.2g %% too slow and loses "
               "%.2g %% of\n  its amplitude per period; %s keeps both below 1 %%; "
               "motions\n  faster than %s lose 5 %% or more\n",
               a, 100 * error.delay, 100 * error.loss, steps_up_to(staged_step(period), model, b),
               lithe_cli_nice(damped_period(scheme, h), "s", c));
}

// --- rotation ------------------------------------------------------------------------------------

// A top that rotates by this angle per step precesses 4 % too slowly; by 1.6 rad, 40 %.
#define MAX_ROTATION 0.3

void lithe_cli_check_rotation(const LitheModel *model, const LitheState *state) {
    char a[32];
    LitheWork *work = lithe_work_create(model, 1);
    double max = 0;
    const char *name = NULL;
    for (int32_t i = 0; work && i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        double speed = ops->rotation ? ops->rotation(model, i, state, work) : 0;
        if (speed > max) {
            max = speed;
            name = model->units[i].name;
        }
    }
    lithe_work_destroy(work);
    bool fixed = model->time.min_step == 0 && model->time.scheme != LITHE_SCHEME_STATIC;
    if (fixed && max * model->time.step > MAX_ROTATION)
        printf("  note: '%s' rotates by %.3g rad per step at the start, which the step does not "
               "resolve; a step\n  of %s or less does\n",
               name, max * model->time.step, lithe_cli_nice(MAX_ROTATION / max, "s", a));
}
