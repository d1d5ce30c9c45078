// SPDX-License-Identifier: Apache-2.0
// python/src/plan_nlp.h - what plans share: the nonlinear problem, its functions and derivatives

#ifndef LITHE_PY_PLAN_NLP_H
#define LITHE_PY_PLAN_NLP_H

#include "plan_terms.h"

#include "plan/nlp.h"

/// The first member of every plan.
typedef struct LithePyNlp {
    PyObject_HEAD
    PyObject *scene; // LithePyScene: the problem has names of it
    LitheNlp nlp;
    double *start; // [variables]
    bool begun;
    LithePyTerms terms; // of the user
} LithePyNlp;

/// A plan from (scene, terms=None). `begin` fills in the rest, and `begun` where `nlp` is to be
/// ended; false with an exception.
typedef bool LithePyNlpBegin(LithePyNlp *self, PyObject *module);
PyObject *lithe_py_nlp_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords,
                           LithePyNlpBegin *begin);

/// Releases all but the problem that `nlp` was made of.
void lithe_py_nlp_dealloc(PyObject *object);

/// Methods. Start [variables], bounds and patterns, as bytes.
PyObject *lithe_py_nlp_arrays(PyObject *object, PyObject *none);

/// (what, x): (f, bytes) of values, gradient or jacobian.
PyObject *lithe_py_nlp_evaluate(PyObject *object, PyObject *arguments);

/// (x, factor, multipliers): entries of the lower triangle, as bytes.
PyObject *lithe_py_nlp_hessian(PyObject *object, PyObject *arguments);

/// For reports of solvers: false, and `*stopped` set, once a signal's handler raised.
bool lithe_py_plan_goes_on(bool *stopped);

/// True where the best point so far is to be returned: nothing was raised, or Ctrl-C was pressed,
/// whose KeyboardInterrupt is cleared. False with the exception of another handler.
bool lithe_py_plan_returns(void);

#endif
