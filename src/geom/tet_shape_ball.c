// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape_ball.c - balls, half balls and hollow balls: a star of tetrahedra about the
// centre, each cut into n^3 small ones, in layers that are mapped to spheres; arches of stones
//
// The star of a ball has the faces of an icosahedron as bases, that of a half ball four faces of an
// octahedron, whose lower edges lie in the plane of its base.

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_shape_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define ON_FACE 1e-9
// layers of a ball: 20 * 100^3 is LITHE_TET_MAX; a weight fits into 8 bits of a key
enum { MAX_LAYERS = 100 };

typedef struct Star {
    Vec3 tip[12];
    int8_t face[20][3];
    int face_count;
} Star;

static Star icosahedron(void) {
    const double g = 0.5 * (1 + sqrt(5));
    Star star = {.face_count = 0};
    // cyclic permutations of (0, +-1, +-g)
    for (int i = 0; i < 12; i++) {
        double one = i & 1 ? -1 : 1, gold = i & 2 ? -g : g;
        star.tip[i] = i < 4 ? v3(0, one, gold) : i < 8 ? v3(one, gold, 0) : v3(gold, 0, one);
    }
    // faces are triples of neighbours: tips at distance 2
    for (int8_t a = 0; a < 12; a++)
        for (int8_t b = (int8_t)(a + 1); b < 12; b++)
            for (int8_t c = (int8_t)(b + 1); c < 12; c++)
                if (v3_distance(star.tip[a], star.tip[b]) < 2.1 &&
                    v3_distance(star.tip[b], star.tip[c]) < 2.1 &&
                    v3_distance(star.tip[c], star.tip[a]) < 2.1) {
                    star.face[star.face_count][0] = a;
                    star.face[star.face_count][1] = b;
                    star.face[star.face_count++][2] = c;
                }
    return star;
}

static Star half_octahedron(void) {
    return (Star){
        .tip = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
        .face = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
        .face_count = 4,
    };
}

// --- nodes ---------------------------------------------------------------------------------------

/// Names a node by the tips with weights above 0; equal for all faces that share it. Tips of a face
/// ascend, except in the last one of the half ball.
static uint64_t node_key(const int8_t face[3], const int32_t weight[3]) {
    uint64_t part[3];
    for (int k = 0; k < 3; k++)
        part[k] = weight[k] ? (uint64_t)(face[k] + 1) << 8 | (uint64_t)weight[k] : 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (part[k] < part[k + 1]) {
                uint64_t keep = part[k];
                part[k] = part[k + 1];
                part[k + 1] = keep;
            }
    return part[0] << 32 | part[1] << 16 | part[2];
}

static int by_key(const void *a, const void *b) {
    const uint64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static int32_t find_node(const uint64_t *keys, int32_t count, const int8_t face[3], int32_t i,
                         int32_t j, int32_t k) {
    uint64_t key = node_key(face, (int32_t[3]){i, j, k});
    const uint64_t *at = bsearch(&key, keys, (size_t)count, sizeof key, by_key);
    return (int32_t)(at - keys);
}

/// Sorts keys; returns the number of different ones, which come first.
static int32_t sort_keys(uint64_t *keys, int32_t count) {
    int32_t unique = 0;
    qsort(keys, (size_t)count, sizeof *keys, by_key);
    for (int32_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1])
            keys[unique++] = keys[i];
    return unique;
}

/// All keys, ascending, each once; the centre is the first.
static int32_t collect_keys(const Star *star, int32_t n, uint64_t *keys) {
    int32_t count = 0;
    for (int f = 0; f < star->face_count; f++)
        for (int32_t i = 0; i <= n; i++)
            for (int32_t j = 0; j <= n - i; j++)
                for (int32_t k = 0; k <= n - i - j; k++)
                    keys[count++] = node_key(star->face[f], (int32_t[3]){i, j, k});
    return sort_keys(keys, count);
}

/// Layer s of n is a sphere of radius s/n.
static Vec3 node_place(const Star *star, uint64_t key, int32_t n, double radius) {
    Vec3 sum = {0, 0, 0};
    double layer = 0;
    for (int k = 0; k < 3; k++, key >>= 16)
        if (key & 0xffff) {
            double weight = (double)(key & 0xff);
            sum = v3_axpy(weight, star->tip[(key >> 8 & 0xff) - 1], sum);
            layer += weight;
        }
    return v3_scale(radius * layer / n, v3_unit(sum));
}

