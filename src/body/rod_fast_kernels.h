// SPDX-License-Identifier: Apache-2.0
// body/rod_fast_kernels.h - the compiled forms of rod_fast_kernel.h

#ifndef LITHE_BODY_ROD_FAST_KERNELS_H
#define LITHE_BODY_ROD_FAST_KERNELS_H

#include "body/rod_fast.h"

LitheRodFastFn lithe_rod_fast_portable; // two lanes, any processor
#if defined(__x86_64__)
LitheRodFastFn lithe_rod_fast_avx2; // four lanes
#endif

#endif
