// SPDX-License-Identifier: Apache-2.0
// model/build_surface.c - the surface of a soft solid: triangles to draw, nodes that touch
//
//     (S30)  the layer that is pressed in contact is 0.5 % of the smallest extent t of the solid; a
//            stiffness of its material acts in full on the area V/t, V its volume
// docs/theory/solids.md.

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>

// (S30)
#define CONTACT_LAYER 0.005

// a face with midpoints is drawn, and touches, as four triangles
static const int8_t face_parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

static void split_faces(const LitheTetSurface *faces, LitheSolid *solid) {
    int32_t parts = faces->nodes_per_triangle == 6 ? 4 : 1;
    for (int32_t i = 0; i < faces->triangle_count; i++) {
        const int32_t *face = faces->triangles + (int64_t)i * faces->nodes_per_triangle;
        for (int32_t k = 0; k < parts; k++)
            for (int c = 0; c < 3; c++)
                solid->triangles[3 * ((int64_t)parts * i + k) + c] =
                    face[parts == 1 ? c : face_parts[k][c]];
    }
}

// the share of each node in the area, and the longest edge
static void share_area(LitheSolid *solid) {
    const Vec3 *x = solid->mesh.nodes;
    for (int32_t i = 0; i < solid->triangle_count; i++) {
        const int32_t *t = solid->triangles + 3 * (int64_t)i;
        double area = 0.5 * v3_norm(v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]])));
        for (int c = 0; c < 3; c++) {
            solid->areas[t[c]] += area / 3;
            solid->longest_edge =
                fmax(solid->longest_edge, v3_distance(x[t[c]], x[t[(c + 1) % 3]]));
        }
    }
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        if (solid->areas[i] > 0)
            solid->surface[solid->surface_count++] = i;
}

// --- what touches --------------------------------------------------------------------------------

// areas of the triangles, and a list of those around each node
static void list_faces(LitheSurface *skin) {
    int64_t corners = 3 * (int64_t)skin->triangle_count;
    for (int32_t i = 0; i < skin->triangle_count; i++) {
        const int32_t *t = skin->triangles + 3 * (int64_t)i;
        Vec3 a = skin->rest[t[0]], b = skin->rest[t[1]], c = skin->rest[t[2]];
        skin->face_areas[i] = 0.5 * v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    }
    for (int64_t k = 0; k < corners; k++)
        skin->face_at[skin->triangles[k] + 1]++;
    for (int32_t i = 0; i < skin->node_count; i++)
        skin->face_at[i + 1] += skin->face_at[i];
    for (int64_t k = 0; k < corners; k++)
        skin->faces[skin->face_at[skin->triangles[k]]++] = (int32_t)(k / 3);
    // each start has become the start of the next node
    for (int32_t i = skin->node_count; i > 0; i--)
        skin->face_at[i] = skin->face_at[i - 1];
    skin->face_at[0] = 0;
}

// (W1) of a fine surface: its points at rest, and those that triangles have
static bool place_fine(LitheContext *context, const LitheTetMesh *mesh, LitheFineSurface *fine,
                       LitheSurface *skin) {
    fine->rest = lithe_alloc_array(context, fine->point_count, sizeof *fine->rest);
    fine->used = lithe_alloc_array(context, fine->point_count, sizeof *fine->used);
    if (!fine->rest || !fine->used)
        return false;
    for (int32_t i = 0; i < fine->point_count; i++)
        for (int k = 0; k < 4; k++)
            fine->rest[i] = v3_axpy(fine->places[i].weight[k], mesh->nodes[fine->places[i].node[k]],
                                    fine->rest[i]);
    for (int64_t k = 0; k < 3 * (int64_t)fine->triangle_count; k++)
        fine->used[fine->triangles[k]] = 1;
    for (int32_t i = 0; i < fine->point_count; i++)
        if (fine->used[i])
            fine->used[skin->used_count++] = i;
    return true;
}

static bool make_skin(LitheContext *context, bool sixes, LitheSolid *solid) {
    LitheSurface *skin = &solid->skin;
    LitheFineSurface *fine = &solid->fine;
    bool middles = skin->middles && sixes && !fine->touches;
    *skin = (LitheSurface){.triangles = solid->triangles,
                           .triangle_count = solid->triangle_count,
                           .rest = solid->mesh.nodes,
                           .node_count = solid->mesh.node_count,
                           .used = solid->surface,
                           .used_count = solid->surface_count,
                           .middles = middles};
    if (fine->touches) {
        *skin = (LitheSurface){.triangles = fine->triangles,
                               .triangle_count = fine->triangle_count,
                               .node_count = fine->point_count};
        if (!place_fine(context, &solid->mesh, fine, skin))
            return false;
        skin->rest = fine->rest;
        skin->used = fine->used;
    }
    double thin = fmin(solid->extent.x, fmin(solid->extent.y, solid->extent.z));
    int64_t corners = 3 * (int64_t)skin->triangle_count;
    skin->layer = CONTACT_LAYER * thin;
    skin->whole = solid->volume / thin;
    skin->face_at =
        lithe_alloc_array(context, skin->node_count + (int64_t)1, sizeof *skin->face_at);
    skin->faces = lithe_alloc_array(context, corners, sizeof *skin->faces);
    skin->face_areas = lithe_alloc_array(context, skin->triangle_count, sizeof *skin->face_areas);
    solid->touch_radius = lithe_alloc_array(context, skin->used_count, sizeof *solid->touch_radius);
    if (!skin->face_at || !skin->faces || !skin->face_areas || !solid->touch_radius)
        return false;
    list_faces(skin);
    return true;
}

static bool reserve(LitheContext *context, LitheSolid *solid) {
    int64_t nodes = solid->mesh.node_count, corners = 3 * (int64_t)solid->triangle_count;
    solid->triangles = lithe_alloc_array(context, corners, sizeof *solid->triangles);
    solid->surface = lithe_alloc_array(context, nodes, sizeof *solid->surface);
    solid->areas = lithe_alloc_array(context, nodes, sizeof *solid->areas);
    return solid->triangles && solid->surface && solid->areas;
}

LitheStatus lithe_build_surface(LitheContext *context, LitheSolid *solid, LitheError *error) {
    LitheTetSurface faces = {0};
    LitheStatus status = lithe_tet_mesh_surface(context, &solid->mesh, &faces, error);
    if (status != LITHE_OK)
        return status;
    solid->triangle_count = faces.triangle_count * (faces.nodes_per_triangle == 6 ? 4 : 1);
    bool made = reserve(context, solid);
    if (made) {
        split_faces(&faces, solid);
        share_area(solid);
        made = make_skin(context, faces.nodes_per_triangle == 6, solid);
    }
    if (!made)
        status = lithe_fail_memory(error, "the surface of a solid");
    lithe_tet_surface_destroy(context, &faces);
    return status;
}
