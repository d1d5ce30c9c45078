// SPDX-License-Identifier: Apache-2.0
// solve/lcp_contact.c - the problem of a step: assembly, choice of contacts, recheck, fall-backs
//
// Linear dependence does not make an inequality redundant, since coefficients may be negative: a
// contact that stage 1 drops can penetrate. After each solve the dropped contacts are checked, and
// the worst one comes back (L13).

#include "solve/lcp_contact.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define VIOLATED 1e-9  // normal velocity of a dropped contact that counts as approach [m/s]
#define NO_FORCE 1e-12 // normal impulse of a contact that may be exchanged [N s]
#define EXCHANGES 8    // rounds that exchange one contact; later ones add all that are violated
#define CERTAIN 10     // times the accepted error: overlaps contradict each other beyond doubt

void lithe_lcp_contact_work_begin(LitheLcpContactWork *work, LitheContext *context) {
    *work = (LitheLcpContactWork){.lcp = {.context = context}};
}

void lithe_lcp_contact_work_end(LitheLcpContactWork *work) {
    LitheContext *context = work->lcp.context;
    lithe_lcp_work_end(&work->lcp);
    lithe_free(context, work->doubles);
    lithe_free(context, work->kept);
    lithe_free(context, work->blocks);
    *work = (LitheLcpContactWork){.lcp = {.context = context}};
}

typedef struct Step {
    const LitheLcpRows *rows;
    const LitheLcpSetting *setting;
    LitheLcpContactWork *work;
    double *z, *impulse, *u;
    LitheLcpStepReport *report;
    double *G; // [rows of z][dof_count] whitened rows of the unknowns
    LitheLcpWeakened level;
} Step;

static int32_t direction_count(const Step *s, const LitheLcpContact *contact) {
    if (contact->tangent_count == 0 || s->level >= LITHE_LCP_FRICTIONLESS)
        return 0;
    return contact->tangent_count == 1 ? 2 : s->setting->directions;
}

