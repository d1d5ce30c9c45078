// SPDX-License-Identifier: Apache-2.0
// assemble/constraint_terms.c - active constraints become couplings

#include "assemble/constraint_parts.h"

#include "body/constraint.h"
#include "body/unit.h"

#include <math.h>

// (T24): factor of the time in which errors are corrected, where their correction gives energy
#define SLOW 64

LitheSite lithe_constraint_site(const LitheConstraintSide *side, Vec3 point) {
    LitheSite site = side->site;
    site.point = point;
    return site;
}

Vec3 lithe_constraint_extrapolated(const LitheAssembly *all, const LitheConstraintSide *side,
                                   Vec3 now, double time) {
    if (side->site.unit < 0)
        return now;
    const LitheUnitOps *ops = lithe_unit_ops(all->model, side->site.unit);
    if (ops->velocity)
        return v3_axpy(time, ops->velocity(all->model, all->state, &side->site), now);
    return pose_point(ops->place(all->model, all->state, &side->site, time), side->frame.at);
}

bool lithe_constraint_add_part(const LitheAssembly *all, LitheSystem *system, const LitheSite *a,
                               const LitheSite *b, int32_t index, int32_t part, int32_t rows,
                               const Vec3 *linear, const Vec3 *angular) {
    LitheCoupling *c =
        lithe_coupling_add(system, LITHE_SOURCE_CONSTRAINT, index, rows, linear, angular);
    if (!c)
        return false;
    c->side = part;
    if (!lithe_coupling_side(all, system, a, -1) || !lithe_coupling_side(all, system, b, 1))
        return false;
    if (system->couplings[system->coupling_count - 1].node_count == 0)
        system->coupling_count--; // neither side can move
    return true;
}

