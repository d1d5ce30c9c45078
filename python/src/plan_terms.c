// SPDX-License-Identifier: Apache-2.0
// python/src/plan_terms.c - costs and constraints of the user, as plan.py packs them

#include "plan_terms.h"

#include "base/memory.h"

#include <string.h>

// Items of a bytes object; -1 with an exception where it has another type or size.
static Py_ssize_t items_of(PyObject *from, size_t size, const char **at) {
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(from, &bytes, &length) != 0)
        return -1;
    if (length % (Py_ssize_t)size != 0 || length / (Py_ssize_t)size > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "terms of a plan have the wrong size");
        return -1;
    }
    *at = bytes;
    return length / (Py_ssize_t)size;
}

// (nodes, rows, names, data, stages): as plan.py packs them
bool lithe_py_take_terms(LithePyTerms *self, PyObject *terms) {
    const char *nodes, *rows, *data;
    int stages;
    PyObject *const *held = self->held;
    if (!PyArg_ParseTuple(terms, "OOOOi", &self->held[0], &self->held[1], &self->held[2],
                          &self->held[3], &stages)) {
        memset(self->held, 0, sizeof self->held);
        return false;
    }
    for (int i = 0; i < 4; i++)
        Py_INCREF(held[i]);
    Py_ssize_t node_count = items_of(held[0], sizeof(LitheUserNode), &nodes),
               row_count = node_count < 0 ? -1 : items_of(held[1], 3 * sizeof(int32_t), &rows),
               numbers = row_count < 0 ? -1 : items_of(held[3], sizeof(double), &data);
    if (numbers < 0)
        return false;
    if (stages < 1 || numbers % stages != 0 || PyTuple_Size(held[2]) != row_count) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "terms of a plan have the wrong size");
        return false;
    }
    self->rows = lithe_alloc_array(lithe_py_context(), row_count, sizeof *self->rows);
    if (!self->rows) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < row_count; i++) {
        int32_t numbers_of[3];
        memcpy(numbers_of, rows + i * (Py_ssize_t)sizeof numbers_of, sizeof numbers_of);
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(held[2], i), NULL);
        if (!name)
            return false;
        self->rows[i] = (LitheUserRow){numbers_of[0], numbers_of[1], numbers_of[2], name};
    }
    self->user = (LitheUserTerms){.nodes = (const LitheUserNode *)nodes,
                                  .node_count = (int32_t)node_count,
                                  .rows = self->rows,
                                  .row_count = (int32_t)row_count,
                                  .data = (const double *)data,
                                  .data_count = (int32_t)(numbers / stages),
                                  .stages = stages};
    return true;
}

void lithe_py_release_terms(LithePyTerms *self) {
    lithe_free(lithe_py_context(), self->rows);
    for (int i = 0; i < 4; i++)
        Py_XDECREF(self->held[i]);
    *self = (LithePyTerms){0};
}
