// SPDX-License-Identifier: Apache-2.0
// run/study_log.c - the lines of a study's journal
//
//     lithe-study 1 STUDY-HASH SCENE-HASH ROWS MEASURES VERSION
//     ROW <tab> done <tab> 0x1.8p+1 <tab> ... <tab> CHECKSUM
//     ROW <tab> failed <tab> REASON <tab> CHECKSUM

#include "run/study_log.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "record/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// --- rows ----------------------------------------------------------------------------------------

LitheStatus lithe_study_rows_create(const LitheStudy *study, LitheStudyRows *rows,
                                    LitheError *error) {
    LitheContext *context = study->context;
    LitheStudyRows made = {
        .context = context, .count = study->row_count, .value_count = study->measure_count + 1};
    int64_t cells = (int64_t)made.count * made.value_count;
    made.states = lithe_alloc_array(context, made.count, sizeof *made.states);
    made.values = lithe_alloc_array(context, cells, sizeof *made.values);
    made.reasons = lithe_alloc_array(context, made.count, sizeof *made.reasons);
    if (!made.states || !made.values || !made.reasons) {
        lithe_free(context, made.states);
        lithe_free(context, made.values);
        lithe_free(context, made.reasons);
        return lithe_fail_memory(error, "the rows of a study");
    }
    for (int64_t i = 0; i < cells; i++)
        made.values[i] = NAN;
    *rows = made;
    return LITHE_OK;
}

void lithe_study_rows_release(LitheStudyRows *rows) {
    for (int32_t i = 0; rows->reasons && i < rows->count; i++)
        lithe_free(rows->context, rows->reasons[i]);
    lithe_free(rows->context, rows->reasons);
    lithe_free(rows->context, rows->values);
    lithe_free(rows->context, rows->states);
    *rows = (LitheStudyRows){0};
}

LitheStatus lithe_study_rows_set(LitheStudyRows *rows, int32_t row, LitheRowState state,
                                 const double *values, const char *reason, LitheError *error) {
    char *own = NULL;
    if (state == LITHE_ROW_FAILED) {
        own = lithe_alloc_text(rows->context, reason);
        if (!own)
            return lithe_fail_memory(error, "the outcome of a row");
        lithe_text_tame(own); // it must have no tab or line end
    }
    lithe_free(rows->context, rows->reasons[row]);
    rows->reasons[row] = own;
    rows->states[row] = state;
    for (int32_t i = 0; i < rows->value_count; i++)
        rows->values[(int64_t)i * rows->count + row] = state == LITHE_ROW_DONE ? values[i] : NAN;
    return LITHE_OK;
}

// --- reading -------------------------------------------------------------------------------------

static void head_of(const LitheStudy *study, char *head, size_t size) {
    snprintf(head, size, "lithe-study 1 %016" PRIx64 " %016" PRIx64 " %d %d %s\n",
             study->study_hash, study->scene_hash, study->row_count, study->measure_count,
             lithe_version());
}

static LitheStatus check_head(const LitheStudy *study, const char *path, const char *line,
                              LitheError *error) {
    uint64_t study_hash = 0, scene_hash = 0;
    char version[40] = "";
    static const char choice[] = "--restart begins again, --out FOLDER keeps both";
    if (sscanf(line, "lithe-study 1 %" SCNx64 " %" SCNx64 " %*d %*d %39s", &study_hash, &scene_hash,
               version) != 3)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: not the journal of a study: %s", path,
                          choice);
    if (study_hash != study->study_hash)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s has changed since rows of it were run (%s): %s", study->file, path,
                          choice);
    if (strcmp(version, lithe_version()) != 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: started by Lithe %s, this is %s: %s", path,
                          version, lithe_version(), choice);
    if (scene_hash != study->scene_hash)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s, or a file that it names, has changed since rows of %s were run "
                          "(%s): %s",
                          study->scene, study->file, path, choice);
    return LITHE_OK;
}

// The next part of a line; the tab after it is replaced by 0. NULL: there is no further part.
static char *take_part(char **at) {
    char *part = *at;
    if (!part)
        return NULL;
    char *tab = strchr(part, '\t');
    *at = tab ? tab + 1 : NULL;
    if (tab)
        *tab = '\0';
    return part;
}

// Parses one line without its end. False: damaged.
static bool read_line(char *line, LitheStudyRows *rows, double *values) {
    char *last = strrchr(line, '\t');
    if (!last || strtoull(last + 1, NULL, 16) != lithe_hash(0, line, (size_t)(last - line)))
        return false;
    *last = '\0';
    char *at = line;
    const char *number = take_part(&at), *state = take_part(&at);
    long row = number ? strtol(number, NULL, 10) : 0;
    if (row < 1 || row > rows->count || !state)
        return false;
    bool done = strcmp(state, "done") == 0;
    for (int32_t i = 0; done && i < rows->value_count; i++) {
        const char *part = take_part(&at);
        if (!part)
            return false;
        values[i] = strtod(part, NULL);
    }
    const char *reason = done ? NULL : take_part(&at);
    // of two processes the one that was able to finish the row is right
    if (reason && rows->states[row - 1] == LITHE_ROW_DONE)
        return true;
    return (done || reason) &&
           lithe_study_rows_set(rows, (int32_t)row - 1, done ? LITHE_ROW_DONE : LITHE_ROW_FAILED,
                                values, reason, NULL) == LITHE_OK;
}

