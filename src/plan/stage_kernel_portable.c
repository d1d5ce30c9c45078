// SPDX-License-Identifier: Apache-2.0
// plan/stage_kernel_portable.c - factors of the blocks of stages, on pairs of numbers

#define STAGE_WIDTH 2
#define STAGE_TARGET
#define STAGE_TABLE lithe_stage_kernels_portable
#define REDUCED_TABLE lithe_reduced_kernels_portable

#include "plan/reduced_kernel.h"
#include "plan/stage_kernel.h"
