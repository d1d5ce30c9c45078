// SPDX-License-Identifier: Apache-2.0
// data/contacts.h - contacts of a state, and the scratch memory of the search

#ifndef LITHE_DATA_CONTACTS_H
#define LITHE_DATA_CONTACTS_H

#include "base/meter.h"
#include "data/part.h"
#include "data/site.h"
#include "lithe/contact.h"

/// A box around a part or a group of parts, rounded outwards. Entry 3 fills a vector register. Of
/// an edge of a rod, high[3] is by how much its box is wider than the centreline, and -low[3] how
/// far its contacts reach from there; of other parts both are 0.
typedef struct LitheBounds {
    float low[4], high[4]; // [m]
} LitheBounds;

/// The data of an edge of a rod that the narrow phase reads: one cache line.
typedef struct LitheSegment {
    Vec3 start, edge; // first node, and the vector from it to the next [m]
    double radius;    // m; 0: a bar
    double travel;    // largest displacement in the step [m]
} LitheSegment;

/// The neighbours of an edge of a rod. A missing neighbour has the number edge_count, which is a
/// segment of zero length.
typedef struct LitheBeyond {
    int32_t edge[3]; // [0] at its start, [1] for places inside it: always missing, [2] at its end
} LitheBeyond;

/// The data of a particle that the narrow phase reads.
typedef struct LitheBall {
    Vec3 at;            // m
    double radius;      // m
    double travel;      // largest displacement in the step [m]
    int32_t set, index; // set of balls, and point of its unit
} LitheBall;

/// The data of a triangle of a soft surface that the narrow phase reads.
typedef struct LitheFace {
    Vec3 x[3];          // corners [m]
    Vec3 normal;        // outer unit normal; 0: it has no area
    double travel;      // largest displacement in the step [m]
    int32_t node[3];    // of its unit
    int32_t set, index; // set of faces, and triangle of its surface
} LitheFace;

/// A tetrahedron of a solid with a pressure field.
typedef struct LitheTetPart {
    Vec3 x[4];           // corners [m]
    int32_t span, index; // span of tetrahedra, and tetrahedron of its field
} LitheTetPart;

/// A particle and its position along a space-filling curve: neighbours on the curve are near each
/// other.
typedef struct LitheSpot {
    uint32_t code;
    int32_t ball;
} LitheSpot;

/// Parts per bundle: the best of 2 to 100 on collide-1000, where 6 to 12 are equally fast and whole
/// rods four times slower; for heaps of particles 6 to 24 are equally fast. Any number gives the
/// same contacts.
enum { LITHE_BUNDLE_PARTS = 12 };

/// Parts of one thing that lie near each other: a few edges of a rod, one shape, or a few
/// particles.
typedef struct LitheBundle {
    LitheBounds box;
    int32_t first, count; // slots, see LitheContacts.boxes
    int32_t thing;        // number of the thing (lithe_thing_number)
    int32_t family;       // LitheModel.families, or that of a solid; -1: none
} LitheBundle;

/// A node of the tree over bundles. The left child follows its parent.
typedef struct LitheBranch {
    LitheBounds box;
    int32_t right;  // index of the right child; of a leaf: ~(index of its bundle)
    int32_t count;  // bundles below
    int32_t family; // of all of them; -1: they have none or several
} LitheBranch;

/// Two parts whose boxes overlap; a < b.
typedef struct LithePartPair {
    int32_t a, b;
} LithePartPair;

/// The parts and sites that a contact acts on, side a and side b.
typedef struct LitheContactParts {
    int32_t part[2];
    LitheSite site[2]; // `point` is left at 0
} LitheContactParts;

/// Sort key of a contact: its id, then its pair of parts.
typedef struct LitheContactKey {
    uint64_t id, parts;
    int32_t range, index; // the list that contains the contact, and its index there
} LitheContactKey;

/// A tetrahedron of a compliant part, or a triangle of a rigid one (corners 3).
typedef struct LithePatchElement {
    Vec3 x[4];          // corners [m]
    double pressure[4]; // of a compliant part [Pa]
    Vec3 normal;        // of a triangle: unit, outward
    int32_t corners;
} LithePatchElement;

enum { LITHE_NEAR_LANES = 4 };

/// Elements of the field of a shape that may meet those of an edge, side by side, in its frame [m].
typedef struct LithePatchNear {
    double low[3][LITHE_NEAR_LANES], high[3][LITHE_NEAR_LANES]; // boxes
    double corner[3][3][LITHE_NEAR_LANES];                      // of triangles: corner, coordinate
    double normal[3][LITHE_NEAR_LANES];                         // unit
    int32_t element[LITHE_NEAR_LANES];
    int32_t met; // bits: lanes that the present element of the edge may touch
} LithePatchNear;

