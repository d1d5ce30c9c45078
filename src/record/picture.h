// SPDX-License-Identifier: Apache-2.0
// record/picture.h - pictures of rods and other things: their content, and output as PNG and SVG
//
// A LithePicture only points at the caller's arrays; nothing is copied or kept. World up is +z,
// lengths in metres, colours as sRGB 0..1.

#ifndef LITHE_RECORD_PICTURE_H
#define LITHE_RECORD_PICTURE_H

#include "base/threads.h"
#include "lithe/base.h"
#include "lithe/vec.h"

typedef struct LitheColour {
    double r, g, b; // sRGB, 0..1
} LitheColour;

typedef enum LithePictureSection {
    LITHE_PICTURE_CIRCLE,    // radius `half_width`, or `radii` of the points
    LITHE_PICTURE_ELLIPSE,   // `half_width` along m1, `half_height` along m2 = t x m1
    LITHE_PICTURE_RECTANGLE, // half sizes as for an ellipse, slightly rounded edges
} LithePictureSection;

typedef enum LithePictureFinish {
    LITHE_PICTURE_SOFT,  // silicone: broad soft highlight
    LITHE_PICTURE_ROPE,  // three laid strands that rotate with the material frame
    LITHE_PICTURE_GLOSS, // polished
    LITHE_PICTURE_FLAT,  // no shading: the plain colour (arrows, marks)
} LithePictureFinish;

/// A rod: a smooth curve through `points` with a section swept along it.
typedef struct LithePictureTube {
    const double *points; // [3*point_count] m
    int32_t point_count;  // at least 1
    bool closed;
    LithePictureSection section;
    double half_width;      // m
    double half_height;     // m, not used for a circle
    const double *radii;    // [point_count] m, circle only; NULL: `half_width`
    const double *director; // m1 of each edge [3*edge_count]; NULL: a frame without twist
    LitheColour colour;
    const double *rgb;    // [3*point_count] instead of `colour`, or NULL
    const double *scalar; // [point_count] instead of `colour`, by lithe_picture_map, or NULL
    double scalar_low;    // shown as the first colour of the map
    double scalar_high;   // shown as the last
    LithePictureFinish finish;
    double stripe; // 0..1: strength of a line painted along m1 that shows twist
} LithePictureTube;

typedef struct LithePictureSphere {
    LitheVec3 centre;
    double radius;
    LitheColour colour;
    LithePictureFinish finish;
    bool mark; // drawn in front of everything else, flat and without a shadow
} LithePictureSphere;

typedef struct LithePictureArrow {
    LitheVec3 from, to;
    double radius; // of the shaft, m; the head is three times as wide
    LitheColour colour;
    bool mark; // as for a sphere
} LithePictureArrow;

/// Any triangles. Without normals every triangle is flat; large ones are refined for shading.
typedef struct LithePictureMesh {
    const double *points;     // [3*point_count] m
    const double *normals;    // [3*point_count] or NULL
    const int32_t *triangles; // [3*triangle_count], counter-clockwise seen from outside
    int32_t point_count;
    int32_t triangle_count;
    LitheColour colour;
    const double *rgb; // [3*point_count] instead of `colour`, or NULL
    LithePictureFinish finish;
    bool two_sided; // triangles that face away are lit from the side of the eye
    bool mark;      // in front of everything, without a shadow
} LithePictureMesh;

/// A short text, drawn in front of everything; the middle of its left edge is at a point of the
/// world.
typedef struct LithePictureLabel {
    LitheVec3 at;
    const char *text;
    double size; // height of a capital letter in pixels; 0: automatic
} LithePictureLabel;

/// Which colour is which value: a bar in the lower right corner, or in an upper one if less is
/// covered there.
typedef struct LithePictureScale {
    const char *title; // "von-mises [Pa]"; NULL: no bar
    double low, high;  // values of the first and of the last colour of lithe_picture_map
    bool fixed;        // always at the lower right
} LithePictureScale;

typedef struct LithePictureCamera {
    LitheVec3 eye, target, up;
    double field_of_view; // vertical, rad
} LithePictureCamera;

typedef struct LithePicture {
    const LithePictureTube *tubes;
    const LithePictureSphere *spheres;
    const LithePictureArrow *arrows;
    const LithePictureMesh *meshes;
    const LithePictureLabel *labels;
    int32_t tube_count, sphere_count, arrow_count, mesh_count, label_count;
    LithePictureScale scale;
    const char *title;   // SVG title; may be NULL
    int32_t width;       // pixels
    int32_t height;      // pixels
    bool dark;           // dark theme
    bool quick;          // light from a tenth of the directions, for many small pictures
    bool own_background; // use `background` instead of the background of the theme
    LitheColour background;
    bool ground;               // a floor that receives shadows
    bool ground_auto;          // at the lowest point of everything; else at `ground_height`
    double ground_height;      // m
    bool grid;                 // soft lines on the floor
    bool camera_auto;          // frame everything, seen from `azimuth` and `elevation`
    double azimuth;            // rad, of the eye about +z from +x
    double elevation;          // rad, of the eye above the horizon
    LithePictureCamera camera; // its field of view is used even when `camera_auto` is set
} LithePicture;

/// An empty picture of 1600 x 1000, light theme, ground with grid, automatic camera.
LithePicture lithe_picture_default(void);

/// Checks every number; the message names the part, the field and the value.
LitheStatus lithe_picture_check(const LithePicture *picture, LitheError *error);

/// The camera of the picture.
LithePictureCamera lithe_picture_camera(const LithePicture *picture);

/// Height of the floor, m.
double lithe_picture_ground(const LithePicture *picture);

/// Background colour at the middle of the picture.
LitheColour lithe_picture_background(const LithePicture *picture);

/// Colour of a number in 0..1 (clamped; grey for NaN), from dark violet to pale yellow with
/// steadily growing lightness.
LitheColour lithe_picture_map(double value);

/// Colour number `i` of a palette; any i >= 0.
LitheColour lithe_picture_palette(int32_t i);

/// Pixels, four bytes each (sRGB and opacity), rows from the top.
typedef struct LitheImage {
    uint8_t *rgba; // [4*width*height]
    int32_t width, height;
} LitheImage;

/// Draws the picture. The bits do not depend on the size of the pool (NULL: none). Free the image
/// with lithe_image_free. Triangles that reach behind the camera are omitted.
LitheStatus lithe_picture_render(LitheContext *context, const LithePicture *picture,
                                 LithePool *pool, LitheImage *image, LitheError *error);

void lithe_image_free(LitheContext *context, LitheImage *image);

LitheStatus lithe_picture_write_png(LitheContext *context, const LithePicture *picture,
                                    LithePool *pool, const char *path, LitheError *error);

/// Writes the picture as SVG strokes, back to front; outlines of nearer rods cover farther ones.
LitheStatus lithe_picture_write_svg(LitheContext *context, const LithePicture *picture,
                                    const char *path, LitheError *error);

#endif
