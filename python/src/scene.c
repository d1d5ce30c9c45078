// SPDX-License-Identifier: Apache-2.0
// python/src/scene.c - a scene, read from a file or from text, checked

#include "core.h"

#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

// --- reading -------------------------------------------------------------------------------------

static PyObject *wrap(PyTypeObject *type, LitheScene *scene) {
    LithePyScene *self = PyObject_New(LithePyScene, type);
    if (self)
        self->scene = scene;
    else
        lithe_scene_destroy(scene);
    return (PyObject *)self;
}

const LitheScene *lithe_py_scene(PyObject *module, PyObject *object) {
    PyObject *wanted = PyObject_GetAttrString(module, "Scene");
    int fits = wanted ? PyObject_IsInstance(object, wanted) : -1;
    Py_XDECREF(wanted);
    if (fits == 0)
        PyErr_SetString(PyExc_TypeError, "a scene is needed");
    return fits == 1 ? ((LithePyScene *)object)->scene : NULL;
}

static PyObject *scene_load(PyObject *type, PyObject *arguments) {
    const char *path;
    PyObject *list;
    if (!PyArg_ParseTuple(arguments, "sO!", &path, &PyList_Type, &list))
        return NULL;
    int32_t count;
    const char **overrides = lithe_py_texts(list, &count);
    if (!overrides)
        return NULL;
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_scene_load(lithe_py_context(), path, overrides, count, &scene, &error);
    Py_END_ALLOW_THREADS
    free(overrides);
    return status == LITHE_OK ? lithe_py_done(wrap((PyTypeObject *)type, scene))
                              : lithe_py_raise(status, &error);
}

static PyObject *scene_parse(PyObject *type, PyObject *arguments) {
    const char *text, *name, *folder;
    Py_ssize_t length;
    PyObject *list;
    if (!PyArg_ParseTuple(arguments, "s#szO!", &text, &length, &name, &folder, &PyList_Type, &list))
        return NULL;
    int32_t count;
    const char **overrides = lithe_py_texts(list, &count);
    if (!overrides)
        return NULL;
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_scene_parse(lithe_py_context(), text, (size_t)length, name, folder, overrides,
                               count, &scene, &error);
    Py_END_ALLOW_THREADS
    free(overrides);
    return status == LITHE_OK ? lithe_py_done(wrap((PyTypeObject *)type, scene))
                              : lithe_py_raise(status, &error);
}

static void scene_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    lithe_scene_destroy(((LithePyScene *)object)->scene);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// --- content -------------------------------------------------------------------------------------

static PyObject *scene_write(PyObject *self, PyObject *none) {
    (void)none;
    char *text = NULL;
    LitheError error = {0};
    LitheStatus status = lithe_scene_write(((LithePyScene *)self)->scene, &text, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    PyObject *result = PyUnicode_FromString(text);
    lithe_text_free(lithe_py_context(), text);
    return result;
}

static PyObject *scene_notes(PyObject *self, PyObject *none) {
    (void)none;
    const LitheScene *scene = ((LithePyScene *)self)->scene;
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < lithe_scene_note_count(scene); i++) {
        PyObject *note = PyUnicode_FromString(lithe_scene_note(scene, i));
        if (!note || PyList_Append(list, note) != 0)
            Py_CLEAR(list);
        Py_XDECREF(note);
    }
    return list;
}

static PyObject *scene_title(PyObject *self, void *none) {
    (void)none;
    const char *title = ((LithePyScene *)self)->scene->title;
    return PyUnicode_FromString(title ? title : "");
}

static PyObject *scene_time(PyObject *self, void *which) {
    const LitheScene *scene = ((LithePyScene *)self)->scene;
    const double values[] = {scene->time.step, scene->time.end, scene->record.every};
    return PyFloat_FromDouble(values[(intptr_t)which]);
}

static PyMethodDef scene_methods[] = {
    {"load", scene_load, METH_VARARGS | METH_CLASS,
     "load(path, overrides)\n--\n\nReads a scene file; overrides are \"path=value\"."},
    {"parse", scene_parse, METH_VARARGS | METH_CLASS,
     "parse(text, name, folder, overrides)\n--\n\nReads a scene from text."},
    {"write", scene_write, METH_NOARGS, "write()\n--\n\nThe scene as YAML in SI units."},
    {"notes", scene_notes, METH_NOARGS, "notes()\n--\n\nWhat importers ignored, one line each."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef scene_fields[] = {
    {"title", scene_title, NULL, "The title; empty when there is none.", NULL},
    {"step", scene_time, NULL, "Time step [s].", (void *)0},
    {"end", scene_time, NULL, "End of a run [s].", (void *)1},
    {"every", scene_time, NULL, "Time between frames [s]; 0: every step.", (void *)2},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot scene_slots[] = {
    {Py_tp_dealloc, (void *)scene_dealloc},
    {Py_tp_methods, scene_methods},
    {Py_tp_getset, scene_fields},
    {Py_tp_doc, "A scene of the library, read and checked."},
    {0, NULL},
};

PyType_Spec lithe_py_scene_spec = {
    .name = "lithe._core.Scene",
    .basicsize = sizeof(LithePyScene),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = scene_slots,
};
