// SPDX-License-Identifier: Apache-2.0
// view/gltf_parts.h - internal to the files of the glTF export
//
// The JSON part is built list by list while the binary part grows; each piece of the binary part is
// one accessor with its own buffer view.

#ifndef LITHE_VIEW_GLTF_PARTS_H
#define LITHE_VIEW_GLTF_PARTS_H

#include "math/quat.h"
#include "record/picture.h"
#include "view/reader.h"
#include "view/text.h"

/// Kinds of numbers, and what an accessor is for.
enum { LITHE_GLTF_FLOATS = 5126, LITHE_GLTF_SHORTS = 5123, LITHE_GLTF_INTS = 5125 };
enum { LITHE_GLTF_VERTICES = 34962, LITHE_GLTF_INDICES = 34963 };

// A list of JSON and its number of elements.
typedef struct LitheGltfList {
    LitheBytes text;
    int32_t count;
} LitheGltfList;

typedef struct LitheGltf {
    LitheContext *context;
    LitheViewReader *reader;
    int64_t frame_count;
    LitheBytes binary;
    LitheGltfList views, accessors, meshes, materials, nodes, skins, samplers, channels;
    LitheGltfList roots; // children of the root
    int32_t times;       // accessor
    double *places;      // [frame_count][3] of one node at a time
    double *turns;       // [frame_count][4] x y z w
    int32_t *neighbours; // [point_count] of one surface: a neighbour of each point
    double *track;       // [frame_count][point_count][6] of one thing: positions and a direction
} LitheGltf;

/// The place for the next element of a list.
LitheBytes *lithe_gltf_next(LitheGltfList *list);

/// Adds bytes as an accessor and returns its number. `low` and `high` [width] may be NULL.
int32_t lithe_gltf_accessor(LitheGltf *g, const void *data, int64_t bytes, int kind,
                            const char *type, int64_t count, int target, const double *low,
                            const double *high, int width);

/// Adds doubles as an accessor of floats; `bounds` for accessors that must have them. -1: out of
/// memory.
int32_t lithe_gltf_floats(LitheGltf *g, const double *values, int64_t count, int width, int target,
                          bool bounds);
int32_t lithe_gltf_indices(LitheGltf *g, const int32_t *corners, int64_t count);
int32_t lithe_gltf_material(LitheGltf *g, LitheColour colour, bool two_sided);

/// Adds a mesh from accessors. `joints` and `weights` < 0: none.
void lithe_gltf_mesh(LitheGltf *g, int32_t points, int32_t normals, int32_t indices,
                     int32_t material, int32_t joints, int32_t weights);

/// Sets one row of `turns`. Consecutive quaternions are in the same half-space, so that readers
/// interpolate along the shorter path.
void lithe_gltf_put_turn(LitheGltf *g, int64_t k, Quat q);

/// Adds an animation of a node: its values [frame_count][width] over time.
void lithe_gltf_channel(LitheGltf *g, int32_t node, const char *path, const double *values,
                        int width);

/// Adds a node in its first pose and its animation by places and rotations; returns its number.
/// `more` is JSON.
int32_t lithe_gltf_moving_node(LitheGltf *g, const char *name, const char *more);

/// A mesh in its shape of the first frame; each point follows one joint.
typedef struct LitheGltfSkinned {
    double *points, *normals, *weights; // [point_count][3], [3], [4]
    uint16_t *joints;                   // [point_count][4]
    int32_t *corners;                   // [corner_count]
    int32_t point_count, corner_count;
} LitheGltfSkinned;

/// Allocates. False: out of memory. Release in any case.
bool lithe_gltf_skinned_begin(LitheContext *context, int64_t points, int64_t corners,
                              LitheGltfSkinned *skinned);
void lithe_gltf_skinned_release(LitheContext *context, LitheGltfSkinned *skinned);
void lithe_gltf_skinned_point(LitheGltfSkinned *skinned, int32_t joint, Vec3 x, Vec3 n);
void lithe_gltf_skinned_triangle(LitheGltfSkinned *skinned, int32_t a, int32_t b, int32_t c);

/// The rotation of the joint at a point of `of` at a frame.
typedef Quat LitheGltfTurn(const LitheGltf *g, const LitheDrawable *of, int64_t frame,
                           int32_t point);

/// Adds the mesh and a joint for each point of `of`, which are in `track`.
LitheStatus lithe_gltf_skinned_add(LitheGltf *g, const LitheGltfSkinned *skinned,
                                   const LitheDrawable *of, LitheColour colour, LitheGltfTurn *turn,
                                   LitheError *error);

/// Each adds one thing; `number` counts all drawables, for its colour.
LitheStatus lithe_gltf_tube(LitheGltf *g, int32_t number, LitheError *error);
LitheStatus lithe_gltf_surface(LitheGltf *g, int32_t number, LitheError *error);
LitheStatus lithe_gltf_balls(LitheGltf *g, int32_t number, LitheError *error);

#endif
