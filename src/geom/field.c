// SPDX-License-Identifier: Apache-2.0
// geom/field.c - pressure fields of shapes: memory, tree of boxes
//
//     (PF3) polygons have the area of the circle, polyhedra the volume of the shape:
//           R = r sqrt(2 pi/(n sin(2 pi/n)))

#include "geom/field.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/distance.h"
#include "geom/field_walk.h"

#include <string.h>

double lithe_polygon_radius(int32_t sectors) {
    double angle = 2 * M_PI / sectors;
    return sqrt(angle / sin(angle));
}

int32_t lithe_field_sectors(double radius, double sagitta) {
    double ratio = sagitta > 0 ? sagitta / radius : 1;
    double count = ratio < 1 ? ceil(M_PI / acos(1 - ratio)) : LITHE_SECTORS;
    count = 4 * ceil(0.25 * fmin(count, LITHE_SECTORS_MAX));
    return count > LITHE_SECTORS ? (int32_t)count : LITHE_SECTORS;
}

// --- growing -------------------------------------------------------------------------------------

int32_t lithe_field_point(LithePressureField *f, Vec3 x, double depth) {
    int64_t count = (int64_t)f->point_count + 1;
    if (!LITHE_RESERVE(f->context, f->points, f->point_capacity, count) ||
        !LITHE_RESERVE(f->context, f->depths, f->depth_capacity, count))
        return -1;
    f->points[f->point_count] = x;
    f->depths[f->point_count] = depth;
    return f->point_count++;
}

bool lithe_field_add_tet(LithePressureField *f, int32_t a, int32_t b, int32_t c, int32_t d) {
    if (a < 0 || b < 0 || c < 0 || d < 0)
        return false;
    int64_t end = 4 * ((int64_t)f->tet_count + 1);
    LitheFieldTet tet;
    const int32_t corners[4] = {a, b, c, d};
    Vec3 x[4];
    double depth[4];
    for (int k = 0; k < 4; k++) {
        x[k] = f->points[corners[k]];
        depth[k] = f->depths[corners[k]];
    }
    if (!lithe_field_tet(x, depth, &tet)) // where inner points coincide
        return true;
    if (!LITHE_RESERVE(f->context, f->tets, f->tet_capacity, end))
        return false;
    for (int k = 0; k < 4; k++)
        f->tets[end - 4 + k] = corners[k];
    f->tet_count++;
    return true;
}

bool lithe_field_add_triangle(LithePressureField *f, int32_t a, int32_t b, int32_t c) {
    int64_t end = 3 * ((int64_t)f->triangle_count + 1);
    if (a < 0 || b < 0 || c < 0 ||
        !LITHE_RESERVE(f->context, f->triangles, f->triangle_capacity, end))
        return false;
    f->triangles[end - 3] = a;
    f->triangles[end - 2] = b;
    f->triangles[end - 1] = c;
    f->triangle_count++;
    return true;
}

bool lithe_field_add_section(LithePressureField *f, const LitheMeridian corner[3]) {
    const LitheMeridian *a = &corner[0], *b = &corner[1], *c = &corner[2];
    if ((b->r - a->r) * (c->z - a->z) == (c->r - a->r) * (b->z - a->z)) // two coincide
        return true;
    if (!LITHE_RESERVE(f->context, f->sections, f->section_capacity, (int64_t)f->section_count + 1))
        return false;
    memcpy(f->sections[f->section_count++], corner, sizeof *f->sections);
    return true;
}

bool lithe_field_add_outline(LithePressureField *f, double r, double z) {
    if (!LITHE_RESERVE(f->context, f->outline, f->outline_capacity, (int64_t)f->outline_count + 1))
        return false;
    f->outline[f->outline_count++] = (LitheMeridian){r, z, 0};
    return true;
}

double lithe_field_volume(const LithePressureField *f) {
    double sum = 0;
    for (int32_t i = 0; i < f->tet_count; i++) {
        const int32_t *t = f->tets + 4 * (int64_t)i;
        Vec3 a = v3_sub(f->points[t[1]], f->points[t[0]]);
        Vec3 b = v3_sub(f->points[t[2]], f->points[t[0]]);
        Vec3 c = v3_sub(f->points[t[3]], f->points[t[0]]);
        sum += fabs(v3_dot(a, v3_cross(b, c))) / 6;
    }
    return sum;
}

// --- tree ----------------------------------------------------------------------------------------

typedef struct Growth {
    LithePressureField *field;
    LitheBox *boxes; // of the elements
    Vec3 *middles;   // twice those of the boxes
} Growth;

static void grow(Growth *g, int32_t node, int32_t first, int32_t count) {
    LithePressureField *f = g->field;
    LitheBox box = g->boxes[f->order[first]];
    for (int32_t i = first; i < first + count; i++) {
        const LitheBox *one = &g->boxes[f->order[i]];
        box.low = v3_min(box.low, one->low);
        box.high = v3_max(box.high, one->high);
    }
    f->nodes[node] = (LitheBoxNode){box, first, count};
    if (count <= LITHE_FIELD_LEAF)
        return;
    int32_t half = count / 2, child = f->node_count;
    lithe_halve(g->middles, f->order + first, count, half, false);
    f->node_count += 2;
    f->nodes[node].first = child;
    f->nodes[node].count = 0;
    grow(g, child, first, half);
    grow(g, child + 1, first + half, count - half);
}

