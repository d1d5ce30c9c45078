// SPDX-License-Identifier: Apache-2.0
// record/picture_surface.c - tubes, balls, arrows and meshes as one list of triangles

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "record/picture_parts.h"

// vertices aimed at (more would be smaller than a pixel); max cuts of an edge of a triangle
enum { VERTEX_AIM = 150000, CUT_LIMIT = 48 };

typedef struct Sweep {
    LithePictureSurface *surface;
    LithePictureCorner corners[LITHE_PICTURE_CORNERS];
    int32_t corner_count;
    int32_t caster_sides;
    int32_t part;
    bool circle;                       // corners are scaled by the radius of the sample
    bool strands;                      // the relief of a rope, so that its outline shows it too
    double stretch;                    // of the pattern along a closed rope, so that its ends meet
    int32_t previous, previous_caster; // first vertex of the last ring, -1 at the start
} Sweep;

static int32_t add_part(LithePictureSurface *surface, LithePicturePart part) {
    if (!LITHE_RESERVE(surface->context, surface->parts, surface->part_capacity,
                       surface->part_count + 1))
        return -1;
    surface->parts[surface->part_count] = part;
    return surface->part_count++;
}

static int32_t add_vertices(LithePictureSurface *surface, int32_t count) {
    if (!LITHE_RESERVE(surface->context, surface->vertices, surface->vertex_capacity,
                       (int64_t)surface->vertex_count + count))
        return -1;
    int32_t first = surface->vertex_count;
    surface->vertex_count += count;
    return first;
}

static bool add_triangle(LithePictureSurface *surface, int32_t a, int32_t b, int32_t c,
                         int32_t part) {
    if (!LITHE_RESERVE(surface->context, surface->triangles, surface->triangle_capacity,
                       (int64_t)surface->triangle_count + 1))
        return false;
    surface->triangles[surface->triangle_count++] = (LithePictureTriangle){{a, b, c}, part};
    return true;
}

static bool add_caster(LithePictureSurface *surface, int32_t a, int32_t b, int32_t c) {
    if (!LITHE_RESERVE(surface->context, surface->casters, surface->caster_capacity,
                       3 * ((int64_t)surface->caster_count + 1)))
        return false;
    int32_t *at = surface->casters + 3 * surface->caster_count++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return true;
}

static void put(float out[3], Vec3 a) {
    out[0] = (float)a.x;
    out[1] = (float)a.y;
    out[2] = (float)a.z;
}

// Adds the corners of one section and joins them to the ring before. The section is shrunk by
// `shrink`, moved by `ahead` [m] along t, its normals tilted along t by `lean` (sine of the angle).
static bool add_ring(Sweep *sweep, const LithePictureSample *sample, double shrink, double ahead,
                     double lean, bool cast) {
    LithePictureSurface *surface = sweep->surface;
    int32_t n = sweep->corner_count, first = add_vertices(surface, n);
    if (first < 0)
        return false;
    Vec3 m1 = sample->m1, m2 = v3_cross(sample->t, m1);
    Vec3 middle = v3_axpy(ahead, sample->t, v3_sub(sample->x, surface->centre));
    double size = shrink * (sweep->circle ? sample->scale : 1), level = sqrt(1 - lean * lean);
    for (int32_t j = 0; j < n; j++) {
        const LithePictureCorner *k = &sweep->corners[j];
        LithePictureVertex *v = &surface->vertices[first + j];
        Vec3 normal = v3_add(v3_scale(k->nc, m1), v3_scale(k->nd, m2));
        v->s = (float)((sample->s + ahead) / sample->scale * sweep->stretch);
        v->w = (float)k->w;
        double r = size;
        if (sweep->strands) {
            float q;
            int32_t strand;
            r *= 0.88 + 0.12 * (double)lithe_picture_strand(v->w, v->s, &q, &strand);
        }
        put(v->x, v3_add(middle, v3_add(v3_scale(r * k->c, m1), v3_scale(r * k->d, m2))));
        put(v->n, v3_unit(v3_add(v3_scale(level, normal), v3_scale(lean, sample->t))));
        put(v->t, sample->t);
        put(v->rgb, sample->rgb);
    }
    for (int32_t j = 0; sweep->previous >= 0 && j + 1 < n; j++) {
        int32_t a = sweep->previous + j, b = first + j;
        if (!add_triangle(surface, a, a + 1, b, sweep->part) ||
            !add_triangle(surface, a + 1, b + 1, b, sweep->part))
            return false;
    }
    sweep->previous = first;
    if (!cast)
        return true;

    // shadows: fewer corners, and only every other ring
    int32_t m = sweep->caster_sides;
    for (int32_t j = 0; sweep->previous_caster >= 0 && j < m; j++) {
        int32_t j0 = j * (n - 1) / m, j1 = (j + 1) * (n - 1) / m;
        int32_t a = sweep->previous_caster, b = first;
        if (!add_caster(surface, a + j0, a + j1, b + j0) ||
            !add_caster(surface, a + j1, b + j1, b + j0))
            return false;
    }
    sweep->previous_caster = first;
    return true;
}

