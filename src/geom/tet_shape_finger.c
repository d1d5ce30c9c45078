// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape_finger.c - meshes of pneumatic fingers: a row of chambers on a flat floor
//
// A finger is a grid of cells along x, y and z, without the cells of its hollow and of the gaps
// between its chambers. The lines of the grid are those where something begins or ends:
//
//   along x   wall, chamber, wall, [gap, wall, chamber, wall] ..; without gaps neighbours share a
//             wall
//   along y   wall, side, channel, side, wall
//   along z   floor, channel, roof of the channel (as thick as a wall), the rest, roof
//
// A channel joins the chambers through the walls and below the gaps.

#include "geom/tet_shape_parts.h"

#include "base/memory.h"
#include "base/status.h"

enum { WALL, CHAMBER, GAP, END }; // kinds of parts along x
enum { PARTS_Y = 5, PARTS_Z = 5, MIDDLE = 2, ABOVE = 1 };
enum { VOID, SOLID, HOLLOW }; // kinds of cells

typedef struct Grid {
    int32_t n[3];    // cells
    double *x[3];    // [n + 1] lines
    int8_t *part[3]; // [n] along x the kind, else the number of the part
} Grid;

static double chamber_of(const LitheTetShape *s) {
    double walls = s->gap > 0 ? 2 * s->chambers : s->chambers + 1;
    return (s->size.x - walls * s->thickness - (s->chambers - 1) * s->gap) / s->chambers;
}

