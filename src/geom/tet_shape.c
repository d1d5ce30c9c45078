// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape.c - meshes of simple bodies: checks, cylinder, tube, midpoints on curved surfaces

#include "geom/tet_shape.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_shape_parts.h"

#include <string.h>

// nodes nearer to a face than this fraction of the size of the body lie on it: far above rounding,
// far below any edge
#define ON_FACE 1e-9

// --- the maker -----------------------------------------------------------------------------------

int32_t lithe_tet_divisions(double length, double edge, int32_t least) {
    double n = floor(length / edge + 0.5);
    return n < least ? least : n < LITHE_TET_MAX ? (int32_t)n : LITHE_TET_MAX;
}

LitheStatus lithe_tet_maker_begin(LitheTetMaker *maker, const char *what, double nodes,
                                  double elements) {
    if (!(nodes <= LITHE_TET_MAX) || !(elements <= LITHE_TET_MAX))
        return lithe_fail(maker->error, LITHE_BAD_INPUT,
                          "mesh of a %s: %.3g nodes and %.3g elements, at most %d of each: use "
                          "longer edges",
                          what, nodes, elements, LITHE_TET_MAX);
    LitheStatus status = lithe_tet_mesh_allocate(maker->context, (int32_t)nodes, (int32_t)elements,
                                                 4, &maker->mesh, maker->error);
    if (status)
        return status;
    maker->member = lithe_alloc_array(maker->context, maker->mesh.node_count, sizeof(bool));
    return maker->member ? LITHE_OK : lithe_fail_memory(maker->error, "the sets of a mesh");
}

void lithe_tet_maker_add(LitheTetMaker *maker, int32_t a, int32_t b, int32_t c, int32_t d) {
    const Vec3 *x = maker->mesh.nodes;
    int32_t *to = maker->mesh.elements + (size_t)4 * (size_t)maker->element_count++;
    Vec3 n = v3_cross(v3_sub(x[b], x[a]), v3_sub(x[c], x[a]));
    bool positive = v3_dot(n, v3_sub(x[d], x[a])) > 0;
    to[0] = a;
    to[1] = b;
    to[2] = positive ? c : d;
    to[3] = positive ? d : c;
}

void lithe_tet_maker_add_cell(LitheTetMaker *maker, const int32_t c[8], int parity) {
    static const int8_t tets[2][5][4] = {
        {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}},
        {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}}};
    for (int t = 0; t < 5; t++) {
        const int8_t *k = tets[parity & 1][t];
        lithe_tet_maker_add(maker, c[k[0]], c[k[1]], c[k[2]], c[k[3]]);
    }
}

LitheStatus lithe_tet_maker_set(LitheTetMaker *maker, const char *name,
                                bool (*inside)(const LitheTetShape *shape, Vec3 x),
                                const LitheTetShape *shape) {
    for (int32_t i = 0; i < maker->mesh.node_count; i++)
        maker->member[i] = inside(shape, maker->mesh.nodes[i]);
    return lithe_tet_mesh_add_set(maker->context, &maker->mesh, name, maker->member, maker->error);
}

// --- cylinder ------------------------------------------------------------------------------------

static bool at_low_end(const LitheTetShape *s, Vec3 x) {
    return x.z < -0.5 * s->length * (1 - ON_FACE);
}

static bool at_high_end(const LitheTetShape *s, Vec3 x) {
    return x.z > 0.5 * s->length * (1 - ON_FACE);
}

static bool at_radius(const LitheTetShape *s, Vec3 x) {
    return hypot(x.x, x.y) > s->radius * (1 - ON_FACE);
}

static bool at_inner(const LitheTetShape *s, Vec3 x) {
    return hypot(x.x, x.y) < s->inner * (1 + ON_FACE);
}

int32_t lithe_tet_ring_node(int32_t k, int32_t m) {
    return k == 0 ? 0 : 1 + 3 * k * (k - 1) + m % (6 * k);
}

/// Colour of a node: the disc is a hexagon of a triangular lattice, in which the corners of every
/// triangle have the three colours.
static int ring_colour(int32_t k, int32_t m) {
    static const int8_t axis[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};
    if (k == 0)
        return 0;
    int32_t s = m / k % 6, i = m % k;
    int32_t q = k * axis[s][0] + i * axis[(s + 2) % 6][0];
    int32_t r = k * axis[s][1] + i * axis[(s + 2) % 6][1];
    return (int)(((q - r) % 3 + 3) % 3);
}

