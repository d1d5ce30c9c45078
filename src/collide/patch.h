// SPDX-License-Identifier: Apache-2.0
// collide/patch.h - contacts of a pair of parts by pressure fields: sides, points, merging
//
// docs/theory/patches.md.

#ifndef LITHE_COLLIDE_PATCH_H
#define LITHE_COLLIDE_PATCH_H

#include "data/contacts.h"
#include "data/state.h"
#include "geom/field.h"

/// Whether two parts touch by patches: both have a field, and at least one is compliant.
bool lithe_patch_pair(const LitheModel *model, const LitheContacts *c, LithePartPair pair);

/// Modulus of the field of an edge of a rod [Pa]; 0: rigid; -1: it has none.
double lithe_edge_modulus(const LitheModel *model, const LitheContacts *c, int32_t part);

/// Tetrahedra of an edge with its pressure field, or the triangles of its surface where it is
/// rigid, in the frame of `pose` (NULL: the world). Returns their number, at most
/// lithe_edge_element_count. *folded: neighbouring cross-sections intersect, and those of this edge
/// are perpendicular to it instead.
int32_t lithe_edge_elements(const LitheModel *model, const LitheState *state,
                            const LitheContacts *c, int32_t part, const LithePose *pose,
                            LithePatchElement *out, bool *folded);
int32_t lithe_edge_element_count(const LitheModel *model, const LitheContacts *c, int32_t part);

/// How sharply an edge bends and twists, against the size of its section.
typedef struct LitheEdgeBend {
    const char *name; // of the rod
    int32_t edge;
    double radius; // of the bend at the edge; INFINITY: straight [m]
    double twist;  // of the sections at its ends [rad]
    double reach;  // of the section from the axis [m]
} LitheEdgeBend;
LitheEdgeBend lithe_edge_bend(const LitheModel *model, const LitheState *state,
                              const LitheContacts *c, int32_t part);

/// (PF9) - (PF12), (PF23) Merges points whose normals agree within 0.1 rad into at most five points
/// for each group, or with `rings` ten of the one with most of the force, (PF32) to (PF34), in
/// place; returns the number that is left. Groups that cannot be represented stay as they are.
/// `work` [2*count] is workspace.
int32_t lithe_patch_merge(LithePatchPoint *points, int32_t count, bool rings, int32_t *work);

#endif
