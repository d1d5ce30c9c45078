// SPDX-License-Identifier: Apache-2.0
// body/weld.c - frames of constraints, and welds of ends of rods (H2)

#include "body/constraint.h"
#include "body/rod.h"

#include <math.h>

// shorter parts of an edge are none [of its length]
#define NO_PART 1e-6
// cosine below which axes are perpendicular
#define SAME_AXIS 1e-9

// Length from a place in the outer half of the first or last edge of an open rod to the middle of
// this edge [m], negative at the end of the rod; 0: the place is elsewhere.
static double part_of_edge(const LitheModel *model, const LitheConstraintSide *side) {
    if (side->thing.kind != LITHE_THING_ROD)
        return 0;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    int32_t edge = side->site.element;
    double part = 0.5 - side->site.s[0];
    bool outer = !rod->closed && ((edge == 0 && part > NO_PART) ||
                                  (edge == rod->edge_count - 1 && part < -NO_PART));
    return outer ? part * rod->built_length[edge] * rod->rest_stretch[edge] : 0;
}

static bool is_elastic(const LitheConstraint *weld) {
    return weld->places == LITHE_KEEPS_OFFSET && weld->frames == LITHE_KEEPS_FRAME &&
           !(weld->turn_stiffness > 0);
}

// The frame of the section at a place, which is turned against that of its edge: as now, or with
// `natural` as the rod is without load.
static Quat section_at(const LitheModel *model, const LitheState *state,
                       const LitheConstraintSide *side, Quat frame, bool natural) {
    double part = part_of_edge(model, side);
    if (part == 0)
        return frame;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    Vec3 now, rest;
    lithe_rod_turning(rod, state, part > 0 ? 1 : rod->node_count - 2, &now, &rest);
    Quat own = side->frame.rotation, edge = q4_mul(frame, q4_conj(own));
    return q4_mul(q4_mul(edge, q4_exp(v3_scale(-part, natural ? rest : now))), own);
}

// adds the compliance of the part of an edge, about the axes of b [rad/(N m)]; `turn` takes the
// axes of this edge to those of the edge of b
static void add_compliance(const LitheModel *model, const LitheConstraintSide *side, Quat turn,
                           double c[3]) {
    double part = fabs(part_of_edge(model, side));
    if (part == 0)
        return;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    int32_t edge = side->site.element;
    bool start = side->site.s[0] == 0, end = side->site.s[0] == 1;
    double shift = (start ? rod->weld_shift[0] : 0) + (end ? rod->weld_shift[1] : 0);
    part -= shift * rod->built_length[edge] * rod->rest_stretch[edge];
    const double own[3] = {part / rod->EI2, part / rod->EI1, part / rod->GJ};
    for (int j = 0; j < 3; j++) {
        Vec3 axis = q4_rotate(turn, v3(j == 0, j == 1, j == 2));
        for (int k = 0; k < 3; k++) {
            double cosine = (&axis.x)[k];
            c[k] += fabs(cosine) > SAME_AXIS ? cosine * cosine * own[j] : 0;
        }
    }
}

bool lithe_weld_bends(const LitheModel *model, int32_t index) {
    const LitheConstraint *weld = &model->constraints[index];
    return is_elastic(weld) &&
           (part_of_edge(model, &weld->a) != 0 || part_of_edge(model, &weld->b) != 0);
}

bool lithe_weld_end(const LitheModel *model, const LitheState *state, int32_t index,
                    LitheWeldEnd *end) {
    const LitheConstraint *weld = &model->constraints[index];
    double c[3] = {0, 0, 0}, beta = 0;
    if (!lithe_weld_bends(model, index))
        return false;
    const double *q = lithe_tie_of(state, index)->turn;
    Quat turn = q4_mul(q4_mul(weld->b.frame.rotation, q4_conj((Quat){q[0], q[1], q[2], q[3]})),
                       q4_conj(weld->a.frame.rotation));
    add_compliance(model, &weld->a, turn, c);
    add_compliance(model, &weld->b, (Quat){1, 0, 0, 0}, c);
    for (int k = 0; k < 2; k++) {
        const LitheConstraintSide *side = k ? &weld->b : &weld->a;
        if (part_of_edge(model, side) != 0)
            beta = fmax(beta, model->rods[side->thing.number - 1].damping_stiffness);
    }
    for (int k = 0; k < 3; k++) {
        end->stiffness[k] = 1 / c[k];
        end->damping[k] = beta / c[k];
    }
    return true;
}

Vec3 lithe_constraint_turn(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                           Pose b) {
    const LitheConstraint *constraint = &model->constraints[index];
    const double *q = lithe_tie_of(state, index)->turn;
    Quat from = a.rotation, to = b.rotation;
    if (is_elastic(constraint)) {
        from = section_at(model, state, &constraint->a, from, true);
        to = section_at(model, state, &constraint->b, to, true);
    }
    Quat required = q4_mul(from, (Quat){q[0], q[1], q[2], q[3]});
    return q4_log(q4_mul(to, q4_conj(required)));
}

Quat lithe_constraint_frames(const LitheModel *model, const LitheState *state,
                             const LitheConstraint *constraint, Pose a, Pose b) {
    if (is_elastic(constraint)) {
        a.rotation = section_at(model, state, &constraint->a, a.rotation, false);
        b.rotation = section_at(model, state, &constraint->b, b.rotation, false);
    }
    return q4_unit(q4_mul(q4_conj(a.rotation), b.rotation));
}
