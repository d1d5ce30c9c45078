// SPDX-License-Identifier: Apache-2.0
// plan/reduced.c - equations solved for variables: order, places, memory, choice of the kernels

#include "plan/reduced.h"

#include "base/memory.h"

#include <string.h>

static const LitheReducedKernels *kernels(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return &lithe_reduced_kernels_avx2;
#endif
    return &lithe_reduced_kernels_portable;
}

typedef struct Build {
    const LitheStageProblem *problem;
    const int32_t *link_of;
    LithePattern rows;
    int32_t *place;   // [variables]: among own and other variables, -1: not yet
    int32_t *pair_of; // [variables]: the equation that is solved for it, -1: none
} Build;

// whether all own variables in an equation but the one it is solved for have their places
static bool can_solve(const Build *b, int32_t equation) {
    int32_t n = b->problem->variables;
    bool found = false;
    for (int32_t e = b->rows.start[1 + equation]; e < b->rows.start[2 + equation]; e++) {
        int32_t variable = b->rows.column[e] - n;
        if (variable < 0 || b->pair_of[variable] < 0)
            continue;
        if (b->pair_of[variable] == equation)
            found = true;
        else if (b->place[variable] < 0)
            return false;
    }
    return found;
}

// the order in which the equations are solved; false where there is none
static bool find_order(LitheReduced *r, Build *b) {
    const LitheStageProblem *problem = b->problem;
    int32_t n = problem->variables, wanted = 0;
    for (int32_t i = 0; i < n; i++)
        b->place[i] = b->pair_of[i] = -1;
    for (int32_t e = 0; e < problem->equations; e++)
        if (problem->solved_for[e] >= 0) {
            b->pair_of[problem->solved_for[e]] = e;
            wanted++;
        }
    for (bool more = true; more;) {
        more = false;
        for (int32_t e = 0; e < problem->equations; e++) {
            int32_t variable = problem->solved_for[e];
            if (variable < 0 || b->place[variable] >= 0 || !can_solve(b, e))
                continue;
            r->equation[r->pairs] = e;
            r->variable[r->pairs] = variable;
            b->place[variable] = r->pairs++;
            more = true;
        }
    }
    r->rest = r->pairs;
    for (int32_t i = 0; i < n; i++)
        if (b->place[i] < 0) {
            r->variable[r->rest] = i;
            b->place[i] = r->rest++;
        }
    r->rest -= r->pairs;
    for (int32_t e = 0; e < problem->equations; e++)
        if (problem->solved_for[e] < 0)
            r->equation[r->pairs + r->left++] = e;
    return r->pairs == wanted;
}

// the place of an input of a stage
static int32_t place_of(const LitheReduced *r, const Build *b, int32_t input) {
    int32_t n = b->problem->variables;
    return input >= n ? b->place[input - n] : r->pairs + r->rest + b->link_of[input];
}

// the places of an entry of second derivatives; *too: of the same by the other side, or -1
static int32_t second_place(const LitheReduced *r, int32_t a, int32_t b, int32_t *too) {
    int32_t p = r->pairs, w = r->width, high = a > b ? a : b, low = a > b ? b : a;
    *too = -1;
    if (high < p) {
        if (high != low)
            *too = low * p + high;
        return high * p + low;
    }
    if (low < p)
        return p * p + low * w + high - p;
    return p * p + p * w + (high - p) * w + low - p;
}

static bool take_rows(LitheReduced *r, const Build *b, const int32_t *order, int32_t first,
                      int32_t count, LitheReducedRows *to) {
    to->start = lithe_alloc_array(r->context, (int64_t)count + 1, sizeof *to->start);
    to->entry = lithe_alloc_array(r->context, (int64_t)b->rows.count + 1, sizeof *to->entry);
    to->place = lithe_alloc_array(r->context, (int64_t)b->rows.count + 1, sizeof *to->place);
    if (to->start == NULL || to->entry == NULL || to->place == NULL)
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t row = first + (order != NULL ? order[i] : i);
        to->start[i] = at;
        for (int32_t e = b->rows.start[row]; e < b->rows.start[row + 1]; e++) {
            to->entry[at] = e;
            to->place[at++] = place_of(r, b, b->rows.column[e]);
        }
    }
    to->start[count] = at;
    return true;
}

static bool take_places(LitheReduced *r, const Build *b) {
    const LitheStageProblem *problem = b->problem;
    LithePattern lower = lithe_tape_hessian_pattern(problem->tape);
    int32_t n = problem->variables, links = r->links, unused;
    r->hessian = lower.count;
    r->diagonal = lithe_alloc_array(r->context, n, sizeof(int32_t));
    r->link = lithe_alloc_array(r->context, (int64_t)links + 1, sizeof(int32_t));
    r->second_to = lithe_alloc_array(r->context, (int64_t)lower.count + 1, sizeof(int32_t));
    r->second_too = lithe_alloc_array(r->context, (int64_t)lower.count + 1, sizeof(int32_t));
    r->link_to = lithe_alloc_array(r->context, (int64_t)links * links + 1, sizeof(int32_t));
    r->link_too = lithe_alloc_array(r->context, (int64_t)links * links + 1, sizeof(int32_t));
    if (r->diagonal == NULL || r->link == NULL || r->second_to == NULL || r->second_too == NULL ||
        r->link_to == NULL || r->link_too == NULL ||
        !take_rows(r, b, r->equation, 1, r->pairs + r->left, &r->equations_by) ||
        !take_rows(r, b, NULL, 1 + problem->equations, problem->inequalities, &r->inequalities_by))
        return false;
    for (int32_t i = 0; i < n; i++) {
        r->diagonal[i] = second_place(r, b->place[i], b->place[i], &unused);
        if (b->link_of[i] >= 0)
            r->link[b->link_of[i]] = b->place[i];
    }
    for (int32_t i = 0; i < 2 * n; i++)
        for (int32_t e = lower.start[i]; e < lower.start[i + 1]; e++)
            r->second_to[e] = second_place(r, place_of(r, b, i), place_of(r, b, lower.column[e]),
                                           &r->second_too[e]);
    for (int32_t i = 0; i < links; i++)
        for (int32_t j = 0; j <= i; j++)
            r->link_to[i * links + j] =
                second_place(r, r->link[i], r->link[j], &r->link_too[i * links + j]);
    return true;
}

