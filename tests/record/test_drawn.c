// SPDX-License-Identifier: Apache-2.0
// tests/record/test_drawn.c - tubes, surfaces, balls and bodies of a recording, whole and damaged

#include "test.h"

#include "record/export.h"
#include "record/recording.h"
#include "record/series.h"
#include "record/synthetic.h"

#include <math.h>

// A recording of three frames with one of each, at NAME in the folder.
static bool make(LitheContext *context, const TestFolder *folder, const char *name) {
    char buffer[256], journal_room[256];
    LitheLayout layout;
    LitheJournal journal = {0};
    LitheError error = {0};
    double frame[128];
    bool fine = synthetic_layout(context, &layout) && synthetic_drawn(&layout) &&
                layout.frame_size <= 128 &&
                lithe_journal_create(context, test_path(folder, "journal", journal_room), &layout,
                                     &journal, &error) == LITHE_OK;
    for (int64_t k = 0; fine && k < 3; k++) {
        synthetic_frame(&journal.layout, k, frame);
        fine = lithe_journal_append(&journal, frame, NULL, 0, &error) == LITHE_OK;
    }
    fine = fine &&
           lithe_recording_write(&journal, test_path(folder, name, buffer), &error) == LITHE_OK;
    lithe_journal_close(&journal);
    return fine;
}

TEST(every_kind_that_is_drawn_comes_back_with_its_columns) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    LitheRecording *r = NULL;
    LitheError error = {0};
    FATAL(make(context, &folder, "a.h5"));
    FATAL(lithe_recording_open(context, test_path(&folder, "a.h5", buffer), &r, &error) ==
          LITHE_OK);
    FATAL(r->tube_count == 1 && r->surface_count == 2 && r->balls_count == 1 && r->body_count == 1);
    CHECK_TEXT(r->tubes[0].folder, "rods");
    CHECK_TEXT(r->tubes[0].name, "rope");
    CHECK_TEXT(r->surfaces[0].folder, "shells");
    CHECK_TEXT(r->surfaces[0].name, "cloth");
    CHECK_TEXT(r->surfaces[1].folder, "solids");
    CHECK_TEXT(r->surfaces[1].name, "pad");
    CHECK(r->surfaces[1].point_count == SYNTHETIC_POINTS);
    FATAL(r->surfaces[1].triangle_count == SYNTHETIC_TRIANGLES);
    for (int i = 0; i < 3 * SYNTHETIC_TRIANGLES; i++)
        CHECK(r->surfaces[1].triangles[i] == synthetic_triangles[i]);
    CHECK_TEXT(r->balls[0].folder, "particles");
    CHECK_TEXT(r->balls[0].name, "grains");
    FATAL(r->balls[0].count == SYNTHETIC_PARTICLES);
    CHECK(memcmp(r->balls[0].radii, synthetic_radii, sizeof synthetic_radii) == 0);

    double x[3 * SYNTHETIC_PARTICLES];
    const LitheColumn *position = lithe_recording_column(r, "particles", "grains", "position");
    const LitheColumn *mass = lithe_recording_column(r, "particles", "grains", "mass");
    FATAL(position && mass && mass->values && mass->values[1] == 8);
    CHECK(lithe_recording_read(r, position, 2, 1, x, &error) == LITHE_OK && x[1] == x[0] + 1);
    CHECK(lithe_recording_column(r, "particles", "grains", "velocity") == NULL);
    lithe_recording_close(r);
    CHECK(lithe_context_bytes(context) == 0);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(things_are_found_by_name_in_whatever_order_they_are_listed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheLayout layout;
    LitheRecording *r = NULL;
    LitheError error = {0};
    FATAL(synthetic_layout(context, &layout) && synthetic_drawn(&layout));
    FATAL(lithe_recording_of_layout("a", &layout, &r, &error) == LITHE_OK);
    const LitheRecordingThing expected[] = {{LITHE_DRAWN_BODY, 0},    {LITHE_DRAWN_BALLS, 0},
                                            {LITHE_DRAWN_NONE, -1},   {LITHE_DRAWN_TUBE, 0},
                                            {LITHE_DRAWN_SURFACE, 0}, {LITHE_DRAWN_SURFACE, 1}};
    CHECK(r->thing_count == 6);
    for (int i = 0; i < 6; i++) {
        LitheRecordingThing thing = lithe_recording_thing(r, i);
        CHECK(thing.drawn == expected[i].drawn && thing.index == expected[i].index);
    }
    const double none[] = {-1, 6, NAN, INFINITY, 1e300};
    for (int i = 0; i < 5; i++)
        CHECK(lithe_recording_thing(r, none[i]).drawn == LITHE_DRAWN_NONE);
    lithe_recording_close(r);
    lithe_context_destroy(context);
}

