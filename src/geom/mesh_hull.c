// SPDX-License-Identifier: Apache-2.0
// geom/mesh_hull.c - convex hull of points: a tetrahedron is extended by the farthest outside point
//
// Every point outside the growing hull is in the list of one face that is visible from it. A step
// takes the farthest point p of a face, finds the connected faces that are visible from p, and
// replaces them by triangles from p to the horizon of the hole. Points within the tolerance of the
// hull count as inside. Triangles in one plane are merged into polygons at the end, since contacts
// need whole faces.

#include "geom/mesh.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

#include <string.h>

typedef struct Face {
    int32_t corner[3];
    int32_t next[3]; // face across the edge corner[k] to corner[k + 1]
    Vec3 normal;     // unit
    double offset;
    int32_t list; // first of its outside points, -1 none
    int32_t mark; // step at which it was visible
    bool alive;
    int32_t group; // merged face
} Face;

typedef struct Builder {
    const Vec3 *points;
    int32_t count;
    double size, tolerance; // [m]
    Face *faces;            // [face_capacity]
    int32_t face_count, face_capacity;
    int32_t *spare, spare_count; // [face_capacity] dead faces
    int32_t *link;               // [count] next point in a face's list
    int32_t *start;              // [count] new face that starts its horizon edge at this point
    int32_t *stack, *seen;       // [face_capacity] faces
    int32_t *horizon_face, *horizon_edge; // [face_capacity] edges of the hole, in the visible faces
    int32_t step;
} Builder;

static double height(const Builder *b, const Face *face, int32_t point) {
    return v3_dot(face->normal, b->points[point]) - face->offset;
}

static int32_t add_face(Builder *b, int32_t i, int32_t j, int32_t k) {
    int32_t id = b->spare_count > 0 ? b->spare[--b->spare_count] : b->face_count++;
    Vec3 p = b->points[i], q = b->points[j], r = b->points[k];
    Vec3 n = v3_unit(v3_cross(v3_sub(q, p), v3_sub(r, p)));
    b->faces[id] = (Face){.corner = {i, j, k},
                          .normal = n,
                          .offset = v3_dot(n, v3_scale(1.0 / 3, v3_add(p, v3_add(q, r)))),
                          .list = -1,
                          .alive = true,
                          .group = -1};
    return id;
}

// assigns each point of a list to one of the given faces that is visible from it
static void hand_out(Builder *b, int32_t list, const int32_t *faces, int32_t face_count) {
    for (int32_t p = list, next; p >= 0; p = next) {
        next = b->link[p];
        int32_t best = -1;
        double max = b->tolerance;
        for (int32_t i = 0; i < face_count; i++) {
            double h = height(b, &b->faces[faces[i]], p);
            if (h > max) {
                max = h;
                best = faces[i];
            }
        }
        if (best >= 0) {
            b->link[p] = b->faces[best].list;
            b->faces[best].list = p;
        }
    }
}

// four points with a large volume, by a greedy choice; false: they are coplanar
static bool first_corners(const Builder *b, int32_t corner[4]) {
    for (int k = 0; k < 4; k++) {
        int32_t best = 0;
        double max = -1;
        for (int32_t i = 0; i < b->count; i++) {
            Vec3 p = b->points[i];
            double measure;
            Vec3 a = b->points[corner[0]], u = v3_sub(p, a);
            if (k == 0) {
                measure = p.x - b->points[0].x + b->size;
            } else if (k == 1) {
                measure = v3_norm(u);
            } else {
                Vec3 e = v3_unit(v3_sub(b->points[corner[1]], a));
                Vec3 n = v3_sub(b->points[corner[2]], a);
                measure =
                    k == 2 ? v3_norm(v3_cross(e, u)) : fabs(v3_dot(v3_unit(v3_cross(e, n)), u));
            }
            if (measure > max) {
                max = measure;
                best = i;
            }
        }
        // a flatter set has no usable inside
        if (k > 0 && !(max > 1e-9 * b->size))
            return false;
        corner[k] = best;
        if (k == 0)
            corner[1] = corner[2] = best;
    }
    return true;
}

