// SPDX-License-Identifier: Apache-2.0
// tests/body/test_sections.c - sections of constant curvature and arms made of them

#include "body/arm_check.h"
#include "body/random_tree.h"
#include "law/pcc.h"
#include "sparse/dense.h"

#include <complex.h>

static const Vec3 GRAVITY = {0, 0, -9.81};
static const double MASSES[3] = {1.17, 0.54, 0.265};

static double distance(const double *a, const double *b, int32_t n) {
    double max = 0;
    for (int32_t i = 0; i < n; i++)
        max = fabs(a[i] - b[i]) <= max ? max : fabs(a[i] - b[i]);
    return max;
}

// the arm of arm_check.h; `disks` links without mass ride on each section before its tip
static void make_arm(Sample *s, int32_t disks) {
    int32_t count = 0, before = -1;
    for (int section = 0; section < 3; section++) {
        int32_t first = count;
        for (int32_t k = 0; k <= disks; k++) {
            LitheRigidLink link = plain_link(before, LITHE_JOINT_SECTION);
            link.shape =
                (LitheJointShape){.length = 0.15, .radius = 0.04, .along = (k + 1.0) / (disks + 1)};
            link.line_mass = k == 0 ? MASSES[section] : 0;
            link.shares = k == 0 ? 0 : first + 1;
            if (section == 0)
                link.parent_frame.rotation = q4_axis_angle(v3(0, 1, 0), 0.5 * M_PI);
            s->links[count++] = link;
        }
        before = count - 1;
    }
    sample_ready(s, count);
}

// --- kinematics ----------------------------------------------------------------------------------

TEST(functions_of_a_section_agree_with_their_closed_forms) {
    for (double x = 0.05; x < 9; x += 0.0371) {
        double f[8], s = x * x;
        lithe_pcc_functions(s, f);
        CHECK_NEAR(f[0], cos(x), 2e-14);
        CHECK_NEAR(f[1], sin(x) / x, 2e-15);
        CHECK_NEAR(f[2], 2 * sin(x / 2) * sin(x / 2) / s, 1e-15);
        if (x > 1) {
            CHECK_NEAR(f[3], (x - sin(x)) / (x * s), 1e-15);
            CHECK_NEAR(f[4], (0.5 - f[2]) / s, 1e-15);
            CHECK_NEAR(f[7], ((1.0 / 6 - f[3]) / s - 1.0 / 120) / -s, 1e-15);
        }
    }
}

// position at xi for complex shapes, by the series alone
static void complex_point(const double complex *y, double xi, double complex *p) {
    double complex a = xi * y[1], b = xi * y[2], sigma = a * a + b * b, f1 = 0, f2 = 0, term = 1;
    double factorial = 1;
    for (int i = 0; i < 12; i++) {
        f1 += term / factorial;
        f2 += term / (factorial * (2 * i + 2));
        factorial *= (2 * i + 2) * (2 * i + 3);
        term *= -sigma;
    }
    p[0] = xi * y[0] * a * f2;
    p[1] = xi * y[0] * b * f2;
    p[2] = xi * y[0] * f1;
}

