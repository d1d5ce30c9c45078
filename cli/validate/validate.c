// SPDX-License-Identifier: Apache-2.0
// cli/validate/validate.c - lithe validate: runs the cases of the physical validation suite

#include "cli/validate/validate.h"
#include "cli/cli.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const LitheCase cases[] = {
    {"rod_tip_load", "Cantilever with a dead load at its tip",
     "Bisshopp and Drucker 1945; elliptic integrals", lithe_case_rod_tip_load},
    {"rod_heavy_cantilever", "Cantilever under its own weight: master curve",
     "Romero et al. 2021; theta'' = -Gamma (1 - s) cos theta", lithe_case_rod_heavy_cantilever},
    {"rod_rollup", "Cantilever rolled into circles by an end moment", "closed form",
     lithe_case_rod_rollup},
    {"rod_euler_loads", "Loads at which straight rods lose their stability", "Euler",
     lithe_case_rod_euler_loads},
    {"rod_postbuckle_pinned", "Pinned rod shortened far beyond buckling",
     "elastica: Timoshenko and Gere", lithe_case_rod_postbuckle_pinned},
    {"rod_michell_ring", "Twist at which a ring leaves its plane",
     "Michell 1889, Zajac 1962: 2 pi sqrt(3) B/C", lithe_case_rod_michell_ring},
    {"rod_helical_buckling", "Localised helical buckle of a twisted, shortened rod",
     "van der Heijden, Neukirch, Goss and Thompson 2003", lithe_case_rod_helical_buckling},
    {"rod_catenary", "Rope hanging from two points", "closed form", lithe_case_rod_catenary},
    {"rod_cantilever_freq", "Natural frequencies of a cantilever", "Euler-Bernoulli beam",
     lithe_case_rod_cantilever_freq},
    {"rope_pendulum", "Small oscillations of a hanging rope", "Bernoulli: zeros of J0",
     lithe_case_rope_pendulum},
    {"free_rod_momentum", "Momentum and angular momentum of a free rod", "conservation laws",
     lithe_case_free_rod_momentum},
    {"rod_energy", "Energy of swinging, shaken and damped rods", "conservation of energy",
     lithe_case_rod_energy},
};
#define CASES ((int32_t)(sizeof cases / sizeof *cases))

// --- arguments -----------------------------------------------------------------------------------

typedef struct Wish {
    bool chosen[CASES];
    bool json, longer, list, help;
    const char *folder;
} Wish;

static void print_usage(FILE *file) {
    fputs("usage: lithe validate [CASE...] [--json] [--long] [--list] [--out FOLDER]\n"
          "Compares simulations with known answers. Without a CASE all are run.\n"
          "  --list        the cases and where their references come from\n"
          "  --json        one object a line for each quantity, no table\n"
          "  --long        four times the resolution everywhere\n"
          "  --out FOLDER  where index.html and the plots go, default validation\n"
          "Exit code 1 when a quantity misses its tolerance or its error grows under refinement.\n"
          "example: lithe validate rod_tip_load rod_michell_ring --out report\n",
          file);
}

static int bad_case(const char *name) {
    const char *names[CASES];
    for (int32_t i = 0; i < CASES; i++)
        names[i] = cases[i].name;
    const char *meant = lithe_suggest(name, names, CASES);
    fprintf(stderr, "lithe validate: there is no case '%s'", name);
    if (meant)
        fprintf(stderr, ": did you mean %s?\n", meant);
    else
        fprintf(stderr, "; lithe validate --list names them\n");
    return 2;
}

// 0, or the exit code after a message
static int read_arguments(int argc, char **argv, Wish *wish) {
    bool any = false;
    wish->folder = "validation";
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--json") == 0) {
            wish->json = true;
        } else if (strcmp(a, "--long") == 0) {
            wish->longer = true;
        } else if (strcmp(a, "--list") == 0) {
            wish->list = true;
        } else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            wish->help = true;
        } else if (strcmp(a, "--out") == 0 && i + 1 < argc) {
            wish->folder = argv[++i];
        } else if (a[0] == '-') {
            bool out = strcmp(a, "--out") == 0;
            fprintf(stderr, "lithe validate: %s '%s'\n",
                    out ? "a folder is missing after" : "unknown option", a);
            print_usage(stderr);
            return 2;
        } else {
            int32_t found = -1;
            for (int32_t k = 0; k < CASES; k++)
                if (strcmp(a, cases[k].name) == 0)
                    found = k;
            if (found < 0)
                return bad_case(a);
            wish->chosen[found] = any = true;
        }
    }
    for (int32_t k = 0; k < CASES && !any; k++)
        wish->chosen[k] = true;
    return 0;
}

