// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_lcp_ties.c - constraints under contact: {model: lcp}: they are eliminated
// before the complementarity problem

#include "lcp_world.h"

static LitheVec3 pull(const World *w, const char *name) {
    return lithe_constraint_force(w->model, w->state, lithe_constraint_find(w->model, name));
}

// distance of the two places of a constraint
static double gap_of(const World *w, const char *name) {
    double a[7], b[7];
    lithe_constraint_places(w->model, w->state, lithe_constraint_find(w->model, name), a, b);
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// --- closed loops --------------------------------------------------------------------------------

// two bars on hinges in the world, and a third one that attachments hang between them; a fourth one
// parallel to the first two makes the loop redundant in its plane, too
static World four_bar(const char *model, const char *scheme, double step, bool redundant) {
    return world_of(
        HEAD
        "time: {step: %g, end: 10 s, scheme: %s}\ncontact: {model: %s, enabled: false}\nbodies:\n"
        "  left: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0, 0, -0.25]}\n"
        "  right: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [1, 0, -0.25]}\n"
        "  link: {mass: 2 kg, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [0.5, 0, -0.5], "
        "velocity: [-1, 0, 0]}\n%s"
        "joints:\n"
        "  a: {kind: revolute, child: left, at: [0, 0, 0], axis: [0, 1, 0], velocity: 2}\n"
        "  b: {kind: revolute, child: right, at: [1, 0, 0], axis: [0, 1, 0], velocity: 2}\n%s"
        "constraints:\n"
        "  c: {kind: attach, a: {on: left, at: [0, 0, -0.25]}, b: {on: link, at: [-0.5, 0, "
        "0]}}\n"
        "  d: {kind: attach, a: {on: right, at: [0, 0, -0.25]}, b: {on: link, at: [0.5, 0, "
        "0]}}\n%s",
        step, scheme, model,
        redundant ? "  middle: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0.5, 0, "
                    "-0.25]}\n"
                  : "",
        redundant ? "  m: {kind: revolute, child: middle, at: [0.5, 0, 0], axis: [0, 1, 0], "
                    "velocity: 2}\n"
                  : "",
        redundant ? "  e: {kind: attach, a: {on: middle, at: [0, 0, -0.25]}, b: {on: link, at: [0, "
                    "0, 0]}}\n"
                  : "");
}

TEST(closed_loop_moves_as_under_convex_and_stays_closed) {
    double error[2], open[2] = {0};
    World w = four_bar("convex", "auto", 1e-4, false);
    world_step(&w, 5000);
    double reference = joint_at(&w, "a");
    world_end(&w);
    for (int k = 0; k < 2; k++) {
        double h = k ? 5e-4 : 1e-3;
        w = four_bar("lcp", "auto", h, false);
        for (int i = 0; i < (k ? 1000 : 500) && w.ok; i++) {
            world_step(&w, 1);
            open[k] = fmax(open[k], fmax(gap_of(&w, "c"), gap_of(&w, "d")));
        }
        CHECK(w.unconverged == 0);
        error[k] = fabs(joint_at(&w, "a") - reference);
        CHECK_NEAR(joint_at(&w, "b"), joint_at(&w, "a"), 1e-5);
        world_end(&w);
    }
    printf("  angle off by %.3g and %.3g rad, loop open by %.3g and %.3g m\n", error[0], error[1],
           open[0], open[1]);
    CHECK(error[0] < 1e-5 && error[1] < 0.6 * error[0]); // first order
    // errors of (angular velocity step)^2 do not add up
    CHECK(open[0] < 1e-5 && open[1] < 0.3 * open[0]);
}

// bars that turn by q, the link moves on a circle: I q'' = -(3 * 0.25 + 2 * 0.5) g sin q
static double pendulum(double time) {
    double q = 0, v = 2, I = 3 * (0.01 + 0.0625) + 2 * 0.25, h = 1e-5;
    for (int i = 0; i < (int)(time / h + 0.5); i++) {
        v -= h * (3 * 0.25 + 2 * 0.5) * 9.81 * sin(q) / I;
        q += h * v;
    }
    return q;
}

TEST(redundant_loop_of_three_bars_swings_as_its_pendulum) {
    static const char *const schemes[] = {"linearly-implicit", "semi-implicit-euler", "rk23"};
    for (int k = 0; k < 3; k++) {
        World w = four_bar("lcp", schemes[k], 1e-3, true);
        double open = 0, wanted = pendulum(0.4);
        for (int i = 0; i < 400 && w.ok; i++) {
            world_step(&w, 1);
            open = fmax(open, fmax(gap_of(&w, "c"), fmax(gap_of(&w, "d"), gap_of(&w, "e"))));
        }
        printf("  %s: angle off by %.3g of %.6f rad, loop open by %.3g m\n", schemes[k],
               joint_at(&w, "a") - wanted, wanted, open);
        CHECK(w.ok && w.unconverged == 0);
        CHECK_NEAR(joint_at(&w, "a"), wanted, 1e-5);
        CHECK_NEAR(joint_at(&w, "m"), joint_at(&w, "a"), 1e-4);
        CHECK(open < 3e-5);
        world_end(&w);
    }
}

TEST(constraints_that_contradict_each_other_are_reported_and_stop_the_run) {
    World w =
        world_of(HEAD "time: {step: 1 ms, end: 1 s}\ncontact: {model: lcp}\ngravity: none\n"
                      "bodies: {ball: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n"
                      "constraints:\n"
                      "  here: {kind: attach, a: ball, b: world}\n"
                      "  there: {kind: attach, as-built: false, a: ball, b: {on: world, at: [0, "
                      "0, 0.01]}}\n");
    LitheError error = {0};
    CHECK(lithe_step(w.model, w.state, w.work, &w.report, &error) == LITHE_CANNOT_GO_ON);
    CHECK(w.report.solve_unconverged);
    CHECK_TEXT(error.text, "constraint 'there' cannot be met");
    CHECK_TEXT(error.text, "no nearer to each other than 0.01 m");
    world_end(&w);
}

// --- welds, attachments and lines ----------------------------------------------------------------

// two boxes welded side by side, or one box of the same mass; falls by 2 cm and slides
static World landing(bool pair, const char *scheme) {
    return world_of(
        HEAD "time: {step: 1 ms, end: 10 s, scheme: %s}\ngravity: 10\ncontact: {model: "
             "lcp}\nbodies:\n" FLOOR "%s",
        scheme,
        pair ? "  a: {material: wood, shape: {box: {size: [0.1, 0.2, 0.1]}}, at: [-0.05, 0, 0.07], "
               "velocity: [0.5, 0, 0]}\n"
               "  b: {material: wood, shape: {box: {size: [0.1, 0.2, 0.1]}}, at: [0.05, 0, 0.07], "
               "velocity: [0.5, 0, 0]}\n"
               "constraints: {glue: {kind: weld, a: a, b: b}}\n"
             : "  a: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, 0, 0.07], "
               "velocity: [0.5, 0, 0]}\n");
}

static double weight_on_floor(const World *w) {
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++)
        sum += lithe_work_contact(w->work, i).normal;
    return sum;
}

