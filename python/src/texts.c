// SPDX-License-Identifier: Apache-2.0
// python/src/texts.c - lists of texts, quantities with units, and the keys of scenes

#include "core.h"

#include "base/suggest.h"
#include "scene/fields.h"
#include "scene/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char **lithe_py_texts(PyObject *list, int32_t *count) {
    Py_ssize_t n = PyList_Size(list);
    const char **texts = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *texts);
    if (n >= 0 && !texts)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < n; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!texts[i]) {
            free(texts);
            return NULL;
        }
    }
    *count = (int32_t)n;
    return texts;
}

PyObject *lithe_py_suggest(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *wrong;
    PyObject *list;
    int32_t count;
    if (!PyArg_ParseTuple(arguments, "sO!", &wrong, &PyList_Type, &list))
        return NULL;
    const char **known = lithe_py_texts(list, &count);
    if (!known)
        return NULL;
    PyObject *meant = Py_BuildValue("z", lithe_suggest(wrong, known, count));
    free(known);
    return meant;
}

// --- quantities ----------------------------------------------------------------------------------

// The dimension with this SI unit; LITHE_WANT_COUNT: none.
static LitheWanted wanted_of(const char *unit) {
    int wanted = 0;
    while (wanted < LITHE_WANT_COUNT && strcmp(lithe_wanted_unit((LitheWanted)wanted), unit) != 0)
        wanted++;
    return (LitheWanted)wanted;
}

PyObject *lithe_py_quantity(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *text, *unit, *what;
    if (!PyArg_ParseTuple(arguments, "sss", &text, &unit, &what))
        return NULL;
    LitheWanted wanted = wanted_of(unit);
    if (wanted == LITHE_WANT_COUNT)
        return PyErr_Format(PyExc_ValueError, "unknown unit: %s", unit);
    char why[256] = "", found[64];
    LitheQuantity quantity = {0};
    LitheError error = {.status = LITHE_BAD_INPUT};
    if (!lithe_quantity_parse(text, NULL, NULL, &quantity, why, sizeof why)) {
        PyOS_snprintf(error.text, sizeof error.text, "%s is '%.100s': %s", what, text, why);
        return lithe_py_raise(error.status, &error);
    }
    if (!lithe_quantity_fits(&quantity, wanted)) {
        lithe_dimension_text(&quantity.dimension, found, sizeof found);
        PyOS_snprintf(error.text, sizeof error.text, "%s is '%.100s', %s; expected is %s [%s]",
                      what, text, found, lithe_wanted_name(wanted), unit);
        return lithe_py_raise(error.status, &error);
    }
    return PyFloat_FromDouble(quantity.value);
}

// --- keys of scenes ------------------------------------------------------------------------------

static bool add_keys(PyObject *all, const char *name, const LitheTable *table) {
    PyObject *keys = PyList_New(0);
    bool fine = keys != NULL;
    for (int32_t i = 0; fine && i < table->count; i++) {
        PyObject *key = PyUnicode_FromString(table->fields[i].key);
        fine = key && PyList_Append(keys, key) == 0;
        Py_XDECREF(key);
    }
    fine = fine && PyDict_SetItemString(all, name, keys) == 0;
    Py_XDECREF(keys);
    return fine;
}

PyObject *lithe_py_scene_keys(void) {
    PyObject *all = PyDict_New();
    bool fine = all && add_keys(all, "", &lithe_scene_table);
    for (int32_t i = 0; fine && i < lithe_scene_table.count; i++) {
        const LitheField *field = &lithe_scene_table.fields[i];
        if (field->type == LITHE_FIELD_OBJECTS || field->type == LITHE_FIELD_MAPPING)
            fine = add_keys(all, field->key, field->table);
    }
    if (!fine)
        Py_CLEAR(all);
    return all;
}