/// A point of a patch: its share of the force and of the stiffness.
typedef struct LithePatchPoint {
    Vec3 at, normal;    // [m], unit, from a to b
    double force;       // at the start of the step, >= 0 [N]
    double stiffness;   // >= 0 [N/m]
    double area;        // [m^2]
    double depth;       // of a column under its area with its energy, (PF14) [m]
    double dissipation; // Hunt-Crossley [s/m]
} LithePatchPoint;

enum { LITHE_FOUND_SHARES = 16 }; // number of lists that are filled in parallel

/// Contacts of a range of the pairs, in the order of the pairs.
typedef struct LitheFound {
    LitheContact *contacts; // [count]
    LitheContactKey *keys;  // [count]
    int32_t count, capacity, key_capacity;
    int32_t unsupported; // pairs of shapes without a distance function
    int32_t polygons;    // of patches
    int32_t folded;      // edges of rods whose field is that of a straight piece
    int32_t folded_part; // the first of them
    bool failed;         // no memory
    // scratch of patches
    LithePatchElement *elements;
    LithePatchPoint *points;
    int32_t *groups;
    LithePatchNear *near; // elements of a shape near an edge
    int32_t element_capacity, point_capacity, group_capacity, near_capacity;
} LitheFound;

/// Contacts, followed by scratch memory of the search that only grows.
struct LitheContacts {
    LitheContext *context;
    LitheMeter *meter; // the work of searches is spent here; or NULL

    // the result
    LitheContact *contacts;   // [count] sorted by id
    LitheContactParts *parts; // [count] in the same order
    int32_t count, capacity, parts_capacity;
    int32_t unsupported; // pairs of shapes without a distance function
    int32_t polygons;    // of patches, before they are merged
    int32_t folded;      // edges of rods in patches that bend too sharply for their section
    int32_t folded_part; // the first of them, if there is one

    // of the search: proxies. Boxes are stored in slots: slot i is that of part i, except that the
    // particles of a set are ordered along a curve in space, and its triangles in groups of
    // neighbours (lithe_slot_part).
    LitheBounds *boxes; // [part_count] enlarged by half the margin
    int32_t box_capacity, part_count;
    LitheSegment *segments; // [edge_count + 1] the last has zero length
    int32_t segment_capacity;
    LitheBeyond *beyond; // [edge_count]
    int32_t beyond_capacity;
    double *travel; // [geom_count] largest displacement in the step [m]
    int32_t travel_capacity;
    LitheBall *balls; // [ball_count]
    int32_t ball_capacity;
    LitheSpot *spots; // [2 ball_count] particles in the order of their slots, and scratch to sort
    int32_t spot_capacity;
    LitheFace *faces; // [face_count]
    int32_t face_capacity;
    LitheTetPart *tets; // [tet_count]
    int32_t tet_capacity;
    double *carried; // [2][carried_count][3] points of fine surfaces that touch [m], and velocities
    int32_t carried_capacity;
    int32_t *things; // [part_count] numbers of things
    int32_t thing_capacity;
    double *arc; // [edge_count + rod_count] present length up to each node [m]
    int32_t arc_capacity;
    LithePose *poses; // [geom_count] present poses
    int32_t pose_capacity;
    LithePose *ahead; // [geom_count] poses after the step at the present velocity, if `moves`
    int32_t ahead_capacity;
    bool moves;
    Pose *links; // [2][links of the largest tree] scratch: their poses, now and ahead
    int32_t link_capacity;

    // bundles and their tree
    LitheBundle *bundles; // [bundle_count] unbounded ones (half-spaces) last
    int32_t bundle_count, bundle_capacity;
    int32_t bounded_count; // bundles in the tree
    LitheBranch *branches; // [2 bounded_count - 1]
    int32_t branch_capacity;
    int32_t *order; // [bounded_count] bundles in the order of the leaves of the tree
    int32_t order_capacity;

    // pairs and contacts before they are sorted
    LithePartPair *pairs;
    int32_t pair_count, pair_capacity;
    LitheFound found[LITHE_FOUND_SHARES];
    LitheContactKey *keys; // [2 contacts found] with scratch to merge
    int32_t key_capacity;
};

/// The part whose box is in a slot.
static inline int32_t lithe_slot_part(const LitheModel *model, const LitheContacts *c,
                                      int32_t slot) {
    int32_t balls = lithe_part_at(model, LITHE_PART_BALL);
    int32_t faces = lithe_part_at(model, LITHE_PART_FACE);
    if (slot >= balls && slot < balls + model->ball_count)
        return balls + c->spots[slot - balls].ball;
    if (slot >= faces && slot < faces + model->face_count)
        return faces + model->face_order[slot - faces];
    return slot;
}

#endif