// direction k of r in the plane of the tangents; exact on the axes
static void direction(int32_t k, int32_t r, double d[2]) {
    static const double axes[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    if (4 * k % r == 0) {
        memcpy(d, axes[4 * k / r], sizeof axes[0]);
        return;
    }
    double angle = 2 * M_PI * k / r;
    d[0] = cos(angle);
    d[1] = sin(angle);
}

// --- memory --------------------------------------------------------------------------------------

static bool reserve(Step *s) {
    LitheLcpContactWork *work = s->work;
    LitheContext *context = work->lcp.context;
    int64_t contacts = s->rows->contact_count, dofs = s->rows->dof_count;
    int64_t n = contacts * lithe_lcp_stride(s->setting);
    int64_t rank = (contacts + dofs) * dofs, dense = n * n + 2 * n + n * dofs;
    return LITHE_RESERVE(context, work->doubles, work->double_capacity,
                         rank > dense ? rank : dense) &&
           LITHE_RESERVE(context, work->kept, work->kept_capacity, 4 * contacts) &&
           LITHE_RESERVE(context, work->blocks, work->block_capacity, contacts);
}

// --- stage 1 -------------------------------------------------------------------------------------

static void keep_all(Step *s) {
    s->work->kept_count = s->rows->contact_count;
    for (int32_t i = 0; i < s->rows->contact_count; i++)
        s->work->kept[i] = i;
}

static bool is_kept(const Step *s, int32_t contact) {
    for (int32_t i = 0; i < s->work->kept_count; i++)
        if (s->work->kept[i] == contact)
            return true;
    return false;
}

// drives and dry friction always, contacts and limits with independent normals
static void choose(Step *s) {
    const LitheLcpRows *rows = s->rows;
    int32_t *kept = s->work->kept, *index = kept + rows->contact_count;
    int32_t *owner = index + rows->contact_count, *chosen = owner + rows->contact_count;
    int32_t count = 0, normals = 0;
    for (int32_t i = 0; i < rows->contact_count; i++) {
        if (rows->contacts[i].normal < 0) {
            kept[count++] = i;
            continue;
        }
        index[normals] = rows->contacts[i].normal;
        owner[normals++] = i;
    }
    int32_t rank = lithe_lcp_rank(rows->S, rows->dof_count, index, normals,
                                  s->setting->rank ? s->setting->rank_tolerance : 0, chosen,
                                  &s->report->condition, s->work->doubles);
    if (!s->setting->rank) {
        keep_all(s);
        return;
    }
    for (int32_t i = 0; i < rank; i++)
        kept[count++] = owner[chosen[i]];
    s->work->kept_count = count;
    // what carried load stays, so that the recheck does not bring it back in every step
    int32_t stride = lithe_lcp_stride(s->setting);
    for (int32_t i = 0; s->setting->warm && s->setting->recheck && i < normals; i++)
        if (s->z[(ptrdiff_t)stride * owner[i]] > NO_FORCE && !is_kept(s, owner[i]))
            s->work->kept[s->work->kept_count++] = owner[i];
}

// --- assembly ------------------------------------------------------------------------------------

// places of the unknowns, their whitened rows G, and b
static void place(Step *s) {
    const LitheLcpRows *rows = s->rows;
    LitheLcpContactWork *work = s->work;
    int32_t dofs = rows->dof_count, n = 0;
    for (int32_t i = 0; i < work->kept_count; i++) {
        const LitheLcpContact *c = &rows->contacts[work->kept[i]];
        work->blocks[i] =
            (LitheLcpBlock){n, c->normal >= 0, direction_count(s, c), c->mu, c->bound};
        n += lithe_lcp_block_size(&work->blocks[i]);
    }
    work->n = n;
    work->A = work->doubles;
    work->b = work->A + (ptrdiff_t)n * n;
    work->start = work->b + n;
    s->G = work->start + n;
    memset(work->A, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int32_t i = 0; i < work->kept_count; i++) {
        const LitheLcpContact *c = &rows->contacts[work->kept[i]];
        const LitheLcpBlock *block = &work->blocks[i];
        const double *from = s->z + (ptrdiff_t)lithe_lcp_stride(s->setting) * work->kept[i];
        int32_t at = block->first, r = block->directions, size = lithe_lcp_block_size(block);
        memcpy(work->start + at, from, sizeof(double) * (size_t)size);
        if (block->normal) {
            memcpy(s->G + (ptrdiff_t)dofs * at, rows->S + (ptrdiff_t)dofs * c->normal,
                   sizeof(double) * (size_t)dofs);
            work->b[at++] = rows->v[c->normal] - (s->level > LITHE_LCP_AS_POSED ? c->push : 0);
        }
        for (int32_t k = 0; k < r; k++, at++) {
            double d[2], *row = s->G + (ptrdiff_t)dofs * at;
            const double *t = rows->S + (ptrdiff_t)dofs * c->tangent;
            direction(k, r, d);
            work->b[at] = d[0] * rows->v[c->tangent];
            for (int32_t m = 0; m < dofs; m++)
                row[m] = d[0] * t[m];
            if (c->tangent_count == 1)
                continue;
            work->b[at] += d[1] * rows->v[c->tangent + 1];
            for (int32_t m = 0; m < dofs; m++)
                row[m] += d[1] * t[dofs + m];
        }
        if (r > 0) { // the row of the sliding speed has no velocity
            memset(s->G + (ptrdiff_t)dofs * at, 0, sizeof(double) * (size_t)dofs);
            work->b[at] = c->bound;
        }
    }
}

// (L4): A = G G', and in each block the rows of the sliding speed and the compliance
static void assemble(Step *s) {
    const LitheLcpRows *rows = s->rows;
    LitheLcpContactWork *work = s->work;
    int32_t n = work->n, dofs = rows->dof_count;
    place(s);
    n = work->n;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            const double *a = s->G + (ptrdiff_t)dofs * i, *b = s->G + (ptrdiff_t)dofs * j;
            double sum = 0;
            for (int32_t k = 0; k < dofs; k++)
                sum += a[k] * b[k];
            work->A[(ptrdiff_t)n * i + j] = work->A[(ptrdiff_t)n * j + i] = sum;
        }
    for (int32_t i = 0; i < work->kept_count; i++) {
        const LitheLcpContact *c = &rows->contacts[work->kept[i]];
        const LitheLcpBlock *block = &work->blocks[i];
        int32_t first = block->first + block->normal, r = block->directions, slide = first + r;
        if (block->normal && rows->soft)
            work->A[(ptrdiff_t)(n + 1) * block->first] += rows->soft[c->normal];
        if (r == 0)
            continue;
        if (block->normal)
            work->A[(ptrdiff_t)n * slide + block->first] = c->mu;
        for (int32_t k = 0; k < r; k++) {
            work->A[(ptrdiff_t)n * (first + k) + slide] = 1;
            work->A[(ptrdiff_t)n * slide + first + k] = -1;
            for (int32_t m = 0; rows->soft && m < r; m++) {
                double a[2], b[2];
                direction(k, r, a);
                direction(m, r, b);
                double second = c->tangent_count > 1 ? rows->soft[c->tangent + 1] : 0;
                work->A[(ptrdiff_t)n * (first + k) + first + m] +=
                    rows->soft[c->tangent] * a[0] * b[0] + second * a[1] * b[1];
            }
        }
    }
}

// --- solution ------------------------------------------------------------------------------------

