// SPDX-License-Identifier: Apache-2.0
// body/poke.c - shapes of bodies that poke into soft solids between the nodes of their surface

#include "body/poke.h"

#include "body/tree_body.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdlib.h>

// A shape that touches the nodes around it lies below the flat triangles between them by an eighth
// of an edge where its radius is that of an edge. What is deeper than this fraction has passed.
#define DEEP 0.25
// what is left of a depth by which the box around a solid shrinks, for rounding
#define SHRUNK (1 - 1e-6)

// points between two opposite extreme points, and most points of a mesh
enum { BETWEEN = 7, MOST_CORNERS = 384, MOST_POINTS = 26 + 13 * BETWEEN + MOST_CORNERS };

typedef struct Box {
    Vec3 low, high;
} Box;

static bool is_in(const Box *box, Vec3 x) {
    return x.x >= box->low.x && x.y >= box->low.y && x.z >= box->low.z && x.x <= box->high.x &&
           x.y <= box->high.y && x.z <= box->high.z;
}

static bool overlap(const Box *a, const Box *b) {
    return a->low.x <= b->high.x && a->low.y <= b->high.y && a->low.z <= b->high.z &&
           b->low.x <= a->high.x && b->low.y <= a->high.y && b->low.z <= a->high.z;
}

static void grow(Box *box, Vec3 x) {
    box->low = v3_min(box->low, x);
    box->high = v3_max(box->high, x);
}

// The box of the points of a solid that are deeper than a depth: its surface is nearer to a point
// than the box around it.
static Box shrunk(Box box, double depth) {
    Vec3 by = v3(depth * SHRUNK, depth * SHRUNK, depth * SHRUNK);
    return (Box){v3_add(box.low, by), v3_sub(box.high, by)};
}

