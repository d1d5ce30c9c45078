// SPDX-License-Identifier: Apache-2.0
// cli/run.c - lithe run: simulate a scene, with progress and a summary; Ctrl-C saves and stops

#include "cli/cli.h"
#include "cli/run_goals.h"

#include "run/input.h"
#include "scene/scene.h"
#include "view/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- progress ------------------------------------------------------------------------------------

static void show_progress(const LitheProgress *progress, void *user) {
    (void)user;
    double fraction = progress->end > 0 ? progress->time / progress->end : 0;
    double left = progress->rate > 0 ? (progress->end - progress->time) / progress->rate : INFINITY;
    char eta[32];
    fprintf(stderr, "\r  %.4g s of %.4g s  %3.0f %%  %.3g x real time  Newton %.1f  ETA %s\033[K",
            progress->time, progress->end, 100 * fmin(fraction, 1), progress->rate,
            progress->newton_mean, lithe_cli_duration(left, eta));
    if (progress->step_seconds > 0)
        fprintf(stderr, "  this step %.0f s, %.0f %% of its work", progress->step_seconds,
                100 * progress->step_fraction);
    fflush(stderr);
}

static bool shows_progress(const LitheCliRun *request) {
    return !request->quiet && !request->json && isatty(STDERR_FILENO);
}

LitheRunDef lithe_cli_run_def(const LitheCliRun *request) {
    LitheRunDef def = lithe_run_def_default();
    def.out = request->out;
    def.until = request->until;
    def.threads = request->threads;
    if (request->checkpoint > 0)
        def.checkpoint_seconds = request->checkpoint;
    def.drop_work = request->drop_work;
    def.force = request->force;
    def.progress = shows_progress(request) ? show_progress : NULL;
    def.stop = lithe_cli_stop();
    return def;
}

// --- summary -------------------------------------------------------------------------------------

// nothing is printed without contacts and constraints
static void print_contacts(const LitheSummary *summary) {
    if (summary->passes_mean > 0) {
        printf("  contacts         %.3g per step, max %lld, those within reach included\n",
               summary->contacts_mean, (long long)summary->contacts_max);
        printf("  coupled solve    %.2f passes and %.2f iterations per step", summary->passes_mean,
               summary->solve_mean);
        if (summary->solve_unconverged > 0)
            printf(", %lld steps not converged", (long long)summary->solve_unconverged);
        if (summary->friction_unsettled > 0)
            printf(", friction of %lld not settled", (long long)summary->friction_unsettled);
        printf("\n");
        printf("  deepest overlap  %.3g m\n", summary->max_penetration);
        if (summary->contacts_stiffened > 0)
            printf("  stiffened        max %lld contacts in a step, with more than their material "
                   "stiffness\n",
                   (long long)summary->contacts_stiffened);
    }
    if (summary->steps_cut > 0)
        printf("  substeps         in %lld steps, %lld crossings avoided\n",
               (long long)summary->steps_cut, (long long)summary->crossings_avoided);
    if (summary->pieces_held > 0)
        printf("  held apart       in %lld substeps, where contacts were too soft for the speed\n",
               (long long)summary->pieces_held);
    if (summary->pieces_softened > 0)
        printf("  softened         %lld substeps that did not converge with the stiffness of the "
               "scene\n",
               (long long)summary->pieces_softened);
    if (summary->topology_changes > 0)
        printf("  ALARM            knots or links changed %lld times, first %s\n",
               (long long)summary->topology_changes, summary->topology_first);
    if (summary->constraints_broken > 0)
        printf("  broken           %lld constraints\n", (long long)summary->constraints_broken);
    if (summary->pairs_unserved > 0)
        printf("  without contact  %lld pairs of shapes are not supported and pass through each "
               "other\n",
               (long long)summary->pairs_unserved);
}

