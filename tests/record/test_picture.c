// SPDX-License-Identifier: Apache-2.0
// tests/record/test_picture.c - pixels at the right places, the same in every run

#include "record/picture.h"

#include <errno.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/picture_parts.h"
#include "record/png.h"
#include "still.h"
#include "test.h"

static const LitheColour red = {1, 0, 0}, blue = {0, 0, 1}, white = {1, 1, 1};

// White paper seen along +y from (0, -10, 0), no floor, no light: colours are unchanged.
static LithePicture plain_picture(int32_t width, int32_t height) {
    LithePicture picture = lithe_picture_default();
    picture.width = width;
    picture.height = height;
    picture.ground = false;
    picture.own_background = true;
    picture.background = white;
    picture.camera_auto = false;
    picture.camera.eye = (LitheVec3){0, -10, 0};
    picture.camera.target = (LitheVec3){0, 0, 0};
    return picture;
}

static double focal(const LithePicture *picture) {
    return 0.5 * picture->height / tan(0.5 * picture->camera.field_of_view);
}

// Fraction of a pixel that is not white, for things without green: 0..1 in linear light.
static double cover(const LitheImage *image, int32_t x, int32_t y) {
    double green = image->rgba[4 * (y * image->width + x) + 1] / 255.0;
    return 1 - lithe_picture_to_linear(green);
}

static double covered(const LitheImage *image, int32_t x0, int32_t x1, int32_t y0, int32_t y1) {
    double sum = 0;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            sum += cover(image, x, y);
    return sum;
}

static const uint8_t *pixel(const LitheImage *image, int32_t x, int32_t y) {
    return image->rgba + 4 * (y * image->width + x);
}

static bool render(LitheContext *context, const LithePicture *picture, LitheImage *image) {
    LitheError error = {0};
    if (lithe_picture_render(context, picture, NULL, image, &error) == LITHE_OK)
        return true;
    printf("  %s\n", error.text);
    return false;
}

LONG_TEST(sphere_covers_the_disc_of_its_tangent_cone) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = plain_picture(200, 160);
    LithePictureSphere sphere = {.radius = 1, .colour = red, .finish = LITHE_PICTURE_FLAT};
    picture.spheres = &sphere;
    picture.sphere_count = 1;
    LitheImage image;
    FATAL(render(context, &picture, &image));
    double r = focal(&picture) / sqrt(99.0); // tangent cone of a ball of 1 m at 10 m
    CHECK_NEAR(covered(&image, 0, 200, 0, 160) / (M_PI * r * r), 1, 0.006);
    CHECK_NEAR(covered(&image, 0, 200, 79, 81) / 2, 2 * r, 0.5);
    CHECK_NEAR(covered(&image, 0, 100, 0, 160) / (M_PI * r * r), 0.5, 0.003);
    lithe_image_free(context, &image);
    lithe_context_destroy(context);
}

TEST(tube_is_as_wide_as_its_radius_and_ends_round) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = plain_picture(240, 120);
    double points[] = {-1, 0, 0, 1, 0, 0}, tan_half = tan(0.5 * picture.camera.field_of_view);
    LithePictureTube tube = {.points = points,
                             .point_count = 2,
                             .half_width = 0.3,
                             .colour = red,
                             .finish = LITHE_PICTURE_FLAT};
    picture.tubes = &tube;
    picture.tube_count = 1;
    LitheImage image;
    FATAL(render(context, &picture, &image));
    double f = 60 / tan_half, half = f * 0.3 / sqrt(100 - 0.09);
    CHECK_NEAR(covered(&image, 100, 140, 0, 120) / 40, 2 * half, 0.4);
    // the ends reach a radius further, and narrow like a circle
    double end = f * 1.3 / 10, side = f * 0.3 / 10 * sqrt(1 - 0.25);
    CHECK_NEAR(covered(&image, 0, 240, 60, 61), 2 * end, 1.0);
    int32_t x = (int32_t)(120 + f * 1.15 / 10);
    CHECK_NEAR(covered(&image, x, x + 1, 0, 120), 2 * side, 1.5);
    lithe_image_free(context, &image);
    lithe_context_destroy(context);
}