TEST(welded_pair_lands_and_rests_as_one_body) {
    static const char *const schemes[] = {"linearly-implicit", "semi-implicit-euler"};
    for (int k = 0; k < 2; k++) {
        World one = landing(false, schemes[k]), two = landing(true, schemes[k]);
        world_step(&one, 400);
        world_step(&two, 400);
        LitheVec3 a = body_at(&two, "a"), b = body_at(&two, "b"), c = body_at(&one, "a");
        printf("  slid %.6f and %.6f m, weight %.6f N\n", (a.x + b.x) / 2, c.x,
               weight_on_floor(&two));
        CHECK(two.unconverged == 0 && two.report.weakened == 0);
        CHECK_NEAR(weight_on_floor(&two), 20, 1e-3);
        CHECK_NEAR(weight_on_floor(&one), 20, 1e-3);
        CHECK_NEAR((a.x + b.x) / 2, c.x, 1e-4);
        CHECK_NEAR(b.x - a.x, 0.1, 1e-9);
        CHECK_NEAR(b.z, 0.05, 1e-6);
        CHECK_NEAR(a.z, 0.05, 1e-6);
        CHECK_NEAR(vector_length(body_speed(&two, "a")), 0, 1e-6);
        world_end(&one);
        world_end(&two);
    }
}

TEST(half_of_a_welded_pair_hangs_over_the_edge_by_its_weld) {
    World w = world_of(
        HEAD "time: {step: 1 ms, end: 10 s}\ngravity: 10\ncontact: {model: lcp}\nbodies:\n"
             "  table: {material: wood, fixed: true, at: [0, 0, -0.05], shape: {box: {size: [1, 1, "
             "0.1]}}}\n"
             "  a: {material: wood, shape: {box: {size: [0.4, 0.2, 0.1]}}, at: [0.25, 0, 0.05]}\n"
             "  b: {material: wood, shape: {box: {size: [0.1, 0.2, 0.1]}}, at: [0.56, 0, 0.05]}\n"
             "constraints: {glue: {kind: weld, a: a, b: b}}\n");
    world_step(&w, 200);
    CHECK_NEAR(weight_on_floor(&w), 50, 1e-3);
    CHECK_NEAR(pull(&w, "glue").z, 10, 1e-3); // on b
    CHECK_NEAR(body_at(&w, "b").z, 0.05, 1e-5);
    world_end(&w);
}