void lithe_constraint_across(Vec3 direction, Vec3 across[2]) {
    Vec3 axis = fabs(direction.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    across[0] = v3_unit(v3_cross(axis, direction));
    across[1] = v3_cross(direction, across[0]);
}

// --- ways of keeping places ----------------------------------------------------------------------

typedef struct Way {
    bool (*assemble)(const LitheAssembly *all, LitheSystem *system, int32_t index);
    void (*law)(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c);
    void (*gaps)(const LitheAssembly *all, const LitheCoupling *c, double g[3]);
} Way;

static const Way *way_of(const LitheConstraint *constraint) {
    static const Way pair = {lithe_pair_assemble, lithe_pair_law, lithe_pair_gaps};
    static const Way path = {lithe_tendon_assemble, lithe_tendon_law, lithe_tendon_gaps};
    static const Way bed = {lithe_bed_assemble, lithe_bed_law, NULL};
    static const Way riders = {NULL, NULL, NULL};
    static const Way *const rows[] = {
        [LITHE_KEEPS_NO_PLACE] = &pair, [LITHE_KEEPS_OFFSET] = &pair,
        [LITHE_KEEPS_DISTANCE] = &pair, [LITHE_KEEPS_PATH] = &path,
        [LITHE_KEEPS_BED] = &bed,       [LITHE_KEEPS_RIDERS] = &riders,
    };
    return rows[constraint->places];
}

bool lithe_assemble_constraints(const LitheAssembly *all, LitheSystem *system) {
    for (int32_t i = 0; i < all->model->constraint_count; i++) {
        const Way *way = way_of(&all->model->constraints[i]);
        if (way->assemble && lithe_tie_binds(all->state, i) && !way->assemble(all, system, i))
            return false;
    }
    return true;
}

// --- laws ----------------------------------------------------------------------------------------

double lithe_correction_time(const LitheAssembly *all) {
    double tau = fmax(all->plan->h, 2 * all->model->time.step - all->plan->h);
    return all->plan->attempt && all->plan->attempt->slow ? SLOW * tau : tau;
}

LitheCompliance lithe_constraint_compliance(const LitheAssembly *all, const LitheSystem *system,
                                            const LitheCoupling *c, double stiffness,
                                            double damping) {
    LitheCompliance compliance =
        lithe_compliance_rigid(lithe_coupling_scale(system, c, 0, c->term.rows));
    compliance.beta *= sqrt(lithe_plan_soften(all->plan)); // (V32)
    compliance.tau = lithe_correction_time(all);
    if (stiffness > 0) {
        compliance.stiffness = stiffness;
        compliance.damping = damping;
    }
    if (all->plan->still) {
        compliance.tau = compliance.damping = 0;
        compliance.beta = stiffness > 0 ? 0 : compliance.beta;
    }
    return compliance;
}

// the force that the state has, in a row
static double kept_force(const LitheAssembly *all, const LitheCoupling *c, int32_t row) {
    const LitheTie *own = lithe_tie_of(all->state, c->index);
    return v3_dot(c->linear[row], v3_load(own->force)) +
           v3_dot(c->angular[row], v3_load(own->torque));
}

void lithe_constraint_add_force(const LitheAssembly *all, const LitheCompliance *compliance,
                                LitheCoupling *c) {
    if (!all->plan->still || isfinite(compliance->stiffness))
        return;
    for (int32_t k = 0; k < c->term.rows; k++)
        c->term.vhat[k] = lithe_plan_correction(all->plan) * c->term.vhat[k] +
                          kept_force(all, c, k) / c->term.G[k];
}

double lithe_constraint_stiffness(const LitheConstraint *def, int32_t part) {
    if (part == LITHE_TIE_PART_POSITION)
        return def->stiffness;
    return def->frames != LITHE_ALIGNS_FRAME ? def->turn_stiffness
           : part == LITHE_TIE_PART_TWIST    ? def->twist_stiffness
                                             : def->bend_stiffness;
}

bool lithe_constraint_is_rigid(const LitheModel *model, const LitheCoupling *c) {
    return !(lithe_constraint_stiffness(&model->constraints[c->index], c->side) > 0) &&
           !(c->side == LITHE_TIE_PART_FRAME && lithe_weld_bends(model, c->index));
}

// whether (Q7) gives a coupling its force
static bool is_held(const LitheModel *model, const LitheCoupling *c) {
    const LitheConstraint *def = &model->constraints[c->index];
    bool places = c->side == LITHE_TIE_PART_POSITION || c->side == LITHE_TIE_PART_FRAME;
    return places && !def->pulls && lithe_constraint_is_rigid(model, c);
}

bool lithe_constraint_kept(const LitheAssembly *all, const LitheCoupling *c, double *force) {
    if (!is_held(all->model, c))
        return false;
    for (int32_t k = 0; k < c->term.rows; k++)
        force[k] = kept_force(all, c, k);
    return true;
}

int32_t lithe_constraint_violation(const LitheAssembly *all, const LitheCoupling *c, double g[3]) {
    const LitheConstraint *def = &all->model->constraints[c->index];
    if (!is_held(all->model, c))
        return 0;
    way_of(def)->gaps(all, c, g);
    if (lithe_constraint_is_one_sided(def))
        g[0] = fmin(g[0], 0);
    return c->term.rows;
}

void lithe_constraint_laws(const LitheAssembly *all, LitheSystem *system) {
    // contacts are the first couplings
    for (int32_t i = system->coupling_count - 1;
         i >= 0 && system->couplings[i].source != LITHE_SOURCE_CONTACT; i--)
        if (system->couplings[i].source == LITHE_SOURCE_CONSTRAINT)
            way_of(&all->model->constraints[system->couplings[i].index])
                ->law(all, system, &system->couplings[i]);
}

bool lithe_constraint_persists(const LitheModel *model, const LitheCoupling *c) {
    const LitheConstraint *constraint = &model->constraints[c->index];
    return constraint->pulls || !lithe_constraint_is_one_sided(constraint);
}
