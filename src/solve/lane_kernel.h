// SPDX-License-Identifier: Apache-2.0
// solve/lane_kernel.h - one sweep over the points of a group in lanes (solve/lanes.h)
//
// Included by solve/loop_kernel.h, on the same vectors; LOOP_FMA(sum, a, b) is sum + a b of four
// numbers, rounded once or twice. Numbers in brackets: docs/theory/contact.md.

#ifndef LITHE_SOLVE_LANE_KERNEL_H
#define LITHE_SOLVE_LANE_KERNEL_H

#include "solve/lanes.h"

#define LANE(block, name) FOUR((block) + 4 * (name))
#define STORE_LANE(block, name) STORE_FOUR((block) + 4 * (name))
#define LANE_CHOOSE(mask, a, b) ((Four)(((Bits)(mask) & (Bits)(a)) | (~(Bits)(mask) & (Bits)(b))))

// sliding of four points at a velocity: u = v/s, and bound/s
typedef struct LaneSlide {
    Four u0, u1, inverse, factor, s;
} LaneSlide;

// impulse and the entries 00, 01, 11 and 22 of G
typedef struct LaneLaw {
    Four impulse[3], xx, xy, yy, zz;
} LaneLaw;

LOOP_FN void lane_root(Four *x) {
    for (int i = 0; i < 4; i++)
        (*x)[i] = sqrt((*x)[i]);
}

// (V4)
LOOP_FN void lane_slide(const double *block, const Four *v, LaneSlide *out) {
    Four eps = LANE(block, LITHE_LANE_EPS), square = eps * eps;
    square = LOOP_FMA(LOOP_FMA(square, v[0], v[0]), v[1], v[1]);
    lane_root(&square);
    out->s = square;
    out->inverse = 1 / square;
    out->u0 = v[0] * out->inverse;
    out->u1 = v[1] * out->inverse;
    out->factor = LANE(block, LITHE_LANE_BOUND) * out->inverse;
}

// (V1), (V2): impulse and Hessian of the normal law at n
LOOP_FN void lane_normal(const double *block, const Four *n, LaneLaw *out) {
    const Four zero = {0};
    Four stiffness = LANE(block, LITHE_LANE_STIFFNESS), d = LANE(block, LITHE_LANE_DISSIPATION);
    Four push = LANE(block, LITHE_LANE_FORCE) - stiffness * *n, part = 1 - d * *n;
    push = LANE_CHOOSE(push > zero, push, zero);
    part = LANE_CHOOSE(part > zero, part, zero);
    Bits acts = (Bits)(*n < LANE(block, LITHE_LANE_VBAR));
    out->impulse[2] = (Four)((Bits)(push * part) & acts);
    out->zz = (Four)((Bits)(stiffness * part + d * push) & acts);
}

// (V4), (V5): those of friction
LOOP_FN void lane_friction(const double *block, const LaneSlide *slide, LaneLaw *out) {
    Four bound = LANE(block, LITHE_LANE_BOUND), flat = LANE(block, LITHE_LANE_EPS) * slide->inverse;
    flat *= flat;
    out->impulse[0] = -bound * slide->u0;
    out->impulse[1] = -bound * slide->u1;
    out->xx = slide->factor * LOOP_FMA(flat, slide->u1, slide->u1);
    out->yy = slide->factor * LOOP_FMA(flat, slide->u0, slide->u0);
    out->xy = -(slide->factor * (slide->u0 * slide->u1));
}

// (V3), (V4): cost at v
LOOP_FN void lane_cost(const double *block, const Four *v, const LaneSlide *slide, Four *cost) {
    const Four endless = {INFINITY, INFINITY, INFINITY, INFINITY};
    Four vbar = LANE(block, LITHE_LANE_VBAR), x = vbar - v[2];
    Four normal = x * (x * (LANE(block, LITHE_LANE_COST) + LANE(block, LITHE_LANE_COST + 1) * x));
    normal = LANE_CHOOSE(vbar == endless, -LANE(block, LITHE_LANE_FORCE) * v[2], normal);
    normal = (Four)((Bits)normal & (Bits)(v[2] < vbar));
    Four square = v[0] * v[0] + v[1] * v[1];
    *cost += normal +
             LANE(block, LITHE_LANE_BOUND) * (square / (slide->s + LANE(block, LITHE_LANE_EPS)));
}

