// SPDX-License-Identifier: Apache-2.0
// cli/validate/funnel.c - grains flow through a funnel; their heap comes to rest and does not creep

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#define RADIUS 3e-3 // of a grain [m]

typedef struct Heap {
    double height; // of the top of the highest grain [m]
    double angle; // of the cone with the same mean height and mean distance from the axis [degrees]
    double motion; // kinetic energy [J]
    int32_t above; // grains that are still in the funnel
} Heap;

typedef struct Pour {
    int32_t grains;
    double outlet; // height of the lower end of the funnel, above the heap [m]
    const char *step;
    double sigma; // regularisation of sticking; grains deep in a heap creep in proportion to the
                  // step
    double half, end; // s: the heap is measured at both
    Heap first, last;
    double drift;           // largest change of the angle from `half` on [degrees]
    double gain;            // largest increase of the total energy over its minimum so far [J]
    double range;           // of the potential energy [J]
    double *times, *angles; // s, degrees: a sample every `every`
    double every;
    int32_t samples, capacity;
} Pour;

// The scene scenes/funnel.yaml with any number of grains. The funnel grows with the heap: 200
// grains flow through an outlet of 7 diameters, but a thousand form a stable arch in it.
static bool build(LitheTrial *trial, const Pour *p, LitheStand *stand) {
    return lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "parameters: {size: (%d/200)^(1/3), outlet: 20 mm*size, mouth: 45 mm*size,\n"
        "             wall: 4 mm*size, half: tan(7.5 deg), low: 8 cm*size, high: low + 6 cm*size}\n"
        "time: {step: %s, end: 1000 s, scheme: backward-euler}\n"
        "contact: {sigma: %g}\n"
        "materials: {sand: {young: 50 MPa, density: 2600 kg/m^3, friction: 0.5,\n"
        "                   contact: {stiffness: 1e4 N/m, dissipation: 1 s/m}},\n"
        "  steel: {young: 200 GPa, density: 7850 kg/m^3, friction: 0.1,\n"
        "          contact: {stiffness: 1e4 N/m, dissipation: 1 s/m}}}\n"
        "particles: {grains: {material: sand, radius: %g, fill: {cylinder: {\n"
        "    from: [0, 0, low + 4.5 cm*size], to: [0, 0, 1 m], radius: 32 mm*size},\n"
        "    spacing: 9 mm, jitter: 1, seed: 7, count: %d}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: sand, shape: {half-space: {}}}\n"
        "  plate: {repeat: {i: 24}, fixed: true, material: steel,\n"
        "    rotate: {axis: [0, 0, 1], angle: 15 deg*i}, shape: {convex: {points: [\n"
        "      [outlet, -outlet*half, low], [outlet, outlet*half, low],\n"
        "      [outlet + wall, -(outlet + wall)*half, low],\n"
        "      [outlet + wall, (outlet + wall)*half, low],\n"
        "      [mouth, -mouth*half, high], [mouth, mouth*half, high],\n"
        "      [mouth + wall, -(mouth + wall)*half, high],\n"
        "      [mouth + wall, (mouth + wall)*half, high]]}}}\n",
        (int)p->grains, p->step, p->sigma, RADIUS, (int)p->grains);
}

// A cone of height h and radius a has its mean height at h/4 and its mean distance from the axis at
// a/2, so that h/a is twice the ratio of both. Heights count from centres that lie on the floor.
static Heap measure(const LitheStand *stand, double outlet) {
    LitheParticlesId set = lithe_particles_find(stand->model, "grains");
    const double *x = lithe_particles_position(stand->model, stand->state, set);
    int32_t count = lithe_particles_size(stand->model, set);
    double centre[2] = {0}, high = 0, away = 0;
    Heap heap = {.motion = lithe_energy(stand->model, stand->state).kinetic};
    for (int32_t i = 0; i < count; i++) {
        centre[0] += x[3 * i] / count;
        centre[1] += x[3 * i + 1] / count;
    }
    for (int32_t i = 0; i < count; i++) {
        high += (x[3 * i + 2] - RADIUS) / count;
        away += hypot(x[3 * i] - centre[0], x[3 * i + 1] - centre[1]) / count;
        heap.height = fmax(heap.height, x[3 * i + 2] + RADIUS);
        heap.above += x[3 * i + 2] > outlet;
    }
    heap.angle = atan2(2 * high, away) * 180 / M_PI;
    return heap;
}