// pixels of a quarter of the picture that differ between two
static int32_t differ(const LitheImage *a, const LitheImage *b, bool right, bool low) {
    int32_t count = 0, w = a->width / 2, h = a->height / 2;
    for (int32_t y = low ? h : 0; y < (low ? 2 * h : h); y++)
        for (int32_t x = right ? w : 0; x < (right ? 2 * w : w); x++)
            count += memcmp(pixel(a, x, y), pixel(b, x, y), 3) != 0;
    return count;
}

LONG_TEST(the_bar_of_colours_is_where_it_covers_least_unless_it_is_fixed) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = plain_picture(240, 180);
    // the corners at the right: lower, upper
    const double at = 10 * 0.8 * tan(0.5 * picture.camera.field_of_view);
    LithePictureSphere balls[2] = {{.centre = {at * 4 / 3, 0, -at}, .radius = 0.3, .colour = red},
                                   {.centre = {at * 4 / 3, 0, at}, .radius = 0.3, .colour = red}};
    picture.spheres = balls;
    for (int count = 0; count < 3; count++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            LitheImage bare, scaled;
            picture.sphere_count = count;
            picture.scale = (LithePictureScale){.low = 0, .high = 1, .fixed = fixed != 0};
            FATAL(render(context, &picture, &bare));
            picture.scale.title = "speed";
            FATAL(render(context, &picture, &scaled));
            int where = fixed ? 0 : count; // lower right, upper right, upper left
            CHECK((differ(&bare, &scaled, true, true) > 0) == (where == 0));
            CHECK((differ(&bare, &scaled, true, false) > 0) == (where == 1));
            CHECK((differ(&bare, &scaled, false, false) > 0) == (where == 2));
            CHECK(differ(&bare, &scaled, false, true) == 0);
            lithe_image_free(context, &bare);
            lithe_image_free(context, &scaled);
        }
    }
    lithe_context_destroy(context);
}

// near and far, of a circle and of a belt: two pixels wide in every column
TEST(a_tube_far_thinner_than_a_pixel_is_drawn_as_a_line) {
    LitheContext *context = lithe_context_create(NULL);
    for (int k = 0; k < 2; k++) {
        LithePicture picture = plain_picture(240, 120);
        double points[] = {-1, -2, 0, 1, 5, 0}, director[] = {0, 0, 1};
        LithePictureTube tube = {.points = points,
                                 .director = director,
                                 .point_count = 2,
                                 .section = k ? LITHE_PICTURE_RECTANGLE : LITHE_PICTURE_CIRCLE,
                                 .half_width = 1e-6,
                                 .half_height = 1e-6,
                                 .colour = red,
                                 .finish = LITHE_PICTURE_FLAT};
        picture.tubes = &tube;
        picture.tube_count = 1;
        LitheImage image;
        FATAL(render(context, &picture, &image));
        double f = focal(&picture);
        int32_t left = (int32_t)(120 - f / 8) + 1, right = (int32_t)(120 + f / 15) - 1;
        for (int32_t x = left; x < right; x++)
            CHECK_NEAR(covered(&image, x, x + 1, 0, 120), 2 * LITHE_PICTURE_LEAST, 0.3);
        lithe_image_free(context, &image);
    }
    lithe_context_destroy(context);
}

LONG_TEST(nearer_tube_hides_the_farther_in_any_order) {
    LitheContext *context = lithe_context_create(NULL);
    double across[] = {-1, -0.5, 0, 1, -0.5, 0}, up[] = {0, 0.5, -1, 0, 0.5, 1};
    LithePictureTube tubes[2] = {
        {.points = across,
         .point_count = 2,
         .half_width = 0.2,
         .colour = red,
         .finish = LITHE_PICTURE_FLAT},
        {.points = up,
         .point_count = 2,
         .half_width = 0.2,
         .colour = blue,
         .finish = LITHE_PICTURE_FLAT},
    };
    for (int k = 0; k < 2; k++) {
        LithePicture picture = plain_picture(100, 100);
        picture.tubes = tubes;
        picture.tube_count = 2;
        LitheImage image;
        FATAL(render(context, &picture, &image));
        CHECK(pixel(&image, 50, 50)[0] == 255 && pixel(&image, 50, 50)[2] == 0);
        CHECK(pixel(&image, 50, 40)[0] == 0 && pixel(&image, 50, 40)[2] == 255);
        lithe_image_free(context, &image);
        LithePictureTube first = tubes[0];
        tubes[0] = tubes[1];
        tubes[1] = first;
    }
    lithe_context_destroy(context);
}

