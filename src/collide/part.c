// SPDX-License-Identifier: Apache-2.0
// collide/part.c - kinds of parts: edges of rods, shapes of bodies, particles and points of
// surfaces

#include "collide/part.h"

#include "body/rod.h"
#include "body/solid.h"
#include "collide/collide.h"
#include "data/thing.h"
#include "geom/mesh.h"
#include "geom/oval.h"

// (C2) ratio of arc length to distance of two places of one rod: below the ratio of a half circle
// they are close only because they are neighbours
#define HALF_CIRCLE (0.5 * M_PI)

// --- edges of rods -------------------------------------------------------------------------------

static const LitheTouch *segment_touch(const LitheModel *model, const LitheContacts *c,
                                       int32_t part) {
    return &model->rods[c->things[part]].touch;
}

static double segment_size(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return lithe_rod_half_thickness(&model->rods[c->things[part]]);
}

static LitheContactSide segment_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                     double s) {
    int32_t rod = c->things[part];
    return (LitheContactSide){
        {LITHE_THING_ROD, rod + 1}, (int32_t)(part - model->rods[rod].edge_at), s};
}

static LitheGeom edge_piece(const LitheModel *model, const LitheState *state, int32_t index,
                            int32_t edge, const double cut[2], LithePose *pose) {
    const LitheRod *rod = &model->rods[index];
    const double *q = state->q + rod->dof_at;
    int32_t next = edge + 1 == rod->node_count ? 0 : edge + 1;
    Vec3 p = v3_load(q + 4 * (int64_t)edge), x = v3_load(q + 4 * (int64_t)next);
    if (cut) {
        Vec3 start = p, along = v3_sub(x, p);
        p = v3_axpy(cut[0], along, start);
        x = v3_axpy(cut[1], along, start);
    }
    double radius = lithe_rod_contact_radius(rod);
    if (radius > 0) {
        *pose = place_identity();
        return lithe_geom_segment(p, x, radius);
    }
    // material director: the reference turned by the twist angle
    Vec3 d1 = v3_load(state->own + rod->d1_at + 3 * (int64_t)edge), t = v3_unit(v3_sub(x, p));
    double gamma = q[4 * (int64_t)edge + 3];
    Vec3 m1 = v3_axpy(sin(gamma), v3_cross(t, d1), v3_scale(cos(gamma), d1));
    const LitheSectionDef *s = &rod->section;
    return s->kind == LITHE_SECTION_ELLIPSE ? lithe_geom_oval(p, x, m1, s->width, s->height, pose)
                                            : lithe_geom_bar(p, x, m1, s->width, s->height, pose);
}

void lithe_edge_ends(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                     int32_t part, Vec3 ends[2]) {
    const LitheRod *rod = &model->rods[c->things[part]];
    const double *q = state->q + rod->dof_at;
    int64_t edge = part - rod->edge_at, next = edge + 1 == rod->node_count ? 0 : edge + 1;
    ends[0] = v3_load(q + 4 * edge);
    ends[1] = v3_load(q + 4 * next);
}

LitheGeom lithe_edge_shape(const LitheModel *model, const LitheState *state, int32_t index,
                           int32_t edge, LithePose *pose) {
    return edge_piece(model, state, index, edge, NULL, pose);
}

static LitheGeom segment_shape(const LitheModel *model, const LitheState *state,
                               const LitheContacts *c, int32_t part, const double cut[2],
                               LithePose *pose) {
    int32_t rod = c->things[part];
    return edge_piece(model, state, rod, (int32_t)(part - model->rods[rod].edge_at), cut, pose);
}

static double segment_travel(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)model;
    return c->segments[part].travel;
}

static double segment_along(const LitheContacts *c, int32_t part, Vec3 x, Vec3 *centre) {
    Vec3 start = c->segments[part].start, edge = c->segments[part].edge;
    double ee = v3_dot(edge, edge), s = ee > 0 ? v3_dot(v3_sub(x, start), edge) / ee : 0;
    s = s < LITHE_AT_NODE ? 0 : s > 1 - LITHE_AT_NODE ? 1 : s;
    *centre = v3_axpy(s, edge, start);
    return s;
}

