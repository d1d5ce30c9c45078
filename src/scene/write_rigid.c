// SPDX-License-Identifier: Apache-2.0
// scene/write_rigid.c - writes bodies, joints, actuators and pose drives as YAML

#include "geom/geom_keys.h"
#include "scene/write.h"

#include "scene/geom_file.h"

#include <string.h>

#define MEMBER(Type, base, at) ((const Type *)((const char *)(base) + (at)))
// values per line in long lists
#define ROW_WIDTH 8

// --- fields --------------------------------------------------------------------------------------

void lithe_put_quat(LitheWriter *w, LitheQuat q) {
    const double v[] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) {
        lithe_print(w, i ? ", " : "[");
        lithe_put_number(w, v[i]);
    }
    lithe_print(w, "]");
}

static void write_quat(LitheWriter *w, const LitheField *field, const LitheQuat *q,
                       const LitheQuat *defaults) {
    if (!(field->flags & LITHE_FIELD_ALWAYS) && memcmp(q, defaults, sizeof *q) == 0)
        return;
    lithe_put_key(w, field->key);
    lithe_print(w, " ");
    lithe_put_quat(w, *q);
    lithe_print(w, "\n");
}

static void write_scale(LitheWriter *w, const char *key, LitheVec3 s) {
    bool same = lithe_same_bits(s.x, s.y) && lithe_same_bits(s.y, s.z);
    if (same && lithe_same_bits(s.x, 1))
        return;
    lithe_put_key(w, key);
    lithe_print(w, " ");
    if (same)
        lithe_put_number(w, s.x);
    else
        lithe_put_vector(w, s);
    lithe_print(w, "\n");
}

static void write_six(LitheWriter *w, const char *key, const double *v, const double *defaults) {
    if (memcmp(v, defaults, 6 * sizeof *v) == 0)
        return;
    lithe_put_key(w, key);
    for (int i = 0; i < 6; i++) {
        lithe_print(w, i ? ", " : " [");
        lithe_put_number(w, v[i]);
    }
    lithe_print(w, "]\n");
}

static void write_colour(LitheWriter *w, const char *key, LitheVec3 colour) {
    if (colour.x < 0)
        return;
    lithe_put_key(w, key);
    lithe_print(w, " ");
    lithe_put_vector(w, colour);
    lithe_print(w, "\n");
}

static void write_bodies(LitheWriter *w, const char *key, const LitheBodyId *first,
                         const LitheBodyId *more) {
    if (first->number == 0)
        return;
    if (more[0].number == 0) {
        lithe_write_name(w, key, w->scene->bodies[first->number - 1].name);
        return;
    }
    lithe_put_key(w, key);
    lithe_print(w, " [%s", w->scene->bodies[first->number - 1].name);
    for (int i = 0; i < LITHE_PLAN_MORE_DISKS && more[i].number > 0; i++)
        lithe_print(w, ", %s", w->scene->bodies[more[i].number - 1].name);
    lithe_print(w, "]\n");
}

static void write_bits(LitheWriter *w, const char *key, uint32_t bits, uint32_t defaults) {
    if (bits == defaults)
        return;
    lithe_put_key(w, key);
    if (bits == 0 || bits == UINT32_MAX) {
        lithe_print(w, bits ? " all\n" : " none\n");
        return;
    }
    const char *comma = " [";
    for (int i = 0; i < 32; i++)
        if (bits >> i & 1) {
            lithe_print(w, "%s%d", comma, i + 1);
            comma = ", ";
        }
    lithe_print(w, "]\n");
}

static void write_triangles(LitheWriter *w, const char *key, const LitheGeomDef *geom) {
    if (!geom->triangles)
        return;
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < geom->triangle_count; i++) {
        const int32_t *t = &geom->triangles[3 * (int64_t)i];
        lithe_print(w, "%*s- [%d, %d, %d]\n", 2 * w->indent + 2, "", t[0], t[1], t[2]);
    }
}

static void write_heights(LitheWriter *w, const char *key, const LitheGeomDef *geom) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < geom->rows; i++) {
        lithe_print(w, "%*s- [", 2 * w->indent + 2, "");
        for (int32_t k = 0; k < geom->columns; k++) {
            if (k > 0)
                lithe_print(w, k % ROW_WIDTH ? ", " : ",\n%*s", 2 * w->indent + 6, "");
            lithe_put_number(w, geom->heights[(int64_t)i * geom->columns + k]);
        }
        lithe_print(w, "]\n");
    }
}

static void write_outline(LitheWriter *w, const char *key, const LitheGeomDef *geom) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < geom->profile_count; i++) {
        lithe_print(w, "%*s- [", 2 * w->indent + 2, "");
        lithe_put_number(w, geom->profile_z[i]);
        lithe_print(w, ", ");
        lithe_put_number(w, geom->profile_r[i]);
        lithe_print(w, "]\n");
    }
}

