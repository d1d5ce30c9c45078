// SPDX-License-Identifier: Apache-2.0
// record/picture_text.c - labels in a small stroke font, drawn with round pens
//
// A glyph is its width and its strokes on a grid of ten by ten: the baseline at 2, small letters up
// to 7, capitals up to 9. "-" joins the points (two digits each, x and y) by straight lines, "~" by
// a smooth curve through them, closed when it ends where it began. One point twice is a dot.

#include <math.h>
#include <string.h>

#include "record/picture_parts.h"

typedef struct Glyph {
    uint32_t code; // of the character
    const char *strokes;
} Glyph;

static const char *const ascii[95] = {
    "2",                                       // space
    "0-0904-0202",                             // !
    "2-0907-2927",                             // "
    "5-1219-4249-0454-0757",                   // #
    "6~68492907264564422203-3931",             // $
    "6-0269~1928170819~5463524354",            // %
    "6~62171829394837050312325265",            // &
    "0-0907",                                  // '
    "2~29070321",                              // (
    "2~09272301",                              // )
    "4-2824-0745-0547",                        // *
    "4-2723-0545",                             // +
    "1-1201",                                  // ,
    "4-0545",                                  // -
    "0-0202",                                  // .
    "4-0149",                                  // /
    "5~293957543222040729",                    // 0
    "4-073932",                                // 1
    "5~0719495745-450252",                     // 2
    "5~082949574626~264654422203",             // 3
    "5-42490454",                              // 4
    "5-590906~06274654422203",                 // 5
    "5~5839180504124254461604",                // 6
    "5-095922",                                // 7
    "5~293948473626171829~263655533222030526", // 8
    "5~0322435657491907154557",                // 9
    "0-0202-0606",                             // :
    "1-1201-1616",                             // ;
    "4-480542",                                // <
    "4-0646-0444",                             // =
    "4-084502",                                // >
    "4~0829484725-2524-2222",                  // ?
    "7~4655443546~5564747749290704224253",     // @
    "6-023962-1454",                           // A
    "6-0209-0939-0636-0232~39585636~36656332", // B
    "6~6849290704224263",                      // C
    "6-0209-0929-0222~294967644222",           // D
    "5-59090252-0646",                         // E
    "5-0209-0959-0646",                        // F
    "6~6849290704224263-636545",               // G
    "6-0209-6269-0666",                        // H
    "0-0209",                                  // I
    "4-4944~44321204",                         // J
    "6-0209-0559-2662",                        // K
    "5-090252",                                // L
    "6-0209356962",                            // M
    "6-02096269",                              // N
    "6~294967644222040729",                    // O
    "5-0209-0939-0535~39585635",               // P
    "6~294967644222040729-4462",               // Q
    "6-0209-0939-0535~39585635-3562",          // R
    "6~68492907264564422203",                  // S
    "6-0969-3932",                             // T
    "6-0905-6569~050422426465",                // U
    "6-093269",                                // V
    "8-0922476289",                            // W
    "6-0962-0269",                             // X
    "6-093669-3632",                           // Y
    "6-09690262",                              // Z
    "2-29090121",                              // [
    "4-0941",                                  // backslash
    "2-09292101",                              // ]
    "4-072947",                                // ^
    "5-0151",                                  // _
    "1-0918",                                  // `
    "4~4637170504123243-4742",                 // a
    "4-0902~0617374544321203",                 // b
    "4~4637170504123243",                      // c
    "4~4637170504123243-4942",                 // d
    "4-0545~4537170504123243",                 // e
    "3~392917-1712-0727",                      // f
    "4~4637170504123243-4741~41301001",        // g
    "4-0902~05173745-4542",                    // h
    "0-0702-0909",                             // i
    "1-1711~1100-1919",                        // j
    "4-0902-0447-1542",                        // k
    "1-090312",                                // l
    "6-0702~05172735-3532~35475765-6562",      // m
    "4-0702~05173745-4542",                    // n
    "4~173745443212040517",                    // o
    "4-0700~0617374544321203",                 // p
    "4~4637170504123243-4740",                 // q
    "3-0702~051737",                           // r
    "4~46371706153443321203",                  // s
    "3-1913~132232-0737",                      // t
    "4-0704~04123244-4742",                    // u
    "4-072247",                                // v
    "6-0722364267",                            // w
    "4-0742-0247",                             // x
    "4-0722-4710",                             // y
    "4-07470242",                              // z
    "3~39181605141231",                        // {
    "0-0901",                                  // |
    "3~09282635242201",                        // }
    "5~0516344556",                            // ~
};

