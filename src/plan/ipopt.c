// SPDX-License-Identifier: Apache-2.0
// plan/ipopt.c - IPOPT's C interface, loaded at run time

#include "plan/ipopt.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// the functions of its C interface that are used
typedef int Truth;
typedef Truth Values(int n, double *x, Truth new_x, double *value, void *user);
typedef Truth Constraints(int n, double *x, Truth new_x, int m, double *g, void *user);
typedef Truth Jacobian(int n, double *x, Truth new_x, int m, int count, int *row, int *column,
                       double *values, void *user);
typedef Truth Hessian(int n, double *x, Truth new_x, double factor, int m, double *multipliers,
                      Truth new_multipliers, int count, int *row, int *column, double *values,
                      void *user);
typedef Truth Each(int mode, int iteration, double cost, double primal, double dual, double mu,
                   double norm, double regular, double alpha_dual, double alpha_primal, int trials,
                   void *user);

typedef struct Library {
    void *(*create)(int n, double *lower, double *upper, int m, double *low, double *high,
                    int jacobian, int hessian, int index_style, Values *f, Constraints *g,
                    Values *gradient, Jacobian *jac, Hessian *hess);
    void (*release)(void *problem);
    Truth (*text)(void *problem, char *key, char *value);
    Truth (*number)(void *problem, char *key, double value);
    Truth (*integer)(void *problem, char *key, int value);
    Truth (*each)(void *problem, Each *each);
    int (*solve)(void *problem, double *x, double *g, double *cost, double *mult_g, double *mult_l,
                 double *mult_u, void *user);
} Library;

// data pointers of dlsym as functions, by way of memory
static bool find(void *handle, const char *name, void *to) {
    void *at = dlsym(handle, name);
    memcpy(to, &at, sizeof at);
    return at != NULL;
}

static bool load(Library *library, const char **reason) {
    static const char *const names[] = {"libipopt.so.3", "libipopt.so.1", "libipopt.so"};
    void *handle = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && handle == NULL; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        *reason = "no library libipopt (Debian: coinor-libipopt1v5)";
        return false;
    }
    *reason = "the library libipopt has no C interface";
    return find(handle, "CreateIpoptProblem", &library->create) &&
           find(handle, "FreeIpoptProblem", &library->release) &&
           find(handle, "AddIpoptStrOption", &library->text) &&
           find(handle, "AddIpoptNumOption", &library->number) &&
           find(handle, "AddIpoptIntOption", &library->integer) &&
           find(handle, "SetIntermediateCallback", &library->each) &&
           find(handle, "IpoptSolve", &library->solve);
}

bool lithe_ipopt_found(const char **reason) {
    Library library;
    return load(&library, reason);
}

typedef struct Run {
    LitheNlp *nlp;
    const LitheIpoptSetting *setting;
    int32_t iterations;
    // cost, constraints and first derivatives of the last point: it needs them one by one
    double *g, *jacobian, cost;
    bool has_values, has_slopes;
} Run;

static Run *run_at(void *user, Truth new_x) {
    Run *run = user;
    if (new_x)
        run->has_values = run->has_slopes = false;
    return run;
}

static void find_values(Run *run, const double *x) {
    if (!run->has_values)
        run->cost = lithe_nlp_values(run->nlp, x, run->g);
    run->has_values = true;
}

static Truth values(int n, double *x, Truth new_x, double *value, void *user) {
    (void)n;
    Run *run = run_at(user, new_x);
    find_values(run, x);
    *value = run->cost;
    return isfinite(*value);
}

static Truth gradient(int n, double *x, Truth new_x, double *value, void *user) {
    (void)n;
    Run *run = run_at(user, new_x);
    lithe_nlp_slopes(run->nlp, x, value, run->jacobian);
    run->has_slopes = true;
    return 1;
}

static Truth constraints(int n, double *x, Truth new_x, int m, double *g, void *user) {
    (void)n;
    Run *run = run_at(user, new_x);
    find_values(run, x);
    memcpy(g, run->g, (size_t)m * sizeof *g);
    return 1;
}

static Truth jacobian(int n, double *x, Truth new_x, int m, int count, int *row, int *column,
                      double *entries, void *user) {
    (void)n, (void)m;
    Run *run = run_at(user, new_x);
    LitheNlp *nlp = run->nlp;
    if (entries != NULL) {
        if (!run->has_slopes)
            lithe_nlp_jacobian(nlp, x, run->jacobian);
        run->has_slopes = true;
        memcpy(entries, run->jacobian, (size_t)count * sizeof *entries);
        return 1;
    }
    memcpy(row, nlp->jacobian_row, (size_t)count * sizeof *row);
    memcpy(column, nlp->jacobian_column, (size_t)count * sizeof *column);
    return 1;
}

static Truth hessian(int n, double *x, Truth new_x, double factor, int m, double *multipliers,
                     Truth new_multipliers, int count, int *row, int *column, double *entries,
                     void *user) {
    (void)n, (void)m, (void)new_multipliers;
    LitheNlp *nlp = run_at(user, new_x)->nlp;
    if (entries != NULL) {
        lithe_nlp_hessian(nlp, x, factor, multipliers, entries);
        return 1;
    }
    memcpy(row, nlp->hessian_row, (size_t)count * sizeof *row);
    memcpy(column, nlp->hessian_column, (size_t)count * sizeof *column);
    return 1;
}

