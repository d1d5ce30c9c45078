// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_capstan.c - a rope that slips round a post, by the default scheme: the ratio
// of its tensions is that of docs/theory/capstan.md, whatever the stiffness of contacts and the
// step

#include "world.h"

#define MU 0.35
#define POST 0.03
#define ROPE 2e-4
enum { EDGES = 80, FREE = 12 }; // per turn; straight at either end

// (K4): exponent per angle of a rope whose friction acts at its surface, on a post of this radius
static double exponent(double post) {
    double e = ROPE / (post + ROPE), a = MU;
    for (int k = 0; k < 50; k++)
        a = MU * (1 - e) / (1 + a * MU * e);
    return a;
}

// (K2) with (K4)
static double ratio_of(int32_t turns) {
    double a = exponent(POST), D = 2 * M_PI / EDGES, end = a * tan(0.5 * D);
    return exp((turns * EDGES - 1) * asinh(a * sin(D))) * (1 + end) / (1 - end);
}

#define TEXT \
    "lithe: 1\n" \
    "parameters: {R: 30 mm, r: 0.2 mm, wrap: (R + r)/cos(pi/80), edge: wrap*pi/40}\n" \
    "time: {step: %g s, end: 10 s}\n" \
    "gravity: none\n" \
    "materials: {m: {young: 100 kPa, density: 1000, friction: 0.35, contact: {stiffness: %g " \
    "N/m}}}\n" \
    "rods:\n" \
    "  rope:\n" \
    "    material: m\n" \
    "    section: {stiffness: {EA: 314 N, EI: 7.85e-7 N m^2, GJ: 7.85e-7 N m^2, " \
    "mass-per-length: 3.14e-3 kg/m, radius: r}}\n" \
    "    shape: {path: {pieces: [{straight: 12*edge}, {turn: %d turn, radius: wrap, climb: 4*r}, " \
    "{straight: 12*edge}], at: [-12*edge, -wrap, -2*r]}}\n" \
    "    natural: {from: shape}\n" \
    "    self-contact: false\n" \
    "    nodes: %d\n" \
    "bodies: {post: {fixed: true, material: m, shape: {cylinder: {radius: R, length: 40 mm}}}}\n" \
    "holds: {held: {on: rope.start}}\n" \
    "forces: {pull: {on: rope.end, force: [1 N, 0, 0], profile: {rate: %g 1/s}}}\n"

// mean of the ratio over the second half of a run, and its largest error
static void check_ratio(double step, double k, int32_t turns, double rate, double time) {
    int32_t edges = turns * EDGES + 2 * FREE, steps = (int32_t)lround(time / step), count = 0;
    World w = world_of(TEXT, step, k, (int)turns, (int)edges + 1, rate);
    double tension[1024], sum = 0, wanted = ratio_of(turns);
    for (int32_t i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        lithe_rod_tension(w.model, w.state, lithe_rod_find(w.model, "rope"), tension);
        if (2 * i < steps)
            continue;
        sum += tension[edges - 1] / tension[0];
        count++;
    }
    double ratio = count > 0 ? sum / count : 0;
    printf("  %g s, %g N/m, %d turns: ratio %.4g, %+.2f %%\n", step, k, (int)turns, ratio,
           100 * (ratio / wanted - 1));
    CHECK(fabs(ratio / wanted - 1) < 0.02);
    world_end(&w);
}

// --- an elliptic post ----------------------------------------------------------------------------

#define WIDE 0.04 // half axes [m]
#define HIGH 0.025

static double radius_at(double t) {
    return pow(WIDE * WIDE * sin(t) * sin(t) + HIGH * HIGH * cos(t) * cos(t), 1.5) / (WIDE * HIGH);
}

// Points of a rope of one turn whose edges of equal length touch the post, from its lowest point
// on, with straight ends. Returns the exponent of the ratio of tensions: that of (K4) at the local
// radius, and of (K2) for the local turn of an edge, summed along the rope.
static double wind(LitheVec3 *points) {
    enum { FINE = 20000 };
    double length = 0, sum = 0, s = 0, next = 0, step = 2 * M_PI / FINE;
    for (int i = 0; i < FINE; i++)
        length += step * hypot(WIDE * sin(i * step), HIGH * cos(i * step));
    double edge = length / EDGES;
    for (int i = 0, n = 0; i <= FINE && n <= EDGES; i++) {
        double t = i * step - 0.5 * M_PI, r = radius_at(t), x = HIGH * cos(t), y = WIDE * sin(t);
        double size = hypot(x, y), off = (ROPE + edge * edge / (8 * r)) / size;
        if (s >= next - 1e-6 * edge) {
            points[FREE + n] = (LitheVec3){WIDE * cos(t) + off * x, HIGH * sin(t) + off * y,
                                           2 * ROPE * (2.0 * n / EDGES - 1)};
            if (n < EDGES)
                sum += asinh(exponent(r) * sin(edge / r));
            next = ++n * edge;
        }
        s += step * hypot(WIDE * sin(t), HIGH * cos(t));
    }
    for (int k = 1; k <= FREE; k++) {
        LitheVec3 a = points[FREE], b = points[FREE + EDGES];
        points[FREE - k] = (LitheVec3){-k * edge, a.y, a.z};
        points[FREE + EDGES + k] = (LitheVec3){k * edge, a.y, b.z};
    }
    return sum;
}

