// SPDX-License-Identifier: Apache-2.0
// geom/section_mesh.c - triangles of the cross-sections of rods, on which their fields stand
//
// The relative depth is 1 at the centre of a circle and on the medial segment of a flat section:
// |w - h| long in a rectangle, |w^2 - h^2|/max(w, h) long in an ellipse (between the centres of
// curvature of its ends).

#include "geom/field.h"

#include "base/memory.h"

// a medial segment shorter than this fraction of the width counts as a point
#define POINT 1e-9

static LitheStatus reserve(LitheContext *context, int32_t inner, int32_t rim, int32_t triangles,
                           LitheSectionMesh *out) {
    *out = (LitheSectionMesh){.inner = inner, .count = inner + rim, .triangle_count = triangles};
    out->at = lithe_alloc_array(context, out->count, sizeof *out->at);
    out->triangles = lithe_alloc_array(context, triangles, sizeof *out->triangles);
    if (out->at && out->triangles)
        return LITHE_OK;
    lithe_section_mesh_destroy(context, out);
    return LITHE_NO_MEMORY;
}

// ascending: prisms of neighbouring triangles then share their diagonals
static void set_triangle(LitheSectionMesh *m, int32_t i, int32_t a, int32_t b, int32_t c) {
    int32_t t[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        int j = k == 2 ? 0 : k;
        if (t[j] > t[j + 1]) {
            int32_t swap = t[j];
            t[j] = t[j + 1];
            t[j + 1] = swap;
        }
    }
    for (int k = 0; k < 3; k++)
        m->triangles[i][k] = t[k];
}

// inner points at -+ half a medial segment along the longer side
static void set_inner(LitheSectionMesh *m, double half, bool wide) {
    for (int32_t k = 0; k < m->inner; k++) {
        double at = m->inner == 1 ? 0 : k == 0 ? -half : half;
        m->at[k][0] = wide ? at : 0;
        m->at[k][1] = wide ? 0 : at;
    }
}

static void set_reach(LitheSectionMesh *m) {
    for (int32_t k = 0; k < m->count; k++)
        m->reach = fmax(m->reach, hypot(m->at[k][0], m->at[k][1]));
}

LitheStatus lithe_section_mesh_ellipse(LitheContext *context, double width, double height,
                                       int32_t sectors, LitheSectionMesh *out) {
    double longer = fmax(width, height), shorter = fmin(width, height);
    double medial = 0.5 * (longer - shorter * shorter / longer);
    bool point = medial <= POINT * longer, wide = width >= height;
    int32_t inner = point ? 1 : 2, n = 4 * ((sectors + 3) / 4);
    LitheStatus status = reserve(context, inner, n, point ? n : n + 2, out);
    if (status != LITHE_OK)
        return status;
    set_inner(out, medial, wide);
    double scale = 0.5 * lithe_polygon_radius(n);
    for (int32_t k = 0; k < n; k++) {
        // from the end of the longer axis on
        double angle = 2 * M_PI * k / n + (wide ? 0 : 0.5 * M_PI);
        out->at[inner + k][0] = scale * width * cos(angle);
        out->at[inner + k][1] = scale * height * sin(angle);
        bool first = !point && (4 * k < n || 4 * k >= 3 * n);
        set_triangle(out, k, first ? 1 : 0, inner + k, inner + (k + 1) % n);
    }
    for (int32_t k = 0; k < 2 && !point; k++)
        set_triangle(out, n + k, 0, 1, inner + (k == 0 ? n / 4 : 3 * n / 4));
    out->half = 0.5 * shorter;
    set_reach(out);
    return LITHE_OK;
}

LitheStatus lithe_section_mesh_rectangle(LitheContext *context, double width, double height,
                                         LitheSectionMesh *out) {
    double medial = 0.5 * fabs(width - height);
    bool point = medial <= POINT * fmax(width, height), wide = width >= height;
    int32_t inner = point ? 1 : 2;
    LitheStatus status = reserve(context, inner, 4, point ? 4 : 6, out);
    if (status != LITHE_OK)
        return status;
    set_inner(out, medial, wide);
    for (int32_t k = 0; k < 4; k++) {
        // corners counter-clockwise; the first one at (+, +) of (longer, shorter)
        double l = k == 0 || k == 3 ? 0.5 : -0.5, s = k < 2 ? 0.5 : -0.5;
        out->at[inner + k][0] = wide ? l * width : -s * width;
        out->at[inner + k][1] = wide ? s * height : l * height;
    }
    for (int32_t k = 0; k < 4; k++) // left end and top belong to inner point 0
        set_triangle(out, k, point || k == 1 || k == 2 ? 0 : 1, inner + k, inner + (k + 1) % 4);
    if (!point) {
        set_triangle(out, 4, 0, 1, inner + 1);
        set_triangle(out, 5, 0, 1, inner + 3);
    }
    out->half = 0.5 * fmin(width, height);
    set_reach(out);
    return LITHE_OK;
}

void lithe_section_mesh_destroy(LitheContext *context, LitheSectionMesh *mesh) {
    lithe_free(context, mesh->at);
    lithe_free(context, mesh->triangles);
    *mesh = (LitheSectionMesh){0};
}
