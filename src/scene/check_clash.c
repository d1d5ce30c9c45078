// SPDX-License-Identifier: Apache-2.0
// scene/check_clash.c - degrees of freedom that are held or driven twice

#include "scene/objects.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The degrees of freedom of one node that a hold, a drive or a clamped end prescribes.
typedef struct Claim {
    LitheThing thing;
    int32_t node;         // of the rod, or the particle
    uint32_t bits;        // LITHE_HOLD_X .. LITHE_HOLD_TWIST (of the edge that leaves the node)
    LitheObjectKind kind; // a clamped end belongs to its rod
    int32_t index;        // in its section
    bool is_spring;       // a spring conflicts with holds, not with other springs
} Claim;

static int claim_order(const void *a, const void *b) {
    const Claim *x = a, *y = b;
    if (x->thing.kind != y->thing.kind)
        return x->thing.kind < y->thing.kind ? -1 : 1;
    if (x->thing.number != y->thing.number)
        return x->thing.number < y->thing.number ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->is_spring != y->is_spring)
        return x->is_spring ? 1 : -1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// The node of a place; -1 when it is not known before the rod is built.
static int32_t place_node(const LitheScene *scene, const LithePlace *place) {
    const LitheRodDef *rod = &scene->rods[place->thing.number - 1];
    int32_t nodes = lithe_rod_def_node_count(rod);
    if (nodes < 0)
        return -1;
    if (place->kind == LITHE_PLACE_NODE)
        return place->node < 0 ? place->node + nodes : place->node;
    if (rod->nodes == 0)
        return place->fraction == 0 ? 0 : place->fraction == 1 ? nodes - 1 : -1;
    int32_t edges = nodes - !lithe_rod_def_closed(rod);
    return (int32_t)lround(place->fraction * edges) % nodes;
}

// Splits a claim on a place into claims on nodes: a clamp prescribes both nodes of the edge; twist
// belongs to an edge.
static void add_claims(const LitheScene *scene, Claim *claims, int32_t *count,
                       const LithePlace *place, Claim claim) {
    if (place->kind == LITHE_PLACE_SET || place->thing.kind == LITHE_THING_SOLID)
        return; // its members are not known before the model is built
    claim.thing = place->thing;
    if (place->thing.kind == LITHE_THING_PARTICLES) {
        int32_t all = scene->particles[place->thing.number - 1].count;
        claim.node = place->node < 0 ? place->node + all : place->node;
        claims[(*count)++] = claim;
        return;
    }
    int32_t node = place_node(scene, place);
    if (node < 0)
        return;
    const LitheRodDef *rod = &scene->rods[place->thing.number - 1];
    int32_t nodes = lithe_rod_def_node_count(rod);
    int32_t edge = node == nodes - 1 && !lithe_rod_def_closed(rod) ? node - 1 : node;
    uint32_t bits = claim.bits;
    uint32_t edge_bits = bits & LITHE_HOLD_TWIST;
    if (bits & LITHE_HOLD_CLAMP) {
        claim.node = (edge + 1) % nodes;
        claim.bits = LITHE_HOLD_POSITION;
        claims[(*count)++] = claim;
        edge_bits = LITHE_HOLD_POSITION | LITHE_HOLD_TWIST;
    } else if (bits & LITHE_HOLD_POSITION) {
        claim.node = node;
        claim.bits = bits & LITHE_HOLD_POSITION;
        claims[(*count)++] = claim;
    }
    if (edge_bits) {
        claim.node = edge;
        claim.bits = edge_bits;
        claims[(*count)++] = claim;
    }
}

static void fail_clash(LitheCheck *check, const Claim *first, const Claim *second) {
    const char *what = first->bits & second->bits & LITHE_HOLD_POSITION ? "position" : "twist";
    char first_label[160];
    snprintf(first_label, sizeof first_label, "%s '%s'%s", lithe_scene_objects[first->kind].word,
             lithe_object_name(check->scene, first->kind, first->index),
             first->kind == LITHE_OBJECT_ROD ? " (clamped)" : "");
    lithe_object_select(check, second->kind, second->index);
    if (second->kind == LITHE_OBJECT_ROD)
        lithe_check_fail(check, "clamped", "both clamps hold node %d", second->node);
    else if (second->thing.kind == LITHE_THING_PARTICLES)
        lithe_check_fail(check, "on", "%s of particle %d of '%s' is already prescribed by %s", what,
                         second->node, check->scene->particles[second->thing.number - 1].name,
                         first_label);
    else
        lithe_check_fail(check, "on", "%s of node %d of rod '%s' is already prescribed by %s", what,
                         second->node, check->scene->rods[second->thing.number - 1].name,
                         first_label);
}

static void compare_claims(LitheCheck *check, const Claim *claims, int32_t count) {
    int32_t group = 0; // first claim on the same node
    for (int32_t i = 0; i < count && check->status == LITHE_OK; i++) {
        if (claims[i].thing.kind != claims[group].thing.kind ||
            claims[i].thing.number != claims[group].thing.number ||
            claims[i].node != claims[group].node)
            group = i;
        // a node has at most four claims that do not conflict, so this loop is short
        for (int32_t k = group; k < i && !claims[k].is_spring; k++) {
            uint32_t shared = claims[k].bits & claims[i].bits;
            bool all_held = shared == claims[i].bits;
            if (claims[i].is_spring ? all_held : shared != 0) {
                fail_clash(check, &claims[k], &claims[i]);
                break;
            }
        }
    }
}

void lithe_check_clashes(LitheCheck *check) {
    const LitheScene *s = check->scene;
    int64_t max = 2 * (2 * (int64_t)s->rod_count + s->hold_count + s->drive_count);
    Claim *claims = lithe_alloc_array(s->context, max + s->hold_count, sizeof *claims);
    if (!claims) {
        check->status = lithe_fail_memory(check->error, "a list of what is held");
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < s->rod_count; i++) {
        LithePlace place = {.thing = lithe_thing_rod((LitheRodId){i + 1})};
        Claim claim = {.bits = LITHE_HOLD_CLAMP, .kind = LITHE_OBJECT_ROD, .index = i};
        if (s->rods[i].clamp_start)
            add_claims(s, claims, &count, &place, claim);
        place.node = -1;
        if (s->rods[i].clamp_end)
            add_claims(s, claims, &count, &place, claim);
    }
    for (int32_t i = 0; i < s->hold_count; i++)
        add_claims(s, claims, &count, &s->holds[i].place,
                   (Claim){.bits = s->holds[i].bits, .kind = LITHE_OBJECT_HOLD, .index = i});
    for (int32_t i = 0; i < s->drive_count; i++) {
        static const uint32_t bits[] = {LITHE_HOLD_POSITION, LITHE_HOLD_TWIST, LITHE_HOLD_CLAMP};
        const LitheDriveDef *d = &s->drives[i];
        add_claims(s, claims, &count, &d->place,
                   (Claim){.bits = bits[d->kind],
                           .kind = LITHE_OBJECT_DRIVE,
                           .index = i,
                           .is_spring = d->stiffness > 0});
    }
    qsort(claims, (size_t)count, sizeof *claims, claim_order);
    compare_claims(check, claims, count);
    lithe_free(s->context, claims);
}
