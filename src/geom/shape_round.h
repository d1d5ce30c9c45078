// SPDX-License-Identifier: Apache-2.0
// geom/shape_round.h - tubes, tori, plates with a hole and elliptic cylinders

#ifndef LITHE_GEOM_SHAPE_ROUND_H
#define LITHE_GEOM_SHAPE_ROUND_H

#include "geom/shape.h"

/// Checks the lengths of a shape of such a kind.
LitheStatus lithe_round_check(const LitheGeomDef *def, LitheError *error);

/// Sets kind, mesh or hull, and the exact mass properties of `geom`.
LitheStatus lithe_round_build(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                              LitheError *error);

#endif
