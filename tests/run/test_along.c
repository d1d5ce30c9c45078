// SPDX-License-Identifier: Apache-2.0
// tests/run/test_along.c - quantities along a rod at a moment

#include "test.h"

#include "record/synthetic.h"

#include "lithe/lithe.h"
#include "record/along.h"

#include <math.h>

// a rope that hangs straight down: the tension is the weight below
static const char *const hangs =
    "lithe: 1\n"
    "time: {step: 0.1 s, end: 0.2 s, scheme: static}\n"
    "materials: {nylon: {young: 500 MPa, density: 1000 kg/m^3}}\n"
    "rods:\n"
    "  rope: {material: nylon, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
    "         shape: {line: {from: [0, 0, 1], to: [0, 0, 0]}}}\n"
    "  ring: {material: nylon, section: {circle: {radius: 5 mm}}, nodes: 12,\n"
    "         shape: {ring: {radius: 10 cm, at: [1, 0, 0]}}}\n"
    "holds: {top: {on: rope.start}, a: {on: ring.start}, b: {on: ring.node(4)}, c: {on: "
    "ring.node(8)}}\n"
    "record: {every: 0.1 s}\n";

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheRecording *recording;
    LitheError error;
} Fixture;

static bool begin(Fixture *f) {
    char path[256];
    LitheSummary summary;
    memset(f, 0, sizeof *f);
    f->context = lithe_context_create(NULL);
    f->folder = test_folder();
    LitheRunDef def = lithe_run_def_default();
    def.out = test_path(&f->folder, "a.h5", path);
    bool good = lithe_scene_parse(f->context, hangs, strlen(hangs), "a.yaml", NULL, NULL, 0,
                                  &f->scene, &f->error) == LITHE_OK &&
                lithe_run(f->scene, &def, &summary, &f->error) == LITHE_OK &&
                lithe_recording_open(f->context, path, &f->recording, &f->error) == LITHE_OK;
    if (!good)
        printf("  %s\n", f->error.text);
    return good;
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
}

TEST(tension_of_a_hanging_rope_is_the_weight_below) {
    Fixture f;
    FATAL(begin(&f));
    LitheAlong along;
    FATAL(lithe_recording_along(f.recording, "rope.tension", 0.19, &along, &f.error) == LITHE_OK);
    CHECK(along.count == 10 && along.series_count == 1);
    CHECK_NEAR(along.time, 0.2, 1e-12);
    CHECK(strcmp(along.unit, "N") == 0 && strcmp(along.label, "tension [N]") == 0);
    CHECK(strcmp(along.series[0].name, "rope.tension") == 0);
    double weight = 1000 * M_PI * 25e-6 * 9.81;
    for (int i = 0; i < along.count; i++) {
        // half an edge of mass belongs to each node; that of the outermost edge is that at the hold
        double below = i == 0 ? 1 : 0.95 - 0.1 * i;
        CHECK_NEAR(along.series[0].values[i], weight * below, 1e-5 * weight);
        CHECK_NEAR(along.x[i], 0.05 + 0.1 * i, 1e-4);
    }
    lithe_along_release(&along);
    end(&f);
}

TEST(vectors_give_a_line_for_each_component_or_one) {
    Fixture f;
    FATAL(begin(&f));
    LitheAlong along;
    FATAL(lithe_recording_along(f.recording, "rope.position", 0, &along, &f.error) == LITHE_OK);
    CHECK(along.count == 11 && along.series_count == 3);
    CHECK(strcmp(along.series[2].name, "rope.position.z") == 0);
    CHECK_NEAR(along.series[2].values[0], 1, 1e-9);
    lithe_along_release(&along);
    FATAL(lithe_recording_along(f.recording, "ring.position.x", 0, &along, &f.error) == LITHE_OK);
    CHECK(along.count == 12 && along.series_count == 1);
    CHECK(along.x[0] == 0);
    lithe_along_release(&along);
    FATAL(lithe_recording_along(f.recording, "ring.tension", 0, &along, &f.error) == LITHE_OK);
    CHECK(along.count == 12 && along.x[0] > 0);
    lithe_along_release(&along);
    end(&f);
}

TEST(what_does_not_lie_along_a_rod_is_refused) {
    Fixture f;
    FATAL(begin(&f));
    LitheAlong along;
    const char *const wrong[][2] = {
        {"rop.tension", "no rod named 'rop'"},
        {"rope", "has no values along rod 'rope'; there are curvature, director, position"},
        {"rope.tensoin", "'tensoin' has no values along rod 'rope'"},
        {"rope.tension.x", "'x' cannot follow tension along a rod; what can: nothing"},
        {"rope.position.m1", "'m1' cannot follow position along a rod; what can: .x .y .z"},
        {"energy.kinetic", "no rod named 'energy'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(lithe_recording_along(f.recording, wrong[i][0], 0, &along, &f.error) ==
              LITHE_BAD_INPUT);
        if (!CHECK(strstr(f.error.text, wrong[i][1]) != NULL))
            printf("  %s\n", f.error.text);
    }
    end(&f);
}
