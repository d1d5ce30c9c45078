// SPDX-License-Identifier: Apache-2.0
// tests/run/test_topology.c - knots and links of a run: recorded, kept where steps are certified,
// and reported where they change

#include "test.h"

#include "lithe/lithe.h"
#include "record/recording.h"
#include "record/series.h"
#include "record/synthetic.h"
#include "series_at.h"

#include <math.h>

// pulled with contacts as published for this experiment and far too long steps
static const char *const knot =
    "lithe: 1\n"
    "gravity: none\n"
    "time: {step: 1 ms, end: %s, scheme: backward-euler}\n"
    "contact: {single: true, certify: %s}\n"
    "materials:\n"
    "  rubber: {young: 18 MPa, poisson: 0.5, density: 1000, friction: 0, damping: {mass: 1},\n"
    "    contact: {stiffness: 1e5, dissipation: 0.01}}\n"
    "rods:\n"
    "  rope: {material: rubber, section: {circle: {radius: 1.5 mm}}, nodes: 201,\n"
    "    shape: {overhand-knot: {unknotting: 4, length: 1 m}}}\n"
    "drives:\n"
    "  left: {on: rope.start, direction: [-1, 0, 0], speed: 0.4, stiffness: 1e6,\n"
    "    along-only: true}\n"
    "  right: {on: rope.end, direction: [1, 0, 0], speed: 0.4, stiffness: 1e6,\n"
    "    along-only: true}\n"
    "record: {every: 5 ms%s}\n";

// three rings of a chain, and one beside it; the first and the last are thrown apart
static const char *const chain =
    "lithe: 1\n"
    "gravity: none\n"
    "time: {step: 1 ms, end: 60 ms, scheme: backward-euler}\n"
    "contact: {enabled: %s, certify: %s}\n"
    "materials: {nylon: {young: 50 MPa, density: 1000, friction: 0.2,\n"
    "  contact: {stiffness: 2e4, dissipation: 5}}}\n"
    "rods:\n"
    "  ring:\n"
    "    repeat: {i: 4}\n"
    "    material: nylon\n"
    "    section: {circle: {radius: 1 mm}}\n"
    "    shape: {ring: {radius: 10 mm, rotate: {axis: [1, 0, 0], angle: 90 deg*i},\n"
    "      at: [14 mm*i + 7 mm*i*(i - 1)*(i - 2), 0, 0]}}\n"
    "    velocity: [1 m/s*(i - 1), 0, 0]\n"
    "    natural: {from: shape}\n"
    "    nodes: 20\n"
    "record: {every: 5 ms, topology: always}\n";

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheRecording *recording;
    LitheSummary summary;
    LitheRunDef def;
    LitheError error;
    char path[256];
    int warnings;
    char said[4096]; // all warnings, as far as they fit
} Fixture;

static void hear(LitheLogLevel level, const char *text, void *user) {
    Fixture *f = user;
    size_t length = strlen(f->said);
    bool of_trust = strstr(text, "contacts gave") || strstr(text, "not converge");
    if (level != LITHE_LOG_WARNING || of_trust)
        return;
    f->warnings++;
    snprintf(f->said + length, sizeof f->said - length, "%s\n", text);
}

static bool begin(Fixture *f, const char *text) {
    memset(f, 0, sizeof *f);
    LitheContextDef def = lithe_context_def_default();
    def.log = hear;
    def.log_user = f;
    f->context = lithe_context_create(&def);
    f->folder = test_folder();
    f->def = lithe_run_def_default();
    f->def.out = test_path(&f->folder, "a.h5", f->path);
    bool ok = lithe_scene_parse(f->context, text, strlen(text), "a.yaml", NULL, NULL, 0, &f->scene,
                                &f->error) == LITHE_OK &&
              lithe_run(f->scene, &f->def, &f->summary, &f->error) == LITHE_OK &&
              lithe_recording_open(f->context, f->path, &f->recording, &f->error) == LITHE_OK;
    if (!ok)
        printf("  %s\n", f->error.text);
    return ok;
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
}

static double at(Fixture *f, const char *name, int64_t frame) {
    return series_at(f->recording, name, frame);
}

