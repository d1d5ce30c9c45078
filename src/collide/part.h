// SPDX-License-Identifier: Apache-2.0
// collide/part.h - the table of kinds of parts: what the contact search needs of a part
//
// The functions read the proxies of the search (lithe_collide_proxies).

#ifndef LITHE_COLLIDE_PART_H
#define LITHE_COLLIDE_PART_H

#include "data/contacts.h"
#include "data/state.h"

typedef struct LithePartOps {
    /// How it touches others.
    const LitheTouch *(*touch)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// Radius, or half the smallest extent, that its contacts have [m]; INFINITY: no end.
    double (*size)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// The public name of a place on it.
    LitheContactSide (*side)(const LitheModel *model, const LitheContacts *c, int32_t part,
                             double s);

    /// Its shape and where that is; of an edge from the place cut[0] to cut[1], NULL: all of it.
    LitheGeom (*shape)(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                       int32_t part, const double cut[2], LithePose *pose);

    /// Max displacement of any point of it in the step, as predicted [m].
    double (*travel)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// Where along it the point x lies, and the point of its centreline there; 0 and x itself where
    /// it has none.
    double (*along)(const LitheContacts *c, int32_t part, Vec3 x, Vec3 *centre);

    /// The number of a place in ids of contacts: below lithe_place_count, the same for the end of
    /// an edge and the start of the next.
    uint64_t (*place)(const LitheModel *model, const LitheContacts *c, int32_t part, double s);

    /// Parts of a thing whose last one is followed by the first; 0: of one that has ends.
    int32_t (*cycle)(const LitheModel *model, const LitheContacts *c, int32_t part);

    // --- two parts of one thing ---

    /// Whether parts of one thing touch each other at all.
    bool (*self_contact)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// The min difference of the numbers of two such parts.
    int32_t self_step;

    /// (C1) Whether two of them (a < b) may touch, however they lie.
    bool (*far)(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b);

    /// (C2) Whether two places at this distance are close only because they are neighbours on the
    /// thing.
    bool (*neighbours)(const LitheModel *model, const LitheContacts *c, LithePartPair pair,
                       double s, double t, double distance);
} LithePartOps;

/// One row per kind.
extern const LithePartOps lithe_part_kinds[LITHE_PART_KINDS];

static inline const LithePartOps *lithe_part_ops(const LitheModel *model, int32_t part) {
    return &lithe_part_kinds[lithe_part_kind(model, part)];
}

/// Whether two places at this distance belong to one thing and are neighbours on it.
static inline bool lithe_are_neighbours(const LitheModel *model, const LitheContacts *c,
                                        LithePartPair pair, double s, double t, double distance) {
    return c->things[pair.a] == c->things[pair.b] &&
           lithe_part_ops(model, pair.a)->neighbours(model, c, pair, s, t, distance);
}

/// Number of different places in ids of contacts.
int64_t lithe_place_count(const LitheModel *model);

/// Stiffness, dissipation and friction of two things of these sizes [m] into a contact.
void lithe_combine(const LitheModel *model, const LitheTouch *x, double size_x, const LitheTouch *y,
                   double size_y, LitheContact *contact);

/// Parts and sites of a contact that names both sides.
LitheContactParts lithe_contact_parts(const LitheModel *model, LithePartPair pair,
                                      const LitheContact *contact);

/// Shape of an edge of a rod and its place.
LitheGeom lithe_edge_shape(const LitheModel *model, const LitheState *state, int32_t rod,
                           int32_t edge, LithePose *pose);

#endif
