// SPDX-License-Identifier: Apache-2.0
// run/session_report.c - log messages of a run: changed knots and links, lines that close knots,
// broken constraints, unsupported pairs of shapes, limits of joints, errors of pose drives

#include "run/session.h"

#include "advance/hit.h"
#include "base/log.h"
#include "base/status.h"
#include "body/poke.h"
#include "body/pose_drive.h"
#include "body/servo.h"
#include "body/tree.h"
#include "body/tree_body.h"
#include "collide/collide.h"
#include "collide/patch.h"
#include "data/model.h"
#include "data/thing.h"
#include "data/work.h"
#include "record/quantity.h"
#include "run/overlaps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// in a run that fails, knots and links change at every frame: only the first changes are logged
#define CHANGES_REPORTED 10

// A change means that something passed through something, or an end through a loop.
void lithe_session_report_change(const LitheTopologyChange *change, void *user) {
    LitheSession *session = user;
    LitheTotals *totals = &session->totals;
    char text[256] = ""; // zeroed: all bytes are written to checkpoints
    lithe_topology_text(session->model, change, text, sizeof text);
    if (change->undecided) {
        lithe_log(session->context, LITHE_LOG_WARNING, "%s", text);
        return;
    }
    if (!change->harmless && totals->topology_changes++ == 0)
        memcpy(totals->topology_first, text, sizeof text);
    if (session->changes_reported++ < CHANGES_REPORTED)
        lithe_log(session->context, change->harmless ? LITHE_LOG_INFO : LITHE_LOG_WARNING, "%s%s",
                  text,
                  change->harmless ? ": an end went through a loop, or a loop round an end" : "");
}

void lithe_session_report_knots(LitheSession *session) {
    const LitheModel *model = session->model;
    if (session->joined_reported || model->knot_count == 0)
        return;
    for (int32_t i = 0; i < session->map.part_count; i++) {
        const LitheFramePart *part = &session->map.parts[i];
        if (part->owner != &lithe_knot_owner || strcmp(part->quantity->name, "clearance") != 0 ||
            session->frame[part->offset] >= 0)
            continue;
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "at %.6g s a line that joins strands of knot '%.80s' passes through one of them "
                  "(clearance %.3g m): its determinant and signature may depend on the line",
                  lithe_state_time(session->state), model->knots[part->index].name,
                  session->frame[part->offset]);
        session->joined_reported = true;
        return;
    }
}

void lithe_session_report_broken(LitheSession *session) {
    const LitheModel *model = session->model;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        if (session->broken_reported[i] ||
            !lithe_constraint_broken(model, session->state, (LitheConstraintId){i + 1}))
            continue;
        session->broken_reported[i] = 1;
        lithe_log(session->context, LITHE_LOG_INFO, "at %.6g s constraint '%s' breaks",
                  lithe_state_time(session->state), model->constraints[i].name);
    }
}

static const char *name_of(const LitheModel *model, const LitheContactSide *side) {
    return lithe_thing_name(model, side->thing);
}

// overlaps beyond this fraction of the smaller half thickness are reported, at the start and in a
// run
#define DEEP_FRACTION 0.2
// at this ratio the overlap reaches the middle of one object, and the contact may push it
// out on the other side
#define THROUGH_FRACTION 1.0

// a pair that has been warned of is named again if it goes this much deeper
#define MORE 1.5
// warnings of overlaps in a run, at most; the end names the deepest pair of all
#define DEEP_WARNINGS 10

// the pair of a contact; NULL: it is new, and there is no room
static struct LitheDeepPair *deep_pair(LitheDeepPairs *deep, const LitheModel *model,
                                       const LitheContact *contact) {
    uint64_t key = lithe_thing_pair(lithe_thing_number(model, contact->a.thing),
                                    lithe_thing_number(model, contact->b.thing));
    for (int32_t i = 0; i < deep->count; i++)
        if (deep->of[i].key == key)
            return &deep->of[i];
    if (deep->count == (int32_t)(sizeof deep->of / sizeof *deep->of))
        return NULL;
    deep->of[deep->count] = (struct LitheDeepPair){key, 0};
    return &deep->of[deep->count++];
}

