// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_knot_signature.c - determinants and signatures of known knots

#include "base/memory.h"
#include "geom/knot.h"
#include "math/quat.h"

#include "test.h"

#include <stdlib.h>
#include <time.h>

enum { MAX = 20000, PER_LETTER = 12 };

/// A closed braid: its word has letters i and -i, in which strands i and i + 1 cross as a right- or
/// left-handed screw.
typedef struct Braid {
    const char *name;
    int32_t strands, word[16]; // ends with 0
    int64_t determinant;
    int32_t signature;
} Braid;

// determinants and signatures from the tables of Rolfsen, Knot Theory and Its Applications
static const Braid knots[] = {
    {"unknot", 3, {1, -2}, 1, 0},
    {"right-handed trefoil", 2, {1, 1, 1}, 3, -2},
    {"left-handed trefoil", 2, {-1, -1, -1}, 3, 2},
    {"figure eight", 3, {1, -2, 1, -2}, 5, 0},
    {"5_1", 2, {1, 1, 1, 1, 1}, 5, -4},
    {"5_2", 3, {1, 1, 1, 2, -1, 2}, 7, -2},
    {"6_1, stevedore", 4, {1, 1, 2, -1, -3, 2, -3}, 9, 0},
    {"square knot", 3, {1, 1, 1, -2, -2, -2}, 9, 0},
    {"granny of right-handed halves", 3, {1, 1, 1, 2, 2, 2}, 9, -4},
    {"granny of left-handed halves", 3, {-1, -1, -1, -2, -2, -2}, 9, 4},
    {"7_1", 2, {1, 1, 1, 1, 1, 1, 1}, 7, -6},
    {"8_19, torus knot (3, 4)", 3, {1, 2, 1, 2, 1, 2, 1, 2}, 3, -6},
    {"10_124, torus knot (3, 5)", 3, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, 1, -8},
};

static int32_t place_after(const Braid *braid, int32_t letter, int32_t place, double *height) {
    int32_t i = braid->word[letter], low = abs(i) - 1;
    *height = 0;
    if (place != low && place != low + 1)
        return place;
    // the strand that goes outward is above in a right-handed crossing
    *height = (place == low) == (i > 0) ? 0.3 : -0.3;
    return place == low ? low + 1 : low;
}

static int32_t close_braid(const Braid *braid, bool mirror, Vec3 *out) {
    int32_t letters = 0, count = 0, place = 0;
    while (letters < 16 && braid->word[letters])
        letters++;
    do {
        for (int32_t k = 0; k < letters; k++) {
            double height;
            int32_t next = place_after(braid, k, place, &height);
            for (int32_t j = 0; j < PER_LETTER; j++) {
                double t = (double)j / PER_LETTER, s = t * t * (3 - 2 * t);
                double angle = 2 * M_PI * (k + t) / letters, r = 3 + place + s * (next - place);
                double z = height * sin(M_PI * t);
                out[count++] = v3(r * cos(angle), r * sin(angle), mirror ? -z : z);
            }
            place = next;
        }
    } while (place != 0);
    return count;
}

static LitheKnotType type_of(const Vec3 *points, int32_t count, bool closed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheKnotType type = {0};
    if (lithe_knot_type(points, count, closed, context, &type, &error) != LITHE_OK)
        printf("  %s\n", error.text);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return type;
}

TEST(knots_have_the_determinants_and_signatures_of_the_tables) {
    static Vec3 p[MAX];
    for (size_t k = 0; k < sizeof knots / sizeof *knots; k++) {
        LitheKnotType type = type_of(p, close_braid(&knots[k], false, p), true);
        if (type.determinant != knots[k].determinant || type.signature != knots[k].signature)
            printf("  %s: %lld, %d\n", knots[k].name, (long long)type.determinant, type.signature);
        CHECK(type.determinant == knots[k].determinant);
        CHECK(type.signature == knots[k].signature);
    }
}

TEST(mirror_images_have_the_opposite_signature) {
    static Vec3 p[MAX];
    for (size_t k = 0; k < sizeof knots / sizeof *knots; k++) {
        LitheKnotType type = type_of(p, close_braid(&knots[k], true, p), true);
        CHECK(type.determinant == knots[k].determinant);
        CHECK(type.signature == -knots[k].signature);
    }
}

