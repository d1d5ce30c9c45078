// SPDX-License-Identifier: Apache-2.0
// record/picture_raster.c - triangles to pixels
//
// The image is divided into bands of rows, each drawn independently. First every sample (3 x 3 per
// pixel) finds the nearest triangle. Then every pixel shades each visible triangle once, at the
// centre of its samples. Bands share no data that is written, so the bits do not depend on threads.

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/picture_parts.h"

enum { GRID = 3, BAND = 24, CODES = 4096 };

// what lies on the floor is drawn: the floor counts as farther away by this fraction of its
// distance
#define FLOOR_SLACK 1e-4

typedef struct Corner {
    float x, y; // in samples
    float near; // 1/depth, 1/m; 0 when not to be drawn
} Corner;

typedef struct Frame {
    const LithePicture *picture;
    const LithePictureSurface *surface;
    const LithePictureStudio *studio;
    LithePictureView view;
    Corner *corners;       // [vertex_count]
    int32_t *first, *list; // triangles of band b: list[first[b]] .. list[first[b+1]-1]
    float *near;           // [slots * samples of a band] greatest 1/depth
    int32_t *owner;        // [slots * samples of a band] nearest triangle, -1: none
    int32_t samples;       // of a band
    int32_t start;         // first of the current bands
    int32_t bands;
    uint8_t codes[CODES + 1]; // sRGB of linear k/CODES
    uint8_t *rgba;
} Frame;

// --- projection and bands ------------------------------------------------------------------------

static void project_all(Frame *frame) {
    const LithePictureSurface *surface = frame->surface;
    for (int32_t i = 0; i < surface->vertex_count; i++) {
        const float *x = surface->vertices[i].x;
        double px, py, depth;
        Vec3 world = v3_add(surface->centre, v3(x[0], x[1], x[2]));
        Corner *c = &frame->corners[i];
        *c = (Corner){0};
        if (lithe_picture_project(&frame->view, world, &px, &py, &depth))
            *c = (Corner){(float)(GRID * px), (float)(GRID * py), (float)(1 / depth)};
    }
}

// Twice the signed area in samples; positive for a triangle that faces the eye.
static float facing(const Corner *a, const Corner *b, const Corner *c) {
    return (c->x - a->x) * (b->y - a->y) - (b->x - a->x) * (c->y - a->y);
}

// Bands that a triangle touches; false when there are none.
static bool bands_of(const Frame *frame, int32_t t, int32_t *low, int32_t *high) {
    const LithePictureTriangle *triangle = &frame->surface->triangles[t];
    const Corner *a = &frame->corners[triangle->v[0]], *b = &frame->corners[triangle->v[1]],
                 *c = &frame->corners[triangle->v[2]];
    if (a->near == 0 || b->near == 0 || c->near == 0)
        return false;
    float area = facing(a, b, c);
    if (area == 0 || (area < 0 && frame->surface->parts[triangle->part].cull))
        return false;
    float y0 = fminf(a->y, fminf(b->y, c->y)), y1 = fmaxf(a->y, fmaxf(b->y, c->y));
    float x0 = fminf(a->x, fminf(b->x, c->x)), x1 = fmaxf(a->x, fmaxf(b->x, c->x));
    float rows = (float)GRID * (float)frame->picture->height;
    float columns = (float)GRID * (float)frame->picture->width;
    if (!(y1 >= 0 && y0 < rows && x1 >= 0 && x0 < columns))
        return false;
    *low = (int32_t)(fmaxf(y0, 0) / (BAND * GRID));
    *high = (int32_t)(fminf(y1, rows - 1) / (BAND * GRID));
    return true;
}

// Lists the triangles of each band in their original order.
static bool sort_bands(Frame *frame, LitheContext *context) {
    int32_t low, high;
    frame->first = lithe_alloc_array(context, frame->bands + 2, sizeof *frame->first);
    if (!frame->first)
        return false;
    // counting sort: first[b+2] counts band b; after the sums, first[b+1] is where band b is filled
    for (int32_t t = 0; t < frame->surface->triangle_count; t++)
        if (bands_of(frame, t, &low, &high))
            for (int32_t b = low; b <= high; b++)
                frame->first[b + 2 < frame->bands + 1 ? b + 2 : frame->bands + 1]++;
    for (int32_t b = 2; b < frame->bands + 2; b++)
        frame->first[b] += frame->first[b - 1];
    frame->list = lithe_alloc_array(context, frame->first[frame->bands + 1], sizeof *frame->list);
    if (!frame->list)
        return false;
    for (int32_t t = 0; t < frame->surface->triangle_count; t++)
        if (bands_of(frame, t, &low, &high))
            for (int32_t b = low; b <= high; b++)
                frame->list[frame->first[b + 1]++] = t;
    return true;
}

