// SPDX-License-Identifier: Apache-2.0
// tests/record/test_journal.c - journals and checkpoints: whole, torn, damaged, foreign

#include "test.h"

#include "base/hash.h"
#include "record/checkpoint.h"
#include "record/journal.h"
#include "record/recording_frames.h"
#include "record/synthetic.h"
#include "record/whole_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <signal.h>

static int64_t size_of(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 ? (int64_t)file.st_size : -1;
}

TEST(frames_come_back_as_they_were_appended) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error;
    FATAL(synthetic_journal(context, path, 7, &journal));
    lithe_journal_close(&journal);

    FATAL(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_OK);
    CHECK(journal.frames == 7 && journal.torn == 0 && !journal.ended);
    CHECK_TEXT(journal.layout.title, "Synthetic");
    CHECK(journal.layout.column_count == 12 && journal.layout.end == 1.0);
    CHECK(lithe_layout_find(&journal.layout, "rods/rope/rest_length")->values[3] == 0.25);
    double frame[64], wanted[64];
    FATAL(journal.layout.frame_size <= 64);
    int64_t cursor = 0;
    for (int64_t k = 0; k < 7; k++) {
        FATAL(lithe_journal_read(&journal, &cursor, frame, &error) == LITHE_OK);
        synthetic_frame(&journal.layout, k, wanted);
        CHECK(memcmp(frame, wanted, (size_t)journal.layout.frame_size * sizeof(double)) == 0);
    }
    CHECK(lithe_journal_read(&journal, &cursor, frame, &error) == LITHE_FILE_ERROR);
    lithe_journal_close(&journal);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_tail_torn_at_any_byte_loses_only_the_torn_frame) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error;
    FATAL(synthetic_journal(context, path, 3, &journal));
    int64_t start = journal.start, bytes = (journal.offset - journal.start) / 3;
    lithe_journal_close(&journal);

    for (int64_t size = start + 3 * bytes - 1; size >= start; size--) {
        FATAL(truncate(path, size) == 0);
        FATAL(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_OK);
        CHECK(journal.frames == (size - start) / bytes);
        CHECK(journal.torn == (size - start) % bytes);
        lithe_journal_close(&journal);
    }
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_cut_journal_goes_on_where_it_was_cut) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], other[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    const char *whole = test_path(&folder, "b.h5.journal", other);
    LitheJournal journal = {0};
    LitheError error;
    FATAL(synthetic_journal(context, whole, 5, &journal));
    lithe_journal_close(&journal);
    FATAL(synthetic_journal(context, path, 4, &journal));
    int64_t start = journal.start, bytes = (journal.offset - journal.start) / 4;
    lithe_journal_close(&journal);

    // continue after frame 2 like a resumed run
    FATAL(lithe_journal_open(context, path, start + 2 * bytes, &journal, &error) == LITHE_OK);
    CHECK(journal.frames == 2 && journal.offset == start + 2 * bytes && journal.torn == 2 * bytes);
    FATAL(lithe_journal_truncate(&journal, &error) == LITHE_OK);
    double frame[64];
    for (int64_t k = 2; k < 5; k++) {
        synthetic_frame(&journal.layout, k, frame);
        FATAL(lithe_journal_append(&journal, frame, NULL, 0, &error) == LITHE_OK);
    }
    lithe_journal_close(&journal);
    int64_t size = 0, whole_size = 0;
    unsigned char *a = slurp(path, &size), *b = slurp(whole, &whole_size);
    CHECK(size == whole_size && memcmp(a, b, (size_t)size) == 0);
    free(a);
    free(b);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_changed_byte_anywhere_is_found) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error;
    FATAL(synthetic_journal(context, path, 3, &journal));
    int64_t start = journal.start, bytes = (journal.offset - journal.start) / 3;
    lithe_journal_close(&journal);
    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    for (int64_t i = 0; i < size; i++) {
        all[i] ^= 0x10;
        spill(path, all, size);
        LitheStatus status = lithe_journal_open(context, path, INT64_MAX, &journal, &error);
        if (i < start) {
            CHECK(status == LITHE_BAD_INPUT || status == LITHE_NOT_SUPPORTED);
        } else {
            CHECK(status == LITHE_OK && journal.frames == (i - start) / bytes);
        }
        if (status == LITHE_OK)
            lithe_journal_close(&journal);
        all[i] ^= 0x10;
    }
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(an_end_is_read_back_and_nothing_follows_it) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error;
    FATAL(synthetic_journal(context, path, 2, &journal));
    LitheJournalEnd end = {.time = 0.25, .hash = 0xfedcba9876543210u, .totals = {.steps = 77}};
    snprintf(end.reason, sizeof end.reason, "rod 'rope' folded");
    CHECK(lithe_journal_append_end(&journal, &end, &error) == LITHE_OK);
    lithe_journal_close(&journal);
    FATAL(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_OK);
    CHECK(journal.ended && !journal.end.complete && journal.frames == 2 && journal.torn == 0);
    CHECK(journal.end.time == 0.25 && journal.end.hash == end.hash);
    CHECK(journal.end.totals.steps == 77);
    CHECK_TEXT(journal.end.reason, "folded");
    lithe_journal_close(&journal);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(what_is_no_journal_is_refused_with_its_name) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error = {0};
    CHECK(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a.h5.journal: cannot read: No such file");
    spill(path, (const unsigned char *)"hello, this is a text and no journal", 36);
    CHECK(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "not a journal of Lithe");
    CHECK(lithe_journal_open(context, folder.path, INT64_MAX, &journal, &error) != LITHE_OK);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_full_disk_leaves_the_whole_frames_and_a_reason) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    LitheError error = {0};
    FATAL(synthetic_journal(context, path, 3, &journal));

    // the file may grow by half a frame only
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = (rlim_t)(journal.offset + 100);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    double frame[64] = {0};
    CHECK(lithe_journal_append(&journal, frame, NULL, 0, &error) == LITHE_FILE_ERROR);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    CHECK_TEXT(error.text, "a.h5.journal: cannot write: File too large");
    CHECK(size_of(path) == journal.offset && journal.frames == 3);
    CHECK(lithe_journal_append(&journal, frame, NULL, 0, &error) == LITHE_OK);
    lithe_journal_close(&journal);
    FATAL(lithe_journal_open(context, path, INT64_MAX, &journal, &error) == LITHE_OK);
    CHECK(journal.frames == 4 && journal.torn == 0);
    lithe_journal_close(&journal);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(checkpoints_come_back_and_damaged_ones_do_not) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.checkpoint", buffer);
    double state[40];
    for (int i = 0; i < 40; i++)
        state[i] = 0.1 * i;
    LitheCheckpoint written = {.journal_mark = 5,
                               .journal_offset = 1234,
                               .frames = 9,
                               .totals = {.steps = 99, .energy_error = 1e-9},
                               .state_layout = 2,
                               .state_size = 40,
                               .state = state};
    LitheCheckpoint read = {0};
    LitheError error = {0};
    CHECK(lithe_checkpoint_read(context, path, &read, &error) == LITHE_FILE_ERROR);
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.journal_mark == 5 && read.journal_offset == 1234 && read.frames == 9);
    CHECK(read.totals.steps == 99 && read.totals.energy_error == 1e-9);
    CHECK(read.state_layout == 2);
    CHECK(read.state_size == 40 && memcmp(read.state, state, sizeof state) == 0);
    lithe_checkpoint_release(context, &read);

    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    for (int64_t i = 0; i < size; i++) {
        all[i] ^= 0x01;
        spill(path, all, size);
        CHECK(lithe_checkpoint_read(context, path, &read, &error) != LITHE_OK);
        all[i] ^= 0x01;
    }
    for (int64_t cut = 0; cut < size; cut += 7) {
        spill(path, all, cut);
        CHECK(lithe_checkpoint_read(context, path, &read, &error) == LITHE_BAD_INPUT);
    }
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