// overlap of things whose contact has the stiffness that a warning names, of the smaller half
// thickness
#define LITTLE 0.04

// the stiffness with which the load of a contact overlaps by little, where materials have one
static void find_enough(const LitheSession *session, int32_t index, double fraction,
                        LitheDeepPairs *deep) {
    const LitheModel *model = session->model;
    const LitheContacts *c = session->work->contacts;
    LitheContactForce now = lithe_work_contact(session->work, index);
    const int32_t *part = c->parts[index].part;
    const LithePartOps *a = lithe_part_ops(model, part[0]), *b = lithe_part_ops(model, part[1]);
    const LitheTouch *x = a->touch(model, c, part[0]), *y = b->touch(model, c, part[1]);
    deep->enough = 0;
    // points of soft solids and particles have other stiffnesses
    if (model->contact.model != LITHE_CONTACT_CONVEX || now.contact.area > 0 || !x->turns ||
        !y->turns || x->material < 0 || y->material < 0)
        return;
    LitheContact pair = {0};
    lithe_combine(model, x, a->size(model, c, part[0]), y, b->size(model, c, part[1]), &pair);
    double load = fmax(now.normal / now.contact.stiffness, -now.contact.gap); // m
    deep->stiffness = pair.stiffness;
    deep->enough = pair.stiffness * load / -now.contact.gap * fraction / LITTLE;
    deep->material[0] = x->material;
    deep->material[1] = y->material;
}

static void note_deepest(LitheSession *session, const LitheContact *contact, double fraction) {
    if (!(fraction > session->deep.fraction))
        return;
    session->deep.deepest = *contact;
    session->deep.fraction = fraction;
    session->deep.time = lithe_state_time(session->state);
}

static void warn_of_overlap(LitheSession *session, const LitheContact *contact, double fraction) {
    session->deep.warned++;
    session->deep.said = fmax(session->deep.said, fraction);
    lithe_log(
        session->context, LITHE_LOG_WARNING,
        "at %.6g s '%s' and '%s' overlap by %.3g m, %.0f %% of the smaller half thickness "
        "(small is below %.0f %%): the contact is too soft for this load or speed%s (a larger "
        "%s or a smaller step may help)",
        lithe_state_time(session->state), name_of(session->model, &contact->a),
        name_of(session->model, &contact->b), -contact->gap, 100 * fraction, 100 * DEEP_FRACTION,
        fraction > THROUGH_FRACTION ? ", and they may pass through each other" : "",
        contact->force > 0 ? "modulus of patches" : "contact stiffness");
}

// points of a face or a line at least; the least speed at which it turns [m/s], and the part of it
// by which the speeds of points differ
#define FEW_POINTS 4
#define TURNING 1e-2
#define APART 0.3

static bool same_pair(const LitheContact *a, const LitheContact *b) {
    return a->a.thing.kind == b->a.thing.kind && a->a.thing.number == b->a.thing.number &&
           a->b.thing.kind == b->b.thing.kind && a->b.thing.number == b->b.thing.number &&
           a->a.part == b->a.part && a->b.part == b->b.part;
}

// gap that a law of friction opens, over the smaller half thickness
#define OPEN 0.01

// Laws with a cone open the gap of what slides, in one step where it begins to slide.
static void report_opened(LitheSession *session, const LitheContactForce *now) {
    double rate = now->contact.friction * now->slip, gap = session->report.step * rate;
    double half = lithe_contact_half(session->model, &now->contact);
    if (session->opened_reported || !(now->normal > 0) || !(gap > OPEN * half))
        return;
    session->opened_reported = true;
    lithe_log(session->context, LITHE_LOG_WARNING,
              "at %.6g s '%s' and '%s' slide on each other at %.3g m/s: this law of friction keeps "
              "them apart by up to %.3g m, %.0f %% of the smaller half thickness, and lifts what "
              "begins to slide by up to %.3g m/s (friction-law: lagged does not)",
              lithe_state_time(session->state), name_of(session->model, &now->contact.a),
              name_of(session->model, &now->contact.b), now->slip, gap, 100 * gap / half, rate);
}

