// SPDX-License-Identifier: Apache-2.0
// geom/field_revolution.c - the pressure field of a solid of revolution: the distance to its
// surface over the largest one
//
// In the half plane r >= 0 the solid is a polygon: the outline, with a line to the axis at each
// end. Where it is convex, with its mirror image, the distance is linear on the cell of each edge,
// which consists of the points that are nearest to its line: the field is exact. Otherwise it is
// that at the nodes of a grid, whose columns follow the outline.

#include "geom/field.h"

#include "base/memory.h"
#include "geom/distance.h"

// what is rounding: of a length over the size of the shape, of a direction
#define ROUNDING 1e-12
#define SAME_LINE 1e-9

// --- triangles of the half plane -----------------------------------------------------------------

// A point of the half plane with its depth, and its ring: points from `at` on, a step of 0 between
// them on the axis.
typedef struct Meridian {
    double r, z;
    double depth; // distance to the surface [m]
    int32_t at, step;
} Meridian;

typedef struct Turned {
    LithePressureField *field;
    double scale;   // (PF3)
    double deepest; // largest distance [m]
    double least;   // lengths below are 0 [m]
    int32_t sectors;
} Turned;

static bool add_meridian(const Turned *t, Meridian *m) {
    bool axis = m->r < t->least;
    double depth = m->depth < t->least ? 0 : fmin(m->depth / t->deepest, 1);
    m->step = axis ? 0 : 1;
    m->at =
        lithe_field_ring(t->field, axis ? 0 : t->scale * m->r, m->z, axis ? 1 : t->sectors, depth);
    return m->at >= 0;
}

// a prism for each sector
static bool turn(const Turned *t, const Meridian *a, const Meridian *b, const Meridian *c) {
    const Meridian *from[3] = {a, b, c};
    LitheMeridian section[3];
    for (int k = 0; k < 3; k++)
        section[k] = (LitheMeridian){from[k]->step ? from[k]->r : 0, from[k]->z,
                                     t->field->depths[from[k]->at]};
    bool ok = lithe_field_add_section(t->field, section);
    for (int32_t k = 0; k < t->sectors && ok; k++) {
        int32_t next = (k + 1) % t->sectors;
        int32_t low[3] = {a->at + a->step * k, b->at + b->step * k, c->at + c->step * k};
        int32_t high[3] = {a->at + a->step * next, b->at + b->step * next, c->at + c->step * next};
        ok = lithe_field_add_prism(t->field, low, high);
    }
    return ok;
}

// --- convex: the cells of the edges --------------------------------------------------------------

// an edge of the outline: the distance inwards from its line is r x.r + z x.z - offset
typedef struct Edge {
    double r, z, offset;
} Edge;

typedef struct Cells {
    const LitheGeom *geom;
    Edge *edges;
    int32_t edge_count;
    Meridian *corners, *other; // of a cell, and space for them
    double *side;              // of the corners
} Cells;

static double inwards(const Edge *e, const Meridian *m) {
    return e->r * m->r + e->z * m->z - e->offset;
}

static void add_edge(Cells *c, double r0, double z0, double r1, double z1) {
    double length = hypot(r1 - r0, z1 - z0);
    if (length > 0) {
        Edge e = {(z0 - z1) / length, (r1 - r0) / length, 0};
        e.offset = e.r * r0 + e.z * z0;
        c->edges[c->edge_count++] = e;
    }
}

static void add_edges(Cells *c) {
    const double *z = c->geom->profile_z, *r = c->geom->profile_r;
    int32_t last = c->geom->profile_count - 1;
    add_edge(c, 0, z[0], r[0], z[0]);
    for (int32_t i = 0; i < last; i++)
        add_edge(c, r[i], z[i], r[i + 1], z[i + 1]);
    add_edge(c, r[last], z[last], 0, z[last]);
}

// the part of a convex polygon with side >= 0, linear between its corners
static int32_t keep(Cells *c, int32_t count, double least) {
    int32_t kept = 0;
    const Meridian *in = c->corners;
    for (int32_t i = 0; i < count; i++)
        c->side[i] = fabs(c->side[i]) < least ? 0 : c->side[i];
    for (int32_t i = 0; i < count; i++) {
        int32_t next = (i + 1) % count;
        double s = c->side[i], after = c->side[next];
        if (s >= 0)
            c->other[kept++] = in[i];
        if ((s > 0 && after < 0) || (s < 0 && after > 0)) {
            double t = s / (s - after);
            c->other[kept++] = (Meridian){.r = in[i].r + t * (in[next].r - in[i].r),
                                          .z = in[i].z + t * (in[next].z - in[i].z)};
        }
    }
    Meridian *swap = c->corners;
    c->corners = c->other;
    c->other = swap;
    return kept;
}

