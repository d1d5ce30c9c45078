// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_hollow.c - hollow solids of revolution: mass by closed forms, distances to exact
// bowls, cups and rings, refusals

#include "geom/distance.h"
#include "geom/mass.h"
#include "geom/shape.h"
#include "test.h"

#include <string.h>

static LitheGeom make_of(LitheContext *context, const double (*zr)[2], int32_t count,
                         double thickness, double rounding, LitheError *error) {
    double z[16], r[16];
    for (int32_t i = 0; i < count; i++) {
        z[i] = zr[i][0];
        r[i] = zr[i][1];
    }
    LitheGeomDef def = {.kind = LITHE_GEOM_REVOLUTION,
                        .profile_z = z,
                        .profile_r = r,
                        .profile_count = count,
                        .thickness = thickness,
                        .rounding = rounding};
    LitheGeom geom = {0};
    *error = (LitheError){0};
    lithe_geom_compile(context, &def, &geom, error);
    return geom;
}

static const double bowl[3][2] = {{-0.1, 0}, {-0.1, 0.1}, {0, 0.1}}; // rounded: a hemisphere
static const double cup[3][2] = {{0, 0}, {0, 0.05}, {0.12, 0.05}};
static const double straight[2][2] = {{-0.1, 0.05}, {0.1, 0.05}};
static const double ring[5][2] = {
    {-0.03, 0.07}, {-0.03, 0.13}, {0.03, 0.13}, {0.03, 0.07}, {-0.03, 0.07}}; // rounded: a torus
static const double pot[6][2] = {{0, 0},        {0, 0.05},     {0.12, 0.05},
                                 {0.12, 0.045}, {0.01, 0.045}, {0.01, 0}};
static const double ball[4][2] = {{-0.1, 0}, {-0.1, 0.1}, {0.1, 0.1}, {0.1, 0}};

static void has_mass(const char *name, LitheContext *context, const double (*zr)[2], int32_t count,
                     double thickness, double rounding, double volume, double height, double axial,
                     double across) {
    LitheError error;
    LitheGeom geom = make_of(context, zr, count, thickness, rounding, &error);
    LitheGeomMass mass = {0}, sum = {0};
    if (!CHECK(geom.hollow))
        printf("  %s: %s\n", name, error.text);
    else if (CHECK(lithe_geom_mass(&geom, &mass, &error) == LITHE_OK)) {
        CHECK_NEAR(mass.volume / volume, 1, 1e-12);
        CHECK_NEAR(mass.centre.z, height, 1e-13);
        CHECK_NEAR(mass.inertia.m[2][2] / axial, 1, 1e-12);
        if (across > 0)
            CHECK_NEAR(mass.inertia.m[0][0] / across, 1, 1e-12);
        // the triangles that stand for it
        LitheGeom plain = geom;
        plain.hollow = NULL;
        CHECK(geom.mesh->closed);
        CHECK(lithe_geom_mass(&plain, &sum, &error) == LITHE_OK);
        printf("  %s: volume of the triangles %+.2f %%\n", name,
               100 * (sum.volume / mass.volume - 1));
        CHECK_NEAR(sum.volume, mass.volume, 0.02 * mass.volume);
    }
    lithe_geom_destroy(&geom);
}

