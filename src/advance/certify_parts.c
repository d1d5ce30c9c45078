// SPDX-License-Identifier: Apache-2.0
// advance/certify_parts.c - displacements of parts in a step, and exact tests of two of them
// (docs/theory/collision.md)

#include "advance/certify_parts.h"

#include "body/rod.h"
#include "body/solid.h"
#include "body/tree_body.h"
#include "collide/part.h"
#include "collide/ties.h"
#include "geom/crossing.h"
#include "geom/segment.h"

#include <math.h>

// --- displacements -------------------------------------------------------------------------------

static const LitheRod *rod_of(const LitheMotion *m, int32_t part, int32_t *edge) {
    const LitheRod *rod = &m->model->rods[m->work->contacts->things[part]];
    *edge = part - (int32_t)rod->edge_at;
    return rod;
}

static void ends_of(const LitheMotion *m, int32_t part, LitheMovingPoint ends[2]) {
    int32_t edge;
    const LitheRod *rod = rod_of(m, part, &edge);
    int32_t next = edge + 1 == rod->node_count ? 0 : edge + 1;
    const double *q0 = m->before->q + rod->dof_at, *q1 = m->after->q + rod->dof_at;
    ends[0] = (LitheMovingPoint){v3_load(q0 + 4 * (int64_t)edge), v3_load(q1 + 4 * (int64_t)edge)};
    ends[1] = (LitheMovingPoint){v3_load(q0 + 4 * (int64_t)next), v3_load(q1 + 4 * (int64_t)next)};
}

static LithePose place_of(const LitheMotion *m, int32_t geom, const LitheState *state) {
    const LitheModelGeom *own = &m->model->geoms[geom];
    return lithe_geom_place(lithe_body_place(m->model, state, own->body), own);
}

static double segment_displacement(const LitheMotion *m, int32_t part) {
    LitheMovingPoint ends[2];
    ends_of(m, part, ends);
    return fmax(v3_distance(ends[0].x0, ends[0].x1), v3_distance(ends[1].x0, ends[1].x1));
}

static int32_t geom_of(const LitheMotion *m, int32_t part) {
    return part - lithe_part_at(m->model, LITHE_PART_SHAPE);
}

// Pose of a shape at the start. Where contacts were searched at a predicted place, the swept motion
// is tested, whose boxes begin at the start.
static LithePose start_pose(const LitheMotion *m, int32_t geom) {
    return m->work->outcome.ahead ? m->work->sweep->poses[geom] : m->work->contacts->poses[geom];
}

double lithe_geom_displacement(const LitheMotion *m, int32_t geom, Pose begin, Pose end, bool first,
                               double *turn) {
    const LitheModelGeom *own = &m->model->geoms[geom];
    if (m->model->bodies[own->body].unit < 0)
        return 0;
    LithePose early;
    const LithePose *start = &m->work->contacts->poses[geom];
    if (m->work->outcome.ahead) {
        early = lithe_geom_place(begin, own);
        start = &early;
    }
    if (first) {
        Quat q = q4_unit(q4_mul(end.rotation, own->local.q));
        *turn = 2 * acos(fmin(1, fabs(q4_mul(q4_conj(start->q), q).w)));
    }
    bool endless = own->geom.kind == LITHE_GEOM_HALF_SPACE;
    double slide = v3_distance(start->at, pose_point(end, own->local.at));
    return slide + (endless ? INFINITY * (*turn > 0) : own->geom.reach * *turn);
}

// max displacement of a shape, which is computed once for all pairs
static double shape_displacement(const LitheMotion *m, int32_t part) {
    return m->work->moved[geom_of(m, part)];
}

static const LitheBall *ball_of(const LitheMotion *m, int32_t part) {
    return &m->work->contacts->balls[part - lithe_part_at(m->model, LITHE_PART_BALL)];
}

static LitheMovingPoint centre_of(const LitheMotion *m, int32_t part) {
    const LitheBall *ball = ball_of(m, part);
    const LitheBallSet *set = &m->model->ball_sets[ball->set];
    int64_t at = m->model->units[set->unit].q_at;
    if (set->fine)
        return (LitheMovingPoint){lithe_fine_point(set->fine, m->before->q + at, ball->index),
                                  lithe_fine_point(set->fine, m->after->q + at, ball->index)};
    if (set->middles)
        return (LitheMovingPoint){
            lithe_surface_middle(set->surface, m->before->q + at, ball->index),
            lithe_surface_middle(set->surface, m->after->q + at, ball->index)};
    at += 3 * (int64_t)ball->index;
    return (LitheMovingPoint){v3_load(m->before->q + at), v3_load(m->after->q + at)};
}

