// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_pose_drive.c - a frame follows a path, through the public calls

#include "advance/world.h"
#include "math/quat.h"

static bool world_begin(World *w) {
    *w = (World){.context = lithe_context_create(NULL)};
    w->scene = lithe_scene_create(w->context);
    LitheRobotDef robot = lithe_robot_def_default();
    robot.name = "arm";
    robot.path = LITHE_SOURCE_DIR "/scenes/robots/arm7.urdf";
    LitheError error;
    return lithe_scene_add_robot(w->scene, &robot, &error) == LITHE_OK;
}

// the ids of bodies and joints count in the order of the file: the base is 1
enum { LINK3 = 4, HAND = 9, POINTS = 64 };

/// From the stretched arm down to a circle of 0.1 m radius, the hand pointing down and turning
/// about its axis; the circle begins after 3 s and takes 3 s: 0.21 m/s.
typedef struct Path {
    double times[POINTS];
    Vec3 at[POINTS];
    Quat turn[POINTS];
    int32_t count;
} Path;

static void add_point(Path *path, double time, Vec3 at, Quat turn) {
    path->times[path->count] = time;
    path->at[path->count] = at;
    path->turn[path->count++] = turn;
}

static Path make_path(void) {
    Path path = {.count = 0};
    Quat down = q4_axis_angle(v3(0, 1, 0), M_PI);
    add_point(&path, 0, v3(0, 0, 1.18), q4_identity());
    add_point(&path, 1, v3(0.35, 0, 0.95), q4_axis_angle(v3(0, 1, 0), 0.5 * M_PI));
    for (int i = 0; i <= 48; i++) {
        double a = 2 * M_PI * i / 48;
        Quat twist = q4_axis_angle(v3(0, 0, 1), 0.5 * sin(a));
        add_point(&path, 3 + 3.0 * i / 48, v3(0.5 + 0.1 * cos(a), 0.1 * sin(a), 0.35),
                  q4_mul(twist, down));
    }
    return path;
}

static Quat path_turn(const Path *path, double time, Vec3 *at) {
    int32_t i = 0;
    while (i + 2 < path->count && path->times[i + 1] < time)
        i++;
    double s = (time - path->times[i]) / (path->times[i + 1] - path->times[i]);
    s = fmin(s, 1);
    *at = v3_axpy(s, v3_sub(path->at[i + 1], path->at[i]), path->at[i]);
    Quat between = q4_mul(q4_conj(path->turn[i]), path->turn[i + 1]);
    return q4_mul(path->turn[i], q4_exp(v3_scale(s, q4_log(between))));
}

static LithePoseDriveDef make_drive(const Path *path) {
    LithePoseDriveDef drive = lithe_pose_drive_def_default();
    drive.name = "draw";
    drive.body = (LitheBodyId){HAND};
    drive.times = path->times;
    drive.positions = path->at;
    drive.rotations = path->turn;
    drive.count = path->count;
    return drive;
}

