// SPDX-License-Identifier: Apache-2.0
// python/src/view.c - pages in the browser that show a simulation while a program steps it
//
// The viewer observes sessions of runs. Here the program makes the steps, so the viewer gets a
// session that has only the model, state and work of the simulation.

#include "core.h"

#include "base/memory.h"
#include "run/session.h"
#include "scene/scene.h"
#include "view/live.h"

#include <string.h>

struct LithePyView {
    LithePySimulation *owner; // lives longer
    LitheSession session;
    LitheRunDef def;
    volatile sig_atomic_t stop;
    LitheViewLive *live;
    LitheControls controls; // keys of the scene
    LitheState *start;      // state after a reset by the page
    char url[512];
};

static void keep_url(const char *url, void *user) {
    LithePyView *view = user;
    PyOS_snprintf(view->url, sizeof view->url, "%s", url);
}

// While a page pauses the run: checks for Ctrl-C and for stops of other threads.
static void check_signals(void *user) {
    LithePyView *view = user;
    PyGILState_STATE held = PyGILState_Ensure();
    if (view->owner->stop || PyErr_CheckSignals() != 0)
        view->stop = 1;
    PyGILState_Release(held);
}

bool lithe_py_view_between_steps(LithePyView *view) {
    LithePySimulation *own = view->owner;
    const LitheWatch *watch = lithe_view_live_watch(view->live);
    view->stop = 0;
    view->session.report = own->report;
    view->session.steps_made = own->stepped;
    if (watch->between_steps(watch->user, &view->session, false) == LITHE_WATCH_RESET) {
        lithe_state_set(own->state, lithe_state_data(view->start));
        own->stepped = false;
    }
    return !view->stop;
}

void lithe_py_view_close(LithePyView *view) {
    if (!view)
        return;
    if (view->live) {
        const LitheWatch *watch = lithe_view_live_watch(view->live);
        watch->end(watch->user, &view->session, LITHE_OK, NULL);
    }
    lithe_view_live_destroy(view->live);
    lithe_controls_release(&view->controls);
    lithe_state_destroy(view->start);
    lithe_free(lithe_py_context(), view->session.layout.title);
    lithe_free(lithe_py_context(), view);
}

// After a failure the caller closes the view.
static LitheStatus open_view(LithePyView *view, LitheViewLiveDef *def, LitheError *error) {
    LithePySimulation *own = view->owner;
    const LitheScene *scene = ((LithePyScene *)own->scene)->scene;
    LitheContext *context = lithe_py_context();
    view->def = lithe_run_def_default();
    view->def.stop = &view->stop;
    view->session = (LitheSession){
        .context = context,
        .def = &view->def,
        .model = own->model,
        .state = own->state,
        .work = own->work,
        .layout = {.context = context,
                   .title = lithe_alloc_text(context, scene->title ? scene->title : "")},
        .step = scene->time.step,
        .every = scene->record.every,
        .end = scene->time.end,
        .totals = {.framed_step = -1}};
    view->controls.context = context;
    LitheStatus status = lithe_controls_begin(scene, &view->controls, error);
    if (status != LITHE_OK)
        return status;
    def->controls = &view->controls;
    view->start = lithe_state_copy(own->state);
    view->live = lithe_view_live_create(context, def);
    if (!view->session.layout.title || !view->start || !view->live) {
        *error = (LitheError){.text = "out of memory: the viewer"};
        return LITHE_NO_MEMORY;
    }
    const LitheWatch *watch = lithe_view_live_watch(view->live);
    return watch->begin(watch->user, &view->session, error);
}

PyObject *lithe_py_view(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = (LithePySimulation *)object;
    const char *assets, *address;
    int port, at_once, embed;
    double speed;
    if (!PyArg_ParseTuple(arguments, "szidpp", &assets, &address, &port, &speed, &at_once,
                          &embed) ||
        !lithe_py_free(self))
        return NULL;
    if (self->view)
        return PyErr_Format(PyExc_RuntimeError, "this simulation already has a viewer");
    if (port < 0 || port > 65535 || !(speed >= 0 && speed <= 1e9))
        return PyErr_Format(PyExc_ValueError, "port must be from 0 to 65535, speed from 0 to 1e9");
    LithePyView *view = lithe_alloc(lithe_py_context(), sizeof *view);
    if (!view)
        return PyErr_NoMemory();
    *view = (LithePyView){.owner = self};
    LitheViewLiveDef def = {.address = address,
                            .port = port,
                            .assets = assets,
                            .embed = embed,
                            .at_once = at_once,
                            .speed = speed,
                            .announce = keep_url,
                            .idle = check_signals,
                            .user = view};
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = open_view(view, &def, &error);
    Py_END_ALLOW_THREADS
    if (status != LITHE_OK) {
        lithe_py_view_close(view);
        return lithe_py_raise(status, &error);
    }
    self->view = view;
    return PyUnicode_FromString(view->url);
}

PyObject *lithe_py_unview(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = (LithePySimulation *)object;
    if (!lithe_py_free(self))
        return NULL;
    LithePyView *view = self->view;
    self->view = NULL;
    Py_BEGIN_ALLOW_THREADS
    lithe_py_view_close(view);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}
