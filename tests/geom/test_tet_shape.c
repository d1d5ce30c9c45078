// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_shape.c - meshes of simple bodies: volume, angles, sets, what is refused

#include "test.h"

#include "base/memory.h"
#include "geom/tet_check.h"
#include "geom/tet_shape.h"

static LitheTetShape shape_of(LitheTetShapeKind kind, double edge) {
    return (LitheTetShape){.kind = kind,
                           .radius = 0.5,
                           .inner = 0.3,
                           .length = 0.7,
                           .edge = edge,
                           .stones = 7,
                           .span = 2,
                           .thickness = 0.3,
                           .angle = 2.5,
                           .depth = 0.4,
                           .folds = 2};
}

static double exact_volume(LitheTetShapeKind kind) {
    double r = 1 / sin(1.25), o = r + 0.3;
    switch (kind) {
    case LITHE_TET_CYLINDER:
        return M_PI * 0.25 * 0.7;
    case LITHE_TET_TUBE:
        return M_PI * (0.25 - 0.09) * 0.7;
    case LITHE_TET_SPHERE:
        return 4 * M_PI / 3 * 0.125;
    case LITHE_TET_HALF_SPHERE:
        return 2 * M_PI / 3 * 0.125;
    case LITHE_TET_HOLLOW_SPHERE:
        return 4 * M_PI / 3 * (0.125 - 0.027);
    default:
        return 0.5 * 2.5 * (o * o - r * r) * 0.4;
    }
}

typedef struct Got {
    LitheStatus status;
    LitheError error;
    LitheTetReport report;
    LitheTetShapeReport shape;
    int32_t node_count;
} Got;

static LitheContext *context;

static Got make(const LitheTetShape *shape, bool quadratic, LitheTetMesh *mesh) {
    Got got = {0};
    *mesh = (LitheTetMesh){0};
    got.status = lithe_tet_shape_mesh(context, shape, quadratic, mesh, &got.shape, &got.error);
    if (!got.status)
        got.status = lithe_tet_mesh_check(context, mesh, &got.report, &got.error);
    if (got.status)
        printf("  (%s)\n", got.error.text);
    got.node_count = mesh->node_count;
    return got;
}

static Got measure(LitheTetShapeKind kind, double edge, bool quadratic) {
    LitheTetMesh mesh;
    LitheTetShape shape = shape_of(kind, edge);
    context = lithe_context_create(NULL);
    Got got = make(&shape, quadratic, &mesh);
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return got;
}

LONG_TEST(volume_is_that_of_the_body_at_all_resolutions) {
    for (LitheTetShapeKind kind = 0; kind < LITHE_TET_ARCH; kind++)
        for (int quadratic = 0; quadratic < 2; quadratic++)
            for (double edge = 0.5; edge > 0.04; edge /= 1.7) {
                Got got = measure(kind, edge, quadratic);
                CHECK(got.status == LITHE_OK && !got.report.turned);
                CHECK_NEAR(got.report.volume / exact_volume(kind), 1, 1e-13);
                CHECK_NEAR(got.shape.volume / exact_volume(kind), 1, 1e-14);
                CHECK_NEAR(got.shape.made, got.report.volume, 1e-13);
            }
}

// an arch keeps its corners; surfaces of all bodies lie between chords and circles
LONG_TEST(surfaces_are_exact_at_second_order_and_with_curved_elements_at_fourth) {
    for (LitheTetShapeKind kind = 0; kind <= LITHE_TET_ARCH; kind++)
        for (int quadratic = 0; quadratic < 2; quadratic++) {
            // lengths that divide all sizes at both resolutions evenly enough
            double error[2], lost[2];
            for (int k = 0; k < 2; k++) {
                Got got = measure(kind, k ? 0.05 : 0.1, quadratic);
                CHECK(got.status == LITHE_OK);
                error[k] = got.shape.deviation;
                lost[k] = fabs(got.shape.made / exact_volume(kind) - 1);
            }
            if (kind == LITHE_TET_ARCH)
                CHECK(log2(lost[0] / lost[1]) > (quadratic ? 3.5 : 1.8));
            if (kind != LITHE_TET_ARCH || !quadratic)
                CHECK(log2(error[0] / error[1]) > (quadratic ? 3.5 : 1.8));
            CHECK(error[1] < (quadratic ? 1e-5 : 5e-3));
        }
}

// an icosahedron instead of a ball: its corners are 18 % outside, the middles of edges inside
TEST(the_deviation_of_a_coarse_mesh_is_reported) {
    Got got = measure(LITHE_TET_SPHERE, 0.5, false);
    // edge and volume of an icosahedron of circumradius 1
    double edge = 1 / sin(0.4 * M_PI), volume = 5 / 12.0 * (3 + sqrt(5)) * edge * edge * edge;
    CHECK_NEAR(got.shape.deviation, cbrt(4 * M_PI / 3 / volume) - 1, 1e-12);
}

