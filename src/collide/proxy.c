// SPDX-License-Identifier: Apache-2.0
// collide/proxy.c - boxes around all parts, swept by the predicted motion

#include "base/memory.h"
#include "body/tree_body.h"
#include "collide/collide.h"
#include "collide/part.h"

#include "body/rod.h"
#include "body/solid.h"

// --- boxes ---------------------------------------------------------------------------------------

// the relative rounding error of a float is 2^-24: moving it outwards by 2^-23 is enough
static float below(double x) {
    float f = (float)x;
    return f - fabsf(f) * 0x1p-23f - 0x1p-126f;
}

static float above(double x) {
    float f = (float)x;
    return f + fabsf(f) * 0x1p-23f + 0x1p-126f;
}

static LitheBounds bounds_of(Vec3 low, Vec3 high, double grow) {
    return (LitheBounds){{below(low.x - grow), below(low.y - grow), below(low.z - grow), 0},
                         {above(high.x + grow), above(high.y + grow), above(high.z + grow), 0}};
}

static void bounds_join(LitheBounds *a, const LitheBounds *b) {
    for (int k = 0; k < 4; k++) {
        a->low[k] = b->low[k] < a->low[k] ? b->low[k] : a->low[k];
        a->high[k] = b->high[k] > a->high[k] ? b->high[k] : a->high[k];
    }
}

// --- rods ----------------------------------------------------------------------------------------

static LitheBeyond beyond_edge(const LitheModel *model, const LitheRod *rod, int32_t i) {
    int32_t first = (int32_t)rod->edge_at, last = rod->edge_count - 1;
    int32_t none = (int32_t)model->edge_count, wrap = rod->closed ? first : none;
    return (LitheBeyond){{i > 0         ? first + i - 1
                          : rod->closed ? first + last
                                        : none,
                          none, i < last ? first + i + 1 : wrap}};
}

// cosine of the angle by which a thing that folds back turns at one node, squared: 160 degrees
#define FOLD 0.883

// Edges of one thing, from `first` on. Where an edge turns back from the one before it (FOLD), the
// edges before and after both of them do not compare themselves with these two, which come together
// towards the node that they share (C5). A corner as built is no fold where the thing overlaps
// itself beside it from the start.
static void leave_folds(LitheContacts *c, const LitheModel *model, int32_t first, int32_t count,
                        bool closed, int32_t none) {
    const LitheSegment *edges = &c->segments[first];
    for (int32_t i = closed ? 0 : 1; i < count; i++) {
        int32_t previous = i > 0 ? i - 1 : count - 1, after = i + 1 < count ? i + 1 : 0;
        int32_t before = previous > 0 ? previous - 1 : count - 1;
        Vec3 a = edges[previous].edge, b = edges[i].edge;
        double ab = v3_dot(a, b);
        if (!(ab < 0 && ab * ab > FOLD * v3_dot(a, a) * v3_dot(b, b)) ||
            lithe_edges_overlap_as_built(model, c, first + previous, first + i))
            continue;
        if (closed || previous > 0)
            c->beyond[first + before].edge[2] = none;
        if (closed || after > 0)
            c->beyond[first + after].edge[0] = none;
    }
}

