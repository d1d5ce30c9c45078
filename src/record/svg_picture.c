// SPDX-License-Identifier: Apache-2.0
// record/svg_picture.c - a picture as a vector drawing: pieces sorted by depth, painted back to
// front
//
// A round tube is divided into short runs. Each run has a few strokes on top of each other: a dark
// outline, the body, and lighter ones shifted towards the light. The outline of a nearer run
// separates it from the farther one, so that crossings are visible. Belts and meshes are painted
// face by face.

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/svg_parts.h"

typedef LitheSvgDot Dot;
typedef LitheSvgPiece Piece;
typedef LitheSvgPieceKind PieceKind;
typedef LitheSvgDrawing Drawing;

enum { RUN = 3 }; // intervals of a run: short enough that touching tubes are sorted correctly

static const LitheColour black = {0.06, 0.06, 0.08}, white = {1, 0.98, 0.94};

static LitheColour blend(LitheColour a, LitheColour b, double f) {
    return (LitheColour){a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b)};
}

// Darker for a negative tone, lighter for a positive one, -1..1.
static LitheColour toned(LitheColour base, double tone) {
    return tone < 0 ? blend(base, black, -tone) : blend(base, white, tone);
}

static LitheColour from_linear(Vec3 a) {
    return (LitheColour){lithe_picture_to_srgb(a.x), lithe_picture_to_srgb(a.y),
                         lithe_picture_to_srgb(a.z)};
}

static bool add_piece(Drawing *d, Piece piece) {
    if (!LITHE_RESERVE(d->context, d->pieces, d->piece_capacity, (int64_t)d->piece_count + 1))
        return false;
    d->pieces[d->piece_count++] = piece;
    return true;
}

// --- round tubes ---------------------------------------------------------------------------------

static bool project_tube(Drawing *d, int32_t k) {
    const LithePictureCurve *curve = &d->curves[k];
    Dot *dots = d->dots[k] = lithe_alloc_array(d->context, curve->count, sizeof *dots);
    if (!dots)
        return false;
    for (int32_t i = 0; i < curve->count; i++) {
        Dot *dot = &dots[i];
        const LithePictureSample *s = &curve->samples[i];
        if (lithe_picture_project(&d->view, s->x, &dot->x, &dot->y, &dot->depth))
            dot->r = d->view.focal * s->scale / dot->depth;
        // across the tube, towards the light (up and to the left in the image)
        double tx = v3_dot(s->t, d->view.right), ty = -v3_dot(s->t, d->view.up), n = hypot(tx, ty);
        double across = n > 1e-9 ? (ty * 0.55 - tx * 0.83) / n : 0;
        dot->lx = n > 1e-9 ? -ty / n * across : -0.55;
        dot->ly = n > 1e-9 ? tx / n * across : -0.83;
    }
    return true;
}

static bool add_round(Drawing *d, int32_t k) {
    const LithePictureCurve *curve = &d->curves[k];
    const Dot *dots = d->dots[k];
    bool ok = true;
    for (int32_t i = 0; ok && i + 1 < curve->count; i += RUN) {
        int32_t last = i + RUN < curve->count ? i + RUN : curve->count - 1;
        double depth = 0;
        bool seen = true;
        for (int32_t j = i; j <= last; j++) {
            depth += dots[j].depth / (last - i + 1);
            seen = seen && dots[j].r > 0;
        }
        if (seen)
            ok = add_piece(
                d,
                (Piece){.depth = depth, .kind = PIECE_RUN, .index = k, .first = i, .last = last});
    }
    bool open = !d->picture->tubes[k].closed || curve->count < 4;
    for (int32_t e = 0; ok && open && e < 2; e++) {
        int32_t at = e ? curve->count - 1 : 0;
        if (dots[at].r > 0)
            ok = add_piece(d, (Piece){.depth = dots[at].depth,
                                      .kind = PIECE_END,
                                      .index = k,
                                      .first = at,
                                      .last = at});
    }
    return ok;
}

