// SPDX-License-Identifier: Apache-2.0
// record/export_picture.c - a frame of a recording as a picture

#include "record/export.h"
#include "record/picture_bodies.h"
#include "record/picture_forces.h"
#include "record/picture_parts.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "math/vec3.h"
#include "record/drawable.h"
#include "record/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Still {
    LitheRecording *recording;
    int32_t drawable_count;
    LithePictureTube *tubes;
    double *points;    // [all points][3] of all that is drawn through points
    double *directors; // [all points][3], m1 of edges
    double *scalars;   // [all points]
    bool *coloured;    // [drawable_count] whether it has scalars
    double low, high;  // range of the colours
    char title[128];   // of their scale
    LithePictureBodies bodies;
    LithePictureForces forces;
} Still;

LithePictureOptions lithe_picture_options_default(void) {
    LithePicture defaults = lithe_picture_default();
    return (LithePictureOptions){.ground = NAN,
                                 .width = defaults.width,
                                 .height = defaults.height,
                                 .azimuth = defaults.azimuth,
                                 .elevation = defaults.elevation};
}

static bool allocate_buffers(Still *still) {
    LitheContext *context = still->recording->context;
    int64_t points = 0;
    still->drawable_count = lithe_drawable_count(still->recording);
    for (int32_t i = 0; i < still->drawable_count; i++)
        points += lithe_drawable(still->recording, i).point_count;
    still->tubes =
        lithe_alloc_array(context, (int64_t)still->recording->tube_count + still->bodies.tube_count,
                          sizeof *still->tubes);
    still->points = lithe_alloc_array(context, 3 * points, sizeof(double));
    still->directors = lithe_alloc_array(context, 3 * points, sizeof(double));
    still->scalars = lithe_alloc_array(context, points, sizeof(double));
    still->coloured = lithe_alloc_array(context, still->drawable_count, sizeof(bool));
    return still->tubes && still->points && still->directors && still->scalars && still->coloured;
}

static void release(Still *still) {
    LitheContext *context = still->recording->context;
    lithe_picture_bodies_release(&still->bodies);
    lithe_picture_forces_release(&still->forces);
    lithe_free(context, still->tubes);
    lithe_free(context, still->points);
    lithe_free(context, still->directors);
    lithe_free(context, still->scalars);
    lithe_free(context, still->coloured);
}

// --- objects drawn through points ----------------------------------------------------------------

static LitheStatus add_tube(Still *still, int32_t r, int64_t at, int64_t frame, LitheError *error) {
    LitheRecording *recording = still->recording;
    const LitheRecordingTube *rod = &recording->tubes[r];
    LithePictureTube *tube = &still->tubes[r];
    *tube = (LithePictureTube){.points = still->points + 3 * at,
                               .point_count = rod->node_count,
                               .closed = rod->closed,
                               .section = LITHE_PICTURE_CIRCLE,
                               .half_width = 0.5 * rod->size[0],
                               .half_height = 0.5 * rod->size[1],
                               .colour = lithe_picture_palette(r),
                               .finish = LITHE_PICTURE_SOFT};
    if (strcmp(rod->section, "rectangle") == 0)
        tube->section = LITHE_PICTURE_RECTANGLE;
    else if (strcmp(rod->section, "ellipse") == 0)
        tube->section = LITHE_PICTURE_ELLIPSE;

    LitheStatus status = LITHE_OK;
    const LitheColumn *director = lithe_recording_tube_column(recording, r, "director");
    if (director && director->offset >= 0 && director->rank == 2 &&
        director->dims[0] == rod->edge_count && director->dims[1] == 3) {
        status =
            lithe_recording_read(recording, director, frame, 1, still->directors + 3 * at, error);
        tube->director = still->directors + 3 * at;
    }
    return status;
}

