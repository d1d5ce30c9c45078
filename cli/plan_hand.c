// SPDX-License-Identifier: Apache-2.0
// cli/plan_hand.c - lithe plan of a hand: solve with progress, report

#include "cli/plan_hand.h"
#include "cli/cli.h"
#include "cli/plan.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// a step that turns the box more is warned of [rad]
#define MAX_TURN 0.35
#define DEGREES (180 / M_PI)

typedef struct Progress {
    const volatile sig_atomic_t *stop;
    const LitheHand *hand;
    bool shown;
    double began, last;
    double kinematics; // wall time of that level; 0: it is not over
} Progress;

static bool report(void *user, bool dynamic, const LitheInteriorState *state) {
    Progress *p = user;
    double now = lithe_clock();
    const double *epsilon = p->hand->epsilon;
    if (dynamic && p->kinematics == 0)
        p->kinematics = now - p->began;
    if (p->shown && now - p->last > 0.1) {
        char left[32] = "unknown";
        double limit = p->hand->seconds - (now - p->began);
        // dynamics take some four times as long as kinematics
        double guess = dynamic ? fmax(0, 5 * p->kinematics - (now - p->began)) : INFINITY;
        if (fmin(limit, guess) < INFINITY)
            lithe_cli_duration(fmax(0, fmin(limit, guess)), left);
        p->last = now;
        fprintf(stderr,
                "\r  %s, epsilon %.0e (%d of 2)  iteration %d  infeasibility %.1e  cost %.5g  left "
                "%s\033[K",
                dynamic ? "dynamics" : "kinematics",
                dynamic ? fmin(epsilon[0], fmax(epsilon[1], state->barrier)) : epsilon[0],
                dynamic ? 2 : 1, state->iteration, state->violation, state->cost, left);
        fflush(stderr);
    }
    return !*p->stop;
}

static LitheStatus solve(LitheCliHand *plan, LitheError *error) {
    LitheStatus status = lithe_hand_of_scene(plan->scene, &plan->hand, &plan->place, error);
    if (status != LITHE_OK)
        return status;
    LitheHand *hand = &plan->hand;
    if (plan->max_time > 0)
        hand->seconds = plan->max_time;
    plan->x = lithe_alloc_array(plan->context, (int64_t)hand->stages * LITHE_HAND_VARIABLES,
                                sizeof(double));
    if (plan->x == NULL)
        return lithe_fail_memory(error, "a plan");
    Progress progress = {.stop = lithe_cli_stop(),
                         .hand = hand,
                         .began = lithe_clock(),
                         .shown = !plan->quiet && !plan->json && isatty(STDERR_FILENO)};
    hand->report = report;
    hand->user = &progress;
    status = lithe_hand_solve(plan->context, hand, plan->x, &plan->result, error);
    if (progress.shown)
        fprintf(stderr, "\r\033[K");
    if (status == LITHE_BAD_INPUT && error->text[0]) {
        LitheError own = *error;
        status = lithe_scene_fail(plan->scene, error, "plan", "plan: %s", own.text);
    }
    return status;
}

// far from its target: a box that is not turned
static bool is_beyond(double place, double angle) {
    return !(place <= 5e-3 && angle * DEGREES <= 2);
}

static bool is_far(const LitheCliHandPlayback *play) {
    return is_beyond(play->place, play->angle);
}

static int exit_code(const LitheCliHand *plan, const LitheCliHandPlayback *plays) {
    const LitheHandResult *r = &plan->result;
    int code = LITHE_EXIT_DONE;
    for (int32_t i = 0; i < plan->play_count; i++)
        if (is_far(&plays[i]))
            code = LITHE_EXIT_CHECK_FAILED;
    if (r->end == LITHE_INTERIOR_CONVERGED)
        return code;
    return r->end == LITHE_INTERIOR_STOPPED || r->end == LITHE_INTERIOR_TIME
               ? LITHE_EXIT_STOPPED
               : LITHE_EXIT_CHECK_FAILED;
}

static void print_failure(const LitheCliHand *plan) {
    const LitheHandResult *r = &plan->result;
    char text[256];
    if (r->turn > MAX_TURN)
        lithe_cli_complain(
            "warning: %s: the box turns by up to %.3g degrees in one step of %.4g s: "
            "the plan is coarse, more plan.steps are needed",
            plan->path, DEGREES * r->turn, plan->hand.task.step);
    // the end is a cost: a plan may converge far from its target
    if (r->end == LITHE_INTERIOR_CONVERGED && is_beyond(r->place, r->angle))
        lithe_cli_complain(
            "warning: %s: the plan ends %.3g mm and %.3g degrees from its target: it "
            "converged, but friction, time or reach do not allow more, or another "
            "optimum is better",
            plan->path, 1e3 * r->place, DEGREES * r->angle);
    if (r->end == LITHE_INTERIOR_CONVERGED)
        return;
    lithe_cli_complain("%s: the plan did not converge: %s", plan->path,
                       lithe_interior_end_text(r->end));
    if (r->worst > 1e-8)
        lithe_cli_complain("largest violation: %s, by %.3g, in step %d of %d (%.4g s)",
                           lithe_hand_row(&plan->hand.task, r->worst_row, text, sizeof text),
                           r->worst, r->worst_stage + 1, plan->hand.stages,
                           (r->worst_stage + 1) * plan->hand.task.step);
}

