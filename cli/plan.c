// SPDX-License-Identifier: Apache-2.0
// cli/plan.c - lithe plan: solve, with progress; Ctrl-C returns the best plan so far; report

#include "cli/plan.h"
#include "cli/cli.h"
#include "cli/plan_hand.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "scene/quantity.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAR 5.0    // degrees from the target: plans and playbacks that end there are warned of
#define FAILED 0.1 // the same for this fraction of replans that failed

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

// --- report --------------------------------------------------------------------------------------

// bounds that hold where the largest violation is
static void print_active(const LitheCliPlan *plan) {
    const LitheTurn *turn = &plan->turn;
    const double *stage = lithe_cli_plan_stage(plan, plan->result.worst_stage);
    int32_t shown = 0;
    int32_t each = lithe_ball_task_shift(&turn->model, 1);
    for (int32_t i = 0; i < lithe_ball_task_contacts_end(&turn->model); i++) {
        bool force = i >= LITHE_AT_NORMAL && (i - LITHE_AT_NORMAL) % each == 0;
        if (i > LITHE_AT_NORMAL && !force) // of a contact only its normal force
            continue;
        double lower, upper, value = stage[i];
        char text[LITHE_PLAN_ROW_TEXT];
        const char *unit;
        lithe_turn_bounds(turn, i, &lower, &upper);
        double near = 1e-3 * (upper - lower);
        bool low = value < lower + near && !force, high = value > upper - near;
        if (!(low || high) || shown++ >= 4)
            continue;
        const char *name = lithe_ball_task_variable(&turn->model, i, text, sizeof text, &unit);
        fprintf(stderr, "lithe: at its %s there: %s, %.4g %s\n", low ? "min" : "max", name,
                low ? lower : upper, unit);
    }
}

static void print_failure(const LitheCliPlan *plan) {
    const LitheTurnResult *r = &plan->result;
    const LitheTurnLevel *last = &r->levels[r->level_count - 1];
    char text[LITHE_PLAN_ROW_TEXT];
    if (lithe_turn_converged(r))
        return;
    lithe_cli_complain("%s: the plan did not converge at epsilon %g%s: %s", plan->path,
                       last->epsilon, last->dynamic ? "" : " (kinematics)",
                       lithe_interior_end_text(last->end));
    if (r->worst > 1e-8)
        lithe_cli_complain("largest violation: %s, by %.3g, in step %d of %d (%.4g s)",
                           lithe_ball_task_row(&plan->turn.model, r->worst_row, text, sizeof text),
                           r->worst, r->worst_stage + 1, plan->turn.stages,
                           (r->worst_stage + 1) * plan->turn.model.step);
    print_active(plan);
}

static double final_angle(const LitheCliPlan *plan) {
    return lithe_cli_plan_angle(plan, lithe_cli_plan_stage(plan, plan->turn.stages - 1));
}

// The end is a cost: a plan may converge far from its target.
static void warn_of_end(const LitheCliPlan *plan) {
    double angle = final_angle(plan) * 180 / 3.14159265358979323846;
    if (lithe_turn_converged(&plan->result) && !(angle <= FAR))
        lithe_cli_complain("warning: %s: the plan ends %.3g degrees from its target, above %g: it "
                           "converged, but friction, time or reach do not allow more, or another "
                           "optimum is better (plan.touch, duration and cost.final decide)",
                           plan->path, angle, FAR);
}

// Contact of other disks is not in a plan.
static void warn_of_entered(const LitheCliPlan *plan) {
    const LitheEntered *e = &plan->result.entered;
    if (e->disk != NULL)
        lithe_cli_complain("warning: %s: disk '%s', which is not in plan.disk, is %.3g m inside of "
                           "the ball in step %d of %d (%.4g s): the plan cannot be carried out "
                           "(list the disk in plan.disk, or begin with another plan.touch)",
                           plan->path, e->disk, e->depth, e->stage + 1, plan->turn.stages,
                           (e->stage + 1) * plan->turn.model.step);
}

static void print_levels(const LitheTurnResult *r) {
    printf("  level       epsilon  iterations  factors        cost  infeasible  1-(q.q*)^2 before"
           "      after  time [s]\n");
    for (int32_t i = 0; i < r->level_count; i++) {
        const LitheTurnLevel *l = &r->levels[i];
        printf("  %-10s  %7.0e  %10d  %7d  %10.5g  %10.1e  %17.2e  %9.2e  %8.2f  %s\n",
               l->exact     ? "exact end"
               : l->pressed ? "press"
               : l->dynamic ? "dynamics"
                            : "kinematics",
               l->epsilon, l->state.iteration, l->state.factors, l->state.cost, l->state.violation,
               l->error_before, l->error, l->seconds, lithe_interior_end_text(l->end));
    }
}

