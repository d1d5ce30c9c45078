// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_mesh.c - tetrahedral meshes: box, surface, volume, quadratic elements

#include "test.h"

#include "base/memory.h"
#include "geom/tet_mesh.h"

static LitheContext *context;

static LitheTetMesh make_box(int32_t nx, int32_t ny, int32_t nz) {
    context = lithe_context_create(NULL);
    LitheTetMesh mesh = {0};
    int32_t divisions[3] = {nx, ny, nz};
    CHECK(lithe_tet_mesh_box(context, v3(0.3, 0.2, 0.5), divisions, &mesh, NULL) == LITHE_OK);
    return mesh;
}

static void end(LitheTetMesh *mesh) {
    lithe_tet_mesh_destroy(context, mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// twice the directed area of all triangles, and the volume that they bound
static double surface_volume(const LitheTetMesh *mesh, const LitheTetSurface *surface, Vec3 *area) {
    double six = 0;
    *area = v3(0, 0, 0);
    for (int32_t t = 0; t < surface->triangle_count; t++) {
        const int32_t *k = surface->triangles + surface->nodes_per_triangle * t;
        Vec3 a = mesh->nodes[k[0]], b = mesh->nodes[k[1]], c = mesh->nodes[k[2]];
        *area = v3_add(*area, v3_cross(v3_sub(b, a), v3_sub(c, a)));
        six += v3_dot(a, v3_cross(b, c));
    }
    return six / 6;
}

TEST(box_has_positive_elements_that_fill_it) {
    LitheTetMesh mesh = make_box(3, 4, 5);
    CHECK(mesh.node_count == 4 * 5 * 6);
    CHECK(mesh.element_count == 5 * 3 * 4 * 5);
    for (int32_t e = 0; e < mesh.element_count; e++)
        CHECK(lithe_tet_mesh_element_volume(&mesh, e) > 0);
    CHECK_NEAR(lithe_tet_mesh_volume(&mesh), 0.3 * 0.2 * 0.5, 1e-15);
    end(&mesh);
}

TEST(faces_of_neighbouring_cells_agree) {
    // if diagonals did not agree, faces inside of the box would belong to one element only
    LitheTetMesh mesh = make_box(3, 4, 5);
    LitheTetSurface surface = {0};
    CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, NULL) == LITHE_OK);
    CHECK(surface.triangle_count == 2 * 2 * (3 * 4 + 4 * 5 + 3 * 5));
    lithe_tet_surface_destroy(context, &surface);
    end(&mesh);
}

TEST(surface_is_closed_and_outward) {
    LitheTetMesh mesh = make_box(2, 3, 1);
    LitheTetSurface surface = {0};
    CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, NULL) == LITHE_OK);
    Vec3 area;
    CHECK_NEAR(surface_volume(&mesh, &surface, &area), 0.03, 1e-16);
    CHECK_NEAR(v3_norm(area), 0, 1e-16);
    for (int32_t t = 0; t < surface.triangle_count; t++) {
        const int32_t *node = mesh.elements + 4 * surface.elements[t];
        for (int k = 0; k < 3; k++) {
            int32_t corner = surface.triangles[3 * t + k];
            CHECK(corner == node[0] || corner == node[1] || corner == node[2] || corner == node[3]);
        }
    }
    lithe_tet_surface_destroy(context, &surface);
    end(&mesh);
}

TEST(box_with_even_divisions_is_symmetric) {
    // mirrored in the plane x = 0, each element is an element again
    LitheTetMesh mesh = make_box(2, 2, 2);
    int found = 0;
    for (int32_t e = 0; e < mesh.element_count; e++) {
        int32_t image[4];
        for (int k = 0; k < 4; k++) {
            int32_t i = mesh.elements[4 * e + k];
            image[k] = i - i % 3 + 2 - i % 3;
        }
        for (int32_t f = 0; f < mesh.element_count; f++) {
            int same = 0;
            for (int k = 0; k < 16; k++)
                same += mesh.elements[4 * f + k / 4] == image[k % 4];
            found += same == 4;
        }
    }
    CHECK(found == mesh.element_count);
    end(&mesh);
}

TEST(box_sets_are_its_faces) {
    LitheTetMesh mesh = make_box(3, 4, 5);
    CHECK(mesh.set_count == 6);
    const LitheTetSet *top = lithe_tet_mesh_find_set(&mesh, "z-max");
    FATAL(top != NULL);
    CHECK(top->count == 4 * 5);
    for (int32_t i = 0; i < top->count; i++)
        CHECK_NEAR(mesh.nodes[top->nodes[i]].z, 0.25, 1e-16);
    CHECK(lithe_tet_mesh_find_set(&mesh, "x-min")->count == 5 * 6);
    CHECK(lithe_tet_mesh_find_set(&mesh, "top") == NULL);
    end(&mesh);
}

