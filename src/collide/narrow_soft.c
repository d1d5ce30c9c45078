// SPDX-License-Identifier: Apache-2.0
// collide/narrow_soft.c - contacts of rods and particles with the triangles of soft surfaces
//
// The space outside of a surface consists of the prisms on its triangles, the wedges on its convex
// edges and the cones on its convex corners. An edge of a rod is cut into the pieces that are in
// each of them; the piece touches what it is above, with its length. docs/theory/surfaces.md,
// (SC10) to (SC13).

#include "collide/narrow.h"

#include "body/solid.h"
#include "geom/mesh.h"
#include "geom/overlay.h"

#include <math.h>

// pieces shorter than this fraction of their edge are rounding
#define NO_PIECE 1e-9
// a point this near to the border of a triangle or cone, relative to its size, is on it: rounding
#define ON_BORDER 1e-9
// (SC12) edges of a rod this near to parallel to an edge of the surface, as a sine, touch with both
// ends of their piece
#define PARALLEL 0.17
// (SC13) within this sine of the border of its cone, the contact of a corner fades
#define FADE 0.1
// (SC23) shapes: the tilt that finds the ends of what lies flat, and the distance of these ends,
// relative to the size of a triangle, above which it does
#define TILT 0.02
#define BLUNT 0.1
enum { CHORDS = 4 };
// (SC24) a shape that bulges less below the corners of a triangle, relative to its size, is flat; a
// point of a triangle belongs to an overlap if it is within the shape by this fraction of it
#define FLAT 1e-3
#define OWN 0.1
// smaller parts of a contact are left to the corners
#define LEAST_SHARE 0.02
// (SC29), (SC33): of an overlap none belongs to a face below this room relative to the overlap, and
// all from that on
#define ROOM_NONE 0.5
#define ROOM_ALL 0.75
// (SC27) corners with a smaller part of the area of their triangle are left out
#define LEAST_CORNER 1e-6

// a triangle and what the search needs of its surface
typedef struct Soft {
    LitheNarrow *n;
    LithePartPair pair;
    const LitheFace *face;
    const LitheFaceSet *set;
    const double *q; // positions of the points of its surface
    double reach, depth, radius;
    uint32_t feature; // of a shape, where several of its points are above the triangle
} Soft;

static Soft soft_of(LitheNarrow *n, LithePartPair pair, double radius) {
    const LitheFace *face = lithe_part_face(n->model, n->c, pair.b);
    const LitheFaceSet *set = &n->model->face_sets[face->set];
    const double *q = lithe_skin_positions(n->model, n->state, n->c, set->unit, set->fine);
    double depth = set->surface->depths[face->index];
    return (Soft){n, pair, face, set, q, lithe_narrow_reach(n, pair), depth, radius, 0};
}

static uint64_t place_of(const Soft *soft, int at) {
    const LitheFaceSet *set = soft->set;
    if (at == LITHE_AT_INSIDE)
        return lithe_narrow_place(soft->n, soft->pair.b, 0);
    if (at >= LITHE_AT_EDGE)
        return (uint64_t)(set->place_at + set->nodes +
                          set->surface->edges[3 * (int64_t)soft->face->index + at - LITHE_AT_EDGE]);
    return (uint64_t)(set->place_at + soft->face->node[at - LITHE_AT_CORNER]);
}

// corners and edges belong to their first triangle, which alone finds their contacts
static bool owns(const Soft *soft, int at) {
    return soft->set->surface->owned[soft->face->index] >> at & 1;
}

static Vec3 node_at(const Soft *soft, int32_t node) {
    return v3_load(soft->q + 3 * (int64_t)node);
}

// adds a contact at the place s of a part whose centre there is p; `area` is the part of its shadow
static void put(const Soft *soft, double s, Vec3 p, Vec3 normal, double distance, double area,
                int at) {
    LitheNarrow *n = soft->n;
    double gap = distance - soft->radius;
    if (!(gap <= soft->reach) || !(area > 0) || n->out->failed)
        return;
    uint64_t id = lithe_narrow_id(n, lithe_narrow_place(n, soft->pair.a, s), place_of(soft, at),
                                  soft->feature);
    LitheContact *contact = lithe_narrow_add(n, soft->pair, s, 0, id);
    if (!contact)
        return;
    contact->normal = normal;
    contact->gap = gap;
    contact->point = v3_axpy(soft->radius + 0.5 * gap, normal, p);
    contact->stiffness *= area;
}

