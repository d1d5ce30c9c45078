// SPDX-License-Identifier: Apache-2.0
// advance/adapt.c - step-size control: the length of the next step from errors, events and effort
//
// Steps are the largest one divided by powers of two and start at multiples of their length, so
// that results do not depend on when the run is observed. Numbers in brackets: docs/theory/time.md,
// section 10.

#include "advance/adapt.h"

#include "advance/events.h"
#include "body/rod.h"
#include "body/unit.h"
#include "collide/collide.h"
#include "data/system.h"
#include "data/thing.h"
#include "geom/segment.h"

#include <math.h>
#include <string.h>

// (AD3) allowed errors per step: of motion, as a fraction of an edge (or of the half thickness, if
// that is larger); of gaps, as a fraction of the half thickness
#define MOTION_FRACTION 7e-2
#define GAP_FRACTION 1.5e-2
// (AD8) allowed error of a step as a fraction of the motion in it: about nine steps per period of a
// vibration, which then loses 1 % of its amplitude per period under TR-BDF2. Motions below
// LEAST_FRACTION of an edge are not followed.
#define SWING_FRACTION 2e-2
#define LEAST_FRACTION 1e-5
// (AD7) allowed rotation per step [rad] where the axis of rotation can turn, at the tolerance auto:
// a top then precesses at most 4 % too slowly
#define MAX_ROTATION 0.3
// (AD5): the error of gaps may be larger, by a factor of up to 1 + MAX_SOFT, where the contact
// forces are small compared with SOFT_FRACTION times the force that bends a rod to a radius of its
// own thickness
#define SOFT_FRACTION 0.2
#define MAX_SOFT 0.5
// error above which a step is repeated; above 1 the next one is half as long
#define REFUSED 2.0
// doubling the length gives four times the error: steps may grow while the error is below this
#define EASY 0.25
// steps before the length may grow again, after a crossing or a solve that did not converge, and
// after a longer step that cost more per time
#define WAIT_STEPS 16
// errors of an oscillation vanish twice per period: after an error that counted, CALM_STEPS are
// made before the length may grow. SLIDE_STEPS are enough after errors of gaps, which grow with the
// sliding speed and do not vanish in between.
#define CALM_STEPS 32
#define SLIDE_STEPS 16
// value of the wait while no error has counted yet
#define AT_ONCE (-1)
// number of steps of one length before their mean effort is compared, and weight of the last step
// in that mean
#define COMPARED 4
#define COST_WEIGHT 0.25
// times are equal if they differ by less than this multiple of the smallest step
#define SAME_TIME 1e-6

// --- the grid ------------------------------------------------------------------------------------

int32_t lithe_adapt_levels(const LitheModel *model) {
    int32_t levels = 0;
    while (levels < LITHE_ADAPT_LEVELS &&
           model->time.step / (double)((int64_t)2 << levels) >= (1 - 1e-9) * model->time.min_step)
        levels++;
    return levels;
}

double lithe_adapt_length(const LitheModel *model, int32_t level) {
    return model->time.step / (double)((int64_t)1 << level);
}

int64_t lithe_adapt_ticks(const LitheModel *model, int32_t level) {
    return (int64_t)1 << (lithe_adapt_levels(model) - level);
}

// --- events --------------------------------------------------------------------------------------

int32_t lithe_adapt_begin(const LitheModel *model, const LitheState *state, LitheStepLimit *limit) {
    int32_t levels = lithe_adapt_levels(model),
            level = (int32_t)state->step_control[LITHE_STEP_CONTROL_LEVEL];
    *limit = (LitheStepLimit)state->step_control[LITHE_STEP_CONTROL_LIMIT];
    // nothing is known yet: start with the smallest step
    if (state->step_control[LITHE_STEP_CONTROL_LAST] == 0) {
        level = levels;
        *limit = LITHE_LIMIT_ERROR;
    }
    LitheSpan span = {.from = state->clock[0],
                      .same = SAME_TIME * lithe_adapt_length(model, levels)};
    // steps start at multiples of their length
    while ((int64_t)state->step_control[LITHE_STEP_CONTROL_TICKS] %
               lithe_adapt_ticks(model, level) !=
           0)
        level++;
    for (; level < levels; level++) {
        span.to = span.from + lithe_adapt_length(model, level);
        if (!lithe_event_within(model, &span))
            break;
        *limit = LITHE_LIMIT_EVENT;
    }
    if (level == 0)
        *limit = LITHE_LIMIT_LARGEST;
    return level;
}

// --- errors --------------------------------------------------------------------------------------

