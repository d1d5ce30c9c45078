// SPDX-License-Identifier: Apache-2.0
// tests/record/test_drawable.c - tubes, surfaces and balls as one list, in files and pictures

#include "test.h"

#include "record/drawable.h"
#include "record/export.h"
#include "record/mixed.h"
#include "record/picture_bodies.h"
#include "record/picture_forces.h"
#include "record/picture_parts.h"

enum { BALLS = 30 };

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheRecording *recording;
    LitheError error;
} Fixture;

static bool begin(Fixture *f, int32_t balls) {
    *f = (Fixture){.context = lithe_context_create(NULL), .folder = test_folder()};
    char journal[256], path[256];
    bool fine = mixed_write(f->context, test_path(&f->folder, "j", journal),
                            test_path(&f->folder, "a.h5", path), balls, &f->error) &&
                lithe_recording_open(f->context, path, &f->recording, &f->error) == LITHE_OK;
    if (!fine)
        printf("  %s\n", f->error.text);
    return fine;
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

TEST(tubes_come_first_then_surfaces_then_balls) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    FATAL(lithe_drawable_count(f.recording) == 3);
    static const char *const names[] = {"rope", "sail", "sand"};
    static const char *const folders[] = {"rods", "shells", "particles"};
    const int32_t points[] = {MIXED_NODES, MIXED_SAIL, BALLS};
    for (int32_t i = 0; i < 3; i++) {
        LitheDrawable of = lithe_drawable(f.recording, i);
        CHECK(strcmp(of.name, names[i]) == 0 && strcmp(of.folder, folders[i]) == 0);
        CHECK(of.point_count == points[i] && of.edge_count == (i == 0 ? MIXED_NODES - 1 : 0));
        CHECK(of.drawn == LITHE_DRAWN_TUBE + (LitheDrawn)i && of.index == 0);
    }
    LitheDrawable sand = lithe_drawable(f.recording, 2), sail = lithe_drawable(f.recording, 1);
    CHECK(lithe_drawable_radius(f.recording, &sand, 7) == mixed_radius(7));
    CHECK(lithe_drawable_radius(f.recording, &sail, 7) == 0);
    end(&f);
}

TEST(values_lie_on_points_and_speeds_come_from_velocities) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    LitheDrawable rope = lithe_drawable(f.recording, 0), sail = lithe_drawable(f.recording, 1);
    LitheDrawable sand = lithe_drawable(f.recording, 2);
    CHECK(lithe_drawable_width(f.recording, &sail, "stress") == 1);
    CHECK(lithe_drawable_width(f.recording, &sand, "velocity") == 3);
    // constants and quantities of others are not values of points
    CHECK(lithe_drawable_width(f.recording, &sand, "radius") == 0);
    CHECK(lithe_drawable_width(f.recording, &sand, "stress") == 0);
    CHECK(lithe_drawable_width(f.recording, &sail, "triangles") == 0);
    double values[3 * MIXED_SAIL];
    FATAL(lithe_drawable_read(f.recording, &sail, "stress", 1, 2, values, &f.error) == LITHE_OK);
    CHECK(values[MIXED_SAIL - 1] == mixed_stress(2, MIXED_SAIL - 1));
    FATAL(lithe_drawable_read(f.recording, &sand, "stress", 1, 2, values, &f.error) == LITHE_OK);
    CHECK(isnan(values[0]) && isnan(values[BALLS - 1]));
    bool found = false;
    FATAL(lithe_drawable_scalars(f.recording, &rope, "speed", 2, values, &found, &f.error) ==
          LITHE_OK);
    CHECK(!found);
    FATAL(lithe_drawable_scalars(f.recording, &sand, "speed", 2, values, &found, &f.error) ==
          LITHE_OK);
    CHECK(found);
    CHECK_NEAR(values[5], v3_norm(mixed_velocity(2, 5)), 1e-15);
    end(&f);
}

