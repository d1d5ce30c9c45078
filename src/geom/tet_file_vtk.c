// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_vtk.c - VTK legacy files: unstructured grids as text or binary (big-endian), of the
// versions 1 to 4 (cells with counts) and 5 (cells with offsets)

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>

enum { VTK_TETRA = 10, VTK_QUADRATIC_TETRA = 24 };

typedef struct Cells {
    int64_t *nodes; // [node_count] of all cells
    int32_t node_count, node_capacity;
    int32_t *start; // [count + 1] into nodes
    int64_t count;  // -1: not read yet
    bool typed;
} Cells;

/// Bytes per value of a type in binary files; 0: unknown.
static int type_bytes(LitheMeshWord type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"float", 4},         {"double", 8},        {"int", 4},
                 {"unsigned_int", 4},  {"long", 8},          {"unsigned_long", 8},
                 {"vtkidtype", 4},     {"vtktypeint64", 8},  {"vtktypeint32", 4},
                 {"char", 1},          {"unsigned_char", 1}, {"short", 2},
                 {"unsigned_short", 2}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (lithe_mesh_word_is(type, types[i].name))
            return types[i].bytes;
    return 0;
}

static LitheStatus read_type(LitheTetReader *reader, bool real, int *bytes) {
    LitheMeshWord type = lithe_tet_word(reader);
    *bytes = type_bytes(type);
    bool floating = lithe_mesh_word_is(type, "float") || lithe_mesh_word_is(type, "double");
    if (*bytes < 4 || floating != real)
        return lithe_tet_fail(reader, "'%.*s' is not a type of %s", LITHE_MESH_SHOWN(type),
                              real ? "coordinates: float or double" : "node numbers");
    return LITHE_OK;
}

static LitheStatus read_points(LitheTetReader *reader) {
    int64_t count;
    int bytes = 0;
    if (reader->point_count)
        return lithe_tet_fail(reader, "POINTS for the second time");
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    status = status ? status : read_type(reader, true, &bytes);
    status =
        status ? status : lithe_tet_count(reader, count, reader->binary ? 3 * bytes : 6, "points");
    status = status ? status : lithe_tet_begin_data(reader);
    for (int64_t i = 0; i < count && !status; i++) {
        double x[3] = {0};
        for (int k = 0; k < 3 && !status; k++)
            status = lithe_tet_real(reader, bytes, &x[k]);
        status = status ? status : lithe_tet_add_point(reader, i, v3_load(x));
    }
    return status;
}

static LitheStatus add_node(LitheTetReader *reader, Cells *cells, int64_t node) {
    if (!LITHE_RESERVE(reader->text.context, cells->nodes, cells->node_capacity,
                       (int64_t)cells->node_count + 1))
        return lithe_fail_memory(reader->text.error, "the cells of a mesh");
    cells->nodes[cells->node_count++] = node;
    return LITHE_OK;
}

// "CELLS count size", then for each cell its number of nodes and the nodes
static LitheStatus read_counted(LitheTetReader *reader, Cells *cells, int64_t size) {
    LitheStatus status = lithe_tet_count(reader, size, reader->binary ? 4 : 2, "numbers of cells");
    int64_t left = size;
    for (int64_t c = 0; c < cells->count && !status; c++) {
        int64_t count = 0, node = 0;
        status = lithe_tet_integer(reader, 4, &count);
        if (!status && (count < 0 || count >= left))
            status = lithe_tet_fail(reader,
                                    "cell %" PRId64 " has %" PRId64 " nodes, only %" PRId64
                                    " numbers of the announced %" PRId64 " are left",
                                    c, count, left - 1, size);
        left -= 1 + count;
        for (int64_t k = 0; k < count && !status; k++) {
            status = lithe_tet_integer(reader, 4, &node);
            status = status ? status : add_node(reader, cells, node);
        }
        cells->start[c + 1] = cells->node_count;
    }
    return status;
}

