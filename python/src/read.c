// SPDX-License-Identifier: Apache-2.0
// python/src/read.c - reading a simulation: views of the state, and what is computed from it

#include "core.h"

#include <math.h>
#include <string.h>

static LithePySimulation *of(PyObject *object) {
    return (LithePySimulation *)object;
}

static PyObject *triple(LitheVec3 v) {
    return Py_BuildValue("ddd", v.x, v.y, v.z);
}

// --- names ---------------------------------------------------------------------------------------

typedef enum Kind { RODS, DRIVES, BODIES, JOINTS, CONSTRAINTS, ACTUATORS, POSE_DRIVES } Kind;

static const char *const kinds[] = {"rods",        "drives",    "bodies",     "joints",
                                    "constraints", "actuators", "pose-drives"};

static int32_t count_of(const LitheModel *model, Kind kind) {
    switch (kind) {
    case RODS:
        return lithe_rod_count(model);
    case DRIVES:
        return lithe_drive_count(model);
    case BODIES:
        return lithe_body_count(model);
    case JOINTS:
        return lithe_joint_count(model);
    case CONSTRAINTS:
        return lithe_constraint_count(model);
    case ACTUATORS:
        return lithe_actuator_count(model);
    default:
        return lithe_pose_drive_count(model);
    }
}

static const char *name_of(const LitheModel *model, Kind kind, int32_t number) {
    switch (kind) {
    case RODS:
        return lithe_rod_name(model, (LitheRodId){number});
    case DRIVES:
        return lithe_drive_name(model, (LitheDriveId){number});
    case BODIES:
        return lithe_body_name(model, (LitheBodyId){number});
    case JOINTS:
        return lithe_joint_name(model, (LitheJointId){number});
    case CONSTRAINTS:
        return lithe_constraint_name(model, (LitheConstraintId){number});
    case ACTUATORS:
        return lithe_actuator_name(model, (LitheActuatorId){number});
    default:
        return lithe_pose_drive_name(model, (LithePoseDriveId){number});
    }
}

PyObject *lithe_py_names(PyObject *object, PyObject *arguments) {
    const LitheModel *model = of(object)->model;
    const char *wanted;
    if (!PyArg_ParseTuple(arguments, "s", &wanted))
        return NULL;
    int kind = 0;
    while (kind <= POSE_DRIVES && strcmp(kinds[kind], wanted) != 0)
        kind++;
    if (kind > POSE_DRIVES)
        return PyErr_Format(PyExc_ValueError, "no such kind: %s", wanted);
    PyObject *list = PyList_New(0);
    for (int32_t i = 1; list && i <= count_of(model, kind); i++) {
        PyObject *name = PyUnicode_FromString(name_of(model, kind, i));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

// --- rods ----------------------------------------------------------------------------------------

// The rod of a call whose only argument is its index; {0} with an exception.
static LitheRodId rod_of(PyObject *object, PyObject *arguments) {
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_rod_count(of(object)->model), "rod"))
        return (LitheRodId){0};
    return (LitheRodId){i + 1};
}

PyObject *lithe_py_rod_size(PyObject *object, PyObject *arguments) {
    const LitheModel *model = of(object)->model;
    LitheRodId rod = rod_of(object, arguments);
    if (!rod.number)
        return NULL;
    return Py_BuildValue("iiO", lithe_rod_node_count(model, rod), lithe_rod_edge_count(model, rod),
                         lithe_rod_closed(model, rod) ? Py_True : Py_False);
}

static PyObject *nodes_of(PyObject *object, PyObject *arguments, bool velocity) {
    LithePySimulation *self = of(object);
    LitheRodId rod = rod_of(object, arguments);
    if (!rod.number)
        return NULL;
    double *data = velocity ? lithe_rod_v_writable(self->model, self->state, rod)
                            : (double *)lithe_rod_q(self->model, self->state, rod);
    const Py_ssize_t shape[2] = {lithe_rod_node_count(self->model, rod), 4}, stride[2] = {4, 1};
    return lithe_py_array(self->array, object, data, 2, shape, stride, !velocity);
}

PyObject *lithe_py_rod_q(PyObject *object, PyObject *arguments) {
    return nodes_of(object, arguments, false);
}

PyObject *lithe_py_rod_v(PyObject *object, PyObject *arguments) {
    return nodes_of(object, arguments, true);
}

typedef void Reader(const LitheModel *model, const LitheState *state, LitheRodId rod, double *out);

static const struct {
    const char *name;
    Reader *read;
    bool edges; // as many rows as edges, else nodes
    int columns;
} readers[] = {
    {"tension", lithe_rod_tension, true, 1},      {"director", lithe_rod_directors, true, 3},
    {"curvature", lithe_rod_curvature, false, 2}, {"twist-rate", lithe_rod_twist, false, 1},
    {"moment", lithe_rod_moment, false, 2},       {"torque", lithe_rod_torque, false, 1},
};

