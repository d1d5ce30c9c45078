// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_mesh_face.c - the flat face of a mesh that rests on a plane

#include "test.h"

#include "geom/distance.h"
#include "lithe/base.h"

typedef struct Block {
    Vec3 low, high;
} Block;

static const int32_t sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                     {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                     {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

// number of corners of the downward face of a mesh that consists of some boxes, tilted about y
static int corners_of(const Block *blocks, int count, double tilt, LitheFaceArea *area) {
    LitheContext *context = lithe_context_create(NULL);
    Vec3 points[32];
    int32_t triangles[48][3], out[LITHE_OVERLAP_MAX];
    LitheFaceArea own;
    LitheError error = {0};
    LitheMesh *mesh = NULL;
    for (int b = 0; b < count; b++) {
        const Vec3 p = blocks[b].low, q = blocks[b].high;
        for (int k = 0; k < 8; k++)
            points[8 * b + k] = v3((k + 1) & 2 ? q.x : p.x, k & 2 ? q.y : p.y, k & 4 ? q.z : p.z);
        for (int k = 0; k < 36; k++)
            triangles[12 * b + k / 3][k % 3] = 8 * b + sides[k / 3][k % 3];
    }
    int found = -1;
    if (CHECK(lithe_mesh_create(context, points, 8 * count, &triangles[0][0], 12 * count, &mesh,
                                &error) == LITHE_OK))
        found = lithe_mesh_face(mesh, v3(sin(tilt), 0, -cos(tilt)), out, area ? area : &own);
    lithe_mesh_destroy(context, mesh);
    lithe_context_destroy(context);
    return found;
}

TEST(a_box_has_the_four_corners_of_its_face_while_it_is_nearly_flat) {
    const Block box = {{-1, -2, 0}, {1, 2, 0.5}};
    CHECK(corners_of(&box, 1, 0, NULL) == 4);
    CHECK(corners_of(&box, 1, 0.04, NULL) == 4 && corners_of(&box, 1, -0.04, NULL) == 4);
    CHECK(corners_of(&box, 1, 0.3, NULL) == 0);
}

// Two feet of 1/2 by 1 and 1/2 by 2: the centre of their area, and the mean square of the distance
// from it.
TEST(feet_are_one_face_with_their_own_centre_and_means) {
    const Block feet[] = {{{-1, -1, 0}, {-0.5, 0, 1}}, {{0.5, -1, 0}, {1, 1, 1}}};
    LitheFaceArea area;
    CHECK(corners_of(feet, 2, 0, &area) == 5);
    Vec3 c = {0.75 / 3, -0.5 / 3, 0};
    double second = (0.25 + 1) / 12 * 0.5 + (0.25 + 4) / 12;
    second += 0.5 * (1 + pow(-0.5 - c.y, 2)) + 0.25 + c.y * c.y;
    CHECK(v3_distance(area.centre, c) < 1e-12);
    CHECK(fabs(area.sums[0] - 1.5) < 1e-12 && fabs(area.sums[2] - second) < 1e-12);
    CHECK(area.sums[1] > 0 && area.sums[1] * area.sums[1] < area.sums[0] * area.sums[2]);
    const Block box = {{-1, -2, 0}, {1, 2, 0.5}};
    CHECK(corners_of(&box, 1, 0, &area) == 4 && area.sums[0] == 0);
}

TEST(rims_that_reach_the_plane_leave_no_single_face) {
    // a wider box above: its rim comes below the face when it tilts
    const Block rim[] = {{{-0.5, -0.5, 0}, {0.5, 0.5, 1}}, {{-2, -2, 0.05}, {2, 2, 1}}};
    CHECK(corners_of(rim, 2, 0, NULL) == 4);
    CHECK(corners_of(rim, 2, 0.04, NULL) == 0);
    // a narrower one beside the face, but above it
    const Block step[] = {{{-1, -1, 0}, {1, 1, 1}}, {{1, -1, 0.5}, {2, 1, 1}}};
    CHECK(corners_of(step, 2, 0.04, NULL) == 4);
}
