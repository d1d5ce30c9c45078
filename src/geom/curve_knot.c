// SPDX-License-Identifier: Apache-2.0
// geom/curve_knot.c - an overhand knot of given length for a rod of given radius

#include "geom/curve_knot.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/knot.h"

#include <stdio.h>

// Centrelines of the braid lie this many radii from its axis: the gap between the strands is half a
// radius. A larger gap increases the curvature; without one the rod would start in contact.
static const double offset_radii = 1.25;

// Pairs of segments closer along the rod than this many radii are neighbours, not strands: the
// tightest possible bend leads back to the rod after pi radii.
static const double neighbour_radii = 4;

// Beyond this the braid of any rod is too tight.
enum { UNKNOTTING_MAX = 40 };

/// Largest curvature of a polyline.
static double largest_curvature(const Vec3 *p, int32_t count) {
    double max = 0;
    for (int32_t i = 1; i + 1 < count; i++) {
        Vec3 a = v3_sub(p[i], p[i - 1]), b = v3_sub(p[i + 1], p[i]);
        double turn = v3_distance(v3_unit(a), v3_unit(b));
        max = fmax(max, 2 * turn / (v3_norm(a) + v3_norm(b)));
    }
    return max;
}

/// Whether a curve of length 1 is free of contact for a radius given as a fraction of the length.
static bool is_free(const Vec3 *points, int32_t count, double fraction) {
    return largest_curvature(points, count) * fraction < 1 &&
           lithe_knot_clearance(points, count, neighbour_radii * fraction, 2.01 * fraction) >
               2 * fraction;
}

/// Shapes the knot of length 1; false when it touches itself.
static bool place_knot(int32_t unknotting, double fraction, Vec3 *points, int32_t count,
                       LitheKnotForm *form) {
    if (!lithe_knot_form(unknotting, offset_radii * fraction, form))
        return false;
    lithe_knot_points(form, points, count);
    return is_free(points, count, fraction);
}

// A knot shaped for a thicker rod fits a thinner one too, with larger gaps between its strands.
// Thin rods use the shape for this fraction of the length as radius: the braid is then long enough
// for a few hundred nodes to resolve it, and the shapes of knots are smoothest.
#define USUAL_FRACTION 0.0016

/// Shapes the knot for the given fraction or a larger one: USUAL_FRACTION first, then smaller ones
/// down to the given one, then larger ones. False when none fits.
static bool place_loose(int32_t unknotting, double fraction, Vec3 *points, int32_t count,
                        LitheKnotForm *form) {
    double first = fmax(fraction, USUAL_FRACTION);
    for (double s = first; s > fraction; s *= 0.8)
        if (place_knot(unknotting, s, points, count, form))
            return true;
    if (place_knot(unknotting, fraction, points, count, form))
        return true;
    for (double s = 1.25 * first; s < 0.05; s *= 1.25)
        if (place_knot(unknotting, s, points, count, form))
            return true;
    return false;
}

/// "1.1 mm" or "0.25 m", rounded to two digits towards zero when `floor_it`.
static void write_length(double metres, bool floor_it, char text[32]) {
    double value = metres < 0.1 ? 1000 * metres : metres;
    if (floor_it && value > 0) {
        double unit = pow(10, floor(log10(value)) - 1);
        value = unit * floor(value / unit);
    }
    snprintf(text, 32, "%.3g %s", value, metres < 0.1 ? "mm" : "m");
}

