// SPDX-License-Identifier: Apache-2.0
// tests/record/synthetic.h - a recording made of formulas, and a temporary folder

#ifndef LITHE_TEST_SYNTHETIC_H
#define LITHE_TEST_SYNTHETIC_H

#include "base/memory.h"
#include "record/journal.h"
#include "record/recording.h"

#include <stdlib.h>
#include <unistd.h>

enum { SYNTHETIC_NODES = 5, SYNTHETIC_EDGES = 4 };

/// Fails the running test and returns false when anything fails.
static inline bool synthetic_layout(LitheContext *context, LitheLayout *layout) {
    *layout = (LitheLayout){.context = context, .end = 1.0};
    layout->scene = lithe_alloc_text(context, "lithe: 1\n# a scene with an accent: \xc3\xa9\n");
    layout->title = lithe_alloc_text(context, "Synthetic");
    layout->version = lithe_alloc_text(context, "0.0.1");
    const int64_t points[2] = {SYNTHETIC_NODES, 3};
    const int64_t edges[1] = {SYNTHETIC_EDGES};
    const int64_t nodes2[2] = {SYNTHETIC_NODES, 2};
    const double radius = 0.01, closed = 0, lengths[SYNTHETIC_EDGES] = {0.25, 0.25, 0.25, 0.25};
    LitheError error;
    return lithe_layout_add(layout, "time", "s", "time", LITHE_COLUMN_REAL, 0, NULL, &error) ==
               LITHE_OK &&
           lithe_layout_add(layout, "rods/rope/position", "m", "time node xyz", LITHE_COLUMN_REAL,
                            2, points, &error) == LITHE_OK &&
           lithe_layout_add(layout, "rods/rope/tension", "N", "time edge", LITHE_COLUMN_REAL, 1,
                            edges, &error) == LITHE_OK &&
           lithe_layout_add(layout, "rods/rope/curvature", "1/m", "time node m1m2",
                            LITHE_COLUMN_REAL, 2, nodes2, &error) == LITHE_OK &&
           lithe_layout_add(layout, "rods/rope/twist", "rad", "time edge", LITHE_COLUMN_REAL, 1,
                            edges, &error) == LITHE_OK &&
           lithe_layout_add(layout, "drives/pull/force", "N", "time", LITHE_COLUMN_REAL, 0, NULL,
                            &error) == LITHE_OK &&
           lithe_layout_add(layout, "energy/kinetic", "J", "time", LITHE_COLUMN_REAL, 0, NULL,
                            &error) == LITHE_OK &&
           lithe_layout_add(layout, "report/newton_iterations", "1", "time", LITHE_COLUMN_INTEGER,
                            0, NULL, &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "rods/rope/radius", "m", "", LITHE_COLUMN_REAL, 0,
                                     NULL, &radius, &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "rods/rope/closed", "1", "", LITHE_COLUMN_INTEGER, 0,
                                     NULL, &closed, &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "rods/rope/rest_length", "m", "edge",
                                     LITHE_COLUMN_REAL, 1, edges, lengths, &error) == LITHE_OK &&
           lithe_layout_add_text(layout, "rods/rope/section", "circle", &error) == LITHE_OK;
}

enum { SYNTHETIC_POINTS = 4, SYNTHETIC_TRIANGLES = 2, SYNTHETIC_PARTICLES = 3 };

static const double synthetic_triangles[3 * SYNTHETIC_TRIANGLES] = {0, 1, 2, 0, 2, 3};
static const double synthetic_radii[SYNTHETIC_PARTICLES] = {0.01, 0.02, 0.005};

