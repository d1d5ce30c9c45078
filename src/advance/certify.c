// SPDX-License-Identifier: Apache-2.0
// advance/certify.c - after a step: did a rod pass through a rod, a rod or a particle through the
// surface of a body, a body through a body, or a node of a soft surface through a body?
//
// Most pairs are excluded by lengths alone: centrelines that start d apart cannot meet while the
// sum of their displacements is less than d (Z1). The others get the exact test.
// docs/theory/collision.md.

#include "advance/certify.h"

#include "body/rod.h"
#include "body/solid.h"
#include "body/tree_body.h"
#include "collide/ties.h"
#include "data/thing.h"
#include "geom/crossing.h"
#include "geom/segment.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

// a centreline has passed through a surface when it comes nearer than this fraction of the radius;
// two centrelines coincide when they are nearer than that at the start
#define NEAR_FRACTION 1e-3
// displacements up to this fraction of the smallest radius are small: (Z3)
#define SMALL_FRACTION 0.5

typedef struct Motion {
    const LitheModel *model;
    const LitheState *before, *after;
    LitheWork *work;
    double wall; // smallest depth of an inner shape that points of surfaces must not meet [m]
} Motion;

// --- displacements -------------------------------------------------------------------------------

static const LitheRod *rod_of(const Motion *m, int32_t part, int32_t *edge) {
    const LitheRod *rod = &m->model->rods[m->work->contacts->things[part]];
    *edge = part - (int32_t)rod->edge_at;
    return rod;
}

static void ends_of(const Motion *m, int32_t part, LitheMovingPoint ends[2]) {
    int32_t edge;
    const LitheRod *rod = rod_of(m, part, &edge);
    int32_t next = edge + 1 == rod->node_count ? 0 : edge + 1;
    const double *q0 = m->before->q + rod->dof_at, *q1 = m->after->q + rod->dof_at;
    ends[0] = (LitheMovingPoint){v3_load(q0 + 4 * (int64_t)edge), v3_load(q1 + 4 * (int64_t)edge)};
    ends[1] = (LitheMovingPoint){v3_load(q0 + 4 * (int64_t)next), v3_load(q1 + 4 * (int64_t)next)};
}

static LithePose place_of(const Motion *m, int32_t geom, const LitheState *state) {
    const LitheModelGeom *own = &m->model->geoms[geom];
    return lithe_geom_place(lithe_body_place(m->model, state, own->body), own);
}

static double segment_displacement(const Motion *m, int32_t part) {
    LitheMovingPoint ends[2];
    ends_of(m, part, ends);
    return fmax(v3_distance(ends[0].x0, ends[0].x1), v3_distance(ends[1].x0, ends[1].x1));
}

static int32_t geom_of(const Motion *m, int32_t part) {
    return part - lithe_part_at(m->model, LITHE_PART_SHAPE);
}

// Pose of a shape at the start. Where contacts were searched at a predicted place, the swept motion
// is tested, whose boxes begin at the start.
static LithePose start_pose(const Motion *m, int32_t geom) {
    return m->work->ahead ? m->work->sweep->poses[geom] : m->work->contacts->poses[geom];
}

