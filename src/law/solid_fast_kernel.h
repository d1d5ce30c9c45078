// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_kernel.h - energy, forces and stiffness of tetrahedra, for any number of lanes
//
// The including file defines LANES (2 or 4), the vector type Lanes, FAST_FN and FAST_TARGET
// (attributes), FAST_NAME and FAST_ROTATIONS (the names of the functions). Formulas (H17) to (H19)
// are in law/solid_fast.h, the others in law/solid_*.

#ifndef LITHE_LAW_SOLID_FAST_KERNEL_H
#define LITHE_LAW_SOLID_FAST_KERNEL_H

#include "law/solid_fast.h"
#include "law/solid_fast_chord.h"
#include "law/solid_fast_svd.h"
#include "law/solid_fast_turns.h"
#include "math/lanes.h"

enum { BLOCKS = 10 };

// LANES elements; index 0 .. 2 of node arrays is node 1 .. 3 of the element
typedef struct Group {
    L3 g[3];       // shape gradients
    L3 f[3], r[3]; // columns of F; of the rotation
    L3 u[3];       // F g
    L3 d[3];       // edges from node 0
    Lanes volume, pressure;
    double energy[LANES];
    L3 force[3];
    Lanes block[BLOCKS][9]; // column-major, times `scale`
} Group;

// m += s (columns of) a b', column-major
FAST_FN void add_outer(Lanes m[9], L3 a, L3 b) {
    m[0] += a.x * b.x;
    m[1] += a.y * b.x;
    m[2] += a.z * b.x;
    m[3] += a.x * b.y;
    m[4] += a.y * b.y;
    m[5] += a.z * b.y;
    m[6] += a.x * b.z;
    m[7] += a.y * b.z;
    m[8] += a.z * b.z;
}

// --- in and out ----------------------------------------------------------------------------------

// number i of each lane
FAST_FN Lanes pick(const double *const from[LANES], int i) {
#if LANES == 4
    return (Lanes){from[0][i], from[1][i], from[2][i], from[3][i]};
#else
    return (Lanes){from[0][i], from[1][i]};
#endif
}

// nine consecutive numbers of each lane
FAST_FN void pick_nine(const double *const from[LANES], Lanes v[9]) {
    for (int k = 0; k < 8; k += 4) {
#if LANES == 4
        for (int l = 0; l < 4; l++)
            v[k + l] = load(from[l] + k);
        transpose_4(v + k);
#else
        for (int i = 0; i < 4; i++)
            v[k + i] = pick(from, k + i);
#endif
    }
    v[8] = pick(from, 8);
}

// d[a]: the vector of node a + 1 less that of node 0
FAST_FN void read_edges(const LitheTets *tets, const double *x, int32_t first, int32_t count,
                        L3 d[3]) {
    const double *at[4][LANES];
    for (int l = 0; l < LANES; l++) {
        int64_t k = first + (l < count ? l : count - 1);
        for (int a = 0; a < 4; a++)
            at[a][l] = x + 3 * (int64_t)tets->nodes[4 * k + a];
    }
    L3 origin = {pick(at[0], 0), pick(at[0], 1), pick(at[0], 2)};
    for (int a = 0; a < 3; a++)
        d[a] = sub((L3){pick(at[a + 1], 0), pick(at[a + 1], 1), pick(at[a + 1], 2)}, origin);
}

// columns of F of edges d
FAST_FN void columns_of(const L3 g[3], const L3 d[3], L3 f[3]) {
    f[0] = combine(g[0].x, d[0], g[1].x, d[1], g[2].x, d[2]);
    f[1] = combine(g[0].y, d[0], g[1].y, d[1], g[2].y, d[2]);
    f[2] = combine(g[0].z, d[0], g[1].z, d[1], g[2].z, d[2]);
}

