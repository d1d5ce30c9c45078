// SPDX-License-Identifier: Apache-2.0
// assemble/stops.c - limits of joints, ropes, struts and tendons that stop a motion
//
// A limit takes all speed of a joint that reaches it, and a near-rigid rope that of what it holds
// when it becomes taut: (T26), (T27) of docs/theory/time.md.

#include "assemble/constraint_parts.h"

#include "body/constraint.h"
#include "body/tendon.h"
#include "body/unit.h"

#include <math.h>

// What moved towards its limit, at the start of the step, by less than this fraction of the
// velocity that the impulse changes was at rest there. Limits of joints stay where they are. The
// direction of a taut rope turns: its length changes by an error of the scheme in each step.
#define AT_REST 1e-3
#define TAUT 0.25

// time of which a rate of a length is the mean, as a fraction of the step
#define INSTANT 1e-4

static double speed_of_joint(const LitheAssembly *all, const LitheDofTerm *term) {
    const double *v = all->work->before->v + all->model->units[term->unit].v_at + term->dof;
    double speed = 0;
    for (int32_t k = 0; k < term->dof_count && !term->of_velocity; k++)
        speed -= term->part[k] * v[k];
    return speed;
}

// rate of the length of a rope, a strut or a tendon at the start of the step
static double rate_of_path(const LitheAssembly *all, const LitheConstraint *def) {
    LitheAssembly start = *all;
    start.state = all->work->before;
    double time = INSTANT * all->plan->h, change = 0;
    Vec3 last = {0}, moved = {0};
    for (int32_t k = 0; k < lithe_tendon_points(def); k++) {
        const LitheConstraintSide *side = lithe_tendon_side(def, k);
        Vec3 x = lithe_constraint_place(all->model, start.state, side).at;
        Vec3 y = lithe_constraint_extrapolated(&start, side, x, time);
        change += k > 0 ? v3_distance(moved, y) - v3_distance(last, x) : 0;
        last = x;
        moved = y;
    }
    return change / time;
}

// Speed towards its limit, at the start of the step, of what a coupling stops in it; 0: it was at
// rest there, or the coupling is another one.
static double stopped_by(const LitheAssembly *all, const LitheSystem *system,
                         const LitheCoupling *c) {
    if (!lithe_is_one_sided(c) || !(c->impulse[0] > 0))
        return 0;
    double by = c->impulse[0] * lithe_coupling_scale(system, c, 0, 1), speed;
    if (c->source == LITHE_SOURCE_LIMIT) {
        speed = speed_of_joint(all, &system->dof_terms[c->index]);
        return speed > AT_REST * by ? speed : 0;
    }
    const LitheConstraint *def = &all->model->constraints[c->index];
    if (!lithe_constraint_is_rigid(all->model, c))
        return 0;
    speed = rate_of_path(all, def);
    speed = def->lower ? -speed : speed + c->reel;
    return speed > TAUT * by ? speed : 0;
}

bool lithe_stops_any(const LitheAssembly *all, const LitheSystem *system) {
    // contacts are the first couplings
    for (int32_t i = system->coupling_count - 1;
         i >= 0 && system->couplings[i].source != LITHE_SOURCE_CONTACT; i--)
        if (stopped_by(all, system, &system->couplings[i]) > 0)
            return true;
    return false;
}

// Whether a coupling is a rope or a strut between bodies. In rods and solids its impulse is mostly
// that of elastic forces, and a tendon does the work of its drive.
static bool is_between_rigid(const LitheAssembly *all, const LitheCoupling *c) {
    const LitheConstraint *def = &all->model->constraints[c->index];
    const int32_t units[2] = {def->a.site.unit, def->b.site.unit};
    for (int k = 0; k < 2; k++)
        if (units[k] >= 0 && !lithe_unit_ops(all->model, units[k])->free)
            return false;
    return !lithe_is_tendon(def);
}

double lithe_stop_took(const LitheAssembly *all, const LitheSystem *system,
                       const LitheCoupling *c) {
    double took = -c->impulse[0] * c->v[0];
    if (all->plan->stage > 0 || all->plan->still || lithe_has_middle(all->plan))
        return took;
    if (c->source == LITHE_SOURCE_CONSTRAINT && !is_between_rigid(all, c))
        return took;
    double speed = stopped_by(all, system, c), change = c->v[0] + speed;
    if (!(speed > 0))
        return took;
    // `by` is due to couplings, the rest of the change to other forces. Where the motion without
    // couplings is not known, `by` is that of the impulse.
    double by = c->impulse[0] * lithe_coupling_scale(system, c, 0, 1);
    if (c->source == LITHE_SOURCE_LIMIT)
        by = fmax(by, c->v[0] - system->dof_terms[c->index].alone);
    double other = fmin(change - by, 0);
    return took + 0.5 * c->impulse[0] * fmax(change + other, 0); // (T27)
}
