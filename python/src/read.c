// SPDX-License-Identifier: Apache-2.0
// python/src/read.c - reading a simulation: views of the state, and computed quantities

#include "core.h"

#include "run/session.h"

#include <math.h>
#include <string.h>

static LithePySimulation *of(PyObject *object) {
    return (LithePySimulation *)object;
}

static PyObject *triple(LitheVec3 v) {
    return Py_BuildValue("ddd", v.x, v.y, v.z);
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
    {"strain", lithe_rod_strain, false, 1},       {"stress", lithe_rod_stress, false, 1},
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

// --- particles -----------------------------------------------------------------------------------

// arrays of a set, in the order of the second argument of `particles_array`
enum { POSITION, VELOCITY, FORCE, RADIUS, MASS, ARRAYS };

static double *particles_data(LithePySimulation *self, LitheParticlesId set, int what) {
    switch (what) {
    case POSITION:
        return (double *)lithe_particles_position(self->model, self->state, set);
    case VELOCITY:
        return lithe_particles_velocity_writable(self->model, self->state, set);
    case FORCE:
        return lithe_particles_force_writable(self->model, self->state, set);
    case RADIUS:
        return (double *)lithe_particles_radius(self->model, set);
    default:
        return (double *)lithe_particles_mass(self->model, set);
    }
}

PyObject *lithe_py_particles_array(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, what;
    if (!PyArg_ParseTuple(arguments, "ii", &i, &what) ||
        !lithe_py_in(i, lithe_particles_count(self->model), "particles") ||
        !lithe_py_in(what, ARRAYS, "array of particles"))
        return NULL;
    LitheParticlesId set = {i + 1};
    bool vectors = what < RADIUS, readonly = what != VELOCITY && what != FORCE;
    const Py_ssize_t shape[2] = {lithe_particles_size(self->model, set), 3};
    const Py_ssize_t stride[2] = {vectors ? 3 : 1, 1};
    return lithe_py_array(self->array, object, particles_data(self, set, what), vectors ? 2 : 1,
                          shape, stride, readonly);
}

// --- soft solids ---------------------------------------------------------------------------------

static double *solid_data(LithePySimulation *self, LitheSolidId solid, int what) {
    switch (what) {
    case POSITION:
        return (double *)lithe_solid_position(self->model, self->state, solid);
    case VELOCITY:
        return lithe_solid_velocity_writable(self->model, self->state, solid);
    case FORCE:
        return lithe_solid_force_writable(self->model, self->state, solid);
    default:
        return (double *)lithe_solid_mass(self->model, solid);
    }
}

static bool take_solid(const LithePySimulation *self, int i, LitheSolidId *solid) {
    solid->number = i + 1;
    return lithe_py_in(i, lithe_solid_count(self->model), "solid");
}

PyObject *lithe_py_solid_array(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, what;
    LitheSolidId solid;
    if (!PyArg_ParseTuple(arguments, "ii", &i, &what) || !take_solid(self, i, &solid) ||
        !lithe_py_in(what, FORCE + 2, "array of a solid"))
        return NULL;
    bool vectors = what <= FORCE, readonly = what != VELOCITY && what != FORCE;
    const Py_ssize_t shape[2] = {lithe_solid_node_count(self->model, solid), 3};
    const Py_ssize_t stride[2] = {vectors ? 3 : 1, 1};
    return lithe_py_array(self->array, object, solid_data(self, solid, what), vectors ? 2 : 1,
                          shape, stride, readonly);
}

PyObject *lithe_py_solid_nodes(PyObject *object, PyObject *arguments) {
    const LitheModel *model = of(object)->model;
    int i, what;
    LitheSolidId solid;
    if (!PyArg_ParseTuple(arguments, "ii", &i, &what) || !take_solid(of(object), i, &solid) ||
        !lithe_py_in(what, 2, "list of nodes of a solid"))
        return NULL;
    int32_t width = what ? 3 : lithe_solid_nodes_per_element(model, solid);
    int64_t count =
        what ? lithe_solid_triangle_count(model, solid) : lithe_solid_element_count(model, solid);
    const int32_t *nodes =
        what ? lithe_solid_triangles(model, solid) : lithe_solid_elements(model, solid);
    return Py_BuildValue("y#i", (const char *)nodes,
                         (Py_ssize_t)(count * width * (int64_t)sizeof *nodes), (int)width);
}

PyObject *lithe_py_solid_read(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i, what;
    LitheSolidId solid;
    PyObject *out;
    if (!PyArg_ParseTuple(arguments, "iiO", &i, &what, &out) || !take_solid(self, i, &solid) ||
        !lithe_py_in(what, 4, "quantity of a solid") || !lithe_py_free(self))
        return NULL;
    static void (*const read[])(const LitheModel *, const LitheState *, LitheSolidId, double *) = {
        lithe_solid_stress, lithe_solid_strain, lithe_solid_von_mises, lithe_solid_mesh_error};
    int64_t elements = lithe_solid_element_count(self->model, solid);
    int64_t count = what == 2   ? lithe_solid_node_count(self->model, solid)
                    : what == 3 ? elements
                                : 6 * elements;
    Py_buffer view;
    if (!lithe_py_take_out(out, (Py_ssize_t)count, &view))
        return NULL;
    read[what](self->model, self->state, solid, view.buf);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
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
    // velocities can be set; positions only before the first step
    return lithe_py_array(self->array, object, (double *)data, 1, shape, stride, what != 1);
}

// efforts of limits are part of the scratch memory: copied
PyObject *lithe_py_joint_limits(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_joint_count(self->model), "joint") || !lithe_py_free(self))
        return NULL;
    LitheJointId joint = {i + 1};
    const double *effort = lithe_joint_limit_effort(self->model, self->work, joint);
    int32_t count = lithe_joint_size(self->model, joint).velocities;
    PyObject *list = PyList_New(count);
    for (int32_t k = 0; list && k < count; k++)
        PyList_SetItem(list, k, PyFloat_FromDouble(effort[k])); // takes the reference
    return list;
}

