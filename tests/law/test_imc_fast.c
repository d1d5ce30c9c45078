// SPDX-License-Identifier: Apache-2.0
// tests/law/test_imc_fast.c - many pairs of edges at once against the plain form, one at a time

#include "law/imc_fast.h"

#include "test.h"

enum { COUNT = 4003 }; // no whole number of vectors

static const LitheImcSetting soft = {{50, 1e-2}, 50};

// the size of the quantities compared
#define MAX 0.3
#define TOUCH 3.2e-3

static const LitheImcKernel *kernel_of(int which) {
#if defined(__x86_64__)
    if (which == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                   ? &lithe_imc_kernel_avx2
                   : NULL;
#endif
    return which == 0 ? &lithe_imc_kernel_portable : NULL;
}

// Edges of a knot, 3.3 mm long and 2 to 5 mm apart: crossing, beside each other, parallel, end to
// end, and far outside of each other's ends.
static void fill(TestRandom *r, double *x, double *touch) {
    for (int n = 0; n < COUNT; n++, x += 12) {
        Vec3 a = v3_unit(v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1)));
        Vec3 side = v3_any_normal(a), up = v3_cross(a, side);
        double angle = n % 5 == 0 ? 0 : n % 5 == 1 ? 1e-4 : test_random(r, -3.2, 3.2);
        Vec3 b = v3_axpy(sin(angle), side, v3_scale(cos(angle), a));
        double shift = test_random(r, -2, 2), beside = n % 3 == 0 ? 0 : test_random(r, -1, 1);
        Vec3 from = v3(1e-2, 2e-2, -3e-2);
        double edge = 3.3e-3 * test_random(r, 0.8, 1.2);
        Vec3 to = v3_axpy(test_random(r, 2e-3, 5e-3), up, from);
        to = v3_axpy(edge * shift, a, v3_axpy(edge * beside, side, to));
        v3_store(from, x);
        v3_store(v3_axpy(edge, a, from), x + 3);
        v3_store(to, x + 6);
        v3_store(v3_axpy(edge * test_random(r, 0.8, 1.2), b, to), x + 9);
        touch[n] = TOUCH * test_random(r, 0.9, 1.1);
    }
}

static double x[12 * COUNT], touch[COUNT];
static LitheImcPush pushes[COUNT];
static double hessians[COUNT * LITHE_IMC_HESSIAN], outer[COUNT * 16 * LITHE_IMC_OUTER];

static LitheImcMany all(const LitheImcSetting *setting) {
    return (LitheImcMany){COUNT, x, touch, MAX, setting};
}