LONG_TEST(belt_shows_its_width_or_its_thickness_as_the_director_says) {
    LitheContext *context = lithe_context_create(NULL);
    double points[] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
    double flat[] = {0, 0, 1, 0, 0, 1}, edge[] = {0, 1, 0, 0, 1, 0};
    for (int k = 0; k < 2; k++) {
        LithePicture picture = plain_picture(200, 200);
        LithePictureTube belt = {.points = points,
                                 .point_count = 3,
                                 .colour = red,
                                 .section = LITHE_PICTURE_RECTANGLE,
                                 .half_width = 0.5,
                                 .half_height = 0.05,
                                 .director = k ? edge : flat,
                                 .finish = LITHE_PICTURE_FLAT};
        picture.tubes = &belt;
        picture.tube_count = 1;
        LitheImage image;
        FATAL(render(context, &picture, &image));
        double near = k ? 9.5 : 9.95, half = k ? 0.05 : 0.5;
        double want = 2 * half * focal(&picture) / near;
        CHECK_NEAR(covered(&image, 90, 110, 0, 200) / 20, want, 0.02 * want + 0.5);
        lithe_image_free(context, &image);
    }
    lithe_context_destroy(context);
}

TEST(curve_between_nodes_is_round_not_a_polygon) {
    LitheContext *context = lithe_context_create(NULL);
    enum { NODES = 12 };
    double points[3 * NODES];
    for (int i = 0; i < NODES; i++) {
        points[3 * i] = cos(2 * M_PI * i / NODES);
        points[3 * i + 1] = sin(2 * M_PI * i / NODES);
        points[3 * i + 2] = 0;
    }
    LithePictureTube ring = {
        .points = points, .point_count = NODES, .closed = true, .half_width = 0.1};
    LithePictureCurve curve;
    FATAL(lithe_picture_curve(context, &ring, 0.02, NULL, &curve));
    double worst = 0, frame = 0;
    for (int32_t i = 0; i < curve.count; i++) {
        const LithePictureSample *s = &curve.samples[i];
        worst = fmax(worst, fabs(hypot(s->x.x, s->x.y) - 1));
        frame = fmax(frame, fabs(v3_dot(s->t, s->m1)) + fabs(v3_norm(s->m1) - 1));
    }
    // the chords would be off by 1 - cos(15 degrees) = 0.034
    CHECK(worst < 0.0035);
    CHECK(frame < 1e-12);
    CHECK_NEAR(v3_distance(curve.samples[0].x, curve.samples[curve.count - 1].x), 0, 1e-12);
    CHECK_NEAR(v3_distance(curve.samples[0].m1, curve.samples[curve.count - 1].m1), 0, 1e-9);
    CHECK_NEAR(curve.samples[curve.count - 1].s, 2 * M_PI, 0.01);
    lithe_free(context, curve.samples);
    lithe_context_destroy(context);
}