TEST(mass_and_inertia_are_those_of_closed_forms) {
    LitheContext *context = lithe_context_create(NULL);
    double R = 0.1, r = 0.09, v = 2. / 3 * M_PI * (R * R * R - r * r * r);
    double height = -M_PI / 4 * (pow(R, 4) - pow(r, 4)) / v;
    has_mass("bowl", context, bowl, 3, 0.01, 0.1, v, height,
             4. / 15 * M_PI * (pow(R, 5) - pow(r, 5)), 0);
    has_mass("hollow ball", context, ball, 4, 0.01, 0.1, 2 * v, 0,
             8. / 15 * M_PI * (pow(R, 5) - pow(r, 5)), 8. / 15 * M_PI * (pow(R, 5) - pow(r, 5)));
    v = M_PI * (0.0025 - 0.0009) * 0.2;
    has_mass("pipe", context, straight, 2, 0.02, 0, v, 0, v * (0.0025 + 0.0009) / 2,
             v * (3 * (0.0025 + 0.0009) + 0.04) / 12);
    // Pappus: 2 pi times the radius of the centroid times the area
    v = 2 * M_PI * 0.1 * M_PI * 0.0009;
    has_mass("ring", context, ring, 5, 0, 0.03, v, 0, v * (0.01 + 0.75 * 0.0009),
             v * (0.005 + 0.625 * 0.0009));
    // a disc and a tube
    double disc = M_PI * 0.0025 * 0.01, tube = M_PI * (0.0025 - 0.045 * 0.045) * 0.11;
    v = disc + tube;
    height = (disc * 0.005 + tube * 0.065) / v;
    has_mass("pot", context, pot, 6, 0, 0, v, height,
             disc * 0.0025 / 2 + tube * (0.0025 + 0.045 * 0.045) / 2, 0);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static double distance(const LitheGeom *geom, Vec3 x, double radius) {
    LithePose world = place_identity(), at = place_make(x, q4_identity());
    LitheGeom round = lithe_geom_ball(radius);
    LitheClosest closest;
    lithe_geom_distance(geom, &world, &round, &at, &closest);
    return closest.distance;
}

// signed distance of a half space
static double height_of(const LitheGeom *geom, Vec3 down) {
    LithePose world = place_identity();
    Vec3 n = v3_neg(v3_unit(down)), u = v3_any_normal(n);
    LithePose floor = {.at = v3_scale(-1, n), .r = m3_columns(u, v3_cross(n, u), n)};
    LitheGeom half = {.kind = LITHE_GEOM_HALF_SPACE};
    LitheClosest closest;
    lithe_geom_distance(&half, &floor, geom, &world, &closest);
    return 1 - closest.distance;
}

static double to_bowl(Vec3 x) { // wall of 10 mm below z = 0
    double size = v3_norm(x), rho = hypot(x.x, x.y);
    if (x.z < 0)
        return fmax(fabs(size - 0.095) - 0.005, size - 0.095 > 0 || x.z < -0.005 ? -1 : x.z);
    return hypot(x.z, fmax(fabs(rho - 0.095) - 0.005, 0));
}

TEST(distances_are_those_of_the_exact_bowl_and_ring) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error;
    LitheGeom a = make_of(context, bowl, 3, 0.01, 0.1, &error);
    LitheGeom b = make_of(context, ring, 5, 0, 0.03, &error);
    TestRandom random = {7};
    double worst = a.hollow && b.hollow ? 0 : 1;
    for (int i = 0; i < 4000 && a.hollow && b.hollow; i++) {
        Vec3 x = v3(test_random(&random, -0.15, 0.15), test_random(&random, -0.15, 0.15),
                    test_random(&random, -0.15, 0.15));
        double rho = hypot(x.x, x.y), to_ring = hypot(rho - 0.1, x.z) - 0.03;
        worst = fmax(worst, fabs(distance(&b, x, 0.001) - (to_ring - 0.001)));
        // outside of the wall
        if (to_bowl(x) > 0)
            worst = fmax(worst, fabs(distance(&a, x, 0.002) - (to_bowl(x) - 0.002)));
        Vec3 down = v3_unit(x);
        double across = hypot(down.x, down.y);
        double low = down.z < 0 ? 0.1 : 0.1 * across;
        worst = fmax(worst, fabs(height_of(&a, down) - low));
        worst = fmax(worst, fabs(height_of(&b, down) - (0.1 * across + 0.03)));
    }
    printf("  off by %.2g m\n", worst);
    CHECK(worst < 1e-12);
    lithe_geom_destroy(&a);
    lithe_geom_destroy(&b);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// contacts of a ball, one line each
static int contacts(const LitheGeom *geom, Vec3 x, double radius, double margin,
                    LitheContactPoint *out) {
    LithePose world = place_identity(), at = place_make(x, q4_identity());
    LitheGeom round = lithe_geom_ball(radius);
    return lithe_geom_contacts(geom, &world, &round, &at, margin, out);
}

TEST(a_ball_touches_bottom_and_side_of_a_cup_and_all_of_a_hole) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error;
    LitheGeom a = make_of(context, cup, 3, 0.002, 0, &error);
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    if (CHECK(a.hollow)) {
        // bottom at 2 mm, side at 48 mm
        int count = contacts(&a, v3(0.038, 0, 0.012), 0.01, 1e-4, points);
        CHECK(count == 2);
        for (int i = 0; i < count; i++)
            CHECK_NEAR(points[i].gap, 0, 1e-15);
        CHECK(contacts(&a, v3(0.02, 0.01, 0.012), 0.01, 1e-4, points) == 1);
        CHECK_NEAR(points[0].normal.z, 1, 1e-15);
        CHECK(contacts(&a, v3(0, 0, 0.0119), 0.01, 1e-4, points) == 1);
        CHECK_NEAR(points[0].gap, -1e-4, 1e-15);
        // on the rim, and in the mouth: four points around
        CHECK(contacts(&a, v3(0.049, 0, 0.13), 0.01, 1e-4, points) == 1);
        CHECK(contacts(&a, v3(0, 0, 0.12 + sqrt(0.06 * 0.06 - 0.048 * 0.048)), 0.06, 1e-6,
                       points) == 4);
        // outside, and through the middle of the wall
        CHECK(contacts(&a, v3(0.06, 0, 0.06), 0.01, 1e-4, points) == 1);
        CHECK_NEAR(points[0].normal.x, 1, 1e-15);
        CHECK(contacts(&a, v3(0.0495, 0, 0.06), 0.01, 1e-4, points) == 1);
        CHECK_NEAR(points[0].gap, -0.0105, 1e-12);
    }
    lithe_geom_destroy(&a);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static void is_refused(LitheContext *context, const double (*zr)[2], int32_t count,
                       double thickness, double rounding, const char *part) {
    LitheError error;
    LitheGeom geom = make_of(context, zr, count, thickness, rounding, &error);
    CHECK(!geom.hollow && !geom.profile_z);
    CHECK_TEXT(error.text, part);
    lithe_geom_destroy(&geom);
}

TEST(outlines_that_cannot_be_are_refused_by_name) {
    LitheContext *context = lithe_context_create(NULL);
    const double back[3][2] = {{0, 0.02}, {0.1, 0.02}, {0.05, 0.02}};
    const double open[3][2] = {{0, 0.02}, {0.1, 0.03}, {0.05, 0.04}};
    const double eight[5][2] = {{0, 0.01}, {0.1, 0.05}, {0, 0.05}, {0.1, 0.01}, {0, 0.01}};
    is_refused(context, cup, 3, 0.06, 0, "thickness is 0.06 m, too much");
    is_refused(context, cup, 3, 0.002, 0.07, "there is room for 0.05 m");
    is_refused(context, back, 3, 0.001, 0, "too much at outline[1]");
    is_refused(context, open, 3, 0, 0, "above the one before");
    is_refused(context, open, 3, 0, 0.001, "must end where it begins");
    is_refused(context, eight, 5, 0, 0, "crosses or touches itself");
    is_refused(context, cup, 3, -1, 0, "must be >= 0");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
