// SPDX-License-Identifier: Apache-2.0
// body/solid_step.c - one step of a soft solid
//
//     (S20)  r(w) = c M (w - v0) + h [grad E(q) + D w - f],   q = base + a h w
//     (S21)  A = c M + a h^2 K(q) + h D,   D = alpha M + beta K(q0)
// base is q0; in a stage of TR-BDF2 it is q0 - h v with q0, v the predicted end of the stage. K(q0)
// is made positive semidefinite; with laws of F, and the midpoint rule, K of the predicted middle.
//     (S22)  potential = c/2 |w - v0|_M^2 + E(q)/a + h/2 w'D w - h f'w,  whose gradient is r
// E contains the energy of pressures (S53), K its Hessian.
// The frames of a lagged law are those of q0; with the midpoint rule those of the middle of the
// step, which `refine` updates; of a static step those of q:
//     (S67)  R(q) and K of (H6), the law `corotated`
// In given frames the lagged law is quadratic:
//     (S65)  grad E(q0 + d) = grad E(q0) + K d,   E(q0 + d) = E(q0) + d'(grad E(q0) + K d/2)
// D and its losses: body/solid_damping.c

#include "body/solid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// roundings of F, of the invariants of a law, and of the logarithm of a gas
#define STRAIN_ROUNDINGS 4
#define GAS_ROUNDINGS 16

static int64_t dofs_of(const LitheSolid *solid) {
    return 3 * (int64_t)solid->mesh.node_count;
}

// --- begin ---------------------------------------------------------------------------------------

static double force_time(const LitheStepPlan *plan) {
    return plan->still ? plan->time : plan->time + plan->a * plan->h;
}

static void fill_nodes(const LitheSolid *solid, Vec3 value, double *out) {
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        v3_store(value, out + 3 * (int64_t)i);
}

static void make_forces(const LitheModel *model, const LitheSolid *solid, LitheSolidWork *work) {
    memcpy(work->outer, work->pushes, (size_t)dofs_of(solid) * sizeof(double));
    for (int32_t k = 0; k < solid->load_count; k++) {
        const LitheLoad *load = &solid->loads[k];
        double p = lithe_profile_at(&load->profile, force_time(&work->plan));
        double *f = work->outer + 3 * (int64_t)load->node;
        v3_store(v3_axpy(p, load->force, v3_load(f)), f);
    }
    double time = force_time(&work->plan);
    Vec3 pull = v3_scale(lithe_profile_at(&solid->acceleration_profile, time), solid->acceleration);
    lithe_solid_pressures_at(solid, time, work->pressed);
    if (v3_norm(pull) > 0) {
        fill_nodes(solid, pull, work->change);
        lithe_solid_mass_times(solid, work->change, work->force);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            work->outer[k] += work->force[k];
    }
    // the weight is that of the mass matrix
    fill_nodes(solid, model->gravity, work->change);
    lithe_solid_mass_times(solid, work->change, work->force);
    for (int64_t k = 0; k < dofs_of(solid); k++)
        work->force[k] += work->outer[k];
}

static void configure(const LitheSolid *solid, const double *w, LitheSolidWork *work) {
    double by = work->plan.a * work->plan.h;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        work->x[k] = work->base[k] + by * w[k];
}

// Change of the energy of gases and of natural sizes between two moments, at a given configuration
static double change_of(const LitheSolid *solid, LitheSolidWork *work, const double *x, double from,
                        double to) {
    double energy[2];
    for (int k = 0; k < 2; k++) {
        double time = k == 0 ? from : to;
        LitheSolidTerms terms = {0};
        energy[k] = lithe_solid_gas_energy(solid, x, time);
        if (solid->swell_count > 0 && lithe_solid_swell(solid, time, work->natural, &work->now))
            energy[k] += lithe_solid_elastic(&work->now, x, NULL, &terms);
    }
    return energy[1] - energy[0];
}