// what limited the steps, most frequent first; nothing where all have the same length
static void print_step_lengths(const LitheSummary *summary) {
    char a[32], b[32];
    if (!(summary->step_longest > summary->step_shortest))
        return;
    printf("  step             %s to %s, %lld attempts repeated\n",
           lithe_cli_nice(summary->step_shortest, "s", a),
           lithe_cli_nice(summary->step_longest, "s", b), (long long)summary->steps_rejected);
    printf("  limited by       ");
    bool reported[LITHE_LIMIT_COUNT] = {false};
    for (int k = 0; k < LITHE_LIMIT_COUNT; k++) {
        int max = -1;
        for (int i = 0; i < LITHE_LIMIT_COUNT; i++)
            if (!reported[i] && summary->limits[i] > 0 &&
                (max < 0 || summary->limits[i] > summary->limits[max]))
                max = i;
        if (max < 0)
            break;
        reported[max] = true;
        printf("%s%s %lld", k > 0 ? ", " : "", lithe_step_limit_name((LitheStepLimit)max),
               (long long)summary->limits[max]);
    }
    printf("\n");
}

// drifts below SMALL_DRIFT come from rounding and from the order of the scheme; those below
// SLIGHT_DRIFT are seen in energies only; above LARGE_DRIFT the motion itself is wrong
#define SMALL_DRIFT 1e-3
#define SLIGHT_DRIFT 1e-2
#define LARGE_DRIFT 0.1

static const char *drift_verdict(const LitheSummary *summary) {
    bool euler = strcmp(summary->scheme, lithe_scheme_name(LITHE_SCHEME_BACKWARD_EULER)) == 0;
    if (summary->energy_drift < SMALL_DRIFT)
        return "small";
    if (summary->energy_drift < SLIGHT_DRIFT)
        return "slight";
    if (summary->energy_drift < LARGE_DRIFT)
        return "moderate: a smaller step lowers it";
    return euler ? "large: a smaller step or the scheme tr-bdf2 lowers it"
                 : "large: a smaller step lowers it";
}

// Static steps have no drift: a jump from one equilibrium to the next releases energy.
static bool has_drift(const LitheSummary *summary) {
    return isfinite(summary->energy_drift) &&
           strcmp(summary->scheme, lithe_scheme_name(LITHE_SCHEME_STATIC)) != 0;
}

static void print_scheme(const LitheSummary *summary) {
    char text[32];
    if (!*summary->scheme)
        return;
    bool adapts = summary->step_longest < summary->step;
    printf("  scheme           %s, step %s%s\n", summary->scheme, adapts ? "up to " : "",
           lithe_cli_nice(summary->step, "s", text));
    if (summary->steps_guarded == 0)
        return;
    printf("  guard            %lld of %lld steps: %lld calmed, %lld by backward Euler",
           (long long)summary->steps_guarded, (long long)summary->steps,
           (long long)summary->steps_calmed, (long long)summary->steps_by_euler);
    if (summary->steps_gained > 0)
        printf(", %lld gained energy", (long long)summary->steps_gained);
    bool first = 2 * summary->steps_by_euler > summary->steps;
    printf("%s\n", first ? ": the run is of first order" : "");
}

// Newton iterations per step, of units that nothing couples: fewer are of single steps
#define FEW_ITERATIONS 0.1

static void print_stability(const LitheSummary *summary) {
    const char *what = summary->is_static ? "last equilibrium" : "equilibrium at the start";
    if (summary->is_static && summary->inverted > 0)
        printf("  stability        the last state is no valid equilibrium: see inverted");
    else if (summary->unstable > 0)
        printf("  stability        unstable: %d negative pivot%s (%s)", (int)summary->unstable,
               summary->unstable == 1 ? "" : "s", what);
    else if (summary->is_static)
        printf("  stability        %s",
               summary->unstable < 0 ? "unknown (see lithe modes)" : "last equilibrium is stable");
    else
        return;
    if (summary->steps_unstable > 0)
        printf(", %lld steps unstable", (long long)summary->steps_unstable);
    printf("\n");
}

static void print_inverted(const LitheSummary *summary) {
    if (summary->steps_inverted > 0)
        printf(
            "  inverted         %d elements are turned inside out at the end, some after %lld of "
            "%lld steps\n",
            (int)summary->inverted, (long long)summary->steps_inverted, (long long)summary->steps);
}

