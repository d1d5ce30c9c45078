// SPDX-License-Identifier: Apache-2.0
// cli/replay.c - lithe replay: solve a saved convex problem again, and check the solution

#include "cli/cli.h"

#include "assemble/assemble.h"
#include "base/memory.h"
#include "solve/check.h"
#include "solve/replay.h"

#include <stdlib.h>

typedef struct Options {
    const char *path;
    double tolerance; // 0: that of the file
} Options;

static error_t take(int key, char *arg, struct argp_state *state) {
    Options *o = state->input;
    char *end = arg;
    switch (key) {
    case 't':
        o->tolerance = strtod(arg, &end);
        if (end == arg || *end || !(o->tolerance > 0))
            argp_error(state, "--tolerance takes a number above 0, not '%s'", arg);
        return 0;
    case ARGP_KEY_ARG:
        if (o->path)
            argp_error(state, "expected one FILE, unexpected argument '%s'", arg);
        o->path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->path)
            argp_error(state, "FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"tolerance", 't', "NUMBER", 0, "of the momentum balance, in place of the file's", 0},
    {0},
};

static const struct argp argp = {
    options,
    take,
    "FILE",
    "Solve the convex problem of one step again and check the solution. The tests of the solver "
    "save such a file for every solve that fails.\v"
    "Example: lithe replay failed-17-3.system",
    NULL,
    NULL,
    NULL};

static int solve(LitheContext *context, const Options *o, LitheSystem *system) {
    LitheConvexSetting setting;
    LitheError error;
    if (lithe_replay_read(context, o->path, system, &setting, &error) != LITHE_OK)
        return lithe_cli_failed(&error);
    if (o->tolerance > 0)
        setting.tolerance = o->tolerance;
    double *work = lithe_alloc_array(context, 4 * (int64_t)system->dof_count, sizeof(double));
    if (!work) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    bool solved = lithe_convex_solve(system, &setting);
    LitheCheck check = lithe_system_check(system, &setting, system->stalled, work);
    lithe_free(context, work);
    printf("%d degrees of freedom, %d couplings\n", (int)system->dof_count,
           (int)system->coupling_count);
    printf("%s after %d iterations and %d searches, residual %.3g, cost %.17g, backward error "
           "%.2g\n",
           !solved             ? "refused"
           : system->converged ? "converged"
           : system->stalled   ? "stalled"
                               : "not converged",
           (int)system->iterations, (int)system->searches, system->residual, system->cost,
           system->backward_error);
    if (check.failed == LITHE_CHECK_PASSED)
        printf("checked: passed\n");
    else
        printf("checked: %s violated at coupling %d, row %d: %g, limit %g\n",
               lithe_check_name(check.failed), (int)check.coupling, (int)check.row, check.size,
               check.limit);
    bool good = solved && (system->converged || system->stalled);
    return good && check.failed == LITHE_CHECK_PASSED ? LITHE_EXIT_DONE : LITHE_EXIT_CHECK_FAILED;
}

int lithe_cli_replay(int argc, char **argv) {
    Options o = {0};
    lithe_cli_parse(&argp, argc, argv, &o);
    LitheContext *context = lithe_cli_context(false);
    LitheSystem system = {0};
    int code = solve(context, &o, &system);
    if (system.context)
        lithe_system_release(&system);
    lithe_context_destroy(context);
    return code;
}
