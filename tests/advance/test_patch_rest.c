// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_patch_rest.c - things with stiff pressure fields that rest on each other, and
// steps of TR-BDF2 without memory

#include "world.h"

#include <string.h>

#define HEAP \
    "lithe: 1\n" \
    "time: {step: %s, end: 2 s, scheme: %s}\n" \
    "materials:\n" \
    "  stiff: {young: 1 GPa, density: 1000, contact: {patches: {modulus: %g}}}\n" \
    "bodies:\n" \
    "  floor: {fixed: true, shape: {half-space: {}}}\n" \
    "  low: {material: stiff, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, %.9g]}\n"
#define HIGH \
    "  middle: {material: stiff, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.15]}\n" \
    "  high: {material: stiff, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.25]}\n"

// vertical force of all contacts with the floor
static double carried(const World *w) {
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        sum += f.contact.point.z < 0.01 ? f.force.z : 0;
    }
    return sum;
}

LONG_TEST(a_box_with_a_stiff_field_rests_with_its_weight_under_every_scheme) {
    static const char *const schemes[] = {"tr-bdf2", "backward-euler", "auto"};
    static const char *const steps[] = {"1 ms", "1 ms", "{adaptive: {min: 10 us, max: 2 ms}}"};
    static const double starts[] = {0.05, 0.050001, 0.0499999};
    for (int k = 0; k < 3; k++)
        for (double modulus = 1e7; modulus < 2e9; modulus *= 10) {
            World w = world_of(HEAP, steps[k], schemes[k], modulus, starts[k]);
            int64_t count = modulus == 1e8 ? 2000 : 200;
            int32_t halted = 0;
            for (int64_t i = 0; w.ok && i < count; i++) {
                world_step(&w, 1);
                halted += w.report.halted;
            }
            // the pressure is E/(0.05 m) times the depth, over 0.01 m^2
            double depth = 0.05 - body_at(&w, "low").z, rest = 9.81 * 0.05 / (modulus * 0.01);
            CHECK(w.ok && halted == 0 && w.unconverged == 0);
            CHECK_NEAR(carried(&w), 9.81, 1e-4 * 9.81);
            CHECK_NEAR(depth, rest, 1e-3 * rest);
            CHECK(vector_length(body_speed(&w, "low")) < 1e-6);
            world_end(&w);
        }
}

LONG_TEST(a_stack_of_boxes_with_stiff_fields_starts_from_rest) {
    for (double modulus = 1e7; modulus < 2e9; modulus *= 10) {
        World w = world_of(HEAP HIGH, "1 ms", "tr-bdf2", modulus, 0.05);
        int32_t halted = 0;
        for (int64_t i = 0; w.ok && i < 300; i++) {
            world_step(&w, 1);
            halted += w.report.halted;
        }
        CHECK(w.ok && halted == 0);
        CHECK_NEAR(carried(&w), 3 * 9.81, 1e-3 * 3 * 9.81);
        CHECK(body_at(&w, "high").z < 0.25 && body_at(&w, "high").z > 0.25 - 1e-4);
        world_end(&w);
    }
}

// (PF31): points under a rim have no stiffness, and pushed for the whole step
TEST(a_stiff_box_that_falls_on_its_edge_gains_no_energy) {
    static const char *const merge[] = {"true", "false"};
    double worst[2] = {0};
    for (int k = 0; k < 2; k++)
        for (double angle = 0; angle < 90; angle += 15) {
            World w =
                world_of("lithe: 1\ntime: {step: 4 ms, end: 2 s, scheme: backward-euler}\n"
                         "gravity: [3.36, 0, -9.22]\ncontact: {merge-patches: %s}\nmaterials:\n"
                         "  stiff: {young: 1 GPa, density: 1000, friction: 0.5,\n"
                         "    contact: {patches: {modulus: 1 GPa, dissipation: 0}}}\n"
                         "bodies:\n  floor: {fixed: true, shape: {half-space: {}}}\n"
                         "  box: {material: stiff, at: [0, 0, 0.12], rotate: [0, %g deg, 0],\n"
                         "    shape: {box: {size: [0.2, 0.1, 0.06]}}}\n",
                         merge[k], angle);
            double lowest = stored(&w), start = lowest;
            for (int i = 0; i < 250 && w.ok; i++) {
                world_step(&w, 1);
                worst[k] = fmax(worst[k], stored(&w) - lowest);
                lowest = fmin(lowest, stored(&w));
            }
            CHECK(w.ok && start - lowest > 0.5);
            world_end(&w);
        }
    // it was 500 J, and falls by 1 J
    if (!CHECK(worst[0] < 0.02 && worst[1] < 0.02) || getenv("LITHE_TABLE"))
        printf("  largest rise of the energy %.2g J merged, %.2g J not\n", worst[0], worst[1]);
}

