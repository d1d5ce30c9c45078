// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape_bellows.c - meshes of closed bellows: a folded wall of revolution between two ends
//
// The middle line of the wall, in the half plane of r and z, with H the height between the ends and
// n the number of folds (docs/theory/meshing.md):
//
//   (M6)  r(u) = a - b cos(2 pi n u),   z(u) = H (u - 1/2),   0 <= u <= 1
//
// The wall is all that lies within half its thickness of this line, along its normals. At both ends
// the line is a root of the folds and parallel to the axis, so that the wall meets the ends flush.

#include "geom/tet_shape_parts.h"

#include "base/memory.h"
#include "base/status.h"

#define ON_FACE 1e-9
// parts of half a fold in which its length is measured; the error falls with their square, and only
// the spacing of nodes depends on it
#define ARC_PARTS 256

typedef struct Line {
    double a, b;   // mean radius and amplitude [m]
    double height; // between the ends [m]
    double wave;   // 2 pi n
} Line;

typedef struct LinePoint {
    double r, z;
    double normal_r, normal_z; // outwards
} LinePoint;

static Line line_of(const LitheTetShape *s) {
    return (Line){.a = 0.5 * (s->radius + s->inner),
                  .b = 0.5 * (s->radius - s->inner - s->thickness),
                  .height = s->length - 2 * s->depth,
                  .wave = 2 * M_PI * s->folds};
}

static LinePoint line_at(const Line *line, double u) {
    double dr = line->b * line->wave * sin(line->wave * u);
    double norm = hypot(dr, line->height);
    return (LinePoint){.r = line->a - line->b * cos(line->wave * u),
                       .z = line->height * (u - 0.5),
                       .normal_r = line->height / norm,
                       .normal_z = -dr / norm};
}

/// Length of the line from a root to u inside of the first half fold, by the midpoint rule.
static double arc_to(const Line *line, double u) {
    double sum = 0;
    for (int i = 0; i < ARC_PARTS; i++) {
        double at = u * (i + 0.5) / ARC_PARTS;
        sum += hypot(line->b * line->wave * sin(line->wave * at), line->height);
    }
    return sum * u / ARC_PARTS;
}

/// Parameter at the fraction f of the length of half a fold, by bisection.
static double half_fold_at(const Line *line, double f) {
    double end = M_PI / line->wave, low = 0, high = end, want = f * arc_to(line, end);
    if (f <= 0 || f >= 1)
        return f <= 0 ? 0 : end;
    for (int i = 0; i < 50; i++) {
        double u = 0.5 * (low + high);
        if (arc_to(line, u) < want)
            low = u;
        else
            high = u;
    }
    return 0.5 * (low + high);
}

/// Radius of curvature of roots and crests, where the line bends most.
static double bend_radius(const Line *line) {
    return line->height * line->height / (line->b * line->wave * line->wave);
}

/// Integral of r along the line, by the rule of rectangles: spectral for a periodic function.
static double moment(const Line *line) {
    double sum = 0;
    for (int i = 0; i < ARC_PARTS; i++) {
        // one fold stands for all
        double angle = 2 * M_PI * (i + 0.5) / ARC_PARTS;
        double speed = hypot(line->b * line->wave * sin(angle), line->height);
        sum += (line->a - line->b * cos(angle)) * speed;
    }
    return sum / ARC_PARTS;
}

double lithe_tet_bellows_volume(const LitheTetShape *s) {
    Line line = line_of(s);
    double root = s->inner + s->thickness;
    // parts of the wall inside and outside of the line balance: it is parallel to the axis at both
    // ends (Pappus)
    return 2 * M_PI * s->thickness * moment(&line) + 2 * M_PI * root * root * s->depth;
}

// --- the mesh ------------------------------------------------------------------------------------

typedef struct Grid {
    Line line;
    int32_t core, across;   // rings of the ends inside of the wall; of the wall
    int32_t half, ends;     // layers per half fold; per end
    int32_t layers;         // in all
    int32_t disc, hollow;   // nodes of a full layer; those of them that a layer of wall alone lacks
    const double *fraction; // [half + 1] parameters of nodes of half a fold
} Grid;

static bool is_full(const Grid *grid, int32_t layer) {
    return layer <= grid->ends || layer >= grid->layers - grid->ends;
}

/// What has to be added to the number of a node in its disc.
static int32_t layer_offset(const Grid *grid, int32_t layer) {
    int32_t wall = grid->layers - 2 * grid->ends - 1, lacks = layer - grid->ends;
    lacks = lacks < 0 ? 0 : lacks > wall ? wall : lacks;
    return layer * grid->disc - lacks * grid->hollow;
}

