// SPDX-License-Identifier: Apache-2.0
// record/plot_ticks.c - round numbers along an axis

#include <math.h>

#include "record/plot.h"

static void add(LithePlotTicks *ticks, double at, bool minor) {
    if (ticks->count == LITHE_PLOT_TICKS)
        return;
    ticks->minor[ticks->count] = minor;
    ticks->at[ticks->count++] = at;
}

// 10^k, exact where a double can represent it; repeated multiplication would not be exact
static double ten_to(int32_t k) {
    return k < -320 ? 0 : pow(10, k);
}

static void linear_ticks(double low, double high, int32_t wanted, LithePlotTicks *ticks) {
    // half the range first: the whole range may overflow
    double rough = (0.5 * high - 0.5 * low) / wanted * 2;
    int32_t decade = (int32_t)floor(log10(rough));
    double f = rough / ten_to(decade);
    int32_t digit = f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10;
    if (digit == 10) {
        digit = 1;
        decade++;
    }
    ticks->step = digit * ten_to(decade);

    // labels of very large or very small numbers have a common power of ten
    double max = fmax(fabs(low), fabs(high));
    int32_t size = (int32_t)floor(log10(max));
    ticks->tens = size >= 5 || size <= -4 ? size : 0;
    // no common power of ten where labels would need more than three decimals
    if (ticks->tens > 0 && size - decade > 3)
        ticks->tens = size < 12 ? 0 : ticks->tens;
    int32_t decimals = ticks->tens - decade;
    ticks->decimals = decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;

    double slack = 1e-9 * ticks->step;
    for (double k = ceil((low - slack) / ticks->step); ticks->count < LITHE_PLOT_TICKS; k++) {
        double at = k * ticks->step;
        // with a step below the rounding error of `at` the loop would never end
        if (!(at <= high + slack) || (ticks->count > 0 && at <= ticks->at[ticks->count - 1]))
            break;
        add(ticks, at == 0 ? 0 : at, false);
    }
}

static void log_ticks(double low, double high, int32_t wanted, LithePlotTicks *ticks) {
    double a = log10(low), b = log10(high), slack = 1e-9;
    int32_t first = (int32_t)floor(a + slack), last = (int32_t)ceil(b - slack);
    // less than two whole decades inside: 1 2 5 with labels, or all digits
    int32_t whole = (int32_t)(floor(b + slack) - ceil(a - slack)) + 1;
    int32_t every = 1;
    while ((last - first) / every > wanted + 1)
        every++;
    for (int32_t k = first; k <= last; k++)
        for (int32_t digit = 1; digit <= 9; digit++) {
            double at = digit * ten_to(k), place = log10(digit) + k;
            if (place < a - slack || place > b + slack)
                continue;
            bool skipped = k % every != 0;
            bool major = digit == 1 ? !skipped : whole < 2 && (digit == 2 || digit == 5);
            if (whole < 1 && b - a < 0.5)
                major = true;
            if (major || last - first <= 6 || digit == 1)
                add(ticks, at, !major);
        }
}

void lithe_plot_ticks(double low, double high, bool log, int32_t wanted, LithePlotTicks *ticks) {
    *ticks = (LithePlotTicks){0};
    // within a small part of a decade, linear ticks are better
    if (log && log10(high) - log10(low) > 0.15)
        log_ticks(low, high, wanted, ticks);
    else
        linear_ticks(low, high, wanted, ticks);
}
