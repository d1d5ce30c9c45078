// SPDX-License-Identifier: Apache-2.0
// record/plot_read.c - draws the SVG of charts on a canvas
//
// The text is what lithe_plot_draw writes, not any SVG: attributes in double quotes, paths of
// straight pieces, one level of tspan, groups that move, clip or set colours.

#include "base/memory.h"
#include "base/status.h"
#include "record/plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_ATTRIBUTES = 24, MAX_RUNS = 4, CIRCLE = 16 };

typedef struct Attribute {
    const char *name, *value;
} Attribute;

typedef struct Element {
    const char *name; // "/g" for the end of a group
    Attribute attributes[MAX_ATTRIBUTES];
    int32_t count;
    bool closed;
} Element;

typedef struct Run {
    const char *text;
    double font, rise;
} Run;

typedef struct Reader {
    LitheContext *context;
    const LithePlotCanvas *canvas;
    LithePlotPen stack[MAX_DEPTH]; // of open groups
    int32_t depth;
    double frame[4]; // of the last clipPath
    double *points;  // [capacity][2]
    int32_t capacity;
    bool failed; // out of memory
} Reader;

// --- text of the elements ------------------------------------------------------------------------

// Decodes entities in place.
static void decode(char *text) {
    static const struct {
        const char *name;
        char code;
    } all[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    char *to = text;
    for (char *from = text; *from;) {
        size_t k = 0;
        while (k < 4 && strncmp(from, all[k].name, strlen(all[k].name)) != 0)
            k++;
        *to++ = k < 4 ? all[k].code : *from;
        from += k < 4 ? strlen(all[k].name) : 1;
    }
    *to = '\0';
}

// Reads the element that begins behind `<`; returns what follows its `>`.
static char *read_element(char *at, Element *element) {
    *element = (Element){.name = at};
    at += *at == '/';
    while (*at && !strchr(" \n/>", *at))
        at++;
    while (*at && *at != '>') {
        char end = *at;
        *at++ = '\0';
        if (end == '/' && *at == '>')
            element->closed = true;
        if (end == '/' || *at == ' ' || *at == '\n' || *at == '/' || *at == '>')
            continue;
        char *name = at, *equals = at + strcspn(at, "=>");
        if (equals[0] != '=' || equals[1] != '"') {
            at = equals; // the ?> of the first line
            continue;
        }
        char *value = equals + 2, *quote = strchr(value, '"');
        if (!quote)
            break;
        *equals = *quote = '\0';
        if (element->count < MAX_ATTRIBUTES)
            element->attributes[element->count++] = (Attribute){name, value};
        at = quote + 1;
    }
    if (*at == '>')
        *at++ = '\0';
    return at;
}

static const char *attribute(const Element *element, const char *name) {
    for (int32_t i = 0; i < element->count; i++)
        if (strcmp(element->attributes[i].name, name) == 0)
            return element->attributes[i].value;
    return NULL;
}

static double number(const Element *element, const char *name, double otherwise) {
    const char *value = attribute(element, name);
    return value ? strtod(value, NULL) : otherwise;
}

static bool read_colour(const char *text, LitheColour *colour) {
    if (text[0] != '#')
        return false;
    unsigned long code = strtoul(text + 1, NULL, 16);
    if (strlen(text) == 4) // #rgb is #rrggbb
        code = (code >> 8 & 15) * 0x110000 + (code >> 4 & 15) * 0x1100 + (code & 15) * 0x11;
    *colour = (LitheColour){(double)(code >> 16 & 255) / 255, (double)(code >> 8 & 255) / 255,
                            (double)(code & 255) / 255};
    return true;
}

// The pen of an element: that of its group, with its own attributes.
static LithePlotPen pen_of(const Reader *r, const Element *element) {
    LithePlotPen pen = r->stack[r->depth];
    const char *fill = attribute(element, "fill"), *stroke = attribute(element, "stroke");
    const char *dashes = attribute(element, "stroke-dasharray");
    const char *anchor = attribute(element, "text-anchor");
    const char *weight = attribute(element, "font-weight");
    if (fill)
        pen.filled = read_colour(fill, &pen.fill);
    if (stroke)
        pen.stroked = read_colour(stroke, &pen.stroke);
    pen.opacity = number(element, "fill-opacity", 1);
    pen.width = number(element, "stroke-width", pen.width);
    pen.font = number(element, "font-size", pen.font);
    pen.bold = weight && strcmp(weight, "bold") == 0;
    pen.anchor = !anchor ? 0 : anchor[0] == 'm' ? 0.5 : anchor[0] == 'e' ? 1 : 0;
    pen.dash[0] = pen.dash[1] = 0;
    if (dashes && dashes[0] != 'n') {
        char *rest;
        pen.dash[0] = strtod(dashes, &rest);
        pen.dash[1] = strtod(rest, NULL);
    }
    return pen;
}

// --- shapes --------------------------------------------------------------------------------------

static bool reserve(Reader *r, int32_t count) {
    if (count > r->capacity && !r->failed) {
        lithe_free(r->context, r->points);
        r->points = lithe_alloc_array(r->context, 2 * (int64_t)count, sizeof *r->points);
        r->capacity = r->points ? count : 0;
        r->failed = !r->points;
    }
    return !r->failed;
}

static void draw_points(Reader *r, const LithePlotPen *pen, int32_t count, bool closed) {
    // a path without area, such as a line, is not filled
    if (pen->filled && count > 2 && closed)
        r->canvas->fill(r->canvas->to, pen, r->points, count);
    if (pen->stroked && count > 1)
        r->canvas->stroke(r->canvas->to, pen, r->points, count);
}

static void draw_rect(Reader *r, const Element *element) {
    LithePlotPen pen = pen_of(r, element);
    double x = pen.x + number(element, "x", 0), y = pen.y + number(element, "y", 0);
    double w = number(element, "width", 0), h = number(element, "height", 0);
    const double corners[10] = {x, y, x + w, y, x + w, y + h, x, y + h, x, y};
    if (!reserve(r, 5))
        return;
    memcpy(r->points, corners, sizeof corners);
    draw_points(r, &pen, 5, true);
}

static void draw_circle(Reader *r, const Element *element) {
    LithePlotPen pen = pen_of(r, element);
    double x = pen.x + number(element, "cx", 0), y = pen.y + number(element, "cy", 0);
    double radius = number(element, "r", 0);
    if (!reserve(r, CIRCLE + 1))
        return;
    for (int k = 0; k <= CIRCLE; k++) {
        r->points[2 * k] = x + radius * cos(2 * M_PI * (k % CIRCLE) / CIRCLE);
        r->points[2 * k + 1] = y + radius * sin(2 * M_PI * (k % CIRCLE) / CIRCLE);
    }
    draw_points(r, &pen, CIRCLE + 1, true);
}

// Adds the point of one command; false at the end of the path, or at a command that is not known.
static bool next_point(const LithePlotPen *pen, char command, const char **at, double *x,
                       double *y) {
    char *rest = NULL;
    double first = strtod(*at, &rest), second = 0;
    bool pair = strchr("MLl", command) != NULL;
    if (rest == *at || !strchr("MLlHVhv", command))
        return false;
    if (pair)
        second = strtod(rest, &rest);
    *at = rest;
    *x = command == 'h' || command == 'l'   ? *x + first
         : command == 'V' || command == 'v' ? *x
                                            : pen->x + first;
    *y = command == 'v'   ? *y + first
         : command == 'l' ? *y + second
         : command == 'V' ? pen->y + first
         : pair           ? pen->y + second
                          : *y;
    return true;
}

static void draw_path(Reader *r, const Element *element) {
    const char *at = attribute(element, "d");
    LithePlotPen pen = pen_of(r, element);
    if (!at || !reserve(r, (int32_t)strlen(at) / 2 + 3))
        return;
    double x = 0, y = 0;
    int32_t count = 0;
    while (*at) {
        char command = *at++;
        if (command == 'M' && count > 0) {
            draw_points(r, &pen, count, false);
            count = 0;
        }
        if (command == 'Z' && count > 0) {
            r->points[2 * count] = r->points[0];
            r->points[2 * count + 1] = r->points[1];
            draw_points(r, &pen, count + 1, true);
            count = 0;
        } else if (next_point(&pen, command, &at, &x, &y)) {
            r->points[2 * count] = x;
            r->points[2 * count++ + 1] = y;
        }
    }
    if (count > 0)
        draw_points(r, &pen, count, false);
}

// --- text ----------------------------------------------------------------------------------------

static void draw_runs(Reader *r, LithePlotPen *pen, double x, double y, const Run *runs,
                      int32_t count) {
    double width = 0, along = 0;
    for (int32_t i = 0; i < count; i++)
        width += r->canvas->width(runs[i].text, runs[i].font, pen->bold);
    along = -pen->anchor * width;
    for (int32_t i = 0; i < count; i++) {
        pen->font = runs[i].font;
        double across = runs[i].rise;
        r->canvas->text(r->canvas->to, pen, x + (pen->upright ? across : along),
                        y + (pen->upright ? -along : across), runs[i].text);
        along += r->canvas->width(runs[i].text, runs[i].font, pen->bold);
    }
}

// A text and its tspans, up to </text>; returns what follows.
static char *draw_text(Reader *r, const Element *element, char *at) {
    LithePlotPen pen = pen_of(r, element);
    double x = pen.x + number(element, "x", 0), y = pen.y + number(element, "y", 0);
    const char *turn = attribute(element, "transform");
    if (turn && strncmp(turn, "translate(", 10) == 0) {
        char *rest;
        x = pen.x + strtod(turn + 10, &rest);
        y = pen.y + strtod(rest, NULL);
        pen.upright = strstr(turn, "rotate(-90)") != NULL;
    }
    Run runs[MAX_RUNS];
    int32_t count = 0;
    double font = pen.font, rise = 0;
    for (bool open = true; open && *at;) {
        char *text = at;
        at = strchr(at, '<');
        if (!at)
            break;
        *at++ = '\0';
        decode(text);
        if (*text && count < MAX_RUNS)
            runs[count++] = (Run){text, font, rise};
        Element inner;
        at = read_element(at, &inner);
        open = strcmp(inner.name, "/text") != 0;
        font = number(&inner, "font-size", pen.font);
        rise = number(&inner, "dy", 0);
    }
    draw_runs(r, &pen, x, y, runs, count);
    return at ? at : "";
}

// --- the document --------------------------------------------------------------------------------

static void open_group(Reader *r, const Element *element) {
    LithePlotPen pen = pen_of(r, element);
    const char *move = attribute(element, "transform");
    if (move && strncmp(move, "translate(", 10) == 0) {
        char *rest;
        pen.x += strtod(move + 10, &rest);
        pen.y += strtod(rest, NULL);
    }
    if (attribute(element, "clip-path")) {
        pen.clipped = true;
        memcpy(pen.clip, r->frame, sizeof pen.clip);
    }
    if (r->depth + 1 < MAX_DEPTH)
        r->stack[++r->depth] = pen;
}

LitheStatus lithe_plot_read_svg(LitheContext *context, char *svg, const LithePlotCanvas *canvas,
                                LitheError *error) {
    Reader r = {.context = context, .canvas = canvas};
    r.stack[0] = (LithePlotPen){.filled = true, .opacity = 1, .width = 1, .font = 13};
    bool framing = false; // inside of clipPath
    char *at = svg;
    while (!r.failed && at && (at = strchr(at, '<'))) {
        Element element;
        at = read_element(at + 1, &element);
        if (strcmp(element.name, "g") == 0) {
            open_group(&r, &element);
        } else if (strcmp(element.name, "/g") == 0) {
            r.depth -= r.depth > 0;
        } else if (strcmp(element.name, "clipPath") == 0) {
            framing = true;
        } else if (strcmp(element.name, "rect") == 0 && framing) {
            const LithePlotPen *pen = &r.stack[r.depth];
            r.frame[0] = pen->x + number(&element, "x", 0);
            r.frame[1] = pen->y + number(&element, "y", 0);
            r.frame[2] = r.frame[0] + number(&element, "width", 0);
            r.frame[3] = r.frame[1] + number(&element, "height", 0);
            framing = false;
        } else if (strcmp(element.name, "rect") == 0) {
            draw_rect(&r, &element);
        } else if (strcmp(element.name, "circle") == 0) {
            draw_circle(&r, &element);
        } else if (strcmp(element.name, "path") == 0) {
            draw_path(&r, &element);
        } else if (strcmp(element.name, "text") == 0) {
            at = draw_text(&r, &element, at);
        }
    }
    lithe_free(context, r.points);
    return r.failed ? lithe_fail_memory(error, "a chart") : LITHE_OK;
}