// directions of the planes that cut edges and corners off a box
enum { SLANTED = 10 };
static const Vec3 slanted[SLANTED] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1}, {0, 1, 1},
                                      {0, 1, -1}, {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

// Where the points of a solid are that are deeper than a depth.
typedef struct Region {
    Box box;
    bool cut; // the planes are known
    double low[SLANTED], high[SLANTED];
} Region;

static const Box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static Vec3 node_at(const double *x, int32_t node) {
    return v3_load(x + 3 * (int64_t)node);
}

static void cut_region(const LitheSolid *solid, const double *x, double depth, Region *region) {
    for (int k = 0; k < SLANTED; k++) {
        double low = INFINITY, high = -INFINITY, by = depth * SHRUNK * v3_norm(slanted[k]);
        for (int32_t i = 0; i < solid->surface_count; i++) {
            double at = v3_dot(slanted[k], node_at(x, solid->surface[i]));
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        region->low[k] = low + by;
        region->high[k] = high - by;
    }
    region->cut = true;
}

static bool is_cut_off(const Region *region, Vec3 p) {
    for (int k = 0; k < SLANTED; k++) {
        double at = v3_dot(slanted[k], p);
        if (at < region->low[k] || at > region->high[k])
            return true;
    }
    return false;
}

// --- points of a shape ---------------------------------------------------------------------------

// Points of a shape within the box; returns their number.
static int32_t points_of(const LitheGeom *geom, const LithePose *pose, const Box *within,
                         Vec3 points[MOST_POINTS]) {
    int32_t count = 0;
    for (int k = 0; k < 13; k++) { // half of the 26 directions to the neighbours in a grid
        Vec3 d = {(k + 14) / 9 - 1, (k + 14) / 3 % 3 - 1, (k + 14) % 3 - 1};
        Vec3 a = lithe_geom_support(geom, d), b = lithe_geom_support(geom, v3_scale(-1, d));
        a = v3_add(pose->at, q4_rotate(pose->q, a));
        b = v3_add(pose->at, q4_rotate(pose->q, b));
        for (int i = 0; i <= BETWEEN + 1; i++) {
            double s = (double)i / (BETWEEN + 1);
            Vec3 p = v3_add(v3_scale(1 - s, a), v3_scale(s, b));
            // chords of a shape that is not convex may be outside of it
            bool inside = i == 0 || i == BETWEEN + 1 || lithe_geom_is_convex(geom);
            if (inside && is_in(within, p))
                points[count++] = p;
        }
    }
    const Vec3 *corner = geom->kind == LITHE_GEOM_CONVEX_MESH     ? geom->hull->points
                         : geom->kind == LITHE_GEOM_TRIANGLE_MESH ? geom->mesh->points
                                                                  : NULL;
    int32_t corners = !corner                                ? 0
                      : geom->kind == LITHE_GEOM_CONVEX_MESH ? geom->hull->point_count
                                                             : geom->mesh->point_count;
    for (int32_t i = 0; i < corners && count < MOST_POINTS; i++) {
        Vec3 p = v3_add(pose->at, q4_rotate(pose->q, corner[i]));
        if (is_in(within, p))
            points[count++] = p;
    }
    return count;
}

// --- depth ---------------------------------------------------------------------------------------

// whether a point is inside a tetrahedron, whichever way round it is
static bool in_tetrahedron(const Vec3 c[4], Vec3 p) {
    double volume[4];
    for (int k = 0; k < 4; k++) {
        Vec3 d[4] = {c[0], c[1], c[2], c[3]};
        d[k] = p;
        volume[k] = v3_dot(v3_sub(d[1], d[0]), v3_cross(v3_sub(d[2], d[0]), v3_sub(d[3], d[0])));
    }
    bool positive = volume[0] >= 0 && volume[1] >= 0 && volume[2] >= 0 && volume[3] >= 0;
    bool negative = volume[0] <= 0 && volume[1] <= 0 && volume[2] <= 0 && volume[3] <= 0;
    return positive || negative;
}

static double depth_of(const LitheSolid *solid, const double *x, Vec3 p) {
    double nearest = INFINITY;
    for (int32_t t = 0; t < solid->triangle_count; t++) {
        const int32_t *c = solid->triangles + 3 * (int64_t)t;
        Vec3 on =
            lithe_triangle_nearest(node_at(x, c[0]), node_at(x, c[1]), node_at(x, c[2]), p, NULL);
        nearest = fmin(nearest, v3_distance(on, p));
    }
    return nearest;
}

// Depth of the deepest of the points inside the solid; 0: none is.
static double deepest_of(const LitheSolid *solid, const double *x, const Vec3 *points,
                         int32_t count) {
    int32_t width = solid->mesh.nodes_per_element;
    double deepest = 0;
    Box around = nothing;
    for (int32_t i = 0; i < count; i++)
        grow(&around, points[i]);
    for (int32_t e = 0; e < solid->mesh.element_count && count > 0; e++) {
        Vec3 corner[4];
        Box own = nothing;
        for (int k = 0; k < 4; k++) {
            corner[k] = node_at(x, solid->mesh.elements[(int64_t)e * width + k]);
            grow(&own, corner[k]);
        }
        if (!overlap(&own, &around))
            continue;
        for (int32_t i = 0; i < count; i++)
            if (is_in(&own, points[i]) && in_tetrahedron(corner, points[i]))
                deepest = fmax(deepest, depth_of(solid, x, points[i]));
    }
    return deepest;
}

// --- all pairs -----------------------------------------------------------------------------------

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool lithe_is_ignored(const LitheModel *model, LitheThing a, LitheThing b) {
    uint64_t key = lithe_thing_pair(lithe_thing_number(model, a), lithe_thing_number(model, b));
    return model->ignored_count > 0 &&
           bsearch(&key, model->ignored, (size_t)model->ignored_count, sizeof key, by_key) != NULL;
}

// whether a shape is deeper in a solid than `limit`, where the region begins
static bool pokes(const LitheModel *model, const LitheState *state, const LitheSolid *solid,
                  const LitheModelGeom *geom, Pose body, double limit, Region *region,
                  LithePoke *poke) {
    const double *x = state->q + model->units[solid->unit].q_at;
    if (geom->geom.kind == LITHE_GEOM_HALF_SPACE || geom->geom.kind == LITHE_GEOM_HEIGHTFIELD ||
        !(solid->touch.group & geom->touch.mask) || !(geom->touch.group & solid->touch.mask) ||
        lithe_is_ignored(model, poke->thing, poke->body))
        return false;
    LithePose pose = lithe_geom_place(body, geom);
    Vec3 points[MOST_POINTS];
    Box shape;
    lithe_geom_bounds(&geom->geom, &pose, NULL, &shape.low, &shape.high);
    if (!overlap(&shape, &region->box))
        return false;
    int32_t found = points_of(&geom->geom, &pose, &region->box, points), count = 0;
    if (found > 0 && !region->cut)
        cut_region(solid, x, limit, region);
    for (int32_t i = 0; i < found; i++)
        if (!is_cut_off(region, points[i]))
            points[count++] = points[i];
    if (count == 0)
        return false;
    poke->depth = deepest_of(solid, x, points, count);
    return poke->depth > limit;
}

static Box box_of(const LitheSolid *solid, const double *x) {
    Box box = nothing;
    for (int32_t k = 0; k < solid->surface_count; k++)
        grow(&box, node_at(x, solid->surface[k]));
    return box;
}

static LithePoke poke_of(const LitheModel *model, int32_t solid, int32_t geom) {
    return (LithePoke){.thing = {LITHE_THING_SOLID, solid + 1},
                       .edge = model->solids[solid].longest_edge,
                       .body = {LITHE_THING_BODY, model->geoms[geom].body + 1}};
}

bool lithe_find_poke(const LitheModel *model, const LitheState *state, LithePoke *poke) {
    for (int32_t i = 0; model->contact.enabled && i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        const double *x = state->q + model->units[solid->unit].q_at;
        double limit = DEEP * solid->longest_edge;
        Region region = {.box = shrunk(box_of(solid, x), limit)};
        Pose body = pose_identity();
        for (int32_t g = 0; g < model->geom_count; g++) {
            if (g == 0 || model->geoms[g].body != model->geoms[g - 1].body)
                body = lithe_body_place(model, state, model->geoms[g].body);
            *poke = poke_of(model, i, g);
            if (pokes(model, state, solid, &model->geoms[g], body, limit, &region, poke))
                return true;
        }
    }
    return false;
}

// --- at the start --------------------------------------------------------------------------------

// tied things may be made to overlap, (C7)
static bool are_tied(const LitheModel *model, LitheThing a, LitheThing b) {
    uint64_t key = lithe_thing_pair(lithe_thing_number(model, a), lithe_thing_number(model, b));
    for (int32_t i = 0; i < model->tie_zone_count; i++)
        if (model->tie_zones[i].things == key)
            return true;
    return false;
}

bool lithe_next_start_poke(const LitheModel *model, const LitheState *state, double fraction,
                           LithePoke *poke) {
    Box box = nothing;
    int32_t boxed = -1; // the solid whose box it is
    for (int64_t count = model->geom_count, at = poke->next;
         model->contact.enabled && at < count * model->solid_count; at++) {
        int32_t i = (int32_t)(at / count), g = (int32_t)(at % count);
        const LitheSolid *solid = &model->solids[i];
        const LitheModelGeom *geom = &model->geoms[g];
        // a fine surface that touches is not the one of the elements
        if (solid->fine.touches)
            continue;
        double half = 0.5 * fmin(solid->extent.x, fmin(solid->extent.y, solid->extent.z));
        double thinner = fmin(half, geom->size), limit = fraction * thinner;
        if (boxed != i) {
            box = box_of(solid, state->q + model->units[solid->unit].q_at);
            boxed = i;
        }
        Region region = {.box = shrunk(box, limit)};
        *poke = poke_of(model, i, g);
        if (!are_tied(model, poke->thing, poke->body) &&
            pokes(model, state, solid, geom, lithe_body_place(model, state, geom->body), limit,
                  &region, poke)) {
            poke->fraction = poke->depth / thinner;
            // one shape of a body is enough
            while (at + 1 < count * (i + 1) && model->geoms[(at + 1) % count].body == geom->body)
                at++;
            poke->next = at + 1;
            return true;
        }
    }
    return false;
}
