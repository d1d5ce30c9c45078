// SPDX-License-Identifier: Apache-2.0
// model/build_fine.c - the fine surface that a coarse mesh of tetrahedra was made from
//
// Each of its points moves with the corners of one element, by (W1) of docs/theory/solids.md.
// Points outside of all elements, which round off the surface, have weights below 0 in an element
// close by.

#include "model/build_solid.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// a weight below this belongs to a point that is about one element away from the mesh
#define FAR_OUTSIDE (-1.0)
// cells of the grid
#define MAX_CELLS 4e6

// The elements by the cell of their centre. A cell is as long as the longest edge, so that the
// element that contains a point is in its cell or a neighbour.
typedef struct Grid {
    const LitheTetMesh *mesh;
    Vec3 low;
    double cell;
    int32_t n[3];
    int32_t *start; // [cells + 1]
    int32_t *list;  // [element_count]
} Grid;

static Vec3 corner_of(const LitheTetMesh *mesh, int32_t element, int k) {
    return mesh->nodes[mesh->elements[(int64_t)element * mesh->nodes_per_element + k]];
}

static Vec3 centre_of(const LitheTetMesh *mesh, int32_t element) {
    Vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < 4; k++)
        sum = v3_axpy(0.25, corner_of(mesh, element, k), sum);
    return sum;
}

static int32_t index_along(double x, double low, double cell, int32_t n) {
    double i = floor((x - low) / cell);
    return i < 0 ? 0 : i >= n ? n - 1 : (int32_t)i;
}

static void cell_of(const Grid *g, Vec3 at, int32_t cell[3]) {
    for (int k = 0; k < 3; k++)
        cell[k] = index_along((&at.x)[k], (&g->low.x)[k], g->cell, g->n[k]);
}

static int64_t number_of(const Grid *g, const int32_t cell[3]) {
    return cell[0] + g->n[0] * (cell[1] + (int64_t)g->n[1] * cell[2]);
}

static bool make_grid(LitheContext *context, const LitheTetMesh *mesh, Grid *g) {
    Vec3 low = mesh->nodes[0], high = low;
    *g = (Grid){.mesh = mesh};
    for (int32_t i = 1; i < mesh->node_count; i++) {
        low = v3_min(low, mesh->nodes[i]);
        high = v3_max(high, mesh->nodes[i]);
    }
    for (int32_t e = 0; e < mesh->element_count; e++)
        for (int k = 0; k < 6; k++)
            g->cell = fmax(g->cell, v3_distance(corner_of(mesh, e, lithe_tet_edges[k][0]),
                                                corner_of(mesh, e, lithe_tet_edges[k][1])));
    g->low = low;
    Vec3 size = v3_sub(high, low);
    while ((size.x / g->cell + 1) * (size.y / g->cell + 1) * (size.z / g->cell + 1) > MAX_CELLS)
        g->cell *= 2;
    for (int k = 0; k < 3; k++)
        g->n[k] = (int32_t)((&size.x)[k] / g->cell) + 1;
    int64_t cells = (int64_t)g->n[0] * g->n[1] * g->n[2];
    g->start = lithe_alloc_array(context, cells + 2, sizeof *g->start);
    g->list = lithe_alloc_array(context, mesh->element_count, sizeof *g->list);
    if (!g->start || !g->list)
        return false;
    int32_t cell[3];
    for (int32_t e = 0; e < mesh->element_count; e++) {
        cell_of(g, centre_of(mesh, e), cell);
        g->start[number_of(g, cell) + 2]++;
    }
    for (int64_t c = 0; c < cells; c++)
        g->start[c + 2] += g->start[c + 1]; // shifted by one: the fill below moves them
    for (int32_t e = 0; e < mesh->element_count; e++) {
        cell_of(g, centre_of(mesh, e), cell);
        g->list[g->start[number_of(g, cell) + 1]++] = e;
    }
    return true;
}

// barycentric coordinates; returns the smallest
static double weights_in(const LitheTetMesh *mesh, int32_t element, Vec3 at, double w[4]) {
    const Vec3 x[4] = {corner_of(mesh, element, 0), corner_of(mesh, element, 1),
                       corner_of(mesh, element, 2), corner_of(mesh, element, 3)};
    return lithe_tet_weights(x, at, w);
}