// part of a step in which a rate of change is found: profiles may have corners where steps begin
#define SOON (1.0 / 1024)

// Work of a gas that is pumped in and of a natural size that changes: the change of energy at the
// configuration where forces were evaluated; with backward Euler at the start of the step, so that
// the energy that is left over only falls. A stage takes the rate at its end, from before it. A
// static step has none.
static double changing_work(const LitheSolid *solid, LitheSolidWork *work) {
    const LitheStepPlan *plan = &work->plan;
    double end = plan->time + plan->h;
    if (plan->still)
        return 0;
    if (plan->velocity)
        return change_of(solid, work, work->x, end - SOON * plan->h, end) / SOON;
    return change_of(solid, work, plan->a == 1 ? work->q0 : work->x, plan->time, end);
}

// the momenta of driven DoFs change at a constant rate from the start of the step on
static void drive_momenta(const LitheSolid *solid, LitheSolidWork *work, double *velocity,
                          const double *before) {
    for (int64_t k = 0; k < dofs_of(solid); k++)
        if (solid->held[k])
            velocity[k] = work->target[k] - work->plan.part * (work->target[k] - before[k]);
}

// first guess of a static step whose driven DoFs move: linear elasticity carries the others along
static void spread_motion(const LitheModel *model, int32_t unit, LitheWork *all, double *w) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    double max = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        max = fmax(max, fabs(work->target[k]));
    memset(w, 0, (size_t)dofs_of(solid) * sizeof(double));
    if (max > 0 && lithe_solid_evaluate(model, unit, all, w, true, true, all->units[unit].trial_r) <
                       INFINITY) {
        lithe_block_multiply(&work->matrix, work->matrix.value, work->target, work->momentum);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            w[k] = solid->held[k] ? 0 : -work->momentum[k];
        if (lithe_solid_factor(model, unit, all))
            lithe_solid_solve(model, unit, all, w);
        else
            memset(w, 0, (size_t)dofs_of(solid) * sizeof(double));
    }
    for (int64_t k = 0; k < dofs_of(solid); k++)
        w[k] = solid->held[k] ? work->target[k] : w[k];
}

bool lithe_solid_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                       const LitheStepPlan *plan, LitheWork *all) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    const LitheUnit *own = &model->units[unit];
    const double *v = state->v + own->v_at;
    double *w = all->units[unit].w;
    work->plan = *plan;
    work->bad = -1;
    work->q0 = work->base = state->q + own->q_at;
    work->v0 = v;
    work->pushes = state->pushes + 3 * solid->point_at;
    if (plan->velocity) {
        for (int64_t k = 0; k < dofs_of(solid); k++)
            work->stage_base[k] = work->q0[k] - plan->h * v[k];
        work->base = work->stage_base;
        work->v0 = plan->velocity + own->v_at;
    }
    work->reach = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        work->reach = fmax(work->reach, fabs(work->q0[k]));
    make_forces(model, solid, work);
    if (!lithe_solid_swell(solid, force_time(plan), work->natural, &work->now))
        return false;
    if (plan->still && solid->law->lagged)
        work->now.law = &lithe_solid_corotated; // (S67)
    work->commands = state->commands;
    lithe_solid_aim(model, solid, work); // held DoFs stay: their target remains zero
    for (int32_t i = 0; i < solid->rider_count; i++) {
        // first guess of a rider, until its carrier is known
        int64_t at = 3 * (int64_t)solid->riders[i].node;
        v3_store(plan->still ? v3(0, 0, 0) : v3_load(v + at), work->target + at);
    }
    if (plan->velocity && solid->drive_count > 0)
        drive_momenta(solid, work, plan->velocity + own->v_at, all->before->v + own->v_at);
    // first guess: the present velocity
    for (int64_t k = 0; k < dofs_of(solid); k++)
        w[k] = solid->held[k] ? work->target[k] : plan->still ? 0 : v[k];
    lithe_solid_begin_damping(solid, work, w);
    if (plan->still && solid->drive_count > 0)
        spread_motion(model, unit, all, w);
    return true;
}

