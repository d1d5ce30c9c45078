// SPDX-License-Identifier: Apache-2.0
// geom/tet_check.h - what can be wrong with a tetrahedral mesh, and how good its elements are

#ifndef LITHE_GEOM_TET_CHECK_H
#define LITHE_GEOM_TET_CHECK_H

#include "geom/tet_mesh.h"

/// Sizes and quality of a mesh that can be simulated, and what is unusual about it.
typedef struct LitheTetReport {
    double volume;                         // [m^3]
    Vec3 low, high;                        // corners of its box [m]
    double min_edge, max_edge;             // [m]
    double min_angle, max_angle;           // dihedral [rad], of the corners
    int32_t min_angle_at, max_angle_at;    // elements
    double min_quality;                    // 1: regular, 0: flat; see lithe_tet_quality
    int32_t min_quality_at;                // element
    int32_t part_count;                    // connected by common nodes; 1 is usual
    int32_t unused_count, unused;          // nodes in no element, the first of them
    int32_t duplicate_count, duplicate[2]; // pairs of nodes at one place, the first of them
    int32_t hinge_count, hinge[2]; // edges with more than two triangles of the surface; its nodes
    bool turned;                   // all elements were mirrored, and were turned round
} LitheTetReport;

/// Checks a mesh and measures it. If all elements have negative volume, the file has mirrored
/// coordinates or the other order of corners: elements are turned round. Refused, with count, first
/// number and place: indices out of range, nodes that are not finite, an element with the same node
/// twice, flat elements, elements that are inverted while others are not, quadratic elements that
/// are folded, elements that overlap at a common face.
LitheStatus lithe_tet_mesh_check(LitheContext *context, LitheTetMesh *mesh, LitheTetReport *report,
                                 LitheError *error);

enum { LITHE_TET_NOTES = 8, LITHE_TET_NOTE = 320 };

/// Writes what is legal, but unusual about the mesh, one sentence per note; returns their number.
int32_t lithe_tet_report_notes(const LitheTetMesh *mesh, const LitheTetReport *report,
                               char notes[LITHE_TET_NOTES][LITHE_TET_NOTE]);

/// The note about dihedral angles alone; false: they are good enough.
bool lithe_tet_angle_note(const LitheTetMesh *mesh, const LitheTetReport *report,
                          char notes[LITHE_TET_NOTES][LITHE_TET_NOTE]);

/// Fills in min_angle, max_angle and their elements only.
void lithe_tet_mesh_angles(const LitheTetMesh *mesh, LitheTetReport *report);

/// Mean ratio 12 (3 V)^(2/3) / sum of l^2 over the six edges l: 1 for the regular tetrahedron, 0
/// for flat ones. `x` [4].
double lithe_tet_quality(const Vec3 *x);

/// Dihedral angles [rad] at the edges in the order of lithe_tet_edges.
void lithe_tet_dihedrals(const Vec3 *x, double angle[6]);

/// Smallest determinant of the map of a quadratic element over its ten nodes and its centre,
/// divided by 6 times the volume of the straight one. `x` [10].
double lithe_tet_fold(const Vec3 *x);

/// Swaps two corners of every element, and the midpoints with them.
void lithe_tet_mesh_turn(LitheTetMesh *mesh);

#endif
