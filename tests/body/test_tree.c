// SPDX-License-Identifier: Apache-2.0
// tests/body/test_tree.c - kinematics and dynamics of articulated trees against differences

#include "body/random_tree.h"
#include "sparse/dense.h"

static const Vec3 GRAVITY = {0.7, -1.1, -9.81};

static double largest(const double *a, int32_t n) {
    double max = 0;
    for (int32_t i = 0; i < n; i++)
        max = fmax(max, fabs(a[i]));
    return max;
}

static double distance(const double *a, const double *b, int32_t n) {
    double max = 0;
    for (int32_t i = 0; i < n; i++)
        max = fabs(a[i] - b[i]) <= max ? max : fabs(a[i] - b[i]);
    return max;
}

// fourth-order central difference from values at -2e, -e, e, 2e
static double slope4(double a, double b, double c, double d, double e) {
    return (a - 8 * b + 8 * c - d) / (12 * e);
}

static Vec3 slope4_of(const Vec3 x[4], double e) {
    return v3(slope4(x[0].x, x[1].x, x[2].x, x[3].x, e), slope4(x[0].y, x[1].y, x[2].y, x[3].y, e),
              slope4(x[0].z, x[1].z, x[2].z, x[3].z, e));
}

static const double AT[4] = {-2, -1, 1, 2};

// random trees; every kind is the root in turn
#define FOR_EACH_TREE(count) \
    TestRandom random = {7}; \
    for (int round = 0; round < (count); round++) \
        for (Sample sample, *s = sample_next(&sample, &random, round); s; s = sample_done(s))

static Sample *sample_next(Sample *sample, TestRandom *random, int round) {
    sample_random(sample, random, 1 + round % 8, round % 8);
    if (round % 3 == 0)
        for (int32_t i = 0; i < sample->tree.link_count; i++)
            sample->links[i].armature = test_random(random, 0, 0.5);
    return sample;
}

static Sample *sample_done(Sample *sample) {
    sample_end(sample);
    return NULL;
}

// the mass of centre lines is checked by test_sections.c
static void drop_lines(Sample *s) {
    LitheError error;
    for (int32_t i = 0; i < s->tree.link_count; i++)
        s->links[i].line_mass = 0;
    CHECK(lithe_rigid_number(&s->tree, &error) == LITHE_OK);
}

// by articulated bodies; by the dense factor where a tree has sections
static bool accelerate(Sample *s, const double *effort, double *a) {
    static double matrix[MAX_V * MAX_V];
    for (int32_t i = 0; i < s->tree.link_count; i++)
        if (s->links[i].kind == LITHE_JOINT_SECTION) {
            CHECK(!lithe_rigid_accelerate(&s->tree, GRAVITY, effort, &s->work, a));
            return lithe_rigid_accelerate_dense(&s->tree, GRAVITY, effort, &s->work, matrix, a);
        }
    return lithe_rigid_accelerate(&s->tree, GRAVITY, effort, &s->work, a);
}

// --- joints --------------------------------------------------------------------------------------

TEST(position_update_and_difference_are_inverse) {
    FOR_EACH_TREE(50) {
        double q1[MAX_Q], d[MAX_V];
        lithe_rigid_advance(&s->tree, s->q, 0.7, s->v, q1);
        lithe_rigid_difference(&s->tree, s->q, q1, d);
        for (int32_t k = 0; k < s->tree.v_count; k++)
            CHECK_NEAR(d[k], 0.7 * s->v[k], 1e-14 * 100);
    }
}

TEST(quaternion_update_is_exact_for_constant_angular_velocity) {
    // a thousand small steps end where one large one does, in both kinds of axes
    for (int kind = LITHE_JOINT_BALL; kind <= LITHE_JOINT_FREE; kind++) {
        double many[7], one[7], d[6] = {0.3, -0.8, 0.5, 0.9, 0.1, -0.4}, small[6];
        lithe_joint_zero((LitheJointKind)kind, one);
        lithe_joint_advance((LitheJointKind)kind, one, (double[]){1, 2, 0.3, 0.1, 0.4, -0.3}, one);
        memcpy(many, one, sizeof many);
        for (int k = 0; k < 6; k++)
            small[k] = d[k] / 1000;
        for (int i = 0; i < 1000; i++)
            lithe_joint_advance((LitheJointKind)kind, many, small, many);
        lithe_joint_advance((LitheJointKind)kind, one, d, one);
        CHECK_NEAR(distance(many, one, lithe_joint_q_count((LitheJointKind)kind)), 0, 2e-13);
    }
}

