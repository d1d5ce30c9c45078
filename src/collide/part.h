// SPDX-License-Identifier: Apache-2.0
// collide/part.h - the table of kinds of parts: operations of a part that the contact search needs
//
// The functions read the proxies of the search (lithe_collide_proxies).

#ifndef LITHE_COLLIDE_PART_H
#define LITHE_COLLIDE_PART_H

#include "data/contacts.h"
#include "data/state.h"
#include "geom/panel.h"

typedef struct LithePartOps {
    /// Contact parameters of the part.
    const LitheTouch *(*touch)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// Radius of the part, or half its smallest extent [m]; INFINITY for an unbounded part.
    double (*size)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// The public name of a place on the part.
    LitheContactSide (*side)(const LitheModel *model, const LitheContacts *c, int32_t part,
                             double s);

    /// Shape of the part, and the pose of the shape. For an edge: of the section from cut[0] to
    /// cut[1], with NULL of the whole edge. NULL: the part has none.
    LitheGeom (*shape)(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                       int32_t part, const double cut[2], LithePose *pose);

    /// Predicted maximum displacement of any point of the part in the step [m].
    double (*travel)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// Position of the point x along the part (0 to 1), and the nearest point of the centreline; 0
    /// and x itself for a part without a centreline.
    double (*along)(const LitheContacts *c, int32_t part, Vec3 x, Vec3 *centre);

    /// The number of a place in ids of contacts: below lithe_place_count, the same for the end of
    /// an edge and the start of the next.
    uint64_t (*place)(const LitheModel *model, const LitheContacts *c, int32_t part, double s);

    /// Number of parts of a closed thing, whose last part is followed by the first; 0: the thing is
    /// open.
    int32_t (*cycle)(const LitheModel *model, const LitheContacts *c, int32_t part);

    // --- two parts of one thing ---

    /// Whether parts of one thing touch each other at all.
    bool (*self_contact)(const LitheModel *model, const LitheContacts *c, int32_t part);

    /// The minimum difference of the numbers of two parts of one thing that may touch.
    int32_t self_step;

    /// (C1) Whether the parts a < b of one thing are far enough apart along it to touch at all.
    bool (*far)(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b);

    /// (C2) Whether two places at this distance are close only because they are neighbours on the
    /// thing.
    bool (*neighbours)(const LitheModel *model, const LitheContacts *c, LithePartPair pair,
                       double s, double t, double distance);

    /// The first of the parts from `from` to `to`, without `to`, with which the search may leave
    /// out a part that comes after it along the thing, by (C1) or beside a fold by (C5); `to`:
    /// there is none. NULL: the kind has none.
    int32_t (*next_unclear)(const LitheModel *model, const LitheContacts *c, int32_t from,
                            int32_t to);
} LithePartOps;

/// One row per kind of part.
extern const LithePartOps lithe_part_kinds[LITHE_PART_KINDS];

static inline const LithePartOps *lithe_part_ops(const LitheModel *model, int32_t part) {
    return &lithe_part_kinds[lithe_part_kind(model, part)];
}

/// Whether two places at this distance belong to one thing and are neighbours on it.
static inline bool lithe_are_neighbours(const LitheModel *model, const LitheContacts *c,
                                        LithePartPair pair, double s, double t, double distance) {
    return c->things[pair.a] == c->things[pair.b] &&
           lithe_part_ops(model, pair.a)->neighbours(model, c, pair, s, t, distance);
}

/// Whether an edge of a rod ends freely at its start (0) or end (1). LitheContacts.beyond does not
/// tell: it leaves out edges at folds, too.
bool lithe_edge_is_free(const LitheModel *model, const LitheContacts *c, int32_t part, int end);

/// Whether two edges of a rod that follow each other make an acute corner as built, and each is
/// nearer to the other than the thickness at its far end.
bool lithe_edges_overlap_as_built(const LitheModel *model, const LitheContacts *c, int32_t a,
                                  int32_t b);

/// The surface that a part is a point of (data/model.h, LitheBallSet); NULL: none.
static inline const LitheSurface *lithe_part_surface(const LitheModel *model,
                                                     const LitheContacts *c, int32_t part) {
    if (lithe_part_kind(model, part) != LITHE_PART_BALL)
        return NULL;
    return model->ball_sets[c->balls[part - lithe_part_at(model, LITHE_PART_BALL)].set].surface;
}

/// (S32) Radius of the points of a surface in contact with a shape [m]: 0, or the layer where the
/// shape is its own inner shape (open mesh, solid of revolution).
double lithe_surface_radius(const LitheSurface *surface, const LitheModelGeom *geom);

