// SPDX-License-Identifier: Apache-2.0
// record/svg.c - numbers, text and colours of an SVG file

#include "record/svg.h"

#include <math.h>
#include <stdarg.h>

void lithe_svg_number(FILE *file, double value) {
    // printf would use the decimal mark of the locale
    if (!isfinite(value))
        value = 0;
    value = fmin(fmax(value, -1e12), 1e12);
    long long thousandths = llround(value * 1000);
    if (thousandths < 0) {
        fputc('-', file);
        thousandths = -thousandths;
    }
    fprintf(file, "%lld", thousandths / 1000);
    int rest = (int)(thousandths % 1000), digits = 3;
    if (rest == 0)
        return;
    while (rest % 10 == 0) {
        rest /= 10;
        digits--;
    }
    fprintf(file, ".%0*d", digits, rest);
}

// Length of the UTF-8 character at p, 0 when it is invalid (or forbidden in XML).
static int utf8_length(const unsigned char *p) {
    if (p[0] < 0x80)
        return p[0] >= 0x20 || p[0] == '\t' || p[0] == '\n';
    int n = p[0] >= 0xc2 && p[0] <= 0xdf   ? 2
            : p[0] >= 0xe0 && p[0] <= 0xef ? 3
            : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                           : 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    // overlong, surrogate, beyond the last character, U+FFFE and U+FFFF
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ||
        (p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe))
        return 0;
    return n;
}

void lithe_svg_text(FILE *file, const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int n = utf8_length(p);
        if (n == 0) {
            fputs("\xef\xbf\xbd", file); // the replacement character
            p++;
            continue;
        }
        if (*p == '&')
            fputs("&amp;", file);
        else if (*p == '<')
            fputs("&lt;", file);
        else if (*p == '>')
            fputs("&gt;", file);
        else if (*p == '"')
            fputs("&quot;", file);
        else
            fwrite(p, 1, (size_t)n, file);
        p += n;
    }
}

static int byte_of(double x) {
    return x > 0 ? (int)lround(255 * fmin(x, 1)) : 0;
}

void lithe_svg_colour(FILE *file, LitheColour c) {
    fprintf(file, "#%02x%02x%02x", byte_of(c.r), byte_of(c.g), byte_of(c.b));
}

void lithe_svg(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            fputc(*p, file);
            continue;
        }
        switch (*++p) {
        case 'n':
            lithe_svg_number(file, va_arg(arguments, double));
            break;
        case 't':
            lithe_svg_text(file, va_arg(arguments, const char *));
            break;
        case 'c':
            lithe_svg_colour(file, va_arg(arguments, LitheColour));
            break;
        case 'd':
            fprintf(file, "%d", va_arg(arguments, int));
            break;
        default:
            fputc(*p, file);
        }
    }
    va_end(arguments);
}

void lithe_svg_begin(FILE *file, int32_t width, int32_t height, const char *title) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    lithe_svg(file,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
              "sans-serif\">\n",
              width, height, width, height);
    if (title && *title)
        lithe_svg(file, "<title>%t</title>\n", title);
}

void lithe_svg_end(FILE *file) {
    fputs("</svg>\n", file);
}
