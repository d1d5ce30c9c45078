// SPDX-License-Identifier: Apache-2.0
// tests/run/test_study.c - study files: rows, values, units, and the journal of finished rows

#include "test.h"

#include "record/synthetic.h"
#include "run/study_log.h"
#include "run/study_table.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char scene_text[] =
    "lithe: 1\n"
    "parameters: {r: 2 mm, seed: 0}\n"
    "time: {step: 1 ms, end: 10 ms}\n"
    "materials: {nylon: {young: 18 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
    "rods:\n"
    "  rope: {material: nylon, section: {circle: {radius: r}}, shape: {line: {to: [1 m, 0, 0]}}, "
    "nodes: 5}\n";

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheStudy study;
    LitheError error;
    char path[256], log_path[256];
} Fixture;

static void write_text(const TestFolder *folder, const char *name, const char *text) {
    char path[256];
    FILE *file = fopen(test_path(folder, name, path), "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static LitheStatus load(Fixture *f, const char *middle) {
    char text[2000];
    snprintf(text, sizeof text, "lithe: 1\nscene: rope.yaml\n%s\nmeasure: {a: rope.tension.max}\n",
             middle);
    write_text(&f->folder, "study.yaml", text);
    return lithe_study_load(f->context, test_path(&f->folder, "study.yaml", f->path), &f->study,
                            &f->error);
}

static void begin(Fixture *f) {
    *f = (Fixture){.context = lithe_context_create(NULL), .folder = test_folder()};
    write_text(&f->folder, "rope.yaml", scene_text);
    test_path(&f->folder, "journal", f->log_path);
}

// every byte is freed: the context checks it
static void end(Fixture *f) {
    lithe_study_release(&f->study);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

// --- values --------------------------------------------------------------------------------------

TEST(even_ranges_meet_both_ends_and_have_neat_values_between) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: {from: 0.1, to: 0.7, count: 7}}") == LITHE_OK);
    FATAL(f.study.row_count == 7);
    static const char *const wanted[] = {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"};
    for (int i = 0; i < 7; i++)
        CHECK(strcmp(f.study.paths[0].texts[i], wanted[i]) == 0);
    end(&f);
}

TEST(a_range_by_steps_counts_the_step_that_ends_at_its_end) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: {from: 1 mm, to: 1.3 mm, step: 0.1 mm}}") == LITHE_OK);
    FATAL(f.study.row_count == 4);
    CHECK(strcmp(f.study.paths[0].sets[3], "parameters.r=0.0013 m") == 0);
    lithe_study_release(&f.study);
    FATAL(load(&f, "vary: {parameters.r: {from: 3, to: 1, step: -0.75}}") == LITHE_OK);
    FATAL(f.study.row_count == 3);
    CHECK(strcmp(f.study.paths[0].texts[2], "1.5") == 0);
    end(&f);
}

TEST(logarithmic_ranges_have_even_ratios_and_their_ends) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: {log: [1 um, 3 mm], count: 5}}") == LITHE_OK);
    const double *r = f.study.paths[0].numbers;
    CHECK(r[0] == 1e-6 && r[4] == 3e-3);
    for (int i = 1; i < 5; i++)
        CHECK_NEAR(r[i] / r[i - 1], pow(3000, 0.25), 1e-12);
    end(&f);
}

TEST(numbers_with_units_are_si_and_others_stay_texts) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary:\n"
                   "  a.b: [1 mm, 2 cm]\n"
                   "  c: [1 mm, 2 s]\n"
                   "  d: [1 N m s/rad, 3 N m s/rad]\n"
                   "  e: [convex, imc]\n"
                   "  f: [10 m^2/s, 5 m^2/s]\n") == LITHE_OK);
    const LitheStudyPath *paths = f.study.paths;
    FATAL(f.study.path_count == 5 && f.study.row_count == 32);
    CHECK(paths[0].numbers && paths[0].numbers[1] == 0.02 && strcmp(paths[0].unit, "m") == 0);
    CHECK(!paths[1].numbers && strcmp(paths[1].texts[1], "2 s") == 0);
    CHECK(paths[2].numbers && strcmp(paths[2].unit, "N m s/rad") == 0);
    CHECK(!paths[3].numbers);
    CHECK(paths[4].numbers && strcmp(paths[4].unit, "m^2 s^-1") == 0);
    end(&f);
}

