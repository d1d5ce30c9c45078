// SPDX-License-Identifier: Apache-2.0
// python/src/units.c - units of the commands of drives and actuators

#include "core.h"

#include "data/model.h"
#include "scene/scene.h"

#include <string.h>

// units of a value and of its rate
typedef struct Units {
    const char *value, *rate;
} Units;

static PyObject *pair(Units units) {
    return Py_BuildValue("ss", units.value, units.rate);
}

PyObject *lithe_py_drive_units(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = (LithePySimulation *)object;
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_drive_count(self->model), "drive"))
        return NULL;
    bool turns = self->model->drives[i].kind == LITHE_DRIVE_TWIST;
    return pair(turns ? (Units){"rad", "rad/s"} : (Units){"m", "m/s"});
}

static bool is_sliding(LitheJointKind kind) {
    return kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_SECTION;
}

PyObject *lithe_py_joint_units(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = (LithePySimulation *)object;
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_joint_count(self->model), "joint"))
        return NULL;
    const LitheScene *scene = ((const LithePyScene *)self->scene)->scene;
    const char *name = lithe_joint_name(self->model, (LitheJointId){i + 1});
    for (int32_t k = 0; k < scene->joint_count; k++)
        if (strcmp(scene->joints[k].name, name) == 0)
            return pair(is_sliding(scene->joints[k].kind) ? (Units){"m", "m/s"}
                                                          : (Units){"rad", "rad/s"});
    return PyErr_Format(PyExc_SystemError, "the scene has no joint '%s'", name);
}

PyObject *lithe_py_actuator_units(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = (LithePySimulation *)object;
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_actuator_count(self->model), "actuator"))
        return NULL;
    static const Units units[][2] = {
        // [kind][whether the joint slides]
        [LITHE_ACTUATOR_FORCE] = {{"N m", "N m/s"}, {"N", "N/s"}},
        [LITHE_ACTUATOR_POSITION] = {{"rad", "rad/s"}, {"m", "m/s"}},
        [LITHE_ACTUATOR_VELOCITY] = {{"rad/s", "rad/s^2"}, {"m/s", "m/s^2"}},
        [LITHE_ACTUATOR_PRESCRIBED] = {{"rad", "rad/s"}, {"m", "m/s"}},
    };
    const LitheScene *scene = ((const LithePyScene *)self->scene)->scene;
    const char *name = lithe_actuator_name(self->model, (LitheActuatorId){i + 1});
    for (int32_t k = 0; k < scene->actuator_count; k++) {
        const LitheActuatorDef *def = &scene->actuators[k];
        if (strcmp(def->name, name) != 0)
            continue;
        bool slides = is_sliding(scene->joints[def->joint.number - 1].kind);
        static const Units pressure = {"Pa", "Pa/s"};
        return pair(def->area > 0 ? pressure : units[def->kind][slides]);
    }
    return PyErr_Format(PyExc_SystemError, "the scene has no actuator '%s'", name);
}