// version 5: the first number of the head counts offsets, one more than cells
static LitheStatus read_offsets(LitheTetReader *reader, Cells *cells, int64_t size) {
    int bytes = 0;
    LitheStatus status = read_type(reader, false, &bytes);
    status = status ? status : lithe_tet_begin_data(reader);
    for (int64_t c = 0; c <= cells->count && !status; c++) {
        int64_t offset = 0, before = c ? cells->start[c - 1] : 0;
        status = lithe_tet_integer(reader, bytes, &offset);
        if (!status && (offset < before || offset > size || (c == 0 && offset != 0)))
            status = lithe_tet_fail(
                reader, "offset %" PRId64 " is %" PRId64 ", must be %" PRId64 " to %" PRId64, c,
                offset, before, c ? size : 0);
        cells->start[c] = (int32_t)offset;
    }
    LitheMeshWord word = status ? (LitheMeshWord){0} : lithe_tet_word(reader);
    if (!status && !lithe_mesh_word_is(word, "connectivity"))
        status =
            lithe_tet_fail(reader, "'%.*s' where CONNECTIVITY is expected", LITHE_MESH_SHOWN(word));
    status = status ? status : read_type(reader, false, &bytes);
    status = status ? status
                    : lithe_tet_count(reader, size, reader->binary ? bytes : 2, "nodes of cells");
    status = status ? status : lithe_tet_begin_data(reader);
    for (int64_t i = 0; i < size && !status; i++) {
        int64_t node = 0;
        status = lithe_tet_integer(reader, bytes, &node);
        status = status ? status : add_node(reader, cells, node);
    }
    return status;
}

static LitheStatus read_cells(LitheTetReader *reader, Cells *cells) {
    int64_t count = 0, size = 0;
    if (cells->count >= 0)
        return lithe_tet_fail(reader, "CELLS for the second time");
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    status = status ? status : lithe_tet_integer_word(reader, &size);
    status = status ? status : lithe_tet_count(reader, count, 2, "cells");
    if (!status && (size < 0 || size > INT32_MAX))
        status = lithe_tet_fail(reader, "%" PRId64 " numbers of cells, must be 0 to %d", size,
                                INT32_MAX);
    if (status)
        return status;
    LitheTetReader peek = *reader;
    lithe_mesh_next_line(&peek.text);
    bool offsets = lithe_mesh_word_is(lithe_mesh_word(&peek.text), "offsets");
    if (offsets && count < 1)
        return lithe_tet_fail(reader, "%" PRId64 " offsets of cells, must be 1 at least", count);
    cells->count = offsets ? count - 1 : count;
    cells->start = lithe_alloc_array(reader->text.context, cells->count + 1, sizeof(int32_t));
    if (!cells->start)
        return lithe_fail_memory(reader->text.error, "the cells of a mesh");
    if (offsets) {
        lithe_tet_word(reader); // the word OFFSETS
        return read_offsets(reader, cells, size);
    }
    status = lithe_tet_begin_data(reader);
    return status ? status : read_counted(reader, cells, size);
}

static LitheStatus add_cell(LitheTetReader *reader, const Cells *cells, int64_t c, int64_t type) {
    const int64_t *nodes = cells->nodes + cells->start[c];
    int count = cells->start[c + 1] - cells->start[c];
    int wanted = type == VTK_TETRA ? 4 : type == VTK_QUADRATIC_TETRA ? 10 : 0;
    // vertices, lines, triangles, quadrilaterals, straight and curved
    bool flat = (type >= 0 && type <= 9) || (type >= 21 && type <= 23) || type == 28 ||
                type == 30 || (type >= 34 && type <= 36);
    if (wanted && count != wanted)
        return lithe_tet_fail(
            reader, "cell %" PRId64 " is of type %" PRId64 " and has %d nodes, must be %d", c, type,
            count, wanted);
    if (!wanted && !flat)
        return lithe_tet_fail(reader,
                              "cell %" PRId64 " is of type %" PRId64
                              ": of volumes only tetrahedra (10, 24) are read",
                              c, type);
    return lithe_tet_add_element(reader, wanted != 0, nodes, count, 3, 0);
}

static LitheStatus read_types(LitheTetReader *reader, Cells *cells) {
    int64_t count = 0;
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    if (!status && (count != cells->count || cells->typed))
        status =
            lithe_tet_fail(reader, "%" PRId64 " types of cells, but there are %" PRId64 " CELLS",
                           count, cells->count < 0 ? 0 : cells->count);
    status =
        status ? status : lithe_tet_count(reader, count, reader->binary ? 4 : 2, "types of cells");
    status = status ? status : lithe_tet_begin_data(reader);
    for (int64_t c = 0; c < count && !status; c++) {
        int64_t type = 0;
        status = lithe_tet_integer(reader, 4, &type);
        status = status ? status : add_cell(reader, cells, c, type);
    }
    cells->typed = true;
    return status;
}

