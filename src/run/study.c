// SPDX-License-Identifier: Apache-2.0
// run/study.c - reads a study file; counts its rows

#include "run/study.h"

#include "base/file.h"
#include "base/status.h"
#include "base/suggest.h"
#include "scene/fields.h"
#include "scene/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const study_keys[] = {"lithe",  "name",  "scene",   "set",   "vary", "together",
                                         "sample", "seeds", "measure", "until", "keep"};
static const char *const measure_keys[] = {"of", "take", "from", "to", "at"};
static const char *const seed_keys[] = {"path", "values"};
static const char *const takes[] = {"last", "first", "mean", "min", "max", "at"};
static const char *const keeps[] = {"failed", "table", "recordings"};

#define COUNT_OF(list) ((int32_t)(sizeof(list) / sizeof *(list)))

// --- small things --------------------------------------------------------------------------------

static void *push(LitheStudy *study, int64_t count, size_t size) {
    void *block = lithe_arena_push(&study->tree.arena, count > 0 ? count : 1, size);
    if (block)
        memset(block, 0, (size_t)(count > 0 ? count : 1) * size);
    return block;
}

LitheStatus lithe_study_check_keys(const LitheStudy *study, const LitheTreeNode *mapping,
                                   const char *what, const char *const *known, int32_t count,
                                   LitheError *error) {
    for (const LitheTreeNode *child = mapping->first; child; child = child->next) {
        bool found = false;
        for (int32_t i = 0; i < count && !found; i++)
            found = strcmp(child->key, known[i]) == 0;
        if (found)
            continue;
        char text[500];
        snprintf(text, sizeof text, "%.60s: unknown key in %s", child->key, what);
        lithe_known_text(child->key, known, count, text, sizeof text);
        LitheTreeNode at = {
            .file = child->file, .line = child->key_line, .column = child->key_column};
        return lithe_tree_fail(&study->tree, &at, error, "%s", text);
    }
    return LITHE_OK;
}

// whether the file has objects of its own
static bool is_scene(const LitheTreeNode *root) {
    static const char *const sections[] = {"materials", "rods",   "bodies", "particles",
                                           "robots",    "chains", "time"};
    for (int32_t i = 0; i < COUNT_OF(sections); i++)
        if (lithe_tree_find(root, sections[i]))
            return true;
    return false;
}

static bool has_text(const LitheTreeNode *node) {
    return node->kind == LITHE_TREE_SCALAR && node->text[0] != '\0';
}

LitheStatus lithe_study_read_word(const LitheStudy *study, const LitheTreeNode *node,
                                  const char *what, const char *const *words, int32_t count,
                                  int *found, LitheError *error) {
    const char *word = node->kind == LITHE_TREE_SCALAR ? node->text : "";
    for (int32_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0) {
            *found = i;
            return LITHE_OK;
        }
    char text[300];
    snprintf(text, sizeof text, "%s is '%.60s'", what, word);
    lithe_known_text(word, words, count, text, sizeof text);
    return lithe_tree_fail(&study->tree, node, error, "%s", text);
}

LitheStatus lithe_study_read_time(const LitheStudy *study, const LitheTreeNode *node,
                                  const char *what, double *seconds, LitheError *error) {
    char why[200] = "", found[64];
    LitheQuantity q = {0};
    if (!has_text(node))
        return lithe_tree_fail(&study->tree, node, error, "%s: a time is expected, such as 1.5 s",
                               what);
    if (!lithe_quantity_parse(node->text, NULL, NULL, &q, why, sizeof why))
        return lithe_tree_fail(&study->tree, node, error, "%s: '%.60s': %s", what, node->text, why);
    if (!lithe_quantity_fits(&q, LITHE_WANT_TIME) || !isfinite(q.value)) {
        lithe_dimension_text(&q.dimension, found, sizeof found);
        return lithe_tree_fail(&study->tree, node, error, "%s: '%.60s' is %s, a time is expected",
                               what, node->text, isfinite(q.value) ? found : "not finite");
    }
    *seconds = q.value;
    return LITHE_OK;
}

// --- the head: scene, name, until, keep ----------------------------------------------------------

