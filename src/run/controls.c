// SPDX-License-Identifier: Apache-2.0
// run/controls.c - keys and gamepads of a scene as inputs of its run

#include "run/controls.h"

#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"
#include "math/vec3.h"
#include "run/session.h"
#include "scene/scene.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

_Static_assert(offsetof(LitheDriveDef, name) == 0 && offsetof(LitheActuatorDef, name) == 0 &&
                   offsetof(LithePoseDriveDef, name) == 0 &&
                   offsetof(LitheConstraintDef, name) == 0,
               "defs begin with their names");

static int32_t index_of(const char *name, const void *list, int32_t count, size_t size) {
    for (int32_t i = 0; i < count; i++) {
        const char *other = *(const char *const *)((const char *)list + (size_t)i * size);
        if (other && strcmp(other, name) == 0)
            return i;
    }
    return -1;
}

// "right: 0.2 m/s"
static void describe(LitheControl *control, const char *target, const LitheControlDef *def) {
    size_t capacity = sizeof control->does;
    if (control->kind == LITHE_INPUT_CONSTRAINT)
        snprintf(control->does, capacity, "%.100s on and off", target);
    else if (control->kind == LITHE_INPUT_HAND && v3_norm(def->move) > 0)
        snprintf(control->does, capacity, "%.80s: [%g, %g, %g] m/s", target, def->move.x,
                 def->move.y, def->move.z);
    else if (control->kind == LITHE_INPUT_HAND)
        snprintf(control->does, capacity, "%.80s: turn [%g, %g, %g] rad/s", target, def->turn.x,
                 def->turn.y, def->turn.z);
    else
        snprintf(control->does, capacity, "%.100s: %g %s", target,
                 def->speed != 0 ? def->speed : def->spin, def->speed != 0 ? "m/s" : "rad/s");
}

static bool make(LitheContext *context, const LitheScene *scene, const LitheControlDef *def,
                 LitheControl *control) {
    const char *target = def->drive      ? def->drive
                         : def->actuator ? def->actuator
                         : def->hand     ? def->hand
                                         : def->constraint;
    *control = (LitheControl){.axis = def->axis, .key = lithe_alloc_text(context, def->key)};
    control->kind = def->drive      ? LITHE_INPUT_DRIVE
                    : def->actuator ? LITHE_INPUT_ACTUATOR
                    : def->hand     ? LITHE_INPUT_HAND
                                    : LITHE_INPUT_CONSTRAINT;
    if (def->drive)
        control->index = index_of(target, scene->drives, scene->drive_count, sizeof *scene->drives);
    else if (def->actuator)
        control->index =
            index_of(target, scene->actuators, scene->actuator_count, sizeof *scene->actuators);
    else if (def->hand)
        control->index = index_of(target, scene->pose_drives, scene->pose_drive_count,
                                  sizeof *scene->pose_drives);
    else
        control->index = index_of(target, scene->constraints, scene->constraint_count,
                                  sizeof *scene->constraints);
    control->numbers[0] = def->speed != 0 ? def->speed : def->spin;
    if (control->kind == LITHE_INPUT_HAND) {
        v3_store(def->move, control->numbers);
        v3_store(def->turn, control->numbers + 3);
    }
    describe(control, target, def);
    return control->key || !def->key;
}

LitheStatus lithe_controls_begin(const LitheScene *scene, LitheControls *controls,
                                 LitheError *error) {
    LitheStatus status = lithe_scene_check(scene, error);
    *controls = (LitheControls){.context = scene->context};
    if (status != LITHE_OK)
        return status;
    controls->list =
        lithe_alloc_array(scene->context, scene->control_count, sizeof *controls->list);
    if (!controls->list)
        return lithe_fail_memory(error, "the keys of a scene");
    for (int32_t i = 0; i < scene->control_count; i++)
        if (!make(scene->context, scene, &scene->controls[i], &controls->list[controls->count++]))
            return lithe_fail_memory(error, "the keys of a scene");
    return LITHE_OK;
}

void lithe_controls_release(LitheControls *controls) {
    for (int32_t i = 0; i < controls->count; i++)
        lithe_free(controls->context, controls->list[i].key);
    lithe_free(controls->context, controls->list);
    *controls = (LitheControls){.context = controls->context};
}

// --- effects of controls -------------------------------------------------------------------------

// The sum of all controls of the same target.
static LitheStatus send(LitheControls *controls, LitheSession *session, const LitheControl *one,
                        LitheError *error) {
    LitheInput input = {.kind = one->kind, .index = one->index};
    for (int32_t i = 0; i < controls->count; i++) {
        const LitheControl *other = &controls->list[i];
        if (other->kind == one->kind && other->index == one->index)
            for (int k = 0; k < 6; k++)
                input.numbers[k] += other->level * other->numbers[k];
    }
    if (one->kind == LITHE_INPUT_CONSTRAINT)
        input.numbers[0] = !lithe_constraint_active(session->model, session->state,
                                                    (LitheConstraintId){one->index + 1});
    return lithe_input_apply(session, &input, error);
}

static LitheStatus set_level(LitheControls *controls, LitheSession *session, LitheControl *control,
                             double level, LitheError *error) {
    if (control->level == level)
        return LITHE_OK;
    control->level = level;
    // releasing the key of a switch does nothing
    if (control->kind == LITHE_INPUT_CONSTRAINT && level == 0)
        return LITHE_OK;
    return send(controls, session, control, error);
}

LitheStatus lithe_controls_key(LitheControls *controls, LitheSession *session, const char *key,
                               bool down, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < controls->count; i++)
        if (controls->list[i].key && strcmp(controls->list[i].key, key) == 0)
            status = set_level(controls, session, &controls->list[i], down, error);
    return status;
}

LitheStatus lithe_controls_axis(LitheControls *controls, LitheSession *session, int32_t axis,
                                double value, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < controls->count; i++)
        if (!controls->list[i].key && controls->list[i].axis == axis)
            status = set_level(controls, session, &controls->list[i], value, error);
    return status;
}

LitheStatus lithe_controls_idle(LitheControls *controls, LitheSession *session, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < controls->count; i++)
        status = set_level(controls, session, &controls->list[i], 0, error);
    return status;
}
