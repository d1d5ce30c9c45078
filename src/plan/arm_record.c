// SPDX-License-Identifier: Apache-2.0
// plan/arm_record.c - the record of an arm of sections of constant curvature
//
// Velocities go from the root to the tip, forces back: the generalised forces of all mass points
// cost one pass, without the mass matrix.

#include "plan/arm_record.h"

#include <math.h>

// J_l(k) e = e + C k x e + E k x (k x e)
static Vector left_jacobian(Tape *t, Vector k, LitheTerm c, LitheTerm e, Vector v) {
    Vector once = cross(t, k, v);
    return added(t, v, added(t, scaled(t, c, once), scaled(t, e, cross(t, k, once))));
}

static Local local_at(Tape *t, const Vector *y, double xi) {
    LitheTerm s = y->c[0], zero = number(t, 0), one = number(t, 1);
    LitheTerm a = lithe_tape_scale(t, xi, y->c[1]), b = lithe_tape_scale(t, xi, y->c[2]);
    LitheTerm sigma = plus(t, square(t, a), square(t, b));
    LitheTerm S = lithe_tape_apply(t, LITHE_TAPE_ENTIRE_1, sigma);
    LitheTerm C = lithe_tape_apply(t, LITHE_TAPE_ENTIRE_2, sigma);
    LitheTerm E = lithe_tape_apply(t, LITHE_TAPE_ENTIRE_3, sigma);
    LitheTerm F = lithe_tape_apply(t, LITHE_TAPE_ENTIRE_4, sigma);
    LitheTerm dS = lithe_tape_scale(t, 0.5, less(t, E, C)); // derivatives by sigma
    LitheTerm dC = less(t, F, lithe_tape_scale(t, 0.5, E));
    LitheTerm aC = times(t, a, C), bC = times(t, b, C), aS = times(t, a, S), bS = times(t, b, S);
    LitheTerm abC = times(t, a, bC), minus = number(t, -1);
    Local local;
    Vector f = {{aC, bC, S}};
    local.linear[0] = scaled_by(t, xi, f);
    local.p = scaled(t, s, local.linear[0]);
    LitheTerm two_ab = lithe_tape_scale(t, 2, times(t, times(t, a, b), dC));
    Vector u = {{plus(t, C, lithe_tape_scale(t, 2, times(t, square(t, a), dC))), two_ab,
                 lithe_tape_scale(t, 2, times(t, a, dS))}};
    Vector w = {{two_ab, plus(t, C, lithe_tape_scale(t, 2, times(t, square(t, b), dC))),
                 lithe_tape_scale(t, 2, times(t, b, dS))}};
    LitheTerm factor = lithe_tape_scale(t, xi * xi, s);
    local.linear[1] = scaled(t, factor, u);
    local.linear[2] = scaled(t, factor, w);
    local.rotation.row[0] = (Vector){{less(t, one, times(t, a, aC)), times(t, minus, abC), aS}};
    local.rotation.row[1] = (Vector){{times(t, minus, abC), less(t, one, times(t, b, bC)), bS}};
    local.rotation.row[2] =
        (Vector){{times(t, minus, aS), times(t, minus, bS), less(t, one, times(t, sigma, C))}};
    Vector k = {{times(t, minus, b), a, zero}};
    local.angular[0] = zeros(t);
    local.angular[1] = left_jacobian(t, k, C, E, constants(t, (const double[3]){0, xi, 0}));
    local.angular[2] = left_jacobian(t, k, C, E, constants(t, (const double[3]){-xi, 0, 0}));
    return local;
}

// sum of columns times the entries of y
static Vector combine(Tape *t, const Vector *columns, Vector y) {
    return added(t, added(t, scaled(t, y.c[0], columns[0]), scaled(t, y.c[1], columns[1])),
                 scaled(t, y.c[2], columns[2]));
}

