// SPDX-License-Identifier: Apache-2.0
// scene/chain.c - a chain of capsules, as the bodies, constraints and ignored pairs it consists of
//
// Piece i lies between the points x_i and x_i+1; its body's frame is in the middle, z along it.
// Frames are transported along the chain by the smallest rotations, so that it starts without
// twist.

#include "scene/chain.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/curve.h"
#include "math/quat.h"
#include "scene/objects.h"

#include <stdio.h>

LitheChainDef lithe_chain_def_default(void) {
    return (LitheChainDef){
        .radius = 5e-3,
        .shape = lithe_shape_def_default(),
        .capsules = 20,
        .natural = LITHE_NATURAL_STRAIGHT,
        .group = 1,
        .mask = UINT32_MAX,
    };
}

typedef struct Chain {
    LitheScene *scene;
    const LitheChainDef *def;
    Vec3 *points;       // [count + 1] [m]
    LitheBodyId *body;  // [count] bodies of the pieces
    Quat *turn;         // [count] rotations of their frames
    double *length;     // [count] of the pieces [m]
    int32_t count;      // pieces
    bool closed;        // the last point is the first
    double bend, twist; // EI, GJ [N m^2]
} Chain;

static Vec3 axis_of(const Chain *c, int32_t i) {
    return v3_unit(v3_sub(c->points[i + 1], c->points[i]));
}

// --- bodies --------------------------------------------------------------------------------------

// the shape is a capsule, the mass that of a cylinder: round ends would count twice at the joints
static bool add_piece(Chain *c, int32_t i) {
    const double pi = M_PI;
    const LitheChainDef *def = c->def;
    const LitheMaterialDef *material = &c->scene->materials[def->material.number - 1];
    double r = def->radius, l = c->length[i];
    double mass = material->density * pi * r * r * l;
    double across = mass * (3 * r * r + l * l) / 12, along = 0.5 * mass * r * r;
    char name[2 * LITHE_NAME_LENGTH];
    snprintf(name, sizeof name, "%s/%d", def->name, i);

    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_CAPSULE;
    geom.radius = r;
    geom.length = l;
    geom.material = def->material;
    geom.group = def->group;
    geom.mask = def->mask;
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = v3_mix(c->points[i], c->points[i + 1], 0.5);
    body.rotation = c->turn[i];
    body.velocity = def->velocity;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = across;
    body.inertia[2] = along;
    body.geoms = &geom;
    body.geom_count = 1;
    c->body[i] = lithe_scene_add_body(c->scene, &body);
    return c->body[i].number > 0;
}

static bool add_pieces(Chain *c) {
    Vec3 before = v3(0, 0, 1);
    Quat turn = q4_identity();
    for (int32_t i = 0; i < c->count; i++) {
        Vec3 axis = axis_of(c, i);
        turn = q4_unit(q4_mul(q4_between(before, axis), turn));
        before = axis;
        c->turn[i] = turn;
        c->length[i] = v3_norm(v3_sub(c->points[i + 1], c->points[i]));
        if (!add_piece(c, i))
            return false;
    }
    return true;
}

// --- constraints ---------------------------------------------------------------------------------

// the end of a piece: side -1 or 1
static LitheAnchor end_of(const Chain *c, int32_t i, double side) {
    return lithe_anchor_body(c->body[i], v3(0, 0, 0.5 * side * c->length[i]));
}

// connects piece i to the next one, j
static bool add_joint(Chain *c, int32_t i, int32_t j) {
    char name[2 * LITHE_NAME_LENGTH];
    LitheConstraintDef joint = lithe_constraint_def_default();
    snprintf(name, sizeof name, "%s/joint-%d", c->def->name, i + 1);
    joint.name = name;
    joint.a = end_of(c, i, 1);
    joint.b = end_of(c, j, -1);
    joint.as_built = false;
    if (!lithe_scene_add_constraint(c->scene, &joint).number)
        return false;

    LitheConstraintDef spring = lithe_constraint_def_default();
    double l = 0.5 * (c->length[i] + c->length[j]);
    snprintf(name, sizeof name, "%s/spring-%d", c->def->name, i + 1);
    spring.name = name;
    spring.kind = LITHE_CONSTRAINT_HINGE_SPRING;
    spring.a = joint.a;
    spring.b = joint.b;
    spring.as_built = c->def->natural == LITHE_NATURAL_AS_SHAPED;
    spring.bend_stiffness = c->bend / l;
    spring.twist_stiffness = c->twist / l;
    spring.turn_damping = c->def->damping;
    if (j < i) {
        // where a closed chain meets itself, its frames differ by a rotation about the axis
        Quat carried = q4_mul(q4_between(axis_of(c, i), axis_of(c, j)), c->turn[i]);
        spring.b.rotation = q4_unit(q4_mul(q4_conj(c->turn[j]), carried));
    }
    return lithe_scene_add_constraint(c->scene, &spring).number > 0;
}

// holds an end of the chain to the world
static bool add_end(Chain *c, int32_t i, double side, LitheChainEnd end, const char *word) {
    char name[2 * LITHE_NAME_LENGTH];
    LitheConstraintDef hold = lithe_constraint_def_default();
    if (end == LITHE_CHAIN_FREE)
        return true;
    snprintf(name, sizeof name, "%s/%s", c->def->name, word);
    hold.name = name;
    hold.kind = end == LITHE_CHAIN_FIXED ? LITHE_CONSTRAINT_WELD : LITHE_CONSTRAINT_ATTACH;
    hold.a = lithe_anchor_world(c->points[side < 0 ? i : i + 1]);
    hold.b = end_of(c, i, side);
    return lithe_scene_add_constraint(c->scene, &hold).number > 0;
}