// Numbers go from memory to lanes without a copy in between: a vector cannot be read at once from
// numbers that were stored one by one.
FAST_FN void read_group(const LitheTets *tets, const double *x, int32_t first, int32_t count,
                        Group *e) {
    const double *slope[LANES], *volume[LANES], *pressure[LANES];
    static const double none = 0;
    for (int l = 0; l < LANES; l++) {
        // past the end: the last element again, whose results are ignored
        int64_t k = first + (l < count ? l : count - 1);
        slope[l] = &tets->gradients[4 * k + 1].x;
        volume[l] = tets->volumes + k;
        pressure[l] = tets->pressures ? tets->pressures + k : &none;
    }
    Lanes g[9];
    read_edges(tets, x, first, count, e->d);
    pick_nine(slope, g);
    for (int a = 0; a < 3; a++)
        e->g[a] = (L3){g[3 * a], g[3 * a + 1], g[3 * a + 2]};
    e->volume = pick(volume, 0);
    e->pressure = pick(pressure, 0);
    columns_of(e->g, e->d, e->f);
    for (int a = 0; a < 3; a++)
        e->u[a] = apply(e->f, e->g[a]);
}

FAST_FN void read_rotations(const LitheTets *tets, int32_t first, int32_t count, Group *e) {
    const double *from[LANES];
    Lanes r[9];
    for (int l = 0; l < LANES; l++)
        from[l] = (const double *)&tets->rotations[first + (l < count ? l : count - 1)];
    pick_nine(from, r);
    for (int j = 0; j < 3; j++)
        e->r[j] = (L3){r[j], r[3 + j], r[6 + j]};
}

FAST_FN void add_forces(const LitheTets *tets, int32_t first, int32_t count, const L3 force[3],
                        double *gradient) {
    double f[9][LANES];
    for (int a = 0; a < 3; a++) {
        store(force[a].x, f[3 * a]);
        store(force[a].y, f[3 * a + 1]);
        store(force[a].z, f[3 * a + 2]);
    }
    for (int l = 0; l < count; l++) {
        const int32_t *node = tets->nodes + 4 * (int64_t)(first + l);
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int a = 0; a < 3; a++) {
                gradient[3 * (int64_t)node[a + 1] + i] += f[3 * a + i][l];
                sum += f[3 * a + i][l];
            }
            gradient[3 * (int64_t)node[0] + i] -= sum;
        }
    }
}

// Nodes a, b of the blocks; a block whose node b is the larger one is stored as its transpose.
FAST_FN void add_blocks(const LitheTets *tets, int32_t first, int32_t count, const Group *e,
                        double *values) {
    static const int8_t node_a[BLOCKS] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3};
    static const int8_t node_b[BLOCKS] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};
    const int32_t *nodes = tets->nodes + 4 * (int64_t)first;
    const int32_t *entries = tets->entries + BLOCKS * (int64_t)first;
    // element by element, so that sums do not depend on the number of lanes
    for (int l = 0; l < count; l++)
        for (int k = 0; k < BLOCKS; k++) {
            const double *v = (const double *)e->block[k] + l;
            double *to = values + tets->value_at[entries[BLOCKS * l + k]];
            if (nodes[4 * l + node_a[k]] >= nodes[4 * l + node_b[k]])
                for (int i = 0; i < 9; i++)
                    to[i] += v[LANES * i];
            else
                for (int i = 0; i < 9; i++)
                    to[i] += v[LANES * (3 * (i % 3) + i / 3)];
        }
}

// --- blocks --------------------------------------------------------------------------------------

enum { B00, B10, B11, B20, B21, B22, B30, B31, B32, B33 };