TEST(normals_of_a_sphere_of_triangles_point_outwards) {
    // an octahedron and a point that belongs to no triangle
    const double points[21] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 9, 9, 9};
    const int32_t triangles[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                   2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    double normals[21];
    lithe_surface_normals(points, 7, triangles, 8, normals);
    for (int i = 0; i < 18; i++)
        CHECK_NEAR(normals[i], points[i], 1e-15);
    CHECK(normals[18] == 0 && normals[20] == 1);
}

TEST(sharp_edges_get_vertices_on_both_sides_and_flat_ones_do_not) {
    // an octahedron, whose faces meet at 71 degrees, and a square that is folded by 10 degrees
    const double points[30] = {1, 0, 0,  -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1,
                               0, 0, -1, 5,  0, 0, 6, 0, 0, 5, 1,  0, 6, 1, 0.12};
    const int32_t triangles[30] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5,
                                   1, 2, 5, 3, 1, 5, 0, 3, 5, 6, 7, 8, 7, 9, 8};
    LitheContext *context = lithe_context_create(NULL);
    LitheSurfaceSplit split;
    FATAL(lithe_surface_split(context, points, 10, triangles, 10, &split));
    CHECK(split.vertex_count == 24 + 4);
    bool same = true;
    for (int i = 0; i < 30; i++)
        same = same && split.points[split.triangles[i]] == triangles[i];
    CHECK(same);
    lithe_surface_split_free(context, &split);
    lithe_context_destroy(context);
}

// --- ParaView ------------------------------------------------------------------------------------

static int digit(char c) {
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(all, c);
    return c && at ? (int)(at - all) : -1;
}

// The numbers of array `name`, the `nth` of that name from 0; -1: none, or more than `room`.
static int64_t read_array(const char *text, const char *name, int nth, void *out, int64_t room) {
    char mark[80];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *at = strstr(text, mark);
    for (; at && nth > 0; nth--)
        at = strstr(at + 1, mark);
    at = at ? strchr(at, '\n') : NULL;
    unsigned char *bytes = calloc((size_t)room + 4, 8);
    int64_t count = 0;
    for (at = at ? at + 1 : ""; digit(at[0]) >= 0 && count < 8 * room + 8; at += 4) {
        int bits = 0;
        for (int k = 0; k < 4; k++)
            bits = bits << 6 | (at[k] == '=' ? 0 : digit(at[k]));
        for (int k = 0; k < 3 && at[k + 1] != '='; k++)
            bytes[count++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    uint64_t size = 0;
    if (count >= 8)
        memcpy(&size, bytes, 8);
    bool fits = count >= 8 && (int64_t)size == count - 8 && count - 8 <= 8 * room;
    if (fits)
        memcpy(out, bytes + 8, size);
    free(bytes);
    return fits ? count / 8 - 1 : -1;
}

static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    bool fine = file && getdelim(&text, &room, 0, file) > 0;
    if (file)
        fclose(file);
    if (!fine)
        free(text);
    return fine ? text : NULL;
}

TEST(paraview_files_hold_triangles_of_surfaces_and_vertices_of_balls) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    char path[256];
    FATAL(lithe_export_vtk(f.recording, test_path(&f.folder, "a.pvd", path), &f.error) == LITHE_OK);
    char *text = slurp(test_path(&f.folder, "a_frames/000002.vtp", path));
    FATAL(text != NULL);
    enum { ALL = MIXED_NODES + MIXED_SAIL + BALLS, FIRST = MIXED_NODES + MIXED_SAIL };
    CHECK_TEXT(text, "NumberOfVerts=\"30\" NumberOfLines=\"1\"");
    static double points[3 * ALL], normals[3 * ALL], values[ALL];
    static int64_t cells[3 * MIXED_TRIANGLES];
    FATAL(read_array(text, "Points", 0, points, 3 * ALL) == 3 * ALL);
    CHECK(v3_distance(v3_load(points + 3 * (FIRST + 4)), mixed_ball(2, 4, BALLS)) == 0);
    CHECK(v3_distance(v3_load(points + 3 * MIXED_NODES), mixed_corner(2, 0)) == 0);
    // cells: each ball, the line, then the triangles
    FATAL(read_array(text, "connectivity", 0, cells, BALLS) == BALLS);
    CHECK(cells[0] == FIRST && cells[BALLS - 1] == ALL - 1);
    FATAL(read_array(text, "offsets", 0, cells, BALLS) == BALLS && cells[BALLS - 1] == BALLS);
    FATAL(read_array(text, "connectivity", 2, cells, 3 * MIXED_TRIANGLES) == 3 * MIXED_TRIANGLES);
    CHECK(cells[0] == MIXED_NODES && cells[2] == MIXED_NODES + MIXED_COLUMNS + 1);
    FATAL(read_array(text, "radius", 0, values, ALL) == ALL);
    CHECK(values[0] == 0.03 && values[MIXED_NODES] == 0 && values[FIRST + 3] == mixed_radius(3));
    FATAL(read_array(text, "surface", 0, values, ALL) == ALL);
    CHECK(values[0] == -1 && values[MIXED_NODES] == 0 && values[FIRST] == -1);
    FATAL(read_array(text, "balls", 0, values, ALL) == ALL);
    CHECK(values[FIRST - 1] == -1 && values[FIRST] == 0);
    FATAL(read_array(text, "stress", 0, values, ALL) == ALL);
    CHECK(isnan(values[0]) && values[MIXED_NODES + 5] == mixed_stress(2, 5) &&
          isnan(values[FIRST]));
    FATAL(read_array(text, "normal", 0, normals, 3 * ALL) == 3 * ALL);
    CHECK(normals[0] == 0 && normals[3 * FIRST + 2] == 0);
    CHECK_NEAR(v3_norm(v3_load(normals + 3 * MIXED_NODES)), 1, 1e-12);
    CHECK(normals[3 * MIXED_NODES + 2] > 0.5);
    free(text);
    end(&f);
}

