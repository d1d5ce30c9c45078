// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_file.c - VTK, gmsh and TetGen: what is read, what is refused and where;
// damaged files

#include "geom/tet_files.h"
#include "test.h"

#include "base/memory.h"
#include "geom/tet_check.h"
#include "geom/tet_file.h"

#include <math.h>
#include <unistd.h>

static LitheContext *context;
static LitheTetMesh source;
static LitheError error;
static Bytes file, more;

static void begin(bool quadratic) {
    context = lithe_context_create(NULL);
    error = (LitheError){0};
    LitheTetMesh mesh = {0};
    CHECK(lithe_tet_mesh_box(context, v3(0.1, 0.2, 0.3), (int32_t[3]){1, 2, 1}, &mesh, NULL) ==
          LITHE_OK);
    if (quadratic) {
        CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &source, NULL) == LITHE_OK);
        lithe_tet_mesh_destroy(context, &mesh);
    } else {
        source = mesh;
    }
}

static void end(void) {
    lithe_tet_mesh_destroy(context, &source);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static LitheStatus parse(const char *name, LitheTetMesh *mesh, LitheTetFileInfo *info) {
    *mesh = (LitheTetMesh){0};
    return lithe_tet_file_parse(context, file.data, file.length, more.data, more.length, name, mesh,
                                info, &error);
}

static LitheStatus parse_text(const char *text, const char *name) {
    LitheTetMesh mesh = {0};
    LitheStatus status = lithe_tet_file_parse(context, text, strlen(text), more.data, more.length,
                                              name, &mesh, NULL, &error);
    CHECK(status == LITHE_OK || mesh.nodes == NULL);
    lithe_tet_mesh_destroy(context, &mesh);
    return status;
}

static void check_same(const char *name, int64_t base, int64_t step) {
    LitheTetMesh mesh;
    LitheTetFileInfo info;
    if (!CHECK(parse(name, &mesh, &info) == LITHE_OK)) {
        printf("  %s\n", error.text);
        return;
    }
    CHECK(mesh.nodes_per_element == source.nodes_per_element);
    if (CHECK(mesh.node_count == source.node_count)) {
        for (int32_t i = 0; i < mesh.node_count; i++) {
            CHECK(v3_distance(mesh.nodes[i], source.nodes[i]) == 0);
            CHECK(mesh.labels[i] == base + step * i);
        }
    }
    if (CHECK(mesh.element_count == source.element_count))
        CHECK(memcmp(mesh.elements, source.elements,
                     sizeof(int32_t) * (size_t)(mesh.element_count * mesh.nodes_per_element)) == 0);
    CHECK(info.unused_count == 0);
    lithe_tet_mesh_destroy(context, &mesh);
}

static void check_gmsh_sets(void) {
    LitheTetMesh mesh;
    LitheTetFileInfo info;
    FATAL(parse("a.msh", &mesh, &info) == LITHE_OK);
    CHECK(info.other_count == 1);
    const LitheTetSet *lid = lithe_tet_mesh_find_set(&mesh, "lid");
    const LitheTetSet *all = lithe_tet_mesh_find_set(&mesh, "all of it");
    CHECK(mesh.set_count == 2);
    CHECK(lid && lid->count == 3);
    CHECK(all && all->count == mesh.node_count);
    lithe_tet_mesh_destroy(context, &mesh);
}

TEST(vtk_files_of_all_kinds_give_the_same_mesh) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        begin(quadratic);
        for (int kind = 0; kind < 4; kind++) {
            write_vtk(&file, &source, kind / 2 ? 5 : 3, kind % 2 ? BIG : TEXT);
            check_same("a.VTK", 0, 1);
        }
        end();
    }
}

TEST(gmsh_files_of_all_kinds_give_the_same_mesh_and_sets) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        begin(quadratic);
        for (Coding coding = TEXT; coding <= BIG; coding++) {
            write_msh2(&file, &source, coding);
            check_same("a.msh", 10, 3);
            check_gmsh_sets();
            write_msh4(&file, &source, coding);
            check_same("a.msh", 10, 3);
            check_gmsh_sets();
        }
        end();
    }
}

