// SPDX-License-Identifier: Apache-2.0
// body/particles.c - a set of particles: its row in the table of kinds
//
// A particle is a point mass with a radius: it has a position and no rotation. With w the velocity
// at which forces are evaluated (data/work.h) and alpha the mass-proportional damping,
//     (P1)  r(w) = c m (w - v0) + h (alpha m w - f),   f = m g + loads + pushes
//     (P2)  A = (c + h alpha) m,   diagonal
//     (P3)  potential = c/2 m |w - v0|^2 + h alpha/2 m |w|^2 - h f.w,   whose gradient is r
// Contact forces act through the centre: friction exerts no torque on a particle.

#include "base/assert.h"
#include "body/hold.h"
#include "body/profile.h"
#include "body/unit.h"

#include <stdio.h>
#include <string.h>

typedef struct ParticlesWork {
    LitheStepPlan plan;
    const double *q0;     // [3 count] into the state
    const double *v0;     // [3 count] into the state; in a stage into plan.velocity
    const double *pushes; // [3 count] into the state
    double *force;        // [3 count] at the force time of the step [N]
    double *outer;        // [3 count] the part of `force` from loads and pushes [N]
} ParticlesWork;

static const LitheParticles *set_of(const LitheModel *model, int32_t unit) {
    return &model->particles[model->units[unit].index];
}

// --- the directory and scratch -------------------------------------------------------------------

static int32_t particles_count(const LitheModel *model) {
    return model->particles_count;
}

static void particles_describe(LitheModel *model, int32_t index, LitheUnit *unit) {
    LitheParticles *set = &model->particles[index];
    set->unit = (int32_t)(unit - model->units);
    set->q_at = unit->q_at;
    set->point_at = unit->point_at;
    unit->name = set->name;
    unit->thing = (LitheThing){LITHE_THING_PARTICLES, index + 1};
    unit->q_count = unit->v_count = 3 * (int64_t)set->count;
    unit->node_count = unit->point_count = set->count;
    unit->node_size = 3;
    unit->site_nodes = 1;
    unit->site_width = 3;
    unit->thickness = INFINITY;
    for (int32_t i = 0; i < set->count; i++) {
        unit->thickness = fmin(unit->thickness, set->radius[i]);
        unit->mass += set->mass[i];
        unit->mass_moment += set->mass[i] * set->radius[i];
    }
    unit->length = unit->thickness;
}

static int64_t particles_layout(const LitheModel *model, int32_t unit, LitheWork *all, double *at) {
    const LitheParticles *set = set_of(model, unit);
    int64_t dofs = 3 * (int64_t)set->count, each = lithe_work_round(dofs);
    int64_t taken = lithe_work_doubles(1, sizeof(ParticlesWork));
    if (at) {
        ParticlesWork *own = (ParticlesWork *)at;
        LitheUnitWork *solve = &all->units[unit];
        double **arrays[] = {&own->force,   &own->outer,     &solve->w,  &solve->r,
                             &solve->trial, &solve->trial_r, &solve->dx, &solve->impulse};
        for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
            *arrays[k] = at + taken + (int64_t)k * each;
        solve->own = own;
        solve->dof_count = dofs;
        solve->held = set->held;
        solve->has_potential = true;
    }
    return taken + 8 * each;
}

static ParticlesWork *work_of(const LitheWork *all, int32_t unit) {
    return all->units[unit].own;
}

// --- the step ------------------------------------------------------------------------------------

static double force_time(const LitheStepPlan *plan) {
    return plan->still ? plan->time : plan->time + plan->a * plan->h;
}

