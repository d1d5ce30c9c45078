// SPDX-License-Identifier: Apache-2.0
// solve/path_ties.c - forces of near-rigid constraints and limits of joints in a step by arc
// length
//
// Their stiffness G is up to 1e12 times that of what they tie. The force that an error e of such a
// row would give is no force: after a long displacement it is of second order in this times G, and
// close to the equilibrium it is the rounding of positions times G. So the forces lambda are
// unknowns of the iteration,
//     (Q20)  lambda <- lambda + G (e + J w + d de/dt),  one-sided ones >= 0
// with the displacement w and the change of time d, whose right side is that of springs G with the
// errors e. A one-sided row acts where lambda + G e > 0 at the state at which K is made; else its
// lambda is 0. In balance is what -f + J'lambda leaves, and K has the geometric stiffness of
// lambda.

#include "solve/path_ties.h"

#include "assemble/assemble.h"
#include "base/memory.h"
#include "law/term.h"
#include "solve/coupled.h"
#include "solve/loops.h"

#include <math.h>
#include <string.h>

static bool is_tie(const LitheCoupling *c) {
    return c->source == LITHE_SOURCE_CONSTRAINT || c->source == LITHE_SOURCE_LIMIT;
}

bool lithe_path_ties_note(LithePathTies *ties, const LitheSystem *s, double dt) {
    bool same = dt != 0 && ties->count == s->coupling_count;
    ties->count = s->coupling_count;
    if (!LITHE_RESERVE(s->context, ties->v, ties->capacity,
                       LITHE_COUPLED_ROWS * (int64_t)ties->count) ||
        !LITHE_RESERVE(s->context, ties->acts, ties->acts_capacity, (int64_t)ties->count + 1))
        return false;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        double *v = ties->v + LITHE_COUPLED_ROWS * (int64_t)i;
        for (int32_t k = 0; is_tie(c) && k < c->term.rows; k++) {
            double now = c->v[k] - c->term.vhat[k];
            v[k] = dt == 0 ? now : same ? (v[k] - now) / dt : 0;
        }
    }
    return true;
}

bool lithe_path_ties_keep(LithePathTies *ties, const LitheAssembly *all, LitheSystem *s) {
    bool any = false;
    ties->error = 0;
    ties->loose = false;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        LitheCoupling *c = &s->couplings[i];
        double kept[LITHE_COUPLED_ROWS];
        if (!lithe_coupling_kept(all, s, c, kept))
            continue;
        any = true;
        ties->acts[i] = c->term.kind != LITHE_TERM_LIMIT || c->impulse[0] > 0;
        ties->loose |= !ties->acts[i] && kept[0] > 0;
        for (int32_t k = 0; k < c->term.rows; k++) {
            ties->error = fmax(ties->error, fabs(c->impulse[k] - kept[k]) / c->term.G[k]);
            c->impulse[k] = kept[k];
        }
    }
    if (any)
        s->has_pushed = false;
    return any;
}

bool lithe_path_ties_follow(const LithePathTies *ties, const LitheAssembly *all, LitheState *state,
                            const double *w, double d, LitheSystem *s) {
    LitheReport none = {0};
    bool any = false;
    for (int32_t i = 0; i < s->coupling_count; i++)
        any |= is_tie(&s->couplings[i]);
    if (!any)
        return true;
    lithe_loop_respond(s, w);
    for (int32_t i = 0; i < s->coupling_count; i++) {
        LitheCoupling *c = &s->couplings[i];
        const double *rate = ties->v + LITHE_COUPLED_ROWS * (int64_t)i;
        if (!is_tie(c))
            continue;
        for (int32_t k = 0; k < c->term.rows; k++)
            c->v[k] += rate[k] * d;
        lithe_term_cost(&c->term, c->v, c->impulse, NULL);
        // K is without what does not act: how far w goes beyond it is no force
        if (c->term.kind == LITHE_TERM_LIMIT && !ties->acts[i])
            c->impulse[0] = 0;
    }
    lithe_coupled_note_constraints(all->model, state, all->plan, s, &none);
    return lithe_limits_keep(s);
}

void lithe_path_ties_release(LithePathTies *ties, LitheContext *context) {
    lithe_free(context, ties->v);
    lithe_free(context, ties->acts);
    *ties = (LithePathTies){0};
}
