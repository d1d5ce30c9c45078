// SPDX-License-Identifier: Apache-2.0
// scene/read_value.c - single values: quantities with parameters, whole numbers, words, names

#include "base/status.h"
#include "base/suggest.h"
#include "lithe/library.h"
#include "math/vec3.h"
#include "scene/entries.h"
#include "scene/library.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// max depth of parameters that refer to parameters
#define MAX_PARAMETER_DEPTH 50

bool lithe_read_fail(LitheReader *reader, const LitheTreeNode *node, const char *format, ...) {
    if (reader->status != LITHE_OK)
        return false;
    char text[900], copy[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_repeat_text(&reader->repeat, copy, sizeof copy);
    reader->status = lithe_tree_fail(reader->tree, node, reader->error, "%s%s%s%s", reader->path,
                                     reader->path[0] ? ": " : "", text, copy);
    return false;
}

bool lithe_read_fail_memory(LitheReader *reader) {
    if (reader->status == LITHE_OK)
        reader->status = lithe_fail_memory(reader->error, "a scene");
    return false;
}

void *lithe_read_push(LitheReader *reader, int64_t count, size_t size) {
    void *block = lithe_arena_push(&reader->tree->arena, count > 0 ? count : 1, size);
    if (block)
        memset(block, 0, (size_t)(count > 0 ? count : 1) * size);
    else
        lithe_read_fail_memory(reader);
    return block;
}

bool lithe_read_scalar(LitheReader *reader, const LitheTreeNode *node, const char *wanted) {
    if (node->kind == LITHE_TREE_MAPPING)
        return lithe_read_fail(reader, node, "is a mapping, %s is expected", wanted);
    if (node->kind == LITHE_TREE_SEQUENCE)
        return lithe_read_fail(reader, node, "is a list, %s is expected", wanted);
    if (node->text[0] == '\0' && !node->quoted)
        return lithe_read_fail(reader, node, "has no value, %s is expected", wanted);
    return true;
}

// --- parameters ----------------------------------------------------------------------------------

static int parameter_order(const void *a, const void *b) {
    return strcmp(((const LitheParameter *)a)->name, ((const LitheParameter *)b)->name);
}

static bool parameter_name_is_good(const char *name) {
    return lithe_name_is_valid(name) && !strchr(name, '-');
}

static bool fail_unknown_name(LitheReader *reader, const LitheTreeNode *node, const char *text,
                              const char *why) {
    char full[500];
    snprintf(full, sizeof full, "%s", why);
    const char **names = lithe_read_push(reader, reader->parameter_count, sizeof *names);
    if (!names)
        return false;
    for (int32_t i = 0; i < reader->parameter_count; i++)
        names[i] = reader->parameters[i].name;
    const char *nearest = lithe_suggest(reader->unknown, names, reader->parameter_count);
    if (nearest)
        snprintf(full, sizeof full, "%s; did you mean %s?", why, nearest);
    return lithe_read_fail(reader, node, "'%.60s': %s", text, full);
}

static int find_parameter(void *user, const char *name, LitheQuantity *value);

// Evaluates an expression; the message says what is wrong with it.
static bool evaluate(LitheReader *reader, const LitheTreeNode *node, const char *text,
                     LitheQuantity *quantity) {
    char why[300];
    reader->unknown = NULL;
    if (lithe_quantity_parse(text, find_parameter, reader, quantity, why, sizeof why))
        return true;
    // a parameter that is wrong itself has been reported
    if (reader->status != LITHE_OK || !why[0])
        return false;
    if (reader->unknown && strstr(why, "no parameter"))
        return fail_unknown_name(reader, node, text, why);
    return lithe_read_fail(reader, node, "'%.60s': %s", text, why);
}

static bool work_out(LitheReader *reader, LitheParameter *parameter) {
    char path[sizeof reader->path];
    memcpy(path, reader->path, sizeof path);
    snprintf(reader->path, sizeof reader->path, "parameters.%s", parameter->name);
    parameter->state = 1;
    reader->parameter_depth++;
    LitheQuantity value = {0};
    bool good =
        reader->parameter_depth <= MAX_PARAMETER_DEPTH ||
        lithe_read_fail(reader, parameter->node, "parameters refer to each other more than %d deep",
                        MAX_PARAMETER_DEPTH);
    good = good && lithe_read_scalar(reader, parameter->node, "a quantity") &&
           evaluate(reader, parameter->node, parameter->node->text, &value);
    reader->parameter_depth--;
    parameter->state = good ? 2 : 3;
    parameter->value = value;
    memcpy(reader->path, path, sizeof path);
    return good;
}

// LitheLookupFn: the value of a parameter, evaluated on its first use
static int find_parameter(void *user, const char *name, LitheQuantity *value) {
    LitheReader *reader = user;
    for (int32_t i = 0; i < reader->repeat.depth; i++)
        if (strcmp(reader->repeat.names[i], name) == 0) {
            *value = (LitheQuantity){.value = reader->repeat.values[i]};
            return 1;
        }
    LitheParameter wanted = {.name = name};
    LitheParameter *found = reader->parameter_count > 0 ? bsearch(&wanted, reader->parameters,
                                                                  (size_t)reader->parameter_count,
                                                                  sizeof *found, parameter_order)
                                                        : NULL;
    if (!found) {
        char *own = lithe_read_push(reader, (int64_t)strlen(name) + 1, 1);
        if (!own)
            return -1;
        strcpy(own, name);
        reader->unknown = own;
        return 0;
    }
    if (found->state == 0 && !work_out(reader, found))
        return -1;
    if (found->state == 3)
        return -1;
    if (found->state == 1) {
        lithe_read_fail(reader, found->node, "refers to itself");
        return -1;
    }
    *value = found->value;
    return 1;
}

bool lithe_read_parameter_name(LitheReader *reader, const LitheTreeNode *node, bool units) {
    if (!parameter_name_is_good(node->key))
        return lithe_read_fail(reader, node,
                               "'%.60s': a parameter's name has letters, digits and _, and "
                               "begins with a letter",
                               node->key);
    if ((!units && lithe_is_unit(node->key)) || lithe_is_function(node->key))
        return lithe_read_fail(reader, node, "'%s' is a %s and cannot name a %s", node->key,
                               units ? "function" : "unit or function",
                               units ? "counter" : "parameter");
    return true;
}

bool lithe_read_parameters(LitheReader *reader, const LitheTreeNode *node) {
    if (node->kind != LITHE_TREE_MAPPING)
        return lithe_read_fail(reader, node, "names with values are expected");
    LitheParameter *all = lithe_read_push(reader, node->count, sizeof *all);
    if (!all)
        return false;
    int32_t count = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        if (!lithe_read_parameter_name(reader, child, false))
            return false;
        all[count++] = (LitheParameter){.name = child->key, .node = child};
    }
    qsort(all, (size_t)count, sizeof *all, parameter_order);
    reader->parameters = all;
    reader->parameter_count = count;

    // all parameters, used or not, so that a wrong one is reported
    LitheQuantity ignored;
    bool good = true;
    for (int32_t i = 0; i < count; i++) {
        if (find_parameter(reader, all[i].name, &ignored) >= 0)
            continue;
        good = false;
        if (reader->status == LITHE_NO_MEMORY || reader->mistakes.count >= LITHE_MISTAKES_MAX)
            return false;
        if (reader->status != LITHE_OK)
            lithe_mistakes_add(&reader->mistakes, reader->error);
        reader->status = LITHE_OK;
    }
    return good;
}

