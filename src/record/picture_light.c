// SPDX-License-Identifier: Apache-2.0
// record/picture_light.c - ambient occlusion and shadows of every vertex and of the floor
//
// The studio is a dome of light and one large key light. Both are sampled by fixed directions. For
// each direction everything is drawn into a depth map, and every receiver is lit if it is the first
// surface there. Hundreds of hard shadows add up to soft ones without noise. Directions from below
// the floor give the light that the floor reflects.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/picture_parts.h"

enum {
    MAX_DOME = 320, // with fewer directions the shadow on the floor has visible steps
    MIN_DOME = 128,
    VERTICES_FOR_MAX = 40000, // with more vertices, fewer directions limit the time
    BATCH = 8,
    CHUNK = 4096,
    FLOOR_SIZE = 320,
    MIN_FLOOR = 48,
    FLOOR_PIXELS = 4, // of the picture per cell of the floor
    QUICK_DOME = 40,  // of quick pictures
    QUICK_FLOOR = 96,
    MIN_MAP = 256,
    MAX_MAP = 1024,
};

#define KEY_SPREAD 0.16 // tangent of the half angle of the key light: the softness of its shadow
#define FLOOR_INNER 0.7 // fraction of the floor's grid lines that are below the objects

typedef struct Direction {
    float d[3], u[3], v[3]; // d: towards the light; u, v: axes of its depth map
    float rgb[3];           // radiance times solid angle over pi
    bool key;
    bool below;     // direction from below the floor
    float shift[2]; // moves points on the floor for this direction, in cells, -1/2..1/2
} Direction;

typedef struct Job {
    const LithePictureSurface *surface;
    LithePictureStudio *studio;
    Direction directions[MAX_DOME + MAX_DOME / 5];
    int32_t dome_count, key_count;
    int32_t direction_count, at, batch; // the current ones: at .. at+batch-1
    float *maps;                        // [BATCH*size*size]
    int32_t size;
    float texel; // m
    LithePictureVertex *receivers;
    int32_t receiver_count;
    bool floor; // receivers are points on the floor; `t` has the sizes of their cells
} Job;

