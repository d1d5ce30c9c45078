// SPDX-License-Identifier: Apache-2.0
// tests/law/test_solid_fast.c - many tetrahedra at once against one law call per element

#include "law/solid_fast.h"
#include "math/svd3.h"

#include "test.h"

enum { NODES = 14, COUNT = 23, ENTRIES = NODES * (NODES + 1) / 2, VALUES = 9 * ENTRIES };

// random elements on random nodes, with every pair of nodes an entry of the matrix
typedef struct Case {
    LitheSolidMaterial material;
    LitheTets tets;
    int32_t nodes[4 * COUNT], entries[10 * COUNT];
    Vec3 gradients[4 * COUNT];
    double volumes[COUNT], x[3 * NODES];
    Mat3 rotations[COUNT];
    int64_t value_at[ENTRIES];
} Case;

typedef struct Result {
    double energy, gradient[3 * NODES], values[VALUES];
    int32_t bad;
} Result;

static Vec3 random_vector(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

// shape gradients from the positions at rest; elements of both orientations do
static void add_element(Case *c, int32_t e, TestRandom *r, const Vec3 *rest) {
    int32_t *node = c->nodes + 4 * e;
    for (int a = 0; a < 4; a++) {
        bool taken = true;
        while (taken) {
            node[a] = (int32_t)(test_random_bits(r) % NODES);
            taken = false;
            for (int b = 0; b < a; b++)
                taken = taken || node[b] == node[a];
        }
    }
    Vec3 d[3];
    for (int a = 0; a < 3; a++)
        d[a] = v3_sub(rest[node[a + 1]], rest[node[0]]);
    Mat3 D = m3_transpose(m3_columns(d[0], d[1], d[2]));
    Vec3 *g = c->gradients + 4 * e;
    g[1] = m3_solve(D, v3(1, 0, 0));
    g[2] = m3_solve(D, v3(0, 1, 0));
    g[3] = m3_solve(D, v3(0, 0, 1));
    g[0] = v3_neg(v3_add(g[1], v3_add(g[2], g[3])));
    c->volumes[e] = fabs(m3_det(D)) / 6;
    int32_t *entry = c->entries + 10 * e;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++) {
            int32_t row = node[a] > node[b] ? node[a] : node[b], col = node[a] + node[b] - row;
            *entry++ = row * (row + 1) / 2 + col;
        }
}

// nodes move by a rotation and up to `strain` of the size of the cloud
static void make_case(Case *c, int32_t law, double strain, TestRandom *r) {
    Vec3 rest[NODES];
    Mat3 A = m3_columns(random_vector(r, 1), random_vector(r, 1), random_vector(r, 1));
    Mat3 Q = lithe_polar_rotation(&A);
    for (int i = 0; i < NODES; i++) {
        rest[i] = random_vector(r, 1);
        v3_store(v3_add(m3_apply(Q, rest[i]), random_vector(r, strain)), c->x + 3 * i);
    }
    for (int32_t e = 0; e < COUNT; e++) {
        do
            add_element(c, e, r, rest);
        while (c->volumes[e] < 0.02);
        Mat3 B = m3_columns(random_vector(r, 1), random_vector(r, 1), random_vector(r, 1));
        c->rotations[e] = lithe_polar_rotation(&B);
    }
    for (int32_t k = 0; k < ENTRIES; k++)
        c->value_at[k] = 9 * (int64_t)k;
    c->material = lithe_solid_material(lithe_solid_laws[law], 2.5, 0.35);
    c->tets = (LitheTets){.law = lithe_solid_laws[law],
                          .material = &c->material,
                          .count = COUNT,
                          .nodes = c->nodes,
                          .gradients = c->gradients,
                          .volumes = c->volumes,
                          .rotations = lithe_solid_laws[law]->lagged ? c->rotations : NULL,
                          .entries = c->entries,
                          .value_at = c->value_at};
}

// one call of the law per element
static void plain(const Case *c, double scale, bool project, bool strains, Result *out) {
    memset(out, 0, sizeof *out);
    out->bad = -1;
    for (int32_t e = 0; e < COUNT; e++) {
        const int32_t *node = c->nodes + 4 * e;
        const Vec3 *g = c->gradients + 4 * e;
        Mat3 F = m3_zero(), P;
        double H[81], V = c->volumes[e];
        for (int a = 0; a < 4; a++)
            F = m3_add(F, m3_outer(v3_load(c->x + 3 * node[a]), g[a]));
        double W = c->tets.law->evaluate(&c->material, &F, &c->rotations[e], &P, H, project);
        if (!(W < INFINITY)) {
            out->bad = e;
            return;
        }
        if (strains)
            lithe_solid_remove_turns(&F, H);
        out->energy += V * W;
        for (int a = 0; a < 4; a++) {
            Vec3 f = m3_apply(P, v3_scale(V, g[a]));
            v3_store(v3_add(f, v3_load(out->gradient + 3 * node[a])), out->gradient + 3 * node[a]);
            for (int b = 0; b < 4; b++) {
                if (node[b] > node[a])
                    continue;
                const double *ga = &g[a].x, *gb = &g[b].x;
                double *block = out->values + 9 * (node[a] * (node[a] + 1) / 2 + node[b]);
                for (int i = 0; i < 3; i++)
                    for (int k = 0; k < 3; k++)
                        for (int j = 0; j < 3; j++)
                            for (int l = 0; l < 3; l++)
                                block[3 * k + i] +=
                                    scale * V * H[9 * (3 * j + i) + 3 * l + k] * ga[j] * gb[l];
            }
        }
    }
}

