// SPDX-License-Identifier: Apache-2.0
// view/gltf_skin.c - meshes of a glTF scene that bend: each point follows a joint

#include "base/memory.h"
#include "base/status.h"
#include "view/gltf_parts.h"

#include <string.h>

enum { JOINTS_MAX = 65535 };

bool lithe_gltf_skinned_begin(LitheContext *context, int64_t points, int64_t corners,
                              LitheGltfSkinned *skinned) {
    *skinned = (LitheGltfSkinned){
        .points = lithe_alloc_array(context, 3 * points, sizeof(double)),
        .normals = lithe_alloc_array(context, 3 * points, sizeof(double)),
        .weights = lithe_alloc_array(context, 4 * points, sizeof(double)),
        .joints = lithe_alloc_array(context, 4 * points, sizeof(uint16_t)),
        .corners = lithe_alloc_array(context, corners, sizeof(int32_t)),
    };
    return skinned->points && skinned->normals && skinned->weights && skinned->joints &&
           skinned->corners;
}

void lithe_gltf_skinned_release(LitheContext *context, LitheGltfSkinned *skinned) {
    lithe_free(context, skinned->points);
    lithe_free(context, skinned->normals);
    lithe_free(context, skinned->weights);
    lithe_free(context, skinned->joints);
    lithe_free(context, skinned->corners);
}

void lithe_gltf_skinned_point(LitheGltfSkinned *skinned, int32_t joint, Vec3 x, Vec3 n) {
    int32_t at = skinned->point_count++;
    v3_store(x, skinned->points + 3 * at);
    v3_store(n, skinned->normals + 3 * at);
    skinned->joints[4 * at] = (uint16_t)joint;
    skinned->weights[4 * at] = 1;
}

void lithe_gltf_skinned_triangle(LitheGltfSkinned *skinned, int32_t a, int32_t b, int32_t c) {
    skinned->corners[skinned->corner_count++] = a;
    skinned->corners[skinned->corner_count++] = b;
    skinned->corners[skinned->corner_count++] = c;
}

// Column-major, world at the first frame to joint: R', -R' x.
static void put_inverse(Quat turn, Vec3 x, float *out) {
    Mat3 r = q4_matrix(turn);
    for (int c = 0; c < 3; c++) {
        double moved = 0;
        for (int k = 0; k < 3; k++) {
            out[4 * k + c] = (float)r.m[k][c];
            moved += r.m[k][c] * (k == 0 ? x.x : k == 1 ? x.y : x.z);
        }
        out[12 + c] = (float)-moved;
        out[4 * c + 3] = 0;
    }
    out[15] = 1;
}

static LitheStatus add_skin(LitheGltf *g, const LitheDrawable *of, LitheGltfTurn *turn,
                            LitheError *error) {
    int32_t points = of->point_count;
    float *inverse = lithe_alloc_array(g->context, 16 * (int64_t)points, sizeof *inverse);
    if (!inverse)
        return lithe_fail_memory(error, "a skin of the glTF file");
    for (int32_t i = 0; i < points; i++)
        put_inverse(turn(g, of, 0, i), v3_load(g->track + 6 * i), inverse + 16 * i);
    int32_t matrices = lithe_gltf_accessor(g, inverse, 64 * (int64_t)points, LITHE_GLTF_FLOATS,
                                           "MAT4", points, 0, NULL, NULL, 0);
    lithe_free(g->context, inverse);
    LitheBytes *skin = lithe_gltf_next(&g->skins);
    lithe_view_put(skin, "{\"inverseBindMatrices\":%d,\"joints\":[", (int)matrices);
    for (int32_t i = 0; i < points; i++) {
        for (int64_t k = 0; k < g->frame_count; k++) {
            memcpy(g->places + 3 * k, g->track + 6 * (k * points + i), 3 * sizeof(double));
            lithe_gltf_put_turn(g, k, turn(g, of, k, i));
        }
        int32_t node = lithe_gltf_moving_node(g, of->name, "");
        lithe_view_put(skin, "%s%d", i > 0 ? "," : "", (int)node);
        lithe_view_put(lithe_gltf_next(&g->roots), "%d", (int)node);
    }
    lithe_view_put(skin, "]}");
    return LITHE_OK;
}

LitheStatus lithe_gltf_skinned_add(LitheGltf *g, const LitheGltfSkinned *skinned,
                                   const LitheDrawable *of, LitheColour colour, LitheGltfTurn *turn,
                                   LitheError *error) {
    int32_t count = skinned->point_count;
    if (of->point_count > JOINTS_MAX)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s/%s has %d points, a skeleton of glTF takes %d", of->folder, of->name,
                          (int)of->point_count, JOINTS_MAX);
    int32_t points = lithe_gltf_floats(g, skinned->points, count, 3, LITHE_GLTF_VERTICES, true);
    int32_t normals = lithe_gltf_floats(g, skinned->normals, count, 3, LITHE_GLTF_VERTICES, false);
    int32_t joints = lithe_gltf_accessor(g, skinned->joints, 8 * (int64_t)count, LITHE_GLTF_SHORTS,
                                         "VEC4", count, LITHE_GLTF_VERTICES, NULL, NULL, 0);
    int32_t weights = lithe_gltf_floats(g, skinned->weights, count, 4, LITHE_GLTF_VERTICES, false);
    int32_t indices = lithe_gltf_indices(g, skinned->corners, skinned->corner_count);
    lithe_gltf_mesh(g, points, normals, indices, lithe_gltf_material(g, colour, false), joints,
                    weights);
    LitheStatus status = add_skin(g, of, turn, error);
    if (status != LITHE_OK)
        return status;
    LitheBytes *text = lithe_gltf_next(&g->nodes);
    lithe_view_put(text, "{\"name\":");
    lithe_view_put_quoted(text, of->name);
    lithe_view_put(text, ",\"mesh\":%d,\"skin\":%d}", (int)g->meshes.count - 1,
                   (int)g->skins.count - 1);
    lithe_view_put(lithe_gltf_next(&g->roots), "%d", (int)g->nodes.count - 1);
    return LITHE_OK;
}