// Blocks of node 0 from those of the others: every row of blocks adds to zero.
FAST_FN void close_blocks(Group *e) {
    static const int8_t transposed[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    for (int i = 0; i < 9; i++) {
        int t = transposed[i];
        e->block[B10][i] = -(e->block[B11][i] + e->block[B21][t] + e->block[B31][t]);
        e->block[B20][i] = -(e->block[B21][i] + e->block[B22][i] + e->block[B32][t]);
        e->block[B30][i] = -(e->block[B31][i] + e->block[B32][i] + e->block[B33][i]);
    }
    for (int i = 0; i < 9; i++)
        e->block[B00][i] = -(e->block[B10][i] + e->block[B20][i] + e->block[B30][i]);
}

static const int8_t pair_block[6] = {B11, B21, B22, B31, B32, B33};
static const int8_t pair_a[6] = {0, 1, 1, 2, 2, 2}, pair_b[6] = {0, 0, 1, 0, 1, 2};

// Adds weight U M V', M the unit matrix of a pair (i, j) with the sign of its entry (j, i): a twist
// or a flip of (H10).
FAST_FN void add_pair_mode(Group *e, const LaneSvd *d, const L3 *vg, int i, int j, Lanes sign,
                           Lanes weight) {
    L3 q[3], w[3];
    for (int a = 0; a < 3; a++) {
        const Lanes c[3] = {vg[a].x, vg[a].y, vg[a].z}; // V'g
        q[a] = add(mul(c[j], d->u[i]), mul(sign * c[i], d->u[j]));
        w[a] = mul(weight, q[a]);
    }
    for (int k = 0; k < 6; k++)
        add_outer(e->block[pair_block[k]], w[pair_a[k]], q[pair_b[k]]);
}

FAST_FN void gradients_in_frame(const Group *e, const LaneSvd *d, L3 *vg) {
    for (int a = 0; a < 3; a++)
        vg[a] = (L3){dot(d->v[0], e->g[a]), dot(d->v[1], e->g[a]), dot(d->v[2], e->g[a])};
}

// --- laws of invariants --------------------------------------------------------------------------

typedef struct Slopes {
    Lanes W1, W2, WJ, dd[6], I1;
} Slopes;

// (H14) to (H16) as in law/solid_invariant.c, then W lane by lane. Returns the first lane outside
// of the domain, or LANES.
FAST_FN int slopes_of(const LitheTets *tets, int32_t count, Group *e, Slopes *w) {
    L3 a = e->f[0], b = e->f[1], c = e->f[2];
    Lanes one = lanes(1), two = lanes(2), three = lanes(3);
    Lanes xx = dot(a, a) - one, yy = dot(b, b) - one, zz = dot(c, c) - one;
    Lanes yz = dot(b, c), xz = dot(a, c), xy = dot(a, b);
    Lanes t = xx + yy + zz;
    Lanes d2 = (xx * yy - xy * xy) + (xx * zz - xz * xz) + (yy * zz - yz * yz);
    Lanes d3 = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    Lanes J = dot(cross(a, b), c);
    Mask small = (size(xx) + size(yy) + size(zz) < lanes(0.5)) & (J > lanes(0));
    Lanes growth = choose(small, (t + d2 + d3) / (one + J), J - one);
    Lanes first = choose(small, growth * growth - d2 - d3, t - two * growth);
    Lanes second = two * first + d2, I2 = three + two * t + d2;
    double W[9][LANES];
    w->I1 = three + t;
    for (int l = 0; l < count; l++) {
        LitheInvariants v = {.I1 = w->I1[l],
                             .I2 = I2[l],
                             .J = J[l],
                             .growth = growth[l],
                             .first = first[l],
                             .second = second[l]};
        LitheInvariantSlopes s;
        double energy = tets->law->slopes(tets->material, &v, &s);
        if (!(energy < INFINITY))
            return l;
        e->energy[l] = energy;
        for (int k = 0; k < 3; k++)
            W[k][l] = s.d[k];
        for (int k = 0; k < 6; k++)
            W[3 + k][l] = s.dd[k];
    }
    for (int l = count; l < LANES; l++)
        for (int k = 0; k < 9; k++)
            W[k][l] = W[k][0];
    w->W1 = load(W[0]);
    w->W2 = load(W[1]);
    w->WJ = load(W[2]) + e->pressure;
    for (int k = 0; k < 6; k++)
        w->dd[k] = load(W[3 + k]);
    return LANES;
}

// the three modes of d2W/ds ds (H10); nothing where this matrix is positive definite
FAST_FN void raise_scales(Group *e, const LaneSvd *d, const L3 *vg, const Slopes *w, Lanes scale) {
    static const int8_t pair[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const Lanes *s = d->s, two = lanes(2);
    Lanes A[3][3], E[3][3], g[3][3];
    for (int i = 0; i < 3; i++) {
        Lanes x = s[i], y = s[(i + 1) % 3], z = s[(i + 2) % 3];
        g[0][i] = two * x;
        g[1][i] = two * x * (y * y + z * z);
        g[2][i] = y * z;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            Lanes sum = i == j ? two * w->W1 + two * w->W2 * (w->I1 - s[i] * s[i])
                               : lanes(4) * w->W2 * s[i] * s[j] + w->WJ * s[3 - i - j];
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum += w->dd[pair[a][b]] * g[a][i] * g[b][j];
            A[i][j] = A[j][i] = sum;
        }
    Lanes minor = A[0][0] * A[1][1] - A[0][1] * A[0][1];
    Lanes det = minor * A[2][2] - A[0][0] * A[1][2] * A[1][2] - A[1][1] * A[0][2] * A[0][2] +
                two * A[0][1] * A[0][2] * A[1][2];
    Mask definite = (A[0][0] > lanes(0)) & (minor > lanes(0)) & (det > lanes(0));
    if (!any(~definite))
        return;
    lane_eigen(A, E);
    for (int k = 0; k < 3; k++) {
        Mask negative = (A[k][k] < lanes(0)) & ~definite;
        Lanes weight = choose(negative, -A[k][k], lanes(0)) * scale;
        L3 q[3], x[3];
        for (int a = 0; a < 3; a++) {
            q[a] = combine(E[k][0] * vg[a].x, d->u[0], E[k][1] * vg[a].y, d->u[1],
                           E[k][2] * vg[a].z, d->u[2]);
            x[a] = mul(weight, q[a]);
        }
        for (int p = 0; p < 6; p++)
            add_outer(e->block[pair_block[p]], x[pair_a[p]], q[pair_b[p]]);
    }
}

// (H10)
FAST_TARGET static void project_invariants(Group *e, const Slopes *w, Lanes scale) {
    LaneSvd d;
    L3 vg[3];
    lane_svd(e->f, &d);
    gradients_in_frame(e, &d, vg);
    const Lanes *s = d.s, two = lanes(2), none = lanes(0);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        Lanes rest = w->I1 - s[j] * s[j] - s[k] * s[k];
        Lanes twist = two * w->W1 + two * w->W2 * (rest + s[j] * s[k]) + w->WJ * s[i];
        Lanes flip = two * w->W1 + two * w->W2 * (rest - s[j] * s[k]) - w->WJ * s[i];
        Lanes half = lanes(0.5) * scale;
        if (any(twist < none))
            add_pair_mode(e, &d, vg, j, k, lanes(-1), choose(twist < none, -twist, none) * half);
        if (any(flip < none))
            add_pair_mode(e, &d, vg, j, k, lanes(1), choose(flip < none, -flip, none) * half);
    }
    raise_scales(e, &d, vg, w, scale);
}

// (H17); `flat`: W2 and all derivatives with respect to I1 and I2 but W1 are zero
FAST_FN void invariant_blocks(bool flat, Group *e, const Slopes *w, const L3 *n, const L3 *t,
                              Lanes scale) {
    L3 A[3], B[3], C[3]; // scaled sums over i of Wij Gi, for j = 1, 2, J
    const Lanes *dd = w->dd, two = lanes(2), W2 = two * w->W2 * scale;
    Lanes WJ = w->WJ * scale, iso = two * w->W1 * scale;
    for (int a = 0; a < 3; a++) {
        C[a] = mul(dd[5] * scale, n[a]);
        if (flat)
            continue;
        L3 v = mul(two, e->u[a]);
        A[a] = mul(scale, combine(dd[0] + w->W2, v, dd[1], t[a], dd[2], n[a]));
        B[a] = mul(scale, combine(dd[1], v, dd[3], t[a], dd[4], n[a]));
        C[a] = mul(scale, combine(dd[2], v, dd[4], t[a], dd[5], n[a]));
    }
    L3 FF[3]; // F F', by columns
    if (!flat) {
        FF[0] = combine(e->f[0].x, e->f[0], e->f[1].x, e->f[1], e->f[2].x, e->f[2]);
        FF[1] = combine(e->f[0].y, e->f[0], e->f[1].y, e->f[1], e->f[2].y, e->f[2]);
        FF[2] = combine(e->f[0].z, e->f[0], e->f[1].z, e->f[1], e->f[2].z, e->f[2]);
        iso += W2 * w->I1;
    }
    for (int k = 0; k < 6; k++) {
        int a = pair_a[k], b = pair_b[k];
        Lanes *m = e->block[pair_block[k]];
        Lanes gg = dot(e->g[a], e->g[b]), diagonal = iso * gg;
        for (int i = 0; i < 9; i++)
            m[i] = lanes(0);
        add_outer(m, C[a], n[b]);
        if (!flat) {
            add_outer(m, A[a], mul(two, e->u[b]));
            add_outer(m, B[a], t[b]);
            add_outer(m, mul(-W2, e->u[b]), e->u[a]);
            diagonal -= W2 * dot(e->u[a], e->u[b]);
            for (int j = 0; j < 3; j++) {
                m[3 * j] -= W2 * gg * FF[j].x;
                m[3 * j + 1] -= W2 * gg * FF[j].y;
                m[3 * j + 2] -= W2 * gg * FF[j].z;
            }
        }
        m[0] += diagonal;
        m[4] += diagonal;
        m[8] += diagonal;
        if (a == b)
            continue;
        L3 x = mul(WJ, apply(e->f, cross(e->g[a], e->g[b])));
        m[1] -= x.z; // - [x]x
        m[2] += x.y;
        m[3] += x.z;
        m[5] -= x.x;
        m[6] -= x.y;
        m[7] += x.x;
    }
}

FAST_FN int invariants(bool flat, const LitheTets *tets, int32_t count, Group *e,
                       const LitheTetTerms *terms) {
    Slopes w;
    int bad = slopes_of(tets, count, e, &w);
    if (bad < LANES)
        return bad;
    L3 cof[3] = {cross(e->f[1], e->f[2]), cross(e->f[2], e->f[0]), cross(e->f[0], e->f[1])};
    L3 n[3], t[3];
    Lanes two = lanes(2);
    for (int a = 0; a < 3; a++) {
        n[a] = apply(cof, e->g[a]);
        L3 force = add(mul(two * w.W1, e->u[a]), mul(w.WJ, n[a]));
        if (!flat) {
            L3 c = {dot(e->f[0], e->u[a]), dot(e->f[1], e->u[a]), dot(e->f[2], e->u[a])};
            t[a] = mul(two, sub(mul(w.I1, e->u[a]), apply(e->f, c)));
            force = add(force, mul(w.W2, t[a]));
        }
        e->force[a] = mul(e->volume, force);
    }
    if (!terms->values)
        return LANES;
    Lanes scale = lanes(terms->scale) * e->volume;
    invariant_blocks(flat, e, &w, n, t, scale);
    if (terms->project)
        project_invariants(e, &w, scale);
    return LANES;
}

// --- linear laws ---------------------------------------------------------------------------------

// the blocks alpha (ga.gb) I + beta pa pb' + gamma pb pa'
FAST_FN void linear_blocks(Group *e, const L3 *p, Lanes alpha, Lanes beta, Lanes gamma) {
    for (int k = 0; k < 6; k++) {
        int a = pair_a[k], b = pair_b[k];
        Lanes *m = e->block[pair_block[k]];
        Lanes diagonal = alpha * dot(e->g[a], e->g[b]);
        for (int i = 0; i < 9; i++)
            m[i] = lanes(0);
        add_outer(m, mul(beta, p[a]), p[b]);
        add_outer(m, mul(gamma, p[b]), p[a]);
        m[0] += diagonal;
        m[4] += diagonal;
        m[8] += diagonal;
    }
}

FAST_FN void store_energy(Lanes energy, Group *e) {
    store(energy, e->energy);
}

// (H18)
FAST_FN void lagged(const LitheTets *tets, int32_t first, int32_t count, Group *e,
                    const LitheTetTerms *terms) {
    Lanes mu = lanes(tets->material->mu), lambda = lanes(tets->material->lambda), one = lanes(1);
    read_rotations(tets, first, count, e);
    const L3 *r = e->r, *f = e->f;
    Lanes xx = dot(r[0], f[0]) - one, yy = dot(r[1], f[1]) - one, zz = dot(r[2], f[2]) - one;
    Lanes yz = dot(r[1], f[2]) + dot(r[2], f[1]), xz = dot(r[0], f[2]) + dot(r[2], f[0]);
    Lanes xy = dot(r[0], f[1]) + dot(r[1], f[0]), trace = xx + yy + zz;
    Lanes square = xx * xx + yy * yy + zz * zz + lanes(0.5) * (yz * yz + xz * xz + xy * xy);
    store_energy(mu * square + lanes(0.5) * lambda * trace * trace, e); // (H1)
    Lanes c_minus = lambda * trace + e->pressure - lanes(2) * mu;
    L3 p[3];
    for (int a = 0; a < 3; a++) {
        p[a] = apply(r, e->g[a]);
        L3 c = {dot(f[0], p[a]), dot(f[1], p[a]), dot(f[2], p[a])};
        L3 force = mul(mu, add(e->u[a], apply(r, c)));
        force = add(force, mul(c_minus, p[a]));
        e->force[a] = mul(e->volume, force);
    }
    if (!terms->values)
        return;
    Lanes scale = lanes(terms->scale) * e->volume;
    linear_blocks(e, p, mu * scale, lambda * scale, mu * scale);
}

// (S66), times `scale`
FAST_FN void add_chord(const LitheTets *tets, int32_t first, int32_t count, const Group *e,
                       LitheTetTerms *terms) {
    L3 d[3], rate[3], strain[3], force[3];
    double power[LANES];
    read_edges(tets, terms->velocity, first, count, d);
    columns_of(e->g, d, rate);
    chord_strain(e->f, rate, e->r, lanes(terms->h), strain);
    Lanes scale = lanes(terms->scale) * e->volume;
    Lanes mu = lanes(2 * tets->material->mu) * scale;
    Lanes trace = strain[0].x + strain[1].y + strain[2].z;
    Lanes pressure = lanes(tets->material->lambda) * scale * trace;
    for (int a = 0; a < 3; a++)
        force[a] = apply(e->r, add(mul(mu, apply(strain, e->g[a])), mul(pressure, e->g[a])));
    Lanes square =
        dot(strain[0], strain[0]) + dot(strain[1], strain[1]) + dot(strain[2], strain[2]);
    store(mu * square + pressure * trace, power);
    for (int l = 0; l < count; l++)
        terms->chord_power += power[l];
    add_forces(tets, first, count, force, terms->chord);
}

// (H19) without the stiffness, which needs the singular values
FAST_FN void corotated_forces(const LitheTets *tets, int32_t first, int32_t count, Group *e) {
    Lanes mu = lanes(tets->material->mu), lambda = lanes(tets->material->lambda);
    Lanes square = lanes(0), trace = lanes(-3);
    if (tets->rotations)
        read_rotations(tets, first, count, e);
    else
        lane_polar(e->f, e->r);
    for (int j = 0; j < 3; j++) {
        L3 stretch = sub(e->f[j], e->r[j]);
        square += dot(stretch, stretch);
        trace += dot(e->r[j], e->f[j]);
    }
    Lanes two_mu = lanes(2) * mu, c = lambda * trace + e->pressure;
    store_energy(mu * square + lanes(0.5) * lambda * trace * trace, e); // (H4)
    for (int a = 0; a < 3; a++) {
        L3 p = apply(e->r, e->g[a]);
        e->force[a] = mul(e->volume, add(mul(two_mu, sub(e->u[a], p)), mul(c, p)));
    }
}

// (H19)
FAST_FN void corotated(const LitheTets *tets, int32_t first, int32_t count, Group *e,
                       const LitheTetTerms *terms) {
    if (!terms->values) {
        corotated_forces(tets, first, count, e);
        return;
    }
    Lanes mu = lanes(tets->material->mu), lambda = lanes(tets->material->lambda), one = lanes(1);
    LaneSvd d;
    lane_svd(e->f, &d);
    Lanes x = d.s[0] - one, y = d.s[1] - one, z = d.s[2] - one, trace = x + y + z;
    Lanes two_mu = lanes(2) * mu, c = lambda * trace + e->pressure;
    store_energy(mu * (x * x + y * y + z * z) + lanes(0.5) * lambda * trace * trace, e); // (H4)
    L3 vg[3], p[3];
    gradients_in_frame(e, &d, vg);
    for (int a = 0; a < 3; a++) {
        p[a] = apply(d.u, vg[a]);
        L3 force = add(mul(two_mu, sub(e->u[a], p[a])), mul(c, p[a]));
        e->force[a] = mul(e->volume, force);
    }
    Lanes scale = lanes(terms->scale) * e->volume, least = lanes(LITHE_COROTATED_LEAST);
    linear_blocks(e, p, two_mu * scale, lambda * scale, lanes(0));
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++) {
            Lanes sum = d.s[i] + d.s[j];
            Lanes change = lanes(2) * (c - two_mu) / choose(sum > least, sum, least);
            if (terms->project)
                change = choose(change > -two_mu, change, -two_mu);
            add_pair_mode(e, &d, vg, i, j, lanes(-1), lanes(0.5) * change * scale);
        }
}

