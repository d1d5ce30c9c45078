// SPDX-License-Identifier: Apache-2.0
// scene/check_rigid.c - the limits of bodies, joints, actuators and pose drives

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "scene/arm.h"
#include "scene/objects.h"

#include <stdio.h>
#include <string.h>

// tolerance of the triangle inequality: moments of inertia in files are rounded
#define INERTIA_TOLERANCE 1e-6

static bool is_zero(LitheVec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool has_one_degree(LitheJointKind kind) {
    return kind == LITHE_JOINT_REVOLUTE || kind == LITHE_JOINT_PRISMATIC ||
           kind == LITHE_JOINT_SCREW;
}

// --- bodies --------------------------------------------------------------------------------------

static void inertia(LitheCheck *check, const LitheBodyDef *b) {
    const double *i = b->inertia;
    double a[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    double m[3] = {0}, work[LITHE_EIGEN_WORK(3)]; // m: principal moments
    if (i[0] == 0 && i[1] == 0 && i[2] == 0 && i[3] == 0 && i[4] == 0 && i[5] == 0) {
        lithe_check_fail(check, "mass", "mass is %.9g kg, but inertia is missing", b->mass);
        return;
    }
    if (!lithe_eigen_symmetric(3, a, m, work) || !(m[0] > 0))
        lithe_check_fail(check, "inertia",
                         "inertia has the principal moments (%.9g, %.9g, %.9g) kg m^2, must be > 0",
                         m[0], m[1], m[2]);
    else if (m[2] > (m[0] + m[1]) * (1 + INERTIA_TOLERANCE))
        lithe_check_fail(check, "inertia",
                         "inertia has the principal moments (%.9g, %.9g, %.9g) kg m^2, of which "
                         "the largest must be <= the sum of the others, %.9g, as for any mass",
                         m[0], m[1], m[2], m[0] + m[1]);
}

static void mass(LitheCheck *check, const LitheBodyDef *b) {
    lithe_check_number(check, "mass", b->mass, "kg", LITHE_NOT_NEGATIVE);
    lithe_check_vector(check, "centre", b->centre, "m");
    bool given = false;
    for (int i = 0; i < 6; i++) {
        lithe_check_number(check, "inertia", b->inertia[i], "kg m^2", LITHE_ANY);
        given = given || b->inertia[i] != 0;
    }
    if (check->status != LITHE_OK)
        return;
    if (b->mass == 0 && !is_zero(b->centre))
        lithe_check_fail(check, "centre", "centre is given, but needs mass > 0");
    if (b->mass == 0 && given)
        lithe_check_fail(check, "inertia", "inertia is given, but needs mass > 0");
    // a body that never moves needs no mass
    if (b->mass > 0 && (given || !b->fixed))
        inertia(check, b);
}

void lithe_check_body(LitheCheck *check, const void *def) {
    const LitheBodyDef *b = def;
    lithe_check_vector(check, "at", b->at, "m");
    lithe_check_quat(check, "rotate", b->rotation);
    lithe_check_vector(check, "velocity", b->velocity, "m/s");
    lithe_check_vector(check, "spin", b->spin, "rad/s");
    lithe_check_suspect(check, "velocity", v3_norm(b->velocity), 0, 1000, "m/s");
    lithe_check_suspect(check, "spin", v3_norm(b->spin), 0, 1e4, "rad/s");
    if (b->mass > 0)
        lithe_check_suspect(check, "mass", b->mass, 1e-9, 1e6, "kg");
    if (b->fixed && !is_zero(b->velocity))
        lithe_check_fail(check, "velocity", "velocity is given, but the body is fixed");
    if (b->fixed && !is_zero(b->spin))
        lithe_check_fail(check, "spin", "spin is given, but the body is fixed");
    mass(check, b);
    if (b->geom_count < 0 || (b->geom_count > 0 && !b->geoms))
        lithe_check_fail(check, "shapes", "shapes has %d shapes, but the list is missing",
                         b->geom_count);

    // "bodies.crate.shape.", or "bodies.hand.shapes[1]." and "body 'hand', shape 2"
    char prefix[64], path[400];
    size_t label = strlen(check->label);
    snprintf(path, sizeof path, "%s.shape", check->path);
    bool single = lithe_scene_has_source(check->scene, path);
    for (int32_t i = 0; i < b->geom_count && check->status == LITHE_OK; i++) {
        snprintf(prefix, sizeof prefix, single ? "shape." : "shapes[%d].", i);
        if (b->geom_count > 1)
            snprintf(check->label + label, sizeof check->label - label, ", shape %d", i + 1);
        check->prefix = prefix;
        lithe_check_geom(check, &b->geoms[i]);
        check->prefix = "";
    }
    check->label[label] = '\0';
}

// --- joints --------------------------------------------------------------------------------------

static const char *const joint_names[] = {"weld", "revolute", "prismatic", "screw",
                                          "ball", "planar",   "free",      "section"};

static void joint_bodies(LitheCheck *check, const LitheJointDef *j) {
    const LitheScene *s = check->scene;
    if (j->parent.number < 0 || j->parent.number > s->body_count)
        lithe_check_fail(check, "parent", "parent is body number %d of %d", j->parent.number,
                         s->body_count);
    if (j->child.number < 1 || j->child.number > s->body_count)
        lithe_check_fail(check, "child", "child is body number %d of %d", j->child.number,
                         s->body_count);
    if (check->status != LITHE_OK)
        return;
    const LitheBodyDef *child = &s->bodies[j->child.number - 1];
    if (j->parent.number == j->child.number)
        lithe_check_fail(check, "child", "parent and child are both '%s'", child->name);
    bool parent_rests = j->parent.number == 0 || s->bodies[j->parent.number - 1].fixed;
    if (child->fixed && (j->kind != LITHE_JOINT_WELD || !parent_rests))
        lithe_check_fail(check, "child", "child '%s' is fixed, but a %s joint%s moves it",
                         child->name, joint_names[j->kind],
                         j->kind == LITHE_JOINT_WELD ? " to a body that moves" : "");
    // the body may not set velocities at the start that the joint sets
    bool by_joint =
        j->kind == LITHE_JOINT_WELD || j->kind == LITHE_JOINT_SECTION || has_one_degree(j->kind);
    if (by_joint && (!is_zero(child->velocity) || !is_zero(child->spin)))
        lithe_check_fail(
            check, "child",
            "child '%s' has a velocity or spin, but they follow from the velocity of the joint",
            child->name);
}

static void joint_limits(LitheCheck *check, const LitheJointDef *j, const char *unit) {
    lithe_check_number(check, "limits", j->lower, unit, LITHE_ANY);
    lithe_check_number(check, "limits", j->upper, unit, LITHE_ANY);
    if (!j->limited || check->status != LITHE_OK)
        return;
    bool ball = j->kind == LITHE_JOINT_BALL, section = j->kind == LITHE_JOINT_SECTION;
    if (!ball && !section && !has_one_degree(j->kind))
        lithe_check_fail(check, "limits", "limits are given, but kind %s takes none",
                         joint_names[j->kind]);
    else if (ball && (j->lower != 0 || !(j->upper > 0)))
        lithe_check_fail(check, "limits",
                         "limits are [%.9g, %.9g] rad, for kind ball they must be 0 and an angle "
                         "> 0",
                         j->lower, j->upper);
    else if (!(j->lower <= j->upper))
        lithe_check_fail(check, "limits", "limits are [%.9g, %.9g] %s, must be in order", j->lower,
                         j->upper, unit);
    else if (!ball && !section && check->warn &&
             !(j->position >= j->lower && j->position <= j->upper))
        lithe_log(check->scene->context, LITHE_LOG_WARNING,
                  "%s: position is %.9g %s, outside of its limits [%.9g, %.9g] %s", check->label,
                  j->position, unit, j->lower, j->upper, unit);
}

// Values that a kind does not use must be 0: nothing is silently ignored.
static void joint_idle_values(LitheCheck *check, const LitheJointDef *j) {
    bool one = has_one_degree(j->kind), weld = j->kind == LITHE_JOINT_WELD;
    bool section = j->kind == LITHE_JOINT_SECTION;
    bool spring = one || section || j->kind == LITHE_JOINT_BALL;
    const struct {
        const char *key;
        double value;
        bool used;
    } values[] = {
        {"pitch", j->pitch, j->kind == LITHE_JOINT_SCREW},
        {"length", j->length, section},
        {"radius", j->radius, section},
        {"line-mass", j->line_mass, section},
        {"along", j->along - 1, section},
        {"position", j->position, one},
        {"velocity", j->velocity, one},
        {"stiffness", j->stiffness, spring},
        {"rest", j->rest, one || section},
        {"damping", j->damping, !weld},
        {"friction", j->friction_loss, !weld},
        {"armature", j->armature, !weld},
        {"effort", j->effort_limit, !weld},
        {"speed", j->velocity_limit, !weld},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].value != 0 && !values[i].used)
            lithe_check_fail(check, values[i].key, "%s is %.9g, but kind %s takes none",
                             values[i].key, values[i].value, joint_names[j->kind]);
}

static bool is_same_turn(LitheQuat a, LitheQuat b) {
    return fabs(fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z) - 1) < 1e-9;
}