// The run with one more sample on either side where there is one, without which bends would show
// gaps.
static void run_range(const Drawing *d, const Piece *piece, int32_t *first, int32_t *last) {
    int32_t count = d->curves[piece->index].count;
    *first = piece->first > 0 ? piece->first - 1 : piece->first;
    *last = piece->last < count - 1 ? piece->last + 1 : piece->last;
}

// Path of a run, moved towards the light by `off` radii and lengthened by `more` pixels at the
// ends.
static void run_path(Drawing *d, const Piece *piece, double off, double more) {
    const Dot *dots = d->dots[piece->index];
    int32_t first, last;
    run_range(d, piece, &first, &last);
    for (int32_t i = first; i <= last; i++) {
        double x = dots[i].x + off * dots[i].r * dots[i].lx;
        double y = dots[i].y + off * dots[i].r * dots[i].ly;
        int32_t next = i == first ? i + 1 : i == last ? i - 1 : i;
        double ex = dots[i].x - dots[next].x, ey = dots[i].y - dots[next].y, n = hypot(ex, ey);
        if (n > 1e-9) {
            x += more * ex / n;
            y += more * ey / n;
        }
        lithe_svg(d->file, i == first ? "M%n %n" : "L%n %n", x, y);
    }
}

static void run_stroke(Drawing *d, const Piece *piece, double off, double more, double width,
                       LitheColour colour) {
    lithe_svg(d->file, "<path d=\"");
    run_path(d, piece, off, more);
    lithe_svg(d->file, "\" stroke=\"%c\" stroke-width=\"%n\"/>", colour, width);
}

// The visible parts of a line on the surface at angle `w` [rad], which may vary along the tube.
static void surface_line(Drawing *d, const Piece *piece, double w, double turn, double width,
                         LitheColour colour) {
    const LithePictureCurve *curve = &d->curves[piece->index];
    bool down = false;
    int32_t first, last;
    run_range(d, piece, &first, &last);
    for (int32_t i = first; i <= last; i++) {
        const LithePictureSample *s = &curve->samples[i];
        double a = w + turn * s->s / s->scale, px, py, depth;
        Vec3 m2 = v3_cross(s->t, s->m1);
        Vec3 n = v3_add(v3_scale(cos(a), s->m1), v3_scale(sin(a), m2));
        Vec3 x = v3_axpy(s->scale, n, s->x);
        bool seen = v3_dot(n, v3_sub(d->view.eye, x)) > 0 &&
                    lithe_picture_project(&d->view, x, &px, &py, &depth);
        if (seen && !down)
            lithe_svg(d->file, "<path stroke=\"%c\" stroke-width=\"%n\" d=\"M%n %n", colour, width,
                      px, py);
        else if (seen)
            lithe_svg(d->file, "L%n %n", px, py);
        else if (down)
            fputs("\"/>", d->file);
        down = seen;
    }
    if (down)
        fputs("\"/>", d->file);
}

static double outline(double r) {
    return fmin(fmax(0.09 * r, 0.7), 2.5);
}

