// SPDX-License-Identifier: Apache-2.0
// collide/narrow_patches.c - contacts of two parts by their pressure fields
//
// One part has a tree (a shape) or is a half-space; the other one is a list of elements in its
// frame: tetrahedra where it is compliant, triangles where it is rigid. Two edges of rods are two
// lists, and so are tetrahedra of soft solids, each a part of its own. Every polygon becomes points
// (collide/patch_polygon.c), and these are merged (collide/patch_merge.c).

#include "collide/narrow.h"
#include "collide/patch.h"
#include "collide/patch_near.h"
#include "collide/patch_polygon.h"
#include "collide/patch_round.h"

#include "base/memory.h"
#include "data/thing.h"
#include "geom/field_walk.h"

#include <math.h>

// --- sides ---------------------------------------------------------------------------------------

static const LitheModelGeom *geom_of(const LitheModel *model, int32_t part) {
    return lithe_part_kind(model, part) == LITHE_PART_SHAPE
               ? &model->geoms[part - lithe_part_at(model, LITHE_PART_SHAPE)]
               : NULL;
}

// modulus of the field of a part [Pa], 0: rigid; -1: it has no field
static double modulus_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    const LitheModelGeom *geom = geom_of(model, part);
    if (geom)
        return geom->geom.kind == LITHE_GEOM_HALF_SPACE ? 0
               : geom->field                            ? geom->field->modulus
                                                        : -1;
    switch (lithe_part_kind(model, part)) {
    case LITHE_PART_SEGMENT:
        return lithe_edge_modulus(model, c, part);
    case LITHE_PART_BALL: // a point of a surface: the tetrahedra of its solid touch instead
        if (!model->ball_sets[c->balls[part - lithe_part_at(model, LITHE_PART_BALL)].set].has_field)
            return -1;
        break;
    case LITHE_PART_FACE:
        if (!model->face_sets[lithe_part_face(model, c, part)->set].has_field)
            return -1;
        break;
    default:
        break;
    }
    return lithe_part_ops(model, part)->touch(model, c, part)->patch_modulus;
}

// the surface of a solid touches itself with its triangles
static bool is_fold(const LitheModel *model, const LitheContacts *c, LithePartPair pair) {
    return lithe_part_kind(model, pair.a) == LITHE_PART_FACE &&
           c->things[pair.a] == c->things[pair.b];
}

bool lithe_patch_pair(const LitheModel *model, const LitheContacts *c, LithePartPair pair) {
    if (is_fold(model, c, pair))
        return false;
    double a = modulus_of(model, c, pair.a), b = modulus_of(model, c, pair.b);
    return a >= 0 && b >= 0 && a + b > 0;
}

// --- elements against a tree ---------------------------------------------------------------------

// a triangle of the field against a tetrahedron
static bool clip_face(const LithePressureField *f, int32_t triangle, const LitheFieldTet *tet,
                      LithePolygon *polygon) {
    const int32_t *t = f->triangles + 3 * (int64_t)triangle;
    Vec3 x[3] = {f->points[t[0]], f->points[t[1]], f->points[t[2]]};
    return lithe_clip_triangle(tet, x, f->normals[triangle], polygon);
}

// an element of the field against one that is a tetrahedron, then also `tet`, or a triangle
static void meet_one(LithePatchFinder *p, const LithePressureField *f, int32_t other,
                     const LithePatchElement *e, const LitheFieldTet *tet) {
    LithePolygon polygon;
    bool found = f->modulus == 0 ? clip_face(f, other, tet, &polygon)
                 : e->corners == 4
                     ? lithe_clip_tets(tet, &f->ready[other], &polygon)
                     : lithe_clip_triangle(&f->ready[other], e->x, e->normal, &polygon);
    if (found)
        lithe_patch_add_polygon(p, &polygon);
}