// The points inside that are nearest to the line of edge `own`: the number of corners. Of edges on
// one line the first has them.
static int32_t find_cell(Cells *c, int32_t own, double least) {
    const LitheGeom *g = c->geom;
    const Edge *e = &c->edges[own];
    double low = g->profile_z[0], high = g->profile_z[g->profile_count - 1];
    const Meridian box[4] = {
        {.z = low}, {.r = g->reach, .z = low}, {.r = g->reach, .z = high}, {.z = high}};
    for (int k = 0; k < 4; k++)
        c->corners[k] = box[k];
    int32_t count = 4;
    for (int32_t i = 0; i < c->edge_count && count > 2; i++) {
        const Edge *f = &c->edges[i];
        bool same = i != own && fabs(f->r - e->r) + fabs(f->z - e->z) < SAME_LINE;
        if (same && i < own)
            return 0;
        for (int32_t k = 0; k < count; k++) {
            double d = inwards(e, &c->corners[k]);
            c->side[k] = i == own ? d : inwards(f, &c->corners[k]) - d;
        }
        count = same ? count : keep(c, count, least);
    }
    for (int32_t k = 0; k < count; k++)
        c->corners[k].depth = inwards(e, &c->corners[k]);
    return count > 2 ? count : 0;
}

static bool fill_cells(Turned *t, Cells *c) {
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) // the largest distance, then the tetrahedra
        for (int32_t i = 0; i < c->edge_count && ok; i++) {
            int32_t count = find_cell(c, i, t->least);
            Meridian *m = c->corners;
            for (int32_t k = 0; k < count && ok; k++) {
                t->deepest = fmax(t->deepest, m[k].depth);
                ok = pass == 0 || add_meridian(t, &m[k]);
            }
            for (int32_t k = 1; k + 1 < count && ok && pass == 1; k++)
                ok = turn(t, &m[0], &m[k], &m[k + 1]);
        }
    return ok;
}

static bool fill_convex(Turned *t, const LitheGeom *g) {
    LitheContext *context = t->field->context;
    int64_t edges = (int64_t)g->profile_count + 1, corners = edges + 5;
    Cells c = {.geom = g};
    Edge *e = c.edges = lithe_alloc_array(context, edges, sizeof *c.edges);
    Meridian *a = c.corners = lithe_alloc_array(context, corners, sizeof *a);
    Meridian *b = c.other = lithe_alloc_array(context, corners, sizeof *b);
    c.side = lithe_alloc_array(context, corners, sizeof *c.side);
    bool ok = e && a && b && c.side;
    if (ok) {
        add_edges(&c);
        ok = fill_cells(t, &c);
    }
    lithe_free(context, c.side);
    lithe_free(context, b);
    lithe_free(context, a);
    lithe_free(context, e);
    return ok;
}

// --- not convex: a grid --------------------------------------------------------------------------

static double profile_radius(const LitheGeom *g, double z) {
    int32_t i = 0;
    while (i + 2 < g->profile_count && g->profile_z[i + 1] < z)
        i++;
    double from = g->profile_z[i], to = g->profile_z[i + 1];
    double s = to > from ? fmin(fmax((z - from) / (to - from), 0), 1) : 0;
    return g->profile_r[i] + s * (g->profile_r[i + 1] - g->profile_r[i]);
}

// columns at these parts of the inset from the outline, and the axis; rows at them from the ends
enum { INSETS = 4, COLUMNS = INSETS + 1 };
static const double insets[INSETS] = {0, 0.25, 0.5, 1};

// half the length or the largest radius, whichever is less
static double inset_of(const LitheGeom *g) {
    double widest = 0;
    for (int32_t i = 0; i < g->profile_count; i++)
        widest = fmax(widest, g->profile_r[i]);
    return fmin(0.5 * (g->profile_z[g->profile_count - 1] - g->profile_z[0]), widest);
}

// the next row above z: of the profile, or at an inset from an end, of those from `first` on
static double next_row(const LitheGeom *g, double z, int first, double inset) {
    double low = g->profile_z[0], high = g->profile_z[g->profile_count - 1], next = high;
    for (int32_t i = 0; i < g->profile_count; i++)
        if (g->profile_z[i] > z)
            next = fmin(next, g->profile_z[i]);
    for (int k = first; k < INSETS; k++) {
        double up = low + insets[k] * inset, down = high - insets[k] * inset;
        next = up > z ? fmin(next, up) : next;
        next = down > z ? fmin(next, down) : next;
    }
    return next;
}

