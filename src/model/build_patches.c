// SPDX-License-Identifier: Apache-2.0
// model/build_patches.c - patches of linear elements whose volume is averaged: lists and entries

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

// the arrays while they are filled
typedef struct Lists {
    int32_t *element_start, *elements, *node_start, *nodes, *places, *entries;
    int64_t *entry_start;
    double *volumes;
} Lists;

static void publish(const Lists *l, int32_t count, LitheTetPatches *out) {
    *out = (LitheTetPatches){.count = count,
                             .element_start = l->element_start,
                             .elements = l->elements,
                             .volumes = l->volumes,
                             .node_start = l->node_start,
                             .nodes = l->nodes,
                             .places = l->places,
                             .entry_start = l->entry_start,
                             .entries = l->entries};
}

static bool allocate(LitheContext *context, int32_t count, int32_t elements, Lists *l) {
    // a patch of n elements has at most n + 3 nodes
    int64_t nodes = (int64_t)elements + 3 * (int64_t)count;
    l->element_start = lithe_alloc_array(context, count + 1, sizeof *l->element_start);
    l->elements = lithe_alloc_array(context, elements, sizeof *l->elements);
    l->node_start = lithe_alloc_array(context, count + 1, sizeof *l->node_start);
    l->entry_start = lithe_alloc_array(context, count + 1, sizeof *l->entry_start);
    l->volumes = lithe_alloc_array(context, count, sizeof *l->volumes);
    l->nodes = lithe_alloc_array(context, nodes, sizeof *l->nodes);
    l->places = lithe_alloc_array(context, 4 * (int64_t)elements, sizeof *l->places);
    return l->element_start && l->elements && l->node_start && l->entry_start && l->volumes &&
           l->nodes && l->places;
}

// elements of each patch, ascending
static void sort_elements(const LitheTetMesh *mesh, const int32_t *patch_of, int32_t count,
                          Lists *l) {
    for (int32_t p = 0; p <= count; p++)
        l->element_start[p] = 0;
    for (int32_t e = 0; e < mesh->element_count; e++)
        l->element_start[patch_of[e] + 1]++;
    for (int32_t p = 0; p < count; p++)
        l->element_start[p + 1] += l->element_start[p];
    for (int32_t e = 0; e < mesh->element_count; e++)
        l->elements[l->element_start[patch_of[e]]++] = e;
    for (int32_t p = count; p > 0; p--)
        l->element_start[p] = l->element_start[p - 1];
    l->element_start[0] = 0;
}

static int compare_nodes(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

// nodes of a patch, ascending, and the places of the nodes of its elements among them
static int32_t list_nodes(const LitheTetMesh *mesh, int32_t p, Lists *l) {
    int32_t all[4 * LITHE_PATCH_MOST], count = 0, *node = l->nodes + l->node_start[p], unique = 0;
    for (int32_t k = l->element_start[p]; k < l->element_start[p + 1]; k++)
        for (int a = 0; a < 4; a++)
            all[count++] = mesh->elements[4 * (int64_t)l->elements[k] + a];
    qsort(all, (size_t)count, sizeof *all, compare_nodes);
    for (int32_t k = 0; k < count; k++)
        if (k == 0 || all[k] != all[k - 1])
            node[unique++] = all[k];
    for (int32_t k = l->element_start[p]; k < l->element_start[p + 1]; k++)
        for (int a = 0; a < 4; a++) {
            int64_t at = 4 * (int64_t)l->elements[k] + a;
            for (int32_t n = 0; n < unique; n++)
                if (node[n] == mesh->elements[at])
                    l->places[at] = n;
        }
    return unique;
}

LitheStatus lithe_build_patches(LitheContext *context, LitheSolid *solid, LitheError *error) {
    const LitheTetMesh *mesh = &solid->mesh;
    Lists l = {0};
    int32_t *patch_of = lithe_alloc_array(context, mesh->element_count, sizeof *patch_of);
    int32_t count = patch_of ? lithe_tet_patches(context, mesh, patch_of) : -1;
    bool ok = count >= 0 && allocate(context, count, mesh->element_count, &l);
    if (ok) {
        sort_elements(mesh, patch_of, count, &l);
        l.node_start[0] = 0;
        l.entry_start[0] = 0;
        for (int32_t p = 0; p < count; p++) {
            int64_t nodes = list_nodes(mesh, p, &l);
            l.node_start[p + 1] = l.node_start[p] + (int32_t)nodes;
            l.entry_start[p + 1] = l.entry_start[p] + nodes * (nodes + 1) / 2;
            l.volumes[p] = 0;
            for (int32_t k = l.element_start[p]; k < l.element_start[p + 1]; k++)
                l.volumes[p] += lithe_tet_mesh_element_volume(mesh, l.elements[k]);
        }
        l.entries = lithe_alloc_array(context, l.entry_start[count], sizeof *l.entries);
        ok = l.entries != NULL;
    }
    publish(&l, count < 0 ? 0 : count, &solid->patches);
    lithe_free(context, patch_of);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the patches of a solid");
}

int64_t lithe_patch_pairs(const LitheSolid *solid) {
    return solid->patches.count ? solid->patches.entry_start[solid->patches.count] : 0;
}

void lithe_patch_add_pairs(const LitheSolid *solid, LitheBlockPair *pairs) {
    const LitheTetPatches *p = &solid->patches;
    for (int32_t k = 0; k < p->count; k++)
        for (int32_t a = p->node_start[k]; a < p->node_start[k + 1]; a++)
            for (int32_t b = p->node_start[k]; b <= a; b++)
                *pairs++ = (LitheBlockPair){p->nodes[a], p->nodes[b]};
}

void lithe_patch_find_entries(LitheSolid *solid) {
    const LitheTetPatches *p = &solid->patches;
    int32_t *entry = (int32_t *)p->entries;
    for (int32_t k = 0; k < p->count; k++)
        for (int32_t a = p->node_start[k]; a < p->node_start[k + 1]; a++)
            for (int32_t b = p->node_start[k]; b <= a; b++)
                *entry++ = lithe_block_find(solid->pattern, p->nodes[a], p->nodes[b]);
}

void lithe_patch_volumes(LitheSolid *solid) {
    const LitheTetPatches *patches = &solid->patches;
    for (int32_t p = 0; p < patches->count; p++) {
        double volume = 0;
        for (int32_t k = patches->element_start[p]; k < patches->element_start[p + 1]; k++)
            volume += lithe_tet_mesh_element_volume(&solid->mesh, patches->elements[k]);
        ((double *)patches->volumes)[p] = volume; // the memory is this file's
    }
}

void lithe_patches_free(LitheContext *context, LitheTetPatches *patches) {
    const void *const arrays[] = {patches->element_start, patches->elements, patches->volumes,
                                  patches->node_start,    patches->nodes,    patches->places,
                                  patches->entry_start,   patches->entries};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        lithe_free(context, (void *)arrays[k]);
    *patches = (LitheTetPatches){0};
}