// Under other laws than lagged each point opens a gap as fast as it slides, under lcp rigid points
// share a load in any way: a face or line that turns has too much friction.
void lithe_session_report_uneven(LitheSession *session) {
    const LitheContactDef *def = &session->model->contact;
    bool lcp = def->model == LITHE_CONTACT_LCP;
    bool even = def->model != LITHE_CONTACT_CONVEX || def->law == LITHE_FRICTION_LAGGED;
    if ((session->uneven_reported && (session->opened_reported || lcp)) || (even && !lcp))
        return;
    int32_t count = lithe_work_contact_count(session->work), points = 0;
    double slow = INFINITY, fast = 0;
    LitheContact last = {0};
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce now = lithe_work_contact(session->work, i);
        if (!lcp)
            report_opened(session, &now);
        if (points == 0 || !same_pair(&now.contact, &last))
            points = 0, slow = INFINITY, fast = 0;
        last = now.contact;
        if (last.a.thing.kind != LITHE_THING_BODY || last.b.thing.kind != LITHE_THING_BODY ||
            !(last.friction > 0))
            continue;
        points++;
        slow = fmin(slow, now.slip);
        fast = fmax(fast, now.slip);
        if (session->uneven_reported || points < FEW_POINTS || !(fast > TURNING) ||
            !(fast - slow > APART * fast))
            continue;
        session->uneven_reported = true;
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "at %.6g s '%s' and '%s' turn on each other: with %s their points do not share the "
            "load evenly, and friction against turning is up to 1.5 times (a face) to 3 times "
            "(a line) too large (%s has even loads)",
            lithe_state_time(session->state), name_of(session->model, &last.a),
            name_of(session->model, &last.b), lcp ? "contact model lcp" : "this law of friction",
            lcp ? "contact model convex" : "friction-law: lagged");
    }
}

// Pairs are warned of one after the other: in each step the deepest one of those that are new.
void lithe_session_report_deep(LitheSession *session) {
    if (!(session->report.deepest_fraction > DEEP_FRACTION))
        return;
    LitheContact worst = {0};
    struct LitheDeepPair *pair = NULL;
    double max = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(session->work); i++) {
        LitheContact contact = lithe_work_contact(session->work, i).contact;
        double depth = lithe_contact_overlap(session->model, &contact);
        if (!(depth > DEEP_FRACTION))
            continue;
        if (depth > session->deep.fraction)
            find_enough(session, i, depth, &session->deep);
        note_deepest(session, &contact, depth);
        struct LitheDeepPair *own = deep_pair(&session->deep, session->model, &contact);
        if (!own || !(depth > max) || own->stage >= (depth > THROUGH_FRACTION ? 2 : 1))
            continue;
        max = depth;
        worst = contact;
        pair = own;
    }
    if (!pair)
        return; // known, or the deep overlap was in an earlier substep
    pair->stage = max > THROUGH_FRACTION ? 2 : 1;
    if (session->deep.warned < DEEP_WARNINGS)
        warn_of_overlap(session, &worst, max);
}