LONG_TEST(automatic_camera_holds_everything_and_wastes_little) {
    LitheContext *context = lithe_context_create(NULL);
    double points[] = {40, 7, 3, 41.5, 7.2, 3.1, 42, 8, 3.4, 41, 8.5, 4};
    LithePictureTube tube = {.points = points,
                             .point_count = 4,
                             .half_width = 0.06,
                             .colour = red,
                             .finish = LITHE_PICTURE_FLAT};
    for (int k = 0; k < 4; k++) {
        LithePicture picture = plain_picture(160, 100);
        picture.camera_auto = true;
        picture.azimuth = 1.7 * k;
        picture.elevation = 0.5 * k;
        picture.tubes = &tube;
        picture.tube_count = 1;
        LitheImage image;
        FATAL(render(context, &picture, &image));
        CHECK(covered(&image, 0, 160, 0, 5) + covered(&image, 0, 160, 95, 100) == 0);
        CHECK(covered(&image, 0, 8, 0, 100) + covered(&image, 152, 160, 0, 100) == 0);
        int32_t x0 = 160, x1 = 0, y0 = 100, y1 = 0;
        for (int32_t y = 0; y < 100; y++)
            for (int32_t x = 0; x < 160; x++)
                if (cover(&image, x, y) > 0) {
                    x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
                    y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
                }
        CHECK(x1 - x0 > 0.75 * 160 || y1 - y0 > 0.75 * 100);
        CHECK_NEAR(0.5 * (x0 + x1), 79.5, 4);
        CHECK_NEAR(0.5 * (y0 + y1), 49.5, 4);
        lithe_image_free(context, &image);
    }
    lithe_context_destroy(context);
}

LONG_TEST(floor_is_dark_under_a_ball_and_clear_far_from_it) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = lithe_picture_default();
    LithePictureSphere ball = {.centre = {0, 0, 1}, .radius = 1, .colour = {0.5, 0.5, 0.5}};
    picture.spheres = &ball;
    picture.sphere_count = 1;
    LithePictureCamera camera = lithe_picture_camera(&picture);
    LithePictureSurface surface;
    LithePictureStudio studio;
    FATAL(lithe_picture_surface(context, &picture, &camera, &surface));
    FATAL(lithe_picture_light(&surface, &picture, &camera, NULL, &studio));
    float under[3], beside[3], far[3], opposite[3];
    Vec3 k = studio.key;
    lithe_picture_floor(&studio, 0, 0, under);
    // the shadow of the middle of the ball falls away from the key light
    lithe_picture_floor(&studio, -k.x / k.z, -k.y / k.z, beside);
    lithe_picture_floor(&studio, 2 * k.x / k.z, 2 * k.y / k.z, opposite);
    lithe_picture_floor(&studio, 100, 0, far);
    CHECK(under[1] < 0.1);
    CHECK(beside[1] < 0.5);
    CHECK(opposite[1] > 0.8 && opposite[1] <= 1.001);
    CHECK(far[1] == 1);
    // the top sees the key light, the bottom does not
    for (int32_t i = 0; i < surface.vertex_count; i++) {
        const LithePictureVertex *v = &surface.vertices[i];
        double to_key = v->n[0] * k.x + v->n[1] * k.y + v->n[2] * k.z;
        if (to_key > 0.4)
            CHECK(v->key > 0.99f);
        if (to_key < -0.4)
            CHECK(v->key == 0);
    }
    lithe_picture_studio_free(context, &studio);
    lithe_picture_surface_free(&surface);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

LONG_TEST(empty_picture_and_single_point_are_drawn) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = lithe_picture_default();
    picture.width = 40;
    picture.height = 30;
    LitheImage image;
    FATAL(render(context, &picture, &image));
    lithe_image_free(context, &image);
    double point[] = {3, 4, 5, 3, 4, 5};
    LithePictureTube dot = {.points = point,
                            .point_count = 2,
                            .closed = true,
                            .half_width = 0.1,
                            .colour = red,
                            .finish = LITHE_PICTURE_FLAT};
    picture = plain_picture(40, 30);
    picture.camera_auto = true;
    picture.tubes = &dot;
    picture.tube_count = 1;
    FATAL(render(context, &picture, &image));
    CHECK(covered(&image, 0, 40, 0, 30) > 100);
    lithe_image_free(context, &image);
    lithe_context_destroy(context);
}

