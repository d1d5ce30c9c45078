// SPDX-License-Identifier: Apache-2.0
// cli/plan_record.c - a plan as a recording of its scene and as a table; its refinement

#include "cli/plan.h"
#include "cli/plan_load.h"

#include "base/memory.h"
#include "base/status.h"
#include "data/state.h"
#include "run/recorder.h"
#include "scene/scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double *lithe_cli_plan_stage(const LitheCliPlan *plan, int32_t k) {
    return k < 0 ? NULL : plan->x + (int64_t)k * lithe_ball_task_variables(&plan->turn.model);
}

LitheStatus lithe_cli_plan_refine(LitheCliPlan *plan, LitheError *error) {
    int64_t n = 2 * (int64_t)plan->turn.stages * lithe_ball_task_variables(&plan->turn.model);
    double *guess = lithe_alloc_array(plan->context, n, sizeof(double)),
           *x = lithe_alloc_array(plan->context, n, sizeof(double));
    LitheStatus status = LITHE_OK;
    if (guess == NULL || x == NULL) {
        lithe_free(plan->context, x);
        status = lithe_fail_memory(error, "a plan");
    } else {
        plan->turn = lithe_turn_refine(&plan->turn, plan->x, guess);
        lithe_free(plan->context, plan->x);
        plan->x = x;
        status = lithe_turn_solve(plan->context, &plan->turn, plan->x, &plan->result, error);
        plan->turn.guess = NULL;
    }
    lithe_free(plan->context, guess);
    return status;
}

void lithe_cli_plan_place(const LitheCliPlan *plan, const LitheModel *model, LitheState *state,
                          int32_t k) {
    const double *stage = lithe_cli_plan_stage(plan, k), *first = lithe_cli_plan_stage(plan, 0);
    double start[LITHE_AT_EFFORT + LITHE_PLAN_CHAMBERS] = {[LITHE_AT_QUATERNION] = 1};
    if (stage == NULL) { // the step before the first one is at rest
        for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
            start[LITHE_AT_LENGTHS + i] =
                first[LITHE_AT_LENGTHS + i] - plan->turn.model.step * first[LITHE_AT_SPEEDS + i];
        stage = start;
    }
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++) {
        LitheJointId joint = plan->place.sections[i];
        const size_t size = 3 * sizeof(double);
        memcpy((double *)lithe_joint_position(model, state, joint),
               stage + LITHE_AT_LENGTHS + 3 * (ptrdiff_t)i, size);
        memcpy((double *)lithe_joint_velocity(model, state, joint),
               stage + LITHE_AT_SPEEDS + 3 * (ptrdiff_t)i, size);
        memcpy((double *)lithe_joint_effort(model, state, joint),
               stage + LITHE_AT_EFFORT + 3 * (ptrdiff_t)i, size);
    }
    lithe_turn_ball(&plan->place, stage,
                    (double *)lithe_joint_position(model, state, plan->place.ball),
                    (double *)lithe_joint_velocity(model, state, plan->place.ball));
    state->clock[0] = (k + 1) * plan->turn.model.step;
    state->clock[1] = k + 1;
}

// The contact of a stage in the world, on the ball; 0: it does not touch.
static int32_t contact_of(const LitheCliPlan *plan, int32_t k, LitheContactForce *to,
                          LitheError *error) {
    const LitheBallTask *model = &plan->turn.model;
    const double *stage = lithe_cli_plan_stage(plan, k);
    const Pose *base = &plan->place.base;
    LitheBallContact own;
    double force[3];
    if (stage == NULL || !(stage[LITHE_AT_NORMAL] > LITHE_PLAN_TOUCHING))
        return 0;
    if (!lithe_ball_task_contact(plan->context, model, stage + LITHE_AT_LENGTHS, &own)) {
        lithe_fail_memory(error, "the contacts of a plan");
        return -1;
    }
    lithe_ball_task_force(model, stage, &own, force);
    Vec3 normal = v3_load(own.normal);
    Vec3 point =
        v3_axpy(-model->ball_radius - 0.5 * stage[LITHE_AT_GAP], normal, v3_load(model->centre));
    *to = (LitheContactForce){
        .contact = {.a = lithe_cli_plan_side(plan->scene, plan->scene->plan.disk),
                    .b = lithe_cli_plan_side(plan->scene, plan->place.ball_body),
                    .point = pose_point(*base, point),
                    .normal = q4_rotate(base->rotation, normal),
                    .gap = stage[LITHE_AT_GAP],
                    .friction = model->friction},
        .force = q4_rotate(base->rotation, v3_load(force)),
        .normal = stage[LITHE_AT_NORMAL],
        .slip = hypot(stage[LITHE_AT_SLIP], stage[LITHE_AT_SLIP + 1])};
    return 1;
}

