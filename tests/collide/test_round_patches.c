// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_round_patches.c - patches of round shapes have the force of the true surface
// at any depth, however narrow they are and however the shape has turned

#include "body/unit.h"
#include "collide/patch.h"
#include "lithe/lithe.h"

#include "data/model.h"
#include "patch_world.h"

#include <math.h>

#define R 0.05
#define HALF 0.08

// --- the truth: relative depths in the half plane of a shape
// --------------------------------------

typedef struct Shape {
    const char *name, *text;
    double (*relative)(double r, double z);
    double corner[4][2]; // of an outline, or the centres of spheres
    int corners;
    double radius; // of the spheres about them
} Shape;

static double ball(double r, double z) {
    return 1 - hypot(r, z) / R;
}

static double capsule(double r, double z) {
    return 1 - hypot(r, fmax(fabs(z) - HALF, 0)) / R;
}

static double cylinder(double r, double z) {
    return fmin(R - r, HALF - fabs(z)) / R;
}

static double tube(double r, double z) {
    return fmin(fmin(R - r, r - 0.03), HALF - fabs(z)) / 0.01;
}

static double disc(double r, double z) {
    return fmin(R - r, 0.01 - fabs(z)) / 0.01;
}

// from R at z = 0 to 0.2 R at z = 0.1; the deepest point is as far from base and side
static double cone(double r, double z) {
    double length = hypot(0.1, 0.8 * R), s = 0.8 * R / length, c = 0.1 / length;
    double deepest = R * c / (1 + s);
    return fmin(fmin(z, 0.1 - z), c * (R - r) - s * z) / deepest;
}

static const Shape shapes[] = {
    {"ball", "sphere: {radius: 0.05}", ball, {{0, 0}}, 1, R},
    {"capsule", "capsule: {radius: 0.05, length: 0.16}", capsule, {{0, -HALF}, {0, HALF}}, 2, R},
    {"cylinder", "cylinder: {radius: 0.05, length: 0.16}", cylinder, {{R, -HALF}, {R, HALF}}, 2, 0},
    {"disc", "cylinder: {radius: 0.05, length: 0.02}", disc, {{R, -0.01}, {R, 0.01}}, 2, 0},
    {"tube", "tube: {radius: 0.05, hole: 0.03, length: 0.16}", tube, {{R, -HALF}, {R, HALF}}, 2, 0},
    {"cone",
     "revolution: {outline: [[0, 0.05], [0.1, 0.01]]}",
     cone,
     {{R, 0}, {0.2 * R, 0.1}},
     2,
     0},
};

// a shape whose axis has the angle `tilt` with the plane, `depth` below it at its lowest point
typedef struct Pose2 {
    const Shape *shape;
    double tilt, height; // of the origin
    double lowest;       // place of the lowest point along the axis on the plane
} Pose2;

static Pose2 pose_of(const Shape *shape, double tilt, double depth) {
    Pose2 out = {shape, tilt, 0, 0};
    for (int k = 0; k < shape->corners; k++) {
        double r = shape->corner[k][0], z = shape->corner[k][1];
        double down = r * cos(tilt) - z * sin(tilt), along = r * sin(tilt) + z * cos(tilt);
        if (k == 0 || down > out.height) {
            out.height = down;
            out.lowest = along + depth * (along > 0 ? -1e-3 : 1e-3);
        }
    }
    out.height += shape->radius - depth;
    return out;
}

// pressure on the plane at x along the axis and y across
static double pressure(const Pose2 *p, double x, double y) {
    double along = x * cos(p->tilt) - p->height * sin(p->tilt);
    double up = -x * sin(p->tilt) - p->height * cos(p->tilt);
    return p->shape->relative(hypot(up, y), along);
}

// integral over y >= 0 at x
static double strip(const Pose2 *p, double x) {
    enum { N = 200 };
    double low = 0, high = 2 * R, sum = 0;
    if (!(pressure(p, x, 0) > 0))
        return 0;
    for (int i = 0; i < 45; i++) {
        double middle = 0.5 * (low + high);
        *(pressure(p, x, middle) > 0 ? &low : &high) = middle;
    }
    for (int i = 0; i < N; i++)
        sum += pressure(p, x, high * (i + 0.5) / N) * high / N;
    return sum;
}

// force over the modulus [m^2]
static double force_of(const Pose2 *p) {
    enum { N = 1000 };
    double end[2], sum = 0;
    for (int k = 0; k < 2; k++) { // from the lowest point to both sides
        double in = p->lowest, out = p->lowest + (k ? 0.5 : -0.5);
        for (int i = 0; i < 50; i++) {
            double middle = 0.5 * (in + out);
            *(pressure(p, middle, 0) > 0 ? &in : &out) = middle;
        }
        end[k] = in;
    }
    for (int i = 0; i < N; i++)
        sum += 2 * strip(p, end[0] + (end[1] - end[0]) * (i + 0.5) / N) * (end[1] - end[0]) / N;
    return sum;
}

// --- the patch -----------------------------------------------------------------------------------

static const char text_of[] =
    "lithe: 1\ntime: {step: 1 ms, end: 1 s}\ngravity: none\nmaterials:\n"
    "  soft: {young: 1 MPa, density: 1000, friction: 0.5, contact: {patches: {modulus: 1 Pa}}}\n"
    "  hard: {young: 1 GPa, density: 1000, friction: 0.5}\n"
    "bodies:\n"
    "  floor: {fixed: true, %s}\n"
    "  top: {at: [0, 0, 1], material: %s, shape: {%s}}\n";