static void begin(Builder *b, const int32_t corner[4]) {
    int32_t c[4] = {corner[0], corner[1], corner[2], corner[3]};
    Vec3 p = b->points[c[0]];
    Vec3 n = v3_cross(v3_sub(b->points[c[1]], p), v3_sub(b->points[c[2]], p));
    if (v3_dot(n, v3_sub(b->points[c[3]], p)) > 0) {
        c[1] = corner[2];
        c[2] = corner[1];
    }
    int32_t id[4] = {add_face(b, c[0], c[1], c[2]), add_face(b, c[0], c[3], c[1]),
                     add_face(b, c[1], c[3], c[2]), add_face(b, c[2], c[3], c[0])};
    int32_t next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            b->faces[id[i]].next[k] = id[next[i][k]];
    for (int32_t i = 0; i < b->count; i++)
        b->link[i] = i + 1 < b->count ? i + 1 : -1;
    hand_out(b, 0, id, 4);
}

// the farthest point of a face; among equals the one farthest from its first corner, so that
// corners of flat sides come before points inside them
static int32_t farthest(const Builder *b, const Face *face) {
    int32_t best = -1;
    double max = -1, aside = -1;
    for (int32_t p = face->list; p >= 0; p = b->link[p]) {
        double h = height(b, face, p), d = v3_distance(b->points[p], b->points[face->corner[0]]);
        bool equal = fabs(h - max) <= b->tolerance;
        if ((!equal && h > max) || (equal && (d > aside || (d == aside && p < best)))) {
            max = h;
            aside = d;
            best = p;
        }
    }
    return best;
}

// faces connected to `first` that are visible from the point; returns their number
static int32_t find_seen(Builder *b, int32_t first, int32_t point, double limit) {
    int32_t count = 0, depth = 0;
    b->step++;
    b->faces[first].mark = b->step;
    b->stack[depth++] = first;
    while (depth > 0) {
        int32_t id = b->stack[--depth];
        b->seen[count++] = id;
        for (int k = 0; k < 3; k++) {
            Face *other = &b->faces[b->faces[id].next[k]];
            if (other->mark == b->step || height(b, other, point) <= limit)
                continue;
            other->mark = b->step;
            b->stack[depth++] = b->faces[id].next[k];
        }
    }
    return count;
}

// edges between visible and other faces; -1 when they are not one simple loop or a triangle from
// the point to one of them would have no area
static int32_t find_rim(Builder *b, int32_t seen_count, int32_t point) {
    int32_t count = 0;
    bool simple = true;
    for (int32_t i = 0; i < seen_count; i++)
        for (int k = 0; k < 3; k++) {
            const Face *face = &b->faces[b->seen[i]];
            if (b->faces[face->next[k]].mark == b->step)
                continue;
            int32_t from = face->corner[k], to = face->corner[(k + 1) % 3];
            Vec3 n = v3_cross(v3_sub(b->points[to], b->points[from]),
                              v3_sub(b->points[point], b->points[from]));
            simple &= b->start[from] < 0 && v3_norm(n) > 1e-13 * b->size * b->size;
            b->start[from] = count;
            b->horizon_face[count] = b->seen[i];
            b->horizon_edge[count++] = k;
        }
    // one loop: following ends to starts visits every edge
    int32_t visited = 0, at = 0;
    while (simple && visited < count) {
        const Face *face = &b->faces[b->horizon_face[at]];
        int32_t to = face->corner[(b->horizon_edge[at] + 1) % 3];
        at = b->start[to];
        visited++;
        if (at < 0 || (at == 0 && visited < count))
            simple = false;
    }
    for (int32_t i = 0; i < count; i++)
        b->start[b->faces[b->horizon_face[i]].corner[b->horizon_edge[i]]] = -1;
    return simple && count >= 3 ? count : -1;
}

static void fill_hole(Builder *b, int32_t seen_count, int32_t rim_count, int32_t point) {
    // the new triangles, linked to the faces beyond the horizon
    int32_t *made = b->stack;
    for (int32_t i = 0; i < rim_count; i++) {
        const Face old = b->faces[b->horizon_face[i]];
        int k = b->horizon_edge[i];
        int32_t from = old.corner[k], to = old.corner[(k + 1) % 3], beyond = old.next[k];
        made[i] = add_face(b, from, to, point);
        b->start[from] = made[i];
        b->faces[made[i]].next[0] = beyond;
        for (int j = 0; j < 3; j++)
            if (b->faces[beyond].corner[j] == to)
                b->faces[beyond].next[j] = made[i];
    }
    // and linked to each other
    for (int32_t i = 0; i < rim_count; i++) {
        Face *face = &b->faces[made[i]];
        int32_t after = b->start[face->corner[1]];
        face->next[1] = after;
        b->faces[after].next[2] = made[i];
    }
    for (int32_t i = 0; i < rim_count; i++)
        b->start[b->faces[made[i]].corner[0]] = -1;
    // points of the removed faces are assigned to new faces
    for (int32_t i = 0; i < seen_count; i++) {
        Face *face = &b->faces[b->seen[i]];
        face->alive = false;
        hand_out(b, face->list, made, rim_count);
        face->list = -1;
    }
    for (int32_t i = 0; i < seen_count; i++)
        b->spare[b->spare_count++] = b->seen[i];
}

