// SPDX-License-Identifier: Apache-2.0
// cli/main.c - the command `lithe`: finds and calls the function of a command

#define _DEFAULT_SOURCE // on_exit

#include "cli/cli.h"

#include "base/suggest.h"
#include "record/hdf5_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    const char *use;
    const char *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "SCENE", "simulate a scene into a recording", lithe_cli_run},
    {"resume", "RUN.h5", "continue after a stop, a crash or a kill", lithe_cli_resume},
    {"recover", "RUN.h5", "write a recording of the frames of a stopped run", lithe_cli_recover},
    {"sweep", "STUDY", "run a scene for many values and seeds, write a table", lithe_cli_sweep},
    {"compare", "SCENE | A.h5 B.h5", "a scene under all contact models, or two recordings",
     lithe_cli_compare},
    {"check", "SCENE", "validate a scene, print its scales, recommend a step", lithe_cli_check},
    {"plan", "SCENE", "find the motion of an arm or of fingers that turn something",
     lithe_cli_plan},
    {"modes", "SCENE", "frequencies of small vibrations", lithe_cli_modes},
    {"view", "RUN.h5 | SCENE", "show a recording or a scene in the browser", lithe_cli_view},
    {"export", "RUN.h5 OUT", "to .html, .csv, .pvd (ParaView), .png, .svg, .glb or .mp4",
     lithe_cli_export},
    {"plot", "RUN.h5 QUANTITY...", "quantities over time as an SVG, PNG or PDF plot",
     lithe_cli_plot},
    {"init", "[FILE.yaml]", "write a commented scene to start from", lithe_cli_init},
    {"examples", "[NAME]", "list the included scenes, or run one", lithe_cli_examples},
    {"bench", "[CASE]", "measure performance", lithe_cli_bench},
    {"validate", "[CASE...]", "compare with known solutions: table, plots, report",
     lithe_cli_validate},
    {"replay", "FILE", "solve a saved contact problem again and check it", lithe_cli_replay},
    {"schema", "", "path of the JSON schema of scenes, for editors", lithe_cli_schema},
    {"materials", "[NAME]", "list the library of materials and cables, or show one",
     lithe_cli_materials},
    {"doctor", "", "versions, processor, libraries, what is missing", lithe_cli_doctor},
};

enum { COMMAND_COUNT = (int)(sizeof commands / sizeof *commands) };

static void help(FILE *file) {
    fputs("Usage: lithe COMMAND [OPTION...] [ARGUMENT...]\n"
          "Simulator for slender and soft bodies.\n\n",
          file);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-9s %-19s %s\n", commands[i].name, commands[i].use, commands[i].about);
    fputs("\n"
          "`lithe COMMAND --help` describes the options of a command, with an example.\n"
          "Start with: lithe init, or lithe examples\n"
          "Exit codes: 0 done, 1 a check or a row of a study failed, 2 bad usage or bad input,\n"
          "3 the simulation stopped before its end (state saved).\n",
          file);
}

static int unknown(const char *word) {
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *meant = lithe_suggest(word, names, COMMAND_COUNT);
    const char *end = strrchr(word, '.');
    if (end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0))
        lithe_cli_complain("no command named '%s': `lithe run %s` simulates a scene", word, word);
    else if (end && strcmp(end, ".h5") == 0)
        lithe_cli_complain("no command named '%s': `lithe view %s` shows a recording", word, word);
    else if (meant)
        lithe_cli_complain("no command named '%s': did you mean '%s'?", word, meant);
    else
        lithe_cli_complain("no command named '%s': `lithe --help` lists them", word);
    return LITHE_EXIT_BAD_INPUT;
}

static int find(const char *word) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i].name) == 0)
            return i;
    return -1;
}

// A full disk or a closed pipe is a failure of any command. `--help` of argp also ends here.
static void check_stdout(int code, void *unused) {
    (void)unused;
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return;
    fprintf(stderr, "lithe: the output could not be written: %s\n",
            errno ? strerror(errno) : "standard output failed");
    if (code == LITHE_EXIT_DONE)
        _exit(LITHE_EXIT_BAD_INPUT);
}

int main(int argc, char **argv) {
    on_exit(check_stdout, NULL);
    // a disk quota or `ulimit -f` must make a write fail with a message, not kill the program
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        help(stderr);
        return LITHE_EXIT_BAD_INPUT;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 || strcmp(word, "-h") == 0) {
        help(stdout);
        return LITHE_EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("lithe %s\n", lithe_version());
        return LITHE_EXIT_DONE;
    }

    // `lithe help COMMAND` is accepted as well
    if (strcmp(word, "help") == 0) {
        if (argc < 3) {
            help(stdout);
            return LITHE_EXIT_DONE;
        }
        static char option[] = "--help";
        word = argv[1] = argv[2];
        argv[2] = option;
        argc = 3;
    }
    int command = find(word);
    if (command < 0)
        return unknown(word);
    char name[32];
    snprintf(name, sizeof name, "lithe %s", commands[command].name);
    argv[1] = name;
    int code = commands[command].run(argc - 1, argv + 1);
    if (lithe_hdf5_refused()) { // it could crash at the exit
        check_stdout(code, NULL);
        fflush(stderr);
        _exit(code);
    }
    return code;
}
