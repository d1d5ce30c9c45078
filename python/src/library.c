// SPDX-License-Identifier: Apache-2.0
// python/src/library.c - the library of materials, ropes, cables and hoses

#include "core.h"

#include "lithe/library.h"

// Values of an entry: {key: (value, unit, low, high, source)}.
static PyObject *values_of(const LitheLibraryEntry *entry) {
    PyObject *values = PyDict_New();
    for (int32_t i = 0; values && i < entry->value_count; i++) {
        const LitheLibraryValue *v = &entry->values[i];
        PyObject *made = Py_BuildValue("dsdds", v->value, v->unit, v->low, v->high, v->source);
        if (!made || PyDict_SetItemString(values, v->key, made) != 0)
            Py_CLEAR(values);
        Py_XDECREF(made);
    }
    return values;
}

PyObject *lithe_py_library(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < lithe_library_count(); i++) {
        LitheLibraryEntry entry = lithe_library_at(i);
        PyObject *made = Py_BuildValue("sssN", entry.name,
                                       entry.kind == LITHE_LIBRARY_MATERIAL ? "material" : "line",
                                       entry.about, values_of(&entry));
        if (!made || PyList_Append(list, made) != 0)
            Py_CLEAR(list);
        Py_XDECREF(made);
    }
    return list;
}
