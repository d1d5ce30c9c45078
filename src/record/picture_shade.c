// SPDX-License-Identifier: Apache-2.0
// record/picture_shade.c - reflection of materials and of the floor

#include <math.h>

#include "record/picture_parts.h"

#define PI 3.14159265358979323846f

// What a finish changes before shading.
typedef struct Pattern {
    float slope_t, slope_e; // of the relief along the tube and around it
    float cavity;           // fraction of light that reaches the bottom of the relief, 0..1
    float albedo[3];
} Pattern;

static float clamp01(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static float mix(float a, float b, float f) {
    return a + f * (b - a);
}

static float dot(const float *a, const float *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(float *a) {
    float n = sqrtf(dot(a, a));
    if (n > 0)
        for (int c = 0; c < 3; c++)
            a[c] /= n;
}

// 1 where a pattern of this period [radii] can be seen, 0 where it is finer than the pixels.
static float visible(float period, float pixel) {
    return clamp01((period / pixel - 2) / 4);
}

static void paint(Pattern *pattern, float amount) {
    // a light line on a dark rod, a dark one on a light rod
    float light = 0.3f * pattern->albedo[0] + 0.6f * pattern->albedo[1] + 0.1f * pattern->albedo[2];
    const float cream[3] = {0.86f, 0.80f, 0.70f}, ink[3] = {0.035f, 0.045f, 0.075f};
    const float *line = light > 0.45f ? ink : cream;
    for (int c = 0; c < 3; c++)
        pattern->albedo[c] = mix(pattern->albedo[c], line[c], amount);
}

float lithe_picture_strand(float w, float s, float *q, int32_t *strand) {
    float turn = 3 * (w / (2 * PI) + s / LITHE_PICTURE_PITCH), cell = floorf(turn);
    *q = 2 * (turn - cell) - 1;
    *strand = (int32_t)(cell - 3 * floorf(cell / 3));
    return sqrtf(1 - 0.94f * *q * *q);
}

// Three round strands of a laid rope, each of fine yarns.
static void rope_pattern(const LithePicturePart *part, const LithePictureHit *hit,
                         Pattern *pattern) {
    const float pitch = LITHE_PICTURE_PITCH, bulge = 0.46f;
    float q;
    int32_t strand;
    float h = lithe_picture_strand(hit->w, hit->s, &q, &strand), slope = -0.94f * q / h;
    // in the groove one pixel sees both sides
    slope *= clamp01((1 - fabsf(q)) / (1.5f * hit->pixel));
    float seen = visible(2.0f, hit->pixel);
    pattern->slope_e = seen * bulge * slope * 3 / PI;
    pattern->slope_t = seen * bulge * slope * 6 / pitch;
    pattern->cavity = mix(1, mix(0.15f, 1.0f, h), seen);
    // yarns run nearly along the rope; their phase closes after whole turns of the strands
    float fine = visible(0.2f, hit->pixel);
    float yarn = 30 * hit->w - 4 * PI / pitch * hit->s + 2.1f * (float)strand;
    pattern->slope_e += fine * 0.22f * sinf(yarn);
    for (int c = 0; c < 3; c++)
        pattern->albedo[c] *= 1 + fine * 0.14f * cosf(yarn);
    if (strand == 0)
        paint(pattern, part->stripe * mix(0.33f, 1, seen));
}

static void stripe_pattern(const LithePicturePart *part, const LithePictureHit *hit,
                           Pattern *pattern) {
    float in;
    if (part->section == LITHE_PICTURE_RECTANGLE) {
        // two lines near the edges of a belt
        in = 0.06f - fabsf(fabsf(hit->w) - 0.66f);
    } else {
        float w = hit->w > PI ? 2 * PI - hit->w : hit->w;
        in = 0.24f - w;
    }
    paint(pattern, part->stripe * clamp01(0.5f + in / fmaxf(hit->pixel, 1e-4f)));
}

static void find_pattern(const LithePicturePart *part, const LithePictureHit *hit,
                         Pattern *pattern) {
    *pattern = (Pattern){.cavity = 1, .albedo = {hit->rgb[0], hit->rgb[1], hit->rgb[2]}};
    if (part->mesh)
        return;
    if (part->finish == LITHE_PICTURE_ROPE && part->section != LITHE_PICTURE_RECTANGLE)
        rope_pattern(part, hit, pattern);
    else if (part->stripe > 0)
        stripe_pattern(part, hit, pattern);
}

// Normal of the relief: n - slope_t t - slope_e e with e = t x n, around the tube.
static void bend_normal(const LithePictureHit *hit, const Pattern *pattern, float n[3]) {
    const float *t = hit->t, *m = hit->n;
    float e[3] = {t[1] * m[2] - t[2] * m[1], t[2] * m[0] - t[0] * m[2], t[0] * m[1] - t[1] * m[0]};
    for (int c = 0; c < 3; c++)
        n[c] = m[c] - pattern->slope_t * t[c] - pattern->slope_e * e[c];
    unit(n);
}

// Microfacet highlight of the key light (GGX with the usual short visibility term), times n.l.
static float highlight(const float n[3], const float l[3], const float eye[3], float alpha,
                       float f0) {
    float nl = dot(n, l), nv = fmaxf(dot(n, eye), 0.02f);
    if (nl <= 0)
        return 0;
    float h[3] = {l[0] + eye[0], l[1] + eye[1], l[2] + eye[2]};
    unit(h);
    float nh = clamp01(dot(n, h)), vh = clamp01(dot(eye, h)), a2 = alpha * alpha;
    float den = nh * nh * (a2 - 1) + 1, grazing = 1 - vh;
    float fresnel = f0 + (1 - f0) * grazing * grazing * grazing * grazing * grazing;
    float spread = a2 / (den * den); // times 1/pi, which is included in the light
    float k = 0.5f * alpha;
    return spread * fresnel * nl / (4 * (nl * (1 - k) + k) * (nv * (1 - k) + k));
}

// Mirror reflection of the studio: its dome, and the floor below the horizon.
static void mirrored(const LithePictureStudio *studio, const float r[3], float rgb[3]) {
    double above[3];
    lithe_picture_dome(studio, v3(r[0], r[1], fabsf(r[2])), above);
    float up = clamp01(0.5f + 2.5f * r[2]);
    for (int c = 0; c < 3; c++) {
        float below = studio->has_ground ? 0.6f * studio->bounce[c] : 0.3f * (float)above[c];
        rgb[c] = mix(below, (float)above[c], up);
    }
}

static float shoulder(float x) {
    // linear up to a half, then approaching 1, so that highlights keep their colour longer
    const float knee = 0.5f;
    return x < knee ? x : knee + (1 - knee) * (1 - expf((knee - x) / (1 - knee)));
}

void lithe_picture_shade(const LithePictureStudio *studio, const LithePicturePart *part,
                         const LithePictureHit *hit, float rgb[3]) {
    if (part->finish == LITHE_PICTURE_FLAT) {
        for (int c = 0; c < 3; c++)
            rgb[c] = hit->rgb[c];
        return;
    }
    static const float rough[] = {0.30f, 0.60f, 0.12f}, shine[] = {0.045f, 0.025f, 0.06f};
    static const float grazing[] = {0.55f, 0.12f, 0.85f};
    static const float fuzz[] = {0.06f, 0.18f, 0.0f};
    Pattern pattern;
    // normal, mirrored direction of the eye, light reflected from there, direction of the key light
    float n[3], r[3], env[3],
        l[3] = {(float)studio->key.x, (float)studio->key.y, (float)studio->key.z};
    find_pattern(part, hit, &pattern);
    bend_normal(hit, &pattern, n);
    float nv = clamp01(dot(n, hit->eye)), nl = dot(n, l), edge = 1 - nv;

    // light that wraps around the edge of the shade makes it look soft
    float soft = 0.12f, direct = clamp01((nl + soft) / (1 + soft)) * hit->key;
    // dome light follows the relief as if it came from above
    float lean = clamp01(1 + 0.7f * (n[2] - hit->n[2]) + 0.5f * (dot(n, l) - dot(hit->n, l)));
    for (int c = 0; c < 3; c++)
        r[c] = 2 * dot(n, hit->eye) * n[c] - hit->eye[c];
    mirrored(studio, r, env);
    float open = (studio->open[0] + studio->open[1] + studio->open[2]) / 3;
    float seen = clamp01((hit->light[0] + hit->light[1] + hit->light[2]) / (3 * open));
    float f0 = shine[part->finish], f5 = edge * edge * edge * edge * edge;
    float mirror = (f0 + f5 * grazing[part->finish]) * seen * pattern.cavity;
    float spot = highlight(n, l, hit->eye, rough[part->finish], f0) * hit->key * pattern.cavity;
    float sheen = fuzz[part->finish] * edge * edge * edge;
    for (int c = 0; c < 3; c++) {
        float a = pattern.albedo[c], dome = hit->light[c] * lean * pattern.cavity;
        // light reflected inside a cavity has the colour of the material
        dome *= 1 + 0.5f * a * (1 - seen);
        float body = a * (dome + studio->key_rgb[c] * direct * pattern.cavity);
        float cloth = sheen * (0.5f * a + 0.5f) * (dome + 0.4f * studio->key_rgb[c] * direct);
        rgb[c] = shoulder(body + cloth + mirror * env[c] + spot * studio->key_rgb[c] * 3.0f);
    }
}

// --- floor and backdrop --------------------------------------------------------------------------

// Where the ray through a pixel meets the floor, from the centre of the surface.
static bool floor_hit(const LithePictureSurface *surface, const LithePictureView *view, double px,
                      double py, double *x, double *y) {
    double a = (px - view->half_width) / view->focal, b = (view->half_height - py) / view->focal;
    Vec3 d = v3_axpy(a, view->right, v3_axpy(b, view->up, view->forward));
    Vec3 eye = v3_sub(view->eye, surface->centre);
    double height = eye.z - surface->ground;
    if (!(height > 0 && d.z < -1e-6))
        return false;
    *x = eye.x - d.x / d.z * height;
    *y = eye.y - d.y / d.z * height;
    return true;
}

// Fraction of a pixel that grid lines cover; `width` of a pixel along this axis [m].
static double line_cover(double x, double spacing, double width) {
    double off = fabs(x / spacing - round(x / spacing)) * spacing;
    double line = 1.3; // pixels
    double cover = 0.5 * (line + 1) - off / width;
    cover = fmin(fmax(cover, 0), 1);
    // lines closer than a few pixels fade out
    return cover * fmin(fmax((spacing / width - 4) / 12, 0), 1);
}

static double grid_cover(const LithePictureSurface *surface, const LithePictureView *view,
                         double spacing, double px, double py, double x, double y) {
    double x1, y1, x2, y2;
    if (!floor_hit(surface, view, px + 1, py, &x1, &y1) ||
        !floor_hit(surface, view, px, py - 1, &x2, &y2))
        return 0;
    double wx = fabs(x1 - x) + fabs(x2 - x), wy = fabs(y1 - y) + fabs(y2 - y);
    double fx = line_cover(x + surface->centre.x, spacing, wx);
    double fy = line_cover(y + surface->centre.y, spacing, wy);
    double far = (x * x + y * y) / (surface->radius * surface->radius);
    return fmax(fx, fy) * exp(-0.45 * far);
}

void lithe_picture_backdrop(const LithePicture *picture, const LithePictureSurface *surface,
                            const LithePictureStudio *studio, const LithePictureView *view,
                            double px, double py, float rgb[3]) {
    // brighter around the centre
    double dx = (px - view->half_width) / view->half_width;
    double dy = (py - view->half_height) / view->half_height;
    double pool = picture->own_background ? 1 : 1.04 - 0.13 * (dx * dx + 0.8 * dy * dy);
    for (int c = 0; c < 3; c++)
        rgb[c] = studio->backdrop[c] * (float)pool;
    double x, y;
    if (!picture->ground || !floor_hit(surface, view, px, py, &x, &y))
        return;
    double lines = picture->grid ? grid_cover(surface, view, studio->grid, px, py, x, y) : 0;
    float shade[3];
    lithe_picture_floor(studio, x, y, shade);
    for (int c = 0; c < 3; c++) {
        double line = picture->dark ? 1 + 0.55 * lines : 1 - 0.16 * lines;
        rgb[c] *= (0.10f + 0.90f * fminf(shade[c], 1)) * (float)line;
    }
}
