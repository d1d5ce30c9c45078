// SPDX-License-Identifier: Apache-2.0
// geom/tet_patch.c - disjoint groups of a few neighbouring tetrahedra
//
// A patch grows from the first element that is in none: the neighbour across a face that brings the
// fewest new nodes is added, of several the one nearest to the centre of the patch. Patches that
// stay smaller than half of the aim join the smallest neighbouring one.

#include "geom/tet_patch.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 4 + LITHE_PATCH_ELEMENTS };

typedef struct Face {
    int32_t node[3]; // ascending
    int32_t element, side;
} Face;

typedef struct Work {
    const LitheTetMesh *mesh;
    int32_t *neighbour; // [element_count][4] across the face opposite of a corner; -1: none
    int32_t *patch_of, *size;
    int32_t count;
} Work;

static int compare_faces(const void *p, const void *q) {
    const Face *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->node[k] != b->node[k])
            return a->node[k] < b->node[k] ? -1 : 1;
    return a->element < b->element ? -1 : a->element > b->element;
}

static void exchange(int32_t *a, int32_t *b) {
    int32_t least = *a < *b ? *a : *b;
    *b = *a < *b ? *b : *a;
    *a = least;
}

static const int32_t *corners(const LitheTetMesh *mesh, int32_t element) {
    return mesh->elements + (int64_t)element * mesh->nodes_per_element;
}

static void find_neighbours(Work *w, Face *faces) {
    int64_t count = 0;
    for (int32_t e = 0; e < w->mesh->element_count; e++)
        for (int32_t side = 0; side < 4; side++) {
            const int32_t *c = corners(w->mesh, e);
            Face f = {{c[(side + 1) & 3], c[(side + 2) & 3], c[(side + 3) & 3]}, e, side};
            exchange(&f.node[0], &f.node[1]);
            exchange(&f.node[1], &f.node[2]);
            exchange(&f.node[0], &f.node[1]);
            faces[count++] = f;
            w->neighbour[4 * (int64_t)e + side] = -1;
        }
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    for (int64_t k = 0; k + 1 < count; k++)
        if (memcmp(faces[k].node, faces[k + 1].node, sizeof faces[k].node) == 0) {
            w->neighbour[4 * (int64_t)faces[k].element + faces[k].side] = faces[k + 1].element;
            w->neighbour[4 * (int64_t)faces[k + 1].element + faces[k + 1].side] = faces[k].element;
        }
}

static Vec3 centre(const LitheTetMesh *mesh, int32_t element) {
    const int32_t *c = corners(mesh, element);
    Vec3 sum = v3_add(v3_add(mesh->nodes[c[0]], mesh->nodes[c[1]]),
                      v3_add(mesh->nodes[c[2]], mesh->nodes[c[3]]));
    return v3_scale(0.25, sum);
}

static double volume(const LitheTetMesh *mesh, int32_t element) {
    const int32_t *c = corners(mesh, element);
    Vec3 o = mesh->nodes[c[0]];
    return v3_dot(v3_cross(v3_sub(mesh->nodes[c[1]], o), v3_sub(mesh->nodes[c[2]], o)),
                  v3_sub(mesh->nodes[c[3]], o));
}

// a patch while it grows
typedef struct Patch {
    int32_t element[LITHE_PATCH_ELEMENTS], node[MAX_NODES];
    int32_t count, node_count;
    Vec3 moment; // sum of volume times centre
    double volume;
} Patch;

static int32_t new_nodes(const Patch *p, const int32_t *c) {
    int32_t missing = 4;
    for (int a = 0; a < 4; a++)
        for (int32_t k = 0; k < p->node_count; k++)
            missing -= p->node[k] == c[a];
    return missing;
}

static void take(Work *w, Patch *p, int32_t element) {
    const int32_t *c = corners(w->mesh, element);
    for (int a = 0; a < 4; a++) {
        bool has = false;
        for (int32_t k = 0; k < p->node_count; k++)
            has = has || p->node[k] == c[a];
        if (!has)
            p->node[p->node_count++] = c[a];
    }
    double V = volume(w->mesh, element);
    p->element[p->count++] = element;
    p->moment = v3_axpy(V, centre(w->mesh, element), p->moment);
    p->volume += V;
    w->patch_of[element] = w->count;
}

