// SPDX-License-Identifier: Apache-2.0
// cli/plan.c - lithe plan: solve, with progress; Ctrl-C returns the best plan so far

#include "cli/plan.h"
#include "cli/cli.h"
#include "cli/plan_hand.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/output.h"
#include "scene/quantity.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_OUT = 'o',
    KEY_SET = 's',
    KEY_PLAY = 'p',
    KEY_QUIET = 'q',
    KEY_JSON = 256,
    KEY_TIME,
    KEY_REPLAN,
    KEY_KNOCK,
    KEY_SOLVER,
    KEY_TRACK,
    KEY_REFINE
};

typedef struct Options {
    const char *scene, *out;
    const char **sets;
    int32_t set_count;
    const char *play[2];
    int32_t play_count;
    int32_t horizon; // steps of a replan; 0: none
    double knock;    // [rad]
    bool track;      // a regulator follows the plan
    int32_t refine;  // times that the steps are halved
    double max_time;
    bool ipopt; // solves
    bool quiet, json;
} Options;

// --- progress ------------------------------------------------------------------------------------

typedef struct Progress {
    const LitheCliPlan *plan;
    const LitheTurn *turn;
    bool shown;
    double began, last;
    double done; // time of levels that ended
    int32_t level;
    const LitheTurnLevel *present;
} Progress;

static int32_t level_total(const LitheTurn *turn) {
    return (turn->kinematic > 0) + (turn->levels == 2 ? 1 : turn->levels) + (turn->press > 0) +
           turn->model.exact;
}

static bool report(void *user, const LitheTurnLevel *level) {
    Progress *p = user;
    const LitheInteriorState *state = &level->state;
    double now = lithe_clock();
    if (level != p->present) {
        p->present = level;
        p->level++;
        p->done = now - p->began;
    }
    if (p->shown && now - p->last > 0.1) {
        p->last = now;
        char left[32] = "unknown";
        double limit = p->turn->seconds - (now - p->began);
        // levels take about as long as those before
        double guess = p->level > 1
                           ? p->done / (p->level - 1) * (level_total(p->turn) - p->level + 0.5)
                           : INFINITY;
        if (fmin(limit, guess) < INFINITY)
            lithe_cli_duration(fmax(0, fmin(limit, guess)), left);
        fprintf(stderr,
                "\r  %s, epsilon %.0e (%d of %d)  iteration %d  infeasibility %.1e  cost %.5g  "
                "left %s\033[K",
                level->dynamic ? "dynamics" : "kinematics", level->epsilon, p->level,
                level_total(p->turn), state->iteration, state->violation, state->cost, left);
        fflush(stderr);
    }
    return !lithe_cli_plan_stopped(p->plan);
}

// --- the command ---------------------------------------------------------------------------------

static LitheStatus solve(LitheCliPlan *plan, const Options *o, double *seconds, LitheError *error) {
    LitheStatus status = lithe_turn_of_scene(plan->scene, &plan->turn, &plan->place, error);
    if (status != LITHE_OK)
        return status;
    LitheTurn *turn = &plan->turn;
    const double *target = turn->target;
    if (o->knock != 0 && !(hypot(target[1], hypot(target[2], target[3])) > 1e-8))
        return lithe_scene_fail(plan->scene, error, "plan.target",
                                "plan.target is the orientation at the start: --knock turns the "
                                "ball back about the axis of the target, which has none");
    if (o->max_time > 0)
        turn->seconds = o->max_time;
    plan->x = lithe_alloc_array(plan->context,
                                (int64_t)turn->stages * lithe_ball_task_variables(&turn->model),
                                sizeof(double));
    if (plan->x == NULL)
        return lithe_fail_memory(error, "a plan");
    bool shown = !o->quiet && !o->json && isatty(STDERR_FILENO);
    plan->stop = lithe_cli_stop();
    Progress progress = {.plan = plan, .turn = turn, .shown = shown, .began = lithe_clock()};
    turn->report = report;
    turn->user = &progress;
    status = o->ipopt
                 ? lithe_turn_solve_ipopt(plan->context, turn, plan->x, &plan->result, NULL, error)
                 : lithe_turn_solve(plan->context, turn, plan->x, &plan->result, error);
    for (int32_t i = 0; i < o->refine && status == LITHE_OK && lithe_turn_converged(&plan->result);
         i++) {
        progress.level = 0;
        progress.present = NULL;
        status = lithe_cli_plan_refine(plan, error);
    }
    *seconds = lithe_clock() - progress.began;
    if (shown)
        fprintf(stderr, "\r\033[K");
    if (status == LITHE_BAD_INPUT && error->text[0]) {
        LitheError own = *error;
        status = lithe_scene_fail(plan->scene, error, "plan", "plan: %s", own.text);
    }
    return status;
}

// whether all playbacks end near the target, and their replans did not fail
static bool follow(const LitheCliPlayback *plays, int32_t play_count) {
    bool all = true;
    for (int32_t i = 0; i < play_count; i++)
        all = all && !plays[i].far && !plays[i].lost;
    return all;
}

