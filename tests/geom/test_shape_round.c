// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_shape_round.c - tubes, tori, plates with a hole and elliptic cylinders: mass by
// closed forms against sums over their surfaces, distances against those of the exact shapes

#include "geom/distance.h"
#include "geom/mass.h"
#include "geom/shape.h"
#include "test.h"

static const LitheGeomDef tube = {
    .kind = LITHE_GEOM_TUBE, .radius = 0.05, .hole = 0.03, .length = 0.2};
static const LitheGeomDef torus = {.kind = LITHE_GEOM_TORUS, .radius = 0.1, .section_radius = 0.03};
static const LitheGeomDef plate = {
    .kind = LITHE_GEOM_PLATE, .size = {0.3, 0.2, 0.02}, .hole = 0.07};
static const LitheGeomDef ellipse = {.kind = LITHE_GEOM_ELLIPTIC_CYLINDER, .size = {0.2, 0.1, 0.3}};

static LitheGeom make(LitheContext *context, const LitheGeomDef *def) {
    LitheGeom geom = {0};
    LitheError error;
    if (lithe_geom_compile(context, def, &geom, &error) != LITHE_OK)
        printf("  %s\n", error.text);
    return geom;
}

// the same without the closed forms: sums over the polyhedron
static LitheGeomMass of_surface(const LitheGeom *geom) {
    LitheGeom plain = *geom;
    LitheGeomMass mass = {0};
    LitheError error;
    plain.exact_volume = 0;
    CHECK(lithe_geom_mass(&plain, &mass, &error) == LITHE_OK);
    return mass;
}

TEST(mass_is_that_of_the_exact_shape) {
    LitheContext *context = lithe_context_create(NULL);
    const LitheGeomDef *defs[] = {&tube, &torus, &plate, &ellipse};
    // volumes by hand
    const double volumes[] = {M_PI * (0.0025 - 0.0009) * 0.2, 2 * M_PI * M_PI * 0.1 * 0.0009,
                              0.3 * 0.2 * 0.02 - M_PI * 0.0049 * 0.02, M_PI * 0.1 * 0.05 * 0.3};
    for (int i = 0; i < 4; i++) {
        LitheGeom geom = make(context, defs[i]);
        LitheGeomMass mass = {0};
        LitheError error;
        FATAL(lithe_geom_mass(&geom, &mass, &error) == LITHE_OK);
        CHECK_NEAR(mass.volume, volumes[i], 1e-15);
        CHECK(v3_norm(mass.centre) == 0);
        // polygons have the area of their circles: volumes agree better than moments
        LitheGeomMass sum = of_surface(&geom);
        CHECK_NEAR(sum.volume, mass.volume, 2e-3 * mass.volume);
        CHECK_NEAR(v3_norm(sum.centre), 0, 1e-12);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(sum.inertia.m[k][k], mass.inertia.m[k][k], 5e-3 * mass.inertia.m[k][k]);
        lithe_geom_destroy(&geom);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static double distance(const LitheGeom *geom, Vec3 x, double radius) {
    LithePose world = place_identity(), at = place_make(x, q4_identity());
    LitheGeom ball = lithe_geom_ball(radius);
    LitheClosest closest;
    lithe_geom_distance(geom, &world, &ball, &at, &closest);
    return closest.distance;
}

// signed distances of the exact shapes
static double to_tube(Vec3 x) {
    double rho = hypot(x.x, x.y), wall = fabs(rho - 0.04) - 0.01, end = fabs(x.z) - 0.1;
    return fmin(fmax(wall, end), 0) + hypot(fmax(wall, 0), fmax(end, 0));
}

static double to_torus(Vec3 x) {
    return hypot(hypot(x.x, x.y) - 0.1, x.z) - 0.03;
}

TEST(distances_are_those_of_the_exact_shape_within_the_stated_deviation) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom a = make(context, &tube), b = make(context, &torus);
    TestRandom random = {7};
    double worst_tube = 0, worst_torus = 0;
    for (int i = 0; i < 2000; i++) {
        Vec3 x = v3(test_random(&random, -0.15, 0.15), test_random(&random, -0.15, 0.15),
                    test_random(&random, -0.15, 0.15));
        worst_tube = fmax(worst_tube, fabs(distance(&a, x, 1e-3) + 1e-3 - to_tube(x)));
        worst_torus = fmax(worst_torus, fabs(distance(&b, x, 1e-3) + 1e-3 - to_torus(x)));
    }
    // 0.1 % of the radius; the torus also 0.4 % of its section
    CHECK(worst_tube < 1e-3 * 0.05);
    CHECK(worst_torus < 1e-3 * 0.13 + 4e-3 * 0.03);
    lithe_geom_destroy(&a);
    lithe_geom_destroy(&b);
    lithe_context_destroy(context);
}

TEST(a_ball_passes_through_the_hole_and_touches_its_rim) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom geom = make(context, &plate);
    CHECK_NEAR(distance(&geom, v3(0, 0, 0), 0.05), 0.02, 1e-4);
    CHECK_NEAR(distance(&geom, v3(0, 0, 0), 0.07), 0, 1e-4);
    CHECK_NEAR(distance(&geom, v3(0.12, 0, 0.05), 0.01), 0.03, 1e-12);
    // beside a corner of the rectangle, which is exact
    CHECK_NEAR(distance(&geom, v3(0.16, 0.11, 0), 0.001), hypot(0.01, 0.01) - 0.001, 1e-12);
    lithe_geom_destroy(&geom);
    geom = make(context, &ellipse);
    CHECK_NEAR(distance(&geom, v3(0.2, 0, 0), 0.01), 0.09, 1e-4);
    CHECK_NEAR(distance(&geom, v3(0, 0.2, 0), 0.01), 0.14, 1e-4);
    CHECK_NEAR(distance(&geom, v3(0, 0, 0.2), 0.01), 0.04, 1e-12);
    CHECK(lithe_geom_is_convex(&geom));
    lithe_geom_destroy(&geom);
    lithe_context_destroy(context);
}

static void refuse(LitheContext *context, LitheGeomDef def, const char *part) {
    LitheGeom geom = {0};
    LitheError error = {0};
    CHECK(lithe_geom_compile(context, &def, &geom, &error) == LITHE_BAD_INPUT);
    if (!CHECK(strstr(error.text, part) != NULL))
        printf("  %s\n", error.text);
}

TEST(impossible_sizes_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = tube;
    def.hole = 0.05;
    refuse(context, def, "tube: hole is 0.05 m, must be < radius, 0.05 m");
    def.hole = -1;
    refuse(context, def, "tube: hole is -1 m, must be > 0 and finite");
    def = torus;
    def.section_radius = 0.2;
    refuse(context, def, "torus: section is 0.2 m, must be < radius, 0.1 m");
    def = plate;
    def.hole = 0.1;
    refuse(context, def, "plate: hole is 0.1 m, must be < half its width, 0.1 m");
    def = ellipse;
    def.size.y = NAN;
    refuse(context, def, "elliptic-cylinder: size.y is nan m, must be > 0 and finite");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
