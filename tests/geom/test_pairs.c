// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_pairs.c - every pair of shapes against an optimiser that uses their descriptions
//
// 1000 pairs; with LITHE_TEST_FULL in the environment 10^5, and a table of the results.

#include "optimiser.h"

static const struct {
    int kind;
    const char *name;
} CONVEX[] =
    {
        {LITHE_GEOM_SPHERE, "sphere"},       {LITHE_GEOM_CAPSULE, "capsule"},
        {LITHE_GEOM_CYLINDER, "cylinder"},   {LITHE_GEOM_BOX, "box"},
        {LITHE_GEOM_ELLIPSOID, "ellipsoid"}, {LITHE_GEOM_CONVEX_MESH, "convex mesh"},
        {LITHE_GEOM_SEGMENT, "rod segment"}, {SHAPE_BAR, "rod bar"},
},
  SOLID[] = {
      {LITHE_GEOM_TRIANGLE_MESH, "triangle mesh"},
      {LITHE_GEOM_HEIGHTFIELD, "heightfield"},
      {LITHE_GEOM_REVOLUTION, "revolution"},
};
enum { CONVEX_COUNT = 8, SOLID_COUNT = 3, FAMILIES = 9, MAX_PIECES = 300 };
// searches for a direction: where none is expected, and where one must exist
enum { BRIEF = 4, THOROUGH = 600 };
// of the size of both shapes together
#define TOLERANCE 1e-6

/// Results for one pair of kinds, relative to the size.
typedef struct Tally {
    int pairs, overlaps;
    double distance, point, normal, better; // worst errors
    int unreached;                          // the optimiser ended below the distance
} Tally;

static void worse(double *worst, double error) {
    *worst = fmax(*worst, error);
}

// --- two convex shapes ---------------------------------------------------------------------------

static bool check_convex(const Shape *a, const Shape *b, TestRandom *r, Tally *tally) {
    LitheClosest c, back;
    lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
    lithe_geom_distance(&b->geom, &b->pose, &a->geom, &a->pose, &back);
    double size = a->size + b->size, tolerance = TOLERANCE * size;
    Side x = whole(a), y = whole(b);
    // the normal attains the distance: the true distance is no smaller
    double along = beyond(&x, &y, c.normal);
    bool ok = CHECK_NEAR(v3_norm(c.normal), 1, 1e-9);
    ok &= CHECK_NEAR(along, c.distance, tolerance);
    ok &= CHECK_NEAR(back.distance, c.distance, tolerance);
    // the points lie on the shapes at this distance: that of separated shapes is no larger
    double point = fmax(outside(a, c.on_a, r), outside(b, c.on_b, r));
    point = fmax(point, fabs(v3_dot(c.normal, c.on_a) - extent(&x, c.normal)));
    point = fmax(point, fabs(-v3_dot(c.normal, c.on_b) - extent(&y, v3_neg(c.normal))));
    point = fmax(point, v3_distance(c.on_b, v3_axpy(c.distance, c.normal, c.on_a)));
    ok &= CHECK(point <= tolerance);
    // and the optimiser, which is independent of the result, finds the same
    Vec3 n = random_unit(r);
    bool apart = c.distance > 0, met;
    double goal = c.distance - 0.5 * tolerance, best = -INFINITY;
    // overlaps have many local minima: some searches find a better one than the library
    if (!apart)
        best = optimise(&x, &y, n, INFINITY, 100, 6, 200, r, &n);
    else
        best = descend(&x, &y, n, goal, &met, &n);
    if (best < goal)
        best = optimise(&x, &y, n, goal, 100, 40, 200, r, &n);
    ok &= CHECK(best <= c.distance + tolerance);
    tally->unreached += best < c.distance - tolerance;
    tally->overlaps += !apart;
    worse(&tally->distance, fabs(along - c.distance) / size);
    worse(&tally->better, (best - c.distance) / size);
    worse(&tally->point, point / size);
    worse(&tally->normal, fabs(v3_norm(c.normal) - 1));
    return ok;
}

// --- half-space ----------------------------------------------------------------------------------

