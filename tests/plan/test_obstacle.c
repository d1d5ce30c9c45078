// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_obstacle.c - distances of disks from shapes are never overstated

#include "plan/obstacle.h"

#include "base/memory.h"
#include "test.h"

enum { INPUTS = 6, KINDS = LITHE_OBSTACLE_BOX + 1, ANGLES = 240, RINGS = 5 };

static const double RADIUS = 0.05, HALF = 0.005;

static uint64_t seed = 12345;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ldexp((double)(seed >> 11), -53);
}

static void unit(double v[3]) {
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= size;
}

static void cross_of(const double *a, const double *b, double *c) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// three axes at right angles, the last one given
static void frame_of(const double z[3], double axes[3][3]) {
    double other[3] = {fabs(z[0]) < 0.7, fabs(z[0]) >= 0.7, 0};
    memcpy(axes[2], z, sizeof axes[2]);
    cross_of(other, z, axes[0]);
    unit(axes[0]);
    cross_of(z, axes[0], axes[1]);
}

static LitheObstacle random_shape(int kind) {
    LitheObstacle shape = {.kind = (LitheObstacleKind)kind, .name = "post"};
    double z[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    unit(z);
    frame_of(z, shape.axes);
    for (int i = 0; i < 3; i++) {
        shape.at[i] = uniform(-0.1, 0.1);
        shape.half[i] = kind == LITHE_OBSTACLE_BOX || i == 2 ? uniform(0.005, 0.08) : 0;
    }
    if (kind == LITHE_OBSTACLE_SPHERE)
        shape.half[2] = 0;
    shape.radius = kind == LITHE_OBSTACLE_BOX ? 0 : uniform(0.005, 0.06);
    return shape;
}

typedef struct Record {
    LitheContext *context;
    LitheTape *tape;
    LitheTapeWork *work;
} Record;

static bool record_begin(Record *r, const LitheObstacle *shape, double radius, double half) {
    r->context = lithe_context_create(NULL);
    r->tape = lithe_tape_new(r->context, INPUTS, 0);
    lithe_tape_output(r->tape, lithe_record_clearance(r->tape, shape, radius, half,
                                                      inputs(r->tape, 0), inputs(r->tape, 3)));
    if (lithe_tape_end(r->tape, NULL) != LITHE_OK)
        return false;
    r->work = lithe_tape_work_new(r->context, r->tape);
    return r->work != NULL;
}

static double value_at(Record *r, const double x[INPUTS]) {
    double y;
    lithe_tape_values(r->tape, r->work, x, NULL, &y);
    return y;
}

static void record_end(Record *r) {
    lithe_tape_work_free(r->work);
    lithe_tape_free(r->tape);
    lithe_context_destroy(r->context);
}

static void random_disk(double x[INPUTS]) {
    for (int i = 0; i < 3; i++) {
        x[i] = uniform(-0.25, 0.25);
        x[3 + i] = uniform(-1, 1);
    }
    unit(x + 3);
}

// the least distance of many points of a disk: not less than that of the disk
static double sampled(const LitheObstacle *shape, const double x[INPUTS]) {
    double axes[3][3], least = INFINITY;
    frame_of(x + 3, axes);
    for (int ring = 0; ring <= RINGS; ring++)
        for (int k = 0; k < ANGLES; k++)
            for (int side = -1; side <= 1; side++) {
                double r = RADIUS * ring / RINGS, angle = 2 * M_PI * k / ANGLES;
                double point[3];
                for (int i = 0; i < 3; i++)
                    point[i] = x[i] + r * (cos(angle) * axes[0][i] + sin(angle) * axes[1][i]) +
                               side * HALF * x[3 + i];
                least = fmin(least, lithe_obstacle_distance(shape, point));
            }
    return least;
}

TEST(the_distance_of_a_disk_is_never_overstated) {
    for (int n = 0; n < 40 * KINDS; n++) {
        LitheObstacle shape = random_shape(n % KINDS);
        Record r;
        double x[INPUTS];
        FATAL(record_begin(&r, &shape, RADIUS, HALF));
        random_disk(x);
        double bound = value_at(&r, x), true_one = sampled(&shape, x);
        // inside of boxes and cylinders the distance is 0: there the bound must be negative
        CHECK(bound <= true_one);
        if (shape.kind == LITHE_OBSTACLE_HALF_SPACE)
            CHECK(bound >= true_one - 3 * LITHE_OBSTACLE_SMOOTH - 3e-5);
        record_end(&r);
    }
}

TEST(the_distance_from_a_sphere_is_that_of_a_cylinder) {
    for (int n = 0; n < 100; n++) {
        LitheObstacle shape = random_shape(LITHE_OBSTACLE_SPHERE);
        Record r;
        double x[INPUTS], along = 0, all = 0;
        FATAL(record_begin(&r, &shape, RADIUS, HALF));
        random_disk(x);
        for (int i = 0; i < 3; i++) {
            double away = shape.at[i] - x[i];
            along += away * x[3 + i];
            all += away * away;
        }
        double radial = sqrt(fmax(0, all - along * along));
        double distance =
            hypot(fmax(0, radial - RADIUS), fmax(0, fabs(along) - HALF)) - shape.radius;
        double bound = value_at(&r, x);
        CHECK(bound <= distance && bound >= distance - 3 * LITHE_OBSTACLE_SMOOTH);
        record_end(&r);
    }
}

TEST(a_point_has_the_distance_of_the_shape) {
    for (int n = 0; n < 40 * KINDS; n++) {
        LitheObstacle shape = random_shape(n % KINDS);
        Record r;
        double x[INPUTS];
        FATAL(record_begin(&r, &shape, 0, 0));
        random_disk(x);
        double distance = lithe_obstacle_distance(&shape, x), bound = value_at(&r, x);
        CHECK(bound <= distance && bound >= distance - 4 * LITHE_OBSTACLE_SMOOTH);
        record_end(&r);
    }
}

TEST(derivatives_equal_differences) {
    for (int n = 0; n < 20 * KINDS; n++) {
        LitheObstacle shape = random_shape(n % KINDS);
        Record r;
        double x[INPUTS], entries[INPUTS], d[INPUTS], slope = 0, h = 1e-6;
        FATAL(record_begin(&r, &shape, RADIUS, HALF));
        random_disk(x);
        for (int i = 0; i < INPUTS; i++)
            d[i] = uniform(-1, 1);
        if (lithe_obstacle_distance(&shape, x) < 0.01) { // edges are sharp there
            record_end(&r);
            continue;
        }
        value_at(&r, x);
        lithe_tape_jacobian(r.tape, r.work, entries);
        LithePattern rows = lithe_tape_jacobian_pattern(r.tape);
        for (int32_t e = 0; e < rows.count; e++)
            slope += entries[e] * d[rows.column[e]];
        double sides[2];
        for (int side = 0; side < 2; side++) {
            double at[INPUTS];
            for (int i = 0; i < INPUTS; i++)
                at[i] = x[i] + (side ? h : -h) * d[i];
            sides[side] = value_at(&r, at);
        }
        CHECK_NEAR((sides[1] - sides[0]) / (2 * h), slope, 1e-3);
        record_end(&r);
    }
}
