// SPDX-License-Identifier: Apache-2.0
// geom/field.h - pressure fields of shapes: tetrahedra inside of a compliant shape, triangles on a
// rigid one, each with a tree of boxes
//
// docs/theory/patches.md. The pressure is the modulus times the relative depth, 0 on the surface
// and 1 at the centre, on the axis or on the medial surface.

#ifndef LITHE_GEOM_FIELD_H
#define LITHE_GEOM_FIELD_H

#include "geom/clip.h"
#include "geom/shape.h"

/// Sectors of a circle at default, and their largest number.
enum { LITHE_SECTORS = 32, LITHE_SECTORS_MAX = 1024 };

enum {
    LITHE_FIELD_LANES = 4,
    LITHE_FIELD_LEAF = 1, // elements in a leaf of the tree with two children per node
};

/// Boxes side by side. Lanes without one have a box that meets none.
typedef struct LitheFieldBoxes {
    double low[3][LITHE_FIELD_LANES], high[3][LITHE_FIELD_LANES]; // [m]
} LitheFieldBoxes;

/// Node of a tree with four children.
typedef struct LitheFieldNode {
    LitheFieldBoxes boxes;
    int32_t child[LITHE_FIELD_LANES]; // number of the node; ~ that of a block
} LitheFieldNode;

/// Four elements. Of tetrahedra what LitheFieldTet has, by lanes.
typedef struct LitheFieldBlock {
    LitheFieldBoxes boxes;
    double corner[4][3][LITHE_FIELD_LANES];
    double pressure[4][LITHE_FIELD_LANES]; // at the corners
    double slope[3][LITHE_FIELD_LANES];
    double face[3][3][LITHE_FIELD_LANES]; // the last three
    int32_t element[LITHE_FIELD_LANES];
} LitheFieldBlock;

/// A point of the half plane of a round shape, with the relative depth there.
typedef struct LitheMeridian {
    double r, z; // [m]
    double depth;
} LitheMeridian;

/// A field in the frame of its shape. Rigid: no tetrahedra. Half-space: nothing at all.
typedef struct LithePressureField {
    LitheContext *context;
    double modulus;          // pressure at relative depth 1 [Pa]; 0: rigid
    double excess;           // how far its corners are outside of the shape, at most (PF3) [m]
    Vec3 *points;            // [point_count] [m]
    double *depths;          // [point_count] relative, 0 to 1
    int32_t *tets;           // [tet_count][4]
    int32_t *triangles;      // [triangle_count][3] of the surface, counter-clockwise from outside
    LitheFieldTet *ready;    // [tet_count] of a compliant shape
    Vec3 *normals;           // [triangle_count] unit, outward
    LitheBoxNode *nodes;     // [node_count] over tetrahedra, or over triangles of a rigid shape
    int32_t *order;          // elements in the order of the leaves
    LitheFieldNode *wide;    // [wide_count] the same tree with four children: geom/field_walk.h
    LitheFieldBlock *blocks; // [block_count] its leaves
    int32_t point_count, tet_count, triangle_count, node_count, wide_count, block_count;
    int32_t root; // of the wide tree: number of the node; ~ that of a block
    int32_t point_capacity, depth_capacity, tet_capacity, triangle_capacity;
    // of what is round about z, a cylinder or a solid of revolution (collide/patch_round.c)
    LitheMeridian (*sections)[3]; // [section_count] triangles of the half plane
    LitheMeridian *outline;       // [outline_count] from the axis at one end to it at the other
    int32_t section_count, outline_count, section_capacity, outline_capacity;
    int32_t sectors; // of its circles; 0: no sphere, capsule, cylinder, tube or solid of revolution
    bool bulges;     // it is convex
} LithePressureField;

/// Whether a shape of this kind can have a field, as a compliant or as a rigid one. Half-spaces,
/// heightfields and open meshes cannot be compliant; open meshes are not solid.
bool lithe_field_allowed(const LitheGeom *geom, bool rigid);

/// Field of a shape: polyhedra of its true volume. `modulus` 0: rigid. LITHE_NOT_SUPPORTED: no
/// point sees the whole surface of a mesh. On failure *out is NULL.
LitheStatus lithe_field_create(LitheContext *context, const LitheGeom *geom, double modulus,
                               int32_t sectors, LithePressureField **out, LitheError *error);
void lithe_field_destroy(LithePressureField *field);

/// Sectors of a circle of this radius whose sagitta is at most `sagitta` [m].
int32_t lithe_field_sectors(double radius, double sagitta);

/// Circumradius of the regular polygon that has the area of a circle of radius 1 (PF3).
double lithe_polygon_radius(int32_t sectors);

/// Sum of the volumes of the tetrahedra [m^3].
double lithe_field_volume(const LithePressureField *field);

// --- for the functions that make a field (geom/field_shapes.c) -----------------------------------

/// Appends a point; its index, or -1 when out of memory. The others ignore indices below 0.
int32_t lithe_field_point(LithePressureField *field, Vec3 x, double depth);
bool lithe_field_add_tet(LithePressureField *field, int32_t a, int32_t b, int32_t c, int32_t d);
bool lithe_field_add_triangle(LithePressureField *field, int32_t a, int32_t b, int32_t c);

/// Appends a triangle of the half plane, or a point of the outline. False: out of memory.
bool lithe_field_add_section(LithePressureField *field, const LitheMeridian corner[3]);
bool lithe_field_add_outline(LithePressureField *field, double r, double z);

/// Three tetrahedra between two triangles; two triangles; the points of a ring about z, by sectors
/// (the first index, or -1).
bool lithe_field_add_prism(LithePressureField *field, const int32_t low[3], const int32_t high[3]);
bool lithe_field_add_quad(LithePressureField *field, const int32_t q[4]);
int32_t lithe_field_ring(LithePressureField *field, double radius, double z, int32_t sectors,
                         double depth);

/// lithe_field_fill of a solid of revolution.
bool lithe_field_fill_revolution(LithePressureField *field, const LitheGeom *geom, int32_t sectors);

/// Adds the points, tetrahedra and triangles of a shape. False when out of memory, or no point
/// sees the whole surface (*unseen).
bool lithe_field_fill(LithePressureField *field, const LitheGeom *geom, int32_t sectors,
                      bool *unseen);

// --- cross-sections of rods ----------------------------------------------------------------------

/// Triangles of a cross-section: inner points of relative depth 1 first, then those of the rim.
typedef struct LitheSectionMesh {
    int32_t inner, count;    // points of depth 1, and all
    double (*at)[2];         // [count] along m1 and m2 [m]
    int32_t (*triangles)[3]; // [triangle_count] ascending indices
    int32_t triangle_count;
    double half;  // largest distance from the axis to an end of the field along it [m]
    double reach; // largest distance of a point from the axis [m]
} LitheSectionMesh;

/// Polygon of the true area of an ellipse with these axes.
LitheStatus lithe_section_mesh_ellipse(LitheContext *context, double width, double height,
                                       int32_t sectors, LitheSectionMesh *out);
LitheStatus lithe_section_mesh_rectangle(LitheContext *context, double width, double height,
                                         LitheSectionMesh *out);
void lithe_section_mesh_destroy(LitheContext *context, LitheSectionMesh *mesh);

#endif