static float dot(const float *a, const float *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void lithe_picture_dome(const LithePictureStudio *studio, Vec3 d, double rgb[3]) {
    // slightly blue overhead, warm at the horizon; a broad blue light from behind highlights the
    // rims
    double up = 0.5 + 0.5 * d.z, rim = 1.6 * exp(5 * (v3_dot(d, studio->rim) - 1));
    double fill = 0.5 * exp(2 * (v3_dot(d, studio->key) - 1));
    double level = studio->dome * (0.35 + 0.65 * up);
    rgb[0] = level * (1.02 - 0.06 * up) + studio->dome * (0.80 * rim + 1.00 * fill);
    rgb[1] = level * (0.98 + 0.00 * up) + studio->dome * (0.90 * rim + 0.95 * fill);
    rgb[2] = level * (0.92 + 0.10 * up) + studio->dome * (1.05 * rim + 0.86 * fill);
}

// --- directions ----------------------------------------------------------------------------------

static void store(float out[3], Vec3 a) {
    out[0] = (float)a.x;
    out[1] = (float)a.y;
    out[2] = (float)a.z;
}

static void add_direction(Job *job, Vec3 d, const double rgb[3], bool key) {
    // two irrational steps: the shifts fill the cell evenly, which blurs the floor by one cell and
    // keeps thin shadows connected
    double n = job->direction_count;
    Direction *out = &job->directions[job->direction_count++];
    out->shift[0] = (float)(fmod(0.7548776662466927 * n, 1) - 0.5);
    out->shift[1] = (float)(fmod(0.5698402909980532 * n, 1) - 0.5);
    Vec3 u = v3_any_normal(d);
    store(out->d, d);
    store(out->u, u);
    store(out->v, v3_cross(d, u));
    for (int c = 0; c < 3; c++)
        out->rgb[c] = (float)rgb[c];
    out->key = key;
    out->below = !key && d.z < 0;
}

// The key light first, then the dome from the top down: directions below the floor come last.
static void set_directions(Job *job) {
    const LithePictureStudio *studio = job->studio;
    const double golden = M_PI * (3 - sqrt(5.0)), none[3] = {0};
    Vec3 a = v3_any_normal(studio->key), b = v3_cross(studio->key, a);
    for (int i = 0; i < job->key_count; i++) {
        double r = KEY_SPREAD * sqrt((i + 0.5) / job->key_count), angle = golden * i;
        Vec3 off = v3_add(v3_scale(r * cos(angle), a), v3_scale(r * sin(angle), b));
        add_direction(job, v3_unit(v3_add(studio->key, off)), none, true);
    }
    for (int i = 0; i < job->dome_count; i++) {
        double z = 1 - (2 * i + 1.0) / job->dome_count, r = sqrt(1 - z * z), angle = golden * i,
               rgb[3];
        Vec3 d = v3(r * cos(angle), r * sin(angle), z);
        lithe_picture_dome(studio, d, rgb);
        for (int c = 0; c < 3; c++)
            rgb[c] *= 4.0 / job->dome_count; // 4 pi / N / pi
        add_direction(job, d, rgb, false);
    }
}

// --- depth maps ----------------------------------------------------------------------------------

// Keeps the greatest depth towards the light in every texel whose centre the triangle covers.
static void draw_depth(float *map, int32_t size, const float p[3][3]) {
    float area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    // casters are closed: the side that faces the light is sufficient
    if (!(fabsf(area) > 1e-12f))
        return;
    float x0 = fminf(p[0][0], fminf(p[1][0], p[2][0])),
          x1 = fmaxf(p[0][0], fmaxf(p[1][0], p[2][0]));
    float y0 = fminf(p[0][1], fminf(p[1][1], p[2][1])),
          y1 = fmaxf(p[0][1], fmaxf(p[1][1], p[2][1]));
    int32_t i0 = lithe_picture_first(x0, 0), i1 = lithe_picture_last(x1, size - 1);
    int32_t j0 = lithe_picture_first(y0, 0), j1 = lithe_picture_last(y1, size - 1);
    float k = 1 / area;
    float bx = (p[2][1] - p[0][1]) * k, by = -(p[2][0] - p[0][0]) * k;
    float cx = -(p[1][1] - p[0][1]) * k, cy = (p[1][0] - p[0][0]) * k;
    float db = p[1][2] - p[0][2], dc = p[2][2] - p[0][2];
    for (int32_t j = j0; j <= j1; j++) {
        float dy = (float)j + 0.5f - p[0][1], *row = map + (size_t)j * (size_t)size;
        for (int32_t i = i0; i <= i1; i++) {
            float dx = (float)i + 0.5f - p[0][0];
            float b = dx * bx + dy * by, c = dx * cx + dy * cy;
            if (b >= -1e-5f && c >= -1e-5f && b + c <= 1.00001f)
                row[i] = fmaxf(row[i], p[0][2] + b * db + c * dc);
        }
    }
}

static void draw_map(int32_t index, void *user) {
    Job *job = user;
    const LithePictureSurface *surface = job->surface;
    const Direction *direction = &job->directions[job->at + index];
    size_t cells = (size_t)job->size * (size_t)job->size;
    float *map = job->maps + (size_t)index * cells;
    for (size_t i = 0; i < cells; i++)
        map[i] = -INFINITY;
    float half = 0.5f * (float)job->size, scale = 1 / job->texel;
    for (int32_t t = 0; t < surface->caster_count; t++) {
        float p[3][3];
        for (int k = 0; k < 3; k++) {
            const float *x = surface->vertices[surface->casters[3 * t + k]].x;
            p[k][0] = half + scale * dot(x, direction->u);
            p[k][1] = half + scale * dot(x, direction->v);
            p[k][2] = dot(x, direction->d);
        }
        draw_depth(map, job->size, (const float(*)[3])p);
    }
}

// --- receivers -----------------------------------------------------------------------------------

// Lit fraction of a square of one texel around (x, y): four neighbours, weighted bilinearly.
static float lit_softly(const Job *job, const float *map, float x, float y, float depth) {
    float fx = x - 0.5f, fy = y - 0.5f, max = (float)(job->size - 1);
    if (!(fx >= 0 && fy >= 0 && fx < max && fy < max))
        return 1; // outside of the map
    int32_t i = (int32_t)fx, j = (int32_t)fy;
    const float *p = map + (size_t)j * (size_t)job->size + (size_t)i, *q = p + job->size;
    float ax = fx - (float)i, ay = fy - (float)j;
    float low = (depth >= p[0] ? 1 - ax : 0) + (depth >= p[1] ? ax : 0);
    float high = (depth >= q[0] ? 1 - ax : 0) + (depth >= q[1] ? ax : 0);
    return low + ay * (high - low);
}

static void receive(const Job *job, const Direction *direction, const float *map,
                    LithePictureVertex *r) {
    float facing = dot(r->n, direction->d);
    if (facing <= 0)
        return;
    // offset from the surface, so that it does not shade itself
    float off = 1.6f * job->texel, y[3];
    for (int c = 0; c < 3; c++)
        y[c] = job->floor ? r->x[c] : r->x[c] + off * r->n[c];
    for (int c = 0; job->floor && c < 2; c++)
        y[c] += direction->shift[c] * r->t[c];
    float half = 0.5f * (float)job->size, scale = 1 / job->texel;
    float px = half + scale * dot(y, direction->u), py = half + scale * dot(y, direction->v);
    float seen = lit_softly(job, map, px, py, dot(y, direction->d));
    if (direction->key) {
        r->key += seen / (float)job->key_count;
        return;
    }
    float tint[3] = {1, 1, 1};
    if (direction->below && job->studio->has_ground) {
        // the radiance of the floor where the ray meets it
        float down = (y[2] - (float)job->surface->ground) / -direction->d[2];
        lithe_picture_floor(job->studio, y[0] + down * direction->d[0],
                            y[1] + down * direction->d[1], tint);
        for (int c = 0; c < 3; c++)
            r->light[c] +=
                facing * seen * tint[c] * job->studio->bounce[c] * (4.0f / (float)job->dome_count);
        return;
    }
    for (int c = 0; c < 3; c++)
        r->light[c] += facing * seen * direction->rgb[c];
}

static void receive_chunk(int32_t index, void *user) {
    Job *job = user;
    size_t cells = (size_t)job->size * (size_t)job->size;
    int32_t first = index * CHUNK, end = first + CHUNK;
    if (end > job->receiver_count)
        end = job->receiver_count;
    for (int32_t k = 0; k < job->batch; k++)
        for (int32_t i = first; i < end; i++)
            receive(job, &job->directions[job->at + k], job->maps + (size_t)k * cells,
                    &job->receivers[i]);
}

static void receive_all(Job *job, LithePool *pool, LithePictureVertex *receivers, int32_t count,
                        bool floor) {
    job->floor = floor;
    job->receivers = receivers;
    job->receiver_count = count;
    lithe_pool_run(pool, (count + CHUNK - 1) / CHUNK, LITHE_COST_LARGE, receive_chunk, job);
}

// --- the floor -----------------------------------------------------------------------------------

// Place of the grid line at u in -1..1: most lines are in the inner part.
static double spread(double u, double inner, double half) {
    double a = fabs(u);
    double x = a < FLOOR_INNER ? a / FLOOR_INNER * inner
                               : inner + (a - FLOOR_INNER) / (1 - FLOOR_INNER) * (half - inner);
    return copysign(x, u);
}

static double unspread(double x, double inner, double half) {
    double a = fabs(x);
    double u = a < inner ? a / inner * FLOOR_INNER
                         : FLOOR_INNER + (a - inner) / (half - inner) * (1 - FLOOR_INNER);
    return copysign(u, x);
}

void lithe_picture_floor(const LithePictureStudio *studio, double x, double y, float rgb[3]) {
    int32_t n = studio->floor_size;
    double u = unspread(x, studio->floor_inner[0], studio->floor_half[0]);
    double v = unspread(y, studio->floor_inner[1], studio->floor_half[1]);
    rgb[0] = rgb[1] = rgb[2] = 1;
    double edge = fmax(fabs(u), fabs(v));
    if (!(edge < 1) || !studio->floor)
        return;
    double a = (u + 1) * 0.5 * (n - 1), b = (v + 1) * 0.5 * (n - 1);
    int32_t i = (int32_t)a, j = (int32_t)b;
    i = i > n - 2 ? n - 2 : i;
    j = j > n - 2 ? n - 2 : j;
    float fx = (float)(a - i), fy = (float)(b - j);
    const float *p = studio->floor + 3 * ((size_t)j * (size_t)n + (size_t)i), *q = p + 3 * n;
    // the last tenth fades to the open floor
    float fade = (float)fmin((1 - edge) / 0.1, 1);
    for (int c = 0; c < 3; c++) {
        float low = p[c] + fx * (p[c + 3] - p[c]), high = q[c] + fx * (q[c + 3] - q[c]);
        rgb[c] = 1 + fade * (low + fy * (high - low) - 1);
    }
}

// Lines of the floor's grid along one axis: a small picture shows no fine shadows.
static int32_t floor_size(const LithePicture *picture) {
    int32_t pixels = picture->width > picture->height ? picture->width : picture->height;
    int32_t n = pixels / FLOOR_PIXELS, most = picture->quick ? QUICK_FLOOR : FLOOR_SIZE;
    n = n < MIN_FLOOR ? MIN_FLOOR : n;
    return n < most ? n : most;
}

static LithePictureVertex *floor_begin(const LithePictureSurface *surface, int32_t n,
                                       LithePictureStudio *studio) {
    LithePictureVertex *nodes = lithe_alloc_array(surface->context, (int64_t)n * n, sizeof *nodes);
    studio->floor = lithe_alloc_array(surface->context, (int64_t)n * n, 3 * sizeof(float));
    if (!nodes || !studio->floor) {
        lithe_free(surface->context, nodes);
        return NULL;
    }
    // shadows are about two heights long
    double reach = 2.2 * (surface->high.z - surface->ground) + 0.1 * surface->radius;
    double size[2] = {surface->high.x, surface->high.y};
    for (int k = 0; k < 2; k++) {
        studio->floor_inner[k] = size[k] + 0.2 * reach;
        studio->floor_half[k] = size[k] + reach;
    }
    studio->floor_size = n;
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
            LithePictureVertex *v = &nodes[(size_t)j * (size_t)n + (size_t)i];
            int32_t line[2] = {i, j};
            for (int c = 0; c < 2; c++) {
                double inner = studio->floor_inner[c], half = studio->floor_half[c];
                double u = 2.0 * line[c] / (n - 1) - 1, next = u + (u < 0 ? 2.0 : -2.0) / (n - 1);
                v->x[c] = (float)spread(u, inner, half);
                v->t[c] = (float)fabs(spread(next, inner, half) - spread(u, inner, half));
            }
            v->x[2] = (float)surface->ground;
            v->n[2] = 1;
        }
    return nodes;
}

