// SPDX-License-Identifier: Apache-2.0
// record/rod_values.c - averages values on edges to nodes

#include "record/rod_values.h"

#include <math.h>
#include <string.h>

int32_t lithe_rod_values_width(const LitheRecording *recording, int32_t rod, const char *name) {
    const LitheColumn *column = lithe_recording_tube_column(recording, rod, name);
    // values of the whole rod, such as the force of its contacts, are not values along it
    if (!column || column->offset < 0 || column->rank < 1 || strcmp(column->axes, "time xyz") == 0)
        return 0;
    int64_t width = column->rank == 2 ? column->dims[1] : 1;
    bool fits = column->dims[0] == recording->tubes[rod].node_count ||
                column->dims[0] == recording->tubes[rod].edge_count;
    return fits && width <= 3 ? (int32_t)width : 0;
}

// Replaces the values of the edges, `width` each, by those of the nodes. It works in place from the
// last node to the first, because node i reads edges i - 1 and i only.
static void edges_to_nodes(const LitheRecordingTube *rod, int32_t width, double *values) {
    int32_t edges = rod->edge_count;
    double last[3];
    memcpy(last, values + (edges - 1) * width, (size_t)width * sizeof(double));
    for (int32_t i = rod->node_count - 1; i >= 0; i--)
        for (int32_t c = 0; c < width; c++) {
            double first = values[c];
            double before = i > 0 ? values[(i - 1) * width + c] : rod->closed ? last[c] : first;
            double after = i < edges ? values[i * width + c] : last[c];
            values[i * width + c] = 0.5 * (before + after);
        }
}

LitheStatus lithe_rod_values_read(LitheRecording *recording, int32_t rod, const char *name,
                                  int32_t width, int64_t frame, double *out, LitheError *error) {
    const LitheRecordingTube *what = &recording->tubes[rod];
    if (lithe_rod_values_width(recording, rod, name) != width) {
        for (int64_t i = 0; i < (int64_t)what->node_count * width; i++)
            out[i] = NAN;
        return LITHE_OK;
    }
    const LitheColumn *column = lithe_recording_tube_column(recording, rod, name);
    LitheStatus status = lithe_recording_read(recording, column, frame, 1, out, error);
    bool on_edges = strstr(column->axes, "edge") != NULL;
    if (status == LITHE_OK && (on_edges || column->dims[0] != what->node_count))
        edges_to_nodes(what, width, out);
    return status;
}