static void drop_point(Builder *b, Face *face, int32_t point) {
    int32_t *at = &face->list;
    while (*at != point)
        at = &b->link[*at];
    *at = b->link[point];
}

static void grow(Builder *b, double limit) {
    bool more = true;
    while (more) {
        more = false;
        for (int32_t i = 0; i < b->face_count; i++) {
            if (!b->faces[i].alive || b->faces[i].list < 0)
                continue;
            more = true;
            int32_t point = farthest(b, &b->faces[i]);
            drop_point(b, &b->faces[i], point);
            int32_t seen_count = find_seen(b, i, point, limit);
            int32_t rim_count = find_rim(b, seen_count, point);
            if (rim_count > 0)
                fill_hole(b, seen_count, rim_count, point);
        }
    }
}

// --- merging -------------------------------------------------------------------------------------

static bool same_plane(const Builder *b, const Face *seed, const Face *face) {
    if (v3_dot(seed->normal, face->normal) < 0)
        return false;
    for (int k = 0; k < 3; k++)
        if (fabs(height(b, seed, face->corner[k])) > 1e-9 * b->size)
            return false;
    return true;
}

static double area(const Builder *b, const Face *face) {
    Vec3 p = b->points[face->corner[0]];
    return v3_norm(
        v3_cross(v3_sub(b->points[face->corner[1]], p), v3_sub(b->points[face->corner[2]], p)));
}

// groups of connected triangles in the plane of their largest one; returns their number
static int32_t merge(Builder *b) {
    int32_t alive = 0, groups = 0;
    int32_t *order = b->seen;
    for (int32_t i = 0; i < b->face_count; i++)
        if (b->faces[i].alive)
            order[alive++] = i;
    // largest first (shell sort; ties by number)
    for (int32_t step = alive / 2; step > 0; step /= 2)
        for (int32_t i = step; i < alive; i++)
            for (int32_t j = i; j >= step; j -= step) {
                int32_t u = order[j - step], v = order[j];
                double au = area(b, &b->faces[u]), av = area(b, &b->faces[v]);
                if (au > av || (au == av && u < v))
                    break;
                order[j] = u;
                order[j - step] = v;
            }
    for (int32_t i = 0; i < alive; i++) {
        if (b->faces[order[i]].group >= 0)
            continue;
        const Face *seed = &b->faces[order[i]];
        int32_t depth = 0;
        b->faces[order[i]].group = groups;
        b->stack[depth++] = order[i];
        while (depth > 0) {
            const Face *face = &b->faces[b->stack[--depth]];
            for (int k = 0; k < 3; k++) {
                Face *other = &b->faces[face->next[k]];
                if (other->group >= 0 || !same_plane(b, seed, other))
                    continue;
                other->group = groups;
                b->stack[depth++] = face->next[k];
            }
        }
        // the plane of its seed is used for the whole group
        b->horizon_face[groups++] = order[i];
    }
    return groups;
}

// --- the check -----------------------------------------------------------------------------------

// a tree of boxes over the points: each is a triangle without size
typedef struct Cloud {
    LitheBoxNode *nodes; // [2*count]
    int32_t *order;      // [count]
    int32_t *triangles;  // [count][3]
    Vec3 *centres;       // [count]
} Cloud;

