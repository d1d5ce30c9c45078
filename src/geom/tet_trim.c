// SPDX-License-Identifier: Apache-2.0
// geom/tet_trim.c - lattice tetrahedra that the surface cuts, trimmed to their part inside
//
// Numbers in brackets are those of docs/theory/meshing.md. A tetrahedron has two opposite long
// edges and four short ones. By the signs of its corners (inside, on the surface, outside) its
// inner part is a tetrahedron, a pyramid or a prism. Pyramids and prisms are cut along diagonals of
// their quadrilaterals; the rule for those in faces looks at the face alone, so that neighbours
// agree.

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_lattice.h"

/// Corners of the tetrahedron at hand, those inside first, then on the surface, then outside.
typedef struct Corners {
    LitheSite site[4];
    int inside, on; // numbers; the rest is outside
} Corners;

static LitheStatus add_tet(LitheLattice *l, int32_t a, int32_t b, int32_t c, int32_t d) {
    if (a < 0 || b < 0 || c < 0 || d < 0 ||
        !LITHE_RESERVE(l->context, l->tets, l->tet_capacity, 4 * ((int64_t)l->tet_count + 1)))
        return lithe_fail_memory(l->error, "the elements of a lattice");
    if (l->tet_count == LITHE_TET_MAX)
        return lithe_fail(l->error, LITHE_BAD_INPUT,
                          "mesh of a surface: more than %d elements at a resolution of %g m",
                          LITHE_TET_MAX, l->step);
    const Vec3 *x = l->points;
    bool positive =
        v3_dot(v3_cross(v3_sub(x[b], x[a]), v3_sub(x[c], x[a])), v3_sub(x[d], x[a])) > 0;
    int32_t *to = l->tets + 4 * (size_t)l->tet_count++;
    to[0] = a;
    to[1] = b;
    to[2] = positive ? c : d;
    to[3] = positive ? d : c;
    return LITHE_OK;
}

static int32_t site_node(LitheLattice *l, LitheSite s) {
    int32_t *node = &l->node[lattice_index(l, s)];
    if (*node < 0)
        *node = lithe_lattice_add_point(l, lattice_place(l, s));
    return *node;
}

static int32_t cut_node(LitheLattice *l, LitheSite in, LitheSite out) {
    LitheCut *cut = lithe_lattice_find(l, in, out);
    if (cut->node < 0)
        cut->node = lithe_lattice_add_point(l, cut->x);
    return cut->node;
}

static bool same_colour(LitheSite a, LitheSite b) {
    return ((a.at[0] ^ b.at[0]) & 1) == 0;
}

/// [5] Whether the diagonal of the quadrilateral a, b, cut of b, cut of a starts at a. If one of
/// the cut edges is long, it starts at the end of the short one; else (a and b differ by one cell)
/// at the site of even parity.
static bool is_first(LitheSite a, LitheSite b, LitheSite out) {
    if (same_colour(a, b)) {
        int32_t sum = (a.at[0] >> 1) + (a.at[1] >> 1) + (a.at[2] >> 1);
        return (sum & 1) == 0;
    }
    return !same_colour(a, out);
}

/// a and b inside, c on the surface, d outside: a pyramid.
static LitheStatus trim_pyramid(LitheLattice *l, LitheSite a, LitheSite b, LitheSite c,
                                LitheSite d) {
    if (!is_first(a, b, d)) {
        LitheSite keep = a;
        a = b;
        b = keep;
    }
    int32_t i = site_node(l, a), j = site_node(l, b), tip = site_node(l, c);
    int32_t p = cut_node(l, a, d), q = cut_node(l, b, d);
    LitheStatus status = add_tet(l, i, j, q, tip);
    return status ? status : add_tet(l, i, q, p, tip);
}

/// a, b, c inside, d outside: a prism with the order of diagonals of a sorted list.
static LitheStatus trim_prism(LitheLattice *l, const LitheSite site[4]) {
    LitheSite s[3] = {site[0], site[1], site[2]};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (!is_first(s[k], s[k + 1], site[3])) {
                LitheSite keep = s[k];
                s[k] = s[k + 1];
                s[k + 1] = keep;
            }
    int32_t v[3], c[3];
    for (int k = 0; k < 3; k++) {
        v[k] = site_node(l, s[k]);
        c[k] = cut_node(l, s[k], site[3]);
    }
    LitheStatus status = add_tet(l, v[0], v[1], v[2], c[2]);
    status = status ? status : add_tet(l, v[0], v[1], c[1], c[2]);
    return status ? status : add_tet(l, v[0], c[0], c[1], c[2]);
}

