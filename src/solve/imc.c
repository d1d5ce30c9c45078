// SPDX-License-Identifier: Apache-2.0
// solve/imc.c - contact of rods by a smooth potential: all pairs of edges as one interaction

#include "solve/imc.h"

#include "base/memory.h"
#include "body/rod.h"
#include "law/imc_fast.h"
#include "solve/edge_pair.h"

#include <string.h>

// (I14): time constant of the largest force [s], and the max fraction of a correction per step.
// With a smaller time constant the force excites oscillations of the pairs; with a larger one it
// lags behind growing loads.
#define FOLLOW 11e-3
#define MAX_GAIN 0.3
// max ratio of the largest forces of two successive steps
#define MAX_GROWTH 1.1
// fraction of the largest force beyond which a pair is too deep: the force is raised within the
// step
#define DEEP 0.8
// initial value of the largest force, over EI/h^2
#define FIRST_FRACTION 1e-3
// minimum of the largest force, over EI/h^2
#define MIN_FRACTION 1e-7

// the rows of a pair: gradient of the distance, and J of (I12) along two directions, at the start
enum { GAP, SIDE_A, SIDE_B, ROWS };

typedef struct Pair {
    double touch, mu, share; // sum of the radii [m], friction, radius of the first edge over touch
    double x0[12];           // ends at the start [m]
    double v0[12];           // their velocities [m/s]
    Vec3 side[2];            // two directions perpendicular to the normal, at the start
    double damping;          // (I20) [N s/m]
    double bound;            // STATIC: mu F that bounds friction [N]
    double glide[12];        // PAPER: friction of the last update [N]
    // of the last evaluation: components along the two sides; z of each vector is 0
    Vec3 friction; // STATIC: minus the force on the first edge [N]
    Vec3 slip;     // STATIC: of the surfaces [m/s]
    Vec3 z;        // STATIC: direction of friction as a separate unknown
} Pair;

struct LitheImc {
    LitheContext *context;
    LitheImcSetting setting;
    LitheGlideSetting glide;
    LitheImcFriction friction;
    double stick_speed, damping, max;
    LitheStepPlan plan;
    Pair *pairs;
    int32_t count, capacity;
    LitheImcRows *rows; // [count] nodes are numbered through all rods
    double *rates;      // [count][ROWS] rows times velocities
    double *forces;     // [count][ROWS] along the rows
    double *touch;      // [count] as in the pairs
    double *x, *trial;  // [count][12] ends of the last evaluation, and present ones [m]
    LitheImcPush *now;  // [count] of the last evaluation
    double now_max;     // largest force at that evaluation [N]; 0: none yet
    int32_t row_capacity, rate_capacity, force_capacity;
    int32_t touch_capacity, x_capacity, trial_capacity, now_capacity;
};

LitheImc *lithe_imc_create(LitheContext *context) {
    LitheImc *imc = lithe_alloc(context, sizeof *imc);
    if (imc)
        imc->context = context;
    return imc;
}

void lithe_imc_destroy(LitheImc *imc) {
    if (!imc)
        return;
    void *blocks[] = {imc->pairs, imc->rows, imc->rates, imc->forces,
                      imc->touch, imc->x,    imc->trial, imc->now};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(imc->context, blocks[k]);
    lithe_free(imc->context, imc);
}

// --- the largest force ---------------------------------------------------------------------------

// EI/h^2 of the softest rod, the scale of forces in a tight knot
static double bend_force(const LitheModel *model) {
    double min = INFINITY;
    for (int32_t i = 0; i < model->rod_count; i++)
        min = fmin(min, lithe_rod_bend_force(&model->rods[i]));
    return min;
}

double lithe_imc_first_force(const LitheModel *model) {
    double weight = 0;
    if (model->contact.imc.force > 0)
        return model->contact.imc.force;
    for (int32_t i = 0; i < model->rod_count; i++) {
        const LitheRod *rod = &model->rods[i];
        double mass = 0;
        for (int32_t k = 0; k < rod->node_count; k++)
            mass += rod->mass[4 * (int64_t)k];
        weight = fmax(weight, mass * v3_norm(model->gravity));
    }
    return fmax(FIRST_FRACTION * bend_force(model), weight);
}

