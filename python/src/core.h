// SPDX-License-Identifier: Apache-2.0
// python/src/core.h - interface between the files of the extension module lithe._core

#ifndef LITHE_PYTHON_CORE_H
#define LITHE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <signal.h>

#include "lithe/lithe.h"

#include "record/journal.h"
#include "record/recording.h"

/// The one context of the module: memory and log of all scenes and simulations.
LitheContext *lithe_py_context(void);

/// Raises the exception of the status with the message, line and column. Always NULL.
PyObject *lithe_py_raise(LitheStatus status, const LitheError *error);

/// The result, or NULL if a warning was turned into an exception meanwhile. Methods that call
/// functions of the library that log return this.
PyObject *lithe_py_done(PyObject *result);

/// Creates a type of the module and adds it under its name; NULL with an exception.
PyTypeObject *lithe_py_add_type(PyObject *module, PyType_Spec *spec);

// --- texts (texts.c) -----------------------------------------------------------------------------

/// The texts of a list, which must outlive them; free the array. NULL with an exception.
const char **lithe_py_texts(PyObject *list, int32_t *count);

/// suggest(wrong, known): the similar one of a list of names, or None.
PyObject *lithe_py_suggest(PyObject *module, PyObject *arguments);

/// plan_hand(scene, seconds, terms): the plan of a hand and its report (plan_hand.c).
PyObject *lithe_py_plan_hand(PyObject *module, PyObject *arguments);
/// hand_steps(scene): number and length of its steps.
PyObject *lithe_py_hand_steps(PyObject *module, PyObject *object);

/// library(): name, kind, about and values of each entry (library.c).
PyObject *lithe_py_library(PyObject *module, PyObject *none);

/// lcp_solve(n, A, b, z, lemke, fall_back): outcome, iterations, residual, fell back (lcp.c).
PyObject *lithe_py_lcp_solve(PyObject *module, PyObject *arguments);

/// quantity(text, unit, what): a number in that SI unit, from a text with a unit.
PyObject *lithe_py_quantity(PyObject *module, PyObject *arguments);

/// {section: [keys]} of the scene format; "" is the top level. NULL with an exception.
PyObject *lithe_py_scene_keys(void);

// --- scenes (scene.c) ----------------------------------------------------------------------------

typedef struct LithePyScene {
    PyObject_HEAD
    LitheScene *scene;
} LithePyScene;

extern PyType_Spec lithe_py_scene_spec;

/// The scene of an object of that type; NULL with an exception.
const LitheScene *lithe_py_scene(PyObject *module, PyObject *object);

// --- plans (plan.c, plan_hand_nlp.c) -------------------------------------------------------------

extern PyType_Spec lithe_py_plan_spec;
extern PyType_Spec lithe_py_hand_spec;

// --- recordings (recording.c, export.c) ----------------------------------------------------------

typedef struct LithePyRecording {
    PyObject_HEAD
    LitheRecording *recording;
} LithePyRecording;

extern PyType_Spec lithe_py_recording_spec;

/// An object that owns the recording; NULL with an exception.
PyObject *lithe_py_wrap_recording(PyTypeObject *type, LitheRecording *recording);

// --- pages of the viewer (view.c) ----------------------------------------------------------------

typedef struct LithePyView LithePyView;

/// Call before a step, without holding the interpreter lock: shows the state and waits as pages
/// request.
/// False: a signal arrived (its exception is set) or another thread requests a stop.
bool lithe_py_view_between_steps(LithePyView *view);

/// Closes the pages. Accepts NULL.
void lithe_py_view_close(LithePyView *view);

// --- simulations (simulation.c, read.c, control.c) -----------------------------------------------

typedef struct LithePySimulation {
    PyObject_HEAD
    PyObject *scene; // LithePyScene
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheReport report;         // of the last step
    LitheTotals totals;         // of all steps; the monitor begins again where a state is set
    bool stepped;               // work and report are of the step that led to the state
    bool busy;                  // a thread is in a call that has released the interpreter
    volatile sig_atomic_t stop; // requests an early end of that call or the next
    LitheRecorder *recorder;    // or NULL
    LithePyView *view;          // pages of the viewer, or NULL
    PyTypeObject *array;        // the type of arrays
    PyTypeObject *recording;    // the type of recordings
} LithePySimulation;

