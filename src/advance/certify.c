// SPDX-License-Identifier: Apache-2.0
// advance/certify.c - after a step: did a rod pass through a rod, a rod or a particle through the
// surface of a body, a body through a body, or a node of a soft surface through a body?
//
// Most pairs are excluded by lengths alone: centrelines that start d apart cannot meet while the
// sum of their displacements is less than d (Z1). The others get the exact test.
// docs/theory/collision.md.

#include "advance/certify_parts.h"

#include "body/rod.h"
#include "body/tree_body.h"
#include "collide/ties.h"
#include "data/thing.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

// displacements up to this fraction of the smallest radius are small: (Z3)
#define SMALL_FRACTION 0.5

// What lengths may leave out of the distance of two parts: the end of a step that is nearer than
// LITHE_NEAR is a crossing, and edges have no contact where they are nearer by half of this
// (collide/narrow_segments.c).
#define LEFT_OUT 1e-2

static const LithePartMotion *kind_of(const LitheMotion *m, int32_t part) {
    return &lithe_part_motions[lithe_part_kind(m->model, part)];
}

// the test of two parts (a < b), or NULL
static LitheCrossingTest *test_of(const LitheModel *model, int32_t a, int32_t b) {
    return lithe_crossing_tests[lithe_part_kind(model, a)][lithe_part_kind(model, b)];
}

// --- all pairs -----------------------------------------------------------------------------------

// whether the model has parts that the certificate tests
static bool can_cross(const LitheModel *model) {
    for (int a = 0; a < LITHE_PART_KINDS; a++)
        for (int b = a; b < LITHE_PART_KINDS; b++)
            if (lithe_crossing_tests[a][b] && lithe_part_count(model, a) > 0 &&
                lithe_part_count(model, b) > (a == b && a != LITHE_PART_SEGMENT))
                return true;
    return false;
}

static double thinnest(const LitheModel *model) {
    double radius = INFINITY;
    for (int32_t i = 0; i < model->rod_count; i++)
        radius = fmin(radius, lithe_rod_half_thickness(&model->rods[i]));
    return radius;
}

// parts or contacts per task
enum { AT_ONCE = 512 };
// contacts that are checked at once before their work is spent
enum { SPENT_AT_ONCE = 64 };
// time of the check of a part, and of a contact [ns]
#define PART_COST 20
#define CONTACT_COST 60
// of the search for neighbours along a thing, of a part
#define CLOSE_COST 4

typedef struct Check {
    const LitheMotion *m;
    double small;      // displacements up to this are small [m]
    bool alone;        // all parts are of one kind
    atomic_int number; // number of parts that moved farther; or index of the first contact that
                       // crossed
    atomic_bool large; // a displacement is not small
} Check;

static void check_some_parts(int32_t task, void *user) {
    Check *check = user;
    const LitheMotion *m = check->m;
    const LitheContacts *c = m->work->contacts;
    for (int32_t part = AT_ONCE * task; part < AT_ONCE * (task + 1) && part < c->part_count;
         part++) {
        const LithePartMotion *kind = kind_of(m, part);
        double travel = lithe_part_ops(m->model, part)->travel(m->model, c, part);
        double displacement = kind->displacement(m, part);
        double radius = check->alone ? kind->own_radius(m, part) : kind->radius(m, part);
        bool large = kind->along && displacement > check->small;
        if ((large && !(kind->within && kind->within(m, part, check->small))) ||
            displacement > (1 - LEFT_OUT) * radius + travel + 0.5 * m->work->outcome.margin) {
            atomic_fetch_add(&check->number, 1);
            return;
        }
        if (large)
            atomic_store(&check->large, true);
    }
}

static int32_t tasks_of(int32_t count) {
    return (count + AT_ONCE - 1) / AT_ONCE;
}

// which pairs can have met
typedef enum Suspects {
    NEAR_CONTACTS, // (Z2), (Z3): those found and their neighbours
    SEARCHED,      // (Z2) alone: those whose boxes met in the contact search
    ANY,           // a part moved farther than the search predicted
} Suspects;

