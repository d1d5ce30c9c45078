// SPDX-License-Identifier: Apache-2.0
// import/mjcf_joint.c - joints, actuators and excluded pairs of MJCF

#include "base/memory.h"
#include "import/mjcf.h"

#include <string.h>

#define DEGREE 0.017453292519943295 // rad

// --- joints --------------------------------------------------------------------------------------

static LitheStatus read_range(LitheMjcf *mjcf, LitheMjcfView view, double unit, double ref,
                              LitheJointDef *def) {
    double range[2] = {0, 0};
    int32_t count = 0;
    int limited = 2;
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, "range", 2, 2, range, &count);
    status = status ? status : lithe_mjcf_switch(mjcf, view, "limited", &limited);
    if (status)
        return status;
    def->limited = limited == 1 || (limited == 2 && mjcf->autolimits && count == 2);
    if (!def->limited)
        return LITHE_OK;
    if (count != 2)
        return lithe_import_fail(mjcf->import, view.node, "joint '%s' is limited and has no range",
                                 def->name);
    if (range[0] > range[1])
        return lithe_import_fail(mjcf->import, view.node, "joint '%s': range is %g to %g",
                                 def->name, range[0], range[1]);
    def->lower = unit * range[0] - ref;
    def->upper = unit * range[1] - ref;
    if (def->kind == LITHE_JOINT_BALL && (range[0] != 0 || !(range[1] > 0)))
        return lithe_import_fail(mjcf->import, view.node,
                                 "joint '%s': the range of a ball is 0 and an angle > 0, not %g "
                                 "and %g",
                                 def->name, range[0], range[1]);
    if (def->kind == LITHE_JOINT_BALL)
        return LITHE_OK;
    def->position = fmin(fmax(0, def->lower), def->upper);
    if (def->position != 0)
        return lithe_import_note(mjcf->import, view.node,
                                 "joint '%s' is out of its range in the model's pose: it starts at "
                                 "its limit",
                                 def->name);
    return LITHE_OK;
}

static LitheStatus read_resistance(LitheMjcf *mjcf, LitheMjcfView view, double unit, double ref,
                                   LitheJointDef *def) {
    double effort[2] = {0, 0};
    int32_t count = 0;
    int limited = 2;
    LitheStatus status = lithe_mjcf_number(mjcf, view, "stiffness", &def->stiffness);
    status = status ? status : lithe_mjcf_number(mjcf, view, "springref", &def->rest);
    status = status ? status : lithe_mjcf_number(mjcf, view, "damping", &def->damping);
    status = status ? status : lithe_mjcf_number(mjcf, view, "frictionloss", &def->friction_loss);
    status = status ? status : lithe_mjcf_number(mjcf, view, "armature", &def->armature);
    status =
        status ? status : lithe_mjcf_numbers(mjcf, view, "actuatorfrcrange", 2, 2, effort, &count);
    status = status ? status : lithe_mjcf_switch(mjcf, view, "actuatorfrclimited", &limited);
    if (status)
        return status;
    if (limited == 0 || (limited == 2 && !mjcf->autolimits))
        count = 0;
    double min = fmin(fmin(def->stiffness, def->damping), fmin(def->friction_loss, def->armature));
    if (min < 0)
        return lithe_import_fail(mjcf->import, view.node,
                                 "joint '%s': stiffness, damping, frictionloss and armature must "
                                 "be >= 0, one is %g",
                                 def->name, min);
    def->rest = def->kind == LITHE_JOINT_BALL ? 0 : unit * def->rest - ref;
    if (count == 2)
        def->effort_limit = fmax(fabs(effort[0]), fabs(effort[1]));
    if (count == 2 && effort[0] != -effort[1])
        return lithe_import_note(mjcf->import, view.node,
                                 "joint '%s': actuatorfrcrange is replaced by its larger bound",
                                 def->name);
    return LITHE_OK;
}