/// a and b inside, c and d outside: a prism with the triangles of a and of b.
static LitheStatus trim_wedge(LitheLattice *l, LitheSite a, LitheSite b, LitheSite c, LitheSite d) {
    bool first_c = is_first(a, b, c), first_d = is_first(a, b, d);
    if (!first_c) { // exchange a and b
        LitheSite keep = a;
        a = b;
        b = keep;
        first_d = !first_d;
    }
    int32_t i = site_node(l, a), j = site_node(l, b);
    int32_t ac = cut_node(l, a, c), ad = cut_node(l, a, d);
    int32_t bc = cut_node(l, b, c), bd = cut_node(l, b, d);
    if (ac < 0 || ad < 0 || bc < 0 || bd < 0)
        return lithe_fail_memory(l->error, "the nodes of a lattice");
    LitheStatus status;
    if (!first_d) { // the diagonals a bc and b ad allow ad bc alone on the surface
        status = add_tet(l, i, j, bc, ad);
        status = status ? status : add_tet(l, i, ac, ad, bc);
        return status ? status : add_tet(l, j, bc, bd, ad);
    }
    status = add_tet(l, i, j, bc, bd);
    bool straight =
        v3_distance(l->points[ac], l->points[bd]) <= v3_distance(l->points[ad], l->points[bc]);
    if (straight) {
        status = status ? status : add_tet(l, i, ac, bc, bd);
        return status ? status : add_tet(l, i, ac, bd, ad);
    }
    status = status ? status : add_tet(l, i, ac, bc, ad);
    return status ? status : add_tet(l, i, bc, bd, ad);
}

static Corners sort_corners(const LitheLattice *l, const LitheSite site[4]) {
    Corners c = {.inside = 0};
    int count = 0;
    for (int sign = 1; sign >= -1; sign--) {
        for (int k = 0; k < 4; k++) {
            double f = l->depth[lattice_index(l, site[k])];
            if ((f > 0) - (f < 0) == sign)
                c.site[count++] = site[k];
        }
        if (sign == 1)
            c.inside = count;
        if (sign == 0)
            c.on = count - c.inside;
    }
    return c;
}

/// [4] The part of a lattice tetrahedron inside of the surface.
static LitheStatus trim(LitheLattice *l, const LitheSite site[4]) {
    Corners c = sort_corners(l, site);
    const LitheSite *s = c.site;
    int outside = 4 - c.inside - c.on;
    if (c.inside == 0)
        return LITHE_OK;
    if (outside == 0)
        return add_tet(l, site_node(l, s[0]), site_node(l, s[1]), site_node(l, s[2]),
                       site_node(l, s[3]));
    if (c.inside == 1) {
        int32_t node[4];
        for (int k = 0; k < 4; k++)
            node[k] = k < 4 - outside ? site_node(l, s[k]) : cut_node(l, s[0], s[k]);
        return add_tet(l, node[0], node[1], node[2], node[3]);
    }
    if (c.inside == 3)
        return trim_prism(l, s);
    return outside == 2 ? trim_wedge(l, s[0], s[1], s[2], s[3])
                        : trim_pyramid(l, s[0], s[1], s[2], s[3]);
}

/// [1] The four tetrahedra round the edge from a corner of cells along an axis.
static LitheStatus trim_round(LitheLattice *l, LitheSite corner, int axis) {
    static const int8_t ring[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    LitheSite next = corner, centre[4];
    LitheStatus status = LITHE_OK;
    next.at[axis] += 2;
    if (!lattice_has(l, next))
        return LITHE_OK;
    bool inside[4];
    for (int k = 0; k < 4; k++) {
        centre[k] = corner;
        centre[k].at[axis] += 1;
        centre[k].at[(axis + 1) % 3] += ring[k][0];
        centre[k].at[(axis + 2) % 3] += ring[k][1];
        inside[k] = lattice_has(l, centre[k]);
    }
    for (int k = 0; k < 4 && !status; k++)
        if (inside[k] && inside[(k + 1) % 4])
            status = trim(l, (LitheSite[4]){corner, next, centre[k], centre[(k + 1) % 4]});
    return status;
}

LitheStatus lithe_lattice_trim(LitheLattice *l) {
    LitheStatus status = LITHE_OK;
    for (int32_t k = 0; k < l->n[2]; k++)
        for (int32_t j = 0; j < l->n[1]; j++)
            for (int32_t i = 0; i < l->n[0]; i++)
                for (int axis = 0; axis < 3 && !status; axis++)
                    status = trim_round(l, (LitheSite){{2 * i, 2 * j, 2 * k}}, axis);
    return status;
}
