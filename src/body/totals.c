// SPDX-License-Identifier: Apache-2.0
// body/totals.c - energies and momenta of everything: sums over units

#include "body/unit.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

// Sums per kind, then over kinds: the sum of one kind does not depend on the others. Kinds with
// `elastic_is_recorded` leave out the sums in `without`. With `work`, kinds with
// `energies_are_kept` take theirs from it; with `shared`, units leave there what the next step
// needs as well: for energies alone.
static bool sum_units(const LitheModel *model, const LitheState *state, LitheTotalsWanted wanted,
                      LitheTotalsWanted without, LitheWork *work, const LitheWork *shared,
                      LitheUnitTotals *sum) {
    *sum = (LitheUnitTotals){0};
    for (int32_t i = 0; i < model->unit_count;) {
        LitheUnitKind kind = model->units[i].kind;
        const LitheUnitOps *ops = lithe_unit_kinds[kind];
        LitheUnitTotals part = {0};
        bool recorded = ops->elastic_is_recorded;
        LitheTotalsWanted own = recorded ? wanted & ~(unsigned)without : wanted;
        bool kept = work && ops->energies_are_kept;
        for (; i < model->unit_count && model->units[i].kind == kind; i++)
            if (kept)
                ops->energies(model, i, state, work, &part);
            else if (shared && ops->shares_energies && ops->shares_energies(model, i))
                ops->shared_energies(model, i, state, shared, &part);
            else if (!ops->totals(model, i, state, own, &part))
                return false;
        sum->kinetic += part.kinetic;
        sum->elastic += part.elastic;
        sum->gravity += part.gravity;
        sum->momentum = v3_add(sum->momentum, part.momentum);
        sum->angular = v3_add(sum->angular, part.angular);
    }
    return true;
}

void lithe_points_difference(const LitheModel *model, int32_t unit, const LitheState *from,
                             const LitheState *to, double *d) {
    int64_t at = model->units[unit].q_at;
    for (int64_t k = 0; k < model->units[unit].v_count; k++)
        d[k] = to->q[at + k] - from->q[at + k];
}

// --- motion that is not rigid --------------------------------------------------------------------

static Vec3 centre_of(const LithePoints *p, Vec3 *velocity) {
    double mass = 0;
    Vec3 x = v3(0, 0, 0), u = v3(0, 0, 0);
    for (int64_t i = 0; i < p->count; i++) {
        double m = p->mass[p->mass_stride * i];
        mass += m;
        x = v3_axpy(m, v3_load(p->q + p->stride * i), x);
        u = v3_axpy(m, v3_load(p->v + p->stride * i), u);
    }
    *velocity = v3_scale(1 / mass, u);
    return v3_scale(1 / mass, x);
}

// angular velocity of the rigid motion with the same angular momentum about the centre; false where
// all points coincide
static bool turning_of(const LithePoints *p, Vec3 centre, Vec3 velocity, Vec3 *turning) {
    Mat3 inertia = {{{0}}};
    Vec3 angular = v3(0, 0, 0);
    double size = 0, far = 0;
    for (int64_t i = 0; i < p->count; i++) {
        double m = p->mass[p->mass_stride * i];
        Vec3 r = v3_sub(v3_load(p->q + p->stride * i), centre);
        far += m * v3_dot(centre, centre);
        Vec3 u = v3_sub(v3_load(p->v + p->stride * i), velocity);
        double rr = v3_dot(r, r), x[3] = {r.x, r.y, r.z};
        angular = v3_axpy(m, v3_cross(r, u), angular);
        size += m * rr;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                inertia.m[a][b] += m * ((a == b ? rr : 0) - x[a] * x[b]);
    }
    // points on a line have no inertia about that line: a small inertia makes the matrix regular
    for (int a = 0; a < 3; a++)
        inertia.m[a][a] += 1e-12 * size;
    // points that coincide differ by rounding only
    if (!(size > 1e-24 * far))
        return false;
    *turning = m3_solve(inertia, angular);
    return true;
}

// only positions count: the unused twist of the last node of an open rod is always held
static bool is_free(const LithePoints *p) {
    for (int64_t k = 0; k < 3 * p->count; k++)
        if (p->held[p->stride * (k / 3) + k % 3])
            return false;
    return true;
}

double lithe_drift_points(const LithePoints *p, double *v) {
    Vec3 velocity = v3(0, 0, 0);
    double mass = 0;
    memset(v, 0, (size_t)(p->count * p->stride) * sizeof(double));
    if (!is_free(p))
        return 0;
    centre_of(p, &velocity);
    for (int64_t i = 0; i < p->count; i++) {
        mass += p->mass[p->mass_stride * i];
        v3_store(velocity, v + p->stride * i);
    }
    return 0.5 * mass * v3_dot(velocity, velocity);
}

