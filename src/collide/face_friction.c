// SPDX-License-Identifier: Apache-2.0
// collide/face_friction.c - friction of faces and lines that slide and turn on each other
//
// The contacts of a face or line have the friction about its normal and the stiffness of an even
// pressure (18) to (20), but where it slides and turns at once, their friction is up to 17 % less.
// So their bounds have factors such that force and torque are those of an even pressure in the
// motion at the start of the step, (30) to (32). Numbers in brackets: docs/theory/distance.md.

#include "collide/narrow.h"
#include "geom/slide.h"

// speeds at which factors begin to count, and from which they count in full [m/s]: below, things
// are at rest, and in which direction they creep is not known
#define CREEP 1e-6
#define MOVES 1e-5
// a face that turns by less than this fraction of how fast it slides has factors of 1
#define TURNS 0.02
// an angle of a step that is none [rad]
#define ROUNDING 1e-13

enum { SIDES = 32 }; // of the polygon for a circle

// how far a point of a shape moves in the step
static Vec3 displacement(const LitheNarrow *n, int32_t part, Vec3 x) {
    int32_t index = part - lithe_part_at(n->model, LITHE_PART_SHAPE);
    if (n->model->bodies[n->model->geoms[index].body].unit < 0)
        return v3(0, 0, 0);
    return v3_sub(place_point(&n->c->ahead[index], place_point_back(&n->c->poses[index], x)), x);
}

static Vec3 relative(const LitheNarrow *n, LithePartPair pair, Vec3 x) {
    return v3_sub(displacement(n, pair.b, x), displacement(n, pair.a, x));
}

// at least the angle by which a shape turns in the step
static double turn_bound(const LitheNarrow *n, int32_t part) {
    int32_t index = part - lithe_part_at(n->model, LITHE_PART_SHAPE);
    if (n->model->bodies[n->model->geoms[index].body].unit < 0)
        return 0;
    Quat a = n->c->poses[index].q, b = n->c->ahead[index].q;
    return 3 * (fabs(a.w - b.w) + fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z));
}

// Whether a motion is known and the shapes turn on each other by more than rounding.
static bool may_turn(const LitheNarrow *n, LithePartPair pair) {
    return n->c->moves && turn_bound(n, pair.a) + turn_bound(n, pair.b) > ROUNDING;
}

static void add_circle(LitheRub *sum, const LitheSlide *slide, double radius, double sign) {
    double x[SIDES][2], angle = 2 * M_PI / SIDES;
    double r = radius * sqrt(angle / sin(angle)); // of the same area
    for (int i = 0; i < SIDES; i++) {
        x[i][0] = r * cos(i * angle);
        x[i][1] = r * sin(i * angle);
    }
    lithe_rub_add(sum, slide, x, SIDES, sign);
}

bool lithe_narrow_slide(const LitheNarrow *n, LithePartPair pair, LitheSlidePlane *plane) {
    const LitheContactDef *def = &n->model->contact;
    if (!may_turn(n, pair) || def->model != LITHE_CONTACT_CONVEX ||
        def->law != LITHE_FRICTION_LAGGED || !(plane->size > 0))
        return false;
    LitheSlide *slide = &plane->slide;
    Vec3 at = relative(n, pair, plane->centre);
    Vec3 beside = relative(n, pair, v3_axpy(plane->size, plane->u, plane->centre));
    slide->v[0] = v3_dot(at, plane->u) / n->step;
    slide->v[1] = v3_dot(at, plane->v) / n->step;
    slide->w = v3_dot(v3_sub(beside, at), plane->v) / (plane->size * n->step);
    double speed = sqrt(slide->v[0] * slide->v[0] + slide->v[1] * slide->v[1]);
    double rim = fabs(slide->w) * plane->size;
    plane->known = fmin((speed + rim - CREEP) / (MOVES - CREEP), 1);
    return plane->known > 0 && rim > TURNS * speed;
}

// what adds the triangles of a face of a mesh
typedef struct Adder {
    LitheRub *sum;
    const LitheSlide *slide;
    const LitheRegion *region;
} Adder;

static void place_in(const LitheRegion *region, Vec3 at, double x[2]) {
    Vec3 d = v3_sub(at, region->centre);
    x[0] = v3_dot(d, region->u);
    x[1] = v3_dot(d, region->v);
}

static void add_triangle(const Vec3 corner[3], void *user) {
    const Adder *adder = user;
    double x[3][2];
    for (int k = 0; k < 3; k++)
        place_in(adder->region, place_point(adder->region->pose, corner[k]), x[k]);
    lithe_rub_add(adder->sum, adder->slide, x, 3, 1);
}

// the friction of an even pressure on all of a region; its area is 0: the region is not known
static LitheRub rub_of(const LitheRegion *region, const LitheSlide *slide) {
    LitheRub sum = {0};
    if (region->pieces > 0) {
        double length = 0;
        for (int i = 0; i < region->pieces; i++)
            length += region->piece[i][1] - region->piece[i][0];
        for (int i = 0; i < region->pieces; i++)
            lithe_rub_add_line(&sum, slide, region->piece[i][0], region->piece[i][1], length);
    } else if (region->count > 0) {
        lithe_rub_add(&sum, slide, region->corner, region->count, 1);
    } else if (region->mesh) {
        lithe_mesh_face_visit(region->mesh, region->triangle, add_triangle,
                              &(Adder){&sum, slide, region});
    } else if (region->ring[0] > 0) {
        add_circle(&sum, slide, region->ring[0], 1);
        add_circle(&sum, slide, region->ring[1], -1);
    }
    return sum;
}

bool lithe_narrow_face_friction(const LitheNarrow *n, LithePartPair pair, const LitheRegion *region,
                                const LitheContactPoint *points, double *factor) {
    if (!may_turn(n, pair))
        return false;
    LitheSlidePlane plane = {.centre = region->centre, .u = region->u, .v = region->v};
    double size2 = 0, x[LITHE_CONTACTS_MAX][2], part[LITHE_CONTACTS_MAX];
    for (int i = 0; i < region->points; i++) {
        place_in(region, points[i].on_a, x[i]);
        size2 = fmax(size2, x[i][0] * x[i][0] + x[i][1] * x[i][1]);
        part[i] = points[i].weight;
    }
    plane.size = sqrt(size2);
    if (!lithe_narrow_slide(n, pair, &plane))
        return false;
    LitheRub want = rub_of(region, &plane.slide);
    if (!(want.area > 0))
        return false;
    lithe_rub_factors(&want, &plane.slide, x, part, region->points, factor);
    double share = region->flat * plane.known;
    for (int i = 0; i < region->points; i++)
        factor[i] = 1 + share * (factor[i] - 1);
    return true;
}
