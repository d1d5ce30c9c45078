// SPDX-License-Identifier: Apache-2.0
// assemble/ride.c - nodes that ride on bodies are eliminated from the problem of a step
//
// A rider s moves with a body whose velocities are w_m. It has no mass; r_s are the impulses of the
// forces on it, A_sj the blocks of its row. In the step
//     (W3)  w_s = J_s w_m + c_s
// J_s is that of the start of the step, as the Jacobians of couplings are. c_s is constant: with it
// the place of the rider is exact at the velocity of the start. Inserted, (W3) gives
//     (W4)  r_m += J_s' r_s,   A_jm += A_js J_s,   A_mm += J_s' A_st J_t
// over riders s, t and other nodes j. The rows of riders become those of the identity. The body is
// eliminated last, as nodes that couplings touch are: it has blocks with all neighbours of riders.

#include "assemble/assemble.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/unit.h"

#include <math.h>
#include <string.h>

// one rider with its carrier
typedef struct Ride {
    const LitheRider *rider;
    int32_t carrier;    // unit
    int32_t master;     // node of the carrier in the system
    int32_t width;      // DoFs of the carrier
    const double *J;    // [3][width]
    const double *free; // [3][width] with zeros for DoFs that are held
    const double *bias; // [3] c_s
} Ride;

// doubles of one rider in system->ride_J
static int64_t stride(const LitheModel *model) {
    return 6 * (int64_t)model->site_width + 3;
}

static double *memory_of(const LitheModel *model, const LitheSystem *system, int32_t unit,
                         int32_t rider) {
    int64_t before = rider;
    for (int32_t i = 0; i < unit; i++)
        before += model->units[i].rider_count;
    return system->ride_J + before * stride(model);
}

static Ride ride_of(const LitheModel *model, const LitheSystem *system, int32_t unit,
                    int32_t index) {
    const LitheRider *rider = &model->units[unit].riders[index];
    const LitheUnit *carrier = &model->units[rider->site.unit];
    const double *memory = memory_of(model, system, unit, index);
    return (Ride){.rider = rider,
                  .carrier = rider->site.unit,
                  .master = system->first_node ? system->first_node[rider->site.unit] : -1,
                  .width = (int32_t)carrier->v_count,
                  .J = memory,
                  .free = memory + 3 * carrier->v_count,
                  .bias = memory + 6 * carrier->v_count};
}

// --- Jacobians -----------------------------------------------------------------------------------

// (W3): J_s and c_s of one rider
static void set_ride(const LitheAssembly *all, int32_t unit, const LitheRider *rider, double *J) {
    static const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, none[3] = {{0, 0, 0}};
    const LitheModel *model = all->model;
    const LitheUnit *own = &model->units[unit], *carrier = &model->units[rider->site.unit];
    const LitheUnitOps *ops = lithe_unit_ops(model, rider->site.unit);
    const unsigned char *held = all->work->units[rider->site.unit].held;
    const double *v = all->state->v + carrier->v_at;
    int32_t width = (int32_t)carrier->v_count, nodes[LITHE_COUPLED_NODES];
    double *free = J + 3 * width, *bias = J + 6 * width, span = all->plan->a * all->plan->h;
    LitheSite site = rider->site;
    site.point = v3_load(all->state->q + own->q_at + lithe_unit_dof(own, rider->node));
    ops->site(model, all->state, all->work, &site, 3, axes, none, nodes, J);
    for (int32_t k = 0; k < 3 * width; k++)
        free[k] = held[k % width] ? 0 : J[k];
    bool shifts = !all->plan->still && !all->plan->velocity && span > 0;
    Vec3 exact = site.point;
    if (shifts)
        exact = pose_point(ops->place(model, all->state, &site, span), rider->at);
    v3_store(v3_sub(exact, site.point), bias);
    for (int i = 0; i < 3; i++) {
        double linear = 0;
        for (int32_t k = 0; k < width; k++)
            linear += J[width * i + k] * v[k];
        bias[i] = shifts ? bias[i] / span - linear : 0;
    }
}

