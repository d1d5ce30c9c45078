// SPDX-License-Identifier: Apache-2.0
// tests/run/fixture.h - a scene, a folder for its recording a.h5, and runs that stop where the test
// wants

#ifndef LITHE_TEST_RUN_FIXTURE_H
#define LITHE_TEST_RUN_FIXTURE_H

#include "test.h"

#include "lithe/run.h"
#include "record/synthetic.h"

#include <signal.h>
#include <unistd.h>

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheRunDef def;
    LitheSummary summary;
    LitheError error;
    char out[256];
    char log[1024];               // last line
    int64_t allocations, stop_at; // requests a stop at one of them; 0: never
    volatile sig_atomic_t stop;
} Fixture;

static inline void fixture_keep_line(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    snprintf(((Fixture *)user)->log, sizeof((Fixture *)user)->log, "%s", text);
}

// with a checkpoint per step, every step allocates
static inline void *fixture_count(size_t bytes, void *user) {
    Fixture *f = user;
    if (++f->allocations == f->stop_at)
        f->stop = 1;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

/// Everything except the scene.
static inline void fixture_begin(Fixture *f) {
    memset(f, 0, sizeof *f);
    LitheContextDef def = lithe_context_def_default();
    def.log = fixture_keep_line;
    def.log_user = f;
    def.alloc = fixture_count;
    def.memory_user = f;
    f->context = lithe_context_create(&def);
    f->folder = test_folder();
    f->def = lithe_run_def_default();
    f->def.out = test_path(&f->folder, "a.h5", f->out);
}

static inline void end(Fixture *f) {
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
}

static inline LitheStatus run(Fixture *f) {
    return lithe_run(f->scene, &f->def, &f->summary, &f->error);
}

/// Runs until this many allocations have been made.
static inline LitheStatus run_until_allocation(Fixture *f, int64_t allocations) {
    f->stop_at = f->allocations + allocations;
    f->stop = 0;
    f->def.stop = &f->stop;
    LitheStatus status = run(f);
    f->def.stop = NULL;
    return status;
}

static inline bool is_there(const Fixture *f, const char *name) {
    char path[256];
    return access(test_path(&f->folder, name, path), F_OK) == 0;
}

#endif
