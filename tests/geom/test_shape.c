// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_shape.c - compiling shapes: what is refused, support and bounds, memory

#include "base/memory.h"
#include "shapes.h"

static LitheStatus try_compile(LitheContext *context, LitheGeomDef def, LitheError *error) {
    LitheGeom geom = {.kind = -7};
    LitheStatus status = lithe_geom_compile(context, &def, &geom, error);
    if (status == LITHE_OK)
        lithe_geom_destroy(&geom);
    else
        CHECK(geom.kind == -7);
    return status;
}

static void refuses(LitheGeomDef def, const char *part) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    CHECK(try_compile(context, def, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, part);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(bad_sizes_are_refused_with_field_and_value) {
    refuses((LitheGeomDef){.kind = LITHE_GEOM_SPHERE, .radius = -0.5},
            "sphere: radius is -0.5 m, must be > 0");
    refuses((LitheGeomDef){.kind = LITHE_GEOM_SPHERE, .radius = NAN}, "radius");
    refuses((LitheGeomDef){.kind = LITHE_GEOM_CAPSULE, .radius = 1, .length = INFINITY},
            "capsule: length is inf m");
    refuses((LitheGeomDef){.kind = LITHE_GEOM_CYLINDER, .radius = 0, .length = 1}, "radius is 0");
    refuses((LitheGeomDef){.kind = LITHE_GEOM_BOX, .size = {1, 0, 1}}, "box: size.y is 0 m");
    refuses((LitheGeomDef){.kind = LITHE_GEOM_ELLIPSOID, .size = {1, 1, -2}}, "size.z is -2 m");
    refuses((LitheGeomDef){.kind = (LitheGeomKind)42}, "kind is 42");
}

TEST(bad_points_and_triangles_are_refused_with_their_number) {
    Vec3 p[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {0, NAN, 0}};
    LitheGeomDef mesh = {
        .kind = LITHE_GEOM_TRIANGLE_MESH, .points = p, .point_count = 5, .triangle_count = 2};
    int32_t range[6] = {0, 1, 2, 0, 1, 5};
    mesh.triangles = range;
    refuses(mesh, "triangle 1: corner 2 is point 5, must be 0 to 4");
    int32_t line[6] = {0, 1, 2, 0, 1, 4};
    mesh.triangles = line;
    refuses(mesh, "triangle 1 (points 0, 1, 4) has no area");
    int32_t twice[6] = {0, 1, 2, 0, 1, 3};
    mesh.triangles = twice;
    refuses(mesh, "triangle 1: its edge from point 0 to 1 has the same direction in triangle 0");
    int32_t third[9] = {0, 1, 2, 1, 0, 3, 1, 0, 2};
    mesh.triangles = third;
    mesh.triangle_count = 3;
    refuses(mesh, "triangle 2: its edge from point 1 to 0");
    mesh.point_count = 6;
    refuses(mesh, "point 5 is not finite");
    mesh.points = NULL;
    refuses(mesh, "no points");
    mesh.path = "part.stl";
    refuses(mesh, "'part.stl' has not been read");
}

TEST(bad_hulls_profiles_and_heights_are_refused) {
    Vec3 flat[5] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.2, 1}};
    LitheGeomDef hull = {.kind = LITHE_GEOM_CONVEX_MESH, .points = flat, .point_count = 5};
    refuses(hull, "lie in one plane");
    hull.point_count = 3;
    refuses(hull, "3 points, must be 4");
    double z[3] = {0, 1, 1}, r[3] = {1, 1, 1}, negative[3] = {1, -1, 1}, zero[3] = {0};
    LitheGeomDef turned = {.kind = LITHE_GEOM_REVOLUTION, .profile_z = z, .profile_r = r};
    refuses(turned, "profile of 0 points");
    turned.profile_count = 3;
    refuses(turned, "profile_z[2] is 1 m");
    z[2] = 2;
    turned.profile_r = negative;
    refuses(turned, "profile_r[1] is -1 m");
    turned.profile_r = zero;
    refuses(turned, "all radii");
    double heights[4] = {0, 0, INFINITY, 0};
    LitheGeomDef field = {.kind = LITHE_GEOM_HEIGHTFIELD,
                          .heights = heights,
                          .rows = 1,
                          .columns = 4,
                          .size = {1, 1, 0}};
    refuses(field, "1 rows and 4 columns");
    field.rows = field.columns = 2;
    refuses(field, "row 1, column 0 is not finite");
    field.size.x = 0;
    refuses(field, "size.x is 0");
}

