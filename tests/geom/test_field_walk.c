// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_field_walk.c - elements of a field in lanes against one at a time

#include "geom/field_walk.h"

#include "base/memory.h"

#include "geom/ball_field.h"
#include "test.h"

// a tetrahedron at the surface, now and then one that encloses the ball
static bool random_tet(TestRandom *r, LitheFieldTet *tet) {
    Vec3 at = v3_unit(v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1)));
    double size = test_random_bits(r) % 16 == 0 ? 8 : test_random(r, 0.01, 0.4), pressure[4];
    Vec3 x[4];
    for (int k = 0; k < 4; k++) {
        x[k] = v3_add(at, v3(test_random(r, -size, size), test_random(r, -size, size),
                             test_random(r, -size, size)));
        pressure[k] = test_random(r, 0, 1);
    }
    return lithe_field_tet(x, pressure, tet);
}

static LitheBox box_of(const Vec3 *x, int count) {
    LitheBox box = {x[0], x[0]};
    for (int k = 1; k < count; k++) {
        box.low = v3_min(box.low, x[k]);
        box.high = v3_max(box.high, x[k]);
    }
    return box;
}

static bool element_meets(const LithePressureField *f, int32_t element, const LitheBox *box) {
    int corners = f->modulus > 0 ? 4 : 3;
    const int32_t *at = (f->modulus > 0 ? f->tets : f->triangles) + corners * (int64_t)element;
    Vec3 x[4];
    for (int k = 0; k < corners; k++)
        x[k] = f->points[at[k]];
    LitheBox own = box_of(x, corners);
    return own.low.x <= box->high.x && own.low.y <= box->high.y && own.low.z <= box->high.z &&
           own.high.x >= box->low.x && own.high.y >= box->low.y && own.high.z >= box->low.z;
}

// all hits of a search, in their order; their number
static int32_t walk_all(LitheFieldWalkFn *walk, const LithePressureField *f, const LitheBox *box,
                        const LitheFieldTet *tet, int32_t *found) {
    LitheFieldWalk w;
    int32_t hits[LITHE_FIELD_HITS], count, total = 0;
    field_walk_start(f, box, tet, &w);
    while ((count = walk(f, &w, hits)) > 0)
        for (int32_t i = 0; i < count; i++)
            found[total++] = hits[i];
    return total;
}

static void same_hits(const int32_t *a, int32_t a_count, const int32_t *b, int32_t b_count) {
    FATAL(a_count == b_count);
    for (int32_t i = 0; i < a_count; i++)
        CHECK(a[i] == b[i]);
}

static void compare(double modulus, int32_t sectors) {
    LitheContext *context = lithe_context_create(NULL);
    LithePressureField *f = ball_field(context, modulus, sectors);
    FATAL(f != NULL);
    int32_t count = modulus > 0 ? f->tet_count : f->triangle_count, met = 0, kept = 0, polygons = 0;
    int32_t *near = lithe_alloc_array(context, count, sizeof *near);
    int32_t *found = lithe_alloc_array(context, count, sizeof *found);
    int32_t *other = lithe_alloc_array(context, count, sizeof *other);
    FATAL(near && found && other);
    TestRandom r = {13};
    for (int i = 0; i < 300; i++) {
        LitheFieldTet tet;
        if (!random_tet(&r, &tet))
            continue;
        LitheBox box = box_of(tet.x, 4);
        int32_t expected = 0;
        for (int32_t k = 0; k < count; k++)
            if (element_meets(f, f->order[k], &box))
                near[expected++] = f->order[k];
        met += expected;
        same_hits(near, expected, found, walk_all(lithe_field_walk, f, &box, NULL, found));
        same_hits(near, expected, found, walk_all(lithe_field_walk_portable, f, &box, NULL, found));
        int32_t left = walk_all(lithe_field_walk, f, &box, &tet, found), at = 0;
        same_hits(found, left, other, walk_all(lithe_field_walk_portable, f, &box, &tet, other));
        kept += left;
        // what is dropped has no polygon
        for (int32_t k = 0; k < expected; k++) {
            LithePolygon polygon;
            bool hit = at < left && found[at] == near[k];
            at += hit;
            if (modulus > 0 && lithe_clip_tets(&tet, &f->ready[near[k]], &polygon))
                CHECK(hit && ++polygons);
        }
        CHECK(at == left);
    }
    CHECK(met > 1000);
    CHECK(modulus > 0 ? 2 * kept < met && polygons > 400 : kept == met);
    lithe_free(context, near);
    lithe_free(context, found);
    lithe_free(context, other);
    lithe_field_destroy(f);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(lanes_find_all_elements_in_the_order_of_the_leaves) {
    compare(1, 8);
    compare(1, 20);
    compare(0, 20);
}

TEST(a_field_of_one_block_and_an_empty_one_can_be_searched) {
    LitheContext *context = lithe_context_create(NULL);
    LithePressureField f = {.context = context};
    LitheBox all = {{-9, -9, -9}, {9, 9, 9}}, none = {{9, 9, 9}, {10, 10, 10}};
    int32_t found[4];
    CHECK(lithe_field_widen(&f));
    CHECK(walk_all(lithe_field_walk, &f, &all, NULL, found) == 0);
    LitheBoxNode leaf = {{{0, 0, 0}, {1, 1, 1}}, 0, 1};
    int32_t order = 0;
    f.nodes = &leaf, f.order = &order, f.node_count = 1;
    FATAL(lithe_field_widen(&f));
    CHECK(walk_all(lithe_field_walk, &f, &all, NULL, found) == 1 && found[0] == 0);
    CHECK(walk_all(lithe_field_walk, &f, &none, NULL, found) == 0);
    lithe_free(context, f.blocks);
    lithe_free(context, f.wide);
    lithe_context_destroy(context);
}