static void set_row(const LitheGeom *g, double z, double inset, Meridian row[COLUMNS]) {
    double r = profile_radius(g, z);
    for (int k = 0; k < COLUMNS; k++) {
        LitheNearest near;
        row[k] = (Meridian){.r = k < INSETS ? fmax(r - insets[k] * inset, 0) : 0, .z = z};
        lithe_revolution_nearest(g->profile_z, g->profile_r, g->profile_count, v3(row[k].r, 0, z),
                                 &near);
        row[k].depth = k == 0 ? 0 : fmax(-near.distance, 0);
    }
}

// the diagonal with the deeper ends, so that a corner of the outline has pressure
static bool turn_quad(const Turned *t, const Meridian *low, const Meridian *high) {
    if (low[0].depth + high[1].depth > low[1].depth + high[0].depth)
        return turn(t, &low[0], &low[1], &high[1]) && turn(t, &low[0], &high[1], &high[0]);
    return turn(t, &low[0], &low[1], &high[0]) && turn(t, &low[1], &high[1], &high[0]);
}

static bool fill_grid(Turned *t, const LitheGeom *g) {
    double inset = inset_of(g), top = g->profile_z[g->profile_count - 1];
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) {
        Meridian rows[2][COLUMNS];
        int32_t made = 0;
        for (double z = g->profile_z[0], before = z - 1; ok && z > before; made++) {
            Meridian *row = rows[made % 2], *last = rows[(made + 1) % 2];
            set_row(g, z, inset, row);
            for (int k = 0; k < COLUMNS && ok; k++) {
                t->deepest = fmax(t->deepest, row[k].depth);
                ok = pass == 0 || add_meridian(t, &row[k]);
            }
            for (int k = 0; k + 1 < COLUMNS && ok && pass == 1 && made > 0; k++)
                ok = turn_quad(t, last + k, row + k);
            before = z;
            z = z < top ? next_row(g, z, 1, inset) : z;
        }
    }
    return ok;
}

// --- the surface ---------------------------------------------------------------------------------

// bands of the outline, with rows where the ends reach to, and fans at the ends
static bool fill_surface(const Turned *t, const LitheGeom *g) {
    LithePressureField *f = t->field;
    double low = g->profile_z[0], high = g->profile_z[g->profile_count - 1], inset = inset_of(g);
    int32_t ring = -1, n = t->sectors;
    for (double z = low, before = low - 1; z > before;) {
        int32_t last = ring;
        ring = lithe_field_ring(f, t->scale * profile_radius(g, z), z, n, 0);
        bool ok = true, end = z == low || z == high;
        int32_t axis = end ? lithe_field_point(f, v3(0, 0, z), 0) : 0;
        for (int32_t k = 0; k < n && last >= 0 && ok; k++) {
            int32_t next = (k + 1) % n, quad[4] = {last + k, last + next, ring + next, ring + k};
            ok = lithe_field_add_quad(f, quad);
        }
        for (int32_t k = 0; k < n && end && ok; k++) {
            int32_t next = (k + 1) % n, a = ring + (z == low ? next : k);
            ok = lithe_field_add_triangle(f, axis, a, ring + (z == low ? k : next));
        }
        if (!ok || ring < 0)
            return false;
        before = z;
        z = z < high ? next_row(g, z, INSETS - 1, inset) : z;
    }
    return true;
}

static bool is_convex(const LitheGeom *g) {
    bool convex = true;
    for (int32_t i = 1; i + 1 < g->profile_count; i++) {
        const double *z = g->profile_z + i, *r = g->profile_r + i;
        double chord = r[-1] + (r[1] - r[-1]) * (z[0] - z[-1]) / (z[1] - z[-1]);
        convex &= r[0] > chord - ROUNDING * g->reach;
    }
    return convex;
}

static bool add_outline(LithePressureField *f, const LitheGeom *g) {
    int32_t last = g->profile_count - 1;
    bool ok = lithe_field_add_outline(f, 0, g->profile_z[0]);
    for (int32_t i = 0; i <= last && ok; i++)
        ok = lithe_field_add_outline(f, g->profile_r[i], g->profile_z[i]);
    return ok && lithe_field_add_outline(f, 0, g->profile_z[last]);
}

bool lithe_field_fill_revolution(LithePressureField *f, const LitheGeom *g, int32_t sectors) {
    Turned t = {f, lithe_polygon_radius(sectors), 0, ROUNDING * g->reach, sectors};
    f->bulges = is_convex(g);
    return fill_surface(&t, g) && add_outline(f, g) &&
           (f->modulus == 0 || (f->bulges ? fill_convex(&t, g) : fill_grid(&t, g)));
}