LOOP_FN void lane_load(const double *block, LaneLaw *law) {
    for (int k = 0; k < 3; k++)
        law->impulse[k] = LANE(block, LITHE_LANE_IMPULSE + k);
    law->xx = LANE(block, LITHE_LANE_HESSIAN);
    law->xy = LANE(block, LITHE_LANE_HESSIAN + 1);
    law->yy = LANE(block, LITHE_LANE_HESSIAN + 2);
    law->zz = LANE(block, LITHE_LANE_HESSIAN + 3);
}

LOOP_FN void lane_store(const LaneLaw *law, double *block) {
    for (int k = 0; k < 3; k++)
        STORE_LANE(block, LITHE_LANE_IMPULSE + k) = law->impulse[k];
    STORE_LANE(block, LITHE_LANE_HESSIAN) = law->xx;
    STORE_LANE(block, LITHE_LANE_HESSIAN + 1) = law->xy;
    STORE_LANE(block, LITHE_LANE_HESSIAN + 2) = law->yy;
    STORE_LANE(block, LITHE_LANE_HESSIAN + 3) = law->zz;
}

// (V29): G with the directions of friction; friction without a bound is zero and stays so
LOOP_FN void lane_bend(const double *block, const LaneSlide *slide, LaneLaw *law) {
    Four d0 = LANE(block, LITHE_LANE_SLIP), d1 = LANE(block, LITHE_LANE_SLIP + 1);
    Four u0 = slide->u0, u1 = slide->u1;
    law->xx += slide->factor * (u0 * (u0 - d0));
    law->yy += slide->factor * (u1 * (u1 - d1));
    law->xy += slide->factor * (u0 * u1 - 0.5 * (d0 * u1 + u0 * d1));
}

// (V28): the directions after the step dv
LOOP_FN void lane_slip(const Four *v, const Four *dv, const LaneSlide *slide, double *block) {
    const Four zero = {0}, one = {1, 1, 1, 1};
    Four d0 = LANE(block, LITHE_LANE_SLIP), d1 = LANE(block, LITHE_LANE_SLIP + 1);
    Four along = slide->u0 * dv[0] + slide->u1 * dv[1];
    Four next0 = v[0] + dv[0], next1 = v[1] + dv[1], turn = v[0] * next0 + v[1] * next1;
    Four e0 = (next0 - d0 * along) * slide->inverse, e1 = (next1 - d1 * along) * slide->inverse;
    Four size = e0 * e0 + e1 * e1, norm = size;
    lane_root(&norm);
    norm = 1 / LANE_CHOOSE(size > one, norm, one);
    Bits slides = (Bits)(LANE(block, LITHE_LANE_BOUND) > zero), turns = (Bits)(turn < zero);
    STORE_LANE(block, LITHE_LANE_SLIP) =
        LANE_CHOOSE(slides, (Four)((Bits)(e0 * norm) & ~turns), d0);
    STORE_LANE(block, LITHE_LANE_SLIP + 1) =
        LANE_CHOOSE(slides, (Four)((Bits)(e1 * norm) & ~turns), d1);
}

// --- the active set ------------------------------------------------------------------------------

