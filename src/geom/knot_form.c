// SPDX-License-Identifier: Apache-2.0
// geom/knot_form.c - loose overhand knots of any unknotting number
//
// The rod enters along a straight tail, bends into a loop, runs once round it and leaves along the
// other tail; along the bottom of the loop the two strands wind around each other with 2n + 1
// crossings. A plane skeleton of tangent angle psi has an offset in its normal plane:
//   loop:   radius of curvature r(psi) = R (1 + e cos 2 psi), closed for every e       (1)
//   tail:   psi from 0 to -phi, quintic in arc length, joins the loop with equal curvature (2)
//   braid:  offset rho (cos theta N + sin theta z), theta turns by (2n + 1) pi         (3)
// The curve is its own image under a half turn about the y axis, so only one half is computed.
// R follows from the length; phi, e and the lengths of bend, ramp and fade are those that make the
// integral of the fourth power of curvature minimal: the second power would leave sharper peaks.

#include "geom/knot.h"

#include "base/assert.h"

static const double pi = M_PI;

// Straight part of each tail, as a fraction of the rod: enough to grip. The rest is for the knot,
// whose curvature grows as it gets shorter.
static const double tail_fraction = 0.05;

// The optimised numbers, each with its range. A larger phi would let the tails rise beside the loop
// and touch it; a larger e would pinch the sides of the loop; a shorter ramp would kink the braid.
enum { SPLIT, FLAT, BEND, RAMP, FADE, SEARCHED };
static const struct {
    double low, high, start;
} ranges[SEARCHED] = {
    [SPLIT] = {0.02, 1.35, 0.5}, // phi [rad]
    [FLAT] = {0, 0.7, 0.3},      // e
    [BEND] = {0.3, 3, 1.2},      // length of a bend over R
    [RAMP] = {0.05, 1, 0.5},     // fraction of the braid in which the winding begins
    [FADE] = {1.5, 6, 4},        // length of the fade over sqrt(rho R (1 + e))
};

/// 0 at 0, 1 at 1, two derivatives zero at both ends.
static double smooth(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * x * (10 + x * (-15 + 6 * x));
}

/// Arc length of the loop from its bottom to tangent angle psi, in units of R.
static double loop_length(const LitheKnotForm *form, double psi) {
    return psi + 0.5 * form->flat * sin(2 * psi);
}

/// Point of the loop at tangent angle psi; the bottom is the origin. (1) integrated.
static Vec3 loop_point(const LitheKnotForm *form, double psi) {
    double e = form->flat, r = form->size;
    return v3(r * ((1 + 0.5 * e) * sin(psi) + e / 6 * sin(3 * psi)),
              r * ((1 - 0.5 * e) * (1 - cos(psi)) + e / 6 * (1 - cos(3 * psi))), 0);
}

/// Tangent angle where the loop has arc length s from its bottom: Newton, s is monotone in psi.
static double loop_angle(const LitheKnotForm *form, double s) {
    double psi = s / form->size;
    for (int i = 0; i < 50; i++) {
        double step = (s / form->size - loop_length(form, psi)) / (1 + form->flat * cos(2 * psi));
        // limited steps avoid divergence where the curvature changes fast
        step = fmax(-0.5, fmin(0.5, step));
        psi += step;
        if (fabs(step) < 1e-15)
            break;
    }
    return psi;
}

/// Tangent angle of a tail at distance x before the loop: quintic with given end curvature, (2).
static double tail_angle(const LitheKnotForm *form, double x) {
    double phi = form->split, e = form->flat, h = form->bend;
    double stretch = 1 + e * cos(2 * phi);
    double k = 1 / (form->size * stretch); // curvature where it joins, and its slope
    double slope = -2 * e * sin(2 * phi) / (form->size * form->size * stretch * stretch * stretch);
    if (x >= h)
        return 0;
    // u: 0 at the straight end, 1 at the loop. psi = -phi A + k h B + slope h^2 C
    double u = 1 - x / h, u3 = u * u * u;
    double a = u3 * (10 + u * (-15 + 6 * u));
    double b = u3 * (-4 + u * (7 - 3 * u));
    double c = u3 * (0.5 + u * (-1 + 0.5 * u));
    return -phi * a + k * h * b + slope * h * h * c;
}

