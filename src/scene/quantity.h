// SPDX-License-Identifier: Apache-2.0
// scene/quantity.h - numbers with units, and arithmetic on them
//
//   sum      = term { ("+" | "-") term }
//   term     = factor { ("*" | "/") factor }
//   factor   = "-" factor | primary [ "^" factor ]
//   primary  = number [ unit ] | name | function "(" sum { "," sum } ")" | "(" sum ")" | "pi"
//   unit     = unit-name [ "^" whole ] { [ "*" | "/" ] unit-name [ "^" whole ] }, or "1/" unit
//
// uniform(..) and normal(..) of whole numbers are random numbers that depend on these alone.
// A unit follows its number directly and binds first: 9.81 m/s^2, 1 1/s, 0.01 Pa s.

#ifndef LITHE_SCENE_QUANTITY_H
#define LITHE_SCENE_QUANTITY_H

#include "lithe/base.h"

/// Exponents of the base units. Radians and cycles (of Hz) differ from plain numbers, so that 1 Hz
/// is never taken for 1 rad/s.
typedef struct LitheDimension {
    double length, mass, time, angle, cycle;
} LitheDimension;

typedef struct LitheQuantity {
    double value; // SI
    LitheDimension dimension;
} LitheQuantity;

/// The dimension that a key requires. Rows of one table: name and exponents.
typedef enum LitheWanted {
    LITHE_WANT_NUMBER,
    LITHE_WANT_LENGTH,
    LITHE_WANT_TIME,
    LITHE_WANT_ANGLE,
    LITHE_WANT_SPEED,
    LITHE_WANT_ANGULAR_VELOCITY,
    LITHE_WANT_ACCELERATION,
    LITHE_WANT_FREQUENCY,
    LITHE_WANT_PRESSURE,
    LITHE_WANT_DENSITY,
    LITHE_WANT_RATE,
    LITHE_WANT_CURVATURE,
    LITHE_WANT_TWIST,
    LITHE_WANT_FORCE,
    LITHE_WANT_MOMENT,
    LITHE_WANT_BENDING_STIFFNESS,
    LITHE_WANT_MASS_PER_LENGTH,
    LITHE_WANT_INERTIA_PER_LENGTH,
    LITHE_WANT_VISCOSITY,
    LITHE_WANT_STIFFNESS,
    LITHE_WANT_DAMPING,
    LITHE_WANT_ROTATIONAL_STIFFNESS,
    LITHE_WANT_ROTATIONAL_DAMPING,
    LITHE_WANT_MASS,
    LITHE_WANT_INERTIA,
    LITHE_WANT_DISSIPATION,
    LITHE_WANT_ANGULAR_ACCELERATION,
    LITHE_WANT_FORCE_RATE,
    LITHE_WANT_PRESSURE_RATE,
    LITHE_WANT_MOMENT_RATE,
    LITHE_WANT_PITCH,
    LITHE_WANT_STIFFNESS_PER_AREA,
    LITHE_WANT_AREA,
    LITHE_WANT_COUNT,
} LitheWanted;

/// Looks up a name of an expression: 1 found, 0 not found, -1 found but failed (already reported).
typedef int LitheLookupFn(void *user, const char *name, LitheQuantity *value);

/// Evaluates an expression. On failure it returns false and `why` says what is wrong ("unknown unit
/// 'kk'"); `why` is empty when the lookup has already reported the failure.
bool lithe_quantity_parse(const char *text, LitheLookupFn *lookup, void *user,
                          LitheQuantity *quantity, char *why, size_t why_size);

/// Whether a quantity fits `wanted`: its dimension is right, or it is a plain number, which counts
/// as SI. Required radians or cycles may be omitted.
bool lithe_quantity_fits(const LitheQuantity *quantity, LitheWanted wanted);

/// The name of a dimension in messages and documents, and its SI unit.
const char *lithe_wanted_name(LitheWanted wanted); // "a length"
const char *lithe_wanted_unit(LitheWanted wanted); // "m"

/// "a time" when the dimension has a name, else its units: "m^2/s".
void lithe_dimension_text(const LitheDimension *dimension, char *text, size_t size);

/// Whether a quantity of this dimension is a plain number.
bool lithe_dimension_is_none(const LitheDimension *dimension);

/// Whether a word is the name of a unit (which a parameter cannot have).
bool lithe_is_unit(const char *word);

/// Whether a word is a function or constant of expressions.
bool lithe_is_function(const char *word);

#endif
