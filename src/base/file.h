// SPDX-License-Identifier: Apache-2.0
// base/file.h - files as a whole: read, or replaced so that readers never see half of a new one

#ifndef LITHE_BASE_FILE_H
#define LITHE_BASE_FILE_H

#include <stdio.h>

#include "lithe/base.h"

// A file being written beside its target. Between begin and commit or abort, write to `file`, or to
// its descriptor, which can also be read. Where the file system supports it, the file has no name
// until commit: a killed program then leaves no file behind. A target that is not a regular file (a
// pipe with a reader, a terminal) is written directly.
typedef struct LitheFileReplace {
    FILE *file;
    LitheContext *context;
    char *path;      // the target as the caller named it, for messages
    char *target;    // path with symbolic links resolved: the file that the rename replaces
    char *temporary; // name before the rename; NULL when written directly
    bool named;      // the file has this name already
} LitheFileReplace;

/// Opens a temporary file in the folder of `path`. It gets the permissions of the file it will
/// replace, or the default permissions of a new file.
LitheStatus lithe_file_replace_begin(LitheContext *context, const char *path,
                                     LitheFileReplace *replace, LitheError *error);

/// Syncs the bytes to the disk and renames the file. Also reports any earlier failed write.
/// On failure the temporary file is removed and an older file untouched. Ends `replace` either way.
LitheStatus lithe_file_replace_commit(LitheFileReplace *replace, LitheError *error);

/// Removes the new file; the older one stays. Accepts an ended or zeroed `replace`.
void lithe_file_replace_abort(LitheFileReplace *replace);

/// Opens a file for reading; NULL with errno set on failure. Folders and devices are refused. A
/// pipe without a writer is refused too, because it would block.
FILE *lithe_file_open_input(const char *path);

/// What a file that is read as a whole may have.
typedef struct LitheFileLimit {
    int bytes;        // at most
    LitheStatus over; // the status where it has more
    const char *what; // "the bytes of a mesh", for the message when out of memory
} LitheFileLimit;

/// All bytes of a regular file and a 0 behind them; free with lithe_free. On failure the outputs
/// are untouched.
LitheStatus lithe_file_read(LitheContext *context, const char *path, const LitheFileLimit *limit,
                            char **bytes, size_t *length, LitheError *error);

/// Text for an errno that lithe_file_open_input has set.
const char *lithe_file_reason(int reason);

/// Whether both names lead to the same file (device and inode).
bool lithe_file_same(const char *a, const char *b);

#endif
