// SPDX-License-Identifier: Apache-2.0
// record/svg_parts.h - internal to the files of the vector drawing of a picture

#ifndef LITHE_RECORD_SVG_PARTS_H
#define LITHE_RECORD_SVG_PARTS_H

#include "record/picture_parts.h"
#include "record/svg.h"

#include <stdio.h>

typedef struct LitheSvgDot {
    double x, y, r, depth; // pixels, depth in m
    double lx, ly; // towards the light across the tube, times the cosine of incidence, -1..1
} LitheSvgDot;

typedef enum LitheSvgPieceKind {
    PIECE_RUN,
    PIECE_END,
    PIECE_FACE,
    PIECE_BALL,
    PIECE_ARROW
} LitheSvgPieceKind;

typedef struct LitheSvgPiece {
    double depth;
    LitheSvgPieceKind kind;
    int32_t index;       // of the tube, sphere or arrow
    int32_t first, last; // samples of a run
    double x[4], y[4];   // corners of a face
    int32_t corners;
    bool belt; // long edges of the face are drawn
    LitheColour colour;
    double stripe;
} LitheSvgPiece;

typedef struct LitheSvgDrawing {
    LitheContext *context;
    const LithePicture *picture;
    LithePictureView view;
    Vec3 key;
    double ground;
    LithePictureCurve *curves; // [tube_count]
    LitheSvgDot **dots;        // [tube_count][curve count]
    LitheSvgPiece *pieces;
    int32_t piece_count, piece_capacity;
    int gradients; // written so far
    FILE *file;
} LitheSvgDrawing;

/// The grid of the floor and the shadows on it.
void lithe_svg_floor(LitheSvgDrawing *d);

#endif