static LitheStatus read_kind(LitheMjcf *mjcf, LitheMjcfView view, LitheJointDef *def) {
    const LitheXmlNode *where;
    const char *type = lithe_mjcf_value(mjcf, view, "type", &where);
    if (!type || strcmp(type, "hinge") == 0)
        def->kind = LITHE_JOINT_REVOLUTE;
    else if (strcmp(type, "slide") == 0)
        def->kind = LITHE_JOINT_PRISMATIC;
    else if (strcmp(type, "ball") == 0)
        def->kind = LITHE_JOINT_BALL;
    else if (strcmp(type, "free") == 0)
        return lithe_import_fail(mjcf->import, where,
                                 "joint '%s' is free: it must be the only one of a body that "
                                 "is in <worldbody>",
                                 def->name);
    else
        return lithe_import_fail(mjcf->import, where,
                                 "joint '%s': type '%.60s' is none of hinge, slide, ball, free",
                                 def->name, type);
    return LITHE_OK;
}

LitheStatus lithe_mjcf_joint(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                             const char *name, int32_t parent, int32_t child, LitheFrame place) {
    LitheImport *import = mjcf->import;
    LitheMjcfView view;
    Vec3 at = {0, 0, 0}, axis = {0, 0, 1};
    double ref = 0;
    LitheJointDef *def = lithe_import_add_joint(import, node, name);
    if (!def)
        return import->error->status;
    LitheStatus status = lithe_mjcf_view(mjcf, node, class_index, &view);
    status = status ? status : read_kind(mjcf, view, def);
    status = status ? status : lithe_mjcf_vector(mjcf, view, "pos", &at);
    status = status ? status : lithe_mjcf_vector(mjcf, view, "axis", &axis);
    status = status ? status : lithe_mjcf_number(mjcf, view, "ref", &ref);
    if (status)
        return status;
    double unit = mjcf->degrees && def->kind != LITHE_JOINT_PRISMATIC ? DEGREE : 1;
    ref = def->kind == LITHE_JOINT_BALL ? 0 : unit * ref;
    double norm = v3_norm(axis);
    if (!(norm > 1e-10) || !isfinite(norm))
        return lithe_import_fail(import, node, "joint '%s': the axis has no direction", name);
    status = read_range(mjcf, view, unit, ref, def);
    status = status ? status : read_resistance(mjcf, view, unit, ref, def);
    if (!status && ref != 0)
        status = lithe_import_note(import, node,
                                   "joint '%s': its position counts from the model's pose, where "
                                   "MJCF calls it %g",
                                   name, ref);
    if (!status && !LITHE_RESERVE(import->context, mjcf->refs, mjcf->ref_capacity,
                                  (int64_t)import->joint_count))
        status = lithe_import_fail_memory(import);
    if (status)
        return status;
    mjcf->refs[import->joint_count - 1] = ref;
    def->parent.number = parent + 1;
    def->child.number = child + 1;
    lithe_import_place_joint(def, place, at, axis);
    return LITHE_OK;
}

// --- actuators -----------------------------------------------------------------------------------

/// f = gain ctrl + bias[0] + bias[1] length + bias[2] velocity; length and velocity are gear times
/// those of the joint.
typedef struct Gains {
    double gain, bias[3];
    double gear;
    double max; // largest force; 0: none
} Gains;

static LitheStatus read_general(LitheMjcf *mjcf, LitheMjcfView view, Gains *gains, bool *simple) {
    const char *dynamics = lithe_mjcf_value(mjcf, view, "dyntype", NULL);
    const char *gain = lithe_mjcf_value(mjcf, view, "gaintype", NULL);
    const char *bias = lithe_mjcf_value(mjcf, view, "biastype", NULL);
    double numbers[10] = {0}, offsets[10] = {0};
    int32_t count = 0;
    *simple = (!dynamics || strcmp(dynamics, "none") == 0) &&
              (!gain || strcmp(gain, "fixed") == 0) &&
              (!bias || strcmp(bias, "none") == 0 || strcmp(bias, "affine") == 0);
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, "gainprm", 1, 10, numbers, &count);
    status = status ? status : lithe_mjcf_numbers(mjcf, view, "biasprm", 1, 10, offsets, NULL);
    gains->gain = count ? numbers[0] : 1;
    for (int i = 0; i < 3; i++)
        gains->bias[i] = bias && strcmp(bias, "affine") == 0 ? offsets[i] : 0;
    return status;
}

