// SPDX-License-Identifier: Apache-2.0
// scene/check_conditions.c - checks of holds, drives and forces, and of places on things

#include "scene/objects.h"

#include <string.h>

static bool is_zero(LitheVec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// the profile is constant 0
static bool profile_is_zero(const LitheProfileDef *p) {
    bool zero = p->rate == 0 && p->amplitude == 0;
    if (p->count == 0)
        return zero && p->value == 0;
    for (int32_t i = 0; i < p->count && zero; i++)
        zero = p->values[i] == 0;
    return zero;
}

// --- places --------------------------------------------------------------------------------------

static void place_on_particles(LitheCheck *check, const char *key, const LithePlace *p) {
    int32_t sets = check->scene->particle_set_count;
    if (p->thing.number < 1 || p->thing.number > sets) {
        lithe_check_fail(check, key, "%s is particles number %d of %d", key, p->thing.number, sets);
        return;
    }
    const LitheParticlesDef *on = &check->scene->particles[p->thing.number - 1];
    if (p->kind != LITHE_PLACE_NODE)
        lithe_check_fail(check, key, "%s is not the number of a particle of '%s'", key, on->name);
    else if (p->node < -on->count || p->node >= on->count)
        lithe_check_fail(check, key, "%s is particle %d of '%s', must be from %d to %d", key,
                         p->node, on->name, -on->count, on->count - 1);
}

// the number of its nodes is known once its mesh is built
static void place_on_solid(LitheCheck *check, const char *key, const LithePlace *p) {
    int32_t solids = check->scene->solid_count;
    if (p->thing.number < 1 || p->thing.number > solids)
        lithe_check_fail(check, key, "%s is solid number %d of %d", key, p->thing.number, solids);
    else if (p->kind != LITHE_PLACE_NODE && p->kind != LITHE_PLACE_GROUP)
        lithe_check_fail(check, key, "%s is neither a node nor a group of solid '%s'", key,
                         check->scene->solids[p->thing.number - 1].name);
    else if (p->kind == LITHE_PLACE_GROUP && !memchr(p->group, '\0', sizeof p->group))
        lithe_check_fail(check, key, "%s is a group whose name has no end", key);
}

void lithe_check_place(LitheCheck *check, const char *key, const LithePlace *p) {
    if (p->kind == LITHE_PLACE_SET) {
        if (p->set.number < 1 || p->set.number > check->scene->set_count)
            lithe_check_fail(check, key, "%s is set number %d of %d", key, p->set.number,
                             check->scene->set_count);
        return;
    }
    if (p->thing.kind == LITHE_THING_PARTICLES) {
        place_on_particles(check, key, p);
        return;
    }
    if (p->thing.kind == LITHE_THING_SOLID) {
        place_on_solid(check, key, p);
        return;
    }
    if (p->thing.kind != LITHE_THING_ROD) {
        lithe_check_fail(check, key, "%s is on %s, must be on a rod, on particles or on a solid",
                         key, p->thing.kind == LITHE_THING_BODY ? "a body" : "no thing");
        return;
    }
    if (p->thing.number < 1 || p->thing.number > check->scene->rod_count) {
        lithe_check_fail(check, key, "%s is rod number %d of %d", key, p->thing.number,
                         check->scene->rod_count);
        return;
    }
    const LitheRodDef *on = &check->scene->rods[p->thing.number - 1];
    int32_t nodes = lithe_rod_def_node_count(on);
    lithe_check_choice(check, key, (int)p->kind, LITHE_PLACE_FRACTION + 1);
    lithe_check_number(check, key, p->fraction, "", LITHE_ANY);
    if (p->kind == LITHE_PLACE_FRACTION && !(p->fraction >= 0 && p->fraction <= 1))
        lithe_check_fail(check, key, "%s is at %.9g of rod '%s', must be from 0 to 1", key,
                         p->fraction, on->name);
    if (p->kind == LITHE_PLACE_NODE && nodes >= 0 && (p->node < -nodes || p->node >= nodes))
        lithe_check_fail(check, key, "%s is node %d of rod '%s', must be from %d to %d", key,
                         p->node, on->name, -nodes, nodes - 1);
}

// A thing of points without frames that a place lies on.
typedef struct Points {
    const char *name; // NULL: the place lies on something else
    const char *what; // "set of particles"
} Points;

static Points points_of(const LitheCheck *check, const LithePlace *p) {
    if (check->status != LITHE_OK)
        return (Points){0};
    LitheThing on =
        p->kind == LITHE_PLACE_SET ? check->scene->sets[p->set.number - 1].of : p->thing;
    if (on.kind == LITHE_THING_PARTICLES)
        return (Points){check->scene->particles[on.number - 1].name, "set of particles"};
    if (on.kind == LITHE_THING_SOLID)
        return (Points){check->scene->solids[on.number - 1].name, "solid"};
    return (Points){0};
}

// The set that a place refers to; NULL when it does not.
static const LitheSetDef *set_of(const LitheCheck *check, const LithePlace *p) {
    bool set = check->status == LITHE_OK && p->kind == LITHE_PLACE_SET;
    return set ? &check->scene->sets[p->set.number - 1] : NULL;
}

// --- holds, drives, forces -----------------------------------------------------------------------

void lithe_check_hold(LitheCheck *check, const void *def) {
    const LitheHoldDef *h = def;
    const uint32_t all = LITHE_HOLD_POSITION | LITHE_HOLD_TWIST | LITHE_HOLD_CLAMP;
    lithe_check_place(check, "on", &h->place);
    if (h->bits == 0 || (h->bits & ~all))
        lithe_check_fail(check, "hold",
                         "hold is %u%s, must be one or more of position, clamp, twist, x, y and z",
                         h->bits, h->bits == 0 ? " (nothing)" : "");
    Points points = points_of(check, &h->place);
    if (points.name && (h->bits & ~(uint32_t)LITHE_HOLD_POSITION))
        lithe_check_fail(check, "hold",
                         "hold: '%s' is a %s, whose points have x, y, z and position, but no twist "
                         "and no clamp",
                         points.name, points.what);
    const LitheSetDef *set = set_of(check, &h->place);
    if (set && set->what == LITHE_SET_VERTICES && (h->bits & ~(uint32_t)LITHE_HOLD_POSITION))
        lithe_check_fail(check, "hold",
                         "hold: set '%s' has vertices, which have no twist and no clamp; a set of "
                         "edges has",
                         set->name);
}

static bool at_an_end(const LithePlace *p, int32_t nodes) {
    if (p->kind == LITHE_PLACE_FRACTION)
        return p->fraction == 0 || p->fraction == 1;
    return p->node == 0 || p->node == -1 || p->node == nodes - 1 || p->node == -nodes;
}

// all nodes of the place move as a rigid body
static void drive_of_solid(LitheCheck *check, const LitheDriveDef *d) {
    bool moves = !profile_is_zero(&d->motion), turns = !profile_is_zero(&d->turn);
    if (d->kind == LITHE_DRIVE_TWIST)
        lithe_check_fail(check, "kind",
                         "kind is twist, but the drive is on a solid, which takes "
                         "position and clamp");
    else if (d->kind == LITHE_DRIVE_POSITION && turns)
        lithe_check_fail(check, "kind", "kind is position, which takes no turn");
    else if (d->outward)
        lithe_check_fail(check, "direction", "direction is outward, which only rods have");
    else if (moves && is_zero(d->direction))
        lithe_check_fail(check, "direction", "direction is missing or zero");
    else if (turns && is_zero(d->axis))
        lithe_check_fail(check, "axis", "axis is missing or zero: a clamp of a solid needs it");
    else if (d->stiffness != 0)
        lithe_check_fail(check, "stiffness",
                         "stiffness is %.9g, must be 0: drives of solids are exact", d->stiffness);
}

static void drive_direction(LitheCheck *check, const LitheDriveDef *d) {
    const LitheRodDef *on = &check->scene->rods[d->place.thing.number - 1];
    bool moves = !profile_is_zero(&d->motion);
    bool turns = !profile_is_zero(&d->turn);
    if (d->kind == LITHE_DRIVE_TWIST && (moves || d->outward || !is_zero(d->direction)))
        lithe_check_fail(check, "kind", "kind is twist, which takes no motion and no direction");
    if (d->kind == LITHE_DRIVE_POSITION && turns)
        lithe_check_fail(check, "kind", "kind is position, which takes no turn");
    if (d->kind != LITHE_DRIVE_CLAMP && !is_zero(d->axis))
        lithe_check_fail(check, "axis", "axis is given, but only kind clamp takes one");
    if (d->outward && !is_zero(d->direction))
        lithe_check_fail(check, "direction", "direction is both outward and a vector");
    if (d->outward &&
        (lithe_rod_def_closed(on) || !at_an_end(&d->place, lithe_rod_def_node_count(on))))
        lithe_check_fail(check, "direction",
                         "direction is outward, which only the ends of an open rod have");
    if ((moves || d->along_only) && !d->outward && is_zero(d->direction))
        lithe_check_fail(check, "direction", "direction is missing or zero");
}

void lithe_check_drive(LitheCheck *check, const void *def) {
    const LitheDriveDef *d = def;
    lithe_check_place(check, "on", &d->place);
    Points points = points_of(check, &d->place);
    const LitheSetDef *set = set_of(check, &d->place);
    bool solid = points.name && strcmp(points.what, "solid") == 0;
    if (set && !solid)
        lithe_check_fail(check, "on", "on: '%s' is a set; drives act on single places of rods",
                         set->name);
    if (points.name && !solid)
        lithe_check_fail(check, "on",
                         "on: '%s' is a %s; drives act on rods: attach it to a driven body",
                         points.name, points.what);
    lithe_check_choice(check, "kind", (int)d->kind, LITHE_DRIVE_CLAMP + 1);
    lithe_check_direction(check, "direction", d->direction);
    lithe_check_direction(check, "axis", d->axis);
    lithe_check_profile(check, "motion", &d->motion, "m");
    lithe_check_profile(check, "turn", &d->turn, "rad");
    bool twist = d->kind == LITHE_DRIVE_TWIST;
    lithe_check_number(check, "stiffness", d->stiffness, twist ? "N m/rad" : "N/m",
                       LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping", d->damping, twist ? "N m s/rad" : "N s/m",
                       LITHE_NOT_NEGATIVE);
    if (check->status != LITHE_OK)
        return;
    if (solid)
        drive_of_solid(check, d);
    else
        drive_direction(check, d);
    if (d->kind == LITHE_DRIVE_CLAMP && d->stiffness != 0)
        lithe_check_fail(check, "stiffness",
                         "stiffness is %.9g, must be 0 for kind clamp, which is exact",
                         d->stiffness);
    if (d->damping != 0 && d->stiffness == 0)
        lithe_check_fail(check, "damping", "damping is %.9g, but needs stiffness > 0", d->damping);
    if (d->along_only && twist)
        lithe_check_fail(check, "along-only", "along-only is set, but kind twist has no direction");
    if (d->along_only && d->stiffness == 0)
        lithe_check_fail(check, "along-only", "along-only is set, but needs stiffness > 0");
}

// A force on a body needs a body that moves.
static void force_on_body(LitheCheck *check, const LitheForceDef *f) {
    int32_t number = f->place.thing.number, bodies = check->scene->body_count;
    if (number < 1 || number > bodies)
        lithe_check_fail(check, "on", "on is body number %d of %d", number, bodies);
    else if (check->scene->bodies[number - 1].fixed)
        lithe_check_fail(check, "on", "on is body '%s', which is fixed: no force moves it",
                         check->scene->bodies[number - 1].name);
    lithe_check_vector(check, "at", f->at, "m");
}

void lithe_check_force(LitheCheck *check, const void *def) {
    const LitheForceDef *f = def;
    if (f->place.kind != LITHE_PLACE_SET && f->place.thing.kind == LITHE_THING_BODY)
        force_on_body(check, f);
    else
        lithe_check_place(check, "on", &f->place);
    if (!is_zero(f->at) && f->place.thing.kind != LITHE_THING_BODY)
        lithe_check_fail(check, "at", "at is given, but on is no body");
    lithe_check_vector(check, "force", f->force, "N");
    lithe_check_vector(check, "moment", f->moment, "N m");
    Points points = points_of(check, &f->place);
    if (points.name && !is_zero(f->moment))
        lithe_check_fail(check, "moment",
                         "moment is given, but '%s' is a %s, whose points take forces alone",
                         points.name, points.what);
    const LitheSetDef *set = set_of(check, &f->place);
    if (set && set->what == LITHE_SET_VERTICES && !is_zero(f->moment))
        lithe_check_fail(check, "moment",
                         "moment is given, but set '%s' has vertices; it acts on a set of edges",
                         set->name);
    if (set && set->what != LITHE_SET_VERTICES && !is_zero(f->force))
        lithe_check_fail(check, "force",
                         "force is given, but set '%s' has edges; it acts on a set of vertices",
                         set->name);
    lithe_check_profile(check, "profile", &f->profile, "");
}

// rest lengths must stay positive; checked where the extremes of the profile are known
static void natural_drive_stretch(LitheCheck *check, const LitheNaturalDriveDef *d) {
    const LitheProfileDef *p = &d->profile;
    if (p->rate != 0 || p->amplitude != 0)
        return;
    for (int32_t i = 0; i < (p->count > 0 ? p->count : 1); i++) {
        double factor = 1 + d->stretch * (p->count > 0 ? p->values[i] : p->value);
        if (!(factor > 0))
            lithe_check_fail(check, "stretch",
                             "stretch is %.9g, which makes rest lengths %.9g times as long, must "
                             "be > 0",
                             d->stretch, factor);
    }
}

void lithe_check_natural_drive(LitheCheck *check, const void *def) {
    const LitheNaturalDriveDef *d = def;
    if (d->rod.number < 1 || d->rod.number > check->scene->rod_count) {
        lithe_check_fail(check, "rod", "rod is number %d of %d", d->rod.number,
                         check->scene->rod_count);
        return;
    }
    const LitheRodDef *on = &check->scene->rods[d->rod.number - 1];
    int32_t nodes = lithe_rod_def_node_count(on);
    int32_t edges = nodes < 0 ? -1 : nodes - !lithe_rod_def_closed(on);
    int32_t count = d->node_value_count;
    lithe_check_number(check, "curvature", d->curvature1, "1/m", LITHE_ANY);
    lithe_check_number(check, "curvature", d->curvature2, "1/m", LITHE_ANY);
    lithe_check_number(check, "twist", d->twist, "rad/m", LITHE_ANY);
    lithe_check_number(check, "stretch", d->stretch, "", LITHE_ANY);
    lithe_check_array(check, "node-curvature1", d->node_curvature1, count, nodes, "nodes", "1/m",
                      LITHE_ANY);
    lithe_check_array(check, "node-curvature2", d->node_curvature2, count, nodes, "nodes", "1/m",
                      LITHE_ANY);
    lithe_check_array(check, "node-twist", d->node_twist, count, nodes, "nodes", "rad/m",
                      LITHE_ANY);
    lithe_check_array(check, "edge-stretch", d->edge_stretch, d->edge_value_count, edges, "edges",
                      "", LITHE_ANY);
    lithe_check_profile(check, "profile", &d->profile, "");
    if (check->status == LITHE_OK)
        natural_drive_stretch(check, d);
}
