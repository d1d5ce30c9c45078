// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_distance_round.c - tubes and tori: distances and contacts against dense samples
// of the exact shapes

#include "geom/distance_round.h"
#include "lithe/base.h"

#include "test.h"

enum { POSES = 300, DENSE = 4000 };

static double random_in(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static LitheGeom make(LitheContext *context, LitheGeomDef def) {
    LitheGeom geom = {0};
    LitheError error = {0};
    if (!CHECK(lithe_geom_compile(context, &def, &geom, &error) == LITHE_OK))
        printf("  %s\n", error.text);
    return geom;
}

static LithePose random_pose(uint64_t *seed, double reach) {
    Vec3 at = {random_in(seed, -reach, reach), random_in(seed, -reach, reach),
               random_in(seed, -reach, reach)};
    return place_make(
        at, q4_exp(v3(random_in(seed, -3, 3), random_in(seed, -3, 3), random_in(seed, -3, 3))));
}

// signed distance of a tube about z
static double to_tube(const LitheGeom *a, Vec3 x) {
    double rho = hypot(x.x, x.y), wall = fmax(a->hole - rho, rho - a->radius);
    double end = fabs(x.z) - a->half.z;
    return fmin(fmax(wall, end), 0) + hypot(fmax(wall, 0), fmax(end, 0));
}

static double to_torus(const LitheGeom *a, Vec3 x) {
    return hypot(hypot(x.x, x.y) - a->radius, x.z) - a->section;
}

// distance of a capsule, by dense points of its axis
static double dense(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                    const LithePose *pb) {
    double least = INFINITY;
    for (int i = 0; i <= DENSE; i++) {
        Vec3 x =
            place_point_back(pa, place_point(pb, v3_mix(b->end[0], b->end[1], (double)i / DENSE)));
        double far = a->exact == LITHE_GEOM_TUBE ? to_tube(a, x) : to_torus(a, x);
        least = fmin(least, far);
    }
    return least - b->radius;
}

// how far a point lies from the surface of a
static double off(const LitheGeom *a, const LithePose *pa, Vec3 x) {
    Vec3 y = place_point_back(pa, x);
    return fabs(a->exact == LITHE_GEOM_TUBE ? to_tube(a, y) : to_torus(a, y));
}

static void against_capsules(LitheGeomDef def, double tolerance, uint64_t seed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom a = make(context, def);
    LitheGeom b =
        make(context, (LitheGeomDef){.kind = LITHE_GEOM_CAPSULE, .radius = 0.01, .length = 0.25});
    double worst = 0, astray = 0;
    int touching = 0;
    for (int i = 0; i < POSES; i++) {
        LithePose pa = random_pose(&seed, 0.1), pb = pa;
        pb.at = v3_add(pb.at, random_pose(&seed, 0.12).at);
        pb.q = random_pose(&seed, 1).q;
        pb = place_make(pb.at, pb.q);
        double want = dense(&a, &pa, &b, &pb);
        if (want < 0) // the axis may be inside
            continue;
        LitheClosest got;
        lithe_geom_distance(&a, &pa, &b, &pb, &got);
        worst = fmax(worst, fabs(got.distance - want));
        LitheContactPoint points[LITHE_CONTACTS_MAX];
        int count = lithe_geom_face_contacts(&a, &pa, &b, &pb, want + 1e-3, true, NULL, points);
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            least = fmin(least, points[k].gap);
            // between the two places where a line crosses the end of a tube it spans the hole
            if (count < 3)
                astray = fmax(astray, off(&a, &pa, points[k].on_a));
            CHECK_NEAR(v3_norm(points[k].normal), 1, 1e-12);
        }
        touching += count > 0;
        if (!CHECK(count > 0 && fabs(least - want) < tolerance))
            printf("  pose %d: %d contacts, gap %g, wanted %g\n", i, count, least, want);
    }
    printf("  %d poses: distance within %.2g m, points within %.2g m\n", touching, worst, astray);
    CHECK(touching > POSES / 3);
    CHECK(worst < tolerance && astray < tolerance);
    lithe_geom_destroy(&a);
    lithe_geom_destroy(&b);
    lithe_context_destroy(context);
}

TEST(a_torus_is_exact_for_capsules) {
    against_capsules(
        (LitheGeomDef){.kind = LITHE_GEOM_TORUS, .radius = 0.08, .section_radius = 0.02}, 1e-6, 1);
}

// beside the ends triangles remain: within 0.08 % of the radius
TEST(a_tube_is_exact_for_capsules_except_at_its_ends) {
    against_capsules(
        (LitheGeomDef){.kind = LITHE_GEOM_TUBE, .radius = 0.09, .hole = 0.07, .length = 0.1}, 1e-4,
        2);
    against_capsules(
        (LitheGeomDef){.kind = LITHE_GEOM_TUBE, .radius = 0.09, .hole = 0.08, .length = 0.02}, 1e-4,
        3);
}

