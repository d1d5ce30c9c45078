// SPDX-License-Identifier: Apache-2.0
// cli/validate/surfaces.h - ten closed triangle surfaces of about 0.2 m, for meshers

#ifndef LITHE_CLI_SURFACES_H
#define LITHE_CLI_SURFACES_H

#include "math/vec3.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct Surface {
    Vec3 *points;
    int32_t *triangles;
    int32_t point_count, triangle_count;
    int32_t point_room, triangle_room;
} Surface;

enum { SURFACE_COUNT = 10 };

static const char *const surface_names[SURFACE_COUNT] = {
    "teddy", "gear", "shell", "torus", "lobes", "cube", "sphere", "cone", "star", "bent-tube"};

static inline int32_t surface_point(Surface *s, Vec3 x) {
    if (s->point_count == s->point_room) {
        s->point_room = 2 * s->point_room + 64;
        s->points = realloc(s->points, (size_t)s->point_room * sizeof(Vec3));
        if (!s->points)
            abort(); // a few hundred kilobytes
    }
    s->points[s->point_count] = x;
    return s->point_count++;
}

static inline void surface_triangle(Surface *s, int32_t a, int32_t b, int32_t c) {
    if (s->triangle_count == s->triangle_room) {
        s->triangle_room = 2 * s->triangle_room + 64;
        s->triangles = realloc(s->triangles, (size_t)s->triangle_room * 3 * sizeof(int32_t));
        if (!s->triangles)
            abort();
    }
    int32_t *t = s->triangles + 3 * s->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline void surface_quad(Surface *s, int32_t a, int32_t b, int32_t c, int32_t d) {
    surface_triangle(s, a, b, c);
    surface_triangle(s, a, c, d);
}

static inline void surface_free(Surface *s) {
    free(s->points);
    free(s->triangles);
    *s = (Surface){0};
}

/// A sphere of radius r(direction) about `centre`; `inward`: the wall of a cavity.
typedef double RadiusFn(Vec3 direction);

static inline double unit_radius(Vec3 d) {
    (void)d;
    return 1;
}

static inline void add_star_shape(Surface *s, Vec3 centre, double size, RadiusFn *radius,
                                  bool inward) {
    enum { N = 40, M = 80 };
    const double pi = M_PI;
    int32_t first = s->point_count;
    for (int i = 1; i < N; i++)
        for (int j = 0; j < M; j++) {
            double u = pi * i / N, v = 2 * pi * j / M;
            Vec3 d = v3(sin(u) * cos(v), sin(u) * sin(v), cos(u));
            surface_point(s, v3_axpy(size * radius(d), d, centre));
        }
    int32_t north = surface_point(s, v3_axpy(size * radius(v3(0, 0, 1)), v3(0, 0, 1), centre));
    int32_t south = surface_point(s, v3_axpy(size * radius(v3(0, 0, -1)), v3(0, 0, -1), centre));
    int32_t begin = s->triangle_count;
    for (int j = 0; j < M; j++) {
        int32_t a = first + j, b = first + (j + 1) % M, last = (N - 2) * M;
        surface_triangle(s, north, a, b);
        surface_triangle(s, south, b + last, a + last);
        for (int i = 0; i < N - 2; i++)
            surface_quad(s, a + i * M, a + (i + 1) * M, b + (i + 1) * M, b + i * M);
    }
    for (int32_t t = begin; inward && t < s->triangle_count; t++) {
        int32_t keep = s->triangles[3 * t];
        s->triangles[3 * t] = s->triangles[3 * t + 1];
        s->triangles[3 * t + 1] = keep;
    }
}

/// Balls whose union is star-shaped about the origin: head, body, ears, arms, legs.
static inline double teddy_radius(Vec3 d) {
    static const double balls[8][4] = {{0, 0, 0, 0.8},          {0, 0, 0.9, 0.55},
                                       {0.4, 0, 1.25, 0.25},    {-0.4, 0, 1.25, 0.25},
                                       {0.75, 0.2, 0.35, 0.3},  {-0.75, 0.2, 0.35, 0.3},
                                       {0.45, 0.3, -0.7, 0.35}, {-0.45, 0.3, -0.7, 0.35}};
    double most = 0;
    for (int i = 0; i < 8; i++) {
        Vec3 c = v3(balls[i][0], balls[i][1], balls[i][2]);
        double along = v3_dot(c, d),
               rest = balls[i][3] * balls[i][3] - v3_dot(c, c) + along * along;
        if (rest > 0)
            most = fmax(most, along + sqrt(rest));
    }
    return most;
}

/// Two balls that touch in a narrow waist.
static inline double lobes_radius(Vec3 d) {
    double along = 0.95 * fabs(d.x), rest = 1 - 0.95 * 0.95 + along * along;
    return rest > 0 ? along + sqrt(rest) : 0;
}

static inline double star_radius(Vec3 d) {
    // six blunt spikes along the axes
    double p = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    return 0.45 + 0.65 * p * p * p * p;
}

/// A prism over a polygon that is star-shaped about its centre; quads cut into `layers`.
static inline void add_prism(Surface *s, const Vec3 *corner, int count, double height, int layers) {
    int32_t first = s->point_count;
    for (int l = 0; l <= layers; l++)
        for (int i = 0; i < count; i++)
            surface_point(s, v3(corner[i].x, corner[i].y, height * ((double)l / layers - 0.5)));
    int32_t low = surface_point(s, v3(0, 0, -0.5 * height));
    int32_t high = surface_point(s, v3(0, 0, 0.5 * height));
    for (int i = 0; i < count; i++) {
        int32_t a = first + i, b = first + (i + 1) % count;
        surface_triangle(s, low, b, a);
        surface_triangle(s, high, a + layers * count, b + layers * count);
        for (int l = 0; l < layers; l++)
            surface_quad(s, a + l * count, b + l * count, b + (l + 1) * count, a + (l + 1) * count);
    }
}

static inline void add_gear(Surface *s) {
    enum { TEETH = 8 };
    Vec3 corner[4 * TEETH];
    for (int i = 0; i < 4 * TEETH; i++) {
        double angle = 2 * M_PI * i / (4 * TEETH), r = i % 4 < 2 ? 0.1 : 0.075;
        corner[i] = v3(r * cos(angle), r * sin(angle), 0);
    }
    add_prism(s, corner, 4 * TEETH, 0.06, 3);
}

/// A tube of radius r round a closed or open curve in the plane of x and y.
static inline void add_sweep(Surface *s, double bend, double angle, double r, bool closed) {
    enum { ALONG = 80, AROUND = 40 };
    const double pi = M_PI;
    int32_t first = s->point_count;
    int rows = closed ? ALONG : ALONG + 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < AROUND; j++) {
            double u = angle * i / ALONG, v = 2 * pi * j / AROUND, out = bend + r * cos(v);
            surface_point(s, v3(out * cos(u), out * sin(u), r * sin(v)));
        }
    for (int i = 0; i < ALONG; i++)
        for (int j = 0; j < AROUND; j++) {
            int32_t a = first + i * AROUND, b = first + (i + 1) % rows * AROUND;
            int k = (j + 1) % AROUND;
            surface_quad(s, a + j, b + j, b + k, a + k);
        }
    for (int side = 0; side < (closed ? 0 : 2); side++) {
        double u = side ? angle : 0;
        int32_t tip = surface_point(s, v3(bend * cos(u), bend * sin(u), 0));
        for (int j = 0; j < AROUND; j++) {
            int32_t a = first + (side ? ALONG * AROUND : 0) + j;
            int32_t b = first + (side ? ALONG * AROUND : 0) + (j + 1) % AROUND;
            surface_triangle(s, tip, side ? b : a, side ? a : b);
        }
    }
}