static bool check_half_space(const Shape *a, const Shape *b, TestRandom *r, Tally *tally) {
    LitheClosest c, back;
    lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
    lithe_geom_distance(&b->geom, &b->pose, &a->geom, &a->pose, &back);
    Vec3 up = m3_column(a->pose.r, 2);
    double size = b->size, want = -shape_extent(b, v3_neg(up)) - v3_dot(up, a->pose.at);
    bool ok = CHECK_NEAR(c.distance, want, TOLERANCE * size);
    ok &= CHECK_NEAR(back.distance, want, TOLERANCE * size);
    double normal = fmax(v3_distance(c.normal, up), v3_distance(v3_neg(back.normal), up));
    ok &= CHECK(normal <= 1e-12);
    double point = fabs(v3_dot(up, v3_sub(c.on_a, a->pose.at)));
    point = fmax(point, v3_distance(c.on_b, v3_axpy(c.distance, up, c.on_a)));
    point =
        fmax(point, lithe_geom_is_convex(&b->geom) ? outside(b, c.on_b, r) : to_surface(b, c.on_b));
    ok &= CHECK(point <= TOLERANCE * size);
    tally->overlaps += want <= 0;
    worse(&tally->distance, fabs(c.distance - want) / size);
    worse(&tally->point, point / size);
    worse(&tally->normal, normal);
    return ok;
}

// --- solids --------------------------------------------------------------------------------------

static Vec3 middle_of(const Side *side) {
    Vec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
    return v3(0.5 * (extent(side, x) - extent(side, v3_neg(x))),
              0.5 * (extent(side, y) - extent(side, v3_neg(y))),
              0.5 * (extent(side, z) - extent(side, v3_neg(z))));
}

/// Whether a part of b lies beside the rectangle of a heightfield, or on its border.
static bool beside(const Shape *a, const Side *b) {
    if (a->def.kind != LITHE_GEOM_HEIGHTFIELD)
        return false;
    Vec3 x = m3_column(a->pose.r, 0), y = m3_column(a->pose.r, 1);
    Vec3 half = v3_scale(0.5 - 1e-9, a->def.size);
    double at_x = v3_dot(x, a->pose.at), at_y = v3_dot(y, a->pose.at);
    return extent(b, x) - at_x > half.x || extent(b, v3_neg(x)) + at_x > half.x ||
           extent(b, y) - at_y > half.y || extent(b, v3_neg(y)) + at_y > half.y;
}

/// Whether some direction shows the two at least `goal` apart; `starts` of the climb.
static bool proven_apart(const Side *a, const Side *b, Vec3 guess, double goal, int starts,
                         TestRandom *r) {
    if (beyond(a, b, guess) >= goal)
        return true;
    Vec3 line = v3_sub(middle_of(b), middle_of(a)), n;
    Vec3 first = v3_norm(line) > 0 ? v3_unit(line) : guess;
    if (beyond(a, b, first) >= goal || beyond(a, b, v3_neg(guess)) >= goal)
        return true;
    if (beyond(a, b, guess) > beyond(a, b, first))
        first = guess;
    bool met;
    if (descend(a, b, first, goal, &met, &n) >= goal)
        return true;
    if (met && goal > 0)
        return false;
    // at a touch, a short distance apart has nearly the same direction, and is easier to find
    for (double away = 1e-2; starts == THOROUGH && away > 1e-6; away *= 0.2) {
        Side there = *b;
        Vec3 m = n;
        there.shift = v3_axpy(away * b->shape->size, guess, there.shift);
        descend(a, &there, first, INFINITY, &met, &m);
        if (beyond(a, b, m) >= goal)
            return true;
    }
    return optimise(a, b, n, goal, 30, starts, 300, r, &n) >= goal;
}

/// The core cuts no piece: every piece is at least as far as reported, and the points are at that
/// distance.
static bool check_solid_apart(const Shape *a, const Shape *b, const LitheClosest *c, TestRandom *r,
                              Tally *tally) {
    double size = a->size + b->size, tolerance = TOLERANCE * size;
    Side y = whole(b), inner = core(b);
    bool ok = true;
    for (int i = 0; i < piece_count(a); i++) {
        Side x = piece(a, i);
        ok &= CHECK(proven_apart(&x, &y, c->normal, c->distance - tolerance, THOROUGH, r));
    }
    double along = fabs(-v3_dot(c->normal, c->on_b) - extent(&y, v3_neg(c->normal)));
    ok &= CHECK(along <= tolerance);
    worse(&tally->point, along / size);
    // an object that reaches under a heightfield from the side counts as apart
    Vec3 middle = middle_of(&inner);
    if (to_surface(a, middle) > tolerance && !beside(a, &inner))
        ok &= CHECK(!holds(a, middle, r));
    return ok;
}

