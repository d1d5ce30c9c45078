// SPDX-License-Identifier: Apache-2.0
// run/overlaps.h - what overlaps as built

#ifndef LITHE_RUN_OVERLAPS_H
#define LITHE_RUN_OVERLAPS_H

#include "lithe/lithe.h"

/// The deepest overlap of two things.
typedef struct LitheOverlap {
    int32_t a, b;    // numbers of things
    double depth;    // m
    double fraction; // of the smaller half thickness
    int32_t places;  // contacts that are deeper than the fraction
} LitheOverlap;

/// Pairs of things of which a contact is deeper than a fraction of the smaller half thickness, the
/// deepest first, into out[number of contacts]. Returns their number.
int32_t lithe_overlaps(const LitheModel *model, const LitheContacts *contacts, double fraction,
                       LitheOverlap *out);

/// LITHE_BAD_INPUT, with names, depth and limit, if things overlap by more than
/// contact.start-overlap, or lie within each other; `contacts` are those of the state.
LitheStatus lithe_overlaps_refuse(const LitheModel *model, const LitheState *state,
                                  const LitheContacts *contacts, LitheError *error);

#endif
