// SPDX-License-Identifier: Apache-2.0
// run/watch.h - an observer between the steps of a run, which may pause or restart it

#ifndef LITHE_RUN_WATCH_H
#define LITHE_RUN_WATCH_H

#include "lithe/run.h"

typedef struct LitheSession LitheSession;

typedef enum LitheWatchAnswer {
    LITHE_WATCH_GO_ON,
    LITHE_WATCH_RESET, // back to the first state
} LitheWatchAnswer;

struct LitheWatch {
    void *user;

    /// Called once, at the state from which the run continues. A failure ends the run.
    LitheStatus (*begin)(void *user, LitheSession *session, LitheError *error);

    /// Called before each step and, with `at_end`, after the last one. It may wait, but must return
    /// soon once the stop flag of the run is raised. Continuing at the end finishes the run.
    LitheWatchAnswer (*between_steps)(void *user, LitheSession *session, bool at_end);

    /// Called when the loop ends; `error` is the reason when the status is not LITHE_OK.
    void (*end)(void *user, LitheSession *session, LitheStatus status, const LitheError *error);
};

#endif