// the axis along x, tilted upwards, after a turn about it
static void place(World *w, double tilt, double turn, double height) {
    double *q = w->state->q + w->model->trees[0].q_at;
    double a = 0.5 * (M_PI / 2 - tilt), b = 0.5 * turn; // about y, then about the own axis
    const Quat whole = q4_mul((Quat){cos(a), 0, sin(a), 0}, (Quat){cos(b), 0, 0, sin(b)});
    const double at[7] = {0, 0, height, whole.w, whole.x, whole.y, whole.z};
    memcpy(q, at, sizeof at);
}

static double found(World *w) {
    double sum = 0;
    CHECK(lithe_find_contacts(w->model, w->state, 0, w->contacts, NULL) == LITHE_OK);
    for (int32_t i = 0; i < lithe_contact_count(w->contacts); i++)
        sum += lithe_contact_data(w->contacts)[i].force *
               fabs(lithe_contact_data(w->contacts)[i].normal.z);
    return sum;
}

TEST(round_shapes_press_on_a_plane_as_their_true_surface_at_any_depth_and_angle) {
    for (int k = 0; k < 6; k++) {
        char text[1024];
        World w;
        snprintf(text, sizeof text, text_of, "material: hard, shape: {half-space: {}}", "soft",
                 shapes[k].text);
        CHECK(make(text, &w) == LITHE_OK);
        for (int i = 0; i < 4; i++)
            // a plane that is deeper in the tube reaches its hole
            for (double depth = 1e-6; depth < (k == 4 ? 0.1 : 0.3); depth *= 3) {
                const double tilts[] = {0, 0.01, 0.4, 1.2};
                double tilt = tilts[i] + (k == 5 ? -atan(0.8 * R / 0.1) : 0), worst = 0;
                Pose2 pose = pose_of(&shapes[k], tilt, depth * R);
                double want = force_of(&pose);
                for (int turn = 0; turn < 7; turn++) {
                    place(&w, tilt, 0.1 * turn, pose.height);
                    double off = found(&w) / want - 1;
                    worst = fabs(off) > fabs(worst) ? off : worst;
                }
                if (!CHECK(fabs(worst) < 0.003) || getenv("LITHE_TABLE"))
                    printf("  %s, tilt %.2f, depth %.1e: %+.4f %%\n", shapes[k].name, tilt, depth,
                           100 * worst);
            }
        end(&w);
    }
}

// two that are alike meet in the plane between them
TEST(two_round_shapes_that_are_alike_press_as_each_does_on_a_plane_at_half_the_depth) {
    static const char *const floors[] = {"sphere: {radius: 0.05}",
                                         "capsule: {radius: 0.05, length: 0.16}",
                                         "cylinder: {radius: 0.05, length: 0.16}",
                                         "revolution: {outline: [[-0.08, 0.05], [0.08, 0.05]]}"};
    for (int k = 0; k < 4; k++) {
        char text[1024], floor[200];
        World w;
        const Shape *shape = &shapes[k < 3 ? k : 2];
        snprintf(floor, sizeof floor, "material: soft, rotate: [0, 90 deg, 0], shape: {%s}",
                 floors[k]);
        snprintf(text, sizeof text, text_of, floor, "soft", shape->text);
        CHECK(make(text, &w) == LITHE_OK);
        for (double depth = 1e-6; depth < 0.1; depth *= 10) {
            Pose2 pose = pose_of(shape, 0, 0.5 * depth * R);
            double want = force_of(&pose);
            place(&w, 0, 0.3, 2 * pose.height);
            double off = found(&w) / want - 1;
            if (!CHECK(fabs(off) < 0.003) || getenv("LITHE_TABLE"))
                printf("  two of %s, depth %.1e: %+.4f %%\n", floors[k], depth, 100 * off);
        }
        end(&w);
    }
}

// the field of a box of the height 0.5 m below its face is the depth over 0.25 m
TEST(rigid_round_shapes_press_into_a_soft_box_as_their_true_surface) {
    for (int k = 0; k < 3; k++) {
        char text[1024];
        World w;
        const Shape *shape = &shapes[k == 2 ? 2 : k];
        snprintf(text, sizeof text, text_of,
                 "material: soft, at: [0, 0, -0.25], shape: {box: {size: [2, 2, 0.5]}}", "hard",
                 shape->text);
        CHECK(make(text, &w) == LITHE_OK);
        for (double depth = 1e-6; depth < 0.1; depth *= 10) {
            double d = depth * R, angle = acos(1 - depth);
            double ball = M_PI * d * d * (R - d / 3), line = R * R * (angle - 0.5 * sin(2 * angle));
            double volume = (k == 2 ? 0 : ball) + (k == 0 ? 0 : line * 2 * HALF), worst = 0;
            for (int turn = 0; turn < 5; turn++) {
                place(&w, 0, 0.1 * turn, R - d);
                double off = found(&w) / (volume / 0.25) - 1;
                worst = fabs(off) > fabs(worst) ? off : worst;
            }
            if (!CHECK(fabs(worst) < 0.003) || getenv("LITHE_TABLE"))
                printf("  rigid %s, depth %.1e: %+.4f %%\n", shape->name, depth, 100 * worst);
        }
        end(&w);
    }
}
