// SPDX-License-Identifier: Apache-2.0
// assemble/patch_roll.c - patches that roll: a step by backward Euler takes forces of its end, but
// arms of its start
//
// A thing that rolls carries its patch along, so that the pressure in front grows and that behind
// falls. Forces of the end that act at the places of the start would resist rolling by N h v,
// (PF25). Here a patch is seen from a frame that goes along. With x the places of the points from
// their centre by stiffness c_k, in the plane across the mean normal n, and v_n the normal
// velocities at the start of the step:
//     (PF27)  L = sum of k x x',  b = sum of k x (v_n - mean of v_n by k),  v_n = mean + x.L^-1 b
//     (PF28)  f0 is increased by h k x.(P L^-1 b),  P = min(1, N r/l) along the axes of L, l its
//             principal values, r the distance of c_k from the centre of the thing that rolls
// A ball has l = N r in both directions: the force at the end is f0 - h k (v_n - v_n at the start).
// A flat face has l >> N r and keeps the stiffness against tilting at the end of the step.

#include "assemble/assemble.h"

#include "math/vec3.h"

#include <math.h>

// principal values of L below this fraction of the other one are rounding: points on a line
#define LINE 1e-9

// the points of a patch: couplings from `first` up to `after`
typedef struct Patch {
    int32_t first, after;
    Vec3 n, centre;          // mean normal, c_k
    double force, stiffness; // sums
    double speed;            // mean of v_n by stiffness
} Patch;

static bool in_patch(const LitheSystem *system, int32_t i) {
    const LitheCoupling *c = &system->couplings[i];
    return c->source == LITHE_SOURCE_CONTACT && system->contact_laws[c->index].patch;
}

static bool same_parts(const LitheContacts *contacts, int32_t i, int32_t k) {
    const int32_t *a = contacts->parts[i].part, *b = contacts->parts[k].part;
    return a[0] == b[0] && a[1] == b[1];
}

// Sums over the patch that begins at `first`
static Patch gather(const LitheAssembly *all, LitheSystem *system, int32_t first) {
    const LitheContacts *contacts = all->contacts;
    const LitheCoupling *begin = &system->couplings[first];
    Patch p = {.first = first, .after = first};
    do {
        const LitheCoupling *c = &system->couplings[p.after++];
        const LitheContact *contact = &contacts->contacts[c->index];
        LitheContactLaw *law = &system->contact_laws[c->index];
        law->speed = lithe_coupling_speed(all, system, c, 2);
        law->rolled = 0;
        p.n = v3_axpy(law->force, contact->normal, p.n);
        p.centre = v3_axpy(law->stiffness, contact->point, p.centre);
        p.force += law->force;
        p.stiffness += law->stiffness;
        p.speed += law->stiffness * law->speed;
    } while (p.after < system->coupling_count && in_patch(system, p.after) &&
             same_parts(contacts, begin->index, system->couplings[p.after].index));
    p.centre = v3_scale(1 / p.stiffness, p.centre);
    p.speed /= p.stiffness;
    return p;
}

// --- the centre of what rolls --------------------------------------------------------------------

// distance of c_k from the centre of a side, along the normal; -1: it has no rotation of its own
static double reach(const LitheAssembly *all, const Patch *p, int side) {
    const LitheContacts *contacts = all->contacts;
    int32_t index = all->work->system->couplings[p->first].index;
    int32_t part = contacts->parts[index].part[side];
    Vec3 centre;
    switch (lithe_part_kind(all->model, part)) {
    case LITHE_PART_SEGMENT: {
        const LitheSegment *edge = &contacts->segments[part];
        centre = v3_axpy(contacts->parts[index].site[side].s[0], edge->edge, edge->start);
        break;
    }
    case LITHE_PART_SHAPE:
        centre = contacts->poses[part - lithe_part_at(all->model, LITHE_PART_SHAPE)].at;
        break;
    default:
        return -1;
    }
    double along = v3_dot(p->n, v3_sub(p->centre, centre));
    return fmax(side == 0 ? along : -along, 0);
}