// Reads the positions of everything; after this, tubes are parts of the picture, except for their
// colours.
static LitheStatus read_points(Still *still, int64_t frame, LitheError *error) {
    LitheStatus status = LITHE_OK;
    int64_t at = 0;
    for (int32_t i = 0; status == LITHE_OK && i < still->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(still->recording, i);
        status = lithe_drawable_read(still->recording, &of, "position", 3, frame,
                                     still->points + 3 * at, error);
        if (status == LITHE_OK && of.drawn == LITHE_DRAWN_TUBE)
            status = add_tube(still, of.index, at, frame, error);
        at += of.point_count;
    }
    return status;
}

// Surfaces and balls become parts of the picture; tubes get their colours.
static LitheStatus add_drawables(Still *still, LitheError *error) {
    LitheStatus status = LITHE_OK;
    int64_t at = 0;
    for (int32_t i = 0; status == LITHE_OK && i < still->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(still->recording, i);
        const double *points = still->points + 3 * at;
        const LithePictureInk ink = {.colour = lithe_picture_palette(i),
                                     .scalar = still->coloured[i] ? still->scalars + at : NULL,
                                     .low = still->low,
                                     .high = still->high};
        if (of.drawn == LITHE_DRAWN_SURFACE) {
            status = lithe_picture_put_surface(
                &still->bodies, &still->recording->surfaces[of.index], points, &ink, error);
        } else if (of.drawn == LITHE_DRAWN_BALLS) {
            status = lithe_picture_put_balls(&still->bodies, &still->recording->balls[of.index],
                                             points, &ink, error);
        } else {
            still->tubes[of.index].scalar = ink.scalar;
            still->tubes[of.index].scalar_low = ink.low;
            still->tubes[of.index].scalar_high = ink.high;
        }
        at += of.point_count;
    }
    return status;
}

// --- colours -------------------------------------------------------------------------------------

// Whether a column has values on points of something that is drawn through points.
static bool is_on_points(const LitheRecording *recording, const LitheColumn *column) {
    const char *last = strrchr(column->path, '/');
    for (int32_t i = 0; last && i < lithe_drawable_count(recording); i++) {
        const LitheDrawable of = lithe_drawable(recording, i);
        size_t folder = strlen(of.folder), name = strlen(of.name);
        if (strncmp(column->path, of.folder, folder) == 0 && column->path[folder] == '/' &&
            column->path + folder + 1 + name == last &&
            strncmp(column->path + folder + 1, of.name, name) == 0)
            return lithe_drawable_width(recording, &of, last + 1) > 0;
    }
    return false;
}

// a quantity of this name that a thing could have recorded; NULL: there is none
static const LitheQuantity *could_record(const LitheRecording *recording, const char *name,
                                         LitheDrawable *of) {
    for (int32_t i = 0; i < lithe_drawable_count(recording); i++) {
        *of = lithe_drawable(recording, i);
        for (const LitheOwner *const *owner = lithe_owners; *owner; owner++)
            for (const LitheQuantity *q = (*owner)->quantities; q && q->name; q++)
                if ((*owner)->folder && strcmp((*owner)->folder, of->folder) == 0 &&
                    strcmp(q->name, name) == 0 && !q->always)
                    return q;
    }
    return NULL;
}

static LitheStatus fail_colour(const LitheRecording *recording, const char *name,
                               LitheError *error) {
    LitheDrawable of;
    const LitheQuantity *known = could_record(recording, name, &of);
    if (known && strstr(known->axes, "element"))
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "%s: cannot colour by '%.60s', which belongs to elements: colours are those "
            "of nodes, such as von-mises and equivalent-strain",
            recording->path, name);
    if (known)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: cannot colour by '%.60s', which was not recorded: the scene needs "
                          "record: {also: [%.80s.%.60s]}",
                          recording->path, name, of.name, name);
    // what is computed from the positions is always there
    const char *names[64] = {"displacement"};
    int32_t count = 1;
    char list[512] = "displacement";
    size_t used = strlen(list);
    for (int32_t i = 0; i < recording->layout.column_count && count < 64; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        const char *last = strrchr(column->path, '/');
        bool seen = !last || strlen(last) + 3 > sizeof list - used;
        for (int32_t k = 0; k < count && !seen; k++)
            seen = strcmp(names[k], last + 1) == 0;
        if (seen || !is_on_points(recording, column))
            continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "",
                                 last + 1);
        names[count++] = last + 1;
    }
    if (lithe_drawable_count(recording) == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: cannot colour by '%.60s': only rods, surfaces and particles take "
                          "colours, and there are none",
                          recording->path, name);
    const char *meant = lithe_suggest(name, names, count);
    bool rods = recording->tube_count == lithe_drawable_count(recording);
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: cannot colour by '%.60s'%s%s%s %s %s",
                      recording->path, name, meant ? ", did you mean '" : "", meant ? meant : "",
                      meant ? "'?" : ".", rods ? "Rods have" : "On points there are", list);
}

