// SPDX-License-Identifier: Apache-2.0
// solve/spt.c - contact of rods after Spillmann and Teschner: forces by trial and correction, as
// one interaction
//
// With the weights c = (1 - s, s, t - 1, -t) of the nearest places of two edges, n the normal from
// the second to the first and g the gap after the step,
//     (I15)  K = sum c_k^2/m_k,   F <- max(0, F - g/(nu K dt^2))
//     (I16)  friction = min(mu F, |vT|/(nu K dt)) against vT, the sliding at the start of the step
// nu is the largest number of active pairs at one of the four nodes: each pair corrects 1/nu of the
// gap.

#include "solve/spt.h"

#include "base/memory.h"
#include "geom/segment.h"
#include "solve/edge_pair.h"

#include <string.h>

// errors of a distance below this fraction of h are accepted
#define TOLERANCE 1e-3

typedef struct Pair {
    int32_t node[LITHE_STENCIL_NODES];
    double touch, mu;      // sum of the radii [m], friction coefficient
    double x0[12], v0[12]; // ends and their velocities at the start
    double gap, K;         // gap [m] and K of (I15) at the last update
    double c[4];           // weights of (I15)
    Vec3 n;
    double force;
    double normal[12], friction[12]; // on the ends [N]
    double speed;                    // of sliding at the start
} Pair;

struct LitheSpt {
    LitheContext *context;
    LitheStepPlan plan;
    Pair *pairs;
    int32_t count, capacity;
    double *mobility; // [nodes] 1/m of the nodes of pairs; 0: held
    int32_t *busy;    // [nodes] number of active pairs
    int32_t mobility_capacity, busy_capacity, node_count;
};

LitheSpt *lithe_spt_create(LitheContext *context) {
    LitheSpt *spt = lithe_alloc(context, sizeof *spt);
    if (spt)
        spt->context = context;
    return spt;
}

void lithe_spt_destroy(LitheSpt *spt) {
    if (!spt)
        return;
    lithe_free(spt->context, spt->pairs);
    lithe_free(spt->context, spt->mobility);
    lithe_free(spt->context, spt->busy);
    lithe_free(spt->context, spt);
}

bool lithe_spt_begin(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     const LitheContacts *contacts, LitheSpt *spt) {
    if (!LITHE_RESERVE(spt->context, spt->pairs, spt->capacity, contacts->count) ||
        !LITHE_RESERVE(spt->context, spt->mobility, spt->mobility_capacity, model->node_count) ||
        !LITHE_RESERVE(spt->context, spt->busy, spt->busy_capacity, model->node_count))
        return false;
    spt->plan = *plan;
    spt->count = contacts->count;
    spt->node_count = model->node_count;
    for (int32_t i = 0; i < spt->count; i++) {
        const LitheContactParts *parts = &contacts->parts[i];
        Pair *p = &spt->pairs[i];
        memset(p, 0, sizeof *p);
        lithe_edge_nodes(model, &parts->site[0], p->node);
        lithe_edge_nodes(model, &parts->site[1], p->node + 2);
        p->touch = lithe_edge_touch(model, parts);
        p->mu = contacts->contacts[i].friction;
        for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
            spt->mobility[p->node[k]] = lithe_edge_mobility(model, &parts->site[k / 2], p->node[k]);
            v3_store(v3_load(state->q + 4 * (int64_t)p->node[k]), p->x0 + 3 * k);
            v3_store(v3_load(state->v + 4 * (int64_t)p->node[k]), p->v0 + 3 * k);
        }
    }
    return true;
}

// --- the interaction -----------------------------------------------------------------------------

static int32_t spt_count(const void *self) {
    return ((const LitheSpt *)self)->count;
}

static void spt_nodes(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]) {
    memcpy(nodes, ((const LitheSpt *)self)->pairs[stencil].node, 4 * sizeof *nodes);
}

static double spt_evaluate(void *self, const double *w, double *gradient) {
    const LitheSpt *spt = self;
    double sum = 0;
    for (int32_t i = 0; i < spt->count; i++) {
        const Pair *p = &spt->pairs[i];
        for (int k = 0; p->force > 0 && k < 12; k++) {
            double impulse = spt->plan.h * (p->normal[k] + p->friction[k]);
            int64_t dof = 4 * (int64_t)p->node[k / 3] + k % 3;
            gradient[dof] -= impulse;
            sum -= impulse * w[dof];
        }
    }
    return sum;
}