// --- elements ------------------------------------------------------------------------------------

/// An octahedron of three pairs of opposite corners: four tetrahedra about its shortest diagonal.
static void add_octahedron(LitheTetMaker *maker, const int32_t pair[3][2]) {
    const Vec3 *x = maker->mesh.nodes;
    int best = 0;
    double shortest = INFINITY;
    for (int p = 0; p < 3; p++) {
        double d = v3_distance(x[pair[p][0]], x[pair[p][1]]);
        if (d < shortest * (1 - ON_FACE)) {
            shortest = d;
            best = p;
        }
    }
    const int32_t *p = pair[best], *q = pair[(best + 1) % 3], *r = pair[(best + 2) % 3];
    lithe_tet_maker_add(maker, p[0], p[1], q[0], r[0]);
    lithe_tet_maker_add(maker, p[0], p[1], r[0], q[1]);
    lithe_tet_maker_add(maker, p[0], p[1], q[1], r[1]);
    lithe_tet_maker_add(maker, p[0], p[1], r[1], q[0]);
}

static void cut_face(LitheTetMaker *maker, const int8_t face[3], int32_t n, const uint64_t *keys,
                     int32_t count) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n - i; j++)
            for (int32_t k = 0; k < n - i - j; k++) {
                int32_t v[8]; // the corners of a cell that exist
                for (int c = 0; c < 8; c++) {
                    int32_t a = i + (c & 1), b = j + (c >> 1 & 1), d = k + (c >> 2);
                    v[c] = a + b + d <= n ? find_node(keys, count, face, a, b, d) : -1;
                }
                lithe_tet_maker_add(maker, v[0], v[1], v[2], v[4]);
                if (i + j + k <= n - 2)
                    add_octahedron(maker,
                                   (int32_t[3][2]){{v[1], v[6]}, {v[2], v[5]}, {v[4], v[3]}});
                if (i + j + k <= n - 3)
                    lithe_tet_maker_add(maker, v[3], v[5], v[6], v[7]);
            }
}

static bool on_sphere(const LitheTetShape *s, Vec3 x) {
    return v3_norm(x) > s->radius * (1 - ON_FACE);
}

static bool on_base(const LitheTetShape *s, Vec3 x) {
    return x.z < s->radius * ON_FACE;
}

LitheStatus lithe_tet_make_ball(LitheTetMaker *maker, const LitheTetShape *shape) {
    bool half = shape->kind == LITHE_TET_HALF_SPHERE;
    const char *what = half ? "half-sphere" : "sphere";
    // edges of layers are 1.05 (icosahedron) or 1.57 (octahedron) times as long as between layers
    int32_t n = lithe_tet_divisions((half ? 1.25 : 1) * shape->radius, shape->edge, 1);
    if (n > MAX_LAYERS)
        return lithe_fail(maker->error, LITHE_BAD_INPUT,
                          "mesh of a %s: edge is %g m, which gives %d layers, at most %d are "
                          "allowed: use longer edges",
                          what, shape->edge, n, MAX_LAYERS);
    const Star star = half ? half_octahedron() : icosahedron();
    int64_t most = (int64_t)star.face_count * (n + 1) * (n + 2) * (n + 3) / 6;
    uint64_t *keys = lithe_alloc_array(maker->context, most, sizeof *keys);
    if (!keys)
        return lithe_fail_memory(maker->error, "the nodes of a ball");
    int32_t count = collect_keys(&star, n, keys);
    LitheStatus status =
        lithe_tet_maker_begin(maker, what, count, (double)star.face_count * n * n * n);
    if (!status) {
        for (int32_t i = 0; i < count; i++)
            maker->mesh.nodes[i] = node_place(&star, keys[i], n, shape->radius);
        for (int f = 0; f < star.face_count; f++)
            cut_face(maker, star.face[f], n, keys, count);
        status = lithe_tet_maker_set(maker, half ? "dome" : "surface", on_sphere, shape);
    }
    if (!status && half)
        status = lithe_tet_maker_set(maker, "base", on_base, shape);
    lithe_free(maker->context, keys);
    return status;
}

// --- hollow ball ---------------------------------------------------------------------------------

static bool on_inner(const LitheTetShape *s, Vec3 x) {
    return v3_norm(x) < s->inner * (1 + ON_FACE);
}