// (V34): impulse and Hessian of the normal law with the active set `acts`; `next` is the set that
// they ask for. A point without vbar has its own law, and is in no set.
LOOP_FN void lane_if_active(const double *block, const Four *n, const Bits *acts, LaneLaw *out,
                            Bits *next) {
    const Four zero = {0}, endless = {INFINITY, INFINITY, INFINITY, INFINITY};
    Four force = LANE(block, LITHE_LANE_FORCE), vbar = LANE(block, LITHE_LANE_VBAR);
    Four max = 0.5 * force /
               (LANE(block, LITHE_LANE_STIFFNESS) + LANE(block, LITHE_LANE_DISSIPATION) * force);
    Four low = LANE_CHOOSE(*n < max, *n, max), open = LANE_CHOOSE(*n > vbar, *n, vbar);
    Four at = LANE_CHOOSE(*acts, LANE_CHOOSE(low > -max, low, -max), open);
    Bits closing = *acts & ~(Bits)(force > zero), bounded = (Bits)(vbar < endless);
    for (int i = 0; i < 4; i++)
        if (closing[i])
            at[i] = nextafter(vbar[i], -INFINITY);
    at = LANE_CHOOSE(bounded, at, *n);
    lane_normal(block, &at, out);
    out->impulse[2] -= out->zz * (*n - at);
    *next = bounded & ((*acts & (Bits)(out->impulse[2] > zero)) | (~*acts & (Bits)(*n < vbar)));
}

// the law with the set of the lanes, or with `finds` after its change; sums: points that can be
// active, points that have changed
LOOP_FN void lane_active(bool finds, const Four *v, double *block, LaneLaw *law, int32_t *changed) {
    Bits before = (Bits)LANE(block, LITHE_LANE_IS_ACTIVE), next, ignored;
    lane_if_active(block, &v[2], &before, law, &next);
    Bits differs = next ^ before;
    if (!finds || (differs[0] | differs[1] | differs[2] | differs[3]) == 0)
        return;
    for (int i = 0; i < 4; i++)
        *changed += differs[i] != 0;
    STORE_LANE(block, LITHE_LANE_IS_ACTIVE) = (Four)next;
    lane_if_active(block, &v[2], &next, law, &ignored);
}

// (V36): from impulses at v to those at v + lead, and their directions
LOOP_FN void lane_lead(double *block, LaneLaw *law) {
    const Four zero = {0};
    Four lead0 = LANE(block, LITHE_LANE_LEAD), lead1 = LANE(block, LITHE_LANE_LEAD + 1);
    Four bound = LANE(block, LITHE_LANE_BOUND);
    Bits leads = (Bits)(lead0 != zero) | (Bits)(lead1 != zero), slides = (Bits)(bound > zero);
    Four d0 = (Four)((Bits)(-law->impulse[0] / bound) & slides);
    Four d1 = (Four)((Bits)(-law->impulse[1] / bound) & slides);
    STORE_LANE(block, LITHE_LANE_SLIP) = LANE_CHOOSE(leads, d0, LANE(block, LITHE_LANE_SLIP));
    STORE_LANE(block, LITHE_LANE_SLIP + 1) =
        LANE_CHOOSE(leads, d1, LANE(block, LITHE_LANE_SLIP + 1));
    law->impulse[0] -= law->xx * lead0 + law->xy * lead1;
    law->impulse[1] -= law->xy * lead0 + law->yy * lead1;
}

// --- products with J -----------------------------------------------------------------------------

// v += J u
LOOP_FN void lane_velocity(int32_t width, const double *J, const double *u, Four *v) {
    Four a = v[0], b = v[1], d = v[2];
    for (int32_t j = 0; j < width; j++) {
        Four all = REPEATED(u + j);
        a = LOOP_FMA(a, FOUR(J + 4 * j), all);
        b = LOOP_FMA(b, FOUR(J + 4 * (width + j)), all);
        d = LOOP_FMA(d, FOUR(J + 4 * (2 * width + j)), all);
    }
    v[0] = a, v[1] = b, v[2] = d;
}

// sum [width] += J' x
LOOP_FN void lane_gather(int32_t width, const double *J, const Four *x, Four *sum) {
    for (int32_t j = 0; j < width; j++) {
        Four one = LOOP_FMA(sum[j], FOUR(J + 4 * j), x[0]);
        one = LOOP_FMA(one, FOUR(J + 4 * (width + j)), x[1]);
        sum[j] = LOOP_FMA(one, FOUR(J + 4 * (2 * width + j)), x[2]);
    }
}