// all elements of the field that an element meets
static void meet_field(LithePatchFinder *p, const LithePressureField *f,
                       const LithePatchElement *e) {
    if (f->node_count == 0)
        return;
    LitheFieldTet tet;
    LitheFieldWalk walk;
    LitheBox box = lithe_patch_box(e);
    int32_t hits[LITHE_FIELD_HITS], count;
    if (!lithe_boxes_meet(&box, &f->nodes[0].box) ||
        (e->corners == 4 && !lithe_field_tet(e->x, e->pressure, &tet)))
        return;
    field_walk_start(f, &box, e->corners == 4 ? &tet : NULL, &walk);
    while ((count = lithe_field_walk(f, &walk, hits)) > 0)
        for (int32_t i = 0; i < count; i++)
            meet_one(p, f, hits[i], e, &tet);
}

static LitheBox box_of_all(const LithePatchElement *e, int32_t count) {
    LitheBox whole = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; i++) {
        LitheBox box = lithe_patch_box(&e[i]);
        whole.low = v3_min(whole.low, box.low);
        whole.high = v3_max(whole.high, box.high);
    }
    return whole;
}

// The elements of an edge against the field. They are small and lie close together: those of the
// field near all of them are found once.
static void meet_field_all(LithePatchFinder *p, const LithePressureField *f,
                           const LithePatchElement *e, int32_t count) {
    LitheBox whole = box_of_all(e, count);
    int32_t blocks = lithe_near_find(p->n->c->context, f, &whole, p->n->out);
    LithePatchNear *near = p->n->out->near;
    for (int32_t i = 0; i < count && blocks > 0; i++) {
        LitheFieldTet tet;
        LitheBox box = lithe_patch_box(&e[i]);
        if (!lithe_near_meet(near, blocks, &box) ||
            (e[i].corners == 4 && !lithe_field_tet(e[i].x, e[i].pressure, &tet)))
            continue;
        if (f->modulus == 0)
            lithe_near_cut(near, blocks, &tet);
        for (int32_t k = 0; k < blocks; k++)
            for (int32_t lane = 0; near[k].met >> lane != 0; lane++)
                if (near[k].met >> lane & 1)
                    meet_one(p, f, near[k].element[lane], &e[i], &tet);
    }
}

// the half-space z < 0 of `plane` against an element
static void meet_plane(LithePatchFinder *p, const LithePose *plane, const LithePatchElement *e) {
    LitheFieldTet tet;
    LithePolygon polygon;
    Vec3 up = m3_column(plane->r, 2);
    double level = v3_dot(up, plane->at);
    int below = 0;
    for (int k = 0; k < 4; k++)
        below += v3_dot(up, e->x[k]) < level;
    if (below > 0 && below < 4 && lithe_field_tet(e->x, e->pressure, &tet) &&
        lithe_clip_plane(&tet, up, level, &polygon))
        lithe_patch_add_polygon(p, &polygon);
}

// --- elements of shapes --------------------------------------------------------------------------

// box of a box in another frame
static LitheBox box_in(const LitheBox *box, const LithePose *to) {
    Vec3 half = v3_scale(0.5, v3_sub(box->high, box->low));
    Vec3 c = place_point(to, v3_scale(0.5, v3_add(box->high, box->low)));
    const double(*m)[3] = to->r.m;
    Vec3 r = {fabs(m[0][0]) * half.x + fabs(m[0][1]) * half.y + fabs(m[0][2]) * half.z,
              fabs(m[1][0]) * half.x + fabs(m[1][1]) * half.y + fabs(m[1][2]) * half.z,
              fabs(m[2][0]) * half.x + fabs(m[2][1]) * half.y + fabs(m[2][2]) * half.z};
    return (LitheBox){v3_sub(c, r), v3_add(c, r)};
}

static LithePatchElement element_of(const LithePressureField *f, int32_t index,
                                    const LithePose *to) {
    bool rigid = f->modulus == 0;
    LithePatchElement e = {.corners = rigid ? 3 : 4};
    const int32_t *at = rigid ? f->triangles + 3 * (int64_t)index : f->tets + 4 * (int64_t)index;
    for (int32_t k = 0; k < e.corners; k++) {
        e.x[k] = place_point(to, f->points[at[k]]);
        e.pressure[k] = f->modulus * f->depths[at[k]];
    }
    if (rigid)
        e.normal = place_direction(to, f->normals[index]);
    return e;
}