// z of all contacts, impulses of all rows, and u
static void spread(Step *s) {
    const LitheLcpRows *rows = s->rows;
    LitheLcpContactWork *work = s->work;
    int32_t stride = lithe_lcp_stride(s->setting), dofs = rows->dof_count;
    memset(s->z, 0, sizeof(double) * (size_t)stride * (size_t)rows->contact_count);
    memset(s->impulse, 0, sizeof(double) * (size_t)rows->row_count);
    memset(s->u, 0, sizeof(double) * (size_t)dofs);
    if (s->level == LITHE_LCP_UNSOLVED)
        return;
    for (int32_t i = 0; i < work->kept_count; i++) {
        const LitheLcpContact *c = &rows->contacts[work->kept[i]];
        const LitheLcpBlock *block = &work->blocks[i];
        const double *z = work->start + block->first;
        memcpy(s->z + (ptrdiff_t)stride * work->kept[i], z,
               sizeof(double) * (size_t)lithe_lcp_block_size(block));
        if (block->normal)
            s->impulse[c->normal] = z[0];
        for (int32_t k = 0; k < block->directions; k++) {
            double d[2], beta = z[block->normal + k];
            direction(k, block->directions, d);
            s->impulse[c->tangent] += d[0] * beta;
            if (c->tangent_count > 1)
                s->impulse[c->tangent + 1] += d[1] * beta;
        }
    }
    for (int32_t i = 0; i < rows->row_count; i++)
        for (int32_t k = 0; s->impulse[i] != 0 && k < dofs; k++)
            s->u[k] += s->impulse[i] * rows->S[(ptrdiff_t)dofs * i + k];
}

// normal velocity of a contact at the end, with its c(gap)
static double end_speed(const Step *s, int32_t contact) {
    const LitheLcpContact *c = &s->rows->contacts[contact];
    const double *row = s->rows->S + (ptrdiff_t)s->rows->dof_count * c->normal;
    double speed = s->rows->v[c->normal] - (s->level > LITHE_LCP_AS_POSED ? c->push : 0);
    for (int32_t k = 0; k < s->rows->dof_count; k++)
        speed += row[k] * s->u[k];
    return speed;
}

// (L13): brings back dropped contacts that are violated; false: there are none
static bool recheck(Step *s, int32_t round) {
    LitheLcpContactWork *work = s->work;
    int32_t worst = -1, spare = -1, kept = work->kept_count;
    double lowest = -VIOLATED, fastest = 0;
    for (int32_t i = 0; i < s->rows->contact_count; i++) {
        if (s->rows->contacts[i].normal < 0 || is_kept(s, i))
            continue;
        double speed = end_speed(s, i);
        if (speed < -VIOLATED && round >= EXCHANGES) {
            work->kept[work->kept_count++] = i;
            s->report->brought_back++;
        } else if (speed < lowest) {
            lowest = speed;
            worst = i;
        }
    }
    if (worst < 0)
        return work->kept_count > kept;
    for (int32_t i = 0; i < kept; i++) {
        const LitheLcpContact *c = &s->rows->contacts[work->kept[i]];
        if (c->normal < 0 || s->impulse[c->normal] > NO_FORCE)
            continue;
        double speed = end_speed(s, work->kept[i]);
        if (speed > fastest) {
            fastest = speed;
            spare = i;
        }
    }
    work->kept[spare >= 0 ? spare : work->kept_count++] = worst;
    s->report->brought_back++;
    return true;
}

// solves with the chosen contacts, then with those that come back; false when out of memory
static bool solve_chosen(Step *s, LitheLcpReport *last) {
    for (int32_t round = 0;; round++) {
        if (lithe_meter_spend(s->work->lcp.meter, s->work->n))
            return true;
        assemble(s);
        LitheLcp problem = {s->work->n, s->work->A, s->work->b, s->work->lcp.meter};
        if (!lithe_lcp_solve(&problem, s->work->blocks, s->work->kept_count, s->setting,
                             &s->work->lcp, s->work->start, last))
            return false;
        s->report->iterations += last->iterations;
        s->report->restarts += last->restarted;
        s->report->fall_backs += last->fell_back;
        s->report->residual = last->residual;
        if (last->outcome != LITHE_LCP_SOLVED && s->setting->fall_back)
            return true;
        spread(s);
        if (!s->setting->recheck || !recheck(s, round))
            return true;
    }
}

// --- overlaps that contradict each other ---------------------------------------------------------

