// SPDX-License-Identifier: Apache-2.0
// python/src/plan_terms.h - costs and constraints of the user

#ifndef LITHE_PYTHON_PLAN_TERMS_H
#define LITHE_PYTHON_PLAN_TERMS_H

#include "core.h"

#include "plan/scene_hand.h"

typedef struct LithePyTerms {
    PyObject *held[4]; // nodes, rows, names and data, whose memory `user` has
    LitheUserTerms user;
    LitheUserRow *rows;
} LithePyTerms;

/// False with an exception; release it nevertheless.
bool lithe_py_take_terms(LithePyTerms *self, PyObject *terms);
void lithe_py_release_terms(LithePyTerms *self);

/// The hand of a scene, with terms of the user, if any; false with an exception (plan_hand.c).
bool lithe_py_take_hand(PyObject *module, PyObject *object, const LithePyTerms *terms,
                        LitheHand *hand);

#endif