// stages below this part of the time are not printed
#define FEW_PERCENT 0.05

// where the time went, the longest stage first
static void print_stages(const LitheSummary *summary) {
    double total = 0;
    bool printed[LITHE_STAGE_COUNT] = {false};
    for (int i = LITHE_STAGE_NONE + 1; i < LITHE_STAGE_COUNT; i++)
        total += summary->stages[i];
    for (int k = 0; total > 0; k++) {
        int longest = -1;
        for (int i = LITHE_STAGE_NONE + 1; i < LITHE_STAGE_COUNT; i++)
            if (!printed[i] && summary->stages[i] > FEW_PERCENT * total &&
                (longest < 0 || summary->stages[i] > summary->stages[longest]))
                longest = i;
        if (longest < 0) {
            if (k > 0)
                printf("\n");
            return;
        }
        printed[longest] = true;
        printf("%s%s %.0f %%", k > 0 ? ", " : "  time             ",
               lithe_stage_name((LitheStage)longest), 100 * summary->stages[longest] / total);
    }
}

// "largest strain  3.2 % (limit 20 %), rod 'wire' node 12 at 0.3 s"
static void print_peak(const char *what, const LithePeak *peak) {
    if (!*peak->rod)
        return;
    bool plain = strcmp(peak->unit, "1") == 0;
    double scale = plain ? 100 : 1;
    const char *unit = plain ? "%" : peak->unit;
    if (strcmp(unit, "N") == 0)
        what = "tension";
    printf("  largest %-8s %.3g %s (limit %.3g %s), rod '%s' node %d at %.6g s\n", what,
           scale * peak->value, unit, scale * peak->limit, unit, peak->rod, (int)peak->node,
           peak->time);
}

// shares of the deflection that are missing; a run warns above the first
#define SMALL_MESH_ERROR 0.02

static void print_mesh_error(const LitheSummary *summary) {
    double share = summary->mesh_error;
    char much[32] = "more than 100 %";
    if (!(share >= 0))
        return;
    if (share < 0.5)
        snprintf(much, sizeof much, "about %.2g %%", 100 * share / (1 - share));
    printf("  mesh error       solid '%s' too stiff by %s%s (estimated): %s\n",
           summary->mesh_error_solid, much,
           summary->mesh_error_stiff ? "" : ", or too soft by as much",
           share < SMALL_MESH_ERROR ? "small" : "smaller elements or `quadratic: true` lower it");
}

static void print_table(const char *title, const LitheSummary *summary, const char *out) {
    char text[32];
    if (title && *title)
        printf("%s\n", title);
    printf("  simulated        %.6g s in %.3g s of wall time", summary->sim_seconds,
           summary->wall_seconds);
    if (summary->wait_seconds > 0)
        printf(", %.3g s of them waiting", summary->wait_seconds);
    printf(", %.3g x real time\n", summary->rate);
    printf("  steps            %lld", (long long)summary->steps);
    // units that contacts or constraints couple are solved together, and not counted here
    if (summary->passes_mean > 0 && summary->newton_mean < FEW_ITERATIONS)
        printf(", %s of them in the coupled solve",
               summary->newton_mean > 0 ? "nearly all" : "all");
    else if (summary->newton_mean > 0)
        printf(", %.2f Newton iterations per step", summary->newton_mean);
    if (summary->steps_unconverged > 0)
        printf(", %lld not converged", (long long)summary->steps_unconverged);
    printf("\n");
    print_scheme(summary);
    print_step_lengths(summary);
    printf("  unknowns         %lld\n", (long long)summary->dofs);
    print_contacts(summary);
    print_stability(summary);
    print_inverted(summary);
    print_peak("strain", &summary->strain);
    print_peak("stress", &summary->stress);
    print_mesh_error(summary);
    if (has_drift(summary))
        printf("  energy drift     %.2g of the largest energy: %s\n", summary->energy_drift,
               drift_verdict(summary));
    print_stages(summary);
    printf("  peak memory      %s\n", lithe_cli_bytes(summary->peak_memory_bytes, text));
    printf("  state hash       %016llx\n", (unsigned long long)summary->hash);
    if (out)
        printf("  recording        %s, %lld frames\n", out, (long long)summary->frames);
}

