// SPDX-License-Identifier: Apache-2.0
// record/topology.c - knots, links and writhe of the rods per frame, and reports of changes
//
// Rods that cannot pass through each other keep their knots and links. So these numbers are a check
// of the simulation: where one changes, something passed through something.

#include "record/topology.h"

#include "base/memory.h"
#include "base/status.h"
#include "data/state.h"
#include "geom/diagram.h"
#include "geom/knot.h"
#include "geom/linking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// all pairs of edges of a rod are examined: `auto` omits longer rods, which would take more time
// than the steps between two frames
enum { MAX_EDGES = 1000 };

// Max work per frame, in units of about a nanosecond, because a stop waits for it. A rod may use
// half of what is left, so that one rod cannot use all of it; a pair of edges in a linking number
// takes some 20 ns.
#define FRAME_WORK ((int64_t)LITHE_DIAGRAM_WORK)
enum { ROD_FRACTION = 2, EDGES_WORK = 20 };

enum { DETERMINANT, WRITHE, LINKED, LINKING, CHANGES };

// --- columns -------------------------------------------------------------------------------------

static const struct {
    const char *path, *axes;
    LitheColumnKind kind;
} columns[] = {
    [DETERMINANT] = {"topology/determinant", "time rod", LITHE_COLUMN_INTEGER},
    [WRITHE] = {"topology/writhe", "time rod", LITHE_COLUMN_REAL},
    [LINKED] = {"topology/linked", "time rod", LITHE_COLUMN_INTEGER},
    [LINKING] = {"topology/linking", "time pair", LITHE_COLUMN_INTEGER},
    [CHANGES] = {"topology/changes", "time", LITHE_COLUMN_INTEGER},
};

static LitheStatus add(LitheTopology *t, LitheLayout *layout, int which, int64_t count,
                       LitheError *error) {
    t->offset[which] = layout->frame_size;
    return lithe_layout_add(layout, columns[which].path, "1", columns[which].axes,
                            columns[which].kind, which == CHANGES ? 0 : 1, &count, error);
}

// names of the watched rods, one per line
static LitheStatus add_names(const LitheTopology *t, LitheLayout *layout, LitheError *error) {
    LitheBytes text = {.context = t->context};
    for (int32_t i = 0; i < t->count; i++) {
        const char *name = t->model->rods[t->rods[i]].name;
        lithe_bytes_put(&text, "\n", i > 0);
        lithe_bytes_put(&text, name, (int64_t)strlen(name));
    }
    lithe_bytes_put(&text, "", 1);
    LitheStatus status =
        text.failed ? lithe_fail_memory(error, "the names of rods")
                    : lithe_layout_add_text(layout, "topology/rods", (const char *)text.at, error);
    lithe_bytes_release(&text);
    return status;
}

// the rods of each pair with a linking number, as line numbers in topology/rods
static LitheStatus add_pairs(const LitheTopology *t, LitheLayout *layout, LitheError *error) {
    int64_t dims[2] = {t->first.count, 2};
    double *pairs = lithe_alloc_array(t->context, 2 * dims[0], sizeof *pairs);
    int32_t *line = lithe_alloc_array(t->context, t->model->rod_count, sizeof *line);
    LitheStatus status = LITHE_NO_MEMORY;
    if (pairs && line) {
        for (int32_t i = 0; i < t->count; i++)
            line[t->rods[i]] = i;
        for (int32_t k = 0; k < t->first.count; k++) {
            pairs[2 * k] = line[t->first.links[k].a];
            pairs[2 * k + 1] = line[t->first.links[k].b];
        }
        status = lithe_layout_add_constant(layout, "topology/pairs", "1", "pair rod",
                                           LITHE_COLUMN_INTEGER, 2, dims, pairs, error);
    } else {
        lithe_fail_memory(error, "the pairs of linked rods");
    }
    lithe_free(t->context, pairs);
    lithe_free(t->context, line);
    return status;
}

