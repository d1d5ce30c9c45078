// SPDX-License-Identifier: Apache-2.0
// tests/body/test_arm_chain.c - an arm with a payload on a moving base against the inverse dynamics
// of the chain that it is the limit of
//
// Each section is cut into N slices: half of its length straight on, a point mass, a small
// rotation, the other half. Velocities and accelerations go from the base to the tip, forces and
// moments back (Newton and Euler), and the forces of the chambers are those of the joints between
// slices. This shares nothing with src/law/pcc.c: no functions of the bend, no Jacobians, no
// quadrature.

#include "body/random_tree.h"

enum { SECTIONS = 3, MOST = 1024 };

static const Vec3 GRAVITY = {0, 0, -9.81};
static const double LENGTH = 0.15, RADIUS = 0.04, MASSES[SECTIONS] = {1.17, 0.54, 0.265};

typedef struct Payload {
    double mass;
    Vec3 centre; // in the frame of the tip
    Mat3 inertia;
} Payload;

// Motion of a frame.
typedef struct Motion {
    Mat3 r;
    Vec3 at, omega, alpha, a;
} Motion;

// length and bend of a section, or their rates, from elongations or their rates
static void shape_of(const double *l, double out[3]) {
    out[0] = (l[0] + l[1] + l[2]) / 3;
    out[1] = (l[1] + l[2] - 2 * l[0]) / (3 * RADIUS);
    out[2] = (l[2] - l[1]) / (sqrt(3) * RADIUS);
}

// straight on by d along z, with rates
static void go(Motion *m, double d, double rate, double accel) {
    Vec3 z = m3_column(m->r, 2), by = v3_scale(d, z);
    m->at = v3_add(m->at, by);
    m->a = v3_add(m->a, v3_add(v3_scale(accel, z), v3_scale(2 * rate, v3_cross(m->omega, z))));
    m->a = v3_add(m->a, v3_cross(m->alpha, by));
    m->a = v3_add(m->a, v3_cross(m->omega, v3_cross(m->omega, by)));
}

// a small rotation by the vector (-w, u, 0)/N, with rates; `axes` is the frame in its middle
static void turn(Motion *m, const double *y, const double *rate, const double *accel, double n,
                 Mat3 *axes) {
    Vec3 half = v3(-0.5 * y[2] / n, 0.5 * y[1] / n, 0);
    *axes = m3_mul(m->r, q4_matrix(q4_exp(half)));
    Vec3 speed = m3_apply(*axes, v3(-rate[2] / n, rate[1] / n, 0));
    Vec3 faster = m3_apply(*axes, v3(-accel[2] / n, accel[1] / n, 0));
    m->alpha = v3_add(m->alpha, v3_add(faster, v3_cross(m->omega, speed)));
    m->omega = v3_add(m->omega, speed);
    m->r = m3_mul(*axes, q4_matrix(q4_exp(half)));
}

// One slice, on the way back.
typedef struct Slice {
    Vec3 at, load;    // of the mass: place, and m (a - g)
    Vec3 first, last; // directions of its halves
    Mat3 axes;        // of its rotation
} Slice;