// A child that rides on the section of another joint: that joint alone has its properties.
static void joint_shares(LitheCheck *check, const LitheJointDef *j) {
    const LitheScene *s = check->scene;
    int32_t number = j->shares.number;
    const LitheJointDef *owner =
        number >= 1 && number <= s->joint_count ? &s->joints[number - 1] : NULL;
    if (!owner || owner >= j || owner->kind != LITHE_JOINT_SECTION || owner->shares.number)
        lithe_check_fail(check, "shares",
                         "shares joint number %d of %d, must be an earlier section "
                         "that shares none",
                         number, s->joint_count);
    else if (owner->parent.number != j->parent.number ||
             v3_distance(owner->parent_at, j->parent_at) > 1e-9 ||
             !is_same_turn(owner->parent_rotation, j->parent_rotation))
        lithe_check_fail(check, "shares",
                         "shares joint '%s', which starts elsewhere: parent and "
                         "joint frame must be the same",
                         owner->name);
    else if (j->length != 0 || j->radius != 0 || j->line_mass != 0 || j->stiffness != 0 ||
             j->rest != 0 || j->damping != 0 || j->friction_loss != 0 || j->armature != 0 ||
             j->effort_limit != 0 || j->velocity_limit != 0 || j->limited || !is_zero(j->chambers))
        lithe_check_fail(check, "shares",
                         "shares joint '%s', so that only along can be given: the "
                         "rest belongs to that joint",
                         owner->name);
}

