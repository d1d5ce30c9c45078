// SPDX-License-Identifier: Apache-2.0
// body/kept.c - constraints that keep an offset or a distance of two places, and beds of springs

#include "body/constraint.h"

#include <math.h>
#include <string.h>

// the offset and the rotation of b in the frame of a, and the distance
static void take_poses(const LitheModel *model, const LitheState *state, const LitheConstraint *own,
                       double time, LitheTie *tie) {
    (void)time;
    Pose a = lithe_constraint_place(model, state, &own->a);
    Pose b = lithe_constraint_place(model, state, &own->b);
    Pose between = own->as_built ? pose_mul(pose_inverse(a), b) : pose_identity();
    Quat turn = own->as_built ? lithe_constraint_frames(model, state, own, a, b) : between.rotation;
    const double turned[4] = {turn.w, turn.x, turn.y, turn.z};
    v3_store(between.at, tie->offset);
    memcpy(tie->turn, turned, sizeof turned);
    tie->length = own->length > 0 ? own->length : v3_norm(v3_sub(b.at, a.at));
}

static double no_error(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                       Pose b) {
    (void)model, (void)state, (void)index, (void)a, (void)b;
    return 0;
}

static double offset_error(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                           Pose b) {
    (void)model;
    return v3_distance(b.at, pose_point(a, v3_load(lithe_tie_of(state, index)->offset)));
}

static double distance_error(const LitheModel *model, const LitheState *state, int32_t index,
                             Pose a, Pose b) {
    const LitheConstraint *own = &model->constraints[index];
    double excess = v3_distance(a.at, b.at) - lithe_tie_of(state, index)->length;
    return own->upper && own->lower ? fabs(excess) : fmax(own->upper ? excess : -excess, 0);
}

static void distance_length(const LitheModel *model, const LitheState *state, int32_t index,
                            double *now, double *required) {
    const LitheConstraint *own = &model->constraints[index];
    *required = lithe_tie_of(state, index)->length;
    *now = v3_distance(lithe_constraint_place(model, state, &own->a).at,
                       lithe_constraint_place(model, state, &own->b).at);
}

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

const LitheKept *lithe_kept(const LitheConstraint *constraint) {
    static const LitheKept free = {.take = take_poses, .error = no_error};
    static const LitheKept offset = {.take = take_poses, .error = offset_error};
    static const LitheKept distance = {
        .take = take_poses, .error = distance_error, .length = distance_length};
    // of many nodes, each with its spring
    static const LitheKept bed = {.take = take_poses, .error = no_error, .energy = bed_energy};
    static const LitheKept *const rows[] = {
        [LITHE_KEEPS_NO_PLACE] = &free,     [LITHE_KEEPS_OFFSET] = &offset,
        [LITHE_KEEPS_DISTANCE] = &distance, [LITHE_KEEPS_PATH] = &lithe_kept_path,
        [LITHE_KEEPS_BED] = &bed,           [LITHE_KEEPS_RIDERS] = &offset,
    };
    return rows[constraint->places];
}
