// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_chains.c - ropes of capsules: gaps, equilibria, oscillations, energy, momentum

#include "world.h"

#include "data/model.h"
#include "data/state.h"
#include "math/quat.h"

// --- reading a chain called rope -----------------------------------------------------------------

static Vec3 middle_of(const World *w, int32_t i, Quat *turn) {
    char name[32];
    double pose[7];
    snprintf(name, sizeof name, "rope/%d", (int)i);
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, name), pose);
    *turn = (Quat){pose[3], pose[4], pose[5], pose[6]};
    return v3_load(pose);
}

static Vec3 axis_of(const World *w, int32_t i) {
    Quat turn;
    middle_of(w, i, &turn);
    return q4_rotate(turn, v3(0, 0, 1));
}

// point at a distance of `way` along the axis from the middle of a capsule [m]
static Vec3 place(const World *w, int32_t i, double way) {
    Quat turn;
    Vec3 middle = middle_of(w, i, &turn);
    return v3_axpy(way, q4_rotate(turn, v3(0, 0, 1)), middle);
}

// where capsule i - 1 meets capsule i
static Vec3 joint_of(const World *w, int32_t i) {
    char name[32];
    double a[7], b[7];
    snprintf(name, sizeof name, "rope/joint-%d", (int)i);
    lithe_constraint_places(w->model, w->state, lithe_constraint_find(w->model, name), a, b);
    return v3_load(b);
}

// largest distance of two places that should meet, over all attachments
static double gap_of(const World *w) {
    double gap = 0;
    for (int32_t i = 1; i <= lithe_constraint_count(w->model); i++) {
        LitheConstraintId id = {i};
        double a[7], b[7];
        if (strstr(lithe_constraint_name(w->model, id), "spring"))
            continue;
        lithe_constraint_places(w->model, w->state, id, a, b);
        gap = fmax(gap, v3_distance(v3_load(a), v3_load(b)));
    }
    return gap;
}

// energy of motion, gravity and hinges (EI/l = bend, GJ/l = twist) of a chain that starts straight
static double energy_of(const World *w, int32_t count, double bend, double twist) {
    double sum = stored(w);
    Quat last, next;
    middle_of(w, 0, &last);
    for (int32_t i = 1; i < count; i++, last = next) {
        middle_of(w, i, &next);
        Vec3 r = q4_log(q4_mul(q4_conj(last), next));
        sum += 0.5 * (bend * (r.x * r.x + r.y * r.y) + twist * r.z * r.z);
    }
    return sum;
}

#define RUBBER "materials: {rubber: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
#define EI_RUBBER (1e6 * M_PI / 4 * 5e-3 * 5e-3 * 5e-3 * 5e-3)

// --- gaps ----------------------------------------------------------------------------------------

LONG_TEST(gaps_of_a_hanging_chain_stay_below_a_hundred_thousandth_of_its_length) {
    // one metre, shaped as a catenary with gravity perpendicular to it: 60 capsules swing below two
    // pins
    World w =
        world_of("lithe: 1\n"
                 "time: {step: 1 ms, end: 100 s}\n" RUBBER "chains:\n"
                 "  rope: {material: rubber, radius: 5 mm, capsules: 60, start: pinned,\n"
                 "         end: pinned, shape: {catenary: {from: [0, 0, 0], to: [0, 0.9, 0],\n"
                 "         length: 1 m}}}\n"
                 "gravity: [9.81, 0, 0]\n");
    double gap = 0;
    for (int i = 0; w.ok && i < 300; i++) {
        world_step(&w, 1);
        gap = fmax(gap, gap_of(&w));
    }
    printf("  largest gap %.2g m\n", gap);
    CHECK(w.unconverged == 0);
    CHECK(gap > 0 && gap < 1e-5);
    world_end(&w);
}

// --- rest ----------------------------------------------------------------------------------------

