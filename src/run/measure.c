// SPDX-License-Identifier: Apache-2.0
// run/measure.c - one number out of a recording: a quantity, reduced over time

#include "base/status.h"
#include "record/series.h"
#include "record/totals.h"
#include "run/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double slack(const LitheRecording *recording) {
    int64_t n = recording->frame_count;
    return n > 0 ? LITHE_MEASURE_SLACK * fmax(1e-9, fabs(recording->times[n - 1])) : 0;
}

// Reduces the frames first .. last.
static double reduce(const double *values, int64_t first, int64_t last, LitheTake take) {
    double result = take == LITHE_TAKE_LAST ? values[last] : values[first];
    for (int64_t i = first + 1; i <= last; i++) {
        if (take == LITHE_TAKE_MEAN)
            result += values[i];
        else if (take == LITHE_TAKE_MIN ? values[i] < result
                                        : take == LITHE_TAKE_MAX && values[i] > result)
            result = values[i];
    }
    return take == LITHE_TAKE_MEAN ? result / (double)(last - first + 1) : result;
}

static double largest(const double *values, int64_t first, int64_t last) {
    double scale = 0;
    for (int64_t i = first; i <= last; i++)
        scale = fmax(scale, fabs(values[i]));
    return scale;
}

static LitheStatus value_at(const LitheRecording *recording, const LitheMeasure *measure,
                            const LitheSeriesSet *set, LitheMeasured *found, LitheError *error) {
    const double *t = recording->times, *values = set->series[0].values;
    int64_t n = recording->frame_count, i = 0;
    double near = slack(recording);
    if (n == 0 || measure->at < t[0] - near || measure->at > t[n - 1] + near)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "measure.%.100s: at is %g s, the recording has %g s to %g s",
                          measure->name, measure->at, n ? t[0] : 0, n ? t[n - 1] : 0);
    while (i < n - 1 && t[i + 1] <= measure->at + near)
        i++;
    bool on_frame = i == n - 1 || fabs(measure->at - t[i]) <= near;
    double share = on_frame ? 0 : (measure->at - t[i]) / (t[i + 1] - t[i]);
    // a count is that of the frame at the time or before it
    bool kept = on_frame || set->whole;
    found->value = kept ? values[i] : values[i] + share * (values[i + 1] - values[i]);
    found->scale = largest(values, i, kept ? i : i + 1);
    return LITHE_OK;
}

static LitheStatus value_over(const LitheRecording *recording, const LitheMeasure *measure,
                              const double *values, LitheMeasured *found, LitheError *error) {
    const double *t = recording->times;
    int64_t first = 0, last = recording->frame_count - 1;
    double near = slack(recording);
    while (first <= last && t[first] < measure->from - near)
        first++;
    while (last >= first && t[last] > measure->to + near)
        last--;
    if (first > last) {
        char to[40] = "";
        if (isfinite(measure->to))
            snprintf(to, sizeof to, " to %g s", measure->to);
        int64_t n = recording->frame_count;
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "measure.%.100s: no frame from %g s%s, the recording has %g s to %g s",
                          measure->name, fmax(measure->from, 0), to, n ? t[0] : 0,
                          n ? t[n - 1] : 0);
    }
    *found =
        (LitheMeasured){reduce(values, first, last, measure->take), largest(values, first, last)};
    return LITHE_OK;
}

LitheStatus lithe_measure(LitheRecording *recording, const LitheMeasure *measure,
                          LitheMeasured *found, LitheError *error) {
    if (strncmp(measure->of, LITHE_OF_TOTAL, strlen(LITHE_OF_TOTAL)) == 0) {
        const LitheTotal *total = lithe_total_find(measure->of + strlen(LITHE_OF_TOTAL));
        double value = total ? lithe_total_get(total, &recording->end.totals) : NAN;
        *found = (LitheMeasured){value, fabs(value)};
        return LITHE_OK;
    }
    if (lithe_goals_is_measure(measure))
        return lithe_goals_value(recording, measure, found, error);
    LitheSeriesSet set = {0};
    LitheStatus status = lithe_recording_series(recording, measure->of, &set, error);
    if (status != LITHE_OK)
        return status;
    LitheMeasured one = {NAN, NAN};
    if (set.count != 1)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "measure.%.100s: '%.80s' selects %d series, must select one",
                            measure->name, measure->of, set.count);
    else if (measure->take == LITHE_TAKE_AT)
        status = value_at(recording, measure, &set, &one, error);
    else
        status = value_over(recording, measure, set.series[0].values, &one, error);
    lithe_series_release(&set);
    if (status == LITHE_OK && !isfinite(one.value))
        status = lithe_fail(error, LITHE_CANNOT_GO_ON, "measure.%.100s: '%.80s' is not finite",
                            measure->name, measure->of);
    if (status == LITHE_OK)
        *found = one;
    return status;
}
