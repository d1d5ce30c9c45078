// SPDX-License-Identifier: Apache-2.0
// tests/run/test_queue.c - jobs as processes: ends, signals, stops

#include "test.h"

#include "record/synthetic.h"
#include "run/queue.h"

#include <signal.h>

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheQueue *queue;
    LitheError error;
    volatile sig_atomic_t stop;
} Fixture;

static bool begin(Fixture *f, int32_t max_running) {
    memset(f, 0, sizeof *f);
    f->context = lithe_context_create(NULL);
    f->folder = test_folder();
    f->queue = lithe_queue_local(f->context, max_running, &f->stop);
    return f->queue != NULL;
}

static void end(Fixture *f) {
    f->queue->destroy(f->queue);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static LitheStatus submit(Fixture *f, int32_t id, const char *program, const char *script) {
    char log[256], name[32];
    snprintf(name, sizeof name, "%d.log", id);
    const char *arguments[] = {"sh", "-c", script, NULL};
    LitheJob job = {.id = id,
                    .program = program,
                    .arguments = arguments,
                    .log = test_path(&f->folder, name, log)};
    return f->queue->submit(f->queue, &job, &f->error);
}

TEST(every_job_reports_its_own_end) {
    Fixture f;
    FATAL(begin(&f, 4));
    FATAL(submit(&f, 10, "/bin/sh", "exit 0") == LITHE_OK);
    FATAL(submit(&f, 11, "/bin/sh", "exit 3") == LITHE_OK);
    FATAL(submit(&f, 12, "/bin/sh", "kill -KILL $$") == LITHE_OK);
    FATAL(submit(&f, 13, "/no/such/program", "") == LITHE_OK);
    CHECK(f.queue->busy == 4);
    int seen = 0;
    for (int i = 0; i < 4; i++) {
        LitheJobEnd job;
        FATAL(f.queue->wait(f.queue, &job, &f.error) == LITHE_OK);
        static const int codes[] = {0, 3, 0, 127}, signals[] = {0, 0, SIGKILL, 0};
        FATAL(job.id >= 10 && job.id <= 13);
        CHECK(job.code == codes[job.id - 10] && job.signal == signals[job.id - 10]);
        seen |= 1 << (job.id - 10);
    }
    CHECK(seen == 15 && f.queue->busy == 0);
    end(&f);
}

TEST(what_a_job_prints_goes_to_its_log) {
    Fixture f;
    FATAL(begin(&f, 1));
    FATAL(submit(&f, 1, "/bin/sh", "echo one; echo two >&2") == LITHE_OK);
    LitheJobEnd job;
    FATAL(f.queue->wait(f.queue, &job, &f.error) == LITHE_OK);
    char path[256], text[100] = "";
    FILE *file = fopen(test_path(&f.folder, "1.log", path), "r");
    FATAL(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    CHECK(strcmp(text, "one\ntwo\n") == 0);
    end(&f);
}

TEST(a_raised_flag_ends_the_wait_and_cancel_ends_the_jobs) {
    Fixture f;
    FATAL(begin(&f, 2));
    FATAL(submit(&f, 1, "/bin/sh", "exec sleep 100") == LITHE_OK);
    FATAL(submit(&f, 2, "/bin/sh", "exec sleep 100") == LITHE_OK);
    f.stop = 1;
    LitheJobEnd job;
    CHECK(f.queue->wait(f.queue, &job, &f.error) == LITHE_INTERRUPTED);
    CHECK(f.queue->busy == 2);
    f.queue->cancel(f.queue);
    for (int i = 0; i < 2; i++) {
        FATAL(f.queue->wait(f.queue, &job, &f.error) == LITHE_OK);
        CHECK(job.signal == SIGTERM);
    }
    CHECK(f.queue->busy == 0);
    end(&f);
}

TEST(destroy_leaves_no_process) {
    Fixture f;
    FATAL(begin(&f, 1));
    char path[256], text[32] = "";
    FATAL(submit(&f, 1, "/bin/sh", "echo $$; exec sleep 100") == LITHE_OK);
    test_path(&f.folder, "1.log", path);
    while (!strchr(text, '\n')) {
        FILE *file = fopen(path, "r");
        FATAL(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    pid_t pid = (pid_t)atoi(text);
    FATAL(pid > 1 && kill(pid, 0) == 0);
    f.queue->destroy(f.queue);
    CHECK(kill(pid, 0) != 0);
    f.queue = lithe_queue_local(f.context, 1, NULL);
    FATAL(f.queue);
    end(&f);
}

TEST(a_log_that_cannot_be_written_is_reported) {
    Fixture f;
    FATAL(begin(&f, 1));
    const char *arguments[] = {"sh", NULL};
    LitheJob job = {.program = "/bin/sh", .arguments = arguments, .log = "/proc/none/x"};
    CHECK(f.queue->submit(f.queue, &job, &f.error) == LITHE_FILE_ERROR);
    CHECK_TEXT(f.error.text, "/proc/none/x");
    CHECK(f.queue->busy == 0);
    end(&f);
}
