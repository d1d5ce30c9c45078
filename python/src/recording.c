// SPDX-License-Identifier: Apache-2.0
// python/src/recording.c - recordings: what they contain, and their values

#include "core.h"

#include "base/memory.h"
#include "record/recording_frames.h"
#include "record/series.h"

#include <string.h>

static LitheRecording *of(PyObject *object) {
    return ((LithePyRecording *)object)->recording;
}

// --- open and close ------------------------------------------------------------------------------

PyObject *lithe_py_wrap_recording(PyTypeObject *type, LitheRecording *recording) {
    LithePyRecording *self = PyObject_New(LithePyRecording, type);
    if (self)
        self->recording = recording;
    else
        lithe_recording_close(recording);
    return (PyObject *)self;
}

static PyObject *recording_open(PyObject *type, PyObject *arguments) {
    const char *path;
    int journal;
    if (!PyArg_ParseTuple(arguments, "sp", &path, &journal))
        return NULL;
    LitheRecording *recording = NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = journal ? lithe_recording_open_journal(lithe_py_context(), path, &recording, &error)
                     : lithe_recording_open(lithe_py_context(), path, &recording, &error);
    Py_END_ALLOW_THREADS
    return status == LITHE_OK
               ? lithe_py_done(lithe_py_wrap_recording((PyTypeObject *)type, recording))
               : lithe_py_raise(status, &error);
}

static void recording_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    lithe_recording_close(of(object));
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// --- what there is -------------------------------------------------------------------------------

static PyObject *recording_head(PyObject *object, PyObject *none) {
    (void)none;
    const LitheRecording *recording = of(object);
    const LitheJournalEnd *end = &recording->end;
    const LitheTotals *totals = &end->totals;
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:d,s:O,s:s,s:d,s:K,s:s,s:d,s:L,s:L,s:L,s:L,s:L,s:s}", "title",
        recording->layout.title, "scene", recording->layout.scene, "version",
        recording->layout.version, "end", recording->layout.end, "complete",
        end->complete ? Py_True : Py_False, "stopped", end->reason, "time_reached", end->time,
        "hash", (unsigned long long)end->hash, "scheme", totals->scheme.scheme, "step",
        totals->scheme.step, "steps", (long long)totals->steps, "dofs", (long long)totals->dofs,
        "steps_unconverged", (long long)totals->steps_unconverged, "solve_unconverged",
        (long long)totals->solve_unconverged, "topology_changes",
        (long long)totals->topology_changes, "topology_first", totals->topology_first);
}

// (path, name, unit, axes, shape, kind, place): a column of frames, of the table of contacts, or a
// constant
static PyObject *describe(const LitheColumn *column, const char *place) {
    static const char *const kinds[] = {[LITHE_COLUMN_REAL] = "real",
                                        [LITHE_COLUMN_INTEGER] = "integer",
                                        [LITHE_COLUMN_TEXT] = "text"};
    char name[400];
    lithe_series_name(column->path, name, sizeof name);
    PyObject *shape = column->rank == 0   ? Py_BuildValue("()")
                      : column->rank == 1 ? Py_BuildValue("(L)", (long long)column->dims[0])
                                          : Py_BuildValue("(LL)", (long long)column->dims[0],
                                                          (long long)column->dims[1]);
    return Py_BuildValue("(ssssNss)", column->path, name, column->unit, column->axes, shape,
                         kinds[column->kind], place);
}

static bool append(PyObject *list, PyObject *item) {
    bool fine = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return fine;
}

static PyObject *recording_columns(PyObject *object, PyObject *none) {
    (void)none;
    const LitheLayout *layout = &of(object)->layout;
    PyObject *list = PyList_New(0);
    bool fine = list != NULL;
    for (int32_t i = 0; fine && i < layout->column_count; i++)
        fine = append(list, describe(&layout->columns[i],
                                     layout->columns[i].offset < 0 ? "constant" : "frame"));
    for (int32_t i = 0; fine && i < layout->contact_column_count; i++)
        fine = append(list, describe(&layout->contact_columns[i], "row"));
    if (!fine)
        Py_CLEAR(list);
    return list;
}

static PyObject *recording_names(PyObject *object, PyObject *none) {
    (void)none;
    LitheRecording *recording = of(object);
    char **names = NULL;
    int32_t count = 0;
    LitheError error = {0};
    LitheStatus status = lithe_recording_quantities(recording, &names, &count, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    PyObject *list = PyList_New(0);
    bool fine = list != NULL;
    for (int32_t i = 0; i < count; i++) {
        fine = fine && append(list, PyUnicode_FromString(names[i]));
        lithe_free(recording->context, names[i]);
    }
    lithe_free(recording->context, names);
    if (!fine)
        Py_CLEAR(list);
    return list;
}

// --- values --------------------------------------------------------------------------------------

// A column by its number in `columns`; NULL with an exception.
static const LitheColumn *column_at(const LitheRecording *recording, int index) {
    const LitheLayout *layout = &recording->layout;
    if (!lithe_py_in(index, layout->column_count + layout->contact_column_count, "column"))
        return NULL;
    return index < layout->column_count ? &layout->columns[index]
                                        : &layout->contact_columns[index - layout->column_count];
}

static PyObject *recording_read(PyObject *object, PyObject *arguments) {
    LitheRecording *recording = of(object);
    int index;
    long long first, count;
    PyObject *out;
    Py_buffer values;
    if (!PyArg_ParseTuple(arguments, "iLLO", &index, &first, &count, &out))
        return NULL;
    const LitheColumn *column = column_at(recording, index);
    if (!column || count < 0 ||
        count > PY_SSIZE_T_MAX / 8 / (column->count > 0 ? column->count : 1))
        return column ? PyErr_Format(PyExc_ValueError, "cannot read %lld rows", count) : NULL;
    if (!lithe_py_take_out(out, (Py_ssize_t)(count * column->count), &values))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    bool of_rows = index >= recording->layout.column_count;
    Py_BEGIN_ALLOW_THREADS
    status = of_rows
                 ? lithe_recording_read_rows(recording, column, first, count, values.buf, &error)
                 : lithe_recording_read(recording, column, first, count, values.buf, &error);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&values);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_RETURN_NONE;
}

