// SPDX-License-Identifier: Apache-2.0
// geom/curve.h - nodes along the initial curve of a rod

#ifndef LITHE_GEOM_CURVE_H
#define LITHE_GEOM_CURVE_H

#include "lithe/shape.h"
#include "math/vec3.h"

/// Whether the shape is closed.
bool lithe_shape_closed(const LitheShapeDef *shape);

/// Number of nodes that a shape defines: its points for a polyline or a file, 0 for all others.
/// `shape->path` is opened as it is: resolve it first.
LitheStatus lithe_curve_node_count(LitheContext *context, const LitheShapeDef *shape,
                                   int32_t *count, LitheError *error);

/// Nodes equally spaced along the curve, rotated by `rotate` and translated by `at`. A polyline or
/// file with as many nodes requested as it has points keeps its points. A closed curve does not
/// repeat its first node.
///
/// A clamped end lies in the middle of the outermost edge: the curve is extended straight by half
/// an edge, so that the length from clamp to clamp (or free end) is that of the shape. A closed
/// curve cannot be clamped; points kept as given are not moved.
///
/// `radius` [m] is that of the rod: an overhand knot is shaped so that its strands do not touch,
/// and refused if that is impossible. Other shapes are not checked for self-intersection.
LitheStatus lithe_curve_sample(LitheContext *context, const LitheShapeDef *shape,
                               int32_t node_count, bool clamp_start, bool clamp_end, double radius,
                               Vec3 *out /* [node_count] */, bool *closed, LitheError *error);

#endif