// (s, u, w) from chamber lengths: s0 + sum l/3, (l2 + l3 - 2 l1)/(3 r), (l3 - l2)/(sqrt(3) r)
static Vector section_of(Tape *t, double r, double rest, Vector l) {
    LitheTerm sum = plus(t, plus(t, l.c[0], l.c[1]), l.c[2]);
    LitheTerm bend = less(t, plus(t, l.c[1], l.c[2]), lithe_tape_scale(t, 2, l.c[0]));
    return (Vector){{plus(t, number(t, rest), lithe_tape_scale(t, 1. / 3, sum)),
                     lithe_tape_scale(t, 1 / (3 * r), bend),
                     lithe_tape_scale(t, 1 / (sqrt(3) * r), less(t, l.c[2], l.c[1]))}};
}

// the transpose of its linear part
static Vector chambers_of(Tape *t, double r, Vector f) {
    LitheTerm s = lithe_tape_scale(t, 1. / 3, f.c[0]), u = lithe_tape_scale(t, 1 / (3 * r), f.c[1]);
    LitheTerm w = lithe_tape_scale(t, 1 / (sqrt(3) * r), f.c[2]);
    return (Vector){{less(t, s, lithe_tape_scale(t, 2, u)), less(t, plus(t, s, u), w),
                     plus(t, plus(t, s, u), w)}};
}

// Gauss-Legendre on 0 .. 1
enum { NODES = 4 };
static const double node_place[NODES] = {0.06943184420297371, 0.33000947820757187,
                                         0.66999052179242813, 0.93056815579702629};
static const double node_weight[NODES] = {0.17392742256872693, 0.32607257743127307,
                                          0.32607257743127307, 0.17392742256872693};

static void start(Tape *t, Base *base) {
    *base = (Base){.position = zeros(t),
                   .velocity = zeros(t),
                   .spin = zeros(t),
                   .real_velocity = zeros(t),
                   .real_spin = zeros(t)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            base->rotation.row[i].c[j] = number(t, i == j);
}

// velocity of a place at the offset o from the base, for rates of the section
static Vector moving(Tape *t, const Base *base, Vector velocity, Vector spin, Vector o,
                     const Local *local, Vector rate) {
    Vector own = apply(t, &base->rotation, combine(t, local->linear, rate));
    return added(t, velocity, added(t, cross(t, spin, o), own));
}

static Vector turning(Tape *t, const Base *base, Vector spin, const Local *local, Vector rate) {
    return added(t, spin, apply(t, &base->rotation, combine(t, local->angular, rate)));
}

static Disk disk_at(Tape *t, const Base *base, const Arm *arm, int32_t section, double place,
                    Local *local) {
    *local = local_at(t, &arm->y[section], place);
    Vector at = apply(t, &base->rotation, local->p), rate = arm->rate[section];
    return (Disk){.centre = added(t, base->position, at),
                  .velocity =
                      moving(t, base, base->real_velocity, base->real_spin, at, local, rate),
                  .spin = turning(t, base, base->real_spin, local, rate),
                  .rotation = product(t, &base->rotation, &local->rotation)};
}

Arm lithe_record_arm(Tape *t, const LitheBallTask *model, int32_t lengths, const Vector *speeds,
                     const Vector *change) {
    Arm arm;
    start(t, &arm.base[0]);
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++) {
        const Base *base = &arm.base[i];
        Base *next = &arm.base[i + 1];
        double r = model->chamber_radius;
        arm.y[i] = section_of(t, r, model->length[i], inputs(t, lengths + 3 * i));
        arm.rate[i] = section_of(t, r, 0, speeds[i]);
        arm.change[i] = section_of(t, r, 0, change[i]);
        arm.end[i] = local_at(t, &arm.y[i], 1);
        const Local *end = &arm.end[i];
        Vector o = apply(t, &base->rotation, end->p);
        next->position = added(t, base->position, o);
        next->rotation = product(t, &base->rotation, &end->rotation);
        next->velocity = moving(t, base, base->velocity, base->spin, o, end, arm.change[i]);
        next->spin = turning(t, base, base->spin, end, arm.change[i]);
        next->real_velocity =
            moving(t, base, base->real_velocity, base->real_spin, o, end, arm.rate[i]);
        next->real_spin = turning(t, base, base->real_spin, end, arm.rate[i]);
        for (int32_t k = 0; k < model->contact_count; k++)
            if (i == model->contact[k].section)
                arm.disk[k] =
                    disk_at(t, base, &arm, i, model->contact[k].place, &arm.disk_local[k]);
    }
    return arm;
}

