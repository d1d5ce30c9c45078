// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_grains.c - particles in a step: impacts, sets, numbers that are not finite

#include "advance/world.h"
#include "data/state.h"
#include "data/system.h"
#include "data/work.h"

static const char *const bounce =
    "lithe: 1\n"
    "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
    "gravity: none\n"
    "materials: {s: {young: 200 GPa, poisson: 0.3, density: 7800 kg/m^3,\n"
    "                contact: {stiffness: 1e5 N/m, dissipation: 0.01 s/m}}}\n"
    "bodies: {floor: {fixed: true, material: s, shape: {half-space: {}}}}\n"
    "particles: {p: {material: s, radius: 2 cm, at: [0, 0, 10 cm], velocity: [0, 0, -15 m/s]}}\n";

TEST(an_impact_adds_no_energy_to_a_particle_and_deep_overlap_is_reported) {
    static const char *const schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        World w = world_of(bounce, schemes[k]);
#pragma GCC diagnostic pop
        double before = w.ok ? lithe_energy(w.model, w.state).kinetic : 0, deepest = 0;
        for (int i = 0; w.ok && i < 100; i++) {
            world_step(&w, 1);
            deepest = fmax(deepest, w.report.deepest_fraction);
        }
        if (w.ok) {
            const double *v = lithe_particles_velocity(w.model, w.state, (LitheParticlesId){1});
            CHECK(v[2] > 0); // it came back
            CHECK(lithe_energy(w.model, w.state).kinetic <= before);
            CHECK(deepest > 0.9 && deepest < 2); // overlap at the start of a step / radius
            CHECK(w.report.stiffened == 0);
        }
        world_end(&w);
    }
}

#define FOUR \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 1 s}\n" \
    "gravity: none\n" \
    "particles: {a: {mass: 1 g, radius: 1 mm,\n" \
    "  positions: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]}}\n"

TEST(a_member_listed_twice_takes_a_force_once) {
    World w = world_of(FOUR "sets: {s: {of: a, list: [0, 1, -3, 1]}}\n"
                            "forces: {f: {on: s, force: [0, 0, 1 mN]}}\n");
    world_step(&w, 20);
    if (w.ok) {
        const double *v = lithe_particles_velocity(w.model, w.state, (LitheParticlesId){1});
        CHECK_NEAR(v[2], 0.02, 1e-12);
        CHECK_NEAR(v[5], 0.02, 1e-12);
        CHECK(v[8] == 0 && v[11] == 0);
    }
    world_end(&w);
}

// Particle 0 is pushed; any others stay at rest beside it.
#define PUSHED \
    "lithe: 1\n" \
    "time: {step: {adaptive: {min: 1 ms, max: 256 ms}}, end: 1 s, scheme: backward-euler}\n" \
    "gravity: none\n" \
    "particles: {a: {mass: 1 g, radius: 5 mm, fill: {box: {from: [0, 0, 0], to: [1, 1, 1]},\n" \
    "  spacing: 5 cm, count: %d}}}\n" \
    "forces: {f: {on: \"a[0]\", force: [-10 mN, -10 mN, -10 mN]}}\n"

TEST(adaptive_steps_follow_one_particle_however_many_rest_beside_it) {
    double longest[2] = {0};
    for (int k = 0; k < 2; k++) {
        World w = world_of(PUSHED, k == 0 ? 1 : 900);
        while (w.ok && lithe_state_time(w.state) < 0.5) {
            world_step(&w, 1);
            longest[k] = fmax(longest[k], w.report.step);
        }
        world_end(&w);
    }
    // the error a h^2/2, a = 17.3 m/s^2, reaches the tolerance, radius/14 = 5 mm/14, at h = 6.4 ms
    CHECK(longest[0] > 3e-3 && longest[0] < 13e-3);
    CHECK(longest[1] == longest[0]);
}

// Called at the start and end of each solve. Makes the matrix of the first solve indefinite, so
// that it fails; the same pass then solves again with a corrected matrix. Sets the velocities from
// which this second solve starts to zero, so that they differ from w0, the velocities at the start
// of the pass. The line search of the pass must compare with the cost at w0: if it compared with
// the cost at zero velocity, it would reject good steps, and the pass would not converge.
static void refuse_first(LitheSystem *system, const struct LitheConvexSetting *setting, bool ended,
                         void *user) {
    int *begun = user;
    (void)setting;
    if (ended)
        return;
    if (*begun == 0)
        system->A[system->matrix->value_at[system->matrix->start[0]]] = -1e9;
    if (*begun == 1)
        memset(system->w, 0, (size_t)system->dof_count * sizeof *system->w);
    (*begun)++;
}

TEST(a_pass_converges_although_its_first_solve_failed_and_the_second_began_elsewhere) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "bodies: {floor: {fixed: true, shape: {half-space: {}}}}\n"
                       "particles: {p: {mass: 1 g, radius: 1 cm, at: [0, 0, 1 cm],\n"
                       "  velocity: [0.1, 0, -0.1]}}\n");
    int begun = 0;
    if (w.ok) {
        w.work->system->watch = refuse_first;
        w.work->system->watch_user = &begun;
        world_step(&w, 1);
        CHECK(begun >= 2);
        CHECK(w.report.pieces == 1 && !w.report.solve_unconverged);
        CHECK(w.report.solve_residual <= 1e-6);
    }
    world_end(&w);
}

TEST(holds_and_drives_that_clash_in_sets_are_refused_by_name) {
    world_refused("hold 'i': particle 1 of 'a' is already held or driven by another object",
                  FOUR "sets: {s: {of: a, list: [0, 1]}, t: {of: a, list: [1, 2]}}\n"
                       "holds: {h: {on: s}, i: {on: t}}\n");
    world_refused("drive 'd': node 8 of 'r' is already held or driven by another object",
                  "lithe: 1\n"
                  "time: {step: 1 ms, end: 1 s}\n"
                  "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
                  "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, nodes: 9,\n"
                  "  shape: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}}\n"
                  "sets: {s: {of: r, list: [7, 8]}}\n"
                  "holds: {h: {on: s}}\n"
                  "drives: {d: {on: r.end, direction: [1, 0, 0], speed: 1 m/s}}\n");
}

TEST(a_force_that_is_not_finite_names_its_particle) {
    World w = world_of(FOUR);
    if (w.ok) {
        LitheError error = {0};
        lithe_particles_force_writable(w.model, w.state, (LitheParticlesId){1})[3] = NAN;
        CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
        CHECK_TEXT(error.text, "particle 1 of 'a': a force on it is");
    }
    world_end(&w);
}
