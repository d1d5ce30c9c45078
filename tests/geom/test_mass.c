// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_mass.c - volume, centre and inertia against sums over a grid and known values

#include "geom/mass.h"
#include "shapes.h"

/// Midpoint sums over inner cells, by the signed distance of a point.
static void grid_mass(const LitheGeom *geom, int n, LitheGeomMass *out) {
    LithePose world = place_identity();
    LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
    Vec3 low = geom->low, size = v3_sub(geom->high, low);
    double cell = size.x * size.y * size.z / ((double)n * n * n), volume = 0;
    Vec3 first = {0, 0, 0};
    Mat3 second = m3_zero();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                Vec3 x = v3(low.x + (i + 0.5) * size.x / n, low.y + (j + 0.5) * size.y / n,
                            low.z + (k + 0.5) * size.z / n);
                LithePose at = place_make(x, q4_identity());
                LitheClosest c;
                lithe_geom_distance(geom, &world, &dot, &at, &c);
                if (c.distance > 0)
                    continue;
                volume += cell;
                first = v3_axpy(cell, x, first);
                second = m3_axpy(cell, m3_outer(x, x), second);
            }
    out->volume = volume;
    out->centre = v3_scale(1 / volume, first);
    second = m3_axpy(-volume, m3_outer(out->centre, out->centre), second);
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    out->inertia = m3_sub(m3_diag(trace, trace, trace), second);
}

LONG_TEST(every_shape_agrees_with_a_sum_over_its_inside) {
    TestRandom r = {1};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    static const int kind[] = {LITHE_GEOM_SPHERE,  LITHE_GEOM_CAPSULE,    LITHE_GEOM_CYLINDER,
                               LITHE_GEOM_BOX,     LITHE_GEOM_ELLIPSOID,  LITHE_GEOM_CONVEX_MESH,
                               LITHE_GEOM_SEGMENT, LITHE_GEOM_REVOLUTION, LITHE_GEOM_TRIANGLE_MESH};
    for (int i = 0; i < 9; i++) {
        shape_make(context, &r, kind[i], s);
        LitheGeomMass got, want;
        LitheError error;
        FATAL(lithe_geom_mass(&s->geom, &got, &error) == LITHE_OK);
        grid_mass(&s->geom,
                  kind[i] == LITHE_GEOM_TRIANGLE_MESH ? 24
                  : kind[i] == LITHE_GEOM_SEGMENT     ? 64
                                                      : 32,
                  &want);
        // cells at the border count fully or not at all: errors of a few per cent at thin parts
        double size = v3_distance(s->geom.low, s->geom.high);
        CHECK_NEAR(got.volume, want.volume, 0.05 * want.volume);
        CHECK_NEAR(v3_distance(got.centre, want.centre), 0, 0.01 * size);
        double largest = want.inertia.m[0][0] + want.inertia.m[1][1] + want.inertia.m[2][2];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                if (!CHECK_NEAR(got.inertia.m[j][k], want.inertia.m[j][k], 0.05 * largest))
                    printf("    kind %d\n", kind[i]);
        shape_free(s);
    }
    free(s);
    lithe_context_destroy(context);
}

TEST(a_cube_is_the_same_as_box_hull_and_mesh) {
    LitheContext *context = lithe_context_create(NULL);
    Vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = v3(i & 1 ? 1.5 : -0.5, i & 2 ? 2.5 : 0.5, i & 4 ? 3 : 1);
    int32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    LitheGeomDef box = {.kind = LITHE_GEOM_BOX, .size = {2, 2, 2}};
    LitheGeomDef hull = {.kind = LITHE_GEOM_CONVEX_MESH, .points = p, .point_count = 8};
    LitheGeomDef mesh = {.kind = LITHE_GEOM_TRIANGLE_MESH,
                         .points = p,
                         .point_count = 8,
                         .triangles = t,
                         .triangle_count = 12};
    LitheGeom g[3];
    LitheGeomMass m[3];
    LitheError error = {0};
    const LitheGeomDef *def[3] = {&box, &hull, &mesh};
    for (int i = 0; i < 3; i++) {
        FATAL(lithe_geom_compile(context, def[i], &g[i], &error) == LITHE_OK);
        FATAL(lithe_geom_mass(&g[i], &m[i], &error) == LITHE_OK);
        CHECK_NEAR(m[i].volume, 8, 1e-13);
        CHECK_NEAR(v3_distance(m[i].centre, i ? v3(0.5, 1.5, 2) : v3(0, 0, 0)), 0, 1e-14);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(m[i].inertia.m[j][k], j == k ? 16.0 / 3 : 0, 1e-12);
        lithe_geom_destroy(&g[i]);
    }
    lithe_context_destroy(context);
}

TEST(a_revolution_of_constant_radius_is_a_cylinder_and_of_falling_radius_a_cone) {
    LitheContext *context = lithe_context_create(NULL);
    double z[2] = {1, 3}, r[2] = {0.5, 0.5}, point[2] = {0.5, 0};
    LitheGeomDef def = {
        .kind = LITHE_GEOM_REVOLUTION, .profile_z = z, .profile_r = r, .profile_count = 2};
    LitheGeom geom;
    LitheGeomMass m;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    lithe_geom_mass(&geom, &m, &error);
    double v = M_PI * 0.25 * 2;
    CHECK_NEAR(m.volume, v, 1e-14);
    CHECK_NEAR(m.centre.z, 2, 1e-14);
    CHECK_NEAR(m.inertia.m[2][2], v * 0.25 / 2, 1e-14);
    CHECK_NEAR(m.inertia.m[0][0], v * (3 * 0.25 + 4) / 12, 1e-13);
    lithe_geom_destroy(&geom);
    def.profile_r = point;
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    lithe_geom_mass(&geom, &m, &error);
    v = M_PI * 0.25 * 2 / 3;
    CHECK_NEAR(m.volume, v, 1e-14);
    CHECK_NEAR(m.centre.z, 1.5, 1e-14);
    CHECK_NEAR(m.inertia.m[2][2], 0.3 * v * 0.25, 1e-14);
    CHECK_NEAR(m.inertia.m[0][0], v * (3.0 / 20 * 0.25 + 3.0 / 80 * 4), 1e-13);
    lithe_geom_destroy(&geom);
    lithe_context_destroy(context);
}

TEST(open_and_inverted_meshes_and_endless_shapes_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    Vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int32_t closed[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, inverted[12];
    for (int i = 0; i < 12; i++)
        inverted[i] = closed[i - i % 3 + 2 - i % 3];
    LitheGeomDef def = {.kind = LITHE_GEOM_TRIANGLE_MESH,
                        .points = p,
                        .point_count = 4,
                        .triangles = closed,
                        .triangle_count = 4};
    LitheGeom geom;
    LitheGeomMass m;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    CHECK(lithe_geom_mass(&geom, &m, &error) == LITHE_OK);
    CHECK_NEAR(m.volume, 1.0 / 6, 1e-15);
    lithe_geom_destroy(&geom);
    def.triangle_count = 3;
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    CHECK(lithe_geom_mass(&geom, &m, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "triangle 0 has no neighbour");
    lithe_geom_destroy(&geom);
    def.triangle_count = 4;
    def.triangles = inverted;
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    CHECK(lithe_geom_mass(&geom, &m, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "volume is -0.16");
    lithe_geom_destroy(&geom);
    def = (LitheGeomDef){.kind = LITHE_GEOM_HALF_SPACE};
    FATAL(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK);
    CHECK(lithe_geom_mass(&geom, &m, &error) == LITHE_BAD_INPUT);
    lithe_context_destroy(context);
}
