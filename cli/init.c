// SPDX-License-Identifier: Apache-2.0
// cli/init.c - lithe init: a commented scene to start from; lithe schema: where the JSON schema is

#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA_FILE "lithe-scene.schema.json"

// The schema is beside the folder of the scenes in an installation, in docs in a source tree.
static bool find_schema(const char *scenes, char path[PATH_MAX]) {
    static const char *const places[] = {"../" SCHEMA_FILE, "../docs/" SCHEMA_FILE};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char tried[PATH_MAX + 64];
        snprintf(tried, sizeof tried, "%s/%s", scenes, places[i]);
        if (access(tried, R_OK) == 0 && realpath(tried, path))
            return true;
    }
    return false;
}

static bool find_scenes(char *folder, size_t size) {
    if (lithe_cli_scene_folder(folder, size))
        return true;
    lithe_cli_complain("the folder of the included scenes was not found: `lithe examples` names "
                       "where it was searched");
    return false;
}

static bool requests_help(int argc, char **argv) {
    return argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0);
}

static int complain_errno(const char *path, const char *what) {
    lithe_cli_complain("%s: cannot %s: %s", path, what, strerror(errno));
    return LITHE_EXIT_BAD_INPUT;
}

// The scene, after a line that names the schema to editors. An existing file is never replaced.
static int write_scene(FILE *from, const char *schema, const char *path) {
    FILE *to = fopen(path, "wx");
    if (!to && errno == EEXIST) {
        lithe_cli_complain("%s: exists; give the scene another name: lithe init NAME.yaml", path);
        return LITHE_EXIT_BAD_INPUT;
    }
    if (!to)
        return complain_errno(path, "write");
    if (schema)
        fprintf(to, "# yaml-language-server: $schema=%s\n", schema);
    char line[512];
    while (fgets(line, sizeof line, from))
        fputs(line, to);
    bool failed = ferror(to) != 0 || ferror(from) != 0;
    if (fclose(to) != 0 || failed) {
        int code = complain_errno(path, "write");
        unlink(path);
        return code;
    }
    printf("%s: a scene to start from\n  lithe check %s\n  lithe run %s --view\n", path, path,
           path);
    return LITHE_EXIT_DONE;
}

int lithe_cli_init(int argc, char **argv) {
    if (requests_help(argc, argv)) {
        printf("Usage: lithe init [FILE.yaml]\n"
               "Write a commented scene to start from (default: start.yaml). A file that exists is "
               "not replaced.\n\n"
               "Example:\n  lithe init rope.yaml && lithe run rope.yaml\n");
        return LITHE_EXIT_DONE;
    }
    if (argc > 2 || (argc > 1 && argv[1][0] == '-')) {
        lithe_cli_complain("lithe init takes the name of one file: lithe init rope.yaml");
        return LITHE_EXIT_BAD_INPUT;
    }
    char folder[PATH_MAX], source[PATH_MAX + 16], schema[PATH_MAX];
    if (!find_scenes(folder, sizeof folder))
        return LITHE_EXIT_BAD_INPUT;
    snprintf(source, sizeof source, "%s/start.yaml", folder);
    FILE *from = fopen(source, "r");
    if (!from)
        return complain_errno(source, "read");
    int code = write_scene(from, find_schema(folder, schema) ? schema : NULL,
                           argc > 1 ? argv[1] : "start.yaml");
    fclose(from);
    return code;
}

int lithe_cli_schema(int argc, char **argv) {
    if (requests_help(argc, argv)) {
        printf("Usage: lithe schema\n"
               "Print the path of the JSON schema of scenes, for editors: as the first line of a "
               "scene,\n\n  # yaml-language-server: $schema=PATH\n\n"
               "Example:\n  lithe schema\n");
        return LITHE_EXIT_DONE;
    }
    if (argc > 1) {
        lithe_cli_complain("lithe schema takes no arguments");
        return LITHE_EXIT_BAD_INPUT;
    }
    char folder[PATH_MAX], schema[PATH_MAX];
    if (!find_scenes(folder, sizeof folder))
        return LITHE_EXIT_BAD_INPUT;
    if (!find_schema(folder, schema)) {
        lithe_cli_complain("%s was not found, neither beside %s nor in ../docs from there",
                           SCHEMA_FILE, folder);
        return LITHE_EXIT_BAD_INPUT;
    }
    printf("%s\n", schema);
    return LITHE_EXIT_DONE;
}