// pose of b in the frame of a
static LithePose pose_between(const LithePose *a, const LithePose *b) {
    return place_make(place_point_back(a, b->at), q4_mul(q4_conj(a->q), b->q));
}

// elements of `list` near the whole of `field`, against it; `to`: frame of the list in that of the
// field, `from`: the reverse
static void meet_fields(LithePatchFinder *p, const LithePressureField *field,
                        const LithePressureField *list, const LithePose *to,
                        const LithePose *from) {
    if (list->node_count == 0 || field->node_count == 0)
        return;
    LitheFieldWalk walk;
    LitheBox whole = box_in(&field->nodes[0].box, from);
    int32_t hits[LITHE_FIELD_HITS], count;
    field_walk_start(list, &whole, NULL, &walk);
    while ((count = lithe_field_walk(list, &walk, hits)) > 0)
        for (int32_t i = 0; i < count; i++) {
            LithePatchElement e = element_of(list, hits[i], to);
            meet_field(p, field, &e);
        }
}

// elements of a shape that reach below the half-space
static void meet_fields_plane(LithePatchFinder *p, const LithePose *plane,
                              const LithePressureField *list, const LithePose *pose) {
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    Vec3 up = m3_column(plane->r, 2);
    double level = v3_dot(up, plane->at);
    if (list->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &list->nodes[stack[--depth]];
        LitheBox box = box_in(&node->box, pose);
        Vec3 lowest = {up.x > 0 ? box.low.x : box.high.x, up.y > 0 ? box.low.y : box.high.y,
                       up.z > 0 ? box.low.z : box.high.z};
        if (v3_dot(up, lowest) > level)
            continue;
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
            continue;
        }
        for (int32_t i = node->first; i < node->first + node->count; i++) {
            LithePatchElement e = element_of(list, list->order[i], pose);
            meet_plane(p, plane, &e);
        }
    }
}

// --- pairs ---------------------------------------------------------------------------------------

// (PF20) the tetrahedron of a soft solid
static LithePatchElement tet_element(const LitheNarrow *n, int32_t part, const LithePose *pose) {
    const LitheTetPart *tet = lithe_part_tet(n->model, n->c, part);
    const LitheTetField *field = n->model->tet_spans[tet->span].field;
    LithePatchElement e = {.corners = 4};
    for (int k = 0; k < 4; k++) {
        e.x[k] = pose ? place_point_back(pose, tet->x[k]) : tet->x[k];
        e.pressure[k] = field->pressures[field->tets[4 * (int64_t)tet->index + k]];
    }
    return e;
}

// elements of an edge, or a tetrahedron, at `at` of the scratch; their number, or -1
static int32_t part_elements(LitheNarrow *n, int32_t part, const LithePose *pose, int32_t at) {
    LitheFound *out = n->out;
    bool folded = false, tet = lithe_part_kind(n->model, part) == LITHE_PART_TET;
    int64_t needed = (int64_t)at + (tet ? 1 : lithe_edge_element_count(n->model, n->c, part));
    if (!LITHE_RESERVE(n->c->context, out->elements, out->element_capacity, needed)) {
        out->failed = true;
        return -1;
    }
    if (tet) {
        out->elements[at] = tet_element(n, part, pose);
        return 1;
    }
    int32_t count =
        lithe_edge_elements(n->model, n->state, n->c, part, pose, out->elements + at, &folded);
    if (folded && out->folded++ == 0)
        out->folded_part = part;
    return count;
}

static void swap_dissipation(LithePatchFinder *p) {
    double first = p->dissipation[0];
    p->dissipation[0] = p->dissipation[1];
    p->dissipation[1] = first;
}