static void json_peak(LitheJson *json, const char *what, const LithePeak *peak) {
    bool found = *peak->rod;
    char name[32];
    snprintf(name, sizeof name, "%s_max", what);
    lithe_json_number(json, name, found ? peak->value : NAN);
    snprintf(name, sizeof name, "%s_limit", what);
    lithe_json_number(json, name, found ? peak->limit : NAN);
    snprintf(name, sizeof name, "%s_unit", what);
    lithe_json_text(json, name, found ? peak->unit : NULL);
    snprintf(name, sizeof name, "%s_rod", what);
    lithe_json_text(json, name, found ? peak->rod : NULL);
    snprintf(name, sizeof name, "%s_node", what);
    lithe_json_number(json, name, found ? peak->node : NAN);
    snprintf(name, sizeof name, "%s_time", what);
    lithe_json_number(json, name, found ? peak->time : NAN);
}

// null, not 0, for a mean over nothing
static void print_json(const LitheSummary *summary, const char *out,
                       const LitheGoalResults *goals) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_number(&json, "sim_seconds", summary->sim_seconds);
    lithe_json_number(&json, "wall_seconds", summary->wall_seconds);
    lithe_json_number(&json, "rate", summary->rate);
    lithe_json_number(&json, "wait_seconds", summary->wait_seconds);
    lithe_json_integer(&json, "steps", summary->steps);
    lithe_json_integer(&json, "steps_cut", summary->steps_cut);
    lithe_json_integer(&json, "steps_rejected", summary->steps_rejected);
    lithe_json_number(&json, "step_shortest", summary->step_shortest);
    lithe_json_number(&json, "step_longest", summary->step_longest);
    for (int i = 0; i < LITHE_LIMIT_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "limited_by_%s", lithe_step_limit_name((LitheStepLimit)i));
        lithe_json_integer(&json, name, summary->limits[i]);
    }
    lithe_json_integer(&json, "steps_unconverged", summary->steps_unconverged);
    lithe_json_integer(&json, "frames", summary->frames);
    lithe_json_integer(&json, "dofs", summary->dofs);
    lithe_json_number(&json, "contacts_mean", summary->contacts_mean);
    lithe_json_integer(&json, "contacts_max", summary->contacts_max);
    lithe_json_number(&json, "newton_mean", summary->steps > 0 ? summary->newton_mean : NAN);
    lithe_json_number(&json, "solver_mean", summary->solve_mean);
    lithe_json_number(&json, "passes_mean", summary->passes_mean);
    lithe_json_integer(&json, "solve_unconverged", summary->solve_unconverged);
    lithe_json_integer(&json, "friction_unsettled", summary->friction_unsettled);
    lithe_json_integer(&json, "constraints_broken", summary->constraints_broken);
    lithe_json_integer(&json, "pairs_unserved", summary->pairs_unserved);
    lithe_json_integer(&json, "hessians_corrected", summary->hessians_corrected);
    lithe_json_number(&json, "max_penetration", summary->max_penetration);
    lithe_json_number(&json, "energy_drift", summary->energy_drift);
    lithe_json_number(&json, "energy_gain", summary->energy_gain);
    lithe_json_integer(&json, "crossings_avoided", summary->crossings_avoided);
    lithe_json_stages(&json, summary->stages);
    lithe_json_integer(&json, "pieces_held", summary->pieces_held);
    lithe_json_integer(&json, "pieces_softened", summary->pieces_softened);
    lithe_json_integer(&json, "contacts_stiffened", summary->contacts_stiffened);
    lithe_json_integer(&json, "unstable", summary->unstable);
    lithe_json_integer(&json, "steps_unstable", summary->steps_unstable);
    lithe_json_integer(&json, "inverted", summary->inverted);
    lithe_json_integer(&json, "steps_inverted", summary->steps_inverted);
    lithe_json_number(&json, "mesh_error", summary->mesh_error);
    lithe_json_text(&json, "mesh_error_solid",
                    summary->mesh_error >= 0 ? summary->mesh_error_solid : NULL);
    lithe_json_bool(&json, "mesh_error_stiff", summary->mesh_error_stiff);
    lithe_json_integer(&json, "topology_changes", summary->topology_changes);
    lithe_json_text(&json, "topology_first",
                    summary->topology_changes > 0 ? summary->topology_first : NULL);
    lithe_json_integer(&json, "peak_memory_bytes", summary->peak_memory_bytes);
    lithe_json_hash(&json, "hash", summary->hash);
    lithe_json_text(&json, "scheme", *summary->scheme ? summary->scheme : NULL);
    lithe_json_number(&json, "step", summary->step > 0 ? summary->step : NAN);
    lithe_json_integer(&json, "steps_guarded", summary->steps_guarded);
    lithe_json_integer(&json, "steps_calmed", summary->steps_calmed);
    lithe_json_integer(&json, "steps_by_euler", summary->steps_by_euler);
    lithe_json_integer(&json, "steps_gained", summary->steps_gained);
    json_peak(&json, "strain", &summary->strain);
    json_peak(&json, "stress", &summary->stress);
    lithe_cli_json_goals(&json, goals);
    lithe_json_text(&json, "out", out);
    lithe_json_close(&json);
}

