// SPDX-License-Identifier: Apache-2.0
// model/build_ties.c - where things that a constraint connects ("tied" things) have no contact
//
// A constraint that keeps two places together would work against contacts around them. With the
// thicknesses tA and tB of the two things (2 r of a rod or a particle, 0 of a body, and of a solid
// to which a rod is tied):
//
//     (C7) a contact of two tied things is ignored where both of its points are in tied ranges:
//          on a rod within tA + tB along it from the constraint, on a particle or a body anywhere,
//          and so on a solid to which a rod or a particle is tied
//
// Where a rod starts inside of the body or solid that it is tied to, the length tA + tB is measured
// from where it leaves it: on the edge of the tie, or from the end of a further edge. Two bodies
// that are welded, or that are attached and overlap at the start, have no contact at all.
// docs/theory/collision.md.

#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "body/rod.h"
#include "body/tree_body.h"
#include "data/thing.h"
#include "geom/distance.h"
#include "model/compile.h"

#include <math.h>
#include <stdlib.h>

// a centreline counts as inside of a body when a ball of this fraction of the radius overlaps it
#define INSIDE_FRACTION 1e-3

// --- shapes at the start -------------------------------------------------------------------------

static LithePose pose_at_start(const LitheModel *model, const LitheState *state, int32_t geom) {
    const LitheModelGeom *own = &model->geoms[geom];
    return lithe_geom_place(lithe_body_place(model, state, own->body), own);
}

static bool ball_inside(const LitheModel *model, const LitheState *state, int32_t body, Vec3 at,
                        double radius) {
    LitheGeom ball = lithe_geom_ball(radius);
    LithePose pose = place_identity();
    LitheClosest near;
    pose.at = at;
    for (int32_t i = 0; i < model->geom_count; i++) {
        if (model->geoms[i].body != body)
            continue;
        LithePose own = pose_at_start(model, state, i);
        lithe_geom_distance(&model->geoms[i].geom, &own, &ball, &pose, &near);
        if (near.distance < 0)
            return true;
    }
    return false;
}

static bool bodies_overlap(const LitheModel *model, const LitheState *state, int32_t a, int32_t b) {
    LitheClosest near;
    for (int32_t i = 0; i < model->geom_count; i++)
        for (int32_t k = 0; k < model->geom_count && model->geoms[i].body == a; k++) {
            const LitheGeom *x = &model->geoms[i].geom, *y = &model->geoms[k].geom;
            if (model->geoms[k].body != b || !lithe_geom_pair_allowed(x, y))
                continue;
            LithePose px = pose_at_start(model, state, i), py = pose_at_start(model, state, k);
            lithe_geom_distance(x, &px, y, &py, &near);
            if (near.distance < 0)
                return true;
        }
    return false;
}

// whether a point is in an element of a solid, whose edges count as straight
static bool point_inside(const LitheModel *model, const LitheState *state, int32_t index, Vec3 at) {
    const LitheSolid *solid = &model->solids[index];
    const LitheTetMesh *mesh = &solid->mesh;
    const double *x = state->q + model->units[solid->unit].q_at;
    for (int32_t i = 0; i < mesh->element_count; i++) {
        const int32_t *e = mesh->elements + (int64_t)i * mesh->nodes_per_element;
        Vec3 o = v3_load(x + 3 * (int64_t)e[0]), p = v3_sub(at, o);
        Vec3 a = v3_sub(v3_load(x + 3 * (int64_t)e[1]), o);
        Vec3 b = v3_sub(v3_load(x + 3 * (int64_t)e[2]), o);
        Vec3 c = v3_sub(v3_load(x + 3 * (int64_t)e[3]), o);
        double whole = v3_dot(v3_cross(a, b), c), u = v3_dot(v3_cross(p, b), c) / whole;
        double v = v3_dot(v3_cross(a, p), c) / whole, w = v3_dot(v3_cross(a, b), p) / whole;
        if (u >= 0 && v >= 0 && w >= 0 && u + v + w <= 1)
            return true;
    }
    return false;
}

// whether a centreline is inside of a body or a solid at a node
static bool is_inside(const LitheModel *model, const LitheState *state, LitheThing thing, Vec3 at,
                      double near) {
    if (thing.kind == LITHE_THING_BODY)
        return ball_inside(model, state, thing.number - 1, at, near);
    return thing.kind == LITHE_THING_SOLID && point_inside(model, state, thing.number - 1, at);
}

// --- ranges of rods ------------------------------------------------------------------------------

