// SPDX-License-Identifier: Apache-2.0
// geom/tet_check.c - refuse tetrahedral meshes that cannot be simulated; measure the others

#include "geom/tet_check.h"

#include "base/memory.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

// 6 volumes over the cube of the longest edge, below which an element counts as flat: rounding of
// coordinates alone reaches 1e-15; strains of flatter elements have no correct digits to speak of
#define FLAT 1e-9
// two nodes nearer than this fraction of the size of the mesh are at one place
#define SAME_PLACE 1e-9
// nodes of a neighbourhood along a line that are compared: bounds the time for damaged files
#define MAX_COMPARED 64
// determinant of a quadratic element over that of the straight one: smaller counts as folded
#define FOLDED 1e-3

static const int32_t *element_at(const LitheTetMesh *mesh, int32_t e) {
    return mesh->elements + (size_t)e * (size_t)mesh->nodes_per_element;
}

static void element_corners(const LitheTetMesh *mesh, int32_t e, Vec3 x[4]) {
    for (int k = 0; k < 4; k++)
        x[k] = mesh->nodes[element_at(mesh, e)[k]];
}

// --- numbers -------------------------------------------------------------------------------------

static LitheStatus check_numbers(const LitheTetMesh *mesh, LitheError *error) {
    for (int32_t i = 0; i < mesh->node_count; i++)
        if (!v3_finite(mesh->nodes[i]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "tetrahedral mesh: node %" PRId64
                              " is at (%g, %g, %g), must be finite",
                              lithe_tet_mesh_label(mesh, i), mesh->nodes[i].x, mesh->nodes[i].y,
                              mesh->nodes[i].z);
    const int per = mesh->nodes_per_element;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = element_at(mesh, e);
        for (int k = 0; k < per; k++) {
            if (node[k] < 0 || node[k] >= mesh->node_count)
                return lithe_fail(error, LITHE_BAD_INPUT,
                                  "tetrahedral mesh: element %d has node %d, must be 0 to %d", e,
                                  node[k], mesh->node_count - 1);
            for (int l = 0; l < k; l++)
                if (node[l] == node[k])
                    return lithe_fail(error, LITHE_BAD_INPUT,
                                      "tetrahedral mesh: element %d has node %" PRId64
                                      " twice, at (%g, %g, %g) m",
                                      e, lithe_tet_mesh_label(mesh, node[k]),
                                      mesh->nodes[node[k]].x, mesh->nodes[node[k]].y,
                                      mesh->nodes[node[k]].z);
        }
    }
    return LITHE_OK;
}

// --- volumes -------------------------------------------------------------------------------------

/// 6 volumes over the cube of the longest edge.
static double relative_volume(const LitheTetMesh *mesh, int32_t e) {
    Vec3 x[4];
    element_corners(mesh, e, x);
    double longest = 0;
    for (int k = 0; k < 6; k++)
        longest = fmax(longest, v3_distance(x[lithe_tet_edges[k][0]], x[lithe_tet_edges[k][1]]));
    // edges as fractions of the longest one: no product underflows
    Vec3 a = v3_scale(1 / longest, v3_sub(x[1], x[0])),
         b = v3_scale(1 / longest, v3_sub(x[2], x[0]));
    double v = v3_dot(v3_cross(a, b), v3_scale(1 / longest, v3_sub(x[3], x[0])));
    return isfinite(v) ? v : 0;
}

static LitheStatus fail_element(const LitheTetMesh *mesh, int32_t count, int32_t e,
                                const char *what, LitheError *error) {
    const int32_t *n = element_at(mesh, e);
    Vec3 x = mesh->nodes[n[0]];
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "tetrahedral mesh: %d of %d elements %s; the first is element %d (nodes "
                      "%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ") at (%g, %g, %g) m",
                      count, mesh->element_count, what, e, lithe_tet_mesh_label(mesh, n[0]),
                      lithe_tet_mesh_label(mesh, n[1]), lithe_tet_mesh_label(mesh, n[2]),
                      lithe_tet_mesh_label(mesh, n[3]), x.x, x.y, x.z);
}

