// SPDX-License-Identifier: Apache-2.0
// collide/patch_round.c - the field of a round shape where it touches something convex
//
// A polygon of n sectors rests on its corners where a patch is narrower than a sector. So the
// elements of spheres, capsules, cylinders and solids of revolution are made for each patch, in
// sectors that follow it: a corner lies in the middle of the patch, however the shape has turned.
//     (PF37) something convex lies in u.x >= L beyond its plane of contact. A patch has the half
//            angle w: of a sphere or capsule of radius R, cos w = (R - d)/R, d = max u.x - L; of an
//            outline of points (r, z), with u = (s, c) across and along the axis,
//            cos w = (L - c z)/(s r) at the point with the largest r sin w. Against something of
//            radius S w is multiplied by sqrt(S/(S + R)). Elements are made where w < 1: a
//            patch that is wider, as a face, has those of the polygon
//     (PF38) sectors of the width min(w/3.21, 2 pi/n) to the first corner beyond w, a corner at 0,
//            then each is 1.3 times as wide, up to the largest angle of what is beyond L; latitudes
//            of spheres alike
// docs/theory/patches.md.

#include "collide/patch_round.h"

#include "base/memory.h"
#include "geom/distance.h"

#include <math.h>

// the largest half angle of a patch [rad]
#define WIDEST 1.0
// of sectors further out, over the one before
#define GROWTH 1.3
// the least half angle: a depth of 5e-9 of the radius
#define LEAST 1e-4
// sectors about the middle of a patch of a sphere
enum { AROUND = 16, ANGLES = 256, LATITUDES = 128 };

// what is made: sectors about an axis
typedef struct Sectors {
    const LithePressureField *field;
    Vec3 origin, x, y, z; // x: the middle of the patch, z: the axis
    Vec3 u;
    double level;
    const LithePose *to;
    double cosine[ANGLES], sine[ANGLES], scale[ANGLES]; // (PF3) of the radius at each corner
    int32_t corners;
    LitheNarrow *n;
    int32_t first, count; // elements in the scratch
} Sectors;

// --- which part of a shape touches ---------------------------------------------------------------

// of the patch: half angle across, and the largest one of what is beyond the plane
typedef struct Reach {
    double fine, cover;
    double tilt;   // of a capsule: angle between its axis and the plane
    double end;    // of a sphere and of the end of a capsule: half angle of what is beyond
    double radius; // that bends away from the plane [m]
} Reach;

static double angle_of(double cosine) {
    return cosine >= 1 ? 0 : cosine <= -1 ? M_PI : acos(cosine);
}

// whether all that is beyond the plane belongs to one end of a capsule
static bool at_end(const Reach *reach) {
    return reach->tilt >= reach->end;
}

// (PF37) of a sphere, and of the end of a capsule
static Reach ball_reach(const LitheGeom *geom, const LitheRoundPlane *plane) {
    bool capsule = geom->kind == LITHE_GEOM_CAPSULE;
    double half = capsule ? 0.5 * v3_distance(geom->end[0], geom->end[1]) : 0;
    double up = fabs(plane->u.z), level = plane->level - half * up;
    Reach reach = {.radius = geom->radius, .tilt = capsule ? asin(fmin(up, 1)) : M_PI};
    reach.end = reach.fine = reach.cover = angle_of(level / geom->radius);
    if (!at_end(&reach)) // the width of a cap about the axis
        reach.cover = asin(fmin(sin(reach.end) / cos(reach.tilt), 1));
    return reach;
}

static Reach outline_reach(const LithePressureField *f, const LitheRoundPlane *plane) {
    double across = hypot(plane->u.x, plane->u.y), most = 0;
    Reach reach = {0};
    for (int32_t i = 0; i < f->outline_count; i++) {
        double r = f->outline[i].r, room = plane->level - plane->u.z * f->outline[i].z;
        double w = r * across > 0 ? angle_of(room / (r * across)) : room < 0 ? M_PI : 0;
        double wide = w < 0.5 * M_PI ? r * sin(w) : r;
        reach.cover = fmax(reach.cover, w);
        if (wide > most) {
            most = wide;
            reach.fine = w;
            reach.radius = r;
        }
    }
    return reach;
}

