// SPDX-License-Identifier: Apache-2.0
// python/src/array.c - buffer protocol for doubles of a state: views without copies

#include "core.h"

#include <string.h>

typedef struct Array {
    PyObject_HEAD
    PyObject *owner; // keeps the memory alive
    double *data;
    int ndim;
    Py_ssize_t shape[2];
    Py_ssize_t strides[2]; // bytes
    bool readonly;
} Array;

PyObject *lithe_py_array(PyTypeObject *type, PyObject *owner, double *data, int ndim,
                         const Py_ssize_t shape[2], const Py_ssize_t stride[2], bool readonly) {
    Array *self = PyObject_New(Array, type);
    if (!self)
        return NULL;
    Py_INCREF(owner);
    self->owner = owner;
    self->data = data;
    self->ndim = ndim;
    self->readonly = readonly;
    for (int i = 0; i < ndim; i++) {
        self->shape[i] = shape[i];
        self->strides[i] = stride[i] * (Py_ssize_t)sizeof(double);
    }
    return (PyObject *)self;
}

static void array_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF(((Array *)object)->owner);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static bool is_contiguous(const Array *self) {
    Py_ssize_t wanted = sizeof(double);
    for (int i = self->ndim - 1; i >= 0; i--) {
        if (self->shape[i] > 1 && self->strides[i] != wanted)
            return false;
        wanted *= self->shape[i];
    }
    return true;
}

static int array_getbuffer(PyObject *object, Py_buffer *view, int flags) {
    static char format[] = "d";
    Array *self = (Array *)object;
    view->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && self->readonly) {
        PyErr_SetString(PyExc_BufferError, "the array is read-only");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !is_contiguous(self)) {
        PyErr_SetString(PyExc_BufferError, "the array is not contiguous");
        return -1;
    }
    Py_INCREF(object);
    view->obj = object;
    view->buf = self->data;
    view->itemsize = sizeof(double);
    view->len = sizeof(double);
    for (int i = 0; i < self->ndim; i++)
        view->len *= self->shape[i];
    view->readonly = self->readonly;
    view->ndim = self->ndim;
    view->format = flags & PyBUF_FORMAT ? format : NULL;
    view->shape = flags & PyBUF_ND ? self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, (void *)array_dealloc},
    {Py_bf_getbuffer, (void *)array_getbuffer},
    {Py_tp_doc, "Doubles of a simulation, for numpy.asarray. Keeps the simulation alive."},
    {0, NULL},
};

PyType_Spec lithe_py_array_spec = {
    .name = "lithe._core.Array",
    .basicsize = sizeof(Array),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = array_slots,
};

bool lithe_py_take_out(PyObject *object, Py_ssize_t count, Py_buffer *view) {
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
        return false;
    bool fits = view->itemsize == (Py_ssize_t)sizeof(double) && view->format &&
                strcmp(view->format, "d") == 0 && view->len == count * (Py_ssize_t)sizeof(double);
    if (!fits) {
        PyErr_Format(PyExc_ValueError, "an array of %zd doubles is needed", count);
        PyBuffer_Release(view);
    }
    return fits;
}

bool lithe_py_take_rows(PyObject *object, Py_ssize_t count, size_t size, Py_buffer *view) {
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
        return false;
    bool fits = view->itemsize == (Py_ssize_t)size && view->len == count * (Py_ssize_t)size;
    if (!fits) {
        PyErr_Format(PyExc_ValueError, "an array of %zd rows of %zu bytes is needed", count, size);
        PyBuffer_Release(view);
    }
    return fits;
}
