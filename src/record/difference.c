// SPDX-License-Identifier: Apache-2.0
// record/difference.c - compares the columns of two recordings, value by value, at common moments

#include "record/difference.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// values that are read at once, of each recording
#define BLOCK_VALUES ((int64_t)1 << 19)

// frames are at one moment when they differ by less than this part of the interval
#define SAME_MOMENT 1e-3

typedef struct Pairs {
    int64_t *frames[2]; // [count] frames of each recording at the same moment
    int64_t count;
} Pairs;

// A part of a column: a pose is a position and an orientation.
typedef struct Part {
    const char *name; // NULL: the whole column
    int64_t first, count;
    const char *unit, *letters;
} Part;

static const Part poses[] = {{"position", 0, 3, "m", "xyz"}, {"orientation", 3, 4, "1", "wxyz"}};

// --- moments -------------------------------------------------------------------------------------

static double interval(const LitheRecording *recording) {
    double n = (double)recording->frame_count;
    return n > 1 ? (recording->times[recording->frame_count - 1] - recording->times[0]) / (n - 1)
                 : 0;
}

static LitheStatus find_pairs(LitheRecording *recordings[2], Pairs *pairs, LitheError *error) {
    const LitheRecording *a = recordings[0], *b = recordings[1];
    double least = fmin(a->frame_count > 1 ? interval(a) : INFINITY,
                        b->frame_count > 1 ? interval(b) : INFINITY);
    double near = isfinite(least) ? SAME_MOMENT * least : 0;
    int64_t most = a->frame_count < b->frame_count ? a->frame_count : b->frame_count;
    for (int k = 0; k < 2; k++)
        if (!(pairs->frames[k] = lithe_alloc_array(a->context, most + 1, sizeof *pairs->frames[k])))
            return lithe_fail_memory(error, "a comparison");
    for (int64_t i = 0, j = 0; i < a->frame_count && j < b->frame_count;) {
        double ahead = a->times[i] - b->times[j];
        if (fabs(ahead) <= near) {
            pairs->frames[0][pairs->count] = i++;
            pairs->frames[1][pairs->count++] = j++;
        } else if (ahead < 0)
            i++;
        else
            j++;
    }
    if (pairs->count == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%.1000s and %.1000s have no moment in common: record both with the same "
                          "'record: {every: ..}'",
                          a->path, b->path);
    return LITHE_OK;
}

// --- values --------------------------------------------------------------------------------------

typedef struct Sum {
    double squares;
    int64_t values, index; // place of the largest difference
} Sum;

static void add_value(double a, double b, double time, int64_t index, Sum *sum,
                      LitheDifference *out) {
    bool same = a == b || (isnan(a) && isnan(b));
    double d = same ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
    sum->squares += d * d;
    sum->values++;
    out->scale = fmax(out->scale, fmax(isfinite(a) ? fabs(a) : 0, isfinite(b) ? fabs(b) : 0));
    if (d > out->largest) {
        out->largest = d;
        out->time = time;
        sum->index = index;
    }
}

// an orientation and its negative are the same
static double sign_of(const double *a, const double *b, const Part *part) {
    double dot = 0;
    for (int64_t i = 0; part->count == 4 && part->name && i < 4; i++)
        dot += a[part->first + i] * b[part->first + i];
    return dot < 0 ? -1 : 1;
}

static void finish(const Sum *sum, LitheDifference *out) {
    out->rms = sum->values > 0 ? sqrt(sum->squares / (double)sum->values) : 0;
    out->relative = out->largest > 0 ? out->largest / out->scale : 0;
}

// "rope.position[12].z", as a plot of that value is named
static void name_place(const LitheColumn *column, const Part *part, int64_t index,
                       LitheDifference *out) {
    size_t size = sizeof out->place;
    bool vector = strcmp(column->axes, "time xyz") == 0;
    int64_t width = column->rank == 2 ? column->dims[1] : 1;
    static const char *const letters[] = {"x", "y", "z"}, *const pair[] = {"m1", "m2"};
    if (part->name)
        snprintf(out->place, size, "%s.%c", out->name, part->letters[index]);
    else if (vector)
        snprintf(out->place, size, "%s.%s", out->name, letters[index % 3]);
    else if (column->rank == 0)
        snprintf(out->place, size, "%s", out->name);
    else if (width == 2 || width == 3)
        snprintf(out->place, size, "%s[%lld].%s", out->name, (long long)(index / width),
                 width == 3 ? letters[index % 3] : pair[index % 2]);
    else
        snprintf(out->place, size, "%s[%lld]", out->name, (long long)(index / width));
}

