// SPDX-License-Identifier: Apache-2.0
// record/picture.c - defaults, checks, colours, the automatic camera

#include "record/picture.h"

#include <math.h>

#include "base/status.h"
#include "record/picture_parts.h"
#include "record/png.h"

enum { SIZE_LIMIT = 16384 }; // pixels per side: max 1 GiB per image

LithePicture lithe_picture_default(void) {
    return (LithePicture){
        .width = 1600,
        .height = 1000,
        .ground = true,
        .ground_auto = true,
        .grid = true,
        .camera_auto = true,
        .azimuth = -1.05, // from the front, slightly from the right
        .elevation = 0.45,
        .camera = {.up = {0, 0, 1},
                   .field_of_view = 0.45}, // a small field of view: little distortion
    };
}

// --- checks --------------------------------------------------------------------------------------

static bool finite3(const double *x, int32_t count, int32_t *bad) {
    for (int32_t i = 0; i < count; i++)
        if (!isfinite(x[3 * i]) || !isfinite(x[3 * i + 1]) || !isfinite(x[3 * i + 2])) {
            *bad = i;
            return false;
        }
    return true;
}

static bool positive(double x) {
    return isfinite(x) && x > 0;
}

static LitheStatus check_tube(const LithePictureTube *tube, int32_t index, LitheError *error) {
    int32_t bad = 0;
    if (tube->point_count < 1 || !tube->points)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: tube %d: point_count is %d, must be at least 1", index,
                          tube->point_count);
    if (!finite3(tube->points, tube->point_count, &bad))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: tube %d: point %d is not finite", index,
                          bad);
    if (tube->director &&
        !finite3(tube->director, tube->point_count - (tube->closed ? 0 : 1), &bad))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: tube %d: director %d is not finite",
                          index, bad);
    bool circle = tube->section == LITHE_PICTURE_CIRCLE;
    for (int32_t i = 0; circle && tube->radii && i < tube->point_count; i++)
        if (!positive(tube->radii[i]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: tube %d: radius of point %d is %g m, must be > 0", index, i,
                              tube->radii[i]);
    if (!(circle && tube->radii) && !positive(tube->half_width))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: tube %d: half_width is %g m, must be > 0", index,
                          tube->half_width);
    if (!circle && !positive(tube->half_height))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: tube %d: half_height is %g m, must be > 0", index,
                          tube->half_height);
    return LITHE_OK;
}

static LitheStatus check_mesh(const LithePictureMesh *mesh, int32_t index, LitheError *error) {
    int32_t bad = 0;
    if (!finite3(mesh->points, mesh->point_count, &bad))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: mesh %d: point %d is not finite", index,
                          bad);
    if (mesh->normals && !finite3(mesh->normals, mesh->point_count, &bad))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: mesh %d: normal %d is not finite",
                          index, bad);
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->point_count)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: mesh %d: triangle %d names point %d, must be 0 to %d",
                              index, i / 3, mesh->triangles[i], mesh->point_count - 1);
    return LITHE_OK;
}

static LitheStatus check_small_parts(const LithePicture *picture, LitheError *error) {
    for (int32_t i = 0; i < picture->sphere_count; i++)
        if (!v3_finite(picture->spheres[i].centre) || !positive(picture->spheres[i].radius))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: sphere %d: centre must be finite and radius (%g m) > 0", i,
                              picture->spheres[i].radius);
    for (int32_t i = 0; i < picture->arrow_count; i++)
        if (!v3_finite(picture->arrows[i].from) || !v3_finite(picture->arrows[i].to) ||
            !positive(picture->arrows[i].radius))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: arrow %d: ends must be finite and radius (%g m) > 0", i,
                              picture->arrows[i].radius);
    for (int32_t i = 0; i < picture->label_count; i++)
        if (!v3_finite(picture->labels[i].at) || !picture->labels[i].text)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: label %d: place must be finite and text given", i);
    const LithePictureScale *scale = &picture->scale;
    if (scale->title &&
        !(isfinite(scale->low) && isfinite(scale->high) && scale->low < scale->high))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: scale is %g to %g, must grow",
                          scale->low, scale->high);
    return LITHE_OK;
}

static LitheStatus check_camera(const LithePicture *picture, LitheError *error) {
    const LithePictureCamera *camera = &picture->camera;
    if (!(camera->field_of_view > 0.001 && camera->field_of_view < 3))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: camera: field_of_view is %g rad, must be 0.001 to 3",
                          camera->field_of_view);
    if (picture->camera_auto) {
        if (!isfinite(picture->azimuth) || !(fabs(picture->elevation) <= 1.5707964))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "picture: camera: elevation is %g rad, must be -pi/2 to pi/2",
                              picture->elevation);
        return LITHE_OK;
    }
    Vec3 along = v3_sub(camera->target, camera->eye);
    if (!(v3_norm(v3_cross(along, camera->up)) > 0) || !v3_finite(along) || !v3_finite(camera->up))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: camera: eye and target must differ and up must not lie along "
                          "the view");
    return LITHE_OK;
}

