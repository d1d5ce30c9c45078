// SPDX-License-Identifier: Apache-2.0
// tests/run/test_forces.c - what runs record of contacts and constraints, also when they are
// stopped and resumed

#include "test.h"

#include "lithe/lithe.h"
#include "math/vec3.h"
#include "record/export.h"
#include "record/picture_forces.h"
#include "record/recording.h"
#include "record/series.h"
#include "record/synthetic.h"
#include "series_at.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>

static const char *const head =
    "lithe: 1\n"
    "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 600 kg/m^3, friction: 0.4}}\n";

static const char *const rests =
    "time: {step: 1 ms, end: 0.3 s}\n"
    "bodies:\n"
    "  ground: {fixed: true, shapes: [{half-space: {}, material: wood}]}\n"
    "  block: {material: wood, at: [0, 0, 0.05], shapes: [{box: {size: [0.2, 0.1, 0.1]}}]}\n"
    "record: {every: 20 ms}\n";

static const char *const slides =
    "time: {step: 1 ms, end: 0.6 s}\n"
    "bodies:\n"
    "  ground: {fixed: true, shapes: [{half-space: {}, material: wood}]}\n"
    "  block: {material: wood, at: [0, 0, 0.05], velocity: [1.5, 0, 0],\n"
    "          shapes: [{box: {size: [0.2, 0.1, 0.1]}}]}\n"
    "record: {every: 10 ms}\n";

// 3 N of weight, of which a thread takes 2 N before it breaks; then it falls onto the ground
static const char *const breaks =
    "time: {step: 1 ms, end: 0.3 s}\n"
    "bodies:\n"
    "  ground: {fixed: true, shapes: [{half-space: {}, material: wood}]}\n"
    "  ball: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0], at: [0, 0, 0.15],\n"
    "         shapes: [{sphere: {radius: 50 mm}, material: wood}]}\n"
    "constraints:\n"
    "  thread: {kind: attach, a: world, b: ball, breaks-at: 2 N}\n"
    "  wire: {kind: rope, a: {on: world, at: [0, 0, 1]}, b: ball, length: 2 m}\n"
    "record: {every: 10 ms}\n";

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheRecording *recording;
    LitheSummary summary;
    LitheRunDef def;
    LitheError error;
    char path[256];
} Fixture;

static LitheScene *parse(LitheContext *context, const char *text, LitheError *error) {
    char all[4096];
    snprintf(all, sizeof all, "%s%s", head, text);
    LitheScene *scene = NULL;
    if (lithe_scene_parse(context, all, strlen(all), "a.yaml", NULL, NULL, 0, &scene, error) !=
        LITHE_OK)
        printf("  %s\n", error->text);
    return scene;
}