static void print_table(const LitheCliHand *plan, const LitheCliHandPlayback *plays) {
    const LitheHandResult *r = &plan->result;
    long long n = plan->hand.stages;
    if (plan->scene->title && *plan->scene->title)
        printf("%s\n", plan->scene->title);
    printf("  problem          %lld steps of %.4g s, two fingers, six contacts\n", n,
           plan->hand.task.step);
    printf("  sizes            %lld variables, %lld equations, %lld inequalities\n",
           n * LITHE_HAND_VARIABLES, n * LITHE_HAND_EQUATIONS,
           n * lithe_hand_inequalities(&plan->hand.task));
    printf("  solver           own, by stages: %d iterations of kinematics, %d of dynamics, %s\n",
           r->kinematic.iteration, r->state.iteration, lithe_interior_end_text(r->end));
    printf("  cost             %.5g\n", r->state.cost);
    printf("  final error      %.3g mm, %.3g degrees\n", 1e3 * r->place, DEGREES * r->angle);
    printf("  complementarity  products at most %.3g\n", r->products);
    printf("  equations        residual %.3g\n", r->equations);
    printf("  contact          left tip in %d, right tip in %d of %lld steps\n", r->touching[0],
           r->touching[1], n);
    printf("  wall time        %.2f s\n", r->seconds);
    for (int32_t i = 0; i < plan->play_count; i++)
        printf("  played, %-8s box %.3g mm, %.3g degrees from the target (from the plan at most "
               "%.3g mm, %.3g degrees)\n",
               plays[i].model, 1e3 * plays[i].place, DEGREES * plays[i].angle,
               1e3 * plays[i].place_most, DEGREES * plays[i].angle_most);
    printf("  recording        %s, %lld frames; table %.*s.csv\n", plan->out, n + 1,
           (int)strlen(plan->out) - 3, plan->out);
}

static void print_json(const LitheCliHand *plan, const LitheCliHandPlayback *plays) {
    const LitheHandResult *r = &plan->result;
    int64_t n = plan->hand.stages;
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "solver", "own");
    lithe_json_bool(&json, "converged", r->end == LITHE_INTERIOR_CONVERGED);
    lithe_json_text(&json, "end", lithe_interior_end_text(r->end));
    lithe_json_number(&json, "wall_seconds", r->seconds);
    lithe_json_integer(&json, "iterations", r->kinematic.iteration + r->state.iteration);
    lithe_json_integer(&json, "variables", n * LITHE_HAND_VARIABLES);
    lithe_json_integer(&json, "equations", n * LITHE_HAND_EQUATIONS);
    lithe_json_integer(&json, "inequalities", n * lithe_hand_inequalities(&plan->hand.task));
    lithe_json_number(&json, "cost", r->state.cost);
    lithe_json_number(&json, "place", r->place);
    lithe_json_number(&json, "angle", r->angle);
    lithe_json_number(&json, "products", r->products);
    lithe_json_number(&json, "residual", r->equations);
    for (int32_t i = 0; i < plan->play_count; i++) {
        const char *model = plays[i].model;
        char key[LITHE_CLI_PLAYED_KEY];
        lithe_json_number(&json, lithe_cli_played_key(model, "place", key), plays[i].place);
        lithe_json_number(&json, lithe_cli_played_key(model, "angle", key), plays[i].angle);
        lithe_json_bool(&json, lithe_cli_played_key(model, "follows", key), !is_far(&plays[i]));
    }
    lithe_json_text(&json, "recording", plan->out);
    lithe_json_close(&json);
}

static LitheStatus write_all(LitheCliHand *plan, LitheCliHandPlayback *plays, LitheError *error) {
    char name[4200];
    int stem = (int)strlen(plan->out) - 3;
    LitheStatus status = lithe_cli_hand_record(plan, error);
    snprintf(name, sizeof name, "%.*s.csv", stem, plan->out);
    if (status == LITHE_OK)
        status = lithe_cli_hand_table(plan, name, error);
    for (int32_t i = 0; i < plan->play_count && status == LITHE_OK; i++) {
        snprintf(name, sizeof name, "%.*s-%s.h5", stem, plan->out, plan->play[i]);
        status = lithe_cli_hand_play(plan, plan->play[i], name, &plays[i], error);
        if (status == LITHE_OK && is_far(&plays[i]))
            lithe_cli_complain("warning: %s: the playback with %s ends %.3g mm and %.3g degrees "
                               "from the target: the simulation does not follow the plan",
                               plan->path, plays[i].model, 1e3 * plays[i].place,
                               DEGREES * plays[i].angle);
    }
    return status;
}

int lithe_cli_plan_hand(LitheCliHand *plan) {
    LitheError error = {0};
    LitheCliHandPlayback plays[2];
    LitheStatus status = solve(plan, &error);
    if (status == LITHE_OK) {
        print_failure(plan);
        status = write_all(plan, plays, &error);
    }
    int code = status == LITHE_OK ? exit_code(plan, plays) : lithe_cli_failed(&error);
    if (status == LITHE_OK && plan->json)
        print_json(plan, plays);
    else if (status == LITHE_OK && !plan->quiet)
        print_table(plan, plays);
    lithe_free(plan->context, plan->x);
    return code;
}
