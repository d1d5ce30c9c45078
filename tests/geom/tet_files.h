// SPDX-License-Identifier: Apache-2.0
// tests/geom/tet_files.h - writes small meshes in the formats that the readers know

#ifndef LITHE_TEST_TET_FILES_H
#define LITHE_TEST_TET_FILES_H

#include "geom/tet_mesh.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Bytes {
    char data[200000];
    size_t length;
} Bytes;

typedef enum Coding { TEXT, LITTLE, BIG } Coding;

__attribute__((format(printf, 2, 3))) static inline void put(Bytes *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    b->length +=
        (size_t)vsnprintf(b->data + b->length, sizeof b->data - b->length, format, arguments);
    va_end(arguments);
}

static inline void put_bits(Bytes *b, Coding coding, int bytes, uint64_t bits) {
    for (int i = 0; i < bytes; i++)
        b->data[b->length++] = (char)(bits >> 8 * (coding == BIG ? bytes - 1 - i : i));
}

static inline void put_int(Bytes *b, Coding coding, int bytes, int64_t value) {
    if (coding == TEXT)
        put(b, "%" PRId64 " ", value);
    else
        put_bits(b, coding, bytes, (uint64_t)value);
}

static inline void put_real(Bytes *b, Coding coding, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (coding == TEXT)
        put(b, "%.17g ", value);
    else
        put_bits(b, coding, 8, bits);
}

static inline void put_point(Bytes *b, Coding coding, Vec3 x) {
    put_real(b, coding, x.x);
    put_real(b, coding, x.y);
    put_real(b, coding, x.z);
}

/// Versions 3 (counts) and 5 (offsets), TEXT or BIG; the last cell is a triangle.
static inline void write_vtk(Bytes *b, const LitheTetMesh *m, int version, Coding coding) {
    int per = m->nodes_per_element, n = m->element_count;
    b->length = 0;
    put(b, "# vtk DataFile Version %d.0\na title with CELLS\n%s\nDATASET UNSTRUCTURED_GRID\n",
        version, coding == TEXT ? "ASCII" : "BINARY");
    put(b, "FIELD FieldData 1\nTIME 1 1 double\n");
    put_real(b, coding, 0.5);
    put(b, "\nPOINTS %d double\n", m->node_count);
    for (int i = 0; i < m->node_count; i++)
        put_point(b, coding, m->nodes[i]);
    put(b, "\nMETADATA\nINFORMATION 0\n\n");
    if (version < 5) {
        put(b, "CELLS %d %d\n", n + 1, n * (per + 1) + 4);
        for (int e = 0; e < n; e++) {
            put_int(b, coding, 4, per);
            for (int k = 0; k < per; k++)
                put_int(b, coding, 4, m->elements[per * e + k]);
        }
        for (int k = 0; k < 4; k++)
            put_int(b, coding, 4, k ? m->elements[k] : 3);
    } else {
        put(b, "CELLS %d %d\nOFFSETS vtktypeint64\n", n + 2, n * per + 3);
        for (int e = 0; e <= n; e++)
            put_int(b, coding, 8, e * per);
        put_int(b, coding, 8, n * per + 3);
        put(b, "\nCONNECTIVITY vtktypeint64\n");
        for (int i = 0; i < n * per; i++)
            put_int(b, coding, 8, m->elements[i]);
        for (int k = 0; k < 3; k++)
            put_int(b, coding, 8, m->elements[k]);
    }
    put(b, "\nCELL_TYPES %d\n", n + 1);
    for (int e = 0; e <= n; e++)
        put_int(b, coding, 4, e == n ? 5 : per == 10 ? 24 : 10);
    put(b, "\nCELL_DATA %d\nSCALARS x int\nLOOKUP_TABLE default\n", n + 1);
}

// gmsh has the midpoint of 23 before that of 13
static inline int gmsh_local(int per, int k) {
    return per == 10 && k >= 8 ? 17 - k : k;
}

static inline void put_gmsh_head(Bytes *b, const char *version, Coding coding) {
    b->length = 0;
    put(b, "$MeshFormat\n%s %d 8\n", version, coding != TEXT);
    if (coding != TEXT) {
        put_int(b, coding, 4, 1);
        put(b, "\n");
    }
    put(b,
        "$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"lid\"\n3 1 \"all of it\"\n$EndPhysicalNames\n");
}

