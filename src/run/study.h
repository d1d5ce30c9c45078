// SPDX-License-Identifier: Apache-2.0
// run/study.h - a study file: one scene, values to vary, results to measure; its rows in order
//
//     vary      each entry is an axis; all axes form a grid, the last one varies fastest
//     together  its entries vary together as one axis, after those of `vary`
//     sample    its entries are the coordinates of points, one axis after that of `together`
//     seeds     one more axis, the fastest of all
//
// A row is one run: the fixed overrides, then one value of every path.

#ifndef LITHE_RUN_STUDY_H
#define LITHE_RUN_STUDY_H

#include "lithe/goal.h"
#include "record/recording.h"
#include "scene/tree.h"

/// A study with more rows is refused as a mistake.
#define LITHE_STUDY_MAX_ROWS 1000000

/// What a measure of a sum over all steps begins with: total.steps_cut (record/totals.h).
#define LITHE_OF_TOTAL "total."

/// One number of a run: a recorded quantity reduced over time, or a sum over all steps.
typedef struct LitheMeasure {
    const char *name;
    const char *of; // as in `lithe plot`: "rope.tension[-1]"
    LitheTake take;
    double from, to; // s, range of frames
    double at;       // s, for LITHE_TAKE_AT
    char unit[32];   // set by lithe_study_check
    const LitheTreeNode *node;
} LitheMeasure;

/// A place of the scene and its values.
typedef struct LitheStudyPath {
    const char *path; // "parameters.mu"
    const LitheTreeNode *node;
    const char **sets;  // [count] "parameters.mu=0.2", for `lithe run --set`
    const char **texts; // [count] the value alone
    double *numbers;    // [count] SI; NULL unless all are numbers of one dimension
    char unit[48];      // of `numbers`; "" for plain ones
    int32_t count;
    int32_t axis; // -1: fixed
} LitheStudyPath;

/// Which recordings are kept.
typedef enum LitheKeep {
    LITHE_KEEP_FAILED,
    LITHE_KEEP_TABLE, // none
    LITHE_KEEP_RECORDINGS,
} LitheKeep;

typedef struct LitheStudy {
    LitheContext *context;
    LitheYaml tree;   // owns every text below
    const char *file; // as shown in messages
    const char *text; // of the file
    size_t text_length;
    const char *name;
    const char *scene; // file, relative to the current folder
    const char *until; // as for `lithe run --until`; NULL: the end of the scene
    double until_seconds;
    LitheKeep keep;
    LitheStudyPath *paths; // fixed ones first, then in the order of the axes
    int32_t path_count;
    int32_t *axes; // [axis_count] values of each, the last varies fastest
    int32_t axis_count;
    LitheMeasure *measures;
    int32_t measure_count;
    int32_t row_count;
    uint64_t study_hash, scene_hash; // set by lithe_study_check
} LitheStudy;

/// Reads the file and checks its form. Release at the end; on failure there is nothing to release.
LitheStatus lithe_study_load(LitheContext *context, const char *file, LitheStudy *study,
                             LitheError *error);
void lithe_study_release(LitheStudy *study);

/// Checks that the scene accepts the overrides and that every measure is one series; fills units
/// and hashes. It compiles the scene of one row. Other rows may still be wrong: those fail when
/// they run.
LitheStatus lithe_study_check(LitheStudy *study, LitheError *error);

/// The 0-based index of the value of a path in a row.
int32_t lithe_study_value(const LitheStudy *study, const LitheStudyPath *path, int32_t row);

/// The overrides of a row: sets [path_count].
void lithe_study_sets(const LitheStudy *study, int32_t row, const char **sets);

/// Times of frames are sums of steps, and values of many of them: both differ from given ones by
/// rounding, which is less than this part of the largest.
#define LITHE_MEASURE_SLACK 1e-9

/// The value of a measure, and the largest magnitude of the recorded values that it was computed
/// from: what its rounding is a part of.
typedef struct LitheMeasured {
    double value, scale;
} LitheMeasured;

/// Evaluates a measure of a recording.
LitheStatus lithe_measure(LitheRecording *recording, const LitheMeasure *measure,
                          LitheMeasured *found, LitheError *error);

/// Of a measure of a study: "goals", 1 if all goals of the scene are met, and "goals.NAME", what
/// was measured for one of them.
#define LITHE_OF_GOALS "goals"

/// Whether a measure of a study is one of goals; its value, or its unit in the scene of the study.
bool lithe_goals_is_measure(const LitheMeasure *measure);
LitheStatus lithe_goals_value(LitheRecording *recording, const LitheMeasure *measure,
                              LitheMeasured *found, LitheError *error);
LitheStatus lithe_goals_unit(const LitheScene *scene, LitheRecording *layout,
                             const LitheMeasure *measure, char unit[32], LitheError *error);

// --- between study.c and study_values.c ----------------------------------------------------------

/// Reads the values of `node` (a list, a range or a logarithmic range) into `path`, whose members
/// `path` and `node` are set.
LitheStatus lithe_study_read_values(LitheStudy *study, const LitheTreeNode *node,
                                    LitheStudyPath *path, LitheError *error);

/// Reads one value, of any kind.
LitheStatus lithe_study_read_one(LitheStudy *study, const LitheTreeNode *node, LitheStudyPath *path,
                                 LitheError *error);

/// Maps shares [count] of [0, 1) to values of `node`: {from, to}, {log: [first, last]} or a list.
LitheStatus lithe_study_read_samples(LitheStudy *study, const LitheTreeNode *node,
                                     const double *shares, int32_t count, LitheStudyPath *path,
                                     LitheError *error);

/// Reads a whole number, at least `low`.
LitheStatus lithe_study_read_count(const LitheStudy *study, const LitheTreeNode *node,
                                   const char *what, int32_t low, int32_t *count,
                                   LitheError *error);

/// Reads one of the words; `*found` is its index.
LitheStatus lithe_study_read_word(const LitheStudy *study, const LitheTreeNode *node,
                                  const char *what, const char *const *words, int32_t count,
                                  int *found, LitheError *error);

/// The section `sample` of a study: its method, count and seed, and the mapping `of` its paths.
typedef struct LitheStudySample {
    int method; // a LitheSampling
    int32_t count, seed;
    const LitheTreeNode *of;
} LitheStudySample;

LitheStatus lithe_study_read_sample(const LitheStudy *study, const LitheTreeNode *section,
                                    LitheStudySample *sample, LitheError *error);

/// The values of a path of the sample, its coordinate `dimension`.
LitheStatus lithe_study_draw(LitheStudy *study, const LitheStudySample *sample, int32_t dimension,
                             const LitheTreeNode *node, LitheStudyPath *path, LitheError *error);

/// Reads whole numbers: a list, or N for 1 .. N.
LitheStatus lithe_study_read_seeds(LitheStudy *study, const LitheTreeNode *node,
                                   LitheStudyPath *path, LitheError *error);

/// Reads a time of a study [s].
LitheStatus lithe_study_read_time(const LitheStudy *study, const LitheTreeNode *node,
                                  const char *what, double *seconds, LitheError *error);

/// Fails on keys that are not in `known`.
LitheStatus lithe_study_check_keys(const LitheStudy *study, const LitheTreeNode *mapping,
                                   const char *what, const char *const *known, int32_t count,
                                   LitheError *error);

#endif
