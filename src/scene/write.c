// SPDX-License-Identifier: Apache-2.0
// scene/write.c - writes a scene as YAML, according to the tables for reading
//
// Values equal to their defaults are omitted. Numbers have enough digits to read back the same
// bits.

#define _GNU_SOURCE // uselocale

#include "scene/entries.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/curve_parts.h"
#include "scene/tree.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(Type, base, at) ((const Type *)((const char *)(base) + (at)))
// values per line in long lists
#define LIST_WIDTH 8

// --- fields --------------------------------------------------------------------------------------

static bool same_vector(LitheVec3 a, LitheVec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void write_list(LitheWriter *w, const char *key, const double *values, int32_t count) {
    lithe_put_key(w, key);
    lithe_print(w, " [");
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            lithe_print(w, i % LIST_WIDTH ? ", " : ",\n%*s", 2 * w->indent + 2, "");
        lithe_put_number(w, values[i]);
    }
    lithe_print(w, "]\n");
}

static void write_indices(LitheWriter *w, const char *key, const int32_t *values, int32_t count) {
    lithe_put_key(w, key);
    lithe_print(w, " [");
    for (int32_t i = 0; i < count; i++)
        lithe_print(w, "%s%d", i ? ", " : "", values[i]);
    lithe_print(w, "]\n");
}

static void write_points(LitheWriter *w, const char *key, const LitheVec3 *points, int32_t count) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < count; i++) {
        lithe_print(w, "%*s- ", 2 * w->indent + 2, "");
        lithe_put_vector(w, points[i]);
        lithe_print(w, "\n");
    }
}

static void write_pieces(LitheWriter *w, const LitheField *field, const LitheShapeDef *shape) {
    lithe_put_key(w, field->key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < shape->piece_count; i++) {
        const char *comma = "";
        lithe_print(w, "%*s- {", 2 * w->indent + 2, "");
        for (int32_t k = 0; k < field->table->count; k++) {
            const LitheField *part = &field->table->fields[k];
            double value = *MEMBER(double, &shape->pieces[i], part->offset);
            if (lithe_same_bits(value, 0))
                continue;
            lithe_print(w, "%s%s: ", comma, part->key);
            lithe_put_number(w, value);
            comma = ", ";
        }
        lithe_print(w, "}\n");
    }
}

static void write_samples(LitheWriter *w, const char *key, const LitheProfileDef *profile) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < profile->count; i++) {
        lithe_print(w, "%*s- [", 2 * w->indent + 2, "");
        lithe_put_number(w, profile->times[i]);
        lithe_print(w, ", ");
        lithe_put_number(w, profile->values[i]);
        lithe_print(w, "]\n");
    }
}

static void write_texts(LitheWriter *w, const char *key, const char *const *texts, int32_t count) {
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    for (int32_t i = 0; i < count; i++) {
        lithe_print(w, "%*s- ", 2 * w->indent + 2, "");
        lithe_put_quoted(w, texts[i]);
        lithe_print(w, "\n");
    }
}

void lithe_put_place(LitheWriter *w, const LithePlace *place) {
    if (place->kind == LITHE_PLACE_SET) {
        lithe_print(w, "%s", w->scene->sets[place->set.number - 1].name);
        return;
    }
    lithe_print(w, "%s", lithe_thing_def_name(w->scene, place->thing));
    if (place->kind == LITHE_PLACE_GROUP) {
        lithe_print(w, place->group[0] ? ".%s" : "%s", place->group);
    } else if (place->thing.kind == LITHE_THING_BODY || place->kind == LITHE_PLACE_INSIDE ||
               place->kind == LITHE_PLACE_MEETING) {
        return;
    } else if (place->thing.kind != LITHE_THING_ROD) {
        lithe_print(w, "[%d]", place->node);
    } else if (place->kind == LITHE_PLACE_FRACTION) {
        lithe_print(w, ".at(");
        lithe_put_number(w, place->fraction);
        lithe_print(w, ")");
    } else if (place->node == 0 || place->node == -1) {
        lithe_print(w, place->node ? ".end" : ".start");
    } else {
        lithe_print(w, "[%d]", place->node);
    }
}