// --- drives, cavities, constraints
// ----------------------------------------------------------------

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

// what a hold (kind 0), a drive (1) or a joint (2) exerts: point, force, torque
PyObject *lithe_py_reaction(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    static const char *const words[] = {"hold", "drive", "joint"};
    int i, kind;
    if (!PyArg_ParseTuple(arguments, "ii", &i, &kind))
        return NULL;
    int32_t count = kind == 0   ? lithe_hold_count(self->model)
                    : kind == 1 ? lithe_drive_count(self->model)
                                : lithe_joint_count(self->model);
    if (!lithe_py_in(i, count, words[kind]) || !lithe_py_free(self))
        return NULL;
    LitheReaction by =
        kind == 0 ? lithe_hold_reaction(self->model, self->work, (LitheHoldId){i + 1})
        : kind == 1
            ? lithe_drive_reaction(self->model, self->work, (LitheDriveId){i + 1})
            : lithe_joint_reaction(self->model, self->state, self->work, (LitheJointId){i + 1});
    return Py_BuildValue("NNN", triple(by.point), triple(by.force), triple(by.torque));
}

PyObject *lithe_py_cavity_read(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_cavity_count(self->model), "cavity") || !lithe_py_free(self))
        return NULL;
    LitheCavityId cavity = {i + 1};
    return Py_BuildValue("dd", lithe_cavity_pressure(self->model, self->state, cavity),
                         lithe_cavity_volume(self->model, self->state, cavity));
}

