// SPDX-License-Identifier: Apache-2.0
// python/src/control.c - control of a simulation: commands, switches, external forces

#include "core.h"

#include "advance/monitor.h"

#include <math.h>

static LithePySimulation *of(PyObject *object) {
    return (LithePySimulation *)object;
}

// Return value of a call that sets something.
static PyObject *done(LitheStatus status, const LitheError *error) {
    if (status != LITHE_OK)
        return lithe_py_raise(status, error);
    Py_RETURN_NONE;
}

// --- drives and actuators ------------------------------------------------------------------------

PyObject *lithe_py_set_drive(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, turn;
    LitheCommand command;
    if (!PyArg_ParseTuple(arguments, "iddp", &i, &command.value, &command.rate, &turn) ||
        !lithe_py_in(i, lithe_drive_count(self->model), "drive") || !lithe_py_free(self))
        return NULL;
    LitheError error = {0};
    LitheDriveId id = {i + 1};
    return done(turn ? lithe_state_set_drive_turn(self->model, self->state, id, command, &error)
                     : lithe_state_set_drive(self->model, self->state, id, command, &error),
                &error);
}

PyObject *lithe_py_release_drive(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_drive_count(self->model), "drive") || !lithe_py_free(self))
        return NULL;
    lithe_state_release_drive(self->model, self->state, (LitheDriveId){i + 1});
    Py_RETURN_NONE;
}

PyObject *lithe_py_drive_command(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_drive_count(self->model), "drive"))
        return NULL;
    LitheCommand now = lithe_drive_command(self->model, self->state, (LitheDriveId){i + 1});
    return Py_BuildValue("dd", now.value, now.rate);
}

PyObject *lithe_py_set_actuator(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    LitheCommand command;
    if (!PyArg_ParseTuple(arguments, "idd", &i, &command.value, &command.rate) ||
        !lithe_py_in(i, lithe_actuator_count(self->model), "actuator") || !lithe_py_free(self))
        return NULL;
    LitheError error = {0};
    return done(lithe_state_set_actuator(self->model, self->state, (LitheActuatorId){i + 1},
                                         command, &error),
                &error);
}

PyObject *lithe_py_release_actuator(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_actuator_count(self->model), "actuator") || !lithe_py_free(self))
        return NULL;
    lithe_state_release_actuator(self->model, self->state, (LitheActuatorId){i + 1});
    Py_RETURN_NONE;
}

PyObject *lithe_py_actuator_effort(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_actuator_count(self->model), "actuator"))
        return NULL;
    return PyFloat_FromDouble(
        lithe_actuator_effort(self->model, self->state, (LitheActuatorId){i + 1}));
}

PyObject *lithe_py_actuator_command(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_actuator_count(self->model), "actuator"))
        return NULL;
    LitheCommand now = lithe_actuator_command(self->model, self->state, (LitheActuatorId){i + 1});
    return Py_BuildValue("dd", now.value, now.rate);
}

// --- joints --------------------------------------------------------------------------------------

// The position of a joint with one degree of freedom, before the first step: later ones would
// contradict what the schemes keep of earlier steps.
PyObject *lithe_py_set_joint(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    double value;
    if (!PyArg_ParseTuple(arguments, "id", &i, &value) ||
        !lithe_py_in(i, lithe_joint_count(self->model), "joint") || !lithe_py_free(self))
        return NULL;
    LitheJointId joint = {i + 1};
    const char *name = lithe_joint_name(self->model, joint);
    LitheError error = {.status = LITHE_BAD_INPUT};
    if (lithe_joint_size(self->model, joint).positions != 1)
        PyOS_snprintf(error.text, sizeof error.text,
                      "joint '%s': only joints with one degree of freedom can be set", name);
    else if (lithe_state_step(self->state) > 0)
        PyOS_snprintf(error.text, sizeof error.text,
                      "joint '%s': its position can be set before the first step, %lld are made",
                      name, (long long)lithe_state_step(self->state));
    else if (!isfinite(value))
        PyOS_snprintf(error.text, sizeof error.text, "joint '%s': position is %g, must be finite",
                      name, value);
    if (error.text[0])
        return lithe_py_raise(error.status, &error);
    *(double *)lithe_joint_position(self->model, self->state, joint) = value;
    lithe_monitor_begin(self->model, self->state, &self->totals.monitor);
    Py_RETURN_NONE;
}

// --- pose drives ---------------------------------------------------------------------------------

PyObject *lithe_py_set_pose_drive(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    double p[7], v[6];
    if (!PyArg_ParseTuple(arguments, "i(ddddddd)(dddddd)", &i, p, p + 1, p + 2, p + 3, p + 4, p + 5,
                          p + 6, v, v + 1, v + 2, v + 3, v + 4, v + 5) ||
        !lithe_py_in(i, lithe_pose_drive_count(self->model), "pose drive") || !lithe_py_free(self))
        return NULL;
    LitheError error = {0};
    return done(lithe_state_set_pose_drive(self->model, self->state, (LithePoseDriveId){i + 1}, p,
                                           v, &error),
                &error);
}

PyObject *lithe_py_release_pose_drive(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_pose_drive_count(self->model), "pose drive") || !lithe_py_free(self))
        return NULL;
    lithe_state_release_pose_drive(self->model, self->state, (LithePoseDriveId){i + 1});
    Py_RETURN_NONE;
}

PyObject *lithe_py_pose_drive_target(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    double p[7];
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_pose_drive_count(self->model), "pose drive"))
        return NULL;
    lithe_pose_drive_target(self->model, self->state, (LithePoseDriveId){i + 1}, p);
    return Py_BuildValue("ddddddd", p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
}

// --- constraints and forces ----------------------------------------------------------------------

PyObject *lithe_py_set_constraint(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, active;
    if (!PyArg_ParseTuple(arguments, "ip", &i, &active) ||
        !lithe_py_in(i, lithe_constraint_count(self->model), "constraint") || !lithe_py_free(self))
        return NULL;
    lithe_state_set_constraint(self->model, self->state, (LitheConstraintId){i + 1}, active);
    Py_RETURN_NONE;
}

PyObject *lithe_py_rod_force(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_rod_count(self->model), "rod"))
        return NULL;
    LitheRodId rod = {i + 1};
    const Py_ssize_t shape[2] = {lithe_rod_node_count(self->model, rod), 3}, stride[2] = {3, 1};
    return lithe_py_array(self->array, object,
                          lithe_rod_force_writable(self->model, self->state, rod), 2, shape, stride,
                          false);
}

PyObject *lithe_py_body_force(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_body_count(self->model), "body"))
        return NULL;
    double *push = lithe_body_force_writable(self->model, self->state, (LitheBodyId){i + 1});
    const Py_ssize_t shape[2] = {6, 0}, stride[2] = {1, 0};
    if (!push)
        Py_RETURN_NONE;
    return lithe_py_array(self->array, object, push, 1, shape, stride, false);
}
