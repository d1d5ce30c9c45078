// SPDX-License-Identifier: Apache-2.0
// tests/base/test_file.c - a file is replaced as a whole or not at all

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "test.h"

static void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static bool holds(const char *path, const char *text) {
    char got[256] = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    size_t n = fread(got, 1, sizeof got - 1, f);
    fclose(f);
    return n == strlen(text) && strcmp(got, text) == 0;
}

static int entries(const char *folder) {
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

typedef struct Folder {
    char name[64];
    char file[96];
    LitheContext *context;
} Folder;

static bool folder_begin(Folder *f) {
    strcpy(f->name, "/tmp/lithe-file-XXXXXX");
    f->context = lithe_context_create(NULL);
    if (!f->context || !mkdtemp(f->name))
        return false;
    snprintf(f->file, sizeof f->file, "%s/a.txt", f->name);
    return true;
}

static void folder_end(Folder *f) {
    CHECK(lithe_context_bytes(f->context) == 0);
    lithe_context_destroy(f->context);
    unlink(f->file);
    CHECK(rmdir(f->name) == 0);
}

TEST(commit_replaces_the_old_file_and_only_then) {
    Folder f;
    FATAL(folder_begin(&f));
    write_text(f.file, "old");
    chmod(f.file, 0640);
    LitheFileReplace r;
    LitheError error = {0};
    FATAL(lithe_file_replace_begin(f.context, f.file, &r, &error) == LITHE_OK);
    fputs("new text", r.file);
    fflush(r.file);
    CHECK(holds(f.file, "old"));
    CHECK(lithe_file_replace_commit(&r, &error) == LITHE_OK);
    CHECK(holds(f.file, "new text"));
    CHECK(entries(f.name) == 1);
    struct stat s;
    CHECK(stat(f.file, &s) == 0 && (s.st_mode & 0777) == 0640);
    folder_end(&f);
}

TEST(new_file_gets_the_permissions_of_the_umask) {
    Folder f;
    FATAL(folder_begin(&f));
    mode_t mask = umask(027);
    LitheFileReplace r;
    CHECK(lithe_file_replace_begin(f.context, f.file, &r, NULL) == LITHE_OK);
    CHECK(lithe_file_replace_commit(&r, NULL) == LITHE_OK);
    umask(mask);
    struct stat s;
    CHECK(stat(f.file, &s) == 0 && (s.st_mode & 0777) == 0640);
    folder_end(&f);
}

TEST(abort_leaves_the_old_file_and_no_other) {
    Folder f;
    FATAL(folder_begin(&f));
    write_text(f.file, "old");
    LitheFileReplace r;
    FATAL(lithe_file_replace_begin(f.context, f.file, &r, NULL) == LITHE_OK);
    fputs("half", r.file);
    lithe_file_replace_abort(&r);
    lithe_file_replace_abort(&r);
    CHECK(holds(f.file, "old"));
    CHECK(entries(f.name) == 1);
    folder_end(&f);
}

TEST(a_killed_writer_leaves_nothing_behind) {
    Folder f;
    FATAL(folder_begin(&f));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        LitheFileReplace r = {0};
        if (lithe_file_replace_begin(f.context, f.file, &r, NULL) == LITHE_OK) {
            fputs("half", r.file);
            fflush(r.file);
        }
        // file systems that only know named files leave one, which the next run removes
        if (r.named)
            unlink(r.temporary);
        raise(SIGKILL);
    }
    int state = 0;
    waitpid(child, &state, 0);
    CHECK(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL);
    CHECK(entries(f.name) == 0);
    folder_end(&f);
}

