// SPDX-License-Identifier: Apache-2.0
// tests/record/test_bodies.c - rigid bodies and joints in recordings, series and pictures

#include "test.h"

#include "lithe/lithe.h"
#include "math/vec3.h"
#include "record/equal_constants.h"
#include "record/equal_groups.h"
#include "record/export.h"
#include "record/picture_bodies.h"
#include "record/series.h"
#include "record/synthetic.h"

#include <hdf5.h>

static const char *const swing =
    "lithe: 1\n"
    "time: {step: 2 ms, end: 40 ms}\n"
    "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3}}\n"
    "bodies:\n"
    "  floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.25]}\n"
    "  arm/upper: {shape: {box: {size: [0.4, 0.1, 0.05]}}, material: wood, at: [0.2, 0, 1]}\n"
    "  arm/lower: {shape: {box: {size: [0.4, 0.1, 0.05]}}, material: wood, at: [0.6, 0, 1]}\n"
    "  bob: {shape: {sphere: {radius: 0.05}}, material: wood, at: [0, 1, 1]}\n"
    "joints:\n"
    "  arm/shoulder: {kind: revolute, child: arm/upper, at: [0, 0, 1], axis: [0, 1, 0], "
    "limits: [-1, 0.01]}\n"
    "  arm/elbow: {kind: revolute, parent: arm/upper, child: arm/lower, at: [0.4, 0, 1], "
    "axis: [0, 1, 0]}\n"
    "  cup: {kind: ball, child: bob, at: [0, 1, 1.3]}\n"
    "record: {every: 10 ms}\n";

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheRecording *recording;
    LitheError error;
    char path[256];
    char log[4096]; // all lines
} Fixture;

static void keep_lines(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    Fixture *f = user;
    size_t length = strlen(f->log);
    snprintf(f->log + length, sizeof f->log - length, "%s\n", text);
}