static PyObject *recording_constant(PyObject *object, PyObject *arguments) {
    int index;
    if (!PyArg_ParseTuple(arguments, "i", &index))
        return NULL;
    const LitheColumn *column = column_at(of(object), index);
    if (!column)
        return NULL;
    if (column->text)
        return PyUnicode_FromString(column->text);
    if (!column->values)
        return PyErr_Format(PyExc_ValueError, "%s is not a constant", column->path);
    return PyBytes_FromStringAndSize((const char *)column->values,
                                     (Py_ssize_t)column->count * (Py_ssize_t)sizeof(double));
}

// (unit, label, [(name, bytes)])
static PyObject *recording_series(PyObject *object, PyObject *arguments) {
    LitheRecording *recording = of(object);
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    LitheSeriesSet set = {0};
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_recording_series(recording, name, &set, &error);
    Py_END_ALLOW_THREADS
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_ssize_t bytes = (Py_ssize_t)recording->frame_count * (Py_ssize_t)sizeof(double);
    PyObject *list = PyList_New(0);
    bool fine = list != NULL;
    for (int32_t i = 0; fine && i < set.count; i++)
        fine = append(list, Py_BuildValue("(sy#)", set.series[i].name,
                                          (const char *)set.series[i].values, bytes));
    PyObject *result = fine ? Py_BuildValue("(ssO)", set.unit, set.label, list) : NULL;
    Py_XDECREF(list);
    lithe_series_release(&set);
    return result;
}

// --- the type ------------------------------------------------------------------------------------

static PyObject *recording_size(PyObject *object, void *of_rows) {
    const LitheRecording *recording = of(object);
    return PyLong_FromLongLong(of_rows ? recording->row_total : recording->frame_count);
}

static PyMethodDef recording_methods[] = {
    {"open", recording_open, METH_VARARGS | METH_CLASS,
     "open(path, journal)\n--\n\nOpens a recording, or the journal of a run."},
    {"head", recording_head, METH_NOARGS, "head()\n--\n\nTitle, scene, how the run ended."},
    {"columns", recording_columns, METH_NOARGS,
     "columns()\n--\n\nPath, name, unit, axes, shape, kind and place of each column."},
    {"names", recording_names, METH_NOARGS, "names()\n--\n\nNames of quantities per frame."},
    {"read", recording_read, METH_VARARGS,
     "read(column, first, count, out)\n--\n\nFills an array with rows of a column."},
    {"constant", recording_constant, METH_VARARGS, "constant(column)\n--\n\nBytes or text."},
    {"series", recording_series, METH_VARARGS,
     "series(name)\n--\n\nUnit, label, and names with bytes of curves over time."},
    {"image", lithe_py_recording_image, METH_VARARGS,
     "image(frame, look)\n--\n\nWidth, height and RGBA bytes."},
    {"picture", lithe_py_recording_picture, METH_VARARGS,
     "picture(frame, path, look)\n--\n\nWrites .png or .svg."},
    {"video", lithe_py_recording_video, METH_VARARGS,
     "video(path, rate, look)\n--\n\nWrites .mp4."},
    {"html", lithe_py_recording_html, METH_VARARGS, "html(path, page)\n--\n\nWrites a page."},
    {"csv", lithe_py_recording_csv, METH_VARARGS, "csv(path, names)\n--\n\nWrites a table."},
    {"vtk", lithe_py_recording_vtk, METH_VARARGS, "vtk(path)\n--\n\nWrites ParaView files."},
    {"glb", lithe_py_recording_glb, METH_VARARGS, "glb(path)\n--\n\nWrites a glTF scene."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef recording_fields[] = {
    {"frame_count", recording_size, NULL, "Number of frames.", (void *)0},
    {"row_count", recording_size, NULL, "Rows of the table of contacts.", (void *)1},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot recording_slots[] = {
    {Py_tp_dealloc, (void *)recording_dealloc},
    {Py_tp_methods, recording_methods},
    {Py_tp_getset, recording_fields},
    {Py_tp_doc, "An open recording."},
    {0, NULL},
};

PyType_Spec lithe_py_recording_spec = {
    .name = "lithe._core.Recording",
    .basicsize = sizeof(LithePyRecording),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = recording_slots,
};
