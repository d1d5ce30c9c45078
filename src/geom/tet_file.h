// SPDX-License-Identifier: Apache-2.0
// geom/tet_file.h - tetrahedral meshes from VTK (legacy), gmsh (MSH 2 and 4.1) and TetGen files
//
// Counts are checked against the size of the file before memory is allocated; numbers of nodes may
// be any 64-bit integers. Triangles, lines and points of a file give sets only. Hexahedra, prisms
// and pyramids are refused: the body would have holes.

#ifndef LITHE_GEOM_TET_FILE_H
#define LITHE_GEOM_TET_FILE_H

#include "geom/tet_mesh.h"

/// What a reader left out.
typedef struct LitheTetFileInfo {
    int32_t unused_count; // nodes that belong to no tetrahedron
    int64_t unused;       // number of the first of them in the file
    int32_t other_count;  // elements other than tetrahedra: triangles, lines, points
} LitheTetFileInfo;

/// Max number of sets (physical groups, markers) of a file.
enum { LITHE_TET_FILE_SETS = 256 };

/// Whether `path` ends in .vtk, .msh, .node or .ele, in any case of letters.
bool lithe_tet_file_known(const char *path);

/// Reads a file; of TetGen both files of the same name. Nodes stay in the order of the file and
/// keep their numbers as labels; those that no tetrahedron uses are left out. The elements are not
/// checked: see lithe_tet_mesh_check. `info` may be NULL. Messages name line or byte.
LitheStatus lithe_tet_file_read(LitheContext *context, const char *path, LitheTetMesh *out,
                                LitheTetFileInfo *info, LitheError *error);

/// Reads a mesh from memory; the ending of `name` determines the kind. TetGen: `bytes` are those of
/// the .ele file, `nodes` those of the .node file; else `nodes` is not used.
LitheStatus lithe_tet_file_parse(LitheContext *context, const char *bytes, size_t length,
                                 const char *nodes, size_t nodes_length, const char *name,
                                 LitheTetMesh *out, LitheTetFileInfo *info, LitheError *error);

#endif