TEST(support_and_bounds_agree_with_the_description) {
    TestRandom r = {1};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    for (int kind = LITHE_GEOM_SPHERE; kind <= LITHE_GEOM_REVOLUTION + 1; kind++)
        for (int i = 0; i < 10; i++) {
            shape_make(context, &r, kind <= LITHE_GEOM_REVOLUTION ? kind : LITHE_GEOM_SEGMENT, s);
            s->pose.at = random_vec(&r, 3);
            for (int k = 0; k < 50; k++) {
                Vec3 n = random_unit(&r);
                Vec3 local = v3_scale(test_random(&r, 0.1, 9), place_direction_back(&s->pose, n));
                Vec3 x = place_point(&s->pose, lithe_geom_support(&s->geom, local));
                CHECK_NEAR(v3_dot(n, x), shape_extent(s, n), 1e-13);
                CHECK(v3_distance(x, s->pose.at) <= s->geom.reach + 1e-13);
            }
            Vec3 low, high, sweep = random_vec(&r, 1), low2, high2;
            lithe_geom_bounds(&s->geom, &s->pose, NULL, &low, &high);
            lithe_geom_bounds(&s->geom, &s->pose, &sweep, &low2, &high2);
            double want[6] = {-shape_extent(s, v3(-1, 0, 0)), -shape_extent(s, v3(0, -1, 0)),
                              -shape_extent(s, v3(0, 0, -1)), shape_extent(s, v3(1, 0, 0)),
                              shape_extent(s, v3(0, 1, 0)),   shape_extent(s, v3(0, 0, 1))};
            double got[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
            double swept[6] = {low2.x, low2.y, low2.z, high2.x, high2.y, high2.z};
            double by[3] = {sweep.x, sweep.y, sweep.z};
            bool tight = lithe_geom_is_convex(&s->geom);
            for (int k = 0; k < 6; k++) {
                double slack = k < 3 ? want[k] - got[k] : got[k] - want[k];
                CHECK(slack >= -1e-13 && (!tight || slack <= 1e-13));
                double more = k < 3 ? fmin(0, by[k % 3]) : fmax(0, by[k % 3]);
                CHECK_NEAR(swept[k], got[k] + more, 1e-14);
            }
            shape_free(s);
        }
    free(s);
    lithe_context_destroy(context);
}

TEST(a_bar_is_the_box_around_its_segment) {
    TestRandom r = {2};
    for (int i = 0; i < 50; i++) {
        Vec3 p = random_vec(&r, 1), q = random_vec(&r, 1), d = random_unit(&r);
        LithePose pose;
        LitheGeom bar = lithe_geom_bar(p, q, d, 0.2, 0.1, &pose);
        Vec3 t = v3_unit(v3_sub(q, p)), across = v3_unit(v3_cross(t, d));
        LitheGeom dot = lithe_geom_segment(v3(0, 0, 0), v3(0, 0, 0), 0);
        LithePose at = place_make(v3_add(v3_mix(p, q, 0.5), v3_scale(0.25, across)), q4_identity());
        LitheClosest c;
        lithe_geom_distance(&bar, &pose, &dot, &at, &c);
        CHECK_NEAR(c.distance, 0.2, 1e-12);
        at.at = v3_axpy(0.3, t, q);
        lithe_geom_distance(&bar, &pose, &dot, &at, &c);
        CHECK_NEAR(c.distance, 0.3, 1e-12);
    }
}

TEST(half_space_bounds_end_only_where_its_plane_is_perpendicular_to_an_axis) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = {.kind = LITHE_GEOM_HALF_SPACE};
    LitheGeom plane;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &plane, &error) == LITHE_OK);
    LithePose pose = place_make(v3(1, 2, 3), q4_identity());
    Vec3 low, high;
    lithe_geom_bounds(&plane, &pose, NULL, &low, &high);
    CHECK(high.z == 3 && low.z == -INFINITY && high.x == INFINITY && low.y == -INFINITY);
    pose = place_make(v3(1, 2, 3), q4_axis_angle(v3(1, 0, 0), 0.1));
    lithe_geom_bounds(&plane, &pose, NULL, &low, &high);
    CHECK(high.z == INFINITY && high.y == INFINITY);
    lithe_context_destroy(context);
}

TEST(out_of_memory_at_any_point_leaves_nothing_behind) {
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    for (int kind = LITHE_GEOM_CONVEX_MESH; kind <= LITHE_GEOM_REVOLUTION; kind++) {
        shape_make(context, &r, kind, s);
        lithe_geom_destroy(&s->geom);
        size_t before = lithe_context_bytes(context);
        int failures = 0;
        LitheStatus status = LITHE_NO_MEMORY;
        for (int n = 1; status != LITHE_OK && n < 100; n++) {
            LitheError error = {0};
            lithe_context_fail_at(context, n);
            status = try_compile(context, s->def, &error);
            lithe_context_fail_at(context, 0);
            if (status != LITHE_OK) {
                CHECK(status == LITHE_NO_MEMORY);
                CHECK_TEXT(error.text, "out of memory");
                failures++;
            }
            CHECK(lithe_context_bytes(context) == before);
        }
        CHECK(status == LITHE_OK && failures > 0);
    }
    free(s);
    lithe_context_destroy(context);
}

TEST(queries_allocate_nothing_and_repeat_to_the_bit) {
    TestRandom r = {4};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (int i = LITHE_GEOM_SPHERE; i <= LITHE_GEOM_REVOLUTION; i++)
        for (int j = LITHE_GEOM_SPHERE; j <= LITHE_GEOM_CONVEX_MESH; j++) {
            shape_make(context, &r, i, a);
            shape_make(context, &r, j, b);
            b->pose.at = random_vec(&r, 0.8);
            int64_t before = lithe_context_alloc_count(context);
            LitheContactPoint c[2][LITHE_CONTACTS_MAX];
            memset(c, 0, sizeof c);
            int n = lithe_geom_contacts(&a->geom, &a->pose, &b->geom, &b->pose, 0.1, c[0]);
            int m = lithe_geom_contacts(&a->geom, &a->pose, &b->geom, &b->pose, 0.1, c[1]);
            CHECK(n == m);
            for (int k = 0; k < n && n == m; k++) {
                CHECK(memcmp(&c[0][k].on_a, &c[1][k].on_a, sizeof(Vec3)) == 0);
                CHECK(c[0][k].gap == c[1][k].gap && c[0][k].feature == c[1][k].feature);
            }
            CHECK(lithe_context_alloc_count(context) == before);
            shape_free(a);
            shape_free(b);
        }
    free(a);
    free(b);
    lithe_context_destroy(context);
}
