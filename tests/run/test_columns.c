// SPDX-License-Identifier: Apache-2.0
// tests/run/test_columns.c - journals of other versions: columns are found by name

#include "run/fixture.h"

#include "base/memory.h"
#include "record/checkpoint.h"
#include "record/layout_map.h"
#include "record/recording.h"

// a rope that lies on the ground: frames have contacts; its knots are watched
static const char text[] =
    "lithe: 1\n"
    "title: Rope\n"
    "time: {step: 1 ms, end: 60 ms}\n"
    "materials:\n"
    "  rubber: {young: 1 MPa, poisson: 0.5, density: 1000 kg/m^3}\n"
    "rods:\n"
    "  rope: {material: rubber, section: {circle: {radius: 5 mm}}, nodes: 8, "
    "shape: {line: {from: [0, 0, 5 mm], to: [0.2 m, 0, 5 mm]}}}\n"
    "bodies:\n"
    "  ground: {material: rubber, fixed: true, shape: {half-space: {}}}\n"
    "record: {every: 2 ms, topology: always}\n";

static bool begin(Fixture *f) {
    fixture_begin(f);
    f->def.checkpoint_seconds = 0;
    bool fine = lithe_scene_parse(f->context, text, strlen(text), NULL, NULL, NULL, 0, &f->scene,
                                  &f->error) == LITHE_OK;
    if (!fine)
        printf("  %s\n", f->error.text);
    return fine;
}

// Stops after about this part of the allocations of a whole run.
static LitheStatus run_part(Fixture *f, int64_t whole, double part) {
    return run_until_allocation(f, (int64_t)(part * (double)whole));
}

// Copies a column of a layout.
static bool copy_column(const LitheColumn *column, LitheLayout *to, LitheError *error) {
    if (column->text)
        return lithe_layout_add_text(to, column->path, column->text, error) == LITHE_OK;
    if (column->values)
        return lithe_layout_add_constant(to, column->path, column->unit, column->axes, column->kind,
                                         column->rank, column->dims, column->values,
                                         error) == LITHE_OK;
    return lithe_layout_add(to, column->path, column->unit, column->axes, column->kind,
                            column->rank, column->dims, error) == LITHE_OK;
}

// Rewrites the journal of a stopped run as a program would have written it that lacks the columns
// `without` and `without_contact_column` and has the column `with` in addition (each may be NULL).
static bool rewrite_journal(Fixture *f, const char *out, const char *without,
                            const char *without_contact_column, const char *with) {
    char journal_path[300], checkpoint_path[300];
    snprintf(journal_path, sizeof journal_path, "%s.journal", out);
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", out);
    LitheJournal from = {0}, to = {0};
    LitheCheckpoint checkpoint = {0};
    LitheLayout layout = {.context = f->context};
    bool fine =
        lithe_journal_open(f->context, journal_path, INT64_MAX, &from, &f->error) == LITHE_OK &&
        lithe_checkpoint_read(f->context, checkpoint_path, &checkpoint, &f->error) == LITHE_OK;
    layout.scene = lithe_alloc_text(f->context, from.layout.scene);
    layout.title = lithe_alloc_text(f->context, from.layout.title);
    layout.version = lithe_alloc_text(f->context, "0.0.1");
    layout.end = from.layout.end;
    // in another order, too: the last comes first
    for (int32_t i = from.layout.column_count - 1; fine && i >= 0; i--)
        if (!without || strcmp(from.layout.columns[i].path, without) != 0)
            fine = copy_column(&from.layout.columns[i], &layout, &f->error);
    if (fine && with)
        fine = lithe_layout_add(&layout, with, "1", "time", LITHE_COLUMN_REAL, 0, NULL,
                                &f->error) == LITHE_OK;
    for (int32_t i = 0; fine && i < from.layout.contact_column_count; i++) {
        const LitheColumn *column = &from.layout.contact_columns[i];
        if (!without_contact_column || strcmp(column->path, without_contact_column) != 0)
            fine =
                lithe_layout_add_contact_column(&layout, column->path, column->unit, column->axes,
                                                column->kind, &f->error) == LITHE_OK;
    }
    LitheLayoutMap map = {.context = f->context};
    double *frame = calloc((size_t)from.layout.frame_size + 1, sizeof *frame);
    fine = fine && frame &&
           (with || lithe_layout_map_create(&from.layout, &layout, &map, &f->error) == LITHE_OK);
    fine =
        fine && lithe_journal_create(f->context, journal_path, &layout, &to, &f->error) == LITHE_OK;
    int64_t cursor = 0;
    for (int64_t k = 0; fine && k < from.frames; k++) {
        fine = lithe_journal_read(&from, &cursor, frame, &f->error) == LITHE_OK;
        const double *values = frame, *rows = from.rows;
        int64_t row_count = from.row_count;
        fine = fine && lithe_layout_map_apply(&map, &values, &rows, &row_count) &&
               lithe_journal_append(&to, values, rows, row_count, &f->error) == LITHE_OK;
    }
    checkpoint.journal_mark = to.mark;
    checkpoint.journal_offset = to.offset;
    fine = fine &&
           lithe_checkpoint_write(f->context, checkpoint_path, &checkpoint, &f->error) == LITHE_OK;
    free(frame);
    lithe_layout_map_release(&map);
    lithe_layout_release(&layout);
    lithe_checkpoint_release(f->context, &checkpoint);
    lithe_journal_close(&from);
    lithe_journal_close(&to);
    return fine;
}

