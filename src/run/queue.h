// SPDX-License-Identifier: Apache-2.0
// run/queue.h - a queue of jobs, one process each: submit one, wait for any, cancel all
//
// The local queue starts jobs on this machine; a queue over the nodes of a cluster would fill the
// same table.

#ifndef LITHE_RUN_QUEUE_H
#define LITHE_RUN_QUEUE_H

#include "lithe/base.h"

#include <signal.h>

/// A command. Everything is copied or used before submit returns.
typedef struct LitheJob {
    int32_t id;                   // returned when the job ends
    const char *program;          // to execute
    const char *const *arguments; // the first is the program's name; NULL at the end
    const char *log;              // file for its output
} LitheJob;

/// How a job ended.
typedef struct LitheJobEnd {
    int32_t id;
    int code;   // exit code; not valid when a signal ended it
    int signal; // 0: none
} LitheJobEnd;

typedef struct LitheQueue LitheQueue;

struct LitheQueue {
    /// Starts a job. Call only while `busy` < `max_running`.
    LitheStatus (*submit)(LitheQueue *queue, const LitheJob *job, LitheError *error);

    /// Blocks until any job ends. LITHE_INTERRUPTED when the caller's stop flag is raised: the jobs
    /// continue, and the next call waits again. Call only while `busy` > 0.
    LitheStatus (*wait)(LitheQueue *queue, LitheJobEnd *end, LitheError *error);

    /// Signals all jobs to save and end; wait still reports each of them and no longer checks the
    /// flag.
    void (*cancel)(LitheQueue *queue);

    /// Ends running jobs and frees the queue.
    void (*destroy)(LitheQueue *queue);

    int32_t max_running; // max running jobs
    int32_t busy;        // running jobs
};

/// Up to `max_running` processes on this machine. They end when this one does. `stop` may be NULL.
/// NULL when out of memory.
LitheQueue *lithe_queue_local(LitheContext *context, int32_t max_running,
                              const volatile sig_atomic_t *stop);

/// The number of processors that this process may use.
int32_t lithe_queue_processors(void);

#endif