bool lithe_rides_begin(const LitheAssembly *all, LitheSystem *system) {
    const LitheModel *model = all->model;
    int64_t riders = 0, blocks = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        riders += unit->rider_count;
        blocks += unit->rides && unit->rider_count == 0 ? unit->v_count * unit->v_count : 0;
    }
    system->rides = riders > 0;
    if (!LITHE_RESERVE(system->context, system->ride_J, system->ride_capacity,
                       riders * stride(model)) ||
        !LITHE_RESERVE(system->context, system->ride_own, system->ride_own_capacity, blocks))
        return false;
    for (int32_t i = 0; i < model->unit_count; i++)
        for (int32_t k = 0; k < model->units[i].rider_count; k++)
            set_ride(all, i, &model->units[i].riders[k], memory_of(model, system, i, k));
    return true;
}

void lithe_rides_follow(const LitheAssembly *all, const LitheSystem *system) {
    const LitheModel *model = all->model;
    for (int32_t i = 0; system->rides && i < model->unit_count; i++)
        for (int32_t k = 0; k < model->units[i].rider_count; k++) {
            Ride ride = ride_of(model, system, i, k);
            const double *w = all->work->units[ride.carrier].w;
            double *own =
                all->work->units[i].w + lithe_unit_dof(&model->units[i], ride.rider->node);
            for (int c = 0; c < 3; c++) {
                own[c] = ride.bias[c];
                for (int32_t d = 0; d < ride.width; d++)
                    own[c] += ride.J[ride.width * c + d] * w[d];
            }
        }
}

void lithe_rides_spread(const LitheModel *model, const LitheSystem *system, double *x) {
    for (int32_t i = 0; system->rides && i < model->unit_count; i++)
        for (int32_t k = 0; k < model->units[i].rider_count; k++) {
            Ride ride = ride_of(model, system, i, k);
            const double *from = x + system->node_at[ride.master];
            double *own = x + system->node_at[system->first_node[i] + ride.rider->node];
            for (int c = 0; c < 3; c++) {
                own[c] = 0;
                for (int32_t d = 0; d < ride.width; d++)
                    own[c] += ride.free[ride.width * c + d] * from[d];
            }
        }
}

void lithe_rides_push(const LitheModel *model, const LitheSystem *system, const LitheWork *work,
                      int32_t carrier, double scale, double *sum) {
    for (int32_t i = 0; i < model->unit_count; i++)
        for (int32_t k = 0; k < model->units[i].rider_count; k++) {
            Ride ride = ride_of(model, system, i, k);
            const double *r = work->units[i].r + lithe_unit_dof(&model->units[i], ride.rider->node);
            for (int32_t d = 0; ride.carrier == carrier && d < ride.width; d++)
                for (int c = 0; c < 3; c++)
                    sum[d] += scale * ride.J[ride.width * c + d] * r[c];
        }
}

// --- the matrix ----------------------------------------------------------------------------------

// the node that a node of a unit moves with: the carrier of a rider, or itself
static int32_t mover(const LitheModel *model, const LitheSystem *system, int32_t unit,
                     int32_t node) {
    const int32_t *rider_of = model->units[unit].rider_of;
    int32_t rider = rider_of[node - system->first_node[unit]];
    return rider < 0 ? node : system->first_node[model->units[unit].riders[rider].site.unit];
}

bool lithe_rides_pairs(const LitheModel *model, LitheSystem *system) {
    for (int32_t i = 0; system->rides && i < model->unit_count; i++) {
        int32_t first = system->first_node[i], from = system->pairs.count;
        if (first < 0 || model->units[i].rider_count == 0)
            continue;
        // all pairs of the unit, of which some have a rider
        if (!lithe_unit_ops(model, i)->pattern(model, i, first, &system->pairs))
            return false;
        int32_t kept = from;
        for (int32_t k = from; k < system->pairs.count; k++) {
            LitheBlockPair pair = system->pairs.data[k];
            LitheBlockPair moved = {mover(model, system, i, pair.a),
                                    mover(model, system, i, pair.b)};
            if (moved.a != moved.b && (moved.a != pair.a || moved.b != pair.b))
                system->pairs.data[kept++] = moved;
        }
        system->pairs.count = kept;
    }
    return true;
}

static double *block_at(const LitheSystem *system, int32_t row, int32_t column) {
    int32_t entry = lithe_block_find(system->matrix, row, column);
    LITHE_ASSERT(entry >= 0); // it is in the pattern (lithe_rides_pairs)
    return system->A + system->matrix->value_at[entry];
}

