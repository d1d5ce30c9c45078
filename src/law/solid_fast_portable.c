// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_portable.c - many tetrahedra on vectors of two, for any processor

#define LANES 2
#define FAST_TARGET
#define FAST_FN __attribute__((always_inline)) static inline
#define FAST_NAME lithe_tets_portable
#define FAST_ROTATIONS lithe_tets_rotations_portable

typedef double Lanes __attribute__((vector_size(16)));

#include "law/solid_fast_kernel.h"
