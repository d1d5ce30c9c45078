// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_patch_rolling.c - what resists rolling in contact patches: dissipation,
// (PF24), as much merged as not, and the scheme only in second order of the step, (PF27), (PF28)

#include "world.h"

#include <math.h>

#define GX 3.3552176060 // 9.81 m/s^2 on a slope of 20 degrees
#define GZ 9.2183846396
#define R 0.05
#define SLOPE \
    "lithe: 1\n" \
    "time: {step: %.17g s, end: 1 s, scheme: %s}\n" \
    "gravity: [3.3552176060, 0, -9.2183846396]\n" \
    "contact: {merge-patches: %s}\n" \
    "materials:\n" \
    "  soft: {young: 1 GPa, density: 1000, friction: 0.8,\n" \
    "    contact: {patches: {modulus: %g, dissipation: %g s/m, sectors: %d}}}\n" \
    "  hard: {young: 1 GPa, density: 1000, friction: 0.8}\n" \
    "  heavy: {young: 1 GPa, density: 100000, friction: 0.8}\n" \
    "bodies:\n"
#define FLOOR "  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
#define BALL "  ball: {material: soft, at: [0, 0, 49.6 mm], shape: {sphere: {radius: 50 mm}}}\n"
#define ROLLER \
    "  ball: {material: soft, at: [0, 0, 49.9 mm], rotate: [90 deg, 0, 0],\n" \
    "    shape: {cylinder: {radius: 50 mm, length: 0.1}}}\n"
// the floor is the soft one
#define BED \
    "  bed: {fixed: true, material: soft, at: [0, 0, -50 mm], shape: {box: {size: [1, 1, " \
    "0.1]}}}\n" \
    "  ball: {material: hard, at: [0, 0, 49.9 mm], shape: {sphere: {radius: 50 mm}}}\n"

typedef struct Case {
    const char *shape;
    double whole; // acceleration over g sin(slope) of a rigid body
    const char *scheme, *merge;
    double step, modulus, dissipation;
    int sectors;
} Case;

// the acceleration that is missing, over that of a rigid body, from 0.3 to 0.6 s
static double loss_of(Case c) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", SLOPE, c.shape);
    World w = world_of(text, c.step, c.scheme, c.merge, c.modulus, c.dissipation, c.sectors);
    double speeds[2] = {0};
    int64_t half = (int64_t)(0.3 / c.step + 0.5);
    for (int k = 0; k < 2 && w.ok; k++) {
        world_step(&w, half);
        speeds[k] = body_speed(&w, "ball").x;
    }
    CHECK(w.unconverged == 0);
    world_end(&w);
    return 1 - (speeds[1] - speeds[0]) / (0.3 * c.whole * GX);
}

// square of the radius of the patch of a ball: N = pi E a^4/(4 R^2)
static double patch_of_ball(double modulus) {
    double weight = 1000 * 4 / 3.0 * M_PI * R * R * R * GZ;
    return sqrt(4 * weight * R * R / (M_PI * modulus));
}

// without losses: a ball that is flattened by a^2/(2 R) has a shorter arm
static double shorter_arm(double modulus) {
    double arm = 1 - patch_of_ball(modulus) / (2 * R * R);
    return 1 - 1.4 / (1 + 0.4 / (arm * arm));
}

LONG_TEST(dissipation_resists_rolling_by_its_moment_merged_or_not) {
    for (double modulus = 1e7; modulus < 2e8; modulus *= 10) {
        Case c = {FLOOR BALL, 5.0 / 7, "tr-bdf2", "true", 1e-3, modulus, 10, 128};
        double merged = loss_of(c), speed = c.whole * GX * 0.45 * (1 - merged);
        c.merge = "false";
        double all = loss_of(c);
        // (PF24) d omega N a^2/6 over the moment of the weight
        double theory = 10 * speed / R * GZ * patch_of_ball(modulus) / 6 / (R * GX);
        if (!CHECK_NEAR(merged / all, 1, 0.03) || getenv("LITHE_TABLE"))
            printf("  %g Pa: merged %.3f, all points %.3f, moment alone %.3f %%\n", modulus,
                   100 * merged, 100 * all, 100 * theory);
        CHECK_NEAR(all / (theory + shorter_arm(modulus)), 1, 0.05);
    }
}

TEST(dissipation_resists_a_roller_as_much_merged_as_not) {
    Case c = {FLOOR ROLLER, 2.0 / 3, "tr-bdf2", "true", 1e-3, 1e7, 10, 128};
    double merged = loss_of(c);
    c.merge = "false";
    double all = loss_of(c);
    if (!CHECK_NEAR(merged / all, 1, 0.1) || getenv("LITHE_TABLE"))
        printf("  merged %.3f, all points %.3f %%\n", 100 * merged, 100 * all);
    CHECK(all > 0.01);
}

LONG_TEST(backward_euler_resists_rolling_in_second_order_of_the_step) {
    double errors[3];
    for (int k = 0; k < 3; k++) {
        Case c = {FLOOR BALL, 5.0 / 7, "backward-euler", "true", 4e-3 / (1 << k), 1e7, 0, 128};
        errors[k] = loss_of(c) - shorter_arm(1e7);
        if (getenv("LITHE_TABLE"))
            printf("  %g ms: %.4f %% more than the arm\n", 1e3 * c.step, 100 * errors[k]);
    }
    CHECK(errors[0] > 3 * errors[1] && errors[1] > 3 * errors[2]);
    CHECK(errors[2] > 0 && errors[2] < 3e-4); // N h v would be 6 % at 1 ms
}

LONG_TEST(backward_euler_lets_merged_and_single_points_roll) {
    static const char *const scenes[] = {FLOOR BALL, FLOOR ROLLER, BED};
    static const double whole[] = {5.0 / 7, 2.0 / 3, 5.0 / 7};
    static const char *const merge[] = {"true", "false"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            Case c = {scenes[i], whole[i], "backward-euler", merge[k], 1e-3, 1e7, 0, 128};
            double loss = loss_of(c);
            c.scheme = "tr-bdf2";
            double other = loss_of(c);
            if (!CHECK(fabs(loss - other) < 0.006) || getenv("LITHE_TABLE"))
                printf("  scene %d, merge %s: %.3f %%, tr-bdf2 %.3f %%\n", i, merge[k], 100 * loss,
                       100 * other);
        }
}
