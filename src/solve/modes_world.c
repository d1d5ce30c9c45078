// SPDX-License-Identifier: Apache-2.0
// solve/modes_world.c - stiffness and mass of the whole model about a state, with contacts and
// constraints
//
//     (Q11)  K = sum of units K_u + sum of couplings (J' G J - d(J' gamma)/dq),  gamma fixed
//
// K_u is exact. G is the Hessian of a contact or constraint at rest. The last term is the geometric
// stiffness: the change of J' gamma with fixed gamma as units move (the only restoring term of a
// pendulum). It is computed by central differences, with contacts searched for at the displaced
// state. Numbers: docs/theory/statics.md.

#include "solve/modes_world.h"

#include "assemble/assemble.h"
#include "base/memory.h"
#include "body/unit.h"
#include "solve/contact_model.h"
#include "solve/loops.h"

#include <math.h>
#include <string.h>

// displacement of the differences [m or rad]
#define DIFFERENCE 1e-6
// regularisation of near-rigid constraints, as (V32): they must not add modes of their own
#define RIGIDITY 1e-4
// margin of the search of contacts, as a fraction of the smallest half thickness
#define MARGIN_FRACTION 0.1

// a coupling as it is at the state
typedef struct Base {
    LitheCouplingSource source;
    uint64_t key; // id of a contact, index of a constraint, unit and DoF of a term
    int32_t side, rows, node_count, dofs;
    int32_t node[LITHE_COUPLED_NODES]; // counted through the model
    double impulse[LITHE_COUPLED_ROWS];
    int64_t turned_at; // [dofs][dofs] in world->turned
    int64_t force_at;  // [dofs] in builder->forces
} Base;

typedef struct Builder {
    const LitheModel *model;
    const LitheState *state;
    LitheWork *work;
    LitheWorldStiffness *world;
    const LitheAttempt *attempt;
    Base *base;
    int32_t base_count;
    double *forces; // J' impulse of each coupling at the state
} Builder;

static int32_t unit_of_node(const LitheModel *model, int32_t node) {
    int32_t low = 0, high = model->unit_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        *(model->units[middle].node_at <= node ? &low : &high) = middle;
    }
    return low;
}

static int32_t size_of_node(const LitheModel *model, int32_t node) {
    const LitheUnit *unit = &model->units[unit_of_node(model, node)];
    return lithe_unit_node_size(unit, node - unit->node_at);
}

static uint64_t key_of(const LitheWork *work, const LitheCoupling *c) {
    const LitheSystem *s = work->system;
    if (c->source == LITHE_SOURCE_CONTACT)
        return work->contacts->contacts[c->index].id;
    if (c->source == LITHE_SOURCE_CONSTRAINT)
        return (uint64_t)c->index;
    const LitheDofTerm *term = &s->dof_terms[c->index];
    return ((uint64_t)term->unit << 32) | (uint64_t)term->dof;
}

static LitheAttempt attempt_of(const LitheModel *model, bool path) {
    LitheAttempt attempt = lithe_plain_attempt(1);
    double thin = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++)
        thin = model->units[i].thickness > 0 ? fmin(thin, model->units[i].thickness) : thin;
    attempt.soften = RIGIDITY;
    attempt.margin = thin < INFINITY ? MARGIN_FRACTION * thin : 1e-3;
    attempt.correction = path; // 0: constraints pull with the forces of the state
    return attempt;
}

// rest at a state, with near-rigid couplings
static LitheStepPlan plan_at(const Builder *b, const LitheState *state, double shift) {
    return (LitheStepPlan){.time = lithe_load_time(state),
                           .h = 1,
                           .a = 1,
                           .inverse_a = 1,
                           .c = shift,
                           .still = true,
                           .attempt = b->attempt};
}