static void grow(Work *w, int32_t first) {
    Patch p = {0};
    take(w, &p, first);
    while (p.count < LITHE_PATCH_ELEMENTS) {
        Vec3 middle = v3_scale(1 / p.volume, p.moment);
        int32_t best = -1, fewest = 5;
        double nearest = INFINITY;
        for (int32_t k = 0; k < 4 * p.count; k++) {
            int32_t e = w->neighbour[4 * (int64_t)p.element[k / 4] + k % 4];
            if (e < 0 || w->patch_of[e] >= 0)
                continue;
            int32_t added = new_nodes(&p, corners(w->mesh, e));
            double distance = v3_distance(middle, centre(w->mesh, e));
            if (added < fewest || (added == fewest && distance < nearest * (1 - 1e-9))) {
                best = e;
                fewest = added;
                nearest = distance;
            }
        }
        if (best < 0)
            break;
        take(w, &p, best);
    }
    w->size[w->count++] = p.count;
}

// Elements of the patch of `element`, which are joined by faces; only of small patches.
static int32_t members(const Work *w, int32_t element, int32_t *list) {
    int32_t count = 1;
    list[0] = element;
    for (int32_t k = 0; k < count; k++)
        for (int32_t side = 0; side < 4; side++) {
            int32_t other = w->neighbour[4 * (int64_t)list[k] + side];
            bool has = other < 0 || w->patch_of[other] != w->patch_of[element];
            for (int32_t l = 0; l < count; l++)
                has = has || list[l] == other;
            if (!has)
                list[count++] = other;
        }
    return count;
}

static void join_small(Work *w) {
    for (int32_t e = 0; e < w->mesh->element_count; e++) {
        int32_t own = w->patch_of[e], best = -1, list[LITHE_PATCH_ELEMENTS];
        if (2 * w->size[own] >= LITHE_PATCH_ELEMENTS)
            continue;
        int32_t count = members(w, e, list);
        for (int32_t k = 0; k < 4 * count; k++) {
            int32_t other = w->neighbour[4 * (int64_t)list[k / 4] + k % 4];
            int32_t patch = other < 0 ? own : w->patch_of[other];
            if (patch != own && w->size[patch] + count <= LITHE_PATCH_MOST &&
                (best < 0 || w->size[patch] < w->size[best]))
                best = patch;
        }
        for (int32_t k = 0; best >= 0 && k < count; k++)
            w->patch_of[list[k]] = best;
        if (best >= 0) {
            w->size[best] += count;
            w->size[own] = 0;
        }
    }
}

static void number_patches(Work *w) {
    int32_t *number = w->size;
    for (int32_t p = 0; p < w->count; p++)
        number[p] = -1;
    w->count = 0;
    for (int32_t e = 0; e < w->mesh->element_count; e++) {
        int32_t *n = &number[w->patch_of[e]];
        *n = *n < 0 ? w->count++ : *n;
        w->patch_of[e] = *n;
    }
}

int32_t lithe_tet_patches(LitheContext *context, const LitheTetMesh *mesh, int32_t *patch_of) {
    int64_t elements = mesh->element_count;
    Work w = {.mesh = mesh, .patch_of = patch_of};
    Face *faces = lithe_alloc_array(context, 4 * elements, sizeof *faces);
    w.neighbour = lithe_alloc_array(context, 4 * elements, sizeof *w.neighbour);
    w.size = lithe_alloc_array(context, elements, sizeof *w.size);
    bool ok = faces && w.neighbour && w.size;
    if (ok) {
        find_neighbours(&w, faces);
        for (int32_t e = 0; e < elements; e++)
            patch_of[e] = -1;
        for (int32_t e = 0; e < elements; e++)
            if (patch_of[e] < 0)
                grow(&w, e);
        join_small(&w);
        number_patches(&w);
    }
    lithe_free(context, faces);
    lithe_free(context, w.neighbour);
    lithe_free(context, w.size);
    return ok ? w.count : -1;
}