static Suspects find_suspects(const LitheMotion *m) {
    int32_t count = m->work->contacts->part_count;
    Check check = {.m = m, .small = SMALL_FRACTION * thinnest(m->model)};
    check.alone = lithe_part_kind(m->model, 0) == lithe_part_kind(m->model, count - 1);
    lithe_pool_run(m->work->pool, tasks_of(count), PART_COST * count, check_some_parts, &check);
    if (atomic_load(&check.number) > 0)
        return ANY;
    return atomic_load(&check.large) ? SEARCHED : NEAR_CONTACTS;
}

// reports a crossing, a < b
static void note(const LitheMotion *m, int32_t a, int32_t b, LitheCrossing *crossing) {
    const LitheContacts *c = m->work->contacts;
    *crossing = (LitheCrossing){true, lithe_part_ops(m->model, a)->side(m->model, c, a, 0),
                                lithe_part_ops(m->model, b)->side(m->model, c, b, 0), false};
}

// the part itself, or the one before or after it; -1: there is none
static int32_t beside(const LitheMotion *m, int32_t part, int32_t by) {
    return by == 0 ? part : kind_of(m, part)->beside(m, part, by);
}

// Tests a pair that is near, and the neighbours of its edges: a contact at a node has the id of one
// edge.
static void check_near(const LitheMotion *m, int32_t a, int32_t b, LitheCrossing *crossing) {
    for (int k = 0; k < 9 && !crossing->found; k++) {
        int32_t p = beside(m, a, k / 3 - 1), q = beside(m, b, k % 3 - 1);
        if (p < 0 || q < 0 || p == q)
            continue;
        int32_t first = p < q ? p : q, second = p < q ? q : p;
        if (lithe_parts_may_touch(m->model, m->work->contacts, first, second) &&
            !lithe_are_tied(m->model, m->before, m->work->contacts,
                            (LithePartPair){first, second}) &&
            test_of(m->model, first, second)(m, first, second))
            note(m, first, second, crossing);
    }
}

// what (Z1) reads of a pair of parts: the same for all of its contacts
typedef struct PairMotion {
    int32_t part[2];
    bool tested;  // there is a test for it
    double radii; // sum of both [m]
    double moved; // sum of both displacements [m]
} PairMotion;

static PairMotion pair_motion(const LitheMotion *m, int32_t a, int32_t b) {
    PairMotion pair = {.part = {a, b}, .tested = test_of(m->model, a, b) != NULL};
    if (!pair.tested)
        return pair;
    const LithePartMotion *x = kind_of(m, a), *y = kind_of(m, b);
    pair.radii =
        x == y ? x->own_radius(m, a) + x->own_radius(m, b) : x->radius(m, a) + y->radius(m, b);
    pair.moved = x->displacement(m, a) + y->displacement(m, b);
    return pair;
}

// `pair` is that of the contact before, if it has the same parts
static bool check_contact(const LitheMotion *m, int32_t index, PairMotion *pair,
                          LitheCrossing *crossing) {
    const int32_t *part = m->work->contacts->parts[index].part;
    if (part[0] != pair->part[0] || part[1] != pair->part[1])
        *pair = pair_motion(m, part[0], part[1]);
    double gap = m->work->contacts->contacts[index].gap;
    // (Z1)
    if (!pair->tested || pair->moved < gap + (1 - LEFT_OUT) * pair->radii)
        return false;
    *crossing = (LitheCrossing){0};
    check_near(m, part[0], part[1], crossing);
    return crossing->found;
}

