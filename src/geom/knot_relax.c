// SPDX-License-Identifier: Apache-2.0
// geom/knot_relax.c - minimises the bending of a knot, with tails held and strands kept apart
//
// One half of the curve, from a tail to the top of the loop, is an elastic chain of nodes x with
// equal edges l; the other half is its image under S, the half turn about y. In units of the
// bending stiffness and of the length, the energy is
//   bending   1/2 sum |x- - 2 x + x+|^2 / l^3                                   (1)
//   stretch   1/2 k_s l sum (|e|/l - 1)^2                                       (2)
//   contact   1/2 k_c l sum (D - |x - S y|)+^2, y nearest to x on the other half (3)
// Each step solves with the positive part of the second derivative of the energy. A node of the
// braid touches the image of the node on the other side of the braid's middle: numbered from the
// middle outwards, alternating sides, the matrix is banded.

#include "geom/knot.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/vecn.h"

enum {
    NEAR = 8,            // half band width in nodes; contacts farther out only add to the diagonal
    BAND = 3 * NEAR + 3, // entries of a row up to the diagonal
    STEPS = 90,          // the remaining gain is then a per cent or two
};

typedef struct Chain {
    Vec3 *x;         // [top + 1] nodes of the half curve
    Vec3 *trial;     // [top + 1]
    Vec3 *force;     // [top + 1] minus the derivative of the energy
    Vec3 *step;      // [top + 1]
    double *rows;    // [dofs, BAND] lower band; the diagonal is the last entry of a row
    double *right;   // [dofs]
    int32_t top;     // last node, on the y axis
    int32_t middle;  // node at the middle of the braid
    int32_t held;    // nodes before this one do not move
    int32_t places;  // number of nodes in the matrix
    double l;        // rest length of an edge
    double stretch;  // k_s
    double contact;  // k_c
    double distance; // D
} Chain;

typedef struct Touch {
    int32_t edge; // of the other half; -1: none
    double t;     // where on it
    double depth; // range (D for a contact) minus distance
    Vec3 n;       // unit, from the image to the node
} Touch;

static Vec3 image(Vec3 p) {
    return v3(-p.x, p.y, -p.z);
}

/// The nearest point of the other half within `range`. Edges that are near along the rod, across
/// the top of the loop, are ignored.
static Touch touch_of(const Chain *chain, const Vec3 *x, int32_t node, double range) {
    Touch best = {.edge = -1};
    double longest = 1.5 * chain->l; // no edge is stretched this far
    int32_t end = 2 * chain->top - node - (int32_t)(3 * chain->distance / chain->l) - 1;
    end = end < chain->top ? end : chain->top;
    double min = range;
    for (int32_t b = 0; b < end;) {
        Vec3 p = image(x[b]), e = v3_sub(image(x[b + 1]), p), r = v3_sub(x[node], p);
        // skip edges that cannot be nearer
        double room = v3_norm(r) - min - longest;
        if (room > longest) {
            double jump = floor(room / longest);
            b = jump < end - b ? b + (int32_t)jump : end;
            continue;
        }
        double t = fmin(1, fmax(0, v3_dot(r, e) / v3_dot(e, e)));
        Vec3 gap = v3_axpy(-t, e, r);
        double d = v3_norm(gap);
        if (d < min && d > 0) {
            min = d;
            best = (Touch){b, t, range - d, v3_scale(1 / d, gap)};
        }
        b++;
    }
    return best;
}

/// Neighbour after node i: beyond the top it is the image of the one before.
static Vec3 after(const Chain *chain, const Vec3 *x, int32_t i) {
    return i < chain->top ? x[i + 1] : image(x[chain->top - 1]);
}