static bool particles_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                            const LitheStepPlan *plan, LitheWork *all) {
    const LitheParticles *set = set_of(model, unit);
    ParticlesWork *own = work_of(all, unit);
    double *w = all->units[unit].w;
    own->plan = *plan;
    own->q0 = state->q + model->units[unit].q_at;
    own->v0 = state->v + model->units[unit].v_at;
    if (plan->velocity)
        own->v0 = plan->velocity + model->units[unit].v_at;
    const double *v = state->v + model->units[unit].v_at;
    own->pushes = state->pushes + 3 * set->point_at;
    memcpy(own->outer, own->pushes, 3 * (size_t)set->count * sizeof(double));
    for (int32_t k = 0; k < set->load_count; k++) {
        const LitheLoad *load = &set->loads[k];
        double p = lithe_profile_at(&load->profile, force_time(plan));
        double *f = own->outer + 3 * (int64_t)load->node;
        v3_store(v3_axpy(p, load->force, v3_load(f)), f);
    }
    for (int64_t i = 0; i < set->count; i++)
        v3_store(v3_axpy(set->mass[i], model->gravity, v3_load(own->outer + 3 * i)),
                 own->force + 3 * i);
    // first guess: the present velocity
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++)
        w[k] = set->held[k] || plan->still ? 0 : v[k];
    return true;
}

static double rate_of(const LitheParticles *set, const LitheStepPlan *plan) {
    return plan->still ? 0 : plan->h * set->damping_mass;
}

// (P1), (P3); the residual of a held DoF is its reaction
static double particles_evaluate(const LitheModel *model, int32_t unit, LitheWork *all,
                                 const double *w, bool want_matrix, bool project, double *r) {
    const LitheParticles *set = set_of(model, unit);
    const ParticlesWork *own = work_of(all, unit);
    const LitheStepPlan *plan = &own->plan;
    double alpha = rate_of(set, plan), potential = 0;
    (void)want_matrix, (void)project; // (P2) is diagonal and positive
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++) {
        double m = set->mass[k / 3], dv = plan->still ? w[k] : w[k] - own->v0[k];
        double c = set->held[k] ? !plan->still : plan->c;
        r[k] = m * (c * dv + alpha * w[k]) - plan->h * own->force[k];
        potential += 0.5 * m * (c * dv * dv + alpha * w[k] * w[k]) - plan->h * own->force[k] * w[k];
    }
    return isfinite(potential) ? potential : INFINITY;
}

// (P2)
static double diagonal(const LitheParticles *set, const LitheStepPlan *plan, int64_t particle) {
    return (plan->c + rate_of(set, plan)) * set->mass[particle];
}

static LitheMeasure particles_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                      const double *r) {
    const LitheParticles *set = set_of(model, unit);
    const ParticlesWork *own = work_of(all, unit);
    const LitheStepPlan *plan = &own->plan;
    double residual = 0, momentum = 0, load = 0;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++) {
        double m = set->mass[k / 3], weight = set->held[k] ? 0 : 1 / diagonal(set, plan, k / 3);
        residual += weight * r[k] * r[k];
        momentum += weight * m * m * own->v0[k] * own->v0[k];
        load += weight * own->force[k] * own->force[k];
    }
    double scale = plan->h * sqrt(load);
    if (!plan->still)
        scale = fmax(scale, plan->c * sqrt(momentum));
    return (LitheMeasure){sqrt(residual), scale, 0, 0};
}

static bool particles_factor(const LitheModel *model, int32_t unit, LitheWork *all) {
    (void)model, (void)unit, (void)all; // diagonal
    return true;
}

static void particles_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x) {
    const LitheParticles *set = set_of(model, unit);
    const LitheStepPlan *plan = &work_of(all, unit)->plan;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++)
        x[k] = set->held[k] ? x[k] : x[k] / diagonal(set, plan, k / 3);
}

static bool particles_refine(const LitheModel *model, int32_t unit, LitheWork *all) {
    (void)model, (void)unit, (void)all; // (P1) is linear: nothing was lagged
    return false;
}

// symplectic Euler: v = v0 - r(v0)/m
static bool particles_step_explicit(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheParticles *set = set_of(model, unit);
    const ParticlesWork *own = work_of(all, unit);
    LitheUnitWork *solve = &all->units[unit];
    double potential = particles_evaluate(model, unit, all, own->v0, false, false, solve->r);
    if (!(potential < INFINITY))
        return false;
    for (int64_t k = 0; k < solve->dof_count; k++) {
        double m = set->mass[k / 3], v0 = own->v0[k];
        solve->w[k] = set->held[k] ? 0 : v0 - solve->r[k] / m;
        solve->r[k] += m * (solve->w[k] - v0);
    }
    return true;
}

