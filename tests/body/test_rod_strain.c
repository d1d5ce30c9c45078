// SPDX-License-Identifier: Apache-2.0
// tests/body/test_rod_strain.c - strain and stress of the surface of rods against closed forms

#include "body/rod.h"
#include "lithe/lithe.h"

#include "../advance/world.h"

enum { NODES = 41, MIDDLE = 20 };

// the curvature of the reference at a node, as angle per rest length
static double curvature_of(const World *w, LitheRodId id) {
    double k[2 * NODES];
    lithe_rod_curvature(w->model, w->state, id, k);
    return hypot(k[2 * MIDDLE], k[2 * MIDDLE + 1]);
}

static void read_both(const World *w, double strain[NODES], double stress[NODES]) {
    lithe_rod_strain(w->model, w->state, (LitheRodId){1}, strain);
    lithe_rod_stress(w->model, w->state, (LitheRodId){1}, stress);
}

// an arc of radius 0.2 m in the plane of x and z, bent from straight and stretched by 1/0.98
static World bent(const char *section, const char *director) {
    return world_of("lithe: 1\n"
                    "time: {step: 1 ms, end: 1 s}\n"
                    "contact: {enabled: false}\n"
                    "materials: {m: {young: 2 MPa, poisson: 0.3, density: 1000}}\n"
                    "rods: {r: {material: m, section: {%s}, nodes: 41, director: %s,\n"
                    "  shape: {arc: {radius: 0.2, angle: 1.5}}, natural: {stretch: 0.98}}}\n",
                    section, director);
}

static const double young = 2e6, poisson = 0.3;

TEST(tension_bending_and_twist_add_up_in_a_round_section) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "contact: {enabled: false}\n"
                       "materials: {m: {young: 2 MPa, poisson: 0.3, density: 1000}}\n"
                       "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, nodes: 41,\n"
                       "  shape: {arc: {radius: 0.2, angle: 1.5}}, twist: 0.3 turns,\n"
                       "  natural: {stretch: 0.98}}}\n");
    FATAL(w.ok);
    double strain[NODES], stress[NODES], axial = 1 / 0.98 - 1;
    read_both(&w, strain, stress);
    double kappa = curvature_of(&w, (LitheRodId){1});
    CHECK_NEAR(kappa, 1 / (0.98 * 0.2), 1e-3 * kappa);
    // the first and the last edge are 39 edges apart
    double rate = 0.6 * M_PI / 39 / (0.98 * 0.2 * 1.5 / 40);
    double normal = axial + 5e-3 * kappa, shear = 5e-3 * rate, G = young / (2 * (1 + poisson));
    double a = (1 + poisson) * normal;
    double principal = (1 - poisson) * normal / 2 + sqrt(a * a + shear * shear) / 2;
    double mises = sqrt(pow(young * normal, 2) + 3 * pow(G * shear, 2));
    CHECK_NEAR(strain[MIDDLE] / principal, 1, 1e-3);
    CHECK_NEAR(stress[MIDDLE] / mises, 1, 1e-3);
    // ends carry no moment
    CHECK_NEAR(strain[0] / axial, 1, 1e-9);
    CHECK_NEAR(stress[NODES - 1] / (young * axial), 1, 1e-9);
    world_end(&w);
}

