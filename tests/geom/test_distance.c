// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_distance.c - signed distances against certificates and independent searches
//
// LITHE_TEST_FULL in the environment runs a hundred times as many pairs.

#include "shapes.h"

static const int CONVEX[] = {LITHE_GEOM_SPHERE, LITHE_GEOM_CAPSULE,   LITHE_GEOM_CYLINDER,
                             LITHE_GEOM_BOX,    LITHE_GEOM_ELLIPSOID, LITHE_GEOM_CONVEX_MESH,
                             LITHE_GEOM_SEGMENT};
enum { CONVEX_COUNT = 7 };

/// x lies in the convex shape: no direction separates it.
static double outside_by(const Shape *s, Vec3 x, TestRandom *r) {
    double worst = -INFINITY;
    for (int i = 0; i < 60; i++) {
        Vec3 n = random_unit(r);
        worst = fmax(worst, v3_dot(n, x) - shape_extent(s, n));
    }
    return worst;
}

/// Conditions of every result for two convex shapes.
static void check_convex(const Shape *a, const Shape *b, TestRandom *r) {
    LitheClosest c;
    lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
    double size = a->size + b->size, tolerance = 1e-7 * size;
    bool ok = CHECK_NEAR(v3_norm(c.normal), 1, 1e-9);
    // the gap along the normal is the distance: the true distance is no less
    ok &= CHECK_NEAR(separation(a, b, c.normal), c.distance, tolerance);
    // the points attain it: on the shapes, and at that distance
    ok &= CHECK(v3_distance(c.on_b, v3_axpy(c.distance, c.normal, c.on_a)) <= 1e-12 * size);
    ok &= CHECK(outside_by(a, c.on_a, r) <= tolerance);
    ok &= CHECK(outside_by(b, c.on_b, r) <= tolerance);
    ok &= CHECK_NEAR(v3_dot(c.normal, c.on_a), shape_extent(a, c.normal), tolerance);
    ok &= CHECK_NEAR(-v3_dot(c.normal, c.on_b), shape_extent(b, v3_neg(c.normal)), tolerance);
    // no direction is better
    double best = best_separation(a, b, r, 150, 120);
    ok &= CHECK(best <= c.distance + tolerance);
    // moved along the normal by the depth they just touch
    Shape moved = *b;
    moved.pose.at = v3_axpy(-c.distance, c.normal, b->pose.at);
    LitheClosest touch;
    lithe_geom_distance(&a->geom, &a->pose, &moved.geom, &moved.pose, &touch);
    ok &= CHECK_NEAR(touch.distance, 0, 1e-6 * size);
    // the same with the shapes exchanged
    LitheClosest back;
    lithe_geom_distance(&b->geom, &b->pose, &a->geom, &a->pose, &back);
    ok &= CHECK_NEAR(back.distance, c.distance, tolerance);
    if (!ok)
        printf("    kinds %d, %d; distance %g, best direction found %g\n", (int)a->def.kind,
               (int)b->def.kind, c.distance, best);
}

static void every_pair(double spread, int rounds, uint64_t seed) {
    TestRandom r = {seed};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    rounds *= full_run() ? 100 : 1;
    for (int i = 0; i < CONVEX_COUNT; i++)
        for (int j = i; j < CONVEX_COUNT; j++)
            for (int k = 0; k < rounds && test_list.failures < 20; k++) {
                shape_make(context, &r, CONVEX[i], a);
                shape_make(context, &r, CONVEX[j], b);
                a->pose.at = random_vec(&r, 5);
                b->pose.at = v3_add(a->pose.at, random_vec(&r, spread));
                check_convex(a, b, &r);
                shape_free(a);
                shape_free(b);
            }
    free(a);
    free(b);
    lithe_context_destroy(context);
}

TEST(convex_pairs_apart_and_near_realise_a_certified_distance) {
    every_pair(2.5, 14, 1);
}

TEST(convex_pairs_that_overlap_have_the_smallest_translation) {
    every_pair(0.6, 14, 2);
}

TEST(concentric_and_aligned_convex_pairs_have_an_answer) {
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (int i = 0; i < CONVEX_COUNT; i++)
        for (int j = i; j < CONVEX_COUNT; j++)
            for (int k = 0; k < 4; k++) {
                shape_make(context, &r, CONVEX[i], a);
                shape_make(context, &r, CONVEX[j], b);
                // concentric; same axes; touching along an axis
                if (k > 0)
                    a->pose = b->pose = place_identity();
                if (k >= 2)
                    b->pose.at.z = a->geom.high.z - b->geom.low.z;
                if (k == 3)
                    b->pose.at.z *= 0.5;
                check_convex(a, b, &r);
                shape_free(a);
                shape_free(b);
            }
    free(a);
    free(b);
    lithe_context_destroy(context);
}

