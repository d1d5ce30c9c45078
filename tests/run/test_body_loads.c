// SPDX-License-Identifier: Apache-2.0
// tests/run/test_body_loads.c - forces on bodies and paths of free bodies, from scene files, under
// all schemes

#include "test.h"

#include "lithe/lithe.h"
#include "math/quat.h"

#include <math.h>

static const char *const schemes[] = {"backward-euler", "midpoint", "tr-bdf2"};

typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheError error;
} World;

static bool begin(World *w, const char *scheme, const char *text) {
    char all[3000], set[64];
    memset(w, 0, sizeof *w);
    w->context = lithe_context_create(NULL);
    snprintf(all, sizeof all,
             "lithe: 1\n"
             "time: {step: 1 ms, end: 1 s}\n"
             "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 500, friction: 0.4}}\n%s",
             text);
    snprintf(set, sizeof set, "time.scheme=%s", scheme);
    const char *sets[] = {set};
    bool good = lithe_scene_parse(w->context, all, strlen(all), "a.yaml", NULL, sets, 1, &w->scene,
                                  &w->error) == LITHE_OK &&
                lithe_compile(w->scene, &w->model, &w->state, &w->error) == LITHE_OK;
    w->work = good ? lithe_work_create(w->model, 1) : NULL;
    return w->work != NULL;
}

static void end(World *w) {
    lithe_work_destroy(w->work);
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

static bool run(World *w, double until) {
    for (LitheReport report; lithe_state_time(w->state) < until - 1e-9;)
        if (lithe_step(w->model, w->state, w->work, &report, &w->error) != LITHE_OK)
            return false;
    return true;
}

// a cube of 10 cm: 0.5 kg, inertia 0.5/6 0.01 kg m^2
#define CUBE "bodies: {cube: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}}}\n"

TEST(a_force_accelerates_a_body_and_a_moment_turns_it) {
    for (int i = 0; i < 3; i++) {
        World w;
        double pose[7], velocity[6];
        FATAL(begin(&w, schemes[i],
                    "gravity: none\n" CUBE "forces:\n"
                    "  push: {on: cube, force: [2 N, 0, 0]}\n"
                    "  turn: {on: cube, moment: [0, 0, 1 N mm]}\n"));
        CHECK(run(&w, 0.5));
        LitheBodyId cube = lithe_body_find(w.model, "cube");
        lithe_body_pose(w.model, w.state, cube, pose);
        lithe_body_velocity(w.model, w.state, cube, velocity);
        // x = F t^2/2m, with half a step more under backward Euler
        double extra = i == 0 ? 0.5 * 4 * 0.5 * 1e-3 : 0;
        CHECK_NEAR(pose[0], 0.5 * 4 * 0.25 + extra, 1e-9);
        CHECK_NEAR(velocity[0], 4 * 0.5, 1e-9);
        CHECK_NEAR(velocity[5], 1e-3 / (0.5 / 6 * 0.01) * 0.5, 1e-8);
        end(&w);
    }
}

TEST(a_force_beside_the_centre_turns_a_body_about_it) {
    World w;
    double velocity[6];
    // for one millisecond: the cube has hardly turned
    FATAL(begin(&w, "tr-bdf2",
                "gravity: none\n" CUBE
                "forces: {push: {on: cube, at: [0, 5 cm, 0], force: [1 N, 0, 0]}}\n"));
    CHECK(run(&w, 1e-3));
    lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "cube"), velocity);
    CHECK_NEAR(velocity[0], 1e-3 / 0.5, 1e-9);
    CHECK_NEAR(velocity[5], -0.05 * 1e-3 / (0.5 / 6 * 0.01), 1e-6);
    end(&w);
}

TEST(a_profile_switches_the_force_and_the_work_is_booked) {
    for (int i = 0; i < 3; i++) {
        World w;
        double velocity[6];
        FATAL(begin(&w, schemes[i],
                    "gravity: none\n" CUBE "forces:\n"
                    "  push: {on: cube, force: [2 N, 0, 0],\n"
                    "         profile: {table: [[0, 1], [100 ms, 0]], kind: hold}}\n"));
        CHECK(run(&w, 0.2));
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "cube"), velocity);
        // a step more or less at the switch
        CHECK_NEAR(velocity[0], 4 * 0.1, 4.1e-3);
        LitheEnergy energy = lithe_energy(w.model, w.state);
        CHECK_NEAR(energy.kinetic, 0.25 * velocity[0] * velocity[0], 1e-12);
        CHECK_NEAR(energy.work, energy.kinetic, 0.03 * energy.kinetic);
        end(&w);
    }
}

TEST(a_force_keeps_a_body_on_a_ramp_in_equilibrium) {
    World w;
    double pose[7];
    FATAL(begin(
        &w, "static",
        "contact: {enabled: false}\n" CUBE
        "joints: {rail: {kind: prismatic, child: cube, axis: [0, 0, 1], stiffness: 100 N/m}}\n"
        "forces: {lift: {on: cube, force: [0, 0, 5 N], profile: {rate: 1 1/s}}}\n"));
    LitheReport report;
    CHECK(lithe_step(w.model, w.state, w.work, &report, &w.error) == LITHE_OK);
    lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "cube"), pose);
    CHECK_NEAR(pose[2], (5 * 1e-3 - 0.5 * 9.81) / 100, 1e-9);
    end(&w);
}

