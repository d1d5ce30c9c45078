// SPDX-License-Identifier: Apache-2.0
// tests/record/test_recorded.c - the rows of what can be recorded, requests, and frames made of
// them

#include "test.h"

#include "data/model.h"
#include "lithe/lithe.h"
#include "math/quat.h"
#include "record/frame.h"

static const char *const text =
    "lithe: 1\n"
    "time: {step: 1 ms, end: 10 ms}\n"
    "materials:\n"
    "  wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3}\n"
    "  soft: {young: 1 MPa, poisson: 0.5, density: 1000 kg/m^3}\n"
    "rods:\n"
    "  rope: {material: soft, section: {circle: {radius: 5 mm}}, nodes: 6,\n"
    "         shape: {line: {from: [0, 0, 1], to: [0.5, 0, 1]}}}\n"
    "  lace: {material: soft, section: {circle: {radius: 5 mm}}, nodes: 4,\n"
    "         shape: {line: {from: [0, 1, 1], to: [0.5, 1, 1]}}}\n"
    "drives: {hand: {on: rope.start, direction: [0, 0, 1], speed: 0.1 m/s}}\n"
    "bodies:\n"
    "  floor: {fixed: true, shape: {half-space: {}}}\n"
    "  bob: {shape: {sphere: {radius: 5 cm}}, material: wood, at: [0, 2, 1]}\n"
    "  arm: {shape: {box: {size: [0.4, 0.1, 0.1]}}, material: wood, at: [2, 0, 1]}\n"
    "joints:\n"
    "  hinge: {kind: revolute, child: arm, at: [1.8, 0, 1], axis: [0, 1, 0]}\n"
    "  cup: {kind: ball, child: bob, at: [0, 2, 1.3]}\n"
    "constraints: {tie: {kind: attach, a: world, b: lace.end}}\n";

typedef struct Fixture {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheReport report;
    LitheLayout layout;
    LitheFrameMap map;
    LitheError error;
} Fixture;

static LitheStatus begin(Fixture *f, const char *const *also, int32_t also_count) {
    *f = (Fixture){.context = lithe_context_create(NULL)};
    f->layout.context = f->map.context = f->context;
    LitheStatus status = lithe_scene_parse(f->context, text, strlen(text), "a.yaml", NULL, NULL, 0,
                                           &f->scene, &f->error);
    if (status == LITHE_OK)
        status = lithe_compile(f->scene, &f->model, &f->state, &f->error);
    LitheRecordDef record = lithe_record_def_default();
    record.also = also;
    record.also_count = also_count;
    if (status == LITHE_OK)
        status = lithe_frame_layout(f->model, &record, &f->layout, &f->map, &f->error);
    return status;
}

static void end(Fixture *f) {
    lithe_layout_release(&f->layout);
    lithe_frame_map_release(&f->map);
    lithe_work_destroy(f->work);
    lithe_state_destroy(f->state);
    lithe_model_destroy(f->model);
    lithe_scene_destroy(f->scene);
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
}

TEST(every_row_says_all_of_its_quantity) {
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        CHECK((*owner)->word && (*owner)->count && (*owner)->quantities[0].name);
        CHECK(!(*owner)->folder || ((*owner)->name && lithe_owner_of_path("") != *owner));
        for (const LitheQuantity *q = (*owner)->quantities; q->name; q++) {
            CHECK(strncmp(q->axes, "time", 4) == 0);
            CHECK((q->unit != NULL) != (q->unit_of != NULL));
            CHECK((q->read != NULL) == (q->place == LITHE_BY_READ));
            CHECK(q->place != LITHE_IN_WALK || (*owner)->read);
            CHECK(!q->integer || q->interpolation == LITHE_INTERPOLATE_STEP ||
                  q->interpolation == LITHE_INTERPOLATE_FIRST);
            // no other of this name before it
            CHECK(lithe_quantity_find(*owner, q->name) == q);
        }
    }
    CHECK(lithe_owner_of_path("rods/rope/position") == &lithe_rod_owner);
    CHECK(lithe_owner_of_path("rodsman/x") == &lithe_world_owner);
    CHECK(lithe_owner_of_path("energy/work") == &lithe_world_owner);
    CHECK(lithe_quantity_find(&lithe_body_owner, "orientation") == lithe_body_owner.quantities);
}

