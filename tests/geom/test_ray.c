// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_ray.c - first hits against marching along the ray by the distance

#include "geom/ray.h"
#include "shapes.h"

/// Walks along the ray by the distance of a point to the shape; false when it leaves.
static bool march(const Shape *s, Vec3 o, Vec3 d, double longest, double *t) {
    LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
    *t = 0;
    for (int i = 0; i < 20000 && *t < longest; i++) {
        LithePose at = place_make(v3_axpy(*t, d, o), q4_identity());
        LitheClosest c;
        lithe_geom_distance(&s->geom, &s->pose, &dot, &at, &c);
        if (c.distance < 1e-9)
            return true;
        *t += c.distance;
    }
    return false;
}

TEST(rays_hit_every_shape_where_marching_does) {
    TestRandom r = {1};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    int hits = 0, misses = 0;
    for (int kind = LITHE_GEOM_SPHERE; kind <= LITHE_GEOM_REVOLUTION + 1; kind++)
        for (int i = 0; i < 60 * (full_run() ? 50 : 1) && test_list.failures < 20; i++) {
            shape_make(context, &r, kind <= LITHE_GEOM_REVOLUTION ? kind : LITHE_GEOM_SEGMENT, s);
            s->pose.at = random_vec(&r, 1);
            Vec3 o = v3_axpy(4, random_unit(&r), s->pose.at);
            // a heightfield is solid below: look from above
            if (kind == LITHE_GEOM_HEIGHTFIELD)
                o = place_point(&s->pose,
                                v3(test_random(&r, -1, 1), test_random(&r, -0.8, 0.8), 2));
            Vec3 aim = v3_add(s->pose.at, random_vec(&r, 0.8));
            Vec3 d = v3_unit(v3_sub(aim, o));
            double want = 0;
            bool expected = march(s, o, d, 8, &want);
            LitheRayHit hit = {0};
            bool found = lithe_geom_ray(&s->geom, &s->pose, o, d, 8, &hit);
            // rounding may decide a graze either way: try again slightly aside
            if (expected != found) {
                LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
                LithePose at =
                    place_make(v3_axpy(found ? hit.distance : want, d, o), q4_identity());
                LitheClosest c;
                lithe_geom_distance(&s->geom, &s->pose, &dot, &at, &c);
                bool graze = fabs(c.distance) < 1e-6 && fabs(v3_dot(c.normal, d)) < 2e-3;
                if (!CHECK(graze))
                    printf("    kind %d: marching %d, ray %d\n", kind, expected, found);
                shape_free(s);
                continue;
            }
            hits += found;
            misses += !found;
            if (found) {
                double slant = fabs(v3_dot(hit.normal, d));
                bool ok = CHECK_NEAR(hit.distance, want, 1e-8 + 1e-8 / fmax(1e-3, slant));
                ok &= CHECK(v3_dot(hit.normal, d) <= 1e-9);
                ok &= CHECK_NEAR(v3_norm(hit.normal), 1, 1e-12);
                ok &= CHECK_NEAR(v3_distance(hit.point, v3_axpy(hit.distance, d, o)), 0, 1e-12);
                // the normal is that of the surface there (away from edges)
                LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
                LithePose at = place_make(v3_axpy(1e-5, hit.normal, hit.point), q4_identity());
                LitheClosest c;
                lithe_geom_distance(&s->geom, &s->pose, &dot, &at, &c);
                ok &= CHECK_NEAR(c.distance, 1e-5, 3e-6);
                if (!ok)
                    printf("    kind %d\n", kind);
                // and a shorter ray does not reach it
                CHECK(!lithe_geom_ray(&s->geom, &s->pose, o, d, hit.distance * (1 - 1e-9), &hit));
            }
            shape_free(s);
        }
    CHECK(hits > 200 && misses > 50);
    free(s);
    lithe_context_destroy(context);
}

TEST(rays_from_inside_or_away_see_nothing) {
    TestRandom r = {2};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    for (int kind = LITHE_GEOM_SPHERE; kind <= LITHE_GEOM_ELLIPSOID; kind++)
        for (int i = 0; i < 20; i++) {
            shape_make(context, &r, kind, s);
            LitheRayHit hit;
            CHECK(!lithe_geom_ray(&s->geom, &s->pose, v3(0, 0, 0), random_unit(&r), 10, &hit));
            Vec3 d = random_unit(&r);
            CHECK(!lithe_geom_ray(&s->geom, &s->pose, v3_scale(3, d), d, 10, &hit));
            shape_free(s);
        }
    free(s);
    lithe_context_destroy(context);
}

TEST(no_ray_slips_between_the_triangles_of_a_closed_mesh) {
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    shape_make(context, &r, LITHE_GEOM_TRIANGLE_MESH, s);
    const LitheMesh *mesh = s->geom.mesh;
    for (int i = 0; i < 3000; i++) {
        // straight at a point of an edge, or at a corner, from outside
        int t = (int)test_random(&r, 0, mesh->triangle_count), k = i % 3;
        double u = i % 5 == 0 ? 0 : test_random(&r, 0, 1);
        Vec3 aim = v3_mix(mesh_corner(mesh, t, k), mesh_corner(mesh, t, (k + 1) % 3), u);
        Vec3 o = v3_axpy(0.3, mesh->normals[t], aim);
        LitheRayHit hit;
        FATAL(lithe_geom_ray(&s->geom, &s->pose, place_point(&s->pose, o),
                             place_direction(&s->pose, v3_neg(mesh->normals[t])), 1, &hit));
        CHECK(hit.distance < 0.3 + 1e-9);
    }
    shape_free(s);
    free(s);
    lithe_context_destroy(context);
}
