// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_msh.c - gmsh files: head, sections, names of physical groups; nodes and elements of
// MSH 2

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>
#include <string.h>

enum { GMSH_TET = 4, GMSH_TET10 = 11, MAX_NODES = 125 };

/// Nodes and dimension of the element types of gmsh; 0 nodes: unknown.
static const struct {
    uint8_t nodes, dim;
} gmsh_types[] = {{0, 0},  {2, 1},  {3, 2},  {4, 2},  {4, 3},  {8, 3},  {6, 3},  {5, 3},
                  {3, 1},  {6, 2},  {9, 2},  {10, 3}, {27, 3}, {18, 3}, {14, 3}, {1, 0},
                  {8, 2},  {20, 3}, {15, 3}, {13, 3}, {9, 2},  {10, 2}, {12, 2}, {15, 2},
                  {15, 2}, {21, 2}, {4, 1},  {5, 1},  {6, 1},  {20, 3}, {35, 3}, {56, 3}};

LitheStatus lithe_tet_gmsh_size(LitheTetReader *reader, int64_t type, int *nodes) {
    if (type < 1 || type >= (int64_t)(sizeof gmsh_types / sizeof *gmsh_types))
        return lithe_tet_fail(reader, "element type %" PRId64 " is not known", type);
    if (gmsh_types[type].dim == 3 && type != GMSH_TET && type != GMSH_TET10)
        return lithe_tet_fail(reader,
                              "element type %" PRId64 " with %d nodes: of volumes only tetrahedra "
                              "of 4 and 10 nodes are read",
                              type, gmsh_types[type].nodes);
    *nodes = gmsh_types[type].nodes;
    return LITHE_OK;
}

LitheStatus lithe_tet_add_gmsh(LitheTetReader *reader, int64_t type, const int64_t *nodes,
                               int64_t tag) {
    int64_t ordered[MAX_NODES];
    int count = gmsh_types[type].nodes;
    memcpy(ordered, nodes, (size_t)count * sizeof *nodes);
    if (type == GMSH_TET10) { // gmsh has the edge 23 before 13
        ordered[8] = nodes[9];
        ordered[9] = nodes[8];
    }
    return lithe_tet_add_element(reader, gmsh_types[type].dim == 3, ordered, count,
                                 gmsh_types[type].dim, tag);
}

// --- MSH 2 ---------------------------------------------------------------------------------------

static LitheStatus read_nodes(LitheTetReader *reader) {
    int64_t count = 0;
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    status = status ? status : lithe_tet_count(reader, count, reader->binary ? 28 : 8, "nodes");
    status = status ? status : lithe_tet_begin_data(reader);
    for (int64_t i = 0; i < count && !status; i++) {
        int64_t label = 0;
        double x[3] = {0};
        status = lithe_tet_integer(reader, 4, &label);
        for (int k = 0; k < 3 && !status; k++)
            status = lithe_tet_real(reader, 8, &x[k]);
        status = status ? status : lithe_tet_add_point(reader, label, v3_load(x));
    }
    return status;
}

/// Tags and nodes of an element; the first tag is its physical group.
static LitheStatus read_element(LitheTetReader *reader, int64_t type, int64_t tags) {
    int64_t nodes[MAX_NODES], group = 0, tag = 0;
    int count = 0;
    LitheStatus status = lithe_tet_gmsh_size(reader, type, &count);
    for (int64_t t = 0; t < tags && !status; t++) {
        status = lithe_tet_integer(reader, 4, &tag);
        group = t == 0 ? tag : group;
    }
    for (int k = 0; k < count && !status; k++)
        status = lithe_tet_integer(reader, 4, &nodes[k]);
    if (!status && group)
        status = lithe_tet_add_group(reader, gmsh_types[type].dim, group, NULL, 0);
    return status ? status : lithe_tet_add_gmsh(reader, type, nodes, group);
}

static LitheStatus check_tags(LitheTetReader *reader, int64_t tags) {
    if (tags < 0 || tags > 1000)
        return lithe_tet_fail(reader, "an element with %" PRId64 " tags, must be 0 to 1000", tags);
    return LITHE_OK;
}

static LitheStatus read_elements(LitheTetReader *reader) {
    int64_t count = 0;
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    status = status ? status : lithe_tet_count(reader, count, reader->binary ? 8 : 8, "elements");
    status = status ? status : lithe_tet_begin_data(reader);
    while (count > 0 && !status) {
        int64_t number = 0, type = 0, tags = 0, follow = 1;
        // text: number, type, tags of each element; binary: type, count, tags of a block of
        // elements
        if (!reader->binary)
            status = lithe_tet_integer(reader, 4, &number);
        status = status ? status : lithe_tet_integer(reader, 4, &type);
        if (reader->binary && !status)
            status = lithe_tet_integer(reader, 4, &follow);
        status = status ? status : lithe_tet_integer(reader, 4, &tags);
        status = status ? status : check_tags(reader, tags);
        if (!status && (follow < 1 || follow > count))
            status = lithe_tet_fail(
                reader, "a block of %" PRId64 " elements, must be 1 to %" PRId64, follow, count);
        for (int64_t i = 0; i < follow && !status; i++) {
            if (reader->binary)
                status = lithe_tet_integer(reader, 4, &number);
            status = status ? status : read_element(reader, type, tags);
        }
        count -= follow;
    }
    return status;
}

// --- sections ------------------------------------------------------------------------------------