static void floor_end(LithePictureStudio *studio, const LithePictureVertex *nodes) {
    int32_t cells = studio->floor_size * studio->floor_size;
    for (int32_t i = 0; i < cells; i++)
        for (int c = 0; c < 3; c++) {
            float key = studio->key_rgb[c] * (float)studio->key.z;
            studio->floor[3 * i + c] =
                (nodes[i].light[c] + key * nodes[i].key) / (studio->open[c] + key);
        }
}

// --- entry ---------------------------------------------------------------------------------------

double lithe_picture_grid(double radius) {
    double want = radius / 3, decade = pow(10, floor(log10(want))), f = want / decade;
    return decade * (f < 2 ? 1 : f < 5 ? 2 : 5);
}

Vec3 lithe_picture_key(const LithePictureView *view, Vec3 *rim) {
    Vec3 ahead = v3_unit(v3(view->forward.x, view->forward.y, 0));
    if (v3_norm(ahead) < 0.5) // straight down
        ahead = v3_unit(v3(view->up.x, view->up.y, 0));
    Vec3 side = v3_cross(ahead, v3(0, 0, 1)), up = v3(0, 0, 1);
    // high on the left, slightly towards the eye; the rim light is behind on the right
    *rim = v3_unit(v3_axpy(0.7, side, v3_axpy(0.8, ahead, v3_scale(0.45, up))));
    return v3_unit(v3_axpy(-0.75, side, v3_axpy(-0.25, ahead, v3_scale(1.25, up))));
}