/// All tetrahedra are in the group "all of it", one triangle in "lid"; labels are 10 + 3 i.
static inline void write_msh2(Bytes *b, const LitheTetMesh *m, Coding coding) {
    int per = m->nodes_per_element, n = m->element_count;
    put_gmsh_head(b, "2.2", coding);
    put(b, "$Nodes\n%d\n", m->node_count);
    for (int i = 0; i < m->node_count; i++) {
        put_int(b, coding, 4, 10 + 3 * i);
        put_point(b, coding, m->nodes[i]);
        if (coding == TEXT)
            put(b, "\n");
    }
    put(b, "%s$EndNodes\n$Elements\n%d\n", coding == TEXT ? "" : "\n", n + 1);
    for (int e = -1; e < n; e++) {
        int count = e < 0 ? 3 : per, type = e < 0 ? 2 : per == 10 ? 11 : 4;
        if (coding == TEXT) {
            put(b, "%d %d 2 %d 5 ", e + 2, type, e < 0 ? 7 : 1);
        } else {
            if (e <= 0) { // one block of triangles, one of tetrahedra
                put_int(b, coding, 4, type);
                put_int(b, coding, 4, e < 0 ? 1 : n);
                put_int(b, coding, 4, 2);
            }
            put_int(b, coding, 4, e + 2);
            put_int(b, coding, 4, e < 0 ? 7 : 1);
            put_int(b, coding, 4, 5);
        }
        for (int k = 0; k < count; k++)
            put_int(b, coding, 4,
                    10 + 3 * m->elements[(e < 0 ? 0 : e) * per + gmsh_local(count, k)]);
        if (coding == TEXT)
            put(b, "\n");
    }
    put(b, "%s$EndElements\n", coding == TEXT ? "" : "\n");
}

/// As write_msh2, in version 4.1; with a section that readers skip.
static inline void write_msh4(Bytes *b, const LitheTetMesh *m, Coding coding) {
    int per = m->nodes_per_element, n = m->element_count;
    put_gmsh_head(b, "4.1", coding);
    put(b, "$Entities\n");
    for (int d = 0; d < 4; d++)
        put_int(b, coding, 8, d >= 2);
    for (int d = 2; d < 4; d++) { // surface 20 in group 7, volume 30 in group 1
        put_int(b, coding, 4, 10 * d);
        for (int k = 0; k < 6; k++)
            put_real(b, coding, k);
        put_int(b, coding, 8, 1);
        put_int(b, coding, 4, d == 2 ? 7 : 1);
        put_int(b, coding, 8, d == 2 ? 0 : 1);
        if (d == 3)
            put_int(b, coding, 4, -20);
    }
    put(b, "\n$EndEntities\n$Nodes\n");
    int head[4] = {2, m->node_count, 10, 7 + 3 * m->node_count};
    for (int k = 0; k < 4; k++)
        put_int(b, coding, 8, head[k]);
    for (int block = 0; block < 2; block++) { // the first three nodes on the surface, parametric
        int from = block ? 3 : 0, to = block ? m->node_count : 3;
        put_int(b, coding, 4, 2 + block);
        put_int(b, coding, 4, 20 + 10 * block);
        put_int(b, coding, 4, !block);
        put_int(b, coding, 8, to - from);
        for (int i = from; i < to; i++)
            put_int(b, coding, 8, 10 + 3 * i);
        for (int i = from; i < to; i++) {
            put_point(b, coding, m->nodes[i]);
            for (int k = 0; k < (block ? 0 : 2); k++)
                put_real(b, coding, 0.25);
        }
    }
    put(b, "\n$EndNodes\n$Periodic\nany $ bytes\n$EndPeriodic\n$Elements\n");
    int elements[4] = {2, n + 1, 1, n + 1};
    for (int k = 0; k < 4; k++)
        put_int(b, coding, 8, elements[k]);
    for (int e = -1; e < n; e++) {
        int count = e < 0 ? 3 : per;
        if (e <= 0) {
            put_int(b, coding, 4, e < 0 ? 2 : 3);
            put_int(b, coding, 4, e < 0 ? 20 : 30);
            put_int(b, coding, 4, e < 0 ? 2 : per == 10 ? 11 : 4);
            put_int(b, coding, 8, e < 0 ? 1 : n);
        }
        put_int(b, coding, 8, e + 2);
        for (int k = 0; k < count; k++)
            put_int(b, coding, 8,
                    10 + 3 * m->elements[(e < 0 ? 0 : e) * per + gmsh_local(count, k)]);
    }
    put(b, "\n$EndElements\n");
}

/// Numbers count from `base`; node 0 has marker 4, all tetrahedra are in region 2.
static inline void write_tetgen(Bytes *nodes, Bytes *elements, const LitheTetMesh *m, int base) {
    int per = m->nodes_per_element;
    nodes->length = elements->length = 0;
    put(nodes, "# made by a test\n%d 3 1 1\n", m->node_count);
    for (int i = 0; i < m->node_count; i++) {
        put(nodes, "%d ", base + i);
        put_point(nodes, TEXT, m->nodes[i]);
        put(nodes, "0.5 %d # marker\n", i ? 0 : 4);
    }
    put(elements, "%d %d 1\n", m->element_count, per);
    for (int e = 0; e < m->element_count; e++) {
        put(elements, "%d ", base + e);
        for (int k = 0; k < per; k++) // midpoints in another order
            put(elements, "%d ", base + m->elements[per * e + (k < 4 ? k : 13 - k)]);
        put(elements, "2\n");
    }
    put(elements, "# end\n");
}

#endif
