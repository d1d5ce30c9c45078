// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_moment_work.c - dead moments on rods: their work, and searches without an end

#include "world.h"

#include "data/state.h"

#include <math.h>

static double work_of(const World *w) {
    return lithe_energy(w->model, w->state).work;
}

// A dead moment M does work on the angle by which it turns an end: in one static step M times the
// angle, although a search turns edges by radians at once; in n steps (n + 1)/(2n) of it.
LONG_TEST(the_work_of_a_moment_is_that_of_the_angle_by_which_it_turns_an_end) {
    const double M = 1.2e-5;
    for (int steps = 1; steps <= 4; steps *= 2) {
        World w = world_of("lithe: 1\n"
                           "time: {scheme: static, step: %g s, end: 1 s}\n"
                           "gravity: none\n"
                           "materials: {m: {young: 1 MPa, density: 1000, poisson: 0.5}}\n"
                           "rods: {r: {material: m, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
                           "  shape: {line: {to: [0.2, 0, 0]}}, clamped: start}}\n"
                           "forces: {f: {on: r.end, moment: [0, %g, 0], profile: {table: "
                           "[[0 s, 0], [1 s, 1]]}}}\n",
                           1.0 / steps, M);
        if (world_step(&w, steps)) {
            const double *a = w.state->q + 4 * 19, *b = a + 4;
            double angle = atan2(a[2] - b[2], b[0] - a[0]);
            double expected = M * angle * (steps + 1) / (2.0 * steps);
            CHECK(angle > 2.5);
            CHECK_NEAR(work_of(&w), expected, (steps == 1 ? 1e-8 : 5e-3) * expected);
        }
        world_end(&w);
    }
}

// Axial dead moments beyond the critical one of Greenhill, 2 pi EI/L, wind a rod up. Its energy is
// their work less what damping takes: to rounding by the midpoint rule, to second order by TR-BDF2.
TEST(the_work_of_axial_moments_beyond_the_critical_one_is_the_energy_of_the_rod) {
    const double EI = 1e6 * acos(-1) * 1e-12 / 4, critical = 2 * acos(-1) * EI / 0.2;
    double left[3], scale = 0;
    for (int k = 0; k < 3; k++) {
        World w = world_of(
            "lithe: 1\n"
            "time: {scheme: %s, step: %g s, end: 1 s}\n"
            "gravity: none\n"
            "contact: {enabled: false}\n"
            "materials: {m: {young: 1 MPa, density: 1000, poisson: 0.5, damping: {stiffness: "
            "1e-4}}}\n"
            "rods: {r: {material: m, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
            "  shape: {line: {to: [0.2, 0, 0]}}}}\n"
            "holds: {a: {on: r.start, hold: position}, b: {on: r.end, hold: [y, z]}}\n"
            "forces: {f: {on: r.end, moment: [%g, 1e-8, 0]}, g: {on: r.start, moment: "
            "[%g, 0, 0]}}\n",
            k == 0 ? "midpoint" : "tr-bdf2", k == 2 ? 5e-4 : 1e-3, 1.2 * critical, -1.2 * critical);
        if (world_step(&w, k == 2 ? 800 : 400)) {
            LitheEnergy e = lithe_energy(w.model, w.state);
            scale = fmax(scale, fabs(e.work));
            left[k] = fabs(e.kinetic + e.elastic + e.dissipated - e.work);
            printf("  work %.4g J, of which %.2g is left over\n", e.work, left[k] / e.work);
        }
        world_end(&w);
    }
    CHECK(left[0] < 1e-8 * scale);
    CHECK(left[1] < 0.01 * scale && left[2] < 0.5 * left[1]);
}

// Four times the critical moments: the search for an equilibrium has no end, and says so.
TEST(a_search_without_an_end_is_named_with_what_it_moved) {
    World w = world_of("lithe: 1\n"
                       "time: {scheme: static, step: 0.1 s, end: 1 s, max-work: 5000}\n"
                       "gravity: none\n"
                       "contact: {enabled: false}\n"
                       "materials: {m: {young: 1 MPa, density: 1000, poisson: 0.5}}\n"
                       "rods: {r: {material: m, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
                       "  shape: {line: {to: [0.2, 0, 0]}}, clamped: start}}\n"
                       "forces: {f: {on: r.end, moment: [1e-4, 1e-7, 0], profile: {table: "
                       "[[0 s, 0], [1 s, 1]]}}}\n");
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    for (int i = 0; w.ok && i < 10 && status == LITHE_OK; i++)
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
    printf("  %s\n", error.text);
    CHECK(status == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, "takes more work than time.max-work = 5000 iterations");
    CHECK_TEXT(error.text, "its last search moved rod 'r' by ");
    CHECK(!strstr(error.text, "by 0 m"));
    world_end(&w);
}

// A rod on hinges under axial moments loses its stability at that of Greenhill. The symmetric part
// of its stiffness does so before: at 0.85 of it two negative pivots were called unstable, while in
// motion the rod stays straight.
TEST(negative_pivots_of_a_rod_under_axial_moments_do_not_say_that_it_is_unstable) {
    const double EI = 1e6 * acos(-1) * 1e-12 / 4, critical = 2 * acos(-1) * EI / 0.2;
    for (int k = 0; k < 2; k++) {
        double M = (k == 0 ? 0.5 : 0.85) * critical;
        World w = world_of("lithe: 1\n"
                           "time: {scheme: static, step: 0.25 s, end: 1 s}\n"
                           "gravity: none\n"
                           "contact: {enabled: false}\n"
                           "materials: {m: {young: 1 MPa, density: 1000, poisson: 0.5}}\n"
                           "rods: {r: {material: m, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
                           "  shape: {line: {to: [0.2, 0, 0]}}}}\n"
                           "holds: {a: {on: r.start, hold: position}, b: {on: r.end, hold: "
                           "[y, z]}}\n"
                           "forces:\n"
                           "  f: {on: r.end, moment: [%g, 1e-9, 0], profile: {table: [[0 s, 0], "
                           "[1 s, 1]]}}\n"
                           "  g: {on: r.start, moment: [%g, 0, 0], profile: {table: [[0 s, 0], "
                           "[1 s, 1]]}}\n",
                           M, -M);
        if (world_step(&w, 4))
            CHECK(w.report.unstable == (k == 0 ? 0 : -1));
        world_end(&w);
    }
}