static void rod_proxies(const LitheModel *model, const LitheState *state,
                        const LitheCollideOptions *options, int32_t index, LitheContacts *c) {
    const LitheRod *rod = &model->rods[index];
    const double *q = state->q + rod->dof_at, *v = state->v + rod->dof_at;
    const LitheSectionDef *s = &rod->section;
    double *arc = c->arc + rod->edge_at + index;
    double radius = lithe_rod_contact_radius(rod), h = options->step;
    // max distance of a point of the section from the centreline
    double around = radius > 0                         ? radius
                    : s->kind == LITHE_SECTION_ELLIPSE ? 0.5 * fmax(s->width, s->height)
                                                       : 0.5 * hypot(s->width, s->height);
    if (rod->patch.count > 0)
        around = fmax(around, rod->patch.reach); // (PF3)
    Vec3 p = v3_load(q), dp = v3_scale(h, v3_load(v));
    arc[0] = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        int64_t next = i + 1 == rod->node_count ? 0 : i + 1, part = rod->edge_at + i;
        Vec3 x = v3_load(q + 4 * next), dx = v3_scale(h, v3_load(v + 4 * next));
        Vec3 low = v3_min(p, x), high = v3_max(p, x);
        double travel = 0;
        if (h > 0) {
            low = v3_min(low, v3_min(v3_add(p, dp), v3_add(x, dx)));
            high = v3_max(high, v3_max(v3_add(p, dp), v3_add(x, dx)));
            travel = sqrt(fmax(v3_dot(dp, dp), v3_dot(dx, dx)));
        }
        double thick = around + 0.5 * options->margin, wide = thick + options->glide * travel;
        travel *= fmax(1, options->glide);
        Vec3 edge = v3_sub(x, p);
        if (!options->boxes) {
            c->segments[part] = (LitheSegment){p, edge, radius, travel};
            c->beyond[part] = beyond_edge(model, rod, i);
        }
        c->boxes[part] = bounds_of(low, high, wide);
        if (!model->patches) {
            c->boxes[part].low[3] = below(-(thick + travel));
            c->boxes[part].high[3] = below(wide);
        }
        c->things[part] = index;
        arc[i + 1] = arc[i] + v3_norm(edge);
        p = x;
        dp = dx;
    }
    if (!options->boxes)
        leave_folds(c, model, (int32_t)rod->edge_at, rod->edge_count, rod->closed,
                    (int32_t)model->edge_count);
}

// rods per task
enum { RODS = 16 };
// time of an edge [ns]
#define EDGE_COST 40

typedef struct RodJob {
    const LitheModel *model;
    const LitheState *state;
    const LitheCollideOptions *options;
    LitheContacts *c;
} RodJob;

static void some_rods(int32_t task, void *user) {
    const RodJob *job = user;
    for (int32_t r = RODS * task; r < RODS * (task + 1) && r < job->model->rod_count; r++)
        rod_proxies(job->model, job->state, job->options, r, job->c);
}

// --- bodies --------------------------------------------------------------------------------------

// what the shapes of one body have in common
typedef struct Carrier {
    Pose now, ahead; // of the body
    double turn;     // angle between both [rad]; < 0: not known yet
    int32_t thing;   // its number
} Carrier;

static void geom_proxy(const LitheModel *model, const LitheCollideOptions *options, int32_t index,
                       Carrier *body, LitheContacts *c) {
    const LitheModelGeom *geom = &model->geoms[index];
    int64_t part = lithe_part_at(model, LITHE_PART_SHAPE) + index;
    bool endless = geom->geom.kind == LITHE_GEOM_HALF_SPACE;
    c->poses[index] = lithe_geom_place(body->now, geom);
    c->things[part] = body->thing;
    c->travel[index] = 0;
    Vec3 low, high;
    lithe_geom_bounds(&geom->geom, &c->poses[index], NULL, &low, &high);
    if (options->step > 0 && model->bodies[geom->body].unit >= 0) {
        LithePose then = lithe_geom_place(body->ahead, geom);
        c->ahead[index] = then;
        Vec3 low1, high1;
        lithe_geom_bounds(&geom->geom, &then, NULL, &low1, &high1);
        // points of a body that turns by an angle a are at most a^2/8 of their radius off the
        // straight path
        if (body->turn < 0)
            body->turn = q4_turn_bound(q4_mul(q4_conj(c->poses[index].q), then.q));
        double turn = body->turn;
        double bulge = endless ? 0 : geom->geom.reach * turn * turn / 8;
        Vec3 out = {bulge, bulge, bulge};
        low = v3_sub(v3_min(low, low1), out);
        high = v3_add(v3_max(high, high1), out);
        c->travel[index] = v3_distance(c->poses[index].at, then.at) +
                           (endless ? 0 : geom->geom.reach * fmin(turn, 2));
    }
    // half the margin would do, but pairs serve again after the step (lithe_collide_overlaps)
    double grow = options->margin + (geom->field ? geom->field->excess : 0);
    c->boxes[part] = bounds_of(low, high, grow + options->glide * c->travel[index]);
    c->travel[index] *= fmax(1, options->glide);
}

// --- fine surfaces -------------------------------------------------------------------------------

// velocities of what lithe_skin_positions has
static const double *velocities(const LitheModel *model, const LitheState *state,
                                const LitheContacts *c, int32_t unit,
                                const LitheFineSurface *fine) {
    return fine ? c->carried + 3 * (model->carried_count + fine->at)
                : state->v + model->units[unit].v_at;
}

// --- particles -----------------------------------------------------------------------------------