TEST(dihedral_angles_are_good_at_all_resolutions) {
    for (LitheTetShapeKind kind = 0; kind <= LITHE_TET_ARCH; kind++)
        for (double edge = 0.6; edge > 0.04; edge /= 1.7) {
            Got got = measure(kind, edge, false);
            CHECK(got.status == LITHE_OK);
            CHECK(got.report.min_angle * 180 / M_PI > 25);
            CHECK(got.report.max_angle * 180 / M_PI < 127);
            CHECK(got.report.hinge_count == 0);
            CHECK(got.report.unused_count == 0);
            CHECK(got.report.part_count == (kind == LITHE_TET_ARCH ? 7 : 1));
        }
}

static double set_radius(const LitheTetMesh *mesh, const char *name, bool flat, double *spread) {
    const LitheTetSet *set = lithe_tet_mesh_find_set(mesh, name);
    double low = INFINITY, high = 0;
    if (!CHECK(set && set->count > 0))
        return 0;
    for (int32_t i = 0; i < set->count; i++) {
        Vec3 x = mesh->nodes[set->nodes[i]];
        double r = flat ? hypot(x.x, x.y) : v3_norm(x);
        low = fmin(low, r);
        high = fmax(high, r);
    }
    *spread = high - low;
    return high;
}

TEST(sets_lie_on_their_faces_with_midpoints) {
    LitheTetMesh mesh;
    double spread = 0;
    context = lithe_context_create(NULL);
    LitheTetShape shape = shape_of(LITHE_TET_TUBE, 0.15);
    CHECK(make(&shape, true, &mesh).status == LITHE_OK);
    double outer = set_radius(&mesh, "outer", true, &spread);
    CHECK_NEAR(spread, 0, 1e-15);
    CHECK_NEAR(outer, 0.5, 1e-3);
    CHECK_NEAR(set_radius(&mesh, "inner", true, &spread), 0.6 * outer, 1e-15);
    CHECK_NEAR(spread, 0, 1e-15);
    // a body without holes through its faces: faces, edges and nodes of closed surfaces (Euler)
    LitheTetSurface surface = {0};
    CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, NULL) == LITHE_OK);
    int32_t edge_nodes = 3 * surface.triangle_count / 2, corners = surface.triangle_count / 2;
    int32_t counted = 0;
    for (int s = 0; s < 4; s++)
        counted += mesh.sets[s].count;
    // the four circles belong to two sets each
    int32_t circle = 2 * (int32_t)floor(M_PI * 0.8 / 2 / 0.15 + 0.5);
    CHECK(counted == corners + edge_nodes + 4 * 2 * circle);
    lithe_tet_surface_destroy(context, &surface);
    lithe_tet_mesh_destroy(context, &mesh);

    shape = shape_of(LITHE_TET_HALF_SPHERE, 0.15);
    CHECK(make(&shape, true, &mesh).status == LITHE_OK);
    CHECK_NEAR(set_radius(&mesh, "dome", false, &spread), 0.5, 1e-3);
    CHECK_NEAR(spread, 0, 1e-15);
    const LitheTetSet *base = lithe_tet_mesh_find_set(&mesh, "base");
    for (int32_t i = 0; i < base->count; i++)
        CHECK_NEAR(mesh.nodes[base->nodes[i]].z, 0, 1e-15);
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(arch_stands_on_its_inner_corners_and_stones_can_be_made_alone) {
    LitheTetMesh mesh, stone;
    context = lithe_context_create(NULL);
    LitheTetShape shape = shape_of(LITHE_TET_ARCH, 0.1);
    CHECK(make(&shape, false, &mesh).status == LITHE_OK);
    const LitheTetSet *left = lithe_tet_mesh_find_set(&mesh, "left");
    double nearest = INFINITY;
    for (int32_t i = 0; i < left->count; i++)
        nearest = fmin(nearest, v3_distance(mesh.nodes[left->nodes[i]], v3(-1, -0.2, 0)));
    CHECK_NEAR(nearest, 0, 1e-15);
    const LitheTetSet *third = lithe_tet_mesh_find_set(&mesh, "stone-3");
    FATAL(third != NULL);
    shape.stone = 3;
    CHECK(make(&shape, false, &stone).status == LITHE_OK);
    CHECK(stone.node_count == third->count);
    for (int32_t i = 0; i < stone.node_count; i++)
        CHECK(v3_distance(stone.nodes[i], mesh.nodes[third->nodes[i]]) == 0);
    lithe_tet_mesh_destroy(context, &stone);
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static LitheTetShape bellows(double edge) {
    return (LitheTetShape){.kind = LITHE_TET_BELLOWS,
                           .radius = 0.5,
                           .inner = 0.3,
                           .length = 0.8,
                           .edge = edge,
                           .thickness = 0.05,
                           .depth = 0.06,
                           .folds = 2};
}

/// Volume that the faces of a set enclose; they must be closed.
static double enclosed(const LitheTetMesh *mesh, const char *name) {
    LitheTetSurface surface = {0};
    const LitheTetSet *set = lithe_tet_mesh_find_set(mesh, name);
    bool *in = lithe_alloc_array(context, mesh->node_count, sizeof *in);
    double sum = 0;
    Vec3 area = {0};
    for (int32_t i = 0; i < set->count; i++)
        in[set->nodes[i]] = true;
    CHECK(lithe_tet_mesh_surface(context, mesh, &surface, NULL) == LITHE_OK);
    for (int32_t t = 0; t < surface.triangle_count; t++) {
        const int32_t *k = surface.triangles + surface.nodes_per_triangle * (int64_t)t;
        if (!in[k[0]] || !in[k[1]] || !in[k[2]])
            continue;
        Vec3 a = mesh->nodes[k[0]], b = mesh->nodes[k[1]], c = mesh->nodes[k[2]];
        area = v3_add(area, v3_cross(v3_sub(b, a), v3_sub(c, a)));
        sum -= v3_dot(a, v3_cross(b, c)) / 6;
    }
    CHECK(v3_norm(area) < 1e-14);
    lithe_tet_surface_destroy(context, &surface);
    lithe_free(context, in);
    return sum;
}

// the volumes of wall and hollow are found by another rule: discs between the offset curves
static void bellows_by_discs(double *wall, double *hollow) {
    LitheTetShape s = bellows(1);
    const int n = 20000;
    double a = 0.4, b = 0.5 * (0.2 - 0.05), height = 0.68, q = 2 * M_PI * s.folds, sum[2] = {0};
    double r[2] = {0.3, 0.35}, z[2] = {-0.34, -0.34};
    for (int i = 1; i <= n; i++)
        for (int side = 0; side < 2; side++) {
            double u = (double)i / n, dr = b * q * sin(q * u), norm = hypot(dr, height);
            double t = side ? 0.025 : -0.025;
            double r1 = a - b * cos(q * u) + t * height / norm,
                   z1 = height * (u - 0.5) - t * dr / norm;
            sum[side] += M_PI / 3 * (r[side] * r[side] + r[side] * r1 + r1 * r1) * (z1 - z[side]);
            r[side] = r1;
            z[side] = z1;
        }
    *hollow = sum[0];
    *wall = sum[1] - sum[0] + 2 * M_PI * 0.35 * 0.35 * 0.06;
}

LONG_TEST(a_bellows_has_its_volume_and_a_closed_hollow) {
    double wall, hollow, error[2], off[2];
    bellows_by_discs(&wall, &hollow);
    context = lithe_context_create(NULL);
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        for (int k = 0; k < 2; k++) {
            LitheTetMesh mesh;
            LitheTetShape shape = bellows(k ? 0.02 : 0.04);
            Got got = make(&shape, quadratic, &mesh);
            FATAL(got.status == LITHE_OK);
            CHECK(got.report.part_count == 1 && !got.report.turned);
            CHECK(got.report.unused_count == 0 && got.report.hinge_count == 0);
            CHECK_NEAR(got.shape.volume / wall, 1, 1e-6);
            CHECK_NEAR(got.report.volume / wall, 1, 1e-6);
            CHECK(got.report.min_angle * 180 / M_PI > 12 &&
                  got.report.max_angle * 180 / M_PI < 150);
            error[k] = fabs(enclosed(&mesh, "inner") / hollow - 1);
            off[k] = got.shape.deviation;
            CHECK(mesh.set_count == 4 && lithe_tet_mesh_find_set(&mesh, "z-max")->count > 6);
            lithe_tet_mesh_destroy(context, &mesh);
        }
        printf("  hollow off by %.2g, %.2g; surface by %.2g, %.2g\n", error[0], error[1], off[0],
               off[1]);
        // the flat triangles of the hollow are chords with both kinds of elements
        CHECK(error[1] < 0.01 && log2(error[0] / error[1]) > 1.5);
        CHECK(quadratic ? off[1] < 1e-5 : log2(off[0] / off[1]) > 1.5);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static void check_refused(LitheTetShape shape, const char *message) {
    LitheTetMesh mesh = {0};
    LitheError error = {0};
    CHECK(lithe_tet_shape_mesh(context, &shape, false, &mesh, NULL, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, message);
    CHECK(mesh.nodes == NULL);
}

TEST(bad_shapes_are_refused_with_field_and_value) {
    context = lithe_context_create(NULL);
    LitheTetShape shape = shape_of(LITHE_TET_CYLINDER, 0);
    check_refused(shape, "mesh of a cylinder: edge is 0 m, must be > 0");
    shape.edge = 3;
    check_refused(shape, "edge is 3 m, longer than the body of 1 m");
    shape.edge = 1e-4;
    check_refused(shape, "at most 20000000 of each");
    shape = shape_of(LITHE_TET_TUBE, 0.1);
    shape.inner = 0.5;
    check_refused(shape, "inner is 0.5 m, must be above 0 and below the radius of 0.5 m");
    shape = shape_of(LITHE_TET_SPHERE, 0.001);
    check_refused(shape, "500 layers, at most 100");
    shape.radius = NAN;
    check_refused(shape, "mesh of a sphere: radius is nan m");
    shape = shape_of(LITHE_TET_ARCH, 0.1);
    shape.angle = 7;
    check_refused(shape, "angle is 7 rad");
    shape.angle = 2;
    shape.stone = 8;
    check_refused(shape, "stone is 8, must be 0 to 7");
    shape = bellows(0.05);
    shape.folds = 0;
    check_refused(shape, "mesh of a bellows: folds are 0, must be 1 to 1000");
    shape = bellows(0.05);
    shape.inner = 0.45;
    check_refused(shape, "inner is 0.45 m, must be above 0 and with the thickness of 0.05 m below");
    shape = bellows(0.05);
    shape.depth = 0.4;
    check_refused(shape, "length is 0.8 m, must be above that of its two ends of 0.4 m each");
    shape = bellows(0.05);
    shape.folds = 9;
    check_refused(shape, "thickness is 0.05 m, must be below 0.00347044 m, since the folds bend");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static LitheTetShape finger(double edge) {
    return (LitheTetShape){.kind = LITHE_TET_FINGER,
                           .size = {1, 0.4, 0.4},
                           .thickness = 0.04,
                           .depth = 0.08,
                           .gap = 0.05,
                           .channel = 0.08,
                           .chambers = 3,
                           .edge = edge};
}

// The hollow is closed: its surface has no border, and encloses chambers and channel.
TEST(a_finger_has_its_volume_and_a_closed_hollow) {
    context = lithe_context_create(NULL);
    for (int32_t chambers = 1; chambers < 4; chambers++)
        for (int k = 0; k < 2; k++) {
            LitheTetShape shape = finger(0.06);
            LitheTetMesh mesh;
            shape.chambers = chambers;
            shape.gap *= k;
            Got got = make(&shape, false, &mesh);
            FATAL(got.status == LITHE_OK);
            CHECK(got.report.part_count == 1 && !got.report.turned);
            CHECK_NEAR(got.report.volume, got.shape.volume, 1e-14);
            double walls = k ? 2 * chambers : chambers + 1, joints = chambers - 1;
            double want = (1 - 0.04 * walls - 0.05 * k * joints) * 0.32 * 0.28;
            want += joints * (k ? 0.13 : 0.04) * 0.08 * 0.08;
            CHECK_NEAR(fabs(enclosed(&mesh, "inner")), want, 1e-12);
            lithe_tet_mesh_destroy(context, &mesh);
        }
    LitheTetShape shape = finger(0.06);
    shape.channel = 0.4;
    check_refused(shape, "two walls and the channel leave");
    shape = finger(0.06);
    shape.chambers = 9;
    check_refused(shape, "walls and gaps leave");
    shape = finger(0.06);
    shape.depth = 0.3;
    check_refused(shape, "floor, channel and two walls leave");
    lithe_context_destroy(context);
}

TEST(making_shapes_survives_any_lack_of_memory) {
    context = lithe_context_create(NULL);
    for (LitheTetShapeKind kind = 0; kind <= LITHE_TET_FINGER; kind++) {
        LitheStatus status = LITHE_NO_MEMORY;
        for (int64_t n = 1; n < 300 && status; n++) {
            LitheTetMesh mesh = {0};
            LitheTetShape shape = kind == LITHE_TET_FINGER    ? finger(0.3)
                                  : kind == LITHE_TET_BELLOWS ? bellows(0.3)
                                                              : shape_of(kind, 0.3);
            LitheTetShapeReport report;
            lithe_context_fail_at(context, n);
            status = lithe_tet_shape_mesh(context, &shape, true, &mesh, &report, NULL);
            lithe_context_fail_at(context, 0);
            lithe_tet_mesh_destroy(context, &mesh);
            CHECK(lithe_context_bytes(context) == 0);
        }
        CHECK(status == LITHE_OK);
    }
    lithe_context_destroy(context);
}
