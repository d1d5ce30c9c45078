// SPDX-License-Identifier: Apache-2.0
// assemble/constraint_terms.c - active constraints become couplings

#include "assemble/constraint_parts.h"

#include "body/constraint.h"
#include "body/tendon.h"
#include "body/unit.h"
#include "math/quat.h"

#include <math.h>

// (T24): factor of the time in which errors are corrected, where their correction gives energy
#define SLOW 64

// a constraint at the start of the step
typedef struct Tie {
    const LitheConstraint *def;
    LitheSite a, b;
    Vec3 gap;     // position of b minus its required position [m]
    Vec3 turn;    // rotation of b from its required orientation, world axes [rad]
    Vec3 axes[3]; // of frame a; of a weld of an end of a rod, `elastic`, of frame b
    bool elastic;
    LitheWeldEnd weld;
    Vec3 direction;  // from a to b
    double distance; // m
    double length;   // required distance [m]
} Tie;

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

static Tie tie_at(const LitheAssembly *all, int32_t index) {
    const LitheConstraint *def = &all->model->constraints[index];
    const double *own = lithe_tie_of(all->state, index);
    Pose a = lithe_constraint_place(all->model, all->state, &def->a);
    Pose b = lithe_constraint_place(all->model, all->state, &def->b);
    bool far = def->kind == LITHE_CONSTRAINT_DISTANCE || def->kind == LITHE_CONSTRAINT_ROPE ||
               def->kind == LITHE_CONSTRAINT_STRUT;
    Vec3 offset = far ? v3(0, 0, 0) : v3_load(own + LITHE_TIE_OFFSET);
    Vec3 wanted = v3_add(a.at, q4_rotate(a.rotation, offset));
    Tie tie = {
        .def = def,
        .a = lithe_constraint_site(&def->a, wanted),
        .b = lithe_constraint_site(&def->b, b.at),
        .gap = v3_sub(b.at, wanted),
        .turn = lithe_constraint_turn(all->model, all->state, index, a, b),
        .length = own[LITHE_TIE_LENGTH],
    };
    tie.elastic = lithe_weld_end(all->model, all->state, index, &tie.weld);
    Quat axes = tie.elastic ? lithe_weld_axes(def, b) : a.rotation;
    for (int k = 0; k < 3; k++)
        tie.axes[k] = q4_rotate(axes, v3(k == 0, k == 1, k == 2));
    tie.distance = v3_norm(tie.gap);
    Vec3 span = tie.gap;
    if (far && all->plan->a < 1) {
        // a rotating direction is evaluated at the middle of the step, like the rows of bodies
        double time = all->plan->a * all->plan->h;
        span = v3_sub(lithe_constraint_extrapolated(all, &def->b, b.at, time),
                      lithe_constraint_extrapolated(all, &def->a, wanted, time));
    }
    double length = v3_norm(span);
    tie.direction = length > 0 ? v3_scale(1 / length, span) : v3(0, 0, 1);
    return tie;
}

static bool add_part(const LitheAssembly *all, LitheSystem *system, const Tie *tie, int32_t index,
                     int32_t part, int32_t rows, const Vec3 *linear, const Vec3 *angular) {
    LitheCoupling *c =
        lithe_coupling_add(system, LITHE_SOURCE_CONSTRAINT, index, rows, linear, angular);
    if (!c)
        return false;
    c->side = part;
    if (!lithe_coupling_side(all, system, &tie->a, -1) ||
        !lithe_coupling_side(all, system, &tie->b, 1))
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

// Static steps: two rows perpendicular to a line under tension, for its geometric stiffness, which
// is tension over length. It may be the only stiffness of something that hangs on the line. Modes
// have the geometric stiffness of all couplings (Q11), which contains that of lines.
static bool add_across(const LitheAssembly *all, LitheSystem *system, const Tie *tie,
                       int32_t index) {
    Vec3 across[2];
    lithe_constraint_across(tie->direction, across);
    return !all->plan->still || system->whole || !(tie->distance > 0) ||
           add_part(all, system, tie, index, LITHE_TIE_PART_ACROSS, 2, across, NULL);
}

// --- beds of springs -----------------------------------------------------------------------------

// (W8): three rows for each node
static bool add_bed(const LitheAssembly *all, LitheSystem *system, int32_t index) {
    const Vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const LitheConstraint *bed = &all->model->constraints[index];
    Pose frame = lithe_constraint_place(all->model, all->state, &bed->a);
    for (int32_t k = 0; k < bed->via_count; k++) {
        Vec3 x = lithe_constraint_place(all->model, all->state, &bed->via[k]).at;
        Tie tie = {.a = lithe_constraint_site(&bed->a, pose_point(frame, bed->rest[k])),
                   .b = lithe_constraint_site(&bed->via[k], x)};
        if (!add_part(all, system, &tie, index, LITHE_TIE_PART_SEGMENT + k, 3, world, NULL))
            return false;
    }
    return true;
}

static void bed_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    const LitheConstraint *bed = &all->model->constraints[c->index];
    int32_t k = c->side - LITHE_TIE_PART_SEGMENT;
    Pose frame = lithe_constraint_place(all->model, all->state, &bed->a);
    Vec3 x = lithe_constraint_place(all->model, all->state, &bed->via[k]).at;
    double g[3];
    v3_store(v3_sub(x, pose_point(frame, bed->rest[k])), g);
    for (int row = 0; row < 3; row++)
        g[row] -= lithe_coupling_lead(all, system, c, row);
    LitheCompliance compliance = lithe_constraint_compliance(
        all, system, c, bed->share[k] * bed->stiffness, bed->share[k] * bed->damping);
    lithe_term_hold(&c->term, 3, all->plan->h, g, NULL, &compliance);
}

