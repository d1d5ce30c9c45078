// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_step.c - stepping rods: conservation, order, determinism, memory, drives

#include "advance/world.h"
#include "math/quat.h"

static World world_begin(void) {
    World w = {.context = lithe_context_create(NULL)};
    w.scene = lithe_scene_create(w.context);
    lithe_scene_set_gravity(w.scene, (LitheVec3){0, 0, 0});
    return w;
}

// a rubber rod of 0.5 m, 1 cm thick
static LitheRodDef rubber(World *w, const char *name) {
    LitheMaterialDef material = lithe_material_def_default();
    material.name = name;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = name;
    rod.material = lithe_scene_add_material(w->scene, &material);
    rod.nodes = 31;
    rod.shape.to = (LitheVec3){0.5, 0, 0};
    return rod;
}

TEST(free_rod_keeps_its_momentum_over_1000_midpoint_steps) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.velocity = (LitheVec3){1, 2, 3};
    rod.spin = (LitheVec3){0, 0, 4};
    rod.natural_curvature2 = 6; // it bends at once
    lithe_scene_add_rod(w.scene, &rod);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));
    Vec3 before = lithe_momentum(w.model, w.state);
    FATAL(world_run(&w, 1000));
    Vec3 after = lithe_momentum(w.model, w.state);
    CHECK_NEAR(v3_distance(before, after) / v3_norm(before), 0, 1e-10);
    world_end(&w);
}

TEST(planar_motion_keeps_angular_momentum_over_1000_midpoint_steps) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.velocity = (LitheVec3){0.3, 0.2, 0};
    rod.spin = (LitheVec3){0, 0, 4};
    rod.director = (LitheVec3){0, 1, 0};
    rod.natural_curvature1 = 6; // towards m1, in the plane
    lithe_scene_add_rod(w.scene, &rod);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));
    double before = lithe_angular_momentum(w.model, w.state).z;
    FATAL(world_run(&w, 1000));
    LitheVec3 after = lithe_angular_momentum(w.model, w.state);
    CHECK_NEAR(after.z / before, 1, 1e-9);
    CHECK_NEAR(hypot(after.x, after.y) / before, 0, 1e-9);
    world_end(&w);
}

// largest change of angular momentum over 0.2 s of a rod that bends and twists in space
static double angular_drift(double step) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.spin = (LitheVec3){3, 1, 2};
    rod.natural_curvature1 = 4;
    rod.twist = 3;
    lithe_scene_add_rod(w.scene, &rod);
    double worst = NAN;
    if (world_compile(&w, LITHE_SCHEME_MIDPOINT, step, 1)) {
        Vec3 before = lithe_angular_momentum(w.model, w.state);
        worst = 0;
        for (double t = 0; t < 0.2 - 0.5 * step; t += step) {
            if (!world_run(&w, 1))
                return NAN;
            Vec3 now = lithe_angular_momentum(w.model, w.state);
            worst = fmax(worst, v3_distance(before, now) / v3_norm(before));
        }
    }
    world_end(&w);
    return worst;
}

LONG_TEST(angular_momentum_error_of_spatial_twisting_falls_as_the_step_squared) {
    double a = angular_drift(4e-4), b = angular_drift(2e-4), c = angular_drift(1e-4);
    printf("  spatial angular momentum error %.3g, %.3g, %.3g: orders %.2f, %.2f\n", a, b, c,
           log2(a / b), log2(b / c));
    CHECK_NEAR(log2(b / c), 2, 0.3);
}

// tip of a released cantilever after 0.2 s
static Vec3 tip(LitheScheme scheme, double step) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.nodes = 12;
    rod.clamp_start = true;
    lithe_scene_add_rod(w.scene, &rod);
    lithe_scene_set_gravity(w.scene, (LitheVec3){0, 0, -9.81});
    Vec3 out = {NAN, NAN, NAN};
    if (world_compile(&w, scheme, step, 1) && world_run(&w, (int)lround(0.2 / step)))
        out = v3_load(lithe_rod_q(w.model, w.state, (LitheRodId){1}) + 4 * 11);
    world_end(&w);
    return out;
}

LONG_TEST(schemes_converge_at_their_order) {
    Vec3 exact = tip(LITHE_SCHEME_MIDPOINT, 2.5e-5);
    double e1 = v3_distance(tip(LITHE_SCHEME_BACKWARD_EULER, 1e-3), exact);
    double e2 = v3_distance(tip(LITHE_SCHEME_BACKWARD_EULER, 5e-4), exact);
    CHECK_NEAR(log2(e1 / e2), 1, 0.2);
    double m1 = v3_distance(tip(LITHE_SCHEME_MIDPOINT, 4e-4), exact);
    double m2 = v3_distance(tip(LITHE_SCHEME_MIDPOINT, 2e-4), exact);
    CHECK_NEAR(log2(m1 / m2), 2, 0.3);
    double s1 = v3_distance(tip(LITHE_SCHEME_SYMPLECTIC, 4e-4), exact);
    double s2 = v3_distance(tip(LITHE_SCHEME_SYMPLECTIC, 2e-4), exact);
    CHECK_NEAR(log2(s1 / s2), 1, 0.3);
}

