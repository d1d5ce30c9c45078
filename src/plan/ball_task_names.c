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
};
static const Names contact_rows[] = {{1, "gap of disk and ball", "m"},
                                     {2, "slip along tangent", "m/s"}};
static const Names end_rows[] = {{3, "final orientation, component", ""}};
static const Names products[] = {{1, "product of gap and normal force", "N m"},
                                 {1, "cone of friction", "N"},
                                 {1, "product of cone and speed of slip", "W"}};

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

// the disk that is meant, where several touch
static const char *of_disk(const LitheBallTask *model, int32_t contact, const char *text,
                           char *buffer, size_t size) {
    char own[LITHE_PLAN_ROW_TEXT];
    if (model->contact_count == 1 || text == NULL)
        return text;
    snprintf(own, sizeof own, "%s", text);
    snprintf(buffer, size, "%.120s of disk '%.80s'", own, model->contact[contact].name);
    return buffer;
}

const char *lithe_ball_task_variable(const LitheBallTask *model, int32_t variable, char *buffer,
                                     size_t size, const char **unit) {
    const int32_t kinds = sizeof variables / sizeof *variables;
    int32_t each = lithe_ball_task_shift(model, 1), end = lithe_ball_task_contacts_end(model);
    if (variable < LITHE_AT_NORMAL)
        return find(variables, kinds, model, variable, buffer, size, unit);
    if (variable >= end) // find has one contact
        return find(variables, kinds, model, variable - end + LITHE_AT_NORMAL + each, buffer, size,
                    unit);
    int32_t contact = (variable - LITHE_AT_NORMAL) / each;
    const char *text = find(variables, kinds, model, variable - contact * each, buffer, size, unit);
    return of_disk(model, contact, text, buffer, size);
}

const char *lithe_ball_task_clearance(const LitheBallTask *model, int32_t index, char *buffer,
                                      size_t size) {
    for (int32_t i = 0; i < model->disk_count * model->obstacle_count; i++) {
        const LitheArmDisk *disk = &model->disks[i / model->obstacle_count];
        int32_t k = i % model->obstacle_count;
        if (disk->avoids >> k & 1 && index-- == 0)
            snprintf(buffer, size, "the distance of disk '%.80s' from '%.80s'", disk->name,
                     model->obstacles[k].name);
    }
    return buffer;
}

// inequalities after those of the contact: obstacles, then constraints of the user
static const char *further_row(const LitheBallTask *model, int32_t row, char *buffer, size_t size) {
    int32_t distances = lithe_ball_task_clearance_count(model);
    if (row < distances)
        return lithe_ball_task_clearance(model, row, buffer, size);
    snprintf(buffer, size, "constraint '%.200s'",
             lithe_user_terms_name(model->user, LITHE_USER_INEQUALITY, row - distances));
    return buffer;
}

// inequalities of a contact
static const char *product_row(const LitheBallTask *model, int32_t row, char *buffer, size_t size) {
    const int32_t kinds = sizeof products / sizeof *products;
    if (row < kinds)
        return find(products, kinds, model, row, buffer, size, NULL);
    int32_t pair = row - kinds;
    snprintf(buffer, size,
             pair % 2 == 0 ? "slip against direction %d of friction"
                           : "product of slip and friction along direction %d",
             (int)pair / 2 + 1);
    return buffer;
}

const char *lithe_ball_task_row(const LitheBallTask *model, int32_t row, char *buffer,
                                size_t size) {
    const int32_t motion = 2 * LITHE_PLAN_CHAMBERS + 3 + 4, contacts = 3 * model->contact_count,
                  each = 3 + 2 * model->directions;
    if (row < motion)
        return find(rows, sizeof rows / sizeof *rows, model, row, buffer, size, NULL);
    row -= motion;
    if (row < contacts)
        return of_disk(model, row / 3, find(contact_rows, 2, model, row % 3, buffer, size, NULL),
                       buffer, size);
    row -= contacts;
    if (model->exact && row < end_rows[0].count)
        return find(end_rows, 1, model, row, buffer, size, NULL);
    row -= model->exact ? end_rows[0].count : 0;
    int32_t own = lithe_user_terms_count(model->user, LITHE_USER_EQUATION);
    if (row < own) {
        snprintf(buffer, size, "constraint '%.200s'",
                 lithe_user_terms_name(model->user, LITHE_USER_EQUATION, row));
        return buffer;
    }
    row -= own;
    if (row < each * model->contact_count)
        return of_disk(model, row / each, product_row(model, row % each, buffer, size), buffer,
                       size);
    return further_row(model, row - each * model->contact_count, buffer, size);
}
