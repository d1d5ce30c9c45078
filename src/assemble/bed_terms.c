// SPDX-License-Identifier: Apache-2.0
// assemble/bed_terms.c - beds of springs (W8) become couplings: one for each node

#include "assemble/constraint_parts.h"

#include "body/constraint.h"

// (W8): three rows for each node
bool lithe_bed_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index) {
    const Vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const LitheConstraint *bed = &all->model->constraints[index];
    Pose frame = lithe_constraint_place(all->model, all->state, &bed->a);
    for (int32_t k = 0; k < bed->via_count; k++) {
        Vec3 x = lithe_constraint_place(all->model, all->state, &bed->via[k]).at;
        LitheSite rest = lithe_constraint_site(&bed->a, pose_point(frame, bed->rest[k]));
        LitheSite node = lithe_constraint_site(&bed->via[k], x);
        if (!lithe_constraint_add_part(all, system, &rest, &node, index, LITHE_TIE_PART_SEGMENT + k,
                                       3, world, NULL))
            return false;
    }
    return true;
}

void lithe_bed_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    const LitheConstraint *bed = &all->model->constraints[c->index];
    int32_t k = c->side - LITHE_TIE_PART_SEGMENT;
    Pose frame = lithe_constraint_place(all->model, all->state, &bed->a);
    Vec3 x = lithe_constraint_place(all->model, all->state, &bed->via[k]).at;
    double g[3];
    v3_store(v3_sub(x, pose_point(frame, bed->rest[k])), g);
    for (int row = 0; row < 3; row++)
        g[row] -= lithe_coupling_lead(all, system, c, row);
    LitheCompliance compliance = lithe_constraint_compliance(
        all, system, c, bed->share[k] * bed->stiffness, bed->share[k] * bed->damping);
    lithe_term_hold(&c->term, 3, all->plan->h, g, NULL, &compliance);
}