PyObject *lithe_py_rod_read(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    const char *what;
    PyObject *out;
    if (!PyArg_ParseTuple(arguments, "isO", &i, &what, &out) ||
        !lithe_py_in(i, lithe_rod_count(self->model), "rod") || !lithe_py_free(self))
        return NULL;
    size_t k = 0, known = sizeof readers / sizeof *readers;
    while (k < known && strcmp(readers[k].name, what) != 0)
        k++;
    if (k == known)
        return PyErr_Format(PyExc_ValueError, "no such quantity: %s", what);
    LitheRodId rod = {i + 1};
    Py_ssize_t rows = readers[k].edges ? lithe_rod_edge_count(self->model, rod)
                                       : lithe_rod_node_count(self->model, rod);
    Py_buffer view;
    if (!lithe_py_take_out(out, rows * readers[k].columns, &view))
        return NULL;
    readers[k].read(self->model, self->state, rod, view.buf);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

PyObject *lithe_py_rod_section(PyObject *object, PyObject *arguments) {
    LitheRodId rod = rod_of(object, arguments);
    if (!rod.number)
        return NULL;
    static const char *const names[] = {"circle", "rectangle", "ellipse", "stiffness"};
    LitheSectionDef s = lithe_rod_section(of(object)->model, rod);
    return Py_BuildValue("{s:s,s:d,s:d,s:d}", "kind", names[s.kind], "radius", s.radius, "width",
                         s.width, "height", s.height);
}

// --- bodies and joints ---------------------------------------------------------------------------

PyObject *lithe_py_body_read(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    PyObject *pose, *velocity;
    if (!PyArg_ParseTuple(arguments, "iOO", &i, &pose, &velocity) ||
        !lithe_py_in(i, lithe_body_count(self->model), "body") || !lithe_py_free(self))
        return NULL;
    Py_buffer p, v;
    LitheBodyId body = {i + 1};
    if (!lithe_py_take_out(pose, 7, &p))
        return NULL;
    if (lithe_py_take_out(velocity, 6, &v)) {
        lithe_body_pose(self->model, self->state, body, p.buf);
        lithe_body_velocity(self->model, self->state, body, v.buf);
        PyBuffer_Release(&v);
    }
    PyBuffer_Release(&p);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

PyObject *lithe_py_joint_array(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, what;
    if (!PyArg_ParseTuple(arguments, "ii", &i, &what) ||
        !lithe_py_in(i, lithe_joint_count(self->model), "joint") ||
        !lithe_py_in(what, 3, "quantity"))
        return NULL;
    LitheJointId joint = {i + 1};
    const double *data = what == 0   ? lithe_joint_position(self->model, self->state, joint)
                         : what == 1 ? lithe_joint_velocity(self->model, self->state, joint)
                                     : lithe_joint_effort(self->model, self->state, joint);
    LitheJointSize size = lithe_joint_size(self->model, joint);
    const Py_ssize_t shape[2] = {what == 0 ? size.positions : size.velocities, 0};
    const Py_ssize_t stride[2] = {1, 0};
    return lithe_py_array(self->array, object, (double *)data, 1, shape, stride, true);
}

// --- drives and constraints ----------------------------------------------------------------------

PyObject *lithe_py_drive_read(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_drive_count(self->model), "drive") || !lithe_py_free(self))
        return NULL;
    LitheDriveId drive = {i + 1};
    return Py_BuildValue("ddd", lithe_drive_force(self->model, self->state, drive),
                         lithe_drive_torque(self->model, self->state, drive),
                         lithe_drive_position(self->model, self->state, drive));
}

PyObject *lithe_py_constraint_read(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_constraint_count(self->model), "constraint") || !lithe_py_free(self))
        return NULL;
    LitheConstraintId id = {i + 1};
    double a[7], b[7];
    lithe_constraint_places(self->model, self->state, id, a, b);
    return Py_BuildValue("OONN(ddddddd)(ddddddd)",
                         lithe_constraint_active(self->model, self->state, id) ? Py_True : Py_False,
                         lithe_constraint_broken(self->model, self->state, id) ? Py_True : Py_False,
                         triple(lithe_constraint_force(self->model, self->state, id)),
                         triple(lithe_constraint_torque(self->model, self->state, id)), a[0], a[1],
                         a[2], a[3], a[4], a[5], a[6], b[0], b[1], b[2], b[3], b[4], b[5], b[6]);
}

// --- sums and reports ----------------------------------------------------------------------------

