// SPDX-License-Identifier: Apache-2.0
// body/tree_account.c - losses and work of an articulated tree in a step
//
// Where every DoF is prescribed, the drives do what the energy and the other forces leave:
//     (A1)  work = change of kinetic, elastic and gravity energy + losses - work of couplings
// Impulses times velocities would differ where a velocity jumps: an impulse p changes the kinetic
// energy by p (v0 + w)/2, not by p w. Where some DoFs are prescribed, backward Euler subtracts
//     (A2)  sum over prescribed DoFs of (w - v0) (M (w - v0))/2
// and TR-BDF2 takes, with the weights w, w, d of the forces f0, f1, f2 in a step from v0 to v2,
//     (A3)  sum over prescribed DoFs of h (w f0 + w f1 + d f2) (v0 + v2)/2

#include "body/tree.h"
#include "body/tree_body.h"
#include "law/joint.h"

#include <math.h>

static const LitheTree *tree_of(const LitheModel *model, int32_t unit) {
    return &model->trees[model->units[unit].index];
}

bool lithe_tree_is_prescribed(const LitheTree *tree, const LitheTreeWork *work) {
    for (int32_t k = 0; k < tree->rigid.v_count; k++)
        if (!work->step.held[k])
            return false;
    return tree->drive_count > 0 && tree->rigid.v_count > 0;
}

static double energy_of(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheWork *all) {
    LitheUnitTotals sum = {0};
    lithe_tree_energies(model, unit, state, all, &sum);
    return sum.kinetic + sum.elastic + sum.gravity;
}

// (A2)
static double jump_of(const LitheRigidTree *rigid, const LitheTreeWork *work, const double *v0) {
    int32_t n = rigid->v_count;
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; work->step.held[i] && j < n; j++)
            sum += 0.5 * (work->v[i] - v0[i]) * work->step.mass[(int64_t)n * i + j] *
                   (work->v[j] - v0[j]);
    return sum;
}

// (A3): gathers the impulses of a stage; the work of the step once it is the last one
static double drawn_of(const LitheModel *model, int32_t unit, const LitheWork *all,
                       const LitheTreeWork *work) {
    const LitheTree *tree = tree_of(model, unit);
    const double *start = all->before->v + tree->v_at;
    bool first = isnan(work->start_energy);
    // the sum of the first stage is weighted afterwards (advance/stages.c), impulses here
    double weight = work->plan.h * (first ? LITHE_STAGE_W / LITHE_STAGE_D : 1), sum = 0;
    for (int32_t k = 0; k < tree->rigid.v_count; k++) {
        if (work->step.held[k])
            work->drawn[k] += weight * (work->effort[k] + work->outer[k]);
        sum += 0.5 * work->drawn[k] * (start[k] + work->v[k]);
    }
    return first ? 0 : sum;
}

double lithe_tree_account(const LitheModel *model, int32_t unit, LitheWork *all,
                          LitheState *state) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    const double *v0 = state->v + tree->v_at;
    double *sums = state->sums + 2 * (int64_t)unit, h = work->plan.h, lost = 0, done = 0, taken = 0;
    bool staged = work->plan.velocity != NULL, first = staged && isnan(work->start_energy);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        int32_t count = lithe_link_dof_count(link);
        for (int32_t c = link->v_at; c < link->v_at + count; c++) {
            double w = work->middle ? 0.5 * (v0[c] + work->v[c]) : work->v[c];
            if (first)
                all->stage.damping[tree->v_at + c] += link->damping * w;
            else
                lost += h * link->damping * w * w;
            if (!staged || !work->step.held[c])
                done += h * (work->effort[c] + work->outer[c]) * w;
            if (all->units[unit].coupled)
                taken += h * (work->push[c] - work->outer[c]) * w;
        }
    }
    if (first)
        lost = lithe_first_stage_losses(all, tree->v_at, rigid->v_count, h, work->v);
    sums[0] += lost;
    if (lithe_tree_is_prescribed(tree, work)) {
        sums[1] += lost - taken;
        return isnan(work->start_energy)
                   ? 0
                   : energy_of(model, unit, work->plan.velocity ? all->before : state, all);
    }
    sums[1] += done;
    if (staged)
        sums[1] += drawn_of(model, unit, all, work);
    else if (!work->middle)
        sums[1] -= jump_of(rigid, work, v0);
    return 0;
}

void lithe_tree_account_end(const LitheModel *model, int32_t unit, LitheWork *all, double start,
                            LitheState *state) {
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    if (!isnan(work->start_energy) && lithe_tree_is_prescribed(tree_of(model, unit), work))
        state->sums[2 * (int64_t)unit + 1] += energy_of(model, unit, state, all) - start; // (A1)
}