static LitheStatus read_gains(LitheMjcf *mjcf, LitheMjcfView view, Gains *gains, bool *simple) {
    double value = 1, damping = 0;
    LitheStatus status = LITHE_OK;
    *simple = true;
    *gains = (Gains){.gain = 1, .gear = 1};
    if (lithe_xml_is(view.node, "position")) {
        status = lithe_mjcf_number(mjcf, view, "kp", &value);
        status = status ? status : lithe_mjcf_number(mjcf, view, "kv", &damping);
        gains->gain = value;
        gains->bias[1] = -value;
        gains->bias[2] = -damping;
    } else if (lithe_xml_is(view.node, "velocity")) {
        status = lithe_mjcf_number(mjcf, view, "kv", &value);
        gains->gain = value;
        gains->bias[2] = -value;
    } else if (lithe_xml_is(view.node, "general")) {
        status = read_general(mjcf, view, gains, simple);
    }
    return status;
}

/// Writes the larger bound of an active range to `*max`; 0: the range is not active.
static LitheStatus read_bound(LitheMjcf *mjcf, LitheMjcfView view, const char *range_name,
                              const char *switch_name, double *max) {
    double range[2] = {0, 0};
    int32_t count = 0;
    int limited = 2;
    *max = 0;
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, range_name, 2, 2, range, &count);
    status = status ? status : lithe_mjcf_switch(mjcf, view, switch_name, &limited);
    if (status || count == 0 || limited == 0 || (limited == 2 && !mjcf->autolimits))
        return status;
    *max = fmax(fabs(range[0]), fabs(range[1]));
    if (range[0] != -range[1] && strcmp(range_name, "forcerange") == 0)
        return lithe_import_note(mjcf->import, view.node,
                                 "<%s>: forcerange is replaced by its larger bound",
                                 view.node->name);
    return LITHE_OK;
}

static LitheStatus read_force(LitheMjcf *mjcf, LitheMjcfView view, Gains *gains) {
    double gear[6] = {1, 0, 0, 0, 0, 0}, control = 0;
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, "gear", 1, 6, gear, NULL);
    status = status ? status : read_bound(mjcf, view, "forcerange", "forcelimited", &gains->max);
    status = status ? status : read_bound(mjcf, view, "ctrlrange", "ctrllimited", &control);
    gains->gear = gear[0];
    // a pure force is also bounded by its control range
    bool force = gains->bias[1] == 0 && gains->bias[2] == 0;
    double bound = fabs(gains->gain) * control;
    if (!status && force && bound > 0 && (gains->max == 0 || bound < gains->max))
        gains->max = bound;
    return status;
}

// With length = gear q the effort on the joint is gear (gain (ctrl - gear q) - kv gear v). That is
// our actuator with stiffness gain gear, damping kv gear and target ctrl/gear.
static LitheStatus store_gains(LitheMjcf *mjcf, const LitheXmlNode *node, const Gains *gains,
                               double ref, LitheActuatorDef *def) {
    bool position = gains->bias[1] != 0 && gains->bias[1] == -gains->gain;
    bool velocity = gains->bias[1] == 0 && gains->bias[2] != 0 && gains->bias[2] == -gains->gain;
    bool force = gains->bias[1] == 0 && gains->bias[2] == 0;
    if (gains->bias[0] != 0 || !(position || velocity || force) || gains->gear == 0 ||
        (position && (gains->gain < 0 || gains->bias[2] > 0)) || (velocity && gains->gain < 0)) {
        mjcf->import->actuator_count--;
        return lithe_import_note(mjcf->import, node,
                                 "<%s>: actuator '%s' has gains that are no motor, position or "
                                 "velocity: ignored",
                                 node->name, def->name);
    }
    def->gear = gains->gear;
    def->effort_limit = gains->max;
    if (position) {
        def->kind = LITHE_ACTUATOR_POSITION;
        def->stiffness = gains->gain * fabs(gains->gear);
        def->damping = -gains->bias[2] * fabs(gains->gear);
        def->gear = fabs(gains->gear);
        def->target.value = -ref;
    } else if (velocity) {
        def->kind = LITHE_ACTUATOR_VELOCITY;
        def->damping = gains->gain * fabs(gains->gear);
        def->gear = fabs(gains->gear);
    } else {
        def->kind = LITHE_ACTUATOR_FORCE;
    }
    return LITHE_OK;
}

