// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_mesh_file.c - STL and OBJ: what is read, what is refused and where

#include "test.h"

#include "base/memory.h"
#include "geom/mesh_file.h"

#include <unistd.h>

static const char tetrahedron_stl[] = "solid tip\n"
                                      "facet normal 0 0 -1\n outer loop\n  vertex 0 0 0\n"
                                      "  vertex 0 1 0\n  vertex 1 0 0\n endloop\nendfacet\n"
                                      "facet normal 0 0 0\n outer loop\n  vertex 0 0 0\n"
                                      "  vertex 1 0 0\n  vertex 0 0 1\n endloop\nendfacet\n"
                                      "FACET NORMAL 0 0 0\n OUTER LOOP\n VERTEX 0 0 0\n"
                                      "  vertex 0 0 1\r\n  vertex -0.0 1e0 0\n endloop\nendfacet\n"
                                      "facet normal 0 0 0\n outer loop\n  vertex 1 0 0\n"
                                      "  vertex 0 1 0\n  vertex 0 0 1\n endloop\nendfacet\n"
                                      "endsolid tip\n";

typedef struct Outcome {
    LitheStatus status;
    LitheError error;
    int32_t points, triangles;
    double volume; // of the solid that the triangles bound
} Outcome;

static double volume_of(const LitheMeshFile *mesh) {
    double six = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *k = mesh->triangles + 3 * t;
        six += v3_dot(mesh->points[k[0]], v3_cross(mesh->points[k[1]], mesh->points[k[2]]));
    }
    return six / 6;
}