// (AD1) The common part of the accelerations a and b of two successive steps, vectors of n numbers.
// It excludes an impact, which only one of the two steps has, and oscillation from step to step.
static void common(const double *a, const double *b, int n, double *out) {
    double aa = 0, ab = 0, bb = 0;
    for (int k = 0; k < n; k++)
        aa += a[k] * a[k], ab += a[k] * b[k], bb += b[k] * b[k];
    double part = ab > 0 ? fmin(1, ab / aa) : 0;
    for (int k = 0; k < n; k++)
        out[k] = part * a[k];
}

// (AD1), (AD2): error of the positions of a unit from its accelerations now and in the step before
static void unit_errors(const LitheModel *model, const double *now, const double *then, double h,
                        double last, const LitheUnit *unit, double *e) {
    int64_t count = unit->v_count;
    bool middle = model->time.scheme == LITHE_SCHEME_MIDPOINT;
    if (last == 0) {
        for (int64_t k = 0; k < count; k++)
            e[k] = 0.5 * h * h * now[k];
        return;
    }
    for (int64_t k = 0; middle && k < count; k++)
        e[k] = h * h * h / (6 * (h + last)) * (now[k] - then[k]);
    // the three coordinates of a node are compared as one vector, all other DoFs one by one; a unit
    // without points has only DoFs of the second kind
    int32_t size = unit->point_count > 0 ? unit->node_size : 1;
    for (int64_t k = 0, together; !middle && k < count; k += together) {
        together = size >= 3 && k % size == 0 ? 3 : 1;
        common(now + k, then + k, (int)together, e + k);
    }
    for (int64_t k = 0; !middle && k < count; k++)
        e[k] *= 0.5 * h * h;
}

// (AD6) TR-BDF2: difference from the embedded formula of third order
static void stage_errors(const LitheState *before, const LitheState *after, double h,
                         const LitheWork *work, const LitheUnit *unit, double *e) {
    const double w = LITHE_STAGE_W, d = LITHE_STAGE_D;
    for (int64_t k = 0; k < unit->v_count; k++) {
        int64_t at = unit->v_at + k;
        e[k] = h / 3 * ((4 * w - 1) * before->v[at] - work->stage.first[at] + 2 * d * after->v[at]);
    }
}

// (AD7): the velocities of a body that spins are constant in its axes, and show no error
static double rotation_error(const LitheModel *model, const LitheState *after, double h,
                             const LitheWork *work, int32_t unit) {
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    double angle = ops->rotation ? h * ops->rotation(model, unit, after, work) / MAX_ROTATION : 0;
    return MOTION_FRACTION * model->units[unit].length * angle * angle;
}

// error of a step that the tolerance `auto` allows; the velocities replace the errors of the unit
static double allowed_error(const LitheModel *model, const LitheState *after, double h,
                            const LitheWork *work, int32_t index) {
    const LitheUnit *unit = &model->units[index];
    const LitheUnitOps *ops = lithe_unit_ops(model, index);
    double most = MOTION_FRACTION * unit->length, *v = work->units[index].trial;
    // the error of backward Euler is an acceleration, which is largest where nothing moves
    bool second = work->stage.made || model->time.scheme == LITHE_SCHEME_MIDPOINT;
    if (!ops->swings || !second || !(unit->mass > 0))
        return most;
    memcpy(v, after->v + unit->v_at, (size_t)unit->v_count * sizeof *v);
    double moved = h * sqrt(ops->norm(model, index, work, v) / unit->mass); // (AD8)
    return fmin(most, fmax(SWING_FRACTION * moved, LEAST_FRACTION * unit->length));
}

// (AD3): root of e' M e over the mass of the unit, relative to the allowed error
static double motion_error(const LitheModel *model, const LitheState *before,
                           const LitheState *after, double h, const LitheWork *work) {
    double max = 0, last = before->step_control[LITHE_STEP_CONTROL_LAST];
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        const LitheUnitWork *own = &work->units[i];
        double *a = own->trial_r, *e = own->trial; // scratch: accelerations, errors
        for (int64_t k = 0; k < own->dof_count; k++)
            a[k] = (after->v[unit->v_at + k] - before->v[unit->v_at + k]) / h;
        if (work->stage.made)
            stage_errors(before, after, h, work, unit, e);
        else
            unit_errors(model, a, before->accelerations + unit->v_at, h, last, unit, e);
        double norm = lithe_unit_ops(model, i)->norm(model, i, work, e);
        double allowed = model->time.step_tolerance;
        if (!(allowed > 0))
            allowed = allowed_error(model, after, h, work, i);
        max = fmax(max, (unit->mass > 0 ? sqrt(norm / unit->mass) : 0) / allowed);
        if (unit->length < INFINITY)
            max = fmax(max, rotation_error(model, after, h, work, i) / allowed);
    }
    return max;
}

