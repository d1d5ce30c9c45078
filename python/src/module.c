// SPDX-License-Identifier: Apache-2.0
// python/src/module.c - the extension module lithe._core: exceptions, log, types

#include "core.h"

#include "base/hash.h"
#include "data/state.h"

#include <string.h>

// process-wide data of the Python module; the library itself has none
static LitheContext *the_context;
static PyObject *logger; // of the module logging, or NULL
static PyObject *errors[LITHE_INTERRUPTED + 1];

LitheContext *lithe_py_context(void) {
    return the_context;
}

// --- log -----------------------------------------------------------------------------------------

// Warnings are given by warnings.warn, other lines go to the logger "lithe". The caller may or may
// not hold the interpreter. A warning that a filter turned into an exception stays set: methods
// return through lithe_py_done, which respects it.
static void log_line(LitheLogLevel level, const char *text, void *user) {
    (void)user;
    static const int levels[] = {
        [LITHE_LOG_DEBUG] = 10, [LITHE_LOG_INFO] = 20, [LITHE_LOG_WARNING] = 30};
    if (!logger)
        return;
    PyGILState_STATE held = PyGILState_Ensure();
    if (level == LITHE_LOG_WARNING && !PyErr_Occurred()) {
        PyErr_WarnEx(PyExc_RuntimeWarning, text, 2);
        PyGILState_Release(held);
        return;
    }
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *done = PyObject_CallMethod(logger, "log", "iss", levels[level], "%s", text);
    if (!done)
        PyErr_WriteUnraisable(logger);
    Py_XDECREF(done);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(held);
}

static bool open_logger(void) {
    PyObject *logging = PyImport_ImportModule("logging");
    if (!logging)
        return false;
    logger = PyObject_CallMethod(logging, "getLogger", "s", "lithe");
    Py_DECREF(logging);
    return logger != NULL;
}

// --- exceptions ----------------------------------------------------------------------------------

static bool put(PyObject *object, const char *name, PyObject *value) {
    bool fine = value && PyObject_SetAttrString(object, name, value) == 0;
    Py_XDECREF(value);
    return fine;
}

PyObject *lithe_py_done(PyObject *result) {
    if (PyErr_Occurred())
        Py_CLEAR(result);
    return result;
}

PyObject *lithe_py_raise(LitheStatus status, const LitheError *error) {
    if (status == LITHE_NO_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, error->text);
        return NULL;
    }
    PyObject *type = errors[status] ? errors[status] : errors[LITHE_OK];
    PyObject *value = PyObject_CallFunction(type, "s", error->text);
    if (value && put(value, "status", PyUnicode_FromString(lithe_status_name(status))) &&
        put(value, "line", PyLong_FromLong(error->line)) &&
        put(value, "column", PyLong_FromLong(error->column)))
        PyErr_SetObject(type, value);
    Py_XDECREF(value);
    return NULL;
}

static const struct {
    LitheStatus status; // LITHE_OK: the base of all
    const char *name, *about;
    PyObject **also; // a second base
} exceptions[] = {
    {LITHE_OK, "lithe.Error",
     "Base of all errors; the message is that of the command line. Attributes: "
     "status, line and column (0 when there is none).",
     NULL},
    {LITHE_BAD_INPUT, "lithe.BadInput", "A scene, a file or an argument is wrong.",
     &PyExc_ValueError},
    {LITHE_FILE_ERROR, "lithe.FileError", "A file could not be read or written.", &PyExc_OSError},
    {LITHE_NOT_SUPPORTED, "lithe.NotSupported",
     "A valid request that this version does not support.", &PyExc_NotImplementedError},
    {LITHE_CANNOT_GO_ON, "lithe.CannotGoOn",
     "The simulation stopped; its state is that before the step that failed.", &PyExc_RuntimeError},
    {LITHE_INTERRUPTED, "lithe.Interrupted", "The simulation was stopped from another thread.",
     &PyExc_RuntimeError},
};