// several rods of different kinds, with every feature used
static void add_crowd(World *w) {
    // no contacts, since these rods overlap; test_touch_bits.c has some
    LitheContactDef contact = lithe_contact_def_default();
    contact.enabled = false;
    lithe_scene_set_contact(w->scene, &contact);
    lithe_scene_set_gravity(w->scene, (LitheVec3){0, 1, -9.81});
    const char *names[6] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < 6; i++) {
        LitheRodDef rod = rubber(w, names[i]);
        rod.shape.at = (LitheVec3){0, 0.1 * i, 0};
        rod.section.kind = i % 3;
        rod.section.width = 0.02;
        rod.section.height = 0.004;
        rod.nodes = 20 + 7 * i;
        rod.twist = i < 4 ? i : 0;
        rod.clamp_start = i % 2;
        rod.drag_normal = 0.1 * i;
        rod.drag_tangent = 0.05;
        if (i >= 4) {
            rod.shape.kind = LITHE_SHAPE_RING;
            rod.shape.radius = 0.1;
            rod.clamp_start = false;
        }
        LitheRodId id = lithe_scene_add_rod(w->scene, &rod);
        if (i == 0) {
            LitheDriveDef drive = lithe_drive_def_default();
            drive.name = "pull";
            drive.place.thing = lithe_thing_rod(id);
            drive.place.node = -1;
            drive.direction = (LitheVec3){0, 0, 1};
            drive.motion.amplitude = 0.05;
            drive.motion.frequency = 3;
            drive.stiffness = 100;
            lithe_scene_add_drive(w->scene, &drive);
        }
    }
}

static uint64_t crowd_hash(int threads, bool drop) {
    World w = world_begin();
    add_crowd(&w);
    uint64_t hash = 0;
    if (world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 2e-3, threads)) {
        for (int i = 0; i < 60; i++) {
            if (drop) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, threads);
            }
            CHECK(world_run(&w, 1));
        }
        hash = lithe_state_hash(w.state);
    }
    world_end(&w);
    return hash;
}

TEST(same_bits_for_every_thread_count_and_with_work_dropped_every_step) {
    uint64_t one = crowd_hash(1, false);
    CHECK(one != 0);
    CHECK(crowd_hash(1, false) == one);
    CHECK(crowd_hash(2, false) == one);
    CHECK(crowd_hash(3, false) == one);
    CHECK(crowd_hash(1, true) == one);
    CHECK(crowd_hash(2, true) == one);
}

TEST(a_step_allocates_nothing_after_warm_up) {
    World w = world_begin();
    add_crowd(&w);
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 2e-3, 2));
    LitheState *start = lithe_state_copy(w.state);
    FATAL(world_run(&w, 20));
    lithe_state_set(w.state, lithe_state_data(start));
    int64_t before = lithe_context_alloc_count(w.context);
    FATAL(world_run(&w, 20));
    CHECK(lithe_context_alloc_count(w.context) == before);
    lithe_state_destroy(start);
    world_end(&w);
}

TEST(memory_stays_below_4_KiB_per_node) {
    for (int closed = 0; closed < 2; closed++) {
        World w = world_begin();
        LitheRodDef rod = rubber(&w, "rod");
        rod.nodes = 2000;
        rod.section.radius = 1e-4;
        if (closed) {
            rod.shape.kind = LITHE_SHAPE_RING;
            rod.shape.radius = 1;
        }
        lithe_scene_add_rod(w.scene, &rod);
        FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 1e-3, 1));
        FATAL(world_run(&w, 1));
        double bytes = (double)lithe_context_peak_bytes(w.context) / 2000;
        printf("  %s rod: %.0f bytes per node\n", closed ? "closed" : "open", bytes);
        CHECK(bytes < 4096);
        world_end(&w);
    }
}

