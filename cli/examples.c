// SPDX-License-Identifier: Apache-2.0
// cli/examples.c - lithe examples: list the included scenes, or run one

#include "cli/cli.h"

#include "base/suggest.h"
#include "scene/scene.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_CAPACITY = 100, MAX_EXAMPLES = 500 };

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// folders of scenes relative to that of the executable: for the Python package, a build, an
// installation and a nested build (build/asan/lithe)
static const char *const places[] = {"scenes", "../scenes", "../share/lithe/scenes",
                                     "../../scenes"};

// The folder of the executable; false: unknown.
static bool executable_folder(char path[PATH_MAX]) {
    char *slash = lithe_cli_executable(path, PATH_MAX) ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

// Searches relative to the executable, then in the configured folder.
bool lithe_cli_scene_folder(char *path, size_t size) {
    char self[PATH_MAX];
    bool known = executable_folder(self);
    for (size_t i = 0; known && i < sizeof places / sizeof *places; i++) {
        char tried[PATH_MAX + 64], resolved[PATH_MAX];
        snprintf(tried, sizeof tried, "%s/%s", self, places[i]);
        if (is_folder(tried) && realpath(tried, resolved)) {
            snprintf(path, size, "%s", resolved);
            return true;
        }
    }
    snprintf(path, size, "%s", LITHE_SCENES_INSTALLED);
    return is_folder(path);
}

static void complain_not_found(void) {
    char self[PATH_MAX];
    if (executable_folder(self))
        lithe_cli_complain(
            "the folder of the scenes was not found: tried %s, %s, %s and %s, relative to "
            "%s, and %s",
            places[0], places[1], places[2], places[3], self, LITHE_SCENES_INSTALLED);
    else
        lithe_cli_complain("the folder of the scenes was not found: tried %s",
                           LITHE_SCENES_INSTALLED);
}

// --- the list ------------------------------------------------------------------------------------

typedef struct List {
    char names[MAX_EXAMPLES][NAME_CAPACITY];
    int count;
} List;

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

// the names of the scenes in a folder, sorted; false: it cannot be read (errno)
static bool read_list(const char *folder, List *list) {
    DIR *entries = opendir(folder);
    if (!entries)
        return false;
    struct dirent *entry;
    while (list->count < MAX_EXAMPLES && (entry = readdir(entries)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || length - 5 >= NAME_CAPACITY ||
            strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(list->names[list->count++], NAME_CAPACITY, "%.*s", (int)length - 5, entry->d_name);
    }
    closedir(entries);
    qsort(list->names, (size_t)list->count, NAME_CAPACITY, by_name);
    return true;
}

static void print_list(const char *folder, const List *list) {
    LitheContext *context = lithe_cli_context(true);
    for (int i = 0; i < list->count; i++) {
        char path[PATH_MAX + NAME_CAPACITY];
        snprintf(path, sizeof path, "%s/%s.yaml", folder, list->names[i]);
        LitheScene *scene = NULL;
        LitheError error = {0};
        LitheStatus status = lithe_scene_load(context, path, NULL, 0, &scene, &error);
        const char *title = status != LITHE_OK ? error.text : scene->title ? scene->title : "";
        printf("  %-16s %s\n", list->names[i], title);
        lithe_scene_destroy(scene);
    }
    lithe_context_destroy(context);
    printf("\n`lithe examples NAME` runs one of them, with the options of lithe run. The files are "
           "in\n%s\n",
           folder);
}

// Whether to print the head of the scene: not with options that ask for less or for other output.
static bool prints_head(int argc, char **argv) {
    static const char *const silent[] = {"-q", "--quiet", "--json", "--help", "--usage", "-?"};
    for (int i = 2; i < argc; i++)
        for (size_t k = 0; k < sizeof silent / sizeof *silent; k++)
            if (strcmp(argv[i], silent[k]) == 0)
                return false;
    return true;
}

// prints the comment at the beginning of the scene, which describes it
static void print_head(const char *path) {
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && line[0] == '#')
        fputs(line + (line[1] == ' ' ? 2 : 1), stdout);
    if (file)
        fclose(file);
    printf("The scene is %s; without --out its recording is written to the current folder.\n\n",
           path);
    fflush(stdout);
}

static int run_one(const char *folder, const List *list, int argc, char **argv) {
    const char *names[MAX_EXAMPLES];
    bool found = false;
    for (int i = 0; i < list->count; i++) {
        names[i] = list->names[i];
        found = found || strcmp(argv[1], names[i]) == 0;
    }
    if (!found) {
        const char *similar = lithe_suggest(argv[1], names, list->count);
        if (similar)
            lithe_cli_complain("no example named '%s': did you mean '%s'?", argv[1], similar);
        else
            lithe_cli_complain("no example named '%s': `lithe examples` lists them", argv[1]);
        return LITHE_EXIT_BAD_INPUT;
    }
    char path[PATH_MAX + NAME_CAPACITY];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, argv[1]);
    if (prints_head(argc, argv))
        print_head(path);
    argv[1] = path;
    return lithe_cli_run(argc, argv);
}

int lithe_cli_examples(int argc, char **argv) {
    char folder[PATH_MAX];
    bool help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0);
    if (help) {
        printf("Usage: lithe examples [NAME [OPTION...]]\n"
               "List the included scenes, or run one with the options of lithe run.\n\n"
               "Example:\n  lithe examples pendulum --until 2s --out swing.h5\n");
        return LITHE_EXIT_DONE;
    }
    if (argc > 1 && argv[1][0] == '-') {
        lithe_cli_complain("the name of the example comes first: lithe examples NAME %s", argv[1]);
        return LITHE_EXIT_BAD_INPUT;
    }
    List *list = calloc(1, sizeof *list);
    int code = LITHE_EXIT_DONE;
    if (!list) {
        lithe_cli_complain("out of memory");
        code = LITHE_EXIT_BAD_INPUT;
    } else if (!lithe_cli_scene_folder(folder, sizeof folder)) {
        complain_not_found();
        code = LITHE_EXIT_BAD_INPUT;
    } else if (!read_list(folder, list)) {
        lithe_cli_complain("%s: cannot read the folder of the scenes: %s", folder, strerror(errno));
        code = LITHE_EXIT_BAD_INPUT;
    } else if (argc > 1) {
        code = run_one(folder, list, argc, argv);
    } else {
        print_list(folder, list);
    }
    free(list);
    return code;
}
