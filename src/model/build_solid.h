// SPDX-License-Identifier: Apache-2.0
// model/build_solid.h - meshes and elements of soft solids

#ifndef LITHE_MODEL_BUILD_SOLID_H
#define LITHE_MODEL_BUILD_SOLID_H

#include "math/quat.h"
#include "model/compile.h"

/// Pairs a >= b of the nodes of an element.
static inline int32_t lithe_solid_pairs(const LitheSolid *solid) {
    int32_t width = solid->mesh.nodes_per_element;
    return width * (width + 1) / 2;
}

/// Tetrahedra and groups in the frame of the mesh, and the fine surface. Refused, with the place in
/// the scene file: meshes that lithe_tet_mesh_check, lithe_tet_shape_mesh and lithe_tet_fill
/// refuse.
LitheStatus lithe_build_solid_mesh(const LitheScene *scene, const LitheSolidDef *def,
                                   LitheSolid *solid, LitheError *error);

/// The surface of a def with the mesh that was made from it.
LitheStatus lithe_build_fine(LitheContext *context, const char *name,
                             const LitheSolidMeshDef *surface, const LitheTetMesh *mesh,
                             LitheFineSurface *out, LitheError *error);
void lithe_fine_free(LitheContext *context, LitheFineSurface *fine);

/// Gradients of shape functions, volumes and masses, after the pattern. Refused: an element of no
/// or negative volume, by its number and place.
LitheStatus lithe_build_elements(const LitheScene *scene, const LitheSolidDef *def,
                                 LitheSolid *solid, LitheError *error);

/// Place of a quadrature point of an element, of `points` points.
Vec3 lithe_element_point(const LitheTetMesh *mesh, int32_t element, int32_t points, int32_t point);

/// (W9) The consistent mass of a solid with riders.
void lithe_lump_welded(LitheSolid *solid);

/// Surface of a solid, for drawing and contact; after its volume.
LitheStatus lithe_build_surface(LitheContext *context, LitheSolid *solid, LitheError *error);

/// The same at other positions of the nodes, in the memory of the first call.
LitheStatus lithe_fill_elements(const LitheScene *scene, const LitheSolidDef *def,
                                LitheSolid *solid, LitheError *error);

/// `rest: loaded`: moves the nodes of the mesh to a shape at rest for which the mesh is in balance;
/// solid->start gets the mesh. After holds, forces and drives. Refused: a solid that nothing holds,
/// a search that does not converge.
LitheStatus lithe_build_rest(const LitheScene *scene, const LitheSolidDef *def,
                             LitheMembers *members, LitheSolid *solid, LitheError *error);

/// Volumes at rest of patches, after the nodes moved.
void lithe_patch_volumes(LitheSolid *solid);

/// Patches of a solid with linear elements; after its mesh. Adds their pairs of nodes, whose number
/// is lithe_patch_pairs, to `pairs`; finds their entries after the pattern is built.
LitheStatus lithe_build_patches(LitheContext *context, LitheSolid *solid, LitheError *error);
int64_t lithe_patch_pairs(const LitheSolid *solid);
void lithe_patch_add_pairs(const LitheSolid *solid, LitheBlockPair *pairs);
void lithe_patch_find_entries(LitheSolid *solid);
void lithe_patches_free(LitheContext *context, LitheTetPatches *patches);

/// Pressures and cavities of a solid, before its pattern: their faces. Refused: a place without
/// faces; a cavity that is not closed, or closed around the solid. After the pattern: entries;
/// after holds and drives: rims.
LitheStatus lithe_build_pressures(const LitheScene *scene, LitheMembers *members, LitheSolid *solid,
                                  LitheError *error);
LitheStatus lithe_pressures_find_entries(LitheContext *context, LitheSolid *solid,
                                         LitheError *error);
LitheStatus lithe_pressures_find_open(LitheContext *context, LitheSolid *solid, LitheError *error);
void lithe_pressures_free(LitheContext *context, LitheSolid *solid);

/// Faces of a surface whose nodes are all marked [node_count], with the nodes of a triangle of it.
LitheStatus lithe_faces_select(LitheContext *context, const LitheTetSurface *surface,
                               const unsigned char *marked, int32_t **faces, int32_t *count,
                               LitheError *error);

/// The list of cavities, after all solids.
LitheStatus lithe_build_cavities(const LitheScene *scene, LitheModel *model, LitheError *error);

/// Changes of the natural size of a solid whose mesh was rotated. Refused: a place without
/// elements.
LitheStatus lithe_build_swells(const LitheScene *scene, Quat rotation, LitheMembers *members,
                               LitheSolid *solid, LitheError *error);
void lithe_swells_free(LitheContext *context, LitheSolid *solid);

/// Fibres of a solid, after its elements. Refused: a place without elements or faces; directions
/// that are none.
LitheStatus lithe_build_fibres(const LitheScene *scene, const LitheSolidDef *def,
                               LitheMembers *members, LitheSolid *solid, LitheError *error);
void lithe_fibres_free(LitheContext *context, LitheSolid *solid);

/// Elements or faces whose values are fitted.
typedef struct LitheFitCells {
    int32_t count, width, corners, points;
    const int32_t *nodes; // [count][width] midpoints of edges after the corners
    const Vec3 *places;   // [count][points] quadrature points at rest [m]
    const Vec3 *at;       // [node_count] nodes at rest [m]
    const double *curved; // [node_count] > 0: degree 2 also with one point; NULL: nowhere
    int32_t node_count;
} LitheFitCells;

LitheStatus lithe_build_fits(LitheContext *context, const LitheFitCells *cells, LitheFits *fits,
                             LitheError *error);
/// Those of the elements of a solid, and of its fibres; after its rest shape.
LitheStatus lithe_build_solid_fits(LitheContext *context, LitheSolid *solid, LitheError *error);
LitheStatus lithe_build_fibre_fits(LitheContext *context, LitheSolid *solid, LitheError *error);
void lithe_fits_free(LitheContext *context, LitheFits *fits);

#endif