TEST(slope_of_the_position_update_is_that_of_differences) {
    // B from its transpose, column by column, against q (+) (d + e)
    const double e = 1e-3;
    TestRandom random = {3};
    for (int kind = 0; kind < 8; kind++) {
        int32_t n = lithe_joint_v_count((LitheJointKind)kind);
        double q[7], d[6], at_d[7], far[4][7], turn[4][6], b[6][6];
        lithe_joint_zero((LitheJointKind)kind, q);
        for (int k = 0; k < 6; k++)
            d[k] = test_random(&random, -1.2, 1.2);
        lithe_joint_advance((LitheJointKind)kind, q, d, at_d);
        for (int32_t row = 0; row < n; row++) {
            double unit[6] = {0}, back[6];
            unit[row] = 1;
            lithe_joint_pull((LitheJointKind)kind, d, unit, b[row]);
            lithe_joint_push((LitheJointKind)kind, d, b[row], back);
            CHECK_NEAR(distance(back, unit, n), 0, 1e-14 * 10);
        }
        for (int32_t column = 0; column < n; column++) {
            for (int j = 0; j < 4; j++) {
                double moved[6];
                memcpy(moved, d, sizeof moved);
                moved[column] += AT[j] * e;
                lithe_joint_advance((LitheJointKind)kind, q, moved, far[j]);
                lithe_joint_difference((LitheJointKind)kind, at_d, far[j], turn[j]);
            }
            for (int32_t row = 0; row < n; row++)
                CHECK_NEAR(slope4(turn[0][row], turn[1][row], turn[2][row], turn[3][row], e),
                           b[row][column], 1e-11);
        }
    }
}

// --- kinematics ----------------------------------------------------------------------------------

// place of a point of a link, and pose, after moving by t along v
static Vec3 moved_point(Sample *s, int32_t link, Vec3 local, const double *v, double t,
                        Quat *turn) {
    double q[MAX_Q];
    lithe_rigid_advance(&s->tree, s->q, t, v, q);
    lithe_rigid_place(&s->tree, q, &s->work);
    *turn = lithe_rigid_pose(&s->tree, &s->work, link).rotation;
    return pose_point(lithe_rigid_pose(&s->tree, &s->work, link), local);
}

// velocity of that point and angular velocity of its link, from differences of poses only
static void numeric_motion(Sample *s, int32_t link, Vec3 local, const double *v, Vec3 *u,
                           Vec3 *spin) {
    const double e = 1e-3;
    Vec3 x[4], r[4];
    Quat start, turn;
    moved_point(s, link, local, v, 0, &start);
    for (int j = 0; j < 4; j++) {
        x[j] = moved_point(s, link, local, v, AT[j] * e, &turn);
        r[j] = q4_log(q4_mul(turn, q4_conj(start)));
    }
    *u = slope4_of(x, e);
    *spin = slope4_of(r, e);
    lithe_rigid_place(&s->tree, s->q, &s->work);
}

