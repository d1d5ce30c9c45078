// SPDX-License-Identifier: Apache-2.0
// plan/ball_task_names.c - names of variables and rows of a stage, for messages

#include "plan/ball_task.h"

#include <stdio.h>

typedef struct Names {
    int32_t count; // 0: one per direction of friction
    const char *text, *unit;
} Names;

static const Names variables[] = {{LITHE_PLAN_CHAMBERS, "elongation of chamber", "m"},
                                  {LITHE_PLAN_CHAMBERS, "speed of chamber", "m/s"},
                                  {4, "component of the quaternion", ""},
                                  {3, "angular velocity of the ball, component", "rad/s"},
                                  {LITHE_PLAN_CHAMBERS, "effort of chamber", "N"},
                                  {1, "normal force", "N"},
                                  {1, "gap", "m"},
                                  {2, "slip along tangent", "m/s"},
                                  {1, "speed of slip", "m/s"},
                                  {0, "friction along direction", "N"},
                                  {3, "variable of the end", ""}};

static const Names rows[] = {
    {LITHE_PLAN_CHAMBERS, "position of chamber", "m"},
    {LITHE_PLAN_CHAMBERS, "motion of chamber", "0.1 N"},
    {3, "motion of the ball, component", "0.1 N m"},
    {4, "orientation of the ball, component", ""},
    {1, "gap of disk and ball", "m"},
    {2, "slip along tangent", "m/s"},
    {3, "final orientation, component", ""},
    {1, "product of gap and normal force", "N m"},
    {1, "cone of friction", "N"},
    {1, "product of cone and speed of slip", "W"},
};

static const char *find(const Names *names, int32_t kinds, const LitheBallTask *model, int32_t at,
                        char *buffer, size_t size, const char **unit) {
    for (int32_t k = 0; k < kinds; k++) {
        int32_t count = names[k].count > 0 ? names[k].count : model->directions;
        if (at < count) {
            if (unit != NULL)
                *unit = names[k].unit;
            if (count == 1)
                return names[k].text;
            snprintf(buffer, size, "%s %d", names[k].text, (int)at + 1);
            return buffer;
        }
        at -= count;
    }
    if (unit != NULL)
        *unit = "";
    return NULL;
}

const char *lithe_ball_task_variable(const LitheBallTask *model, int32_t variable, char *buffer,
                                     size_t size, const char **unit) {
    return find(variables, sizeof variables / sizeof *variables, model, variable, buffer, size,
                unit);
}

const char *lithe_ball_task_clearance(const LitheBallTask *model, int32_t index, char *buffer,
                                      size_t size) {
    const char *disk = model->disks[index / model->obstacle_count].name,
               *obstacle = model->obstacles[index % model->obstacle_count].name;
    snprintf(buffer, size, "the distance of disk '%.80s' from '%.80s'", disk, obstacle);
    return buffer;
}

// inequalities after those of the contact: obstacles, then constraints of the user
static const char *further_row(const LitheBallTask *model, int32_t row, char *buffer, size_t size) {
    int32_t distances = model->disk_count * model->obstacle_count;
    if (row < distances)
        return lithe_ball_task_clearance(model, row, buffer, size);
    snprintf(buffer, size, "constraint '%.200s'",
             lithe_user_terms_name(model->user, LITHE_USER_INEQUALITY, row - distances));
    return buffer;
}

const char *lithe_ball_task_row(const LitheBallTask *model, int32_t row, char *buffer,
                                size_t size) {
    const int32_t ends = 6; // rows of an exact end
    int32_t before = 2 * LITHE_PLAN_CHAMBERS + 3 + 4 + 1 + 2;
    int32_t own = lithe_user_terms_count(model->user, LITHE_USER_EQUATION);
    if (!model->exact && row >= before)
        row += rows[ends].count;
    int32_t of_user = row - before - rows[ends].count;
    if (of_user >= 0 && of_user < own) {
        snprintf(buffer, size, "constraint '%.200s'",
                 lithe_user_terms_name(model->user, LITHE_USER_EQUATION, of_user));
        return buffer;
    }
    if (of_user >= own)
        row -= own;
    const char *text = find(rows, sizeof rows / sizeof *rows, model, row, buffer, size, NULL);
    if (text != NULL)
        return text;
    int32_t pair = row - (before + rows[ends].count + 3);
    if (pair >= 2 * model->directions)
        return further_row(model, pair - 2 * model->directions, buffer, size);
    snprintf(buffer, size,
             pair % 2 == 0 ? "slip against direction %d of friction"
                           : "product of slip and friction along direction %d",
             (int)pair / 2 + 1);
    return buffer;
}