// the number of nodes of a set at x, and whether all its nodes are there
static int32_t count_at(const LitheTetMesh *mesh, const char *name, double x) {
    const LitheTetSet *set = lithe_tet_mesh_find_set(mesh, name);
    for (int32_t i = 0; set && i < set->count; i++)
        if (!(fabs(mesh->nodes[set->nodes[i]].x - x) < 1e-12))
            return -1;
    return set ? set->count : -2;
}

// tests/geom/gmsh: a box of 3 x 1 x 1 m
TEST(files_that_gmsh_wrote_are_read_with_groups_and_labels) {
    for (int kind = 0; kind < 8; kind++) {
        char path[300];
        LitheTetMesh mesh = {0};
        LitheTetFileInfo info;
        bool quadratic = kind / 4;
        context = lithe_context_create(NULL);
        snprintf(path, sizeof path, LITHE_SOURCE_DIR "/tests/geom/gmsh/bar-%d-%s-%d.msh",
                 kind % 2 ? 4 : 2, kind / 2 % 2 ? "binary" : "text", quadratic + 1);
        if (CHECK(lithe_tet_file_read(context, path, &mesh, &info, &error) == LITHE_OK)) {
            CHECK_NEAR(lithe_tet_mesh_volume(&mesh), 3, 1e-12);
            CHECK(mesh.element_count == 12 && mesh.node_count == (quadratic ? 39 : 10));
            CHECK(mesh.nodes_per_element == (quadratic ? 10 : 4) && info.unused_count == 0);
            for (int32_t i = 0; !quadratic && i < mesh.node_count; i++) // 2.2 counts again
                CHECK(kind % 2 == 0 ? mesh.labels[i] == i + 1
                                    : mesh.labels[i] >= 930 && (1000 - mesh.labels[i]) % 7 == 0);
            // four corners of each end, its middle, and the middles of 8 edges
            CHECK(mesh.set_count == 3);
            CHECK(count_at(&mesh, "wall", 0) == (quadratic ? 13 : 5));
            CHECK(count_at(&mesh, "end", 3) == (quadratic ? 13 : 5));
            const LitheTetSet *all = lithe_tet_mesh_find_set(&mesh, "bar");
            CHECK(all && all->count == mesh.node_count);
        } else {
            printf("  %s\n", error.text);
        }
        lithe_tet_mesh_destroy(context, &mesh);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
}

TEST(tetgen_counts_from_zero_or_one_and_sorts_midpoints) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        begin(quadratic);
        for (int base = 0; base < 2; base++) {
            write_tetgen(&more, &file, &source, base);
            check_same("a.1.ele", base, 1);
            LitheTetMesh mesh;
            FATAL(parse("a.1.node", &mesh, NULL) == LITHE_OK);
            CHECK(mesh.set_count == 2);
            CHECK(lithe_tet_mesh_find_set(&mesh, "marker-4")->count == 1);
            CHECK(lithe_tet_mesh_find_set(&mesh, "region-2")->count == mesh.node_count);
            lithe_tet_mesh_destroy(context, &mesh);
        }
        end();
    }
}

TEST(nodes_without_tetrahedra_are_left_out_and_counted) {
    begin(false);
    file.length = 0;
    put(&file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n9 5 5 5\n1 0 0 0\n2 1 0 0\n"
               "77 8 8 8\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
               "$Elements\n2\n1 15 2 3 1 9\n2 4 2 0 1 1 2 3 4\n$EndElements\n");
    LitheTetMesh mesh;
    LitheTetFileInfo info;
    FATAL(parse("a.msh", &mesh, &info) == LITHE_OK);
    CHECK(mesh.node_count == 4);
    CHECK(info.unused_count == 2);
    CHECK(info.unused == 9);
    CHECK(mesh.labels[0] == 1);
    // a group of a node that was left out is an empty set
    CHECK(lithe_tet_mesh_find_set(&mesh, "point-3")->count == 0);
    CHECK_NEAR(lithe_tet_mesh_volume(&mesh), 1.0 / 6, 1e-16);
    lithe_tet_mesh_destroy(context, &mesh);
    end();
}

