// SPDX-License-Identifier: Apache-2.0
// run/study_values.c - the values of a path: lists of anything, even and logarithmic ranges,
// samples, seeds

#include "base/status.h"
#include "run/study.h"
#include "scene/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// max values of a range; more is a mistake
#define MAX_VALUES 1000000

// --- texts ---------------------------------------------------------------------------------------

// A text of up to `capacity` characters; `length` also counts those that did not fit.
typedef struct Text {
    char *at;
    size_t capacity, length;
} Text;

static void put(Text *text, const char *format, ...) LITHE_PRINTF(2, 3);
static void put(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t left = text->length < text->capacity ? text->capacity - text->length : 0;
    text->length +=
        (size_t)vsnprintf(left ? text->at + text->length : NULL, left, format, arguments);
    va_end(arguments);
}

static void put_quoted(Text *text, const char *word) {
    put(text, "\"");
    for (const unsigned char *c = (const unsigned char *)word; *c; c++)
        if (*c == '"' || *c == '\\')
            put(text, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            put(text, "\\x%02x", *c);
        else
            put(text, "%c", *c);
    put(text, "\"");
}

// Whether a scalar needs no quotes inside [] and {}.
static bool is_plain(const LitheTreeNode *node) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789+-*/^()._ ";
    size_t length = strlen(node->text);
    return !node->quoted && strspn(node->text, letters) == length && length > 0 &&
           strcmp(node->text, "-") != 0 && strncmp(node->text, "- ", 2) != 0 &&
           strncmp(node->text, "--", 2) != 0 && strncmp(node->text, "..", 2) != 0;
}

// A value as YAML on one line.
static void put_node(Text *text, const LitheTreeNode *node) {
    bool mapping = node->kind == LITHE_TREE_MAPPING;
    if (node->kind == LITHE_TREE_SCALAR) {
        if (is_plain(node) || (!node->quoted && node->text[0] == '\0'))
            put(text, "%s", node->text);
        else
            put_quoted(text, node->text);
        return;
    }
    put(text, mapping ? "{" : "[");
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        if (mapping) {
            put_quoted(text, child->key);
            put(text, ": ");
        }
        put_node(text, child);
        put(text, child->next ? ", " : "");
    }
    put(text, mapping ? "}" : "]");
}

// "PATH=VALUE" into the arena, as value number `index`.
static LitheStatus add_text(LitheStudy *study, LitheStudyPath *path, int32_t index,
                            const char *value, LitheError *error) {
    size_t head = strlen(path->path) + 1, size = head + strlen(value) + 1;
    char *text = lithe_arena_push(&study->tree.arena, (int64_t)size, 1);
    if (!text)
        return lithe_fail_memory(error, "the values of a study");
    snprintf(text, size, "%s=%s", path->path, value);
    path->sets[index] = text;
    path->texts[index] = text + head;
    return LITHE_OK;
}

static LitheStatus allocate_buffers(LitheStudy *study, LitheStudyPath *path, int32_t count,
                                    LitheError *error) {
    path->count = count;
    path->sets = lithe_arena_push(&study->tree.arena, count, sizeof *path->sets);
    path->texts = lithe_arena_push(&study->tree.arena, count, sizeof *path->texts);
    path->numbers = lithe_arena_push(&study->tree.arena, count, sizeof *path->numbers);
    return path->sets && path->texts && path->numbers
               ? LITHE_OK
               : lithe_fail_memory(error, "the values of a study");
}

// --- dimensions ----------------------------------------------------------------------------------

static bool same_dimension(const LitheDimension *a, const LitheDimension *b) {
    return a->length == b->length && a->mass == b->mass && a->time == b->time &&
           a->angle == b->angle && a->cycle == b->cycle;
}