/// The core intersects pieces: moved along the normal by the depth it is clear of all of them, and
/// no normal of an intersected face needs less.
static bool check_solid_cut(const Shape *a, const Shape *b, const LitheClosest *c, TestRandom *r) {
    double size = a->size + b->size, tolerance = TOLERANCE * size;
    double depth = -c->distance - rounding(b);
    int cut[MAX_PIECES], count = 0;
    Side y = core(b), moved = y;
    for (int i = 0; i < piece_count(a); i++) {
        Side x = piece(a, i);
        if (!proven_apart(&x, &y, c->normal, 1e-9 * size, BRIEF, r))
            cut[count++] = i;
    }
    // moved out it is clear of the pieces that it intersected, but may meet others in a pit; a
    // revolution has no pits: there it must be clear of all pieces
    bool ok = true, all = !a->geom.mesh;
    moved.shift = v3_scale(depth, c->normal);
    for (int k = 0; k < (all ? piece_count(a) : count); k++) {
        Side x = piece(a, all ? k : cut[k]);
        ok &= CHECK(proven_apart(&x, &moved, c->normal, -tolerance, THOROUGH, r) ||
                    (!all && proven_apart(&x, &y, c->normal, -1e-7 * size, THOROUGH, r)));
    }
    for (int k = 0; k < 3 && count > 0 && !all; k++) {
        int i = cut[(int)test_random(r, 0, count)];
        // what only touches is no candidate
        Side face = piece(a, i);
        if (proven_apart(&face, &y, c->normal, -tolerance, 10, r))
            continue;
        Vec3 u = v3_sub(corner(a, i, 1), corner(a, i, 0));
        Vec3 v = v3_sub(corner(a, i, 2), corner(a, i, 0));
        Vec3 n = place_direction(&a->pose, v3_unit(v3_cross(u, v)));
        bool clear = depth > 10 * tolerance;
        moved.shift = v3_scale(depth - 10 * tolerance, n);
        for (int m = 0; m < count && clear; m++) {
            Side x = piece(a, cut[m]);
            clear = proven_apart(&x, &moved, n, tolerance, BRIEF, r);
        }
        ok &= CHECK(!clear);
    }
    return ok;
}

static bool check_solid(const Shape *a, const Shape *b, TestRandom *r, Tally *tally) {
    LitheClosest c, back;
    lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
    lithe_geom_distance(&b->geom, &b->pose, &a->geom, &a->pose, &back);
    double size = a->size + b->size, tolerance = TOLERANCE * size, round = rounding(b);
    bool ok = CHECK_NEAR(v3_norm(c.normal), 1, 1e-9);
    ok &= CHECK_NEAR(back.distance, c.distance, tolerance);
    double point = v3_distance(c.on_b, v3_axpy(c.distance, c.normal, c.on_a));
    point = fmax(point, to_surface(a, c.on_a));
    bool is_point = b->def.kind == LITHE_GEOM_SPHERE;
    if (!is_point || c.distance + round > 0)
        point = fmax(point, outside(b, c.on_b, r));
    ok &= CHECK(point <= tolerance);
    worse(&tally->point, point / size);
    worse(&tally->normal, fabs(v3_norm(c.normal) - 1));
    tally->overlaps += c.distance <= 0;
    if (is_point) {
        double want = to_surface(a, b->pose.at), got = c.distance + round;
        Side inner = core(b);
        if (beside(a, &inner))
            got = fabs(got);
        else if (want > tolerance && holds(a, b->pose.at, r))
            want = -want;
        ok &= CHECK_NEAR(got, want, tolerance);
        worse(&tally->distance, fabs(got - want) / size);
    } else if (c.distance + round > tolerance) {
        ok &= check_solid_apart(a, b, &c, r, tally);
    } else {
        ok &= check_solid_cut(a, b, &c, r);
    }
    return ok;
}

// --- families ------------------------------------------------------------------------------------

static double grid_step(TestRandom *r) {
    return 0.25 * ((int)test_random(r, 0, 9) - 4);
}

