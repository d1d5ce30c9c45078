// SPDX-License-Identifier: Apache-2.0
// geom/clip_parts.h - the functions of geom/clip.h for a kind of processor; all give the same bits

#ifndef LITHE_GEOM_CLIP_PARTS_H
#define LITHE_GEOM_CLIP_PARTS_H

#include "geom/clip.h"

typedef bool LitheClipTetsFn(const LitheFieldTet *a, const LitheFieldTet *b, LithePolygon *out);
typedef bool LitheClipTriangleFn(const LitheFieldTet *tet, const Vec3 *t, Vec3 normal,
                                 LithePolygon *out);
typedef bool LitheClipPlaneFn(const LitheFieldTet *tet, Vec3 normal, double offset,
                              LithePolygon *out);
typedef void LithePolygonPointsFn(const LithePolygon *polygon, Vec3 points[3]);

LitheClipTetsFn lithe_clip_portable_tets;
LitheClipTriangleFn lithe_clip_portable_triangle;
LitheClipPlaneFn lithe_clip_portable_plane;
LithePolygonPointsFn lithe_clip_portable_points;
#if defined(__x86_64__)
LitheClipTetsFn lithe_clip_avx2_tets;
LitheClipTriangleFn lithe_clip_avx2_triangle;
LitheClipPlaneFn lithe_clip_avx2_plane;
LithePolygonPointsFn lithe_clip_avx2_points;
#endif

#endif