TEST(rope_spring_and_distance_carry_what_hangs_on_them) {
    World w = world_of(
        HEAD "time: {step: 1 ms, end: 10 s}\ngravity: 10\ncontact: {model: lcp}\nbodies:\n"
             "  a: {mass: 2 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0, 0, 0]}\n"
             "  b: {mass: 3 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [1, 0, 0]}\n"
             "  c: {mass: 4 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [2, 0, 0]}\n"
             "constraints:\n"
             "  rope: {kind: rope, a: {on: world, at: [0, 0, 1]}, b: a, length: 1.005}\n"
             "  rod: {kind: distance, a: {on: world, at: [1, 0, 1]}, b: b}\n"
             "  spring: {kind: attach, a: {on: world, at: [2, 0, 0]}, b: c, stiffness: 4000, "
             "damping: 250}\n");
    world_step(&w, 600);
    CHECK_NEAR(pull(&w, "rope").z, 20, 1e-3);
    CHECK_NEAR(pull(&w, "rod").z, 30, 1e-3);
    CHECK_NEAR(pull(&w, "spring").z, 40, 1e-2);
    CHECK_NEAR(body_at(&w, "a").z, -0.005, 1e-6);
    CHECK_NEAR(body_at(&w, "c").z, -0.01, 1e-5);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

static World arm_with_load(const char *model, double step) {
    return world_of(
        HEAD "time: {step: %g, end: 10 s}\ncontact: {model: %s}\nbodies:\n"
             "  load: {mass: 0.2 kg, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0], at: [0.3, 0, 0]}\n"
             "arms:\n"
             "  trunk: {rotate: {axis: [0, 1, 0], angle: 90 deg}, lengths: [0.15, 0.15], masses: "
             "[0.54, 0.265], radii: [0.04, 0.04], stiffness: 1000 N/m, damping: 125 N s/m, disks: "
             "2, disk-radius: 5 cm, disk-length: 1 cm, material: wood}\n"
             "constraints: {hold: {kind: attach, a: trunk/tip, b: load}}\n",
        step, model);
}

TEST(arm_carries_a_body_that_is_attached_to_its_tip) {
    World a = arm_with_load("lcp", 1e-3), b = arm_with_load("convex", 1e-3);
    world_step(&a, 3000);
    world_step(&b, 3000);
    LitheVec3 p = body_at(&a, "load"), q = body_at(&b, "load");
    printf("  load at %.6f %.6f, under convex %.6f %.6f m; force %.6f N\n", p.x, p.z, q.x, q.z,
           pull(&a, "hold").z);
    CHECK_NEAR(pull(&a, "hold").z, 0.2 * 9.81, 1e-3);
    CHECK_NEAR(p.x, q.x, 1e-4);
    CHECK_NEAR(p.z, q.z, 1e-4);
    CHECK(gap_of(&a, "hold") < 1e-9);
    CHECK(a.unconverged == 0);
    world_end(&a);
    world_end(&b);
}

// --- steps ---------------------------------------------------------------------------------------

TEST(energy_of_a_welded_pair_that_tumbles_onto_a_floor_falls) {
    World w = world_of(
        HEAD "time: {step: 1 ms, end: 10 s}\ngravity: 10\ncontact: {model: lcp}\nbodies:\n" FLOOR
             "  a: {material: wood, shape: {box: {size: [0.1, 0.2, 0.1]}}, at: [-0.05, 0, 0.2], "
             "rotate: {axis: [0, 1, 0], angle: 20 deg}}\n"
             "  b: {material: wood, shape: {sphere: {radius: 0.05}}, at: [0.1, 0, 0.2]}\n"
             "constraints: {glue: {kind: weld, a: a, b: b}}\n");
    double last = INFINITY, rise = 0;
    for (int i = 0; i < 60; i++) {
        world_step(&w, 20);
        LitheEnergy e = lithe_energy(w.model, w.state);
        rise = fmax(rise, e.kinetic + e.gravity - last);
        last = e.kinetic + e.gravity;
    }
    printf("  energy rises by %.3g J at most, kinetic at the end %.3g J\n", rise,
           lithe_energy(w.model, w.state).kinetic);
    CHECK(rise < 1e-4);
    CHECK(lithe_energy(w.model, w.state).kinetic < 1e-6);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

TEST(step_with_constraints_allocates_nothing_after_the_first_ones) {
    World w = landing(true, "auto");
    world_step(&w, 200);
    world_step_without_allocation(&w, 50);
    world_end(&w);
}

TEST(tendons_are_refused_by_name) {
    world_refused("does not support tendons (constraint 'wire')",
                  HEAD "contact: {model: lcp}\n"
                       "bodies: {ball: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n"
                       "constraints: {wire: {kind: tendon, a: {on: world, at: [0, 0, 1]}, b: ball, "
                       "tension: 1 N}}\n");
}
