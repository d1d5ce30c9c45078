// SPDX-License-Identifier: Apache-2.0
// geom/tet_fill.c - fill a closed surface with tetrahedra: checks, prediction, volume
//
// Numbers in brackets are those of docs/theory/meshing.md.

#include "geom/tet_fill.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh.h"
#include "geom/mesh_pair.h"
#include "geom/tet_lattice.h"

#include <string.h>

// normals of neighbouring triangles that differ by more than 40 degrees: cos 40
#define SHARP 0.766
// [7] volumes that agree to this fraction are not corrected
#define SAME_VOLUME 0.002
// [7] a larger lack of volume means that thin parts are missing: moving the surface cannot mend it
#define MISSING_VOLUME 0.15
// [7] the surface moves by at most this fraction of the resolution
#define MAX_OFFSET 0.25
// more nodes than this take seconds: the sizes are logged before
#define MANY_NODES 20000
enum { MAX_PASSES = 3 };

// --- checks --------------------------------------------------------------------------------------

static LitheStatus check_closed(const LitheMesh *mesh, LitheError *error) {
    int32_t open = 0, first = -1;
    for (int32_t e = 3 * mesh->triangle_count - 1; e >= 0; e--)
        if (mesh->neighbours[e] < 0) {
            open++;
            first = e;
        }
    if (open == 0)
        return LITHE_OK;
    Vec3 x = mesh_corner(mesh, first / 3, first % 3);
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "mesh of a surface: it has holes: %d edges belong to one triangle only, the "
                      "first is edge %d of triangle %d at (%g, %g, %g) m",
                      open, first % 3, first / 3, x.x, x.y, x.z);
}

typedef struct Crossings {
    const LitheMesh *mesh;
    int32_t count, a, b;
    Vec3 at; // of the first pair
} Crossings;

/// Common points of two triangles; `own` gets the corner of the first that is one.
static int count_common(const int32_t *p, const int32_t *q, int *own, int *other) {
    int common = 0;
    for (int k = 0; k < 9; k++)
        if (p[k / 3] == q[k % 3]) {
            common++;
            *own = k / 3;
            *other = k % 3;
        }
    return common;
}

/// Whether an edge of triangle p passes through triangle q; of triangles with a common corner only
/// the opposite edge can.
static bool pierces(const Vec3 p[3], const Vec3 q[3], int common, int own, Vec3 *at) {
    for (int k = 0; k < 3; k++)
        if ((!common || k == (own + 1) % 3) && lithe_triangle_pierced(p[k], p[(k + 1) % 3], q, at))
            return true;
    return false;
}

static void visit_pair(int32_t a, int32_t b, void *user) {
    Crossings *c = user;
    const LitheMesh *mesh = c->mesh;
    int own = 0, other = 0;
    if (a >= b)
        return;
    int common = count_common(mesh->triangles + 3 * a, mesh->triangles + 3 * b, &own, &other);
    if (common > 1)
        return;
    Vec3 p[3], q[3], at = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        p[k] = mesh_corner(mesh, a, k);
        q[k] = mesh_corner(mesh, b, k);
    }
    if (!pierces(p, q, common, own, &at) && !pierces(q, p, common, other, &at))
        return;
    if (c->count++ == 0 || a < c->a || (a == c->a && b < c->b)) {
        c->a = a;
        c->b = b;
        c->at = at;
    }
}

static LitheStatus check_crossings(const LitheMesh *mesh, LitheError *error) {
    Crossings crossings = {.mesh = mesh};
    LitheMeshPair pair = {.a = mesh, .b = mesh, .r = m3_identity()};
    const double within = 0;
    lithe_mesh_visit_pairs(&pair, &within, visit_pair, &crossings);
    if (crossings.count == 0)
        return LITHE_OK;
    return lithe_fail(
        error, LITHE_BAD_INPUT,
        "mesh of a surface: %d pairs of triangles cross each other, the first are the "
        "triangles %d and %d at (%g, %g, %g) m",
        crossings.count, crossings.a, crossings.b, crossings.at.x, crossings.at.y, crossings.at.z);
}

// --- plan ----------------------------------------------------------------------------------------

static void measure_surface(const LitheMesh *mesh, LitheTetFillReport *r) {
    r->low = r->high = mesh_corner(mesh, 0, 0);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        Vec3 p = mesh_corner(mesh, t, 0), q = mesh_corner(mesh, t, 1), s = mesh_corner(mesh, t, 2);
        // relative to a corner of the body, so that bodies far from the origin keep their digits
        Vec3 o = mesh_corner(mesh, 0, 0);
        r->volume += v3_dot(v3_sub(p, o), v3_cross(v3_sub(q, o), v3_sub(s, o))) / 6;
        r->area += 0.5 * v3_norm(v3_cross(v3_sub(q, p), v3_sub(s, p)));
        r->low = v3_min(r->low, v3_min(p, v3_min(q, s)));
        r->high = v3_max(r->high, v3_max(p, v3_max(q, s)));
        for (int k = 0; k < 3; k++) {
            int32_t other = mesh->neighbours[3 * t + k];
            r->sharp_count += other > t && v3_dot(mesh->normals[t], mesh->normals[other]) < SHARP;
        }
    }
}

