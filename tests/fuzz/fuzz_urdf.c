// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_urdf.c - any bytes as URDF: a message and the scene as it was, or a whole robot

#include "fuzz_robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_robot(LITHE_ROBOT_URDF, data, size);
}
