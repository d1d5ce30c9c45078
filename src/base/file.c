// SPDX-License-Identifier: Apache-2.0
// base/file.c - temporary file beside the target, fsync, rename, fsync of the folder

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

// leftovers of killed runs with the same process id; more attempts than this mean an error
enum { NAME_ATTEMPTS = 1000 };

static LitheStatus fail_file(LitheError *error, const char *path, const char *what, int reason) {
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot %s: %s", path, what, strerror(reason));
}

static void release_names(LitheFileReplace *replace) {
    lithe_free(replace->context, replace->path);
    lithe_free(replace->context, replace->target);
    lithe_free(replace->context, replace->temporary);
    *replace = (LitheFileReplace){0};
}

// Opens "TARGET.PID-K.tmp" for the first K that is free. -1 with errno set on failure.
static int open_temporary(LitheFileReplace *replace, size_t size) {
    for (int k = 0; k < NAME_ATTEMPTS; k++) {
        snprintf(replace->temporary, size, "%s.%ld-%d.tmp", replace->target, (long)getpid(), k);
        int fd = open(replace->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// Opens the output file: the target itself if it is a device, otherwise the temporary file.
static LitheStatus open_output(LitheFileReplace *replace, LitheError *error) {
    struct stat old;
    bool exists = stat(replace->target, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return fail_file(error, replace->path, "write", EISDIR);

    int fd;
    if (exists && !S_ISREG(old.st_mode)) {
        fd = open(replace->target, O_WRONLY | O_CLOEXEC);
    } else {
        // room for ".", a process id, "-", a count and ".tmp"
        size_t size = strlen(replace->target) + 48;
        replace->temporary = lithe_alloc(replace->context, size);
        if (!replace->temporary)
            return lithe_fail_memory(error, "the name of a temporary file");
        fd = open_temporary(replace, size);
    }
    if (fd < 0)
        return fail_file(error, replace->path, "write", errno);

    // keep the permissions of an existing file
    if (exists && replace->temporary && fchmod(fd, old.st_mode & 07777) != 0) {
        int reason = errno;
        close(fd);
        unlink(replace->temporary);
        return fail_file(error, replace->path, "keep the permissions", reason);
    }
    replace->file = fdopen(fd, "wb");
    if (!replace->file) {
        int reason = errno;
        close(fd);
        if (replace->temporary)
            unlink(replace->temporary);
        return fail_file(error, replace->path, "write", reason);
    }
    return LITHE_OK;
}

LitheStatus lithe_file_replace_begin(LitheContext *context, const char *path,
                                     LitheFileReplace *replace, LitheError *error) {
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

LitheStatus lithe_file_replace_commit(LitheFileReplace *replace, LitheError *error) {
    // errno of an earlier failed write is lost by now; report EIO unless a call below sets a new
    // one
    int reason = ferror(replace->file) ? EIO : 0;
    if (fflush(replace->file) != 0)
        reason = errno;
    if (!reason && replace->temporary && fsync(fileno(replace->file)) != 0)
        reason = errno;
    if (fclose(replace->file) != 0 && !reason)
        reason = errno;
    if (!reason && replace->temporary && rename(replace->temporary, replace->target) != 0)
        reason = errno;

    LitheStatus status = LITHE_OK;
    if (reason) {
        if (replace->temporary)
            unlink(replace->temporary);
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
    if (replace->temporary)
        unlink(replace->temporary);
    release_names(replace);
}