/// A prism between two layers over the triangle `corner` of the outer layer, `count` nodes per
/// layer. Diagonals of its sides run from the smaller number below to the larger one above, the
/// same in the neighbours.
static void add_prism(LitheTetMaker *maker, int32_t corner[3], int32_t layer, int32_t count) {
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (corner[k] > corner[k + 1]) {
                int32_t keep = corner[k];
                corner[k] = corner[k + 1];
                corner[k + 1] = keep;
            }
    int32_t low = layer * count, high = low + count;
    lithe_tet_maker_add(maker, corner[0] + low, corner[1] + low, corner[2] + low, corner[2] + high);
    lithe_tet_maker_add(maker, corner[0] + low, corner[1] + low, corner[1] + high,
                        corner[2] + high);
    lithe_tet_maker_add(maker, corner[0] + low, corner[0] + high, corner[1] + high,
                        corner[2] + high);
}

static void add_shell(LitheTetMaker *maker, const int8_t face[3], int32_t n, int32_t layers,
                      const uint64_t *keys, int32_t count) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n - i; j++)
            for (int up = 0; up < (i + j < n - 1 ? 2 : 1); up++)
                for (int32_t l = 0; l < layers; l++) {
                    int32_t k = n - i - j;
                    int32_t corner[3] = {find_node(keys, count, face, i + 1, j, k - 1),
                                         find_node(keys, count, face, i, j + 1, k - 1),
                                         up ? find_node(keys, count, face, i + 1, j + 1, k - 2)
                                            : find_node(keys, count, face, i, j, k)};
                    add_prism(maker, corner, l, count);
                }
}

/// The outermost nodes of a star, in layers between the two spheres.
LitheStatus lithe_tet_make_hollow_ball(LitheTetMaker *maker, const LitheTetShape *shape) {
    const Star star = icosahedron();
    double middle = 0.5 * (shape->inner + shape->radius);
    // an edge of an icosahedron, as an arc
    int32_t n = lithe_tet_divisions(1.107 * middle, shape->edge, 2);
    int32_t layers = lithe_tet_divisions(shape->radius - shape->inner, shape->edge, 1);
    if (n > MAX_LAYERS)
        return lithe_fail(maker->error, LITHE_BAD_INPUT,
                          "mesh of a hollow-sphere: edge is %g m, which cuts an edge of its "
                          "icosahedron into %d, at most %d are allowed: use longer edges",
                          shape->edge, n, MAX_LAYERS);
    int64_t most = (int64_t)star.face_count * (n + 1) * (n + 2) / 2;
    uint64_t *keys = lithe_alloc_array(maker->context, most, sizeof *keys);
    if (!keys)
        return lithe_fail_memory(maker->error, "the nodes of a ball");
    int32_t count = 0;
    for (int f = 0; f < star.face_count; f++)
        for (int32_t i = 0; i <= n; i++)
            for (int32_t j = 0; j <= n - i; j++)
                keys[count++] = node_key(star.face[f], (int32_t[3]){i, j, n - i - j});
    count = sort_keys(keys, count);
    LitheStatus status = lithe_tet_maker_begin(maker, "hollow-sphere", (double)count * (layers + 1),
                                               60.0 * n * n * layers);
    for (int32_t i = 0; !status && i < count * (layers + 1); i++) {
        double f = (double)(i / count) / layers;
        maker->mesh.nodes[i] =
            node_place(&star, keys[i % count], n, (1 - f) * shape->inner + f * shape->radius);
    }
    for (int f = 0; !status && f < star.face_count; f++)
        add_shell(maker, star.face[f], n, layers, keys, count);
    status = status ? status : lithe_tet_maker_set(maker, "inner", on_inner, shape);
    status = status ? status : lithe_tet_maker_set(maker, "outer", on_sphere, shape);
    lithe_free(maker->context, keys);
    return status;
}

// --- arch ----------------------------------------------------------------------------------------

static bool on_front(const LitheTetShape *s, Vec3 x) {
    return x.y < -0.5 * s->depth * (1 - ON_FACE);
}

static bool on_back(const LitheTetShape *s, Vec3 x) {
    return x.y > 0.5 * s->depth * (1 - ON_FACE);
}

typedef struct Arch {
    int32_t around, across, deep; // cells per stone
    int32_t first, stones;        // stones in the mesh
    int32_t per;                  // nodes per stone
} Arch;