static void widen(const Still *still, double *low, double *high) {
    int64_t at = 0;
    for (int32_t i = 0; i < still->drawable_count; i++) {
        int32_t count = lithe_drawable(still->recording, i).point_count;
        for (int32_t k = 0; still->coloured[i] && k < count; k++) {
            *low = fmin(*low, still->scalars[at + k]);
            *high = fmax(*high, still->scalars[at + k]);
        }
        at += count;
    }
}

static void set_range(Still *still, const LithePictureOptions *options) {
    double low = INFINITY, high = -INFINITY;
    widen(still, &low, &high);
    if (options->own_range) {
        low = options->low;
        high = options->high;
    }
    // equal values have the first colour
    if (!(high > low))
        high = low + fmax(1e-12, fabs(low) * 1e-9);
    still->low = low;
    still->high = high;
}

static LitheStatus read_scalars(Still *still, const char *name, int64_t frame, LitheError *error) {
    bool any = false;
    int64_t at = 0;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < still->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(still->recording, i);
        status = lithe_drawable_scalars(still->recording, &of, name, frame, still->scalars + at,
                                        &still->coloured[i], error);
        any = any || still->coloured[i];
        at += of.point_count;
    }
    if (status == LITHE_OK && !any)
        return fail_colour(still->recording, name, error);
    return status;
}

static LitheStatus colour_by(Still *still, const LithePictureOptions *options, int64_t frame,
                             LitheError *error) {
    LitheStatus status = read_scalars(still, options->colour, frame, error);
    if (status == LITHE_OK)
        set_range(still, options);
    return status;
}

// The unit of a quantity on points: that of the first column that has it.
static void find_unit(const LitheRecording *recording, const char *name, char unit[32]) {
    snprintf(unit, 32, "%s",
             strcmp(name, "displacement") == 0 ? "m"
             : strcmp(name, "speed") == 0      ? "m/s"
                                               : "");
    for (int32_t i = 0; i < lithe_drawable_count(recording) && !unit[0]; i++) {
        const LitheDrawable of = lithe_drawable(recording, i);
        const LitheColumn *column = lithe_recording_column(recording, of.folder, of.name, name);
        if (column)
            snprintf(unit, 32, "%.31s", column->unit);
    }
}

LitheStatus lithe_export_range(LitheRecording *recording, const char *colour, int64_t first,
                               int64_t count, double *low, double *high, char unit[32],
                               LitheError *error) {
    Still still = {.recording = recording};
    double least = INFINITY, most = -INFINITY;
    LitheStatus status =
        allocate_buffers(&still) ? LITHE_OK : lithe_fail_memory(error, "the colours of a picture");
    for (int64_t k = first; status == LITHE_OK && k < first + count; k++) {
        status = read_scalars(&still, colour, k, error);
        if (status == LITHE_OK)
            widen(&still, &least, &most);
    }
    release(&still);
    if (status != LITHE_OK)
        return status;
    *low = least;
    *high = most;
    find_unit(recording, colour, unit);
    return LITHE_OK;
}

// --- the picture ---------------------------------------------------------------------------------

static void list_parts(const Still *still, LithePicture *picture) {
    picture->tubes = still->tubes;
    picture->tube_count = still->recording->tube_count + still->bodies.tube_count;
    picture->spheres = still->bodies.spheres;
    picture->sphere_count = still->bodies.sphere_count;
    picture->meshes = still->bodies.meshes;
    picture->mesh_count = still->bodies.mesh_count;
    picture->arrows = still->forces.arrows;
    picture->arrow_count = still->forces.arrow_count;
    picture->labels = still->forces.labels;
    picture->label_count = still->forces.label_count;
}