// Contacts, units and couplings at a state; nodes of couplings are counted through the model.
static LitheStatus couple(const Builder *b, LitheState *state, double shift, LitheError *error) {
    const LitheModel *model = b->model;
    LitheWork *work = b->work;
    LitheStepPlan plan = plan_at(b, state, shift);
    LitheAssembly all = {model, state, work->contacts, &plan, work};
    LitheStatus status = lithe_contact_solver(model)->begin(model, state, &plan, work, error);
    if (status != LITHE_OK)
        return status;
    bool ok = lithe_system_begin(model, work->system);
    for (int32_t i = 0; ok && i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (!ops->begin(model, i, state, &plan, work))
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "'%s' has no equilibrium here",
                              model->units[i].name);
        if (ops->prepare)
            ops->prepare(model, i, work);
        memset(work->units[i].w, 0, (size_t)work->units[i].dof_count * sizeof(double));
    }
    if (!b->world->path)
        work->system->anchor_count = 0;
    ok = ok && lithe_rides_begin(&all, work->system) &&
         lithe_assemble_contacts(&all, work->system) &&
         lithe_assemble_constraints(&all, work->system) && lithe_assemble_dofs(&all, work->system);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the couplings of modes");
}

// laws, impulses and Hessians at rest, after numbering
static bool respond(const Builder *b, LitheState *state, double shift, LitheError *error) {
    LitheSystem *s = b->work->system;
    LitheStepPlan plan = plan_at(b, state, shift);
    LitheAssembly all = {b->model, state, b->work->contacts, &plan, b->work};
    if (!(lithe_system_linearise(&all, LITHE_LINEARISE, s) < INFINITY)) {
        lithe_fail(error, LITHE_CANNOT_GO_ON, "a stiffness is not finite");
        return false;
    }
    lithe_contact_laws(&all, s);
    lithe_constraint_laws(&all, s);
    lithe_dof_laws(&all, s);
    lithe_loop_respond(s, s->w0);
    return true;
}

// --- geometric stiffness -------------------------------------------------------------------------

// the coupling of a base at a displaced state, most often at the same place of the list
static const LitheCoupling *match(const Builder *b, const Base *base, int32_t hint) {
    const LitheSystem *s = b->work->system;
    for (int32_t k = 0; k < s->coupling_count; k++) {
        const LitheCoupling *c = &s->couplings[(hint + k) % s->coupling_count];
        if (c->source == base->source && c->side == base->side && c->term.rows == base->rows &&
            key_of(b->work, c) == base->key)
            return c;
    }
    return NULL;
}

// column += sign J' gamma of a coupling, in the order of the nodes of the base
static void add_force(const Builder *b, const Base *base, const LitheCoupling *c, double sign,
                      double *column) {
    int32_t at = 0;
    for (int32_t n = 0; n < base->node_count; n++) {
        int32_t size = size_of_node(b->model, base->node[n]);
        for (int32_t k = 0; k < c->node_count; k++) {
            const double *J = b->work->system->jacobian + c->jacobian_at[k];
            for (int32_t row = 0; c->node[k] == base->node[n] && row < base->rows; row++)
                for (int32_t d = 0; d < size; d++)
                    column[at + d] += sign * J[size * row + d] * base->impulse[row];
        }
        at += size;
    }
}

// Nodes that share no coupling are displaced together: a class of them. The cost does not grow with
// the number of nodes then.
typedef struct Classes {
    int32_t *of_node; // [node_count] class; -1: no coupling acts on it
    int32_t count;
    int32_t *first; // [node_count + 1] index in `bases` of the first entry of each node
    int32_t *bases; // indices of the bases with force that act on each node, by node
} Classes;

// a coupling without force has no geometric stiffness
static bool has_force(const Base *base) {
    for (int32_t k = 0; k < base->rows; k++)
        if (base->impulse[k] != 0)
            return true;
    return false;
}

// smallest class that no node with a common coupling has
static int32_t free_class(const Builder *b, const Classes *c, int32_t node, int32_t *used) {
    int32_t class = 0;
    for (int32_t e = c->first[node]; e < c->first[node + 1]; e++) {
        const Base *base = &b->base[c->bases[e]];
        for (int32_t k = 0; k < base->node_count; k++)
            if (c->of_node[base->node[k]] >= 0)
                used[c->of_node[base->node[k]]] = node + 1;
    }
    while (used[class] == node + 1)
        class ++;
    return class;
}