TEST(derivatives_of_a_section_are_those_of_complex_steps_through_the_straight_shape) {
    const double bends[] = {0, 1e-9, 1e-6, 1e-4, 1e-3, 0.7};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        double y[3] = {0.2, bends[i], -0.6 * bends[i]}, rate[3] = {0.1, 0.4, -0.7};
        LithePccPoint point;
        Vec3 rates[3];
        LithePccFunctions f = lithe_pcc_functions_at(y, 0.8);
        lithe_pcc_point(y, rate, 0.8, &f, &point, rates);
        for (int c = 0; c < 3; c++) {
            double complex moved[3] = {y[0], y[1], y[2]}, p[3];
            moved[c] += 1e-30 * I;
            complex_point(moved, 0.8, p);
            double slope[3] = {cimag(p[0]) * 1e30, cimag(p[1]) * 1e30, cimag(p[2]) * 1e30};
            CHECK_NEAR(distance(&point.slope[c].x, slope, 3), 0, 4e-16);
        }
        // rates of the slopes: differences of slopes that are exact themselves
        LithePccPoint ahead, back;
        double e = 1e-4, y1[3], y0[3];
        for (int k = 0; k < 3; k++)
            y1[k] = y[k] + e * rate[k], y0[k] = y[k] - e * rate[k];
        LithePccFunctions f1 = lithe_pcc_functions_at(y1, 0.8),
                          f0 = lithe_pcc_functions_at(y0, 0.8);
        lithe_pcc_point(y1, NULL, 0.8, &f1, &ahead, NULL);
        lithe_pcc_point(y0, NULL, 0.8, &f0, &back, NULL);
        Vec3 bias = lithe_pcc_bias(y, rate, 0.8, &f),
             sum = v3_axpy(rate[0], rates[0],
                           v3_axpy(rate[1], rates[1], v3_scale(rate[2], rates[2])));
        CHECK_NEAR(v3_distance(bias, sum), 0, 1e-15);
        Spatial axes[3], axis_rates[3], turned = sp_zero();
        lithe_pcc_axes(y, rate, 0.8, axes, axis_rates);
        for (int k = 0; k < 3; k++)
            turned = sp_axpy(rate[k], axis_rates[k], turned);
        turned = sp_sub(lithe_pcc_axes_bias(y, rate, 0.8), turned);
        CHECK_NEAR(v3_norm(turned.ang) + v3_norm(turned.lin), 0, 2e-15);
        for (int c = 0; c < 3; c++)
            CHECK_NEAR(
                v3_norm(v3_sub(rates[c], v3_scale(0.5 / e, v3_sub(ahead.slope[c], back.slope[c])))),
                0, 1e-9);
    }
}

TEST(section_lies_on_the_arc_and_its_frame_follows_the_tangent) {
    // bend of a quarter turn in the plane y = 0: p = R (1 - cos, 0, sin)
    const LitheJointShape shape = {.length = 0.3, .radius = 0.05, .along = 1};
    double turn = 0.5 * M_PI, l[3] = {-2 * shape.radius * turn / 2, 0, 0}, y[3];
    l[1] = l[2] = 0.5 * shape.radius * turn;
    lithe_pcc_shape(&shape, l, y);
    CHECK_NEAR(y[0], 0.3, 1e-16);
    CHECK_NEAR(y[1], turn, 1e-15);
    Pose tip = lithe_joint_pose(LITHE_JOINT_SECTION, &shape, l);
    CHECK_NEAR(v3_norm(v3_sub(tip.at, v3(0.3 / turn, 0, 0.3 / turn))), 0, 1e-16);
    CHECK_NEAR(v3_norm(v3_sub(q4_rotate(tip.rotation, v3(0, 0, 1)), v3(1, 0, 0))), 0, 1e-15);
}

// --- the arm of the check ------------------------------------------------------------------------

