// SPDX-License-Identifier: Apache-2.0
// cli/signals.c - Ctrl-C, SIGTERM and SIGHUP: save and stop; a second signal more than a second
// later: exit immediately

#include "cli/cli.h"

#include <errno.h>
#include <time.h>

// Signals within this time of the first are the same request: `timeout` and shells send one to the
// program and one to its group, and the second must not interrupt the saving [s].
#define SAME_REQUEST 1.0

static volatile sig_atomic_t stop_requested;
static struct timespec first; // written and read while these signals are blocked

static void request_stop(int number) {
    int kept = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since =
        (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
    if (!stop_requested) {
        first = now;
        stop_requested = 1;
    } else if (since > SAME_REQUEST) {
        signal(number, SIG_DFL);
        raise(number); // arrives when this handler has ended
    }
    errno = kept;
}

const volatile sig_atomic_t *lithe_cli_stop(void) {
    struct sigaction action = {.sa_handler = request_stop};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // a closed terminal requests a stop, unless the user ignores it (nohup)
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    return &stop_requested;
}