// node i has the number 2 i, the inside of edge i the number 2 i + 1
static uint64_t segment_place(const LitheModel *model, const LitheContacts *c, int32_t part,
                              double s) {
    const LitheRod *rod = &model->rods[c->things[part]];
    int64_t edge = part - rod->edge_at, node = s <= 0 ? edge : edge + 1;
    if (s > 0 && s < 1)
        return 2 * (uint64_t)(rod->node_at + edge) + 1;
    return 2 * (uint64_t)(rod->node_at + (node == rod->node_count ? 0 : node));
}

static int32_t segment_cycle(const LitheModel *model, const LitheContacts *c, int32_t part) {
    const LitheRod *rod = &model->rods[c->things[part]];
    return rod->closed ? rod->edge_count : 0;
}

bool lithe_edge_is_free(const LitheModel *model, const LitheContacts *c, int32_t part, int end) {
    const LitheRod *rod = &model->rods[c->things[part]];
    return !rod->closed && part - rod->edge_at == (end ? rod->edge_count - 1 : 0);
}

static double thickness_of(const LitheRod *rod) {
    double radius = lithe_rod_contact_radius(rod);
    return radius > 0 ? 2 * radius : fmin(rod->section.width, rod->section.height);
}

bool lithe_edges_overlap_as_built(const LitheModel *model, const LitheContacts *c, int32_t a,
                                  int32_t b) {
    const LitheRod *rod = &model->rods[c->things[a]];
    int64_t i = a - rod->edge_at, j = b - rod->edge_at;
    double x = rod->built_length[i] * rod->rest_stretch[i];
    double y = rod->built_length[j] * rod->rest_stretch[j];
    const double *natural = rod->rest_curvature + 2 * j;
    double angle = 0.5 * (x + y) * hypot(natural[0], natural[1]);
    return angle > 0.5 * M_PI && fmin(x, y) * sin(angle) < thickness_of(rod);
}

static bool segment_self_contact(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return model->rods[c->things[part]].self_contact;
}

// edges that are closer along the rod than its thickness always overlap
static bool segment_far(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    const LitheRod *rod = &model->rods[c->things[a]];
    const double *arc = c->arc + rod->edge_at + c->things[a];
    double thick = thickness_of(rod);
    int64_t i = a - rod->edge_at, j = b - rod->edge_at;
    const double *built = rod->built_arc;
    double apart = fmax(arc[j] - arc[i + 1], built[j] - built[i + 1]);
    if (rod->closed)
        apart = fmin(apart, fmax(arc[rod->edge_count] - arc[j + 1] + arc[i],
                                 built[rod->edge_count] - built[j + 1] + built[i]));
    return apart >= thick && i + 1 < j;
}

static int32_t segment_next_unclear(const LitheModel *model, const LitheContacts *c, int32_t from,
                                    int32_t to) {
    for (int32_t part = from; part < to;) {
        int32_t thing = c->things[part];
        const LitheRod *rod = &model->rods[thing];
        int32_t end = (int32_t)rod->edge_at + rod->edge_count, last = end - 2 < to ? end - 2 : to;
        const double *arc = c->arc + thing;
        double thick = thickness_of(rod);
        const LitheSegment *edges = c->segments;
        bool back = part < last && v3_dot(edges[part].edge, edges[part + 1].edge) < 0;
        for (; rod->self_contact && part < last; part++) {
            bool next = v3_dot(edges[part + 1].edge, edges[part + 2].edge) < 0;
            if (back || next || arc[part + 2] - arc[part + 1] < thick)
                return part;
            back = next;
        }
        // the last two edges of a closed rod are followed by the first
        if (rod->self_contact && rod->closed && part < to && part < end)
            return part;
        part = end;
    }
    return to;
}

