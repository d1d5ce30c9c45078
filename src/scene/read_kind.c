// SPDX-License-Identifier: Apache-2.0
// scene/read_kind.c - fields with special forms: places, profiles, lists, rotations, ...

#include "base/memory.h"
#include "base/suggest.h"
#include "lithe/library.h"
#include "math/vec3.h"
#include "scene/check.h"
#include "scene/entries.h"
#include "scene/read.h"

#include <stdio.h>
#include <string.h>

// typed access to the member of a field
#define MEMBER(Type, base, at) ((Type *)((char *)(base) + (at)))

// --- lists ---------------------------------------------------------------------------------------

static bool read_list(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      void *base) {
    int32_t *count = MEMBER(int32_t, base, field->also), own = node->count;
    double *values = NULL;
    if (node->kind == LITHE_TREE_MAPPING) {
        if (!lithe_read_series(reader, node, field->wanted, &own, &values))
            return false;
    } else if (node->kind != LITHE_TREE_SEQUENCE) {
        return lithe_read_fail(reader, node, "a list is expected");
    }
    if (*count != 0 && *count != own)
        return lithe_read_fail(reader, node, "has %d values, another list of the same kind has %d",
                               own, *count);
    if (own == 0)
        return lithe_read_fail(reader, node, "is an empty list");
    if (!values) {
        values = lithe_read_push(reader, own, sizeof *values);
        if (!values || !lithe_read_numbers(reader, node, field->wanted, own, values))
            return false;
    }
    *MEMBER(const double *, base, field->offset) = values;
    *count = own;
    return true;
}

static bool read_points(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                        void *base) {
    LitheVec3 *points = lithe_read_items(reader, node, "a list of points", sizeof *points);
    if (!points)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (!lithe_read_vector(reader, child, field->wanted, &points[i++]))
            return false;
    *MEMBER(const LitheVec3 *, base, field->offset) = points;
    *MEMBER(int32_t, base, field->also) = node->count;
    return true;
}

static bool read_pieces(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                        LitheShapeDef *shape) {
    LithePathPiece *pieces = lithe_read_items(reader, node, "a list of pieces", sizeof *pieces);
    if (!pieces)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, i++)
        if (!lithe_read_item(reader, field->table, child, i, &pieces[i]))
            return false;
    shape->pieces = pieces;
    shape->piece_count = node->count;
    return true;
}

static bool read_samples(LitheReader *reader, const LitheTreeNode *node, LitheProfileDef *profile) {
    if (node->kind != LITHE_TREE_SEQUENCE || node->count == 0)
        return lithe_read_fail(reader, node, "a list of [time, value] is expected");
    double *times = lithe_read_push(reader, node->count, sizeof *times);
    double *values = lithe_read_push(reader, node->count, sizeof *values);
    if (!times || !values)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *pair = node->first; pair; pair = pair->next, i++) {
        if (pair->kind != LITHE_TREE_SEQUENCE || pair->count != 2)
            return lithe_read_fail(reader, pair, "a pair [time, value] is expected");
        if (!lithe_read_quantity(reader, pair->first, LITHE_WANT_TIME, &times[i]) ||
            !lithe_read_quantity(reader, pair->last, LITHE_WANT_VALUE, &values[i]))
            return false;
    }
    profile->times = times;
    profile->values = values;
    profile->count = node->count;
    return true;
}

static bool read_texts(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base) {
    const char **texts = lithe_read_items(reader, node, "a list", sizeof *texts);
    if (!texts)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        if (!lithe_read_scalar(reader, child, "a text"))
            return false;
        texts[i++] = child->text;
    }
    *MEMBER(const char *const *, base, field->offset) = texts;
    *MEMBER(int32_t, base, field->also) = node->count;
    return true;
}

static bool read_indices(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                         void *base) {
    int32_t *values = lithe_read_items(reader, node, "a list of whole numbers", sizeof *values);
    if (!values)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (!lithe_read_scalar(reader, child, "a whole number") ||
            !lithe_read_integer(reader, child, child->text, &values[i++]))
            return false;
    *MEMBER(const int32_t *, base, field->offset) = values;
    *MEMBER(int32_t, base, field->also) = node->count;
    return true;
}

