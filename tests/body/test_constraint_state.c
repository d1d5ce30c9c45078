// SPDX-License-Identifier: Apache-2.0
// tests/body/test_constraint_state.c - constraints as compiled: places, offsets, switches, breaking

#include "body/constraint.h"

#include "base/memory.h"
#include "lithe/lithe.h"
#include "test.h"

// a curved and twisted rod of uneven edges, a free crate, a fixed post and an arm of two links
typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheRodId rod;
    LitheBodyId crate, post, link;
} World;

static LitheBodyId add_body(LitheScene *scene, const char *name, LitheVec3 at, LitheVec3 turn,
                            bool fixed) {
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = at;
    body.rotation = q4_exp(turn);
    body.fixed = fixed;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    return lithe_scene_add_body(scene, &body);
}

static World begin_with(const LitheContextDef *options) {
    static const LitheVec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 3}};
    World w = {.context = lithe_context_create(options)};
    w.scene = lithe_scene_create(w.context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "rubber";
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rod";
    rod.material = lithe_scene_add_material(w.scene, &material);
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = 4;
    rod.nodes = 0;
    rod.twist = 0.7;
    w.rod = lithe_scene_add_rod(w.scene, &rod);
    w.crate = add_body(w.scene, "crate", v3(1, 2, 3), v3(0.1, 0.2, 0.3), false);
    w.post = add_body(w.scene, "post", v3(4, 5, 6), v3(0.3, 0.2, 0.1), true);
    LitheBodyId base = add_body(w.scene, "base", v3(0, 0, 0), v3(0, 0, 0), false);
    w.link = add_body(w.scene, "link", v3(0, 0, 0), v3(0, 0, 0), false);
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "elbow";
    joint.parent = base;
    joint.child = w.link;
    joint.parent_at = v3(0, 0, 1);
    joint.position = 0.4;
    lithe_scene_add_joint(w.scene, &joint);
    return w;
}

static World begin(void) {
    return begin_with(NULL);
}

static LitheConstraintDef tie(const char *name, LitheConstraintKind kind, LitheAnchor a,
                              LitheAnchor b) {
    LitheConstraintDef def = lithe_constraint_def_default();
    def.name = name;
    def.kind = kind;
    def.a = a;
    def.b = b;
    return def;
}

static bool compile(World *w) {
    LitheError error = {0};
    if (lithe_compile(w->scene, &w->model, &w->state, &error) == LITHE_OK)
        return true;
    printf("  %s\n", error.text);
    return false;
}

static void end(World *w) {
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

static bool same3(Vec3 a, Vec3 b) {
    return v3_norm(v3_sub(a, b)) < 1e-13;
}

static double angle_between(Quat a, Quat b) {
    return v3_norm(q4_log(q4_mul(q4_conj(a), b)));
}

// --- places --------------------------------------------------------------------------------------

TEST(a_fraction_is_the_exact_point_of_its_edge) {
    World w = begin();
    const double fractions[] = {0, 1.0 / 12, 0.5, 2.0 / 3, 1};
    const LitheVec3 wanted[] = {{0, 0, 0}, {0.5, 0, 0}, {1, 2, 0}, {1, 2, 1}, {1, 2, 3}};
    char names[5][8];
    for (int i = 0; i < 5; i++) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        LitheConstraintDef def =
            tie(names[i], LITHE_CONSTRAINT_DISTANCE, lithe_anchor_body(w.crate, v3(0, 0, 9)),
                lithe_anchor_fraction(w.rod, fractions[i]));
        CHECK(lithe_scene_add_constraint(w.scene, &def).number == i + 1);
    }
    FATAL(compile(&w));
    for (int i = 0; i < 5; i++) {
        double a[7], b[7];
        lithe_constraint_places(w.model, w.state, (LitheConstraintId){i + 1}, a, b);
        CHECK(same3(v3_load(b), wanted[i]));
    }
    CHECK(w.model->constraints[4].b.site.element == 2 && w.model->constraints[4].b.site.s[0] == 1);
    end(&w);
}

