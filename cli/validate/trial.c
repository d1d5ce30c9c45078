// SPDX-License-Identifier: Apache-2.0
// cli/validate/trial.c - shared by the cases: findings, curves, and scenes of one rod

#include "cli/cli.h"
#include "cli/validate/validate.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- findings ------------------------------------------------------------------------------------

double lithe_finding_error(const LitheFinding *finding, double measured) {
    if (finding->kind == LITHE_ERROR_REPORTED)
        return NAN;
    if (finding->kind == LITHE_ERROR_AT_MOST)
        return measured > finding->reference ? measured - finding->reference : 0;
    double error = fabs(measured - finding->reference);
    return finding->kind == LITHE_ERROR_RELATIVE ? error / fabs(finding->reference) : error;
}

double lithe_finding_order(const LitheFinding *finding) {
    if (isnan(finding->coarse) || finding->kind == LITHE_ERROR_AT_MOST)
        return NAN;
    double fine = lithe_finding_error(finding, finding->measured);
    double coarse = lithe_finding_error(finding, finding->coarse);
    return fine > 0 && coarse > 0 ? log2(coarse / fine) : NAN;
}

// the rule of validate.h; a number that is not finite fails every comparison
static const char *check_finding(const LitheFinding *finding) {
    if (finding->kind == LITHE_ERROR_REPORTED)
        return isfinite(finding->measured) ? NULL : "not a number";
    double fine = lithe_finding_error(finding, finding->measured);
    double tolerance = finding->kind == LITHE_ERROR_AT_MOST ? 0 : finding->tolerance;
    if (!isfinite(finding->measured) || !(fine <= tolerance))
        return "outside the tolerance";
    if (isnan(finding->coarse))
        return NULL;
    double coarse = lithe_finding_error(finding, finding->coarse);
    if (!(coarse <= tolerance))
        return "outside the tolerance at the coarser resolution";
    return fine <= coarse || fine <= finding->floor ? NULL : "grows under refinement";
}

bool lithe_trial_add(LitheTrial *trial, LitheFinding finding, const char *quantity, ...) {
    va_list arguments;
    va_start(arguments, quantity);
    vsnprintf(finding.quantity, sizeof finding.quantity, quantity, arguments);
    va_end(arguments);
    finding.fails = check_finding(&finding);
    if (!LITHE_RESERVE(trial->context, trial->findings, trial->capacity, trial->count + 1))
        return lithe_fail_memory(&trial->error, "the findings") == LITHE_OK;
    trial->findings[trial->count++] = finding;
    return true;
}

// --- curves --------------------------------------------------------------------------------------

bool lithe_trial_curve(LitheTrial *trial, const char *label, bool points, const double *x,
                       const double *y, int32_t count) {
    LITHE_ASSERT(trial->plot.curve_count < LITHE_TRIAL_CURVES);
    double *copy = lithe_alloc_array(trial->context, 2 * (int64_t)count, sizeof *copy);
    if (!copy)
        return lithe_fail_memory(&trial->error, "a curve") == LITHE_OK;
    memcpy(copy, x, (size_t)count * sizeof *copy);
    memcpy(copy + count, y, (size_t)count * sizeof *copy);
    LitheTrialCurve *curve = &trial->plot.curves[trial->plot.curve_count++];
    snprintf(curve->label, sizeof curve->label, "%s", label);
    curve->points = points;
    curve->count = count;
    curve->x = copy;
    curve->y = copy + count;
    return true;
}

bool lithe_trial_shape(LitheTrial *trial, const char *label, const LitheStand *stand,
                       int32_t every) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod), count = 0;
    double *x = lithe_alloc_array(trial->context, 2 * (int64_t)nodes, sizeof *x), *z = x + nodes;
    if (!x)
        return lithe_fail_memory(&trial->error, "a shape") == LITHE_OK;
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    for (int32_t i = nodes - 1; i >= 0; i -= every) {
        x[count] = q[4 * i];
        z[count++] = q[4 * i + 2];
    }
    bool ok = lithe_trial_curve(trial, label, true, x, z, count);
    lithe_free(trial->context, x);
    return ok;
}

