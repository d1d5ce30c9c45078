// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_ties.c - constraints in a run: forces, errors, breaking and switching

#include "world.h"

#include "math/quat.h"

static LitheConstraintId tie(const World *w, const char *name) {
    return lithe_constraint_find(w->model, name);
}

static LitheVec3 pull(const World *w, const char *name) {
    return lithe_constraint_force(w->model, w->state, tie(w, name));
}

#define ROPE \
    "materials: {rubber: {young: 10 MPa, density: 1000, damping: {mass: 5, stiffness: 1e-3}}}\n" \
    "rods:\n" \
    "  rope: {material: rubber, section: {circle: {radius: 1 cm}}, nodes: 11,\n" \
    "         shape: {line: {from: [0, 0, -0.1], to: [0, 0, -1.1]}}}\n"

TEST(a_rod_hung_from_a_body_weighs_what_it_should) {
    // the body itself is free, and connected to the world
    World w = world_of("lithe: 1\n"
                       "time: {step: 5 ms, end: 100 s}\n" ROPE "bodies:\n"
                       "  hook: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}\n"
                       "constraints:\n"
                       "  top: {kind: attach, a: world, b: hook}\n"
                       "  eye: {kind: attach, a: {on: hook, at: [0, 0, -0.1]}, b: rope.start}\n");
    world_step(&w, 600);
    double weight = 9.81 * 1000 * M_PI * 1e-4, all = weight + 9.81 * 0.5;
    printf("  weight of the rope off by %.2g, of all by %.2g\n", pull(&w, "eye").z / weight - 1,
           pull(&w, "top").z / all - 1);
    CHECK(w.unconverged == 0);
    CHECK_NEAR(pull(&w, "eye").z, weight, 1e-3 * weight);
    CHECK_NEAR(pull(&w, "top").z, all, 1e-3 * all);
    double a[7], b[7];
    lithe_constraint_places(w.model, w.state, tie(&w, "eye"), a, b);
    CHECK_NEAR(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), 0, 1e-5);
    world_end(&w);
}

TEST(a_weld_hands_torque_through_a_rod) {
    // one end welded to the world, the other to a wheel that turns by 0.5 rad
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 5 ms, end: 100 s}\n"
                       "materials: {rubber: {young: 10 MPa, poisson: 0.25, density: 1000,\n"
                       "                     damping: {mass: 20, stiffness: 1e-3}}}\n"
                       "rods:\n"
                       "  shaft: {material: rubber, section: {circle: {radius: 1 cm}}, nodes: 11,\n"
                       "          shape: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}\n"
                       "bodies:\n"
                       "  wheel: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [1, 0, 0]}\n"
                       "joints:\n"
                       "  axle: {kind: revolute, child: wheel, axis: [1, 0, 0]}\n"
                       "actuators:\n"
                       "  turn: {joint: axle, kind: prescribed,\n"
                       "         target: {table: [[0 s, 0], [1 s, 0.5 rad]], kind: smooth}}\n"
                       "constraints:\n"
                       "  fast: {kind: weld, a: world, b: shaft.start}\n"
                       "  hub: {kind: weld, a: wheel, b: shaft.end}\n");
    world_step(&w, 1000);
    // the whole rod twists, from one weld to the other
    double GJ = 4e6 * 0.5 * M_PI * 1e-8, torque = GJ * 0.5 / 1.0;
    double hub = lithe_constraint_torque(w.model, w.state, tie(&w, "hub")).x;
    double fast = lithe_constraint_torque(w.model, w.state, tie(&w, "fast")).x;
    printf("  %.6g and %.6g N m of %.6g\n", hub, fast, torque);
    CHECK(w.unconverged == 0);
    CHECK_NEAR(hub, torque, 1e-3 * torque);
    CHECK_NEAR(fast, -torque, 1e-3 * torque);
    CHECK_NEAR(joint_effort(&w, "axle"), torque, 1e-3 * torque);
    world_end(&w);
}

// --- distances -----------------------------------------------------------------------------------

#define BALL \
    "lithe: 1\n" \
    "time: {step: %g s, end: 100 s, scheme: %s}\n" \
    "bodies:\n" \
    "  ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [%g, 0, %g], velocity: [0, %g, " \
    "0]}\n" \
    "constraints:\n" \
    "  line: {kind: %s, a: world, b: ball, length: 1 m}\n"