static double ball_displacement(const LitheMotion *m, int32_t part) {
    LitheMovingPoint centre = centre_of(m, part);
    return v3_distance(centre.x0, centre.x1);
}

// triangles of surfaces are tested by lithe_certify_faces, their nodes against shapes
static double no_displacement(const LitheMotion *m, int32_t part) {
    (void)m, (void)part;
    return 0;
}

// --- half thickness ------------------------------------------------------------------------------

static double segment_radius(const LitheMotion *m, int32_t part) {
    int32_t edge;
    return lithe_rod_half_thickness(rod_of(m, part, &edge));
}

static double shape_radius(const LitheMotion *m, int32_t part) {
    (void)m, (void)part; // rods and particles must not cross the surface of a shape
    return 0;
}

static double inner_depth(const LitheMotion *m, int32_t part) {
    return m->model->geoms[geom_of(m, part)].inner.depth;
}

// points of a surface overlap where they touch: they must not meet inner shapes, (Z11)
static double ball_radius(const LitheMotion *m, int32_t part) {
    bool point = lithe_part_surface(m->model, m->work->contacts, part) != NULL;
    return point ? m->wall : ball_of(m, part)->radius;
}

// --- neighbours ----------------------------------------------------------------------------------

// the edge before or after an edge of a rod; -1: there is none
static int32_t segment_beside(const LitheMotion *m, int32_t part, int32_t by) {
    int32_t edge;
    const LitheRod *rod = rod_of(m, part, &edge);
    int32_t next = edge + by;
    if (rod->closed)
        next = (next + rod->edge_count) % rod->edge_count;
    return next < 0 || next >= rod->edge_count ? -1 : (int32_t)rod->edge_at + next;
}

// whether both ends are still within the box of the contact search, with some room for what they
// meet
static bool segment_within(const LitheMotion *m, int32_t part, double room) {
    const LitheBounds *box = &m->work->contacts->boxes[part];
    LitheMovingPoint ends[2];
    bool within = true;
    ends_of(m, part, ends);
    for (int k = 0; k < 6; k++) {
        double x = (&ends[k / 3].x1.x)[k % 3];
        within = within && x >= box->low[k % 3] + room && x <= box->high[k % 3] - room;
    }
    return within;
}

static LitheCrossingTest segments_cross;

static bool turns_back(const LitheContacts *c, int32_t a, int32_t b) {
    return v3_dot(c->segments[a].edge, c->segments[b].edge) < 0;
}

// whether an edge leads along n at the start and at the end, and so all the time
static bool leads_along(const LitheMotion *m, int32_t part, Vec3 n) {
    LitheMovingPoint ends[2];
    ends_of(m, part, ends);
    return v3_dot(v3_sub(ends[1].x0, ends[0].x0), n) > 0 &&
           v3_dot(v3_sub(ends[1].x1, ends[0].x1), n) > 0;
}

// the direction of an edge, between those at the start and at the end
static Vec3 mean_direction(const LitheMotion *m, int32_t part) {
    LitheMovingPoint ends[2];
    ends_of(m, part, ends);
    return v3_add(v3_unit(v3_sub(ends[1].x0, ends[0].x0)), v3_unit(v3_sub(ends[1].x1, ends[0].x1)));
}

// Tests edges that are neighbours by (C1), and the one after the next where one of the two nodes
// between turns back: contacts there may be left out by (C5) at the fold. Edges that all lead along
// one direction do not meet.
static int32_t segment_passed_close(const LitheMotion *m, int32_t part) {
    const LitheContacts *c = m->work->contacts;
    const LithePartOps *ops = lithe_part_ops(m->model, part);
    int32_t between = segment_beside(m, part, 1), next = segment_beside(m, part, 2), first = next;
    if (!ops->self_contact(m->model, c, part))
        return -1;
    Vec3 along = v3(0, 0, 0);
    bool straight = true;
    // until the end, or once around
    while (next >= 0 && next != part && segment_beside(m, next, 1) != part &&
           !lithe_meter_spend(&m->work->meter, 1)) {
        LithePartPair pair = {next < part ? next : part, next < part ? part : next};
        if (ops->far(m->model, c, pair.a, pair.b) &&
            !(next == first && (turns_back(c, part, between) || turns_back(c, between, next))))
            return -1;
        if (next == first) {
            along = mean_direction(m, part);
            straight = leads_along(m, part, along) && leads_along(m, between, along);
        }
        straight = straight && leads_along(m, next, along);
        if (!straight && !lithe_are_tied(m->model, m->before, c, pair) &&
            segments_cross(m, pair.a, pair.b))
            return next;
        next = segment_beside(m, next, 1);
    }
    return -1;
}

