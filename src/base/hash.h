// SPDX-License-Identifier: Apache-2.0
// base/hash.h - 64-bit hash of bytes: state hash and journal checksums; not cryptographic

#ifndef LITHE_BASE_HASH_H
#define LITHE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// Continues a hash with more bytes; start with `seed` 0. The result depends on how the bytes are
/// divided among the calls: always use the same pieces.
uint64_t lithe_hash(uint64_t seed, const void *bytes, size_t count);

/// lithe_hash of two pieces as if they were one; the length of the first is a multiple of 8.
uint64_t lithe_hash_joined(const void *first, size_t first_count, const void *second, size_t count);

#endif