// --- places --------------------------------------------------------------------------------------

// the nearest name of a body or a set; NULL: none is similar
static const char *name_meant(const LitheReader *reader, const char *text) {
    static const LitheObjectKind kinds[] = {LITHE_OBJECT_BODY, LITHE_OBJECT_SET};
    const char *best[2] = {NULL};
    int32_t count = 0;
    for (int k = 0; k < 2; k++) {
        const LitheNames *names = &reader->names[kinds[k]];
        const char *near = NULL;
        for (int32_t i = 0; i < names->count; i++) {
            const char *two[2] = {near ? near : names->all[i].name, names->all[i].name};
            near = lithe_suggest(text, two, 2);
        }
        if (near)
            best[count++] = near;
    }
    return count > 0 ? lithe_suggest(text, best, count) : NULL;
}

// ", did you mean 'rope.start'? Places" for a misspelt end, middle, body or set; else "; places"
static const char *place_meant(const LitheReader *reader, const char *text, char out[100]) {
    static const char *const words[] = {"start", "end", "middle"};
    const char *dot = strrchr(text, '.');
    const char *meant = dot ? lithe_suggest(dot + 1, words, 3) : name_meant(reader, text);
    int before = dot ? (int)(dot + 1 - text) : 0;
    snprintf(out, 100, "; places");
    if (meant && before < 60)
        snprintf(out, 100, ", did you mean '%.*s%.30s'? Places", before, text, meant);
    return out;
}

static bool fail_place(LitheReader *reader, const LitheTreeNode *node) {
    char meant[100];
    // bodies are read later: whether the name is that of a body is not known yet
    bool held = strncmp(reader->path, "drives.", 7) == 0 || strncmp(reader->path, "holds.", 6) == 0;
    return lithe_read_fail(reader, node,
                           "'%.60s' is no place%s are ROD.start, ROD.end, ROD.middle, "
                           "ROD[3], ROD.node(3), ROD.at(0.5), PARTICLES[3], SOLID[3] and "
                           "SOLID.GROUP%s%s%s",
                           node->text, place_meant(reader, node->text, meant),
                           reader->scene->set_count ? ", or the name of a set" : "",
                           reader->names[LITHE_OBJECT_BODY].count ? ", or the name of a body" : "",
                           held ? " (bodies are held by fixed: true or joints, and moved by "
                                  "pose-drives or actuators)"
                                : "");
}

// a copy of the inside of "WORD(inside)" or "[inside]"; NULL when the text has another form
static const char *inside_of(LitheReader *reader, const char *text, const char *open, char close) {
    size_t length = strlen(text), before = strlen(open);
    if (length < before + 2 || strncmp(text, open, before) != 0 || text[length - 1] != close)
        return NULL;
    char *copy = lithe_read_push(reader, (int64_t)(length - before), 1);
    if (copy)
        memcpy(copy, text + before, length - before - 1);
    return copy;
}

// "grains[3]": the part after the name
static bool read_particle(LitheReader *reader, const LitheTreeNode *node, const char *name,
                          const char *rest, LithePlace *place) {
    const char *index = inside_of(reader, rest, "[", ']');
    place->kind = LITHE_PLACE_NODE;
    if (index)
        return lithe_read_integer(reader, node, index, &place->node);
    return reader->status == LITHE_OK &&
           lithe_read_fail(reader, node,
                           "'%.60s' is no place: %.60s is a set of particles, whose places are "
                           "%.60s[3], and %.60s[-1] from the end",
                           node->text, name, name, name);
}

