// SPDX-License-Identifier: Apache-2.0
// cli/scene_sliders.c - what the viewer can change of a scene: parameters, joints, actuators

#include "cli/scene_extra.h"

#include "base/memory.h"
#include "base/status.h"
#include "scene/parameter_texts.h"
#include "view/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// most joints and actuators that get a slider
enum { MOST = 60 };

static LitheCliSlider *add(LitheCliSliders *sliders, LitheCliSliderKind kind, const char *name) {
    if (!LITHE_RESERVE(sliders->context, sliders->list, sliders->capacity, sliders->count + 1))
        return NULL;
    char *copy = lithe_alloc_text(sliders->context, name);
    if (!copy)
        return NULL;
    LitheCliSlider *made = &sliders->list[sliders->count++];
    *made = (LitheCliSlider){.kind = kind, .name = copy};
    return made;
}

// --- parameters ----------------------------------------------------------------------------------

// A number with a unit, such as "2 mm"; false for an expression. A slider covers a quarter to four
// times the value; whole numbers have no slider, because they count copies and nodes.
static bool number_with_unit(const char *text, LitheCliSlider *slider) {
    char *rest = NULL;
    double value = strtod(text, &rest);
    if (rest == text || !isfinite(value) || value == 0)
        return false;
    size_t digits = (size_t)(rest - text);
    bool whole = strspn(text, "+-0123456789") == digits;
    rest += strspn(rest, " ");
    size_t length = strlen(rest);
    // letters, powers and quotients of units; no other operator, no parameter can follow a number
    if (strspn(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/^23 %") != length ||
        length >= sizeof slider->unit || (whole && length == 0))
        return false;
    slider->value = value;
    slider->low = value > 0 ? 0.25 * value : 4 * value;
    slider->high = value > 0 ? 4 * value : 0.25 * value;
    snprintf(slider->unit, sizeof slider->unit, "%s", rest);
    return true;
}

static bool add_parameter(const char *name, const char *text, void *user) {
    LitheCliSlider found = {0};
    if (!number_with_unit(text, &found))
        return true;
    LitheCliSlider *slider = add(user, LITHE_CLI_SLIDER_PARAMETER, name);
    if (!slider)
        return false;
    found.kind = slider->kind;
    found.name = slider->name;
    *slider = found;
    return true;
}

// --- joints and actuators ------------------------------------------------------------------------

static bool one_degree(LitheJointKind kind) {
    return kind == LITHE_JOINT_REVOLUTE || kind == LITHE_JOINT_PRISMATIC ||
           kind == LITHE_JOINT_SCREW;
}

static void set_range(const LitheJointDef *joint, LitheCliSlider *slider) {
    bool slides = joint->kind == LITHE_JOINT_PRISMATIC;
    double reach = slides ? 0.5 : M_PI;
    slider->low = joint->limited ? joint->lower : fmin(-reach, slider->value);
    slider->high = joint->limited ? joint->upper : fmax(reach, slider->value);
    snprintf(slider->unit, sizeof slider->unit, "%s", slides ? "m" : "rad");
}

static LitheStatus find_joints(const LitheScene *scene, LitheCliSliders *sliders,
                               LitheError *error) {
    for (int32_t i = 0; i < scene->joint_count && i < MOST; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        if (!one_degree(joint->kind))
            continue;
        LitheCliSlider *slider = add(sliders, LITHE_CLI_SLIDER_JOINT, joint->name);
        if (!slider)
            return lithe_fail_memory(error, "sliders of the viewer");
        slider->index = i;
        slider->value = joint->position;
        set_range(joint, slider);
    }
    return LITHE_OK;
}

static LitheStatus find_actuators(const LitheScene *scene, LitheCliSliders *sliders,
                                  LitheError *error) {
    for (int32_t i = 0; i < scene->actuator_count && i < MOST; i++) {
        const LitheActuatorDef *actuator = &scene->actuators[i];
        const LitheJointDef *joint = &scene->joints[actuator->joint.number - 1];
        bool by_position = actuator->kind == LITHE_ACTUATOR_POSITION ||
                           actuator->kind == LITHE_ACTUATOR_PRESCRIBED;
        double limit =
            actuator->kind == LITHE_ACTUATOR_FORCE ? actuator->effort_limit : joint->velocity_limit;
        if (!by_position && !(limit > 0))
            limit = 10; // no limit is known: N m, N, rad/s or m/s
        LitheCliSlider *slider = add(sliders, LITHE_CLI_SLIDER_ACTUATOR, actuator->name);
        if (!slider)
            return lithe_fail_memory(error, "sliders of the viewer");
        bool slides = joint->kind == LITHE_JOINT_PRISMATIC;
        slider->index = i;
        slider->value = actuator->target.value;
        if (by_position) {
            set_range(joint, slider);
            continue;
        }
        slider->low = -limit;
        slider->high = limit;
        const char *const units[2][2] = {{"N m", "N"}, {"rad/s", "m/s"}};
        snprintf(slider->unit, sizeof slider->unit, "%s",
                 units[actuator->kind == LITHE_ACTUATOR_VELOCITY][slides]);
    }
    return LITHE_OK;
}

// --- all of it -----------------------------------------------------------------------------------

LitheStatus lithe_cli_sliders_find(const LitheScene *scene, const char *path,
                                   LitheCliSliders *sliders, LitheError *error) {
    // the texts of the file: a loaded scene has only values
    LitheStatus status = lithe_parameter_texts(scene->context, path, add_parameter, sliders, error);
    if (status == LITHE_OK)
        status = find_joints(scene, sliders, error);
    if (status == LITHE_OK)
        status = find_actuators(scene, sliders, error);
    return status;
}

void lithe_cli_sliders_release(LitheCliSliders *sliders) {
    for (int32_t i = 0; i < sliders->count; i++)
        lithe_free(sliders->context, sliders->list[i].name);
    lithe_free(sliders->context, sliders->list);
    *sliders = (LitheCliSliders){0};
}

void lithe_cli_sliders_describe(const LitheCliSliders *sliders, LitheBytes *text) {
    static const char *const kinds[] = {[LITHE_CLI_SLIDER_PARAMETER] = "parameter",
                                        [LITHE_CLI_SLIDER_JOINT] = "joint",
                                        [LITHE_CLI_SLIDER_ACTUATOR] = "actuator"};
    lithe_view_put(text, "\"sliders\":[");
    for (int32_t i = 0; i < sliders->count; i++) {
        const LitheCliSlider *slider = &sliders->list[i];
        lithe_view_put(text, "%s{\"kind\":\"%s\",\"name\":", i > 0 ? "," : "", kinds[slider->kind]);
        lithe_view_put_quoted(text, slider->name);
        lithe_view_put(text, ",\"unit\":");
        lithe_view_put_quoted(text, slider->unit);
        lithe_view_put(text, ",\"value\":");
        lithe_view_put_number(text, slider->value);
        lithe_view_put(text, ",\"low\":");
        lithe_view_put_number(text, slider->low);
        lithe_view_put(text, ",\"high\":");
        lithe_view_put_number(text, slider->high);
        lithe_view_put(text, "}");
    }
    lithe_view_put(text, "]");
}
