// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_rest.c - contact stiffness from modulus, size and weight, and by pair of
// materials: (C6), (C8), (C9)

#include "world.h"

#include <string.h>

static LitheContact first_contact(const World *w) {
    bool found = CHECK(lithe_work_contact_count(w->work) > 0);
    return found ? lithe_work_contact(w->work, 0).contact : (LitheContact){0};
}

// --- from the material ---------------------------------------------------------------------------

#define HEAVY \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 100 s, scheme: %s}\n" \
    "materials:\n" \
    "  steel: {young: 200 GPa, poisson: 0.3, density: 7850}\n" \
    "  foam: {young: 10 kPa, poisson: 0.3, density: 1000}\n" \
    "bodies:\n" \
    "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n" \
    "  ball: {material: steel, shape: {sphere: {radius: 0.25}}, at: [0, 0, 0.26]}\n" \
    "  crate: {mass: 500, inertia: [83.3, 83.3, 83.3, 0, 0, 0], material: steel,\n" \
    "          shape: {box: {size: [1, 1, 1]}}, at: [3, 0, 0.51]}\n" \
    "  plain: {mass: 500, inertia: [83.3, 83.3, 83.3, 0, 0, 0],\n" \
    "          shape: {box: {size: [1, 1, 1]}}, at: [6, 0, 0.51]}\n" \
    "  soft: {material: foam, shape: {sphere: {radius: 0.5}}, at: [9, 0, 0.501]}\n"

TEST(heavy_bodies_rest_less_than_a_millimetre_deep) {
    static const char *const schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(HEAVY, schemes[k]);
        double most = 0;
        for (int i = 0; w.ok && i < 1500; i++) {
            world_step(&w, 1);
            most = fmax(most, w.report.deepest);
        }
        printf("  %s: ball %.2g, crate %.2g, plain %.2g, soft %.2g m deep; max %.2g m on impact\n",
               schemes[k], 0.25 - body_at(&w, "ball").z, 0.5 - body_at(&w, "crate").z,
               0.5 - body_at(&w, "plain").z, 0.5 - body_at(&w, "soft").z, most);
        CHECK(w.ok && w.unconverged == 0);
        for (int b = 0; k == 0 && b < 3; b++) {
            const char *const names[] = {"ball", "crate", "plain"};
            double half = b == 0 ? 0.25 : 0.5;
            CHECK(fabs(half - body_at(&w, names[b]).z) < 1e-4);
        }
        CHECK(most < 0.025);
        // a foam of 10 kPa could not carry itself: its weight sets the stiffness
        CHECK(0.5 - body_at(&w, "soft").z < 0.02);
        world_end(&w);
    }
}

#define TWO \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 1 s}\n" \
    "gravity: %s\n" \
    "materials:\n" \
    "  a: {young: 2 GPa, poisson: 0.25, density: 1000%s}\n" \
    "  b: {young: 6 GPa, poisson: 0.25, density: 1000%s}\n" \
    "bodies:\n" \
    "  x: {fixed: true, material: a, shape: {sphere: {radius: 0.1}}}\n" \
    "  y: {material: b, shape: {sphere: {radius: 0.3}}, at: [0, 0, 0.399]}\n"

TEST(stiffness_of_a_pair_is_that_of_two_elastic_bodies) {
    // 1/k = (1 - nu^2)/R (1/EA + 1/EB), 1/R = 1/0.1 + 1/0.3
    World w = world_of(TWO, "none", "", "");
    world_step(&w, 1);
    double modulus = 1 / ((1 - 0.0625) * (1 / 2e9 + 1 / 6e9)), k = modulus * 0.075;
    CHECK_NEAR(first_contact(&w).stiffness, k, 1e-9 * k);
    world_end(&w);
    // one of the two names its stiffness: the other adds its own compliance
    w = world_of(TWO, "none", ", contact: {stiffness: 1e6}", "");
    world_step(&w, 1);
    k = 1 / (1e-6 + (1 - 0.0625) / (6e9 * 0.075));
    CHECK_NEAR(first_contact(&w).stiffness, k, 1e-9 * k);
    world_end(&w);
    // both name theirs: springs in series, whatever the weight
    w = world_of(TWO, "9.81", ", contact: {stiffness: 1e3}", ", contact: {stiffness: 3e3}");
    world_step(&w, 1);
    CHECK_NEAR(first_contact(&w).stiffness, 750, 1e-9);
    world_end(&w);
}