TEST(balls_have_the_distance_of_the_exact_shape) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom shapes[2] = {
        make(context,
             (LitheGeomDef){.kind = LITHE_GEOM_TUBE, .radius = 0.09, .hole = 0.07, .length = 0.1}),
        make(context,
             (LitheGeomDef){.kind = LITHE_GEOM_TORUS, .radius = 0.08, .section_radius = 0.02})};
    LitheGeom ball = lithe_geom_ball(0.01);
    uint64_t seed = 5;
    for (int i = 0; i < 2 * POSES; i++) {
        const LitheGeom *a = &shapes[i % 2];
        LithePose pa = random_pose(&seed, 0.1), pb = random_pose(&seed, 0.15);
        Vec3 x = place_point_back(&pa, pb.at);
        double want = (i % 2 ? to_torus(a, x) : to_tube(a, x)) - 0.01;
        LitheClosest got;
        lithe_geom_distance(a, &pa, &ball, &pb, &got);
        CHECK_NEAR(got.distance, want, 1e-15);
        CHECK_NEAR(v3_distance(v3_axpy(got.distance, got.normal, got.on_a), got.on_b), 0, 1e-15);
        CHECK(off(a, &pa, got.on_a) < 1e-15);
    }
    // one that fills the hole touches all around
    LithePose world = place_identity(), at = place_make(v3(1e-5, 0, 0), q4_identity());
    LitheGeom plug = lithe_geom_ball(0.07);
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    Vec3 sum = {0, 0, 0};
    int count = lithe_geom_contacts(&shapes[0], &world, &plug, &at, 1e-4, points);
    CHECK(count == 4);
    for (int k = 0; k < count; k++)
        sum = v3_add(sum, points[k].normal);
    CHECK(v3_norm(sum) < 1e-3);
    lithe_geom_destroy(&shapes[0]);
    lithe_geom_destroy(&shapes[1]);
    lithe_context_destroy(context);
}

// the distance of one circle from dense points of the other
TEST(two_tori_are_as_far_from_each_other_as_their_circles) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom a = make(
        context, (LitheGeomDef){.kind = LITHE_GEOM_TORUS, .radius = 0.08, .section_radius = 0.01});
    LitheGeom b = make(
        context, (LitheGeomDef){.kind = LITHE_GEOM_TORUS, .radius = 0.05, .section_radius = 0.008});
    uint64_t seed = 7;
    double worst = 0;
    for (int i = 0; i < POSES; i++) {
        LithePose pa = random_pose(&seed, 0.1), pb = random_pose(&seed, 0.15);
        double want = INFINITY;
        for (int k = 0; k < DENSE; k++) {
            double angle = 2 * M_PI * k / DENSE;
            Vec3 x = place_point(&pb, v3(0.05 * cos(angle), 0.05 * sin(angle), 0));
            want = fmin(want, to_torus(&a, place_point_back(&pa, x)) - 0.008);
        }
        LitheClosest got;
        lithe_geom_distance(&a, &pa, &b, &pb, &got);
        worst = fmax(worst, fabs(got.distance - want));
        LitheContactPoint points[LITHE_CONTACTS_MAX];
        int count = lithe_geom_face_contacts(&a, &pa, &b, &pb, want + 1e-3, true, NULL, points);
        CHECK(count > 0 && count <= 4);
    }
    printf("  distance within %.2g m\n", worst);
    CHECK(worst < 1e-4);
    lithe_geom_destroy(&a);
    lithe_geom_destroy(&b);
    lithe_context_destroy(context);
}

// a ring that hangs on a peg through it touches it on a line, or at a rim if it is tilted
TEST(a_peg_touches_a_ring_at_both_rims_or_at_one) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeom a =
        make(context,
             (LitheGeomDef){.kind = LITHE_GEOM_TUBE, .radius = 0.09, .hole = 0.07, .length = 0.04});
    LitheGeom b =
        make(context, (LitheGeomDef){.kind = LITHE_GEOM_CYLINDER, .radius = 0.01, .length = 0.3});
    LithePose world = place_identity();
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    for (int i = 0; i < 20; i++) {
        double tilt = 0.02 * i, y = 0.06 + 1e-6 - 0.02 * sin(tilt) - 0.01 * (1 - cos(tilt));
        LithePose at = place_make(v3(0, y, 0), q4_exp(v3(tilt, 0, 0)));
        int count = lithe_geom_face_contacts(&a, &world, &b, &at, 1e-3, true, NULL, points);
        double least = INFINITY, weight = 0;
        for (int k = 0; k < count; k++) {
            least = fmin(least, points[k].gap);
            weight += points[k].weight;
            CHECK(off(&a, &world, points[k].on_a) < 1e-4);
        }
        // exact: points of the rims from the line of the peg
        double want = INFINITY;
        for (int k = 0; k < 2; k++)
            for (int j = -100; j <= 100; j++) {
                double angle = 0.5 * M_PI + 1e-3 * j;
                Vec3 x = v3(0.07 * cos(angle), 0.07 * sin(angle), k ? 0.02 : -0.02);
                Vec3 d = place_point_back(&at, x);
                want = fmin(want, hypot(d.x, d.y) - 0.01);
            }
        CHECK(count == (i == 0 ? 4 : count) && (i > 0 || fabs(weight - 2) < 1e-12));
        if (!CHECK(fabs(least - want) < 2e-7))
            printf("  tilt %g: %d contacts, gap %g, wanted %g\n", tilt, count, least, want);
    }
    lithe_geom_destroy(&a);
    lithe_geom_destroy(&b);
    lithe_context_destroy(context);
}

