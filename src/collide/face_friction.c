// SPDX-License-Identifier: Apache-2.0
// collide/face_friction.c - friction of faces that slide and turn on each other
//
// The contacts of a face have the friction about its normal and the stiffness of an even pressure
// (18) to (20), but where it slides and turns at once, their friction is up to 17 % less. So their
// bounds have factors such that force and torque are those of an even pressure in the motion at the
// start of the step, (30) to (32). Numbers in brackets: docs/theory/distance.md.

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

bool lithe_narrow_face_friction(const LitheNarrow *n, LithePartPair pair, const LitheRegion *region,
                                const LitheContactPoint *points, int count, double *factor) {
    if (!may_turn(n, pair) || (region->count == 0 && !(region->ring[0] > 0)))
        return false;
    LitheSlidePlane plane = {.centre = region->centre, .u = region->u, .v = region->v};
    double size2 = 0;
    for (int i = 0; i < count; i++) {
        Vec3 d = v3_sub(points[i].on_a, region->centre);
        size2 = fmax(size2, v3_dot(d, d));
    }
    plane.size = sqrt(size2);
    if (!lithe_narrow_slide(n, pair, &plane))
        return false;
    double x[LITHE_CONTACTS_MAX][2], part[LITHE_CONTACTS_MAX];
    for (int i = 0; i < count; i++) {
        Vec3 d = v3_sub(points[i].on_a, region->centre);
        x[i][0] = v3_dot(d, region->u);
        x[i][1] = v3_dot(d, region->v);
        part[i] = points[i].weight;
    }
    const LitheSlide *slide = &plane.slide;
    LitheRub want = {0};
    if (region->count > 0) {
        lithe_rub_add(&want, slide, region->corner, region->count, 1);
    } else {
        add_circle(&want, slide, region->ring[0], 1);
        add_circle(&want, slide, region->ring[1], -1);
    }
    if (!(want.area > 0))
        return false;
    lithe_rub_factors(&want, slide, x, part, count, factor);
    double share = region->flat * plane.known;
    for (int i = 0; i < count; i++)
        factor[i] = 1 + share * (factor[i] - 1);
    return true;
}