static Truth each(int mode, int iteration, double cost, double primal, double dual, double mu,
                  double norm, double regular, double alpha_dual, double alpha_primal, int trials,
                  void *user) {
    (void)mode, (void)dual, (void)mu, (void)norm;
    (void)regular, (void)alpha_dual, (void)alpha_primal, (void)trials;
    Run *run = user;
    run->iterations = iteration;
    LitheIpoptState state = {iteration, cost, primal};
    return run->setting->report == NULL || run->setting->report(run->setting->user, &state);
}

static void set_text(const Library *library, void *problem, const char *key, const char *value) {
    char own_key[64], own_value[1024];
    snprintf(own_key, sizeof own_key, "%s", key);
    snprintf(own_value, sizeof own_value, "%s", value);
    library->text(problem, own_key, own_value);
}

static void set_number(const Library *library, void *problem, const char *key, double value) {
    char own_key[64];
    snprintf(own_key, sizeof own_key, "%s", key);
    library->number(problem, own_key, value);
}

static void set_integer(const Library *library, void *problem, const char *key, int value) {
    char own_key[64];
    snprintf(own_key, sizeof own_key, "%s", key);
    library->integer(problem, own_key, value);
}

static void set_options(const Library *library, void *problem, const LitheIpoptSetting *setting) {
    set_integer(library, problem, "print_level", 0);
    set_text(library, problem, "sb", "yes");
    set_integer(library, problem, "max_iter", setting->iterations);
    set_number(library, problem, "tol", setting->tolerance);
    set_number(library, problem, "constr_viol_tol",
               setting->violation > 0 ? setting->violation : 1e-9);
    set_number(library, problem, "bound_relax_factor", 1e-9);
    set_number(library, problem, "mu_init", setting->barrier);
    if (setting->last > 0)
        set_number(library, problem, "mu_target", setting->last);
    if (setting->seconds < INFINITY)
        set_number(library, problem, "max_cpu_time", fmax(1e-3, setting->seconds));
    if (setting->warm) {
        set_text(library, problem, "warm_start_init_point", "yes");
        set_text(library, problem, "nlp_scaling_method",
                 "none"); // barriers are those of the own method
        set_number(library, problem, "warm_start_bound_push", 1e-9);
        set_number(library, problem, "warm_start_bound_frac", 1e-9);
        set_number(library, problem, "warm_start_slack_bound_push", 1e-9);
        set_number(library, problem, "warm_start_slack_bound_frac", 1e-9);
        set_number(library, problem, "warm_start_mult_bound_push", 1e-9);
    } else {
        set_text(library, problem, "mu_strategy", "adaptive");
    }
    if (setting->check != NULL) {
        set_text(library, problem, "output_file", setting->check);
        set_integer(library, problem, "file_print_level", 4);
        set_text(library, problem, "derivative_test", "second-order");
        set_number(library, problem, "derivative_test_tol", 1e-4);
        set_number(library, problem, "point_perturbation_radius", 0);
    }
}

bool lithe_ipopt_solve(LitheNlp *nlp, const LitheIpoptSetting *setting, double *x,
                       LitheNlpMultipliers *multipliers, LitheIpoptResult *result) {
    const double infinite = 1e20; // its own
    Library library;
    const char *reason;
    *result = (LitheIpoptResult){0};
    if (!load(&library, &reason))
        return false;
    int32_t n = nlp->variables, m = nlp->constraints;
    double *bounds = lithe_alloc_array(nlp->context, 2 * ((int64_t)n + m) + m + nlp->jacobian_count,
                                       sizeof *bounds);
    if (bounds == NULL)
        return false;
    double *lower = bounds, *upper = bounds + n, *low = upper + n, *high = low + m;
    for (int32_t i = 0; i < n; i++) {
        lower[i] = fmax(-infinite, nlp->problem.lower[i]);
        upper[i] = fmin(infinite, nlp->problem.upper[i]);
    }
    for (int32_t i = 0; i < m; i++) {
        low[i] = nlp->low[i];
        high[i] = fmin(infinite, nlp->high[i]);
    }
    void *problem =
        library.create(n, lower, upper, m, low, high, nlp->jacobian_count, nlp->hessian_count, 0,
                       values, constraints, gradient, jacobian, hessian);
    bool made = problem != NULL;
    if (made) {
        Run run = {
            .nlp = nlp, .setting = setting, .g = high + m, .jacobian = high + 2 * (int64_t)m};
        set_options(&library, problem, setting);
        library.each(problem, each);
        result->status = library.solve(problem, x, NULL, &result->cost, multipliers->constraints,
                                       multipliers->lower, multipliers->upper, &run);
        result->iterations = run.iterations;
        library.release(problem);
    }
    lithe_free(nlp->context, bounds);
    return made;
}