/// (Z11) How far a point of a surface may overlap a shape [m]: to its inner shape. INFINITY: the
/// shape has no far side (half-space, heightfield).
double lithe_surface_depth(const LitheSurface *surface, const LitheModelGeom *geom);

/// Number of different places in ids of contacts.
int64_t lithe_place_count(const LitheModel *model);

/// Number of bits of a place in an id, which has two of them and a feature.
static inline int lithe_place_bits(const LitheModel *model) {
    uint64_t places = (uint64_t)lithe_place_count(model);
    int bits = 1;
    while (places >> bits)
        bits++;
    return bits;
}

/// The id of a contact without its feature: the same for all points of a patch.
static inline uint64_t lithe_pair_id(const LitheModel *model, uint64_t id) {
    return id & ~(~(uint64_t)0 >> (2 * lithe_place_bits(model)));
}

/// Sets stiffness, dissipation and friction of a contact from the parameters x, y and sizes [m] of
/// its two sides.
void lithe_combine(const LitheModel *model, const LitheTouch *x, double size_x, const LitheTouch *y,
                   double size_y, LitheContact *contact);

/// The same for a shape x whose half thickness is `half`, and a point of a surface y, with the
/// stiffness per area [N/m^3] (S30).
void lithe_combine_surface(const LitheModel *model, const LitheTouch *x, double half,
                           const LitheTouch *y, const LitheSurface *surface, LitheContact *contact);

/// The same for two surfaces (SC4).
void lithe_combine_surfaces(const LitheModel *model, const LitheTouch *x,
                            const LitheSurface *surface_x, const LitheTouch *y,
                            const LitheSurface *surface_y, LitheContact *contact);

/// The triangle that a part is.
static inline const LitheFace *lithe_part_face(const LitheModel *model, const LitheContacts *c,
                                               int32_t part) {
    return &c->faces[part - lithe_part_at(model, LITHE_PART_FACE)];
}

/// Positions of the points of a surface, three numbers each: those of the nodes of its unit, or of
/// the points that they carry.
static inline const double *lithe_skin_positions(const LitheModel *model, const LitheState *state,
                                                 const LitheContacts *c, int32_t unit,
                                                 const LitheFineSurface *fine) {
    return fine ? c->carried + 3 * fine->at : state->q + model->units[unit].q_at;
}

/// The tetrahedron that a part is.
static inline const LitheTetPart *lithe_part_tet(const LitheModel *model, const LitheContacts *c,
                                                 int32_t part) {
    return &c->tets[part - lithe_part_at(model, LITHE_PART_TET)];
}

/// (SC6) Overlap up to which two triangles touch [m].
double lithe_faces_depth(const LitheModel *model, const LitheContacts *c, LithePartPair pair);

/// Half thickness of a shape [m]: half its smallest extent, of a closed mesh half its thinnest
/// wall. INFINITY for an unbounded shape.
double lithe_shape_half(const LitheModelGeom *geom);

/// Area of the surface that a contact of its node presses on [m^2] (S31); `x` are the positions of
/// all nodes, the normal points to the node.
double lithe_surface_area(const LitheSurface *surface, int32_t node, const double *x, Vec3 normal);

/// (S34) The same for the middle of a face of six nodes; 0 where a part of the face is beside the
/// panel of a box, whose sides then have contacts. `panel`: NULL, or that of the box.
double lithe_surface_middle_area(const LitheSurface *surface, int32_t face, const double *x,
                                 Vec3 normal, const LithePanel *panel);

/// (SC28) How far a triangle lies flat on a panel of a box, by the cosine of the angle between
/// them: 0: at most as flat as on another panel of the box, 1: flat.
double lithe_panel_facing(double cosine);

/// (SC28) The same as lithe_surface_area for a node that touches a box, less the area that is
/// beside the panel of the box that it touches; 0: all of it is.
double lithe_surface_covered(const LitheSurface *surface, int32_t node, const double *x,
                             Vec3 normal, const LithePanel *panel);

/// Parts and sites of a contact whose sides are known.
LitheContactParts lithe_contact_parts(const LitheModel *model, const LitheContacts *c,
                                      LithePartPair pair, const LitheContact *contact);

/// The two nodes of an edge of a rod.
void lithe_edge_ends(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                     int32_t part, Vec3 ends[2]);

/// Shape of an edge of a rod, and its pose.
LitheGeom lithe_edge_shape(const LitheModel *model, const LitheState *state, int32_t rod,
                           int32_t edge, LithePose *pose);

#endif