double lithe_first_stage_losses(const LitheWork *work, int64_t at, int64_t count, double h,
                                const double *w) {
    const double *v0 = work->stage.start + at, *damping = work->stage.damping + at;
    double lost = 0;
    for (int64_t k = 0; k < count; k++)
        lost += 0.5 * h * damping[k] * (v0[k] + w[k]);
    return lost;
}

double lithe_calm_points(const LithePoints *p, double factor) {
    double energy = 0;
    Vec3 centre = v3(0, 0, 0), velocity = centre, turning = centre;
    if (is_free(p)) {
        centre = centre_of(p, &velocity);
        if (!turning_of(p, centre, velocity, &turning))
            return 0;
    }
    for (int64_t i = 0; i < p->count; i++) {
        double *v = p->v + p->stride * i;
        Vec3 r = v3_sub(v3_load(p->q + p->stride * i), centre);
        Vec3 rigid = v3_add(velocity, v3_cross(turning, r));
        for (int c = 0; c < 3; c++) {
            double still = (&rigid.x)[c], own = factor * (v[c] - still);
            if (p->held[p->stride * i + c])
                continue;
            if (factor != 1)
                v[c] = still + own;
            energy += 0.5 * p->mass[p->mass_stride * i] * own * own;
        }
    }
    return energy;
}

// --- elements that are turned inside out ---------------------------------------------------------

void lithe_report_inverted(const LitheModel *model, const LitheState *state, LitheReport *report) {
    report->inverted = 0;
    report->inverted_fraction = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (!ops->inverted)
            continue;
        LitheInverted found = ops->inverted(model, i, state);
        double fraction = found.count > 0 ? (double)found.count / found.of : 0;
        report->inverted += found.count;
        if (!(fraction > report->inverted_fraction))
            continue;
        report->inverted_fraction = fraction;
        report->inverted_solid = model->units[i].thing;
        report->inverted_element = found.first;
        report->inverted_place = found.place;
    }
}

LitheInverted lithe_newly_inverted(const LitheModel *model, const LitheState *before,
                                   const LitheState *after, int32_t *unit) {
    LitheInverted worst = {0};
    for (int32_t i = 0; i < model->unit_count && !worst.refused; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (!ops->inverted)
            continue;
        LitheInverted found = ops->inverted(model, i, after);
        if (found.count == 0 || (worst.count > 0 && !found.refused) ||
            found.count <= ops->inverted(model, i, before).count)
            continue;
        worst = found;
        *unit = i;
    }
    return worst;
}

// --- energies and momenta ------------------------------------------------------------------------

static LitheEnergy energy_of(const LitheModel *model, const LitheState *state,
                             LitheTotalsWanted without, double elastic, LitheWork *work,
                             const LitheWork *shared) {
    LitheEnergy energy = {0};
    LitheUnitTotals sum;
    if (!sum_units(model, state, LITHE_TOTALS_ENERGY | LITHE_TOTALS_ELASTIC, without, work, shared,
                   &sum))
        sum.kinetic = sum.elastic = sum.gravity = NAN;
    energy.kinetic = sum.kinetic;
    energy.elastic = elastic + sum.elastic;
    energy.gravity = sum.gravity;
    for (int32_t i = 0; i < model->unit_count; i++) {
        energy.dissipated += state->sums[2 * i];
        energy.work += state->sums[2 * i + 1];
    }
    energy.friction = state->took[LITHE_TOOK_FRICTION];
    energy.contact = state->took[LITHE_TOOK_NORMAL];
    energy.constraints = state->took[LITHE_TOOK_CONSTRAINTS];
    energy.work -= state->took[LITHE_TOOK_DRIVES];
    return energy;
}

LitheEnergy lithe_energy_with(const LitheModel *model, const LitheState *state, double elastic,
                              const LitheWork *work) {
    return energy_of(model, state, LITHE_TOTALS_ELASTIC, elastic, NULL, work);
}

LitheEnergy lithe_energy_after(const LitheModel *model, const LitheState *state, LitheWork *work) {
    return energy_of(model, state, 0, 0, work, work);
}

bool lithe_energy_is_whole(const LitheModel *model) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (lithe_unit_kinds[model->units[i].kind]->elastic_is_recorded)
            return false;
    return true;
}

LitheEnergy lithe_energy(const LitheModel *model, const LitheState *state) {
    return energy_of(model, state, 0, 0, NULL, NULL);
}

LitheVec3 lithe_momentum(const LitheModel *model, const LitheState *state) {
    LitheUnitTotals sum;
    return sum_units(model, state, LITHE_TOTALS_MOMENTA, 0, NULL, NULL, &sum) ? sum.momentum
                                                                              : v3(NAN, NAN, NAN);
}

LitheVec3 lithe_angular_momentum(const LitheModel *model, const LitheState *state) {
    LitheUnitTotals sum;
    return sum_units(model, state, LITHE_TOTALS_MOMENTA, 0, NULL, NULL, &sum) ? sum.angular
                                                                              : v3(NAN, NAN, NAN);
}