static void draw_run(Drawing *d, const Piece *piece) {
    const LithePictureTube *tube = &d->picture->tubes[piece->index];
    const LithePictureSample *middle =
        &d->curves[piece->index].samples[(piece->first + piece->last) / 2];
    double r = d->dots[piece->index][(piece->first + piece->last) / 2].r;
    LitheColour base = from_linear(middle->rgb);
    run_stroke(d, piece, 0, 0, 2 * r + 2 * outline(r), blend(base, black, 0.82));
    if (tube->finish == LITHE_PICTURE_FLAT) {
        run_stroke(d, piece, 0, 0.4, 2 * r, base);
        return;
    }
    static const double off[] = {0, 0.08, 0.16, 0.23, 0.30, 0.36, 0.40, 0.44};
    static const double wide[] = {2, 1.82, 1.60, 1.36, 1.08, 0.80, 0.52, 0.24};
    static const double tone[] = {-0.42, -0.30, -0.19, -0.09, 0, 0.08, 0.19, 0.34};
    int layers = tube->finish == LITHE_PICTURE_ROPE ? 6 : 8, skip = r < 4 ? 3 : 1;
    // lighter strokes are longer, or darker ends would be visible in a bend
    for (int k = 0; k < layers; k += skip)
        run_stroke(d, piece, off[k], 0.4 + 0.06 * k * r, wide[k] * r, toned(base, tone[k]));
    LitheColour groove = blend(base, black, 0.6);
    double turn = -2 * M_PI / (double)LITHE_PICTURE_PITCH;
    if (tube->closed) { // whole turns, so that the strands join
        const LithePictureCurve *curve = &d->curves[piece->index];
        double all = curve->samples[curve->count - 1].s / curve->samples[0].scale;
        turn = -2 * M_PI * fmax(round(all / (double)LITHE_PICTURE_PITCH), 1) / all;
    }
    if (tube->finish == LITHE_PICTURE_ROPE && r > 3)
        for (int k = 0; k < 3; k++)
            surface_line(d, piece, 2 * M_PI * k / 3, turn, fmax(0.12 * r, 0.5), groove);
    else if (tube->stripe > 0)
        surface_line(d, piece, 0, 0, 0.3 * r, blend(base, white, 0.9 * tube->stripe));
}

static void draw_ball(Drawing *d, double x, double y, double r, LitheColour base, bool lit) {
    const char *disc = "<circle cx=\"%n\" cy=\"%n\" r=\"%n\" fill=\"%c\"/>";
    lithe_svg(d->file, disc, x, y, r + outline(r), blend(base, black, 0.82));
    if (!lit) {
        lithe_svg(d->file, disc, x, y, r, base);
        return;
    }
    int id = d->gradients++;
    lithe_svg(d->file,
              "<radialGradient id=\"ball%d\" cx=\"0.5\" cy=\"0.5\" r=\"0.5\" fx=\"0.33\" "
              "fy=\"0.26\"><stop offset=\"0\" stop-color=\"%c\"/><stop offset=\"0.25\" "
              "stop-color=\"%c\"/><stop offset=\"0.6\" stop-color=\"%c\"/><stop offset=\"1\" "
              "stop-color=\"%c\"/></radialGradient>",
              id, toned(base, 0.5), toned(base, 0.15), base, toned(base, -0.42));
    lithe_svg(d->file, "<circle cx=\"%n\" cy=\"%n\" r=\"%n\" fill=\"url(#ball%d)\"/>", x, y, r, id);
}

// --- belts, meshes, balls and arrows -------------------------------------------------------------

