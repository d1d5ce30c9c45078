// SPDX-License-Identifier: Apache-2.0
// python/src/plan_terms.h - costs and constraints of the user

#ifndef LITHE_PYTHON_PLAN_TERMS_H
#define LITHE_PYTHON_PLAN_TERMS_H

#include "core.h"

#include "plan/user_terms.h"

typedef struct LithePyTerms {
    PyObject *held[4]; // nodes, rows, names and data, whose memory `user` has
    LitheUserTerms user;
    LitheUserRow *rows;
} LithePyTerms;

/// False with an exception; release it nevertheless.
bool lithe_py_take_terms(LithePyTerms *self, PyObject *terms);
void lithe_py_release_terms(LithePyTerms *self);

#endif