TEST(jacobians_of_points_are_those_of_differences_of_poses) {
    FOR_EACH_TREE(40) {
        int32_t n = s->tree.v_count;
        int32_t link = s->tree.link_count - 1;
        Vec3 local = random_vec(&random, 0.4);
        double linear[3 * MAX_V], angular[3 * MAX_V];
        lithe_rigid_place(&s->tree, s->q, &s->work);
        Vec3 point = pose_point(lithe_rigid_pose(&s->tree, &s->work, link), local);
        lithe_rigid_point_jacobian(&s->tree, &s->work, link, point, linear, angular);
        for (int32_t k = 0; k < n; k++) {
            double unit[MAX_V] = {0};
            unit[k] = 1;
            Vec3 u, spin;
            numeric_motion(s, link, local, unit, &u, &spin);
            Vec3 column = v3(linear[k], linear[n + k], linear[2 * n + k]);
            Vec3 turn = v3(angular[k], angular[n + k], angular[2 * n + k]);
            CHECK_NEAR(v3_distance(u, column), 0, 1e-10);
            CHECK_NEAR(v3_distance(spin, turn), 0, 1e-10);
        }
        // the velocity of the point and the power of a force at it agree with the Jacobian
        lithe_rigid_move(&s->tree, s->v, &s->work);
        Vec3 u = lithe_rigid_point_velocity(&s->tree, &s->work, link, point);
        double effort[MAX_V] = {0}, power = 0, sum = 0;
        Vec3 force = {1, -2, 3};
        lithe_rigid_add_force(&s->tree, &s->work, link, point, force, v3(0, 0, 0), effort);
        for (int32_t k = 0; k < n; k++) {
            sum += (linear[k] + linear[n + k] * -2 + linear[2 * n + k] * 3) * s->v[k];
            power += effort[k] * s->v[k];
        }
        CHECK_NEAR(v3_dot(force, u), sum, 1e-11);
        CHECK_NEAR(power, sum, 1e-11);
    }
}

// --- dynamics ------------------------------------------------------------------------------------

TEST(mass_matrix_is_that_of_kinetic_energy_from_differences_of_poses) {
    FOR_EACH_TREE(100) {
        drop_lines(s);
        int32_t n = s->tree.v_count;
        static double wanted[MAX_V * MAX_V], mass[MAX_V * MAX_V];
        memset(wanted, 0, sizeof wanted);
        for (int32_t i = 0; i < s->tree.link_count; i++) {
            Vec3 u[MAX_V], spin[MAX_V];
            for (int32_t k = 0; k < n; k++) {
                double unit[MAX_V] = {0};
                unit[k] = 1;
                numeric_motion(s, i, s->links[i].centre, unit, &u[k], &spin[k]);
            }
            Mat3 turn = q4_matrix(lithe_rigid_pose(&s->tree, &s->work, i).rotation);
            Mat3 inertia = m3_mul(m3_mul(turn, s->links[i].inertia), m3_transpose(turn));
            for (int32_t a = 0; a < n; a++)
                for (int32_t b = 0; b < n; b++)
                    wanted[n * a + b] += s->links[i].mass * v3_dot(u[a], u[b]) +
                                         v3_dot(spin[a], m3_apply(inertia, spin[b]));
            for (int32_t k = 0; k < lithe_link_dof_count(&s->links[i]); k++)
                wanted[(n + 1) * (s->links[i].v_at + k)] += s->links[i].armature;
        }
        lithe_rigid_mass_matrix(&s->tree, &s->work, mass);
        CHECK_NEAR(distance(mass, wanted, n * n), 0, 1e-8 * fmax(1, largest(wanted, n * n)));
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b < a; b++)
                CHECK(mass[n * a + b] == mass[n * b + a]);
        // and the energy function is its quadratic form
        double product[MAX_V], twice = 0;
        lithe_dense_multiply(n, mass, s->v, product);
        for (int32_t k = 0; k < n; k++)
            twice += product[k] * s->v[k];
        lithe_rigid_move(&s->tree, s->v, &s->work);
        double energy = lithe_rigid_kinetic_energy(&s->tree, &s->work, s->v);
        CHECK_NEAR(energy, 0.5 * twice, 1e-12 * fmax(1, energy));
    }
}

// L(x, x') with q = q0 (+) x; the velocity that belongs to x' is B(x) x'
static double lagrangian(Sample *s, const double *x, const double *rate) {
    double q[MAX_Q], v[MAX_V], back[MAX_V];
    lithe_rigid_advance(&s->tree, s->q, 1, x, q);
    for (int32_t i = 0; i < s->tree.link_count; i++) {
        int32_t at = s->links[i].v_at, count = lithe_joint_v_count(s->links[i].kind);
        for (int32_t k = at; k < at + count; k++)
            back[k] = -x[k];
        lithe_joint_pull(s->links[i].kind, back + at, rate + at, v + at);
    }
    lithe_rigid_place(&s->tree, q, &s->work);
    lithe_rigid_move(&s->tree, v, &s->work);
    return lithe_rigid_kinetic_energy(&s->tree, &s->work, v) -
           lithe_rigid_potential_energy(&s->tree, &s->work, GRAVITY, q);
}

