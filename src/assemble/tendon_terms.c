// SPDX-License-Identifier: Apache-2.0
// assemble/tendon_terms.c - active tendons become couplings
//
// A tendon has one row that measures how fast its path shortens,
//     (U3)  v = -dL/dt = sum over its points of (u_k - u_(k-1)) . v_k,   u_(-1) = u_n = 0
// so that an impulse T h of this row pulls every point with the tension on both of its sides. Each
// segment adds two rows perpendicular to it, the geometric stiffness
//     (U5)  d2L/dx2 T = sum of segments T/l_i (I - u_i u_i')
// with a tension that is known at the start of the step. Numbers: docs/theory/tendons.md.

#include "assemble/constraint_parts.h"

#include "body/constraint.h"
#include "body/profile.h"
#include "body/tendon.h"

#include <math.h>

// a segment from one point of a tendon to the next
typedef struct Segment {
    Vec3 from, to;  // now
    Vec3 direction; // u_i; 0 where both points coincide
    double length;  // m
} Segment;

// segment i, with the direction of the middle of the step where the scheme has one
static Segment segment_at(const LitheAssembly *all, const LitheConstraint *tendon, int32_t i) {
    const LitheConstraintSide *a = lithe_tendon_side(tendon, i),
                              *b = lithe_tendon_side(tendon, i + 1);
    Segment s = {.from = lithe_constraint_place(all->model, all->state, a).at,
                 .to = lithe_constraint_place(all->model, all->state, b).at};
    s.length = v3_distance(s.from, s.to);
    Vec3 span = v3_sub(s.to, s.from);
    if (all->plan->a < 1) {
        double time = all->plan->a * all->plan->h;
        span = v3_sub(lithe_constraint_extrapolated(all, b, s.to, time),
                      lithe_constraint_extrapolated(all, a, s.from, time));
    }
    double length = v3_norm(span);
    s.direction = length > 0 && s.length > 0 ? v3_scale(1 / length, span) : v3(0, 0, 0);
    return s;
}

// times between which the impulse of a coupling acts
static void span_of(const LitheStepPlan *plan, double *from, double *to) {
    *to = plan->still ? plan->time : plan->time + plan->h;
    if (plan->stage == 0)
        *from = plan->time;
    else if (plan->stage == 1)
        *from = plan->time - plan->h;
    else
        *from = *to - (1 / LITHE_STAGE_D - 2) * plan->h;
}

static double given_tension(const LitheAssembly *all, const LitheConstraint *tendon) {
    double from, to;
    span_of(all->plan, &from, &to);
    return fmax(0, lithe_profile_at(&tendon->tension,
                                    lithe_has_middle(all->plan) ? 0.5 * (from + to) : to));
}

// removes the last coupling if it moves nothing
static void drop_idle(LitheSystem *system) {
    if (system->couplings[system->coupling_count - 1].node_count == 0)
        system->coupling_count--;
}

// (U3)
static bool add_row(const LitheAssembly *all, LitheSystem *system, int32_t index) {
    const LitheConstraint *tendon = &all->model->constraints[index];
    const Vec3 none = v3(0, 0, 0);
    LitheCoupling *c = lithe_coupling_add(system, LITHE_SOURCE_CONSTRAINT, index, 1, &none, NULL);
    if (!c)
        return false;
    c->side = LITHE_TIE_PART_POSITION;
    Vec3 before = none; // direction of the segment that ends at the point
    int32_t points = lithe_tendon_points(tendon);
    for (int32_t k = 0; k < points; k++) {
        bool last = k + 1 == points;
        Segment s = segment_at(all, tendon, last ? k - 1 : k);
        const LitheSite site =
            lithe_constraint_site(lithe_tendon_side(tendon, k), last ? s.to : s.from);
        c->linear[0] = v3_sub(last ? none : s.direction, before);
        before = s.direction;
        if (!lithe_coupling_side(all, system, &site, 1))
            return false;
    }
    c->linear[0] = v3_neg(before); // force on b
    drop_idle(system);
    return true;
}