// --- residual and matrix -------------------------------------------------------------------------

static double alpha_of(const LitheSolid *solid, const LitheStepPlan *plan) {
    return plan->still ? 0 : plan->h * solid->damping_mass;
}

// r += M (change), with `change` = factor u on free DoFs and any constants on held ones. Returns a
// function of u whose gradient this is: (1/(2 factor)) change' M change, up to a constant.
static double add_mass(const LitheSolid *solid, LitheSolidWork *work, double factor, double *r) {
    double product = 0, each = factor > 0 ? 0.5 / factor : 0;
    lithe_solid_mass_times(solid, work->change, work->momentum);
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        r[k] += work->momentum[k];
        product += each * work->change[k] * work->momentum[k];
    }
    return product;
}

// Inertia, its damping and dead forces. Held DoFs have c = 1 in a step, so that their reaction is
// that of the whole change of momentum.
static double add_inertia(const LitheSolid *solid, LitheSolidWork *work, const double *w,
                          double *r) {
    const LitheStepPlan *plan = &work->plan;
    double alpha = alpha_of(solid, plan), potential = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        double c = solid->held[k] ? !plan->still : plan->c;
        work->change[k] = c * (plan->still ? w[k] : w[k] - work->v0[k]);
    }
    potential += add_mass(solid, work, plan->c, r);
    if (alpha > 0) {
        for (int64_t k = 0; k < dofs_of(solid); k++)
            work->change[k] = alpha * w[k];
        potential += add_mass(solid, work, alpha, r);
    }
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        r[k] -= plan->h * work->force[k];
        potential -= plan->h * work->force[k] * w[k];
    }
    return potential;
}

// (S65) energy at x and its gradient; beta K w is in work->momentum
static double elastic_from_start(const LitheSolid *solid, LitheSolidWork *work, const double *w) {
    double by = work->plan.a * work->plan.h, part = by / solid->damping_stiffness;
    double energy = work->start_elastic;
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        double change = part * work->momentum[k];
        work->gradient[k] = work->start[k] + change;
        energy += by * w[k] * (work->start[k] + 0.5 * change);
    }
    return energy;
}

// (S21): the mass and its damping, and beta K; also K where it is that of the damping
static void start_matrix(const LitheSolid *solid, LitheSolidWork *work) {
    const LitheBlockMatrix *m = solid->pattern;
    double weight = work->plan.c + alpha_of(solid, &work->plan), h = work->plan.h;
    int64_t count = m->value_at[m->start[m->count]];
    double *values = work->matrix.value, stiff = work->plan.a * h * h;
    double factor =
        h + (lithe_solid_damping_has_stiffness(solid, work) ? stiff / solid->damping_stiffness : 0);
    if (work->damping && !work->plan.still)
        for (int64_t k = 0; k < count; k++)
            values[k] = factor * work->damping[k];
    else
        memset(values, 0, (size_t)count * sizeof(double));
    if (solid->mass_values)
        for (int64_t k = 0; k < count; k++)
            values[k] += weight * solid->mass_values[k];
    for (int32_t i = 0; !solid->mass_values && i < m->count; i++)
        for (int c = 0; c < 3; c++)
            values[m->value_at[m->start[i]] + 4 * c] += weight * solid->mass[i];
}

static void copy_diagonal(const LitheSolid *solid, LitheSolidWork *work) {
    const LitheBlockMatrix *m = solid->pattern;
    for (int32_t i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++)
            work->diagonal[3 * (int64_t)i + c] =
                work->matrix.value[m->value_at[m->start[i]] + 4 * c];
}