static Reach reach_of(const LitheModelGeom *geom, const LitheRoundPlane *plane) {
    bool ball = geom->geom.kind == LITHE_GEOM_SPHERE || geom->geom.kind == LITHE_GEOM_CAPSULE;
    Reach reach = ball ? ball_reach(&geom->geom, plane) : outline_reach(geom->field, plane);
    if (plane->radius < INFINITY)
        reach.fine *= sqrt(plane->radius / (plane->radius + reach.radius));
    return reach;
}

static double radius_of(const LitheModelGeom *geom) {
    const LitheGeom *g = &geom->geom;
    double widest = INFINITY;
    if (g->kind == LITHE_GEOM_SPHERE || g->kind == LITHE_GEOM_CAPSULE ||
        g->kind == LITHE_GEOM_CYLINDER)
        return g->radius;
    if (g->kind == LITHE_GEOM_ELLIPSOID)
        return fmin(g->half.x, fmin(g->half.y, g->half.z));
    for (int32_t i = 0; i < g->profile_count; i++)
        widest = i == 0 ? g->profile_r[i] : fmax(widest, g->profile_r[i]);
    return widest;
}

// the plane of contact of something convex
static bool find_plane(const LitheRoundSide *shape, const LitheRoundSide *other,
                       LitheRoundPlane *plane) {
    const LitheGeom *g = &shape->geom->geom, *h = &other->geom->geom;
    if (h->kind == LITHE_GEOM_HALF_SPACE) {
        Vec3 up = m3_column(other->pose->r, 2);
        plane->u = place_direction_back(shape->pose, v3_neg(up));
        plane->level = v3_dot(up, v3_sub(shape->pose->at, other->pose->at));
        plane->radius = INFINITY;
        return true;
    }
    bool revolution = h->kind == LITHE_GEOM_REVOLUTION;
    if (!shape->geom->field->bulges || !(lithe_geom_is_convex(h) || revolution) ||
        (revolution && !other->geom->field->bulges) || !lithe_geom_pair_allowed(g, h))
        return false;
    LitheClosest closest;
    lithe_geom_distance(g, shape->pose, h, other->pose, &closest);
    plane->u = place_direction_back(shape->pose, closest.normal);
    plane->level = v3_dot(plane->u, place_point_back(shape->pose, closest.on_b));
    plane->radius = radius_of(other->geom);
    return true;
}

bool lithe_round_applies(const LitheRoundSide *shape, const LitheRoundSide *other,
                         LitheRoundPlane *plane) {
    const LithePressureField *f = shape->geom->field;
    return f && f->sectors > 0 && find_plane(shape, other, plane) &&
           reach_of(shape->geom, plane).fine < WIDEST;
}

// --- elements ------------------------------------------------------------------------------------

static Vec3 place_in(const Sectors *s, const LitheMeridian *m, int32_t k) {
    double r = s->scale[k] * m->r;
    Vec3 x = v3_axpy(r * s->cosine[k], s->x, v3_axpy(r * s->sine[k], s->y, s->origin));
    return v3_axpy(m->z, s->z, x);
}

static bool is_beyond(const Sectors *s, Vec3 x) {
    return v3_dot(s->u, x) > s->level;
}

// the next element of the scratch; NULL: out of memory
static LithePatchElement *next_element(Sectors *s) {
    LitheFound *out = s->n->out;
    int64_t needed = (int64_t)s->first + s->count + 1;
    if (!LITHE_RESERVE(s->n->c->context, out->elements, out->element_capacity, needed)) {
        out->failed = true;
        return NULL;
    }
    return &out->elements[s->first + s->count++];
}

static void add_tet(Sectors *s, const Vec3 x[4], const double depth[4]) {
    if (!is_beyond(s, x[0]) && !is_beyond(s, x[1]) && !is_beyond(s, x[2]) && !is_beyond(s, x[3]))
        return;
    LithePatchElement *e = next_element(s);
    if (!e)
        return;
    *e = (LithePatchElement){.corners = 4};
    for (int k = 0; k < 4; k++) {
        e->x[k] = place_point(s->to, x[k]);
        e->pressure[k] = s->field->modulus * depth[k];
    }
}

