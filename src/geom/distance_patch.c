// SPDX-License-Identifier: Apache-2.0
// geom/distance_patch.c - contacts at the corners of a flat patch, and within it, that are
// equivalent to the whole patch
//
// Where faces meet, a uniform pressure acts on the whole patch. Contacts p_i at its corners alone
// would make friction about the normal and resistance to rocking too large. So each contact at a
// corner has a second one inside,
//    q_i = c + s (p_i - c),   c = mean of p_i                                         (18)
// which takes the fraction 1 - w of its stiffness. With the means over the patch
//    m1 = <|x - c|> / <|p_i - c|>,   m2 = <|x - c|^2> / <|p_i - c|^2>                 (19)
// friction about the normal and rocking are those of the patch for
//    w + (1 - w) s = m1,   w + (1 - w) s^2 = m2                                       (20)
// A square has w = 0.161, s = 0.453, a disc w = 1/3, s = 1/2. As the faces tilt against each other
// the weights of the inner contacts fall to zero, because then only an edge or corner touches.
// A face with holes, or of several parts, has its own centre and means (19); its corners have
// shares l_i in the pressure, so that its resultant acts at the centre:
//    l_i = 1/N + (c - p)' (sum (p_i - p)(p_i - p)')^-1 (p_i - p),   p = mean of p_i          (27)

#include "geom/distance.h"

static double cross2(const double *a, const double *b) {
    return a[0] * b[1] - a[1] * b[0];
}

// whether corners go round the origin once, each by less than half a turn from the last: those of a
// patch in the order in which a face, or the overlap of two, gives them
static bool goes_round(double (*x)[2], int count) {
    int left = 0, turns = 0;
    for (int i = 0; i < count; i++) {
        const double *next = x[(i + 1) % count];
        left += cross2(x[i], next) > 0;
        turns += x[i][1] < 0 && next[1] >= 0;
    }
    return left == count && turns == 1;
}

// sorts corners by their angles, so that they go round the patch
static void go_round(double (*x)[2], int count) {
    double angle[LITHE_OVERLAP_MAX];
    for (int i = 0; i < count; i++) {
        double own[2] = {x[i][0], x[i][1]}, turn = atan2(own[1], own[0]);
        int j = i;
        for (; j > 0 && angle[j - 1] > turn; j--) {
            angle[j] = angle[j - 1];
            x[j][0] = x[j - 1][0], x[j][1] = x[j - 1][1];
        }
        angle[j] = turn;
        x[j][0] = own[0], x[j][1] = own[1];
    }
}

// Integrals of 1, |x| and |x|^2 over the triangle of the origin and a side from a to b, with sign:
// with d the distance of the line of the side, t along it from the foot of the origin,
// r^2 = d^2 + t^2,
//    |x|: d/6 [t r + d^2 asinh(t/d)],   |x|^2: d/12 [3 d^2 t + t^3] ... each between both ends
// The difference of both asinh is asinh((tb ra - ta rb)/d^2).
static void add_triangle(const double *a, const double *b, double ra, double rb, double sums[3]) {
    double side[2] = {b[0] - a[0], b[1] - a[1]};
    double length = sqrt(side[0] * side[0] + side[1] * side[1]);
    double area = 0.5 * cross2(a, b);
    if (!(length > 0) || area == 0)
        return;
    double d = 2 * fabs(area) / length, sign = area < 0 ? -1 : 1;
    double ta = (a[0] * side[0] + a[1] * side[1]) / length;
    double tb = (b[0] * side[0] + b[1] * side[1]) / length;
    double turn = asinh((tb * ra - ta * rb) / (d * d));
    sums[0] += area;
    sums[1] += sign * d / 6 * (tb * rb - ta * ra + d * d * turn);
    sums[2] += sign * d / 12 * (3 * d * d * (tb - ta) + (tb * tb * tb - ta * ta * ta));
}

bool lithe_patch_weights(double m1, double m2, double least, double *w, double *s) {
    double below = 1 + m2 - 2 * m1;
    *w = below > least ? (m2 - m1 * m1) / below : 1; // (20)
    *s = *w < m1 ? (m2 - *w) / (m1 - *w) : 0;
    return *w > 0 && *w < 1 && *s > 0 && *s < 1;
}