PyObject *lithe_py_knot_read(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = of(object);
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) ||
        !lithe_py_in(i, lithe_knot_count(self->model), "knot") || !lithe_py_free(self))
        return NULL;
    LitheKnotReading now = {0};
    LitheError error = {0};
    LitheStatus status =
        lithe_knot_read(self->model, self->state, (LitheKnotId){i + 1}, &now, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    return Py_BuildValue("Liid", (long long)now.determinant, now.signature, now.crossings,
                         now.clearance);
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
    const char *worst = r->worst.number > 0 ? lithe_thing_name(of(object)->model, r->worst) : NULL;
    return Py_BuildValue(
        "{s:i,s:i,s:i,s:i,s:d,s:i,s:i,s:i,s:i,s:i,s:O,s:O,s:d,s:d,s:i,s:i,s:d,s:s,s:i,s:d,s:d,s:d,"
        "s:i,s:i,s:i,s:i,s:i,s:d,s:d,s:i,s:i,s:s,s:i,s:i,s:i,s:i,s:d,s:i,s:d,s:d,s:d,s:d,s:i,"
        "s:i,s:i,s:d,s:i,s:i}",
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
        "pose_angle", r->pose_angle, "active", r->active, "stiffened", r->stiffened, "worst",
        worst ? worst : "", "euler", r->euler, "calmed", r->calmed, "energy_gained",
        r->energy_gained, "halted", r->halted, "load_time", r->load_time, "unstable", r->unstable,
        "slip", r->slip, "slip_fraction", r->slip_fraction, "stored", r->stored, "friction_astray",
        r->friction_astray, "inverted", r->inverted, "contacts_dropped", r->contacts_dropped,
        "contacts_returned", r->contacts_returned, "normals_condition", r->normals_condition,
        "fall_backs", r->fall_backs, "weakened", r->weakened);
}

// adds a number to a dictionary; false with an exception
static bool add(PyObject *sums, const char *name, PyObject *value) {
    bool fine = value && PyDict_SetItemString(sums, name, value) == 0;
    Py_XDECREF(value);
    return fine;
}

PyObject *lithe_py_totals(PyObject *object, PyObject *none) {
    (void)none;
    LitheSummary s = {0};
    lithe_session_sums(&of(object)->totals, &s);
    const struct {
        const char *name;
        int64_t number;
    } counts[] = {{"steps", s.steps},
                  {"steps_unconverged", s.steps_unconverged},
                  {"solve_unconverged", s.solve_unconverged},
                  {"friction_unsettled", s.friction_unsettled},
                  {"steps_cut", s.steps_cut},
                  {"steps_rejected", s.steps_rejected},
                  {"contacts_max", s.contacts_max},
                  {"contacts_stiffened", s.contacts_stiffened},
                  {"crossings_avoided", s.crossings_avoided},
                  {"pieces_held", s.pieces_held},
                  {"pieces_softened", s.pieces_softened},
                  {"constraints_broken", s.constraints_broken},
                  {"pairs_unsupported", s.pairs_unsupported},
                  {"hessians_corrected", s.hessians_corrected},
                  {"steps_guarded", s.steps_guarded},
                  {"steps_calmed", s.steps_calmed},
                  {"steps_by_euler", s.steps_by_euler},
                  {"steps_gained", s.steps_gained}};
    const struct {
        const char *name;
        double number;
    } numbers[] = {{"step", s.step},
                   {"step_shortest", s.step_shortest},
                   {"step_longest", s.step_longest},
                   {"newton_mean", s.newton_mean},
                   {"contacts_mean", s.contacts_mean},
                   {"max_penetration", s.max_penetration},
                   {"energy_gain", s.energy_gain}};
    PyObject *sums = PyDict_New();
    bool fine = sums && add(sums, "scheme", PyUnicode_FromString(s.scheme));
    for (size_t i = 0; fine && i < sizeof counts / sizeof counts[0]; i++)
        fine = add(sums, counts[i].name, PyLong_FromLongLong(counts[i].number));
    for (size_t i = 0; fine && i < sizeof numbers / sizeof numbers[0]; i++)
        fine = add(sums, numbers[i].name, PyFloat_FromDouble(numbers[i].number));
    if (!fine)
        Py_CLEAR(sums);
    return sums;
}