/// Parameter of the middle line at a layer of the wall.
static double layer_parameter(const Grid *grid, int32_t layer) {
    int32_t at = layer - grid->ends, fold = at / grid->half, i = at % grid->half;
    double half = M_PI / grid->line.wave;
    return fold % 2 == 0 ? fold * half + grid->fraction[i]
                         : (fold + 1) * half - grid->fraction[grid->half - i];
}

static Vec3 node_at(const Grid *grid, const LitheTetShape *s, int32_t layer, int32_t k, int32_t m) {
    double angle = k ? M_PI * m / (3.0 * k) : 0, r, z;
    double side = (double)(k - grid->core) / grid->across - 0.5; // of the wall, in thicknesses
    if (layer <= grid->ends || layer >= grid->layers - grid->ends) {
        bool low = layer <= grid->ends;
        double depth = (double)(low ? layer : grid->layers - layer) / grid->ends * s->depth;
        r = k <= grid->core ? s->inner * k / grid->core : s->inner + (side + 0.5) * s->thickness;
        z = low ? depth - 0.5 * s->length : 0.5 * s->length - depth;
    } else {
        LinePoint p = line_at(&grid->line, layer_parameter(grid, layer));
        r = p.r + side * s->thickness * p.normal_r;
        z = p.z + side * s->thickness * p.normal_z;
    }
    return v3(r * cos(angle), r * sin(angle), z);
}

static void place_nodes(LitheTetMaker *maker, const Grid *grid, const LitheTetShape *s) {
    for (int32_t l = 0; l <= grid->layers; l++)
        for (int32_t k = is_full(grid, l) ? 0 : grid->core; k <= grid->core + grid->across; k++)
            for (int32_t m = 0; m < (k ? 6 * k : 1); m++)
                maker->mesh.nodes[layer_offset(grid, l) + lithe_tet_ring_node(k, m)] =
                    node_at(grid, s, l, k, m);
}

static void add_elements(LitheTetMaker *maker, const Grid *grid) {
    for (int32_t l = 0; l < grid->layers; l++) {
        bool full = l < grid->ends || l >= grid->layers - grid->ends;
        int32_t down = l % 2;
        for (int32_t k = full ? 1 : grid->core + 1; k <= grid->core + grid->across; k++)
            for (int32_t t = 0; t < lithe_tet_ring_triangles(k); t++) {
                int32_t at[3][2];
                lithe_tet_ring_triangle(k, t, at);
                lithe_tet_add_disc_prism(maker, at, layer_offset(grid, l + down),
                                         layer_offset(grid, l + 1 - down));
            }
    }
}

typedef enum Side { INNER, OUTER } Side;

static LitheStatus add_side(LitheTetMaker *maker, const Grid *grid, const char *name, Side side) {
    for (int32_t l = 0; l <= grid->layers; l++)
        for (int32_t k = is_full(grid, l) ? 0 : grid->core; k <= grid->core + grid->across; k++) {
            bool end = l == grid->ends || l == grid->layers - grid->ends;
            bool wall = l >= grid->ends && l <= grid->layers - grid->ends;
            bool in = side == OUTER ? k == grid->core + grid->across
                                    : (wall && k == grid->core) || (end && k <= grid->core);
            for (int32_t m = 0; m < (k ? 6 * k : 1); m++)
                maker->member[layer_offset(grid, l) + lithe_tet_ring_node(k, m)] = in;
        }
    return lithe_tet_mesh_add_set(maker->context, &maker->mesh, name, maker->member, maker->error);
}

static bool at_low_end(const LitheTetShape *s, Vec3 x) {
    return x.z < -0.5 * s->length * (1 - ON_FACE);
}

static bool at_high_end(const LitheTetShape *s, Vec3 x) {
    return x.z > 0.5 * s->length * (1 - ON_FACE);
}

static Grid grid_of(const LitheTetShape *s) {
    Grid grid = {.line = line_of(s)};
    // edges are of the wanted length half-way between root and crest, or shorter: the middles of
    // chords are off by at most a quarter of the thickness, else the inner surface could reach
    // through the outer one
    double chord = acos(1 - 0.25 * s->thickness / s->radius);
    grid.core = lithe_tet_divisions(grid.line.a, s->edge, (int32_t)ceil(M_PI / 6 / chord));
    grid.across = lithe_tet_divisions(s->thickness, s->edge, 1);
    double arc = arc_to(&grid.line, M_PI / grid.line.wave);
    double longest = sqrt(2 * bend_radius(&grid.line) * s->thickness);
    grid.half = lithe_tet_divisions(arc, fmin(s->edge, longest), 4);
    grid.ends = lithe_tet_divisions(s->depth, s->edge, 1);
    return grid;
}