// the elements of a part against a shape; they are the first of a polygon of two tetrahedra
static void meet_list_shape(LithePatchFinder *p, int32_t part, int32_t shape) {
    LitheNarrow *n = p->n;
    const LitheModelGeom *geom = geom_of(n->model, shape);
    const LithePose *pose = &n->c->poses[geom - n->model->geoms];
    bool plane = geom->geom.kind == LITHE_GEOM_HALF_SPACE;
    int32_t count = part_elements(n, part, plane ? NULL : pose, 0);
    bool two = !plane && geom->field->modulus > 0 && modulus_of(n->model, n->c, part) > 0;
    bool rigid_list = modulus_of(n->model, n->c, part) == 0;
    p->frame = plane ? NULL : pose;
    p->sign = two || rigid_list ? 1 : -1;
    if (part == p->pair.b) {
        p->sign = -p->sign;
        swap_dissipation(p);
    }
    for (int32_t i = 0; plane && i < count; i++)
        meet_plane(p, pose, &n->out->elements[i]);
    if (!plane && count == 1)
        meet_field(p, geom->field, n->out->elements);
    else if (!plane && count > 1)
        meet_field_all(p, geom->field, n->out->elements, count);
}

// the first elements of the scratch, of part a, against those of part b that follow them
static void meet_elements(LithePatchFinder *p, int32_t first, int32_t second) {
    const LithePatchElement *e = p->n->out->elements;
    LitheBox whole = box_of_all(e + first, second);
    for (int32_t i = 0; i < first && second > 0; i++) {
        LitheBox box = lithe_patch_box(&e[i]);
        LitheFieldTet a, b;
        if (!lithe_boxes_meet(&box, &whole) ||
            (e[i].corners == 4 && !lithe_field_tet(e[i].x, e[i].pressure, &a)))
            continue;
        for (int32_t j = first; j < first + second; j++) {
            LitheBox other = lithe_patch_box(&e[j]);
            LithePolygon polygon;
            if (!lithe_boxes_meet(&box, &other) ||
                (e[j].corners == 4 && !lithe_field_tet(e[j].x, e[j].pressure, &b)))
                continue;
            bool found;
            p->sign = 1;
            if (e[i].corners == 4 && e[j].corners == 4) {
                found = lithe_clip_tets(&a, &b, &polygon);
            } else if (e[i].corners == 4) {
                found = lithe_clip_triangle(&a, e[j].x, e[j].normal, &polygon);
                p->sign = -1;
            } else {
                found = lithe_clip_triangle(&b, e[i].x, e[i].normal, &polygon);
            }
            if (found)
                lithe_patch_add_polygon(p, &polygon);
        }
    }
}

// The same of tetrahedra alone, many of which meet many: those of b are made ready in blocks.
static void meet_tets(LithePatchFinder *p, int32_t first, int32_t second) {
    enum { BLOCK = 32 };
    const LithePatchElement *e = p->n->out->elements;
    p->sign = 1;
    for (int32_t from = first; from < first + second; from += BLOCK) {
        LitheFieldTet ready[BLOCK];
        LitheBox boxes[BLOCK];
        int32_t count = 0, end = from + BLOCK < first + second ? from + BLOCK : first + second;
        for (int32_t j = from; j < end; j++) {
            boxes[count] = lithe_patch_box(&e[j]);
            count += lithe_field_tet(e[j].x, e[j].pressure, &ready[count]);
        }
        LitheBox whole = box_of_all(e + from, end - from);
        for (int32_t i = 0; i < first && count > 0; i++) {
            LitheFieldTet a;
            LithePolygon polygon;
            LitheBox box = lithe_patch_box(&e[i]);
            if (!lithe_boxes_meet(&box, &whole) || !lithe_field_tet(e[i].x, e[i].pressure, &a))
                continue;
            for (int32_t j = 0; j < count; j++)
                if (lithe_boxes_meet(&box, &boxes[j]) && lithe_clip_tets(&a, &ready[j], &polygon))
                    lithe_patch_add_polygon(p, &polygon);
        }
    }
}

static void meet_lists(LithePatchFinder *p) {
    int32_t first = part_elements(p->n, p->pair.a, NULL, 0);
    int32_t second = first < 0 ? -1 : part_elements(p->n, p->pair.b, NULL, first);
    if (first >= 0)
        meet_elements(p, first, second);
}