// positions of the ends of the edge on one side of a contact
static void ends_of(const LitheModel *model, const LitheState *state, const LitheContactSide *side,
                    Vec3 ends[2]) {
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    int32_t edge = side->part, next = edge + 1 == rod->node_count ? 0 : edge + 1;
    const double *q = state->q + rod->dof_at;
    ends[0] = v3_load(q + 4 * (int64_t)edge);
    ends[1] = v3_load(q + 4 * (int64_t)next);
}

// parameter of the point of the segment p, p + e nearest to x
static double project(Vec3 x, Vec3 p, Vec3 e) {
    return fmin(1, fmax(0, v3_dot(e, v3_sub(x, p)) / v3_dot(e, e)));
}

// distance of the centrelines of a contact at the end of the step. Where edges are almost parallel
// and the contact is at an end of one of them, the distance is taken at that end.
static double distance_after(const LitheModel *model, const LitheState *after,
                             const LitheContact *contact) {
    Vec3 a[2], b[2];
    ends_of(model, after, &contact->a, a);
    ends_of(model, after, &contact->b, b);
    Vec3 ea = v3_sub(a[1], a[0]), eb = v3_sub(b[1], b[0]);
    double s = contact->a.s, t = contact->b.s, ab = v3_dot(ea, eb);
    bool bound_a = s <= 0 || s >= 1, bound_b = t <= 0 || t >= 1;
    bool level = ab * ab >= 0.97 * v3_dot(ea, ea) * v3_dot(eb, eb);
    if (!level || (!bound_a && !bound_b))
        return lithe_segment_closest(a[0], a[1], b[0], b[1]).distance;
    Vec3 x = v3_axpy(s, ea, a[0]), y = v3_axpy(t, eb, b[0]);
    if (!bound_b)
        y = v3_axpy(project(x, b[0], eb), eb, b[0]);
    else if (!bound_a)
        x = v3_axpy(project(y, a[0], ea), ea, a[0]);
    return v3_distance(x, y);
}

// pose at `state` of a material point that a contact acts on; the world does not move
static Pose moved(const LitheModel *model, const LitheState *state, const LitheSite *site) {
    return site->unit < 0 ? pose_identity()
                          : lithe_unit_ops(model, site->unit)->place(model, state, site, 0);
}

static bool is_ball(const LitheModel *model, const LitheContactParts *parts, int k) {
    return lithe_part_kind(model, parts->part[k]) == LITHE_PART_BALL;
}

static double ball_radius(const LitheModel *model, const LitheContactSide *side) {
    return lithe_thing_ball_radius(model, side->thing, side->part);
}

// Gap of a particle, which is side b, at the end of the step: exact against another particle and a
// round rod; other surfaces are approximated by their tangent plane at the contact. A particle deep
// in a body with corners has a gap that is not its distance from this plane: of contacts that were
// found at the start of the step, the gap changes by as much as this distance.
static double particle_gap(const LitheModel *model, const LitheState *before,
                           const LitheState *after, const LitheContact *contact,
                           const LitheContactParts *parts, bool ahead) {
    Vec3 x = moved(model, after, &parts->site[1]).at;
    double radius = ball_radius(model, &contact->b);
    if (is_ball(model, parts, 0))
        return v3_distance(x, moved(model, after, &parts->site[0]).at) - radius -
               ball_radius(model, &contact->a);
    bool rod = contact->a.thing.kind == LITHE_THING_ROD;
    double round = rod ? lithe_rod_contact_radius(&model->rods[contact->a.thing.number - 1]) : 0;
    if (round > 0) {
        Vec3 ends[2];
        ends_of(model, after, &contact->a, ends);
        Vec3 edge = v3_sub(ends[1], ends[0]);
        return v3_distance(x, v3_axpy(project(x, ends[0], edge), edge, ends[0])) - round - radius;
    }
    Pose a0 = moved(model, before, &parts->site[0]), a1 = moved(model, after, &parts->site[0]);
    Quat turn = q4_mul(a1.rotation, q4_conj(a0.rotation));
    Vec3 on_a = v3_axpy(-0.5 * contact->gap, contact->normal, contact->point);
    Vec3 surface = v3_add(a1.at, q4_rotate(turn, v3_sub(on_a, a0.at)));
    double end = v3_dot(q4_rotate(turn, contact->normal), v3_sub(x, surface));
    Vec3 x0 = moved(model, before, &parts->site[1]).at;
    double start = v3_dot(contact->normal, v3_sub(x0, on_a));
    return ahead ? end - radius : contact->gap + end - start;
}

