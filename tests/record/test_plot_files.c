// SPDX-License-Identifier: Apache-2.0
// tests/record/test_plot_files.c - charts as PNG and PDF, several in one file; a canvas draws the
// same lines as the SVG

#include "record/plot_parts.h"

#include "base/memory.h"
#include "test.h"

#include "record/synthetic.h"

#include <math.h>
#include <unistd.h>

static const double times[3] = {0, 1, 2}, forces[3] = {0, 10, 5}, lengths[3] = {1, 2, 3};

static LithePlot chart(const LithePlotSeries *series, const char *title, const char *y) {
    LithePlot plot = lithe_plot_default();
    plot.title = title;
    plot.x.title = "time [s]";
    plot.y.title = y;
    plot.series = series;
    plot.series_count = 1;
    return plot;
}

static const LithePlotSeries pull = {.name = "pull <1>", .x = times, .y = forces, .count = 3};
static const LithePlotSeries reach = {
    .name = "reach", .x = times, .y = lengths, .count = 3, .markers = true, .dashed = true};

static char text[1 << 20];
static size_t length;

static bool write_and_read(const char *end, int32_t count) {
    TestFolder folder = test_folder();
    char name[32], path[256];
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LithePlot plots[2] = {chart(&pull, "A test (of charts)", "force [N]"),
                          chart(&reach, NULL, "length [m]")};
    snprintf(name, sizeof name, "a%s", end);
    test_path(&folder, name, path);
    bool good = lithe_plot_write(context, plots, count, path, &error) == LITHE_OK;
    if (!good)
        printf("  %s\n", error.text);
    FILE *file = fopen(path, "rb");
    length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    good = good && lithe_context_bytes(context) == 0;
    lithe_context_destroy(context);
    test_folder_remove(&folder);
    return good;
}

static uint32_t big_endian(const char *at) {
    const unsigned char *p = (const unsigned char *)at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

TEST(a_png_has_two_pixels_for_one_of_the_chart) {
    FATAL(write_and_read(".png", 1));
    CHECK(memcmp(text, "\x89PNG\r\n\x1a\n", 8) == 0);
    CHECK(big_endian(text + 16) == 2 * 640 && big_endian(text + 20) == 2 * 420);
    FATAL(write_and_read(".png", 2));
    CHECK(big_endian(text + 20) == 2 * 840);
}

TEST(a_pdf_names_the_places_of_its_objects) {
    FATAL(write_and_read(".pdf", 2));
    CHECK(strncmp(text, "%PDF-1.4\n", 9) == 0);
    const char *table = NULL;
    for (const char *p = text; (p = strstr(p, "startxref\n")); p++)
        table = text + strtol(p + 10, NULL, 10);
    FATAL(table && strncmp(table, "xref\n0 8\n", 9) == 0);
    for (int k = 1; k <= 7; k++) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "%d 0 obj\n", k);
        const char *object = text + strtol(table + 9 + 20 * k, NULL, 10);
        CHECK(strncmp(object, wanted, strlen(wanted)) == 0);
    }
    const char *stream = strstr(text, "stream\n"), *end = strstr(text, "endstream");
    const char *said = strstr(text, "7 0 obj\n");
    FATAL(stream && end && said);
    CHECK(strtol(said + 8, NULL, 10) == end - stream - 7);
    // brackets are escaped, entities decoded, the second chart is there
    CHECK(strstr(text, "(A test \\(of charts\\)) Tj"));
    CHECK(strstr(text, "(pull <1>) Tj"));
    CHECK(strstr(text, "(length [m]) Tj"));
}

TEST(several_charts_share_an_svg) {
    FATAL(write_and_read(".svg", 2));
    CHECK(strstr(text, "height=\"840\""));
    CHECK(strstr(text, "id=\"frame\"") && strstr(text, "id=\"frame1\""));
    CHECK(strstr(text, "translate(0 420)"));
}

// --- the canvas ----------------------------------------------------------------------------------

typedef struct Heard {
    int texts, upright, curves, dashed;
    double curve[6], low; // the line of the series; the largest y of a text
    char all[4000];
} Heard;

static void hear_stroke(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    Heard *heard = to;
    if (count == 3 && pen->clipped && !pen->filled) {
        memcpy(heard->curve, points, sizeof heard->curve);
        heard->curves++;
        heard->dashed += pen->dash[0] > 0;
    }
}

static void hear_fill(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    (void)to, (void)pen, (void)points, (void)count;
}

static void hear_text(void *to, const LithePlotPen *pen, double x, double y, const char *said) {
    Heard *heard = to;
    (void)x;
    heard->texts++;
    heard->upright += pen->upright;
    heard->low = fmax(heard->low, y);
    snprintf(heard->all + strlen(heard->all), sizeof heard->all - strlen(heard->all), "%s|", said);
}

static double hear_width(const char *said, double size, bool bold) {
    (void)bold;
    return 0.5 * size * (double)strlen(said);
}

TEST(a_canvas_draws_the_points_of_the_svg) {
    FATAL(write_and_read(".svg", 2));
    // the points of the first line, as the SVG has them
    double wanted[6] = {0};
    const char *path = strstr(text, "stroke-dasharray=\"none\" d=\"M");
    FATAL(path);
    FATAL(sscanf(strchr(path, 'M') + 1, "%lf %lfL%lf %lfL%lf %lf", wanted, wanted + 1, wanted + 2,
                 wanted + 3, wanted + 4, wanted + 5) == 6);
    LitheContext *context = lithe_context_create(NULL);
    Heard heard = {0};
    LithePlotCanvas canvas = {&heard, hear_stroke, hear_fill, hear_text, hear_width};
    LitheError error;
    char first[sizeof text / 4];
    snprintf(first, sizeof first, "%.*s", (int)(strstr(text, "translate(0 420)") - text - 14),
             text);
    CHECK(lithe_plot_read_svg(context, first, &canvas, &error) == LITHE_OK);
    CHECK(heard.curves == 1 && heard.dashed == 0);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(heard.curve[k], wanted[k], 1e-9);
    CHECK(strstr(heard.all, "A test (of charts)|") && strstr(heard.all, "pull <1>|"));
    CHECK(heard.upright == 1);
    CHECK(heard.low <= 420);
    // the whole file: the second chart is below the first
    CHECK(lithe_plot_read_svg(context, text, &canvas, &error) == LITHE_OK);
    CHECK(heard.curves == 3 && heard.dashed == 1 && heard.upright == 3);
    CHECK(heard.low > 420 && heard.low < 840);
    CHECK(heard.curve[1] > 420);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(names_and_sizes_are_checked) {
    CHECK(lithe_plot_is_name("a.svg") && lithe_plot_is_name("a/b.png") &&
          lithe_plot_is_name("a.pdf"));
    CHECK(!lithe_plot_is_name(".svg") && !lithe_plot_is_name("a.jpg") &&
          !lithe_plot_is_name("pdf"));
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LithePlot many[30];
    for (int i = 0; i < 30; i++)
        many[i] = chart(&pull, NULL, NULL);
    char none[64];
    snprintf(none, sizeof none, "/tmp/lithe-none-%ld.svg", (long)getpid());
    CHECK(lithe_plot_write(context, many, 30, none, &error) == LITHE_BAD_INPUT);
    CHECK(strstr(error.text, "30 charts are 12600 pixels high together"));
    CHECK(access(none, F_OK) != 0);
    lithe_context_destroy(context);
}
