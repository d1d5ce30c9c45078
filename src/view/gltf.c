// SPDX-License-Identifier: Apache-2.0
// view/gltf.c - a recording as an animated glTF 2.0 scene
//
// The JSON part is built list by list while the binary part grows; each piece of the binary part is
// one accessor with its own buffer view.

#include "view/gltf.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/shape_triangles.h"
#include "view/gltf_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- lists ---------------------------------------------------------------------------------------

LitheBytes *lithe_gltf_next(LitheGltfList *list) {
    if (list->count++ > 0)
        lithe_view_put(&list->text, ",");
    return &list->text;
}

// Adds bytes as an accessor and returns its number. `low` and `high` [width] may be NULL.
int32_t lithe_gltf_accessor(LitheGltf *g, const void *data, int64_t bytes, int kind,
                            const char *type, int64_t count, int target, const double *low,
                            const double *high, int width) {
    while (g->binary.count % 4 != 0 && !g->binary.failed)
        lithe_bytes_put(&g->binary, "", 1);
    LitheBytes *view = lithe_gltf_next(&g->views);
    lithe_view_put(view, "{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld",
                   (long long)g->binary.count, (long long)bytes);
    lithe_view_put(view, target ? ",\"target\":%d}" : "}", target);
    lithe_bytes_put(&g->binary, data, bytes);
    LitheBytes *text = lithe_gltf_next(&g->accessors);
    lithe_view_put(text, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"",
                   (int)g->views.count - 1, kind, (long long)count, type);
    if (low) {
        lithe_view_put(text, ",\"min\":");
        lithe_view_put_numbers(text, low, width);
        lithe_view_put(text, ",\"max\":");
        lithe_view_put_numbers(text, high, width);
    }
    lithe_view_put(text, "}");
    return g->accessors.count - 1;
}

// Adds doubles as an accessor of floats; `bounds` for accessors that must have them. -1: out of
// memory.
int32_t lithe_gltf_floats(LitheGltf *g, const double *values, int64_t count, int width, int target,
                          bool bounds) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    float *floats = lithe_alloc_array(g->context, count * width, sizeof *floats);
    double low[4], high[4];
    if (!floats) {
        g->binary.failed = true;
        return -1;
    }
    for (int c = 0; c < 4; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (int64_t i = 0; i < count * width; i++) {
        floats[i] = isfinite(values[i]) ? (float)values[i] : 0;
        low[i % width] = fmin(low[i % width], floats[i]);
        high[i % width] = fmax(high[i % width], floats[i]);
    }
    int32_t made = lithe_gltf_accessor(g, floats, count * width * (int64_t)sizeof *floats,
                                       LITHE_GLTF_FLOATS, types[width], count, target,
                                       bounds ? low : NULL, bounds ? high : NULL, width);
    lithe_free(g->context, floats);
    return made;
}

int32_t lithe_gltf_indices(LitheGltf *g, const int32_t *corners, int64_t count) {
    return lithe_gltf_accessor(g, corners, count * 4, LITHE_GLTF_INTS, "SCALAR", count,
                               LITHE_GLTF_INDICES, NULL, NULL, 0);
}

