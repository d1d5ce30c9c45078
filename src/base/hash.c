// SPDX-License-Identifier: Apache-2.0
// base/hash.c - 64-bit hash by multiplication and folding

#include "base/hash.h"

#include <string.h>

// odd constants with well-spread bits (fractions of sqrt 2, sqrt 3 and sqrt 5)
#define KEY_A 0x6a09e667f3bcc909u
#define KEY_B 0xbb67ae8584caa73bu
#define KEY_C 0x3c6ef372fe94f82bu

static uint64_t fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// continues with bytes, of which only the last piece may have a length that is no multiple of 8
static uint64_t add(uint64_t h, const unsigned char *at, size_t count) {
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = fold(h ^ word ^ KEY_A, h + KEY_B);
        at += 8;
        count -= 8;
    }
    if (count > 0) {
        uint64_t word = 0;
        memcpy(&word, at, count);
        h = fold(h ^ word ^ KEY_A, h + KEY_B);
    }
    return h;
}

uint64_t lithe_hash(uint64_t seed, const void *bytes, size_t count) {
    return fold(add(fold(seed ^ KEY_A, (uint64_t)count ^ KEY_C), bytes, count) ^ KEY_C, KEY_B);
}

uint64_t lithe_hash_pieces(uint64_t seed, const LithePiece *pieces, int32_t count) {
    size_t total = 0;
    for (int32_t i = 0; i < count; i++)
        total += pieces[i].count;
    uint64_t h = fold(seed ^ KEY_A, (uint64_t)total ^ KEY_C);
    for (int32_t i = 0; i < count; i++)
        h = add(h, pieces[i].data, pieces[i].count);
    return fold(h ^ KEY_C, KEY_B);
}