static void check_some_contacts(int32_t task, void *user) {
    Check *check = user;
    int32_t count = check->m->work->contacts->count;
    PairMotion pair = {.part = {-1, -1}};
    LitheCrossing crossing;
    for (int32_t i = AT_ONCE * task; i < AT_ONCE * (task + 1) && i < count; i++) {
        if (i % SPENT_AT_ONCE == 0 && lithe_meter_spend(&check->m->work->meter, SPENT_AT_ONCE))
            return;
        if (!check_contact(check->m, i, &pair, &crossing))
            continue;
        // keep the smallest number of all threads
        int first = atomic_load(&check->number);
        while (i < first && !atomic_compare_exchange_weak(&check->number, &first, i))
            continue;
        return;
    }
}

// tests the pairs that the contact search found
static void check_contacts(const LitheMotion *m, LitheCrossing *crossing) {
    Check check = {.m = m, .number = INT_MAX};
    int32_t count = m->work->contacts->count;
    lithe_pool_run(m->work->pool, tasks_of(count), CONTACT_COST * count, check_some_contacts,
                   &check);
    int first = atomic_load(&check.number);
    PairMotion pair = {.part = {-1, -1}};
    if (first < INT_MAX)
        check_contact(m, first, &pair, crossing);
}

// --- parts of one thing that are close along it --------------------------------------------------

// parts per task: most are left at once
enum { CLOSE_AT_ONCE = 4096 };

typedef struct CheckClose {
    const LitheMotion *m;
    const LithePartOps *ops;
    int32_t first, after; // parts of one kind
    atomic_int number;    // of the first part that passed through one that is close along its thing
} CheckClose;

static void check_some_close(int32_t task, void *user) {
    CheckClose *check = user;
    const LitheMotion *m = check->m;
    int32_t part = check->first + CLOSE_AT_ONCE * task, to = part + CLOSE_AT_ONCE;
    to = to < check->after ? to : check->after;
    for (; part < to; part++) {
        part = check->ops->next_unclear(m->model, m->work->contacts, part, to);
        if (lithe_meter_spend(&m->work->meter, 1))
            return;
        if (part >= to || kind_of(m, part)->passed_close(m, part) < 0)
            continue;
        // keep the smallest number of all threads
        int first = atomic_load(&check->number);
        while (part < first && !atomic_compare_exchange_weak(&check->number, &first, part))
            continue;
        return;
    }
}

// tests the pairs that every search leaves out
static void check_close(const LitheMotion *m, LitheCrossing *crossing) {
    for (int kind = 0; kind < LITHE_PART_KINDS && !crossing->found; kind++) {
        int32_t at = lithe_part_at(m->model, kind), count = lithe_part_count(m->model, kind);
        CheckClose check = {m, &lithe_part_kinds[kind], at, at + count, INT_MAX};
        if (!check.ops->next_unclear)
            continue;
        lithe_pool_run(m->work->pool, (count + CLOSE_AT_ONCE - 1) / CLOSE_AT_ONCE,
                       CLOSE_COST * count, check_some_close, &check);
        int part = atomic_load(&check.number);
        if (part == INT_MAX)
            continue;
        int32_t other = kind_of(m, part)->passed_close(m, part), a = part < other ? part : other;
        int32_t b = part < other ? other : part;
        note(m, a, b, crossing);
        crossing->close = !lithe_parts_may_touch(m->model, m->work->contacts, a, b);
    }
}

// --- the whole motion ----------------------------------------------------------------------------

// mean velocities over a step with stages, from the difference of its end and start
static void mean_velocities(const LitheMotion *m, double h, double *v) {
    for (int32_t i = 0; i < m->model->unit_count; i++) {
        const LitheUnit *unit = &m->model->units[i];
        double *own = v + unit->v_at;
        lithe_unit_ops(m->model, i)->difference(m->model, i, m->before, m->after, own);
        for (int64_t k = 0; k < unit->v_count; k++)
            own[k] /= h;
    }
}

