// SPDX-License-Identifier: Apache-2.0
// collide/edges.c - pairs of edges of rods that are near each other, each pair once
//
// A contact potential needs every pair of edges within its reach, also edges that share a node: a
// contact that slides from edge to edge must not jump. So pairs that the search for contacts drops
// by (C5), or for a shared node id, are kept. Only pairs too close along the rod are skipped: (C1)
// and (C2) of docs/theory/collision.md.

#include "base/memory.h"
#include "base/status.h"
#include "collide/collide.h"

#include "body/rod.h"
#include "geom/segment.h"

#include <stdlib.h>

static int by_parts(const void *x, const void *y) {
    const LithePartPair *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// whether the pair is within reach; if so, its contact
static bool near_enough(const LitheModel *model, const LitheContacts *c, LithePartPair pair,
                        double reach, LitheContact *out) {
    const LitheSegment *a = &c->segments[pair.a], *b = &c->segments[pair.b];
    double touch = a->radius + b->radius;
    LitheSegmentPair near = lithe_segment_closest(a->start, v3_add(a->start, a->edge), b->start,
                                                  v3_add(b->start, b->edge));
    if (!(near.distance < touch * (1 + 0.5 * reach) + a->travel + b->travel))
        return false;
    if (lithe_are_neighbours(model, c, pair, near.s, near.t, near.distance))
        return false;
    const LithePartOps *ops = &lithe_part_kinds[LITHE_PART_SEGMENT];
    Vec3 p = v3_axpy(near.s, a->edge, a->start), q = v3_axpy(near.t, b->edge, b->start);
    Vec3 normal = v3_unit(v3_sub(q, p));
    *out = (LitheContact){
        .id = (uint64_t)pair.a << 32 | (uint32_t)pair.b,
        .a = ops->side(model, c, pair.a, near.s),
        .b = ops->side(model, c, pair.b, near.t),
        .point = v3_axpy(a->radius + 0.5 * (near.distance - touch), normal, p),
        .normal = normal,
        .gap = near.distance - touch,
    };
    lithe_combine(model, ops->touch(model, c, pair.a), a->radius, ops->touch(model, c, pair.b),
                  b->radius, out);
    return true;
}

LitheStatus lithe_collide_edges(const LitheModel *model, const LitheState *state, double reach,
                                double step, LitheContacts *c, LitheError *error) {
    double thickest = 0;
    for (int32_t i = 0; i < model->rod_count; i++)
        thickest = fmax(thickest, lithe_rod_contact_radius(&model->rods[i]));
    LitheCollideOptions options = {.margin = reach * thickest, .step = step};
    if (!lithe_collide_proxies(model, state, &options, c))
        return lithe_fail_memory(error, "the boxes of contacts");
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        if (!isfinite(c->arc[rod->edge_at + r + rod->edge_count]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "contacts: rod '%s' has a position that is not finite", rod->name);
    }
    LitheStatus status = lithe_collide_pairs(model, options.margin, c, error);
    if (status != LITHE_OK)
        return status;
    if (!LITHE_RESERVE(c->context, c->contacts, c->capacity, c->pair_count) ||
        !LITHE_RESERVE(c->context, c->parts, c->parts_capacity, c->pair_count))
        return lithe_fail_memory(error, "the contacts");
    if (c->pair_count > 0)
        qsort(c->pairs, (size_t)c->pair_count, sizeof *c->pairs, by_parts);
    c->count = c->unsupported = 0;
    for (int32_t i = 0; i < c->pair_count; i++) {
        LithePartPair pair = c->pairs[i];
        // edges are the first parts: if b is an edge, a is one too
        if (lithe_part_kind(model, pair.b) != LITHE_PART_SEGMENT ||
            !near_enough(model, c, pair, reach, &c->contacts[c->count]))
            continue;
        c->parts[c->count] = lithe_contact_parts(model, c, pair, &c->contacts[c->count]);
        c->count++;
    }
    return LITHE_OK;
}
