// SPDX-License-Identifier: Apache-2.0
// scene/fields_plan.c - the table of keys of a plan

#include "lithe/plan.h"
#include "scene/field_rows.h"
#include "scene/fields.h"

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

#define HAND_WEIGHT(name, member, otherwise, text) \
    QUANTITY(name, NUMBER, LithePlanHandCost, member, otherwise, text)

static const LitheField hand_cost_fields[] = {
    HAND_WEIGHT("place", place, "0.1", "weight of the squared distance of the box from `at`, in m"),
    HAND_WEIGHT("angle", angle, "0.1", "weight of the squared angle from the target, in rad"),
    HAND_WEIGHT("final-place", final_place, "20000", "the same at the end, not times the step"),
    HAND_WEIGHT("final-angle", final_angle, "100", "the same at the end, not times the step"),
    HAND_WEIGHT("final-speed", final_speed, "1",
                "weight of squared speeds of box and joints at the end, in m/s and rad/s"),
    HAND_WEIGHT("effort", effort, "1",
                "weight of squared differences of torques from those that hold the start, in N m"),
    HAND_WEIGHT("speed", speed, "0.001", "weight of squared speeds of joints, in rad/s"),
    HAND_WEIGHT("change", change, "0.01",
                "weight of squared changes of the speeds of joints per step, in rad/s"),
    HAND_WEIGHT("rise", rise, "0.01",
                "weight of squared changes of the normal forces of tips per step, in N"),
    HAND_WEIGHT("force", force, "0.0001", "weight of squared forces of all contacts, in N"),
};
static const LitheTable hand_cost_table = TABLE("plan hand cost", hand_cost_fields);

static const LitheField hand_bound_fields[] = {
    QUANTITY("speed", ANGULAR_VELOCITY, LithePlanHandBounds, speed, "8 rad/s",
             "max speed of a joint"),
    QUANTITY("effort", MOMENT, LithePlanHandBounds, effort, "2 N m",
             "max torque of a joint; that of its actuator applies as well"),
    QUANTITY("force", FORCE, LithePlanHandBounds, force, "30 N",
             "max normal force, and max friction in each direction"),
    QUANTITY("velocity", SPEED, LithePlanHandBounds, velocity, "1.5 m/s",
             "max velocity of the box along each axis"),
    QUANTITY("angular-velocity", ANGULAR_VELOCITY, LithePlanHandBounds, angular_velocity, "3 rad/s",
             "max angular velocity of the box"),
};
static const LitheTable hand_bound_table = TABLE("plan hand bounds", hand_bound_fields);

static const LitheField hand_fields[] = {
    {"box", LITHE_FIELD_BODY, REQUIRED, AT(LithePlanHand, box),
     .about = "the box, on a planar joint, on a half-space"},
    {"left", LITHE_FIELD_BODY, REQUIRED, AT(LithePlanHand, left),
     .about = "second link of a finger of two revolute joints, with a sphere at its end"},
    {"right", LITHE_FIELD_BODY, REQUIRED, AT(LithePlanHand, right),
     .about = "the same of the other finger"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LithePlanHand, at),
     .about = "centre of the box at the end; its turn is the target of the plan"},
    {"cost", LITHE_FIELD_MAPPING, AT(LithePlanHand, cost), .table = &hand_cost_table,
     .preset = "as below", .about = "weights"},
    {"bounds", LITHE_FIELD_MAPPING, AT(LithePlanHand, bounds), .table = &hand_bound_table,
     .preset = "as below", .about = "bounds at all steps"},
};
static const LitheTable hand_table = TABLE("plan hand", hand_fields);

static const LitheField plan_fields[] = {
    {"disk", LITHE_FIELD_BODIES, AT(LithePlanDef, disk), ALSO(LithePlanDef, more_disks),
     .preset = "required without hand",
     .about = "the disk of an arm that touches the ball, such as trunk/tip, or a list of up to 4 "
              "that may touch it at a time"},
    {"ball", LITHE_FIELD_BODY, AT(LithePlanDef, ball), .preset = "required without hand",
     .about = "the ball: a sphere on a ball joint at its centre"},
    {"hand", LITHE_FIELD_MAPPING, AT(LithePlanDef, hand), .table = &hand_table, .preset = "none",
     .about =
         "two fingers that turn a box in a plane, instead of disk and ball; directions, touch, "
         "warm-start, effort, end, coriolis, press, cost and bounds of the plan do not "
         "apply"},
    {"target", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LithePlanDef, target),
     .table = &lithe_rotate_table, .preset = "90 deg about x",
     .about = "turn of the ball or box from the start to the end, about axes of the world"},
    QUANTITY("duration", TIME, LithePlanDef, duration, "4 s", "of the motion"),
    {"steps", LITHE_FIELD_INTEGER, AT(LithePlanDef, steps), .preset = "100",
     .about = "steps of backward Euler"},
    {"directions", LITHE_FIELD_INTEGER, AT(LithePlanDef, directions), .preset = "10",
     .about = "directions of friction"},
    {"touch", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LithePlanDef, touch),
     .preset = "none or [0, 0, 0]: the arm starts as in the scene",
     .about =
         "direction from the first disk to the ball at the start, in the frame of the arm's base: "
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
    QUANTITY("rounding", LENGTH, LithePlanDef, rounding, "1 mm",
             "of the edges of the disk or box: at most half of the least radius of disk and ball, "
             "or of a tip's radius and the box's half sides"),
    QUANTITY("clearance", LENGTH, LithePlanDef, clearance, "0",
             "least distance of the disks of the arm, or of the tips and the box of a hand, from "
             "fixed bodies that touch: obstacles"),
    QUANTITY("max-time", TIME, LithePlanDef, max_time, "0, any",
             "max wall time; then the best plan so far is the result"),
    {"cost", LITHE_FIELD_MAPPING, AT(LithePlanDef, cost), .table = &cost_table,
     .preset = "as below", .about = "weights; all but final are integrated over time"},
    {"bounds", LITHE_FIELD_MAPPING, AT(LithePlanDef, bounds), .table = &bound_table,
     .preset = "as below", .about = "bounds at all steps"},
};
const LitheTable lithe_plan_table = TABLE("plan", plan_fields);