// both nodes ride: J_s' B J_t, and its transpose unless s is t. One column of B J_t at a time.
static void fold_both(const LitheSystem *system, const Ride *s, const Ride *t, bool same,
                      const double B[9]) {
    bool swap = s->master < t->master, mirror = s->master == t->master && !same;
    const Ride *row = swap ? t : s, *column = swap ? s : t;
    double *to = block_at(system, row->master, column->master);
    const double *J = s->free, *K = J + s->width, *L = K + s->width;
    int32_t along = swap ? row->width : 1, across = swap ? 1 : row->width;
    for (int32_t j = 0; j < t->width; j++) {
        double x = t->free[j], y = t->free[t->width + j], z = t->free[2 * t->width + j];
        double a = B[0] * x + B[3] * y + B[6] * z;
        double b = B[1] * x + B[4] * y + B[7] * z;
        double c = B[2] * x + B[5] * y + B[8] * z;
        double *own = to + across * j, *other = to + along * j;
        for (int32_t i = 0; i < s->width; i++)
            own[along * i] += J[i] * a + K[i] * b + L[i] * c;
        for (int32_t i = 0; mirror && i < s->width; i++)
            other[across * i] += J[i] * a + K[i] * b + L[i] * c;
    }
}

// one node rides: its block with the node `other` goes to its carrier; B has the row of `other`
static void fold_one(const LitheSystem *system, const Ride *s, int32_t other, const double B[9]) {
    LITHE_ASSERT(other > s->master); // bodies are numbered before what rides on them
    double *to = block_at(system, other, s->master);
    for (int32_t j = 0; j < s->width; j++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                to[3 * j + i] += B[3 * k + i] * s->free[s->width * k + j];
}

// (W4) for the blocks of a unit
static void fold_blocks(const LitheModel *model, LitheSystem *system, int32_t unit) {
    const LitheBlockMatrix *m = system->matrix;
    const int32_t *rider_of = model->units[unit].rider_of;
    int32_t first = system->first_node[unit], after = first + model->units[unit].node_count;
    for (int32_t b = first; b < after; b++)
        for (int32_t entry = m->start[b]; entry < m->start[b + 1]; entry++) {
            int32_t a = m->row[entry];
            if (a >= after || (rider_of[a - first] < 0 && rider_of[b - first] < 0))
                continue;
            double *own = system->A + m->value_at[entry], B[9];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    // of a diagonal block only the lower triangle is valid
                    B[3 * j + i] = a == b && i < j ? own[3 * i + j] : own[3 * j + i];
                }
            memset(own, 0, sizeof B);
            for (int i = 0; a == b && i < 3; i++)
                own[4 * i] = 1;
            if (rider_of[a - first] >= 0 && rider_of[b - first] >= 0) {
                Ride s = ride_of(model, system, unit, rider_of[a - first]);
                Ride t = ride_of(model, system, unit, rider_of[b - first]);
                fold_both(system, &s, &t, a == b, B);
            } else if (rider_of[b - first] >= 0) {
                Ride s = ride_of(model, system, unit, rider_of[b - first]);
                fold_one(system, &s, a, B);
            } else {
                Ride s = ride_of(model, system, unit, rider_of[a - first]);
                double turned[9];
                for (int k = 0; k < 9; k++)
                    turned[k] = B[3 * (k % 3) + k / 3];
                fold_one(system, &s, b, turned);
            }
        }
}

// (W4) for a term u u': u_m += J_s' u_s
static void fold_ranks(LitheSystem *system, const Ride *s, int32_t node) {
    LitheBlockMatrix *m = system->matrix;
    for (int32_t k = 0; k < m->rank_count; k++) {
        double *u = m->rank + (int64_t)k * m->at[m->count];
        for (int c = 0; c < 3; c++) {
            double *own = u + m->at[node] + c;
            for (int32_t d = 0; d < s->width; d++)
                u[m->at[s->master] + d] += s->free[s->width * c + d] * *own;
            *own = 0;
        }
    }
}

// keeps the own blocks of carriers, and clears those between them and other units
static void clear_carriers(const LitheModel *model, LitheSystem *system) {
    const LitheBlockMatrix *m = system->matrix;
    double *own = system->ride_own;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        if (!unit->rides || unit->rider_count > 0)
            continue;
        int32_t entry = m->start[system->first_node[i]];
        int32_t end = m->start[system->first_node[i] + 1];
        memcpy(own, system->A + m->value_at[entry],
               (size_t)(unit->v_count * unit->v_count) * sizeof(double));
        own += unit->v_count * unit->v_count;
        memset(system->A + m->value_at[entry + 1], 0,
               (size_t)(m->value_at[end] - m->value_at[entry + 1]) * sizeof(double));
    }
}

