// SPDX-License-Identifier: Apache-2.0
// record/drawable.c - all objects of a recording that are drawn from points, as one list

#include "record/drawable.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"
#include "record/rod_values.h"

#include <math.h>
#include <string.h>

int32_t lithe_drawable_count(const LitheRecording *recording) {
    return recording->tube_count + recording->surface_count + recording->balls_count;
}

LitheDrawable lithe_drawable(const LitheRecording *recording, int32_t i) {
    if (i < recording->tube_count) {
        const LitheRecordingTube *tube = &recording->tubes[i];
        return (LitheDrawable){LITHE_DRAWN_TUBE, i, tube->folder, tube->name, tube->node_count,
                               tube->edge_count};
    }
    i -= recording->tube_count;
    if (i < recording->surface_count) {
        const LitheRecordingSurface *surface = &recording->surfaces[i];
        return (LitheDrawable){LITHE_DRAWN_SURFACE,  i, surface->folder, surface->name,
                               surface->point_count, 0};
    }
    i -= recording->surface_count;
    const LitheRecordingBalls *balls = &recording->balls[i];
    return (LitheDrawable){LITHE_DRAWN_BALLS, i, balls->folder, balls->name, balls->count, 0};
}

double lithe_drawable_radius(const LitheRecording *recording, const LitheDrawable *drawable,
                             int32_t point) {
    if (drawable->drawn == LITHE_DRAWN_TUBE)
        return recording->tubes[drawable->index].radius;
    return drawable->drawn == LITHE_DRAWN_BALLS ? recording->balls[drawable->index].radii[point]
                                                : 0;
}

int32_t lithe_drawable_width(const LitheRecording *recording, const LitheDrawable *drawable,
                             const char *name) {
    if (drawable->drawn == LITHE_DRAWN_TUBE)
        return lithe_rod_values_width(recording, drawable->index, name);
    const LitheColumn *column =
        lithe_recording_column(recording, drawable->folder, drawable->name, name);
    // values of the whole thing, such as the force of its contacts, are not values of its points
    if (!column || column->offset < 0 || column->kind == LITHE_COLUMN_TEXT || column->rank < 1 ||
        column->rank > 2 || strcmp(column->axes, "time xyz") == 0)
        return 0;
    int64_t width = column->rank == 2 ? column->dims[1] : 1;
    bool fits = column->dims[0] == drawable->point_count && width >= 1 && width <= 3;
    return fits ? (int32_t)width : 0;
}

LitheStatus lithe_drawable_read(LitheRecording *recording, const LitheDrawable *drawable,
                                const char *name, int32_t width, int64_t frame, double *out,
                                LitheError *error) {
    if (drawable->drawn == LITHE_DRAWN_TUBE)
        return lithe_rod_values_read(recording, drawable->index, name, width, frame, out, error);
    if (lithe_drawable_width(recording, drawable, name) != width) {
        for (int64_t i = 0; i < (int64_t)drawable->point_count * width; i++)
            out[i] = NAN;
        return LITHE_OK;
    }
    const LitheColumn *column =
        lithe_recording_column(recording, drawable->folder, drawable->name, name);
    return lithe_recording_read(recording, column, frame, 1, out, error);
}

// Distances from the positions at the first frame.
static LitheStatus displacements(LitheRecording *recording, const LitheDrawable *drawable,
                                 int64_t frame, double *out, LitheError *error) {
    int64_t count = drawable->point_count;
    double *x = lithe_alloc_array(recording->context, 6 * count, sizeof *x);
    LitheStatus status = x ? LITHE_OK : lithe_fail_memory(error, "the colours of a picture");
    if (status == LITHE_OK)
        status = lithe_drawable_read(recording, drawable, "position", 3, 0, x, error);
    if (status == LITHE_OK)
        status =
            lithe_drawable_read(recording, drawable, "position", 3, frame, x + 3 * count, error);
    for (int64_t i = 0; status == LITHE_OK && i < count; i++)
        out[i] = v3_distance(v3_load(x + 3 * i), v3_load(x + 3 * (count + i)));
    lithe_free(recording->context, x);
    return status;
}

