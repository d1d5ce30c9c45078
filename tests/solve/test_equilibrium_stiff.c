// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_equilibrium_stiff.c - equilibria of rods whose stretching stiffness exceeds
// bending by far

#include "test.h"

#include "lithe/lithe.h"

// sag of a rope of 2 m and 1 kg/m between points 1.6 m apart that falls from a circular arc
static double sag(double EA, int32_t nodes) {
    const double angle = 2.2622, radius = 2 / angle; // chord 1.6 m to 2e-5
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.section = (LitheSectionDef){.kind = LITHE_SECTION_STIFFNESS, .EA = EA, .radius = 0.01};
    rod.section.EI1 = rod.section.EI2 = rod.section.GJ = 1e-6;
    rod.section.mass_per_length = 1;
    rod.nodes = nodes;
    rod.shape.kind = LITHE_SHAPE_ARC;
    rod.shape.radius = radius;
    rod.shape.angle = angle;
    rod.shape.rotate = (LitheVec3){0, 0.5 * angle, 0};
    LitheHoldDef hold = lithe_hold_def_default();
    LitheRodId id = lithe_scene_add_rod(scene, &rod);
    hold.place = (LithePlace){.thing = lithe_thing_rod(id), .kind = LITHE_PLACE_NODE};
    hold.name = "start";
    hold.bits = LITHE_HOLD_POSITION | LITHE_HOLD_TWIST;
    lithe_scene_add_hold(scene, &hold);
    hold.name = "end";
    hold.place.node = -1;
    hold.bits = LITHE_HOLD_POSITION;
    lithe_scene_add_hold(scene, &hold);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error;
    double depth = NAN;
    if (lithe_compile(scene, &model, &state, &error) == LITHE_OK) {
        LitheWork *work = lithe_work_create(model, 1);
        if (lithe_equilibrium(model, state, work, NULL, &error) == LITHE_OK)
            depth = -lithe_rod_q(model, state, id)[4 * (nodes / 2) + 2];
        lithe_work_destroy(work);
    }
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return depth;
}

LONG_TEST(stretch_stiffness_does_not_change_how_a_rope_hangs) {
    double soft = sag(1e6, 401);
    CHECK_NEAR(sag(1e7, 401), soft, 1e-4 * soft);
    CHECK_NEAR(sag(1e8, 401), soft, 1e-4 * soft);
    CHECK_NEAR(sag(1e9, 401), soft, 1e-4 * soft);
}
