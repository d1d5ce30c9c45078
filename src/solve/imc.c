// SPDX-License-Identifier: Apache-2.0
// solve/imc.c - contact of rods by a smooth potential: all pairs of edges as one interaction

#include "solve/imc.h"

#include "base/memory.h"
#include "collide/collide.h"
#include "law/imc_pair.h"

#include <string.h>

// (I14): how fast the largest force follows [s], and the most of the way in one step. Faster, and
// it excites the pairs it is to hold; slower, and loads that grow leave it behind.
#define FOLLOW 11e-3
#define MOST_GAIN 0.3
// it changes by at most this from step to step
#define MOST_GROWTH 1.1
// share of the largest force from which on a pair is too deep: the force is raised within the step
#define DEEP 0.8
// the first one, over EI/h^2
#define FIRST_PART 1e-3
// and the least ever
#define LEAST_PART 1e-7

typedef struct Pair {
    int32_t node[LITHE_STENCIL_NODES]; // through all rods
    double touch, mu, share;
    double x0[12];       // ends at the start [m]
    double v0[12];       // their velocities [m/s]
    Vec3 n;              // from the second to the first edge, at the start
    double J[3][16];     // (I12) with its projection, at the start
    double g0[12];       // gradient of the distance at the start
    double damping;      // (I20) [N s/m]
    double bound;        // STATIC: mu F that bounds friction [N]
    double glide[12];    // PAPER: friction of the last look [N]
    double x[12];        // ends of the last evaluation [m]
    double most;         // largest force then [N]; 0: none yet
    double force;        // F there [N]
    double energy;       // [J]
    double gradient[12]; // of the energy there [N]
    Vec3 friction;       // STATIC: on the first edge, negative, there [N]
    Vec3 slip;           // STATIC: of the surfaces there [m/s]
    Vec3 z;              // STATIC: direction of friction as an unknown of its own
} Pair;

struct LitheImc {
    LitheContext *context;
    LitheImcSetting setting;
    LitheGlideSetting glide;
    LitheImcFriction friction;
    double stick_speed, damping, most;
    LitheStepPlan plan;
    Pair *pairs;
    int32_t count, capacity;
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
    lithe_free(imc->context, imc->pairs);
    lithe_free(imc->context, imc);
}

// --- the largest force ---------------------------------------------------------------------------

// EI/h^2 of the softest rod, the scale of forces in a tight knot
static double bend_force(const LitheModel *model) {
    double least = INFINITY;
    for (int32_t i = 0; i < model->rod_count; i++) {
        const LitheRod *rod = &model->rods[i];
        double radius = lithe_rod_contact_radius(rod);
        least = fmin(least, fmin(rod->EI1, rod->EI2) / (radius * radius));
    }
    return least;
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
    return fmax(FIRST_PART * bend_force(model), weight);
}

double lithe_imc_next_force(const LitheModel *model, const LitheContacts *contacts, double force,
                            double h) {
    const LitheImcDef *def = &model->contact.imc;
    double nearest = INFINITY; // gap over h
    for (int32_t i = 0; i < contacts->count; i++) {
        const LitheContact *c = &contacts->contacts[i];
        double touch = lithe_rod_contact_radius(&model->rods[c->a.rod.number - 1]) +
                       lithe_rod_contact_radius(&model->rods[c->b.rod.number - 1]);
        nearest = fmin(nearest, c->gap / (0.5 * touch));
    }
    if (!(nearest < def->reach))
        return force;
    double middle = 0.5 * (def->hover - def->depth);
    // (I14): the share of the largest force that the nearest pair bears, and the one it should
    double share = lithe_logistic(-def->sharpness * nearest);
    double wanted = lithe_logistic(-def->sharpness * middle);
    double gain = fmin(1 - exp(-h / FOLLOW), MOST_GAIN);
    double factor = fmin(fmax(pow(share / wanted, gain), 1 / MOST_GROWTH), MOST_GROWTH);
    return fmax(force * factor, LEAST_PART * bend_force(model));
}

// --- begin ---------------------------------------------------------------------------------------

// J w
static Vec3 slip_of(const Pair *p, const double *w) {
    double s[3] = {0};
    for (int k = 0; k < LITHE_STENCIL_NODES; k++)
        for (int c = 0; c < 4; c++)
            for (int row = 0; row < 3; row++)
                s[row] += p->J[row][4 * k + c] * w[4 * (int64_t)p->node[k] + c];
    return v3_load(s);
}