// "block[3]" or "block.x-min": the part after the name
static bool read_on_solid(LitheReader *reader, const LitheTreeNode *node, const char *name,
                          const char *rest, LithePlace *place) {
    const char *index = inside_of(reader, rest, "[", ']');
    if (reader->status != LITHE_OK)
        return false;
    place->kind = index ? LITHE_PLACE_NODE : LITHE_PLACE_GROUP;
    if (index)
        return lithe_read_integer(reader, node, index, &place->node);
    if (rest[0] != '.' || rest[1] == '\0' || strlen(rest + 1) >= sizeof place->group)
        return lithe_read_fail(reader, node,
                               "'%.60s' is no place: %.60s is a solid, whose places are nodes, "
                               "%.60s[3], and groups of its mesh, %.60s.GROUP",
                               node->text, name, name, name);
    snprintf(place->group, sizeof place->group, "%s", rest + 1);
    return true;
}

bool lithe_read_place(LitheReader *reader, const LitheTreeNode *node, LithePlace *place) {
    if (!lithe_read_scalar(reader, node, "a place on a rod or solid, or a particle"))
        return false;
    char name[LITHE_NAME_LENGTH + 1];
    size_t length = strcspn(node->text, ".[");
    if (node->text[length] == '\0') {
        place->kind = LITHE_PLACE_SET;
        place->set.number = lithe_read_find(reader, LITHE_OBJECT_SET, node->text);
        int32_t body = lithe_read_find(reader, LITHE_OBJECT_BODY, node->text);
        if (place->set.number == 0 && body > 0) {
            place->kind = LITHE_PLACE_NODE;
            place->thing = lithe_thing_body((LitheBodyId){body});
            return true;
        }
        int32_t solid = lithe_read_find(reader, LITHE_OBJECT_SOLID, node->text);
        if (place->set.number == 0 && solid > 0) {
            place->kind = LITHE_PLACE_GROUP;
            place->thing = lithe_thing_solid((LitheSolidId){solid});
            place->group[0] = '\0';
            return true;
        }
        return place->set.number > 0 || fail_place(reader, node);
    }
    if (length > LITHE_NAME_LENGTH)
        return fail_place(reader, node);
    snprintf(name, sizeof name, "%.*s", (int)length, node->text);
    const char *rest = node->text + length;
    if (!lithe_read_thing(reader, node, name, &place->thing))
        return false;
    if (place->thing.kind == LITHE_THING_PARTICLES)
        return read_particle(reader, node, name, rest, place);
    if (place->thing.kind == LITHE_THING_SOLID)
        return read_on_solid(reader, node, name, rest, place);
    const char *index = inside_of(reader, rest, "[", ']');
    if (!index)
        index = inside_of(reader, rest, ".node(", ')');
    const char *fraction = inside_of(reader, rest, ".at(", ')');
    if (reader->status != LITHE_OK)
        return false;
    place->kind = LITHE_PLACE_NODE;
    if (index)
        return lithe_read_integer(reader, node, index, &place->node);
    if (strcmp(rest, ".start") == 0 || strcmp(rest, ".end") == 0) {
        place->node = rest[1] == 's' ? 0 : -1;
        return true;
    }
    place->kind = LITHE_PLACE_FRACTION;
    place->fraction = 0.5;
    if (strcmp(rest, ".middle") == 0)
        return true;
    if (fraction)
        return lithe_read_text_quantity(reader, node, fraction, LITHE_WANT_NUMBER,
                                        &place->fraction);
    return fail_place(reader, node);
}

// --- values with several forms -------------------------------------------------------------------

static bool read_one_of(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                        void *base) {
    const LitheTable *table = field->table;
    if (node->kind != LITHE_TREE_MAPPING || node->count != 1) {
        char text[400] = "one of its kinds is expected";
        lithe_known_key_text("", table, text, sizeof text);
        return lithe_read_fail(reader, node, "%s", text);
    }
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].key, node->first->key) == 0)
            *MEMBER(int, base, 0) = i; // `kind` is the first member
    return lithe_read_mapping(reader, table, node, base);
}

static bool read_profile(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                         LitheProfileDef *profile) {
    LitheWanted outer = reader->value_wanted;
    reader->value_wanted = field->wanted;
    bool ok;
    *profile = lithe_profile_def_default();
    if (node->kind == LITHE_TREE_SCALAR)
        ok = lithe_read_quantity(reader, node, LITHE_WANT_VALUE, &profile->value);
    else
        ok = lithe_read_mapping(reader, field->table, node, profile);
    reader->value_wanted = outer;
    return ok;
}