// A mesh given by a file is read and written inline, as points and triangles.
static void write_geom(LitheWriter *w, const LitheTable *table, const LitheGeomDef *geom) {
    const LitheGeomDef defaults = lithe_geom_def_default();
    const LitheTable rest = {table->name, table->fields + LITHE_GEOM_KINDS,
                             table->count - LITHE_GEOM_KINDS};
    const LitheField *kind = &table->fields[geom->kind];
    LitheGeomDef own = *geom;
    if (geom->path && w->status == LITHE_OK)
        w->status = lithe_geom_file_read(w->context, geom, &own, w->error);
    lithe_print(w, "%*s- %s:%s\n", 2 * w->indent - 2, "", kind->key,
                kind->table->count ? "" : " {}");
    w->indent++;
    lithe_write_mapping(w, kind->table, &own, &defaults);
    w->indent--;
    lithe_write_mapping(w, &rest, &own, &defaults);
    if (geom->path && !own.path)
        lithe_geom_file_free(w->context, &own);
}

// Writes "- " and a mapping indented by two levels: the dash replaces the indent of the first key.
static void write_geoms(LitheWriter *w, const LitheField *field, const LitheBodyDef *body) {
    if (body->geom_count == 0)
        return;
    lithe_put_key(w, field->key);
    lithe_print(w, "\n");
    w->indent += 2;
    for (int32_t i = 0; i < body->geom_count; i++)
        write_geom(w, field->table, &body->geoms[i]);
    w->indent -= 2;
}

static void write_path(LitheWriter *w, const char *key, const LithePoseDriveDef *drive) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < drive->count; i++) {
        lithe_print(w, "%*s- {time: ", 2 * w->indent + 2, "");
        lithe_put_number(w, drive->times[i]);
        lithe_print(w, ", at: ");
        lithe_put_vector(w, drive->positions[i]);
        lithe_print(w, ", rotate: ");
        lithe_put_quat(w, drive->rotations[i]);
        lithe_print(w, "}\n");
    }
}

static void write_limits(LitheWriter *w, const char *key, const LitheJointDef *joint) {
    if (!joint->limited)
        return;
    lithe_put_key(w, key);
    lithe_print(w, " [");
    lithe_put_number(w, joint->lower);
    lithe_print(w, ", ");
    lithe_put_number(w, joint->upper);
    lithe_print(w, "]\n");
}

void lithe_write_rigid_field(LitheWriter *w, const LitheField *field, const void *base,
                             const void *defaults) {
    const void *member = (const char *)base + field->offset;
    const void *default_value = (const char *)defaults + field->offset;
    const char *key = field->key;
    switch (field->type) {
    case LITHE_FIELD_QUAT:
        write_quat(w, field, member, default_value);
        break;
    case LITHE_FIELD_SCALE:
        write_scale(w, key, *(const LitheVec3 *)member);
        break;
    case LITHE_FIELD_SIX:
        write_six(w, key, member, default_value);
        break;
    case LITHE_FIELD_COLOUR:
        write_colour(w, key, *(const LitheVec3 *)member);
        break;
    case LITHE_FIELD_BITS:
        write_bits(w, key, *(const uint32_t *)member, *(const uint32_t *)default_value);
        break;
    case LITHE_FIELD_LIMITS:
        write_limits(w, key, base);
        break;
    case LITHE_FIELD_PARENT:
    case LITHE_FIELD_BODY: {
        int32_t number = ((const LitheBodyId *)member)->number;
        if (number > 0)
            lithe_write_name(w, key, w->scene->bodies[number - 1].name);
        break;
    }
    case LITHE_FIELD_BODIES:
        write_bodies(w, key, member, MEMBER(LitheBodyId, base, field->also));
        break;
    case LITHE_FIELD_JOINT: {
        int32_t number = ((const LitheJointId *)member)->number;
        if (number > 0)
            lithe_write_name(w, key, w->scene->joints[number - 1].name);
        break;
    }
    case LITHE_FIELD_TRIANGLES:
        write_triangles(w, key, base);
        break;
    case LITHE_FIELD_HEIGHTS:
        write_heights(w, key, base);
        break;
    case LITHE_FIELD_OUTLINE:
        write_outline(w, key, base);
        break;
    case LITHE_FIELD_GEOMS:
        write_geoms(w, field, base);
        break;
    case LITHE_FIELD_ANCHOR:
        lithe_write_anchor(w, key, member);
        break;
    case LITHE_FIELD_ANCHORS:
        lithe_write_anchors(w, key, *(const LitheAnchor *const *)member,
                            *(const int32_t *)((const char *)base + field->also));
        break;
    case LITHE_FIELD_PATH:
        write_path(w, key, base);
        break;
    default:
        break;
    }
}