// how many pairs, from `first`, are read at once
static int64_t block(const Pairs *pairs, int64_t first, int64_t width) {
    int64_t n = 1;
    while (first + n < pairs->count) {
        int64_t ra = pairs->frames[0][first + n] - pairs->frames[0][first] + 1;
        int64_t rb = pairs->frames[1][first + n] - pairs->frames[1][first] + 1;
        if ((ra > rb ? ra : rb) * width > BLOCK_VALUES)
            break;
        n++;
    }
    return n;
}

static LitheStatus measure(LitheRecording *recordings[2], const LitheColumn *columns[2],
                           const Pairs *pairs, const Part *part, LitheDifference *out,
                           LitheError *error) {
    LitheContext *context = recordings[0]->context;
    int64_t width = columns[0]->count;
    LitheStatus status = LITHE_OK;
    Sum sum = {0};
    for (int64_t p = 0, n; status == LITHE_OK && p < pairs->count; p += n) {
        double *values[2] = {NULL, NULL};
        n = block(pairs, p, width);
        for (int k = 0; status == LITHE_OK && k < 2; k++) {
            int64_t first = pairs->frames[k][p], rows = pairs->frames[k][p + n - 1] - first + 1;
            values[k] = lithe_alloc_array(context, rows * width, sizeof *values[k]);
            status = values[k] ? lithe_recording_read(recordings[k], columns[k], first, rows,
                                                      values[k], error)
                               : lithe_fail_memory(error, "a comparison");
        }
        for (int64_t q = p; status == LITHE_OK && q < p + n; q++) {
            const double *a = values[0] + (pairs->frames[0][q] - pairs->frames[0][p]) * width;
            const double *b = values[1] + (pairs->frames[1][q] - pairs->frames[1][p]) * width;
            double sign = sign_of(a, b, part), time = recordings[0]->times[pairs->frames[0][q]];
            for (int64_t i = part->first; i < part->first + part->count; i++)
                add_value(a[i], sign * b[i], time, i - part->first, &sum, out);
        }
        lithe_free(context, values[0]);
        lithe_free(context, values[1]);
    }
    finish(&sum, out);
    name_place(columns[0], part, sum.index, out);
    return status;
}

// --- quantities ----------------------------------------------------------------------------------

static bool is_compared(const LitheColumn *column) {
    return column->offset >= 0 && column->kind != LITHE_COLUMN_TEXT &&
           strcmp(column->path, "time") != 0 && strcmp(column->path, "contacts/first") != 0;
}

static bool is_pose(const LitheColumn *column) {
    return strncmp(column->path, "bodies/", 7) == 0 && column->rank == 1 && column->count == 7;
}