// --- neighbours of a triangle --------------------------------------------------------------------

// in the plane of a triangle, from its edge k inwards; not of unit length
static Vec3 inwards(const Vec3 x[3], Vec3 normal, int k) {
    return v3_cross(normal, v3_sub(x[(k + 1) % 3], x[k]));
}

// the direction from edge k into the triangle beyond it, and its third corner; false: there is none
static bool find_beyond(const Soft *soft, int k, Vec3 *into, Vec3 *third) {
    const LitheSurface *surface = soft->set->surface;
    int32_t a = soft->face->node[k], b = soft->face->node[(k + 1) % 3];
    for (int32_t i = surface->face_at[a]; i < surface->face_at[a + 1]; i++) {
        const int32_t *t = surface->triangles + 3 * (int64_t)surface->faces[i];
        for (int c = 0; c < 3; c++) {
            if (t[c] != b || t[(c + 1) % 3] != a)
                continue;
            Vec3 x[3] = {node_at(soft, b), node_at(soft, a), node_at(soft, t[(c + 2) % 3])};
            Vec3 normal = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
            *into = inwards(x, normal, 0);
            *third = x[2];
            return true;
        }
    }
    return false;
}

// the sine by which a direction from corner k is within its cone; <= 0: it is not
static double within_cone(const Soft *soft, int k, Vec3 d) {
    const LitheSurface *surface = soft->set->surface;
    int32_t node = soft->face->node[k];
    double least = INFINITY, size = v3_norm(d);
    for (int32_t i = surface->face_at[node]; i < surface->face_at[node + 1]; i++) {
        const int32_t *t = surface->triangles + 3 * (int64_t)surface->faces[i];
        for (int c = 0; c < 3; c++) {
            Vec3 e = v3_sub(node_at(soft, t[c]), soft->face->x[k]);
            if (t[c] != node)
                least = fmin(least, -v3_dot(e, d) / (v3_norm(e) * size));
        }
    }
    return size > 0 ? least : 0;
}

// --- points --------------------------------------------------------------------------------------

// (SC10) a ball around c that touches with the area of its shadow, at the place s of its part
static void touch_point(const Soft *soft, double s, Vec3 c, double area) {
    const LitheFace *face = soft->face;
    int32_t at;
    Vec3 near = lithe_triangle_nearest(face->x[0], face->x[1], face->x[2], c, &at);
    Vec3 d = v3_sub(c, near), into, third;
    double distance = v3_norm(d);
    for (int k = 0; at == LITHE_AT_INSIDE && k < 3; k++) {
        Vec3 side = inwards(face->x, face->normal, k),
             edge = v3_sub(face->x[(k + 1) % 3], face->x[k]);
        if (v3_dot(side, v3_sub(near, face->x[k])) < ON_BORDER * v3_dot(edge, edge))
            at = LITHE_AT_EDGE + k;
    }
    if (at == LITHE_AT_INSIDE) {
        double height = v3_dot(face->normal, d);
        if (height > -soft->depth)
            put(soft, s, c, v3_neg(face->normal), height, area, at);
        return;
    }
    if (!owns(soft, at) || !(distance > 0) || v3_dot(face->normal, d) < 0)
        return;
    if (at >= LITHE_AT_EDGE) {
        int k = at - LITHE_AT_EDGE;
        if (!find_beyond(soft, k, &into, &third) ||
            v3_dot(into, d) > ON_BORDER * v3_norm(into) * distance)
            return;
    } else if (within_cone(soft, at, d) < -ON_BORDER) {
        return;
    }
    put(soft, s, c, v3_scale(-1 / distance, d), distance, area, at);
}