// dL/dx'_k at x = t v, x' = v; exact, as L is quadratic in x'
static double momentum_of(Sample *s, double t, int32_t k) {
    double x[MAX_V], rate[MAX_V];
    for (int32_t j = 0; j < s->tree.v_count; j++) {
        x[j] = t * s->v[j];
        rate[j] = s->v[j];
    }
    rate[k] += 1;
    double up = lagrangian(s, x, rate);
    rate[k] -= 2;
    return 0.5 * (up - lagrangian(s, x, rate));
}

TEST(bias_forces_are_those_of_lagrange_by_differences_of_energies) {
    const double e = 1e-3;
    FOR_EACH_TREE(100) {
        int32_t n = s->tree.v_count;
        double wanted[MAX_V], bias[MAX_V], slope[MAX_V], p[MAX_V], force[MAX_V];
        for (int32_t k = 0; k < n; k++) {
            double g[4], l[4], x[MAX_V] = {0};
            for (int j = 0; j < 4; j++) {
                g[j] = momentum_of(s, AT[j] * e, k);
                x[k] = AT[j] * e;
                l[j] = lagrangian(s, x, s->v);
            }
            slope[k] = slope4(l[0], l[1], l[2], l[3], e);
            wanted[k] = slope4(g[0], g[1], g[2], g[3], e) - slope[k];
        }
        lithe_rigid_place(&s->tree, s->q, &s->work);
        lithe_rigid_move(&s->tree, s->v, &s->work);
        lithe_rigid_inverse_dynamics(&s->tree, GRAVITY, NULL, &s->work, bias);
        CHECK_NEAR(distance(bias, wanted, n), 0, 1e-8 * fmax(1, largest(wanted, n)));
        // momenta and dL/dq at x = 0; there the chart adds 1/2 p x v (ball), -1/2 p x v (free)
        lithe_rigid_momenta(&s->tree, GRAVITY, s->v, &s->work, p, force);
        for (int32_t i = 0; i < s->tree.link_count; i++) {
            LitheJointKind kind = s->links[i].kind;
            if (kind != LITHE_JOINT_BALL && kind != LITHE_JOINT_FREE)
                continue;
            int32_t at = s->links[i].v_at + (kind == LITHE_JOINT_FREE ? 3 : 0);
            Vec3 turn = v3_cross(v3_load(p + at), v3_load(s->v + at));
            double side = kind == LITHE_JOINT_BALL ? 0.5 : -0.5;
            v3_store(v3_axpy(side, turn, v3_load(force + at)), force + at);
        }
        CHECK_NEAR(distance(force, slope, n), 0, 1e-8 * fmax(1, largest(slope, n)));
        for (int32_t k = 0; k < n; k++)
            CHECK_NEAR(p[k], momentum_of(s, 0, k), 1e-9 * fmax(1, largest(p, n)));
    }
}

TEST(three_algorithms_agree) {
    // a from articulated bodies and from the dense factor; efforts that reproduce it
    FOR_EACH_TREE(100) {
        int32_t n = s->tree.v_count;
        static double matrix[MAX_V * MAX_V], mass[MAX_V * MAX_V];
        double effort[MAX_V], a[MAX_V], dense[MAX_V], back[MAX_V], bias[MAX_V];
        for (int32_t k = 0; k < n; k++)
            effort[k] = test_random(&random, -10, 10);
        lithe_rigid_place(&s->tree, s->q, &s->work);
        lithe_rigid_move(&s->tree, s->v, &s->work);
        CHECK(accelerate(s, effort, a));
        CHECK(lithe_rigid_accelerate_dense(&s->tree, GRAVITY, effort, &s->work, matrix, dense));
        CHECK_NEAR(distance(a, dense, n), 0, 1e-9 * fmax(1, largest(a, n)));
        lithe_rigid_inverse_dynamics(&s->tree, GRAVITY, a, &s->work, back);
        CHECK_NEAR(distance(back, effort, n), 0, 1e-10 * fmax(1, largest(a, n)));
        // M a + b in two ways
        lithe_rigid_inverse_dynamics(&s->tree, GRAVITY, NULL, &s->work, bias);
        lithe_rigid_mass_matrix(&s->tree, &s->work, mass);
        double product[MAX_V];
        lithe_dense_multiply(n, mass, a, product);
        for (int32_t k = 0; k < n; k++)
            CHECK_NEAR(product[k] + bias[k], back[k], 1e-10 * fmax(1, largest(a, n)));
    }
}

