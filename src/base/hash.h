// SPDX-License-Identifier: Apache-2.0
// base/hash.h - 64-bit hash of bytes: state hash and journal checksums; not for secrets

#ifndef LITHE_BASE_HASH_H
#define LITHE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// Continue a hash with more bytes; start with `seed` 0. Chaining differs from hashing the joined
/// bytes: always feed the same pieces.
uint64_t lithe_hash(uint64_t seed, const void *bytes, size_t count);

#endif
