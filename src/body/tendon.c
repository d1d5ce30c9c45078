// SPDX-License-Identifier: Apache-2.0
// body/tendon.c - tendons at a state: their points, their lengths, the length that they may have

#include "body/tendon.h"

#include "base/assert.h"
#include "body/constraint.h"
#include "body/profile.h"

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
    return lithe_tie_of(state, index)[LITHE_TIE_LENGTH] -
           lithe_profile_at(&model->constraints[index].shortening, time);
}

// --- for the user --------------------------------------------------------------------------------

// NULL: not a tendon
static const LitheConstraint *tendon_of(const LitheModel *model, LitheConstraintId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->constraint_count);
    const LitheConstraint *own = &model->constraints[id.number - 1];
    return own->kind == LITHE_CONSTRAINT_TENDON ? own : NULL;
}

double lithe_tendon_length(const LitheModel *model, const LitheState *state, LitheConstraintId id) {
    const LitheConstraint *tendon = tendon_of(model, id);
    return tendon ? lithe_tendon_path(model, state, tendon) : 0;
}

double lithe_tendon_tension(const LitheModel *model, const LitheState *state,
                            LitheConstraintId id) {
    return tendon_of(model, id)
               ? v3_norm(v3_load(lithe_tie_of(state, id.number - 1) + LITHE_TIE_FORCE))
               : 0;
}

double lithe_tendon_work(const LitheModel *model, const LitheState *state, LitheConstraintId id) {
    return tendon_of(model, id) ? lithe_tie_of(state, id.number - 1)[LITHE_TIE_WORK] : 0;
}