static bool begin(Fixture *f, const char *text) {
    memset(f, 0, sizeof *f);
    f->context = lithe_context_create(NULL);
    f->folder = test_folder();
    f->scene = parse(f->context, text, &f->error);
    f->def = lithe_run_def_default();
    f->def.out = test_path(&f->folder, "a.h5", f->path);
    return f->scene && lithe_run(f->scene, &f->def, &f->summary, &f->error) == LITHE_OK &&
           lithe_recording_open(f->context, f->path, &f->recording, &f->error) == LITHE_OK;
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static double at(Fixture *f, const char *name, int64_t frame) {
    return series_at(f->recording, name, frame);
}

// --- contacts ------------------------------------------------------------------------------------

TEST(a_resting_block_is_carried_by_contacts_that_sum_to_its_weight) {
    Fixture f;
    FATAL(begin(&f, rests));
    double weight = 600 * 0.2 * 0.1 * 0.1 * 9.81;
    CHECK(fabs(at(&f, "block.contact.z", -1) - weight) < 1e-6 * weight);
    CHECK(fabs(at(&f, "block.contact", -1) - weight) < 1e-6 * weight);
    CHECK(fabs(at(&f, "ground.contact.z", -1) + weight) < 1e-6 * weight);

    // the same from the table, contact by contact
    int64_t first = 0, count = 0;
    FATAL(lithe_recording_contacts(f.recording, f.recording->frame_count - 1, &first, &count,
                                   &f.error) == LITHE_OK);
    CHECK(count == 8 && count == (int64_t)at(&f, "contacts.count", -1));
    CHECK(first + count == f.recording->row_total);
    double force[24], place[24], normal[24], gap[8], a[8], b[8], sum = 0;
    int corners = 0;
    const struct {
        const char *path;
        double *out;
    } columns[] = {{"contacts/force", force}, {"contacts/position", place},
                   {"contacts/gap", gap},     {"contacts/normal", normal},
                   {"contacts/a", a},         {"contacts/b", b}};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const LitheColumn *column =
            lithe_layout_find_contact_column(&f.recording->layout, columns[k].path);
        FATAL(column && lithe_recording_read_rows(f.recording, column, first, count, columns[k].out,
                                                  &f.error) == LITHE_OK);
    }
    for (int k = 0; k < 8; k++) {
        // things are listed as ground, block
        CHECK(a[k] + b[k] == 1);
        double sign = b[k] == 1 ? 1 : -1;
        sum += sign * force[3 * k + 2];
        CHECK(fabs(normal[3 * k + 2] - sign) < 1e-9 && gap[k] < 0 && gap[k] > -1e-4);
        corners +=
            fabs(fabs(place[3 * k]) - 0.1) < 1e-6 && fabs(fabs(place[3 * k + 1]) - 0.05) < 1e-6;
    }
    CHECK(corners == 4);
    CHECK(fabs(sum - weight) < 1e-6 * weight);
    const LitheColumn *things = lithe_layout_find(&f.recording->layout, "contacts/things");
    CHECK(things && strcmp(things->text, "ground\nblock") == 0);
    end(&f);
}

TEST(a_frame_before_the_first_step_has_no_contacts) {
    Fixture f;
    FATAL(begin(&f, rests));
    int64_t first = -1, count = -1;
    CHECK(lithe_recording_contacts(f.recording, 0, &first, &count, &f.error) == LITHE_OK);
    CHECK(first == 0 && count == 0);
    CHECK(lithe_recording_contacts(f.recording, 99, &first, &count, &f.error) == LITHE_BAD_INPUT);
    end(&f);
}

TEST(energy_drift_of_what_rests_is_a_part_of_its_weight_times_its_size) {
    Fixture f;
    FATAL(begin(&f, rests));
    printf("  drift %.2g\n", f.summary.energy_drift);
    CHECK(f.summary.energy_drift < 1e-3);
    end(&f);
}

TEST(friction_takes_the_kinetic_energy_of_a_block_that_slides_to_rest) {
    Fixture f;
    FATAL(begin(&f, slides));
    double kinetic = at(&f, "energy.kinetic", 0), friction = at(&f, "energy.friction", -1);
    CHECK(fabs(kinetic - 0.5 * 1.2 * 1.5 * 1.5) < 1e-12);
    CHECK(fabs(friction - kinetic) < 0.01 * kinetic);
    CHECK(at(&f, "energy.kinetic", -1) < 1e-9 * kinetic);
    // so that the energy report of the run includes it
    CHECK(f.summary.energy_drift < 0.01);
    // halfway it pushes with mu times the weight, against the motion
    double weight = 1.2 * 9.81;
    CHECK(fabs(at(&f, "block.contact.x", 20) + 0.4 * weight) < 0.01 * weight);
    end(&f);
}

TEST(the_summary_counts_contacts_and_solves) {
    Fixture f;
    FATAL(begin(&f, rests));
    CHECK(f.summary.contacts_max == 8 && f.summary.contacts_mean > 7.8);
    CHECK(f.summary.passes_mean >= 1 && f.summary.solve_unconverged == 0);
    CHECK(f.summary.constraints_broken == 0 && f.summary.pairs_unserved == 0);
    CHECK(at(&f, "report.contacts", -1) == 8 && at(&f, "report.passes", -1) >= 1);
    // a complete recording has the same
    LitheSummary again;
    CHECK(lithe_resume(f.context, f.path, &f.def, &again, &f.error) == LITHE_OK);
    CHECK(again.contacts_mean == f.summary.contacts_mean && again.contacts_max == 8);
    CHECK(again.passes_mean == f.summary.passes_mean && again.solve_mean == f.summary.solve_mean);
    end(&f);
}

