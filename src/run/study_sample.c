// SPDX-License-Identifier: Apache-2.0
// run/study_sample.c - the section `sample` of a study: points instead of a grid

#include "base/memory.h"
#include "base/status.h"
#include "run/sample.h"
#include "run/study.h"

static const char *const methods[] = {"random", "latin", "sobol"};
static const char *const sample_keys[] = {"method", "count", "seed", "of"};

LitheStatus lithe_study_read_sample(const LitheStudy *study, const LitheTreeNode *section,
                                    LitheStudySample *sample, LitheError *error) {
    if (section->kind != LITHE_TREE_MAPPING)
        return lithe_tree_fail(&study->tree, section, error,
                               "sample: {method, count, seed, of} is expected");
    LitheStatus status = lithe_study_check_keys(study, section, "sample", sample_keys, 4, error);
    const LitheTreeNode *method = lithe_tree_find(section, "method"),
                        *count = lithe_tree_find(section, "count"),
                        *seed = lithe_tree_find(section, "seed"),
                        *of = lithe_tree_find(section, "of");
    if (status == LITHE_OK && (!method || !count || !of))
        status = lithe_tree_fail(&study->tree, section, error, "sample: '%s' is missing",
                                 !method  ? "method"
                                 : !count ? "count"
                                          : "of");
    *sample = (LitheStudySample){.seed = 1, .of = of};
    if (status == LITHE_OK)
        status = lithe_study_read_word(study, method, "sample.method", methods, 3, &sample->method,
                                       error);
    if (status == LITHE_OK)
        status = lithe_study_read_count(study, count, "sample.count", 1, &sample->count, error);
    if (status == LITHE_OK && seed)
        status = lithe_study_read_count(study, seed, "sample.seed", 0, &sample->seed, error);
    if (status == LITHE_OK && (of->kind != LITHE_TREE_MAPPING || of->count == 0))
        status = lithe_tree_fail(&study->tree, of, error,
                                 "sample.of: paths and ranges of values are expected");
    if (status == LITHE_OK && sample->method == LITHE_SAMPLE_SOBOL && of->count > LITHE_SOBOL_MAX)
        status = lithe_tree_fail(&study->tree, of, error,
                                 "sample.of: has %d paths, a Sobol sequence has at most %d",
                                 of->count, LITHE_SOBOL_MAX);
    return status;
}

LitheStatus lithe_study_draw(LitheStudy *study, const LitheStudySample *sample, int32_t dimension,
                             const LitheTreeNode *node, LitheStudyPath *path, LitheError *error) {
    double *shares = lithe_alloc_array(study->context, sample->count, sizeof *shares);
    if (!shares)
        return lithe_fail_memory(error, "the values of a study");
    lithe_sample((LitheSampling)sample->method, (uint64_t)sample->seed, dimension, sample->count,
                 shares);
    LitheStatus status = lithe_study_read_samples(study, node, shares, sample->count, path, error);
    lithe_free(study->context, shares);
    return status;
}