// every convex shape at random places, also through the wall: unit normals, gaps within the margin,
// points where they say, and the deepest one as deep as the distance
LONG_TEST(contacts_are_sound_with_every_convex_shape) {
    LitheContext *context = lithe_context_create(NULL);
    const LitheVec3 corners[] = {{0.03, 0, 0}, {-0.02, 0.03, 0}, {-0.02, -0.03, 0},
                                 {0, 0, 0.05}, {0, 0, -0.02},    {0.02, 0.02, 0.03}};
    const LitheGeomDef others[] = {
        {.kind = LITHE_GEOM_SPHERE, .radius = 0.03},
        {.kind = LITHE_GEOM_CAPSULE, .radius = 0.02, .length = 0.1},
        {.kind = LITHE_GEOM_CYLINDER, .radius = 0.02, .length = 0.06},
        {.kind = LITHE_GEOM_CYLINDER, .radius = 0.03, .length = 0.02, .rounding = 0.01},
        {.kind = LITHE_GEOM_BOX, .size = {0.05, 0.03, 0.2}},
        {.kind = LITHE_GEOM_ELLIPSOID, .size = {0.05, 0.03, 0.1}},
        {.kind = LITHE_GEOM_ELLIPTIC_CYLINDER, .size = {0.05, 0.03, 0.1}},
        {.kind = LITHE_GEOM_CONVEX_MESH, .points = corners, .point_count = 6}};
    const LitheGeomDef rounds[] = {
        {.kind = LITHE_GEOM_TUBE, .radius = 0.09, .hole = 0.07, .length = 0.1},
        {.kind = LITHE_GEOM_TORUS, .radius = 0.08, .section_radius = 0.02}};
    uint64_t seed = 11;
    for (int k = 0; k < 2 * 8; k++) {
        LitheGeom a = make(context, rounds[k % 2]), b = make(context, others[k / 2]);
        int touching = 0, wrong = 0;
        for (int i = 0; i < POSES; i++) {
            LithePose pa = random_pose(&seed, 0.1), pb = random_pose(&seed, 1);
            // every third one with parallel axes, where all of a circle may be near
            pb = place_make(v3_add(pa.at, random_pose(&seed, 0.1).at), i % 3 ? pb.q : pa.q);
            LitheClosest closest;
            lithe_geom_distance(&a, &pa, &b, &pb, &closest);
            LitheContactPoint points[LITHE_CONTACTS_MAX];
            int count = lithe_geom_face_contacts(&a, &pa, &b, &pb, 0.01, true, NULL, points);
            double least = INFINITY;
            bool sound = count >= 0 && count <= LITHE_CONTACTS_MAX;
            for (int j = 0; j < count; j++) {
                const LitheContactPoint *p = &points[j];
                Vec3 end = v3_axpy(p->gap, p->normal, p->on_a);
                least = fmin(least, p->gap);
                sound = sound && fabs(v3_norm(p->normal) - 1) < 1e-9 && p->gap <= 0.01 &&
                        v3_distance(end, p->on_b) < 1e-9 && p->weight > 0 && p->weight <= 2;
            }
            sound =
                sound && isfinite(closest.distance) && (count > 0) == (closest.distance <= 0.01);
            if (closest.distance > 0 && count > 0)
                sound = sound && fabs(least - closest.distance) < 2e-4;
            touching += count > 0;
            if (!sound && wrong++ == 0)
                printf("  shape %d, pose %d: %d contacts, gap %g, distance %g\n", k, i, count,
                       least, closest.distance);
        }
        CHECK(wrong == 0);
        CHECK(touching > POSES / 10);
        lithe_geom_destroy(&a);
        lithe_geom_destroy(&b);
    }
    lithe_context_destroy(context);
}