static void print_table(const LitheCliPlan *plan, double seconds, const char *out,
                        const LitheCliPlayback *plays, int32_t play_count) {
    const LitheTurn *turn = &plan->turn;
    const LitheTurnResult *r = &plan->result;
    const LitheBallTask *model = &turn->model;
    const double degrees = 180 / 3.14159265358979323846;
    long long n = turn->stages;
    if (plan->scene->title && *plan->scene->title)
        printf("%s\n", plan->scene->title);
    printf("  problem          %d steps of %.4g s, %d directions of friction\n", turn->stages,
           model->step, model->directions);
    printf("  sizes            %lld variables, %lld equations, %lld inequalities\n",
           n * lithe_ball_task_variables(model), n * lithe_ball_task_equations(model),
           n * lithe_ball_task_inequalities(model));
    printf("  nonzeros         %lld of the Jacobian, %lld of the Hessian (lower triangle)\n",
           (long long)r->jacobian, (long long)r->hessian);
    printf("  solver           %s\n", plan->ipopt ? "IPOPT" : "own, by stages");
    print_levels(r);
    printf("  final error      %.3g = 1 - (q.q*)^2, %.3g degrees\n", r->error,
           degrees * final_angle(plan));
    printf("  complementarity  products at most %.3g\n", r->products);
    printf("  equations        residual %.3g\n", r->equations);
    printf("  contact          in %d of %d steps", r->touching, turn->stages);
    for (int32_t i = 0; i < model->contact_count && model->contact_count > 1; i++)
        printf("%s %s %d", i == 0 ? ":" : ",", model->contact[i].name, r->touching_of[i]);
    if (model->contact_count > 1)
        printf("; several at a time in %d", r->together);
    printf("\n");
    printf("  wall time        %.2f s\n", seconds);
    for (int32_t i = 0; i < play_count; i++) {
        const LitheCliPlayback *p = &plays[i];
        printf(
            "  played, %-8s ball %.3g degrees from the plan at the end (max %.3g), %.3g from the "
            "target; arm %.3g mm (max %.3g)\n",
            p->play.model, degrees * p->angle, degrees * p->angle_most, degrees * p->target,
            1e3 * p->arm, 1e3 * p->arm_most);
        if (p->play.track)
            printf(
                "                   corrected by a regulator, by at most %.3g N before the clip\n",
                p->correction);
        if (p->play.horizon > 0)
            printf("                   replanned every step over %d steps: median %.3g ms, 95 %% "
                   "within %.3g ms (%.3g and %.3g ms of processor time); %d of %d failed\n",
                   p->play.horizon, 1e3 * p->median, 1e3 * p->slow, 1e3 * p->busy_median,
                   1e3 * p->busy_slow, p->failed, turn->stages);
    }
    printf("  recording        %s, %d frames; table %.*s.csv\n", out, turn->stages + 1,
           (int)strlen(out) - 3, out);
}

static void print_json(const LitheCliPlan *plan, double seconds, const char *out,
                       const LitheCliPlayback *plays, int32_t play_count) {
    const LitheTurnResult *r = &plan->result;
    const LitheBallTask *model = &plan->turn.model;
    int64_t n = plan->turn.stages, iterations = 0, factors = 0;
    double kinematic = 0, dynamic = 0;
    for (int32_t i = 0; i < r->level_count; i++) {
        iterations += r->levels[i].state.iteration;
        factors += r->levels[i].state.factors;
        *(r->levels[i].dynamic ? &dynamic : &kinematic) += r->levels[i].seconds;
    }
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "solver", plan->ipopt ? "ipopt" : "own");
    lithe_json_bool(&json, "converged", lithe_turn_converged(r));
    lithe_json_text(&json, "end", lithe_interior_end_text(r->levels[r->level_count - 1].end));
    lithe_json_number(&json, "wall_seconds", seconds);
    lithe_json_number(&json, "kinematic_seconds", kinematic);
    lithe_json_number(&json, "dynamic_seconds", dynamic);
    lithe_json_integer(&json, "iterations", iterations);
    lithe_json_integer(&json, "factors", factors);
    lithe_json_integer(&json, "variables", n * lithe_ball_task_variables(model));
    lithe_json_integer(&json, "equations", n * lithe_ball_task_equations(model));
    lithe_json_integer(&json, "inequalities", n * lithe_ball_task_inequalities(model));
    lithe_json_integer(&json, "jacobian_nonzeros", r->jacobian);
    lithe_json_integer(&json, "hessian_nonzeros", r->hessian);
    lithe_json_number(&json, "cost", r->levels[r->level_count - 1].state.cost);
    lithe_json_number(&json, "error", r->error);
    lithe_json_number(&json, "angle", final_angle(plan));
    lithe_json_number(&json, "products", r->products);
    lithe_json_number(&json, "residual", r->equations);
    lithe_json_integer(&json, "touching", r->touching);
    lithe_json_number(&json, "entered", r->entered.depth);
    for (int32_t i = 0; i < model->contact_count && model->contact_count > 1; i++) {
        char name[128];
        snprintf(name, sizeof name, "touching_%.100s", model->contact[i].name);
        lithe_json_integer(&json, name, r->touching_of[i]);
    }
    if (model->contact_count > 1)
        lithe_json_integer(&json, "touching_together", r->together);
    for (int32_t i = 0; i < play_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "played_%s_angle", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].angle);
        snprintf(name, sizeof name, "played_%s_arm", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].arm);
        snprintf(name, sizeof name, "played_%s_target", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].target);
        snprintf(name, sizeof name, "played_%s_follows", plays[i].play.model);
        lithe_json_bool(&json, name, plays[i].steps == n && !plays[i].far && !plays[i].lost);
        snprintf(name, sizeof name, "played_%s_stray", plays[i].play.model);
        lithe_json_integer(&json, name, plays[i].stray);
        if (plays[i].play.track) {
            snprintf(name, sizeof name, "played_%s_correction", plays[i].play.model);
            lithe_json_number(&json, name, plays[i].correction);
        }
        if (plays[i].play.horizon == 0)
            continue;
        snprintf(name, sizeof name, "played_%s_replan_median", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].median);
        snprintf(name, sizeof name, "played_%s_replan_95", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].slow);
        snprintf(name, sizeof name, "played_%s_replan_processor_median", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].busy_median);
        snprintf(name, sizeof name, "played_%s_replan_processor_95", plays[i].play.model);
        lithe_json_number(&json, name, plays[i].busy_slow);
        snprintf(name, sizeof name, "played_%s_replan_failed", plays[i].play.model);
        lithe_json_integer(&json, name, plays[i].failed);
    }
    lithe_json_text(&json, "recording", out);
    lithe_json_close(&json);
}