static bool compile(World *w, LitheScheme scheme, double step) {
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = scheme;
    time.step = step;
    time.end = 100;
    lithe_scene_set_time(w->scene, &time);
    // fingers are held by stiff springs, so that they do not slide
    for (int i = 0; i < 2; i++) {
        LitheActuatorDef grip = lithe_actuator_def_default();
        grip.name = i ? "right" : "left";
        grip.joint = (LitheJointId){9 + i};
        grip.kind = LITHE_ACTUATOR_POSITION;
        grip.stiffness = 1e4;
        grip.damping = 10;
        lithe_scene_add_actuator(w->scene, &grip);
    }
    LitheError error;
    if (lithe_compile(w->scene, &w->model, &w->state, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return false;
    }
    w->work = lithe_work_create(w->model, 1);
    return w->work != NULL;
}

static bool step(World *w) {
    LitheError error;
    LitheReport report;
    if (lithe_step(w->model, w->state, w->work, &report, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return false;
    }
    return report.bodies_unconverged == 0;
}

typedef struct Miss {
    double distance, angle; // largest, after the circle has begun [m], [rad]
    double fastest;         // max joint speed over its limit
} Miss;

static void add_speeds(const World *w, Miss *miss) {
    const double limits[7] = {2.2, 2.2, 2.2, 2.2, 2.6, 2.6, 2.6};
    for (int j = 0; j < 7; j++) {
        char name[32];
        snprintf(name, sizeof name, "arm/joint%d", j + 1);
        LitheJointId id = lithe_joint_find(w->model, name);
        double v = *lithe_joint_velocity(w->model, w->state, id);
        miss->fastest = fmax(miss->fastest, fabs(v) / limits[j]);
    }
}

static bool follow(World *w, const Path *path, double h, Miss *miss) {
    *miss = (Miss){0};
    LitheBodyId hand = lithe_body_find(w->model, "arm/hand");
    for (int i = 1; i <= (int)lround(6 / h); i++) {
        if (!step(w))
            return false;
        double pose[7];
        lithe_body_pose(w->model, w->state, hand, pose);
        add_speeds(w, miss);
        if (i * h < 3)
            continue;
        Vec3 at;
        Quat turn = path_turn(path, i * h, &at);
        Quat off = q4_mul(q4_conj(turn), (Quat){pose[3], pose[4], pose[5], pose[6]});
        miss->distance = fmax(miss->distance, v3_distance(at, v3_load(pose)));
        miss->angle = fmax(miss->angle, v3_norm(q4_log(q4_unit(off))));
    }
    return true;
}

static const double half_degree = 0.5 * M_PI / 180;

LONG_TEST(an_arm_follows_a_path_of_positions_and_rotations_exactly) {
    const LitheScheme schemes[] = {LITHE_SCHEME_BACKWARD_EULER, LITHE_SCHEME_MIDPOINT};
    for (int k = 0; k < 2; k++) {
        Path path = make_path();
        World w;
        FATAL(world_begin(&w));
        LithePoseDriveDef drive = make_drive(&path);
        lithe_scene_add_pose_drive(w.scene, &drive);
        Miss miss;
        FATAL(compile(&w, schemes[k], 2e-3) && follow(&w, &path, 2e-3, &miss));
        printf("  exact, scheme %d: %.3g m, %.3g rad, speed %.3g of the limit\n", k, miss.distance,
               miss.angle, miss.fastest);
        CHECK(miss.distance < 1e-6);
        CHECK(miss.angle < 1e-6);
        CHECK(miss.fastest <= 1 + 1e-9);
        world_end(&w);
    }
}

LONG_TEST(stiff_springs_follow_within_5_mm_although_efforts_are_limited) {
    Path path = make_path();
    World w;
    FATAL(world_begin(&w));
    LithePoseDriveDef drive = make_drive(&path);
    drive.stiffness = 1e5;
    drive.joint_damping = 1e3;
    drive.posture = 0.1;
    lithe_scene_add_pose_drive(w.scene, &drive);
    Miss miss;
    FATAL(compile(&w, LITHE_SCHEME_BACKWARD_EULER, 1e-3) && follow(&w, &path, 1e-3, &miss));
    printf("  springs: %.3g m, %.3g rad\n", miss.distance, miss.angle);
    CHECK(miss.distance < 5e-3);
    CHECK(miss.angle < half_degree);
    CHECK(miss.distance > 1e-6); // springs are compliant
    world_end(&w);
}

LONG_TEST(bits_are_the_same_with_work_dropped_every_step_and_after_a_restart) {
    Path path = make_path();
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        World w;
        FATAL(world_begin(&w));
        LithePoseDriveDef drive = make_drive(&path);
        drive.stiffness = 2e3;
        drive.joint_damping = 50;
        drive.posture = 0.5;
        lithe_scene_add_pose_drive(w.scene, &drive);
        FATAL(compile(&w, LITHE_SCHEME_MIDPOINT, 5e-3));
        for (int i = 0; i < 400; i++) {
            FATAL(step(&w));
            if (k == 1) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, 1);
            }
            if (k == 2 && i == 200) {
                LitheState *copy = lithe_state_copy(w.state);
                FATAL(step(&w) && step(&w));
                lithe_state_set(w.state, lithe_state_data(copy));
                lithe_state_destroy(copy);
            }
        }
        hash[k] = lithe_state_hash(w.state);
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

TEST(steps_with_a_pose_drive_take_no_memory) {
    Path path = make_path();
    World w;
    FATAL(world_begin(&w));
    LithePoseDriveDef drive = make_drive(&path);
    drive.stiffness = 2e3;
    lithe_scene_add_pose_drive(w.scene, &drive);
    FATAL(compile(&w, LITHE_SCHEME_MIDPOINT, 5e-3));
    LitheState *start = lithe_state_copy(w.state);
    for (int i = 0; i < 100; i++)
        FATAL(step(&w));
    lithe_state_set(w.state, lithe_state_data(start));
    lithe_context_fail_at(w.context, 1); // the first request would fail
    for (int i = 0; i < 100; i++)
        FATAL(step(&w));
    lithe_state_destroy(start);
    lithe_context_fail_at(w.context, 0);
    world_end(&w);
}

TEST(a_pose_out_of_reach_leaves_the_arm_stretched_towards_it) {
    Path path = {.count = 0};
    add_point(&path, 0, v3(0, 0, 1.18), q4_identity());
    add_point(&path, 1, v3(2, 0, 0.5), q4_axis_angle(v3(0, 1, 0), 0.5 * M_PI));
    World w;
    FATAL(world_begin(&w));
    LithePoseDriveDef drive = make_drive(&path);
    lithe_scene_add_pose_drive(w.scene, &drive);
    FATAL(compile(&w, LITHE_SCHEME_BACKWARD_EULER, 5e-3));
    Miss miss;
    FATAL(follow(&w, &path, 5e-3, &miss));
    CHECK(miss.fastest <= 1 + 1e-9);
    double pose[7];
    lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "arm/hand"), pose);
    // shoulder at 0.32 m, 0.86 m from there to the hand
    CHECK(v3_distance(v3_load(pose), v3(0, 0, 0.32)) > 0.8);
    CHECK(pose[0] > 0.7 && fabs(pose[1]) < 0.05);
    world_end(&w);
}

