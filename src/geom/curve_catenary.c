// SPDX-License-Identifier: Apache-2.0
// geom/curve_catenary.c - a chain of given length between two points
//
// With horizontal span h, rise v and length l, the chain z = a cosh(x/a) obeys
//   sinh(w)/w = sqrt(l^2 - v^2)/h,  w = h/2a                                   (1)
//   tanh(m) = v/l,  m the middle of its abscissae x/a                          (2)
// (1) is solved for its logarithm, which is convex and increasing: Newton from above always
// converges.

#include "geom/curve_parts.h"

#include "base/status.h"

/// log(sinh(w)/w) and its derivative coth(w) - 1/w.
static double log_sinhc(double w, double *slope) {
    if (w < 0.05) {
        // series: the terms left out are below 3e-15 of the first one
        double q = w * w;
        *slope = w * (1.0 / 3 - q * (1.0 / 45 - q * (2.0 / 945 - q / 4725)));
        return q * (1.0 / 6 - q * (1.0 / 180 - q * (1.0 / 2835 - q / 37800)));
    }
    double e = exp(-2 * w);
    *slope = (1 + e) / (1 - e) - 1 / w;
    return w + log1p(-e) - log(2 * w);
}

LitheStatus lithe_catenary_solve(Vec3 from, Vec3 to, double length, LitheCatenary *catenary,
                                 LitheError *error) {
    Vec3 d = v3_sub(to, from);
    double h = hypot(d.x, d.y), v = d.z, distance = v3_norm(d);
    if (!(length > distance * (1 + 1e-12)))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "catenary: length is %g m, must exceed the distance of its ends, %g m",
                          length, distance);
    if (!(h > 1e-9 * length))
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "catenary: its ends are %g m apart horizontally, one above the other: the "
            "chain would fold into two vertical lines",
            h);

    // (1) with the slack l - distance computed first, which avoids cancellation for a taut chain
    double q = (length - distance) * (length + distance) / (h * h); // ratio^2 - 1
    double target = 0.5 * log1p(q);
    // start above the root: sinh(w)/w >= 1 + w^2/6 for small w, w - log(2 w) >= w/2 - 1 for large w
    double w = fmin(sqrt(6 * expm1(target)), 2 * target + 2);
    for (int i = 0; i < 100; i++) {
        double slope, miss = log_sinhc(w, &slope) - target;
        double step = miss / slope;
        w -= step;
        if (fabs(step) <= 1e-16 * w)
            break;
    }
    *catenary = (LitheCatenary){
        .from = from,
        .across = v3(d.x / h, d.y / h, 0),
        .a = 0.5 * h / w,
        .u0 = atanh(v / length) - w, // (2)
    };
    return LITHE_OK;
}

Vec3 lithe_catenary_at(const LitheCatenary *catenary, double s, Vec3 *tangent) {
    // s/a = sinh(u) - sinh(u0) = 2 cosh(u0 + g) sinh(g), u = u0 + 2 g; the product avoids the
    // cancellation of the difference for a taut chain
    double a = catenary->a, u0 = catenary->u0;
    double g = 0.5 * (asinh(sinh(u0) + s / a) - u0);
    for (int i = 0; i < 2; i++)
        g -= (2 * cosh(u0 + g) * sinh(g) - s / a) / (2 * cosh(u0 + 2 * g));
    double u = u0 + 2 * g;
    double rise = 2 * a * sinh(u0 + g) * sinh(g); // a (cosh u - cosh u0)
    *tangent = v3_add(v3_scale(1 / cosh(u), catenary->across), v3(0, 0, tanh(u)));
    return v3_add(v3_axpy(2 * a * g, catenary->across, catenary->from), v3(0, 0, rise));
}