// nodes of an edge through all rods
static void ends_of(const LitheModel *model, const LitheContactSide *side, int32_t out[2]) {
    const LitheRod *rod = &model->rods[side->rod.number - 1];
    int32_t first = (int32_t)rod->node_at, next = side->part + 1;
    out[0] = first + side->part;
    out[1] = first + (next == rod->node_count ? 0 : next);
}

// mass of a node of a rod; held ones have none to speak of
static double mobility(const LitheModel *model, const LitheContactSide *side, int32_t node) {
    const LitheRod *rod = &model->rods[side->rod.number - 1];
    int64_t dof = 4 * (node - rod->node_at);
    return rod->held[dof] ? 0 : 1 / rod->mass[dof];
}

// (I20)
static void damp(const LitheModel *model, const LitheImc *imc, const LitheContact *c,
                 const LitheImcPair *now, Pair *p) {
    double part = now->force / imc->most, K = 0;
    double stiffness = 2 * imc->most * imc->setting.sharpness * part * (1 - part) / p->touch;
    for (int k = 0; k < 12; k++)
        p->g0[k] = -now->gradient[k] / now->force;
    for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
        Vec3 g = v3_load(p->g0 + 3 * k);
        K += v3_dot(g, g) * mobility(model, k < 2 ? &c->a : &c->b, p->node[k]);
    }
    p->damping = K > 0 ? 2 * imc->damping * sqrt(stiffness / K) : 0;
}

static void begin_pair(const LitheModel *model, const LitheState *state, const LitheImc *imc,
                       const LitheContact *c, Pair *p) {
    double ra = lithe_rod_contact_radius(&model->rods[c->a.rod.number - 1]);
    double rb = lithe_rod_contact_radius(&model->rods[c->b.rod.number - 1]);
    ends_of(model, &c->a, p->node);
    ends_of(model, &c->b, p->node + 2);
    p->touch = ra + rb;
    p->mu = c->friction;
    p->share = ra / p->touch;
    p->slip = p->friction = p->z = v3(0, 0, 0);
    p->most = 0;
    memset(p->glide, 0, sizeof p->glide);
    for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
        v3_store(v3_load(state->q + 4 * (int64_t)p->node[k]), p->x0 + 3 * k);
        v3_store(v3_load(state->v + 4 * (int64_t)p->node[k]), p->v0 + 3 * k);
    }
    LitheImcPair now;
    if (!lithe_imc_pair(p->x0, p->touch, imc->most, &imc->setting, false, &now)) {
        // centrelines that meet: evaluate will say so
        p->bound = p->damping = 0;
        memset(p->J, 0, sizeof p->J);
        return;
    }
    p->n = v3_scale(1 / now.distance, now.d);
    damp(model, imc, c, &now, p);
    p->bound = imc->friction == LITHE_IMC_STATIC ? p->mu * now.force : 0;
    if (imc->friction == LITHE_IMC_PAPER) {
        LitheGlideSetting glide = imc->glide;
        glide.mu = p->mu;
        lithe_imc_glide(&now, p->touch, p->v0, &glide, p->glide, NULL);
        return;
    }
    lithe_imc_surface(p->x0, now.t, now.u, p->share, p->J);
    for (int i = 0; i < 16; i++) {
        Vec3 column = v3(p->J[0][i], p->J[1][i], p->J[2][i]);
        column = v3_axpy(-v3_dot(p->n, column), p->n, column);
        p->J[0][i] = column.x, p->J[1][i] = column.y, p->J[2][i] = column.z;
    }
    // going on as before, friction has the direction it had
    Vec3 slip = slip_of(p, state->v);
    p->z = lithe_imc_stick_aim(slip, v3(0, 0, 0), v3(0, 0, 0), imc->stick_speed);
}

bool lithe_imc_begin(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     const LitheContacts *contacts, double force, LitheImc *imc) {
    const LitheImcDef *def = &model->contact.imc;
    if (!LITHE_RESERVE(imc->context, imc->pairs, imc->capacity, contacts->count))
        return false;
    imc->setting = (LitheImcSetting){{def->smoothing, def->parallel}, def->sharpness};
    imc->glide = (LitheGlideSetting){0, def->smoothing, def->onset};
    imc->friction = def->friction;
    imc->stick_speed = def->stick_speed;
    imc->damping = def->damping;
    imc->most = force;
    imc->plan = *plan;
    imc->count = contacts->count;
    for (int32_t i = 0; i < imc->count; i++)
        begin_pair(model, state, imc, &contacts->contacts[i], &imc->pairs[i]);
    return true;
}

// --- the interaction -----------------------------------------------------------------------------

static int32_t imc_count(const void *self) {
    return ((const LitheImc *)self)->count;
}

static void imc_nodes(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]) {
    memcpy(nodes, ((const LitheImc *)self)->pairs[stencil].node, 4 * sizeof *nodes);
}

