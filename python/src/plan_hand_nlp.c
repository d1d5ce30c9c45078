// SPDX-License-Identifier: Apache-2.0
// python/src/plan_hand_nlp.c - the nonlinear problem of the plan of a hand

#include "plan_nlp.h"
#include "plan_terms.h"

#include "base/memory.h"

typedef struct Hand {
    PyObject_HEAD
    PyObject *scene; // LithePyScene: the problem has names of it
    LitheHand hand;
    LitheHandProblem problem;
    LitheNlp nlp;
    double *start; // [variables]
    bool begun;
    LithePyTerms terms; // of the user
} Hand;

static Hand *of(PyObject *object) {
    return (Hand *)object;
}

static LitheStatus begin(Hand *self, LitheError *error) {
    LitheContext *context = lithe_py_context();
    int64_t n = self->hand.stages * (int64_t)lithe_hand_variables(&self->hand.task);
    self->start = lithe_alloc_array(context, n, sizeof(double));
    if (!self->start)
        return LITHE_NO_MEMORY;
    LitheStatus status = lithe_hand_begin(context, &self->hand, &self->problem, self->start, error);
    if (status != LITHE_OK)
        return status;
    lithe_hand_relax(&self->problem, self->hand.epsilon[1], true);
    status = lithe_nlp_begin(context, &self->problem.stages, &self->nlp, error);
    if (status != LITHE_OK)
        lithe_hand_end(&self->problem);
    self->begun = status == LITHE_OK;
    return status;
}

static PyObject *hand_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"scene", "terms", NULL};
    PyObject *scene, *terms = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &scene, &terms))
        return NULL;
    PyObject *module = PyType_GetModule(type);
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Hand *self = module ? (Hand *)make(type, 0) : NULL;
    if (!self)
        return NULL;
    Py_INCREF(scene);
    self->scene = scene;
    if ((terms && !lithe_py_take_terms(&self->terms, terms)) ||
        !lithe_py_take_hand(module, scene, &self->terms, &self->hand)) {
        Py_DECREF(self);
        return NULL;
    }
    LitheError error = {0};
    LitheStatus status = begin(self, &error);
    if (status != LITHE_OK) {
        Py_DECREF(self);
        return lithe_py_raise(status, &error);
    }
    return lithe_py_done((PyObject *)self);
}

static void hand_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    Hand *self = of(object);
    if (self->begun) {
        lithe_nlp_end(&self->nlp);
        lithe_hand_end(&self->problem);
    }
    lithe_free(lithe_py_context(), self->start);
    lithe_py_release_terms(&self->terms);
    Py_XDECREF(self->scene);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *hand_sizes(PyObject *object, PyObject *none) {
    (void)none;
    const LitheNlp *nlp = &of(object)->nlp;
    return Py_BuildValue("{s:i,s:i,s:i,s:i}", "variables", (int)nlp->variables, "constraints",
                         (int)nlp->constraints, "jacobian", (int)nlp->jacobian_count, "hessian",
                         (int)nlp->hessian_count);
}

static PyObject *hand_arrays(PyObject *object, PyObject *none) {
    (void)none;
    return lithe_py_nlp_arrays(&of(object)->nlp, of(object)->start);
}

static PyObject *hand_relax(PyObject *object, PyObject *arguments) {
    double epsilon;
    int dynamic;
    if (!PyArg_ParseTuple(arguments, "dp", &epsilon, &dynamic))
        return NULL;
    lithe_hand_relax(&of(object)->problem, epsilon, dynamic);
    Py_RETURN_NONE;
}

static PyObject *hand_evaluate(PyObject *object, PyObject *arguments) {
    return lithe_py_nlp_evaluate(&of(object)->nlp, arguments);
}

static PyObject *hand_hessian(PyObject *object, PyObject *arguments) {
    return lithe_py_nlp_hessian(&of(object)->nlp, arguments);
}

static PyMethodDef hand_methods[] = {
    {"sizes", hand_sizes, METH_NOARGS,
     "sizes()\n--\n\nNumbers of variables, constraints, entries."},
    {"arrays", hand_arrays, METH_NOARGS, "arrays()\n--\n\nStart, bounds and patterns, as bytes."},
    {"relax", hand_relax, METH_VARARGS, "relax(epsilon, dynamic)\n--\n\nSets the level."},
    {"evaluate", hand_evaluate, METH_VARARGS,
     "evaluate(what, x)\n--\n\n(f, bytes) of values, gradient or jacobian."},
    {"hessian", hand_hessian, METH_VARARGS,
     "hessian(x, factor, multipliers)\n--\n\nEntries of the lower triangle, as bytes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot hand_slots[] = {
    {Py_tp_new, (void *)hand_new},
    {Py_tp_dealloc, (void *)hand_dealloc},
    {Py_tp_methods, hand_methods},
    {Py_tp_doc, "Hand(scene, terms=None)\n--\n\nThe problem of a plan of a hand."},
    {0, NULL},
};

PyType_Spec lithe_py_hand_spec = {
    .name = "lithe._core.Hand",
    .basicsize = sizeof(Hand),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = hand_slots,
};
