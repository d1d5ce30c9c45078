// SPDX-License-Identifier: Apache-2.0
// assemble/coupling.c - one coupling: rows that measure the motion of points, and their Jacobians
//
// Until lithe_system_number, the nodes of couplings have their numbers in the whole model.

#include "assemble/assemble.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/unit.h"

#include <stddef.h>
#include <string.h>

// --- adding --------------------------------------------------------------------------------------

void lithe_coupling_set(LitheCoupling *c, LitheCouplingSource source, int32_t index, int32_t rows) {
    // nodes and rows are set one by one, and the term when its law is known
    memset((char *)c + offsetof(LitheCoupling, source), 0,
           offsetof(LitheCoupling, node) - offsetof(LitheCoupling, source));
    c->source = source;
    c->index = index;
    c->term.rows = rows;
    c->weight = 1;
    c->held_at = -1;
}

// a larger copy of an array of the couplings; NULL when out of memory
static void *copied(LitheContext *context, const void *from, int32_t count, int64_t capacity,
                    size_t size) {
    void *to = capacity > INT32_MAX ? NULL : lithe_alloc_array(context, capacity, size);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * size);
    return to;
}

// Both arrays are pointed into: the pointers of the couplings move with them.
bool lithe_coupling_reserve(LitheSystem *s, int64_t places, int64_t rows) {
    if (places > s->place_capacity) {
        int64_t capacity = places + places / 2;
        int32_t *to = copied(s->context, s->places, s->place_count, capacity, sizeof *to);
        if (!to)
            return false;
        for (int32_t i = 0; i < s->coupling_count; i++) {
            LitheCoupling *c = &s->couplings[i];
            c->node = to + (c->node - s->places);
            c->jacobian_at = to + (c->jacobian_at - s->places);
        }
        lithe_free(s->context, s->places);
        s->places = to;
        s->place_capacity = (int32_t)capacity;
    }
    if (rows > s->row_capacity) {
        int64_t capacity = rows + rows / 2;
        Vec3 *to = copied(s->context, s->rows, s->row_count, capacity, sizeof *to);
        if (!to)
            return false;
        for (int32_t i = 0; i < s->coupling_count; i++) {
            LitheCoupling *c = &s->couplings[i];
            c->linear = to + (c->linear - s->rows);
            if (c->angular != lithe_no_rows)
                c->angular = to + (c->angular - s->rows);
        }
        lithe_free(s->context, s->rows);
        s->rows = to;
        s->row_capacity = (int32_t)capacity;
    }
    return true;
}

// the next `count` rows of system->rows, a copy of `from`, or zeros
static Vec3 *add_rows_of(LitheSystem *system, const Vec3 *from, int32_t count) {
    Vec3 *to = system->rows + system->row_count;
    system->row_count += count;
    memcpy(to, from ? from : lithe_no_rows, (size_t)count * sizeof *to);
    return to;
}

LitheCoupling *lithe_coupling_add(LitheSystem *system, LitheCouplingSource source, int32_t index,
                                  int32_t rows, const Vec3 *linear, const Vec3 *angular) {
    if (!LITHE_RESERVE(system->context, system->couplings, system->coupling_capacity,
                       system->coupling_count + 1) ||
        !lithe_coupling_reserve(system, (int64_t)system->place_count + 2 * LITHE_COUPLED_NODES,
                                (int64_t)system->row_count + 2 * rows))
        return NULL;
    LitheCoupling *c = &system->couplings[system->coupling_count++];
    lithe_coupling_set(c, source, index, rows);
    c->linear = add_rows_of(system, linear, rows);
    c->angular = angular ? add_rows_of(system, angular, rows) : lithe_no_rows;
    c->node = system->places + system->place_count;
    c->jacobian_at = c->node + LITHE_COUPLED_NODES;
    system->place_count += 2 * LITHE_COUPLED_NODES;
    c->held_at = system->held_count;
    return c;
}

