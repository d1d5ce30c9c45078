// SPDX-License-Identifier: Apache-2.0
// geom/distance.h - signed distance, closest points and contact points of two shapes
//
// See docs/theory/distance.md. No call allocates; all are pure functions of their arguments.

#ifndef LITHE_GEOM_DISTANCE_H
#define LITHE_GEOM_DISTANCE_H

#include "geom/gjk.h"

/// The nearest points of two shapes, in the world. Overlap: `distance` is negative, its size
/// the length of the smallest translation that separates two convex shapes (for shapes that are not
/// convex: the smallest along the normals of the intersected faces).
typedef struct LitheClosest {
    double distance; // [m]
    Vec3 on_a, on_b; // on the two surfaces; on_b = on_a + distance normal
    Vec3 normal;     // unit, from a to b: moving b by -distance normal makes them touch
} LitheClosest;

/// For pairs that lithe_geom_pair_allowed allows. Every configuration has a result: concentric,
/// nested, touching, parallel.
void lithe_geom_distance(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                         const LithePose *pb, LitheClosest *out);

enum {
    LITHE_CONTACTS_MAX = 16,
    LITHE_SOLID_CONTACTS = 8, // of a solid that is not convex and a convex shape
};

typedef struct LitheContactPoint {
    Vec3 on_a, on_b;  // [m] in the world; on_b - on_a = gap normal
    Vec3 normal;      // unit, from a to b
    double gap;       // [m] negative: overlap
    double weight;    // its fraction of the stiffness of the pair, usually 1
    uint32_t feature; // id that is constant while the same corners and faces touch
} LitheContactPoint;

/// Contacts with a gap below `margin` (>= 0): up to four where faces meet (up to eight if one shape
/// is not convex, up to sixteen if neither is), two along nearly parallel segments and where a
/// segment lies on a face, otherwise one. Returns their number.
int lithe_geom_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// As lithe_geom_contacts, but where faces of convex shapes meet, or a flat face of any shape rests
/// on a half-space, the corners do not depend on the margin. `inner`: each corner contact gets a
/// second one further inside the patch; the weights reproduce a uniform pressure
/// (geom/distance_patch.c). `region`: the area of the patch, if all contacts belong to one; or
/// NULL.
struct LitheRegion;
int lithe_geom_face_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                             const LithePose *pb, double margin, bool inner,
                             struct LitheRegion *region, LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// The contacts of a half-space (side a) and a round rod segment from p to q (side b) that lies
/// along it: one at each end, as lithe_geom_contacts finds them, except that weights are not set.
/// False: it is inclined, short or an end has no contact.
bool lithe_plane_edge(const LithePose *plane, Vec3 p, Vec3 q, double radius, double margin,
                      LitheContactPoint out[2]);