static bool make_tree(LithePressureField *f) {
    bool rigid = f->modulus == 0;
    int32_t count = rigid ? f->triangle_count : f->tet_count, corners = rigid ? 3 : 4;
    const int32_t *elements = rigid ? f->triangles : f->tets;
    if (count == 0)
        return true;
    LitheBox *boxes = lithe_alloc_array(f->context, count, sizeof *boxes);
    Vec3 *middles = lithe_alloc_array(f->context, count, sizeof *middles);
    f->nodes = lithe_alloc_array(f->context, 2 * (int64_t)count, sizeof *f->nodes);
    f->order = lithe_alloc_array(f->context, count, sizeof *f->order);
    bool ok = boxes && middles && f->nodes && f->order;
    for (int32_t i = 0; ok && i < count; i++) {
        f->order[i] = i;
        const int32_t *e = elements + corners * (int64_t)i;
        boxes[i] = (LitheBox){f->points[e[0]], f->points[e[0]]};
        for (int32_t k = 1; k < corners; k++) {
            boxes[i].low = v3_min(boxes[i].low, f->points[e[k]]);
            boxes[i].high = v3_max(boxes[i].high, f->points[e[k]]);
        }
        middles[i] = v3_add(boxes[i].low, boxes[i].high);
    }
    if (ok) {
        f->node_count = 1;
        grow(&(Growth){f, boxes, middles}, 0, 0, count);
    }
    lithe_free(f->context, middles);
    lithe_free(f->context, boxes);
    return ok;
}

// --- the whole -----------------------------------------------------------------------------------

static bool make_ready(LithePressureField *f) {
    f->ready = lithe_alloc_array(f->context, f->tet_count, sizeof *f->ready);
    for (int32_t i = 0; f->ready && i < f->tet_count; i++) {
        Vec3 x[4];
        double pressure[4];
        for (int k = 0; k < 4; k++) {
            int32_t at = f->tets[4 * (int64_t)i + k];
            x[k] = f->points[at];
            pressure[k] = f->modulus * f->depths[at];
        }
        lithe_field_tet(x, pressure, &f->ready[i]);
    }
    return f->ready != NULL;
}

static bool make_normals(LithePressureField *f) {
    f->normals = lithe_alloc_array(f->context, f->triangle_count, sizeof *f->normals);
    for (int32_t i = 0; f->normals && i < f->triangle_count; i++) {
        const int32_t *t = f->triangles + 3 * (int64_t)i;
        f->normals[i] = v3_unit(v3_cross(v3_sub(f->points[t[1]], f->points[t[0]]),
                                         v3_sub(f->points[t[2]], f->points[t[0]])));
    }
    return f->normals != NULL;
}

// (PF3) corners of polyhedra of the true volume lie outside of round shapes; those of meshes and
// hulls are corners of the shape
static double excess_of(const LithePressureField *f, const LitheGeom *geom) {
    LitheGeom ball = lithe_geom_ball(0);
    LithePose own = place_identity(), at = own;
    double most = 0;
    for (int32_t i = 0; i < f->point_count && !geom->mesh && !geom->hull; i++) {
        LitheClosest closest;
        if (f->depths[i] > 0)
            continue;
        at.at = f->points[i];
        lithe_geom_distance(geom, &own, &ball, &at, &closest);
        most = fmax(most, closest.distance);
    }
    return most;
}

LitheStatus lithe_field_create(LitheContext *context, const LitheGeom *geom, double modulus,
                               int32_t sectors, LithePressureField **out, LitheError *error) {
    *out = NULL;
    LithePressureField *f = lithe_alloc(context, sizeof *f);
    if (!f)
        return lithe_fail_memory(error, "a pressure field");
    f->context = context;
    f->modulus = modulus;
    bool unseen = false;
    bool ok = lithe_field_fill(f, geom, sectors, &unseen);
    if (ok && modulus == 0)
        f->tet_count = 0;
    ok = ok && make_normals(f) && (modulus == 0 || make_ready(f)) && make_tree(f) &&
         lithe_field_widen(f);
    if (ok) {
        f->excess = excess_of(f, geom);
        *out = f;
        return LITHE_OK;
    }
    lithe_field_destroy(f);
    if (unseen)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "has no point inside that sees its whole surface, and so no pressure "
                          "field (use several convex shapes)");
    return lithe_fail_memory(error, "a pressure field");
}

void lithe_field_destroy(LithePressureField *f) {
    if (!f)
        return;
    void *blocks[] = {f->points, f->depths, f->tets, f->triangles, f->ready,    f->normals,
                      f->nodes,  f->order,  f->wide, f->blocks,    f->sections, f->outline};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(f->context, blocks[k]);
    lithe_free(f->context, f);
}
