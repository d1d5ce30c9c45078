// SPDX-License-Identifier: Apache-2.0
// record/picture_parts.h - internal to the files of the picture

#ifndef LITHE_RECORD_PICTURE_PARTS_H
#define LITHE_RECORD_PICTURE_PARTS_H

#include "math/vec3.h"
#include "record/picture.h"

#include <stdio.h>

// --- view ----------------------------------------------------------------------------------------

typedef struct LithePictureView {
    Vec3 eye, right, up, forward;   // unit, right-handed: right x up = -forward
    double focal;                   // pixels
    double half_width, half_height; // pixels
    double near_depth;              // m; nearer things are not drawn
} LithePictureView;

LithePictureView lithe_picture_view(const LithePicture *picture, const LithePictureCamera *camera);

/// Bounding box of everything except marks [m]; a cube of 1 m when there is nothing.
void lithe_picture_box(const LithePicture *picture, Vec3 box[2]);

/// Size of a pixel at the middle of everything, m.
double lithe_picture_pixel(const LithePicture *picture, const LithePictureView *view);

/// Marks are moved towards the eye to this fraction of their distance, and scaled by it: their
/// image stays the same, but they are in front of everything else.
#define LITHE_PICTURE_MARK 0.05

/// Pixel place (x right, y down) and depth along the view [m]; false when behind the near plane.
bool lithe_picture_project(const LithePictureView *view, Vec3 x, double *px, double *py,
                           double *depth);

// --- the smooth curve of a tube ------------------------------------------------------------------

typedef struct LithePictureSample {
    Vec3 x;
    Vec3 t;       // unit tangent
    Vec3 m1;      // unit, perpendicular to t
    double s;     // arc length from the start, m
    double scale; // radius of a circle here, m; else half_width
    Vec3 rgb;     // linear light
} LithePictureSample;

typedef struct LithePictureCurve {
    LithePictureSample *samples; // closed: the last one repeats the first
    int32_t count;
} LithePictureCurve;

/// Least radius of a tube in an image: a cable of a kilometre would be too thin to be seen.
#define LITHE_PICTURE_LEAST 1.0 // pixels

/// Samples about `spacing` [m] apart, closer where the curve bends, of at least the radius
/// LITHE_PICTURE_LEAST in the view, if there is one. Free with lithe_free(samples). False when out
/// of memory.
bool lithe_picture_curve(LitheContext *context, const LithePictureTube *tube, double spacing,
                         const LithePictureView *view, LithePictureCurve *curve);

/// One corner of the outline of a cross-section.
typedef struct LithePictureCorner {
    double c, d;   // place along m1 and m2, m for a scale of 1
    double nc, nd; // outward normal
    double w;      // pattern coordinate: angle [rad] of a circle or ellipse, c/half_width in -1..1
} LithePictureCorner;

enum { LITHE_PICTURE_CORNERS = 96 };

/// Fills the corners, counter-clockwise about t; the last repeats the first. Returns their number.
int32_t lithe_picture_outline(const LithePictureTube *tube, int32_t sides,
                              LithePictureCorner corners[LITHE_PICTURE_CORNERS]);

// --- the surface: every part as triangles --------------------------------------------------------

typedef struct LithePictureVertex {
    float x[3]; // m, from the centre of the surface
    float n[3]; // unit normal
    float t[3]; // unit, along the tube; 0 where there is none
    float rgb[3];
    float s, w;     // pattern coordinates: length along in radii, see LithePictureCorner
    float light[3]; // irradiance of the studio over pi, filled by lithe_picture_light
    float key;      // visible fraction of the key light, 0..1, by lithe_picture_light
} LithePictureVertex;

typedef struct LithePicturePart {
    LithePictureFinish finish;
    LithePictureSection section;
    bool mesh; // not a tube: no pattern, and drawn from both sides
    float radius;
    float stripe;
    bool cull;
} LithePicturePart;

typedef struct LithePictureTriangle {
    int32_t v[3]; // vertices
    int32_t part;
} LithePictureTriangle;

typedef struct LithePictureSurface {
    LitheContext *context;
    Vec3 centre;    // of everything that casts a shadow
    double radius;  // of a sphere around it
    Vec3 low, high; // box, from the centre
    double thin;    // smallest radius of anything, m
    double pixel;   // size of a pixel at the centre, m
    double ground;  // height of the floor, from the centre
    LithePictureVertex *vertices;
    LithePictureTriangle *triangles;
    int32_t *casters; // [3*caster_count] coarser triangles for shadows
    LithePicturePart *parts;
    int32_t vertex_count, vertex_capacity;
    int32_t triangle_count, triangle_capacity;
    int32_t caster_count, caster_capacity; // capacity in numbers, not triangles
    int32_t part_count, part_capacity;
} LithePictureSurface;