// At the end: the deepest overlap, and the line to write. A load that presses by the depth d needs
// a stiffness in proportion to d, an impact one to d^2; what overlaps at the start tells nothing of
// either.
void lithe_session_report_deepest(const LitheSession *session) {
    const LitheDeepPairs *deep = &session->deep;
    bool full = deep->count == (int32_t)(sizeof deep->of / sizeof *deep->of);
    double factor = deep->fraction / DEEP_FRACTION;
    char pairs[128] = "", helps[160] = "", line[400] = "";
    char *const *names = session->model->material_names;
    if (deep->count < 1 || !(factor > 1) ||
        (deep->count == 1 && !(deep->time > 0) && !(deep->fraction > MORE * deep->said)))
        return;
    if (deep->count > 1)
        snprintf(pairs, sizeof pairs,
                 "%s%d pairs of things overlapped by more than %.0f %% of the smaller half "
                 "thickness; ",
                 full ? "at least " : "", (int)deep->count, 100 * DEEP_FRACTION);
    if (deep->time > 0)
        snprintf(helps, sizeof helps,
                 ": with %.2g (a load) to %.2g times (an impact) the %s it would be small", factor,
                 factor * factor,
                 deep->deepest.force > 0 ? "modulus of patches" : "contact stiffness");
    if (deep->time > 0 && deep->enough > 0)
        snprintf(line, sizeof line,
                 "; for this load write material-pairs: {stiff: {a: %.80s, b: %.80s, stiffness: "
                 "%.2g N/m}} (it was %.2g N/m)",
                 names[deep->material[0]], names[deep->material[1]], deep->enough, deep->stiffness);
    lithe_log(session->context, LITHE_LOG_WARNING,
              "%sthe deepest overlap was that of '%s' and '%s', %.3g m, %.0f %%, at %.6g s%s%s",
              pairs, name_of(session->model, &deep->deepest.a),
              name_of(session->model, &deep->deepest.b), -deep->deepest.gap, 100 * deep->fraction,
              deep->time, helps, line);
}

void lithe_session_report_poke(LitheSession *session) {
    LithePoke poke;
    if (session->poke_reported || !lithe_find_poke(session->model, session->state, &poke))
        return;
    session->poke_reported = true;
    lithe_log(
        session->context, LITHE_LOG_WARNING,
        "at %.6g s '%s' is %.3g m deep in '%s', between the nodes of its surface, whose edges "
        "are up to %.3g m long (smaller elements or steps help; ignore or disjoint group and "
        "mask silence this)",
        lithe_state_time(session->state), lithe_thing_name(session->model, poke.body), poke.depth,
        lithe_thing_name(session->model, poke.thing), poke.edge);
}

void lithe_session_report_unsupported(LitheSession *session) {
    if (session->unsupported_reported)
        return;
    session->unsupported_reported = true;
    lithe_log(session->context, LITHE_LOG_WARNING,
              "at %.6g s %d pairs of shapes are close, but contact between them is not supported "
              "(of two shapes that are not convex both must be closed meshes, or one a "
              "heightfield): they pass through each other",
              lithe_state_time(session->state), (int)session->report.pairs_unserved);
}

void lithe_session_report_folded(LitheSession *session) {
    const LitheContacts *c = session->work->contacts;
    if (c->folded == 0 || session->folded_reported)
        return;
    session->folded_reported = true;
    LitheEdgeBend bend = lithe_edge_bend(session->model, session->state, c, c->folded_part);
    char more[64] = "";
    if (c->folded > 1)
        snprintf(more, sizeof more, " and %d more in patches", (int)c->folded - 1);
    lithe_log(
        session->context, LITHE_LOG_WARNING,
        "at %.6g s edge %d of rod '%s'%s bends with a radius of %.3g m and twists by %.3g rad, "
        "too much for its section, which reaches %.3g m from the axis: its pressure field is "
        "that of a straight piece, with a step at the nodes (a wider bend, a thinner section "
        "or shorter edges of a twisted rod help)",
        lithe_state_time(session->state), (int)bend.edge, bend.name, more, bend.radius, bend.twist,
        bend.reach);
}

// friction that does not oppose the sliding (imc, paper) is reported above this fraction
#define ASTRAY 0.1

void lithe_session_report_astray(LitheSession *session) {
    double astray = session->report.friction_astray;
    if (session->astray_reported || !(astray > ASTRAY))
        return;
    session->astray_reported = true;
    lithe_log(session->context, LITHE_LOG_WARNING,
              "at %.6g s %.0f %% of friction does not oppose the sliding (small is below %.0f %%): "
              "contact.imc.friction paper has the direction of the last step, which the step of "
              "%.3g s turns or reverses; a smaller step may help, static friction does",
              lithe_state_time(session->state), 100 * astray, 100 * ASTRAY, session->report.step);
}

