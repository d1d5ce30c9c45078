// SPDX-License-Identifier: Apache-2.0
// record/picture_forces.h - recorded forces of contacts and constraints as arrows in a picture

#ifndef LITHE_RECORD_PICTURE_FORCES_H
#define LITHE_RECORD_PICTURE_FORCES_H

#include "record/picture_bodies.h"

typedef enum LitheForceKind {
    LITHE_FORCE_CONTACT,
    LITHE_FORCE_CONSTRAINT,
} LitheForceKind;
enum { LITHE_FORCE_KINDS = LITHE_FORCE_CONSTRAINT + 1 };

/// Arrows, those of contacts and of constraints each of one scale, and their legend. Initialise to
/// zero, except the context.
typedef struct LithePictureForces {
    LitheContext *context;
    LithePictureArrow *arrows;
    int32_t arrow_count, arrow_capacity;
    LithePictureLabel labels[LITHE_FORCE_KINDS];
    int32_t label_count;
    char texts[LITHE_FORCE_KINDS][64];
    double size;                       // of everything except the forces [m]
    double largest[LITHE_FORCE_KINDS]; // N; 0: there is none
} LithePictureForces;

/// Adds the forces of a frame. An active contact gets a dot, which is added to `bodies`, and an
/// arrow: the force on side b, or on side a if b is fixed. A constraint gets an arrow: the force on
/// its movable side. The length of the largest arrow of each kind is 0.3 times `size`.
LitheStatus lithe_picture_forces(LitheRecording *recording, int64_t frame, double size, bool dark,
                                 LithePictureBodies *bodies, LithePictureForces *forces,
                                 LitheError *error);

/// Adds, for each kind of force that occurs, an arrow of a round force with its value, in the lower
/// left of a picture whose camera is known.
LitheStatus lithe_picture_legend(const LithePicture *picture, LithePictureForces *forces,
                                 LitheError *error);

void lithe_picture_forces_release(LithePictureForces *forces);

#endif
