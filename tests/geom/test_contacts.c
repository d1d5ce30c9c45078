// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_contacts.c - contact points: their number, position and stability

#include "shapes.h"

static LitheGeom make(LitheContext *context, LitheGeomDef def) {
    LitheGeom geom = {0};
    LitheError error = {0};
    if (lithe_geom_compile(context, &def, &geom, &error) != LITHE_OK)
        printf("%s\n", error.text);
    return geom;
}

static LitheGeomDef box_def(double x, double y, double z) {
    return (LitheGeomDef){.kind = LITHE_GEOM_BOX, .size = {x, y, z}};
}

static LitheGeomDef round_def(LitheGeomKind kind, double radius, double length) {
    return (LitheGeomDef){.kind = kind, .radius = radius, .length = length};
}

/// What every contact must satisfy.
static void check_contacts(const LitheContactPoint *c, int count, double margin) {
    for (int i = 0; i < count; i++) {
        CHECK(c[i].gap <= margin);
        CHECK_NEAR(v3_norm(c[i].normal), 1, 1e-9);
        CHECK_NEAR(v3_distance(c[i].on_b, v3_axpy(c[i].gap, c[i].normal, c[i].on_a)), 0, 1e-12);
        for (int j = 0; j < i; j++)
            CHECK(c[i].feature != c[j].feature);
    }
}

TEST(resting_shapes_get_the_number_of_contacts_that_holds_them) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom plane = make(context, (LitheGeomDef){.kind = LITHE_GEOM_HALF_SPACE});
    LitheGeom slab = make(context, box_def(4, 4, 0.2));
    LithePose floor = place_identity(), slab_at = place_make(v3(0, 0, -0.1), q4_identity());
    struct {
        LitheGeomDef def;
        double height;
        Quat turn;
        int contacts;
    } rest[] = {
        {box_def(1, 0.6, 0.4), 0.2, {1, 0, 0, 0}, 4},
        {box_def(1, 1, 1), sqrt(0.5), q4_axis_angle(v3(1, 0, 0), M_PI / 4), 2},
        {round_def(LITHE_GEOM_SPHERE, 0.3, 0), 0.3, {1, 0, 0, 0}, 1},
        {round_def(LITHE_GEOM_CAPSULE, 0.1, 1), 0.1, q4_axis_angle(v3(1, 0, 0), M_PI / 2), 2},
        {round_def(LITHE_GEOM_CAPSULE, 0.1, 1), 0.6, {1, 0, 0, 0}, 1},
        {round_def(LITHE_GEOM_CYLINDER, 0.3, 1), 0.5, {1, 0, 0, 0}, 4},
        {round_def(LITHE_GEOM_CYLINDER, 0.3, 1), 0.3, q4_axis_angle(v3(0, 1, 0), M_PI / 2), 2},
        {(LitheGeomDef){.kind = LITHE_GEOM_ELLIPSOID, .size = {1, 2, 0.5}}, 0.25, {1, 0, 0, 0}, 1},
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        for (int on = 0; on < 2; on++)
            for (int deep = 0; deep < 2; deep++) {
                LitheGeom geom = make(context, rest[i].def);
                double gap = deep ? -1e-3 : 1e-3;
                LithePose at = place_make(v3(0.13, -0.07, rest[i].height + gap), rest[i].turn);
                LitheContactPoint c[LITHE_CONTACTS_MAX];
                const LitheGeom *base = on ? &slab : &plane;
                const LithePose *base_at = on ? &slab_at : &floor;
                int count = lithe_geom_contacts(base, base_at, &geom, &at, 0.01, c);
                if (!CHECK(count == rest[i].contacts))
                    printf("    case %zu on %d: %d contacts\n", i, on, count);
                check_contacts(c, count, 0.01);
                for (int k = 0; k < count; k++) {
                    CHECK_NEAR(c[k].gap, gap, 1e-9);
                    CHECK_NEAR(c[k].normal.z, 1, 1e-9);
                    CHECK_NEAR(c[k].on_a.z, 0, 1e-9);
                }
                // with the shapes exchanged
                int back = lithe_geom_contacts(&geom, &at, base, base_at, 0.01, c);
                CHECK(back == rest[i].contacts);
                for (int k = 0; k < back; k++)
                    CHECK_NEAR(c[k].normal.z, -1, 1e-9);
                CHECK(lithe_geom_contacts(base, base_at, &geom, &at, gap - 1e-6, c) == 0);
                lithe_geom_destroy(&geom);
            }
    lithe_context_destroy(context);
}