/// A place on a rod.
typedef struct Place {
    int32_t edge; // of a closed rod modulo edge_count; may be negative
    double s;
} Place;

static int32_t edge_of(const LitheRod *rod, int32_t edge) {
    int32_t n = rod->edge_count;
    return (edge % n + n) % n;
}

// walks a length along the rod as built, forwards or backwards; stops at an end and after one turn
static Place walk(const LitheRod *rod, Place from, double length, int direction) {
    for (int32_t turns = 0; turns < rod->edge_count; turns++) {
        double edge = rod->built_length[edge_of(rod, from.edge)];
        double left = edge * (direction > 0 ? 1 - from.s : from.s);
        bool last = !rod->closed && from.edge == (direction > 0 ? rod->edge_count - 1 : 0);
        if (length <= left || last)
            return (Place){from.edge, from.s + direction * fmin(length, left) / edge};
        length -= left;
        from = (Place){from.edge + direction, direction > 0 ? 0 : 1};
    }
    return from;
}

static Vec3 point_of(const LitheState *state, const LitheRod *rod, Place at) {
    const int32_t *ends = rod->ends[edge_of(rod, at.edge)];
    Vec3 a = v3_load(state->q + rod->dof_at + 4 * (int64_t)ends[0]);
    Vec3 b = v3_load(state->q + rod->dof_at + 4 * (int64_t)ends[1]);
    return v3_axpy(at.s, v3_sub(b, a), a);
}

// where a rod leaves a thing on the edge of its tie, whose end in this direction is outside
static Place leave_first(const LitheModel *model, const LitheState *state, const LitheRod *rod,
                         Place from, LitheThing thing, int direction) {
    double near = INSIDE_FRACTION * lithe_rod_half_thickness(rod);
    Place in = from, out = {from.edge, direction > 0 ? 1 : 0};
    if (!is_inside(model, state, thing, point_of(state, rod, from), near))
        return from;
    for (int k = 0; k < 40; k++) {
        Place middle = {from.edge, 0.5 * (in.s + out.s)};
        bool inside = is_inside(model, state, thing, point_of(state, rod, middle), near);
        *(inside ? &in : &out) = middle;
    }
    return in;
}

// The place where a rod leaves a thing: on the edge of its tie, or the end of a further edge;
// `from` when the rod does not start inside of it.
static Place leave(const LitheModel *model, const LitheState *state, const LitheRod *rod,
                   Place from, LitheThing thing, int direction) {
    double near = INSIDE_FRACTION * lithe_rod_half_thickness(rod);
    Place place = from;
    for (int32_t turns = 0; turns < rod->edge_count; turns++) {
        int32_t node = rod->ends[edge_of(rod, place.edge)][direction > 0];
        Vec3 x = v3_load(state->q + rod->dof_at + 4 * (int64_t)node);
        bool inside = is_inside(model, state, thing, x, near);
        if (!inside && turns == 0)
            return leave_first(model, state, rod, from, thing, direction);
        place.s = direction > 0 ? 1 : 0;
        bool last = !rod->closed && place.edge == (direction > 0 ? rod->edge_count - 1 : 0);
        if (!inside || last)
            return place;
        place.edge += direction;
    }
    return place;
}

static LitheTieRange rod_range(const LitheModel *model, const LitheState *state,
                               const LitheConstraintSide *side, double reach, LitheThing other) {
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    Place ends[2], at = {side->site.element, side->site.s[0]};
    for (int k = 0; k < 2; k++) {
        int direction = k == 0 ? -1 : 1;
        ends[k] = walk(rod, leave(model, state, rod, at, other, direction), reach, direction);
    }
    int32_t count = ends[1].edge - ends[0].edge + 1;
    bool inside = is_inside(model, state, other, point_of(state, rod, at), 0);
    return (LitheTieRange){.inside = inside,
                           .whole = rod->closed && count > rod->edge_count - 1,
                           .first = edge_of(rod, ends[0].edge),
                           .count = count,
                           .start = ends[0].s,
                           .end = ends[1].s};
}

// --- one constraint ------------------------------------------------------------------------------

// the thing that an anchor is on; unlike in constraints, a fixed body does not count as the world
static LitheThing thing_of(const LitheAnchor *anchor) {
    if (anchor->kind == LITHE_ANCHOR_BODY)
        return (LitheThing){LITHE_THING_BODY, anchor->body.number};
    return anchor->kind == LITHE_ANCHOR_WORLD ? (LitheThing){0} : anchor->place.thing;
}

