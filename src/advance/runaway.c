// SPDX-License-Identifier: Apache-2.0
// advance/runaway.c - a step that takes more work than it may: what ran away

#include "advance/runaway.h"

#include "advance/search.h"
#include "base/status.h"
#include "body/solid.h"
#include "data/thing.h"

#include <math.h>
#include <stdio.h>

// The unit whose velocities grew most in a step that was given up, with its largest velocity there
// and at the start: at the last part that was made, or where none was, of the last iterate.
static int32_t find_runaway(const LitheModel *model, const LitheState *start, const LitheWork *work,
                            bool iterate, double *now, double *from) {
    int32_t worst = -1;
    *now = *from = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        const double *v = iterate ? work->units[i].w : work->before->v + unit->v_at;
        double fast = 0, was = 0;
        for (int64_t k = 0; k < unit->v_count; k++) {
            bool known = k < work->units[i].dof_count && fabs(v[k]) < INFINITY;
            fast = known ? fmax(fast, fabs(v[k])) : fast;
            was = fmax(was, fabs(start->v[unit->v_at + k]));
        }
        if (worst >= 0 && !(fast - was > *now - *from))
            continue;
        worst = i;
        *now = fast;
        *from = was;
    }
    return worst;
}

// ", and the volume of cavity 'air' goes from 1 to 3 m^3" for the hollow whose volume changes most,
// where it changes by a tenth of itself; else "".
static const char *hollow_text(const LitheModel *model, const LitheState *start,
                               const LitheWork *work, bool iterate, char *text, size_t size) {
    double most = 0.1;
    text[0] = '\0';
    for (int32_t i = 0; i < model->cavity_count; i++) {
        LitheCavityId id = {i + 1};
        double from = lithe_cavity_volume(model, start, id);
        // at the last part that was made, or where none was, as far as the last iterate would come
        // in a hundredth of the step
        double to = lithe_cavity_volume(model, work->before, id);
        bool known =
            !iterate || lithe_cavity_ahead(model, start, work, 0.01 * model->time.step, id, &to);
        double change = (to - from) / from * (iterate ? 100 : 1);
        if (!known || !(fabs(change) > most))
            continue;
        most = fabs(change);
        if (iterate)
            snprintf(text, size,
                     ", and the volume of cavity '%.100s', %.3g m^3, changes by %.3g m^3/s",
                     lithe_cavity_name(model, id), from, 100 * (to - from) / model->time.step);
        else
            snprintf(text, size, ", and the volume of cavity '%.100s' goes from %.3g to %.3g m^3",
                     lithe_cavity_name(model, id), from, to);
    }
    return text;
}

LitheStatus lithe_runaway_fail(const LitheModel *model, const LitheState *start,
                               const LitheWork *work, const LitheReport *report,
                               LitheError *error) {
    double now, from;
    char hollow[240];
    if (model->time.scheme == LITHE_SCHEME_STATIC)
        return lithe_search_fail_work(model, start, work, report, error);
    int32_t worst = find_runaway(model, start, work, report->pieces == 0, &now, &from);
    return lithe_fail(
        error, LITHE_CANNOT_GO_ON,
        "the step of %g s that starts at t = %g s takes more work than time.max-work = %d "
        "iterations (%d parts were made, %d repeated): %s '%s' has reached %.3g m/s or rad/s, from "
        "%.3g at its start%s: "
        "is a force, stiffness or unit wrong? A smaller step or a larger max-work may help",
        model->time.step, start->clock[0], (int)model->time.max_work, (int)report->pieces,
        (int)report->rejected,
        worst < 0 ? "thing" : lithe_thing_word(model->units[worst].thing.kind),
        worst < 0 ? "" : lithe_thing_name(model, model->units[worst].thing), now, from,
        hollow_text(model, start, work, report->pieces == 0, hollow, sizeof hollow));
}
