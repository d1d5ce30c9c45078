// SPDX-License-Identifier: Apache-2.0
// tests/run/test_run.c - runs, their frames, stops, resumes, and what fails

#include "run/fixture.h"

#include "record/recording.h"
#include "run/leftovers.h"
#include "run/output.h"
#include "run/schedule.h"
#include "run/whip.h"
#include "scene/scene.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static bool begin(Fixture *f) {
    fixture_begin(f);
    f->scene = whip_scene(f->context, 20, 0.1);
    return f->scene != NULL;
}

static int files_in(const Fixture *f) {
    char command[256];
    snprintf(command, sizeof command, "ls -A %s | wc -l", f->folder.path);
    FILE *pipe = popen(command, "r");
    int count = -1;
    if (!pipe || fscanf(pipe, "%d", &count) != 1)
        count = -1;
    if (pipe)
        pclose(pipe);
    return count;
}

static unsigned char *slurp(const char *path, int64_t *size) {
    struct stat file;
    *size = -1;
    if (stat(path, &file) != 0)
        return NULL;
    unsigned char *all = malloc((size_t)file.st_size + 1);
    FILE *stream = fopen(path, "rb");
    if (!all || !stream || fread(all, 1, (size_t)file.st_size, stream) != (size_t)file.st_size)
        abort();
    fclose(stream);
    *size = (int64_t)file.st_size;
    return all;
}

static bool same_files(const char *a, const char *b) {
    int64_t a_size, b_size;
    unsigned char *one = slurp(a, &a_size), *two = slurp(b, &b_size);
    bool same = one && two && a_size == b_size && memcmp(one, two, (size_t)a_size) == 0;
    free(one);
    free(two);
    return same;
}

// --- when ----------------------------------------------------------------------------------------

TEST(frames_are_due_at_the_first_step_that_reaches_them) {
    // 0.1 ms and 5 ms: 50 steps per frame for a run of any length, in spite of rounding
    for (int64_t k = 0; k < 2000000; k += 777) {
        CHECK(lithe_schedule_next(0.005, 0.0001, 50 * k) == 50 * (k + 1));
        CHECK(lithe_schedule_next(0.005, 0.0001, 50 * k + 49) == 50 * (k + 1));
    }
    // 3 ms by steps of 2 ms: at 4, 6, 10, 12 ms
    CHECK(lithe_schedule_next(0.003, 0.002, 0) == 2);
    CHECK(lithe_schedule_next(0.003, 0.002, 2) == 3);
    CHECK(lithe_schedule_next(0.003, 0.002, 3) == 5);
    CHECK(lithe_schedule_next(0.003, 0.002, 5) == 6);
    // every step
    CHECK(lithe_schedule_next(0, 0.1, 7) == 8);
    CHECK(lithe_schedule_next(0.01, 0.1, 7) == 8);
    CHECK(lithe_schedule_next(1e300, 1e-300, 7) > 1000000);
}

TEST(the_end_is_the_first_step_that_reaches_it) {
    CHECK(lithe_schedule_end(0.7, 0.0001) == 7000);
    CHECK(lithe_schedule_end(0.3, 0.1) == 3);
    CHECK(lithe_schedule_end(0.25, 0.1) == 3);
    CHECK(lithe_schedule_end(1e-9, 0.1) == 1);
}

// --- a run ---------------------------------------------------------------------------------------

