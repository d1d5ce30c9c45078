// SPDX-License-Identifier: Apache-2.0
// collide/collide.h - State -> Contacts, in three parts: proxies, broad phase, narrow phase
//
// A pure function of model and state: nothing is kept from the last search. See
// docs/theory/collision.md.

#ifndef LITHE_COLLIDE_COLLIDE_H
#define LITHE_COLLIDE_COLLIDE_H

#include "base/threads.h"
#include "collide/part.h"
#include "geom/distance.h"

#include <string.h>

/// A parameter along an edge this near to 0 or 1 counts as the node: rounding of a projection.
#define LITHE_AT_NODE 1e-9

typedef struct LitheCollideOptions {
    double margin;         // gap up to which a contact counts [m], >= 0
    double step;           // time for which things move at their present velocity [s]; 0: no motion
    const LitheState *end; // bodies move to their poses in this state; NULL: at their present
                           // velocity
    int32_t bundle;        // parts per bundle; 0: LITHE_BUNDLE_PARTS
    double glide;    // contacts are also found up to a gap of this multiple of the travel in the
                     // step, because sliding things may keep such a gap (laws sap and similar)
    bool boxes;      // only boxes, for pairs; no data of the narrow phase
    bool single;     // one contact per pair with an edge: where they are nearest
    LithePool *pool; // of threads, or NULL
    struct LithePlaced *placed; // poses of links that may be those of the state, or NULL
} LitheCollideOptions;

/// All contacts whose gap is below the margin plus the travel of both sides in the step.
LitheStatus lithe_collide(const LitheModel *model, const LitheState *state,
                          const LitheCollideOptions *options, LitheContacts *contacts,
                          LitheError *error);

/// All overlaps of a state, for models with shapes alone, after a search from which each shape has
/// `strayed` [geom_count] at most [m]; `found` is what it found. Only if lithe_overlaps_are_near.
/// False when out of memory.
bool lithe_collide_overlaps(const LitheModel *model, const LitheState *state,
                            const LitheContacts *found, const double *strayed, LithePool *pool,
                            struct LithePlaced *placed, LitheContacts *contacts);

/// Whether shapes strayed so little from a search with this margin and `glide` that all pairs that
/// overlap now have contacts in it. A pair without has a gap of more than the margin and the travel
/// of both sides; boxes that do not overlap have more than what they were grown by.
bool lithe_overlaps_are_near(const LitheModel *model, const LitheContacts *found, double margin,
                             double glide, const double *strayed);

/// All pairs of edges of rods closer than (1 + reach/2) times the sum of their radii plus what both
/// travel in `step` [s] at their present velocity, each as one contact at the nearest places, in
/// the order of the edges (collide/edges.c).
LitheStatus lithe_collide_edges(const LitheModel *model, const LitheState *state, double reach,
                                double step, LitheContacts *contacts, LitheError *error);

// --- parts of the search -------------------------------------------------------------------------

/// Boxes, travel, arc lengths, poses, balls, bundles. False when out of memory.
bool lithe_collide_proxies(const LitheModel *model, const LitheState *state,
                           const LitheCollideOptions *options, LitheContacts *contacts);

/// Instead of boxes and pairs, for models with shapes alone: the pairs that have contacts in
/// `found` whose gap is at most what both shapes `strayed` [geom_count], and the places of these
/// shapes. False when out of memory.
bool lithe_collide_pairs_again(const LitheModel *model, const LitheState *state,
                               const LitheContacts *found, const double *strayed,
                               struct LithePlaced *placed, LitheContacts *contacts);

/// Pairs of parts whose boxes overlap and that may touch each other. LITHE_BAD_INPUT: more than
/// contact.max-pairs.
LitheStatus lithe_collide_pairs(const LitheModel *model, double margin, LitheContacts *contacts,
                                LitheError *error);

/// Whether parts of two kinds have contacts (collide/narrow.c).
bool lithe_kinds_touch(LithePartKind a, LithePartKind b);

/// Whether two parts (a < b) may touch at all: groups, ignored pairs, (C1).
bool lithe_parts_may_touch(const LitheModel *model, const LitheContacts *contacts, int32_t a,
                           int32_t b);

/// A thing that lies inside of another one, and where the search for the next such pair begins.
typedef struct LitheWithin {
    LitheThing inner, outer;
    double depth; // of lithe_next_sunk [m]
    int64_t next;
} LitheWithin;

/// The next pair of solids that may touch, of which one lies inside of the other, or in the same
/// place: so deep that there are no contacts. From {0}; `contacts` are those of the present state.
/// False: there is none.
bool lithe_next_within(const LitheModel *model, const LitheContacts *contacts, LitheWithin *pair);

/// The same for rods and particles inside of solids, and for all things below the ground of a
/// heightfield: they may be meant to be there, as fibres are.
bool lithe_next_sunk(const LitheModel *model, const LitheState *state,
                     const LitheContacts *contacts, LitheWithin *pair);

/// Contacts of all pairs, unsorted, into contacts->found. False when out of memory.
bool lithe_collide_narrow(const LitheModel *model, const LitheState *state,
                          const LitheCollideOptions *options, LitheContacts *contacts);

/// (SC1) Triangles whose normals are less opposed do not face each other: their overlay would be
/// stretched out.
#define LITHE_LEAST_FACING 0.05

static inline bool bounds_overlap(const LitheBounds *a, const LitheBounds *b) {
    // four lanes at once; the boxes are disjoint if any lane is
    typedef float Lanes __attribute__((vector_size(16)));
    typedef int32_t Mask __attribute__((vector_size(16)));
    Lanes al, ah, bl, bh;
    memcpy(&al, a->low, sizeof al);
    memcpy(&ah, a->high, sizeof ah);
    memcpy(&bl, b->low, sizeof bl);
    memcpy(&bh, b->high, sizeof bh);
    Mask apart = (Mask)(al > bh) | (Mask)(bl > ah);
    uint64_t any[2];
    memcpy(any, &apart, sizeof any);
    return (any[0] | any[1]) == 0;
}

#endif
