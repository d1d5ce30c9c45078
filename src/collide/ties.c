// SPDX-License-Identifier: Apache-2.0
// collide/ties.c - tied things do not touch each other around their tie: (C7)
//
// A contact of two parts lies at a place s of a and a place t of b, both 0 to 1. A tie excludes a
// rectangle of the square of (s, t). The rest is cut into pieces of the two parts, which are
// searched one by one. docs/theory/collision.md.

#include "collide/ties.h"

#include "body/constraint.h"

// after a tie is released, contacts around it become ordinary contacts once things overlap by less
// than this fraction of the smaller thickness: such contacts store little energy
#define LEFT_FRACTION 1e-3

// --- ranges --------------------------------------------------------------------------------------

// index of the first zone whose key of things is not below `things`
static int32_t first_zone(const LitheModel *model, uint64_t things) {
    int32_t low = 0, high = model->tie_zone_count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (model->tie_zones[half].things < things)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

// whether a point of a surface is a node of the range, or is carried by one
static bool has_node(const LitheTieRange *range, const LitheFineSurface *fine, int32_t point) {
    for (int k = 0; k < 4; k++) {
        int32_t node = fine ? fine->places[point].node[k] : point;
        bool carries = !fine || fine->places[point].weight[k] > 0;
        if (carries && node >= range->first && node < range->first + range->count)
            return true;
    }
    return false;
}

// the range of places of a part that belongs to a tie range; false: none
static bool covers(const LitheModel *model, const LitheContacts *c, const LitheTieRange *range,
                   int32_t part, double out[2]) {
    out[0] = 0;
    out[1] = 1;
    if (range->whole)
        return true;
    if (lithe_part_kind(model, part) == LITHE_PART_FACE) { // any corner
        const LitheFace *face = lithe_part_face(model, c, part);
        for (int k = 0; k < 3; k++)
            if (has_node(range, model->face_sets[face->set].fine, face->node[k]))
                return true;
        return false;
    }
    if (lithe_part_kind(model, part) == LITHE_PART_TET) { // any corner
        const LitheTetPart *tet = lithe_part_tet(model, c, part);
        const int32_t *corners = model->tet_spans[tet->span].field->tets + 4 * (int64_t)tet->index;
        for (int k = 0; k < 4; k++)
            if (has_node(range, NULL, corners[k]))
                return true;
        return false;
    }
    if (lithe_part_surface(model, c, part)) {
        const LitheBall *ball = &c->balls[part - lithe_part_at(model, LITHE_PART_BALL)];
        const LitheBallSet *set = &model->ball_sets[ball->set];
        const int32_t *parts = set->surface->triangles + 12 * (int64_t)ball->index;
        for (int k = 0; set->middles && k < 3; k++)
            if (has_node(range, NULL, parts[4 * k]) || has_node(range, NULL, parts[9 + k]))
                return true;
        return !set->middles && has_node(range, set->fine, ball->index);
    }
    int32_t number = lithe_part_ops(model, part)->side(model, c, part, 0).part - range->first;
    if (number < 0)
        number += lithe_part_ops(model, part)->cycle(model, c, part);
    if (number < 0 || number >= range->count)
        return false;
    if (number == 0)
        out[0] = range->start;
    if (number == range->count - 1)
        out[1] = range->end;
    return out[0] < out[1];
}

// the ranges of places of two parts (a < b) that belong to a zone; false: none
static bool zone_covers(const LitheModel *model, const LitheContacts *c, const LitheTieZone *zone,
                        LithePartPair pair, double a[2], double b[2]) {
    bool swapped = c->things[pair.a] > c->things[pair.b];
    return covers(model, c, &zone->range[swapped], pair.a, a) &&
           covers(model, c, &zone->range[!swapped], pair.b, b);
}

static bool is(const LitheState *state, const LitheTieZone *zone, LitheTieAction action) {
    return lithe_tie_of(state, zone->constraint)->acts == action;
}

// --- pieces --------------------------------------------------------------------------------------

static void put(LithePiece *out, int *count, double a0, double a1, double b0, double b1) {
    if (a0 < a1 && b0 < b1 && *count < LITHE_PIECES_MAX)
        out[(*count)++] = (LithePiece){{a0, a1}, {b0, b1}};
}

// removes the rectangle a x b from a piece; cuts the rest into up to four pieces
static void take_out(const LithePiece *p, const double a[2], const double b[2], LithePiece *out,
                     int *count) {
    double a0 = fmax(p->a[0], a[0]), a1 = fmin(p->a[1], a[1]);
    double b0 = fmax(p->b[0], b[0]), b1 = fmin(p->b[1], b[1]);
    if (!(a0 < a1 && b0 < b1)) {
        put(out, count, p->a[0], p->a[1], p->b[0], p->b[1]);
        return;
    }
    put(out, count, p->a[0], a0, p->b[0], p->b[1]);
    put(out, count, a1, p->a[1], p->b[0], p->b[1]);
    put(out, count, a0, a1, p->b[0], b0);
    put(out, count, a0, a1, b1, p->b[1]);
}

int lithe_tie_pieces(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                     LithePartPair pair, LithePiece out[LITHE_PIECES_MAX]) {
    uint64_t things = lithe_thing_pair(c->things[pair.a], c->things[pair.b]);
    int count = -1;
    for (int32_t i = first_zone(model, things);
         i < model->tie_zone_count && model->tie_zones[i].things == things; i++) {
        const LitheTieZone *zone = &model->tie_zones[i];
        double a[2], b[2];
        if (!lithe_tie_binds(state, zone->constraint) || !zone_covers(model, c, zone, pair, a, b))
            continue;
        LithePiece before[LITHE_PIECES_MAX] = {{{0, 1}, {0, 1}}};
        int left = count < 0 ? 1 : count;
        for (int k = 0; k < count; k++)
            before[k] = out[k];
        count = 0;
        for (int k = 0; k < left; k++)
            take_out(&before[k], a, b, out, &count);
    }
    return count;
}

bool lithe_are_tied(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                    LithePartPair pair) {
    uint64_t things = lithe_thing_pair(c->things[pair.a], c->things[pair.b]);
    double a[2], b[2];
    for (int32_t i = first_zone(model, things);
         i < model->tie_zone_count && model->tie_zones[i].things == things; i++)
        if (!is(state, &model->tie_zones[i], LITHE_TIE_IDLE) &&
            zone_covers(model, c, &model->tie_zones[i], pair, a, b))
            return true;
    return false;
}

bool lithe_tie_embeds(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                      LithePartPair pair) {
    uint64_t things = lithe_thing_pair(c->things[pair.a], c->things[pair.b]);
    for (int32_t i = first_zone(model, things);
         i < model->tie_zone_count && model->tie_zones[i].things == things; i++) {
        const LitheTieZone *zone = &model->tie_zones[i];
        if ((zone->range[0].inside || zone->range[1].inside) &&
            lithe_tie_binds(state, zone->constraint))
            return true;
    }
    return false;
}

// --- ties that were released ---------------------------------------------------------------------

bool lithe_tie_leaves(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                      int32_t index) {
    const int32_t *part = c->parts[index].part;
    LithePartPair pair = {part[0], part[1]};
    uint64_t things = lithe_thing_pair(c->things[pair.a], c->things[pair.b]);
    double s = c->contacts[index].a.s, t = c->contacts[index].b.s, a[2], b[2];
    for (int32_t i = first_zone(model, things);
         i < model->tie_zone_count && model->tie_zones[i].things == things; i++)
        if (is(state, &model->tie_zones[i], LITHE_TIE_LEAVES) &&
            zone_covers(model, c, &model->tie_zones[i], pair, a, b) && s >= a[0] && s <= a[1] &&
            t >= b[0] && t <= b[1])
            return true;
    return false;
}

static double thinner(const LitheGeom *a, const LitheGeom *b) {
    const LitheGeom *both[2] = {a, b};
    double thin = INFINITY;
    for (int k = 0; k < 2; k++) {
        Vec3 size = v3_sub(both[k]->high, both[k]->low);
        if (both[k]->kind == LITHE_GEOM_SEGMENT)
            thin = fmin(thin, 2 * both[k]->radius);
        else if (both[k]->kind != LITHE_GEOM_HALF_SPACE)
            thin = fmin(thin, fmin(size.x, fmin(size.y, size.z)));
    }
    return thin;
}

static bool parts_overlap(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                          const LitheTieZone *zone, LithePartPair pair) {
    double a[2], b[2];
    if (!lithe_part_ops(model, pair.a)->shape || !lithe_part_ops(model, pair.b)->shape ||
        !zone_covers(model, c, zone, pair, a, b))
        return false;
    LithePose pose_x, pose_y;
    LitheGeom x = lithe_part_ops(model, pair.a)->shape(model, state, c, pair.a, a, &pose_x);
    LitheGeom y = lithe_part_ops(model, pair.b)->shape(model, state, c, pair.b, b, &pose_y);
    LitheClosest near;
    if (!lithe_geom_pair_allowed(&x, &y))
        return false;
    lithe_geom_distance(&x, &pose_x, &y, &pose_y, &near);
    return -near.distance > LEFT_FRACTION * thinner(&x, &y);
}

static bool zone_overlaps(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                          const LitheTieZone *zone) {
    for (int32_t i = 0; i < c->part_count; i++)
        for (int32_t k = i + 1; k < c->part_count; k++)
            if (lithe_thing_pair(c->things[i], c->things[k]) == zone->things &&
                parts_overlap(model, state, c, zone, (LithePartPair){i, k}))
                return true;
    return false;
}

void lithe_ties_leave(const LitheModel *model, const LitheContacts *c, LitheState *state) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        LitheTie *tie = lithe_tie_of(state, i);
        if (tie->acts != LITHE_TIE_LEAVES)
            continue;
        bool overlaps = false;
        for (int32_t k = 0; k < model->tie_zone_count && !overlaps; k++)
            overlaps = model->tie_zones[k].constraint == i &&
                       zone_overlaps(model, state, c, &model->tie_zones[k]);
        if (!overlaps)
            tie->acts = LITHE_TIE_IDLE;
    }
}