LitheStatus lithe_picture_check(const LithePicture *picture, LitheError *error) {
    if (picture->width < 1 || picture->height < 1 || picture->width > SIZE_LIMIT ||
        picture->height > SIZE_LIMIT)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "picture: size is %d x %d pixels, each side must be 1 to %d",
                          picture->width, picture->height, SIZE_LIMIT);
    for (int32_t i = 0; i < picture->tube_count; i++) {
        LitheStatus status = check_tube(&picture->tubes[i], i, error);
        if (status != LITHE_OK)
            return status;
    }
    for (int32_t i = 0; i < picture->mesh_count; i++) {
        LitheStatus status = check_mesh(&picture->meshes[i], i, error);
        if (status != LITHE_OK)
            return status;
    }
    if (!picture->ground_auto && !isfinite(picture->ground_height))
        return lithe_fail(error, LITHE_BAD_INPUT, "picture: ground_height is not finite");
    LitheStatus status = check_small_parts(picture, error);
    return status != LITHE_OK ? status : check_camera(picture, error);
}

// --- colours -------------------------------------------------------------------------------------

double lithe_picture_to_linear(double s) {
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

double lithe_picture_to_srgb(double l) {
    if (!(l > 0))
        return 0;
    return l >= 1 ? 1 : l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055;
}

Vec3 lithe_picture_linear(LitheColour c) {
    return v3(lithe_picture_to_linear(c.r), lithe_picture_to_linear(c.g),
              lithe_picture_to_linear(c.b));
}

static LitheColour from_bytes(uint32_t rgb) {
    return (LitheColour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

LitheColour lithe_picture_map(double value) {
    static const uint32_t stops[] = {0x2d2469, 0x6f2a83, 0xb2397a, 0xe2604f, 0xf59f3c, 0xfaeb8f};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    if (isnan(value))
        return from_bytes(0x909090);
    double at = fmin(fmax(value, 0), 1) * LAST;
    int k = at >= LAST ? LAST - 1 : (int)at;
    LitheColour a = from_bytes(stops[k]), b = from_bytes(stops[k + 1]);
    double f = at - k;
    return (LitheColour){a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b)};
}

LitheColour lithe_picture_face_colour(const LithePictureMesh *mesh, int32_t triangle) {
    if (!mesh->rgb)
        return mesh->colour;
    Vec3 mean = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        mean = v3_axpy(1.0 / 3, v3_load(mesh->rgb + 3 * mesh->triangles[3 * triangle + k]), mean);
    return (LitheColour){mean.x, mean.y, mean.z};
}

LitheColour lithe_picture_palette(int32_t i) {
    static const uint32_t colours[] = {0xd9683c, 0x2f6f8f, 0xe3ab3e, 0x6a9a5b,
                                       0x8a4f7d, 0xc9b79c, 0x3d4a66, 0xb5413b};
    return from_bytes(colours[i % (int32_t)(sizeof colours / sizeof *colours)]);
}

LitheColour lithe_picture_background(const LithePicture *picture) {
    if (picture->own_background)
        return picture->background;
    return from_bytes(picture->dark ? 0x24272c : 0xf3efe8);
}

// --- extent, ground and camera -------------------------------------------------------------------

// Called with a ball around every point of everything.
typedef void SeeFn(Vec3 x, double radius, void *user);

static void see_all(const LithePicture *picture, bool marks, SeeFn *see, void *user) {
    for (int32_t i = 0; i < picture->tube_count; i++) {
        const LithePictureTube *tube = &picture->tubes[i];
        bool circle = tube->section == LITHE_PICTURE_CIRCLE;
        double r = circle ? tube->half_width : hypot(tube->half_width, tube->half_height);
        for (int32_t k = 0; k < tube->point_count; k++)
            see(v3_load(tube->points + 3 * k), circle && tube->radii ? tube->radii[k] : r, user);
    }
    for (int32_t i = 0; i < picture->sphere_count; i++)
        if (marks || !picture->spheres[i].mark)
            see(picture->spheres[i].centre, picture->spheres[i].radius, user);
    for (int32_t i = 0; i < picture->arrow_count; i++) {
        if (!marks && picture->arrows[i].mark)
            continue;
        see(picture->arrows[i].from, picture->arrows[i].radius, user);
        see(picture->arrows[i].to, 3 * picture->arrows[i].radius, user);
    }
    for (int32_t i = 0; i < picture->mesh_count; i++)
        for (int32_t k = 0;
             (marks || !picture->meshes[i].mark) && k < picture->meshes[i].point_count; k++)
            see(v3_load(picture->meshes[i].points + 3 * k), 0, user);
}

static void see_lowest(Vec3 x, double radius, void *user) {
    double *low = user;
    *low = fmin(*low, x.z - radius);
}

// Lowest point of a belt whose frame is known. A flat belt lies lower than a ball around its points
// would.
static double belt_lowest(const LithePictureTube *tube) {
    double low = INFINITY;
    int32_t n = tube->point_count, edges = tube->closed ? n : n - 1;
    for (int32_t e = 0; e < edges; e++) {
        Vec3 a = v3_load(tube->points + 3 * e), b = v3_load(tube->points + 3 * ((e + 1) % n));
        Vec3 t = v3_unit(v3_sub(b, a)), m1 = v3_load(tube->director + 3 * e);
        m1 = v3_unit(v3_axpy(-v3_dot(m1, t), t, m1));
        Vec3 m2 = v3_cross(t, m1);
        double reach = tube->half_width * fabs(m1.z) + tube->half_height * fabs(m2.z);
        low = fmin(low, fmin(a.z, b.z) - reach);
    }
    return low;
}

double lithe_picture_ground(const LithePicture *picture) {
    if (!picture->ground_auto)
        return picture->ground_height;
    double low = INFINITY;
    LithePicture rest = *picture;
    rest.tube_count = 0;
    see_all(&rest, false, see_lowest, &low);
    for (int32_t i = 0; i < picture->tube_count; i++) {
        const LithePictureTube *tube = &picture->tubes[i];
        if (tube->section != LITHE_PICTURE_CIRCLE && tube->director && tube->point_count > 1) {
            low = fmin(low, belt_lowest(tube));
            continue;
        }
        rest.tubes = tube;
        rest.tube_count = 1;
        see_all(&rest, false, see_lowest, &low);
    }
    return isfinite(low) ? low : 0;
}

static void see_box(Vec3 x, double radius, void *user) {
    Vec3 *box = user;
    box[0] = v3(fmin(box[0].x, x.x - radius), fmin(box[0].y, x.y - radius),
                fmin(box[0].z, x.z - radius));
    box[1] = v3(fmax(box[1].x, x.x + radius), fmax(box[1].y, x.y + radius),
                fmax(box[1].z, x.z + radius));
}

void lithe_picture_box(const LithePicture *picture, Vec3 box[2]) {
    box[0] = v3(INFINITY, INFINITY, INFINITY);
    box[1] = v3(-INFINITY, -INFINITY, -INFINITY);
    see_all(picture, false, see_box, box);
    if (!(box[0].x <= box[1].x)) {
        box[0] = v3(-0.5, -0.5, -0.5);
        box[1] = v3(0.5, 0.5, 0.5);
    }
}

// An eye at (ex, ey, -D) along right, up and forward sees the point p where x_p - ex <= T (z_p + D)
// and ex - x_p <= T (z_p + D), T being the tangent of half the field of view; the same for y.
typedef struct Fit {
    Vec3 right, up, forward;
    double tan_x, tan_y;
    double max[4];        // max of +-x_p - T_x z_p and +-y_p - T_y z_p
    double z_low, z_high; // range of z_p
} Fit;

static void see_fit(Vec3 x, double radius, void *user) {
    Fit *fit = user;
    double px = v3_dot(x, fit->right), py = v3_dot(x, fit->up), pz = v3_dot(x, fit->forward);
    double rx = radius * hypot(1, fit->tan_x), ry = radius * hypot(1, fit->tan_y);
    fit->max[0] = fmax(fit->max[0], px - fit->tan_x * pz + rx);
    fit->max[1] = fmax(fit->max[1], -px - fit->tan_x * pz + rx);
    fit->max[2] = fmax(fit->max[2], py - fit->tan_y * pz + ry);
    fit->max[3] = fmax(fit->max[3], -py - fit->tan_y * pz + ry);
    fit->z_low = fmin(fit->z_low, pz - radius);
    fit->z_high = fmax(fit->z_high, pz + radius);
}

// Extent in the image (x/z and y/z) of everything, seen by an eye at (ex, ey, -back).
typedef struct Extent {
    const Fit *fit;
    double ex, ey, back;
    double low[2], high[2];
} Extent;

static void see_extent(Vec3 x, double radius, void *user) {
    Extent *e = user;
    double z = v3_dot(x, e->fit->forward) + e->back;
    double px = (v3_dot(x, e->fit->right) - e->ex) / z, py = (v3_dot(x, e->fit->up) - e->ey) / z;
    e->low[0] = fmin(e->low[0], px - radius / z);
    e->low[1] = fmin(e->low[1], py - radius / z);
    e->high[0] = fmax(e->high[0], px + radius / z);
    e->high[1] = fmax(e->high[1], py + radius / z);
}

// Where one direction has free space, moves the eye until the margins on both sides are equal.
static void centre_eye(const LithePicture *picture, const Fit *fit, double back, double *ex,
                       double *ey) {
    double depth = back + 0.5 * (fit->z_low + fit->z_high);
    for (int pass = 0; pass < 4; pass++) {
        Extent e = {.fit = fit, .ex = *ex, .ey = *ey, .back = back};
        for (int k = 0; k < 2; k++) {
            e.low[k] = INFINITY;
            e.high[k] = -INFINITY;
        }
        see_all(picture, true, see_extent, &e);
        if (!(e.low[0] <= e.high[0]))
            return;
        *ex += 0.5 * (e.low[0] + e.high[0]) * depth;
        *ey += 0.5 * (e.low[1] + e.high[1]) * depth;
    }
}

LithePictureCamera lithe_picture_camera(const LithePicture *picture) {
    if (!picture->camera_auto)
        return picture->camera;
    LithePictureCamera camera = {.up = {0, 0, 1}, .field_of_view = picture->camera.field_of_view};
    double ca = cos(picture->azimuth), sa = sin(picture->azimuth);
    double ce = cos(picture->elevation), se = sin(picture->elevation);
    Fit fit = {.forward = {-ce * ca, -ce * sa, -se}, .right = {-sa, ca, 0}};
    fit.up = v3_cross(fit.right, fit.forward);
    if (ce < 1e-6)
        camera.up = fit.up;

    // a margin of a twelfth on each side keeps shadows and some space in the picture
    fit.tan_y = tan(0.5 * camera.field_of_view) * 0.84;
    fit.tan_x = fit.tan_y * picture->width / picture->height;
    for (int i = 0; i < 4; i++)
        fit.max[i] = -INFINITY;
    fit.z_low = INFINITY;
    fit.z_high = -INFINITY;
    see_all(picture, true, see_fit, &fit);
    if (!(fit.z_low <= fit.z_high)) { // nothing there: view a cube of 1 m
        see_fit(v3(-0.5, -0.5, -0.5), 0, &fit);
        see_fit(v3(0.5, 0.5, 0.5), 0, &fit);
    }
    double ex = 0.5 * (fit.max[0] - fit.max[1]), ey = 0.5 * (fit.max[2] - fit.max[3]);
    double back = fmax((fit.max[0] + fit.max[1]) / (2 * fit.tan_x),
                       (fit.max[2] + fit.max[3]) / (2 * fit.tan_y));
    // one point gives a distance of 0
    back = fmax(back, 1e-6 - fit.z_low);
    centre_eye(picture, &fit, back, &ex, &ey);
    Vec3 side = v3_add(v3_scale(ex, fit.right), v3_scale(ey, fit.up));
    camera.eye = v3_axpy(-back, fit.forward, side);
    camera.target = v3_axpy(0.5 * (fit.z_low + fit.z_high), fit.forward, side);
    return camera;
}

LithePictureView lithe_picture_view(const LithePicture *picture, const LithePictureCamera *camera) {
    LithePictureView view = {.eye = camera->eye};
    Vec3 along = v3_sub(camera->target, camera->eye);
    view.forward = v3_unit(along);
    view.right = v3_unit(v3_cross(view.forward, camera->up));
    view.up = v3_cross(view.right, view.forward);
    view.half_width = 0.5 * picture->width;
    view.half_height = 0.5 * picture->height;
    view.focal = view.half_height / tan(0.5 * camera->field_of_view);
    view.near_depth = 1e-3 * v3_norm(along);
    return view;
}

double lithe_picture_pixel(const LithePicture *picture, const LithePictureView *view) {
    Vec3 box[2];
    lithe_picture_box(picture, box);
    double depth = v3_dot(v3_sub(v3_mix(box[0], box[1], 0.5), view->eye), view->forward);
    return fmax(depth, view->near_depth) / view->focal;
}

bool lithe_picture_project(const LithePictureView *view, Vec3 x, double *px, double *py,
                           double *depth) {
    Vec3 d = v3_sub(x, view->eye);
    *depth = v3_dot(d, view->forward);
    if (!(*depth > view->near_depth))
        return false;
    *px = view->half_width + view->focal * v3_dot(d, view->right) / *depth;
    *py = view->half_height - view->focal * v3_dot(d, view->up) / *depth;
    return true;
}

LitheStatus lithe_picture_write_png(LitheContext *context, const LithePicture *picture,
                                    LithePool *pool, const char *path, LitheError *error) {
    LitheImage image;
    LitheStatus status = lithe_picture_render(context, picture, pool, &image, error);
    if (status != LITHE_OK)
        return status;
    status = lithe_png_write(context, path, image.rgba, image.width, image.height, error);
    lithe_image_free(context, &image);
    return status;
}
