// SPDX-License-Identifier: Apache-2.0
// record/journal.c - one write per record, without buffer: appended records survive a killed
// process

#include "record/journal.h"

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// the file begins with this; a tool that converts line ends damages the last two bytes
static const char magic[8] = {'L', 'I', 'T', 'H', 'E', 'J', '\r', '\n'};
#define JOURNAL_VERSION 5u
#define BYTE_ORDER_MARK 0x01020304u
// a larger header comes from a damaged file (a scene of ten million points has 600 MB)
#define HEAD_BYTES_MAX ((int64_t)2000000000)

enum { RECORD_FRAME = 1, RECORD_END = 2, RECORD_INPUT = 3 };

typedef struct FileHead {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t size; // of the layout that follows; then the checksum
} FileHead;

typedef struct RecordHead {
    uint32_t kind;
    uint32_t zero;
    uint64_t size; // of the payload that follows; then the checksum
} RecordHead;

static int64_t frame_bytes(const LitheJournal *journal) {
    return journal->layout.frame_size * (int64_t)sizeof(double);
}

static int64_t row_bytes(const LitheJournal *journal) {
    return journal->layout.row_size * (int64_t)sizeof(double);
}

static uint64_t record_checksum(const LitheJournal *journal, int64_t offset, const void *record,
                                int64_t bytes) {
    uint64_t seed = lithe_hash(journal->mark, &offset, sizeof offset);
    return lithe_hash(seed, record, (size_t)bytes);
}

// Allocates header, payload and checksum of a record.
static bool reserve_record(LitheJournal *journal, int64_t payload) {
    int64_t capacity = (int64_t)sizeof(RecordHead) + payload + (int64_t)sizeof(uint64_t);
    if (capacity <= journal->record_capacity)
        return true;
    // a reserve: the number of contacts grows slowly
    int64_t rows = payload - frame_bytes(journal);
    capacity += rows > 0 ? rows / 4 : 0;
    unsigned char *made = lithe_alloc(journal->context, (size_t)capacity);
    if (!made)
        return false;
    lithe_free(journal->context, journal->record);
    journal->record = made;
    journal->record_capacity = capacity;
    return true;
}

void lithe_journal_close(LitheJournal *journal) {
    if (!journal->path)
        return;
    if (journal->fd >= 0)
        close(journal->fd);
    lithe_layout_release(&journal->layout);
    lithe_free(journal->context, journal->record);
    lithe_free(journal->context, journal->inputs);
    lithe_free(journal->context, journal->path);
    *journal = (LitheJournal){.fd = -1};
}

// --- create --------------------------------------------------------------------------------------

static LitheStatus write_head(LitheJournal *journal, LitheError *error) {
    LitheBytes bytes = {.context = journal->context};
    FileHead head = {.version = JOURNAL_VERSION, .byte_order = BYTE_ORDER_MARK};
    memcpy(head.magic, magic, sizeof magic);
    lithe_bytes_put(&bytes, &head, sizeof head);
    lithe_layout_encode(&journal->layout, &bytes);
    if (bytes.failed) {
        lithe_bytes_release(&bytes);
        return lithe_fail_memory(error, "the header of the journal");
    }
    head.size = (uint64_t)bytes.count - sizeof head;
    memcpy(bytes.at, &head, sizeof head);
    journal->mark = lithe_hash(0, bytes.at, (size_t)bytes.count);
    lithe_bytes_put_number(&bytes, journal->mark);
    journal->start = journal->offset = bytes.count;

    LitheStatus status = bytes.failed ? lithe_fail_memory(error, "the header of the journal")
                                      : lithe_disk_replace(journal->context, journal->path,
                                                           bytes.at, bytes.count, error);
    lithe_bytes_release(&bytes);
    return status;
}

LitheStatus lithe_journal_create(LitheContext *context, const char *path, LitheLayout *layout,
                                 LitheJournal *journal, LitheError *error) {
    LitheJournal made = {.context = context, .fd = -1, .layout = *layout};
    made.path = lithe_alloc_text(context, path);
    LitheStatus status = LITHE_OK;
    if (!made.path)
        status = lithe_fail_memory(error, "the journal");
    if (status == LITHE_OK)
        status = write_head(&made, error);
    if (status == LITHE_OK) {
        made.fd = open(path, O_RDWR | O_CLOEXEC);
        if (made.fd < 0)
            status = lithe_disk_fail(error, path, "write", errno);
    }
    if (status != LITHE_OK) {
        // the caller keeps the layout
        made.layout = (LitheLayout){.context = context};
        if (made.path)
            lithe_journal_close(&made);
        return status;
    }
    *layout = (LitheLayout){.context = context};
    *journal = made;
    return LITHE_OK;
}

