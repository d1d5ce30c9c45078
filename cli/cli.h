// SPDX-License-Identifier: Apache-2.0
// cli/cli.h - shared by the commands of `lithe`: exit codes, messages, JSON, scene folders

#ifndef LITHE_CLI_CLI_H
#define LITHE_CLI_CLI_H

#include "lithe/lithe.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>

/// Exit codes of the command.
enum {
    LITHE_EXIT_DONE = 0,
    LITHE_EXIT_CHECK_FAILED = 1, // a check, a validation case or a row of a study failed
    LITHE_EXIT_BAD_INPUT = 2,    // usage, scene, file, or not enough memory to begin
    LITHE_EXIT_STOPPED = 3,      // the simulation stopped before its end; its state was saved
};

// --- commands ------------------------------------------------------------------------------------
// each gets its own arguments, argv[0] being "lithe COMMAND", and returns an exit code

int lithe_cli_run(int argc, char **argv);
int lithe_cli_sweep(int argc, char **argv);
int lithe_cli_compare(int argc, char **argv);
int lithe_cli_resume(int argc, char **argv);
int lithe_cli_recover(int argc, char **argv);
int lithe_cli_check(int argc, char **argv);
int lithe_cli_modes(int argc, char **argv);
int lithe_cli_view(int argc, char **argv);
int lithe_cli_export(int argc, char **argv);
int lithe_cli_plot(int argc, char **argv);
int lithe_cli_examples(int argc, char **argv);
int lithe_cli_init(int argc, char **argv);
int lithe_cli_schema(int argc, char **argv);
int lithe_cli_materials(int argc, char **argv);
int lithe_cli_doctor(int argc, char **argv);
int lithe_cli_bench(int argc, char **argv);
int lithe_cli_validate(int argc, char **argv);
int lithe_cli_replay(int argc, char **argv);
int lithe_cli_plan(int argc, char **argv);

/// A published experiment, and the cases of `lithe validate` and `lithe bench` that repeat it
/// (NULL: this version has none).
typedef struct LitheCliExperiment {
    const char *name, *about, *validated, *timed;
} LitheCliExperiment;

/// The experiment with this name, F1 to A4, in any case of letters; NULL: there is none.
const LitheCliExperiment *lithe_cli_experiment(const char *name);

// --- this program --------------------------------------------------------------------------------

/// Path of the file of this program; false: unknown. It needs no /proc.
bool lithe_cli_executable(char *path, size_t size);

// --- messages ------------------------------------------------------------------------------------

/// A context whose warnings go to stderr as "lithe: warning: ..."; with `quiet` none are printed.
/// Ends the program when out of memory.
LitheContext *lithe_cli_context(bool quiet);

/// From now on the log prints a warning once: a command that reads a scene several times, in one
/// thread.
void lithe_cli_warn_once(void);

/// Prints "lithe: TEXT" and returns the exit code that belongs to the status.
int lithe_cli_failed(const LitheError *error);

/// "lithe: " and the message, to stderr.
void lithe_cli_complain(const char *format, ...) LITHE_PRINTF(1, 2);

/// Prints what the files of robots have and Lithe ignores, to stderr: the first notes, and how many
/// more there are.
void lithe_cli_print_notes(const LitheScene *scene);

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the returned flag, which makes a run save
/// and stop. Another signal more than a second later ends the program immediately.
const volatile sig_atomic_t *lithe_cli_stop(void);

// --- arguments -----------------------------------------------------------------------------------

/// Parses options: usage errors end the program with LITHE_EXIT_BAD_INPUT.
void lithe_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/// A time such as "3s" or "250 ms", or a number of seconds; else ends with a usage error.
double lithe_cli_time(struct argp_state *state, const char *option, const char *text);

/// The same with either sign, and without ending the program: returns false, with a message that
/// names the text.
bool lithe_cli_parse_time(const char *text, double *time, LitheError *error);

/// Ends with a usage error when the name of an output is empty.
void lithe_cli_name(struct argp_state *state, const char *option, const char *text);