/// False when out of memory; free with lithe_picture_surface_free in any case.
bool lithe_picture_surface(LitheContext *context, const LithePicture *picture,
                           const LithePictureCamera *camera, LithePictureSurface *surface);
void lithe_picture_surface_free(LithePictureSurface *surface);

// Centres of pixels are at k + 1/2. The first one not before x, and the last one not after x,
// clamped to a limit.
static inline int32_t lithe_picture_first(float x, int32_t low) {
    return x + 0.5f > (float)low ? (int32_t)(x + 0.5f) : low;
}

static inline int32_t lithe_picture_last(float x, int32_t high) {
    return x - 0.5f >= (float)high ? high : x < 0.5f ? -1 : (int32_t)(x - 0.5f);
}

/// Height of the three strands of a rope at angle w [rad] and length s [radii] over the deepest
/// groove, 0..1; q in -1..1 is the place across the strand and `strand` its number 0..2.
#define LITHE_PICTURE_PITCH 6.2f // radii per turn
float lithe_picture_strand(float w, float s, float *q, int32_t *strand);

// --- the studio ----------------------------------------------------------------------------------

typedef struct LithePictureStudio {
    Vec3 key;         // unit, towards the key light
    Vec3 rim;         // unit, towards the light from behind
    float key_rgb[3]; // irradiance over pi on a surface that faces it
    double dome;      // level of all other light
    bool has_ground;
    float bounce[3];   // radiance of the open floor
    float backdrop[3]; // colour of the background in linear light
    double grid;       // distance of grid lines, m
    float open[3];     // dome irradiance over pi on the open floor
    // light on the floor over that of the open floor: grid [size*size] x 3
    float *floor;
    int32_t floor_size;
    double floor_centre[2], floor_half[2], floor_inner[2]; // m
} LithePictureStudio;

/// Fills light and key of every vertex and the floor. False when out of memory; free with
/// lithe_picture_studio_free in any case.
bool lithe_picture_light(LithePictureSurface *surface, const LithePicture *picture,
                         const LithePictureCamera *camera, LithePool *pool,
                         LithePictureStudio *studio);
void lithe_picture_studio_free(LitheContext *context, LithePictureStudio *studio);

/// Directions towards the key light of this view, and towards the light from behind.
Vec3 lithe_picture_key(const LithePictureView *view, Vec3 *rim);

/// A round number near a third of `radius`: distance of the lines on the floor, m.
double lithe_picture_grid(double radius);

/// Radiance of the studio from direction d, without the key light.
void lithe_picture_dome(const LithePictureStudio *studio, Vec3 d, double rgb[3]);

/// Light on the floor at (x, y) [m from the centre] relative to the open floor; 1 far away.
void lithe_picture_floor(const LithePictureStudio *studio, double x, double y, float rgb[3]);

/// A point of the surface as seen from the eye.
typedef struct LithePictureHit {
    float x[3], n[3], t[3], rgb[3], light[3]; // as in LithePictureVertex
    float key, s, w;
    float eye[3]; // unit, towards the eye
    float pixel;  // size of a pixel here in radii of the part
} LithePictureHit;

/// Colour of the point in linear light, compressed to 0..1 with a soft shoulder.
void lithe_picture_shade(const LithePictureStudio *studio, const LithePicturePart *part,
                         const LithePictureHit *hit, float rgb[3]);

/// Colour of the floor or the backdrop in the direction of a ray from the eye through pixel (px,
/// py).
void lithe_picture_backdrop(const LithePicture *picture, const LithePictureSurface *surface,
                            const LithePictureStudio *studio, const LithePictureView *view,
                            double px, double py, float rgb[3]);

// --- colour --------------------------------------------------------------------------------------

/// The colour of a whole triangle: the mean of its corners.
LitheColour lithe_picture_face_colour(const LithePictureMesh *mesh, int32_t triangle);
double lithe_picture_to_linear(double srgb);
double lithe_picture_to_srgb(double linear);
Vec3 lithe_picture_linear(LitheColour colour);

// --- labels --------------------------------------------------------------------------------------

/// Draws `text` in strokes over an image; (x, y) is the left middle of the first letter in pixels.
void lithe_picture_text(LitheImage *image, double x, double y, double size, LitheColour colour,
                        LitheColour halo, const char *text);

/// Its width in pixels.
double lithe_picture_text_width(double size, const char *text);

/// Draws the scale of the colours, if the picture has one, over everything else.
void lithe_picture_scale_image(const LithePicture *picture, LitheImage *image);
void lithe_picture_scale_svg(const LithePicture *picture, FILE *file);

#endif
