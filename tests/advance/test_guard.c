// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_guard.c - the energy guard of TR-BDF2 where contacts, ties and first steps
// would give energy: (T20) to (T24)

#include "world.h"

#include "body/unit.h"
#include "collide/collide.h"
#include "data/work.h"
#include "law/stiffening.h"
#include "solve/contact_model.h"
#include "solve/overlap.h"

// Energy that is neither kinetic nor elastic nor of gravity.
typedef double MoreFn(const World *w);

// The rise of the energy in a run.
typedef struct Rise {
    World *world;
    MoreFn *more;
    double largest; // kinetic or stored so far, also at the ends of substeps [J]
} Rise;

static double more_of(const Rise *rise) {
    return rise->more ? rise->more(rise->world) : 0;
}

static void note_largest(const LitheState *before, const LitheState *after, void *user) {
    Rise *rise = user;
    LitheEnergy e = lithe_energy(rise->world->model, after);
    (void)before;
    rise->largest = fmax(rise->largest, fmax(e.kinetic, e.elastic));
}

// The largest rise of kinetic, elastic and gravity energy above the lowest sum of these and of
// `more` before, over the largest kinetic or stored energy before.
static double highest_rise(World *w, int64_t steps, MoreFn *more) {
    Rise rise = {w, more, 0};
    double other = more_of(&rise), lowest = stored(w) + other, worst = 0;
    note_largest(w->state, w->state, &rise);
    rise.largest = fmax(rise.largest, other);
    for (int64_t i = 0; i < steps; i++) {
        double before = rise.largest;
        w->work->watch = note_largest;
        w->work->watch_user = &rise;
        LitheError error;
        LitheStatus status = lithe_step(w->model, w->state, w->work, &w->report, &error);
        w->work->watch = NULL;
        if (!CHECK(status == LITHE_OK || status == LITHE_CANNOT_GO_ON))
            printf("  %s\n", error.text);
        if (status != LITHE_OK)
            break; // it stopped, with a reason
        other = more_of(&rise);
        // a step that is made whole is not measured by the energy that it ends with
        worst = fmax(worst, (stored(w) - lowest) / (w->report.pieces > 1 ? rise.largest : before));
        lowest = fmin(lowest, stored(w) + other);
        rise.largest = fmax(rise.largest, lithe_energy(w->model, w->state).elastic + other);
    }
    printf("  the energy rose by %.2e of the largest\n", worst);
    return worst;
}

static double in_overlaps(const World *w) {
    LitheContacts *found = lithe_contacts_create(w->context);
    LitheError error;
    double sum = 0;
    CHECK(lithe_find_contacts(w->model, w->state, 0, found, &error) == LITHE_OK);
    for (int32_t i = 0; i < lithe_contact_count(found); i++) {
        const LitheContact *c = &lithe_contact_data(found)[i];
        sum += 0.5 * c->stiffness * c->gap * c->gap;
    }
    lithe_contacts_destroy(found);
    return sum;
}

LONG_TEST(a_first_step_that_is_far_too_long_gains_no_energy) {
    TestRandom r = {5};
    for (int i = 0; i < 40; i++) {
        double h = pow(10, test_random(&r, -2, 1)), angle = test_random(&r, -1.5, 1.5);
        World w = world_of(
            "lithe: 1\n"
            "time: {step: %g, end: 1000 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 1 MPa, density: 1000}}\n"
            "bodies:\n"
            "  a: {material: m, shape: {box: {size: [0.1, 0.1, 0.2]}}, at: [0.5, 0, 0]}\n"
            "  b: {material: m, shape: {box: {size: [0.1, 0.1, 0.2]}}, at: [1, 0, 0]}\n"
            "joints:\n"
            "  pin: {kind: revolute, child: a, at: [0, 0, 0], axis: [0, 1, 0], position: %g}\n"
            "  elbow: {kind: revolute, parent: a, child: b, at: [0.5, 0, 0], axis: [0, 1, 0]}\n",
            h, angle);
        double before = stored(&w), drop = 2 * 9.81 * 1.5 * 2;
        world_step(&w, 1);
        CHECK(stored(&w) < before + 1e-3 * drop);
        world_end(&w);
    }
}

