// SPDX-License-Identifier: Apache-2.0
// body/ride.c - riders: nodes that are welded to rigid bodies, at a state
//
//     (W2)  x_s = p + R a_s,   v_s = v + omega x (x_s - p)
// with p, R the pose of the body, v, omega its velocity, a_s the place of the node in its frame.

#include "body/tree_body.h"
#include "body/unit.h"

void lithe_riders_place(const LitheModel *model, LitheState *state) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        Pose pose = pose_identity();
        double velocity[6] = {0};
        for (int32_t k = 0, last = -1; k < unit->rider_count; k++) {
            const LitheRider *rider = &unit->riders[k];
            if (rider->body != last) {
                last = rider->body;
                pose = lithe_body_place(model, state, last);
                lithe_body_velocity(model, state, (LitheBodyId){last + 1}, velocity);
            }
            int64_t at = lithe_unit_dof(unit, rider->node);
            Vec3 x = pose_point(pose, rider->at);
            Vec3 turned = v3_cross(v3_load(velocity + 3), v3_sub(x, pose.at));
            v3_store(x, state->q + unit->q_at + at);
            v3_store(v3_add(v3_load(velocity), turned), state->v + unit->v_at + at);
        }
    }
}