// "scenes/rope.yaml" as seen from the folder of the study
static LitheStatus read_scene(LitheStudy *study, const LitheTreeNode *root, LitheError *error) {
    const LitheTreeNode *node = lithe_tree_find(root, "scene");
    if (!node)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: 'scene', the file to run, is missing",
                          study->file);
    if (!has_text(node))
        return lithe_tree_fail(&study->tree, node, error, "scene: a file name is expected");
    const char *slash = node->text[0] == '/' ? NULL : strrchr(study->file, '/');
    int folder = slash ? (int)(slash - study->file) + 1 : 0;
    size_t size = (size_t)folder + strlen(node->text) + 1;
    char *path = push(study, (int64_t)size, 1);
    if (!path)
        return lithe_fail_memory(error, "a file name");
    snprintf(path, size, "%.*s%s", folder, study->file, node->text);
    study->scene = path;
    return LITHE_OK;
}

static LitheStatus read_head(LitheStudy *study, const LitheTreeNode *root, LitheError *error) {
    const LitheTreeNode *version = lithe_tree_find(root, "lithe");
    if (!version)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: 'lithe: 1', the version of the format, is missing", study->file);
    if (version->kind != LITHE_TREE_SCALAR || strcmp(version->text, "1") != 0)
        return lithe_tree_fail(&study->tree, version, error,
                               "lithe: version '%.20s' of the format is not supported, only 1 is",
                               version->kind == LITHE_TREE_SCALAR ? version->text : "");
    LitheStatus status = read_scene(study, root, error);
    const LitheTreeNode *name = lithe_tree_find(root, "name");
    if (status == LITHE_OK && name && !has_text(name))
        status = lithe_tree_fail(&study->tree, name, error, "name: a text is expected");
    study->name = name ? name->text : "";
    const LitheTreeNode *until = lithe_tree_find(root, "until");
    if (status == LITHE_OK && until) {
        status = lithe_study_read_time(study, until, "until", &study->until_seconds, error);
        if (status == LITHE_OK && !(study->until_seconds > 0))
            status = lithe_tree_fail(&study->tree, until, error, "until is %g s, must be > 0",
                                     study->until_seconds);
        study->until = until->text;
    }
    const LitheTreeNode *keep = lithe_tree_find(root, "keep");
    int word = LITHE_KEEP_FAILED;
    if (status == LITHE_OK && keep)
        status = lithe_study_read_word(study, keep, "keep", keeps, COUNT_OF(keeps), &word, error);
    study->keep = (LitheKeep)word;
    return status;
}

// --- paths ---------------------------------------------------------------------------------------

static LitheStatus wants_mapping(const LitheStudy *study, const LitheTreeNode *node,
                                 const char *what, LitheError *error) {
    if (node->kind == LITHE_TREE_MAPPING && node->count > 0)
        return LITHE_OK;
    return lithe_tree_fail(&study->tree, node, error, "%s", what);
}

// Only one entry may give values to a place of the scene.
static LitheStatus add_path(LitheStudy *study, const LitheTreeNode *node, const char *name,
                            LitheStudyPath **path, LitheError *error) {
    LitheTreeNode at = {.file = node->file, .line = node->key_line, .column = node->key_column};
    if (name[0] == '\0' || strchr(name, '='))
        return lithe_tree_fail(&study->tree, &at, error,
                               "'%.60s': a path of the scene is expected, such as parameters.speed",
                               name);
    for (int32_t i = 0; i < study->path_count; i++)
        if (strcmp(study->paths[i].path, name) == 0)
            return lithe_tree_fail(&study->tree, &at, error,
                                   "%.100s: gets values already at line %d", name,
                                   study->paths[i].node->key_line);
    *path = &study->paths[study->path_count++];
    **path = (LitheStudyPath){.path = name, .node = node, .axis = -1};
    return LITHE_OK;
}

static void add_axis(LitheStudy *study, LitheStudyPath *path) {
    path->axis = study->axis_count;
    study->axes[study->axis_count++] = path->count;
}

static LitheStatus read_set(LitheStudy *study, const LitheTreeNode *section, LitheError *error) {
    LitheStatus status =
        wants_mapping(study, section, "set: paths and their values are expected", error);
    for (const LitheTreeNode *n = section->first; status == LITHE_OK && n; n = n->next) {
        LitheStudyPath *path = NULL;
        status = add_path(study, n, n->key, &path, error);
        if (status == LITHE_OK)
            status = lithe_study_read_one(study, n, path, error);
    }
    return status;
}

