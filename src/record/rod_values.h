// SPDX-License-Identifier: Apache-2.0
// record/rod_values.h - a quantity on the nodes of a rod, recorded on nodes or edges

#ifndef LITHE_RECORD_ROD_VALUES_H
#define LITHE_RECORD_ROD_VALUES_H

#include "record/recording.h"

/// Components per node: 1 to 3; 0 when the rod has no such quantity per frame on nodes or edges.
int32_t lithe_rod_values_width(const LitheRecording *recording, int32_t rod, const char *name);

/// out [node_count][width]; values on edges become the mean of the edges that meet at a node.
/// NaN where the quantity has another width.
LitheStatus lithe_rod_values_read(LitheRecording *recording, int32_t rod, const char *name,
                                  int32_t width, int64_t frame, double *out, LitheError *error);

#endif