static void set_studio(const LithePicture *picture, const LithePictureCamera *camera,
                       LithePictureStudio *studio) {
    LithePictureView view = lithe_picture_view(picture, camera);
    studio->key = lithe_picture_key(&view, &studio->rim);
    studio->dome = picture->dark ? 0.36 : 0.46;
    float level = picture->dark ? 1.15f : 1.10f;
    const float warm[3] = {1.0f, 0.94f, 0.85f};
    Vec3 floor = lithe_picture_linear(lithe_picture_background(picture));
    studio->has_ground = picture->ground;
    for (int c = 0; c < 3; c++)
        studio->key_rgb[c] = level * warm[c];
    store(studio->bounce, floor);
    store(studio->backdrop, floor);
}

static void set_open(const Job *job, LithePictureStudio *studio) {
    for (int i = job->key_count; i < job->direction_count; i++)
        for (int c = 0; c < 3; c++)
            studio->open[c] += fmaxf(job->directions[i].d[2], 0) * job->directions[i].rgb[c];
    // a white floor would have a radiance of its irradiance over pi; a studio floor reflects half
    for (int c = 0; c < 3; c++)
        studio->bounce[c] *= 0.55f * (studio->open[c] + studio->key_rgb[c] * (float)studio->key.z);
}

static void run_batches(Job *job, LithePool *pool, LithePictureSurface *surface,
                        LithePictureVertex *nodes) {
    bool floor_done = false;
    while (job->at < job->direction_count) {
        // batches do not mix directions from above and below
        bool below = job->directions[job->at].below;
        job->batch = 0;
        while (job->batch < BATCH && job->at + job->batch < job->direction_count &&
               job->directions[job->at + job->batch].below == below)
            job->batch++;
        if (below && nodes && !floor_done) {
            floor_end(job->studio, nodes);
            floor_done = true;
        }
        lithe_pool_run(pool, job->batch, LITHE_COST_LARGE, draw_map, job);
        receive_all(job, pool, surface->vertices, surface->vertex_count, false);
        if (nodes && !below)
            receive_all(job, pool, nodes, job->studio->floor_size * job->studio->floor_size, true);
        job->at += job->batch;
    }
}