// --- all -----------------------------------------------------------------------------------------

bool lithe_assemble_constraints(const LitheAssembly *all, LitheSystem *system) {
    const Vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int32_t i = 0; i < all->model->constraint_count; i++) {
        if (!lithe_tie_binds(all->state, i) || all->model->constraints[i].rides)
            continue;
        if (all->model->constraints[i].kind == LITHE_CONSTRAINT_TENDON) {
            if (!lithe_assemble_tendon(all, system, i))
                return false;
            continue;
        }
        if (all->model->constraints[i].share) {
            if (!add_bed(all, system, i))
                return false;
            continue;
        }
        Tie tie = tie_at(all, i);
        bool ok = true;
        switch (tie.def->kind) {
        case LITHE_CONSTRAINT_ATTACH:
            ok = add_part(all, system, &tie, i, LITHE_TIE_PART_POSITION, 3, world, NULL);
            break;
        case LITHE_CONSTRAINT_WELD:
            ok = add_part(all, system, &tie, i, LITHE_TIE_PART_POSITION, 3, world, NULL) &&
                 add_part(all, system, &tie, i, LITHE_TIE_PART_FRAME, 3, NULL,
                          tie.elastic ? tie.axes : world);
            break;
        case LITHE_CONSTRAINT_DISTANCE:
        case LITHE_CONSTRAINT_STRUT:
            ok = add_part(all, system, &tie, i, LITHE_TIE_PART_POSITION, 1, &tie.direction, NULL) &&
                 add_across(all, system, &tie, i);
            break;
        case LITHE_CONSTRAINT_ROPE: {
            Vec3 back = v3_neg(tie.direction);
            ok = add_part(all, system, &tie, i, LITHE_TIE_PART_POSITION, 1, &back, NULL) &&
                 add_across(all, system, &tie, i);
            break;
        }
        case LITHE_CONSTRAINT_HINGE_SPRING:
            ok = (!(tie.def->bend_stiffness > 0) ||
                  add_part(all, system, &tie, i, LITHE_TIE_PART_FRAME, 2, NULL, tie.axes)) &&
                 (!(tie.def->twist_stiffness > 0) ||
                  add_part(all, system, &tie, i, LITHE_TIE_PART_TWIST, 1, NULL, tie.axes + 2));
            break;
        case LITHE_CONSTRAINT_TENDON: // above
            break;
        }
        if (!ok)
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
    const double *own = lithe_tie_of(all->state, c->index);
    return v3_dot(c->linear[row], v3_load(own + LITHE_TIE_FORCE)) +
           v3_dot(c->angular[row], v3_load(own + LITHE_TIE_TORQUE));
}

void lithe_constraint_add_force(const LitheAssembly *all, const LitheCompliance *compliance,
                                LitheCoupling *c) {
    if (!all->plan->still || isfinite(compliance->stiffness))
        return;
    for (int32_t k = 0; k < c->term.rows; k++)
        c->term.vhat[k] =
            all->work->still.correction * c->term.vhat[k] + kept_force(all, c, k) / c->term.G[k];
}

// stiffness of a part; 0: near-rigid
static double stiffness_of(const LitheConstraint *def, int32_t side) {
    if (side == LITHE_TIE_PART_POSITION)
        return def->stiffness;
    return def->kind != LITHE_CONSTRAINT_HINGE_SPRING ? def->turn_stiffness
           : side == LITHE_TIE_PART_TWIST             ? def->twist_stiffness
                                                      : def->bend_stiffness;
}

bool lithe_constraint_is_rigid(const LitheModel *model, const LitheCoupling *c) {
    return !(stiffness_of(&model->constraints[c->index], c->side) > 0) &&
           !(c->side == LITHE_TIE_PART_FRAME && lithe_weld_bends(model, c->index));
}

