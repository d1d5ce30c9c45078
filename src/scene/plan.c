// SPDX-License-Identifier: Apache-2.0
// scene/plan.c - a motion to be planned: defaults, copy, limits

#include "scene/plan.h"

#include "base/memory.h"
#include "math/quat.h"
#include "scene/copy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_STEPS 100000
#define MAX_DIRECTIONS 64

LithePlanDef lithe_plan_def_default(void) {
    return (LithePlanDef){
        .target = {sqrt(0.5), sqrt(0.5), 0, 0},
        .duration = 4,
        .steps = 100,
        .directions = 10,
        .warm_start = true,
        .rounding = 1e-3,
        .cost = {.error = 10,
                 .final_error = 100,
                 .effort = 1e-2,
                 .change = 1e-3,
                 .normal = 1e-3,
                 .rise = 0.2,
                 .spin = 1e-3,
                 .norm = 10},
        .bounds = {.shortest = -0.06,
                   .longest = 0.16,
                   .speed = 2,
                   .effort = 80,
                   .angular_velocity = 6,
                   .force = 50},
        .hand = {
            .cost = {.place = 0.1,
                     .angle = 0.1,
                     .final_place = 2e4,
                     .final_angle = 100,
                     .final_speed = 1,
                     .effort = 1,
                     .speed = 1e-3,
                     .change = 1e-2,
                     .rise = 1e-2,
                     .force = 1e-4},
            .bounds = {
                .speed = 8, .effort = 2, .force = 30, .velocity = 1.5, .angular_velocity = 3}}};
}

bool lithe_scene_set_plan(LitheScene *scene, const LithePlanDef *def) {
    double *epsilon = NULL;
    if (def->epsilon_count > 0) {
        epsilon = lithe_alloc_array(scene->context, def->epsilon_count, sizeof *epsilon);
        if (!epsilon)
            return false;
        for (int32_t i = 0; i < def->epsilon_count; i++)
            epsilon[i] = def->epsilon[i];
    }
    lithe_free(scene->context, (void *)scene->plan.epsilon);
    scene->plan = *def;
    scene->plan.epsilon = epsilon;
    return true;
}

// --- limits --------------------------------------------------------------------------------------

static void check_schedule(LitheCheck *check, const LithePlanDef *p) {
    if (p->epsilon_count < 0 || p->epsilon_count > LITHE_PLAN_LEVELS)
        lithe_check_fail(check, "epsilon", "epsilon has %d numbers, must have 1 to %d",
                         p->epsilon_count, LITHE_PLAN_LEVELS);
    for (int32_t i = 0; i < p->epsilon_count && check->status == LITHE_OK; i++) {
        double e = p->epsilon[i];
        if (!(e > 0 && e < INFINITY))
            lithe_check_fail(check, "epsilon", "epsilon: number %d is %.9g, must be > 0", i + 1, e);
        else if (i > 0 && !(e < p->epsilon[i - 1]))
            lithe_check_fail(check, "epsilon",
                             "epsilon: number %d is %.9g, must be below the one before, %.9g",
                             i + 1, e, p->epsilon[i - 1]);
    }
}

