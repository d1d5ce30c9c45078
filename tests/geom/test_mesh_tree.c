// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_mesh_tree.c - hulls, trees of boxes and nearest points of meshes

#include "shapes.h"

// --- hulls ---------------------------------------------------------------------------------------

/// Points inside or on every face, loops closed and convex, Euler's formula.
static void check_hull(const LitheHull *hull, const Vec3 *points, int count, double size) {
    int edges = 0;
    for (int f = 0; f < hull->face_count; f++) {
        int start = hull->face_start[f], n = hull->face_start[f + 1] - start;
        CHECK(n >= 3);
        edges += n;
        Vec3 normal = hull->face_normal[f];
        CHECK_NEAR(v3_norm(normal), 1, 1e-12);
        for (int i = 0; i < count; i++)
            CHECK(v3_dot(normal, points[i]) <= hull->face_offset[f] + 2e-9 * size);
        for (int k = 0; k < n; k++) {
            Vec3 p = hull->points[hull->face_points[start + k]];
            Vec3 q = hull->points[hull->face_points[start + (k + 1) % n]];
            Vec3 s = hull->points[hull->face_points[start + (k + 2) % n]];
            CHECK_NEAR(v3_dot(normal, p), hull->face_offset[f], 2e-9 * size);
            // counter-clockwise turns
            Vec3 turn = v3_cross(v3_sub(q, p), v3_sub(s, q));
            CHECK(v3_dot(turn, normal) > -1e-8 * size * size);
        }
    }
    CHECK(edges % 2 == 0);
    CHECK(hull->point_count - edges / 2 + hull->face_count == 2);
}

TEST(random_hulls_hold_their_points_and_satisfy_euler) {
    TestRandom r = {1};
    LitheContext *context = lithe_context_create(NULL);
    for (int i = 0; i < 200; i++) {
        Vec3 p[300];
        int count = 4 + (int)test_random(&r, 0, i % 10 ? 40 : 296);
        double size = pow(10, test_random(&r, -3, 3));
        Vec3 far = random_vec(&r, i % 3 ? 0 : 10 * size);
        for (int k = 0; k < count; k++)
            p[k] = v3_add(far, i % 2 ? random_vec(&r, size) : v3_scale(size, random_unit(&r)));
        LitheHull *hull = NULL;
        LitheError error = {0};
        FATAL(lithe_hull_create(context, p, count, &hull, &error) == LITHE_OK);
        check_hull(hull, p, count, 2 * size);
        // all points of a sphere are corners
        if (i % 2 == 0)
            CHECK(hull->point_count == count);
        lithe_hull_destroy(context, hull);
    }
    lithe_context_destroy(context);
}

TEST(grids_and_prisms_have_their_flat_faces_merged) {
    TestRandom r = {2};
    LitheContext *context = lithe_context_create(NULL);
    for (int i = 0; i < 40; i++) {
        // a cube of grid points, turned and shuffled
        Vec3 p[125];
        Quat turn = i ? random_turn(&r) : q4_identity();
        int n = 0;
        for (int k = 0; k < 125; k++)
            p[n++] = q4_rotate(turn, v3(k % 5, k / 5 % 5, k / 25));
        for (int k = n - 1; k > 0; k--) {
            int other = (int)test_random(&r, 0, k + 1);
            Vec3 t = p[k];
            p[k] = p[other];
            p[other] = t;
        }
        LitheHull *hull = NULL;
        LitheError error = {0};
        FATAL(lithe_hull_create(context, p, n, &hull, &error) == LITHE_OK);
        CHECK(hull->face_count == 6);
        for (int k = 0; k < n; k++)
            for (int f = 0; f < hull->face_count; f++)
                CHECK(v3_dot(hull->face_normal[f], p[k]) <= hull->face_offset[f] + 1e-8);
        lithe_hull_destroy(context, hull);
        // a prism of m sides
        int m = 3 + i;
        for (int k = 0; k < 2 * m; k++)
            p[k] = q4_rotate(turn,
                             v3(cos(2 * M_PI * (k % m) / m), sin(2 * M_PI * (k % m) / m), k / m));
        FATAL(lithe_hull_create(context, p, 2 * m, &hull, &error) == LITHE_OK);
        CHECK(hull->face_count == m + 2);
        CHECK(hull->point_count == 2 * m);
        check_hull(hull, p, 2 * m, 2);
        lithe_hull_destroy(context, hull);
    }
    lithe_context_destroy(context);
}

