// SPDX-License-Identifier: Apache-2.0
// advance/monitor.c - checks the steps of a run: whether they converge, and whether the scheme
// creates energy
//
// The formulas are numbered as in docs/theory/time.md, "Can the result be trusted":
//
//   (M1) balance    B = kinetic + elastic + gravity + losses - work
//   (M2) gain       G = B - lowest B so far;  C = what contacts gave - what they took, under
//   TR-BDF2
//                   at most the rise of kinetic + elastic + gravity - work above its lowest value
//   (M3) scale      S = max over time of (largest energy, loss or work - max(G, C)), at least S0
//   (M4) least      S0 = sum over units of  m g r + m (r / end)^2 / 2,  r the half thickness
//   (M5) verdict    G/S > 0.1, or (not TR-BDF2) > 0.01 for 100 steps in a row, or C/S > 1: a
//                   warning;
//                   G/S > max-energy-gain: the run stops
//   (M6) rise       kinetic + elastic + gravity - work, above the lowest value so far of the same
//                   plus the energy stored in contacts, > 0.08 of the largest energy, at least S0:
//                   a warning; > max-energy-gain of it, under imc and spt: the run stops
//
// Every scheme may lose energy, so that B falls; none may create it. B is compared with its lowest
// value, not with its first one: an explosion after much numerical damping is seen at once. The
// gain is subtracted from the energies in S: energy that the scheme created must not raise the
// scale.

#include "advance/monitor.h"

#include "advance/guard.h"
#include "advance/reach.h"
#include "advance/step.h"
#include "advance/strength.h"
#include "base/log.h"
#include "base/status.h"
#include "body/constraint.h"
#include "body/hold.h"
#include "body/tree_section.h"
#include "body/unit.h"
#include "data/part.h"
#include "data/thing.h"
#include "solve/contact_model.h"

#include <math.h>
#include <stdio.h>

// A gain above WARN_NOW is reported at once, one above WARN_LATE after LATE_STEPS. The smaller one
// is reported later, because the work is only first order accurate in a step in which loads begin.
#define WARN_NOW 0.1
#define WARN_LATE 0.01
#define LATE_STEPS 100
// rise of the energy of motion out of contacts that causes a warning, over the largest energy, and
// the error of the work that is allowed for
#define WARN_RISE 0.08
#define WORK_ERROR 0.05
// error of a constraint that causes a warning, over its length or the size of its things
#define WARN_CONSTRAINT 0.1
// energy in overlaps that came from nothing and that the guard has yet to take back, over the
// largest energy
#define WARN_PRESSED 0.01
// fraction of the elements of a solid that may be turned inside out: more of them are not an
// accident of single elements, and the run stops
#define MAX_INVERTED 0.01
// slip of a contact in a static step that causes a warning, over the smaller half thickness
#define LONG_SLIP 0.5
// steps from one check of strains and stresses to the next
#define STRENGTH_STEPS 8

// --- energy --------------------------------------------------------------------------------------

static double balance_of(const LitheEnergy *e) {
    double losses = e->dissipated + e->friction + e->contact + e->constraints;
    return e->kinetic + e->elastic + e->gravity + losses - e->work; // (M1)
}

// the energy that contacts change, and elastic forces of constraints
static double moving_of(const LitheModel *model, const LitheState *state, const LitheEnergy *e) {
    return e->kinetic + e->elastic + lithe_constraint_energy(model, state) + e->gravity - e->work;
}

double lithe_energy_least(const LitheModel *model) {
    double g = v3_norm(model->gravity), end = model->time.end, sum = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        double m = model->units[i].mass, moment = model->units[i].mass_moment;
        double slow = m > 0 ? moment / (m * end) : 0;
        sum += moment * g + 0.5 * m * slow * slow;
    }
    return sum;
}

static double largest_part(const LitheMonitor *monitor, const LitheEnergy *e) {
    const double parts[] = {
        e->kinetic,       e->elastic,          fabs(e->gravity - monitor->gravity),
        e->dissipated,    fabs(e->work),       e->friction,
        fabs(e->contact), fabs(e->constraints)};
    double max = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        max = fmax(max, parts[i]);
    return max;
}