// stored plus dissipated energy, which must not increase in any step
static double everything(const LitheEnergy *e) {
    return e->kinetic + e->gravity + e->friction + e->contact;
}

static bool pour(LitheTrial *trial, LitheStand *stand, Pour *p) {
    double low = INFINITY, high = -INFINITY, least = INFINITY;
    bool halfway = false;
    for (;;) {
        double time = lithe_state_time(stand->state);
        LitheEnergy e = lithe_energy(stand->model, stand->state);
        low = fmin(low, e.gravity);
        high = fmax(high, e.gravity);
        least = fmin(least, everything(&e));
        p->gain = fmax(p->gain, everything(&e) - least);
        p->last = measure(stand, p->outlet);
        if (time > p->half - 1e-9) {
            if (!halfway)
                p->first = p->last;
            halfway = true;
            p->drift = fmax(p->drift, fabs(p->last.angle - p->first.angle));
        }
        if (p->samples < p->capacity && time > p->samples * p->every - 1e-9) {
            p->times[p->samples] = time;
            p->angles[p->samples++] = p->last.angle;
        }
        if (time > p->end - 1e-9)
            break;
        LitheReport report;
        if (lithe_step(stand->model, stand->state, stand->work, &report, &trial->error) != LITHE_OK)
            return false;
    }
    p->range = high - low;
    return true;
}

static bool add_findings(LitheTrial *trial, const Pour *p) {
    double span = p->end - p->half;
    return lithe_trial_add(trial, at_most(p->last.above, 0), "grains_left_in_the_funnel_of_%d",
                           p->grains) &&
           lithe_trial_add(trial, at_most(fmax(p->first.motion, p->last.motion), 1e-8),
                           "kinetic_energy_at_rest [J]") &&
           lithe_trial_add(trial, at_most(fabs(p->last.height / p->first.height - 1), 1e-4),
                           "change_of_the_height_in_%g_s", span) &&
           lithe_trial_add(trial, at_most(p->drift, 0.1), "drift_of_the_angle_in_%g_s [degrees]",
                           span) &&
           lithe_trial_add(trial, at_most(fabs(p->last.angle / p->first.angle - 1), 1e-4),
                           "change_of_the_angle_in_%g_s", span) &&
           lithe_trial_add(trial, at_most(p->gain / p->range, 1e-9),
                           "energy_gain_over_potential_range") &&
           lithe_trial_add(trial, reported(p->last.angle), "angle [degrees]") &&
           lithe_trial_add(trial, reported(1e3 * p->last.height), "height [mm]");
}

// 200 grains for 6 s; with --long 1000 for 60 s
bool lithe_case_funnel(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    LitheStand stand = {0};
    Pour p = {.grains = longer ? 1000 : 200,
              .step = longer ? "4 ms" : "2 ms",
              .sigma = longer ? 1e-8 : 1e-6,
              .half = longer ? 30 : 3,
              .end = longer ? 60 : 6};
    p.outlet = 0.08 * cbrt(p.grains / 200.0);
    p.capacity = 200;
    p.every = p.end / p.capacity;
    p.times = lithe_alloc_array(trial->context, p.capacity, sizeof *p.times);
    p.angles = lithe_alloc_array(trial->context, p.capacity, sizeof *p.angles);
    bool ok = p.times && p.angles;
    if (!ok)
        lithe_fail_memory(&trial->error, "the samples of a heap");
    ok = ok && build(trial, &p, &stand) && pour(trial, &stand, &p) && add_findings(trial, &p);
    trial->plot.title = "Grains run through a funnel: slope of the heap";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "slope [degrees]";
    ok = ok && lithe_trial_curve(trial, "measured", true, p.times, p.angles, p.samples);
    lithe_stand_end(&stand);
    lithe_free(trial->context, p.times);
    lithe_free(trial->context, p.angles);
    return ok;
}