// (PF37) The elements of round shapes that are made where they touch: in the frame of the other
// one, of a half-space in the world, and of two in that of b.
static void find_round(LithePatchFinder *p, const LitheRoundSide side[2]) {
    LitheRoundPlane plane[2];
    int32_t first = 0;
    for (int k = 0; k < 2; k++)
        p->round[k] = lithe_round_applies(&side[k], &side[1 - k], &plane[k]);
    p->found = true;
    for (int k = 0; k < 2; k++) {
        const LitheRoundSide *own = &side[k], *other = &side[1 - k];
        bool both = p->round[0] && p->round[1];
        bool half_space = other->geom->geom.kind == LITHE_GEOM_HALF_SPACE;
        LithePose to = half_space       ? *own->pose
                       : both && k == 1 ? place_identity()
                                        : pose_between(other->pose, own->pose);
        p->elements[k] =
            p->round[k] ? lithe_round_elements(p->n, own->geom, &plane[k], &to, first) : 0;
        first += p->elements[k];
    }
}

// the polygons of such elements; false: of neither shape
static bool meet_round(LithePatchFinder *p, const LitheModelGeom *a, const LithePose *pa,
                       const LitheModelGeom *b, const LithePose *pb) {
    const LitheRoundSide side[2] = {{a, pa}, {b, pb}};
    if (!p->found)
        find_round(p, side);
    if (!p->round[0] && !p->round[1])
        return false;
    if (p->round[0] && p->round[1]) {
        p->frame = pb;
        if (a->field->modulus > 0 && b->field->modulus > 0)
            meet_tets(p, p->elements[0], p->elements[1]);
        else
            meet_elements(p, p->elements[0], p->elements[1]);
        return true;
    }
    int list = p->round[0] ? 0 : 1;
    const LitheRoundSide *other = &side[1 - list];
    bool half_space = other->geom->geom.kind == LITHE_GEOM_HALF_SPACE;
    bool rigid = other->geom->field == NULL || other->geom->field->modulus == 0;
    int32_t count = p->elements[list];
    p->frame = half_space ? NULL : other->pose;
    bool two = !rigid && side[list].geom->field->modulus > 0;
    // out of the rigid one; of two from the list
    p->sign = (two || !rigid ? list == 0 : list == 1) ? 1 : -1;
    if (two && list == 1)
        swap_dissipation(p);
    for (int32_t i = 0; i < count; i++)
        if (half_space)
            meet_plane(p, other->pose, &p->n->out->elements[i]);
        else
            meet_field(p, other->geom->field, &p->n->out->elements[i]);
    return true;
}

static void meet_shapes(LithePatchFinder *p) {
    LitheNarrow *n = p->n;
    const LitheModelGeom *a = geom_of(n->model, p->pair.a), *b = geom_of(n->model, p->pair.b);
    const LithePose *pa = &n->c->poses[a - n->model->geoms],
                    *pb = &n->c->poses[b - n->model->geoms];
    if (meet_round(p, a, pa, b, pb))
        return;
    if (a->geom.kind == LITHE_GEOM_HALF_SPACE || b->geom.kind == LITHE_GEOM_HALF_SPACE) {
        bool first = a->geom.kind == LITHE_GEOM_HALF_SPACE;
        p->frame = NULL;
        p->sign = first ? 1 : -1;
        meet_fields_plane(p, first ? pa : pb, first ? b->field : a->field, first ? pb : pa);
        return;
    }
    // the field with more elements keeps its frame
    bool keep_b = b->field->node_count >= a->field->node_count;
    const LitheModelGeom *field = keep_b ? b : a, *list = keep_b ? a : b;
    const LithePose *pf = keep_b ? pb : pa, *pl = keep_b ? pa : pb;
    LithePose to = pose_between(pf, pl), from = pose_between(pl, pf);
    p->frame = pf;
    if (a->field->modulus > 0 && b->field->modulus > 0) {
        p->sign = keep_b ? 1 : -1; // from the list to the field
        if (!keep_b)
            swap_dissipation(p);
    } else {
        p->sign = a->field->modulus == 0 ? 1 : -1; // out of the rigid one
    }
    meet_fields(p, field->field, list->field, &to, &from);
}

