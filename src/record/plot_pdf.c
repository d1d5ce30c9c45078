// SPDX-License-Identifier: Apache-2.0
// record/plot_pdf.c - charts as PDF 1.4: one page, plain content, the standard fonts Helvetica and
// Helvetica-Bold, which every reader has

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/plot_parts.h"
#include "record/text.h"

#include <math.h>
#include <string.h>

// points (1/72 inch) for a pixel of a chart (1/96 inch)
#define POINTS 0.75

typedef struct Canvas {
    FILE *file;
    double height; // of the page in pixels; y of PDF points upwards
} Canvas;

// widths of Helvetica in thousandths of its size, from the space on
static const uint16_t widths[95] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

// The next character in the encoding of the font (Windows 1252); those it does not have are "?".
static int next_byte(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    if (p[0] < 0x80) {
        *text += 1;
        return p[0];
    }
    uint32_t code = p[0] & (p[0] >= 0xf0 ? 7u : p[0] >= 0xe0 ? 15u : 31u);
    int more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
    for (int i = 1; i <= more && (p[i] & 0xc0) == 0x80; i++)
        code = code << 6 | (p[i] & 0x3fu);
    *text += 1;
    while ((**text & 0xc0) == 0x80)
        *text += 1;
    if (code == 0x2212) // a minus is an en dash there
        return 0x96;
    return code >= 0xa0 && code < 0x100 ? (int)code : '?';
}

static double width_of(const char *text, double size, bool bold) {
    double sum = 0;
    while (*text) {
        int c = next_byte(&text);
        sum += c >= 32 && c < 127 ? widths[c - 32] : 556;
    }
    return (bold ? 1.06 : 1) * sum * size / 1000; // bold letters are wider by a few per cent
}

static void put(const Canvas *c, double value) {
    lithe_text_number(c->file, round(value * 1000) / 1000);
    fputc(' ', c->file);
}

static void put_point(const Canvas *c, double x, double y, const char *command) {
    put(c, POINTS * x);
    put(c, POINTS * (c->height - y));
    fprintf(c->file, "%s\n", command);
}

static void put_colour(const Canvas *c, LitheColour colour, const char *command) {
    put(c, colour.r);
    put(c, colour.g);
    put(c, colour.b);
    fprintf(c->file, "%s\n", command);
}

// saves the state and clips
static void begin(const Canvas *c, const LithePlotPen *pen) {
    fputs("q\n", c->file);
    if (!pen->clipped)
        return;
    put(c, POINTS * pen->clip[0]);
    put(c, POINTS * (c->height - pen->clip[3]));
    put(c, POINTS * (pen->clip[2] - pen->clip[0]));
    put(c, POINTS * (pen->clip[3] - pen->clip[1]));
    fputs("re W n\n", c->file);
}

static void put_points(const Canvas *c, const double *points, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        put_point(c, points[2 * i], points[2 * i + 1], i ? "l" : "m");
}

static void stroke(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    const Canvas *c = to;
    begin(c, pen);
    put_colour(c, pen->stroke, "RG");
    put(c, POINTS * pen->width);
    fputs("w 1 J 1 j\n", c->file);
    if (pen->dash[0] > 0) {
        fputs("[", c->file);
        put(c, POINTS * pen->dash[0]);
        put(c, POINTS * pen->dash[1]);
        fputs("] 0 d\n", c->file);
    }
    put_points(c, points, count);
    fputs("S Q\n", c->file);
}

static void fill(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    const Canvas *c = to;
    begin(c, pen);
    put_colour(c, pen->fill, "rg");
    put_points(c, points, count);
    fputs("f Q\n", c->file);
}

static void text(void *to, const LithePlotPen *pen, double x, double y, const char *said) {
    const Canvas *c = to;
    fputs("BT\n", c->file);
    put_colour(c, pen->fill, "rg");
    fprintf(c->file, "/F%d ", pen->bold ? 2 : 1);
    put(c, POINTS * pen->font);
    fprintf(c->file, "Tf\n%s ", pen->upright ? "0 1 -1 0" : "1 0 0 1");
    put_point(c, x, y, "Tm");
    fputc('(', c->file);
    while (*said) {
        int byte = next_byte(&said);
        if (byte == '(' || byte == ')' || byte == '\\')
            fputc('\\', c->file);
        if (byte < 128)
            fputc(byte, c->file);
        else
            fprintf(c->file, "\\%03o", (unsigned)byte);
    }
    fputs(") Tj\nET\n", c->file);
}

// objects 1 to 6 and the table of their places
static LitheStatus write_page(LitheContext *context, char *svg, int32_t width, int32_t height,
                              FILE *file, LitheError *error) {
    long at[8] = {0};
    Canvas c = {file, height};
    const LithePlotCanvas canvas = {&c, stroke, fill, text, width_of};
    fputs("%PDF-1.4\n", file);
    at[1] = ftell(file);
    fputs("1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n", file);
    at[2] = ftell(file);
    fputs("2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n", file);
    at[3] = ftell(file);
    fputs("3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ", file);
    put(&c, POINTS * width);
    put(&c, POINTS * height);
    fputs("] /Contents 6 0 R\n/Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>\nendobj\n", file);
    for (int k = 4; k <= 5; k++) {
        at[k] = ftell(file);
        fprintf(file,
                "%d 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica%s "
                "/Encoding /WinAnsiEncoding >>\nendobj\n",
                k, k == 5 ? "-Bold" : "");
    }
    // the length of the content is object 7, known at its end
    at[6] = ftell(file);
    fputs("6 0 obj\n<< /Length 7 0 R >>\nstream\n", file);
    long start = ftell(file);
    LitheStatus status = lithe_plot_read_svg(context, svg, &canvas, error);
    long length = ftell(file) - start;
    fputs("endstream\nendobj\n", file);
    at[7] = ftell(file);
    fprintf(file, "7 0 obj\n%ld\nendobj\n", length);
    long table = ftell(file);
    fputs("xref\n0 8\n0000000000 65535 f \n", file);
    for (int k = 1; k <= 7; k++)
        fprintf(file, "%010ld 00000 n \n", at[k]);
    fprintf(file, "trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n%ld\n%%%%EOF\n", table);
    return status;
}

LitheStatus lithe_plot_write_pdf(LitheContext *context, char *svg, int32_t width, int32_t height,
                                 const char *path, LitheError *error) {
    LitheFileReplace replace;
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    status = write_page(context, svg, width, height, replace.file, error);
    if (status != LITHE_OK) {
        lithe_file_replace_abort(&replace);
        return status;
    }
    return lithe_file_replace_commit(&replace, error);
}
