// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt_drive.c - a belt drive under load: creep, and slip beyond its limit
//
// A flat belt on two equal rollers, one driven, one braked by a torque M. It sticks where it enters
// a roller, with the tension T1 before the driven one and T2 before the braked one, and slides
// where the tension changes. The same rest length passes everywhere, so the speeds of the rollers
// have the ratio of the stretches, and the creep is
//     s = 1 - w2/w1 = (T1 - T2)/(EA + T1) + (d1 - d2)/(R + h/2),   T1 - T2 = M/(R + h/2)
// where d = (T/(R b)) (h/2)/E is how far the pressure T/(R b) under the tension T presses the belt,
// with patches of the modulus E, into a roller: the line of the belt runs nearer to the axis. It
// holds up to the load at which it slides all around, T1/T2 = exp(mu pi).

#include "cli/validate/belt.h"

#include "base/memory.h"
#include "base/status.h"

#define FRICTION 0.3
#define SPEED (2 * M_PI) // of the driving roller [rad/s]
#define STEP 2e-3        // s
#define MODULUS 1e5      // of patches [Pa]
#define SETTLED 2.0      // s
#define MEASURED 1.0     // s

static const char drive[] =
    "lithe: 1\n"
    "time: {step: %.17g s, end: 100 s, scheme: backward-euler}\n"
    "gravity: none\n"
    "materials:\n"
    "  rubber: {young: %.17g, poisson: 0.4999, density: 1155 kg/m^3, friction: %.17g,\n"
    "           damping: {mass: 1.1 1/s}, contact: {patches: {modulus: %.17g}}}\n"
    "  steel: {young: 1 GPa, density: 1000 kg/m^3, friction: %.17g}\n"
    "bodies:\n"
    "  first: {material: steel, rotate: {axis: [1, 0, 0], angle: -90 deg},\n"
    "          shape: {cylinder: {radius: %.17g, length: 80 mm}}}\n"
    "  second: {material: steel, at: [%.17g, 0, 0], rotate: {axis: [1, 0, 0], angle: -90 deg},\n"
    "          shape: {cylinder: {radius: %.17g, length: 80 mm}}}\n"
    "joints:\n"
    "  driven: {kind: revolute, child: first, axis: [0, 1, 0]}\n"
    "  braked: {kind: revolute, child: second, axis: [0, 1, 0]}\n"
    "actuators:\n"
    "  motor: {joint: driven, kind: position, target: {rate: %.17g rad/s},\n"
    "          stiffness: 10 N m/rad, damping: 1 N m s/rad}\n"
    "  brake: {joint: braked, kind: force, target: {table: [[0 s, 0], [0.5 s, %.17g]]}}\n";

static bool build(LitheTrial *trial, int32_t nodes, double torque, LitheStand *stand) {
    LitheVec3 *points = lithe_alloc_array(trial->context, nodes, sizeof *points);
    if (!points)
        return lithe_fail_memory(&trial->error, "the points of a belt") == LITHE_OK;
    for (int32_t i = 0; i < nodes; i++) {
        points[i] = lithe_belt_line((i + 0.5) / nodes, BELT_ROLLER + 0.5 * BELT_HEIGHT, NULL);
        points[i].y = 0;
    }
    LitheRodDef rod = lithe_belt_rod(points, nodes);
    bool ok = lithe_stand_text(trial, stand, drive, STEP, BELT_YOUNG, FRICTION, MODULUS, FRICTION,
                               BELT_ROLLER, BELT_APART, BELT_ROLLER, SPEED, -torque);
    if (ok) {
        stand->rod = lithe_scene_add_rod(stand->scene, &rod);
        ok = lithe_stand_compile(trial, stand);
    }
    lithe_free(trial->context, points);
    return ok;
}

// creep, mean over the measured time
static bool run(LitheTrial *trial, int32_t nodes, double torque, double *creep) {
    LitheStand stand;
    double angle[2][2] = {{0}};
    bool ok = build(trial, nodes, torque, &stand);
    for (int k = 0; ok && k < 2; k++) {
        ok = lithe_stand_run(trial, &stand, STEP, k == 0 ? SETTLED : MEASURED);
        for (int j = 0; ok && j < 2; j++)
            angle[k][j] = *lithe_joint_position(stand.model, stand.state, (LitheJointId){j + 1});
    }
    *creep = 1 - (angle[1][1] - angle[0][1]) / (angle[1][0] - angle[0][0]);
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_belt_drive(LitheTrial *trial) {
    enum { LOADS = 6 };
    static const double loads[LOADS] = {0, 0.2, 0.4, 0.6, 0.8, 1.2};
    double EA = BELT_YOUNG * BELT_WIDTH * BELT_HEIGHT, T0 = EA * (1 / BELT_PRESTRESS - 1);
    double grip = exp(FRICTION * M_PI), most = 2 * T0 * (grip - 1) / (grip + 1);
    double lever = BELT_ROLLER + 0.5 * BELT_HEIGHT, creep[LOADS], theory[LOADS], percent[LOADS];
    int32_t nodes = 100 * (trial->refine > 1 ? 2 : 1);
    trial->plot.title = "A belt drive under load";
    trial->plot.x_label = "load over the limit of the grip";
    trial->plot.y_label = "creep [%]";
    for (int i = 0; i < LOADS; i++) {
        double difference = loads[i] * most;
        if (!run(trial, nodes, lever * difference, &creep[i]))
            return false;
        // bending round the rollers takes power in each step: creep without a load, of first order
        // in the step
        double loaded = creep[i] - creep[0];
        double pressed = difference / (lever * BELT_WIDTH) * 0.5 * BELT_HEIGHT / MODULUS; // d1 - d2
        theory[i] = difference / (EA + T0 + 0.5 * difference) + pressed / lever;
        LitheFinding finding = loads[i] == 0  ? reported(creep[i])
                               : loads[i] > 1 ? at_most(-creep[i], -0.5)
                                              : near_to(loaded, theory[i], 0.1);
        const char *what = loads[i] == 0  ? "creep at %g of the limit: losses of the step"
                           : loads[i] > 1 ? "slip at %g of the limit, negative"
                                          : "creep at %g of the limit, without that at 0";
        if (!lithe_trial_add(trial, finding, what, loads[i]))
            return false;
        percent[i] = 1e2 * loaded;
        theory[i] *= 1e2;
    }
    return lithe_trial_curve(trial, "measured", true, loads, percent, LOADS - 1) &&
           lithe_trial_curve(trial, "theory", false, loads, theory, LOADS - 1);
}
