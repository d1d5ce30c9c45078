// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_finger.c - pneumatic fingers: a chamber beside the middle bends a prismatic
// tube as Betti's theorem says; a row of chambers curls towards its floor

#include "world.h"

#include <math.h>

#define FINGER(mesh, law, poisson, end, pressure) \
    "lithe: 1\n" \
    "time: {step: 1 s, end: " end ", scheme: static}\n" \
    "gravity: none\n" \
    "materials: {m: {young: 1 MPa, poisson: " poisson ", density: 1000}}\n" \
    "solids: {f: {material: m, law: " law ", mesh: {finger: {" mesh "}}}}\n" \
    "holds: {base: {on: f.x-min}}\n" \
    "cavities: {air: {on: f.inner, pressure: " pressure "}}\n"

// second derivative of the height of the floor at its sides, as a parabola between -part and part
static double bend(const World *w, const double *rest, double part, double y, double z) {
    const double *q = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){1});
    double a[3][4] = {{0}};
    for (int32_t i = 0; i < count; i++) {
        double x = rest[3 * i];
        if (fabs(x) > part || fabs(fabs(rest[3 * i + 1]) - y) > 1e-9 ||
            fabs(rest[3 * i + 2] - z) > 1e-9)
            continue;
        const double terms[3] = {1, x, x * x};
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++)
                a[r][c] += terms[r] * terms[c];
            a[r][3] += terms[r] * q[3 * i + 2];
        }
    }
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            for (int c = 3; s != r && c >= r; c--)
                a[s][c] -= a[s][r] / a[r][r] * a[r][c];
    return 2 * a[2][3] / a[2][2];
}

static double *places_of(const World *w) {
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){1});
    double *out = malloc(3 * (size_t)count * sizeof *out);
    memcpy(out, lithe_solid_position(w->model, w->state, (LitheSolidId){1}),
           3 * (size_t)count * sizeof *out);
    return out;
}

// A tube of outer size b by h and a hollow of area A whose centre is e from that of the wall, I its
// second moment: pure bending changes the hollow by (1 - 2 nu) A e per length and curvature, so
// that the pressure p bends it by (1 - 2 nu) p A e/(E I).
LONG_TEST(one_chamber_bends_as_the_work_of_its_pressure_says) {
    const double b = 20, h = 16, wall = 2, ground = 4, p = 5e-5; // mm, p over E: walls hardly bulge
    double area = (b - 2 * wall) * (h - wall - ground), up = 0.5 * (ground - wall);
    double section = b * h - area, middle = -area * up / section, e = up - middle;
    double inner = area * pow(h - wall - ground, 2) / 12;
    double moment = b * h * h * h / 12 + b * h * middle * middle - inner - area * e * e;
    double want = (1 - 2 * 0.3) * p * area * e / moment * 1000; // 1/m
    World w = world_of(FINGER("chambers: 1, size: [160 mm, 20 mm, 16 mm], wall: 2 mm, floor: "
                              "4 mm, channel: 4 mm, resolution: 2 mm",
                              "corotated", "0.3", "1 s", "50 Pa"));
    double *rest = w.ok ? places_of(&w) : NULL;
    world_step(&w, 1);
    if (CHECK(w.ok)) {
        double got = -bend(&w, rest, 0.02, 0.01, -0.008);
        printf("  curvature %.5f 1/m, wanted %.5f (%+.2f %%)\n", got, want, 100 * (got / want - 1));
        CHECK(fabs(got / want - 1) < 0.02);
    }
    free(rest);
    world_end(&w);
}

// The same with a sheet of the stiffness k per width on its floor, which moves the axis of bending
// towards it by z: p A (e + z)/(E I). Without Poisson's ratio nothing else changes.
LONG_TEST(a_sheet_on_its_floor_bends_a_finger_as_the_work_of_its_pressure_says) {
    const double b = 20, h = 16, wall = 2, p = 5e-5, k = 10; // mm, p and k over E
    double hollow = (b - 2 * wall) * (h - 2 * wall), area = b * h - hollow;
    double z = k * b * 0.5 * h / (area + k * b); // both centres are in the middle without the sheet
    double moment = (b * h * h * h - hollow * pow(h - 2 * wall, 2)) / 12 + area * z * z +
                    k * b * pow(0.5 * h - z, 2);
    double want = p * hollow * z / moment * 1000; // 1/m
    World w =
        world_of(FINGER("chambers: 1, size: [200 mm, 20 mm, 16 mm], wall: 2 mm, floor: 2 mm, "
                        "channel: 4 mm, resolution: 2 mm",
                        "corotated", "0", "1 s", "50 Pa") "fibres: {sheet: {on: f.z-min, modulus: "
                                                          "100 MPa, thickness: 0.1 mm, along: [1, "
                                                          "0, 0]}}\n");
    double *rest = w.ok ? places_of(&w) : NULL;
    world_step(&w, 1);
    if (CHECK(w.ok)) {
        double got = -bend(&w, rest, 0.03, 0.01, -0.008);
        printf("  with a sheet: curvature %.5f 1/m, wanted %.5f (%+.2f %%)\n", got, want,
               100 * (got / want - 1));
        CHECK(fabs(got / want - 1) < 0.02);
    }
    free(rest);
    world_end(&w);
}

// Chambers with gaps between them push each other apart: rubber curls, though one chamber of it
// would hardly bend.
LONG_TEST(a_row_of_chambers_curls_towards_its_floor) {
    World w =
        world_of(FINGER("chambers: 4, size: [50 mm, 16 mm, 14 mm], wall: 1.5 mm, floor: 3 "
                        "mm, channel: 3 mm, gap: 1.5 mm, resolution: 2 mm",
                        "neo-hookean", "0.45", "4 s", "{table: [[0 s, 0 kPa], [4 s, 20 kPa]]}"));
    double *rest = w.ok ? places_of(&w) : NULL, before = 0;
    for (int k = 0; k < 4 && w.ok; k++) {
        world_step(&w, 1);
        const double *q = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        int32_t count = lithe_solid_node_count(w.model, (LitheSolidId){1}), n[2] = {0};
        double x[2] = {0}, z[2] = {0}; // of the lower and the upper edge of the tip
        for (int32_t i = 0; i < count; i++)
            for (int up = 0; up < 2; up++)
                if (rest[3 * i] > 0.025 - 1e-9 &&
                    fabs(rest[3 * i + 2] - (up ? 0.007 : -0.007)) < 1e-9) {
                    x[up] += q[3 * i];
                    z[up] += q[3 * i + 2];
                    n[up]++;
                }
        double angle = atan2(x[1] / n[1] - x[0] / n[0], z[1] / n[1] - z[0] / n[0]);
        printf("  %d kPa: %.2f degrees\n", 5 * (k + 1), angle * 180 / M_PI);
        CHECK(angle > before);
        before = angle;
    }
    CHECK(w.ok);
    free(rest);
    world_end(&w);
}
