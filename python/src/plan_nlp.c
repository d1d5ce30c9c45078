// SPDX-License-Identifier: Apache-2.0
// python/src/plan_nlp.c - what plans share: the nonlinear problem, its functions and derivatives

#include "plan_nlp.h"

#include "base/memory.h"

#include <string.h>

static PyObject *numbers(const void *data, int64_t count, size_t size) {
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)((size_t)count * size));
}

PyObject *lithe_py_nlp_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords,
                           LithePyNlpBegin *begin) {
    static char *names[] = {"scene", "terms", NULL};
    PyObject *scene, *terms = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &scene, &terms))
        return NULL;
    PyObject *module = PyType_GetModule(type);
    if (!module || !lithe_py_scene(module, scene))
        return NULL;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    LithePyNlp *self = (LithePyNlp *)make(type, 0);
    if (!self)
        return NULL;
    Py_INCREF(scene);
    self->scene = scene;
    if ((terms && !lithe_py_take_terms(&self->terms, terms)) || !begin(self, module)) {
        Py_DECREF(self);
        return NULL;
    }
    return lithe_py_done((PyObject *)self);
}

void lithe_py_nlp_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    LithePyNlp *self = (LithePyNlp *)object;
    if (self->begun)
        lithe_nlp_end(&self->nlp);
    lithe_free(lithe_py_context(), self->start);
    lithe_py_release_terms(&self->terms);
    Py_XDECREF(self->scene);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyObject *lithe_py_nlp_arrays(PyObject *object, PyObject *none) {
    (void)none;
    const LitheNlp *nlp = &((LithePyNlp *)object)->nlp;
    const double *start = ((LithePyNlp *)object)->start;
    const size_t number = sizeof(double), index = sizeof(int32_t);
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "start",
                         numbers(start, nlp->variables, number), "lower",
                         numbers(nlp->problem.lower, nlp->variables, number), "upper",
                         numbers(nlp->problem.upper, nlp->variables, number), "low",
                         numbers(nlp->low, nlp->constraints, number), "high",
                         numbers(nlp->high, nlp->constraints, number), "jacobian_row",
                         numbers(nlp->jacobian_row, nlp->jacobian_count, index), "jacobian_column",
                         numbers(nlp->jacobian_column, nlp->jacobian_count, index), "hessian_row",
                         numbers(nlp->hessian_row, nlp->hessian_count, index), "hessian_column",
                         numbers(nlp->hessian_column, nlp->hessian_count, index));
}

// Doubles of an argument; the buffer is released by the caller. False with an exception.
static bool take(PyObject *from, int32_t count, Py_buffer *view, const char *what) {
    if (PyObject_GetBuffer(from, view, PyBUF_C_CONTIGUOUS) != 0)
        return false;
    if (view->len == (Py_ssize_t)count * (Py_ssize_t)sizeof(double))
        return true;
    PyErr_Format(PyExc_ValueError, "%s has %zd bytes, must have %d numbers", what, view->len,
                 (int)count);
    PyBuffer_Release(view);
    return false;
}

// f and g, the gradient, or the entries of the Jacobian
PyObject *lithe_py_nlp_evaluate(PyObject *object, PyObject *arguments) {
    LitheNlp *nlp = &((LithePyNlp *)object)->nlp;
    PyObject *point, *made = NULL;
    const char *what;
    Py_buffer x;
    if (!PyArg_ParseTuple(arguments, "sO", &what, &point) || !take(point, nlp->variables, &x, "x"))
        return NULL;
    bool values = strcmp(what, "values") == 0, gradient = strcmp(what, "gradient") == 0;
    int32_t count = values ? nlp->constraints : gradient ? nlp->variables : nlp->jacobian_count;
    double *out = lithe_alloc_array(lithe_py_context(), count, sizeof *out), f = 0;
    if (!out) {
        PyErr_NoMemory();
    } else {
        if (values)
            f = lithe_nlp_values(nlp, x.buf, out);
        else
            (gradient ? lithe_nlp_gradient : lithe_nlp_jacobian)(nlp, x.buf, out);
        made = Py_BuildValue("dN", f, numbers(out, count, sizeof *out));
    }
    lithe_free(lithe_py_context(), out);
    PyBuffer_Release(&x);
    return made;
}

PyObject *lithe_py_nlp_hessian(PyObject *object, PyObject *arguments) {
    LitheNlp *nlp = &((LithePyNlp *)object)->nlp;
    PyObject *point, *multipliers, *made = NULL;
    double factor;
    Py_buffer x, y;
    if (!PyArg_ParseTuple(arguments, "OdO", &point, &factor, &multipliers) ||
        !take(point, nlp->variables, &x, "x"))
        return NULL;
    if (take(multipliers, nlp->constraints, &y, "multipliers")) {
        double *out = lithe_alloc_array(lithe_py_context(), nlp->hessian_count, sizeof *out);
        if (!out) {
            PyErr_NoMemory();
        } else {
            lithe_nlp_hessian(nlp, x.buf, factor, y.buf, out);
            made = numbers(out, nlp->hessian_count, sizeof *out);
        }
        lithe_free(lithe_py_context(), out);
        PyBuffer_Release(&y);
    }
    PyBuffer_Release(&x);
    return made;
}

bool lithe_py_plan_goes_on(bool *stopped) {
    PyGILState_STATE held = PyGILState_Ensure();
    *stopped = *stopped || PyErr_CheckSignals() != 0;
    PyGILState_Release(held);
    return !*stopped;
}

bool lithe_py_plan_returns(void) {
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        PyErr_Clear();
    return !PyErr_Occurred();
}