/// A prism over a triangle of a layer, with its corners in the order of their colours. Diagonals of
/// its sides run from the lower colour at `low` to the higher one at `high`; the next layer is the
/// mirror image.
static void add_prism(LitheTetMaker *maker, const int32_t corner[3], int32_t low, int32_t high) {
    int32_t b[3], t[3];
    for (int k = 0; k < 3; k++) {
        b[k] = corner[k] + low;
        t[k] = corner[k] + high;
    }
    lithe_tet_maker_add(maker, b[0], b[1], b[2], t[2]);
    lithe_tet_maker_add(maker, b[0], b[1], t[1], t[2]);
    lithe_tet_maker_add(maker, b[0], t[0], t[1], t[2]);
}

int32_t lithe_tet_ring_triangles(int32_t k) {
    return 6 * (2 * k - 1);
}

// sector by sector: triangles with an edge outside, between them those with an edge inside
void lithe_tet_ring_triangle(int32_t k, int32_t t, int32_t at[3][2]) {
    int32_t sector = t / (2 * k - 1), i = t % (2 * k - 1) / 2, m = sector * k + i;
    int32_t in = sector * (k - 1) + i;
    bool outside = t % (2 * k - 1) % 2 == 0;
    const int32_t corner[3][2] = {
        {k - 1, in}, {k, outside ? m : m + 1}, {outside ? k : k - 1, outside ? m + 1 : in + 1}};
    memcpy(at, corner, sizeof corner);
}

void lithe_tet_add_disc_prism(LitheTetMaker *maker, const int32_t at[3][2], int32_t low,
                              int32_t high) {
    int32_t corner[3];
    for (int k = 0; k < 3; k++)
        corner[ring_colour(at[k][0], at[k][1])] = lithe_tet_ring_node(at[k][0], at[k][1]);
    add_prism(maker, corner, low, high);
}

static LitheStatus make_cylinder(LitheTetMaker *maker, const LitheTetShape *s) {
    int32_t rings = lithe_tet_divisions(s->radius, s->edge, 1);
    int32_t layers = lithe_tet_divisions(s->length, s->edge, 1);
    double disc_nodes = 1 + 3.0 * rings * (rings + 1.0);
    LitheStatus status = lithe_tet_maker_begin(maker, "cylinder", disc_nodes * (layers + 1.0),
                                               18.0 * rings * rings * layers);
    if (status)
        return status;
    int32_t disc = (int32_t)disc_nodes;
    for (int32_t l = 0; l <= layers; l++)
        for (int32_t k = 0; k <= rings; k++)
            for (int32_t m = 0; m < (k ? 6 * k : 1); m++) {
                double angle = k ? M_PI * m / (3.0 * k) : 0, r = s->radius * k / rings;
                maker->mesh.nodes[l * disc + lithe_tet_ring_node(k, m)] =
                    v3(r * cos(angle), r * sin(angle), s->length * ((double)l / layers - 0.5));
            }
    for (int32_t k = 1; k <= rings; k++)
        for (int32_t t = 0; t < lithe_tet_ring_triangles(k); t++)
            for (int32_t l = 0; l < layers; l++) {
                int32_t at[3][2], down = l % 2;
                lithe_tet_ring_triangle(k, t, at);
                lithe_tet_add_disc_prism(maker, at, (l + down) * disc, (l + 1 - down) * disc);
            }
    status = lithe_tet_maker_set(maker, "z-min", at_low_end, s);
    status = status ? status : lithe_tet_maker_set(maker, "z-max", at_high_end, s);
    return status ? status : lithe_tet_maker_set(maker, "side", at_radius, s);
}

// --- tube ----------------------------------------------------------------------------------------