TEST(the_overlap_of_two_box_faces_is_kept_at_its_corners) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom low = make(context, box_def(2, 2, 1)), high = make(context, box_def(1, 1, 1));
    LithePose a = place_identity(), b = place_make(v3(0.9, 0.8, 0.999), q4_identity());
    LitheContactPoint c[LITHE_CONTACTS_MAX];
    int count = lithe_geom_contacts(&low, &a, &high, &b, 0.01, c);
    FATAL(count == 4);
    // the overlap is [0.4, 1] x [0.3, 1]
    double area = 0;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        CHECK(c[i].on_a.x > 0.4 - 1e-9 && c[i].on_a.x < 1 + 1e-9);
        CHECK(c[i].on_a.y > 0.3 - 1e-9 && c[i].on_a.y < 1 + 1e-9);
        area = fmax(area, v3_distance(c[0].on_a, c[i].on_a));
        sum = v3_add(sum, c[i].on_a);
    }
    CHECK_NEAR(area, hypot(0.6, 0.7), 1e-9);
    CHECK_NEAR(sum.x, 2.8, 1e-9);
    CHECK_NEAR(sum.y, 2.6, 1e-9);
    lithe_context_destroy(context);
}

TEST(rod_segments_side_by_side_touch_at_the_ends_of_their_overlap) {
    LithePose world = place_identity();
    TestRandom r = {1};
    for (int i = 0; i < 200; i++) {
        double tilt = test_random(&r, -0.01, 0.01), slide = test_random(&r, -0.6, 0.6);
        LitheGeom a = lithe_geom_segment(v3(-0.5, 0, 0), v3(0.5, 0, 0), 0.05);
        LitheGeom b =
            lithe_geom_segment(v3(slide - 0.5, tilt, 0.1), v3(slide + 0.5, -tilt, 0.1), 0.05);
        LitheContactPoint c[LITHE_CONTACTS_MAX];
        int count = lithe_geom_contacts(&a, &world, &b, &world, 0.01, c);
        check_contacts(c, count, 0.01);
        FATAL(count >= 2 && count <= 3);
        double low = fmax(-0.5, slide - 0.5), high = fmin(0.5, slide + 0.5);
        double first = INFINITY, last = -INFINITY;
        for (int k = 0; k < count; k++) {
            first = fmin(first, c[k].on_a.x);
            last = fmax(last, c[k].on_a.x);
        }
        CHECK_NEAR(first, low, 1e-3);
        CHECK_NEAR(last, high, 1e-3);
    }
    // crossing at a right angle: one
    LitheGeom a = lithe_geom_segment(v3(-0.5, 0, 0), v3(0.5, 0, 0), 0.05);
    LitheGeom b = lithe_geom_segment(v3(0, -0.5, 0.1), v3(0, 0.5, 0.1), 0.05);
    LitheContactPoint c[LITHE_CONTACTS_MAX];
    CHECK(lithe_geom_contacts(&a, &world, &b, &world, 0.01, c) == 1);
}

TEST(small_motion_keeps_features_and_moves_contacts_little) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom low = make(context, box_def(2, 2, 1)), high = make(context, box_def(1, 1, 1));
    LithePose a = place_identity();
    TestRandom r = {2};
    int same = 0, trials = 300;
    for (int i = 0; i < trials; i++) {
        Vec3 at = v3(test_random(&r, -0.9, 0.9), test_random(&r, -0.9, 0.9), 0.999);
        Quat turn = q4_axis_angle(v3(0, 0, 1), test_random(&r, 0, 6));
        LithePose b = place_make(at, turn);
        Vec3 nudge = random_vec(&r, 1e-5);
        LithePose moved = place_make(v3_add(at, nudge), q4_mul(q4_exp(random_vec(&r, 1e-5)), turn));
        LitheContactPoint c[LITHE_CONTACTS_MAX], d[LITHE_CONTACTS_MAX];
        int n = lithe_geom_contacts(&low, &a, &high, &b, 0.02, c);
        int m = lithe_geom_contacts(&low, &a, &high, &moved, 0.02, d);
        CHECK(n >= 3 && m >= 3);
        int kept = 0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                if (c[j].feature == d[k].feature) {
                    kept++;
                    CHECK(v3_distance(c[j].on_a, d[k].on_a) < 1e-3);
                }
        same += kept == n && n == m;
    }
    // the choice of four among eight corners may change where two are equally good
    CHECK(same > trials * 95 / 100);
    lithe_context_destroy(context);
}

