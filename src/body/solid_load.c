// SPDX-License-Identifier: Apache-2.0
// body/solid_load.c - loads of soft solids that follow their surface: pressures, gases in cavities
//
//     (S53)  energy of a pressure p: p V, with V the volume (S50) of its faces; forces -p A_a (S51)
//     (S56)  work of a pressure on a closed surface in a step: p (V(q0) - V(q1))
// The faces are oriented outwards: V is the volume of the solid behind a closed surface, minus that
// of a cavity. A gas with the pressure P at the volume B0 of its cavity at the start, n its
// exponent, has at the volume B
//     (S54)  p = P (B0/B)^n,   energy U = P B0/(n - 1) ((B0/B)^(n-1) - 1) + p_out (B - B0);
//            n = 1: U = -P B0 ln(B/B0) + p_out (B - B0)
//     (S55)  d2U/dx2 = -(p - p_out) d2B/dx2 + n p/B (dB/dx)(dB/dx)'
// The last term couples all nodes of the cavity. It has rank one and stays beside the blocks of the
// matrix (sparse/block_matrix.h).

#include "body/solid.h"

#include "base/assert.h"
#include "base/memory.h"
#include "law/pressure.h"

#include <math.h>
#include <string.h>

// --- faces ---------------------------------------------------------------------------------------

// stiffness of a face: scale [k_ab]x in the blocks of its pairs of nodes
static void add_stiffness(const LitheSolid *solid, const int32_t *node, const int32_t *entry,
                          int32_t count, const LitheFaceTerms *face, double scale, double *values) {
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = 0; b < a; b++) {
            double *block = values + solid->pattern->value_at[*entry++];
            Vec3 k = v3_scale(scale, node[a] > node[b] ? face->skew[a][b] : face->skew[b][a]);
            block[1] += k.z, block[3] -= k.z; // column-major
            block[6] += k.y, block[2] -= k.y;
            block[5] += k.x, block[7] -= k.x;
        }
}

// Volume of the faces about a point. Adds p times its gradient to `gradient`, and `scale` times its
// Hessian to `values`; both may be NULL.
static double add_faces(const LitheSolid *solid, const LithePressure *load, const double *x,
                        Vec3 about, double p, double *gradient, double scale, double *values) {
    int32_t width = load->face_nodes, pairs = width * (width - 1) / 2;
    double volume = 0;
    for (int32_t i = 0; i < load->face_count; i++) {
        const int32_t *node = load->faces + (int64_t)i * width;
        Vec3 at[LITHE_FACE_NODES];
        LitheFaceTerms face;
        for (int32_t a = 0; a < width; a++)
            at[a] = v3_sub(v3_load(x + 3 * (int64_t)node[a]), about);
        lithe_face_terms(width, at, values, &face);
        volume += face.volume;
        for (int32_t a = 0; gradient && a < width; a++) {
            double *f = gradient + 3 * (int64_t)node[a];
            v3_store(v3_axpy(p, face.area[a], v3_load(f)), f);
        }
        if (values)
            add_stiffness(solid, node, load->entries + (int64_t)i * pairs, width, &face, scale,
                          values);
    }
    return volume;
}

// a place close to the surface: large coordinates do not cost digits
static Vec3 place_of(const LithePressure *load, const double *x) {
    return v3_load(x + 3 * (int64_t)load->faces[0]);
}

double lithe_solid_cavity(const LitheSolid *solid, const LithePressure *load, const double *x) {
    return -add_faces(solid, load, x, place_of(load, x), 0, NULL, 0, NULL);
}

// --- gases ---------------------------------------------------------------------------------------

// (S54)
static double gas_pressure(const LithePressure *gas, double at_start, double volume) {
    return at_start * pow(gas->volume / volume, gas->exponent);
}

static double gas_energy(const LithePressure *gas, double at_start, double volume) {
    double ratio = log(gas->volume / volume), more = gas->exponent - 1;
    double stored = more == 0 ? ratio : expm1(more * ratio) / more;
    return at_start * gas->volume * stored + gas->outside * (volume - gas->volume);
}

// u of the term u u' = scale n p/B (dB/dx)(dB/dx)' of (S55)
static void set_rank(const LitheSolid *solid, const double *normal, double weight, double *u) {
    double by = sqrt(weight);
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++)
        u[k] = by * normal[k];
}

// `u` [3 nodes] gets its term of rank one, unless it is NULL
static double add_gas(const LitheSolid *solid, const LithePressure *gas, double at_start,
                      const double *x, const LitheSolidTerms *terms, double *u) {
    double volume = lithe_solid_cavity(solid, gas, x), *normal = terms->normal;
    if (!(volume > 0 && at_start > 0))
        return INFINITY;
    double p = gas_pressure(gas, at_start, volume), over = p - gas->outside;
    double *hessian = terms->project ? NULL : terms->values;
    if (!terms->gradient)
        return gas_energy(gas, at_start, volume);
    LITHE_ASSERT(normal);
    int64_t dofs = 3 * (int64_t)solid->mesh.node_count;
    memset(normal, 0, (size_t)dofs * sizeof *normal);
    add_faces(solid, gas, x, place_of(gas, x), 1, normal, terms->scale * over, hessian);
    for (int64_t k = 0; k < dofs; k++)
        terms->gradient[k] += over * normal[k];
    if (u)
        set_rank(solid, normal, terms->scale * gas->exponent * p / volume, u);
    return gas_energy(gas, at_start, volume);
}

// --- all of a solid ------------------------------------------------------------------------------