LitheStatus lithe_drawable_scalars(LitheRecording *recording, const LitheDrawable *drawable,
                                   const char *name, int64_t frame, double *out, bool *found,
                                   LitheError *error) {
    int32_t width = lithe_drawable_width(recording, drawable, name);
    if (width == 0 && strcmp(name, "speed") == 0) {
        name = "velocity";
        width = lithe_drawable_width(recording, drawable, name);
    }
    if (width == 0 && strcmp(name, "displacement") == 0) {
        *found = true;
        return displacements(recording, drawable, frame, out, error);
    }
    if (width == 0)
        return LITHE_OK;
    *found = true;
    int64_t count = drawable->point_count;
    double *values = lithe_alloc_array(recording->context, count * width, sizeof *values);
    LitheStatus status =
        values ? lithe_drawable_read(recording, drawable, name, width, frame, values, error)
               : lithe_fail_memory(error, "the colours of a picture");
    for (int64_t i = 0; status == LITHE_OK && i < count; i++) {
        double sum = 0;
        for (int32_t c = 0; c < width; c++)
            sum += values[i * width + c] * values[i * width + c];
        out[i] = width == 1 ? values[i] : sqrt(sum);
    }
    lithe_free(recording->context, values);
    return status;
}

void lithe_surface_normals(const double *points, int32_t point_count, const int32_t *triangles,
                           int32_t triangle_count, double *out) {
    memset(out, 0, 3 * (size_t)point_count * sizeof *out);
    for (int32_t t = 0; t < triangle_count; t++) {
        const int32_t *corner = triangles + 3 * t;
        Vec3 a = v3_load(points + 3 * corner[0]), b = v3_load(points + 3 * corner[1]);
        Vec3 c = v3_load(points + 3 * corner[2]);
        Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        for (int k = 0; k < 3; k++)
            v3_store(v3_add(v3_load(out + 3 * corner[k]), n), out + 3 * corner[k]);
    }
    for (int32_t i = 0; i < point_count; i++) {
        Vec3 n = v3_load(out + 3 * i);
        v3_store(v3_norm(n) > 0 ? v3_unit(n) : v3(0, 0, 1), out + 3 * i);
    }
}

// cosine of 0.6 rad: faces that meet at a larger angle have an edge between them
#define SMOOTH 0.825

// the vertex of the triangle's group at a point, which is added when there is none
static int32_t find_vertex(LitheSurfaceSplit *split, int32_t point, Vec3 normal, int32_t *first,
                           int32_t *next, double *normals) {
    for (int32_t v = first[point]; v >= 0; v = next[v])
        if (v3_dot(v3_load(normals + 3 * v), normal) >= SMOOTH)
            return v;
    int32_t v = split->vertex_count++;
    next[v] = first[point];
    first[point] = v;
    split->points[v] = point;
    v3_store(normal, normals + 3 * v);
    return v;
}

bool lithe_surface_split(LitheContext *context, const double *points, int32_t point_count,
                         const int32_t *triangles, int32_t triangle_count, LitheSurfaceSplit *out) {
    int64_t corners = 3 * (int64_t)triangle_count;
    *out = (LitheSurfaceSplit){.points = lithe_alloc_array(context, corners, sizeof *out->points),
                               .triangles =
                                   lithe_alloc_array(context, corners, sizeof *out->triangles)};
    int32_t *first = lithe_alloc_array(context, point_count, sizeof *first);
    int32_t *next = lithe_alloc_array(context, corners, sizeof *next);
    double *normals = lithe_alloc_array(context, 3 * corners, sizeof *normals);
    bool done = out->points && out->triangles && first && next && normals;
    if (done)
        memset(first, 0xff, (size_t)point_count * sizeof *first); // -1: no vertex yet
    for (int32_t t = 0; done && t < triangle_count; t++) {
        const int32_t *corner = triangles + 3 * t;
        Vec3 a = v3_load(points + 3 * corner[0]), b = v3_load(points + 3 * corner[1]);
        Vec3 c = v3_load(points + 3 * corner[2]);
        Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        n = v3_norm(n) > 0 ? v3_unit(n) : v3(0, 0, 1);
        for (int k = 0; k < 3; k++)
            out->triangles[3 * t + k] = find_vertex(out, corner[k], n, first, next, normals);
    }
    lithe_free(context, normals);
    lithe_free(context, next);
    lithe_free(context, first);
    if (!done)
        lithe_surface_split_free(context, out);
    return done;
}

void lithe_surface_split_free(LitheContext *context, LitheSurfaceSplit *split) {
    lithe_free(context, split->points);
    lithe_free(context, split->triangles);
    *split = (LitheSurfaceSplit){0};
}