// --- all elements --------------------------------------------------------------------------------

FAST_TARGET double FAST_NAME(const LitheTets *tets, const double *x, LitheTetTerms *terms) {
    double energy = 0;
    Group e;
    terms->bad = -1;
    terms->chord_power = 0;
    for (int32_t first = 0; first < tets->count; first += LANES) {
        int32_t count = tets->count - first < LANES ? tets->count - first : LANES;
        int bad = LANES;
        read_group(tets, x, first, count, &e);
        if (tets->law->slopes && tets->law->flat)
            bad = invariants(true, tets, count, &e, terms);
        else if (tets->law->slopes)
            bad = invariants(false, tets, count, &e, terms);
        else if (tets->law->lagged)
            lagged(tets, first, count, &e, terms);
        else
            corotated(tets, first, count, &e, terms);
        for (int l = 0; l < count && bad == LANES; l++)
            bad = isfinite(e.energy[l]) ? LANES : l;
        if (bad < LANES) {
            terms->bad = first + bad;
            return INFINITY;
        }
        double volume[LANES];
        store(e.volume, volume);
        for (int l = 0; l < count; l++)
            energy += volume[l] * e.energy[l];
        if (terms->gradient)
            add_forces(tets, first, count, e.force, terms->gradient);
        if (terms->chord)
            add_chord(tets, first, count, &e, terms);
        if (terms->values) {
            if (terms->strains)
                remove_turns(e.f, e.d, e.u,
                             (Lanes *[6]){e.block[B11], e.block[B21], e.block[B22], e.block[B31],
                                          e.block[B32], e.block[B33]});
            close_blocks(&e);
            add_blocks(tets, first, count, &e, terms->values);
        }
    }
    return energy;
}

FAST_TARGET void FAST_ROTATIONS(const LitheTets *tets, const double *x, Mat3 *rotations) {
    Group e;
    for (int32_t first = 0; first < tets->count; first += LANES) {
        int32_t count = tets->count - first < LANES ? tets->count - first : LANES;
        double r[3][3][LANES];
        read_group(tets, x, first, count, &e);
        lane_polar(e.f, e.r);
        for (int j = 0; j < 3; j++) {
            store(e.r[j].x, r[0][j]);
            store(e.r[j].y, r[1][j]);
            store(e.r[j].z, r[2][j]);
        }
        for (int l = 0; l < count; l++)
            for (int k = 0; k < 9; k++)
                rotations[first + l].m[k / 3][k % 3] = r[k / 3][k % 3][l];
    }
}

#endif