static int32_t none_beside(const LitheMotion *m, int32_t part, int32_t by) {
    (void)m, (void)part, (void)by;
    return -1;
}

const LithePartMotion lithe_part_motions[LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] = {segment_displacement, segment_radius, segment_radius, segment_beside,
                            true, segment_passed_close, segment_within},
    [LITHE_PART_SHAPE] = {shape_displacement, shape_radius, inner_depth, none_beside, true},
    [LITHE_PART_BALL] = {ball_displacement, ball_radius, ball_radius, none_beside, false},
    [LITHE_PART_FACE] = {no_displacement, shape_radius, shape_radius, none_beside, false},
    [LITHE_PART_TET] = {no_displacement, shape_radius, shape_radius, none_beside, false},
};

// --- one pair ------------------------------------------------------------------------------------

// an edge against a half-space: an end that was outside is now inside
static bool sinks(const LitheMovingPoint ends[2], const LithePose poses[2], double near) {
    for (int k = 0; k < 2; k++) {
        Vec3 up[2] = {q4_rotate(poses[0].q, v3(0, 0, 1)), q4_rotate(poses[1].q, v3(0, 0, 1))};
        double before = v3_dot(up[0], v3_sub(ends[k].x0, poses[0].at));
        double after = v3_dot(up[1], v3_sub(ends[k].x1, poses[1].at));
        if (before > near && after <= near)
            return true;
    }
    return false;
}

// (Z4): max relative displacement of two edges
static double displacement_between(const LitheMovingPoint a[2], const LitheMovingPoint b[2]) {
    double max = 0;
    for (int k = 0; k < 4; k++) {
        Vec3 before = v3_sub(b[k / 2].x0, a[k % 2].x0), after = v3_sub(b[k / 2].x1, a[k % 2].x1);
        Vec3 moved = v3_sub(before, after);
        max = fmax(max, v3_dot(moved, moved));
    }
    return sqrt(max);
}

// a lower bound of the distance of two edges at the start: that of their centres less half lengths
static double apart_at_least(const LitheMovingPoint a[2], const LitheMovingPoint b[2]) {
    Vec3 between = v3_sub(v3_add(a[0].x0, a[1].x0), v3_add(b[0].x0, b[1].x0));
    return 0.5 * (v3_norm(between) - v3_distance(a[0].x0, a[1].x0) - v3_distance(b[0].x0, b[1].x0));
}

static bool segments_cross(const LitheMotion *m, int32_t a, int32_t b) {
    LitheMovingPoint ends[2], others[2];
    double time, near = LITHE_NEAR * segment_radius(m, a);
    ends_of(m, a, ends);
    ends_of(m, b, others);
    double moved = displacement_between(ends, others);
    if (apart_at_least(ends, others) > near + moved)
        return false;
    // Centrelines that coincide at the start have no crossing direction: not tested. Centrelines
    // that coincide at the end count as a crossing, so that only the initial state can have such a
    // pair.
    LitheSegmentPair start =
        lithe_segment_closest(ends[0].x0, ends[1].x0, others[0].x0, others[1].x0);
    if (!(start.distance > near && start.distance - near <= moved))
        return false;
    return lithe_crossing_segments(ends, others, &time) ||
           !(lithe_segment_closest(ends[0].x1, ends[1].x1, others[0].x1, others[1].x1).distance >
             near);
}

// a segment, which may be a point, against the shape `part`
static bool passes_shape(const LitheMotion *m, const LitheMovingPoint ends[2], double near,
                         int32_t part) {
    int32_t geom = geom_of(m, part);
    const LitheModelGeom *own = &m->model->geoms[geom];
    LithePose poses[2] = {start_pose(m, geom), place_of(m, geom, m->after)};
    double time;
    if (own->geom.kind == LITHE_GEOM_HALF_SPACE)
        return sinks(ends, poses, near);
    // a segment that is inside at the start overlaps, which is reported elsewhere: no crossing
    LitheMovingPoint still[2] = {{ends[0].x0, ends[0].x0}, {ends[1].x0, ends[1].x0}};
    LithePose rest[2] = {poses[0], poses[0]};
    return lithe_crossing_segment_shape(ends, 0, &own->geom, poses, near, &time) &&
           !lithe_crossing_segment_shape(still, 0, &own->geom, rest, near, &time);
}