LitheStatus lithe_cli_plan_record(const LitheCliPlan *plan, const char *out, LitheError *error) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheRecorder *recorder = NULL;
    LitheStatus status = lithe_compile(plan->scene, &model, &state, error);
    if (status == LITHE_OK) {
        lithe_cli_plan_place(plan, model, state, -1);
        status = lithe_recorder_create(plan->scene, model, state, out, &recorder, error);
    }
    for (int32_t k = -1; k < plan->turn.stages && status == LITHE_OK; k++) {
        LitheContactForce contact;
        int32_t count = contact_of(plan, k, &contact, error);
        lithe_cli_plan_place(plan, model, state, k);
        status = count < 0 ? LITHE_NO_MEMORY
                           : lithe_recorder_add_planned(recorder, state, &contact, count, error);
    }
    if (status == LITHE_OK)
        status = lithe_recorder_finish(recorder, NULL, error);
    lithe_recorder_destroy(recorder);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

// angle from the target [rad]
static double angle_left(const LitheCliPlan *plan, const double *stage) {
    double inner = 0;
    for (int i = 0; i < 4; i++)
        inner += stage[LITHE_AT_QUATERNION + i] * plan->turn.target[i];
    return 2 * acos(fmin(1, fabs(inner)));
}

// the largest product of two complements of a stage
static double product_of(const LitheCliPlan *plan, const double *stage) {
    const LitheBallTask *model = &plan->turn.model;
    double force = stage[LITHE_AT_NORMAL], gamma = stage[LITHE_AT_SLACK];
    double cone = model->friction * force, most = stage[LITHE_AT_GAP] * force;
    for (int32_t j = 0; j < model->directions; j++) {
        double angle = 2 * 3.14159265358979323846 * j / model->directions,
               f = stage[LITHE_AT_FRICTION + j];
        double along =
            stage[LITHE_AT_SLIP] * cos(angle) + stage[LITHE_AT_SLIP + 1] * sin(angle) + gamma;
        most = fmax(most, f * along);
        cone -= f;
    }
    return fmax(most, cone * gamma);
}

static void write_row(FILE *file, const LitheCliPlan *plan, int32_t k) {
    const LitheBallTask *model = &plan->turn.model;
    const double *stage = lithe_cli_plan_stage(plan, k);
    double along[2] = {0};
    for (int32_t j = 0; j < model->directions; j++) {
        double angle = 2 * 3.14159265358979323846 * j / model->directions;
        along[0] += stage[LITHE_AT_FRICTION + j] * cos(angle);
        along[1] += stage[LITHE_AT_FRICTION + j] * sin(angle);
    }
    fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", (k + 1) * model->step, stage[LITHE_AT_GAP],
            stage[LITHE_AT_NORMAL], hypot(along[0], along[1]),
            hypot(stage[LITHE_AT_SLIP], stage[LITHE_AT_SLIP + 1]),
            angle_left(plan, stage) * 180 / 3.14159265358979323846, product_of(plan, stage));
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        fprintf(file, ",%.9g", stage[LITHE_AT_EFFORT + i]);
    fprintf(file, "\n");
}

LitheStatus lithe_cli_plan_table(const LitheCliPlan *plan, const char *out, LitheError *error) {
    FILE *file = fopen(out, "w");
    if (file == NULL)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot be written: %s", out,
                          strerror(errno));
    fprintf(file, "time [s],gap [m],normal [N],friction [N],slip [m/s],left [deg],product");
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        fprintf(file, ",effort-%d-%d [N]", i / 3 + 1, i % 3 + 1);
    fprintf(file, "\n");
    for (int32_t k = 0; k < plan->turn.stages; k++)
        write_row(file, plan, k);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: could not be written", out);
    return LITHE_OK;
}
