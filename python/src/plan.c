// SPDX-License-Identifier: Apache-2.0
// python/src/plan.c - the plan of a scene: its nonlinear problem and its solution

#include "plan_nlp.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/scene_turn.h"

#include <math.h>
#include <stdio.h>

typedef struct Plan {
    LithePyNlp base;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheTurnProblem problem;
} Plan;

static Plan *of(PyObject *object) {
    return (Plan *)object;
}

static PyObject *numbers(const void *data, int64_t count, size_t size) {
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)((size_t)count * size));
}

static LitheStatus begin(Plan *self, LithePyNlp *base, const LitheScene *scene, LitheError *error) {
    LitheContext *context = lithe_py_context();
    LitheStatus status = lithe_scene_check(scene, error);
    if (status == LITHE_OK)
        status = lithe_turn_of_scene(scene, &self->turn, &self->place, error);
    if (status == LITHE_OK && base->terms.user.row_count > 0) {
        const LitheBallTask *model = &self->turn.model;
        status = lithe_user_terms_check(&base->terms.user, lithe_ball_task_contacts_end(model),
                                        model->disk_count, error);
        if (status == LITHE_OK && base->terms.user.stages != self->turn.stages)
            status = lithe_fail(error, LITHE_BAD_INPUT, "data have %d steps, the plan has %d",
                                base->terms.user.stages, self->turn.stages);
        self->turn.model.user = &base->terms.user;
    }
    if (status != LITHE_OK)
        return status;
    int64_t n = self->turn.stages * (int64_t)lithe_ball_task_variables(&self->turn.model);
    base->start = lithe_alloc_array(context, n, sizeof(double));
    if (!base->start)
        return LITHE_NO_MEMORY;
    status = lithe_turn_begin(context, &self->turn, &self->problem, base->start, error);
    if (status != LITHE_OK)
        return status;
    lithe_turn_relax(&self->problem, self->turn.epsilon[self->turn.levels - 1], true);
    lithe_turn_fix_end(&self->problem);
    status = lithe_nlp_begin(context, &self->problem.problem, &base->nlp, error);
    if (status != LITHE_OK)
        lithe_turn_end(&self->problem);
    base->begun = status == LITHE_OK;
    return status;
}

static bool plan_begin(LithePyNlp *base, PyObject *module) {
    const LitheScene *scene = lithe_py_scene(module, base->scene);
    LitheError error = {0};
    LitheStatus status = begin((Plan *)base, base, scene, &error);
    if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    return status == LITHE_OK;
}

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    return lithe_py_nlp_new(type, arguments, keywords, plan_begin);
}

static void plan_dealloc(PyObject *object) {
    if (of(object)->base.begun)
        lithe_turn_end(&of(object)->problem);
    lithe_py_nlp_dealloc(object);
}

// --- the problem ---------------------------------------------------------------------------------

// Names of the disks that touch.
static PyObject *contact_names(const LitheBallTask *model) {
    PyObject *names = PyTuple_New(model->contact_count);
    for (int32_t i = 0; names && i < model->contact_count; i++) {
        PyObject *name = PyUnicode_FromString(model->contact[i].name);
        if (!name || PyTuple_SetItem(names, i, name) != 0) {
            Py_DECREF(names);
            return NULL;
        }
    }
    return names;
}

static PyObject *plan_sizes(PyObject *object, PyObject *none) {
    (void)none;
    const Plan *self = of(object);
    return Py_BuildValue(
        "{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:d,s:N}", "variables", (int)self->base.nlp.variables,
        "constraints", (int)self->base.nlp.constraints, "jacobian",
        (int)self->base.nlp.jacobian_count, "hessian", (int)self->base.nlp.hessian_count, "steps",
        (int)self->turn.stages, "of_step", (int)self->problem.problem.variables, "directions",
        (int)self->turn.model.directions, "step", self->turn.model.step, "contacts",
        contact_names(&self->turn.model));
}