static Outcome parse_bytes(const char *bytes, size_t length, const char *name) {
    LitheContext *context = lithe_context_create(NULL);
    Outcome got = {0};
    LitheMeshFile mesh = {0};
    got.status = lithe_mesh_file_parse(context, bytes, length, name, &mesh, &got.error);
    got.points = mesh.point_count;
    got.triangles = mesh.triangle_count;
    got.volume = volume_of(&mesh);
    lithe_mesh_file_free(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return got;
}

static Outcome parse(const char *text, const char *name) {
    return parse_bytes(text, strlen(text), name);
}

/// A binary STL of the same tetrahedron; returns its length.
static size_t binary_tetrahedron(char *bytes) {
    static const float corners[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                                        {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                        {0, 0, 0, 0, 0, 1, 0, 1, 0},
                                        {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memset(bytes, 0, 84 + 4 * 50);
    memcpy(bytes, "solid but binary", 16);
    bytes[80] = 4;
    for (int t = 0; t < 4; t++)
        memcpy(bytes + 84 + 50 * t + 12, corners[t], 36); // little-endian machines only
    return 84 + 4 * 50;
}

TEST(text_stl_gives_a_closed_solid_with_merged_corners) {
    Outcome got = parse(tetrahedron_stl, "a.STL");
    CHECK(got.status == LITHE_OK);
    CHECK(got.points == 4);
    CHECK(got.triangles == 4);
    CHECK_NEAR(got.volume, 1.0 / 6, 1e-15);
}

TEST(binary_stl_that_begins_with_solid_is_binary) {
    char bytes[300];
    Outcome got = parse_bytes(bytes, binary_tetrahedron(bytes), "a.stl");
    CHECK(got.status == LITHE_OK);
    CHECK(got.points == 4);
    CHECK_NEAR(got.volume, 1.0 / 6, 1e-15);
}

TEST(binary_stl_is_refused_at_every_cut) {
    char bytes[300];
    size_t length = binary_tetrahedron(bytes);
    bytes[0] = 'x';
    for (size_t cut = 0; cut < length; cut++) {
        Outcome got = parse_bytes(bytes, cut, "a.stl");
        CHECK(got.status == LITHE_BAD_INPUT);
    }
    Outcome got = parse_bytes(bytes, length - 1, "a.stl");
    CHECK_TEXT(got.error.text, "a.stl: byte 80: binary STL of 4 triangles has 284 bytes, this file "
                               "has 283");
}

TEST(binary_stl_of_a_huge_count_takes_no_memory) {
    char bytes[300];
    size_t length = binary_tetrahedron(bytes);
    memset(bytes, 'x', 80);
    memset(bytes + 80, 0xff, 4);
    Outcome got = parse_bytes(bytes, length, "a.stl");
    CHECK(got.status == LITHE_BAD_INPUT);
    CHECK_TEXT(got.error.text, "4294967295 triangles");
}

TEST(binary_stl_with_nan_names_the_byte) {
    char bytes[300];
    size_t length = binary_tetrahedron(bytes);
    float nan_value = NAN;
    memcpy(bytes + 84 + 50 + 12 + 12, &nan_value, 4);
    Outcome got = parse_bytes(bytes, length, "a.stl");
    CHECK(got.status == LITHE_BAD_INPUT);
    CHECK_TEXT(got.error.text, "byte 158: corner 2 of triangle 2 is not a finite number");
}

TEST(text_stl_errors_name_the_line) {
    Outcome got = parse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0,5 0 0\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl:4: '0,5' has a comma");
    got = parse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 1 1\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl:4: the line ends where a number is expected");
    got = parse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl:4: 'nan' is not a number");
    got = parse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl:4: '1e999' is too large");
    got = parse("solid\nfacet normal 0 0 1\nouter loop\nendloop\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl:4: 'endloop' where 'vertex' is expected");
    got = parse("solid x\nfacet normal 0 0 1\n", "a.stl");
    CHECK_TEXT(got.error.text, "the file ends where 'outer' is expected");
    got = parse("solid x\nendsolid x\n", "a.stl");
    CHECK_TEXT(got.error.text, "a.stl: no triangles in it");
}

TEST(text_stl_is_refused_at_every_cut_before_its_last_word) {
    for (size_t cut = 0; cut < strlen(tetrahedron_stl) - 5; cut++) {
        Outcome got = parse_bytes(tetrahedron_stl, cut, "a.stl");
        bool whole = got.status == LITHE_OK;
        CHECK(!whole);
    }
}

TEST(obj_polygons_become_fans_and_indices_count_back) {
    Outcome got = parse("# cube\nmtllib x.mtl\no cube\n"
                        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                        "v 0 0 1 1.0\nv 1 0 1 0.5 0.5 0.5\nv 1 1 1\nv 0 1 1\nv 9 9 9\n"
                        "vt 0 0\nvn 0 0 1\ns off\nusemtl red\n"
                        "f 1/1/1 4/1/1 3/1/1 2/1/1\n"
                        "f -5 -4 -3 -2 # top\n"
                        "f 1//1 2//1 6//1 5//1\nf 2 3 7 6\nf 3 4 8 \\\n7\nf 4 1 5 8\n",
                        "cube.obj");
    CHECK(got.status == LITHE_OK);
    CHECK(got.points == 8); // the ninth is used by no face
    CHECK(got.triangles == 12);
    CHECK_NEAR(got.volume, 1, 1e-15);
}

TEST(obj_errors_name_the_line) {
    Outcome got = parse("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:3: face names point 3, and there are 2 up to here");
    got = parse("v 0 0 0\nf 0 1 1\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: face names point 0");
    got = parse("v 0 0 0\nf -2 1 1\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: face names point -2");
    got = parse("v 0 0 0\nf 99999999999999999999 1 1\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: face names point 99999999999999999999");
    got = parse("v 0 0 0\nf 1 1\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: a face of 2 points");
    got = parse("v 0 0 0\nf 1 1 x\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: 'x' is not the number of a point");
    got = parse("v 0 0\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:1: the line ends where a number is expected");
    got = parse("v 0 0 0\ncurv 1 2\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj:2: 'curv' is not a statement we know");
    got = parse_bytes("\x01\x02\x7f\xff\n", 5, "a.obj");
    CHECK_TEXT(got.error.text, "' is not a statement we know");
    got = parse("v 0 0 0\nf 1 1 1\n", "a.obj");
    CHECK_TEXT(got.error.text, "a.obj: no triangles in it");
}

TEST(other_endings_are_not_opened) {
    LitheContext *context = lithe_context_create(NULL);
    LitheMeshFile mesh = {0};
    LitheError error = {0};
    CHECK(lithe_mesh_file_read(context, "/etc/passwd", &mesh, &error) == LITHE_NOT_SUPPORTED);
    CHECK_TEXT(error.text, "/etc/passwd: meshes are read from .stl and .obj files only");
    CHECK(lithe_mesh_file_read(context, "/nowhere/a.stl", &mesh, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/nowhere/a.stl: cannot read: No such file or directory");
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing) {
    char path[] = "/tmp/lithe-mesh-XXXXXX.stl";
    int fd = mkstemps(path, 4);
    FATAL(fd >= 0);
    CHECK(write(fd, tetrahedron_stl, strlen(tetrahedron_stl)) == (ssize_t)strlen(tetrahedron_stl));
    close(fd);
    LitheContext *context = lithe_context_create(NULL);
    LitheStatus status = LITHE_NO_MEMORY;
    int n = 0;
    while (status == LITHE_NO_MEMORY && n < 100) {
        LitheMeshFile mesh = {0};
        LitheError error = {0};
        lithe_context_fail_at(context, ++n);
        status = lithe_mesh_file_read(context, path, &mesh, &error);
        CHECK(status == LITHE_OK || mesh.points == NULL);
        lithe_context_fail_at(context, 0);
        lithe_mesh_file_free(context, &mesh);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(status == LITHE_OK);
    CHECK(n > 3);
    lithe_context_destroy(context);
    unlink(path);
}
