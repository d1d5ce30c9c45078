// SPDX-License-Identifier: Apache-2.0
// body/constraint.c - constraints at a state: places, switching, breaking, reading

#include "body/constraint.h"

#include "base/assert.h"
#include "body/profile.h"
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

// --- switching and breaking ----------------------------------------------------------------------

double lithe_constraint_error(const LitheModel *model, const LitheState *state, int32_t index,
                              double *size) {
    const LitheConstraint *constraint = &model->constraints[index];
    const LitheKept *kept = lithe_kept(constraint);
    *size = kept->length ? lithe_tie_of(state, index)->length : 0;
    for (int k = 0; k < 2; k++) {
        int32_t at = k ? constraint->b.site.unit : constraint->a.site.unit;
        const LitheUnit *unit = &model->units[at < 0 ? 0 : at];
        if (at >= 0 && unit->mass > 0)
            *size = fmax(*size, unit->mass_moment / unit->mass);
    }
    Pose a = lithe_constraint_place(model, state, &constraint->a);
    Pose b = lithe_constraint_place(model, state, &constraint->b);
    return kept->error(model, state, index, a, b);
}

double lithe_constraint_turned(const LitheModel *model, const LitheState *state, int32_t index) {
    const LitheConstraint *constraint = &model->constraints[index];
    if (constraint->frames != LITHE_KEEPS_FRAME || constraint->turn_stiffness > 0 ||
        lithe_weld_bends(model, index))
        return 0;
    Pose a = lithe_constraint_place(model, state, &constraint->a);
    Pose b = lithe_constraint_place(model, state, &constraint->b);
    return v3_norm(lithe_constraint_turn(model, state, index, a, b));
}

bool lithe_constraint_length(const LitheModel *model, const LitheState *state, int32_t index,
                             double *now, double *required) {
    const LitheKept *kept = lithe_kept(&model->constraints[index]);
    if (kept->length)
        kept->length(model, state, index, now, required);
    return kept->length != NULL;
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
static void end(const LitheConstraint *constraint, LitheTie *tie) {
    if (tie->acts == LITHE_TIE_BINDS || tie->acts == LITHE_TIE_PULLS)
        tie->acts = constraint->has_zone ? LITHE_TIE_LEAVES : LITHE_TIE_IDLE;
}

static bool gate_is_open(const LitheConstraint *constraint, double time) {
    return lithe_profile_at(&constraint->gate, time) >= 0.5;
}

// whether its last force or torque is not 0
static bool has_force(const LitheTie *tie) {
    bool any = false;
    for (int k = 0; k < 6; k++)
        any |= tie->wrench[k] != 0;
    return any;
}

bool lithe_constraints_begin(const LitheModel *model, LitheState *state, double time) {
    bool switched = false;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *constraint = &model->constraints[i];
        const LitheKept *kept = lithe_kept(constraint);
        LitheTie *tie = lithe_tie_of(state, i);
        bool acts = tie->status == LITHE_TIE_ON && gate_is_open(constraint, time);
        if (!acts) {
            switched |= has_force(tie);
            memset(tie->wrench, 0, sizeof tie->wrench);
            end(constraint, tie);
            continue;
        }
        bool begins = !lithe_tie_binds(state, i);
        switched |= begins;
        if (begins)
            kept->take(model, state, constraint, lithe_load_time(state), tie);
        if (kept->begin)
            kept->begin(tie);
        // an error that arises later is one of the step, and may not give energy
        bool still = begins || tie->acts == LITHE_TIE_PULLS;
        bool apart = still && pulls(model, state, i);
        tie->acts = apart ? LITHE_TIE_PULLS : LITHE_TIE_BINDS;
    }
    return switched;
}

// --- energy --------------------------------------------------------------------------------------

double lithe_constraint_energy(const LitheModel *model, const LitheState *state) {
    double sum = 0;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *constraint = &model->constraints[i];
        LitheWeldEnd weld;
        bool elastic = lithe_weld_end(model, state, i, &weld);
        bool bends = elastic || constraint->bend_stiffness + constraint->twist_stiffness > 0;
        if (!lithe_tie_binds(state, i) ||
            !(constraint->stiffness + constraint->turn_stiffness > 0 || bends))
            continue;
        const LitheKept *kept = lithe_kept(constraint);
        if (kept->energy) {
            sum += kept->energy(model, state, constraint);
            continue;
        }
        Pose a = lithe_constraint_place(model, state, &constraint->a);
        Pose b = lithe_constraint_place(model, state, &constraint->b);
        double error = kept->error(model, state, i, a, b);
        Quat axes = elastic ? lithe_weld_axes(constraint, b) : a.rotation;
        Vec3 turn = {0};
        if (constraint->frames != LITHE_KEEPS_NO_FRAME)
            turn = q4_rotate(q4_conj(axes), lithe_constraint_turn(model, state, i, a, b));
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
        if (lithe_tie_of(state, i)->acts == LITHE_TIE_PULLS)
            return true;
    return false;
}

void lithe_constraint_store(LitheState *state, int32_t index, Vec3 force, Vec3 torque) {
    LitheTie *tie = lithe_tie_of(state, index);
    v3_store(force, tie->force);
    v3_store(torque, tie->torque);
}

bool lithe_constraint_note(const LitheModel *model, LitheState *state, int32_t index, Vec3 force,
                           Vec3 torque) {
    LitheTie *tie = lithe_tie_of(state, index);
    double limit = model->constraints[index].breaks_at;
    lithe_constraint_store(state, index, force, torque);
    if (!(limit > 0 && v3_norm(force) > limit))
        return false;
    tie->status = LITHE_TIE_BROKEN;
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
    LitheTie *tie = lithe_tie_of(state, id.number - 1);
    if (active && tie->status == LITHE_TIE_ON)
        return;
    if (!active && tie->status == LITHE_TIE_BROKEN)
        return; // it stays marked as broken
    tie->status = active ? LITHE_TIE_ON : LITHE_TIE_OFF;
    end(constraint, tie);
}

bool lithe_constraint_active(const LitheModel *model, const LitheState *state,
                             LitheConstraintId id) {
    const LitheConstraint *constraint = constraint_of(model, id);
    return lithe_tie_of(state, id.number - 1)->status == LITHE_TIE_ON &&
           gate_is_open(constraint, lithe_load_time(state));
}

bool lithe_constraint_broken(const LitheModel *model, const LitheState *state,
                             LitheConstraintId id) {
    constraint_of(model, id);
    return lithe_tie_of(state, id.number - 1)->status == LITHE_TIE_BROKEN;
}

// force or torque on place b of the scene; in the model the two places may be exchanged
static LitheVec3 on_b(const LitheConstraint *constraint, const double *action) {
    return constraint->swapped ? v3_neg(v3_load(action)) : v3_load(action);
}

LitheVec3 lithe_constraint_force(const LitheModel *model, const LitheState *state,
                                 LitheConstraintId id) {
    return on_b(constraint_of(model, id), lithe_tie_of(state, id.number - 1)->force);
}

LitheVec3 lithe_constraint_torque(const LitheModel *model, const LitheState *state,
                                  LitheConstraintId id) {
    return on_b(constraint_of(model, id), lithe_tie_of(state, id.number - 1)->torque);
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