static bool particles_end(const LitheModel *model, int32_t unit, LitheWork *all,
                          LitheState *state) {
    const LitheParticles *set = set_of(model, unit);
    const ParticlesWork *own = work_of(all, unit);
    const LitheStepPlan *plan = &own->plan;
    const double *w = all->units[unit].w, *r = all->units[unit].r;
    double *q = state->q + model->units[unit].q_at, *v = state->v + model->units[unit].v_at;
    double *sums = state->sums + 2 * (int64_t)unit, h = plan->h, finite = 0;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++)
        finite += w[k] * 0;
    if (finite != 0)
        return false;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++) {
        double m = set->mass[k / 3], v0 = v[k], dv = plan->still || plan->velocity ? 0 : w[k] - v0;
        if (plan->stage == 1)
            all->stage.damping[model->units[unit].v_at + k] += set->damping_mass * m * w[k];
        else
            sums[0] += plan->still ? 0 : h * set->damping_mass * m * w[k] * w[k];
        sums[1] += h * own->outer[k] * w[k];
        if (set->held[k])
            sums[1] += r[k] * w[k] - 0.5 * m * dv * dv;
        // w = a v + (1 - a) v0; an explicit step has w = v
        bool as_found = set->held[k] || plan->a == 0;
        v[k] = plan->still ? 0 : as_found ? w[k] : (w[k] - (1 - plan->a) * v0) / plan->a;
        q[k] += h * (plan->velocity ? w[k] - v0 : w[k]);
    }
    lithe_holds_book(model, unit, q, r, 3, h, all);
    if (plan->stage == 1)
        sums[0] +=
            lithe_first_stage_losses(all, model->units[unit].v_at, 3 * (int64_t)set->count, h, w);
    return true;
}

static void particles_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                            LitheState *state) {
    double *q = state->q + model->units[unit].q_at;
    (void)all;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        q[k] += by[k];
}

static void particles_advance(const LitheModel *model, int32_t unit, const LitheState *from,
                              const double *v, double time, LitheState *to) {
    int64_t at = model->units[unit].q_at;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        to->q[at + k] = from->q[at + k] + time * v[k];
}

static bool particles_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                                 const LitheStepPlan *plan, const double *force, LitheWork *all,
                                 double *a, double *damping, double *power) {
    const LitheParticles *set = set_of(model, unit);
    const ParticlesWork *own = work_of(all, unit);
    particles_begin(model, unit, state, plan, all);
    *power = 0;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++) {
        double m = set->mass[k / 3], v = own->v0[k];
        a[k] = set->held[k] ? 0 : (own->force[k] + force[k]) / m - set->damping_mass * v;
        if (damping)
            damping[k] = set->damping_mass * m * v;
        *power += (own->outer[k] - (set->held[k] ? force[k] : 0)) * v;
    }
    return true;
}

static LithePoints points_of(const LitheModel *model, int32_t unit, const LitheState *state) {
    const LitheParticles *set = set_of(model, unit);
    return (LithePoints){.count = set->count,
                         .stride = 3,
                         .mass = set->mass,
                         .mass_stride = 1,
                         .q = state->q + model->units[unit].q_at,
                         .v = state->v + model->units[unit].v_at,
                         .held = set->held};
}

static double particles_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                             LitheState *state) {
    LithePoints points = points_of(model, unit, state);
    (void)all;
    return lithe_calm_points(&points, factor);
}

static double particles_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                              LitheWork *all, double *v) {
    LithePoints points = points_of(model, unit, state);
    (void)all;
    return lithe_drift_points(&points, v);
}

static void particles_unmass(const LitheModel *model, int32_t unit, const LitheWork *all,
                             double *x) {
    const LitheParticles *set = set_of(model, unit);
    (void)all;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++)
        x[k] = set->held[k] ? 0 : x[k] / set->mass[k / 3];
}

