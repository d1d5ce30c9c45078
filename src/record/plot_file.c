// SPDX-License-Identifier: Apache-2.0
// record/plot_file.c - charts into files

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/plot_parts.h"
#include "record/svg.h"

#include <math.h>
#include <string.h>

enum { MIN_SIZE = 160, MAX_SIZE = 10000 };

static LitheStatus check_axis(const LithePlotAxis *axis, const char *name, LitheError *error) {
    if (!axis->own_range)
        return LITHE_OK;
    double span = axis->high - axis->low, size = fmax(fabs(axis->low), fabs(axis->high));
    bool ok = size <= LITHE_PLOT_MAX && span > 1e-12 * size && span > 1 / LITHE_PLOT_MAX &&
              (!axis->log || axis->low > 0);
    if (ok)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "plot: %s axis: range is %g to %g, must grow%s", name,
                      axis->low, axis->high, axis->log ? " and be > 0" : "");
}

static LitheStatus check_plot(const LithePlot *plot, LitheError *error) {
    if (plot->width < MIN_SIZE || plot->height < MIN_SIZE || plot->width > MAX_SIZE ||
        plot->height > MAX_SIZE)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "plot: size is %d x %d pixels, each side must be %d to %d", plot->width,
                          plot->height, MIN_SIZE, MAX_SIZE);
    LitheStatus status = check_axis(&plot->x, "x", error);
    return status == LITHE_OK ? check_axis(&plot->y, "y", error) : status;
}

// the charts below each other
static void put_svg(FILE *file, const LithePlot *plots, int32_t count, int32_t width,
                    int32_t height) {
    lithe_svg_begin(file, width, height, count > 0 ? plots[0].title : NULL);
    int32_t y = 0;
    double sides[2];
    lithe_plot_sides(plots, count, sides);
    for (int32_t i = 0; i < count; i++) {
        if (count > 1)
            lithe_svg(file, "<g transform=\"translate(0 %d)\">\n", (int)y);
        lithe_plot_draw(file, &plots[i], sides, i);
        if (count > 1)
            fputs("</g>\n", file);
        y += plots[i].height;
    }
    lithe_svg_end(file);
}

// The SVG as a text in memory; free it.
static LitheStatus make_text(LitheContext *context, const LithePlot *plots, int32_t count,
                             int32_t width, int32_t height, char **text, LitheError *error) {
    FILE *file = tmpfile();
    if (!file)
        return lithe_fail(error, LITHE_FILE_ERROR, "plot: cannot make a temporary file");
    put_svg(file, plots, count, width, height);
    long length = fflush(file) == 0 ? ftell(file) : -1;
    char *own = length >= 0 ? lithe_alloc(context, (size_t)length + 1) : NULL;
    LitheStatus status = own ? LITHE_OK : lithe_fail_memory(error, "a chart");
    rewind(file);
    if (own && fread(own, 1, (size_t)length, file) != (size_t)length)
        status = lithe_fail(error, LITHE_FILE_ERROR, "plot: cannot read a temporary file");
    fclose(file);
    if (status != LITHE_OK) {
        lithe_free(context, own);
        return status;
    }
    own[length] = '\0';
    *text = own;
    return LITHE_OK;
}

static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), own = strlen(end);
    return length > own && strcmp(path + length - own, end) == 0;
}

bool lithe_plot_is_name(const char *path) {
    return ends_with(path, ".svg") || ends_with(path, ".png") || ends_with(path, ".pdf");
}

static LitheStatus write_as_svg(LitheContext *context, const LithePlot *plots, int32_t count,
                                int32_t width, int32_t height, const char *path,
                                LitheError *error) {
    LitheFileReplace replace;
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    put_svg(replace.file, plots, count, width, height);
    return lithe_file_replace_commit(&replace, error);
}

LitheStatus lithe_plot_write(LitheContext *context, const LithePlot *plots, int32_t count,
                             const char *path, LitheError *error) {
    int32_t width = MIN_SIZE, height = 0;
    for (int32_t i = 0; i < count; i++) {
        LitheStatus status = check_plot(&plots[i], error);
        if (status != LITHE_OK)
            return status;
        width = plots[i].width > width ? plots[i].width : width;
        height += plots[i].height;
    }
    if (height < MIN_SIZE || height > MAX_SIZE)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "plot: %d charts are %d pixels high together, must be %d to %d", count,
                          height, MIN_SIZE, MAX_SIZE);
    bool png = ends_with(path, ".png"), pdf = ends_with(path, ".pdf");
    if (!png && !pdf)
        return write_as_svg(context, plots, count, width, height, path, error);
    char *text = NULL;
    LitheStatus status = make_text(context, plots, count, width, height, &text, error);
    if (status == LITHE_OK)
        status = (png ? lithe_plot_write_png : lithe_plot_write_pdf)(context, text, width, height,
                                                                     path, error);
    lithe_free(context, text);
    return status;
}

LitheStatus lithe_plot_write_svg(LitheContext *context, const LithePlot *plot, const char *path,
                                 LitheError *error) {
    LitheStatus status = check_plot(plot, error);
    return status == LITHE_OK
               ? write_as_svg(context, plot, 1, plot->width, plot->height, path, error)
               : status;
}
