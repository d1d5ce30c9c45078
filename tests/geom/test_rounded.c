// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_rounded.c - cylinders with rounded rims: distance, contacts, mass, rays

#include "geom/mass.h"
#include "geom/ray.h"
#include "shapes.h"

// a cylinder in any pose; `thin`: its rims are half circles
static void rounded(TestRandom *r, bool thin, Shape *s) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    *s = (Shape){.def = {.kind = LITHE_GEOM_CYLINDER}};
    s->def.radius = test_random(r, 0.5, 1);
    s->def.rounding = test_random(r, 0.05, 0.3);
    s->def.length = 2 * s->def.rounding + (thin ? 0 : test_random(r, 0.1, 1));
    s->pose = place_make(random_vec(r, 1), random_turn(r));
    FATAL(lithe_geom_compile(context, &s->def, &s->geom, &error) == LITHE_OK);
    lithe_context_destroy(context);
}

// distance of a point outside to the surface, by the description only
static double height_over(const Shape *s, Vec3 x) {
    Vec3 y = place_point_back(&s->pose, x);
    double round = s->def.rounding;
    double across = fmax(0, hypot(y.x, y.y) - (s->def.radius - round));
    return hypot(across, fmax(0, fabs(y.z) - (0.5 * s->def.length - round))) - round;
}

TEST(distance_to_points_planes_and_box_faces_is_that_of_the_closed_forms) {
    TestRandom r = {1};
    for (int k = 0; k < 400; k++) {
        Shape s;
        rounded(&r, k % 2, &s);
        LitheClosest c;
        LitheGeom ball = lithe_geom_ball(0.2);
        LithePose at =
            place_make(v3_axpy(test_random(&r, 1.5, 3), random_unit(&r), s.pose.at), q4_identity());
        lithe_geom_distance(&s.geom, &s.pose, &ball, &at, &c);
        CHECK_NEAR(c.distance, height_over(&s, at.at) - 0.2, 1e-12);
        CHECK_NEAR(height_over(&s, v3_axpy(1e-3, c.normal, c.on_a)), 1e-3, 1e-9);

        LitheGeom plane = {.kind = LITHE_GEOM_HALF_SPACE};
        LithePose ground = place_make(random_vec(&r, 1), random_turn(&r));
        Vec3 n = m3_column(ground.r, 2), axis = m3_column(s.pose.r, 2);
        double cosine = fabs(v3_dot(n, axis)), sine = v3_norm(v3_cross(n, axis));
        double round = s.def.rounding;
        double lowest = v3_dot(n, v3_sub(s.pose.at, ground.at)) - round -
                        (s.def.radius - round) * sine - (0.5 * s.def.length - round) * cosine;
        lithe_geom_distance(&plane, &ground, &s.geom, &s.pose, &c);
        CHECK_NEAR(c.distance, lowest, 1e-12);

        // the face of a large box, above which the cylinder hovers or which it enters a little
        LitheGeom box = {.kind = LITHE_GEOM_BOX, .half = {20, 20, 20}, .reach = 40};
        double gap = test_random(&r, -0.5 * round, 0.1);
        LithePose under = place_make(v3_axpy(-20 - gap + lowest, n, ground.at), ground.q);
        under.at = v3_add(under.at, v3_sub(v3_sub(s.pose.at, ground.at),
                                           v3_scale(v3_dot(n, v3_sub(s.pose.at, ground.at)), n)));
        lithe_geom_distance(&box, &under, &s.geom, &s.pose, &c);
        CHECK_NEAR(c.distance, gap, 1e-9);
        CHECK_NEAR(v3_dot(c.normal, n), 1, 1e-9);
    }
}

TEST(distance_over_the_face_of_a_box_is_that_of_the_search) {
    TestRandom r = {7};
    int found = 0;
    for (int k = 0; k < 2000; k++) {
        LitheCore box = {.kind = LITHE_CORE_BOX, .half = {1, 0.7, 0.4}};
        double z = k % 3 ? test_random(&r, 0, 0.3) : 0, radius = test_random(&r, 0.2, 0.8);
        LitheCore other = lithe_core_frustum(-z, radius, z, k % 4 ? radius : 0.5 * radius);
        if (z == 0)
            other.r[1] = other.r[0];
        bool first = k % 2;
        LitheCorePair pair = {first ? &box : &other, first ? &other : &box,
                              q4_matrix(random_turn(&r)), random_vec(&r, 2)};
        LitheCoreDistance face, searched;
        if (!lithe_box_face_distance(&pair, &face))
            continue;
        found++;
        lithe_gjk_distance(&pair, &searched);
        CHECK_NEAR(face.distance, searched.distance, 1e-9);
        CHECK_NEAR(v3_distance(face.normal, searched.normal), 0, 1e-6);
        CHECK_NEAR(v3_distance(face.on_a, searched.on_a), 0, 1e-5);
        CHECK_NEAR(v3_distance(face.on_b, v3_axpy(face.distance, face.normal, face.on_a)), 0,
                   1e-12);
    }
    CHECK(found > 200);
}