static void joint_section(LitheCheck *check, const LitheJointDef *j) {
    if (j->kind != LITHE_JOINT_SECTION) {
        const char *given = j->shares.number        ? "shares"
                            : !is_zero(j->chambers) ? "chambers"
                            : j->chamber_count != 3 ? "chamber-count"
                                                    : NULL;
        if (given)
            lithe_check_fail(check, given, "%s is given, but kind %s takes none", given,
                             joint_names[j->kind]);
        return;
    }
    lithe_check_number(check, "along", j->along, "", LITHE_POSITIVE);
    lithe_check_vector(check, "chambers", j->chambers, "m");
    lithe_check_number(check, "line-mass", j->line_mass, "kg", LITHE_NOT_NEGATIVE);
    if (check->status == LITHE_OK && (j->chamber_count < 3 || j->chamber_count > 64))
        lithe_check_fail(check, "chamber-count", "chamber-count is %d, must be 3 to 64",
                         j->chamber_count);
    if (check->status == LITHE_OK && j->along > 1)
        lithe_check_fail(check, "along", "along is %.9g, must be at most 1, the tip", j->along);
    if (check->status == LITHE_OK && j->shares.number) {
        joint_shares(check, j);
        return;
    }
    lithe_check_number(check, "length", j->length, "m", LITHE_POSITIVE);
    lithe_check_number(check, "radius", j->radius, "m", LITHE_POSITIVE);
    const double l[3] = {j->chambers.x, j->chambers.y, j->chambers.z};
    for (int k = 0; k < 3 && check->status == LITHE_OK; k++)
        if (!(j->length + (l[0] + l[1] + l[2]) / 3 > 0))
            lithe_check_fail(check, "chambers",
                             "chambers make the section %.9g m long, must be > 0",
                             j->length + (l[0] + l[1] + l[2]) / 3);
    bool warn = j->limited && check->warn && check->status == LITHE_OK;
    for (int i = 0; i < j->chamber_count && warn; i++) {
        double at = 0;
        for (int k = 0; k < 3; k++)
            at += l[k] * (1 + 2 * cos(2 * M_PI * ((double)i / j->chamber_count - k / 3.0))) / 3;
        // rounding of the sum is no violation
        if (!(at >= j->lower - 1e-12 * j->length && at <= j->upper + 1e-12 * j->length))
            lithe_log(check->scene->context, LITHE_LOG_WARNING,
                      "%s: chamber %d is %.9g m, outside of its limits [%.9g, %.9g] m",
                      check->label, i + 1, at, j->lower, j->upper);
    }
}