TEST(the_frame_on_a_rod_is_that_of_its_edge) {
    World w = begin();
    LitheAnchor turned = lithe_anchor_node(w.rod, -1);
    turned.rotation = q4_exp(v3(0.5, 0, 0));
    LitheConstraintDef def =
        tie("weld", LITHE_CONSTRAINT_WELD, lithe_anchor_node(w.rod, 1), turned);
    lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    double a[7], b[7], m1[9];
    lithe_rod_directors(w.model, w.state, w.rod, m1);
    lithe_constraint_places(w.model, w.state, (LitheConstraintId){1}, a, b);
    Quat first = {a[3], a[4], a[5], a[6]}, last = {b[3], b[4], b[5], b[6]};
    CHECK(same3(v3_load(a), v3(1, 0, 0)) && same3(v3_load(b), v3(1, 2, 3)));
    CHECK(same3(q4_rotate(first, v3(1, 0, 0)), v3_load(m1 + 3)));
    CHECK(same3(q4_rotate(first, v3(0, 0, 1)), v3(0, 1, 0)));
    Quat edge = q4_mul(last, q4_exp(v3(-0.5, 0, 0)));
    CHECK(same3(q4_rotate(edge, v3(1, 0, 0)), v3_load(m1 + 6)));
    CHECK(same3(q4_rotate(edge, v3(0, 0, 1)), v3(0, 0, 1)));
    end(&w);
}

TEST(places_on_bodies_move_with_them_and_fixed_ones_are_in_the_world) {
    World w = begin();
    LitheConstraintDef def =
        tie("bar", LITHE_CONSTRAINT_DISTANCE, lithe_anchor_body(w.link, v3(1, 0, 0)),
            lithe_anchor_body(w.post, v3(0, 0, 1)));
    lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    const LitheConstraint *bar = &w.model->constraints[0];
    CHECK(bar->a.thing.kind == LITHE_THING_BODY && bar->a.site.unit == w.model->rod_count + 1);
    CHECK(bar->a.site.element == 1);
    CHECK(bar->b.thing.kind == LITHE_THING_WORLD && bar->b.site.unit == -1 && !bar->swapped);
    double a[7], b[7];
    lithe_constraint_places(w.model, w.state, (LitheConstraintId){1}, a, b);
    CHECK(same3(v3_load(a), v3(cos(0.4), sin(0.4), 1)));
    Vec3 there = v3_add(v3(4, 5, 6), q4_rotate(q4_exp(v3(0.3, 0.2, 0.1)), v3(0, 0, 1)));
    CHECK(same3(v3_load(b), there));
    CHECK_NEAR(lithe_tie_of(w.state, 0)->length, v3_norm(v3_sub(there, v3_load(a))), 1e-14);
    end(&w);
}

TEST(an_offset_is_carried_by_the_world_or_else_by_a_body) {
    World w = begin();
    LitheAnchor rod = lithe_anchor_node(w.rod, 2), world = lithe_anchor_default();
    LitheAnchor crate = lithe_anchor_body(w.crate, v3(0, 0, 0));
    const LitheConstraintDef defs[] = {
        tie("pin", LITHE_CONSTRAINT_ATTACH, rod, world),
        tie("glue", LITHE_CONSTRAINT_WELD, crate, rod),
        tie("ball", LITHE_CONSTRAINT_ATTACH, crate, world),
        tie("spring", LITHE_CONSTRAINT_HINGE_SPRING, rod, world),
    };
    for (int i = 0; i < 4; i++) {
        LitheConstraintDef def = defs[i];
        def.bend_stiffness = def.kind == LITHE_CONSTRAINT_HINGE_SPRING;
        lithe_scene_add_constraint(w.scene, &def);
    }
    FATAL(compile(&w));
    const LitheConstraint *all = w.model->constraints;
    CHECK(all[0].swapped && all[0].a.thing.kind == LITHE_THING_WORLD);
    CHECK(!all[1].swapped && all[2].swapped && all[2].b.thing.kind == LITHE_THING_BODY);
    CHECK(!all[3].swapped);
    // p_b = p_a + R_a offset, R_b = R_a turn
    for (int i = 0; i < 4; i++) {
        const LitheTie *t = lithe_tie_of(w.state, i);
        Pose a = lithe_constraint_place(w.model, w.state, &all[i].a);
        Pose b = lithe_constraint_place(w.model, w.state, &all[i].b);
        Quat turn = {t->turn[0], t->turn[1], t->turn[2], t->turn[3]};
        CHECK(same3(b.at, pose_point(a, v3_load(t->offset))));
        CHECK(angle_between(b.rotation, q4_mul(a.rotation, turn)) < 1e-13);
    }
    // the places keep the names of the scene
    double a[7], b[7];
    lithe_constraint_places(w.model, w.state, (LitheConstraintId){1}, a, b);
    CHECK(same3(v3_load(a), v3(1, 2, 0)) && same3(v3_load(b), v3(0, 0, 0)));
    lithe_constraint_note(w.model, w.state, 0, v3(1, 2, 3), v3(4, 5, 6));
    CHECK(same3(lithe_constraint_force(w.model, w.state, (LitheConstraintId){1}), v3(-1, -2, -3)));
    CHECK(same3(lithe_constraint_torque(w.model, w.state, (LitheConstraintId){1}), v3(-4, -5, -6)));
    lithe_constraint_note(w.model, w.state, 1, v3(1, 2, 3), v3(4, 5, 6));
    CHECK(same3(lithe_constraint_force(w.model, w.state, (LitheConstraintId){2}), v3(1, 2, 3)));
    end(&w);
}

