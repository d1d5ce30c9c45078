// SPDX-License-Identifier: Apache-2.0
// scene/unit.h - the units of scene files

#ifndef LITHE_SCENE_UNIT_H
#define LITHE_SCENE_UNIT_H

#include "scene/quantity.h"

/// A unit is factor 10^power times the SI unit of its dimension; the power of ten is kept apart so
/// that "1.5 mm" is rounded once, to the double nearest to 0.0015.
typedef struct LitheUnitOfMeasure {
    double factor;
    int power;
    LitheDimension dimension;
} LitheUnitOfMeasure;

/// False when `word` is not a unit.
bool lithe_unit_find(const char *word, LitheUnitOfMeasure *unit);

/// The unit that was meant by a word in other letters ("Mpa") or written out ("degrees"); false:
/// none is near.
bool lithe_unit_suggest(const char *word, char out[16]);

#endif
