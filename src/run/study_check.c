// SPDX-License-Identifier: Apache-2.0
// run/study_check.c - checks a study with its scene before it runs; hashes of both

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/series.h"
#include "record/totals.h"
#include "run/session.h"
#include "run/study.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// max rows tried until one starts: a wrong path is wrong in all rows
#define MAX_TRIED 32

// --- measures ------------------------------------------------------------------------------------

// Whether a measure is one series of the quantities that will be recorded; its unit.
static LitheStatus check_measure(const LitheStudy *study, const LitheScene *scene,
                                 LitheRecording *recording, LitheMeasure *measure,
                                 LitheError *error) {
    LitheSeriesSet set = {0};
    LitheError inner = {0};
    if (lithe_goals_is_measure(measure)) {
        LitheStatus found = lithe_goals_unit(scene, recording, measure, measure->unit, &inner);
        return found == LITHE_OK ? found
                                 : lithe_tree_fail(&study->tree, measure->node, error,
                                                   "measure.%.100s: %s", measure->name, inner.text);
    }
    if (strncmp(measure->of, LITHE_OF_TOTAL, strlen(LITHE_OF_TOTAL)) == 0) {
        const LitheTotal *of = lithe_total_find(measure->of + strlen(LITHE_OF_TOTAL));
        if (!of)
            return lithe_tree_fail(&study->tree, measure->node, error,
                                   "measure.%.100s: '%.80s' is no sum over a run, such as "
                                   "total.steps_cut (docs/guide/sweep.md)",
                                   measure->name, measure->of);
        snprintf(measure->unit, sizeof measure->unit, "%s", of->unit);
        return LITHE_OK;
    }
    LitheStatus status = lithe_recording_series(recording, measure->of, &set, &inner);
    if (status == LITHE_NO_MEMORY)
        return lithe_fail_memory(error, "a measure");
    if (status != LITHE_OK)
        return lithe_tree_fail(&study->tree, measure->node, error, "measure.%.100s.%s",
                               measure->name, inner.text);
    char names[200] = "";
    for (int32_t i = 0; i < set.count && strlen(names) < 120; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.60s", i ? ", " : "",
                 set.series[i].name);
    if (set.count != 1)
        status =
            lithe_tree_fail(&study->tree, measure->node, error,
                            "measure.%.100s.of: '%.80s' selects %d series, must select one: %s",
                            measure->name, measure->of, set.count, names);
    else
        snprintf(measure->unit, sizeof measure->unit, "%s", set.unit);
    lithe_series_release(&set);
    return status;
}

static LitheStatus check_measures(LitheStudy *study, const LitheScene *scene,
                                  const LitheSession *session, LitheError *error) {
    // a recording without frames has names and units
    char path[] = "of";
    LitheRecording empty = {
        .context = study->context, .path = path, .layout = session->layout, .file = -1};
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < study->measure_count; i++)
        status = check_measure(study, scene, &empty, &study->measures[i], error);
    return status;
}

// --- hashes --------------------------------------------------------------------------------------

// False for a file that cannot be read: the list of files also contains names of overrides.
static bool hash_file(const char *path, uint64_t *hash) {
    FILE *file = lithe_file_open_input(path);
    if (!file)
        return false;
    unsigned char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        *hash = lithe_hash(*hash, block, n);
    fclose(file);
    return true;
}

// Hash of the texts of the scene's files (with expressions), and of the scene of one row (with
// meshes and robots).
static LitheStatus hash_scene(LitheStudy *study, const LitheScene *scene, LitheError *error) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < scene->file_count; i++)
        hash_file(scene->files[i], &hash);
    char *text = NULL;
    LitheStatus status = lithe_scene_write(scene, &text, error);
    if (status != LITHE_OK)
        return status;
    study->scene_hash = lithe_hash(hash, text, strlen(text));
    lithe_text_free(study->context, text);
    study->study_hash = lithe_hash(0, study->text, study->text_length);
    return LITHE_OK;
}

// --- rows ----------------------------------------------------------------------------------------

// Starts a row without stepping. *began: whether it reached the check of the measures.
static LitheStatus try_row(LitheStudy *study, int32_t row, const char **sets, bool *began,
                           LitheError *error) {
    LitheScene *scene = NULL;
    lithe_study_sets(study, row, sets);
    LitheStatus status =
        lithe_scene_load(study->context, study->scene, sets, study->path_count, &scene, error);
    if (status != LITHE_OK)
        return status;
    LitheRunDef def = lithe_run_def_default();
    double end = study->until ? study->until_seconds : scene->time.end;
    LitheSession session;
    status = lithe_session_begin(&session, scene, &def, NULL, end, error);
    *began = status == LITHE_OK;
    if (status == LITHE_OK)
        status = check_measures(study, scene, &session, error);
    if (status == LITHE_OK)
        status = hash_scene(study, scene, error);
    lithe_session_end(&session);
    lithe_scene_destroy(scene);
    return status;
}

// The scene does not accept an override: reports its place in the study.
static LitheStatus fail_at_path(const LitheStudy *study, const LitheError *cause,
                                LitheError *error) {
    for (int32_t i = 0; i < study->path_count; i++) {
        const LitheStudyPath *path = &study->paths[i];
        char head[400];
        int length = snprintf(head, sizeof head, "--set %.380s: ", path->path);
        if (length < 0 || strncmp(cause->text, head, (size_t)length) != 0)
            continue;
        LitheTreeNode at = {.file = path->node->file,
                            .line = path->node->key_line,
                            .column = path->node->key_column};
        return lithe_tree_fail(&study->tree, &at, error, "%s", cause->text + strlen("--set "));
    }
    *error = *cause;
    return cause->status;
}

LitheStatus lithe_study_check(LitheStudy *study, LitheError *error) {
    const char **sets = lithe_alloc_array(study->context, study->path_count, sizeof *sets);
    if (!sets)
        return lithe_fail_memory(error, "the overrides of a row");
    // spread over all rows, so that several values of each axis are tried
    int32_t tried = study->row_count < MAX_TRIED ? study->row_count : MAX_TRIED;
    LitheError first = {0}, cause = {0};
    bool began = false;
    LitheStatus status = LITHE_BAD_INPUT;
    for (int32_t k = 0; k < tried && status == LITHE_BAD_INPUT && !began; k++) {
        int32_t row = (int32_t)((int64_t)k * study->row_count / tried);
        status = try_row(study, row, sets, &began, k == 0 ? &first : &cause);
        if (status != LITHE_OK && k == 0)
            cause = first;
    }
    lithe_free(study->context, sets);
    if (status == LITHE_OK)
        return status;
    // an error of a row that started, or of the machine: reported unchanged
    if (began || status != LITHE_BAD_INPUT) {
        *error = cause;
        return status;
    }
    return fail_at_path(study, &first, error);
}
