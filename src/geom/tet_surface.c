// SPDX-License-Identifier: Apache-2.0
// geom/tet_surface.c - faces and edges of tetrahedral meshes: the surface, midpoints of quadratic
// elements

#include "geom/tet_mesh.h"

#include "base/memory.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>

// --- a hash table of faces or edges --------------------------------------------------------------
//
// Keys are up to three node numbers in ascending order (edges: the third is -1). A table, unlike
// lists per node, stays fast when a damaged file puts one node into all elements.

typedef struct Key {
    int32_t node[3];
} Key;

typedef struct Table {
    Key *keys;
    int32_t *values; // 0: empty
    uint32_t mask;
} Table;

static bool table_create(LitheContext *context, int64_t entries, Table *table) {
    int64_t slots = 16;
    while (slots < 2 * entries)
        slots *= 2;
    table->keys = lithe_alloc_array(context, slots, sizeof(Key));
    table->values = lithe_alloc_array(context, slots, sizeof(int32_t));
    table->mask = (uint32_t)(slots - 1);
    return table->keys && table->values;
}

static void table_destroy(LitheContext *context, Table *table) {
    lithe_free(context, table->keys);
    lithe_free(context, table->values);
}

static uint32_t hash_key(Key key) {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3; i++) {
        h = (h ^ (uint32_t)key.node[i]) * 0xbf58476d1ce4e5b9u;
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 16);
}

/// The value of the key; a new one has 0.
static int32_t *table_find(Table *table, Key key) {
    uint32_t i = hash_key(key) & table->mask;
    for (; table->values[i]; i = (i + 1) & table->mask) {
        const int32_t *n = table->keys[i].node;
        if (n[0] == key.node[0] && n[1] == key.node[1] && n[2] == key.node[2])
            break;
    }
    table->keys[i] = key;
    return &table->values[i];
}

static Key edge_key(int32_t a, int32_t b) {
    return (Key){{a < b ? a : b, a < b ? b : a, -1}};
}

static Key face_key(int32_t a, int32_t b, int32_t c) {
    int32_t low = a < b ? (a < c ? a : c) : (b < c ? b : c);
    int32_t high = a > b ? (a > c ? a : c) : (b > c ? b : c);
    // the sum of three indices below LITHE_TET_MAX fits
    return (Key){{low, a + b + c - low - high, high}};
}

// --- surface -------------------------------------------------------------------------------------

void lithe_tet_surface_destroy(LitheContext *context, LitheTetSurface *surface) {
    lithe_free(context, surface->triangles);
    lithe_free(context, surface->elements);
    *surface = (LitheTetSurface){0};
}

static void face_nodes(const LitheTetMesh *mesh, int32_t face, int32_t corner[3]) {
    const int32_t *node = mesh->elements + (size_t)(face / 4) * (size_t)mesh->nodes_per_element;
    for (int k = 0; k < 3; k++)
        corner[k] = node[lithe_tet_faces[face % 4][k]];
}

// whether a, b, c is an even permutation of its ascending order
static bool is_even(const int32_t c[3]) {
    return (c[0] < c[1]) ^ (c[1] < c[2]) ^ (c[0] < c[2]);
}

static LitheStatus fail_face(const LitheTetMesh *mesh, int32_t face, int32_t other,
                             LitheError *error) {
    int32_t c[3];
    face_nodes(mesh, face, c);
    Vec3 x = mesh->nodes[c[0]];
    char place[200];
    snprintf(place, sizeof place,
             "its face of the nodes %" PRId64 ", %" PRId64 ", %" PRId64 ", at (%g, %g, %g) m",
             lithe_tet_mesh_label(mesh, c[0]), lithe_tet_mesh_label(mesh, c[1]),
             lithe_tet_mesh_label(mesh, c[2]), x.x, x.y, x.z);
    if (other < 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "tetrahedral mesh: element %d: %s, belongs to two other elements already",
                          face / 4, place);
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "tetrahedral mesh: element %d overlaps element %d: %s, has both on the same "
                      "side",
                      face / 4, other / 4, place);
}