// --- paths ---------------------------------------------------------------------------------------

#define PATH \
    "pose-drives:\n" \
    "  move: {body: cube, at: [0, 0, 5 cm], path: [\n" \
    "    {time: 0, at: [0, 0, 5 cm]},\n" \
    "    {time: 0.2 s, at: [20 cm, 0, 15 cm]},\n" \
    "    {time: 0.4 s, at: [20 cm, 10 cm, 15 cm], rotate: {axis: [0, 1, 1], angle: 150 deg}}]}\n"

TEST(a_free_body_follows_its_path_exactly_under_all_schemes) {
    for (int i = 0; i < 3; i++) {
        World w;
        double pose[7];
        FATAL(begin(&w, schemes[i], CUBE PATH));
        LitheBodyId cube = lithe_body_find(w.model, "cube");
        CHECK(run(&w, 0.1));
        lithe_body_pose(w.model, w.state, cube, pose);
        CHECK_NEAR(pose[0], 0.1, 1e-9);
        CHECK_NEAR(pose[2], 0.05, 1e-9);
        CHECK(run(&w, 0.3));
        lithe_body_pose(w.model, w.state, cube, pose);
        // half of the last turn; the driven point is 5 cm above the origin of the cube
        Quat half = q4_exp(v3_scale(75 * M_PI / 180, v3_unit(v3(0, 1, 1))));
        Vec3 origin = v3_sub(v3(0.2, 0.05, 0.15), q4_rotate(half, v3(0, 0, 0.05)));
        CHECK_NEAR(v3_distance(v3(pose[0], pose[1], pose[2]), origin), 0, 1e-7);
        CHECK_NEAR(fabs(pose[3] * half.w + pose[4] * half.x + pose[5] * half.y + pose[6] * half.z),
                   1, 1e-9);
        CHECK(run(&w, 0.6));
        double velocity[6];
        lithe_body_velocity(w.model, w.state, cube, velocity);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(velocity[k], 0, 1e-6);
        end(&w);
    }
}

TEST(a_body_on_a_path_pushes_another_one) {
    for (int i = 0; i < 3; i++) {
        World w;
        double pose[7];
        FATAL(begin(&w, schemes[i],
                    "bodies:\n"
                    "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                    "  hand: {material: wood, at: [0, 0, 10 cm], shape: {box: {size: [10 cm, 20 "
                    "cm, 5 cm]}}}\n"
                    "  crate: {material: wood, at: [12 cm, 0, 10 cm], shape: {box: {size: [10 cm, "
                    "10 cm, 20 cm]}}}\n"
                    "pose-drives:\n"
                    "  move: {body: hand, path: [{time: 0, at: [0, 0, 10 cm]}, {time: 1 s, at: [20 "
                    "cm, 0, 10 cm]}]}\n"));
        CHECK(run(&w, 0.6));
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "crate"), pose);
        // the crate rests against the hand, at 12 cm
        CHECK_NEAR(pose[0], 0.12 + 0.10, 2e-3);
        CHECK_NEAR(pose[2], 0.1, 1e-3);
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "hand"), pose);
        CHECK_NEAR(pose[0], 0.12, 1e-9);
        end(&w);
    }
}

// --- refusals ------------------------------------------------------------------------------------

static void refuse(const char *text, const char *part) {
    World w;
    CHECK(!begin(&w, "tr-bdf2", text));
    if (!CHECK(strstr(w.error.text, part) != NULL))
        printf("  %s\n", w.error.text);
    end(&w);
}

TEST(forces_and_paths_that_cannot_work_are_refused) {
    refuse("bodies: {b: {fixed: true, shape: {sphere: {radius: 1}}}}\n"
           "forces: {f: {on: b, force: [1, 0, 0]}}\n",
           "force 'f': on is body 'b', which is fixed");
    refuse(CUBE "forces: {f: {on: cub, force: [1, 0, 0]}}\n", "did you mean 'cube'? Places are");
    refuse("rods: {r: {material: wood, section: {circle: {radius: 1 cm}}, nodes: 5,\n"
           "  shape: {line: {to: [1, 0, 0]}}}}\n"
           "forces: {f: {on: r.end, at: [1, 0, 0], force: [1, 0, 0]}}\n",
           "at is given, but on is no body");
    refuse(CUBE "pose-drives: {p: {body: cube, path: [{time: 0, at: [1, 0, 0]}]}}\n",
           "pose drive 'p': at t = 0 its path is at [1, 0, 0] m, but the driven frame of body "
           "'cube' at [0, 0, 0] m");
    refuse(CUBE "pose-drives: {p: {body: cube, stiffness: 5, path: [{time: 0, at: [0, 0, 0]}]}}\n",
           "stiffness is 5, must be 0 for body 'cube'");
}
