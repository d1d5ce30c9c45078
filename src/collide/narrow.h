// SPDX-License-Identifier: Apache-2.0
// collide/narrow.h - common parts of the narrow phases of all pairs of kinds
//
// The id of a contact consists of the two places that touch and, for shapes, their feature. A place
// of a rod is a node or the inside of an edge: where two edges meet, both find the same contact,
// with the same id, and it is kept once.

#ifndef LITHE_COLLIDE_NARROW_H
#define LITHE_COLLIDE_NARROW_H

#include "collide/ties.h"
#include "geom/slide.h"

/// Pairs of segments that are processed together.
enum { LITHE_SEGMENT_BLOCK = 64 };

typedef struct LitheNarrow {
    const LitheModel *model;
    const LitheState *state;
    const LitheContacts *c;
    LitheFound *out; // one list of contacts per range of the search
    int32_t range;   // the number of this list
    double margin;
    double span;    // time in which a relative velocity closes a gap that counts [s]
    double step;    // time for which things move at their present velocity [s]
    int place_bits; // of an id, each side
    bool single;    // one contact per pair with an edge
    LithePartPair waiting[LITHE_SEGMENT_BLOCK]; // pairs of segments that are still to be processed
    int waiting_count;
    const LithePiece *piece; // of the two parts; NULL: all of them
    uint32_t piece_number;   // part of ids, since pieces of one part share their places
    uint64_t combined_parts; // the pair that `combined` belongs to; 0: none
    LitheContact combined;   // stiffness, dissipation, friction and sides of that pair
} LitheNarrow;

/// Finds the contacts of one pair of parts.
typedef void LitheNarrowFn(LitheNarrow *n, LithePartPair pair);

/// Finds the contacts of all pairs in `waiting` (collide/narrow_segments.c).
void lithe_narrow_segments(LitheNarrow *n);

/// Finds the contacts of two shapes, including the shapes of edges (collide/narrow_shapes.c).
LitheNarrowFn lithe_narrow_shapes;

/// A plane in which two shapes slide and turn on each other.
typedef struct LitheSlidePlane {
    Vec3 centre, u, v; // [m]; two unit vectors that span it
    double size;       // of what touches [m]
    LitheSlide slide;  // of b on a, about the centre
    double known;      // above 0; below 1: so slow that the direction is not that of sliding
} LitheSlidePlane;

/// Sets slide and known of a plane from the motion at the start of the step. False: the shapes do
/// not turn on each other, or hardly move (collide/face_friction.c).
bool lithe_narrow_slide(const LitheNarrow *n, LithePartPair pair, LitheSlidePlane *plane);

/// Factors [region->points] of friction at the contacts of a face or line that slides and turns
/// (collide/face_friction.c). False: all are 1.
bool lithe_narrow_face_friction(const LitheNarrow *n, LithePartPair pair, const LitheRegion *region,
                                const LitheContactPoint *points, double *factor);

/// Find the contacts of particles (collide/narrow_balls.c).
LitheNarrowFn lithe_narrow_segment_ball, lithe_narrow_shape_ball, lithe_narrow_balls;

/// Finds the contacts of two triangles of soft surfaces (collide/narrow_faces.c).
LitheNarrowFn lithe_narrow_faces;

/// Find the contacts of rods, particles and shapes with soft surfaces (collide/narrow_soft.c).
LitheNarrowFn lithe_narrow_segment_face, lithe_narrow_ball_face, lithe_narrow_shape_face;

/// Finds the contacts of two parts by their pressure fields (collide/narrow_patches.c).
LitheNarrowFn lithe_narrow_patches;

/// Adds a contact of the pair, with everything except point, normal, gap and feature. NULL when out
/// of memory.
LitheContact *lithe_narrow_add(LitheNarrow *n, LithePartPair pair, double s, double t, uint64_t id);

/// (C5) Whether the edge beyond the end s of the edge `part` continues towards the other side,
/// which lies along d (any length): then the contact belongs to that edge or a further one.
bool lithe_narrow_beyond(const LitheNarrow *n, int32_t part, double s, Vec3 d);

/// Range of places of the part on a side (0: a, 1: b) that is searched; NULL: all of it.
static inline const double *lithe_narrow_cut(const LitheNarrow *n, int side) {
    return !n->piece ? NULL : side == 0 ? n->piece->a : n->piece->b;
}

/// Finds the contacts of two round edges, or of pieces of them.
void lithe_narrow_segment_pieces(LitheNarrow *n, LithePartPair pair);

static inline uint64_t lithe_narrow_place(const LitheNarrow *n, int32_t part, double s) {
    return lithe_part_ops(n->model, part)->place(n->model, n->c, part, s);
}

static inline uint64_t lithe_narrow_id(const LitheNarrow *n, uint64_t a, uint64_t b,
                                       uint32_t feature) {
    int left = 64 - 2 * n->place_bits;
    uint64_t spread = (feature * 0x9e3779b97f4a7c15u) >> (64 - left);
    return (a << (64 - n->place_bits)) | (b << left) | (left >= 32 ? feature : spread);
}

/// Gap up to which the two parts have contacts.
static inline double lithe_narrow_reach(const LitheNarrow *n, LithePartPair pair) {
    return n->margin + lithe_part_ops(n->model, pair.a)->travel(n->model, n->c, pair.a) +
           lithe_part_ops(n->model, pair.b)->travel(n->model, n->c, pair.b);
}

/// How far inside of the solid of a face a point near it is, `most` where it is farther; negative
/// outside [m].
double lithe_narrow_room(const LitheNarrow *n, const LitheFace *near, Vec3 x, double most);

#endif