// reserves memory for the blocks of `dofs` more DoFs of the last coupling
static bool allocate_buffers(LitheSystem *system, int32_t dofs) {
    int32_t rows = system->couplings[system->coupling_count - 1].term.rows;
    int64_t more = (int64_t)rows * dofs, end = system->jacobian_count + more;
    return end <= INT32_MAX &&
           LITHE_RESERVE(system->context, system->jacobian, system->jacobian_capacity, end) &&
           LITHE_RESERVE(system->context, system->jacobian_held, system->jacobian_held_capacity,
                         system->held_count + more);
}

// after blocks of the last coupling were added
static void count_held(LitheSystem *system) {
    const LitheCoupling *c = &system->couplings[system->coupling_count - 1];
    if (c->node_count > 0)
        system->held_count = c->held_at + (system->jacobian_count - c->jacobian_at[0]);
}

static inline void add_block(int32_t count, double sign, const double *restrict from,
                             double *restrict J) {
    for (int32_t at = 0; at < count; at++)
        J[at] += sign * from[at];
}

// the same for a block that is new: 0 + x, which is not -0
static inline void set_block(int32_t count, double sign, const double *restrict from,
                             double *restrict J) {
    for (int32_t at = 0; at < count; at++)
        J[at] = 0.0 + sign * from[at];
}

// Adds the block of a free body with three rows in a coupling without held DoFs. false: not such a
// coupling, or the body has a block in it already.
static bool add_body(const LitheSystem *system, LitheCoupling *c, int32_t *end, int32_t node,
                     double sign, const double *from) {
    int32_t k = c->node_count;
    if (c->held_at >= 0 || (k > 0 && (k > 1 || c->node[0] == node)))
        return false;
    c->node[k] = node;
    c->jacobian_at[k] = *end;
    set_block(18, sign, from, system->jacobian + *end);
    *end += 18;
    c->node_count++;
    return true;
}

// Sets the block of a node that is new in a coupling without held DoFs. false: it is not.
static inline bool set_new(const LitheSystem *system, LitheCoupling *c, int32_t *end, int32_t node,
                           int32_t size, double sign, const double *from) {
    int32_t k = c->node_count;
    bool found = c->held_at >= 0;
    for (int32_t i = 0; i < k; i++)
        found |= c->node[i] == node;
    if (found)
        return false;
    LITHE_ASSERT(k < c->jacobian_at - c->node);
    c->node[k] = node;
    c->jacobian_at[k] = *end;
    if (size == 4 && c->term.rows == 3) // a known size needs no loop
        set_block(12, sign, from, system->jacobian + *end);
    else
        set_block(size * c->term.rows, sign, from, system->jacobian + *end);
    *end += size * c->term.rows;
    c->node_count++;
    return true;
}

// the block of a node in a coupling; a new one is zeroed and placed at *end
static double *block_of(const LitheSystem *system, LitheCoupling *c, int32_t *end, int32_t node,
                        int32_t size, double **held) {
    int32_t k = 0;
    while (k < c->node_count && c->node[k] != node)
        k++;
    if (k == c->node_count) {
        LITHE_ASSERT(k < c->jacobian_at - c->node);
        int32_t count = size * c->term.rows;
        double *J = system->jacobian + *end;
        if (count == 12) // a known size needs no call
            memset(J, 0, 12 * sizeof(double));
        else if (count == 18)
            memset(J, 0, 18 * sizeof(double));
        else
            memset(J, 0, (size_t)count * sizeof(double));
        c->node[k] = node;
        c->jacobian_at[k] = *end;
        if (c->held_at >= 0)
            memset(lithe_held_block(system->jacobian_held, c, k), 0,
                   (size_t)count * sizeof(double));
        *end += count;
        c->node_count++;
    }
    *held = lithe_held_block(system->jacobian_held, c, k);
    return system->jacobian + c->jacobian_at[k];
}