// The SI unit of a dimension, as scene files write it; false when there is none ("m^0.5").
static bool unit_of(const LitheDimension *dimension, char *unit, size_t size) {
    char name[64];
    lithe_dimension_text(dimension, name, sizeof name);
    for (int i = 0; i < LITHE_WANT_COUNT; i++)
        if (strcmp(name, lithe_wanted_name((LitheWanted)i)) == 0) {
            snprintf(unit, size, "%s", lithe_wanted_unit((LitheWanted)i));
            return true;
        }
    // cycles are only supported in hertz
    const double powers[] = {dimension->mass, dimension->length, dimension->time + dimension->cycle,
                             dimension->angle, dimension->cycle};
    static const char *const names[] = {"kg", "m", "s", "rad", "Hz"};
    Text text = {unit, size, 0};
    for (int i = 0; i < 5; i++) {
        if (powers[i] == 0)
            continue;
        if (powers[i] != rint(powers[i]) || fabs(powers[i]) > 9)
            return false;
        put(&text, "%s%s", text.length > 0 ? " " : "", names[i]);
        if (powers[i] != 1)
            put(&text, "^%d", (int)powers[i]);
    }
    return text.length > 0 && text.length < size;
}

// Fills numbers in addition to the texts when all have the same dimension.
static void find_numbers(LitheStudyPath *path) {
    LitheDimension first = {0};
    for (int32_t i = 0; i < path->count; i++) {
        LitheQuantity q = {0};
        char why[200];
        bool fine = lithe_quantity_parse(path->texts[i], NULL, NULL, &q, why, sizeof why) &&
                    isfinite(q.value);
        if (i == 0)
            first = q.dimension;
        if (!fine || !same_dimension(&first, &q.dimension)) {
            path->numbers = NULL;
            return;
        }
        path->numbers[i] = q.value;
    }
    if (!unit_of(&first, path->unit, sizeof path->unit))
        path->numbers = NULL;
}

// --- lists ---------------------------------------------------------------------------------------

static LitheStatus add_node(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                            int32_t index, LitheError *error) {
    if (node->kind == LITHE_TREE_SCALAR && node->text[0] == '\0' && !node->quoted)
        return lithe_tree_fail(&study->tree, node, error, "%.100s: has no value", path->path);
    // a single scalar only needs quotes where it had some
    if (node->kind == LITHE_TREE_SCALAR && !node->quoted)
        return add_text(study, path, index, node->text, error);
    Text text = {0};
    put_node(&text, node);
    text = (Text){.capacity = text.length + 1};
    text.at = lithe_arena_push(&study->tree.arena, (int64_t)text.capacity, 1);
    if (!text.at)
        return lithe_fail_memory(error, "the values of a study");
    put_node(&text, node);
    LitheStatus status = add_text(study, path, index, text.at, error);
    // tables show the text between the quotes
    if (status == LITHE_OK && node->kind == LITHE_TREE_SCALAR)
        path->texts[index] = node->text;
    return status;
}

LitheStatus lithe_study_read_one(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                                 LitheError *error) {
    LitheStatus status = allocate_buffers(study, path, 1, error);
    if (status == LITHE_OK)
        status = add_node(study, node, path, 0, error);
    if (status == LITHE_OK)
        find_numbers(path);
    return status;
}

static LitheStatus read_list(LitheStudy *study, const LitheTreeNode *list, LitheStudyPath *path,
                             LitheError *error) {
    if (list->count == 0)
        return lithe_tree_fail(&study->tree, list, error, "%.100s: the list has no values",
                               path->path);
    LitheStatus status = allocate_buffers(study, path, list->count, error);
    int32_t index = 0;
    for (const LitheTreeNode *n = list->first; status == LITHE_OK && n; n = n->next)
        status = add_node(study, n, path, index++, error);
    if (status == LITHE_OK)
        find_numbers(path);
    return status;
}

// --- ranges --------------------------------------------------------------------------------------

static LitheStatus read_end(LitheStudy *study, const LitheTreeNode *node,
                            const LitheStudyPath *path, const char *what, LitheQuantity *q,
                            LitheError *error) {
    char why[200] = "it is not a number";
    if (node->kind != LITHE_TREE_SCALAR || node->text[0] == '\0' ||
        !lithe_quantity_parse(node->text, NULL, NULL, q, why, sizeof why) || !isfinite(q->value))
        return lithe_tree_fail(&study->tree, node, error,
                               "%.100s.%s: a number or a quantity is expected: %s", path->path,
                               what, why);
    return LITHE_OK;
}