TEST(a_distance_is_kept_and_makes_a_pendulum) {
    // small swing: T = 2 pi sqrt(l/g)
    World w = world_of(BALL, 1e-3, "midpoint", 0.05, -sqrt(1 - 0.05 * 0.05), 0.0, "distance");
    double off = 0, last = 0.05, crossings[3];
    int32_t count = 0;
    while (world_step(&w, 1) && count < 3 && lithe_state_time(w.state) < 10) {
        LitheVec3 at = body_at(&w, "ball");
        off = fmax(off, fabs(vector_length(at) - 1));
        if ((at.x > 0) != (last > 0))
            crossings[count++] = lithe_state_time(w.state) - 1e-3 * at.x / (at.x - last);
        last = at.x;
    }
    FATAL(count == 3);
    double period = crossings[2] - crossings[0];
    double known = 2 * M_PI * sqrt(1 / 9.81) * (1 + 0.05 * 0.05 / 16);
    printf("  period off by %.2g, distance by %.2g m\n", period / known - 1, off);
    CHECK(off < 1e-6);
    CHECK_NEAR(period, known, 2e-3 * known);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

TEST(a_rope_is_slack_until_it_is_taut) {
    // thrown down from above its anchor: falls freely for 1 m + 0.5 m, then hangs
    World w = world_of(BALL, 1e-3, "backward-euler", 0.0, 0.5, 0.0, "rope");
    World free = world_of(BALL, 1e-3, "backward-euler", 0.0, 0.5, 0.0, "rope, active: false");
    int64_t slack = (int64_t)(sqrt(2 * 1.49 / 9.81) / 1e-3);
    world_step(&w, slack);
    world_step(&free, slack);
    CHECK_NEAR(body_at(&w, "ball").z, body_at(&free, "ball").z, 1e-12);
    CHECK_NEAR(pull(&w, "line").z, 0, 1e-12);
    double longest = 0;
    for (int i = 0; w.ok && i < 2000; i++) {
        world_step(&w, 1);
        longest = fmax(longest, vector_length(body_at(&w, "ball")));
    }
    printf("  stretched to %.9g m\n", longest);
    CHECK(longest < 1 + 1e-5);
    CHECK_NEAR(pull(&w, "line").z, 9.81, 1e-3);
    CHECK(w.unconverged == 0);
    world_end(&w);
    world_end(&free);
}

TEST(a_strut_keeps_things_apart_and_never_pulls) {
    // falls straight towards a point 1 m away and is stopped there; thrown up, it moves freely
    World w = world_of(BALL, 1e-3, "backward-euler", 0.0, 1.2, 0.0, "strut");
    double nearest = 2;
    for (int i = 0; w.ok && i < 1000; i++) {
        world_step(&w, 1);
        nearest = fmin(nearest, vector_length(body_at(&w, "ball")));
    }
    printf("  pressed to %.9g m\n", nearest);
    CHECK(nearest > 1 - 1e-5);
    CHECK_NEAR(pull(&w, "line").z, 9.81, 1e-3);
    world_end(&w);
    w = world_of(BALL, 1e-3, "backward-euler", 1.0, 0.0, 3.0, "strut");
    World free = world_of(BALL, 1e-3, "backward-euler", 1.0, 0.0, 3.0, "strut, active: false");
    world_step(&w, 200);
    world_step(&free, 200);
    CHECK_NEAR(body_at(&w, "ball").y, body_at(&free, "ball").y, 1e-9);
    world_end(&w);
    world_end(&free);
}

// --- breaking and switching ----------------------------------------------------------------------

TEST(a_tie_breaks_at_its_force_and_not_before) {
    World w =
        world_of("lithe: 1\n"
                 "gravity: none\n"
                 "time: {step: 1 ms, end: 100 s}\n"
                 "bodies:\n"
                 "  cart: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}\n"
                 "joints:\n"
                 "  rail: {kind: prismatic, child: cart, axis: [1, 0, 0]}\n"
                 "actuators:\n"
                 "  winch: {joint: rail, kind: force, target: {table: [[0 s, 0], [1 s, 10 N]]}}\n"
                 "constraints:\n"
                 "  thread: {kind: attach, a: world, b: cart, breaks-at: 5 N}\n");
    double broke = NAN, max = 0;
    for (int i = 0; w.ok && i < 700; i++) {
        world_step(&w, 1);
        bool broken = lithe_constraint_broken(w.model, w.state, tie(&w, "thread"));
        CHECK(broken == !isnan(broke) || w.report.constraints_broken == 1);
        if (broken && isnan(broke))
            broke = lithe_state_time(w.state);
        if (!broken)
            max = fmax(max, vector_length(pull(&w, "thread")));
    }
    printf("  broke at %.4f s, carried %.4f N\n", broke, max);
    CHECK_NEAR(broke, 0.5, 2.1e-3);
    CHECK_NEAR(max, 5, 0.03);
    CHECK(!lithe_constraint_active(w.model, w.state, tie(&w, "thread")));
    CHECK(joint_speed(&w, "rail") > 1); // stays released: 0.2 s at 5 to 7 N
    world_end(&w);
}

// a stone falls past its holder, which attaches it where it is
#define STONE \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 100 s, scheme: backward-euler}\n" \
    "bodies:\n" \
    "  stone: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0.3, 0, 0], spin: [1, 2, 0]}\n" \
    "constraints:\n" \
    "  grip: {kind: weld, a: world, b: stone, %s}\n"

TEST(a_tie_switched_on_in_time_takes_things_where_they_are) {
    World w = world_of(STONE, "switch: {table: [[0 s, 0], [0.2 s, 1], [0.4 s, 0]], kind: hold}");
    world_step(&w, 199);
    LitheVec3 caught = body_at(&w, "stone");
    CHECK_NEAR(caught.z, -0.5 * 9.81 * 0.199 * 0.2, 1e-9);
    CHECK(!lithe_constraint_active(w.model, w.state, tie(&w, "grip")));
    double jump = 0;
    for (int i = 0; i < 200; i++) {
        world_step(&w, 1);
        LitheVec3 at = body_at(&w, "stone");
        at = (LitheVec3){at.x - caught.x, at.y - caught.y, at.z - caught.z};
        jump = fmax(jump, vector_length(at));
    }
    double pose[7];
    lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "stone"), pose);
    printf("  moved by %.2g m, at 2 m/s\n", jump);
    CHECK(jump < 2.1e-3); // one step of its motion
    CHECK_NEAR(vector_length(body_speed(&w, "stone")), 0, 1e-6);
    CHECK(fabs(pose[3]) < 0.99); // it keeps its rotation
    world_step(&w, 101);
    CHECK_NEAR(body_speed(&w, "stone").z, -9.81 * 0.1, 0.011);
    world_end(&w);
}