static void particles_explain(const LitheModel *model, int32_t unit, const LitheWork *all,
                              char *text, size_t size) {
    const LitheParticles *set = set_of(model, unit);
    const LitheUnitWork *solve = &all->units[unit];
    const ParticlesWork *own = work_of(all, unit);
    // Report the first number that is not finite. Forces and velocities come first: they are
    // inputs, and the rest follows from them. A number whose square overflows counts too, because
    // energies would overflow.
    const struct {
        const char *what;
        const double *x;
    } numbers[] = {{"a force on it", own->force},
                   {"its velocity", own->v0},
                   {"its position", own->q0},
                   {"its motion in the step", solve->w}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int64_t k = 0; k < solve->dof_count; k++)
            if (!isfinite(numbers[i].x[k] * numbers[i].x[k])) {
                snprintf(text, size, "particle %d of '%s': %s is %g", (int)(k / 3), set->name,
                         numbers[i].what, numbers[i].x[k]);
                return;
            }
    snprintf(text, size, "'%s' has a number that is not finite", set->name);
}

// --- material points -----------------------------------------------------------------------------

static Vec3 particles_velocity(const LitheModel *model, const LitheState *state,
                               const LitheSite *site) {
    return v3_load(state->v + model->units[site->unit].v_at + 3 * (int64_t)site->element);
}

static Pose particles_place(const LitheModel *model, const LitheState *state, const LitheSite *site,
                            double ahead) {
    const LitheUnit *unit = &model->units[site->unit];
    Pose pose = pose_identity();
    pose.at = v3_load(state->q + unit->q_at + 3 * (int64_t)site->element);
    if (ahead != 0)
        pose.at = v3_axpy(ahead, particles_velocity(model, state, site), pose.at);
    return pose;
}

// the rows measure the velocity of the centre; a particle has no angular velocity
static int32_t particles_site(const LitheModel *model, const LitheState *state,
                              const LitheWork *work, const LitheSite *site, int32_t rows,
                              const Vec3 *linear, const Vec3 *angular, int32_t *nodes,
                              double *blocks) {
    (void)model, (void)state, (void)work, (void)angular;
    nodes[0] = site->element;
    for (int32_t i = 0; i < rows; i++)
        v3_store(linear[i], blocks + 3 * i);
    return 1;
}

// --- in the coupled solve ------------------------------------------------------------------------

static bool particles_pattern(const LitheModel *model, int32_t unit, int32_t first,
                              LithePairList *list) {
    (void)model, (void)unit, (void)first, (void)list; // diagonal
    return true;
}

static void particles_scatter(const LitheModel *model, int32_t unit, LitheWork *all, int32_t first,
                              const LitheBlockMatrix *matrix, double *values) {
    const LitheParticles *set = set_of(model, unit);
    const LitheStepPlan *plan = &work_of(all, unit)->plan;
    for (int32_t i = 0; i < set->count; i++) {
        double *block = values + matrix->value_at[matrix->start[first + i]];
        double d = diagonal(set, plan, i);
        for (int c = 0; c < 3; c++)
            block[4 * c] = set->held[3 * (int64_t)i + c] ? 1 : d;
    }
}

// --- sums and events -----------------------------------------------------------------------------

static double particles_norm(const LitheModel *model, int32_t unit, const LitheWork *all,
                             const double *x) {
    const LitheParticles *set = set_of(model, unit);
    double max = 0;
    (void)all;
    for (int64_t i = 0; i < set->count; i++) {
        double square = 0;
        for (int64_t k = 3 * i; k < 3 * i + 3; k++)
            square += set->held[k] ? 0 : x[k] * x[k];
        max = fmax(max, square);
    }
    return model->units[unit].mass * max;
}

static void particles_mass(const LitheModel *model, int32_t unit, const LitheWork *all,
                           const double *x, double *y) {
    const LitheParticles *set = set_of(model, unit);
    (void)all;
    for (int64_t k = 0; k < 3 * (int64_t)set->count; k++)
        y[k] = set->held[k] ? 0 : set->mass[k / 3] * x[k];
}

static double particles_moved(const LitheModel *model, int32_t unit, LitheWork *all,
                              const double *w) {
    double max = 0;
    (void)all;
    for (int64_t i = 0; i < set_of(model, unit)->count; i++)
        max = fmax(max, v3_norm(v3_load(w + 3 * i)));
    return max;
}

static double particles_lowest_omega2(const LitheModel *model, int32_t unit) {
    return v3_norm(model->gravity) / model->units[unit].length;
}

