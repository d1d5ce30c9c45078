// SPDX-License-Identifier: Apache-2.0
// collide/combine.c - stiffness, dissipation and friction of two things that touch
//
//     (C6)  k = kA kB/(kA + kB),  d = (kB dA + kA dB)/(kA + kB),  mu = 2 muA muB/(muA + muB)
// where materials give a stiffness; a thing without one has the compliance of an elastic body that
// touches over a spot of the pair's size:
//     (C8)  1/kA = (1 - nuA^2)/(EA R),  1/R = 1/RA + 1/RB
// and unless both stiffnesses are given, k is at least
//     (C9)  m g/(0.01 t), m and t mass and thickness of either thing: the overlap of a thing at
//           rest is then below 1 % of its thickness, whatever its modulus; a stiffness given
//           for one of the things is an upper bound of this value
// An entry for a pair of materials in the scene replaces the values that it gives.
// docs/theory/collision.md. Points of surfaces have a stiffness per area, with the layer L of the
// surface and the half thickness R of the shape:
//     (S30) 1/k = (1/EA* + 1/EB*) min(L, R/10),  E* = E/(1 - nu^2);  a given stiffness K counts as
//           K/W, W the area of the surface on which it acts in full
//     (S31) area of a contact: sum of a/3 max(0, -m.n) over the triangles around the node, a their
//           areas at rest, m their outer normals now, n the normal towards the node; at least a
//           tenth of the sum of a/3
//     (S34) faces of six nodes: a/20 at corners, 2 a/15 at midpoints, 9 a/20 at the middle, which
//           touches, too; a the area of the face
// docs/theory/solids.md. Triangles of two surfaces:
//     (SC4) k as in (S30) with the smaller thickness of both layers
// Nodes that touch boxes:
//     (SC28) each term of (S31) times 1 - f (1 - c),  c the part of it that is over the face of the
//            box, f 1 where the triangle lies flat on it
// docs/theory/surfaces.md.

#include "collide/part.h"

#include "geom/overlay.h"

#include <math.h>

// R of two unbounded shapes [m]
#define ENDLESS_SIZE 1.0
// (S30): a thicker layer would be felt through thin shapes
#define LAYER_FRACTION 0.1
// (S31): the tip of a needle, all of whose triangles are along the normal, is not without a contact
#define LEAST_AREA 0.1
// (SC28) cosines of the angle between a triangle and a panel of a box from which on it lies flat in
// part, above those that two panels can have at once, and as a whole
#define FLAT_NONE 0.75
#define FLAT_ALL 0.9

// friction of a pair: 0 if one of the two has none
static double pair_of(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

// (C8)
static double stiffness_of(const LitheTouch *touch, double size) {
    return touch->stiffness > 0 ? touch->stiffness : touch->modulus * size;
}

static void set_springs(const LitheTouch *x, double size_x, const LitheTouch *y, double size_y,
                        LitheContact *contact) {
    double kx = x->stiffness, ky = y->stiffness, least = 0;
    if (!(kx > 0 && ky > 0)) {
        double inverse = 1 / size_x + 1 / size_y;
        double size = inverse > 0 ? 1 / inverse : ENDLESS_SIZE;
        double given = kx > 0 ? kx : ky > 0 ? ky : INFINITY;
        least = fmin(fmax(x->least, y->least), given);
        kx = stiffness_of(x, size);
        ky = stiffness_of(y, size);
    }
    double k = kx + ky;
    contact->stiffness = fmax(kx * ky / k, least);
    contact->dissipation = (ky * x->dissipation + kx * y->dissipation) / k;
}

static const LitheMaterialPair *find_pair(const LitheModel *model, int32_t a, int32_t b) {
    uint64_t key = lithe_thing_pair(a, b);
    int32_t low = 0, high = model->material_pair_count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (model->material_pairs[half].materials < key)
            low = half + 1;
        else
            high = half;
    }
    bool found = low < model->material_pair_count && model->material_pairs[low].materials == key;
    return found ? &model->material_pairs[low] : NULL;
}