void lithe_monitor_begin(const LitheModel *model, const LitheState *state, LitheMonitor *monitor) {
    LitheEnergy e = lithe_energy(model, state);
    double balance = balance_of(&e);
    *monitor = (LitheMonitor){.begun = 1,
                              .balance = balance,
                              .lowest = balance,
                              .gravity = e.gravity,
                              .absorbed = e.contact,
                              .lowest_sum = moving_of(model, state, &e),
                              .scale = fmax(lithe_energy_least(model), fmax(e.kinetic, e.elastic))};
}

void lithe_monitor_accept(const LitheModel *model, const LitheState *state, LitheMonitor *monitor) {
    LitheEnergy e = lithe_energy(model, state);
    double balance = balance_of(&e), change = balance - monitor->balance;
    if (!isfinite(change) || change == 0)
        return;
    monitor->lowest += change;
    monitor->balance = balance;
    monitor->lowest_sum += change;
    monitor->largest = 0; // (M6) starts again
}

// Whether it is time for the warning (M5). Under TR-BDF2 the guard keeps the energy from rising: a
// small gain is an error of what is counted as loss.
static bool is_reportable(const LitheModel *model, LitheMonitor *monitor, double gain) {
    bool guarded = model->time.scheme == LITHE_SCHEME_TR_BDF2;
    monitor->above = gain > WARN_LATE && !guarded ? monitor->above + 1 : 0;
    return !(monitor->warned & LITHE_WARNED_ENERGY) &&
           (gain > WARN_NOW || monitor->above >= LATE_STEPS);
}

// rigid contacts store nothing, and solve what can be solved
static bool is_rigid(const LitheModel *model) {
    return model->contact.model == LITHE_CONTACT_LCP;
}

static bool exceeds_gain(const LitheModel *model, double gain) {
    return model->time.max_energy_gain > 0 && gain > model->time.max_energy_gain;
}

static LitheStatus fail_energy(const LitheModel *model, const LitheState *state, double step,
                               double gained, double gain, LitheError *error) {
    char why[240];
    snprintf(why, sizeof why,
             "the energy has grown by %.3g J out of nothing, %.3g times the largest energy before "
             "(time.max-energy-gain is %g): the motion is not physical",
             gained, gain, model->time.max_energy_gain);
    return lithe_cannot_step(model, state->clock[0] - step, step, why, error);
}

// what may keep the energy from growing; backward Euler damps most
static const char *remedy(const LitheModel *model) {
    switch (model->time.scheme) {
    case LITHE_SCHEME_BACKWARD_EULER:
    case LITHE_SCHEME_STATIC:
    case LITHE_SCHEME_TR_BDF2:
        return "a smaller step";
    case LITHE_SCHEME_LINEARLY_IMPLICIT:
    case LITHE_SCHEME_SEMI_IMPLICIT:
    case LITHE_SCHEME_RK23:
        return "a smaller step";
    default:
        return "a smaller step or scheme: tr-bdf2 or backward-euler";
    }
}

// C of (M2). A rebound within a step of TR-BDF2 is booked with the velocity at the end of a stage,
// as a gift of the contact of up to four times the kinetic energy. What it gave to the motion is at
// most what the motion gained.
static double given_by_contacts(const LitheModel *model, const LitheState *state,
                                const LitheEnergy *e, LitheMonitor *monitor) {
    double given = monitor->absorbed - e->contact;
    if (model->time.scheme != LITHE_SCHEME_TR_BDF2)
        return given;
    double moving = moving_of(model, state, e);
    monitor->lowest_sum = fmin(monitor->lowest_sum, moving);
    return fmin(given, moving - monitor->lowest_sum);
}

