// SPDX-License-Identifier: Apache-2.0
// tests/body/test_fibre_error.c - the estimate of the error that a mesh with fibres makes, against
// closed forms of linear elasticity
//
// Three bodies with fibres that are stiffer than their matrix: a thick tube with hoop fibres under
// pressure, a bar with fibres along it in bending, a tube wound with crossed threads in torsion.

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"

typedef struct Found {
    double over;  // stiffness over the exact one
    double share; // estimate
} Found;

static double share_of(const World *w) {
    enum { MOST = 100000 };
    static double parts[MOST];
    double sum = 0;
    CHECK(w->model->solids[0].mesh.element_count <= MOST);
    lithe_solid_mesh_error(w->model, w->state, (LitheSolidId){1}, parts);
    for (int32_t e = 0; e < w->model->solids[0].mesh.element_count; e++)
        sum += parts[e];
    return sum;
}

// Plane strain, radii 5 and 10 cm, fibres of `ratio` times the modulus around the axis everywhere:
// u = A r^k + B r^-k, k^2 = C_tt/C_rr, C_rr = lambda + 2 mu, C_tt = C_rr + ratio E; pressure 1e-5 E
// inside. The stiffness is pressure over displacement of the hole.
static Found hoops(double resolution, bool quadratic, double ratio) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {tube: {radius: 10 cm, "
        "inner: 5 cm, length: %.17g, resolution: %.17g}}}}\n"
        "sets: {a: {of: it, sphere: {centre: [10.05 cm, 0, %.17g], radius: 1 mm}},\n"
        "       b: {of: it, plane: {point: [0, 0, 0], normal: [0, 1, 0], thickness: 0.1 mm}}}\n"
        "holds: {bottom: {on: it.z-min, hold: z}, top: {on: it.z-max, hold: z}, x: {on: a, hold: "
        "x}, y: {on: b, hold: y}}\n"
        "pressures: {p: {on: it.inner, pressure: 10 Pa}}\n"
        "fibres: {f: {on: it, modulus: %.17g MPa, axis: [0, 0, 1], angle: 90 deg}}\n",
        quadratic ? "true" : "false", resolution, resolution, -0.5 * resolution, ratio);
    Found out = {0};
    if (w.ok) {
        double nu = 0.3, la = nu / ((1 + nu) * (1 - 2 * nu)), mu = 0.5 / (1 + nu);
        double rr = la + 2 * mu, k = sqrt((rr + ratio) / rr), a = 0.05, b = 0.1, p = 1e-5;
        // sigma_rr = (rr k + la) A r^(k-1) - (rr k - la) B r^(-k-1)
        double m = (rr * k + la), n = (rr * k - la);
        double ratio_b = m * pow(b, k - 1) / (n * pow(b, -k - 1)); // B over A
        double A = -p / (m * pow(a, k - 1) - n * ratio_b * pow(a, -k - 1));
        double exact = A * (pow(a, k) + ratio_b * pow(a, -k)), mean = 0, count = 0;
        const LitheSolid *solid = &w.model->solids[0];
        world_step(&w, 1);
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        for (int32_t i = 0; i < solid->mesh.node_count; i++) {
            Vec3 X = solid->mesh.nodes[i];
            double r = hypot(X.x, X.y);
            if (r > 1.01 * a)
                continue;
            mean += (X.x * (x[3 * i] - X.x) + X.y * (x[3 * i + 1] - X.y)) / r;
            count++;
        }
        out = (Found){.over = exact / (mean / count), .share = share_of(&w)};
    }
    world_end(&w);
    return out;
}

