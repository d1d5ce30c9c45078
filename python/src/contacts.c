// SPDX-License-Identifier: Apache-2.0
// python/src/contacts.c - rows of contacts, distances, rays

#include "core.h"

#include <stddef.h>

static LithePySimulation *of(PyObject *object) {
    return (LithePySimulation *)object;
}

static PyObject *triple(LitheVec3 v) {
    return Py_BuildValue("ddd", v.x, v.y, v.z);
}

// --- a row of contacts ---------------------------------------------------------------------------

typedef struct Row {
    LitheVec3 point, normal, force;
    double normal_force, gap, slip, friction, stiffness, area;
    int64_t pair[2]; // numbers of things
    int64_t part[2];
    double place[2];
} Row;

// the same for NumPy: name, type and count of all fields, in the order of the struct
static const struct {
    const char *name, *type;
    int count;
    size_t offset;
} fields[] = {
    {"point", "f8", 3, offsetof(Row, point)},
    {"normal", "f8", 3, offsetof(Row, normal)},
    {"force", "f8", 3, offsetof(Row, force)},
    {"normal_force", "f8", 1, offsetof(Row, normal_force)},
    {"gap", "f8", 1, offsetof(Row, gap)},
    {"slip", "f8", 1, offsetof(Row, slip)},
    {"friction", "f8", 1, offsetof(Row, friction)},
    {"stiffness", "f8", 1, offsetof(Row, stiffness)},
    {"area", "f8", 1, offsetof(Row, area)},
    {"pair", "i8", 2, offsetof(Row, pair)},
    {"part", "i8", 2, offsetof(Row, part)},
    {"place", "f8", 2, offsetof(Row, place)},
};

PyObject *lithe_py_contact_fields(void) {
    PyObject *list = PyList_New(0);
    size_t at = 0;
    for (size_t i = 0; list && i < sizeof fields / sizeof *fields; i++) {
        // NumPy packs the fields: each must begin where the last one ended
        PyObject *field = fields[i].offset == at ? Py_BuildValue("(ssi)", fields[i].name,
                                                                 fields[i].type, fields[i].count)
                                                 : NULL;
        if (!field && !PyErr_Occurred())
            PyErr_Format(PyExc_SystemError, "field %s of a contact is misplaced", fields[i].name);
        if (!field || PyList_Append(list, field) != 0)
            Py_CLEAR(list);
        Py_XDECREF(field);
        at += 8 * (size_t)fields[i].count;
    }
    return list;
}

static Row row_of(const LitheModel *model, const LitheContactForce *c) {
    const LitheContact *contact = &c->contact;
    return (Row){.point = contact->point,
                 .normal = contact->normal,
                 .force = c->force,
                 .normal_force = c->normal,
                 .gap = contact->gap,
                 .slip = c->slip,
                 .friction = contact->friction,
                 .stiffness = contact->stiffness,
                 .area = contact->area,
                 .pair = {lithe_thing_number(model, contact->a.thing),
                          lithe_thing_number(model, contact->b.thing)},
                 .part = {contact->a.part, contact->b.part},
                 .place = {contact->a.s, contact->b.s}};
}

// --- contacts ------------------------------------------------------------------------------------

// Contacts within a margin of the current state; NULL with an exception.
static LitheContacts *search(LithePySimulation *self, double margin) {
    LitheContacts *found = lithe_contacts_create(lithe_py_context());
    if (!found) {
        PyErr_NoMemory();
        return NULL;
    }
    LitheError error = {0};
    LitheStatus status = lithe_find_contacts(self->model, self->state, margin, found, &error);
    if (status == LITHE_OK)
        return found;
    lithe_contacts_destroy(found);
    lithe_py_raise(status, &error);
    return NULL;
}

// `margin` < 0: those of the last step.
PyObject *lithe_py_contact_count(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    double margin;
    if (!PyArg_ParseTuple(arguments, "d", &margin) || !lithe_py_free(self))
        return NULL;
    if (margin < 0)
        return PyLong_FromLong(self->stepped ? lithe_work_contact_count(self->work) : 0);
    LitheContacts *found = search(self, margin);
    if (!found)
        return NULL;
    PyObject *count = PyLong_FromLong(lithe_contact_count(found));
    lithe_contacts_destroy(found);
    return count;
}

static void fill_contacts(LithePySimulation *self, const LitheContacts *found, int32_t count,
                          Row *rows) {
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce c = {0};
        if (found)
            c.contact = lithe_contact_data(found)[i];
        else
            c = lithe_work_contact(self->work, i);
        rows[i] = row_of(self->model, &c);
    }
}

PyObject *lithe_py_contacts(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    double margin;
    PyObject *out;
    if (!PyArg_ParseTuple(arguments, "dO", &margin, &out) || !lithe_py_free(self))
        return NULL;
    LitheContacts *found = margin < 0 ? NULL : search(self, margin);
    if (margin >= 0 && !found)
        return NULL;
    int32_t count = found           ? lithe_contact_count(found)
                    : self->stepped ? lithe_work_contact_count(self->work)
                                    : 0;
    Py_buffer rows;
    if (lithe_py_take_rows(out, count, sizeof(Row), &rows)) {
        fill_contacts(self, found, count, rows.buf);
        PyBuffer_Release(&rows);
    }
    lithe_contacts_destroy(found);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

// --- distances and rays --------------------------------------------------------------------------

PyObject *lithe_py_distance(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    const char *a, *b;
    if (!PyArg_ParseTuple(arguments, "ss", &a, &b) || !lithe_py_free(self))
        return NULL;
    LitheNearestPlaces nearest;
    LitheError error = {0};
    LitheStatus status = lithe_find_distance(self->model, self->state, a, b, &nearest, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    return Py_BuildValue("dNN", nearest.distance, triple(nearest.on_a), triple(nearest.on_b));
}

PyObject *lithe_py_ray(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    LitheVec3 from, along;
    double longest;
    if (!PyArg_ParseTuple(arguments, "(ddd)(ddd)d", &from.x, &from.y, &from.z, &along.x, &along.y,
                          &along.z, &longest) ||
        !lithe_py_free(self))
        return NULL;
    LitheRayCast cast;
    LitheError error = {0};
    LitheStatus status =
        lithe_cast_ray(self->model, self->state, from, along, longest, &cast, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    if (!cast.hit)
        Py_RETURN_NONE;
    return Py_BuildValue("dNNi", cast.distance, triple(cast.point), triple(cast.normal),
                         lithe_thing_number(self->model, cast.what.thing));
}