static void fast(const Case *c, int32_t kernel, double scale, bool project, bool strains,
                 Result *out) {
    memset(out, 0, sizeof *out);
    LitheTetTerms terms = {.gradient = out->gradient,
                           .values = out->values,
                           .scale = scale,
                           .project = project,
                           .strains = strains};
    out->energy = lithe_tet_kernel(kernel)(&c->tets, c->x, &terms);
    out->bad = terms.bad;
}

static double largest(const double *a, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k]));
    return most;
}

static void compare(const double *a, const double *b, int32_t count, double tolerance) {
    double scale = largest(b, count), most = 0;
    for (int32_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    CHECK_NEAR(most / scale, 0, tolerance);
}

TEST(energy_forces_and_stiffness_are_those_of_the_law) {
    TestRandom r = {1};
    static Case c;
    static Result a, b;
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++) {
        int32_t compared = 0;
        for (int trial = 0; trial < 200; trial++) {
            make_case(&c, law, trial % 3 ? 0.05 : 0.15, &r);
            plain(&c, 0.7, trial & 1, trial & 2, &a);
            fast(&c, 0, 0.7, trial & 1, trial & 2, &b);
            CHECK(a.bad == b.bad);
            if (a.bad >= 0)
                continue;
            compared++;
            CHECK_NEAR(b.energy, a.energy, 1e-12 * fabs(a.energy));
            compare(b.gradient, a.gradient, 3 * NODES, 1e-12);
            compare(b.values, a.values, VALUES, 1e-12);
        }
        CHECK(compared > 20);
    }
}

TEST(all_kernels_give_the_same_bits) {
    TestRandom r = {2};
    static Case c;
    static Result a, b;
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++)
        for (int trial = 0; trial < 50; trial++) {
            make_case(&c, law, trial % 3 ? 0.05 : 0.3, &r);
            fast(&c, 0, 0.7, trial & 1, trial & 2, &a);
            for (int32_t k = 1; lithe_tet_kernel(k); k++) {
                fast(&c, k, 0.7, trial & 1, trial & 2, &b);
                CHECK(a.bad == b.bad);
                CHECK(a.bad >= 0 || memcmp(&a, &b, sizeof a) == 0);
            }
        }
}

TEST(a_count_that_does_not_fill_the_lanes_gives_the_sum_of_its_elements) {
    TestRandom r = {3};
    static Case c;
    static Result all, part, sum;
    make_case(&c, 2, 0.05, &r);
    for (int32_t count = 1; count < 10; count++) {
        c.tets.count = count;
        fast(&c, 0, 1, true, false, &all);
        memset(&sum, 0, sizeof sum);
        Case one = c;
        one.tets.count = 1;
        for (int32_t e = 0; e < count; e++) {
            one.tets.nodes = c.nodes + 4 * e;
            one.tets.gradients = c.gradients + 4 * e;
            one.tets.volumes = c.volumes + e;
            one.tets.entries = c.entries + 10 * e;
            fast(&one, 0, 1, true, false, &part);
            sum.energy += part.energy;
            for (int32_t k = 0; k < VALUES; k++)
                sum.values[k] += part.values[k];
        }
        CHECK(sum.energy == all.energy);
        compare(all.values, sum.values, VALUES, 1e-15);
    }
}

TEST(inverted_elements_of_the_invertible_laws_are_those_of_the_law) {
    TestRandom r = {4};
    static Case c;
    static Result a, b;
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++) {
        if (!lithe_solid_laws[law]->invertible)
            continue;
        for (int trial = 0; trial < 50; trial++) {
            make_case(&c, law, 0.8, &r);
            plain(&c, 0.7, true, false, &a);
            fast(&c, 0, 0.7, true, false, &b);
            CHECK(b.bad == -1);
            CHECK_NEAR(b.energy, a.energy, 1e-11 * fabs(a.energy));
            compare(b.gradient, a.gradient, 3 * NODES, 1e-11);
            compare(b.values, a.values, VALUES, 1e-11);
        }
    }
}

