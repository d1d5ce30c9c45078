// SPDX-License-Identifier: Apache-2.0
// cli/check_particles.c - lithe check: scales of sets of particles
//
//     depth at rest    m g / k, k of a contact of two particles with the smallest radius of the set
//     fall             sqrt(2 R / g), the time in which a particle falls its own radius

#include "cli/check_group.h"

#include "collide/part.h"
#include "data/model.h"

#include <math.h>

// fewer steps than this per fall of one radius are too coarse: contacts then begin with a large
// overlap or a large gap
#define FALL_STEPS 5

typedef struct Range {
    double low, high, sum;
} Range;

static Range range_of(const double *values, int32_t count) {
    Range range = {INFINITY, -INFINITY, 0};
    for (int32_t i = 0; i < count; i++) {
        range.low = fmin(range.low, values[i]);
        range.high = fmax(range.high, values[i]);
        range.sum += values[i];
    }
    return range;
}

static void put_mass(LitheCliGroups *all, const Range *mass) {
    lithe_cli_put(all, "  %-26s ", "mass");
    if (mass->low == mass->high)
        lithe_cli_put(all, "%.4g kg each", mass->low);
    else
        lithe_cli_put(all, "%.4g to %.4g kg", mass->low, mass->high);
    lithe_cli_put(all, ", %.4g kg together\n", mass->sum);
}

int64_t lithe_cli_particles_held(const LitheModel *model, int32_t set) {
    const LitheParticles *own = &model->particles[set];
    int64_t held = 0;
    for (int64_t k = 0; k < 3 * (int64_t)own->count; k++)
        held += own->held[k];
    return held;
}

// largest ratio of mass to radius of a particle [kg/m]
static double max_mass_over_radius(const double *mass, const double *radius, int32_t count) {
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, mass[i] / radius[i]);
    return most;
}

// overlap at rest under the weight, and time of a fall
static void put_weight(LitheCliGroups *all, const LitheModel *model, const LitheParticles *set,
                       const Range *radius, const Range *mass) {
    bool mixed = radius->high > radius->low || mass->high > mass->low;
    double g = v3_norm(model->gravity);
    LitheContact contact = {0};
    lithe_combine(model, &set->touch, radius->low, &set->touch, radius->low, &contact);
    double k = contact.stiffness;
    char a[32], b[32];
    lithe_cli_put(all, "  %-26s %.4g N/m with its own material\n", "contact stiffness", k);
    if (g == 0)
        return;
    double depth = mass->high * g / k, fall = sqrt(2 * radius->low / g);
    double fraction = max_mass_over_radius(set->mass, set->radius, set->count) * g / (2 * k);
    lithe_cli_put(all, "  %-26s %s deep under its own weight%s\n", "one rests",
                  lithe_cli_nice(depth, "m", a), mixed ? " (the heaviest)" : "");
    lithe_cli_put(all, "  %-26s %s, %.3g steps%s\n", "falls its radius in",
                  lithe_cli_nice(fall, "s", a), fall / model->time.step,
                  mixed ? " (the smallest)" : "");
    if (fraction > LITHE_CLI_DEEP_REST)
        lithe_cli_put(
            all,
            "  note: %s %.2g %% of %s thickness: a stiffness of %.3g N/m or more keeps it "
            "below 1 %%\n",
            mixed ? "some rest as deep as" : "that is", 100 * fraction, mixed ? "their" : "the",
            2 * k * fraction / LITHE_CLI_DEEP_REST);
    if (fall < FALL_STEPS * model->time.step && model->time.min_step == 0)
        lithe_cli_put(all, "  note: a step of %s or less follows a fall by one radius\n",
                      lithe_cli_nice(fall / FALL_STEPS, "s", b));
}

static void put_set(LitheCliGroups *all, const LitheModel *model, int32_t index) {
    const LitheParticles *set = &model->particles[index];
    Range radius = range_of(set->radius, set->count), mass = range_of(set->mass, set->count);
    char a[32], b[32];
    lithe_cli_put_own(all, "\nparticles '%s'\n", set->name);
    lithe_cli_put(all, "  %-26s %d\n", "count", set->count);
    lithe_cli_put(all, "  %-26s %s", "radius", lithe_cli_nice(radius.low, "m", a));
    if (radius.high > radius.low)
        lithe_cli_put(all, " to %s", lithe_cli_nice(radius.high, "m", b));
    lithe_cli_put(all, "\n");
    put_mass(all, &mass);
    lithe_cli_put(all, "  %-26s %lld, %lld held\n", "degrees of freedom", 3 * (long long)set->count,
                  (long long)lithe_cli_particles_held(model, index));
    if (model->contact.enabled)
        put_weight(all, model, set, &radius, &mass);
}

void lithe_cli_check_particles(const LitheModel *model) {
    LitheCliGroups all = {"particles", "sets of particles", .folded = true};
    for (int32_t i = 0; i < model->particles_count; i++) {
        put_set(&all, model, i);
        lithe_cli_group(&all, model->particles[i].name);
    }
    lithe_cli_groups_end(&all);
    if (model->particles_count > 0)
        printf("\nparticles have no rotation: they slide and do not roll (bodies with a sphere "
               "roll)\n");
}
