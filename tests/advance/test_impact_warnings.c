// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_impact_warnings.c - what the monitor says of hard impacts under TR-BDF2

#include "world.h"

#include "advance/monitor.h"
#include "data/model.h"

#include <math.h>

static void keep(LitheLogLevel level, const char *text, void *user) {
    char *all = user;
    if (level == LITHE_LOG_WARNING)
        snprintf(all + strlen(all), 4096 - strlen(all), "%s\n", text);
}

// `steps` of a scene with the monitor: its warnings, and the largest rise of kinetic energy and
// that of gravity above their lowest sum so far, over the largest kinetic energy
static double run(const char *bodies, const char *step, int steps, char warnings[4096]) {
    World w = {.ok = true};
    LitheContextDef def = lithe_context_def_default();
    LitheError error = {0};
    char text[2048];
    warnings[0] = '\0';
    def.log = keep;
    def.log_user = warnings;
    w.context = lithe_context_create(&def);
    snprintf(text, sizeof text,
             "lithe: 1\ntime: {step: %s, scheme: tr-bdf2}\n"
             "materials:\n"
             "  hard: {young: 1e12, density: 2700, friction: 0, contact: {dissipation: 0}}\n"
             "  tile: {young: 1e12, density: 2000, contact: {stiffness: 1e7, dissipation: 100}}\n"
             "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n%s",
             step, bodies);
    LitheMonitor monitor;
    double largest = 0, lowest = INFINITY, rise = 0;
    w.ok = lithe_scene_parse(w.context, text, strlen(text), "scene", NULL, NULL, 0, &w.scene,
                             &error) == LITHE_OK &&
           lithe_compile(w.scene, &w.model, &w.state, &error) == LITHE_OK;
    CHECK(w.ok);
    w.work = w.ok ? lithe_work_create(w.model, 1) : NULL;
    if (w.ok) {
        lithe_monitor_begin(w.model, w.state, &monitor);
        lowest = lithe_energy(w.model, w.state).gravity + lithe_energy(w.model, w.state).kinetic;
    }
    for (int i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        CHECK(lithe_monitor_step(w.model, w.state, w.work, &w.report, &monitor, &error) ==
              LITHE_OK);
        LitheEnergy e = lithe_energy(w.model, w.state);
        double sum = e.kinetic + e.gravity;
        lowest = fmin(lowest, sum);
        largest = fmax(largest, e.kinetic);
        rise = fmax(rise, sum - lowest);
    }
    world_end(&w);
    return rise / largest;
}

// The contact reverses the velocity within a step, with almost no loss. Its work is booked with the
// velocity at the end of a stage, which is no reason to doubt the motion.
TEST(a_rebound_within_a_step_is_not_a_gift_of_the_contact) {
    char warnings[4096];
    double rise = run("  box: {material: hard, shape: {box: {size: [5 cm, 5 cm, 5 cm]}},\n"
                      "    at: [0, 0, 0.125], velocity: [0, 0, -5]}\n",
                      "0.2 ms", 150, warnings);
    printf("  rise %.2e\n%s", rise, warnings);
    CHECK(rise < 1e-3);
    CHECK(!strstr(warnings, "more than they took"));
}

// Things that start with an overlap are accelerated by energy that nobody put in.
TEST(an_overlap_at_the_start_is_a_gift_of_the_contact) {
    char warnings[4096];
    double rise = run("  box: {material: hard, shape: {box: {size: [5 cm, 5 cm, 5 cm]}},\n"
                      "    at: [0, 0, 0.024]}\n",
                      "0.2 ms", 150, warnings);
    printf("  rise %.2e\n%s", rise, warnings);
    CHECK(rise > 0.5);
    CHECK_TEXT(warnings, "more than they took");
    CHECK_TEXT(warnings, "do things overlap at the start");
}

// Two tilted tiles hit a floor at 10 m/s: with steps of 1 ms they are pressed into it by more
// energy than they had. The energy guard takes it back: their energy falls, and the warning says
// what rose.
TEST(an_impact_too_hard_for_the_step_is_warned_of_while_the_energy_falls) {
    char warnings[4096];
    const char *tiles =
        "  a: {material: tile, shape: {box: {size: [2 cm, 2 cm, 6 mm]}}, at: [0, 0, 4 mm],\n"
        "    rotate: {axis: [0, 1, 0], angle: 0.05 rad}}\n"
        "  b: {material: tile, shape: {box: {size: [2 cm, 2 cm, 6 mm]}}, at: [0, 0, 12.11 mm],\n"
        "    velocity: [0, 0, -10], rotate: {axis: [0, 1, 0], angle: 0.05 rad}}\n";
    double rise = run(tiles, "1 ms", 20, warnings);
    printf("  rise %.2e\n%s", rise, warnings);
    CHECK(rise < 1e-3);
    CHECK_TEXT(warnings, "an impact pressed things together with");
    CHECK(!strstr(warnings, "the energy rose"));
    rise = run(tiles, "0.02 ms", 400, warnings);
    printf("  rise %.2e\n%s", rise, warnings);
    CHECK(!strstr(warnings, "pressed"));
}

// A tile that falls on another one turns as it hits. The step of the impact is refused and halved,
// and not the next one, which would begin with an overlap of a hundred times the energy.
TEST(an_adaptive_step_that_presses_things_together_is_refused_and_halved) {
    static const char *const tiles =
        "  a: {material: tile, shape: {box: {size: [2 cm, 2 cm, 6 mm]}}, at: [0, 0, %g mm],\n"
        "    rotate: {axis: [0, 1, 0], angle: %g rad}}\n"
        "  b: {material: tile, shape: {box: {size: [2 cm, 2 cm, 6 mm]}}, at: [3 mm, 0, %g mm],\n"
        "    velocity: [0, 0, -%g], rotate: {axis: [0.3, 1, 0], angle: %g rad}}\n";
    static const double cases[3][5] = {{5.5, 0.131, 24.86, 19.4, 0.188},
                                       {4.1, 0.034, 29.4, 18.4, 0.0376},
                                       {5.74, 0.024, 26.65, 8.84, 0.0536}};
    for (int k = 0; k < 3; k++) {
        char warnings[4096], bodies[1024];
        const double *c = cases[k];
        snprintf(bodies, sizeof bodies, tiles, c[0], c[1], c[2], c[3], c[4]);
        run(bodies, "{adaptive: {min: 1 us, max: 1 ms}}", 60, warnings);
        if (!CHECK(!strstr(warnings, "pressed")))
            printf("%s", warnings);
    }
}
