// SPDX-License-Identifier: Apache-2.0
// python/src/plan_hand.c - the plan of a hand

#include "core.h"

#include "base/memory.h"
#include "plan/scene_hand.h"

#include <math.h>

// Ctrl-C ends the search; its exception follows.
static bool report(void *user, bool dynamic, const LitheInteriorState *state) {
    (void)dynamic, (void)state;
    bool *interrupted = user;
    PyGILState_STATE held = PyGILState_Ensure();
    *interrupted = *interrupted || PyErr_CheckSignals() != 0;
    PyGILState_Release(held);
    return !*interrupted;
}

static PyObject *result_dict(const LitheHand *hand, const double *x, const LitheHandResult *r) {
    int64_t count = (int64_t)hand->stages * LITHE_HAND_VARIABLES;
    return Py_BuildValue(
        "{s:N,s:d,s:O,s:s,s:i,s:d,s:d,s:d,s:d,s:d,s:d}", "x",
        PyBytes_FromStringAndSize((const char *)x, (Py_ssize_t)(count * (int64_t)sizeof *x)),
        "step", hand->task.step, "converged",
        r->end == LITHE_INTERIOR_CONVERGED ? Py_True : Py_False, "end",
        lithe_interior_end_text(r->end), "iterations",
        (int)(r->kinematic.iteration + r->state.iteration), "cost", r->state.cost, "place",
        r->place, "angle", r->angle, "products", r->products, "residual", r->equations, "seconds",
        r->seconds);
}

PyObject *lithe_py_plan_hand(PyObject *module, PyObject *arguments) {
    PyObject *object;
    double seconds;
    if (!PyArg_ParseTuple(arguments, "Od", &object, &seconds))
        return NULL;
    PyObject *wanted = PyObject_GetAttrString(module, "Scene");
    int fits = wanted ? PyObject_IsInstance(object, wanted) : -1;
    Py_XDECREF(wanted);
    if (fits == 0)
        PyErr_SetString(PyExc_TypeError, "a scene is needed");
    if (fits != 1)
        return NULL;
    const LitheScene *scene = ((LithePyScene *)object)->scene;
    LitheHand hand;
    LitheHandPlace place;
    LitheHandResult result;
    LitheError error = {0};
    LitheStatus status = lithe_scene_check(scene, &error);
    if (status == LITHE_OK)
        status = lithe_hand_of_scene(scene, &hand, &place, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    bool interrupted = false;
    hand.seconds = fmin(hand.seconds, seconds > 0 ? seconds : INFINITY);
    hand.report = report;
    hand.user = &interrupted;
    LitheContext *context = lithe_py_context();
    double *x = lithe_alloc_array(context, (int64_t)hand.stages * LITHE_HAND_VARIABLES, sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    status = lithe_hand_solve(context, &hand, x, &result, &error);
    Py_END_ALLOW_THREADS
    PyObject *made = NULL;
    if (interrupted && !PyErr_Occurred())
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    else if (!interrupted)
        made = result_dict(&hand, x, &result);
    lithe_free(context, x);
    return made;
}