TEST(dynamics_do_not_depend_on_where_the_tree_stands) {
    // 10 km away: only the rounding of positions, 1e-12 m, is lost
    TestRandom random = {11};
    for (int round = 0; round < 20; round++) {
        Sample near, far;
        TestRandom copy = random;
        sample_random(&near, &random, 6, -1);
        sample_random(&far, &copy, 6, -1);
        double effort[MAX_V] = {0}, a[MAX_V], b[MAX_V];
        far.links[0].parent_frame.at = v3_add(far.links[0].parent_frame.at, v3(8e3, -6e3, 1e2));
        lithe_rigid_place(&near.tree, near.q, &near.work);
        lithe_rigid_move(&near.tree, near.v, &near.work);
        CHECK(accelerate(&near, effort, a));
        lithe_rigid_place(&far.tree, far.q, &far.work);
        lithe_rigid_move(&far.tree, far.v, &far.work);
        CHECK(accelerate(&far, effort, b));
        int32_t n = near.tree.v_count;
        CHECK_NEAR(distance(a, b, n), 0, 1e-8 * fmax(1, largest(a, n)));
        sample_end(&near);
        sample_end(&far);
    }
}

TEST(free_trees_change_momentum_by_gravity_alone) {
    // at the accelerations of a tree on a free root: d/dt momentum = m g, no torque about the
    // centre
    const double e = 1e-4;
    TestRandom random = {5};
    for (int round = 0; round < 20; round++) {
        Sample s;
        sample_random(&s, &random, 5, LITHE_JOINT_FREE);
        double effort[MAX_V], a[MAX_V];
        for (int32_t k = 0; k < s.tree.v_count; k++)
            effort[k] = k < 6 ? 0 : test_random(&random, -5, 5);
        lithe_rigid_place(&s.tree, s.q, &s.work);
        lithe_rigid_move(&s.tree, s.v, &s.work);
        Vec3 centre, linear[4], angular[4];
        double mass = lithe_rigid_centre(&s.tree, &s.work, &centre);
        CHECK(accelerate(&s, effort, a));
        for (int j = 0; j < 4; j++) {
            // any curve with these q, v and a at t = 0
            double t = AT[j] * e, q[MAX_Q], v[MAX_V], d[MAX_V];
            for (int32_t k = 0; k < s.tree.v_count; k++) {
                v[k] = s.v[k] + t * a[k];
                d[k] = s.v[k] + 0.5 * t * a[k];
            }
            lithe_rigid_advance(&s.tree, s.q, t, d, q);
            lithe_rigid_place(&s.tree, q, &s.work);
            lithe_rigid_move(&s.tree, v, &s.work);
            lithe_rigid_momentum(&s.tree, &s.work, centre, &linear[j], &angular[j]);
        }
        Vec3 f = slope4_of(linear, e), m = slope4_of(angular, e);
        double scale = mass * fmax(1, largest(a, s.tree.v_count));
        CHECK_NEAR(v3_distance(f, v3_scale(mass, GRAVITY)), 0, 1e-8 * scale);
        CHECK_NEAR(v3_norm(m), 0, 1e-8 * scale);
        sample_end(&s);
    }
}

// --- springs, limits, refusals -------------------------------------------------------------------

