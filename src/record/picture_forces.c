// SPDX-License-Identifier: Apache-2.0
// record/picture_forces.c - arrows for the forces of a frame: one scale for contacts, one for
// constraints

#include "record/picture_forces.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/picture_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// lengths of arrows and dots, as fractions of the size of the whole scene
#define LENGTH_OF_LARGEST 0.3
#define SHAFT_RADIUS 0.004
#define DOT_RADIUS 0.007
#define SMALLEST 0.01 // of the largest force: smaller ones only have a dot

static LitheColour contact_colour(bool dark) {
    return dark ? (LitheColour){1, 0.42, 0.38} : (LitheColour){0.80, 0.10, 0.14};
}

static LitheColour constraint_colour(bool dark) {
    return dark ? (LitheColour){0.55, 0.66, 1} : (LitheColour){0.16, 0.25, 0.72};
}

// An arrow with its force as length; lengths are scaled once the largest is known.
static LitheStatus add_arrow(LithePictureForces *forces, LitheForceKind kind, Vec3 at, Vec3 force,
                             LitheColour colour, LitheError *error) {
    if (!LITHE_RESERVE(forces->context, forces->arrows, forces->arrow_capacity,
                       forces->arrow_count + 1))
        return lithe_fail_memory(error, "the arrows of a picture");
    forces->arrows[forces->arrow_count++] =
        (LithePictureArrow){.from = at,
                            .to = force,
                            .radius = SHAFT_RADIUS * forces->size,
                            .colour = colour,
                            .mark = true};
    forces->largest[kind] = fmax(forces->largest[kind], v3_norm(force));
    return LITHE_OK;
}

// --- contacts ------------------------------------------------------------------------------------

// Whether a thing of the list in contacts/things never moves.
static bool is_fixed(const LitheRecording *recording, double number) {
    LitheRecordingThing thing = lithe_recording_thing(recording, number);
    return thing.drawn == LITHE_DRAWN_BODY &&
           recording->layout.columns[recording->bodies[thing.index].pose].offset < 0;
}

typedef struct Row {
    double position[3], force[3], b;
} Row;

static LitheStatus read_row(LitheRecording *recording, int64_t index, Row *row, LitheError *error) {
    const struct {
        const char *path;
        double *out;
    } wanted[] = {{"contacts/position", row->position},
                  {"contacts/force", row->force},
                  {"contacts/b", &row->b}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const LitheColumn *column =
            lithe_layout_find_contact_column(&recording->layout, wanted[k].path);
        if (!column || column->count != (k < 2 ? 3 : 1))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read '%s'",
                              recording->path, wanted[k].path);
        LitheStatus status =
            lithe_recording_read_rows(recording, column, index, 1, wanted[k].out, error);
        if (status != LITHE_OK)
            return status;
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(row->position[k]) || !isfinite(row->force[k]))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: a contact is not finite",
                              recording->path);
    return LITHE_OK;
}

static LitheStatus add_contacts(LitheRecording *recording, int64_t frame, LitheColour colour,
                                LithePictureBodies *bodies, LithePictureForces *forces,
                                LitheError *error) {
    int64_t first = 0, count = 0;
    LitheStatus status = lithe_recording_contacts(recording, frame, &first, &count, error);
    for (int64_t i = 0; status == LITHE_OK && i < count; i++) {
        Row row;
        status = read_row(recording, first + i, &row, error);
        if (status != LITHE_OK)
            break;
        Vec3 at = v3_load(row.position), force = v3_load(row.force);
        // a force on something immobile is not shown
        if (is_fixed(recording, row.b))
            force = v3_neg(force);
        if (!LITHE_RESERVE(bodies->context, bodies->spheres, bodies->sphere_capacity,
                           bodies->sphere_count + 1))
            return lithe_fail_memory(error, "the contacts of a picture");
        bodies->spheres[bodies->sphere_count++] =
            (LithePictureSphere){.centre = at,
                                 .radius = DOT_RADIUS * forces->size,
                                 .colour = colour,
                                 .finish = LITHE_PICTURE_FLAT,
                                 .mark = true};
        status = add_arrow(forces, LITHE_FORCE_CONTACT, at, force, colour, error);
    }
    return status;
}

// --- constraints ---------------------------------------------------------------------------------

// "constraints/NAME/WHAT" where `force` is the column of another WHAT; NULL: none.
static const LitheColumn *find_beside(const LitheRecording *recording, const LitheColumn *force,
                                      const char *what) {
    char path[1024];
    const char *last = strrchr(force->path, '/');
    snprintf(path, sizeof path, "%.*s/%s", (int)(last - force->path), force->path, what);
    return lithe_layout_find(&recording->layout, path);
}

static bool read_vector(LitheRecording *recording, const LitheColumn *column, int64_t frame,
                        Vec3 *out) {
    double x[3];
    LitheError error;
    if (!column || column->offset < 0 || column->count != 3 ||
        lithe_recording_read(recording, column, frame, 1, x, &error) != LITHE_OK)
        return false;
    *out = v3_load(x);
    return v3_finite(*out);
}