// how easily the nodes of a unit yield along the normal of a coupling [1/kg]
static double yield_of(const LitheAssembly *all, const LitheSystem *system, const LitheCoupling *c,
                       int32_t unit) {
    double sum = 0;
    if (unit < 0)
        return 0;
    int32_t begin = system->first_node[unit], end = begin + all->model->units[unit].node_count;
    for (int32_t k = 0; k < c->node_count; k++) {
        if (c->node[k] < begin || c->node[k] >= end)
            continue;
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + 2 * (ptrdiff_t)size;
        const double *scale = system->scale + system->node_at[c->node[k]];
        for (int32_t d = 0; d < size; d++)
            sum += J[d] * J[d] * scale[d] * scale[d];
    }
    return sum;
}

// r of (PF28): of two sides that yield the mean by how easily they do
static double radius(const LitheAssembly *all, const LitheSystem *system, const Patch *p) {
    const LitheCoupling *c = &system->couplings[p->first];
    const LitheSite *sites = all->contacts->parts[c->index].site;
    double reaches[2] = {reach(all, p, 0), reach(all, p, 1)};
    if (reaches[0] < 0 || reaches[1] < 0)
        return 0;
    if (sites[0].unit < 0 || sites[1].unit < 0)
        return reaches[sites[0].unit < 0 ? 1 : 0];
    double a = yield_of(all, system, c, sites[0].unit), b = yield_of(all, system, c, sites[1].unit);
    return a + b > 0 ? (a * reaches[0] + b * reaches[1]) / (a + b) : 0;
}

// --- forces --------------------------------------------------------------------------------------

typedef struct Plane {
    double xx, xy, yy; // L
    double bx, by;
} Plane;

// (PF28) x P L^-1 b for L = (xx, xy; xy, yy): a function of a symmetric matrix is a + b L
static void turn(const Plane *L, double limit, double *x, double *y) {
    double mean = 0.5 * (L->xx + L->yy), apart = hypot(0.5 * (L->xx - L->yy), L->xy);
    double high = mean + apart, low = mean - apart;
    double g = fmin(1, limit / high) / high;
    double g_low = low > LINE * high ? fmin(1, limit / low) / low : 0;
    double slope = apart > LINE * high ? (g - g_low) / (high - low) : 0,
           constant = g - slope * high;
    *x = constant * L->bx + slope * (L->xx * L->bx + L->xy * L->by);
    *y = constant * L->by + slope * (L->xy * L->bx + L->yy * L->by);
}

static void roll(const LitheAssembly *all, const LitheSystem *system, Patch *p) {
    double force = v3_norm(p->n), h = all->plan->h;
    p->n = force > 0 ? v3_scale(1 / force, p->n) : p->n;
    double r = force > 0 ? radius(all, system, p) : 0;
    if (!(r > 0))
        return;
    Vec3 u = v3_any_normal(p->n), v = v3_cross(p->n, u);
    Plane L = {0};
    for (int32_t i = p->first; i < p->after; i++) {
        int32_t index = system->couplings[i].index;
        const LitheContactLaw *law = &system->contact_laws[index];
        Vec3 d = v3_sub(all->contacts->contacts[index].point, p->centre);
        double x = v3_dot(d, u), y = v3_dot(d, v), k = law->stiffness;
        double moves = k * (law->speed - p->speed);
        L.xx += k * x * x, L.xy += k * x * y, L.yy += k * y * y;
        L.bx += moves * x, L.by += moves * y;
    }
    if (!(L.xx + L.yy > 0))
        return;
    double wx, wy;
    turn(&L, force * r, &wx, &wy);
    Vec3 rate = v3_axpy(wx, u, v3_scale(wy, v));
    for (int32_t i = p->first; i < p->after; i++) {
        int32_t index = system->couplings[i].index;
        LitheContactLaw *law = &system->contact_laws[index];
        Vec3 d = v3_sub(all->contacts->contacts[index].point, p->centre);
        law->rolled = h * law->stiffness * v3_dot(d, rate);
    }
}

bool lithe_patches_roll(const LitheAssembly *all, LitheSystem *system) {
    const LitheStepPlan *plan = all->plan;
    if (plan->still || plan->stage > 0 || plan->a != 1 || all->work->outcome.ahead)
        return false;
    for (int32_t i = 0; i < system->coupling_count;) {
        if (!in_patch(system, i)) {
            i++;
            continue;
        }
        Patch p = gather(all, system, i);
        i = p.after;
        if (p.after - p.first > 1 && p.stiffness > 0)
            roll(all, system, &p);
    }
    return true;
}
