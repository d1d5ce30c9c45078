// SPDX-License-Identifier: Apache-2.0
// model/compile.h - parts of compiling a scene

#ifndef LITHE_MODEL_COMPILE_H
#define LITHE_MODEL_COMPILE_H

#include "data/model.h"
#include "data/state.h"
#include "geom/mesh.h"
#include "geom/tet_mesh.h"
#include "model/acting.h"
#include "scene/scene.h"

/// Geometry of a rod as built, before there is a state.
typedef struct LitheBuild {
    Vec3 *x;         // [node_count] nodes
    Vec3 *t;         // [edge_count] tangents
    Vec3 *d1;        // [edge_count] reference directors: parallel along the rod
    double *gamma;   // [edge_count] twist angles
    double *tau_ref; // [node_count] reference twist: zero except at the seam of a closed rod
} LitheBuild;

bool lithe_profile_copy(LitheContext *context, const LitheProfileDef *def, LitheProfile *out);
void lithe_profile_free(LitheContext *context, LitheProfile *profile);

/// Modulus and Poisson's ratio for the contacts of things without a material: a hard plastic.
#define LITHE_CONTACT_YOUNG 1e9 // Pa
#define LITHE_CONTACT_POISSON 0.3

/// Contact parameters of a material (none: the default one).
LitheTouch lithe_touch_of(const LitheScene *scene, LitheMaterialId material, uint32_t group,
                          uint32_t mask);

/// Lists all units that touch as balls, after units are built; lithe_model_destroy frees the list.
LitheStatus lithe_build_balls(LitheModel *model, LitheError *error);

/// Lists all surfaces whose triangles touch, after balls; lithe_model_destroy frees the list.
LitheStatus lithe_build_faces(LitheModel *model, LitheError *error);

/// Puts neighbouring triangles into the same bundles of the contact search (model/face_order.c).
LitheStatus lithe_order_faces(LitheModel *model, LitheError *error);

/// The surface of a solid at rest as a mesh of its own nodes, in the order of skin.used; NULL: it
/// is not a mesh that can be searched, or there is no memory.
LitheMesh *lithe_surface_mesh(LitheContext *context, const LitheSurface *skin);

/// (PF20) Makes the pressure field of a solid. *why: why it can have none, else NULL.
LitheStatus lithe_build_solid_field(LitheContext *context, LitheSolid *solid, const char **why,
                                    LitheError *error);

/// The inner surface of a solid whose triangles touch (SC8). `mesh` is its surface at rest, with
/// nodes in the order of skin.used; NULL: it cannot be searched.
LitheStatus lithe_build_inner(LitheContext *context, LitheMesh *mesh, LitheSolid *solid,
                              LitheError *error);

/// Copies the names of the materials.
LitheStatus lithe_build_material_names(const LitheScene *scene, LitheModel *model,
                                       LitheError *error);

/// Makes the pressure fields of rods, shapes and solids, after everything that can touch is built;
/// what has none is reported, or refused with contact.patches on.
LitheStatus lithe_build_fields(const LitheScene *scene, LitheModel *model, LitheError *error);

/// Computes the contact stiffnesses that carry the weight of objects, after units are built; builds
/// the table of pairs of materials.
void lithe_build_least(LitheModel *model);
LitheStatus lithe_build_material_pairs(const LitheScene *scene, LitheModel *model,
                                       LitheError *error);

/// Sets the largest coefficient of friction, after everything that can touch is built.
void lithe_build_friction(LitheModel *model);

/// Lists the pairs of things without contact: those that the scene ignores, and bodies connected by
/// a joint.
LitheStatus lithe_build_ignored(const LitheScene *scene, LitheModel *model, LitheError *error);

/// Warns of shapes that pass between the nodes of a soft solid; after the ignored pairs.
void lithe_warn_of_small_shapes(const LitheModel *model);

/// Warns of rods that touch with another section than their own.
void lithe_warn_of_ellipses(const LitheModel *model);

/// With contact.patches on: warns of rigid bodies that touch each other at points.
void lithe_warn_of_rigid_pairs(const LitheModel *model);

/// Warns of values that are legal, but unusual in this combination.
void lithe_warn_of_suspects(const LitheModel *model);

/// Mass of a body from its shapes.
typedef struct LitheBodyMass {
    double mass;  // kg
    Vec3 centre;  // in the body's frame [m]
    Mat3 inertia; // about the centre [kg m^2]
} LitheBodyMass;

/// Builds and frees the shapes of all bodies; computes the mass of one body from its shapes.
LitheStatus lithe_build_geoms(const LitheScene *scene, LitheModel *model, LitheError *error);
void lithe_geoms_free(LitheModel *model);

/// Fails with "bodies.NAME", the name of the body before the cause.
LitheStatus lithe_build_fail_body(const LitheScene *scene, int32_t body, LitheStatus status,
                                  const LitheError *cause, LitheError *error);

/// Shapes that are only drawn (build_visuals.c).
LitheStatus lithe_build_visuals(const LitheScene *scene, LitheModel *model, LitheError *error);
void lithe_visuals_free(LitheModel *model);
LitheStatus lithe_body_mass(const LitheScene *scene, const LitheModel *model, int32_t body,
                            LitheBodyMass *out, LitheError *error);

/// The vertices of one thing that a place of a scene selects; reused for its next places.
typedef struct LitheMembers {
    LitheThing thing;
    const LitheActing *acting; // what acts on it
    const Vec3 *points;        // [count_of] as built [m]
    const double *lengths;     // lengths of the edges between the points of a rod [m]
    int32_t count_of;
    bool closed;
    const LitheTetSet *groups; // [group_count] of the mesh of a solid
    int32_t group_count;

    // the vertices that the last place selects
    int32_t *list; // [count]
    int32_t count, capacity;
    bool edges; // the list contains edges, each given by its first vertex
} LitheMembers;

