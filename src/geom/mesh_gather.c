// SPDX-License-Identifier: Apache-2.0
// geom/mesh_gather.c - candidates of contact points, reduced while they are found

#include "geom/mesh_gather.h"

// points closer than this fraction of the extent of a patch are one
#define SAME 0.02

// --- clusters ------------------------------------------------------------------------------------

static LitheCluster *cluster_of(LitheGather *g, Vec3 n, bool make) {
    int best = -1;
    double max = -2;
    for (int i = 0; i < g->count; i++) {
        double cosine = v3_dot(g->cluster[i].normal, n);
        if (cosine > max) {
            max = cosine;
            best = i;
        }
    }
    if (max > LITHE_FACING || g->count == LITHE_GATHER_CLUSTERS)
        return &g->cluster[best];
    if (!make)
        return NULL;
    LitheCluster *c = &g->cluster[g->count++];
    c->normal = n;
    c->u = v3_any_normal(n);
    c->v = v3_cross(n, c->u);
    for (int k = 0; k < LITHE_GATHER_SLOTS; k++)
        c->along[k] = -INFINITY;
    return c;
}

// measure of a point for a slot: depth, then extent in one of eight directions
static double measure(const LitheCluster *c, const LitheContactPoint *x, int slot) {
    static const double circle[LITHE_GATHER_DIRECTIONS][2] = {
        {1, 0},  {M_SQRT1_2, M_SQRT1_2},   {0, 1},  {-M_SQRT1_2, M_SQRT1_2},
        {-1, 0}, {-M_SQRT1_2, -M_SQRT1_2}, {0, -1}, {M_SQRT1_2, -M_SQRT1_2}};
    if (slot == 0)
        return -x->gap;
    if (slot > LITHE_GATHER_DIRECTIONS && x->gap > 0)
        return -INFINITY;
    const double *d = circle[(slot - 1) % LITHE_GATHER_DIRECTIONS];
    return d[0] * v3_dot(c->u, x->on_a) + d[1] * v3_dot(c->v, x->on_a);
}

// whether the point would change anything
bool lithe_gather_wants(LitheGather *g, const LitheContactPoint *x) {
    const LitheCluster *c = cluster_of(g, x->normal, false);
    if (!(x->gap < g->margin))
        return false;
    for (int k = 0; c && k < LITHE_GATHER_SLOTS; k++)
        if (measure(c, x, k) > c->along[k] + g->rounding)
            return true;
    return !c;
}

void lithe_gather_keep(LitheGather *g, const LitheContactPoint *x) {
    LitheCluster *c = cluster_of(g, x->normal, true);
    g->deepest = fmin(g->deepest, x->gap);
    for (int k = 0; k < LITHE_GATHER_SLOTS; k++) {
        double along = measure(c, x, k);
        if (along > c->along[k] + g->rounding) {
            c->along[k] = along;
            c->point[k] = *x;
        }
    }
}

// --- choice --------------------------------------------------------------------------------------

static bool is_among(const LitheContactPoint *points, int count, const LitheContactPoint *x,
                     double same) {
    for (int i = 0; i < count; i++)
        if (v3_distance(points[i].on_a, x->on_a) <= same)
            return true;
    return false;
}

// extent of the points of a cluster
static double extent_of(const LitheCluster *c) {
    double max = 0;
    for (int k = 1; k <= LITHE_GATHER_DIRECTIONS / 2; k++)
        max = fmax(max, c->along[k] + c->along[k + LITHE_GATHER_DIRECTIONS / 2]);
    return max;
}

// chooses from all points of a cluster, then from those that overlap, which may lie closer together
static int choose_of(const LitheGather *g, const LitheCluster *c, int room,
                     LitheContactPoint *out) {
    LitheContactPoint some[LITHE_GATHER_SLOTS], chosen[4];
    // points of the second choice beside one of the first are left out: they would count twice
    double same = SAME * extent_of(c) + fmax(0, c->along[0]) + 2 * g->rounding;
    int count = 0;
    for (int overlapping = 0; overlapping < 2; overlapping++) {
        int given = 0;
        for (int k = 0; k < LITHE_GATHER_SLOTS; k++) {
            bool fits = c->along[k] > -INFINITY && (!overlapping || c->point[k].gap <= 0);
            if (fits && !is_among(some, given, &c->point[k], 2 * g->rounding))
                some[given++] = c->point[k];
        }
        int found = lithe_contacts_choose(some, given, g->margin, 4, chosen);
        for (int i = 0; i < found && count < room; i++)
            if (!overlapping || !is_among(out, count, &chosen[i], same))
                out[count++] = chosen[i];
    }
    return count;
}

int lithe_gather_choose(const LitheGather *g, LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    bool taken[LITHE_GATHER_CLUSTERS] = {false};
    int count = 0;
    for (int round = 0; round < g->count && count < LITHE_CONTACTS_MAX; round++) {
        int best = -1;
        for (int i = 0; i < g->count; i++)
            if (!taken[i] && (best < 0 || g->cluster[i].along[0] > g->cluster[best].along[0]))
                best = i;
        taken[best] = true;
        count += choose_of(g, &g->cluster[best], LITHE_CONTACTS_MAX - count, out + count);
    }
    return count;
}