bool lithe_reduced_open(LitheReduced *r) {
    if (r->pairs == 0)
        return true;
    int64_t p = r->pairs, w = r->width, n = r->block, links = r->links, stages = r->stages;
    struct {
        double **array;
        int64_t count;
    } parts[] = {{&r->own, stages * p * p},
                 {&r->solved, stages * p * w},
                 {&r->turned, stages * p * w},
                 {&r->factor, stages * n * n},
                 {&r->coupling, stages * n * links},
                 {&r->scale, stages * n},
                 {&r->fixed, stages * p},
                 {&r->force, stages * p},
                 {&r->middle, stages * n},
                 {&r->second, p * p + p * w + w * w},
                 {&r->reduced, w * w},
                 {&r->unsolved, r->left * w},
                 {&r->unit, n * links + links},
                 {&r->divided, n * links + n},
                 {&r->column, 2 * n},
                 {&r->cost, links * links},
                 {&r->gradient, w}};
    bool done = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].array = lithe_alloc_array(r->context, parts[i].count + 1, sizeof(double));
        done = done && *parts[i].array != NULL;
    }
    r->order = lithe_alloc_array(r->context, stages * n, sizeof *r->order);
    r->pivot = lithe_alloc_array(r->context, stages * n, sizeof *r->pivot);
    return done && r->order != NULL && r->pivot != NULL;
}

double lithe_reduced_bytes(const LitheReduced *r) {
    double p = r->pairs, w = r->width, n = r->block, links = r->links;
    double own = p * p + 2 * p * w + n * n + n * links + 2 * n + 2 * p;
    return r->pairs == 0 ? 0 : r->stages * (sizeof(double) * own + 5 * n);
}

bool lithe_reduced_begin(LitheReduced *r, LitheContext *context, const LitheStageProblem *problem,
                         int32_t links, const int32_t *link_of) {
    int32_t n = problem->variables, m = problem->equations;
    *r = (LitheReduced){.context = context,
                        .kernels = kernels(),
                        .stages = problem->stages,
                        .variables = n,
                        .equations = m,
                        .inequalities = problem->inequalities,
                        .links = links};
    if (problem->solved_for == NULL)
        return true;
    Build b = {.problem = problem,
               .link_of = link_of,
               .rows = lithe_tape_jacobian_pattern(problem->tape),
               .place = lithe_alloc_array(context, n, sizeof(int32_t)),
               .pair_of = lithe_alloc_array(context, n, sizeof(int32_t))};
    r->jacobian = b.rows.count;
    r->variable = lithe_alloc_array(context, n, sizeof(int32_t));
    r->equation = lithe_alloc_array(context, (int64_t)m + 1, sizeof(int32_t));
    bool done = b.place != NULL && b.pair_of != NULL && r->variable != NULL && r->equation != NULL;
    if (done && find_order(r, &b)) {
        r->width = r->rest + links;
        r->block = r->rest + r->left;
        done = take_places(r, &b);
    } else {
        r->pairs = 0;
    }
    lithe_free(context, b.place);
    lithe_free(context, b.pair_of);
    return done;
}

void lithe_reduced_end(LitheReduced *r) {
    if (r->context == NULL)
        return;
    void *const all[] = {r->variable,
                         r->equation,
                         r->diagonal,
                         r->link,
                         r->equations_by.start,
                         r->equations_by.entry,
                         r->equations_by.place,
                         r->inequalities_by.start,
                         r->inequalities_by.entry,
                         r->inequalities_by.place,
                         r->second_to,
                         r->second_too,
                         r->link_to,
                         r->link_too,
                         r->own,
                         r->solved,
                         r->turned,
                         r->factor,
                         r->coupling,
                         r->scale,
                         r->order,
                         r->pivot,
                         r->fixed,
                         r->force,
                         r->middle,
                         r->second,
                         r->reduced,
                         r->unsolved,
                         r->unit,
                         r->divided,
                         r->column,
                         r->cost,
                         r->gradient};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lithe_free(r->context, all[i]);
    memset(r, 0, sizeof *r);
}

LitheReducedEnd lithe_reduced_factor(LitheReduced *r, const LitheReducedInput *input) {
    return r->kernels->factor(r, input);
}

void lithe_reduced_solve(LitheReduced *r, const double *jacobian, double *x) {
    r->kernels->solve(r, jacobian, x);
}