// Each event is logged once; at worst again after a resume.
void lithe_session_report_limits(LitheSession *session) {
    const LitheModel *model = session->model;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const LitheRigidJoint *joint = &model->joints[j];
        int reached = lithe_joint_reached(model, session->work, j);
        if (session->limit_reported[j] || !reached)
            continue;
        session->limit_reported[j] = 1;
        bool exact = lithe_joint_is_prescribed(model, session->work, j);
        const char *what = reached & LITHE_REACHED_LOWER   ? "lower limit, which stops it"
                           : reached & LITHE_REACHED_UPPER ? "upper limit, which stops it"
                           : reached & LITHE_REACHED_VELOCITY
                               ? exact ? "velocity limit: its drive is exact and exceeds the limit "
                                         "(a drive with stiffness respects it)"
                                       : "velocity limit, which slows it"
                           : exact ? "effort limit: its drive is exact and exceeds the limit (a "
                                     "drive with stiffness respects it)"
                                   : "effort limit";
        bool exceeds = exact && !(reached & (LITHE_REACHED_LOWER | LITHE_REACHED_UPPER)) &&
                       (reached & LITHE_REACHED_VELOCITY);
        lithe_log(session->context, exceeds ? LITHE_LOG_WARNING : LITHE_LOG_INFO,
                  "at %.6g s joint '%s' reaches its %s", lithe_state_time(session->state),
                  joint->name, what);
    }
}

void lithe_session_count_missed(LitheSession *session) {
    for (int32_t i = 0; i < session->model->pose_drive_count; i++) {
        LitheMissed *missed = &session->missed[i];
        LitheIkOutcome left = lithe_pose_drive_left(session->model, session->work, i);
        if (!lithe_pose_is_missed(lithe_pose_drive_at(session->model, i), &left))
            continue;
        if (missed->steps++ == 0)
            missed->first = lithe_state_time(session->state);
        missed->distance = fmax(missed->distance, left.distance);
        missed->angle = fmax(missed->angle, left.angle);
    }
}

void lithe_session_report_missed(LitheSession *session) {
    for (int32_t i = 0; i < session->model->pose_drive_count; i++) {
        const LitheMissed *missed = &session->missed[i];
        const LithePoseDrive *drive = lithe_pose_drive_at(session->model, i);
        char why[120] = "out of reach, a limit of a joint, or too fast";
        if (drive->ik.joint_count < 6 && !drive->ik.point)
            snprintf(why, sizeof why,
                     "%d joint%s cannot follow every position and rotation: position-only leaves "
                     "rotations free",
                     drive->ik.joint_count, drive->ik.joint_count == 1 ? "" : "s");
        if (missed->steps > 0)
            lithe_log(session->context, LITHE_LOG_WARNING,
                      "pose drive '%s' could not follow its path in %lld of %lld steps, first "
                      "at %.6g s: largest error %.3g m and %.3g degrees (%s)",
                      drive->name, (long long)missed->steps, (long long)session->steps_made,
                      missed->first, missed->distance, missed->angle * (180 / M_PI), why);
    }
}

// --- stiff drives --------------------------------------------------------------------------------

// The guard acted often if in this fraction of steps; a larger drift of the energy is an error of
// the motion, one below SEEN_DRIFT is seen in energies only; fewer steps per period do not resolve
// an oscillation.
#define OFTEN 0.1
#define LARGE_DRIFT 0.1
#define SEEN_DRIFT 0.01
#define LOST 0.2 // of solids that touch
#define RESOLVED 10

// Contacts that the steps do not resolve give what they never took: most of a large drift, or half
// of the largest energy that moved. What the scheme damps is part of the drift of the summary only.
static bool report_contacts_drift(LitheSession *session, bool drifts) {
    const LitheTotals *totals = &session->totals;
    double gave = -lithe_energy(session->model, session->state).contact;
    double moved = session->state->guard[LITHE_GUARD_LARGEST];
    bool seen = totals->energy_error > SEEN_DRIFT * totals->energy_scale;
    bool most = drifts && gave > 0.5 * totals->energy_error, all = seen && gave > 0.5 * moved;
    if (most || all)
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "the energy drifted by %.3g J, %.2g of the largest: contacts gave %.3g J more "
            "than they took, since steps of %.3g s do not resolve them; results are doubtful, "
            "shorter steps or softer contacts may help",
            totals->energy_error, totals->energy_error / totals->energy_scale, gave,
            session->model->time.step);
    return most || all;
}

