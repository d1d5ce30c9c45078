// SPDX-License-Identifier: Apache-2.0
// tests/solve/worlds.h - random worlds: heaps of overlapping things with random constraints
//
// World number k is always the same. Masses over six decades, speeds up to 30 m/s, all joints, all
// constraints (also the same one twice, and ones that contradict each other), open and closed rods,
// all laws of friction, steps from 10 us to 10 ms.

#ifndef LITHE_TEST_WORLDS_H
#define LITHE_TEST_WORLDS_H

#include "lithe/lithe.h"
#include "math/quat.h"
#include "math/vec3.h"

#include "test.h"

enum { WORLD_BODIES = 16, WORLD_RODS = 2 };

typedef struct World {
    TestRandom random;
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheMaterialId material[3];
    LitheBodyId body[WORLD_BODIES];
    double mass[WORLD_BODIES];
    LitheRodId rod[WORLD_RODS];
    int32_t rod_nodes[WORLD_RODS];
    int body_count, rod_count, joint_count, constraint_count;
    double step;
    LitheFrictionLaw law;
} World;

// --- dice ----------------------------------------------------------------------------------------

static inline double dice(World *w, double low, double high) {
    return test_random(&w->random, low, high);
}

// uniform over decades
static inline double decades(World *w, double low, double high) {
    return pow(10, dice(w, low, high));
}

static inline int pick(World *w, int count) {
    int k = (int)dice(w, 0, count);
    return k < count ? k : count - 1;
}

static inline bool chance(World *w, double share) {
    return dice(w, 0, 1) < share;
}

static inline Vec3 anywhere(World *w, double size) {
    double x = dice(w, -size, size), y = dice(w, -size, size);
    return v3(x, y, dice(w, -size, size));
}

static inline Quat any_turn(World *w) {
    return q4_exp(anywhere(w, 3));
}

static inline Vec3 any_velocity(World *w) {
    double speed = chance(w, 0.3) ? 0 : decades(w, -2, 1.5);
    return anywhere(w, speed);
}

// --- parts ---------------------------------------------------------------------------------------

static inline void add_materials(World *w) {
    static const char *const name[3] = {"ice", "rubber", "felt"};
    for (int i = 0; i < 3; i++) {
        LitheMaterialDef def = lithe_material_def_default();
        def.name = name[i];
        def.young = decades(w, 5, 10);
        def.poisson = 0.3;
        def.friction = i == 0 ? 0 : dice(w, 0, 1.5);
        def.contact_stiffness = decades(w, 2, 8);
        def.contact_dissipation = chance(w, 0.3) ? 0 : decades(w, -3, 1);
        def.torsional_friction = i == 2 ? decades(w, -4, -1) : 0;
        def.rolling_friction = i == 2 && chance(w, 0.7) ? decades(w, -5, -2) : 0;
        w->material[i] = lithe_scene_add_material(w->scene, &def);
    }
}

static inline LitheGeomDef any_geom(World *w) {
    static const LitheGeomKind kinds[] = {LITHE_GEOM_SPHERE, LITHE_GEOM_BOX, LITHE_GEOM_CAPSULE,
                                          LITHE_GEOM_CYLINDER, LITHE_GEOM_ELLIPSOID};
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = kinds[pick(w, 5)];
    geom.radius = dice(w, 0.03, 0.15);
    geom.length = dice(w, 0.05, 0.4);
    geom.size = v3(dice(w, 0.05, 0.4), dice(w, 0.05, 0.4), dice(w, 0.05, 0.4));
    geom.material = w->material[pick(w, 3)];
    return geom;
}

static inline void add_floor(World *w) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_HALF_SPACE;
    geom.material = w->material[pick(w, 3)];
    LitheBodyDef body = lithe_body_def_default();
    body.name = "floor";
    body.at = v3(0, 0, dice(w, -0.4, 0));
    body.rotation = q4_exp(anywhere(w, 0.3));
    body.fixed = true;
    body.geoms = &geom;
    body.geom_count = 1;
    lithe_scene_add_body(w->scene, &body);
}

static inline LitheBodyId add_body(World *w, bool moving) {
    char name[16];
    snprintf(name, sizeof name, "body%d", w->body_count);
    LitheGeomDef geoms[2] = {any_geom(w), any_geom(w)};
    geoms[1].at = anywhere(w, 0.1);
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = anywhere(w, 0.35);
    body.rotation = any_turn(w);
    body.mass = decades(w, -3, 3);
    double inertia = body.mass * decades(w, -3, -1.5);
    for (int k = 0; k < 3; k++)
        body.inertia[k] = inertia * dice(w, 0.7, 1.3);
    if (moving) {
        body.velocity = any_velocity(w);
        body.spin = v3_scale(5, any_velocity(w));
    }
    body.geoms = geoms;
    body.geom_count = chance(w, 0.9) ? 1 + (int)chance(w, 0.2) : 0;
    LitheBodyId id = lithe_scene_add_body(w->scene, &body);
    w->mass[w->body_count] = body.mass;
    w->body[w->body_count++] = id;
    return id;
}