// --- append --------------------------------------------------------------------------------------

// pieces of a payload, at most
enum { PAYLOAD_PIECES = 2 };

// header, payload and checksum, from where they are
static LitheStatus append_record(LitheJournal *journal, uint32_t kind, const LithePiece *payload,
                                 int32_t count, LitheError *error) {
    LITHE_ASSERT(!journal->ended && count <= PAYLOAD_PIECES);
    RecordHead head = {.kind = kind};
    uint64_t sum, seed = lithe_hash(journal->mark, &journal->offset, sizeof journal->offset);
    LithePiece pieces[PAYLOAD_PIECES + 2] = {{&head, sizeof head}};
    for (int32_t i = 0; i < count; i++) {
        pieces[i + 1] = payload[i];
        head.size += payload[i].count;
    }
    sum = lithe_hash_pieces(seed, pieces, count + 1);
    pieces[count + 1] = (LithePiece){&sum, sizeof sum};
    if (!lithe_disk_write_pieces(journal->fd, journal->offset, pieces, count + 2)) {
        int reason = errno;
        // removes the torn record; if this fails too, its checksum shows it
        if (ftruncate(journal->fd, journal->offset) != 0)
            reason = reason ? reason : errno;
        return lithe_disk_fail(error, journal->path, "write", reason);
    }
    journal->offset += (int64_t)(sizeof head + head.size + sizeof sum);
    return LITHE_OK;
}

LitheStatus lithe_journal_append(LitheJournal *journal, const double *frame, const double *rows,
                                 int64_t row_count, LitheError *error) {
    const LithePiece payload[] = {{frame, (size_t)frame_bytes(journal)},
                                  {rows, (size_t)(row_count * row_bytes(journal))}};
    LitheStatus status =
        append_record(journal, RECORD_FRAME, payload, row_count > 0 ? 2 : 1, error);
    if (status == LITHE_OK) {
        journal->frames++;
        journal->row_total += row_count;
    }
    return status;
}

#define INPUT_BYTES ((int64_t)(LITHE_INPUT_SIZE * sizeof(double)))

static bool keep_input(LitheJournal *journal, const void *input) {
    int64_t at = (int64_t)LITHE_INPUT_SIZE * journal->input_count;
    if (!LITHE_RESERVE(journal->context, journal->inputs, journal->input_capacity,
                       at + LITHE_INPUT_SIZE))
        return false;
    memcpy(journal->inputs + at, input, (size_t)INPUT_BYTES);
    journal->input_count++;
    return true;
}

LitheStatus lithe_journal_append_input(LitheJournal *journal, const double input[LITHE_INPUT_SIZE],
                                       LitheError *error) {
    LithePiece payload = {input, (size_t)INPUT_BYTES};
    LitheStatus status = append_record(journal, RECORD_INPUT, &payload, 1, error);
    if (status == LITHE_OK && !keep_input(journal, input))
        status = lithe_fail_memory(error, "a record of the journal");
    return status;
}

static void encode_end(const LitheJournalEnd *end, LitheBytes *bytes) {
    lithe_bytes_put_number(bytes, end->complete);
    lithe_bytes_put_real(bytes, end->time);
    lithe_bytes_put_number(bytes, end->hash);
    lithe_bytes_put(bytes, &end->totals, LITHE_TOTALS_BYTES);
    lithe_bytes_put_text(bytes, end->reason);
    lithe_bytes_put_number(bytes, (uint64_t)end->totals.stiffened);
    lithe_bytes_put_real(bytes, end->totals.monitor.gain);
    lithe_bytes_put(bytes, &end->totals.scheme, sizeof end->totals.scheme);
}

static bool decode_end(LitheContext *context, LitheByteReader *reader, LitheJournalEnd *end) {
    end->complete = lithe_bytes_take_number(reader) != 0;
    end->time = lithe_bytes_take_real(reader);
    end->hash = lithe_bytes_take_number(reader);
    lithe_bytes_take(reader, &end->totals, LITHE_TOTALS_BYTES);
    char *reason = lithe_bytes_take_text(reader, context);
    if (!reason)
        return false;
    strncpy(end->reason, reason, sizeof end->reason - 1);
    lithe_free(context, reason);
    end->totals.stiffened = reader->left > 0 ? (int64_t)lithe_bytes_take_number(reader) : 0;
    end->totals.monitor.gain = reader->left > 0 ? lithe_bytes_take_real(reader) : 0;
    if (reader->left > 0)
        lithe_bytes_take(reader, &end->totals.scheme, sizeof end->totals.scheme);
    return !reader->failed;
}

