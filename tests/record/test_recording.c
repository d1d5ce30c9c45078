// SPDX-License-Identifier: Apache-2.0
// tests/record/test_recording.c - the HDF5 file: what was written is read, and damaged files are
// refused

#include "test.h"

#include "base/hash.h"
#include "record/recording.h"
#include "record/recording_frames.h"
#include "record/synthetic.h"
#include "record/whole_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

// Makes NAME in the folder from a synthetic journal.
static bool make(LitheContext *context, const TestFolder *folder, const char *name,
                 int64_t frames) {
    char journal_room[256], buffer[256];
    LitheJournal journal = {0};
    LitheError error = {0};
    if (!synthetic_journal(context, test_path(folder, "journal", journal_room), frames, &journal))
        return false;
    LitheJournalEnd end = {
        .complete = true, .time = 1, .hash = 0xfedcba9876543210u, .totals = {.steps = 10}};
    bool fine =
        lithe_journal_append_end(&journal, &end, &error) == LITHE_OK &&
        lithe_recording_write(&journal, test_path(folder, name, buffer), &error) == LITHE_OK;
    if (!fine)
        printf("  %s\n", error.text);
    lithe_journal_close(&journal);
    return fine;
}

TEST(every_value_of_every_frame_comes_back) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const int64_t counts[] = {1, 2, 1000};
    for (int c = 0; c < 3; c++) {
        FATAL(make(context, &folder, "a.h5", counts[c]));
        LitheRecording *recording = NULL;
        LitheError error = {0};
        FATAL(lithe_recording_open(context, test_path(&folder, "a.h5", buffer), &recording,
                                   &error) == LITHE_OK);
        CHECK(recording->frame_count == counts[c]);
        CHECK(recording->layout.column_count == 12);
        LitheLayout written;
        FATAL(synthetic_layout(context, &written));
        for (int32_t i = 0; i < written.column_count; i++) {
            const LitheColumn *w = &written.columns[i];
            const LitheColumn *r = lithe_layout_find(&recording->layout, w->path);
            FATAL(r != NULL);
            CHECK(r->kind == w->kind && r->rank == w->rank && r->count == w->count);
            CHECK(strcmp(r->unit, w->unit) == 0 && strcmp(r->axes, w->axes) == 0);
            if (w->offset < 0)
                continue;
            double *rows = calloc((size_t)(counts[c] * w->count), sizeof *rows);
            FATAL(lithe_recording_read(recording, r, 0, counts[c], rows, &error) == LITHE_OK);
            int64_t wrong = 0;
            for (int64_t k = 0; k < counts[c]; k++)
                for (int64_t j = 0; j < w->count; j++)
                    wrong +=
                        rows[k * w->count + j] !=
                        (w->offset == 0 ? 0.125 * (double)k : synthetic_value(k, w->offset + j));
            CHECK(wrong == 0);
            free(rows);
        }
        CHECK(strcmp(recording->layout.scene, written.scene) == 0);
        CHECK(recording->end.complete && recording->end.hash == 0xfedcba9876543210u);
        CHECK(recording->tube_count == 1 && recording->tubes[0].node_count == SYNTHETIC_NODES);
        CHECK(recording->tubes[0].radius == 0.01 && !recording->tubes[0].closed);
        CHECK_TEXT(recording->tubes[0].section, "circle");
        lithe_layout_release(&written);
        lithe_recording_close(recording);
    }
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(rows_are_read_in_any_range_and_not_beyond) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    FATAL(make(context, &folder, "a.h5", 20));
    LitheRecording *recording = NULL;
    LitheError error = {0};
    FATAL(lithe_recording_open(context, test_path(&folder, "a.h5", buffer), &recording, &error) ==
          LITHE_OK);
    const LitheColumn *tension = lithe_recording_tube_column(recording, 0, "tension");
    FATAL(tension != NULL);
    double rows[3 * SYNTHETIC_EDGES];
    CHECK(lithe_recording_read(recording, tension, 17, 3, rows, &error) == LITHE_OK);
    CHECK(rows[SYNTHETIC_EDGES] == synthetic_value(18, 1 + 15));
    CHECK(lithe_recording_read(recording, tension, 18, 3, rows, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "has 20 frames");
    int64_t frame = -1;
    CHECK(lithe_recording_frame_at(recording, 0.96, &frame, &error) == LITHE_OK && frame == 8);
    double end = recording->times[19], half = 0.5 * (end - recording->times[18]);
    CHECK(lithe_recording_frame_at(recording, end + 0.9 * half, &frame, &error) == LITHE_OK);
    CHECK(frame == 19);
    frame = -1;
    CHECK(lithe_recording_frame_at(recording, end + 1.1 * half, &frame, &error) == LITHE_BAD_INPUT);
    CHECK(lithe_recording_frame_at(recording, 99, &frame, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "the time is 99 s, the recording has 0 to");
    CHECK(lithe_recording_frame_at(recording, NAN, &frame, &error) == LITHE_BAD_INPUT);
    CHECK(frame == -1);
    lithe_recording_close(recording);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(equal_journals_make_equal_bytes) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char a[256], b[256];
    FATAL(make(context, &folder, "a.h5", 300));
    sleep(1); // time stamps have a resolution of a second
    FATAL(make(context, &folder, "b.h5", 300));
    int64_t a_size = 0, b_size = 0;
    unsigned char *one = slurp(test_path(&folder, "a.h5", a), &a_size);
    unsigned char *two = slurp(test_path(&folder, "b.h5", b), &b_size);
    CHECK(one && two && a_size == b_size && memcmp(one, two, (size_t)a_size) == 0);
    free(one);
    free(two);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_long_scene_text_fits) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char journal_path[256], path[256];
    LitheLayout layout;
    LitheError error = {0};
    LitheJournal journal = {0};
    FATAL(synthetic_layout(context, &layout));
    size_t length = 5000000;
    char *scene = lithe_alloc(context, length + 1);
    FATAL(scene != NULL);
    for (size_t i = 0; i < length; i++)
        scene[i] = (char)('a' + i % 26);
    lithe_free(context, layout.scene);
    layout.scene = scene;
    FATAL(lithe_journal_create(context, test_path(&folder, "j", journal_path), &layout, &journal,
                               &error) == LITHE_OK);
    double frame[64] = {0};
    CHECK(lithe_journal_append(&journal, frame, NULL, 0, &error) == LITHE_OK);
    CHECK(lithe_recording_write(&journal, test_path(&folder, "a.h5", path), &error) == LITHE_OK);
    lithe_journal_close(&journal);
    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(context, path, &recording, &error) == LITHE_OK);
    CHECK(strlen(recording->layout.scene) == length && recording->layout.scene[27] == 'b');
    CHECK(!recording->end.complete);
    lithe_recording_close(recording);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// --- contacts ------------------------------------------------------------------------------------

