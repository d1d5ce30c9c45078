// SPDX-License-Identifier: Apache-2.0
// run/output.c - checks of the output of a run, and its lock

#include "run/output.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"
#include "record/recording.h"
#include "scene/input.h"
#include "scene/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// --- what may be replaced ------------------------------------------------------------------------

// The files that a run writes beside its recording.
static const char *const endings[] = {"", ".journal", ".checkpoint", ".lock"};
enum { ENDING_COUNT = (int)(sizeof endings / sizeof *endings) };

static LitheStatus check_inputs(const LitheScene *scene, const char *out, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int i = 0; status == LITHE_OK && i < ENDING_COUNT; i++) {
        char *path = lithe_disk_beside(scene->context, out, endings[i]);
        status = path ? lithe_scene_check_output(scene, path, error)
                      : lithe_fail_memory(error, "the names of the output files");
        lithe_free(scene->context, path);
    }
    return status;
}

// Tries to create a file there.
static LitheStatus check_writable(LitheContext *context, const char *out, LitheError *error) {
    LitheFileReplace probe = {0};
    LitheStatus status = lithe_file_replace_begin(context, out, &probe, error);
    if (status == LITHE_OK)
        lithe_file_replace_abort(&probe);
    return status;
}

#define OTHER_NAME "give the output another name"

// Fails for a file that is no recording; `helps` ends the message.
static LitheStatus check_older(LitheContext *context, const char *out, const char *helps,
                               LitheError *error) {
    bool ours = false;
    LitheStatus status = lithe_recording_peek(context, out, &ours, error);
    if (status == LITHE_OK && !ours)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: exists and is not a recording that can be read: %s", out, helps);
    return status;
}

// Whether a file of some bytes is there.
static bool is_there(const char *out) {
    struct stat older;
    return stat(out, &older) == 0 && older.st_size > 0;
}

LitheStatus lithe_output_check_result(LitheContext *context, const char *out, LitheError *error) {
    LitheStatus status = is_there(out) ? check_older(context, out, OTHER_NAME, error) : LITHE_OK;
    return status == LITHE_OK ? check_writable(context, out, error) : status;
}

LitheStatus lithe_output_check_scene(LitheContext *context, const char *out, const char *scene,
                                     bool replaces, LitheError *error) {
    static const char helps[] = "move it away, or replace it with --force";
    if (!is_there(out))
        return LITHE_OK;
    LitheRecording *older = NULL;
    LitheStatus status = check_older(context, out, helps, error);
    if (status == LITHE_OK)
        status = lithe_recording_open(context, out, &older, error);
    bool other = status == LITHE_OK && strcmp(older->layout.scene, scene) != 0;
    if (other && replaces)
        lithe_log(context, LITHE_LOG_WARNING,
                  "%s: the recording of another scene ('%.80s', %lld frames) is replaced when this "
                  "run is complete",
                  out, older->layout.title, (long long)older->frame_count);
    else if (other)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: is a recording of another scene ('%.80s', %lld frames) than the "
                            "run that stopped: %s",
                            out, older->layout.title, (long long)older->frame_count, helps);
    if (older)
        lithe_recording_close(older);
    return status;
}

// Warns of a name that says another format: whatever it is, the file is a recording.
static void warn_of_ending(LitheContext *context, const char *out) {
    static const char *const others[] = {".csv", ".txt",  ".dat", ".json", ".yaml", ".yml",
                                         ".npy", ".npz",  ".mat", ".xls",  ".xlsx", ".pvd",
                                         ".vtk", ".vtp",  ".vtu", ".png",  ".jpg",  ".svg",
                                         ".pdf", ".html", ".glb", ".gif",  ".mp4"};
    const char *slash = strrchr(out, '/'), *name = slash ? slash + 1 : out;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (strcasecmp(dot, others[i]) == 0)
            lithe_log(context, LITHE_LOG_WARNING,
                      "%s: a run writes a recording, an HDF5 file, also under this name: its usual "
                      "ending is .h5; exports of a recording are .csv, .pvd, .png, .svg, .html, "
                      ".glb and .mp4",
                      out);
}

