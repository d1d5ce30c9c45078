// SPDX-License-Identifier: Apache-2.0
// geom/curve_path.c - straight pieces and turns, one after the other, that climb smoothly
//
// docs/theory/curves.md, section 7. Seen from above the curve is straight lines and arcs; its
// height is the monotone cubic through the heights at the joints.

#include "geom/curve_parts.h"

#include "base/memory.h"
#include "base/status.h"

// panels of the integral (24) over a piece, with 5 points each: the integrand is smooth
#define PANELS 8

// slope of the height at p from the start of a piece: the derivative of (23)
static double slope_at(const LithePathLeg *leg, double p) {
    double u = p / leg->plan;
    double mean = leg->climb / leg->plan;
    return leg->slope[0] + u * (6 * mean - 4 * leg->slope[0] - 2 * leg->slope[1]) +
           u * u * (3 * (leg->slope[0] + leg->slope[1]) - 6 * mean);
}

// (24) length = integral of sqrt(1 + slope^2) from 0 to p, by Gauss's rule
static double length_to(const LithePathLeg *leg, double p) {
    static const double x[3] = {0, 0.53846931010568309, 0.90617984593866399};
    static const double w[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
    double half = 0.5 * p / PANELS, sum = 0;
    for (int k = 0; k < PANELS; k++) {
        double middle = (2 * k + 1) * half;
        sum += w[0] * hypot(1, slope_at(leg, middle));
        for (int i = 1; i < 3; i++)
            sum += w[i] * (hypot(1, slope_at(leg, middle - x[i] * half)) +
                           hypot(1, slope_at(leg, middle + x[i] * half)));
    }
    return half * sum;
}

static bool slope_is_even(const LithePathLeg *leg) {
    return leg->slope[0] == leg->slope[1] && leg->slope[0] == leg->climb / leg->plan;
}

// The p at which the piece has length s: Newton's method on an increasing function, within bounds.
static double plan_at(const LithePathLeg *leg, double s) {
    double p = s * leg->plan / leg->length;
    if (slope_is_even(leg))
        return p;
    for (int i = 0; i < 50; i++) {
        double step = (s - length_to(leg, p)) / hypot(1, slope_at(leg, p));
        double next = fmin(fmax(p + step, 0), leg->plan);
        bool there = fabs(next - p) <= 1e-15 * leg->plan;
        p = next;
        if (there)
            break;
    }
    return p;
}

// Point of the projection at p from the start of a piece.
static Vec3 plan_point(const LithePathLeg *leg, double p) {
    // (21); the chord of an arc, without cancellation for a flat arc
    double half = 0.5 * leg->curvature * p;
    double chord = half != 0 ? p * sin(half) / half : p;
    return v3(leg->start.x + chord * cos(leg->heading + half),
              leg->start.y + chord * sin(leg->heading + half), leg->start.z);
}

static Vec3 leg_at(const LithePathLeg *leg, double p, Vec3 *tangent) {
    Vec3 at = plan_point(leg, p);
    double u = p / leg->plan, v = 1 - u;
    // (23)
    at.z += leg->climb * u * u * (3 - 2 * u) +
            leg->plan * u * v * (leg->slope[0] * v - leg->slope[1] * u);
    double slope = slope_at(leg, p), heading = leg->heading + leg->curvature * p;
    *tangent = v3_scale(1 / hypot(1, slope), v3(cos(heading), sin(heading), slope));
    return at;
}

Vec3 lithe_path_at(const LithePath *path, double s, Vec3 *tangent) {
    int32_t low = 0, high = path->count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (path->legs[middle].arc <= s)
            low = middle;
        else
            high = middle;
    }
    const LithePathLeg *leg = &path->legs[low];
    double inside = fmin(fmax(s - leg->arc, 0), leg->length);
    return leg_at(leg, inside == leg->length ? leg->plan : plan_at(leg, inside), tangent);
}

