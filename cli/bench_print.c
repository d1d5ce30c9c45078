// SPDX-License-Identifier: Apache-2.0
// cli/bench_print.c - figures of benchmark cases as tables and as JSON

#include "cli/bench_print.h"

#include "cli/cli.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 12, PRECISE = -1, BYTES = -2 };

// --- tables --------------------------------------------------------------------------------------

void lithe_bench_print_head(const LitheBenchColumn *columns) {
    printf("%-*s", NAME_WIDTH, "case");
    for (const LitheBenchColumn *c = columns; c->figure; c++)
        printf(" %*s", c->width, c->head);
    printf("\n%-*s", NAME_WIDTH, "");
    for (const LitheBenchColumn *c = columns; c->figure; c++)
        printf(" %*s", c->width, c->unit);
    printf("\n");
}

static void print_cell(const LitheBenchColumn *c, double value) {
    char text[32];
    if (isnan(value))
        printf(" %*s", c->width, "-");
    else if (c->digits == BYTES)
        printf(" %*s", c->width, lithe_cli_bytes((int64_t)value, text));
    else if (c->digits == PRECISE)
        printf(" %*.3g", c->width, value);
    else
        printf(" %*.*f", c->width, c->digits, value);
}

void lithe_bench_print_row(const LitheBenchColumn *columns, const char *name,
                           const LitheBenchResult *result) {
    printf("%-*s", NAME_WIDTH, name);
    for (const LitheBenchColumn *c = columns; c->figure; c++)
        print_cell(c, c->scale * lithe_bench_get(result, c->figure));
    printf("\n");
    fflush(stdout);
}

// --- JSON ----------------------------------------------------------------------------------------

void lithe_bench_print_json(const char *name, const LitheBenchResult *result) {
    static const char group[] = "stages.";
    LitheJson json = lithe_json_open(stdout), inner = {stdout, 0};
    lithe_json_text(&json, "case", name);
    bool within = false;
    for (int32_t i = 0; i < result->count; i++) {
        const LitheBenchFigure *figure = &result->figures[i];
        bool stage = strncmp(figure->name, group, sizeof group - 1) == 0;
        if (stage && !within)
            fputs(", \"stages\": {", json.file);
        if (!stage && within)
            fputc('}', json.file);
        within = stage;
        if (stage)
            lithe_json_number(&inner, figure->name + sizeof group - 1, figure->value);
        else
            lithe_json_number(&json, figure->name, figure->value);
    }
    if (result->hash != 0)
        lithe_json_hash(&json, "hash", result->hash);
    lithe_json_close(&json);
    fflush(stdout);
}