// --- the command ---------------------------------------------------------------------------------

static LitheStatus solve(LitheCliPlan *plan, const Options *o, double *seconds, LitheError *error) {
    LitheStatus status = lithe_turn_of_scene(plan->scene, &plan->turn, &plan->place, error);
    if (status != LITHE_OK)
        return status;
    LitheTurn *turn = &plan->turn;
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

// A playback that leaves its plan is no success of the plan.
static void warn_of(const LitheCliPlan *plan, LitheCliPlayback *p) {
    const double degrees = 180 / 3.14159265358979323846;
    if (p->steps < plan->turn.stages) {
        lithe_cli_complain("%s: the playback with %s was stopped on request after step %d of %d",
                           plan->path, p->play.model, p->steps, plan->turn.stages);
        return;
    }
    double planned = degrees * final_angle(plan);
    p->far = !(degrees * p->target <= FAR);
    p->lost = p->failed > FAILED * plan->turn.stages;
    if (p->far && !(planned <= FAR))
        lithe_cli_complain("warning: %s: the playback with %s ends %.3g degrees from the target, "
                           "above %g: the plan itself ends %.3g degrees from it, the simulation "
                           "%.3g degrees from the plan",
                           plan->path, p->play.model, degrees * p->target, FAR, planned,
                           degrees * p->angle);
    else if (p->far)
        lithe_cli_complain(
            "warning: %s: the playback with %s ends %.3g degrees from the target, "
            "above %g: the simulation does not follow the plan%s",
            plan->path, p->play.model, degrees * p->target, FAR,
            p->play.track || p->play.horizon > 0 ? "" : "; --track and --replan have feedback");
    if (p->stray > 0)
        lithe_cli_complain("warning: %s: in the playback with %s disk '%s', which is not in "
                           "plan.disk, touches the ball in %d of %d steps, first at %.4g s: the "
                           "plan knows nothing of it",
                           plan->path, p->play.model, p->stray_disk, p->stray, plan->turn.stages,
                           p->stray_time);
    if (p->lost)
        lithe_cli_complain("warning: %s: %d of the %d replans with %s failed", plan->path,
                           p->failed, plan->turn.stages, p->play.model);
}

// *made: playbacks, none after a requested stop
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
            warn_of(plan, &plays[(*made)++]);
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
        if (o->scene)
            argp_error(state, "expected one scene, unexpected argument '%s'", text);
        o->scene = text;
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

// "folder/turn.yaml" makes "turn-plan.h5" in the current folder
static void default_out(const char *scene, char *out, size_t size) {
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    int length = dot ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, size, "%.*s-plan.h5", length, name);
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
        default_out(o.scene, out, sizeof out);
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
    bool hand = status == LITHE_OK && plan.scene->plan.hand.box.number > 0;
    if (status == LITHE_OK && !hand)
        status = solve(&plan, &o, &seconds, &error);
    if (status == LITHE_OK && !hand) {
        print_failure(&plan);
        warn_of_end(&plan);
        warn_of_entered(&plan);
        status = write_all(&plan, &o, out, plays, &plays_made, &error);
    }
    int code = hand                 ? plan_hand(&plan, &o, out)
               : status == LITHE_OK ? exit_code(&plan, plays, plays_made)
                                    : lithe_cli_failed(&error);
    if (hand)
        ; // has reported
    else if (status == LITHE_OK && o.json)
        print_json(&plan, seconds, out, plays, plays_made);
    else if (status == LITHE_OK && !o.quiet)
        print_table(&plan, seconds, out, plays, plays_made);
    lithe_free(plan.context, plan.x);
    lithe_scene_destroy(plan.scene);
    lithe_context_destroy(plan.context);
    free(o.sets);
    return code;
}