TEST(contacts_with_more_than_their_stiffness_are_recorded_and_counted) {
    static const char crossed[] =
        "time: {step: 0.1 ms, end: 2 ms}\n"
        "record: {every: 0}\n"
        "contact: {start-overlap: any}\n"
        "rods:\n"
        "  above: {material: wood, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
        "    shape: {line: {from: [-5 cm, 0, 0.5 mm], to: [5 cm, 0, 0.5 mm]}}}\n"
        "  below: {material: wood, section: {circle: {radius: 1 mm}}, nodes: 22,\n"
        "    shape: {line: {from: [0, -5 cm, 0], to: [0, 5 cm, 0]}}, clamped: both}\n";
    Fixture f;
    FATAL(begin(&f, crossed));
    CHECK(f.summary.contacts_stiffened >= 1);
    CHECK(f.recording->end.totals.stiffened == f.summary.contacts_stiffened);
    end(&f);

    FATAL(begin(&f, rests));
    CHECK(f.summary.contacts_stiffened == 0);
    end(&f);
}

TEST(where_nothing_can_touch_there_is_no_table) {
    Fixture f;
    FATAL(begin(&f, "time: {step: 1 ms, end: 10 ms}\n"
                    "bodies: {ball: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"));
    int64_t first = -1, count = -1;
    CHECK(f.recording->layout.contact_column_count == 0 && f.recording->row_total == 0);
    CHECK(!lithe_layout_find(&f.recording->layout, "bodies/ball/contact"));
    CHECK(lithe_recording_contacts(f.recording, 0, &first, &count, &f.error) == LITHE_OK);
    CHECK(count == 0);
    end(&f);
}

