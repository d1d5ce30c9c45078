// SPDX-License-Identifier: Apache-2.0
// solve/lcp_rows.c - couplings of a step as whitened rows, island by island

#include "solve/lcp_rows.h"

#include "assemble/constraint_parts.h"
#include "base/memory.h"
#include "data/thing.h"

#include <math.h>
#include <string.h>

// square of the size of a whitened normal row over that of the largest one, below which nothing can
// move along it: the contact is left out
#define IMMOVABLE 1e-24

// Overlap over the smaller half thickness that is not pushed apart. Overlaps of rounding in
// contacts whose normals are nearly dependent contradict each other, and would need huge impulses.
#define SLACK 1e-5

// --- memory --------------------------------------------------------------------------------------

bool lithe_lcp_rows_reserve(const LitheModel *model, const LitheSystem *system,
                            LitheLcpScratch *s) {
    LitheContext *context = system->context;
    int64_t factors = 0, dofs = system->dof_count, rows = 0, contacts = 0, held;
    for (int32_t i = 0; i < system->unit_count; i++) {
        int64_t n = model->units[system->units[i]].v_count;
        factors += n * n;
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        bool contact = system->couplings[i].source == LITHE_SOURCE_CONTACT;
        rows += system->couplings[i].term.rows;
        contacts += contact ? 1 : system->couplings[i].term.rows;
    }
    if (!lithe_lcp_holds_reserve(system, rows, &s->holds, &held))
        return false;
    dofs += held; // columns of springs
    int64_t stride = model->contact.lcp.directions + 2;
    int64_t size = factors + rows * dofs + 3 * rows + contacts * stride + 2 * dofs;
    if (!LITHE_RESERVE(context, s->doubles, s->double_capacity, size) ||
        !LITHE_RESERVE(context, s->contacts, s->contact_capacity, contacts) ||
        !LITHE_RESERVE(context, s->source, s->source_capacity, contacts) ||
        !LITHE_RESERVE(context, s->island, s->island_capacity, 3 * (int64_t)system->node_count))
        return false;
    s->L = s->doubles;
    s->S = s->L + factors;
    s->v = s->S + rows * dofs;
    s->soft = s->v + rows;
    s->impulse = s->soft + rows;
    s->z = s->impulse + rows;
    s->u = s->z + contacts * stride;
    s->a = s->u + dofs;
    return true;
}

// --- dense factors -------------------------------------------------------------------------------

// L of a unit with A = L L', both triangles of memory, the lower one is used; false: not positive
bool lithe_lcp_factor(int32_t n, double *L) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double sum = L[(ptrdiff_t)n * i + j];
            for (int32_t k = 0; k < j; k++)
                sum -= L[(ptrdiff_t)n * i + k] * L[(ptrdiff_t)n * j + k];
            if (i == j && !(sum > 0))
                return false;
            L[(ptrdiff_t)n * i + j] = i == j ? sqrt(sum) : sum / L[(ptrdiff_t)(n + 1) * j];
        }
    return true;
}

// x = L\x
void lithe_lcp_forward(int32_t n, const double *L, double *x) {
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < i; k++)
            x[i] -= L[(ptrdiff_t)n * i + k] * x[k];
        x[i] /= L[(ptrdiff_t)(n + 1) * i];
    }
}

// x = L'\x
void lithe_lcp_backward(int32_t n, const double *L, double *x) {
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++)
            x[i] -= L[(ptrdiff_t)n * k + i] * x[k];
        x[i] /= L[(ptrdiff_t)(n + 1) * i];
    }
}

// --- rows ----------------------------------------------------------------------------------------

// velocity of a row at system->w
double lithe_lcp_speed(const LitheSystem *system, const LitheCoupling *c, int32_t row) {
    double v = c->bias[row];
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t n = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + (ptrdiff_t)n * row;
        const double *w = system->w + system->node_at[c->node[k]];
        for (int32_t m = 0; m < n; m++)
            v += J[m] * w[m];
    }
    return v;
}

