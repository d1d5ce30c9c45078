// SPDX-License-Identifier: Apache-2.0
// data/unit.h - the units of a model: one row per rod, tree, set of particles or solid
//
// A unit is what the solver moves as one. Its degrees of freedom come in nodes (blocks of the
// matrix), its numbers are contiguous in the state, and everything specific to its kind is behind
// the table of kinds (body/unit.h). Units of one kind follow each other.

#ifndef LITHE_DATA_UNIT_H
#define LITHE_DATA_UNIT_H

#include "data/site.h"
#include "lithe/scene.h"

#include <stddef.h>
#include <stdint.h>

/// Rows of the table of kinds, in the order in which units are numbered.
typedef enum LitheUnitKind {
    LITHE_UNIT_ROD,
    LITHE_UNIT_TREE,
    LITHE_UNIT_PARTICLES,
    LITHE_UNIT_SOLID,
    LITHE_UNIT_KINDS,
} LitheUnitKind;

/// A node that moves with a rigid body and has no motion of its own: the body carries its mass and
/// takes the forces on it (assemble/ride.c).
typedef struct LitheRider {
    int32_t node;       // of the unit
    int32_t body;       // index of the body
    int32_t constraint; // index of the weld
    LitheSite site;     // what carries the body
    Vec3 at;            // in the frame of the body [m]
} LitheRider;

typedef struct LitheUnit {
    LitheUnitKind kind;
    int32_t index;      // among the units of its kind
    const char *name;   // of its thing; of a tree: of the body at its root
    LitheThing thing;   // of a tree: the first of its bodies
    int64_t q_at, v_at; // first numbers in q and v of the state
    int64_t q_count, v_count;
    int32_t node_at;          // first node, counted through all units
    int32_t node_count;       // nodes of the matrix
    int32_t node_size;        // DoFs of each node; 0: they differ, see node_dofs
    const int32_t *node_dofs; // [node_count + 1] first DoF of each node in the unit, or NULL
    const int32_t *order;     // [node_count] elimination of a mesh (sparse/dissect.h), or NULL
    int32_t rank_count;       // terms of rank one in its matrix (sparse/block_matrix.h)
    const LitheRider *riders; // [rider_count] nodes that move with bodies
    int32_t rider_count;
    const int32_t *rider_of; // [node_count] its index in riders, -1: none; NULL: there are none
    bool rides;              // it has riders, or carries those of others
    int64_t point_at;        // first point that takes external forces (state->pushes)
    int64_t point_count;     // 0 for a tree, whose external forces act on bodies
    int64_t own_at;          // first number in state->own
    int64_t own_count;
    int32_t first_hold; // 1 + its index; 0: none
    int32_t site_nodes; // maximum number of nodes that one of its material points depends on
    int32_t site_width; // maximum number of DoFs of these nodes
    double length;      // resolution: length of an edge, or size of the smallest part [m]
    double extent;      // of a tree: how far its links reach, all joints straight [m]; else 0
    double thickness;   // smallest half thickness of the parts that touch [m]; 0: none touches
    double mass;        // kg
    double mass_moment; // mass times half thickness or radius of gyration, part by part [kg m]
} LitheUnit;

/// First DoF of a node in its unit, and its number of DoFs.
static inline int64_t lithe_unit_dof(const LitheUnit *unit, int32_t node) {
    return unit->node_dofs ? unit->node_dofs[node] : (int64_t)unit->node_size * node;
}

static inline int32_t lithe_unit_node_size(const LitheUnit *unit, int32_t node) {
    return unit->node_dofs ? unit->node_dofs[node + 1] - unit->node_dofs[node] : unit->node_size;
}

/// The node that holds a DoF of its unit.
static inline int32_t lithe_unit_node(const LitheUnit *unit, int64_t dof) {
    if (!unit->node_dofs)
        return (int32_t)(dof / unit->node_size);
    int32_t low = 0, high = unit->node_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (unit->node_dofs[middle] <= dof)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
