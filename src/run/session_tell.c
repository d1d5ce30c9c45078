// SPDX-License-Identifier: Apache-2.0
// run/session_tell.c - word of what happened: knots and links that changed, what broke, what is
// without contact

#include "run/session.h"

#include "base/log.h"
#include "data/model.h"

#include <string.h>

// a run that comes apart changes at every frame: the first changes tell enough
#define CHANGES_TOLD 10

// Something passed through something, or an end through a loop.
void lithe_session_tell_change(const LitheTopologyChange *change, void *user) {
    LitheSession *session = user;
    LitheTotals *totals = &session->totals;
    char text[256] = ""; // all of it goes into checkpoints
    lithe_topology_text(session->model, change, text, sizeof text);
    if (!change->harmless && totals->topology_changes++ == 0)
        memcpy(totals->topology_first, text, sizeof text);
    if (session->changes_told++ < CHANGES_TOLD)
        lithe_log(session->context, change->harmless ? LITHE_LOG_INFO : LITHE_LOG_WARNING, "%s%s",
                  text,
                  change->harmless ? ": an end went through a loop, or a loop round an end" : "");
}

void lithe_session_tell_broken(LitheSession *session) {
    const LitheModel *model = session->model;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        if (session->broken_told[i] ||
            !lithe_constraint_broken(model, session->state, (LitheConstraintId){i + 1}))
            continue;
        session->broken_told[i] = 1;
        lithe_log(session->context, LITHE_LOG_INFO, "at %.6g s constraint '%s' breaks",
                  lithe_state_time(session->state), model->constraints[i].name);
    }
}

void lithe_session_tell_unserved(LitheSession *session) {
    if (session->unserved_told)
        return;
    session->unserved_told = true;
    lithe_log(
        session->context, LITHE_LOG_WARNING,
        "at %.6g s %d pairs of shapes are near each other between which no contact is defined "
        "(two meshes, say): they pass through each other",
        lithe_state_time(session->state), (int)session->report.pairs_unserved);
}