// (U5) of one segment
static bool add_segment(const LitheAssembly *all, LitheSystem *system, int32_t index, int32_t i) {
    const LitheConstraint *tendon = &all->model->constraints[index];
    Segment s = segment_at(all, tendon, i);
    if (!(v3_norm(s.direction) > 0))
        return true;
    Vec3 across[2];
    lithe_constraint_across(s.direction, across);
    LitheCoupling *c = lithe_coupling_add(system, LITHE_SOURCE_CONSTRAINT, index, 2, across, NULL);
    if (!c)
        return false;
    c->side = LITHE_TIE_PART_SEGMENT + i;
    LitheSite from = lithe_constraint_site(lithe_tendon_side(tendon, i), s.from),
              to = lithe_constraint_site(lithe_tendon_side(tendon, i + 1), s.to);
    if (!lithe_coupling_side(all, system, &from, -1) || !lithe_coupling_side(all, system, &to, 1))
        return false;
    c->linear[0] = c->linear[1] = v3(0, 0, 0); // the recorded force is the tension
    drop_idle(system);
    return true;
}

bool lithe_tendon_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index) {
    const LitheConstraint *tendon = &all->model->constraints[index];
    bool ok = add_row(all, system, index);
    // modes have the geometric stiffness of all couplings (Q11)
    for (int32_t i = 0; ok && !system->whole && i + 1 < lithe_tendon_points(tendon); i++)
        ok = add_segment(all, system, index, i);
    return ok;
}

// --- laws ----------------------------------------------------------------------------------------

// (U5): the direction of the rows already follows the velocity of the start, where it is that of a
// later time
static void segment_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    const LitheConstraint *tendon = &all->model->constraints[c->index];
    Segment s = segment_at(all, tendon, c->side - LITHE_TIE_PART_SEGMENT);
    double tension =
        tendon->pulls ? given_tension(all, tendon) : lithe_tie_of(all->state, c->index)->steady;
    bool ahead = all->plan->velocity || lithe_has_middle(all->plan);
    LitheCompliance turning = {.stiffness = s.length > 0 ? tension / s.length : 0};
    double g[2] = {0, 0};
    for (int k = 0; ahead && k < 2; k++)
        g[k] = -all->plan->h * lithe_coupling_speed(all, system, c, k);
    if (lithe_has_middle(all->plan))
        turning.stiffness *= all->plan->a;
    lithe_term_hold(&c->term, 2, all->plan->h, g, NULL, &turning);
}

void lithe_tendon_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    const LitheConstraint *tendon = &all->model->constraints[c->index];
    c->is_pulled = tendon->pulls;
    c->reel = 0;
    if (c->side >= LITHE_TIE_PART_SEGMENT) {
        segment_law(all, system, c);
        return;
    }
    double h = all->plan->h, from, to;
    if (tendon->pulls) {
        lithe_term_pull(&c->term, h, given_tension(all, tendon));
        return;
    }
    span_of(all->plan, &from, &to);
    double length = lithe_tendon_free(all->model, all->state, c->index, to);
    double before = lithe_tendon_free(all->model, all->state, c->index, from);
    if (to > from)
        c->reel = (before - length) / (to - from);
    // (U4)
    double gap = length - lithe_tendon_path(all->model, all->state, tendon) -
                 lithe_coupling_lead(all, system, c, 0);
    LitheCompliance compliance =
        lithe_constraint_compliance(all, system, c, tendon->stiffness, tendon->damping);
    lithe_term_limit_moving(&c->term, h, gap, c->reel, &compliance);
    lithe_constraint_add_force(all, &compliance, c);
}

void lithe_tendon_gaps(const LitheAssembly *all, const LitheCoupling *c, double g[3]) {
    g[0] = lithe_tendon_free(all->model, all->state, c->index, all->plan->time) -
           lithe_tendon_path(all->model, all->state, &all->model->constraints[c->index]);
}
