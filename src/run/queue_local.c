// SPDX-License-Identifier: Apache-2.0
// run/queue_local.c - jobs as child processes
//
// A pipe shows the end of a child: only the child holds its write end, so that the read end closes
// when the child ends for any reason. Signal handlers and masks of the caller stay unchanged.

#define _GNU_SOURCE // pipe2, sched_getaffinity

#include "run/queue.h"

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// max delay [ms] until a stop flag is noticed that was raised just before the wait
#define NOTICE_MS 250
// exit code of a child that could not execute the program, as in shells
#define CANNOT_EXECUTE 127

typedef struct Child {
    pid_t pid; // 0: free
    int32_t id;
    int pipe;
} Child;

typedef struct LocalQueue {
    LitheQueue table; // first member: a LitheQueue * is cast to LocalQueue *
    LitheContext *context;
    const volatile sig_atomic_t *stop;
    bool cancelled;
    Child *children;      // [max_running]
    struct pollfd *polls; // [max_running]
} LocalQueue;

// --- start ---------------------------------------------------------------------------------------

// Runs in the child, between fork and exec: only async-signal-safe calls.
static _Noreturn void become(const LitheJob *job, int log, int alive, pid_t parent) {
    // when out of memory, the kernel should end the run, not the parent
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        ssize_t wrote = write(score, "500", 3);
        (void)wrote; // if it fails, the kernel chooses
        close(score);
    }
    // the parent handles Ctrl-C and stops its children; no child outlives it
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANNOT_EXECUTE);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool fine = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
                dup2(log, STDERR_FILENO) >= 0 && fcntl(alive, F_SETFD, 0) == 0;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (fine)
        execv(job->program, (char *const *)job->arguments);
    _exit(CANNOT_EXECUTE);
}

static LitheStatus submit(LitheQueue *queue, const LitheJob *job, LitheError *error) {
    LocalQueue *local = (LocalQueue *)queue;
    int32_t slot = 0;
    while (local->children[slot].pid != 0)
        slot++;
    int log = open(job->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write: %s", job->log,
                          strerror(errno));
    int ends[2] = {-1, -1};
    pid_t pid = -1, parent = getpid();
    if (pipe2(ends, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        become(job, log, ends[1], parent);
    int reason = errno;
    close(log);
    if (ends[1] >= 0)
        close(ends[1]);
    if (pid < 0) {
        if (ends[0] >= 0)
            close(ends[0]);
        return lithe_fail(error, LITHE_NO_MEMORY, "cannot start a process: %s", strerror(reason));
    }
    local->children[slot] = (Child){.pid = pid, .id = job->id, .pipe = ends[0]};
    queue->busy++;
    return LITHE_OK;
}

// --- end -----------------------------------------------------------------------------------------

static void collect(LocalQueue *local, Child *child, LitheJobEnd *end) {
    int how = 0;
    while (waitpid(child->pid, &how, 0) < 0 && errno == EINTR)
        ;
    *end = (LitheJobEnd){.id = child->id,
                         .code = WIFEXITED(how) ? WEXITSTATUS(how) : 0,
                         .signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0};
    close(child->pipe);
    *child = (Child){0};
    local->table.busy--;
}

static LitheStatus wait_any(LitheQueue *queue, LitheJobEnd *end, LitheError *error) {
    LocalQueue *local = (LocalQueue *)queue;
    for (;;) {
        if (local->stop && *local->stop && !local->cancelled)
            return lithe_fail(error, LITHE_INTERRUPTED, "a stop was requested");
        for (int32_t i = 0; i < queue->max_running; i++)
            local->polls[i] = (struct pollfd){
                .fd = local->children[i].pid ? local->children[i].pipe : -1, .events = POLLIN};
        int ready = poll(local->polls, (nfds_t)queue->max_running, NOTICE_MS);
        if (ready < 0 && errno != EINTR)
            return lithe_fail(error, LITHE_NO_MEMORY, "cannot wait for processes: %s",
                              strerror(errno));
        for (int32_t i = 0; ready > 0 && i < queue->max_running; i++)
            if (local->polls[i].revents != 0) {
                collect(local, &local->children[i], end);
                return LITHE_OK;
            }
    }
}

static void cancel(LitheQueue *queue) {
    LocalQueue *local = (LocalQueue *)queue;
    local->cancelled = true;
    for (int32_t i = 0; i < queue->max_running; i++)
        if (local->children[i].pid != 0)
            kill(local->children[i].pid, SIGTERM);
}

static void destroy(LitheQueue *queue) {
    LocalQueue *local = (LocalQueue *)queue;
    for (int32_t i = 0; i < queue->max_running; i++)
        if (local->children[i].pid != 0) {
            LitheJobEnd end;
            kill(local->children[i].pid, SIGKILL);
            collect(local, &local->children[i], &end);
        }
    lithe_free(local->context, local->children);
    lithe_free(local->context, local->polls);
    lithe_free(local->context, local);
}

LitheQueue *lithe_queue_local(LitheContext *context, int32_t max_running,
                              const volatile sig_atomic_t *stop) {
    LocalQueue *local = lithe_alloc(context, sizeof *local);
    Child *children = lithe_alloc_array(context, max_running, sizeof *children);
    struct pollfd *polls = lithe_alloc_array(context, max_running, sizeof *polls);
    if (!local || !children || !polls) {
        lithe_free(context, local);
        lithe_free(context, children);
        lithe_free(context, polls);
        return NULL;
    }
    *local = (LocalQueue){.table = {.submit = submit,
                                    .wait = wait_any,
                                    .cancel = cancel,
                                    .destroy = destroy,
                                    .max_running = max_running},
                          .context = context,
                          .stop = stop,
                          .children = children,
                          .polls = polls};
    return &local->table;
}

int32_t lithe_queue_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int32_t)count : 1;
}
