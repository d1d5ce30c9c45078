// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_check.c - which tetrahedral meshes are refused, which are noted, and how
// their quality is measured

#include "test.h"

#include "base/memory.h"
#include "geom/tet_check.h"

static LitheContext *context;
static LitheTetMesh mesh;
static LitheError error;
static LitheTetReport report;
static char notes[LITHE_TET_NOTES][LITHE_TET_NOTE];

static void begin(double size, int32_t n) {
    context = lithe_context_create(NULL);
    mesh = (LitheTetMesh){0};
    error = (LitheError){0};
    report = (LitheTetReport){0};
    CHECK(lithe_tet_mesh_box(context, v3(size, size, size), (int32_t[3]){n, n, n}, &mesh, NULL) ==
          LITHE_OK);
}

static LitheStatus check(void) {
    return lithe_tet_mesh_check(context, &mesh, &report, &error);
}

static void end(void) {
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_good_mesh_is_measured_without_notes) {
    begin(0.2, 2);
    CHECK(check() == LITHE_OK);
    CHECK_NEAR(report.volume, 0.008, 1e-16);
    CHECK_NEAR(report.min_edge, 0.1, 1e-15);
    CHECK_NEAR(report.max_edge, 0.1 * sqrt(2), 1e-15);
    // the regular tetrahedron in the middle of a cell has acos 1/3; those at its corners have
    // acos 1/sqrt 3 and right angles
    CHECK_NEAR(report.min_angle, acos(1 / sqrt(3)), 1e-14);
    CHECK_NEAR(report.max_angle, acos(0), 1e-14);
    CHECK(report.part_count == 1);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 0);
    end();
}

TEST(quality_is_one_only_for_the_regular_tetrahedron) {
    Vec3 x[4] = {v3(1, 1, 1), v3(-1, 1, -1), v3(1, -1, -1), v3(-1, -1, 1)};
    double angle[6];
    CHECK_NEAR(fabs(lithe_tet_quality(x)), 1, 1e-15);
    lithe_tet_dihedrals(x, angle);
    for (int e = 0; e < 6; e++)
        CHECK_NEAR(angle[e], acos(1.0 / 3), 1e-15);
    x[3].z = 2;
    CHECK(lithe_tet_quality(x) < 0.99);
    // a corner of a cube: 12 (3/6)^(2/3) / 9
    Vec3 y[4] = {v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    CHECK_NEAR(lithe_tet_quality(y), 12 * cbrt(0.25) / 9, 1e-15);
}

TEST(dihedral_angles_are_in_the_order_of_edges) {
    // a wedge of 0.3 rad at the edge 03: corners 1 and 2 at this angle about the z axis
    Vec3 x[4] = {v3(0, 0, 0), v3(1, 0, 0), v3(cos(0.3), sin(0.3), 0), v3(0, 0, 1)};
    double angle[6];
    lithe_tet_dihedrals(x, angle);
    CHECK_NEAR(angle[3], 0.3, 1e-15);
    CHECK_NEAR(angle[0], acos(0), 1e-15);
    CHECK_NEAR(angle[2], acos(0), 1e-15);
    CHECK(angle[1] < 1.4);
}

TEST(an_inverted_element_among_others_is_refused_with_number_and_place) {
    begin(2, 2);
    int32_t keep = mesh.elements[4 * 7 + 1];
    mesh.elements[4 * 7 + 1] = mesh.elements[4 * 7 + 2];
    mesh.elements[4 * 7 + 2] = keep;
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "1 of 40 elements are inverted");
    CHECK_TEXT(error.text, "the first is element 7 (nodes ");
    CHECK_TEXT(error.text, ") at (");
    CHECK(report.volume == 0);
    end();
}

TEST(a_mirrored_mesh_is_turned_round_with_a_note) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        begin(2, 2);
        if (quadratic) {
            LitheTetMesh fine = {0};
            CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL) == LITHE_OK);
            lithe_tet_mesh_destroy(context, &mesh);
            mesh = fine;
        }
        for (int32_t i = 0; i < mesh.node_count; i++)
            mesh.nodes[i].x = -mesh.nodes[i].x;
        CHECK_NEAR(lithe_tet_mesh_volume(&mesh), -8, 1e-13);
        CHECK(check() == LITHE_OK);
        CHECK(report.turned);
        CHECK_NEAR(report.volume, 8, 1e-13);
        CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 1);
        CHECK_TEXT(notes[0], "mirrored");
        end();
    }
}

TEST(flat_elements_are_refused_and_thin_ones_noted) {
    begin(2, 1);
    int32_t a = mesh.elements[4 * 2], b = mesh.elements[4 * 2 + 1];
    // a corner tetrahedron whose tip moves into the opposite face
    Vec3 c = v3_scale(1.0 / 3, v3_add(mesh.nodes[b], v3_add(mesh.nodes[mesh.elements[4 * 2 + 2]],
                                                            mesh.nodes[mesh.elements[4 * 2 + 3]])));
    Vec3 tip = mesh.nodes[a];
    mesh.nodes[a] = v3_mix(c, tip, 1e-12);
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "1 of 5 elements are flat; the first is element 2");
    mesh.nodes[a] = v3_mix(c, tip, 0.02);
    CHECK(check() == LITHE_OK);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 1);
    CHECK_TEXT(notes[0], "dihedral angles");
    CHECK_TEXT(notes[0], "in element 2");
    end();
}