// Half a ball over an end; side -1 at the start, +1 at the end.
static bool add_dome(Sweep *sweep, const LithePictureSample *end, double height, int side) {
    int32_t rings = 2 + sweep->corner_count / 6;
    for (int32_t k = 0; k <= rings; k++) {
        double f = (double)(side < 0 ? rings - k : k) / rings;
        double angle = 0.5 * M_PI * f;
        // the ring at the end itself belongs to the tube
        if (f == 0)
            continue;
        if (!add_ring(sweep, end, cos(angle), side * height * sin(angle), side * sin(angle),
                      k % 2 == 0 || k == rings))
            return false;
    }
    return true;
}

static bool add_flat_end(Sweep *sweep, const LithePictureSample *end, int side) {
    sweep->previous = sweep->previous_caster = -1;
    // rings from large to small at the end, from small to large at the start: triangles face
    // outwards
    for (int k = 0; k < 2; k++)
        if (!add_ring(sweep, end, (side < 0) == (k == 0) ? 0 : 1, 0, side, true))
            return false;
    sweep->previous = sweep->previous_caster = -1;
    return true;
}

static double tube_length(const LithePictureTube *tube) {
    double length = 0;
    for (int32_t i = 1; i < tube->point_count; i++)
        length += v3_distance(v3_load(tube->points + 3 * i), v3_load(tube->points + 3 * i - 3));
    return length;
}

static bool sweep_curve(Sweep *sweep, const LithePictureTube *tube,
                        const LithePictureCurve *curve) {
    bool closed = tube->closed && curve->count > 3;
    bool flat = tube->section == LITHE_PICTURE_RECTANGLE;
    const LithePictureSample *first = curve->samples, *last = first + curve->count - 1;
    double low = fmin(tube->half_width, tube->half_height);
    bool ok = true;
    if (closed) {
        double turns = last->s / first->scale / LITHE_PICTURE_PITCH;
        sweep->stretch = fmax(round(turns), 1) / turns;
    }
    if (!closed)
        ok = flat ? add_flat_end(sweep, first, -1)
                  : add_dome(sweep, first, sweep->circle ? first->scale : low, -1);
    for (int32_t i = 0; ok && i < curve->count; i++)
        ok = add_ring(sweep, first + i, 1, 0, 0, i % 2 == 0 || i == curve->count - 1);
    if (ok && !closed)
        ok = flat ? add_flat_end(sweep, last, 1)
                  : add_dome(sweep, last, sweep->circle ? last->scale : low, 1);
    return ok;
}

static int32_t sides_for(double radius, double pixel) {
    // sides of about three pixels, with a min number so that shading shows no corners
    int32_t k = (int32_t)fmin(fmax(radius / pixel / 2, radius < 3 * pixel ? 2 : 3), 10);
    return 4 * k;
}

// a belt too narrow to be seen is drawn as a line
static LithePictureTube visible_tube(const LithePictureTube *tube, double least) {
    LithePictureTube out = *tube;
    if (tube->section != LITHE_PICTURE_CIRCLE && fmax(tube->half_width, tube->half_height) < least)
        out.section = LITHE_PICTURE_CIRCLE, out.radii = NULL;
    return out;
}