static void log_older(LitheContext *context, const char *out, const struct stat *older) {
    char when[64] = "";
    struct tm local;
    if (localtime_r(&older->st_mtime, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
    lithe_log(context, LITHE_LOG_INFO, "%s: the file of %s is replaced when this run is complete",
              out, when);
}

// Checks that a recording can be written there, before the simulation. `older` is the existing
// file; its size is 0 if there is none, or an empty one as mktemp makes it.
static LitheStatus check_output(const LitheScene *scene, const char *out, bool force,
                                struct stat *older, LitheError *error) {
    bool exists = stat(out, older) == 0;
    if (!exists)
        older->st_size = 0;
    if (exists && !S_ISREG(older->st_mode) && !S_ISDIR(older->st_mode))
        return lithe_fail(error, LITHE_FILE_ERROR,
                          "%s: a recording must be a regular file, not a device or a pipe", out);
    LitheStatus status = check_inputs(scene, out, error);
    if (status == LITHE_OK)
        status = check_writable(scene->context, out, error);
    if (status == LITHE_OK && older->st_size > 0 && !force)
        status = check_older(scene->context, out, OTHER_NAME ", or replace the file with --force",
                             error);
    return status;
}

// --- the lock ------------------------------------------------------------------------------------

// other runs may remove the file between our calls; more attempts than this mean an error
enum { LOCK_ATTEMPTS = 1000 };
// the time that a run gets to write its number into the file that it has just locked: on a busy
// machine it may have to wait for its turn in between [5 s]
enum { HOLDER_ATTEMPTS = 2500, HOLDER_WAIT_NS = 2000000 };

static LitheStatus fail_held(int fd, const char *out, LitheError *error) {
    char holder[300] = "";
    for (int i = 0; i < HOLDER_ATTEMPTS && !strchr(holder, '\n'); i++) {
        ssize_t size = pread(fd, holder, sizeof holder - 1, 0);
        holder[size > 0 ? size : 0] = '\0';
        if (!strchr(holder, '\n'))
            nanosleep(&(struct timespec){.tv_nsec = HOLDER_WAIT_NS}, NULL);
    }
    holder[strcspn(holder, "\n")] = '\0';
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: another run is writing to it: %s", out,
                      holder[0] ? holder : "an unknown process");
}

// Writes which process holds the lock, for the messages of other runs.
static void write_holder(int fd) {
    char host[128] = "", text[300];
    if (gethostname(host, sizeof host - 1) != 0 || !host[0])
        snprintf(host, sizeof host, "this machine");
    int size = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    // if this fails, the lock still works, but the messages of other runs do not name the process
    if (ftruncate(fd, 0) == 0)
        (void)lithe_disk_write(fd, 0, text, size);
}

// Locks the file unless another process holds it.
static bool is_held(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// Opens and locks the file; -1: another run removed it in the meantime.
static int try_lock(const char *path, const char *out, LitheStatus *status, LitheError *error) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) {
        *status = lithe_disk_fail(error, out, "write", errno);
        return -1;
    }
    // on a file system without locks the run continues without a lock
    struct stat own, there;
    if (is_held(fd)) {
        *status = fail_held(fd, out, error);
    } else if (fstat(fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
               own.st_ino == there.st_ino) {
        write_holder(fd);
        return fd;
    }
    close(fd);
    return -1;
}

static char *lock_path(LitheContext *context, const char *out) {
    char resolved[PATH_MAX];
    return lithe_disk_beside(context, realpath(out, resolved) ? resolved : out, ".lock");
}

void lithe_output_wait(LitheContext *context, const char *out, double seconds,
                       const volatile sig_atomic_t *stop) {
    char *path = lock_path(context, out);
    int fd = path ? open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
    double begin = lithe_clock();
    while (fd >= 0 && is_held(fd) && !*stop && lithe_clock() - begin < seconds)
        nanosleep(&(struct timespec){.tv_nsec = HOLDER_WAIT_NS}, NULL);
    if (fd >= 0)
        close(fd);
    lithe_free(context, path);
}

LitheStatus lithe_output_lock(LitheContext *context, const char *out, LitheOutputLock *lock,
                              LitheError *error) {
    char *path = lock_path(context, out);
    if (!path)
        return lithe_fail_memory(error, "the names of the output files");
    LitheStatus status = LITHE_OK;
    int fd = -1;
    for (int i = 0; status == LITHE_OK && fd < 0 && i < LOCK_ATTEMPTS; i++)
        fd = try_lock(path, out, &status, error);
    if (status == LITHE_OK && fd < 0)
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot lock %s", out, path);
    if (status != LITHE_OK) {
        lithe_free(context, path);
        return status;
    }
    *lock = (LitheOutputLock){.context = context, .path = path, .fd = fd};
    return LITHE_OK;
}

LitheStatus lithe_output_begin(const LitheScene *scene, const char *out, bool force,
                               LitheOutputLock *lock, LitheError *error) {
    // before the lock, since a refused output gets no file beside it
    struct stat older;
    LitheStatus status = check_output(scene, out, force, &older, error);
    if (status == LITHE_OK)
        status = lithe_output_lock(scene->context, out, lock, error);
    if (status != LITHE_OK)
        return status;
    // under the lock again: another run may have written it in the meantime
    status = check_output(scene, out, force, &older, error);
    if (status != LITHE_OK) {
        lithe_output_unlock(lock);
        return status;
    }
    warn_of_ending(scene->context, out);
    if (older.st_size > 0)
        log_older(scene->context, out, &older);
    return status;
}

void lithe_output_unlock(LitheOutputLock *lock) {
    if (!lock->path)
        return;
    // removed while it is locked: no other process can have locked it
    unlink(lock->path);
    close(lock->fd);
    lithe_free(lock->context, lock->path);
    *lock = (LitheOutputLock){0};
}