static const Glyph others[] = {
    {0xb0, "2~1928170819"},          // degree
    {0xb1, "4-2824-0646-0242"},      // plus or minus
    {0xb2, "2~08192817-170626"},     // squared
    {0xb3, "2~09292817~17261505"},   // cubed
    {0xb5, "4-0700~04123244-4742"},  // micro
    {0xb7, "0-0505"},                // middle dot
    {0xd7, "4-0347-0743"},           // times
    {0x3bc, "4-0700~04123244-4742"}, // mu
    {0x2212, "4-0545"},              // minus
};

static const char *const unknown = "5-0209595202"; // an empty box

// Reads the character at *text and advances; 0 at the end, an unknown character for invalid bytes.
static uint32_t next_code(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    if (*p == 0)
        return 0;
    int more = *p < 0x80             ? 0
               : (*p & 0xe0) == 0xc0 ? 1
               : (*p & 0xf0) == 0xe0 ? 2
               : (*p & 0xf8) == 0xf0 ? 3
                                     : -1;
    uint32_t code = more < 0 ? 0xfffd : more == 0 ? *p : *p & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += i;
            return 0xfffd;
        }
        code = code << 6 | (p[i] & 0x3f);
    }
    *text += more < 0 ? 1 : 1 + more;
    return code ? code : 0xfffd;
}

static const char *strokes_of(uint32_t code) {
    if (code >= 32 && code < 127)
        return ascii[code - 32];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].code == code)
            return others[i].strokes;
    return unknown;
}

// --- pen -----------------------------------------------------------------------------------------

enum { SEGMENTS = 256, CURVE_STEPS = 8, POINTS = 32 };

typedef struct Pen {
    LitheImage *image;
    double x, y, unit; // left end of the baseline, size of a cell; pixels
    double half;       // width of the pen over two, pixels
    LitheColour colour;
    double segments[SEGMENTS][4]; // of the current glyph: from and to, pixels
    int32_t count;
} Pen;

static void add_segment(Pen *pen, double x0, double y0, double x1, double y1) {
    if (pen->count == SEGMENTS)
        return;
    double *s = pen->segments[pen->count++];
    s[0] = pen->x + x0 * pen->unit;
    s[1] = pen->y - (y0 - 2) * pen->unit;
    s[2] = pen->x + x1 * pen->unit;
    s[3] = pen->y - (y1 - 2) * pen->unit;
}

// A cubic between points i and i+1 whose slopes come from their neighbours.
static double curve_at(const double *p, int32_t n, int32_t i, bool closed, double u) {
    int32_t before = i > 0 ? i - 1 : closed ? n - 2 : 0;
    int32_t after = i + 2 < n ? i + 2 : closed ? 1 : n - 1;
    double a = 0.5 * (p[i + 1] - p[before]), b = 0.5 * (p[after] - p[i]), v = 1 - u;
    return p[i] * (1 + 2 * u) * v * v + a * u * v * v + p[i + 1] * u * u * (3 - 2 * u) -
           b * u * u * v;
}