// "FIELD name count", then arrays "name components tuples type" that a mesh does not need
static LitheStatus skip_field(LitheTetReader *reader) {
    int64_t arrays = 0;
    lithe_tet_word(reader);
    LitheStatus status = lithe_tet_integer_word(reader, &arrays);
    status = status ? status : lithe_tet_count(reader, arrays, 8, "arrays of a field");
    for (int64_t a = 0; a < arrays && !status; a++) {
        int64_t components = 0, tuples = 0;
        lithe_tet_word(reader);
        status = lithe_tet_integer_word(reader, &components);
        status = status ? status : lithe_tet_integer_word(reader, &tuples);
        if (status)
            break;
        int bytes = type_bytes(lithe_tet_word(reader));
        if (bytes == 0)
            return lithe_tet_fail(reader, "array %" PRId64 " of a field has an unknown type", a);
        status = lithe_tet_count(reader, components, 1, "components");
        status = status ? status : lithe_tet_count(reader, tuples, 1, "tuples");
        int64_t each = reader->binary ? bytes : 2; // both factors are below 2^25
        if (!status && components * tuples > (reader->text.end - reader->text.at) / each + 1)
            status =
                lithe_tet_fail(reader, "array %" PRId64 " of a field is longer than the file", a);
        status = status ? status : lithe_tet_begin_data(reader);
        if (!status && reader->binary &&
            components * tuples * bytes > reader->text.end - reader->text.at)
            status =
                lithe_tet_fail(reader, "array %" PRId64 " of a field is longer than the file", a);
        if (!status && reader->binary)
            reader->text.at += components * tuples * bytes;
        for (int64_t i = 0; i < components * tuples && !reader->binary; i++)
            lithe_tet_word(reader);
    }
    return status;
}

// lines up to an empty one
static void skip_metadata(LitheTetReader *reader) {
    while (lithe_mesh_next_line(&reader->text)) {
        LitheTetReader peek = *reader;
        if (lithe_mesh_word(&peek.text).length == 0)
            return;
    }
}

static LitheStatus read_sections(LitheTetReader *reader, Cells *cells) {
    LitheStatus status = LITHE_OK;
    while (!status) {
        LitheMeshWord word = lithe_tet_word(reader);
        if (word.length == 0 || lithe_mesh_word_is(word, "cell_data") ||
            lithe_mesh_word_is(word, "point_data"))
            break;
        if (lithe_mesh_word_is(word, "points"))
            status = read_points(reader);
        else if (lithe_mesh_word_is(word, "cells"))
            status = read_cells(reader, cells);
        else if (lithe_mesh_word_is(word, "cell_types"))
            status = read_types(reader, cells);
        else if (lithe_mesh_word_is(word, "field"))
            status = skip_field(reader);
        else if (lithe_mesh_word_is(word, "metadata"))
            skip_metadata(reader);
        else
            status = lithe_tet_fail(reader, "'%.*s' where POINTS, CELLS or CELL_TYPES is expected",
                                    LITHE_MESH_SHOWN(word));
    }
    if (!status && cells->count >= 0 && !cells->typed)
        status = lithe_tet_fail(reader, "the file ends before CELL_TYPES");
    return status;
}

LitheStatus lithe_tet_read_vtk(LitheTetReader *reader) {
    // "# vtk DataFile Version 3.0", a title, ASCII or BINARY, DATASET UNSTRUCTURED_GRID
    LitheMeshWord hash = lithe_mesh_word(&reader->text), vtk = lithe_mesh_word(&reader->text);
    if (!lithe_mesh_word_is(hash, "#") || !lithe_mesh_word_is(vtk, "vtk"))
        return lithe_tet_fail(reader, "a legacy VTK file begins with '# vtk DataFile Version'");
    lithe_mesh_next_line(&reader->text);
    lithe_mesh_next_line(&reader->text);
    LitheMeshWord coding = lithe_tet_word(reader);
    if (!lithe_mesh_word_is(coding, "ascii") && !lithe_mesh_word_is(coding, "binary"))
        return lithe_tet_fail(reader, "'%.*s' where ASCII or BINARY is expected",
                              LITHE_MESH_SHOWN(coding));
    LitheMeshWord dataset = lithe_tet_word(reader), kind = lithe_tet_word(reader);
    if (!lithe_mesh_word_is(dataset, "dataset") || !lithe_mesh_word_is(kind, "unstructured_grid"))
        return lithe_tet_fail(reader, "'%.*s %.*s' where DATASET UNSTRUCTURED_GRID is expected",
                              LITHE_MESH_SHOWN(dataset), LITHE_MESH_SHOWN(kind));
    reader->binary = reader->swapped = lithe_mesh_word_is(coding, "binary");
    Cells cells = {.count = -1};
    LitheStatus status = read_sections(reader, &cells);
    lithe_free(reader->text.context, cells.nodes);
    lithe_free(reader->text.context, cells.start);
    return status;
}