static LitheStatus check_dimensions(LitheStudy *study, const LitheTreeNode *node,
                                    const LitheStudyPath *path, const LitheQuantity *a,
                                    const LitheQuantity *b, LitheError *error) {
    char one[64], other[64];
    if (same_dimension(&a->dimension, &b->dimension))
        return LITHE_OK;
    lithe_dimension_text(&a->dimension, one, sizeof one);
    lithe_dimension_text(&b->dimension, other, sizeof other);
    return lithe_tree_fail(&study->tree, node, error, "%.100s: is %s, but the range begins with %s",
                           path->path, other, one);
}

LitheStatus lithe_study_read_count(const LitheStudy *study, const LitheTreeNode *node,
                                   const char *what, int32_t low, int32_t *count,
                                   LitheError *error) {
    char *end = NULL;
    const char *text = node->kind == LITHE_TREE_SCALAR ? node->text : "";
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < low || value > MAX_VALUES)
        return lithe_tree_fail(&study->tree, node, error,
                               "%.100s is '%.40s', must be a whole number from %d to %d", what,
                               text, low, MAX_VALUES);
    *count = (int32_t)value;
    return LITHE_OK;
}

// Values between the ends are rounded to 15 digits: 0.3, not 0.30000000000000004.
static double neat(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL);
}

// As few digits as read back as the same number.
static void number_text(double value, const char *unit, char *text, size_t size) {
    char digits[40];
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    snprintf(text, size, "%s%s%s", digits, unit[0] ? " " : "", unit);
}

typedef struct Range {
    LitheQuantity from, to;
    double step; // SI; 0: `count` values
    int32_t count;
    bool log;
} Range;

static double range_value(const Range *range, int32_t i) {
    double a = range->from.value, b = range->to.value, share = (double)i / (range->count - 1);
    if (i == 0)
        return a;
    if (range->step != 0)
        return neat(a + i * range->step);
    if (i == range->count - 1)
        return b;
    return neat(range->log ? a * pow(b / a, share) : a + (b - a) * share);
}

static LitheStatus make_range(LitheStudy *study, const LitheTreeNode *node, const Range *range,
                              LitheStudyPath *path, LitheError *error) {
    if (!unit_of(&range->from.dimension, path->unit, sizeof path->unit))
        return lithe_tree_fail(&study->tree, node, error, "%.100s: a range of no known dimension",
                               path->path);
    LitheStatus status = allocate_buffers(study, path, range->count, error);
    for (int32_t i = 0; status == LITHE_OK && i < range->count; i++) {
        char text[120];
        path->numbers[i] = range_value(range, i);
        number_text(path->numbers[i], path->unit, text, sizeof text);
        status = add_text(study, path, i, text, error);
    }
    return status;
}

// [from, to] of a logarithmic range
static LitheStatus read_log_ends(LitheStudy *study, const LitheTreeNode *ends, LitheStudyPath *path,
                                 Range *range, LitheError *error) {
    LitheStatus status = LITHE_OK;
    range->log = true;
    if (ends->kind != LITHE_TREE_SEQUENCE || ends->count != 2)
        status = lithe_tree_fail(&study->tree, ends, error, "%.100s.log: [first, last] is expected",
                                 path->path);
    if (status == LITHE_OK)
        status = read_end(study, ends->first, path, "log", &range->from, error);
    if (status == LITHE_OK)
        status = read_end(study, ends->last, path, "log", &range->to, error);
    if (status == LITHE_OK)
        status = check_dimensions(study, ends->last, path, &range->from, &range->to, error);
    if (status == LITHE_OK && !(range->from.value * range->to.value > 0))
        status = lithe_tree_fail(&study->tree, ends, error,
                                 "%.100s.log: is %g to %g, both must have one sign and none be 0",
                                 path->path, range->from.value, range->to.value);
    return status;
}

