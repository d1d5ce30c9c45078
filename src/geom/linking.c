// SPDX-License-Identifier: Apache-2.0
// geom/linking.c - Gauss' integral of polylines as a sum of exact solid angles
//
// The directions b - a from the points of edge a to those of edge b cover a parallelogram on the
// unit sphere. Its signed solid angle is Gauss' integral of the two edges (L1), and that of a
// triangle has a closed form (L2). Angles are added as arguments of a complex number: whole turns
// are counted, so that a sum needs one arc tangent and has no branch errors (L3). The writhe of a
// curve whose crossings are known in one projection needs only the boundary of all these
// parallelograms (L6 to L8). docs/theory/collision.md.

#include "geom/linking.h"

// an angle: 2 pi turns + arg(re + i im)
typedef struct AngleSum {
    double re, im;
    int64_t turns;
} AngleSum;

// adds the angle of x + i y, which lies within (-pi, pi): (L3)
static void turn(AngleSum *t, double x, double y) {
    double re = t->re * x - t->im * y, im = t->re * y + t->im * x;
    // from the upper half plane to the lower one across the negative axis, or back
    t->turns += (y > 0 && t->im >= 0 && im < 0) - (y < 0 && t->im < 0 && im >= 0);
    double scale = 1 / (fabs(re) + fabs(im));
    t->re = re * scale;
    t->im = im * scale;
}

static double angle(const AngleSum *t) {
    return 2 * M_PI * (double)t->turns + atan2(t->im, t->re);
}

// a corner of the parallelogram
typedef struct Corner {
    Vec3 at;
    double length;
} Corner;

static Corner corner(Vec3 a, Vec3 b) {
    Vec3 at = v3_sub(b, a);
    return (Corner){at, v3_norm(at)};
}

// adds half the solid angle of a triangle; `six` is six times the volume of the tetrahedron of its
// corners and the origin: (L2)
static void turn_triangle(AngleSum *t, double six, Corner a, Corner b, Corner c) {
    turn(t,
         a.length * b.length * c.length + v3_dot(a.at, b.at) * c.length +
             v3_dot(a.at, c.at) * b.length + v3_dot(b.at, c.at) * a.length,
         six);
}

// adds half the solid angle of all edges first .. last - 1 of b, seen from the edge a0 a1
static void turn_row(AngleSum *t, Vec3 a0, Vec3 a1, const Vec3 *b, int32_t count, int32_t first,
                     int32_t last) {
    Corner start0 = corner(a0, b[first]), start1 = corner(a1, b[first]);
    for (int32_t j = first; j < last; j++) {
        Vec3 next = b[j + 1 == count ? 0 : j + 1];
        Corner end0 = corner(a0, next), end1 = corner(a1, next);
        // both triangles of the parallelogram span this volume; 0: coplanar, no contribution
        double six = v3_dot(start0.at, v3_cross(start1.at, end1.at));
        if (six != 0) {
            turn_triangle(t, six, start0, start1, end1);
            turn_triangle(t, six, start0, end1, end0);
        }
        start0 = end0;
        start1 = end1;
    }
}

bool lithe_linking_number(const Vec3 *a, int32_t a_count, const Vec3 *b, int32_t b_count,
                          int64_t *number) {
    AngleSum t = {1, 0, 0};
    for (int32_t i = 0; i < a_count; i++)
        turn_row(&t, a[i], a[i + 1 == a_count ? 0 : i + 1], b, b_count, 0, b_count);
    // (L4); for curves that touch, the sum is not an integer
    double sum = angle(&t) / (2 * M_PI), whole = nearbyint(sum);
    if (!(fabs(sum - whole) < 1e-6))
        return false;
    *number = (int64_t)whole;
    return true;
}

double lithe_writhe(const Vec3 *points, int32_t count, bool closed) {
    int32_t edges = closed ? count : count - 1;
    AngleSum t = {1, 0, 0};
    for (int32_t i = 0; i + 2 < edges; i++) {
        // neighbours are coplanar: no contribution
        int32_t last = closed && i == 0 ? edges - 1 : edges;
        turn_row(&t, points[i], points[i + 1], points, count, i + 2, last);
    }
    // (L5): each pair counts twice
    return angle(&t) / M_PI;
}

// --- writhe from one diagram ---------------------------------------------------------------------

// a walk along the boundary of the set of all directions from one point of a curve to a later one
typedef struct Boundary {
    AngleSum half; // half the area of the fan between the eye and the boundary
    LitheProjectedPoint first, last;
    double first_height, last_height;
    bool begun, unclear;
} Boundary;

// adds the triangle (eye, last, next): (L7)
static void walk(Boundary *boundary, LitheProjectedPoint next, double next_height) {
    LitheProjectedPoint last = boundary->last;
    double heights = boundary->last_height * next_height;
    double xx = last.x * next.x, yy = last.y * next.y;
    double x = heights + xx + yy, y = last.x * next.y - last.y * next.x;
    // the boundary passes the direction opposite to the eye, or reverses: the angle is ambiguous
    double doubt = 1e-12 * (heights + fabs(xx) + fabs(yy));
    if (x <= doubt && fabs(y) <= doubt)
        boundary->unclear = true;
    else
        turn(&boundary->half, x, y);
    boundary->last = next;
    boundary->last_height = next_height;
}

// adds the direction from a to b; nothing where they coincide
static void walk_to(Boundary *boundary, LitheProjectedPoint a, LitheProjectedPoint b) {
    LitheProjectedPoint to = {b.x - a.x, b.y - a.y, b.depth - a.depth};
    double across = to.x * to.x + to.y * to.y, length = sqrt(across + to.depth * to.depth);
    if (length == 0)
        return;
    // length + depth, without cancellation
    double height = to.depth >= 0 ? length + to.depth : across / (length - to.depth);
    if (boundary->begun) {
        walk(boundary, to, height);
        return;
    }
    boundary->begun = true;
    boundary->first = boundary->last = to;
    boundary->first_height = boundary->last_height = height;
}

double lithe_writhe_of_diagram(const LitheDiagram *diagram) {
    // the curve itself, without its closure far away
    bool closed = diagram->closed;
    const LitheProjectedPoint *p = diagram->projected + (closed ? 0 : 1);
    int32_t last = closed ? diagram->point_count : diagram->point_count - 1;
    double from = closed ? 0 : 1, to = from + last;

    Boundary boundary = {.half = {1, 0, 0}};
    for (int32_t i = 0; i < last; i++)
        walk_to(&boundary, p[i], p[i + 1]);
    for (int32_t i = last - 2; i >= 0; i--)
        walk_to(&boundary, p[i], p[last]);
    for (int32_t i = last - 1; i > 1; i--)
        walk_to(&boundary, p[0], p[i]);
    if (!boundary.begun)
        return 0;
    walk(&boundary, boundary.first, boundary.first_height);
    if (boundary.unclear)
        return NAN;

    // number of crossings whose later strand is below the other one: (L8)
    int64_t below = 0;
    for (int32_t k = 0; k < diagram->passage_count; k++) {
        const LithePassage *a = &diagram->passages[k];
        if (a->over && a->at < a->other && a->at > from && a->other < to)
            below += a->right ? 1 : -1;
    }
    return angle(&boundary.half) / M_PI + 2 * (double)below;
}