TEST(tilted_disk_touches_a_plane_in_one_point) {
    TestRandom r = {2};
    LitheGeom plane = {.kind = LITHE_GEOM_HALF_SPACE};
    LithePose ground = place_identity();
    for (int k = 0; k < 100; k++) {
        Shape s;
        rounded(&r, true, &s);
        LitheContactPoint c[LITHE_CONTACTS_MAX];
        double tilt = test_random(&r, 0.4, 1.5), round = s.def.rounding;
        s.pose.q = (Quat){cos(0.5 * tilt), sin(0.5 * tilt), 0, 0};
        double height = round + (s.def.radius - round) * sin(tilt) - 1e-3;
        s.pose = place_make(v3(0, 0, height), s.pose.q);
        int count = lithe_geom_contacts(&plane, &ground, &s.geom, &s.pose, 0.01, c);
        CHECK(count == 1);
        CHECK_NEAR(c[0].gap, -1e-3, 1e-12);
    }
}

TEST(mass_is_that_of_many_thin_discs) {
    TestRandom r = {3};
    for (int k = 0; k < 4; k++) {
        Shape s;
        rounded(&r, k % 2, &s);
        LitheGeomMass mass;
        LitheError error;
        enum { SLICES = 200000 };
        double v = 0, along = 0, across = 0, h = s.def.length / SLICES, round = s.def.rounding;
        for (int i = 0; i < SLICES; i++) {
            double z = -0.5 * s.def.length + (i + 0.5) * h;
            double beyond = fmax(0, fabs(z) - (0.5 * s.def.length - round));
            double rim = s.def.radius - round + sqrt(round * round - beyond * beyond);
            double slice = M_PI * rim * rim * h;
            v += slice;
            along += slice * rim * rim / 2;
            across += slice * (rim * rim / 4 + z * z);
        }
        FATAL(lithe_geom_mass(&s.geom, &mass, &error) == LITHE_OK);
        CHECK_NEAR(mass.volume, v, 1e-7 * v);
        CHECK_NEAR(mass.inertia.m[2][2], along, 1e-7 * along);
        CHECK_NEAR(mass.inertia.m[0][0], across, 1e-7 * across);
    }
}

TEST(rays_end_on_the_surface_and_miss_nothing) {
    TestRandom r = {4};
    int hits = 0;
    for (int k = 0; k < 300; k++) {
        Shape s;
        rounded(&r, k % 2, &s);
        Vec3 o = v3_axpy(4, random_unit(&r), s.pose.at);
        Vec3 d = v3_unit(v3_sub(v3_add(s.pose.at, random_vec(&r, 0.6)), o));
        LitheRayHit hit = {0};
        double nearest = INFINITY;
        for (double t = 0; t < 8; t += 1e-3)
            nearest = fmin(nearest, height_over(&s, v3_axpy(t, d, o)));
        bool found = lithe_geom_ray(&s.geom, &s.pose, o, d, 8, &hit);
        hits += found;
        CHECK(found ? nearest < 1e-3 : nearest > -1e-6);
        if (found) {
            CHECK_NEAR(height_over(&s, hit.point), 0, 1e-6);
            CHECK(v3_dot(hit.normal, d) < 1e-6);
        }
    }
    CHECK(hits > 100 && hits < 300);
}

TEST(rims_that_do_not_fit_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom geom;
    LitheError error = {0};
    LitheGeomDef def = {.kind = LITHE_GEOM_CYLINDER, .radius = 1, .length = 0.5, .rounding = 0.26};
    CHECK(lithe_geom_compile(context, &def, &geom, &error) == LITHE_BAD_INPUT);
    CHECK(strstr(error.text, "rounding is 0.26 m") != NULL);
    def =
        (LitheGeomDef){.kind = LITHE_GEOM_CYLINDER, .radius = 0.1, .length = 0.5, .rounding = 0.1};
    CHECK(lithe_geom_compile(context, &def, &geom, &error) == LITHE_BAD_INPUT);
    def.rounding = -1;
    CHECK(lithe_geom_compile(context, &def, &geom, &error) == LITHE_BAD_INPUT);
    lithe_context_destroy(context);
}