// `from` and `to` of an even range
static LitheStatus read_even_ends(LitheStudy *study, const LitheTreeNode *from,
                                  const LitheTreeNode *to, LitheStudyPath *path, Range *range,
                                  LitheError *error) {
    LitheStatus status = read_end(study, from, path, "from", &range->from, error);
    if (status == LITHE_OK)
        status = read_end(study, to, path, "to", &range->to, error);
    if (status == LITHE_OK)
        status = check_dimensions(study, to, path, &range->from, &range->to, error);
    return status;
}

// {log: [from, to], count: N}
static LitheStatus read_log(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                            LitheError *error) {
    static const char *const known[] = {"log", "count"};
    LitheStatus status =
        lithe_study_check_keys(study, node, "a logarithmic range", known, 2, error);
    const LitheTreeNode *count = lithe_tree_find(node, "count");
    Range range = {0};
    if (status == LITHE_OK && !count)
        status =
            lithe_tree_fail(&study->tree, node, error, "%.100s: 'count' is missing", path->path);
    if (status == LITHE_OK)
        status = read_log_ends(study, lithe_tree_find(node, "log"), path, &range, error);
    if (status == LITHE_OK)
        status = lithe_study_read_count(study, count, "count", 2, &range.count, error);
    return status == LITHE_OK ? make_range(study, node, &range, path, error) : status;
}

// How many steps fit between the ends.
static LitheStatus read_step(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                             Range *range, LitheError *error) {
    LitheQuantity q = {0};
    LitheStatus status = read_end(study, node, path, "step", &q, error);
    if (status == LITHE_OK)
        status = check_dimensions(study, node, path, &range->from, &q, error);
    if (status != LITHE_OK)
        return status;
    // a last step that ends slightly beyond `to` counts
    double steps = floor((range->to.value - range->from.value) / q.value + 1e-9);
    if (!(steps >= 0 && steps < MAX_VALUES))
        return lithe_tree_fail(&study->tree, node, error,
                               "%.100s.step: is %g: does not lead from %g to %g in less than %d "
                               "steps",
                               path->path, q.value, range->from.value, range->to.value, MAX_VALUES);
    range->step = q.value;
    range->count = (int32_t)steps + 1;
    return LITHE_OK;
}

// {from, to, count} or {from, to, step}
static LitheStatus read_range(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                              LitheError *error) {
    static const char *const known[] = {"from", "to", "count", "step", "log"};
    LitheStatus status = lithe_study_check_keys(study, node, "a range", known, 5, error);
    const LitheTreeNode *from = lithe_tree_find(node, "from"), *to = lithe_tree_find(node, "to"),
                        *count = lithe_tree_find(node, "count"),
                        *step = lithe_tree_find(node, "step");
    if (status == LITHE_OK && (!from || !to || !count == !step))
        status = lithe_tree_fail(&study->tree, node, error,
                                 "%.100s: a range is {from, to, count}, {from, to, step} or "
                                 "{log: [first, last], count}",
                                 path->path);
    Range range = {0};
    if (status == LITHE_OK)
        status = read_even_ends(study, from, to, path, &range, error);
    if (status == LITHE_OK)
        status = step ? read_step(study, step, path, &range, error)
                      : lithe_study_read_count(study, count, "count", 2, &range.count, error);
    return status == LITHE_OK ? make_range(study, node, &range, path, error) : status;
}

LitheStatus lithe_study_read_values(LitheStudy *study, const LitheTreeNode *node,
                                    LitheStudyPath *path, LitheError *error) {
    if (node->kind == LITHE_TREE_SEQUENCE)
        return read_list(study, node, path, error);
    if (node->kind == LITHE_TREE_MAPPING)
        return lithe_tree_find(node, "log") ? read_log(study, node, path, error)
                                            : read_range(study, node, path, error);
    return lithe_tree_fail(&study->tree, node, error,
                           "%.100s: a list of values or a range is expected ('set' takes single "
                           "values)",
                           path->path);
}

