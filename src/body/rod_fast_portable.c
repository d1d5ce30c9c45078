// SPDX-License-Identifier: Apache-2.0
// body/rod_fast_portable.c - the fast rod kernel on vectors of two, for any processor

#define LANES 2
#define FAST_FN __attribute__((always_inline)) static inline
#define FAST_TARGET
#define FAST_NAME lithe_rod_fast_portable

typedef double Lanes __attribute__((vector_size(16)));

#include "body/rod_fast_kernel.h"