static LitheStatus make_tube(LitheTetMaker *maker, const LitheTetShape *s) {
    // cells alternate: their number round the tube is even
    double middle = M_PI * (s->inner + s->radius);
    int32_t around = 2 * lithe_tet_divisions(middle / 2, s->edge, 4);
    int32_t across = lithe_tet_divisions(s->radius - s->inner, s->edge, 1);
    int32_t layers = lithe_tet_divisions(s->length, s->edge, 1);
    LitheStatus status =
        lithe_tet_maker_begin(maker, "tube", (double)around * (across + 1.0) * (layers + 1.0),
                              5.0 * around * across * layers);
    if (status)
        return status;
    int32_t ring = around * (across + 1);
    for (int32_t i = 0; i < maker->mesh.node_count; i++) {
        int32_t a = i % around, j = i / around % (across + 1), k = i / ring;
        double angle = 2 * M_PI * a / around, f = (double)j / across;
        double r = (1 - f) * s->inner + f * s->radius;
        maker->mesh.nodes[i] =
            v3(r * cos(angle), r * sin(angle), s->length * ((double)k / layers - 0.5));
    }
    for (int32_t k = 0; k < layers; k++)
        for (int32_t j = 0; j < across; j++)
            for (int32_t a = 0; a < around; a++) {
                int32_t corner[8];
                for (int c = 0; c < 8; c++)
                    corner[c] = (a + (c & 1)) % around + around * (j + (c >> 1 & 1)) +
                                ring * (k + (c >> 2));
                lithe_tet_maker_add_cell(maker, corner, a + j + k);
            }
    status = lithe_tet_maker_set(maker, "z-min", at_low_end, s);
    status = status ? status : lithe_tet_maker_set(maker, "z-max", at_high_end, s);
    status = status ? status : lithe_tet_maker_set(maker, "inner", at_inner, s);
    return status ? status : lithe_tet_maker_set(maker, "outer", at_radius, s);
}

// --- all kinds -----------------------------------------------------------------------------------

/// Centre and radius of the circles of an arch.
static double arch_radius(const LitheTetShape *s) {
    return 0.5 * s->span / sin(0.5 * s->angle);
}

static Vec3 on_circle(Vec3 x, double radius) {
    double f = radius / hypot(x.x, x.y);
    return v3(f * x.x, f * x.y, x.z);
}

static Vec3 on_arch(const LitheTetShape *s, Vec3 x, double radius) {
    double drop = arch_radius(s) * cos(0.5 * s->angle);
    double f = radius / hypot(x.x, x.z + drop);
    return v3(f * x.x, x.y, f * (x.z + drop) - drop);
}

/// The nearest point of the curved surface that a set lies on; other sets are flat.
static Vec3 project(const LitheTetShape *s, const char *set, Vec3 x) {
    bool inner = strcmp(set, "inner") == 0;
    if (s->kind == LITHE_TET_FINGER)
        return x;
    if (s->kind == LITHE_TET_BELLOWS)
        return inner || strcmp(set, "outer") == 0 ? lithe_tet_bellows_project(s, inner, x) : x;
    if (s->kind == LITHE_TET_HOLLOW_SPHERE)
        return v3_scale(inner ? s->inner : s->radius, v3_unit(x));
    if (strcmp(set, "side") == 0 || strcmp(set, "outer") == 0)
        return on_circle(x, s->radius);
    if (inner)
        return on_circle(x, s->inner);
    if (strcmp(set, "surface") == 0 || strcmp(set, "dome") == 0)
        return v3_scale(s->radius, v3_unit(x));
    if (strcmp(set, "intrados") == 0)
        return on_arch(s, x, arch_radius(s));
    if (strcmp(set, "extrados") == 0)
        return on_arch(s, x, arch_radius(s) + s->thickness);
    return x;
}

// nodes of a set are on its surface already; only midpoints move
static LitheStatus make_quadratic(LitheTetMaker *maker, const LitheTetShape *s) {
    LitheTetMesh fine = {0};
    int32_t corners = maker->mesh.node_count;
    LitheStatus status =
        lithe_tet_mesh_to_quadratic(maker->context, &maker->mesh, &fine, maker->error);
    if (status)
        return status;
    lithe_tet_mesh_destroy(maker->context, &maker->mesh);
    for (int32_t k = 0; k < fine.set_count; k++)
        for (int32_t i = 0; i < fine.sets[k].count; i++) {
            int32_t node = fine.sets[k].nodes[i];
            if (node >= corners)
                fine.nodes[node] = project(s, fine.sets[k].name, fine.nodes[node]);
        }
    maker->mesh = fine;
    return LITHE_OK;
}

// --- volume --------------------------------------------------------------------------------------