LitheStatus lithe_tet_check_finger(const LitheTetShape *s, LitheError *error) {
    double side = s->size.y - 2 * s->thickness - s->channel, chamber = chamber_of(s);
    double rest = s->size.z - s->depth - s->channel - 2 * s->thickness;
    if (s->chambers < 1 || s->chambers > 1000)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a finger: chambers are %d, must be 1 to 1000", s->chambers);
    if (!(s->gap >= 0))
        return lithe_fail(error, LITHE_BAD_INPUT, "mesh of a finger: gap is %g m, must be >= 0",
                          s->gap);
    if (!(chamber > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a finger: walls and gaps leave %g m for each chamber along x",
                          chamber);
    if (!(side > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a finger: two walls and the channel leave %g m along y", side);
    if (!(rest > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a finger: floor, channel and two walls leave %g m along z",
                          rest);
    return LITHE_OK;
}

// --- grid ----------------------------------------------------------------------------------------

// appends a part; with NULL lines only counts
static void add_part(Grid *g, int axis, double length, int part, double edge) {
    int32_t cells = lithe_tet_divisions(length, edge, 1), at = g->n[axis];
    for (int32_t i = 0; i < cells && g->x[axis]; i++) {
        g->part[axis][at + i] = (int8_t)part;
        g->x[axis][at + i + 1] = g->x[axis][at] + length * (i + 1) / cells;
    }
    g->n[axis] += cells;
}

static void add_parts(const LitheTetShape *s, Grid *g) {
    double w = s->thickness, side = 0.5 * (s->size.y - 2 * w - s->channel);
    const double y[PARTS_Y] = {w, side, s->channel, side, w};
    const double z[PARTS_Z] = {s->depth, s->channel, w, s->size.z - s->depth - s->channel - 2 * w,
                               w};
    for (int axis = 0; axis < 3; axis++)
        g->n[axis] = 0;
    for (int32_t c = 0; c < s->chambers; c++) {
        bool last = c + 1 == s->chambers;
        if (c == 0 || s->gap > 0)
            add_part(g, 0, w, c == 0 ? END : WALL, s->edge);
        add_part(g, 0, chamber_of(s), CHAMBER, s->edge);
        add_part(g, 0, w, last ? END : WALL, s->edge);
        if (!last && s->gap > 0)
            add_part(g, 0, s->gap, GAP, s->edge);
    }
    for (int k = 0; k < PARTS_Y; k++)
        add_part(g, 1, y[k], k, s->edge);
    for (int k = 0; k < PARTS_Z; k++)
        add_part(g, 2, z[k], k, s->edge);
}

static LitheStatus make_grid(LitheContext *context, const LitheTetShape *s, Grid *g,
                             LitheError *error) {
    const double size[3] = {s->size.x, s->size.y, s->size.z};
    add_parts(s, g);
    for (int axis = 0; axis < 3; axis++) {
        g->x[axis] = lithe_alloc_array(context, (int64_t)g->n[axis] + 1, sizeof(double));
        g->part[axis] = lithe_alloc_array(context, g->n[axis], sizeof(int8_t));
        if (!g->x[axis] || !g->part[axis])
            return lithe_fail_memory(error, "the mesh of a finger");
        g->x[axis][0] = -0.5 * size[axis];
    }
    add_parts(s, g);
    return LITHE_OK;
}

static void destroy_grid(LitheContext *context, Grid *g) {
    for (int axis = 0; axis < 3; axis++) {
        lithe_free(context, g->x[axis]);
        lithe_free(context, g->part[axis]);
    }
}

static int kind_of(int along, int y, int z) {
    bool channel = y == MIDDLE && z == ABOVE;
    if (along == CHAMBER)
        return y > 0 && y < PARTS_Y - 1 && z > 0 && z < PARTS_Z - 1 ? HOLLOW : SOLID;
    if (along == WALL)
        return channel ? HOLLOW : SOLID;
    if (along == GAP)
        return channel ? HOLLOW : z <= ABOVE + 1 ? SOLID : VOID;
    return SOLID;
}

static int cell_kind(const Grid *g, int32_t i, int32_t j, int32_t k) {
    if (i < 0 || j < 0 || k < 0 || i >= g->n[0] || j >= g->n[1] || k >= g->n[2])
        return VOID;
    return kind_of(g->part[0][i], g->part[1][j], g->part[2][k]);
}

// which kinds of cells are around a node, as bits
static int around(const Grid *g, const int32_t at[3]) {
    int bits = 0;
    for (int c = 0; c < 8; c++)
        bits |= 1 << cell_kind(g, at[0] - (c & 1), at[1] - (c >> 1 & 1), at[2] - (c >> 2));
    return bits;
}

double lithe_tet_finger_volume(const LitheTetShape *s) {
    double w = s->thickness, high = s->size.z - s->depth - w, gaps = s->chambers - 1;
    double joints = gaps * (s->gap > 0 ? 2 * w + s->gap : w); // of channel between chambers
    double hollow =
        s->chambers * chamber_of(s) * (s->size.y - 2 * w) * high + joints * s->channel * s->channel;
    double open = gaps * s->gap * s->size.y * (s->size.z - s->depth - s->channel - w);
    return s->size.x * s->size.y * s->size.z - hollow - open;
}

// --- mesh ----------------------------------------------------------------------------------------

typedef struct Count {
    double nodes, cells;
} Count;

static void node_at(const Grid *g, int64_t index, int32_t at[3]) {
    int64_t row = g->n[0] + 1, layer = row * (g->n[1] + 1);
    at[0] = (int32_t)(index % row);
    at[1] = (int32_t)(index % layer / row);
    at[2] = (int32_t)(index / layer);
}

static LitheStatus add_sets(LitheTetMaker *maker, const Grid *g, const int32_t *number,
                            int64_t total) {
    static const char *const names[] = {"x-min", "x-max", "z-min", "inner", "outer"};
    LitheStatus status = LITHE_OK;
    for (int set = 0; set < 5 && status == LITHE_OK; set++) {
        for (int64_t i = 0; i < total; i++) {
            int32_t at[3];
            if (number[i] < 0)
                continue;
            node_at(g, i, at);
            int bits = around(g, at);
            maker->member[number[i]] = set == 0   ? at[0] == 0
                                       : set == 1 ? at[0] == g->n[0]
                                       : set == 2 ? at[2] == 0
                                       : set == 3 ? (bits & 1 << HOLLOW) != 0
                                                  : (bits & 1 << VOID) != 0;
        }
        status = lithe_tet_mesh_add_set(maker->context, &maker->mesh, names[set], maker->member,
                                        maker->error);
    }
    return status;
}

static LitheStatus fill(LitheTetMaker *maker, const Grid *g, int32_t *number, int64_t total) {
    Count count = {0, 0};
    for (int64_t i = 0; i < total; i++) {
        int32_t at[3];
        node_at(g, i, at);
        bool used = (around(g, at) & 1 << SOLID) != 0;
        number[i] = used ? (int32_t)count.nodes : -1;
        count.nodes += used;
        count.cells += cell_kind(g, at[0], at[1], at[2]) == SOLID;
    }
    LitheStatus status = lithe_tet_maker_begin(maker, "finger", count.nodes, 5 * count.cells);
    if (status)
        return status;
    int64_t row = g->n[0] + 1, layer = row * (g->n[1] + 1);
    for (int64_t i = 0; i < total; i++) {
        int32_t at[3];
        node_at(g, i, at);
        if (number[i] >= 0)
            maker->mesh.nodes[number[i]] = v3(g->x[0][at[0]], g->x[1][at[1]], g->x[2][at[2]]);
    }
    for (int64_t i = 0; i < total; i++) {
        int32_t at[3], corner[8];
        node_at(g, i, at);
        if (cell_kind(g, at[0], at[1], at[2]) != SOLID)
            continue;
        for (int c = 0; c < 8; c++)
            corner[c] = number[i + (c & 1) + row * (c >> 1 & 1) + layer * (c >> 2)];
        lithe_tet_maker_add_cell(maker, corner, at[0] + at[1] + at[2]);
    }
    return add_sets(maker, g, number, total);
}

LitheStatus lithe_tet_make_finger(LitheTetMaker *maker, const LitheTetShape *s) {
    Grid g = {0};
    LitheContext *context = maker->context;
    double parts = (4.0 * s->chambers + s->size.x / s->edge) * (5 + s->size.y / s->edge) *
                   (5 + s->size.z / s->edge);
    if (!(parts <= 8.0 * LITHE_TET_MAX))
        return lithe_fail(maker->error, LITHE_BAD_INPUT,
                          "mesh of a finger: about %.3g cells: use longer edges", parts);
    LitheStatus status = make_grid(context, s, &g, maker->error);
    int64_t total = status ? 0 : (g.n[0] + 1) * (int64_t)(g.n[1] + 1) * (g.n[2] + 1);
    int32_t *number = status ? NULL : lithe_alloc_array(context, total, sizeof *number);
    if (!status && !number)
        status = lithe_fail_memory(maker->error, "the mesh of a finger");
    if (!status)
        status = fill(maker, &g, number, total);
    lithe_free(context, number);
    destroy_grid(context, &g);
    return status;
}
