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
    const double *stage = lithe_cli_plan_stage(plan, k);
    double start[LITHE_AT_EFFORT + LITHE_PLAN_CHAMBERS] = {[LITHE_AT_QUATERNION] = 1};
    if (stage == NULL) { // the step before the first one is at rest
        memcpy(start + LITHE_AT_LENGTHS, plan->result.start, sizeof plan->result.start);
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

// The contact of disk `c` in the world, on the ball; `stage` has its variables in the places of the
// first one.
static LitheContactForce contact_of(const LitheCliPlan *plan, int32_t c, const double *stage,
                                    const LitheBallContact *own) {
    const LitheBallTask *model = &plan->turn.model;
    const LithePlanDef *def = &plan->scene->plan;
    const Pose *base = &plan->place.base;
    double force[3];
    lithe_ball_task_force(model, stage, own, force);
    Vec3 normal = v3_load(own->normal);
    Vec3 point =
        v3_axpy(-model->ball_radius - 0.5 * stage[LITHE_AT_GAP], normal, v3_load(model->centre));
    return (LitheContactForce){
        .contact = {.a = lithe_cli_plan_side(plan->scene,
                                             c == 0 ? def->disk : def->more_disks[c - 1]),
                    .b = lithe_cli_plan_side(plan->scene, plan->place.ball_body),
                    .point = pose_point(*base, point),
                    .normal = q4_rotate(base->rotation, normal),
                    .gap = stage[LITHE_AT_GAP],
                    .friction = model->contact[c].friction},
        .force = q4_rotate(base->rotation, v3_load(force)),
        .normal = stage[LITHE_AT_NORMAL],
        .slip = hypot(stage[LITHE_AT_SLIP], stage[LITHE_AT_SLIP + 1])};
}

// The contacts of a stage that touch, [LITHE_PLAN_CONTACTS]; how many, or -1 when out of memory.
static int32_t contacts_of(const LitheCliPlan *plan, int32_t k, LitheContactForce *to,
                           LitheError *error) {
    const LitheBallTask *model = &plan->turn.model;
    const double *stage = lithe_cli_plan_stage(plan, k), *touching[LITHE_PLAN_CONTACTS] = {NULL};
    LitheBallContact own[LITHE_PLAN_CONTACTS];
    int32_t count = 0;
    for (int32_t c = 0; c < model->contact_count && stage != NULL; c++) {
        const double *at = stage + lithe_ball_task_shift(model, c);
        if (at[LITHE_AT_NORMAL] > LITHE_PLAN_TOUCHING) {
            touching[c] = at;
            count++;
        }
    }
    if (count == 0)
        return 0;
    if (!lithe_ball_task_contacts(plan->context, model, stage + LITHE_AT_LENGTHS, own)) {
        lithe_fail_memory(error, "the contacts of a plan");
        return -1;
    }
    count = 0;
    for (int32_t c = 0; c < model->contact_count; c++)
        if (touching[c] != NULL)
            to[count++] = contact_of(plan, c, touching[c], &own[c]);
    return count;
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
        LitheContactForce contacts[LITHE_PLAN_CONTACTS];
        int32_t count = contacts_of(plan, k, contacts, error);
        lithe_cli_plan_place(plan, model, state, k);
        status = count < 0 ? LITHE_NO_MEMORY
                           : lithe_recorder_add_planned(recorder, state, contacts, count, error);
    }
    if (status == LITHE_OK)
        status = lithe_recorder_finish(recorder, NULL, error);
    lithe_recorder_destroy(recorder);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

double lithe_cli_plan_angle(const LitheCliPlan *plan, const double *stage) {
    const double *q = stage + LITHE_AT_QUATERNION, *target = plan->turn.target;
    double along = 0, across = 0;
    for (int i = 0; i < 4; i++)
        along += q[i] * target[i];
    for (int i = 0; i < 4; i++)
        across = hypot(across, q[i] - along * target[i]);
    return 2 * atan2(across, fabs(along));
}

// the largest product of two complements of a stage
static double product_of(const LitheCliPlan *plan, const double *stage) {
    double most = 0;
    for (int32_t c = 0; c < plan->turn.model.contact_count; c++)
        most = fmax(most, lithe_ball_task_product(&plan->turn.model, stage, c));
    return most;
}

// gap, normal force, friction and speed of slip; `stage` as in contact_of
static void write_contact(FILE *file, const LitheBallTask *model, const double *stage) {
    double along[2] = {0};
    for (int32_t j = 0; j < model->directions; j++) {
        double angle = 2 * M_PI * j / model->directions;
        along[0] += stage[LITHE_AT_FRICTION + j] * cos(angle);
        along[1] += stage[LITHE_AT_FRICTION + j] * sin(angle);
    }
    fprintf(file, ",%.9g,%.9g,%.9g,%.9g", stage[LITHE_AT_GAP], stage[LITHE_AT_NORMAL],
            hypot(along[0], along[1]), hypot(stage[LITHE_AT_SLIP], stage[LITHE_AT_SLIP + 1]));
}

static void write_row(FILE *file, const LitheCliPlan *plan, int32_t k) {
    const LitheBallTask *model = &plan->turn.model;
    const double *stage = lithe_cli_plan_stage(plan, k);
    fprintf(file, "%.9g", (k + 1) * model->step);
    for (int32_t c = 0; c < model->contact_count; c++)
        write_contact(file, model, stage + lithe_ball_task_shift(model, c));
    fprintf(file, ",%.9g,%.9g", lithe_cli_plan_angle(plan, stage) * 180 / M_PI,
            product_of(plan, stage));
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        fprintf(file, ",%.9g", stage[LITHE_AT_EFFORT + i]);
    fprintf(file, "\n");
}

// names of columns; of several disks each has those of its contact
static void write_head(FILE *file, const LitheBallTask *model) {
    static const char *const names[][2] = {
        {"gap", "m"}, {"normal", "N"}, {"friction", "N"}, {"slip", "m/s"}};
    fprintf(file, "time [s]");
    for (int32_t c = 0; c < model->contact_count; c++)
        for (int i = 0; i < 4; i++)
            if (model->contact_count == 1)
                fprintf(file, ",%s [%s]", names[i][0], names[i][1]);
            else
                fprintf(file, ",%s-%s [%s]", model->contact[c].name, names[i][0], names[i][1]);
    fprintf(file, ",left [deg],product");
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        fprintf(file, ",effort-%d-%d [N]", i / 3 + 1, i % 3 + 1);
    fprintf(file, "\n");
}

LitheStatus lithe_cli_plan_table(const LitheCliPlan *plan, const char *out, LitheError *error) {
    FILE *file = fopen(out, "w");
    if (file == NULL)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot be written: %s", out,
                          strerror(errno));
    write_head(file, &plan->turn.model);
    for (int32_t k = 0; k < plan->turn.stages; k++)
        write_row(file, plan, k);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: could not be written", out);
    return LITHE_OK;
}