// three tetrahedra for each sector of a triangle of the half plane; of one on the axis fewer
static void add_section(Sectors *s, const LitheMeridian m[3]) {
    for (int32_t k = 0; k + 1 < s->corners; k++) {
        Vec3 low[3], high[3];
        for (int i = 0; i < 3; i++) {
            low[i] = place_in(s, &m[i], k);
            high[i] = place_in(s, &m[i], k + 1);
        }
        const Vec3 x[3][4] = {{low[0], low[1], low[2], high[2]},
                              {low[0], low[1], high[1], high[2]},
                              {low[0], high[0], high[1], high[2]}};
        const int of[3][4] = {{0, 1, 2, 2}, {0, 1, 1, 2}, {0, 0, 1, 2}};
        for (int t = 0; t < 3; t++) {
            double depth[4];
            for (int i = 0; i < 4; i++)
                depth[i] = m[of[t][i]].depth;
            if (m[2 - t].r > 0)
                add_tet(s, x[t], depth);
        }
    }
}

static void add_triangle(Sectors *s, Vec3 a, Vec3 b, Vec3 c, Vec3 out) {
    if (!is_beyond(s, a) && !is_beyond(s, b) && !is_beyond(s, c))
        return;
    LithePatchElement *e = next_element(s);
    if (!e)
        return;
    Vec3 normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    normal = v3_dot(normal, out) < 0 ? v3_neg(normal) : normal;
    *e = (LithePatchElement){
        .corners = 3,
        .x = {place_point(s->to, a), place_point(s->to, b), place_point(s->to, c)},
        .normal = place_direction(s->to, normal),
    };
}

// two triangles for each sector of an edge of the outline, z upwards along it
static void add_edge(Sectors *s, const LitheMeridian *a, const LitheMeridian *b) {
    for (int32_t k = 0; k + 1 < s->corners; k++) {
        Vec3 low[2] = {place_in(s, a, k), place_in(s, a, k + 1)};
        Vec3 high[2] = {place_in(s, b, k), place_in(s, b, k + 1)};
        Vec3 side = v3_axpy(s->cosine[k], s->x, v3_scale(s->sine[k], s->y));
        Vec3 out = v3_axpy(b->z - a->z, side, v3_scale(a->r - b->r, s->z));
        if (a->r > 0)
            add_triangle(s, low[0], low[1], high[1], out);
        if (b->r > 0)
            add_triangle(s, low[0], high[1], high[0], out);
    }
}

// --- sectors -------------------------------------------------------------------------------------

// (PF38) angles from 0 on, even ones up to `even`; their number
static int32_t set_steps(const Sectors *s, double fine, double even, double cover, double *angle,
                         int32_t most) {
    // the patch ends where the polygon crosses the circle, beyond the third corner: so its width is
    // right, and the force of a line within 0.1 %
    double crossing = 3 + 0.5 * (1 - 1 / sqrt(3)), at = 0;
    double width = fmin(fmax(fine, LEAST) / crossing, 2 * M_PI / s->field->sectors);
    int32_t count = 0;
    angle[count++] = 0;
    while (at < cover + 0.5 * width && count < most) { // the corner at `cover` is outside
        width *= at > even ? GROWTH : 1;
        at += width;
        angle[count++] = at;
    }
    return count;
}

static void set_corner(Sectors *s, int32_t k, double angle, double before, double after) {
    double width = sqrt(0.5 * (before * before + after * after));
    s->cosine[k] = cos(angle);
    s->sine[k] = sin(angle);
    s->scale[k] = sqrt(width / sin(width)); // (PF3)
}

// sectors to both sides of the middle of the patch
static void set_sectors(Sectors *s, const Reach *reach) {
    double angle[ANGLES / 2];
    int32_t half = set_steps(s, reach->fine, reach->fine, reach->cover, angle, ANGLES / 2) - 1;
    if (angle[half] > M_PI)
        angle[half] = M_PI;
    s->corners = 2 * half + 1;
    for (int32_t k = 0; k <= half; k++) {
        double before = angle[k] - angle[k > 0 ? k - 1 : 0];
        double after = angle[k < half ? k + 1 : k] - angle[k];
        before = k > 0 ? before : after;
        after = k < half ? after : before;
        set_corner(s, half + k, angle[k], before, after);
        set_corner(s, half - k, -angle[k], before, after);
    }
}

// --- shapes --------------------------------------------------------------------------------------

static void add_fan(Sectors *s, const LitheMeridian *centre, const LitheMeridian *a,
                    const LitheMeridian *b) {
    if (s->field->modulus > 0)
        add_section(s, (const LitheMeridian[3]){*centre, *a, *b});
    else
        add_edge(s, a, b);
}