// --- by pair -------------------------------------------------------------------------------------

TEST(a_pair_of_materials_replaces_what_it_names) {
    const char *pairs = "material-pairs: {own: {a: b, b: a, %s}}\n";
    char text[1200];
    snprintf(text, sizeof text, TWO "%s", "none", "", "", pairs);
    World w = world_of(text, "friction: 0.8");
    world_step(&w, 1);
    LitheContact contact = first_contact(&w);
    CHECK_NEAR(contact.friction, 0.8, 0);
    CHECK_NEAR(contact.dissipation, 10, 1e-15);
    world_end(&w);
    w = world_of(text, "stiffness: 1234, dissipation: 0, torsional-friction: 1 mm, "
                       "rolling-friction: 2 mm");
    world_step(&w, 1);
    contact = first_contact(&w);
    CHECK_NEAR(contact.stiffness, 1234, 0);
    CHECK(contact.friction == 0.5 && contact.dissipation == 0);
    CHECK(contact.torsional == 1e-3 && contact.rolling == 2e-3);
    world_end(&w);
}

TEST(blocks_of_three_materials_slide_as_their_pairs_say) {
    // no mean of three coefficients gives 0.1, 0.3 and 0.6 for the three pairs
    World w = world_of("lithe: 1\n"
                       "gravity: [6.93672, 0, -6.93672]\n" // a slope of 45 degrees
                       "time: {step: 1 ms, end: 1 s}\n"
                       "materials:\n"
                       "  ice: {young: 1 GPa, density: 900}\n"
                       "  oak: {young: 1 GPa, density: 700}\n"
                       "  felt: {young: 1 GPa, density: 500}\n"
                       "material-pairs:\n"
                       "  glides: {a: ice, b: oak, friction: 0.1}\n"
                       "  drags: {a: oak, b: felt, friction: 0.6}\n"
                       "  same: {a: oak, b: oak, friction: 0.3}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: oak, shape: {half-space: {}}}\n"
                       "  p: {material: ice, shape: {box: {size: [0.2, 0.2, 0.02]}},\n"
                       "      at: [0, 0, 0.01]}\n"
                       "  q: {material: felt, shape: {box: {size: [0.2, 0.2, 0.02]}},\n"
                       "      at: [0, 1, 0.01]}\n"
                       "  r: {material: oak, shape: {box: {size: [0.2, 0.2, 0.02]}},\n"
                       "      at: [0, 2, 0.01]}\n");
    world_step(&w, 200);
    static const char *const names[] = {"p", "q", "r"};
    static const double mu[] = {0.1, 0.6, 0.3};
    for (int k = 0; k < 3; k++) {
        double speed = 6.93672 * (1 - mu[k]) * 0.2;
        CHECK_NEAR(body_speed(&w, names[k]).x, speed, 1e-3 * speed);
    }
    world_end(&w);
}

