// SPDX-License-Identifier: Apache-2.0
// collide/broad.c - which boxes overlap: a tree over bundles of parts, tested against itself
//
// A bundle is a few consecutive parts of one thing with a common box: a run of edges of a rod, of
// shapes of a body, or a few particles. Consecutive edges lie near each other, so their common box
// is tight without any sorting; particles are first sorted along a space-filling curve, triangles
// of surfaces once for all steps (model/face_order.c). With bundles the tree has 12 times fewer
// leaves than parts, and most pairs of parts are excluded in groups. LITHE_BUNDLE_PARTS = 12 was
// measured (data/contacts.h); any number gives the same contacts.
//
// The tree over the bundles is balanced: each branch is split at the median of the centres along
// its longest side. It is rebuilt in each step. That costs less than computing the boxes, needs no
// refitting or rebalancing, and makes the search a pure function of the state: a step that is
// repeated or resumed finds the same pairs in the same order.
//
// Half-spaces have no finite box. They are tested against every bundle after the tree.

#include "base/memory.h"
#include "base/status.h"
#include "collide/collide.h"

#include "data/thing.h"
#include "geom/overlay.h"

#include <string.h>

typedef struct Search {
    const LitheModel *model;
    LitheContacts *c;
    bool failed;        // out of memory, or too many pairs: no more pairs are added
    LithePartPair last; // the first pair above the limit
} Search;

// plain comparisons: no NaN occurs here, and fminf would be a function call
static inline float min(float a, float b) {
    return b < a ? b : a;
}

static inline float max(float a, float b) {
    return b > a ? b : a;
}

// --- the tree ------------------------------------------------------------------------------------

static float middle(const LitheContacts *c, int32_t bundle, int axis) {
    const LitheBounds *box = &c->bundles[bundle].box;
    return box->low[axis] + box->high[axis];
}

