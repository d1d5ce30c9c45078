// SPDX-License-Identifier: Apache-2.0
// body/thing.h - things as a user names them: rods, bodies, sets of particles, in one numbering
//
// lithe/model.h has the numbers and names of things; lithe_thing_pair makes a key of two numbers. A
// thing is not a unit: a body rides on one, or on none.

#ifndef LITHE_BODY_THING_H
#define LITHE_BODY_THING_H

#include "data/model.h"

/// "rod", "body", "particles".
const char *lithe_thing_word(LitheThingKind kind);

/// From the surface of a thing to what of it must not be passed, at an element: the centreline of a
/// rod, the centre of a particle; 0 for a body, whose surface must not be passed [m].
double lithe_thing_half_thickness(const LitheModel *model, LitheThing thing, int32_t element);

/// The material point of a thing: an edge of a rod at `s`, a body, a particle. Its unit is -1 where
/// nothing moves it.
LitheSite lithe_thing_site(const LitheModel *model, LitheThing thing, int32_t element, double s,
                           Vec3 point);

#endif
