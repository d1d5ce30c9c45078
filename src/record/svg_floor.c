// SPDX-License-Identifier: Apache-2.0
// record/svg_floor.c - the floor of a vector drawing: its grid, and soft shadows

#include <math.h>

#include "record/svg_parts.h"

typedef LitheSvgDrawing Drawing;

// Where the shadow of x falls, in pixels.
static bool shadow_of(const Drawing *d, Vec3 x, double *px, double *py, double *depth) {
    Vec3 on_floor = v3_axpy(-(x.z - d->ground) / d->key.z, d->key, x);
    return lithe_picture_project(&d->view, on_floor, px, py, depth);
}

// A stroke as wide as the tube; for a belt the strip between its two edges.
static void tube_shadow(Drawing *d, int32_t k) {
    const LithePictureCurve *curve = &d->curves[k];
    const LithePictureTube *tube = &d->picture->tubes[k];
    bool belt = tube->section != LITHE_PICTURE_CIRCLE;
    double x, y, depth, width = 0;
    int32_t seen = 0, ends = belt ? 2 * curve->count : curve->count;
    fputs("<path d=\"", d->file);
    for (int32_t j = 0; j < ends; j++) {
        bool back = j >= curve->count;
        const LithePictureSample *s = &curve->samples[back ? ends - 1 - j : j];
        double aside = !belt ? 0 : back ? -tube->half_width : tube->half_width;
        if (!shadow_of(d, v3_axpy(aside, s->m1, s->x), &x, &y, &depth))
            continue;
        lithe_svg(d->file, seen++ ? "L%n %n" : "M%n %n", x, y);
        width += d->view.focal * (belt ? tube->half_height : s->scale) / depth;
    }
    lithe_svg(d->file,
              belt ? "Z\" fill=\"#000\" stroke-width=\"%n\"/>" : "\" stroke-width=\"%n\"/>",
              seen ? 1.6 * width / seen : 0);
}

static void draw_shadows(Drawing *d) {
    const LithePicture *picture = d->picture;
    double x, y, depth;
    fputs("<g fill=\"none\" stroke=\"#000\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
          "opacity=\"0.28\" filter=\"url(#soft)\">",
          d->file);
    for (int32_t k = 0; k < picture->tube_count; k++)
        tube_shadow(d, k);
    for (int32_t i = 0; i < picture->sphere_count; i++)
        if (!picture->spheres[i].mark && shadow_of(d, picture->spheres[i].centre, &x, &y, &depth)) {
            double r = d->view.focal * picture->spheres[i].radius / depth;
            lithe_svg(d->file,
                      "<ellipse cx=\"%n\" cy=\"%n\" rx=\"%n\" ry=\"%n\" fill=\"#000\" "
                      "stroke=\"none\"/>",
                      x, y, 1.15 * r, r * fmax(fabs(d->view.forward.z), 0.15));
        }
    for (int32_t i = 0; i < picture->mesh_count; i++)
        for (int32_t t = 0; t < picture->meshes[i].triangle_count; t++) {
            fputs("<path fill=\"#000\" stroke=\"none\" d=\"", d->file);
            for (int k = 0; k < 3; k++) {
                int32_t at = picture->meshes[i].triangles[3 * t + k];
                if (shadow_of(d, v3_load(picture->meshes[i].points + 3 * at), &x, &y, &depth))
                    lithe_svg(d->file, k ? "L%n %n" : "M%n %n", x, y);
            }
            fputs("\"/>", d->file);
        }
    fputs("</g>\n", d->file);
}

static void draw_grid(Drawing *d, Vec3 centre, double radius) {
    double step = lithe_picture_grid(radius), reach = 2.2 * radius;
    lithe_svg(d->file,
              "<g stroke=\"%c\" stroke-opacity=\"0.16\" stroke-width=\"1\" fill=\"none\" "
              "mask=\"url(#fade)\">",
              d->picture->dark ? (LitheColour){1, 0.98, 0.94} : (LitheColour){0.06, 0.06, 0.08});
    for (int axis = 0; axis < 2; axis++) {
        double c = axis ? centre.y : centre.x, o = axis ? centre.x : centre.y;
        for (double a = ceil((c - reach) / step) * step; a <= c + reach; a += step) {
            double half = sqrt(fmax(reach * reach - (a - c) * (a - c), 0)), x[2], y[2], depth;
            bool seen = true;
            for (int e = 0; e < 2; e++) {
                double b = o + (e ? half : -half);
                Vec3 p = axis ? v3(b, a, d->ground) : v3(a, b, d->ground);
                seen = seen && lithe_picture_project(&d->view, p, &x[e], &y[e], &depth);
            }
            if (seen)
                lithe_svg(d->file, "<path d=\"M%n %nL%n %n\"/>", x[0], y[0], x[1], y[1]);
        }
    }
    fputs("</g>\n", d->file);
}

void lithe_svg_floor(Drawing *d) {
    Vec3 box[2];
    lithe_picture_box(d->picture, box);
    Vec3 centre = v3_mix(box[0], box[1], 0.5);
    double radius = 0.5 * v3_distance(box[0], box[1]), x, y, depth;
    centre.z = d->ground;
    if (!d->picture->ground || d->view.eye.z <= d->ground ||
        !lithe_picture_project(&d->view, centre, &x, &y, &depth))
        return;
    double r = 2.2 * radius * d->view.focal / depth;
    lithe_svg(d->file,
              "<defs><filter id=\"soft\" x=\"-20%\" y=\"-20%\" width=\"140%\" height=\"140%\">"
              "<feGaussianBlur stdDeviation=\"%n\"/></filter>"
              "<radialGradient id=\"fall\"><stop offset=\"0.2\" stop-color=\"#fff\"/>"
              "<stop offset=\"1\" stop-color=\"#000\"/></radialGradient>"
              "<mask id=\"fade\" maskUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"%d\" "
              "height=\"%d\"><ellipse cx=\"%n\" cy=\"%n\" rx=\"%n\" ry=\"%n\" "
              "fill=\"url(#fall)\"/></mask></defs>\n",
              0.012 * radius * d->view.focal / depth + 2, d->picture->width, d->picture->height, x,
              y, r, r * fmax(fabs(d->view.forward.z), 0.2));
    if (d->picture->grid)
        draw_grid(d, centre, radius);
    draw_shadows(d);
}