// partitions order[0 .. count): the k smallest come first
static void split(const LitheContacts *c, int32_t *order, int32_t count, int32_t k, int axis) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = middle(c, order[low + (high - low) / 2], axis);
        int32_t i = low, j = high;
        while (i <= j) {
            while (middle(c, order[i], axis) < pivot)
                i++;
            while (middle(c, order[j], axis) > pivot)
                j--;
            if (i <= j) {
                int32_t swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

// builds the branches from `at` on; returns the next free one
static int32_t grow(LitheContacts *c, int32_t at, int32_t *order, int32_t count) {
    LitheBranch *branch = &c->branches[at];
    branch->count = count;
    branch->box = c->bundles[order[0]].box;
    branch->family = c->bundles[order[0]].family;
    if (count == 1) {
        branch->right = ~order[0];
        return at + 1;
    }
    float low[3], high[3];
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = middle(c, order[0], k);
    for (int32_t i = 1; i < count; i++) {
        const LitheBounds *box = &c->bundles[order[i]].box;
        if (c->bundles[order[i]].family != branch->family)
            branch->family = -1;
        for (int k = 0; k < 4; k++) {
            branch->box.low[k] = min(branch->box.low[k], box->low[k]);
            branch->box.high[k] = max(branch->box.high[k], box->high[k]);
        }
        for (int k = 0; k < 3; k++) {
            low[k] = min(low[k], middle(c, order[i], k));
            high[k] = max(high[k], middle(c, order[i], k));
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis])
            axis = k;
    split(c, order, count, count / 2, axis);
    int32_t right = grow(c, at + 1, order, count / 2);
    c->branches[at].right = right;
    return grow(c, right, order + count / 2, count - count / 2);
}

// --- pairs that may touch ------------------------------------------------------------------------

static bool is_ignored(const LitheModel *model, int32_t a, int32_t b) {
    uint64_t key = lithe_thing_pair(a, b);
    int32_t low = 0, high = model->ignored_count;
    // pairs with a body that is in none, such as the ground, are often before or after all
    if (high == 0 || key < model->ignored[0] || key > model->ignored[high - 1])
        return false;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (model->ignored[half] < key)
            low = half + 1;
        else
            high = half;
    }
    return low < model->ignored_count && model->ignored[low] == key;
}

// whether nothing can move a part
static bool is_fixed(const LitheModel *model, const LitheContacts *c, int32_t part) {
    if (lithe_part_kind(model, part) == LITHE_PART_SHAPE) {
        int32_t geom = part - lithe_part_at(model, LITHE_PART_SHAPE);
        return model->bodies[model->geoms[geom].body].unit < 0;
    }
    LitheContactSide side = lithe_part_ops(model, part)->side(model, c, part, 0);
    return lithe_thing_site(model, side.thing, side.part, 0, v3(0, 0, 0)).unit < 0;
}

// whether two things may touch with these shapes
static bool shapes_may_touch(const LitheModel *model, const LitheContacts *c, int32_t a,
                             int32_t b) {
    int32_t first = lithe_part_at(model, LITHE_PART_SHAPE);
    const LitheModelGeom *x = &model->geoms[a - first], *y = &model->geoms[b - first];
    if (!(x->touch.group & y->touch.mask) || !(y->touch.group & x->touch.mask) ||
        c->things[a] == c->things[b] ||
        (model->bodies[x->body].unit < 0 && model->bodies[y->body].unit < 0))
        return false;
    return model->ignored_count == 0 || !is_ignored(model, c->things[a], c->things[b]);
}

// Whether two things may touch with these parts, apart from (C1). Slots can be given instead of
// parts: all particles of a set have the same contact parameters.
static bool things_may_touch(const LitheModel *model, const LitheContacts *c, int32_t a,
                             int32_t b) {
    if (lithe_part_kind(model, a) == LITHE_PART_SHAPE &&
        lithe_part_kind(model, b) == LITHE_PART_SHAPE)
        return shapes_may_touch(model, c, a, b);
    const LithePartOps *ops_a = lithe_part_ops(model, a), *ops_b = lithe_part_ops(model, b);
    const LitheTouch *x = ops_a->touch(model, c, a), *y = ops_b->touch(model, c, b);
    if (!lithe_kinds_touch(lithe_part_kind(model, a), lithe_part_kind(model, b)) ||
        !(x->group & y->mask) || !(y->group & x->mask))
        return false;
    if (c->things[a] == c->things[b]) // nodes of a surface do not touch its own triangles
        return ops_a == ops_b && ops_a->self_contact(model, c, a);
    // points of a surface touch shapes alone: other parts would slip between them
    if ((lithe_part_surface(model, c, a) && lithe_part_kind(model, b) != LITHE_PART_SHAPE) ||
        (lithe_part_surface(model, c, b) && lithe_part_kind(model, a) != LITHE_PART_SHAPE))
        return false;
    if (is_fixed(model, c, a) && is_fixed(model, c, b))
        return false;
    return model->ignored_count == 0 || !is_ignored(model, c->things[a], c->things[b]);
}

bool lithe_parts_may_touch(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    return things_may_touch(model, c, a, b) &&
           (c->things[a] != c->things[b] || lithe_part_ops(model, a)->far(model, c, a, b));
}

// --- bundles -------------------------------------------------------------------------------------

// pairs between two questions whether the search goes on
enum { SPENT_AT_ONCE = 4096 };

// adds the pair of two slots
static void add_pair(Search *s, int32_t slot_a, int32_t slot_b) {
    LitheContacts *c = s->c;
    int32_t a = lithe_slot_part(s->model, c, slot_a), b = lithe_slot_part(s->model, c, slot_b);
    if (s->failed)
        return;
    s->failed = c->pair_count % SPENT_AT_ONCE == 0 && lithe_meter_spend(c->meter, 0);
    if (c->pair_count == s->model->contact.max_pairs) {
        s->last = (LithePartPair){a, b};
        s->failed = true;
        return;
    }
    if (c->pair_count == c->pair_capacity &&
        !LITHE_RESERVE(c->context, c->pairs, c->pair_capacity, (int64_t)c->pair_count + 1)) {
        s->failed = true;
        return;
    }
    c->pairs[c->pair_count++] = a < b ? (LithePartPair){a, b} : (LithePartPair){b, a};
}

// whether both slots are triangles that touch by contacts of their corners and edges
static bool are_faces(const Search *s, int32_t a, int32_t b) {
    int32_t first = lithe_part_at(s->model, LITHE_PART_FACE), end = first + s->model->face_count;
    return !s->model->patches && a >= first && a < end && b >= first && b < end;
}

// (SC1) two triangles that look away from each other, or share nothing when they are seen along the
// mean of their normals: of those whose boxes overlap, most do
static bool share_nothing(const LitheFace *x, const LitheFace *y) {
    return !(-v3_dot(x->normal, y->normal) > LITHE_LEAST_FACING) ||
           lithe_overlay_apart(x->x, y->x, v3_sub(x->normal, y->normal));
}

// (C10) Whether the centrelines of two edges of rods, in boxes that overlap, are farther apart than
// their contacts reach: where rods cross, most boxes overlap only at their corners.
static inline bool are_apart(const LitheBounds *a, const LitheBounds *b) {
    typedef float Lanes __attribute__((vector_size(16)));
    typedef int32_t Mask __attribute__((vector_size(16)));
    const float slack = 1 + 0x1p-16f; // rounding of what follows
    float wide = a->high[3] + b->high[3], reach = a->low[3] + b->low[3];
    Lanes al, ah, bl, bh;
    if (!(a->high[3] > 0) || !(b->high[3] > 0))
        return false;
    memcpy(&al, a->low, sizeof al);
    memcpy(&ah, a->high, sizeof ah);
    memcpy(&bl, b->low, sizeof bl);
    memcpy(&bh, b->high, sizeof bh);
    // the last lane is at most 0: contacts reach at least as far as the box
    Lanes x = al - bh + wide, y = bl - ah + wide;
    // not both are positive
    x = (Lanes)((Mask)x & (x > 0)), y = (Lanes)((Mask)y & (y > 0));
    Lanes square = x * x + y * y;
    return square[0] + square[1] + (square[2] + square[3]) > reach * reach * slack;
}

// (C1) of the parts in two slots of one thing
static bool are_far(const Search *s, const LithePartOps *ops, int32_t slot_a, int32_t slot_b) {
    int32_t a = lithe_slot_part(s->model, s->c, slot_a);
    int32_t b = lithe_slot_part(s->model, s->c, slot_b);
    return ops->far(s->model, s->c, a < b ? a : b, a < b ? b : a);
}

static void meet_self(Search *s, const LitheBundle *x) {
    const LitheContacts *c = s->c;
    const LithePartOps *ops = lithe_part_ops(s->model, x->first);
    if (x->count <= ops->self_step || !things_may_touch(s->model, c, x->first, x->first))
        return;
    for (int32_t i = x->first; i < x->first + x->count; i++)
        for (int32_t j = i + ops->self_step; j < x->first + x->count; j++)
            if (bounds_overlap(&c->boxes[i], &c->boxes[j]) && are_far(s, ops, i, j) &&
                !are_apart(&c->boxes[i], &c->boxes[j]))
                add_pair(s, i, j);
}

// whether parts of one thing may touch each other; neighbours on a surface overlap all the time
static bool may_fold(const Search *s, const LitheBundle *x, const LitheBundle *y) {
    const LithePartOps *ops = lithe_part_ops(s->model, x->first);
    return ops == lithe_part_ops(s->model, y->first) && ops->self_contact(s->model, s->c, x->first);
}

// parts of a bundle that are compared at a time
enum { AT_ONCE = 32 };

// Triangles of two bundles. Only those that reach the intersection of both boxes can meet.
static __attribute__((noinline)) void meet_faces(Search *s, const LitheBundle *x,
                                                 const LitheBundle *y, const LitheBounds *common) {
    const LitheContacts *c = s->c;
    const LithePartOps *self = x->thing == y->thing ? lithe_part_ops(s->model, x->first) : NULL;
    int32_t first = lithe_part_at(s->model, LITHE_PART_FACE);
    const int32_t *order = s->model->face_order;
    bool filtered = false;
    for (int32_t from = 0; from < y->count; from += AT_ONCE) {
        int32_t near[AT_ONCE], count = 0;
        for (int32_t k = from; k < from + AT_ONCE && k < y->count; k++) {
            near[count] = k;
            count += bounds_overlap(common, &c->boxes[y->first + k]);
        }
        for (int32_t i = 0; i < x->count && count > 0; i++) {
            int32_t a = x->first + i;
            if (!bounds_overlap(common, &c->boxes[a]))
                continue;
            for (int32_t k = 0; k < count; k++) {
                int32_t b = y->first + near[k];
                if (!bounds_overlap(&c->boxes[a], &c->boxes[b]))
                    continue;
                if (!filtered && !things_may_touch(s->model, c, x->first, y->first))
                    return;
                filtered = true;
                if (!share_nothing(&c->faces[order[a - first]], &c->faces[order[b - first]]) &&
                    (!self || are_far(s, self, a, b)))
                    add_pair(s, a, b);
            }
        }
    }
}

static void meet(Search *s, const LitheBundle *x, const LitheBundle *y) {
    const LitheContacts *c = s->c;
    if (x->thing == y->thing && !may_fold(s, x, y))
        return;
    if (x->count == 1 && y->count == 1 && x->thing != y->thing) {
        // the disks of an arm and most bodies: the boxes of the bundles are those of the parts
        if (things_may_touch(s->model, c, x->first, y->first))
            add_pair(s, x->first, y->first);
        return;
    }
    // only parts that reach the intersection of the two boxes can meet
    LitheBounds common;
    for (int k = 0; k < 4; k++) {
        common.low[k] = max(x->box.low[k], y->box.low[k]);
        common.high[k] = min(x->box.high[k], y->box.high[k]);
    }
    // the disks of an arm are near each other in all steps: the cheapest test first
    if (s->model->ignored_count > 0 && x->thing != y->thing &&
        is_ignored(s->model, x->thing, y->thing))
        return;
    if (s->model->face_count > 0 && are_faces(s, x->first, y->first)) {
        meet_faces(s, x, y, &common);
        return;
    }
    const LithePartOps *self = x->thing == y->thing ? lithe_part_ops(s->model, x->first) : NULL;
    bool filtered = false;
    for (int32_t from = y->first; from < y->first + y->count; from += AT_ONCE) {
        int32_t near[AT_ONCE], count = 0;
        for (int32_t j = from; j < from + AT_ONCE && j < y->first + y->count; j++) {
            near[count] = j;
            count += bounds_overlap(&common, &c->boxes[j]);
        }
        if (count == 0)
            continue;
        for (int32_t i = x->first; i < x->first + x->count; i++) {
            if (!bounds_overlap(&common, &c->boxes[i]))
                continue;
            for (int32_t k = 0; k < count; k++) {
                int32_t j = near[k];
                if (!bounds_overlap(&c->boxes[i], &c->boxes[j]) ||
                    are_apart(&c->boxes[i], &c->boxes[j]))
                    continue;
                // things are tested only here: most pairs of bundles have no overlapping parts
                if (!filtered && !things_may_touch(s->model, c, x->first, y->first))
                    return;
                filtered = true;
                if (!self || are_far(s, self, i, j))
                    add_pair(s, i, j);
            }
        }
    }
}

// --- the tree against itself ---------------------------------------------------------------------

// visits two branches whose boxes overlap
static void cross(Search *s, int32_t a, int32_t b) {
    const LitheContacts *c = s->c;
    const LitheBranch *x = &c->branches[a], *y = &c->branches[b];
    if (s->failed || (x->family >= 0 && x->family == y->family))
        return;
    if (x->count == 1 && y->count == 1) {
        meet(s, &c->bundles[~x->right], &c->bundles[~y->right]);
        return;
    }
    // the larger one is split
    bool split_x = x->count >= y->count;
    int32_t left = split_x ? a + 1 : b + 1, right = split_x ? x->right : y->right;
    int32_t other = split_x ? b : a;
    const LitheBounds *box = &c->branches[other].box;
    if (bounds_overlap(&c->branches[left].box, box))
        cross(s, left, other);
    if (bounds_overlap(&c->branches[right].box, box))
        cross(s, right, other);
}

static void inside(Search *s, int32_t at) {
    const LitheBranch *x = &s->c->branches[at];
    if (x->family >= 0) // shapes of one body do not touch either
        return;
    if (x->count == 1) {
        meet_self(s, &s->c->bundles[~x->right]);
        return;
    }
    inside(s, at + 1);
    inside(s, x->right);
    if (bounds_overlap(&s->c->branches[at + 1].box, &s->c->branches[x->right].box))
        cross(s, at + 1, x->right);
}

// --- half-spaces ---------------------------------------------------------------------------------

typedef struct Plane {
    int32_t part;
    double n[3], at; // outward normal; n.x = at on the plane, moved by half the margin and travel
} Plane;

static bool reaches(const Plane *plane, const LitheBounds *box) {
    double lowest = 0;
    for (int k = 0; k < 3; k++)
        lowest += plane->n[k] * (plane->n[k] > 0 ? box->low[k] : box->high[k]);
    return lowest <= plane->at;
}

static void under_bundle(Search *s, const Plane *plane, const LitheBundle *bundle) {
    const LitheContacts *c = s->c;
    if (!things_may_touch(s->model, c, bundle->first, plane->part))
        return;
    for (int32_t i = bundle->first; i < bundle->first + bundle->count; i++)
        if (reaches(plane, &c->boxes[i]))
            add_pair(s, i, plane->part);
}

static void under(Search *s, const Plane *plane, int32_t at) {
    const LitheBranch *x = &s->c->branches[at];
    if (!reaches(plane, &x->box))
        return;
    if (x->count > 1) {
        under(s, plane, at + 1);
        under(s, plane, x->right);
        return;
    }
    under_bundle(s, plane, &s->c->bundles[~x->right]);
}

// --- a few bundles -------------------------------------------------------------------------------

// a tree over so few bundles costs more than it saves
enum { FEW_BUNDLES = 24 };

static void each_with_each(Search *s, int32_t count) {
    const LitheContacts *c = s->c;
    int32_t *next = c->order; // the bundle after those of the same family that follow
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t family = c->bundles[i].family;
        bool runs = i + 1 < count && family >= 0 && c->bundles[i + 1].family == family;
        next[i] = runs ? next[i + 1] : i + 1;
    }
    for (int32_t i = 0; i < count; i++) {
        const LitheBundle *x = &c->bundles[i];
        meet_self(s, x);
        for (int32_t k = next[i]; k < count; k++) {
            const LitheBundle *y = &c->bundles[k];
            if ((x->family < 0 || x->family != y->family) && bounds_overlap(&x->box, &y->box))
                meet(s, x, y);
        }
    }
}