// Adds the block of a node with four DoFs and three rows in a coupling without held DoFs.
static void add_four(const LitheSystem *system, LitheCoupling *c, int32_t *end, int32_t node,
                     double sign, const double *from) {
    int32_t k = 0;
    while (k < c->node_count && c->node[k] != node)
        k++;
    if (k < c->node_count) {
        add_block(12, sign, from, system->jacobian + c->jacobian_at[k]);
        return;
    }
    LITHE_ASSERT(k < c->jacobian_at - c->node);
    c->node[k] = node;
    c->jacobian_at[k] = *end;
    set_block(12, sign, from, system->jacobian + *end);
    *end += 12;
    c->node_count++;
}

// adds one entry; a held DoF contributes to the bias
static void add_entry(LitheCoupling *c, const LitheUnitWork *body, int64_t dof, int32_t row,
                      int64_t at, double value, double *J, double *J_held) {
    if (!body->held[dof]) {
        J[at] += value;
        return;
    }
    J_held[at] += value;
    c->bias[row] += value * body->w[dof];
}

static bool any_held(const unsigned char *held, int32_t count) {
    int any = 0;
    for (int32_t d = 0; d < count; d++)
        any |= held[d];
    return any;
}

// a node that rides: its rows measure the velocity of the body there
static void fill_rider(const LitheAssembly *all, const LitheSystem *system, const LitheUnit *unit,
                       int32_t node, double sign, LitheCoupling *c, int32_t *end,
                       const double *linear, double *blocks) {
    const LitheRider *rider = &unit->riders[unit->rider_of[node]];
    const LitheUnit *carrier = &all->model->units[rider->site.unit];
    const LitheUnitWork *own = &all->work->units[rider->site.unit];
    int32_t rows = c->term.rows, nodes[LITHE_COUPLED_NODES], size = carrier->node_size;
    Vec3 along[LITHE_COUPLED_ROWS], none[LITHE_COUPLED_ROWS] = {{0, 0, 0}};
    for (int32_t row = 0; row < rows; row++)
        along[row] = v3_load(linear + 3 * row);
    LitheSite site = rider->site;
    site.point = v3_load(all->state->q + unit->q_at + lithe_unit_dof(unit, node));
    lithe_unit_ops(all->model, rider->site.unit)
        ->site(all->model, all->state, all->work, &site, rows, along, none, nodes, blocks);
    double *held, *J = block_of(system, c, end, carrier->node_at, size, &held);
    for (int32_t row = 0; row < rows; row++)
        for (int32_t d = 0; d < size; d++)
            add_entry(c, own, d, row, (int64_t)size * row + d, sign * blocks[size * row + d], J,
                      held);
}

// The blocks of any site. Not inline: single bodies need none of it.
__attribute__((noinline)) static void
add_blocks(const LitheAssembly *all, const LitheSystem *system, const LitheSite *site, double sign,
           LitheCoupling *c, int32_t *end, int32_t count, const int32_t *nodes, double *blocks) {
    const LitheUnit *unit = &all->model->units[site->unit];
    const LitheUnitWork *own = &all->work->units[site->unit];
    int32_t rows = c->term.rows;
    // site_width has room for the carrier of riders
    double *scratch = blocks + (unit->rider_of ? rows * count * unit->node_size : 0);
    for (int32_t k = 0; k < count; k++) {
        int32_t size = lithe_unit_node_size(unit, nodes[k]);
        int64_t dof = lithe_unit_dof(unit, nodes[k]);
        if (unit->rider_of && unit->rider_of[nodes[k]] >= 0) {
            fill_rider(all, system, unit, nodes[k], sign, c, end, blocks, scratch);
            blocks += rows * size;
            continue;
        }
        int32_t node = unit->node_at + nodes[k];
        if (set_new(system, c, end, node, size, sign, blocks)) {
            blocks += rows * size;
            continue;
        }
        double *held, *J = block_of(system, c, end, node, size, &held);
        if (!any_held(own->held + dof, size)) {
            if (rows == 3 && size == 6)
                add_block(18, sign, blocks, J);
            else
                add_block(rows * size, sign, blocks, J);
            blocks += rows * size;
            continue;
        }
        for (int32_t row = 0; row < rows; row++)
            for (int32_t d = 0; d < size; d++)
                add_entry(c, own, dof + d, row, size * row + d, sign * *blocks++, J, held);
    }
}