bool lithe_picture_light(LithePictureSurface *surface, const LithePicture *picture,
                         const LithePictureCamera *camera, LithePool *pool,
                         LithePictureStudio *studio) {
    LitheContext *context = surface->context;
    *studio = (LithePictureStudio){0};
    set_studio(picture, camera, studio);
    studio->grid = lithe_picture_grid(surface->radius);
    Job *job = lithe_alloc(context, sizeof *job);
    if (!job)
        return false;
    job->surface = surface;
    job->studio = studio;
    double vertices = fmax(surface->vertex_count, 1);
    job->dome_count =
        (int32_t)fmin(fmax(MAX_DOME * (VERTICES_FOR_MAX / vertices), MIN_DOME), MAX_DOME);
    if (picture->quick)
        job->dome_count = QUICK_DOME;
    job->key_count = job->dome_count / 5;
    set_directions(job);
    set_open(job, studio);
    // three texels across the thinnest object, if the map is not too large
    double want = 3 * surface->radius / surface->thin;
    job->size = (int32_t)fmin(fmax(want, MIN_MAP), MAX_MAP);
    job->texel = (float)(2.02 * surface->radius / job->size);
    job->maps = lithe_alloc_array(context, (int64_t)BATCH * job->size * job->size, sizeof(float));
    LithePictureVertex *nodes =
        picture->ground ? floor_begin(surface, floor_size(picture), studio) : NULL;
    bool ok = job->maps && (nodes || !picture->ground);
    if (ok)
        run_batches(job, pool, surface, nodes);
    lithe_free(context, nodes);
    lithe_free(context, job->maps);
    lithe_free(context, job);
    return ok;
}

void lithe_picture_studio_free(LitheContext *context, LithePictureStudio *studio) {
    lithe_free(context, studio->floor);
    studio->floor = NULL;
}
