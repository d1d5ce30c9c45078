// SPDX-License-Identifier: Apache-2.0
// run/watch.h - someone who looks on between the steps of a run, and may hold it or begin it anew

#ifndef LITHE_RUN_WATCH_H
#define LITHE_RUN_WATCH_H

#include "run/session.h"

typedef enum LitheWatchAnswer {
    LITHE_WATCH_GO_ON,
    LITHE_WATCH_RESET, // back to the first state
} LitheWatchAnswer;

struct LitheWatch {
    void *user;

    /// Once, at the state from which the run goes on. Failing ends the run.
    LitheStatus (*begin)(void *user, LitheSession *session, LitheError *error);

    /// Before each step and, with `at_end`, behind the last one. May wait, but not longer than a
    /// moment once the stop flag of the run is raised. Going on at the end finishes the run.
    LitheWatchAnswer (*between_steps)(void *user, LitheSession *session, bool at_end);

    /// When the loop is left; `error` tells why when the status is not LITHE_OK.
    void (*end)(void *user, LitheSession *session, LitheStatus status, const LitheError *error);
};

#endif