double lithe_imc_next_force(const LitheModel *model, const LitheContacts *contacts, double force,
                            double h) {
    const LitheImcDef *def = &model->contact.imc;
    double nearest = INFINITY; // gap over h
    for (int32_t i = 0; i < contacts->count; i++) {
        double touch = lithe_edge_touch(model, &contacts->parts[i]);
        nearest = fmin(nearest, contacts->contacts[i].gap / (0.5 * touch));
    }
    if (!(nearest < def->reach))
        return force;
    double middle = 0.5 * (def->hover - def->depth);
    // (I14): the fraction of the largest force that the nearest pair carries, and the desired one
    double share = lithe_logistic(-def->sharpness * nearest);
    double wanted = lithe_logistic(-def->sharpness * middle);
    double gain = fmin(1 - exp(-h / FOLLOW), MAX_GAIN);
    double factor = fmin(fmax(pow(share / wanted, gain), 1 / MAX_GROWTH), MAX_GROWTH);
    return fmax(force * factor, MIN_FRACTION * bend_force(model));
}

// --- begin ---------------------------------------------------------------------------------------

// (I20)
static void damp(const LitheModel *model, const LitheImc *imc, const LitheContactParts *parts,
                 const LitheImcPush *now, LitheImcRows *rows, Pair *p) {
    double part = now->force / imc->max, K = 0;
    double stiffness = 2 * imc->max * imc->setting.sharpness * part * (1 - part) / p->touch;
    for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
        Vec3 g = v3_scale(-1 / now->force, v3_load(now->gradient + 3 * k));
        v3_store(g, rows->row[GAP] + 4 * k);
        K += v3_dot(g, g) * lithe_edge_mobility(model, &parts->site[k / 2], rows->node[k]);
    }
    p->damping = K > 0 ? 2 * imc->damping * sqrt(stiffness / K) : 0;
}

static void place_pair(const LitheModel *model, const LitheState *state,
                       const LitheContactParts *parts, double friction, LitheImcRows *rows,
                       Pair *p) {
    double ra = lithe_rod_contact_radius(lithe_edge_rod(model, &parts->site[0]));
    double rb = lithe_rod_contact_radius(lithe_edge_rod(model, &parts->site[1]));
    memset(rows->row, 0, sizeof rows->row);
    lithe_edge_nodes(model, &parts->site[0], rows->node);
    lithe_edge_nodes(model, &parts->site[1], rows->node + 2);
    p->touch = ra + rb;
    p->mu = friction;
    p->share = ra / p->touch;
    p->slip = p->friction = p->z = p->side[0] = p->side[1] = v3(0, 0, 0);
    memset(p->glide, 0, sizeof p->glide);
    for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
        v3_store(v3_load(state->q + 4 * (int64_t)rows->node[k]), p->x0 + 3 * k);
        v3_store(v3_load(state->v + 4 * (int64_t)rows->node[k]), p->v0 + 3 * k);
    }
}

// `now` is evaluated at the start; NULL: the centrelines meet, which evaluate reports
static void begin_pair(const LitheModel *model, const LitheImc *imc, const LitheContactParts *parts,
                       const LitheImcPush *now, LitheImcRows *rows, Pair *p) {
    p->bound = p->damping = 0;
    if (!now)
        return;
    damp(model, imc, parts, now, rows, p);
    p->bound = imc->friction != LITHE_IMC_PAPER ? p->mu * now->force : 0;
    if (imc->friction == LITHE_IMC_PAPER) {
        LitheGlideSetting glide = imc->glide;
        glide.mu = p->mu;
        lithe_imc_glide(now->gradient, NULL, p->touch, p->v0, &glide, p->glide, NULL);
        return;
    }
    double J[3][LITHE_STENCIL_DOFS]; // of (I12)
    Vec3 n = v3_scale(1 / now->distance, now->d);
    lithe_imc_surface(p->x0, now->t, now->u, p->share, imc->friction == LITHE_IMC_STATIC, J);
    p->side[0] = v3_any_normal(n);
    p->side[1] = v3_cross(n, p->side[0]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < LITHE_STENCIL_DOFS; i++)
            rows->row[SIDE_A + k][i] =
                p->side[k].x * J[0][i] + p->side[k].y * J[1][i] + p->side[k].z * J[2][i];
}

static bool reserve(LitheImc *imc, int32_t count) {
    LitheContext *context = imc->context;
    return LITHE_RESERVE(context, imc->pairs, imc->capacity, count) &&
           LITHE_RESERVE(context, imc->rows, imc->row_capacity, count) &&
           LITHE_RESERVE(context, imc->rates, imc->rate_capacity, ROWS * (int64_t)count) &&
           LITHE_RESERVE(context, imc->forces, imc->force_capacity, ROWS * (int64_t)count) &&
           LITHE_RESERVE(context, imc->touch, imc->touch_capacity, count) &&
           LITHE_RESERVE(context, imc->x, imc->x_capacity, 12 * (int64_t)count) &&
           LITHE_RESERVE(context, imc->trial, imc->trial_capacity, 12 * (int64_t)count) &&
           LITHE_RESERVE(context, imc->now, imc->now_capacity, count);
}

