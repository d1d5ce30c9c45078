// SPDX-License-Identifier: Apache-2.0
// body/tree_section.h - the mass of the centre lines of sections in an articulated tree
//
// Sums over the points of a centre line, in the frame of the base of its section, then carried to
// the tree's axes and reference. Equations: docs/theory/arms.md.

#ifndef LITHE_BODY_TREE_SECTION_H
#define LITHE_BODY_TREE_SECTION_H

#include "data/model.h"
#include "data/state.h"
#include "data/tree.h"

/// Sets the section of `link` at the elongations q [3]; `base` is the joint frame of the parent.
void lithe_section_place(const LitheRigidLink *link, Pose base, Vec3 reference, const double *q,
                         LitheSectionWork *section);

/// Rates of the chambers v [3], and the accelerations of the points at constant rates.
void lithe_section_move(const LitheRigidLink *link, const double *v, LitheSectionWork *section);

/// (X8) Adds the section to a mass matrix [v_count*v_count].
void lithe_section_add_mass(const LitheRigidTree *tree, const LitheRigidWork *work,
                            const LitheSectionWork *section, double *mass);

/// (X9) Force that moves the points when the base has the velocity and acceleration given, the
/// chambers the accelerations a [3] (NULL: none); adds the efforts of the chambers.
Spatial lithe_section_force(const LitheSectionWork *section, Spatial velocity, Spatial acceleration,
                            const double *a, double *effort);

/// (X10) Adds dT/dv and dL/dq of the chambers, dL of kinetic energy and gravity; returns the
/// momentum of the section.
Spatial lithe_section_momentum(const LitheRigidLink *link, const LitheSectionWork *section,
                               Spatial velocity, Vec3 gravity, double *p, double *force);

/// Momentum and kinetic energy of the section.
Spatial lithe_section_flow(const LitheSectionWork *section, Spatial velocity, double *energy);

/// Velocity of the base: that of the parent of the section's link.
static inline Spatial lithe_section_velocity(const LitheRigidTree *tree, const LitheRigidWork *work,
                                             const LitheSectionWork *section) {
    int32_t parent = tree->links[section->link].parent;
    return parent < 0 ? sp_zero() : work->links[parent].velocity;
}

/// A section in a shape that no arm can have.
typedef struct LitheSectionShape {
    const char *name; // of its joint; NULL: all are possible
    double length;    // of its centre line [m]
    double bend;      // angle between its ends [rad]
    double radius;    // of its chambers [m]
} LitheSectionShape;

/// The first section whose inner side is folded (length <= radius * bend) or that is bent by more
/// than a full turn.
LitheSectionShape lithe_section_impossible(const LitheModel *model, const LitheState *state);

#endif