// what has an arrow, and where
static const struct {
    const char *folder, *force, *point;
} pulling[] = {{"constraints/", "force", "position"},
               {"holds/", "force", "point"},
               {"drives/", "force-vector", "point"},
               {"joints/", "force", "point"}};
enum { PULLING = sizeof pulling / sizeof *pulling };

static LitheStatus add_constraints(LitheRecording *recording, int64_t frame, LitheColour colour,
                                   LithePictureForces *forces, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        const char *last = strrchr(column->path, '/');
        Vec3 at, force;
        int kind = 0;
        while (kind < PULLING &&
               strncmp(column->path, pulling[kind].folder, strlen(pulling[kind].folder)) != 0)
            kind++;
        bool drawn = kind < PULLING && last && strcmp(last + 1, pulling[kind].force) == 0 &&
                     read_vector(recording, column, frame, &force) &&
                     read_vector(recording, find_beside(recording, column, pulling[kind].point),
                                 frame, &at) &&
                     v3_dot(force, force) > 0;
        if (!drawn)
            continue;
        // the arrow shows the force on the movable side
        const LitheColumn *side = find_beside(recording, column, "side");
        if (side && side->text && strcmp(side->text, "a") == 0)
            force = v3_neg(force);
        status = add_arrow(forces, LITHE_FORCE_CONSTRAINT, at, force, colour, error);
    }
    return status;
}

// --- together ------------------------------------------------------------------------------------

LitheStatus lithe_picture_forces(LitheRecording *recording, int64_t frame, double size, bool dark,
                                 LithePictureBodies *bodies, LithePictureForces *forces,
                                 LitheError *error) {
    forces->size = size;
    LitheStatus status =
        add_contacts(recording, frame, contact_colour(dark), bodies, forces, error);
    int32_t contacts = forces->arrow_count;
    if (status == LITHE_OK)
        status = add_constraints(recording, frame, constraint_colour(dark), forces, error);
    // scales the lengths, and removes arrows that are too short
    int32_t kept = 0;
    for (int32_t i = 0; status == LITHE_OK && i < forces->arrow_count; i++) {
        LithePictureArrow arrow = forces->arrows[i];
        double largest =
            forces->largest[i < contacts ? LITHE_FORCE_CONTACT : LITHE_FORCE_CONSTRAINT];
        if (v3_norm(arrow.to) < SMALLEST * largest)
            continue;
        arrow.to = v3_axpy(LENGTH_OF_LARGEST * size / largest, arrow.to, arrow.from);
        forces->arrows[kept++] = arrow;
    }
    forces->arrow_count = kept;
    return status;
}

// the largest 1, 2 or 5 times a power of ten that is not above x
static double round_below(double x) {
    double power = pow(10, floor(log10(x))), part = x / power;
    return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

LitheStatus lithe_picture_legend(const LithePicture *picture, LithePictureForces *forces,
                                 LitheError *error) {
    const LitheColour colours[LITHE_FORCE_KINDS] = {contact_colour(picture->dark),
                                                    constraint_colour(picture->dark)};
    static const char *const kinds[LITHE_FORCE_KINDS] = {"contact", "constraint"};
    LithePictureView view = lithe_picture_view(picture, &picture->camera);
    Vec3 box[2];
    lithe_picture_box(picture, box);
    double depth = v3_dot(v3_sub(v3_mix(box[0], box[1], 0.5), view.eye), view.forward);
    if (!(depth > 0))
        return LITHE_OK;
    double text = 0.02 * picture->height, y = picture->height - 2.2 * text;
    for (int k = LITHE_FORCE_KINDS - 1; k >= 0; k--) {
        double largest = forces->largest[k];
        if (!(largest > 0))
            continue;
        double value = round_below(0.5 * largest);
        double length = LENGTH_OF_LARGEST * forces->size * value / largest;
        // the length is that of an arrow of this force at the depth of the scene's centre, parallel
        // to the image
        double across = (2 * text - view.half_width) / view.focal;
        Vec3 ray = v3_axpy(across, view.right,
                           v3_axpy((view.half_height - y) / view.focal, view.up, view.forward));
        Vec3 from = v3_axpy(depth, ray, view.eye), to = v3_axpy(length, view.right, from);
        int32_t label = forces->label_count++;
        snprintf(forces->texts[label], sizeof forces->texts[label], "%g N, %s", value, kinds[k]);
        forces->labels[label] =
            (LithePictureLabel){.at = v3_axpy(2 * text * depth / view.focal, view.right, to),
                                .text = forces->texts[label],
                                .size = text};
        if (!LITHE_RESERVE(forces->context, forces->arrows, forces->arrow_capacity,
                           forces->arrow_count + 1))
            return lithe_fail_memory(error, "the arrows of a picture");
        forces->arrows[forces->arrow_count++] =
            (LithePictureArrow){.from = from,
                                .to = to,
                                .radius = SHAFT_RADIUS * forces->size,
                                .colour = colours[k],
                                .mark = true};
        y -= 2.4 * text;
    }
    return LITHE_OK;
}

void lithe_picture_forces_release(LithePictureForces *forces) {
    lithe_free(forces->context, forces->arrows);
    *forces = (LithePictureForces){.context = forces->context};
}