// slip velocity along the two sides, from the last rates
static Vec3 slip_of(const LitheImc *imc, int32_t index) {
    const double *rates = imc->rates + ROWS * (int64_t)index;
    return v3(rates[SIDE_A], rates[SIDE_B], 0);
}

static LitheImcMany many_of(const LitheImc *imc, int32_t first, int32_t count) {
    return (LitheImcMany){count, imc->x + 12 * (int64_t)first, imc->touch + first, imc->max,
                          &imc->setting};
}

bool lithe_imc_begin(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     const LitheContacts *contacts, double force, LitheImc *imc) {
    const LitheImcDef *def = &model->contact.imc;
    if (!reserve(imc, contacts->count))
        return false;
    imc->setting = (LitheImcSetting){{def->smoothing, def->parallel}, def->sharpness};
    imc->glide = (LitheGlideSetting){0, def->smoothing, def->onset};
    imc->friction = def->friction;
    imc->stick_speed = def->stick_speed;
    imc->damping = def->damping;
    imc->max = force;
    imc->now_max = 0;
    imc->plan = *plan;
    imc->count = contacts->count;
    for (int32_t i = 0; i < imc->count; i++) {
        place_pair(model, state, &contacts->parts[i], contacts->contacts[i].friction, &imc->rows[i],
                   &imc->pairs[i]);
        memcpy(imc->x + 12 * (int64_t)i, imc->pairs[i].x0, sizeof imc->pairs[i].x0);
        imc->touch[i] = imc->pairs[i].touch;
    }
    LitheImcMany all = many_of(imc, 0, imc->count);
    bool good = lithe_imc_many(&all, imc->now);
    for (int32_t i = 0; i < imc->count; i++) {
        LitheImcPush *now = &imc->now[i];
        LitheImcMany one = many_of(imc, i, 1);
        if (!good && !lithe_imc_many(&one, now))
            now = NULL;
        begin_pair(model, imc, &contacts->parts[i], now, &imc->rows[i], &imc->pairs[i]);
    }
    // initial directions of friction: those of the velocities of the last step
    lithe_imc_rates(imc->count, imc->rows, state->v, imc->rates);
    for (int32_t i = 0; imc->friction != LITHE_IMC_PAPER && i < imc->count; i++)
        imc->pairs[i].z =
            lithe_imc_stick_aim(slip_of(imc, i), v3(0, 0, 0), v3(0, 0, 0), imc->stick_speed);
    return true;
}

// --- the interaction -----------------------------------------------------------------------------

static int32_t imc_count(const void *self) {
    return ((const LitheImc *)self)->count;
}

static void imc_nodes(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]) {
    memcpy(nodes, ((const LitheImc *)self)->rows[stencil].node, 4 * sizeof *nodes);
}

// force, energy and gradient of all pairs at w; reuses those of the last call if no position
// changed
static bool place(LitheImc *imc, const double *w) {
    double ah = imc->plan.a * imc->plan.h;
    if (imc->count == 0)
        return true;
    for (int32_t i = 0; i < imc->count; i++) {
        const Pair *p = &imc->pairs[i];
        const int32_t *node = imc->rows[i].node;
        double *x = imc->trial + 12 * (int64_t)i;
        for (int k = 0; k < LITHE_STENCIL_NODES; k++)
            for (int c = 0; c < 3; c++)
                x[3 * k + c] = p->x0[3 * k + c] + ah * w[4 * (int64_t)node[k] + c];
    }
    size_t bytes = 12 * (size_t)imc->count * sizeof *imc->x;
    if (imc->now_max == imc->max && memcmp(imc->trial, imc->x, bytes) == 0)
        return true;
    memcpy(imc->x, imc->trial, bytes);
    LitheImcMany all = many_of(imc, 0, imc->count);
    bool good = lithe_imc_many(&all, imc->now);
    imc->now_max = good ? imc->max : 0;
    return good;
}

// friction as published: adds its force to the gradient and returns its power, which is negative
static double add_glide(const Pair *p, const int32_t node[LITHE_STENCIL_NODES], const double *w,
                        double h, double *gradient) {
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        int64_t dof = 4 * (int64_t)node[k / 3] + k % 3;
        gradient[dof] -= h * p->glide[k];
        sum -= p->glide[k] * w[dof];
    }
    return sum;
}