TEST(flat_sections_bend_over_the_side_that_their_director_says) {
    const struct {
        const char *section, *director;
        double half;
    } cases[] = {{"rectangle: {width: 2 mm, height: 8 mm}", "[0, 0, 1]", 1e-3},
                 {"rectangle: {width: 2 mm, height: 8 mm}", "[0, 1, 0]", 4e-3},
                 {"ellipse: {width: 2 mm, height: 8 mm}", "[0, 0, 1]", 1e-3},
                 {"ellipse: {width: 2 mm, height: 8 mm}", "[0, 1, 0]", 4e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World w = bent(cases[i].section, cases[i].director);
        FATAL(w.ok);
        double strain[NODES], stress[NODES];
        read_both(&w, strain, stress);
        double expected = 1 / 0.98 - 1 + cases[i].half * curvature_of(&w, (LitheRodId){1});
        CHECK_NEAR(strain[MIDDLE] / expected, 1, 1e-9);
        CHECK_NEAR(stress[MIDDLE] / (young * expected), 1, 1e-9);
        world_end(&w);
    }
}

TEST(a_curve_that_is_natural_has_no_strain) {
    World w =
        world_of("lithe: 1\n"
                 "time: {step: 1 ms, end: 1 s}\n"
                 "materials: {m: {young: 2 MPa, density: 1000}}\n"
                 "rods: {r: {material: m, section: {rectangle: {width: 2 mm, height: 5 mm}},\n"
                 "  shape: {helix: {radius: 0.1, pitch: 0.03, turns: 1}}, nodes: 41,\n"
                 "  natural: {from: shape}}}\n");
    FATAL(w.ok);
    double strain[NODES], stress[NODES];
    read_both(&w, strain, stress);
    for (int i = 0; i < NODES; i++)
        CHECK_NEAR(strain[i], 0, 1e-12);
    world_end(&w);
}

TEST(measured_stiffnesses_have_the_strain_of_the_axis_and_no_stress) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "rods: {r: {section: {stiffness: {EA: 1000, EI: 0.1, radius: 5 mm,\n"
                       "  mass-per-length: 0.1}}, nodes: 41, natural: {stretch: 0.8},\n"
                       "  shape: {arc: {radius: 0.2, angle: 1.5}}}}\n");
    FATAL(w.ok);
    double strain[NODES], stress[NODES];
    read_both(&w, strain, stress);
    CHECK_NEAR(strain[MIDDLE], 0.25, 1e-12);
    CHECK(isnan(stress[MIDDLE]));
    world_end(&w);
}

// Saint-Venant: 2 T/(pi a b^2) of an ellipse, T/(0.208 a^3) of a square, T/(0.246 w h^2) of 2:1
// (Timoshenko and Goodier)
TEST(torsion_has_the_largest_shear_of_saint_venant) {
    const struct {
        const char *section;
        double per_torque, tolerance; // of the largest shear stress [1/m^3]
    } cases[] = {
        {"circle: {radius: 4 mm}", 2 / (M_PI * pow(4e-3, 3)), 1e-9},
        {"ellipse: {width: 6 mm, height: 2 mm}", 2 / (M_PI * 3e-3 * 1e-6), 1e-9},
        {"ellipse: {width: 2 mm, height: 6 mm}", 2 / (M_PI * 3e-3 * 1e-6), 1e-9},
        {"rectangle: {width: 5 mm, height: 5 mm}", 1 / (0.208 * pow(5e-3, 3)), 2e-3},
        {"rectangle: {width: 8 mm, height: 4 mm}", 1 / (0.246 * 8e-3 * 16e-6), 2e-3},
        {"rectangle: {width: 4 mm, height: 8 mm}", 1 / (0.246 * 8e-3 * 16e-6), 2e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World w = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 1 s}\n"
                           "materials: {m: {young: 2 MPa, poisson: 0.3, density: 1000}}\n"
                           "rods: {r: {material: m, section: {%s}, nodes: 41, twist: 90 deg,\n"
                           "  shape: {line: {to: [0.4, 0, 0]}}}}\n",
                           cases[i].section);
        FATAL(w.ok);
        double strain[NODES], stress[NODES], torque[NODES];
        read_both(&w, strain, stress);
        lithe_rod_torque(w.model, w.state, (LitheRodId){1}, torque);
        double tau = cases[i].per_torque * fabs(torque[MIDDLE]);
        CHECK_NEAR(stress[MIDDLE] / (sqrt(3) * tau), 1, cases[i].tolerance);
        // pure shear: the principal strain is half of the shear strain
        double shear = tau / (young / (2 * (1 + poisson)));
        CHECK_NEAR(strain[MIDDLE] / (0.5 * shear), 1, cases[i].tolerance);
        world_end(&w);
    }
}