TEST(a_table_of_particles_has_their_means) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], csv[256], head[1024] = "";
    LitheRecording *r = NULL;
    LitheError error = {0};
    FATAL(make(context, &folder, "a.h5"));
    FATAL(lithe_recording_open(context, test_path(&folder, "a.h5", buffer), &r, &error) ==
          LITHE_OK);
    test_path(&folder, "a.csv", csv);
    if (!CHECK(lithe_export_csv(r, csv, NULL, 0, &error) == LITHE_OK))
        printf("  %s\n", error.text);
    FILE *file = fopen(csv, "r");
    FATAL(file != NULL);
    CHECK(fgets(head, sizeof head, file) != NULL);
    fclose(file);
    CHECK(strstr(head, "grains.position.x.mean [m]") != NULL);
    CHECK(strstr(head, "rope.start.position.x [m]") != NULL);
    lithe_recording_close(r);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// --- damaged -------------------------------------------------------------------------------------

/// A column that replaces the valid one of SHELL or GRAINS.
typedef struct Damage {
    const char *path, *axes;
    LitheColumnKind kind;
    int32_t rank;
    int64_t dims[2];
    double values[6];  // of a constant
    const char *place; // of the message
} Damage;

static const Damage damages[] = {
    // points that do not move, have no third coordinate, are too few
    {"shells/a/position", "point xyz", LITHE_COLUMN_REAL, 2, {2, 3}, {0}, "shells/a/position"},
    {"shells/a/position", "time point xy", LITHE_COLUMN_REAL, 2, {4, 2}, {0}, "shells/a/position"},
    {"shells/a/position", "time point xyz", LITHE_COLUMN_REAL, 2, {2, 3}, {0}, "shells/a/position"},
    {"shells/a/position", "time xyz", LITHE_COLUMN_REAL, 1, {3, 1}, {0}, "shells/a/position"},
    {"particles/a/position", "time particle", LITHE_COLUMN_REAL, 1, {3, 1}, {0}, "a/position"},
    // triangles with points that do not exist, that are not whole, that are not three
    {"shells/a/triangles", "triangle corner", LITHE_COLUMN_REAL, 2, {1, 3}, {0, 1, 4}, "triangles"},
    {"shells/a/triangles",
     "triangle corner",
     LITHE_COLUMN_REAL,
     2,
     {1, 3},
     {0, 1, -1},
     "triangles"},
    {"shells/a/triangles",
     "triangle corner",
     LITHE_COLUMN_REAL,
     2,
     {1, 3},
     {0, 1, 1.5},
     "triangles"},
    {"shells/a/triangles",
     "triangle corner",
     LITHE_COLUMN_REAL,
     2,
     {1, 3},
     {0, 1, NAN},
     "triangles"},
    {"shells/a/triangles", "triangle corner", LITHE_COLUMN_REAL, 2, {1, 2}, {0, 1}, "triangles"},
    {"shells/a/triangles", "corner", LITHE_COLUMN_REAL, 1, {3, 1}, {0, 1, 2}, "triangles"},
    {"shells/a/triangles", "time triangle corner", LITHE_COLUMN_REAL, 2, {1, 3}, {0}, "triangles"},
    {"shells/a/other", "", LITHE_COLUMN_REAL, 0, {1, 1}, {0}, "triangles"},
    // radii of another number of particles, none, not positive, not finite
    {"particles/a/radius", "particle", LITHE_COLUMN_REAL, 1, {2, 1}, {1, 1}, "radius"},
    {"particles/a/radius", "particle", LITHE_COLUMN_REAL, 1, {3, 1}, {1, 0, 1}, "radius"},
    {"particles/a/radius", "particle", LITHE_COLUMN_REAL, 1, {3, 1}, {1, NAN, 1}, "radius"},
    {"particles/a/radius", "particle", LITHE_COLUMN_REAL, 1, {3, 1}, {1, INFINITY, 1}, "radius"},
    {"particles/a/radius", "time particle", LITHE_COLUMN_REAL, 1, {3, 1}, {0}, "radius"},
    {"particles/a/other", "", LITHE_COLUMN_REAL, 0, {1, 1}, {0}, "radius"},
};

