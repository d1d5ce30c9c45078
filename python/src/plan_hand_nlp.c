// SPDX-License-Identifier: Apache-2.0
// python/src/plan_hand_nlp.c - the nonlinear problem of the plan of a hand

#include "plan_nlp.h"

#include "base/memory.h"

typedef struct Hand {
    LithePyNlp base;
    LitheHand hand;
    LitheHandProblem problem;
} Hand;

static Hand *of(PyObject *object) {
    return (Hand *)object;
}

static LitheStatus begin(Hand *self, LithePyNlp *base, LitheError *error) {
    LitheContext *context = lithe_py_context();
    int64_t n = self->hand.stages * (int64_t)lithe_hand_variables(&self->hand.task);
    base->start = lithe_alloc_array(context, n, sizeof(double));
    if (!base->start)
        return LITHE_NO_MEMORY;
    LitheStatus status = lithe_hand_begin(context, &self->hand, &self->problem, base->start, error);
    if (status != LITHE_OK)
        return status;
    lithe_hand_relax(&self->problem, self->hand.epsilon[1], true);
    status = lithe_nlp_begin(context, &self->problem.stages, &base->nlp, error);
    if (status != LITHE_OK)
        lithe_hand_end(&self->problem);
    base->begun = status == LITHE_OK;
    return status;
}

static bool hand_begin(LithePyNlp *base, PyObject *module) {
    Hand *self = (Hand *)base;
    if (!lithe_py_take_hand(module, base->scene, &base->terms, &self->hand))
        return false;
    LitheError error = {0};
    LitheStatus status = begin(self, base, &error);
    if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    return status == LITHE_OK;
}

static PyObject *hand_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    return lithe_py_nlp_new(type, arguments, keywords, hand_begin);
}

static void hand_dealloc(PyObject *object) {
    if (of(object)->base.begun)
        lithe_hand_end(&of(object)->problem);
    lithe_py_nlp_dealloc(object);
}

static PyObject *hand_sizes(PyObject *object, PyObject *none) {
    (void)none;
    const LitheNlp *nlp = &of(object)->base.nlp;
    return Py_BuildValue("{s:i,s:i,s:i,s:i}", "variables", (int)nlp->variables, "constraints",
                         (int)nlp->constraints, "jacobian", (int)nlp->jacobian_count, "hessian",
                         (int)nlp->hessian_count);
}

static PyObject *hand_relax(PyObject *object, PyObject *arguments) {
    double epsilon;
    int dynamic;
    if (!PyArg_ParseTuple(arguments, "dp", &epsilon, &dynamic))
        return NULL;
    lithe_hand_relax(&of(object)->problem, epsilon, dynamic);
    Py_RETURN_NONE;
}

static PyMethodDef hand_methods[] = {
    {"sizes", hand_sizes, METH_NOARGS,
     "sizes()\n--\n\nNumbers of variables, constraints, entries."},
    {"arrays", lithe_py_nlp_arrays, METH_NOARGS,
     "arrays()\n--\n\nStart, bounds and patterns, as bytes."},
    {"relax", hand_relax, METH_VARARGS, "relax(epsilon, dynamic)\n--\n\nSets the level."},
    {"evaluate", lithe_py_nlp_evaluate, METH_VARARGS,
     "evaluate(what, x)\n--\n\n(f, bytes) of values, gradient or jacobian."},
    {"hessian", lithe_py_nlp_hessian, METH_VARARGS,
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