// --- scenes --------------------------------------------------------------------------------------

LitheSectionDef lithe_stand_section(double B, double C, double EA, double m) {
    LitheSectionDef section = {.kind = LITHE_SECTION_STIFFNESS};
    section.EA = EA;
    section.EI1 = section.EI2 = B;
    section.GJ = C;
    section.mass_per_length = m;
    section.radius = 0.01;
    return section;
}

LitheRodDef lithe_stand_line(double length, int32_t nodes, bool clamp, LitheSectionDef section) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rod";
    rod.section = section;
    rod.shape.to = (LitheVec3){length, 0, 0};
    rod.nodes = nodes;
    rod.clamp_start = clamp;
    rod.director = (LitheVec3){0, 0, 1};
    return rod;
}

bool lithe_stand_begin(LitheTrial *trial, LitheStand *stand, const LitheRodDef *rod) {
    memset(stand, 0, sizeof *stand);
    stand->scene = lithe_scene_create(trial->context);
    if (!stand->scene)
        return lithe_fail_memory(&trial->error, "a scene") == LITHE_OK;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_STATIC;
    time.step = 1;
    time.end = 1000;
    lithe_scene_set_time(stand->scene, &time);
    lithe_scene_set_gravity(stand->scene, (LitheVec3){0, 0, 0});
    if (!rod)
        return true;
    // planar elasticas pass through themselves
    LitheContactDef contact = lithe_contact_def_default();
    contact.enabled = false;
    lithe_scene_set_contact(stand->scene, &contact);
    stand->rod = lithe_scene_add_rod(stand->scene, rod);
    return stand->rod.number > 0 || lithe_fail_memory(&trial->error, "a rod") == LITHE_OK;
}

bool lithe_stand_compile(LitheTrial *trial, LitheStand *stand) {
    if (lithe_compile(stand->scene, &stand->model, &stand->state, &trial->error) != LITHE_OK)
        return false;
    stand->work = lithe_work_create(stand->model, 1);
    return stand->work || lithe_fail_memory(&trial->error, "the work of a step") == LITHE_OK;
}

void lithe_stand_end(LitheStand *stand) {
    lithe_work_destroy(stand->work);
    lithe_state_destroy(stand->state);
    lithe_model_destroy(stand->model);
    lithe_scene_destroy(stand->scene);
    memset(stand, 0, sizeof *stand);
}

static bool read_text(LitheTrial *trial, LitheStand *stand, const char *text, va_list arguments) {
    char scene[8192];
    memset(stand, 0, sizeof *stand);
    int length = vsnprintf(scene, sizeof scene, text, arguments);
    LITHE_ASSERT(length > 0 && (size_t)length < sizeof scene);
    return lithe_scene_parse(trial->context, scene, (size_t)length, "case", NULL, NULL, 0,
                             &stand->scene, &trial->error) == LITHE_OK;
}

bool lithe_stand_text(LitheTrial *trial, LitheStand *stand, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    bool ok = read_text(trial, stand, text, arguments);
    va_end(arguments);
    return ok;
}

bool lithe_stand_parse(LitheTrial *trial, LitheStand *stand, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    bool ok = read_text(trial, stand, text, arguments);
    va_end(arguments);
    return ok && lithe_stand_compile(trial, stand);
}

bool lithe_stand_equilibrium(LitheTrial *trial, LitheStand *stand) {
    return lithe_equilibrium(stand->model, stand->state, stand->work, NULL, &trial->error) ==
           LITHE_OK;
}