// sphere, cone, and a curve whose points are all corners of sliver faces
LONG_TEST(hulls_of_twenty_thousand_points_hold_their_points_and_satisfy_euler) {
    enum { COUNT = 20000 };
    static Vec3 p[COUNT], some[200];
    LitheContext *context = lithe_context_create(NULL);
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < COUNT; i++) {
            double z = 1 - 2 * (i + 0.5) / COUNT, a = 2.399963 * i, t = (double)i / COUNT;
            Vec3 round = v3(sqrt(1 - z * z) * cos(a), sqrt(1 - z * z) * sin(a), z);
            Vec3 cone = i ? v3(cos(2 * M_PI * t), sin(2 * M_PI * t), 0) : v3(0, 0, 1);
            p[i] = kind == 0 ? round : kind == 1 ? cone : v3(t, t * t, t * t * t);
        }
        LitheHull *hull = NULL;
        LitheError error = {0};
        LitheStatus status = lithe_hull_create(context, p, COUNT, &hull, &error);
        if (status != LITHE_OK)
            printf("  %s\n", error.text);
        FATAL(status == LITHE_OK);
        for (int i = 0; i < 200; i++)
            some[i] = p[100 * i];
        check_hull(hull, some, 200, 2);
        CHECK(hull->point_count > COUNT - 10);
        lithe_hull_destroy(context, hull);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(repeated_and_inner_points_are_left_out_of_a_hull) {
    LitheContext *context = lithe_context_create(NULL);
    Vec3 p[12] = {{0, 0, 0},       {1, 0, 0},     {0, 1, 0},     {0, 0, 1},
                  {0, 0, 0},       {1, 0, 0},     {0, 1, 0},     {0, 0, 1},
                  {0.1, 0.1, 0.1}, {0.5, 0.5, 0}, {0.2, 0.2, 0}, {0.25, 0.25, 0.25}};
    LitheHull *hull = NULL;
    LitheError error;
    FATAL(lithe_hull_create(context, p, 12, &hull, &error) == LITHE_OK);
    CHECK(hull->point_count == 4 && hull->face_count == 4);
    lithe_hull_destroy(context, hull);
    lithe_context_destroy(context);
}

// --- trees ---------------------------------------------------------------------------------------

static int check_node(const LitheMesh *mesh, int32_t id, int depth, int *seen) {
    const LitheBoxNode *node = &mesh->nodes[id];
    CHECK(depth < 40);
    if (node->count == 0) {
        for (int k = 0; k < 2; k++) {
            const LitheBoxNode *child = &mesh->nodes[node->first + k];
            CHECK(child->box.low.x >= node->box.low.x && child->box.high.x <= node->box.high.x);
            CHECK(child->box.low.y >= node->box.low.y && child->box.high.y <= node->box.high.y);
            CHECK(child->box.low.z >= node->box.low.z && child->box.high.z <= node->box.high.z);
        }
        return check_node(mesh, node->first, depth + 1, seen) +
               check_node(mesh, node->first + 1, depth + 1, seen);
    }
    for (int i = 0; i < node->count; i++) {
        int32_t t = mesh->order[node->first + i];
        seen[t]++;
        for (int k = 0; k < 3; k++) {
            Vec3 p = mesh_corner(mesh, t, k);
            CHECK(p.x >= node->box.low.x && p.x <= node->box.high.x && p.y >= node->box.low.y &&
                  p.y <= node->box.high.y && p.z >= node->box.low.z && p.z <= node->box.high.z);
        }
    }
    return node->count;
}

TEST(a_tree_holds_every_triangle_once_in_nested_boxes) {
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    for (int kind = LITHE_GEOM_TRIANGLE_MESH; kind <= LITHE_GEOM_HEIGHTFIELD; kind++) {
        shape_make(context, &r, kind, s);
        const LitheMesh *mesh = s->geom.mesh;
        int seen[1200] = {0};
        CHECK(check_node(mesh, 0, 0, seen) == mesh->triangle_count);
        for (int i = 0; i < mesh->triangle_count; i++)
            CHECK(seen[i] == 1);
        shape_free(s);
    }
    free(s);
    lithe_context_destroy(context);
}

