// SPDX-License-Identifier: Apache-2.0
// python/src/plan_nlp.h - functions and derivatives of the nonlinear problem of a plan

#ifndef LITHE_PY_PLAN_NLP_H
#define LITHE_PY_PLAN_NLP_H

#include "core.h"

#include "plan/nlp.h"

/// Start [variables], bounds and patterns, as bytes.
PyObject *lithe_py_nlp_arrays(const LitheNlp *nlp, const double *start);

/// (what, x): (f, bytes) of values, gradient or jacobian.
PyObject *lithe_py_nlp_evaluate(LitheNlp *nlp, PyObject *arguments);

/// (x, factor, multipliers): entries of the lower triangle, as bytes.
PyObject *lithe_py_nlp_hessian(LitheNlp *nlp, PyObject *arguments);

#endif