static LitheStatus fail_pairs(const Search *s, LitheError *error) {
    if (lithe_meter_given_up(s->c->meter))
        return lithe_fail(error, LITHE_INTERRUPTED, "the search of contacts was given up");
    if (s->c->pair_count < s->model->contact.max_pairs)
        return lithe_fail_memory(error, "the pairs of contacts");
    const char *names[2];
    const int32_t parts[2] = {s->last.a, s->last.b};
    for (int k = 0; k < 2; k++) {
        LitheContactSide side =
            lithe_part_ops(s->model, parts[k])->side(s->model, s->c, parts[k], 0);
        names[k] = lithe_thing_name(s->model, side.thing);
    }
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "contacts: more than contact.max-pairs = %d pairs of edges, shapes and "
                      "particles are near each other, the last ones of '%s' and '%s': a larger "
                      "max-pairs allows more, at up to 1 kB each",
                      (int)s->model->contact.max_pairs, names[0], names[1]);
}

enum { SORT_PAIRS = 2048 }; // more of them are not sorted

static inline bool is_after(LithePartPair x, LithePartPair y) {
    return x.a > y.a || (x.a == y.a && x.b > y.b);
}

// Pairs of shapes in the order of their parts, so that contacts are found in the order of their
// ids. A shell sort: there are few.
static void sort_pairs(LithePartPair *pairs, int32_t count) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++) {
            LithePartPair own = pairs[i];
            int32_t j = i;
            for (; j >= gap && is_after(pairs[j - gap], own); j -= gap)
                pairs[j] = pairs[j - gap];
            pairs[j] = own;
        }
}