// Two balls overlap by half a radius. Without dissipation they fly apart with the energy of the
// overlap, and no more.
LONG_TEST(an_overlap_at_the_start_gives_its_own_energy_at_most) {
    for (double h = 1e-4; h < 0.2; h *= 10) {
        World w = world_of("lithe: 1\n"
                           "gravity: none\n"
                           "time: {step: %g, end: 1000 s, scheme: tr-bdf2}\n"
                           "materials: {m: {young: 1 MPa, density: 1000,\n"
                           "  contact: {stiffness: 1e4, dissipation: 0}}}\n"
                           "bodies:\n"
                           "  a: {material: m, shape: {sphere: {radius: 0.1}}}\n"
                           "  b: {material: m, shape: {sphere: {radius: 0.1}}, at: [0.15, 0, 0]}\n",
                           h);
        CHECK(highest_rise(&w, 200, in_overlaps) < 1e-3);
        world_end(&w);
    }
}

// Two crossed rods overlap at the start and part as fast as the dissipation lets them: the force is
// zero in some steps, the overlap is not, and the spring keeps its energy.
TEST(an_overlap_without_force_keeps_its_energy) {
    World w =
        world_of("lithe: 1\n"
                 "time: {step: 163.8 us, end: 1 s, scheme: tr-bdf2}\n"
                 "materials: {m: {young: 208 MPa, poisson: 0.38, density: 1572, friction: 0.22}}\n"
                 "rods:\n"
                 "  a: {material: m, section: {circle: {radius: 1.865 mm}}, nodes: 13,\n"
                 "    shape: {line: {from: [-7.81 mm, -34.1 mm, 280.8 mm], to: [7.56 mm, 33 mm, "
                 "284.8 mm]}}}\n"
                 "  b: {material: m, section: {circle: {radius: 1.812 mm}}, nodes: 13,\n"
                 "    shape: {line: {from: [-11.7 mm, 0.7 mm, 316 mm], to: [5.68 mm, 0.7 mm, 249.2 "
                 "mm]}}}\n");
    int32_t guarded = 0, steps = 0;
    while (steps < 200 && world_step(&w, 1)) {
        guarded += w.report.guarded;
        steps++;
    }
    CHECK(steps == 200 && guarded == 0);
    world_end(&w);
}

// The guard looks for overlaps among the pairs that the last search of a step found close: these
// have all of the energy, to the last bit. Balls fall onto each other and onto an arm, in a scene
// where most pairs do not touch.
TEST(overlaps_among_the_pairs_of_the_last_search_are_all_overlaps) {
    World w =
        world_of("lithe: 1\n"
                 "time: {step: 1 ms, end: 1 s, scheme: tr-bdf2}\n"
                 "materials: {m: {young: 1 MPa, density: 1100, friction: 0.5,\n"
                 "  contact: {stiffness: 2e4}}}\n"
                 "bodies:\n"
                 "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, "
                 "-0.2]}\n"
                 "  a: {material: m, shape: {sphere: {radius: 4 cm}}, at: [0.2, 0, 0.1]}\n"
                 "  b: {material: m, shape: {sphere: {radius: 4 cm}}, at: [0.21, 0, 0.2]}\n"
                 "  c: {material: m, shape: {box: {size: [0.05, 0.06, 0.07]}}, at: [0.5, 0, "
                 "0]}\n"
                 "arms:\n"
                 "  trunk: {rotate: {axis: [0, 1, 0], angle: 90 deg}, lengths: [15 cm, 15 cm],"
                 " masses: [1 kg, 0.5 kg], radii: [4 cm, 4 cm], stiffness: 265 N/m, damping: "
                 "60 N s/m, disks: 5, disk-radius: 5 cm, disk-length: 1 cm, disk-rounding: 4 "
                 "mm, material: m}\n");
    int32_t known = 0, fewer = 0, stored_in = 0;
    for (int i = 0; i < 400 && world_step(&w, 1); i++) {
        double near = 0, all = 0;
        bool is_known = w.work->outcome.strayed < INFINITY &&
                        lithe_overlaps_are_near(w.model, w.work->contacts, w.work->outcome.margin,
                                                lithe_contact_glide(w.model), w.work->moved);
        CHECK(lithe_overlap_energy(w.model, w.state, w.work, &near));
        int32_t pairs = w.work->sweep->pair_count;
        w.work->outcome.strayed = INFINITY;
        CHECK(lithe_overlap_energy(w.model, w.state, w.work, &all));
        CHECK(near == all);
        known += is_known;
        fewer += is_known && pairs < w.work->sweep->pair_count;
        stored_in += is_known && all > 0;
    }
    printf("  known in %d steps, fewer pairs in %d, energy in %d\n", known, fewer, stored_in);
    CHECK(known > 100 && fewer > 50 && stored_in > 50);
    world_end(&w);
}

