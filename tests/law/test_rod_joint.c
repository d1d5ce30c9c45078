// SPDX-License-Identifier: Apache-2.0
// tests/law/test_rod_joint.c - bending and twisting of a node: plain forms, fast form, derivatives

#include "law/rod_joint.h"

#include "law/rod_bend.h"
#include "law/rod_stretch.h"
#include "law/rod_twist.h"
#include "math/quat.h"

#include "test.h"

static Vec3 random_vector(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

// Two edges in a row, their frames anchored up to `turn` radians away from where they are.
typedef struct Case {
    Vec3 t0[2], d1[2];
    double x[8]; // e, gamma_e, f, gamma_f
    double angle0, tau_ref0;
    LitheJointSetting setting;
} Case;

static Case random_case(TestRandom *r, double turn) {
    Case c;
    Vec3 t = v3_unit(random_vector(r, 1));
    for (int j = 0; j < 2; j++) {
        Vec3 lead = j == 0 ? t : v3_unit(v3_add(t, random_vector(r, 0.7)));
        Vec3 e = v3_scale(test_random(r, 0.5, 2), lead);
        Vec3 normal = v3_unit(v3_cross(lead, random_vector(r, 1)));
        c.t0[j] = q4_rotate(q4_axis_angle(normal, turn), lead);
        c.d1[j] = v3_any_normal(c.t0[j]);
        v3_store(e, c.x + 4 * j);
        c.x[4 * j + 3] = test_random(r, -3, 3);
    }
    Vec3 moved = lithe_transport(c.d1[0], c.t0[0], c.t0[1]);
    c.angle0 = v3_angle_about(moved, c.d1[1], c.t0[1]);
    c.tau_ref0 = c.angle0;
    c.setting =
        (LitheJointSetting){test_random(r, 0.5, 2), test_random(r, 0.5, 2), test_random(r, 0.5, 2),
                            test_random(r, -1, 1),  test_random(r, -1, 1),  test_random(r, -1, 1)};
    return c;
}

// the two edges at x, and the twist between them
static double edges_at(const Case *c, const double *x, LitheRodEdge edge[2]) {
    for (int j = 0; j < 2; j++)
        lithe_rod_edge(v3(0, 0, 0), v3_load(x + 4 * j), x[4 * j + 3], c->t0[j], c->d1[j], &edge[j]);
    double change = lithe_reference_angle(&edge[0], &edge[1]) - c->angle0;
    change -= 2 * M_PI * nearbyint(change / (2 * M_PI));
    return x[7] - x[3] + c->tau_ref0 + change;
}

static double joint_at(const Case *c, const double *x, LitheHessianPart part, LitheJoint *joint) {
    LitheRodEdge edge[2];
    double tau = edges_at(c, x, edge);
    lithe_rod_joint(&edge[0], &edge[1], tau, &c->setting, part, joint);
    return joint->energy;
}

static void gradient_of(const LitheJoint *j, double g[8]) {
    v3_store(j->ge, g);
    g[3] = j->gge;
    v3_store(j->gf, g + 4);
    g[7] = j->ggf;
}

// the 8x8 with the S terms, which the law leaves to its caller
static void hessian_of(const Case *c, const double *x, const LitheJoint *j, double H[8][8]) {
    LitheRodEdge edge[2];
    edges_at(c, x, edge);
    Mat3 Se = lithe_edge_S(&edge[0]), Sf = lithe_edge_S(&edge[1]);
    const double *ege = &j->ege.x, *egf = &j->egf.x, *fge = &j->fge.x, *fgf = &j->fgf.x;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            H[a][b] = j->ee.m[a][b] + j->gge * Se.m[a][b];
            H[4 + a][4 + b] = j->ff.m[a][b] + j->ggf * Sf.m[a][b];
            H[a][4 + b] = H[4 + b][a] = j->ef.m[a][b];
        }
        H[a][3] = H[3][a] = ege[a];
        H[a][7] = H[7][a] = egf[a];
        H[4 + a][3] = H[3][4 + a] = fge[a];
        H[4 + a][7] = H[7][4 + a] = fgf[a];
    }
    H[3][3] = j->gege;
    H[7][7] = j->gfgf;
    H[3][7] = H[7][3] = j->gegf;
}