// Arrows come first, so that the camera includes them; then their legend.
static LitheStatus add_forces(Still *still, int64_t frame, LithePicture *picture,
                              LitheError *error) {
    Vec3 box[2];
    lithe_picture_box(picture, box);
    LitheStatus status = lithe_picture_forces(still->recording, frame, v3_distance(box[0], box[1]),
                                              picture->dark, &still->bodies, &still->forces, error);
    list_parts(still, picture);
    if (status == LITHE_OK)
        status = lithe_picture_check(picture, error);
    if (status != LITHE_OK)
        return status;
    if (picture->camera_auto)
        picture->camera = lithe_picture_camera(picture);
    picture->camera_auto = false;
    status = lithe_picture_legend(picture, &still->forces, error);
    list_parts(still, picture);
    return status;
}

static LitheStatus add_patches(Still *still, int64_t frame, const LithePictureOptions *options,
                               LithePicture *picture, LitheError *error) {
    LithePictureScale *scale = &picture->scale;
    *scale =
        (LithePictureScale){.title = "pressure [Pa]", .low = options->low, .high = options->high};
    LitheStatus status = lithe_picture_patches(still->recording, frame, options->own_range,
                                               &scale->low, &scale->high, &still->bodies, error);
    list_parts(still, picture);
    return status;
}

// sizes of marks, as fractions of the size of the whole scene
#define MARK_RADIUS 0.009
#define MARK_LENGTH 0.07
#define MARK_SHAFT 0.0025

static LitheStatus add_marks(Still *still, const LithePictureOptions *options,
                             LithePicture *picture, LitheError *error) {
    Vec3 box[2];
    lithe_picture_box(picture, box);
    double size = v3_distance(box[0], box[1]);
    LithePictureBodies *bodies = &still->bodies;
    LithePictureForces *forces = &still->forces;
    if (!LITHE_RESERVE(bodies->context, bodies->spheres, bodies->sphere_capacity,
                       bodies->sphere_count + options->mark_count) ||
        !LITHE_RESERVE(forces->context, forces->arrows, forces->arrow_capacity,
                       forces->arrow_count + options->mark_count))
        return lithe_fail_memory(error, "the marks of a picture");
    for (int32_t i = 0; i < options->mark_count; i++) {
        const LithePictureMark *mark = &options->marks[i];
        if (v3_dot(mark->direction, mark->direction) == 0)
            bodies->spheres[bodies->sphere_count++] =
                (LithePictureSphere){.centre = mark->at,
                                     .radius = MARK_RADIUS * size,
                                     .colour = mark->colour,
                                     .finish = LITHE_PICTURE_FLAT,
                                     .mark = true};
        else
            forces->arrows[forces->arrow_count++] =
                (LithePictureArrow){.from = mark->at,
                                    .to = v3_axpy(MARK_LENGTH * size, mark->direction, mark->at),
                                    .radius = MARK_SHAFT * size,
                                    .colour = mark->colour,
                                    .mark = true};
    }
    list_parts(still, picture);
    return LITHE_OK;
}

// "von-mises [Pa]"
static const char *title_of(Still *still, const LithePictureOptions *options) {
    char unit[32];
    find_unit(still->recording, options->colour, unit);
    bool plain = !unit[0] || strcmp(unit, "1") == 0;
    snprintf(still->title, sizeof still->title, plain ? "%.80s%s" : "%.80s [%s]", options->colour,
             plain ? "" : unit);
    return still->title;
}

