// SPDX-License-Identifier: Apache-2.0
// record/bytes.c - native byte order; files that use this have a byte-order mark

#include "record/bytes.h"

#include "base/memory.h"

#include <string.h>

void lithe_bytes_release(LitheBytes *bytes) {
    lithe_free(bytes->context, bytes->at);
    *bytes = (LitheBytes){.context = bytes->context};
}

void lithe_bytes_put(LitheBytes *bytes, const void *data, int64_t count) {
    if (bytes->failed || count == 0)
        return;
    if (!LITHE_RESERVE(bytes->context, bytes->at, bytes->capacity, bytes->count + count)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->at + bytes->count, data, (size_t)count);
    bytes->count += count;
}

void lithe_bytes_put_number(LitheBytes *bytes, uint64_t number) {
    lithe_bytes_put(bytes, &number, sizeof number);
}

void lithe_bytes_put_real(LitheBytes *bytes, double number) {
    lithe_bytes_put(bytes, &number, sizeof number);
}

void lithe_bytes_put_text(LitheBytes *bytes, const char *text) {
    size_t length = text ? strlen(text) : 0;
    lithe_bytes_put_number(bytes, length);
    lithe_bytes_put(bytes, text, (int64_t)length);
}

bool lithe_bytes_take(LitheByteReader *reader, void *out, int64_t count) {
    if (reader->failed || count < 0 || count > reader->left) {
        reader->failed = true;
        return false;
    }
    if (count > 0)
        memcpy(out, reader->at, (size_t)count);
    reader->at += count;
    reader->left -= count;
    return true;
}

uint64_t lithe_bytes_take_number(LitheByteReader *reader) {
    uint64_t number = 0;
    lithe_bytes_take(reader, &number, sizeof number);
    return number;
}

double lithe_bytes_take_real(LitheByteReader *reader) {
    double number = 0;
    lithe_bytes_take(reader, &number, sizeof number);
    return number;
}

char *lithe_bytes_take_text(LitheByteReader *reader, LitheContext *context) {
    uint64_t length = lithe_bytes_take_number(reader);
    if (reader->failed || length > (uint64_t)reader->left) {
        reader->failed = true;
        return NULL;
    }
    char *text = lithe_alloc(context, (size_t)length + 1);
    if (text) {
        lithe_bytes_take(reader, text, (int64_t)length);
    } else {
        reader->no_memory = true;
        reader->at += length;
        reader->left -= (int64_t)length;
    }
    return text;
}