static bool make_classes(const Builder *b, Classes *c) {
    int32_t nodes = b->model->node_count;
    int64_t ends = 0;
    for (int32_t i = 0; i < b->base_count; i++)
        ends += b->base[i].node_count;
    c->of_node = lithe_alloc_array(b->work->context, nodes + 1, sizeof *c->of_node);
    c->first = lithe_alloc_array(b->work->context, nodes + 2, sizeof *c->first);
    c->bases = lithe_alloc_array(b->work->context, ends + 1, sizeof *c->bases);
    int32_t *used = lithe_alloc_array(b->work->context, nodes + 1, sizeof *used);
    bool ok = c->of_node && c->first && c->bases && used;
    for (int32_t i = 0; ok && i < b->base_count; i++)
        for (int32_t k = 0; has_force(&b->base[i]) && k < b->base[i].node_count; k++)
            c->first[b->base[i].node[k] + 2]++;
    for (int32_t n = 0; ok && n < nodes; n++)
        c->first[n + 2] += c->first[n + 1]; // shifted by one: the fill below moves them
    for (int32_t i = 0; ok && i < b->base_count; i++)
        for (int32_t k = 0; has_force(&b->base[i]) && k < b->base[i].node_count; k++)
            c->bases[c->first[b->base[i].node[k] + 1]++] = i;
    for (int32_t n = 0; ok && n < nodes; n++)
        c->of_node[n] = -1;
    for (int32_t n = 0; ok && n < nodes; n++)
        if (c->first[n + 1] > c->first[n]) {
            c->of_node[n] = free_class(b, c, n, used);
            c->count = c->of_node[n] >= c->count ? c->of_node[n] + 1 : c->count;
        }
    lithe_free(b->work->context, used);
    return ok;
}

static void free_classes(const Builder *b, Classes *c) {
    lithe_free(b->work->context, c->of_node);
    lithe_free(b->work->context, c->first);
    lithe_free(b->work->context, c->bases);
}

// whether the DoF of a node is displaced with its class
static bool is_displaced(const Builder *b, int32_t node, int32_t dof) {
    int32_t unit = unit_of_node(b->model, node);
    const LitheUnit *own = &b->model->units[unit];
    return dof < size_of_node(b->model, node) &&
           !b->work->units[unit].held[lithe_unit_dof(own, node - own->node_at) + dof];
}

// work->before = the state with the DoF of all nodes of a class displaced; false: out of a domain
static bool displace(const Builder *b, const Classes *c, int32_t class, int32_t dof, double by) {
    const LitheModel *model = b->model;
    LitheWork *work = b->work;
    LitheStepPlan plan = {.time = lithe_load_time(b->state),
                          .h = 1,
                          .a = 1,
                          .inverse_a = 1,
                          .c = 1,
                          .still = true,
                          .attempt = b->attempt};
    memcpy(work->before->data, b->state->data, (size_t)b->state->size * sizeof(double));
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        LitheUnitWork *own = &work->units[i];
        bool begun = false;
        for (int32_t k = 0; k < unit->node_count; k++) {
            int32_t node = unit->node_at + k;
            if (c->of_node[node] != class || !is_displaced(b, node, dof))
                continue;
            if (!begun && !ops->begin(model, i, b->state, &plan, work))
                return false;
            if (!begun) {
                memset(own->w, 0, (size_t)own->dof_count * sizeof(double));
                memset(own->r, 0, (size_t)own->dof_count * sizeof(double));
            }
            begun = true;
            own->w[lithe_unit_dof(unit, k) + dof] = by;
        }
        if (begun && !ops->end(model, i, work, work->before))
            return false;
    }
    lithe_riders_place(model, work->before);
    return true;
}

// Whether a coupling at a displaced state acts on the nodes of its base. A contact that passes a
// kink of a rod, or a corner, acts on others; the difference of its forces is no derivative.
static bool acts_there(const Base *base, const LitheCoupling *c) {
    return c->node_count == base->node_count &&
           memcmp(c->node, base->node, (size_t)base->node_count * sizeof *base->node) == 0;
}

// J' impulse of all couplings at the state
static LitheStatus note_forces(Builder *b, LitheError *error) {
    int64_t total = 0;
    for (int32_t i = 0; i < b->base_count; i++) {
        b->base[i].force_at = total;
        total += b->base[i].dofs;
    }
    b->forces = lithe_alloc_array(b->work->context, total + 1, sizeof *b->forces);
    if (!b->forces)
        return lithe_fail_memory(error, "the modes");
    memcpy(b->work->before->data, b->state->data, (size_t)b->state->size * sizeof(double));
    b->work->system->anchors_fixed = b->world->path;
    LitheStatus status = couple(b, b->work->before, b->world->shift, error);
    b->work->system->anchors_fixed = false;
    for (int32_t i = 0; status == LITHE_OK && i < b->base_count; i++)
        add_force(b, &b->base[i], &b->work->system->couplings[i], 1,
                  b->forces + b->base[i].force_at);
    return status;
}