/// Finds the vertices that `place` selects; none when it is on another thing. Messages name the
/// object that has the place: its `kind` ("hold") and `name`.
LitheStatus lithe_members_find(const LitheScene *scene, const LithePlace *place, const char *kind,
                               const char *name, LitheMembers *members, LitheError *error);
void lithe_members_free(LitheContext *context, LitheMembers *members);

/// Fails because a place holds or drives a vertex that is held or driven already. The check of the
/// scene cannot find this, because the members of sets are known only here.
LitheStatus lithe_members_clash(const LitheScene *scene, const LitheMembers *members,
                                const char *kind, const char *name, int32_t vertex,
                                LitheError *error);

/// Knots: the nodes of their strands; frees them.
LitheStatus lithe_build_knots(const LitheScene *scene, LitheModel *model, LitheError *error);
void lithe_knots_free(LitheModel *model);

/// Sets of particles: builds them with their holds and loads; sets their part of the first state;
/// frees them.
LitheStatus lithe_build_particles(const LitheScene *scene, const LitheActing *acting,
                                  LitheModel *model, LitheError *error);
void lithe_particles_state(const LitheModel *model, LitheState *state);
void lithe_particles_free(LitheModel *model);

/// Holds by name (build_holds.c): begin with those of the scene, add the DoFs of a node or a
/// clamped end of a rod, link them to the units. False when out of memory.
bool lithe_holds_begin(const LitheScene *scene, LitheModel *model);
bool lithe_hold_add(LitheModel *model, int32_t hold, LitheThing thing, int32_t node, uint32_t mask);
bool lithe_hold_add_clamp(LitheModel *model, int32_t rod, bool end);
bool lithe_hold_add_weld(LitheModel *model, int32_t constraint, LitheThing solid, int32_t unit,
                         const int32_t *nodes, int32_t count);
void lithe_holds_link(LitheModel *model);
void lithe_holds_free(LitheModel *model);

/// Holds and loads of a thing of points (build_particles.c). `held` [3 points]; with `again` a
/// point may be held twice.
LitheStatus lithe_build_point_holds(const LitheScene *scene, LitheModel *model,
                                    LitheMembers *members, bool again, unsigned char *held,
                                    LitheError *error);
LitheStatus lithe_build_point_loads(const LitheScene *scene, LitheMembers *members,
                                    LitheLoad **loads, int32_t *count, int32_t *capacity,
                                    LitheError *error);

/// Soft solids: as sets of particles.
LitheStatus lithe_build_solids(const LitheScene *scene, const LitheActing *acting,
                               LitheModel *model, LitheError *error);
void lithe_solids_state(const LitheModel *model, LitheState *state);
void lithe_solids_free(LitheModel *model);

/// Trees, bodies, joints and actuators: builds them; sets their part of the first state; frees
/// them.
LitheStatus lithe_build_trees(const LitheScene *scene, const LitheActing *acting, LitheModel *model,
                              LitheError *error);
void lithe_trees_number(LitheModel *model); ///< units of bodies, once units exist
void lithe_trees_state(const LitheModel *model, LitheState *state);
void lithe_trees_free(LitheModel *model);

/// Pose drives: builds those of tree number `index`, which are `own`, after its actuators; sets the
/// initial targets of their joints (`aims` of the tree); frees them.
LitheStatus lithe_build_pose_drives(const LitheScene *scene, LitheModel *model, int32_t index,
                                    LitheNumbers own, LitheError *error);
void lithe_pose_drives_state(const LitheTree *tree, double *aims);
void lithe_pose_drives_free(LitheContext *context, LitheTree *tree);

/// Constraints: builds them, after rods and trees; sets their part of the first state, after all
/// other parts; frees them.
LitheStatus lithe_build_constraints(const LitheScene *scene, LitheModel *model, LitheError *error);
void lithe_constraints_state(const LitheModel *model, LitheState *state);
void lithe_constraints_free(LitheModel *model);

/// A group of nodes of a solid that springs hold to a body or to the world (build_beds.c).
LitheStatus lithe_build_bed(const LitheScene *scene, LitheModel *model, const LitheState *state,
                            int32_t index, LitheMembers *members, LitheError *error);

/// Sets of nodes of solids that are welded to bodies or held by springs, after the first state is
/// built, which gets their velocities.
LitheStatus lithe_build_welds(const LitheScene *scene, LitheModel *model, LitheState *state,
                              LitheError *error);

/// Finds the elements of points in solids that constraints name, after the first state is built.
LitheStatus lithe_build_inside(const LitheScene *scene, LitheModel *model, const LitheState *state,
                               LitheError *error);

/// Finds where objects that constraints connect have no contact with each other, after the first
/// state is built.
LitheStatus lithe_build_ties(const LitheScene *scene, LitheModel *model, const LitheState *state,
                             LitheError *error);

/// Builds nodes, frames, section constants, masses and natural state of rod number `index` of the
/// scene.
LitheStatus lithe_build_rod(const LitheScene *scene, const LitheActing *acting, int32_t index,
                            LitheRod *rod, LitheBuild *build, LitheError *error);

/// Builds holds, drives, loads and natural drives of the rod.
LitheStatus lithe_build_conditions(const LitheScene *scene, const LitheActing *acting,
                                   int32_t index, LitheModel *model, const LitheBuild *build,
                                   LitheError *error);

/// Sets the part of the rod in the first state.
void lithe_build_state(const LitheScene *scene, int32_t index, const LitheRod *rod,
                       const LitheBuild *build, LitheState *state);

void lithe_build_free(LitheContext *context, LitheBuild *build);

#endif