// The places of the tie are as far apart as the joint allows: its force has no lever, until the
// joint turns a little. A rigid tie does no work.
TEST(a_tie_across_a_straight_joint_gives_no_energy) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 0.3 ms, end: 100 s, scheme: tr-bdf2}\n"
                       "materials: {m: {young: 700 MPa, density: 200}}\n"
                       "bodies:\n"
                       "  a: {material: m, shape: {sphere: {radius: 7.5 mm}},\n"
                       "    at: [5.7 mm, 17.7 mm, 37.1 mm], velocity: [-0.23, -0.73, -0.31]}\n"
                       "  b: {material: m, shape: {box: {size: [8.6 mm, 7.4 mm, 3.7 mm]}},\n"
                       "    at: [16.5 mm, 25.7 mm, 46.1 mm]}\n"
                       "joints:\n"
                       "  j: {kind: ball, child: b, parent: a, at: [11.1 mm, 21.7 mm, 41.6 mm]}\n"
                       "constraints:\n"
                       "  c: {kind: distance, a: b, b: a}\n"
                       "  d: {kind: strut, a: b, b: {on: world, at: [19.2 mm, 16.3 mm, 46.5 mm]},\n"
                       "    length: 8.74 mm}\n");
    CHECK(highest_rise(&w, 200, NULL) < 1e-3);
    world_end(&w);
}

static double in_spring(const World *w) {
    double p[7], angle;
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "box"), p);
    angle = 2 * atan2(sqrt(p[4] * p[4] + p[5] * p[5] + p[6] * p[6]), fabs(p[3]));
    return 0.5 * 100 * angle * angle;
}

// The spring turns the box back and forth in about one step.
TEST(a_spring_that_the_step_does_not_resolve_gives_no_energy) {
    TestRandom r = {9};
    double worst = 0;
    for (int i = 0; i < 20; i++) {
        double x[3], h = pow(10, test_random(&r, -3, -1.5));
        for (int k = 0; k < 3; k++)
            x[k] = test_random(&r, -1, 1);
        World w = world_of(
            "lithe: 1\n"
            "gravity: none\n"
            "time: {step: %g, end: 1000 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 10 MPa, density: 1000}}\n"
            "bodies: {box: {material: m, shape: {box: {size: [0.1, 0.06, 0.03]}},\n"
            "  spin: [%g, %g, %g]}}\n"
            "constraints: {c: {kind: hinge-spring, a: world, b: box, bend-stiffness: 100,\n"
            "  twist-stiffness: 100}}\n",
            h, 200 * x[0], 200 * x[1], 200 * x[2]);
        worst = fmax(worst, highest_rise(&w, 100, in_spring));
        world_end(&w);
    }
    CHECK(worst < 1e-3);
}