// A cantilever of 20 x 2 x 2 cm with fibres along it, Poisson's ratio 0, under an even
// force q per length: the work of the force is q^2 L^5/(20 (1 + ratio) E I) + q^2 L^3/(3 5/6 G A)
static Found bar(int32_t cells, bool quadratic, double ratio) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
        "materials: {m: {young: 1 MPa, poisson: 0, density: 1000}}\n"
        "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {box: {size: [20 cm, 2 "
        "cm, 2 cm], divisions: [%d, %d, %d]}}, acceleration: [0, 0, 1e-4]}}\n"
        "holds: {wall: {on: it.x-min}}\n"
        "fibres: {f: {on: it, modulus: %.17g MPa, along: [1, 0, 0]}}\n",
        quadratic ? "true" : "false", 5 * cells, cells, cells, ratio);
    Found out = {0};
    if (w.ok) {
        double E = 1e6, L = 0.2, h = 0.02, I = pow(h, 4) / 12, q = 1000 * h * h * 1e-4;
        double exact = q * q * pow(L, 5) / (20 * (1 + ratio) * E * I) +
                       q * q * L * L * L / (3 * 5.0 / 6 * 0.5 * E * h * h);
        world_step(&w, 1);
        double work = 2 * lithe_energy(w.model, w.state).elastic;
        out = (Found){.over = exact / work, .share = share_of(&w)};
    }
    world_end(&w);
    return out;
}

// A tube of 8 and 10 mm, 30 mm long, with crossed threads at 45 degrees on its outer face, `ratio`
// times the shear modulus of the wall times its thickness; one end turns: torque per twist
// mu pi/2 (R^4 - r^4) + 4 pi R^3 k sin^2 cos^2
static Found wound(double resolution, bool quadratic, double ratio) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {tube: {radius: 10 mm, "
        "inner: 8 mm, length: 30 mm, resolution: %.17g mm}}}}\n"
        "holds: {a: {on: it.z-min}}\n"
        "drives: {b: {on: it.z-max, kind: clamp, axis: [0, 0, 1], turn: {table: [[0 s, 0], [1 s, "
        "1e-4 rad]]}}}\n"
        "fibres: {f: {on: it.outer, modulus: 100 MPa, thickness: %.17g mm, axis: [0, 0, 1], angle: "
        "45 deg, crossed: true}}\n",
        quadratic ? "true" : "false", resolution, 0.02 * ratio);
    Found out = {0};
    if (w.ok) {
        double R = 0.01, r = 0.008, L = 0.03, k = 2e3 * ratio, mu = 1e6 / 2.6;
        double exact = (mu * M_PI / 2 * (pow(R, 4) - pow(r, 4)) + M_PI * pow(R, 3) * k) / L;
        world_step(&w, 1);
        double energy = lithe_energy(w.model, w.state).elastic;
        out = (Found){.over = 2 * energy / 1e-8 / exact, .share = share_of(&w)};
    }
    world_end(&w);
    return out;
}

// the truth and the estimate, within a factor of 2 of each other
static void agree(const char *what, Found f) {
    double truth = f.over - 1, estimate = f.share / (1 - f.share);
    if (!CHECK(truth > 0 && fabs(log2(estimate / truth)) < 1) || getenv("LITHE_TABLE"))
        printf("  %s: %+.2f %%, estimate %.2f %%\n", what, 100 * truth, 100 * estimate);
}

LONG_TEST(the_estimate_knows_hoop_fibres_of_a_thick_tube) {
    agree("quadratic, 25 mm, 100 E", hoops(0.025, true, 100));
    agree("quadratic, 12.5 mm, 100 E", hoops(0.0125, true, 100));
    agree("linear, 12.5 mm, E", hoops(0.0125, false, 1));
}

LONG_TEST(the_estimate_knows_fibres_along_a_bar_that_bends) {
    for (double ratio = 10; ratio < 101; ratio *= 10)
        for (int32_t cells = 1; cells < 5; cells *= 2)
            agree("linear bar", bar(cells, false, ratio));
}

// at 100 E the torsion of the threads is exact, and the wall has no part in it
LONG_TEST(the_estimate_knows_crossed_threads_on_a_tube_in_torsion) {
    agree("linear, 4 mm", wound(4, false, 1));
    Found stiff = wound(4, false, 100), fine = wound(4, true, 10);
    CHECK(fabs(stiff.over - 1) < 0.01 && stiff.share < 0.02);
    CHECK(fabs(fine.over - 1) < 1e-3 && fine.share < 1e-3);
}