static LitheTieRange range_of(const LitheModel *model, const LitheState *state,
                              const LitheConstraintSide *side, LitheThing thing, double reach,
                              LitheThing other) {
    if (thing.kind == LITHE_THING_BODY)
        return (LitheTieRange){.whole = true};
    if (thing.kind == LITHE_THING_ROD)
        return rod_range(model, state, side, reach, other);
    // a point in a solid is no part that touches: what is tied to it does not touch the solid
    // there; nor do rods and particles that are tied to its surface
    bool anywhere = thing.kind == LITHE_THING_SOLID &&
                    (other.kind == LITHE_THING_ROD || other.kind == LITHE_THING_PARTICLES);
    bool inside = thing.kind == LITHE_THING_SOLID && side->site.kind == LITHE_SITE_PLACE;
    return (LitheTieRange){
        .whole = inside || anywhere, .first = side->site.element, .count = 1, .start = 0, .end = 1};
}

// whether the constraint keeps its places nearer to each other than `reach`
static bool keeps_near(const LitheConstraint *tie, const LitheState *state, int32_t index,
                       double reach) {
    double length = tie->length > 0 ? tie->length : lithe_tie_of(state, index)->length;
    if (tie->places == LITHE_KEEPS_DISTANCE)
        return tie->upper && length > 0 && length < reach;
    return tie->places != LITHE_KEEPS_NO_PLACE && tie->places != LITHE_KEEPS_PATH;
}

// a solid has none for a rod
static double thickness_of(const LitheModel *model, LitheThing thing,
                           const LitheConstraintSide *side, LitheThing other) {
    if (thing.kind == LITHE_THING_SOLID && other.kind == LITHE_THING_ROD)
        return 0;
    return 2 * lithe_thing_half_thickness(model, thing, side->site.element);
}

static void add_zones(const LitheScene *scene, LitheModel *model, const LitheState *state,
                      int32_t index) {
    const LitheConstraintDef *def = &scene->constraints[index];
    const LitheConstraint *tie = &model->constraints[index];
    const LitheAnchor *anchors[2] = {&def->a, &def->b};
    const LitheConstraintSide *sides[2] = {tie->swapped ? &tie->b : &tie->a,
                                           tie->swapped ? &tie->a : &tie->b};
    LitheThing things[2] = {thing_of(anchors[0]), thing_of(anchors[1])};
    if (def->contact || things[0].number == 0 || things[1].number == 0)
        return;
    bool bodies = things[0].kind == LITHE_THING_BODY && things[1].kind == LITHE_THING_BODY;
    double reach = thickness_of(model, things[0], sides[0], things[1]) +
                   thickness_of(model, things[1], sides[1], things[0]);
    if (!keeps_near(tie, state, index, reach))
        return;
    if (bodies && tie->frames != LITHE_KEEPS_FRAME &&
        !bodies_overlap(model, state, things[0].number - 1, things[1].number - 1))
        return;
    int32_t a = lithe_thing_number(model, things[0]), b = lithe_thing_number(model, things[1]);
    LitheTieRange range[2] = {range_of(model, state, sides[0], things[0], reach, things[1]),
                              range_of(model, state, sides[1], things[1], reach, things[0])};
    if (tie->places >= LITHE_KEEPS_BED)
        range[0] = range[1] = (LitheTieRange){.whole = true};
    LitheTieZone zone = {lithe_thing_pair(a, b), index, {range[a > b], range[a <= b]}};
    model->tie_zones[model->tie_zone_count++] = zone;
    model->constraints[index].has_zone = true;
    // both places are on one thing: each side of a contact may be near either place
    if (a == b)
        model->tie_zones[model->tie_zone_count++] =
            (LitheTieZone){zone.things, index, {zone.range[1], zone.range[0]}};
}

static int by_things(const void *x, const void *y) {
    const LitheTieZone *a = x, *b = y;
    if (a->things != b->things)
        return a->things < b->things ? -1 : 1;
    return (a->constraint > b->constraint) - (a->constraint < b->constraint);
}

LitheStatus lithe_build_ties(const LitheScene *scene, LitheModel *model, const LitheState *state,
                             LitheError *error) {
    model->tie_zones = lithe_alloc_array(model->context, 2 * (int64_t)model->constraint_count,
                                         sizeof *model->tie_zones);
    if (!model->tie_zones)
        return lithe_fail_memory(error, "the surroundings of ties");
    for (int32_t i = 0; i < model->constraint_count; i++)
        add_zones(scene, model, state, i);
    qsort(model->tie_zones, (size_t)model->tie_zone_count, sizeof *model->tie_zones, by_things);
    return LITHE_OK;
}
