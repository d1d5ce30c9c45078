// SPDX-License-Identifier: Apache-2.0
// law/imc_fast_portable.c - many pairs of edges on vectors of two, for any processor

#define LANES 2
#define FAST_TARGET
#define FAST_FN __attribute__((always_inline)) static inline
#define FAST_KERNEL lithe_imc_kernel_portable
#define FAST_TEXT "portable"

typedef double Lanes __attribute__((vector_size(16)));

#include "law/imc_fast_kernel.h"