/// Takes the one argument of a command, `what` ("scene"); a second one ends with a usage error.
void lithe_cli_one(struct argp_state *state, const char *what, const char *text, const char **to);

/// Checks the form PATH=VALUE of a --set; else ends with a usage error.
void lithe_cli_check_set(struct argp_state *state, const char *text);

/// The file name of a path without its folder and ending, then `suffix`.
void lithe_cli_default_out(const char *path, const char *suffix, char *out, size_t size);

/// An integer in a range; else ends with a usage error.
int64_t lithe_cli_integer(struct argp_state *state, const char *option, const char *text,
                          int64_t low, int64_t high);

// --- JSON ----------------------------------------------------------------------------------------

/// One object under construction on a stream. Open, add fields, close.
typedef struct LitheJson {
    FILE *file;
    int fields;
} LitheJson;

LitheJson lithe_json_open(FILE *file);
void lithe_json_close(LitheJson *json);
void lithe_json_number(LitheJson *json, const char *name, double value); // null unless finite
void lithe_json_integer(LitheJson *json, const char *name, int64_t value);
void lithe_json_text(LitheJson *json, const char *name, const char *value); // NULL: null
void lithe_json_hash(LitheJson *json, const char *name, uint64_t value);    // 16 hex digits
void lithe_json_bool(LitheJson *json, const char *name, bool value);
void lithe_json_null(LitheJson *json, const char *name);
/// The object "stages" of wall times [LITHE_STAGE_COUNT], without the stage "none"; NULL: not
/// timed.
void lithe_json_stages(LitheJson *json, const double *seconds);

// --- numbers as text -----------------------------------------------------------------------------

/// A number with a suitable prefix: "12.3 ms", "4.56 MPa". `unit` is the SI unit; kg keeps its
/// prefix. Writes to `out` and returns it.
char *lithe_cli_nice(double value, const char *unit, char out[32]);

/// "1.2 MB".
char *lithe_cli_bytes(int64_t bytes, char out[32]);

/// "3 s", "12 min 5 s", "2 h 10 min".
char *lithe_cli_duration(double seconds, char out[32]);

/// Times that a step is compared with [s].
typedef struct LitheCliTimes {
    double period;       // of the slowest motion; 0: unknown
    double limit;        // of an explicit step
    double axial;        // in which an axial wave crosses the shortest edge of all rods
    const char *unknown; // a rod whose slowest motion is unknown, so that `period` is; NULL: none
} LitheCliTimes;

/// Prints what the step of the scene means for the slowest motion.
void lithe_cli_check_step(const LitheModel *model, const LitheCliTimes *times);

/// Prints which body rotates too far per step at `state`, where its axis can turn.
void lithe_cli_check_rotation(const LitheModel *model, const LitheState *state);

/// Period of the slowest mode without contacts at `state`, or, if there is none, at equilibrium; 0:
/// none was found.
double lithe_cli_slowest_mode(const LitheModel *model, const LitheState *state);

/// Overlaps at rest beyond this fraction of the thickness are not small: the contact is too soft
/// for the weight. The automatic stiffness gives 1 % (C9); the factor allows for rounding.
#define LITHE_CLI_DEEP_REST (0.01 * (1 + 1e-6))

/// Groups of objects with numbered names (chain/0, chain/1, ... and chain/joint-1, ...): only the
/// first of a group is printed in full.
typedef struct LitheCliFold {
    struct {
        const char *last; // the last name of the group
        int32_t prefix;   // length of the name without its number
        int32_t count;    // number of omitted objects
    } rows[8];
    int32_t row_count;
} LitheCliFold;

/// True when a name differs from the last one only by its number; it is then counted.
bool lithe_cli_fold(LitheCliFold *fold, const char *name);

/// Prints the number of omitted objects of each group.
void lithe_cli_fold_end(const LitheCliFold *fold, const char *what);

/// LITHE_BAD_INPUT when things overlap at the start by more than the scene permits; the pairs are
/// listed as warnings.
LitheStatus lithe_cli_check_start(const LitheModel *model, const LitheState *state,
                                  LitheError *error);