/// Odd, from -1 to 1 while u goes from -1 to 1, constant beyond; constant slope except near the
/// ends.
static double braid_phase(double u, double ramp) {
    double a = fabs(u);
    if (a >= 1)
        return u > 0 ? 1 : -1;
    double done = a;
    if (a > 1 - ramp) {
        double v = (a - (1 - ramp)) / ramp;
        double v4 = v * v * v * v;
        done = 1 - ramp + ramp * (v - v4 * (2.5 + v * (-3 + v)));
    }
    return copysign(done / (1 - 0.5 * ramp), u);
}

/// Skeleton point and angle plus the offset of (3); s is the arc length from the braid's middle.
static Vec3 with_offset(const LitheKnotForm *form, Vec3 skeleton, double psi, double s) {
    double half = form->size * loop_length(form, form->split); // half the length of the braid
    double rest = form->size * loop_length(form, pi) - half;
    int32_t turns = 2 * form->unknotting + 1; // half turns
    double ramp = form->ramp;
    double theta = 0.5 * pi * (1 + turns * braid_phase(s / half, ramp));

    // beyond the braid the strands separate by themselves and the offset fades
    double fade = form->fade * sqrt(form->offset * form->size * (1 + form->flat));
    fade = fmin(fade, 0.9 * fmin(rest, form->bend));
    double rho = form->offset * (1 - smooth((fabs(s) - half) / fade));
    if (form->unknotting % 2 == 0)
        rho = -rho; // the tail starts on the outer side
    Vec3 normal = v3(-sin(psi), cos(psi), 0);
    return v3_add(v3_axpy(rho * cos(theta), normal, skeleton), v3(0, 0, rho * sin(theta)));
}

int32_t lithe_knot_point_count(int32_t unknotting) {
    int64_t count = 1501 + 200 * (int64_t)unknotting;
    return count < 200001 ? (int32_t)count : 200001;
}

void lithe_knot_points(const LitheKnotForm *form, Vec3 *out, int32_t count) {
    LITHE_ASSERT(count >= 3 && count % 2 == 1);
    int32_t middle = count / 2; // the top of the loop
    double half = form->size * loop_length(form, form->split);
    double top = form->size * loop_length(form, pi);
    double start = -(half + form->bend + form->tail);
    double step = (top - start) / middle;

    // loop and braid, from the top back to where the tail begins
    int32_t i = middle;
    for (; i >= 0 && start + i * step >= -half; i--) {
        double s = start + i * step;
        double psi = loop_angle(form, s);
        out[i] = with_offset(form, loop_point(form, psi), psi, s);
    }
    // the tail, integrated backwards from there by three-point Gauss
    Vec3 at = loop_point(form, -form->split);
    double x = 0; // distance before the loop
    for (; i >= 0; i--) {
        double next = -half - (start + i * step);
        double centre = 0.5 * (x + next), reach = 0.5 * (next - x);
        for (int k = -1; k <= 1; k++) {
            double psi = tail_angle(form, centre + k * sqrt(0.6) * reach);
            double weight = reach * (k ? 5.0 / 9 : 8.0 / 9);
            at = v3_sub(at, v3(weight * cos(psi), weight * sin(psi), 0));
        }
        x = next;
        out[i] = with_offset(form, at, tail_angle(form, x), -half - x);
    }
    // tails on the x axis, then the half turn about y
    double height = out[0].y;
    for (i = 0; i <= middle; i++) {
        out[i].y -= height;
        out[count - 1 - i] = v3(-out[i].x, out[i].y, -out[i].z);
    }
    // the top is on the axis; rounding must not separate the halves
    out[middle].x = 0;
    out[middle].z = 0;
}

