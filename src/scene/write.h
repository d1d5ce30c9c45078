// SPDX-License-Identifier: Apache-2.0
// scene/write.h - shared by the files that write a scene as YAML

#ifndef LITHE_SCENE_WRITE_H
#define LITHE_SCENE_WRITE_H

#include "scene/fields.h"

typedef struct LitheWriter {
    const LitheScene *scene;
    LitheContext *context;
    char *text;
    size_t length, capacity;
    int indent;
    bool failed;        // out of memory
    LitheStatus status; // of reading the mesh and curve files that are written inline
    LitheError *error;
} LitheWriter;

// --- text (write_text.c) -------------------------------------------------------------------------

void lithe_put(LitheWriter *w, const char *text, size_t length);

/// printf for short texts.
void lithe_print(LitheWriter *w, const char *format, ...) LITHE_PRINTF(2, 3);
void lithe_put_key(LitheWriter *w, const char *key);

/// Writes the fewest digits that read back as the same double.
void lithe_put_number(LitheWriter *w, double value);
void lithe_put_vector(LitheWriter *w, LitheVec3 v);
void lithe_put_quat(LitheWriter *w, LitheQuat q);
void lithe_put_place(LitheWriter *w, const LithePlace *place);
void lithe_put_quoted(LitheWriter *w, const char *text);
bool lithe_same_bits(double a, double b);

// --- fields and objects --------------------------------------------------------------------------

/// Writes the keys of a table whose values differ from `defaults`.
void lithe_write_mapping(LitheWriter *w, const LitheTable *table, const void *base,
                         const void *defaults);
void lithe_write_object(LitheWriter *w, const char *name, const LitheTable *table, const void *base,
                        const void *defaults);
void lithe_write_name(LitheWriter *w, const char *key, const char *name);

/// Returns the table of a section; writes its heading "key:" first if count > 0.
const LitheTable *lithe_write_section(LitheWriter *w, const char *key, int32_t count);

/// Writes a field that only bodies, joints, actuators and pose drives have (write_rigid.c).
void lithe_write_rigid_field(LitheWriter *w, const LitheField *field, const void *base,
                             const void *defaults);

/// Writes an anchor, a list of them, and the settings of contact that differ from the defaults
/// (write_constraint.c).
void lithe_write_anchor(LitheWriter *w, const char *key, const LitheAnchor *anchor);
void lithe_write_anchors(LitheWriter *w, const char *key, const LitheAnchor *anchors,
                         int32_t count);
void lithe_write_contact(LitheWriter *w);

/// Writes the plan of the scene, if it has one (write_plan.c).
void lithe_write_plan(LitheWriter *w);

#endif