// a coil: `nodes` and `turns` of it
static const char *const coil =
    "lithe: 1\n"
    "gravity: none\n"
    "time: {step: 1 ms, end: 2 ms}\n"
    "contact: {enabled: false}\n"
    "record: {topology: always}\n"
    "materials: {m: {young: 1 MPa, density: 1000 kg/m^3}}\n"
    "rods: {r: {material: m, section: {circle: {radius: 0.01 mm}}, nodes: 900, shape: %s}}\n";

LONG_TEST(a_flat_coil_of_a_hundred_turns_is_watched) {
    Fixture f;
    char text[2000];
    snprintf(text, sizeof text, coil, "{helix: {radius: 0.1 m, pitch: 0.1 mm, turns: 100.3}}");
    FATAL(begin(&f, text));
    CHECK(at(&f, "topology.determinant[0]", -1) == 1);
    CHECK(f.warnings == 0);
    end(&f);
}

LONG_TEST(a_rod_with_too_many_crossings_is_reported_once_and_the_run_goes_on) {
    // chords of a sphere in all directions: every projection has a hundred thousand crossings
    Fixture f;
    static char text[60000], points[50000];
    TestRandom r = {4};
    size_t used = 0;
    for (int i = 0; i < 800; i++)
        used += (size_t)snprintf(points + used, sizeof points - used, "%s[%.4f, %.4f, %.4f]",
                                 i ? ", " : "", test_random(&r, -1, 1), test_random(&r, -1, 1),
                                 test_random(&r, -1, 1));
    char shape[52000];
    snprintf(shape, sizeof shape, "{polyline: {points: [%s]}}", points);
    snprintf(text, sizeof text, coil, shape);
    FATAL(begin(&f, text));
    CHECK_TEXT(f.said, "r: knot");
    CHECK_TEXT(f.said, "undecided");
    CHECK(f.warnings == 1);
    CHECK(at(&f, "topology.determinant[0]", -1) == 0);
    CHECK(f.summary.topology_changes == 0);
    end(&f);
}

LONG_TEST(a_knot_pulled_without_certificate_by_long_steps_is_lost_and_the_run_says_so) {
    Fixture f;
    char text[2000];
    snprintf(text, sizeof text, knot, "0.2 s", "false", "");
    FATAL(begin(&f, text));
    CHECK(at(&f, "topology.determinant[0]", 0) == 9);
    CHECK(at(&f, "topology.determinant[0]", -1) < 9);
    CHECK(f.summary.topology_changes > 0);
    CHECK(at(&f, "topology.changes", -1) == (double)f.summary.topology_changes);
    printf("  %lld changes: %s\n", (long long)f.summary.topology_changes, f.summary.topology_first);
    CHECK_TEXT(f.summary.topology_first, "rope: knot determinant 9 -> ");
    CHECK_TEXT(f.summary.topology_first, " between 0.1");
    CHECK_TEXT(f.said, f.summary.topology_first);
    // the recording keeps it
    CHECK(f.recording->end.totals.topology_changes == f.summary.topology_changes);
    CHECK_TEXT(f.recording->end.totals.topology_first, f.summary.topology_first);
    end(&f);
}

LONG_TEST(the_same_knot_with_certificate_keeps_its_determinant) {
    Fixture f;
    char text[2000];
    snprintf(text, sizeof text, knot, "0.16 s", "true", "");
    FATAL(begin(&f, text));
    for (int64_t k = 0; k < f.recording->frame_count; k++)
        CHECK(at(&f, "topology.determinant[0]", k) == 9);
    CHECK(f.summary.crossings_avoided > 0);
    // only overlaps (the pull is too fast for the springs; the deepest again at the end) and
    // contact.single are warned of
    CHECK(f.summary.topology_changes == 0 && f.warnings <= 4);
    CHECK(f.warnings == 0 || strstr(f.said, "overlap") != NULL);
    CHECK(strstr(f.said, "determinant") == NULL);
    end(&f);
}

