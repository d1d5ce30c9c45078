// SPDX-License-Identifier: Apache-2.0
// geom/tet_file_build.c - from the lists of a reader to a mesh: labels to indices, groups to sets

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    int64_t label;
    int32_t index;
} Entry;

/// What is needed while labels are resolved.
typedef struct Build {
    LitheTetReader *reader;
    Entry *entries; // [point_count] ascending labels
    int32_t *fresh; // [point_count] index in the mesh, -1: left out
    bool *member;   // [node_count] of the mesh
    LitheTetMesh mesh;
} Build;

// labels are compared, never subtracted: their difference may exceed 64 bits
static int by_label(const void *a, const void *b) {
    const Entry *p = a, *q = b;
    return p->label != q->label ? (p->label < q->label ? -1 : 1)
                                : (p->index > q->index) - (p->index < q->index);
}

/// Index of the point with this label; -1: none.
static int32_t find(const Build *build, int64_t label) {
    int32_t low = 0, high = build->reader->point_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (build->entries[middle].label < label)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < build->reader->point_count && build->entries[low].label == label;
    return found ? build->entries[low].index : -1;
}

static LitheStatus sort_labels(Build *build) {
    LitheTetReader *reader = build->reader;
    for (int32_t i = 0; i < reader->point_count; i++)
        build->entries[i] = (Entry){reader->labels[i], i};
    qsort(build->entries, (size_t)reader->point_count, sizeof(Entry), by_label);
    for (int32_t i = 1; i < reader->point_count; i++)
        if (build->entries[i].label == build->entries[i - 1].label)
            return lithe_fail_at(reader->text.error, LITHE_BAD_INPUT, reader->text.name, 0, 0,
                                 "node %" PRId64 " is defined twice", build->entries[i].label);
    return LITHE_OK;
}

/// Marks used points and numbers them in the order of the file.
static LitheStatus choose_nodes(Build *build, int32_t *node_count) {
    LitheTetReader *reader = build->reader;
    for (int32_t i = 0; i < reader->point_count; i++)
        build->fresh[i] = -1;
    for (int32_t i = 0; i < reader->corner_count; i++) {
        int32_t at = find(build, reader->corners[i]);
        if (at < 0)
            return lithe_fail_at(reader->text.error, LITHE_BAD_INPUT, reader->text.name, 0, 0,
                                 "tetrahedron %d (counted from 0) has node %" PRId64
                                 ", which the file does not define",
                                 i / reader->per, reader->corners[i]);
        build->fresh[at] = 0;
    }
    for (int32_t i = 0; i < reader->point_count; i++) {
        if (build->fresh[i] == 0)
            build->fresh[i] = (*node_count)++;
        else if (reader->info.unused_count++ == 0)
            reader->info.unused = reader->labels[i];
    }
    return LITHE_OK;
}

static LitheStatus fill_nodes(Build *build) {
    LitheTetReader *reader = build->reader;
    LitheTetMesh *mesh = &build->mesh;
    mesh->labels = lithe_alloc_array(reader->text.context, mesh->node_count, sizeof(int64_t));
    if (!mesh->labels)
        return lithe_fail_memory(reader->text.error, "the labels of a mesh");
    for (int32_t i = 0; i < reader->point_count; i++)
        if (build->fresh[i] >= 0) {
            mesh->nodes[build->fresh[i]] = reader->points[i];
            mesh->labels[build->fresh[i]] = reader->labels[i];
        }
    for (int32_t i = 0; i < reader->corner_count; i++)
        mesh->elements[i] = build->fresh[find(build, reader->corners[i])];
    return LITHE_OK;
}

// each midpoint goes to the edge whose middle is nearest; two at one edge: not a quadratic element
static LitheStatus sort_midpoints(Build *build) {
    LitheTetMesh *mesh = &build->mesh;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        int32_t *node = mesh->elements + (size_t)10 * (size_t)e, sorted[6];
        int taken = 0;
        for (int k = 4; k < 10; k++) {
            double best = INFINITY;
            int edge = 0;
            for (int j = 0; j < 6; j++) {
                Vec3 middle = v3_mix(mesh->nodes[node[lithe_tet_edges[j][0]]],
                                     mesh->nodes[node[lithe_tet_edges[j][1]]], 0.5);
                double d = v3_distance(middle, mesh->nodes[node[k]]);
                if (d < best) {
                    best = d;
                    edge = j;
                }
            }
            sorted[edge] = node[k];
            taken |= 1 << edge;
        }
        if (taken != 0x3f)
            return lithe_fail_at(build->reader->text.error, LITHE_BAD_INPUT,
                                 build->reader->text.name, 0, 0,
                                 "tetrahedron %d (counted from 0): its nodes 5 to 10 are not near "
                                 "the middles of its six edges",
                                 e);
        memcpy(node + 4, sorted, sizeof sorted);
    }
    return LITHE_OK;
}

