// SPDX-License-Identifier: Apache-2.0
// collide/ties.h - tied things do not touch each other around their tie: (C7)

#ifndef LITHE_COLLIDE_TIES_H
#define LITHE_COLLIDE_TIES_H

#include "collide/collide.h"

/// Pieces that two parts are cut into: each tie adds three. With more than five ties between the
/// same two parts some contacts are not found.
enum { LITHE_PIECES_MAX = 16 };

/// A piece of either part, from one place to another; 0 to 1: the whole part.
typedef struct LithePiece {
    double a[2], b[2]; // start and end of the piece on part a, and on part b
} LithePiece;

/// The pieces of two parts that may touch. Returns their number; -1: no tie is near, and the parts
/// may touch anywhere.
int lithe_tie_pieces(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                     LithePartPair pair, LithePiece out[LITHE_PIECES_MAX]);

/// Whether the two parts (a < b) lie around a tie, including a tie that was released with an
/// overlap.
bool lithe_are_tied(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                    LithePartPair pair);

/// Whether a tie holds part a inside of the solid of part b: then it touches its surface from
/// outside alone.
bool lithe_tie_embeds(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                      LithePartPair pair);

/// Whether contact number `index` lies around a tie that was released while the things overlapped:
/// such a contact stops their approach but does not push them apart.
bool lithe_tie_leaves(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                      int32_t index);

/// Ends ties that no longer act and around which the things no longer overlap. Call after
/// lithe_collide_proxies.
void lithe_ties_leave(const LitheModel *model, const LitheContacts *c, LitheState *state);

#endif