// What a scheme damps of vibrations that its steps do not resolve is lost. Steps of hits are cut,
// but not without end (T31).
static void report_solids_drift(LitheSession *session) {
    const LitheTotals *totals = &session->totals;
    double step = session->model->time.step, needed = lithe_hit_shortest(session->model);
    bool cut = step <= needed * (1 << LITHE_HIT_CUTS);
    if (isfinite(needed) && totals->contacts_max > 0 &&
        totals->energy_error > LOST * totals->energy_scale)
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "the energy drifted by %.3g J, %.2g of the largest: steps of %.3g s do not resolve "
            "%s of solids, which lose their energy%s; steps of %.2g s keep more",
            totals->energy_error, totals->energy_error / totals->energy_scale, step,
            cut ? "vibrations" : "vibrations and hits", cut ? "" : " (a rebound is too low)",
            fmin(needed, step / 2));
}

void lithe_session_report_stiff(LitheSession *session) {
    const LitheModel *model = session->model;
    const LitheTotals *totals = &session->totals;
    double step = model->time.step;
    bool drifts = totals->energy_error > LARGE_DRIFT * totals->energy_scale;
    bool often = (double)totals->scheme.guarded >= OFTEN * (double)totals->steps;
    if (session->steps_made == 0 || model->time.scheme != LITHE_SCHEME_TR_BDF2)
        return;
    LitheServo fastest;
    bool servo =
        (drifts || often) && lithe_servo_fastest(model, session->work, RESOLVED * step, &fastest);
    if (!servo && !report_contacts_drift(session, drifts) && drifts)
        report_solids_drift(session);
    if (servo)
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "the energy guard acted in %lld of %lld steps, and the energy drifted by %.2g of "
            "the largest: %s '%s' is stiffer than the step of %.3g s resolves. Its spring of "
            "%.3g and the inertia %.3g at joint '%s' oscillate in %.2g s, at least %d steps "
            "are needed: lower its stiffness to %.2g, shorten the step to %.2g s, or make the "
            "drive exact",
            (long long)totals->scheme.guarded, (long long)totals->steps,
            totals->energy_scale > 0 ? totals->energy_error / totals->energy_scale : 0,
            fastest.kind, fastest.name, step, fastest.stiffness, fastest.inertia, fastest.joint,
            fastest.period, RESOLVED, fastest.inertia * pow(2 * M_PI / (RESOLVED * step), 2),
            fastest.period / RESOLVED);
}

void lithe_session_report_unconverged(LitheSession *session) {
    const LitheTotals *totals = &session->totals;
    int64_t units = totals->steps_unconverged, coupled = totals->solve_unconverged;
    if (units + coupled > 1)
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "of %lld steps %lld did not converge in a unit, %lld in the coupled solve",
                  (long long)totals->steps, (long long)units, (long long)coupled);
}

// whether two things have a contact that is reported as an overlap
static bool overlap_deeply(const LitheModel *model, const LitheContacts *contacts, LitheThing a,
                           LitheThing b) {
    uint64_t key = lithe_thing_pair(lithe_thing_number(model, a), lithe_thing_number(model, b));
    for (int32_t i = 0; i < lithe_contact_count(contacts); i++) {
        const LitheContact *c = &lithe_contact_data(contacts)[i];
        if (lithe_contact_overlap(model, c) > DEEP_FRACTION &&
            lithe_thing_pair(lithe_thing_number(model, c->a.thing),
                             lithe_thing_number(model, c->b.thing)) == key)
            return true;
    }
    return false;
}