static bool make_cloud(LitheContext *context, const Builder *b, Cloud *cloud) {
    cloud->nodes = lithe_alloc_array(context, 2 * (int64_t)b->count, sizeof *cloud->nodes);
    cloud->order = lithe_alloc_array(context, b->count, sizeof *cloud->order);
    cloud->triangles = lithe_alloc_array(context, 3 * (int64_t)b->count, sizeof *cloud->triangles);
    cloud->centres = lithe_alloc_array(context, b->count, sizeof *cloud->centres);
    if (!cloud->nodes || !cloud->order || !cloud->triangles || !cloud->centres)
        return false;
    for (int32_t i = 0; i < 3 * b->count; i++)
        cloud->triangles[i] = i / 3;
    lithe_mesh_tree_build(b->points, cloud->triangles, b->count, cloud->nodes, cloud->order,
                          cloud->centres);
    return true;
}

static void free_cloud(LitheContext *context, Cloud *cloud) {
    lithe_free(context, cloud->nodes);
    lithe_free(context, cloud->order);
    lithe_free(context, cloud->triangles);
    lithe_free(context, cloud->centres);
}

// largest height of the points above a face, if it exceeds `worst`
static double highest(const Builder *b, const Cloud *cloud, const Face *face, double worst) {
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    Vec3 n = face->normal;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &cloud->nodes[stack[--depth]];
        Vec3 corner = v3(n.x > 0 ? node->box.high.x : node->box.low.x,
                         n.y > 0 ? node->box.high.y : node->box.low.y,
                         n.z > 0 ? node->box.high.z : node->box.low.z);
        // the tolerance is larger than rounding here
        if (v3_dot(n, corner) - face->offset <= worst - b->tolerance)
            continue;
        for (int32_t i = 0; i < node->count; i++)
            worst = fmax(worst, height(b, face, cloud->order[node->first + i]));
        if (node->count == 0) {
            LITHE_ASSERT(depth + 2 <= LITHE_TREE_STACK);
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return worst;
}

// max distance of points outside the planes of the groups; at least `enough`
static double worst_outside(const Builder *b, const Cloud *cloud, int32_t groups, double enough) {
    double worst = enough;
    for (int32_t g = 0; g < groups; g++)
        worst = highest(b, cloud, &b->faces[b->horizon_face[g]], worst);
    return worst;
}

// --- the result ----------------------------------------------------------------------------------

static LitheHull *allocate_hull(LitheContext *context, int32_t points, int32_t faces,
                                int32_t corners) {
    size_t bytes = sizeof(LitheHull) + sizeof(Vec3) * (size_t)(points + faces) +
                   sizeof(double) * (size_t)faces + sizeof(int32_t) * (size_t)(faces + 1 + corners);
    LitheHull *hull = lithe_alloc(context, bytes);
    if (!hull)
        return NULL;
    hull->points = (Vec3 *)(hull + 1);
    hull->face_normal = hull->points + points;
    hull->face_offset = (double *)(hull->face_normal + faces);
    hull->face_start = (int32_t *)(hull->face_offset + faces);
    hull->face_points = hull->face_start + faces + 1;
    return hull;
}

// the faces of each group in a list, by number: first of each, then the next of each face
static void list_groups(const Builder *b, int32_t groups, int32_t *first, int32_t *next) {
    for (int32_t g = 0; g < groups; g++)
        first[g] = -1;
    for (int32_t i = b->face_count - 1; i >= 0; i--)
        if (b->faces[i].alive) {
            next[i] = first[b->faces[i].group];
            first[b->faces[i].group] = i;
        }
}

// writes the hull: the loop of border edges around each group
static LitheHull *write_hull(LitheContext *context, Builder *b, int32_t groups) {
    LitheHull *hull = allocate_hull(context, b->count, groups, 3 * b->face_count);
    if (!hull)
        return NULL;
    int32_t *number = b->link; // of each point among the corners of the hull
    for (int32_t i = 0; i < b->count; i++)
        number[i] = -1;
    hull->face_count = groups;
    int32_t *first_of = b->stack, *next_of = b->seen;
    list_groups(b, groups, first_of, next_of);
    int32_t at = 0;
    for (int32_t g = 0; g < groups; g++) {
        // border edges: start[point] is where the edge from it ends
        int32_t first = -1, edges = 0;
        for (int32_t i = first_of[g]; i >= 0; i = next_of[i])
            for (int k = 0; k < 3; k++) {
                const Face *face = &b->faces[i];
                if (b->faces[face->next[k]].group == g)
                    continue;
                first = face->corner[k];
                b->start[first] = face->corner[(k + 1) % 3];
                edges++;
            }
        const Face *seed = &b->faces[b->horizon_face[g]];
        hull->face_start[g] = at;
        hull->face_normal[g] = seed->normal;
        hull->face_offset[g] = seed->offset;
        for (int32_t p = first, n = 0; n < edges; p = b->start[p], n++) {
            if (number[p] < 0) {
                number[p] = hull->point_count;
                hull->points[hull->point_count++] = b->points[p];
            }
            hull->face_points[at++] = number[p];
            if (b->start[p] == first)
                break;
        }
    }
    hull->face_start[groups] = at;
    return hull;
}

// --- entry ---------------------------------------------------------------------------------------

static bool allocate_builder(LitheContext *context, Builder *b) {
    int64_t n = b->face_capacity;
    b->faces = lithe_alloc_array(context, n, sizeof(Face));
    b->spare = lithe_alloc_array(context, n, sizeof(int32_t));
    b->stack = lithe_alloc_array(context, n, sizeof(int32_t));
    b->seen = lithe_alloc_array(context, n, sizeof(int32_t));
    b->horizon_face = lithe_alloc_array(context, n, sizeof(int32_t));
    b->horizon_edge = lithe_alloc_array(context, n, sizeof(int32_t));
    b->link = lithe_alloc_array(context, b->count, sizeof(int32_t));
    b->start = lithe_alloc_array(context, b->count, sizeof(int32_t));
    return b->faces && b->spare && b->stack && b->seen && b->horizon_face && b->horizon_edge &&
           b->link && b->start;
}

static void free_builder(LitheContext *context, Builder *b) {
    lithe_free(context, b->faces);
    lithe_free(context, b->spare);
    lithe_free(context, b->stack);
    lithe_free(context, b->seen);
    lithe_free(context, b->horizon_face);
    lithe_free(context, b->horizon_edge);
    lithe_free(context, b->link);
    lithe_free(context, b->start);
}

static LitheStatus run(LitheContext *context, Builder *b, const Cloud *cloud, LitheHull **out,
                       LitheError *error) {
    int32_t corner[4] = {0};
    if (!first_corners(b, corner))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "convex mesh: its %d points lie in one plane (within 1e-9 of their size)",
                          b->count);
    // faces in the plane of a new point are kept; if that leaves a point outside, they are removed
    double limit[] = {b->tolerance, -b->tolerance}, worst = INFINITY, enough = 1e-10 * b->size;
    int32_t groups = 0;
    for (int attempt = 0; attempt < 2 && worst > enough; attempt++) {
        b->face_count = b->spare_count = b->step = 0;
        for (int32_t i = 0; i < b->count; i++)
            b->start[i] = -1;
        begin(b, corner);
        grow(b, limit[attempt]);
        groups = merge(b);
        worst = worst_outside(b, cloud, groups, enough);
    }
    if (worst > 1e-8 * b->size)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "convex mesh: points lie too close to common planes to find their hull: "
                          "one lies %g m outside",
                          worst);
    LitheHull *hull = write_hull(context, b, groups);
    if (!hull)
        return lithe_fail_memory(error, "a convex mesh");
    *out = hull;
    return LITHE_OK;
}

LitheStatus lithe_hull_create(LitheContext *context, const Vec3 *points, int32_t count,
                              LitheHull **out, LitheError *error) {
    if (count < 4 || count > INT32_MAX / 64)
        return lithe_fail(error, LITHE_BAD_INPUT, "convex mesh: %d points, must be 4 to %d", count,
                          INT32_MAX / 64);
    Vec3 low = points[0], high = points[0];
    for (int32_t i = 1; i < count; i++) {
        low = v3_min(low, points[i]);
        high = v3_max(high, points[i]);
    }
    Builder b = {.points = points,
                 .count = count,
                 .size = v3_distance(low, high),
                 .face_capacity = 4 * count + 16};
    b.tolerance = 1e-12 * (b.size + v3_norm(low) * 1e-3);
    Cloud cloud = {0};
    LitheStatus status = allocate_builder(context, &b) && make_cloud(context, &b, &cloud)
                             ? run(context, &b, &cloud, out, error)
                             : lithe_fail_memory(error, "a convex mesh");
    free_cloud(context, &cloud);
    free_builder(context, &b);
    return status;
}

void lithe_hull_destroy(LitheContext *context, LitheHull *hull) {
    lithe_free(context, hull);
}
