// SPDX-License-Identifier: Apache-2.0
// record/disk.h - complete reads and writes at an offset of a file, and their messages

#ifndef LITHE_RECORD_DISK_H
#define LITHE_RECORD_DISK_H

#include "base/hash.h"
#include "lithe/base.h"

/// Fails with "PATH: cannot WHAT: No space left on device". `reason` is an errno.
LitheStatus lithe_disk_fail(LitheError *error, const char *path, const char *what, int reason);

/// Transfers all bytes, or returns false with errno set; a read past the end fails with EIO.
bool lithe_disk_write(int fd, int64_t offset, const void *data, int64_t bytes);
bool lithe_disk_write_pieces(int fd, int64_t offset, const LithePiece *pieces, int32_t count);
bool lithe_disk_read(int fd, int64_t offset, void *data, int64_t bytes);

/// Replaces a file by these bytes: temporary file, fsync, rename.
LitheStatus lithe_disk_replace(LitheContext *context, const char *path, const void *data,
                               int64_t bytes, LitheError *error);

/// The same for a file in several pieces, one after the other.
LitheStatus lithe_disk_replace_pieces(LitheContext *context, const char *path,
                                      const LithePiece *pieces, int32_t count, LitheError *error);

/// PATH with SUFFIX appended, which the caller frees; NULL when out of memory.
char *lithe_disk_beside(LitheContext *context, const char *path, const char *suffix);

#endif
