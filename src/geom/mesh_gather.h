// SPDX-License-Identifier: Apache-2.0
// geom/mesh_gather.h - candidates of contact points, reduced while they are found
//
// Candidates of about one normal are a cluster. A cluster keeps its deepest candidate, the
// outermost ones in eight directions, and the outermost of those that overlap: there is no list to
// overflow.

#ifndef LITHE_GEOM_MESH_GATHER_H
#define LITHE_GEOM_MESH_GATHER_H

#include "geom/distance.h"

/// Cosine (20 degrees) above which two opposite faces touch as faces, and two normals count as one
/// direction.
#define LITHE_FACING 0.94

enum {
    LITHE_GATHER_DIRECTIONS = 8,
    LITHE_GATHER_CLUSTERS = 12,
    LITHE_GATHER_SLOTS = 1 + 2 * LITHE_GATHER_DIRECTIONS,
};

/// Candidates of about one normal: the deepest, the outermost, the outermost of those that overlap.
typedef struct LitheCluster {
    Vec3 normal, u, v;
    LitheContactPoint point[LITHE_GATHER_SLOTS];
    double along[LITHE_GATHER_SLOTS]; // measure of the point in each slot: depth or extent;
                                      // -INFINITY: the slot is empty
} LitheCluster;

typedef struct LitheGather {
    double margin;   // gaps below it count
    double rounding; // of lengths
    double deepest;  // smallest gap so far; INFINITY: none
    LitheCluster cluster[LITHE_GATHER_CLUSTERS];
    int count;
} LitheGather;

/// Whether a candidate would change anything.
bool lithe_gather_wants(LitheGather *gather, const LitheContactPoint *point);
void lithe_gather_keep(LitheGather *gather, const LitheContactPoint *point);

/// The points that represent all: up to four of each cluster, and up to four of those that overlap,
/// the deepest cluster first. Returns their number.
int lithe_gather_choose(const LitheGather *gather, LitheContactPoint out[LITHE_CONTACTS_MAX]);

#endif