// --- choosing the form ---------------------------------------------------------------------------

enum { COARSE_MAX = 1201 };

/// Length of the coarsely sampled form; fills its strain.
static double measure(LitheKnotForm *form, Vec3 *work, int32_t count) {
    lithe_knot_points(form, work, count);
    double length = 0, strain = 0, last = 0;
    Vec3 before = {0};
    for (int32_t i = 0; i + 1 < count; i++) {
        Vec3 edge = v3_sub(work[i + 1], work[i]);
        double l = v3_norm(edge);
        Vec3 t = v3_scale(1 / l, edge);
        if (i > 0) {
            double curvature = v3_distance(t, before) / (0.5 * (l + last));
            double squared = curvature * curvature;
            strain += squared * squared * 0.5 * (l + last);
        }
        before = t;
        last = l;
        length += l;
    }
    form->strain = strain;
    return length;
}

/// Completes the form from the optimised numbers so that its length is 1; returns its strain,
/// infinite when tails and braid leave no length for the loop.
static double complete(const double x[SEARCHED], Vec3 *work, int32_t count, LitheKnotForm *form) {
    form->split = x[SPLIT];
    form->flat = x[FLAT];
    form->ramp = x[RAMP];
    form->fade = x[FADE];
    form->tail = tail_fraction;
    // the length is nearly linear in R: a fixed slope converges fast, especially from the last R
    if (!(form->size > 0))
        form->size = 0.08;
    double slope = 2 * (x[BEND] + loop_length(form, x[SPLIT]) + loop_length(form, pi));
    for (int i = 0; i < 40; i++) {
        form->bend = x[BEND] * form->size;
        double miss = 1 - measure(form, work, count);
        if (fabs(miss) < 1e-7)
            return form->size > 2 * form->offset ? form->strain : INFINITY;
        form->size += miss / slope;
        if (!(form->size > 0))
            break;
    }
    return INFINITY;
}

/// Least strain along coordinate k of x by golden section.
static void search_along(int k, double x[SEARCHED], Vec3 *work, int32_t count,
                         LitheKnotForm *form) {
    const double golden = 0.6180339887498949;
    double low = ranges[k].low, high = ranges[k].high;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    x[k] = a;
    double fa = complete(x, work, count, form);
    x[k] = b;
    double fb = complete(x, work, count, form);
    for (int i = 0; i < 9; i++) {
        if (fa <= fb) {
            high = b;
            b = a;
            fb = fa;
            x[k] = a = high - golden * (high - low);
            fa = complete(x, work, count, form);
        } else {
            low = a;
            a = b;
            fa = fb;
            x[k] = b = low + golden * (high - low);
            fb = complete(x, work, count, form);
        }
    }
    x[k] = fa <= fb ? a : b;
}

bool lithe_knot_form(int32_t unknotting, double offset, LitheKnotForm *form) {
    LITHE_ASSERT(unknotting >= 1 && offset > 0);
    Vec3 work[COARSE_MAX];
    int64_t wanted = 241 + 40 * (int64_t)unknotting;
    int32_t count = wanted < COARSE_MAX ? (int32_t)wanted : COARSE_MAX;
    LitheKnotForm trial = {.unknotting = unknotting, .offset = offset};

    // one number after the other, a few rounds: the minimum is flat, and a form one per cent above
    // it is as good
    double x[SEARCHED];
    for (int k = 0; k < SEARCHED; k++)
        x[k] = ranges[k].start;
    for (int round = 0; round < 4; round++)
        for (int k = 0; k < SEARCHED; k++)
            search_along(k, x, work, count, &trial);
    if (complete(x, work, count, &trial) == INFINITY)
        return false;
    *form = trial;
    return true;
}
