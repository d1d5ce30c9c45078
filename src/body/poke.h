// SPDX-License-Identifier: Apache-2.0
// body/poke.h - shapes of bodies that poke into soft solids between the nodes of their surface

#ifndef LITHE_BODY_POKE_H
#define LITHE_BODY_POKE_H

#include "data/model.h"
#include "data/state.h"

typedef struct LithePoke {
    LitheThing thing, body; // the solid, and what pokes into it
    double depth;           // below the surface [m]
    double edge;            // longest edge of the surface at rest [m]
    double fraction;        // of the smaller half thickness; lithe_next_start_poke alone
    int64_t next;           // where the search for the next one begins
} LithePoke;

/// Whether a body that the solid can touch is deeper in a solid than a quarter of the longest edge
/// of its surface. Contacts are at nodes: they do not see it. Corners, extreme points and points
/// between them are tested, not every point of a shape; half-spaces and heightfields are not. *poke
/// is the first such pair.
bool lithe_find_poke(const LitheModel *model, const LitheState *state, LithePoke *poke);

/// The next body that is deeper in a solid than a fraction of the smaller half thickness, at the
/// start of a scene. From {0}. As above; tied things and solids that touch with a fine surface are
/// left out. False: there is none.
bool lithe_next_start_poke(const LitheModel *model, const LitheState *state, double fraction,
                           LithePoke *poke);

/// Whether the scene says that two things never touch.
bool lithe_is_ignored(const LitheModel *model, LitheThing a, LitheThing b);

#endif
