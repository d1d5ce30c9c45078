// SPDX-License-Identifier: Apache-2.0
// tests/run/test_knots.c - what is tied: knots of curves through strands of rods

#include "test.h"

#include "data/model.h"
#include "lithe/lithe.h"
#include "math/quat.h"
#include "record/frame.h"

#include <stdarg.h>
#include <stdlib.h>

// --- scenes --------------------------------------------------------------------------------------

typedef struct Text {
    char at[60000];
    int length;
} Text;

static void put(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text->length += vsnprintf(text->at + text->length, sizeof text->at - (size_t)text->length,
                              format, arguments);
    va_end(arguments);
}

typedef struct Line {
    Vec3 points[400];
    int count, apex; // apex: node of the middle of a loop, else the last
} Line;

static void add(Line *line, Vec3 point) {
    line->points[line->count++] = point;
}

// half turns of two strands about each other along y at height z: one runs from low left to high
// right, the other (`back`) from low right to high left, for an odd number of them
static void add_twist(Line *line, int half_turns, double z, bool back) {
    for (int i = 0; i <= 40; i++) {
        double y = (back ? -1 : 1) * (-1 + 2 * i / 40.0);
        double angle = M_PI + M_PI * half_turns * (y + 1) / 2 + (back ? M_PI : 0);
        add(line, v3(0.3 * sin(angle), y, z + 0.3 * cos(angle)));
    }
}

// half turns of the laces, and above them half turns of their ends, or of their loops (a bow)
static void make_laces(Line laces[2], int first, int second, bool loops) {
    for (int k = 0; k < 2; k++) {
        Line *lace = &laces[k];
        lace->count = 0;
        add_twist(lace, first, 0, k == 1);
        int begin = lace->count;
        if (second)
            add_twist(lace, second, 3, k == 0);
        double side = (second != 0) == (k == 1) ? 1 : -1; // where the end is
        add(lace, v3(0, 1.5 * side, (second ? 3.3 : 0.3)));
        lace->apex = lace->count - 1;
        for (int i = lace->apex - 1; loops && i >= begin; i--)
            add(lace, v3_add(lace->points[i], v3(0.05, 0, 0.06)));
        if (loops)
            add(lace, v3(0.05, -1.8 * side, 2.5));
    }
}