static void check_refusal(const char *pairs, const char *part) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheError error = {0};
    char text[600];
    int length = snprintf(text, sizeof text,
                          "lithe: 1\n"
                          "materials: {ice: {young: 1 GPa, density: 900},\n"
                          "            oak: {young: 1 GPa, density: 700}}\n"
                          "material-pairs:\n%s",
                          pairs);
    CHECK(lithe_scene_parse(context, text, (size_t)length, "scene", NULL, NULL, 0, &scene,
                            &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, part);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(wrong_pairs_of_materials_are_refused) {
    check_refusal("  p: {a: ice, b: okk, friction: 0.1}\n", "scene:5:18");
    check_refusal("  p: {a: ice, b: okk, friction: 0.1}\n", "okk");
    check_refusal("  p: {a: ice, friction: 0.1}\n", "b");
    check_refusal("  p: {a: ice, b: oak}\n", "material pair 'p': nothing is given");
    check_refusal("  p: {a: ice, b: oak, friction: -0.1}\n", "friction is -0.1, must be >= 0");
    check_refusal("  p: {a: ice, b: oak, stiffness: 0}\n", "stiffness is 0 N/m, must be > 0");
    check_refusal("  p: {a: ice, b: oak, friction: 0.1}\n  q: {a: oak, b: ice, friction: 0.2}\n",
                  "material pair 'q': 'oak' and 'ice' are a pair already, in 'p'");
}

TEST(pairs_of_materials_are_written_and_read_again) {
    World w = world_of("lithe: 1\n"
                       "materials: {ice: {young: 1 GPa, density: 900},\n"
                       "            oak: {young: 1 GPa, density: 700}}\n"
                       "material-pairs: {p: {a: ice, b: oak, friction: 0.125, rolling-friction: "
                       "1 mm}}\n"
                       "bodies: {x: {material: ice, shape: {sphere: {radius: 1}}}}\n");
    char *text = NULL;
    LitheScene *again = NULL;
    LitheError error = {0};
    CHECK(lithe_scene_write(w.scene, &text, &error) == LITHE_OK);
    CHECK_TEXT(text, "friction: 0.125");
    char *twice = NULL;
    CHECK(lithe_scene_parse(w.context, text, strlen(text), "again", NULL, NULL, 0, &again,
                            &error) == LITHE_OK);
    CHECK(lithe_scene_write(again, &twice, &error) == LITHE_OK);
    CHECK(strcmp(text, twice) == 0);
    lithe_text_free(w.context, text);
    lithe_text_free(w.context, twice);
    lithe_scene_destroy(again);
    world_end(&w);
}

// --- rest ----------------------------------------------------------------------------------------

// steps of some with at least one Newton iteration
static int32_t iterating_steps(World *w, int32_t steps) {
    int32_t count = 0;
    for (int32_t i = 0; i < steps; i++) {
        world_step(w, 1);
        count += w->report.solve_iterations > 0;
    }
    return count;
}

// A start that is the solution to rounding is kept without a Newton iteration, and left when a
// force acts. Rounding adds up: one step of eight makes an iteration.
LONG_TEST(a_stack_at_rest_needs_few_iterations_until_it_is_pushed) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 100 s, scheme: backward-euler}\n"
                       "materials: {steel: {young: 1 GPa, density: 1000, friction: 0.5,\n"
                       "  contact: {stiffness: 1e5, dissipation: 5}}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                       "  low: {material: steel, shape: {box: {size: [0.1, 0.1, 0.1]}},\n"
                       "    at: [0, 0, 0.05]}\n"
                       "  high: {material: steel, shape: {box: {size: [0.08, 0.08, 0.08]}},\n"
                       "    at: [0.01, 0, 0.14]}\n");
    FATAL(w.ok);
    world_step(&w, 1);
    CHECK(w.report.solve_iterations > 0); // it sinks in
    world_step(&w, 4000);
    CHECK(w.report.active == 16 && iterating_steps(&w, 100) < 25);
    LitheVec3 before = body_at(&w, "high");
    world_step(&w, 4000);
    CHECK(iterating_steps(&w, 100) < 25 && fabs(body_at(&w, "high").x - before.x) < 1e-12);
    double *push = lithe_body_force_writable(w.model, w.state, lithe_body_find(w.model, "high"));
    FATAL(push);
    push[0] = 1;
    world_step(&w, 1);
    CHECK(w.report.solve_iterations > 0 && w.unconverged == 0);
    world_end(&w);
}
