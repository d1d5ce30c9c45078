// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_load_files.c - scenes in several files, files that cannot be read, hostile texts

#include "loading.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

// --- files ---------------------------------------------------------------------------------------

static char folder[64];

static const char *write_file(const char *name, const char *text) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    return path;
}

static LitheStatus load(const char *name, LitheScene **scene) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    memset(&error, 0, sizeof error);
    *scene = NULL;
    return lithe_scene_load(context, path, NULL, 0, scene, &error);
}

static bool files_begin(void) {
    strcpy(folder, "/tmp/lithe-load-XXXXXX");
    context = lithe_context_create(NULL);
    return mkdtemp(folder) != NULL;
}

static void files_end(const char *const *names) {
    char path[128];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        unlink(path);
    }
    CHECK(rmdir(folder) == 0);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(includes_merge_and_clashes_name_both_places) {
    FATAL(files_begin());
    LitheScene *s;
    write_file("a.yaml", "lithe: 1\ninclude: [b.yaml, c.yaml]\ntime: {step: 1 ms}\n");
    write_file("b.yaml", "lithe: 1\ntitle: b\ntime: {step: 9 ms, end: 2 s}\n");
    write_file("c.yaml", "lithe: 1\ntitle: c\ntime: {end: 3 s, tolerance: 1e-7}\n");
    CHECK(load("a.yaml", &s) == LITHE_OK);
    FATAL(s != NULL);
    // our own value takes precedence, then the later file
    CHECK(s->time.step == 1e-3 && s->time.end == 3 && s->time.tolerance == 1e-7);
    CHECK_TEXT(s->title, "c");
    lithe_scene_destroy(s);

    write_file("b.yaml", "lithe: 1\nmaterials:\n  m: {young: 1, density: 1}\n");
    write_file("a.yaml", "lithe: 1\ninclude: b.yaml\nmaterials:\n  m: {young: 2, density: 1}\n");
    CHECK(load("a.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.yaml:4:3: materials.m: the name is already taken at ");
    CHECK_TEXT(error.text, "b.yaml:3:3");
    // errors in an included file have its place
    write_file("b.yaml", "lithe: 1\nmaterials:\n  n: {young: 1 s, density: 1}\n");
    CHECK(load("a.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "b.yaml:3:14: materials.n.young: '1 s' is a time");
    write_file("b.yaml", "title: no version\n");
    CHECK(load("a.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "b.yaml: 'lithe: 1', the version of the format, is missing");
    files_end((const char *const[]){"a.yaml", "b.yaml", "c.yaml", NULL});
}

TEST(ignored_pairs_of_all_files_come_together) {
    FATAL(files_begin());
    LitheScene *s;
    write_file("a.yaml", "lithe: 1\ninclude: b.yaml\nbodies: {x: {fixed: true}}\n"
                         "ignore: [[x, y]]\n");
    write_file("b.yaml", "lithe: 1\nbodies: {y: {fixed: true}, z: {fixed: true}}\n"
                         "ignore: [[y, z]]\n");
    CHECK(load("a.yaml", &s) == LITHE_OK);
    CHECK(s && s->body_count == 3 && s->ignored_pair_count == 2);
    if (s) {
        CHECK_TEXT(s->ignored_pairs[0].a, "x");
        CHECK_TEXT(s->ignored_pairs[1].b, "z");
    }
    lithe_scene_destroy(s);
    files_end((const char *const[]){"a.yaml", "b.yaml", NULL});
}

TEST(rings_and_long_chains_of_includes_are_refused) {
    FATAL(files_begin());
    LitheScene *s;
    const char *names[21] = {0};
    char name[20][16], text[64];
    for (int i = 0; i < 20; i++) {
        snprintf(name[i], sizeof name[i], "f%d.yaml", i);
        names[i] = name[i];
        snprintf(text, sizeof text, "lithe: 1\n%s%d.yaml\n", i < 19 ? "include: f" : "#", i + 1);
        write_file(name[i], text);
    }
    CHECK(load("f0.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "more than 16 deep");
    CHECK(load("f3.yaml", &s) == LITHE_OK);
    lithe_scene_destroy(s);
    write_file("f19.yaml", "lithe: 1\ninclude: ./f18.yaml\n");
    CHECK(load("f18.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "f18.yaml includes itself, directly or through others");
    files_end(names);
}

// 20 times 20 times .. : reading each of them every time would never end
TEST(files_that_include_each_other_many_times_are_read_once) {
    FATAL(files_begin());
    LitheScene *s;
    const char *names[15] = {0};
    char name[14][16], text[400];
    for (int i = 0; i < 14; i++) {
        snprintf(name[i], sizeof name[i], "f%d.yaml", i);
        names[i] = name[i];
        int used =
            snprintf(text, sizeof text, "lithe: 1\nparameters: {p%d: %d, last: %d}\n", i, i, i);
        if (i < 13)
            used += snprintf(text + used, sizeof text - (size_t)used, "include: [f13.yaml");
        for (int k = 0; i < 13 && k < 20; k++)
            used += snprintf(text + used, sizeof text - (size_t)used, ", f%d.yaml", i + 1);
        if (i < 13)
            snprintf(text + used, sizeof text - (size_t)used, "]\n");
        else
            snprintf(text + used, sizeof text - (size_t)used,
                     "materials: {m: {young: p12*1 MPa, density: last}}\n");
        write_file(name[i], text);
    }
    CHECK(load("f1.yaml", &s) == LITHE_OK);
    const LitheMaterialDef *m = &s->materials[0];
    // the including file's value is used
    CHECK(s->material_count == 1 && m->young == 12e6 && m->density == 1);
    lithe_scene_destroy(s);
    files_end(names);
}

TEST(files_that_cannot_be_read_are_named_with_the_reason) {
    FATAL(files_begin());
    LitheScene *s;
    CHECK(load("none.yaml", &s) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "none.yaml: cannot read: No such file");
    CHECK(load("", &s) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "Is a directory");
    write_file("a.yaml", "lithe: 1\ninclude: none.yaml\n");
    CHECK(load("a.yaml", &s) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a.yaml:2:10: include: cannot read");
    CHECK(error.line == 2 && error.column == 10);
    write_file("a.yaml", HEAD "rods: {r: {section: {circle: {radius: 1}}, material: nylon, "
                              "shape: {file: {path: none.txt}}}}\n");
    CHECK(load("a.yaml", &s) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "none.txt");
    files_end((const char *const[]){"a.yaml", NULL});
}

TEST(text_without_a_folder_may_name_no_file) {
    REFUSE("lithe: 1\ninclude: b.yaml\n",
           "a.yaml:2:10: include: a scene given as text without a folder cannot refer to files");
    REFUSE(HEAD "rods: {r: {section: {circle: {radius: 1}}, material: nylon, "
                "shape: {file: {path: /etc/passwd}}}}\n",
           "a scene given as text without a folder cannot refer to files");
}

TEST(a_file_over_the_limit_is_refused_by_its_size) {
    FATAL(files_begin());
    const char *path = write_file("big.yaml", "lithe: 1\n");
    CHECK(truncate(path, (off_t)100 << 20) == 0);
    LitheScene *s;
    CHECK(load("big.yaml", &s) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "more than 67108864 bytes");
    files_end((const char *const[]){"big.yaml", NULL});
}

// --- hostile texts -------------------------------------------------------------------------------

TEST(hostile_texts_end_in_one_message) {
    refuse_bytes(__LINE__, "", 0, NULL, "a.yaml: not a scene");
    refuse_bytes(__LINE__, "lithe: 1\n\0 x", 12, NULL,
                 "a.yaml:2:1: byte 0x00: not a text in UTF-8");
    REFUSE("lithe: 1\ntitle: \xff\n", "a.yaml:2:8: byte 0xff");
    REFUSE("lithe: 1\ntitle: \xc0\x80\n", "byte 0xc0");
    REFUSE("lithe: 1\ntitle: \xed\xa0\x80\n", "byte 0xed");
    REFUSE("\x89PNG\r\n\x1a\n", "byte 0x89");
    REFUSE("lithe: 1\ntitle: \"\\0\"\n", "a NUL character");
    REFUSE("lithe: 1\nrods: {a: [1, 2\n", "not YAML");
    REFUSE("lithe: 1\ntitle: \"abc\n", "not YAML");
    REFUSE("lithe: 1\n--- \nlithe: 1\n", "more than one document");
    REFUSE("lithe: 1\ntitle: !!str x\n", "tags (!...) have no meaning");
    REFUSE("lithe: 1\n? {a: b}\n: c\n", "a key must be a word");
    REFUSE("lithe: 1\ntime: *x\n", "this alias names no anchor");
    REFUSE("lithe: 1\ntime: &a {step: *a}\n", "this alias contains itself");
    REFUSE("[1, 2]", "not a scene");
    REFUSE("hello", "not a scene");
    REFUSE("lithe: 2\n", "version '2' of the format is not supported, only 1 is");
    REFUSE("title: x\n", "'lithe: 1', the version of the format, is missing");
    REFUSE(HEAD ROPE "record: {also: [\"\\x1b[31m\"]}\n", "also: '?[31m' is not NAME.QUANTITY");
    REFUSE("lithe: 1\n\x1b[31mtitle: 1\n", "a.yaml:2");
}

TEST(bombs_are_refused_before_they_go_off) {
    char text[2000] = "lithe: 1\na: &a [1,1,1,1,1,1,1,1,1]\n";
    for (char c = 'b'; c < 'k'; c++) {
        char p = (char)(c - 1);
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, p, p, p, p, p, p, p, p,
                 p);
    }
    REFUSE(text, "aliases multiply to more than 1000000 values");
    static char deep[200010];
    snprintf(deep, sizeof deep, "lithe: 1\na: ");
    memset(deep + strlen(deep), '[', 200000 - 20);
    REFUSE(deep, "nested too deeply (64 levels at most)");
    // an alias cannot go deeper than plain text can
    char nest[3000] = "lithe: 1\n";
    for (int level = 0; level < 3; level++) {
        snprintf(nest + strlen(nest), sizeof nest - strlen(nest), "k%d: &k%d ", level, level);
        for (int i = 0; i < 30; i++)
            strcat(nest, "[");
        if (level)
            snprintf(nest + strlen(nest), sizeof nest - strlen(nest), "*k%d", level - 1);
        for (int i = 0; i < 30; i++)
            strcat(nest, "]");
        strcat(nest, "\n");
    }
    REFUSE(nest, "nested too deeply");
}

TEST(nothing_reaches_stderr) {
    FATAL(files_begin());
    char path[128];
    snprintf(path, sizeof path, "%s/err", folder);
    fflush(stderr);
    int old = dup(2);
    FATAL(old >= 0 && freopen(path, "wb", stderr));
    LitheScene *s;
    CHECK(parse("a: [1, 2\n\t- x: }\n", 16, NULL, &s) == LITHE_BAD_INPUT);
    CHECK(parse("lithe: 1\n  x: \"\\q\"\n", 19, NULL, &s) == LITHE_BAD_INPUT);
    fflush(stderr);
    dup2(old, 2);
    close(old);
    struct stat st;
    CHECK(stat(path, &st) == 0 && st.st_size == 0);
    files_end((const char *const[]){"err", NULL});
}

TEST(aliases_stand_for_copies) {
    LitheScene *s =
        take("lithe: 1\nmaterials:\n  a: &m {young: 1 MPa, density: 1}\n  b: *m\n", NULL);
    FATAL(s != NULL);
    CHECK(s->material_count == 2 && s->materials[1].young == 1e6);
    drop(s);
}

TEST(the_programs_language_does_not_matter) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "de_DE"};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    LitheScene *s = take("lithe: 1\ntime: {step: 1.5 ms, end: 0.75}\n", NULL);
    FATAL(s != NULL);
    CHECK(s->time.step == 1.5e-3 && s->time.end == 0.75);
    char *text = NULL;
    CHECK(lithe_scene_write(s, &text, &error) == LITHE_OK);
    CHECK_TEXT(text, "end: 0.75");
    lithe_text_free(context, text);
    setlocale(LC_ALL, "C");
    drop(s);
}

TEST(every_failed_allocation_of_a_load_leaves_nothing_behind) {
    context = lithe_context_create(NULL);
    int n = 1;
    for (; n < 5000; n++) {
        LitheScene *s = NULL;
        const char *set = "rods.rope.section.circle.radius=3 mm";
        lithe_context_fail_at(context, n);
        LitheStatus status =
            lithe_scene_load(context, SCENES "everything.yaml", &set, 1, &s, &error);
        lithe_context_fail_at(context, 0);
        if (status == LITHE_OK) {
            lithe_scene_destroy(s);
            break;
        }
        if (!CHECK(status == LITHE_NO_MEMORY))
            printf("  n = %d: %s\n", n, error.text);
        CHECK(s == NULL);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(n > 100 && n < 5000);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
