// SPDX-License-Identifier: Apache-2.0
// python/src/simulation.c - a simulation: model, state and work; steps release the interpreter

#include "core.h"

#include "advance/load_step.h"
#include "advance/monitor.h"
#include "base/clock.h"
#include "data/state.h"
#include "run/session.h"
#include "scene/scene.h"

#include <string.h>

// interval of checks for signals during steps: short for Ctrl-C, negligible for steps
#define SIGNAL_SECONDS 0.05

bool lithe_py_free(const LithePySimulation *self) {
    if (self->busy)
        PyErr_SetString(PyExc_RuntimeError, "another thread is stepping this simulation");
    return !self->busy;
}

bool lithe_py_in(int index, int32_t count, const char *what) {
    if (index >= 0 && index < count)
        return true;
    PyErr_Format(PyExc_IndexError, "%s %d of %d", what, index, (int)count);
    return false;
}

// --- signals within a step -----------------------------------------------------------------------

// Within long work: Ctrl-C requests its end, and its exception is set.
static void check_signals(void *user) {
    LithePySimulation *self = user;
    PyGILState_STATE held = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        self->stop = true;
    PyGILState_Release(held);
}

PyObject *lithe_py_raise_stopped(LithePySimulation *self, LitheStatus status,
                                 const LitheError *error) {
    self->stop = false; // this call has ended: a stop that came before it counts
    return PyErr_Occurred() ? NULL : lithe_py_raise(status, error);
}

// --- create and destroy --------------------------------------------------------------------------

static LitheStatus begin(LithePySimulation *self, const LitheScene *scene, int threads,
                         LitheError *error) {
    LitheStatus status = lithe_compile(scene, &self->model, &self->state, error);
    if (status != LITHE_OK)
        return status;
    lithe_totals_set_scheme(self->model, &self->totals);
    self->work = lithe_work_create(self->model, threads);
    if (!self->work) {
        *error = (LitheError){.text = "out of memory: the work space of the solver"};
        return LITHE_NO_MEMORY;
    }
    self->work->meter.stop = &self->stop;
    self->work->meter.beat = check_signals;
    self->work->meter.beat_user = self;
    if (scene->time.start == LITHE_START_EQUILIBRIUM)
        status =
            lithe_start_equilibrium(self->model, self->state, self->work, &self->report, error);
    if (status == LITHE_OK) {
        lithe_monitor_begin(self->model, self->state, &self->totals.monitor);
        lithe_monitor_equilibrium(self->model, self->state, &self->report, &self->totals.monitor);
    }
    return status;
}

static PyObject *simulation_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"scene", "threads", NULL};
    PyObject *scene;
    int threads = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|i", names, &scene, &threads))
        return NULL;
    PyObject *module = PyType_GetModule(type);
    if (!module || !lithe_py_scene(module, scene))
        return NULL;
    if (threads < 1 || threads > 1024)
        return PyErr_Format(PyExc_ValueError, "threads is %d, must be from 1 to 1024", threads);
    PyObject *array = PyObject_GetAttrString(module, "Array");
    PyObject *recording = array ? PyObject_GetAttrString(module, "Recording") : NULL;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    LithePySimulation *self = recording ? (LithePySimulation *)make(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(array);
        Py_XDECREF(recording);
        return NULL;
    }
    Py_INCREF(scene);
    self->scene = scene;
    self->array = (PyTypeObject *)array;
    self->recording = (PyTypeObject *)recording;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = begin(self, ((LithePyScene *)scene)->scene, threads, &error);
    Py_END_ALLOW_THREADS
    if (status == LITHE_OK)
        return lithe_py_done((PyObject *)self);
    lithe_py_raise_stopped(self, status, &error);
    Py_DECREF(self);
    return NULL;
}

