// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_mesh_contacts.c - contact points and distance of two triangle meshes

#include "geom/mesh_pair.h"
#include "lithe/lithe.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct Shapes {
    LitheContext *context;
    LitheGeom box[2], mesh[2]; // the same two boxes, as boxes and as meshes
} Shapes;

// a box of twelve triangles
static LitheGeom box_mesh(LitheContext *context, Vec3 half) {
    Vec3 points[8];
    static const int32_t triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                          1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    for (int i = 0; i < 8; i++) {
        int k = i % 4;
        points[i] = v3(k == 1 || k == 2 ? half.x : -half.x, k >= 2 ? half.y : -half.y,
                       i < 4 ? -half.z : half.z);
    }
    LitheGeomDef def = {.kind = LITHE_GEOM_TRIANGLE_MESH,
                        .points = points,
                        .point_count = 8,
                        .triangles = triangles,
                        .triangle_count = 12};
    LitheGeom geom = {0};
    CHECK(lithe_geom_compile(context, &def, &geom, NULL) == LITHE_OK);
    return geom;
}

static LitheGeom plain_box(LitheContext *context, Vec3 half) {
    LitheGeomDef def = {.kind = LITHE_GEOM_BOX, .size = v3_scale(2, half)};
    LitheGeom geom = {0};
    CHECK(lithe_geom_compile(context, &def, &geom, NULL) == LITHE_OK);
    return geom;
}

static Shapes open_boxes(Vec3 a, Vec3 b) {
    Shapes s = {.context = lithe_context_create(NULL)};
    Vec3 half[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        s.box[k] = plain_box(s.context, half[k]);
        s.mesh[k] = box_mesh(s.context, half[k]);
    }
    return s;
}

static void close_boxes(Shapes *s) {
    for (int k = 0; k < 2; k++) {
        lithe_geom_destroy(&s->box[k]);
        lithe_geom_destroy(&s->mesh[k]);
    }
    lithe_context_destroy(s->context);
}

// resultant of springs of unit stiffness: force on b and moment about the origin, and the deepest
typedef struct Sum {
    Vec3 force, moment;
    double deepest;
    int count;
} Sum;

static Sum sum_of(const LitheGeom *a, const LithePose *pa, const LitheGeom *b, const LithePose *pb,
                  double margin) {
    LitheContactPoint c[LITHE_CONTACTS_MAX];
    Sum sum = {.deepest = INFINITY};
    sum.count = lithe_geom_contacts(a, pa, b, pb, margin, c);
    for (int i = 0; i < sum.count; i++) {
        CHECK_NEAR(v3_norm(c[i].normal), 1, 1e-12);
        CHECK_NEAR(v3_norm(v3_sub(v3_axpy(c[i].gap, c[i].normal, c[i].on_a), c[i].on_b)), 0, 1e-12);
        sum.deepest = fmin(sum.deepest, c[i].gap);
        Vec3 f = v3_scale(fmax(0, -c[i].gap), c[i].normal);
        sum.force = v3_add(sum.force, f);
        sum.moment = v3_add(sum.moment, v3_cross(v3_mix(c[i].on_a, c[i].on_b, 0.5), f));
    }
    return sum;
}

static void compare(const Shapes *s, const LithePose *pa, const LithePose *pb, double margin,
                    double tolerance, const char *what, int k) {
    Sum box = sum_of(&s->box[0], pa, &s->box[1], pb, margin);
    Sum mesh = sum_of(&s->mesh[0], pa, &s->mesh[1], pb, margin);
    double scale = fmax(1e-9, v3_norm(box.force));
    bool same = fabs(box.deepest - mesh.deepest) < 1e-9 + tolerance * fabs(box.deepest) &&
                v3_distance(box.force, mesh.force) < tolerance * scale &&
                v3_distance(box.moment, mesh.moment) < tolerance * scale;
    if (!CHECK(same))
        printf("  %s %d: box %d points %.3g m force %.3g %.3g %.3g moment %.3g %.3g %.3g, mesh %d "
               "points %.3g m force %.3g %.3g %.3g moment %.3g %.3g %.3g\n",
               what, k, box.count, box.deepest, box.force.x, box.force.y, box.force.z, box.moment.x,
               box.moment.y, box.moment.z, mesh.count, mesh.deepest, mesh.force.x, mesh.force.y,
               mesh.force.z, mesh.moment.x, mesh.moment.y, mesh.moment.z);
}

TEST(boxes_of_triangles_that_lie_flat_touch_as_boxes_do) {
    Shapes s = open_boxes(v3(0.1, 0.1, 0.05), v3(0.1, 0.1, 0.03));
    LithePose pa = place_identity();
    // exactly on top of each other, shifted, turned about z; above, touching and overlapping
    for (int k = 0; k < 60; k++) {
        static const double gaps[5] = {1e-4, 0, -1e-6, -1e-4, -2e-3};
        double gap = gaps[k % 5], angle = k / 5 % 3 * 0.3, shift = k / 15 % 4 * 0.02;
        LithePose pb = place_make(v3(shift, 0.5 * shift, 0.08 + gap), q4_exp(v3(0, 0, angle)));
        compare(&s, &pa, &pb, 1e-3, 1e-6, "flat", k);
    }
    close_boxes(&s);
}

