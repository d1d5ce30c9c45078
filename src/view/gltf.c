// SPDX-License-Identifier: Apache-2.0
// view/gltf.c - a recording as an animated glTF 2.0 scene
//
// The JSON part is put together list by list while the binary part grows; each piece of the binary
// part is one accessor with a buffer view of its own.

#include "view/gltf.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"
#include "record/picture.h"
#include "record/shape_triangles.h"
#include "view/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { FLOATS = 5126, SHORTS = 5123, INTS = 5125 };
enum { VERTICES = 34962, INDICES = 34963 };
enum { ROUND_SIDES = 12 };

// A list of JSON and how many it has.
typedef struct List {
    LitheBytes text;
    int32_t count;
} List;

typedef struct Gltf {
    LitheContext *context;
    LitheViewReader *reader;
    int64_t frame_count;
    LitheBytes binary;
    List views, accessors, meshes, materials, nodes, skins, samplers, channels;
    List roots;     // children of the root
    int32_t times;  // accessor
    double *places; // [frame_count][3] of one node at a time
    double *turns;  // [frame_count][4] x y z w
    double *track;  // [frame_count][node_count][6] of one rod: position and m1 at its nodes
} Gltf;

// --- lists ---------------------------------------------------------------------------------------

static LitheBytes *next(List *list) {
    if (list->count++ > 0)
        lithe_view_put(&list->text, ",");
    return &list->text;
}