// Remainders of the energy after the first and second order terms along a direction: halving the
// step must divide them by 4 and 8.
TEST(gradient_and_hessian_leave_remainders_of_second_and_third_order_away_from_the_anchor) {
    TestRandom r = {11};
    double sum1[2] = {0, 0}, sum2[2] = {0, 0};
    for (int n = 0; n < 300; n++) {
        Case c = random_case(&r, test_random(&r, 0.2, 0.6));
        LitheJoint joint;
        double E = joint_at(&c, c.x, LITHE_HESSIAN_FULL, &joint), g[8], H[8][8], dx[8];
        gradient_of(&joint, g);
        hessian_of(&c, c.x, &joint, H);
        double first = 0, second = 0, rest1[2], rest2[2];
        for (int i = 0; i < 8; i++)
            dx[i] = test_random(&r, -1, 1);
        for (int i = 0; i < 8; i++) {
            first += g[i] * dx[i];
            for (int k = 0; k < 8; k++)
                second += 0.5 * dx[i] * H[i][k] * dx[k];
        }
        for (int s = 0; s < 2; s++) {
            double h = s == 0 ? 2e-3 : 1e-3, x[8];
            for (int i = 0; i < 8; i++)
                x[i] = c.x[i] + h * dx[i];
            LitheJoint moved;
            double dE = joint_at(&c, x, LITHE_HESSIAN_NONE, &moved) - E - h * first;
            rest1[s] = fabs(dE);
            rest2[s] = fabs(dE - h * h * second);
        }
        for (int s = 0; s < 2; s++) {
            sum1[s] += rest1[s];
            sum2[s] += rest2[s];
        }
    }
    CHECK_NEAR(log2(sum1[0] / sum1[1]), 2, 0.05);
    CHECK_NEAR(log2(sum2[0] / sum2[1]), 3, 0.05);
}

TEST(hessian_equals_central_differences_of_the_gradient) {
    TestRandom r = {12};
    for (int n = 0; n < 200; n++) {
        Case c = random_case(&r, test_random(&r, 0.2, 1.0));
        LitheJoint joint;
        joint_at(&c, c.x, LITHE_HESSIAN_FULL, &joint);
        double H[8][8], scale = 0;
        hessian_of(&c, c.x, &joint, H);
        for (int i = 0; i < 64; i++)
            scale = fmax(scale, fabs(H[i / 8][i % 8]));
        for (int k = 0; k < 8; k++) {
            double h = 1e-5, g[2][8], x[8];
            for (int s = 0; s < 2; s++) {
                memcpy(x, c.x, sizeof x);
                x[k] += s == 0 ? h : -h;
                LitheJoint moved;
                joint_at(&c, x, LITHE_HESSIAN_NONE, &moved);
                gradient_of(&moved, g[s]);
            }
            for (int i = 0; i < 8; i++)
                CHECK_NEAR((g[0][i] - g[1][i]) / (2 * h), H[i][k], 1e-8 * scale);
        }
    }
}

// (J4) from the plain forms, term by term
TEST(fast_form_equals_the_plain_forms_with_the_correction_applied) {
    TestRandom r = {13};
    for (int n = 0; n < 200; n++) {
        Case c = random_case(&r, test_random(&r, 0, 1.2));
        LitheRodEdge edge[2];
        double tau = edges_at(&c, c.x, edge);
        LitheJointTerm term[3];
        lithe_rod_bend(&edge[0], &edge[1], &term[0], &term[1]);
        lithe_rod_twist_term(&edge[0], &edge[1], tau, &term[2]);
        const double B[3] = {c.setting.B1, c.setting.B2, c.setting.C};
        const double rest[3] = {c.setting.K1, c.setting.K2, c.setting.T};
        double g[8] = {0}, H[8][8] = {{0}}, T[8][8] = {{0}};
        for (int s = 0; s < 3; s++) {
            double w = B[s] * (term[s].value - rest[s]);
            for (int i = 0; i < 8; i++) {
                g[i] += w * term[s].g[i];
                for (int k = 0; k < 8; k++)
                    H[i][k] += B[s] * term[s].g[i] * term[s].g[k] + w * term[s].H[i][k];
            }
        }
        for (int i = 0; i < 8; i++)
            T[i][i] = 1;
        for (int j = 0; j < 2; j++)
            v3_store(edge[j].zeta, &T[4 * j + 3][4 * j]);

        LitheJoint joint;
        joint_at(&c, c.x, LITHE_HESSIAN_FULL, &joint);
        double fast_g[8], fast_H[8][8];
        gradient_of(&joint, fast_g);
        joint.gge = joint.ggf = 0; // leaves out S
        hessian_of(&c, c.x, &joint, fast_H);
        for (int i = 0; i < 8; i++) {
            double sum = 0;
            for (int k = 0; k < 8; k++)
                sum += T[k][i] * g[k];
            CHECK_NEAR(fast_g[i], sum, 1e-12 * (1 + fabs(sum)));
            for (int k = 0; k < 8; k++) {
                double entry = 0;
                for (int a = 0; a < 8; a++)
                    for (int b = 0; b < 8; b++)
                        entry += T[a][i] * H[a][b] * T[b][k];
                CHECK_NEAR(fast_H[i][k], entry, 1e-11 * (1 + fabs(entry)));
            }
        }
    }
}