// --- drawing a band ------------------------------------------------------------------------------

static void draw_triangle(const Frame *frame, int32_t t, int32_t top, int32_t rows, float *near,
                          int32_t *owner) {
    const int32_t *v = frame->surface->triangles[t].v;
    const Corner *a = &frame->corners[v[0]], *b = &frame->corners[v[1]], *c = &frame->corners[v[2]];
    int32_t columns = GRID * frame->picture->width;
    float x0 = fminf(a->x, fminf(b->x, c->x)), x1 = fmaxf(a->x, fmaxf(b->x, c->x));
    float y0 = fminf(a->y, fminf(b->y, c->y)), y1 = fmaxf(a->y, fmaxf(b->y, c->y));
    int32_t i0 = lithe_picture_first(x0, 0), i1 = lithe_picture_last(x1, columns - 1);
    int32_t j0 = lithe_picture_first(y0, top), j1 = lithe_picture_last(y1, top + rows - 1);
    // weights of b and c are linear in the image, and so is 1/depth
    float k = -1 / facing(a, b, c);
    float bx = (c->y - a->y) * k, by = -(c->x - a->x) * k;
    float cx = -(b->y - a->y) * k, cy = (b->x - a->x) * k;
    float db = b->near - a->near, dc = c->near - a->near;
    for (int32_t j = j0; j <= j1; j++) {
        float dy = (float)j + 0.5f - a->y;
        size_t row = (size_t)(j - top) * (size_t)columns;
        for (int32_t i = i0; i <= i1; i++) {
            float dx = (float)i + 0.5f - a->x;
            float wb = dx * bx + dy * by, wc = dx * cx + dy * cy;
            // a tiny overlap closes shared edges
            if (wb < -1e-5f || wc < -1e-5f || wb + wc > 1.00001f)
                continue;
            float z = a->near + wb * db + wc * dc;
            if (z > near[row + (size_t)i]) {
                near[row + (size_t)i] = z;
                owner[row + (size_t)i] = t;
            }
        }
    }
}

static void blend(const float *a, const float *b, const float *c, const float w[3], float *out) {
    for (int k = 0; k < 3; k++)
        out[k] = w[0] * a[k] + w[1] * b[k] + w[2] * c[k];
}

// Interpolates the attributes of the triangle at the sample (x, y).
static void find_hit(const Frame *frame, int32_t t, float x, float y, LithePictureHit *hit) {
    const LithePictureTriangle *triangle = &frame->surface->triangles[t];
    const LithePictureVertex *p = frame->surface->vertices + triangle->v[0],
                             *q = frame->surface->vertices + triangle->v[1],
                             *r = frame->surface->vertices + triangle->v[2];
    const Corner *a = &frame->corners[triangle->v[0]], *b = &frame->corners[triangle->v[1]],
                 *c = &frame->corners[triangle->v[2]];
    float k = -1 / facing(a, b, c), dx = x - a->x, dy = y - a->y;
    float wb = (dx * (c->y - a->y) - dy * (c->x - a->x)) * k;
    float wc = (dy * (b->x - a->x) - dx * (b->y - a->y)) * k;
    // weights in space are corrected by depth
    float w[3] = {(1 - wb - wc) * a->near, wb * b->near, wc * c->near};
    float sum = w[0] + w[1] + w[2];
    for (int i = 0; i < 3; i++)
        w[i] /= sum;
    blend(p->x, q->x, r->x, w, hit->x);
    blend(p->n, q->n, r->n, w, hit->n);
    blend(p->t, q->t, r->t, w, hit->t);
    blend(p->rgb, q->rgb, r->rgb, w, hit->rgb);
    blend(p->light, q->light, r->light, w, hit->light);
    hit->key = w[0] * p->key + w[1] * q->key + w[2] * r->key;
    hit->s = w[0] * p->s + w[1] * q->s + w[2] * r->s;
    hit->w = w[0] * p->w + w[1] * q->w + w[2] * r->w;
    const LithePicturePart *part = &frame->surface->parts[triangle->part];
    Vec3 eye = v3_sub(v3_sub(frame->view.eye, frame->surface->centre),
                      v3(hit->x[0], hit->x[1], hit->x[2]));
    hit->pixel = (float)(1 / (sum * frame->view.focal)) / part->radius;
    eye = v3_unit(eye);
    Vec3 n = v3_unit(v3(hit->n[0], hit->n[1], hit->n[2]));
    // an open mesh seen from behind
    if (!part->cull && v3_dot(n, eye) < 0)
        n = v3_neg(n);
    hit->eye[0] = (float)eye.x, hit->eye[1] = (float)eye.y, hit->eye[2] = (float)eye.z;
    hit->n[0] = (float)n.x, hit->n[1] = (float)n.y, hit->n[2] = (float)n.z;
}