// --- quantities ----------------------------------------------------------------------------------

// replaces dimensions that depend on the object by actual ones
static LitheWanted settle_wanted(const LitheReader *reader, LitheWanted wanted) {
    static const LitheWanted by_turn[][2] = {
        // the dimensions of a translating and of a rotating drive, joint or actuator
        [LITHE_WANT_DRIVE_SPRING - LITHE_WANT_COUNT] = {LITHE_WANT_STIFFNESS,
                                                        LITHE_WANT_ROTATIONAL_STIFFNESS},
        [LITHE_WANT_DRIVE_DASHPOT -
            LITHE_WANT_COUNT] = {LITHE_WANT_DAMPING, LITHE_WANT_ROTATIONAL_DAMPING},
        [LITHE_WANT_JOINT_POSITION - LITHE_WANT_COUNT] = {LITHE_WANT_LENGTH, LITHE_WANT_ANGLE},
        [LITHE_WANT_JOINT_SPEED -
            LITHE_WANT_COUNT] = {LITHE_WANT_SPEED, LITHE_WANT_ANGULAR_VELOCITY},
        [LITHE_WANT_JOINT_EFFORT - LITHE_WANT_COUNT] = {LITHE_WANT_FORCE, LITHE_WANT_MOMENT},
        [LITHE_WANT_JOINT_INERTIA - LITHE_WANT_COUNT] = {LITHE_WANT_MASS, LITHE_WANT_INERTIA},
    };
    static const LitheWanted rates[][2] = {
        {LITHE_WANT_LENGTH, LITHE_WANT_SPEED},
        {LITHE_WANT_ANGLE, LITHE_WANT_ANGULAR_VELOCITY},
        {LITHE_WANT_SPEED, LITHE_WANT_ACCELERATION},
        {LITHE_WANT_ANGULAR_VELOCITY, LITHE_WANT_ANGULAR_ACCELERATION},
        {LITHE_WANT_FORCE, LITHE_WANT_FORCE_RATE},
        {LITHE_WANT_PRESSURE, LITHE_WANT_PRESSURE_RATE},
        {LITHE_WANT_MOMENT, LITHE_WANT_MOMENT_RATE},
    };
    if (wanted < LITHE_WANT_COUNT || wanted == LITHE_WANT_ANYTHING)
        return wanted;
    if (wanted == LITHE_WANT_VALUE)
        return settle_wanted(reader, reader->value_wanted);
    if (wanted == LITHE_WANT_TARGET)
        return settle_wanted(reader, reader->target_wanted);
    if (wanted == LITHE_WANT_VALUE_RATE) {
        LitheWanted value = settle_wanted(reader, reader->value_wanted);
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
            if (rates[i][0] == value)
                return rates[i][1];
        return LITHE_WANT_RATE;
    }
    return by_turn[wanted - LITHE_WANT_COUNT][reader->turns];
}