void lithe_lcp_whiten(const LitheSystem *system, const LitheCoupling *c, int32_t row,
                      const LitheLcpScratch *s, double *S) {
    const int32_t *offset = s->island + system->node_count,
                  *factor_at = offset + system->node_count;
    memset(S, 0, (size_t)s->dof_count * sizeof(double));
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t node = c->node[k], n = system->node_size[node], at = offset[node];
        const double *J = system->jacobian + c->jacobian_at[k] + (ptrdiff_t)n * row;
        for (int32_t m = 0; m < n; m++)
            S[at + m] += J[m];
        lithe_lcp_forward(n, s->L + factor_at[node], S + at);
    }
}

static double size_of(const LitheLcpScratch *s, int32_t row) {
    const double *S = s->S + (ptrdiff_t)s->dof_count * row;
    double sum = 0;
    for (int32_t k = 0; k < s->dof_count; k++)
        sum += S[k] * S[k];
    return sum;
}

// The next row of the island, whitened and without its part in the constraints. Returns its number;
// `size`, if not NULL, gets the square of its size with this part.
static int32_t add_row(const LitheSystem *system, const LitheCoupling *c, int32_t row,
                       LitheLcpScratch *s, double *size) {
    int32_t index = s->row_count++;
    lithe_lcp_whiten(system, c, row, s, s->S + (ptrdiff_t)s->dof_count * index);
    if (size)
        *size = size_of(s, index);
    if (s->holds.rank > 0)
        lithe_lcp_project(s, index);
    s->v[index] = lithe_lcp_speed(system, c, row);
    s->soft[index] = 0;
    return index;
}

static LitheLcpContact *add_contact(LitheLcpScratch *s, int32_t coupling) {
    LitheLcpContact *contact = &s->contacts[s->contact_count];
    *contact = (LitheLcpContact){.normal = -1};
    s->source[s->contact_count++] = coupling;
    return contact;
}

// (L3); overlaps down to -slack stay
static void add_gap(const LitheModel *model, double gap, double slack, double h,
                    LitheLcpContact *contact, LitheLcpScratch *s) {
    const LitheLcpDef *def = &model->contact.lcp;
    contact->push = gap > -slack ? 0 : fmax(def->push * gap / h, -def->push_speed);
    s->v[contact->normal] += gap > 0 ? gap / h : contact->push;
}

static void add_term(const LitheModel *model, const LitheSystem *system, int32_t coupling, double h,
                     LitheLcpScratch *s) {
    const LitheCoupling *c = &system->couplings[coupling];
    const LitheDofTerm *term = &system->dof_terms[c->index];
    for (int32_t k = 0; k < c->term.rows; k++) {
        LitheLcpContact *contact = add_contact(s, coupling);
        int32_t row = add_row(system, c, k, s, NULL);
        if (c->source == LITHE_SOURCE_LIMIT) {
            contact->normal = row;
            if (term->of_velocity)
                s->v[row] -= term->least;
            else
                add_gap(model, term->gap, 0, h, contact, s);
            continue;
        }
        contact->tangent = row;
        contact->tangent_count = 1;
        contact->bound = h * term->bound;
        if (c->source == LITHE_SOURCE_DRY)
            continue;
        // h effort = -h (h K + D) (v - target), within the bound
        double slope = h * term->stiffness + term->damping;
        s->v[row] -= (term->damping * term->rate - term->stiffness * term->error) / slope;
        s->soft[row] = 1 / (h * slope);
    }
}

// a rope or a strut: a limit of a distance
static void add_line(const LitheModel *model, const LitheSystem *system, int32_t coupling,
                     LitheLcpScratch *s) {
    const LitheCoupling *c = &system->couplings[coupling];
    LitheLcpContact *contact = add_contact(s, coupling);
    int32_t row = contact->normal = add_row(system, c, 0, s, NULL);
    bool rigid = lithe_constraint_is_rigid(model, c);
    s->v[row] -= c->term.vhat[0];
    s->soft[row] = rigid ? 0 : 1 / c->term.G[0];
    contact->push = rigid ? fmin(-c->term.vhat[0], 0) : 0;
}