static LitheStatus check_volumes(LitheTetMesh *mesh, bool *turned, LitheError *error) {
    int32_t flat = 0, flat_at = 0, negative = 0, negative_at = 0;
    for (int32_t e = mesh->element_count - 1; e >= 0; e--) {
        double v = relative_volume(mesh, e);
        if (fabs(v) < FLAT) {
            flat++;
            flat_at = e;
        } else if (v < 0) {
            negative++;
            negative_at = e;
        }
    }
    if (flat)
        return fail_element(mesh, flat, flat_at, "are flat", error);
    *turned = negative == mesh->element_count;
    if (*turned)
        lithe_tet_mesh_turn(mesh);
    else if (negative)
        return fail_element(mesh, negative, negative_at,
                            "are inverted: their corners run the other way round than in the "
                            "others",
                            error);
    return LITHE_OK;
}

static LitheStatus check_folds(const LitheTetMesh *mesh, LitheError *error) {
    int32_t count = 0, at = 0;
    if (mesh->nodes_per_element != 10)
        return LITHE_OK;
    for (int32_t e = mesh->element_count - 1; e >= 0; e--) {
        Vec3 x[10];
        for (int k = 0; k < 10; k++)
            x[k] = mesh->nodes[element_at(mesh, e)[k]];
        if (!(lithe_tet_fold(x) > FOLDED)) {
            count++;
            at = e;
        }
    }
    if (count)
        return fail_element(mesh, count, at,
                            "are folded: their midpoints are too far from the middle of the edges, "
                            "or in another order",
                            error);
    return LITHE_OK;
}

// --- connections ---------------------------------------------------------------------------------

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static LitheStatus count_parts(LitheContext *context, const LitheTetMesh *mesh,
                               LitheTetReport *report, LitheError *error) {
    int32_t *parent = lithe_alloc_array(context, mesh->node_count, sizeof(int32_t));
    bool *used = lithe_alloc_array(context, mesh->node_count, sizeof(bool));
    LitheStatus status = parent && used ? LITHE_OK : lithe_fail_memory(error, "parts of a mesh");
    if (!status) {
        for (int32_t i = 0; i < mesh->node_count; i++)
            parent[i] = i;
        for (int32_t e = 0; e < mesh->element_count; e++) {
            const int32_t *node = element_at(mesh, e);
            for (int k = 0; k < mesh->nodes_per_element; k++) {
                used[node[k]] = true;
                parent[root_of(parent, node[k])] = root_of(parent, node[0]);
            }
        }
        for (int32_t i = mesh->node_count - 1; i >= 0; i--) {
            report->part_count += used[i] && parent[i] == i;
            report->unused_count += !used[i];
            if (!used[i])
                report->unused = i;
        }
    }
    lithe_free(context, parent);
    lithe_free(context, used);
    return status;
}

typedef struct Along {
    double at;
    int32_t node;
} Along;

static int by_place(const void *a, const void *b) {
    const Along *p = a, *q = b;
    return p->at != q->at ? (p->at < q->at ? -1 : 1) : (p->node > q->node) - (p->node < q->node);
}

// Nodes in the order along a line: those at one place are neighbours. The line is at odd angles to
// the axes, so that few nodes of a regular grid share a position on it.
static LitheStatus find_duplicates(LitheContext *context, const LitheTetMesh *mesh,
                                   LitheTetReport *report, LitheError *error) {
    const Vec3 line = {0.54317, 0.62813, 0.55708};
    double near = SAME_PLACE * v3_distance(report->low, report->high);
    Along *along = lithe_alloc_array(context, mesh->node_count, sizeof *along);
    if (!along)
        return lithe_fail_memory(error, "the search for equal nodes");
    for (int32_t i = 0; i < mesh->node_count; i++)
        along[i] = (Along){v3_dot(line, mesh->nodes[i]), i};
    qsort(along, (size_t)mesh->node_count, sizeof *along, by_place);
    for (int32_t i = mesh->node_count - 1; i >= 0; i--)
        for (int32_t j = i + 1; j < mesh->node_count && j < i + MAX_COMPARED; j++) {
            if (along[j].at - along[i].at > near)
                break;
            int32_t a = along[i].node, b = along[j].node;
            if (v3_distance(mesh->nodes[a], mesh->nodes[b]) > near)
                continue;
            report->duplicate_count++;
            report->duplicate[0] = a < b ? a : b;
            report->duplicate[1] = a < b ? b : a;
        }
    lithe_free(context, along);
    return LITHE_OK;
}