static void refuse(World *w, LitheBodyId body, LitheJointId joint, const char *text) {
    Path path = make_path();
    LithePoseDriveDef drive = make_drive(&path);
    drive.body = body;
    drive.name = "second";
    if (joint.number > 0) {
        LitheActuatorDef motor = lithe_actuator_def_default();
        motor.name = "motor";
        motor.joint = joint;
        lithe_scene_add_actuator(w->scene, &motor);
    }
    lithe_scene_add_pose_drive(w->scene, &drive);
    LitheError error = {0};
    CHECK(lithe_compile(w->scene, &w->model, &w->state, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, text);
}

TEST(clashes_are_refused_by_name) {
    World w;
    FATAL(world_begin(&w));
    refuse(&w, (LitheBodyId){HAND}, (LitheJointId){3},
           "pose drive 'second': joint 'arm/joint3' is driven already by actuator 'motor'");
    world_end(&w);

    FATAL(world_begin(&w));
    Path path = make_path();
    LithePoseDriveDef first = make_drive(&path);
    lithe_scene_add_pose_drive(w.scene, &first);
    refuse(&w, (LitheBodyId){LINK3}, (LitheJointId){0},
           "pose drive 'second': joint 'arm/joint1' is driven already by pose drive 'draw'");
    world_end(&w);

    FATAL(world_begin(&w));
    refuse(&w, (LitheBodyId){1}, (LitheJointId){0}, "body 'arm/base' has no joint with one");
    world_end(&w);
}

TEST(allocation_failures_with_a_pose_drive_leak_nothing) {
    int64_t n = 1;
    for (bool failed = true; failed && n < 1000; n++) {
        World w;
        FATAL(world_begin(&w));
        Path path = make_path();
        LithePoseDriveDef drive = make_drive(&path);
        drive.stiffness = 1;
        lithe_scene_add_pose_drive(w.scene, &drive);
        failed = world_compile_fails(&w, n, 1);
        world_end(&w);
    }
    CHECK(n > 40 && n < 1000);
}

// one pose that the stretched arm goes to within a second, and then holds
static bool add_reach(World *w, Vec3 at, double turn) {
    const double times[] = {0, 1};
    const Vec3 positions[] = {v3(0, 0, 1.18), at};
    const Quat turns[] = {q4_identity(), q4_axis_angle(v3(0, 1, 0), turn)};
    LithePoseDriveDef drive = lithe_pose_drive_def_default();
    drive.name = "reach";
    drive.body = (LitheBodyId){HAND};
    drive.times = times;
    drive.positions = positions;
    drive.rotations = turns;
    drive.count = 2;
    LitheTimeDef time = lithe_time_def_default();
    time.step = 0.01;
    time.end = 1.5;
    lithe_scene_set_time(w->scene, &time);
    return lithe_scene_add_pose_drive(w->scene, &drive);
}

TEST(a_pose_out_of_reach_is_reported_with_its_error) {
    for (int far = 0; far < 2; far++) {
        World w;
        FATAL(world_begin(&w));
        FATAL(add_reach(&w, far ? v3(2.5, 0, 0.3) : v3(0.45, 0, 0.3), M_PI));
        LitheError error;
        LitheReport report = {0};
        FATAL(lithe_compile(w.scene, &w.model, &w.state, &error) == LITHE_OK);
        w.work = lithe_work_create(w.model, 1);
        while (lithe_state_time(w.state) < 1.4)
            FATAL(lithe_step(w.model, w.state, w.work, &report, &error) == LITHE_OK);
        double pose[7];
        lithe_body_pose(w.model, w.state, (LitheBodyId){HAND}, pose);
        double left = v3_distance(v3_load(pose), far ? v3(2.5, 0, 0.3) : v3(0.45, 0, 0.3));
        CHECK(report.poses_missed == far);
        CHECK_NEAR(report.pose_distance, left, 1e-6);
        CHECK(far ? left > 1 : left < 1e-6);
        world_end(&w);
    }
}

static void keep_line(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    if (strstr(text, "pose drive"))
        snprintf(user, 400, "%s", text);
}

TEST(a_run_closes_with_the_paths_that_could_not_be_followed) {
    for (int far = 0; far < 2; far++) {
        char line[400] = "";
        LitheContextDef def = lithe_context_def_default();
        def.log = keep_line;
        def.log_user = line;
        World w = {.context = lithe_context_create(&def)};
        w.scene = lithe_scene_create(w.context);
        LitheRobotDef robot = lithe_robot_def_default();
        robot.name = "arm";
        robot.path = LITHE_SOURCE_DIR "/scenes/robots/arm7.urdf";
        LitheError error;
        FATAL(lithe_scene_add_robot(w.scene, &robot, &error) == LITHE_OK);
        FATAL(add_reach(&w, far ? v3(2.5, 0, 0.3) : v3(0, 0, 1.18), 0));
        LitheRunDef run = lithe_run_def_default();
        LitheSummary summary;
        FATAL(lithe_run(w.scene, &run, &summary, &error) == LITHE_OK);
        if (far) {
            CHECK_TEXT(line, "pose drive 'reach' could not follow its path in ");
            CHECK_TEXT(line, " of 150 steps, first at ");
            CHECK_TEXT(line, " degrees (");
        } else {
            CHECK(line[0] == 0); // the hand stays where it is
        }
        world_end(&w);
    }
}

// --- accounts ------------------------------------------------------------------------------------

// a free body on a path with corners; it also turns, about an axis that is none of its principal
// ones
static bool add_free_body(World *w, bool turns) {
    w->context = lithe_context_create(NULL);
    w->scene = lithe_scene_create(w->context);
    LitheBodyDef body = lithe_body_def_default();
    body.name = "b";
    body.mass = 0.5;
    const double inertia[6] = {1e-3, 2e-3, 2.5e-3};
    memcpy(body.inertia, inertia, sizeof inertia);
    LithePoseDriveDef drive = lithe_pose_drive_def_default();
    drive.name = "p";
    drive.body = lithe_scene_add_body(w->scene, &body);
    const double times[] = {0, 0.2, 0.5};
    const Vec3 positions[] = {v3(0, 0, 0), v3(0.2, 0, 0), v3(0.2, 0.1, turns ? 0.3 : 0)};
    Quat turned = turns ? q4_axis_angle(v3_unit(v3(1, 2, 3)), 1) : q4_identity();
    const Quat rotations[] = {q4_identity(), turned, turned};
    drive.times = times;
    drive.positions = positions;
    drive.rotations = rotations;
    drive.count = 3;
    return lithe_scene_add_pose_drive(w->scene, &drive);
}

static bool compile_free(World *w, LitheScheme scheme) {
    LitheTimeDef time = lithe_time_def_default();
    LitheError error;
    time.scheme = scheme;
    time.step = 0.01;
    lithe_scene_set_time(w->scene, &time);
    bool ok = lithe_compile(w->scene, &w->model, &w->state, &error) == LITHE_OK;
    w->work = ok ? lithe_work_create(w->model, 1) : NULL;
    return w->work != NULL;
}

static double account(const World *w) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    return e.kinetic + e.elastic + e.gravity + e.dissipated - e.work;
}

