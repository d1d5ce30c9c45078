// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_bars.c - soft solids in contact whose stress is that of a bar: blocks of
// different stiffness in series, and the impact of a bar on a wall
//
// Both have closed forms without a modulus of contact (Poisson's ratio 0): docs/theory/surfaces.md,
// (SC36) to (SC39).

#include "cli/validate/validate.h"

// --- blocks_in_series ----------------------------------------------------------------------------

#define PRESSURE 100.0
#define SIDE 0.1
// of a layer: 0.5 % of the smaller of the two smallest extents (S30)
#define LAYER 0.005
enum { BLOCKS = 3 };
static const double block_young[BLOCKS] = {1e4, 1e5, 3e4}, block_height[BLOCKS] = {0.1, 0.05, 0.08};

// (SC36) sinking of the top: of the blocks, and of the layers between them and on the floor
static double sinking(void) {
    double sum = 0;
    for (int k = 0; k < BLOCKS; k++) {
        double layer = LAYER * fmin(SIDE, block_height[k]) / block_young[k];
        if (k > 0)
            layer = LAYER * fmin(block_height[k], block_height[k - 1]) *
                    (1 / block_young[k] + 1 / block_young[k - 1]);
        sum += PRESSURE * (block_height[k] / block_young[k] + layer);
    }
    return sum;
}

