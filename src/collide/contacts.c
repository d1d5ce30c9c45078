// SPDX-License-Identifier: Apache-2.0
// collide/contacts.c - the whole search, in order: proxies, pairs, contacts, sorted by id

#include "base/memory.h"
#include "base/status.h"
#include "collide/collide.h"

#include <math.h>
#include <string.h>

// an id has 64 bits: two places (see narrow.h) and at least 8 bits of a feature
enum { MAX_PLACES = 1 << 28 };
// with patches at least 20 bits: a pair of parts may have many points
enum { MAX_PATCH_PLACES = 1 << 22 };

LitheContacts *lithe_contacts_create(LitheContext *context) {
    LitheContacts *c = lithe_alloc(context, sizeof *c);
    if (c)
        c->context = context;
    return c;
}

void lithe_contacts_destroy(LitheContacts *c) {
    if (!c)
        return;
    void *blocks[] = {c->contacts, c->parts,   c->boxes, c->segments, c->travel, c->balls,
                      c->spots,    c->things,  c->arc,   c->poses,    c->ahead,  c->bundles,
                      c->branches, c->order,   c->pairs, c->keys,     c->beyond, c->links,
                      c->faces,    c->carried, c->tets};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(c->context, blocks[k]);
    for (int k = 0; k < LITHE_FOUND_SHARES; k++) {
        lithe_free(c->context, c->found[k].contacts);
        lithe_free(c->context, c->found[k].keys);
        lithe_free(c->context, c->found[k].elements);
        lithe_free(c->context, c->found[k].points);
        lithe_free(c->context, c->found[k].groups);
        lithe_free(c->context, c->found[k].near);
    }
    lithe_free(c->context, c);
}

// --- order ---------------------------------------------------------------------------------------

static bool before(const LitheContactKey *a, const LitheContactKey *b) {
    return a->id != b->id ? a->id < b->id : a->parts < b->parts;
}

// keys that are sorted before any are merged: the contacts of two boxes
enum { FIRST_RUN = 8 };

// sorts short runs in place; those of one pair of parts are in order already
static void sort_runs(LitheContactKey *keys, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        if (i % FIRST_RUN == 0 || !before(&keys[i], &keys[i - 1]))
            continue;
        LitheContactKey key = keys[i];
        int32_t j = i;
        for (; j % FIRST_RUN != 0 && before(&key, &keys[j - 1]); j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

// merge sort between the two halves of `keys` [2 count]; returns the half with the result
static LitheContactKey *sort_keys(LitheContactKey *keys, int32_t count) {
    LitheContactKey *from = keys, *to = keys + count;
    int32_t ordered = 1; // keys at the front that are in order already
    while (ordered < count && !before(&keys[ordered], &keys[ordered - 1]))
        ordered++;
    if (ordered < count)
        sort_runs(keys, count);
    for (int64_t run = FIRST_RUN; ordered < count && run < count; run *= 2) {
        for (int64_t start = 0; start < count; start += 2 * run) {
            int64_t half = start + run < count ? start + run : count;
            int64_t end = start + 2 * run < count ? start + 2 * run : count;
            int64_t i = start, j = half;
            if (half == end || !before(&from[half], &from[half - 1])) { // in order already
                memcpy(to + start, from + start, (size_t)(end - start) * sizeof *to);
                continue;
            }
            for (int64_t k = start; k < end; k++)
                to[k] =
                    i < half && (j == end || !before(&from[j], &from[i])) ? from[i++] : from[j++];
        }
        LitheContactKey *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// (SC5) the same places of several pairs of parts, the second one a triangle: areas add, the normal
// is the mean
static void add_share(const LitheContact *more, LitheContact *contact) {
    double k = contact->stiffness + more->stiffness, share = more->stiffness / k;
    Vec3 normal = v3_axpy(share, v3_sub(more->normal, contact->normal), contact->normal);
    double length = v3_norm(normal);
    if (length > 0)
        contact->normal = v3_scale(1 / length, normal);
    contact->gap += share * (more->gap - contact->gap);
    contact->point = v3_axpy(share, v3_sub(more->point, contact->point), contact->point);
    if (more->a.part == contact->a.part) // of one edge of a rod
        contact->a.s += share * (more->a.s - contact->a.s);
    contact->stiffness = k;
}

// found -> contacts by exchange, when there is one list in the order of ids
static bool exchange_found(LitheContacts *c, int32_t total) {
    LitheFound *found = &c->found[0];
    if (found->count != total)
        return false;
    for (int32_t i = 1; i < total; i++)
        if (found->keys[i - 1].id >= found->keys[i].id)
            return false;
    LitheContact *swap = c->contacts;
    int32_t capacity = c->capacity;
    c->contacts = found->contacts;
    c->capacity = found->capacity;
    found->contacts = swap;
    found->capacity = capacity;
    return true;
}

// found -> contacts, each id once
static bool sort_found(const LitheModel *model, LitheContacts *c) {
    int32_t total = 0;
    for (int k = 0; k < LITHE_FOUND_SHARES; k++)
        total += c->found[k].count;
    if (!LITHE_RESERVE(c->context, c->contacts, c->capacity, total) ||
        !LITHE_RESERVE(c->context, c->parts, c->parts_capacity, total) ||
        !LITHE_RESERVE(c->context, c->keys, c->key_capacity, 2 * (int64_t)total))
        return false;
    bool ordered = exchange_found(c, total);
    c->count = c->unsupported = c->polygons = c->folded = 0;
    for (int32_t k = 0, at = 0; k < LITHE_FOUND_SHARES; at += c->found[k++].count) {
        const LitheFound *found = &c->found[k];
        c->unsupported += found->unsupported;
        c->polygons += found->polygons;
        if (c->folded == 0)
            c->folded_part = found->folded_part;
        c->folded += found->folded;
        if (found->count > 0 && !ordered)
            memcpy(c->keys + at, found->keys, (size_t)found->count * sizeof *c->keys);
    }
    int32_t shapes = lithe_part_at(model, LITHE_PART_SHAPE);
    int32_t balls = lithe_part_at(model, LITHE_PART_BALL);
    int32_t faces = lithe_part_at(model, LITHE_PART_FACE);
    const LitheContactKey *keys = ordered ? c->found[0].keys : sort_keys(c->keys, total);
    for (int32_t i = 0; i < total; i++) {
        if (i > 0 && keys[i].id == keys[i - 1].id) {
            if ((int32_t)keys[i].parts >= faces)
                add_share(&c->found[keys[i].range].contacts[keys[i].index],
                          &c->contacts[c->count - 1]);
            continue;
        }
        LithePartPair pair = {(int32_t)(keys[i].parts >> 32), (int32_t)keys[i].parts};
        LitheContact *contact = &c->contacts[c->count];
        if (!ordered)
            *contact = c->found[keys[i].range].contacts[keys[i].index];
        // all contacts of two shapes have the same sites
        bool same = c->count > 0 && pair.a >= shapes && c->parts[c->count - 1].part[0] == pair.a &&
                    c->parts[c->count - 1].part[1] == pair.b && pair.b < balls;
        c->parts[c->count] =
            same ? c->parts[c->count - 1] : lithe_contact_parts(model, c, pair, contact);
        c->count++;
    }
    return true;
}

// --- the stage -----------------------------------------------------------------------------------

static LitheStatus check(const LitheModel *model, const LitheCollideOptions *options,
                         LitheError *error) {
    if (!(options->margin >= 0) || !isfinite(options->margin))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "contacts: margin is %g m, must be >= 0 and finite", options->margin);
    if (lithe_place_count(model) >= (model->patches ? MAX_PATCH_PLACES : MAX_PLACES))
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "contacts: %lld nodes, %d shapes and %lld particles exceed the range of "
                          "contact ids",
                          (long long)model->vertex_count, (int)model->geom_count,
                          (long long)model->ball_count);
    return LITHE_OK;
}

// detects positions that are not finite: then the arc length or the pose is not finite
static LitheStatus check_finite(const LitheModel *model, const LitheContacts *c,
                                LitheError *error) {
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        if (!isfinite(c->arc[rod->edge_at + r + rod->edge_count]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "contacts: rod '%s' has a position that is not finite", rod->name);
    }
    for (int32_t g = 0; g < model->geom_count; g++)
        if (!v3_finite(c->poses[g].at) || !isfinite(c->poses[g].q.w))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "contacts: body '%s' has a place that is not finite",
                              model->bodies[model->geoms[g].body].name);
    for (int64_t i = 0; i < model->ball_count; i++)
        if (!v3_finite(c->balls[i].at)) {
            const LitheBallSet *set = &model->ball_sets[c->balls[i].set];
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "contacts: %s %d of '%s' has a position that is not finite",
                              set->word, c->balls[i].index, lithe_thing_name(model, set->thing));
        }
    return LITHE_OK;
}

