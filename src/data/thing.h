// SPDX-License-Identifier: Apache-2.0
// data/thing.h - things as a user names them: rods, bodies, sets of particles, solids, in one
// numbering
//
// lithe/model.h has the numbers and names of things; lithe_thing_pair makes a key of two numbers. A
// thing is not a unit: a body is attached to a unit, or to none.

#ifndef LITHE_DATA_THING_H
#define LITHE_DATA_THING_H

#include "data/model.h"
#include "data/state.h"
#include "lithe/contact.h"

/// "rod", "body", "particles", "solid".
const char *lithe_thing_word(LitheThingKind kind);

/// The element that a contact on such a thing belongs to: "edge", "particle", "node"; NULL: the
/// thing itself.
const char *lithe_thing_element(LitheThingKind kind);

/// The material point of a thing: an edge of a rod at `s`, a body, a particle, a node of
/// a solid. Its unit is -1 where
/// nothing moves it.
LitheSite lithe_thing_site(const LitheModel *model, LitheThing thing, int32_t element, double s,
                           Vec3 point);

/// Half the thickness of a rod, the radius of a particle, the extent of a shape of a body, half the
/// shortest edge of the mesh of a solid [m]; INFINITY for half-spaces.
double lithe_thing_thickness(const LitheModel *model, LitheThing thing, int32_t element);

/// Radius of a ball of a thing [m]: 0 for a node of a solid.
double lithe_thing_ball_radius(const LitheModel *model, LitheThing thing, int32_t element);

/// Distance from the surface of a thing to the curve or point that nothing may cross, at an element
/// [m]: to the centreline of a rod or the centre of a particle; 0 for a body, whose surface may not
/// be crossed.
double lithe_thing_half_thickness(const LitheModel *model, LitheThing thing, int32_t element);

/// The smaller size of the sides of a contact, which slips are compared with [m]: half the
/// thickness of a rod, the radius of a particle, half the smallest extent of the bounding box of a
/// shape, half the shortest edge of the mesh of a solid.
double lithe_contact_size(const LitheModel *model, const LitheContact *contact);

/// The smaller half thickness of the sides of a contact, which overlaps are compared with [m]: as
/// lithe_contact_size, but of a solid half its thickness where it touches, whatever its mesh.
double lithe_contact_half(const LitheModel *model, const LitheContact *contact);

/// Overlap of a contact, divided by the smaller half thickness of its sides. It is negative where
/// the sides are apart.
double lithe_contact_overlap(const LitheModel *model, const LitheContact *contact);

/// The points of a thing that forces can act on.
typedef struct LitheThingPoints {
    int32_t count;    // 0: it has none (a body)
    const char *word; // "node", "particle"
    bool joined;      // consecutive points are connected by an edge
    bool closed;      // so are the last and the first
    int32_t stride;   // of x and v
    int32_t mass_stride;
    const double *x, *v, *mass; // positions [m], velocities [m/s], masses [kg] of the points
    double *force;              // [count][3] external forces [N]
    const unsigned char *held;  // [count][held_stride] x y z first; 1: held or driven exactly
    int32_t held_stride;
    const LitheTetSet *groups; // [group_count] named groups of points; NULL: none
    int32_t group_count;
} LitheThingPoints;

/// Number of these points, and of things of a kind.
int32_t lithe_thing_point_count(const LitheModel *model, LitheThing thing);
int32_t lithe_things_of_kind(const LitheModel *model, LitheThingKind kind);

LitheThingPoints lithe_thing_points(const LitheModel *model, LitheState *state, LitheThing thing);

#endif