TEST(types_survive_rigid_motion_reversal_and_another_first_node) {
    static Vec3 p[MAX], q[MAX];
    TestRandom r = {11};
    for (size_t k = 0; k < sizeof knots / sizeof *knots; k++) {
        int32_t n = close_braid(&knots[k], false, p);
        for (int trial = 0; trial < 10; trial++) {
            Vec3 turn = v3(test_random(&r, -3, 3), test_random(&r, -3, 3), test_random(&r, -3, 3));
            int32_t first = (int32_t)test_random(&r, 0, n - 1);
            for (int32_t i = 0; i < n; i++) {
                int32_t at = (first + (trial % 2 ? i : n - i)) % n;
                q[i] = v3_add(q4_rotate(q4_exp(turn), p[at]), turn);
            }
            LitheKnotType type = type_of(q, n, true);
            CHECK(type.determinant == knots[k].determinant);
            CHECK(type.signature == knots[k].signature);
        }
    }
}

TEST(a_curve_seen_along_its_own_edges_is_projected_in_another_direction) {
    // edges along the first directions of view, which project to points
    static Vec3 p[MAX], q[MAX];
    for (int32_t view = 0; view < 40; view++) {
        double z = 1 - (view + 0.37) / 40, angle = 2.399963229728653 * view + 0.61803;
        Vec3 eye = v3(sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z);
        int32_t n = close_braid(&knots[7], false, p), m = 0;
        for (int32_t i = 0; i < n; i++) {
            q[m++] = p[i];
            if (i % 40 == 7)
                q[m++] = v3_axpy(0.05, eye, p[i]);
        }
        LitheKnotType type = type_of(q, m, true);
        CHECK(type.determinant == 9 && type.signature == 0);
    }
}

TEST(overhand_knots_closed_far_away_have_signature_2n) {
    static Vec3 p[MAX];
    for (int n = 1; n <= 4; n++) {
        LitheKnotForm form;
        FATAL(lithe_knot_form(n, 0.002, &form));
        lithe_knot_points(&form, p, 2001);
        LitheKnotType type = type_of(p, 2001, false);
        CHECK(type.determinant == 2 * n + 1 && abs(type.signature) == 2 * n);
    }
}

TEST(random_closed_curves_fulfil_the_congruence_of_determinant_and_signature) {
    // which lithe_knot_type checks: it fails where they contradict each other
    static Vec3 p[MAX];
    TestRandom r = {3};
    LitheContext *context = lithe_context_create(NULL);
    int knotted = 0;
    for (int trial = 0; trial < 60; trial++) {
        int32_t n = 12 + trial;
        for (int32_t i = 0; i < n; i++)
            p[i] = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
        LitheKnotType type = {0};
        LitheError error = {0};
        CHECK(lithe_knot_type(p, n, true, context, &type, &error) == LITHE_OK);
        CHECK(type.determinant % 2 == 1 && type.signature % 2 == 0);
        knotted += type.determinant > 1;
    }
    CHECK(knotted > 20);
    lithe_context_destroy(context);
}

TEST(a_thousand_nodes_take_less_than_a_hundredth_of_a_second) {
    // a granny knot in a long wavy rope, closed far away
    static Vec3 p[MAX];
    int32_t n = 1000;
    for (int32_t i = 0; i < n; i++)
        p[i] = v3(0.01 * i, 0.3 * sin(0.3 * i), 0.3 * cos(0.17 * i));
    clock_t start = clock();
    LitheKnotType type = {0};
    for (int k = 0; k < 10; k++)
        type = type_of(p, n, false);
    double each = (double)(clock() - start) / CLOCKS_PER_SEC / 10;
    CHECK(type.determinant == 1 && type.signature == 0);
    CHECK(each < 0.01 * (TEST_SANITIZED ? 20 : 1));
}

TEST(signature_leaves_nothing_behind_at_any_failed_allocation) {
    static Vec3 p[MAX];
    int32_t n = close_braid(&knots[8], false, p);
    int failures = 0;
    for (int at = 1; at < 100; at++) {
        LitheContext *context = lithe_context_create(NULL);
        LitheError error = {0};
        LitheKnotType type = {.determinant = -7};
        lithe_context_fail_at(context, at);
        LitheStatus status = lithe_knot_type(p, n, true, context, &type, &error);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY && error.status == LITHE_NO_MEMORY);
        CHECK(type.determinant == -7);
        failures++;
    }
    CHECK(failures >= 10 && failures < 99);
}
