// SPDX-License-Identifier: Apache-2.0
// run/overlaps.c - what overlaps as built
//
// An overlap beyond the smaller half thickness has no right side to be pushed out to, and
// holds energy of contacts that nothing has supplied.

#include "run/overlaps.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/poke.h"
#include "collide/collide.h"
#include "data/model.h"
#include "data/thing.h"

#include <stdio.h>
#include <stdlib.h>

static int by_pair(const void *x, const void *y) {
    const LitheOverlap *p = x, *q = y;
    uint64_t a = lithe_thing_pair(p->a, p->b), b = lithe_thing_pair(q->a, q->b);
    if (a != b)
        return a < b ? -1 : 1;
    return (p->fraction < q->fraction) - (p->fraction > q->fraction); // the deepest first
}

static int by_fraction(const void *x, const void *y) {
    const LitheOverlap *p = x, *q = y;
    if (p->fraction != q->fraction)
        return p->fraction > q->fraction ? -1 : 1;
    return by_pair(x, y);
}

int32_t lithe_overlaps(const LitheModel *model, const LitheContacts *contacts, double fraction,
                       LitheOverlap *out) {
    int32_t count = 0, kept = 0;
    const LitheContact *all = lithe_contact_data(contacts);
    for (int32_t i = 0; i < lithe_contact_count(contacts); i++) {
        double own = lithe_contact_overlap(model, &all[i]);
        if (own > fraction)
            out[count++] =
                (LitheOverlap){lithe_thing_number(model, all[i].a.thing),
                               lithe_thing_number(model, all[i].b.thing), -all[i].gap, own, 1};
    }
    qsort(out, (size_t)count, sizeof *out, by_pair);
    for (int32_t i = 0; i < count; i++)
        if (kept == 0 || lithe_thing_pair(out[i].a, out[i].b) !=
                             lithe_thing_pair(out[kept - 1].a, out[kept - 1].b))
            out[kept++] = out[i];
        else
            out[kept - 1].places++;
    qsort(out, (size_t)kept, sizeof *out, by_fraction);
    return kept;
}

static const char *name_of(const LitheModel *model, int32_t thing) {
    return lithe_thing_name(model, lithe_thing_at(model, thing));
}

// what to do about it
#define HELP \
    "move them apart, or add them to ignore if they are meant to overlap (contact.start-overlap: " \
    "any starts from any overlap)"

static LitheStatus refuse(const LitheModel *model, const LitheOverlap *worst, int32_t count,
                          LitheError *error) {
    char who[200], others[64] = "";
    if (worst->a == worst->b)
        snprintf(who, sizeof who, "'%.80s' overlaps itself", name_of(model, worst->a));
    else
        snprintf(who, sizeof who, "'%.80s' and '%.80s' overlap", name_of(model, worst->a),
                 name_of(model, worst->b));
    if (count > 1)
        snprintf(others, sizeof others, " (and so %s %d other pair%s)", count > 2 ? "do" : "does",
                 count - 1, count > 2 ? "s" : "");
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "%s at the start by %.3g m, %.0f %% of the smaller half thickness%s; up to "
                      "%.0f %% is pushed apart: " HELP,
                      who, worst->depth, 100 * worst->fraction, others,
                      100 * model->contact.start_overlap);
}

LitheStatus lithe_overlaps_refuse(const LitheModel *model, const LitheState *state,
                                  const LitheContacts *contacts, LitheError *error) {
    double limit = model->contact.start_overlap;
    if (!(limit > 0))
        return LITHE_OK;
    LitheOverlap *all =
        lithe_alloc_array(model->context, lithe_contact_count(contacts) + 1, sizeof *all);
    if (!all)
        return lithe_fail_memory(error, "the overlaps of the start");
    int32_t count = lithe_overlaps(model, contacts, limit, all);
    LitheStatus status = count > 0 ? refuse(model, all, count, error) : LITHE_OK;
    lithe_free(model->context, all);
    LithePoke poke = {0};
    if (status == LITHE_OK && lithe_next_start_poke(model, state, limit, &poke))
        status =
            lithe_fail(error, LITHE_BAD_INPUT,
                       "'%.80s' is %.3g m deep in '%.80s' at the start, %.0f %% of the smaller "
                       "half thickness; up to %.0f %% is pushed apart: " HELP,
                       lithe_thing_name(model, poke.body), poke.depth,
                       lithe_thing_name(model, poke.thing), 100 * poke.fraction, 100 * limit);
    LitheWithin pair = {0};
    if (status == LITHE_OK && lithe_next_within(model, contacts, &pair))
        status =
            lithe_fail(error, LITHE_BAD_INPUT,
                       "solid '%.80s' lies inside of solid '%.80s' at the start: so deep there "
                       "are no contacts between them: " HELP,
                       lithe_thing_name(model, pair.inner), lithe_thing_name(model, pair.outer));
    return status;
}
