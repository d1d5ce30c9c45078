// SPDX-License-Identifier: Apache-2.0
// view/gltf_points.c - surfaces and balls of a glTF scene
//
// A surface is a skin with a joint at each point, which rotates with the normal. Balls are nodes
// that share one sphere.

#include "base/memory.h"
#include "base/status.h"
#include "record/shape_triangles.h"
#include "view/gltf_parts.h"

#include <string.h>

// Positions of all frames, and on surfaces the normals, into `track`.
static LitheStatus read_track(LitheGltf *g, int32_t number, LitheError *error) {
    const LitheViewPoints *columns = &g->reader->scene->points[number];
    const LitheRecording *recording = g->reader->recording;
    int32_t points = columns->of.point_count;
    double *normals = lithe_alloc_array(g->context, 3 * (int64_t)points, sizeof *normals);
    LitheStatus status = normals ? LITHE_OK : lithe_fail_memory(error, "the glTF file");
    for (int64_t k = 0; status == LITHE_OK && k < g->frame_count; k++) {
        LitheViewFrame frame;
        status = lithe_view_reader_read(g->reader, k, &frame, error);
        if (status != LITHE_OK)
            break;
        const double *x = lithe_view_values(g->reader->scene, frame.numbers, columns->position);
        if (columns->of.drawn == LITHE_DRAWN_SURFACE) {
            const LitheRecordingSurface *surface = &recording->surfaces[columns->of.index];
            lithe_surface_normals(x, points, surface->triangles, surface->triangle_count, normals);
        }
        for (int32_t i = 0; i < points; i++) {
            double *row = g->track + 6 * (k * points + i);
            memcpy(row, x + 3 * i, 3 * sizeof *row);
            memcpy(row + 3, normals + 3 * i, 3 * sizeof *row);
        }
    }
    lithe_free(g->context, normals);
    return status;
}

static LitheStatus begin_track(LitheGltf *g, int32_t number, LitheError *error) {
    int64_t points = g->reader->scene->points[number].of.point_count;
    g->track = lithe_alloc_array(g->context, 6 * points * g->frame_count, sizeof(double));
    return g->track ? read_track(g, number, error) : lithe_fail_memory(error, "the glTF file");
}

static void end_track(LitheGltf *g) {
    lithe_free(g->context, g->track);
    g->track = NULL;
}

// --- surfaces ------------------------------------------------------------------------------------

// z along the normal, x towards another point of a triangle that this one belongs to.
static Quat joint_turn(const LitheGltf *g, const LitheDrawable *of, int64_t frame, int32_t point) {
    const double *rows = g->track + 6 * frame * of->point_count;
    int32_t other = g->neighbours[point];
    Vec3 n = v3_load(rows + 6 * point + 3);
    Vec3 d = v3_sub(v3_load(rows + 6 * other), v3_load(rows + 6 * point));
    d = v3_axpy(-v3_dot(d, n), n, d);
    d = v3_norm(d) > 0 ? v3_unit(d) : v3_any_normal(n);
    return q4_of_matrix(m3_columns(d, v3_cross(n, d), n));
}

static void list_neighbours(const LitheRecordingSurface *surface, int32_t *out) {
    for (int32_t i = 0; i < surface->point_count; i++)
        out[i] = i;
    for (int32_t i = 0; i < 3 * surface->triangle_count; i++)
        out[surface->triangles[i]] = surface->triangles[i - i % 3 + (i + 1) % 3];
}

LitheStatus lithe_gltf_surface(LitheGltf *g, int32_t number, LitheError *error) {
    const LitheDrawable of = lithe_drawable(g->reader->recording, number);
    const LitheRecordingSurface *surface = &g->reader->recording->surfaces[of.index];
    int64_t corners = 3 * (int64_t)surface->triangle_count;
    LitheGltfSkinned skinned;
    if (corners == 0)
        return LITHE_OK;
    g->neighbours = lithe_alloc_array(g->context, of.point_count, sizeof *g->neighbours);
    bool room = lithe_gltf_skinned_begin(g->context, of.point_count, corners, &skinned);
    LitheStatus status = room && g->neighbours
                             ? begin_track(g, number, error)
                             : lithe_fail_memory(error, "a surface of the glTF file");
    if (status == LITHE_OK) {
        list_neighbours(surface, g->neighbours);
        for (int32_t i = 0; i < of.point_count; i++)
            lithe_gltf_skinned_point(&skinned, i, v3_load(g->track + 6 * i),
                                     v3_load(g->track + 6 * i + 3));
        for (int64_t i = 0; i < corners; i += 3)
            lithe_gltf_skinned_triangle(&skinned, surface->triangles[i], surface->triangles[i + 1],
                                        surface->triangles[i + 2]);
        status = lithe_gltf_skinned_add(g, &skinned, &of, lithe_picture_palette(number), joint_turn,
                                        error);
    }
    lithe_gltf_skinned_release(g->context, &skinned);
    lithe_free(g->context, g->neighbours);
    g->neighbours = NULL;
    end_track(g);
    return status;
}

// --- balls ---------------------------------------------------------------------------------------

// The sphere of radius 1 that all balls of a set share.
static LitheStatus add_sphere(LitheGltf *g, LitheColour colour, LitheError *error) {
    LitheTriangles sphere = {.context = g->context};
    const LitheShapeColumns unit = {.kind = "sphere", .half = {1, 1, 1}};
    LitheStatus status = lithe_shape_triangles(&unit, &sphere, error);
    if (status == LITHE_OK) {
        int32_t points =
            lithe_gltf_floats(g, sphere.points, sphere.point_count, 3, LITHE_GLTF_VERTICES, true);
        int32_t normals =
            lithe_gltf_floats(g, sphere.normals, sphere.point_count, 3, LITHE_GLTF_VERTICES, false);
        int32_t indices = lithe_gltf_indices(g, sphere.corners, 3 * (int64_t)sphere.triangle_count);
        lithe_gltf_mesh(g, points, normals, indices, lithe_gltf_material(g, colour, false), -1, -1);
    }
    lithe_triangles_release(&sphere);
    return status;
}

LitheStatus lithe_gltf_balls(LitheGltf *g, int32_t number, LitheError *error) {
    const LitheDrawable of = lithe_drawable(g->reader->recording, number);
    const double *radii = g->reader->recording->balls[of.index].radii;
    LitheStatus status = begin_track(g, number, error);
    if (status == LITHE_OK)
        status = add_sphere(g, lithe_picture_palette(number), error);
    int32_t mesh = g->meshes.count - 1;
    for (int32_t i = 0; status == LITHE_OK && i < of.point_count; i++) {
        const double scale[3] = {radii[i], radii[i], radii[i]};
        for (int64_t k = 0; k < g->frame_count; k++)
            memcpy(g->places + 3 * k, g->track + 6 * (k * of.point_count + i), 3 * sizeof(double));
        LitheBytes *text = lithe_gltf_next(&g->nodes);
        lithe_view_put(text, "{\"name\":");
        lithe_view_put_quoted(text, of.name);
        lithe_view_put(text, ",\"mesh\":%d,\"translation\":", (int)mesh);
        lithe_view_put_numbers(text, g->places, 3);
        lithe_view_put(text, ",\"scale\":");
        lithe_view_put_numbers(text, scale, 3);
        lithe_view_put(text, "}");
        int32_t node = g->nodes.count - 1;
        if (g->frame_count > 1)
            lithe_gltf_channel(g, node, "translation", g->places, 3);
        lithe_view_put(lithe_gltf_next(&g->roots), "%d", (int)node);
    }
    end_track(g);
    return status;
}