LitheStatus lithe_tet_make_bellows(LitheTetMaker *maker, const LitheTetShape *s) {
    Grid grid = grid_of(s);
    double rings = grid.core + (double)grid.across, disc = 1 + 3 * rings * (rings + 1);
    double hollow = 1 + 3.0 * grid.core * (grid.core - 1.0), wall = 2.0 * s->folds * grid.half;
    double nodes = disc * (wall + 2.0 * grid.ends + 1) - hollow * (wall - 1);
    double elements =
        18 * (rings * rings * (wall + 2.0 * grid.ends) - (double)grid.core * grid.core * wall);
    LitheStatus status = lithe_tet_maker_begin(maker, "bellows", nodes, elements);
    if (status)
        return status;
    grid.disc = (int32_t)disc;
    grid.hollow = (int32_t)hollow;
    grid.layers = 2 * s->folds * grid.half + 2 * grid.ends;
    double *fraction = lithe_alloc_array(maker->context, grid.half + 1, sizeof *fraction);
    if (!fraction)
        return lithe_fail_memory(maker->error, "the wall of a bellows");
    for (int32_t i = 0; i <= grid.half; i++)
        fraction[i] = half_fold_at(&grid.line, (double)i / grid.half);
    grid.fraction = fraction;
    place_nodes(maker, &grid, s);
    add_elements(maker, &grid);
    status = lithe_tet_maker_set(maker, "z-min", at_low_end, s);
    status = status ? status : lithe_tet_maker_set(maker, "z-max", at_high_end, s);
    status = status ? status : add_side(maker, &grid, "inner", INNER);
    status = status ? status : add_side(maker, &grid, "outer", OUTER);
    lithe_free(maker->context, fraction);
    return status;
}

// --- its curved surfaces -------------------------------------------------------------------------

/// Parameter of the point of the line that is nearest to (r, z): the best of a few per half fold,
/// then Newton steps on the derivative of the squared distance, kept next to it.
static double nearest_parameter(const Line *line, double r, double z) {
    double guess = z / line->height + 0.5, spacing = M_PI / line->wave / 8, best = 0,
           least = INFINITY;
    for (int i = -8; i <= 8; i++) {
        double u = fmin(fmax(guess + i * spacing, 0), 1);
        LinePoint p = line_at(line, u);
        double d = hypot(p.r - r, p.z - z);
        if (d < least) {
            least = d;
            best = u;
        }
    }
    double u = best;
    for (int i = 0; i < 20; i++) {
        LinePoint p = line_at(line, u);
        double dr = line->b * line->wave * sin(line->wave * u);
        double ddr = line->b * line->wave * line->wave * cos(line->wave * u);
        double g = (p.r - r) * dr + (p.z - z) * line->height;
        double h = dr * dr + (p.r - r) * ddr + line->height * line->height;
        double step = h > 0 ? -g / h : 0;
        u = fmin(fmax(u + step, fmax(best - spacing, 0)), fmin(best + spacing, 1));
    }
    return u;
}

Vec3 lithe_tet_bellows_project(const LitheTetShape *s, bool inner, Vec3 x) {
    Line line = line_of(s);
    double r = hypot(x.x, x.y), to = r, z = x.z;
    if (fabs(x.z) >= 0.5 * line.height * (1 - ON_FACE)) {
        // the ends: their rim is round, their inside flat
        double rim = s->inner * cos(M_PI / (6 * grid_of(s).core)) * (1 - ON_FACE);
        to = !inner ? s->inner + s->thickness : r >= rim ? s->inner : r;
    } else {
        LinePoint p = line_at(&line, nearest_parameter(&line, r, x.z));
        double side = (inner ? -0.5 : 0.5) * s->thickness;
        to = p.r + side * p.normal_r;
        z = p.z + side * p.normal_z;
    }
    return r > 0 ? v3(x.x * to / r, x.y * to / r, z) : x;
}

LitheStatus lithe_tet_check_bellows(const LitheTetShape *s, LitheError *error) {
    Line line = line_of(s);
    if (s->folds < 1 || s->folds > 1000)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a bellows: folds are %d, must be 1 to 1000", s->folds);
    if (!(s->inner > 0) || !(s->inner + s->thickness < s->radius))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a bellows: inner is %g m, must be above 0 and with the "
                          "thickness of %g m below the radius of %g m",
                          s->inner, s->thickness, s->radius);
    if (!(line.height > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a bellows: length is %g m, must be above that of its two ends "
                          "of %g m each",
                          s->length, s->depth);
    // normals cross where half the thickness reaches the radius of curvature of root and crest
    double bend = bend_radius(&line);
    if (!(0.5 * s->thickness < 0.9 * bend))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of a bellows: thickness is %g m, must be below %g m, since the "
                          "folds bend with a radius of %g m: use fewer or shallower folds",
                          s->thickness, 1.8 * bend, bend);
    return LITHE_OK;
}