TEST(units_of_ranges_read_back_as_the_same_dimension) {
    Fixture f;
    begin(&f);
    static const char *const units[] = {"Hz", "rad/s", "kg/m^3", "1/s", "Hz^2", "m^2/s", "rpm"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[200];
        snprintf(text, sizeof text, "vary: {x: {from: 1 %s, to: 3 %s, count: 3}}", units[i],
                 units[i]);
        FATAL(load(&f, text) == LITHE_OK);
        // as a list the values must again be numbers of that unit
        char again[300], unit[48];
        snprintf(unit, sizeof unit, "%s", f.study.paths[0].unit);
        snprintf(again, sizeof again, "vary: {x: [%s, 1 %s]}", f.study.paths[0].texts[1], units[i]);
        double middle = f.study.paths[0].numbers[1];
        lithe_study_release(&f.study);
        FATAL(load(&f, again) == LITHE_OK);
        CHECK(f.study.paths[0].numbers && f.study.paths[0].numbers[0] == middle);
        CHECK(strcmp(f.study.paths[0].unit, unit) == 0);
        lithe_study_release(&f.study);
    }
    end(&f);
}

TEST(the_last_axis_runs_fastest_and_fixed_values_come_first) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "seeds: {path: parameters.noise, values: 2}\n"
                   "vary: {a: [1, 2], b: [3, 4, 5]}\n"
                   "together: {c: [6, 7], d: [8, 9]}\n"
                   "set: {e: {x: [1, 'y: z']}}") == LITHE_OK);
    FATAL(f.study.row_count == 24 && f.study.path_count == 6);
    const char *sets[6];
    lithe_study_sets(&f.study, 0, sets);
    static const char *const first[] = {"e={\"x\": [1, \"y: z\"]}", "a=1", "b=3", "c=6", "d=8",
                                        "parameters.noise=1"};
    for (int i = 0; i < 6; i++)
        CHECK_TEXT(sets[i], first[i]);
    lithe_study_sets(&f.study, 14, sets); // 14 = ((1 * 3 + 0) * 2 + 1) * 2 + 0
    static const char *const other[] = {"e=", "a=2", "b=3", "c=7", "d=9", "parameters.noise=1"};
    for (int i = 0; i < 6; i++)
        CHECK_TEXT(sets[i], other[i]);
    end(&f);
}

TEST(what_cannot_be_varied_is_refused) {
    Fixture f;
    begin(&f);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"vary: {a: [1], b: []}", "study.yaml:3:16: b: the list has no values"},
        {"vary: {a: [1]}\nset: {a: 2}", "study.yaml:3:8: a: gets values already at line 4"},
        {"together: {a: [1, 2], b: [1]}", "b has 1 values, but a has 2"},
        {"vary: {a: {log: [-1, 2], count: 3}}", "must have one sign"},
        {"vary: {a: {log: [1, 2]}}", "'count' is missing"},
        {"vary: {a: {from: 1, to: 2, step: -1}}", "does not lead from 1 to 2"},
        {"vary: {a: {from: 1, to: 2, step: 0}}", "does not lead from 1 to 2"},
        {"vary: {a: {from: 1, to: 2, step: 1, count: 2}}", "a range is"},
        {"vary: {a: {form: 1, to: 2, step: 1}}", "did you mean from?"},
        {"vary: {a: {from: x, to: 2, step: 1}}", "a.from: a number or a quantity is expected"},
        {"seeds: 0", "must be a whole number from 1"},
        {"seeds: [1, x]", "a seed is 'x'"},
        {"vary: {a=b: [1]}", "a path of the scene is expected"},
        {"vary: {a: {from: 0, to: 1, count: 2000}, b: {from: 0, to: 1, count: 2000}}",
         "more than 1000000 rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(load(&f, cases[i].text) == LITHE_BAD_INPUT);
        CHECK_TEXT(f.error.text, cases[i].message);
        CHECK(f.study.context == NULL);
    }
    end(&f);
}

// --- the scene -----------------------------------------------------------------------------------