static LitheStatus judge_energy(const LitheModel *model, const LitheState *state,
                                const LitheEnergy *e, const LitheReport *report,
                                LitheMonitor *monitor, LitheError *error) {
    double balance = balance_of(e), time = state->clock[0];
    if (!isfinite(balance))
        return LITHE_OK;
    monitor->balance = balance;
    monitor->lowest = fmin(monitor->lowest, balance);
    double gained = balance - monitor->lowest, given = monitor->absorbed - e->contact; // (M2)
    double made = fmax(gained, given);
    monitor->scale = fmax(monitor->scale, largest_part(monitor, e) - made); // (M3)
    double gain = monitor->scale > 0 ? gained / monitor->scale : 0;
    monitor->gain = fmax(monitor->gain, gain);
    if (exceeds_gain(model, gain))
        return fail_energy(model, state, report->step, gained, gain, error);
    if (is_reportable(model, monitor, gain)) {
        monitor->warned |= LITHE_WARNED_ENERGY;
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "at %.6g s the energy has grown by %.3g J out of nothing, %.3g %% of the largest "
                  "energy so far: results are doubtful; %s may help",
                  time, gained, 100 * gain, remedy(model));
    }
    given = given_by_contacts(model, state, e, monitor);
    if (given > monitor->scale && !(monitor->warned & LITHE_WARNED_CONTACTS)) {
        monitor->warned |= LITHE_WARNED_CONTACTS;
        lithe_log(
            model->context, LITHE_LOG_WARNING,
            "up to %.6g s contacts gave %.3g J more than they took, %.3g times the largest "
            "energy: results are doubtful; do things overlap at the start? A smaller step may "
            "help",
            time, given, given / monitor->scale);
    }
    return LITHE_OK;
}

// (M6): for instance, contacts returned more than they had stored. TR-BDF2 has its guard for this,
// rigid contacts store nothing that is known. In (M1) what contacts return counts as taken before:
// under imc and spt, whose contacts may return anything, the rise stops a run.
static LitheStatus judge_rise(const LitheModel *model, const LitheState *state,
                              const LitheEnergy *e, const LitheReport *report,
                              LitheMonitor *monitor, LitheError *error) {
    bool potential = !lithe_contact_solver(model)->regularises;
    if (model->time.scheme == LITHE_SCHEME_TR_BDF2 || !lithe_can_touch(model) || is_rigid(model))
        return LITHE_OK;
    double kept = e->elastic + lithe_constraint_energy(model, state);
    double moving = moving_of(model, state, e), sum = moving + report->stored;
    double rise = moving - monitor->lowest_sum - WORK_ERROR * fabs(e->work);
    bool begun = monitor->largest > 0 && !lithe_constraints_pull(model, state);
    double largest = fmax(monitor->largest, lithe_energy_least(model));
    if (begun && potential && exceeds_gain(model, rise / largest)) {
        monitor->lowest = monitor->balance - rise; // what is resumed stops for it, too
        monitor->scale = largest;
        monitor->gain = fmax(monitor->gain, rise / largest);
        return fail_energy(model, state, report->step, rise, rise / largest, error);
    }
    if (begun && rise > WARN_RISE * largest && !(monitor->warned & LITHE_WARNED_ENERGY)) {
        monitor->warned |= LITHE_WARNED_ENERGY;
        lithe_log(
            model->context, LITHE_LOG_WARNING,
            "at %.6g s the energy is %.3g J above its lowest value and what contacts stored then, "
            "%.3g %% of the largest energy so far: results are doubtful; a smaller step%s may help",
            state->clock[0], rise, 100 * rise / largest, potential ? "" : " or scheme: tr-bdf2");
    }
    monitor->lowest_sum = begun ? fmin(monitor->lowest_sum, sum) : sum;
    monitor->largest = fmax(monitor->largest, fmax(e->kinetic, kept + report->stored));
    return LITHE_OK;
}

// Substeps without motion, or an impact for which the step is too long: its end has an overlap
// whose energy no motion gave. The guard takes that back when it would become motion: the energies
// of a recording, which has none of overlaps, do not rise.
static void judge_guard(const LitheModel *model, const LitheState *state, const LitheReport *report,
                        LitheMonitor *monitor) {
    if (report->halted > 0 && !(monitor->warned & LITHE_WARNED_HALTED)) {
        monitor->warned |= LITHE_WARNED_HALTED;
        lithe_log(
            model->context, LITHE_LOG_WARNING,
            "in the step to %.6g s the energy would have risen however short the substep was: "
            "the energy guard halted all motion in %d of %d substeps; results are doubtful; a "
            "smaller step may help",
            state->clock[0], (int)report->halted, (int)report->pieces);
    }
    if (report->energy_gained == 0 || (monitor->warned & LITHE_WARNED_GUARD))
        return;
    double owed = lithe_guard_owed(state);
    double largest = fmax(state->guard[LITHE_GUARD_LARGEST], lithe_energy_least(model));
    if (!(owed > WARN_PRESSED * largest))
        return;
    monitor->warned |= LITHE_WARNED_GUARD;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "in the step to %.6g s an impact pressed things together with %.3g J that their "
              "motion did not have, %.3g %% of the largest energy so far: the step is too long for "
              "such hard contacts; the energy guard takes this back while they separate, but how "
              "they rebound is doubtful; a smaller step may help",
              state->clock[0], owed, 100 * owed / largest);
}