// largest difference of two vectors over the largest entry of the second
static double apart(const double *a, const double *b, int count) {
    double max = 0, size = 0;
    for (int i = 0; i < count; i++) {
        max = fmax(max, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return max / size;
}

// rows and columns 0 to 2 of the blocks of a node, of both halves, as the plain form has them
static void unpack(const double *blocks, double out[144]) {
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = 0; j <= i; j++, k++)
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    out[12 * (3 * i + d) + 3 * j + c] = out[12 * (3 * j + c) + 3 * i + d] =
                        blocks[16 * k + 4 * c + d];
}

// Effect of rounding of the ends on the plain form: where edges are nearly parallel, derivatives
// in the dot products are as large as 1/eps and cancel in the ends.
static double shaken(int n, const LitheImcSetting *setting, const LitheImcPair *plain, bool first) {
    double y[12], max = 0;
    for (int k = 0; k < 8; k++) {
        LitheImcPair other;
        for (int i = 0; i < 12; i++)
            y[i] = x[12 * n + i] * (1 + ((k * 5 + i * 3) % 7 - 3) * 0x1p-53);
        if (!CHECK(lithe_imc_pair(y, touch[n], MAX, setting, true, &other)))
            return 0;
        max = fmax(max, first ? apart(other.gradient, plain->gradient, 12)
                              : apart(other.hessian, plain->hessian, 144));
    }
    return max;
}

static void compare(const LitheImcKernel *kernel, const LitheImcSetting *setting) {
    LitheImcMany many = all(setting);
    double worst[4] = {0};
    FATAL(kernel->many(&many, pushes));
    kernel->hessians(&many, 2, NULL, hessians);
    for (int n = 0; n < COUNT; n++) {
        LitheImcPair plain;
        double H[144];
        const LitheImcPush *fast = &pushes[n];
        FATAL(lithe_imc_pair(x + 12 * n, touch[n], MAX, setting, true, &plain));
        double places[5] = {fast->t, fast->u, fast->d.x / TOUCH, fast->d.y / TOUCH,
                            fast->d.z / TOUCH};
        double wanted[5] = {plain.t, plain.u, plain.d.x / TOUCH, plain.d.y / TOUCH,
                            plain.d.z / TOUCH};
        worst[0] = fmax(worst[0], apart(places, wanted, 5));
        worst[0] = fmax(worst[0], fabs(fast->distance / plain.distance - 1));
        worst[1] = fmax(worst[1], fabs(fast->energy / plain.energy - 1));
        worst[1] = fmax(worst[1], fabs(fast->force / plain.force - 1));
        unpack(hessians + LITHE_IMC_HESSIAN * n, H);
        for (int i = 0; i < 144; i++)
            H[i] *= 0.5;
        double first = apart(fast->gradient, plain.gradient, 12);
        double second = apart(H, plain.hessian, 144);
        if (first > 1e-12)
            first *= 1e-13 / shaken(n, setting, &plain, true);
        if (second > 1e-12)
            second *= 1e-13 / shaken(n, setting, &plain, false);
        worst[2] = fmax(worst[2], first);
        worst[3] = fmax(worst[3], second);
    }
    for (int k = 0; k < 4; k++)
        if (!CHECK(worst[k] < 1e-12))
            printf("  %s, quantity %d: %g\n", kernel->name, k, worst[k]);
}

TEST(many_pairs_at_once_have_the_energy_gradient_and_hessian_of_the_plain_form) {
    static const LitheImcSetting settings[] = {{{50, 1e-2}, 50}, {{20, 1e-3}, 150}};
    TestRandom r = {11};
    fill(&r, x, touch);
    for (int which = 0; which < 2; which++)
        for (int s = 0; kernel_of(which) && s < 2; s++)
            compare(kernel_of(which), &settings[s]);
}

TEST(a_pair_has_the_same_bits_wherever_it_stands_among_the_others) {
    TestRandom r = {12};
    fill(&r, x, touch);
    for (int which = 0; which < 2 && kernel_of(which); which++) {
        LitheImcMany many = all(&soft);
        FATAL(kernel_of(which)->many(&many, pushes));
        kernel_of(which)->hessians(&many, 1, NULL, hessians);
        for (int n = 0; n < COUNT; n += 7) {
            LitheImcMany one = {1, x + 12 * n, touch + n, MAX, &soft};
            LitheImcPush push;
            double H[LITHE_IMC_HESSIAN];
            FATAL(kernel_of(which)->many(&one, &push));
            kernel_of(which)->hessians(&one, 1, NULL, H);
            CHECK(memcmp(&push, &pushes[n], sizeof push) == 0);
            CHECK(memcmp(H, hessians + LITHE_IMC_HESSIAN * n, sizeof H) == 0);
        }
    }
}

TEST(vectors_beside_pairs_add_their_outer_products) {
    TestRandom r = {13};
    fill(&r, x, touch);
    for (int i = 0; i < COUNT * 16 * LITHE_IMC_OUTER; i++)
        outer[i] = test_random(&r, -1, 1);
    for (int which = 0; which < 2 && kernel_of(which); which++) {
        LitheImcMany many = {9, x, touch, MAX, &soft};
        double alone[9 * LITHE_IMC_HESSIAN];
        kernel_of(which)->hessians(&many, 1, NULL, alone);
        kernel_of(which)->hessians(&many, 1, outer, hessians);
        for (int n = 0; n < 9; n++)
            for (int i = 0, k = 0; i < 4; i++)
                for (int j = 0; j <= i; j++, k++)
                    for (int c = 0; c < 16; c++) {
                        int at = LITHE_IMC_HESSIAN * n + 16 * k + c;
                        double sum = alone[at];
                        for (int m = 0; m < LITHE_IMC_OUTER; m++) {
                            const double *v = outer + 16 * (LITHE_IMC_OUTER * n + m);
                            sum += v[4 * j + c / 4] * v[4 * i + c % 4];
                        }
                        CHECK_NEAR(hessians[at], sum, 1e-12 * (1 + fabs(sum)));
                    }
    }
}

TEST(one_pair_without_a_distance_is_refused_among_many) {
    static const double crossing[12] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0};
    TestRandom r = {14};
    for (int which = 0; which < 2 && kernel_of(which); which++)
        for (int bad = 0; bad < 3; bad++) {
            LitheImcMany many = all(&soft);
            fill(&r, x, touch);
            double *p = x + 12 * (COUNT - 1 - 5 * bad);
            if (bad == 0) // no length
                memcpy(p + 3, p, 3 * sizeof *p);
            else if (bad == 1) // not a number
                p[7] = NAN;
            else // lines that cross in the middles of both
                memcpy(p, crossing, sizeof crossing);
            LitheImcPair plain;
            CHECK(!lithe_imc_pair(p, TOUCH, MAX, &soft, false, &plain));
            CHECK(!kernel_of(which)->many(&many, pushes));
        }
}