// compares the length along the rod; on a closed rod, the shorter one of both directions
static bool segment_neighbours(const LitheModel *model, const LitheContacts *c, LithePartPair pair,
                               double s, double t, double distance) {
    int32_t thing = c->things[pair.a];
    const LitheRod *rod = &model->rods[thing];
    const double *arc = c->arc + rod->edge_at + thing;
    int64_t i = pair.a - rod->edge_at, j = pair.b - rod->edge_at;
    double along = arc[j] + t * (arc[j + 1] - arc[j]) - arc[i] - s * (arc[i + 1] - arc[i]);
    along = rod->closed ? fmin(along, arc[rod->edge_count] - along) : along;
    return along < HALF_CIRCLE * distance;
}

// --- shapes of bodies ----------------------------------------------------------------------------

static int32_t geom_of(const LitheModel *model, int32_t part) {
    return part - lithe_part_at(model, LITHE_PART_SHAPE);
}

static const LitheTouch *shape_touch(const LitheModel *model, const LitheContacts *c,
                                     int32_t part) {
    (void)c;
    return &model->geoms[geom_of(model, part)].touch;
}

static double shape_size(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)c;
    return model->geoms[geom_of(model, part)].size;
}

static LitheContactSide shape_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                   double s) {
    (void)c, (void)s;
    int32_t geom = geom_of(model, part), first = geom, body = model->geoms[geom].body;
    while (first > 0 && model->geoms[first - 1].body == body)
        first--;
    return (LitheContactSide){{LITHE_THING_BODY, body + 1}, geom - first, 0};
}

static LitheGeom shape_shape(const LitheModel *model, const LitheState *state,
                             const LitheContacts *c, int32_t part, const double cut[2],
                             LithePose *pose) {
    (void)state, (void)cut;
    *pose = c->poses[geom_of(model, part)];
    return model->geoms[geom_of(model, part)].geom;
}

static double shape_travel(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return c->travel[geom_of(model, part)];
}

static double no_centreline(const LitheContacts *c, int32_t part, Vec3 x, Vec3 *centre) {
    (void)c, (void)part;
    *centre = x;
    return 0;
}

// numbers of shapes follow after those of nodes and edges
static uint64_t shape_place(const LitheModel *model, const LitheContacts *c, int32_t part,
                            double s) {
    (void)c, (void)s;
    return 2 * (uint64_t)model->vertex_count + (uint64_t)geom_of(model, part);
}

// shapes of one body never touch
static bool shape_self_contact(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)model, (void)c, (void)part;
    return false;
}

// inner shapes nearer to the surface than this fraction of the size are none: points would meet
// them wherever they touch
#define LEAST_DEPTH 1e-6

static bool is_endless(const LitheModelGeom *geom) {
    return geom->geom.kind == LITHE_GEOM_HALF_SPACE || geom->geom.kind == LITHE_GEOM_HEIGHTFIELD;
}

static bool has_inner(const LitheModelGeom *geom) {
    return !geom->inner.shared && geom->inner.depth > LEAST_DEPTH * geom->geom.reach;
}

double lithe_surface_radius(const LitheSurface *surface, const LitheModelGeom *geom) {
    return is_endless(geom) || has_inner(geom) ? 0 : surface->layer;
}

double lithe_surface_depth(const LitheSurface *surface, const LitheModelGeom *geom) {
    if (is_endless(geom))
        return INFINITY;
    return has_inner(geom) ? geom->inner.depth : surface->layer;
}

double lithe_shape_half(const LitheModelGeom *geom) {
    bool walls = !is_endless(geom) && has_inner(geom);
    return walls ? fmin(geom->size, geom->inner.depth / LITHE_INNER_FRACTION) : geom->size;
}

// --- particles -----------------------------------------------------------------------------------

static const LitheBall *ball_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return &c->balls[part - lithe_part_at(model, LITHE_PART_BALL)];
}

static const LitheTouch *ball_touch(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return model->ball_sets[ball_of(model, c, part)->set].touch;
}

static double ball_size(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return ball_of(model, c, part)->radius;
}