static bool add_tube(LithePictureSurface *surface, const LithePictureTube *of,
                     const LithePictureView *view, double share) {
    double least = LITHE_PICTURE_LEAST * surface->pixel;
    const LithePictureTube seen = visible_tube(of, least), *tube = &seen;
    bool circle = tube->section == LITHE_PICTURE_CIRCLE;
    double r = circle && tube->radii ? tube->radii[0] : tube->half_width;
    r = circle ? fmax(r, least) : r;
    Sweep sweep = {
        .surface = surface, .circle = circle, .stretch = 1, .previous = -1, .previous_caster = -1};
    sweep.corner_count = lithe_picture_outline(tube, sides_for(r, surface->pixel), sweep.corners);
    sweep.caster_sides = circle                                   ? (r < 3 * surface->pixel ? 6 : 8)
                         : tube->section == LITHE_PICTURE_ELLIPSE ? 12
                                                                  : 18;
    sweep.part = add_part(surface, (LithePicturePart){.finish = tube->finish,
                                                      .section = tube->section,
                                                      .radius = (float)r,
                                                      .stripe = (float)tube->stripe,
                                                      .cull = true});
    if (sweep.part < 0)
        return false;
    double thin = circle ? r : fmin(tube->half_width, tube->half_height);
    surface->thin = fmin(surface->thin, thin);

    // the distance of rings is a third of the radius, if that is more than a pixel and affordable
    bool rope = tube->finish == LITHE_PICTURE_ROPE;
    double spacing = fmax((rope ? 0.18 : 0.35) * r, 2.5 * surface->pixel);
    spacing = fmax(spacing, tube_length(tube) * sweep.corner_count / (share * VERTEX_AIM));
    sweep.strands = circle && rope && spacing < 0.4 * r;
    LithePictureCurve curve;
    bool ok = lithe_picture_curve(surface->context, tube, spacing, view, &curve) &&
              sweep_curve(&sweep, tube, &curve);
    lithe_free(surface->context, curve.samples);
    return ok;
}

static LithePictureTube unit_circle(void) {
    return (LithePictureTube){.section = LITHE_PICTURE_CIRCLE, .half_width = 1, .half_height = 1};
}

static Vec3 pulled(Vec3 eye, Vec3 x) {
    return v3_mix(eye, x, LITHE_PICTURE_MARK);
}

// Max sides of a sphere when `count` spheres share the vertices: a multiple of 4.
static int32_t sides_of_many(int32_t count) {
    int32_t sides = 4 * (int32_t)(0.25 * sqrt(2.0 * VERTEX_AIM / (count > 0 ? count : 1)));
    return sides > 64 ? 64 : sides < 12 ? 12 : sides;
}

// A sphere has at most `max` sides.
static bool add_sphere(LithePictureSurface *surface, const LithePictureSphere *sphere, Vec3 eye,
                       int32_t max) {
    Vec3 centre = sphere->mark ? pulled(eye, sphere->centre) : sphere->centre;
    double radius = sphere->mark ? LITHE_PICTURE_MARK * sphere->radius : sphere->radius;
    LithePictureTube round = unit_circle();
    Sweep sweep = {
        .surface = surface, .circle = true, .stretch = 1, .previous = -1, .previous_caster = -1};
    int32_t sides = 2 * sides_for(sphere->radius, surface->pixel);
    sides = sides > max ? max : sides;
    sweep.corner_count = lithe_picture_outline(&round, sides, sweep.corners);
    sweep.caster_sides = max < 24 ? 6 : 16;
    sweep.part = add_part(
        surface, (LithePicturePart){.finish = sphere->mark ? LITHE_PICTURE_FLAT : sphere->finish,
                                    .mesh = true,
                                    .radius = (float)radius,
                                    .cull = true});
    LithePictureSample middle = {.x = centre,
                                 .t = {0, 0, 1},
                                 .m1 = {1, 0, 0},
                                 .scale = radius,
                                 .rgb = lithe_picture_linear(sphere->colour)};
    if (!sphere->mark)
        surface->thin = fmin(surface->thin, radius);
    bool ok = sweep.part >= 0;
    for (int32_t k = 0; ok && k <= sides / 2; k++) {
        double angle = M_PI * ((double)k / (sides / 2) - 0.5), lean = sin(angle);
        ok =
            add_ring(&sweep, &middle, cos(angle), radius * lean, lean, k % 2 == 0 && !sphere->mark);
    }
    return ok;
}