void lithe_narrow_ball_face(LitheNarrow *n, LithePartPair pair) {
    const LitheBall *ball = &n->c->balls[pair.a - lithe_part_at(n->model, LITHE_PART_BALL)];
    Soft soft = soft_of(n, pair, ball->radius);
    touch_point(&soft, 0, ball->at, M_PI * ball->radius * ball->radius);
}

// --- edges of rods -------------------------------------------------------------------------------

// a piece of an edge: places, and the edges of the triangle at which it is cut; -1: none
typedef struct Piece {
    double s[2];
    int cut[2];
} Piece;

// keeps what is on the side `inside` of the plane through x; false: nothing is left
static bool cut_piece(Piece *piece, Vec3 start, Vec3 edge, Vec3 x, Vec3 inside, int number) {
    double f = v3_dot(inside, v3_sub(start, x)), slope = v3_dot(inside, edge);
    double f0 = f + piece->s[0] * slope, f1 = f + piece->s[1] * slope;
    if (f0 < 0 && f1 < 0)
        return false;
    if (f0 < 0 || f1 < 0) {
        int end = f0 < 0 ? 0 : 1;
        piece->s[end] = fmin(fmax(-f / slope, piece->s[0]), piece->s[1]);
        piece->cut[end] = number;
    }
    return piece->s[1] - piece->s[0] > NO_PIECE;
}

// (SC11) the piece above the triangle
static void touch_inside(const Soft *soft, const LitheSegment *segment, Piece piece) {
    const LitheFace *face = soft->face;
    Vec3 start = segment->start, edge = segment->edge;
    for (int k = 0; k < 3; k++)
        if (!cut_piece(&piece, start, edge, face->x[k], inwards(face->x, face->normal, k), k))
            return;
    Vec3 flat = v3_axpy(-v3_dot(face->normal, edge), face->normal, edge);
    double area = soft->radius * v3_norm(flat) * (piece.s[1] - piece.s[0]);
    for (int end = 0; end < 2; end++) {
        Vec3 p = v3_axpy(piece.s[end], edge, start);
        double height = v3_dot(face->normal, v3_sub(p, face->x[0]));
        int at = piece.cut[end] < 0 ? LITHE_AT_INSIDE : LITHE_AT_EDGE + piece.cut[end];
        if (height > -soft->depth)
            put(soft, piece.s[end], p, v3_neg(face->normal), height, area, at);
    }
}

// the contact of the place s with edge k, which goes along the unit vector
static void put_at_edge(const Soft *soft, const LitheSegment *segment, double s, int k, Vec3 along,
                        double area) {
    Vec3 p = v3_axpy(s, segment->edge, segment->start), d = v3_sub(p, soft->face->x[k]);
    d = v3_axpy(-v3_dot(d, along), along, d);
    double distance = v3_norm(d);
    if (distance > 0)
        put(soft, s, p, v3_scale(-1 / distance, d), distance, area, LITHE_AT_EDGE + k);
}

// (SC12) the piece in the wedge on edge k
static void touch_edge(const Soft *soft, const LitheSegment *segment, Piece piece, int k) {
    const LitheFace *face = soft->face;
    Vec3 x = face->x[k], y = face->x[(k + 1) % 3], into, third;
    Vec3 start = segment->start, edge = segment->edge, e = v3_sub(y, x);
    // concave edges have no wedge
    if (!owns(soft, LITHE_AT_EDGE + k) || !find_beyond(soft, k, &into, &third) ||
        !(v3_dot(into, face->normal) < 0) ||
        !cut_piece(&piece, start, edge, x, v3_neg(inwards(face->x, face->normal, k)), -1) ||
        !cut_piece(&piece, start, edge, x, v3_neg(into), -1) ||
        !cut_piece(&piece, start, edge, x, e, -1) ||
        !cut_piece(&piece, start, edge, y, v3_neg(e), -1))
        return;
    Vec3 along = v3_unit(e), d = v3_sub(start, x);
    Vec3 w0 = v3_axpy(-v3_dot(d, along), along, d);
    Vec3 w1 = v3_axpy(-v3_dot(edge, along), along, edge);
    double ww = v3_dot(w1, w1), length = v3_norm(edge), r = soft->radius;
    double piece_length = length * (piece.s[1] - piece.s[0]);
    if (ww < PARALLEL * PARALLEL * length * length) {
        for (int end = 0; end < 2; end++)
            put_at_edge(soft, segment, piece.s[end], k, along, r * piece_length);
        return;
    }
    double s = fmin(fmax(-v3_dot(w0, w1) / ww, piece.s[0]), piece.s[1]);
    put_at_edge(soft, segment, s, k, along, 2 * r * fmin(piece_length, 2 * r));
}