// a near-rigid constraint whose places are far from where it requires them: a warning at a tenth of
// its size and one where it no longer constrains; where it cannot be met, the run stops
static LitheStatus judge_constraints(const LitheModel *model, const LitheState *state,
                                     LitheMonitor *monitor, LitheError *error) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *constraint = &model->constraints[i];
        if (constraint->stiffness > 0 || lithe_tie_of(state, i)->acts != LITHE_TIE_BINDS)
            continue;
        double size, apart = lithe_constraint_error(model, state, i, &size);
        bool off = apart > size;
        int64_t level =
            off ? LITHE_WARNED_CONSTRAINT | LITHE_WARNED_CONSTRAINT_OFF : LITHE_WARNED_CONSTRAINT;
        if (!(apart > WARN_CONSTRAINT * size) || (monitor->warned & level) == level)
            continue;
        LitheReach *reach = NULL;
        LitheStatus status = lithe_reach_check(model, state, &reach, NULL, error);
        lithe_reach_destroy(reach);
        if (status != LITHE_OK)
            return status;
        monitor->warned |= level;
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "at %.6g s the error of constraint '%s' is %.3g m, %.0f %% of its length or of "
                  "the size of its things (small is below %.0f %%): the step is too long for the "
                  "impacts, rotations or oscillations that it resists; %sa smaller step may help",
                  state->clock[0], constraint->name, apart, 100 * apart / size,
                  100 * WARN_CONSTRAINT, off ? "results are doubtful; " : "");
    }
    return LITHE_OK;
}

// a section of constant curvature has an energy in every shape, also where no arm can follow
static void judge_sections(const LitheModel *model, const LitheState *state,
                           LitheMonitor *monitor) {
    if (monitor->warned & LITHE_WARNED_SECTION)
        return;
    LitheSectionShape found = lithe_section_impossible(model, state);
    if (!found.name)
        return;
    monitor->warned |= LITHE_WARNED_SECTION;
    bool folded = found.length <= found.radius * found.bend;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "at %.6g s joint '%s' is %.3g m long and bent by %.3g rad: %s%.3g %s; results are "
              "doubtful; limits of the chambers or smaller forces keep it from this",
              state->clock[0], found.name, found.length, found.bend,
              folded ? "its inner side folds, since the radius of its chambers is "
                     : "it passes through itself beyond ",
              folded ? found.radius : 2 * M_PI, folded ? "m" : "rad");
}

// an edge of held twist that has turned nearly round
static void judge_twists(const LitheModel *model, const LitheState *state, LitheMonitor *monitor) {
    if (monitor->warned & LITHE_WARNED_CARRIED)
        return;
    LitheCarriedTwist found = lithe_twist_carried(model, state);
    if (!found.name)
        return;
    monitor->warned |= LITHE_WARNED_CARRIED;
    lithe_log(
        model->context, LITHE_LOG_WARNING,
        "at %.6g s edge %d of rod '%s', whose twist is held or driven, has turned by more than 150 "
        "degrees from its direction as built: from there on its angle depends on the way and "
        "on the steps; a drive of kind clamp prescribes direction and twist",
        state->clock[0], (int)found.edge, found.name);
}

// --- convergence ---------------------------------------------------------------------------------

static bool exceeds_unconverged(const LitheModel *model, const LitheMonitor *monitor) {
    int32_t limit = model->time.max_unconverged;
    return limit > 0 && monitor->unconverged >= limit;
}