void lithe_check_joint(LitheCheck *check, const void *def) {
    const LitheJointDef *j = def;
    lithe_check_choice(check, "kind", (int)j->kind, LITHE_JOINT_SECTION + 1);
    if (check->status != LITHE_OK)
        return;
    bool slides = lithe_joint_slides(j->kind);
    joint_bodies(check, j);
    lithe_check_vector(check, "parent-at", j->parent_at, "m");
    lithe_check_quat(check, "parent-rotate", j->parent_rotation);
    lithe_check_vector(check, "child-at", j->child_at, "m");
    lithe_check_quat(check, "child-rotate", j->child_rotation);
    lithe_check_number(check, "pitch", j->pitch, "m/rad", LITHE_ANY);
    lithe_check_number(check, "position", j->position, slides ? "m" : "rad", LITHE_ANY);
    lithe_check_number(check, "velocity", j->velocity, slides ? "m/s" : "rad/s", LITHE_ANY);
    lithe_check_number(check, "stiffness", j->stiffness, slides ? "N/m" : "N m/rad",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "rest", j->rest, slides ? "m" : "rad", LITHE_ANY);
    lithe_check_number(check, "damping", j->damping, slides ? "N s/m" : "N m s/rad",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "friction", j->friction_loss, slides ? "N" : "N m",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "armature", j->armature, slides ? "kg" : "kg m^2",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "effort", j->effort_limit, slides ? "N" : "N m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "speed", j->velocity_limit, slides ? "m/s" : "rad/s",
                       LITHE_NOT_NEGATIVE);
    joint_limits(check, j, slides ? "m" : "rad");
    joint_idle_values(check, j);
    if (j->kind == LITHE_JOINT_SCREW && j->pitch == 0)
        lithe_check_fail(check, "pitch", "pitch is 0, must not be 0 for kind screw");
    joint_section(check, j);
}

// --- trees ---------------------------------------------------------------------------------------

// The joint that has a body as child, from 1; 0: none. joint_of [body_count].
static void find_joints(LitheCheck *check, int32_t *joint_of) {
    const LitheScene *s = check->scene;
    for (int32_t i = 0; i < s->joint_count && check->status == LITHE_OK; i++) {
        int32_t *of = &joint_of[s->joints[i].child.number - 1];
        if (*of == 0) {
            *of = i + 1;
            continue;
        }
        lithe_object_select(check, LITHE_OBJECT_JOINT, i);
        lithe_check_fail(check, "child",
                         "child '%s' already has the parent joint '%s', a body has at most one",
                         s->bodies[s->joints[i].child.number - 1].name, s->joints[*of - 1].name);
    }
}

// Follows the joints from each body towards the world. `seen` [body_count] has the first start that
// led to a body. A start that leads to the same body twice is in a closed loop.
static void find_loops(LitheCheck *check, const int32_t *joint_of, int32_t *seen) {
    const LitheScene *s = check->scene;
    for (int32_t i = 0; i < s->body_count; i++) {
        int32_t at = i;
        while (at >= 0 && seen[at] == 0) {
            seen[at] = i + 1;
            at = joint_of[at] ? s->joints[joint_of[at] - 1].parent.number - 1 : -1;
        }
        if (at < 0 || seen[at] != i + 1)
            continue;
        const LitheJointDef *j = &s->joints[joint_of[at] - 1];
        lithe_object_select(check, LITHE_OBJECT_JOINT, joint_of[at] - 1);
        lithe_check_fail(check, "parent",
                         "body '%s' is its own ancestor through body '%s': joints must form trees",
                         s->bodies[at].name, s->bodies[j->parent.number - 1].name);
        return;
    }
}