static bool read_rotate(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                        LitheVec3 *rotate) {
    if (node->kind == LITHE_TREE_SEQUENCE)
        return lithe_read_vector(reader, node, LITHE_WANT_ANGLE, rotate);
    LitheRotateDef turn = {0};
    if (!lithe_read_mapping(reader, field->table, node, &turn))
        return false;
    if (!lithe_read_axis(reader, node, &turn.axis))
        return false;
    *rotate = v3_scale(turn.angle, turn.axis);
    return true;
}

static bool read_gravity(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *gravity) {
    double down = 0;
    if (node->kind == LITHE_TREE_SEQUENCE)
        return lithe_read_vector(reader, node, LITHE_WANT_ACCELERATION, gravity);
    bool none = node->kind == LITHE_TREE_SCALAR && strcmp(node->text, "none") == 0;
    if (!none && !lithe_read_quantity(reader, node, LITHE_WANT_ACCELERATION, &down))
        return false;
    *gravity = v3(0, 0, none ? 0 : -down);
    return true;
}

static bool read_hold(LitheReader *reader, const LitheTreeNode *node, uint32_t *bits) {
    int word;
    *bits = 0;
    if (node->kind != LITHE_TREE_SEQUENCE) {
        if (!lithe_read_word(reader, node, lithe_hold_words, &word))
            return false;
        *bits = lithe_hold_word_bits[word];
        return true;
    }
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        if (!lithe_read_word(reader, child, lithe_hold_words, &word))
            return false;
        *bits |= lithe_hold_word_bits[word];
    }
    return true;
}

static bool read_clamped(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                         void *base) {
    int word;
    if (!lithe_read_word(reader, node, lithe_clamped_words, &word))
        return false;
    *MEMBER(bool, base, field->offset) = word & 1;
    *MEMBER(bool, base, field->also) = (word & 2) != 0;
    return true;
}

static bool read_direction(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                           void *base) {
    double v[3]; // numbers of the list
    if (node->kind == LITHE_TREE_SCALAR) {
        if (strcmp(node->text, "outward") != 0)
            return lithe_read_fail(reader, node,
                                   "'%.60s': a vector or the word outward is expected", node->text);
        *MEMBER(bool, base, field->also) = true;
        return true;
    }
    if (!lithe_read_numbers(reader, node, LITHE_WANT_NUMBER, 3, v))
        return false;
    *MEMBER(LitheVec3, base, field->offset) = v3_load(v);
    return true;
}

static bool read_drag(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      void *base) {
    double *normal = MEMBER(double, base, field->offset);
    if (node->kind != LITHE_TREE_SCALAR)
        return lithe_read_mapping(reader, field->table, node, base);
    if (!lithe_read_quantity(reader, node, field->wanted, normal))
        return false;
    *MEMBER(double, base, field->also) = *normal;
    return true;
}

static bool read_adaptive(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                          void *base) {
    if (!lithe_read_mapping(reader, field->table, node, base))
        return false;
    // in a def, a `min` of 0 means a fixed step
    double min = *MEMBER(double, base, field->also);
    if (min > 0)
        return true;
    LitheTreeNode *adaptive = lithe_tree_find((LitheTreeNode *)node, field->table->fields->key);
    return lithe_read_fail(reader, adaptive ? adaptive : node, "min is %.9g s, must be > 0", min);
}

static bool read_step(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      void *base) {
    if (node->kind != LITHE_TREE_SCALAR)
        return read_adaptive(reader, field, node, base);
    return lithe_read_quantity(reader, node, field->wanted, MEMBER(double, base, field->offset));
}