void lithe_face_add(LitheFaceArea *face, const double (*x)[2]) {
    double far[3], turn = cross2(x[0], x[1]) + cross2(x[1], x[2]) + cross2(x[2], x[0]);
    double sums[3] = {0};
    for (int i = 0; i < 3; i++)
        far[i] = sqrt(x[i][0] * x[i][0] + x[i][1] * x[i][1]);
    for (int i = 0; i < 3; i++)
        add_triangle(x[i], x[(i + 1) % 3], far[i], far[(i + 1) % 3], sums);
    for (int i = 0; i < 3; i++)
        face->sums[i] += turn < 0 ? -sums[i] : sums[i];
}

// records the area of a patch whose corners x go round the centre c
static void note_polygon(LitheRegion *region, Vec3 c, Vec3 u, Vec3 v, double (*x)[2], int count) {
    region->centre = c;
    region->u = u;
    region->v = v;
    region->count = count;
    for (int i = 0; i < count; i++) {
        region->corner[i][0] = x[i][0];
        region->corner[i][1] = x[i][1];
    }
}

// w and s of (20); false: the patch has no such contacts
static bool weights_of(const LithePatch *patch, const LitheContactPoint *corner, int count, Vec3 c,
                       double *w, double *s) {
    Vec3 n = corner[0].normal,
         u = v3_unit(v3_cross(fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0), n));
    Vec3 v = v3_cross(n, u);
    // corners from c: along u and v, and their distances
    double x[LITHE_OVERLAP_MAX][2], far[LITHE_OVERLAP_MAX], sums[3] = {0}, r1 = 0, r2 = 0;
    if (patch->count < 3)
        return false;
    for (int i = 0; i < patch->count; i++) {
        Vec3 d = v3_sub(patch->corner[i], c);
        x[i][0] = v3_dot(d, u);
        x[i][1] = v3_dot(d, v);
    }
    // the integrals are those of the mirror image
    if (cross2(x[0], x[1]) < 0) {
        v = v3_neg(v);
        for (int i = 0; i < patch->count; i++)
            x[i][1] = -x[i][1];
    }
    if (!goes_round(x, patch->count))
        go_round(x, patch->count);
    if (patch->region)
        note_polygon(patch->region, c, u, v, x, patch->count);
    for (int i = 0; i < patch->count; i++)
        far[i] = sqrt(x[i][0] * x[i][0] + x[i][1] * x[i][1]);
    for (int i = 0; i < patch->count; i++) {
        int next = i + 1 < patch->count ? i + 1 : 0;
        add_triangle(x[i], x[next], far[i], far[next], sums);
    }
    for (int i = 0; i < count; i++) {
        double r = v3_distance(corner[i].on_a, c);
        r1 += r / count;
        r2 += r * r / count;
    }
    if (!(sums[0] > 1e-6 * r2))
        return false;
    return lithe_patch_weights(sums[1] / (sums[0] * r1), sums[2] / (sums[0] * r2), 1e-3, w,
                               s); // (19)
}

// Shares of the corners in the pressure on a face whose centre is c, of those the nearest to equal
// ones; false: some are negative.
static bool shares_of(const LitheContactPoint *corner, int count, Vec3 c, double *share) {
    Vec3 n = corner[0].normal, u = v3_any_normal(n), v = v3_cross(n, u), mean = {0, 0, 0};
    double uu = 0, uv = 0, vv = 0;
    for (int i = 0; i < count; i++)
        mean = v3_axpy(1.0 / count, corner[i].on_a, mean);
    for (int i = 0; i < count; i++) {
        Vec3 d = v3_sub(corner[i].on_a, mean);
        double x = v3_dot(d, u), y = v3_dot(d, v);
        uu += x * x;
        uv += x * y;
        vv += y * y;
    }
    Vec3 off = v3_sub(c, mean);
    double x = v3_dot(off, u), y = v3_dot(off, v), det = uu * vv - uv * uv;
    bool positive = det > 0;
    for (int i = 0; i < count && positive; i++) {
        Vec3 d = v3_sub(corner[i].on_a, mean);
        double along = (vv * x - uv * y) * v3_dot(d, u) + (uu * y - uv * x) * v3_dot(d, v);
        share[i] = 1.0 / count + along / det; // (27)
        positive = share[i] > 0;
    }
    return positive;
}

