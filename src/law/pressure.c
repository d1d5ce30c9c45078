// SPDX-License-Identifier: Apache-2.0
// law/pressure.c - uniform pressure on a face of a surface: enclosed volume and its derivatives

#include "law/pressure.h"

#include <string.h>

// A point of a quadrature: weight in the unit triangle, shape functions, slopes along u and v.
typedef struct Point {
    double weight;
    double n[LITHE_FACE_NODES], u[LITHE_FACE_NODES], v[LITHE_FACE_NODES];
} Point;

// one point is exact for three nodes: only N varies, linearly
static Point middle(void) {
    const double third = 1.0 / 3;
    return (Point){0.5, {third, third, third}, {-1, 1, 0}, {-1, 0, 1}};
}

// Six points, exact for polynomials of degree four (Dunavant, High degree efficient symmetrical
// Gaussian quadrature rules for the triangle, 1985), which all integrands of six nodes are: three
// with the barycentric coordinates (1 - 2 s, s, s), for two values of s.
static const double places[2] = {0.44594849091596488632, 0.09157621350977074346};
static const double weights[2] = {0.22338158967801146570, 0.10995174365532186764}; // sum 1/3

static Point point_of_six(int k) {
    double s = places[k / 3], l[3] = {s, s, s};
    Point p = {.weight = 0.5 * weights[k / 3]};
    l[k % 3] = 1 - 2 * s;
    static const double du[3] = {-1, 1, 0}, dv[3] = {-1, 0, 1};
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        p.n[a] = l[a] * (2 * l[a] - 1);
        p.u[a] = (4 * l[a] - 1) * du[a];
        p.v[a] = (4 * l[a] - 1) * dv[a];
        p.n[3 + a] = 4 * l[a] * l[b];
        p.u[3 + a] = 4 * (l[a] * du[b] + l[b] * du[a]);
        p.v[3 + a] = 4 * (l[a] * dv[b] + l[b] * dv[a]);
    }
    return p;
}

static void add_point(int32_t count, const Vec3 *x, const Point *p, bool hessian,
                      LitheFaceTerms *out) {
    Vec3 at = v3(0, 0, 0), e1 = at, e2 = at;
    for (int32_t a = 0; a < count; a++) {
        at = v3_axpy(p->n[a], x[a], at);
        e1 = v3_axpy(p->u[a], x[a], e1);
        e2 = v3_axpy(p->v[a], x[a], e2);
    }
    Vec3 area = v3_scale(p->weight, v3_cross(e1, e2));
    out->volume += v3_dot(at, area) / 3; // (S50)
    for (int32_t a = 0; a < count; a++)
        out->area[a] = v3_axpy(p->n[a], area, out->area[a]); // (S51)
    for (int32_t a = 0; hessian && a < count; a++)
        for (int32_t b = 0; b < a; b++) { // (S52)
            double along1 = 0.5 * p->weight * (p->n[a] * p->v[b] - p->n[b] * p->v[a]);
            double along2 = 0.5 * p->weight * (p->n[a] * p->u[b] - p->n[b] * p->u[a]);
            Vec3 k = v3_sub(v3_scale(along1, e1), v3_scale(along2, e2));
            out->skew[a][b] = v3_add(out->skew[a][b], k);
            out->skew[b][a] = v3_sub(out->skew[b][a], k);
        }
}

void lithe_face_terms(int32_t count, const Vec3 *x, bool hessian, LitheFaceTerms *out) {
    memset(out, 0, sizeof *out);
    if (count == 3) {
        Point p = middle();
        add_point(count, x, &p, hessian, out);
        return;
    }
    for (int k = 0; k < 6; k++) {
        Point p = point_of_six(k);
        add_point(count, x, &p, hessian, out);
    }
}
