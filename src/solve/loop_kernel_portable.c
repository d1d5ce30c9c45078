// SPDX-License-Identifier: Apache-2.0
// solve/loop_kernel_portable.c - inner loops of the convex solve for any processor

#define LOOP_TARGET
#define LOOP_MORE(sum, a, b) ((sum) + (a) * (b))
#define LOOP_FMA(sum, a, b) ((sum) + (a) * (b))
#define LOOP_KERNEL lithe_loop_kernel_portable

#define PLAIN_TARGET
#include "solve/plain_kernel.h"

#include "solve/loop_kernel.h"
