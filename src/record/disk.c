// SPDX-License-Identifier: Apache-2.0
// record/disk.c - pread and pwrite, repeated until all bytes are transferred

#define _GNU_SOURCE // pwritev

#include "record/disk.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// max bytes that Linux transfers per call
#define BYTES_A_CALL ((int64_t)1 << 30)

LitheStatus lithe_disk_fail(LitheError *error, const char *path, const char *what, int reason) {
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot %s: %s", path, what, strerror(reason));
}

// Moves bytes between a file and memory, which a write does not change.
static bool move_bytes(int fd, int64_t offset, void *data, int64_t bytes, bool writes) {
    unsigned char *at = data;
    while (bytes > 0) {
        size_t part = (size_t)(bytes < BYTES_A_CALL ? bytes : BYTES_A_CALL);
        ssize_t done =
            writes ? pwrite(fd, at, part, (off_t)offset) : pread(fd, at, part, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = writes ? ENOSPC : EIO;
        if (done <= 0)
            return false;
        at += done;
        offset += done;
        bytes -= done;
    }
    return true;
}

bool lithe_disk_write(int fd, int64_t offset, const void *data, int64_t bytes) {
    return move_bytes(fd, offset, (void *)data, bytes, true);
}

bool lithe_disk_read(int fd, int64_t offset, void *data, int64_t bytes) {
    return move_bytes(fd, offset, data, bytes, false);
}

// pieces that one call writes, at most: a record of a journal has four
enum { PIECES_A_CALL = 8 };

// Bytes that one call wrote from the front of all pieces. Where it fails, the writes of the pieces
// fail again, with their reason.
static size_t write_at_once(int fd, int64_t offset, const LithePiece *pieces, int32_t count) {
    struct iovec parts[PIECES_A_CALL];
    size_t bytes = 0;
    for (int32_t i = 0; i < count && i < PIECES_A_CALL; i++) {
        parts[i] = (struct iovec){(void *)pieces[i].data, pieces[i].count};
        bytes += pieces[i].count;
    }
    if (count > PIECES_A_CALL || bytes > (size_t)BYTES_A_CALL)
        return 0;
    ssize_t done = pwritev(fd, parts, count, (off_t)offset);
    return done > 0 ? (size_t)done : 0;
}

bool lithe_disk_write_pieces(int fd, int64_t offset, const LithePiece *pieces, int32_t count) {
    size_t written = write_at_once(fd, offset, pieces, count);
    offset += (int64_t)written;
    for (int32_t i = 0; i < count; i++) {
        size_t own = written < pieces[i].count ? written : pieces[i].count;
        size_t rest = pieces[i].count - own;
        written -= own;
        if (!lithe_disk_write(fd, offset, (const char *)pieces[i].data + own, (int64_t)rest))
            return false;
        offset += (int64_t)rest;
    }
    return true;
}

LitheStatus lithe_disk_replace_pieces(LitheContext *context, const char *path,
                                      const LithePiece *pieces, int32_t count, LitheError *error) {
    LitheFileReplace replace;
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    // writes to the descriptor: stdio would lose the reason of a failed write
    if (!lithe_disk_write_pieces(fileno(replace.file), 0, pieces, count)) {
        int reason = errno;
        lithe_file_replace_abort(&replace);
        return lithe_disk_fail(error, path, "write", reason);
    }
    return lithe_file_replace_commit(&replace, error);
}

LitheStatus lithe_disk_replace(LitheContext *context, const char *path, const void *data,
                               int64_t bytes, LitheError *error) {
    LithePiece whole = {data, (size_t)bytes};
    return lithe_disk_replace_pieces(context, path, &whole, 1, error);
}

char *lithe_disk_beside(LitheContext *context, const char *path, const char *suffix) {
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *text = lithe_alloc(context, size);
    if (text)
        snprintf(text, size, "%s%s", path, suffix);
    return text;
}
