// SPDX-License-Identifier: Apache-2.0
// python/src/names.c - the kinds of named things of a simulation, in one table

#include "core.h"

#include <string.h>

// --- the table -----------------------------------------------------------------------------------

typedef struct Kind {
    const char *name; // as Python asks for it
    int32_t (*count)(const LitheModel *model);
    const char *(*name_of)(const LitheModel *model, int32_t number); // from 1
    int32_t (*side)(const LitheContactSide *side); // its number there, or 0; NULL: touches nothing
} Kind;

static const char *rod_name(const LitheModel *model, int32_t number) {
    return lithe_rod_name(model, (LitheRodId){number});
}

static const char *drive_name(const LitheModel *model, int32_t number) {
    return lithe_drive_name(model, (LitheDriveId){number});
}

static const char *body_name(const LitheModel *model, int32_t number) {
    return lithe_body_name(model, (LitheBodyId){number});
}

static const char *joint_name(const LitheModel *model, int32_t number) {
    return lithe_joint_name(model, (LitheJointId){number});
}

static const char *constraint_name(const LitheModel *model, int32_t number) {
    return lithe_constraint_name(model, (LitheConstraintId){number});
}

static const char *actuator_name(const LitheModel *model, int32_t number) {
    return lithe_actuator_name(model, (LitheActuatorId){number});
}

static const char *pose_drive_name(const LitheModel *model, int32_t number) {
    return lithe_pose_drive_name(model, (LithePoseDriveId){number});
}

static int32_t rod_side(const LitheContactSide *side) {
    return side->rod.number;
}

static int32_t body_side(const LitheContactSide *side) {
    return side->body.number;
}

// what can touch is numbered in this order
static const Kind kinds[] = {
    {"rods", lithe_rod_count, rod_name, rod_side},
    {"bodies", lithe_body_count, body_name, body_side},
    {"joints", lithe_joint_count, joint_name, NULL},
    {"drives", lithe_drive_count, drive_name, NULL},
    {"actuators", lithe_actuator_count, actuator_name, NULL},
    {"pose-drives", lithe_pose_drive_count, pose_drive_name, NULL},
    {"constraints", lithe_constraint_count, constraint_name, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// --- names ---------------------------------------------------------------------------------------

static bool add_names(const LitheModel *model, const Kind *kind, PyObject *list) {
    int32_t count = kind->count(model);
    for (int32_t i = 1; i <= count; i++) {
        PyObject *name = PyUnicode_FromString(kind->name_of(model, i));
        bool added = name && PyList_Append(list, name) == 0;
        Py_XDECREF(name);
        if (!added)
            return false;
    }
    return true;
}

// of one kind; "things": of all that can touch, as lithe_py_thing numbers them
PyObject *lithe_py_names(PyObject *object, PyObject *arguments) {
    const LitheModel *model = ((LithePySimulation *)object)->model;
    const char *wanted;
    if (!PyArg_ParseTuple(arguments, "s", &wanted))
        return NULL;
    bool things = strcmp(wanted, "things") == 0, known = things;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < KINDS; i++) {
        bool asked = things ? kinds[i].side != NULL : strcmp(kinds[i].name, wanted) == 0;
        known |= asked;
        if (asked && !add_names(model, &kinds[i], list))
            Py_CLEAR(list);
    }
    if (list && !known) {
        Py_DECREF(list);
        return PyErr_Format(PyExc_ValueError, "no such kind: %s", wanted);
    }
    return list;
}

int32_t lithe_py_thing(const LitheModel *model, const LitheContactSide *side) {
    int32_t before = 0;
    for (int i = 0; i < KINDS; i++) {
        int32_t number = kinds[i].side ? kinds[i].side(side) : 0;
        if (number > 0)
            return before + number - 1;
        before += kinds[i].side ? kinds[i].count(model) : 0;
    }
    PyErr_SetString(PyExc_SystemError, "what touches is of a kind that has no row here");
    return -1;
}