// normals of all contacts, scaled to a diagonal of ones: A u + b >= 0 has to hold for some u. b is
// larger than in the problem by what would be accepted (L12). False: a normal that nothing moves
// approaches.
static bool normals_alone(const Step *s, int32_t count, const int32_t *owner, double *A,
                          double *b) {
    const LitheLcpRows *rows = s->rows;
    int32_t dofs = rows->dof_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t row = rows->contacts[owner[i]].normal;
        const double *Si = rows->S + (ptrdiff_t)dofs * row;
        for (int32_t j = 0; j <= i; j++) {
            const double *Sj = rows->S + (ptrdiff_t)dofs * rows->contacts[owner[j]].normal;
            double sum = i == j && rows->soft ? rows->soft[row] : 0;
            for (int32_t k = 0; k < dofs; k++)
                sum += Si[k] * Sj[k];
            A[(ptrdiff_t)count * i + j] = A[(ptrdiff_t)count * j + i] = sum;
        }
        b[i] = rows->v[row] + CERTAIN * s->setting->accept * fmax(fabs(rows->v[row]), 1);
        if (!(A[(ptrdiff_t)(count + 1) * i] > 0) && b[i] < 0)
            return false;
    }
    for (int32_t i = 0; i < count; i++) {
        double own = A[(ptrdiff_t)(count + 1) * i], f = own > 0 ? 1 / sqrt(own) : 1;
        for (int32_t j = 0; j < count; j++) {
            A[(ptrdiff_t)count * i + j] *= f;
            A[(ptrdiff_t)count * j + i] *= f;
        }
        b[i] *= f;
    }
    return true;
}

// Whether overlaps ask for motions that exclude each other. Without friction the matrix is positive
// semidefinite, and Lemke's method ends on a ray exactly where no motion separates all (L18); with
// friction the same motions are missing. The problem is much smaller than that of the step, whose
// methods would all fail. False when out of memory.
static bool contradict(Step *s, bool *answer) {
    const LitheLcpRows *rows = s->rows;
    LitheLcpWork *memory = &s->work->lcp;
    int32_t count = 0, pushed = 0, *owner = s->work->kept;
    for (int32_t i = 0; i < rows->contact_count; i++) {
        if (rows->contacts[i].normal < 0)
            continue;
        owner[count++] = i;
        pushed += rows->contacts[i].push < 0;
    }
    *answer = false;
    if (pushed < 2 || !s->setting->fall_back)
        return true;
    int64_t n = count;
    if (!LITHE_RESERVE(memory->context, memory->longs, memory->long_capacity,
                       lithe_lcp_lemke_size(count)) ||
        !LITHE_RESERVE(memory->context, memory->integers, memory->integer_capacity, 2 * n + 2) ||
        !LITHE_RESERVE(memory->context, memory->doubles, memory->double_capacity, n * n + 2 * n))
        return false;
    double *A = memory->doubles, *b = A + n * n, *z = b + n;
    *answer = !normals_alone(s, count, owner, A, b);
    if (*answer)
        return true;
    LitheLcpReport one = lithe_lcp_lemke(&(LitheLcp){count, A, b, memory->meter}, z, memory->longs,
                                         memory->integers);
    s->report->iterations += one.iterations;
    *answer = one.outcome == LITHE_LCP_RAY;
    return true;
}

// With few contacts friction may be missing that a solution needs: then with all.
static bool solve_level(Step *s, LitheLcpReport *last) {
    choose(s);
    bool ok = solve_chosen(s, last), all = s->work->kept_count == s->rows->contact_count;
    if (!ok || all || last->outcome == LITHE_LCP_SOLVED || !s->setting->fall_back)
        return ok;
    keep_all(s);
    return solve_chosen(s, last);
}

bool lithe_lcp_contacts(const LitheLcpRows *rows, const LitheLcpSetting *setting,
                        LitheLcpContactWork *work, double *z, double *impulse, double *u,
                        LitheLcpStepReport *report) {
    Step s = {rows, setting, work, z, impulse, u, report, NULL, LITHE_LCP_AS_POSED};
    LitheLcpReport last = {.outcome = LITHE_LCP_SOLVED};
    *report = (LitheLcpStepReport){.contacts = rows->contact_count, .condition = 1};
    bool contradictory;
    if (!reserve(&s) || !contradict(&s, &contradictory))
        return false;
    if (contradictory) {
        report->as_posed = LITHE_LCP_RAY;
        report->fall_backs++;
        s.level = LITHE_LCP_NOT_PUSHED;
    }
    for (; s.level < LITHE_LCP_UNSOLVED; s.level++) {
        if (!solve_level(&s, &last))
            return false;
        if (s.level == LITHE_LCP_AS_POSED)
            report->as_posed = last.outcome;
        if (last.outcome == LITHE_LCP_SOLVED || !setting->fall_back)
            break;
    }
    report->weakened = s.level;
    report->kept = work->kept_count;
    report->dropped = rows->contact_count - work->kept_count;
    if (s.level == LITHE_LCP_UNSOLVED)
        spread(&s);
    return true;
}