// A contact that is found twice, as a corner and as the nearest point, has one id: rounding does
// not change it. A contact whose id changes would count as new, and its force as that of an impact.
TEST(rounding_does_not_change_the_feature_of_a_single_contact) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef disk = round_def(LITHE_GEOM_CYLINDER, 0.04, 0.01), flat = disk;
    disk.rounding = 0.005;
    LitheGeom shapes[] = {make(context, disk), make(context, flat),
                          make(context, box_def(0.1, 0.06, 0.04)),
                          make(context, round_def(LITHE_GEOM_CAPSULE, 0.02, 0.1))};
    LitheGeom bases[] = {make(context, (LitheGeomDef){.kind = LITHE_GEOM_HALF_SPACE}),
                         make(context, box_def(2, 2, 1)),
                         make(context, round_def(LITHE_GEOM_SPHERE, 0.5, 0))};
    TestRandom r = {5};
    int single = 0;
    for (int i = 0; i < 1200; i++) {
        const LitheGeom *base = &bases[i % 3], *geom = &shapes[i / 3 % 4];
        LithePose a = place_make(v3(0, 0, i % 3 == 0 ? 0 : -0.5), q4_identity()), b;
        Quat turn = q4_exp(random_vec(&r, 3));
        LitheClosest near;
        b = place_make(v3(test_random(&r, -0.2, 0.2), 0.01, 0.3), turn);
        lithe_geom_distance(base, &a, geom, &b, &near);
        b.at = v3_axpy(-near.distance - 1e-5, near.normal, b.at);
        LitheContactPoint c[LITHE_CONTACTS_MAX], d[LITHE_CONTACTS_MAX];
        bool alone = lithe_geom_contacts(base, &a, geom, &b, 1e-4, c) == 1;
        for (int k = 0; alone && k < 10; k++) {
            LithePose moved = place_make(v3_add(b.at, random_vec(&r, 1e-12)),
                                         q4_unit(q4_mul(q4_exp(random_vec(&r, 1e-12)), turn)));
            if (CHECK(lithe_geom_contacts(base, &a, geom, &moved, 1e-4, d) == 1))
                CHECK(d->feature == c->feature);
        }
        single += alone;
    }
    CHECK(single > 800);
    lithe_context_destroy(context);
}

LONG_TEST(contacts_are_never_deeper_than_the_distance_and_reach_it) {
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int touching = 0;
    for (int i = LITHE_GEOM_SPHERE; i <= LITHE_GEOM_CONVEX_MESH; i++)
        for (int j = LITHE_GEOM_SPHERE; j <= LITHE_GEOM_REVOLUTION; j++)
            for (int k = 0; k < 20 * (full_run() ? 50 : 1); k++) {
                shape_make(context, &r, i, a);
                shape_make(context, &r, j, b);
                b->pose.at = random_vec(&r, 1.2);
                LitheClosest near;
                lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &near);
                LitheContactPoint c[LITHE_CONTACTS_MAX];
                double margin = 0.05, min = INFINITY;
                int n = lithe_geom_contacts(&a->geom, &a->pose, &b->geom, &b->pose, margin, c);
                CHECK((n > 0) == (near.distance <= margin));
                for (int m = 0; m < n; m++)
                    min = fmin(min, c[m].gap);
                check_contacts(c, n, margin);
                bool convex = j <= LITHE_GEOM_CONVEX_MESH;
                if (n > 0 && convex)
                    CHECK_NEAR(min, near.distance, 3e-3);
                if (n > 0 && convex)
                    CHECK(min >= near.distance - 1e-6);
                touching += n > 0;
                shape_free(a);
                shape_free(b);
            }
    CHECK(touching > 300);
    free(a);
    free(b);
    lithe_context_destroy(context);
}