TEST(what_is_pulled_together_keeps_no_offset) {
    World w = begin();
    LitheConstraintDef def = tie("pull", LITHE_CONSTRAINT_WELD, lithe_anchor_node(w.rod, 0),
                                 lithe_anchor_body(w.crate, v3(0, 0, 0)));
    def.as_built = false;
    lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    const LitheTie *t = lithe_tie_of(w.state, 0);
    for (int k = 0; k < 3; k++)
        CHECK(t->offset[k] == 0 && t->turn[1 + k] == 0);
    CHECK(t->turn[0] == 1);
    end(&w);
}

// --- switching and breaking ----------------------------------------------------------------------

static void move_crate(World *w, Vec3 to) {
    v3_store(to, w->state->q + w->model->trees[0].q_at);
}

TEST(switching_on_takes_the_offset_that_there_is) {
    World w = begin();
    LitheConstraintDef def = tie("grip", LITHE_CONSTRAINT_ROPE, lithe_anchor_world(v3(0, 0, 0)),
                                 lithe_anchor_body(w.crate, v3(0, 0, 0)));
    def.active = false;
    LitheConstraintId id = lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    const LitheTie *t = lithe_tie_of(w.state, 0);
    CHECK(!lithe_constraint_active(w.model, w.state, id) && t->acts == 0);
    move_crate(&w, v3(0, 3, 4));
    lithe_state_set_constraint(w.model, w.state, id, true);
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK(lithe_constraint_active(w.model, w.state, id) && t->acts == 1);
    CHECK_NEAR(t->length, 5, 1e-14);
    // it keeps this length while it acts, even if it is switched on again
    move_crate(&w, v3(0, 6, 8));
    lithe_state_set_constraint(w.model, w.state, id, true);
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK_NEAR(t->length, 5, 1e-14);
    lithe_state_set_constraint(w.model, w.state, id, false);
    lithe_constraint_note(w.model, w.state, 0, v3(1, 0, 0), v3(0, 0, 0));
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK(t->acts == 0);
    CHECK(same3(lithe_constraint_force(w.model, w.state, id), v3(0, 0, 0)));
    lithe_state_set_constraint(w.model, w.state, id, true);
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK_NEAR(t->length, 10, 1e-14);
    end(&w);
}

TEST(a_gate_opens_and_closes_with_time) {
    static const double times[] = {0, 1, 2}, values[] = {0, 1, 0.4};
    World w = begin();
    LitheConstraintDef def = tie("gate", LITHE_CONSTRAINT_ATTACH, lithe_anchor_node(w.rod, 0),
                                 lithe_anchor_body(w.crate, v3(0, 0, 0)));
    def.gate.kind = LITHE_PROFILE_HOLD;
    def.gate.times = times;
    def.gate.values = values;
    def.gate.count = 3;
    LitheConstraintId id = lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    const LitheTie *t = lithe_tie_of(w.state, 0);
    CHECK(t->acts == 0 && t->status == LITHE_TIE_ON);
    lithe_constraints_begin(w.model, w.state, 1.5);
    CHECK(t->acts == 1);
    lithe_constraints_begin(w.model, w.state, 2.5);
    CHECK(t->acts != LITHE_TIE_BINDS);
    w.state->clock[0] = 1.5;
    CHECK(lithe_constraint_active(w.model, w.state, id));
    lithe_state_set_constraint(w.model, w.state, id, false);
    CHECK(!lithe_constraint_active(w.model, w.state, id));
    end(&w);
}

