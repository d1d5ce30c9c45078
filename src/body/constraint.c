// SPDX-License-Identifier: Apache-2.0
// body/constraint.c - constraints at a state: places, switching, breaking, reading

#include "body/constraint.h"

#include "base/assert.h"
#include "body/profile.h"
#include "body/rod.h"
#include "body/tendon.h"
#include "body/unit.h"

#include <math.h>
#include <string.h>

// --- places --------------------------------------------------------------------------------------

Pose lithe_constraint_place(const LitheModel *model, const LitheState *state,
                            const LitheConstraintSide *side) {
    if (side->site.unit < 0)
        return side->frame;
    Pose carrier = lithe_unit_ops(model, side->site.unit)->place(model, state, &side->site, 0);
    return pose_mul(carrier, side->frame);
}

// --- welds of ends of rods -----------------------------------------------------------------------

// shorter parts of an edge are none [of its length]
#define NO_PART 1e-6
// cosine below which axes are perpendicular
#define SAME_AXIS 1e-9

// Length from a place in the outer half of the first or last edge of an open rod to the middle of
// this edge [m], negative at the end of the rod; 0: the place is elsewhere.
static double part_of_edge(const LitheModel *model, const LitheConstraintSide *side) {
    if (side->thing.kind != LITHE_THING_ROD)
        return 0;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    int32_t edge = side->site.element;
    double part = 0.5 - side->site.s[0];
    bool outer = !rod->closed && ((edge == 0 && part > NO_PART) ||
                                  (edge == rod->edge_count - 1 && part < -NO_PART));
    return outer ? part * rod->built_length[edge] * rod->rest_stretch[edge] : 0;
}

static bool is_elastic(const LitheConstraint *weld) {
    return weld->kind == LITHE_CONSTRAINT_WELD && !(weld->turn_stiffness > 0) && !weld->rides;
}

// The frame of the section at a place, which is turned against that of its edge: as now, or with
// `natural` as the rod is without load.
static Quat section_at(const LitheModel *model, const LitheState *state,
                       const LitheConstraintSide *side, Quat frame, bool natural) {
    double part = part_of_edge(model, side);
    if (part == 0)
        return frame;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    Vec3 now, rest;
    lithe_rod_turning(rod, state, part > 0 ? 1 : rod->node_count - 2, &now, &rest);
    Quat own = side->frame.rotation, edge = q4_mul(frame, q4_conj(own));
    return q4_mul(q4_mul(edge, q4_exp(v3_scale(-part, natural ? rest : now))), own);
}

// adds the compliance of the part of an edge, about the axes of b [rad/(N m)]; `turn` takes the
// axes of this edge to those of the edge of b
static void add_compliance(const LitheModel *model, const LitheConstraintSide *side, Quat turn,
                           double c[3]) {
    double part = fabs(part_of_edge(model, side));
    if (part == 0)
        return;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    int32_t edge = side->site.element;
    bool start = side->site.s[0] == 0, end = side->site.s[0] == 1;
    double shift = (start ? rod->weld_shift[0] : 0) + (end ? rod->weld_shift[1] : 0);
    part -= shift * rod->built_length[edge] * rod->rest_stretch[edge];
    const double own[3] = {part / rod->EI2, part / rod->EI1, part / rod->GJ};
    for (int j = 0; j < 3; j++) {
        Vec3 axis = q4_rotate(turn, v3(j == 0, j == 1, j == 2));
        for (int k = 0; k < 3; k++) {
            double cosine = (&axis.x)[k];
            c[k] += fabs(cosine) > SAME_AXIS ? cosine * cosine * own[j] : 0;
        }
    }
}

bool lithe_weld_bends(const LitheModel *model, int32_t index) {
    const LitheConstraint *weld = &model->constraints[index];
    return is_elastic(weld) &&
           (part_of_edge(model, &weld->a) != 0 || part_of_edge(model, &weld->b) != 0);
}