PyObject *lithe_py_energy(PyObject *object, PyObject *none) {
    (void)none;
    const LithePySimulation *self = of(object);
    if (!lithe_py_free(self))
        return NULL;
    LitheEnergy e = lithe_energy(self->model, self->state);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "kinetic", e.kinetic, "elastic",
                         e.elastic, "gravity", e.gravity, "dissipated", e.dissipated, "work",
                         e.work, "friction", e.friction, "contact", e.contact, "constraints",
                         e.constraints);
}

PyObject *lithe_py_momentum(PyObject *object, PyObject *none) {
    (void)none;
    const LithePySimulation *self = of(object);
    if (!lithe_py_free(self))
        return NULL;
    return Py_BuildValue("NN", triple(lithe_momentum(self->model, self->state)),
                         triple(lithe_angular_momentum(self->model, self->state)));
}

PyObject *lithe_py_report(PyObject *object, PyObject *none) {
    (void)none;
    const LitheReport *r = &of(object)->report;
    return Py_BuildValue(
        "{s:i,s:i,s:i,s:i,s:d,s:i,s:i,s:i,s:i,s:i,s:O,s:O,s:d,s:d,s:i,s:i,s:d,s:s,s:i,s:d,s:d,s:d,"
        "s:i,s:i,s:i,s:i,s:i,s:d,s:d}",
        "newton_iterations", r->newton_iterations, "line_search_cuts", r->line_search_cuts,
        "hessians_corrected", r->hessians_corrected, "bodies_unconverged", r->bodies_unconverged,
        "residual", r->residual, "worst_rod", r->worst_rod.number, "joints_at_limit",
        r->joints_at_limit, "contacts", r->contacts, "passes", r->passes, "solve_iterations",
        r->solve_iterations, "solve_unconverged", r->solve_unconverged ? Py_True : Py_False,
        "friction_unsettled", r->friction_unsettled ? Py_True : Py_False, "solve_residual",
        r->solve_residual, "backward_error", r->backward_error, "constraints_broken",
        r->constraints_broken, "pieces", r->pieces, "step", r->step, "limit",
        lithe_step_limit_name(r->limit), "rejected", r->rejected, "error", r->error,
        "contact_error", r->contact_error, "deepest", r->deepest, "crossings_avoided",
        r->crossings_avoided, "held", r->held, "softened", r->softened, "pairs_unserved",
        r->pairs_unserved, "poses_missed", r->poses_missed, "pose_distance", r->pose_distance,
        "pose_angle", r->pose_angle);
}

// --- contacts ------------------------------------------------------------------------------------

enum { NUMBERS = 13, IDS = 7 }; // of a contact, in the two arrays

// things are numbered as in a recording
static double thing(const LitheModel *model, const LitheContactSide *side) {
    return lithe_thing_number(model, side->thing);
}

// point 3, normal 3, force 3, gap, slip, friction, stiffness
static void put_contact(const LitheModel *model, const LitheContactForce *c, double *numbers,
                        double *ids) {
    const LitheContact *contact = &c->contact;
    const double values[NUMBERS] = {contact->point.x,  contact->point.y,  contact->point.z,
                                    contact->normal.x, contact->normal.y, contact->normal.z,
                                    c->force.x,        c->force.y,        c->force.z,
                                    contact->gap,      c->slip,           contact->friction,
                                    contact->stiffness};
    memcpy(numbers, values, sizeof values);
    const double whole[IDS] = {thing(model, &contact->a),
                               thing(model, &contact->b),
                               contact->a.part,
                               contact->b.part,
                               contact->a.s,
                               contact->b.s,
                               c->normal};
    memcpy(ids, whole, sizeof whole);
}

// Contacts within a margin of the present state; NULL with an exception.
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
                          double *numbers, double *ids) {
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce c = {0};
        if (found)
            c.contact = lithe_contact_data(found)[i];
        else
            c = lithe_work_contact(self->work, i);
        put_contact(self->model, &c, numbers + NUMBERS * (size_t)i, ids + IDS * (size_t)i);
    }
}

PyObject *lithe_py_contacts(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    double margin;
    PyObject *numbers, *ids;
    if (!PyArg_ParseTuple(arguments, "dOO", &margin, &numbers, &ids) || !lithe_py_free(self))
        return NULL;
    LitheContacts *found = margin < 0 ? NULL : search(self, margin);
    if (margin >= 0 && !found)
        return NULL;
    int32_t count = found           ? lithe_contact_count(found)
                    : self->stepped ? lithe_work_contact_count(self->work)
                                    : 0;
    Py_buffer n, i;
    if (lithe_py_take_out(numbers, NUMBERS * (Py_ssize_t)count, &n)) {
        if (lithe_py_take_out(ids, IDS * (Py_ssize_t)count, &i)) {
            fill_contacts(self, found, count, n.buf, i.buf);
            PyBuffer_Release(&i);
        }
        PyBuffer_Release(&n);
    }
    lithe_contacts_destroy(found);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

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
                         (int)thing(self->model, &cast.what));
}