static void write_place(LitheWriter *w, const char *key, const LithePlace *place) {
    lithe_put_key(w, key);
    lithe_print(w, " ");
    lithe_put_place(w, place);
    lithe_print(w, "\n");
}

// Writes a mapping below `key`; nothing when all its values are defaults.
static void write_below(LitheWriter *w, const char *key, const LitheTable *table, const void *base,
                        const void *defaults) {
    size_t before = w->length;
    lithe_put_key(w, key);
    lithe_print(w, "\n");
    size_t empty = w->length;
    w->indent++;
    lithe_write_mapping(w, table, base, defaults);
    w->indent--;
    if (w->length == empty && !w->failed) {
        w->length = before;
        w->text[before] = '\0';
    }
}

static void write_profile(LitheWriter *w, const LitheField *field, const LitheProfileDef *profile,
                          const LitheProfileDef *defaults) {
    LitheProfileDef constant = lithe_profile_def_default();
    constant.value = profile->value;
    bool is_constant = profile->count == 0 && lithe_same_bits(profile->rate, 0) &&
                       lithe_same_bits(profile->amplitude, 0) &&
                       lithe_same_bits(profile->frequency, 0) &&
                       lithe_same_bits(profile->phase, 0) && profile->kind == constant.kind;
    if (!is_constant) {
        LitheProfileDef zero = lithe_profile_def_default();
        size_t before = w->length;
        write_below(w, field->key, field->table, profile, &zero);
        if (w->length != before)
            return;
    }
    if (is_constant && lithe_same_bits(profile->value, defaults->value))
        return;
    lithe_put_key(w, field->key);
    lithe_print(w, " ");
    lithe_put_number(w, profile->count > 0 ? 0 : profile->value);
    lithe_print(w, "\n");
}

static void write_one_of(LitheWriter *w, const LitheField *field, const void *base,
                         const void *defaults) {
    // `kind` is the first member of both sections and shapes
    const LitheField *kind = &field->table->fields[*MEMBER(int, base, 0)];
    lithe_put_key(w, field->key);
    lithe_print(w, "\n");
    w->indent++;
    lithe_put_key(w, kind->key);
    lithe_print(w, "\n");
    w->indent++;
    lithe_write_mapping(w, kind->table, base, defaults);
    w->indent -= 2;
}

static void write_hold(LitheWriter *w, const char *key, uint32_t bits) {
    lithe_put_key(w, key);
    const char *comma = " [";
    for (int i = 0; lithe_hold_words[i]; i++) {
        uint32_t word = lithe_hold_word_bits[i];
        if ((bits & word) != word)
            continue;
        lithe_print(w, "%s%s", comma, lithe_hold_words[i]);
        comma = ", ";
        bits &= ~word;
    }
    lithe_print(w, "]\n");
}

static void write_drag(LitheWriter *w, const LitheField *field, const void *base,
                       const void *defaults) {
    double normal = *MEMBER(double, base, field->offset);
    if (!lithe_same_bits(normal, *MEMBER(double, base, field->also))) {
        write_below(w, field->key, field->table, base, defaults);
    } else if (!lithe_same_bits(normal, 0)) {
        lithe_put_key(w, field->key);
        lithe_print(w, " ");
        lithe_put_number(w, normal);
        lithe_print(w, "\n");
    }
}

static void write_step(LitheWriter *w, const LitheField *field, const void *base,
                       const void *defaults) {
    if (*MEMBER(double, base, field->also) > 0) {
        write_below(w, field->key, field->table, base, defaults);
        return;
    }
    lithe_put_key(w, field->key);
    lithe_print(w, " ");
    lithe_put_number(w, *MEMBER(double, base, field->offset));
    lithe_print(w, "\n");
}

