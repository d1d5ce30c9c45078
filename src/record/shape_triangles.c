// SPDX-License-Identifier: Apache-2.0
// record/shape_triangles.c - recorded shapes as triangles: surfaces of revolution, faces, meshes

#include "record/shape_triangles.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

// corners of a circle, and rings of an ellipsoid from pole to pole
enum { SIDES = 48, RINGS = 24 };
// edges sharper than 40 degrees stay sharp
#define SMOOTH_COSINE 0.766
// max triangles at a point whose normals are averaged
enum { MAX_AROUND = 256 };

// --- triangles while they are made ---------------------------------------------------------------

static bool add_point(LitheTriangles *t, Vec3 x, Vec3 n) {
    int64_t needed = 3 * ((int64_t)t->point_count + 1);
    if (!LITHE_RESERVE(t->context, t->points, t->point_capacity, needed) ||
        !LITHE_RESERVE(t->context, t->normals, t->normal_capacity, needed))
        return false;
    v3_store(x, t->points + 3 * t->point_count);
    v3_store(n, t->normals + 3 * t->point_count);
    t->point_count++;
    return true;
}

static bool add_triangle(LitheTriangles *t, int32_t a, int32_t b, int32_t c) {
    if (!LITHE_RESERVE(t->context, t->corners, t->corner_capacity,
                       3 * ((int64_t)t->triangle_count + 1)))
        return false;
    int32_t *at = t->corners + 3 * t->triangle_count++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return true;
}

// --- surfaces of revolution ----------------------------------------------------------------------

// A circle about z and the direction of the normal there.
typedef struct Ring {
    double z, r, nz, nr;
} Ring;

// Triangles between two circles; `scale` turns spheres into ellipsoids.
static bool add_band(LitheTriangles *t, const Ring *low, const Ring *high, Vec3 scale) {
    int32_t first = t->point_count;
    for (int k = 0; k < 2; k++) {
        const Ring *ring = k == 0 ? low : high;
        for (int j = 0; j <= SIDES; j++) {
            double c = cos(2 * M_PI * j / SIDES), s = sin(2 * M_PI * j / SIDES);
            Vec3 x = {scale.x * ring->r * c, scale.y * ring->r * s, scale.z * ring->z};
            Vec3 n = {ring->nr * c / scale.x, ring->nr * s / scale.y, ring->nz / scale.z};
            if (!add_point(t, x, v3_unit(n)))
                return false;
        }
    }
    for (int32_t j = first; j < first + SIDES; j++) {
        int32_t up = j + SIDES + 1;
        // at a pole one of the two has no area
        if ((low->r > 0 && !add_triangle(t, j, j + 1, up + (high->r > 0))) ||
            (high->r > 0 && !add_triangle(t, low->r > 0 ? j : j + 1, up + 1, up)))
            return false;
    }
    return true;
}

static bool add_disc(LitheTriangles *t, double z, double r, double up) {
    const Ring middle = {z, 0, up, 0}, rim = {z, r, up, 0};
    return add_band(t, up > 0 ? &rim : &middle, up > 0 ? &middle : &rim, v3(1, 1, 1));
}

static bool add_ellipsoid(LitheTriangles *t, Vec3 half) {
    for (int i = 0; i < RINGS; i++) {
        Ring rings[2];
        for (int k = 0; k < 2; k++) {
            double a = M_PI * ((double)(i + k) / RINGS - 0.5);
            bool pole = i + k == 0 || i + k == RINGS;
            rings[k] = (Ring){sin(a), pole ? 0 : cos(a), sin(a), cos(a)};
        }
        if (!add_band(t, &rings[0], &rings[1], half))
            return false;
    }
    return true;
}

// outward normal of piece i of an outline
static Ring piece_normal(const double *outline, int64_t i) {
    double dz = outline[2 * i + 2] - outline[2 * i], dr = outline[2 * i + 3] - outline[2 * i + 1];
    double length = hypot(dz, dr);
    return (Ring){.nz = -dr / length, .nr = dz / length};
}