bool lithe_read_text_quantity(LitheReader *reader, const LitheTreeNode *node, const char *text,
                              LitheWanted wanted, double *out) {
    LitheQuantity q;
    char got[100];
    if (!evaluate(reader, node, text, &q))
        return false;
    wanted = settle_wanted(reader, wanted);
    if (wanted < LITHE_WANT_COUNT && !lithe_quantity_fits(&q, wanted)) {
        lithe_dimension_text(&q.dimension, got, sizeof got);
        return lithe_read_fail(reader, node, "'%.60s' is %s, %s is expected", text, got,
                               lithe_wanted_name(wanted));
    }
    *out = q.value;
    return true;
}

bool lithe_read_quantity(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                         double *out) {
    LitheWanted settled = settle_wanted(reader, wanted);
    bool any = settled == LITHE_WANT_ANYTHING;
    return lithe_read_scalar(reader, node, any ? "a quantity" : lithe_wanted_name(settled)) &&
           lithe_read_text_quantity(reader, node, node->text, settled, out);
}

bool lithe_read_dimension(LitheReader *reader, const LitheTreeNode *node,
                          LitheDimension *dimension) {
    LitheQuantity q = {0};
    bool good =
        lithe_read_scalar(reader, node, "a quantity") && evaluate(reader, node, node->text, &q);
    *dimension = q.dimension;
    return good;
}

bool lithe_read_integer(LitheReader *reader, const LitheTreeNode *node, const char *text,
                        int32_t *out) {
    double value;
    if (!lithe_read_text_quantity(reader, node, text, LITHE_WANT_NUMBER, &value))
        return false;
    double whole = nearbyint(value);
    // a tolerance for rounding: 1 m/1 cm + 1
    if (fabs(value - whole) > 1e-9 * fmax(1, fabs(value)))
        return lithe_read_fail(reader, node, "'%.60s' is %.9g, a whole number is expected", text,
                               value);
    if (fabs(whole) > INT32_MAX)
        return lithe_read_fail(reader, node, "'%.60s' is too large, the max is %d", text,
                               INT32_MAX);
    *out = (int32_t)whole;
    return true;
}

// reads `count` numbers from a list of exactly that length
bool lithe_read_numbers(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                        int32_t count, double *out) {
    if (node->kind != LITHE_TREE_SEQUENCE)
        return lithe_read_fail(reader, node, "a list of %d values is expected", count);
    if (node->count != count)
        return lithe_read_fail(reader, node, "has %d values, %d are expected", node->count, count);
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (!lithe_read_quantity(reader, child, wanted, &out[i++]))
            return false;
    return true;
}

bool lithe_read_vector(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                       LitheVec3 *out) {
    double xyz[3];
    if (!lithe_read_numbers(reader, node, wanted, 3, xyz))
        return false;
    *out = v3_load(xyz);
    return true;
}

bool lithe_read_axis(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *axis) {
    double length = v3_norm(*axis);
    // the squares of very large and very small numbers are infinite and 0
    if (!(length >= LITHE_SHORTEST_DIRECTION) || !isfinite(length))
        return lithe_read_fail(reader, node, "axis is (%g, %g, %g), must have a direction", axis->x,
                               axis->y, axis->z);
    *axis = v3_scale(1 / length, *axis);
    return true;
}

void *lithe_read_items(LitheReader *reader, const LitheTreeNode *node, const char *wanted,
                       size_t size) {
    if (node->kind == LITHE_TREE_SEQUENCE)
        return lithe_read_push(reader, node->count, size);
    lithe_read_fail(reader, node, "%s is expected", wanted);
    return NULL;
}

// --- words and names -----------------------------------------------------------------------------