TEST(rows_of_pairs_give_rates_and_spread_forces_as_written_out) {
    enum { NODES = 9, FEW = 7 };
    static LitheImcRows rows[FEW];
    double w[4 * NODES], f[FEW * LITHE_IMC_OUTER], rates[FEW * LITHE_IMC_OUTER];
    TestRandom r = {15};
    fill(&r, x, touch);
    for (int i = 0; i < 4 * NODES; i++)
        w[i] = test_random(&r, -1, 1);
    for (int n = 0; n < FEW; n++)
        for (int m = 0; m < LITHE_IMC_OUTER; m++) {
            f[LITHE_IMC_OUTER * n + m] = test_random(&r, -1, 1);
            for (int i = 0; i < 16; i++) {
                rows[n].row[m][i] = test_random(&r, -1, 1);
                rows[n].node[i / 4] = (n + 2 * (i / 4)) % NODES;
            }
        }
    for (int which = 0; which < 2 && kernel_of(which); which++) {
        LitheImcMany many = {FEW, x, touch, MAX, &soft};
        double out[4 * NODES] = {0}, wanted[4 * NODES] = {0};
        FATAL(kernel_of(which)->many(&many, pushes));
        kernel_of(which)->rates(FEW, rows, w, rates);
        kernel_of(which)->spread(FEW, rows, f, pushes, 0.5, out);
        for (int n = 0; n < FEW; n++)
            for (int i = 0; i < 16; i++) {
                int dof = 4 * rows[n].node[i / 4] + i % 4;
                double sum = i % 4 < 3 ? pushes[n].gradient[3 * (i / 4) + i % 4] : 0;
                for (int m = 0; m < LITHE_IMC_OUTER; m++) {
                    sum += rows[n].row[m][i] * f[LITHE_IMC_OUTER * n + m];
                    rates[LITHE_IMC_OUTER * n + m] -= rows[n].row[m][i] * w[dof];
                }
                wanted[dof] += 0.5 * sum;
            }
        for (int k = 0; k < FEW * LITHE_IMC_OUTER; k++)
            CHECK_NEAR(rates[k], 0, 1e-14);
        CHECK(apart(out, wanted, 4 * NODES) < 1e-14);
    }
}