void lithe_solid_pressures_at(const LitheSolid *solid, double time, double *p) {
    for (int32_t k = 0; k < solid->pressure_count; k++)
        p[k] = lithe_profile_at(&solid->pressures[k].profile, time);
}

double lithe_solid_press(const LitheSolid *solid, const double *p, const double *x,
                         const double *start, const LitheSolidTerms *terms) {
    double energy = 0, *u = terms->values ? terms->ranks : NULL;
    for (int32_t k = 0; k < solid->pressure_count && energy < INFINITY; k++) {
        const LithePressure *load = &solid->pressures[k];
        if (load->gas) {
            energy += add_gas(solid, load, p[k], x, terms, u);
            u += u ? 3 * (int64_t)solid->mesh.node_count : 0;
        } else // (S53)
            energy += p[k] * add_faces(solid, load, x, place_of(load, start), p[k], terms->gradient,
                                       terms->scale * p[k], terms->project ? NULL : terms->values);
    }
    return energy;
}

void lithe_solid_follow(const LitheSolid *solid, const double *p, const double *x, bool closed,
                        double *force) {
    memset(force, 0, 3 * (size_t)solid->mesh.node_count * sizeof *force);
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        const LithePressure *load = &solid->pressures[k];
        if (!load->gas && (closed || !load->closed))
            add_faces(solid, load, x, place_of(load, x), -p[k], force, 0, NULL);
    }
}

double lithe_solid_volume_work(const LitheSolid *solid, const double *p, const double *from,
                               const double *to) {
    double work = 0;
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        const LithePressure *load = &solid->pressures[k];
        if (!load->gas && load->closed) // (S56)
            work += p[k] * (add_faces(solid, load, from, place_of(load, from), 0, NULL, 0, NULL) -
                            add_faces(solid, load, to, place_of(load, to), 0, NULL, 0, NULL));
    }
    return work;
}

double lithe_solid_gas_energy(const LitheSolid *solid, const double *x, double time) {
    double energy = 0;
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        const LithePressure *gas = &solid->pressures[k];
        if (gas->gas)
            energy += gas_energy(gas, lithe_profile_at(&gas->profile, time),
                                 lithe_solid_cavity(solid, gas, x));
    }
    return energy;
}

double lithe_solid_gas_scale(const LitheSolid *solid, const double *p) {
    double scale = 0;
    for (int32_t k = 0; k < solid->pressure_count; k++)
        if (solid->pressures[k].gas)
            scale += (p[k] + solid->pressures[k].outside) * solid->pressures[k].volume;
    return scale;
}

int32_t lithe_solid_gas_count(const LitheSolid *solid) {
    int32_t count = 0;
    for (int32_t k = 0; k < solid->pressure_count; k++)
        count += solid->pressures[k].gas;
    return count;
}

bool lithe_solid_has_potential(const LitheSolid *solid) {
    for (int32_t k = 0; k < solid->pressure_count; k++)
        if (solid->pressures[k].open)
            return false;
    return true;
}

// --- reading -------------------------------------------------------------------------------------

static const LithePressure *cavity_of(const LitheModel *model, LitheCavityId id,
                                      const LitheSolid **solid) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->cavity_count);
    const LitheCavity *cavity = &model->cavities[id.number - 1];
    *solid = &model->solids[cavity->solid];
    return &(*solid)->pressures[cavity->pressure];
}

int32_t lithe_cavity_count(const LitheModel *model) {
    return model->cavity_count;
}

const char *lithe_cavity_name(const LitheModel *model, LitheCavityId id) {
    const LitheSolid *solid;
    return cavity_of(model, id, &solid)->name;
}

LitheCavityId lithe_cavity_find(const LitheModel *model, const char *name) {
    for (int32_t i = 1; i <= model->cavity_count; i++)
        if (strcmp(lithe_cavity_name(model, (LitheCavityId){i}), name) == 0)
            return (LitheCavityId){i};
    return (LitheCavityId){0};
}

double lithe_cavity_volume(const LitheModel *model, const LitheState *state, LitheCavityId id) {
    const LitheSolid *solid;
    const LithePressure *cavity = cavity_of(model, id, &solid);
    return lithe_solid_cavity(solid, cavity, state->q + model->units[solid->unit].q_at);
}

bool lithe_cavity_ahead(const LitheModel *model, const LitheState *state, const LitheWork *work,
                        double time, LitheCavityId id, double *volume) {
    const LitheSolid *solid;
    const LithePressure *cavity = cavity_of(model, id, &solid);
    const LitheUnit *unit = &model->units[solid->unit];
    const LitheUnitWork *solve = &work->units[solid->unit];
    double *x = lithe_alloc_array(work->context, unit->q_count, sizeof *x);
    for (int64_t k = 0; x && k < unit->q_count; k++)
        x[k] = state->q[unit->q_at + k] + (k < solve->dof_count ? time * solve->w[k] : 0);
    if (x)
        *volume = lithe_solid_cavity(solid, cavity, x);
    lithe_free(work->context, x);
    return x != NULL;
}

double lithe_cavity_pressure(const LitheModel *model, const LitheState *state, LitheCavityId id) {
    const LitheSolid *solid;
    const LithePressure *cavity = cavity_of(model, id, &solid);
    double p = lithe_profile_at(&cavity->profile, lithe_load_time(state));
    if (!cavity->gas)
        return p;
    return gas_pressure(cavity, p, lithe_cavity_volume(model, state, id)) - cavity->outside;
}