static void replace(double given, double *value) {
    if (given >= 0)
        *value = given;
}

// friction and the values of pairs of materials; `per` scales their stiffness
static void set_pair(const LitheModel *model, const LitheTouch *x, const LitheTouch *y, double per,
                     LitheContact *contact) {
    contact->friction = pair_of(x->friction, y->friction);
    contact->torsional = pair_of(x->torsional, y->torsional);
    contact->rolling = pair_of(x->rolling, y->rolling);
    if (model->material_pair_count == 0 || x->material < 0 || y->material < 0)
        return;
    const LitheMaterialPair *pair = find_pair(model, x->material, y->material);
    if (!pair)
        return;
    if (pair->stiffness >= 0)
        contact->stiffness = per * pair->stiffness;
    replace(pair->dissipation, &contact->dissipation);
    replace(pair->friction, &contact->friction);
    // no torsional and rolling friction where torques do not act on a thing
    if (x->turns && y->turns) {
        replace(pair->torsional, &contact->torsional);
        replace(pair->rolling, &contact->rolling);
    }
}

void lithe_combine(const LitheModel *model, const LitheTouch *x, double size_x, const LitheTouch *y,
                   double size_y, LitheContact *contact) {
    set_springs(x, size_x, y, size_y, contact);
    set_pair(model, x, y, 1, contact);
}

void lithe_combine_surface(const LitheModel *model, const LitheTouch *x, double half,
                           const LitheTouch *y, const LitheSurface *surface,
                           LitheContact *contact) {
    double per = 1 / surface->whole, layer = fmin(surface->layer, LAYER_FRACTION * half);
    double kx = x->stiffness > 0 ? per * x->stiffness : x->modulus / layer;
    double ky = y->stiffness > 0 ? per * y->stiffness : y->modulus / layer;
    contact->stiffness = kx * ky / (kx + ky);
    contact->dissipation = (ky * x->dissipation + kx * y->dissipation) / (kx + ky);
    set_pair(model, x, y, per, contact);
}

void lithe_combine_surfaces(const LitheModel *model, const LitheTouch *x,
                            const LitheSurface *surface_x, const LitheTouch *y,
                            const LitheSurface *surface_y, LitheContact *contact) {
    double layer = fmin(surface_x->layer, surface_y->layer);
    double kx = x->stiffness > 0 ? x->stiffness / surface_x->whole : x->modulus / layer;
    double ky = y->stiffness > 0 ? y->stiffness / surface_y->whole : y->modulus / layer;
    contact->stiffness = kx * ky / (kx + ky);
    contact->dissipation = (ky * x->dissipation + kx * y->dissipation) / (kx + ky);
    set_pair(model, x, y, 1 / fmin(surface_x->whole, surface_y->whole), contact);
}

// a triangle at a node of a surface: its part of the area of the node, and of that, what faces the
// direction from which the node is touched [m^2]
typedef struct AreaPart {
    Vec3 x[3], across; // corners; twice the area, along the outer normal
    double area, twice, facing;
} AreaPart;

// (S34) area of a face of six nodes at rest
static double area_of_six(const LitheSurface *surface, int32_t face) {
    const double *part = surface->face_areas + 4 * (int64_t)face;
    return part[0] + part[1] + part[2] + part[3];
}

// the part of a node in the area of a triangle; `six`: by (S34), a third of it for a midpoint,
// which has three triangles of a face
static double share_in(const LitheSurface *surface, int32_t face, int32_t node, bool six) {
    int32_t part = face % 4, corner = surface->triangles[3 * (int64_t)face + (part < 3 ? part : 0)];
    if (!six)
        return surface->face_areas[face] / 3;
    return (part < 3 && corner == node ? 1.0 / 20 : 2.0 / 45) * area_of_six(surface, face / 4);
}