TEST(what_is_not_wanted_is_not_computed) {
    Fixture f;
    char text[2000];
    snprintf(text, sizeof text, knot, "0.01 s", "false", ", topology: never");
    FATAL(begin(&f, text));
    CHECK(!lithe_layout_find(&f.recording->layout, "topology/determinant"));
    CHECK(!lithe_layout_find(&f.recording->layout, "topology/changes"));
    end(&f);
}

TEST(rings_of_a_chain_stay_linked_with_contact_and_are_reported_without) {
    for (int with = 0; with < 2; with++) {
        Fixture f;
        char text[2000];
        snprintf(text, sizeof text, chain, with ? "true" : "false", with ? "true" : "false");
        FATAL(begin(&f, text));
        const LitheColumn *pairs = lithe_layout_find(&f.recording->layout, "topology/pairs");
        const LitheColumn *names = lithe_layout_find(&f.recording->layout, "topology/rods");
        FATAL(pairs && pairs->dims[0] == 2 && pairs->dims[1] == 2 && names);
        CHECK_TEXT(names->text, "ring/0\nring/1\nring/2\nring/3");
        CHECK(pairs->values[0] == 0 && pairs->values[1] == 1);
        CHECK(pairs->values[2] == 1 && pairs->values[3] == 2);
        CHECK(fabs(at(&f, "topology.linking[0]", 0)) == 1);
        CHECK(fabs(at(&f, "topology.linking[1]", 0)) == 1);
        CHECK(at(&f, "topology.linked[1]", 0) == 2 && at(&f, "topology.linked[3]", 0) == 0);
        CHECK(fabs(at(&f, "topology.linking[0]", -1)) == with);
        CHECK(fabs(at(&f, "topology.linking[1]", -1)) == with);
        CHECK(at(&f, "topology.linked[1]", -1) == 2 * with);
        CHECK(f.summary.topology_changes == (with ? 0 : 2));
        if (!with)
            CHECK_TEXT(f.summary.topology_first, " and ring/");
        if (!with)
            CHECK_TEXT(f.summary.topology_first, ": linking number ");
        end(&f);
    }
}

// stops at about half the run: what changed before and what changes after it count once
typedef struct Stop {
    volatile sig_atomic_t flag;
} Stop;

static void stop_late(const LitheProgress *progress, void *user) {
    Stop *stop = user;
    stop->flag = progress->time > 0.08;
}

LONG_TEST(a_run_that_goes_on_counts_as_one_that_never_stopped) {
    Fixture f;
    char text[2000], path[256];
    snprintf(text, sizeof text, knot, "0.2 s", "false", "");
    FATAL(begin(&f, text));
    LitheSummary whole = f.summary, part = {0};
    Stop stop = {0};
    f.def.out = test_path(&f.folder, "b.h5", path);
    f.def.progress = stop_late;
    f.def.progress_user = &stop;
    f.def.stop = &stop.flag;
    LitheStatus status = lithe_run(f.scene, &f.def, &part, &f.error);
    bool stopped = status == LITHE_INTERRUPTED;
    printf("  %s at %g s\n", stopped ? "stopped" : "not stopped", part.sim_seconds);
    f.def.stop = NULL;
    FATAL(lithe_resume(f.context, path, &f.def, &part, &f.error) == LITHE_OK);
    CHECK(part.topology_changes == whole.topology_changes);
    CHECK_TEXT(part.topology_first, whole.topology_first);
    CHECK(part.hash == whole.hash);
    end(&f);
}

TEST(deep_overlap_at_the_start_is_reported_and_a_light_touch_is_not) {
    for (int deep = 0; deep < 2; deep++) {
        Fixture f;
        char text[1000];
        snprintf(text, sizeof text,
                 "lithe: 1\n"
                 "time: {step: 1 ms, end: 2 ms}\n"
                 "materials: {m: {young: 1 MPa, density: 1000}}\n"
                 "bodies:\n"
                 "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                 "  ball: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, %g]}\n",
                 deep ? 0.02 : 0.049);
        FATAL(begin(&f, text));
        CHECK(f.warnings == deep);
        if (deep)
            CHECK_TEXT(f.said, "floor and ball overlap by 0.03 m, 60 %");
        end(&f);
    }
}
