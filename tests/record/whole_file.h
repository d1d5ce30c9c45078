// SPDX-License-Identifier: Apache-2.0
// tests/record/whole_file.h - all bytes of a file, read and written, to damage files on purpose

#ifndef LITHE_TEST_WHOLE_FILE_H
#define LITHE_TEST_WHOLE_FILE_H

#include "record/disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/// The bytes of a file, for the caller to free; NULL: there is no such file.
static inline unsigned char *slurp(const char *path, int64_t *size) {
    struct stat file;
    if (stat(path, &file) != 0)
        return NULL;
    *size = (int64_t)file.st_size;
    unsigned char *all = malloc((size_t)*size + 1);
    int fd = open(path, O_RDONLY);
    if (!all || fd < 0 || !lithe_disk_read(fd, 0, all, *size))
        abort();
    close(fd);
    return all;
}

static inline void spill(const char *path, const unsigned char *all, int64_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || !lithe_disk_write(fd, 0, all, size))
        abort();
    close(fd);
}

#endif
