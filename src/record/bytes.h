// SPDX-License-Identifier: Apache-2.0
// record/bytes.h - writes numbers and texts to an array of bytes, and reads them from untrusted
// bytes

#ifndef LITHE_RECORD_BYTES_H
#define LITHE_RECORD_BYTES_H

#include "lithe/base.h"

/// Grows as needed. `failed` is set when out of memory: check it at the end, not after each put.
typedef struct LitheBytes {
    LitheContext *context;
    unsigned char *at;
    int64_t count;
    int32_t capacity;
    bool failed;
} LitheBytes;

void lithe_bytes_release(LitheBytes *bytes);
void lithe_bytes_put(LitheBytes *bytes, const void *data, int64_t count);
void lithe_bytes_put_number(LitheBytes *bytes, uint64_t number);
void lithe_bytes_put_real(LitheBytes *bytes, double number);
void lithe_bytes_put_text(LitheBytes *bytes, const char *text); // NULL becomes ""

/// Reads from the front. `failed` is set when more was requested than there is; results are then
/// zero.
typedef struct LitheByteReader {
    const unsigned char *at;
    int64_t left;
    bool failed;
    bool no_memory; // a text could not be allocated
} LitheByteReader;

bool lithe_bytes_take(LitheByteReader *reader, void *out, int64_t count);
uint64_t lithe_bytes_take_number(LitheByteReader *reader);
double lithe_bytes_take_real(LitheByteReader *reader);

/// A copy, which the caller frees; NULL with `failed` or `no_memory`.
char *lithe_bytes_take_text(LitheByteReader *reader, LitheContext *context);

#endif