/// Marks faces [4*element_count] that occur once and counts them.
static LitheStatus find_single_faces(const LitheTetMesh *mesh, Table *table, bool *single,
                                     int32_t *count, LitheError *error) {
    for (int32_t f = 0; f < 4 * mesh->element_count; f++) {
        int32_t c[3], d[3];
        face_nodes(mesh, f, c);
        int32_t *value = table_find(table, face_key(c[0], c[1], c[2]));
        if (*value < 0)
            return fail_face(mesh, f, -1, error);
        if (*value == 0) {
            *value = f + 1;
            single[f] = true;
            *count += 1;
        } else {
            face_nodes(mesh, *value - 1, d);
            if (is_even(c) == is_even(d))
                return fail_face(mesh, f, *value - 1, error);
            single[*value - 1] = false;
            *value = -*value;
            *count -= 1;
        }
    }
    return LITHE_OK;
}

LitheStatus lithe_tet_mesh_surface(LitheContext *context, const LitheTetMesh *mesh,
                                   LitheTetSurface *out, LitheError *error) {
    const int32_t face_count = 4 * mesh->element_count;
    const int per = mesh->nodes_per_element == 10 ? 6 : 3;
    Table table = {0};
    LitheTetSurface surface = {.nodes_per_triangle = per};
    bool *single = lithe_alloc_array(context, face_count, sizeof(bool));
    bool room = single && table_create(context, face_count, &table);
    LitheStatus status = room ? LITHE_OK : lithe_fail_memory(error, "the surface of a mesh");
    if (!status)
        status = find_single_faces(mesh, &table, single, &surface.triangle_count, error);
    if (!status) {
        surface.triangles =
            lithe_alloc_array(context, (int64_t)per * surface.triangle_count, sizeof(int32_t));
        surface.elements = lithe_alloc_array(context, surface.triangle_count, sizeof(int32_t));
        if (!surface.triangles || !surface.elements)
            status = lithe_fail_memory(error, "the surface of a mesh");
    }
    for (int32_t f = 0, t = 0; f < face_count && !status; f++) {
        if (!single[f])
            continue;
        const int32_t *node = mesh->elements + (size_t)(f / 4) * (size_t)mesh->nodes_per_element;
        for (int k = 0; k < per; k++)
            surface.triangles[per * t + k] = node[lithe_tet_faces[f % 4][k]];
        surface.elements[t++] = f / 4;
    }
    table_destroy(context, &table);
    lithe_free(context, single);
    if (status)
        lithe_tet_surface_destroy(context, &surface);
    else
        *out = surface;
    return status;
}

// --- midpoints -----------------------------------------------------------------------------------

/// Everything that is needed to decide which midpoints join which sets.
typedef struct Middles {
    Table edges;             // to midpoint + 1
    int32_t count;           // of midpoints
    LitheTetSurface surface; // of the linear mesh
    bool *outer;             // [node_count + count] on the surface
    bool *member, *joined;   // [node_count + count] of the present set
} Middles;

static void middles_destroy(LitheContext *context, Middles *middles) {
    table_destroy(context, &middles->edges);
    lithe_tet_surface_destroy(context, &middles->surface);
    lithe_free(context, middles->outer);
    lithe_free(context, middles->member);
    lithe_free(context, middles->joined);
}

static void join_midpoints(const LitheTetMesh *fine, int32_t corner_count, Middles *middles,
                           const LitheTetSet *set) {
    bool *member = middles->member, *joined = middles->joined;
    for (int32_t i = 0; i < fine->node_count; i++)
        member[i] = joined[i] = false;
    bool inside = false; // a node of the set is inside of the body
    for (int32_t i = 0; i < set->count; i++) {
        member[set->nodes[i]] = joined[set->nodes[i]] = true;
        inside |= !middles->outer[set->nodes[i]];
    }
    const LitheTetSurface *surface = &middles->surface;
    for (int32_t t = 0; t < surface->triangle_count; t++) {
        const int32_t *node = surface->triangles + 3 * t;
        if (member[node[0]] && member[node[1]] && member[node[2]])
            for (int k = 0; k < 3; k++)
                joined[corner_count - 1 +
                       *table_find(&middles->edges, edge_key(node[k], node[(k + 1) % 3]))] = true;
    }
    for (int32_t e = 0; e < fine->element_count && inside; e++) {
        const int32_t *node = fine->elements + (size_t)10 * (size_t)e;
        if (member[node[0]] && member[node[1]] && member[node[2]] && member[node[3]])
            for (int k = 4; k < 10; k++)
                joined[node[k]] = true;
    }
}