static bool add_arrow(LithePictureSurface *surface, const LithePictureArrow *arrow, Vec3 eye) {
    LithePictureTube round = unit_circle();
    Sweep sweep = {
        .surface = surface, .circle = true, .stretch = 1, .previous = -1, .previous_caster = -1};
    sweep.corner_count =
        lithe_picture_outline(&round, sides_for(2 * arrow->radius, surface->pixel), sweep.corners);
    sweep.caster_sides = 8;
    sweep.part = add_part(
        surface, (LithePicturePart){.finish = arrow->mark ? LITHE_PICTURE_FLAT : LITHE_PICTURE_SOFT,
                                    .mesh = true,
                                    .radius = (float)arrow->radius,
                                    .cull = true});
    Vec3 start = arrow->mark ? pulled(eye, arrow->from) : arrow->from;
    Vec3 along = v3_sub(arrow->mark ? pulled(eye, arrow->to) : arrow->to, start);
    double r = arrow->mark ? LITHE_PICTURE_MARK * arrow->radius : arrow->radius;
    double length = v3_norm(along), head = fmin(8 * r, length);
    if (sweep.part < 0)
        return false;
    if (!(length > 0))
        return true;
    if (!arrow->mark)
        surface->thin = fmin(surface->thin, r);
    LithePictureSample from = {
        .x = start, .t = v3_unit(along), .scale = r, .rgb = lithe_picture_linear(arrow->colour)};
    from.m1 = v3_any_normal(from.t);
    double neck = length - head, slope = 3 * r / hypot(3 * r, head);
    // closed start, shaft, back of the head, cone; pairs of rings keep the edges sharp
    const double rings[][3] = {{0, 0, -1},    {1, 0, -1},    {1, 0, 0},        {1, neck, 0},
                               {1, neck, -1}, {3, neck, -1}, {3, neck, slope}, {0, length, slope}};
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++)
        if (!add_ring(&sweep, &from, rings[k][0], rings[k][1], rings[k][2], !arrow->mark))
            return false;
    return true;
}

// One triangle of a mesh, divided into cuts^2, so that its light is computed at enough places.
// `rgb` [3] of its corners; where all have one colour, `one` is set.
static bool add_cut_triangle(LithePictureSurface *surface, const Vec3 x[3], const Vec3 n[3],
                             const Vec3 rgb[3], bool one, int32_t cuts, int32_t part) {
    int32_t first = add_vertices(surface, (cuts + 1) * (cuts + 2) / 2);
    if (first < 0)
        return false;
    int32_t at = first;
    for (int32_t i = 0; i <= cuts; i++)
        for (int32_t j = 0; j <= cuts - i; j++, at++) {
            double b = (double)i / cuts, c = (double)j / cuts, a = 1 - b - c;
            LithePictureVertex *v = &surface->vertices[at];
            Vec3 y = v3_axpy(a, x[0], v3_axpy(b, x[1], v3_scale(c, x[2])));
            put(v->x, v3_sub(y, surface->centre));
            put(v->n, v3_unit(v3_axpy(a, n[0], v3_axpy(b, n[1], v3_scale(c, n[2])))));
            put(v->rgb, one ? rgb[0] : v3_axpy(a, rgb[0], v3_axpy(b, rgb[1], v3_scale(c, rgb[2]))));
        }
    // row i starts after rows of cuts+1, cuts, .. vertices
    for (int32_t i = 0, row = first; i < cuts; i++) {
        int32_t next = row + cuts - i + 1;
        for (int32_t j = 0; j < cuts - i; j++) {
            if (!add_triangle(surface, row + j, next + j, row + j + 1, part) ||
                !add_caster(surface, row + j, next + j, row + j + 1))
                return false;
            if (j + 1 < cuts - i &&
                (!add_triangle(surface, next + j, next + j + 1, row + j + 1, part) ||
                 !add_caster(surface, next + j, next + j + 1, row + j + 1)))
                return false;
        }
        row = next;
    }
    return true;
}

// Turns a triangle that faces away from the eye.
static void turn_to(Vec3 eye, Vec3 flat, Vec3 x[3], Vec3 n[3], Vec3 rgb[3]) {
    if (!(v3_dot(flat, v3_sub(eye, x[0])) < 0))
        return;
    Vec3 point = x[1], normal = n[1], colour = rgb[1];
    x[1] = x[2], n[1] = n[2], rgb[1] = rgb[2];
    x[2] = point, n[2] = normal, rgb[2] = colour;
    for (int k = 0; k < 3; k++)
        n[k] = v3_neg(n[k]);
}