static LitheStatus judge_convergence(const LitheModel *model, const LitheState *state,
                                     const LitheReport *report, LitheMonitor *monitor,
                                     LitheError *error) {
    bool units = report->bodies_unconverged > 0;
    if (!units && !report->solve_unconverged) {
        monitor->unconverged = 0;
        return LITHE_OK;
    }
    monitor->unconverged++;
    const char *what = units ? lithe_thing_name(model, report->worst) : "the coupled solve";
    double residual = units ? report->residual : report->solve_residual;
    double wanted = units ? model->time.tolerance : model->contact.tolerance;
    char why[384], helps[128];
    // as many digits as show that it is above the tolerance
    int digits = residual > wanted && residual < 1.1 * wanted ? 9 : 2;
    snprintf(why, sizeof why, "did not converge (%.200s: residual %.*g, tolerance %g)", what,
             digits, residual, wanted);
    snprintf(helps, sizeof helps, "a smaller step or more %s.max-iterations may help",
             units ? "time" : "contact");
    // the rest has no solution at any step
    if (!units && is_rigid(model) && residual <= wanted) {
        snprintf(why, sizeof why,
                 "had no solution (constraints or overlaps contradict each other)");
        snprintf(helps, sizeof helps, "leave out or mend what contradicts");
    }
    if (exceeds_unconverged(model, monitor))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "%lld steps in a row, up to %.6g s, %s, and time.max-unconverged is %d: "
                          "%s",
                          (long long)monitor->unconverged, state->clock[0], why,
                          (int)model->time.max_unconverged, helps);
    if (!(monitor->warned & LITHE_WARNED_UNCONVERGED)) {
        monitor->warned |= LITHE_WARNED_UNCONVERGED;
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "the step to %.6g s %s: results are doubtful; %s", state->clock[0], why, helps);
    }
    return LITHE_OK;
}

// A step at the onset of slip may end before its friction has settled, which the next one makes up
// for; two in a row do not. One pass is a choice: its friction is bounded by older forces. Friction
// astray, that of imc, has a warning of its own (run/session_report.c).
static void judge_friction(const LitheModel *model, const LitheState *state,
                           const LitheReport *report, LitheMonitor *monitor) {
    bool again = (monitor->warned & LITHE_UNSETTLED) != 0;
    bool chosen = model->contact.passes == 1 || report->friction_astray > 0;
    bool unsettled = report->friction_unsettled && !chosen;
    monitor->warned &= ~(int64_t)LITHE_UNSETTLED;
    if (unsettled)
        monitor->warned |= LITHE_UNSETTLED;
    if (!unsettled || !again || (monitor->warned & LITHE_WARNED_FRICTION))
        return;
    monitor->warned |= LITHE_WARNED_FRICTION;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "up to %.6g s the friction of two steps in a row did not settle (the normal forces "
              "that bound it still changed): results are doubtful; a smaller step%s may help",
              state->clock[0], model->contact.passes > 0 ? " or more contact.passes" : "");
}

// The laws that stay finite there bring most of these elements back, but their stress is wrong.
static LitheStatus judge_inverted(const LitheModel *model, const LitheState *state,
                                  const LitheReport *report, LitheMonitor *monitor,
                                  LitheError *error) {
    bool stops = report->inverted_fraction > MAX_INVERTED;
    if (report->inverted == 0 || (!stops && (monitor->warned & LITHE_WARNED_INVERTED)))
        return LITHE_OK;
    monitor->warned |= LITHE_WARNED_INVERTED | (stops ? LITHE_STOPPED_INVERTED : 0);
    LitheVec3 at = report->inverted_place;
    char what[256];
    snprintf(what, sizeof what,
             "at %.6g s %.3g %% of the elements of solid '%.80s' are turned inside out, the first "
             "one number %d at [%.4g, %.4g, %.4g] m",
             state->clock[0], 100 * report->inverted_fraction,
             lithe_thing_name(model, report->inverted_solid), (int)report->inverted_element, at.x,
             at.y, at.z);
    if (stops)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "%s, and %g %% is the limit: the state is not physical; smaller steps or "
                          "loads, smaller elements or another law may help",
                          what, 100 * MAX_INVERTED);
    lithe_log(model->context, LITHE_LOG_WARNING,
              "%s: results are doubtful there; smaller steps or loads, smaller elements or another "
              "law may help (above %g %% the run stops)",
              what, 100 * MAX_INVERTED);
    return LITHE_OK;
}

// Motion takes many steps from one extreme to the next: the first of eight is enough, at a
// hundredth of the cost of a step. Frames are checked, too (run/frames.c).
static void judge_strength(const LitheModel *model, const LitheState *state,
                           LitheMonitor *monitor) {
    bool each = model->time.scheme == LITHE_SCHEME_STATIC || model->time.min_step > 0;
    if (each || lithe_state_step(state) % STRENGTH_STEPS == 1)
        lithe_strength_check(model, state, monitor);
}