// three blocks on a floor under a pressure; cells[k]: across block k
static bool stack(LitheTrial *trial, const int cells[BLOCKS], double *top, double *force) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: static, step: 1 s, end: 1 s}\n"
        "materials:\n"
        "  a: {young: 10 kPa, poisson: 0, density: 1000, friction: 0}\n"
        "  b: {young: 100 kPa, poisson: 0, density: 1000, friction: 0}\n"
        "  c: {young: 30 kPa, poisson: 0, density: 1000, friction: 0}\n"
        "  hard: {young: 1000 GPa, poisson: 0, density: 1000, friction: 0}\n"
        "solids:\n"
        "  a: {material: a, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, 2]}},\n"
        "      at: [0, 0, 0.05]}\n"
        "  b: {material: b, mesh: {box: {size: [0.1, 0.1, 0.05], divisions: [%d, %d, 2]}},\n"
        "      at: [0, 0, 0.125]}\n"
        "  c: {material: c, mesh: {box: {size: [0.1, 0.1, 0.08], divisions: [%d, %d, 1]}},\n"
        "      at: [0, 0, 0.19]}\n"
        "bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}\n"
        "holds:\n"
        "  ax: {on: a.x-min, hold: x}\n"
        "  ay: {on: a.y-min, hold: y}\n"
        "  bx: {on: b.x-min, hold: x}\n"
        "  by: {on: b.y-min, hold: y}\n"
        "  cx: {on: c.x-min, hold: x}\n"
        "  cy: {on: c.y-min, hold: y}\n"
        "pressures: {top: {on: c.z-max, pressure: %g}}\n",
        cells[0], cells[0], cells[1], cells[1], cells[2], cells[2], PRESSURE);
    ok = ok && lithe_stand_step(trial, &stand);
    if (ok) {
        LitheSolidId c = lithe_solid_find(stand.model, "c");
        const double *x = lithe_solid_position(stand.model, stand.state, c);
        double height = 0.23;
        // the lowest of the highest nodes: a top that is not flat counts as an error
        *top = 0;
        for (int32_t i = 0; i < lithe_solid_node_count(stand.model, c); i++)
            if (x[3 * i + 2] > 0.19)
                *top = fmax(*top, height - x[3 * i + 2]);
        *force = 0;
        for (int32_t i = 0; i < lithe_work_contact_count(stand.work); i++) {
            LitheContactForce f = lithe_work_contact(stand.work, i);
            bool floor = f.contact.a.thing.kind == LITHE_THING_BODY ||
                         f.contact.b.thing.kind == LITHE_THING_BODY;
            *force += floor ? fabs(f.force.z) : 0;
        }
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_blocks_in_series(LitheTrial *trial) {
    static const int cells[3][BLOCKS] = {{2, 2, 2}, {2, 3, 1}, {4, 3, 5}};
    for (int k = 0; k < 3; k++) {
        double top, force;
        if (!stack(trial, cells[k], &top, &force) ||
            !lithe_trial_add(trial, near_to(top, sinking(), 1e-3), "sinking_%d_%d_%d_cells [m]",
                             cells[k][0], cells[k][1], cells[k][2]) ||
            !lithe_trial_add(trial, near_to(force, PRESSURE * SIDE * SIDE, 1e-5),
                             "force_%d_%d_%d_cells [N]", cells[k][0], cells[k][1], cells[k][2]))
            return false;
    }
    return true;
}

// --- bar_impact ----------------------------------------------------------------------------------

#define LENGTH 0.1
#define YOUNG 1e6
#define DENSITY 1000.0
#define SPEED 0.1

typedef struct Impact {
    double force;       // mean over the middle of the contact, over rho c A v
    double duration;    // over 2 L/c
    double restitution; // speed of the centre of mass after over that before
    double energy;      // kinetic and elastic energy after over that before
    double impulse;     // of the reported forces over the change of momentum
} Impact;

static double momentum_of(const LitheStand *stand, LitheSolidId bar, double *mass) {
    const double *m = lithe_solid_mass(stand->model, bar);
    const double *v = lithe_solid_velocity(stand->model, stand->state, bar);
    double sum = 0;
    *mass = 0;
    for (int32_t i = 0; i < lithe_solid_node_count(stand->model, bar); i++) {
        *mass += m[i];
        sum += m[i] * v[3 * i + 2];
    }
    return sum;
}

// a bar of `cells` cubes hits a wall without friction; midpoint rule, half a cell of a wave per
// step
static bool hit(LitheTrial *trial, int32_t cells, Impact *out) {
    LitheStand stand;
    double side = LENGTH / cells, wave = sqrt(YOUNG / DENSITY), all = 2 * LENGTH / wave;
    double step = 0.5 * side / wave, before = 0, mass;
    double sum = 0, middle = 0, first = -1, last = 0;
    int32_t counted = 0;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: midpoint, step: %.17g, end: 1 s}\n"
        "materials:\n"
        "  soft: {young: %g, poisson: 0, density: %g, friction: 0, contact: {dissipation: 0}}\n"
        "  hard: {young: 1000 GPa, poisson: 0, density: 1000, friction: 0, contact: {dissipation: "
        "0}}\n"
        "solids:\n"
        "  bar: {material: soft, mesh: {box: {size: [%.17g, %.17g, %.17g], divisions: [1, 1, "
        "%d]}},\n"
        "        at: [0, 0, %.17g], velocity: [0, 0, %g]}\n"
        "bodies: {wall: {fixed: true, material: hard, shape: {half-space: {}}}}\n",
        step, YOUNG, DENSITY, side, side, LENGTH, (int)cells, 0.5 * LENGTH + 1e-6, -SPEED);
    LitheSolidId bar = {0};
    if (ok) {
        bar = lithe_solid_find(stand.model, "bar");
        before = momentum_of(&stand, bar, &mass);
    }
    double front = DENSITY * wave * side * side * SPEED; // (SC37)
    int64_t steps = (int64_t)(2 * all / step);
    for (int64_t k = 0; ok && k < steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        double force = 0, time = (double)(k + 1) * step;
        for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++)
            force += fabs(lithe_work_contact(stand.work, i).force.z);
        sum += force * step;
        if (force > 0.05 * front) {
            first = first < 0 ? time - step : first;
            last = time;
        }
        if (time > 0.2 * all && time < 0.8 * all) {
            middle += force;
            counted++;
        }
    }
    if (ok) {
        double after = momentum_of(&stand, bar, &mass);
        LitheEnergy energy = lithe_energy(stand.model, stand.state);
        *out = (Impact){.force = middle / counted / front,
                        .duration = (last - first) / all,
                        .restitution = after / (mass * SPEED),
                        .energy = (energy.kinetic + energy.elastic) / (0.5 * mass * SPEED * SPEED),
                        .impulse = sum / (after - before)};
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_bar_impact(LitheTrial *trial) {
    Impact bar[2];
    for (int fine = 0; fine < 2; fine++)
        if (!hit(trial, (fine ? 32 : 16) * trial->refine, &bar[fine]))
            return false;
    double force[2] = {bar[0].force, bar[1].force};
    double duration[2] = {bar[0].duration, bar[1].duration};
    double restitution[2] = {bar[0].restitution, bar[1].restitution};
    double energy[2] = {bar[0].energy, bar[1].energy};
    // the contact ends up to two steps late: the release of the nodes at the wall is a step long
    LitheFinding late = refined_to(duration, 1, 0.05);
    late.floor = 0.02;
    return lithe_trial_add(trial, refined_to(force, 1, 0.02), "force_over_rho_c_A_v") &&
           lithe_trial_add(trial, late, "duration_over_2L_over_c") &&
           lithe_trial_add(trial, refined_to(restitution, 1, 0.1), "coefficient_of_restitution") &&
           lithe_trial_add(trial, refined_to(energy, 1, 0.06), "energy_after_over_before") &&
           lithe_trial_add(trial, near_to(bar[1].impulse, 1, 1e-9), "impulse_over_momentum");
}
