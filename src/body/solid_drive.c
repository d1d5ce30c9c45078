// SPDX-License-Identifier: Apache-2.0
// body/solid_drive.c - drives of soft solids: nodes that move as a rigid body
//
//     (S23)  x_i(t) = centre + motion(t) direction + R(axis, turn(t)) (X_i - centre)
// with the centre of the driven nodes at rest. All driven DoFs are held: their w is given.

#include "body/control.h"
#include "body/hold.h"
#include "body/solid.h"
#include "math/quat.h"

// time at which prescribed motion must be reached
static double end_time(const LitheStepPlan *plan) {
    return plan->still ? plan->time : plan->time + plan->h;
}

static const double *command_of(const LitheSolidWork *work, const LitheDrive *drive, bool turn) {
    return work->commands + LITHE_COMMAND_SIZE * (2 * (int64_t)drive->number + turn);
}

static double motion_at(const LitheSolidWork *work, const LitheDrive *drive, double time) {
    return lithe_command_at(&drive->motion, command_of(work, drive, false), time);
}

static double turn_at(const LitheSolidWork *work, const LitheDrive *drive, double time) {
    return lithe_command_at(&drive->turn, command_of(work, drive, true), time);
}

// In a stage the DoF has the rate of its target, and the base is such that the target is reached.
static void aim(LitheSolidWork *work, int64_t dof, double wanted, double rate) {
    if (work->plan.velocity) {
        work->target[dof] = rate;
        work->stage_base[dof] = wanted - work->plan.h * rate;
        return;
    }
    work->target[dof] = (wanted - work->q0[dof]) / work->plan.h;
}

void lithe_solid_aim(const LitheModel *model, const LitheSolid *solid, LitheSolidWork *work) {
    double end = end_time(&work->plan);
    for (int32_t k = 0; k < solid->drive_count; k++) {
        const LitheDrive *drive = &model->drives[solid->drives[k]];
        Quat turn = q4_axis_angle(drive->axis, turn_at(work, drive, end));
        Vec3 moved = v3_axpy(motion_at(work, drive, end), drive->direction, drive->built_a);
        double rate = lithe_command_rate(&drive->motion, command_of(work, drive, false), end);
        double spin = lithe_command_rate(&drive->turn, command_of(work, drive, true), end);
        Vec3 speed = v3_scale(rate, drive->direction), turning = v3_scale(spin, drive->axis);
        for (int32_t i = 0; i < drive->node_count; i++) {
            int64_t node = drive->nodes[i];
            Vec3 arm = q4_rotate(turn, v3_sub(solid->mesh.nodes[node], drive->built_a)); // (S23)
            double x[3], v[3];
            v3_store(v3_add(moved, arm), x);
            v3_store(v3_add(speed, v3_cross(turning, arm)), v);
            for (int c = 0; c < 3; c++)
                aim(work, 3 * node + c, x[c], v[c]);
        }
    }
}

void lithe_solid_jump(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    double *v = state->v + model->units[unit].v_at;
    // as in a stage of length zero: the targets are velocities
    work->commands = state->commands;
    work->plan = (LitheStepPlan){.time = state->clock[0], .velocity = all->stage.velocity};
    lithe_solid_aim(model, solid, work);
    for (int32_t k = 0; k < solid->drive_count; k++) {
        const LitheDrive *drive = &model->drives[solid->drives[k]];
        for (int32_t i = 0; i < 3 * drive->node_count; i++) {
            int64_t dof = 3 * (int64_t)drive->nodes[i / 3] + i % 3;
            if (lithe_velocity_jumps(v[dof], work->target[dof]))
                v[dof] = work->target[dof];
        }
    }
}

void lithe_solid_book(const LitheModel *model, const LitheSolid *solid, LitheWork *all,
                      const double *r, LitheState *state) {
    const LitheSolidWork *work = lithe_solid_work(all, solid->unit);
    double *drives = state->drives;
    double end = end_time(&work->plan);
    for (int32_t k = 0; k < solid->drive_count; k++) {
        const LitheDrive *drive = &model->drives[solid->drives[k]];
        double *out = drives + 4 * (int64_t)solid->drives[k];
        Vec3 force = v3(0, 0, 0), torque = force;
        Vec3 middle = v3_axpy(motion_at(work, drive, end), drive->direction, drive->built_a);
        for (int32_t i = 0; i < drive->node_count; i++) {
            int64_t at = 3 * (int64_t)drive->nodes[i];
            Vec3 f = v3_scale(1 / work->plan.h, v3_load(r + at));
            force = v3_add(force, f);
            torque = v3_add(torque, v3_cross(v3_sub(v3_load(work->x + at), middle), f));
        }
        all->reactions[model->hold_count + solid->drives[k]] =
            (LitheReaction){middle, force, torque};
        out[0] = lithe_drive_along(drive, force);
        out[1] = v3_dot(torque, drive->axis);
        out[2] = motion_at(work, drive, end);
        out[3] = turn_at(work, drive, end);
    }
    lithe_holds_book(model, solid->unit, work->x, r, 3, work->plan.h, all);
    lithe_held_welds_book(model, solid->unit, work->x, r, work->plan.h, state);
}