// --- cases ---------------------------------------------------------------------------------------

static void run_case(LitheContext *context, const Wish *wish, const LitheCase *which,
                     LitheTrial *trial) {
    trial->context = context;
    trial->refine = wish->longer ? 4 : 1;
    double start = lithe_clock();
    if (!which->run(trial) && trial->error.status == LITHE_OK) {
        trial->error.status = LITHE_NO_MEMORY;
        snprintf(trial->error.text, sizeof trial->error.text, "out of memory");
    }
    trial->seconds = lithe_clock() - start;
}

static void free_trial(LitheTrial *trial) {
    for (int32_t i = 0; i < trial->plot.curve_count; i++)
        lithe_free(trial->context, trial->plot.curves[i].x);
    lithe_free(trial->context, trial->findings);
}

static bool all_passed(const LitheTrial *trial) {
    for (int32_t i = 0; i < trial->count; i++)
        if (trial->findings[i].fails)
            return false;
    return trial->error.status == LITHE_OK && trial->count > 0;
}

// the last line of the table
static void print_sum(const LitheOutcome *outcomes, int32_t count, const char *folder) {
    int32_t passed = 0, findings = 0, stopped = 0;
    double seconds = 0;
    for (int32_t i = 0; i < count; i++) {
        const LitheTrial *trial = outcomes[i].trial;
        for (int32_t k = 0; k < trial->count; k++)
            passed += trial->findings[k].fails == NULL;
        findings += trial->count;
        stopped += trial->error.status != LITHE_OK;
        seconds += trial->seconds;
    }
    printf("%d of %d quantities pass, %d of %d cases had to stop, %.1f s; report in "
           "%s/index.html\n",
           passed, findings, stopped, count, seconds, folder);
}

static int run_all(LitheContext *context, const Wish *wish) {
    LitheTrial trials[CASES] = {0};
    LitheOutcome outcomes[CASES];
    int32_t count = 0;
    bool passed = true;
    for (int32_t i = 0; i < CASES; i++) {
        if (!wish->chosen[i])
            continue;
        outcomes[count] = (LitheOutcome){&cases[i], &trials[i]};
        run_case(context, wish, &cases[i], &trials[i]);
        if (wish->json)
            lithe_validate_json(&outcomes[count]);
        else
            lithe_validate_table(&outcomes[count]);
        fflush(stdout);
        passed = passed && all_passed(&trials[i]);
        count++;
    }
    LitheError error = {0};
    LitheStatus status = lithe_validate_report(context, wish->folder, outcomes, count, &error);
    if (status != LITHE_OK)
        fprintf(stderr, "lithe validate: %s\n", error.text);
    else if (!wish->json)
        print_sum(outcomes, count, wish->folder);
    for (int32_t i = 0; i < CASES; i++)
        free_trial(&trials[i]);
    return status != LITHE_OK ? 2 : passed ? 0 : 1;
}

int lithe_cli_validate(int argc, char **argv) {
    Wish wish = {0};
    int code = read_arguments(argc, argv, &wish);
    if (code != 0)
        return code;
    if (wish.help) {
        print_usage(stdout);
        return 0;
    }
    if (wish.list) {
        for (int32_t i = 0; i < CASES; i++)
            printf("%-22s %s (%s)\n", cases[i].name, cases[i].title, cases[i].source);
        return 0;
    }
    LitheContext *context = lithe_context_create(NULL);
    if (!context) {
        fputs("lithe validate: out of memory\n", stderr);
        return 2;
    }
    code = run_all(context, &wish);
    lithe_context_destroy(context);
    return code;
}