// normal at a corner between a piece and its neighbour: their mean where the edge is soft
static void soften(Ring *ring, Ring own, const double *outline, int64_t neighbour, int64_t count) {
    ring->nz = own.nz;
    ring->nr = own.nr;
    if (neighbour < 0 || neighbour > count - 2)
        return;
    Ring other = piece_normal(outline, neighbour);
    if (own.nz * other.nz + own.nr * other.nr > SMOOTH_COSINE) {
        ring->nz += other.nz;
        ring->nr += other.nr;
    }
}

// outline [count][2]: z increasing, radius >= 0
static bool add_turned(LitheTriangles *t, const double *outline, int64_t count) {
    for (int64_t i = 0; i + 1 < count; i++) {
        Ring low = {outline[2 * i], outline[2 * i + 1], 0, 0};
        Ring high = {outline[2 * i + 2], outline[2 * i + 3], 0, 0};
        Ring own = piece_normal(outline, i);
        soften(&low, own, outline, i - 1, count);
        soften(&high, own, outline, i + 1, count);
        if (!add_band(t, &low, &high, v3(1, 1, 1)))
            return false;
    }
    const double *last = outline + 2 * (count - 1);
    return (outline[1] == 0 || add_disc(t, outline[0], outline[1], -1)) &&
           (last[1] == 0 || add_disc(t, last[0], last[1], 1));
}

static bool add_cylinder(LitheTriangles *t, double radius, double length) {
    const double outline[4] = {-0.5 * length, radius, 0.5 * length, radius};
    return add_turned(t, outline, 2);
}

// half a sphere on either end
static bool add_capsule(LitheTriangles *t, double radius, double length) {
    for (int i = -1; i < RINGS; i++) {
        Ring rings[2];
        for (int k = 0; k < 2; k++) {
            // the cylinder is between the two middle rings
            int ring = i + k < RINGS / 2 ? i + k + 1 : i + k;
            double a = M_PI * ((double)ring / RINGS - 0.5);
            bool pole = ring == 0 || ring == RINGS;
            double end = i + k < RINGS / 2 ? -0.5 * length : 0.5 * length;
            rings[k] = (Ring){end + radius * sin(a), pole ? 0 : radius * cos(a), sin(a), cos(a)};
        }
        if (!add_band(t, &rings[0], &rings[1], v3(1, 1, 1)))
            return false;
    }
    return true;
}

// --- flat faces ----------------------------------------------------------------------------------

static bool add_box(LitheTriangles *t, Vec3 half) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            int32_t first = t->point_count;
            for (int k = 0; k < 4; k++) {
                double x[3], n[3] = {0};
                n[axis] = side;
                x[axis] = side;
                // counter-clockwise about the normal
                x[(axis + 1) % 3] = (k == 1 || k == 2 ? 1 : -1) * side;
                x[(axis + 2) % 3] = k >= 2 ? 1 : -1;
                Vec3 corner = {x[0] * half.x, x[1] * half.y, x[2] * half.z};
                if (!add_point(t, corner, v3_load(n)))
                    return false;
            }
            if (!add_triangle(t, first, first + 1, first + 2) ||
                !add_triangle(t, first, first + 2, first + 3))
                return false;
        }
    return true;
}

// Triangles at each point: those of point i are list[start[i]] to list[start[i + 1] - 1].
typedef struct Fans {
    int64_t *start; // [point_count + 2]
    int64_t *list;  // [3*triangle_count]
} Fans;