TEST(columns_have_the_sizes_units_and_axes_of_their_things) {
    static const struct {
        const char *path, *unit, *axes;
        int64_t count; // 0: there is no such column
    } expected[] = {
        {"rods/rope/position", "m", "time node xyz", 18},
        {"rods/rope/tension", "N", "time edge", 5},
        {"rods/lace/director", "1", "time edge xyz", 9},
        {"rods/lace/curvature", "1/m", "time node m1m2", 8},
        {"rods/rope/speed", "", "", 0},
        {"bodies/arm/pose", "m, 1", "time pose", 7},
        {"bodies/floor/pose", "m, 1", "pose", 7}, // a constant
        {"bodies/floor/contact", "N", "time xyz", 3},
        {"joints/hinge/position", "rad", "time", 1},
        {"joints/hinge/place", "m, 1", "pose", 7}, // a constant
        {"joints/cup/position", "1", "time number", 4},
        {"joints/cup/velocity", "rad/s", "time number", 3},
        {"drives/hand/force", "N", "time", 1},
        {"constraints/tie/active", "1", "time", 1},
        {"contacts/count", "1", "time", 1},
        {"report/limit", "1", "time", 1},
    };
    Fixture f;
    if (!CHECK(begin(&f, NULL, 0) == LITHE_OK))
        printf("  %s\n", f.error.text);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const LitheColumn *column = lithe_layout_find(&f.layout, expected[k].path);
        if (!CHECK(expected[k].count == (column ? column->count : 0)))
            printf("  %s\n", expected[k].path);
        CHECK(!column || (strcmp(column->unit, expected[k].unit) == 0 &&
                          strcmp(column->axes, expected[k].axes) == 0));
    }
    end(&f);
}

TEST(joints_are_recorded_in_the_frames_of_their_bodies) {
    Fixture f;
    CHECK(begin(&f, NULL, 0) == LITHE_OK);
    const LitheColumn *kind = lithe_layout_find(&f.layout, "joints/hinge/kind");
    const LitheColumn *body = lithe_layout_find(&f.layout, "joints/hinge/body");
    const LitheColumn *place = lithe_layout_find(&f.layout, "joints/hinge/place");
    FATAL(kind && body && place && place->values);
    CHECK_TEXT(kind->text, "revolute");
    CHECK_TEXT(body->text, "arm");
    CHECK_TEXT(lithe_layout_find(&f.layout, "joints/cup/kind")->text, "ball");
    // 20 cm from the origin of the arm, about y
    const double *p = place->values;
    CHECK_NEAR(v3_distance(v3_load(p), v3(-0.2, 0, 0)), 0, 1e-15);
    Vec3 axis = q4_rotate((Quat){p[3], p[4], p[5], p[6]}, v3(0, 0, 1));
    CHECK_NEAR(v3_distance(axis, v3(0, 1, 0)), 0, 1e-15);
    end(&f);
}

TEST(materials_are_recorded_by_name) {
    static const char *const expected[][2] = {{"rods/rope/material", "soft"},
                                              {"bodies/bob/material", "wood"},
                                              {"bodies/arm/material", "wood"},
                                              {"bodies/floor/material", NULL}};
    Fixture f;
    CHECK(begin(&f, NULL, 0) == LITHE_OK);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const LitheColumn *column = lithe_layout_find(&f.layout, expected[k][0]);
        const char *text_of = column ? column->text : NULL;
        if (!CHECK(expected[k][1] ? text_of && strcmp(text_of, expected[k][1]) == 0 : !text_of))
            printf("  %s\n", expected[k][0]);
    }
    end(&f);
}

