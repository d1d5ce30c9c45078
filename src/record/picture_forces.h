// SPDX-License-Identifier: Apache-2.0
// record/picture_forces.h - recorded forces of contacts and constraints as arrows in a picture

#ifndef LITHE_RECORD_PICTURE_FORCES_H
#define LITHE_RECORD_PICTURE_FORCES_H

#include "record/picture_bodies.h"

enum { LITHE_FORCE_LABELS = 2 }; // one for contacts, one for constraints

/// Arrows of one scale, and their legend. Zero to begin with, but for the context.
typedef struct LithePictureForces {
    LitheContext *context;
    LithePictureArrow *arrows;
    int32_t arrow_count, arrow_capacity;
    LithePictureLabel labels[LITHE_FORCE_LABELS];
    int32_t label_count;
    char texts[LITHE_FORCE_LABELS][64];
    double size;    // of everything but the forces [m]
    double largest; // N
    bool has_contacts, has_constraints;
} LithePictureForces;

/// Adds what acted at a frame: a dot for each contact that carries a force, into `bodies`, and an
/// arrow, the force on its side b, or on a where b is fixed; an arrow for each constraint,
/// likewise. The largest is `size` times 0.3 long.
LitheStatus lithe_picture_forces(LitheRecording *recording, int64_t frame, double size, bool dark,
                                 LithePictureBodies *bodies, LithePictureForces *forces,
                                 LitheError *error);

/// An arrow of a round force for each kind there is, with its value, in the lower left of a picture
/// whose camera is settled.
LitheStatus lithe_picture_legend(const LithePicture *picture, LithePictureForces *forces,
                                 LitheError *error);

void lithe_picture_forces_release(LithePictureForces *forces);

#endif