/// Contacts between a ball (side b) and a solid that is not convex (side a), at each place where
/// the ball may touch the solid: two in a groove, one on a face. The smallest gap is continuous as
/// the ball moves.
int lithe_solid_ball(const LitheGeom *a, const LithePose *pa, Vec3 centre, double radius,
                     double margin, LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// Chooses the few of `points` (at most 64, with about one normal) that represent all: the deepest,
/// the farthest from it, then those that add the most area. Returns their number, at most `wanted`.
int lithe_contacts_choose(const LitheContactPoint *points, int count, double margin, int wanted,
                          LitheContactPoint *out);

// --- parts ---------------------------------------------------------------------------------------

/// Nearest point of the surface to x and the outward normal there; `distance` is negative inside.
typedef struct LitheNearest {
    double distance; // [m]
    Vec3 point, normal;
} LitheNearest;

/// Nearest point of the surface of a core to x, in the core's frame, without rounding. In closed
/// form, except outside of polyhedra (GJK).
void lithe_core_nearest(const LitheCore *core, Vec3 x, LitheNearest *out);

/// As lithe_core_nearest, for the solid of revolution of a profile [count] about z, closed by discs
/// at its ends.
void lithe_revolution_nearest(const double *z, const double *r, int32_t count, Vec3 x,
                              LitheNearest *out);

/// Signed distance of two cores without their rounding, by the best method for the two kinds.
void lithe_core_distance(const LitheCorePair *pair, LitheCoreDistance *out);

/// The second core in the frame of the first; `a` may be NULL.
LitheCorePair lithe_core_pair(const LitheCore *a, const LithePose *pa, const LitheCore *b,
                              const LithePose *pb);

/// lithe_geom_distance of two convex shapes with these cores, the first placed at `pa`.
void lithe_convex_distance(const LitheCorePair *pair, const LithePose *pa, LitheClosest *out);

/// Depth of two overlapping boxes along the best of fifteen axes; false: they are apart.
bool lithe_box_depth(const LitheCorePair *pair, LitheCoreDistance *out);

/// Distance of a disc or frustum above a face of a box. False: the cores are not such a pair, or
/// another point than that over the face may be nearest.
bool lithe_box_face_distance(const LitheCorePair *pair, LitheCoreDistance *out);

/// Distance of a segment whose nearest point lies beside a cylinder, in closed form. False: the
/// cores are not such a pair, or they touch, or the nearest point is on an end of the cylinder.
bool lithe_segment_cylinder_distance(const LitheCorePair *pair, LitheCoreDistance *out);

/// Mesh, heightfield or solid of revolution `a` against core `b`, in the frame of a, b without
/// rounding.
void lithe_solid_distance(const LitheGeom *a, const LitheCorePair *pair, LitheCoreDistance *out);

/// A piece of such a solid: a triangle of a mesh, a frustum of a solid of revolution.
LitheCore lithe_solid_piece(const LitheGeom *a, int32_t piece);

/// Calls `visit` for the pieces whose boxes come nearer than *within to `box` (in the solid's
/// frame), in a fixed order; visit may lower *within.
typedef void LithePieceFn(int32_t piece, void *user);
void lithe_solid_visit(const LitheGeom *a, const LitheBox *box, const double *within,
                       LithePieceFn *visit, void *user);

/// Box around core b of the pair, in the frame of a, without rounding.
LitheBox lithe_core_box(const LitheCorePair *pair);

/// Signed distance of a point in the solid's frame (unsigned for open meshes).
void lithe_solid_nearest(const LitheGeom *a, Vec3 x, LitheNearest *out);

/// The corner, edge or face (1, 2 or more points, in order around it) of the core that faces the
/// unit direction d: a face whose normal is within 20 degrees of it, otherwise an edge
/// perpendicular to it to the same accuracy, otherwise the farthest point. `id` numbers it within
/// the core. Returns the number of points.
enum { LITHE_FEATURE_MAX = 24 };
int lithe_core_feature(const LitheCore *core, Vec3 d, Vec3 out[LITHE_FEATURE_MAX], uint32_t *id);

/// Pairs of points of two features that overlap in the projection along n: corners of the overlap
/// of two faces, ends of the overlap of an edge and a face or of two nearly parallel edges. None
/// where they do not overlap. `tag` identifies the corners and edges involved.
enum { LITHE_OVERLAP_MAX = 2 * LITHE_FEATURE_MAX };
typedef struct LitheOverlapPoint {
    Vec3 on_a, on_b;
    uint32_t tag;
} LitheOverlapPoint;
int lithe_feature_overlap(const Vec3 *a, int a_count, const Vec3 *b, int b_count, Vec3 n,
                          LitheOverlapPoint out[LITHE_OVERLAP_MAX]);

/// The tilt [rad] at which contacts inside a face or a line have no weight: far larger than that of
/// a body that rests on soft contacts.
#define LITHE_PATCH_GONE 0.05
/// The feature of a contact inside is that of its corner or end, changed by these bits.
#define LITHE_INNER_FEATURE 0x5bd1e995u

/// The area of a face: integrals of 1, |x - centre| and |x - centre|^2 over it.
typedef struct LitheFaceArea {
    Vec3 centre;
    double sums[3];        // [m^2], [m^3], [m^4]
    const LitheMesh *mesh; // NULL: a ring
    const LithePose *pose; // of the mesh
    int32_t triangle;      // one of the face
} LitheFaceArea;

/// Adds a triangle, whose corners are given in the plane of the face from its centre.
void lithe_face_add(LitheFaceArea *face, const double (*x)[2]);

/// Pieces of a line at most.
enum { LITHE_LINE_MAX = 8 };

/// The area or line on which the first contacts of two shapes stand, in its plane: a polygon, the
/// triangles of a face of a mesh, a ring, or pieces of a line.
typedef struct LitheRegion {
    Vec3 centre, u, v;                   // [m]; two unit vectors that span the plane
    double corner[LITHE_OVERLAP_MAX][2]; // round it, along u and v from the centre [m]
    double piece[LITHE_LINE_MAX][2];     // from and to, along u from the centre [m]
    int count, pieces;                   // 0: it is no polygon, no line
    const LitheMesh *mesh;               // NULL: it is no face of a mesh
    const LithePose *pose;               // of the mesh
    int32_t triangle;                    // one of the face
    double ring[2];                      // radii [m]; 0: it is none
    int points;                          // its contacts
    double flat;                         // as lithe_patch_flat; 0: not known
} LitheRegion;

/// Where two faces meet: the corners of their overlap, on a, in any order.
typedef struct LithePatch {
    LitheRegion *region;            // its area, of contacts with inner ones; NULL: not wanted
    const LitheFaceArea *face;      // in the world; NULL: the whole polygon of the corners
    Vec3 corner[LITHE_OVERLAP_MAX]; // [m] in the world
    double gap[LITHE_OVERLAP_MAX];  // [m]
    uint32_t feature[LITHE_OVERLAP_MAX];
    Vec3 normal; // of all contacts: unit, from a to b
    int count;
} LithePatch;

/// Corners (indices of points) of the flat face of the mesh that faces the unit direction `down`,
/// if no point beside it is lower; else 0. Returns their number. `area` is that of its triangles,
/// in the frame of the mesh; its sums are 0 if it is the whole polygon of the corners.
int lithe_mesh_face(const LitheMesh *mesh, Vec3 down, int32_t out[LITHE_OVERLAP_MAX],
                    LitheFaceArea *area);

/// Calls `visit` for the triangles of the flat face of a mesh to which one of them belongs.
typedef void LitheFaceFn(const Vec3 corner[3], void *user);
void lithe_mesh_face_visit(const LitheMesh *mesh, int32_t triangle, LitheFaceFn *visit, void *user);

/// The piece of a solid of revolution whose end face faces `down` (in its frame, unit), if nothing
/// beside it is lower; else -1.
int32_t lithe_profile_cap(const LitheGeom *geom, Vec3 down);

/// 1: the faces are parallel; 0: they are tilted so far that only an edge or corner touches.
double lithe_patch_flat(const LithePatch *patch);

/// Adds a contact inside for each of three or four `points` [count, capacity for twice as many] at
/// corners of the patch, with weights such that normal force, rocking stiffness and friction about
/// the normal are those of a uniform pressure on the patch. Returns the new number.
int lithe_patch_spread(const LithePatch *patch, double flat, LitheContactPoint *points, int count);

/// w and s of (20) for the means m1 and m2; false: there are none between 0 and 1. Below `least`,
/// the mean square of the distance from the rim, all is at the rim.
bool lithe_patch_weights(double m1, double m2, double least, double *w, double *s);

/// Straight pieces along which two shapes touch: the contacts at their ends, whatever their gaps.
typedef struct LitheLine {
    LitheContactPoint end[LITHE_LINE_MAX][2];
    int count;
    LitheRegion *region;     // that of its contacts; NULL: not wanted
    double round_a, round_b; // radii of edges whose normals may differ from end to end [m], or 0
} LitheLine;

/// Takes the deepest line out of the pieces (at least one), with all of its normal: contacts at its
/// ends [0] and [1] and inside, with weights such that normal force, rocking stiffness and friction
/// about the normal are those of a uniform pressure on it. False: the shapes are inclined to each
/// other along it.
bool lithe_line_spread(LitheLine *line, LitheContactPoint out[4]);

/// Whether the point lies on the line with these ends.
bool lithe_line_has(const LitheContactPoint line[2], const LitheContactPoint *point);

#endif