static void add_stroke(Pen *pen, bool smooth, const double *x, const double *y, int32_t n) {
    bool closed = n > 2 && x[0] == x[n - 1] && y[0] == y[n - 1];
    for (int32_t i = 0; i + 1 < n; i++) {
        if (!smooth || n < 3) {
            add_segment(pen, x[i], y[i], x[i + 1], y[i + 1]);
            continue;
        }
        double px = x[i], py = y[i];
        for (int32_t k = 1; k <= CURVE_STEPS; k++) {
            double u = (double)k / CURVE_STEPS;
            double qx = curve_at(x, n, i, closed, u), qy = curve_at(y, n, i, closed, u);
            add_segment(pen, px, py, qx, qy);
            px = qx;
            py = qy;
        }
    }
}

// Fills the segments of a glyph and returns its width in cells.
static double read_glyph(Pen *pen, const char *strokes) {
    double x[POINTS], y[POINTS], width = strokes[0] - '0';
    pen->count = 0;
    for (const char *p = strokes + 1; *p;) {
        bool smooth = *p++ == '~';
        int32_t n = 0;
        for (; p[0] >= '0' && p[0] <= '9' && n < POINTS; p += 2, n++) {
            x[n] = p[0] - '0';
            y[n] = p[1] - '0';
        }
        add_stroke(pen, smooth, x, y, n);
    }
    return width;
}

static double distance_to(const double s[4], double x, double y) {
    double dx = s[2] - s[0], dy = s[3] - s[1], l = dx * dx + dy * dy;
    double u = l > 0 ? ((x - s[0]) * dx + (y - s[1]) * dy) / l : 0;
    u = fmin(fmax(u, 0), 1);
    return hypot(x - s[0] - u * dx, y - s[1] - u * dy);
}

static void mix_pixel(LitheImage *image, int32_t x, int32_t y, LitheColour c, double f) {
    uint8_t *p = image->rgba + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    const double to[3] = {c.r, c.g, c.b};
    for (int k = 0; k < 3; k++)
        p[k] = (uint8_t)lround(p[k] + f * (255 * fmin(fmax(to[k], 0), 1) - p[k]));
}

static void ink_glyph(Pen *pen, double width) {
    if (pen->count == 0)
        return;
    double reach = pen->half + 1;
    double x0 = pen->x - reach, x1 = pen->x + width * pen->unit + reach;
    double y0 = pen->y - 7 * pen->unit - reach, y1 = pen->y + 2 * pen->unit + reach;
    // completely or partly outside of the image
    int32_t i0 = (int32_t)fmax(x0, 0), i1 = (int32_t)fmin(x1, pen->image->width - 1.0);
    int32_t j0 = (int32_t)fmax(y0, 0), j1 = (int32_t)fmin(y1, pen->image->height - 1.0);
    if (!(x1 > 0 && y1 > 0 && x0 < pen->image->width && y0 < pen->image->height))
        return;
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++) {
            double d = INFINITY;
            for (int32_t k = 0; k < pen->count; k++)
                d = fmin(d, distance_to(pen->segments[k], i + 0.5, j + 0.5));
            double cover = fmin(fmax(0.5 + pen->half - d, 0), 1);
            if (cover > 0)
                mix_pixel(pen->image, i, j, pen->colour, cover);
        }
}

// cells between glyphs
static const double gap = 2.4;

double lithe_picture_text_width(double size, const char *text) {
    double cells = 0;
    for (uint32_t code = next_code(&text); code; code = next_code(&text))
        cells += strokes_of(code)[0] - '0' + gap;
    return cells * size / 7;
}

void lithe_picture_text(LitheImage *image, double x, double y, double size, LitheColour colour,
                        LitheColour halo, const char *text) {
    // first a broad pen in the background colour, so that the text is readable over anything
    for (int pass = 0; pass < 2; pass++) {
        Pen pen = {.image = image, .x = x, .unit = size / 7, .y = y + 0.5 * size};
        pen.half = fmax(0.062 * size, 0.5) + (pass ? 0 : fmax(0.12 * size, 1));
        pen.colour = pass ? colour : halo;
        const char *p = text;
        for (uint32_t code = next_code(&p); code; code = next_code(&p)) {
            double width = read_glyph(&pen, strokes_of(code));
            ink_glyph(&pen, width);
            pen.x += (width + gap) * pen.unit;
        }
    }
}