// bodies in solids at the start where no node of the surface feels it
static void report_start_pokes(LitheSession *session, const LitheContacts *contacts) {
    const LitheModel *model = session->model;
    for (LithePoke poke = {0};
         lithe_next_start_poke(model, session->state, DEEP_FRACTION, &poke);) {
        if (overlap_deeply(model, contacts, poke.thing, poke.body))
            continue;
        session->poke_reported = true;
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "at the start '%s' is %.3g m deep in '%s', %.0f %% of the smaller half thickness, "
            "between the nodes of its surface (ignore says that this is meant)",
            lithe_thing_name(model, poke.body), poke.depth, lithe_thing_name(model, poke.thing),
            100 * poke.fraction);
    }
}

LitheStatus lithe_session_refuse_overlaps(const LitheSession *session, LitheError *error) {
    if (!session->model->contact.enabled)
        return LITHE_OK;
    LitheContacts *contacts = lithe_contacts_create(session->context);
    if (!contacts)
        return lithe_fail_memory(error, "the contacts of the start");
    LitheStatus status = lithe_find_contacts(session->model, session->state, 0, contacts, error);
    if (status == LITHE_OK)
        status = lithe_overlaps_refuse(session->model, session->state, contacts, error);
    lithe_contacts_destroy(contacts);
    return status;
}

LitheStatus lithe_session_report_overlaps(LitheSession *session, LitheError *error) {
    const LitheModel *model = session->model;
    if (!model->contact.enabled || model->time.scheme == LITHE_SCHEME_STATIC)
        return LITHE_OK;
    LitheContacts *contacts = lithe_contacts_create(session->context);
    LitheStatus status = contacts ? lithe_find_contacts(model, session->state, 0, contacts, error)
                                  : lithe_fail_memory(error, "the contacts of the start");
    const LitheContact *worst = NULL;
    double max = DEEP_FRACTION;
    int32_t deep = 0;
    for (int32_t i = 0; status == LITHE_OK && i < lithe_contact_count(contacts); i++) {
        const LitheContact *c = &lithe_contact_data(contacts)[i];
        double part = lithe_contact_overlap(model, c);
        deep += part > DEEP_FRACTION;
        struct LitheDeepPair *pair =
            part > DEEP_FRACTION ? deep_pair(&session->deep, model, c) : NULL;
        if (pair)
            pair->stage = 1;
        if (part > max) {
            max = part;
            worst = c;
        }
    }
    if (worst) {
        note_deepest(session, worst, max);
        session->deep.said = max;
        bool self = worst->a.thing.kind == worst->b.thing.kind &&
                    worst->a.thing.number == worst->b.thing.number;
        char who[256], speed[64] = "";
        if (worst->dissipation > 0)
            snprintf(speed, sizeof speed, ", at %.3g m/s at most", 1 / worst->dissipation);
        if (self)
            snprintf(who, sizeof who, "parts %d and %d of %.100s", (int)worst->a.part,
                     (int)worst->b.part, name_of(model, &worst->a));
        else
            snprintf(who, sizeof who, "%.100s and %.100s", name_of(model, &worst->a),
                     name_of(model, &worst->b));
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "at the start %s overlap by %.3g m, %.0f %% of the smaller half thickness%s: "
                  "contacts push them apart%s (lithe check lists overlaps)",
                  who, -worst->gap, 100 * max, deep > 1 ? ", and so do others" : "", speed);
    }
    for (LitheWithin pair = {0}; status == LITHE_OK && lithe_next_within(model, contacts, &pair);)
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "at the start solid '%s' lies inside of solid '%s': so deep there are no contacts "
            "between them (ignore says that this is meant)",
            lithe_thing_name(model, pair.inner), lithe_thing_name(model, pair.outer));
    for (LitheWithin pair = {0};
         status == LITHE_OK && lithe_next_sunk(model, session->state, contacts, &pair);)
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "at the start '%s' is %.3g m deep in '%s': so deep there are no contacts between "
                  "them (ignore says that this is meant)",
                  lithe_thing_name(model, pair.inner), pair.depth,
                  lithe_thing_name(model, pair.outer));
    if (status == LITHE_OK)
        report_start_pokes(session, contacts);
    lithe_contacts_destroy(contacts);
    return status;
}