// --- pictures ------------------------------------------------------------------------------------

// Pixels in which two images differ.
static int64_t differing(const LitheImage *a, const LitheImage *b) {
    int64_t count = 0;
    for (int64_t i = 0; i < (int64_t)a->width * a->height; i++)
        count += memcmp(a->rgba + 4 * i, b->rgba + 4 * i, 4) != 0;
    return count;
}

// The part of a colour that is not grey.
static Vec3 tint(double red, double green, double blue) {
    double mean = (red + green + blue) / 3;
    return v3(red - mean, green - mean, blue - mean);
}

// Pixels of that hue, dark or light.
static int64_t near_colour(const LitheImage *image, LitheColour colour) {
    int64_t count = 0;
    Vec3 wanted = v3_unit(tint(colour.r, colour.g, colour.b));
    for (int64_t i = 0; i < (int64_t)image->width * image->height; i++) {
        const uint8_t *p = image->rgba + 4 * i;
        Vec3 own = tint(p[0], p[1], p[2]);
        bool coloured = v3_norm(own) > 0.1 * (p[0] + p[1] + p[2]);
        count += coloured && v3_dot(v3_unit(own), wanted) > 0.95;
    }
    return count;
}

LONG_TEST(pictures_show_surfaces_and_balls_in_colours_of_their_own) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    LithePictureOptions options = lithe_picture_options_default();
    options.width = 320;
    options.height = 200;
    LitheImage plain, stress, speed, later;
    FATAL(lithe_export_image(f.recording, 1, &options, &plain, &f.error) == LITHE_OK);
    for (int32_t i = 0; i < 3; i++)
        if (!CHECK(near_colour(&plain, lithe_picture_palette(i)) > 300))
            printf("  colour %d: %lld pixels\n", i,
                   (long long)near_colour(&plain, lithe_picture_palette(i)));
    FATAL(lithe_export_image(f.recording, 2, &options, &later, &f.error) == LITHE_OK);
    CHECK(differing(&plain, &later) > 1000);
    // each thing is coloured by a quantity that it has; the others are unchanged
    options.colour = "stress";
    FATAL(lithe_export_image(f.recording, 1, &options, &stress, &f.error) == LITHE_OK);
    CHECK(near_colour(&stress, lithe_picture_palette(1)) < 100);
    CHECK(near_colour(&stress, lithe_picture_palette(2)) >
          0.9 * (double)near_colour(&plain, lithe_picture_palette(2)));
    options.colour = "speed";
    FATAL(lithe_export_image(f.recording, 1, &options, &speed, &f.error) == LITHE_OK);
    CHECK(near_colour(&speed, lithe_picture_palette(1)) ==
          near_colour(&plain, lithe_picture_palette(1)));
    CHECK(differing(&plain, &speed) > 1000);
    LitheImage *const all[] = {&plain, &stress, &speed, &later};
    for (int i = 0; i < 4; i++)
        lithe_image_free(f.context, all[i]);
    options.colour = "sped";
    CHECK(lithe_export_image(f.recording, 1, &options, &plain, &f.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "On points there are displacement, position, velocity, stress");
    end(&f);
}