// A step that is far too long stretches the rope by a tenth. It pulls back, but it may give no
// energy: only an error that a constraint begins with does work.
LONG_TEST(a_rope_that_a_long_step_stretches_gives_no_energy) {
    for (double h = 0.02; h < 0.5; h *= 2) {
        World w = world_of(
            "lithe: 1\n"
            "gravity: none\n"
            "time: {step: %g, end: 1000 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 1 GPa, density: 300}}\n"
            "bodies:\n"
            "  a: {material: m, shape: {box: {size: [9 cm, 7 cm, 6 cm]}}, at: [-10 cm, 9 cm, 4 "
            "cm],\n"
            "    velocity: [0.5, -0.4, -0.2], spin: [-15, -12, 6]}\n"
            "  b: {material: m, shape: {box: {size: [4 cm, 5 cm, 6 cm]}}, at: [2 cm, 5 cm, -8 "
            "cm],\n"
            "    velocity: [-0.6, -1.3, 2], spin: [-21, 15, 21]}\n"
            "constraints:\n"
            "  c: {kind: rope, a: {on: a, at: [4 cm, 0, 3 cm]}, b: {on: b, at: [0, 2 cm, 0]},\n"
            "    length: 18 cm}\n",
            h);
        CHECK(highest_rise(&w, 100, NULL) < 1e-3);
        world_end(&w);
    }
}

// The offset of the attachment is an arm on the end of a thin rod, whose inertia is tiny: the arm
// turns over in a few steps and leaves an error. Its correction may give no energy (T24).
LONG_TEST(an_attachment_far_from_a_thin_rod_gives_no_energy) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 356 us, end: 1 s, scheme: tr-bdf2}\n"
                       "materials: {m: {young: 100 MPa, poisson: 0.42, density: 1600}}\n"
                       "rods:\n"
                       "  heavy: {material: m, section: {circle: {radius: 1.84 mm}}, nodes: 15,\n"
                       "    shape: {line: {from: [-16.4 mm, 12.3 mm, 94.7 mm],\n"
                       "      to: [-22.9 mm, 15.3 mm, 5.5 mm]}},\n"
                       "    velocity: [0.56, -0.39, -0.65], spin: [-80.8, -18.1, 57.5]}\n"
                       "  light: {material: m, section: {circle: {radius: 0.17 mm}}, nodes: 19,\n"
                       "    shape: {line: {from: [-6.1 mm, 4.3 mm, 26.6 mm],\n"
                       "      to: [5.8 mm, -19.7 mm, 6.1 mm]}}}\n"
                       "constraints:\n"
                       "  arm: {kind: attach, a: 'light[0]', b: 'heavy[7]'}\n"
                       "  foot: {kind: weld, a: 'light[9]', b: {on: world, at: [5.1 mm, -0.4 mm, "
                       "18 mm]}}\n");
    CHECK(highest_rise(&w, 100, NULL) < 1e-3);
    world_end(&w);
}

// Along the rim, the number of contacts of a cylinder changes from one to four and back. Each has
// the full stiffness: the overlap stores more energy from one step to the next.
LONG_TEST(a_cylinder_that_rolls_on_its_rim_gains_no_energy) {
    TestRandom r = {3};
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        double x[9];
        for (int k = 0; k < 9; k++)
            x[k] = test_random(&r, -1, 1);
        World w =
            world_of("lithe: 1\n"
                     "time: {step: 0.3 ms, end: 100 s, scheme: tr-bdf2}\n"
                     "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1500, friction: 0.3,\n"
                     "  contact: {stiffness: 3.4e4, dissipation: 0}}}\n"
                     "bodies:\n"
                     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                     "  can: {material: m, shape: {cylinder: {radius: 22 mm, length: 37 mm}},\n"
                     "    at: [0, 0, 0.04], rotate: [%g, %g, %g], velocity: [%g, %g, -2],\n"
                     "    spin: [%g, %g, %g]}\n",
                     2 * x[0], 2 * x[1], x[2], 2 * x[3], 2 * x[4], 40 * x[6], 40 * x[7], 40 * x[8]);
        worst = fmax(worst, highest_rise(&w, 300, in_overlaps));
        world_end(&w);
    }
    CHECK(worst < 1e-3);
}

