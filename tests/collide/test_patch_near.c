// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_patch_near.c - triangles of a shape in lanes against one at a time

#include "collide/patch_near.h"

#include "base/memory.h"
#include "geom/clip.h"

#include "geom/ball_field.h"
#include "test.h"

// a small tetrahedron at the surface of the sphere
static LithePatchElement random_element(TestRandom *r) {
    LithePatchElement e = {.corners = 4, .pressure = {0, 1, 0.5, 0.25}};
    Vec3 at = v3_unit(v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1)));
    for (int k = 0; k < 4; k++)
        e.x[k] = v3_add(at, v3(test_random(r, -0.2, 0.2), test_random(r, -0.2, 0.2),
                               test_random(r, -0.2, 0.2)));
    return e;
}

static bool has_polygon(const LithePressureField *f, int32_t triangle, const LitheFieldTet *tet) {
    LithePolygon polygon;
    const int32_t *t = f->triangles + 3 * (int64_t)triangle;
    Vec3 x[3] = {f->points[t[0]], f->points[t[1]], f->points[t[2]]};
    return lithe_clip_triangle(tet, x, f->normals[triangle], &polygon);
}

// the next triangle in the lanes that is kept and has a polygon, from *at on; -1: none
static int32_t next_in_lanes(const LithePressureField *f, const LitheFound *out, int32_t blocks,
                             const LitheFieldTet *tet, int32_t *at) {
    for (; *at < LITHE_NEAR_LANES * blocks; ++*at) {
        const LithePatchNear *block = &out->near[*at / LITHE_NEAR_LANES];
        int32_t lane = *at % LITHE_NEAR_LANES;
        if (block->met >> lane & 1 && has_polygon(f, block->element[lane], tet))
            return block->element[lane];
    }
    return -1;
}

static int32_t kept_in(const LitheFound *out, int32_t blocks) {
    int32_t kept = 0;
    for (int32_t k = 0; k < LITHE_NEAR_LANES * blocks; k++)
        kept += out->near[k / LITHE_NEAR_LANES].met >> k % LITHE_NEAR_LANES & 1;
    return kept;
}

TEST(lanes_keep_all_triangles_with_a_polygon_in_their_order) {
    LitheContext *context = lithe_context_create(NULL);
    LithePressureField *f = ball_field(context, 0, 32);
    LitheFound out = {0};
    TestRandom r = {11};
    int32_t polygons = 0, met = 0, kept = 0;
    FATAL(f != NULL);
    for (int i = 0; i < 2000; i++) {
        LithePatchElement e = random_element(&r);
        LitheFieldTet tet;
        LitheBox box = lithe_patch_box(&e);
        if (!lithe_field_tet(e.x, e.pressure, &tet))
            continue;
        int32_t blocks = lithe_near_find(context, f, &box, &out), at = 0;
        FATAL(blocks >= 0);
        lithe_near_meet(out.near, blocks, &box);
        met += kept_in(&out, blocks);
        lithe_near_cut(out.near, blocks, &tet);
        kept += kept_in(&out, blocks);
        for (int32_t k = 0; k < f->triangle_count; k++) {
            if (!has_polygon(f, f->order[k], &tet))
                continue;
            CHECK(next_in_lanes(f, &out, blocks, &tet, &at) == f->order[k]);
            polygons++, at++;
        }
        CHECK(next_in_lanes(f, &out, blocks, &tet, &at) < 0);
    }
    CHECK(polygons > 2000);
    CHECK(2 * kept < met); // they drop most of the others
    lithe_free(context, out.near);
    lithe_field_destroy(f);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_list_without_memory_says_so) {
    LitheContext *context = lithe_context_create(NULL);
    LithePressureField *f = ball_field(context, 0, 32);
    LitheFound out = {0};
    LitheBox all = {{-2, -2, -2}, {2, 2, 2}};
    FATAL(f != NULL);
    lithe_context_fail_at(context, 1);
    CHECK(lithe_near_find(context, f, &all, &out) == -1);
    lithe_context_fail_at(context, 0);
    CHECK(out.failed);
    lithe_free(context, out.near);
    lithe_field_destroy(f);
    lithe_context_destroy(context);
}
