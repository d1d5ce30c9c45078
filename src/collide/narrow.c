// SPDX-License-Identifier: Apache-2.0
// collide/narrow.c - contacts of the pairs: points, normals, gaps, ids

#include "collide/narrow.h"

#include "base/memory.h"
#include "collide/patch.h"

#include <math.h>

// tetrahedra of pressure fields touch by patches, and nothing else
static void no_contacts(LitheNarrow *n, LithePartPair pair) {
    (void)n, (void)pair;
}

// Pairs of kinds of parts, the lower kind first. Pairs of segments are processed in blocks.
static LitheNarrowFn *const narrow[LITHE_PART_KINDS][LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] = {[LITHE_PART_SHAPE] = lithe_narrow_shapes,
                            [LITHE_PART_BALL] = lithe_narrow_segment_ball,
                            [LITHE_PART_FACE] = lithe_narrow_segment_face,
                            [LITHE_PART_TET] = no_contacts},
    [LITHE_PART_SHAPE] = {[LITHE_PART_SHAPE] = lithe_narrow_shapes,
                          [LITHE_PART_BALL] = lithe_narrow_shape_ball,
                          [LITHE_PART_FACE] = lithe_narrow_shape_face,
                          [LITHE_PART_TET] = no_contacts},
    [LITHE_PART_BALL] =
        {[LITHE_PART_BALL] = lithe_narrow_balls, [LITHE_PART_FACE] = lithe_narrow_ball_face},
    [LITHE_PART_FACE] = {[LITHE_PART_FACE] = lithe_narrow_faces},
    [LITHE_PART_TET] = {[LITHE_PART_TET] = no_contacts},
};

bool lithe_kinds_touch(LithePartKind a, LithePartKind b) {
    return (a == LITHE_PART_SEGMENT && b == LITHE_PART_SEGMENT) ||
           narrow[a < b ? a : b][a < b ? b : a];
}

// half thickness of what touches a triangle
static double half_of(const LitheNarrow *n, int32_t part) {
    if (lithe_part_kind(n->model, part) == LITHE_PART_SHAPE)
        return lithe_shape_half(&n->model->geoms[part - lithe_part_at(n->model, LITHE_PART_SHAPE)]);
    return lithe_part_ops(n->model, part)->size(n->model, n->c, part);
}

LitheContact *lithe_narrow_add(LitheNarrow *n, LithePartPair pair, double s, double t,
                               uint64_t id) {
    const LithePartOps *a = lithe_part_ops(n->model, pair.a), *b = lithe_part_ops(n->model, pair.b);
    const LitheContacts *c = n->c;
    LitheFound *out = n->out;
    int64_t count = (int64_t)out->count + 1;
    bool full = count > out->capacity || count > out->key_capacity;
    if (full && (!LITHE_RESERVE(c->context, out->contacts, out->capacity, count) ||
                 !LITHE_RESERVE(c->context, out->keys, out->key_capacity, count))) {
        out->failed = true;
        return NULL;
    }
    LitheContact *contact = &out->contacts[out->count];
    uint64_t parts = (uint64_t)pair.a << 32 | (uint32_t)pair.b;
    if (n->combined_parts != parts) {
        n->combined_parts = parts;
        n->combined = (LitheContact){0};
        // b has the higher kind: the other part of a point of a surface is a
        const LitheSurface *surface = lithe_part_surface(n->model, c, pair.b);
        const LitheTouch *x = a->touch(n->model, c, pair.a), *y = b->touch(n->model, c, pair.b);
        if (lithe_part_kind(n->model, pair.b) == LITHE_PART_FACE) {
            const LitheFaceSet *sets = n->model->face_sets;
            surface = sets[lithe_part_face(n->model, c, pair.b)->set].surface;
            if (lithe_part_kind(n->model, pair.a) == LITHE_PART_FACE)
                lithe_combine_surfaces(n->model, x,
                                       sets[lithe_part_face(n->model, c, pair.a)->set].surface, y,
                                       surface, &n->combined);
            else
                lithe_combine_surface(n->model, x, half_of(n, pair.a), y, surface, &n->combined);
        } else if (surface) {
            const LitheModelGeom *geom =
                &n->model->geoms[pair.a - lithe_part_at(n->model, LITHE_PART_SHAPE)];
            lithe_combine_surface(n->model, x, lithe_shape_half(geom), y, surface, &n->combined);
        } else {
            lithe_combine(n->model, x, a->size(n->model, c, pair.a), y,
                          b->size(n->model, c, pair.b), &n->combined);
        }
        n->combined.a = a->side(n->model, c, pair.a, 0);
        n->combined.b = b->side(n->model, c, pair.b, 0);
    }
    *contact = n->combined;
    contact->id = id;
    // of a side only the place along an edge differs between the contacts of a pair
    if (a == &lithe_part_kinds[LITHE_PART_SEGMENT])
        contact->a.s = s;
    if (b == &lithe_part_kinds[LITHE_PART_SEGMENT])
        contact->b.s = t;
    out->keys[out->count] = (LitheContactKey){id, parts, n->range, out->count};
    out->count++;
    return contact;
}

// --- entry ---------------------------------------------------------------------------------------