static LitheStatus read_vary(LitheStudy *study, const LitheTreeNode *section, LitheError *error) {
    LitheStatus status =
        wants_mapping(study, section, "vary: paths and lists of values are expected", error);
    for (const LitheTreeNode *n = section->first; status == LITHE_OK && n; n = n->next) {
        LitheStudyPath *path = NULL;
        status = add_path(study, n, n->key, &path, error);
        if (status == LITHE_OK)
            status = lithe_study_read_values(study, n, path, error);
        if (status == LITHE_OK)
            add_axis(study, path);
    }
    return status;
}

static LitheStatus read_together(LitheStudy *study, const LitheTreeNode *section,
                                 LitheError *error) {
    LitheStatus status =
        wants_mapping(study, section, "together: paths and lists of values are expected", error);
    const LitheStudyPath *first = NULL;
    for (const LitheTreeNode *n = section->first; status == LITHE_OK && n; n = n->next) {
        LitheStudyPath *path = NULL;
        status = add_path(study, n, n->key, &path, error);
        if (status == LITHE_OK)
            status = lithe_study_read_values(study, n, path, error);
        if (status != LITHE_OK)
            break;
        if (!first)
            add_axis(study, path);
        else if (path->count != first->count)
            return lithe_tree_fail(&study->tree, n, error,
                                   "together: %.80s has %d values, but %.80s has %d", path->path,
                                   path->count, first->path, first->count);
        if (first)
            path->axis = first->axis;
        else
            first = path;
    }
    return status;
}

// the coordinates of points: one axis
static LitheStatus read_sample(LitheStudy *study, const LitheTreeNode *section, LitheError *error) {
    LitheStudySample sample;
    LitheStatus status = lithe_study_read_sample(study, section, &sample, error);
    const LitheStudyPath *first = NULL;
    int32_t dimension = 0;
    for (const LitheTreeNode *n = status == LITHE_OK ? sample.of->first : NULL;
         status == LITHE_OK && n; n = n->next) {
        LitheStudyPath *path = NULL;
        status = add_path(study, n, n->key, &path, error);
        if (status == LITHE_OK)
            status = lithe_study_draw(study, &sample, dimension++, n, path, error);
        if (status == LITHE_OK && !first)
            add_axis(study, path);
        else if (status == LITHE_OK)
            path->axis = first->axis;
        first = first ? first : path;
    }
    return status;
}

// N, a list, or {path: .., values: N or a list}
static LitheStatus read_seeds(LitheStudy *study, const LitheTreeNode *section, LitheError *error) {
    const char *name = "parameters.seed";
    const LitheTreeNode *values = section;
    LitheStatus status = LITHE_OK;
    if (section->kind == LITHE_TREE_MAPPING) {
        status =
            lithe_study_check_keys(study, section, "seeds", seed_keys, COUNT_OF(seed_keys), error);
        const LitheTreeNode *path = lithe_tree_find(section, "path");
        values = lithe_tree_find(section, "values");
        if (status == LITHE_OK && !values)
            status = lithe_tree_fail(&study->tree, section, error,
                                     "seeds: 'values', how many or a list, is missing");
        if (status == LITHE_OK && path && !has_text(path))
            status = lithe_tree_fail(&study->tree, path, error,
                                     "seeds.path: a path of the scene is expected");
        if (status == LITHE_OK && path)
            name = path->text;
    }
    LitheStudyPath *path = NULL;
    if (status == LITHE_OK)
        status = add_path(study, section, name, &path, error);
    if (status == LITHE_OK)
        status = lithe_study_read_seeds(study, values, path, error);
    if (status == LITHE_OK)
        add_axis(study, path);
    return status;
}

