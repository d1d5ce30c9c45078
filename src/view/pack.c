// SPDX-License-Identifier: Apache-2.0
// view/pack.c - packs a whole recording: quantised, differences over time, deflated
//
// Numbers are first arranged as the words of frames: a page unpacks the frames that it would have
// received. Each channel is a range of words with one quantisation step.

#include "view/pack.h"

#include "base/memory.h"
#include "base/status.h"
#include "view/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

// levels between min and max of a channel: places and quantities to 1e-5 of their range, directions
// to 1e-3, which is not visible
#define FINE_LEVELS 60000
#define DIRECTION_STEP (1.0 / 1023)

typedef struct Channel {
    int64_t at, count; // words of the fixed part
    double low, step;  // value = low + step q
    int32_t bytes;     // of q: 2 or 4
    bool direction;    // components of unit vectors
} Channel;

typedef struct Pack {
    LitheContext *context;
    LitheViewReader *reader;
    int64_t every, frame_count, word_count;
    int64_t *frames; // [frame_count] numbers in the recording
    float *words;    // [frame_count][word_count]
    uint32_t *rows;  // [row_count][contact_words] contacts of all frames
    int64_t *counts; // [frame_count]
    int64_t row_count, row_capacity;
    Channel *channels;
    int32_t channel_count, channel_capacity;
    Channel columns[LITHE_VIEW_PATCH_WORDS];
    int32_t contact_words;
} Pack;

static void release(Pack *pack) {
    lithe_free(pack->context, pack->frames);
    lithe_free(pack->context, pack->words);
    lithe_free(pack->context, pack->rows);
    lithe_free(pack->context, pack->counts);
    lithe_free(pack->context, pack->channels);
}

// --- words ---------------------------------------------------------------------------------------

static bool reserve_rows(Pack *pack, int64_t count) {
    int64_t needed = pack->row_count + count;
    if (needed <= pack->row_capacity)
        return true;
    int64_t capacity = needed + needed / 2;
    uint32_t *grown = lithe_alloc_array(pack->context, capacity * pack->contact_words, 4);
    if (!grown)
        return false;
    if (pack->row_count > 0)
        memcpy(grown, pack->rows, (size_t)pack->row_count * 4 * (size_t)pack->contact_words);
    lithe_free(pack->context, pack->rows);
    pack->rows = grown;
    pack->row_capacity = capacity;
    return true;
}

static LitheStatus read_words(Pack *pack, LitheError *error) {
    LitheViewScene *scene = pack->reader->scene;
    unsigned char *bytes = NULL;
    int32_t capacity = 0;
    LitheStatus status = LITHE_OK;
    for (int64_t k = 0; status == LITHE_OK && k < pack->frame_count; k++) {
        LitheViewFrame frame;
        status = lithe_view_reader_read(pack->reader, pack->frames[k], &frame, error);
        if (status != LITHE_OK)
            break;
        lithe_view_bounds(scene, frame.numbers);
        int64_t size = lithe_view_frame_bytes(scene, frame.row_count);
        if (!LITHE_RESERVE(pack->context, bytes, capacity, size) ||
            !reserve_rows(pack, frame.row_count)) {
            status = lithe_fail_memory(error, "a packed recording");
            break;
        }
        lithe_view_frame_write(scene, &frame, bytes);
        int64_t fixed = 4 * pack->word_count, rest = size - LITHE_VIEW_HEAD_BYTES - fixed;
        memcpy(pack->words + k * pack->word_count, bytes + LITHE_VIEW_HEAD_BYTES, (size_t)fixed);
        if (rest > 0)
            memcpy(pack->rows + pack->row_count * pack->contact_words,
                   bytes + LITHE_VIEW_HEAD_BYTES + fixed, (size_t)rest);
        pack->row_count += frame.row_count;
        pack->counts[k] = frame.row_count;
    }
    lithe_free(pack->context, bytes);
    return status;
}

// --- channels ------------------------------------------------------------------------------------

