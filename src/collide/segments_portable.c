// SPDX-License-Identifier: Apache-2.0
// collide/segments_portable.c - closest points of pairs of edges, for every processor

#define SEGMENTS_TARGET
#define SEGMENTS_NAME lithe_segments_portable
#define WIDE 2

#include "collide/segments_kernel.h"