static LitheBounds ball_box(const LitheBall *ball, double radius, Vec3 dp,
                            const LitheCollideOptions *options) {
    Vec3 x = v3_add(ball->at, dp);
    double wide = radius + 0.5 * options->margin + options->glide * v3_norm(dp);
    return bounds_of(v3_min(ball->at, x), v3_max(ball->at, x), wide);
}

// moves the bits of x to places 0, 3, 6 ..; x < 2^10
static uint32_t spread_bits(uint32_t x) {
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

// so few spots are sorted by insertion
enum { FEW_SPOTS = 32 };

static void insert_spots(LitheSpot *spots, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        LitheSpot own = spots[i];
        int32_t k = i;
        for (; k > 0 && spots[k - 1].code > own.code; k--)
            spots[k] = spots[k - 1];
        spots[k] = own;
    }
}

// radix sort by code, three digits of 10 bits; equal codes keep their order
static void sort_spots(LitheSpot *spots, LitheSpot *scratch, int32_t count) {
    enum { DIGITS = 1 << 10 };
    for (int pass = 0; pass < 3; pass++) {
        int32_t start[DIGITS + 1] = {0};
        for (int32_t i = 0; i < count; i++)
            start[(spots[i].code >> 10 * pass) % DIGITS + 1]++;
        for (int k = 0; k < DIGITS; k++)
            start[k + 1] += start[k];
        for (int32_t i = 0; i < count; i++)
            scratch[start[(spots[i].code >> 10 * pass) % DIGITS]++] = spots[i];
        memcpy(spots, scratch, (size_t)count * sizeof *spots);
    }
}

// particles of a set in the order of a Morton curve through their box
static void order_balls(const LitheBallSet *set, LitheContacts *c, LitheSpot *scratch) {
    const LitheBall *balls = c->balls + set->at;
    LitheSpot *spots = c->spots + set->at;
    Vec3 low = balls[0].at, high = low;
    for (int32_t i = 1; i < set->count; i++) {
        low = v3_min(low, balls[i].at);
        high = v3_max(high, balls[i].at);
    }
    Vec3 size = v3_sub(high, low);
    double longest = fmax(size.x, fmax(size.y, size.z));
    // a position that is not finite is reported later: it gets code 0
    double scale = longest > 0 && isfinite(longest) ? 1023 / longest : 0;
    for (int32_t i = 0; i < set->count; i++) {
        double d[3];
        uint32_t code = 0;
        v3_store(v3_scale(scale, v3_sub(balls[i].at, low)), d);
        for (int k = 0; k < 3; k++)
            code |= spread_bits(d[k] >= 0 && d[k] <= 1023 ? (uint32_t)d[k] : 0) << k;
        spots[i] = (LitheSpot){code, (int32_t)set->at + i};
    }
    if (set->count <= FEW_SPOTS)
        insert_spots(spots, set->count);
    else
        sort_spots(spots, scratch, set->count);
}

// the vector at a point of a surface or at a particle, from those of lithe_skin_positions
static Vec3 vector_at(const LitheBallSet *set, const double *x, int32_t point) {
    return set->middles ? lithe_surface_middle(set->surface, x, point)
                        : v3_load(x + 3 * (int64_t)point);
}

static void ball_proxies(const LitheModel *model, const LitheState *state,
                         const LitheCollideOptions *options, int32_t index, LitheContacts *c) {
    const LitheBallSet *set = &model->ball_sets[index];
    const double *q = lithe_skin_positions(model, state, c, set->unit, set->fine);
    const double *v = velocities(model, state, c, set->unit, set->fine);
    int32_t thing = lithe_thing_number(model, set->thing);
    int64_t first = lithe_part_at(model, LITHE_PART_BALL) + set->at;
    for (int32_t i = 0; i < set->count; i++) {
        int32_t point = set->node ? set->node[i] : i;
        double travel = options->step * v3_norm(vector_at(set, v, point));
        c->balls[set->at + i] = (LitheBall){vector_at(set, q, point), set->radius[i],
                                            travel * fmax(1, options->glide), index, point};
        c->things[first + i] = thing;
    }
    if (set->count > 0)
        order_balls(set, c, c->spots + model->ball_count);
    for (int32_t i = 0; i < set->count; i++) {
        const LitheBall *ball = &c->balls[c->spots[set->at + i].ball];
        Vec3 dp = v3_scale(options->step, vector_at(set, v, ball->index));
        double radius = set->surface ? set->surface->layer : ball->radius; // (S32)
        c->boxes[first + i] = ball_box(ball, radius, dp, options);
    }
}

