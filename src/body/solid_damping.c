// SPDX-License-Identifier: Apache-2.0
// body/solid_damping.c - damping of a soft solid in a step
//
//     (S21)  D = alpha M + beta K,   K of the part of strains alone (H24)
// K is that of the start of the step, with laws of F and the midpoint rule that of the predicted
// middle. Where K of a lagged law is also that of the step, damping with backward Euler leaves out
// what the rotation of the elements adds to the strain rates of chords:
//     (S66)  beta (K w - d) in place of beta K w,   d from v0

#include "body/solid.h"

#include <math.h>
#include <string.h>

static int64_t dofs_of(const LitheSolid *solid) {
    return 3 * (int64_t)solid->mesh.node_count;
}

bool lithe_solid_damping_has_stiffness(const LitheSolid *solid, const LitheSolidWork *work) {
    return work->damping && solid->law->lagged && !solid->mean && solid->swell_count == 0 &&
           solid->fibre_count == 0 && !work->plan.still && !lithe_has_middle(&work->plan);
}

bool lithe_solid_is_linear(const LitheSolid *solid, const LitheSolidWork *work) {
    return lithe_solid_damping_has_stiffness(solid, work) && work->base == work->q0;
}

// Whether w is the velocity of a chord that begins at q0, in whose frames damping acts (S66).
static bool has_chord(const LitheSolid *solid, const LitheSolidWork *work) {
    return lithe_solid_is_linear(solid, work) && work->plan.a == 1;
}

// beta K of (S21) at x; false outside of the domain of the law
static bool make_damping(const LitheSolid *solid, LitheSolidWork *work, const double *x) {
    const LitheBlockMatrix *m = solid->pattern;
    LitheSolidTerms terms = {.gradient = lithe_solid_is_linear(solid, work) ? work->start : NULL,
                             .values = work->damping,
                             .scale = solid->damping_stiffness,
                             .project = true,
                             .strains = !lithe_solid_damping_has_stiffness(solid, work),
                             .chord = has_chord(solid, work) ? work->chord : NULL,
                             .velocity = work->v0,
                             .h = work->plan.h,
                             .pressures = work->pressures};
    memset(work->damping, 0, (size_t)m->value_at[m->start[m->count]] * sizeof(double));
    work->start_elastic = lithe_solid_elastic(&work->now, x, work->rotations, &terms);
    work->chord_power = terms.chord_power;
    return work->start_elastic < INFINITY;
}

void lithe_solid_begin_damping(const LitheSolid *solid, LitheSolidWork *work, const double *w) {
    const LitheStepPlan *plan = &work->plan;
    const double *place = work->q0;
    bool damped = work->damping && !plan->still, midpoint = lithe_has_middle(plan);
    bool middle = damped && plan->a == 1 && !plan->velocity &&
                  !lithe_solid_damping_has_stiffness(solid, work);
    if (middle || (midpoint && (work->rotations || damped))) {
        for (int64_t k = 0; k < dofs_of(solid); k++)
            work->x[k] = work->q0[k] + 0.5 * plan->h * w[k];
        place = work->x;
    }
    if (work->rotations && !plan->still)
        lithe_solid_find_frames(&work->now, place, work);
    if (damped && !make_damping(solid, work, place) && place != work->q0)
        make_damping(solid, work, work->q0); // the prediction turns an element inside out
    if (middle && work->rotations)
        lithe_solid_find_frames(&work->now, work->q0, work);
}

double lithe_solid_add_damping(const LitheSolid *solid, const LitheSolidWork *work, const double *w,
                               double *r) {
    double h = work->plan.h, potential = 0;
    for (int64_t k = 0; k < dofs_of(solid); k++) {
        r[k] += h * work->momentum[k];
        potential += 0.5 * h * work->momentum[k] * w[k];
    }
    for (int64_t k = 0; has_chord(solid, work) && k < dofs_of(solid); k++) {
        r[k] -= h * work->chord[k];
        potential -= h * work->chord[k] * w[k];
    }
    return potential;
}

double lithe_solid_losses(const LitheSolid *solid, LitheSolidWork *work, const double *w) {
    double h = work->plan.h, lost = 0;
    if (work->plan.still)
        return 0;
    if (solid->damping_mass > 0) {
        lithe_solid_mass_times(solid, w, work->momentum);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            lost += h * solid->damping_mass * w[k] * work->momentum[k];
    }
    if (work->damping) {
        lithe_block_multiply(solid->pattern, work->damping, w, work->momentum);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            lost += h * w[k] * work->momentum[k];
        for (int64_t k = 0; has_chord(solid, work) && k < dofs_of(solid); k++)
            lost -= 2 * h * w[k] * work->chord[k];
        lost += has_chord(solid, work) ? h * work->chord_power : 0;
    }
    return lost;
}

void lithe_solid_add_damping_forces(const LitheSolid *solid, LitheSolidWork *work, const double *w,
                                    double *force) {
    if (solid->damping_mass > 0) {
        lithe_solid_mass_times(solid, w, work->momentum);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            force[k] += solid->damping_mass * work->momentum[k];
    }
    if (work->damping) {
        lithe_block_multiply(solid->pattern, work->damping, w, work->momentum);
        for (int64_t k = 0; k < dofs_of(solid); k++)
            force[k] += work->momentum[k];
    }
}
