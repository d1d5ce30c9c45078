// SPDX-License-Identifier: Apache-2.0
// solve/lanes.c - points of patches during a solve, four side by side: into the lanes and back

#include "solve/lanes.h"

#include "law/term_plain.h"
#include "solve/loop_kernels.h"
#include "solve/loops.h"
#include "solve/slip.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 };

// lane of point k of a group
static double *lane_of(const LitheSystem *s, const LitheGroup *g, int32_t k) {
    return s->group_lanes + g->lane_at + (ptrdiff_t)(k / LANES) * LITHE_LANE_SIZE + k % LANES;
}

// --- into the lanes ------------------------------------------------------------------------------

// arguments of a loop over the groups
typedef struct Lanes {
    LitheSystem *s;
    bool hessians; // as well
} Lanes;

// time of a point that is copied [ns]
#define COPY_COST 40

static void over_groups(LitheSystem *s, bool hessians, LitheRangeFn *fn) {
    double none[LITHE_RANGE_SUMS];
    Lanes lanes = {s, hessians};
    lithe_pool_ranges(s->pool, s->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      COPY_COST * (double)s->coupling_count, fn, &lanes, s->partial, none);
}

static void load_bound(const LitheTerm *t, double *lane) {
    lane[LANES * LITHE_LANE_BOUND] = t->mu * t->n0;
    lane[LANES * LITHE_LANE_EPS] = t->eps;
}

// one factor of (V1) vanishes at vbar, so a or b is exactly zero
static void load_normal(const LitheTerm *t, double *lane) {
    double force = t->h * t->f0, stiffness = t->h * t->h * t->k;
    bool stiff = force * t->d <= stiffness;
    double a = stiff ? 0 : force - stiffness * t->vbar, b = stiff ? 1 - t->d * t->vbar : 0;
    lane[LANES * LITHE_LANE_FORCE] = force;
    lane[LANES * LITHE_LANE_STIFFNESS] = stiffness;
    lane[LANES * LITHE_LANE_DISSIPATION] = t->d;
    lane[LANES * LITHE_LANE_VBAR] = t->vbar;
    lane[LANES * LITHE_LANE_COST] = 0.5 * (a * t->d + b * stiffness);
    lane[LANES * (LITHE_LANE_COST + 1)] = stiffness * t->d / 3;
}

static void load_point(const LitheCoupling *c, double *lane) {
    load_normal(&c->term, lane);
    load_bound(&c->term, lane);
    for (int k = 0; k < 3; k++) {
        lane[LANES * (LITHE_LANE_BIAS + k)] = c->bias[k];
        lane[LANES * (LITHE_LANE_V + k)] = c->v[k];
        lane[LANES * (LITHE_LANE_DV + k)] = 0;
    }
}

// a point that never acts
static void load_none(double *lane) {
    for (int k = 0; k < LITHE_LANE_COUNT; k++)
        lane[LANES * k] = 0;
    lane[LANES * LITHE_LANE_STIFFNESS] = lane[LANES * LITHE_LANE_EPS] = 1;
}

static void load(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    LitheSystem *s = ((Lanes *)user)->s;
    (void)first, (void)after, (void)sums;
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++) {
        LitheGroup *g = &s->groups[i];
        g->leads = false;
        for (int32_t k = 0; k < g->count; k++)
            load_point(&s->couplings[g->first + k], lane_of(s, g, k));
        for (int32_t k = g->count; k % LANES != 0; k++)
            load_none(lane_of(s, g, k));
    }
}

void lithe_lanes_open(LitheSystem *s) {
    // all contacts have one law
    s->in_lanes = s->group_count > 0 && lithe_term_is_plain(&s->couplings[s->groups[0].first].term);
    s->has_group_sums = s->has_group_terms = false;
    s->lane_length = 0;
    if (s->in_lanes)
        over_groups(s, false, load);
}

void lithe_lanes_load_bounds(LitheSystem *s) {
    for (int32_t i = 0; s->in_lanes && i < s->group_count; i++) {
        const LitheGroup *g = &s->groups[i];
        for (int32_t k = 0; k < g->count; k++)
            load_bound(&s->couplings[g->first + k].term, lane_of(s, g, k));
    }
    s->has_group_sums = s->has_group_terms = false;
}

// --- back into the couplings ---------------------------------------------------------------------

