// SPDX-License-Identifier: Apache-2.0
// law/section.c - constants of a cross-section (docs/theory/rods.md, section 2)

#include "law/section.h"

#include <math.h>

LitheSection lithe_section_circle(double radius) {
    double r2 = radius * radius;
    double area = M_PI * r2;
    return (LitheSection){area,   area * r2 / 4, area * r2 / 4, area * r2 / 2,
                          radius, radius,        radius};
}

LitheSection lithe_section_ellipse(double width, double height) {
    double a = width / 2, b = height / 2;
    double area = M_PI * a * b;
    return (LitheSection){area,
                          area * a * a / 4,
                          area * b * b / 4,
                          M_PI * a * a * a * b * b * b / (a * a + b * b),
                          a,
                          b,
                          2 * a * b * fmax(a, b) / (a * a + b * b)};
}

// St. Venant: J = w h^3 [1/3 - (64/pi^5)(h/w) sum_{n odd} tanh(n pi w/(2h))/n^5], h <= w.
// The sum ends when its terms no longer count: 1/n^5 < 1e-17 of the first.
static double rectangle_torsion(double w, double h) {
    double sum = 0;
    for (int n = 2401; n >= 1; n -= 2) // smallest terms first: less rounding
        sum += tanh(n * M_PI * w / (2 * h)) / pow(n, 5);
    return w * h * h * h * (1.0 / 3 - 64 / pow(M_PI, 5) * (h / w) * sum);
}

// At the middle of the longer sides: arm = h [1 - (8/pi^2) sum_{n odd} 1/(n^2 cosh(n pi w/(2h)))].
static double rectangle_arm(double w, double h) {
    double sum = 0;
    for (int n = 2401; n >= 1; n -= 2)
        sum += 1 / (cosh(n * M_PI * w / (2 * h)) * n * n);
    return h * (1 - 8 / (M_PI * M_PI) * sum);
}

LitheSection lithe_section_rectangle(double width, double height) {
    double w = fmax(width, height), h = fmin(width, height);
    return (LitheSection){width * height,
                          height * width * width * width / 12,
                          width * height * height * height / 12,
                          rectangle_torsion(w, h),
                          width / 2,
                          height / 2,
                          rectangle_arm(w, h)};
}