// a static cantilever with a tip load: sigma = N/A + M r/I at every node
TEST(a_loaded_cantilever_has_the_stress_of_the_beam) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 s, end: 1 s, scheme: static}\n"
                       "gravity: none\n"
                       "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850}}\n"
                       "rods: {r: {material: steel, section: {circle: {radius: 2 mm}}, nodes: 41,\n"
                       "  shape: {line: {to: [0.4, 0, 0]}}, clamped: start}}\n"
                       "forces: {f: {on: r.end, force: [50, 0, 0.2]}}\n");
    FATAL(w.ok);
    FATAL(world_step(&w, 1));
    double strain[NODES], stress[NODES];
    read_both(&w, strain, stress);
    double area = M_PI * 4e-6, I = M_PI * pow(2e-3, 4) / 4, L = 0.4;
    // tension stiffens: w'' = F sinh(k (L - x))/(N k ..) cosh; M = F sinh(k (L - x))/(k cosh(k L))
    double k = sqrt(50 / (207e9 * I)), clamp = L / 80;
    for (int i = 5; i < NODES - 1; i += 7) {
        double x = L * i / 40 - clamp, span = L - clamp;
        double M = 0.2 * sinh(k * (span - x)) / (k * cosh(k * span));
        CHECK_NEAR(stress[i] / (50 / area + M * 2e-3 / I), 1, 2e-3);
        CHECK_NEAR(strain[i] * 207e9 / stress[i], 1, 1e-6);
    }
    world_end(&w);
}

// The search for the largest values skips nodes by a bound: it finds what the arrays have.
TEST(the_peaks_are_the_largest_of_the_nodes) {
    const char *const shapes[] = {
        "shape: {helix: {radius: 0.1, pitch: 0.03, turns: 1}}, natural: {curvature: [3, 1]}",
        "shape: {arc: {radius: 0.2, angle: 1.5}}, twist: 2 turns, natural: {stretch: 0.9}",
        "shape: {ring: {radius: 0.2}}, twist: 1 turns",
        "shape: {arc: {radius: 0.2, angle: 1.5}}, natural: {from: shape, stretch: 1.1}"};
    const char *const sections[] = {"circle: {radius: 5 mm}",
                                    "rectangle: {width: 2 mm, height: 9 mm}",
                                    "ellipse: {width: 12 mm, height: 2 mm}"};
    for (int i = 0; i < 12; i++) {
        World w = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 1 s}\n"
                           "contact: {enabled: false}\n"
                           "materials: {m: {young: 2 MPa, poisson: 0.4, density: 1000,\n"
                           "  yield: 10 kPa, strain-limit: 0.07}}\n"
                           "rods: {r: {material: m, section: {%s}, nodes: 41, %s}}\n",
                           sections[i % 3], shapes[i / 3]);
        FATAL(w.ok);
        FATAL(world_step(&w, 3)); // moves, and is no longer uniform
        double strain[NODES], stress[NODES];
        read_both(&w, strain, stress);
        LitheRodPeaks peaks = {0};
        lithe_rod_raise_peaks(&w.model->rods[0], w.state, &peaks);
        int s = 0, t = 0;
        for (int k = 1; k < NODES; k++) {
            s = strain[k] > strain[s] ? k : s;
            t = stress[k] > stress[t] ? k : t;
        }
        CHECK_NEAR(peaks.strain / (strain[s] / 0.07), 1, 1e-9);
        CHECK_NEAR(peaks.stress / (stress[t] / 1e4), 1, 1e-9);
        CHECK_NEAR(strain[peaks.strain_node] / strain[s], 1, 1e-9);
        world_end(&w);
    }
}

// (J6): a section without GJ keeps its stiffness in bending; it lost all of it by twist
TEST(a_section_without_torsional_stiffness_bends_as_one_with_it) {
    double z[2];
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\ntime: {scheme: static, step: 1 s, end: 1 s}\n"
                           "rods: {r: {section: {stiffness: {EA: 1e4, EI: 1e-2%s, mass-per-length: "
                           "0.1, radius: 5 mm}}, nodes: 21, clamped: start, shape: {line: {to: "
                           "[0.5, 0, 0]}}}}\n",
                           k == 0 ? "" : ", GJ: 5e-3");
        world_step(&w, 1);
        z[k] = lithe_rod_q(w.model, w.state, (LitheRodId){1})[4 * 20 + 2];
        world_end(&w);
    }
    CHECK_NEAR(z[0], -0.372, 1e-3);
    CHECK_NEAR(z[0], z[1], 1e-9);
}