static void store(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Lanes *lanes = user;
    LitheSystem *s = lanes->s;
    (void)first, (void)after, (void)sums;
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++) {
        const LitheGroup *g = &s->groups[i];
        for (int32_t k = 0; k < g->count; k++) {
            LitheCoupling *c = &s->couplings[g->first + k];
            const double *lane = lane_of(s, g, k), *H = lane + LANES * LITHE_LANE_HESSIAN;
            double *G = lithe_hessian_of(s, c);
            for (int row = 0; row < 3; row++) {
                c->impulse[row] = lane[LANES * (LITHE_LANE_IMPULSE + row)];
                c->v[row] = lane[LANES * (LITHE_LANE_V + row)];
            }
            if (!lanes->hessians)
                continue;
            G[0] = H[0];
            G[1] = G[3] = H[LANES];
            G[4] = H[2 * LANES];
            G[2] = G[5] = G[6] = G[7] = 0;
            G[8] = H[3 * LANES];
        }
    }
}

void lithe_lanes_store(LitheSystem *s) {
    if (s->in_lanes)
        over_groups(s, true, store);
}

void lithe_lanes_close(LitheSystem *s) {
    if (s->in_lanes)
        over_groups(s, false, store);
    s->in_lanes = s->has_group_sums = s->has_group_terms = false;
}

void lithe_lanes_store_normals(LitheSystem *s) {
    for (int32_t i = 0; s->in_lanes && i < s->group_count; i++) {
        const LitheGroup *g = &s->groups[i];
        for (int32_t k = 0; k < g->count; k++)
            s->couplings[g->first + k].impulse[2] =
                lane_of(s, g, k)[LANES * (LITHE_LANE_IMPULSE + 2)];
    }
}

// --- in the lanes --------------------------------------------------------------------------------

void lithe_lanes_sweep(LitheSystem *s, int32_t range, const LitheLaneJob *job, double *sums) {
    const LitheLoopKernel *kernel = lithe_loop_kernel();
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++)
        kernel->lanes(s, &s->groups[i], job, sums);
}

void lithe_lanes_move(LitheSystem *s, int32_t range, double length) {
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++) {
        const LitheGroup *g = &s->groups[i];
        for (int32_t k = 0; k < g->count; k += LANES) {
            double *block = lane_of(s, g, k);
            double *v = block + LANES * LITHE_LANE_V, *dv = block + LANES * LITHE_LANE_DV;
            for (int32_t j = 0; j < 3 * LANES; j++)
                v[j] += length * dv[j];
        }
    }
}

void lithe_lanes_begin_slips(LitheSystem *s, bool warm) {
    for (int32_t i = 0; i < s->group_count; i++) {
        const LitheGroup *g = &s->groups[i];
        for (int32_t k = 0; k < g->count; k++) {
            double *lane = lane_of(s, g, k), *d = lane + LANES * LITHE_LANE_SLIP;
            double x = lane[LANES * LITHE_LANE_V], y = lane[LANES * (LITHE_LANE_V + 1)];
            double eps = lane[LANES * LITHE_LANE_EPS], size = sqrt(eps * eps + x * x + y * y);
            bool slides = warm && lane[LANES * LITHE_LANE_BOUND] > 0;
            d[0] = slides ? x / size : 0;
            d[LANES] = slides ? y / size : 0;
        }
    }
    s->has_group_terms = false;
}

// (V36) of one point
static bool recall(LitheCoupling *c, double *lane) {
    double *v = lane + LANES * LITHE_LANE_V, *lead = lane + LANES * LITHE_LANE_LEAD;
    c->v[0] = v[0];
    c->v[1] = v[LANES];
    lithe_slip_recall(c);
    for (int k = 0; k < 2 && c->leads; k++) {
        v[LANES * k] = c->v[k];
        lead[LANES * k] = c->lead[k];
    }
    bool leads = c->leads;
    c->leads = false; // known by the lanes
    return leads;
}

void lithe_lanes_restart(LitheSystem *s, int32_t range, bool recalls) {
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++) {
        LitheGroup *g = &s->groups[i];
        g->leads = false;
        for (int32_t k = 0; k < g->count; k++) {
            LitheCoupling *c = &s->couplings[g->first + k];
            double *lane = lane_of(s, g, k), vbar = lane[LANES * LITHE_LANE_VBAR];
            bool acts = c->was_active || lane[LANES * (LITHE_LANE_V + 2)] < vbar;
            int64_t mask = -(int64_t)(acts && isfinite(vbar));
            memcpy(lane + LANES * LITHE_LANE_IS_ACTIVE, &mask, sizeof mask);
            lane[LANES * LITHE_LANE_LEAD] = lane[LANES * (LITHE_LANE_LEAD + 1)] = 0;
            if (recalls && c->recalled && isfinite(vbar))
                g->leads |= recall(c, lane);
        }
    }
}
