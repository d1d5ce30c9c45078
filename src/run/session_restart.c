// SPDX-License-Identifier: Apache-2.0
// run/session_restart.c - restarts a run from its first state, with an empty journal

#include "run/session.h"

#include "advance/monitor.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"

#include <string.h>
#include <unistd.h>

LitheStatus lithe_session_keep_first(LitheSession *session, LitheError *error) {
    session->first = lithe_state_copy(session->state);
    return session->first ? LITHE_OK : lithe_fail_memory(error, "the first state");
}

LitheStatus lithe_session_restart(LitheSession *session, LitheError *error) {
    lithe_state_set(session->state, lithe_state_data(session->first));
    session->report = (LitheReport){0};
    session->totals = (LitheTotals){.framed_step = -1, .dofs = session->totals.dofs};
    lithe_totals_set_scheme(session->model, &session->totals);
    lithe_monitor_begin(session->model, session->state, &session->totals.monitor);
    session->frames = 0;
    session->grab = (LitheGrab){0};
    session->steps_made = 0;
    session->changes_reported = 0;
    session->joined_reported = false;
    session->unsupported_reported = false;
    session->astray_reported = false;
    session->poke_reported = false;
    session->deep = (LitheDeepPairs){0};
    memset(session->limit_reported, 0, (size_t)session->model->joint_count);
    memset(session->broken_reported, 0, (size_t)session->model->constraint_count);
    for (int32_t i = 0; i < session->model->pose_drive_count; i++)
        session->missed[i] = (LitheMissed){0};
    lithe_session_clear_meshes(session);
    lithe_topology_restart(&session->topology);
    session->saved_time = 0;
    if (session->out) {
        // the checkpoint belongs to frames that are removed
        unlink(session->checkpoint_path);
        lithe_journal_rewind(&session->journal);
        LitheStatus status = lithe_journal_truncate(&session->journal, error);
        if (status != LITHE_OK)
            return status;
    }
    return lithe_session_take_frame(session, NULL, error);
}