// `dimension tag "name"`
static LitheStatus read_name(LitheTetReader *reader) {
    int64_t dim = 0, tag = 0;
    LitheStatus status = lithe_tet_integer_word(reader, &dim);
    status = status ? status : lithe_tet_integer_word(reader, &tag);
    if (status)
        return status;
    if (dim < 0 || dim > 3)
        return lithe_tet_fail(reader, "a group of dimension %" PRId64 ", must be 0 to 3", dim);
    LitheMeshReader *text = &reader->text;
    const char *feed = memchr(text->at, '\n', (size_t)(text->end - text->at));
    const char *stop = feed ? feed : text->end;
    const char *open = memchr(text->at, '"', (size_t)(stop - text->at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
    if (!close)
        return lithe_tet_fail(reader, "the name of group %" PRId64 " has to be in quotes", tag);
    text->at = close + 1;
    return lithe_tet_add_group(reader, (int32_t)dim, tag, open + 1, (size_t)(close - open - 1));
}

static LitheStatus read_names(LitheTetReader *reader) {
    int64_t count = 0;
    LitheStatus status = lithe_tet_integer_word(reader, &count);
    status = status ? status : lithe_tet_count(reader, count, 6, "names of groups");
    for (int64_t i = 0; i < count && !status; i++)
        status = read_name(reader);
    return status;
}

// "version binary size"; binary files have the number 1 after it, which gives the byte order
static LitheStatus read_format(LitheTetReader *reader, int *version) {
    LitheMeshWord word = lithe_tet_word(reader);
    double number = 0;
    int64_t binary = 0, size = 0, one = 0;
    LitheStatus status = lithe_mesh_number(&reader->text, word, &number);
    status = status ? status : lithe_tet_integer_word(reader, &binary);
    status = status ? status : lithe_tet_integer_word(reader, &size);
    if (status)
        return status;
    *version = number >= 2 && number < 3 ? 2 : number > 4.05 && number < 4.15 ? 4 : 0;
    if (*version == 0)
        return lithe_tet_fail(reader, "version %.*s: only 2.x and 4.1 are read",
                              LITHE_MESH_SHOWN(word));
    if (size != 8 || binary < 0 || binary > 1)
        return lithe_tet_fail(reader,
                              "the format is '%" PRId64 " %" PRId64
                              "', must be 0 (text) or 1 (binary) and 8 bytes per number",
                              binary, size);
    reader->binary = binary == 1;
    if (!reader->binary)
        return LITHE_OK;
    status = lithe_tet_begin_data(reader);
    status = status ? status : lithe_tet_integer(reader, 4, &one);
    reader->swapped = one == 1 << 24;
    if (!status && one != 1 && !reader->swapped)
        status =
            lithe_tet_fail(reader, "the number after the format is %" PRId64 ", must be 1", one);
    return status;
}

/// Skips up to and with "$EndNAME"; a section that is not needed may contain any bytes.
static LitheStatus skip_section(LitheTetReader *reader, LitheMeshWord name) {
    LitheMeshReader *text = &reader->text;
    char wanted[64] = "$End";
    size_t length = name.length - 1 < 50 ? name.length - 1 : 50;
    memcpy(wanted + 4, name.text + 1, length);
    while (text->at < text->end) {
        const char *dollar = memchr(text->at, '$', (size_t)(text->end - text->at));
        if (!dollar)
            break;
        for (const char *c = text->at; c < dollar; c++)
            text->line += *c == '\n';
        text->at = dollar;
        if ((size_t)(text->end - dollar) >= length + 4 && memcmp(dollar, wanted, length + 4) == 0) {
            text->at += length + 4;
            return LITHE_OK;
        }
        text->at++;
    }
    return lithe_tet_fail(reader, "the file ends before %s", wanted);
}

static LitheStatus expect_end(LitheTetReader *reader, const char *wanted) {
    LitheMeshWord word = lithe_tet_word(reader);
    if (lithe_mesh_word_is(word, wanted))
        return LITHE_OK;
    if (word.length == 0)
        return lithe_tet_fail(reader, "the file ends where '%s' is expected", wanted);
    return lithe_tet_fail(reader, "'%.*s' where '%s' is expected", LITHE_MESH_SHOWN(word), wanted);
}

static LitheStatus read_section(LitheTetReader *reader, LitheMeshWord name, int version) {
    static const struct {
        const char *name, *end;
        LitheStatus (*read[2])(LitheTetReader *); // MSH 2, MSH 4
    } sections[] = {
        {"$physicalnames", "$endphysicalnames", {read_names, read_names}},
        {"$nodes", "$endnodes", {read_nodes, lithe_tet_read_msh4_nodes}},
        {"$elements", "$endelements", {read_elements, lithe_tet_read_msh4_elements}},
        {"$entities", "$endentities", {NULL, lithe_tet_read_msh4_entities}},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (lithe_mesh_word_is(name, sections[i].name) && sections[i].read[version == 4]) {
            LitheStatus status = sections[i].read[version == 4](reader);
            return status ? status : expect_end(reader, sections[i].end);
        }
    return skip_section(reader, name);
}

LitheStatus lithe_tet_read_msh(LitheTetReader *reader) {
    int version = 0;
    LitheMeshWord word = lithe_tet_word(reader);
    if (!lithe_mesh_word_is(word, "$meshformat"))
        return lithe_tet_fail(reader, "a gmsh file begins with '$MeshFormat'");
    LitheStatus status = read_format(reader, &version);
    status = status ? status : expect_end(reader, "$endmeshformat");
    reader->linked = version == 4;
    while (!status) {
        word = lithe_tet_word(reader);
        if (word.length == 0)
            break;
        if (word.text[0] != '$')
            status = lithe_tet_fail(reader, "'%.*s' where a section like '$Nodes' is expected",
                                    LITHE_MESH_SHOWN(word));
        else
            status = read_section(reader, word, version);
    }
    return status;
}