// `begin` and `end` are the poses of its body; *turn the angle by which the body turned, found with
// its first shape
static double geom_displacement(const Motion *m, int32_t geom, Pose begin, Pose end, bool first,
                                double *turn) {
    const LitheModelGeom *own = &m->model->geoms[geom];
    if (m->model->bodies[own->body].unit < 0)
        return 0;
    LithePose early;
    const LithePose *start = &m->work->contacts->poses[geom];
    if (m->work->ahead) {
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
static double shape_displacement(const Motion *m, int32_t part) {
    return m->work->moved[geom_of(m, part)];
}

static const LitheBall *ball_of(const Motion *m, int32_t part) {
    return &m->work->contacts->balls[part - lithe_part_at(m->model, LITHE_PART_BALL)];
}

static LitheMovingPoint centre_of(const Motion *m, int32_t part) {
    const LitheBall *ball = ball_of(m, part);
    const LitheBallSet *set = &m->model->ball_sets[ball->set];
    int64_t at = m->model->units[set->unit].q_at;
    if (set->fine)
        return (LitheMovingPoint){lithe_fine_point(set->fine, m->before->q + at, ball->index),
                                  lithe_fine_point(set->fine, m->after->q + at, ball->index)};
    at += 3 * (int64_t)ball->index;
    return (LitheMovingPoint){v3_load(m->before->q + at), v3_load(m->after->q + at)};
}

static double ball_displacement(const Motion *m, int32_t part) {
    LitheMovingPoint centre = centre_of(m, part);
    return v3_distance(centre.x0, centre.x1);
}

// triangles of surfaces are tested by lithe_certify_faces, their nodes against shapes
static double no_displacement(const Motion *m, int32_t part) {
    (void)m, (void)part;
    return 0;
}

// --- half thickness ------------------------------------------------------------------------------

static double segment_radius(const Motion *m, int32_t part) {
    int32_t edge;
    return lithe_rod_half_thickness(rod_of(m, part, &edge));
}

static double shape_radius(const Motion *m, int32_t part) {
    (void)m, (void)part; // rods and particles must not cross the surface of a shape
    return 0;
}

static double inner_depth(const Motion *m, int32_t part) {
    return m->model->geoms[geom_of(m, part)].inner.depth;
}

// points of a surface overlap where they touch: they must not meet inner shapes, (Z11)
static double ball_radius(const Motion *m, int32_t part) {
    bool point = lithe_part_surface(m->model, m->work->contacts, part) != NULL;
    return point ? m->wall : ball_of(m, part)->radius;
}

// --- neighbours ----------------------------------------------------------------------------------

// the edge before or after an edge of a rod; -1: there is none
static int32_t segment_beside(const Motion *m, int32_t part, int32_t by) {
    int32_t edge;
    const LitheRod *rod = rod_of(m, part, &edge);
    int32_t next = edge + by;
    if (rod->closed)
        next = (next + rod->edge_count) % rod->edge_count;
    return next < 0 || next >= rod->edge_count ? -1 : (int32_t)rod->edge_at + next;
}

// whether both ends are still within the box of the contact search, with some room for what they
// meet
static bool segment_within(const Motion *m, int32_t part, double room) {
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

static int32_t none_beside(const Motion *m, int32_t part, int32_t by) {
    (void)m, (void)part, (void)by;
    return -1;
}

typedef struct PartMotion {
    // max displacement of any point [m]
    double (*displacement)(const Motion *m, int32_t part);
    // from the surface to the curve or point that others must not cross
    double (*radius)(const Motion *m, int32_t part);
    // the same against parts of the same kind
    double (*own_radius)(const Motion *m, int32_t part);
    // the part before (by = -1) or after (by = 1) it; returns -1: none
    int32_t (*beside)(const Motion *m, int32_t part, int32_t by);
    bool along; // the contact search ignores neighbours along the same thing (Z3)
    // whether the search foresaw a displacement that is not small; NULL: it may not have
    bool (*within)(const Motion *m, int32_t part, double room);
} PartMotion;

static const PartMotion kinds[LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] = {segment_displacement, segment_radius, segment_radius, segment_beside,
                            true, segment_within},
    [LITHE_PART_SHAPE] = {shape_displacement, shape_radius, inner_depth, none_beside, true, NULL},
    [LITHE_PART_BALL] = {ball_displacement, ball_radius, ball_radius, none_beside, false, NULL},
    [LITHE_PART_FACE] = {no_displacement, shape_radius, shape_radius, none_beside, false, NULL},
    [LITHE_PART_TET] = {no_displacement, shape_radius, shape_radius, none_beside, false, NULL},
};

static const PartMotion *kind_of(const Motion *m, int32_t part) {
    return &kinds[lithe_part_kind(m->model, part)];
}

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

static bool segments_cross(const Motion *m, int32_t a, int32_t b) {
    LitheMovingPoint ends[2], others[2];
    double time, near = NEAR_FRACTION * segment_radius(m, a);
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
static bool passes_shape(const Motion *m, const LitheMovingPoint ends[2], double near,
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
static bool shapes_cross(const Motion *m, int32_t a, int32_t b) {
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
    double near = fmax(NEAR_FRACTION * depth, 1e-9 * size);
    LitheClosest start;
    lithe_geom_distance(&inner[0]->geom, &poses[0][0], &inner[1]->geom, &poses[1][0], &start);
    if (!(start.distance > near &&
          start.distance - near <= shape_displacement(m, a) + shape_displacement(m, b)))
        return false;
    for (int k = 0; k < 2; k++)
        poses[k][1] = place_of(m, geom[k], m->after);
    return lithe_crossing_shapes(&inner[0]->geom, poses[0], &inner[1]->geom, poses[1], near, &time);
}

static bool segment_passes_shape(const Motion *m, int32_t segment, int32_t shape) {
    LitheMovingPoint ends[2];
    ends_of(m, segment, ends);
    return passes_shape(m, ends, NEAR_FRACTION * segment_radius(m, segment), shape);
}

// (Z11): a point of a surface meets the inner shape. One that starts there overlaps, which is
// reported elsewhere.
static bool point_passes_shape(const Motion *m, const LitheMovingPoint ends[2],
                               const LitheSurface *surface, int32_t part) {
    int32_t geom = geom_of(m, part);
    const LitheModelGeom *own = &m->model->geoms[geom];
    if (lithe_surface_depth(surface, own) == INFINITY)
        return false;
    double radius = lithe_surface_radius(surface, own);
    if (radius > 0)
        return passes_shape(m, ends, NEAR_FRACTION * radius, part);
    LithePose poses[2] = {start_pose(m, geom), place_of(m, geom, m->after)};
    LitheMovingPoint still[2] = {{ends[0].x0, ends[0].x0}, {ends[1].x0, ends[1].x0}};
    LithePose rest[2] = {poses[0], poses[0]};
    double near = NEAR_FRACTION * own->inner.depth, time;
    return lithe_crossing_segment_shape(ends, 0, &own->inner.geom, poses, near, &time) &&
           !lithe_crossing_segment_shape(still, 0, &own->inner.geom, rest, near, &time);
}

static bool ball_passes_shape(const Motion *m, int32_t shape, int32_t ball) {
    LitheMovingPoint centre = centre_of(m, ball), ends[2] = {centre, centre};
    const LitheSurface *surface = lithe_part_surface(m->model, m->work->contacts, ball);
    if (surface)
        return point_passes_shape(m, ends, surface, shape);
    return passes_shape(m, ends, NEAR_FRACTION * ball_radius(m, ball), shape);
}

typedef bool CrossFn(const Motion *m, int32_t a, int32_t b);

// Pairs of kinds of parts, the lower kind first; NULL: not certified. For a particle and another
// particle or an edge a crossing is not defined: passing through cannot be distinguished from
// passing around.
static CrossFn *const crossing_of[LITHE_PART_KINDS][LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] =
        {[LITHE_PART_SEGMENT] = segments_cross, [LITHE_PART_SHAPE] = segment_passes_shape},
    [LITHE_PART_SHAPE] = {[LITHE_PART_SHAPE] = shapes_cross, [LITHE_PART_BALL] = ball_passes_shape},
};

// the test of two parts (a < b), or NULL
static CrossFn *test_of(const LitheModel *model, int32_t a, int32_t b) {
    return crossing_of[lithe_part_kind(model, a)][lithe_part_kind(model, b)];
}

// --- all pairs -----------------------------------------------------------------------------------

// whether the model has parts that the certificate tests
static bool can_cross(const LitheModel *model) {
    for (int a = 0; a < LITHE_PART_KINDS; a++)
        for (int b = a; b < LITHE_PART_KINDS; b++)
            if (crossing_of[a][b] && lithe_part_count(model, a) > 0 &&
                lithe_part_count(model, b) > (a == b && a != LITHE_PART_SEGMENT))
                return true;
    return false;
}

static double thinnest(const LitheModel *model) {
    double radius = INFINITY;
    for (int32_t i = 0; i < model->rod_count; i++)
        radius = fmin(radius, lithe_rod_half_thickness(&model->rods[i]));
    return radius;
}

// parts or contacts per task
enum { AT_ONCE = 512 };
// time of the check of a part, and of a contact [ns]
#define PART_COST 20
#define CONTACT_COST 60

typedef struct Check {
    const Motion *m;
    double small;      // displacements up to this are small [m]
    bool alone;        // all parts are of one kind
    atomic_int number; // number of parts that moved farther; or index of the first contact that
                       // crossed
    atomic_bool large; // a displacement is not small
} Check;

static void check_some_parts(int32_t task, void *user) {
    Check *check = user;
    const Motion *m = check->m;
    const LitheContacts *c = m->work->contacts;
    for (int32_t part = AT_ONCE * task; part < AT_ONCE * (task + 1) && part < c->part_count;
         part++) {
        const PartMotion *kind = kind_of(m, part);
        double travel = lithe_part_ops(m->model, part)->travel(m->model, c, part);
        double displacement = kind->displacement(m, part);
        double radius = check->alone ? kind->own_radius(m, part) : kind->radius(m, part);
        bool large = kind->along && displacement > check->small;
        if ((large && !(kind->within && kind->within(m, part, check->small))) ||
            displacement > radius + travel + 0.5 * m->work->margin) {
            atomic_fetch_add(&check->number, 1);
            return;
        }
        if (large)
            atomic_store(&check->large, true);
    }
}

static int32_t tasks_of(int32_t count) {
    return (count + AT_ONCE - 1) / AT_ONCE;
}

// which pairs can have met
typedef enum Suspects {
    NEAR_CONTACTS, // (Z2), (Z3): those found and their neighbours
    SEARCHED,      // (Z2) alone: those whose boxes met in the contact search
    ANY,           // a part moved farther than the search predicted
} Suspects;

static Suspects find_suspects(const Motion *m) {
    int32_t count = m->work->contacts->part_count;
    Check check = {.m = m, .small = SMALL_FRACTION * thinnest(m->model)};
    check.alone = lithe_part_kind(m->model, 0) == lithe_part_kind(m->model, count - 1);
    lithe_pool_run(m->work->pool, tasks_of(count), PART_COST * count, check_some_parts, &check);
    if (atomic_load(&check.number) > 0)
        return ANY;
    return atomic_load(&check.large) ? SEARCHED : NEAR_CONTACTS;
}

// reports a crossing, a < b
static void note(const Motion *m, int32_t a, int32_t b, LitheCrossing *crossing) {
    const LitheContacts *c = m->work->contacts;
    *crossing = (LitheCrossing){true, lithe_part_ops(m->model, a)->side(m->model, c, a, 0),
                                lithe_part_ops(m->model, b)->side(m->model, c, b, 0)};
}

// the part itself, or the one before or after it; -1: there is none
static int32_t beside(const Motion *m, int32_t part, int32_t by) {
    return by == 0 ? part : kind_of(m, part)->beside(m, part, by);
}

// Tests a pair that is near, and the neighbours of its edges: a contact at a node has the id of one
// edge.
static void check_near(const Motion *m, int32_t a, int32_t b, LitheCrossing *crossing) {
    for (int k = 0; k < 9 && !crossing->found; k++) {
        int32_t p = beside(m, a, k / 3 - 1), q = beside(m, b, k % 3 - 1);
        if (p < 0 || q < 0 || p == q)
            continue;
        int32_t first = p < q ? p : q, second = p < q ? q : p;
        if (lithe_parts_may_touch(m->model, m->work->contacts, first, second) &&
            !lithe_are_tied(m->model, m->before, m->work->contacts,
                            (LithePartPair){first, second}) &&
            test_of(m->model, first, second)(m, first, second))
            note(m, first, second, crossing);
    }
}

// what (Z1) reads of a pair of parts: the same for all of its contacts
typedef struct PairMotion {
    int32_t part[2];
    bool tested;  // there is a test for it
    double radii; // sum of both [m]
    double moved; // sum of both displacements [m]
} PairMotion;

static PairMotion pair_motion(const Motion *m, int32_t a, int32_t b) {
    PairMotion pair = {.part = {a, b}, .tested = test_of(m->model, a, b) != NULL};
    if (!pair.tested)
        return pair;
    const PartMotion *x = kind_of(m, a), *y = kind_of(m, b);
    pair.radii =
        x == y ? x->own_radius(m, a) + x->own_radius(m, b) : x->radius(m, a) + y->radius(m, b);
    pair.moved = x->displacement(m, a) + y->displacement(m, b);
    return pair;
}

// `pair` is that of the contact before, if it has the same parts
static bool check_contact(const Motion *m, int32_t index, PairMotion *pair,
                          LitheCrossing *crossing) {
    const int32_t *part = m->work->contacts->parts[index].part;
    if (part[0] != pair->part[0] || part[1] != pair->part[1])
        *pair = pair_motion(m, part[0], part[1]);
    // (Z1)
    if (!pair->tested || pair->moved < m->work->contacts->contacts[index].gap + pair->radii)
        return false;
    *crossing = (LitheCrossing){0};
    check_near(m, part[0], part[1], crossing);
    return crossing->found;
}

static void check_some_contacts(int32_t task, void *user) {
    Check *check = user;
    int32_t count = check->m->work->contacts->count;
    PairMotion pair = {.part = {-1, -1}};
    LitheCrossing crossing;
    for (int32_t i = AT_ONCE * task; i < AT_ONCE * (task + 1) && i < count; i++) {
        if (!check_contact(check->m, i, &pair, &crossing))
            continue;
        // keep the smallest number of all threads
        int first = atomic_load(&check->number);
        while (i < first && !atomic_compare_exchange_weak(&check->number, &first, i))
            continue;
        return;
    }
}

// tests the pairs that the contact search found
static void check_contacts(const Motion *m, LitheCrossing *crossing) {
    Check check = {.m = m, .number = INT_MAX};
    int32_t count = m->work->contacts->count;
    lithe_pool_run(m->work->pool, tasks_of(count), CONTACT_COST * count, check_some_contacts,
                   &check);
    int first = atomic_load(&check.number);
    PairMotion pair = {.part = {-1, -1}};
    if (first < INT_MAX)
        check_contact(m, first, &pair, crossing);
}

// mean velocities over a step with stages, from the difference of its end and start
static void mean_velocities(const Motion *m, double h, double *v) {
    for (int32_t i = 0; i < m->model->unit_count; i++) {
        const LitheUnit *unit = &m->model->units[i];
        double *own = v + unit->v_at;
        lithe_unit_ops(m->model, i)->difference(m->model, i, m->before, m->after, own);
        for (int64_t k = 0; k < unit->v_count; k++)
            own[k] /= h;
    }
}

// tests all pairs whose boxes overlapped in a search
static void check_pairs(const Motion *m, const LitheContacts *c, LitheCrossing *crossing) {
    for (int32_t i = 0; i < c->pair_count && !crossing->found; i++) {
        int32_t a = c->pairs[i].a, b = c->pairs[i].b;
        CrossFn *crosses = test_of(m->model, a, b);
        if (crosses && !lithe_are_tied(m->model, m->before, c, c->pairs[i]) && crosses(m, a, b))
            note(m, a, b, crossing);
    }
}

// tests all pairs whose boxes, swept from before to after, overlap
static LitheStatus check_motion(const Motion *m, double h, LitheCrossing *crossing,
                                LitheError *error) {
    LitheContacts *sweep = m->work->sweep;
    const LitheModel *model = m->model;
    LitheState moving = *m->before;
    moving.v = m->work->displacements;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitWork *unit = &m->work->units[i];
        memcpy(moving.v + model->units[i].v_at, unit->w, (size_t)unit->dof_count * sizeof(double));
    }
    if (m->work->stage.made)
        mean_velocities(m, h, moving.v);
    // zones of ties need the places on edges
    LitheCollideOptions options = {.step = h,
                                   .end = m->work->stage.made ? m->after : NULL,
                                   .boxes = model->tie_zone_count == 0};
    if (!lithe_collide_proxies(model, &moving, &options, sweep))
        return lithe_fail_memory(error, "the boxes of a motion");
    LitheStatus status = lithe_collide_pairs(model, 0, sweep, error);
    if (status != LITHE_OK)
        return status;
    check_pairs(m, sweep, crossing);
    return LITHE_OK;
}

// the next step starts where this one ends
static void exchange_placed(LitheWork *work) {
    LithePlaced placed = work->placed[0];
    work->placed[0] = work->placed[1];
    work->placed[1] = placed;
}

LitheStatus lithe_certify(const LitheModel *model, const LitheState *before,
                          const LitheState *after, double h, LitheWork *work,
                          LitheCrossing *crossing, LitheError *error) {
    Motion m = {model, before, after, work, INFINITY};
    *crossing = (LitheCrossing){0};
    work->strayed = INFINITY;
    if (!model->contact.enabled || !model->contact.certify)
        return LITHE_OK;
    LitheStatus status = lithe_certify_faces(model, before, after, work, crossing, error);
    if (status != LITHE_OK || crossing->found || !can_cross(model))
        return status;
    Pose begin = pose_identity(), end = pose_identity();
    LithePlaces places = lithe_places_kept(after, &work->placed[1]);
    LithePlaces early = lithe_places_kept(before, &work->placed[0]);
    double turn = 0;
    if (lithe_stay_near(model, work, &early, &places)) {
        exchange_placed(work);
        return LITHE_OK;
    }
    for (int32_t g = 0; g < model->geom_count; g++) {
        bool another = g == 0 || model->geoms[g].body != model->geoms[g - 1].body;
        if (another)
            end = lithe_places_body(&places, model, model->geoms[g].body);
        if (another && work->ahead)
            begin = lithe_places_body(&early, model, model->geoms[g].body);
        work->moved[g] = geom_displacement(&m, g, begin, end, another, &turn);
        for (int32_t i = 0; i < model->ball_set_count; i++)
            if (model->ball_sets[i].surface)
                m.wall = fmin(m.wall,
                              lithe_surface_depth(model->ball_sets[i].surface, &model->geoms[g]));
    }
    exchange_placed(work);
    // with held contacts, or contacts searched at a predicted configuration, the swept motion is
    // tested, whatever margin the search had
    Suspects suspects = work->ahead || work->held ? ANY : find_suspects(&m);
    if (suspects == ANY)
        return check_motion(&m, h, crossing, error);
    if (suspects == SEARCHED)
        check_pairs(&m, work->contacts, crossing);
    else
        check_contacts(&m, crossing);
    return LITHE_OK;
}