TEST(an_empty_name_and_a_pipe_that_nobody_reads_are_refused_at_once) {
    Folder f;
    FATAL(folder_begin(&f));
    LitheFileReplace r;
    LitheError error = {0};
    CHECK(lithe_file_replace_begin(f.context, "", &r, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "empty");
    FATAL(mkfifo(f.file, 0600) == 0);
    alarm(300);
    CHECK(lithe_file_replace_begin(f.context, f.file, &r, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a pipe that nobody reads");

    // somebody reads
    int reader = open(f.file, O_RDONLY | O_NONBLOCK);
    FATAL(lithe_file_replace_begin(f.context, f.file, &r, &error) == LITHE_OK);
    fputs("text", r.file);
    CHECK(lithe_file_replace_commit(&r, &error) == LITHE_OK);
    char got[8] = "";
    CHECK(read(reader, got, sizeof got - 1) == 4 && strcmp(got, "text") == 0);
    close(reader);
    alarm(0);
    folder_end(&f);
}

TEST(inputs_do_not_block_and_devices_and_folders_are_none) {
    Folder f;
    FATAL(folder_begin(&f));
    CHECK(!lithe_file_open_input(f.name) && errno == EISDIR);
    CHECK(!lithe_file_open_input("/dev/zero") && errno == ENODEV);
    CHECK(!lithe_file_open_input(f.file) && errno == ENOENT);
    FATAL(mkfifo(f.file, 0600) == 0);
    alarm(300);
    CHECK(!lithe_file_open_input(f.file) && errno == EPIPE);
    CHECK_TEXT(lithe_file_reason(EPIPE), "nobody writes");

    // with bytes, and with a writer that sends them later
    for (int later = 0; later < 2; later++) {
        int writer = open(f.file, O_RDWR);
        if (!later)
            CHECK(write(writer, "text", 4) == 4);
        FILE *file = lithe_file_open_input(f.file);
        FATAL(file != NULL);
        if (later)
            CHECK(write(writer, "text", 4) == 4);
        close(writer);
        char got[8] = "";
        CHECK(fread(got, 1, sizeof got, file) == 4 && memcmp(got, "text", 4) == 0);
        fclose(file);
    }
    alarm(0);
    folder_end(&f);
}

TEST(whole_files_are_read_up_to_their_limit_and_nothing_else_is) {
    Folder f;
    FATAL(folder_begin(&f));
    const LitheFileLimit limit = {8, LITHE_NOT_SUPPORTED, "a text"};
    char untouched, *bytes = &untouched;
    size_t length = 7;
    LitheError error = {0};
    CHECK(lithe_file_read(f.context, f.file, &limit, &bytes, &length, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "cannot read");
    CHECK(lithe_file_read(f.context, f.name, &limit, &bytes, &length, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "not a regular file");
    FATAL(mkfifo(f.file, 0600) == 0);
    alarm(300);
    CHECK(lithe_file_read(f.context, f.file, &limit, &bytes, &length, &error) == LITHE_FILE_ERROR);
    alarm(0);
    unlink(f.file);
    write_text(f.file, "123456789");
    CHECK(lithe_file_read(f.context, f.file, &limit, &bytes, &length, &error) ==
          LITHE_NOT_SUPPORTED);
    CHECK_TEXT(error.text, "9 bytes, at most 8 are read");
    write_text(f.file, "12345678");
    lithe_context_fail_at(f.context, 1);
    CHECK(lithe_file_read(f.context, f.file, &limit, &bytes, &length, &error) == LITHE_NO_MEMORY);
    lithe_context_fail_at(f.context, 0);
    CHECK_TEXT(error.text, "a text");
    CHECK(bytes == &untouched && length == 7);
    FATAL(lithe_file_read(f.context, f.file, &limit, &bytes, &length, &error) == LITHE_OK);
    CHECK(length == 8 && strcmp(bytes, "12345678") == 0);
    lithe_free(f.context, bytes);
    folder_end(&f);
}

TEST(links_lead_to_the_same_file) {
    Folder f;
    char hard[128], soft[128];
    FATAL(folder_begin(&f));
    write_text(f.file, "text");
    snprintf(hard, sizeof hard, "%s/hard", f.name);
    snprintf(soft, sizeof soft, "%s/soft", f.name);
    FATAL(link(f.file, hard) == 0 && symlink("a.txt", soft) == 0);
    CHECK(lithe_file_same(f.file, f.file) && lithe_file_same(f.file, hard));
    CHECK(lithe_file_same(hard, soft));
    CHECK(!lithe_file_same(f.file, f.name) && !lithe_file_same(f.file, "/no/such/file"));
    unlink(hard);
    unlink(soft);
    folder_end(&f);
}

TEST(two_writers_of_one_file_do_not_mix) {
    Folder f;
    FATAL(folder_begin(&f));
    LitheFileReplace a, b;
    FATAL(lithe_file_replace_begin(f.context, f.file, &a, NULL) == LITHE_OK);
    FATAL(lithe_file_replace_begin(f.context, f.file, &b, NULL) == LITHE_OK);
    fputs("aaaa", a.file);
    fputs("bb", b.file);
    CHECK(lithe_file_replace_commit(&a, NULL) == LITHE_OK);
    CHECK(holds(f.file, "aaaa"));
    CHECK(lithe_file_replace_commit(&b, NULL) == LITHE_OK);
    CHECK(holds(f.file, "bb"));
    CHECK(entries(f.name) == 1);
    folder_end(&f);
}

TEST(symbolic_link_stays_a_link) {
    Folder f;
    FATAL(folder_begin(&f));
    write_text(f.file, "old");
    char link_name[96];
    snprintf(link_name, sizeof link_name, "%s/link", f.name);
    FATAL(symlink("a.txt", link_name) == 0);
    LitheFileReplace r;
    FATAL(lithe_file_replace_begin(f.context, link_name, &r, NULL) == LITHE_OK);
    fputs("new", r.file);
    CHECK(lithe_file_replace_commit(&r, NULL) == LITHE_OK);
    struct stat s;
    CHECK(lstat(link_name, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(holds(f.file, "new"));
    unlink(link_name);
    folder_end(&f);
}

TEST(missing_folder_and_folder_as_target_are_refused_by_name) {
    Folder f;
    FATAL(folder_begin(&f));
    LitheFileReplace r = {0};
    LitheError error = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/none/a.txt", f.name);
    CHECK(lithe_file_replace_begin(f.context, path, &r, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, path);
    CHECK_TEXT(error.text, strerror(ENOENT));
    CHECK(r.file == NULL);
    CHECK(lithe_file_replace_begin(f.context, f.name, &r, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, f.name);
    CHECK_TEXT(error.text, strerror(EISDIR));
    folder_end(&f);
}

TEST(unwritable_folder_is_refused_and_the_old_file_kept) {
    if (geteuid() == 0) // every folder is writable for root; the next test covers a failed write
        return;
    Folder f;
    FATAL(folder_begin(&f));
    write_text(f.file, "old");
    chmod(f.name, 0555);
    LitheFileReplace r = {0};
    LitheError error = {0};
    CHECK(lithe_file_replace_begin(f.context, f.file, &r, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, f.file);
    CHECK_TEXT(error.text, strerror(EACCES));
    CHECK(holds(f.file, "old"));
    chmod(f.name, 0755);
    folder_end(&f);
}

TEST(full_disk_is_reported_at_commit) {
    LitheContext *context = lithe_context_create(NULL);
    LitheFileReplace r;
    LitheError error = {0};
    FATAL(lithe_file_replace_begin(context, "/dev/full", &r, &error) == LITHE_OK);
    fputs("text", r.file);
    CHECK(lithe_file_replace_commit(&r, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/dev/full");
    CHECK_TEXT(error.text, strerror(ENOSPC));
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_leaves_nothing_behind) {
    Folder f;
    FATAL(folder_begin(&f));
    int n = 1;
    for (; n < 20; n++) {
        LitheFileReplace r = {0};
        LitheError error = {0};
        lithe_context_fail_at(f.context, n);
        LitheStatus status = lithe_file_replace_begin(f.context, f.file, &r, &error);
        lithe_context_fail_at(f.context, 0);
        if (status == LITHE_OK) {
            lithe_file_replace_abort(&r);
            break;
        }
        CHECK(status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(f.context) == 0);
        CHECK(entries(f.name) == 0);
    }
    CHECK(n > 1 && n < 20);
    folder_end(&f);
}