/// Styles and places of the two shapes, by family.
static void place(LitheContext *context, TestRandom *r, int family, int kind_a, int kind_b,
                  Shape *a, Shape *b) {
    ShapeStyle style = family >= 3 && family <= 6 && family != 3 ? SHAPE_GRID
                       : family >= 7                             ? SHAPE_THIN
                                                                 : SHAPE_USUAL;
    shape_make_styled(context, r, kind_a, style, a);
    shape_make_styled(context, r, kind_b, family == 8 ? SHAPE_USUAL : style, b);
    Vec3 at = family >= 4 && family <= 6 ? v3(0, 0, 0) : random_vec(r, 5);
    double spread[FAMILIES] = {2.5, 0.6, 1.5, 0, 0, 0, 0, 0.5, 1};
    if (style == SHAPE_GRID) {
        a->pose = b->pose = place_identity();
        // quarter turns about z on family 6
        if (family == 6)
            b->pose = place_make(
                v3(0, 0, 0), q4_axis_angle(v3(0, 0, 1), 0.5 * M_PI * (int)test_random(r, 0, 4)));
    }
    a->pose.at = at;
    b->pose.at = v3_add(at, random_vec(r, spread[family]));
    if (family == 5 || family == 6)
        b->pose.at = v3(grid_step(r), grid_step(r), grid_step(r));
    if (family == 2) {
        // moved to a gap of either sign, from 1e-2 to 1e-9
        LitheClosest c;
        lithe_geom_distance(&a->geom, &a->pose, &b->geom, &b->pose, &c);
        double gap = pow(10, test_random(r, -9, -2)) * (test_random(r, 0, 1) < 0.5 ? -1 : 1);
        b->pose.at = v3_axpy(gap - c.distance, c.normal, b->pose.at);
    }
}

static void run_pairs(int kind_a, int kind_b, int rounds, uint64_t seed, Tally *tally) {
    TestRandom r = {seed};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    bool half = kind_a == LITHE_GEOM_HALF_SPACE;
    bool solid = kind_a >= LITHE_GEOM_TRIANGLE_MESH && kind_a <= LITHE_GEOM_REVOLUTION;
    for (int k = 0; k < rounds && test_list.failures < 40; k++) {
        place(context, &r, k % FAMILIES, kind_a, kind_b, a, b);
        bool ok = half    ? check_half_space(a, b, &r, tally)
                  : solid ? check_solid(a, b, &r, tally)
                          : check_convex(a, b, &r, tally);
        if (!ok)
            printf("    kinds %d, %d, round %d, family %d\n", kind_a, kind_b, k, k % FAMILIES);
        tally->pairs++;
        shape_free(a);
        shape_free(b);
    }
    free(a);
    free(b);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static void report(const char *a, const char *b, const Tally *t) {
    if (full_run())
        printf("| %s, %s | %d | %d | %.1e | %.1e | %.1e | %d |\n", a, b, t->pairs, t->overlaps,
               t->distance, t->point, fmax(0, t->better), t->unreached);
}

static int rounds_of(int usual) {
    return full_run() ? 100 * usual : usual;
}

TEST(convex_pairs_of_every_kind_and_family_have_the_distance_that_an_optimiser_finds) {
    int reached = 0, pairs = 0;
    for (int i = 0; i < CONVEX_COUNT; i++)
        for (int j = i; j < CONVEX_COUNT; j++) {
            Tally t = {0};
            run_pairs(CONVEX[i].kind, CONVEX[j].kind, rounds_of(14), (uint64_t)(100 + 10 * i + j),
                      &t);
            report(CONVEX[i].name, CONVEX[j].name, &t);
            pairs += t.pairs;
            reached += t.pairs - t.unreached;
        }
    // the optimiser is a serious check: it nearly always reaches the result by itself
    CHECK(reached > pairs * 95 / 100);
}

TEST(half_spaces_have_the_lowest_point_of_every_kind) {
    for (int j = 0; j < CONVEX_COUNT + SOLID_COUNT; j++) {
        bool convex = j < CONVEX_COUNT;
        Tally t = {0};
        run_pairs(LITHE_GEOM_HALF_SPACE, convex ? CONVEX[j].kind : SOLID[j - CONVEX_COUNT].kind,
                  rounds_of(14), (uint64_t)(300 + j), &t);
        report("half-space", convex ? CONVEX[j].name : SOLID[j - CONVEX_COUNT].name, &t);
    }
}

static void solid_pairs(int i) {
    for (int j = 0; j < CONVEX_COUNT; j++) {
        Tally t = {0};
        run_pairs(SOLID[i].kind, CONVEX[j].kind, rounds_of(15), (uint64_t)(400 + 10 * i + j), &t);
        report(SOLID[i].name, CONVEX[j].name, &t);
    }
}

LONG_TEST(meshes_against_every_convex_kind_have_the_distance_of_their_nearest_triangle) {
    solid_pairs(0);
}

LONG_TEST(heightfields_against_every_convex_kind_have_the_distance_of_their_nearest_triangle) {
    solid_pairs(1);
}

LONG_TEST(revolutions_against_every_convex_kind_have_the_distance_of_their_nearest_frustum) {
    solid_pairs(2);
}