static bool add(Pack *pack, int64_t count, bool direction) {
    if (count == 0)
        return true;
    if (!LITHE_RESERVE(pack->context, pack->channels, pack->channel_capacity,
                       pack->channel_count + 1))
        return false;
    const Channel *last = pack->channel_count > 0 ? &pack->channels[pack->channel_count - 1] : NULL;
    pack->channels[pack->channel_count++] = (Channel){.at = last ? last->at + last->count : 0,
                                                      .count = count,
                                                      .bytes = 2,
                                                      .direction = direction};
    return true;
}

// The same order as lithe_view_frame_write.
static bool list_channels(Pack *pack) {
    const LitheViewScene *scene = pack->reader->scene;
    const LitheRecording *recording = scene->recording;
    bool fine = true;
    for (int32_t i = 0; fine && i < scene->point_sets; i++) {
        const LitheViewPoints *points = &scene->points[i];
        fine = add(pack, 3 * (int64_t)points->of.point_count, false) &&
               add(pack, 3 * (int64_t)points->of.edge_count, true);
        for (int32_t k = 0; fine && k < points->field_count; k++)
            fine = add(pack, points->of.point_count, false);
    }
    for (int32_t b = 0; fine && b < recording->body_count; b++)
        if (scene->at[recording->bodies[b].pose] >= 0)
            fine = add(pack, 3, false) && add(pack, 4, false);
    for (int32_t i = 0; fine && i < scene->tie_count; i++)
        fine = add(pack, 1, false) && add(pack, 3, false) && add(pack, 3, false);
    for (int32_t i = 0; fine && i < scene->series_count; i++)
        fine = add(pack, 1, false);
    return fine;
}

static void set_range(Channel *channel, double low, double high) {
    if (channel->direction) {
        channel->low = -1;
        channel->step = DIRECTION_STEP;
        return;
    }
    channel->low = low <= high ? low : 0;
    channel->step = high > low ? (high - low) / FINE_LEVELS : 0;
}

static void find_ranges(Pack *pack) {
    for (int32_t c = 0; c < pack->channel_count; c++) {
        Channel *channel = &pack->channels[c];
        // floats as the words: gcc 12 for aarch64 cannot compile extrema in double here
        float low = INFINITY, high = -INFINITY;
        for (int64_t k = 0; k < pack->frame_count; k++)
            for (int64_t i = 0; i < channel->count; i++) {
                float value = pack->words[k * pack->word_count + channel->at + i];
                low = fminf(low, value);
                high = fmaxf(high, value);
            }
        set_range(channel, low, high);
    }
}

// whether a word of a contact is the number of a thing or of a part
static bool is_number(int column) {
    return column >= LITHE_VIEW_CONTACT_REALS && column < LITHE_VIEW_CONTACT_WORDS;
}

static double row_value(const Pack *pack, int64_t row, int column) {
    uint32_t word = pack->rows[row * pack->contact_words + column];
    float real;
    memcpy(&real, &word, sizeof real);
    return is_number(column) ? (double)word : (double)real;
}

static void find_row_ranges(Pack *pack) {
    for (int c = 0; c < pack->contact_words; c++) {
        float low = INFINITY, high = -INFINITY;
        uint32_t largest = 0;
        for (int64_t i = 0; i < pack->row_count; i++) {
            uint32_t word = pack->rows[i * pack->contact_words + c];
            float real;
            memcpy(&real, &word, sizeof real);
            low = fminf(low, real);
            high = fmaxf(high, real);
            largest = word > largest ? word : largest;
        }
        pack->columns[c] = (Channel){.at = c, .count = 1, .bytes = 2};
        set_range(&pack->columns[c], low, high);
        if (is_number(c)) {
            // numbers of things and their parts are exact
            pack->columns[c].low = 0;
            pack->columns[c].step = 1;
            pack->columns[c].bytes = largest > 65535 ? 4 : 2;
        }
    }
}

// --- numbers to bytes ----------------------------------------------------------------------------

static uint32_t level(const Channel *channel, double value) {
    double q = channel->step > 0 ? round((value - channel->low) / channel->step) : 0;
    double max = channel->bytes == 2 ? 65535 : 4294967295.0;
    return (uint32_t)fmin(fmax(q, 0), max);
}

