// SPDX-License-Identifier: Apache-2.0
// python/src/statics.c - equilibria, steps along their path, modes, stability, linearised steps

#include "core.h"

#include "advance/monitor.h"
#include "lithe/control.h"

#include <string.h>

static LithePySimulation *of(PyObject *object) {
    return (LithePySimulation *)object;
}

PyObject *lithe_py_equilibrium(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = of(object);
    if (!lithe_py_free(self))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_equilibrium(self->model, self->state, self->work, &self->report, &error);
    Py_END_ALLOW_THREADS
    self->busy = self->stepped = false;
    if (status != LITHE_OK)
        return lithe_py_raise_stopped(self, status, &error);
    lithe_monitor_begin(self->model, self->state, &self->totals.monitor);
    lithe_monitor_equilibrium(self->model, self->state, &self->report, &self->totals.monitor);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

PyObject *lithe_py_arc_step(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    double length;
    PyObject *out;
    Py_buffer direction;
    if (!PyArg_ParseTuple(arguments, "dO", &length, &out) || !lithe_py_free(self) ||
        !lithe_py_take_out(out, (Py_ssize_t)lithe_model_velocity_count(self->model), &direction))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_arc_step(self->model, self->state, self->work, length, direction.buf,
                            &self->report, &error);
    Py_END_ALLOW_THREADS
    self->busy = false;
    self->stepped = status == LITHE_OK;
    PyBuffer_Release(&direction);
    if (status != LITHE_OK)
        return lithe_py_raise_stopped(self, status, &error);
    lithe_monitor_begin(self->model, self->state, &self->totals.monitor);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

PyObject *lithe_py_modes(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int count;
    PyObject *outs[2];
    Py_buffer omega, shapes;
    Py_ssize_t width = (Py_ssize_t)lithe_model_velocity_count(self->model);
    if (!PyArg_ParseTuple(arguments, "iOO", &count, &outs[0], &outs[1]) || !lithe_py_free(self) ||
        !lithe_py_take_out(outs[0], count, &omega))
        return NULL;
    if (!lithe_py_take_out(outs[1], count * width, &shapes)) {
        PyBuffer_Release(&omega);
        return NULL;
    }
    LitheError error = {0};
    LitheStatus status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_world_modes(self->model, self->state, self->work, count, omega.buf, shapes.buf,
                               &error);
    Py_END_ALLOW_THREADS
    self->busy = self->stepped = false;
    PyBuffer_Release(&omega);
    PyBuffer_Release(&shapes);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

PyObject *lithe_py_unstable_count(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    double shift;
    if (!PyArg_ParseTuple(arguments, "d", &shift) || !lithe_py_free(self))
        return NULL;
    LitheError error = {0};
    LitheStatus status;
    int32_t count = 0;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status =
        lithe_world_unstable_count(self->model, self->state, self->work, shift, &count, &error);
    Py_END_ALLOW_THREADS
    self->busy = self->stepped = false;
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    return lithe_py_done(PyLong_FromLong(count));
}

PyObject *lithe_py_linearise(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    PyObject *outs[2];
    Py_buffer a, b;
    Py_ssize_t states = 2 * (Py_ssize_t)lithe_model_velocity_count(self->model);
    if (!PyArg_ParseTuple(arguments, "OO", &outs[0], &outs[1]) || !lithe_py_free(self) ||
        !lithe_py_take_out(outs[0], states * states, &a))
        return NULL;
    if (!lithe_py_take_out(outs[1], states * lithe_actuator_count(self->model), &b)) {
        PyBuffer_Release(&a);
        return NULL;
    }
    LitheError error = {0};
    LitheStatus status;
    int32_t changed = 0;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_linearise(self->model, self->state, self->work, a.buf, b.buf, &changed, &error);
    Py_END_ALLOW_THREADS
    self->busy = self->stepped = false;
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    return lithe_py_done(PyLong_FromLong(changed));
}