// Names of the disks, and position and rotation (by rows) of the arm's base in the world.
static PyObject *plan_disks(PyObject *object, PyObject *none) {
    (void)none;
    const Plan *self = of(object);
    const LitheBallTask *model = &self->turn.model;
    PyObject *names = PyTuple_New(model->disk_count);
    for (int32_t i = 0; names && i < model->disk_count; i++) {
        PyObject *name = PyUnicode_FromString(model->disks[i].name);
        if (!name || PyTuple_SetItem(names, i, name) != 0) {
            Py_DECREF(names);
            return NULL;
        }
    }
    if (!names)
        return NULL;
    const Pose *base = &self->place.base;
    const Vec3 units[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    double pose[12];
    v3_store(base->at, pose);
    for (int i = 0; i < 3; i++) {
        Vec3 column = q4_rotate(base->rotation, units[i]);
        pose[3 + i] = column.x;
        pose[6 + i] = column.y;
        pose[9 + i] = column.z;
    }
    return Py_BuildValue("NN", names, numbers(pose, 12, sizeof *pose));
}

static PyObject *plan_relax(PyObject *object, PyObject *arguments) {
    double epsilon;
    int dynamic;
    if (!PyArg_ParseTuple(arguments, "dp", &epsilon, &dynamic))
        return NULL;
    lithe_turn_relax(&of(object)->problem, epsilon, dynamic);
    Py_RETURN_NONE;
}

// --- the solution --------------------------------------------------------------------------------

// Ctrl-C ends with the best plan so far.
static bool report(void *user, const LitheTurnLevel *level) {
    (void)level;
    return lithe_py_plan_goes_on(user);
}

static PyObject *level_dict(const LitheTurnLevel *l) {
    return Py_BuildValue("{s:d,s:O,s:O,s:O,s:s,s:i,s:i,s:d,s:d,s:d,s:d,s:d}", "epsilon", l->epsilon,
                         "dynamic", l->dynamic ? Py_True : Py_False, "pressed",
                         l->pressed ? Py_True : Py_False, "exact", l->exact ? Py_True : Py_False,
                         "end", lithe_interior_end_text(l->end), "iterations",
                         (int)l->state.iteration, "factors", (int)l->state.factors, "cost",
                         l->state.cost, "infeasibility", l->state.violation, "error_before",
                         l->error_before, "error", l->error, "seconds", l->seconds);
}

// What a plan that did not converge violates, where and when; "" where it does so by little.
static void violated(const LitheTurn *turn, const LitheTurnResult *r, char *text, size_t size) {
    char row[LITHE_PLAN_ROW_TEXT];
    text[0] = 0;
    if (!lithe_turn_converged(r) && r->worst > 1e-8)
        snprintf(text, size, "; largest violation: %s, by %.3g, in step %d of %d (%.4g s)",
                 lithe_ball_task_row(&turn->model, r->worst_row, row, sizeof row), r->worst,
                 (int)r->worst_stage + 1, (int)turn->stages,
                 (r->worst_stage + 1) * turn->model.step);
}

// Which disk that is not in the plan is inside of the ball, where and when; "" where none is.
static void entered(const LitheTurn *turn, const LitheEntered *e, char *text, size_t size) {
    text[0] = 0;
    if (e->disk != NULL)
        snprintf(text, size,
                 "disk '%.80s', which is not in plan.disk, is %.3g m inside of the ball in step %d "
                 "of %d (%.4g s): the plan cannot be carried out",
                 e->disk, e->depth, (int)e->stage + 1, (int)turn->stages,
                 (e->stage + 1) * turn->model.step);
}

static PyObject *plan_solve(PyObject *object, PyObject *arguments) {
    const Plan *self = of(object);
    LitheTurn turn = self->turn;
    double seconds;
    if (!PyArg_ParseTuple(arguments, "d", &seconds))
        return NULL;
    bool stopped = false;
    turn.seconds = fmin(turn.seconds, seconds > 0 ? seconds : INFINITY);
    turn.report = report;
    turn.user = &stopped;
    LitheContext *context = lithe_py_context();
    double *x = lithe_alloc_array(context, self->base.nlp.variables, sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    LitheTurnResult result;
    LitheError error = {0};
    LitheStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = lithe_turn_solve(context, &turn, x, &result, &error);
    Py_END_ALLOW_THREADS
    PyObject *made = NULL, *levels = NULL;
    if (!lithe_py_plan_returns())
        ; // a handler of a signal raised
    else if (status != LITHE_OK)
        lithe_py_raise(status, &error);
    else
        levels = PyList_New(0);
    for (int32_t i = 0; levels && i < result.level_count; i++) {
        PyObject *row = level_dict(&result.levels[i]);
        if (!row || PyList_Append(levels, row) != 0) {
            Py_DECREF(levels);
            levels = NULL;
        }
        Py_XDECREF(row);
    }
    char text[2 * LITHE_PLAN_ROW_TEXT] = "", inside[2 * LITHE_PLAN_ROW_TEXT] = "";
    if (levels) {
        violated(&turn, &result, text, sizeof text);
        entered(&turn, &result.entered, inside, sizeof inside);
    }
    if (levels)
        made = Py_BuildValue(
            "{s:s,s:s,s:N,s:O,s:N,s:d,s:d,s:d,s:i,s:i}", "violated", text, "entered", inside, "x",
            numbers(x, self->base.nlp.variables, sizeof *x), "converged",
            lithe_turn_converged(&result) ? Py_True : Py_False, "levels", levels, "error",
            result.error, "products", result.products, "residual", result.equations, "touching",
            (int)result.touching, "together", (int)result.together);
    lithe_free(context, x);
    return made;
}

static PyMethodDef plan_methods[] = {
    {"sizes", plan_sizes, METH_NOARGS,
     "sizes()\n--\n\nNumbers of variables, constraints, entries."},
    {"arrays", lithe_py_nlp_arrays, METH_NOARGS,
     "arrays()\n--\n\nStart, bounds and patterns, as bytes."},
    {"disks", plan_disks, METH_NOARGS,
     "disks()\n--\n\nNames of the arm's disks, and the pose of its base, as bytes."},
    {"relax", plan_relax, METH_VARARGS, "relax(epsilon, dynamic)\n--\n\nSets the level."},
    {"evaluate", lithe_py_nlp_evaluate, METH_VARARGS,
     "evaluate(what, x)\n--\n\n(f, bytes) of values, gradient or jacobian."},
    {"hessian", lithe_py_nlp_hessian, METH_VARARGS,
     "hessian(x, factor, multipliers)\n--\n\nEntries of the lower triangle, as bytes."},
    {"solve", plan_solve, METH_VARARGS, "solve(seconds)\n--\n\nThe plan and its report."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, (void *)plan_new},
    {Py_tp_dealloc, (void *)plan_dealloc},
    {Py_tp_methods, plan_methods},
    {Py_tp_doc, "Plan(scene, terms=None)\n--\n\nThe plan of a scene."},
    {0, NULL},
};

PyType_Spec lithe_py_plan_spec = {
    .name = "lithe._core.Plan",
    .basicsize = sizeof(Plan),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = plan_slots,
};
