// SPDX-License-Identifier: Apache-2.0
// python/src/export.c - pictures, videos, pages and tables of recordings; pictures of simulations

#include "core.h"

#include "base/memory.h"
#include "data/model.h"
#include "record/export.h"
#include "record/frame.h"
#include "record/recording_frames.h"
#include "scene/scene.h"
#include "view/gltf.h"
#include "view/pack.h"
#include "view/video.h"

#include <stdlib.h>
#include <string.h>

static LitheRecording *of(PyObject *object) {
    return ((LithePyRecording *)object)->recording;
}

// None, or the exception of a failed export.
static PyObject *ended(LitheStatus status, const LitheError *error) {
    if (status != LITHE_OK)
        return PyErr_Occurred() ? NULL : lithe_py_raise(status, error);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

// --- pictures ------------------------------------------------------------------------------------

// (width, height, dark, forces, quick, colour, range, view, eye, target and ground); the last four
// or None
static bool parse_look(PyObject *look, LithePictureOptions *options) {
    PyObject *range, *view, *eye;
    int dark, forces, quick;
    *options = lithe_picture_options_default();
    if (!PyArg_ParseTuple(look, "iipppzOOO", &options->width, &options->height, &dark, &forces,
                          &quick, &options->colour, &range, &view, &eye))
        return false;
    options->dark = dark;
    options->forces = forces;
    options->quick = quick;
    options->own_range = range != Py_None;
    options->own_view = view != Py_None;
    options->own_camera = eye != Py_None;
    if (options->own_range && !PyArg_ParseTuple(range, "dd", &options->low, &options->high))
        return false;
    if (options->own_camera) {
        LithePictureCamera *camera = &options->camera;
        *camera = lithe_picture_default().camera;
        camera->up = (LitheVec3){0, 0, 1};
        if (!PyArg_ParseTuple(eye, "ddddddd", &camera->eye.x, &camera->eye.y, &camera->eye.z,
                              &camera->target.x, &camera->target.y, &camera->target.z,
                              &options->ground))
            return false;
    }
    return !options->own_view ||
           PyArg_ParseTuple(view, "dd", &options->azimuth, &options->elevation);
}

// Draws to pixels: (width, height, bytes of rows from the top, four per pixel).
static PyObject *draw(LitheRecording *recording, int64_t frame,
                      const LithePictureOptions *options) {
    LitheImage image = {0};
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_export_image(recording, frame, options, &image, &error);
    Py_END_ALLOW_THREADS
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    PyObject *made = Py_BuildValue("iiy#", image.width, image.height, (const char *)image.rgba,
                                   (Py_ssize_t)4 * image.width * image.height);
    lithe_image_free(recording->context, &image);
    return lithe_py_done(made);
}

PyObject *lithe_py_recording_image(PyObject *object, PyObject *arguments) {
    long long frame;
    PyObject *look;
    LithePictureOptions options;
    if (!PyArg_ParseTuple(arguments, "LO!", &frame, &PyTuple_Type, &look) ||
        !parse_look(look, &options))
        return NULL;
    return draw(of(object), frame, &options);
}

PyObject *lithe_py_recording_picture(PyObject *object, PyObject *arguments) {
    long long frame;
    const char *path;
    PyObject *look;
    LithePictureOptions options;
    if (!PyArg_ParseTuple(arguments, "LsO!", &frame, &path, &PyTuple_Type, &look) ||
        !parse_look(look, &options))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_export_picture(of(object), frame, path, &options, &error);
    Py_END_ALLOW_THREADS
    return ended(status, &error);
}

// --- videos --------------------------------------------------------------------------------------

// Ctrl-C ends a video.
static bool check_signals(int64_t frame, int64_t count, void *user) {
    (void)frame, (void)count, (void)user;
    PyGILState_STATE held = PyGILState_Ensure();
    bool goes_on = PyErr_CheckSignals() == 0;
    PyGILState_Release(held);
    return goes_on;
}

PyObject *lithe_py_recording_video(PyObject *object, PyObject *arguments) {
    const char *path;
    PyObject *look;
    LitheVideoOptions options = {.progress = check_signals};
    if (!PyArg_ParseTuple(arguments, "sdO!", &path, &options.rate, &PyTuple_Type, &look) ||
        !parse_look(look, &options.picture))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_export_video(of(object), path, &options, &error);
    Py_END_ALLOW_THREADS
    return ended(status, &error);
}

// --- pages and tables ----------------------------------------------------------------------------

PyObject *lithe_py_recording_html(PyObject *object, PyObject *arguments) {
    const char *path, *page;
    if (!PyArg_ParseTuple(arguments, "ss", &path, &page))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_export_html(of(object), path, page, &error);
    Py_END_ALLOW_THREADS
    return ended(status, &error);
}

PyObject *lithe_py_recording_csv(PyObject *object, PyObject *arguments) {
    const char *path;
    PyObject *list;
    if (!PyArg_ParseTuple(arguments, "sO!", &path, &PyList_Type, &list))
        return NULL;
    int32_t count;
    const char **names = lithe_py_texts(list, &count);
    if (!names)
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_export_csv(of(object), path, names, count, &error);
    Py_END_ALLOW_THREADS
    free(names);
    return ended(status, &error);
}

// writes the whole recording to a path
static PyObject *write_all(PyObject *object, PyObject *arguments,
                           LitheStatus (*write)(LitheRecording *recording, const char *path,
                                                LitheError *error)) {
    const char *path;
    if (!PyArg_ParseTuple(arguments, "s", &path))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = write(of(object), path, &error);
    Py_END_ALLOW_THREADS
    return ended(status, &error);
}

PyObject *lithe_py_recording_vtk(PyObject *object, PyObject *arguments) {
    return write_all(object, arguments, lithe_export_vtk);
}

PyObject *lithe_py_recording_glb(PyObject *object, PyObject *arguments) {
    return write_all(object, arguments, lithe_export_glb);
}

// --- the current state of a simulation -----------------------------------------------------------

// The frame of the current state, as a recording in memory.
static LitheStatus take_frame(const LithePySimulation *self, LitheRecording **recording,
                              LitheError *error) {
    LitheContext *context = lithe_py_context();
    const LitheScene *scene = ((const LithePyScene *)self->scene)->scene;
    LitheLayout layout = {.context = context};
    LitheFrameMap map = {.context = context};
    LitheReport none = {0};
    LitheEnergy energy;
    const LitheFrameSource source = {.model = self->model,
                                     .state = self->state,
                                     .work = self->stepped ? self->work : NULL,
                                     .report = self->stepped ? &self->report : &none};
    LitheStatus status = lithe_frame_layout(self->model, &scene->record, &layout, &map, error);
    layout.title = lithe_alloc_text(context, scene->title ? scene->title : "");
    layout.scene = lithe_alloc_text(context, "");
    layout.version = lithe_alloc_text(context, lithe_version());
    double *frame = lithe_alloc_array(context, layout.frame_size, sizeof(double));
    if (status == LITHE_OK && !(frame && layout.title && layout.scene && layout.version)) {
        *error = (LitheError){.text = "out of memory: a frame"};
        status = LITHE_NO_MEMORY;
    }
    if (status == LITHE_OK)
        status = lithe_frame_fill(&source, &map, frame, &energy, error);
    if (status == LITHE_OK)
        status = lithe_recording_of_frame("the simulation", &layout, frame, map.contacts.rows,
                                          map.contacts.count, recording, error);
    lithe_free(context, frame);
    lithe_frame_map_release(&map);
    lithe_layout_release(&layout);
    return status;
}

PyObject *lithe_py_snapshot(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = (LithePySimulation *)object;
    if (!lithe_py_free(self))
        return NULL;
    LitheRecording *recording = NULL;
    LitheError error = {0};
    LitheStatus status = take_frame(self, &recording, &error);
    return status == LITHE_OK ? lithe_py_done(lithe_py_wrap_recording(self->recording, recording))
                              : lithe_py_raise(status, &error);
}
