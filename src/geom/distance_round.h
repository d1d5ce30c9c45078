// SPDX-License-Identifier: Apache-2.0
// geom/distance_round.h - contacts of tubes and tori in closed form, not with the triangles that
// stand for them
//
// See docs/theory/distance.md, section 5.

#ifndef LITHE_GEOM_DISTANCE_ROUND_H
#define LITHE_GEOM_DISTANCE_ROUND_H

#include "geom/distance.h"

/// Whether triangles stand for a tube or a torus.
static inline bool round_is(const LitheGeom *geom) {
    return geom->exact == LITHE_GEOM_TUBE || geom->exact == LITHE_GEOM_TORUS;
}

/// Contacts of a tube or torus with a sphere, capsule, cylinder or segment of a rod that touches
/// the inside of the hole or (torus) any part of it, and of two tori. `whole`: with contacts inside
/// of lines. Returns their number; -1: other methods must find them.
int lithe_round_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                         const LithePose *pb, double margin, bool whole,
                         LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// The same of a torus and any convex shape; -1 where they lie flat on each other.
int lithe_ring_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// Contacts with a ball at x in the frame of the tube or torus: one, or four where the ball sits in
/// the hole.
int lithe_round_ball(const LitheGeom *a, Vec3 x, double radius, double margin,
                     LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// The solid without its hole: a cylinder, or a disc with round rims.
LitheGeom lithe_round_hull(const LitheGeom *a);

/// Whether a point of the surface of this solid, in its frame, belongs to the tube or torus.
bool lithe_round_has(const LitheGeom *a, Vec3 x);

/// Half the thickness of the wall: a solid overlaps more than that only through the hole.
double lithe_round_wall(const LitheGeom *a);

/// Area of the end of a tube, about the origin.
LitheFaceArea lithe_round_end(const LitheGeom *a);

#endif