// --- samples -------------------------------------------------------------------------------------

// shares [count] of the way from the first to the last value
static LitheStatus make_samples(LitheStudy *study, const LitheTreeNode *node, const Range *range,
                                const double *shares, LitheStudyPath *path, LitheError *error) {
    if (!unit_of(&range->from.dimension, path->unit, sizeof path->unit))
        return lithe_tree_fail(&study->tree, node, error, "%.100s: a range of no known dimension",
                               path->path);
    LitheStatus status = allocate_buffers(study, path, range->count, error);
    double a = range->from.value, b = range->to.value;
    for (int32_t i = 0; status == LITHE_OK && i < range->count; i++) {
        char text[120];
        path->numbers[i] = neat(range->log ? a * pow(b / a, shares[i]) : a + (b - a) * shares[i]);
        number_text(path->numbers[i], path->unit, text, sizeof text);
        status = add_text(study, path, i, text, error);
    }
    return status;
}

// one of the values of a list for each share
static LitheStatus pick_samples(LitheStudy *study, const LitheTreeNode *list, const double *shares,
                                int32_t count, LitheStudyPath *path, LitheError *error) {
    LitheStudyPath all = {.path = path->path, .node = path->node};
    LitheStatus status = read_list(study, list, &all, error);
    if (status == LITHE_OK)
        status = allocate_buffers(study, path, count, error);
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        int32_t k = (int32_t)(shares[i] * all.count);
        path->sets[i] = all.sets[k];
        path->texts[i] = all.texts[k];
    }
    if (status == LITHE_OK)
        find_numbers(path);
    return status;
}

LitheStatus lithe_study_read_samples(LitheStudy *study, const LitheTreeNode *node,
                                     const double *shares, int32_t count, LitheStudyPath *path,
                                     LitheError *error) {
    static const char *const known[] = {"from", "to", "log"};
    if (node->kind == LITHE_TREE_SEQUENCE)
        return pick_samples(study, node, shares, count, path, error);
    const bool mapping = node->kind == LITHE_TREE_MAPPING;
    LitheStatus status =
        mapping ? lithe_study_check_keys(study, node, "a sampled range", known, 3, error)
                : LITHE_OK;
    const LitheTreeNode *from = mapping ? lithe_tree_find(node, "from") : NULL,
                        *to = mapping ? lithe_tree_find(node, "to") : NULL,
                        *log = mapping ? lithe_tree_find(node, "log") : NULL;
    if (status == LITHE_OK && (log ? from || to : !from || !to))
        status = lithe_tree_fail(&study->tree, node, error,
                                 "%.100s: {from, to}, {log: [first, last]} or a list is expected",
                                 path->path);
    Range range = {.count = count};
    if (status == LITHE_OK)
        status = log ? read_log_ends(study, log, path, &range, error)
                     : read_even_ends(study, from, to, path, &range, error);
    return status == LITHE_OK ? make_samples(study, node, &range, shares, path, error) : status;
}

// --- seeds ---------------------------------------------------------------------------------------

LitheStatus lithe_study_read_seeds(LitheStudy *study, const LitheTreeNode *node,
                                   LitheStudyPath *path, LitheError *error) {
    bool list = node->kind == LITHE_TREE_SEQUENCE && node->count > 0;
    int32_t count = list ? node->count : 0;
    LitheStatus status =
        list ? LITHE_OK : lithe_study_read_count(study, node, "seeds", 1, &count, error);
    if (status == LITHE_OK)
        status = allocate_buffers(study, path, count, error);
    const LitheTreeNode *given = list ? node->first : NULL;
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        int32_t seed = i + 1;
        if (given) {
            status = lithe_study_read_count(study, given, "a seed", 0, &seed, error);
            given = given->next;
        }
        char text[24];
        snprintf(text, sizeof text, "%d", seed);
        path->numbers[i] = seed;
        if (status == LITHE_OK)
            status = add_text(study, path, i, text, error);
    }
    return status;
}
