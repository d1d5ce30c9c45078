// SPDX-License-Identifier: Apache-2.0
// geom/tet_mesh.c - memory, sets and volume of tetrahedral meshes; the box

#include "geom/tet_mesh.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

// face f is opposite to corner f; midpoints by the numbers of the edges: 4 is 01, 5 is 12, 6 is 02,
// 7 is 03, 8 is 13, 9 is 23
const int8_t lithe_tet_faces[4][6] = {
    {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}};

const int8_t lithe_tet_edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

void lithe_tet_mesh_destroy(LitheContext *context, LitheTetMesh *mesh) {
    for (int32_t i = 0; i < mesh->set_count; i++) {
        lithe_free(context, mesh->sets[i].name);
        lithe_free(context, mesh->sets[i].nodes);
    }
    lithe_free(context, mesh->sets);
    lithe_free(context, mesh->nodes);
    lithe_free(context, mesh->elements);
    lithe_free(context, mesh->labels);
    *mesh = (LitheTetMesh){0};
}

LitheStatus lithe_tet_mesh_allocate(LitheContext *context, int32_t node_count,
                                    int32_t element_count, int32_t nodes_per_element,
                                    LitheTetMesh *out, LitheError *error) {
    if (node_count < 1 || node_count > LITHE_TET_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT, "tetrahedral mesh: %d nodes, must be 1 to %d",
                          node_count, LITHE_TET_MAX);
    if (element_count < 1 || element_count > LITHE_TET_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT, "tetrahedral mesh: %d elements, must be 1 to %d",
                          element_count, LITHE_TET_MAX);
    if (nodes_per_element != 4 && nodes_per_element != 10)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "tetrahedral mesh: %d nodes per element, must be 4 or 10",
                          nodes_per_element);
    LitheTetMesh mesh = {
        .node_count = node_count,
        .element_count = element_count,
        .nodes_per_element = nodes_per_element,
        .nodes = lithe_alloc_array(context, node_count, sizeof(Vec3)),
        .elements =
            lithe_alloc_array(context, (int64_t)element_count * nodes_per_element, sizeof(int32_t)),
    };
    if (!mesh.nodes || !mesh.elements) {
        lithe_tet_mesh_destroy(context, &mesh);
        return lithe_fail_memory(error, "a tetrahedral mesh");
    }
    *out = mesh;
    return LITHE_OK;
}

// --- sets ----------------------------------------------------------------------------------------

LitheStatus lithe_tet_mesh_add_set(LitheContext *context, LitheTetMesh *mesh, const char *name,
                                   const bool *member, LitheError *error) {
    int32_t count = 0, capacity = mesh->set_count;
    for (int32_t i = 0; i < mesh->node_count; i++)
        count += member[i];
    LitheTetSet set = {
        .name = lithe_alloc_text(context, name),
        .nodes = lithe_alloc_array(context, count, sizeof(int32_t)),
    };
    if (!set.name || !set.nodes ||
        !LITHE_RESERVE(context, mesh->sets, capacity, (int64_t)mesh->set_count + 1)) {
        lithe_free(context, set.name);
        lithe_free(context, set.nodes);
        return lithe_fail_memory(error, "a set of nodes");
    }
    for (int32_t i = 0; i < mesh->node_count; i++)
        if (member[i])
            set.nodes[set.count++] = i;
    mesh->sets[mesh->set_count++] = set;
    return LITHE_OK;
}