// Contacts of coarse meshes that overlap deeply come and go from step to step, with all the energy
// that their overlap stores.
LONG_TEST(meshes_thrown_at_each_other_gain_no_energy) {
    static const char frustum[] =
        "{mesh: {points: [[-0.08, -0.06, -0.05], [0.08, -0.06, -0.05], [0.08, 0.06, -0.05], "
        "[-0.08, 0.06, -0.05], [-0.03, -0.02, 0.05], [0.03, -0.02, 0.05], [0.03, 0.02, 0.05], "
        "[-0.03, 0.02, 0.05]], triangles: [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], "
        "[0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]}}";
    TestRandom r = {2};
    double worst = 0;
    for (int i = 0; i < 15; i++) {
        double x[9];
        for (int k = 0; k < 9; k++)
            x[k] = test_random(&r, -1, 1);
        World w = world_of("lithe: 1\n"
                           "gravity: none\n"
                           "time: {step: 0.6 ms, end: 100 s, scheme: tr-bdf2}\n"
                           "materials: {m: {young: 1 MPa, density: 800, friction: 0.2,\n"
                           "  contact: {stiffness: 1e5, dissipation: 0}}}\n"
                           "bodies:\n"
                           "  a: {material: m, shape: %s, spin: [%g, %g, %g]}\n"
                           "  b: {material: m, shape: %s, at: [0.25, 0, 0], rotate: [%g, %g, %g],\n"
                           "    velocity: [-5, 0, 0], spin: [%g, %g, %g]}\n",
                           frustum, 20 * x[0], 20 * x[1], 20 * x[2], frustum, 3 * x[3], 3 * x[4],
                           3 * x[5], 20 * x[6], 20 * x[7], 20 * x[8]);
        worst = fmax(worst, highest_rise(&w, 250, in_overlaps));
        world_end(&w);
    }
    CHECK(worst < 1e-3);
}

// with the stiffening of deep overlaps (Z5)
static double in_deep_overlaps(const World *w) {
    double sum = 0;
    lithe_overlap_energy(w->model, w->state, w->work, &sum);
    return sum;
}

// Bodies rock and roll in steps that are a thousand times too long: their speeds hardly change, the
// heights of their centres and their overlaps do.
LONG_TEST(bodies_that_rock_in_long_steps_gain_no_energy) {
    TestRandom r = {6};
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        double x[9];
        for (int k = 0; k < 9; k++)
            x[k] = test_random(&r, -1, 1);
        World w = world_of(
            "lithe: 1\n"
            "time: {step: 0.146, end: 100 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 0.2 MPa, poisson: 0.43, density: 2478, friction: 0.74}}\n"
            "bodies:\n"
            "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
            "  egg: {material: m, shape: {ellipsoid: {size: [19 mm, 11 mm, 14 mm]}},\n"
            "    at: [0, 0, 15 mm], rotate: [%g, %g, %g], spin: [%g, %g, %g]}\n"
            "  box: {material: m, shape: {box: {size: [39 mm, 13 mm, 20 mm]}},\n"
            "    at: [10 mm, 5 mm, 45 mm], rotate: [%g, %g, %g]}\n",
            2 * x[0], 2 * x[1], 2 * x[2], 40 * x[3], 40 * x[4], 40 * x[5], 2 * x[6], 2 * x[7],
            2 * x[8]);
        worst = fmax(worst, highest_rise(&w, 100, in_deep_overlaps));
        world_end(&w);
    }
    CHECK(worst < 1e-3);
}