// allowed difference of the mean radius of a face from that of the ring of (33)
#define SAME_RADIUS 0.01

// Records a face with its triangles, or else with the area and the mean square radius of a ring, if
// its mean radius is that of the ring, too:
//    pi (R^2 - r^2) = area,   (R^2 + r^2)/2 = <|x - c|^2>                               (33)
static void note_face(LitheRegion *region, const LitheFaceArea *face, Vec3 n) {
    double area = face->sums[0], square = 2 * face->sums[2] / area, part = area / M_PI;
    double R = sqrt(0.5 * (square + part)), r = sqrt(fmax(0, 0.5 * (square - part)));
    double mean = 2.0 / 3 * (R * R + R * r + r * r) / (R + r);
    bool ring = !face->mesh && fabs(face->sums[1] / area - mean) <= SAME_RADIUS * mean;
    region->centre = face->centre;
    region->u = v3_any_normal(n);
    region->v = v3_cross(n, region->u);
    region->mesh = face->mesh;
    region->pose = face->pose;
    region->triangle = face->triangle;
    region->ring[0] = ring ? R : 0;
    region->ring[1] = ring ? r : 0;
}

// contacts of a face that is not the polygon of its corners
static int spread_area(const LitheFaceArea *face, double flat, LitheRegion *region,
                       LitheContactPoint *points, int count) {
    double share[4], r1 = 0, r2 = 0, gap = 0, w, s;
    Vec3 c = face->centre;
    if (!(face->sums[0] > 0) || !shares_of(points, count, c, share))
        return count;
    for (int i = 0; i < count; i++) {
        double r = v3_distance(points[i].on_a, c);
        r1 += share[i] * r;
        r2 += share[i] * r * r;
        gap += share[i] * points[i].gap;
    }
    if (!lithe_patch_weights(face->sums[1] / (face->sums[0] * r1),
                             face->sums[2] / (face->sums[0] * r2), 1e-9, &w, &s))
        return count;
    for (int i = 0; i < count; i++) {
        LitheContactPoint *inner = &points[count + i];
        *inner = points[i];
        inner->on_a = v3_mix(c, points[i].on_a, s);
        inner->gap = gap + s * (points[i].gap - gap);
        inner->on_b = v3_axpy(inner->gap, inner->normal, inner->on_a);
        inner->weight = flat * count * share[i] * (1 - w);
        inner->feature = points[i].feature ^ LITHE_INNER_FEATURE;
        points[i].weight = 1 + flat * (count * share[i] - 1) - inner->weight;
    }
    if (region)
        note_face(region, face, points[0].normal);
    return 2 * count;
}

double lithe_patch_flat(const LithePatch *patch) {
    if (patch->count < 3)
        return 0;
    double low = INFINITY, high = -INFINITY, size = 0;
    for (int i = 0; i < patch->count; i++) {
        low = fmin(low, patch->gap[i]);
        high = fmax(high, patch->gap[i]);
        size = fmax(size, v3_distance(patch->corner[i], patch->corner[0]));
    }
    return size > 0 ? fmax(0, 1 - (high - low) / (LITHE_PATCH_GONE * size)) : 0;
}

int lithe_patch_spread(const LithePatch *patch, double flat, LitheContactPoint *points, int count) {
    if (count < 3 || count > 4 || !(flat > 0))
        return count;
    if (patch->face)
        return spread_area(patch->face, flat, patch->region, points, count);
    Vec3 c = {0, 0, 0};
    double gap = 0, w, s;
    for (int i = 0; i < count; i++) {
        c = v3_axpy(1.0 / count, points[i].on_a, c);
        gap += points[i].gap / count;
    }
    if (!weights_of(patch, points, count, c, &w, &s))
        return count;
    for (int i = 0; i < count; i++) {
        LitheContactPoint *inner = &points[count + i];
        *inner = points[i];
        inner->on_a = v3_axpy(s, v3_sub(points[i].on_a, c), c); // (18)
        inner->gap = gap + s * (points[i].gap - gap);
        inner->on_b = v3_axpy(inner->gap, inner->normal, inner->on_a);
        inner->weight = flat * (1 - w);
        inner->feature = points[i].feature ^ LITHE_INNER_FEATURE;
        points[i].weight = 1 - inner->weight;
    }
    return 2 * count;
}
