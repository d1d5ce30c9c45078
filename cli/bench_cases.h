// SPDX-License-Identifier: Apache-2.0
// cli/bench_cases.h - the table of benchmark cases

#ifndef LITHE_CLI_BENCH_CASES_H
#define LITHE_CLI_BENCH_CASES_H

#include "cli/bench_print.h"

/// What cases with the same figures share.
typedef struct LitheBenchKind {
    LitheBenchFn *run;
    const LitheBenchColumn *columns;
    const char *note; // below the table, or NULL
} LitheBenchKind;

typedef struct LitheBenchCase {
    const char *name;
    const LitheBenchKind *kind;
    LitheBenchSetting setting;
} LitheBenchCase;

/// All cases, in the order in which they run. [lithe_bench_case_count]
extern const LitheBenchCase lithe_bench_cases[];
extern const int lithe_bench_case_count;

/// A bound of their number, for arrays.
enum { LITHE_BENCH_CASES_MAX = 100 };

#endif
