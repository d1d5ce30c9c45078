// SPDX-License-Identifier: Apache-2.0
// tests/record/test_plot.c - ticks at round numbers, points at the right places, robustness

#include "record/plot.h"

#include <errno.h>
#include <float.h>
#include <unistd.h>

#include "base/memory.h"
#include "test.h"

static char text[1 << 22];

// Writes the chart and reads it back into `text`.
static bool draw(const LithePlot *plot) {
    char path[] = "/tmp/lithe-plot-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    close(fd);
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    bool ok = lithe_plot_write_svg(context, plot, path, &error) == LITHE_OK;
    if (!ok)
        printf("  %s\n", error.text);
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = 0;
    if (file)
        fclose(file);
    unlink(path);
    ok = ok && lithe_context_bytes(context) == 0;
    lithe_context_destroy(context);
    return ok;
}

// Tags nest and close; no number is missing.
static bool sound(void) {
    int depth = 0;
    for (const char *p = strstr(text, "?>"); p && *p; p++) {
        if (*p != '<')
            continue;
        const char *end = strchr(p, '>');
        if (!end)
            return false;
        int quotes = 0;
        for (const char *q = p; q < end; q++)
            quotes += *q == '"';
        if (quotes % 2)
            return false;
        depth += p[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        if (depth < 0)
            return false;
    }
    // only a path may be empty: a series without a single value
    for (const char *p = text; (p = strstr(p, "\"\"")); p++)
        if (strncmp(p - 3, " d=", 3) != 0)
            return false;
    return depth == 0 && !strstr(text, "nan") && !strstr(text, "inf");
}

static int occurrences(const char *part) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

// The path of the first series.
static const char *line_path(void) {
    const char *p = strstr(text, "stroke-width=\"1.8\"");
    p = p ? strstr(p, " d=\"") : NULL;
    return p ? p + 4 : "";
}

TEST(linear_ticks_are_round_even_and_inside) {
    TestRandom random = {7};
    for (int k = 0; k < 2000; k++) {
        double size = pow(10, test_random(&random, -200, 200));
        double low = size * test_random(&random, -1, 1);
        double high = low + size * pow(10, test_random(&random, -3, 0));
        LithePlotTicks t;
        lithe_plot_ticks(low, high, false, 6, &t);
        CHECK(t.count >= 3 && t.count <= 12);
        double lead = t.step / pow(10, floor(log10(t.step) + 1e-9));
        CHECK(fabs(lead - 1) < 1e-9 || fabs(lead - 2) < 1e-9 || fabs(lead - 5) < 1e-9);
        for (int32_t i = 0; i < t.count; i++) {
            double whole = t.at[i] / t.step;
            CHECK(t.at[i] >= low - 1e-6 * t.step && t.at[i] <= high + 1e-6 * t.step);
            CHECK(fabs(whole - round(whole)) < 1e-9 * fmax(fabs(whole), 1));
        }
    }
}

TEST(log_ticks_are_powers_of_ten_with_digits_between) {
    LithePlotTicks t;
    lithe_plot_ticks(0.5, 2000, true, 6, &t);
    int32_t major = 0;
    for (int32_t i = 0; i < t.count; i++) {
        CHECK(t.at[i] >= 0.5 && t.at[i] <= 2000);
        CHECK(i == 0 || t.at[i] > t.at[i - 1]);
        if (!t.minor[i]) {
            CHECK_NEAR(log10(t.at[i]), round(log10(t.at[i])), 1e-12);
            major++;
        }
    }
    CHECK(major == 4); // 1 10 100 1000
    lithe_plot_ticks(1e-300, 1e300, true, 6, &t);
    CHECK(t.count > 3 && t.count <= LITHE_PLOT_TICKS);
    lithe_plot_ticks(3, 6, true, 6, &t);
    CHECK(t.count == 4 && !t.minor[0]); // 3 4 5 6
}

TEST(point_in_the_middle_of_the_range_is_drawn_in_the_middle_of_the_frame) {
    for (int log = 0; log < 2; log++) {
        double x[] = {0.1, log ? 1 : 5.05, 10}, y[] = {10, log ? 1 : 5.05, 0.1};
        LithePlotSeries s = {.x = x, .y = y, .count = 3};
        LithePlot plot = lithe_plot_default();
        plot.series = &s;
        plot.series_count = 1;
        plot.x = plot.y = (LithePlotAxis){.log = log, .own_range = true, .low = 0.1, .high = 10};
        FATAL(draw(&plot) && sound());
        double left, top, width, height, px[3], py[3];
        const char *frame = strstr(text, "<clipPath");
        FATAL(frame && sscanf(frame,
                              "<clipPath id=\"frame\"><rect x=\"%lf\" y=\"%lf\" "
                              "width=\"%lf\" height=\"%lf\"",
                              &left, &top, &width, &height) == 4);
        FATAL(sscanf(line_path(), "M%lf %lfL%lf %lfL%lf %lf", px, py, px + 1, py + 1, px + 2,
                     py + 2) == 6);
        CHECK_NEAR(px[0], left, 0.01);
        CHECK_NEAR(py[0], top, 0.01);
        CHECK_NEAR(px[1], left + width / 2, 0.01);
        CHECK_NEAR(py[1], top + height / 2, 0.01);
        CHECK_NEAR(px[2], left + width, 0.01);
        CHECK_NEAR(py[2], top + height, 0.01);
    }
}

TEST(missing_values_break_the_line) {
    double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {1, 2, NAN, 3, INFINITY, 1, 2};
    LithePlotSeries s = {.x = x, .y = y, .count = 7};
    LithePlot plot = lithe_plot_default();
    plot.series = &s;
    plot.series_count = 1;
    FATAL(draw(&plot) && sound());
    int moves = 0, lines = 0;
    for (const char *p = line_path(); *p && *p != '"'; p++) {
        moves += *p == 'M';
        lines += *p == 'L';
    }
    CHECK(moves == 3);
    CHECK(lines == 2);
    // on a log axis, so do values without a logarithm
    double z[] = {1, 2, 0, 3, -4, 1, 2};
    s.y = z;
    plot.y.log = true;
    FATAL(draw(&plot) && sound());
    moves = 0;
    for (const char *p = line_path(); *p && *p != '"'; p++)
        moves += *p == 'M';
    CHECK(moves == 3);
}

TEST(degenerate_data_give_a_sound_chart) {
    static const double cases[][4] = {
        {0, 0, 0, 0},
        {5, 5, 5, 5},
        {-1e-320, 1e-320, 0, 1e-320},
        {-DBL_MAX, DBL_MAX, 0, 1},
        {NAN, NAN, NAN, NAN},
        {INFINITY, -INFINITY, 1, 2},
        {1, 1 + DBL_EPSILON, 1, 1},
        {1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3},
        {-3, -2, -1, 0},
        {1e-300, 1, 1e300, 1e5},
        {123456789, 123456790, 123456791, 123456792},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int how = 0; how < 8; how++) {
            LithePlotSeries s = {.name = "a",
                                 .x = cases[k],
                                 .y = cases[(k + how / 4) % 11],
                                 .count = how % 4 == 3 ? 1 : 4,
                                 .markers = how % 2};
            LithePlotReference r = {.at = cases[k][1], .name = "r", .vertical = how % 2};
            LithePlot plot = lithe_plot_default();
            plot.series = &s;
            plot.references = &r;
            plot.series_count = plot.reference_count = 1;
            plot.x.log = how & 1;
            plot.y.log = how & 2;
            if (!CHECK(draw(&plot) && sound()))
                printf("  case %zu, way %d\n", k, how);
        }
    LithePlot empty = lithe_plot_default();
    CHECK(draw(&empty) && sound());
    CHECK(occurrences("<text") > 4);
}

TEST(every_name_and_title_is_there_and_escaped) {
    double x[] = {0, 1}, y[] = {2, 3};
    LithePlotSeries s[2] = {{.name = "mu < 0.1 & \"dry\"", .x = x, .y = y, .count = 2},
                            {.name = "theory", .x = x, .y = y, .count = 2, .dashed = true}};
    LithePlotReference r = {.at = 2.5, .name = "limit"};
    LithePlot plot = lithe_plot_default();
    plot.title = "Capstan";
    plot.x.title = "angle [rad]";
    plot.y.title = "tension [N]";
    plot.series = s;
    plot.series_count = 2;
    plot.references = &r;
    plot.reference_count = 1;
    FATAL(draw(&plot) && sound());
    CHECK_TEXT(text, "mu &lt; 0.1 &amp; &quot;dry&quot;");
    CHECK_TEXT(text, ">theory<");
    CHECK_TEXT(text, ">limit<");
    CHECK_TEXT(text, ">Capstan<");
    CHECK_TEXT(text, ">angle [rad]<");
    CHECK_TEXT(text, ">tension [N]<");
    CHECK_TEXT(text, "fill=\"#fff\"/>");
}

TEST(long_series_give_a_small_file_that_keeps_every_peak) {
    enum { COUNT = 500000 };
    double *x = malloc(2 * COUNT * sizeof *x), *y = x + COUNT;
    FATAL(x != NULL);
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i == 123456 ? 100 : sin(i);
    }
    LithePlotSeries s = {.x = x, .y = y, .count = COUNT};
    LithePlot plot = lithe_plot_default();
    plot.series = &s;
    plot.series_count = 1;
    plot.y = (LithePlotAxis){.own_range = true, .low = -1, .high = 100};
    CHECK(draw(&plot) && sound());
    CHECK(strlen(text) < 300000);
    // the peak touches the top of the frame, which lies at 16
    CHECK_TEXT(line_path(), " 16L");
    free(x);
}