// Writes a single value; false when the type is another one.
static bool write_simple(LitheWriter *w, const LitheField *field, const void *base,
                         const void *defaults) {
    const void *member = (const char *)base + field->offset;
    const void *default_value = (const char *)defaults + field->offset;
    bool always = (field->flags & (LITHE_FIELD_REQUIRED | LITHE_FIELD_ALWAYS)) != 0;
    switch (field->type) {
    case LITHE_FIELD_QUANTITY:
        if (!always && lithe_same_bits(*(const double *)member, *(const double *)default_value))
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, " ");
        lithe_put_number(w, *(const double *)member);
        break;
    case LITHE_FIELD_INTEGER:
        lithe_put_key(w, field->key);
        lithe_print(w, " %d", *(const int32_t *)member);
        break;
    case LITHE_FIELD_FLAG:
        if (*(const bool *)member == *(const bool *)default_value)
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, *(const bool *)member ? " true" : " false");
        break;
    case LITHE_FIELD_WORD:
        if (!always && *(const int *)member == *(const int *)default_value)
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, " %s", field->words[*(const int *)member]);
        break;
    case LITHE_FIELD_TEXT:
        if (!*(const char *const *)member)
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, " ");
        lithe_put_quoted(w, *(const char *const *)member);
        break;
    case LITHE_FIELD_VECTOR:
    case LITHE_FIELD_ROTATE:
        if (!always && same_vector(*(const LitheVec3 *)member, *(const LitheVec3 *)default_value))
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, " ");
        lithe_put_vector(w, *(const LitheVec3 *)member);
        break;
    case LITHE_FIELD_PAIR:
        if (!always && lithe_same_bits(*(const double *)member, *(const double *)default_value) &&
            lithe_same_bits(*MEMBER(double, base, field->also),
                            *MEMBER(double, defaults, field->also)))
            return true;
        lithe_put_key(w, field->key);
        lithe_print(w, " [");
        lithe_put_number(w, *(const double *)member);
        lithe_print(w, ", ");
        lithe_put_number(w, *MEMBER(double, base, field->also));
        lithe_print(w, "]");
        break;
    default:
        return false;
    }
    lithe_print(w, "\n");
    return true;
}

static void write_direction(LitheWriter *w, const LitheField *field, const void *base) {
    LitheVec3 direction = *MEMBER(LitheVec3, base, field->offset);
    bool outward = *MEMBER(bool, base, field->also);
    if (!outward && same_vector(direction, (LitheVec3){0}))
        return;
    lithe_put_key(w, field->key);
    lithe_print(w, " ");
    if (outward)
        lithe_print(w, "outward");
    else
        lithe_put_vector(w, direction);
    lithe_print(w, "\n");
}

static void write_clamped(LitheWriter *w, const LitheField *field, const void *base) {
    int ends = *MEMBER(bool, base, field->offset) + 2 * *MEMBER(bool, base, field->also);
    if (ends == 0)
        return;
    lithe_put_key(w, field->key);
    lithe_print(w, " %s\n", lithe_clamped_words[ends]);
}

void lithe_write_name(LitheWriter *w, const char *key, const char *name) {
    lithe_put_key(w, key);
    lithe_print(w, " %s\n", name);
}