// A checkpoint as an older version wrote it, made from one of today. Before the state, version 10
// lacks two peaks of the monitor, version 9 also two of its numbers, version 8 also the sums of the
// scheme, version 7 also the rest of the monitor, version 6 one more number, version 5 two.
static int64_t make_old(unsigned char *all, int64_t size, int64_t state_bytes, uint32_t version) {
    int64_t end = size - (int64_t)sizeof(uint64_t), state = end - state_bytes;
    int64_t less = (int64_t)(sizeof(LitheMonitor) - LITHE_MONITOR_BYTES);
    if (version == 10)
        less = 2 * (int64_t)sizeof(LithePeakAt);
    if (version < 9)
        less += (int64_t)sizeof(LitheSchemeTotals);
    if (version < 8)
        less += 8 * (7 - (int64_t)version) + (int64_t)LITHE_MONITOR_BYTES;
    memcpy(all + 8, &version, sizeof version);
    memmove(all + state - less, all + state, (size_t)state_bytes);
    uint64_t sum = lithe_hash(0, all, (size_t)(end - less));
    memcpy(all + end - less, &sum, sizeof sum);
    return size - less;
}

TEST(checkpoints_without_a_layout_have_the_first) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.checkpoint", buffer);
    double state[3] = {1, 2, 3};
    LitheCheckpoint written = {.journal_mark = 5,
                               .frames = 9,
                               .totals = {.energy_error = 1e-9},
                               .state_layout = 7,
                               .state_size = 3,
                               .state = state};
    LitheCheckpoint read = {0};
    LitheError error = {0};
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    size = make_old(all, size, (int64_t)sizeof state, 5);
    spill(path, all, size);
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.state_layout == 1 && read.journal_mark == 5 && read.frames == 9);
    CHECK(read.totals.energy_error == 1e-9);
    CHECK(read.state_size == 3 && memcmp(read.state, state, sizeof state) == 0);
    lithe_checkpoint_release(context, &read);
    for (int64_t cut = 0; cut < size; cut++) {
        spill(path, all, cut);
        CHECK(lithe_checkpoint_read(context, path, &read, &error) == LITHE_BAD_INPUT);
    }
    free(all);

    // an impossible layout
    written.state_layout = 0;
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    CHECK(lithe_checkpoint_read(context, path, &read, &error) == LITHE_BAD_INPUT);
    CHECK(strstr(error.text, "layout of the state is 0") != NULL);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(checkpoints_of_version_6_have_all_sums_except_the_last) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.checkpoint", buffer);
    double state[2] = {4, 5};
    LitheCheckpoint written = {.totals = {.steps = 8,
                                          .energy_error = 1e-9,
                                          .stiffened = 6,
                                          .monitor = {.begun = 1,
                                                      .lowest = -3,
                                                      .largest = 7,
                                                      .strain = {0.3, 2, 1, 5},
                                                      .stress = {0.4, 3, 0, 6}},
                                          .scheme = {.scheme = "tr-bdf2", .calmed = 4}},
                               .state_layout = 2,
                               .state_size = 2,
                               .state = state};
    LitheCheckpoint read = {0};
    LitheError error = {0};
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.totals.stiffened == 6 && read.totals.steps == 8);
    CHECK(read.totals.monitor.begun == 1 && read.totals.monitor.lowest == -3);
    CHECK(read.totals.monitor.largest == 7);
    CHECK(read.totals.monitor.strain.fraction == 0.3 && read.totals.monitor.stress.node == 6);
    CHECK(strcmp(read.totals.scheme.scheme, "tr-bdf2") == 0 && read.totals.scheme.calmed == 4);
    lithe_checkpoint_release(context, &read);

    int64_t size = 0;
    unsigned char *all = slurp(path, &size);
    spill(path, all, make_old(all, size, (int64_t)sizeof state, 10));
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.totals.monitor.largest == 7 && read.totals.monitor.strain.fraction == 0);
    CHECK(read.totals.scheme.calmed == 4 && read.state[1] == 5);
    lithe_checkpoint_release(context, &read);
    free(all);
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    all = slurp(path, &size);
    spill(path, all, make_old(all, size, (int64_t)sizeof state, 9));
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.totals.monitor.lowest == -3 && read.totals.monitor.largest == 0);
    CHECK(read.totals.scheme.calmed == 4 && read.state[1] == 5);
    lithe_checkpoint_release(context, &read);
    free(all);
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    all = slurp(path, &size);
    spill(path, all, make_old(all, size, (int64_t)sizeof state, 8));
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.totals.monitor.begun == 1 && read.state_size == 2 && read.state[1] == 5);
    CHECK(read.totals.scheme.scheme[0] == '\0' && read.totals.scheme.calmed == 0);
    lithe_checkpoint_release(context, &read);
    free(all);
    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    all = slurp(path, &size);
    spill(path, all, make_old(all, size, (int64_t)sizeof state, 7));
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.totals.stiffened == 6 && read.totals.monitor.begun == 0 && read.state_size == 2);
    lithe_checkpoint_release(context, &read);
    free(all);

    FATAL(lithe_checkpoint_write(context, path, &written, &error) == LITHE_OK);
    all = slurp(path, &size);
    spill(path, all, make_old(all, size, (int64_t)sizeof state, 6));
    FATAL(lithe_checkpoint_read(context, path, &read, &error) == LITHE_OK);
    CHECK(read.state_layout == 2 && read.totals.stiffened == 0 && read.totals.steps == 8);
    CHECK(read.totals.energy_error == 1e-9);
    CHECK(read.state_size == 2 && memcmp(read.state, state, sizeof state) == 0);
    lithe_checkpoint_release(context, &read);
    free(all);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256];
    const char *path = test_path(&folder, "a.h5.journal", buffer);
    LitheJournal journal = {0};
    FATAL(synthetic_journal(context, path, 2, &journal));
    lithe_journal_close(&journal);
    bool fine = false;
    for (int64_t n = 1; !fine && n < 1000; n++) {
        lithe_context_fail_at(context, n);
        LitheError error = {0};
        LitheStatus status = lithe_journal_open(context, path, INT64_MAX, &journal, &error);
        fine = status == LITHE_OK;
        if (fine)
            lithe_journal_close(&journal);
        else
            CHECK(status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(fine);
    lithe_context_fail_at(context, 0);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_journal_is_read_as_the_recording_made_from_it) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char buffer[256], journal_room[256];
    LitheError error = {0};
    LitheJournal written = {0};
    LitheJournalEnd end = {.complete = true, .time = 1, .hash = 12345};
    const char *path = test_path(&folder, "a.h5", buffer);
    FATAL(synthetic_journal(context, test_path(&folder, "journal", journal_room), 20, &written));
    FATAL(lithe_journal_append_end(&written, &end, &error) == LITHE_OK);
    FATAL(lithe_recording_write(&written, path, &error) == LITHE_OK);
    lithe_journal_close(&written);
    LitheRecording *made = NULL, *journal = NULL;
    FATAL(lithe_recording_open(context, path, &made, &error) == LITHE_OK);
    FATAL(lithe_recording_open_journal(context, journal_room, &journal, &error) == LITHE_OK);
    CHECK(journal->frame_count == 20 && journal->end.complete &&
          journal->end.hash == made->end.hash);
    CHECK(journal->tube_count == made->tube_count);
    for (int32_t i = 0; i < journal->layout.column_count; i++) {
        const LitheColumn *column = &journal->layout.columns[i];
        const LitheColumn *other = lithe_layout_find(&made->layout, column->path);
        FATAL(other && other->count == column->count &&
              (other->offset < 0) == (column->offset < 0));
        if (column->offset < 0)
            continue;
        double *values = calloc(2 * (size_t)(20 * column->count), sizeof *values);
        FATAL(values != NULL);
        int64_t all = 20 * column->count;
        CHECK(lithe_recording_read(journal, column, 0, 20, values, &error) == LITHE_OK);
        CHECK(lithe_recording_read(made, other, 0, 20, values + all, &error) == LITHE_OK);
        CHECK(memcmp(values, values + all, (size_t)all * sizeof *values) == 0);
        free(values);
    }
    // a journal that another process truncates is an error
    FATAL(truncate(journal_room, 100) == 0);
    double time;
    const LitheColumn *column = lithe_layout_find(&journal->layout, "time");
    CHECK(lithe_recording_read(journal, column, 19, 1, &time, &error) == LITHE_FILE_ERROR);
    CHECK(strstr(error.text, "journal has changed") != NULL);
    lithe_recording_close(made);
    lithe_recording_close(journal);
    CHECK(lithe_context_bytes(context) == 0);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}