static double volume_of(const LitheTetShape *s) {
    double r = s->radius;
    switch (s->kind) {
    case LITHE_TET_CYLINDER:
        return M_PI * r * r * s->length;
    case LITHE_TET_TUBE:
        return M_PI * (r * r - s->inner * s->inner) * s->length;
    case LITHE_TET_SPHERE:
        return 4 * M_PI / 3 * r * r * r;
    case LITHE_TET_HALF_SPHERE:
        return 2 * M_PI / 3 * r * r * r;
    case LITHE_TET_HOLLOW_SPHERE:
        return 4 * M_PI / 3 * (r * r * r - s->inner * s->inner * s->inner);
    case LITHE_TET_ARCH:
        return s->angle * s->thickness * (arch_radius(s) + 0.5 * s->thickness) * s->depth /
               (s->stone ? s->stones : 1);
    case LITHE_TET_BELLOWS:
        return lithe_tet_bellows_volume(s);
    case LITHE_TET_FINGER:
        return lithe_tet_finger_volume(s);
    }
    return 0;
}

// Moves all nodes outwards by the factor that gives the mesh the volume of the body. Circles of a
// cylinder or a tube keep their heights, and the base of a half ball its plane.
static void keep_volume(const LitheTetShape *s, LitheTetMesh *mesh) {
    double missing = volume_of(s) / lithe_tet_mesh_volume(mesh);
    bool ball = s->kind == LITHE_TET_SPHERE || s->kind == LITHE_TET_HALF_SPHERE ||
                s->kind == LITHE_TET_HOLLOW_SPHERE;
    double f = ball ? cbrt(missing) : sqrt(missing);
    bool flat = s->kind == LITHE_TET_ARCH || s->kind == LITHE_TET_FINGER;
    for (int32_t i = 0; !flat && i < mesh->node_count; i++) {
        Vec3 x = mesh->nodes[i];
        mesh->nodes[i] = v3(f * x.x, f * x.y, ball ? f * x.z : x.z);
    }
}

static double distance_to(const LitheTetShape *s, const char *set, Vec3 x) {
    return v3_distance(x, project(s, set, x));
}

// largest distance of the nodes of a set, and of the middles of straight edges of its faces
static double set_deviation(const LitheTetShape *s, const LitheTetMesh *mesh,
                            const LitheTetSet *set, bool *member) {
    int32_t width = mesh->nodes_per_element;
    double max = 0;
    memset(member, 0, (size_t)mesh->node_count * sizeof *member);
    for (int32_t i = 0; i < set->count; i++) {
        member[set->nodes[i]] = true;
        max = fmax(max, distance_to(s, set->name, mesh->nodes[set->nodes[i]]));
    }
    for (int32_t e = 0; width == 4 && e < mesh->element_count; e++)
        for (int f = 0; f < 4; f++) {
            int32_t node[3];
            for (int k = 0; k < 3; k++)
                node[k] = mesh->elements[4 * (int64_t)e + lithe_tet_faces[f][k]];
            for (int k = 0; member[node[0]] && member[node[1]] && member[node[2]] && k < 3; k++) {
                Vec3 a = mesh->nodes[node[k]], b = mesh->nodes[node[(k + 1) % 3]];
                max = fmax(max, distance_to(s, set->name, v3_scale(0.5, v3_add(a, b))));
            }
        }
    return max;
}

static LitheStatus report_on(LitheContext *context, const LitheTetShape *s,
                             const LitheTetMesh *mesh, LitheTetShapeReport *report,
                             LitheError *error) {
    *report = (LitheTetShapeReport){.volume = volume_of(s), .made = lithe_tet_mesh_volume(mesh)};
    bool *member = lithe_alloc_array(context, mesh->node_count, sizeof *member);
    if (!member)
        return lithe_fail_memory(error, "the surface of a mesh");
    for (int32_t k = 0; k < mesh->set_count; k++)
        report->deviation = fmax(report->deviation, set_deviation(s, mesh, &mesh->sets[k], member));
    report->deviation /= s->kind == LITHE_TET_ARCH     ? arch_radius(s)
                         : s->kind == LITHE_TET_FINGER ? s->size.x
                                                       : s->radius;
    lithe_free(context, member);
    return LITHE_OK;
}

// --- checks --------------------------------------------------------------------------------------

static LitheStatus check_positive(const char *what, const char *field, double value,
                                  LitheError *error) {
    if (value > 0 && isfinite(value))
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "mesh of a %s: %s is %g m, must be > 0", what, field,
                      value);
}