static void write_field(LitheWriter *w, const LitheField *field, const void *base,
                        const void *defaults) {
    const void *member = (const char *)base + field->offset;
    const void *default_value = (const char *)defaults + field->offset;
    const LitheScene *scene = w->scene;
    if ((field->flags & LITHE_FIELD_SHORTHAND) || write_simple(w, field, base, defaults))
        return;
    switch (field->type) {
    case LITHE_FIELD_LIST:
        if (*(const double *const *)member)
            write_list(w, field->key, *(const double *const *)member,
                       *MEMBER(int32_t, base, field->also));
        break;
    case LITHE_FIELD_POINTS:
        if (*(const LitheVec3 *const *)member)
            write_points(w, field->key, *(const LitheVec3 *const *)member,
                         *MEMBER(int32_t, base, field->also));
        break;
    case LITHE_FIELD_INDICES:
        if (*(const int32_t *const *)member)
            write_indices(w, field->key, *(const int32_t *const *)member,
                          *MEMBER(int32_t, base, field->also));
        break;
    case LITHE_FIELD_THING: {
        lithe_write_name(w, field->key, lithe_thing_def_name(scene, *(const LitheThing *)member));
        break;
    }
    case LITHE_FIELD_PIECES:
        if (((const LitheShapeDef *)base)->pieces)
            write_pieces(w, field, base);
        break;
    case LITHE_FIELD_SAMPLES:
        if (((const LitheProfileDef *)base)->count > 0)
            write_samples(w, field->key, base);
        break;
    case LITHE_FIELD_TEXTS:
        if (*MEMBER(int32_t, base, field->also) > 0)
            write_texts(w, field->key, *(const char *const *const *)member,
                        *MEMBER(int32_t, base, field->also));
        break;
    case LITHE_FIELD_MAPPING:
        write_below(w, field->key, field->table, member, default_value);
        break;
    case LITHE_FIELD_ONE_OF:
        write_one_of(w, field, member, default_value);
        break;
    case LITHE_FIELD_PROFILE:
        write_profile(w, field, member, default_value);
        break;
    case LITHE_FIELD_STEP:
        write_step(w, field, base, defaults);
        break;
    case LITHE_FIELD_DRAG:
        write_drag(w, field, base, defaults);
        break;
    case LITHE_FIELD_PLACE:
        write_place(w, field->key, member);
        break;
    case LITHE_FIELD_HOLD:
        write_hold(w, field->key, *(const uint32_t *)member);
        break;
    case LITHE_FIELD_CLAMPED:
        write_clamped(w, field, base);
        break;
    case LITHE_FIELD_DIRECTION:
        write_direction(w, field, base);
        break;
    case LITHE_FIELD_MATERIAL:
        if (((const LitheMaterialId *)member)->number)
            lithe_write_name(w, field->key,
                             scene->materials[((const LitheMaterialId *)member)->number - 1].name);
        break;
    case LITHE_FIELD_ROD:
        lithe_write_name(w, field->key, scene->rods[((const LitheRodId *)member)->number - 1].name);
        break;
    default:
        lithe_write_rigid_field(w, field, base, defaults);
        break;
    }
}

void lithe_write_mapping(LitheWriter *w, const LitheTable *table, const void *base,
                         const void *defaults) {
    for (int32_t i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        // the constant of a profile counts only without a table
        if (field->wanted == LITHE_WANT_VALUE && strcmp(field->key, "value") == 0 &&
            ((const LitheProfileDef *)base)->count > 0)
            continue;
        write_field(w, field, base, defaults);
    }
}

// --- the scene -----------------------------------------------------------------------------------

void lithe_write_object(LitheWriter *w, const char *name, const LitheTable *table, const void *base,
                        const void *defaults) {
    w->indent = 1;
    lithe_put_key(w, name);
    size_t empty = w->length;
    lithe_print(w, "\n");
    w->indent = 2;
    lithe_write_mapping(w, table, base, defaults);
    w->indent = 0;
    if (w->length == empty + 1 && !w->failed) {
        w->length = empty;
        lithe_print(w, " {}\n");
    }
}

const LitheTable *lithe_write_section(LitheWriter *w, const char *key, int32_t count) {
    if (count > 0)
        lithe_print(w, "%s:\n", key);
    return lithe_field_find(&lithe_scene_table, key)->table;
}

// The points of a rod that are in a file are written out.
void lithe_write_rod(LitheWriter *w, const LitheTable *table, void *entry, const void *defaults) {
    LitheRodDef *own = entry;
    LitheVec3 *points = NULL;
    if (own->shape.kind == LITHE_SHAPE_FILE) {
        if (w->status == LITHE_OK)
            w->status = lithe_curve_read(w->context, own->shape.path, &points,
                                         &own->shape.point_count, w->error);
        if (w->status != LITHE_OK)
            return;
        own->shape.kind = LITHE_SHAPE_POLYLINE;
        own->shape.points = points;
    }
    lithe_write_object(w, own->name, table, own, defaults);
    lithe_free(w->context, points);
}