static bool add_exceptions(PyObject *module) {
    PyObject *attributes = Py_BuildValue("{s:s,s:i,s:i}", "status", "", "line", 0, "column", 0);
    for (size_t i = 0; attributes && i < sizeof exceptions / sizeof *exceptions; i++) {
        PyObject *bases = exceptions[i].also
                              ? PyTuple_Pack(2, errors[LITHE_OK], *exceptions[i].also)
                              : PyTuple_Pack(1, PyExc_Exception);
        PyObject *made = bases ? PyErr_NewExceptionWithDoc(exceptions[i].name, exceptions[i].about,
                                                           bases, attributes)
                               : NULL;
        Py_XDECREF(bases);
        errors[exceptions[i].status] = made;
        if (!made || PyModule_AddObjectRef(module, strchr(exceptions[i].name, '.') + 1, made) != 0)
            return false;
    }
    Py_XDECREF(attributes);
    return attributes != NULL;
}

// Adds a new object; false with an exception.
static bool add_made(PyObject *module, const char *name, PyObject *made) {
    bool added = made && PyModule_AddObjectRef(module, name, made) == 0;
    Py_XDECREF(made);
    return added;
}

// --- the module ----------------------------------------------------------------------------------

PyTypeObject *lithe_py_add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (!type || PyModule_AddObjectRef(module, strrchr(spec->name, '.') + 1, type) != 0) {
        Py_XDECREF(type);
        return NULL;
    }
    Py_DECREF(type); // the module has one
    return (PyTypeObject *)type;
}

static PyObject *memory_bytes(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return PyLong_FromSize_t(lithe_context_bytes(the_context));
}

static PyObject *checksum(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer data;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "y*K", &data, &seed))
        return NULL;
    uint64_t sum = lithe_hash(seed, data.buf, (size_t)data.len);
    PyBuffer_Release(&data);
    return PyLong_FromUnsignedLongLong(sum);
}

static PyMethodDef functions[] = {
    {"memory_bytes", memory_bytes, METH_NOARGS,
     "memory_bytes()\n--\n\nBytes in use by all scenes and simulations."},
    {"checksum", checksum, METH_VARARGS,
     "checksum(data, seed)\n--\n\nOf bytes, as in checkpoints."},
    {"suggest", lithe_py_suggest, METH_VARARGS,
     "suggest(wrong, known)\n--\n\nThe similar one of a list of names, or None."},
    {"quantity", lithe_py_quantity, METH_VARARGS,
     "quantity(text, unit, what)\n--\n\nThe number of a text with a unit, in that SI unit."},
    {"plan_hand", lithe_py_plan_hand, METH_VARARGS,
     "plan_hand(scene, seconds, terms=None)\n--\n\nThe plan of a hand and its report."},
    {"hand_steps", lithe_py_hand_steps, METH_O,
     "hand_steps(scene)\n--\n\nNumber and length of the steps of a plan of a hand."},
    {"library", lithe_py_library, METH_NOARGS,
     "library()\n--\n\nEntries of the library: name, kind, about, values by key."},
    {"lcp_solve", lithe_py_lcp_solve, METH_VARARGS,
     "lcp_solve(n, A, b, z, lemke, fall_back)\n--\n\nSolves a complementarity problem."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "lithe._core",
    .m_doc = "The C library of Lithe; the interface for users is the package lithe.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    LitheContextDef def = lithe_context_def_default();
    def.log = log_line;
    if (!the_context)
        the_context = lithe_context_create(&def);
    if (!the_context)
        return PyErr_NoMemory();
    PyObject *module = PyModule_Create(&definition);
    if (module && open_logger() && add_exceptions(module) &&
        PyModule_AddStringConstant(module, "version", lithe_version()) == 0 &&
        PyModule_AddIntConstant(module, "state_layout", LITHE_STATE_LAYOUT) == 0 &&
        add_made(module, "contact_fields", lithe_py_contact_fields()) &&
        add_made(module, "scene_keys", lithe_py_scene_keys()) &&
        lithe_py_add_type(module, &lithe_py_array_spec) &&
        lithe_py_add_type(module, &lithe_py_scene_spec) &&
        lithe_py_add_type(module, &lithe_py_plan_spec) &&
        lithe_py_add_type(module, &lithe_py_hand_spec) &&
        lithe_py_add_type(module, &lithe_py_recording_spec) &&
        lithe_py_add_type(module, &lithe_py_simulation_spec))
        return module;
    Py_XDECREF(module);
    return NULL;
}
