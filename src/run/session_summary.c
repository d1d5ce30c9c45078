// SPDX-License-Identifier: Apache-2.0
// run/session_summary.c - the summary of a run, from its totals and its last state

#include "run/session.h"

#include "base/clock.h"
#include "body/strength.h"
#include "data/model.h"
#include "data/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lithe_session_sums(const LitheTotals *totals, LitheSummary *summary) {
    summary->steps = totals->steps;
    summary->dofs = totals->dofs;
    summary->steps_unconverged = totals->steps_unconverged;
    summary->hessians_corrected = totals->hessians_corrected;
    summary->contacts_max = totals->contacts_max;
    summary->solve_unconverged = totals->solve_unconverged;
    summary->friction_unsettled = totals->friction_unsettled;
    summary->constraints_broken = totals->constraints_broken;
    summary->pairs_unserved = totals->pairs_unserved;
    summary->steps_cut = totals->steps_cut;
    summary->steps_rejected = totals->rejected;
    for (int i = 0; i < LITHE_LIMIT_COUNT; i++)
        summary->limits[i] = totals->limits[i];
    summary->step_shortest = totals->shortest;
    summary->step_longest = totals->longest;
    summary->crossings_avoided = totals->crossings;
    summary->pieces_held = totals->held;
    summary->pieces_softened = totals->softened;
    summary->contacts_stiffened = totals->stiffened;
    summary->topology_changes = totals->topology_changes;
    memcpy(summary->topology_first, totals->topology_first, sizeof summary->topology_first);
    summary->max_penetration = totals->deepest;
    summary->energy_drift = NAN;
    summary->mesh_error = NAN;
    summary->energy_gain = totals->monitor.gain;
    memcpy(summary->scheme, totals->scheme.scheme, sizeof summary->scheme);
    summary->step = totals->scheme.step;
    summary->steps_guarded = totals->scheme.guarded;
    summary->steps_calmed = totals->scheme.calmed;
    summary->steps_by_euler = totals->scheme.euler;
    summary->steps_gained = totals->scheme.gained;
    if (totals->coupled_steps > 0) {
        summary->passes_mean = (double)totals->passes / (double)totals->coupled_steps;
        summary->solve_mean = (double)totals->solve_iterations / (double)totals->coupled_steps;
    }
    if (totals->steps > 0) {
        summary->newton_mean = (double)totals->newton_iterations / (double)totals->steps;
        summary->contacts_mean = (double)totals->contacts / (double)totals->steps;
        // without energy there is no drift
        summary->energy_drift =
            totals->energy_scale > 0 ? totals->energy_error / totals->energy_scale : 0;
    }
}

static void set_peak(const LithePeakAt *at, const LitheStrength *of, LithePeak *out) {
    *out = (LithePeak){.unit = of->unit,
                       .value = at->fraction * of->limit,
                       .limit = of->limit,
                       .time = at->time,
                       .node = (int32_t)at->node};
    snprintf(out->rod, sizeof out->rod, "%s", of->name);
}

static void set_peaks(const LitheModel *model, const LitheMonitor *monitor, LitheSummary *summary) {
    if (monitor->strain.fraction > 0) {
        LitheStrength of = lithe_strength_of_strain(model, &monitor->strain);
        set_peak(&monitor->strain, &of, &summary->strain);
    }
    if (monitor->stress.fraction > 0) {
        LitheStrength of = lithe_strength_of_stress(model, &monitor->stress);
        set_peak(&monitor->stress, &of, &summary->stress);
    }
}

void lithe_session_summary(const LitheSession *session, LitheSummary *summary) {
    *summary =
        (LitheSummary){.wall_seconds = lithe_clock() - session->began,
                       .frames = session->frames,
                       .peak_memory_bytes = (int64_t)lithe_context_peak_bytes(session->context)};
    lithe_session_sums(&session->totals, summary);
    for (int32_t i = 0; i < LITHE_STAGE_COUNT && session->work; i++)
        summary->stages[i] = lithe_work_seconds(session->work, (LitheStage)i);
    if (!session->state)
        return;
    summary->sim_seconds = lithe_state_time(session->state);
    summary->wait_seconds = session->waited;
    summary->rate = (summary->sim_seconds - session->began_time) /
                    fmax(summary->wall_seconds - session->waited, 1e-9);
    summary->hash = lithe_state_hash(session->state);
    summary->unstable = session->unstable;
    summary->steps_unstable = session->steps_unstable;
    summary->inverted = session->inverted;
    summary->steps_inverted = session->steps_inverted;
    lithe_session_sum_meshes(session, summary);
    summary->is_static = session->model->time.scheme == LITHE_SCHEME_STATIC;
    set_peaks(session->model, &session->totals.monitor, summary);
}