// (SC13) a corner below the inside of the edge, or below a node of the rod
static void touch_corner(const Soft *soft, const LitheSegment *segment, const double range[2],
                         int k) {
    LitheNarrow *n = soft->n;
    Vec3 x = soft->face->x[k];
    double ee = v3_dot(segment->edge, segment->edge);
    if (!owns(soft, LITHE_AT_CORNER + k) || !(ee > 0))
        return;
    double s = v3_dot(v3_sub(x, segment->start), segment->edge) / ee;
    s = fmin(fmax(s, range[0]), range[1]);
    Vec3 p = v3_axpy(s, segment->edge, segment->start), d = v3_sub(p, x);
    double distance = v3_norm(d), inside = within_cone(soft, k, d);
    if (!(distance > 0) || !(inside > 0) || lithe_narrow_beyond(n, soft->pair.a, s, v3_neg(d)))
        return;
    // both edges at a node find it
    bool shared = (s <= 0 && !lithe_edge_is_free(n->model, n->c, soft->pair.a, 0)) ||
                  (s >= 1 && !lithe_edge_is_free(n->model, n->c, soft->pair.a, 1));
    double area = 4 * soft->radius * soft->radius * fmin(1, inside / FADE);
    put(soft, s, p, v3_scale(-1 / distance, d), distance, shared ? 0.5 * area : area,
        LITHE_AT_CORNER + k);
}

void lithe_narrow_segment_face(LitheNarrow *n, LithePartPair pair) {
    const LitheSegment *segment = &n->c->segments[pair.a];
    // bars touch as round rods of their half thickness
    Soft soft = soft_of(n, pair, lithe_part_ops(n->model, pair.a)->size(n->model, n->c, pair.a));
    // (SC40) what a tie holds inside leaves through the surface, and touches it from outside
    if (lithe_tie_embeds(n->model, n->state, n->c, pair))
        soft.depth = 0;
    const double *cut = lithe_narrow_cut(n, 0);
    const double range[2] = {cut ? cut[0] : 0, cut ? cut[1] : 1};
    Piece piece = {{range[0], range[1]}, {-1, -1}};
    if (!(v3_norm(soft.face->normal) > 0))
        return;
    touch_inside(&soft, segment, piece);
    for (int k = 0; k < 3; k++) {
        touch_edge(&soft, segment, piece, k);
        touch_corner(&soft, segment, range, k);
    }
    // half balls at the ends of a rod
    for (int end = 0; end < 2; end++)
        if (range[end] == end && lithe_edge_is_free(n->model, n->c, pair.a, end))
            touch_point(&soft, end, v3_axpy(end, segment->edge, segment->start),
                        0.5 * M_PI * soft.radius * soft.radius);
}

// --- shapes --------------------------------------------------------------------------------------
// Nodes touch shapes by themselves (collide/narrow_balls.c). Here: what a shape pushes in between.

// a shape above a triangle
typedef struct Poke {
    Soft soft;
    LitheGeom shape;
    LithePose pose;
    double size;    // of the triangle, the root of its area [m]
    double oblique; // 1 less the part of a triangle that lies flat on a box (SC28)
    double pointed; // the same for tips and edges, (SC34)
} Poke;

static Vec3 support(const Poke *poke, Vec3 direction) {
    Vec3 own = q4_rotate(q4_conj(poke->pose.q), direction);
    return v3_add(poke->pose.at, q4_rotate(poke->pose.q, lithe_geom_support(&poke->shape, own)));
}