// sum, a lower triangle, += J' G J
LOOP_FN void lane_term(int32_t width, const double *J, const LaneLaw *law, Four *sum) {
    for (int32_t row = 0; row < width; row++) {
        Four a = FOUR(J + 4 * row), b = FOUR(J + 4 * (width + row));
        Four x = LOOP_FMA(law->xx * a, law->xy, b), y = LOOP_FMA(law->xy * a, law->yy, b);
        Four z = law->zz * FOUR(J + 4 * (2 * width + row));
        for (int32_t j = 0; j <= row; j++, sum++) {
            Four one = LOOP_FMA(*sum, x, FOUR(J + 4 * j));
            one = LOOP_FMA(one, y, FOUR(J + 4 * (width + j)));
            *sum = LOOP_FMA(one, z, FOUR(J + 4 * (2 * width + j)));
        }
    }
}

// --- one sweep -----------------------------------------------------------------------------------

// sums over the points of a group
typedef struct LaneSums {
    Four cost, slope, curvature;
    Bits nonzero;
    int32_t changed;
    Four sum[LITHE_GROUP_WIDTH], push[LITHE_GROUP_WIDTH];
    Four matrix[LITHE_GROUP_WIDTH * (LITHE_GROUP_WIDTH + 1) / 2];
} LaneSums;

// dv = J u, the directions of friction, then v += dv
LOOP_FN void lane_along(int32_t width, const double *J, const double *u, const LitheLaneJob *job,
                        bool leads, double *block, Four *v, LaneSums *all) {
    const Four zero = {0};
    Four dv[3] = {zero, zero, zero};
    LaneSlide slide;
    lane_slide(block, v, &slide);
    lane_velocity(width, J, u, dv);
    if (job->pushes) {
        LaneLaw law;
        lane_load(block, &law);
        lane_bend(block, &slide, &law);
        Four push[3] = {law.xx * dv[0] + law.xy * dv[1], law.xy * dv[0] + law.yy * dv[1],
                        law.zz * dv[2]};
        lane_gather(width, J, push, all->push);
    }
    if (leads) {
        dv[0] += LANE(block, LITHE_LANE_LEAD);
        dv[1] += LANE(block, LITHE_LANE_LEAD + 1);
        STORE_LANE(block, LITHE_LANE_LEAD) = STORE_LANE(block, LITHE_LANE_LEAD + 1) = zero;
    }
    lane_slip(v, dv, &slide, block);
    for (int k = 0; k < 3; k++) {
        v[k] += dv[k];
        STORE_LANE(block, LITHE_LANE_DV + k) = dv[k];
        STORE_LANE(block, LITHE_LANE_V + k) = v[k];
    }
}

// cost, and its derivatives along dv
LOOP_FN void lane_measure(const double *block, const Four *at, const LaneSlide *slide,
                          const LaneLaw *law, LaneSums *all) {
    Four dv[3] = {LANE(block, LITHE_LANE_DV), LANE(block, LITHE_LANE_DV + 1),
                  LANE(block, LITHE_LANE_DV + 2)};
    lane_cost(block, at, slide, &all->cost);
    for (int k = 0; k < 3; k++)
        all->slope -= law->impulse[k] * dv[k];
    all->curvature += dv[0] * (law->xx * dv[0] + law->xy * dv[1]);
    all->curvature += dv[1] * (law->xy * dv[0] + law->yy * dv[1]);
    all->curvature += dv[2] * (law->zz * dv[2]);
}

