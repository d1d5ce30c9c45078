// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_fill.c - tetrahedra inside of closed surfaces: angles, volume, prediction,
// what is refused

#include "../../cli/validate/surfaces.h"
#include "test.h"

#include "base/memory.h"
#include "geom/tet_check.h"
#include "geom/tet_fill.h"

#define DEGREES (180 / M_PI)

static LitheContext *context;
static LitheError error;

static double extent(const Surface *s) {
    Vec3 low = s->points[0], high = low;
    for (int32_t i = 0; i < s->point_count; i++) {
        Vec3 x = s->points[i];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static LitheStatus fill(const Surface *s, double resolution, LitheTetMesh *mesh,
                        LitheTetFillReport *report) {
    *mesh = (LitheTetMesh){0};
    return lithe_tet_fill(context, s->points, s->point_count, s->triangles, s->triangle_count,
                          resolution, mesh, report, &error);
}

typedef struct Got {
    LitheTetFillReport report;
    LitheTetReport quality;
    int32_t nodes, elements;
    double bytes;
} Got;

static Got fill_and_check(int kind, double parts) {
    Got got = {0};
    LitheTetMesh mesh;
    Surface s = make_surface(kind);
    context = lithe_context_create(NULL);
    LitheStatus status = fill(&s, extent(&s) / parts, &mesh, &got.report);
    got.bytes = (double)lithe_context_peak_bytes(context);
    got.nodes = mesh.node_count;
    got.elements = mesh.element_count;
    status = status ? status : lithe_tet_mesh_check(context, &mesh, &got.quality, &error);
    if (!CHECK(status == LITHE_OK))
        printf("  %s: %s\n", surface_names[kind], error.text);
    lithe_tet_mesh_destroy(context, &mesh);
    surface_free(&s);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return got;
}

LONG_TEST(ten_surfaces_have_good_angles_and_their_volume) {
    for (int kind = 0; kind < SURFACE_COUNT; kind++)
        for (int fine = 0; fine < 2; fine++) {
            Got got = fill_and_check(kind, fine ? 19.3 : 10);
            CHECK(got.quality.min_angle * DEGREES > 15);
            CHECK(got.quality.max_angle * DEGREES < 150);
            CHECK(fabs(got.quality.volume / got.report.volume - 1) < 0.003);
            CHECK(got.quality.volume == got.report.made_volume);
            CHECK(got.quality.part_count == 1);
            CHECK(got.quality.hinge_count == 0);
            CHECK(!got.quality.turned);
        }
}

LONG_TEST(numbers_and_memory_are_predicted) {
    for (int kind = 0; kind < SURFACE_COUNT; kind++)
        for (int fine = 0; fine < 2; fine++) {
            Got got = fill_and_check(kind, fine ? 17 : 11);
            CHECK(fabs(got.nodes / got.report.nodes - 1) < 0.15);
            CHECK(fabs(got.elements / got.report.elements - 1) < 0.15);
            CHECK(got.bytes < 1.3 * got.report.bytes);
            CHECK(got.bytes > 0.4 * got.report.bytes);
        }
}

/// Random at every place: cuts anywhere on the edges.
static double noise(const void *user, Vec3 x) {
    uint64_t bits[3], h = *(const uint64_t *)user;
    memcpy(bits, &x, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h = (h ^ bits[i]) * 0xbf58476d1ce4e5b9u;
        h = (h ^ h >> 29) * 0x94d049bb133111ebu;
        h ^= h >> 32;
    }
    return 0.5 * ((double)(h >> 11) * 0x1p-53 - 0.5);
}

TEST(angles_are_bounded_wherever_edges_are_cut) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        LitheTetMesh mesh = {0};
        context = lithe_context_create(NULL);
        CHECK(lithe_tet_fill_depth(context, noise, &seed, v3(0, 0, 0), v3(14, 14, 14), 1, &mesh,
                                   &error) == LITHE_OK);
        CHECK(mesh.element_count > 10000);
        double smallest = 10, largest = 0;
        for (int32_t e = 0; e < mesh.element_count; e++) {
            Vec3 x[4];
            double angle[6];
            for (int k = 0; k < 4; k++)
                x[k] = mesh.nodes[mesh.elements[4 * e + k]];
            lithe_tet_dihedrals(x, angle);
            for (int k = 0; k < 6; k++) {
                smallest = fmin(smallest, angle[k]);
                largest = fmax(largest, angle[k]);
            }
        }
        CHECK(smallest * DEGREES > 10.7);
        CHECK(largest * DEGREES < 164.8);
        // elements of neighbours fit: no face is shared by three, none lies on the wrong side
        LitheTetSurface surface = {0};
        if (!CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, &error) == LITHE_OK))
            printf("  %s\n", error.text);
        lithe_tet_surface_destroy(context, &surface);
        lithe_tet_mesh_destroy(context, &mesh);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
}