bool lithe_weld_end(const LitheModel *model, const LitheState *state, int32_t index,
                    LitheWeldEnd *end) {
    const LitheConstraint *weld = &model->constraints[index];
    double c[3] = {0, 0, 0}, beta = 0;
    if (!lithe_weld_bends(model, index))
        return false;
    const double *q = lithe_tie_of(state, index) + LITHE_TIE_TURN;
    Quat turn = q4_mul(q4_mul(weld->b.frame.rotation, q4_conj((Quat){q[0], q[1], q[2], q[3]})),
                       q4_conj(weld->a.frame.rotation));
    add_compliance(model, &weld->a, turn, c);
    add_compliance(model, &weld->b, (Quat){1, 0, 0, 0}, c);
    for (int k = 0; k < 2; k++) {
        const LitheConstraintSide *side = k ? &weld->b : &weld->a;
        if (part_of_edge(model, side) != 0)
            beta = fmax(beta, model->rods[side->thing.number - 1].damping_stiffness);
    }
    for (int k = 0; k < 3; k++) {
        end->stiffness[k] = 1 / c[k];
        end->damping[k] = beta / c[k];
    }
    return true;
}

Vec3 lithe_constraint_turn(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                           Pose b) {
    const LitheConstraint *constraint = &model->constraints[index];
    const double *q = lithe_tie_of(state, index) + LITHE_TIE_TURN;
    Quat from = a.rotation, to = b.rotation;
    if (is_elastic(constraint)) {
        from = section_at(model, state, &constraint->a, from, true);
        to = section_at(model, state, &constraint->b, to, true);
    }
    Quat required = q4_mul(from, (Quat){q[0], q[1], q[2], q[3]});
    return q4_log(q4_mul(to, q4_conj(required)));
}

// --- switching and breaking ----------------------------------------------------------------------

// stores the offset, rotation and length that the constraint keeps from now on
static void take(const LitheModel *model, const LitheState *state,
                 const LitheConstraint *constraint, double time, double *tie) {
    if (constraint->kind == LITHE_CONSTRAINT_TENDON) { // its work goes on
        tie[LITHE_TIE_STEADY] = tie[LITHE_TIE_STEADY + 1] = tie[LITHE_TIE_POWER] = 0;
        tie[LITHE_TIE_KEPT] = 0;
        tie[LITHE_TIE_LENGTH] = constraint->length > 0
                                    ? constraint->length
                                    : lithe_tendon_path(model, state, constraint) +
                                          lithe_profile_at(&constraint->shortening, time);
        return;
    }
    Pose a = lithe_constraint_place(model, state, &constraint->a);
    Pose b = lithe_constraint_place(model, state, &constraint->b);
    Pose between = constraint->as_built ? pose_mul(pose_inverse(a), b) : pose_identity();
    Quat turn = q4_unit(between.rotation);
    if (constraint->as_built && is_elastic(constraint))
        turn = q4_unit(q4_mul(q4_conj(section_at(model, state, &constraint->a, a.rotation, false)),
                              section_at(model, state, &constraint->b, b.rotation, false)));
    const double turned[4] = {turn.w, turn.x, turn.y, turn.z};
    v3_store(between.at, tie + LITHE_TIE_OFFSET);
    memcpy(tie + LITHE_TIE_TURN, turned, sizeof turned);
    tie[LITHE_TIE_LENGTH] =
        constraint->length > 0 ? constraint->length : v3_norm(v3_sub(b.at, a.at));
}

// error of the position of place b, or of the distance of the places [m]
static double error_of(const LitheConstraint *constraint, const double *tie, Pose a, Pose b) {
    double apart = v3_distance(a.at, b.at), length = tie[LITHE_TIE_LENGTH];
    if (constraint->share) // of many nodes, each with its spring
        return 0;
    switch (constraint->kind) {
    case LITHE_CONSTRAINT_DISTANCE:
        return fabs(apart - length);
    case LITHE_CONSTRAINT_ROPE:
        return fmax(apart - length, 0);
    case LITHE_CONSTRAINT_STRUT:
        return fmax(length - apart, 0);
    case LITHE_CONSTRAINT_HINGE_SPRING:
    case LITHE_CONSTRAINT_TENDON: // its path has more places
        return 0;
    default:
        return v3_distance(b.at, pose_point(a, v3_load(tie + LITHE_TIE_OFFSET)));
    }
}