static void write_head(LitheWriter *w) {
    const LitheScene *scene = w->scene;
    lithe_print(w, "lithe: 1\n");
    if (scene->title) {
        lithe_print(w, "title: ");
        lithe_put_quoted(w, scene->title);
        lithe_print(w, "\n");
    }
    if (scene->allow_unusual)
        lithe_print(w, "allow-unusual: true\n");
    // time and gravity are always written in full
    LitheTimeDef no_time = {.scheme = (LitheScheme)-1, .start = (LitheStart)-1};
    lithe_print(w, "time:\n");
    w->indent = 1;
    lithe_write_mapping(w, lithe_write_section(w, "time", 0), &scene->time, &no_time);
    w->indent = 0;
    lithe_print(w, "gravity: ");
    lithe_put_vector(w, scene->gravity);
    lithe_print(w, "\n");
    lithe_write_contact(w);
    LitheRecordDef no_record = {.every = -1};
    lithe_print(w, "record:\n");
    w->indent = 1;
    lithe_write_mapping(w, lithe_write_section(w, "record", 0), &scene->record, &no_record);
    w->indent = 0;
}

static void write_ignored(LitheWriter *w) {
    const LitheScene *s = w->scene;
    lithe_write_section(w, "ignore", s->ignored_pair_count);
    for (int32_t i = 0; i < s->ignored_pair_count; i++)
        lithe_print(w, "  - [%s, %s]\n", s->ignored_pairs[i].a, s->ignored_pairs[i].b);
}

static void write_objects(LitheWriter *w, LitheObjectKind kind) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    const LitheEntries *file = &lithe_scene_entries[kind];
    int32_t count = lithe_object_count(w->scene, kind);
    const LitheTable *table = lithe_write_section(w, row->section, count);
    char *own = count > 0 ? lithe_alloc_array(w->context, 2, file->size) : NULL;
    if (!own) {
        w->failed = w->failed || count > 0;
        return;
    }
    void *defaults = own + file->size;
    file->fill_defaults(defaults);
    for (int32_t i = 0; i < count; i++) {
        memcpy(own, lithe_object(w->scene, kind, i), row->size);
        if (file->write)
            file->write(w, table, own, defaults);
        else
            lithe_write_object(w, *(const char **)own, table, own, defaults);
    }
    lithe_free(w->context, own);
}

LitheStatus lithe_scene_write(const LitheScene *scene, char **text, LitheError *error) {
    LitheStatus status = lithe_scene_check_values(scene, false, error);
    if (status != LITHE_OK)
        return status;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return lithe_fail_memory(error, "a locale");
    locale_t before = uselocale(plain);
    LitheWriter w = {.scene = scene, .context = scene->context, .error = error};
    write_head(&w);
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        if (k == LITHE_OBJECT_CONSTRAINT)
            write_ignored(&w);
        write_objects(&w, (LitheObjectKind)k);
    }
    lithe_write_plan(&w);
    status = w.status;
    uselocale(before);
    freelocale(plain);
    if (status == LITHE_OK && w.failed)
        status = lithe_fail_memory(error, "the text of a scene");
    if (status == LITHE_OK && w.length > LITHE_TREE_MAX_BYTES)
        status = lithe_fail(error, LITHE_NOT_SUPPORTED,
                            "the scene's text has %zu bytes, of which %zu could be read again",
                            w.length, LITHE_TREE_MAX_BYTES);
    if (status != LITHE_OK)
        lithe_free(scene->context, w.text);
    else
        *text = w.text;
    return status;
}

void lithe_text_free(LitheContext *context, char *text) {
    lithe_free(context, text);
}