// Draws to a file, or to pixels when `image` is not NULL.
static LitheStatus draw(Still *still, int64_t frame, const char *path, LitheImage *image,
                        const LithePictureOptions *options, LitheError *error) {
    LithePicture picture = lithe_picture_default();
    list_parts(still, &picture);
    // a floor is drawn only where the scene or the caller has one
    bool has = still->bodies.has_ground;
    picture.ground = has || isfinite(options->ground);
    picture.ground_auto = !picture.ground;
    picture.ground_height = has ? still->bodies.ground : options->ground;
    if (options->own_camera) {
        picture.camera_auto = false;
        picture.camera = options->camera;
    }
    picture.title = still->recording->layout.title;
    if (options->colour)
        picture.scale = (LithePictureScale){
            .title = title_of(still, options), .low = still->low, .high = still->high};
    picture.width = options->width;
    picture.height = options->height;
    picture.dark = options->dark;
    picture.quick = options->quick;
    if (options->own_view) {
        picture.azimuth = options->azimuth;
        picture.elevation = options->elevation;
    }
    LitheStatus status =
        options->patches ? add_patches(still, frame, options, &picture, error) : LITHE_OK;
    picture.scale.fixed = options->own_camera; // in videos it must not jump
    if (status == LITHE_OK && options->forces)
        status = add_forces(still, frame, &picture, error);
    if (status == LITHE_OK && options->mark_count > 0)
        status = add_marks(still, options, &picture, error);
    if (status != LITHE_OK)
        return status;
    LitheContext *context = still->recording->context;
    if (image)
        return lithe_picture_render(context, &picture, options->pool, image, error);
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".svg") == 0)
        return lithe_picture_write_svg(context, &picture, path, error);
    if (length > 4 && strcmp(path + length - 4, ".png") == 0)
        return lithe_picture_write_png(context, &picture, options->pool, path, error);
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: a picture must be named .png or .svg", path);
}

static Vec3 to_eye(const LithePictureOptions *options) {
    LithePicture defaults = lithe_picture_default();
    double azimuth = options->own_view ? options->azimuth : defaults.azimuth;
    double elevation = options->own_view ? options->elevation : defaults.elevation;
    return v3(cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation));
}

static LitheStatus take(LitheRecording *recording, int64_t frame, const char *path,
                        LitheImage *image, const LithePictureOptions *options, LitheError *error) {
    if (frame < 0 || frame >= recording->frame_count)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: has frames 0 to %lld, requested %lld",
                          recording->path, (long long)recording->frame_count - 1, (long long)frame);
    if (options->own_range && !(options->low < options->high))
        return lithe_fail(error, LITHE_BAD_INPUT, "colours run from %g to %g, must grow",
                          options->low, options->high);
    Still still = {.recording = recording,
                   .bodies = {.context = recording->context},
                   .forces = {.context = recording->context}};
    LitheStatus status = lithe_picture_bodies(recording, frame, &still.bodies, error);
    if (status == LITHE_OK && !allocate_buffers(&still))
        status = lithe_fail_memory(error, "the rods of a picture");
    // capsules come after the rods
    if (status == LITHE_OK && still.bodies.tube_count > 0)
        memcpy(still.tubes + recording->tube_count, still.bodies.tubes,
               (size_t)still.bodies.tube_count * sizeof *still.tubes);
    if (status == LITHE_OK)
        status = read_points(&still, frame, error);
    if (status == LITHE_OK && options->colour)
        status = colour_by(&still, options, frame, error);
    if (status == LITHE_OK)
        status = add_drawables(&still, error);
    if (status == LITHE_OK)
        status = lithe_picture_plates(&still.bodies, still.tubes,
                                      recording->tube_count + still.bodies.tube_count,
                                      to_eye(options), error);
    if (status == LITHE_OK)
        status = draw(&still, frame, path, image, options, error);
    release(&still);
    return status;
}

LitheStatus lithe_export_picture(LitheRecording *recording, int64_t frame, const char *path,
                                 const LithePictureOptions *options, LitheError *error) {
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    return status == LITHE_OK ? take(recording, frame, path, NULL, options, error) : status;
}

LitheStatus lithe_export_image(LitheRecording *recording, int64_t frame,
                               const LithePictureOptions *options, LitheImage *image,
                               LitheError *error) {
    return take(recording, frame, NULL, image, options, error);
}
