// SPDX-License-Identifier: Apache-2.0
// assemble/constraint_parts.h - what couplings of constraints between two places and of tendons
// share

#ifndef LITHE_ASSEMBLE_CONSTRAINT_PARTS_H
#define LITHE_ASSEMBLE_CONSTRAINT_PARTS_H

#include "assemble/assemble.h"

/// Parts of a constraint: each is a coupling. Segment i of a tendon is LITHE_TIE_PART_SEGMENT + i.
enum {
    LITHE_TIE_PART_POSITION,
    LITHE_TIE_PART_FRAME,
    LITHE_TIE_PART_TWIST,
    LITHE_TIE_PART_ACROSS,
    LITHE_TIE_PART_SEGMENT,
};

/// The site of a side, for the material point that is at `point`.
LitheSite lithe_constraint_site(const LitheConstraintSide *side, Vec3 point);

/// The position of a side after `time` at its present velocity.
Vec3 lithe_constraint_extrapolated(const LitheAssembly *all, const LitheConstraintSide *side,
                                   Vec3 now, double time);

/// Two unit vectors perpendicular to a unit vector.
void lithe_constraint_across(Vec3 direction, Vec3 across[2]);

/// Time in which the error of a near-rigid constraint or of an exceeded limit is corrected [s]:
/// about the scene's step, even in a shorter substep, which otherwise would require a higher speed;
/// longer where the correction supplied energy (T24).
double lithe_correction_time(const LitheAssembly *all);

/// Stiffness 0: near-rigid.
LitheCompliance lithe_constraint_compliance(const LitheAssembly *all, const LitheSystem *system,
                                            const LitheCoupling *c, double stiffness,
                                            double damping);

/// Whether a coupling of a constraint has no stiffness of its own.
bool lithe_constraint_is_rigid(const LitheModel *model, const LitheCoupling *c);

/// (Q7): a near-rigid row of a static step has the force of the last proximal step plus G times its
/// error.
void lithe_constraint_add_force(const LitheAssembly *all, const LitheCompliance *compliance,
                                LitheCoupling *c);

/// The force of (Q7) that the state keeps, in the rows of a coupling; false: it is none of this
/// kind.
bool lithe_constraint_kept(const LitheAssembly *all, const LitheCoupling *c, double *force);

/// Whether what it keeps has one bound alone.
static inline bool lithe_constraint_is_one_sided(const LitheConstraint *constraint) {
    return constraint->upper != constraint->lower;
}

/// Stiffness of a part; 0: near-rigid.
double lithe_constraint_stiffness(const LitheConstraint *constraint, int32_t part);

/// Adds a part of constraint `index` between two sites; false when out of memory.
bool lithe_constraint_add_part(const LitheAssembly *all, LitheSystem *system, const LitheSite *a,
                               const LitheSite *b, int32_t index, int32_t part, int32_t rows,
                               const Vec3 *linear, const Vec3 *angular);

// Ways of keeping places, each a row in constraint_terms.c. `assemble` adds the couplings of
// constraint `index`, and returns false when out of memory; `law` sets that of one of them; `gaps`
// says how far its rows are from where the constraint requires them.

/// Two places: an offset or a distance, and frames.
bool lithe_pair_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index);
void lithe_pair_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c);
void lithe_pair_gaps(const LitheAssembly *all, const LitheCoupling *c, double g[3]);

/// A path.
bool lithe_tendon_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index);
void lithe_tendon_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c);
void lithe_tendon_gaps(const LitheAssembly *all, const LitheCoupling *c, double g[3]);

/// Many nodes, each with a spring.
bool lithe_bed_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index);
void lithe_bed_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c);

#endif