static inline void add_actuator(World *w, LitheJointId joint) {
    char name[16];
    snprintf(name, sizeof name, "motor%d", w->joint_count);
    LitheActuatorDef def = lithe_actuator_def_default();
    def.name = name;
    def.joint = joint;
    def.kind = chance(w, 0.5) ? LITHE_ACTUATOR_POSITION : LITHE_ACTUATOR_VELOCITY;
    def.target.value = dice(w, -2, 2);
    def.stiffness = def.kind == LITHE_ACTUATOR_POSITION ? decades(w, 0, 5) : 0;
    def.damping = decades(w, -2, 3);
    def.effort_limit = chance(w, 0.8) ? decades(w, -2, 3) : 0;
    lithe_scene_add_actuator(w->scene, &def);
}

// a tree of links, each connected to an earlier one
static inline void add_tree(World *w, int links) {
    static const LitheJointKind kinds[] = {
        LITHE_JOINT_REVOLUTE, LITHE_JOINT_REVOLUTE, LITHE_JOINT_PRISMATIC, LITHE_JOINT_SCREW,
        LITHE_JOINT_BALL,     LITHE_JOINT_PLANAR,   LITHE_JOINT_WELD};
    int first = w->body_count;
    for (int i = 0; i < links; i++) {
        char name[16];
        snprintf(name, sizeof name, "joint%d", w->joint_count);
        LitheJointDef def = lithe_joint_def_default();
        def.name = name;
        def.child = add_body(w, false);
        def.parent = i > 0 ? w->body[first + pick(w, i)] : (LitheBodyId){0};
        def.kind = i == 0 && chance(w, 0.3) ? LITHE_JOINT_FREE : kinds[pick(w, 7)];
        def.parent_at = anywhere(w, i > 0 ? 0.2 : 0.3);
        def.child_at = anywhere(w, 0.2);
        def.parent_rotation = any_turn(w);
        bool one = def.kind == LITHE_JOINT_REVOLUTE || def.kind == LITHE_JOINT_PRISMATIC ||
                   def.kind == LITHE_JOINT_SCREW;
        def.pitch = def.kind == LITHE_JOINT_SCREW ? 0.01 : 0;
        if (one) {
            def.position = dice(w, -0.5, 0.5);
            def.velocity = chance(w, 0.5) ? 0 : dice(w, -10, 10);
            def.stiffness = chance(w, 0.2) ? decades(w, 0, 3) : 0;
        }
        if ((one || def.kind == LITHE_JOINT_BALL) && chance(w, 0.6)) {
            def.limited = true;
            def.lower = one ? -dice(w, 0.5, 0.6) : 0;
            def.upper = dice(w, 0.5, 0.6);
        }
        bool moves = def.kind != LITHE_JOINT_WELD && def.kind != LITHE_JOINT_FREE;
        def.friction_loss = moves && chance(w, 0.5) ? decades(w, -3, 2) : 0;
        def.damping = moves && chance(w, 0.3) ? decades(w, -3, 0) : 0;
        def.armature = moves && chance(w, 0.3) ? decades(w, -4, 0) : 0;
        LitheJointId joint = lithe_scene_add_joint(w->scene, &def);
        if (one && chance(w, 0.6))
            add_actuator(w, joint);
        w->joint_count++;
    }
}

static inline void add_rod(World *w) {
    char name[16];
    snprintf(name, sizeof name, "rod%d", w->rod_count);
    LitheRodDef def = lithe_rod_def_default();
    def.name = name;
    def.material = w->material[pick(w, 3)];
    def.section.radius = dice(w, 0.003, 0.02);
    def.nodes = 6 + pick(w, 12);
    if (chance(w, 0.35)) {
        def.shape.kind = LITHE_SHAPE_RING;
        def.shape.radius = dice(w, 0.15, 0.4);
        def.natural = LITHE_NATURAL_AS_SHAPED;
        def.nodes += 4;
    } else {
        Vec3 to = v3(1, 0, 0);
        def.shape.from = v3(-0.4, 0, 0);
        def.shape.to = v3_scale(0.4, to);
    }
    def.shape.rotate = anywhere(w, 3);
    def.shape.at = anywhere(w, 0.2);
    def.velocity = anywhere(w, chance(w, 0.5) ? 0 : decades(w, -2, 1));
    def.clamp_start = def.shape.kind == LITHE_SHAPE_LINE && chance(w, 0.2);
    if (def.clamp_start)
        def.velocity = v3(0, 0, 0);
    w->rod_nodes[w->rod_count] = def.nodes;
    w->rod[w->rod_count++] = lithe_scene_add_rod(w->scene, &def);
}