TEST(a_run_makes_one_recording_and_leaves_nothing_else) {
    Fixture f;
    FATAL(begin(&f));
    if (!CHECK(run(&f) == LITHE_OK))
        printf("  %s\n", f.error.text);
    CHECK(files_in(&f) == 1 && is_there(&f, "a.h5"));
    CHECK(f.summary.steps == 100 && f.summary.frames == 21);
    CHECK_NEAR(f.summary.sim_seconds, 0.1, 1e-12);
    CHECK(f.summary.newton_mean >= 1 && f.summary.hash != 0 && f.summary.dofs > 0);
    CHECK(f.summary.energy_drift >= 0 && f.summary.rate > 0);

    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(f.context, f.out, &recording, &f.error) == LITHE_OK);
    CHECK(recording->frame_count == 21 && recording->end.complete);
    CHECK(recording->end.hash == f.summary.hash);
    for (int64_t i = 0; i < 21; i++)
        CHECK_NEAR(recording->times[i], 0.005 * (double)i, 1e-9);
    CHECK(recording->tube_count == 1 && recording->tubes[0].node_count == 20);
    CHECK_TEXT(recording->layout.title, "Whip");
    CHECK(lithe_layout_find(&recording->layout, "rods/whip/velocity") != NULL);
    CHECK(lithe_layout_find(&recording->layout, "rods/whip/moment") == NULL);
    const LitheColumn *lengths = lithe_layout_find(&recording->layout, "rods/whip/rest_length");
    FATAL(lengths && lengths->count == 19);
    CHECK_NEAR(lengths->values[7], 0.5 / 19, 1e-12);
    // the far end falls, the driven end follows its drive
    double first[60], last[60];
    const LitheColumn *position = lithe_recording_tube_column(recording, 0, "position");
    FATAL(position && position->count == 60);
    CHECK(lithe_recording_read(recording, position, 0, 1, first, &f.error) == LITHE_OK);
    CHECK(lithe_recording_read(recording, position, 20, 1, last, &f.error) == LITHE_OK);
    CHECK(last[59] < first[59] - 0.01);
    CHECK_NEAR(last[2] - first[2], 0.02 * sin(2 * M_PI * 3 * 0.1), 1e-9);
    lithe_recording_close(recording);
    end(&f);
}

TEST(the_last_state_has_a_frame_also_between_frames) {
    Fixture f;
    FATAL(begin(&f));
    f.def.until = 0.0123;
    FATAL(run(&f) == LITHE_OK);
    CHECK(f.summary.steps == 13 && f.summary.frames == 4);
    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(f.context, f.out, &recording, &f.error) == LITHE_OK);
    CHECK(recording->frame_count == 4);
    CHECK_NEAR(recording->times[3], 0.013, 1e-12);
    lithe_recording_close(recording);
    end(&f);
}

TEST(checkpoints_threads_and_dropped_work_change_no_byte_of_the_recording) {
    Fixture f;
    FATAL(begin(&f));
    char other[256];
    FATAL(run(&f) == LITHE_OK);
    uint64_t hash = f.summary.hash;
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.checkpoint_seconds = 0;
    f.def.threads = 2;
    f.def.drop_work = true;
    FATAL(run(&f) == LITHE_OK);
    CHECK(f.summary.hash == hash);
    CHECK(same_files(f.out, other));
    // nor without recording
    f.def.out = NULL;
    FATAL(run(&f) == LITHE_OK);
    CHECK(f.summary.hash == hash && f.summary.frames == 21);
    end(&f);
}

static void count_progress(const LitheProgress *progress, void *user) {
    int *calls = user;
    ++*calls;
    CHECK(progress->end == 0.1 && progress->time <= 0.1 + 1e-9 && progress->steps >= 0);
}

TEST(progress_is_reported_at_least_at_the_end) {
    Fixture f;
    FATAL(begin(&f));
    int calls = 0;
    f.def.progress = count_progress;
    f.def.progress_user = &calls;
    f.def.out = NULL;
    CHECK(run(&f) == LITHE_OK && calls >= 1);
    end(&f);
}

// --- stop and resume -----------------------------------------------------------------------------

TEST(a_stopped_run_goes_on_to_the_same_bytes) {
    Fixture f;
    FATAL(begin(&f));
    char other[256];
    FATAL(run(&f) == LITHE_OK);
    uint64_t hash = f.summary.hash;

    volatile sig_atomic_t stop = 1;
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.stop = &stop;
    CHECK(run(&f) == LITHE_INTERRUPTED);
    CHECK_TEXT(f.error.text, "continue with: lithe resume");
    CHECK(is_there(&f, "b.h5.journal") && is_there(&f, "b.h5.checkpoint") && !is_there(&f, "b.h5"));
    f.def.stop = NULL;
    if (!CHECK(lithe_resume(f.context, other, &f.def, &f.summary, &f.error) == LITHE_OK))
        printf("  %s\n", f.error.text);
    CHECK(f.summary.hash == hash && f.summary.steps == 100 && f.summary.frames == 21);
    CHECK(same_files(f.out, other));
    CHECK(files_in(&f) == 2);
    end(&f);
}