static void put_rod(Text *text, const char *name, const Line *line, Quat turn, Vec3 shift) {
    put(text, "  %s: {material: soft, self-contact: false, mask: none, section: {circle: ", name);
    put(text, "{radius: 10 mm}}, shape: {polyline: {points: [");
    for (int i = 0; i < line->count; i++) {
        Vec3 x = v3_add(q4_rotate(turn, line->points[i]), shift);
        put(text, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", x.x, x.y, x.z);
    }
    put(text, "]}}}\n");
}

static void put_laces(Text *text, const Line laces[2], Vec3 turn) {
    *text = (Text){.length = 0};
    put(text, "lithe: 1\ntime: {step: 1 ms, end: 2 ms}\nmaterials: {soft: {young: 1 MPa, density: "
              "1000 kg/m^3}}\nrods:\n");
    put_rod(text, "left", &laces[0], q4_exp(turn), v3(0.1, -0.2, 7));
    put_rod(text, "right", &laces[1], q4_exp(turn), v3(0.1, -0.2, 7));
    put(text,
        "knots:\n  apexes: {through: [left.start, \"left[%d]\", \"right[%d]\", right.start]}\n",
        laces[0].apex, laces[1].apex);
    put(text, "  ends: {through: [left.start, left.end, right.end, right.start]}\n");
}

// --- reading -------------------------------------------------------------------------------------

typedef struct Fixture {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheError error;
} Fixture;

static LitheStatus begin(Fixture *f, const char *text) {
    *f = (Fixture){.context = lithe_context_create(NULL)};
    LitheStatus status = lithe_scene_parse(f->context, text, strlen(text), "a.yaml", NULL, NULL, 0,
                                           &f->scene, &f->error);
    return status == LITHE_OK ? lithe_compile(f->scene, &f->model, &f->state, &f->error) : status;
}

static void end(Fixture *f) {
    lithe_state_destroy(f->state);
    lithe_model_destroy(f->model);
    lithe_scene_destroy(f->scene);
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
}

static LitheKnotReading reading(Fixture *f, const char *name) {
    LitheKnotReading now = {0};
    LitheKnotId knot = lithe_knot_find(f->model, name);
    if (CHECK(knot.number > 0))
        CHECK(lithe_knot_read(f->model, f->state, knot, &now, &f->error) == LITHE_OK);
    return now;
}

// laces that were made as written, seen from everywhere
static const struct {
    int first, second;
    bool loops;
    int apexes, ends, signature; // signature of the apexes
} made[] = {
    {1, 0, false, 1, 1, 0},  // crossed once
    {3, 0, false, 3, 3, -2}, // a half-knot
    {-3, 0, false, 3, 3, 2}, // of the other hand
    {1, 3, true, 3, 1, -2},  // a half-knot of loops: a bow that holds alone
    {-1, -3, true, 3, 1, 2}, //
    {3, 3, true, 9, 3, -4},  // a bow tied as a granny knot
    {3, -3, true, 9, 3, 0},  // a bow tied as a square knot
    {-3, -3, true, 9, 3, 4}, //
    {3, -3, false, 9, 9, 0}, // a square knot
    {5, 0, false, 5, 5, -4}, // a surgeon's half-knot
};

TEST(square_and_granny_bows_and_half_knots_differ) {
    static Text text;
    static Line laces[2];
    TestRandom r = {2};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        for (int view = 0; view < 10; view++) {
            make_laces(laces, made[k].first, made[k].second, made[k].loops);
            // up stays up: a turn about z, after the first view any small tilt
            put_laces(&text, laces,
                      v3(view ? test_random(&r, -0.1, 0.1) : 0,
                         view ? test_random(&r, -0.1, 0.1) : 0, test_random(&r, -3, 3)));
            Fixture f;
            if (!CHECK(begin(&f, text.at) == LITHE_OK))
                printf("  %s\n", f.error.text);
            LitheKnotReading apexes = reading(&f, "apexes"), ends = reading(&f, "ends");
            if (apexes.determinant != made[k].apexes || apexes.signature != made[k].signature ||
                ends.determinant != made[k].ends)
                printf("  %d %d: (%lld, %lld), signature %d\n", made[k].first, made[k].second,
                       (long long)apexes.determinant, (long long)ends.determinant,
                       apexes.signature);
            CHECK(apexes.determinant == made[k].apexes && ends.determinant == made[k].ends);
            CHECK(apexes.signature == made[k].signature);
            CHECK(apexes.clearance > 0);
            end(&f);
        }
}

static const char *const rope =
    "lithe: 1\ntime: {step: 1 ms, end: 3 ms}\n"
    "materials: {soft: {young: 1 MPa, density: 1000 kg/m^3}}\n"
    "rods: {rope: {material: soft, section: {circle: {radius: 2 mm}}, nodes: 301,\n"
    "  shape: {overhand-knot: {length: 1, unknotting: 2}}},\n"
    " ring: {material: soft, section: {circle: {radius: 2 mm}}, nodes: 40,\n"
    "  shape: {ring: {radius: 1, at: [0, 0, 3]}}}}\n"
    "knots:\n"
    "  whole: {through: [rope.start, rope.end]}\n"
    "  back: {through: [rope.end, rope.start], joined: above}\n"
    "  part: {through: [rope.start, \"rope.at(0.3)\"]}\n"
    "  ring: {through: [ring.start, ring.start], joined: straight}\n";

TEST(strands_run_either_way_in_part_or_round_a_closed_rod) {
    Fixture f;
    if (!CHECK(begin(&f, rope) == LITHE_OK))
        printf("  %s\n", f.error.text);
    LitheKnotReading whole = reading(&f, "whole"), back = reading(&f, "back");
    CHECK(whole.determinant == 5 && abs(whole.signature) == 4 && whole.clearance > 0);
    CHECK(back.determinant == 5 && back.signature == whole.signature);
    CHECK(reading(&f, "part").determinant == 1);
    CHECK(reading(&f, "ring").determinant == 1);
    CHECK(lithe_knot_count(f.model) == 4 && lithe_knot_find(f.model, "none").number == 0);
    end(&f);
}

typedef struct Heard {
    int count;
    char text[300];
} Heard;

static void hear(LitheLogLevel level, const char *text, void *user) {
    Heard *heard = user;
    if (level == LITHE_LOG_WARNING && strstr(text, "joins strands")) {
        heard->count++;
        snprintf(heard->text, sizeof heard->text, "%s", text);
    }
}

// runs a scene and listens to warnings of joining lines
static Heard run(const char *text) {
    Heard heard = {0};
    LitheContextDef with = lithe_context_def_default();
    with.log = hear;
    with.log_user = &heard;
    LitheContext *context = lithe_context_create(&with);
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheRunDef def = lithe_run_def_default();
    LitheSummary summary;
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", NULL, NULL, 0, &scene, &error) ==
          LITHE_OK);
    CHECK(lithe_run(scene, &def, &summary, &error) == LITHE_OK);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return heard;
}

