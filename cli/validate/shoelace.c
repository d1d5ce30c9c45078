// SPDX-License-Identifier: Apache-2.0
// cli/validate/shoelace.c - two hands tie a shoelace
//
// The scene scenes/shoelace.yaml, by patches and by points. What must hold by patches: no lace
// passes through another, by a check that shares no code with the certificate; the loops are tied
// by a half-knot, the free ends by none; and the bow rests. Points are reported as they come out.

#include "cli/validate/passing.h"
#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

enum { FRAMES = 400, LACES = 2, NODES = 100 };

#define STEP 2e-3   // s
#define END 8.0     // s
#define FRAME 20e-3 // s
#define LEFT 7.0    // s when the hands have left
#define PINCHED 5.3 // s from when both hands pull what they pinch
#define PULLED 5.9  // s

typedef struct Bow {
    LitheStand stand;
    Passing passing;
    int32_t count;
    double t[FRAMES], force[FRAMES], elastic[FRAMES]; // s, N, J
    int64_t apexes[2], ends[2]; // least and largest determinant once the hands have left
    int32_t signature;          // of the apexes at the end
    double moved;               // of any node in the last second [m]
    Vec3 rest[LACES][NODES];
} Bow;

// force along x, in which the fingers of the right hand close, between the lace and one of its pads
static double pinch_force(const LitheStand *stand) {
    double sum = 0;
    int32_t pad = lithe_thing_number(stand->model, lithe_thing_find(stand->model, "right-a"));
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        int32_t a = lithe_thing_number(stand->model, c.contact.a.thing);
        int32_t b = lithe_thing_number(stand->model, c.contact.b.thing);
        sum += a == pad ? c.force.x : b == pad ? -c.force.x : 0;
    }
    return fabs(sum);
}

static LitheKnotReading knot(LitheTrial *trial, const LitheStand *stand, const char *name) {
    LitheKnotReading now = {0};
    (void)lithe_knot_read(stand->model, stand->state, lithe_knot_find(stand->model, name), &now,
                          &trial->error);
    return now;
}

static void range(int64_t now, int64_t bounds[2]) {
    bounds[0] = now < bounds[0] ? now : bounds[0];
    bounds[1] = now > bounds[1] ? now : bounds[1];
}

static void look(LitheTrial *trial, Bow *b, double time) {
    const LitheStand *stand = &b->stand;
    b->t[b->count] = time;
    b->force[b->count] = pinch_force(stand);
    b->elastic[b->count++] = lithe_energy(stand->model, stand->state).elastic;
    if (time < LEFT - 1e-9)
        return;
    LitheKnotReading apexes = knot(trial, stand, "apexes"), ends = knot(trial, stand, "ends");
    range(apexes.determinant, b->apexes);
    range(ends.determinant, b->ends);
    b->signature = apexes.signature;
    for (int32_t i = 0; i < LACES; i++) {
        const double *q = lithe_rod_q(stand->model, stand->state, (LitheRodId){i + 1});
        for (int32_t k = 0; k < NODES; k++) {
            Vec3 x = v3_load(q + 4 * k);
            if (time < LEFT + 0.5 * FRAME)
                b->rest[i][k] = x;
            b->moved = fmax(b->moved, v3_distance(x, b->rest[i][k]));
        }
    }
}

static bool tie(LitheTrial *trial, const char *const *sets, int32_t set_count, Bow *b) {
    *b = (Bow){.apexes = {INT64_MAX, 0}, .ends = {INT64_MAX, 0}};
    bool ok = lithe_stand_load(trial, &b->stand, "shoelace", sets, set_count);
    if (ok) {
        b->passing = (Passing){.model = b->stand.model};
        b->passing.edges =
            lithe_alloc_array(trial->context, b->stand.model->edge_count, sizeof *b->passing.edges);
        ok = b->passing.edges || lithe_fail_memory(&trial->error, "the observed edges") == LITHE_OK;
        b->stand.work->watch = passing_watch;
        b->stand.work->watch_user = &b->passing;
    }
    int32_t every = (int32_t)lround(FRAME / STEP);
    for (int32_t k = 1; ok && k <= (int32_t)lround(END / STEP); k++) {
        ok = lithe_stand_step(trial, &b->stand);
        if (ok && k % every == 0)
            look(trial, b, k * STEP);
    }
    lithe_free(trial->context, b->passing.edges);
    lithe_stand_end(&b->stand);
    return ok;
}

// mean of the pinch force while the hands pull, and its largest change from frame to frame over it
static double steady(const Bow *b, double *jump) {
    double sum = 0;
    int32_t count = 0;
    *jump = 0;
    for (int32_t i = 1; i < b->count; i++) {
        if (b->t[i] < PINCHED || b->t[i] > PULLED)
            continue;
        sum += b->force[i];
        *jump = fmax(*jump, fabs(b->force[i] - b->force[i - 1]));
        count++;
    }
    *jump /= sum / count;
    return sum / count;
}

bool lithe_case_shoelace(LitheTrial *trial) {
    static const char *const points[] = {"contact.patches=off"};
    Bow *bows = lithe_alloc_array(trial->context, 2, sizeof *bows);
    if (!bows)
        return lithe_fail_memory(&trial->error, "two bows") == LITHE_OK;
    Bow *patch = &bows[0], *point = &bows[1];
    double jump[2];
    trial->plot.title = "Force of a finger of the right hand on what it pinches";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "force [N]";
    bool ok =
        tie(trial, NULL, 0, patch) && tie(trial, points, 1, point) &&
        lithe_trial_curve(trial, "patches", false, patch->t, patch->force, patch->count) &&
        lithe_trial_curve(trial, "points", true, point->t, point->force, point->count) &&
        lithe_trial_add(trial, at_most((double)patch->passing.crossings, 0),
                        "crossings of laces") &&
        lithe_trial_add(trial, near_to((double)patch->apexes[0], 3, 0),
                        "least determinant through the apexes") &&
        lithe_trial_add(trial, near_to((double)patch->apexes[1], 3, 0),
                        "largest determinant through the apexes") &&
        lithe_trial_add(trial, near_to((double)patch->ends[0], 1, 0),
                        "least determinant through the ends") &&
        lithe_trial_add(trial, near_to((double)patch->ends[1], 1, 0),
                        "largest determinant through the ends") &&
        lithe_trial_add(trial, reported(patch->signature), "signature through the apexes") &&
        lithe_trial_add(trial, at_most(patch->moved, 2e-3), "way of any node in 7 to 8 s [m]") &&
        lithe_trial_add(trial, reported(steady(patch, &jump[0])), "pinch force, patches [N]") &&
        lithe_trial_add(trial, reported(jump[0]), "its largest jump in 20 ms, relative") &&
        lithe_trial_add(trial, reported((double)point->apexes[1]),
                        "determinant of apexes, points") &&
        lithe_trial_add(trial, reported((double)point->ends[1]), "determinant of ends, points") &&
        lithe_trial_add(trial, reported(steady(point, &jump[1])), "pinch force, points [N]") &&
        lithe_trial_add(trial, reported(jump[1]), "its largest jump in 20 ms, points, relative");
    lithe_free(trial->context, bows);
    return ok;
}