static int exit_code(const LitheCliPlan *plan, const LitheCliPlayback *plays, int32_t play_count) {
    const LitheTurnResult *r = &plan->result;
    if (lithe_cli_plan_stopped(plan))
        return LITHE_EXIT_STOPPED;
    LitheInteriorEnd end = r->levels[r->level_count - 1].end;
    if (lithe_turn_converged(r))
        return follow(plays, play_count) ? LITHE_EXIT_DONE : LITHE_EXIT_CHECK_FAILED;
    return end == LITHE_INTERIOR_STOPPED || end == LITHE_INTERIOR_TIME ? LITHE_EXIT_STOPPED
                                                                       : LITHE_EXIT_CHECK_FAILED;
}

// *made: playbacks, none after a requested stop
static LitheStatus check_outputs(LitheCliPlan *plan, const Options *o, const char *out,
                                 LitheError *error) {
    char name[4200];
    int stem = (int)strlen(out) - 3;
    LitheStatus status = lithe_output_check_result(plan->context, out, error);
    for (int32_t i = 0; status == LITHE_OK && i < o->play_count; i++) {
        snprintf(name, sizeof name, "%.*s-%s.h5", stem, out, o->play[i]);
        status = lithe_output_check_result(plan->context, name, error);
    }
    return status;
}

static LitheStatus write_all(LitheCliPlan *plan, const Options *o, const char *out,
                             LitheCliPlayback *plays, int32_t *made, LitheError *error) {
    char name[4200];
    int stem = (int)strlen(out) - 3;
    LitheStatus status = lithe_cli_plan_record(plan, out, error);
    snprintf(name, sizeof name, "%.*s.csv", stem, out);
    if (status == LITHE_OK)
        status = lithe_cli_plan_table(plan, name, error);
    for (int32_t i = 0; i < o->play_count && status == LITHE_OK && !lithe_cli_plan_stopped(plan);
         i++) {
        snprintf(name, sizeof name, "%.*s-%s.h5", stem, out, o->play[i]);
        const LitheCliPlay play = {o->play[i], o->horizon, o->knock, o->track};
        status = lithe_cli_plan_play(plan, &play, name, &plays[i], error);
        if (status == LITHE_OK)
            lithe_cli_plan_warn_of_playback(plan, &plays[(*made)++]);
    }
    return status;
}

static const struct argp_option options[] = {
    {"out", KEY_OUT, "FILE.h5", 0,
     "recording to write (default: the scene's name with -plan.h5, here); its table is beside it",
     0},
    {"set", KEY_SET, "PATH=VALUE", 0, "change a value of the scene; may be repeated", 0},
    {"play", KEY_PLAY, "lcp|convex", 0,
     "simulate the planned efforts with this contact model as well; may be given twice", 0},
    {"replan", KEY_REPLAN, "STEPS", 0,
     "play with a new plan over this many steps in every step, from the state of the simulation",
     0},
    {"knock", KEY_KNOCK, "ANGLE", 0, "turn the ball back by this angle at half time of a playback",
     0},
    {"solver", KEY_SOLVER, "own|ipopt", 0,
     "method (default own); ipopt needs its library, which is found at run time", 0},
    {"track", KEY_TRACK, 0, 0,
     "play with a linear-quadratic regulator that corrects the efforts of the plan", 0},
    {"refine", KEY_REFINE, "TIMES", 0,
     "halve the steps of the plan this many times; each plan starts from the coarser one", 0},
    {"max-time", KEY_TIME, "TIME", 0, "max wall time; the result is the best plan so far", 0},
    {"quiet", KEY_QUIET, 0, 0, "print nothing but errors", 0},
    {"json", KEY_JSON, 0, 0, "print the report as one JSON object", 0},
    {0},
};

