// SPDX-License-Identifier: Apache-2.0
// cli/materials.c - lithe materials: what the library has, and the sources of its values

#include "cli/cli.h"

#include "lithe/library.h"
#include "scene/library.h"

#include <stdlib.h>
#include <string.h>

typedef struct Request {
    const char *name;
    bool json;
} Request;

static error_t parse(int key, char *argument, struct argp_state *state) {
    Request *request = state->input;
    switch (key) {
    case 'J':
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->name)
            argp_error(state, "one name is expected");
        request->name = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char *const headings[] = {
    [LITHE_LIBRARY_MATERIAL] = "materials", [LITHE_LIBRARY_LINE] = "ropes, cables and hoses"};

// --- text ----------------------------------------------------------------------------------------

static char *in_words(double value, const char *unit, char text[32]) {
    if (*unit)
        return lithe_cli_nice(value, unit, text);
    snprintf(text, 32, "%.4g", value);
    return text;
}

// "210 GPa", or "1.59 GPa to 3.79 GPa" of a range
static void print_value(const LitheLibraryValue *value) {
    char low[32], high[32];
    in_words(value->low, value->unit, low);
    in_words(value->high, value->unit, high);
    if (value->low < value->high)
        printf("%s to %s", low, high);
    else
        printf("%s", low);
}

static void print_list(void) {
    int kind = -1;
    for (int32_t i = 0; i < lithe_library_count(); i++) {
        LitheLibraryEntry entry = lithe_library_at(i);
        if ((int)entry.kind != kind)
            printf("%s%s\n", kind < 0 ? "" : "\n", headings[entry.kind]);
        kind = (int)entry.kind;
        printf("  %-20s %s\n", entry.name, entry.about);
    }
    printf("\n`lithe materials NAME` shows the values of one with their sources. In a scene:\n"
           "  materials: {wire: {from: steel-s235}}\n"
           "  rods: {cable: {section: {stiffness: {from: model-power-cable, GJ: 1e-3}}, ..}}\n");
}

static void print_entry(const LitheLibraryEntry *entry) {
    printf("%s: %s\n", entry->name, entry->about);
    for (int32_t i = 0; i < entry->value_count; i++) {
        const LitheLibraryValue *value = &entry->values[i];
        printf("  %-16s ", value->key);
        print_value(value);
        if (value->low < value->high) {
            char text[32];
            printf(" (taken: %s)", in_words(value->value, value->unit, text));
        }
        printf("\n                   %s\n", value->source);
    }
    printf("%s\n", entry->kind == LITHE_LIBRARY_MATERIAL
                       ? "In a scene: `materials: {NAME: {from: THIS}}`; own keys replace values."
                       : "In a scene: `section: {stiffness: {from: THIS}}` of a rod; own keys "
                         "replace values.");
}

// --- JSON ----------------------------------------------------------------------------------------

static void json_entry(const LitheLibraryEntry *entry, const char *indent) {
    printf("%s{\"name\": \"%s\", \"kind\": \"%s\", \"about\": \"%s\", \"values\": {", indent,
           entry->name, entry->kind == LITHE_LIBRARY_MATERIAL ? "material" : "line", entry->about);
    for (int32_t i = 0; i < entry->value_count; i++) {
        const LitheLibraryValue *value = &entry->values[i];
        printf("%s\n%s  \"%s\": {\"value\": %.9g, \"unit\": \"%s\", \"low\": %.9g, \"high\": %.9g, "
               "\"source\": \"%s\"}",
               i > 0 ? "," : "", indent, value->key, value->value, value->unit, value->low,
               value->high, value->source);
    }
    printf("}}");
}

static void json_list(void) {
    printf("[\n");
    for (int32_t i = 0; i < lithe_library_count(); i++) {
        LitheLibraryEntry entry = lithe_library_at(i);
        json_entry(&entry, "  ");
        printf("%s\n", i + 1 < lithe_library_count() ? "," : "");
    }
    printf("]\n");
}

int lithe_cli_materials(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"json", 'J', 0, 0, "print the values and their sources as JSON", 0}, {0}};
    const struct argp argp = {options,
                              parse,
                              "[NAME]",
                              "List materials, ropes, cables and hoses with published values, or "
                              "show those of one with their sources.\v"
                              "Example:\n  lithe materials steel-s235\n",
                              NULL,
                              NULL,
                              NULL};
    Request request = {0};
    lithe_cli_parse(&argp, argc, argv, &request);
    if (!request.name) {
        (request.json ? json_list : print_list)();
        return LITHE_EXIT_DONE;
    }
    int32_t index = lithe_library_find(request.name);
    if (index < 0) {
        char meant[200];
        lithe_library_meant(request.name, -1, meant, sizeof meant);
        lithe_cli_complain("the library has no '%s'%s%s; `lithe materials` lists all", request.name,
                           *meant ? "; did you mean " : "", meant);
        return LITHE_EXIT_BAD_INPUT;
    }
    LitheLibraryEntry entry = lithe_library_at(index);
    if (request.json) {
        json_entry(&entry, "");
        printf("\n");
    } else {
        print_entry(&entry);
    }
    return LITHE_EXIT_DONE;
}