TEST(a_box_on_a_flat_mesh_stands_on_four_corners_without_edge_ghosts) {
    LitheContext *context = lithe_context_create(NULL);
    // a flat heightfield of many cells
    double heights[64] = {0};
    LitheGeom ground = make(context, (LitheGeomDef){.kind = LITHE_GEOM_HEIGHTFIELD,
                                                    .size = {4, 4, 1},
                                                    .heights = heights,
                                                    .rows = 8,
                                                    .columns = 8});
    LitheGeom box = make(context, box_def(1, 0.7, 0.5));
    LitheGeom rod = lithe_geom_segment(v3(-0.9, 0.1, 0.02), v3(0.9, -0.2, 0.02), 0.02);
    LithePose world = place_identity();
    for (int deep = 0; deep < 2; deep++) {
        double gap = deep ? -1e-3 : 1e-3;
        LithePose at = place_make(v3(0.1, 0.2, 0.25 + gap), q4_axis_angle(v3(0, 0, 1), 0.3));
        LitheContactPoint c[LITHE_CONTACTS_MAX];
        int count = lithe_geom_contacts(&ground, &world, &box, &at, 0.01, c);
        CHECK(count == 4);
        check_contacts(c, count, 0.01);
        double widest = 0;
        for (int i = 0; i < count; i++) {
            CHECK_NEAR(c[i].normal.z, 1, 1e-9);
            CHECK_NEAR(c[i].gap, gap, 1e-9);
            widest = fmax(widest, v3_distance(c[0].on_a, c[i].on_a));
        }
        CHECK_NEAR(widest, hypot(1, 0.7), 1e-6);
        LithePose rod_at = place_make(v3(0, 0, gap), q4_identity());
        count = lithe_geom_contacts(&ground, &world, &rod, &rod_at, 0.01, c);
        CHECK(count >= 2 && count <= 3);
        for (int i = 0; i < count; i++)
            CHECK_NEAR(c[i].normal.z, 1, 1e-9);
    }
    lithe_geom_destroy(&ground);
    lithe_context_destroy(context);
}

TEST(an_edge_along_a_half_space_has_the_bits_of_the_contacts_of_two_shapes) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom plane = make(context, (LitheGeomDef){.kind = LITHE_GEOM_HALF_SPACE});
    TestRandom random = {7};
    int along = 0, other = 0;
    for (int k = 0; k < 20000; k++) {
        LithePose at = place_make(random_vec(&random, 1), random_turn(&random));
        LithePose world = place_identity();
        double length = pow(10, test_random(&random, -6, 0)), radius = 0.3 * length;
        double margin = k % 3 == 0 ? 0 : test_random(&random, 0, 0.5) * radius;
        Vec3 n = m3_column(at.r, 2), side = v3_unit(v3_cross(n, random_unit(&random)));
        Vec3 d = v3_axpy(test_random(&random, -0.5, 0.5), n, side);
        Vec3 p = v3_axpy(test_random(&random, 0, 2) * radius, n, at.at);
        p = v3_axpy(test_random(&random, -1, 1), side, p);
        if (k % 5 == 0)
            p.x = -0.0;
        Vec3 q = v3_axpy(length, d, p);
        LitheGeom edge = lithe_geom_segment(p, q, radius);
        LitheContactPoint all[LITHE_CONTACTS_MAX], two[2];
        int count = lithe_geom_contacts(&edge, &world, &plane, &at, margin, all);
        if (!lithe_plane_edge(&at, p, q, radius, margin, two)) {
            other++;
            continue;
        }
        along++;
        CHECK(count == 2);
        for (int i = 0; i < 2; i++) {
            const LitheContactPoint *x = &two[i], *y = &all[x->feature == all[0].feature ? 0 : 1];
            Vec3 normal = v3_neg(x->normal);
            CHECK(x->feature == y->feature && y->weight == 1);
            CHECK(memcmp(&x->gap, &y->gap, sizeof x->gap) == 0);
            CHECK(memcmp(&normal, &y->normal, sizeof normal) == 0);
            CHECK(memcmp(&x->on_a, &y->on_b, sizeof normal) == 0);
            CHECK(memcmp(&x->on_b, &y->on_a, sizeof normal) == 0);
            // the first is at p, the second at q
            CHECK_NEAR(v3_distance(v3_axpy(radius, n, x->on_b), i == 0 ? p : q), 0, 1e-12);
        }
    }
    CHECK(along > 2000 && other > 2000);
    lithe_context_destroy(context);
}
