// SPDX-License-Identifier: Apache-2.0
// record/checkpoint.c - reads and writes checkpoints: head, sums, state, checksum

#include "record/checkpoint.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = {'L', 'I', 'T', 'H', 'E', 'C', '\r', '\n'};
#define CHECKPOINT_VERSION 11u
#define VERSION_WITHOUT_PEAKS 10u
#define VERSION_WITHOUT_RISE 9u
#define VERSION_WITHOUT_SCHEME 8u
#define VERSION_WITHOUT_MONITOR 7u
#define VERSION_WITHOUT_STIFFENED 6u
#define VERSION_WITHOUT_LAYOUT 5u // files without state_layout: it is 1 for them
#define BYTE_ORDER_MARK 0x01020304u

// The file is this head, then the state, then the checksum of both.
typedef struct FileHead {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t journal_mark;
    int64_t journal_offset;
    int64_t frames;
    unsigned char totals[LITHE_TOTALS_BYTES];
    int64_t state_size;
    int64_t state_layout;                       // since version 6
    int64_t stiffened;                          // since version 7: the rest of the sums
    unsigned char monitor[LITHE_MONITOR_BYTES]; // since version 8
    LitheSchemeTotals scheme;                   // since version 9
    double lowest_sum, largest;                 // since version 10
    LithePeakAt strain, stress;                 // since version 11: the rest of the monitor
} FileHead;

// Bytes of the head in a file of this version.
static int64_t head_size(uint32_t version) {
    return (int64_t)(version == VERSION_WITHOUT_LAYOUT      ? offsetof(FileHead, state_layout)
                     : version == VERSION_WITHOUT_STIFFENED ? offsetof(FileHead, stiffened)
                     : version == VERSION_WITHOUT_MONITOR   ? offsetof(FileHead, monitor)
                     : version == VERSION_WITHOUT_SCHEME    ? offsetof(FileHead, scheme)
                     : version == VERSION_WITHOUT_RISE      ? offsetof(FileHead, lowest_sum)
                     : version == VERSION_WITHOUT_PEAKS     ? offsetof(FileHead, strain)
                                                            : sizeof(FileHead));
}

LitheStatus lithe_checkpoint_write(LitheContext *context, const char *path,
                                   const LitheCheckpoint *checkpoint, LitheError *error) {
    FileHead head;
    memset(&head, 0, sizeof head); // also the padding: equal states make equal files
    memcpy(head.magic, magic, sizeof magic);
    head.version = CHECKPOINT_VERSION;
    head.byte_order = BYTE_ORDER_MARK;
    head.journal_mark = checkpoint->journal_mark;
    head.journal_offset = checkpoint->journal_offset;
    head.frames = checkpoint->frames;
    memcpy(head.totals, &checkpoint->totals, sizeof head.totals);
    head.stiffened = checkpoint->totals.stiffened;
    memcpy(head.monitor, &checkpoint->totals.monitor, sizeof head.monitor);
    head.lowest_sum = checkpoint->totals.monitor.lowest_sum;
    head.largest = checkpoint->totals.monitor.largest;
    head.strain = checkpoint->totals.monitor.strain;
    head.stress = checkpoint->totals.monitor.stress;
    head.scheme = checkpoint->totals.scheme;
    head.state_size = checkpoint->state_size;
    head.state_layout = checkpoint->state_layout;

    size_t state_bytes = (size_t)checkpoint->state_size * sizeof(double);
    _Static_assert(sizeof head % 8 == 0, "lithe_hash_pieces");
    uint64_t sum;
    const LithePiece pieces[] = {
        {&head, sizeof head}, {checkpoint->state, state_bytes}, {&sum, sizeof sum}};
    sum = lithe_hash_pieces(0, pieces, 2);
    return lithe_disk_replace_pieces(context, path, pieces, 3, error);
}

static LitheStatus read_open(LitheContext *context, const char *path, int fd,
                             LitheCheckpoint *checkpoint, LitheError *error) {
    struct stat file;
    if (fstat(fd, &file) != 0)
        return lithe_disk_fail(error, path, "read", errno);
    int64_t size = (int64_t)file.st_size;
    FileHead head = {.state_layout = 1};
    int64_t old = head_size(VERSION_WITHOUT_LAYOUT), sum_size = (int64_t)sizeof(uint64_t);
    if (!S_ISREG(file.st_mode) || size < old + sum_size || !lithe_disk_read(fd, 0, &head, old) ||
        memcmp(head.magic, magic, sizeof magic) != 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: not a checkpoint of Lithe", path);
    bool known = head.version >= VERSION_WITHOUT_LAYOUT && head.version <= CHECKPOINT_VERSION;
    if (!known || head.byte_order != BYTE_ORDER_MARK)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: checkpoint of another version or machine", path);
    int64_t own = head_size(head.version), min = own + sum_size;
    if (size < min || !lithe_disk_read(fd, 0, &head, own))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: wrong size", path);
    if (head.state_size < 0 || head.state_size != (size - min) / (int64_t)sizeof(double) ||
        (size - min) % (int64_t)sizeof(double) != 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: wrong size", path);

    // head and state in one block, so that one checksum covers both
    unsigned char *all = lithe_alloc(context, (size_t)size);
    double *state = lithe_alloc_array(context, head.state_size, sizeof(double));
    size_t bytes = (size_t)size - sizeof(uint64_t);
    LitheStatus status = LITHE_OK;
    uint64_t sum = 0;
    if (!all || !state)
        status = lithe_fail_memory(error, "a checkpoint");
    else if (!lithe_disk_read(fd, 0, all, size))
        status = lithe_disk_fail(error, path, "read", errno);
    if (status == LITHE_OK) {
        memcpy(&sum, all + bytes, sizeof sum);
        if (sum != lithe_hash(0, all, bytes))
            status = lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: checksum", path);
    }
    if (status == LITHE_OK && (head.state_layout < 1 || head.state_layout > INT32_MAX))
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: layout of the state is %lld",
                            path, (long long)head.state_layout);
    if (status == LITHE_OK) {
        memcpy(state, all + own, (size_t)head.state_size * sizeof(double));
        *checkpoint =
            (LitheCheckpoint){.journal_mark = head.journal_mark,
                              .journal_offset = head.journal_offset,
                              .frames = head.frames,
                              .totals = {.stiffened = head.stiffened, .scheme = head.scheme},
                              .state_layout = (int32_t)head.state_layout,
                              .state_size = head.state_size,
                              .state = state};
        memcpy(&checkpoint->totals, head.totals, sizeof head.totals);
        memcpy(&checkpoint->totals.monitor, head.monitor, sizeof head.monitor);
        checkpoint->totals.monitor.lowest_sum = head.lowest_sum;
        checkpoint->totals.monitor.largest = head.largest;
        checkpoint->totals.monitor.strain = head.strain;
        checkpoint->totals.monitor.stress = head.stress;
        state = NULL;
    }
    lithe_free(context, all);
    lithe_free(context, state);
    return status;
}

LitheStatus lithe_checkpoint_read(LitheContext *context, const char *path,
                                  LitheCheckpoint *checkpoint, LitheError *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return lithe_disk_fail(error, path, "read", errno);
    LitheStatus status = read_open(context, path, fd, checkpoint, error);
    close(fd);
    return status;
}

void lithe_checkpoint_release(LitheContext *context, LitheCheckpoint *checkpoint) {
    lithe_free(context, checkpoint->state);
    *checkpoint = (LitheCheckpoint){0};
}