TEST(a_tie_switched_by_the_program_does_not_jump) {
    World w = world_of(STONE, "active: false");
    world_step(&w, 100);
    lithe_state_set_constraint(w.model, w.state, tie(&w, "grip"), true);
    LitheVec3 before = body_at(&w, "stone");
    world_step(&w, 100);
    CHECK_NEAR(body_at(&w, "stone").z, before.z, 1.1e-3);
    CHECK_NEAR(pull(&w, "grip").z, 9.81, 1e-3);
    LitheVec3 held = body_at(&w, "stone");
    lithe_state_set_constraint(w.model, w.state, tie(&w, "grip"), false);
    world_step(&w, 100);
    CHECK_NEAR(body_at(&w, "stone").z, held.z - 0.5 * 9.81 * 0.1 * 0.101, 1e-6);
    lithe_state_set_constraint(w.model, w.state, tie(&w, "grip"), true);
    held = body_at(&w, "stone");
    world_step(&w, 100);
    CHECK_NEAR(body_at(&w, "stone").z, held.z, 1.1e-3);
    world_end(&w);
}

TEST(a_tie_that_is_not_as_built_pulls_things_together) {
    World w = world_of(STONE, "as-built: false");
    world_step(&w, 200);
    CHECK_NEAR(vector_length(body_at(&w, "stone")), 0, 1e-6);
    world_end(&w);
}

// The offset of a tie turns with the frame of one edge: the velocity of the tied point must be that
// of the same edge.
TEST(a_tie_with_a_lever_on_a_node_of_a_rod_holds) {
    static const char *const schemes[] = {"backward-euler", "tr-bdf2", "midpoint"};
    for (int k = 0; k < 3; k++) {
        World w = world_of("lithe: 1\n"
                           "gravity: none\n"
                           "time: {step: 1 ms, end: 10 s, scheme: %s}\n"
                           "materials: {m: {young: 1 MPa, density: 1000}}\n"
                           "rods:\n"
                           "  r: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
                           "    shape: {line: {to: [30 cm, 0, 0]}}, spin: [0, 0, 15]}\n"
                           "particles: {p: {mass: 20 g, radius: 5 mm, at: [12 cm, 8 cm, 0],\n"
                           "  velocity: [0, 0, 1]}}\n"
                           "constraints: {c: {kind: attach, a: \"r[4]\", b: \"p[0]\"}}\n",
                           schemes[k]);
        double worst = 0, a[7], b[7];
        Vec3 first = {0, 0, 0};
        for (int i = 0; i <= 300 && world_step(&w, i > 0); i++) {
            lithe_constraint_places(w.model, w.state, (LitheConstraintId){1}, a, b);
            Quat back = q4_conj((Quat){a[3], a[4], a[5], a[6]});
            Vec3 lever = q4_rotate(back, v3_sub(v3_load(b), v3_load(a)));
            first = i ? first : lever;
            worst = fmax(worst, v3_distance(lever, first));
        }
        printf("  %s: the place of the particle changes by %.2g mm\n", schemes[k], 1e3 * worst);
        CHECK(worst < 1e-3);
        world_end(&w);
    }
}