LitheStatus lithe_journal_append_end(LitheJournal *journal, const LitheJournalEnd *end,
                                     LitheError *error) {
    LitheBytes bytes = {.context = journal->context};
    encode_end(end, &bytes);
    LithePiece payload = {bytes.at, (size_t)bytes.count};
    LitheStatus status = bytes.failed ? lithe_fail_memory(error, "the end of the journal")
                                      : append_record(journal, RECORD_END, &payload, 1, error);
    lithe_bytes_release(&bytes);
    if (status == LITHE_OK) {
        journal->ended = true;
        journal->end = *end;
    }
    return status;
}

LitheStatus lithe_journal_sync(LitheJournal *journal, LitheError *error) {
    if (fsync(journal->fd) != 0)
        return lithe_disk_fail(error, journal->path, "write", errno);
    return LITHE_OK;
}

LitheStatus lithe_journal_lock(LitheJournal *journal, LitheError *error) {
    // on a file system without locks the run continues without a lock
    while (flock(journal->fd, LOCK_EX) != 0 && errno == EINTR)
        ;
    struct stat file;
    if (fstat(journal->fd, &file) == 0 && file.st_nlink > 0)
        return LITHE_OK;
    lithe_journal_unlock(journal);
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: is gone: its run has ended meanwhile",
                      journal->path);
}

void lithe_journal_unlock(LitheJournal *journal) {
    (void)flock(journal->fd, LOCK_UN);
}

void lithe_journal_rewind(LitheJournal *journal) {
    journal->offset = journal->start;
    journal->frames = journal->row_total = 0;
    journal->input_count = 0;
    journal->ended = false;
}

LitheStatus lithe_journal_truncate(LitheJournal *journal, LitheError *error) {
    if (ftruncate(journal->fd, journal->offset) != 0)
        return lithe_disk_fail(error, journal->path, "write", errno);
    journal->torn = 0;
    return LITHE_OK;
}

// --- read ----------------------------------------------------------------------------------------

static LitheStatus read_head(LitheJournal *journal, int64_t size, LitheError *error) {
    const char *path = journal->path;
    FileHead head;
    int64_t head_bytes = (int64_t)sizeof head, sum_bytes = (int64_t)sizeof(uint64_t);
    if (size < head_bytes + sum_bytes || !lithe_disk_read(journal->fd, 0, &head, head_bytes) ||
        memcmp(head.magic, magic, sizeof magic) != 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: not a journal of Lithe", path);
    if (head.byte_order != BYTE_ORDER_MARK)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: written on a machine with another byte order", path);
    if (head.version != JOURNAL_VERSION)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: journal version is %u, this Lithe reads %u", path, head.version,
                          JOURNAL_VERSION);
    if (head.size > (uint64_t)HEAD_BYTES_MAX || (int64_t)head.size > size - head_bytes - sum_bytes)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: its header is cut off", path);

    int64_t bytes = head_bytes + (int64_t)head.size;
    unsigned char *all = lithe_alloc(journal->context, (size_t)(bytes + sum_bytes));
    if (!all)
        return lithe_fail_memory(error, "the header of the journal");
    LitheStatus status = LITHE_OK;
    uint64_t sum = 0;
    if (!lithe_disk_read(journal->fd, 0, all, bytes + sum_bytes))
        status = lithe_disk_fail(error, path, "read", errno);
    memcpy(&sum, all + bytes, sizeof sum);
    if (status == LITHE_OK && sum != lithe_hash(0, all, (size_t)bytes))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: damaged: the checksum of its header is wrong", path);
    if (status == LITHE_OK) {
        LitheByteReader reader = {.at = all + head_bytes, .left = (int64_t)head.size};
        status = lithe_layout_decode(journal->context, &reader, path, &journal->layout, error);
    }
    lithe_free(journal->context, all);
    journal->mark = sum;
    journal->start = journal->offset = bytes + sum_bytes;
    return status;
}

// The number of whole rows after the columns of a frame; -1: the size does not fit.
static int64_t rows_in(const LitheJournal *journal, uint64_t payload) {
    if (payload < (uint64_t)frame_bytes(journal) || payload > INT64_MAX)
        return -1;
    int64_t rest = (int64_t)payload - frame_bytes(journal), row = row_bytes(journal);
    if (row == 0)
        return rest == 0 ? 0 : -1;
    return rest % row == 0 ? rest / row : -1;
}

