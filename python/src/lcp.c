// SPDX-License-Identifier: Apache-2.0
// python/src/lcp.c - complementarity problems: that of the last step, and solving one

#include "core.h"

#include "data/model.h"
#include "data/work.h"
#include "solve/lcp_rows.h"

#include <string.h>

// The problem of the last island that the last step solved; n is 0 where there was none.
static const LitheLcpContactWork *problem_of(const LithePySimulation *self) {
    static const LitheLcpContactWork none;
    const LitheLcpScratch *scratch = self->work->contact_scratch;
    bool posed = self->stepped && self->model->contact.model == LITHE_CONTACT_LCP && scratch &&
                 self->report.passes > 0 && scratch->contact_count > 0;
    return posed ? &scratch->lcp : &none;
}

PyObject *lithe_py_lcp_size(PyObject *object, PyObject *none) {
    (void)none;
    const LithePySimulation *self = (LithePySimulation *)object;
    return lithe_py_free(self) ? PyLong_FromLong(problem_of(self)->n) : NULL;
}

// problem(A, b): fills [n, n] and [n]
PyObject *lithe_py_lcp_problem(PyObject *object, PyObject *arguments) {
    const LithePySimulation *self = (LithePySimulation *)object;
    PyObject *matrix, *vector;
    Py_buffer A, b;
    if (!PyArg_ParseTuple(arguments, "OO", &matrix, &vector) || !lithe_py_free(self))
        return NULL;
    const LitheLcpContactWork *from = problem_of(self);
    Py_ssize_t n = from->n;
    if (!lithe_py_take_out(matrix, n * n, &A))
        return NULL;
    if (lithe_py_take_out(vector, n, &b)) {
        if (n > 0) {
            memcpy(A.buf, from->A, sizeof(double) * (size_t)(n * n));
            memcpy(b.buf, from->b, sizeof(double) * (size_t)n);
        }
        PyBuffer_Release(&b);
    }
    PyBuffer_Release(&A);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *solve(const LitheLcp *problem, const LitheLcpSetting *setting, double *z) {
    static const char *const outcomes[] = {[LITHE_LCP_SOLVED] = "solved",
                                           [LITHE_LCP_UNCONVERGED] = "unconverged",
                                           [LITHE_LCP_RAY] = "ray"};
    LitheLcpWork work = {.context = lithe_py_context()};
    LitheLcpReport report;
    bool fine = lithe_lcp_solve(problem, NULL, 0, setting, &work, z, &report);
    lithe_lcp_work_end(&work);
    if (!fine)
        return PyErr_NoMemory();
    return Py_BuildValue("sidO", outcomes[report.outcome], report.iterations, report.residual,
                         report.fell_back ? Py_True : Py_False);
}

PyObject *lithe_py_lcp_solve(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *matrix, *vector, *start;
    int n, lemke, fall_back;
    if (!PyArg_ParseTuple(arguments, "iOOOpp", &n, &matrix, &vector, &start, &lemke, &fall_back))
        return NULL;
    Py_buffer A, b, z;
    PyObject *result = NULL;
    if (!lithe_py_take_out(matrix, (Py_ssize_t)n * n, &A))
        return NULL;
    if (lithe_py_take_out(vector, n, &b)) {
        if (lithe_py_take_out(start, n, &z)) {
            LitheLcpSetting setting = lithe_lcp_setting();
            setting.method = lemke ? LITHE_LCP_LEMKE : LITHE_LCP_NEWTON;
            setting.fall_back = fall_back;
            LitheLcp problem = {n, A.buf, b.buf, NULL};
            result = solve(&problem, &setting, z.buf);
            PyBuffer_Release(&z);
        }
        PyBuffer_Release(&b);
    }
    PyBuffer_Release(&A);
    return result;
}