// (Z10): the inner shapes of two shapes meet. Half-spaces and heightfields have no far side to
// cross to.
static bool shapes_cross(const LitheMotion *m, int32_t a, int32_t b) {
    const int32_t geom[2] = {geom_of(m, a), geom_of(m, b)};
    const LitheInner *inner[2];
    LithePose poses[2][2];
    double depth = 0, size = 0, time;
    for (int k = 0; k < 2; k++) {
        const LitheModelGeom *own = &m->model->geoms[geom[k]];
        if (own->geom.kind == LITHE_GEOM_HALF_SPACE || own->geom.kind == LITHE_GEOM_HEIGHTFIELD)
            return false;
        inner[k] = &own->inner;
        depth += inner[k]->depth;
        size = fmax(size, own->geom.reach);
        poses[k][0] = start_pose(m, geom[k]);
    }
    if (!lithe_geom_pair_allowed(&inner[0]->geom, &inner[1]->geom))
        return false;
    // inner shapes that meet at the start overlap, which is reported elsewhere: no crossing
    double near = fmax(LITHE_NEAR * depth, 1e-9 * size);
    LitheClosest start;
    lithe_geom_distance(&inner[0]->geom, &poses[0][0], &inner[1]->geom, &poses[1][0], &start);
    if (!(start.distance > near &&
          start.distance - near <= shape_displacement(m, a) + shape_displacement(m, b)))
        return false;
    for (int k = 0; k < 2; k++)
        poses[k][1] = place_of(m, geom[k], m->after);
    return lithe_crossing_shapes(&inner[0]->geom, poses[0], &inner[1]->geom, poses[1], near, &time);
}

static bool segment_passes_shape(const LitheMotion *m, int32_t segment, int32_t shape) {
    LitheMovingPoint ends[2];
    ends_of(m, segment, ends);
    return passes_shape(m, ends, LITHE_NEAR * segment_radius(m, segment), shape);
}

// (Z11): a point of a surface meets the inner shape. One that starts there overlaps, which is
// reported elsewhere.
static bool point_passes_shape(const LitheMotion *m, const LitheMovingPoint ends[2],
                               const LitheSurface *surface, int32_t part) {
    int32_t geom = geom_of(m, part);
    const LitheModelGeom *own = &m->model->geoms[geom];
    if (lithe_surface_depth(surface, own) == INFINITY)
        return false;
    double radius = lithe_surface_radius(surface, own);
    if (radius > 0)
        return passes_shape(m, ends, LITHE_NEAR * radius, part);
    LithePose poses[2] = {start_pose(m, geom), place_of(m, geom, m->after)};
    LitheMovingPoint still[2] = {{ends[0].x0, ends[0].x0}, {ends[1].x0, ends[1].x0}};
    LithePose rest[2] = {poses[0], poses[0]};
    double near = LITHE_NEAR * own->inner.depth, time;
    return lithe_crossing_segment_shape(ends, 0, &own->inner.geom, poses, near, &time) &&
           !lithe_crossing_segment_shape(still, 0, &own->inner.geom, rest, near, &time);
}

static bool ball_passes_shape(const LitheMotion *m, int32_t shape, int32_t ball) {
    LitheMovingPoint centre = centre_of(m, ball), ends[2] = {centre, centre};
    const LitheSurface *surface = lithe_part_surface(m->model, m->work->contacts, ball);
    if (surface)
        return point_passes_shape(m, ends, surface, shape);
    return passes_shape(m, ends, LITHE_NEAR * ball_radius(m, ball), shape);
}

LitheCrossingTest *const lithe_crossing_tests[LITHE_PART_KINDS][LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] =
        {[LITHE_PART_SEGMENT] = segments_cross, [LITHE_PART_SHAPE] = segment_passes_shape},
    [LITHE_PART_SHAPE] = {[LITHE_PART_SHAPE] = shapes_cross, [LITHE_PART_BALL] = ball_passes_shape},
};