static bool fans_of(LitheContext *context, const LitheColumn *points, const LitheColumn *triangles,
                    Fans *fans) {
    fans->start = lithe_alloc_array(context, points->dims[0] + 2, sizeof(int64_t));
    fans->list = lithe_alloc_array(context, triangles->count, sizeof(int64_t));
    if (!fans->start || !fans->list)
        return false;
    // counting sort: counted at i + 2, filled at i + 1, which ends as the start of point i + 1
    for (int64_t i = 0; i < triangles->count; i++)
        fans->start[(int64_t)triangles->values[i] + 2]++;
    for (int64_t i = 0; i < points->dims[0]; i++)
        fans->start[i + 2] += fans->start[i + 1];
    for (int64_t i = 0; i < triangles->count; i++)
        fans->list[fans->start[(int64_t)triangles->values[i] + 1]++] = i / 3;
    return true;
}

// normal of a triangle; its length is twice the area
static Vec3 area_of(const LitheColumn *points, const LitheColumn *triangles, int64_t triangle) {
    const double *corner = triangles->values + 3 * triangle;
    Vec3 x[3];
    for (int k = 0; k < 3; k++)
        x[k] = v3_load(points->values + 3 * (int64_t)corner[k]);
    return v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
}

// The normal of a corner is the mean over triangles at its point with similar normals. Points with
// very many triangles stay sharp, which bounds the time.
static bool add_soup(LitheTriangles *t, const LitheColumn *points, const LitheColumn *triangles) {
    Fans fans = {0};
    bool fine = fans_of(t->context, points, triangles, &fans);
    for (int64_t i = 0; fine && i < triangles->dims[0]; i++) {
        Vec3 area = area_of(points, triangles, i), flat = v3_unit(area);
        if (!(v3_norm(area) > 0))
            continue;
        int32_t first = t->point_count;
        for (int k = 0; fine && k < 3; k++) {
            int64_t point = (int64_t)triangles->values[3 * i + k];
            int64_t begin = fans.start[point], end = fans.start[point + 1];
            Vec3 sum = end - begin > MAX_AROUND ? area : v3(0, 0, 0);
            for (int64_t j = begin; j < end && end - begin <= MAX_AROUND; j++) {
                Vec3 other = area_of(points, triangles, fans.list[j]);
                if (v3_dot(flat, other) > SMOOTH_COSINE * v3_norm(other))
                    sum = v3_add(sum, other);
            }
            fine = add_point(t, v3_load(points->values + 3 * point), v3_unit(sum));
        }
        fine = fine && add_triangle(t, first, first + 1, first + 2);
    }
    lithe_free(t->context, fans.start);
    lithe_free(t->context, fans.list);
    return fine;
}

// --- checking what the file says -----------------------------------------------------------------

static bool all_finite(const LitheColumn *column) {
    for (int64_t i = 0; i < column->count; i++)
        if (!isfinite(column->values[i]))
            return false;
    return true;
}

static bool soup_fits(const LitheColumn *points, const LitheColumn *triangles) {
    if (!points || !triangles || !points->values || !triangles->values || points->rank != 2 ||
        triangles->rank != 2 || points->dims[1] != 3 || triangles->dims[1] != 3 ||
        triangles->dims[0] > INT32_MAX / 9 || !all_finite(points))
        return false;
    for (int64_t i = 0; i < triangles->count; i++) {
        double corner = triangles->values[i];
        if (!(corner >= 0 && corner < (double)points->dims[0]) || corner != floor(corner))
            return false;
    }
    return true;
}

static bool outline_fits(const LitheColumn *outline) {
    if (!outline || !outline->values || outline->rank != 2 || outline->dims[0] < 2 ||
        outline->dims[1] != 2 || outline->dims[0] > 1000000 || !all_finite(outline))
        return false;
    for (int64_t i = 0; i < outline->dims[0]; i++)
        if (!(outline->values[2 * i + 1] >= 0) ||
            (i > 0 && !(outline->values[2 * i] > outline->values[2 * i - 2])))
            return false;
    return true;
}

// --- one shape -----------------------------------------------------------------------------------

static LitheStatus fail_shape(const LitheRecording *recording, int32_t body, int32_t shape,
                              LitheError *error) {
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: shape %d of body '%s' is invalid",
                      recording->path, shape, recording->bodies[body].name);
}