static LitheStatus begin(Fixture *f, const char *text) {
    memset(f, 0, sizeof *f);
    LitheContextDef context = lithe_context_def_default();
    context.log = keep_lines;
    context.log_user = f;
    f->context = lithe_context_create(&context);
    f->folder = test_folder();
    LitheStatus status = lithe_scene_parse(f->context, text, strlen(text), "a.yaml", NULL, NULL, 0,
                                           &f->scene, &f->error);
    LitheRunDef def = lithe_run_def_default();
    def.out = test_path(&f->folder, "a.h5", f->path);
    LitheSummary summary;
    if (status == LITHE_OK)
        status = lithe_run(f->scene, &def, &summary, &f->error);
    if (status == LITHE_OK)
        status = lithe_recording_open(f->context, f->path, &f->recording, &f->error);
    return status;
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static bool last_row(Fixture *f, const char *path, int64_t count, double *out) {
    const LitheColumn *column = lithe_layout_find(&f->recording->layout, path);
    return column && column->count == count &&
           lithe_recording_read(f->recording, column, f->recording->frame_count - 1, 1, out,
                                &f->error) == LITHE_OK;
}

TEST(poses_and_joints_are_recorded_with_the_bits_of_the_state) {
    Fixture f;
    FATAL(begin(&f, swing) == LITHE_OK);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    FATAL(lithe_compile(f.scene, &model, &state, &f.error) == LITHE_OK);
    LitheWork *work = lithe_work_create(model, 1);
    while (lithe_state_step(state) < 20)
        FATAL(lithe_step(model, state, work, NULL, &f.error) == LITHE_OK);
    double row[7], pose[7];
    lithe_body_pose(model, state, lithe_body_find(model, "arm/lower"), pose);
    FATAL(last_row(&f, "bodies/arm/lower/pose", 7, row));
    CHECK(memcmp(row, pose, sizeof pose) == 0);
    LitheJointId elbow = lithe_joint_find(model, "arm/elbow"), cup = lithe_joint_find(model, "cup");
    FATAL(last_row(&f, "joints/arm/elbow/position", 1, row));
    CHECK(row[0] == *lithe_joint_position(model, state, elbow) && row[0] != 0);
    FATAL(last_row(&f, "joints/arm/elbow/velocity", 1, row));
    CHECK(row[0] == *lithe_joint_velocity(model, state, elbow) && row[0] != 0);
    FATAL(last_row(&f, "joints/cup/position", 4, row));
    CHECK(memcmp(row, lithe_joint_position(model, state, cup), 4 * sizeof(double)) == 0);
    FATAL(last_row(&f, "joints/cup/effort", 3, row));
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    end(&f);
}

TEST(the_lowest_point_of_a_body_is_that_of_its_turned_shapes) {
    // a box on a corner; a capsule and a cylinder, lying and turned by 30 degrees, in one body
    static const char text[] =
        "lithe: 1\ntime: {step: 1 ms, end: 1 ms}\ngravity: none\n"
        "materials: {wood: {young: 1 GPa, density: 500 kg/m^3}}\n"
        "bodies:\n"
        "  floor: {shape: {half-space: {}}, material: wood, fixed: true}\n"
        "  box: {shape: {box: {size: [0.2, 0.2, 0.2]}}, material: wood, at: [0, 0, 1], rotate: "
        "{axis: [1, -1, 0], angle: acos(1/sqrt(3))}}\n"
        "  both: {material: wood, at: [9, 0, 2], rotate: {axis: [0, 1, 0], angle: 30 deg}, shapes: "
        "[{capsule: {radius: 0.1, length: 1}, at: [0, 0, 1], rotate: {axis: [0, 1, 0], angle: 90 "
        "deg}}, {cylinder: {radius: 0.2, length: 1}}]}\n"
        "record: {also: [box.lowest, both.lowest]}\n";
    Fixture f;
    double box = 0, both = 0;
    FATAL(begin(&f, text) == LITHE_OK);
    FATAL(last_row(&f, "bodies/box/lowest", 1, &box));
    FATAL(last_row(&f, "bodies/both/lowest", 1, &both));
    CHECK_NEAR(box, 1 - 0.1 * sqrt(3), 1e-12);
    CHECK_NEAR(both, 2 - 0.5 * cos(M_PI / 6) - 0.2 * 0.5, 1e-12);
    end(&f);
}

TEST(velocities_of_bodies_are_recorded_on_request) {
    char text[4000];
    snprintf(text, sizeof text,
             "%s  also: [arm/lower.velocity, arm/lower.angular_velocity, arm/lower.speed]\n",
             swing);
    char *record = strstr(text, "record: {every: 10 ms}\n");
    FATAL(record != NULL);
    memcpy(record, "record:\n  every: 10 ms\n", 23);
    Fixture f;
    FATAL(begin(&f, text) == LITHE_OK);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    FATAL(lithe_compile(f.scene, &model, &state, &f.error) == LITHE_OK);
    LitheWork *work = lithe_work_create(model, 1);
    while (lithe_state_step(state) < 20)
        FATAL(lithe_step(model, state, work, NULL, &f.error) == LITHE_OK);
    double both[6], row[3];
    lithe_body_velocity(model, state, lithe_body_find(model, "arm/lower"), both);
    FATAL(last_row(&f, "bodies/arm/lower/velocity", 3, row));
    CHECK(memcmp(row, both, sizeof row) == 0 && row[2] < 0);
    FATAL(last_row(&f, "bodies/arm/lower/angular_velocity", 3, row));
    CHECK(memcmp(row, both + 3, sizeof row) == 0 && row[1] != 0);
    FATAL(last_row(&f, "bodies/arm/lower/speed", 1, row));
    CHECK(fabs(row[0] - sqrt(both[0] * both[0] + both[1] * both[1] + both[2] * both[2])) < 1e-15);
    LitheSeriesSet set;
    FATAL(lithe_recording_series(f.recording, "arm/lower.velocity.z", &set, &f.error) == LITHE_OK);
    CHECK(set.count == 1 && strcmp(set.unit, "m/s") == 0);
    CHECK(set.series[0].values[f.recording->frame_count - 1] == both[2]);
    lithe_series_release(&set);
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    end(&f);
}

TEST(a_fixed_body_has_one_pose_for_all_frames) {
    Fixture f;
    FATAL(begin(&f, swing) == LITHE_OK);
    const LitheColumn *pose = lithe_layout_find(&f.recording->layout, "bodies/floor/pose");
    FATAL(pose && pose->offset < 0 && pose->count == 7);
    CHECK(pose->values[2] == -0.25 && pose->values[3] == 1);
    CHECK(f.recording->body_count == 4);
    end(&f);
}

TEST(series_name_bodies_and_joints_of_robots) {
    Fixture f;
    FATAL(begin(&f, swing) == LITHE_OK);
    double pose[7];
    FATAL(last_row(&f, "bodies/arm/upper/pose", 7, pose));
    int64_t last = f.recording->frame_count - 1;
    const struct {
        const char *name;
        int32_t count;
        const char *first, *unit;
        double value;
    } cases[] = {
        {"arm/upper.position", 3, "arm/upper.position.x", "m", pose[0]},
        {"arm/upper.position.z", 1, "arm/upper.position.z", "m", pose[2]},
        {"bodies/arm/upper.position.z", 1, "position.z", "m", pose[2]},
        {"arm/upper.orientation", 4, "arm/upper.orientation.w", "1", pose[3]},
        {"arm/upper.orientation.y", 1, "arm/upper.orientation.y", "1", pose[5]},
        {"arm/elbow.position", 1, "arm/elbow.position", "rad", NAN},
        {"cup.velocity", 3, "cup.velocity[0]", "rad/s", NAN},
        {"cup.velocity[1]", 1, "cup.velocity[1]", "rad/s", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LitheSeriesSet set;
        FATAL(lithe_recording_series(f.recording, cases[i].name, &set, &f.error) == LITHE_OK);
        CHECK(set.count == cases[i].count);
        CHECK_TEXT(set.series[0].name, cases[i].first);
        CHECK(strcmp(set.unit, cases[i].unit) == 0);
        CHECK(isnan(cases[i].value) || set.series[0].values[last] == cases[i].value);
        lithe_series_release(&set);
    }
    LitheSeriesSet set;
    CHECK(lithe_recording_series(f.recording, "arm/upper.posiion", &set, &f.error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "did you mean 'arm/upper.position', 'arm/lower.position'");
    CHECK(lithe_recording_series(f.recording, "arm/upper.position[1]", &set, &f.error) ==
          LITHE_BAD_INPUT);
    CHECK(lithe_recording_series(f.recording, "arm/upper.position.w", &set, &f.error) ==
          LITHE_BAD_INPUT);
    end(&f);
}

TEST(a_table_has_poses_and_joints) {
    Fixture f;
    FATAL(begin(&f, swing) == LITHE_OK);
    char path[256], head[4096] = "";
    FATAL(lithe_export_csv(f.recording, test_path(&f.folder, "a.csv", path), NULL, 0, &f.error) ==
          LITHE_OK);
    FILE *file = fopen(path, "r");
    FATAL(file && fgets(head, sizeof head, file));
    fclose(file);
    CHECK_TEXT(head, "arm/lower.position.z [m]");
    CHECK_TEXT(head, "arm/lower.orientation.w [1]");
    CHECK_TEXT(head, "arm/shoulder.velocity [rad/s]");
    CHECK_TEXT(head, "cup.position[3] [1]");
    CHECK(!strstr(head, "floor"));
    end(&f);
}

TEST(names_that_clash_with_data_sets_are_refused_before_the_run) {
    Fixture f;
    const char *text = "lithe: 1\ntime: {step: 1 ms, end: 2 ms}\n"
                       "bodies:\n"
                       "  arm: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
                       "  arm/pose/tip: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n";
    CHECK(begin(&f, text) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "body 'arm/pose/tip'");
    end(&f);
}

TEST(a_limit_that_is_reached_is_reported_once_and_by_name) {
    Fixture f;
    FATAL(begin(&f, swing) == LITHE_OK);
    const char *first = strstr(f.log, "joint 'arm/shoulder'");
    FATAL(first);
    CHECK_TEXT(first, "reaches its upper limit, which stops it");
    CHECK(!strstr(first + 1, "joint 'arm/shoulder'"));
    CHECK(!strstr(f.log, "joint 'arm/elbow'"));
    end(&f);
}

// --- pictures ------------------------------------------------------------------------------------

// six times the volume that triangles enclose: positive when they face outwards
static double enclosed(const LithePictureMesh *mesh) {
    double sum = 0;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const double *a = mesh->points + 3 * mesh->triangles[3 * i];
        const double *b = mesh->points + 3 * mesh->triangles[3 * i + 1];
        const double *c = mesh->points + 3 * mesh->triangles[3 * i + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

// normals have the direction of their triangles
static bool faces_agree(const LithePictureMesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        Vec3 x[3];
        for (int k = 0; k < 3; k++)
            x[k] = v3_load(mesh->points + 3 * mesh->triangles[3 * i + k]);
        Vec3 face = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
        for (int k = 0; k < 3; k++)
            if (!(v3_dot(face, v3_load(mesh->normals + 3 * mesh->triangles[3 * i + k])) > 0))
                return false;
    }
    return true;
}

static const char *const shapes[][2] = {
    {"box: {size: [0.2, 0.3, 0.4]}", "0.024"},
    {"cylinder: {radius: 0.1, length: 0.5}", "0.015707963"},
    {"ellipsoid: {size: [0.2, 0.3, 0.4]}", "0.012566371"},
    {"convex: {points: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]}",
     "1.3333333"},
    {"mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, "
     "3], [1, 2, 3], [0, 3, 2]]}",
     "0.16666667"},
    {"revolution: {outline: [[0, 0], [1, 0.5], [2, 0.5]]}", "1.0471976"},
};

TEST(drawn_shapes_enclose_their_volume_and_face_outwards) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "lithe: 1\ntime: {step: 1 ms, end: 1 ms}\n"
                 "bodies:\n  thing: {shape: {%s, at: [0.1, 0.2, 0.3], rotate: [1, 0, 0]}, fixed: "
                 "true, at: [0.3, 0, -1], rotate: [0, 0.5, 1]}\n",
                 shapes[i][0]);
        Fixture f;
        if (!CHECK(begin(&f, text) == LITHE_OK)) {
            printf("  %s: %s\n", shapes[i][0], f.error.text);
            end(&f);
            continue;
        }
        LithePictureBodies bodies = {.context = f.context};
        FATAL(lithe_picture_bodies(f.recording, 0, &bodies, &f.error) == LITHE_OK);
        FATAL(bodies.mesh_count == 1);
        // circles of 48 corners lose 0.3 % of their area, ellipsoids slightly more
        CHECK_NEAR(enclosed(&bodies.meshes[0]) / atof(shapes[i][1]), 1, 0.01);
        if (!CHECK(faces_agree(&bodies.meshes[0])))
            printf("  %s\n", shapes[i][0]);
        lithe_picture_bodies_release(&bodies);
        end(&f);
    }
}

TEST(round_shapes_and_the_ground_are_where_the_body_stands) {
    Fixture f;
    FATAL(begin(&f, "lithe: 1\ntime: {step: 1 ms, end: 1 ms}\n"
                    "bodies:\n"
                    "  floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.25]}\n"
                    "  wall: {shape: {half-space: {}}, fixed: true, rotate: [0, 1.5707963, 0]}\n"
                    "  pill: {shapes: [{capsule: {radius: 0.1, length: 0.6}}, {sphere: {radius: "
                    "0.2}, at: [0, 0, 1]}], fixed: true, at: [1, 2, 3], rotate: [0, "
                    "1.5707963267948966, 0]}\n") == LITHE_OK);
    LithePictureBodies bodies = {.context = f.context};
    FATAL(lithe_picture_bodies(f.recording, 0, &bodies, &f.error) == LITHE_OK);
    CHECK(bodies.has_ground && bodies.ground == -0.25);
    FATAL(bodies.tube_count == 1 && bodies.sphere_count == 1 && bodies.mesh_count == 0);
    // the body's z axis points along the world's x
    CHECK_NEAR(bodies.tubes[0].points[0], 0.7, 1e-12);
    CHECK_NEAR(bodies.tubes[0].points[3], 1.3, 1e-12);
    CHECK_NEAR(bodies.tubes[0].half_width, 0.1, 1e-12);
    CHECK_NEAR(bodies.spheres[0].centre.x, 2, 1e-12);
    CHECK_NEAR(bodies.spheres[0].centre.z, 3, 1e-12);
    CHECK_NEAR(bodies.spheres[0].radius, 0.2, 1e-12);
    lithe_picture_bodies_release(&bodies);
    end(&f);
}

static const char *const trough =
    "lithe: 1\ntime: {step: 1 ms, end: 1 ms}\n"
    "bodies:\n"
    "  floor: {shape: {half-space: {}}, fixed: true}\n"
    "  ramp: {shape: {half-space: {}}, fixed: true, rotate: {axis: [0, 1, 0], angle: -30 deg}}\n"
    "  ball: {shape: {sphere: {radius: 0.2}}, fixed: true, at: [1, 0, 1]}\n";

TEST(a_slope_is_drawn_under_what_is_there_down_to_the_floor) {
    Fixture f;
    FATAL(begin(&f, trough) == LITHE_OK);
    // the ramp rises towards +x: seen from -x, and from behind
    for (int behind = 0; behind < 2; behind++) {
        LithePictureBodies bodies = {.context = f.context};
        FATAL(lithe_picture_bodies(f.recording, 0, &bodies, &f.error) == LITHE_OK);
        Vec3 to_eye = v3(behind ? 1 : -1, 0, 0);
        FATAL(lithe_picture_plates(&bodies, NULL, 0, to_eye, &f.error) == LITHE_OK);
        CHECK(bodies.mesh_count == !behind);
        for (int32_t i = 0; i < bodies.mesh_count; i++) {
            const LithePictureMesh *mesh = &bodies.meshes[i];
            double low = INFINITY, left = INFINITY, right = -INFINITY;
            for (int32_t k = 0; k < mesh->point_count; k++) {
                Vec3 x = v3_load(mesh->points + 3 * k);
                CHECK_NEAR(x.z, x.x * tan(3.14159265358979 / 6), 1e-9);
                low = fmin(low, x.z);
                left = fmin(left, x.x);
                right = fmax(right, x.x);
            }
            CHECK(low > -1e-12 && left < 1 && right > 1.1);
        }
        lithe_picture_bodies_release(&bodies);
    }
    end(&f);
}

// the numbers of a base64 array of a ParaView file, without the count in front
static int64_t read_array(const char *text, const char *name, double *out, int64_t room) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char mark[64];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *at = strstr(text, mark);
    at = at ? strchr(at, '\n') : NULL;
    if (!at)
        return -1;
    unsigned char *bytes = calloc((size_t)room + 2, 8);
    int64_t count = 0;
    uint32_t held = 0;
    for (int k = 1; *++at && strchr(digits, *at) && count < 8 * room + 8; k++) {
        held = held << 6 | (uint32_t)(strchr(digits, *at) - digits);
        if (k % 4 != 1)
            bytes[count++] = (unsigned char)(held >> (6 - 2 * ((k - 1) % 4)));
    }
    memcpy(out, bytes + 8, (size_t)(count - 8));
    free(bytes);
    return (count - 8) / 8;
}

