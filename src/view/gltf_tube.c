// SPDX-License-Identifier: Apache-2.0
// view/gltf_tube.c - tubes of a glTF scene: a skin with one joint per node

#include "base/memory.h"
#include "base/status.h"
#include "view/gltf_parts.h"

#include <math.h>
#include <string.h>

enum { ROUND_SIDES = 12 };

// One point of the outline of a cross-section.
typedef struct Corner {
    double x, y, nx, ny; // place [m] and unit normal, along m1 and m2
} Corner;

static int outline_of(const LitheRecordingTube *rod, Corner *corners) {
    double a = 0.5 * rod->size[0], b = 0.5 * rod->size[1];
    if (strcmp(rod->section, "rectangle") == 0) {
        const Corner box[8] = {{a, -b, 1, 0},  {a, b, 1, 0},    {a, b, 0, 1},    {-a, b, 0, 1},
                               {-a, b, -1, 0}, {-a, -b, -1, 0}, {-a, -b, 0, -1}, {a, -b, 0, -1}};
        memcpy(corners, box, sizeof box);
        return 8;
    }
    for (int i = 0; i < ROUND_SIDES; i++) {
        double c = cos(2 * M_PI * i / ROUND_SIDES), s = sin(2 * M_PI * i / ROUND_SIDES);
        double nx = c * b, ny = s * a, length = hypot(nx, ny);
        corners[i] =
            (Corner){a * c, b * s, length > 0 ? nx / length : c, length > 0 ? ny / length : s};
    }
    return ROUND_SIDES;
}

// Rotation of the joint at a node: z along the rod, x along m1.
static Quat joint_turn(const LitheGltf *g, const LitheDrawable *of, int64_t k, int32_t i) {
    const LitheRecordingTube *rod = &g->reader->recording->tubes[of->index];
    const double *row = g->track + 6 * k * rod->node_count;
    int32_t n = rod->node_count;
    int32_t before = i > 0 ? i - 1 : rod->closed ? n - 1 : 0;
    int32_t after = i + 1 < n ? i + 1 : rod->closed ? 0 : n - 1;
    Vec3 t = v3_unit(v3_sub(v3_load(row + 6 * after), v3_load(row + 6 * before)));
    if (v3_norm(t) == 0)
        t = v3(0, 0, 1);
    Vec3 m = v3_load(row + 6 * i + 3);
    m = v3_axpy(-v3_dot(m, t), t, m);
    m = v3_norm(m) > 1e-9 ? v3_unit(m) : v3_any_normal(t);
    return q4_of_matrix(m3_columns(m, v3_cross(t, m), t));
}

static LitheStatus read_track(LitheGltf *g, int32_t number, LitheError *error) {
    const LitheViewScene *scene = g->reader->scene;
    const LitheViewPoints *columns = &scene->points[number];
    const LitheRecordingTube *rod = &g->reader->recording->tubes[columns->of.index];
    int32_t nodes = rod->node_count, edges = rod->edge_count;
    for (int64_t k = 0; k < g->frame_count; k++) {
        LitheViewFrame frame;
        LitheStatus status = lithe_view_reader_read(g->reader, k, &frame, error);
        if (status != LITHE_OK)
            return status;
        const double *x = lithe_view_values(scene, frame.numbers, columns->position);
        const double *m = lithe_view_values(scene, frame.numbers, columns->director);
        for (int32_t i = 0; i < nodes; i++) {
            double *row = g->track + 6 * (k * nodes + i);
            int32_t before = i > 0 ? i - 1 : rod->closed ? edges - 1 : 0;
            int32_t after = i < edges ? i : edges - 1;
            memcpy(row, x + 3 * i, 3 * sizeof *row);
            Vec3 mean = m ? v3_add(v3_load(m + 3 * before), v3_load(m + 3 * after)) : v3(0, 0, 0);
            v3_store(mean, row + 3);
        }
    }
    return LITHE_OK;
}

static void add_cap(LitheGltfSkinned *tube, int32_t joint, const Corner *corners, int sides,
                    Vec3 at, Quat q, bool forward) {
    int32_t middle = tube->point_count;
    Vec3 normal = q4_rotate(q, v3(0, 0, forward ? 1 : -1));
    lithe_gltf_skinned_point(tube, joint, at, normal);
    for (int c = 0; c < sides; c++)
        lithe_gltf_skinned_point(
            tube, joint, v3_add(at, q4_rotate(q, v3(corners[c].x, corners[c].y, 0))), normal);
    for (int c = 0; c < sides; c++) {
        int32_t a = middle + 1 + c, b = middle + 1 + (c + 1) % sides;
        lithe_gltf_skinned_triangle(tube, middle, forward ? a : b, forward ? b : a);
    }
}

static void fill_tube(const LitheGltf *g, const LitheDrawable *of, LitheGltfSkinned *tube) {
    const LitheRecordingTube *rod = &g->reader->recording->tubes[of->index];
    Corner corners[ROUND_SIDES];
    int sides = outline_of(rod, corners);
    bool flat = strcmp(rod->section, "rectangle") == 0;
    for (int32_t i = 0; i < rod->node_count; i++) {
        Quat q = joint_turn(g, of, 0, i);
        Vec3 at = v3_load(g->track + 6 * i);
        for (int c = 0; c < sides; c++)
            lithe_gltf_skinned_point(tube, i,
                                     v3_add(at, q4_rotate(q, v3(corners[c].x, corners[c].y, 0))),
                                     q4_rotate(q, v3(corners[c].nx, corners[c].ny, 0)));
    }
    for (int32_t e = 0; e < rod->edge_count; e++)
        for (int c = 0; c < sides; c += flat ? 2 : 1) {
            int32_t low = e * sides, high = (e + 1) % rod->node_count * sides;
            int d = (c + 1) % sides;
            lithe_gltf_skinned_triangle(tube, low + c, low + d, high + d);
            lithe_gltf_skinned_triangle(tube, low + c, high + d, high + c);
        }
    for (int k = 0; !rod->closed && k < 2; k++) {
        int32_t i = k == 0 ? 0 : rod->node_count - 1;
        add_cap(tube, i, corners, sides, v3_load(g->track + 6 * i), joint_turn(g, of, 0, i),
                k == 1);
    }
}

LitheStatus lithe_gltf_tube(LitheGltf *g, int32_t number, LitheError *error) {
    const LitheDrawable of = lithe_drawable(g->reader->recording, number);
    int64_t nodes = of.point_count, max = (nodes + 2) * (ROUND_SIDES + 1);
    LitheGltfSkinned tube;
    LitheStatus status = LITHE_OK;
    g->track = lithe_alloc_array(g->context, 6 * nodes * g->frame_count, sizeof(double));
    if (!lithe_gltf_skinned_begin(g->context, max, 6 * max, &tube) || !g->track)
        status = lithe_fail_memory(error, "a rod of the glTF file");
    if (status == LITHE_OK)
        status = read_track(g, number, error);
    if (status == LITHE_OK) {
        fill_tube(g, &of, &tube);
        status =
            lithe_gltf_skinned_add(g, &tube, &of, lithe_picture_palette(number), joint_turn, error);
    }
    lithe_gltf_skinned_release(g->context, &tube);
    lithe_free(g->context, g->track);
    g->track = NULL;
    return status;
}