typedef struct Edge {
    int32_t low, high;
} Edge;

static int by_nodes(const void *a, const void *b) {
    const Edge *p = a, *q = b;
    return p->low != q->low ? (p->low < q->low ? -1 : 1)
                            : (p->high > q->high) - (p->high < q->high);
}

// also refuses overlaps, since lithe_tet_mesh_surface does
static LitheStatus find_hinges(LitheContext *context, const LitheTetMesh *mesh,
                               LitheTetReport *report, LitheError *error) {
    LitheTetSurface surface = {0};
    LitheStatus status = lithe_tet_mesh_surface(context, mesh, &surface, error);
    if (status)
        return status;
    int32_t count = 3 * surface.triangle_count;
    Edge *edges = lithe_alloc_array(context, count, sizeof *edges);
    if (edges) {
        for (int32_t i = 0; i < count; i++) {
            const int32_t *node = surface.triangles + i / 3 * surface.nodes_per_triangle;
            int32_t a = node[i % 3], b = node[(i + 1) % 3];
            edges[i] = (Edge){a < b ? a : b, a < b ? b : a};
        }
        qsort(edges, (size_t)count, sizeof *edges, by_nodes);
        for (int32_t i = 0, j; i < count; i = j) {
            for (j = i + 1; j < count && by_nodes(&edges[i], &edges[j]) == 0;)
                j++;
            if (j - i > 2 && report->hinge_count++ == 0) {
                report->hinge[0] = edges[i].low;
                report->hinge[1] = edges[i].high;
            }
        }
    } else {
        status = lithe_fail_memory(error, "the edges of a surface");
    }
    lithe_free(context, edges);
    lithe_tet_surface_destroy(context, &surface);
    return status;
}

// --- measures ------------------------------------------------------------------------------------

static void measure(const LitheTetMesh *mesh, LitheTetReport *r) {
    r->min_edge = r->min_quality = INFINITY;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        Vec3 x[4];
        element_corners(mesh, e, x);
        double quality = lithe_tet_quality(x);
        if (quality < r->min_quality) {
            r->min_quality = quality;
            r->min_quality_at = e;
        }
        for (int k = 0; k < 6; k++) {
            double l = v3_distance(x[lithe_tet_edges[k][0]], x[lithe_tet_edges[k][1]]);
            r->min_edge = fmin(r->min_edge, l);
            r->max_edge = fmax(r->max_edge, l);
        }
    }
    lithe_tet_mesh_angles(mesh, r);
    r->volume = lithe_tet_mesh_volume(mesh);
}

// over the nodes of elements: unused ones may be anywhere
static void find_extent(const LitheTetMesh *mesh, LitheTetReport *r) {
    r->low = v3(INFINITY, INFINITY, INFINITY);
    r->high = v3_neg(r->low);
    for (int64_t i = 0; i < (int64_t)mesh->element_count * mesh->nodes_per_element; i++) {
        Vec3 x = mesh->nodes[mesh->elements[i]];
        r->low = v3(fmin(r->low.x, x.x), fmin(r->low.y, x.y), fmin(r->low.z, x.z));
        r->high = v3(fmax(r->high.x, x.x), fmax(r->high.y, x.y), fmax(r->high.z, x.z));
    }
}

LitheStatus lithe_tet_mesh_check(LitheContext *context, LitheTetMesh *mesh, LitheTetReport *report,
                                 LitheError *error) {
    LitheTetReport r = {0};
    LitheStatus status = check_numbers(mesh, error);
    status = status ? status : check_volumes(mesh, &r.turned, error);
    status = status ? status : check_folds(mesh, error);
    if (status)
        return status;
    find_extent(mesh, &r);
    status = count_parts(context, mesh, &r, error);
    status = status ? status : find_duplicates(context, mesh, &r, error);
    status = status ? status : find_hinges(context, mesh, &r, error);
    if (status)
        return status;
    measure(mesh, &r);
    *report = r;
    return LITHE_OK;
}