// up to this number of pairs are processed in one range
enum { FEW_PAIRS = 2048 };

// finds the contacts of the pieces of two parts that no tie excludes; false: no tie is near
static bool narrow_tied(LitheNarrow *n, LithePartPair pair) {
    LithePiece pieces[LITHE_PIECES_MAX];
    int count = lithe_tie_pieces(n->model, n->state, n->c, pair, pieces);
    LithePartKind kind = lithe_part_kind(n->model, pair.b);
    bool patches = count > 0 && n->model->patches && lithe_patch_pair(n->model, n->c, pair);
    for (int i = 0; i < count; i++) {
        n->piece = &pieces[i];
        n->piece_number = (uint32_t)i;
        if (patches)
            lithe_narrow_patches(n, pair);
        else if (kind == LITHE_PART_SEGMENT)
            lithe_narrow_segment_pieces(n, pair);
        else
            narrow[lithe_part_kind(n->model, pair.a)][kind](n, pair);
    }
    n->piece = NULL;
    n->piece_number = 0;
    return count >= 0;
}

// time of the narrow phase of a pair, by the kinds of its parts [ns]
static const double pair_cost[LITHE_PART_KINDS][LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] = {[LITHE_PART_SEGMENT] = 60,
                            [LITHE_PART_SHAPE] = 400,
                            [LITHE_PART_BALL] = 60,
                            [LITHE_PART_FACE] = 300,
                            [LITHE_PART_TET] = 10000},
    [LITHE_PART_SHAPE] = {[LITHE_PART_SHAPE] = 2000,
                          [LITHE_PART_BALL] = 200,
                          [LITHE_PART_FACE] = 150,
                          [LITHE_PART_TET] = 2000},
    [LITHE_PART_BALL] = {[LITHE_PART_BALL] = 25, [LITHE_PART_FACE] = 60},
    [LITHE_PART_FACE] = {[LITHE_PART_FACE] = 400},
    [LITHE_PART_TET] = {[LITHE_PART_TET] = 500},
};

static double cost_of_pairs(const LitheModel *model, const LitheContacts *c) {
    double sum = 0;
    for (int32_t i = 0; i < c->pair_count; i++)
        sum +=
            pair_cost[lithe_part_kind(model, c->pairs[i].a)][lithe_part_kind(model, c->pairs[i].b)];
    return sum;
}

// pairs that are tested at once before their work is spent
enum { SPENT_AT_ONCE = 16 };

// all pairs of one range
static void narrow_range(int32_t range, void *user) {
    const LitheContacts *c = ((const LitheNarrow *)user)->c;
    LitheFound *out = ((const LitheNarrow *)user)->out + range;
    bool few = c->pair_count < FEW_PAIRS;
    int64_t shares = few ? 1 : LITHE_FOUND_SHARES, count = c->pair_count;
    out->count = out->unsupported = out->polygons = out->folded = 0;
    out->failed = false;
    if (range >= shares)
        return;
    LitheNarrow n = *(const LitheNarrow *)user;
    n.range = range;
    n.out = out;
    int32_t first = (int32_t)(count * range / shares);
    int32_t after = (int32_t)(count * (range + 1) / shares);
    for (int32_t i = first; i < after && !n.out->failed; i++) {
        if (i % SPENT_AT_ONCE == 0 && lithe_meter_spend(c->meter, SPENT_AT_ONCE))
            break;
        LithePartPair pair = c->pairs[i];
        LithePartKind kind = lithe_part_kind(n.model, pair.b);
        if (n.model->tie_zone_count > 0 && narrow_tied(&n, pair))
            continue;
        if (n.model->patches && lithe_patch_pair(n.model, c, pair)) {
            lithe_narrow_patches(&n, pair);
            continue;
        }
        if (kind != LITHE_PART_SEGMENT) {
            narrow[lithe_part_kind(n.model, pair.a)][kind](&n, pair);
            continue;
        }
        // segments of a large scene are not in the cache: prefetch them
        __builtin_prefetch(&c->segments[pair.a]);
        __builtin_prefetch(&c->segments[pair.b]);
        n.waiting[n.waiting_count++] = pair;
        if (n.waiting_count == LITHE_SEGMENT_BLOCK)
            lithe_narrow_segments(&n);
    }
    if (n.waiting_count > 0)
        lithe_narrow_segments(&n);
}

bool lithe_collide_narrow(const LitheModel *model, const LitheState *state,
                          const LitheCollideOptions *options, LitheContacts *c) {
    LitheNarrow n = {.model = model,
                     .state = state,
                     .c = c,
                     .out = c->found,
                     .margin = options->margin,
                     .span = options->step * fmax(1, options->glide),
                     .step = options->step,
                     .place_bits = lithe_place_bits(model),
                     .single = options->single};
    double cost = c->pair_count < FEW_PAIRS || !options->pool ? 0 : cost_of_pairs(model, c);
    lithe_pool_run(options->pool, LITHE_FOUND_SHARES, cost, narrow_range, &n);
    for (int k = 0; k < LITHE_FOUND_SHARES; k++)
        if (c->found[k].failed)
            return false;
    return true;
}