extern PyType_Spec lithe_py_simulation_spec;

/// Whether the simulation may be used; raises when another thread is stepping it.
bool lithe_py_free(const LithePySimulation *self);

/// Raises what ended a call early: the exception of a handler of signals, or that of `error`.
PyObject *lithe_py_raise_stopped(LithePySimulation *self, LitheStatus status,
                                 const LitheError *error);

/// Whether an index lies from 0 to count - 1; raises otherwise.
bool lithe_py_in(int index, int32_t count, const char *what);

/// A method of a simulation: its arguments as a tuple, or none.
typedef PyObject *LithePyMethod(PyObject *self, PyObject *arguments);

/// Names (names.c), contacts (contacts.c) and other reading (read.c).
LithePyMethod lithe_py_names, lithe_py_rod_size, lithe_py_rod_q, lithe_py_rod_v, lithe_py_rod_read,
    lithe_py_rod_section, lithe_py_particles_array, lithe_py_solid_array, lithe_py_solid_nodes,
    lithe_py_solid_read, lithe_py_body_read, lithe_py_joint_array, lithe_py_joint_limits,
    lithe_py_drive_read, lithe_py_reaction, lithe_py_cavity_read, lithe_py_knot_read,
    lithe_py_constraint_read, lithe_py_energy, lithe_py_momentum, lithe_py_contact_count,
    lithe_py_contacts, lithe_py_report, lithe_py_totals, lithe_py_distance, lithe_py_ray;

/// [(name, type, count)] of a row of contacts, as NumPy has it; NULL with an exception.
PyObject *lithe_py_contact_fields(void);

/// The complementarity problem of the last step (lcp.c).
LithePyMethod lithe_py_lcp_size, lithe_py_lcp_problem;

/// Statics (statics.c).
LithePyMethod lithe_py_equilibrium, lithe_py_arc_step, lithe_py_modes, lithe_py_unstable_count;
LithePyMethod lithe_py_linearise;

/// Control (control.c).
LithePyMethod lithe_py_set_drive, lithe_py_release_drive, lithe_py_drive_command,
    lithe_py_set_actuator, lithe_py_release_actuator, lithe_py_actuator_command,
    lithe_py_actuator_effort, lithe_py_set_pose_drive, lithe_py_release_pose_drive,
    lithe_py_pose_drive_target, lithe_py_set_constraint, lithe_py_set_joint, lithe_py_rod_force,
    lithe_py_body_force;

/// The viewer (view.c).
LithePyMethod lithe_py_view, lithe_py_unview;

/// Units of drives, joints and actuators: of the value and of its rate (units.c).
LithePyMethod lithe_py_drive_units, lithe_py_joint_units, lithe_py_actuator_units;

/// The current state as a recording of one frame (export.c).
LithePyMethod lithe_py_snapshot;

/// Methods of recordings (export.c).
LithePyMethod lithe_py_recording_image, lithe_py_recording_picture, lithe_py_recording_video,
    lithe_py_recording_html, lithe_py_recording_csv, lithe_py_recording_vtk, lithe_py_recording_glb;

// --- views of the state (array.c) ----------------------------------------------------------------

extern PyType_Spec lithe_py_array_spec;

/// Doubles at `data`, which lives as long as `owner`; strides in doubles. NULL with an exception.
PyObject *lithe_py_array(PyTypeObject *type, PyObject *owner, double *data, int ndim,
                         const Py_ssize_t shape[2], const Py_ssize_t stride[2], bool readonly);

/// Takes a writable C-contiguous buffer of exactly `count` doubles; false with an exception.
bool lithe_py_take_out(PyObject *object, Py_ssize_t count, Py_buffer *view);

/// The same for `count` rows of `size` bytes.
bool lithe_py_take_rows(PyObject *object, Py_ssize_t count, size_t size, Py_buffer *view);

#endif
