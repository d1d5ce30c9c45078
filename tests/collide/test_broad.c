// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_broad.c - the broad phase against a plain double loop

#include "base/clock.h"
#include "collide/crowd.h"
#include "geom/segment.h"

static int by_pair(const void *a, const void *b) {
    const LithePartPair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static bool bounded(const Crowd *c, int32_t part) {
    return part < c->model->edge_count ||
           c->model->geoms[part - c->model->edge_count].geom.kind != LITHE_GEOM_HALF_SPACE;
}

// six comparisons, independent of the library's
static bool plain_overlap(const LitheBounds *a, const LitheBounds *b) {
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// every pair of bounded parts whose boxes overlap
static int32_t plain_pairs(const Crowd *c, LithePartPair *out, int32_t room) {
    const LitheBounds *boxes = c->contacts->boxes;
    int32_t count = 0;
    for (int32_t i = 0; i < c->contacts->part_count; i++)
        for (int32_t j = i + 1; j < c->contacts->part_count; j++)
            if (plain_overlap(&boxes[i], &boxes[j]) && bounded(c, i) && bounded(c, j) &&
                lithe_parts_may_touch(c->model, c->contacts, i, j) && count < room)
                out[count++] = (LithePartPair){i, j};
    return count;
}

// whether two edges of rods have no contact, by the closest points of their centrelines
static bool plain_apart(const Crowd *c, LithePartPair pair, double margin) {
    if (pair.b >= c->model->edge_count)
        return false;
    const LitheSegment *x = &c->contacts->segments[pair.a], *y = &c->contacts->segments[pair.b];
    LitheSegmentPair near = lithe_segment_closest(x->start, v3_add(x->start, x->edge), y->start,
                                                  v3_add(y->start, y->edge));
    Vec3 a = v3_axpy(near.s, x->edge, x->start), b = v3_axpy(near.t, y->edge, y->start);
    return v3_distance(a, b) > x->radius + y->radius + margin + x->travel + y->travel;
}

enum { ROOM = 1 << 18 };

// pairs of the search without half-spaces, in order
static int32_t tree_pairs(const Crowd *c, LithePartPair *out) {
    int32_t count = 0;
    for (int32_t i = 0; i < c->contacts->pair_count && count < ROOM; i++)
        if (bounded(c, c->contacts->pairs[i].a) && bounded(c, c->contacts->pairs[i].b))
            out[count++] = c->contacts->pairs[i];
    qsort(out, (size_t)count, sizeof *out, by_pair);
    return count;
}

// All of `found` are among the `plain` ones, in the same order; those left out are too far apart
// for contacts. Returns how many are left out.
static int32_t left_out(const Crowd *c, const LithePartPair *plain, int32_t plain_count,
                        const LithePartPair *found, int32_t count, double margin) {
    int32_t next = 0;
    for (int32_t i = 0; i < plain_count; i++) {
        if (next < count && memcmp(&plain[i], &found[next], sizeof *found) == 0)
            next++;
        else
            CHECK(plain_apart(c, plain[i], margin));
    }
    CHECK(next == count);
    return plain_count - count;
}

static void compare(const CrowdDef *def, double margin, double step) {
    Crowd c;
    FATAL(crowd_open(def, &c));
    LithePartPair *plain = malloc(ROOM * sizeof *plain), *found = malloc(ROOM * sizeof *found);
    LitheCollideOptions options = {.margin = margin, .step = step};
    CHECK(lithe_collide_proxies(c.model, c.state, &options, c.contacts));
    CHECK(lithe_collide_pairs(c.model, margin, c.contacts, NULL) == LITHE_OK);
    int32_t n = plain_pairs(&c, plain, ROOM), m = tree_pairs(&c, found);
    CHECK(n > 100 && n < ROOM);
    int32_t left = left_out(&c, plain, n, found, m, margin);
    CHECK(step > 0 || left > n / 20); // few where the boxes are swept far
    free(plain);
    free(found);
    crowd_close(&c);
}

TEST(
    pairs_are_those_of_a_double_loop_less_edges_without_contact_over_open_and_closed_rods_and_bodies) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        CrowdDef def = {.seed = seed,
                        .rods = 9,
                        .edges = 61,
                        .edge = 0.02,
                        .radius = 0.006,
                        .side = 0.3,
                        .bodies = 8,
                        .closed = true};
        compare(&def, 0.002, 0);
        compare(&def, 0, 0.02);
    }
}

TEST(pairs_are_those_of_a_double_loop_where_shapes_of_a_body_touch_different_things) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        CrowdDef def = {.seed = seed,
                        .rods = 4,
                        .edges = 61,
                        .edge = 0.02,
                        .radius = 0.006,
                        .side = 0.3,
                        .bodies = 20,
                        .masked = true};
        compare(&def, 0.002, 0);
        compare(&def, 0, 0.02);
    }
}

TEST(pairs_are_those_of_a_double_loop_where_edges_are_far_shorter_than_the_rod_is_thick) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        CrowdDef def = {.seed = seed,
                        .rods = 3,
                        .edges = 300,
                        .edge = 0.002,
                        .radius = 0.01,
                        .side = 0.1,
                        .bodies = 0,
                        .closed = true};
        compare(&def, 0.001, 0);
    }
}

static double seconds_of_plain(const Crowd *c, int64_t *count) {
    const LitheBounds *boxes = c->contacts->boxes;
    double start = lithe_clock();
    *count = 0;
    for (int32_t i = 0; i < c->contacts->part_count; i++)
        for (int32_t j = i + 1; j < c->contacts->part_count; j++)
            if (plain_overlap(&boxes[i], &boxes[j]))
                *count += lithe_parts_may_touch(c->model, c->contacts, i, j);
    return lithe_clock() - start;
}

TEST(the_tree_finds_the_pairs_of_a_double_loop_on_3000_segments) {
    CrowdDef def = {
        .seed = 3, .rods = 30, .edges = 100, .edge = 0.01, .radius = 0.005, .side = 0.4};
    Crowd c;
    FATAL(crowd_open(&def, &c));
    LitheCollideOptions options = {.margin = 1e-3};
    double best = 1, plain = 0;
    int64_t count = 0;
    int32_t least = 0; // pairs that have a contact
    CHECK(lithe_collide_proxies(c.model, c.state, &options, c.contacts));
    // times are printed for information; the test is about the pairs
    for (int i = 0; i < 20; i++) {
        double start = lithe_clock();
        CHECK(lithe_collide_proxies(c.model, c.state, &options, c.contacts));
        CHECK(lithe_collide_pairs(c.model, options.margin, c.contacts, NULL) == LITHE_OK);
        best = fmin(best, lithe_clock() - start);
    }
    plain = fmin(seconds_of_plain(&c, &count), seconds_of_plain(&c, &count));
    CHECK(c.contacts->pair_count < count);
    for (int32_t i = 0; i < c.contacts->part_count; i++)
        for (int32_t j = i + 1; j < c.contacts->part_count; j++)
            least += plain_overlap(&c.contacts->boxes[i], &c.contacts->boxes[j]) &&
                     lithe_parts_may_touch(c.model, c.contacts, i, j) &&
                     !plain_apart(&c, (LithePartPair){i, j}, options.margin);
    CHECK(least > 100 && least <= c.contacts->pair_count);
    printf("  3000 segments, %d pairs of %d boxes, %d with contact: boxes and tree %.3f ms, double "
           "loop %.2f ms, %.0f times\n",
           (int)c.contacts->pair_count, (int)count, (int)least, 1e3 * best, 1e3 * plain,
           plain / best);
    crowd_close(&c);
}
