// SPDX-License-Identifier: Apache-2.0
// base/file.h - replace a file as a whole: readers see the old one or the new one, never half of it

#ifndef LITHE_BASE_FILE_H
#define LITHE_BASE_FILE_H

#include <stdio.h>

#include "lithe/base.h"

// A file being written next to its target. Between begin and commit or abort, write to `file`.
// A target that is no regular file (a pipe, a terminal) is written directly.
typedef struct LitheFileReplace {
    FILE *file;
    LitheContext *context;
    char *path;      // the target as the caller named it, for messages
    char *target;    // the same with symbolic links followed: what the rename replaces
    char *temporary; // NULL when written directly
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

#endif