TEST(a_layout_names_the_axes_that_do_not_fit_and_the_limit_of_values_per_frame) {
    LitheContext *context = lithe_context_create(NULL);
    LitheLayout layout = {.context = context};
    LitheError error = {0};
    int64_t limit = (int64_t)1 << 36, one = 1, two = 2, all_but_one = limit - 1;
    CHECK(lithe_layout_add(&layout, "a", "m", "time node xyz", LITHE_COLUMN_REAL, 1, &two,
                           &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "'a' has 3 axes, 'time node xyz', must have 2 (time and 1 dimensions)");
    CHECK(lithe_layout_add_constant(&layout, "a", "m", "node xyz", LITHE_COLUMN_REAL, 1, &one,
                                    &(double){0}, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "'a' has 2 axes, 'node xyz', must have 1 (1 dimensions)");
    CHECK(lithe_layout_add(&layout, "a", "m", "time node", LITHE_COLUMN_REAL, 1, &all_but_one,
                           &error) == LITHE_OK);
    CHECK(lithe_layout_add(&layout, "b", "m", "time node", LITHE_COLUMN_REAL, 1, &two, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "'b' has 2 values per frame and the columns before it have 68719476735, "
                           "must be at most 68719476736 together");
    lithe_layout_release(&layout);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// number of rows of each frame: none, few, two that exceed a block of the writer only together, one
// that exceeds it alone
static const int64_t row_counts[] = {0, 3, 100000, 100000, 0, 400000, 1};
enum { ROW_FRAMES = sizeof row_counts / sizeof *row_counts };

static bool append_rows(LitheJournal *journal, LitheError *error) {
    double frame[3], *rows = calloc(400000, 4 * sizeof *rows);
    bool fine = rows != NULL;
    for (int64_t k = 0; fine && k < ROW_FRAMES; k++) {
        frame[0] = (double)k;
        frame[1] = (double)journal->row_total;
        frame[2] = (double)row_counts[k];
        for (int64_t i = 0; i < 4 * row_counts[k]; i++)
            rows[i] = (double)(4 * journal->row_total + i);
        fine = lithe_journal_append(journal, frame, rows, row_counts[k], error) == LITHE_OK;
    }
    free(rows);
    return fine;
}

// All frames except the last one are there, with `total` rows.
static void check_rows(LitheRecording *recording, int64_t total) {
    LitheError error = {0};
    CHECK(recording->row_total == total);
    const LitheColumn *force =
        lithe_layout_find_contact_column(&recording->layout, "contacts/force");
    const LitheColumn *a = lithe_layout_find_contact_column(&recording->layout, "contacts/a");
    FATAL(force && a);
    double x[12], number;
    for (int64_t k = 0, sum = 0; k < ROW_FRAMES - 1; sum += row_counts[k++]) {
        int64_t first, count;
        CHECK(lithe_recording_contacts(recording, k, &first, &count, &error) == LITHE_OK);
        CHECK(first == sum && count == row_counts[k]);
        if (count == 0)
            continue;
        int64_t row = first + count - 1;
        CHECK(lithe_recording_read_rows(recording, force, row, 1, x, &error) == LITHE_OK);
        CHECK(lithe_recording_read_rows(recording, a, row, 1, &number, &error) == LITHE_OK);
        CHECK(x[0] == (double)(4 * row) && x[2] == (double)(4 * row + 2));
        CHECK(number == (double)(4 * row + 3));
    }
    // rows 1 to 4 are of two frames
    CHECK(lithe_recording_read_rows(recording, force, 1, 4, x, &error) == LITHE_OK);
    CHECK(x[0] == 4 && x[5] == 10 && x[9] == 16);
    CHECK(lithe_recording_read_rows(recording, force, total, 1, x, &error) == LITHE_BAD_INPUT);
}

TEST(contacts_of_any_number_come_back_in_their_frames) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], journal_room[256];
    LitheError error = {0};
    LitheLayout layout = {.context = context, .end = 1};
    layout.scene = lithe_alloc_text(context, "lithe: 1\n");
    layout.title = lithe_alloc_text(context, "Rows");
    layout.version = lithe_alloc_text(context, "0");
    static const char *const frame_columns[] = {"time", "contacts/first", "contacts/count"};
    for (int k = 0; k < 3; k++)
        FATAL(lithe_layout_add(&layout, frame_columns[k], "1", "time",
                               k ? LITHE_COLUMN_INTEGER : LITHE_COLUMN_REAL, 0, NULL,
                               &error) == LITHE_OK);
    FATAL(lithe_layout_add_contact_column(&layout, "contacts/force", "N", "contact xyz",
                                          LITHE_COLUMN_REAL, &error) == LITHE_OK);
    FATAL(lithe_layout_add_contact_column(&layout, "contacts/a", "1", "contact",
                                          LITHE_COLUMN_INTEGER, &error) == LITHE_OK);
    CHECK(lithe_layout_add_contact_column(&layout, "contacts/a", "1", "contact",
                                          LITHE_COLUMN_INTEGER, &error) == LITHE_BAD_INPUT);
    LitheJournal journal = {0};
    FATAL(lithe_journal_create(context, test_path(&folder, "j", journal_room), &layout, &journal,
                               &error) == LITHE_OK);
    FATAL(append_rows(&journal, &error));
    int64_t total = journal.row_total, whole = journal.offset;
    lithe_journal_close(&journal);
    // a torn frame is dropped with its rows
    FATAL(truncate(journal_room, whole - 1) == 0);
    FATAL(lithe_journal_open(context, journal_room, INT64_MAX, &journal, &error) == LITHE_OK);
    CHECK(journal.frames == ROW_FRAMES - 1 && journal.row_total == total - 1);
    FATAL(lithe_recording_write(&journal, test_path(&folder, "a.h5", buffer), &error) == LITHE_OK);
    lithe_journal_close(&journal);

    // the journal itself is read as the recording made from it
    for (int k = 0; k < 2; k++) {
        LitheRecording *recording = NULL;
        FATAL((k ? lithe_recording_open_journal(context, journal_room, &recording, &error)
                 : lithe_recording_open(context, buffer, &recording, &error)) == LITHE_OK);
        check_rows(recording, total - 1);
        lithe_recording_close(recording);
    }
    CHECK(lithe_context_bytes(context) == 0);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// Writes with files limited to `limit` bytes, in a child: libhdf5 could crash at exit, too.
static int write_limited(LitheContext *context, const TestFolder *folder, rlim_t limit) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char journal_room[256], buffer[256];
        LitheJournal journal = {0};
        LitheError error = {0};
        if (lithe_journal_open(context, test_path(folder, "journal", journal_room), INT64_MAX,
                               &journal, &error) != LITHE_OK)
            exit(10);
        struct rlimit small = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        LitheStatus status =
            lithe_recording_write(&journal, test_path(folder, "a.h5", buffer), &error);
        bool named = strstr(error.text, "a.h5: cannot write: File too large") != NULL;
        lithe_journal_close(&journal);
        exit(status == LITHE_OK ? 0 : status == LITHE_FILE_ERROR && named ? 1 : 11);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 100 + WTERMSIG(state);
}

TEST(a_full_disk_leaves_the_older_recording_whatever_the_moment) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], saved[256];
    FATAL(make(context, &folder, "a.h5", 40));
    int64_t size = 0, then = 0;
    unsigned char *before = slurp(test_path(&folder, "a.h5", buffer), &size);
    FATAL(before != NULL);
    for (int64_t limit = 0; limit < size; limit += size / 60 + 1) {
        CHECK(write_limited(context, &folder, (rlim_t)limit) == 1);
        unsigned char *after = slurp(buffer, &then);
        CHECK(after && then == size && memcmp(before, after, (size_t)size) == 0);
        free(after);
    }
    // libhdf5 requests a few more blocks than it keeps
    CHECK(write_limited(context, &folder, (rlim_t)size + 8192) == 0);
    // no temporary file is left
    snprintf(saved, sizeof saved, "test $(ls -A %s | wc -l) = 2", folder.path);
    CHECK(system(saved) == 0);
    free(before);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_part_of_a_run_does_not_replace_its_recording) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char room[256], journal_room[256];
    FATAL(make(context, &folder, "a.h5", 3));
    const char *path = test_path(&folder, "a.h5", room);
    int64_t size = 0, then = 0;
    unsigned char *before = slurp(path, &size);
    // as `recover` sees a run that ends meanwhile: its journal is removed after its recording is
    // made
    LitheJournal journal = {0};
    LitheError error = {0};
    const char *journal_path = test_path(&folder, "journal", journal_room);
    FATAL(lithe_journal_open(context, journal_path, INT64_MAX, &journal, &error) == LITHE_OK);
    FATAL(unlink(journal_path) == 0);
    CHECK(lithe_recording_write(&journal, path, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "its run has ended meanwhile");
    lithe_journal_close(&journal);
    unsigned char *after = slurp(path, &then);
    CHECK(before && after && then == size && memcmp(before, after, (size_t)size) == 0);
    free(before);
    free(after);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(what_is_no_recording_is_refused_with_a_reason) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5", buffer);
    LitheRecording *recording = NULL;
    LitheError error = {0};
    CHECK(lithe_recording_open(context, path, &recording, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a.h5: cannot read");
    spill(path, (const unsigned char *)"a text", 6);
    CHECK(lithe_recording_open(context, path, &recording, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "not a recording");
    CHECK(recording == NULL && lithe_context_bytes(context) == 0);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// Every number and text that a reader gets, in one number; false when something is refused.
static bool digest(LitheRecording *recording, uint64_t *sum) {
    const LitheLayout *layout = &recording->layout;
    LitheError error = {0};
    double values[4096];
    uint64_t h = lithe_hash(1, layout->scene, strlen(layout->scene));
    h = lithe_hash(h, &recording->end.totals, sizeof recording->end.totals);
    h = lithe_hash(h, &recording->end.hash, sizeof recording->end.hash);
    h = lithe_hash(h, recording->times, (size_t)recording->frame_count * sizeof(double));
    for (int32_t i = 0; i < layout->column_count + layout->contact_column_count; i++) {
        bool row = i >= layout->column_count;
        const LitheColumn *column =
            row ? &layout->contact_columns[i - layout->column_count] : &layout->columns[i];
        int64_t count = column->offset < 0 ? 1
                        : row              ? recording->row_total
                                           : recording->frame_count;
        if (count * column->count > 4096)
            abort();
        LitheStatus status = LITHE_OK;
        if (column->offset >= 0)
            status = row ? lithe_recording_read_rows(recording, column, 0, count, values, &error)
                         : lithe_recording_read(recording, column, 0, count, values, &error);
        else if (column->values)
            memcpy(values, column->values, (size_t)column->count * sizeof(double));
        if (status != LITHE_OK)
            return false;
        h = lithe_hash(h, column->path, strlen(column->path));
        h = lithe_hash(h, column->unit, strlen(column->unit));
        h = column->text ? lithe_hash(h, column->text, strlen(column->text))
                         : lithe_hash(h, values, (size_t)(count * column->count) * sizeof(double));
    }
    *sum = h;
    return true;
}

enum { SAME = 0, REFUSED_TO_OPEN = 1, REFUSED_TO_READ = 2, OTHER_NUMBERS = 3 };

// Opens and reads everything; in a child, so that a crash of libhdf5 is detected and does not end
// the test. `wanted` is what digest gave for the undamaged file.
static int read_all(LitheContext *context, const char *path, uint64_t wanted) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(300);
        LitheRecording *recording = NULL;
        LitheError error = {0};
        LitheStatus status = lithe_recording_open(context, path, &recording, &error);
        if (status != LITHE_OK)
            _exit(error.text[0] ? REFUSED_TO_OPEN : 10);
        uint64_t sum = 0;
        bool fine = digest(recording, &sum);
        lithe_recording_close(recording);
        _exit(!fine ? REFUSED_TO_READ : sum == wanted ? SAME : OTHER_NUMBERS);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 100 + WTERMSIG(state);
}

static uint64_t digest_of(LitheContext *context, const char *path) {
    LitheRecording *recording = NULL;
    LitheError error = {0};
    uint64_t sum = 0;
    if (lithe_recording_open(context, path, &recording, &error) != LITHE_OK ||
        !digest(recording, &sum))
        abort();
    lithe_recording_close(recording);
    return sum;
}

TEST(cut_off_recordings_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    FATAL(make(context, &folder, "a.h5", 3));
    const char *path = test_path(&folder, "a.h5", buffer);
    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    for (int64_t cut = 0; cut < size; cut += size / 100 + 1) {
        spill(path, all, cut);
        CHECK(read_all(context, path, 0) == REFUSED_TO_OPEN);
    }
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

LONG_TEST(a_changed_bit_anywhere_is_refused_and_never_changes_a_number) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    FATAL(make(context, &folder, "a.h5", 3));
    const char *path = test_path(&folder, "a.h5", buffer);
    uint64_t wanted = digest_of(context, path);
    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    for (int64_t i = 0; i < size; i += TEST_SANITIZED ? 37 : 7) {
        unsigned char bit = (unsigned char)(1 << i % 8);
        all[i] ^= bit;
        spill(path, all, size);
        int code = read_all(context, path, wanted);
        CHECK(code == REFUSED_TO_OPEN || code == REFUSED_TO_READ);
        all[i] ^= bit;
    }
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// the size of the HDF5 file itself stands 16 bytes before the end
static int64_t hdf5_size(const unsigned char *all, int64_t size) {
    int64_t bytes = 0;
    memcpy(&bytes, all + size - 16, sizeof bytes);
    return bytes;
}

TEST(older_recordings_without_checksums_load) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char room[256];
    FATAL(make(context, &folder, "a.h5", 3));
    const char *path = test_path(&folder, "a.h5", room);
    uint64_t wanted = digest_of(context, path);
    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    int64_t older = hdf5_size(all, size);
    FATAL(older > 0 && older < size);
    spill(path, all, older);
    CHECK(read_all(context, path, wanted) == SAME);
    // a file with a truncated table must not pass as an older one, which has no table
    for (int64_t cut = older + 1; cut < size; cut++) {
        spill(path, all, cut);
        CHECK(read_all(context, path, wanted) == REFUSED_TO_OPEN);
    }
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(exchanged_blocks_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char room[256];
    FATAL(make(context, &folder, "a.h5", 4000));
    const char *path = test_path(&folder, "a.h5", room);
    int64_t size = 0, block = 1 << 16;
    unsigned char *all = slurp(path, &size), kept[1 << 16];
    FATAL(size > 6 * block);
    memcpy(kept, all + 2 * block, (size_t)block);
    memcpy(all + 2 * block, all + 3 * block, (size_t)block);
    memcpy(all + 3 * block, kept, (size_t)block);
    spill(path, all, size);
    LitheRecording *recording = NULL;
    LitheError error = {0};
    FATAL(lithe_recording_open(context, path, &recording, &error) == LITHE_OK);
    int32_t refused = 0;
    for (int32_t i = 0; i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        if (column->offset < 0)
            continue;
        double *values = malloc((size_t)(4000 * column->count) * sizeof *values);
        FATAL(values);
        if (lithe_recording_read(recording, column, 0, 4000, values, &error) != LITHE_OK) {
            refused++;
            CHECK_TEXT(error.text, "damaged");
        }
        free(values);
    }
    CHECK(refused > 0);
    lithe_recording_close(recording);
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(running_out_of_memory_while_writing_or_opening_leaves_nothing_behind) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], journal_room[256];
    FATAL(make(context, &folder, "a.h5", 3));
    const char *path = test_path(&folder, "a.h5", buffer);
    bool fine = false;
    for (int64_t n = 1; !fine && n < 2000; n++) {
        LitheRecording *recording = NULL;
        LitheError error = {0};
        lithe_context_fail_at(context, n);
        fine = lithe_recording_open(context, path, &recording, &error) == LITHE_OK;
        lithe_context_fail_at(context, 0);
        lithe_recording_close(recording);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(fine);
    test_path(&folder, "journal", journal_room);
    fine = false;
    for (int64_t n = 1; !fine && n < 2000; n++) {
        LitheRecording *recording = NULL;
        LitheError error = {0};
        lithe_context_fail_at(context, n);
        fine = lithe_recording_open_journal(context, journal_room, &recording, &error) == LITHE_OK;
        lithe_context_fail_at(context, 0);
        lithe_recording_close(recording);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(fine);
    LitheJournal journal = {0};
    LitheError error = {0};
    FATAL(lithe_journal_open(context, journal_room, INT64_MAX, &journal, &error) == LITHE_OK);
    size_t bytes = lithe_context_bytes(context);
    fine = false;
    for (int64_t n = 1; !fine && n < 100; n++) {
        lithe_context_fail_at(context, n);
        fine = lithe_recording_write(&journal, path, &error) == LITHE_OK;
        lithe_context_fail_at(context, 0);
        CHECK(lithe_context_bytes(context) == bytes);
    }
    CHECK(fine);
    lithe_journal_close(&journal);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}
