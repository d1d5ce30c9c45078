// SPDX-License-Identifier: Apache-2.0
// record/sums.h - checksums of a whole HDF5 file, block by block, in a table after its end
//
//     HDF5 file | sum of each block [count] | magic, version, block size, size of the HDF5 file,
//     checksum of the table
//
// libhdf5 ignores bytes after the end that its superblock states, and truncates them when it
// changes the file: a changed file has no table, not a wrong one. A block is checked when it is
// first read, so that reading one frame of a long recording stays cheap, and libhdf5 never sees
// damaged bytes.

#ifndef LITHE_RECORD_SUMS_H
#define LITHE_RECORD_SUMS_H

#include "lithe/base.h"

typedef struct LitheSums {
    LitheContext *context;
    int64_t size;           // bytes of the HDF5 file
    int64_t count;          // blocks; 0: the file has no table
    uint64_t *sums;         // [count]
    unsigned char *checked; // [count] 1: has been compared
    unsigned char *block;   // one block
} LitheSums;

/// Appends the table to a file of `size` bytes. Returns 0 or an errno.
int lithe_sums_append(LitheContext *context, int fd, int64_t size);

/// Reads the table of a file of `file_size` bytes; a file without one gets count 0 and its whole
/// size. Returns 0 or an errno; EBADMSG: the table is damaged. Release in any case.
int lithe_sums_open(LitheContext *context, int fd, int64_t file_size, LitheSums *sums);

/// Reads bytes of the HDF5 file and checks their blocks. False with errno; EBADMSG: a checksum
/// differs.
bool lithe_sums_read(LitheSums *sums, int fd, int64_t offset, void *data, int64_t bytes);

void lithe_sums_release(LitheSums *sums);

#endif