static LitheStatus add(LitheLayout *layout, const char *path, const char *axes,
                       LitheColumnKind kind, int32_t rank, const int64_t *dims,
                       const double *values, LitheError *error) {
    if (strncmp(axes, "time", 4) == 0)
        return lithe_layout_add(layout, path, "1", axes, kind, rank, dims, error);
    return lithe_layout_add_constant(layout, path, "1", axes, kind, rank, dims, values, error);
}

TEST(what_is_drawn_by_damaged_columns_is_refused_by_name) {
    const int64_t points[2] = {4, 3}, triangles[2] = {1, 3}, particles[2] = {3, 3};
    const double corners[3] = {0, 1, 3}, radii[3] = {1, 2, 3};
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        const Damage *d = &damages[k];
        LitheContext *context = lithe_context_create(NULL);
        LitheLayout layout = {.context = context};
        LitheError error = {0};
        LitheRecording *r = NULL;
        bool shell = d->path[0] == 's';
        const char *position = shell ? "shells/a/position" : "particles/a/position";
        const char *other = shell ? "shells/a/triangles" : "particles/a/radius";
        bool missing = strstr(d->path, "/other") != NULL;
        FATAL(add(&layout, d->path, d->axes, d->kind, d->rank, d->dims, d->values, &error) ==
              LITHE_OK);
        if (strcmp(d->path, position) != 0)
            FATAL(lithe_layout_add(&layout, position, "m", "time point xyz", LITHE_COLUMN_REAL, 2,
                                   shell ? points : particles, &error) == LITHE_OK);
        if (!missing && strcmp(d->path, other) != 0)
            FATAL(add(&layout, other, shell ? "triangle corner" : "particle", LITHE_COLUMN_REAL,
                      shell ? 2 : 1, shell ? triangles : particles, shell ? corners : radii,
                      &error) == LITHE_OK);
        bool refused = lithe_recording_of_layout("a.h5", &layout, &r, &error) == LITHE_BAD_INPUT;
        if (!CHECK(refused && strstr(error.text, d->place) && strstr(error.text, "a.h5: damaged")))
            printf("  %s %s: %s\n", d->path, d->axes, error.text);
        lithe_recording_close(r);
        lithe_layout_release(&layout);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
}

TEST(running_out_of_memory_while_opening_leaves_nothing_behind) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    FATAL(make(context, &folder, "a.h5"));
    test_path(&folder, "a.h5", buffer);
    bool fine = false;
    for (int64_t n = 1; !fine && n < 2000; n++) {
        LitheRecording *r = NULL;
        LitheError error = {0};
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_recording_open(context, buffer, &r, &error);
        lithe_context_fail_at(context, 0);
        fine = status == LITHE_OK;
        CHECK(fine || status == LITHE_NO_MEMORY || status == LITHE_BAD_INPUT);
        lithe_recording_close(r);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(fine);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}