static inline void add_cone(Surface *s) {
    enum { N = 64 };
    int32_t tip = surface_point(s, v3(0, 0, 0.1)), base = surface_point(s, v3(0, 0, -0.1));
    int32_t first = s->point_count;
    for (int i = 0; i < N; i++) {
        double angle = 2 * M_PI * i / N;
        surface_point(s, v3(0.1 * cos(angle), 0.1 * sin(angle), -0.1));
    }
    for (int i = 0; i < N; i++) {
        surface_triangle(s, tip, first + i, first + (i + 1) % N);
        surface_triangle(s, base, first + (i + 1) % N, first + i);
    }
}

static inline Surface make_surface(int kind) {
    Surface s = {0};
    Vec3 zero = {0, 0, 0};
    const Vec3 square[4] = {{0.1, 0.1, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}, {0.1, -0.1, 0}};
    switch (kind) {
    case 0:
        add_star_shape(&s, zero, 0.1, teddy_radius, false);
        break;
    case 1:
        add_gear(&s);
        break;
    case 2:
        add_star_shape(&s, zero, 0.1, unit_radius, false);
        add_star_shape(&s, zero, 0.07, unit_radius, true);
        break;
    case 3:
        add_sweep(&s, 0.07, 2 * M_PI, 0.03, true);
        break;
    case 4:
        add_star_shape(&s, zero, 0.06, lobes_radius, false);
        break;
    case 5:
        add_prism(&s, square, 4, 0.2, 1);
        break;
    case 6:
        add_star_shape(&s, zero, 0.1, unit_radius, false);
        break;
    case 7:
        add_cone(&s);
        break;
    case 8:
        add_star_shape(&s, zero, 0.1, star_radius, false);
        break;
    default:
        add_sweep(&s, 0.1, 2.2, 0.035, false);
    }
    return s;
}

#endif