// --- triangles of surfaces -----------------------------------------------------------------------

static void face_proxies(const LitheModel *model, const LitheState *state,
                         const LitheCollideOptions *options, int32_t index, LitheContacts *c) {
    const LitheFaceSet *set = &model->face_sets[index];
    const double *q = lithe_skin_positions(model, state, c, set->unit, set->fine);
    const double *v = velocities(model, state, c, set->unit, set->fine);
    int32_t thing = lithe_thing_number(model, set->thing);
    int64_t first = lithe_part_at(model, LITHE_PART_FACE) + set->at;
    for (int32_t slot = 0; slot < set->count; slot++) {
        int32_t i = model->face_order[set->at + slot] - set->at;
        LitheFace *face = &c->faces[set->at + i];
        Vec3 low = {INFINITY, INFINITY, INFINITY}, high = v3_neg(low);
        double farthest = 0; // the square of the displacement
        *face = (LitheFace){.set = index, .index = i};
        for (int k = 0; k < 3; k++) {
            int64_t node = set->surface->triangles[3 * (int64_t)i + k];
            Vec3 x = v3_load(q + 3 * node), dx = v3_scale(options->step, v3_load(v + 3 * node));
            Vec3 y = v3_add(x, dx);
            face->node[k] = (int32_t)node;
            face->x[k] = x;
            low = v3_min(low, v3_min(x, y));
            high = v3_max(high, v3_max(x, y));
            double square = v3_dot(dx, dx);
            farthest = square > farthest ? square : farthest;
        }
        double travel = sqrt(farthest);
        Vec3 n = v3_cross(v3_sub(face->x[1], face->x[0]), v3_sub(face->x[2], face->x[0]));
        double size = v3_norm(n);
        face->normal = size > 0 ? v3_scale(1 / size, n) : v3(0, 0, 0);
        face->travel = travel * fmax(1, options->glide);
        // (SC6): overlaps up to the smaller depth of two triangles are found
        Vec3 in = v3_scale(-0.5 * set->surface->depths[i], face->normal);
        low = v3_min(low, v3_add(low, in));
        high = v3_max(high, v3_add(high, in));
        double wide = 0.5 * options->margin + options->glide * travel;
        c->boxes[first + slot] = bounds_of(low, high, wide);
        c->things[first + i] = thing;
    }
}

// --- tetrahedra of pressure fields ---------------------------------------------------------------

// patches are those of the present places: boxes are not swept
static void tet_proxies(const LitheModel *model, const LitheState *state, int32_t index,
                        LitheContacts *c) {
    const LitheTetSpan *span = &model->tet_spans[index];
    const double *q = state->q + model->units[span->unit].q_at;
    int32_t thing = lithe_thing_number(model, span->thing);
    int64_t first = lithe_part_at(model, LITHE_PART_TET) + span->at;
    for (int32_t i = 0; i < span->field->tet_count; i++) {
        LitheTetPart *tet = &c->tets[span->at + i];
        Vec3 low = {INFINITY, INFINITY, INFINITY}, high = v3_neg(low);
        tet->span = index;
        tet->index = i;
        for (int k = 0; k < 4; k++) {
            tet->x[k] = v3_load(q + 3 * (int64_t)span->field->tets[4 * (int64_t)i + k]);
            low = v3_min(low, tet->x[k]);
            high = v3_max(high, tet->x[k]);
        }
        c->boxes[first + i] = bounds_of(low, high, 0);
        c->things[first + i] = thing;
    }
}

// --- bundles -------------------------------------------------------------------------------------

static void add_bundle(LitheContacts *c, int32_t first, int32_t count, int32_t family) {
    LitheBundle *bundle = &c->bundles[c->bundle_count++];
    *bundle = (LitheBundle){c->boxes[first], first, count, c->things[first], family};
    for (int32_t i = 1; i < count; i++)
        bounds_join(&bundle->box, &c->boxes[first + i]);
}

// adds the bundles of the parts of one thing
static void add_bundles(LitheContacts *c, int32_t first, int32_t count, int32_t size,
                        int32_t family) {
    for (int32_t i = 0; i < count; i += size)
        add_bundle(c, first + i, count - i < size ? count - i : size, family);
}

