// SPDX-License-Identifier: Apache-2.0
// lithe/shape.h - the initial curve of a rod

#ifndef LITHE_SHAPE_H
#define LITHE_SHAPE_H

#include "lithe/base.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of curves.
typedef enum LitheShapeKind {
    LITHE_SHAPE_LINE,     ///< from `from` to `to`
    LITHE_SHAPE_ARC,      ///< from the origin along +x, bending towards +z; `radius`, `angle`
    LITHE_SHAPE_RING,     ///< closed, centre at the origin, from (radius, 0, 0) towards +y
    LITHE_SHAPE_HELIX,    ///< about the z axis, from (radius, 0, 0); `radius`, `pitch`, `turns`
    LITHE_SHAPE_CATENARY, ///< hangs along -z from `from` to `to`; `length`
    LITHE_SHAPE_POLYLINE, ///< through `points`
    LITHE_SHAPE_SPLINE,   ///< smooth (twice differentiable) curve through `points`
    LITHE_SHAPE_FILE,     ///< polyline from a text file `path`: x y z per line, in metres
    LITHE_SHAPE_OVERHAND_KNOT, ///< open, loose, ends along -x and +x; `unknotting`, `length`
    LITHE_SHAPE_PATH,          ///< from the origin along +x in the x-y plane; `pieces`
} LitheShapeKind;

/// One piece of a path, tangent to the previous piece: straight, or a turn.
typedef struct LithePathPiece {
    double straight; ///< length projected on the x-y plane [m]; 0: the piece is a turn
    double turn;     ///< angle [rad], > 0 to the left, of any size; 0: the piece is straight
    double radius;   ///< of the turn [m]
    double climb;    ///< rise along z over the piece [m]
} LithePathPiece;

/// Start from lithe_shape_def_default(). Lengths in metres, angles in radians.
typedef struct LitheShapeDef {
    LitheShapeKind kind;
    LitheVec3 from;
    LitheVec3 to;
    double length;
    double radius;
    double angle;
    double pitch;            ///< rise per turn; negative: left-handed
    double turns;            ///< any positive number
    const LitheVec3 *points; ///< copied when a def is added to a scene
    int32_t point_count;
    bool closed; ///< polyline, spline, file, path: a loop; the pieces of a path must end at its
                 ///< start
    const char *path; ///< relative to the scene file
    int32_t unknotting;
    const LithePathPiece *pieces; ///< copied like the points
    int32_t piece_count;
    LitheVec3 rotate; ///< then rotate the curve about the origin by this rotation vector [rad]
    LitheVec3 at;     ///< then translate it
} LitheShapeDef;

/// A line of 1 m along x.
LITHE_API LitheShapeDef lithe_shape_def_default(void);

#ifdef __cplusplus
}
#endif

#endif