LitheStatus lithe_collide_pairs(const LitheModel *model, double margin, LitheContacts *c,
                                LitheError *error) {
    Search s = {model, c, false, {0, 0}};
    int64_t n = c->bounded_count;
    c->pair_count = 0;
    if (n == 0)
        return LITHE_OK;
    if (!LITHE_RESERVE(c->context, c->branches, c->branch_capacity, 2 * n - 1) ||
        !LITHE_RESERVE(c->context, c->order, c->order_capacity, n))
        return lithe_fail_memory(error, "the tree of contacts");
    // pairs of shapes are sorted below: their order is the same without the tree
    bool sorted = c->part_count == model->geom_count, few = sorted && n <= FEW_BUNDLES;
    if (few) {
        each_with_each(&s, (int32_t)n);
    } else {
        for (int32_t i = 0; i < n; i++)
            c->order[i] = i;
        grow(c, 0, c->order, (int32_t)n);
        inside(&s, 0);
    }
    for (int32_t i = (int32_t)n; i < c->bundle_count; i++) {
        int32_t part = c->bundles[i].first;
        int32_t geom = part - lithe_part_at(model, LITHE_PART_SHAPE);
        const LithePose *pose = &c->poses[geom];
        Plane plane = {.part = part};
        Vec3 normal = m3_column(pose->r, 2);
        v3_store(normal, plane.n);
        plane.at = v3_dot(normal, pose->at) + 0.5 * margin + c->travel[geom];
        for (int32_t k = 0; k < n && few; k++)
            if (reaches(&plane, &c->bundles[k].box))
                under_bundle(&s, &plane, &c->bundles[k]);
        if (!few)
            under(&s, &plane, 0);
    }
    if (sorted && c->pair_count < SORT_PAIRS)
        sort_pairs(c->pairs, c->pair_count);
    return s.failed ? fail_pairs(&s, error) : LITHE_OK;
}
