// SPDX-License-Identifier: Apache-2.0
// body/rod_sums_portable.c - sums over the DoFs of a rod, for any processor

#define SUMS_TARGET
#define SUMS_TABLE lithe_rod_sums_portable

#include "body/rod_sums_kernel.h"