TEST(equal_boxes_in_a_stack_touch_exactly) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = {.radius = 0.1};
    def.kind = LITHE_GEOM_BOX;
    def.size = v3(1, 2, 3);
    LitheGeom box;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &box, &error) == LITHE_OK);
    LithePose low = place_identity(), high = place_make(v3(0.2, 0.3, 2.9), q4_identity());
    LitheClosest c;
    lithe_geom_distance(&box, &low, &box, &high, &c);
    CHECK_NEAR(c.distance, -0.1, 1e-15);
    CHECK(c.normal.z == 1);
    high.at.z = 3.25;
    lithe_geom_distance(&box, &low, &box, &high, &c);
    CHECK_NEAR(c.distance, 0.25, 1e-15);
    CHECK_NEAR(c.normal.z, 1, 1e-15);
    lithe_context_destroy(context);
}

// --- half-space ----------------------------------------------------------------------------------

TEST(half_space_against_every_shape_is_its_lowest_point) {
    TestRandom r = {4};
    LitheContext *context = lithe_context_create(NULL);
    Shape *b = malloc(sizeof *b);
    LitheGeomDef def = {.radius = 0.1};
    def.kind = LITHE_GEOM_HALF_SPACE;
    LitheGeom plane;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &plane, &error) == LITHE_OK);
    for (int kind = LITHE_GEOM_SPHERE; kind <= LITHE_GEOM_REVOLUTION + 1; kind++)
        for (int k = 0; k < 10; k++) {
            shape_make(context, &r, kind <= LITHE_GEOM_REVOLUTION ? kind : LITHE_GEOM_SEGMENT, b);
            b->pose.at = random_vec(&r, 2);
            LithePose pose = place_make(random_vec(&r, 1), random_turn(&r));
            Vec3 n = m3_column(pose.r, 2);
            LitheClosest c, back;
            lithe_geom_distance(&plane, &pose, &b->geom, &b->pose, &c);
            lithe_geom_distance(&b->geom, &b->pose, &plane, &pose, &back);
            CHECK_NEAR(c.distance, -shape_extent(b, v3_neg(n)) - v3_dot(n, pose.at), 1e-13);
            CHECK_NEAR(back.distance, c.distance, 0);
            CHECK_NEAR(v3_dot(c.normal, n), 1, 1e-14);
            CHECK_NEAR(v3_dot(back.normal, n), -1, 1e-14);
            CHECK_NEAR(v3_distance(c.on_b, v3_axpy(c.distance, c.normal, c.on_a)), 0, 1e-14);
            shape_free(b);
        }
    CHECK(!lithe_geom_pair_allowed(&plane, &plane));
    free(b);
    lithe_context_destroy(context);
}

// --- solids that are not convex ------------------------------------------------------------------

/// A random point of the surface of a mesh, heightfield or revolution, in the world.
static Vec3 surface_point(const Shape *s, TestRandom *r) {
    double u = test_random(r, 0, 1), v = test_random(r, 0, 1);
    if (s->geom.mesh) {
        int t = (int)test_random(r, 0, s->geom.mesh->triangle_count);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        Vec3 p = mesh_corner(s->geom.mesh, t, 0), q = mesh_corner(s->geom.mesh, t, 1);
        Vec3 x = mesh_corner(s->geom.mesh, t, 2);
        return place_point(&s->pose,
                           v3_add(v3_scale(1 - u - v, p), v3_add(v3_scale(u, q), v3_scale(v, x))));
    }
    int n = s->def.profile_count, i = (int)test_random(r, -1, n);
    double r0 = i < 0 ? 0 : s->r[i], z0 = i < 0 ? s->z[0] : s->z[i];
    double r1 = i + 1 < n ? s->r[i + 1] : 0, z1 = i + 1 < n ? s->z[i + 1] : s->z[n - 1];
    double rho = r0 + u * (r1 - r0), z = z0 + u * (z1 - z0);
    return place_point(&s->pose, v3(rho * cos(2 * M_PI * v), rho * sin(2 * M_PI * v), z));
}