// Positions of the rows against where the constraint requires them. ROPE, STRUT: negative where it
// is violated.
static void gaps_of(const Tie *tie, const LitheCoupling *c, double g[3]) {
    if (c->side != LITHE_TIE_PART_POSITION) {
        for (int32_t k = 0; k < c->term.rows; k++)
            g[k] = v3_dot(c->angular[k], tie->turn);
        return;
    }
    switch (tie->def->kind) {
    case LITHE_CONSTRAINT_DISTANCE:
    case LITHE_CONSTRAINT_STRUT:
        g[0] = tie->distance - tie->length;
        break;
    case LITHE_CONSTRAINT_ROPE:
        g[0] = tie->length - tie->distance;
        break;
    default:
        v3_store(tie->gap, g);
        break;
    }
}

static bool is_one_sided(LitheConstraintKind kind) {
    return kind == LITHE_CONSTRAINT_ROPE || kind == LITHE_CONSTRAINT_STRUT ||
           kind == LITHE_CONSTRAINT_TENDON;
}

// whether (Q7) gives a coupling its force
static bool is_held(const LitheModel *model, const LitheCoupling *c) {
    const LitheConstraint *def = &model->constraints[c->index];
    bool places = c->side == LITHE_TIE_PART_POSITION || c->side == LITHE_TIE_PART_FRAME;
    return places && !def->share && !def->pulls && lithe_constraint_is_rigid(model, c);
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
    if (def->kind == LITHE_CONSTRAINT_TENDON) {
        g[0] = lithe_tendon_free(all->model, all->state, c->index, all->plan->time) -
               lithe_tendon_path(all->model, all->state, def);
    } else {
        Tie tie = tie_at(all, c->index);
        gaps_of(&tie, c, g);
    }
    if (is_one_sided(def->kind))
        g[0] = fmin(g[0], 0);
    return c->term.rows;
}

// (H2): three springs
static void weld_law(const LitheAssembly *all, const LitheSystem *system, const Tie *tie,
                     const double g[3], LitheCoupling *c) {
    LitheTerm rows[3];
    for (int k = 0; k < 3; k++) {
        LitheCompliance compliance = lithe_constraint_compliance(
            all, system, c, tie->weld.stiffness[k], tie->weld.damping[k]);
        lithe_term_hold(&rows[k], 1, all->plan->h, &g[k], NULL, &compliance);
    }
    c->term = rows[0];
    c->term.rows = 3;
    for (int k = 1; k < 3; k++) {
        c->term.vhat[k] = rows[k].vhat[0];
        c->term.G[k] = rows[k].G[0];
    }
}

static void set_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    if (all->model->constraints[c->index].kind == LITHE_CONSTRAINT_TENDON) {
        lithe_tendon_law(all, system, c);
        return;
    }
    if (all->model->constraints[c->index].share) {
        bed_law(all, system, c);
        return;
    }
    Tie tie = tie_at(all, c->index);
    const LitheConstraint *def = tie.def;
    double h = all->plan->h, g[3];
    if (c->side == LITHE_TIE_PART_ACROSS) {
        Vec3 force = v3_load(lithe_tie_of(all->state, c->index) + LITHE_TIE_FORCE);
        LitheCompliance turning = {.stiffness =
                                       fmax(0, -v3_dot(force, tie.direction)) / tie.distance};
        g[0] = g[1] = 0;
        lithe_term_hold(&c->term, 2, h, g, NULL, &turning);
        return;
    }
    gaps_of(&tie, c, g);
    for (int32_t k = 0; k < c->term.rows; k++)
        g[k] -= lithe_coupling_lead(all, system, c, k);
    bool turns = c->side != LITHE_TIE_PART_POSITION;
    if (turns && tie.elastic) {
        weld_law(all, system, &tie, g, c);
        return;
    }
    LitheCompliance compliance = lithe_constraint_compliance(
        all, system, c, stiffness_of(def, c->side), turns ? def->turn_damping : def->damping);
    if (!turns && is_one_sided(def->kind))
        lithe_term_limit(&c->term, h, g[0], &compliance);
    else
        lithe_term_hold(&c->term, c->term.rows, h, g, NULL, &compliance);
    lithe_constraint_add_force(all, &compliance, c);
}

void lithe_constraint_laws(const LitheAssembly *all, LitheSystem *system) {
    // contacts are the first couplings
    for (int32_t i = system->coupling_count - 1;
         i >= 0 && system->couplings[i].source != LITHE_SOURCE_CONTACT; i--)
        if (system->couplings[i].source == LITHE_SOURCE_CONSTRAINT)
            set_law(all, system, &system->couplings[i]);
}

bool lithe_constraint_persists(const LitheModel *model, const LitheCoupling *c) {
    const LitheConstraint *constraint = &model->constraints[c->index];
    LitheConstraintKind kind = constraint->kind;
    if (kind == LITHE_CONSTRAINT_TENDON)
        return constraint->pulls;
    return kind != LITHE_CONSTRAINT_ROPE && kind != LITHE_CONSTRAINT_STRUT;
}