static LitheStatus read_paths(LitheStudy *study, const LitheTreeNode *root, LitheError *error) {
    static const struct {
        const char *key;
        LitheStatus (*read)(LitheStudy *study, const LitheTreeNode *section, LitheError *error);
    } sections[] = {{"set", read_set},
                    {"vary", read_vary},
                    {"together", read_together},
                    {"sample", read_sample},
                    {"seeds", read_seeds}};
    int64_t max = 1;
    for (int32_t i = 0; i < COUNT_OF(sections); i++) {
        const LitheTreeNode *section = lithe_tree_find(root, sections[i].key);
        const LitheTreeNode *of = section ? lithe_tree_find(section, "of") : NULL;
        max += (section ? section->count : 0) + (of ? of->count : 0);
    }
    study->paths = push(study, max, sizeof *study->paths);
    study->axes = push(study, max, sizeof *study->axes);
    if (!study->paths || !study->axes)
        return lithe_fail_memory(error, "a study");
    for (int32_t i = 0; i < COUNT_OF(sections); i++) {
        const LitheTreeNode *section = lithe_tree_find(root, sections[i].key);
        LitheStatus status = section ? sections[i].read(study, section, error) : LITHE_OK;
        if (status != LITHE_OK)
            return status;
    }
    int64_t rows = 1;
    for (int32_t i = 0; i < study->axis_count; i++)
        if ((rows *= study->axes[i]) > LITHE_STUDY_MAX_ROWS)
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: has more than %d rows", study->file,
                              LITHE_STUDY_MAX_ROWS);
    if (study->axis_count == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: varies nothing: 'vary', 'together', 'sample' or 'seeds' is expected",
                          study->file);
    study->row_count = (int32_t)rows;
    return LITHE_OK;
}

// --- measures ------------------------------------------------------------------------------------

static LitheStatus read_measure_times(LitheStudy *study, const LitheTreeNode *node,
                                      LitheMeasure *measure, LitheError *error) {
    const struct {
        const char *key;
        double *seconds;
    } times[] = {{"from", &measure->from}, {"to", &measure->to}, {"at", &measure->at}};
    for (int32_t i = 0; i < COUNT_OF(times); i++) {
        const LitheTreeNode *time = lithe_tree_find(node, times[i].key);
        char what[200];
        snprintf(what, sizeof what, "measure.%.100s.%s", measure->name, times[i].key);
        LitheStatus status =
            time ? lithe_study_read_time(study, time, what, times[i].seconds, error) : LITHE_OK;
        if (status != LITHE_OK)
            return status;
    }
    if (measure->from > measure->to)
        return lithe_tree_fail(&study->tree, node, error,
                               "measure.%.100s: from is %g s, must be at most to, %g s",
                               measure->name, measure->from, measure->to);
    return LITHE_OK;
}

static LitheStatus read_measure_mapping(LitheStudy *study, const LitheTreeNode *node,
                                        LitheMeasure *measure, LitheError *error) {
    LitheStatus status = lithe_study_check_keys(study, node, "a measure", measure_keys,
                                                COUNT_OF(measure_keys), error);
    if (status != LITHE_OK)
        return status;
    const LitheTreeNode *of = lithe_tree_find(node, "of"), *take = lithe_tree_find(node, "take");
    const LitheTreeNode *at = lithe_tree_find(node, "at");
    if (!of || !has_text(of))
        return lithe_tree_fail(&study->tree, of ? of : node, error,
                               "measure.%.100s: 'of', a quantity such as rope.tension.max, is "
                               "expected",
                               measure->name);
    measure->of = of->text;
    measure->node = of;
    int word = at ? LITHE_TAKE_AT : LITHE_TAKE_LAST;
    char what[200];
    snprintf(what, sizeof what, "measure.%.100s.take", measure->name);
    if (take)
        status = lithe_study_read_word(study, take, what, takes, COUNT_OF(takes), &word, error);
    measure->take = (LitheTake)word;
    if (status == LITHE_OK && (measure->take == LITHE_TAKE_AT) != (at != NULL))
        return lithe_tree_fail(&study->tree, at ? at : node, error, "measure.%.100s: 'at: TIME' %s",
                               measure->name,
                               at ? "cannot be combined with another 'take'" : "is missing");
    return status == LITHE_OK ? read_measure_times(study, node, measure, error) : status;
}

static LitheStatus read_measures(LitheStudy *study, const LitheTreeNode *root, LitheError *error) {
    const LitheTreeNode *section = lithe_tree_find(root, "measure");
    if (!section)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: measures nothing: 'measure', names and quantities, is missing",
                          study->file);
    LitheStatus status =
        wants_mapping(study, section, "measure: names and quantities are expected", error);
    if (status != LITHE_OK)
        return status;
    study->measures = push(study, section->count, sizeof *study->measures);
    if (!study->measures)
        return lithe_fail_memory(error, "a study");
    for (const LitheTreeNode *n = section->first; status == LITHE_OK && n; n = n->next) {
        LitheMeasure *measure = &study->measures[study->measure_count++];
        *measure = (LitheMeasure){.name = n->key, .of = n->text, .from = -INFINITY, .to = INFINITY};
        measure->node = n;
        if (strpbrk(n->key, "/\"\n") || n->key[0] == '\0')
            status = lithe_tree_fail(&study->tree, n, error,
                                     "measure: '%.60s' cannot be the name of a column", n->key);
        else if (n->kind == LITHE_TREE_MAPPING)
            status = read_measure_mapping(study, n, measure, error);
        else if (!has_text(n))
            status = lithe_tree_fail(&study->tree, n, error,
                                     "measure.%.100s: a quantity is expected, such as "
                                     "rope.tension.max",
                                     n->key);
    }
    return status;
}