LitheStatus lithe_collide(const LitheModel *model, const LitheState *state,
                          const LitheCollideOptions *options, LitheContacts *contacts,
                          LitheError *error) {
    LitheStatus status = check(model, options, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_collide_proxies(model, state, options, contacts))
        return lithe_fail_memory(error, "the boxes of contacts");
    status = check_finite(model, contacts, error);
    if (status != LITHE_OK)
        return status;
    status = lithe_collide_pairs(model, options->margin, contacts, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_collide_narrow(model, state, options, contacts) || !sort_found(model, contacts))
        return lithe_fail_memory(error, "the contacts");
    return LITHE_OK;
}

bool lithe_collide_overlaps(const LitheModel *model, const LitheState *state,
                            const LitheContacts *found, const double *strayed, LithePool *pool,
                            struct LithePlaced *placed, LitheContacts *contacts) {
    LitheCollideOptions options = {.pool = pool};
    return lithe_collide_pairs_again(model, state, found, strayed, placed, contacts) &&
           lithe_collide_narrow(model, state, &options, contacts) && sort_found(model, contacts);
}

bool lithe_overlaps_are_near(const LitheModel *model, const LitheContacts *found, double margin,
                             double glide, const double *strayed) {
    for (int32_t g = 0; g < model->geom_count; g++) {
        double grown = margin + glide * found->travel[g] / fmax(1, glide);
        if (!(strayed[g] <= fmin(grown, 0.5 * margin + found->travel[g])))
            return false;
    }
    return true;
}

LitheStatus lithe_find_contacts(const LitheModel *model, const LitheState *state, double margin,
                                LitheContacts *contacts, LitheError *error) {
    LitheCollideOptions options = {.margin = margin};
    return lithe_collide(model, state, &options, contacts, error);
}

int32_t lithe_contact_count(const LitheContacts *contacts) {
    return contacts->count;
}

const LitheContact *lithe_contact_data(const LitheContacts *contacts) {
    return contacts->contacts;
}

int32_t lithe_contact_unserved(const LitheContacts *contacts) {
    return contacts->unsupported;
}
