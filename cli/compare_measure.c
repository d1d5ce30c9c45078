// SPDX-License-Identifier: Apache-2.0
// cli/compare_measure.c - results from the recordings of a comparison: forces, gaps, energies

#include "cli/compare.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"
#include "record/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// max difference in time of matching frames of two recordings [s]
#define SAME_TIME 1e-9

// --- one recording -------------------------------------------------------------------------------

// moving mean over the frames within half of `span` on either side
static void smooth(const double *time, const double *value, int32_t count, double span,
                   double *out) {
    int32_t first = 0, end = 0;
    double half = 0.5 * span * (1 + 1e-9);
    for (int32_t i = 0; i < count; i++) {
        while (end < count && time[end] <= time[i] + half)
            end++;
        while (time[first] < time[i] - half)
            first++;
        // a new sum each time, so that rounding errors do not accumulate
        double sum = 0;
        for (int32_t k = first; k < end; k++)
            sum += value[k];
        out[i] = sum / (end - first);
    }
}

static LitheStatus read_force(const LitheComparison *all, LitheRecording *recording,
                              LitheCompared *c, LitheError *error) {
    LitheSeriesSet set = {0};
    LitheStatus status = lithe_recording_series(recording, all->quantity, &set, error);
    if (status != LITHE_OK)
        return status;
    memcpy(c->time, recording->times, (size_t)c->frames * sizeof(double));
    smooth(c->time, set.series[0].values, c->frames, all->smooth, c->force);
    lithe_series_release(&set);
    double sum = 0;
    for (int32_t i = 0; i < c->frames; i++) {
        if (i == 0 || fabs(c->force[i]) > fabs(c->force_largest))
            c->force_largest = c->force[i];
        // trapezoidal rule: frames need not be equidistant
        if (i > 0)
            sum += 0.5 * (c->force[i] + c->force[i - 1]) * (c->time[i] - c->time[i - 1]);
    }
    double span = c->time[c->frames - 1] - c->time[0];
    c->force_mean = span > 0 ? sum / span : c->force[0];
    c->force_end = c->force[c->frames - 1];
    return LITHE_OK;
}

// smallest gap of the active contacts of each frame
static LitheStatus read_gaps(LitheRecording *recording, LitheCompared *c, LitheError *error) {
    const LitheColumn *column = NULL;
    for (int32_t i = 0; i < recording->layout.contact_column_count; i++)
        if (strcmp(recording->layout.contact_columns[i].path, "contacts/gap") == 0)
            column = &recording->layout.contact_columns[i];
    double sum = 0, *gaps = NULL;
    int32_t having = 0;
    int64_t capacity = 0;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < c->frames; i++) {
        int64_t first = 0, count = 0;
        c->gap[i] = NAN;
        if (column)
            status = lithe_recording_contacts(recording, i, &first, &count, error);
        if (status == LITHE_OK && count > capacity) {
            lithe_free(recording->context, gaps);
            gaps = lithe_alloc_array(recording->context, capacity = 2 * count, sizeof *gaps);
            status = gaps ? LITHE_OK : lithe_fail_memory(error, "gaps");
        }
        if (status == LITHE_OK && count > 0)
            status = lithe_recording_read_rows(recording, column, first, count, gaps, error);
        for (int64_t k = 0; status == LITHE_OK && k < count; k++)
            c->gap[i] = k == 0 ? gaps[k] : fmin(c->gap[i], gaps[k]);
        having += count > 0;
        sum += count > 0 ? c->gap[i] : 0;
    }
    lithe_free(recording->context, gaps);
    c->gap_mean = having > 0 ? sum / having : NAN;
    return status;
}

// energies at the last frame
static LitheStatus read_energies(LitheRecording *recording, LitheCompared *c, LitheError *error) {
    const struct {
        const char *name;
        double *to;
    } wanted[] = {{"energy.kinetic", &c->kinetic},   {"energy.elastic", &c->elastic},
                  {"energy.work", &c->work},         {"energy.dissipated", &c->dissipated},
                  {"energy.friction", &c->friction}, {"energy.contact", &c->contact}};
    LitheStatus status = LITHE_OK;
    for (size_t i = 0; status == LITHE_OK && i < sizeof wanted / sizeof *wanted; i++) {
        LitheSeriesSet set = {0};
        status = lithe_recording_series(recording, wanted[i].name, &set, error);
        if (status != LITHE_OK)
            break;
        *wanted[i].to = set.series[0].values[c->frames - 1];
        lithe_series_release(&set);
    }
    return status;
}

static LitheStatus read_recording(LitheComparison *all, LitheRecording *recording, LitheCompared *c,
                                  LitheError *error) {
    c->frames = (int32_t)recording->frame_count;
    c->time = lithe_alloc_array(all->context, 3 * (int64_t)c->frames, sizeof(double));
    if (!c->time)
        return lithe_fail_memory(error, "the curves of a comparison");
    c->force = c->time + c->frames;
    c->gap = c->force + c->frames;
    LitheStatus status = read_force(all, recording, c, error);
    if (status == LITHE_OK)
        status = read_gaps(recording, c, error);
    if (status == LITHE_OK)
        status = read_energies(recording, c, error);
    return status;
}

// --- two models ----------------------------------------------------------------------------------

