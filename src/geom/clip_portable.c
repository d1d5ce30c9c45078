// SPDX-License-Identifier: Apache-2.0
// geom/clip_portable.c - polygons of a contact patch, for every processor

#define FOUR_AVX2 0
#define CLIP_NAME(name) lithe_clip_portable_##name

#include "geom/clip_kernel.h"
