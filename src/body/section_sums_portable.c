// SPDX-License-Identifier: Apache-2.0
// body/section_sums_portable.c - sums over the mass of a section, for any processor

#define SUMS_TARGET
#define SUMS_TABLE lithe_section_sums_portable

#include "body/section_sums_kernel.h"