TEST(a_node_that_is_not_finite_names_its_element) {
    TestRandom r = {5};
    static Case c;
    static Result out;
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++) {
        make_case(&c, law, 0.01, &r);
        c.x[3 * c.nodes[4 * 6 + 2]] = NAN;
        int32_t expected = 0;
        for (bool found = false; !found; expected += !found)
            for (int a = 0; a < 4; a++)
                found = found || c.nodes[4 * expected + a] == c.nodes[4 * 6 + 2];
        fast(&c, 0, 1, false, false, &out);
        CHECK(isinf(out.energy) && out.bad == expected);
    }
}

// both orientations, small and large strains: by Newton's iteration and by singular values
TEST(rotations_in_lanes_are_those_of_the_polar_decomposition) {
    TestRandom r = {11};
    int32_t inverted = 0;
    double worst = 0;
    for (int k = 0; k < 40; k++) {
        Case c;
        Mat3 R[COUNT], other[COUNT];
        make_case(&c, 0, k % 2 == 0 ? 0.1 : 2, &r);
        lithe_tets_rotations(&c.tets, c.x, R);
        for (int32_t index = 1; lithe_tet_rotations(index); index++) {
            lithe_tet_rotations(index)(&c.tets, c.x, other);
            CHECK(memcmp(R, other, sizeof R) == 0);
        }
        for (int32_t e = 0; e < COUNT; e++) {
            Vec3 d[3];
            Mat3 F = m3_zero();
            for (int a = 0; a < 3; a++) {
                d[a] = v3_sub(v3_load(c.x + 3 * c.nodes[4 * e + a + 1]),
                              v3_load(c.x + 3 * c.nodes[4 * e]));
                F = m3_add(F, m3_outer(d[a], c.gradients[4 * e + a + 1]));
            }
            LitheSvd3 s = lithe_svd3(&F);
            Mat3 exact = m3_mul(s.U, m3_transpose(s.V));
            inverted += s.s.z < 0;
            // an error of F turns R by its size over the sum of the two smaller stretches
            double apart = 0, room = (s.s.y + s.s.z) / s.s.x;
            for (int i = 0; i < 9; i++)
                apart = fmax(apart, fabs(R[e].m[i / 3][i % 3] - exact.m[i / 3][i % 3]));
            worst = fmax(worst, apart * room);
        }
    }
    printf("  %d elements are inverted, largest difference %.2g\n", (int)inverted, worst);
    CHECK(inverted > 20);
    CHECK(worst < 1e-14);
}

// Slow and fast turns, up to more than a right angle in a step; frames are those of F.
TEST(forces_of_a_chord_in_lanes_are_those_of_its_stress) {
    TestRandom r = {12};
    static Case c;
    for (int trial = 0; trial < 60; trial++) {
        double one, power = 0, v[3 * NODES], h = trial % 3 ? 0.1 : 2, forces[2][3 * NODES] = {{0}};
        make_case(&c, 0, trial % 2 ? 0.02 : 0.2, &r);
        lithe_tets_rotations(&c.tets, c.x, c.rotations);
        for (int i = 0; i < 3 * NODES; i++)
            v[i] = test_random(&r, -1, 1);
        for (int32_t e = 0; e < COUNT; e++) {
            const int32_t *node = c.nodes + 4 * e;
            Mat3 F = m3_zero(), rate = m3_zero();
            for (int a = 0; a < 4; a++) {
                F = m3_add(F, m3_outer(v3_load(c.x + 3 * node[a]), c.gradients[4 * e + a]));
                rate = m3_add(rate, m3_outer(v3_load(v + 3 * node[a]), c.gradients[4 * e + a]));
            }
            Mat3 P = lithe_solid_chord_stress(&c.material, &F, &rate, &c.rotations[e], h, &one);
            power += 0.7 * c.volumes[e] * one;
            for (int a = 0; a < 4; a++) {
                Vec3 f = m3_apply(P, v3_scale(0.7 * c.volumes[e], c.gradients[4 * e + a]));
                v3_store(v3_add(f, v3_load(forces[0] + 3 * node[a])), forces[0] + 3 * node[a]);
            }
        }
        double before[3 * NODES];
        for (int32_t k = 0; lithe_tet_kernel(k); k++) {
            LitheTetTerms terms = {.scale = 0.7, .velocity = v, .h = h, .chord = forces[1]};
            memset(forces[1], 0, sizeof forces[1]);
            lithe_tet_kernel(k)(&c.tets, c.x, &terms);
            compare(forces[1], forces[0], 3 * NODES, 1e-11);
            CHECK_NEAR(terms.chord_power, power, 1e-11 * power);
            CHECK(k == 0 || memcmp(forces[1], before, sizeof before) == 0);
            memcpy(before, forces[1], sizeof before);
        }
    }
}