// --- sets ----------------------------------------------------------------------------------------

static int by_link(const void *a, const void *b) {
    const LitheTetLink *p = a, *q = b;
    if (p->dim != q->dim)
        return p->dim < q->dim ? -1 : 1;
    if (p->entity != q->entity)
        return p->entity < q->entity ? -1 : 1;
    return p->group != q->group ? (p->group < q->group ? -1 : 1) : 0;
}

static bool run_is_in(const LitheTetReader *reader, const LitheTetRun *run,
                      const LitheTetGroup *group) {
    if (run->dim != group->dim)
        return false;
    if (!reader->linked)
        return run->tag == group->tag;
    LitheTetLink key = {run->tag, group->tag, run->dim};
    return reader->link_count &&
           bsearch(&key, reader->links, (size_t)reader->link_count, sizeof key, by_link);
}

static LitheStatus mark_run(Build *build, const LitheTetRun *run) {
    LitheTetReader *reader = build->reader;
    for (int32_t i = run->first; i < run->first + run->count; i++) {
        if (run->tets) {
            build->member[build->mesh.elements[i]] = true;
            continue;
        }
        int32_t at = find(build, reader->others[i]);
        if (at < 0)
            return lithe_fail_at(reader->text.error, LITHE_BAD_INPUT, reader->text.name, 0, 0,
                                 "an element of dimension %d has node %" PRId64
                                 ", which the file does not define",
                                 run->dim, reader->others[i]);
        if (build->fresh[at] >= 0)
            build->member[build->fresh[at]] = true;
    }
    return LITHE_OK;
}

/// Groups of the same name become one set.
static LitheStatus add_sets(Build *build) {
    LitheTetReader *reader = build->reader;
    LitheStatus status = LITHE_OK;
    if (reader->link_count)
        qsort(reader->links, (size_t)reader->link_count, sizeof(LitheTetLink), by_link);
    for (int32_t g = 0; g < reader->group_count && !status; g++) {
        if (lithe_tet_mesh_find_set(&build->mesh, reader->groups[g].name))
            continue;
        memset(build->member, 0, (size_t)build->mesh.node_count * sizeof(bool));
        for (int32_t h = g; h < reader->group_count && !status; h++) {
            if (strcmp(reader->groups[h].name, reader->groups[g].name) != 0)
                continue;
            for (int32_t r = 0; r < reader->run_count && !status; r++)
                if (run_is_in(reader, &reader->runs[r], &reader->groups[h]))
                    status = mark_run(build, &reader->runs[r]);
        }
        if (!status)
            status =
                lithe_tet_mesh_add_set(reader->text.context, &build->mesh, reader->groups[g].name,
                                       build->member, reader->text.error);
    }
    return status;
}

LitheStatus lithe_tet_build(LitheTetReader *reader, LitheTetMesh *out) {
    LitheContext *context = reader->text.context;
    if (reader->corner_count == 0)
        return lithe_fail_at(reader->text.error, LITHE_BAD_INPUT, reader->text.name, 0, 0,
                             "no tetrahedra in it (%d other elements)", reader->info.other_count);
    Build build = {
        .reader = reader,
        .entries = lithe_alloc_array(context, reader->point_count, sizeof(Entry)),
        .fresh = lithe_alloc_array(context, reader->point_count, sizeof(int32_t)),
    };
    int32_t node_count = 0;
    LitheStatus status = build.entries && build.fresh
                             ? sort_labels(&build)
                             : lithe_fail_memory(reader->text.error, "the nodes of a mesh");
    if (!status)
        status = choose_nodes(&build, &node_count);
    if (!status)
        status = lithe_tet_mesh_allocate(context, node_count, reader->corner_count / reader->per,
                                         reader->per, &build.mesh, reader->text.error);
    if (!status)
        status = fill_nodes(&build);
    if (!status && reader->nearest && reader->per == 10)
        status = sort_midpoints(&build);
    if (!status) {
        build.member = lithe_alloc_array(context, node_count, sizeof(bool));
        status = build.member ? add_sets(&build)
                              : lithe_fail_memory(reader->text.error, "the sets of a mesh");
    }
    lithe_free(context, build.entries);
    lithe_free(context, build.fresh);
    lithe_free(context, build.member);
    if (status)
        lithe_tet_mesh_destroy(context, &build.mesh);
    else
        *out = build.mesh;
    return status;
}