TEST(small_and_large_and_thin_boxes_of_triangles_touch_as_boxes_do) {
    static const Vec3 sizes[] = {{0.01, 0.02, 0.01}, {0.05, 0.05, 0.0005}, {0.3, 0.3, 0.1}};
    for (int k = 0; k < 9; k++) {
        Shapes s = open_boxes(sizes[k / 3], sizes[k % 3]);
        LithePose pa = place_identity();
        double thin = fmin(sizes[k / 3].z, sizes[k % 3].z);
        LithePose pb = place_make(v3(0, 0, sizes[k / 3].z + sizes[k % 3].z - 0.2 * thin),
                                  q4_exp(v3(0, 0, 0.4)));
        compare(&s, &pa, &pb, 1e-3 * thin, 1e-6, "size", k);
        close_boxes(&s);
    }
}

TEST(an_edge_on_a_face_and_a_corner_on_a_face_touch_as_boxes_do) {
    Shapes s = open_boxes(v3(0.2, 0.2, 0.05), v3(0.05, 0.06, 0.04));
    LithePose pa = place_identity();
    for (int k = 0; k < 12; k++) {
        // 45 degrees about y, then tilted until only a corner is left
        Quat q = q4_unit(q4_mul(q4_exp(v3(0.1 * k, 0, 0)), q4_exp(v3(0, 0.25 * M_PI, 0))));
        LithePose pb = place_make(v3(0.01, 0.02, 0), q);
        Vec3 lowest = place_point(
            &pb, lithe_geom_support(&s.box[1], place_direction_back(&pb, v3(0, 0, -1))));
        pb.at.z += 0.05 - lowest.z - 1e-4;
        compare(&s, &pa, &pb, 1e-5, 1e-6, "edge", k);
    }
    close_boxes(&s);
}

TEST(edges_that_cross_touch_as_those_of_boxes_do) {
    Shapes s = open_boxes(v3(0.2, 0.02, 0.02), v3(0.2, 0.02, 0.02));
    double up = 0.02 * sqrt(2.0);
    for (int k = 0; k < 12; k++) {
        static const double gaps[3] = {1e-5, -1e-5, -1e-3};
        LithePose pa = place_make(v3(0, 0, 0), q4_exp(v3(0.25 * M_PI, 0, 0)));
        Quat across = q4_mul(q4_exp(v3(0, 0, 0.4 + 0.35 * (k / 3))), pa.q);
        LithePose pb = place_make(v3(0.01, 0.02, 2 * up + gaps[k % 3]), across);
        compare(&s, &pa, &pb, 1e-4, 1e-6, "crossed", k);
    }
    close_boxes(&s);
}

TEST(boxes_of_triangles_that_are_nearly_aligned_touch_as_boxes_do) {
    Shapes s = open_boxes(v3(0.1, 0.1, 0.05), v3(0.1, 0.1, 0.03));
    LithePose pa = place_identity();
    for (int k = 0; k < 64; k++) {
        static const double shifts[4] = {1e-9, 1e-6, 3e-4, -2e-3}, yaws[4] = {0, 1e-7, 1e-4, 1e-2};
        static const double tilts[4] = {0, 1e-8, 1e-5, 2e-3};
        Vec3 turn = v3(tilts[k / 4 % 4], -0.7 * tilts[k / 4 % 4], yaws[k / 16]);
        LithePose pb =
            place_make(v3(shifts[k % 4], 0.3 * shifts[k % 4], 0.08 - 1e-3), q4_exp(turn));
        compare(&s, &pa, &pb, 1e-4, 2e-3, "aligned", k);
    }
    close_boxes(&s);
}

// as a corner slides over the edge of a face, the smallest gap changes by no more than the motion
LONG_TEST(the_smallest_gap_is_continuous_as_a_mesh_slides_over_an_edge) {
    Shapes s = open_boxes(v3(0.1, 0.1, 0.05), v3(0.03, 0.02, 0.03));
    LithePose pa = place_identity();
    for (int tilted = 0; tilted < 3; tilted++) {
        double last = INFINITY, step = 1e-5;
        for (int k = 0; k < 6000; k++) {
            LithePose pb = place_make(v3(0.1 + step * k, 0.01, 0.05 + 0.03 - 1e-4),
                                      q4_exp(v3(0.3 * tilted, 0.2 * tilted, 0.4)));
            LitheClosest near;
            lithe_geom_distance(&s.mesh[0], &pa, &s.mesh[1], &pb, &near);
            if (k > 0 && !CHECK(fabs(near.distance - last) <= 1.01 * step))
                printf("  tilt %d, at %.5f m: from %.3g to %.3g m\n", tilted, step * k, last,
                       near.distance);
            last = near.distance;
        }
        CHECK(last > 0);
    }
    close_boxes(&s);
}

TEST(the_distance_of_meshes_that_are_apart_is_that_of_the_boxes) {
    Shapes s = open_boxes(v3(0.1, 0.05, 0.02), v3(0.03, 0.08, 0.04));
    for (int k = 0; k < 200; k++) {
        // a sequence without period
        double a = 1.7 * k, b = 2.3 * k, c = 0.9 * k;
        LithePose pa = place_make(v3(0, 0, 0), q4_exp(v3(sin(a), sin(b), sin(c))));
        LithePose pb =
            place_make(v3_scale(0.25 + 0.1 * sin(a + b), v3_unit(v3(sin(c), cos(a), 0.3))),
                       q4_exp(v3(cos(b), sin(a + c), sin(b))));
        LitheClosest box, mesh;
        lithe_geom_distance(&s.box[0], &pa, &s.box[1], &pb, &box);
        lithe_geom_distance(&s.mesh[0], &pa, &s.mesh[1], &pb, &mesh);
        if (box.distance > 0) {
            CHECK_NEAR(mesh.distance, box.distance, 1e-12);
            CHECK_NEAR(v3_distance(mesh.normal, box.normal), 0, 1e-9);
        }
    }
    close_boxes(&s);
}