static const int SOLID[] = {LITHE_GEOM_TRIANGLE_MESH, LITHE_GEOM_HEIGHTFIELD,
                            LITHE_GEOM_REVOLUTION};

TEST(solids_against_convex_shapes_apart_have_no_nearer_points) {
    TestRandom r = {5};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int rounds = full_run() ? 400 : 6, apart = 0, over = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < CONVEX_COUNT; j++)
            for (int k = 0; k < rounds && test_list.failures < 20; k++) {
                shape_make(context, &r, SOLID[i], a);
                shape_make(context, &r, CONVEX[j], b);
                b->pose.at = random_vec(&r, 2);
                LitheClosest c;
                lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
                double size = a->size + b->size, tolerance = 1e-7 * size;
                bool ok = CHECK_NEAR(v3_norm(c.normal), 1, 1e-9);
                ok &= CHECK(v3_distance(c.on_b, v3_axpy(c.distance, c.normal, c.on_a)) <=
                            1e-12 * size);
                // on_b lies on b and on_a on a (a sphere of zero radius there touches it)
                ok &= CHECK(outside_by(b, c.on_b, &r) <= tolerance);
                ok &= CHECK_NEAR(-v3_dot(c.normal, c.on_b), shape_extent(b, v3_neg(c.normal)),
                                 c.distance > 0 ? tolerance : INFINITY);
                LitheNearest near;
                lithe_solid_nearest(&a->geom, place_point_back(&a->pose, c.on_a), &near);
                ok &= CHECK_NEAR(near.distance, 0, tolerance);
                // no sampled point of the surface is nearer to b than reported
                LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
                for (int n = 0; n < 300 && c.distance > 0; n++) {
                    LithePose at = place_make(surface_point(a, &r), q4_identity());
                    LitheClosest point;
                    lithe_geom_distance(&dot, &at, &b->geom, &b->pose, &point);
                    ok &= CHECK(point.distance >= c.distance - tolerance);
                }
                if (c.distance > 0) {
                    apart++;
                } else {
                    // moved out along the normal the two no longer overlap
                    over++;
                    b->pose.at =
                        v3_axpy(-c.distance * (1 + 1e-6) + tolerance, c.normal, b->pose.at);
                    LitheClosest moved;
                    lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &moved);
                    // another part of the solid may overlap it; a revolution has none
                    if (SOLID[i] == LITHE_GEOM_REVOLUTION && CONVEX[j] != LITHE_GEOM_SPHERE)
                        ok &= CHECK(moved.distance >= -10 * tolerance ||
                                    lithe_core_of(&b->geom).round > 0);
                }
                if (!ok)
                    printf("    kinds %d, %d, distance %g\n", SOLID[i], CONVEX[j], c.distance);
                shape_free(a);
                shape_free(b);
            }
    CHECK(apart > 20 && over > 20);
    free(a);
    free(b);
    lithe_context_destroy(context);
}

TEST(a_sphere_inside_a_torus_sees_the_wall_from_inside) {
    TestRandom r = {6};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a);
    shape_make(context, &r, LITHE_GEOM_TRIANGLE_MESH, a);
    a->pose = place_identity();
    CHECK(a->geom.mesh->closed);
    LitheGeom ball = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0.05);
    for (int i = 0; i < 500; i++) {
        Vec3 x =
            v3(test_random(&r, -1.4, 1.4), test_random(&r, -1.4, 1.4), test_random(&r, -0.4, 0.4));
        LithePose at = place_make(x, q4_identity());
        LitheClosest c;
        lithe_geom_distance(&a->geom, &a->pose, &ball, &at, &c);
        // of the smooth torus; the faceted one differs by the sagitta of its facets
        double smooth = hypot(hypot(x.x, x.y) - 1, x.z) - 0.35;
        CHECK_NEAR(c.distance + 0.05, smooth, 0.06);
    }
    // well inside and outside the sign is certain
    LithePose in = place_make(v3(1, 0, 0), q4_identity()), out = place_make(v3(0, 0, 0), in.q);
    LitheClosest c;
    lithe_geom_distance(&a->geom, &a->pose, &ball, &in, &c);
    CHECK(c.distance < -0.3);
    lithe_geom_distance(&a->geom, &a->pose, &ball, &out, &c);
    CHECK(c.distance > 0.5);
    shape_free(a);
    free(a);
    lithe_context_destroy(context);
}