// distance of a ball on the surface from the shape
static double distance_of(const Poke *poke, Vec3 x, double radius) {
    LitheGeom ball = lithe_geom_ball(radius);
    LithePose at = place_identity();
    LitheClosest near;
    at.at = x;
    lithe_geom_distance(&poke->shape, &poke->pose, &ball, &at, &near);
    return near.distance;
}

// the part of an overlap that belongs to a face with this room for it
static double belongs(double room) {
    double t = fmin(fmax((room - ROOM_NONE) / (ROOM_ALL - ROOM_NONE), 0), 1);
    return t * t * (3 - 2 * t);
}

// (SC33) A tip is sharper than the edge on which it comes down: where it is below both triangles,
// their nearest points are beside it. It belongs to a triangle as far as no other one is nearer.
static double tip_share(const Poke *poke, Vec3 p, double gap) {
    double room = lithe_narrow_room(poke->soft.n, poke->soft.face, p, -gap) + poke->soft.radius;
    return belongs(room / -gap);
}

// (SC24) the part of the overlap of a point p of the shape that corners of the triangle do not
// feel; 0 where it came in through another triangle. `middle`: from p to that of its piece.
static double share_of(const Poke *poke, Vec3 p, double gap, Vec3 middle) {
    const LitheFace *face = poke->soft.face;
    Vec3 on = v3_axpy(-(gap + poke->soft.radius), face->normal, p);
    double felt = 0, ahead = 0, whole = 2 * poke->size * poke->size, bubble = 27, sum[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        Vec3 side = inwards(face->x, face->normal, (k + 1) % 3);
        double weight = v3_dot(side, v3_sub(on, face->x[(k + 1) % 3])) / whole;
        double corner = distance_of(poke, face->x[k], poke->soft.radius);
        felt += weight * fmax(0, -corner);
        ahead += weight * corner;
        sum[0] += fmax(0, -corner);
        sum[1] += corner;
        bubble *= weight;
    }
    // the middle of a face of six nodes touches, too (S34): a bubble on the triangle around it
    if (poke->soft.set->surface->middles && face->index % 4 == 3) {
        Vec3 x = lithe_surface_middle(poke->soft.set->surface, poke->soft.q, face->index / 4);
        double middle_gap = distance_of(poke, x, poke->soft.radius);
        felt += bubble * (fmax(0, -middle_gap) - sum[0] / 3);
        ahead += bubble * (middle_gap - sum[1] / 3);
    }
    if (gap >= 0)
        return ahead - gap > FLAT * poke->size ? 1 : 0;
    double way = v3_norm(middle);
    Vec3 within = way > 0 ? v3_axpy(fmin(1, -gap / way), middle, on) : on;
    double own = 1, left = fmax(0, 1 - felt / -gap);
    if (left > 0 && distance_of(poke, within, poke->soft.radius) > OWN * gap)
        own = tip_share(poke, p, gap);
    return own * left;
}

// (SC23) a point of the shape above or below the triangle
static void touch_poke(const Poke *poke, Vec3 p, Vec3 middle, double part, int at) {
    const LitheFace *face = poke->soft.face;
    double height = v3_dot(face->normal, v3_sub(p, face->x[0])), gap = height - poke->soft.radius;
    if (!(gap <= poke->soft.reach) || !(height > -poke->soft.depth))
        return;
    double share = share_of(poke, p, gap, middle);
    if (share > LEAST_SHARE)
        put(&poke->soft, 0, p, v3_neg(face->normal), height,
            share * poke->oblique * part * poke->size * poke->size / 3, at);
}

