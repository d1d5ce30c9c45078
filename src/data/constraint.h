// SPDX-License-Identifier: Apache-2.0
// data/constraint.h - constraints of a model, and where what they tie does not touch

#ifndef LITHE_DATA_CONSTRAINT_H
#define LITHE_DATA_CONSTRAINT_H

#include "data/profile.h"
#include "data/site.h"
#include "lithe/constraint.h"
#include "math/spatial.h"

/// One place of a constraint.
typedef struct LitheConstraintSide {
    LitheThing thing; // as the scene names it; a fixed body counts as the world
    LitheSite site;   // unit -1: the world
    Pose frame;       // in the frame of the site; in the world if unit is -1
} LitheConstraintSide;

/// A constraint of the scene. Values that depend on when it was switched on are in the state.
typedef struct LitheConstraint {
    char *name;
    LitheKeptPlaces places;
    LitheKeptFrames frames;
    bool upper, lower; // bounds of what is kept: both, or of a length one alone
    LitheConstraintSide a, b;
    bool swapped;                           // sides are exchanged: side a must carry the offset
    bool as_built;                          // keep the offset when switched on; else pull together
    double length;                          // m; 0: the distance when switched on
    double stiffness, damping;              // N/m, N s/m; 0: near-rigid
    double turn_stiffness, turn_damping;    // N m/rad, N m s/rad; stiffness 0: near-rigid
    double bend_stiffness, twist_stiffness; // of a hinge spring [N m/rad]
    double breaks_at;                       // N; 0: never
    bool active;                            // at the start
    bool has_zone;                          // the things do not touch around it
    LitheProfile gate;                      // acts while >= 0.5
    // of a tendon (body/tendon.h), and of a bed of springs
    LitheConstraintSide *via; // [via_count] points that a tendon slides through, from a to b; nodes
                              // that a bed of springs holds to side a
    int32_t via_count;
    Vec3 *rest;              // [via_count] of a bed, where springs have no force, in frame a [m]
    double *share;           // [via_count] of a bed: part of its stiffness
    bool pulls;              // with the given tension; else it has a length
    LitheProfile tension;    // N
    LitheProfile shortening; // length that is taken in [m]
} LitheConstraint;

/// Range of a tied thing that does not touch the other thing: edges of a rod, or particles.
typedef struct LitheTieRange {
    bool whole;        // every part of the thing
    int32_t first;     // edge, or particle
    int32_t count;     // number of edges from `first` on; cyclic on a closed rod
    double start, end; // places on the first and on the last edge
    bool inside;       // of a rod: it starts inside of what it is tied to
} LitheTieRange;

/// Two things tied by a constraint: parts of the one do not touch parts of the other while it acts.
typedef struct LitheTieZone {
    uint64_t things; // lithe_thing_pair
    int32_t constraint;
    LitheTieRange range[2]; // of the thing with the smaller number, and of the other
} LitheTieZone;

#endif
