// SPDX-License-Identifier: Apache-2.0
// cli/bench_print.h - figures of benchmark cases as tables and as JSON

#ifndef LITHE_CLI_BENCH_PRINT_H
#define LITHE_CLI_BENCH_PRINT_H

#include "bench/bench.h"

/// A column of a table: a figure, by its name, times a scale.
typedef struct LitheBenchColumn {
    const char *figure;
    const char *head, *unit; // two lines
    double scale;
    int width, digits; // digits after the point; -1: three significant ones; -2: bytes
} LitheBenchColumn;

/// Columns end with a NULL figure.
void lithe_bench_print_head(const LitheBenchColumn *columns);
void lithe_bench_print_row(const LitheBenchColumn *columns, const char *name,
                           const LitheBenchResult *result);

/// One object on a line; null for figures that are not known.
void lithe_bench_print_json(const char *name, const LitheBenchResult *result);

#endif