TEST(bad_requests_are_refused_and_the_old_file_kept) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LithePlot plot = lithe_plot_default();
    CHECK(lithe_plot_write_svg(context, &plot, "/tmp/lithe-none/p.svg", &error) ==
          LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/tmp/lithe-none/p.svg");
    CHECK_TEXT(error.text, strerror(ENOENT));
    plot.x = (LithePlotAxis){.own_range = true, .low = 2, .high = 1};
    CHECK(lithe_plot_write_svg(context, &plot, "/dev/null", &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "x axis: range is 2 to 1");
    plot.x = (LithePlotAxis){.own_range = true, .log = true, .low = 0, .high = 1};
    CHECK(lithe_plot_write_svg(context, &plot, "/dev/null", &error) == LITHE_BAD_INPUT);
    plot = lithe_plot_default();
    plot.width = 3;
    CHECK(lithe_plot_write_svg(context, &plot, "/dev/null", &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "3 x 420");
    plot = lithe_plot_default();
    int n = 1;
    for (; n < 20; n++) {
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_plot_write_svg(context, &plot, "/dev/null", &error);
        lithe_context_fail_at(context, 0);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(n > 1 && n < 20);
    lithe_context_destroy(context);
}

// Frame and legend of the chart in `text`: x, y, width, height.
static bool boxes(double frame[4], double legend[4]) {
    const char *f = strstr(text, "<clipPath id=\"frame\"><rect ");
    const char *l = strstr(text, " rx=\"3\"");
    while (l && l > text && strncmp(l, "<rect ", 6) != 0)
        l--;
    const char *form = "x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"";
    return f && l &&
           sscanf(strstr(f, "x="), form, &frame[0], &frame[1], &frame[2], &frame[3]) == 4 &&
           sscanf(strstr(l, "x="), form, &legend[0], &legend[1], &legend[2], &legend[3]) == 4;
}

TEST(a_legend_that_would_cover_lines_stands_beside_the_frame) {
    // two lines of two points each: no corner is free, although no point is in one
    const double x[] = {0, 1}, up[] = {0, 1}, down[] = {1, 0};
    LithePlotSeries series[] = {{.name = "up", .x = x, .y = up, .count = 2},
                                {.name = "down", .x = x, .y = down, .count = 2}};
    LithePlot plot = lithe_plot_default();
    plot.series = series;
    plot.series_count = 2;
    double frame[4], legend[4];
    FATAL(draw(&plot) && sound() && boxes(frame, legend));
    CHECK(legend[0] > frame[0] + frame[2]);
    CHECK(legend[0] + legend[2] <= plot.width);
    CHECK(frame[2] > 0.5 * plot.width);
    // with one of them the upper left is free
    plot.series_count = 1;
    series[0].y = down;
    FATAL(draw(&plot) && sound() && boxes(frame, legend));
    CHECK(legend[0] >= frame[0] && legend[0] + legend[2] <= frame[0] + frame[2]);
    CHECK(legend[1] < frame[1] + 0.5 * frame[3] && legend[0] > frame[0] + 0.5 * frame[2]);
}

TEST(a_long_legend_stays_inside_rather_than_squeeze_the_data) {
    const double x[] = {0, 1}, up[] = {0, 1}, down[] = {1, 0};
    const char *name = "a name that is longer than half of the chart is wide, which is too long";
    LithePlotSeries series[] = {{.name = name, .x = x, .y = up, .count = 2},
                                {.name = name, .x = x, .y = down, .count = 2}};
    LithePlot plot = lithe_plot_default();
    plot.series = series;
    plot.series_count = 2;
    double frame[4], legend[4];
    FATAL(draw(&plot) && sound() && boxes(frame, legend));
    CHECK(frame[0] + frame[2] == plot.width - 22);
}
