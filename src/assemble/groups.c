// SPDX-License-Identifier: Apache-2.0
// assemble/groups.c - points of a patch that touch the same nodes, as one group
//
// The points of an edge on a pulley, or of two tetrahedra, all move with the same few DoFs u of
// their nodes. A group gathers u once and multiplies it with four points at a time. The other way,
// the sums J' x and J' G J over its points are those of one coupling with `width` DoFs: a node
// receives one sum per group instead of one per point. Kernels: solve/group_kernel.h.

#include "assemble/assemble.h"

#include "base/memory.h"

#include <string.h>

enum {
    MIN_POINTS = 3, // fewer points in succession are couplings of their own
    LANES = 4,
};

void lithe_groups_release(LitheSystem *s) {
    void *blocks[] = {s->groups,       s->group_start,    s->group_of_start,
                      s->group_of,     s->group_jacobian, s->group_sums,
                      s->group_pushes, s->group_matrix,   s->group_lanes};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(s->context, blocks[k]);
}

static int32_t width_of(const LitheSystem *s, const LitheCoupling *c) {
    int32_t width = 0;
    for (int32_t k = 0; k < c->node_count; k++)
        width += s->node_size[c->node[k]];
    return width;
}

static bool may_join(const LitheCoupling *c) {
    return c->in_patch && c->term.rows == 3 && !c->idle;
}

static bool is_alike(const LitheCoupling *a, const LitheCoupling *b) {
    bool same = may_join(b) && a->node_count == b->node_count;
    for (int32_t k = 0; same && k < a->node_count; k++)
        same = a->node[k] == b->node[k];
    return same;
}

// number of points from coupling `first` on that form a group; 0: none
static int32_t points_of(const LitheSystem *s, int32_t first) {
    const LitheCoupling *c = &s->couplings[first];
    int32_t end = first / LITHE_COUPLINGS_PER_RANGE * LITHE_COUPLINGS_PER_RANGE, i = first + 1;
    end += LITHE_COUPLINGS_PER_RANGE;
    end = end < s->coupling_count ? end : s->coupling_count;
    if (!may_join(c) || width_of(s, c) > LITHE_GROUP_WIDTH)
        return 0;
    while (i < end && is_alike(c, &s->couplings[i]))
        i++;
    return i - first >= MIN_POINTS ? i - first : 0;
}

// Finds the groups, or only counts them. Returns their number and the sums of their sizes.
static int32_t find_groups(LitheSystem *s, bool store, LitheGroup *end) {
    int32_t count = 0;
    *end = (LitheGroup){0};
    for (int32_t i = 0, points; i<s->coupling_count; i += points> 0 ? points : 1) {
        if (store && i % LITHE_COUPLINGS_PER_RANGE == 0)
            s->group_start[i / LITHE_COUPLINGS_PER_RANGE] = count;
        points = points_of(s, i);
        if (points == 0)
            continue;
        end->first = i;
        end->count = points;
        end->width = width_of(s, &s->couplings[i]);
        if (store)
            s->groups[count] = *end;
        for (int32_t k = i; store && k < i + points; k++)
            s->couplings[k].group = 1 + count;
        count++;
        end->sum_at += end->width;
        end->jacobian_at += (int64_t)((points + LANES - 1) / LANES) * 3 * LANES * end->width;
        end->matrix_at += (int64_t)end->width * end->width;
        end->lane_at += (int64_t)((points + LANES - 1) / LANES) * LITHE_LANE_SIZE;
    }
    return count;
}

// the groups that touch each node, in their order; false when out of memory
static bool list_nodes(LitheSystem *s) {
    int64_t places = 0;
    for (int32_t g = 0; g < s->group_count; g++)
        places += s->couplings[s->groups[g].first].node_count;
    if (!LITHE_RESERVE(s->context, s->group_of_start, s->group_of_start_capacity,
                       s->node_count + 1) ||
        !LITHE_RESERVE(s->context, s->group_of, s->group_of_capacity, places))
        return false;
    int32_t *start = s->group_of_start;
    memset(start, 0, (size_t)(s->node_count + 1) * sizeof *start);
    for (int32_t g = 0; g < s->group_count; g++) {
        const LitheCoupling *c = &s->couplings[s->groups[g].first];
        for (int32_t k = 0; k < c->node_count; k++)
            start[c->node[k] + 1]++;
    }
    for (int32_t i = 0; i < s->node_count; i++)
        start[i + 1] += start[i];
    for (int32_t g = 0; g < s->group_count; g++) {
        const LitheCoupling *c = &s->couplings[s->groups[g].first];
        for (int32_t k = 0; k < c->node_count; k++)
            s->group_of[start[c->node[k]]++] = LITHE_COUPLED_STRIDE * g + k;
    }
    // shift by one: filling advanced each start to the start of the next node
    memmove(start + 1, start, (size_t)s->node_count * sizeof *start);
    start[0] = 0;
    return true;
}