// the whole file as text, to be freed
static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    bool fine = file && getdelim(&text, &room, 0, file) > 0;
    if (file)
        fclose(file);
    if (!fine)
        free(text);
    return fine ? text : NULL;
}

TEST(bodies_with_names_of_many_parts_are_found_again) {
    Fixture f;
    LitheStatus status =
        begin(&f, "lithe: 1\ntime: {step: 10 ms, end: 20 ms}\n"
                  "bodies:\n"
                  "  g: {repeat: {i: 2, j: 2, k: 2}, fixed: true, shape: {sphere: {radius: 0.1}},\n"
                  "      at: [i, j, k]}\n"
                  "  a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/a/b/c/d/e/f/g/h/i/j/k/l/m/"
                  "n/o/p/q/r/s/t/u/v/w/x:\n"
                  "    {fixed: true, shape: {sphere: {radius: 0.1}}}\n");
    if (!CHECK(status == LITHE_OK))
        printf("  %s\n", f.error.text);
    CHECK(status != LITHE_OK || f.recording->body_count == 9);
    end(&f);
}

TEST(paraview_files_hold_the_shapes_of_bodies_where_they_stand) {
    Fixture f;
    FATAL(begin(&f, "lithe: 1\ntime: {step: 10 ms, end: 100 ms}\ngravity: none\n"
                    "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3}}\n"
                    "bodies:\n"
                    "  floor: {shape: {half-space: {}}, fixed: true}\n"
                    "  brick: {shape: {box: {size: [0.2, 0.2, 0.2]}, at: [0, 0, 1]}, material: "
                    "wood, at: [3, 0, 0], velocity: [0, 10, 0]}\n"
                    "  pill: {shape: {capsule: {radius: 0.1, length: 0.6}}, fixed: true}\n"
                    "record: {every: 50 ms}\n") == LITHE_OK);
    char path[256];
    if (!CHECK(lithe_export_vtk(f.recording, test_path(&f.folder, "a.pvd", path), &f.error) ==
               LITHE_OK))
        printf("  %s\n", f.error.text);
    char *text = slurp(test_path(&f.folder, "a_frames/000002.vtp", path));
    FATAL(text != NULL);
    enum { CAPACITY = 40000 };
    static double points[CAPACITY], body[CAPACITY], normals[CAPACITY];
    int64_t count = read_array(text, "body", body, CAPACITY);
    FATAL(count > 24 && read_array(text, "Points", points, CAPACITY) == 3 * count);
    FATAL(read_array(text, "normal", normals, CAPACITY) == 3 * count);
    // the box has moved 1 m along y; each corner is on it, and likewise on the capsule
    int corners = 0;
    double top = 0;
    for (int64_t i = 0; i < count; i++) {
        Vec3 x = v3_load(points + 3 * i);
        FATAL(body[i] >= 0 && body[i] < f.recording->body_count);
        const char *name = f.recording->bodies[(int)body[i]].name;
        if (strcmp(name, "brick") == 0) {
            corners++;
            CHECK_NEAR(fabs(x.x - 3), 0.1, 1e-9);
            CHECK_NEAR(fabs(x.y - 1), 0.1, 1e-9);
            CHECK_NEAR(fabs(x.z - 1), 0.1, 1e-9);
        } else {
            CHECK(strcmp(name, "pill") == 0);
            double z = fmax(0, fabs(x.z) - 0.3);
            CHECK_NEAR(x.x * x.x + x.y * x.y + z * z, 0.01, 1e-12);
            CHECK_NEAR(v3_norm(v3_load(normals + 3 * i)), 1, 1e-12);
            top = fmax(top, x.z);
        }
    }
    CHECK(corners == 24);
    CHECK_NEAR(top, 0.4, 1e-12);
    CHECK_TEXT(text, "NumberOfLines=\"0\"");
    free(text);
    end(&f);
}