// from sRGB, as in pictures, to linear light, as in glTF
static void put_linear(LitheBytes *text, double value) {
    lithe_view_put_number(text,
                          value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
}

int32_t lithe_gltf_material(LitheGltf *g, LitheColour colour, bool two_sided) {
    LitheBytes *text = lithe_gltf_next(&g->materials);
    lithe_view_put(text, "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    put_linear(text, colour.r);
    lithe_view_put(text, ",");
    put_linear(text, colour.g);
    lithe_view_put(text, ",");
    put_linear(text, colour.b);
    lithe_view_put(text, ",1],\"metallicFactor\":0,\"roughnessFactor\":0.6}%s}",
                   two_sided ? ",\"doubleSided\":true" : "");
    return g->materials.count - 1;
}

// --- animation -----------------------------------------------------------------------------------

void lithe_gltf_channel(LitheGltf *g, int32_t node, const char *path, const double *values,
                        int width) {
    int32_t output = lithe_gltf_floats(g, values, g->frame_count, width, 0, false);
    lithe_view_put(lithe_gltf_next(&g->samplers),
                   "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", (int)g->times,
                   (int)output);
    lithe_view_put(lithe_gltf_next(&g->channels),
                   "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                   (int)g->samplers.count - 1, (int)node, path);
}

// Consecutive quaternions are in the same half-space, so that readers interpolate along the shorter
// path.
void lithe_gltf_put_turn(LitheGltf *g, int64_t k, Quat q) {
    double *turn = g->turns + 4 * k;
    turn[0] = q.x, turn[1] = q.y, turn[2] = q.z, turn[3] = q.w;
    if (k == 0)
        return;
    double dot = 0;
    for (int c = 0; c < 4; c++)
        dot += turn[c] * turn[c - 4];
    for (int c = 0; c < 4 && dot < 0; c++)
        turn[c] = -turn[c];
}

// Adds a node in its first pose and its animation by places and rotations; returns its number.
int32_t lithe_gltf_moving_node(LitheGltf *g, const char *name, const char *more) {
    LitheBytes *text = lithe_gltf_next(&g->nodes);
    lithe_view_put(text, "{\"name\":");
    lithe_view_put_quoted(text, name);
    lithe_view_put(text, ",\"translation\":");
    lithe_view_put_numbers(text, g->places, 3);
    lithe_view_put(text, ",\"rotation\":");
    lithe_view_put_numbers(text, g->turns, 4);
    lithe_bytes_put(text, more, (int64_t)strlen(more));
    lithe_view_put(text, "}");
    int32_t node = g->nodes.count - 1;
    if (g->frame_count > 1) {
        lithe_gltf_channel(g, node, "translation", g->places, 3);
        lithe_gltf_channel(g, node, "rotation", g->turns, 4);
    }
    return node;
}

void lithe_gltf_mesh(LitheGltf *g, int32_t points, int32_t normals, int32_t indices,
                     int32_t material, int32_t joints, int32_t weights) {
    LitheBytes *text = lithe_gltf_next(&g->meshes);
    lithe_view_put(text, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                   (int)points, (int)normals);
    if (joints >= 0)
        lithe_view_put(text, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", (int)joints, (int)weights);
    lithe_view_put(text, "},\"indices\":%d,\"material\":%d}]}", (int)indices, (int)material);
}

// --- bodies --------------------------------------------------------------------------------------

// Nodes for the shapes of a body; their numbers, with commas, into `children`.
static LitheStatus add_shapes(LitheGltf *g, int32_t b, LitheBytes *children, LitheError *error) {
    const LitheRecording *recording = g->reader->recording;
    LitheStatus status = LITHE_OK;
    for (int32_t s = 0; status == LITHE_OK && s < recording->bodies[b].shape_count; s++) {
        if (!lithe_shape_drawn(recording, b, s))
            continue;
        LitheShapeColumns shape;
        LitheTriangles surface = {.context = g->context};
        status = lithe_shape_columns(recording, b, s, &shape, error);
        if (status == LITHE_OK)
            status = lithe_shape_triangles(&shape, &surface, error);
        if (status == LITHE_OK && surface.triangle_count > 0) {
            int32_t points = lithe_gltf_floats(g, surface.points, surface.point_count, 3,
                                               LITHE_GLTF_VERTICES, true);
            int32_t normals = lithe_gltf_floats(g, surface.normals, surface.point_count, 3,
                                                LITHE_GLTF_VERTICES, false);
            int32_t indices =
                lithe_gltf_indices(g, surface.corners, 3 * (int64_t)surface.triangle_count);
            int32_t material = 0;
            if (shape.colour)
                material = lithe_gltf_material(
                    g, (LitheColour){shape.colour[0], shape.colour[1], shape.colour[2]},
                    shape.visual);
            lithe_gltf_mesh(g, points, normals, indices, material, -1, -1);
            const double *p = shape.place, turn[4] = {p[4], p[5], p[6], p[3]};
            LitheBytes *text = lithe_gltf_next(&g->nodes);
            lithe_view_put(text, "{\"mesh\":%d,\"translation\":", (int)g->meshes.count - 1);
            lithe_view_put_numbers(text, p, 3);
            lithe_view_put(text, ",\"rotation\":");
            lithe_view_put_numbers(text, turn, 4);
            lithe_view_put(text, "}");
            lithe_view_put(children, "%s%d", children->count > 0 ? "," : "",
                           (int)g->nodes.count - 1);
        }
        lithe_triangles_release(&surface);
    }
    return status;
}

static LitheStatus add_body(LitheGltf *g, int32_t b, LitheError *error) {
    LitheRecording *recording = g->reader->recording;
    int64_t all = g->frame_count;
    bool moves = recording->layout.columns[recording->bodies[b].pose].offset >= 0;
    LitheBytes children = {.context = g->context}, more = {.context = g->context};
    LitheStatus status = add_shapes(g, b, &children, error);
    for (int64_t k = 0; status == LITHE_OK && k < (moves ? all : 1); k++) {
        double pose[7];
        status = lithe_recording_body_pose(recording, b, k, pose, error);
        if (status != LITHE_OK)
            break;
        memcpy(g->places + 3 * k, pose, 3 * sizeof *pose);
        lithe_gltf_put_turn(g, k, (Quat){pose[3], pose[4], pose[5], pose[6]});
    }
    if (status == LITHE_OK && children.count > 0) {
        lithe_view_put(&more, ",\"children\":[");
        lithe_bytes_put(&more, children.at, children.count);
        lithe_view_put(&more, "]");
        lithe_bytes_put(&more, "", 1);
        g->frame_count = moves ? all : 1;
        if (!more.failed)
            lithe_view_put(
                lithe_gltf_next(&g->roots), "%d",
                (int)lithe_gltf_moving_node(g, recording->bodies[b].name, (const char *)more.at));
        g->frame_count = all;
    }
    if (status == LITHE_OK && (children.failed || more.failed))
        status = lithe_fail_memory(error, "a body of the glTF file");
    lithe_bytes_release(&children);
    lithe_bytes_release(&more);
    return status;
}

// --- the file ------------------------------------------------------------------------------------

static void put_list(LitheBytes *json, const char *name, LitheGltfList *list) {
    if (list->count == 0)
        return;
    lithe_view_put(json, ",\"%s\":[", name);
    lithe_bytes_put(json, list->text.at, list->text.count);
    lithe_view_put(json, "]");
    json->failed |= list->text.failed;
}

static void put_json(LitheGltf *g, LitheBytes *json) {
    // the root rotates z up to y up
    LitheBytes *root = lithe_gltf_next(&g->nodes);
    lithe_view_put(root, "{\"name\":\"lithe\",\"rotation\":[-0.707106781,0,0,0.707106781]");
    if (g->roots.count > 0) {
        lithe_view_put(root, ",\"children\":[");
        lithe_bytes_put(root, g->roots.text.at, g->roots.text.count);
        lithe_view_put(root, "]");
    }
    lithe_view_put(root, "}");
    while (g->binary.count % 4 != 0 && !g->binary.failed)
        lithe_bytes_put(&g->binary, "", 1);
    lithe_view_put(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Lithe %s\"},\"scene\":0,",
                   lithe_version());
    lithe_view_put(json, "\"scenes\":[{\"nodes\":[%d],\"name\":", (int)g->nodes.count - 1);
    lithe_view_put_quoted(json, g->reader->recording->layout.title);
    lithe_view_put(json, "}],\"buffers\":[{\"byteLength\":%lld}]", (long long)g->binary.count);
    put_list(json, "bufferViews", &g->views);
    put_list(json, "accessors", &g->accessors);
    put_list(json, "materials", &g->materials);
    put_list(json, "meshes", &g->meshes);
    put_list(json, "skins", &g->skins);
    put_list(json, "nodes", &g->nodes);
    if (g->channels.count > 0) {
        lithe_view_put(json, ",\"animations\":[{\"name\":\"run\"");
        put_list(json, "samplers", &g->samplers);
        put_list(json, "channels", &g->channels);
        lithe_view_put(json, "}]");
    }
    lithe_view_put(json, "}");
    while (json->count % 4 != 0 && !json->failed)
        lithe_bytes_put(json, " ", 1);
}

static LitheStatus write_file(LitheGltf *g, const char *path, LitheError *error) {
    LitheBytes json = {.context = g->context};
    put_json(g, &json);
    int64_t all = 12 + 8 + json.count + 8 + g->binary.count;
    LitheStatus status = LITHE_OK;
    if (json.failed || g->binary.failed)
        status = lithe_fail_memory(error, "the glTF file");
    else if (all > UINT32_MAX)
        status = lithe_fail(error, LITHE_NOT_SUPPORTED, "%s: would be larger than 4 GB", path);
    LitheFileReplace replace = {0};
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(g->context, path, &replace, error);
    if (status == LITHE_OK) {
        const uint32_t head[5] = {0x46546c67, 2, (uint32_t)all, (uint32_t)json.count, 0x4e4f534a};
        const uint32_t chunk[2] = {(uint32_t)g->binary.count, 0x004e4942};
        fwrite(head, 1, sizeof head, replace.file);
        fwrite(json.at, 1, (size_t)json.count, replace.file);
        fwrite(chunk, 1, sizeof chunk, replace.file);
        fwrite(g->binary.at, 1, (size_t)g->binary.count, replace.file);
        status = lithe_file_replace_commit(&replace, error);
    }
    lithe_bytes_release(&json);
    return status;
}

static LitheGltfList *lists_of(LitheGltf *g, int i) {
    LitheGltfList *const all[] = {&g->views, &g->accessors, &g->meshes,   &g->materials, &g->nodes,
                                  &g->skins, &g->samplers,  &g->channels, &g->roots};
    return i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

static LitheStatus add_drawable(LitheGltf *g, int32_t number, LitheError *error) {
    switch (lithe_drawable(g->reader->recording, number).drawn) {
    case LITHE_DRAWN_TUBE:
        return lithe_gltf_tube(g, number, error);
    case LITHE_DRAWN_SURFACE:
        return lithe_gltf_surface(g, number, error);
    case LITHE_DRAWN_BALLS:
        return lithe_gltf_balls(g, number, error);
    case LITHE_DRAWN_BODY:
    case LITHE_DRAWN_NONE:
        break;
    }
    return LITHE_OK;
}

LitheStatus lithe_export_glb(LitheRecording *recording, const char *path, LitheError *error) {
    LitheContext *context = recording->context;
    LitheGltf g = {.context = context, .frame_count = recording->frame_count};
    g.binary.context = context;
    for (int i = 0; lists_of(&g, i); i++)
        lists_of(&g, i)->text.context = context;
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    if (status == LITHE_OK)
        status = lithe_view_reader_create(recording, &g.reader, error);
    if (status == LITHE_OK) {
        g.places = lithe_alloc_array(context, 3 * g.frame_count, sizeof(double));
        g.turns = lithe_alloc_array(context, 4 * g.frame_count, sizeof(double));
        if (!g.places || !g.turns)
            status = lithe_fail_memory(error, "the glTF file");
    }
    if (status == LITHE_OK) {
        lithe_gltf_material(&g, (LitheColour){0.62, 0.62, 0.6}, false);
        if (g.frame_count > 1)
            g.times = lithe_gltf_floats(&g, recording->times, g.frame_count, 1, 0, true);
    }
    for (int32_t i = 0; status == LITHE_OK && i < lithe_drawable_count(recording); i++)
        status = add_drawable(&g, i, error);
    for (int32_t b = 0; status == LITHE_OK && b < recording->body_count; b++)
        status = add_body(&g, b, error);
    if (status == LITHE_OK)
        status = write_file(&g, path, error);
    for (int i = 0; lists_of(&g, i); i++)
        lithe_bytes_release(&lists_of(&g, i)->text);
    lithe_bytes_release(&g.binary);
    lithe_free(context, g.places);
    lithe_free(context, g.turns);
    lithe_view_reader_destroy(g.reader);
    return status;
}