// whether a node of a unit has a DoF that is held
static bool meets_held(const LitheUnit *unit, const LitheUnitWork *own, int32_t count,
                       const int32_t *nodes) {
    for (int32_t k = 0; k < count; k++)
        if (any_held(own->held + lithe_unit_dof(unit, nodes[k]),
                     lithe_unit_node_size(unit, nodes[k])))
            return true;
    return false;
}

bool lithe_coupling_fill(const LitheAssembly *all, const LitheSystem *system, const LitheSite *site,
                         double sign, LitheCoupling *c, int32_t *end, double *blocks) {
    if (site->unit < 0)
        return true;
    const LitheUnit *unit = &all->model->units[site->unit];
    const LitheUnitWork *own = &all->work->units[site->unit];
    int32_t nodes[LITHE_COUPLED_NODES], rows = c->term.rows;
    int32_t count = lithe_unit_ops(all->model, site->unit)
                        ->site(all->model, all->state, all->work, site, rows, c->linear, c->angular,
                               nodes, blocks);
    if (c->held_at < 0 && own->any_held && meets_held(unit, own, count, nodes))
        return false;
    if (rows == 3 && unit->node_size == 4 && !unit->node_dofs && c->held_at < 0 &&
        !unit->rider_of) {
        for (int32_t k = 0; k < count; k++)
            add_four(system, c, end, unit->node_at + nodes[k], sign, blocks + 12 * k);
        return true;
    }
    if (count == 1 && rows == 3 && lithe_unit_node_size(unit, nodes[0]) == 6 && !unit->rider_of &&
        add_body(system, c, end, unit->node_at + nodes[0], sign, blocks))
        return true;
    add_blocks(all, system, site, sign, c, end, count, nodes, blocks);
    return true;
}

Vec3 lithe_site_carried(const LitheModel *model, const LitheState *from, const LitheState *to,
                        const LitheSite *site, Vec3 point) {
    if (site->unit < 0)
        return point;
    const LitheUnitOps *ops = lithe_unit_ops(model, site->unit);
    Pose a = ops->place(model, from, site, 0), b = ops->place(model, to, site, 0);
    if (ops->velocity)
        return v3_add(point, v3_sub(b.at, a.at));
    return pose_point(b, pose_point(pose_inverse(a), point));
}

bool lithe_coupling_side(const LitheAssembly *all, LitheSystem *system, const LitheSite *site,
                         double sign) {
    if (site->unit < 0)
        return true;
    if (!allocate_buffers(system, all->model->units[site->unit].site_width))
        return false;
    lithe_coupling_fill(all, system, site, sign, &system->couplings[system->coupling_count - 1],
                        &system->jacobian_count, system->site_blocks);
    count_held(system);
    return true;
}

bool lithe_coupling_dof(const LitheAssembly *all, LitheSystem *system, int32_t unit, int32_t dof,
                        int32_t row, double sign) {
    const LitheUnit *of = &all->model->units[unit];
    LitheCoupling *c = &system->couplings[system->coupling_count - 1];
    int32_t node = lithe_unit_node(of, dof);
    int32_t size = lithe_unit_node_size(of, node);
    int64_t first = lithe_unit_dof(of, node);
    if (!allocate_buffers(system, size))
        return false;
    double *held,
        *J = block_of(system, c, &system->jacobian_count, of->node_at + node, size, &held);
    add_entry(c, &all->work->units[unit], dof, row, (int64_t)size * row + (dof - first), sign, J,
              held);
    count_held(system);
    return true;
}
