// SPDX-License-Identifier: Apache-2.0
// body/tendon.c - tendons at a state: their points, their lengths, the length that they may have

#include "body/tendon.h"

#include "base/assert.h"
#include "body/constraint.h"
#include "body/profile.h"

#include <math.h>

double lithe_tendon_path(const LitheModel *model, const LitheState *state,
                         const LitheConstraint *tendon) {
    Vec3 last = lithe_constraint_place(model, state, &tendon->a).at;
    double length = 0;
    for (int32_t k = 1; k < lithe_tendon_points(tendon); k++) {
        Vec3 x = lithe_constraint_place(model, state, lithe_tendon_side(tendon, k)).at;
        length += v3_distance(last, x);
        last = x;
    }
    return length;
}

double lithe_tendon_free(const LitheModel *model, const LitheState *state, int32_t index,
                         double time) {
    return lithe_tie_of(state, index)->length -
           lithe_profile_at(&model->constraints[index].shortening, time);
}

// --- what it keeps -------------------------------------------------------------------------------

// its work goes on
static void take(const LitheModel *model, const LitheState *state, const LitheConstraint *tendon,
                 double time, LitheTie *tie) {
    tie->steady = tie->tension = tie->power = tie->kept = 0;
    tie->length = tendon->length > 0 ? tendon->length
                                     : lithe_tendon_path(model, state, tendon) +
                                           lithe_profile_at(&tendon->shortening, time);
}

static void length(const LitheModel *model, const LitheState *state, int32_t index, double *now,
                   double *required) {
    *now = lithe_tendon_path(model, state, &model->constraints[index]);
    *required = lithe_tendon_free(model, state, index, lithe_load_time(state));
}

// elongation beyond the length that it may have [m]
static double excess(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                     Pose b) {
    (void)a, (void)b;
    double now, required;
    if (model->constraints[index].pulls)
        return 0;
    length(model, state, index, &now, &required);
    return fmax(now - required, 0);
}

// the tension of an impact does not last
static void begin(LitheTie *tie) {
    double tension = v3_norm(v3_load(tie->force));
    tie->steady = fmin(tension, tie->tension);
    tie->tension = tension;
}

const LitheKept lithe_kept_path = {.take = take, .error = excess, .length = length, .begin = begin};

// --- for the user --------------------------------------------------------------------------------

// NULL: not a tendon
static const LitheConstraint *tendon_of(const LitheModel *model, LitheConstraintId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->constraint_count);
    const LitheConstraint *own = &model->constraints[id.number - 1];
    return lithe_is_tendon(own) ? own : NULL;
}

double lithe_tendon_length(const LitheModel *model, const LitheState *state, LitheConstraintId id) {
    const LitheConstraint *tendon = tendon_of(model, id);
    return tendon ? lithe_tendon_path(model, state, tendon) : 0;
}

double lithe_tendon_tension(const LitheModel *model, const LitheState *state,
                            LitheConstraintId id) {
    return tendon_of(model, id) ? v3_norm(v3_load(lithe_tie_of(state, id.number - 1)->force)) : 0;
}

double lithe_tendon_work(const LitheModel *model, const LitheState *state, LitheConstraintId id) {
    return tendon_of(model, id) ? lithe_tie_of(state, id.number - 1)->work : 0;
}