// tests all pairs whose boxes overlapped in a search
static void check_pairs(const LitheMotion *m, const LitheContacts *c, LitheCrossing *crossing) {
    for (int32_t i = 0; i < c->pair_count && !crossing->found; i++) {
        if (lithe_meter_spend(&m->work->meter, 1))
            return;
        int32_t a = c->pairs[i].a, b = c->pairs[i].b;
        LitheCrossingTest *crosses = test_of(m->model, a, b);
        if (crosses && !lithe_are_tied(m->model, m->before, c, c->pairs[i]) && crosses(m, a, b))
            note(m, a, b, crossing);
    }
}

// tests all pairs whose boxes, swept from before to after, overlap
static LitheStatus check_motion(const LitheMotion *m, double h, LitheCrossing *crossing,
                                LitheError *error) {
    LitheContacts *sweep = m->work->sweep;
    const LitheModel *model = m->model;
    LitheState moving = *m->before;
    moving.v = m->work->displacements;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitWork *unit = &m->work->units[i];
        memcpy(moving.v + model->units[i].v_at, unit->w, (size_t)unit->dof_count * sizeof(double));
    }
    if (m->work->stage.made)
        mean_velocities(m, h, moving.v);
    // zones of ties need the places on edges
    LitheCollideOptions options = {.step = h,
                                   .end = m->work->stage.made ? m->after : NULL,
                                   .boxes = model->tie_zone_count == 0};
    if (!lithe_collide_proxies(model, &moving, &options, sweep))
        return lithe_fail_memory(error, "the boxes of a motion");
    LitheStatus status = lithe_collide_pairs(model, 0, sweep, error);
    if (status != LITHE_OK)
        return status;
    check_pairs(m, sweep, crossing);
    return LITHE_OK;
}

// the next step starts where this one ends
static void exchange_placed(LitheWork *work) {
    LithePlaced placed = work->placed[0];
    work->placed[0] = work->placed[1];
    work->placed[1] = placed;
}

LitheStatus lithe_certify(const LitheModel *model, const LitheState *before,
                          const LitheState *after, const LitheAttempt *attempt, LitheWork *work,
                          LitheCrossing *crossing, LitheError *error) {
    LitheMotion m = {model, before, after, work, INFINITY};
    *crossing = (LitheCrossing){0};
    work->outcome.strayed = INFINITY;
    if (!model->contact.enabled || !model->contact.certify)
        return LITHE_OK;
    LithePlaces places[2] = {lithe_places_kept(before, &work->placed[0]),
                             lithe_places_kept(after, &work->placed[1])};
    LitheStatus status = lithe_certify_faces(model, before, after, places, work, crossing, error);
    if (status != LITHE_OK || crossing->found || !can_cross(model))
        return status;
    Pose begin = pose_identity(), end = pose_identity();
    double turn = 0;
    if (lithe_stay_near(model, attempt, work, &places[0], &places[1])) {
        exchange_placed(work);
        return LITHE_OK;
    }
    for (int32_t g = 0; g < model->geom_count; g++) {
        bool another = g == 0 || model->geoms[g].body != model->geoms[g - 1].body;
        if (another)
            end = lithe_places_body(&places[1], model, model->geoms[g].body);
        if (another && work->outcome.ahead)
            begin = lithe_places_body(&places[0], model, model->geoms[g].body);
        work->moved[g] = lithe_geom_displacement(&m, g, begin, end, another, &turn);
        for (int32_t i = 0; i < model->ball_set_count; i++)
            if (model->ball_sets[i].surface)
                m.wall = fmin(m.wall,
                              lithe_surface_depth(model->ball_sets[i].surface, &model->geoms[g]));
    }
    exchange_placed(work);
    check_close(&m, crossing);
    if (crossing->found)
        return LITHE_OK;
    // with held contacts, or contacts searched at a predicted configuration, the swept motion is
    // tested, whatever margin the search had
    Suspects suspects = work->outcome.ahead || attempt->held ? ANY : find_suspects(&m);
    if (suspects == ANY)
        return check_motion(&m, attempt->h, crossing, error);
    if (suspects == SEARCHED)
        check_pairs(&m, work->contacts, crossing);
    else
        check_contacts(&m, crossing);
    return LITHE_OK;
}