LOOP_FN void lane_block(int32_t width, const double *J, const double *u, const LitheLaneJob *job,
                        bool leads, double *block, LaneSums *all) {
    Four v[3] = {LANE(block, LITHE_LANE_V), LANE(block, LITHE_LANE_V + 1),
                 LANE(block, LITHE_LANE_V + 2)};
    LaneSlide slide;
    LaneLaw law;
    if (job->velocity == LITHE_LANE_V_ALONG) {
        lane_along(width, J, u, job, leads, block, v, all);
    } else if (job->velocity == LITHE_LANE_V_OF_X) {
        for (int k = 0; k < 3; k++)
            v[k] = LANE(block, LITHE_LANE_BIAS + k);
        lane_velocity(width, J, u, v);
        for (int k = 0; k < 3; k++)
            STORE_LANE(block, LITHE_LANE_V + k) = v[k];
    }
    if (job->length != 0)
        for (int k = 0; k < 3; k++)
            v[k] += job->length * LANE(block, LITHE_LANE_DV + k);
    if (job->law == LITHE_LANE_LAW_KEPT) {
        lane_load(block, &law);
        if (job->terms)
            lane_slide(block, v, &slide);
    } else {
        lane_slide(block, v, &slide);
        lane_friction(block, &slide, &law);
        if (job->law == LITHE_LANE_LAW_EXACT) {
            lane_normal(block, &v[2], &law);
            lane_measure(block, v, &slide, &law, all);
        } else {
            lane_active(job->law == LITHE_LANE_LAW_ACTIVE, v, block, &law, &all->changed);
            if (leads && job->law == LITHE_LANE_LAW_GIVEN)
                lane_lead(block, &law);
        }
        lane_store(&law, block);
    }
    if (job->sums)
        lane_gather(width, J, law.impulse, all->sum);
    if (job->terms) {
        lane_bend(block, &slide, &law);
        all->nonzero |= (Bits)(law.xx != 0) | (Bits)(law.yy != 0) | (Bits)(law.zz != 0);
        lane_term(width, J, &law, all->matrix);
    }
}

LOOP_FN void lane_group(LitheSystem *s, LitheGroup *g, int32_t width, const LitheLaneJob *job,
                        double *sums) {
    const double *J = s->group_jacobian + g->jacobian_at;
    double *block = s->group_lanes + g->lane_at, u[LITHE_GROUP_WIDTH];
    int32_t size = width * (width + 1) / 2;
    LaneSums all;
    all.cost = all.slope = all.curvature = (Four){0};
    all.nonzero = (Bits){0};
    all.changed = 0;
    for (int32_t j = 0; j < width; j++)
        all.sum[j] = all.push[j] = (Four){0};
    for (int32_t j = 0; job->terms && j < size; j++)
        all.matrix[j] = (Four){0};
    if (job->velocity != LITHE_LANE_V_KEPT)
        gather_dofs(s, g, job->x, u);
    for (int32_t i = 0; i < g->count; i += 4, J += (ptrdiff_t)12 * width, block += LITHE_LANE_SIZE)
        lane_block(width, J, u, job, g->leads, block, &all);
    g->leads = g->leads && job->velocity != LITHE_LANE_V_ALONG;
    if (job->sums)
        put_sums(g, width, all.sum, s->group_sums + g->sum_at);
    if (job->pushes)
        put_sums(g, width, all.push, s->group_pushes + g->sum_at);
    if (job->terms) {
        put_matrix(g, width, all.matrix, s->group_matrix + g->matrix_at);
        g->is_nonzero = (all.nonzero[0] | all.nonzero[1] | all.nonzero[2] | all.nonzero[3]) != 0;
    }
    if (job->law == LITHE_LANE_LAW_EXACT) {
        sums[0] += whole(&all.cost);
        sums[1] += whole(&all.slope);
        sums[2] += whole(&all.curvature);
    } else if (job->law != LITHE_LANE_LAW_KEPT) {
        sums[0] += g->count;
        sums[1] += all.changed;
    }
}

LOOP_TARGET static void kernel_lanes(LitheSystem *s, LitheGroup *g, const LitheLaneJob *job,
                                     double *sums) {
    if (g->used == EDGE_WIDTH)
        lane_group(s, g, EDGE_WIDTH, job, sums);
    else
        lane_group(s, g, g->used, job, sums);
}

#endif