/// The largest fraction of the length that a radius can have, to one per cent.
static double largest_fraction(int32_t unknotting, double too_large, Vec3 *points, int32_t count) {
    LitheKnotForm form;
    double low = 0, high = fmin(too_large, 0.05);
    // halve from above until a knot fits, then bisect
    for (int i = 0; i < 20 && low == 0; i++) {
        if (place_knot(unknotting, 0.5 * high, points, count, &form))
            low = 0.5 * high;
        else
            high *= 0.5;
    }
    while (low > 0 && high > 1.01 * low) {
        double middle = 0.5 * (low + high);
        if (place_knot(unknotting, middle, points, count, &form))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static LitheStatus fail_tight(int32_t unknotting, double length, double radius, double fits,
                              LitheError *error) {
    char max[32], got[32];
    write_length(fits, true, max);
    write_length(radius, false, got);
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "overhand knot of unknotting number %d and length %g m leaves room for a "
                      "radius of at most %s, got %s",
                      unknotting, length, max, got);
}

/// Spline through the relaxed knot, or through the one in `points` if relaxation brought its
/// strands too close or changed the knot.
static LitheStatus relaxed_spline(LitheContext *context, const LitheKnotForm *form, double length,
                                  double fraction, Vec3 *points, int32_t count, LitheSpline *spline,
                                  LitheError *error) {
    int32_t relaxed_count = lithe_knot_relaxed_count(form->unknotting, form->offset);
    Vec3 *relaxed = lithe_alloc_array(context, relaxed_count, sizeof *relaxed);
    if (!relaxed)
        return lithe_fail_memory(error, "an overhand knot");
    LitheStatus status = lithe_knot_relax(form, relaxed, relaxed_count, context, error);
    if (!status) {
        LitheError why;
        int64_t determinant = lithe_knot_determinant(relaxed, relaxed_count, context, &why);
        if (determinant < 0 && why.status == LITHE_NO_MEMORY)
            status = lithe_fail_memory(error, "an overhand knot");
        if (determinant == 2 * form->unknotting + 1 && is_free(relaxed, relaxed_count, fraction)) {
            points = relaxed;
            count = relaxed_count;
        }
    }
    if (!status) {
        for (int32_t i = 0; i < count; i++)
            points[i] = v3_scale(length, points[i]);
        status = lithe_spline_create(context, points, count, false, spline, error);
    }
    lithe_free(context, relaxed);
    return status;
}

LitheStatus lithe_knot_spline(LitheContext *context, int32_t unknotting, double length,
                              double radius, LitheSpline *spline, LitheError *error) {
    if (unknotting < 1 || unknotting > UNKNOTTING_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "overhand knot: unknotting number is %d, must be between 1 and %d",
                          unknotting, UNKNOTTING_MAX);
    if (!isfinite(radius) || !(radius > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "overhand knot: radius of the rod is %g m, must be > 0", radius);
    int32_t count = lithe_knot_point_count(unknotting);
    Vec3 *points = lithe_alloc_array(context, count, sizeof *points);
    if (!points)
        return lithe_fail_memory(error, "an overhand knot");

    double fraction = radius / length;
    LitheKnotForm form;
    LitheStatus status = LITHE_OK;
    if (fraction > 0.05 || !place_loose(unknotting, fraction, points, count, &form)) {
        double fits = length * largest_fraction(unknotting, fraction, points, count);
        status = fail_tight(unknotting, length, radius, fits, error);
    } else {
        status = relaxed_spline(context, &form, length, fraction, points, count, spline, error);
    }
    lithe_free(context, points);
    return status;
}

LitheStatus lithe_knot_finish(LitheContext *context, int32_t unknotting, double length,
                              double radius, double whole, Vec3 *nodes, int32_t count,
                              LitheError *error) {
    double sum = 0;
    for (int32_t i = 0; i + 1 < count; i++)
        sum += v3_distance(nodes[i], nodes[i + 1]);
    for (int32_t i = 0; i < count; i++)
        nodes[i] = v3_scale(whole / sum, nodes[i]);

    // chords cut corners: with too few nodes the strands meet, or the knot changes
    double gap = lithe_knot_clearance(nodes, count, neighbour_radii * radius, 2.01 * radius);
    int64_t determinant = 0;
    if (gap > 2 * radius) {
        LitheError why;
        determinant = lithe_knot_determinant(nodes, count, context, &why);
        if (determinant < 0)
            return lithe_fail(error, why.status, "overhand knot: %s", why.text);
    }
    if (determinant == 2 * unknotting + 1)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "overhand knot of unknotting number %d and length %g m: %d nodes are too few "
                      "to resolve it",
                      unknotting, length, count);
}