// the element within `reach` cells in which the smallest coordinate is largest
static double search_cells(const Grid *g, Vec3 at, int32_t reach, LitheSolidPlace *place) {
    double best = -INFINITY;
    int32_t cell[3], from[3], to[3], c[3];
    cell_of(g, at, cell);
    for (int k = 0; k < 3; k++) {
        from[k] = cell[k] > reach ? cell[k] - reach : 0;
        to[k] = cell[k] + reach < g->n[k] ? cell[k] + reach : g->n[k] - 1;
    }
    for (c[2] = from[2]; c[2] <= to[2]; c[2]++)
        for (c[1] = from[1]; c[1] <= to[1]; c[1]++)
            for (c[0] = from[0]; c[0] <= to[0]; c[0]++)
                for (int32_t i = g->start[number_of(g, c)]; i < g->start[number_of(g, c) + 1];
                     i++) {
                    double w[4], least = weights_in(g->mesh, g->list[i], at, w);
                    if (!(least > best))
                        continue;
                    best = least;
                    const int32_t *corner =
                        g->mesh->elements + (int64_t)g->list[i] * g->mesh->nodes_per_element;
                    for (int k = 0; k < 4; k++) {
                        place->node[k] = corner[k];
                        place->weight[k] = w[k];
                    }
                }
    return best;
}

static double find_carrier(const Grid *g, Vec3 at, LitheSolidPlace *place) {
    int32_t most = g->n[0] > g->n[1] ? g->n[0] : g->n[1];
    double best = -INFINITY;
    most = most > g->n[2] ? most : g->n[2];
    for (int32_t reach = 1; !(best > -INFINITY) && reach <= most; reach *= 2)
        best = search_cells(g, at, reach, place);
    return best;
}

// six times the volume that the triangles bound: negative when they are inside out
static double volume_of(const LitheSolidMeshDef *surface) {
    double sum = 0;
    Vec3 about = surface->nodes[0];
    for (int32_t i = 0; i < surface->element_numbers; i += 3) {
        Vec3 a = v3_sub(surface->nodes[surface->elements[i]], about);
        Vec3 b = v3_sub(surface->nodes[surface->elements[i + 1]], about);
        sum += v3_dot(v3_cross(a, b), v3_sub(surface->nodes[surface->elements[i + 2]], about));
    }
    return sum;
}

static void copy_triangles(const LitheSolidMeshDef *surface, LitheFineSurface *out) {
    bool turn = volume_of(surface) < 0;
    for (int32_t i = 0; i < surface->element_numbers; i += 3)
        for (int k = 0; k < 3; k++)
            out->triangles[i + k] = surface->elements[i + (turn && k > 0 ? 3 - k : k)];
}

LitheStatus lithe_build_fine(LitheContext *context, const char *name,
                             const LitheSolidMeshDef *surface, const LitheTetMesh *mesh,
                             LitheFineSurface *out, LitheError *error) {
    char text[256];
    Grid grid;
    snprintf(text, sizeof text, "%.200s-fine", name);
    out->name = lithe_alloc_text(context, text);
    out->point_count = surface->node_count;
    out->triangle_count = surface->element_numbers / 3;
    out->places = lithe_alloc_array(context, out->point_count, sizeof *out->places);
    out->triangles = lithe_alloc_array(context, surface->element_numbers, sizeof *out->triangles);
    bool ok = make_grid(context, mesh, &grid) && out->name && out->places && out->triangles;
    int32_t far = 0;
    for (int32_t i = 0; ok && i < out->point_count; i++)
        far += find_carrier(&grid, surface->nodes[i], &out->places[i]) < FAR_OUTSIDE;
    if (ok)
        copy_triangles(surface, out);
    lithe_free(context, grid.start);
    lithe_free(context, grid.list);
    if (far > 0)
        lithe_log(
            context, LITHE_LOG_WARNING,
            "solid '%s': %d points of its fine surface are about one tetrahedron or more away "
            "from its mesh, and may be drawn far off where it deforms: use a smaller "
            "resolution",
            name, (int)far);
    return ok ? LITHE_OK : lithe_fail_memory(error, "a fine surface");
}

void lithe_fine_free(LitheContext *context, LitheFineSurface *fine) {
    lithe_free(context, fine->name);
    lithe_free(context, fine->places);
    lithe_free(context, fine->triangles);
    lithe_free(context, fine->rest);
    lithe_free(context, fine->used);
}