// Reads the record at `offset` into `record`. Returns its size in the file; 0: no whole record
// there; -1: out of memory.
static int64_t read_record(LitheJournal *journal, int64_t offset, int64_t size, uint32_t *kind) {
    RecordHead head;
    int64_t sum_bytes = (int64_t)sizeof(uint64_t);
    if (size - offset < (int64_t)sizeof head + sum_bytes ||
        !lithe_disk_read(journal->fd, offset, &head, (int64_t)sizeof head))
        return 0;
    int64_t rows = head.kind == RECORD_FRAME ? rows_in(journal, head.size) : 0;
    bool fits = head.kind == RECORD_FRAME && rows >= 0;
    fits |= head.kind == RECORD_END && head.size <= 8192;
    fits |= head.kind == RECORD_INPUT && head.size == (uint64_t)INPUT_BYTES;
    // an incomplete record needs no memory
    if (!fits || head.size > (uint64_t)(size - offset - (int64_t)sizeof head - sum_bytes))
        return 0;
    int64_t bytes = (int64_t)sizeof head + (int64_t)head.size;
    if (!reserve_record(journal, (int64_t)head.size))
        return -1;
    uint64_t sum;
    if (!lithe_disk_read(journal->fd, offset, journal->record, bytes + sum_bytes))
        return 0;
    memcpy(&sum, journal->record + bytes, sizeof sum);
    if (sum != record_checksum(journal, offset, journal->record, bytes))
        return 0;
    *kind = head.kind;
    journal->row_count = rows;
    journal->rows =
        (const double *)(const void *)(journal->record + sizeof head + frame_bytes(journal));
    return bytes + sum_bytes;
}

static LitheStatus scan(LitheJournal *journal, int64_t size, int64_t limit, LitheError *error) {
    while (journal->offset < limit && !journal->ended) {
        uint32_t kind = 0;
        int64_t bytes = read_record(journal, journal->offset, size, &kind);
        if (bytes < 0)
            return lithe_fail_memory(error, "a record of the journal");
        if (bytes == 0)
            break;
        if (kind == RECORD_END) {
            LitheByteReader reader = {.at = journal->record + sizeof(RecordHead),
                                      .left =
                                          bytes - (int64_t)(sizeof(RecordHead) + sizeof(uint64_t))};
            bool whole = decode_end(journal->context, &reader, &journal->end);
            if (reader.no_memory)
                return lithe_fail_memory(error, "a record of the journal");
            if (!whole)
                break;
            journal->ended = true;
        } else if (kind == RECORD_INPUT) {
            if (!keep_input(journal, journal->record + sizeof(RecordHead)))
                return lithe_fail_memory(error, "a record of the journal");
        } else {
            journal->frames++;
            journal->row_total += journal->row_count;
        }
        journal->offset += bytes;
    }
    journal->torn = size - journal->offset;
    return LITHE_OK;
}

LitheStatus lithe_journal_open(LitheContext *context, const char *path, int64_t limit,
                               LitheJournal *journal, LitheError *error) {
    LitheJournal made = {.context = context, .fd = -1, .layout = {.context = context}};
    made.path = lithe_alloc_text(context, path);
    if (!made.path)
        return lithe_fail_memory(error, "the name of a file");

    // the journal may be read-only: recover works then, too
    made.fd = open(path, O_RDWR | O_CLOEXEC);
    if (made.fd < 0 && (errno == EACCES || errno == EROFS))
        made.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat file;
    LitheStatus status = LITHE_OK;
    if (made.fd < 0 || fstat(made.fd, &file) != 0)
        status = lithe_disk_fail(error, path, "read", errno);
    else if (!S_ISREG(file.st_mode))
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: not a journal of Lithe", path);
    if (status == LITHE_OK)
        status = read_head(&made, (int64_t)file.st_size, error);
    if (status == LITHE_OK && !reserve_record(&made, frame_bytes(&made)))
        status = lithe_fail_memory(error, "a record of the journal");
    if (status == LITHE_OK)
        status = scan(&made, (int64_t)file.st_size, limit, error);
    if (status != LITHE_OK) {
        lithe_journal_close(&made);
        return status;
    }
    *journal = made;
    return LITHE_OK;
}

LitheStatus lithe_journal_read(LitheJournal *journal, int64_t *cursor, double *frame,
                               LitheError *error) {
    int64_t offset = *cursor > 0 ? *cursor : journal->start;
    uint32_t kind = 0;
    int64_t bytes = read_record(journal, offset, journal->offset, &kind);
    while (bytes > 0 && kind == RECORD_INPUT) {
        offset += bytes;
        bytes = read_record(journal, offset, journal->offset, &kind);
    }
    if (bytes < 0)
        return lithe_fail_memory(error, "a record of the journal");
    if (bytes == 0 || kind != RECORD_FRAME)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: changed while it was being read",
                          journal->path);
    memcpy(frame, journal->record + sizeof(RecordHead), (size_t)frame_bytes(journal));
    journal->frame_start = offset + (int64_t)sizeof(RecordHead);
    *cursor = offset + bytes;
    return LITHE_OK;
}