// A gap at the end of a step, and the scales of its allowed error.
typedef struct EndGap {
    double gap;    // m
    double radius; // the smaller radius of the two sides [m]
    double soft;   // force that bends a rod to a radius of its own thickness; INFINITY: no rod
} EndGap;

// computes the gap of a contact at the end of the step; false: not available for this pair
static bool end_gap(const LitheModel *model, const LitheState *before, const LitheState *after,
                    const LitheWork *work, int32_t index, EndGap *out) {
    const LitheContacts *contacts = work->contacts;
    const LitheContact *contact = &contacts->contacts[index];
    const LitheContactSide *sides[2] = {&contact->a, &contact->b};
    double radius[2] = {0};
    *out = (EndGap){.soft = INFINITY};
    for (int k = 0; k < 2; k++) {
        if (sides[k]->thing.kind == LITHE_THING_ROD) {
            const LitheRod *rod = &model->rods[sides[k]->thing.number - 1];
            radius[k] = lithe_rod_contact_radius(rod);
            out->soft = fmin(out->soft, lithe_rod_bend_force(rod));
        } else if (is_ball(model, &contacts->parts[index], k)) {
            radius[k] = lithe_thing_thickness(model, sides[k]->thing, sides[k]->part);
        }
    }
    if (is_ball(model, &contacts->parts[index], 1)) {
        out->gap = particle_gap(model, before, after, contact, &contacts->parts[index],
                                work->outcome.ahead);
        out->radius = radius[0] > 0 ? fmin(radius[0], radius[1]) : radius[1];
        return true;
    }
    // two round rods
    if (!(radius[0] > 0 && radius[1] > 0))
        return false;
    out->gap = distance_after(model, after, contact) - radius[0] - radius[1];
    out->radius = fmin(radius[0], radius[1]);
    return true;
}

// (AD4): difference of gaps from their linearisation, weighted by the contact forces
static double contact_error(const LitheModel *model, const LitheState *before,
                            const LitheState *after, double h, const LitheWork *work) {
    double sum = 0, weight = 0, soft = INFINITY;
    const LitheSystem *system = work->system;
    for (int32_t i = 0; work->outcome.passes > 0 && i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            break; // contacts are the first couplings
        EndGap end;
        if (!(c->impulse[2] > 0) || !end_gap(model, before, after, work, c->index, &end))
            continue;
        double allowed = model->time.step_tolerance;
        allowed = allowed > 0 ? allowed : GAP_FRACTION * end.radius;
        double error = end.gap - system->contact_laws[c->index].gap - h * c->v[2];
        if (work->outcome.ahead) // the gap at the start of the step or stage is in the term
            error = end.gap + c->term.f0 / c->term.k - c->term.h * c->v[2];
        error /= allowed;
        sum += c->impulse[2] * error * error;
        weight += c->impulse[2];
        soft = fmin(soft, end.soft);
    }
    if (!(weight > 0))
        return 0;
    // (AD5) is not applied where the scene sets a tolerance, nor where no rod is in contact
    bool given = model->time.step_tolerance > 0 || soft == INFINITY;
    double more = given ? 0 : fmin(SOFT_FRACTION * soft * h / weight, MAX_SOFT);
    return sqrt(sum / weight) / (1 + more);
}

LitheStepErrors lithe_adapt_measure(const LitheModel *model, const LitheState *before,
                                    const LitheState *after, double h, const LitheWork *work) {
    return (LitheStepErrors){.motion = motion_error(model, before, after, h, work),
                             .contact = contact_error(model, before, after, h, work)};
}

bool lithe_adapt_refuses(const LitheStepErrors *errors, LitheStepLimit *limit) {
    *limit = errors->motion >= errors->contact ? LITHE_LIMIT_ERROR : LITHE_LIMIT_CONTACT;
    return fmax(errors->motion, errors->contact) > REFUSED;
}

// --- the next step -------------------------------------------------------------------------------

// effort of a step, in units of an iteration of the coupled solve; no clock is used: the bits of a
// run must not depend on one
static double effort_of(const LitheReport *report) {
    double once = 1 + report->passes + report->solve_iterations + 0.3 * report->newton_iterations;
    return once * (1 + report->rejected);
}