// nearest places after the step
static void measure(const LitheSpt *spt, Pair *p, const double *w) {
    Vec3 x[4], d;
    for (int k = 0; k < 4; k++)
        x[k] = v3_axpy(spt->plan.a * spt->plan.h, v3_load(w + 4 * (int64_t)p->node[k]),
                       v3_load(p->x0 + 3 * k));
    LitheSegmentPair near = lithe_segment_closest(x[0], x[1], x[2], x[3]);
    d = v3_sub(v3_mix(x[0], x[1], near.s), v3_mix(x[2], x[3], near.t));
    p->gap = near.distance - p->touch;
    p->n = v3_unit(d);
    p->c[0] = 1 - near.s, p->c[1] = near.s, p->c[2] = near.t - 1, p->c[3] = -near.t;
    p->K = 0;
    for (int k = 0; k < 4; k++)
        p->K += p->c[k] * p->c[k] * spt->mobility[p->node[k]];
}

static bool at_work(const Pair *p) {
    return p->K > 0 && (p->force > 0 || p->gap < 0);
}

// (I15), (I16)
static void correct(const LitheSpt *spt, Pair *p) {
    double h = spt->plan.h;
    int32_t share = 1;
    for (int k = 0; k < 4; k++)
        share = spt->busy[p->node[k]] > share ? spt->busy[p->node[k]] : share;
    p->force = fmax(0, p->force - p->gap / (share * p->K * h * h));
    Vec3 v = v3(0, 0, 0);
    for (int k = 0; k < 4; k++)
        v = v3_axpy(p->c[k], v3_load(p->v0 + 3 * k), v);
    v = v3_axpy(-v3_dot(v, p->n), p->n, v);
    p->speed = v3_norm(v);
    double rub = fmin(p->mu * p->force, p->speed / (share * p->K * h));
    Vec3 f = v3_scale(-rub, v3_unit(v));
    for (int k = 0; k < 4; k++) {
        v3_store(v3_scale(p->c[k] * p->force, p->n), p->normal + 3 * k);
        v3_store(v3_scale(p->c[k], f), p->friction + 3 * k);
    }
}

static double spt_update_lagged(void *self, const double *w, bool solved) {
    LitheSpt *spt = self;
    double worst = 0;
    if (!solved)
        return 0;
    memset(spt->busy, 0, (size_t)spt->node_count * sizeof *spt->busy);
    for (int32_t i = 0; i < spt->count; i++) {
        Pair *p = &spt->pairs[i];
        measure(spt, p, w);
        if (!at_work(p))
            continue;
        worst = fmax(worst, fabs(p->gap) / (0.5 * p->touch));
        for (int k = 0; k < 4; k++)
            spt->busy[p->node[k]]++;
    }
    if (worst <= TOLERANCE)
        return 0;
    for (int32_t i = 0; i < spt->count; i++)
        if (at_work(&spt->pairs[i]))
            correct(spt, &spt->pairs[i]);
    return worst;
}

LitheInteraction lithe_spt_interaction(LitheSpt *spt) {
    return (LitheInteraction){.self = spt,
                              .width = LITHE_STENCIL_WIDTH,
                              .count = spt_count,
                              .nodes = spt_nodes,
                              .update_lagged = spt_update_lagged,
                              .evaluate = spt_evaluate};
}

// --- reading -------------------------------------------------------------------------------------

void lithe_spt_took(const LitheSpt *spt, const double *w, double *friction, double *normal) {
    *friction = *normal = 0;
    for (int32_t i = 0; i < spt->count; i++) {
        const Pair *p = &spt->pairs[i];
        for (int k = 0; k < 12; k++) {
            double v = w[4 * (int64_t)p->node[k / 3] + k % 3];
            *normal -= spt->plan.h * p->normal[k] * v;
            *friction -= spt->plan.h * p->friction[k] * v;
        }
    }
}

Vec3 lithe_spt_force(const LitheSpt *spt, int32_t index, double *normal, double *slip) {
    const Pair *p = &spt->pairs[index];
    Vec3 sum = v3(0, 0, 0);
    for (int k = 2; k < 4; k++)
        sum = v3_add(sum, v3_add(v3_load(p->normal + 3 * k), v3_load(p->friction + 3 * k)));
    *normal = p->force;
    *slip = p->speed;
    return sum;
}