/// (1) + (2) + (3).
static double energy_of(const Chain *chain, const Vec3 *x) {
    double l = chain->l, sum = 0;
    for (int32_t i = chain->held - 1; i <= chain->top; i++) {
        Vec3 c = v3_axpy(-2, x[i], v3_add(x[i - 1], after(chain, x, i)));
        double fraction = i == chain->top ? 0.5 : 1; // half of the top belongs to the image
        sum += 0.5 * fraction * v3_dot(c, c) / (l * l * l);
        double strain = v3_distance(x[i], x[i - 1]) / l - 1;
        sum += 0.5 * chain->stretch * l * strain * strain;
        Touch touch = touch_of(chain, x, i, chain->distance);
        if (touch.edge >= 0) // a pair is found from both halves: count half of it
            sum += 0.5 * chain->contact * l * touch.depth * touch.depth;
    }
    return sum;
}

// --- the banded matrix ---------------------------------------------------------------------------

/// Place of a node: 0 the middle, then alternating outwards.
static int32_t place_of(const Chain *chain, int32_t node) {
    int32_t k = node - chain->middle;
    return k > 0 ? 2 * k - 1 : -2 * k;
}

static bool moves(const Chain *chain, int32_t node, int axis) {
    return node >= chain->held && (node < chain->top || axis == 1);
}

/// Adds the 3x3 block k a b^T + diag(c) of nodes (i, j), lower part only.
static void add_block(Chain *chain, int32_t i, int32_t j, double k, Vec3 a, Vec3 b,
                      const double c[3]) {
    int32_t p = 3 * place_of(chain, i), q = 3 * place_of(chain, j);
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    for (int r = 0; r < 3; r++) {
        for (int s = 0; s < 3; s++) {
            int32_t back = p + r - (q + s);
            if (back < 0 || back >= BAND || !moves(chain, i, r) || !moves(chain, j, s))
                continue;
            chain->rows[(int64_t)(p + r) * BAND + BAND - 1 - back] +=
                k * u[r] * v[s] + (r == s ? c[r] : 0);
        }
    }
}

/// Adds k w_i w_j (S_i n)(S_j n)^T for `count` nodes.
static void add_outer(Chain *chain, int count, const int32_t *node, const double *weight,
                      const Vec3 *n, double k) {
    static const double none[3] = {0, 0, 0};
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            add_block(chain, node[a], node[b], k * weight[a] * weight[b], n[a], n[b], none);
}

static void push(Chain *chain, int32_t node, double k, Vec3 direction) {
    chain->force[node] = v3_axpy(k, direction, chain->force[node]);
}

static void add_bending(Chain *chain, int32_t i) {
    double k = 1 / (chain->l * chain->l * chain->l);
    Vec3 c = v3_axpy(-2, chain->x[i], v3_add(chain->x[i - 1], after(chain, chain->x, i)));
    if (i == chain->top) {
        // x- + S x- - 2 x has only a y component: 2 (y- - y), with half the weight
        Vec3 up = v3(0, c.y, 0), y = v3(0, 1, 0);
        push(chain, i - 1, -k, up);
        push(chain, i, k, up);
        add_outer(chain, 2, (int32_t[]){i - 1, i}, (double[]){1, -1}, (Vec3[]){y, y}, 2 * k);
        return;
    }
    static const double weight[3] = {1, -2, 1};
    for (int a = 0; a < 3; a++) {
        push(chain, i - 1 + a, -k * weight[a], c);
        for (int b = 0; b < 3; b++) {
            double kk = k * weight[a] * weight[b];
            Vec3 zero = {0};
            add_block(chain, i - 1 + a, i - 1 + b, 0, zero, zero, (double[]){kk, kk, kk});
        }
    }
}

static void add_stretch(Chain *chain, int32_t i) {
    Vec3 e = v3_sub(chain->x[i], chain->x[i - 1]);
    double length = v3_norm(e), tension = chain->stretch * (length / chain->l - 1);
    Vec3 t = v3_scale(1 / length, e);
    push(chain, i, -tension, t);
    push(chain, i - 1, tension, t);
    // the part perpendicular to the edge only where it is positive
    double across = fmax(0, tension) / length, along = chain->stretch / chain->l - across;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            double sign = a == b ? 1 : -1;
            add_block(chain, i - a, i - b, sign * along, t, t,
                      (double[]){sign * across, sign * across, sign * across});
        }
}