int lithe_cli_run_done(const char *title, const LitheCliRun *request, LitheStatus status,
                       const LitheSummary *summary, const LitheError *error) {
    if (shows_progress(request))
        fputs("\r\033[K", stderr);
    bool began = summary->steps > 0;
    LitheContext *context = lithe_cli_context(true);
    LitheGoalResults goals = {.context = context};
    LitheError own = {0};
    if (status == LITHE_OK && request->goals && request->out &&
        lithe_cli_goals(context, request->out, &goals, &own) != LITHE_OK) {
        status = own.status;
        error = &own;
    }
    if (began && request->json)
        print_json(summary, request->out, &goals);
    else if (began && !request->quiet)
        print_table(title, summary, status == LITHE_OK ? request->out : NULL);
    if (!request->json && !request->quiet)
        lithe_cli_print_goals(&goals);
    lithe_goals_release(&goals);
    lithe_context_destroy(context);
    if (status != LITHE_OK) {
        int code = lithe_cli_failed(error);
        // a disk that became full: the run can continue from the last saved state
        return began && request->out ? LITHE_EXIT_STOPPED : code;
    }
    return LITHE_EXIT_DONE;
}

int lithe_cli_run_scene(const char *path, const char *const *sets, int32_t set_count,
                        const LitheCliRun *request) {
    LitheContext *context = lithe_cli_context(request->quiet);
    LitheError error = {0};
    LitheSummary summary = {.energy_drift = NAN};
    LitheScene *scene = NULL;
    LitheStatus status = lithe_scene_load(context, path, sets, set_count, &scene, &error);
    if (status == LITHE_OK && !request->quiet)
        lithe_cli_print_notes(scene);
    char page[4096];
    LitheCliView view = request->view;
    LitheViewLive *live = NULL;
    LitheInputReplay *replay = NULL;
    LitheControls controls = {.context = context};
    if (status == LITHE_OK && view.on)
        status = lithe_controls_begin(scene, &controls, &error);
    if (status == LITHE_OK && view.on) {
        live = lithe_cli_view_live(context, &view, &controls, page, sizeof page);
        if (!live) {
            lithe_controls_release(&controls);
            lithe_scene_destroy(scene);
            lithe_context_destroy(context);
            return LITHE_EXIT_BAD_INPUT;
        }
    }
    if (status == LITHE_OK) {
        LitheRunDef def = lithe_cli_run_def(request);
        if (live)
            def.watch = lithe_view_live_watch(live);
        else if (request->inputs)
            status = lithe_input_replay_create(context, request->inputs, &replay, &error);
        if (replay)
            def.watch = lithe_input_replay_watch(replay);
        if (status == LITHE_OK)
            status = lithe_run(scene, &def, &summary, &error);
    }
    lithe_input_replay_destroy(replay);
    lithe_view_live_destroy(live);
    lithe_controls_release(&controls);
    LitheCliRun done = *request;
    done.goals = scene && scene->goal_count > 0;
    int code = lithe_cli_run_done(scene ? scene->title : NULL, &done, status, &summary, &error);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return code;
}