// --- the file ------------------------------------------------------------------------------------

static LitheStatus read_text(LitheStudy *study, const char *file, LitheError *error) {
    FILE *stream = lithe_file_open_input(file);
    if (!stream)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read: %s", file,
                          lithe_file_reason(errno));
    size_t capacity = 1 << 16, used = 0;
    char *text = push(study, (int64_t)capacity, 1);
    while (text) {
        errno = 0;
        size_t n = fread(text + used, 1, capacity - 1 - used, stream);
        used += n;
        if (n == 0)
            break;
        if (used + 1 < capacity)
            continue;
        capacity *= 2;
        char *more = capacity <= LITHE_TREE_MAX_BYTES ? push(study, (int64_t)capacity, 1) : NULL;
        if (more)
            memcpy(more, text, used);
        text = more;
    }
    int reason = ferror(stream) ? (errno ? errno : EIO) : 0;
    fclose(stream);
    if (!text && capacity > LITHE_TREE_MAX_BYTES)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: has more than %zu bytes", file,
                          LITHE_TREE_MAX_BYTES / 2);
    if (!text)
        return lithe_fail_memory(error, "a file's text");
    if (reason)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read: %s", file,
                          lithe_file_reason(reason));
    study->text = text;
    study->text_length = used;
    return LITHE_OK;
}

static LitheStatus read_study(LitheStudy *study, const char *path, LitheError *error) {
    LitheTreeNode *root = NULL;
    int32_t file = 0;
    LitheStatus status = read_text(study, path, error);
    if (status == LITHE_OK)
        status = lithe_tree_add_file(&study->tree, path, NULL, &file, error);
    if (status != LITHE_OK)
        return status;
    study->file = study->tree.files[file];
    status =
        lithe_tree_parse(&study->tree, file, study->text, study->text_length, false, &root, error);
    if (status == LITHE_OK && (!root || root->kind != LITHE_TREE_MAPPING))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: not a study: a mapping that begins with 'lithe: 1' is expected",
                            study->file);
    if (status == LITHE_OK && is_scene(root))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: is a scene, not a study: a study names its scene (scene: %s) and "
                            "what varies (vary: ..); lithe run runs a scene once",
                            study->file, study->file);
    if (status == LITHE_OK)
        status =
            lithe_study_check_keys(study, root, "a study", study_keys, COUNT_OF(study_keys), error);
    if (status == LITHE_OK)
        status = read_head(study, root, error);
    if (status == LITHE_OK)
        status = read_paths(study, root, error);
    return status == LITHE_OK ? read_measures(study, root, error) : status;
}

LitheStatus lithe_study_load(LitheContext *context, const char *file, LitheStudy *study,
                             LitheError *error) {
    LitheStudy made = {.context = context};
    lithe_tree_begin(&made.tree, context);
    LitheStatus status = read_study(&made, file, error);
    if (status == LITHE_OK)
        *study = made;
    else
        lithe_tree_end(&made.tree);
    return status;
}

void lithe_study_release(LitheStudy *study) {
    if (study->context)
        lithe_tree_end(&study->tree);
    *study = (LitheStudy){0};
}

// --- rows ----------------------------------------------------------------------------------------

int32_t lithe_study_value(const LitheStudy *study, const LitheStudyPath *path, int32_t row) {
    if (path->axis < 0)
        return 0;
    for (int32_t i = study->axis_count - 1; i > path->axis; i--)
        row /= study->axes[i];
    return row % study->axes[path->axis];
}

void lithe_study_sets(const LitheStudy *study, int32_t row, const char **sets) {
    for (int32_t i = 0; i < study->path_count; i++)
        sets[i] = study->paths[i].sets[lithe_study_value(study, &study->paths[i], row)];
}