// the columns of the geometric stiffness of all couplings for one DoF of the nodes of a class
static LitheStatus turn_class(const Builder *b, const Classes *c, int32_t class, int32_t dof,
                              double *column, LitheError *error) {
    for (int side = -1; side <= 1; side += 2) {
        if (!displace(b, c, class, dof, side * DIFFERENCE))
            continue;
        b->work->system->anchors_fixed = b->world->path;
        LitheStatus status = couple(b, b->work->before, b->world->shift, error);
        b->work->system->anchors_fixed = false;
        if (status != LITHE_OK)
            return status;
        for (int32_t i = 0; i < b->base_count; i++) {
            Base *base = &b->base[i];
            int32_t place = 0, k = 0;
            while (k < base->node_count && c->of_node[base->node[k]] != class)
                place += size_of_node(b->model, base->node[k++]);
            bool displaced =
                k < base->node_count && has_force(base) && is_displaced(b, base->node[k], dof);
            const LitheCoupling *found = displaced ? match(b, base, i) : NULL;
            if (!found || !acts_there(base, found))
                continue;
            memset(column, 0, (size_t)base->dofs * sizeof *column);
            add_force(b, base, found, 1, column);
            for (int32_t d = 0; d < base->dofs; d++)
                column[d] = -side * (column[d] - b->forces[base->force_at + d]) / (2 * DIFFERENCE);
            double *turned = b->world->turned + base->turned_at;
            for (int32_t d = 0; d < base->dofs; d++)
                turned[(int64_t)base->dofs * d + place + dof] += column[d];
        }
    }
    return LITHE_OK;
}

static LitheStatus turn_all(const Builder *b, LitheError *error) {
    int32_t most = 1;
    for (int32_t i = 0; i < b->base_count; i++)
        most = b->base[i].dofs > most ? b->base[i].dofs : most;
    double *column = lithe_alloc_array(b->work->context, most, sizeof *column);
    Classes classes = {0};
    LitheStatus status =
        column && make_classes(b, &classes) ? LITHE_OK : lithe_fail_memory(error, "the modes");
    for (int32_t class = 0; status == LITHE_OK && class < classes.count; class ++) {
        int32_t dofs = 0;
        for (int32_t n = 0; n < b->model->node_count; n++)
            if (classes.of_node[n] == class && size_of_node(b->model, n) > dofs)
                dofs = size_of_node(b->model, n);
        for (int32_t d = 0; status == LITHE_OK && d < dofs; d++)
            status = turn_class(b, &classes, class, d, column, error);
    }
    lithe_free(b->work->context, column);
    free_classes(b, &classes);
    return status;
}

// stores the couplings at the state, before they are numbered
static bool note_base(Builder *b) {
    const LitheSystem *s = b->work->system;
    int64_t total = 0;
    b->base_count = s->coupling_count;
    b->base = lithe_alloc_array(b->work->context, s->coupling_count + 1, sizeof *b->base);
    if (!b->base)
        return false;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        Base *base = &b->base[i];
        *base = (Base){.source = c->source,
                       .key = key_of(b->work, c),
                       .side = c->side,
                       .rows = c->term.rows,
                       .node_count = c->node_count,
                       .turned_at = total};
        memcpy(base->node, c->node, (size_t)c->node_count * sizeof *c->node);
        for (int32_t k = 0; k < c->node_count; k++)
            base->dofs += size_of_node(b->model, c->node[k]);
        total += (int64_t)base->dofs * base->dofs;
    }
    b->world->turned = lithe_alloc_array(b->work->context, total + 1, sizeof(double));
    return b->world->turned != NULL;
}

// --- matrices ------------------------------------------------------------------------------------

