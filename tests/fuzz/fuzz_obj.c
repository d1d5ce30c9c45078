// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_obj.c - any bytes as an OBJ file: a message, or triangles of finite points

#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_mesh(data, size, "fuzz.obj");
}
