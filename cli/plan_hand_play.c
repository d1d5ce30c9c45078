// SPDX-License-Identifier: Apache-2.0
// cli/plan_hand_play.c - a plan of a hand as a recording, as a table, and in a simulation

#include "cli/plan_hand.h"
#include "cli/plan_load.h"

#include "base/status.h"
#include "data/state.h"
#include "lithe/control.h"
#include "run/recorder.h"
#include "scene/scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOUCHING 1e-3 // N: contacts with smaller forces are not recorded
#define DEGREES (180 / M_PI)

static const double *stage_of(const LitheCliHand *plan, int32_t k) {
    return plan->x + (int64_t)k * LITHE_HAND_VARIABLES;
}

void lithe_cli_hand_place(const LitheCliHand *plan, const LitheModel *model, LitheState *state,
                          int32_t k) {
    double start[LITHE_HAND_VARIABLES] = {0};
    const double *stage = start;
    if (k < 0) { // at rest
        memcpy(start + LITHE_HAND_ANGLES, plan->hand.angles, sizeof plan->hand.angles);
        memcpy(start + LITHE_HAND_BOX, plan->hand.box, sizeof plan->hand.box);
    } else {
        stage = stage_of(plan, k);
    }
    for (int i = 0; i < LITHE_HAND_JOINTS; i++) {
        const LitheHandJoint *joint = &plan->place.joints[i];
        double *position = (double *)lithe_joint_position(model, state, joint->joint);
        double *velocity = (double *)lithe_joint_velocity(model, state, joint->joint);
        double *effort = (double *)lithe_joint_effort(model, state, joint->joint);
        *position = joint->sign * (stage[LITHE_HAND_ANGLES + i] - joint->offset);
        *velocity = joint->sign * stage[LITHE_HAND_SPEEDS + i];
        *effort = joint->sign * stage[LITHE_HAND_EFFORTS + i];
    }
    lithe_hand_box(&plan->place, stage,
                   (double *)lithe_joint_position(model, state, plan->place.slide),
                   (double *)lithe_joint_velocity(model, state, plan->place.slide));
    state->clock[0] = (k + 1) * plan->hand.task.step;
    state->clock[1] = k + 1;
}

// The contacts of a stage in the world, on the box: their number; -1 when out of memory.
static int32_t contacts_of(const LitheCliHand *plan, int32_t k, LitheContactForce *to) {
    const LithePlanHand *hand = &plan->scene->plan.hand;
    const LitheBodyId others[LITHE_HAND_FINGERS] = {hand->left, hand->right};
    LitheHandContact own[LITHE_HAND_CONTACTS];
    int32_t count = 0;
    if (k < 0)
        return 0;
    const double *stage = stage_of(plan, k);
    if (!lithe_hand_task_contacts(plan->context, &plan->hand.task, stage, own))
        return -1;
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        const double *touch = stage + LITHE_HAND_TOUCH + (ptrdiff_t)c * LITHE_TOUCH_VARIABLES;
        bool tip = c < LITHE_HAND_FINGERS;
        if (!(touch[LITHE_TOUCH_NORMAL] > TOUCHING))
            continue;
        LitheBodyId other = tip ? others[c] : plan->place.ground;
        to[count++] = (LitheContactForce){
            .contact = {.a = lithe_cli_plan_side(plan->scene, other),
                        .b = lithe_cli_plan_side(plan->scene, hand->box),
                        .point = lithe_hand_point(&plan->place, own[c].at),
                        .normal = lithe_hand_direction(&plan->place, own[c].normal),
                        .gap = touch[LITHE_TOUCH_GAP],
                        .friction =
                            tip ? plan->hand.task.tip_friction : plan->hand.task.ground_friction},
            .force = lithe_hand_direction(&plan->place, own[c].force),
            .normal = touch[LITHE_TOUCH_NORMAL],
            .slip = fabs(touch[LITHE_TOUCH_SLIP])};
    }
    return count;
}

LitheStatus lithe_cli_hand_record(const LitheCliHand *plan, LitheError *error) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheRecorder *recorder = NULL;
    LitheStatus status = lithe_compile(plan->scene, &model, &state, error);
    if (status == LITHE_OK) {
        lithe_cli_hand_place(plan, model, state, -1);
        status = lithe_recorder_create(plan->scene, model, state, plan->out, &recorder, error);
    }
    for (int32_t k = -1; k < plan->hand.stages && status == LITHE_OK; k++) {
        LitheContactForce contacts[LITHE_HAND_CONTACTS];
        int32_t count = contacts_of(plan, k, contacts);
        lithe_cli_hand_place(plan, model, state, k);
        status = count < 0 ? lithe_fail_memory(error, "the contacts of a plan")
                           : lithe_recorder_add_planned(recorder, state, contacts, count, error);
    }
    if (status == LITHE_OK)
        status = lithe_recorder_finish(recorder, NULL, error);
    lithe_recorder_destroy(recorder);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