// --- pairs that never touch ----------------------------------------------------------------------

static bool ignore(Chain *c, int32_t i, int32_t j) {
    char a[2 * LITHE_NAME_LENGTH], b[2 * LITHE_NAME_LENGTH];
    snprintf(a, sizeof a, "%s/%d", c->def->name, i);
    snprintf(b, sizeof b, "%s/%d", c->def->name, j);
    return lithe_scene_ignore_pair(c->scene, a, b);
}

// Neighbours never touch. Where pieces are shorter than their diameter, neither do pieces up to one
// diameter apart along the chain: their round ends overlap or just touch in a straight chain.
static bool ignore_neighbours(Chain *c) {
    for (int32_t i = 0; i < c->count; i++) {
        double between = 0;
        for (int32_t k = 1; k < c->count; k++) {
            int32_t j = i + k;
            if (j >= c->count && !c->closed)
                break;
            // from half of the loop on, the pair has been added from its other side
            if (c->closed && (2 * k > c->count || (2 * k == c->count && i >= k)))
                break;
            j %= c->count;
            if (k > 1 && !(between < 2 * c->def->radius * (1 + 1e-9)))
                break;
            if (!ignore(c, i, j))
                return false;
            between += c->length[j];
        }
    }
    return true;
}

// --- the chain -----------------------------------------------------------------------------------

static bool add_all(Chain *c) {
    if (!add_pieces(c))
        return false;
    for (int32_t i = 0; i + 1 < c->count; i++)
        if (!add_joint(c, i, i + 1))
            return false;
    if (c->closed && !add_joint(c, c->count - 1, 0))
        return false;
    return add_end(c, 0, -1, c->def->start, "start") &&
           add_end(c, c->count - 1, 1, c->def->end, "end") && ignore_neighbours(c);
}

static bool note_damping(LitheScene *scene, const LitheChainDef *def) {
    const LitheMaterialDef *m = &scene->materials[def->material.number - 1];
    return (m->damping_mass == 0 && m->damping_stiffness == 0) ||
           lithe_scene_add_note(scene,
                                "chain '%s': the damping of material '%s' does not act on "
                                "capsules; set the damping of the chain instead",
                                def->name, m->name ? m->name : "");
}

static LitheStatus expand(Chain *c, LitheError *error) {
    LitheContext *context = c->scene->context;
    const LitheChainDef *def = c->def;
    const LitheMaterialDef *material = &c->scene->materials[def->material.number - 1];
    const double pi = M_PI;
    double second = 0.25 * pi * def->radius * def->radius * def->radius * def->radius;
    double shear =
        material->shear > 0 ? material->shear : material->young / (2 * (1 + material->poisson));
    c->closed = lithe_shape_closed(&def->shape);
    c->count = def->capsules;
    c->bend = material->young * second;
    c->twist = shear * 2 * second;
    c->points = lithe_alloc_array(context, (int64_t)c->count + 1, sizeof *c->points);
    c->body = lithe_alloc_array(context, c->count, sizeof *c->body);
    c->turn = lithe_alloc_array(context, c->count, sizeof *c->turn);
    c->length = lithe_alloc_array(context, c->count, sizeof *c->length);
    if (!c->points || !c->body || !c->turn || !c->length)
        return lithe_fail_memory(error, "a chain");
    LitheError cause = {0};
    LitheStatus status = lithe_curve_sample(context, &def->shape, c->count + !c->closed, false,
                                            false, def->radius, c->points, &c->closed, &cause);
    if (status != LITHE_OK)
        return lithe_fail(error, status, "chain '%s': %s", def->name, cause.text);
    if (c->closed)
        c->points[c->count] = c->points[0];
    return note_damping(c->scene, def) && add_all(c) ? LITHE_OK
                                                     : lithe_fail_memory(error, "a chain");
}

LitheStatus lithe_chain_expand(LitheScene *scene, const LitheChainDef *def, char *key, size_t size,
                               LitheError *error) {
    LitheCheck check = {.scene = scene, .error = error, .prefix = ""};
    lithe_check_chain(&check, def);
    snprintf(key, size, "%s", check.status == LITHE_OK ? "shape" : check.failed);
    if (check.status != LITHE_OK)
        return check.status;
    int32_t bodies = scene->body_count, constraints = scene->constraint_count;
    int32_t pairs = scene->ignored_pair_count, notes = scene->note_count;
    Chain chain = {.scene = scene, .def = def};
    LitheStatus status = expand(&chain, error);
    if (status != LITHE_OK) {
        lithe_object_truncate(scene, LITHE_OBJECT_CONSTRAINT, constraints);
        lithe_object_truncate(scene, LITHE_OBJECT_BODY, bodies);
        lithe_scene_cut_pairs(scene, pairs, notes);
    }
    lithe_free(scene->context, chain.points);
    lithe_free(scene->context, chain.body);
    lithe_free(scene->context, chain.turn);
    lithe_free(scene->context, chain.length);
    return status;
}

LitheStatus lithe_scene_add_chain(LitheScene *scene, const LitheChainDef *def, LitheError *error) {
    char key[128];
    return lithe_chain_expand(scene, def, key, sizeof key, error);
}