// a contact; left out where nothing can move along its normal
static void add_touch(const LitheAssembly *all, const LitheSystem *system, int32_t coupling,
                      double *largest, LitheLcpScratch *s) {
    const LitheCoupling *c = &system->couplings[coupling];
    const LitheContact *found = &all->contacts->contacts[c->index];
    double whole;
    int32_t row = add_row(system, c, 2, s, &whole);
    *largest = fmax(*largest, whole);
    if (!(size_of(s, row) > IMMOVABLE * *largest)) {
        s->row_count--;
        return;
    }
    LitheLcpContact *contact = add_contact(s, coupling);
    contact->normal = row;
    add_gap(all->model, found->gap, SLACK * lithe_contact_size(all->model, found), all->plan->h,
            contact, s);
    contact->mu = found->friction;
    contact->tangent_count = found->friction > 0 ? 2 : 0;
    for (int32_t k = 0; k < contact->tangent_count; k++) {
        row = add_row(system, c, k, s, NULL);
        contact->tangent = k == 0 ? row : contact->tangent;
    }
}

// --- islands -------------------------------------------------------------------------------------

static int32_t root_of(const int32_t *island, int32_t node) {
    while (island[node] != node)
        node = island[node];
    return node;
}

// the smallest node of each island
void lithe_lcp_islands(const LitheSystem *system, LitheLcpScratch *s) {
    int32_t *island = s->island;
    int32_t *factor_at = island + 2 * (ptrdiff_t)system->node_count, at = 0;
    for (int32_t i = 0; i < system->node_count; i++) {
        island[i] = i;
        factor_at[i] = at;
        at += system->node_size[i] * system->node_size[i];
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 1; k < c->node_count; k++) {
            int32_t a = root_of(island, c->node[0]), b = root_of(island, c->node[k]);
            island[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t i = 0; i < system->node_count; i++)
        island[i] = root_of(island, i);
}

void lithe_lcp_number_island(const LitheSystem *system, int32_t root, LitheLcpScratch *s) {
    int32_t *offset = s->island + system->node_count;
    s->row_count = s->dof_count = 0;
    for (int32_t i = root; i < system->node_count; i++)
        if (s->island[i] == root) {
            offset[i] = s->dof_count;
            s->dof_count += system->node_size[i];
        }
}

// rows and contacts of the couplings of an island
void lithe_lcp_list_rows(const LitheAssembly *all, const LitheSystem *system, int32_t root,
                         LitheLcpScratch *s) {
    double largest = 0;
    s->first = s->contact_count;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->node_count == 0 || s->island[c->node[0]] != root || lithe_lcp_is_hold(c))
            continue;
        if (c->source == LITHE_SOURCE_CONTACT)
            add_touch(all, system, i, &largest, s);
        else if (c->source == LITHE_SOURCE_CONSTRAINT)
            add_line(all->model, system, i, s);
        else
            add_term(all->model, system, i, all->plan->h, s);
    }
}

void lithe_lcp_move_island(LitheSystem *system, int32_t root, LitheLcpScratch *s) {
    const int32_t *offset = s->island + system->node_count,
                  *factor_at = offset + system->node_count;
    for (int32_t i = root; i < system->node_count; i++) {
        int32_t n = system->node_size[i], at = system->node_at[i];
        if (s->island[i] != root)
            continue;
        double *u = s->u + offset[i];
        lithe_lcp_backward(n, s->L + factor_at[i], u);
        for (int32_t k = 0; k < n; k++)
            system->w[at + k] += system->held[at + k] ? 0 : u[k];
    }
}

// impulses of the couplings of an island, and system->w at the end
void lithe_lcp_finish_island(LitheSystem *system, int32_t root, LitheLcpScratch *s) {
    lithe_lcp_move_island(system, root, s);
    for (int32_t i = s->first; i < s->contact_count; i++) {
        const LitheLcpContact *contact = &s->contacts[i];
        LitheCoupling *c = &system->couplings[s->source[i]];
        bool touches = c->source == LITHE_SOURCE_CONTACT;
        int32_t row = 0; // of a term: the contacts of one coupling follow each other
        for (int32_t k = i; !touches && k > s->first && s->source[k - 1] == s->source[i]; k--)
            row++;
        if (contact->normal >= 0)
            c->impulse[touches ? 2 : row] = s->impulse[contact->normal];
        for (int32_t k = 0; k < contact->tangent_count; k++)
            c->impulse[touches ? k : row] = s->impulse[contact->tangent + k];
    }
}