LitheStatus lithe_cli_hand_table(const LitheCliHand *plan, const char *out, LitheError *error) {
    static const char *const contacts[LITHE_HAND_CONTACTS] = {"left",     "right",    "corner-1",
                                                              "corner-2", "corner-3", "corner-4"};
    FILE *file = fopen(out, "w");
    if (file == NULL)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot be written: %s", out,
                          strerror(errno));
    fprintf(file, "time [s],x [m],z [m],angle [deg]");
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++)
        fprintf(file, ",%s-gap [m],%s-normal [N],%s-friction [N],%s-slip [m/s]", contacts[c],
                contacts[c], contacts[c], contacts[c]);
    for (int i = 0; i < LITHE_HAND_JOINTS; i++)
        fprintf(file, ",%s [N m]",
                plan->scene->joints[plan->place.joints[i].joint.number - 1].name);
    fprintf(file, "\n");
    for (int32_t k = 0; k < plan->hand.stages; k++) {
        const double *stage = stage_of(plan, k), *box = stage + LITHE_HAND_BOX;
        fprintf(file, "%.9g,%.9g,%.9g,%.9g", (k + 1) * plan->hand.task.step, box[0], box[1],
                DEGREES * box[2]);
        for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
            const double *touch = stage + LITHE_HAND_TOUCH + (ptrdiff_t)c * LITHE_TOUCH_VARIABLES;
            fprintf(file, ",%.9g,%.9g,%.9g,%.9g", touch[LITHE_TOUCH_GAP], touch[LITHE_TOUCH_NORMAL],
                    touch[LITHE_TOUCH_FRICTION] - touch[LITHE_TOUCH_FRICTION + 1],
                    touch[LITHE_TOUCH_SLIP]);
        }
        for (int i = 0; i < LITHE_HAND_JOINTS; i++)
            fprintf(file, ",%.9g", stage[LITHE_HAND_EFFORTS + i]);
        fprintf(file, "\n");
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: could not be written", out);
    return LITHE_OK;
}

// --- playback ------------------------------------------------------------------------------------

// A position actuator gets the target at which it has the torque of the plan on the plan.
static LitheStatus set_torques(const LitheCliHand *plan, LitheCliPlanWorld *world,
                               const double *stage, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int i = 0; i < LITHE_HAND_JOINTS && status == LITHE_OK; i++) {
        const LitheHandJoint *joint = &plan->place.joints[i];
        if (joint->drive == 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "joint '%s' has no actuator: a playback needs one of kind force or "
                              "position",
                              plan->scene->joints[joint->joint.number - 1].name);
        const LitheActuatorDef *drive = &world->scene->actuators[joint->drive - 1];
        double value = joint->sign * stage[LITHE_HAND_EFFORTS + i];
        if (drive->kind == LITHE_ACTUATOR_POSITION)
            value = joint->sign * (stage[LITHE_HAND_ANGLES + i] - joint->offset) +
                    (value + drive->damping * joint->sign * stage[LITHE_HAND_SPEEDS + i]) /
                        drive->stiffness;
        status =
            lithe_state_set_actuator(world->model, world->state, (LitheActuatorId){joint->drive},
                                     (LitheCommand){value, 0}, error);
    }
    return status;
}

static void compare(const LitheCliHand *plan, const LitheCliPlanWorld *world, const double *stage,
                    LitheCliHandPlayback *to) {
    const double *target = plan->hand.target, *box = stage + LITHE_HAND_BOX;
    const double turn = 2 * M_PI;
    double pose[3];
    lithe_hand_box_back(&plan->place,
                        lithe_joint_position(world->model, world->state, plan->place.slide), pose);
    to->place = hypot(pose[0] - target[0], pose[1] - target[1]);
    to->angle = fabs(remainder(pose[2] - target[2], turn));
    to->place_most = fmax(to->place_most, hypot(pose[0] - box[0], pose[1] - box[1]));
    to->angle_most = fmax(to->angle_most, fabs(remainder(pose[2] - box[2], turn)));
}

static LitheStatus run(const LitheCliHand *plan, LitheCliPlanWorld *world, LitheRecorder *recorder,
                       LitheCliHandPlayback *to, LitheError *error) {
    LitheStatus status = LITHE_OK;
    if (recorder != NULL)
        status = lithe_recorder_add_frame(recorder, world->state, NULL, NULL, error);
    for (int32_t k = 0; k < plan->hand.stages && status == LITHE_OK; k++) {
        LitheReport report;
        status = set_torques(plan, world, stage_of(plan, k), error);
        if (status == LITHE_OK)
            status = lithe_step(world->model, world->state, world->work, &report, error);
        if (status != LITHE_OK)
            break;
        compare(plan, world, stage_of(plan, k), to);
        if (recorder == NULL)
            continue;
        lithe_recorder_add_step(recorder, &report);
        status = lithe_recorder_add_frame(recorder, world->state, world->work, &report, error);
    }
    if (status == LITHE_OK && recorder != NULL)
        status = lithe_recorder_finish(recorder, NULL, error);
    return status;
}

LitheStatus lithe_cli_hand_play(const LitheCliHand *plan, const char *model, const char *out,
                                LitheCliHandPlayback *to, LitheError *error) {
    const LitheCliPlanSource source = {plan->context,    plan->path, plan->sets,
                                       plan->set_count,  model,      plan->hand.task.step,
                                       plan->hand.stages};
    LitheCliPlanWorld world = {0};
    LitheRecorder *recorder = NULL;
    *to = (LitheCliHandPlayback){.model = model};
    LitheStatus status = lithe_cli_plan_load(&source, &world, error);
    if (status == LITHE_OK) {
        lithe_cli_hand_place(plan, world.model, world.state, -1);
        if (out != NULL)
            status =
                lithe_recorder_create(world.scene, world.model, world.state, out, &recorder, error);
    }
    if (status == LITHE_OK)
        status = run(plan, &world, recorder, to, error);
    lithe_recorder_destroy(recorder);
    lithe_cli_plan_unload(&world);
    return status;
}