// forces of the chambers for elongations l, their rates and accelerations; `base` is the motion of
// the base
static void chain(int n, Motion m, const Payload *payload, const double *l, const double *v,
                  const double *a, double effort[3 * SECTIONS]) {
    static Slice slices[SECTIONS * MOST];
    double y[3], rate[3], accel[3];
    for (int i = 0; i < SECTIONS * n; i++) {
        Slice *s = &slices[i];
        shape_of(l + 3 * (i / n), y);
        shape_of(v + 3 * (i / n), rate);
        shape_of(a + 3 * (i / n), accel);
        double d = 0.5 * (LENGTH + y[0]) / n;
        s->first = m3_column(m.r, 2);
        go(&m, d, 0.5 * rate[0] / n, 0.5 * accel[0] / n);
        s->at = m.at;
        s->load = v3_scale(MASSES[i / n] / n, v3_sub(m.a, GRAVITY));
        turn(&m, y, rate, accel, n, &s->axes);
        s->last = m3_column(m.r, 2);
        go(&m, d, 0.5 * rate[0] / n, 0.5 * accel[0] / n);
    }
    // the payload, and back to the base with the force and its moment about the origin
    Vec3 arm = m3_apply(m.r, payload->centre);
    Vec3 far =
        v3_add(m.a, v3_add(v3_cross(m.alpha, arm), v3_cross(m.omega, v3_cross(m.omega, arm))));
    Mat3 inertia = m3_mul(m3_mul(m.r, payload->inertia), m3_transpose(m.r));
    Vec3 force = v3_scale(payload->mass, v3_sub(far, GRAVITY));
    Vec3 moment = v3_add(v3_cross(v3_add(m.at, arm), force), m3_apply(inertia, m.alpha));
    moment = v3_add(moment, v3_cross(m.omega, m3_apply(inertia, m.omega)));
    memset(effort, 0, 3 * SECTIONS * sizeof *effort);
    for (int i = SECTIONS * n; i-- > 0;) {
        const Slice *s = &slices[i];
        Vec3 about = v3_sub(moment, v3_cross(s->at, force));
        double along = 0.5 * v3_dot(force, s->last) / n;
        double u = v3_dot(about, m3_column(s->axes, 1)) / n;
        double w = -v3_dot(about, m3_column(s->axes, 0)) / n;
        force = v3_add(force, s->load);
        moment = v3_add(moment, v3_cross(s->at, s->load));
        along += 0.5 * v3_dot(force, s->first) / n;
        double *out = effort + 3 * (i / n);
        out[0] += along / 3 - 2 * u / (3 * RADIUS);
        out[1] += along / 3 + u / (3 * RADIUS) - w / (sqrt(3) * RADIUS);
        out[2] += along / 3 + u / (3 * RADIUS) + w / (sqrt(3) * RADIUS);
    }
}

// the same arm as a tree: a free base, three sections, and the payload on the tip
static void make_arm(Sample *s, const Payload *payload) {
    s->links[0] = plain_link(-1, LITHE_JOINT_FREE);
    s->links[0].mass = 1;
    s->links[0].inertia = m3_diag(1, 1, 1);
    for (int i = 0; i < SECTIONS; i++) {
        LitheRigidLink link = plain_link(i, LITHE_JOINT_SECTION);
        link.shape = (LitheJointShape){.length = LENGTH, .radius = RADIUS, .along = 1};
        link.line_mass = MASSES[i];
        s->links[1 + i] = link;
    }
    s->links[SECTIONS].mass = payload->mass;
    s->links[SECTIONS].centre = payload->centre;
    s->links[SECTIONS].inertia = payload->inertia;
    sample_ready(s, 1 + SECTIONS);
}

// velocities and accelerations of the base: those of a free joint are of its origin, in the world
static void of_base(const double *v, const double *a, Motion *m) {
    *m = (Motion){.r = m3_identity()};
    m->omega = v3_load(v + 3);
    m->a = v3_load(a);
    m->alpha = v3_load(a + 3);
}

TEST(arm_with_payload_on_a_moving_base_is_the_limit_of_a_chain) {
    TestRandom r = {11};
    for (int k = 0; k < 4; k++) {
        // straight and at rest; bent; moving; with a base that moves
        Payload payload = {.mass = 0.4, .centre = {0.01, -0.02, 0.03}};
        payload.inertia = random_inertia(&r, 0.05);
        Sample s;
        make_arm(&s, &payload);
        double v[15] = {0}, a[15] = {0}, wanted[15];
        for (int i = 0; i < 15; i++) {
            bool base = i < 6;
            if (k >= 1 && !base)
                s.q[7 + i - 6] = test_random(&r, -0.03, 0.05);
            if (k >= (base ? 3 : 2)) {
                v[i] = test_random(&r, -1, 1) * (base ? 2 : 0.4);
                a[i] = test_random(&r, -1, 1) * (base ? 8 : 3);
            }
        }
        lithe_rigid_place(&s.tree, s.q, &s.work);
        lithe_rigid_move(&s.tree, v, &s.work);
        lithe_rigid_inverse_dynamics(&s.tree, GRAVITY, a, &s.work, wanted);
        double size = 0, last = INFINITY;
        for (int i = 6; i < 15; i++)
            size = fmax(size, fabs(wanted[i]));
        Motion base;
        of_base(v, a, &base);
        for (int n = 64; n <= MOST; n *= 4) {
            double found[9], off = 0;
            chain(n, base, &payload, s.q + 7, v + 6, a + 6, found);
            for (int i = 0; i < 9; i++)
                off = fmax(off, fabs(found[i] - wanted[6 + i]) / size);
            // the error of slices falls with the square of their length
            CHECK(off < 2e-10 || off < last / 12);
            last = off;
        }
        CHECK(last < 1e-6);
        sample_end(&s);
    }
}