static bool has_mass(const LitheBodyDef *b) {
    bool has = b->mass > 0;
    for (int32_t i = 0; i < b->geom_count; i++)
        has = has || (b->geoms[i].material.number > 0 && !b->geoms[i].visual &&
                      !b->geoms[i].weightless && b->geoms[i].kind != LITHE_GEOM_HALF_SPACE &&
                      b->geoms[i].kind != LITHE_GEOM_HEIGHTFIELD);
    return has;
}

// mass of the centre line that a body rides on
static double section_mass(const LitheScene *s, const LitheJointDef *j) {
    return j->shares.number > 0 ? s->joints[j->shares.number - 1].line_mass : j->line_mass;
}

// Bodies welded together move as one: some of them must have mass. `massive` [body_count] is
// workspace: whether a body, or one welded below it, has mass.
static void find_massless(LitheCheck *check, const int32_t *joint_of, int32_t *massive) {
    const LitheScene *s = check->scene;
    for (int32_t i = 0; i < s->body_count; i++)
        massive[i] = 0;
    for (int32_t i = 0; i < s->body_count; i++) {
        if (!has_mass(&s->bodies[i]))
            continue;
        // follow the welds towards the root, up to a body that has been marked before
        for (int32_t at = i; at >= 0 && !massive[at];) {
            massive[at] = 1;
            const LitheJointDef *j = joint_of[at] ? &s->joints[joint_of[at] - 1] : NULL;
            at = j && j->kind == LITHE_JOINT_WELD ? j->parent.number - 1 : -1;
        }
    }
    for (int32_t i = 0; i < s->body_count && check->status == LITHE_OK; i++) {
        const LitheJointDef *j = joint_of[i] ? &s->joints[joint_of[i] - 1] : NULL;
        if (massive[i] || s->bodies[i].fixed || (j && j->kind == LITHE_JOINT_WELD) ||
            (j && section_mass(s, j) > 0))
            continue;
        lithe_object_select(check, LITHE_OBJECT_BODY, i);
        lithe_check_fail(check, "",
                         "has no mass: give mass and inertia, or a shape with a material (a "
                         "half-space or heightfield has none), or make it fixed");
    }
}

void lithe_check_trees(LitheCheck *check) {
    const LitheScene *s = check->scene;
    if (s->body_count == 0)
        return;
    int32_t *joint_of = lithe_alloc_array(s->context, 2 * (int64_t)s->body_count, sizeof *joint_of);
    if (!joint_of) {
        check->status = lithe_fail_memory(check->error, "a list of joints");
        return;
    }
    int32_t *work = joint_of + s->body_count;
    find_joints(check, joint_of);
    if (check->status == LITHE_OK)
        find_loops(check, joint_of, work);
    if (check->status == LITHE_OK)
        find_massless(check, joint_of, work);
    lithe_free(s->context, joint_of);
}

// --- actuators and pose drives -------------------------------------------------------------------

static void actuator_idle_values(LitheCheck *check, const LitheActuatorDef *a) {
    static const char *const names[] = {"force", "position", "velocity", "prescribed"};
    bool position = a->kind == LITHE_ACTUATOR_POSITION,
         velocity = a->kind == LITHE_ACTUATOR_VELOCITY;
    if (position && a->stiffness == 0)
        lithe_check_fail(check, "stiffness", "stiffness is 0, must be > 0 for kind position");
    if (velocity && a->damping == 0)
        lithe_check_fail(check, "damping", "damping is 0, must be > 0 for kind velocity");
    if (!position && a->stiffness != 0)
        lithe_check_fail(check, "stiffness", "stiffness is %.9g, but kind %s takes none",
                         a->stiffness, names[a->kind]);
    if (!position && !velocity && a->damping != 0)
        lithe_check_fail(check, "damping", "damping is %.9g, but kind %s takes none", a->damping,
                         names[a->kind]);
    if (a->kind == LITHE_ACTUATOR_PRESCRIBED && a->effort_limit != 0)
        lithe_check_fail(check, "effort", "effort is %.9g, but kind prescribed follows exactly",
                         a->effort_limit);
}

