// SPDX-License-Identifier: Apache-2.0
// body/thing.h - things as a user names them: rods, bodies, sets of particles, in one numbering
//
// Things are numbered rods first, then bodies, then sets of particles; lithe_thing_pair makes a key
// of two of these numbers. A thing is not a unit: a body rides on one, or on none.

#ifndef LITHE_BODY_THING_H
#define LITHE_BODY_THING_H

#include "data/model.h"

int32_t lithe_thing_count(const LitheModel *model);

/// Number `index` of all things, from 0; and the number of a thing.
LitheThing lithe_thing_at(const LitheModel *model, int32_t index);
int32_t lithe_thing_number(const LitheModel *model, LitheThing thing);

/// Belongs to the model; "world" for none.
const char *lithe_thing_name(const LitheModel *model, LitheThing thing);

/// "rod", "body", "particles".
const char *lithe_thing_word(LitheThingKind kind);

/// {0} when there is none of that name.
LitheThing lithe_thing_find(const LitheModel *model, const char *name);

/// The material point of a thing: an edge of a rod at `s`, a body, a particle. Its unit is -1 where
/// nothing moves it.
LitheSite lithe_thing_site(const LitheModel *model, LitheThing thing, int32_t element, double s,
                           Vec3 point);

#endif