static void add_contact(Chain *chain, int32_t i) {
    Touch touch = touch_of(chain, chain->x, i, chain->distance);
    if (touch.edge < 0)
        return;
    double k = chain->contact * chain->l;
    Vec3 other = image(touch.n);
    const int32_t node[3] = {i, touch.edge, touch.edge + 1};
    const double weight[3] = {1, -(1 - touch.t), -touch.t};
    const Vec3 n[3] = {touch.n, other, other};
    for (int a = 0; a < 3; a++)
        push(chain, node[a], k * touch.depth * weight[a], n[a]);
    add_outer(chain, 3, node, weight, n, k);
}

/// Banded Cholesky in place, then `right` is solved. False when not positive.
static bool solve_band(double *rows, int32_t dofs, double *right) {
    for (int32_t i = 0; i < dofs; i++) {
        double *row = rows + (int64_t)i * BAND;
        int32_t first = i - (BAND - 1) < 0 ? 0 : i - (BAND - 1);
        for (int32_t j = first; j <= i; j++) {
            const double *other = rows + (int64_t)j * BAND;
            int32_t from = j - (BAND - 1) < first ? first : j - (BAND - 1);
            double sum = row[BAND - 1 - (i - j)] - vn_dot_4(j - from, row + BAND - 1 - (i - from),
                                                            other + BAND - 1 - (j - from));
            if (j < i)
                row[BAND - 1 - (i - j)] = sum / other[BAND - 1];
            else if (sum > 0)
                row[BAND - 1] = sqrt(sum);
            else
                return false;
        }
        right[i] -= vn_dot_4(i - first, row + BAND - 1 - (i - first), right + first);
        right[i] /= row[BAND - 1];
    }
    for (int32_t i = dofs - 1; i >= 0; i--) {
        const double *row = rows + (int64_t)i * BAND;
        right[i] /= row[BAND - 1];
        int32_t first = i - (BAND - 1) < 0 ? 0 : i - (BAND - 1);
        for (int32_t k = first; k < i; k++)
            right[k] -= row[BAND - 1 - (i - k)] * right[i];
    }
    return true;
}

/// Fills `step`; false when the matrix was not positive.
static bool find_step(Chain *chain, double damping) {
    int32_t dofs = 3 * chain->places;
    for (int64_t k = 0; k < (int64_t)dofs * BAND; k++)
        chain->rows[k] = 0;
    for (int32_t i = 0; i <= chain->top; i++)
        chain->force[i] = v3(0, 0, 0);
    for (int32_t i = chain->held - 1; i <= chain->top; i++) {
        add_bending(chain, i);
        add_stretch(chain, i);
        add_contact(chain, i);
    }
    for (int32_t k = 0; k < dofs; k++) {
        double *diagonal = &chain->rows[(int64_t)k * BAND + BAND - 1];
        *diagonal = *diagonal > 0 ? *diagonal * (1 + damping) : 1;
        chain->right[k] = 0;
    }
    for (int32_t i = chain->held; i <= chain->top; i++) {
        double *right = chain->right + 3 * place_of(chain, i);
        v3_store(chain->force[i], right);
        for (int axis = 0; axis < 3; axis++)
            if (!moves(chain, i, axis))
                right[axis] = 0;
    }
    if (!solve_band(chain->rows, dofs, chain->right))
        return false;
    for (int32_t i = 0; i <= chain->top; i++)
        chain->step[i] =
            i < chain->held ? v3(0, 0, 0) : v3_load(chain->right + 3 * place_of(chain, i));
    return true;
}

/// Largest fraction of the step in which no strand can cross another: near nodes move relative to
/// each other by less than a third of the gap, far ones by less than a quarter of the search range.
static double safe_fraction(const Chain *chain) {
    double part = 1, range = 0.02 + chain->distance;
    for (int32_t i = chain->held; i <= chain->top; i++) {
        double far = v3_norm(chain->step[i]);
        part = fmin(part, 0.25 * range / fmax(0.25 * range, far));
        Touch touch = touch_of(chain, chain->x, i, range);
        for (int k = 0; k < 2 && touch.edge >= 0; k++) {
            double approach = v3_distance(chain->step[i], image(chain->step[touch.edge + k]));
            double room = 0.3 * (range - touch.depth);
            part = fmin(part, room / fmax(room, approach));
        }
    }
    return part;
}