TEST(a_joining_line_that_passes_through_a_strand_has_no_clearance_and_is_warned_of_once) {
    Fixture f;
    // an edge from (2, 0) to (2, 2), and a line from (4, 2) to (0, 0)
    const char *text =
        "lithe: 1\ntime: {step: 1 ms, end: 3 ms}\nrecord: {every: 1 ms}\n"
        "materials: {soft: {young: 1 MPa, density: 1000 kg/m^3}}\n"
        "rods: {rope: {material: soft, section: {circle: {radius: 2 mm}}, nodes: 5,\n"
        " shape: {polyline: {points: [[0, 0, 0], [2, 0, 0], [2, 2, 0], [4, 3, 0],"
        " [4, 2, 0.001]]}}}}\n"
        "knots: {k: {through: [rope.start, rope.end], joined: straight}, "
        "l: {through: [rope.start, rope.end]}}\n";
    if (!CHECK(begin(&f, text) == LITHE_OK))
        printf("  %s\n", f.error.text);
    CHECK_NEAR(reading(&f, "k").clearance, 0.0005 - 0.002, 1e-5);
    CHECK(reading(&f, "l").clearance > 0.1);
    end(&f);
    Heard heard = run(text);
    CHECK(heard.count == 1);
    CHECK_TEXT(heard.text, "at 0 s a line that joins strands of knot 'k'");
    CHECK(run(rope).count == 0);
}

TEST(knots_are_recorded_and_serve_as_goals) {
    Fixture f;
    FATAL(begin(&f, rope) == LITHE_OK);
    LitheLayout layout = {.context = f.context};
    LitheFrameMap map = {.context = f.context};
    LitheRecordDef record = lithe_record_def_default();
    CHECK(lithe_frame_layout(f.model, &record, &layout, &map, &f.error) == LITHE_OK);
    double *frame = calloc((size_t)layout.frame_size, sizeof *frame);
    LitheWork *work = lithe_work_create(f.model, 1);
    LitheReport report = {0};
    LitheFrameSource source = {.model = f.model, .state = f.state, .work = work, .report = &report};
    LitheEnergy energy;
    CHECK(lithe_frame_fill(&source, &map, frame, &energy, &f.error) == LITHE_OK);
    const struct {
        const char *path;
        double value;
    } columns[] = {{"knots/whole/determinant", 5},
                   {"knots/whole/signature", reading(&f, "whole").signature},
                   {"knots/whole/crossings", reading(&f, "whole").crossings},
                   {"knots/whole/clearance", reading(&f, "whole").clearance},
                   {"knots/part/determinant", 1}};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const LitheColumn *column = lithe_layout_find(&layout, columns[k].path);
        if (CHECK(column))
            CHECK(frame[column->offset] == columns[k].value);
    }
    free(frame);
    lithe_work_destroy(work);
    lithe_layout_release(&layout);
    lithe_frame_map_release(&map);
    end(&f);
}

TEST(wrong_knots_are_refused_by_name) {
    static const struct {
        const char *knot, *message;
    } wrong[] = {
        {"{through: [rope.start]}", "has 1 places, must have two for each strand"},
        {"{through: [rope.start, ring.start]}", "its strand starts on rod 'rope'"},
        {"{through: [rope.start, world]}", "is no place on a rod"},
        {"{through: [rope.start, \"rope[400]\"]}", "is node 400 of rod 'rope'"},
        {"{through: [rope.start, \"rope[0]\"]}", "starts and ends at node 0 of rod 'rope'"},
        {"{through: [rope.start, rope.end], joined: up}", "joined"},
        {"{through: [rope.start, {on: rope.end, at: [0, 0, 1]}]}", "takes no at"},
        {"{joined: above}", "through is missing"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[2000];
        const char *knots = strstr(rope, "knots:");
        snprintf(text, sizeof text, "%.*sknots: {k: %s}\n", (int)(knots - rope), rope,
                 wrong[k].knot);
        Fixture f;
        CHECK(begin(&f, text) == LITHE_BAD_INPUT);
        CHECK_TEXT(f.error.text, wrong[k].message);
        CHECK_TEXT(f.error.text, "a.yaml:8:");
        end(&f);
    }
}

TEST(reading_a_knot_leaves_nothing_behind_at_any_failed_allocation) {
    Fixture f;
    FATAL(begin(&f, rope) == LITHE_OK);
    size_t before = lithe_context_bytes(f.context);
    int failures = 0;
    for (int at = 1; at < 200; at++) {
        LitheKnotReading now = {.determinant = -7};
        lithe_context_fail_at(f.context, at);
        LitheStatus status = lithe_knot_read(f.model, f.state, (LitheKnotId){1}, &now, &f.error);
        CHECK(lithe_context_bytes(f.context) == before);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY && now.determinant == -7);
        failures++;
    }
    CHECK(failures >= 8 && failures < 199);
    end(&f);
}