// Two shapes: where a patch is merged and a polygon is long, all are found once more, and long ones
// are divided; also where it slides and turns, (PF36).
static void meet_shapes_finely(LithePatchFinder *p) {
    LithePatchFinder again = *p;
    int32_t polygons = p->n->out->polygons;
    meet_shapes(p);
    if (p->n->out->failed)
        return;
    bool merges = p->n->model->contact.merge_patches;
    again.rubs = lithe_patch_slides(p);
    bool divides = (merges || again.rubs) && lithe_patch_find_limits(p);
    bool replaces = merges && divides;
    if (!divides && !again.rubs)
        return;
    again.plane = p->plane;
    again.found = p->found;
    for (int k = 0; k < 2; k++) {
        again.round[k] = p->round[k];
        again.elements[k] = p->elements[k];
    }
    again.limit = divides ? p->limit : INFINITY;
    again.least = p->least;
    again.count = replaces ? 0 : p->count;
    p->n->out->polygons = polygons;
    meet_shapes(&again);
    p->rub = again.rub;
    if (replaces)
        p->count = again.count;
}

// --- contacts ------------------------------------------------------------------------------------

// (PF7) points become contacts; the gap is for their energy, (PF14), and for readers only
static void add_contacts(LithePatchFinder *p) {
    LitheNarrow *n = p->n;
    LitheFound *out = n->out;
    const LithePartOps *ops_a = lithe_part_ops(n->model, p->pair.a);
    const LithePartOps *ops_b = lithe_part_ops(n->model, p->pair.b);
    uint64_t low = ~(uint64_t)0 >> (2 * n->place_bits);
    uint64_t first = lithe_narrow_id(n, lithe_narrow_place(n, p->pair.a, 0.5),
                                     lithe_narrow_place(n, p->pair.b, 0.5), 0) &
                     ~low;
    double factor[LITHE_PATCH_FACTORS];
    bool rubs = lithe_patch_factors(p, factor);
    for (int32_t i = 0; i < p->count; i++) {
        const LithePatchPoint *point = &out->points[i];
        if (!(point->force > 0))
            continue;
        Vec3 centre;
        double s = ops_a->along(n->c, p->pair.a, point->at, &centre);
        double t = ops_b->along(n->c, p->pair.b, point->at, &centre);
        uint64_t number = ((uint64_t)n->piece_number << 28) + (uint64_t)i;
        LitheContact *contact = lithe_narrow_add(n, p->pair, s, t, first | (number & low));
        if (!contact)
            return;
        contact->point = point->at;
        contact->normal = point->normal;
        contact->force = point->force;
        contact->stiffness = point->stiffness;
        contact->area = point->area;
        contact->dissipation = point->dissipation;
        contact->friction *= rubs ? factor[i] : 1;
        contact->torsional = 0; // the patch has a friction torque of its own
        contact->gap = -point->depth;
    }
}

// --- beyond a half-space -------------------------------------------------------------------------
//
// A patch is where the surface of a half-space cuts the field of a thing. A thing that is wholly
// beyond it has none, and nothing would push it back: it touches at points there.

static double depth_below(const LithePose *plane, Vec3 at) {
    return -v3_dot(m3_column(plane->r, 2), v3_sub(at, plane->at));
}

static const LithePose *plane_of(const LitheNarrow *n, int32_t part) {
    const LitheModelGeom *geom = geom_of(n->model, part);
    return geom && geom->geom.kind == LITHE_GEOM_HALF_SPACE ? &n->c->poses[geom - n->model->geoms]
                                                            : NULL;
}

// whether all corners of a shape are below a half-space
static bool shape_beyond(const LitheNarrow *n, int32_t plane_part, int32_t part) {
    const LithePose *plane = plane_of(n, plane_part);
    const LitheModelGeom *geom = geom_of(n->model, part);
    if (!plane || !geom->field || geom->field->node_count == 0)
        return false;
    LitheBox box = box_in(&geom->field->nodes[0].box, &n->c->poses[geom - n->model->geoms]);
    Vec3 up = m3_column(plane->r, 2);
    Vec3 highest = {up.x > 0 ? box.high.x : box.low.x, up.y > 0 ? box.high.y : box.low.y,
                    up.z > 0 ? box.high.z : box.low.z};
    return depth_below(plane, highest) > 0;
}

