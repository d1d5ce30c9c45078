// SPDX-License-Identifier: Apache-2.0
// body/chain.c - a rope as capsules: making one, laying it out, gaps and energies

#include "body/chain.h"

static Quat turn_of(const double *q) {
    return (Quat){q[3], q[4], q[5], q[6]};
}

// end of a capsule from its centre; side -1 or 1
static Vec3 arm_of(const LitheChain *chain, const double *q, double side) {
    return q4_rotate(turn_of(q), v3(0, 0, 0.5 * side * chain->length));
}

LitheStatus lithe_chain_of_rope(const LitheRopeDef *rope, LitheChain *chain, LitheError *error) {
    const struct {
        const char *name;
        double value;
    } positive[] = {{"length", rope->length},
                    {"radius", rope->radius},
                    {"density", rope->density},
                    {"young", rope->young}};
    if (rope->count < 1)
        return lithe_fail(error, LITHE_BAD_INPUT, "chain: count is %d, must be >= 1", rope->count);
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].value > 0 && positive[i].value < INFINITY))
            return lithe_fail(error, LITHE_BAD_INPUT, "chain: %s is %g, must be > 0",
                              positive[i].name, positive[i].value);
    if (!(rope->poisson > -1 && rope->poisson <= 0.5))
        return lithe_fail(error, LITHE_BAD_INPUT, "chain: poisson is %g, must be in (-1, 0.5]",
                          rope->poisson);
    const double pi = 3.14159265358979323846;
    double r = rope->radius, l = rope->length / rope->count;
    double area = pi * r * r, second = 0.25 * area * r * r;
    double mass = rope->density * area * l;
    *chain = (LitheChain){.count = rope->count,
                          .length = l,
                          .radius = r,
                          .mass = mass,
                          .inertia_across = mass * (3 * r * r + l * l) / 12,
                          .inertia_along = 0.5 * mass * r * r,
                          .bend = rope->young * second / l,
                          .twist = rope->young * second / ((1 + rope->poisson) * l)};
    return LITHE_OK;
}

void lithe_chain_place(const LitheChain *chain, const Vec3 *points, double *q) {
    Vec3 before = {0, 0, 1};
    Quat turn = q4_identity();
    for (int32_t i = 0; i < chain->count; i++) {
        Vec3 axis = v3_unit(v3_sub(points[i + 1], points[i]));
        turn = q4_unit(q4_mul(q4_between(before, axis), turn));
        before = axis;
        v3_store(v3_mix(points[i], points[i + 1], 0.5), q + 7 * i);
        q[7 * i + 3] = turn.w;
        q[7 * i + 4] = turn.x;
        q[7 * i + 5] = turn.y;
        q[7 * i + 6] = turn.z;
    }
}

Vec3 lithe_chain_joint(const LitheChain *chain, const double *q, int32_t j) {
    const double *before = q + (ptrdiff_t)7 * (j - 1), *after = before + 7;
    Vec3 upper = {0, 0, 0}, lower = {0, 0, 0};
    if (j > 0)
        upper = v3_add(v3_load(before), arm_of(chain, before, 1));
    if (j < chain->count)
        lower = v3_add(v3_load(after), arm_of(chain, after, -1));
    return j == 0 ? lower : j == chain->count ? upper : v3_mix(upper, lower, 0.5);
}

double lithe_chain_gap(const LitheChain *chain, const double *q) {
    double most = 0;
    if (chain->start_pinned)
        most = v3_distance(lithe_chain_joint(chain, q, 0), chain->start_at);
    if (chain->end_pinned)
        most = fmax(most, v3_distance(lithe_chain_joint(chain, q, chain->count), chain->end_at));
    for (int32_t i = 0; i + 1 < chain->count; i++) {
        const double *a = q + (ptrdiff_t)7 * i, *b = a + 7;
        Vec3 upper = v3_add(v3_load(a), arm_of(chain, a, 1));
        Vec3 lower = v3_add(v3_load(b), arm_of(chain, b, -1));
        most = fmax(most, v3_distance(upper, lower));
    }
    return most;
}

void lithe_chain_bend(const double *q_before, const double *q_after, Vec3 *r, Mat3 *slope) {
    Quat after = turn_of(q_after);
    *r = q4_log(q4_mul(q4_conj(turn_of(q_before)), after));
    *slope = m3_mul(q4_matrix(after), so3_slope_inverse(*r));
}

double lithe_chain_kinetic_energy(const LitheChain *chain, const double *q, const double *v) {
    double twice = 0;
    for (int32_t i = 0; i < chain->count; i++) {
        Vec3 u = v3_load(v + 6 * i);
        Vec3 spin = q4_rotate(q4_conj(turn_of(q + 7 * i)), v3_load(v + 6 * i + 3));
        twice += chain->mass * v3_dot(u, u) + chain->inertia_along * spin.z * spin.z +
                 chain->inertia_across * (spin.x * spin.x + spin.y * spin.y);
    }
    return 0.5 * twice;
}

double lithe_chain_potential_energy(const LitheChain *chain, Vec3 gravity, const double *q) {
    double energy = 0;
    for (int32_t i = 0; i < chain->count; i++) {
        energy -= chain->mass * v3_dot(gravity, v3_load(q + 7 * i));
        if (i + 1 == chain->count)
            break;
        Vec3 r;
        Mat3 slope;
        lithe_chain_bend(q + 7 * i, q + 7 * (i + 1), &r, &slope);
        energy += 0.5 * (chain->bend * (r.x * r.x + r.y * r.y) + chain->twist * r.z * r.z);
    }
    return energy;
}