TEST(an_element_with_a_node_twice_or_out_of_range_is_refused) {
    begin(2, 1);
    mesh.elements[4 * 3] = mesh.elements[4 * 3 + 2];
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "element 3 has node ");
    CHECK_TEXT(error.text, "twice");
    mesh.elements[4 * 3] = 8;
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "element 3 has node 8, must be 0 to 7");
    mesh.elements[4 * 3] = -1;
    CHECK(check() == LITHE_BAD_INPUT);
    mesh.nodes[2].y = NAN;
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "node 2 is at (");
    end();
}

TEST(unused_and_equal_nodes_are_noted_with_their_labels) {
    begin(2, 1);
    LitheTetMesh more = {0};
    CHECK(lithe_tet_mesh_allocate(context, 10, 5, 4, &more, NULL) == LITHE_OK);
    memcpy(more.nodes, mesh.nodes, 8 * sizeof(Vec3));
    memcpy(more.elements, mesh.elements, 20 * sizeof(int32_t));
    more.nodes[8] = v3(5, 5, 5);
    more.nodes[9] = v3_add(more.nodes[3], v3(1e-12, 0, 0));
    more.labels = lithe_alloc_array(context, 10, sizeof(int64_t));
    for (int i = 0; i < 10; i++)
        more.labels[i] = 100 + i;
    lithe_tet_mesh_destroy(context, &mesh);
    mesh = more;
    CHECK(check() == LITHE_OK);
    CHECK(report.unused_count == 2);
    CHECK(report.duplicate_count == 1);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 2);
    CHECK_TEXT(notes[0], "2 nodes belong to no element, the first is node 108 at (5, 5, 5) m");
    CHECK_TEXT(notes[1], "1 pairs of nodes");
    CHECK_TEXT(notes[1], "103 and 109");
    end();
}

/// Two corner tetrahedra with `shared` common nodes.
static void make_pair(int shared) {
    context = lithe_context_create(NULL);
    error = (LitheError){0};
    Vec3 x[8] = {v3(0, 0, 0),  v3(0, 0, 1),  v3(1, 0, 0), v3(0, 1, 0),
                 v3(-1, 0, 0), v3(0, -1, 0), v3(0, 0, 0), v3(0, 0, 1)};
    CHECK(lithe_tet_mesh_allocate(context, 8 - shared, 2, 4, &mesh, NULL) == LITHE_OK);
    memcpy(mesh.nodes, x, sizeof(Vec3) * (size_t)(8 - shared));
    int32_t node[8] = {0, 2, 3, 1, shared > 0 ? 0 : 6, 4, 5, shared > 1 ? 1 : 8 - shared - 1};
    memcpy(mesh.elements, node, sizeof node);
}

TEST(parts_and_hinges_are_counted) {
    make_pair(2);
    CHECK(check() == LITHE_OK);
    CHECK(report.part_count == 1);
    CHECK(report.hinge_count == 1);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 1);
    CHECK_TEXT(notes[0], "1 edges have more than two triangles");
    CHECK_TEXT(notes[0], "nodes 0 and 1 at (0, 0, 0) m");
    end();
    make_pair(0);
    CHECK(check() == LITHE_OK);
    CHECK(report.part_count == 2);
    CHECK(report.hinge_count == 0);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 2);
    CHECK_TEXT(notes[0], "2 parts");
    CHECK_TEXT(notes[1], "2 pairs of nodes are at the same place");
    end();
}

TEST(folded_quadratic_elements_are_refused) {
    begin(2, 1);
    LitheTetMesh fine = {0};
    CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL) == LITHE_OK);
    lithe_tet_mesh_destroy(context, &mesh);
    mesh = fine;
    CHECK(check() == LITHE_OK);
    // midpoints of two edges exchanged, as in a file of another order
    int32_t keep = mesh.elements[10 * 2 + 8];
    mesh.elements[10 * 2 + 8] = mesh.elements[10 * 2 + 9];
    mesh.elements[10 * 2 + 9] = keep;
    CHECK(check() == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "1 of 5 elements are folded");
    CHECK_TEXT(error.text, "the first is element 2");
    end();
}

TEST(a_mesh_in_millimetres_is_suspected) {
    begin(120, 1);
    CHECK(check() == LITHE_OK);
    CHECK(lithe_tet_report_notes(&mesh, &report, notes) == 1);
    CHECK_TEXT(notes[0], "it is 120 m x 120 m x 120 m large: if the file is in millimetres");
    CHECK_TEXT(notes[0], "scale: 0.001");
    end();
}

TEST(checking_survives_any_lack_of_memory) {
    begin(2, 2);
    LitheStatus status = LITHE_NO_MEMORY;
    for (int64_t n = 1; n < 50 && status; n++) {
        lithe_context_fail_at(context, n);
        status = check();
    }
    CHECK(status == LITHE_OK);
    lithe_context_fail_at(context, 0);
    end();
}