// whether a node of a solid is deeper below a half-space than the solid is thick
static bool node_beyond(const LitheNarrow *n, LithePartPair pair) {
    const LithePose *plane = plane_of(n, pair.a);
    if (!plane || lithe_part_kind(n->model, pair.b) != LITHE_PART_BALL)
        return false;
    const LitheBall *ball = &n->c->balls[pair.b - lithe_part_at(n->model, LITHE_PART_BALL)];
    LitheContact contact = {.a = lithe_part_ops(n->model, pair.a)->side(n->model, n->c, pair.a, 0),
                            .b = lithe_part_ops(n->model, pair.b)->side(n->model, n->c, pair.b, 0)};
    return depth_below(plane, ball->at) > 2 * lithe_contact_half(n->model, &contact);
}

static double depth_per_pressure(const LitheNarrow *n, LithePartPair pair) {
    double modulus_a = modulus_of(n->model, n->c, pair.a);
    double modulus_b = modulus_of(n->model, n->c, pair.b), depth = 0;
    if (modulus_a > 0)
        depth += lithe_part_ops(n->model, pair.a)->size(n->model, n->c, pair.a) / modulus_a;
    if (modulus_b > 0)
        depth += lithe_part_ops(n->model, pair.b)->size(n->model, n->c, pair.b) / modulus_b;
    return depth;
}

void lithe_narrow_patches(LitheNarrow *n, LithePartPair pair) {
    LitheFound *out = n->out;
    const LitheTouch *x = lithe_part_ops(n->model, pair.a)->touch(n->model, n->c, pair.a);
    const LitheTouch *y = lithe_part_ops(n->model, pair.b)->touch(n->model, n->c, pair.b);
    LithePatchFinder p = {
        .n = n, .pair = pair, .sign = 1, .depth = depth_per_pressure(n, pair), .limit = INFINITY};
    bool rigid_a = modulus_of(n->model, n->c, pair.a) == 0;
    bool rigid_b = modulus_of(n->model, n->c, pair.b) == 0;
    // a polygon with a rigid side has the dissipation of the other one
    p.dissipation[0] = rigid_a ? y->patch_dissipation : x->patch_dissipation;
    p.dissipation[1] = rigid_b ? x->patch_dissipation : y->patch_dissipation;
    LithePartKind kind_a = lithe_part_kind(n->model, pair.a);
    LithePartKind kind_b = lithe_part_kind(n->model, pair.b);
    if (kind_b == LITHE_PART_BALL || kind_b == LITHE_PART_FACE) {
        if (node_beyond(n, pair))
            lithe_narrow_shape_ball(n, pair);
        return; // the tetrahedra of the solid touch
    }
    if (kind_a != LITHE_PART_SHAPE && kind_b != LITHE_PART_SHAPE)
        meet_lists(&p);
    else if (kind_a != LITHE_PART_SHAPE)
        meet_list_shape(&p, pair.a, pair.b);
    else if (kind_b != LITHE_PART_SHAPE)
        meet_list_shape(&p, pair.b, pair.a);
    else if (shape_beyond(n, pair.a, pair.b) || shape_beyond(n, pair.b, pair.a))
        lithe_narrow_shapes(n, pair);
    else
        meet_shapes_finely(&p);
    if (p.count > 0 && n->model->contact.merge_patches) {
        if (!LITHE_RESERVE(n->c->context, out->groups, out->group_capacity, 2 * (int64_t)p.count)) {
            out->failed = true;
            return;
        }
        bool rings = kind_a == LITHE_PART_SHAPE && kind_b == LITHE_PART_SHAPE;
        p.count = lithe_patch_merge(out->points, p.count, rings, out->groups);
    }
    if (!out->failed)
        add_contacts(&p);
}
