// SPDX-License-Identifier: Apache-2.0
// base/file.c - temporary file beside the target, fsync, rename, fsync of the folder; inputs that
// cannot block

#define _GNU_SOURCE // O_TMPFILE

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

// max names that are tried: killed runs with the same process id may have left files behind
enum { NAME_ATTEMPTS = 1000 };
// max characters after the name of the target: ".", a process id, "-", a count and ".tmp"
enum { NAME_CAPACITY = 48 };

static LitheStatus fail_file(LitheError *error, const char *path, const char *what, int reason) {
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot %s: %s", path, what, strerror(reason));
}

static void release_names(LitheFileReplace *replace) {
    lithe_free(replace->context, replace->path);
    lithe_free(replace->context, replace->target);
    lithe_free(replace->context, replace->temporary);
    *replace = (LitheFileReplace){0};
}

// Finds a free name "TARGET.PID-K.tmp". Gives it to the open file `unnamed`, or creates a file with
// that name when `unnamed` is -1. Returns the descriptor, or -1 with errno set on failure.
static int take_name(LitheFileReplace *replace, int unnamed) {
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", unnamed);
    size_t size = strlen(replace->target) + NAME_CAPACITY;
    for (int k = 0; k < NAME_ATTEMPTS; k++) {
        snprintf(replace->temporary, size, "%s.%ld-%d.tmp", replace->target, (long)getpid(), k);
        int fd = unnamed;
        if (unnamed < 0)
            fd = open(replace->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        else if (linkat(AT_FDCWD, from, AT_FDCWD, replace->temporary, AT_SYMLINK_FOLLOW) != 0)
            fd = -1;
        replace->named = fd >= 0;
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// Opens a file without a name in the folder of the target; -1 where that is not supported.
static int open_unnamed(const LitheFileReplace *replace) {
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    const char *slash = strrchr(replace->target, '/');
    size_t length = slash ? (size_t)(slash - replace->target) + 1 : 0;
    // the file will get its name by a link from /proc/self/fd
    if (length >= sizeof folder || access("/proc/self/fd", X_OK) != 0)
        return -1;
    memcpy(folder, replace->target, length);
    snprintf(folder + length, sizeof folder - length, "%s", length > 0 ? "" : ".");
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
#else
    (void)replace;
    return -1;
#endif
}

static int open_temporary(LitheFileReplace *replace) {
    int fd = open_unnamed(replace);
    return fd >= 0 ? fd : take_name(replace, -1);
}

// Opens a device or a pipe for writing. A pipe without a reader is refused: it would block.
static int open_device(const char *path) {
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

static void drop_temporary(const LitheFileReplace *replace) {
    if (replace->named)
        unlink(replace->temporary);
}

// Opens the output file: the target itself if it is a device, otherwise the temporary file.
static LitheStatus open_output(LitheFileReplace *replace, LitheError *error) {
    struct stat old;
    bool exists = stat(replace->target, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return fail_file(error, replace->path, "write", EISDIR);

    int fd;
    if (exists && !S_ISREG(old.st_mode)) {
        fd = open_device(replace->target);
        if (fd < 0 && errno == ENXIO && S_ISFIFO(old.st_mode))
            return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write: a pipe that nobody reads",
                              replace->path);
    } else {
        replace->temporary =
            lithe_alloc(replace->context, strlen(replace->target) + (size_t)NAME_CAPACITY);
        if (!replace->temporary)
            return lithe_fail_memory(error, "the name of a temporary file");
        fd = open_temporary(replace);
    }
    if (fd < 0)
        return fail_file(error, replace->path, "write", errno);

    // keep the permissions of an existing file
    if (exists && replace->temporary && fchmod(fd, old.st_mode & 07777) != 0) {
        int reason = errno;
        close(fd);
        drop_temporary(replace);
        return fail_file(error, replace->path, "keep the permissions", reason);
    }
    replace->file = fdopen(fd, replace->temporary ? "w+b" : "wb");
    if (!replace->file) {
        int reason = errno;
        close(fd);
        drop_temporary(replace);
        return fail_file(error, replace->path, "write", reason);
    }
    return LITHE_OK;
}

LitheStatus lithe_file_replace_begin(LitheContext *context, const char *path,
                                     LitheFileReplace *replace, LitheError *error) {
    if (!path[0])
        return lithe_fail(error, LITHE_BAD_INPUT, "the name of the output file is empty");
    LitheFileReplace made = {.context = context};
    made.path = lithe_alloc_text(context, path);
    if (!made.path)
        return lithe_fail_memory(error, "the name of a file");

    // resolve symbolic links: the link itself is not replaced
    char resolved[PATH_MAX];
    made.target = lithe_alloc_text(context, realpath(path, resolved) ? resolved : path);
    LitheStatus status =
        made.target ? open_output(&made, error) : lithe_fail_memory(error, "the name of a file");
    if (status != LITHE_OK) {
        release_names(&made);
        return status;
    }
    *replace = made;
    return LITHE_OK;
}

// The new name survives a power cut only when the folder is synced too. File systems that do not
// support this are ignored: the file is complete either way.
static void sync_folder(char *target) {
    char *slash = strrchr(target, '/');
    const char *folder = ".";
    if (slash) {
        slash[slash == target ? 1 : 0] = '\0';
        folder = target;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

// Why an earlier write failed, whose errno is lost: mostly another byte fails for the same reason.
static int reason_of_failure(FILE *file) {
    ssize_t written = write(fileno(file), "", 1);
    return written < 0 ? errno : EIO;
}

LitheStatus lithe_file_replace_commit(LitheFileReplace *replace, LitheError *error) {
    int reason = ferror(replace->file) ? reason_of_failure(replace->file) : 0;
    if (fflush(replace->file) != 0)
        reason = errno;
    if (!reason && replace->temporary && fsync(fileno(replace->file)) != 0)
        reason = errno;
    if (!reason && replace->temporary && !replace->named &&
        take_name(replace, fileno(replace->file)) < 0)
        reason = errno;
    if (fclose(replace->file) != 0 && !reason)
        reason = errno;
    if (!reason && replace->temporary && rename(replace->temporary, replace->target) != 0)
        reason = errno;

    LitheStatus status = LITHE_OK;
    if (reason) {
        drop_temporary(replace);
        status = fail_file(error, replace->path, "write", reason);
    } else if (replace->temporary) {
        sync_folder(replace->target);
    }
    release_names(replace);
    return status;
}

void lithe_file_replace_abort(LitheFileReplace *replace) {
    if (!replace->file)
        return;
    fclose(replace->file);
    drop_temporary(replace);
    release_names(replace);
}

// --- inputs --------------------------------------------------------------------------------------

// Whether an open pipe has bytes, or a writer that may send some. `byte` is the byte that the test
// had to read, or EOF.
static bool pipe_has_writer(int fd, int *byte) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    *byte = EOF;
    if (poll(&ready, 1, 0) > 0)
        return true;
    unsigned char one;
    ssize_t count = read(fd, &one, 1);
    if (count == 1)
        *byte = one;
    return count == 1 || (count < 0 && errno == EAGAIN);
}

FILE *lithe_file_open_input(const char *path) {
    // O_NONBLOCK: the program must not wait when the name belongs to a pipe
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    struct stat file;
    int byte = EOF, reason = 0;
    if (fstat(fd, &file) != 0)
        reason = errno;
    else if (S_ISDIR(file.st_mode))
        reason = EISDIR;
    else if (S_ISFIFO(file.st_mode) && !pipe_has_writer(fd, &byte))
        reason = EPIPE; // nobody writes to it
    else if (!S_ISREG(file.st_mode) && !S_ISFIFO(file.st_mode))
        reason = ENODEV; // a device
    int flags = reason ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    FILE *stream = reason ? NULL : fdopen(fd, "rb");
    if (!stream) {
        reason = reason ? reason : errno;
        close(fd);
        errno = reason;
        return NULL;
    }
    if (byte != EOF)
        ungetc(byte, stream);
    return stream;
}

static LitheStatus fail_read(LitheError *error, const char *path) {
    return lithe_fail_at(error, LITHE_FILE_ERROR, path, 0, 0, "cannot read: %s", strerror(errno));
}

static LitheStatus read_open(LitheContext *context, int fd, const char *path,
                             const LitheFileLimit *limit, char **out, size_t *length,
                             LitheError *error) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_read(error, path);
    if (!S_ISREG(info.st_mode))
        return lithe_fail_at(error, LITHE_FILE_ERROR, path, 0, 0, "not a regular file");
    if (info.st_size > limit->bytes)
        return lithe_fail_at(error, limit->over, path, 0, 0, "%lld bytes, at most %d are read",
                             (long long)info.st_size, limit->bytes);
    size_t size = (size_t)info.st_size, have = 0;
    char *bytes = lithe_alloc(context, size + 1);
    if (!bytes)
        return lithe_fail_memory(error, limit->what);
    while (have < size) {
        ssize_t n = read(fd, bytes + have, size - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            LitheStatus status = fail_read(error, path);
            lithe_free(context, bytes);
            return status;
        }
        if (n == 0) // the file has become shorter
            break;
        have += (size_t)n;
    }
    bytes[have] = '\0';
    *out = bytes;
    *length = have;
    return LITHE_OK;
}

LitheStatus lithe_file_read(LitheContext *context, const char *path, const LitheFileLimit *limit,
                            char **bytes, size_t *length, LitheError *error) {
    // without blocking: a pipe of that name must not stop the program
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_read(error, path);
    LitheStatus status = read_open(context, fd, path, limit, bytes, length, error);
    close(fd);
    return status;
}

const char *lithe_file_reason(int reason) {
    return reason == EPIPE    ? "a pipe that nobody writes to"
           : reason == ENODEV ? "a device, not a file"
                              : strerror(reason);
}

bool lithe_file_same(const char *a, const char *b) {
    struct stat one, two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}