TEST(checking_finds_units_and_tells_changes_apart) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: [1 mm, 2 mm]}") == LITHE_OK);
    FATAL(lithe_study_check(&f.study, &f.error) == LITHE_OK);
    CHECK(strcmp(f.study.measures[0].unit, "N") == 0);
    uint64_t study = f.study.study_hash, scene = f.study.scene_hash;
    FATAL(lithe_study_check(&f.study, &f.error) == LITHE_OK);
    CHECK(f.study.study_hash == study && f.study.scene_hash == scene);
    // a parameter given by an expression of the same value makes another scene, not another study
    char text[1000], *at;
    snprintf(text, sizeof text, "%s", scene_text);
    FATAL((at = strstr(text, "r: 2 mm, seed")));
    memcpy(at, "r: 2*1mm,seed", 13);
    write_text(&f.folder, "rope.yaml", text);
    FATAL(lithe_study_check(&f.study, &f.error) == LITHE_OK);
    CHECK(f.study.study_hash == study && f.study.scene_hash != scene);
    end(&f);
}

TEST(one_good_row_is_enough_to_begin_but_none_is_not) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: [-1 mm, 0 mm, 2 mm]}") == LITHE_OK);
    CHECK(lithe_study_check(&f.study, &f.error) == LITHE_OK);
    lithe_study_release(&f.study);
    FATAL(load(&f, "vary: {parameters.r: [-1 mm, 0 mm]}") == LITHE_OK);
    CHECK(lithe_study_check(&f.study, &f.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "must be > 0");
    end(&f);
}

TEST(lack_of_memory_at_any_point_is_reported_and_leaks_nothing) {
    Fixture f;
    begin(&f);
    bool done = false;
    for (int64_t n = 1; n < 2000 && !done; n++) {
        lithe_context_fail_at(f.context, n);
        LitheStatus status = load(&f, "vary: {parameters.r: [1 mm, 2 mm], parameters.seed: [1]}");
        LitheStudyRows rows = {0};
        if (status == LITHE_OK)
            status = lithe_study_check(&f.study, &f.error);
        if (status == LITHE_OK)
            status = lithe_study_rows_create(&f.study, &rows, &f.error);
        lithe_context_fail_at(f.context, 0);
        CHECK(status == LITHE_OK || status == LITHE_NO_MEMORY);
        done = status == LITHE_OK;
        lithe_study_rows_release(&rows);
        lithe_study_release(&f.study);
        CHECK(lithe_context_bytes(f.context) == 0);
    }
    CHECK(done);
    end(&f);
}

// --- the journal ---------------------------------------------------------------------------------

typedef struct Journal {
    LitheStudyRows rows;
    LitheStudyLog log;
} Journal;

static LitheStatus open_log(Fixture *f, Journal *j) {
    LitheStatus status = lithe_study_rows_create(&f->study, &j->rows, &f->error);
    if (status == LITHE_OK)
        status = lithe_study_log_open(&f->study, f->log_path, false, &j->rows, &j->log, &f->error);
    return status;
}

static void close_log(Journal *j) {
    lithe_study_log_close(&j->log);
    lithe_study_rows_release(&j->rows);
}

// Three rows: 2 done, 0 failed, 1 done.
static bool write_log(Fixture *f) {
    Journal j;
    const double first[] = {1.0 / 3, 0}, second[] = {-1e-300, 7};
    if (load(f, "vary: {parameters.r: [1 mm, 2 mm, 3 mm]}") != LITHE_OK ||
        open_log(f, &j) != LITHE_OK || !j.log.fresh)
        return false;
    bool fine =
        lithe_study_log_start(&f->study, &j.log, &f->error) == LITHE_OK &&
        lithe_study_rows_set(&j.rows, 2, LITHE_ROW_DONE, first, NULL, &f->error) == LITHE_OK &&
        lithe_study_log_append(&j.log, &j.rows, 2, &f->error) == LITHE_OK &&
        lithe_study_rows_set(&j.rows, 0, LITHE_ROW_FAILED, NULL, "a\tb\nc", &f->error) ==
            LITHE_OK &&
        lithe_study_log_append(&j.log, &j.rows, 0, &f->error) == LITHE_OK &&
        lithe_study_rows_set(&j.rows, 1, LITHE_ROW_DONE, second, NULL, &f->error) == LITHE_OK &&
        lithe_study_log_append(&j.log, &j.rows, 1, &f->error) == LITHE_OK;
    close_log(&j);
    return fine;
}