TEST(scratch_that_a_rod_does_not_need_takes_no_memory) {
    enum { NODES = 2000 };
    static const LitheScheme schemes[] = {LITHE_SCHEME_BACKWARD_EULER, LITHE_SCHEME_BACKWARD_EULER,
                                          LITHE_SCHEME_MIDPOINT};
    double bytes[3] = {0};
    for (int k = 0; k < 3; k++) {
        World w = world_begin();
        LitheRodDef rod = rubber(&w, "rod");
        rod.nodes = NODES;
        rod.section.radius = 1e-4;
        rod.drag_normal = k == 1 ? 0.1 : 0;
        lithe_scene_add_rod(w.scene, &rod);
        FATAL(world_compile(&w, schemes[k], 1e-3, 1));
        bytes[k] = (double)lithe_context_bytes(w.context) / NODES;
        world_end(&w);
    }
    CHECK_NEAR(bytes[1] - bytes[0], 48, 1); // six numbers of drag
    CHECK_NEAR(bytes[2] - bytes[0], 32, 1); // a director and a twist of the anchor that moves
}

TEST(backward_euler_never_gains_energy_without_work) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.clamp_start = true;
    lithe_scene_add_rod(w.scene, &rod);
    lithe_scene_set_gravity(w.scene, (LitheVec3){0, 0, -9.81});
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 2e-3, 1));
    double last = INFINITY, first = 0, gain = 0;
    for (int i = 0; i < 300; i++) {
        FATAL(world_run(&w, 1));
        LitheEnergy e = lithe_energy(w.model, w.state);
        double now = e.kinetic + e.elastic + e.gravity;
        if (i == 0)
            first = e.kinetic + fabs(e.gravity) + 1e-3;
        gain = fmax(gain, now - last);
        last = now;
    }
    CHECK(gain <= 1e-9 * first);
    world_end(&w);
}

LONG_TEST(energy_books_balance_with_damping_drag_and_drives) {
    // the midpoint rule dissipates nothing: missing energy must be in the accounts
    World w = world_begin();
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "m";
    material.damping_mass = 2;
    material.damping_stiffness = 1e-3;
    LitheRodDef rod = rubber(&w, "rod");
    rod.material = lithe_scene_add_material(w.scene, &material);
    rod.drag_normal = 0.05;
    rod.drag_tangent = 0.02;
    rod.twist = 2;
    LitheRodId id = lithe_scene_add_rod(w.scene, &rod);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "shake";
    drive.place.thing = lithe_thing_rod(id);
    drive.direction = (LitheVec3){0, 0, 1};
    drive.motion.amplitude = 0.05;
    drive.motion.frequency = 3;
    drive.stiffness = 50;
    drive.damping = 0.1;
    lithe_scene_add_drive(w.scene, &drive);
    LitheForceDef force = lithe_force_def_default();
    force.name = "push";
    force.place.thing = lithe_thing_rod(id);
    force.place.node = -1;
    force.force = (LitheVec3){0, 0.05, 0};
    force.moment = (LitheVec3){1e-4, 0, 0};
    lithe_scene_add_force(w.scene, &force);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 2e-4, 1));
    LitheEnergy e0 = lithe_energy(w.model, w.state);
    FATAL(world_run(&w, 2500));
    LitheEnergy e = lithe_energy(w.model, w.state);
    double stored = e.kinetic + e.elastic - e0.kinetic - e0.elastic;
    CHECK(e.dissipated > 0.1 * fabs(e.work));
    CHECK_NEAR((stored + e.dissipated) / e.work, 1, 5e-3);
    world_end(&w);
}

// relative error of the energy account of a rod that curls, midpoint
static double curl_account(double step) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    LitheRodId id = lithe_scene_add_rod(w.scene, &rod);
    LitheNaturalDriveDef curl = lithe_natural_drive_def_default();
    curl.name = "curl";
    curl.rod = id;
    curl.curvature1 = 10;
    curl.twist = 5;
    curl.stretch = 0.02;
    curl.profile.value = 0;
    curl.profile.rate = 4;
    lithe_scene_add_natural_drive(w.scene, &curl);
    double error = NAN;
    if (world_compile(&w, LITHE_SCHEME_MIDPOINT, step, 1) &&
        world_run(&w, (int)lround(0.2 / step))) {
        LitheEnergy e = lithe_energy(w.model, w.state);
        error = fabs(e.kinetic + e.elastic - e.work) / e.work;
    }
    world_end(&w);
    return error;
}

TEST(work_of_a_changing_natural_state_is_booked_to_second_order) {
    double a = curl_account(4e-4), b = curl_account(2e-4);
    printf("  curling rod: energy account off by %.2g, then %.2g\n", a, b);
    CHECK(b < 1e-3);
    CHECK_NEAR(log2(a / b), 2, 0.3);
}