// zigzag code: small differences of either sign become small numbers
static uint32_t fold(uint32_t now, uint32_t before, int32_t bytes) {
    uint32_t difference = now - before;
    int32_t sign = bytes == 2 ? (int16_t)(uint16_t)difference : (int32_t)difference;
    uint32_t folded = (uint32_t)sign << 1 ^ (uint32_t)(sign >> 31);
    return bytes == 2 ? folded & 0xffff : folded;
}

// Adds bytes to a zlib stream.
typedef struct Deflate {
    z_stream stream;
    LitheBytes *out;
    bool failed;
} Deflate;

static void deflate_more(Deflate *deflation, const void *data, int64_t bytes, int flush) {
    unsigned char buffer[16384];
    const unsigned char *at = data;
    do {
        // zlib counts in 32 bits
        int64_t piece = bytes > (1 << 30) ? (1 << 30) : bytes;
        deflation->stream.next_in = (unsigned char *)at;
        deflation->stream.avail_in = (uInt)piece;
        int mode = bytes > piece ? Z_NO_FLUSH : flush;
        do {
            deflation->stream.next_out = buffer;
            deflation->stream.avail_out = sizeof buffer;
            if (deflate(&deflation->stream, mode) == Z_STREAM_ERROR) {
                deflation->failed = true;
                return;
            }
            lithe_bytes_put(deflation->out, buffer,
                            (int64_t)sizeof buffer - deflation->stream.avail_out);
        } while (deflation->stream.avail_out == 0);
        at += piece;
        bytes -= piece;
    } while (bytes > 0);
}

// Levels [rows][count] into planes of bytes.
static bool put_channel(Pack *pack, const Channel *channel, bool contacts, Deflate *deflation) {
    int64_t rows = contacts ? pack->row_count : pack->frame_count;
    int64_t size = rows * channel->count;
    unsigned char *planes = lithe_alloc_array(pack->context, size, (size_t)channel->bytes);
    if (!planes)
        return false;
    for (int64_t i = 0; i < channel->count; i++) {
        uint32_t before = 0;
        for (int64_t k = 0; k < rows; k++) {
            double value = contacts ? row_value(pack, k, (int)channel->at)
                                    : (double)pack->words[k * pack->word_count + channel->at + i];
            uint32_t now = level(channel, value);
            uint32_t folded = fold(now, before, channel->bytes);
            for (int b = 0; b < channel->bytes; b++)
                planes[b * size + k * channel->count + i] = (unsigned char)(folded >> (8 * b));
            before = now;
        }
    }
    if (size > 0)
        deflate_more(deflation, planes, size * channel->bytes, Z_NO_FLUSH);
    lithe_free(pack->context, planes);
    return true;
}

// --- the head ------------------------------------------------------------------------------------

// all digits: a rounded step would shift the largest values
static void put_exact(LitheBytes *text, double number) {
    char piece[40];
    int length = snprintf(piece, sizeof piece, "%.17g", number);
    char *comma = strchr(piece, ',');
    if (comma)
        *comma = '.';
    lithe_bytes_put(text, piece, length);
}

static void put_channels(const Channel *channels, int32_t count, LitheBytes *text) {
    lithe_view_put(text, "\"channels\":[");
    for (int32_t c = 0; c < count; c++) {
        lithe_view_put(text, "%s{\"count\":%lld,\"low\":", c > 0 ? "," : "",
                       (long long)channels[c].count);
        put_exact(text, channels[c].low);
        lithe_view_put(text, ",\"step\":");
        put_exact(text, channels[c].step);
        lithe_view_put(text, ",\"bytes\":%d,\"order\":1}", (int)channels[c].bytes);
    }
    lithe_view_put(text, "]");
}