TEST(work_on_a_free_body_closes_the_account_where_its_velocity_jumps) {
    const LitheScheme schemes[] = {LITHE_SCHEME_TR_BDF2, LITHE_SCHEME_BACKWARD_EULER,
                                   LITHE_SCHEME_MIDPOINT};
    for (int k = 0; k < 6; k++) {
        World w = {0};
        bool turns = k >= 3;
        FATAL(add_free_body(&w, turns) && compile_free(&w, schemes[k % 3]));
        double start = account(&w);
        for (int i = 0; i < 60; i++) {
            FATAL(step(&w));
            LitheEnergy e = lithe_energy(w.model, w.state);
            CHECK_NEAR(account(&w), start, 1e-12);
            // the drive brought the body to 1 m/s in the first step
            if (!turns && i == 10)
                CHECK_NEAR(e.work, 0.25, 1e-12);
        }
        CHECK_NEAR(lithe_energy(w.model, w.state).kinetic, 0, 1e-12);
        world_end(&w);
    }
}

TEST(corners_of_exact_paths_are_reported_with_their_times) {
    char line[400] = "";
    LitheContextDef def = lithe_context_def_default();
    def.log = keep_line;
    def.log_user = line;
    for (int pulled = 0; pulled < 2; pulled++) {
        World w = {.context = lithe_context_create(&def)};
        w.scene = lithe_scene_create(w.context);
        LitheRobotDef robot = lithe_robot_def_default();
        robot.name = "arm";
        robot.path = LITHE_SOURCE_DIR "/scenes/robots/arm7.urdf";
        LitheError error;
        FATAL(lithe_scene_add_robot(w.scene, &robot, &error) == LITHE_OK);
        // the pose in the middle lies on a line, and is no corner
        const double times[] = {0, 0.5, 1};
        const Vec3 positions[] = {v3(0, 0, 1.18), v3(0.05, 0, 1.13), v3(0.1, 0, 1.08)};
        const Quat rotations[] = {q4_identity(), q4_identity(), q4_identity()};
        LithePoseDriveDef drive = lithe_pose_drive_def_default();
        drive.name = "line";
        drive.body = (LitheBodyId){HAND};
        drive.times = times;
        drive.positions = positions;
        drive.rotations = rotations;
        drive.count = 3;
        drive.stiffness = pulled ? 1e4 : 0;
        lithe_scene_add_pose_drive(w.scene, &drive);
        line[0] = 0;
        FATAL(compile(&w, LITHE_SCHEME_TR_BDF2, 0.01));
        if (pulled)
            CHECK(line[0] == 0);
        else
            CHECK_TEXT(line, "pose drive 'line': its velocity jumps at t = 0, 1 s, corners");
        world_end(&w);
    }
}