TEST(energy_does_not_feel_a_rigid_rotation) {
    TestRandom r = {14};
    for (int n = 0; n < 100; n++) {
        Case c = random_case(&r, 0.4), turned = c;
        Quat q = q4_exp(random_vector(&r, 2));
        for (int j = 0; j < 2; j++) {
            turned.t0[j] = q4_rotate(q, c.t0[j]);
            turned.d1[j] = q4_rotate(q, c.d1[j]);
            v3_store(q4_rotate(q, v3_load(c.x + 4 * j)), turned.x + 4 * j);
        }
        LitheJoint a, b;
        double Ea = joint_at(&c, c.x, LITHE_HESSIAN_NONE, &a);
        double Eb = joint_at(&turned, turned.x, LITHE_HESSIAN_NONE, &b);
        CHECK_NEAR(Eb, Ea, 1e-12 * (1 + fabs(Ea)));
    }
}

TEST(moments_balance_exactly) {
    TestRandom r = {15};
    for (int n = 0; n < 100; n++) {
        Case c = random_case(&r, 0.7);
        LitheRodEdge edge[2];
        LitheJoint joint;
        edges_at(&c, c.x, edge);
        joint_at(&c, c.x, LITHE_HESSIAN_NONE, &joint);
        Vec3 sum = v3_cross(v3_load(c.x), joint.ge);
        sum = v3_add(sum, v3_cross(v3_load(c.x + 4), joint.gf));
        sum = v3_axpy(joint.gge, edge[0].tt0, sum);
        sum = v3_axpy(joint.ggf, edge[1].tt0, sum);
        CHECK_NEAR(v3_norm(sum), 0, 1e-12 * (1 + fabs(joint.energy)));
    }
}

TEST(straight_untwisted_joint_is_at_rest) {
    LitheRodEdge e = {0}, f = {0};
    lithe_rod_edge(v3(0, 0, 0), v3(1, 0, 0), 0.3, v3(1, 0, 0), v3(0, 1, 0), &e);
    lithe_rod_edge(v3(1, 0, 0), v3(2, 0, 0), 0.3, v3(1, 0, 0), v3(0, 1, 0), &f);
    LitheJointSetting setting = {1, 2, 3, 0, 0, 0};
    LitheJoint joint;
    CHECK(lithe_rod_joint(&e, &f, 0, &setting, LITHE_HESSIAN_FULL, &joint));
    CHECK(joint.energy == 0 && v3_norm(joint.ge) == 0 && v3_norm(joint.gf) == 0);
}

TEST(bending_towards_m1_is_k1) {
    // from +x towards +y = m1
    double angle = 0.3;
    LitheRodEdge e = {0}, f = {0};
    Vec3 t = v3(cos(angle), sin(angle), 0);
    lithe_rod_edge(v3(0, 0, 0), v3(1, 0, 0), 0, v3(1, 0, 0), v3(0, 1, 0), &e);
    Vec3 d1 = lithe_transport(v3(0, 1, 0), v3(1, 0, 0), t);
    lithe_rod_edge(v3(1, 0, 0), v3_add(v3(1, 0, 0), t), 0, t, d1, &f);
    LitheJointSetting setting = {1, 1, 1, 0, 0, 0};
    LitheJoint joint;
    lithe_rod_joint(&e, &f, 0, &setting, LITHE_HESSIAN_NONE, &joint);
    CHECK_NEAR(joint.k1, 2 * tan(angle / 2), 1e-15);
    CHECK_NEAR(joint.k2, 0, 1e-15);
}

TEST(folded_edges_are_refused) {
    LitheRodEdge e = {0}, f = {0};
    lithe_rod_edge(v3(0, 0, 0), v3(1, 0, 0), 0, v3(1, 0, 0), v3(0, 1, 0), &e);
    lithe_rod_edge(v3(1, 0, 0), v3(0, 0, 0), 0, v3(-1, 0, 0), v3(0, 1, 0), &f);
    LitheJointSetting setting = {1, 1, 1, 0, 0, 0};
    LitheJoint joint;
    CHECK(!lithe_rod_joint(&e, &f, 0, &setting, LITHE_HESSIAN_FULL, &joint));
    CHECK(!lithe_rod_edge(v3(1, 0, 0), v3(0, 0, 0), 0, v3(1, 0, 0), v3(0, 1, 0), &f));
    CHECK(!lithe_rod_edge(v3(1, 0, 0), v3(1, 0, 0), 0, v3(1, 0, 0), v3(0, 1, 0), &f));
}

TEST(stretching_is_the_derivative_of_its_energy) {
    for (double length = 0.5; length < 2; length += 0.3) {
        LitheRodEdge edge = {0};
        double h = 1e-5, E[3], T[3];
        for (int s = 0; s < 3; s++) {
            lithe_rod_edge(v3(0, 0, 0), v3(0, 0, length + (s - 1) * h), 0, v3(0, 0, 1), v3(1, 0, 0),
                           &edge);
            LitheStretch stretch = lithe_rod_stretch(&edge, 3, 1.1);
            E[s] = stretch.energy;
            T[s] = stretch.tension;
            if (s == 1)
                CHECK_NEAR(stretch.across, stretch.tension / length, 1e-14);
        }
        CHECK_NEAR((E[2] - E[0]) / (2 * h), T[1], 1e-9);
        CHECK_NEAR((T[2] - T[0]) / (2 * h), 3 / 1.1, 1e-9);
    }
}