static LitheStatus add_columns(LitheTopology *t, LitheLayout *layout, LitheError *error) {
    LitheStatus status = add_names(t, layout, error);
    if (status == LITHE_OK)
        status = add(t, layout, DETERMINANT, t->count, error);
    if (status == LITHE_OK)
        status = add(t, layout, WRITHE, t->count, error);
    if (status == LITHE_OK && t->links_recorded)
        status = add(t, layout, LINKED, t->count, error);
    if (status == LITHE_OK && t->first.count > 0)
        status = add(t, layout, LINKING, t->first.count, error);
    if (status == LITHE_OK && t->first.count > 0)
        status = add_pairs(t, layout, error);
    return status == LITHE_OK ? add(t, layout, CHANGES, 1, error) : status;
}

// --- links ---------------------------------------------------------------------------------------

static const Vec3 *points_of(const LitheTopology *t, int32_t rod) {
    return t->points + t->model->rods[rod].node_at;
}

static int by_low_x(const void *a, const void *b) {
    const LitheRodBox *p = a, *q = b;
    if (p->low.x != q->low.x)
        return p->low.x < q->low.x ? -1 : 1;
    return p->rod - q->rod;
}

static int by_rods(const void *a, const void *b) {
    const LitheLink *p = a, *q = b;
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

static void make_boxes(LitheTopology *t) {
    t->box_count = 0;
    for (int32_t i = 0; i < t->count; i++) {
        const LitheRod *rod = &t->model->rods[t->rods[i]];
        if (!rod->closed)
            continue;
        const Vec3 *p = points_of(t, t->rods[i]);
        LitheRodBox box = {p[0], p[0], t->rods[i], rod->node_count};
        for (int32_t k = 1; k < rod->node_count; k++) {
            box.low = v3(fmin(box.low.x, p[k].x), fmin(box.low.y, p[k].y), fmin(box.low.z, p[k].z));
            box.high =
                v3(fmax(box.high.x, p[k].x), fmax(box.high.y, p[k].y), fmax(box.high.z, p[k].z));
        }
        t->boxes[t->box_count++] = box;
    }
    if (t->box_count > 1)
        qsort(t->boxes, (size_t)t->box_count, sizeof *t->boxes, by_low_x);
}

// curves that intersect have no number: the last value is kept
static int64_t last_number(const LitheLinks *links, int32_t a, int32_t b) {
    LitheLink key = {a, b, 0};
    const LitheLink *found = links->count ? bsearch(&key, links->links, (size_t)links->count,
                                                    sizeof *links->links, by_rods)
                                          : NULL;
    return found ? found->number : 0;
}

// the linking number of one pair
static void find_number(int32_t index, void *user) {
    LitheTopology *t = user;
    LitheLink *link = &t->now.links[index];
    const LitheRod *rods = t->model->rods;
    if (!lithe_linking_number(points_of(t, link->a), rods[link->a].node_count,
                              points_of(t, link->b), rods[link->b].node_count, &link->number))
        link->number = last_number(&t->before, link->a, link->b);
}

static LitheStatus give_up_links(LitheTopology *t, LitheError *error) {
    t->now.count = 0;
    return lithe_fail(
        error, LITHE_NOT_SUPPORTED,
        "linking numbers of %d closed rods: too many of their pairs are close to each "
        "other",
        (int)t->box_count);
}

// Linking numbers of all pairs whose boxes overlap; a plane separates the others, so that their
// number is 0. LITHE_NOT_SUPPORTED: there are too many.
static LitheStatus find_links(LitheTopology *t, LitheError *error) {
    t->now.count = 0;
    make_boxes(t);
    int64_t work = FRAME_WORK;
    for (int32_t i = 0; i < t->box_count; i++)
        for (int32_t k = i + 1; k < t->box_count; k++) {
            const LitheRodBox *p = &t->boxes[i], *q = &t->boxes[k];
            if (q->low.x > p->high.x)
                break;
            if (q->low.y > p->high.y || p->low.y > q->high.y || q->low.z > p->high.z ||
                p->low.z > q->high.z)
                continue;
            work -= EDGES_WORK * (int64_t)p->nodes * q->nodes;
            if (work < 0)
                return give_up_links(t, error);
            int32_t a = p->rod < q->rod ? p->rod : q->rod, b = p->rod < q->rod ? q->rod : p->rod;
            if (!LITHE_RESERVE(t->context, t->now.links, t->now.capacity, t->now.count + 1))
                return lithe_fail_memory(error, "the links of rods");
            t->now.links[t->now.count++] = (LitheLink){a, b, 0};
        }
    lithe_pool_run(t->pool, t->now.count, (double)(FRAME_WORK - work), find_number, t);
    // keeps those that are linked
    int32_t count = 0;
    for (int32_t i = 0; i < t->now.count; i++)
        if (t->now.links[i].number != 0)
            t->now.links[count++] = t->now.links[i];
    t->now.count = count;
    if (t->now.count > 1)
        qsort(t->now.links, (size_t)t->now.count, sizeof *t->now.links, by_rods);
    return LITHE_OK;
}

// --- begin and end -------------------------------------------------------------------------------

static void take_state(LitheTopology *t, const LitheState *state) {
    for (int32_t i = 0; i < t->count; i++) {
        const LitheRod *rod = &t->model->rods[t->rods[i]];
        for (int32_t k = 0; k < rod->node_count; k++)
            t->points[rod->node_at + k] = v3_load(state->q + rod->dof_at + 4 * (int64_t)k);
    }
}

static bool reserve(LitheTopology *t) {
    int64_t rods = t->model->rod_count;
    t->rods = lithe_alloc_array(t->context, rods, sizeof *t->rods);
    t->points = lithe_alloc_array(t->context, t->model->vertex_count, sizeof *t->points);
    t->determinant = lithe_alloc_array(t->context, rods, sizeof *t->determinant);
    t->writhe = lithe_alloc_array(t->context, rods, sizeof *t->writhe);
    t->linked = lithe_alloc_array(t->context, rods, sizeof *t->linked);
    t->boxes = lithe_alloc_array(t->context, rods, sizeof *t->boxes);
    return t->rods && t->points && t->determinant && t->writhe && t->linked && t->boxes;
}

LitheStatus lithe_topology_begin(LitheTopology *t, const LitheModel *model, const LitheState *state,
                                 LitheTopologyWish request, LitheLayout *layout,
                                 LitheError *error) {
    t->model = model;
    bool can_touch = model->contact.enabled && model->time.scheme != LITHE_SCHEME_STATIC;
    if (model->rod_count == 0 || request == LITHE_TOPOLOGY_NEVER ||
        (request == LITHE_TOPOLOGY_AUTO && !can_touch))
        return LITHE_OK;
    if (!reserve(t))
        return lithe_fail_memory(error, "the topology of rods");
    int32_t closed = 0;
    for (int32_t i = 0; i < model->rod_count; i++) {
        if (request == LITHE_TOPOLOGY_AUTO && model->rods[i].edge_count > MAX_EDGES) {
            t->left_out++;
            continue;
        }
        t->rods[t->count++] = i;
        closed += model->rods[i].closed;
    }
    if (t->count == 0)
        return LITHE_OK;
    t->links_recorded = closed > 1;

    // pairs with columns: those that are linked as built
    take_state(t, state);
    LitheError why = {0};
    LitheStatus status = t->links_recorded ? find_links(t, &why) : LITHE_OK;
    if (status == LITHE_NO_MEMORY) {
        if (error)
            *error = why;
        return status;
    }
    t->first = t->now;
    t->now = (LitheLinks){0};
    t->linking = lithe_alloc_array(t->context, t->first.count, sizeof *t->linking);
    if (!t->linking)
        return lithe_fail_memory(error, "the linking numbers of rods");
    return add_columns(t, layout, error);
}

void lithe_topology_release(LitheTopology *t) {
    void *blocks[] = {t->rods,  t->points,    t->determinant,  t->writhe,      t->linked,
                      t->boxes, t->now.links, t->before.links, t->first.links, t->linking};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(t->context, blocks[k]);
    *t = (LitheTopology){.context = t->context};
}

// --- one frame -----------------------------------------------------------------------------------

// how changes of one frame are reported
typedef struct Telling {
    LitheTopology *t;
    double until;
    LitheTopologyFn *on_change;
    void *user;
} Telling;

// the first time that something is undecided is reported; the last value is kept
static void undecided(const Telling *telling, const char *who, const LitheError *why) {
    LitheTopology *t = telling->t;
    if (t->undecided++ > 0 || !telling->on_change)
        return;
    LitheTopologyChange change = {.until = telling->until, .who = who, .undecided = why->text};
    telling->on_change(&change, telling->user);
}

static void changed(const Telling *telling, int32_t a, int32_t b, int64_t from, int64_t to) {
    LitheTopology *t = telling->t;
    const LitheContactDef *contact = &t->model->contact;
    // the closure of an open rod may pass through the rod when an end slips through a loop
    bool end = b < 0 && !t->model->rods[a].closed && contact->enabled && contact->certify;
    LitheTopologyChange change = {a, b, from, to, t->time, telling->until, end, NULL, NULL};
    t->changes += !end;
    if (telling->on_change)
        telling->on_change(&change, telling->user);
}

// Determinant (negative: none) and writhe from one projection. If that fails, the writhe is
// computed from all pairs of edges, or keeps its value if that takes too much work.
static int64_t update_rod(const Vec3 *points, const LitheRod *rod, LitheContext *context,
                          int64_t *work, double *writhe, LitheError *why) {
    LitheDiagram diagram = {.context = context, .work = *work / ROD_FRACTION};
    int64_t number = -1;
    double found = NAN;
    *work -= diagram.work;
    if (lithe_diagram_project(&diagram, points, rod->node_count, rod->closed, why) == LITHE_OK) {
        found = lithe_writhe_of_diagram(&diagram);
        number = lithe_knot_determinant_of_diagram(&diagram, why);
    }
    *work += diagram.work > 0 ? diagram.work : 0;
    lithe_diagram_release(&diagram);
    // all pairs of edges
    int64_t pairs = (int64_t)rod->node_count * rod->node_count / 2;
    if (isnan(found) && EDGES_WORK * pairs < *work) {
        *work -= EDGES_WORK * pairs;
        found = lithe_writhe(points, rod->node_count, rod->closed);
    }
    if (!isnan(found))
        *writhe = found;
    return number;
}

static LitheStatus update_knots(const Telling *telling, LitheError *error) {
    LitheTopology *t = telling->t;
    int64_t work = FRAME_WORK;
    for (int32_t i = 0; i < t->count; i++) {
        const LitheRod *rod = &t->model->rods[t->rods[i]];
        const Vec3 *points = points_of(t, t->rods[i]);
        LitheError why = {0};
        int64_t number = update_rod(points, rod, t->context, &work, &t->writhe[i], &why);
        if (number < 0 && why.status == LITHE_NO_MEMORY) {
            if (error)
                *error = why;
            return why.status;
        }
        // the curve intersects itself, or has too many crossings: the last value is kept
        if (number < 0) {
            if (why.status == LITHE_NOT_SUPPORTED)
                undecided(telling, rod->name, &why);
            continue;
        }
        int64_t last = (int64_t)t->determinant[i];
        t->determinant[i] = (double)number;
        if (t->updated && last > 0 && last != number)
            changed(telling, t->rods[i], -1, last, number);
    }
    return LITHE_OK;
}

// both lists are in the order of their rods
static void compare_links(const Telling *telling) {
    const LitheLinks *old = &telling->t->before, *now = &telling->t->now;
    for (int32_t i = 0, k = 0; i < old->count || k < now->count;) {
        int order = i == old->count   ? 1
                    : k == now->count ? -1
                                      : by_rods(&old->links[i], &now->links[k]);
        const LitheLink *link = order <= 0 ? &old->links[i] : &now->links[k];
        int64_t from = order <= 0 ? old->links[i].number : 0;
        int64_t to = order >= 0 ? now->links[k].number : 0;
        if (from != to)
            changed(telling, link->a, link->b, from, to);
        i += order <= 0;
        k += order >= 0;
    }
}

static LitheStatus update_links(const Telling *telling, LitheError *error) {
    LitheTopology *t = telling->t;
    LitheError why = {0};
    LitheStatus status = find_links(t, &why);
    if (status == LITHE_NOT_SUPPORTED) {
        undecided(telling, NULL, &why);
        return LITHE_OK;
    }
    if (status != LITHE_OK) {
        if (error)
            *error = why;
        return status;
    }
    if (t->updated)
        compare_links(telling);
    LitheLinks old = t->before;
    t->before = t->now;
    t->now = old;
    for (int32_t i = 0; i < t->first.count; i++)
        t->linking[i] = (double)last_number(&t->before, t->first.links[i].a, t->first.links[i].b);
    // sums per rod; only watched rods have links
    for (int32_t i = 0; i < t->count; i++)
        t->linked[i] = 0;
    for (int32_t k = 0, line = 0; k < t->before.count; k++) {
        const LitheLink *link = &t->before.links[k];
        while (t->rods[line] != link->a)
            line++;
        int32_t other = line;
        while (t->rods[other] != link->b)
            other++;
        t->linked[line] += (double)llabs(link->number);
        t->linked[other] += (double)llabs(link->number);
    }
    return LITHE_OK;
}

static LitheStatus update(const Telling *telling, LitheError *error) {
    LitheTopology *t = telling->t;
    LitheStatus status = update_knots(telling, error);
    if (status == LITHE_OK && t->links_recorded)
        status = update_links(telling, error);
    t->time = telling->until;
    t->updated = true;
    return status;
}

LitheStatus lithe_topology_update(LitheTopology *t, const LitheState *state, double *frame,
                                  LitheTopologyFn *on_change, void *user, LitheError *error) {
    if (t->count == 0)
        return LITHE_OK;
    Telling telling = {t, state->clock[0], on_change, user};
    take_state(t, state);
    LitheStatus status = update(&telling, error);
    if (status != LITHE_OK)
        return status;
    size_t each = (size_t)t->count * sizeof(double);
    memcpy(frame + t->offset[DETERMINANT], t->determinant, each);
    memcpy(frame + t->offset[WRITHE], t->writhe, each);
    if (t->links_recorded)
        memcpy(frame + t->offset[LINKED], t->linked, each);
    if (t->first.count > 0)
        memcpy(frame + t->offset[LINKING], t->linking, (size_t)t->first.count * sizeof(double));
    frame[t->offset[CHANGES]] = (double)t->changes;
    return LITHE_OK;
}

void lithe_topology_restart(LitheTopology *t) {
    if (t->count > 0)
        memset(t->determinant, 0, (size_t)t->count * sizeof(double));
    t->now.count = t->before.count = 0;
    t->changes = t->undecided = 0;
    t->updated = false;
}

bool lithe_topology_has_columns(const LitheLayout *layout) {
    return lithe_layout_find(layout, columns[DETERMINANT].path) &&
           lithe_layout_find(layout, columns[CHANGES].path);
}

LitheStatus lithe_topology_resume(LitheTopology *t, const LitheLayout *layout, const double *frame,
                                  LitheError *error) {
    if (t->count == 0)
        return LITHE_OK;
    const LitheColumn *time = lithe_layout_find(layout, "time");
    for (int32_t i = 0; i < t->count; i++) {
        const LitheRod *rod = &t->model->rods[t->rods[i]];
        char path[512];
        snprintf(path, sizeof path, "rods/%s/position", rod->name);
        const LitheColumn *column = lithe_layout_find(layout, path);
        for (int32_t k = 0; column && k < rod->node_count; k++)
            t->points[rod->node_at + k] = v3_load(frame + column->offset + 3 * (int64_t)k);
    }
    Telling telling = {t, time ? frame[time->offset] : 0, NULL, NULL};
    LitheStatus status = update(&telling, error);
    // from the frame, which has the last known value where it is undecided now
    memcpy(t->determinant, frame + t->offset[DETERMINANT], (size_t)t->count * sizeof(double));
    t->changes = (int64_t)frame[t->offset[CHANGES]];
    return status;
}

void lithe_topology_text(const LitheModel *model, const LitheTopologyChange *change, char *text,
                         size_t size) {
    if (change->undecided) {
        snprintf(text, size, "at %.6g s %.80s%s%.120s; it is not watched then", change->until,
                 change->who ? change->who : "", change->who ? ": " : "", change->undecided);
        return;
    }
    char who[200];
    if (change->b < 0)
        snprintf(who, sizeof who, "%.80s: knot determinant", model->rods[change->a].name);
    else
        snprintf(who, sizeof who, "%.80s and %.80s: linking number", model->rods[change->a].name,
                 model->rods[change->b].name);
    snprintf(text, size, "%s %lld -> %lld between %.6g s and %.6g s", who, (long long)change->from,
             (long long)change->to, change->since, change->until);
}