static void check_ellipse(double step, double k, double time) {
    LitheVec3 points[EDGES + 1 + 2 * FREE] = {{0, 0, 0}};
    static char text[16384];
    double wanted = exp(wind(points)), sum = 0, tension[EDGES + 2 * FREE];
    int at = 0, steps = (int)lround(time / step), count = 0;
    for (int i = 0; i < EDGES + 1 + 2 * FREE; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s[%.9g, %.9g, %.9g]",
                       i > 0 ? ", " : "", points[i].x, points[i].y, points[i].z);
    World w = world_of(
        "lithe: 1\n"
        "time: {step: %g s, end: 10 s}\n"
        "gravity: none\n"
        "materials: {m: {young: 100 kPa, density: 1000, friction: 0.35, contact: {stiffness: %g "
        "N/m}}}\n"
        "rods:\n"
        "  rope:\n"
        "    material: m\n"
        "    section: {stiffness: {EA: 314 N, EI: 7.85e-9 N m^2, GJ: 7.85e-9 N m^2, "
        "mass-per-length: 3.14e-3 kg/m, radius: 0.2 mm}}\n"
        "    shape: {polyline: {points: [%s]}}\n"
        "    natural: {from: shape}\n"
        "    self-contact: false\n"
        "bodies: {post: {fixed: true, material: m, shape: {elliptic-cylinder: {size: [80 mm, 50 "
        "mm, 40 mm]}}}}\n"
        "holds: {held: {on: rope.start}}\n"
        "forces: {pull: {on: rope.end, force: [1 N, 0, 0], profile: {rate: 3 1/s}}}\n",
        step, k, text);
    for (int i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        lithe_rod_tension(w.model, w.state, lithe_rod_find(w.model, "rope"), tension);
        if (2 * i < steps)
            continue;
        sum += tension[EDGES + 2 * FREE - 1] / tension[0];
        count++;
    }
    double ratio = count > 0 ? sum / count : 0;
    printf("  ellipse, %g s, %g N/m: ratio %.4g, %+.2f %%\n", step, k, ratio,
           100 * (ratio / wanted - 1));
    CHECK(fabs(ratio / wanted - 1) < 0.02);
    world_end(&w);
}

LONG_TEST(a_rope_slips_round_an_elliptic_post_at_the_right_ratio) {
    check_ellipse(1e-3, 1e6, 0.15);
}

LONG_TEST(a_rope_slips_round_an_elliptic_post_at_the_right_ratio_with_all_stiffnesses) {
    check_ellipse(2e-3, 1e4, 0.2);
    check_ellipse(1e-3, 1e7, 0.2);
    check_ellipse(0.2e-3, 1e6, 0.1);
}

LONG_TEST(a_rope_slips_round_a_post_at_the_right_ratio_with_stiff_contacts) {
    check_ratio(1e-3, 1e5, 1, 3, 0.15);
    check_ratio(1e-3, 1e6, 1, 3, 0.15);
}

// all stiffnesses with the longest steps, the softest and the stiffest with the shortest and with
// three turns
LONG_TEST(a_rope_slips_round_a_post_at_the_right_ratio_with_all_stiffnesses_and_steps) {
    static const double stiffnesses[] = {1e4, 1e5, 1e6, 1e7};
    for (int k = 0; k < 4; k++) {
        check_ratio(2e-3, stiffnesses[k], 1, 3, 0.2);
        if (k == 0 || k == 3) {
            check_ratio(0.1e-3, stiffnesses[k], 1, 3, 0.04);
            check_ratio(2e-3, stiffnesses[k], 3, 30, 0.2);
        } else {
            check_ratio(0.5e-3, stiffnesses[k], 1, 3, 0.1);
        }
    }
    check_ratio(0.2e-3, 1e6, 3, 30, 0.05);
}