Disk lithe_record_disk(Tape *t, const Arm *arm, int32_t section, double place) {
    Local local;
    return disk_at(t, &arm->base[section], arm, section, place, &local);
}

// velocity of the mass point at xi of section i
static Vector velocity_at(Tape *t, const Arm *arm, int i, double xi) {
    const Base *base = &arm->base[i];
    Local local = local_at(t, &arm->y[i], xi);
    return moving(t, base, base->real_velocity, base->real_spin, apply(t, &base->rotation, local.p),
                  &local, arm->rate[i]);
}

void lithe_record_forces(Tape *t, const LitheBallTask *model, const Arm *arm, const Arm *before,
                         const Push *pushes, Vector *forces) {
    Vector pull = zeros(t), moment = zeros(t); // of all beyond, about the end of the section
    for (int i = LITHE_PLAN_SECTIONS - 1; i >= 0; i--) {
        const Base *base = &arm->base[i];
        Vector o = apply(t, &base->rotation, arm->end[i].p);
        Vector local_pull = apply_transposed(t, &base->rotation, pull);
        Vector local_moment = apply_transposed(t, &base->rotation, moment);
        Vector own;
        for (int c = 0; c < 3; c++)
            own.c[c] = plus(t, dot(t, arm->end[i].linear[c], local_pull),
                            dot(t, arm->end[i].angular[c], local_moment));
        moment = added(t, moment, cross(t, o, pull));
        for (int n = 0; n < NODES; n++) {
            Local local = local_at(t, &arm->y[i], node_place[n]);
            Vector at = apply(t, &base->rotation, local.p);
            Vector v = before != NULL ? subtracted(t, velocity_at(t, arm, i, node_place[n]),
                                                   velocity_at(t, before, i, node_place[n]))
                                      : moving(t, base, base->velocity, base->spin, at, &local,
                                               arm->change[i]);
            for (int c = 0; c < 3; c++)
                v.c[c] = less(t, v.c[c], number(t, model->step * model->gravity[c]));
            Vector f = scaled_by(t, model->mass[i] * node_weight[n], v);
            Vector turned = apply_transposed(t, &base->rotation, f);
            for (int c = 0; c < 3; c++)
                own.c[c] = plus(t, own.c[c], dot(t, local.linear[c], turned));
            pull = added(t, pull, f);
            moment = added(t, moment, cross(t, at, f));
        }
        for (int32_t k = 0; k < model->contact_count; k++) {
            if (i != model->contact[k].section)
                continue;
            const Local *local = &arm->disk_local[k];
            Vector force = pushes[k].force;
            Vector at = apply(t, &base->rotation, local->p),
                   twist = cross(t, pushes[k].lever, force);
            Vector turned = apply_transposed(t, &base->rotation, force);
            Vector twisted = apply_transposed(t, &base->rotation, twist);
            for (int c = 0; c < 3; c++)
                own.c[c] = plus(
                    t, own.c[c],
                    plus(t, dot(t, local->linear[c], turned), dot(t, local->angular[c], twisted)));
            pull = added(t, pull, force);
            moment = added(t, moment, added(t, cross(t, at, force), twist));
        }
        forces[i] = chambers_of(t, model->chamber_radius, own);
    }
}