static LitheStatus add_sets(LitheContext *context, const LitheTetMesh *mesh, LitheTetMesh *fine,
                            Middles *middles, LitheError *error) {
    middles->outer = lithe_alloc_array(context, fine->node_count, sizeof(bool));
    middles->member = lithe_alloc_array(context, fine->node_count, sizeof(bool));
    middles->joined = lithe_alloc_array(context, fine->node_count, sizeof(bool));
    if (!middles->outer || !middles->member || !middles->joined)
        return lithe_fail_memory(error, "the sets of a quadratic mesh");
    LitheStatus status = lithe_tet_mesh_surface(context, mesh, &middles->surface, error);
    for (int32_t i = 0; i < 3 * middles->surface.triangle_count; i++)
        middles->outer[middles->surface.triangles[i]] = true;
    for (int32_t s = 0; s < mesh->set_count && !status; s++) {
        join_midpoints(fine, mesh->node_count, middles, &mesh->sets[s]);
        status = lithe_tet_mesh_add_set(context, fine, mesh->sets[s].name, middles->joined, error);
    }
    return status;
}

/// Numbers the edges in the order of elements.
static void number_edges(const LitheTetMesh *mesh, Middles *middles) {
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (size_t)4 * (size_t)e;
        for (int k = 0; k < 6; k++) {
            int32_t *value = table_find(&middles->edges, edge_key(node[lithe_tet_edges[k][0]],
                                                                  node[lithe_tet_edges[k][1]]));
            if (*value == 0)
                *value = ++middles->count;
        }
    }
}

static void fill_quadratic(const LitheTetMesh *mesh, Middles *middles, LitheTetMesh *fine) {
    for (int32_t i = 0; i < mesh->node_count; i++)
        fine->nodes[i] = mesh->nodes[i];
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (size_t)4 * (size_t)e;
        int32_t *to = fine->elements + (size_t)10 * (size_t)e;
        for (int k = 0; k < 4; k++)
            to[k] = node[k];
        for (int k = 0; k < 6; k++) {
            int32_t a = node[lithe_tet_edges[k][0]], b = node[lithe_tet_edges[k][1]];
            to[4 + k] = mesh->node_count - 1 + *table_find(&middles->edges, edge_key(a, b));
            fine->nodes[to[4 + k]] = v3_mix(mesh->nodes[a], mesh->nodes[b], 0.5);
        }
    }
}

LitheStatus lithe_tet_mesh_to_quadratic(LitheContext *context, const LitheTetMesh *mesh,
                                        LitheTetMesh *out, LitheError *error) {
    if (mesh->nodes_per_element != 4)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "tetrahedral mesh: %d nodes per element, must be 4 to be made quadratic",
                          mesh->nodes_per_element);
    Middles middles = {0};
    LitheTetMesh fine = {0};
    LitheStatus status = table_create(context, 6 * (int64_t)mesh->element_count, &middles.edges)
                             ? LITHE_OK
                             : lithe_fail_memory(error, "the midpoints of a mesh");
    if (!status) {
        number_edges(mesh, &middles);
        status = lithe_tet_mesh_allocate(context, mesh->node_count + middles.count,
                                         mesh->element_count, 10, &fine, error);
    }
    if (!status) {
        fill_quadratic(mesh, &middles, &fine);
        status = add_sets(context, mesh, &fine, &middles, error);
    }
    middles_destroy(context, &middles);
    if (status)
        lithe_tet_mesh_destroy(context, &fine);
    else
        *out = fine;
    return status;
}