// Mean colour of the samples of one pixel; `owner` points at the first of them.
static void shade_pixel(const Frame *frame, const int32_t *owner, int32_t px, int32_t py,
                        float rgb[3]) {
    int32_t columns = GRID * frame->picture->width, seen[GRID * GRID];
    for (int k = 0; k < GRID * GRID; k++)
        seen[k] = owner[(size_t)(k / GRID) * (size_t)columns + (size_t)(k % GRID)];
    rgb[0] = rgb[1] = rgb[2] = 0;
    bool done[GRID * GRID] = {false};
    for (int k = 0; k < GRID * GRID; k++) {
        if (done[k])
            continue;
        float count = 0, x = 0, y = 0, part[3];
        for (int m = k; m < GRID * GRID; m++)
            if (seen[m] == seen[k]) {
                done[m] = true;
                count++;
                x += (float)(GRID * px + m % GRID) + 0.5f;
                y += (float)(GRID * py + m / GRID) + 0.5f;
            }
        x /= count;
        y /= count;
        if (seen[k] < 0) {
            lithe_picture_backdrop(frame->picture, frame->surface, frame->studio, &frame->view,
                                   x / GRID, y / GRID, part);
        } else {
            LithePictureHit hit;
            find_hit(frame, seen[k], x, y, &hit);
            lithe_picture_shade(frame->studio,
                                &frame->surface->parts[frame->surface->triangles[seen[k]].part],
                                &hit, part);
        }
        for (int c = 0; c < 3; c++)
            rgb[c] += fminf(part[c], 1) * count / (GRID * GRID);
    }
}

// An empty band. The floor of a scene, whose 1/depth is linear in the image, hides what is below
// it.
static void clear_band(const Frame *frame, int32_t top, float *near, int32_t *owner) {
    const LithePictureView *view = &frame->view;
    int32_t columns = GRID * frame->picture->width;
    double height = view->eye.z - frame->surface->centre.z - frame->surface->ground;
    bool floor = frame->picture->ground && !frame->picture->ground_auto && height > 0;
    double scale = floor ? (1 - FLOOR_SLACK) / height : 0;
    for (int32_t j = 0; j < frame->samples / columns; j++) {
        double py = (top * GRID + j + 0.5) / GRID;
        double b = view->forward.z + (view->half_height - py) / view->focal * view->up.z;
        for (int32_t i = 0; i < columns; i++) {
            double px = (i + 0.5) / GRID;
            double down = -b - (px - view->half_width) / view->focal * view->right.z;
            near[(size_t)j * (size_t)columns + (size_t)i] = (float)fmax(scale * down, 0);
        }
    }
    for (int32_t i = 0; i < frame->samples; i++)
        owner[i] = -1;
}

static void draw_band(int32_t index, void *user) {
    Frame *frame = user;
    int32_t band = frame->start + index, width = frame->picture->width;
    if (band >= frame->bands)
        return;
    int32_t top = band * BAND, rows = frame->picture->height - top;
    rows = rows > BAND ? BAND : rows;
    float *near = frame->near + (size_t)index * (size_t)frame->samples;
    int32_t *owner = frame->owner + (size_t)index * (size_t)frame->samples;
    clear_band(frame, top, near, owner);
    for (int32_t i = frame->first[band]; i < frame->first[band + 1]; i++)
        draw_triangle(frame, frame->list[i], top * GRID, rows * GRID, near, owner);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < width; x++) {
            float rgb[3];
            uint8_t *out = frame->rgba + 4 * ((size_t)(top + y) * (size_t)width + (size_t)x);
            shade_pixel(frame, owner + (size_t)(y * GRID) * (size_t)(GRID * width) + x * GRID, x,
                        top + y, rgb);
            for (int c = 0; c < 3; c++)
                out[c] = frame->codes[(int32_t)(fminf(fmaxf(rgb[c], 0), 1) * CODES + 0.5f)];
            out[3] = 255;
        }
}

