// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_lcp_arm.c - a soft arm sinks onto a slope and is driven: every step is solved,
// and its tip is where the prototype had it

#include "lcp_arm.h"

typedef struct Reference {
    int32_t disks;
    double h;
    bool implicit;
    double tip[4][3]; // at 0.5, 1, 1.5 and 2 s [m]
} Reference;

// slope of 45 degrees
static const Reference references[] = {
    {3,
     1e-3,
     true,
     {{0.348510, 0, -0.355588},
      {0.338200, 0, -0.345285},
      {0.339867, -0.007588, -0.347123},
      {0.317329, -0.054791, -0.328211}}},
    {6,
     1e-3,
     true,
     {{0.348518, 0, -0.355594},
      {0.338222, 0, -0.345299},
      {0.339983, -0.006193, -0.347218},
      {0.317610, -0.053389, -0.328462}}},
    {3,
     1e-4,
     false,
     {{0.348449, 0, -0.355527},
      {0.338173, 0, -0.345258},
      {0.339867, -0.007635, -0.347123},
      {0.317219, -0.055077, -0.328109}}},
};

static Arm arm;
static ArmProblem problem;

static void follow(const Reference *reference, int32_t marks) {
    LitheContext *context = lithe_context_create(NULL);
    arm_begin(&arm, 45, reference->disks, reference->h, reference->implicit, context);
    int64_t steps = llround(0.5 / reference->h);
    for (int64_t k = 1; k <= steps * marks; k++) {
        arm_drive(&arm, (double)(k - 1) * reference->h);
        FATAL(arm_step(&arm, &problem));
        if (k % steps > 0)
            continue;
        Vec3 tip = arm_tip(&arm).x;
        const double *expected = reference->tip[k / steps - 1];
        CHECK_NEAR(tip.x, expected[0], 1e-6);
        CHECK_NEAR(tip.y, expected[1], 1e-6);
        CHECK_NEAR(tip.z, expected[2], 1e-6);
    }
    CHECK(arm.newton_failed == 0);
    CHECK(arm.weakened == 0);
    CHECK(arm.penetration < 1e-6);
    CHECK(arm.most_contacts >= reference->disks);
    if (getenv("LITHE_SHOW"))
        printf("  disks %d, h %g: fall-backs %d, penetration %.2g m, contacts up to %d\n",
               reference->disks, reference->h, arm.newton_failed, arm.penetration,
               arm.most_contacts);
    lithe_lcp_contact_work_end(&arm.work);
    lithe_context_destroy(context);
}

LONG_TEST(arm_with_three_disks_ends_where_the_prototype_did) {
    follow(&references[0], 4);
}

LONG_TEST(arm_with_six_disks_ends_where_the_prototype_did) {
    follow(&references[1], 4);
}

LONG_TEST(arm_by_semi_implicit_euler_is_where_the_prototype_was) {
    follow(&references[2], getenv("LITHE_MANY") ? 4 : 1);
}
