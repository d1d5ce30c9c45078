// SPDX-License-Identifier: Apache-2.0
// cli/validate/apart.c - a world in a process of its own, and the file that it leaves

#include "cli/validate/apart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// the process: runs, sends its outcome, and ends
static _Noreturn void run_and_send(LitheApartFn *run, const void *what, int seconds, size_t size,
                                   int out) {
    void *outcome = calloc(1, size);
    if (!outcome)
        abort();
    setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)seconds, (rlim_t)seconds + 1});
    run(what, outcome);
    _exit(write(out, outcome, size) == (ssize_t)size ? 0 : 1);
}

LitheApart lithe_run_apart(LitheApartFn *run, const void *what, int seconds, void *outcome,
                           size_t size, int *status) {
    int ends[2];
    *status = 0;
    fflush(NULL);
    void *got = malloc(size);
    if (!got || pipe(ends) != 0) {
        free(got);
        return LITHE_APART_CRASHED;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_and_send(run, what, seconds, size, ends[1]);
    }
    close(ends[1]);
    bool whole = child > 0 && read(ends[0], got, size) == (ssize_t)size;
    close(ends[0]);
    if (child > 0)
        waitpid(child, status, 0);
    bool done = whole && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
    if (done)
        memcpy(outcome, got, size);
    free(got);
    bool hung = WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXCPU;
    return done ? LITHE_APART_DONE : hung ? LITHE_APART_HUNG : LITHE_APART_CRASHED;
}

void lithe_world_leave(const LitheTrial *trial, const char *name, const char *text, char *path,
                       size_t size) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s/worlds", trial->folder);
    mkdir(trial->folder, 0777);
    mkdir(folder, 0777);
    snprintf(path, size, "%s/%s.yaml", folder, name);
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    if ((file && fclose(file) != 0) || !written)
        fprintf(stderr, "lithe: %s: cannot write: %s\n", path, strerror(errno));
}
