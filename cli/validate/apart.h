// SPDX-License-Identifier: Apache-2.0
// cli/validate/apart.h - random worlds: each runs in a process of its own; one that fails leaves
// its file

#ifndef LITHE_CLI_APART_H
#define LITHE_CLI_APART_H

#include "cli/validate/validate.h"

/// Fills the outcome, plain data that is zero at the start, of what is run.
typedef void LitheApartFn(const void *what, void *outcome);

typedef enum LitheApart {
    LITHE_APART_DONE,
    LITHE_APART_HUNG,    // took more seconds of the processor than it may
    LITHE_APART_CRASHED, // a signal, a failed assertion, no process
} LitheApart;

/// Runs `run` in a process of its own. What it did not finish leaves the outcome as it was;
/// `status` is what the system says of the process.
LitheApart lithe_run_apart(LitheApartFn *run, const void *what, int seconds, void *outcome,
                           size_t size, int *status);

/// Writes the scene file of a world, with which it runs again, into FOLDER/worlds/NAME.yaml and its
/// path into `path`.
void lithe_world_leave(const LitheTrial *trial, const char *name, const char *text, char *path,
                       size_t size);

#endif