/// Sets by position in the grid of a stone: `axis` 0 along the arch, 1 across; `high` end of it.
/// For axis 0 only at the ends of the mesh.
static LitheStatus add_grid_set(LitheTetMaker *maker, const Arch *arch, const char *name, int axis,
                                bool high) {
    for (int32_t i = 0; i < maker->mesh.node_count; i++) {
        int32_t stone = i / arch->per, a = i % arch->per % (arch->around + 1);
        int32_t j = i % arch->per / (arch->around + 1) % (arch->across + 1);
        maker->member[i] = axis == 1 ? j == (high ? arch->across : 0)
                           : high    ? a == arch->around && stone == arch->stones - 1
                                     : a == 0 && stone == 0;
    }
    return lithe_tet_mesh_add_set(maker->context, &maker->mesh, name, maker->member, maker->error);
}

static LitheStatus add_arch_sets(LitheTetMaker *maker, const LitheTetShape *s, const Arch *arch) {
    LitheStatus status = add_grid_set(maker, arch, "intrados", 1, false);
    status = status ? status : add_grid_set(maker, arch, "extrados", 1, true);
    status = status ? status : add_grid_set(maker, arch, "left", 0, false);
    status = status ? status : add_grid_set(maker, arch, "right", 0, true);
    status = status ? status : lithe_tet_maker_set(maker, "front", on_front, s);
    status = status ? status : lithe_tet_maker_set(maker, "back", on_back, s);
    for (int32_t k = 0; k < arch->stones && !status; k++) {
        char name[32];
        snprintf(name, sizeof name, "stone-%d", arch->first + k + 1);
        for (int32_t i = 0; i < maker->mesh.node_count; i++)
            maker->member[i] = i / arch->per == k;
        status =
            lithe_tet_mesh_add_set(maker->context, &maker->mesh, name, maker->member, maker->error);
    }
    return status;
}

static void place_stone(LitheTetMaker *maker, const LitheTetShape *s, const Arch *arch, int32_t k) {
    double radius = 0.5 * s->span / sin(0.5 * s->angle), drop = radius * cos(0.5 * s->angle);
    for (int32_t i = 0; i < arch->per; i++) {
        int32_t a = i % (arch->around + 1), j = i / (arch->around + 1) % (arch->across + 1);
        int32_t d = i / (arch->around + 1) / (arch->across + 1);
        // from the left springing, clockwise; angle from the crown
        double f = (arch->first + k + (double)a / arch->around) / s->stones;
        double angle = s->angle * (f - 0.5), r = radius + s->thickness * j / arch->across;
        maker->mesh.nodes[k * arch->per + i] =
            v3(r * sin(angle), s->depth * ((double)d / arch->deep - 0.5), r * cos(angle) - drop);
    }
}

LitheStatus lithe_tet_make_arch(LitheTetMaker *maker, const LitheTetShape *s) {
    double radius = 0.5 * s->span / sin(0.5 * s->angle) + 0.5 * s->thickness;
    Arch arch = {
        .around = lithe_tet_divisions(radius * s->angle / s->stones, s->edge, 1),
        .across = lithe_tet_divisions(s->thickness, s->edge, 1),
        .deep = lithe_tet_divisions(s->depth, s->edge, 1),
        .first = s->stone ? s->stone - 1 : 0,
        .stones = s->stone ? 1 : s->stones,
    };
    double per = (arch.around + 1.0) * (arch.across + 1.0) * (arch.deep + 1.0);
    LitheStatus status =
        lithe_tet_maker_begin(maker, "stone arch", per * arch.stones,
                              5.0 * arch.around * arch.across * arch.deep * arch.stones);
    if (status)
        return status;
    arch.per = (int32_t)per;
    int32_t row = arch.around + 1, layer = row * (arch.across + 1);
    for (int32_t k = 0; k < arch.stones; k++) {
        place_stone(maker, s, &arch, k);
        for (int32_t i = 0; i < arch.around * arch.across * arch.deep; i++) {
            int32_t a = i % arch.around, j = i / arch.around % arch.across;
            int32_t d = i / arch.around / arch.across, corner[8];
            for (int c = 0; c < 8; c++)
                corner[c] =
                    k * arch.per + a + (c & 1) + row * (j + (c >> 1 & 1)) + layer * (d + (c >> 2));
            lithe_tet_maker_add_cell(maker, corner, a + j + d);
        }
    }
    return add_arch_sets(maker, s, &arch);
}