/// Applies the step if some fraction of it lowers the energy; returns the max displacement of a
/// node, 0 if none.
static double try_step(Chain *chain, double *energy) {
    double part = safe_fraction(chain);
    for (int halved = 0; halved < 6; halved++, part *= 0.5) {
        for (int32_t i = 0; i <= chain->top; i++)
            chain->trial[i] = v3_axpy(part, chain->step[i], chain->x[i]);
        double next = energy_of(chain, chain->trial), moved = 0;
        if (!(next < *energy))
            continue;
        for (int32_t i = 0; i <= chain->top; i++) {
            moved = fmax(moved, v3_distance(chain->x[i], chain->trial[i]));
            chain->x[i] = chain->trial[i];
        }
        *energy = next;
        return moved;
    }
    return 0;
}

static void relax(Chain *chain) {
    double energy = energy_of(chain, chain->x), damping = 1e-6;
    for (int k = 0; k < STEPS && damping < 1; k++) {
        double before = energy;
        double moved = find_step(chain, damping) ? try_step(chain, &energy) : 0;
        damping = moved > 0 ? fmax(1e-8, 0.3 * damping) : 10 * damping;
        // converged: nothing moves and the energy no longer falls
        if (moved > 0 && moved < 1e-5 && before - energy < 1e-6 * energy)
            return;
    }
}

int32_t lithe_knot_relaxed_count(int32_t unknotting, double offset) {
    // enough nodes for the waves of the braid, whose length grows with sqrt(offset) when it is
    // loose
    double half = fmax(150 + 40.0 * unknotting, 9 / sqrt(offset));
    return 2 * (int32_t)fmin(half, 900) + 1;
}

LitheStatus lithe_knot_relax(const LitheKnotForm *form, Vec3 *points, int32_t count,
                             LitheContext *context, LitheError *error) {
    int32_t top = count / 2;
    lithe_knot_points(form, points, count);
    Chain chain = {.top = top, .l = 0.5 / top, .distance = 2 * form->offset, .stretch = 1e6};

    // the middle of the braid is where the half curve first crosses the plane x = 0
    while (chain.middle < top && points[chain.middle].x < 0)
        chain.middle++;
    chain.held = (int32_t)(form->tail / chain.l);
    if (chain.held < 2)
        chain.held = 2;
    int32_t outer = chain.middle - chain.held, inner = top - chain.middle;
    chain.places = 2 * (outer > inner ? outer : inner) + 2;

    // contact stiffness for which the braid has an overlap of about one per cent
    double rate =
        v3_distance(points[chain.held], points[chain.middle]); // half the braid and a bend
    double turn = 1.5707963267948966 * (2 * form->unknotting + 1) / rate;
    chain.contact = 50 * turn * turn * turn * turn;

    size_t nodes = (size_t)top + 1;
    Vec3 *block = lithe_alloc_array(context, 3 * (int64_t)nodes, sizeof *block);
    chain.rows = lithe_alloc_array(context, 3 * (int64_t)chain.places * BAND, sizeof *chain.rows);
    chain.right = lithe_alloc_array(context, 3 * (int64_t)chain.places, sizeof *chain.right);
    LitheStatus status = LITHE_OK;
    if (block && chain.rows && chain.right) {
        chain.x = points;
        chain.trial = block;
        chain.force = block + nodes;
        chain.step = block + 2 * nodes;
        // the tail in equal edges outwards from the first free node
        for (int32_t i = chain.held - 2; i >= 0; i--)
            points[i] = v3_add(points[i + 1], v3(-chain.l, 0, 0));
        relax(&chain);
        for (int32_t i = 0; i < top; i++)
            points[count - 1 - i] = image(points[i]);
    } else {
        status = lithe_fail_memory(error, "a relaxed knot");
    }
    lithe_free(context, block);
    lithe_free(context, chain.rows);
    lithe_free(context, chain.right);
    return status;
}