TEST(a_run_stopped_anywhere_goes_on_from_there_to_the_same_bytes) {
    Fixture f;
    FATAL(begin(&f));
    FATAL(run(&f) == LITHE_OK);
    char other[256];
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.checkpoint_seconds = 0;
    int stopped = 0;
    for (int64_t at = 150; at < 1000; at += 97) {
        LitheStatus status = run_until_allocation(&f, at);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_INTERRUPTED);
        stopped += f.summary.steps > 0;
        char text[64];
        snprintf(text, sizeof text, "continues from %.9g s", f.summary.sim_seconds);
        CHECK(lithe_resume(f.context, other, &f.def, &f.summary, &f.error) == LITHE_OK);
        CHECK_TEXT(f.log, text);
        CHECK(f.summary.steps == 100 && same_files(f.out, other));
    }
    CHECK(stopped >= 3);
    end(&f);
}

TEST(a_run_killed_before_its_first_checkpoint_starts_again) {
    Fixture f;
    FATAL(begin(&f));
    char other[256], checkpoint[256];
    FATAL(run(&f) == LITHE_OK);
    volatile sig_atomic_t stop = 1;
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.stop = &stop;
    CHECK(run(&f) == LITHE_INTERRUPTED);
    unlink(test_path(&f.folder, "b.h5.checkpoint", checkpoint));
    f.def.stop = NULL;
    CHECK(lithe_resume(f.context, other, &f.def, &f.summary, &f.error) == LITHE_OK);
    CHECK(same_files(f.out, other));
    end(&f);
}

TEST(a_damaged_checkpoint_is_reported_and_ignored) {
    Fixture f;
    FATAL(begin(&f));
    char other[256], checkpoint[256];
    FATAL(run(&f) == LITHE_OK);
    volatile sig_atomic_t stop = 1;
    f.def.out = test_path(&f.folder, "b.h5", other);
    f.def.stop = &stop;
    CHECK(run(&f) == LITHE_INTERRUPTED);
    FATAL(truncate(test_path(&f.folder, "b.h5.checkpoint", checkpoint), 100) == 0);
    f.def.stop = NULL;
    CHECK(lithe_resume(f.context, other, &f.def, &f.summary, &f.error) == LITHE_OK);
    CHECK_TEXT(f.log, "b.h5.checkpoint: damaged");
    CHECK(same_files(f.out, other));
    end(&f);
}

TEST(resuming_a_complete_run_tells_its_outcome) {
    Fixture f;
    FATAL(begin(&f));
    FATAL(run(&f) == LITHE_OK);
    LitheSummary again = {0};
    CHECK(lithe_resume(f.context, f.out, &f.def, &again, &f.error) == LITHE_OK);
    CHECK(again.hash == f.summary.hash && again.steps == 100 && again.frames == 21);
    CHECK(again.energy_drift == f.summary.energy_drift);
    CHECK_TEXT(f.log, "already complete");
    CHECK(lithe_resume(f.context, "/nowhere/x.h5", &f.def, &again, &f.error) == LITHE_FILE_ERROR);
    CHECK_TEXT(f.error.text, "nothing to resume");
    end(&f);
}

TEST(a_new_run_replaces_an_unfinished_one_and_says_so) {
    Fixture f;
    FATAL(begin(&f));
    volatile sig_atomic_t stop = 1;
    f.def.stop = &stop;
    CHECK(run(&f) == LITHE_INTERRUPTED);
    f.def.stop = NULL;
    CHECK(run(&f) == LITHE_OK);
    CHECK_TEXT(f.log, "an unfinished run is replaced");
    CHECK(files_in(&f) == 1);
    end(&f);
}

TEST(recover_makes_a_recording_of_what_there_is) {
    Fixture f;
    FATAL(begin(&f));
    volatile sig_atomic_t stop = 1;
    f.def.stop = &stop;
    CHECK(run(&f) == LITHE_INTERRUPTED);
    int64_t frames = 0;
    CHECK(lithe_recover(f.context, f.out, &frames, &f.error) == LITHE_OK && frames == 1);
    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(f.context, f.out, &recording, &f.error) == LITHE_OK);
    CHECK(recording->frame_count == 1 && !recording->end.complete);
    lithe_recording_close(recording);
    // the run can still continue
    f.def.stop = NULL;
    CHECK(lithe_resume(f.context, f.out, &f.def, &f.summary, &f.error) == LITHE_OK);
    CHECK(f.summary.steps == 100 && files_in(&f) == 1);
    end(&f);
}