static LitheStatus read_actuator(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t number) {
    LitheImport *import = mjcf->import;
    LitheMjcfView view;
    Gains gains;
    bool simple = true;
    int32_t main_class = -1;
    LitheStatus status = lithe_mjcf_class(mjcf, node, "main", &main_class);
    status = status ? status : lithe_mjcf_view(mjcf, node, main_class, &view);
    if (status)
        return status;
    const char *target = lithe_mjcf_value(mjcf, view, "joint", NULL);
    if (!target)
        return lithe_import_note(import, node, "<%s> acts on no joint and is ignored", node->name);
    int32_t joint = lithe_import_find_joint(import, target);
    const LitheJointDef *on = joint >= 0 ? &import->joints[joint].def : NULL;
    if (!on)
        return lithe_import_fail(import, node, "<%s>: no joint named '%.100s'", node->name, target);
    if (on->kind != LITHE_JOINT_REVOLUTE && on->kind != LITHE_JOINT_PRISMATIC)
        return lithe_import_note(import, node,
                                 "<%s> acts on joint '%s', which is not a hinge or slide: ignored",
                                 node->name, target);
    const char *name = lithe_mjcf_name(mjcf, node, "actuator", number);
    if (!name)
        return import->error->status;
    status = read_gains(mjcf, view, &gains, &simple);
    status = status ? status : read_force(mjcf, view, &gains);
    if (status)
        return status;
    if (!simple)
        return lithe_import_note(import, node, "<%s>: actuator '%s' is not simple: ignored",
                                 node->name, name);
    LitheActuatorDef *def = lithe_import_add_actuator(import, node, name);
    if (!def)
        return import->error->status;
    def->joint.number = joint + 1;
    return store_gains(mjcf, node, &gains, mjcf->refs[joint], def);
}

LitheStatus lithe_mjcf_actuators(LitheMjcf *mjcf) {
    int32_t number = 0;
    const LitheXmlNode *part = lithe_xml_child(mjcf->root, "actuator");
    for (; part; part = lithe_xml_next_same(part)) {
        for (const LitheXmlNode *node = part->first; node; node = node->next) {
            if (!lithe_xml_is(node, "motor") && !lithe_xml_is(node, "position") &&
                !lithe_xml_is(node, "velocity") && !lithe_xml_is(node, "general"))
                continue;
            LitheStatus status = read_actuator(mjcf, node, ++number);
            if (status)
                return status;
        }
    }
    return LITHE_OK;
}

// --- pairs ---------------------------------------------------------------------------------------

/// The body with that name, or the one that it was merged into.
static LitheStatus find_host(LitheMjcf *mjcf, const LitheXmlNode *node, const char *attribute,
                             int32_t *body) {
    const char *name = lithe_xml_value(node, attribute);
    *body = name ? lithe_import_find_body(mjcf->import, name) : -1;
    if (*body < 0)
        return lithe_import_fail(mjcf->import, node, "<exclude>: no body named '%.100s'",
                                 name ? name : "");
    while (mjcf->import->bodies[*body].hidden)
        *body = mjcf->import->bodies[*body].parent;
    return LITHE_OK;
}

LitheStatus lithe_mjcf_excludes(LitheMjcf *mjcf) {
    const LitheXmlNode *part = lithe_xml_child(mjcf->root, "contact");
    for (; part; part = lithe_xml_next_same(part)) {
        const LitheXmlNode *node = lithe_xml_child(part, "exclude");
        for (; node; node = lithe_xml_next_same(node)) {
            int32_t a, b;
            LitheStatus status = find_host(mjcf, node, "body1", &a);
            status = status ? status : find_host(mjcf, node, "body2", &b);
            if (!status && a != b)
                status = lithe_import_add_pair(mjcf->import, a, b);
            if (status)
                return status;
        }
    }
    return LITHE_OK;
}