TEST(the_journal_gives_rows_back_to_the_last_bit) {
    Fixture f;
    begin(&f);
    FATAL(write_log(&f));
    Journal j;
    FATAL(open_log(&f, &j) == LITHE_OK && !j.log.fresh);
    CHECK(j.rows.states[2] == LITHE_ROW_DONE && j.rows.values[2] == 1.0 / 3);
    CHECK(j.rows.states[1] == LITHE_ROW_DONE && j.rows.values[1] == -1e-300);
    CHECK(j.rows.values[4] == 7 && j.rows.values[5] == 0);
    CHECK(j.rows.states[0] == LITHE_ROW_FAILED && isnan(j.rows.values[0]));
    CHECK(j.rows.reasons[0] && strcmp(j.rows.reasons[0], "a?b?c") == 0);
    close_log(&j);
    end(&f);
}

TEST(a_journal_cut_anywhere_keeps_its_whole_lines) {
    Fixture f;
    begin(&f);
    FATAL(write_log(&f));
    struct stat about;
    FATAL(stat(f.log_path, &about) == 0);
    int32_t before = 3;
    for (off_t size = about.st_size - 1; size >= 0; size--) {
        FATAL(truncate(f.log_path, size) == 0);
        Journal j;
        FATAL(open_log(&f, &j) == LITHE_OK);
        int32_t count = 0;
        for (int32_t i = 0; i < 3; i++)
            count += j.rows.states[i] != LITHE_ROW_WAITING;
        CHECK(count <= before && (count == 0 || !j.log.fresh));
        CHECK(j.log.fresh == (strlen("lithe-study 1") > (size_t)size || j.log.end == 0));
        before = count;
        close_log(&j);
    }
    CHECK(before == 0);
    end(&f);
}

TEST(a_flipped_byte_drops_its_row_and_those_behind) {
    Fixture f;
    begin(&f);
    FATAL(write_log(&f));
    int fd = open(f.log_path, O_RDWR);
    char text[1000] = "";
    FATAL(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    const char *line = strstr(text, "failed");
    FATAL(line && pwrite(fd, "F", 1, line - text) == 1 && close(fd) == 0);
    Journal j;
    FATAL(open_log(&f, &j) == LITHE_OK);
    CHECK(j.rows.states[2] == LITHE_ROW_DONE);
    CHECK(j.rows.states[0] == LITHE_ROW_WAITING && j.rows.states[1] == LITHE_ROW_WAITING);
    close_log(&j);
    end(&f);
}

TEST(a_journal_is_one_sweeps_at_a_time) {
    Fixture f;
    begin(&f);
    FATAL(write_log(&f));
    Journal a, b;
    FATAL(open_log(&f, &a) == LITHE_OK);
    CHECK(open_log(&f, &b) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "another sweep");
    close_log(&b);
    close_log(&a);
    end(&f);
}

// --- the table -----------------------------------------------------------------------------------

TEST(the_table_quotes_what_would_break_it) {
    Fixture f;
    begin(&f);
    FATAL(load(&f, "vary: {parameters.r: [1 mm, 'max(1 mm, r)', 'say \"r\"']}") == LITHE_OK);
    LitheStudyRows rows;
    FATAL(lithe_study_rows_create(&f.study, &rows, &f.error) == LITHE_OK);
    const double values[] = {0.1, 3};
    FATAL(lithe_study_rows_set(&rows, 1, LITHE_ROW_DONE, values, NULL, &f.error) == LITHE_OK);
    FATAL(lithe_study_rows_set(&rows, 2, LITHE_ROW_FAILED, NULL, "no, \"not\"", &f.error) ==
          LITHE_OK);
    char csv[256], hdf5[256], text[1000] = "";
    FATAL(lithe_study_write_table(&f.study, &rows, test_path(&f.folder, "t.csv", csv),
                                  test_path(&f.folder, "t.h5", hdf5), &f.error) == LITHE_OK);
    FILE *file = fopen(csv, "r");
    FATAL(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    CHECK(strcmp(text, "row,parameters.r,a,steps_unconverged,status,reason\n"
                       "1,1 mm,,,not run,\n"
                       "2,\"max(1 mm, r)\",0.1,3,done,\n"
                       "3,\"say \"\"r\"\"\",,,failed,\"no, \"\"not\"\"\"\n") == 0);
    lithe_study_rows_release(&rows);
    end(&f);
}