// In steps that are a thousand times too long things are pressed into each other until they could
// only rise: such an overlap has energy from nothing, which may not lift them. Then the run stops
// (T25).
LONG_TEST(things_thrown_together_in_endless_steps_gain_no_energy) {
    TestRandom r = {8};
    double worst = 0;
    for (int i = 0; i < 10; i++) {
        double x[9];
        for (int k = 0; k < 9; k++)
            x[k] = test_random(&r, -1, 1);
        World w = world_of(
            "lithe: 1\n"
            "time: {step: 0.5, end: 1000 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 8 GPa, poisson: 0.37, density: 2000, friction: 0.4}}\n"
            "bodies:\n"
            "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
            "  box: {material: m, shape: {box: {size: [0.2, 0.09, 0.12]}}, at: [0, 0, 0.3],\n"
            "    velocity: [%g, %g, -2], spin: [%g, %g, %g]}\n"
            "rods:\n"
            "  a: {material: m, section: {circle: {radius: 12 mm}}, nodes: 8,\n"
            "    shape: {line: {from: [0.1, -0.3, 0.1], to: [-0.1, 0.3, 0.2]}}}\n"
            "  b: {material: m, section: {circle: {radius: 4 mm}}, nodes: 12,\n"
            "    shape: {line: {from: [%g, %g, 0.4], to: [%g, %g, 0.5]}}}\n"
            "constraints:\n"
            "  c: {kind: distance, a: 'a[0]', b: 'b[0]'}\n"
            "  d: {kind: distance, a: 'b[11]', b: box, stiffness: 2e4}\n",
            3 * x[0], 3 * x[1], 20 * x[2], 20 * x[3], 20 * x[4], 0.3 * x[5], 0.3 * x[6], 0.3 * x[7],
            0.3 * x[8]);
        worst = fmax(worst, highest_rise(&w, 40, in_deep_overlaps));
        world_end(&w);
    }
    CHECK(worst < 1e-3);
}

// The guard slows the vibrations of a curved rod that springs open in steps too long to resolve it.
TEST(the_guard_keeps_the_momentum_of_a_free_rod) {
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 5 ms, end: 100 s, scheme: tr-bdf2}\n"
                       "materials: {m: {young: 100 MPa, density: 1000}}\n"
                       "rods:\n"
                       "  a: {material: m, section: {circle: {radius: 5 mm}}, nodes: 21,\n"
                       "    velocity: [2, 1, -3], shape: {helix: {radius: 10 cm, pitch: 10 cm,\n"
                       "    turns: 1.5}}}\n");
    LitheVec3 p0 = lithe_momentum(w.model, w.state);
    LitheVec3 L0 = lithe_angular_momentum(w.model, w.state);
    int32_t calmed = 0;
    double off = 0, turned = 0;
    for (int i = 0; world_step(&w, i < 100) && i < 100; i++) {
        LitheVec3 p = lithe_momentum(w.model, w.state);
        LitheVec3 L = lithe_angular_momentum(w.model, w.state);
        if (w.report.calmed > 0) {
            off = fmax(off, hypot(hypot(p.x - p0.x, p.y - p0.y), p.z - p0.z));
            turned = fmax(turned, hypot(hypot(L.x - L0.x, L.y - L0.y), L.z - L0.z));
        }
        calmed += w.report.calmed;
        p0 = p, L0 = L;
    }
    printf("  %d corrections, momentum changed by %.2g kg m/s, angular momentum by %.2g\n", calmed,
           off, turned);
    CHECK(calmed > 0);
    CHECK(off < 1e-6 * vector_length(p0));
    world_end(&w);
}

// The energy of a stick that stretches as it spins oscillates by the error of the scheme. What the
// guard removes of it must not add up.
LONG_TEST(the_guard_does_not_stop_a_rod_that_spins_freely) {
    static const struct {
        double spin, step, kept;
    } cases[] = {{12.6, 5e-3, 0.99}, {60, 1e-3, 0.95}, {60, 5e-3, 0.8}};
    for (int k = 0; k < 3; k++) {
        World w = world_of(
            "lithe: 1\n"
            "gravity: none\n"
            "time: {step: %g, end: 1000 s, scheme: tr-bdf2}\n"
            "materials: {m: {young: 5 MPa, poisson: 0.49, density: 1100}}\n"
            "rods:\n"
            "  r: {material: m, section: {circle: {radius: 5 mm}}, nodes: 41, spin: [0, 0, %g],\n"
            "    shape: {line: {from: [-20 cm, 0, 0], to: [20 cm, 0, 0]}}}\n",
            cases[k].step, cases[k].spin);
        double before = stored(&w);
        world_step(&w, (int64_t)round(2 / cases[k].step));
        printf("  %g rad/s, steps of %g ms: %.4f of the energy is left\n", cases[k].spin,
               1e3 * cases[k].step, stored(&w) / before);
        CHECK(stored(&w) > cases[k].kept * before);
        world_end(&w);
    }
}