// `material: {from: steel}`: a material of the scene with the name from-steel, added once
static bool read_library_material(LitheReader *reader, const LitheTreeNode *node,
                                  LitheMaterialId *id) {
    const LitheTreeNode *from = lithe_tree_find(node, "from");
    if (!from || node->count != 1)
        return lithe_read_fail(reader, node,
                               "the name of a material, or {from: NAME} alone, is expected; other "
                               "keys belong to materials: {NAME: {from: .., ..}}");
    char name[LITHE_NAME_LENGTH + 1];
    const LitheScene *scene = reader->scene;
    snprintf(name, sizeof name, "from-%s", from->text ? from->text : "");
    for (int32_t i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, name) == 0) {
            id->number = i + 1;
            return i >= reader->own_materials ||
                   lithe_read_fail(reader, node, "the scene has another material '%s'", name);
        }
    LitheMaterialDef def = lithe_material_def_default();
    if (!lithe_read_mapping(reader, &lithe_material_table, node, &def))
        return false;
    def.name = name;
    id->number = lithe_object_add(reader->scene, LITHE_OBJECT_MATERIAL, &def);
    return id->number > 0 || lithe_read_fail_memory(reader);
}

static bool read_material(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                          LitheMaterialId *id) {
    if (node->kind == LITHE_TREE_MAPPING && strcmp(field->key, "material") == 0)
        return read_library_material(reader, node, id);
    if (!lithe_read_scalar(reader, node, "the name of a material"))
        return false;
    int32_t entry = lithe_library_find(node->text);
    if (entry >= 0 && lithe_library_at(entry).kind == LITHE_LIBRARY_MATERIAL &&
        lithe_read_find(reader, LITHE_OBJECT_MATERIAL, node->text) == 0)
        return lithe_read_fail(reader, node,
                               "the scene has no material '%s', the library has: add materials: "
                               "{%s: {from: %s}}",
                               node->text, node->text, node->text);
    return lithe_read_name(reader, node, LITHE_OBJECT_MATERIAL, node->text, &id->number);
}

static bool read_rod(LitheReader *reader, const LitheTreeNode *node, LitheRodId *id) {
    return lithe_read_scalar(reader, node, "the name of a rod") &&
           lithe_read_name(reader, node, LITHE_OBJECT_ROD, node->text, &id->number);
}

bool lithe_read_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                     void *base) {
    void *member = (char *)base + field->offset;
    switch (field->type) {
    case LITHE_FIELD_LIST:
        return read_list(reader, field, node, base);
    case LITHE_FIELD_POINTS:
        return read_points(reader, field, node, base);
    case LITHE_FIELD_PIECES:
        return read_pieces(reader, field, node, base);
    case LITHE_FIELD_SAMPLES:
        return read_samples(reader, node, base);
    case LITHE_FIELD_TEXTS:
        return read_texts(reader, field, node, base);
    case LITHE_FIELD_PLACE:
        return lithe_read_place(reader, node, member);
    case LITHE_FIELD_ONE_OF:
        return read_one_of(reader, field, node, member);
    case LITHE_FIELD_PROFILE:
        return read_profile(reader, field, node, member);
    case LITHE_FIELD_ROTATE:
        return read_rotate(reader, field, node, member);
    case LITHE_FIELD_GRAVITY:
        return read_gravity(reader, node, member);
    case LITHE_FIELD_HOLD:
        return read_hold(reader, node, member);
    case LITHE_FIELD_CLAMPED:
        return read_clamped(reader, field, node, base);
    case LITHE_FIELD_DIRECTION:
        return read_direction(reader, field, node, base);
    case LITHE_FIELD_DRAG:
        return read_drag(reader, field, node, base);
    case LITHE_FIELD_STEP:
        return read_step(reader, field, node, base);
    case LITHE_FIELD_MATERIAL:
        return read_material(reader, field, node, member);
    case LITHE_FIELD_ROD:
        return read_rod(reader, node, member);
    case LITHE_FIELD_THING:
        return lithe_read_scalar(reader, node, "the name of a rod, particles or a solid") &&
               lithe_read_thing(reader, node, node->text, member);
    case LITHE_FIELD_INDICES:
        return read_indices(reader, field, node, base);
    default:
        return lithe_read_rigid_kind(reader, field, node, base);
    }
}