// families of solids, whose triangles and nodes do not touch each other, are those above
enum { SOLID_FAMILIES = 1 << 30 };

static int32_t solid_family(const LitheModel *model, LitheThing thing, bool self_contact) {
    return self_contact ? -1 : SOLID_FAMILIES + lithe_thing_number(model, thing);
}

static bool is_endless(const LitheModelGeom *geom) {
    return geom->geom.kind == LITHE_GEOM_HALF_SPACE;
}

// whether the same things may touch both shapes
static bool is_alike(const LitheModelGeom *a, const LitheModelGeom *b) {
    return a->body == b->body && a->touch.group == b->touch.group &&
           a->touch.mask == b->touch.mask && is_endless(a) == is_endless(b);
}

// adds the bundles of bounded or of endless shapes; returns the number of these shapes
static int32_t add_shapes(const LitheModel *model, bool endless, int32_t size, LitheContacts *c) {
    int32_t added = 0, shapes = lithe_part_at(model, LITHE_PART_SHAPE);
    for (int32_t g = 0, count; g < model->geom_count; g += count) {
        const LitheModelGeom *first = &model->geoms[g];
        count = 1;
        while (!endless && count < size && g + count < model->geom_count &&
               is_alike(first, &model->geoms[g + count]))
            count++;
        if (is_endless(first) != endless)
            continue;
        add_bundle(c, shapes + g, count, model->families[first->body]);
        added += count;
    }
    return added;
}

static void make_bundles(const LitheModel *model, int32_t size, LitheContacts *c) {
    int32_t balls = lithe_part_at(model, LITHE_PART_BALL);
    int32_t faces = lithe_part_at(model, LITHE_PART_FACE);
    c->bundle_count = 0;
    for (int32_t r = 0; r < model->rod_count; r++)
        add_bundles(c, (int32_t)model->rods[r].edge_at, model->rods[r].edge_count, size, -1);
    int32_t shapes = add_shapes(model, false, size, c);
    for (int32_t i = 0; i < model->ball_set_count; i++) {
        const LitheBallSet *set = &model->ball_sets[i];
        add_bundles(c, balls + (int32_t)set->at, set->count, size,
                    set->surface ? solid_family(model, set->thing, set->self_contact) : -1);
    }
    for (int32_t i = 0; i < model->face_set_count; i++) {
        const LitheFaceSet *set = &model->face_sets[i];
        add_bundles(c, faces + set->at, set->count, size,
                    solid_family(model, set->thing, set->self_contact));
    }
    for (int32_t i = 0; i < model->tet_span_count; i++)
        add_bundles(c, lithe_part_at(model, LITHE_PART_TET) + model->tet_spans[i].at,
                    model->tet_spans[i].field->tet_count, size, -1);
    c->bounded_count = c->bundle_count;
    if (shapes < model->geom_count)
        add_shapes(model, true, size, c);
}

static bool reserve(const LitheModel *model, int32_t size, bool narrow, LitheContacts *c) {
    int64_t parts = c->part_count, edges = narrow ? model->edge_count : 0;
    int64_t bundles = model->edge_count / size + model->rod_count + model->geom_count +
                      model->ball_count / size + model->ball_set_count + model->face_count / size +
                      model->face_set_count + model->tet_count / size + model->tet_span_count;
    return LITHE_RESERVE(c->context, c->boxes, c->box_capacity, parts) &&
           LITHE_RESERVE(c->context, c->segments, c->segment_capacity, edges + 1) &&
           LITHE_RESERVE(c->context, c->beyond, c->beyond_capacity, edges) &&
           LITHE_RESERVE(c->context, c->travel, c->travel_capacity, model->geom_count) &&
           LITHE_RESERVE(c->context, c->balls, c->ball_capacity, model->ball_count) &&
           LITHE_RESERVE(c->context, c->spots, c->spot_capacity, 2 * model->ball_count) &&
           LITHE_RESERVE(c->context, c->faces, c->face_capacity, model->face_count) &&
           LITHE_RESERVE(c->context, c->tets, c->tet_capacity, model->tet_count) &&
           LITHE_RESERVE(c->context, c->carried, c->carried_capacity, 6 * model->carried_count) &&
           LITHE_RESERVE(c->context, c->things, c->thing_capacity, parts) &&
           LITHE_RESERVE(c->context, c->arc, c->arc_capacity,
                         model->edge_count + model->rod_count) &&
           LITHE_RESERVE(c->context, c->poses, c->pose_capacity, model->geom_count) &&
           LITHE_RESERVE(c->context, c->ahead, c->ahead_capacity, model->geom_count) &&
           LITHE_RESERVE(c->context, c->links, c->link_capacity,
                         2 * (int64_t)lithe_most_links(model)) &&
           LITHE_RESERVE(c->context, c->bundles, c->bundle_capacity, bundles);
}