// the chord of a shape that lies flat, between two of its points: the piece above the triangle
static void touch_chord(Poke *poke, int number, Vec3 start, Vec3 end, double part) {
    const LitheFace *face = poke->soft.face;
    Vec3 edge = v3_sub(end, start);
    Piece piece = {{0, 1}, {-1, -1}};
    for (int k = 0; k < 3; k++)
        if (!cut_piece(&piece, start, edge, face->x[k], inwards(face->x, face->normal, k), k))
            return;
    for (int side = 0; side < 2; side++) {
        bool cut = piece.cut[side] >= 0;
        poke->soft.feature = cut ? 0 : (uint32_t)(1 + 2 * number + side);
        // what reaches beyond an edge of the solid has no part in the overlap here
        double to_middle = 0.5 * (piece.s[1 - side] - piece.s[side]);
        touch_poke(poke, v3_axpy(piece.s[side], edge, start), v3_scale(to_middle, edge), 0.5 * part,
                   cut ? LITHE_AT_EDGE + piece.cut[side] : LITHE_AT_INSIDE);
    }
    poke->soft.feature = 0;
}

// (SC29) the part of an overlap at a corner that belongs to the panel: how far the corner, halfway
// to the middle of what is over the panel, is from the sides of the panel
static double room_of(const LithePanel *panel, const double x[2], const double middle[2],
                      double gap) {
    double u = panel->half[0] - 0.5 * fabs(x[0] + middle[0]);
    double v = panel->half[1] - 0.5 * fabs(x[1] + middle[1]);
    return belongs(fmin(u, v) / (-0.5 * gap));
}

// middle of a polygon over a panel
static void middle_of(const LitheCoverCorner *corners, int count, double middle[2]) {
    middle[0] = middle[1] = 0;
    for (int i = 0; i < count; i++) {
        middle[0] += corners[i].x[0] / count;
        middle[1] += corners[i].x[1] / count;
    }
}

// (SC34) the largest part of an overlap at the corners of a polygon that belongs to the panel; 1
// where nothing overlaps, or a node does, which has a contact of its own
static double most_room(const Poke *poke, const LithePanel *panel, const Vec3 x[3], Vec3 normal,
                        const LitheCoverCorner *corners, int count, double whole) {
    double most = -1, middle[2];
    middle_of(corners, count, middle);
    for (int i = 0; i < count && most < 1; i++) {
        Vec3 p = lithe_panel_point(panel, corners[i].x);
        double gap = v3_dot(normal, v3_sub(p, x[0])) - poke->soft.radius;
        bool small = corners[i].area < LEAST_CORNER * whole;
        if (gap < 0)
            most =
                fmax(most, small                     ? 0
                           : corners[i].feature == 0 ? 1
                                                     : room_of(panel, corners[i].x, middle, gap));
    }
    return most < 0 ? 1 : most;
}

// 1 less the part of a triangle that lies flat on the box, (SC28) and (SC34)
static double oblique_of(const Poke *poke, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 x[3] = {a, b, c};
    Vec3 normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    LithePanel panel = lithe_panel_of(&poke->shape, &poke->pose, v3_neg(normal));
    double flat = lithe_panel_facing(-v3_dot(normal, panel.normal)), whole;
    if (!(flat > 0))
        return 1;
    LitheCoverCorner corners[LITHE_COVER_MAX];
    int count = lithe_panel_cover(&panel, x, corners, &whole);
    return 1 - flat * most_room(poke, &panel, x, normal, corners, count, whole);
}