static double imc_evaluate(void *self, const double *w, double *gradient) {
    LitheImc *imc = self;
    double energy = 0, power = 0, h = imc->plan.h;
    if (!place(imc, w))
        return INFINITY;
    lithe_imc_rates(imc->count, imc->rows, w, imc->rates);
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        double *f = imc->forces + ROWS * (int64_t)i, rate = imc->rates[ROWS * (int64_t)i + GAP];
        energy += imc->now[i].energy;
        power += 0.5 * p->damping * rate * rate;
        p->friction = v3(0, 0, 0);
        if (p->bound > 0) {
            p->slip = slip_of(imc, i);
            power += lithe_imc_stick(p->slip, p->bound, imc->stick_speed, &p->friction, NULL);
        }
        f[GAP] = p->damping * rate, f[SIDE_A] = p->friction.x, f[SIDE_B] = p->friction.y;
    }
    lithe_imc_spread(imc->count, imc->rows, imc->forces, imc->now, h, gradient);
    for (int32_t i = 0; imc->friction == LITHE_IMC_PAPER && i < imc->count; i++)
        power += add_glide(&imc->pairs[i], imc->rows[i].node, w, h, gradient);
    return imc->plan.inverse_a * energy + h * power;
}

static void imc_aim(void *self, const double *dx) {
    LitheImc *imc = self;
    if (imc->friction == LITHE_IMC_PAPER)
        return;
    lithe_imc_rates(imc->count, imc->rows, dx, imc->rates);
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        if (p->bound > 0)
            p->z = lithe_imc_stick_aim(p->slip, slip_of(imc, i), p->z, imc->stick_speed);
    }
}

// two vectors whose outer products are the slope of friction
static void lift_stick(const LitheImc *imc, const Pair *p, const LitheImcRows *rows, double *v) {
    Mat3 G = lithe_imc_stick_slope(p->slip, p->z, p->bound, imc->stick_speed);
    double h = imc->plan.h, aa = h * G.m[0][0], ab = h * G.m[0][1], bb = h * G.m[1][1];
    // Cholesky: rows L' J
    double l = sqrt(fmax(aa, 0)), m = l > 0 ? ab / l : 0, n = sqrt(fmax(bb - m * m, 0));
    for (int i = 0; i < LITHE_STENCIL_DOFS; i++) {
        v[i] = l * rows->row[SIDE_A][i] + m * rows->row[SIDE_B][i];
        v[LITHE_STENCIL_DOFS + i] = n * rows->row[SIDE_B][i];
    }
}

// projects the blocks of a Hessian: negative eigenvalues become zero
static void project_blocks(double *H) {
    LitheImcPair pair;
    for (int turn = 0; turn < 2; turn++) {
        double *block = H;
        for (int a = 0; a < LITHE_STENCIL_NODES; a++)
            for (int b = 0; b <= a; b++, block += 16)
                for (int k = 0; k < 9; k++) {
                    int row = 3 * a + k % 3, column = 3 * b + k / 3;
                    double *from = block + k / 3 * 4 + k % 3;
                    if (turn == 0)
                        pair.hessian[12 * row + column] = pair.hessian[12 * column + row] = *from;
                    else
                        *from = pair.hessian[12 * row + column];
                }
        if (turn == 0)
            lithe_imc_project(&pair);
    }
}

static void imc_hessians(void *self, int32_t first, int32_t count, bool project, double *H) {
    const LitheImc *imc = self;
    const LitheStepPlan *plan = &imc->plan;
    // vectors whose outer products are the Hessians of damping and friction
    double outer[LITHE_STENCIL_GROUP][LITHE_IMC_OUTER][LITHE_STENCIL_DOFS];
    for (int32_t k = 0; k < count; k++) {
        const Pair *p = &imc->pairs[first + k];
        const LitheImcRows *rows = &imc->rows[first + k];
        double root = sqrt(plan->h * p->damping);
        for (int i = 0; i < LITHE_STENCIL_DOFS; i++)
            outer[k][0][i] = root * rows->row[GAP][i];
        if (p->bound > 0)
            lift_stick(imc, p, rows, outer[k][1]);
        else
            memset(outer[k][1], 0, 2 * sizeof outer[k][1]);
    }
    LitheImcMany group = many_of(imc, first, count);
    lithe_imc_hessians(&group, plan->a * plan->h * plan->h, project ? NULL : outer[0][0], H);
    for (int32_t k = 0; project && k < count; k++) {
        project_blocks(H + LITHE_STENCIL_HESSIAN * k);
        lithe_imc_add_outer(outer[k][0], H + LITHE_STENCIL_HESSIAN * k);
    }
}

// --- lagged terms --------------------------------------------------------------------------------