// places a shape that may touch; its box is not needed
static void place_shape(const LitheModel *model, int32_t part, LithePlaces *here,
                        LitheContacts *c) {
    int32_t index = part - lithe_part_at(model, LITHE_PART_SHAPE), body = model->geoms[index].body;
    c->poses[index] = lithe_geom_place(lithe_places_body(here, model, body), &model->geoms[index]);
    c->travel[index] = 0;
    c->things[part] = lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, body + 1});
}

bool lithe_collide_pairs_again(const LitheModel *model, const LitheState *state,
                               const LitheContacts *found, const double *strayed,
                               LithePlaced *placed, LitheContacts *c) {
    int32_t shapes = lithe_part_at(model, LITHE_PART_SHAPE);
    LithePlaces here = lithe_places_kept(state, placed);
    c->part_count = found->part_count;
    c->pair_count = 0;
    c->moves = false;
    if (!reserve(model, LITHE_BUNDLE_PARTS, true, c) ||
        !LITHE_RESERVE(c->context, c->pairs, c->pair_capacity, found->count))
        return false;
    for (int32_t i = 0; i < found->count; i++) {
        const int32_t *part = found->parts[i].part;
        const LithePartPair *last = c->pair_count > 0 ? &c->pairs[c->pair_count - 1] : NULL;
        double approach = strayed[part[0] - shapes] + strayed[part[1] - shapes];
        // contacts of a pair follow each other
        if (found->contacts[i].gap > approach || (last && last->a == part[0] && last->b == part[1]))
            continue;
        c->pairs[c->pair_count++] = (LithePartPair){part[0], part[1]};
        place_shape(model, part[0], &here, c);
        place_shape(model, part[1], &here, c);
    }
    return true;
}

bool lithe_collide_proxies(const LitheModel *model, const LitheState *state,
                           const LitheCollideOptions *options, LitheContacts *c) {
    int32_t size = options->bundle > 0 ? options->bundle : LITHE_BUNDLE_PARTS;
    c->part_count = lithe_part_at(model, LITHE_PART_KINDS);
    c->moves = options->step > 0;
    if (!reserve(model, size, !options->boxes, c))
        return false;
    c->segments[options->boxes ? 0 : model->edge_count] =
        (LitheSegment){{0, 0, 0}, {0, 0, 0}, 0, 0};
    RodJob job = {model, state, options, c};
    lithe_pool_run(options->pool, (model->rod_count + RODS - 1) / RODS,
                   EDGE_COST * (double)model->edge_count, some_rods, &job);
    Carrier carrier = {.now = pose_identity(), .ahead = pose_identity()};
    int32_t first_body = lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, 1});
    LithePlaces here = options->placed ? lithe_places_kept(state, options->placed)
                                       : (LithePlaces){.state = state, .links = c->links};
    LithePlaces there = {.state = options->end ? options->end : state,
                         .time = options->end ? 0 : options->step,
                         .links = c->links + lithe_most_links(model)};
    for (int32_t g = 0; g < model->geom_count; g++) {
        int32_t body = model->geoms[g].body;
        if (g == 0 || body != model->geoms[g - 1].body) {
            carrier.now = lithe_places_body(&here, model, body);
            if (options->step > 0)
                carrier.ahead = lithe_places_body(&there, model, body);
            carrier.turn = -1;
            carrier.thing = first_body + body;
        }
        geom_proxy(model, options, g, &carrier, c);
    }
    if (model->carried_count > 0)
        lithe_carry_points(model, state, c->carried, c->carried + 3 * model->carried_count);
    for (int32_t i = 0; i < model->ball_set_count; i++)
        ball_proxies(model, state, options, i, c);
    for (int32_t i = 0; i < model->face_set_count; i++)
        face_proxies(model, state, options, i, c);
    for (int32_t i = 0; i < model->tet_span_count; i++)
        tet_proxies(model, state, i, c);
    make_bundles(model, size, c);
    return true;
}