// the force at a time, linear between frames; *at is where the last search ended
static double force_at(const LitheCompared *c, double time, int32_t *at) {
    while (*at + 1 < c->frames && c->time[*at + 1] < time)
        ++*at;
    if (*at + 1 >= c->frames)
        return c->force[c->frames - 1];
    double span = c->time[*at + 1] - c->time[*at];
    double fraction = span > 0 ? (time - c->time[*at]) / span : 0;
    return (1 - fraction) * c->force[*at] + fraction * c->force[*at + 1];
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// at the frames of the first model, up to the end of the other
static LitheStatus compare_forces(LitheContext *context, const LitheCompared *first,
                                  LitheCompared *c, LitheError *error) {
    double *parts = lithe_alloc_array(context, first->frames, sizeof *parts);
    if (!parts)
        return lithe_fail_memory(error, "a comparison");
    double off = 0, size = 0, max = 0, largest = 0, end = c->time[c->frames - 1];
    int32_t at = 0, count = 0;
    for (int32_t i = 0; i < first->frames && first->time[i] <= end + SAME_TIME; i++) {
        double a = first->force[i], d = force_at(c, first->time[i], &at) - a;
        off += d * d;
        size += a * a;
        max = fmax(max, fabs(d));
        largest = fmax(largest, fabs(a));
        if (a != 0)
            parts[count++] = fabs(d / a);
    }
    qsort(parts, (size_t)count, sizeof *parts, by_size);
    c->rms = size > 0 ? sqrt(off / size) : NAN;
    c->largest = largest > 0 ? max / largest : NAN;
    c->median = count > 0 ? parts[count / 2] : NAN;
    lithe_free(context, parts);
    return LITHE_OK;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

// numbers from one position in space to the next one, of nodes, particles or a body; 0: the column
// has none
static int64_t stride_of(const LitheColumn *column) {
    if (column->offset >= 0 && ends_with(column->path, "/position") &&
        ends_with(column->axes, "xyz") && column->count % 3 == 0)
        return 3;
    return column->offset >= 0 && ends_with(column->path, "/pose") && column->count == 7 ? 7 : 0;
}

// max distance of a node, body or particle between two recordings, last frame of both
static LitheStatus compare_places(LitheRecording *a, LitheRecording *b, double *away,
                                  LitheError *error) {
    int64_t i = a->frame_count - 1, k = b->frame_count - 1;
    LitheStatus status = LITHE_OK;
    *away = NAN;
    if (fabs(a->times[i] - b->times[k]) > SAME_TIME)
        return LITHE_OK;
    double max = NAN;
    for (int32_t r = 0; status == LITHE_OK && r < a->layout.column_count; r++) {
        const LitheColumn *ca = &a->layout.columns[r];
        int64_t stride = stride_of(ca);
        if (stride == 0)
            continue;
        const LitheColumn *cb = lithe_layout_find(&b->layout, ca->path);
        if (!cb || ca->count != cb->count)
            return LITHE_OK;
        double *x = lithe_alloc_array(a->context, 2 * ca->count, sizeof *x), *y = x + ca->count;
        if (!x)
            return lithe_fail_memory(error, "the positions of a thing");
        status = lithe_recording_read(a, ca, i, 1, x, error);
        if (status == LITHE_OK)
            status = lithe_recording_read(b, cb, k, 1, y, error);
        for (int64_t n = 0; status == LITHE_OK && n + 2 < ca->count; n += stride)
            max = fmax(max, v3_distance(v3_load(x + n), v3_load(y + n)));
        lithe_free(a->context, x);
    }
    *away = max;
    return status;
}

// --- all -----------------------------------------------------------------------------------------

const LitheCompared *lithe_compare_first(const LitheComparison *all) {
    for (int32_t i = 0; i < all->count; i++)
        if (all->of[i].supported)
            return &all->of[i];
    return NULL;
}

void lithe_compare_file(const LitheComparison *all, const char *name, char path[4096]) {
    snprintf(path, 4096, "%s/%s", all->folder, name);
}

static LitheStatus open_recording(const LitheComparison *all, const char *model,
                                  LitheRecording **recording, LitheError *error) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "%s.h5", model);
    lithe_compare_file(all, name, path);
    return lithe_recording_open(all->context, path, recording, error);
}

LitheStatus lithe_compare_measure(LitheComparison *all, LitheError *error) {
    const LitheCompared *first = lithe_compare_first(all);
    LitheRecording *reference = NULL;
    LitheStatus status = open_recording(all, first->model, &reference, error);
    for (int32_t i = 0; status == LITHE_OK && i < all->count; i++) {
        LitheCompared *c = &all->of[i];
        LitheRecording *recording = NULL;
        if (!c->supported)
            continue;
        status = open_recording(all, c->model, &recording, error);
        if (status == LITHE_OK)
            status = read_recording(all, recording, c, error);
        if (status == LITHE_OK)
            status = compare_forces(all->context, first, c, error);
        if (status == LITHE_OK)
            status = compare_places(reference, recording, &c->away, error);
        lithe_recording_close(recording);
    }
    lithe_recording_close(reference);
    return status;
}

void lithe_compare_release(LitheComparison *all) {
    for (int32_t i = 0; i < all->count; i++)
        lithe_free(all->context, all->of[i].time);
}