// entry (i, j) of block (a, b), or its transpose in the lower triangle; NULL: not in the pattern
static double *entry_of(const LitheBlockMatrix *m, double *values, int32_t a, int32_t b, int32_t i,
                        int32_t j) {
    if (a < b || (a == b && i < j)) { // the pattern has the lower triangle
        int32_t swap = a;
        a = b;
        b = swap;
        swap = i;
        i = j;
        j = swap;
    }
    for (int32_t e = m->start[b]; e < m->start[b + 1]; e++)
        if (m->row[e] == a)
            return values + m->value_at[e] + (int64_t)m->size[a] * j + i;
    return NULL;
}

// adds the symmetric part of the geometric stiffness
static void add_turned(const Builder *b, double *values) {
    const LitheSystem *s = b->work->system;
    for (int32_t i = 0; i < b->base_count; i++) {
        const Base *base = &b->base[i];
        const LitheCoupling *c = &s->couplings[i];
        const double *turned = b->world->turned + base->turned_at;
        int32_t row = 0;
        for (int32_t n = 0; n < base->node_count; n++)
            for (int32_t d = 0; d < s->node_size[c->node[n]]; d++, row++) {
                int32_t column = 0;
                for (int32_t k = 0; k < base->node_count; k++)
                    for (int32_t e = 0; e < s->node_size[c->node[k]]; e++, column++) {
                        bool lower = c->node[n] > c->node[k] || (n == k && d >= e);
                        bool held = s->held[s->node_at[c->node[n]] + d] ||
                                    s->held[s->node_at[c->node[k]] + e];
                        if (lower && !held)
                            *entry_of(s->matrix, values, c->node[n], c->node[k], d, e) +=
                                0.5 * (turned[(int64_t)base->dofs * row + column] +
                                       turned[(int64_t)base->dofs * column + row]);
                    }
            }
    }
}

// A + J' G J
static void add_hessians(LitheSystem *s) {
    LitheBlockMatrix *m = s->matrix;
    m->base = NULL;
    memcpy(m->value, s->A, (size_t)lithe_system_value_count(s) * sizeof(double));
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        LitheBlockTerm term = {.rows = c->term.rows,
                               .count = c->node_count,
                               .node = c->node,
                               .entry = s->entries + s->bonds[i].entry_at,
                               .J = s->jacobian,
                               .J_at = c->jacobian_at,
                               .G = lithe_hessian_of(s, c)};
        for (int32_t k = 0; k < c->node_count; k++)
            lithe_block_add_term(m, &term, k, s->weighed);
    }
}

// column `d` of node `k` of the mass of a unit, in the lower triangle; a consistent mass couples
// the nodes of an element
static void set_mass_column(const Builder *b, int32_t u, int32_t k, int32_t d, const double *y) {
    const LitheUnit *unit = &b->model->units[u];
    const LitheSystem *s = b->work->system;
    const LitheBlockMatrix *m = s->matrix;
    int32_t column = s->first_node[u] + k;
    for (int32_t at = m->start[column]; at < m->start[column + 1]; at++) {
        int32_t row = m->row[at] - s->first_node[u];
        if (row >= unit->node_count)
            continue; // a node of another unit
        int64_t first = lithe_unit_dof(unit, row);
        int32_t size = m->size[m->row[at]];
        for (int32_t e = row == k ? d : 0; e < size; e++)
            b->world->M[m->value_at[at] + (int64_t)size * d + e] = y[first + e];
    }
}

static bool make_mass(const Builder *b) {
    const LitheModel *model = b->model;
    double *x = lithe_alloc_array(b->work->context, 2 * model->v_count + 1, sizeof *x);
    if (!x)
        return false;
    for (int32_t u = 0; u < model->unit_count; u++) {
        int64_t n = b->work->units[u].dof_count;
        double *y = x + n;
        for (int32_t k = 0; k < model->units[u].node_count; k++) {
            int64_t first = lithe_unit_dof(&model->units[u], k);
            int32_t size = lithe_unit_node_size(&model->units[u], k);
            for (int32_t d = 0; d < size; d++) {
                memset(x, 0, (size_t)n * sizeof *x);
                x[first + d] = 1;
                lithe_unit_ops(model, u)->mass(model, u, b->work, x, y);
                set_mass_column(b, u, k, d, y);
            }
        }
    }
    lithe_free(b->work->context, x);
    return true;
}

// --- the calls -----------------------------------------------------------------------------------