// (SC25) an edge of the surface that the shape is nearest to between its ends, from outside of both
// triangles; as in (SC24), its ends feel a part of the overlap
static void touch_ridge(const Poke *poke, int k) {
    const LitheFace *face = poke->soft.face;
    Vec3 x = face->x[k], y = face->x[(k + 1) % 3], into, third;
    if (!owns(&poke->soft, LITHE_AT_EDGE + k) || !find_beyond(&poke->soft, k, &into, &third) ||
        !(v3_dot(into, face->normal) < 0))
        return;
    double oblique = poke->pointed;
    if (poke->shape.kind == LITHE_GEOM_BOX)
        oblique = fmin(oblique, oblique_of(poke, y, x, third));
    if (!(oblique > 0))
        return;
    LitheGeom ridge = lithe_geom_segment(x, y, poke->soft.radius);
    LithePose still = place_identity();
    LitheClosest near;
    lithe_geom_distance(&poke->shape, &poke->pose, &ridge, &still, &near);
    Vec3 e = v3_sub(y, x), out = v3_neg(near.normal);
    double s = v3_dot(v3_sub(near.on_b, x), e) / v3_dot(e, e);
    if (!(near.distance <= poke->soft.reach) || near.distance < -poke->soft.depth ||
        !(s > ON_BORDER) || !(s < 1 - ON_BORDER) ||
        v3_dot(inwards(face->x, face->normal, k), out) > 0 || v3_dot(into, out) > 0)
        return;
    double ends[2] = {distance_of(poke, x, poke->soft.radius),
                      distance_of(poke, y, poke->soft.radius)};
    double gap = near.distance, felt = (1 - s) * fmax(0, -ends[0]) + s * fmax(0, -ends[1]);
    double ahead = (1 - s) * ends[0] + s * ends[1] - gap;
    double share = gap < 0 ? fmax(0, 1 - felt / -gap) : ahead > FLAT * poke->size ? 1 : 0;
    if (share > LEAST_SHARE)
        put(&poke->soft, 0, near.on_a, near.normal, gap + poke->soft.radius,
            share * oblique * poke->size * poke->size / 3, LITHE_AT_EDGE + k);
}

// Tilted a little, the deepest points of a shape that lies flat are at its ends: chords between
// opposite ones. Returns their number; 0: it is pointed. A capsule has its line, whether it lies
// flat or not: its deepest point would jump from one end to the other.
static int find_chords(const Poke *poke, Vec3 chords[CHORDS][2]) {
    Vec3 normal = poke->soft.face->normal, a = v3_any_normal(normal), b = v3_cross(normal, a);
    int count = 0;
    if (poke->shape.kind == LITHE_GEOM_CAPSULE) {
        for (int k = 0; k < 2; k++) {
            Vec3 centre = v3_add(poke->pose.at, q4_rotate(poke->pose.q, poke->shape.end[k]));
            chords[0][k] = v3_axpy(-poke->shape.radius, normal, centre);
        }
        return 1;
    }
    for (int k = 0; k < CHORDS; k++) {
        double angle = M_PI * (k + 0.5) / CHORDS;
        Vec3 t = v3_add(v3_scale(TILT * cos(angle), a), v3_scale(TILT * sin(angle), b));
        Vec3 x = support(poke, v3_sub(t, normal)), y = support(poke, v3_neg(v3_add(t, normal)));
        bool known = !(v3_distance(x, y) > BLUNT * poke->size);
        for (int i = 0; i < count && !known; i++)
            known = (v3_distance(x, chords[i][0]) < BLUNT * poke->size &&
                     v3_distance(y, chords[i][1]) < BLUNT * poke->size);
        if (known)
            continue;
        chords[count][0] = x;
        chords[count++][1] = y;
    }
    return count;
}

// (SC23) to (SC25): a shape that is not flat on the triangle
static void touch_shape(Poke *poke, Vec3 deepest) {
    const LitheFace *face = poke->soft.face;
    Vec3 chords[CHORDS][2];
    int count = find_chords(poke, chords);
    // both ends of a capsule have the area of one that stands on its end
    double part = poke->shape.kind == LITHE_GEOM_CAPSULE ? 2 : 1.0 / fmax(count, 1);
    for (int k = 0; k < count; k++)
        touch_chord(poke, k, chords[k][0], chords[k][1], part);
    for (int k = 0; k < 3; k++) {
        Vec3 side = inwards(face->x, face->normal, k),
             edge = v3_sub(face->x[(k + 1) % 3], face->x[k]);
        double inside = v3_dot(side, v3_sub(deepest, face->x[k])),
               border = ON_BORDER * v3_dot(edge, edge);
        if (count > 0 || inside < -border ||
            (inside < border && !owns(&poke->soft, LITHE_AT_EDGE + k)))
            return;
    }
    poke->oblique = poke->pointed;
    touch_poke(poke, deepest, v3(0, 0, 0), 1, LITHE_AT_INSIDE);
}

// --- boxes ---------------------------------------------------------------------------------------