double lithe_solid_evaluate(const LitheModel *model, int32_t unit, LitheWork *all, const double *w,
                            bool want_matrix, bool project, double *r) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    LitheSolidTerms terms = {.gradient = work->gradient,
                             .scale = plan->a * plan->h * plan->h,
                             .project = project,
                             .pressures = work->pressures,
                             .normal = work->normal,
                             .ranks = work->matrix.rank};
    configure(solid, w, work);
    if (want_matrix)
        start_matrix(solid, work);
    double *values = want_matrix ? work->matrix.value : NULL;
    bool damped = work->damping && !plan->still, linear = lithe_solid_is_linear(solid, work);
    if (damped)
        lithe_block_multiply(solid->pattern, work->damping, w, work->momentum);
    terms.values = lithe_solid_damping_has_stiffness(solid, work) ? NULL : values;
    terms.bad = -1;
    const Mat3 *frames = work->now.law->lagged ? work->rotations : NULL;
    work->elastic = linear ? elastic_from_start(solid, work, w)
                           : lithe_solid_elastic(&work->now, work->x, frames, &terms);
    terms.values = values;
    work->bad = terms.bad;
    if (!(work->elastic < INFINITY))
        return INFINITY;
    // where a Hessian must be positive semidefinite, that of volumes is left out
    double pressed = lithe_solid_press(solid, work->pressed, work->x, work->q0, &terms);
    if (!(pressed < INFINITY))
        return INFINITY;
    if (want_matrix)
        copy_diagonal(solid, work);
    double potential = (work->elastic + pressed) * plan->inverse_a;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        r[k] = plan->h * work->gradient[k];
    if (damped) // before inertia, which uses the same memory
        potential += lithe_solid_add_damping(solid, work, w, r);
    potential += add_inertia(solid, work, w, r);
    return isfinite(potential) ? potential : INFINITY;
}

// (S24) with `forces` the sum of |dE/dx|. No law has terms of E that cancel: rounding changes F,
// and E by P:dF, with |P|^2 of about twice the modulus times the energy density.
static double potential_rounding(const LitheSolid *solid, const LitheSolidWork *work,
                                 double forces) {
    double gas = lithe_solid_gas_scale(solid, work->pressed);
    double stiff = solid->modulus * solid->volume + solid->fibre_stiffness;
    double strain = sqrt(2 * stiff * fmax(0, work->elastic));
    double sum = work->reach * forces + STRAIN_ROUNDINGS * strain + GAS_ROUNDINGS * gas;
    return DBL_EPSILON * sum * work->plan.inverse_a;
}

// Residuals are compared with the momentum at the start, and the impulses of dead and of elastic
// forces. A position is rounded by DBL_EPSILON times the coordinates, which changes an elastic
// force by the stiffness times that.
LitheMeasure lithe_solid_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                 const double *r) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const LitheSolidWork *work = lithe_solid_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    double residual = 0, momentum = 0, load = 0, elastic = 0, noise = 0, forces = 0;
    double weight_of_mass = plan->c + alpha_of(solid, plan);
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        double d = work->diagonal[k], m = solid->mass[k / 3];
        double weight = solid->held[k] || !(d > 0) ? 0 : 1 / d;
        double p = m * work->v0[k], stiffness = fmax(0, d - weight_of_mass * m);
        residual += weight * r[k] * r[k];
        momentum += weight * p * p;
        load += weight * work->force[k] * work->force[k];
        elastic += weight * work->gradient[k] * work->gradient[k];
        noise += weight * stiffness * stiffness;
        forces += fabs(work->gradient[k]);
    }
    double scale = plan->h * sqrt(fmax(load, elastic));
    if (!plan->still)
        scale = fmax(scale, plan->c * sqrt(momentum));
    // a h^2 K times the rounding of a position is h times the force, up to 1/(a h)
    double by = plan->a > 0 ? 1 / (plan->a * plan->h) : 0;
    return (LitheMeasure){.residual = sqrt(residual),
                          .scale = scale,
                          .noise = DBL_EPSILON * work->reach * by * sqrt(noise),
                          .potential = potential_rounding(solid, work, forces)};
}