TEST(drawings_have_a_face_a_triangle_and_a_circle_a_ball) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    LithePictureOptions options = lithe_picture_options_default();
    char path[256];
    FATAL(lithe_export_picture(f.recording, 1, test_path(&f.folder, "a.svg", path), &options,
                               &f.error) == LITHE_OK);
    char *text = slurp(path);
    FATAL(text != NULL);
    int faces = 0, balls = 0;
    for (const char *at = text; (at = strstr(at, "Z\" fill=")); at++)
        faces++;
    for (const char *at = text; (at = strstr(at, "fill=\"url(#ball")); at++)
        balls++;
    CHECK(faces == MIXED_TRIANGLES);
    CHECK(balls == BALLS + 2); // and the ends of the rope
    free(text);
    end(&f);
}

TEST(arrows_of_contacts_read_the_list_of_things_in_any_order) {
    Fixture f;
    FATAL(begin(&f, BALLS));
    LithePictureBodies bodies = {.context = f.context};
    LithePictureForces forces = {.context = f.context};
    FATAL(lithe_picture_forces(f.recording, 1, 1, false, &bodies, &forces, &f.error) == LITHE_OK);
    // the ball presses on the floor, the first of the list, which cannot move: drawn on the ball
    FATAL(forces.arrow_count == 1);
    CHECK(forces.arrows[0].to.z > forces.arrows[0].from.z);
    lithe_picture_forces_release(&forces);
    lithe_picture_bodies_release(&bodies);
    end(&f);
}

TEST(many_balls_share_the_corners_of_a_picture) {
    enum { MANY = 3000 };
    LitheContext *context = lithe_context_create(NULL);
    static LithePictureSphere spheres[MANY];
    for (int32_t i = 0; i < MANY; i++)
        spheres[i] = (LithePictureSphere){.centre = mixed_ball(0, i, MANY), .radius = 0.045};
    LithePicture picture = lithe_picture_default();
    picture.spheres = spheres;
    const int32_t counts[] = {20, 500, MANY};
    int32_t each[3];
    for (int k = 0; k < 3; k++) {
        picture.sphere_count = counts[k];
        LithePictureCamera camera = lithe_picture_camera(&picture);
        LithePictureSurface surface;
        FATAL(lithe_picture_surface(context, &picture, &camera, &surface));
        each[k] = surface.vertex_count / counts[k];
        CHECK(surface.vertex_count < 400000 && surface.caster_count < 400000);
        lithe_picture_surface_free(&surface);
    }
    CHECK(each[0] > 1000 && each[1] < each[0] && each[2] < each[1] && each[2] >= 90);
    lithe_context_destroy(context);
}