// --- what goes wrong -----------------------------------------------------------------------------

TEST(an_output_that_cannot_be_written_is_refused_before_the_first_step) {
    Fixture f;
    FATAL(begin(&f));
    const struct {
        const char *out, *reason;
    } cases[] = {{"/nowhere/at/all.h5", "/nowhere/at/all.h5: cannot write: No such file"},
                 {f.folder.path, "cannot write: Is a directory"},
                 {"/dev/null", "must be a regular file"}};
    for (int i = 0; i < 3; i++) {
        f.def.out = cases[i].out;
        CHECK(run(&f) == LITHE_FILE_ERROR);
        CHECK_TEXT(f.error.text, cases[i].reason);
        CHECK(f.summary.steps == 0);
    }
    CHECK(files_in(&f) == 0);
    end(&f);
}

TEST(wrong_settings_are_refused) {
    Fixture f;
    FATAL(begin(&f));
    f.def.threads = 0;
    CHECK(run(&f) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "threads is 0");
    f.def.threads = 1;
    f.def.until = -1;
    CHECK(run(&f) == LITHE_BAD_INPUT);
    f.def.until = NAN;
    CHECK(run(&f) == LITHE_BAD_INPUT);
    f.def.until = 0;
    LitheRecordDef record = lithe_record_def_default();
    const char *const also[] = {"whip.momnet"};
    record.also = also;
    record.also_count = 1;
    FATAL(lithe_scene_set_record(f.scene, &record));
    CHECK(run(&f) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "did you mean 'moment'?");
    CHECK(files_in(&f) == 0);
    end(&f);
}

// A run in a child process whose files may not exceed `limit`. Returns 0: done, 1: refused with a
// message that names the file; other values say what went wrong.
static int run_limited(Fixture *f, rlim_t limit, bool resume) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit small = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        LitheStatus status =
            resume ? lithe_resume(f->context, f->out, &f->def, &f->summary, &f->error) : run(f);
        bool named = strstr(f->error.text, "a.h5") && strstr(f->error.text, "File too large");
        exit(status == LITHE_OK ? 0 : status == LITHE_FILE_ERROR && named ? 1 : 10);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 100 + WTERMSIG(state);
}

TEST(a_full_disk_keeps_the_older_recording_and_the_run_can_go_on) {
    Fixture f;
    FATAL(begin(&f));
    char kept[256], whole[256], command[1024];
    FATAL(run(&f) == LITHE_OK);
    snprintf(command, sizeof command, "cp %s %s", f.out, test_path(&f.folder, "kept", kept));
    FATAL(system(command) == 0);
    // the expected result of a longer run
    f.scene->time.end = 0.12;
    f.def.out = test_path(&f.folder, "whole.h5", whole);
    FATAL(run(&f) == LITHE_OK);
    struct stat file;
    FATAL(stat(whole, &file) == 0);
    f.def.out = f.out;
    f.def.checkpoint_seconds = 0;
    for (int64_t limit = 0; limit < file.st_size; limit += file.st_size / 12 + 1) {
        snprintf(command, sizeof command, "cp %s %s; rm -f %s.*", kept, f.out, f.out);
        FATAL(system(command) == 0);
        CHECK(run_limited(&f, (rlim_t)limit, false) == 1);
        CHECK(same_files(f.out, kept));
        if (!is_there(&f, "a.h5.journal"))
            continue;
        if (!CHECK(lithe_resume(f.context, f.out, &f.def, &f.summary, &f.error) == LITHE_OK))
            printf("  %s\n", f.error.text);
        CHECK(same_files(f.out, whole));
    }
    end(&f);
}