LONG_TEST(png_file_holds_the_rendered_pixels) {
    LitheContext *context = lithe_context_create(NULL);
    char path[] = "/tmp/lithe-picture-XXXXXX";
    int fd = mkstemp(path);
    FATAL(fd >= 0);
    close(fd);
    Still s;
    still_life(&s, false);
    LitheImage image;
    FATAL(render(context, &s.picture, &image));
    LitheError error = {0};
    CHECK(lithe_picture_write_png(context, &s.picture, NULL, path, &error) == LITHE_OK);
    png_image in = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&in, path));
    CHECK(in.width == 96 && in.height == 60);
    in.format = PNG_FORMAT_RGBA;
    static uint8_t read_back[4 * 96 * 60];
    CHECK(png_image_finish_read(&in, NULL, read_back, 0, NULL));
    CHECK(memcmp(read_back, image.rgba, sizeof read_back) == 0);
    lithe_image_free(context, &image);
    unlink(path);
    CHECK(lithe_picture_write_png(context, &s.picture, NULL, "/tmp/lithe-none/a.png", &error) ==
          LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/tmp/lithe-none/a.png");
    CHECK_TEXT(error.text, strerror(ENOENT));
    CHECK(lithe_picture_write_png(context, &s.picture, NULL, "/dev/full", &error) ==
          LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/dev/full");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(letters_leave_ink_where_they_stand_and_differ_from_each_other) {
    static uint8_t pixels[96][4 * 40 * 40];
    LitheColour ink = {0, 0, 0};
    for (int c = 32; c < 128; c++) {
        uint8_t *p = pixels[c - 32];
        memset(p, 255, sizeof pixels[0]);
        LitheImage image = {p, 40, 40};
        char text[] = {(char)(c < 127 ? c : 0xff), 0};
        lithe_picture_text(&image, 8, 20, 20, ink, white, text);
        double all = covered(&image, 0, 40, 0, 40);
        CHECK(c == ' ' ? all == 0 : all > 3);
        // nothing left of the pen or above the capitals
        CHECK(covered(&image, 0, 6, 0, 40) + covered(&image, 0, 40, 0, 8) == 0);
        for (int d = 32; d < c; d++)
            CHECK(memcmp(p, pixels[d - 32], sizeof pixels[0]) != 0);
    }
    // text beyond the image, or beside it, is cut
    LitheImage image = {pixels[0], 40, 40};
    lithe_picture_text(&image, -30, 39, 20, ink, white, "cut on both sides \xe2\x88");
    lithe_picture_text(&image, 1e9, -1e9, 20, ink, white, "far away");
    CHECK(covered(&image, 0, 40, 20, 40) > 3);
}

// Reads a small file whole; the text ends with 0.
static bool read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t n = fread(text, 1, size - 1, file);
    text[n] = 0;
    fclose(file);
    return n > 0 && n < size - 1;
}

// Every tag is closed in order, every attribute quoted, every & starts an entity.
static bool well_formed(const char *text) {
    char open[32][32];
    int depth = 0, roots = 0;
    const char *p = strstr(text, "?>");
    for (p = p ? p + 2 : text; *p; p++) {
        if (*p == '&' && strncmp(p, "&amp;", 5) && strncmp(p, "&lt;", 4) && strncmp(p, "&gt;", 4) &&
            strncmp(p, "&quot;", 6))
            return false;
        if (*p != '<')
            continue;
        bool closing = p[1] == '/';
        int n = 0;
        char name[32] = {0};
        for (p += 1 + closing; n < 31 && *p && !strchr(" />", *p); p++)
            name[n++] = *p;
        bool quoted = false;
        for (; *p && (quoted || *p != '>'); p++) {
            if (*p == '<')
                return false;
            quoted ^= *p == '"';
        }
        if (!*p || n == 0)
            return false;
        if (closing) {
            if (depth == 0 || strcmp(open[--depth], name))
                return false;
        } else if (p[-1] != '/') {
            roots += depth == 0;
            if (depth == 32)
                return false;
            strcpy(open[depth++], name);
        }
    }
    return depth == 0 && roots == 1;
}