// elongation of a tendon beyond the length that it may have [m]
static double excess_of(const LitheModel *model, const LitheState *state, int32_t index) {
    const LitheConstraint *tendon = &model->constraints[index];
    if (tendon->pulls)
        return 0;
    double length = lithe_tendon_free(model, state, index, lithe_load_time(state));
    return fmax(lithe_tendon_path(model, state, tendon) - length, 0);
}

double lithe_constraint_error(const LitheModel *model, const LitheState *state, int32_t index,
                              double *size) {
    const LitheConstraint *constraint = &model->constraints[index];
    bool along = constraint->kind == LITHE_CONSTRAINT_DISTANCE ||
                 constraint->kind == LITHE_CONSTRAINT_ROPE ||
                 constraint->kind == LITHE_CONSTRAINT_STRUT ||
                 constraint->kind == LITHE_CONSTRAINT_TENDON;
    *size = along ? lithe_tie_of(state, index)[LITHE_TIE_LENGTH] : 0;
    for (int k = 0; k < 2; k++) {
        int32_t at = k ? constraint->b.site.unit : constraint->a.site.unit;
        const LitheUnit *unit = &model->units[at < 0 ? 0 : at];
        if (at >= 0 && unit->mass > 0)
            *size = fmax(*size, unit->mass_moment / unit->mass);
    }
    if (constraint->kind == LITHE_CONSTRAINT_TENDON)
        return excess_of(model, state, index);
    Pose a = lithe_constraint_place(model, state, &constraint->a);
    Pose b = lithe_constraint_place(model, state, &constraint->b);
    return error_of(constraint, lithe_tie_of(state, index), a, b);
}

double lithe_constraint_turned(const LitheModel *model, const LitheState *state, int32_t index) {
    const LitheConstraint *constraint = &model->constraints[index];
    if (constraint->kind != LITHE_CONSTRAINT_WELD || constraint->turn_stiffness > 0 ||
        lithe_weld_bends(model, index))
        return 0;
    Pose a = lithe_constraint_place(model, state, &constraint->a);
    Pose b = lithe_constraint_place(model, state, &constraint->b);
    return v3_norm(lithe_constraint_turn(model, state, index, a, b));
}

bool lithe_constraint_length(const LitheModel *model, const LitheState *state, int32_t index,
                             double *now, double *required) {
    const LitheConstraint *constraint = &model->constraints[index];
    if (constraint->kind == LITHE_CONSTRAINT_TENDON) {
        *now = lithe_tendon_path(model, state, constraint);
        *required = lithe_tendon_free(model, state, index, lithe_load_time(state));
        return true;
    }
    *required = lithe_tie_of(state, index)[LITHE_TIE_LENGTH];
    *now = v3_distance(lithe_constraint_place(model, state, &constraint->a).at,
                       lithe_constraint_place(model, state, &constraint->b).at);
    return constraint->kind == LITHE_CONSTRAINT_DISTANCE ||
           constraint->kind == LITHE_CONSTRAINT_ROPE || constraint->kind == LITHE_CONSTRAINT_STRUT;
}

// a near-rigid constraint pulls while its error exceeds this fraction of its size
#define PULLED 0.05

static bool pulls(const LitheModel *model, const LitheState *state, int32_t index) {
    const LitheConstraint *constraint = &model->constraints[index];
    bool kept = constraint->as_built && !(constraint->length > 0);
    double size;
    return !kept && !(constraint->stiffness > 0) &&
           lithe_constraint_error(model, state, index, &size) > PULLED * size;
}

// The constraint no longer acts. Where it excluded contacts, these only stop approach until the
// things have separated.
static void end(const LitheConstraint *constraint, double *tie) {
    if (tie[LITHE_TIE_ACTS] == LITHE_TIE_BINDS || tie[LITHE_TIE_ACTS] == LITHE_TIE_PULLS)
        tie[LITHE_TIE_ACTS] = constraint->has_zone ? LITHE_TIE_LEAVES : LITHE_TIE_IDLE;
}

static bool gate_is_open(const LitheConstraint *constraint, double time) {
    return lithe_profile_at(&constraint->gate, time) >= 0.5;
}

// whether its last force or torque is not 0
static bool has_force(const double *tie) {
    bool any = false;
    for (int k = 0; k < 6; k++)
        any |= tie[LITHE_TIE_FORCE + k] != 0;
    return any;
}