// h U(J w), its gradient added; slip and force stay in the pair
static double add_stick(const LitheImc *imc, Pair *p, const double *w, double *gradient) {
    double h = imc->plan.h;
    Mat3 slope;
    p->slip = slip_of(p, w);
    double U = lithe_imc_stick(p->slip, p->bound, imc->stick_speed, &p->friction, &slope);
    for (int k = 0; k < LITHE_STENCIL_NODES; k++)
        for (int c = 0; c < 4; c++)
            gradient[4 * (int64_t)p->node[k] + c] +=
                h * (p->J[0][4 * k + c] * p->friction.x + p->J[1][4 * k + c] * p->friction.y +
                     p->J[2][4 * k + c] * p->friction.z);
    return h * U;
}

// force, energy and gradient of a pair at w; nothing to do where it stands as at the last look
static bool place(const LitheImc *imc, Pair *p, const double *w) {
    LitheImcPair at;
    double x[12], ah = imc->plan.a * imc->plan.h;
    for (int k = 0; k < LITHE_STENCIL_NODES; k++)
        for (int c = 0; c < 3; c++)
            x[3 * k + c] = p->x0[3 * k + c] + ah * w[4 * (int64_t)p->node[k] + c];
    if (p->most == imc->most && memcmp(x, p->x, sizeof x) == 0)
        return true;
    if (!lithe_imc_pair(x, p->touch, imc->most, &imc->setting, false, &at))
        return false;
    memcpy(p->x, x, sizeof x);
    p->most = imc->most;
    p->force = at.force;
    p->energy = at.energy;
    memcpy(p->gradient, at.gradient, sizeof p->gradient);
    return true;
}

static double imc_evaluate(void *self, const double *w, double *gradient) {
    LitheImc *imc = self;
    const LitheStepPlan *plan = &imc->plan;
    double sum = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        if (!place(imc, p, w))
            return INFINITY;
        double rate = 0; // of approach, negative
        for (int k = 0; k < LITHE_STENCIL_NODES; k++)
            rate += v3_dot(v3_load(p->g0 + 3 * k), v3_load(w + 4 * (int64_t)p->node[k]));
        sum += plan->inverse_a * p->energy + 0.5 * plan->h * p->damping * rate * rate;
        for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
            double *to = gradient + 4 * (int64_t)p->node[k];
            Vec3 push =
                v3_axpy(p->damping * rate, v3_load(p->g0 + 3 * k), v3_load(p->gradient + 3 * k));
            Vec3 glide = v3_load(p->glide + 3 * k);
            sum -= plan->h * v3_dot(glide, v3_load(w + 4 * (int64_t)p->node[k]));
            v3_store(v3_axpy(plan->h, v3_sub(push, glide), v3_load(to)), to);
        }
        if (p->bound > 0)
            sum += add_stick(imc, p, w, gradient);
        else
            p->friction = v3(0, 0, 0);
    }
    return sum;
}

static void imc_aim(void *self, const double *dx) {
    LitheImc *imc = self;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        if (p->bound > 0)
            p->z = lithe_imc_stick_aim(p->slip, slip_of(p, dx), p->z, imc->stick_speed);
    }
}

// sqrt(scale) times a vector of the ends, as one of their DoFs
static void lift(const double g[12], double scale, double v[LITHE_STENCIL_DOFS]) {
    double root = sqrt(scale);
    for (int k = 0; k < LITHE_STENCIL_NODES; k++) {
        for (int c = 0; c < 3; c++)
            v[4 * k + c] = root * g[3 * k + c];
        v[4 * k + 3] = 0;
    }
}

// friction: the slope is square to n, so it is that of two vectors
static void lift_stick(const LitheImc *imc, const Pair *p, double v[2][LITHE_STENCIL_DOFS]) {
    Mat3 G = lithe_imc_stick_slope(p->slip, p->z, p->bound, imc->stick_speed);
    Vec3 a = v3_any_normal(p->n), b = v3_cross(p->n, a);
    Vec3 Ga = m3_apply(G, a), Gb = m3_apply(G, b);
    double h = imc->plan.h, aa = h * v3_dot(a, Ga), ab = h * v3_dot(a, Gb), bb = h * v3_dot(b, Gb);
    // Cholesky: rows L' (a, b)
    double l = sqrt(fmax(aa, 0)), m = l > 0 ? ab / l : 0, n = sqrt(fmax(bb - m * m, 0));
    Vec3 first = v3_axpy(m, b, v3_scale(l, a)), second = v3_scale(n, b);
    for (int i = 0; i < LITHE_STENCIL_DOFS; i++) {
        v[0][i] = first.x * p->J[0][i] + first.y * p->J[1][i] + first.z * p->J[2][i];
        v[1][i] = second.x * p->J[0][i] + second.y * p->J[1][i] + second.z * p->J[2][i];
    }
}