bool lithe_stand_load(LitheTrial *trial, LitheStand *stand, const char *name,
                      const char *const *sets, int32_t set_count) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    *stand = (LitheStand){0};
    if (!lithe_cli_scene_folder(folder, sizeof folder)) {
        lithe_fail(&trial->error, LITHE_FILE_ERROR, "the folder of the scenes was not found");
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    return lithe_scene_load(trial->context, path, sets, set_count, &stand->scene, &trial->error) ==
               LITHE_OK &&
           lithe_stand_compile(trial, stand);
}

bool lithe_stand_step(LitheTrial *trial, LitheStand *stand) {
    LitheReport report;
    if (lithe_step(stand->model, stand->state, stand->work, &report, &trial->error) != LITHE_OK)
        return false;
    // unsettled friction bounds are accepted: at the onset of slip they settle in the next steps
    if (report.bodies_unconverged == 0 && !report.solve_unconverged)
        return true;
    lithe_fail(&trial->error, LITHE_CANNOT_GO_ON, "the step to t = %g s ended with residual %.3g",
               lithe_state_time(stand->state), fmax(report.residual, report.solve_residual));
    return false;
}

bool lithe_stand_run(LitheTrial *trial, LitheStand *stand, double step, double time) {
    for (long k = lround(time / step); k > 0; k--)
        if (!lithe_stand_step(trial, stand))
            return false;
    return true;
}

int32_t lithe_stand_unstable(LitheStand *stand, double shift) {
    int32_t count = 0;
    LitheError error;
    LitheStatus status = lithe_unstable_count(stand->model, stand->state, stand->work, stand->rod,
                                              shift, &count, &error);
    return status == LITHE_OK ? count : LITHE_SINGULAR;
}

// bisection that counts a singular stiffness as unstable or as stable
static bool bisect(LitheTrial *trial, LitheCountFn *unstable, const void *user, bool singular,
                   double low, double high, double *edge) {
    for (int i = 0; i < 26; i++) {
        *edge = 0.5 * (low + high);
        int32_t count = unstable(trial, *edge, user);
        if (count == LITHE_STOPPED)
            return false;
        bool above = count == LITHE_SINGULAR ? singular : count > 0;
        *(above ? &high : &low) = *edge;
    }
    return true;
}

bool lithe_trial_bisect(LitheTrial *trial, LitheCountFn *unstable, const void *user, double low,
                        double high, double *critical) {
    double from, to;
    if (!bisect(trial, unstable, user, true, low, high, &from) ||
        !bisect(trial, unstable, user, false, low, high, &to))
        return false;
    *critical = 0.5 * (from + to);
    return true;
}

LitheVec3 lithe_stand_node(const LitheStand *stand, int32_t node) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod);
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    q += 4 * (int64_t)(node < 0 ? nodes + node : node);
    return (LitheVec3){q[0], q[1], q[2]};
}

bool lithe_stand_hold(LitheStand *stand, int32_t node, uint32_t bits) {
    LitheHoldDef hold = lithe_hold_def_default();
    char name[32];
    snprintf(name, sizeof name, "hold-%d-%u", node, bits);
    hold.name = name;
    hold.place =
        (LithePlace){.thing = lithe_thing_rod(stand->rod), .kind = LITHE_PLACE_NODE, .node = node};
    hold.bits = bits;
    return lithe_scene_add_hold(stand->scene, &hold);
}

bool lithe_stand_force(LitheStand *stand, int32_t node, LitheVec3 force) {
    LitheForceDef def = lithe_force_def_default();
    def.name = "load";
    def.place =
        (LithePlace){.thing = lithe_thing_rod(stand->rod), .kind = LITHE_PLACE_NODE, .node = node};
    def.force = force;
    def.profile = lithe_profile_def_default();
    def.profile.rate = 1;
    return lithe_scene_add_force(stand->scene, &def);
}

LitheProfileDef lithe_stand_profile(const double *times, const double *values, int32_t count) {
    LitheProfileDef profile = lithe_profile_def_default();
    profile.kind = LITHE_PROFILE_LINEAR;
    profile.times = times;
    profile.values = values;
    profile.count = count;
    return profile;
}
