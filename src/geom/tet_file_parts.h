// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_parts.h - common parts of the readers of tetrahedral meshes: numbers as text or
// bytes, nodes with labels, elements, groups

#ifndef LITHE_GEOM_TET_FILE_PARTS_H
#define LITHE_GEOM_TET_FILE_PARTS_H

#include "geom/mesh_file_parts.h"
#include "geom/tet_file.h"

/// A group of a file that becomes a set.
typedef struct LitheTetGroup {
    char name[64];
    int64_t tag;
    int32_t dim; // 0 to 3: points, curves, surfaces, volumes
} LitheTetGroup;

/// Consecutive elements of one dimension and tag. Tetrahedra are in `corners`, others in `others`.
typedef struct LitheTetRun {
    int64_t tag; // of the group; in MSH 4 of the entity
    int32_t dim;
    bool tets;
    int32_t first, count; // labels in the array
} LitheTetRun;

/// An entity of MSH 4 that belongs to a group.
typedef struct LitheTetLink {
    int64_t entity, group;
    int32_t dim;
} LitheTetLink;

/// A mesh being read.
typedef struct LitheTetReader {
    LitheMeshReader text; // position, line, error
    const char *start;    // of the bytes, for messages
    bool binary, swapped; // numbers are bytes; their order is not that of this machine
    Vec3 *points;         // [point_count]
    int64_t *labels;      // [point_count]
    int32_t point_count, point_capacity, label_capacity;
    int32_t per;      // nodes per tetrahedron, 0: none yet
    int64_t *corners; // [corner_count] labels of the nodes of tetrahedra
    int32_t corner_count, corner_capacity;
    int64_t *others; // [other_count] labels of the nodes of other elements
    int32_t other_count, other_capacity;
    LitheTetGroup *groups;
    int32_t group_count, group_capacity;
    LitheTetRun *runs;
    int32_t run_count, run_capacity;
    LitheTetLink *links; // MSH 4: runs have the tags of entities
    int32_t link_count, link_capacity;
    bool linked;
    bool nearest; // the order of midpoints is not known: each belongs to the nearest edge
    LitheTetFileInfo info;
} LitheTetReader;

/// Fails with line, or in binary files with the byte.
LitheStatus lithe_tet_fail(LitheTetReader *reader, const char *format, ...) LITHE_PRINTF(2, 3);

/// Next word on any line; length 0 at the end of the file.
LitheMeshWord lithe_tet_word(LitheTetReader *reader);

/// Next integer: a word, or `bytes` bytes (4: signed, 8: must be below 2^63, 1: unsigned).
LitheStatus lithe_tet_integer(LitheTetReader *reader, int bytes, int64_t *value);

/// An integer that is written as a word in binary files, too.
LitheStatus lithe_tet_integer_word(LitheTetReader *reader, int64_t *value);

/// Next finite number: a word, or 4 or 8 bytes.
LitheStatus lithe_tet_real(LitheTetReader *reader, int bytes, double *value);

/// Whether `count` items of at least `bytes` bytes each (as text: two bytes per number) can be in
/// the rest of the file; `what` names them.
LitheStatus lithe_tet_count(LitheTetReader *reader, int64_t count, int64_t bytes, const char *what);

/// Binary data begin after the end of the present line.
LitheStatus lithe_tet_begin_data(LitheTetReader *reader);

LitheStatus lithe_tet_add_point(LitheTetReader *reader, int64_t label, Vec3 x);

/// Adds an element: a tetrahedron of 4 or 10 nodes, if `tet`; else one that gives sets only. `tag`
/// of the group or entity; 0: none.
LitheStatus lithe_tet_add_element(LitheTetReader *reader, bool tet, const int64_t *nodes, int count,
                                  int32_t dim, int64_t tag);

/// Index of the group; added when new, with `name`, or one like "surface-3" if that is NULL.
LitheStatus lithe_tet_add_group(LitheTetReader *reader, int32_t dim, int64_t tag, const char *name,
                                size_t length);

/// Labels to indices, sets, memory of the right size.
LitheStatus lithe_tet_build(LitheTetReader *reader, LitheTetMesh *out);

LitheStatus lithe_tet_read_vtk(LitheTetReader *reader);
LitheStatus lithe_tet_read_msh(LitheTetReader *reader);
LitheStatus lithe_tet_read_msh4_entities(LitheTetReader *reader);
LitheStatus lithe_tet_read_msh4_nodes(LitheTetReader *reader);
LitheStatus lithe_tet_read_msh4_elements(LitheTetReader *reader);

/// Adds an element of a gmsh type, with its nodes in the order of gmsh.
LitheStatus lithe_tet_add_gmsh(LitheTetReader *reader, int64_t type, const int64_t *nodes,
                               int64_t tag);
/// Nodes of a gmsh type; fails for unknown ones and for volumes other than tetrahedra.
LitheStatus lithe_tet_gmsh_size(LitheTetReader *reader, int64_t type, int *nodes);

LitheStatus lithe_tet_read_node_file(LitheTetReader *reader);
LitheStatus lithe_tet_read_ele_file(LitheTetReader *reader);

#endif