// --- the whole picture ---------------------------------------------------------------------------

static bool draw_frame(Frame *frame, LitheContext *context, LithePool *pool) {
    int32_t slots = pool ? lithe_pool_size(pool) : 1;
    frame->bands = (frame->picture->height + BAND - 1) / BAND;
    frame->samples = GRID * GRID * BAND * frame->picture->width;
    for (int k = 0; k <= CODES; k++)
        frame->codes[k] = (uint8_t)lround(255 * lithe_picture_to_srgb((double)k / CODES));
    frame->corners =
        lithe_alloc_array(context, frame->surface->vertex_count, sizeof *frame->corners);
    frame->near = lithe_alloc_array(context, (int64_t)slots * frame->samples, sizeof(float));
    frame->owner = lithe_alloc_array(context, (int64_t)slots * frame->samples, sizeof(int32_t));
    if (!frame->corners || !frame->near || !frame->owner)
        return false;
    project_all(frame);
    if (!sort_bands(frame, context))
        return false;
    for (frame->start = 0; frame->start < frame->bands; frame->start += slots)
        lithe_pool_run(pool, slots, LITHE_COST_LARGE, draw_band, frame);
    return true;
}

static void draw_labels(const Frame *frame, LitheImage *image) {
    const LithePicture *picture = frame->picture;
    LitheColour ink =
        picture->dark ? (LitheColour){0.92, 0.91, 0.88} : (LitheColour){0.16, 0.17, 0.20};
    LitheColour halo = lithe_picture_background(picture);
    for (int32_t i = 0; i < picture->label_count; i++) {
        const LithePictureLabel *label = &picture->labels[i];
        double x, y, depth, size = label->size > 0 ? label->size : 0.018 * picture->height;
        if (lithe_picture_project(&frame->view, label->at, &x, &y, &depth))
            lithe_picture_text(image, x, y, size, ink, halo, label->text);
    }
}

LitheStatus lithe_picture_render(LitheContext *context, const LithePicture *picture,
                                 LithePool *pool, LitheImage *image, LitheError *error) {
    LitheStatus status = lithe_picture_check(picture, error);
    if (status != LITHE_OK)
        return status;
    LithePictureCamera camera = lithe_picture_camera(picture);
    LithePictureSurface surface;
    LithePictureStudio studio = {0};
    Frame *frame = lithe_alloc(context, sizeof *frame);
    LitheImage made = {.width = picture->width, .height = picture->height};
    made.rgba = lithe_alloc_array(context, (int64_t)made.width * made.height, 4);
    bool ok = lithe_picture_surface(context, picture, &camera, &surface) && frame && made.rgba &&
              lithe_picture_light(&surface, picture, &camera, pool, &studio);
    if (ok) {
        *frame = (Frame){.picture = picture, .surface = &surface, .studio = &studio};
        frame->view = lithe_picture_view(picture, &camera);
        frame->rgba = made.rgba;
        ok = draw_frame(frame, context, pool);
    }
    if (ok) {
        draw_labels(frame, &made);
        lithe_picture_scale_image(picture, &made);
    }
    if (frame) {
        lithe_free(context, frame->corners);
        lithe_free(context, frame->first);
        lithe_free(context, frame->list);
        lithe_free(context, frame->near);
        lithe_free(context, frame->owner);
    }
    lithe_free(context, frame);
    lithe_picture_studio_free(context, &studio);
    lithe_picture_surface_free(&surface);
    if (!ok) {
        lithe_free(context, made.rgba);
        return lithe_fail_memory(error, "a picture");
    }
    *image = made;
    return LITHE_OK;
}

void lithe_image_free(LitheContext *context, LitheImage *image) {
    lithe_free(context, image->rgba);
    *image = (LitheImage){0};
}