// Adds a face with its corners in space when it faces the eye (or always, for open meshes).
static bool add_face(Drawing *d, const Vec3 *x, int32_t corners, LitheColour base, bool lit,
                     bool both_sides, bool belt, double stripe) {
    Piece piece = {.kind = PIECE_FACE, .corners = corners, .belt = belt, .stripe = stripe};
    Vec3 middle = {0};
    for (int32_t k = 0; k < corners; k++) {
        double depth;
        if (!lithe_picture_project(&d->view, x[k], &piece.x[k], &piece.y[k], &depth))
            return true;
        middle = v3_axpy(1.0 / corners, x[k], middle);
        piece.depth += depth / corners;
    }
    Vec3 n = v3_unit(v3_cross(v3_sub(x[2], x[0]), v3_sub(x[corners - 1], x[1])));
    if (corners == 3)
        n = v3_unit(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
    if (v3_dot(n, v3_sub(d->view.eye, middle)) <= 0) {
        if (!both_sides)
            return true;
        n = v3_neg(n);
    }
    double light = lit ? 0.5 * v3_dot(n, d->key) + 0.12 * n.z : 0;
    piece.colour = light < 0.12 && lit ? blend(base, black, fmin(0.12 - light, 0.6) * 0.9)
                                       : blend(base, white, fmax(light - 0.12, 0) * 0.6);
    return add_piece(d, piece);
}

static bool add_belt(Drawing *d, int32_t k) {
    const LithePictureTube *tube = &d->picture->tubes[k];
    const LithePictureCurve *curve = &d->curves[k];
    bool flat = tube->section == LITHE_PICTURE_RECTANGLE, ok = true;
    LithePictureCorner corners[LITHE_PICTURE_CORNERS];
    double a = tube->half_width, b = tube->half_height;
    int32_t n = flat ? 5 : lithe_picture_outline(tube, 16, corners);
    if (flat) // sharp corners: a drawing needs no bevel
        for (int q = 0; q < 5; q++)
            corners[q] =
                (LithePictureCorner){.c = q == 0 || q >= 3 ? a : -a, .d = q < 2 || q == 4 ? b : -b};
    for (int32_t i = 0; ok && i + 1 < curve->count; i++) {
        const LithePictureSample *s = &curve->samples[i];
        Vec3 m2[2] = {v3_cross(s[0].t, s[0].m1), v3_cross(s[1].t, s[1].m1)};
        LitheColour base = from_linear(s->rgb);
        for (int32_t j = 0; ok && j + 1 < n; j++) {
            Vec3 x[4];
            for (int q = 0; q < 4; q++) {
                int at = q == 1 || q == 2; // 0 and 1 lie on one long edge, 2 and 3 on the other
                const LithePictureCorner *c = &corners[q >= 2 ? j : j + 1];
                x[q] = v3_add(s[at].x, v3_add(v3_scale(c->c, s[at].m1), v3_scale(c->d, m2[at])));
            }
            ok = add_face(d, x, 4, base, tube->finish != LITHE_PICTURE_FLAT, false, flat,
                          flat && j % 2 == 0 ? tube->stripe : 0);
        }
    }
    return ok;
}

static bool add_mesh(Drawing *d, const LithePictureMesh *mesh) {
    bool ok = true;
    for (int32_t i = 0; ok && i < mesh->triangle_count; i++) {
        Vec3 x[3];
        for (int k = 0; k < 3; k++)
            x[k] = v3_load(mesh->points + 3 * mesh->triangles[3 * i + k]);
        LitheColour colour = lithe_picture_face_colour(mesh, i);
        ok = add_face(d, x, 3, colour, mesh->finish != LITHE_PICTURE_FLAT, true, false, 0);
    }
    return ok;
}

static void draw_face(Drawing *d, const Piece *p) {
    lithe_svg(d->file, "<path d=\"");
    for (int32_t k = 0; k < p->corners; k++)
        lithe_svg(d->file, k ? "L%n %n" : "M%n %n", p->x[k], p->y[k]);
    // a thin stroke in the same colour closes the seams
    lithe_svg(d->file, "Z\" fill=\"%c\" stroke=\"%c\" stroke-width=\"0.6\"/>", p->colour,
              p->colour);
    if (!p->belt)
        return;
    lithe_svg(d->file, "<path d=\"M%n %nL%n %nM%n %nL%n %n\" stroke=\"%c\" stroke-width=\"1\"/>",
              p->x[0], p->y[0], p->x[1], p->y[1], p->x[2], p->y[2], p->x[3], p->y[3],
              blend(p->colour, black, 0.75));
    for (int k = 0; k < 2 && p->stripe > 0; k++) {
        double f = k ? 0.83 : 0.17, ax = p->x[0] + f * (p->x[3] - p->x[0]);
        double ay = p->y[0] + f * (p->y[3] - p->y[0]), bx = p->x[1] + f * (p->x[2] - p->x[1]);
        double by = p->y[1] + f * (p->y[2] - p->y[1]);
        double across = fabs((p->x[3] - p->x[0]) * (by - ay) - (p->y[3] - p->y[0]) * (bx - ax));
        double ux = bx - ax, uy = by - ay, n = fmax(hypot(ux, uy), 1e-9);
        ax -= 0.5 * ux / n, ay -= 0.5 * uy / n;
        bx += 0.5 * ux / n, by += 0.5 * uy / n;
        double width = 0.06 * across / n;
        lithe_svg(d->file, "<path d=\"M%n %nL%n %n\" stroke=\"%c\" stroke-width=\"%n\"/>", ax, ay,
                  bx, by, blend(p->colour, white, 0.9 * p->stripe), width);
    }
}

static bool add_small(Drawing *d, PieceKind kind, int32_t index, Vec3 middle, bool mark) {
    double x, y, depth, part = mark ? LITHE_PICTURE_MARK : 1;
    return !lithe_picture_project(&d->view, middle, &x, &y, &depth) ||
           add_piece(d, (Piece){.kind = kind, .index = index, .depth = part * depth});
}

static void draw_sphere(Drawing *d, const LithePictureSphere *sphere) {
    double x, y, depth, far = v3_distance(sphere->centre, d->view.eye), r = sphere->radius;
    if (far > r && lithe_picture_project(&d->view, sphere->centre, &x, &y, &depth))
        draw_ball(d, x, y, d->view.focal * r / sqrt(far * far - r * r), sphere->colour,
                  sphere->finish != LITHE_PICTURE_FLAT && !sphere->mark);
}

static void draw_arrow(Drawing *d, const LithePictureArrow *arrow) {
    double x0, y0, z0, x1, y1, z1;
    if (!lithe_picture_project(&d->view, arrow->from, &x0, &y0, &z0) ||
        !lithe_picture_project(&d->view, arrow->to, &x1, &y1, &z1))
        return;
    double length = fmax(hypot(x1 - x0, y1 - y0), 1e-9);
    double r = d->view.focal * arrow->radius / z1, head = fmin(8 * r, length);
    double tx = (x1 - x0) / length, ty = (y1 - y0) / length;
    double nx = x1 - head * tx, ny = y1 - head * ty, w = 3 * r;
    LitheColour dark = blend(arrow->colour, black, 0.7);
    for (int pass = 0; pass < 2; pass++) {
        double more = pass ? 0 : 2 * outline(2 * r);
        LitheColour c = pass ? arrow->colour : dark;
        lithe_svg(d->file,
                  "<path d=\"M%n %nL%n %n\" stroke=\"%c\" stroke-width=\"%n\"/>"
                  "<path d=\"M%n %nL%n %nL%n %nZ\" fill=\"%c\" stroke=\"%c\" "
                  "stroke-width=\"%n\" stroke-linejoin=\"round\"/>",
                  x0, y0, nx + tx, ny + ty, c, 2 * r + more, x1, y1, nx - w * ty, ny + w * tx,
                  nx + w * ty, ny - w * tx, c, c, more);
    }
}

// --- entry ---------------------------------------------------------------------------------------

static int far_first(const void *a, const void *b) {
    const Piece *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    // equal depths have a fixed order, independent of the sorting algorithm
    int order = (int)p->kind - (int)q->kind;
    order = order ? order : p->index - q->index;
    return order ? order : p->first - q->first;
}

static bool gather(Drawing *d) {
    const LithePicture *picture = d->picture;
    d->curves = lithe_alloc_array(d->context, picture->tube_count, sizeof *d->curves);
    d->dots = lithe_alloc_array(d->context, picture->tube_count, sizeof *d->dots);
    bool ok = d->curves && d->dots;
    // pieces shorter than two pixels would only enlarge the file
    double pixel = lithe_picture_pixel(picture, &d->view);
    for (int32_t k = 0; ok && k < picture->tube_count; k++) {
        const LithePictureTube *tube = &picture->tubes[k];
        bool round = tube->section == LITHE_PICTURE_CIRCLE;
        double r = round && tube->radii ? tube->radii[0] : tube->half_width;
        ok = lithe_picture_curve(d->context, tube, fmax((round ? 0.35 : 0.3) * r, 2 * pixel),
                                 &d->view, &d->curves[k]) &&
             project_tube(d, k) && (round ? add_round(d, k) : add_belt(d, k));
    }
    for (int32_t i = 0; ok && i < picture->mesh_count; i++)
        ok = add_mesh(d, &picture->meshes[i]);
    for (int32_t i = 0; ok && i < picture->sphere_count; i++)
        ok = add_small(d, PIECE_BALL, i, picture->spheres[i].centre, picture->spheres[i].mark);
    for (int32_t i = 0; ok && i < picture->arrow_count; i++) {
        const LithePictureArrow *arrow = &picture->arrows[i];
        ok = add_small(d, PIECE_ARROW, i, v3_mix(arrow->from, arrow->to, 0.5), arrow->mark);
    }
    if (ok && d->piece_count > 0)
        qsort(d->pieces, (size_t)d->piece_count, sizeof *d->pieces, far_first);
    return ok;
}

static void draw_piece(Drawing *d, const Piece *piece) {
    const Dot *dot;
    switch (piece->kind) {
    case PIECE_RUN:
        draw_run(d, piece);
        break;
    case PIECE_END:
        dot = &d->dots[piece->index][piece->first];
        draw_ball(d, dot->x, dot->y, dot->r,
                  from_linear(d->curves[piece->index].samples[piece->first].rgb),
                  d->picture->tubes[piece->index].finish != LITHE_PICTURE_FLAT);
        break;
    case PIECE_FACE:
        draw_face(d, piece);
        break;
    case PIECE_BALL:
        draw_sphere(d, &d->picture->spheres[piece->index]);
        break;
    case PIECE_ARROW:
        draw_arrow(d, &d->picture->arrows[piece->index]);
        break;
    }
    fputc('\n', d->file);
}

static void draw(Drawing *d) {
    const LithePicture *picture = d->picture;
    lithe_svg_begin(d->file, picture->width, picture->height, picture->title);
    lithe_svg(d->file, "<rect width=\"%d\" height=\"%d\" fill=\"%c\"/>\n", picture->width,
              picture->height, lithe_picture_background(picture));
    lithe_svg_floor(d);
    fputs("<g fill=\"none\" stroke-linejoin=\"round\">\n", d->file);
    for (int32_t i = 0; i < d->piece_count; i++)
        draw_piece(d, &d->pieces[i]);
    fputs("</g>\n", d->file);
    for (int32_t i = 0; i < picture->label_count; i++) {
        const LithePictureLabel *label = &picture->labels[i];
        double x, y, depth, size = label->size > 0 ? label->size : 0.018 * picture->height;
        // a capital letter is about 0.72 of the size of its font
        if (lithe_picture_project(&d->view, label->at, &x, &y, &depth))
            lithe_svg(d->file,
                      "<text x=\"%n\" y=\"%n\" font-size=\"%n\" fill=\"%c\" stroke=\"%c\" "
                      "stroke-width=\"%n\" paint-order=\"stroke\">%t</text>\n",
                      x, y + 0.5 * size, size / 0.72, picture->dark ? white : black,
                      lithe_picture_background(picture), 0.35 * size, label->text);
    }
    lithe_picture_scale_svg(picture, d->file);
    lithe_svg_end(d->file);
}

LitheStatus lithe_picture_write_svg(LitheContext *context, const LithePicture *picture,
                                    const char *path, LitheError *error) {
    LitheStatus status = lithe_picture_check(picture, error);
    if (status != LITHE_OK)
        return status;
    LithePictureCamera camera = lithe_picture_camera(picture);
    Vec3 rim;
    Drawing d = {.context = context, .picture = picture};
    d.view = lithe_picture_view(picture, &camera);
    d.key = lithe_picture_key(&d.view, &rim);
    d.ground = lithe_picture_ground(picture);
    LitheFileReplace replace;
    status = gather(&d) ? lithe_file_replace_begin(context, path, &replace, error)
                        : lithe_fail_memory(error, "a drawing");
    if (status == LITHE_OK) {
        d.file = replace.file;
        draw(&d);
        status = lithe_file_replace_commit(&replace, error);
    }
    for (int32_t k = 0; k < picture->tube_count; k++) {
        if (d.curves)
            lithe_free(context, d.curves[k].samples);
        if (d.dots)
            lithe_free(context, d.dots[k]);
    }
    lithe_free(context, d.curves);
    lithe_free(context, d.dots);
    lithe_free(context, d.pieces);
    return status;
}