static double angle_of(struct argp_state *state, const char *option, const char *text) {
    char why[256] = "";
    LitheQuantity quantity = {0};
    if (!lithe_quantity_parse(text, NULL, NULL, &quantity, why, sizeof why))
        argp_error(state, "%s is '%.100s': %s", option, text, why);
    else if (!lithe_quantity_fits(&quantity, LITHE_WANT_ANGLE) || !(fabs(quantity.value) <= 3.2))
        argp_error(state, "%s is '%.100s', must be an angle of at most half a turn, such as 20deg",
                   option, text);
    return quantity.value;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_OUT:
        lithe_cli_name(state, "--out", text);
        if (strlen(text) < 4 || strlen(text) > 4000 || strcmp(text + strlen(text) - 3, ".h5") != 0)
            argp_error(state, "--out is '%s', must be a name that ends with .h5", text);
        o->out = text;
        return 0;
    case KEY_SET:
        lithe_cli_check_set(state, text);
        o->sets[o->set_count++] = text;
        return 0;
    case KEY_PLAY:
        if (strcmp(text, "lcp") != 0 && strcmp(text, "convex") != 0)
            argp_error(state, "--play is '%s', must be lcp or convex", text);
        if (o->play_count == 2 || (o->play_count == 1 && strcmp(o->play[0], text) == 0))
            argp_error(state, "--play %s is given twice", text);
        o->play[o->play_count++] = text;
        return 0;
    case KEY_REPLAN:
        o->horizon = (int32_t)lithe_cli_integer(state, "--replan", text, 2, 1000);
        return 0;
    case KEY_KNOCK:
        o->knock = angle_of(state, "--knock", text);
        return 0;
    case KEY_SOLVER:
        o->ipopt = strcmp(text, "ipopt") == 0;
        if (!o->ipopt && strcmp(text, "own") != 0)
            argp_error(state, "--solver is '%s', must be own or ipopt", text);
        return 0;
    case KEY_TRACK:
        o->track = true;
        return 0;
    case KEY_REFINE:
        o->refine = (int32_t)lithe_cli_integer(state, "--refine", text, 1, 4);
        return 0;
    case KEY_TIME:
        o->max_time = lithe_cli_time(state, "--max-time", text);
        return 0;
    case KEY_QUIET:
        o->quiet = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "scene", text, &o->scene);
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_error(state, "no scene is given");
        if (o->play_count == 0 && (o->horizon > 0 || o->knock != 0 || o->track))
            argp_error(state, "--replan, --track and --knock need --play convex or --play lcp");
        if (o->refine > 0 && o->ipopt)
            argp_error(state, "--refine needs the own solver");
        if (o->track && o->horizon > 0)
            argp_error(state, "--track and --replan exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int plan_hand(const LitheCliPlan *plan, const Options *o, const char *out) {
    if (o->horizon > 0 || o->knock != 0 || o->track || o->refine > 0) {
        lithe_cli_complain(
            "%s: --replan, --track, --knock and --refine are for arms, not for hands", plan->path);
        return LITHE_EXIT_BAD_INPUT;
    }
    if (o->ipopt) {
        lithe_cli_complain("%s: --solver ipopt is for arms, not for hands", plan->path);
        return LITHE_EXIT_BAD_INPUT;
    }
    LitheCliHand hand = {.context = plan->context,
                         .path = plan->path,
                         .sets = plan->sets,
                         .set_count = plan->set_count,
                         .scene = plan->scene,
                         .out = out,
                         .play = o->play,
                         .play_count = o->play_count,
                         .max_time = o->max_time,
                         .quiet = o->quiet,
                         .json = o->json};
    return lithe_cli_plan_hand(&hand);
}

int lithe_cli_plan(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "SCENE",
        .doc =
            "Find the efforts with which an arm turns a ball, or two fingers a box, as the scene's "
            "`plan` says.\v"
            "States, efforts and contact forces of all steps are found together; the result is "
            "a recording and a table. Ctrl-C ends with the best plan so far. Exit code 1: no "
            "plan was found, what is violated is named; or a playback ends far from the "
            "target.\n\nExample:\n"
            "  lithe plan scenes/plan-x.yaml --play convex\n"};
    Options o = {.sets = calloc((size_t)argc, sizeof(char *))};
    if (!o.sets) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);
    char out[4100];
    lithe_cli_warn_once();
    if (o.out)
        snprintf(out, sizeof out, "%s", o.out);
    else
        lithe_cli_default_out(o.scene, "-plan.h5", out, sizeof out);
    LitheCliPlan plan = {.context = lithe_cli_context(o.quiet),
                         .path = o.scene,
                         .sets = o.sets,
                         .set_count = o.set_count,
                         .ipopt = o.ipopt};
    LitheError error = {0};
    LitheCliPlayback plays[2];
    int32_t plays_made = 0;
    double seconds = 0;
    LitheStatus status =
        lithe_scene_load(plan.context, o.scene, o.sets, o.set_count, &plan.scene, &error);
    if (status == LITHE_OK)
        status = lithe_scene_check(plan.scene, &error);
    // before the solution, which may take long
    if (status == LITHE_OK)
        status = check_outputs(&plan, &o, out, &error);
    bool hand = status == LITHE_OK && plan.scene->plan.hand.box.number > 0;
    if (status == LITHE_OK && !hand)
        status = solve(&plan, &o, &seconds, &error);
    if (status == LITHE_OK && !hand) {
        lithe_cli_plan_print_failure(&plan);
        lithe_cli_plan_warn_of_end(&plan);
        lithe_cli_plan_warn_of_entered(&plan);
        status = write_all(&plan, &o, out, plays, &plays_made, &error);
    }
    int code = hand                 ? plan_hand(&plan, &o, out)
               : status == LITHE_OK ? exit_code(&plan, plays, plays_made)
                                    : lithe_cli_failed(&error);
    if (hand)
        ; // has reported
    else if (status == LITHE_OK && o.json)
        lithe_cli_plan_print_json(&plan, seconds, out, plays, plays_made);
    else if (status == LITHE_OK && !o.quiet)
        lithe_cli_plan_print(&plan, seconds, out, plays, plays_made);
    lithe_free(plan.context, plan.x);
    lithe_scene_destroy(plan.scene);
    lithe_context_destroy(plan.context);
    free(o.sets);
    return code;
}