TEST(twist_has_no_limit) {
    // a straight rod turned by 30 turns at one end carries GJ Theta/L
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.section.kind = LITHE_SECTION_STIFFNESS;
    rod.section.EA = 1e4;
    rod.section.EI1 = rod.section.EI2 = 10;
    rod.section.GJ = 1e-4;
    rod.section.mass_per_length = 0.1;
    rod.clamp_start = rod.clamp_end = false;
    LitheRodId id = lithe_scene_add_rod(w.scene, &rod);
    LitheHoldDef hold = lithe_hold_def_default();
    hold.name = "hold";
    hold.place.thing = lithe_thing_rod(id);
    hold.bits = LITHE_HOLD_CLAMP;
    lithe_scene_add_hold(w.scene, &hold);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "turn";
    drive.place.thing = lithe_thing_rod(id);
    drive.place.node = -1;
    drive.kind = LITHE_DRIVE_CLAMP;
    drive.direction = (LitheVec3){1, 0, 0};
    drive.turn.rate = 2 * M_PI * 30;
    lithe_scene_add_drive(w.scene, &drive);
    FATAL(world_compile(&w, LITHE_SCHEME_STATIC, 0.04, 1)); // 1.2 turns per step
    FATAL(world_run(&w, 25));
    double torque[31]; // the clamps are the midpoints of the end edges, 0.5 m apart
    lithe_rod_torque(w.model, w.state, id, torque);
    double expected = 1e-4 * 2 * M_PI * 30 / 0.5;
    CHECK_NEAR(torque[15] / expected, 1, 1e-9);
    CHECK_NEAR(lithe_drive_torque(w.model, w.state, (LitheDriveId){1}) / expected, 1, 1e-9);
    world_end(&w);
}

LONG_TEST(a_turned_clamp_carries_its_frame_along) {
    // rotate the only clamp of a free-hanging rod by 3 full turns about z: rigid rotation
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.section.kind = LITHE_SECTION_RECTANGLE;
    rod.section.width = 0.02;
    rod.section.height = 0.005;
    rod.director = (LitheVec3){0, 0, 1};
    rod.nodes = 6;
    LitheRodId id = lithe_scene_add_rod(w.scene, &rod);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "turn";
    drive.place.thing = lithe_thing_rod(id);
    drive.kind = LITHE_DRIVE_CLAMP;
    drive.direction = (LitheVec3){1, 0, 0};
    drive.axis = (LitheVec3){0.6, 0, 0.8};
    drive.turn.rate = 2 * M_PI * 3;
    lithe_scene_add_drive(w.scene, &drive);
    FATAL(world_compile(&w, LITHE_SCHEME_STATIC, 0.01, 1));
    double before[15], after[15];
    lithe_rod_directors(w.model, w.state, id, before);
    FATAL(world_run(&w, 100));
    lithe_rod_directors(w.model, w.state, id, after);
    for (int i = 0; i < 15; i++)
        CHECK_NEAR(after[i], before[i], 1e-8);
    double tension[5];
    lithe_rod_tension(w.model, w.state, id, tension);
    CHECK_NEAR(lithe_energy(w.model, w.state).elastic, 0, 1e-12);
    world_end(&w);
}

TEST(a_number_that_is_not_finite_stops_the_run_and_leaves_the_state) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "lace");
    lithe_scene_add_rod(w.scene, &rod);
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 1e-3, 1));
    FATAL(world_run(&w, 3));
    lithe_rod_v_writable(w.model, w.state, (LitheRodId){1})[40] = NAN;
    uint64_t before = lithe_state_hash(w.state);
    LitheError error = {0};
    CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, "rod 'lace'");
    CHECK_TEXT(error.text, "t = 0.003 s");
    CHECK(lithe_state_hash(w.state) == before);
    world_end(&w);
}

TEST(too_few_iterations_are_reported_not_hidden) {
    World w = world_begin();
    LitheRodDef rod = rubber(&w, "rod");
    rod.natural_curvature1 = 20;
    lithe_scene_add_rod(w.scene, &rod);
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 0.05, 1));
    lithe_work_destroy(w.work);
    lithe_state_destroy(w.state);
    lithe_model_destroy(w.model);
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = 0.05;
    time.max_iterations = 1;
    lithe_scene_set_time(w.scene, &time);
    FATAL(lithe_compile(w.scene, &w.model, &w.state, NULL) == LITHE_OK);
    w.work = lithe_work_create(w.model, 1);
    LitheReport report;
    FATAL(lithe_step(w.model, w.state, w.work, &report, NULL) == LITHE_OK);
    CHECK(report.bodies_unconverged == 1);
    CHECK(report.residual > 1e-9);
    CHECK(report.worst_rod.number == 1);
    CHECK(report.worst.kind == LITHE_THING_ROD && report.worst.number == 1);
    world_end(&w);
}

TEST(allocation_failures_in_compile_and_work_leak_nothing) {
    int64_t n = 1;
    for (bool failed = true; failed && n < 1000; n++) {
        World w = world_begin();
        add_crowd(&w);
        failed = world_compile_fails(&w, n, 2);
        world_end(&w);
    }
    CHECK(n > 100 && n < 1000);
}
