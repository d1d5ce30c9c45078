// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_curve_path.c - straight pieces and turns: where they go, and how smoothly

#include "geom/curve.h"
#include "geom/curve_parts.h"

#include "base/memory.h"
#include "test.h"

#define MAX 4001

static Vec3 nodes[MAX];
static LitheError error;

static LitheStatus sample(const LithePathPiece *pieces, int32_t count, int32_t node_count) {
    LitheContext *context = lithe_context_create(NULL);
    LitheShapeDef shape = lithe_shape_def_default();
    bool closed = true;
    shape.kind = LITHE_SHAPE_PATH;
    shape.pieces = pieces;
    shape.piece_count = count;
    memset(&error, 0, sizeof error);
    LitheStatus status =
        lithe_curve_sample(context, &shape, node_count, false, false, 1e-3, nodes, &closed, &error);
    CHECK(lithe_context_bytes(context) == 0);
    CHECK(status != LITHE_OK || !closed);
    lithe_context_destroy(context);
    return status;
}

TEST(turns_go_to_the_left_when_positive) {
    const LithePathPiece pieces[] = {
        {.straight = 2}, {.turn = 0.5 * M_PI, .radius = 1}, {.turn = -0.5 * M_PI, .radius = 3}};
    FATAL(sample(pieces, 3, 101) == LITHE_OK);
    CHECK_NEAR(v3_distance(nodes[0], v3(0, 0, 0)), 0, 0);
    // 2 along x, a quarter to the left, a quarter to the right
    CHECK_NEAR(v3_distance(nodes[100], v3(2 + 1 + 3, 1 + 3, 0)), 0, 1e-14);
}

TEST(a_turn_lies_on_its_circle) {
    const double R = 0.031, lead = 0.1;
    const LithePathPiece pieces[] = {
        {.straight = lead}, {.turn = 2 * M_PI, .radius = R}, {.straight = lead}};
    FATAL(sample(pieces, 3, 501) == LITHE_OK);
    double l = (2 * lead + 2 * M_PI * R) / 500;
    for (int i = 0; i <= 500; i++) {
        double s = i * l;
        if (s > lead && s < lead + 2 * M_PI * R)
            CHECK_NEAR(v3_distance(nodes[i], v3(lead, R, 0)), R, 1e-15);
        else
            CHECK_NEAR(nodes[i].y, 0, 1e-15);
    }
    // after a full turn it continues along the same line
    CHECK_NEAR(v3_distance(nodes[500], v3(2 * lead, 0, 0)), 0, 1e-14);
}

TEST(a_climbing_turn_alone_is_a_helix) {
    LitheContext *context = lithe_context_create(NULL);
    const double R = 0.1, pitch = 0.03, turns = 2.5;
    const LithePathPiece piece = {.turn = turns * 2 * M_PI, .radius = R, .climb = turns * pitch};
    FATAL(sample(&piece, 1, 101) == LITHE_OK);
    Vec3 helix[101];
    LitheShapeDef shape = lithe_shape_def_default();
    bool closed;
    shape.kind = LITHE_SHAPE_HELIX;
    shape.radius = R;
    shape.pitch = pitch;
    shape.turns = turns;
    CHECK(lithe_curve_sample(context, &shape, 101, false, false, 1e-3, helix, &closed, &error) ==
          LITHE_OK);
    // that helix starts at (R, 0, 0) along y: rotated by a quarter turn about the origin
    for (int i = 0; i < 101; i++)
        CHECK_NEAR(v3_distance(nodes[i], v3(helix[i].y, R - helix[i].x, helix[i].z)), 0, 1e-15);
    lithe_context_destroy(context);
}

// pieces whose climbs are equal, differ, end and change sign
static const LithePathPiece hilly[] = {
    {.straight = 0.3},
    {.turn = 7, .radius = 0.05, .climb = 0.2},
    {.straight = 0.1, .climb = 0.15},
    {.turn = -2, .radius = 0.1, .climb = -0.1},
    {.straight = 0.2, .climb = -0.02},
    {.turn = 1, .radius = 0.02},
};

