// SPDX-License-Identifier: Apache-2.0
// scene/write.c - a scene as YAML, along the tables that read it
//
// Values equal to their defaults are left out, numbers have as many digits as bring back the bit.

#define _GNU_SOURCE // uselocale

#include "base/memory.h"
#include "base/status.h"
#include "geom/curve_parts.h"
#include "scene/check.h"
#include "scene/fields.h"
#include "scene/tree.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(Type, base, at) ((const Type *)((const char *)(base) + (at)))
// values a line in long lists
#define LIST_WIDTH 8

typedef struct Writer {
    const LitheScene *scene;
    LitheContext *context;
    char *text;
    size_t length, room;
    int indent;
    bool failed; // out of memory
} Writer;

static void write_mapping(Writer *w, const LitheTable *table, const void *base, const void *usual);

// --- text ----------------------------------------------------------------------------------------

static void put(Writer *w, const char *text, size_t length) {
    if (w->failed)
        return;
    if (w->length + length + 1 > w->room) {
        size_t room = 2 * w->room + length + 256;
        char *more = lithe_alloc(w->context, room);
        if (!more) {
            w->failed = true;
            return;
        }
        if (w->text)
            memcpy(more, w->text, w->length);
        lithe_free(w->context, w->text);
        w->text = more;
        w->room = room;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

static void print(Writer *w, const char *format, ...) LITHE_PRINTF(2, 3);

// for short pieces
static void print(Writer *w, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(w, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void put_key(Writer *w, const char *key) {
    print(w, "%*s%s:", 2 * w->indent, "", key);
}

// The fewest digits that read back as the same double.
static void put_number(Writer *w, double value) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put(w, text, strlen(text));
}

static void put_vector(Writer *w, LitheVec3 v) {
    put(w, "[", 1);
    put_number(w, v.x);
    put(w, ", ", 2);
    put_number(w, v.y);
    put(w, ", ", 2);
    put_number(w, v.z);
    put(w, "]", 1);
}

// One code point of checked UTF-8; its length in `length`.
static uint32_t code_point(const unsigned char *s, size_t *length) {
    *length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t c = *length == 1 ? s[0] : s[0] & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        c = c << 6 | (s[i] & 0x3fu);
    return c;
}

static void put_quoted(Writer *w, const char *text) {
    put(w, "\"", 1);
    for (size_t n; *text; text += n) {
        uint32_t c = code_point((const unsigned char *)text, &n);
        // what YAML may not carry as it is: controls, line separators, the byte order mark
        bool plain = (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') || (c >= 0xa1 && c < 0x2000);
        if (plain)
            put(w, text, n);
        else
            print(w, "\\U%08X", c);
    }
    put(w, "\"", 1);
}

// --- fields --------------------------------------------------------------------------------------

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_vector(LitheVec3 a, LitheVec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void write_list(Writer *w, const char *key, const double *values, int32_t count) {
    put_key(w, key);
    print(w, " [");
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            print(w, i % LIST_WIDTH ? ", " : ",\n%*s", 2 * w->indent + 2, "");
        put_number(w, values[i]);
    }
    print(w, "]\n");
}

static void write_points(Writer *w, const char *key, const LitheVec3 *points, int32_t count) {
    put_key(w, key);
    print(w, "\n");
    for (int32_t i = 0; i < count; i++) {
        print(w, "%*s- ", 2 * w->indent + 2, "");
        put_vector(w, points[i]);
        print(w, "\n");
    }
}

static void write_samples(Writer *w, const char *key, const LitheProfileDef *profile) {
    put_key(w, key);
    print(w, "\n");
    for (int32_t i = 0; i < profile->count; i++) {
        print(w, "%*s- [", 2 * w->indent + 2, "");
        put_number(w, profile->times[i]);
        print(w, ", ");
        put_number(w, profile->values[i]);
        print(w, "]\n");
    }
}

static void write_texts(Writer *w, const char *key, const char *const *texts, int32_t count) {
    put_key(w, key);
    print(w, "\n");
    for (int32_t i = 0; i < count; i++) {
        print(w, "%*s- ", 2 * w->indent + 2, "");
        put_quoted(w, texts[i]);
        print(w, "\n");
    }
}

static void write_place(Writer *w, const char *key, const LithePlace *place) {
    put_key(w, key);
    print(w, " %s", w->scene->rods[place->rod.number - 1].name);
    if (place->kind == LITHE_PLACE_FRACTION) {
        print(w, ".at(");
        put_number(w, place->fraction);
        print(w, ")\n");
    } else if (place->node == 0 || place->node == -1) {
        print(w, place->node ? ".end\n" : ".start\n");
    } else {
        print(w, "[%d]\n", place->node);
    }
}

// A mapping below `key`; nothing at all when nothing in it differs from the usual.
static void write_below(Writer *w, const char *key, const LitheTable *table, const void *base,
                        const void *usual) {
    size_t before = w->length;
    put_key(w, key);
    print(w, "\n");
    size_t empty = w->length;
    w->indent++;
    write_mapping(w, table, base, usual);
    w->indent--;
    if (w->length == empty && !w->failed) {
        w->length = before;
        w->text[before] = '\0';
    }
}

static void write_profile(Writer *w, const LitheField *field, const LitheProfileDef *profile,
                          const LitheProfileDef *usual) {
    LitheProfileDef constant = lithe_profile_def_default();
    constant.value = profile->value;
    bool is_constant = profile->count == 0 && same_bits(profile->rate, 0) &&
                       same_bits(profile->amplitude, 0) && same_bits(profile->frequency, 0) &&
                       same_bits(profile->phase, 0) && profile->kind == constant.kind;
    if (!is_constant) {
        LitheProfileDef zero = lithe_profile_def_default();
        size_t before = w->length;
        write_below(w, field->key, field->table, profile, &zero);
        if (w->length != before)
            return;
    }
    if (is_constant && same_bits(profile->value, usual->value))
        return;
    put_key(w, field->key);
    print(w, " ");
    put_number(w, profile->count > 0 ? 0 : profile->value);
    print(w, "\n");
}

static void write_one_of(Writer *w, const LitheField *field, const void *base, const void *usual) {
    // `kind` is the first member of both sections and shapes
    const LitheField *kind = &field->table->fields[*MEMBER(int, base, 0)];
    put_key(w, field->key);
    print(w, "\n");
    w->indent++;
    put_key(w, kind->key);
    print(w, "\n");
    w->indent++;
    write_mapping(w, kind->table, base, usual);
    w->indent -= 2;
}

static void write_hold(Writer *w, const char *key, uint32_t bits) {
    put_key(w, key);
    const char *comma = " [";
    for (int i = 0; lithe_hold_words[i]; i++) {
        uint32_t word = lithe_hold_word_bits[i];
        if ((bits & word) != word)
            continue;
        print(w, "%s%s", comma, lithe_hold_words[i]);
        comma = ", ";
        bits &= ~word;
    }
    print(w, "]\n");
}

static void write_drag(Writer *w, const LitheField *field, const void *base, const void *usual) {
    double normal = *MEMBER(double, base, field->offset);
    if (!same_bits(normal, *MEMBER(double, base, field->also))) {
        write_below(w, field->key, field->table, base, usual);
    } else if (!same_bits(normal, 0)) {
        put_key(w, field->key);
        print(w, " ");
        put_number(w, normal);
        print(w, "\n");
    }
}

// Single values; true when the type was one of them.
static bool write_simple(Writer *w, const LitheField *field, const void *base, const void *usual) {
    const void *member = (const char *)base + field->offset;
    const void *old = (const char *)usual + field->offset;
    bool always = (field->flags & LITHE_FIELD_REQUIRED) != 0;
    switch (field->type) {
    case LITHE_FIELD_QUANTITY:
        if (!always && same_bits(*(const double *)member, *(const double *)old))
            return true;
        put_key(w, field->key);
        print(w, " ");
        put_number(w, *(const double *)member);
        break;
    case LITHE_FIELD_WHOLE:
        put_key(w, field->key);
        print(w, " %d", *(const int32_t *)member);
        break;
    case LITHE_FIELD_FLAG:
        if (*(const bool *)member == *(const bool *)old)
            return true;
        put_key(w, field->key);
        print(w, *(const bool *)member ? " true" : " false");
        break;
    case LITHE_FIELD_WORD:
        if (*(const int *)member == *(const int *)old)
            return true;
        put_key(w, field->key);
        print(w, " %s", field->words[*(const int *)member]);
        break;
    case LITHE_FIELD_VECTOR:
    case LITHE_FIELD_ROTATE:
        if (!always && same_vector(*(const LitheVec3 *)member, *(const LitheVec3 *)old))
            return true;
        put_key(w, field->key);
        print(w, " ");
        put_vector(w, *(const LitheVec3 *)member);
        break;
    case LITHE_FIELD_PAIR:
        if (same_bits(*(const double *)member, *(const double *)old) &&
            same_bits(*MEMBER(double, base, field->also), *MEMBER(double, usual, field->also)))
            return true;
        put_key(w, field->key);
        print(w, " [");
        put_number(w, *(const double *)member);
        print(w, ", ");
        put_number(w, *MEMBER(double, base, field->also));
        print(w, "]");
        break;
    default:
        return false;
    }
    print(w, "\n");
    return true;
}

static void write_direction(Writer *w, const LitheField *field, const void *base) {
    LitheVec3 direction = *MEMBER(LitheVec3, base, field->offset);
    bool outward = *MEMBER(bool, base, field->also);
    if (!outward && same_vector(direction, (LitheVec3){0}))
        return;
    put_key(w, field->key);
    print(w, " ");
    if (outward)
        print(w, "outward");
    else
        put_vector(w, direction);
    print(w, "\n");
}

static void write_clamped(Writer *w, const LitheField *field, const void *base) {
    int ends = *MEMBER(bool, base, field->offset) + 2 * *MEMBER(bool, base, field->also);
    if (ends == 0)
        return;
    put_key(w, field->key);
    print(w, " %s\n", lithe_clamped_words[ends]);
}

static void write_name(Writer *w, const char *key, const char *name) {
    put_key(w, key);
    print(w, " %s\n", name);
}

static void write_field(Writer *w, const LitheField *field, const void *base, const void *usual) {
    const void *member = (const char *)base + field->offset;
    const void *old = (const char *)usual + field->offset;
    const LitheScene *scene = w->scene;
    if ((field->flags & LITHE_FIELD_SHORTHAND) || write_simple(w, field, base, usual))
        return;
    switch (field->type) {
    case LITHE_FIELD_LIST:
        if (*(const double *const *)member)
            write_list(w, field->key, *(const double *const *)member,
                       *MEMBER(int32_t, base, field->also));
        break;
    case LITHE_FIELD_POINTS:
        write_points(w, field->key, *(const LitheVec3 *const *)member,
                     *MEMBER(int32_t, base, field->also));
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
        write_below(w, field->key, field->table, member, old);
        break;
    case LITHE_FIELD_ONE_OF:
        write_one_of(w, field, member, old);
        break;
    case LITHE_FIELD_PROFILE:
        write_profile(w, field, member, old);
        break;
    case LITHE_FIELD_DRAG:
        write_drag(w, field, base, usual);
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
            write_name(w, field->key,
                       scene->materials[((const LitheMaterialId *)member)->number - 1].name);
        break;
    case LITHE_FIELD_ROD:
        write_name(w, field->key, scene->rods[((const LitheRodId *)member)->number - 1].name);
        break;
    default:
        break;
    }
}

static void write_mapping(Writer *w, const LitheTable *table, const void *base, const void *usual) {
    for (int32_t i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        // the constant of a profile counts only without a table
        if (field->wanted == LITHE_WANT_VALUE && strcmp(field->key, "value") == 0 &&
            ((const LitheProfileDef *)base)->count > 0)
            continue;
        write_field(w, field, base, usual);
    }
}

// --- the scene -----------------------------------------------------------------------------------

static void write_object(Writer *w, const char *name, const LitheTable *table, const void *base,
                         const void *usual) {
    w->indent = 1;
    put_key(w, name);
    print(w, "\n");
    w->indent = 2;
    write_mapping(w, table, base, usual);
    w->indent = 0;
}

static const LitheTable *section_of(Writer *w, const char *key, int32_t count) {
    if (count > 0)
        print(w, "%s:\n", key);
    return lithe_field_find(&lithe_scene_table, key)->table;
}

// A rod whose points lie in a file gets them written out.
static LitheStatus write_rod(Writer *w, const LitheTable *table, const LitheRodDef *rod,
                             LitheError *error) {
    LitheRodDef own = *rod, usual = lithe_rod_def_default();
    LitheVec3 *points = NULL;
    usual.section = (LitheSectionDef){0};
    if (own.shape.kind == LITHE_SHAPE_FILE) {
        LitheStatus status =
            lithe_curve_read(w->context, own.shape.path, &points, &own.shape.point_count, error);
        if (status != LITHE_OK)
            return status;
        own.shape.kind = LITHE_SHAPE_POLYLINE;
        own.shape.points = points;
    }
    write_object(w, own.name, table, &own, &usual);
    lithe_free(w->context, points);
    return LITHE_OK;
}

static void write_head(Writer *w) {
    const LitheScene *scene = w->scene;
    print(w, "lithe: 1\n");
    if (scene->title) {
        print(w, "title: ");
        put_quoted(w, scene->title);
        print(w, "\n");
    }
    // time and gravity are always said in full
    LitheTimeDef no_time = {.scheme = (LitheScheme)-1, .start = (LitheStart)-1};
    print(w, "time:\n");
    w->indent = 1;
    write_mapping(w, section_of(w, "time", 0), &scene->time, &no_time);
    w->indent = 0;
    print(w, "gravity: ");
    put_vector(w, scene->gravity);
    print(w, "\n");
    LitheRecordDef no_record = {.every = -1};
    print(w, "record:\n");
    w->indent = 1;
    write_mapping(w, section_of(w, "record", 0), &scene->record, &no_record);
    w->indent = 0;
}

static void write_tail(Writer *w) {
    const LitheScene *s = w->scene;
    const LitheHoldDef hold = lithe_hold_def_default();
    const LitheDriveDef drive = lithe_drive_def_default();
    const LitheForceDef force = lithe_force_def_default();
    const LitheNaturalDriveDef natural = lithe_natural_drive_def_default();
    const LitheTable *table = section_of(w, "holds", s->hold_count);
    for (int32_t i = 0; i < s->hold_count; i++)
        write_object(w, s->holds[i].name, table, &s->holds[i], &hold);
    table = section_of(w, "drives", s->drive_count);
    for (int32_t i = 0; i < s->drive_count; i++)
        write_object(w, s->drives[i].name, table, &s->drives[i], &drive);
    table = section_of(w, "forces", s->force_count);
    for (int32_t i = 0; i < s->force_count; i++)
        write_object(w, s->forces[i].name, table, &s->forces[i], &force);
    table = section_of(w, "natural-drives", s->natural_drive_count);
    for (int32_t i = 0; i < s->natural_drive_count; i++)
        write_object(w, s->natural_drives[i].name, table, &s->natural_drives[i], &natural);
}

LitheStatus lithe_scene_write(const LitheScene *scene, char **text, LitheError *error) {
    LitheStatus status = lithe_scene_check_values(scene, false, error);
    if (status != LITHE_OK)
        return status;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return lithe_fail_memory(error, "a locale");
    locale_t before = uselocale(plain);
    Writer w = {.scene = scene, .context = scene->context};
    LitheMaterialDef material = lithe_material_def_default();
    write_head(&w);
    const LitheTable *table = section_of(&w, "materials", scene->material_count);
    for (int32_t i = 0; i < scene->material_count; i++)
        write_object(&w, scene->materials[i].name, table, &scene->materials[i], &material);
    table = section_of(&w, "rods", scene->rod_count);
    for (int32_t i = 0; i < scene->rod_count && status == LITHE_OK; i++)
        status = write_rod(&w, table, &scene->rods[i], error);
    write_tail(&w);
    uselocale(before);
    freelocale(plain);
    if (status == LITHE_OK && w.failed)
        status = lithe_fail_memory(error, "the text of a scene");
    if (status == LITHE_OK && w.length > LITHE_TREE_MOST_BYTES)
        status = lithe_fail(error, LITHE_NOT_SUPPORTED,
                            "the scene's text has %zu bytes, of which %zu could be read again",
                            w.length, LITHE_TREE_MOST_BYTES);
    if (status != LITHE_OK)
        lithe_free(scene->context, w.text);
    else
        *text = w.text;
    return status;
}

void lithe_text_free(LitheContext *context, char *text) {
    lithe_free(context, text);
}
