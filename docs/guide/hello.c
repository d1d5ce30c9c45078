// SPDX-License-Identifier: Apache-2.0
// docs/guide/hello.c - a rubber rod, clamped at one end, bends under its weight: where is its tip?

#include <lithe/lithe.h>
#include <stdio.h>

int main(void) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheMaterialDef rubber = lithe_material_def_default(); // 1 MPa, 1000 kg/m^3
    rubber.name = "rubber";
    LitheRodDef rod = lithe_rod_def_default(); // 1 m along x, 1 cm thick, 101 nodes
    rod.name = "rod";
    rod.material = lithe_scene_add_material(scene, &rubber);
    rod.clamp_start = true;
    LitheRodId id = lithe_scene_add_rod(scene, &rod);

    LitheModel *model;
    LitheState *state;
    LitheError error;
    if (lithe_compile(scene, &model, &state, &error) != LITHE_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    LitheWork *work = lithe_work_create(model, 1);
    if (lithe_equilibrium(model, state, work, NULL, &error) != LITHE_OK)
        return fprintf(stderr, "%s\n", error.text), 1;

    const double *tip = lithe_rod_q(model, state, id) + 4 * (rod.nodes - 1);
    printf("the tip hangs at x = %.4f m, z = %.4f m\n", tip[0], tip[2]);

    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return 0;
}