// updates the mean effort of steps of this length; true: half the length was cheaper
static bool count_effort(double *step_control, double effort, double h) {
    double *count = &step_control[LITHE_STEP_CONTROL_COUNT],
           *cost = &step_control[LITHE_STEP_CONTROL_COST];
    double weight = *count > 0 ? COST_WEIGHT : 1;
    *cost += weight * (effort / h - *cost);
    *count = fmin(*count + 1, COMPARED);
    return *count >= COMPARED && step_control[LITHE_STEP_CONTROL_HALF] > 0 &&
           *cost > step_control[LITHE_STEP_CONTROL_HALF];
}

static void change_level(double *step_control, int32_t level, LitheStepLimit limit) {
    bool longer = level < step_control[LITHE_STEP_CONTROL_LEVEL];
    step_control[LITHE_STEP_CONTROL_HALF] =
        longer && step_control[LITHE_STEP_CONTROL_COUNT] >= COMPARED
            ? step_control[LITHE_STEP_CONTROL_COST]
            : 0;
    step_control[LITHE_STEP_CONTROL_COST] = step_control[LITHE_STEP_CONTROL_COUNT] = 0;
    step_control[LITHE_STEP_CONTROL_LEVEL] = level;
    if (!longer)
        step_control[LITHE_STEP_CONTROL_LIMIT] = limit;
}

void lithe_adapt_end(const LitheModel *model, const LitheState *before, int32_t level,
                     const LitheStepErrors *errors, const LitheReport *report, LitheState *state) {
    double *step_control = state->step_control, h = lithe_adapt_length(model, level);
    int64_t ticks =
        (int64_t)step_control[LITHE_STEP_CONTROL_TICKS] + lithe_adapt_ticks(model, level);
    int32_t levels = lithe_adapt_levels(model);
    step_control[LITHE_STEP_CONTROL_TICKS] = (double)ticks;
    state->clock[0] = (double)ticks * lithe_adapt_length(model, levels);
    step_control[LITHE_STEP_CONTROL_LAST] = h;
    for (int64_t k = 0; k < model->v_count; k++)
        state->accelerations[k] = (state->v[k] - before->v[k]) / h;

    // the level that this step needed is that of the next one, unless an event or the grid
    // shortened only this step
    bool first = before->step_control[LITHE_STEP_CONTROL_LAST] == 0;
    bool refused = report->rejected > 0 && report->limit != LITHE_LIMIT_EVENT;
    if (first || refused)
        change_level(step_control, level, report->limit);
    if (first)
        step_control[LITHE_STEP_CONTROL_WAIT] = AT_ONCE;
    bool single = level != (int32_t)step_control[LITHE_STEP_CONTROL_LEVEL];
    if (step_control[LITHE_STEP_CONTROL_WAIT] > 0)
        step_control[LITHE_STEP_CONTROL_WAIT]--;
    bool trouble = report->rejected > 0 &&
                   (report->limit == LITHE_LIMIT_CROSSING || report->limit == LITHE_LIMIT_SOLVE);
    if (trouble)
        step_control[LITHE_STEP_CONTROL_WAIT] =
            fmax(step_control[LITHE_STEP_CONTROL_WAIT], WAIT_STEPS);
    bool dear = !single && count_effort(step_control, effort_of(report), h);

    // shorter steps
    LitheStepLimit worst =
        errors->motion >= errors->contact ? LITHE_LIMIT_ERROR : LITHE_LIMIT_CONTACT;
    double error = fmax(errors->motion, errors->contact);
    double calm = worst == LITHE_LIMIT_ERROR ? CALM_STEPS : SLIDE_STEPS;
    if (error > EASY)
        step_control[LITHE_STEP_CONTROL_WAIT] = fmax(step_control[LITHE_STEP_CONTROL_WAIT], calm);
    if (error > 1 && level < levels) {
        change_level(step_control, level + 1, worst);
        return;
    }
    if (dear && level < levels) {
        change_level(step_control, level + 1, LITHE_LIMIT_EFFORT);
        step_control[LITHE_STEP_CONTROL_WAIT] =
            fmax(step_control[LITHE_STEP_CONTROL_WAIT], WAIT_STEPS);
        return;
    }
    // longer steps, where they start on the grid
    if (error > EASY)
        step_control[LITHE_STEP_CONTROL_LIMIT] = worst;
    else if (!single && level > 0 && step_control[LITHE_STEP_CONTROL_WAIT] <= 0 &&
             ticks % (2 * lithe_adapt_ticks(model, level)) == 0) {
        change_level(step_control, level - 1, worst);
        if (step_control[LITHE_STEP_CONTROL_WAIT] == 0)
            step_control[LITHE_STEP_CONTROL_WAIT] = calm;
    }
}