bool lithe_groups_list(LitheSystem *s) {
    LitheGroup end;
    int32_t ranges = lithe_range_count(s->coupling_count, LITHE_COUPLINGS_PER_RANGE);
    s->group_count = 0;
    bool any = false;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        s->couplings[i].group = 0;
        any |= s->couplings[i].in_patch;
    }
    if (!any)
        return true;
    int32_t count = find_groups(s, false, &end);
    if (count == 0)
        return true;
    if (!LITHE_RESERVE(s->context, s->groups, s->group_capacity, count) ||
        !LITHE_RESERVE(s->context, s->group_start, s->group_start_capacity, ranges + 1) ||
        !LITHE_RESERVE(s->context, s->group_jacobian, s->group_jacobian_capacity,
                       end.jacobian_at) ||
        !LITHE_RESERVE(s->context, s->group_sums, s->group_sums_capacity, end.sum_at) ||
        !LITHE_RESERVE(s->context, s->group_pushes, s->group_pushes_capacity, end.sum_at) ||
        !LITHE_RESERVE(s->context, s->group_matrix, s->group_matrix_capacity, end.matrix_at) ||
        !LITHE_RESERVE(s->context, s->group_lanes, s->group_lanes_capacity, end.lane_at))
        return false;
    s->group_count = find_groups(s, true, &end);
    s->group_start[ranges] = count;
    return list_nodes(s);
}

// time of the blocks of a coupling [ns]
#define FILL_COST 30

// where an entry of J lies behind the first one of a point, and the distance of its rows
typedef struct Column {
    int32_t from, stride;
} Column;

static inline bool is_zero(const double *J, Column at) {
    J += at.from;
    return J[0] == 0 && J[at.stride] == 0 && J[2 * at.stride] == 0;
}

// Columns of J that are not zero in all points: a point of an edge does not move with the twist of
// the next edge. The sums of the others stay zero. The blocks of all points of a group lie at the
// same places behind the first one.
static void find_columns(LitheSystem *s, LitheGroup *g, Column used[LITHE_GROUP_WIDTH]) {
    const LitheCoupling *c = &s->couplings[g->first];
    Column all[LITHE_GROUP_WIDTH];
    uint8_t zero[LITHE_GROUP_WIDTH]; // columns that are, so far
    bool is_used[LITHE_GROUP_WIDTH];
    int32_t left = 0;
    for (int32_t k = 0; k < c->node_count; k++)
        for (int32_t j = 0, size = s->node_size[c->node[k]]; j < size; j++, left++) {
            all[left] = (Column){c->jacobian_at[k] - c->jacobian_at[0] + j, size};
            zero[left] = (uint8_t)left;
            is_used[left] = true;
        }
    for (int32_t i = 0; i < g->count && left > 0; i++) {
        const double *J = s->jacobian + c[i].jacobian_at[0];
        int32_t kept = 0;
        for (int32_t k = 0; k < left; k++) {
            zero[kept] = zero[k];
            kept += is_zero(J, all[zero[k]]);
        }
        left = kept;
    }
    for (int32_t k = 0; k < left; k++)
        is_used[zero[k]] = false;
    g->used = 0;
    for (int32_t j = 0; j < g->width; j++)
        if (is_used[j]) {
            used[g->used] = all[j];
            g->column[g->used++] = (uint8_t)j;
        }
    memset(s->group_sums + g->sum_at, 0, (size_t)g->width * sizeof(double));
    memset(s->group_pushes + g->sum_at, 0, (size_t)g->width * sizeof(double));
    memset(s->group_matrix + g->matrix_at, 0, (size_t)(g->width * g->width) * sizeof(double));
}

// Blocks of a group, four couplings side by side.
static void fill_group(LitheSystem *s, LitheGroup *g) {
    Column columns[LITHE_GROUP_WIDTH];
    find_columns(s, g, columns);
    const LitheCoupling *c = &s->couplings[g->first];
    int32_t used = g->used;
    double *to = s->group_jacobian + g->jacobian_at;
    for (int32_t i = 0; i < g->count; i += LANES, to += (ptrdiff_t)3 * LANES * used) {
        const double *J[LANES];
        int32_t lanes = g->count - i < LANES ? g->count - i : LANES;
        for (int32_t lane = 0; lane < LANES; lane++)
            J[lane] = s->jacobian + c[lane < lanes ? i + lane : i].jacobian_at[0];
        for (int32_t row = 0; row < 3; row++)
            for (int32_t n = 0; n < used; n++) {
                double *out = to + LANES * (used * row + n);
                int32_t at = columns[n].from + columns[n].stride * row;
                for (int32_t lane = 0; lane < LANES; lane++)
                    out[lane] = J[lane][at];
                for (int32_t lane = lanes; lane < LANES; lane++)
                    out[lane] = 0;
            }
    }
}

static void fill_groups(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    LitheSystem *s = user;
    (void)first, (void)after, (void)sums;
    for (int32_t g = s->group_start[range]; g < s->group_start[range + 1]; g++)
        fill_group(s, &s->groups[g]);
}

void lithe_groups_fill(LitheSystem *s) {
    double none[LITHE_RANGE_SUMS];
    if (s->group_count == 0)
        return;
    s->has_slips = false; // those of the points are in the lanes
    for (int32_t g = 0; g < s->group_count; g++)
        s->groups[g].in_matrix = s->groups[g].was_in_matrix = false;
    lithe_pool_ranges(s->pool, s->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      FILL_COST * s->coupling_count, fill_groups, s, s->partial, none);
}