bool lithe_constraints_begin(const LitheModel *model, LitheState *state, double time) {
    bool switched = false;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *constraint = &model->constraints[i];
        double *tie = lithe_tie_of(state, i);
        bool acts = tie[LITHE_TIE_STATUS] == LITHE_TIE_ON && gate_is_open(constraint, time);
        if (!acts) {
            switched |= has_force(tie);
            memset(tie + LITHE_TIE_FORCE, 0, 6 * sizeof *tie);
            end(constraint, tie);
            continue;
        }
        bool begins = !lithe_tie_binds(state, i);
        switched |= begins;
        if (begins)
            take(model, state, constraint, lithe_load_time(state), tie);
        if (constraint->kind == LITHE_CONSTRAINT_TENDON) { // that of an impact does not last
            double tension = v3_norm(v3_load(tie + LITHE_TIE_FORCE));
            tie[LITHE_TIE_STEADY] = fmin(tension, tie[LITHE_TIE_STEADY + 1]);
            tie[LITHE_TIE_STEADY + 1] = tension;
        }
        // an error that arises later is one of the step, and may not give energy
        bool still = begins || tie[LITHE_TIE_ACTS] == LITHE_TIE_PULLS;
        bool apart = still && pulls(model, state, i);
        tie[LITHE_TIE_ACTS] = apart ? LITHE_TIE_PULLS : LITHE_TIE_BINDS;
    }
    return switched;
}

// --- energy --------------------------------------------------------------------------------------

// (W8)
static double bed_energy(const LitheModel *model, const LitheState *state,
                         const LitheConstraint *bed) {
    Pose frame = lithe_constraint_place(model, state, &bed->a);
    double sum = 0;
    for (int32_t k = 0; k < bed->via_count; k++) {
        Vec3 x = lithe_constraint_place(model, state, &bed->via[k]).at;
        Vec3 gap = v3_sub(x, pose_point(frame, bed->rest[k]));
        sum += 0.5 * bed->share[k] * bed->stiffness * v3_dot(gap, gap);
    }
    return sum;
}

double lithe_constraint_energy(const LitheModel *model, const LitheState *state) {
    double sum = 0;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *constraint = &model->constraints[i];
        const double *tie = lithe_tie_of(state, i);
        LitheWeldEnd weld;
        bool elastic = lithe_weld_end(model, state, i, &weld);
        bool bends = elastic || constraint->bend_stiffness + constraint->twist_stiffness > 0;
        if (!lithe_tie_binds(state, i) ||
            !(constraint->stiffness + constraint->turn_stiffness > 0 || bends))
            continue;
        if (constraint->share) {
            sum += bed_energy(model, state, constraint);
            continue;
        }
        if (constraint->kind == LITHE_CONSTRAINT_TENDON) {
            double excess = excess_of(model, state, i);
            sum += 0.5 * constraint->stiffness * excess * excess;
            continue;
        }
        Pose a = lithe_constraint_place(model, state, &constraint->a);
        Pose b = lithe_constraint_place(model, state, &constraint->b);
        double error = error_of(constraint, tie, a, b);
        Vec3 world = lithe_constraint_turn(model, state, i, a, b);
        Quat axes = elastic ? lithe_weld_axes(constraint, b) : a.rotation;
        Vec3 turn = q4_rotate(q4_conj(axes), world);
        if (elastic)
            sum +=
                0.5 * (weld.stiffness[0] * turn.x * turn.x + weld.stiffness[1] * turn.y * turn.y +
                       weld.stiffness[2] * turn.z * turn.z);
        sum += 0.5 * constraint->stiffness * error * error;
        sum += 0.5 * constraint->turn_stiffness * v3_dot(turn, turn);
        sum += 0.5 * constraint->bend_stiffness * (turn.x * turn.x + turn.y * turn.y) +
               0.5 * constraint->twist_stiffness * turn.z * turn.z;
    }
    return sum;
}

bool lithe_constraints_pull(const LitheModel *model, const LitheState *state) {
    for (int32_t i = 0; i < model->constraint_count; i++)
        if (lithe_tie_of(state, i)[LITHE_TIE_ACTS] == LITHE_TIE_PULLS)
            return true;
    return false;
}