static inline LitheAnchor any_anchor(World *w) {
    int count = w->body_count + w->rod_count, k = pick(w, count);
    LitheAnchor anchor;
    if (k < w->body_count)
        anchor = lithe_anchor_body(w->body[k], anywhere(w, 0.1));
    else if (chance(w, 0.5))
        anchor = lithe_anchor_node(w->rod[k - w->body_count],
                                   pick(w, w->rod_nodes[k - w->body_count] - 1));
    else
        anchor = lithe_anchor_fraction(w->rod[k - w->body_count], dice(w, 0.05, 0.95));
    return anchor;
}

static inline void add_named(World *w, LitheConstraintDef *def) {
    char name[16];
    snprintf(name, sizeof name, "tie%d", w->constraint_count++);
    def->name = name;
    lithe_scene_add_constraint(w->scene, def);
}

static inline void add_constraint(World *w) {
    LitheConstraintDef def = lithe_constraint_def_default();
    def.kind = (LitheConstraintKind)pick(w, 6);
    bool alone = w->body_count + w->rod_count == 1;
    def.a = alone || chance(w, 0.3) ? lithe_anchor_world(anywhere(w, 0.4)) : any_anchor(w);
    do
        def.b = any_anchor(w);
    while (def.a.kind == def.b.kind && def.a.body.number == def.b.body.number &&
           def.a.place.thing.number == def.b.place.thing.number);
    bool far = def.kind >= LITHE_CONSTRAINT_DISTANCE && def.kind <= LITHE_CONSTRAINT_STRUT;
    bool spring = def.kind == LITHE_CONSTRAINT_HINGE_SPRING;
    // not as built: pulled together from the start, within one step
    def.as_built = chance(w, far ? 0.5 : 0.8);
    def.length = far && !def.as_built ? dice(w, 0.1, 0.8) : 0;
    if (spring) {
        def.bend_stiffness = decades(w, -3, 3);
        def.twist_stiffness = chance(w, 0.5) ? decades(w, -3, 3) : 0;
    } else if (chance(w, 0.3)) {
        def.stiffness = decades(w, 0, 7);
        def.damping = chance(w, 0.5) ? decades(w, -2, 3) : 0;
    }
    add_named(w, &def);
    // the same again; or one that contradicts it
    if (chance(w, 0.2))
        add_named(w, &def);
    if (chance(w, 0.15) && !spring) {
        def.a = lithe_anchor_world(anywhere(w, 0.4));
        def.as_built = false;
        def.length = far ? dice(w, 0.1, 0.8) : 0;
        add_named(w, &def);
    }
}

// --- worlds --------------------------------------------------------------------------------------

/// World `number`, compiled; false with the reason printed. Ends with world_end either way.
static inline bool world_begin(World *w, int number) {
    *w = (World){.random = {(uint64_t)number * 7919 + 17}};
    w->context = lithe_context_create(NULL);
    w->scene = lithe_scene_create(w->context);
    add_materials(w);
    if (chance(w, 0.7))
        add_floor(w);
    int free_count = pick(w, 6), trees = pick(w, 3), rods = pick(w, WORLD_RODS + 1);
    for (int i = 0; i < free_count; i++)
        add_body(w, true);
    for (int i = 0; i < trees; i++)
        add_tree(w, 1 + pick(w, 4));
    for (int i = 0; i < rods; i++)
        add_rod(w);
    if (w->body_count + w->rod_count == 0)
        add_body(w, true);
    int ties = pick(w, 6);
    for (int i = 0; i < ties; i++)
        add_constraint(w);

    LitheContactDef contact = lithe_contact_def_default();
    contact.law = w->law = (LitheFrictionLaw)pick(w, 3);
    contact.certify = false; // things start with overlap: crossings are undefined
    lithe_scene_set_contact(w->scene, &contact);
    LitheTimeDef time = lithe_time_def_default();
    time.step = w->step = decades(w, -5, -2);
    time.end = 1;
    time.scheme = chance(w, 0.8) ? LITHE_SCHEME_BACKWARD_EULER : LITHE_SCHEME_MIDPOINT;
    lithe_scene_set_time(w->scene, &time);
    LitheError error;
    if (lithe_compile(w->scene, &w->model, &w->state, &error) == LITHE_OK)
        return true;
    printf("  world %d: %s\n", number, error.text);
    return false;
}

static inline void world_end(World *w) {
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

#endif