TEST(many_triangles_in_one_place_still_make_a_shallow_tree) {
    LitheContext *context = lithe_context_create(NULL);
    enum { N = 1000 };
    Vec3 *p = malloc(sizeof *p * 3 * N);
    int32_t *t = malloc(sizeof *t * 3 * N);
    int *seen = calloc(N, sizeof *seen);
    for (int i = 0; i < 3 * N; i++) {
        p[i] = i % 3 == 0 ? v3(0, 0, 0) : i % 3 == 1 ? v3(1, 0, 0) : v3(0, 1, 0);
        t[i] = i;
    }
    LitheMesh *mesh = NULL;
    LitheError error;
    FATAL(lithe_mesh_create(context, p, 3 * N, t, N, &mesh, &error) == LITHE_OK);
    CHECK(check_node(mesh, 0, 0, seen) == N);
    LitheMeshPoint near;
    CHECK(lithe_mesh_nearest(mesh, v3(0.2, 0.2, 3), INFINITY, &near));
    CHECK(near.triangle == 0 && near.distance == 3);
    lithe_mesh_destroy(context, mesh);
    free(p);
    free(t);
    free(seen);
    lithe_context_destroy(context);
}

TEST(nearest_points_agree_with_a_loop_over_all_triangles) {
    TestRandom r = {4};
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = malloc(sizeof *s);
    for (int kind = LITHE_GEOM_TRIANGLE_MESH; kind <= LITHE_GEOM_HEIGHTFIELD; kind++) {
        shape_make(context, &r, kind, s);
        const LitheMesh *mesh = s->geom.mesh;
        for (int i = 0; i < 500; i++) {
            Vec3 x = random_vec(&r, 2);
            double min = INFINITY;
            for (int t = 0; t < mesh->triangle_count; t++) {
                // an independent nearest point: search over the two coordinates of the triangle
                Vec3 y = lithe_triangle_nearest(mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1),
                                                mesh_corner(mesh, t, 2), x, NULL);
                min = fmin(min, v3_distance(x, y));
            }
            LitheMeshPoint near;
            FATAL(lithe_mesh_nearest(mesh, x, INFINITY, &near));
            CHECK(near.distance == min);
            CHECK_NEAR(v3_distance(near.point, x), near.distance, 1e-15);
            CHECK(!lithe_mesh_nearest(mesh, x, min * (1 - 1e-9), &near));
        }
        shape_free(s);
    }
    free(s);
    lithe_context_destroy(context);
}

TEST(nearest_points_of_triangles_are_beaten_by_no_sample) {
    TestRandom r = {5};
    for (int i = 0; i < 300; i++) {
        Vec3 p = random_vec(&r, 1), q = random_vec(&r, 1), s = random_vec(&r, 1);
        Vec3 x = random_vec(&r, 2);
        int32_t feature = -1;
        Vec3 y = lithe_triangle_nearest(p, q, s, x, &feature);
        CHECK(feature >= 0 && feature <= 6);
        // y lies in the triangle
        Vec3 n = v3_cross(v3_sub(q, p), v3_sub(s, p));
        CHECK_NEAR(v3_dot(v3_unit(n), v3_sub(y, p)), 0, 1e-12);
        for (int k = 0; k < 200; k++) {
            double u = test_random(&r, 0, 1), v = test_random(&r, 0, 1 - u);
            Vec3 z = v3_add(v3_scale(1 - u - v, p), v3_add(v3_scale(u, q), v3_scale(v, s)));
            CHECK(v3_distance(x, z) >= v3_distance(x, y) - 1e-12);
        }
    }
}

TEST(sides_are_determined_at_sharp_edges_and_corners) {
    // a thin spike: near its tip every nearest point is a corner or an edge
    LitheContext *context = lithe_context_create(NULL);
    Vec3 p[4] = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0, 0.1, 0}, {0.02, 0, 2}};
    int32_t t[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    LitheMesh *mesh = NULL;
    LitheError error;
    FATAL(lithe_mesh_create(context, p, 4, t, 4, &mesh, &error) == LITHE_OK);
    CHECK(mesh->closed);
    TestRandom r = {6};
    int inside = 0;
    for (int i = 0; i < 4000; i++) {
        Vec3 x = v3(test_random(&r, -0.12, 0.12), test_random(&r, -0.12, 0.12),
                    test_random(&r, -0.1, 2.2));
        bool want = true;
        for (int k = 0; k < 4; k++)
            want &= v3_dot(mesh->normals[k], v3_sub(x, mesh_corner(mesh, k, 0))) < 0;
        LitheMeshPoint near;
        lithe_mesh_nearest(mesh, x, INFINITY, &near);
        CHECK(near.inside == want);
        inside += want;
    }
    CHECK(inside > 100);
    lithe_mesh_destroy(context, mesh);
    lithe_context_destroy(context);
}