void lithe_constraint_store(LitheState *state, int32_t index, Vec3 force, Vec3 torque) {
    double *tie = lithe_tie_of(state, index);
    v3_store(force, tie + LITHE_TIE_FORCE);
    v3_store(torque, tie + LITHE_TIE_TORQUE);
}

bool lithe_constraint_note(const LitheModel *model, LitheState *state, int32_t index, Vec3 force,
                           Vec3 torque) {
    double *tie = lithe_tie_of(state, index);
    double limit = model->constraints[index].breaks_at;
    lithe_constraint_store(state, index, force, torque);
    if (!(limit > 0 && v3_norm(force) > limit))
        return false;
    tie[LITHE_TIE_STATUS] = LITHE_TIE_BROKEN;
    end(&model->constraints[index], tie);
    return true;
}

// --- for the user --------------------------------------------------------------------------------

static const LitheConstraint *constraint_of(const LitheModel *model, LitheConstraintId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->constraint_count);
    return &model->constraints[id.number - 1];
}

int32_t lithe_constraint_count(const LitheModel *model) {
    return model->constraint_count;
}

LitheConstraintId lithe_constraint_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->constraint_count; i++)
        if (strcmp(model->constraints[i].name, name) == 0)
            return (LitheConstraintId){i + 1};
    return (LitheConstraintId){0};
}

const char *lithe_constraint_name(const LitheModel *model, LitheConstraintId constraint) {
    return constraint_of(model, constraint)->name;
}

void lithe_state_set_constraint(const LitheModel *model, LitheState *state, LitheConstraintId id,
                                bool active) {
    const LitheConstraint *constraint = constraint_of(model, id);
    double *tie = lithe_tie_of(state, id.number - 1);
    if (active && tie[LITHE_TIE_STATUS] == LITHE_TIE_ON)
        return;
    if (!active && tie[LITHE_TIE_STATUS] == LITHE_TIE_BROKEN)
        return; // it stays marked as broken
    tie[LITHE_TIE_STATUS] = active ? LITHE_TIE_ON : LITHE_TIE_OFF;
    end(constraint, tie);
}

bool lithe_constraint_active(const LitheModel *model, const LitheState *state,
                             LitheConstraintId id) {
    const LitheConstraint *constraint = constraint_of(model, id);
    return lithe_tie_of(state, id.number - 1)[LITHE_TIE_STATUS] == LITHE_TIE_ON &&
           gate_is_open(constraint, lithe_load_time(state));
}

bool lithe_constraint_broken(const LitheModel *model, const LitheState *state,
                             LitheConstraintId id) {
    constraint_of(model, id);
    return lithe_tie_of(state, id.number - 1)[LITHE_TIE_STATUS] == LITHE_TIE_BROKEN;
}

// force or torque on place b of the scene; in the model the two places may be exchanged
static LitheVec3 on_b(const LitheConstraint *constraint, const double *action) {
    return constraint->swapped ? v3_neg(v3_load(action)) : v3_load(action);
}

LitheVec3 lithe_constraint_force(const LitheModel *model, const LitheState *state,
                                 LitheConstraintId id) {
    return on_b(constraint_of(model, id), lithe_tie_of(state, id.number - 1) + LITHE_TIE_FORCE);
}

LitheVec3 lithe_constraint_torque(const LitheModel *model, const LitheState *state,
                                  LitheConstraintId id) {
    return on_b(constraint_of(model, id), lithe_tie_of(state, id.number - 1) + LITHE_TIE_TORQUE);
}

static void store_pose(Pose pose, double out[7]) {
    Quat q = q4_unit(pose.rotation);
    const double all[7] = {pose.at.x, pose.at.y, pose.at.z, q.w, q.x, q.y, q.z};
    memcpy(out, all, sizeof all);
}

void lithe_constraint_places(const LitheModel *model, const LitheState *state, LitheConstraintId id,
                             double a[7], double b[7]) {
    const LitheConstraint *constraint = constraint_of(model, id);
    store_pose(lithe_constraint_place(model, state, &constraint->a), constraint->swapped ? b : a);
    store_pose(lithe_constraint_place(model, state, &constraint->b), constraint->swapped ? a : b);
}