TEST(drawing_is_well_formed_and_paints_the_nearer_tube_last) {
    LitheContext *context = lithe_context_create(NULL);
    char path[] = "/tmp/lithe-drawing-XXXXXX";
    int fd = mkstemp(path);
    FATAL(fd >= 0);
    close(fd);
    static char text[1 << 20];
    Still s;
    still_life(&s, true);
    s.picture.title = "a < b & \"c\" \x01\xff";
    CHECK(lithe_picture_write_svg(context, &s.picture, path, NULL) == LITHE_OK);
    FATAL(read_text(path, text, sizeof text));
    CHECK(well_formed(text));
    CHECK_TEXT(text, "a &lt; b &amp; &quot;c&quot;");
    CHECK_TEXT(text, "F = 1.5 &lt;N&gt; &amp; more");

    double across[] = {-1, -0.5, 0, 1, -0.5, 0}, up[] = {0, 0.5, -1, 0, 0.5, 1};
    LithePictureTube tubes[2] = {
        {.points = across,
         .point_count = 2,
         .half_width = 0.2,
         .colour = red,
         .finish = LITHE_PICTURE_FLAT},
        {.points = up,
         .point_count = 2,
         .half_width = 0.2,
         .colour = blue,
         .finish = LITHE_PICTURE_FLAT},
    };
    LithePicture picture = plain_picture(100, 100);
    picture.tubes = tubes;
    picture.tube_count = 2;
    CHECK(lithe_picture_write_svg(context, &picture, path, NULL) == LITHE_OK);
    FATAL(read_text(path, text, sizeof text));
    CHECK(well_formed(text));
    // all of the farther one comes before any of the nearer one
    const char *last_blue = text, *first_red = strstr(text, "\"#ff0000\"");
    for (const char *p = text; (p = strstr(p, "\"#0000ff\"")); p++)
        last_blue = p;
    CHECK(first_red && last_blue > text && last_blue < first_red);
    unlink(path);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing) {
    LitheContext *context = lithe_context_create(NULL);
    Still s;
    still_life(&s, false);
    s.picture.width = 24;
    s.picture.height = 16;
    s.picture.quick = true;
    for (int kind = 0; kind < 2; kind++) {
        int n = 1;
        for (; n < 400; n++) {
            LitheError error = {0};
            lithe_context_fail_at(context, n);
            LitheStatus status =
                kind ? lithe_picture_write_svg(context, &s.picture, "/dev/null", &error)
                     : lithe_picture_write_png(context, &s.picture, NULL, "/dev/null", &error);
            lithe_context_fail_at(context, 0);
            if (status == LITHE_OK)
                break;
            CHECK(status == LITHE_NO_MEMORY);
            CHECK_TEXT(error.text, "out of memory");
            CHECK(lithe_context_bytes(context) == 0);
        }
        CHECK(n > 5 && n < 400);
    }
    lithe_context_destroy(context);
}

TEST(bad_numbers_are_refused_by_name) {
    LithePicture picture = lithe_picture_default();
    LitheError error = {0};
    double points[] = {0, 0, 0, 1, NAN, 0};
    LithePictureTube tube = {.points = points, .point_count = 2, .half_width = -0.002};
    picture.tubes = &tube;
    picture.tube_count = 1;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "tube 0: point 1 is not finite");
    points[4] = 0;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "tube 0: half_width is -0.002 m, must be > 0");
    tube.half_width = 1;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_OK);
    picture.width = 0;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "0 x 1000 pixels");
    picture.width = 10;
    picture.camera_auto = false;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "camera: eye and target must differ");
    picture.camera_auto = true;
    int32_t triangle[] = {0, 1, 2};
    LithePictureMesh mesh = {
        .points = points, .point_count = 2, .triangles = triangle, .triangle_count = 1};
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    CHECK(lithe_picture_check(&picture, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "triangle 0 names point 2");
}

TEST(a_picture_that_does_not_fit_on_the_disk_says_which_and_why) {
    enum { SIDE = 200 };
    static uint8_t noise[4 * SIDE * SIDE];
    TestRandom random = {3};
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)test_random(&random, 0, 255);
    char path[] = "/tmp/lithe-picture-XXXXXX";
    int fd = mkstemp(path);
    FATAL(fd >= 0);
    close(fd);
    // files of at most 4000 bytes, as if the disk were full
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = usual;
    small.rlim_cur = 4000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheStatus status = lithe_png_write(context, path, noise, SIDE, SIDE, &error);
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    CHECK(status == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, path);
    CHECK_TEXT(error.text, ": cannot write: File too large");
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    unlink(path);
}
