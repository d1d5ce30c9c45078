// SPDX-License-Identifier: Apache-2.0
// geom/fit_portable.c - sums of fits, for every processor

#define FOUR_AVX2 0
#define FIT_TABLE lithe_fit_portable

#include "geom/fit_kernel.h"