static LitheContactSide ball_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                  double s) {
    const LitheBall *ball = ball_of(model, c, part);
    const LitheBallSet *set = &model->ball_sets[ball->set];
    int32_t node = ball->index;
    (void)s;
    if (set->middles)
        node = set->surface->triangles[12 * (int64_t)node + 9];
    return (LitheContactSide){set->thing, set->fine ? lithe_fine_node(set->fine, node) : node, 0};
}

static LitheGeom ball_shape(const LitheModel *model, const LitheState *state,
                            const LitheContacts *c, int32_t part, const double cut[2],
                            LithePose *pose) {
    const LitheBall *ball = ball_of(model, c, part);
    (void)state, (void)cut;
    *pose = place_identity();
    pose->at = ball->at;
    return lithe_geom_ball(ball->radius);
}

static double ball_travel(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return ball_of(model, c, part)->travel;
}

// numbers of particles follow after those of nodes, edges and shapes
static uint64_t ball_place(const LitheModel *model, const LitheContacts *c, int32_t part,
                           double s) {
    (void)c, (void)s;
    return 2 * (uint64_t)model->vertex_count + (uint64_t)model->geom_count +
           (uint64_t)(part - lithe_part_at(model, LITHE_PART_BALL));
}

static bool ball_self_contact(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return model->ball_sets[ball_of(model, c, part)->set].self_contact;
}

// --- triangles of surfaces -----------------------------------------------------------------------

static const LitheFaceSet *set_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return &model->face_sets[lithe_part_face(model, c, part)->set];
}

static const LitheTouch *face_touch(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return set_of(model, c, part)->touch;
}

static double face_size(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return set_of(model, c, part)->surface->layer;
}

// the public name is that of a corner
static LitheContactSide face_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                  double s) {
    const LitheFaceSet *set = set_of(model, c, part);
    int32_t corner = lithe_part_face(model, c, part)->node[0];
    (void)s;
    return (LitheContactSide){set->thing, set->fine ? lithe_fine_node(set->fine, corner) : corner,
                              0};
}

static double face_travel(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return lithe_part_face(model, c, part)->travel;
}

// the inside of the triangle; numbers of places of surfaces follow after all others
static uint64_t face_place(const LitheModel *model, const LitheContacts *c, int32_t part,
                           double s) {
    const LitheFaceSet *set = set_of(model, c, part);
    (void)s;
    return (uint64_t)(set->place_at + set->nodes + set->surface->edge_count +
                      lithe_part_face(model, c, part)->index);
}

static bool face_self_contact(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return set_of(model, c, part)->self_contact;
}

// (SC15) ratio of the distance at rest to the thicknesses below which two triangles are the sides
// of one wall
#define WALL 2.0

typedef struct RestFace {
    Vec3 centre, normal; // the normal is not of unit length
    const int32_t *node;
    double thickness;
} RestFace;

static RestFace rest_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    const LitheFaceSet *set = set_of(model, c, part);
    const LitheFace *face = lithe_part_face(model, c, part);
    const Vec3 *rest = set->surface->rest;
    Vec3 p = rest[face->node[0]], q = rest[face->node[1]], r = rest[face->node[2]];
    return (RestFace){v3_scale(1.0 / 3, v3_add(p, v3_add(q, r))),
                      v3_cross(v3_sub(q, p), v3_sub(r, p)), face->node,
                      2 * set->surface->depths[face->index]};
}

// (SC15) triangles with a common corner, and the two sides of a wall, do not touch
static bool face_far(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    RestFace x = rest_of(model, c, a), y = rest_of(model, c, b);
    for (int k = 0; k < 9; k++)
        if (x.node[k / 3] == y.node[k % 3])
            return false;
    Vec3 d = v3_sub(y.centre, x.centre);
    bool behind = v3_dot(x.normal, d) <= 0 && v3_dot(y.normal, d) >= 0;
    return !behind || v3_norm(d) > WALL * (x.thickness + y.thickness);
}

double lithe_faces_depth(const LitheModel *model, const LitheContacts *c, LithePartPair pair) {
    double a = set_of(model, c, pair.a)->surface->depths[lithe_part_face(model, c, pair.a)->index];
    double b = set_of(model, c, pair.b)->surface->depths[lithe_part_face(model, c, pair.b)->index];
    return fmin(a, b);
}