// --- without memory ------------------------------------------------------------------------------

#define TIED \
    "  ball: {material: stiff, shape: {sphere: {radius: 0.02}}, at: [0.5, 0, 0.0199], velocity: " \
    "[1, " \
    "0, 0]}\n" \
    "  post: {fixed: true, shape: {box: {size: [0.1, 1, 1]}}, at: [0.6, 0, 0.5]}\n" \
    "constraints:\n" \
    "  spring: {kind: distance, a: low, b: ball, stiffness: 100}\n"

// Each allocation of a step fails in turn: an error, and the state is that before the step. A step
// that succeeds has the bits of one with all memory.
static void without_memory(int64_t before) {
    World w = world_of(HEAP HIGH TIED, "1 ms", "tr-bdf2", 1e7, 0.05);
    world_step(&w, before);
    LitheState *start = lithe_state_copy(w.state);
    LitheWork *work = lithe_work_create(w.model, 1);
    CHECK(lithe_step(w.model, w.state, work, NULL, NULL) == LITHE_OK);
    lithe_work_destroy(work);
    uint64_t whole = lithe_state_hash(w.state);
    int failed = 0;
    for (LitheStatus status = LITHE_NO_MEMORY; status == LITHE_NO_MEMORY && failed < 400;) {
        LitheError error = {0};
        work = lithe_work_create(w.model, 1);
        lithe_state_set(w.state, lithe_state_data(start));
        lithe_context_fail_at(w.context, failed + 1);
        status = lithe_step(w.model, w.state, work, NULL, &error);
        lithe_context_fail_at(w.context, 0);
        lithe_work_destroy(work);
        if (status == LITHE_OK)
            CHECK(lithe_state_hash(w.state) == whole);
        else
            CHECK(status == LITHE_NO_MEMORY && error.status == status &&
                  lithe_state_hash(w.state) == lithe_state_hash(start));
        failed += status != LITHE_OK;
    }
    CHECK(failed > 20 && failed < 400);
    lithe_state_destroy(start);
    world_end(&w);
}

TEST(a_step_in_stages_without_memory_says_so_and_leaves_the_state) {
    without_memory(0);
    without_memory(1);
    without_memory(20); // the ball reaches the post
}

// --- corners outside of round shapes -------------------------------------------------------------

TEST(a_capsule_begins_to_touch_where_the_corners_of_its_field_do) {
    World w =
        world_of("lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: tr-bdf2}\n"
                 "materials:\n"
                 "  stiff: {young: 1 GPa, density: 1000, contact: {patches: {modulus: 1e8}}}\n"
                 "bodies:\n"
                 "  floor: {fixed: true, shape: {half-space: {}}}\n"
                 "  low: {material: stiff, shape: {capsule: {radius: 5 cm, length: 10 cm}},\n"
                 "        rotate: {axis: [1, 0, 0], angle: 90 deg}, at: [0, 0, 0.051]}\n");
    int32_t guarded = 0;
    for (int i = 0; w.ok && i < 200; i++) {
        world_step(&w, 1);
        guarded += w.report.guarded;
    }
    // a patch that began with a finite force would gain energy
    CHECK(w.ok && guarded == 0);
    world_end(&w);
}
