// SPDX-License-Identifier: Apache-2.0
// scene/fields_plan.c - the table of keys of a plan

#include "lithe/plan.h"
#include "scene/field_rows.h"

static const char *const effort_words[] = {"change", "full", NULL};
static const char *const end_words[] = {"cost", "exact", NULL};

#define WEIGHT(name, member, otherwise, text) \
    QUANTITY(name, NUMBER, LithePlanCost, member, otherwise, text)

static const LitheField cost_fields[] = {
    WEIGHT("error", error, "10", "weight of 1 - (q.target)^2, the error of the orientation"),
    WEIGHT("final", final_error, "100", "weight of that error at the end, not times the step"),
    WEIGHT("effort", effort, "0.01", "weight of squared efforts of chambers in N"),
    WEIGHT("change", change, "0.001",
           "weight of squared changes of the speeds of chambers per step, in m/s"),
    WEIGHT("normal", normal, "0.001", "reward of the normal force in N"),
    WEIGHT("rise", rise, "0.2", "weight of squared changes of the normal force per step, in N"),
    WEIGHT("spin", spin, "0.001",
           "weight of squared changes of the angular velocity of the ball per step, in rad/s"),
    WEIGHT("norm", norm, "10", "weight of the squared error of |q|^2"),
};
static const LitheTable cost_table = TABLE("plan cost", cost_fields);

static const LitheField bound_fields[] = {
    {"elongation", LITHE_FIELD_PAIR, LITHE_WANT_LENGTH, AT(LithePlanBounds, shortest),
     ALSO(LithePlanBounds, longest), .preset = "[-6 cm, 16 cm]",
     .about = "min and max elongation of a chamber; limits of the arm apply as well"},
    QUANTITY("speed", SPEED, LithePlanBounds, speed, "2 m/s", "max speed of a chamber"),
    QUANTITY("effort", FORCE, LithePlanBounds, effort, "80 N",
             "max effort of a chamber; the force of the arm's drive applies as well"),
    QUANTITY("angular-velocity", ANGULAR_VELOCITY, LithePlanBounds, angular_velocity, "6 rad/s",
             "max angular velocity of the ball about each axis"),
    QUANTITY("force", FORCE, LithePlanBounds, force, "50 N",
             "max normal force, and max friction along each direction"),
};
static const LitheTable bound_table = TABLE("plan bounds", bound_fields);

static const LitheField plan_fields[] = {
    {"disk", LITHE_FIELD_BODY, REQUIRED, AT(LithePlanDef, disk),
     .about = "the disk of an arm that touches the ball, such as trunk/tip"},
    {"ball", LITHE_FIELD_BODY, REQUIRED, AT(LithePlanDef, ball),
     .about = "the ball: a sphere on a ball joint at its centre"},
    {"target", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LithePlanDef, target),
     .table = &lithe_rotate_table, .preset = "90 deg about x",
     .about = "turn of the ball from the start to the end, about axes of the world"},
    QUANTITY("duration", TIME, LithePlanDef, duration, "4 s", "of the motion"),
    {"steps", LITHE_FIELD_INTEGER, AT(LithePlanDef, steps), .preset = "100",
     .about = "steps of backward Euler"},
    {"directions", LITHE_FIELD_INTEGER, AT(LithePlanDef, directions), .preset = "10",
     .about = "directions of friction"},
    {"touch", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LithePlanDef, touch),
     .preset = "none, the arm starts as in the scene",
     .about = "direction from the disk to the ball at the start, in the frame of the arm's base: "
              "the chambers are set such that the disk faces the ball at a distance of 1 mm"},
    {"epsilon", LITHE_FIELD_LIST, LITHE_WANT_NUMBER, AT(LithePlanDef, epsilon),
     ALSO(LithePlanDef, epsilon_count), .preset = "[1e-2, 1e-6]",
     .about =
         "max products of gap and force, slip and friction, falling: from the first of two numbers "
         "to the second in one solve; or one solve for each of more"},
    {"warm-start", LITHE_FIELD_FLAG, AT(LithePlanDef, warm_start), .preset = "true",
     .about = "whether a problem without the equations of motion of the arm comes first"},
    {"effort", LITHE_FIELD_WORD, AT(LithePlanDef, effort), .words = effort_words,
     .preset = "change",
     .about = "which efforts cost: the change from those that hold the arm at the start, or all"},
    {"end", LITHE_FIELD_WORD, AT(LithePlanDef, end), .words = end_words, .preset = "cost",
     .about = "the final orientation has a cost, or is exact: a constraint"},
    {"coriolis", LITHE_FIELD_FLAG, AT(LithePlanDef, coriolis), .preset = "false",
     .about = "whether forces of Coriolis act on the arm"},
    QUANTITY("press", FORCE, LithePlanDef, press, "0",
             "least normal force of the steps that touch: the last problem is solved again"),
    QUANTITY("rounding", LENGTH, LithePlanDef, rounding, "1 mm", "of the edges of the disk"),
    QUANTITY("max-time", TIME, LithePlanDef, max_time, "0, any",
             "max wall time; then the best plan so far is the result"),
    {"cost", LITHE_FIELD_MAPPING, AT(LithePlanDef, cost), .table = &cost_table,
     .preset = "as below", .about = "weights; all but final are integrated over time"},
    {"bounds", LITHE_FIELD_MAPPING, AT(LithePlanDef, bounds), .table = &bound_table,
     .preset = "as below", .about = "bounds at all steps"},
};
const LitheTable lithe_plan_table = TABLE("plan", plan_fields);