/// The part of `lithe check` on constraints, contact, and overlaps at the start. False: `error`
/// says why the contacts could not be found.
bool lithe_cli_check_ties(const LitheScene *scene, const LitheModel *model, const LitheState *state,
                          LitheError *error);

/// The part of `lithe check` on how deep bodies and rods will rest.
void lithe_cli_check_rest(const LitheModel *model, const LitheState *state);

/// The part of `lithe check` on rigid bodies, joints and actuators.
void lithe_cli_check_bodies(const LitheScene *scene, const LitheModel *model,
                            const LitheState *state);

/// The part of `lithe check` on particles.
void lithe_cli_check_particles(const LitheModel *model);

/// The part of `lithe check` on soft solids; held degrees of freedom of one, from 0.
void lithe_cli_check_solids(const LitheModel *model);
int64_t lithe_cli_solid_held(const LitheModel *model, int32_t solid);

/// Number of held degrees of freedom of a set of particles; sets count from 0.
int64_t lithe_cli_particles_held(const LitheModel *model, int32_t set);

// --- the viewer ----------------------------------------------------------------------------------

/// Options of the viewer.
typedef struct LitheCliView {
    bool on;             // --view was given
    bool given;          // another option of the viewer was given
    const char *address; // NULL: 127.0.0.1
    const char *page;    // folder; NULL: where the page was built or installed
    int32_t port;        // 0: the default port, or a free one
    bool no_open;        // print the address only
    bool at_once;        // start and end without waiting for a page
    double speed;        // of a run, times real time; 0: as fast as possible
} LitheCliView;

LitheCliView lithe_cli_view_default(void);

/// Options of the viewer, as children of the options of a command; their input is a LitheCliView.
extern const struct argp lithe_cli_view_argp; // for recordings
extern const struct argp lithe_cli_live_argp; // for runs

struct LitheControls;

/// The observer of a run. `buffer` receives the folder of the page; it and `view` must outlive the
/// observer. NULL after an error message.
struct LitheViewLive *lithe_cli_view_live(LitheContext *context, LitheCliView *view,
                                          struct LitheControls *controls, char *buffer,
                                          size_t size);

/// Prints the address of the viewer and opens it; `user` is the LitheCliView.
void lithe_cli_view_announce(const char *url, void *user);

/// Folder of the page for these options, in `buffer` if it is not given; NULL after a message.
const char *lithe_cli_view_page(const LitheCliView *view, char *buffer, size_t size);

/// Whether a file is a scene, by the ending of its name.
bool lithe_cli_is_scene(const char *path);

/// `lithe view` of a scene file: shows it before it runs, and again after each change.
int lithe_cli_view_scene(const char *path, LitheCliView *view);

/// Folder of the page; false, with an error message, when there is none.
bool lithe_cli_page_folder(char *path, size_t size);
extern const char lithe_cli_no_page[];

// --- running -------------------------------------------------------------------------------------

/// Options that run, resume and examples share.
typedef struct LitheCliRun {
    const char *out;
    const char *inputs; // recording whose user inputs are repeated; or NULL
    double until;
    double checkpoint; // s of wall time between checkpoints; 0: default
    int32_t threads;
    bool quiet, json, drop_work;
    bool force; // replace an output that is no recording
    bool goals; // the scene may have some
    LitheCliView view;
} LitheCliRun;

/// Loads a scene, runs it and reports. Takes the arguments of `lithe run`.
int lithe_cli_run_scene(const char *path, const char *const *sets, int32_t set_count,
                        const LitheCliRun *request);

/// A run definition with progress on a terminal and the stop flag of Ctrl-C.
LitheRunDef lithe_cli_run_def(const LitheCliRun *request);

/// Ends a run: clears the progress line, prints error, table or JSON, and returns the exit code.
int lithe_cli_run_done(const char *title, const LitheCliRun *request, LitheStatus status,
                       const LitheSummary *summary, const LitheError *error);

/// Folder of the included scenes; false when there is none.
bool lithe_cli_scene_folder(char *path, size_t size);

#endif
