// SPDX-License-Identifier: Apache-2.0
// scene/check_control.c - keys and gamepads: one source, one existing target, and its speed

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "scene/objects.h"

#include <string.h>

// no key has a longer name
enum { KEY_LENGTH = 20, MAX_AXES = 16 };

static void source(LitheCheck *check, const LitheControlDef *c) {
    if (!c->key && c->axis < 0)
        lithe_check_fail(check, "", "needs a key or an axis");
    if (c->key && c->axis >= 0)
        lithe_check_fail(check, "axis", "has a key and an axis, must be one of them");
    if (c->key && (c->key[0] == '\0' || strlen(c->key) > KEY_LENGTH))
        lithe_check_fail(check, "key", "key is '%.40s', must have 1 to %d characters", c->key,
                         KEY_LENGTH);
    if (c->axis < -1 || c->axis >= MAX_AXES)
        lithe_check_fail(check, "axis", "axis is %d, must be from 0 to %d", (int)c->axis,
                         MAX_AXES - 1);
}

// The index of the object with this name. Fails and returns -1 when there is none.
static int32_t find(LitheCheck *check, const char *key, LitheObjectKind kind, const char *name) {
    LitheContext *context = check->scene->context;
    int32_t count = lithe_object_count(check->scene, kind);
    const char **names = lithe_alloc_array(context, count, sizeof *names);
    if (!names) {
        check->status = lithe_fail_memory(check->error, "a list of names");
        return -1;
    }
    int32_t found = -1;
    for (int32_t i = 0; i < count; i++) {
        names[i] = lithe_object_name(check->scene, kind, i);
        if (found < 0 && strcmp(names[i], name) == 0)
            found = i;
    }
    char text[400] = "";
    if (found < 0) {
        lithe_known_text(name, names, count, text, sizeof text);
        lithe_check_fail(check, key, "%s: nothing is named '%.60s'%s", key, name, text);
    }
    lithe_free(context, names);
    return found;
}

// a target that translates needs a speed, one that rotates an angular velocity; never both
static void rate(LitheCheck *check, const LitheControlDef *c, bool turns, const char *what) {
    if (turns && (c->spin == 0 || c->speed != 0))
        lithe_check_fail(check, c->speed != 0 ? "speed" : "",
                         "%s rotates: it needs spin, not speed", what);
    if (!turns && (c->speed == 0 || c->spin != 0))
        lithe_check_fail(check, c->spin != 0 ? "spin" : "",
                         "%s translates: it needs speed, not "
                         "spin",
                         what);
}

static void target(LitheCheck *check, const LitheControlDef *c) {
    const LitheScene *s = check->scene;
    int32_t i = -1;
    if (c->drive) {
        i = find(check, "drive", LITHE_OBJECT_DRIVE, c->drive);
        if (i >= 0)
            rate(check, c, s->drives[i].kind == LITHE_DRIVE_TWIST, "this drive");
    } else if (c->actuator) {
        i = find(check, "actuator", LITHE_OBJECT_ACTUATOR, c->actuator);
        if (i >= 0 && s->actuators[i].kind == LITHE_ACTUATOR_FORCE)
            lithe_check_fail(check, "actuator",
                             "actuator '%s' gives a force: keys move positions "
                             "and velocities",
                             c->actuator);
        else if (i >= 0)
            rate(check, c, !lithe_joint_slides(s->joints[s->actuators[i].joint.number - 1].kind),
                 "this joint");
    } else if (c->hand) {
        i = find(check, "hand", LITHE_OBJECT_POSE_DRIVE, c->hand);
        LitheVec3 m = c->move, t = c->turn;
        if (i >= 0 && m.x == 0 && m.y == 0 && m.z == 0 && t.x == 0 && t.y == 0 && t.z == 0)
            lithe_check_fail(check, "", "a hand needs move or turn");
        if (c->speed != 0 || c->spin != 0)
            lithe_check_fail(check, c->speed != 0 ? "speed" : "spin",
                             "a hand has move and turn, not speed and spin");
    } else {
        i = find(check, "constraint", LITHE_OBJECT_CONSTRAINT, c->constraint);
        if (i >= 0 && !c->key)
            lithe_check_fail(check, "axis", "a constraint is switched by a key");
    }
}

void lithe_check_control(LitheCheck *check, const void *def) {
    const LitheControlDef *c = def;
    source(check, c);
    lithe_check_number(check, "speed", c->speed, "m/s", LITHE_ANY);
    lithe_check_number(check, "spin", c->spin, "rad/s", LITHE_ANY);
    lithe_check_vector(check, "move", c->move, "m/s");
    lithe_check_vector(check, "turn", c->turn, "rad/s");
    int targets =
        (c->drive != NULL) + (c->actuator != NULL) + (c->hand != NULL) + (c->constraint != NULL);
    if (targets != 1)
        lithe_check_fail(check, "", "%s of drive, actuator, hand and constraint, must be one",
                         targets == 0 ? "has none" : "has several");
    if (check->status == LITHE_OK)
        target(check, c);
}