TEST(a_run_that_cannot_go_on_keeps_what_it_has) {
    Fixture f;
    FATAL(begin(&f));
    // explicit steps far beyond what the stretching waves allow
    f.scene->time.scheme = LITHE_SCHEME_SYMPLECTIC;
    f.scene->time.max_energy_gain = 0;
    f.scene->record.every = 0;
    CHECK(run(&f) == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(f.error.text, "whip");
    CHECK_TEXT(f.error.text, "symplectic Euler is stable up to a step of about ");
    CHECK_TEXT(f.error.text, "the last good state is saved");
    int64_t steps = f.summary.steps;
    CHECK(steps < 100 && f.summary.frames == steps + 1);
    CHECK(is_there(&f, "a.h5.journal") && is_there(&f, "a.h5.checkpoint"));
    LitheRecording *recording = NULL;
    FATAL(lithe_recording_open(f.context, f.out, &recording, &f.error) == LITHE_OK);
    CHECK(recording->frame_count == steps + 1 && !recording->end.complete);
    CHECK_TEXT(recording->end.reason, "whip");
    CHECK(recording->end.hash == f.summary.hash);
    lithe_recording_close(recording);

    // it stops at the same place again
    LitheSummary again = {0};
    CHECK(lithe_resume(f.context, f.out, &f.def, &again, &f.error) == LITHE_CANNOT_GO_ON);
    CHECK(again.steps == steps && again.frames == steps + 1 && again.hash == f.summary.hash);
    end(&f);
}

TEST(two_runs_do_not_write_to_the_same_output) {
    Fixture f;
    FATAL(begin(&f));
    char path[256], link[256], holder[64];
    LitheJournal journal = {0};
    FATAL(synthetic_journal(f.context, test_path(&f.folder, "a.h5.journal", path), 1, &journal));
    lithe_journal_close(&journal);
    LitheOutputLock lock = {0};
    FATAL(lithe_output_lock(f.context, f.out, &lock, &f.error) == LITHE_OK);
    snprintf(holder, sizeof holder, "another run is writing to it: process %ld", (long)getpid());
    CHECK(run(&f) == LITHE_FILE_ERROR);
    CHECK_TEXT(f.error.text, holder);
    CHECK(!strstr(f.log, "unfinished") && is_there(&f, "a.h5.journal")); // nothing was replaced
    CHECK(lithe_resume(f.context, f.out, &f.def, NULL, &f.error) == LITHE_FILE_ERROR);
    CHECK_TEXT(f.error.text, holder);
    // the frames so far can be had from a run that goes on
    CHECK(lithe_recover(f.context, f.out, NULL, &f.error) == LITHE_OK);
    lithe_output_unlock(&lock);
    CHECK(run(&f) == LITHE_OK);
    CHECK(files_in(&f) == 1);

    // a link and its target are one output
    FATAL(symlink(f.out, test_path(&f.folder, "b.h5", link)) == 0);
    FATAL(lithe_output_lock(f.context, link, &lock, &f.error) == LITHE_OK);
    CHECK(run(&f) == LITHE_FILE_ERROR);
    lithe_output_unlock(&lock);
    CHECK(run(&f) == LITHE_OK);
    end(&f);
}

TEST(only_temporary_files_of_this_output_are_cleared_away) {
    Fixture f;
    FATAL(begin(&f));
    const char *const names[] = {"a.h5.123-0.tmp",        "a.h5.checkpoint.9-12.tmp",
                                 "a.h5.journal.44-0.tmp", "a.h5.tmp",
                                 "b.h5.1-1.tmp",          "a.h5.x-0.tmp",
                                 "a.h5.old.1-1.tmp",      "a.h5"};
    char path[256];
    for (int i = 0; i < 8; i++)
        close(open(test_path(&f.folder, names[i], path), O_CREAT | O_WRONLY, 0666));
    lithe_leftovers_remove(f.out);
    for (int i = 0; i < 8; i++)
        CHECK(is_there(&f, names[i]) == (i >= 3));
    end(&f);
}

TEST(running_out_of_memory_at_any_allocation_ends_cleanly) {
    Fixture f;
    FATAL(begin(&f));
    f.def.until = 0.005;
    size_t bytes = lithe_context_bytes(f.context);
    bool fine = false;
    int64_t n = 1;
    for (; !fine && n < 20000; n++) {
        lithe_context_fail_at(f.context, n);
        LitheStatus status = run(&f);
        lithe_context_fail_at(f.context, 0);
        fine = status == LITHE_OK;
        CHECK(status == LITHE_OK || status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(f.context) == bytes);
    }
    CHECK(fine && n > 20);
    end(&f);
}