static LitheStatus put_head(Pack *pack, LitheBytes *text, LitheError *error) {
    lithe_view_put(text, "{\"scene\":");
    LitheStatus status = lithe_view_describe_frames(pack->reader->scene, pack->frames,
                                                    pack->frame_count, text, error);
    if (status != LITHE_OK)
        return status;
    lithe_view_put(text, ",\"frames\":%lld,\"words\":%lld,", (long long)pack->frame_count,
                   (long long)pack->word_count);
    put_channels(pack->channels, pack->channel_count, text);
    lithe_view_put(text, ",\"contacts\":{\"counts\":[");
    for (int64_t k = 0; k < pack->frame_count; k++)
        lithe_view_put(text, "%s%lld", k > 0 ? "," : "", (long long)pack->counts[k]);
    lithe_view_put(text, "],");
    put_channels(pack->columns, pack->contact_words, text);
    lithe_view_put(text, "}}");
    while (text->count % 4 != 0 && !text->failed)
        lithe_bytes_put(text, " ", 1);
    return text->failed ? lithe_fail_memory(error, "a packed recording") : LITHE_OK;
}

// --- all of it -----------------------------------------------------------------------------------

static LitheStatus allocate_buffers(Pack *pack, LitheError *error) {
    int64_t all = pack->reader->recording->frame_count;
    pack->frame_count = (all - 1) / pack->every + 1;
    bool last = (pack->frame_count - 1) * pack->every != all - 1;
    pack->frame_count += last;
    pack->word_count = pack->reader->scene->word_count;
    pack->contact_words = pack->reader->scene->contact_words;
    if (pack->word_count > 0 && pack->frame_count > INT64_MAX / 64 / pack->word_count)
        return lithe_fail_memory(error, "a packed recording");
    pack->frames = lithe_alloc_array(pack->context, pack->frame_count, sizeof *pack->frames);
    pack->counts = lithe_alloc_array(pack->context, pack->frame_count, sizeof *pack->counts);
    pack->words = lithe_alloc_array(pack->context, pack->frame_count * pack->word_count, 4);
    if (!pack->frames || !pack->counts || !pack->words || !list_channels(pack))
        return lithe_fail_memory(error, "a packed recording");
    for (int64_t k = 0; k < pack->frame_count; k++)
        pack->frames[k] = k * pack->every < all ? k * pack->every : all - 1;
    return LITHE_OK;
}

static LitheStatus deflate_all(Pack *pack, LitheBytes *out, LitheError *error) {
    Deflate deflation = {.out = out};
    LitheBytes head = {.context = pack->context};
    LitheStatus status = put_head(pack, &head, error);
    if (status == LITHE_OK && deflateInit(&deflation.stream, 9) != Z_OK)
        status = lithe_fail_memory(error, "a packed recording");
    if (status != LITHE_OK) {
        lithe_bytes_release(&head);
        return status;
    }
    uint32_t length = (uint32_t)head.count;
    deflate_more(&deflation, "LVP1", 4, Z_NO_FLUSH);
    deflate_more(&deflation, &length, 4, Z_NO_FLUSH);
    deflate_more(&deflation, head.at, head.count, Z_NO_FLUSH);
    bool fine = true;
    for (int32_t c = 0; fine && c < pack->channel_count; c++)
        fine = put_channel(pack, &pack->channels[c], false, &deflation);
    for (int c = 0; fine && c < pack->contact_words; c++)
        fine = put_channel(pack, &pack->columns[c], true, &deflation);
    deflate_more(&deflation, "", 0, Z_FINISH);
    deflateEnd(&deflation.stream);
    lithe_bytes_release(&head);
    return fine && !deflation.failed && !out->failed
               ? LITHE_OK
               : lithe_fail_memory(error, "a packed recording");
}

LitheStatus lithe_view_pack(LitheViewReader *reader, int64_t every, LitheBytes *out,
                            LitheError *error) {
    Pack pack = {.context = reader->context, .reader = reader, .every = every};
    LitheStatus status = allocate_buffers(&pack, error);
    if (status == LITHE_OK)
        status = read_words(&pack, error);
    if (status == LITHE_OK) {
        find_ranges(&pack);
        find_row_ranges(&pack);
        status = deflate_all(&pack, out, error);
    }
    release(&pack);
    return status;
}