// sag of a chain of a metre between pins 0.6 m apart; checks what holds for any number of links
static double sag_of(int32_t count) {
    // 10 Pa: negligible bending stiffness
    World w = world_of("lithe: 1\n"
                       "time: {step: 5 ms, end: 100 s, scheme: backward-euler}\n"
                       "contact: {enabled: false}\n"
                       "materials: {thread: {young: 10 Pa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "chains:\n"
                       "  rope: {material: thread, radius: 5 mm, capsules: %d, start: pinned,\n"
                       "         end: pinned, damping: %g, shape: {catenary: {from: [0, 0, 0],\n"
                       "         to: [0.6, 0, 0], length: 1 m}}}\n",
                       (int)count, 0.03 / count);
    world_step(&w, 1200);
    CHECK(w.unconverged == 0);
    CHECK(lithe_energy(w.model, w.state).kinetic < 1e-9);
    // the weight of two half links increases the slope from one to the next; the horizontal pull is
    // constant
    LitheVec3 pin =
        lithe_constraint_force(w.model, w.state, lithe_constraint_find(w.model, "rope/start"));
    double worst = 0;
    for (int32_t i = 0; i + 1 < count; i++) {
        Vec3 a = axis_of(&w, i), b = axis_of(&w, i + 1);
        double halves = v3_distance(place(&w, i, 0), joint_of(&w, i + 1)) +
                        v3_distance(place(&w, i + 1, 0), joint_of(&w, i + 1));
        double wanted = 9.81 * 1000 * M_PI * 25e-6 * halves / fabs(pin.x);
        worst = fmax(worst, fabs((b.z / b.x - a.z / a.x) / wanted - 1));
    }
    printf("  %d links: slopes to %.2g\n", (int)count, worst);
    CHECK(worst < 1e-3);
    double sag = -joint_of(&w, count / 2).z;
    world_end(&w);
    return sag;
}

LONG_TEST(a_hanging_chain_comes_to_the_catenary_at_second_order_in_its_links) {
    // sinh(u)/u = length/span
    double u = 1;
    for (int i = 0; i < 50; i++)
        u -= (sinh(u) / u - 1 / 0.6) / (cosh(u) / u - sinh(u) / (u * u));
    double sag = 0.3 / u * (cosh(u) - 1), coarse = sag_of(10) - sag, fine = sag_of(20) - sag;
    printf("  sag %.6g m, off by %.3g and %.3g\n", sag, coarse, fine);
    CHECK(fabs(fine) < 2e-3);
    CHECK_NEAR(log2(coarse / fine), 2, 0.4);
}

// tip of a cantilever of a metre under a small weight, over that of a beam
static double droop_of(int32_t count) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 5 ms, end: 100 s, scheme: backward-euler}\n"
                       "gravity: [0, 0, -0.1]\n"
                       "contact: {enabled: false}\n"
                       "materials: {stiff: {young: 100 MPa, poisson: 0.3, density: 1000}}\n"
                       "chains:\n"
                       "  rope: {material: stiff, radius: 5 mm, capsules: %d, start: fixed,\n"
                       "         damping: %g, shape: {line: {to: [1 m, 0, 0]}}}\n",
                       (int)count, 0.7 * 100 * EI_RUBBER * count); // critical for the slowest mode
    world_step(&w, 1600);
    CHECK(w.unconverged == 0);
    double wanted = 0.1 * 1000 * M_PI * 25e-6 / (8 * 100 * EI_RUBBER);
    double tip = -place(&w, count - 1, 0.5 / count).z / wanted;
    world_end(&w);
    return tip;
}

LONG_TEST(a_clamped_chain_sags_as_a_beam_at_first_order_in_its_capsules) {
    double coarse = droop_of(10) - 1, fine = droop_of(20) - 1;
    printf("  off by %.3g and %.3g\n", coarse, fine);
    CHECK(fabs(fine) < 0.15);
    CHECK_NEAR(log2(coarse / fine), 1, 0.2);
}

// --- motion --------------------------------------------------------------------------------------

LONG_TEST(a_hanging_chain_swings_with_the_periods_of_a_rope) {
    // first mode of a rope of a metre: J0(j z^1/2), j = 2.404826, z the height over the free end
    enum { COUNT = 20 };
    World w = world_of("lithe: 1\n"
                       "time: {step: 2 ms, end: 100 s, scheme: midpoint}\n"
                       "contact: {enabled: false}\n"
                       "materials: {thread: {young: 10 Pa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "chains:\n"
                       "  rope: {material: thread, radius: 5 mm, capsules: %d, start: pinned,\n"
                       "         shape: {line: {to: [0, 0, -1 m]}}}\n",
                       COUNT);
    const double j = 2.404825557695773;
    for (int32_t i = 0; i < COUNT; i++) {
        // velocities of the mode: of the middle of the capsule, and its rotation
        double top = 1 - (double)i / COUNT, low = 1 - (i + 1.0) / COUNT;
        double a = 1e-3 * j0(j * sqrt(top)), b = 1e-3 * j0(j * sqrt(low));
        double *v = w.state->v + w.model->trees[i].v_at;
        v[0] = 0.5 * (a + b);
        v[4] = (a - b) * COUNT;
    }
    double wanted = 2 * M_PI / (j / 2 * sqrt(9.81)), last = 0, first = 0, second = 0;
    for (int i = 1; i < 1500 && w.ok && second == 0; i++) {
        world_step(&w, 1);
        double x = place(&w, COUNT - 1, 0).x;
        // from right to left: half a period after the start, then one period later
        if (last > 0 && x <= 0) {
            double t = 2e-3 * (i - x / (x - last));
            if (first == 0)
                first = t;
            else
                second = t;
        }
        last = x;
    }
    printf("  period off by %.3g\n", (second - first) / wanted - 1);
    CHECK(w.unconverged == 0);
    CHECK_NEAR((second - first) / wanted, 1, 5e-3);
    world_end(&w);
}