// Every number of every column of `part` is that of `whole`.
static void check_same_columns(LitheContext *context, const char *part, const char *whole) {
    LitheRecording *a = NULL, *b = NULL;
    LitheError error = {0};
    FATAL(lithe_recording_open(context, part, &a, &error) == LITHE_OK);
    FATAL(lithe_recording_open(context, whole, &b, &error) == LITHE_OK);
    CHECK(a->frame_count == b->frame_count && a->row_total == b->row_total && a->row_total > 0);
    CHECK(a->end.hash == b->end.hash && a->end.complete);
    double one[4096], two[4096];
    for (int32_t i = 0; i < a->layout.contact_column_count; i++) {
        const LitheColumn *column = &a->layout.contact_columns[i];
        const LitheColumn *other = lithe_layout_find_contact_column(&b->layout, column->path);
        FATAL(other && a->row_total * column->count <= 4096);
        CHECK(lithe_recording_read_rows(a, column, 0, a->row_total, one, &error) == LITHE_OK);
        CHECK(lithe_recording_read_rows(b, other, 0, a->row_total, two, &error) == LITHE_OK);
        CHECK(memcmp(one, two, (size_t)(a->row_total * column->count) * sizeof(double)) == 0);
    }
    for (int32_t i = 0; i < a->layout.column_count; i++) {
        const LitheColumn *column = &a->layout.columns[i];
        const LitheColumn *other = lithe_layout_find(&b->layout, column->path);
        FATAL(other && column->count == other->count && column->count <= 4096);
        for (int64_t k = 0; column->offset >= 0 && k < a->frame_count; k++) {
            CHECK(lithe_recording_read(a, column, k, 1, one, &error) == LITHE_OK);
            CHECK(lithe_recording_read(b, other, k, 1, two, &error) == LITHE_OK);
            CHECK(memcmp(one, two, (size_t)column->count * sizeof(double)) == 0);
        }
    }
    lithe_recording_close(a);
    lithe_recording_close(b);
}

TEST(a_journal_that_lacks_a_column_goes_on_without_it) {
    Fixture f;
    FATAL(begin(&f));
    char other[256];
    int64_t before = f.allocations;
    FATAL(run(&f) == LITHE_OK);
    f.def.out = test_path(&f.folder, "b.h5", other);
    FATAL(run_part(&f, f.allocations - before, 0.8) == LITHE_INTERRUPTED);
    CHECK(f.summary.frames > 2 && f.summary.frames < 31);
    FATAL(rewrite_journal(&f, other, "report/newton_iterations", "contacts/gap", NULL));
    if (!CHECK(lithe_resume(f.context, other, &f.def, &f.summary, &f.error) == LITHE_OK))
        printf("  %s\n", f.error.text);
    check_same_columns(f.context, other, f.out);
    CHECK(f.summary.frames == 31);
    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(f.context, other, &recording, &f.error) == LITHE_OK);
    CHECK(!lithe_layout_find(&recording->layout, "report/newton_iterations"));
    CHECK(!lithe_layout_find_contact_column(&recording->layout, "contacts/gap"));
    CHECK(lithe_layout_find(&recording->layout, "time"));
    lithe_recording_close(recording);
    end(&f);
}

TEST(a_journal_with_an_unknown_column_is_refused_by_its_name_and_kept) {
    Fixture f;
    FATAL(begin(&f));
    volatile sig_atomic_t stop = 1;
    f.def.stop = &stop;
    FATAL(run(&f) == LITHE_INTERRUPTED);
    f.def.stop = NULL;
    FATAL(rewrite_journal(&f, f.out, NULL, NULL, "report/of_the_future"));
    CHECK(lithe_resume(f.context, f.out, &f.def, NULL, &f.error) == LITHE_NOT_SUPPORTED);
    CHECK_TEXT(f.error.text, "'report/of_the_future'");
    CHECK(is_there(&f, "a.h5.journal") && is_there(&f, "a.h5.checkpoint"));
    int64_t frames = 0;
    CHECK(lithe_recover(f.context, f.out, &frames, &f.error) == LITHE_OK && frames == 1);
    end(&f);
}