// (SC31) a point this near to an edge or a corner of its triangle, relative to the triangle, is on
// it: rounding (the same number as in geom/overlay.c)
#define ON_IT 1e-9

// weights of corners 1 and 2 at the point of the plane of a triangle below or above x
static void weigh(const LitheFace *face, Vec3 x, double weight[2]) {
    Vec3 e = v3_sub(face->x[1], face->x[0]), f = v3_sub(face->x[2], face->x[0]);
    Vec3 d = v3_sub(x, face->x[0]), n = v3_cross(e, f);
    double nn = v3_dot(n, n);
    weight[0] = v3_dot(v3_cross(d, f), n) / nn;
    weight[1] = v3_dot(v3_cross(e, d), n) / nn;
}

// (SC3) the material point of the triangle nearest to a point x. Weights that are rounding are zero
// (SC31): what is on an edge or a corner is so in every step, and needs no other nodes.
static LitheSite face_site(const LitheModel *model, const LitheContacts *c, int32_t part, Vec3 x) {
    const LitheFace *face = lithe_part_face(model, c, part);
    const LitheFaceSet *set = &model->face_sets[face->set];
    double weight[2];
    weigh(face, x, weight);
    if (!(weight[0] > -ON_IT && weight[1] > -ON_IT && weight[0] + weight[1] < 1 + ON_IT))
        weigh(face, lithe_triangle_nearest(face->x[0], face->x[1], face->x[2], x, NULL), weight);
    double s = weight[0] > ON_IT ? weight[0] : 0, t = weight[1] > ON_IT ? weight[1] : 0;
    if (t > 0)
        t = 1 - s - t > ON_IT ? t : 1 - s;
    else
        s = 1 - s > ON_IT ? s : 1;
    return (LitheSite){
        .unit = set->unit, .kind = LITHE_SITE_FACE, .element = face->index, .s = {s, t}};
}

// --- tetrahedra of pressure fields ---------------------------------------------------------------

static const LitheTetSpan *span_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return &model->tet_spans[lithe_part_tet(model, c, part)->span];
}

static const LitheTouch *tet_touch(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return span_of(model, c, part)->touch;
}

static double tet_size(const LitheModel *model, const LitheContacts *c, int32_t part) {
    return span_of(model, c, part)->field->depth;
}

// the public name is that of the corner with the least pressure
static LitheContactSide tet_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                 double s) {
    const LitheTetSpan *span = span_of(model, c, part);
    const int32_t *corner = span->field->tets + 4 * (int64_t)lithe_part_tet(model, c, part)->index;
    int least = 0;
    (void)s;
    for (int k = 1; k < 4; k++)
        if (span->field->pressures[corner[k]] < span->field->pressures[corner[least]])
            least = k;
    return (LitheContactSide){span->thing, corner[least], 0};
}

static double tet_travel(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)model, (void)c, (void)part;
    return 0;
}

static uint64_t tet_place(const LitheModel *model, const LitheContacts *c, int32_t part, double s) {
    (void)c, (void)s;
    return (uint64_t)(2 * model->vertex_count + model->geom_count + model->ball_count +
                      model->face_place_count + part - lithe_part_at(model, LITHE_PART_TET));
}

static bool tet_self_contact(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)model, (void)c, (void)part;
    return false;
}

// (PF21) the material point at x: barycentric coordinates, also of a point of a merged group that
// lies a little outside
static LitheSite tet_site(const LitheModel *model, const LitheContacts *c, int32_t part, Vec3 x) {
    const LitheTetPart *tet = lithe_part_tet(model, c, part);
    Vec3 d = v3_sub(x, tet->x[0]), e[3];
    LitheSite site = {
        .unit = span_of(model, c, part)->unit, .kind = LITHE_SITE_TET, .element = tet->index};
    for (int k = 0; k < 3; k++)
        e[k] = v3_sub(tet->x[k + 1], tet->x[0]);
    double det = v3_dot(e[0], v3_cross(e[1], e[2]));
    for (int k = 0; k < 3; k++)
        site.s[k] = v3_dot(d, v3_cross(e[(k + 1) % 3], e[(k + 2) % 3])) / det;
    return site;
}

