// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_front_order.c - costs of orders against a plain elimination, and orders of late
// blocks

#include "sparse/block_tree.h"
#include "sparse/front_order.h"
#include "test.h"

#include <math.h>

enum { BLOCKS = 200 };

static int32_t sizes[BLOCKS], order[BLOCKS], late[BLOCKS], last[BLOCKS], memory[400 * BLOCKS];
static LitheBlockPair pairs[20 * BLOCKS];
static int32_t pair_count;
static bool joined[BLOCKS][BLOCKS], hot[BLOCKS];

typedef struct System {
    LitheContext *context;
    LitheBlockMatrix *m;
} System;

static System open_system(void) {
    LitheContext *context = lithe_context_create(NULL);
    return (System){context, lithe_block_matrix_create(context)};
}

static void close_system(System *s) {
    lithe_block_matrix_destroy(s->m);
    CHECK(lithe_context_bytes(s->context) == 0);
    lithe_context_destroy(s->context);
}

static int32_t below(TestRandom *random, int32_t n) {
    return (int32_t)(test_random_bits(random) % (uint64_t)n);
}

static void add_pair(int32_t i, int32_t j) {
    pairs[pair_count++] = (LitheBlockPair){i, j};
}

// neighbours and next neighbours are joined
static void add_chain(int32_t first, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 1; k <= 2 && i + k < n; k++)
            add_pair(first + i, first + i + k);
}

// chains of any length, some of them joined at random
static bool make_system(TestRandom *random, System *s, int32_t n) {
    pair_count = 0;
    for (int32_t first = 0, count; first < n; first += count) {
        count = 1 + below(random, n / 3);
        count = first + count < n ? count : n - first;
        add_chain(first, count);
    }
    for (int32_t k = below(random, n / 3); k > 0; k--) {
        int32_t i = below(random, n), j = below(random, n);
        if (i != j)
            add_pair(i, j);
    }
    for (int32_t i = 0; i < n; i++)
        sizes[i] = 1 + below(random, 6);
    return s->m && lithe_block_matrix_build(s->m, n, sizes, pairs, pair_count);
}

static void shuffle(TestRandom *random, int32_t n, int32_t *list) {
    for (int32_t k = 0; k < n; k++)
        list[k] = k;
    for (int32_t k = n - 1; k > 0; k--) {
        int32_t other = below(random, k + 1), keep = list[k];
        list[k] = list[other];
        list[other] = keep;
    }
}

static int32_t some_late(TestRandom *random, int32_t n, double share) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += late[i] = test_random(random, 0, 1) < share;
    return count;
}

// fills the graph as elimination does
static double plain_cost(const LitheBlockMatrix *m, double again) {
    double all = 0, of_hot = 0;
    memset(joined, 0, sizeof joined);
    memset(hot, 0, sizeof hot);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            joined[j][m->row[e]] = joined[m->row[e]][j] = true;
    for (int32_t k = 0; k < m->count; k++) {
        int32_t i = order[k], height = m->size[i], next = -1;
        for (int32_t a = k + 1; a < m->count; a++) {
            if (!joined[i][order[a]])
                continue;
            height += m->size[order[a]];
            next = next < 0 ? order[a] : next;
            for (int32_t c = a + 1; c < m->count; c++)
                if (joined[i][order[c]])
                    joined[order[a]][order[c]] = joined[order[c]][order[a]] = true;
        }
        hot[i] |= late[i] != 0;
        if (next >= 0)
            hot[next] |= hot[i];
        all += (double)m->size[i] * height * height;
        of_hot += hot[i] ? (double)m->size[i] * height * height : 0;
    }
    return all + again * of_hot;
}

TEST(the_cost_of_an_order_is_that_of_the_elimination) {
    TestRandom random = {1};
    System s = open_system();
    int32_t above = 0, within = 0;
    for (int round = 0; round < 60; round++) {
        FATAL(make_system(&random, &s, 90));
        shuffle(&random, s.m->count, order);
        some_late(&random, s.m->count, 0.1 * (round % 4));
        FATAL(lithe_order_size(s.m) < (int64_t)(sizeof memory / sizeof *memory));
        LitheOrderTree tree = lithe_order_open(s.m, memory);
        double cost = plain_cost(s.m, 4);
        CHECK(lithe_order_weigh(s.m, order, late, 4, INFINITY, &tree) == cost);
        // a limit is passed exactly when the whole cost passes it
        double limit = cost * test_random(&random, 0.5, 1.5);
        double found = lithe_order_weigh(s.m, order, late, 4, limit, &tree);
        CHECK((found > limit) == (cost > limit));
        CHECK(found <= cost);
        CHECK(lithe_order_weigh(s.m, order, late, 4, cost, &tree) == cost);
        above += cost > limit;
        within += cost <= limit;
    }
    CHECK(above > 10 && within > 10);
    close_system(&s);
}

