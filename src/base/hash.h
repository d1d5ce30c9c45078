// SPDX-License-Identifier: Apache-2.0
// base/hash.h - 64-bit hash of bytes: state hash and journal checksums; not cryptographic

#ifndef LITHE_BASE_HASH_H
#define LITHE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// Continues a hash with more bytes; start with `seed` 0. The result depends on how the bytes are
/// divided among the calls: always use the same pieces.
uint64_t lithe_hash(uint64_t seed, const void *bytes, size_t count);

/// Some bytes.
typedef struct LithePiece {
    const void *data;
    size_t count;
} LithePiece;

/// lithe_hash of pieces as if they were one; all lengths except the last are multiples of 8.
uint64_t lithe_hash_pieces(uint64_t seed, const LithePiece *pieces, int32_t count);

#endif
