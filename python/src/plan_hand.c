// SPDX-License-Identifier: Apache-2.0
// python/src/plan_hand.c - the plan of a hand

#include "plan_nlp.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>

// Ctrl-C ends with the best plan so far.
static bool report(void *user, bool dynamic, const LitheInteriorState *state) {
    (void)dynamic, (void)state;
    return lithe_py_plan_goes_on(user);
}

// What a plan that did not converge violates, where and when; "" where it does so by little.
static void violated(const LitheHand *hand, const LitheHandResult *r, char *text, size_t size) {
    char row[256];
    text[0] = 0;
    if (r->end != LITHE_INTERIOR_CONVERGED && r->worst > 1e-8)
        snprintf(text, size, "; largest violation: %s, by %.3g, in step %d of %d (%.4g s)",
                 lithe_hand_row(&hand->task, r->worst_row, row, sizeof row), r->worst,
                 (int)r->worst_stage + 1, (int)hand->stages,
                 (r->worst_stage + 1) * hand->task.step);
}

static PyObject *result_dict(const LitheHand *hand, const double *x, const LitheHandResult *r) {
    int64_t count = (int64_t)hand->stages * lithe_hand_variables(&hand->task);
    char text[512];
    violated(hand, r, text, sizeof text);
    return Py_BuildValue(
        "{s:s,s:N,s:d,s:O,s:s,s:i,s:d,s:d,s:d,s:d,s:d,s:d}", "violated", text, "x",
        PyBytes_FromStringAndSize((const char *)x, (Py_ssize_t)(count * (int64_t)sizeof *x)),
        "step", hand->task.step, "converged",
        r->end == LITHE_INTERIOR_CONVERGED ? Py_True : Py_False, "end",
        lithe_interior_end_text(r->end), "iterations",
        (int)(r->kinematic.iteration + r->state.iteration), "cost", r->state.cost, "place",
        r->place, "angle", r->angle, "products", r->products, "residual", r->equations, "seconds",
        r->seconds);
}

bool lithe_py_take_hand(PyObject *module, PyObject *object, const LithePyTerms *terms,
                        LitheHand *hand) {
    const LitheScene *scene = lithe_py_scene(module, object);
    if (!scene)
        return false;
    LitheHandPlace place;
    LitheError error = {0};
    LitheStatus status = lithe_scene_check(scene, &error);
    if (status == LITHE_OK)
        status = lithe_hand_of_scene(scene, hand, &place, &error);
    if (status == LITHE_OK && terms->user.row_count > 0) {
        status = lithe_user_terms_check(&terms->user, LITHE_HAND_VARIABLES, LITHE_HAND_USER_DISKS,
                                        &error);
        if (status == LITHE_OK && terms->user.stages != hand->stages)
            status = lithe_fail(&error, LITHE_BAD_INPUT, "data have %d steps, the plan has %d",
                                terms->user.stages, hand->stages);
        hand->task.user = &terms->user;
    }
    if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    return status == LITHE_OK;
}

static PyObject *solve(LitheHand *hand, double seconds) {
    LitheHandResult result;
    LitheError error = {0};
    bool stopped = false;
    hand->seconds = fmin(hand->seconds, seconds > 0 ? seconds : INFINITY);
    hand->report = report;
    hand->user = &stopped;
    LitheContext *context = lithe_py_context();
    double *x = lithe_alloc_array(
        context, (int64_t)hand->stages * lithe_hand_variables(&hand->task), sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_hand_solve(context, hand, x, &result, &error);
    Py_END_ALLOW_THREADS
    PyObject *made = NULL;
    if (!lithe_py_plan_returns())
        ; // a handler of a signal raised
    else if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    else
        made = result_dict(hand, x, &result);
    lithe_free(context, x);
    return made;
}

PyObject *lithe_py_plan_hand(PyObject *module, PyObject *arguments) {
    PyObject *object, *packed = NULL, *made = NULL;
    double seconds;
    LithePyTerms terms = {0};
    LitheHand hand;
    if (!PyArg_ParseTuple(arguments, "Od|O", &object, &seconds, &packed))
        return NULL;
    if ((!packed || lithe_py_take_terms(&terms, packed)) &&
        lithe_py_take_hand(module, object, &terms, &hand))
        made = solve(&hand, seconds);
    lithe_py_release_terms(&terms);
    return made;
}

PyObject *lithe_py_hand_steps(PyObject *module, PyObject *object) {
    const LithePyTerms none = {0};
    LitheHand hand;
    if (!lithe_py_take_hand(module, object, &none, &hand))
        return NULL;
    return Py_BuildValue("id", (int)hand.stages, hand.task.step);
}