/// Adds a shell, a solid, particles, a fixed body and a list of what touches, in no special order.
static inline bool synthetic_drawn(LitheLayout *layout) {
    static const char *const surfaces[2] = {"shells/cloth", "solids/pad"};
    const int64_t points[2] = {SYNTHETIC_POINTS, 3}, triangles[2] = {SYNTHETIC_TRIANGLES, 3};
    const int64_t particles[2] = {SYNTHETIC_PARTICLES, 3}, seven[1] = {7};
    const double pose[7] = {0, 0, 0, 1, 0, 0, 0}, mass[SYNTHETIC_PARTICLES] = {1, 8, 0.125};
    char path[64];
    LitheError error;
    bool fine = true;
    for (int k = 0; fine && k < 2; k++) {
        snprintf(path, sizeof path, "%s/position", surfaces[k]);
        fine = lithe_layout_add(layout, path, "m", "time point xyz", LITHE_COLUMN_REAL, 2, points,
                                &error) == LITHE_OK;
        snprintf(path, sizeof path, "%s/triangles", surfaces[k]);
        fine = fine &&
               lithe_layout_add_constant(layout, path, "1", "triangle corner", LITHE_COLUMN_INTEGER,
                                         2, triangles, synthetic_triangles, &error) == LITHE_OK;
    }
    return fine &&
           lithe_layout_add(layout, "particles/grains/position", "m", "time particle xyz",
                            LITHE_COLUMN_REAL, 2, particles, &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "particles/grains/radius", "m", "particle",
                                     LITHE_COLUMN_REAL, 1, particles, synthetic_radii,
                                     &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "particles/grains/mass", "kg", "particle",
                                     LITHE_COLUMN_REAL, 1, particles, mass, &error) == LITHE_OK &&
           lithe_layout_add_constant(layout, "bodies/crate/pose", "m, 1", "pose", LITHE_COLUMN_REAL,
                                     1, seven, pose, &error) == LITHE_OK &&
           lithe_layout_add_text(layout, "contacts/things",
                                 "crate\ngrains\nnobody\nrope\ncloth\npad", &error) == LITHE_OK;
}

/// Value `index` of frame `k`: every one different, whole for the integer column.
static inline double synthetic_value(int64_t k, int64_t index) {
    return (double)k * 1000 + (double)index;
}

static inline void synthetic_frame(const LitheLayout *layout, int64_t k, double *frame) {
    for (int64_t i = 0; i < layout->frame_size; i++)
        frame[i] = synthetic_value(k, i);
    frame[0] = 0.125 * (double)k;
}

/// A journal with `frames` frames at `path`, still open.
static inline bool synthetic_journal(LitheContext *context, const char *path, int64_t frames,
                                     LitheJournal *journal) {
    LitheLayout layout;
    LitheError error;
    if (!synthetic_layout(context, &layout) ||
        lithe_journal_create(context, path, &layout, journal, &error) != LITHE_OK)
        return false;
    double *frame = calloc((size_t)journal->layout.frame_size, sizeof *frame);
    bool fine = frame != NULL;
    for (int64_t k = 0; fine && k < frames; k++) {
        synthetic_frame(&journal->layout, k, frame);
        fine = lithe_journal_append(journal, frame, NULL, 0, &error) == LITHE_OK;
    }
    free(frame);
    return fine;
}

typedef struct TestFolder {
    char path[64];
} TestFolder;

/// In memory where the machine has such a folder: hundreds of fsyncs on a disk are slow.
static inline TestFolder test_folder(void) {
    TestFolder folder = {"/dev/shm/lithe-test-XXXXXX"};
    if (access("/dev/shm", W_OK) != 0)
        snprintf(folder.path, sizeof folder.path, "/tmp/lithe-test-XXXXXX");
    if (!mkdtemp(folder.path))
        abort();
    return folder;
}

static inline const char *test_path(const TestFolder *folder, const char *name, char buffer[256]) {
    snprintf(buffer, 256, "%s/%s", folder->path, name);
    return buffer;
}

static inline void test_folder_remove(const TestFolder *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder->path);
    if (system(command) != 0)
        abort();
}

/// The recording a.h5 in the folder with `frames` frames, opened.
static inline bool synthetic_recording(LitheContext *context, const TestFolder *folder,
                                       int64_t frames, LitheRecording **recording,
                                       LitheError *error) {
    char journal_path[256], path[256];
    LitheJournal journal = {0};
    bool fine =
        synthetic_journal(context, test_path(folder, "j", journal_path), frames, &journal) &&
        lithe_recording_write(&journal, test_path(folder, "a.h5", path), error) == LITHE_OK;
    lithe_journal_close(&journal);
    return fine && lithe_recording_open(context, path, recording, error) == LITHE_OK;
}

#endif