// updates friction of the paper to the present normal forces
static double update_glide(LitheImc *imc) {
    double moved = 0, sum = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        LitheGlideSetting glide = imc->glide;
        double force[12];
        glide.mu = p->mu;
        lithe_imc_glide(imc->now[i].gradient, NULL, p->touch, p->v0, &glide, force, NULL);
        for (int k = 0; k < 12; k++) {
            moved += fabs(force[k] - p->glide[k]);
            sum += fabs(force[k]);
        }
        memcpy(p->glide, force, sizeof force);
    }
    return sum > 0 ? moved / sum : 0;
}

static double update_bounds(LitheImc *imc) {
    double moved = 0, sum = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        double bound = p->mu * imc->now[i].force;
        moved += fabs(bound - p->bound);
        sum += bound;
        p->bound = bound;
    }
    return sum > 0 ? moved / sum : 0;
}

// Pairs near their largest force are too compliant: the largest force is doubled until no pair is
// near it.
static bool raise_force(LitheImc *imc) {
    double max = 0;
    for (int32_t i = 0; i < imc->count; i++)
        max = fmax(max, imc->now[i].force);
    if (max <= DEEP * imc->max)
        return false;
    imc->max *= 2;
    return true;
}

static double imc_update_lagged(void *self, const double *w, bool solved) {
    LitheImc *imc = self;
    (void)w;
    if (solved && raise_force(imc))
        return 1;
    return imc->friction == LITHE_IMC_PAPER ? update_glide(imc) : update_bounds(imc);
}

LitheInteraction lithe_imc_interaction(LitheImc *imc) {
    return (LitheInteraction){.self = imc,
                              .width = LITHE_STENCIL_WIDTH, // the twist of an edge moves surfaces
                              .count = imc_count,
                              .nodes = imc_nodes,
                              .update_lagged = imc_update_lagged,
                              .aim = imc_aim,
                              .evaluate = imc_evaluate,
                              .hessians = imc_hessians};
}

// --- reading -------------------------------------------------------------------------------------

// the part of the friction of the paper that does not oppose the present sliding [N]: none of it
// where it does, all of it where it drives the sliding
static double astray(const Pair *p, const LitheImcPush *now, const LitheImcRows *rows,
                     const double *w) {
    Vec3 f = v3_add(v3_load(p->glide), v3_load(p->glide + 3)), v = v3(0, 0, 0);
    Vec3 n = v3_unit(v3_add(v3_load(now->gradient), v3_load(now->gradient + 3)));
    for (int k = 0; k < LITHE_STENCIL_NODES; k++)
        v = v3_axpy(k < 2 ? 0.5 : -0.5, v3_load(w + 4 * (int64_t)rows->node[k]), v);
    v = v3_axpy(-v3_dot(v, n), n, v);
    double force = v3_norm(f), speed = v3_norm(v);
    return force > 0 && speed > 0 ? 0.5 * (force + v3_dot(f, v) / speed) : 0;
}

double lithe_imc_took(const LitheImc *imc, const double *w, double *friction, double *normal) {
    double wrong = 0, bound = 0;
    *friction = *normal = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        const Pair *p = &imc->pairs[i];
        double sum = 0, rub = 0;
        for (int k = 0; k < 12; k++) {
            double v = w[4 * (int64_t)imc->rows[i].node[k / 3] + k % 3];
            sum += imc->now[i].gradient[k] * v;
            rub -= p->glide[k] * v;
        }
        *normal += imc->plan.h * sum;
        *friction += imc->plan.h * (rub + v3_dot(p->friction, p->slip));
        bound += p->mu * imc->now[i].force;
        if (imc->friction == LITHE_IMC_PAPER)
            wrong += astray(p, &imc->now[i], &imc->rows[i], w);
    }
    return wrong > 0 ? wrong / bound : 0;
}

double lithe_imc_stored(const LitheImc *imc) {
    double sum = 0;
    for (int32_t i = 0; i < imc->count; i++)
        sum += imc->now[i].energy;
    return sum;
}

double lithe_imc_max_force(const LitheImc *imc) {
    return imc->max;
}

Vec3 lithe_imc_force(const LitheImc *imc, int32_t index, double *normal, double *slip) {
    const Pair *p = &imc->pairs[index];
    const double *gradient = imc->now[index].gradient;
    Vec3 push = v3_neg(v3_add(v3_load(gradient + 6), v3_load(gradient + 9)));
    Vec3 glide = v3_add(v3_load(p->glide + 6), v3_load(p->glide + 9));
    *normal = imc->now[index].force;
    *slip = v3_norm(p->slip);
    Vec3 rub = v3_axpy(p->friction.x, p->side[0], v3_scale(p->friction.y, p->side[1]));
    return v3_add(v3_add(push, glide), rub);
}