static bool particles_totals(const LitheModel *model, int32_t unit, const LitheState *state,
                             LitheTotalsWanted wanted, LitheUnitTotals *sum) {
    const LitheParticles *set = set_of(model, unit);
    const double *q = state->q + model->units[unit].q_at, *v = state->v + model->units[unit].v_at;
    (void)wanted; // everything is cheap
    for (int64_t i = 0; i < set->count; i++) {
        double m = set->mass[i];
        Vec3 x = v3_load(q + 3 * i), u = v3_load(v + 3 * i);
        sum->kinetic += 0.5 * m * v3_dot(u, u);
        sum->gravity -= m * v3_dot(model->gravity, x);
        sum->momentum = v3_axpy(m, u, sum->momentum);
        sum->angular = v3_axpy(m, v3_cross(x, u), sum->angular);
    }
    return true;
}

static void particles_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                               LitheWork *work, LitheUnitTotals *sum) {
    (void)work;
    particles_totals(model, unit, state, LITHE_TOTALS_ENERGY, sum);
}

static bool particles_event(const LitheModel *model, int32_t unit, const LitheSpan *span) {
    const LitheParticles *set = set_of(model, unit);
    for (int32_t i = 0; i < set->load_count; i++)
        if (lithe_profile_within(&set->loads[i].profile, span))
            return true;
    return false;
}

const LitheUnitOps lithe_particles_ops = {
    .kind = "particles",
    .cost = 5,
    .count = particles_count,
    .describe = particles_describe,
    .layout = particles_layout,
    .begin = particles_begin,
    .evaluate = particles_evaluate,
    .measure = particles_measure,
    .factor = particles_factor,
    .solve = particles_solve,
    .refine = particles_refine,
    .step_explicit = particles_step_explicit,
    .end = particles_end,
    .shift = particles_shift,
    .advance = particles_advance,
    .difference = lithe_points_difference,
    .accelerate = particles_accelerate,
    .unmass = particles_unmass,
    .energies = particles_energies,
    .calm = particles_calm,
    .drift = particles_drift,
    .explain = particles_explain,
    .place = particles_place,
    .velocity = particles_velocity,
    .site = particles_site,
    .pattern = particles_pattern,
    .scatter = particles_scatter,
    .norm = particles_norm,
    .mass = particles_mass,
    .moved = particles_moved,
    .lowest_omega2 = particles_lowest_omega2,
    .totals = particles_totals,
    .event = particles_event,
};

// --- reading -------------------------------------------------------------------------------------

static const LitheParticles *particles_of(const LitheModel *model, LitheParticlesId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->particles_count);
    return &model->particles[id.number - 1];
}

int32_t lithe_particles_count(const LitheModel *model) {
    return model->particles_count;
}

LitheParticlesId lithe_particles_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->particles_count; i++)
        if (strcmp(model->particles[i].name, name) == 0)
            return (LitheParticlesId){i + 1};
    return (LitheParticlesId){0};
}

const char *lithe_particles_name(const LitheModel *model, LitheParticlesId id) {
    return particles_of(model, id)->name;
}

int32_t lithe_particles_size(const LitheModel *model, LitheParticlesId id) {
    return particles_of(model, id)->count;
}

const double *lithe_particles_position(const LitheModel *model, const LitheState *state,
                                       LitheParticlesId id) {
    return state->q + model->units[particles_of(model, id)->unit].q_at;
}

const double *lithe_particles_velocity(const LitheModel *model, const LitheState *state,
                                       LitheParticlesId id) {
    return state->v + model->units[particles_of(model, id)->unit].v_at;
}

double *lithe_particles_velocity_writable(const LitheModel *model, LitheState *state,
                                          LitheParticlesId id) {
    return state->v + model->units[particles_of(model, id)->unit].v_at;
}

double *lithe_particles_force_writable(const LitheModel *model, LitheState *state,
                                       LitheParticlesId id) {
    return state->pushes + 3 * particles_of(model, id)->point_at;
}

const double *lithe_particles_radius(const LitheModel *model, LitheParticlesId id) {
    return particles_of(model, id)->radius;
}

const double *lithe_particles_mass(const LitheModel *model, LitheParticlesId id) {
    return particles_of(model, id)->mass;
}
