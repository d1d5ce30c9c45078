// SPDX-License-Identifier: Apache-2.0
// geom/distance_ball.c - a ball against a solid that is not convex: every place where it touches
//
// A ball can lie in a groove, on two faces at once. So each piece of the surface (a triangle of a
// mesh, an edge of the profile of a revolution) gives its nearest point y to the centre x. The
// local minima of |x - y| among them are kept: a point y on an edge or corner is not a minimum if
// another piece that contains y is nearer to x. The smallest minimum is the distance of the solid,
// which is continuous.

#include "geom/distance_round.h"
#include "geom/hollow.h"

// max pieces near the ball; the nearest ones are kept
enum { MAX_PIECES = 64 };
// two nearest points whose normals have a larger cosine are one contact
#define SAME_NORMAL 0.999
// fraction of the size of the coordinates below which points are the same
#define SAME_POINT 1e-10

typedef struct Piece {
    int32_t number;
    Vec3 corner[3];  // of a profile: an edge, the third one equal to the first
    Vec3 normal;     // outward
    Vec3 y;          // nearest to x
    double distance; // of x and y
} Piece;

typedef struct Around {
    const LitheGeom *a;
    Vec3 x;              // centre of the ball
    double within, same; // max distance of a piece; points nearer than `same` are one [m]
    bool solid;          // the surface has an inside
    Piece pieces[MAX_PIECES];
    int count;
} Around;

static Vec3 nearest_of(const Piece *piece, Vec3 x) {
    return lithe_triangle_nearest(piece->corner[0], piece->corner[1], piece->corner[2], x, NULL);
}

// keeps the pieces in the order of distance, then of number
static void keep(Around *s, Piece piece) {
    piece.y = nearest_of(&piece, s->x);
    piece.distance = v3_distance(s->x, piece.y);
    if (!(piece.distance <= s->within))
        return;
    int at = s->count;
    while (at > 0 && (piece.distance < s->pieces[at - 1].distance ||
                      (piece.distance == s->pieces[at - 1].distance &&
                       piece.number < s->pieces[at - 1].number)))
        at--;
    if (at == MAX_PIECES)
        return;
    s->count += s->count < MAX_PIECES;
    for (int i = s->count - 1; i > at; i--)
        s->pieces[i] = s->pieces[i - 1];
    s->pieces[at] = piece;
}

static void keep_triangle(int32_t number, void *user) {
    Around *s = user;
    const LitheMesh *mesh = s->a->mesh;
    keep(s, (Piece){.number = number,
                    .corner = {mesh_corner(mesh, number, 0), mesh_corner(mesh, number, 1),
                               mesh_corner(mesh, number, 2)},
                    .normal = mesh->normals[number]});
}

// edges in the half plane through z and the centre: lower disc, profile, upper disc
static void keep_profile(Around *s) {
    const double *z = s->a->profile_z, *r = s->a->profile_r;
    int32_t count = s->a->profile_count;
    for (int32_t i = -1; i < count; i++) {
        Vec3 p = v3(i < 0 ? 0 : r[i], 0, i < 0 ? z[0] : z[i]);
        Vec3 q = v3(i + 1 < count ? r[i + 1] : 0, 0, i + 1 < count ? z[i + 1] : z[count - 1]);
        Vec3 edge = v3_sub(q, p);
        if (v3_norm(edge) > 0)
            keep(s, (Piece){.number = i + 1,
                            .corner = {p, q, p},
                            .normal = v3_unit(v3(edge.z, 0, -edge.x))});
    }
}

// whether the nearest point of a piece is a local minimum that is visible from outside
static bool is_contact(const Around *s, int index) {
    const Piece *piece = &s->pieces[index];
    Vec3 d = v3_sub(s->x, piece->y);
    bool seen = !s->solid || v3_dot(piece->normal, d) > 0;
    for (int i = 0; i < s->count; i++) {
        const Piece *other = &s->pieces[i];
        if (i == index || v3_distance(nearest_of(other, piece->y), piece->y) > s->same)
            continue;
        if (other->distance < piece->distance - s->same)
            return false;
        seen |= v3_dot(other->normal, d) > 0;
    }
    return seen;
}

static void place_points(const LithePose *pa, LitheContactPoint *points, int count) {
    for (int k = 0; k < count; k++) {
        points[k].on_a = place_point(pa, points[k].on_a);
        points[k].normal = place_direction(pa, points[k].normal);
        points[k].on_b = v3_axpy(points[k].gap, points[k].normal, points[k].on_a);
    }
}

int lithe_solid_ball(const LitheGeom *a, const LithePose *pa, Vec3 centre, double radius,
                     double margin, LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    Vec3 x = place_point_back(pa, centre), normals[LITHE_SOLID_CONTACTS];
    if (round_is(a)) {
        int found = lithe_round_ball(a, x, radius, margin, out);
        place_points(pa, out, found);
        return found;
    }
    if (a->hollow) {
        int found = lithe_hollow_ball(a, x, radius, margin, out);
        place_points(pa, out, found);
        return found;
    }
    LitheNearest near;
    lithe_solid_nearest(a, x, &near);
    if (near.distance - radius > margin)
        return 0;
    // a solid of revolution is searched in the plane y = 0; this rotation about z leads back to x
    double rho = sqrt(x.x * x.x + x.y * x.y);
    double cosine = a->mesh || rho == 0 ? 1 : x.x / rho, sine = a->mesh || rho == 0 ? 0 : x.y / rho;
    Around s = {.a = a,
                .x = a->mesh ? x : v3(rho, 0, x.z),
                .within = radius + margin,
                .solid = !a->mesh || a->mesh->closed || a->mesh->below};
    s.same = SAME_POINT * (v3_norm(x) + radius + a->reach);
    int count = 0;
    // for a centre inside or on the surface, the nearest point is the only contact
    if (near.distance > s.same) {
        LitheBox box = {x, x};
        if (a->mesh)
            lithe_solid_visit(a, &box, &s.within, keep_triangle, &s);
        else
            keep_profile(&s);
    }
    for (int i = 0; i < s.count && count < LITHE_SOLID_CONTACTS; i++) {
        const Piece *piece = &s.pieces[i];
        Vec3 n = v3_scale(1 / piece->distance, v3_sub(s.x, piece->y));
        bool known = false;
        for (int k = 0; k < count && !known; k++)
            known = v3_dot(normals[k], n) > SAME_NORMAL;
        if (known || !is_contact(&s, i))
            continue;
        normals[count] = n;
        out[count] = (LitheContactPoint){
            .on_a = v3(cosine * piece->y.x - sine * piece->y.y,
                       sine * piece->y.x + cosine * piece->y.y, piece->y.z),
            .normal = v3(cosine * n.x - sine * n.y, sine * n.x + cosine * n.y, n.z),
            .gap = piece->distance - radius,
            .feature = 1 + (uint32_t)piece->number};
        count++;
    }
    if (count == 0)
        out[count++] = (LitheContactPoint){
            .on_a = near.point, .normal = near.normal, .gap = near.distance - radius};
    place_points(pa, out, count);
    return count;
}