// Chambers and tendons at any place of a section, and pressures.
static void actuator_place(LitheCheck *check, const LitheActuatorDef *a, bool section) {
    const LitheScene *s = check->scene;
    lithe_check_number(check, "radius", a->radius, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "angle", a->angle, "rad", LITHE_ANY);
    lithe_check_number(check, "area", a->area, "m^2", LITHE_NOT_NEGATIVE);
    if (!section && (a->radius > 0 || a->area > 0))
        lithe_check_fail(check, a->radius > 0 ? "radius" : "area",
                         "%s is given, but the joint is no section",
                         a->radius > 0 ? "radius" : "area");
    if ((a->radius > 0 || a->area > 0) && a->kind != LITHE_ACTUATOR_FORCE)
        lithe_check_fail(check, "kind", "kind must be force where %s is given",
                         a->radius > 0 ? "radius" : "area");
    if (a->radius == 0 && (a->angle != 0 || a->pulls || a->from.number))
        lithe_check_fail(check, "radius", "radius is missing: %s needs one",
                         a->angle != 0 ? "angle"
                         : a->pulls    ? "pulls"
                                       : "from");
    if (a->from.number < 0 || a->from.number > s->joint_count)
        lithe_check_fail(check, "from", "from is joint number %d of %d", a->from.number,
                         s->joint_count);
    int32_t at = a->joint.number;
    while (check->status == LITHE_OK && a->from.number && at && at != a->from.number)
        at = lithe_section_before(s, at);
    if (check->status == LITHE_OK && a->from.number && !at)
        lithe_check_fail(check, "from", "joint '%s' is no section below joint '%s'",
                         s->joints[a->from.number - 1].name, s->joints[a->joint.number - 1].name);
}