// --- the command ---------------------------------------------------------------------------------

typedef struct Options {
    LitheCliRun request;
    const char *scene;
    const char **sets;
    int32_t set_count;
} Options;

enum { KEY_SET = 's', KEY_OUT = 'o', KEY_UNTIL = 'u', KEY_THREADS = 'j', KEY_QUIET = 'q' };
enum { KEY_JSON = 1000, KEY_DROP_WORK, KEY_CHECKPOINT, KEY_INPUTS, KEY_FORCE };

static const struct argp_option options[] = {
    {"out", KEY_OUT, "FILE", 0, "recording to write (default: the scene's name with .h5, here)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "change a value of the scene; may be repeated", 0},
    {"until", KEY_UNTIL, "TIME", 0, "simulate up to this time in place of the scene's end", 0},
    {"threads", KEY_THREADS, "N", 0, "threads (default 1); the result is the same for any number",
     0},
    {"checkpoint", KEY_CHECKPOINT, "TIME", 0,
     "save the state about this often, in wall time (default 2 s); the result is the same", 0},
    {"inputs", KEY_INPUTS, "RUN.h5", 0,
     "repeat what a user did in that run of the same scene, step by step", 0},
    {"force", KEY_FORCE, 0, 0, "replace FILE also when it is not a recording", 0},
    {"quiet", KEY_QUIET, 0, 0, "print only errors and warnings", 0},
    {"json", KEY_JSON, 0, 0, "print the summary as one JSON object", 0},
    {"drop-work", KEY_DROP_WORK, 0, 0,
     "recreate all scratch memory before every step (to show that the result is the same)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request.view;
        return 0;
    case KEY_OUT:
        lithe_cli_name(state, "--out", text);
        o->request.out = text;
        return 0;
    case KEY_SET:
        lithe_cli_check_set(state, text);
        o->sets[o->set_count++] = text;
        return 0;
    case KEY_UNTIL:
        o->request.until = lithe_cli_time(state, "--until", text);
        return 0;
    case KEY_THREADS:
        o->request.threads = (int32_t)lithe_cli_integer(state, "--threads", text, 1, 1024);
        return 0;
    case KEY_CHECKPOINT:
        o->request.checkpoint = lithe_cli_time(state, "--checkpoint", text);
        return 0;
    case KEY_INPUTS:
        o->request.inputs = text;
        return 0;
    case KEY_QUIET:
        o->request.quiet = true;
        return 0;
    case KEY_JSON:
        o->request.json = true;
        return 0;
    case KEY_FORCE:
        o->request.force = true;
        return 0;
    case KEY_DROP_WORK:
        o->request.drop_work = true;
        return 0;
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "scene", text, &o->scene);
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_error(state, "no scene is given (lithe examples lists the included ones)");
        if (o->request.view.given && !o->request.view.on)
            argp_error(state, "--port, --address, --no-open, --page, --speed and --no-wait are "
                              "for --view");
        if (o->request.inputs && o->request.view.on)
            argp_error(state, "--inputs and --view cannot be combined");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_run(int argc, char **argv) {
    const struct argp_child children[] = {{&lithe_cli_live_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "SCENE",
        .doc = "Simulate a scene into a recording.\v"
               "Ctrl-C saves the state and prints how to continue.\n\nExample:\n"
               "  lithe run scenes/pendulum.yaml --until 2s --set time.step=0.5ms --out p.h5\n"};
    Options o = {.request = {.threads = 1, .view = lithe_cli_view_default()}};
    o.sets = calloc((size_t)argc, sizeof *o.sets);
    if (!o.sets) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);
    char out[4096];
    if (!o.request.out) {
        lithe_cli_default_out(o.scene, ".h5", out, sizeof out);
        o.request.out = out;
    }
    int code = lithe_cli_run_scene(o.scene, o.sets, o.set_count, &o.request);
    free(o.sets);
    return code;
}