static void simulation_dealloc(PyObject *object) {
    LithePySimulation *self = (LithePySimulation *)object;
    PyTypeObject *type = Py_TYPE(object);
    lithe_py_view_close(self->view);
    lithe_recorder_destroy(self->recorder);
    lithe_work_destroy(self->work);
    lithe_state_destroy(self->state);
    lithe_model_destroy(self->model);
    Py_XDECREF(self->scene);
    Py_XDECREF((PyObject *)self->array);
    Py_XDECREF((PyObject *)self->recording);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// --- steps ---------------------------------------------------------------------------------------

// a time less than this fraction of a step ahead counts as reached: far above the rounding of k h,
// far below intended differences
#define REACHED 1e-6

typedef struct Goal {
    long long left; // steps, at most
    double until;   // time that counts as reached [s]
} Goal;

static bool is_done(const LithePySimulation *self, const Goal *goal) {
    return goal->left <= 0 || lithe_state_time(self->state) >= goal->until;
}

// Steps until the goal is reached, a step fails, a stop is requested, or signals have to be
// checked.
static LitheStatus some_steps(LithePySimulation *self, Goal *goal, LitheError *error) {
    double due = lithe_clock() + SIGNAL_SECONDS;
    bool changed = true; // arrays of the state can be written between calls
    while (!is_done(self, goal) && !self->stop) {
        // the page may also have reset the run to the start
        if (self->view && (!lithe_py_view_between_steps(self->view) || is_done(self, goal)))
            break;
        if (changed || self->view)
            lithe_monitor_accept(self->model, self->state, &self->totals.monitor);
        changed = false;
        LitheStatus status = lithe_step(self->model, self->state, self->work, &self->report, error);
        if (status != LITHE_OK)
            return status;
        self->stepped = true;
        lithe_totals_add_step(&self->totals, &self->report);
        if (self->recorder)
            lithe_recorder_add_step(self->recorder, &self->report);
        goal->left--;
        status = lithe_monitor_step(self->model, self->state, self->work, &self->report,
                                    &self->totals.monitor, error);
        if (status != LITHE_OK)
            return status;
        if (lithe_clock() >= due)
            break;
    }
    return LITHE_OK;
}

static PyObject *simulation_advance(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = (LithePySimulation *)object;
    Goal goal;
    if (!PyArg_ParseTuple(arguments, "Ld", &goal.left, &goal.until) || !lithe_py_free(self))
        return NULL;
    goal.until -= REACHED * ((LithePyScene *)self->scene)->scene->time.step;
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    bool signalled = false;
    self->busy = true;
    while (!is_done(self, &goal) && status == LITHE_OK && !signalled && !self->stop) {
        Py_BEGIN_ALLOW_THREADS
        status = some_steps(self, &goal, &error);
        Py_END_ALLOW_THREADS
        signalled = PyErr_Occurred() || PyErr_CheckSignals() != 0;
    }
    self->busy = false;
    self->stop = false; // this call has ended: a stop that came before it counts
    if (signalled)
        return NULL;
    if (status == LITHE_OK && !is_done(self, &goal)) {
        status = LITHE_INTERRUPTED;
        PyOS_snprintf(error.text, sizeof error.text, "stopped at %g s",
                      lithe_state_time(self->state));
    }
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_RETURN_NONE;
}

static PyObject *simulation_stop(PyObject *object, PyObject *none) {
    (void)none;
    ((LithePySimulation *)object)->stop = true;
    Py_RETURN_NONE;
}

// --- the state -----------------------------------------------------------------------------------

static PyObject *simulation_state(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = (LithePySimulation *)object;
    if (!lithe_py_free(self))
        return NULL;
    return PyBytes_FromStringAndSize((const char *)lithe_state_data(self->state),
                                     (Py_ssize_t)lithe_state_size(self->state) *
                                         (Py_ssize_t)sizeof(double));
}

static PyObject *simulation_set_state(PyObject *object, PyObject *args) {
    LithePySimulation *self = (LithePySimulation *)object;
    const char *data;
    Py_ssize_t size;
    int layout;
    if (!PyArg_ParseTuple(args, "y#i", &data, &size, &layout) || !lithe_py_free(self))
        return NULL;
    Py_ssize_t count = size / (Py_ssize_t)sizeof(double);
    double *numbers = PyMem_Malloc((size_t)size + 1); // aligned, unlike bytes
    if (!numbers)
        return PyErr_NoMemory();
    memcpy(numbers, data, (size_t)size);
    bool fits = size % (Py_ssize_t)sizeof(double) == 0 &&
                lithe_state_set_layout(self->model, layout, numbers, count, self->state);
    PyMem_Free(numbers);
    if (!fits)
        return PyErr_Format(PyExc_ValueError,
                            "a state of another scene or version: it has %zd bytes in layout %d; "
                            "this has %zd in layout %d",
                            size, layout,
                            (Py_ssize_t)lithe_state_size(self->state) * (Py_ssize_t)sizeof(double),
                            (int)LITHE_STATE_LAYOUT);
    self->stepped = false;
    lithe_monitor_begin(self->model, self->state, &self->totals.monitor);
    Py_RETURN_NONE;
}

static PyObject *simulation_hash(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = (LithePySimulation *)object;
    return lithe_py_free(self) ? PyLong_FromUnsignedLongLong(lithe_state_hash(self->state)) : NULL;
}

static PyObject *simulation_time(PyObject *object, void *none) {
    (void)none;
    return PyFloat_FromDouble(lithe_state_time(((LithePySimulation *)object)->state));
}

static PyObject *simulation_load_time(PyObject *object, void *none) {
    (void)none;
    return PyFloat_FromDouble(lithe_state_load_time(((LithePySimulation *)object)->state));
}

static PyObject *simulation_velocities(PyObject *object, void *none) {
    (void)none;
    return PyLong_FromLongLong(lithe_model_velocity_count(((LithePySimulation *)object)->model));
}

static PyObject *simulation_steps(PyObject *object, void *none) {
    (void)none;
    return PyLong_FromLongLong(lithe_state_step(((LithePySimulation *)object)->state));
}

static PyObject *simulation_dofs(PyObject *object, void *none) {
    (void)none;
    return PyLong_FromLongLong(lithe_model_dof_count(((LithePySimulation *)object)->model));
}

// --- recording -----------------------------------------------------------------------------------

static PyObject *simulation_record(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = (LithePySimulation *)object;
    const char *out;
    if (!PyArg_ParseTuple(arguments, "s", &out) || !lithe_py_free(self))
        return NULL;
    if (self->recorder)
        return PyErr_Format(PyExc_RuntimeError, "a recording is already active");
    LitheError error = {0};
    LitheStatus status = lithe_recorder_create(((LithePyScene *)self->scene)->scene, self->model,
                                               self->state, out, &self->recorder, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

static PyObject *simulation_take_frame(PyObject *object, PyObject *none) {
    (void)none;
    LithePySimulation *self = (LithePySimulation *)object;
    if (!lithe_py_free(self) || !self->recorder)
        return self->recorder ? NULL : PyErr_Format(PyExc_RuntimeError, "nothing is recorded");
    LitheError error = {0};
    LitheStatus status =
        lithe_recorder_add_frame(self->recorder, self->state, self->stepped ? self->work : NULL,
                                 self->stepped ? &self->report : NULL, &error);
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

static PyObject *simulation_finish(PyObject *object, PyObject *arguments) {
    LithePySimulation *self = (LithePySimulation *)object;
    const char *reason;
    if (!PyArg_ParseTuple(arguments, "z", &reason) || !lithe_py_free(self))
        return NULL;
    if (!self->recorder)
        return PyErr_Format(PyExc_RuntimeError, "nothing is recorded");
    LitheError error = {0};
    LitheStatus status = lithe_recorder_finish(self->recorder, reason, &error);
    lithe_recorder_destroy(self->recorder);
    self->recorder = NULL;
    if (status != LITHE_OK)
        return lithe_py_raise(status, &error);
    Py_INCREF(Py_None);
    return lithe_py_done(Py_None);
}

// --- the type ------------------------------------------------------------------------------------

#define NONE METH_NOARGS
#define SOME METH_VARARGS
static PyMethodDef simulation_methods[] = {
    {"advance", simulation_advance, SOME,
     "advance(n, until)\n--\n\nMakes steps, at most n, until a time is reached."},
    {"stop", simulation_stop, NONE,
     "stop()\n--\n\nEnds advance of another thread early, or the next one."},
    {"equilibrium", lithe_py_equilibrium, NONE, "equilibrium()\n--\n\nMoves to it."},
    {"arc_step", lithe_py_arc_step, SOME,
     "arc_step(length, direction)\n--\n\nAlong a path; keeps the direction."},
    {"modes", lithe_py_modes, SOME, "modes(count, omega, shapes)\n--\n\nFills both."},
    {"linearise", lithe_py_linearise, SOME, "linearise(a, b)\n--\n\nFills both."},
    {"unstable_count", lithe_py_unstable_count, SOME,
     "unstable_count(shift)\n--\n\nNegative pivots."},
    {"state", simulation_state, NONE, "state()\n--\n\nThe state as bytes."},
    {"set_state", simulation_set_state, METH_VARARGS,
     "set_state(bytes, layout)\n--\n\nRestores it."},
    {"hash", simulation_hash, NONE, "hash()\n--\n\nOf the state."},
    {"record", simulation_record, SOME, "record(out)\n--\n\nBegins a recording."},
    {"take_frame", simulation_take_frame, NONE, "take_frame()\n--\n\nRecords the current state."},
    {"finish", simulation_finish, SOME, "finish(reason)\n--\n\nMakes the recording."},
    {"snapshot", lithe_py_snapshot, NONE, "snapshot()\n--\n\nThe state as a recording."},
    {"names", lithe_py_names, SOME, "names(kind)\n--\n\nOf all things of a kind."},
    {"report", lithe_py_report, NONE, "report()\n--\n\nReport of the last step."},
    {"totals", lithe_py_totals, NONE, "totals()\n--\n\nSums over all steps."},
    {"rod_size", lithe_py_rod_size, SOME, "rod_size(i)\n--\n\nNodes, edges, closed."},
    {"particles_array", lithe_py_particles_array, SOME,
     "particles_array(i, what)\n--\n\nView of position, velocity, force [N, 3], radius or mass "
     "[N]."},
    {"solid_array", lithe_py_solid_array, SOME,
     "solid_array(i, what)\n--\n\nView of position, velocity, force [N, 3] or mass [N]."},
    {"solid_nodes", lithe_py_solid_nodes, SOME,
     "solid_nodes(i, what)\n--\n\nNodes of elements or triangles as bytes, and their width."},
    {"solid_read", lithe_py_solid_read, SOME,
     "solid_read(i, what, out)\n--\n\nFills an array: stress, strain or von Mises stress."},
    {"rod_q", lithe_py_rod_q, SOME, "rod_q(i)\n--\n\nView [N, 4] of positions and twist."},
    {"rod_v", lithe_py_rod_v, SOME, "rod_v(i)\n--\n\nView [N, 4] of velocities."},
    {"rod_force", lithe_py_rod_force, SOME, "rod_force(i)\n--\n\nView [N, 3] of external forces."},
    {"rod_read", lithe_py_rod_read, SOME, "rod_read(i, what, out)\n--\n\nFills an array."},
    {"rod_section", lithe_py_rod_section, SOME, "rod_section(i)\n--\n\nIts numbers."},
    {"body_read", lithe_py_body_read, SOME, "body_read(i, pose, velocity)\n--\n\nFills both."},
    {"body_force", lithe_py_body_force, SOME, "body_force(i)\n--\n\nView [6], or None."},
    {"joint_array", lithe_py_joint_array, SOME, "joint_array(i, what)\n--\n\nA view."},
    {"joint_limits", lithe_py_joint_limits, SOME, "joint_limits(i)\n--\n\nEfforts of limits."},
    {"drive_read", lithe_py_drive_read, SOME, "drive_read(i)\n--\n\nForce, torque, position."},
    {"reaction", lithe_py_reaction, SOME, "reaction(i, kind)\n--\n\nPoint, force, torque."},
    {"cavity_read", lithe_py_cavity_read, SOME, "cavity_read(i)\n--\n\nPressure, volume."},
    {"knot_read", lithe_py_knot_read, SOME,
     "knot_read(i)\n--\n\nDeterminant, signature, crossings, clearance."},
    {"constraint_read", lithe_py_constraint_read, SOME,
     "constraint_read(i)\n--\n\nActive, broken, force, torque, places."},
    {"energy", lithe_py_energy, NONE, "energy()\n--\n\nBy kind [J]."},
    {"momentum", lithe_py_momentum, NONE, "momentum()\n--\n\nMomentum, angular momentum."},
    {"contact_count", lithe_py_contact_count, SOME,
     "contact_count(margin)\n--\n\nOf the last step, or within a margin of now."},
    {"contacts", lithe_py_contacts, SOME, "contacts(margin, numbers, ids)\n--\n\nFills both."},
    {"distance", lithe_py_distance, SOME, "distance(a, b)\n--\n\nBetween two things."},
    {"ray", lithe_py_ray, SOME, "ray(origin, direction, longest)\n--\n\nFirst hit."},
    {"set_drive", lithe_py_set_drive, SOME, "set_drive(i, value, rate, turn)\n--\n\nCommand."},
    {"release_drive", lithe_py_release_drive, SOME, "release_drive(i)\n--\n\nTo the scene."},
    {"drive_command", lithe_py_drive_command, SOME, "drive_command(i)\n--\n\nValue, rate."},
    {"drive_units", lithe_py_drive_units, SOME, "drive_units(i)\n--\n\nOf value and rate."},
    {"joint_units", lithe_py_joint_units, SOME, "joint_units(i)\n--\n\nOf value and rate."},
    {"set_joint", lithe_py_set_joint, SOME, "set_joint(i, position)\n--\n\nAt the start."},
    {"actuator_units", lithe_py_actuator_units, SOME,
     "actuator_units(i)\n--\n\nOf value and rate."},
    {"set_actuator", lithe_py_set_actuator, SOME, "set_actuator(i, value, rate)\n--\n\nCommand."},
    {"release_actuator", lithe_py_release_actuator, SOME,
     "release_actuator(i)\n--\n\nTo the scene."},
    {"actuator_effort", lithe_py_actuator_effort, SOME,
     "actuator_effort(i)\n--\n\nBefore the gear."},
    {"actuator_command", lithe_py_actuator_command, SOME,
     "actuator_command(i)\n--\n\nValue, rate."},
    {"set_pose_drive", lithe_py_set_pose_drive, SOME,
     "set_pose_drive(i, pose, velocity)\n--\n\nCommand."},
    {"release_pose_drive", lithe_py_release_pose_drive, SOME,
     "release_pose_drive(i)\n--\n\nTo the scene."},
    {"pose_drive_target", lithe_py_pose_drive_target, SOME,
     "pose_drive_target(i)\n--\n\nSeven numbers."},
    {"set_constraint", lithe_py_set_constraint, SOME,
     "set_constraint(i, active)\n--\n\nSwitches it."},
    {"lcp_size", lithe_py_lcp_size, NONE, "lcp_size()\n--\n\nUnknowns of the last problem."},
    {"lcp_problem", lithe_py_lcp_problem, SOME, "lcp_problem(A, b)\n--\n\nThe last problem."},
    {"view", lithe_py_view, SOME,
     "view(assets, address, port, speed, at_once)\n--\n\nServes pages; returns their address."},
    {"unview", lithe_py_unview, NONE, "unview()\n--\n\nCloses the pages."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef simulation_fields[] = {
    {"time", simulation_time, NULL, "Simulated time [s].", NULL},
    {"steps", simulation_steps, NULL, "Number of steps since the start.", NULL},
    {"load_time", simulation_load_time, NULL, "Time whose loads act [s].", NULL},
    {"velocities", simulation_velocities, NULL, "Number of velocities of the state.", NULL},
    {"dofs", simulation_dofs, NULL, "Number of degrees of freedom.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot simulation_slots[] = {
    {Py_tp_new, (void *)simulation_new},
    {Py_tp_dealloc, (void *)simulation_dealloc},
    {Py_tp_methods, simulation_methods},
    {Py_tp_getset, simulation_fields},
    {Py_tp_doc, "Simulation(scene, threads=1)\n--\n\nA compiled scene, its state and its solver."},
    {0, NULL},
};

PyType_Spec lithe_py_simulation_spec = {
    .name = "lithe._core.Simulation",
    .basicsize = sizeof(LithePySimulation),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = simulation_slots,
};