bool lithe_solid_factor(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    LitheBlockPivots pivots;
    lithe_solid_lock(solid, true, &work->matrix);
    // the first time, and after the solid was part of a system
    if (!lithe_block_analyse_fronts(work->factor, &work->matrix, solid->order, NULL, 0)) {
        all->units[unit].finite = false;
        work->bad = LITHE_SOLID_NO_MEMORY;
        return false;
    }
    return lithe_block_factor_numeric(work->factor, &work->matrix, LITHE_PIVOT_POSITIVE, &pivots);
}

void lithe_solid_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x) {
    (void)model;
    lithe_block_solve(lithe_solid_work(all, unit)->factor, x);
}

bool lithe_solid_refine(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    if (!work->rotations || !lithe_has_middle(&work->plan))
        return false;
    configure(solid, all->units[unit].w, work);
    lithe_solid_find_frames(&work->now, work->x, work);
    return true;
}

// --- end -----------------------------------------------------------------------------------------

static double held_energy(const LitheSolid *solid, const double *v) {
    double energy = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        energy += solid->held[k] ? 0.5 * solid->mass[k / 3] * v[k] * v[k] : 0;
    return energy;
}

bool lithe_solid_end(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    const double *w = all->units[unit].w, *r = all->units[unit].r;
    int64_t at = model->units[unit].v_at;
    double *q = state->q + model->units[unit].q_at, *v = state->v + at;
    double *sums = state->sums + 2 * (int64_t)unit, h = plan->h, finite = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        finite += w[k] * 0;
    if (finite != 0)
        return false;
    if (plan->stage == 1) {
        lithe_solid_add_damping_forces(solid, work, w, all->stage.damping + at);
        sums[0] += lithe_first_stage_losses(all, at, dofs_of(solid), h, w);
    } else {
        sums[0] += lithe_solid_losses(solid, work, w);
    }
    configure(solid, w, work);
    // a stage counts the power of all pressures
    lithe_solid_follow(solid, work->pressed, work->x, plan->velocity != NULL, work->follow);
    sums[1] += changing_work(solid, work);
    lithe_solid_book(model, solid, all, r, state);
    if (plan->stage == 2)
        sums[1] += held_energy(solid, w) - held_energy(solid, all->before->v + at);
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        // as for rods (lithe_rod_store_results): a stage counts the power without inertia
        double v0 = v[k], dv = plan->still ? 0 : w[k] - work->v0[k];
        double inertia = solid->mass[k / 3] * dv * (plan->velocity ? w[k] : 0.5 * dv);
        sums[1] += h * (work->outer[k] + work->follow[k]) * w[k];
        if (solid->held[k])
            sums[1] += r[k] * w[k] - inertia;
        // w = a v + (1 - a) v0; an explicit step has w = v
        bool as_found = solid->held[k] || plan->a == 0;
        v[k] = plan->still ? 0 : as_found ? w[k] : (w[k] - (1 - plan->a) * v0) / plan->a;
        work->x[k] = work->base[k] + h * w[k];
    }
    if (!plan->velocity)
        sums[1] += lithe_solid_volume_work(solid, work->pressed, work->base, work->x);
    memcpy(q, work->x, (size_t)dofs_of(solid) * sizeof(double));
    return true;
}

bool lithe_solid_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                            const LitheStepPlan *plan, const double *force, LitheWork *all,
                            double *a, double *damping, double *power) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    double *r = all->units[unit].r;
    if (!lithe_solid_begin(model, unit, state, plan, all) ||
        !(lithe_solid_evaluate(model, unit, all, work->v0, false, false, r) < INFINITY))
        return false;
    for (int64_t k = 0; k < dofs_of(solid); k++)
        a[k] = force[k] - r[k] / plan->h;
    lithe_solid_mass_solve(solid, work, a);
    if (damping) {
        memset(damping, 0, (size_t)dofs_of(solid) * sizeof *damping);
        lithe_solid_add_damping_forces(solid, work, work->v0, damping);
    }
    *power = 0;
    lithe_solid_follow(solid, work->pressed, work->x, true, work->follow);
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        // the reaction of a rider is a force of its body
        bool held = solid->fixed ? solid->fixed[k] : solid->held[k];
        *power += (work->outer[k] + work->follow[k]) * work->v0[k] +
                  (held ? (r[k] / plan->h - force[k]) * work->v0[k] : 0);
    }
    double soon = SOON * plan->h;
    *power += change_of(solid, work, work->x, plan->time, plan->time + soon) / soon;
    return true;
}