// --- the table -----------------------------------------------------------------------------------

static int32_t no_cycle(const LitheModel *model, const LitheContacts *c, int32_t part) {
    (void)model, (void)c, (void)part;
    return 0;
}

static bool always_far(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    (void)model, (void)c, (void)a, (void)b;
    return true;
}

static bool never_neighbours(const LitheModel *model, const LitheContacts *c, LithePartPair pair,
                             double s, double t, double distance) {
    (void)model, (void)c, (void)pair, (void)s, (void)t, (void)distance;
    return false;
}

const LithePartOps lithe_part_kinds[LITHE_PART_KINDS] = {
    [LITHE_PART_SEGMENT] = {segment_touch, segment_size, segment_side, segment_shape,
                            segment_travel, segment_along, segment_place, segment_cycle,
                            segment_self_contact, 2, segment_far, segment_neighbours,
                            segment_next_unclear},
    [LITHE_PART_SHAPE] = {shape_touch, shape_size, shape_side, shape_shape, shape_travel,
                          no_centreline, shape_place, no_cycle, shape_self_contact, 1, always_far,
                          never_neighbours},
    [LITHE_PART_BALL] = {ball_touch, ball_size, ball_side, ball_shape, ball_travel, no_centreline,
                         ball_place, no_cycle, ball_self_contact, 1, always_far, never_neighbours},
    [LITHE_PART_FACE] = {face_touch, face_size, face_side, NULL, face_travel, no_centreline,
                         face_place, no_cycle, face_self_contact, 1, face_far, never_neighbours},
    [LITHE_PART_TET] = {tet_touch, tet_size, tet_side, NULL, tet_travel, no_centreline, tet_place,
                        no_cycle, tet_self_contact, 1, always_far, never_neighbours},
};

int64_t lithe_place_count(const LitheModel *model) {
    return 2 * model->vertex_count + model->geom_count + model->ball_count +
           model->face_place_count + model->tet_count;
}

// a point of a fine surface is a corner of its first triangle
static LitheSite point_site(const LitheBallSet *set, int32_t point) {
    int32_t face = set->surface->faces[set->surface->face_at[point]];
    const int32_t *corners = set->surface->triangles + 3 * (int64_t)face;
    return (LitheSite){.unit = set->unit,
                       .kind = LITHE_SITE_FACE,
                       .element = face,
                       .s = {corners[1] == point, corners[2] == point}};
}

// side -1: a, 1: b
static LitheSite site_of(const LitheModel *model, const LitheContacts *c, int32_t part,
                         const LitheContact *contact, int sign) {
    const LitheContactSide *side = sign < 0 ? &contact->a : &contact->b;
    if (lithe_part_kind(model, part) == LITHE_PART_FACE)
        return face_site(model, c, part,
                         v3_axpy(0.5 * sign * contact->gap, contact->normal, contact->point));
    if (lithe_part_kind(model, part) == LITHE_PART_TET)
        return tet_site(model, c, part, contact->point);
    if (lithe_part_kind(model, part) == LITHE_PART_BALL) {
        const LitheBall *ball = ball_of(model, c, part);
        if (model->ball_sets[ball->set].middles)
            return (LitheSite){.unit = model->ball_sets[ball->set].unit,
                               .kind = LITHE_SITE_MIDDLE,
                               .element = 4 * ball->index};
        if (model->ball_sets[ball->set].fine)
            return point_site(&model->ball_sets[ball->set], ball->index);
    }
    return lithe_thing_site(model, side->thing, side->part, side->s, v3(0, 0, 0));
}

LitheContactParts lithe_contact_parts(const LitheModel *model, const LitheContacts *c,
                                      LithePartPair pair, const LitheContact *contact) {
    return (LitheContactParts){
        {pair.a, pair.b},
        {site_of(model, c, pair.a, contact, -1), site_of(model, c, pair.b, contact, 1)}};
}