bool lithe_read_word(LitheReader *reader, const LitheTreeNode *node, const char *const *words,
                     int *out) {
    if (!lithe_read_scalar(reader, node, "a word"))
        return false;
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], node->text) == 0) {
            *out = i;
            return true;
        }
    char text[500];
    snprintf(text, sizeof text, "'%.60s' is not known here", node->text);
    lithe_known_word_text(node->text, words, text, sizeof text);
    return lithe_read_fail(reader, node, "%s", text);
}

static int name_order(const void *a, const void *b) {
    return strcmp(((const LitheNameId *)a)->name, ((const LitheNameId *)b)->name);
}

int32_t lithe_read_find(const LitheReader *reader, LitheObjectKind kind, const char *name) {
    const LitheNames *names = &reader->names[kind];
    LitheNameId wanted = {.name = name};
    const LitheNameId *found = names->count > 0 ? bsearch(&wanted, names->all, (size_t)names->count,
                                                          sizeof *names->all, name_order)
                                                : NULL;
    if (found)
        return found->id;
    // added by the present section, after its names were sorted
    for (int32_t i = names->count; i < lithe_object_count(reader->scene, kind); i++)
        if (strcmp(lithe_object_name(reader->scene, kind, i), name) == 0)
            return i + 1;
    return 0;
}

// fails with "no rod named 'rpe'; did you mean rope?", for the names of a kind, and of particles
// and solids if `things`
static bool fail_no_name(LitheReader *reader, const LitheTreeNode *node, const char *name,
                         LitheObjectKind kind, bool things) {
    char text[500];
    const LitheNames *lists[] = {&reader->names[kind], &reader->names[LITHE_OBJECT_PARTICLES],
                                 &reader->names[LITHE_OBJECT_SOLID]};
    int used = things ? 3 : 1;
    int64_t count = 0;
    for (int k = 0; k < used; k++)
        count += lists[k]->count;
    snprintf(text, sizeof text, "no %s%s%s named '%.60s'", lithe_scene_objects[kind].word,
             things && lists[1]->count ? " or set of particles" : "",
             things && lists[2]->count ? " or solid" : "", name);
    const char **names = lithe_read_push(reader, count, sizeof *names);
    if (!names)
        return false;
    int32_t at = 0;
    for (int k = 0; k < used; k++)
        for (int32_t i = 0; i < lists[k]->count; i++)
            names[at++] = lists[k]->all[i].name;
    lithe_known_text(name, names, at, text, sizeof text);
    char meant[200] = "";
    if (kind == LITHE_OBJECT_MATERIAL)
        lithe_library_meant(name, LITHE_LIBRARY_MATERIAL, meant, sizeof meant);
    size_t end = strlen(text);
    if (*meant)
        snprintf(text + end, sizeof text - end,
                 "%s The library has %s (`lithe materials` lists all): material: {from: %.*s}",
                 text[end - 1] == '?' ? "" : ".", meant, (int)strcspn(meant, ","), meant);
    return lithe_read_fail(reader, node, "%s", text);
}

bool lithe_read_name(LitheReader *reader, const LitheTreeNode *node, LitheObjectKind kind,
                     const char *name, int32_t *id) {
    *id = lithe_read_find(reader, kind, name);
    return *id > 0 || fail_no_name(reader, node, name, kind, false);
}

bool lithe_read_thing(LitheReader *reader, const LitheTreeNode *node, const char *name,
                      LitheThing *thing) {
    int32_t rod = lithe_read_find(reader, LITHE_OBJECT_ROD, name);
    int32_t particles = lithe_read_find(reader, LITHE_OBJECT_PARTICLES, name);
    int32_t solid = lithe_read_find(reader, LITHE_OBJECT_SOLID, name);
    *thing = rod > 0         ? lithe_thing_rod((LitheRodId){rod})
             : particles > 0 ? lithe_thing_particles((LitheParticlesId){particles})
                             : lithe_thing_solid((LitheSolidId){solid});
    return thing->number > 0 || fail_no_name(reader, node, name, LITHE_OBJECT_ROD, true);
}

void lithe_read_index(LitheReader *reader) {
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        int32_t count = lithe_object_count(reader->scene, (LitheObjectKind)k);
        if (count == reader->names[k].count)
            continue;
        LitheNameId *all = lithe_read_push(reader, count, sizeof *all);
        if (!all)
            return;
        for (int32_t i = 0; i < count; i++)
            all[i] = (LitheNameId){lithe_object_name(reader->scene, (LitheObjectKind)k, i), i + 1};
        qsort(all, (size_t)count, sizeof *all, name_order);
        reader->names[k] = (LitheNames){all, count};
    }
}