// Parses lines up to the first that is incomplete or damaged; log->end is moved behind the last
// whole one. The head is the first line of a text that begins at 0.
static LitheStatus read_lines(const LitheStudy *study, char *text, LitheStudyRows *rows,
                              LitheStudyLog *log, LitheError *error) {
    char *at = text, *end = NULL;
    if (log->end == 0) {
        end = strchr(text, '\n');
        log->fresh = !end;
        if (!end)
            return LITHE_OK;
        *end = '\0';
        LitheStatus status = check_head(study, log->path, text, error);
        if (status != LITHE_OK)
            return status;
        at = end + 1;
    }
    double *values = lithe_alloc_array(study->context, rows->value_count, sizeof *values);
    if (!values)
        return lithe_fail_memory(error, "the rows of a study");
    while ((end = strchr(at, '\n'))) {
        *end = '\0';
        if (!read_line(at, rows, values))
            break;
        at = end + 1;
    }
    log->end += at - text;
    lithe_free(study->context, values);
    return LITHE_OK;
}

static LitheStatus read_log(const LitheStudy *study, LitheStudyRows *rows, LitheStudyLog *log,
                            LitheError *error) {
    struct stat info;
    if (fstat(log->fd, &info) != 0)
        return lithe_disk_fail(error, log->path, "read", errno);
    int64_t bytes = (int64_t)info.st_size - log->end;
    if (bytes <= 0 && log->end > 0)
        return LITHE_OK;
    char *text = lithe_alloc_array(study->context, bytes + 1, 1);
    if (!text)
        return lithe_fail_memory(error, "the journal of a study");
    LitheStatus status = LITHE_OK;
    if (!lithe_disk_read(log->fd, log->end, text, bytes))
        status = lithe_disk_fail(error, log->path, "read", errno);
    else
        status = read_lines(study, text, rows, log, error);
    lithe_free(study->context, text);
    return status;
}

LitheStatus lithe_study_log_open(const LitheStudy *study, const char *path, bool restart,
                                 LitheStudyRows *rows, LitheStudyLog *log, LitheError *error) {
    *log = (LitheStudyLog){.path = path, .fresh = restart};
    log->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (log->fd < 0)
        return lithe_disk_fail(error, path, "write", errno);
    LitheStatus status = LITHE_OK;
    if (flock(log->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: another sweep is running", path);
    if (status == LITHE_OK && !restart)
        status = read_log(study, rows, log, error);
    // cuts the bytes after the last whole line
    if (status == LITHE_OK && !log->fresh && ftruncate(log->fd, log->end) != 0)
        status = lithe_disk_fail(error, path, "write", errno);
    if (status != LITHE_OK)
        lithe_study_log_close(log);
    return status;
}

LitheStatus lithe_study_log_follow(const LitheStudy *study, const char *path, int64_t *end,
                                   LitheStudyRows *rows, LitheError *error) {
    // opened each time: network file systems show what others wrote only then
    LitheStudyLog log = {.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC), .end = *end};
    if (log.fd < 0)
        return errno == ENOENT ? LITHE_OK : lithe_disk_fail(error, path, "read", errno);
    LitheStatus status = read_log(study, rows, &log, error);
    if (status == LITHE_OK)
        *end = log.end;
    lithe_study_log_close(&log);
    return status;
}

// --- writing -------------------------------------------------------------------------------------

// The folder entry must be on the disk, too.
static void sync_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

static LitheStatus write_line(LitheStudyLog *log, const char *line, size_t length,
                              LitheError *error) {
    if (!lithe_disk_write(log->fd, log->end, line, (int64_t)length) || fdatasync(log->fd) != 0)
        return lithe_disk_fail(error, log->path, "write", errno);
    log->end += (int64_t)length;
    return LITHE_OK;
}

LitheStatus lithe_study_log_start(const LitheStudy *study, LitheStudyLog *log, LitheError *error) {
    char head[200];
    head_of(study, head, sizeof head);
    if (ftruncate(log->fd, 0) != 0)
        return lithe_disk_fail(error, log->path, "write", errno);
    log->end = 0;
    log->fresh = false;
    LitheStatus status = write_line(log, head, strlen(head), error);
    sync_folder(log->path);
    return status;
}

LitheStatus lithe_study_log_append(LitheStudyLog *log, const LitheStudyRows *rows, int32_t row,
                                   LitheError *error) {
    const char *reason = rows->reasons[row] ? rows->reasons[row] : "";
    size_t size = strlen(reason) + 32 * (size_t)rows->value_count + 80, at = 0;
    char *line = lithe_alloc(rows->context, size);
    if (!line)
        return lithe_fail_memory(error, "the journal of a study");
    bool done = rows->states[row] == LITHE_ROW_DONE;
    at = (size_t)snprintf(line, size, "%d\t%s", row + 1, done ? "done" : "failed");
    for (int32_t i = 0; done && i < rows->value_count; i++)
        at += (size_t)snprintf(line + at, size - at, "\t%a",
                               rows->values[(int64_t)i * rows->count + row]);
    if (!done)
        at += (size_t)snprintf(line + at, size - at, "\t%s", reason);
    at += (size_t)snprintf(line + at, size - at, "\t%016" PRIx64 "\n", lithe_hash(0, line, at));
    LitheStatus status = write_line(log, line, at, error);
    lithe_free(rows->context, line);
    return status;
}

void lithe_study_log_close(LitheStudyLog *log) {
    if (log->fd >= 0)
        close(log->fd);
    log->fd = -1;
}
