// SPDX-License-Identifier: Apache-2.0
// tests/geom/ball_field.h - the pressure field of a ball of radius 1

#ifndef LITHE_TESTS_GEOM_BALL_FIELD_H
#define LITHE_TESTS_GEOM_BALL_FIELD_H

#include "geom/field.h"

#include "test.h"

/// Modulus 0: rigid. Destroyed by the caller; NULL, and the test has failed, when it is refused.
static inline LithePressureField *ball_field(LitheContext *context, double modulus,
                                             int32_t sectors) {
    LitheGeomDef def = lithe_geom_def_default();
    LitheGeom geom;
    LithePressureField *field = NULL;
    def.kind = LITHE_GEOM_SPHERE;
    def.radius = 1;
    if (!CHECK(lithe_geom_compile(context, &def, &geom, NULL) == LITHE_OK))
        return NULL;
    CHECK(lithe_field_create(context, &geom, modulus, sectors, &field, NULL) == LITHE_OK);
    lithe_geom_destroy(&geom);
    return field;
}

#endif