TEST(too_large_a_force_breaks_it_until_it_is_mended) {
    World w = begin();
    LitheConstraintDef def = tie("thread", LITHE_CONSTRAINT_ATTACH, lithe_anchor_node(w.rod, 0),
                                 lithe_anchor_body(w.crate, v3(0, 0, 0)));
    def.breaks_at = 5;
    LitheConstraintId id = lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    CHECK(!lithe_constraint_note(w.model, w.state, 0, v3(0, 3, 4), v3(100, 0, 0)));
    CHECK(!lithe_constraint_broken(w.model, w.state, id));
    CHECK(lithe_constraint_note(w.model, w.state, 0, v3(0, 3, 4.001), v3(0, 0, 0)));
    CHECK(lithe_constraint_broken(w.model, w.state, id));
    CHECK(!lithe_constraint_active(w.model, w.state, id));
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK(lithe_tie_of(w.state, 0)->acts != LITHE_TIE_BINDS);
    // switching off does not hide that it broke
    lithe_state_set_constraint(w.model, w.state, id, false);
    CHECK(lithe_constraint_broken(w.model, w.state, id));
    lithe_state_set_constraint(w.model, w.state, id, true);
    CHECK(!lithe_constraint_broken(w.model, w.state, id));
    lithe_constraints_begin(w.model, w.state, 0);
    CHECK(lithe_constraint_active(w.model, w.state, id));
    end(&w);
}

TEST(a_state_carries_its_constraints_along) {
    World w = begin();
    LitheConstraintDef def = tie("thread", LITHE_CONSTRAINT_ATTACH, lithe_anchor_node(w.rod, 0),
                                 lithe_anchor_body(w.crate, v3(0, 0, 0)));
    LitheConstraintId id = lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    LitheState *copy = lithe_state_copy(w.state);
    FATAL(copy != NULL);
    CHECK(lithe_state_hash(copy) == lithe_state_hash(w.state));
    lithe_state_set_constraint(w.model, w.state, id, false);
    CHECK(lithe_state_hash(copy) != lithe_state_hash(w.state));
    CHECK(lithe_constraint_active(w.model, copy, id));
    lithe_state_set(w.state, lithe_state_data(copy));
    CHECK(lithe_constraint_active(w.model, w.state, id));
    CHECK(lithe_constraint_find(w.model, "thread").number == 1);
    CHECK(lithe_constraint_find(w.model, "rope").number == 0);
    CHECK(strcmp(lithe_constraint_name(w.model, id), "thread") == 0);
    CHECK(lithe_constraint_count(w.model) == 1);
    lithe_state_destroy(copy);
    end(&w);
}

// --- warnings ------------------------------------------------------------------------------------

static void listen(LitheLogLevel level, const char *text, void *user) {
    char *heard = user;
    if (level == LITHE_LOG_WARNING && strstr(text, "held already"))
        snprintf(heard, 300, "%s", text);
}

TEST(a_constraint_between_held_places_is_a_warning) {
    char heard[300] = "";
    LitheContextDef options = lithe_context_def_default();
    options.log = listen;
    options.log_user = heard;
    World w = begin_with(&options);
    LitheHoldDef hold = lithe_hold_def_default();
    hold.name = "hold";
    hold.place.thing = lithe_thing_rod(w.rod);
    lithe_scene_add_hold(w.scene, &hold);
    LitheConstraintDef def = tie("idle", LITHE_CONSTRAINT_ATTACH, lithe_anchor_node(w.rod, 0),
                                 lithe_anchor_body(w.post, v3(0, 0, 0)));
    lithe_scene_add_constraint(w.scene, &def);
    FATAL(compile(&w));
    CHECK_TEXT(heard, "constraint 'idle': both places are held already");
    end(&w);
}