// whether a word selects a quantity: its name, or that of its thing
static bool selects(const char *word, const char *name) {
    size_t n = strlen(word);
    return strncmp(word, name, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

static bool is_selected(const char *name, const char *const *names, int32_t count, bool *used) {
    bool selected = false;
    for (int32_t i = 0; i < count; i++)
        if (selects(names[i], name))
            used[i] = selected = true;
    return count == 0 ? strncmp(name, "report.", 7) != 0 : selected;
}

static LitheDifference *add(LitheDifferences *out, const char *name, const char *unit) {
    if (!LITHE_RESERVE(out->context, out->all, out->capacity, (int64_t)out->count + 1))
        return NULL;
    LitheDifference *one = &out->all[out->count++];
    *one = (LitheDifference){0};
    snprintf(one->name, sizeof one->name, "%s", name);
    snprintf(one->unit, sizeof one->unit, "%s", unit);
    return one;
}

// Compares a column of recording `k` with that of the other one.
static LitheStatus take_column(LitheRecording *recordings[2], int k, const LitheColumn *column,
                               const Pairs *pairs, const char *const *names, int32_t name_count,
                               bool *used, LitheDifferences *out, LitheError *error) {
    const LitheColumn *other = lithe_layout_find(&recordings[1 - k]->layout, column->path);
    other = other && is_compared(other) ? other : NULL;
    if (k == 1 && other) // done already
        return LITHE_OK;
    const LitheColumn *both[2] = {column, other};
    Part whole = {.count = column->count};
    bool pose = is_pose(column);
    LitheStatus status = LITHE_OK;
    for (int i = 0; status == LITHE_OK && i < (pose ? 2 : 1); i++) {
        const Part *part = pose ? &poses[i] : &whole;
        char name[200];
        lithe_series_name(column->path, name, sizeof name);
        char *dot = strrchr(name, '.');
        if (part->name && dot)
            snprintf(dot + 1, sizeof name - (size_t)(dot + 1 - name), "%s", part->name);
        if (!is_selected(name, names, name_count, used))
            continue;
        LitheDifference *one = add(out, name, part->unit ? part->unit : column->unit);
        if (!one)
            return lithe_fail_memory(error, "a comparison");
        one->sizes[k] = column->count;
        one->sizes[1 - k] = other ? other->count : 0;
        one->gap = !other                          ? k ? LITHE_ONLY_IN_SECOND : LITHE_ONLY_IN_FIRST
                   : other->count != column->count ? LITHE_OTHER_SIZE
                                                   : LITHE_COMPARED;
        if (one->gap == LITHE_COMPARED)
            status = measure(recordings, both, pairs, part, one, error);
    }
    return status;
}

// A name that no column has may be one of a place or component: "rope.end.position.x".
static LitheStatus take_series(LitheRecording *recordings[2], const char *name, const Pairs *pairs,
                               LitheDifferences *out, LitheError *error) {
    LitheSeriesSet sets[2] = {{0}};
    LitheStatus status = lithe_recording_series(recordings[0], name, &sets[0], error);
    if (status == LITHE_OK)
        status = lithe_recording_series(recordings[1], name, &sets[1], error);
    for (int32_t s = 0; status == LITHE_OK && s < sets[0].count && s < sets[1].count; s++) {
        LitheDifference *one = add(out, sets[0].series[s].name, sets[0].unit);
        if (!one) {
            status = lithe_fail_memory(error, "a comparison");
            break;
        }
        Sum sum = {0};
        for (int64_t p = 0; p < pairs->count; p++)
            add_value(sets[0].series[s].values[pairs->frames[0][p]],
                      sets[1].series[s].values[pairs->frames[1][p]],
                      recordings[0]->times[pairs->frames[0][p]], 0, &sum, one);
        finish(&sum, one);
        snprintf(one->place, sizeof one->place, "%s", one->name);
    }
    lithe_series_release(&sets[0]);
    lithe_series_release(&sets[1]);
    return status;
}

LitheStatus lithe_recording_differences(LitheRecording *recordings[2], const char *const *names,
                                        int32_t name_count, LitheDifferences *out,
                                        LitheError *error) {
    LitheContext *context = recordings[0]->context;
    Pairs pairs = {0};
    *out = (LitheDifferences){.context = context};
    bool *used = lithe_alloc_array(context, (int64_t)name_count + 1, sizeof *used);
    LitheStatus status =
        used ? find_pairs(recordings, &pairs, error) : lithe_fail_memory(error, "a comparison");
    for (int k = 0; status == LITHE_OK && k < 2; k++) {
        const LitheLayout *layout = &recordings[k]->layout;
        for (int32_t i = 0; status == LITHE_OK && i < layout->column_count; i++)
            if (is_compared(&layout->columns[i]))
                status = take_column(recordings, k, &layout->columns[i], &pairs, names, name_count,
                                     used, out, error);
    }
    for (int32_t i = 0; status == LITHE_OK && i < name_count; i++)
        if (!used[i])
            status = take_series(recordings, names[i], &pairs, out, error);
    if (status == LITHE_OK) {
        out->moments = pairs.count;
        out->last = recordings[0]->times[pairs.frames[0][pairs.count - 1]];
    }
    lithe_free(context, pairs.frames[0]);
    lithe_free(context, pairs.frames[1]);
    lithe_free(context, used);
    return status;
}

void lithe_differences_release(LitheDifferences *differences) {
    lithe_free(differences->context, differences->all);
    *differences = (LitheDifferences){0};
}