// Adds bytes as an accessor; its number. `low` and `high` [width] may be NULL.
static int32_t add_accessor(Gltf *g, const void *data, int64_t bytes, int kind, const char *type,
                            int64_t count, int target, const double *low, const double *high,
                            int width) {
    while (g->binary.count % 4 != 0 && !g->binary.failed)
        lithe_bytes_put(&g->binary, "", 1);
    LitheBytes *view = next(&g->views);
    lithe_view_put(view, "{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld",
                   (long long)g->binary.count, (long long)bytes);
    lithe_view_put(view, target ? ",\"target\":%d}" : "}", target);
    lithe_bytes_put(&g->binary, data, bytes);
    LitheBytes *text = next(&g->accessors);
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

// Doubles as floats; `bounds` for accessors that must have them. -1: out of memory.
static int32_t add_floats(Gltf *g, const double *values, int64_t count, int width, int target,
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
    int32_t made =
        add_accessor(g, floats, count * width * (int64_t)sizeof *floats, FLOATS, types[width],
                     count, target, bounds ? low : NULL, bounds ? high : NULL, width);
    lithe_free(g->context, floats);
    return made;
}

static int32_t add_indices(Gltf *g, const int32_t *corners, int64_t count) {
    return add_accessor(g, corners, count * 4, INTS, "SCALAR", count, INDICES, NULL, NULL, 0);
}

// sRGB as pictures have it to the linear light of glTF
static void put_linear(LitheBytes *text, double value) {
    lithe_view_put_number(text,
                          value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
}

static int32_t add_material(Gltf *g, LitheColour colour) {
    LitheBytes *text = next(&g->materials);
    lithe_view_put(text, "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    put_linear(text, colour.r);
    lithe_view_put(text, ",");
    put_linear(text, colour.g);
    lithe_view_put(text, ",");
    put_linear(text, colour.b);
    lithe_view_put(text, ",1],\"metallicFactor\":0,\"roughnessFactor\":0.6}}");
    return g->materials.count - 1;
}

// --- animation -----------------------------------------------------------------------------------

static void add_channel(Gltf *g, int32_t node, const char *path, const double *values, int width) {
    int32_t output = add_floats(g, values, g->frame_count, width, 0, false);
    lithe_view_put(next(&g->samplers), "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}",
                   (int)g->times, (int)output);
    lithe_view_put(next(&g->channels), "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                   (int)g->samplers.count - 1, (int)node, path);
}

// Neighbouring turns on the same side, so that no reader goes the long way round.
static void put_turn(Gltf *g, int64_t k, Quat q) {
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

// A node at its first place, which then moves as places and turns say; its number.
static int32_t add_moving_node(Gltf *g, const char *name, const char *more) {
    LitheBytes *text = next(&g->nodes);
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
        add_channel(g, node, "translation", g->places, 3);
        add_channel(g, node, "rotation", g->turns, 4);
    }
    return node;
}

// --- rods ----------------------------------------------------------------------------------------

// One point of the outline of a section, across the rod.
typedef struct Corner {
    double x, y, nx, ny;
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
        double c = cos(2 * PI * i / ROUND_SIDES), s = sin(2 * PI * i / ROUND_SIDES);
        double nx = c * b, ny = s * a, length = hypot(nx, ny);
        corners[i] =
            (Corner){a * c, b * s, length > 0 ? nx / length : c, length > 0 ? ny / length : s};
    }
    return ROUND_SIDES;
}

// Position and turn of the joint at a node: z along the rod, x along m1.
static Quat joint_turn(const Gltf *g, const LitheRecordingTube *rod, int64_t k, int32_t i) {
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

static LitheStatus read_track(Gltf *g, int32_t r, LitheError *error) {
    const LitheRecordingTube *rod = &g->reader->recording->tubes[r];
    const LitheViewScene *scene = g->reader->scene;
    int32_t nodes = rod->node_count, edges = rod->edge_count;
    for (int64_t k = 0; k < g->frame_count; k++) {
        LitheViewFrame frame;
        LitheStatus status = lithe_view_reader_read(g->reader, k, &frame, error);
        if (status != LITHE_OK)
            return status;
        const double *x = lithe_view_values(scene, frame.numbers, scene->rods[r].position);
        const double *m = lithe_view_values(scene, frame.numbers, scene->rods[r].director);
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

// The surface as it is in the first frame, and where its points belong.
typedef struct Tube {
    double *points, *normals, *weights; // [point_count][3], [3], [4]
    uint16_t *joints;                   // [point_count][4]
    int32_t *corners;
    int32_t point_count, corner_count;
} Tube;

static void add_point(Tube *tube, int32_t joint, Vec3 x, Vec3 n) {
    int32_t at = tube->point_count++;
    v3_store(x, tube->points + 3 * at);
    v3_store(n, tube->normals + 3 * at);
    tube->joints[4 * at] = (uint16_t)joint;
    tube->weights[4 * at] = 1;
}

static void add_triangle(Tube *tube, int32_t a, int32_t b, int32_t c) {
    tube->corners[tube->corner_count++] = a;
    tube->corners[tube->corner_count++] = b;
    tube->corners[tube->corner_count++] = c;
}

static void add_cap(Tube *tube, int32_t joint, const Corner *corners, int sides, Vec3 at, Quat q,
                    bool forward) {
    int32_t middle = tube->point_count;
    Vec3 normal = q4_rotate(q, v3(0, 0, forward ? 1 : -1));
    add_point(tube, joint, at, normal);
    for (int c = 0; c < sides; c++)
        add_point(tube, joint, v3_add(at, q4_rotate(q, v3(corners[c].x, corners[c].y, 0))), normal);
    for (int c = 0; c < sides; c++) {
        int32_t a = middle + 1 + c, b = middle + 1 + (c + 1) % sides;
        add_triangle(tube, middle, forward ? a : b, forward ? b : a);
    }
}

static void fill_tube(const Gltf *g, const LitheRecordingTube *rod, Tube *tube) {
    Corner corners[ROUND_SIDES];
    int sides = outline_of(rod, corners);
    bool flat = strcmp(rod->section, "rectangle") == 0;
    for (int32_t i = 0; i < rod->node_count; i++) {
        Quat q = joint_turn(g, rod, 0, i);
        Vec3 at = v3_load(g->track + 6 * i);
        for (int c = 0; c < sides; c++)
            add_point(tube, i, v3_add(at, q4_rotate(q, v3(corners[c].x, corners[c].y, 0))),
                      q4_rotate(q, v3(corners[c].nx, corners[c].ny, 0)));
    }
    for (int32_t e = 0; e < rod->edge_count; e++)
        for (int c = 0; c < sides; c += flat ? 2 : 1) {
            int32_t low = e * sides, high = (e + 1) % rod->node_count * sides;
            int d = (c + 1) % sides;
            add_triangle(tube, low + c, low + d, high + d);
            add_triangle(tube, low + c, high + d, high + c);
        }
    for (int k = 0; !rod->closed && k < 2; k++) {
        int32_t i = k == 0 ? 0 : rod->node_count - 1;
        add_cap(tube, i, corners, sides, v3_load(g->track + 6 * i), joint_turn(g, rod, 0, i),
                k == 1);
    }
}

static void release_tube(LitheContext *context, Tube *tube) {
    lithe_free(context, tube->points);
    lithe_free(context, tube->normals);
    lithe_free(context, tube->weights);
    lithe_free(context, tube->joints);
    lithe_free(context, tube->corners);
}

static void add_mesh(Gltf *g, int32_t points, int32_t normals, int32_t indices, int32_t material,
                     int32_t joints, int32_t weights) {
    LitheBytes *text = next(&g->meshes);
    lithe_view_put(text, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                   (int)points, (int)normals);
    if (joints >= 0)
        lithe_view_put(text, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", (int)joints, (int)weights);
    lithe_view_put(text, "},\"indices\":%d,\"material\":%d}]}", (int)indices, (int)material);
}

// Column-major, world at the first frame to joint: R', -R' x.
static void put_inverse(const Gltf *g, const LitheRecordingTube *rod, int32_t i, float *out) {
    Mat3 r = q4_matrix(joint_turn(g, rod, 0, i));
    Vec3 x = v3_load(g->track + 6 * i);
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

static LitheStatus add_skin(Gltf *g, const LitheRecordingTube *rod, LitheError *error) {
    int32_t nodes = rod->node_count;
    float *inverse = lithe_alloc_array(g->context, 16 * (int64_t)nodes, sizeof *inverse);
    if (!inverse)
        return lithe_fail_memory(error, "a rod of the glTF file");
    for (int32_t i = 0; i < nodes; i++)
        put_inverse(g, rod, i, inverse + 16 * i);
    int32_t matrices =
        add_accessor(g, inverse, 64 * (int64_t)nodes, FLOATS, "MAT4", nodes, 0, NULL, NULL, 0);
    lithe_free(g->context, inverse);
    LitheBytes *skin = next(&g->skins);
    lithe_view_put(skin, "{\"inverseBindMatrices\":%d,\"joints\":[", (int)matrices);
    for (int32_t i = 0; i < nodes; i++) {
        for (int64_t k = 0; k < g->frame_count; k++) {
            memcpy(g->places + 3 * k, g->track + 6 * (k * nodes + i), 3 * sizeof(double));
            put_turn(g, k, joint_turn(g, rod, k, i));
        }
        int32_t node = add_moving_node(g, rod->name, "");
        lithe_view_put(skin, "%s%d", i > 0 ? "," : "", (int)node);
        lithe_view_put(next(&g->roots), "%d", (int)node);
    }
    lithe_view_put(skin, "]}");
    return LITHE_OK;
}

static LitheStatus add_rod(Gltf *g, int32_t r, LitheError *error) {
    const LitheRecordingTube *rod = &g->reader->recording->tubes[r];
    int64_t nodes = rod->node_count, most = (nodes + 2) * (ROUND_SIDES + 1);
    if (nodes > 65535)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "rod '%s' has %d nodes, a skeleton of glTF takes 65535", rod->name,
                          (int)nodes);
    g->track = lithe_alloc_array(g->context, 6 * nodes * g->frame_count, sizeof(double));
    Tube tube = {.points = lithe_alloc_array(g->context, 3 * most, sizeof(double)),
                 .normals = lithe_alloc_array(g->context, 3 * most, sizeof(double)),
                 .weights = lithe_alloc_array(g->context, 4 * most, sizeof(double)),
                 .joints = lithe_alloc_array(g->context, 4 * most, sizeof(uint16_t)),
                 .corners = lithe_alloc_array(g->context, 6 * most, sizeof(int32_t))};
    LitheStatus status = LITHE_OK;
    if (!g->track || !tube.points || !tube.normals || !tube.weights || !tube.joints ||
        !tube.corners)
        status = lithe_fail_memory(error, "a rod of the glTF file");
    if (status == LITHE_OK)
        status = read_track(g, r, error);
    if (status == LITHE_OK) {
        fill_tube(g, rod, &tube);
        int32_t points = add_floats(g, tube.points, tube.point_count, 3, VERTICES, true);
        int32_t normals = add_floats(g, tube.normals, tube.point_count, 3, VERTICES, false);
        int32_t joints = add_accessor(g, tube.joints, 8 * (int64_t)tube.point_count, SHORTS, "VEC4",
                                      tube.point_count, VERTICES, NULL, NULL, 0);
        int32_t weights = add_floats(g, tube.weights, tube.point_count, 4, VERTICES, false);
        int32_t indices = add_indices(g, tube.corners, tube.corner_count);
        add_mesh(g, points, normals, indices, add_material(g, lithe_picture_palette(r)), joints,
                 weights);
        status = add_skin(g, rod, error);
    }
    if (status == LITHE_OK) {
        LitheBytes *text = next(&g->nodes);
        lithe_view_put(text, "{\"name\":");
        lithe_view_put_quoted(text, rod->name);
        lithe_view_put(text, ",\"mesh\":%d,\"skin\":%d}", (int)g->meshes.count - 1,
                       (int)g->skins.count - 1);
        lithe_view_put(next(&g->roots), "%d", (int)g->nodes.count - 1);
    }
    release_tube(g->context, &tube);
    lithe_free(g->context, g->track);
    g->track = NULL;
    return status;
}

// --- bodies --------------------------------------------------------------------------------------

// Nodes for the shapes of a body; their numbers, with commas, into `children`.
static LitheStatus add_shapes(Gltf *g, int32_t b, LitheBytes *children, LitheError *error) {
    const LitheRecording *recording = g->reader->recording;
    LitheStatus status = LITHE_OK;
    for (int32_t s = 0; status == LITHE_OK && s < recording->bodies[b].shape_count; s++) {
        LitheShapeColumns shape;
        LitheTriangles surface = {.context = g->context};
        status = lithe_shape_columns(recording, b, s, &shape, error);
        if (status == LITHE_OK)
            status = lithe_shape_triangles(&shape, &surface, error);
        if (status == LITHE_OK && surface.triangle_count > 0) {
            int32_t points = add_floats(g, surface.points, surface.point_count, 3, VERTICES, true);
            int32_t normals =
                add_floats(g, surface.normals, surface.point_count, 3, VERTICES, false);
            int32_t indices = add_indices(g, surface.corners, 3 * (int64_t)surface.triangle_count);
            add_mesh(g, points, normals, indices, 0, -1, -1);
            const double *p = shape.place, turn[4] = {p[4], p[5], p[6], p[3]};
            LitheBytes *text = next(&g->nodes);
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

static LitheStatus add_body(Gltf *g, int32_t b, LitheError *error) {
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
        put_turn(g, k, (Quat){pose[3], pose[4], pose[5], pose[6]});
    }
    if (status == LITHE_OK && children.count > 0) {
        lithe_view_put(&more, ",\"children\":[");
        lithe_bytes_put(&more, children.at, children.count);
        lithe_view_put(&more, "]");
        lithe_bytes_put(&more, "", 1);
        g->frame_count = moves ? all : 1;
        if (!more.failed)
            lithe_view_put(
                next(&g->roots), "%d",
                (int)add_moving_node(g, recording->bodies[b].name, (const char *)more.at));
        g->frame_count = all;
    }
    if (status == LITHE_OK && (children.failed || more.failed))
        status = lithe_fail_memory(error, "a body of the glTF file");
    lithe_bytes_release(&children);
    lithe_bytes_release(&more);
    return status;
}

// --- the file ------------------------------------------------------------------------------------

static void put_list(LitheBytes *json, const char *name, List *list) {
    if (list->count == 0)
        return;
    lithe_view_put(json, ",\"%s\":[", name);
    lithe_bytes_put(json, list->text.at, list->text.count);
    lithe_view_put(json, "]");
    json->failed |= list->text.failed;
}

static void put_json(Gltf *g, LitheBytes *json) {
    // the root turns z up to y up
    LitheBytes *root = next(&g->nodes);
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

static LitheStatus write_file(Gltf *g, const char *path, LitheError *error) {
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

static List *lists_of(Gltf *g, int i) {
    List *const all[] = {&g->views, &g->accessors, &g->meshes,   &g->materials, &g->nodes,
                         &g->skins, &g->samplers,  &g->channels, &g->roots};
    return i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

LitheStatus lithe_export_glb(LitheRecording *recording, const char *path, LitheError *error) {
    LitheContext *context = recording->context;
    Gltf g = {.context = context, .frame_count = recording->frame_count};
    g.binary.context = context;
    for (int i = 0; lists_of(&g, i); i++)
        lists_of(&g, i)->text.context = context;
    LitheStatus status = lithe_view_reader_create(recording, &g.reader, error);
    if (status == LITHE_OK) {
        g.places = lithe_alloc_array(context, 3 * g.frame_count, sizeof(double));
        g.turns = lithe_alloc_array(context, 4 * g.frame_count, sizeof(double));
        if (!g.places || !g.turns)
            status = lithe_fail_memory(error, "the glTF file");
    }
    if (status == LITHE_OK) {
        add_material(&g, (LitheColour){0.62, 0.62, 0.6});
        if (g.frame_count > 1)
            g.times = add_floats(&g, recording->times, g.frame_count, 1, 0, true);
    }
    for (int32_t r = 0; status == LITHE_OK && r < recording->tube_count; r++)
        status = add_rod(&g, r, error);
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
