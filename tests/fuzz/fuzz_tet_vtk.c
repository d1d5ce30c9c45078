// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_tet_vtk.c - any bytes as a .vtk file of tetrahedra

#include "fuzz_tet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_tet((const char *)data, size, NULL, 0, "fuzz.vtk");
}
