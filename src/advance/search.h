// SPDX-License-Identifier: Apache-2.0
// advance/search.h - the state of a search for an equilibrium, and how it ends

#ifndef LITHE_ADVANCE_SEARCH_H
#define LITHE_ADVANCE_SEARCH_H

#include "base/status.h"
#include "body/unit.h"

#include <math.h>

/// Data of one search, owned by advance/equilibrium.c.
typedef struct LitheSearch {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheReport *report;
    double size;  // of the world [m]
    double room;  // the same with the reach of trees: what moves farther is lost [m]
    double thick; // smallest half thickness of a unit [m]
    double trust; // trust radius: max displacement of units in contact per step [m]
    double reach; // as trust, for units that may reach parts that the contact search did not find
    double residual; // relative forces out of balance of the coupled units at the start of the last
                     // step
    int32_t coupled_iterations, cuts, corrected;
    int32_t balanced;   // steps in a row that began in balance
    int32_t slow;       // steps in a row with little progress
    double floor;       // min s after steps that overshot, over the square of the lowest frequency
    int32_t overshoots; // their number
    double effort;      // iterations of the coupled solves times couplings
    double rejected;    // displacement of the last step if it was too long, else 0 [m]
    int32_t rejections; // such steps in a row
    double care;        // factor of the tolerance of coupled solves
    double
        correction; // fraction of the error of near-rigid constraints that the next step corrects
    double travel;  // largest displacements of units that touch, summed over the steps [m]
    int32_t free_steps; // steps of about the trust radius, which do not count for the limit of
                        // steps
    double cosine;      // of the angle between the last two displacements of units that touch
    bool turns;         // long displacements that change direction: the trust radius was too large
    bool stalled;       // within the noise of contact geometry
    bool falls;         // a unit that nothing touches moves by a large part of `reach`
    bool mixes;         // steps are mixed and s is constant
    double best;        // smallest residual since mixing began
} LitheSearch;

/// Size of the world [m]: the largest extent of a unit, with its distance from the first.
double lithe_search_size(const LitheModel *model, const LitheState *state);

static inline LitheUnitSearch *search_of(const LitheSearch *s, int32_t unit) {
    return &s->work->units[unit].search;
}

/// Position of a unit at a state.
static inline Vec3 place_at(const LitheSearch *s, const LitheState *state, int32_t unit) {
    LitheSite site = {.unit = unit};
    return lithe_unit_ops(s->model, unit)->place(s->model, state, &site, 0).at;
}

// tolerance of the forces out of balance where contacts or constraints act
static inline double tolerance_of(const LitheSearch *s) {
    return fmax(s->model->time.tolerance, s->model->contact.tolerance);
}

/// The trust radius at the start, over the smallest half thickness.
#define LITHE_START_TRUST 1

/// The length that displacements of a unit are measured by.
double lithe_search_length(const LitheModel *model, int32_t unit);

/// Sizes, weights s of all units and the trust radius; velocities are zero.
void lithe_search_begin(LitheSearch *search);

/// Why a search ended without an equilibrium after `steps`; `adrift` is the unit that moved too
/// far, or -1.
LitheStatus lithe_search_fail(const LitheSearch *search, int32_t steps, int32_t adrift,
                              LitheError *error);

/// A load step from `start` that takes more work than it may: names what is farthest from balance.
LitheStatus lithe_search_fail_work(const LitheModel *model, const LitheState *start,
                                   const LitheWork *work, const LitheReport *report,
                                   LitheError *error);

/// Completes the report.
void lithe_search_sum(LitheSearch *search, int32_t steps, bool found);

#endif