TEST(a_surface_inside_out_is_turned_round) {
    LitheTetMesh mesh;
    LitheTetFillReport report = {0};
    Surface s = make_surface(5);
    context = lithe_context_create(NULL);
    for (int32_t t = 0; t < s.triangle_count; t++) {
        int32_t keep = s.triangles[3 * t];
        s.triangles[3 * t] = s.triangles[3 * t + 2];
        s.triangles[3 * t + 2] = keep;
    }
    CHECK(fill(&s, 0.05, &mesh, &report) == LITHE_OK);
    CHECK(report.turned);
    CHECK_NEAR(report.volume, 0.008, 1e-15);
    CHECK_NEAR(report.made_volume, 0.008, 2e-5);
    CHECK(report.sharp_count == 12);
    lithe_tet_mesh_destroy(context, &mesh);
    surface_free(&s);
    lithe_context_destroy(context);
}

// --- refusals ------------------------------------------------------------------------------------

static void check_refused(Surface *s, double resolution, const char *message) {
    LitheTetMesh mesh;
    LitheTetFillReport report;
    context = lithe_context_create(NULL);
    CHECK(fill(s, resolution, &mesh, NULL) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, message);
    CHECK(mesh.nodes == NULL);
    CHECK(lithe_tet_fill_plan(context, s->points, s->point_count, s->triangles, s->triangle_count,
                              resolution, &report, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, message);
    surface_free(s);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(bad_surfaces_are_refused_with_number_and_place) {
    Surface s = make_surface(5);
    s.triangle_count--; // a hole
    check_refused(&s, 0.05,
                  "it has holes: 3 edges belong to one triangle only, the first is edge ");
    s = make_surface(5);
    surface_triangle(&s, s.triangles[0], s.triangles[1],
                     surface_point(&s, v3(0.3, 0.3, 0.3))); // a fin
    check_refused(&s, 0.05, "triangle ");
    s = make_surface(6);
    add_star_shape(&s, v3(0.1, 0, 0), 0.1, unit_radius, false); // two balls that overlap
    check_refused(&s, 0.05, "pairs of triangles cross each other, the first are the triangles ");
    s = make_surface(6);
    s.points[100] = v3_scale(-1.5, s.points[100]); // a spike through the other side
    check_refused(&s, 0.05, "cross each other");
    s = make_surface(5);
    s.triangle_count = 2;
    check_refused(&s, 0.05, "2 triangles do not bound a body");
}

TEST(bad_resolutions_are_refused_with_the_value) {
    Surface s = make_surface(5);
    check_refused(&s, 0.3,
                  "resolution is 0.3 m, above the size of the body (0.2 m x 0.2 m x 0.2 m)");
    s = make_surface(5);
    check_refused(&s, -1, "resolution is -1 m, must be > 0");
    s = make_surface(5);
    check_refused(&s, NAN, "resolution is nan m, must be > 0");
    s = make_surface(5);
    check_refused(&s, 1e-5, "at most 20000000 sites are allowed");
}

TEST(filling_survives_any_lack_of_memory) {
    Surface s = make_surface(5);
    LitheStatus status = LITHE_NO_MEMORY;
    int64_t n = 1;
    context = lithe_context_create(NULL);
    for (; n < 300 && status; n++) {
        LitheTetMesh mesh;
        lithe_context_fail_at(context, n);
        status = fill(&s, 0.07, &mesh, NULL);
        lithe_context_fail_at(context, 0);
        lithe_tet_mesh_destroy(context, &mesh);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(status == LITHE_OK);
    CHECK(n > 15);
    surface_free(&s);
    lithe_context_destroy(context);
}