// Things that spin too fast for their step: what the guard removes is not taken from the motion of
// their centres. Single bodies and chains of bodies are turned by other rules.
LONG_TEST(the_guard_keeps_the_linear_momentum_of_free_things) {
#define SPINS "velocity: [1, 0, 5], spin: [20, 10, 30]"
#define BLOCK "mesh: {box: {size: [0.3, 0.2, 0.1], divisions: [3, 2, 1]}}, " SPINS
    static const char *const things[] = {
        "solids: {it: {material: m, " BLOCK "}}",
        "solids: {it: {material: m, law: neo-hookean, " BLOCK "}}",
        "solids: {it: {material: m, mass: consistent, " BLOCK "}}",
        "solids: {it: {material: m, mass: consistent, quadratic: true, " BLOCK "}}",
        "rods: {it: {material: m, section: {circle: {radius: 5 mm}}, nodes: 21, " SPINS
        ", shape: {line: {from: [-0.2, 0, 0], to: [0.2, 0, 0]}}}}"};
    for (size_t k = 0; k < sizeof things / sizeof *things; k++) {
        World w = world_of("lithe: 1\n"
                           "time: {step: 10 ms, end: 1 s, scheme: tr-bdf2}\n"
                           "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000}}\n%s\n",
                           things[k]);
        LitheVec3 p0 = lithe_momentum(w.model, w.state);
        double mass = p0.x, off = 0;
        int32_t calmed = 0;
        for (int i = 1; w.ok && i <= 100; i++) {
            world_step(&w, 1);
            calmed += w.report.calmed;
            LitheVec3 p = lithe_momentum(w.model, w.state);
            off = fmax(off, hypot(hypot(p.x - p0.x, p.y), p.z - p0.z + mass * 9.81 * 0.01 * i));
        }
        printf("  %d of 100 steps corrected, momentum off by %.1e\n", calmed, off / (6 * mass));
        CHECK(calmed > 0);
        CHECK(off < 1e-11 * 6 * mass);
        world_end(&w);
    }
}

// The centre of mass of one particle differs from its position by rounding; so do the velocities.
TEST(the_guard_does_not_turn_a_single_particle) {
    TestRandom r = {4};
    const unsigned char held[3] = {0};
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        double q[3], v[3], mass = pow(10, test_random(&r, -9, 0)), before[3];
        for (int k = 0; k < 3; k++) {
            q[k] = pow(10, test_random(&r, -60, 0));
            before[k] = v[k] = test_random(&r, -1, 1);
        }
        LithePoints points = {
            .count = 1, .stride = 3, .mass = &mass, .mass_stride = 1, .q = q, .v = v, .held = held};
        double energy = lithe_calm_points(&points, 0.5);
        CHECK(fabs(energy) < 1e-20);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, isfinite(v[k]) ? fabs(v[k] - before[k]) : INFINITY);
    }
    CHECK(worst < 1e-12);
}

TEST(the_energy_of_a_stiffening_spring_is_the_integral_of_its_force) {
    const double k = 300, room = 0.02;
    double sum = 0;
    enum { PARTS = 200000 };
    for (int i = 0; i < PARTS; i++) {
        double d = 1.1 * room * (i + 0.5) / PARTS;
        sum += lithe_stiff_force(k, room, d) * 1.1 * room / PARTS;
        if (i % 10000 == 9999)
            CHECK_NEAR(lithe_stiff_energy(k, room, 1.1 * room * (i + 1.0) / PARTS), sum,
                       1e-6 * sum);
    }
    CHECK_NEAR(lithe_stiff_energy(k, INFINITY, 0.1), 0.5 * k * 0.01, 1e-12);
}