TEST(tangents_are_continuous_and_heights_never_turn_back) {
    LitheContext *context = lithe_context_create(NULL);
    LithePath path = {0};
    FATAL(lithe_path_create(context, hilly, 6, false, &path, &error) == LITHE_OK);
    for (int i = 1; i < 6; i++) {
        Vec3 before, after;
        double s = path.legs[i].arc;
        Vec3 a = lithe_path_at(&path, s - 1e-12, &before), b = lithe_path_at(&path, s, &after);
        CHECK_NEAR(v3_distance(a, b), 1e-12, 1e-14);
        CHECK_NEAR(v3_distance(before, after), 0, 1e-9);
        CHECK_NEAR(v3_norm(after), 1, 1e-15);
    }
    double z = 0;
    for (int i = 0; i < 6; i++) {
        const LithePathLeg *leg = &path.legs[i];
        for (int k = 0; k <= 100; k++) {
            Vec3 tangent, p = lithe_path_at(&path, leg->arc + leg->length * k / 100, &tangent);
            CHECK((p.z - z) * hilly[i].climb >= -1e-15);
            if (hilly[i].climb == 0)
                CHECK_NEAR(p.z, leg->start.z, 1e-15);
            z = p.z;
        }
    }
    lithe_path_destroy(context, &path);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(nodes_are_equally_spaced_along_the_curve) {
    // chords of equal arcs differ from them by (curvature l)^2/24
    FATAL(sample(hilly, 6, MAX) == LITHE_OK);
    double low = INFINITY, high = 0, sum = 0;
    for (int i = 1; i < MAX; i++) {
        double l = v3_distance(nodes[i], nodes[i - 1]);
        low = fmin(low, l);
        high = fmax(high, l);
        sum += l;
    }
    double mean = sum / (MAX - 1);
    CHECK((high - low) / mean < 4 * pow(mean / 0.02, 2) / 24);
}

TEST(the_tangent_is_the_derivative_of_the_point) {
    LitheContext *context = lithe_context_create(NULL);
    LithePath path = {0};
    FATAL(lithe_path_create(context, hilly, 6, false, &path, &error) == LITHE_OK);
    for (int i = 0; i < 97; i++) {
        double s = path.length * (i + 0.5) / 97, h = 1e-5;
        Vec3 tangent, unused;
        lithe_path_at(&path, s, &tangent);
        Vec3 across =
            v3_sub(lithe_path_at(&path, s + h, &unused), lithe_path_at(&path, s - h, &unused));
        CHECK_NEAR(v3_distance(v3_scale(0.5 / h, across), tangent), 0, 1e-6);
    }
    lithe_path_destroy(context, &path);
    lithe_context_destroy(context);
}

// a belt round wheels of radii a and b whose axes are c apart
TEST(a_closed_path_ends_where_it_begins) {
    const double a = 0.2, b = 0.05, c = 0.6, tilt = asin((a - b) / c), side = c * cos(tilt);
    LithePathPiece belt[] = {{.straight = side},
                             {.turn = M_PI - 2 * tilt, .radius = b},
                             {.straight = side},
                             {.turn = M_PI + 2 * tilt, .radius = a}};
    LitheContext *context = lithe_context_create(NULL);
    LitheShapeDef shape = lithe_shape_def_default();
    bool closed = false;
    shape.kind = LITHE_SHAPE_PATH;
    shape.pieces = belt;
    shape.piece_count = 4;
    shape.closed = true;
    FATAL(lithe_curve_sample(context, &shape, 200, false, false, 1e-3, nodes, &closed, &error) ==
          LITHE_OK);
    CHECK(closed);
    // the edge that closes it is as long as the others, up to the bend in them
    double length = 2 * side + (M_PI - 2 * tilt) * b + (M_PI + 2 * tilt) * a, l = length / 200;
    CHECK_NEAR(v3_distance(nodes[199], nodes[0]), l, l * l * l / (24 * a * a));
    CHECK_NEAR(v3_distance(nodes[0], nodes[1]), l, 1e-15);

    belt[2].straight += 1e-3;
    CHECK(lithe_curve_sample(context, &shape, 200, false, false, 1e-3, nodes, &closed, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "path: closed, but the pieces end 0.001 m from their start");
    belt[3].turn -= 0.1;
    CHECK(lithe_curve_sample(context, &shape, 200, false, false, 1e-3, nodes, &closed, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "turn by -5.72958 degrees more than 1 turns");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(wrong_pieces_are_refused) {
    const LithePathPiece both = {.straight = 1, .turn = 1, .radius = 1}, none = {.climb = 1};
    const LithePathPiece flat = {.turn = 1}, back = {.straight = -1},
                         far = {.straight = 1, .climb = INFINITY};
    CHECK(sample(NULL, 0, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "path: has no pieces");
    CHECK(sample(&both, 1, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "pieces[0] is straight and turns, one is expected");
    CHECK(sample(&none, 1, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "pieces[0] is neither straight nor turns");
    CHECK(sample(&flat, 1, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "pieces[0]: radius is 0 m, must be > 0");
    CHECK(sample(&back, 1, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "pieces[0]: straight is -1 m, must be > 0");
    CHECK(sample(&far, 1, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "climb inf m, must be finite");
}