// max increase of the energy of a swinging chain, relative to the energy that it can lose
static double rise_of(const char *scheme, double h, double *lost) {
    enum { COUNT = 30 };
    World w = world_of("lithe: 1\n"
                       "time: {step: %g, end: 100 s, scheme: %s}\n" RUBBER "chains:\n"
                       "  rope: {material: rubber, radius: 5 mm, capsules: %d, start: pinned,\n"
                       "         shape: {line: {to: [1 m, 0, 0]}}}\n",
                       h, scheme, COUNT);
    double bend = EI_RUBBER * COUNT, scale = 9.81 * 1000 * M_PI * 25e-6 * 0.5, worst = 0;
    double min = energy_of(&w, COUNT, bend, bend / 1.3);
    for (int i = 0; i < lround(0.6 / h) && w.ok; i++) {
        world_step(&w, 1);
        double now = energy_of(&w, COUNT, bend, bend / 1.3);
        worst = fmax(worst, (now - min) / scale);
        min = fmin(min, now);
    }
    *lost = -min / scale;
    printf("  %s, %g ms: rises by %.2g at most, has lost %.2g\n", scheme, 1e3 * h, worst, *lost);
    CHECK(w.unconverged == 0);
    world_end(&w);
    return worst;
}

LONG_TEST(energy_of_a_swinging_chain_does_not_grow) {
    double lost;
    CHECK(rise_of("midpoint", 1e-3, &lost) < 1e-5);
    CHECK(lost > 0 && lost < 0.01);
    // Euler evaluates forces at the start of the step: the energy oscillates with the motion, less
    // for shorter steps
    double coarse = rise_of("backward-euler", 2e-3, &lost);
    double fine = rise_of("backward-euler", 1e-3, &lost);
    CHECK(fine < 2e-3 && fine < 0.7 * coarse);
    CHECK(lost > 0);
}

// loss of momenta of a free chain that rotates and moves as one body for half a second
static void lost(const char *scheme, double h, double *momentum, double *angular) {
    enum { COUNT = 15 };
    World w = world_of("lithe: 1\n"
                       "time: {step: %g, end: 100 s, scheme: %s}\n"
                       "gravity: none\n" RUBBER "chains:\n"
                       "  rope: {material: rubber, radius: 5 mm, capsules: %d,\n"
                       "         shape: {line: {to: [1 m, 0, 0]}}}\n",
                       h, scheme, COUNT);
    Vec3 spin = v3(0.5, 2, 3);
    for (int32_t i = 0; i < COUNT; i++) {
        double *v = w.state->v + w.model->trees[i].v_at;
        v3_store(v3_add(v3(1, 0, -1), v3_cross(spin, place(&w, i, 0))), v);
        v3_store(spin, v + 3);
    }
    Vec3 p = lithe_momentum(w.model, w.state), L = lithe_angular_momentum(w.model, w.state);
    world_step(&w, lround(0.5 / h));
    *momentum = v3_distance(lithe_momentum(w.model, w.state), p) / v3_norm(p);
    *angular = v3_distance(lithe_angular_momentum(w.model, w.state), L) / v3_norm(L);
    printf("  %s, %g ms: momentum to %.2g, angular momentum to %.2g\n", scheme, 1e3 * h, *momentum,
           *angular);
    world_end(&w);
}

LONG_TEST(a_free_chain_keeps_momentum_and_angular_momentum_at_second_order) {
    double momentum, coarse, fine;
    for (int middle = 0; middle < 2; middle++) {
        lost(middle ? "midpoint" : "backward-euler", 2e-3, &momentum, &coarse);
        CHECK(momentum < 1e-9);
        lost(middle ? "midpoint" : "backward-euler", 1e-3, &momentum, &fine);
        CHECK(momentum < 1e-9);
        CHECK(fine < 1e-6);
        CHECK_NEAR(log2(coarse / fine), 2, 0.3);
    }
}