/// [6] Numbers of nodes and elements from volume and area; the factors of the area were measured on
/// ten bodies.
static void predict(double h, int32_t point_count, int32_t triangle_count, LitheTetFillReport *r) {
    Vec3 size = v3_sub(r->high, r->low);
    double sites = 2 * (size.x / h + 4) * (size.y / h + 4) * (size.z / h + 4);
    double cells = r->volume / (h * h * h), faces = r->area / (h * h);
    r->nodes = 2 * cells + 1.4 * faces;
    r->elements = 12 * cells + 1.7 * faces;
    // the surface with its tree, the lattice, the table of cuts, growing lists, and two meshes:
    // that of the last pass and that of the present one
    r->bytes = 52.0 * point_count + 168.0 * triangle_count + 12 * sites + 40 * 4 * 8 * faces +
               (2 * 24 + 28) * r->nodes + (2 * 16 + 20) * r->elements;
}

static LitheStatus check_resolution(double h, const LitheTetFillReport *r, LitheError *error) {
    if (!(h > 0) || !isfinite(h))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a surface: resolution is %g m, must be > 0", h);
    Vec3 size = v3_sub(r->high, r->low);
    double smallest = fmin(size.x, fmin(size.y, size.z));
    if (h > smallest)
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "mesh of a surface: resolution is %g m, above the size of the body (%g m x "
            "%g m x %g m)",
            h, size.x, size.y, size.z);
    double sites = 2 * (size.x / h + 4) * (size.y / h + 4) * (size.z / h + 4);
    if (sites > LITHE_TET_MAX)
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "mesh of a surface: resolution %g m gives about %.3g nodes, %.3g elements "
            "and %.3g sites of its lattice, at most %d sites are allowed",
            h, r->nodes, r->elements, sites, LITHE_TET_MAX);
    return LITHE_OK;
}

/// Turns every triangle round.
static int32_t *turn(LitheContext *context, const int32_t *triangles, int32_t count) {
    int32_t *turned = lithe_alloc_array(context, 3 * (int64_t)count, sizeof(int32_t));
    for (int32_t i = 0; i < 3 * count && turned; i++)
        turned[i] = triangles[i - i % 3 + (3 - i % 3) % 3];
    return turned;
}

static LitheStatus make_surface(LitheContext *context, const Vec3 *points, int32_t point_count,
                                const int32_t *triangles, int32_t triangle_count, LitheMesh **mesh,
                                LitheTetFillReport *report, LitheError *error) {
    LitheStatus status =
        lithe_mesh_create(context, points, point_count, triangles, triangle_count, mesh, error);
    status = status ? status : check_closed(*mesh, error);
    if (status)
        return status;
    *report = (LitheTetFillReport){0};
    measure_surface(*mesh, report);
    if (report->volume >= 0)
        return LITHE_OK;
    int32_t *turned = turn(context, triangles, triangle_count);
    lithe_mesh_destroy(context, *mesh);
    *mesh = NULL;
    status = turned ? lithe_mesh_create(context, points, point_count, turned, triangle_count, mesh,
                                        error)
                    : lithe_fail_memory(error, "a surface");
    lithe_free(context, turned);
    report->volume = -report->volume;
    report->turned = true;
    return status;
}

static LitheStatus plan(LitheContext *context, const Vec3 *points, int32_t point_count,
                        const int32_t *triangles, int32_t triangle_count, double resolution,
                        LitheMesh **mesh, LitheTetFillReport *report, LitheError *error) {
    if (triangle_count < 4)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a surface: %d triangles do not bound a body", triangle_count);
    LitheStatus status =
        make_surface(context, points, point_count, triangles, triangle_count, mesh, report, error);
    if (!status)
        predict(resolution, point_count, triangle_count, report);
    status = status ? status : check_resolution(resolution, report, error);
    return status ? status : check_crossings(*mesh, error);
}

LitheStatus lithe_tet_fill_plan(LitheContext *context, const Vec3 *points, int32_t point_count,
                                const int32_t *triangles, int32_t triangle_count, double resolution,
                                LitheTetFillReport *report, LitheError *error) {
    LitheMesh *mesh = NULL;
    LitheTetFillReport got;
    LitheStatus status = plan(context, points, point_count, triangles, triangle_count, resolution,
                              &mesh, &got, error);
    lithe_mesh_destroy(context, mesh);
    if (!status)
        *report = got;
    return status;
}

