// SPDX-License-Identifier: Apache-2.0
// python/src/names.c - the kinds of named things of a simulation, in one table

#include "core.h"

#include <string.h>

// --- the table -----------------------------------------------------------------------------------

typedef struct Kind {
    const char *name; // name of the kind in Python
    int32_t (*count)(const LitheModel *model);
    const char *(*name_of)(const LitheModel *model, int32_t number); // from 1
} Kind;

static const char *rod_name(const LitheModel *model, int32_t number) {
    return lithe_rod_name(model, (LitheRodId){number});
}

static const char *drive_name(const LitheModel *model, int32_t number) {
    return lithe_drive_name(model, (LitheDriveId){number});
}

static const char *hold_name(const LitheModel *model, int32_t number) {
    return lithe_hold_name(model, (LitheHoldId){number});
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

static const char *particles_name(const LitheModel *model, int32_t number) {
    return lithe_particles_name(model, (LitheParticlesId){number});
}

static const char *solid_name(const LitheModel *model, int32_t number) {
    return lithe_solid_name(model, (LitheSolidId){number});
}

static const char *cavity_name(const LitheModel *model, int32_t number) {
    return lithe_cavity_name(model, (LitheCavityId){number});
}

static const char *knot_name(const LitheModel *model, int32_t number) {
    return lithe_knot_name(model, (LitheKnotId){number});
}

static const char *thing_name(const LitheModel *model, int32_t number) {
    return lithe_thing_name(model, lithe_thing_at(model, number - 1));
}

static const Kind kinds[] = {
    {"rods", lithe_rod_count, rod_name},
    {"bodies", lithe_body_count, body_name},
    {"particles", lithe_particles_count, particles_name},
    {"solids", lithe_solid_count, solid_name},
    {"things", lithe_thing_count, thing_name}, // all of these, in the numbering of contacts
    {"joints", lithe_joint_count, joint_name},
    {"cavities", lithe_cavity_count, cavity_name},
    {"drives", lithe_drive_count, drive_name},
    {"holds", lithe_hold_count, hold_name},
    {"actuators", lithe_actuator_count, actuator_name},
    {"pose-drives", lithe_pose_drive_count, pose_drive_name},
    {"constraints", lithe_constraint_count, constraint_name},
    {"knots", lithe_knot_count, knot_name},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// --- names ---------------------------------------------------------------------------------------

PyObject *lithe_py_names(PyObject *object, PyObject *arguments) {
    const LitheModel *model = ((LithePySimulation *)object)->model;
    const char *wanted;
    if (!PyArg_ParseTuple(arguments, "s", &wanted))
        return NULL;
    int kind = 0;
    while (kind < KINDS && strcmp(kinds[kind].name, wanted) != 0)
        kind++;
    if (kind == KINDS)
        return PyErr_Format(PyExc_ValueError, "no such kind: %s", wanted);
    int32_t count = kinds[kind].count(model);
    PyObject *list = PyList_New(0);
    for (int32_t i = 1; list && i <= count; i++) {
        PyObject *name = PyUnicode_FromString(kinds[kind].name_of(model, i));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}
