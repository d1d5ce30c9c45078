// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_tetgen.c - TetGen: nodes with markers in .node, tetrahedra with regions in .ele
//
// Both files begin with counts; each line begins with a number that counts from 0 or 1. A # begins
// a comment. Markers other than 0 become sets "marker-N" of nodes, regions sets "region-N". The
// order of midpoints differs between versions: each belongs to the edge whose middle is nearest.

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_ATTRIBUTES = 1000 };

// the next word that is not in a comment begins the next number
static void skip_comments(LitheTetReader *reader) {
    for (;;) {
        LitheTetReader peek = *reader;
        LitheMeshWord word = lithe_tet_word(&peek);
        if (word.length == 0 || word.text[0] != '#')
            return;
        lithe_mesh_next_line(&peek.text);
        reader->text = peek.text;
    }
}

static LitheStatus read_integer(LitheTetReader *reader, int64_t *value) {
    skip_comments(reader);
    return lithe_tet_integer(reader, 8, value);
}

static LitheStatus read_real(LitheTetReader *reader, double *value) {
    skip_comments(reader);
    return lithe_tet_real(reader, 8, value);
}

/// Adds nodes to the set "`what`-N" of dimension `dim`. Markers of points and of tetrahedra have
/// different dimensions, so that their groups stay apart.
static LitheStatus add_marked(LitheTetReader *reader, int32_t dim, const char *what,
                              int64_t marker) {
    char name[64];
    int length = snprintf(name, sizeof name, "%s-%" PRId64, what, marker);
    return marker ? lithe_tet_add_group(reader, dim, marker, name, (size_t)length) : LITHE_OK;
}

LitheStatus lithe_tet_read_node_file(LitheTetReader *reader) {
    int64_t count = 0, dim = 0, attributes = 0, markers = 0;
    LitheStatus status = read_integer(reader, &count);
    status = status ? status : read_integer(reader, &dim);
    status = status ? status : read_integer(reader, &attributes);
    status = status ? status : read_integer(reader, &markers);
    if (!status &&
        (dim != 3 || attributes < 0 || attributes > MAX_ATTRIBUTES || markers < 0 || markers > 1))
        status = lithe_tet_fail(reader,
                                "the head says %" PRId64 " dimensions, %" PRId64
                                " attributes, %" PRId64 " markers: must be 3, 0 to %d, 0 or 1",
                                dim, attributes, markers, MAX_ATTRIBUTES);
    status = status ? status : lithe_tet_count(reader, count, 8, "nodes");
    for (int64_t i = 0; i < count && !status; i++) {
        int64_t label = 0, marker = 0;
        double x[3] = {0}, attribute = 0;
        status = read_integer(reader, &label);
        for (int k = 0; k < 3 && !status; k++)
            status = read_real(reader, &x[k]);
        for (int64_t k = 0; k < attributes && !status; k++)
            status = read_real(reader, &attribute);
        if (markers && !status)
            status = read_integer(reader, &marker);
        status = status ? status : lithe_tet_add_point(reader, label, v3_load(x));
        status = status ? status : add_marked(reader, 0, "marker", marker);
        if (marker && !status)
            status = lithe_tet_add_element(reader, false, &label, 1, 0, marker);
    }
    reader->info.other_count = 0; // markers are no elements
    return status;
}

static LitheStatus read_tet(LitheTetReader *reader, int size, int64_t attributes) {
    int64_t number = 0, nodes[10] = {0}, region = 0;
    double attribute = 0;
    LitheStatus status = read_integer(reader, &number);
    for (int k = 0; k < size && !status; k++)
        status = read_integer(reader, &nodes[k]);
    for (int64_t k = 0; k < attributes && !status; k++) {
        status = read_real(reader, &attribute);
        // the first attribute is the region; a few versions write it as a real number
        if (!status && k == 0 && fabs(attribute) < 1e15 && attribute == floor(attribute))
            region = (int64_t)attribute;
    }
    status = status ? status : add_marked(reader, 3, "region", region);
    return status ? status : lithe_tet_add_element(reader, true, nodes, size, 3, region);
}

LitheStatus lithe_tet_read_ele_file(LitheTetReader *reader) {
    int64_t count = 0, size = 0, attributes = 0;
    LitheStatus status = read_integer(reader, &count);
    status = status ? status : read_integer(reader, &size);
    status = status ? status : read_integer(reader, &attributes);
    if (!status && ((size != 4 && size != 10) || attributes < 0 || attributes > MAX_ATTRIBUTES))
        status = lithe_tet_fail(reader,
                                "the head says %" PRId64 " nodes per tetrahedron and %" PRId64
                                " attributes: must be 4 or 10, and 0 to %d",
                                size, attributes, MAX_ATTRIBUTES);
    status = status ? status : lithe_tet_count(reader, count, 2 * (1 + size), "tetrahedra");
    for (int64_t i = 0; i < count && !status; i++)
        status = read_tet(reader, (int)size, attributes);
    reader->nearest = true;
    return status;
}
