// SPDX-License-Identifier: Apache-2.0
// run/output.h - the output of a run: what may be replaced, and which process writes to it

#ifndef LITHE_RUN_OUTPUT_H
#define LITHE_RUN_OUTPUT_H

#include "lithe/scene.h"

#include <signal.h>

/// "OUT.lock", locked until it is released or the process ends.
typedef struct LitheOutputLock {
    LitheContext *context;
    char *path;
    int fd;
} LitheOutputLock;

/// Checks before the simulation that a recording can be written there, and locks it: a regular file
/// or a new name, not an input of `scene`, not a file that is no recording (unless `force`). Logs
/// that an older recording will be replaced.
LitheStatus lithe_output_begin(const LitheScene *scene, const char *out, bool force,
                               LitheOutputLock *lock, LitheError *error);

/// Checks before a computation that a recording can be written there, in place of an older one at
/// most.
LitheStatus lithe_output_check_result(LitheContext *context, const char *out, LitheError *error);

/// Fails for a file that is no recording, and is not empty. A recording of another scene than
/// `scene`, a text as recordings have it, is warned of if the run `replaces` it, as was said when
/// it began; else it is refused.
LitheStatus lithe_output_check_scene(LitheContext *context, const char *out, const char *scene,
                                     bool replaces, LitheError *error);

/// Only locks the output. Call before anything is created, replaced or removed. Fails while another
/// run has the lock; the message names its process. A link and its target share one lock.
LitheStatus lithe_output_lock(LitheContext *context, const char *out, LitheOutputLock *lock,
                              LitheError *error);

/// Waits at most `seconds` until no process has the lock, or `*stop` is set. For a caller that
/// knows that the process is about to end, such as the run of a sweep that was killed.
void lithe_output_wait(LitheContext *context, const char *out, double seconds,
                       const volatile sig_atomic_t *stop);

/// As lithe_recover, from the journal of the run `run` into `out`; `force` replaces any file.
LitheStatus lithe_recover_to(LitheContext *context, const char *run, const char *out, bool force,
                             int64_t *frames, LitheError *error);

/// Accepts a zeroed lock.
void lithe_output_unlock(LitheOutputLock *lock);

#endif