TEST(springs_pull_down_the_gradient_of_their_energy) {
    const double e = 1e-4;
    FOR_EACH_TREE(30) {
        for (int32_t i = 0; i < s->tree.link_count; i++) {
            int32_t count = lithe_joint_v_count(s->links[i].kind);
            bool sprung = count == 1 || s->links[i].kind == LITHE_JOINT_BALL;
            s->links[i].stiffness = sprung ? test_random(&random, 1, 5) : 0;
            s->links[i].rest = test_random(&random, -1, 1);
        }
        double effort[MAX_V] = {0}, q[MAX_Q];
        lithe_rigid_add_passive(&s->tree, s->q, NULL, effort);
        for (int32_t k = 0; k < s->tree.v_count; k++) {
            double unit[MAX_V] = {0}, energy[4];
            unit[k] = 1;
            for (int j = 0; j < 4; j++) {
                lithe_rigid_advance(&s->tree, s->q, AT[j] * e, unit, q);
                lithe_rigid_place(&s->tree, q, &s->work);
                energy[j] = lithe_rigid_potential_energy(&s->tree, &s->work, v3(0, 0, 0), q);
            }
            CHECK_NEAR(effort[k], -slope4(energy[0], energy[1], energy[2], energy[3], e), 1e-9);
        }
    }
}

TEST(joints_at_a_limit_are_reported) {
    Sample s;
    s.links[0] = plain_link(-1, LITHE_JOINT_REVOLUTE);
    s.links[1] = plain_link(0, LITHE_JOINT_BALL);
    s.links[2] = plain_link(1, LITHE_JOINT_PRISMATIC);
    s.links[0].limited = s.links[1].limited = true;
    s.links[0].lower = -1;
    s.links[0].upper = 0.5;
    s.links[1].upper = 0.3;
    s.links[2].velocity_limit = 2;
    s.links[2].effort_limit = 10;
    sample_ready(&s, 3);
    unsigned char reached[3];
    double effort[5] = {100, 0, 0, 0, -9};
    CHECK(lithe_rigid_limits(&s.tree, s.q, s.v, effort, reached) == 0);
    lithe_rigid_advance(&s.tree, s.q, 1, (double[]){-1, 0.2, 0.2, 0.2, 5}, s.q);
    effort[4] = -11;
    CHECK(lithe_rigid_limits(&s.tree, s.q, (double[]){9, 9, 9, 9, -2}, effort, reached) == 3);
    CHECK(reached[0] == LITHE_REACHED_LOWER);
    CHECK(reached[1] == LITHE_REACHED_UPPER);
    CHECK(reached[2] == (LITHE_REACHED_VELOCITY | LITHE_REACHED_EFFORT));
    sample_end(&s);
}

TEST(impossible_links_are_refused_by_name) {
    LitheRigidLink links[2] = {plain_link(-1, LITHE_JOINT_FREE), plain_link(0, LITHE_JOINT_BALL)};
    LitheRigidTree tree = {.links = links, .link_count = 2, .q_count = -7};
    LitheError error;
    char arm[] = "arm";
    links[1].name = arm;
    links[1].parent = 1;
    CHECK(lithe_rigid_number(&tree, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "link 1 'arm': parent is 1");
    links[1].parent = 0;
    links[1].inertia = m3_diag(1, 1, 3);
    CHECK(lithe_rigid_number(&tree, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "inertia 1 1 3");
    links[1].inertia = m3_zero();
    links[0].stiffness = 2;
    CHECK(lithe_rigid_number(&tree, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a spring needs");
    CHECK(tree.q_count == -7);
    links[0].stiffness = 0;
    CHECK(lithe_rigid_number(&tree, &error) == LITHE_OK);
    CHECK(tree.q_count == 11 && tree.v_count == 9 && links[1].q_at == 7 && links[1].v_at == 6);
}

TEST(a_tree_without_inertia_has_no_accelerations) {
    Sample s;
    s.links[0] = plain_link(-1, LITHE_JOINT_REVOLUTE);
    sample_ready(&s, 1);
    double a[1], matrix[1];
    lithe_rigid_place(&s.tree, s.q, &s.work);
    lithe_rigid_move(&s.tree, s.v, &s.work);
    CHECK(!lithe_rigid_accelerate(&s.tree, GRAVITY, (double[]){1}, &s.work, a));
    CHECK(!lithe_rigid_accelerate_dense(&s.tree, GRAVITY, (double[]){1}, &s.work, matrix, a));
    sample_end(&s);
}
