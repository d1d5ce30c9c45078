// SPDX-License-Identifier: Apache-2.0
// geom/distance_box.c - depth of two overlapping boxes along the best of fifteen axes; distance of
// discs and frusta over a face
//
// Two convex polyhedra separate first along the normal of a face of one of them or perpendicular to
// an edge of each. For boxes these are fifteen axes n; along each, with half extents e and axes u
// of the boxes,
//    overlap(n) = sum e_a |u_a . n| + sum e_b |u_b . n| - |at . n|                    (6)
// The depth is the smallest one. Edges are chosen only when better than faces by 1e-9 of the size,
// so that rounding does not change the choice between equal axes.

#include "geom/distance.h"

static double extent(Vec3 half, Vec3 n) {
    return half.x * fabs(n.x) + half.y * fabs(n.y) + half.z * fabs(n.z);
}

static double overlap(const LitheCorePair *pair, Vec3 n) {
    return extent(pair->a->half, n) + extent(pair->b->half, m3_apply_transposed(&pair->r, n)) -
           fabs(v3_dot(pair->at, n)); // (6)
}

bool lithe_box_depth(const LitheCorePair *pair, LitheCoreDistance *out) {
    double size = v3_norm(pair->a->half) + v3_norm(pair->b->half), min = INFINITY;
    Vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, best = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        axis[3 + k] = m3_column(pair->r, k);
    for (int k = 0; k < 15; k++) {
        Vec3 n = k < 6 ? axis[k] : v3_cross(axis[(k - 6) / 3], axis[3 + (k - 6) % 3]);
        double length = v3_norm(n);
        // parallel edges give no axis in addition to those of the faces
        if (length < 1e-7)
            continue;
        n = v3_scale(1 / length, n);
        double depth = overlap(pair, n);
        if (depth <= 0)
            return false;
        if (depth < min - (k < 3 ? 0 : 1e-9 * size)) {
            min = depth;
            best = n;
        }
    }
    if (v3_dot(best, pair->at) < 0)
        best = v3_neg(best);
    // the touching points, with b moved a little away from a
    LitheCorePair moved = *pair;
    double clear = 1e-6 * size;
    moved.at = v3_axpy(min + clear, best, pair->at);
    LitheSimplex simplex;
    LitheCoreDistance touch;
    if (!lithe_gjk_apart(&moved, &touch, &simplex))
        return false;
    out->distance = -min;
    out->normal = best;
    out->on_a = touch.on_a;
    out->on_b = v3_axpy(-min, best, touch.on_a);
    return true;
}

// --- over a face ---------------------------------------------------------------------------------

// Where the lowest point of a convex shape over the plane of a face lies over the face itself, it
// is the nearest one: no point of the box is above the plane. Flat ends parallel to the face have
// many lowest points: those are left to the search, which chooses among them.
bool lithe_box_face_distance(const LitheCorePair *pair, LitheCoreDistance *out) {
    bool swapped = pair->b->kind == LITHE_CORE_BOX;
    const LitheCore *box = swapped ? pair->b : pair->a, *other = swapped ? pair->a : pair->b;
    if (box->kind != LITHE_CORE_BOX || other->kind != LITHE_CORE_FRUSTUM)
        return false;
    // origin of the other core in the frame of the box
    Vec3 at = swapped ? v3_neg(m3_apply_transposed(&pair->r, pair->at)) : pair->at;
    const double c[3] = {at.x, at.y, at.z}, half[3] = {box->half.x, box->half.y, box->half.z};
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(c[i]) - half[i] > fabs(c[k]) - half[k])
            k = i;
    double down[3] = {0, 0, 0}, tie = 1e-6;
    down[k] = c[k] > 0 ? -1 : 1;
    Vec3 d = v3_load(down);
    Vec3 turned = swapped ? m3_apply(pair->r, d) : m3_apply_transposed(&pair->r, d);
    if (turned.x * turned.x + turned.y * turned.y < tie * tie ||
        (other->z[0] < other->z[1] && fabs(turned.z) < tie))
        return false;
    Vec3 low = lithe_core_support(other, turned);
    Vec3 x = swapped ? m3_apply_transposed(&pair->r, v3_sub(low, pair->at))
                     : v3_add(pair->at, m3_apply(pair->r, low));
    const double p[3] = {x.x, x.y, x.z};
    double height = -down[k] * p[k] - half[k];
    int i = (k + 1) % 3, j = (k + 2) % 3;
    if (!(height > 0) || fabs(p[i]) > half[i] || fabs(p[j]) > half[j])
        return false;
    Vec3 foot = v3_axpy(height, d, x);
    out->distance = height;
    out->normal = swapped ? turned : v3_neg(d);
    out->on_a = swapped ? low : foot;
    out->on_b = swapped ? v3_add(pair->at, m3_apply(pair->r, foot)) : x;
    return true;
}