TEST(an_unknown_name_is_answered_with_those_of_forces) {
    Fixture f;
    FATAL(begin(&f, breaks));
    LitheSeriesSet set = {0};
    CHECK(lithe_recording_series(f.recording, "constraints.thred.force", &set, &f.error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "did you mean 'constraints.thread.force', 'constraints.wire.force'");
    CHECK(!strstr(f.error.text, "contacts.first"));
    end(&f);
}

// --- constraints ---------------------------------------------------------------------------------

TEST(a_thread_that_breaks_is_recorded_as_broken_and_lets_go) {
    Fixture f;
    FATAL(begin(&f, breaks));
    CHECK(f.summary.constraints_broken == 1);
    CHECK(at(&f, "constraints.thread.active", 0) == 1 &&
          at(&f, "constraints.thread.broken", 0) == 0);
    CHECK(at(&f, "constraints.thread.active", 1) == 0 &&
          at(&f, "constraints.thread.broken", 1) == 1);
    CHECK(at(&f, "constraints.thread.force", -1) == 0);
    CHECK(at(&f, "thread.broken", -1) == 1);
    // the wire is slack, and has its own name
    CHECK(at(&f, "constraints.wire.active", -1) == 1 && at(&f, "constraints.wire.broken", -1) == 0);
    CHECK(at(&f, "constraints.wire.force.z", -1) == 0);
    // the ball falls onto the ground, which supports it
    CHECK(f.recording->row_total > 0);
    CHECK(at(&f, "ball.position.z", -1) > 0.049 && at(&f, "ball.position.z", -1) < 0.14);
    end(&f);
}

TEST(a_thread_that_holds_carries_the_weight_and_takes_no_energy) {
    Fixture f;
    FATAL(begin(&f, "time: {step: 1 ms, end: 0.1 s}\n"
                    "bodies: {ball: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0]}}\n"
                    "constraints: {thread: {kind: attach, a: world, b: ball}}\n"
                    "record: {every: 10 ms}\n"));
    double weight = 0.3 * 9.81;
    CHECK(fabs(at(&f, "constraints.thread.force.z", -1) - weight) < 1e-3 * weight);
    CHECK(fabs(at(&f, "constraints.thread.force", -1) - weight) < 1e-3 * weight);
    CHECK(fabs(at(&f, "constraints.thread.torque", -1)) < 1e-9);
    CHECK(fabs(at(&f, "energy.constraints", -1)) < 1e-5);
    end(&f);
}

// --- pictures ------------------------------------------------------------------------------------

TEST(arrows_point_along_the_forces_on_what_moves_at_one_scale) {
    Fixture f;
    FATAL(begin(&f, slides));
    LithePictureBodies bodies = {.context = f.context};
    LithePictureForces forces = {.context = f.context};
    FATAL(lithe_picture_forces(f.recording, 20, 2.0, false, &bodies, &forces, &f.error) ==
          LITHE_OK);
    CHECK(forces.arrow_count == 8 && bodies.sphere_count == 8 &&
          forces.largest[LITHE_FORCE_CONSTRAINT] == 0);
    double longest = 0;
    Vec3 sum = v3(0, 0, 0);
    for (int32_t i = 0; i < forces.arrow_count; i++) {
        Vec3 along = v3_sub(forces.arrows[i].to, forces.arrows[i].from);
        longest = fmax(longest, v3_norm(along));
        sum = v3_add(sum, along);
        CHECK(along.z > 0 && along.x < 0 && forces.arrows[i].mark);
    }
    CHECK(fabs(longest - 0.6) < 1e-12);
    // together they are the force on the block
    double scale = longest / forces.largest[LITHE_FORCE_CONTACT];
    CHECK(fabs(sum.z / scale - at(&f, "block.contact.z", 20)) < 1e-9);
    CHECK(fabs(sum.x / scale - at(&f, "block.contact.x", 20)) < 1e-9);
    lithe_picture_forces_release(&forces);
    lithe_picture_bodies_release(&bodies);
    end(&f);
}

// A heavy ball hangs at a thread, a light one lies on the ground: both forces can be seen.
TEST(arrows_of_contacts_and_of_constraints_have_a_scale_each) {
    Fixture f;
    FATAL(begin(&f,
                "time: {step: 1 ms, end: 0.2 s}\n"
                "bodies:\n"
                "  ground: {fixed: true, shape: {half-space: {}}}\n"
                "  light: {mass: 1e-4, inertia: [1e-8, 1e-8, 1e-8, 0, 0, 0], at: [0, 0, 0.01],\n"
                "    shape: {sphere: {radius: 10 mm}}}\n"
                "  heavy: {mass: 10, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [1, 0, 1]}\n"
                "constraints: {thread: {kind: attach, a: {on: world, at: [1, 0, 1]}, b: heavy}}\n"
                "record: {every: 50 ms}\n"));
    LithePictureBodies bodies = {.context = f.context};
    LithePictureForces forces = {.context = f.context};
    int64_t last = f.recording->frame_count - 1;
    FATAL(lithe_picture_forces(f.recording, last, 2.0, false, &bodies, &forces, &f.error) ==
          LITHE_OK);
    CHECK_NEAR(forces.largest[LITHE_FORCE_CONTACT], 9.81e-4, 1e-5);
    CHECK_NEAR(forces.largest[LITHE_FORCE_CONSTRAINT], 98.1, 0.1);
    FATAL(forces.arrow_count == 2);
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(v3_distance(forces.arrows[k].to, forces.arrows[k].from), 0.6, 1e-12);
    lithe_picture_forces_release(&forces);
    lithe_picture_bodies_release(&bodies);

    LithePictureOptions options = lithe_picture_options_default();
    char buffer[256], command[400];
    options.width = 160, options.height = 100, options.forces = true;
    const char *path = test_path(&f.folder, "a.svg", buffer);
    CHECK(lithe_export_picture(f.recording, last, path, &options, &f.error) == LITHE_OK);
    snprintf(command, sizeof command,
             "grep -q '>20 N, constraint<' %s && grep -q '>0.0002 N, contact<' %s", path, path);
    CHECK(system(command) == 0);
    end(&f);
}

LONG_TEST(pictures_with_forces_have_their_scale_and_those_without_do_not) {
    Fixture f;
    FATAL(begin(&f, "time: {step: 1 ms, end: 20 ms}\n"
                    "bodies: {ball: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0],\n"
                    "         shapes: [{sphere: {radius: 50 mm}}]}}\n"
                    "constraints: {thread: {kind: attach, a: world, b: ball}}\n"));
    LithePictureOptions options = lithe_picture_options_default();
    char buffer[256], command[400];
    options.width = 160, options.height = 100;
    for (int k = 0; k < 2; k++) {
        options.forces = k == 1;
        const char *path = test_path(&f.folder, "a.svg", buffer);
        CHECK(lithe_export_picture(f.recording, f.recording->frame_count - 1, path, &options,
                                   &f.error) == LITHE_OK);
        // of a force of 2.9 N the legend shows the largest round number up to its half
        snprintf(command, sizeof command, "grep -q '>1 N, constraint<' %s", path);
        CHECK((system(command) == 0) == options.forces);
    }
    CHECK(lithe_export_picture(f.recording, 0, test_path(&f.folder, "a.png", buffer), &options,
                               &f.error) == LITHE_OK);
    end(&f);
}

LONG_TEST(a_mark_is_seen_through_what_hides_other_things) {
    LitheContext *context = lithe_context_create(NULL);
    LithePictureSphere spheres[2] = {
        {.radius = 1, .colour = {0.5, 0.5, 0.5}, .finish = LITHE_PICTURE_SOFT},
        {.radius = 0.2, .colour = {1, 0, 0}, .finish = LITHE_PICTURE_FLAT}};
    LithePicture picture = lithe_picture_default();
    picture.width = picture.height = 64;
    picture.spheres = spheres;
    picture.sphere_count = 2;
    for (int k = 0; k < 2; k++) {
        LitheImage image;
        LitheError error;
        spheres[1].mark = k == 1;
        FATAL(lithe_picture_render(context, &picture, NULL, &image, &error) == LITHE_OK);
        const uint8_t *middle = image.rgba + 4 * (32 * 64 + 32);
        CHECK((middle[0] > 200 && middle[1] < 30) == (k == 1));
        lithe_image_free(context, &image);
    }
    lithe_context_destroy(context);
}

// --- stops ---------------------------------------------------------------------------------------

static bool same_files(const char *a, const char *b) {
    char command[600];
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    return system(command) == 0;
}

// Requests a stop at some allocation: with a checkpoint per step, every step has some.
typedef struct StopLater {
    int64_t left;
    volatile sig_atomic_t flag;
} StopLater;

static void *count_down(size_t bytes, void *user) {
    StopLater *later = user;
    if (--later->left == 0)
        later->flag = 1;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

TEST(a_run_with_contacts_stopped_anywhere_goes_on_to_the_same_bytes) {
    Fixture f;
    FATAL(begin(&f, breaks));
    CHECK(f.recording->row_total > 0);
    StopLater later = {0};
    LitheContextDef context_def = lithe_context_def_default();
    context_def.alloc = count_down;
    context_def.memory_user = &later;
    LitheContext *context = lithe_context_create(&context_def);
    LitheScene *scene = parse(context, breaks, &f.error);
    FATAL(scene);
    char other[256];
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.checkpoint_seconds = 0;
    f.def.stop = &later.flag;
    int stopped = 0;
    for (int64_t at_call = 100; at_call < 3000; at_call += 97) {
        later = (StopLater){.left = at_call};
        LitheSummary summary;
        LitheStatus status = lithe_run(scene, &f.def, &summary, &f.error);
        if (status == LITHE_OK)
            break;
        stopped += summary.steps > 0;
        later = (StopLater){0};
        CHECK(lithe_resume(f.context, other, &f.def, &summary, &f.error) == LITHE_OK);
        CHECK(same_files(f.path, other));
        CHECK(summary.contacts_mean == f.summary.contacts_mean);
    }
    CHECK(stopped >= 3);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    // threads and dropped work do not change a bit, either
    f.def.stop = NULL;
    f.def.threads = 2;
    f.def.drop_work = true;
    CHECK(lithe_run(f.scene, &f.def, &f.summary, &f.error) == LITHE_OK);
    CHECK(same_files(f.path, other));
    end(&f);
}