void lithe_check_actuator(LitheCheck *check, const void *def) {
    const LitheActuatorDef *a = def;
    const LitheScene *s = check->scene;
    lithe_check_choice(check, "kind", (int)a->kind, LITHE_ACTUATOR_PRESCRIBED + 1);
    if (a->joint.number < 1 || a->joint.number > s->joint_count)
        lithe_check_fail(check, "joint", "joint is number %d of %d", a->joint.number,
                         s->joint_count);
    if (check->status != LITHE_OK)
        return;
    const LitheJointDef *j = &s->joints[a->joint.number - 1];
    if ((size_t)j->kind >= sizeof joint_names / sizeof *joint_names)
        return; // reported with the joint
    bool slides = lithe_joint_slides(j->kind), section = j->kind == LITHE_JOINT_SECTION;
    if (!section && !has_one_degree(j->kind))
        lithe_check_fail(
            check, "joint",
            "joint '%s' is of kind %s, must have one degree of freedom or be a section", j->name,
            joint_names[j->kind]);
    else if (section && a->radius == 0 ? a->chamber < 1 || a->chamber > 3 : a->chamber != 0)
        lithe_check_fail(check, "chamber",
                         section && a->radius == 0 ? "chamber is %d, must be 1 to 3 of section '%s'"
                         : section
                             ? "chamber is %d, but radius and angle give another place in '%s'"
                             : "chamber is %d, but joint '%s' is no section",
                         a->chamber, j->name);
    else if (section && j->shares.number)
        lithe_check_fail(check, "joint",
                         "joint '%s' shares the chambers of joint '%s': drive that "
                         "one",
                         j->name, s->joints[j->shares.number - 1].name);
    static const char *const units[][2] = {
        {"N m", "N"}, {"rad", "m"}, {"rad/s", "m/s"}, {"rad", "m"}};
    actuator_place(check, a, section);
    lithe_check_profile(check, "target", &a->target, a->area > 0 ? "Pa" : units[a->kind][slides]);
    lithe_check_number(check, "gear", a->gear, "", LITHE_ANY);
    if (a->gear == 0)
        lithe_check_fail(check, "gear", "gear is 0, must not be 0");
    lithe_check_number(check, "stiffness", a->stiffness, slides ? "N/m" : "N m/rad",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping", a->damping, slides ? "N s/m" : "N m s/rad",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "effort", a->effort_limit, slides ? "N" : "N m", LITHE_NOT_NEGATIVE);
    actuator_idle_values(check, a);
}

// At most one actuator or pose drive prescribes a joint.
void lithe_check_prescribed(LitheCheck *check) {
    const LitheScene *s = check->scene;
    if (s->actuator_count == 0)
        return;
    // which one, from 1, of each joint and chamber
    int32_t *by = lithe_alloc_array(s->context, 4 * (int64_t)s->joint_count, sizeof *by);
    if (!by)
        check->status = lithe_fail_memory(check->error, "a list of joints");
    for (int32_t i = 0; i < s->actuator_count && check->status == LITHE_OK; i++) {
        const LitheActuatorDef *a = &s->actuators[i];
        if (a->kind != LITHE_ACTUATOR_PRESCRIBED)
            continue;
        int32_t *first = &by[4 * (int64_t)(a->joint.number - 1) + a->chamber];
        if (*first) {
            lithe_object_select(check, LITHE_OBJECT_ACTUATOR, i);
            lithe_check_fail(check, "joint", "joint '%s' is already prescribed by actuator '%s'",
                             s->joints[a->joint.number - 1].name, s->actuators[*first - 1].name);
        }
        *first = i + 1;
    }
    lithe_free(s->context, by);
}

static void pose_path(LitheCheck *check, const LithePoseDriveDef *d) {
    char name[64];
    if (d->count < 1 || !d->times || !d->positions || !d->rotations)
        lithe_check_fail(check, "path",
                         "path has %d poses, must have at least 1 with time, "
                         "position and rotation",
                         d->count);
    for (int32_t i = 0; i < d->count && check->status == LITHE_OK; i++) {
        snprintf(name, sizeof name, "path[%d].time", i);
        lithe_check_number(check, name, d->times[i], "s", LITHE_ANY);
        if (i > 0 && !(d->times[i] > d->times[i - 1]))
            lithe_check_fail(check, name, "%s is %.9g s, must be after %.9g s", name, d->times[i],
                             d->times[i - 1]);
        snprintf(name, sizeof name, "path[%d].at", i);
        lithe_check_vector(check, name, d->positions[i], "m");
        snprintf(name, sizeof name, "path[%d].rotate", i);
        lithe_check_quat(check, name, d->rotations[i]);
    }
}

static void pose_drive(LitheCheck *check, const LithePoseDriveDef *d, const int32_t *joint_of) {
    const LitheScene *s = check->scene;
    if (d->body.number < 1 || d->body.number > s->body_count) {
        lithe_check_fail(check, "body", "body is number %d of %d", d->body.number, s->body_count);
        return;
    }
    // some joint between the body and the world must be movable
    bool moves = false;
    for (int32_t at = d->body.number - 1; at >= 0 && joint_of[at];) {
        const LitheJointDef *j = &s->joints[joint_of[at] - 1];
        moves = moves || has_one_degree(j->kind);
        at = j->parent.number - 1;
    }
    // or the body is free
    const LitheBodyDef *body = &s->bodies[d->body.number - 1];
    int32_t own = joint_of[d->body.number - 1];
    bool free =
        own ? s->joints[own - 1].kind == LITHE_JOINT_FREE && s->joints[own - 1].parent.number == 0
            : !body->fixed;
    if (!moves && !free)
        lithe_check_fail(check, "body",
                         "body '%s' has no joint with one degree of freedom between it and the "
                         "world, and is not free",
                         body->name);
    lithe_check_vector(check, "at", d->at, "m");
    lithe_check_quat(check, "rotate", d->rotation);
    lithe_check_choice(check, "kind", (int)d->kind, LITHE_PROFILE_SMOOTH + 1);
    lithe_check_number(check, "damping", d->damping, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "posture", d->posture, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "stiffness", d->stiffness, "N m/rad", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "joint-damping", d->joint_damping, "N m s/rad", LITHE_NOT_NEGATIVE);
    if (d->joint_damping != 0 && d->stiffness == 0)
        lithe_check_fail(check, "joint-damping", "joint-damping is %.9g, but needs stiffness > 0",
                         d->joint_damping);
    pose_path(check, d);
}

// Needs the joint above each body; lithe_check_trees has checked that there is at most one.
void lithe_check_pose_drives(LitheCheck *check) {
    const LitheScene *s = check->scene;
    if (s->pose_drive_count == 0)
        return;
    int32_t *joint_of = lithe_alloc_array(s->context, s->body_count, sizeof *joint_of);
    if (joint_of)
        find_joints(check, joint_of);
    else
        check->status = lithe_fail_memory(check->error, "a list of joints");
    for (int32_t i = 0; i < s->pose_drive_count && check->status == LITHE_OK; i++) {
        lithe_object_select(check, LITHE_OBJECT_POSE_DRIVE, i);
        pose_drive(check, &s->pose_drives[i], joint_of);
    }
    lithe_free(s->context, joint_of);
}