TEST(a_damaged_shape_is_an_error_and_no_crash) {
    Fixture f;
    FATAL(begin(&f, "lithe: 1\ntime: {step: 1 ms, end: 1 ms}\n"
                    "bodies:\n  thing: {shape: {convex: {points: [[1, 0, 0], [-1, 0, 0], [0, 1, "
                    "0], [0, 0, 1]]}}, fixed: true}\n") == LITHE_OK);
    LitheColumn *triangles =
        (LitheColumn *)lithe_layout_find(&f.recording->layout, "bodies/thing/shapes/0/triangles");
    FATAL(triangles);
    const double wrong[] = {-1, 4, 0.5, NAN, 1e300};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        triangles->values[2] = wrong[i];
        LithePictureBodies bodies = {.context = f.context};
        CHECK(lithe_picture_bodies(f.recording, 0, &bodies, &f.error) == LITHE_BAD_INPUT);
        CHECK_TEXT(f.error.text, "shape 0 of body 'thing'");
        lithe_picture_bodies_release(&bodies);
    }
    end(&f);
}

// --- equal constants -----------------------------------------------------------------------------

static LitheStatus add_numbers(LitheLayout *layout, const char *path, const char *unit, double x,
                               double y) {
    const int64_t dims[1] = {2};
    const double values[2] = {x, y};
    return lithe_layout_add_constant(layout, path, unit, "xy", LITHE_COLUMN_REAL, 1, dims, values,
                                     NULL);
}