TEST(requests_name_a_quantity_of_any_owner_once) {
    const char *const also[] = {"rope.moment",  "hand.force",     "lace.speed",
                                "rope.moment",  "arm.position",   "bob.contact",
                                "cup.velocity", "energy.kinetic", "tie.force"};
    Fixture f, plain;
    FATAL(begin(&plain, NULL, 0) == LITHE_OK);
    if (!CHECK(begin(&f, also, 9) == LITHE_OK))
        printf("  %s\n", f.error.text);
    // the two that are not always recorded
    CHECK(f.map.part_count == plain.map.part_count + 2);
    CHECK(f.layout.frame_size == plain.layout.frame_size + 12 + 4);
    const LitheColumn *moment = lithe_layout_find(&f.layout, "rods/rope/moment");
    CHECK(moment && moment->offset == plain.layout.frame_size);
    CHECK(lithe_layout_find(&f.layout, "rods/lace/speed") != NULL);
    end(&plain);
    end(&f);
}

TEST(requests_for_what_is_not_there_say_what_there_is) {
    static const struct {
        const char *also, *message;
    } wrong[] = {
        {"rope.momnt", "'rope.momnt': a rod has no 'momnt', did you mean 'moment'?"},
        {"hand.speed", "a drive has no 'speed'. It has force, torque, position"},
        {"arm.tension", "a body has no 'tension'. It has pose, velocity"},
        {"nobody.speed", "is not the name of a rod, drive, body, joint, constraint, set of "
                         "particles, solid, cavity, fine surface, tendon, pose drive, hold, "
                         "actuator or knot of the scene"},
        {"rope", "is not NAME.QUANTITY"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Fixture f;
        CHECK(begin(&f, &wrong[k].also, 1) == LITHE_BAD_INPUT);
        CHECK_TEXT(f.error.text, wrong[k].message);
        end(&f);
    }
}

TEST(a_frame_has_the_bits_of_the_readers) {
    const char *const also[] = {"lace.torque", "rope.moment", "rope.velocity", "lace.moment"};
    Fixture f;
    FATAL(begin(&f, also, 4) == LITHE_OK);
    f.work = lithe_work_create(f.model, 1);
    double *frame = calloc((size_t)f.layout.frame_size, sizeof *frame);
    FATAL(f.work && frame);
    for (int k = 0; k < 5; k++)
        FATAL(lithe_step(f.model, f.state, f.work, &f.report, &f.error) == LITHE_OK);
    LitheFrameSource source = {
        .model = f.model, .state = f.state, .work = f.work, .report = &f.report, .first_row = 77};
    LitheEnergy energy, whole = lithe_energy(f.model, f.state);
    FATAL(lithe_frame_fill(&source, &f.map, frame, &energy, &f.error) == LITHE_OK);
    CHECK(memcmp(&energy, &whole, sizeof whole) == 0 && whole.elastic > 0);

    double tension[5], moment[12], bend[8], pose[7];
    lithe_rod_tension(f.model, f.state, (LitheRodId){1}, tension);
    lithe_rod_moment(f.model, f.state, (LitheRodId){1}, moment);
    lithe_rod_moment(f.model, f.state, (LitheRodId){2}, bend);
    lithe_body_pose(f.model, f.state, (LitheBodyId){3}, pose);
    const double *cup = lithe_joint_position(f.model, f.state, (LitheJointId){2});
    const double force = lithe_drive_force(f.model, f.state, (LitheDriveId){1});
    const double residual = f.report.residual, passes = f.report.passes, limit = f.report.limit;
    const double first = 77, elastic = whole.elastic;
    const struct {
        const char *path;
        const double *values;
    } expected[] = {
        {"rods/rope/tension", tension}, {"rods/rope/moment", moment}, {"rods/lace/moment", bend},
        {"bodies/arm/pose", pose},      {"joints/cup/position", cup}, {"drives/hand/force", &force},
        {"report/residual", &residual}, {"report/passes", &passes},   {"report/limit", &limit},
        {"contacts/first", &first},     {"energy/elastic", &elastic},
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const LitheColumn *column = lithe_layout_find(&f.layout, expected[k].path);
        FATAL(column != NULL);
        if (!CHECK(memcmp(frame + column->offset, expected[k].values,
                          (size_t)column->count * sizeof(double)) == 0))
            printf("  %s\n", column->path);
    }
    free(frame);
    end(&f);
}
