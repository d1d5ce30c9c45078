// SPDX-License-Identifier: Apache-2.0
// advance/certify.h - after a step: did a rod pass through a rod, a rod or a particle through the
// surface of a body, a body through a body, or a soft solid through a soft solid?

#ifndef LITHE_ADVANCE_CERTIFY_H
#define LITHE_ADVANCE_CERTIFY_H

#include "base/status.h"
#include "body/tree_body.h"
#include "data/state.h"
#include "data/work.h"
#include "lithe/contact.h"

/// Two parts that passed through each other.
typedef struct LitheCrossing {
    bool found;
    LitheContactSide a, b; // s is 0
    bool close;            // the contact search leaves them out: they are neighbours by (C1)
} LitheCrossing;

/// Tests the motion from `before` to `after`, which took attempt->h, by the exact test of linear
/// motion for edges and by conservative advancement for shapes. Particles are tested against
/// shapes; of two shapes, the inner shapes are tested. Pairs that may not touch are ignored. Uses
/// work->contacts as found at `before`; where parts moved farther than that search predicted, swept
/// boxes are searched. LITHE_NO_MEMORY, or LITHE_OK with the result in `crossing`.
LitheStatus lithe_certify(const LitheModel *model, const LitheState *before,
                          const LitheState *after, const LitheAttempt *attempt, LitheWork *work,
                          LitheCrossing *crossing, LitheError *error);

/// The same for soft surfaces alone (advance/certify_faces.c); `crossing` is left as it is where
/// nothing crossed. `places` are those of bodies before and after.
LitheStatus lithe_certify_faces(const LitheModel *model, const LitheState *before,
                                const LitheState *after, LithePlaces places[2], LitheWork *work,
                                LitheCrossing *crossing, LitheError *error);

/// (Z12): whether bodies alone stayed so near to the places where the last search found contacts
/// that nothing can have crossed; false: not known. Then work->outcome.strayed is known, too.
bool lithe_stay_near(const LitheModel *model, const LitheAttempt *attempt, LitheWork *work,
                     LithePlaces *begin, LithePlaces *end);

#endif