static void judge_slip(const LitheModel *model, const LitheState *state, const LitheReport *report,
                       LitheMonitor *monitor) {
    if (!(report->slip_fraction > LONG_SLIP) || (monitor->warned & LITHE_WARNED_SLIP))
        return;
    monitor->warned |= LITHE_WARNED_SLIP;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "in the static step to %.6g s '%s' and '%s' slid on each other by %.3g m, %.0f %% of "
              "the smaller half thickness (small is below %.0f %%): friction depends on the path, "
              "which is too coarse here; smaller load steps may help",
              state->clock[0], lithe_thing_name(model, report->slip_a),
              lithe_thing_name(model, report->slip_b), report->slip, 100 * report->slip_fraction,
              100 * LONG_SLIP);
}

void lithe_monitor_equilibrium(const LitheModel *model, const LitheState *state,
                               const LitheReport *report, LitheMonitor *monitor) {
    judge_slip(model, state, report, monitor);
    if (report->unstable <= 0 || (monitor->warned & LITHE_WARNED_UNSTABLE) ||
        model->time.follow == LITHE_FOLLOW_ARC_LENGTH)
        return;
    monitor->warned |= LITHE_WARNED_UNSTABLE;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "the equilibrium at %.6g s is unstable: %d negative pivot%s (directions in which the "
              "energy falls): a small disturbance leads away from it; `lithe modes` shows them",
              state->clock[0], (int)report->unstable, report->unstable == 1 ? "" : "s");
}

LitheStatus lithe_monitor_step(const LitheModel *model, const LitheState *state, LitheWork *work,
                               const LitheReport *report, LitheMonitor *monitor,
                               LitheError *error) {
    return lithe_monitor_step_with(model, state, work, NULL, report, monitor, error);
}

LitheStatus lithe_monitor_step_with(const LitheModel *model, const LitheState *state,
                                    LitheWork *work, const LitheEnergy *energy,
                                    const LitheReport *report, LitheMonitor *monitor,
                                    LitheError *error) {
    LitheStatus status = judge_convergence(model, state, report, monitor, error);
    judge_friction(model, state, report, monitor);
    judge_sections(model, state, monitor);
    judge_strength(model, state, monitor);
    judge_twists(model, state, monitor);
    if (status == LITHE_OK)
        status = judge_inverted(model, state, report, monitor, error);
    if (model->time.scheme == LITHE_SCHEME_STATIC) {
        lithe_monitor_equilibrium(model, state, report, monitor);
        return status;
    }
    LitheEnergy e = energy ? *energy : lithe_energy_after(model, state, work);
    if (status == LITHE_OK)
        status = judge_energy(model, state, &e, report, monitor, error);
    if (status == LITHE_OK)
        status = judge_rise(model, state, &e, report, monitor, error);
    judge_guard(model, state, report, monitor);
    return status == LITHE_OK ? judge_constraints(model, state, monitor, error) : status;
}

// --- resume --------------------------------------------------------------------------------------

LitheStatus lithe_monitor_resume(const LitheModel *model, const LitheState *state,
                                 const LitheMonitor *monitor, const char *reason,
                                 LitheError *error) {
    double gained = monitor->balance - monitor->lowest;
    double gain = monitor->scale > 0 ? gained / monitor->scale : 0;
    bool unconverged = exceeds_unconverged(model, monitor);
    bool inverted = (monitor->warned & LITHE_STOPPED_INVERTED) != 0;
    if (!unconverged && !inverted && !exceeds_gain(model, gain))
        return LITHE_OK;
    if (reason && *reason)
        return lithe_fail(error, LITHE_CANNOT_GO_ON, "%s", reason);
    if (inverted)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "at %.6g s more than %g %% of the elements of a solid are turned inside "
                          "out: the state is not physical",
                          state->clock[0], 100 * MAX_INVERTED);
    if (!unconverged)
        return fail_energy(model, state, model->time.step, gained, gain, error);
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "%lld steps in a row, up to %.6g s, did not converge, and "
                      "time.max-unconverged is %d",
                      (long long)monitor->unconverged, state->clock[0],
                      (int)model->time.max_unconverged);
}
