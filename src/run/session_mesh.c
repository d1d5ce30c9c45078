// SPDX-License-Identifier: Apache-2.0
// run/session_mesh.c - the errors that meshes make in a run
//
// At the frames at which a unit with a mesh has stored most elastic energy so far, and at the end,
// its error is estimated ((S70) of docs/theory/solids.md). An estimate costs about as much as
// recording a stress: it is made again only where the energy has grown enough to matter.

#include "run/session.h"

#include "base/log.h"
#include "base/memory.h"
#include "body/unit.h"
#include "data/model.h"
#include "data/thing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// growth of the energy that is worth another estimate
#define GROWN 1.5
// the share of the deflection that may be missing without a warning
#define SMALL_SHARE 0.02

bool lithe_session_open_meshes(LitheSession *session) {
    session->meshes =
        lithe_alloc_array(session->context, session->model->unit_count, sizeof *session->meshes);
    lithe_session_clear_meshes(session);
    return session->meshes != NULL;
}

void lithe_session_clear_meshes(LitheSession *session) {
    for (int32_t i = 0; session->meshes && i < session->model->unit_count; i++)
        session->meshes[i] = (LitheMeshError){.share = NAN};
}

static bool is_of(const LitheContactSide *side, LitheThing thing) {
    return side->thing.kind == thing.kind && side->thing.number == thing.number;
}

// contacts of a thing that have a force
static int32_t touching(const LitheWork *work, LitheThing thing) {
    int32_t count = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(work); i++) {
        LitheContactForce found = lithe_work_contact(work, i);
        bool own = is_of(&found.contact.a, thing) || is_of(&found.contact.b, thing);
        count += own && (found.force.x != 0 || found.force.y != 0 || found.force.z != 0);
    }
    return count;
}

// what contacts say of an estimate: the larger of both errors
static void widen(const LitheSession *session, LitheThing thing, LitheMeshError *known) {
    known->touch = touching(session->work, thing);
    double narrow = known->touch > 0 ? lithe_session_narrow(session, thing, known) : 0;
    known->share = fmax(known->share, narrow / (narrow + known->energy));
}

void lithe_session_judge_meshes(LitheSession *session, bool over) {
    const LitheModel *model = session->model;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        LitheMeshError *known = &session->meshes[i];
        double least = (over ? 1 : GROWN) * known->energy;
        if (ops->mesh_error && ops->mesh_error(model, i, session->state, least, known))
            widen(session, model->units[i].thing, known);
    }
}

// Only of displacements that are free between the nodes is it known that the mesh is too stiff: a
// contact at nodes lets the surface between them pass, and a mean volume leaves modes free.
static void put_sign(const LitheMeshError *own, size_t size, char *out) {
    if (own->touch > 0)
        snprintf(out, size, ", or too soft by as much (it touches at %d places)", own->touch);
    else
        snprintf(out, size, "%s",
                 own->mean ? ", or too soft by as much (its elements share their volume)" : "");
}

void lithe_session_report_meshes(LitheSession *session) {
    const LitheModel *model = session->model;
    for (int32_t i = 0; session->meshes && i < model->unit_count; i++) {
        const LitheMeshError *own = &session->meshes[i];
        char much[32] = "more than 100 %", sign[80];
        if (!(own->share > SMALL_SHARE))
            continue;
        if (own->share < 0.5)
            snprintf(much, sizeof much, "about %.2g %%", 100 * own->share / (1 - own->share));
        put_sign(own, sizeof sign, sign);
        // shares fall with the size to the power of twice the order
        double factor = pow(SMALL_SHARE / own->share, 0.5 / own->order);
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "solid '%s' is too stiff by %s%s, because its mesh of %s elements is coarse "
                  "(estimated from its strains at %.6g s; small is below %g %%): %selements %.2g "
                  "times as long help (`resolution`, `divisions`)",
                  lithe_thing_name(model, model->units[i].thing), much, sign,
                  own->order == 1 ? "linear" : "quadratic", own->time, 100 * SMALL_SHARE,
                  own->order == 1 ? "`quadratic: true` or " : "", factor);
    }
}

void lithe_session_sum_meshes(const LitheSession *session, LitheSummary *summary) {
    const LitheModel *model = session->model;
    summary->mesh_error = NAN;
    for (int32_t i = 0; session->meshes && i < model->unit_count; i++) {
        double share = session->meshes[i].share;
        if (!(share >= 0) || summary->mesh_error >= share)
            continue;
        summary->mesh_error = share;
        summary->mesh_error_stiff = session->meshes[i].touch == 0 && !session->meshes[i].mean;
        snprintf(summary->mesh_error_solid, sizeof summary->mesh_error_solid, "%s",
                 lithe_thing_name(model, model->units[i].thing));
    }
}