static const char *const kind_names[] = {"cylinder",      "tube", "sphere",  "half-sphere",
                                         "hollow-sphere", "arch", "bellows", "finger"};

static LitheStatus check_arch(const LitheTetShape *s, LitheError *error) {
    LitheStatus status = check_positive("arch", "span", s->span, error);
    status = status ? status : check_positive("arch", "thickness", s->thickness, error);
    status = status ? status : check_positive("arch", "depth", s->depth, error);
    if (status)
        return status;
    if (!(s->angle > 0) || !(s->angle < 2 * M_PI))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of an arch: angle is %g rad, must be above 0 and below 2 pi",
                          s->angle);
    if (s->stones < 1 || s->stones > 1000)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "mesh of an arch: stones are %d, must be 1 to 1000", s->stones);
    if (s->stone < 0 || s->stone > s->stones)
        return lithe_fail(error, LITHE_BAD_INPUT, "mesh of an arch: stone is %d, must be 0 to %d",
                          s->stone, s->stones);
    return LITHE_OK;
}

static LitheStatus check_shape(const LitheTetShape *s, LitheError *error) {
    const char *what = kind_names[s->kind];
    LitheStatus status = check_positive(what, "edge", s->edge, error);
    double largest = s->span + s->thickness + s->depth;
    if (s->kind == LITHE_TET_ARCH) {
        status = status ? status : check_arch(s, error);
    } else if (s->kind == LITHE_TET_FINGER) {
        status = status ? status : check_positive(what, "size.x", s->size.x, error);
        status = status ? status : check_positive(what, "size.y", s->size.y, error);
        status = status ? status : check_positive(what, "size.z", s->size.z, error);
        status = status ? status : check_positive(what, "wall", s->thickness, error);
        status = status ? status : check_positive(what, "floor", s->depth, error);
        status = status ? status : check_positive(what, "channel", s->channel, error);
        status = status ? status : lithe_tet_check_finger(s, error);
        largest = s->size.x;
    } else {
        status = status ? status : check_positive(what, "radius", s->radius, error);
        bool bellows = s->kind == LITHE_TET_BELLOWS;
        bool along = s->kind == LITHE_TET_CYLINDER || s->kind == LITHE_TET_TUBE || bellows;
        if (along && !status)
            status = check_positive(what, "length", s->length, error);
        if (bellows && !status)
            status = check_positive(what, "thickness", s->thickness, error);
        if (bellows && !status)
            status = check_positive(what, "ends", s->depth, error);
        if (bellows && !status)
            status = lithe_tet_check_bellows(s, error);
        largest = fmax(2 * s->radius, along ? s->length : 0);
    }
    bool hollow = s->kind == LITHE_TET_TUBE || s->kind == LITHE_TET_HOLLOW_SPHERE;
    if (!status && hollow && !(s->inner > 0 && s->inner < s->radius))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "mesh of a %s: inner is %g m, must be above 0 and below the radius "
                            "of %g m",
                            what, s->inner, s->radius);
    if (!status && s->edge > largest)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "mesh of a %s: edge is %g m, longer than the body of %g m", what,
                            s->edge, largest);
    return status;
}

LitheStatus lithe_tet_shape_mesh(LitheContext *context, const LitheTetShape *shape, bool quadratic,
                                 LitheTetMesh *out, LitheTetShapeReport *report,
                                 LitheError *error) {
    static LitheStatus (*const make[])(LitheTetMaker *,
                                       const LitheTetShape *) = {make_cylinder,
                                                                 make_tube,
                                                                 lithe_tet_make_ball,
                                                                 lithe_tet_make_ball,
                                                                 lithe_tet_make_hollow_ball,
                                                                 lithe_tet_make_arch,
                                                                 lithe_tet_make_bellows,
                                                                 lithe_tet_make_finger};
    LitheTetMaker maker = {.context = context, .error = error};
    LitheStatus status = check_shape(shape, error);
    status = status ? status : make[shape->kind](&maker, shape);
    lithe_free(context, maker.member);
    if (!status && quadratic)
        status = make_quadratic(&maker, shape);
    if (!status)
        keep_volume(shape, &maker.mesh);
    if (!status && report)
        status = report_on(context, shape, &maker.mesh, report, error);
    if (status)
        lithe_tet_mesh_destroy(context, &maker.mesh);
    else
        *out = maker.mesh;
    return status;
}