TEST(arm_agrees_with_independent_kinematics_and_dynamics) {
    for (int c = 0; c < 2; c++)
        for (int32_t disks = 0; disks < 3; disks += 2) {
            const ArmCheck *check = &ARM_CHECKS[c];
            Sample s;
            make_arm(&s, disks);
            int32_t tip = s.tree.link_count - 1;
            CHECK(s.tree.v_count == 9);
            memcpy(s.q, check->l, sizeof check->l);
            lithe_rigid_place(&s.tree, s.q, &s.work);
            Pose pose = lithe_rigid_pose(&s.tree, &s.work, tip);
            Mat3 r = q4_matrix(pose.rotation);
            double linear[27], angular[27], mass[81], effort[9], still[9] = {0};
            CHECK_NEAR(distance(&pose.at.x, check->tip, 3), 0, 1e-12);
            CHECK_NEAR(distance(&r.m[0][0], check->rotation, 9), 0, 1e-12);
            lithe_rigid_point_jacobian(&s.tree, &s.work, tip, pose.at, linear, angular);
            CHECK_NEAR(distance(linear, check->linear, 27), 0, 1e-11);
            CHECK_NEAR(distance(angular, check->angular, 27), 0, 1e-11);
            lithe_rigid_mass_matrix(&s.tree, &s.work, mass);
            CHECK_NEAR(distance(mass, check->mass, 81), 0, 1e-11);
            lithe_rigid_move(&s.tree, still, &s.work);
            lithe_rigid_inverse_dynamics(&s.tree, GRAVITY, NULL, &s.work, effort);
            CHECK_NEAR(distance(effort, check->weight, 9), 0, 1e-11);
            lithe_rigid_move(&s.tree, ARM_RATE, &s.work);
            lithe_rigid_inverse_dynamics(&s.tree, v3(0, 0, 0), NULL, &s.work, effort);
            CHECK_NEAR(distance(effort, check->coriolis, 9), 0, 1e-11);
            sample_end(&s);
        }
}

TEST(point_inside_a_section_agrees_with_independent_kinematics) {
    Sample s;
    make_arm(&s, 0);
    s.links[3] = s.links[1];
    s.links[3].shares = 2;
    s.links[3].line_mass = 0;
    s.links[3].shape.along = 0.4;
    sample_end(&s);
    sample_ready(&s, 4);
    memcpy(s.q, ARM_CHECKS[1].l, sizeof ARM_CHECKS[1].l);
    lithe_rigid_place(&s.tree, s.q, &s.work);
    double linear[27];
    Vec3 at = lithe_rigid_pose(&s.tree, &s.work, 3).at;
    CHECK_NEAR(distance(&at.x, ARM_CHECKS[1].middle, 3), 0, 1e-12);
    lithe_rigid_point_jacobian(&s.tree, &s.work, 3, at, linear, NULL);
    CHECK_NEAR(distance(linear, ARM_CHECKS[1].middle_linear, 27), 0, 1e-11);
    sample_end(&s);
}

// --- time steps ----------------------------------------------------------------------------------

static double energy_of(Sample *s) {
    lithe_rigid_place(&s->tree, s->q, &s->work);
    lithe_rigid_move(&s->tree, s->v, &s->work);
    return lithe_rigid_kinetic_energy(&s->tree, &s->work, s->v) +
           lithe_rigid_potential_energy(&s->tree, &s->work, GRAVITY, s->q);
}

// largest change of energy of an undamped arm over 2 s, over its largest kinetic energy
static double energy_error(double h) {
    Sample s;
    make_arm(&s, 0);
    for (int32_t i = 0; i < 3; i++)
        s.links[i].stiffness = 265;
    void *memory = malloc(lithe_rigid_step_work_size(&s.tree));
    LitheRigidStepWork work = lithe_rigid_step_work_layout(&s.tree, memory);
    work.tree.placed = work.tree.moved = false;
    LitheRigidStep step = lithe_rigid_step_default(h);
    step.gravity = GRAVITY;
    double start = energy_of(&s), most = 0, error = 0;
    for (int i = 0; i * h < 2; i++) {
        LitheRigidOutcome made = lithe_rigid_step_midpoint(&s.tree, &step, s.q, s.v, NULL, &work);
        CHECK(made.made && made.converged);
        error = fmax(error, fabs(energy_of(&s) - start));
        most = fmax(most, lithe_rigid_kinetic_energy(&s.tree, &s.work, s.v));
    }
    free(memory);
    sample_end(&s);
    return error / most;
}

TEST(midpoint_rule_keeps_the_energy_of_an_undamped_arm_at_second_order) {
    double coarse = energy_error(2e-3), fine = energy_error(1e-3);
    CHECK_NEAR(fine, 0, 5e-4);
    CHECK(coarse / fine > 3.5);
}