static void check_cost(LitheCheck *check, const LithePlanCost *c) {
    const struct {
        const char *key;
        double value;
    } rows[] = {{"cost.error", c->error},   {"cost.final", c->final_error},
                {"cost.effort", c->effort}, {"cost.change", c->change},
                {"cost.normal", c->normal}, {"cost.rise", c->rise},
                {"cost.spin", c->spin},     {"cost.norm", c->norm}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        lithe_check_number(check, rows[i].key, rows[i].value, "", LITHE_NOT_NEGATIVE);
}

typedef struct BodyRow {
    const char *key;
    LitheBodyId body;
} BodyRow;

static void check_bodies(LitheCheck *check, const BodyRow *rows, int count) {
    for (int i = 0; i < count; i++)
        if (rows[i].body.number < 1 || rows[i].body.number > check->scene->body_count)
            lithe_check_fail(check, rows[i].key, "%s is body number %d of %d", rows[i].key,
                             rows[i].body.number, check->scene->body_count);
}

// Disks follow each other without a gap, and none is there twice.
static void check_disks(LitheCheck *check, const LithePlanDef *p) {
    LitheBodyId all[1 + LITHE_PLAN_MORE_DISKS] = {p->disk};
    int32_t count = 1;
    for (int32_t i = 0; i < LITHE_PLAN_MORE_DISKS; i++) {
        BodyRow row = {"disk", p->more_disks[i]};
        if (row.body.number == 0)
            continue;
        if (count < i + 1)
            lithe_check_fail(check, "disk", "disk: number %d is missing", (int)count + 1);
        check_bodies(check, &row, 1);
        for (int32_t k = 0; k < count && check->status == LITHE_OK; k++)
            if (all[k].number == row.body.number)
                lithe_check_fail(check, "disk", "disk has '%s' twice",
                                 check->scene->bodies[row.body.number - 1].name);
        all[count++] = row.body;
    }
}

typedef struct NumberRow {
    const char *key;
    double value;
    const char *unit;
} NumberRow;

static void check_hand(LitheCheck *check, const LithePlanHand *h) {
    const BodyRow bodies[] = {
        {"hand.box", h->box}, {"hand.left", h->left}, {"hand.right", h->right}};
    check_bodies(check, bodies, 3);
    if (check->status == LITHE_OK && h->left.number == h->right.number)
        lithe_check_fail(check, "hand.right", "hand.left and hand.right are the same body, '%s'",
                         check->scene->bodies[h->left.number - 1].name);
    lithe_check_vector(check, "hand.at", h->at, "m");
    const LithePlanHandCost *c = &h->cost;
    const LithePlanHandBounds *b = &h->bounds;
    const NumberRow weights[] = {{"hand.cost.place", c->place, ""},
                                 {"hand.cost.angle", c->angle, ""},
                                 {"hand.cost.final-place", c->final_place, ""},
                                 {"hand.cost.final-angle", c->final_angle, ""},
                                 {"hand.cost.final-speed", c->final_speed, ""},
                                 {"hand.cost.effort", c->effort, ""},
                                 {"hand.cost.speed", c->speed, ""},
                                 {"hand.cost.change", c->change, ""},
                                 {"hand.cost.rise", c->rise, ""},
                                 {"hand.cost.force", c->force, ""}};
    const NumberRow bounds[] = {{"hand.bounds.speed", b->speed, "rad/s"},
                                {"hand.bounds.effort", b->effort, "N m"},
                                {"hand.bounds.force", b->force, "N"},
                                {"hand.bounds.velocity", b->velocity, "m/s"},
                                {"hand.bounds.angular-velocity", b->angular_velocity, "rad/s"}};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        lithe_check_number(check, weights[i].key, weights[i].value, "", LITHE_NOT_NEGATIVE);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        lithe_check_number(check, bounds[i].key, bounds[i].value, bounds[i].unit, LITHE_POSITIVE);
}

typedef struct IdleRow {
    const char *key;
    bool given;
} IdleRow;

static bool differ(const void *a, const void *b, size_t size) {
    double x[16], y[16];
    size_t count = size / sizeof *x;
    memcpy(x, a, size);
    memcpy(y, b, size);
    for (size_t i = 0; i < count; i++)
        if (x[i] != y[i])
            return true;
    return false;
}
_Static_assert(sizeof(LithePlanCost) <= 16 * sizeof(double), "see differ");
_Static_assert(sizeof(LithePlanBounds) <= 16 * sizeof(double), "see differ");

// Nothing is silently ignored: settings of arms do nothing for hands.
static void warn_idle(const LitheCheck *check, const LithePlanDef *p) {
    const LithePlanDef preset = lithe_plan_def_default();
    const IdleRow rows[] = {
        {"directions", p->directions != preset.directions},
        {"touch", v3_norm(p->touch) > 0},
        {"warm-start", p->warm_start != preset.warm_start},
        {"effort", p->effort != preset.effort},
        {"end", p->end != preset.end},
        {"coriolis", p->coriolis != preset.coriolis},
        {"press", p->press != preset.press},
        {"cost", differ(&p->cost, &preset.cost, sizeof p->cost)},
        {"bounds", differ(&p->bounds, &preset.bounds, sizeof p->bounds)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given)
            lithe_check_warn(check, rows[i].key, "plan.%s does nothing in a plan of a hand%s",
                             rows[i].key,
                             i + 2 < sizeof rows / sizeof *rows ? "" : ": see plan.hand");
    if (p->epsilon_count > 2)
        lithe_check_warn(check, "epsilon",
                         "plan.epsilon has %d numbers: a plan of a hand is one solve, from the "
                         "first to the last, and leaves out the others",
                         p->epsilon_count);
}

// Orientations repeat after a full turn, and ball or box take the shorter way to their target. A
// hand may move its box without turning it.
static void warn_turn(const LitheCheck *check, Quat target, bool hand) {
    Quat q = q4_unit(target);
    double way = 2 * atan2(v3_norm(v3(q.x, q.y, q.z)), fabs(q.w)) * 180 / M_PI;
    if (way < 1e-6 && !hand)
        lithe_check_warn(check, "target",
                         "plan.target is the orientation at the start: nothing has to turn");
    else if (q.w < 0)
        lithe_check_warn(
            check, "target",
            "plan.target turns by more than 180 degrees: a plan takes the shorter way to this "
            "orientation, %.4g degrees about the opposite axis",
            way);
}

void lithe_check_plan(LitheCheck *check) {
    const LithePlanDef *p = &check->scene->plan;
    if (!lithe_plan_def_is_given(p))
        return;
    snprintf(check->label, sizeof check->label, "plan");
    snprintf(check->path, sizeof check->path, "plan");
    check->prefix = "";
    const BodyRow bodies[] = {{"disk", p->disk}, {"ball", p->ball}};
    if (p->hand.box.number == 0) {
        check_bodies(check, bodies, 2);
        check_disks(check, p);
    } else if (p->disk.number > 0 || p->ball.number > 0) {
        lithe_check_fail(check, "hand", "a plan has either a hand or a disk and a ball");
    } else {
        check_hand(check, &p->hand);
    }
    lithe_check_quat(check, "target", p->target);
    if (q4_norm(p->target) > 0)
        warn_turn(check, p->target, p->hand.box.number > 0);
    if (p->hand.box.number > 0)
        warn_idle(check, p);
    lithe_check_number(check, "duration", p->duration, "s", LITHE_POSITIVE);
    if (p->steps < 1 || p->steps > MAX_STEPS)
        lithe_check_fail(check, "steps", "steps is %d, must be 1 to %d", p->steps, MAX_STEPS);
    if (p->directions < 3 || p->directions > MAX_DIRECTIONS)
        lithe_check_fail(check, "directions", "directions is %d, must be 3 to %d", p->directions,
                         MAX_DIRECTIONS);
    lithe_check_direction(check, "touch", p->touch);
    check_schedule(check, p);
    lithe_check_choice(check, "effort", (int)p->effort, LITHE_PLAN_EFFORT_FULL + 1);
    lithe_check_choice(check, "end", (int)p->end, LITHE_PLAN_END_EXACT + 1);
    lithe_check_number(check, "press", p->press, "N", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "rounding", p->rounding, "m", LITHE_POSITIVE);
    lithe_check_number(check, "clearance", p->clearance, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "max-time", p->max_time, "s", LITHE_NOT_NEGATIVE);
    check_cost(check, &p->cost);
    const LithePlanBounds *b = &p->bounds;
    if (!(b->shortest < b->longest) || !isfinite(b->shortest) || !isfinite(b->longest))
        lithe_check_fail(check, "bounds.elongation",
                         "bounds.elongation is [%.9g, %.9g] m, must be in order", b->shortest,
                         b->longest);
    lithe_check_number(check, "bounds.speed", b->speed, "m/s", LITHE_POSITIVE);
    lithe_check_number(check, "bounds.effort", b->effort, "N", LITHE_POSITIVE);
    lithe_check_number(check, "bounds.angular-velocity", b->angular_velocity, "rad/s",
                       LITHE_POSITIVE);
    lithe_check_number(check, "bounds.force", b->force, "N", LITHE_POSITIVE);
    if (p->press >= b->force)
        lithe_check_fail(check, "press", "press is %.9g N, must be below bounds.force, %.9g N",
                         p->press, b->force);
}
