// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_tet_tetgen.c - any bytes as the two files of TetGen: nodes, a zero byte, elements

#include "fuzz_tet.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t nodes = zero ? (size_t)(zero - data) : size;
    size_t skip = zero ? nodes + 1 : size;
    return fuzz_tet((const char *)data + skip, size - skip, (const char *)data, nodes, "fuzz.ele");
}