static bool add_mesh(LithePictureSurface *surface, const LithePictureMesh *mesh, Vec3 eye) {
    int32_t part =
        add_part(surface, (LithePicturePart){.finish = mesh->finish, .mesh = true, .radius = 1});
    bool ok = part >= 0;
    Vec3 plain = lithe_picture_linear(mesh->colour), rgb[3] = {plain, plain, plain};
    double fine = surface->radius / 24;
    for (int32_t i = 0; ok && i < mesh->triangle_count; i++) {
        Vec3 x[3], n[3];
        for (int k = 0; k < 3; k++)
            x[k] = v3_load(mesh->points + 3 * mesh->triangles[3 * i + k]);
        for (int k = 0; mesh->mark && k < 3; k++)
            x[k] = pulled(eye, x[k]);
        Vec3 flat = v3_unit(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        for (int k = 0; k < 3; k++)
            n[k] = mesh->normals ? v3_load(mesh->normals + 3 * mesh->triangles[3 * i + k]) : flat;
        for (int k = 0; mesh->rgb && k < 3; k++) {
            const double *c = mesh->rgb + 3 * mesh->triangles[3 * i + k];
            rgb[k] = lithe_picture_linear((LitheColour){c[0], c[1], c[2]});
        }
        if (mesh->two_sided)
            turn_to(eye, flat, x, n, rgb);
        double longest =
            fmax(v3_distance(x[0], x[1]), fmax(v3_distance(x[1], x[2]), v3_distance(x[2], x[0])));
        int32_t cuts = (int32_t)fmin(ceil(longest / fine), CUT_LIMIT);
        ok = add_cut_triangle(surface, x, n, rgb, !mesh->rgb, cuts < 1 ? 1 : cuts, part);
    }
    return ok;
}

static bool add_all(LithePictureSurface *surface, const LithePicture *picture,
                    const LithePictureView *view) {
    Vec3 eye = view->eye;
    bool ok = true;
    double total = 0;
    for (int32_t i = 0; i < picture->tube_count; i++)
        total += tube_length(&picture->tubes[i]);
    for (int32_t i = 0; ok && i < picture->tube_count; i++) {
        double length = tube_length(&picture->tubes[i]);
        ok = add_tube(surface, &picture->tubes[i], view,
                      total > 0 && length > 0 ? length / total : 1);
    }
    int32_t spheres = 0;
    for (int32_t i = 0; i < picture->sphere_count; i++)
        spheres += !picture->spheres[i].mark;
    int32_t max = sides_of_many(spheres);
    for (int32_t i = 0; ok && i < picture->sphere_count; i++)
        ok = add_sphere(surface, &picture->spheres[i], eye, picture->spheres[i].mark ? 64 : max);
    for (int32_t i = 0; ok && i < picture->arrow_count; i++)
        ok = add_arrow(surface, &picture->arrows[i], eye);
    for (int32_t i = 0; ok && i < picture->mesh_count; i++)
        ok = add_mesh(surface, &picture->meshes[i], eye);
    return ok;
}

bool lithe_picture_surface(LitheContext *context, const LithePicture *picture,
                           const LithePictureCamera *camera, LithePictureSurface *surface) {
    *surface = (LithePictureSurface){.context = context};
    Vec3 box[2];
    lithe_picture_box(picture, box);
    surface->centre = v3_mix(box[0], box[1], 0.5);
    surface->low = v3_sub(box[0], surface->centre);
    surface->high = v3_sub(box[1], surface->centre);
    surface->radius = fmax(v3_norm(surface->high), 1e-9); // a single point has no size
    surface->thin = 0.1 * surface->radius;
    surface->ground = lithe_picture_ground(picture) - surface->centre.z;
    LithePictureView view = lithe_picture_view(picture, camera);
    surface->pixel = lithe_picture_pixel(picture, &view);
    return add_all(surface, picture, &view);
}

void lithe_picture_surface_free(LithePictureSurface *surface) {
    lithe_free(surface->context, surface->vertices);
    lithe_free(surface->context, surface->triangles);
    lithe_free(surface->context, surface->casters);
    lithe_free(surface->context, surface->parts);
}
