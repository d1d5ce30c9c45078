// SPDX-License-Identifier: Apache-2.0
// run/queue.h - a queue of jobs, each a process of its own: hand one in, wait for any, call all off
//
// The one place that knows where jobs run. The local queue starts them on this machine; a queue
// over the nodes of a cluster fills the same table.

#ifndef LITHE_RUN_QUEUE_H
#define LITHE_RUN_QUEUE_H

#include "lithe/base.h"

#include <signal.h>

/// A command. Everything is copied, or used up, before submit returns.
typedef struct LitheJob {
    int32_t id;                   // comes back with the end
    const char *program;          // to execute
    const char *const *arguments; // the first is the program's name; NULL at the end
    const char *log;              // file for what it prints
} LitheJob;

/// How a job ended.
typedef struct LitheJobEnd {
    int32_t id;
    int code;   // exit code; meaningless when a signal ended it
    int signal; // 0: none
} LitheJobEnd;

typedef struct LitheQueue LitheQueue;

struct LitheQueue {
    /// Starts a job. Call only while `busy` < `room`.
    LitheStatus (*submit)(LitheQueue *queue, const LitheJob *job, LitheError *error);

    /// Blocks until any job ends. LITHE_INTERRUPTED when the caller's stop flag is raised: the jobs
    /// still run, and the next call waits on. Call only while `busy` > 0.
    LitheStatus (*wait)(LitheQueue *queue, LitheJobEnd *end, LitheError *error);

    /// Asks all jobs to save and end; wait still reports each, and no longer looks at the flag.
    void (*cancel)(LitheQueue *queue);

    /// Ends what still runs and frees the queue.
    void (*destroy)(LitheQueue *queue);

    int32_t room; // jobs at a time
    int32_t busy; // jobs that run
};

/// Up to `room` processes on this machine. They end when this one does. `stop` may be NULL.
/// NULL when out of memory.
LitheQueue *lithe_queue_local(LitheContext *context, int32_t room,
                              const volatile sig_atomic_t *stop);

/// Processors that this process may use.
int32_t lithe_queue_processors(void);

#endif
