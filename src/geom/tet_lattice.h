// SPDX-License-Identifier: Apache-2.0
// geom/tet_lattice.h - a body-centred cubic lattice of sites over a box, cut by a surface

#ifndef LITHE_GEOM_TET_LATTICE_H
#define LITHE_GEOM_TET_LATTICE_H

#include "geom/tet_fill.h"

/// A site in half steps of the lattice: all three even (a corner of cells) or all odd (a centre).
typedef struct LitheSite {
    int32_t at[3];
} LitheSite;

/// Where the surface cuts a lattice edge.
typedef struct LitheCut {
    uint64_t key; // of the edge: two sites; 0: empty slot
    Vec3 x;
    int32_t node; // -1: not used yet
} LitheCut;

typedef struct LitheLattice {
    LitheContext *context;
    LitheError *error;
    LitheTetDepthFn *depth_of;
    const void *user;
    double step; // edge of the cubic cells [m]
    Vec3 origin;
    int32_t n[3];  // cells
    double *depth; // [2 n n n] of sites [m]: > 0 inside, 0 on the surface
    int32_t *node; // [2 n n n] -1: none yet
    LitheCut *cuts;
    int32_t cut_count, slot_count; // slots: a power of two
    Vec3 *points;                  // [point_count] nodes
    int32_t point_count, point_capacity;
    int32_t *tets; // [tet_count][4]
    int32_t tet_count, tet_capacity;
} LitheLattice;

static inline int32_t lattice_index(const LitheLattice *l, LitheSite s) {
    return 2 * ((s.at[0] >> 1) + l->n[0] * ((s.at[1] >> 1) + l->n[1] * (s.at[2] >> 1))) +
           (s.at[0] & 1);
}

static inline bool lattice_has(const LitheLattice *l, LitheSite s) {
    return s.at[0] >= 0 && s.at[1] >= 0 && s.at[2] >= 0 && s.at[0] < 2 * l->n[0] &&
           s.at[1] < 2 * l->n[1] && s.at[2] < 2 * l->n[2];
}

static inline Vec3 lattice_place(const LitheLattice *l, LitheSite s) {
    double half = 0.5 * l->step;
    return v3(l->origin.x + half * s.at[0], l->origin.y + half * s.at[1],
              l->origin.z + half * s.at[2]);
}

/// Allocates the lattice over a box; refuses more than LITHE_TET_MAX sites.
LitheStatus lithe_lattice_begin(LitheLattice *lattice, Vec3 low, Vec3 high);

/// Depth of all sites, cuts of all edges, and the sites that move onto the surface.
LitheStatus lithe_lattice_cut(LitheLattice *lattice);

/// The cut of an edge with ends inside and outside.
LitheCut *lithe_lattice_find(LitheLattice *lattice, LitheSite a, LitheSite b);

/// Adds a node; -1 when out of memory.
int32_t lithe_lattice_add_point(LitheLattice *lattice, Vec3 x);

/// Tetrahedra of all cells, trimmed by the surface.
LitheStatus lithe_lattice_trim(LitheLattice *lattice);

/// Frees everything; accepts a zeroed lattice.
void lithe_lattice_end(LitheLattice *lattice);

#endif