static void scale_carriers(const LitheModel *model, LitheSystem *system) {
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t i = 0; i < model->unit_count; i++) {
        if (!model->units[i].rides || model->units[i].rider_count > 0)
            continue;
        int32_t node = system->first_node[i], at = system->node_at[node];
        int32_t size = system->node_size[node];
        const double *D = system->A + m->value_at[m->start[node]];
        for (int32_t k = 0; k < size; k++) {
            double a = D[(size + 1) * k];
            system->scale[at + k] = system->held[at + k] || a == 0 ? 0 : 1 / sqrt(fabs(a));
        }
    }
}

void lithe_rides_fold(const LitheAssembly *all, bool matrix, LitheSystem *system) {
    const LitheModel *model = all->model;
    if (!system->rides)
        return;
    if (matrix)
        clear_carriers(model, system);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        for (int32_t k = 0; k < unit->rider_count; k++) {
            Ride s = ride_of(model, system, i, k);
            const double *r = all->work->units[i].r + lithe_unit_dof(unit, s.rider->node);
            double *to = system->r + system->node_at[s.master];
            for (int32_t d = 0; d < s.width; d++)
                for (int c = 0; c < 3; c++)
                    to[d] += s.free[s.width * c + d] * r[c];
            if (matrix)
                fold_ranks(system, &s, system->first_node[i] + s.rider->node);
        }
        if (matrix && unit->rider_count > 0)
            fold_blocks(model, system, i);
    }
    if (matrix)
        scale_carriers(model, system);
}

double lithe_rides_own(const LitheAssembly *all, const LitheSystem *system, int32_t unit,
                       const double *d) {
    const LitheModel *model = all->model;
    const double *own = system->ride_own;
    double sum = 0;
    for (int32_t i = 0; i < unit; i++)
        if (model->units[i].rides && model->units[i].rider_count == 0)
            own += model->units[i].v_count * model->units[i].v_count;
    int64_t n = model->units[unit].v_count;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) // the lower triangle
            sum += (i == j ? 0.5 : 1) * d[i] * own[n * j + i] * d[j];
    return sum;
}

// --- impulses ------------------------------------------------------------------------------------

void lithe_rides_hand_back(const LitheAssembly *all, const LitheSystem *system) {
    const LitheModel *model = all->model;
    for (int32_t i = 0; system->rides && i < model->unit_count; i++)
        for (int32_t k = 0; k < model->units[i].rider_count; k++) {
            Ride s = ride_of(model, system, i, k);
            LitheUnitWork *own = &all->work->units[i], *body = &all->work->units[s.carrier];
            int64_t at = lithe_unit_dof(&model->units[i], s.rider->node);
            for (int c = 0; c < 3; c++) {
                double impulse = own->r[at + c];
                own->impulse[at + c] = impulse;
                own->r[at + c] = 0;
                for (int32_t d = 0; d < s.width; d++) {
                    body->impulse[d] -= s.J[s.width * c + d] * impulse;
                    body->r[d] += s.J[s.width * c + d] * impulse;
                }
            }
        }
}

void lithe_rides_forces(const LitheModel *model, const LitheState *state, const LitheWork *work,
                        double h, double *sum) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        for (int32_t k = 0; k < unit->rider_count; k++) {
            const LitheRider *rider = &unit->riders[k];
            const LitheUnit *carrier = &model->units[rider->site.unit];
            int64_t at = lithe_unit_dof(unit, rider->node);
            LitheSite site = rider->site;
            site.point = v3_load(state->q + unit->q_at + at);
            // one row: the power of the force
            Vec3 force = v3_scale(-1 / h, v3_load(work->units[i].r + at)), none = v3(0, 0, 0);
            int32_t nodes[LITHE_COUPLED_NODES];
            double *row = work->units[rider->site.unit].impulse; // free until the solve
            lithe_unit_ops(model, rider->site.unit)
                ->site(model, state, work, &site, 1, &force, &none, nodes, row);
            for (int64_t d = 0; d < carrier->v_count; d++)
                sum[carrier->v_at + d] += row[d];
        }
    }
}
