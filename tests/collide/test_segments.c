// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_segments.c - closest points of pairs of edges: all kernels give the same bits

#include "collide/segments.h"
#include "test.h"

#include <string.h>

enum { EDGES = 40 };

static Vec3 draw(TestRandom *random, double size) {
    return v3(test_random(random, -size, size), test_random(random, -size, size),
              test_random(random, -size, size));
}

// polylines of eight edges through a box; the last edge is missing, as its own neighbours are
static void wind(TestRandom *random, bool flat, LitheSegment *segments, LitheBeyond *beyond) {
    Vec3 at = v3(0, 0, 0);
    for (int32_t i = 0; i < EDGES; i++) {
        at = i % 8 == 0 ? draw(random, 0.02) : v3_add(at, segments[i - 1].edge);
        Vec3 edge = draw(random, 0.02);
        if (flat) // many pairs are parallel
            edge = i % 2 ? v3(0.01, 0, 0) : v3(0, 0.01, 0);
        segments[i] = (LitheSegment){at, edge, i % 13 == 12 ? 0 : 0.004, 0.001};
        beyond[i] = (LitheBeyond){{i % 8 ? i - 1 : EDGES, EDGES, i % 8 < 7 ? i + 1 : EDGES}};
    }
    memset(&segments[EDGES], 0, sizeof *segments);
}

TEST(lanes_give_the_points_of_pairs_of_lanes) {
    TestRandom random = {3};
    LitheSegment segments[EDGES + 1];
    LitheBeyond beyond[EDGES];
    LitheContacts c = {.segments = segments, .beyond = beyond};
    int found = 0, dropped = 0;
    for (int round = 0; round < 200; round++) {
        LithePartPair pairs[LITHE_SEGMENT_BLOCK], again[LITHE_SEGMENT_BLOCK];
        LitheSegmentPoint points[LITHE_SEGMENT_BLOCK], same[LITHE_SEGMENT_BLOCK];
        int count = 1 + round % LITHE_SEGMENT_BLOCK;
        wind(&random, round % 3 == 0, segments, beyond);
        for (int k = 0; k < count; k++) {
            int32_t a = (int32_t)test_random(&random, 0, EDGES - 1);
            pairs[k] = (LithePartPair){a, (int32_t)test_random(&random, a + 1, EDGES)};
        }
        memcpy(again, pairs, sizeof pairs);
        bool single = round % 5 == 4;
        int n = lithe_segments_portable(&c, 1e-3, single, count, pairs, points);
        int m = n;
        memcpy(same, points, sizeof same);
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2"))
            m = lithe_segments_avx2(&c, 1e-3, single, count, again, same);
#endif
        CHECK(m == n);
        for (int i = 0; i < n; i++)
            CHECK(points[i].pair == same[i].pair && points[i].pair < count &&
                  memcmp(&points[i].s, &same[i].s, 2 * sizeof(double)) == 0);
        found += n;
        dropped += count - n;
    }
    CHECK(found > 500);
    CHECK(dropped > 500);
}