// symplectic Euler: with w = v0 the residual is -h times the forces, so v = v0 - M\r
bool lithe_solid_step_explicit(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    LitheUnitWork *solve = &all->units[unit];
    if (!(lithe_solid_evaluate(model, unit, all, work->v0, false, false, solve->r) < INFINITY))
        return false;
    memcpy(solve->dx, solve->r, (size_t)solve->dof_count * sizeof(double));
    lithe_solid_mass_solve(solid, work, solve->dx);
    for (int64_t k = 0; k < solve->dof_count; k++) {
        solve->w[k] = solid->held[k] ? work->target[k] : work->v0[k] - solve->dx[k];
        work->change[k] = solve->w[k] - work->v0[k];
    }
    lithe_solid_mass_times(solid, work->change, work->momentum);
    for (int64_t k = 0; k < solve->dof_count; k++)
        solve->r[k] += work->momentum[k];
    return true;
}

// a natural size or a gas that is impossible; false: there is none
static bool explain_loads(const LitheSolid *solid, const LitheSolidWork *work, char *text,
                          size_t size) {
    double time = force_time(&work->plan);
    for (int32_t k = 0; k < solid->swell_count; k++) {
        double factor = lithe_profile_at(&solid->swells[k].profile, time);
        if (!(factor > 0)) {
            snprintf(text, size, "swell '%s': its factor is %.6g at %.6g s, must be > 0",
                     solid->swells[k].name, factor, time);
            return true;
        }
    }
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        const LithePressure *load = &solid->pressures[k];
        double volume = load->gas ? lithe_solid_cavity(solid, load, work->x) : 1;
        double gas = load->gas ? lithe_profile_at(&load->profile, time) : 1;
        if (!(gas > 0)) {
            snprintf(text, size, "cavity '%s': its gas is %.6g Pa at %.6g s, must be > 0",
                     load->name, gas, time);
            return true;
        }
        if (!(volume > 0)) {
            snprintf(text, size, "cavity '%s' of solid '%s' has the volume %.6g m^3, must be > 0",
                     load->name, solid->name, volume);
            return true;
        }
    }
    return false;
}

void lithe_solid_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                         size_t size) {
    const LitheSolidWork *work = lithe_solid_work(all, unit);
    const LitheUnit *own = &model->units[unit];
    // inputs of the step come first: the rest follows from them
    const struct {
        const char *what;
        const double *x;
    } given[] = {{"the force on", all->before->pushes + 3 * own->point_at},
                 {"the velocity of", all->before->v + own->v_at},
                 {"the position of", all->before->q + own->q_at}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        for (int64_t k = 0; k < own->v_count; k++)
            if (!isfinite(given[i].x[k] * given[i].x[k])) {
                snprintf(text, size, "solid '%s': %s node %d is %g", own->name, given[i].what,
                         (int)(k / 3), given[i].x[k]);
                return;
            }
    if (explain_loads(lithe_solid_of(model, unit), work, text, size))
        return;
    if (work->bad == LITHE_SOLID_NO_MEMORY)
        snprintf(text, size, "solid '%s': out of memory for the factor of its matrix", own->name);
    else if (work->bad >= 0)
        snprintf(text, size, "solid '%s': element %d is turned inside out", own->name, work->bad);
    else
        snprintf(text, size, "solid '%s' has a number that is not finite", own->name);
}
