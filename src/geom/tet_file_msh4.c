// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_msh4.c - gmsh MSH 4.1: entities with their physical groups, nodes, elements
//
// Nodes and elements come in blocks of one entity each. Binary files have 4 bytes per int and 8 per
// size and per number of a node or element.

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>

static LitheStatus add_link(LitheTetReader *reader, int32_t dim, int64_t entity, int64_t group) {
    if (!LITHE_RESERVE(reader->text.context, reader->links, reader->link_capacity,
                       (int64_t)reader->link_count + 1))
        return lithe_fail_memory(reader->text.error, "the groups of a mesh");
    reader->links[reader->link_count++] = (LitheTetLink){entity, group, dim};
    return lithe_tet_add_group(reader, dim, group, NULL, 0);
}

// tag, place (points) or box, physical tags, tags of its boundary (not for points)
static LitheStatus read_entity(LitheTetReader *reader, int32_t dim) {
    int64_t tag = 0, count = 0, value = 0;
    double x = 0;
    LitheStatus status = lithe_tet_integer(reader, 4, &tag);
    for (int k = 0; k < (dim == 0 ? 3 : 6) && !status; k++)
        status = lithe_tet_real(reader, 8, &x);
    for (int list = 0; list < (dim == 0 ? 1 : 2) && !status; list++) {
        status = lithe_tet_integer(reader, 8, &count);
        status = status ? status : lithe_tet_count(reader, count, reader->binary ? 4 : 2, "tags");
        for (int64_t i = 0; i < count && !status; i++) {
            status = lithe_tet_integer(reader, 4, &value);
            // a negative tag means the reversed orientation; -2^31 is no tag, but safe to negate
            if (!status && list == 0)
                status =
                    add_link(reader, dim, tag, value < 0 && value > INT64_MIN ? -value : value);
        }
    }
    return status;
}

LitheStatus lithe_tet_read_msh4_entities(LitheTetReader *reader) {
    int64_t count[4] = {0};
    LitheStatus status = lithe_tet_begin_data(reader);
    for (int d = 0; d < 4 && !status; d++)
        status = lithe_tet_integer(reader, 8, &count[d]);
    for (int32_t d = 0; d < 4 && !status; d++) {
        status = lithe_tet_count(reader, count[d], reader->binary ? 36 : 10, "entities");
        for (int64_t i = 0; i < count[d] && !status; i++)
            status = read_entity(reader, d);
    }
    return status;
}

/// The four numbers that a section and each of its blocks begin with.
static LitheStatus read_head(LitheTetReader *reader, int bytes, int64_t head[4]) {
    LitheStatus status = LITHE_OK;
    for (int k = 0; k < 4 && !status; k++)
        status = lithe_tet_integer(reader, k < 3 ? bytes : 8, &head[k]);
    return status;
}

// block: dimension, entity, parametric, count; then all labels, then all places
static LitheStatus read_node_block(LitheTetReader *reader) {
    int64_t head[4] = {0};
    LitheStatus status = read_head(reader, 4, head);
    status = status ? status
                    : lithe_tet_count(reader, head[3], reader->binary ? 32 : 8, "nodes of a block");
    if (!status && (head[2] < 0 || head[2] > 1 || head[0] < 0 || head[0] > 3))
        status = lithe_tet_fail(reader,
                                "a block of nodes of dimension %" PRId64 ", parametric %" PRId64
                                ": must be 0 to 3, and 0 or 1",
                                head[0], head[2]);
    int32_t first = reader->point_count;
    for (int64_t i = 0; i < head[3] && !status; i++) {
        int64_t label = 0;
        status = lithe_tet_integer(reader, 8, &label);
        status = status ? status : lithe_tet_add_point(reader, label, v3(0, 0, 0));
    }
    int extra = head[2] ? (int)head[0] : 0;
    for (int64_t i = 0; i < head[3] && !status; i++) {
        double x[6] = {0};
        for (int k = 0; k < 3 + extra && !status; k++)
            status = lithe_tet_real(reader, 8, &x[k]);
        reader->points[first + i] = v3_load(x);
    }
    return status;
}

static LitheStatus read_element_block(LitheTetReader *reader, int64_t *count) {
    int64_t head[4] = {0}, nodes[64] = {0}, number = 0; // types of up to 56 nodes are known
    int size = 0;
    LitheStatus status = read_head(reader, 4, head);
    status = status ? status : lithe_tet_gmsh_size(reader, head[2], &size);
    status = status
                 ? status
                 : lithe_tet_count(reader, head[3], (reader->binary ? 8 : 2) * (1 + (int64_t)size),
                                   "elements of a block");
    for (int64_t i = 0; i < head[3] && !status; i++) {
        status = lithe_tet_integer(reader, 8, &number);
        for (int k = 0; k < size && !status; k++)
            status = lithe_tet_integer(reader, 8, &nodes[k]);
        status = status ? status : lithe_tet_add_gmsh(reader, head[2], nodes, head[1]);
    }
    *count += head[3];
    return status;
}

LitheStatus lithe_tet_read_msh4_nodes(LitheTetReader *reader) {
    int64_t head[4] = {0}; // blocks, nodes, smallest and largest label
    int32_t before = reader->point_count;
    LitheStatus status = lithe_tet_begin_data(reader);
    status = status ? status : read_head(reader, 8, head);
    status = status ? status
                    : lithe_tet_count(reader, head[0], reader->binary ? 20 : 8, "blocks of nodes");
    for (int64_t b = 0; b < head[0] && !status; b++)
        status = read_node_block(reader);
    if (!status && reader->point_count - before != head[1])
        status = lithe_tet_fail(reader, "%d nodes in the blocks, but %" PRId64 " are announced",
                                reader->point_count - before, head[1]);
    return status;
}

LitheStatus lithe_tet_read_msh4_elements(LitheTetReader *reader) {
    int64_t head[4] = {0}, count = 0;
    LitheStatus status = lithe_tet_begin_data(reader);
    status = status ? status : read_head(reader, 8, head);
    status = status
                 ? status
                 : lithe_tet_count(reader, head[0], reader->binary ? 20 : 8, "blocks of elements");
    for (int64_t b = 0; b < head[0] && !status; b++)
        status = read_element_block(reader, &count);
    if (!status && count != head[1])
        status = lithe_tet_fail(reader,
                                "%" PRId64 " elements in the blocks, but %" PRId64 " are announced",
                                count, head[1]);
    return status;
}