static bool is_colour(const double rgb[3]) {
    bool good = true;
    for (int i = 0; i < 3; i++)
        good = good && rgb[i] >= 0 && rgb[i] <= 1;
    return good;
}

bool lithe_shape_drawn(const LitheRecording *recording, int32_t body, int32_t shape) {
    if (recording->bodies[body].visual_count == 0 || lithe_recording_visual(recording, body, shape))
        return true;
    const LitheColumn *kind = lithe_recording_shape(recording, body, shape, "kind");
    return kind && kind->text && strcmp(kind->text, "half-space") == 0;
}

LitheStatus lithe_shape_columns(const LitheRecording *recording, int32_t body, int32_t shape,
                                LitheShapeColumns *out, LitheError *error) {
    const LitheColumn *kind = lithe_recording_shape(recording, body, shape, "kind");
    const LitheColumn *place = lithe_recording_shape(recording, body, shape, "place");
    const LitheColumn *size = lithe_recording_shape(recording, body, shape, "size");
    const LitheColumn *points = lithe_recording_shape(recording, body, shape, "points");
    const LitheColumn *triangles = lithe_recording_shape(recording, body, shape, "triangles");
    const LitheColumn *outline = lithe_recording_shape(recording, body, shape, "outline");
    if (!kind->text || !place || !place->values || place->count != 7 || !all_finite(place))
        return fail_shape(recording, body, shape, error);
    const LitheColumn *colour = lithe_recording_shape(recording, body, shape, "colour");
    if (colour && (!colour->values || colour->count != 3 || !is_colour(colour->values)))
        return fail_shape(recording, body, shape, error);
    LitheShapeColumns made = {.kind = kind->text,
                              .place = place->values,
                              .colour = colour ? colour->values : NULL,
                              .visual = lithe_recording_visual(recording, body, shape)};
    if (strcmp(kind->text, "half-space") == 0) {
        *out = made;
        return LITHE_OK;
    }
    if (!size || !size->values || size->count != 3 || !all_finite(size))
        return fail_shape(recording, body, shape, error);
    v3_store(v3_scale(0.5, v3_load(size->values)), made.half);
    bool plain = made.half[0] > 0 && made.half[1] > 0 && made.half[2] > 0;
    bool fits = points || triangles ? soup_fits(points, triangles)
                : outline           ? outline_fits(outline)
                                    : plain;
    if (!fits)
        return fail_shape(recording, body, shape, error);
    made.points = points;
    made.triangles = triangles;
    made.outline = outline ? outline->values : NULL;
    made.outline_count = outline ? outline->dims[0] : 0;
    *out = made;
    return LITHE_OK;
}

LitheStatus lithe_shape_triangles(const LitheShapeColumns *shape, LitheTriangles *out,
                                  LitheError *error) {
    Vec3 half = v3_load(shape->half);
    bool made = true;
    if (shape->points)
        made = add_soup(out, shape->points, shape->triangles);
    else if (shape->outline)
        made = add_turned(out, shape->outline, shape->outline_count);
    else if (strcmp(shape->kind, "sphere") == 0 || strcmp(shape->kind, "ellipsoid") == 0)
        made = add_ellipsoid(out, half);
    else if (strcmp(shape->kind, "capsule") == 0)
        made = add_capsule(out, half.x, 2 * fmax(half.z - half.x, 0));
    else if (strcmp(shape->kind, "cylinder") == 0)
        made = add_cylinder(out, half.x, 2 * half.z);
    else if (strcmp(shape->kind, "box") == 0)
        made = add_box(out, half);
    return made ? LITHE_OK : lithe_fail_memory(error, "the triangles of a shape");
}

void lithe_triangles_release(LitheTriangles *t) {
    lithe_free(t->context, t->points);
    lithe_free(t->context, t->normals);
    lithe_free(t->context, t->corners);
    *t = (LitheTriangles){.context = t->context};
}