static LitheStatus check_piece(const LithePathPiece *piece, int32_t i, LitheError *error) {
    bool turns = piece->turn != 0, straight = piece->straight != 0;
    if (turns == straight)
        return lithe_fail(error, LITHE_BAD_INPUT, "path: pieces[%d] %s, one is expected", i,
                          turns ? "is straight and turns" : "is neither straight nor turns");
    if (straight && !(piece->straight > 0 && isfinite(piece->straight)))
        return lithe_fail(error, LITHE_BAD_INPUT, "path: pieces[%d]: straight is %g m, must be > 0",
                          i, piece->straight);
    if (turns && !(piece->radius > 0 && isfinite(piece->radius)))
        return lithe_fail(error, LITHE_BAD_INPUT, "path: pieces[%d]: radius is %g m, must be > 0",
                          i, piece->radius);
    if (!isfinite(piece->turn) || !isfinite(piece->climb))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "path: pieces[%d]: turn is %g rad and climb %g m, must be finite", i,
                          piece->turn, piece->climb);
    return LITHE_OK;
}

// (22) slope where two pieces of these mean slopes meet: zero where one of them is level
static double joint_slope(double a, double b) {
    return a * b > 0 ? 2 * a * b / (a + b) : 0;
}

// `end` and `turned` are the point and the heading behind the last piece.
static void join_pieces(const LithePathPiece *pieces, bool closed, LithePath *path, Vec3 *end,
                        double *turned) {
    int32_t n = path->count;
    Vec3 start = v3(0, 0, 0);
    double heading = 0, arc = 0;
    for (int32_t i = 0; i < n; i++) {
        LithePathLeg *leg = &path->legs[i];
        const LithePathPiece *piece = &pieces[i];
        bool turns = piece->turn != 0;
        leg->start = start;
        leg->heading = heading;
        leg->plan = turns ? piece->radius * fabs(piece->turn) : piece->straight;
        leg->curvature = turns ? copysign(1 / piece->radius, piece->turn) : 0;
        leg->climb = piece->climb;
        start = plan_point(leg, leg->plan);
        start.z += leg->climb;
        heading += piece->turn;
    }
    for (int32_t i = 0; i < n; i++) {
        LithePathLeg *leg = &path->legs[i];
        double mean = leg->climb / leg->plan;
        const LithePathLeg *last = &path->legs[n - 1], *next = i + 1 < n ? leg + 1 : path->legs;
        double before =
            i > 0 ? path->legs[i - 1].slope[1] : joint_slope(last->climb / last->plan, mean);
        leg->slope[0] = i > 0 || closed ? before : mean;
        leg->slope[1] = i + 1 < n || closed ? joint_slope(mean, next->climb / next->plan) : mean;
        leg->length = slope_is_even(leg) ? hypot(leg->plan, leg->climb) : length_to(leg, leg->plan);
        leg->arc = arc;
        arc += leg->length;
    }
    path->length = arc;
    *end = start;
    *turned = heading;
}

// Lengths and angles of a loop are typed with a few digits: the gap is spread over the last edge.
#define GAP 1e-4    // of the length
#define CORNER 0.02 // rad

static LitheStatus check_loop(const LithePath *path, Vec3 end, double turned, LitheError *error) {
    double turns = round(turned / (2 * M_PI)), corner = turned - 2 * M_PI * turns;
    if (v3_norm(end) <= GAP * path->length && fabs(corner) <= CORNER)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "path: closed, but the pieces end %g m from their start, at [%g, %g, %g] m, "
                      "and turn by %g degrees more than %g turns; a loop ends where it begins, in "
                      "the same direction",
                      v3_norm(end), end.x, end.y, end.z, corner * 180 / M_PI, turns);
}

LitheStatus lithe_path_create(LitheContext *context, const LithePathPiece *pieces, int32_t count,
                              bool closed, LithePath *path, LitheError *error) {
    if (!pieces || count < 1)
        return lithe_fail(error, LITHE_BAD_INPUT, "path: has no pieces, needs at least one");
    for (int32_t i = 0; i < count; i++) {
        LitheStatus status = check_piece(&pieces[i], i, error);
        if (status)
            return status;
    }
    path->legs = lithe_alloc_array(context, count, sizeof *path->legs);
    if (!path->legs)
        return lithe_fail_memory(error, "a path");
    path->count = count;
    Vec3 end;
    double turned;
    join_pieces(pieces, closed, path, &end, &turned);
    return closed ? check_loop(path, end, turned, error) : LITHE_OK;
}

void lithe_path_destroy(LitheContext *context, LithePath *path) {
    lithe_free(context, path->legs);
    *path = (LithePath){0};
}
