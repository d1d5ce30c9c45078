// SPDX-License-Identifier: Apache-2.0
// scene/write_control.c - keys and gamepads in scene files: table of keys, writing

#include "scene/entries.h"
#include "scene/field_rows.h"
#include "scene/fields.h"

// --- the table -----------------------------------------------------------------------------------

static const LitheField control_fields[] = {
    {"key", LITHE_FIELD_TEXT, AT(LitheControlDef, key), .preset = "none",
     .about = "name of the key in browsers: a, ArrowUp, \" \""},
    {"axis", LITHE_FIELD_INTEGER, AT(LitheControlDef, axis), .preset = "none",
     .about = "axis of a gamepad, from 0"},
    {"drive", LITHE_FIELD_TEXT, AT(LitheControlDef, drive), .preset = "none",
     .about = "drive that it moves"},
    {"actuator", LITHE_FIELD_TEXT, AT(LitheControlDef, actuator), .preset = "none",
     .about = "actuator by position, velocity or prescribed, whose target it moves"},
    {"hand", LITHE_FIELD_TEXT, AT(LitheControlDef, hand), .preset = "none",
     .about = "pose drive that it moves"},
    {"constraint", LITHE_FIELD_TEXT, AT(LitheControlDef, constraint), .preset = "none",
     .about = "constraint that a press switches on or off"},
    {"speed", LITHE_FIELD_QUANTITY, LITHE_WANT_SPEED, AT(LitheControlDef, speed), .preset = "0",
     .about = "speed of a translating drive or actuator while pressed, or at the end of the axis"},
    {"spin", LITHE_FIELD_QUANTITY, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheControlDef, spin),
     .preset = "0", .about = "angular velocity of a rotating drive or actuator"},
    {"move", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheControlDef, move), .preset = "[0, 0, 0]",
     .about = "velocity of a pose drive, in world axes"},
    {"turn", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheControlDef, turn),
     .preset = "[0, 0, 0]", .about = "angular velocity of a pose drive, in world axes"},
};
const LitheTable lithe_control_table = TABLE("control", control_fields);

// --- writing -------------------------------------------------------------------------------------

static void put_text(LitheWriter *w, const char *key, const char *text) {
    if (!text)
        return;
    lithe_put_key(w, key);
    lithe_print(w, " ");
    lithe_put_quoted(w, text);
    lithe_print(w, "\n");
}

static void put_number(LitheWriter *w, const char *key, double value) {
    if (value == 0)
        return;
    lithe_put_key(w, key);
    lithe_print(w, " ");
    lithe_put_number(w, value);
    lithe_print(w, "\n");
}

static void put_vector(LitheWriter *w, const char *key, LitheVec3 v) {
    if (v.x == 0 && v.y == 0 && v.z == 0)
        return;
    lithe_put_key(w, key);
    lithe_print(w, " ");
    lithe_put_vector(w, v);
    lithe_print(w, "\n");
}

void lithe_write_control(LitheWriter *w, const LitheTable *table, void *entry,
                         const void *defaults) {
    (void)table;
    (void)defaults;
    const LitheControlDef *c = entry;
    w->indent = 1;
    lithe_put_key(w, c->name);
    lithe_print(w, "\n");
    w->indent = 2;
    put_text(w, "key", c->key);
    if (c->axis >= 0) {
        lithe_put_key(w, "axis");
        lithe_print(w, " %d\n", (int)c->axis);
    }
    put_text(w, "drive", c->drive);
    put_text(w, "actuator", c->actuator);
    put_text(w, "hand", c->hand);
    put_text(w, "constraint", c->constraint);
    put_number(w, "speed", c->speed);
    put_number(w, "spin", c->spin);
    put_vector(w, "move", c->move);
    put_vector(w, "turn", c->turn);
    w->indent = 0;
}
