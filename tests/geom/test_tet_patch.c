// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_tet_patch.c - groups of neighbouring tetrahedra

#include "base/memory.h"
#include "geom/tet_patch.h"

#include "test.h"

TEST(in_a_box_patches_are_the_cells) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTetMesh mesh = {0};
    FATAL(lithe_tet_mesh_box(context, v3(1, 2, 1), (int32_t[3]){4, 5, 3}, &mesh, NULL) == LITHE_OK);
    int32_t *patch = lithe_alloc_array(context, mesh.element_count, sizeof *patch);
    CHECK(lithe_tet_patches(context, &mesh, patch) == 4 * 5 * 3);
    for (int32_t e = 0; e < mesh.element_count; e++)
        CHECK(patch[e] == e / 5);
    lithe_free(context, patch);
    lithe_tet_mesh_destroy(context, &mesh);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// elements in random order: patches differ, but each has 3 to 9 elements and all are in one
TEST(in_a_shuffled_mesh_patches_have_similar_sizes) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTetMesh mesh = {0};
    TestRandom r = {1};
    FATAL(lithe_tet_mesh_box(context, v3(1, 1, 1), (int32_t[3]){6, 6, 6}, &mesh, NULL) == LITHE_OK);
    for (int32_t e = mesh.element_count - 1; e > 0; e--) {
        int32_t other = (int32_t)(test_random_bits(&r) % (uint64_t)(e + 1)), swap[4];
        memcpy(swap, mesh.elements + 4 * e, sizeof swap);
        memcpy(mesh.elements + 4 * e, mesh.elements + 4 * other, sizeof swap);
        memcpy(mesh.elements + 4 * other, swap, sizeof swap);
    }
    int32_t *patch = lithe_alloc_array(context, mesh.element_count, sizeof *patch);
    int32_t *size = lithe_alloc_array(context, mesh.element_count, sizeof *size);
    int32_t count = lithe_tet_patches(context, &mesh, patch), least = 99, most = 0;
    FATAL(count > 0);
    memset(size, 0, (size_t)mesh.element_count * sizeof *size);
    for (int32_t e = 0; e < mesh.element_count; e++) {
        FATAL(patch[e] >= 0 && patch[e] < count);
        size[patch[e]]++;
    }
    for (int32_t p = 0; p < count; p++) {
        least = size[p] < least ? size[p] : least;
        most = size[p] > most ? size[p] : most;
    }
    CHECK(least >= 3);
    CHECK(most <= 10);
    CHECK_NEAR((double)mesh.element_count / count, 5, 1);
    lithe_free(context, patch);
    lithe_free(context, size);
    lithe_tet_mesh_destroy(context, &mesh);
    lithe_context_destroy(context);
}