const LitheTetSet *lithe_tet_mesh_find_set(const LitheTetMesh *mesh, const char *name) {
    for (int32_t i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}

// --- volume --------------------------------------------------------------------------------------

static double corner_volume(const Vec3 *x, const int32_t *node) {
    Vec3 a = v3_sub(x[node[1]], x[node[0]]), b = v3_sub(x[node[2]], x[node[0]]);
    return v3_dot(v3_cross(a, b), v3_sub(x[node[3]], x[node[0]])) / 6;
}

double lithe_tet_quadratic_det(const Vec3 *x, const double l[4]) {
    // derivatives by l: corners 4 l - 1, midpoints 4 times the other coordinate of their edge
    Vec3 d[4];
    for (int k = 0; k < 4; k++)
        d[k] = v3_scale(4 * l[k] - 1, x[k]);
    for (int e = 0; e < 6; e++) {
        int a = lithe_tet_edges[e][0], b = lithe_tet_edges[e][1];
        d[a] = v3_axpy(4 * l[b], x[4 + e], d[a]);
        d[b] = v3_axpy(4 * l[a], x[4 + e], d[b]);
    }
    return v3_dot(v3_cross(v3_sub(d[1], d[0]), v3_sub(d[2], d[0])), v3_sub(d[3], d[0]));
}

double lithe_tet_mesh_element_volume(const LitheTetMesh *mesh, int32_t element) {
    const int32_t *node = mesh->elements + (size_t)element * (size_t)mesh->nodes_per_element;
    if (mesh->nodes_per_element == 4)
        return corner_volume(mesh->nodes, node);
    Vec3 x[10];
    for (int k = 0; k < 10; k++)
        x[k] = mesh->nodes[node[k]];
    // the determinant is a cubic: a rule of degree three with five points is exact
    const double middle[4] = {0.25, 0.25, 0.25, 0.25};
    double sum = -0.8 * lithe_tet_quadratic_det(x, middle);
    for (int k = 0; k < 4; k++) {
        double l[4] = {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
        l[k] = 0.5;
        sum += 0.45 * lithe_tet_quadratic_det(x, l);
    }
    return sum / 6;
}

double lithe_tet_mesh_volume(const LitheTetMesh *mesh) {
    double sum = 0;
    for (int32_t e = 0; e < mesh->element_count; e++)
        sum += lithe_tet_mesh_element_volume(mesh, e);
    return sum;
}

// --- box -----------------------------------------------------------------------------------------

// five tetrahedra of a cell; corner c is at x = c & 1, y = c & 2, z = c & 4. Odd cells are the
// mirror images of even ones, so that the diagonals of common faces agree.
static const int8_t cell_tets[2][5][4] = {
    {{0, 5, 3, 6}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}},
};

static LitheStatus check_box(Vec3 size, const int32_t n[3], LitheError *error) {
    const double length[3] = {size.x, size.y, size.z};
    for (int a = 0; a < 3; a++) {
        if (!(length[a] > 0) || !isfinite(length[a]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "box of tetrahedra: size along %c is %g m, must be > 0", 'x' + a,
                              length[a]);
        if (n[a] < 1 || n[a] > LITHE_TET_MAX)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "box of tetrahedra: divisions along %c are %d, must be 1 to %d",
                              'x' + a, n[a], LITHE_TET_MAX);
    }
    // in floating point: no product can overflow
    double elements = 5.0 * n[0] * n[1] * n[2], nodes = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    if (elements > LITHE_TET_MAX || nodes > LITHE_TET_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "box of tetrahedra: divisions %d x %d x %d give %.0f elements and %.0f "
                          "nodes, at most %d are allowed",
                          n[0], n[1], n[2], elements, nodes, LITHE_TET_MAX);
    return LITHE_OK;
}

static LitheStatus add_box_sets(LitheContext *context, LitheTetMesh *mesh, const int32_t n[3],
                                LitheError *error) {
    static const char *const names[6] = {"x-min", "x-max", "y-min", "y-max", "z-min", "z-max"};
    bool *member = lithe_alloc_array(context, mesh->node_count, sizeof(bool));
    LitheStatus status = member ? LITHE_OK : lithe_fail_memory(error, "the faces of a box");
    for (int f = 0; f < 6 && !status; f++) {
        for (int32_t i = 0; i < mesh->node_count; i++) {
            int32_t row = i / (n[0] + 1);
            int32_t at[3] = {i % (n[0] + 1), row % (n[1] + 1), row / (n[1] + 1)};
            member[i] = at[f / 2] == (f % 2 ? n[f / 2] : 0);
        }
        status = lithe_tet_mesh_add_set(context, mesh, names[f], member, error);
    }
    lithe_free(context, member);
    return status;
}

LitheStatus lithe_tet_mesh_box(LitheContext *context, Vec3 size, const int32_t divisions[3],
                               LitheTetMesh *out, LitheError *error) {
    const int32_t *n = divisions;
    LitheStatus status = check_box(size, n, error);
    if (status)
        return status;
    const int32_t across = n[0] + 1, layer = across * (n[1] + 1);
    LitheTetMesh mesh = {0};
    status = lithe_tet_mesh_allocate(context, layer * (n[2] + 1), 5 * n[0] * n[1] * n[2], 4, &mesh,
                                     error);
    if (status)
        return status;
    for (int32_t i = 0; i < mesh.node_count; i++) {
        int32_t row = i / across;
        mesh.nodes[i] = v3(size.x * ((double)(i % across) / n[0] - 0.5),
                           size.y * ((double)(row % (n[1] + 1)) / n[1] - 0.5),
                           size.z * ((double)(row / (n[1] + 1)) / n[2] - 0.5));
    }
    int32_t *element = mesh.elements;
    for (int32_t k = 0; k < n[2]; k++)
        for (int32_t j = 0; j < n[1]; j++)
            for (int32_t i = 0; i < n[0]; i++)
                for (int t = 0; t < 5; t++)
                    for (int c = 0; c < 4; c++) {
                        int v = cell_tets[(i + j + k) & 1][t][c];
                        *element++ =
                            i + (v & 1) + across * (j + (v >> 1 & 1)) + layer * (k + (v >> 2));
                    }
    status = add_box_sets(context, &mesh, n, error);
    if (status)
        lithe_tet_mesh_destroy(context, &mesh);
    else
        *out = mesh;
    return status;
}
