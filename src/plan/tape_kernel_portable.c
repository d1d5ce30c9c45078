// SPDX-License-Identifier: Apache-2.0
// plan/tape_kernel_portable.c - the sweeps over a tape, on pairs of points

#define TAPE_WIDTH 2
#define TAPE_TARGET
#define TAPE_TABLE lithe_tape_kernels_portable

#include "plan/tape_kernel.h"
