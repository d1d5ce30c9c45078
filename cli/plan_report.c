// SPDX-License-Identifier: Apache-2.0
// cli/plan_report.c - lithe plan: what was found, as a table or JSON, and what is warned of

#include "cli/cli.h"
#include "cli/plan.h"

#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define FAR 5.0    // degrees from the target: plans and playbacks that end there are warned of
#define FAILED 0.1 // the same for this fraction of replans that failed

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

void lithe_cli_plan_print_failure(const LitheCliPlan *plan) {
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
void lithe_cli_plan_warn_of_end(const LitheCliPlan *plan) {
    double angle = final_angle(plan) * 180 / M_PI;
    if (lithe_turn_converged(&plan->result) && !(angle <= FAR))
        lithe_cli_complain("warning: %s: the plan ends %.3g degrees from its target, above %g: it "
                           "converged, but friction, time or reach do not allow more, or another "
                           "optimum is better (plan.touch, duration and cost.final decide)",
                           plan->path, angle, FAR);
}

// Contact of other disks is not in a plan.
void lithe_cli_plan_warn_of_entered(const LitheCliPlan *plan) {
    const LitheEntered *e = &plan->result.entered;
    if (e->disk != NULL)
        lithe_cli_complain("warning: %s: disk '%s', which is not in plan.disk, is %.3g m inside of "
                           "the ball in step %d of %d (%.4g s): the plan cannot be carried out "
                           "(list the disk in plan.disk, or begin with another plan.touch)",
                           plan->path, e->disk, e->depth, e->stage + 1, plan->turn.stages,
                           (e->stage + 1) * plan->turn.model.step);
}

// A playback that leaves its plan is no success of the plan.
void lithe_cli_plan_warn_of_playback(const LitheCliPlan *plan, LitheCliPlayback *p) {
    const double degrees = 180 / M_PI;
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

// --- what was found ------------------------------------------------------------------------------

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

void lithe_cli_plan_print(const LitheCliPlan *plan, double seconds, const char *out,
                          const LitheCliPlayback *plays, int32_t play_count) {
    const LitheTurn *turn = &plan->turn;
    const LitheTurnResult *r = &plan->result;
    const LitheBallTask *model = &turn->model;
    const double degrees = 180 / M_PI;
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

const char *lithe_cli_played_key(const char *model, const char *what,
                                 char out[LITHE_CLI_PLAYED_KEY]) {
    snprintf(out, LITHE_CLI_PLAYED_KEY, "played_%s_%s", model, what);
    return out;
}

static void print_json_playback(LitheJson *json, const LitheCliPlayback *p, int64_t stages) {
    const char *model = p->play.model;
    char key[LITHE_CLI_PLAYED_KEY];
    lithe_json_number(json, lithe_cli_played_key(model, "angle", key), p->angle);
    lithe_json_number(json, lithe_cli_played_key(model, "arm", key), p->arm);
    lithe_json_number(json, lithe_cli_played_key(model, "target", key), p->target);
    bool follows = p->steps == stages && !p->far && !p->lost;
    lithe_json_bool(json, lithe_cli_played_key(model, "follows", key), follows);
    lithe_json_integer(json, lithe_cli_played_key(model, "stray", key), p->stray);
    if (p->play.track)
        lithe_json_number(json, lithe_cli_played_key(model, "correction", key), p->correction);
    if (p->play.horizon == 0)
        return;
    const struct {
        const char *what;
        double value;
    } times[] = {{"replan_median", p->median},
                 {"replan_95", p->slow},
                 {"replan_processor_median", p->busy_median},
                 {"replan_processor_95", p->busy_slow}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        lithe_json_number(json, lithe_cli_played_key(model, times[i].what, key), times[i].value);
    lithe_json_integer(json, lithe_cli_played_key(model, "replan_failed", key), p->failed);
}

void lithe_cli_plan_print_json(const LitheCliPlan *plan, double seconds, const char *out,
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
    for (int32_t i = 0; i < play_count; i++)
        print_json_playback(&json, &plays[i], n);
    lithe_json_text(&json, "recording", out);
    lithe_json_close(&json);
}
