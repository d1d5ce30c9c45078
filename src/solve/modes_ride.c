// SPDX-License-Identifier: Apache-2.0
// solve/modes_ride.c - geometric stiffness of nodes that ride on bodies
//
// The forces r_s on riders act on the DoFs of their body by J_s' r_s (W4). J_s turns with the body,
// which adds to the stiffness
//     (Q16)  K_mm += sum over riders s of d(J_s' r_s)/dq_m,   r_s fixed
// by central differences. A solid that hangs from a body on a hinge is a pendulum by it.

#include "solve/modes_world.h"

#include "assemble/assemble.h"
#include "base/memory.h"
#include "body/unit.h"

#include <string.h>

// displacement of the differences [m or rad]
#define DIFFERENCE 1e-6

static bool carries(const LitheUnit *unit) {
    return unit->rides && unit->rider_count == 0;
}

static const LitheStepPlan *plan_at(const LitheState *state, LitheStepPlan *plan) {
    *plan = (LitheStepPlan){
        .time = lithe_load_time(state), .h = 1, .a = 1, .inverse_a = 1, .c = 1, .still = true};
    return plan;
}

// work->before = the state with one DoF of a carrier displaced, and its riders with it; Jacobians
// there
static bool displace(const LitheModel *model, const LitheState *state, LitheWork *work,
                     int32_t carrier, int64_t dof, double by) {
    const LitheUnitOps *ops = lithe_unit_ops(model, carrier);
    LitheUnitWork *own = &work->units[carrier];
    LitheStepPlan plan;
    memcpy(work->before->data, state->data, (size_t)state->size * sizeof(double));
    if (!ops->begin(model, carrier, state, plan_at(state, &plan), work))
        return false;
    memset(own->w, 0, (size_t)own->dof_count * sizeof(double));
    memset(own->r, 0, (size_t)own->dof_count * sizeof(double));
    own->w[dof] = by;
    if (!ops->end(model, carrier, work, work->before))
        return false;
    lithe_riders_place(model, work->before);
    LitheAssembly all = {model, work->before, work->contacts, &plan, work};
    if (!ops->begin(model, carrier, work->before, &plan, work))
        return false;
    if (ops->prepare)
        ops->prepare(model, carrier, work);
    return lithe_rides_begin(&all, work->system);
}

static LitheStatus turn_carrier(const LitheModel *model, const LitheState *state, LitheWork *work,
                                int32_t carrier, double *turned, LitheError *error) {
    int64_t n = model->units[carrier].v_count;
    for (int64_t d = 0; d < n; d++)
        for (int side = -1; side <= 1; side += 2) {
            if (work->units[carrier].held[d])
                continue;
            if (!displace(model, state, work, carrier, d, side * DIFFERENCE))
                return lithe_fail(error, LITHE_CANNOT_GO_ON, "'%s' cannot be displaced",
                                  model->units[carrier].name);
            lithe_rides_push(model, work->system, work, carrier, side / (2 * DIFFERENCE),
                             turned + n * d);
        }
    return LITHE_OK;
}

LitheStatus lithe_ride_stiffness(const LitheModel *model, const LitheState *state, LitheWork *work,
                                 double **out, LitheError *error) {
    int64_t count = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        count += carries(&model->units[i]) ? model->units[i].v_count * model->units[i].v_count : 0;
    double *turned = *out = lithe_alloc_array(work->context, count + 1, sizeof *turned);
    if (!turned)
        return lithe_fail_memory(error, "the stiffness of welded nodes");
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < model->unit_count; i++)
        if (carries(&model->units[i])) {
            status = turn_carrier(model, state, work, i, turned, error);
            turned += model->units[i].v_count * model->units[i].v_count;
        }
    return status;
}

void lithe_ride_stiffness_add(const LitheModel *model, const LitheSystem *system,
                              const double *turned, double *values) {
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t i = 0; i < model->unit_count; i++) {
        int64_t n = model->units[i].v_count;
        if (!carries(&model->units[i]))
            continue;
        int32_t node = system->first_node[i], at = system->node_at[node];
        double *block = values + m->value_at[m->start[node]];
        for (int64_t c = 0; c < n; c++)
            for (int64_t r = c; r < n; r++) // the lower triangle of the symmetric part
                if (!system->held[at + r] && !system->held[at + c])
                    block[n * c + r] += 0.5 * (turned[n * c + r] + turned[n * r + c]);
        turned += n * n;
    }
}