// the end of a sphere or capsule about the middle of the patch
static void add_ball(Sectors *s, const LitheGeom *geom, const Reach *reach) {
    double angle[LATITUDES], half = 2 * M_PI / AROUND;
    int32_t count = set_steps(s, reach->fine, reach->fine, reach->cover, angle, LATITUDES);
    bool capsule = geom->kind == LITHE_GEOM_CAPSULE;
    double middle = capsule ? 0.5 * v3_distance(geom->end[0], geom->end[1]) : 0;
    s->origin = v3(0, 0, s->u.z > 0 ? middle : -middle);
    s->z = s->u;
    s->x = v3_any_normal(s->u);
    s->y = v3_cross(s->z, s->x);
    s->corners = AROUND + 1;
    for (int32_t k = 0; k < s->corners; k++)
        set_corner(s, k, k * half, half, half);
    LitheMeridian centre = {0, 0, 1}, last = centre;
    for (int32_t i = 0; i < count; i++) {
        double width = i > 0 ? angle[i] - angle[i - 1] : angle[1];
        double r = geom->radius * sqrt(width / sin(width)), w = fmin(angle[i], M_PI);
        LitheMeridian next = {i > 0 ? r * sin(w) : 0, r * cos(w), 0};
        if (i > 0)
            add_fan(s, &centre, &next, &last);
        last = next;
    }
}

// a capsule on its side: its tube, and the ends next to it
static void add_capsule(Sectors *s, const LitheGeom *geom, const Reach *reach) {
    double angle[LATITUDES], half = 0.5 * v3_distance(geom->end[0], geom->end[1]);
    int32_t count = set_steps(s, reach->fine, reach->tilt + reach->fine, reach->tilt + reach->end,
                              angle, LATITUDES);
    double r = geom->radius;
    const LitheMeridian axis[2] = {{0, -half, 1}, {0, half, 1}},
                        edge[2] = {{r, -half, 0}, {r, half, 0}};
    if (s->field->modulus > 0) {
        add_section(s, (const LitheMeridian[3]){axis[0], edge[0], edge[1]});
        add_section(s, (const LitheMeridian[3]){axis[0], edge[1], axis[1]});
    } else {
        add_edge(s, &edge[0], &edge[1]);
    }
    for (int side = 0; side < 2; side++) {
        LitheMeridian last = edge[side];
        for (int32_t i = 1; i < count; i++) {
            double width = angle[i] - angle[i - 1], w = fmin(angle[i], 0.5 * M_PI);
            double out = r * sqrt(width / sin(width)), up = half + out * sin(w);
            LitheMeridian next = {out * cos(w), side ? up : -up, 0};
            if (side)
                add_fan(s, &axis[1], &last, &next);
            else
                add_fan(s, &axis[0], &next, &last);
            last = next;
        }
    }
}

static void add_all(Sectors *s, const LitheModelGeom *geom, const LitheRoundPlane *plane) {
    Reach reach = reach_of(geom, plane);
    const LithePressureField *f = geom->field;
    double across = hypot(plane->u.x, plane->u.y);
    if (!(reach.cover > 0))
        return;
    if (geom->geom.kind == LITHE_GEOM_SPHERE ||
        (geom->geom.kind == LITHE_GEOM_CAPSULE && at_end(&reach))) {
        add_ball(s, &geom->geom, &reach);
        return;
    }
    s->z = v3(0, 0, 1);
    s->x = across > 0 ? v3(plane->u.x / across, plane->u.y / across, 0) : v3(1, 0, 0);
    s->y = v3_cross(s->z, s->x);
    set_sectors(s, &reach);
    if (geom->geom.kind == LITHE_GEOM_CAPSULE)
        add_capsule(s, &geom->geom, &reach);
    else if (f->modulus > 0)
        for (int32_t i = 0; i < f->section_count; i++)
            add_section(s, f->sections[i]);
    else
        for (int32_t i = 0; i + 1 < f->outline_count; i++)
            add_edge(s, &f->outline[i], &f->outline[i + 1]);
}

int32_t lithe_round_elements(LitheNarrow *n, const LitheModelGeom *geom,
                             const LitheRoundPlane *plane, const LithePose *to, int32_t first) {
    Sectors s = {.field = geom->field,
                 .u = plane->u,
                 .level = plane->level,
                 .to = to,
                 .n = n,
                 .first = first};
    add_all(&s, geom, plane);
    return s.count;
}
