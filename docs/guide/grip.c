// SPDX-License-Identifier: Apache-2.0
// docs/guide/grip.c - a program watches the force of a grip and opens the hand when it is too much

#include <lithe/lithe.h>
#include <stdio.h>
#include <string.h>

// a hand that moves up, and a rope from it to the floor; a robot's hand is read in the same way
static const char text[] =
    "lithe: 1\n"
    "time: {step: 2 ms}\n"
    "materials:\n"
    "  rubber: {young: 2 MPa, density: 1100 kg/m^3, damping: {stiffness: 3 ms}}\n"
    "rods:\n"
    "  rope: {material: rubber, section: {circle: {radius: 6 mm}},\n"
    "         shape: {line: {from: [0, 0, 0.4], to: [0, 0, 0]}}, nodes: 41}\n"
    "bodies:\n"
    "  hand: {material: rubber, shape: {box: {size: [4 cm, 4 cm, 2 cm]}}, at: [0, 0, 0.41]}\n"
    "joints:\n"
    "  lift: {kind: prismatic, child: hand}\n"
    "actuators:\n"
    "  pull: {joint: lift, kind: prescribed, target: {rate: 5 cm/s}}\n"
    "constraints:\n"
    "  grip: {kind: weld, a: hand, b: rope.start}\n"
    "  floor: {kind: attach, a: world, b: rope.end}\n"
    "ignore: [[hand, rope]]\n";

static int explain(const LitheError *error) {
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

int main(void) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheError error;
    if (lithe_scene_parse(context, text, strlen(text), "pull.yaml", NULL, NULL, 0, &scene,
                          &error) != LITHE_OK ||
        lithe_compile(scene, &model, &state, &error) != LITHE_OK)
        return explain(&error);
    LitheWork *work = lithe_work_create(model, 1);
    LitheConstraintId grip = lithe_constraint_find(model, "grip");
    if (!work || grip.number == 0)
        return 1;

    for (int step = 1; step <= 200; step++) {
        if (lithe_step(model, state, work, NULL, &error) != LITHE_OK)
            return explain(&error);
        LitheVec3 force = lithe_constraint_force(model, state, grip); // on place b, the rope [N]
        if (step % 50 == 0)
            printf("%.3f s: %.2f N\n", lithe_state_time(state), force.z);
        if (lithe_constraint_active(model, state, grip) && force.z > 10) {
            lithe_state_set_constraint(model, state, grip, false);
            printf("%.3f s: %.2f N, the hand opens\n", lithe_state_time(state), force.z);
        }
    }

    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return 0;
}