// (SC27) the part of the triangle that is over a panel: corners of the panel, and crossings of its
// sides and the edges of the triangle. Corners of the triangle touch as nodes. Returns (SC34).
static double touch_panel(Poke *poke, const LithePanel *panel, double facing) {
    const LitheFace *face = poke->soft.face;
    LitheCoverCorner corners[LITHE_COVER_MAX];
    double whole, flat = 1 - poke->oblique, middle[2];
    int count = lithe_panel_cover(panel, face->x, corners, &whole), others = 0;
    for (int i = 0; i < count; i++)
        others += corners[i].feature > 0;
    if (others == 0)
        return 1;
    middle_of(corners, count, middle);
    // as the nodes, by the area at rest (S31)
    double scale = flat * facing * poke->soft.set->surface->face_areas[face->index] / whole;
    for (int i = 0; i < count; i++) {
        Vec3 p = lithe_panel_point(panel, corners[i].x);
        double height = v3_dot(face->normal, v3_sub(p, face->x[0]));
        double gap = height - poke->soft.radius;
        if (corners[i].feature == 0 || !(gap <= poke->soft.reach) ||
            !(height > -poke->soft.depth) || corners[i].area < LEAST_CORNER * whole)
            continue;
        double room = gap < 0 ? room_of(panel, corners[i].x, middle, gap) : 1;
        poke->soft.feature = corners[i].feature;
        put(&poke->soft, 0, p, v3_neg(face->normal), height, scale * room * corners[i].area,
            corners[i].at);
    }
    poke->soft.feature = 0;
    return most_room(poke, panel, face->x, face->normal, corners, count, whole);
}

void lithe_narrow_shape_face(LitheNarrow *n, LithePartPair pair) {
    int32_t index = pair.a - lithe_part_at(n->model, LITHE_PART_SHAPE);
    const LitheModelGeom *geom = &n->model->geoms[index];
    const LitheFace *face = lithe_part_face(n->model, n->c, pair.b);
    if (!lithe_geom_is_convex(&geom->geom) || geom->geom.kind == LITHE_GEOM_HALF_SPACE ||
        !(v3_norm(face->normal) > 0) || n->piece_number > 0)
        return;
    // most pairs are far apart: a ball around the shape is above the plane of the triangle
    Vec3 centre = n->c->poses[index].at;
    double radius = lithe_surface_radius(n->model->face_sets[face->set].surface, geom);
    double above = v3_dot(face->normal, v3_sub(centre, face->x[0]));
    if (above > (geom->geom.reach + radius + lithe_narrow_reach(n, pair)) * (1 + 1e-9))
        return;
    Poke poke = {.soft = soft_of(n, pair, radius), .shape = geom->geom, .pose = n->c->poses[index]};
    poke.size = sqrt(
        0.5 * v3_norm(v3_cross(v3_sub(face->x[1], face->x[0]), v3_sub(face->x[2], face->x[0]))));
    Vec3 nearest = lithe_triangle_nearest(face->x[0], face->x[1], face->x[2], poke.pose.at, NULL);
    if (v3_distance(nearest, poke.pose.at) > geom->geom.reach + poke.soft.radius + poke.soft.reach)
        return;
    Vec3 p = support(&poke, v3_neg(face->normal));
    double height = v3_dot(face->normal, v3_sub(p, face->x[0])) - poke.soft.radius;
    if (!(height <= poke.soft.reach))
        return;
    poke.oblique = poke.pointed = 1;
    if (poke.shape.kind == LITHE_GEOM_BOX) {
        LithePanel panel = lithe_panel_of(&poke.shape, &poke.pose, v3_neg(face->normal));
        double facing = -v3_dot(face->normal, panel.normal);
        poke.oblique = 1 - lithe_panel_facing(facing);
        if (poke.oblique < 1)
            poke.pointed = 1 - (1 - poke.oblique) * touch_panel(&poke, &panel, facing);
    }
    if (!(poke.pointed > 0))
        return;
    for (int k = 0; k < 3; k++)
        touch_ridge(&poke, k);
    touch_shape(&poke, p);
}
