// SPDX-License-Identifier: Apache-2.0
// geom/tet_lattice.c - sites of the lattice, cuts of its edges by the surface, sites that move onto
// it
//
// Numbers in brackets are those of docs/theory/meshing.md.

#include "geom/tet_lattice.h"

#include "base/memory.h"
#include "base/status.h"

// [3] a site moves onto the surface if an edge from it is cut nearer than this fraction of the
// edge. Larger values flatten tetrahedra that moved, smaller ones leave thin trimmed ones; with
// these all dihedral angles are between 10.7 and 164.8 degrees (Labelle and Shewchuk 2007)
#define NEAR_LONG 0.24999
#define NEAR_SHORT 0.41189

enum { MARGIN = 2, MAX_ROOT_STEPS = 40 };

LitheStatus lithe_lattice_begin(LitheLattice *l, Vec3 low, Vec3 high) {
    const double size[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    double cells = 1;
    for (int a = 0; a < 3; a++)
        cells *= ceil(size[a] / l->step) + 2 * MARGIN;
    if (!(2 * cells <= LITHE_TET_MAX))
        return lithe_fail(
            l->error, LITHE_BAD_INPUT,
            "mesh of a surface: resolution %g m gives a lattice of %.3g sites, at most "
            "%d are allowed",
            l->step, 2 * cells, LITHE_TET_MAX);
    for (int a = 0; a < 3; a++)
        l->n[a] = (int32_t)ceil(size[a] / l->step) + 2 * MARGIN;
    Vec3 middle = v3_mix(low, high, 0.5);
    l->origin = v3_axpy(-0.5 * l->step, v3(l->n[0], l->n[1], l->n[2]), middle);
    l->depth = lithe_alloc_array(l->context, (int64_t)(2 * cells), sizeof(double));
    l->node = lithe_alloc_array(l->context, (int64_t)(2 * cells), sizeof(int32_t));
    if (!l->depth || !l->node)
        return lithe_fail_memory(l->error, "a lattice");
    for (int64_t i = 0; i < (int64_t)(2 * cells); i++)
        l->node[i] = -1;
    return LITHE_OK;
}

void lithe_lattice_end(LitheLattice *l) {
    lithe_free(l->context, l->depth);
    lithe_free(l->context, l->node);
    lithe_free(l->context, l->cuts);
    lithe_free(l->context, l->points);
    lithe_free(l->context, l->tets);
}

int32_t lithe_lattice_add_point(LitheLattice *l, Vec3 x) {
    if (!LITHE_RESERVE(l->context, l->points, l->point_capacity, (int64_t)l->point_count + 1))
        return -1;
    l->points[l->point_count] = x;
    return l->point_count++;
}

// --- depth ---------------------------------------------------------------------------------------

// Depth changes by at most the distance walked: sites that are deep inside or far outside are not
// evaluated. Their depth is a lower bound, which is enough, since no edge of theirs is cut.
static void find_row(LitheLattice *l, LitheSite site) {
    const double far = 1.01 * l->step;
    double known = 0; // depth at the last evaluated site, less the distance walked since
    for (int32_t i = 0; i < l->n[0]; i++, site.at[0] += 2) {
        known = known > 0 ? fmax(known - l->step, 0) : fmin(known + l->step, 0);
        if (fabs(known) < far)
            known = l->depth_of(l->user, lattice_place(l, site));
        l->depth[lattice_index(l, site)] = known;
    }
}

// --- cuts ----------------------------------------------------------------------------------------

static uint64_t edge_key(const LitheLattice *l, LitheSite a, LitheSite b) {
    uint64_t i = (uint64_t)lattice_index(l, a) + 1, j = (uint64_t)lattice_index(l, b) + 1;
    return i < j ? i << 32 | j : j << 32 | i;
}

static LitheCut *find_slot(const LitheLattice *l, uint64_t key) {
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    uint32_t mask = (uint32_t)l->slot_count - 1, i = (uint32_t)(h >> 32) & mask;
    while (l->cuts[i].key && l->cuts[i].key != key)
        i = (i + 1) & mask;
    return &l->cuts[i];
}

static bool grow_slots(LitheLattice *l) {
    if (l->cuts && 2 * ((int64_t)l->cut_count + 1) <= l->slot_count)
        return true;
    LitheLattice fresh = *l;
    fresh.slot_count = l->cuts ? 2 * l->slot_count : 1024;
    fresh.cuts = lithe_alloc_array(l->context, fresh.slot_count, sizeof(LitheCut));
    if (!fresh.cuts)
        return false;
    for (int32_t i = 0; i < l->slot_count; i++)
        if (l->cuts[i].key)
            *find_slot(&fresh, l->cuts[i].key) = l->cuts[i];
    lithe_free(l->context, l->cuts);
    *l = fresh;
    return true;
}

LitheCut *lithe_lattice_find(LitheLattice *l, LitheSite a, LitheSite b) {
    return find_slot(l, edge_key(l, a, b));
}

/// [2] Zero of the depth between a site inside and one outside: false position, in which an end
/// that stays counts half.
static Vec3 find_zero(const LitheLattice *l, Vec3 in, Vec3 out, double f_in, double f_out) {
    double low = 0, high = 1, tolerance = 1e-6 * l->step;
    Vec3 x = in;
    for (int k = 0, side = 0; k < MAX_ROOT_STEPS; k++) {
        double t = low + (high - low) * f_in / (f_in - f_out);
        x = v3_mix(in, out, t);
        double f = l->depth_of(l->user, x);
        if (fabs(f) < tolerance || high - low < 1e-9)
            break;
        if (f > 0) {
            low = t;
            f_in = f;
            f_out *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            high = t;
            f_out = f;
            f_in *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return x;
}

static LitheStatus cut_edge(LitheLattice *l, LitheSite a, LitheSite b) {
    if (!lattice_has(l, b))
        return LITHE_OK;
    double f = l->depth[lattice_index(l, a)], g = l->depth[lattice_index(l, b)];
    if (!((f > 0 && g < 0) || (f < 0 && g > 0)))
        return LITHE_OK;
    if (!grow_slots(l))
        return lithe_fail_memory(l->error, "the cuts of a lattice");
    Vec3 x = lattice_place(l, a), y = lattice_place(l, b);
    LitheCut *cut = lithe_lattice_find(l, a, b);
    *cut = (LitheCut){edge_key(l, a, b),
                      f > 0 ? find_zero(l, x, y, f, g) : find_zero(l, y, x, g, f), -1};
    l->cut_count++;
    return LITHE_OK;
}

/// Neighbour k of a site: 0 to 5 along long edges, 6 to 13 along short ones.
static LitheSite neighbour(LitheSite s, int k) {
    if (k < 6) {
        s.at[k / 2] += k % 2 ? -2 : 2;
        return s;
    }
    for (int a = 0; a < 3; a++)
        s.at[a] += (k - 6) >> a & 1 ? 1 : -1;
    return s;
}

// --- sites that move -----------------------------------------------------------------------------

/// [3] Moves a site to the nearest cut of its edges that is near enough. Edges to sites that have
/// moved are not cut any more.
static LitheStatus move_site(LitheLattice *l, LitheSite site) {
    int32_t index = lattice_index(l, site);
    double f = l->depth[index], nearest = INFINITY;
    Vec3 x = lattice_place(l, site), to = x;
    if (f == 0 || fabs(f) > l->step)
        return LITHE_OK;
    for (int k = 0; k < 14; k++) {
        LitheSite other = neighbour(site, k);
        if (!lattice_has(l, other))
            continue;
        double g = l->depth[lattice_index(l, other)];
        if (!((f > 0 && g < 0) || (f < 0 && g > 0)))
            continue;
        double limit = k < 6 ? NEAR_LONG * l->step : NEAR_SHORT * sqrt(0.75) * l->step;
        Vec3 cut = lithe_lattice_find(l, site, other)->x;
        double d = v3_distance(x, cut);
        if (d < limit && d < nearest) {
            nearest = d;
            to = cut;
        }
    }
    if (!isfinite(nearest))
        return LITHE_OK;
    l->depth[index] = 0;
    l->node[index] = lithe_lattice_add_point(l, to);
    return l->node[index] < 0 ? lithe_fail_memory(l->error, "the nodes of a lattice") : LITHE_OK;
}

/// Calls `visit` for all sites in the order of rows.
static LitheStatus for_sites(LitheLattice *l, LitheStatus (*visit)(LitheLattice *, LitheSite)) {
    LitheStatus status = LITHE_OK;
    for (int32_t k = 0; k < l->n[2]; k++)
        for (int32_t j = 0; j < l->n[1]; j++)
            for (int32_t i = 0; i < 2 * l->n[0] && !status; i++)
                status = visit(l, (LitheSite){{i, 2 * j + (i & 1), 2 * k + (i & 1)}});
    return status;
}

static LitheStatus cut_edges(LitheLattice *l, LitheSite site) {
    // each edge once: long ones upward, short ones from the corners of cells
    LitheStatus status = LITHE_OK;
    if (fabs(l->depth[lattice_index(l, site)]) > l->step)
        return LITHE_OK;
    for (int k = 0; k < (site.at[0] & 1 ? 6 : 14) && !status; k += k < 6 ? 2 : 1)
        status = cut_edge(l, site, neighbour(site, k));
    return status;
}

LitheStatus lithe_lattice_cut(LitheLattice *l) {
    for (int32_t k = 0; k < 2 * l->n[2]; k++)
        for (int32_t j = k & 1; j < 2 * l->n[1]; j += 2)
            find_row(l, (LitheSite){{k & 1, j, k}});
    LitheStatus status = for_sites(l, cut_edges);
    return status ? status : for_sites(l, move_site);
}