static void imc_hessian(void *self, int32_t stencil, bool project, double *restrict H) {
    LitheImc *imc = self;
    const LitheStepPlan *plan = &imc->plan;
    Pair *p = &imc->pairs[stencil];
    LitheImcPair at;
    double v[3][LITHE_STENCIL_DOFS] = {{0}}, scale = plan->a * plan->h * plan->h;
    bool good = lithe_imc_pair(p->x, p->touch, imc->most, &imc->setting, true, &at);
    if (good && project)
        lithe_imc_project(&at);
    lift(p->g0, plan->h * p->damping, v[0]);
    if (p->bound > 0)
        lift_stick(imc, p, v + 1);
    for (int i = 0; i < LITHE_STENCIL_DOFS; i++) {
        double *row = H + LITHE_STENCIL_DOFS * i;
        for (int j = 0; j < 4 * (i / 4 + 1); j++)
            row[j] = v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j];
        const double *from = at.hessian + 12 * (3 * (i / 4) + i % 4);
        for (int m = 0; good && i % 4 < 3 && m <= i / 4; m++)
            for (int c = 0; c < 3; c++)
                row[4 * m + c] += scale * from[3 * m + c];
    }
}

// --- looks ---------------------------------------------------------------------------------------

// friction of the paper at the present normal forces
static double look_glide(LitheImc *imc) {
    double moved = 0, sum = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        LitheGlideSetting glide = imc->glide;
        LitheImcPair at;
        double force[12];
        glide.mu = p->mu;
        memcpy(at.gradient, p->gradient, sizeof at.gradient);
        lithe_imc_glide(&at, p->touch, p->v0, &glide, force, NULL);
        for (int k = 0; k < 12; k++) {
            moved += fabs(force[k] - p->glide[k]);
            sum += fabs(force[k]);
        }
        memcpy(p->glide, force, sizeof force);
    }
    return sum > 0 ? moved / sum : 0;
}

static double look_bounds(LitheImc *imc) {
    double moved = 0, sum = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        Pair *p = &imc->pairs[i];
        double bound = p->mu * p->force;
        moved += fabs(bound - p->bound);
        sum += bound;
        p->bound = bound;
    }
    return sum > 0 ? moved / sum : 0;
}

// Pairs near their largest force give way without end: it doubles until none is.
static bool raise_force(LitheImc *imc) {
    double most = 0;
    for (int32_t i = 0; i < imc->count; i++)
        most = fmax(most, imc->pairs[i].force);
    if (most <= DEEP * imc->most)
        return false;
    imc->most *= 2;
    return true;
}

static double imc_look(void *self, const double *w, bool solved) {
    LitheImc *imc = self;
    (void)w;
    if (solved && raise_force(imc))
        return 1;
    return imc->friction == LITHE_IMC_PAPER ? look_glide(imc) : look_bounds(imc);
}

LitheInteraction lithe_imc_interaction(LitheImc *imc) {
    return (LitheInteraction){imc,     imc_count,    imc_nodes,  imc_look,
                              imc_aim, imc_evaluate, imc_hessian};
}

// --- reading -------------------------------------------------------------------------------------

void lithe_imc_took(const LitheImc *imc, const double *w, double *friction, double *normal) {
    *friction = *normal = 0;
    for (int32_t i = 0; i < imc->count; i++) {
        const Pair *p = &imc->pairs[i];
        double sum = 0, rub = 0;
        for (int k = 0; k < 12; k++) {
            double v = w[4 * (int64_t)p->node[k / 3] + k % 3];
            sum += p->gradient[k] * v;
            rub -= p->glide[k] * v;
        }
        *normal += imc->plan.h * sum;
        *friction += imc->plan.h * (rub + v3_dot(p->friction, p->slip));
    }
}

double lithe_imc_most(const LitheImc *imc) {
    return imc->most;
}

Vec3 lithe_imc_force(const LitheImc *imc, int32_t index, double *normal, double *slip) {
    const Pair *p = &imc->pairs[index];
    Vec3 push = v3_neg(v3_add(v3_load(p->gradient + 6), v3_load(p->gradient + 9)));
    Vec3 glide = v3_add(v3_load(p->glide + 6), v3_load(p->glide + 9));
    *normal = p->force;
    *slip = v3_norm(p->slip);
    return v3_add(v3_add(push, glide), p->friction);
}