TEST(quadratic_elements_keep_volume_corners_and_faces) {
    LitheTetMesh mesh = make_box(3, 4, 5), fine = {0};
    CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL) == LITHE_OK);
    CHECK(fine.nodes_per_element == 10);
    CHECK(fine.element_count == mesh.element_count);
    CHECK_NEAR(lithe_tet_mesh_volume(&fine), 0.03, 1e-15);
    for (int32_t i = 0; i < mesh.node_count; i++)
        CHECK(v3_distance(mesh.nodes[i], fine.nodes[i]) == 0);
    LitheTetSurface surface = {0};
    CHECK(lithe_tet_mesh_surface(context, &fine, &surface, NULL) == LITHE_OK);
    CHECK(surface.nodes_per_triangle == 6);
    for (int32_t t = 0; t < surface.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t *node = surface.triangles + 6 * t;
            Vec3 middle = v3_mix(fine.nodes[node[k]], fine.nodes[node[(k + 1) % 3]], 0.5);
            CHECK_NEAR(v3_distance(middle, fine.nodes[node[3 + k]]), 0, 1e-16);
        }
    lithe_tet_surface_destroy(context, &surface);
    // Euler: nodes + edges of a face mesh of 3 x 4 cells
    CHECK(lithe_tet_mesh_find_set(&fine, "z-max")->count == 4 * 5 + (3 * 5 + 4 * 4 + 3 * 4));
    lithe_tet_mesh_destroy(context, &fine);
    end(&mesh);
}

TEST(curved_elements_have_the_volume_of_their_map) {
    // x -> (x, y, z + x^2 / 2) is quadratic: isoparametric elements represent it without error,
    // and it keeps volumes; x -> x (1 + y) with det 1 + y does not
    LitheTetMesh mesh = make_box(2, 2, 2), fine = {0};
    CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL) == LITHE_OK);
    for (int32_t i = 0; i < fine.node_count; i++) {
        Vec3 x = fine.nodes[i];
        fine.nodes[i] = v3(x.x * (1 + x.y), x.y, x.z + 0.5 * x.x * x.x);
    }
    for (int32_t e = 0; e < fine.element_count; e++) {
        // the mean of 1 + y over a straight element is its value at the centre
        double y = 0;
        for (int k = 0; k < 4; k++)
            y += mesh.nodes[fine.elements[10 * e + k]].y / 4;
        CHECK_NEAR(lithe_tet_mesh_element_volume(&fine, e),
                   (1 + y) * lithe_tet_mesh_element_volume(&mesh, e), 1e-17);
    }
    lithe_tet_mesh_destroy(context, &fine);
    end(&mesh);
}

TEST(midpoints_inside_follow_sets_with_nodes_inside_only) {
    LitheTetMesh mesh = make_box(2, 2, 2), fine = {0};
    bool member[27];
    for (int i = 0; i < 27; i++)
        member[i] = true;
    CHECK(lithe_tet_mesh_add_set(context, &mesh, "all", member, NULL) == LITHE_OK);
    member[13] = false; // the only node inside
    CHECK(lithe_tet_mesh_add_set(context, &mesh, "skin", member, NULL) == LITHE_OK);
    CHECK(lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL) == LITHE_OK);
    CHECK(lithe_tet_mesh_find_set(&fine, "all")->count == fine.node_count);
    // a closed surface of 48 triangles has 72 edges
    CHECK(lithe_tet_mesh_find_set(&fine, "skin")->count == 26 + 72);
    lithe_tet_mesh_destroy(context, &fine);
    end(&mesh);
}

TEST(a_face_of_three_elements_is_refused_with_its_numbers) {
    LitheTetMesh mesh = make_box(1, 1, 1);
    for (int k = 0; k < 4; k++)
        mesh.elements[16 + k] = mesh.elements[k];
    LitheTetSurface surface = {0};
    LitheError error = {0};
    CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "element 4 overlaps element 0: its face of the nodes ");
    CHECK_TEXT(error.text, "same side");
    // on the other side, after an element that is there already
    for (int k = 0; k < 4; k++)
        mesh.elements[16 + k] = mesh.elements[4 + k];
    mesh.elements[16] = mesh.elements[5];
    mesh.elements[17] = mesh.elements[4];
    CHECK(lithe_tet_mesh_surface(context, &mesh, &surface, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "belongs to two other elements already");
    CHECK(surface.triangles == NULL);
    end(&mesh);
}

TEST(bad_boxes_are_refused_with_axis_and_value) {
    LitheError error = {0};
    context = lithe_context_create(NULL);
    LitheTetMesh mesh = {0};
    CHECK(lithe_tet_mesh_box(context, v3(1, -2, 1), (int32_t[3]){1, 1, 1}, &mesh, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "size along y is -2 m");
    CHECK(lithe_tet_mesh_box(context, v3(1, 2, 1), (int32_t[3]){1, 1, 0}, &mesh, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "divisions along z are 0");
    CHECK(lithe_tet_mesh_box(context, v3(1, 2, 1), (int32_t[3]){40000, 40000, 40000}, &mesh,
                             &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "320000000000000 elements");
    CHECK(mesh.nodes == NULL);
    end(&mesh);
}

TEST(lack_of_memory_at_any_call_leaks_nothing) {
    context = lithe_context_create(NULL);
    LitheStatus status = LITHE_NO_MEMORY;
    for (int64_t n = 1; n < 200 && status; n++) {
        LitheTetMesh mesh = {0}, fine = {0};
        LitheTetSurface surface = {0};
        lithe_context_fail_at(context, n);
        status = lithe_tet_mesh_box(context, v3(1, 1, 1), (int32_t[3]){1, 2, 1}, &mesh, NULL);
        status = status ? status : lithe_tet_mesh_to_quadratic(context, &mesh, &fine, NULL);
        status = status ? status : lithe_tet_mesh_surface(context, &fine, &surface, NULL);
        lithe_tet_surface_destroy(context, &surface);
        lithe_tet_mesh_destroy(context, &fine);
        lithe_tet_mesh_destroy(context, &mesh);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(status == LITHE_OK);
    lithe_context_fail_at(context, 0);
    lithe_context_destroy(context);
}