static LitheStatus build(Builder *b, LitheError *error) {
    LitheWork *work = b->work;
    LitheSystem *s = work->system;
    double shift = b->world->shift;
    memcpy(work->before->data, b->state->data, (size_t)b->state->size * sizeof(double));
    LitheStatus status = couple(b, work->before, shift, error);
    if (status != LITHE_OK)
        return status;
    LitheStepPlan plan = plan_at(b, work->before, shift);
    LitheAssembly all = {b->model, work->before, work->contacts, &plan, work};
    // impulses at the state, then the geometric stiffness with these impulses, then the couplings
    // again
    if (!note_base(b) || !lithe_system_number(&all, s))
        return lithe_fail_memory(error, "the modes");
    if (!respond(b, work->before, shift, error))
        return LITHE_CANNOT_GO_ON;
    for (int32_t i = 0; i < b->base_count; i++) {
        memcpy(b->base[i].impulse, s->couplings[i].impulse, sizeof b->base[i].impulse);
        if (b->world->path) // (Q20)
            lithe_coupling_kept(&all, s, &s->couplings[i], b->base[i].impulse);
    }
    status = lithe_ride_stiffness(b->model, b->state, work, &b->world->rides, error);
    if (status == LITHE_OK)
        status = note_forces(b, error);
    if (status == LITHE_OK)
        status = turn_all(b, error);
    if (status != LITHE_OK)
        return status;
    memcpy(work->before->data, b->state->data, (size_t)b->state->size * sizeof(double));
    status = couple(b, work->before, shift, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_system_number(&all, s))
        return lithe_fail_memory(error, "the modes");
    if (!respond(b, work->before, shift, error))
        return LITHE_CANNOT_GO_ON;
    b->world->count = lithe_system_value_count(s);
    b->world->H = lithe_alloc_array(work->context, b->world->count, sizeof(double));
    b->world->M = lithe_alloc_array(work->context, b->world->count, sizeof(double));
    if (!b->world->H || !b->world->M || !make_mass(b))
        return lithe_fail_memory(error, "the modes");
    add_hessians(s);
    add_turned(b, s->matrix->value);
    lithe_ride_stiffness_add(b->model, s, b->world->rides, s->matrix->value);
    memcpy(b->world->H, s->matrix->value, (size_t)b->world->count * sizeof(double));
    return LITHE_OK;
}

double lithe_world_shift(const LitheModel *model) {
    double min = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++) {
        double rate = lithe_unit_ops(model, i)->lowest_omega2(model, i);
        min = model->units[i].v_count > 0 && rate > 0 ? fmin(min, rate) : min;
    }
    return min < INFINITY ? min : 1;
}

LitheStatus lithe_world_begin(const LitheModel *model, const LitheState *state, LitheWork *work,
                              double shift, bool path, LitheWorldStiffness *world,
                              LitheError *error) {
    *world = (LitheWorldStiffness){.shift = shift, .path = path};
    LitheAttempt attempt = attempt_of(model, path);
    Builder b = {model, state, work, world, &attempt, NULL, 0, NULL};
    work->system->whole = true;
    work->system->on_path = path;
    work->system->bond_count = 0;
    LitheStatus status = build(&b, error);
    lithe_free(work->context, b.base);
    lithe_free(work->context, b.forces);
    return status;
}

bool lithe_world_factor(const LitheWorldStiffness *world, LitheWork *work, double shift,
                        int32_t *negative) {
    LitheSystem *s = work->system;
    LitheBlockPivots pivots;
    for (int64_t i = 0; i < world->count; i++)
        s->matrix->value[i] = world->H[i] + (shift - world->shift) * world->M[i];
    bool done = lithe_block_factor_numeric(s->factor, s->matrix, LITHE_PIVOT_ANY, &pivots);
    *negative = pivots.negative_count;
    return done && pivots.first_bad < 0;
}

void lithe_world_end(LitheWorldStiffness *world, LitheWork *work) {
    lithe_free(work->context, world->H);
    lithe_free(work->context, world->M);
    lithe_free(work->context, world->turned);
    lithe_free(work->context, world->rides);
    world->H = world->M = world->turned = world->rides = NULL;
    work->system->whole = work->system->on_path = false;
    work->system->bond_count = 0;
}