TEST(only_constants_that_agree_in_every_bit_are_equal) {
    LitheContext *context = lithe_context_create(NULL);
    LitheLayout layout = {.context = context};
    CHECK(add_numbers(&layout, "a", "m", 1, 0) == LITHE_OK);
    CHECK(add_numbers(&layout, "b", "m", 1, -0.0) == LITHE_OK);
    CHECK(add_numbers(&layout, "c", "s", 1, 0) == LITHE_OK);
    CHECK(lithe_layout_add_text(&layout, "d", "box", NULL) == LITHE_OK);
    CHECK(lithe_layout_add_text(&layout, "e", "sphere", NULL) == LITHE_OK);
    CHECK(lithe_layout_add(&layout, "f", "m", "time", LITHE_COLUMN_REAL, 0, NULL, NULL) ==
          LITHE_OK);
    CHECK(add_numbers(&layout, "g", "m", 1, 0) == LITHE_OK);
    CHECK(lithe_layout_add_text(&layout, "h", "box", NULL) == LITHE_OK);
    CHECK(add_numbers(&layout, "i", "m", 1, -0.0) == LITHE_OK);
    const int32_t expected[9] = {0, 1, 2, 3, 4, 5, 0, 3, 1};
    int32_t same[9];
    CHECK(layout.column_count == 9 && lithe_equal_constants(&layout, same));
    for (int i = 0; i < 9; i++)
        CHECK(same[i] == expected[i]);
    lithe_layout_release(&layout);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// Columns of a group may be anywhere in the layout, and names that continue that of a group ("a-b"
// after "a") do not interrupt it. A group that has one value more, or varies in time, is not equal.
TEST(groups_are_equal_only_if_all_their_constants_are) {
    enum { COUNT = 13 };
    static const char *const paths[COUNT] = {
        "a/s/0/x", "a/s/1/x", "b/s/0/x", "a-b/s/0/x", "c/s/0/x", "c/s/0/y", "d/s/0/x",
        "d/s/1/x", "d/s/1/t", "b/s/1/x", "a-b/s/1/x", "a/y",     "b/y"};
    static const double values[COUNT] = {1, 2, 1, 1, 1, 3, 1, 2, 0, 2, 2, 4, 5};
    LitheContext *context = lithe_context_create(NULL);
    LitheLayout layout = {.context = context};
    for (int i = 0; i < COUNT; i++)
        CHECK((i == 8 ? lithe_layout_add(&layout, paths[i], "m", "time", LITHE_COLUMN_REAL, 0, NULL,
                                         NULL)
                      : add_numbers(&layout, paths[i], "m", values[i], 0)) == LITHE_OK);
    int32_t same[COUNT];
    LitheOrdered ordered[COUNT];
    CHECK(lithe_equal_constants(&layout, same) && lithe_equal_groups(&layout, same, ordered));
    // order, and the number of columns of each group that is a second name
    static const char *const order[COUNT] = {
        "a/s/0/x", "a/s/1/x", "a/y",     "a-b/s/0/x", "a-b/s/1/x", "b/s/0/x", "b/s/1/x",
        "b/y",     "c/s/0/x", "c/s/0/y", "d/s/0/x",   "d/s/1/t",   "d/s/1/x"};
    static const int32_t counts[COUNT] = {0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 0};
    static const int32_t lengths[COUNT] = {0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        CHECK(strcmp(ordered[i].path, order[i]) == 0);
        CHECK(strcmp(layout.columns[ordered[i].column].path, order[i]) == 0);
        CHECK(ordered[i].count == counts[i] && ordered[i].length == lengths[i]);
    }
    // "a-b/s" and "b/s" are second names of "a/s", "d/s/0" one of "a/s/0"
    CHECK(ordered[3].first == 0 && ordered[3].first_length == 3);
    CHECK(ordered[5].first == 0 && ordered[5].first_length == 3);
    CHECK(ordered[10].first == 0 && ordered[10].first_length == 5);
    lithe_layout_release(&layout);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// The second name of a dataset is read as if it were a dataset of its own.
TEST(equal_shapes_share_their_datasets_in_the_file) {
    Fixture f;
    CHECK(begin(&f, swing) == LITHE_OK);
    static const char *const paths[] = {
        "bodies/arm/upper/shapes/0/size", "bodies/arm/lower/shapes/0/size",
        "bodies/arm/upper/shapes/0/kind", "bodies/arm/lower/shapes/0/kind",
        "bodies/bob/shapes/0/size",       "bodies/arm/upper/shapes",
        "bodies/arm/lower/shapes",        "bodies/bob/shapes"};
    unsigned long at[8] = {0};
    hid_t file = H5Fopen(f.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int i = 0; i < 8; i++) {
        H5G_stat_t info;
        CHECK(i >= 5 || lithe_layout_find(&f.recording->layout, paths[i]) != NULL);
        CHECK(H5Gget_objinfo(file, paths[i], true, &info) >= 0);
        at[i] = info.objno[0];
    }
    H5Fclose(file);
    CHECK(at[0] == at[1] && at[2] == at[3] && at[0] != at[2] && at[0] != at[4]);
    CHECK(at[5] == at[6] && at[5] != at[7]); // the whole group
    const LitheColumn *size = lithe_layout_find(&f.recording->layout, paths[1]);
    CHECK(size && size->values[0] == 0.4 && size->values[2] == 0.05);
    end(&f);
}