// --- filling -------------------------------------------------------------------------------------

/// Nodes of tetrahedra only, in the order in which the lattice made them.
static LitheStatus to_mesh(LitheLattice *l, LitheTetMesh *out) {
    if (l->tet_count == 0)
        return lithe_fail(l->error, LITHE_BAD_INPUT,
                          "mesh of a surface: the body is thinner than the resolution of %g m",
                          l->step);
    int32_t *fresh = lithe_alloc_array(l->context, l->point_count, sizeof(int32_t));
    if (!fresh)
        return lithe_fail_memory(l->error, "the nodes of a mesh");
    int32_t count = 0;
    for (int32_t i = 0; i < 4 * l->tet_count; i++)
        fresh[l->tets[i]] = 1;
    for (int32_t i = 0; i < l->point_count; i++)
        fresh[i] = fresh[i] ? count++ : -1;
    LitheStatus status = lithe_tet_mesh_allocate(l->context, count, l->tet_count, 4, out, l->error);
    for (int32_t i = 0; i < l->point_count && !status; i++)
        if (fresh[i] >= 0)
            out->nodes[fresh[i]] = l->points[i];
    for (int32_t i = 0; i < 4 * l->tet_count && !status; i++)
        out->elements[i] = fresh[l->tets[i]];
    lithe_free(l->context, fresh);
    return status;
}

LitheStatus lithe_tet_fill_depth(LitheContext *context, LitheTetDepthFn *depth, const void *user,
                                 Vec3 low, Vec3 high, double resolution, LitheTetMesh *out,
                                 LitheError *error) {
    LitheLattice lattice = {
        .context = context, .error = error, .depth_of = depth, .user = user, .step = resolution};
    LitheTetMesh mesh = {0};
    LitheStatus status = lithe_lattice_begin(&lattice, low, high);
    status = status ? status : lithe_lattice_cut(&lattice);
    status = status ? status : lithe_lattice_trim(&lattice);
    status = status ? status : to_mesh(&lattice, &mesh);
    lithe_lattice_end(&lattice);
    if (!status)
        *out = mesh;
    return status;
}

typedef struct Depth {
    const LitheMesh *mesh;
    double offset; // the surface is moved outward by it
} Depth;

static double depth_of_surface(const void *user, Vec3 x) {
    const Depth *depth = user;
    LitheMeshPoint nearest = {0};
    lithe_mesh_nearest(depth->mesh, x, INFINITY, &nearest);
    return (nearest.inside ? nearest.distance : -nearest.distance) + depth->offset;
}

/// [7] Chords of curved surfaces and rounded edges lose volume: the surface is moved outward until
/// the volumes agree.
static LitheStatus fill(LitheContext *context, const LitheMesh *surface, double h,
                        LitheTetMesh *mesh, LitheTetFillReport *r, LitheError *error) {
    Depth depth = {surface, 0};
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        LitheTetMesh made = {0};
        LitheStatus status = lithe_tet_fill_depth(context, depth_of_surface, &depth, r->low,
                                                  r->high, h, &made, error);
        if (status)
            return status;
        lithe_tet_mesh_destroy(context, mesh);
        *mesh = made;
        r->offset = depth.offset;
        r->made_volume = lithe_tet_mesh_volume(mesh);
        double lack = 1 - r->made_volume / r->volume;
        double next = depth.offset + lack * r->volume / r->area;
        if (fabs(lack) < SAME_VOLUME || fabs(lack) > MISSING_VOLUME || fabs(next) > MAX_OFFSET * h)
            break;
        depth.offset = next;
    }
    return LITHE_OK;
}

LitheStatus lithe_tet_fill(LitheContext *context, const Vec3 *points, int32_t point_count,
                           const int32_t *triangles, int32_t triangle_count, double resolution,
                           LitheTetMesh *out, LitheTetFillReport *report, LitheError *error) {
    LitheMesh *surface = NULL;
    LitheTetMesh mesh = {0};
    LitheTetFillReport got;
    LitheStatus status = plan(context, points, point_count, triangles, triangle_count, resolution,
                              &surface, &got, error);
    if (!status && got.nodes > MANY_NODES)
        lithe_log(context, LITHE_LOG_INFO,
                  "mesh of a surface: about %.3g nodes, %.3g tetrahedra and %.3g MB of memory at a "
                  "resolution of %.3g m",
                  got.nodes, got.elements, got.bytes * 1e-6, resolution);
    status = status ? status : fill(context, surface, resolution, &mesh, &got, error);
    lithe_mesh_destroy(context, surface);
    if (status) {
        lithe_tet_mesh_destroy(context, &mesh);
        return status;
    }
    *out = mesh;
    if (report)
        *report = got;
    return LITHE_OK;
}
