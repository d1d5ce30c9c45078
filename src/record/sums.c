// SPDX-License-Identifier: Apache-2.0
// record/sums.c - the table of checksums behind an HDF5 file

#include "record/sums.h"

#include "base/hash.h"
#include "base/memory.h"
#include "record/disk.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

// bytes per checksum: small compared with a frame of a large scene; the 8 bytes of its checksum are
// 0.01 % of a block
#define BLOCK_BYTES ((int64_t)1 << 16)
#define SUMS_VERSION 1u

static const char magic[8] = {'L', 'I', 'T', 'H', 'E', 'S', '\r', '\n'};

// the last bytes of the file
typedef struct Tail {
    char magic[8];
    uint32_t version;
    uint32_t block_bytes;
    uint64_t size;  // of the HDF5 file
    uint64_t check; // of the table and of this struct up to here
} Tail;

static int64_t block_count(int64_t size) {
    return (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

static int64_t block_size(int64_t size, int64_t block) {
    int64_t left = size - block * BLOCK_BYTES;
    return left < BLOCK_BYTES ? left : BLOCK_BYTES;
}

// the place is part of the sum: exchanged blocks differ
static uint64_t block_sum(int64_t block, const void *bytes, int64_t size) {
    return lithe_hash((uint64_t)block + 1, bytes, (size_t)size);
}

static uint64_t table_check(const uint64_t *sums, int64_t count, const Tail *tail) {
    uint64_t seed = lithe_hash(0, sums, (size_t)count * sizeof *sums);
    return lithe_hash(seed, tail, offsetof(Tail, check));
}

int lithe_sums_append(LitheContext *context, int fd, int64_t size) {
    int64_t count = block_count(size);
    uint64_t *sums = lithe_alloc_array(context, count, sizeof *sums);
    unsigned char *block = lithe_alloc(context, (size_t)BLOCK_BYTES);
    int reason = sums && block ? 0 : ENOMEM;
    for (int64_t i = 0; !reason && i < count; i++) {
        int64_t bytes = block_size(size, i);
        if (lithe_disk_read(fd, i * BLOCK_BYTES, block, bytes))
            sums[i] = block_sum(i, block, bytes);
        else
            reason = errno;
    }
    if (!reason) {
        Tail tail = {
            .version = SUMS_VERSION, .block_bytes = (uint32_t)BLOCK_BYTES, .size = (uint64_t)size};
        memcpy(tail.magic, magic, sizeof magic);
        tail.check = table_check(sums, count, &tail);
        int64_t bytes = count * (int64_t)sizeof *sums;
        if (!lithe_disk_write(fd, size, sums, bytes) ||
            !lithe_disk_write(fd, size + bytes, &tail, (int64_t)sizeof tail))
            reason = errno;
    }
    lithe_free(context, block);
    lithe_free(context, sums);
    return reason;
}

// Returns EBADMSG when the end of the file looks like a table, but is not valid.
static int read_table(LitheSums *made, int fd, int64_t file_size) {
    Tail tail;
    int64_t tail_at = file_size - (int64_t)sizeof tail;
    if (tail_at < 0)
        return 0;
    if (!lithe_disk_read(fd, tail_at, &tail, (int64_t)sizeof tail))
        return errno;
    if (memcmp(tail.magic, magic, sizeof magic) != 0)
        return 0;
    int64_t size = (int64_t)tail.size;
    if (tail.version != SUMS_VERSION || tail.block_bytes != (uint32_t)BLOCK_BYTES || size < 1 ||
        size > tail_at || block_count(size) * (int64_t)sizeof *made->sums != tail_at - size)
        return EBADMSG;
    made->size = size;
    made->count = block_count(size);
    made->sums = lithe_alloc_array(made->context, made->count, sizeof *made->sums);
    made->checked = lithe_alloc_array(made->context, made->count, 1);
    made->block = lithe_alloc(made->context, (size_t)BLOCK_BYTES);
    if (!made->sums || !made->checked || !made->block)
        return ENOMEM;
    if (!lithe_disk_read(fd, size, made->sums, tail_at - size))
        return errno;
    return tail.check == table_check(made->sums, made->count, &tail) ? 0 : EBADMSG;
}

int lithe_sums_open(LitheContext *context, int fd, int64_t file_size, LitheSums *sums) {
    *sums = (LitheSums){.context = context, .size = file_size};
    return read_table(sums, fd, file_size);
}

bool lithe_sums_read(LitheSums *sums, int fd, int64_t offset, void *data, int64_t bytes) {
    if (sums->count == 0)
        return lithe_disk_read(fd, offset, data, bytes);
    unsigned char *out = data;
    while (bytes > 0) {
        int64_t block = offset / BLOCK_BYTES, within = offset % BLOCK_BYTES;
        if (block >= sums->count) {
            errno = EIO;
            return false;
        }
        int64_t size = block_size(sums->size, block), part = size - within;
        part = part < bytes ? part : bytes;
        if (sums->checked[block]) {
            if (!lithe_disk_read(fd, offset, out, part))
                return false;
        } else {
            if (!lithe_disk_read(fd, block * BLOCK_BYTES, sums->block, size))
                return false;
            if (block_sum(block, sums->block, size) != sums->sums[block]) {
                errno = EBADMSG;
                return false;
            }
            sums->checked[block] = 1;
            memcpy(out, sums->block + within, (size_t)part);
        }
        out += part;
        offset += part;
        bytes -= part;
    }
    return true;
}

void lithe_sums_release(LitheSums *sums) {
    lithe_free(sums->context, sums->sums);
    lithe_free(sums->context, sums->checked);
    lithe_free(sums->context, sums->block);
    *sums = (LitheSums){0};
}