// the order with the late blocks last, in their sequence in the order or by degree
static double cost_of_late(const LitheBlockMatrix *m, bool by_degree, int32_t count) {
    int32_t found[BLOCKS], next = 0;
    for (int32_t k = 0; k < m->count; k++)
        if (!late[order[k]])
            found[next++] = order[k];
    if (by_degree) {
        memcpy(found + next, last, sizeof *last * (size_t)count);
    } else {
        for (int32_t k = 0; k < m->count; k++)
            if (late[order[k]])
                found[next++] = order[k];
    }
    LitheOrderTree tree = lithe_order_open(m, memory);
    return lithe_order_weigh(m, found, late, 1e9, INFINITY, &tree);
}

TEST(an_order_of_late_blocks_has_each_of_them_once_and_mostly_costs_less) {
    TestRandom random = {2};
    System s = open_system();
    double given = 0, degree = 0;
    for (int round = 0; round < 60; round++) {
        static const double shares[5] = {0.02, 0.1, 0.3, 0.8, 1};
        FATAL(make_system(&random, &s, 120));
        shuffle(&random, s.m->count, order);
        int32_t count = some_late(&random, s.m->count, shares[round % 5]);
        FATAL(lithe_order_late_size(s.m, late) < (int64_t)(sizeof memory / sizeof *memory));
        // beyond its memory nothing is written
        int64_t end = lithe_order_late_size(s.m, late);
        memory[end] = 77;
        lithe_order_late(s.m, late, memory, last);
        CHECK(memory[end] == 77);
        bool seen[BLOCKS] = {0};
        for (int32_t k = 0; k < count; k++) {
            FATAL(last[k] >= 0 && last[k] < s.m->count && late[last[k]] && !seen[last[k]]);
            seen[last[k]] = true;
        }
        given += log(cost_of_late(s.m, false, count));
        degree += log(cost_of_late(s.m, true, count));
    }
    CHECK(degree < given - 10);
    close_system(&s);
}

// A body is pressed between two others, which do not touch each other. In the order of the bodies
// the middle one joins all late blocks; by degree the outer ones come first.
TEST(late_blocks_of_bodies_that_do_not_touch_stay_apart) {
    enum { BODY = 60, TOUCH = 15 };
    System s = open_system();
    TestRandom random = {3};
    pair_count = 0;
    for (int32_t body = 0; body < 3; body++)
        add_chain(BODY * body, BODY);
    memset(late, 0, sizeof late);
    for (int32_t i = 0; i < TOUCH; i++) {
        int32_t pairs_of[2][2] = {{3 * i, BODY + 3 * i}, {30 + 2 * i, 2 * BODY + 3 * i}};
        for (int32_t k = 0; k < 2; k++) {
            add_pair(pairs_of[k][0], pairs_of[k][1]);
            late[pairs_of[k][0]] = late[pairs_of[k][1]] = 1;
        }
    }
    for (int32_t i = 0; i < 3 * BODY; i++) {
        sizes[i] = 3;
        order[i] = i;
    }
    FATAL(lithe_block_matrix_build(s.m, 3 * BODY, sizes, pairs, pair_count));
    int32_t count = 0;
    for (int32_t i = 0; i < 3 * BODY; i++)
        count += late[i];
    lithe_order_late(s.m, late, memory, last);
    double degree = cost_of_late(s.m, true, count), given = cost_of_late(s.m, false, count);
    CHECK(degree < 0.7 * given);
    // as good as any of many orders
    for (int round = 0; round < 200; round++) {
        shuffle(&random, 3 * BODY, order);
        CHECK(degree <= 1.05 * cost_of_late(s.m, false, count));
    }
    close_system(&s);
}