TEST(node_numbers_may_be_any_64_bit_integers) {
    begin(false);
    file.length = 0;
    put(&file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n-9223372036854775808 0 0 0\n"
               "9223372036854775807 1 0 0\n0 0 1 0\n-1 0 0 1\n$EndNodes\n$Elements\n1\n"
               "1 4 0 -9223372036854775808 9223372036854775807 0 -1\n$EndElements\n");
    LitheTetMesh mesh;
    FATAL(parse("a.msh", &mesh, NULL) == LITHE_OK);
    CHECK(mesh.labels[0] == INT64_MIN);
    CHECK(mesh.labels[1] == INT64_MAX);
    CHECK_NEAR(lithe_tet_mesh_volume(&mesh), 1.0 / 6, 1e-16);
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(parse_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n9223372036854775808 0 0 0\n",
                     "a.msh") == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.msh:6: '9223372036854775808' does not fit into 64 bits");
    end();
}

TEST(wrong_files_are_refused_with_line_and_reason) {
    begin(false);
    static const char vtk[] = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
    static const char msh[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    static const struct {
        const char *name, *head, *text, *message;
    } cases[] = {
        {"a.vtk", "", "solid x\n", "a.vtk:1: a legacy VTK file begins with"},
        {"a.vtk", vtk, "POINTS 2 double\n0 0 0 1 0 x\n", "a.vtk:6: 'x' is not a number"},
        {"a.vtk", vtk, "POINTS 90 float\n0 0 0\n", "a.vtk:5: 90 points need 540 bytes at least"},
        {"a.vtk", vtk, "POINTS -1 float\n0 0 0\n", "-1 points, must be 0 to"},
        {"a.vtk", vtk, "POINTS 1 int\n0 0 0\n", "'int' is not a type of coordinates"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 0\n", "before CELL_TYPES"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 1\nCELL_TYPES 1\n10\n",
         "tetrahedron 0 (counted from 0) has node 1, which"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 5\n9 0 0 0 1\nCELL_TYPES 1\n10\n",
         "cell 0 has 9 nodes, only 4 numbers of the announced 5 are left"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n",
         "cell 0 is of type 10 and has 3 nodes, must be 4"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 9\n8 0 0 0 0 0 0 0 0\nCELL_TYPES 1\n12\n",
         "of volumes only tetrahedra (10, 24) are read"},
        {"a.vtk", vtk, "POINTS 1 float\n0 0 0\nCELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n5\n",
         "no tetrahedra in it (1 other elements)"},
        {"a.msh", "", "$MeshFormat\n4.0 0 8\n", "a.msh:2: version 4.0: only 2.x and 4.1 are read"},
        {"a.msh", msh, "$Nodes\n1\n1 0 0 0\n", "the file ends where '$endnodes' is expected"},
        {"a.msh", msh,
         "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 1\n"
         "$EndElements\n",
         "node 1 is defined twice"},
        {"a.msh", msh, "$Elements\n1\n1 5 0 1 1 1 1 1 1 1 1\n", "element type 5 with 8 nodes"},
        {"a.msh", msh, "$Elements\n2\n1 4 0 1 1 1 1\n2 11 0 1 1 1 1 1 1 1 1 1 1\n",
         "a.msh:7: a tetrahedron of 10 nodes after those of 4"},
        {"a.msh", msh, "$PhysicalNames\n1\n2 1 lid\n", "has to be in quotes"},
        {"a.msh", msh, "$Comments\nx\n", "the file ends before $EndComments"},
        {"a.obj", "", "v 0 0 0\n", "a.obj: tetrahedra are read from .vtk, .msh, .node and .ele"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", cases[i].head, cases[i].text);
        CHECK(parse_text(text, cases[i].name) != LITHE_OK);
        CHECK_TEXT(error.text, cases[i].message);
    }
    more.length = (size_t)snprintf(more.data, 100, "1 2 0 0\n");
    CHECK(parse_text("1 4 0\n1 1 1 1 1\n", "a.ele") == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.node:1: the head says 2 dimensions");
    more.length = (size_t)snprintf(more.data, 100, "1 3 0 0\n1 0 0 0\n");
    CHECK(parse_text("1 5 0\n1 1 1 1 1\n", "a.node") == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.ele:1: the head says 5 nodes per tetrahedron");
    end();
}

TEST(too_many_groups_are_refused) {
    begin(false);
    file.length = 0;
    put(&file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n300\n");
    for (int i = 0; i < 300; i++)
        put(&file, "2 %d \"a%d\"\n", i + 1, i);
    LitheTetMesh mesh;
    CHECK(parse("a.msh", &mesh, NULL) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.msh:262: more than 256 groups");
    end();
}

// --- damage --------------------------------------------------------------------------------------

static void parse_damaged(const char *name) {
    LitheTetMesh mesh;
    error = (LitheError){0};
    LitheStatus status = parse(name, &mesh, NULL);
    if (status) {
        CHECK(error.text[0] != 0);
        CHECK(mesh.nodes == NULL);
    } else {
        LitheTetReport report;
        lithe_tet_mesh_check(context, &mesh, &report, &error);
    }
    lithe_tet_mesh_destroy(context, &mesh);
}

static void write_kind(int kind) {
    if (kind < 4)
        write_vtk(&file, &source, kind / 2 ? 5 : 3, kind % 2 ? BIG : TEXT);
    else if (kind < 6)
        write_msh2(&file, &source, kind == 5 ? LITTLE : TEXT);
    else if (kind < 8)
        write_msh4(&file, &source, kind == 7 ? LITTLE : TEXT);
    else
        write_tetgen(&more, &file, &source, 1);
}

TEST(files_cut_anywhere_or_with_changed_bytes_do_no_harm) {
    TestRandom random = {11};
    begin(false);
    for (int kind = 0; kind < 9; kind++) {
        const char *name = kind < 4 ? "a.vtk" : kind < 8 ? "a.msh" : "a.ele";
        write_kind(kind);
        size_t length = file.length;
        for (size_t cut = 0; cut < length; cut += 1 + cut / 200) {
            file.length = cut;
            parse_damaged(name);
        }
        for (int round = 0; round < 300; round++) {
            write_kind(kind);
            for (int k = 0; k < 3; k++)
                file.data[test_random_bits(&random) % file.length] =
                    (char)(round % 2 ? '0' + test_random_bits(&random) % 10
                                     : test_random_bits(&random));
            parse_damaged(name);
        }
    }
    end();
}

TEST(a_cut_file_is_refused) {
    begin(false);
    for (int kind = 0; kind < 9; kind++) {
        LitheTetMesh mesh;
        write_kind(kind);
        file.length = file.length * 7 / 10;
        CHECK(parse(kind < 4   ? "a.vtk"
                    : kind < 8 ? "a.msh"
                               : "a.ele",
                    &mesh, NULL) == LITHE_BAD_INPUT);
    }
    end();
}

TEST(reading_survives_any_lack_of_memory) {
    begin(false);
    for (int kind = 0; kind < 9; kind += 2) {
        LitheStatus status = LITHE_NO_MEMORY;
        int64_t n = 1;
        write_kind(kind);
        for (; n < 300 && status; n++) {
            LitheTetMesh mesh;
            lithe_context_fail_at(context, n);
            status = parse(kind < 4 ? "a.vtk" : kind < 8 ? "a.msh" : "a.ele", &mesh, NULL);
            lithe_context_fail_at(context, 0);
            lithe_tet_mesh_destroy(context, &mesh);
        }
        CHECK(status == LITHE_OK);
        CHECK(n > 8);
    }
    end();
}

TEST(both_files_of_tetgen_are_found_by_either_name) {
    begin(false);
    char path[64], other[80];
    snprintf(path, sizeof path, "/tmp/lithe-tet-%d.1.node", (int)getpid());
    snprintf(other, sizeof other, "/tmp/lithe-tet-%d.1.ele", (int)getpid());
    write_tetgen(&more, &file, &source, 1);
    FILE *nodes = fopen(path, "wb"), *elements = fopen(other, "wb");
    FATAL(nodes && elements);
    fwrite(more.data, 1, more.length, nodes);
    fwrite(file.data, 1, file.length, elements);
    fclose(nodes);
    fclose(elements);
    for (int k = 0; k < 2; k++) {
        LitheTetMesh mesh = {0};
        CHECK(lithe_tet_file_read(context, k ? path : other, &mesh, NULL, &error) == LITHE_OK);
        CHECK(mesh.element_count == source.element_count);
        lithe_tet_mesh_destroy(context, &mesh);
    }
    unlink(other);
    LitheTetMesh mesh = {0};
    CHECK(lithe_tet_file_read(context, path, &mesh, NULL, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, ".1.ele: cannot read: No such file");
    unlink(path);
    end();
}