static AreaPart part_of(const LitheSurface *surface, int32_t face, double area, const double *x,
                        Vec3 normal) {
    const int32_t *t = surface->triangles + 3 * (int64_t)face;
    AreaPart part = {.area = area};
    for (int k = 0; k < 3; k++)
        part.x[k] = v3_load(x + 3 * (int64_t)t[k]);
    part.across = v3_cross(v3_sub(part.x[1], part.x[0]), v3_sub(part.x[2], part.x[0]));
    part.twice = v3_norm(part.across);
    double towards = -v3_dot(part.across, normal);
    if (towards > 0 && part.twice > 0)
        part.facing = part.area * (towards / part.twice);
    return part;
}

double lithe_surface_area(const LitheSurface *surface, int32_t node, const double *x, Vec3 normal) {
    double facing = 0, around = 0;
    for (int32_t k = surface->face_at[node]; k < surface->face_at[node + 1]; k++) {
        int32_t face = surface->faces[k];
        AreaPart part =
            part_of(surface, face, share_in(surface, face, node, surface->middles), x, normal);
        around += part.area;
        facing += part.facing;
    }
    return fmax(facing, LEAST_AREA * around);
}

double lithe_panel_facing(double cosine) {
    double t = fmin(fmax((cosine - FLAT_NONE) / (FLAT_ALL - FLAT_NONE), 0), 1);
    return t * t * (3 - 2 * t);
}

// the part of the area of corner `node` of a triangle that is over the panel
static double covered(const AreaPart *part, const int32_t *t, int32_t node,
                      const LithePanel *panel) {
    LitheCoverCorner corners[LITHE_COVER_MAX];
    double whole, area = 0;
    int count = lithe_panel_cover(panel, part->x, corners, &whole);
    for (int i = 0; i < count; i++)
        if (corners[i].at < LITHE_AT_EDGE && t[corners[i].at - LITHE_AT_CORNER] == node)
            area = corners[i].area;
    return area > 0 ? 3 * area / whole : 0;
}

// how far a part lies flat on a panel (SC28)
static double flat_on(const AreaPart *part, const LithePanel *panel) {
    double towards = -v3_dot(part->across, panel->normal);
    return part->twice > 0 ? lithe_panel_facing(towards / part->twice) : 0;
}

// whether no triangle of a face of six nodes that lies flat on the panel is beside it in part: then
// (S34) holds for the face
static bool is_over(const LitheSurface *surface, int32_t face, const double *x,
                    const LithePanel *panel) {
    for (int32_t i = 4 * face; i < 4 * face + 4; i++) {
        AreaPart part = part_of(surface, i, 0, x, panel->normal);
        bool over = true;
        for (int k = 0; k < 3; k++) {
            Vec3 d = v3_sub(part.x[k], panel->at);
            over = over && fabs(v3_dot(d, panel->u)) <= panel->half[0] &&
                   fabs(v3_dot(d, panel->v)) <= panel->half[1];
        }
        if (!over && flat_on(&part, panel) > 0)
            return false;
    }
    return true;
}

double lithe_surface_middle_area(const LitheSurface *surface, int32_t face, const double *x,
                                 Vec3 normal, const LithePanel *panel) {
    if (panel && !is_over(surface, face, x, panel))
        return 0;
    return part_of(surface, 4 * face + 3, 9.0 / 20 * area_of_six(surface, face), x, normal).facing;
}

double lithe_surface_covered(const LitheSurface *surface, int32_t node, const double *x,
                             Vec3 normal, const LithePanel *panel) {
    double facing = 0, around = 0, kept = 0;
    for (int32_t k = surface->face_at[node]; k < surface->face_at[node + 1]; k++) {
        int32_t face = surface->faces[k];
        bool six = surface->middles && is_over(surface, face / 4, x, panel);
        AreaPart part = part_of(surface, face, share_in(surface, face, node, six), x, normal);
        double flat = six ? 0 : flat_on(&part, panel), share = 1;
        if (flat > 0)
            share +=
                flat * (covered(&part, surface->triangles + 3 * (int64_t)face, node, panel) - 1);
        around += part.area;
        facing += part.facing;
        kept += share * part.facing;
    }
    double area = fmax(facing, LEAST_AREA * around);
    return facing > 0 ? area * (kept / facing) : area;
}
