// SPDX-License-Identifier: Apache-2.0
// tests/record/mixed.h - a recording made of formulas with a tube, a surface, balls and a body

#ifndef LITHE_TEST_MIXED_H
#define LITHE_TEST_MIXED_H

#include "math/vec3.h"
#include "record/recording.h"
#include "record/synthetic.h"

#include <math.h>

enum { MIXED_NODES = 25, MIXED_COLUMNS = 16, MIXED_ROWS = 12, MIXED_FRAMES = 4 };
enum { MIXED_SAIL = MIXED_COLUMNS * MIXED_ROWS };
enum { MIXED_TRIANGLES = 2 * (MIXED_COLUMNS - 1) * (MIXED_ROWS - 1) };

/// Where things are at frame `k`: a rope over a waving sheet, and balls stacked beside it.
static inline Vec3 mixed_node(int64_t k, int32_t i) {
    double u = (double)i / (MIXED_NODES - 1);
    return v3(2 * u - 1, -0.9, 0.5 + 0.4 * sin(3.1416 * u) + 0.02 * (double)k);
}

static inline Vec3 mixed_corner(int64_t k, int32_t i) {
    double x = (double)(i % MIXED_COLUMNS) / (MIXED_COLUMNS - 1);
    double y = (double)(i / MIXED_COLUMNS) / (MIXED_ROWS - 1);
    return v3(1.6 * x - 1.5, 1.2 * y - 0.5, 0.35 + 0.12 * sin(6 * x + 2 * y + 0.5 * (double)k));
}

static inline double mixed_radius(int32_t i) {
    return 0.03 + 0.004 * (i % 5);
}

static inline Vec3 mixed_ball(int64_t k, int32_t i, int32_t count) {
    int32_t side = 1;
    while (side * side * side < count)
        side++;
    int32_t layer = i / (side * side), row = i / side % side;
    return v3(0.4 + 0.1 * (i % side), 0.1 * row - 0.4, 0.05 + 0.1 * layer + 0.01 * (double)k);
}

static inline bool mixed_triangles(LitheLayout *layout, LitheError *error) {
    static double corners[3 * MIXED_TRIANGLES];
    const int64_t dims[2] = {MIXED_TRIANGLES, 3};
    int at = 0;
    for (int r = 0; r + 1 < MIXED_ROWS; r++)
        for (int c = 0; c + 1 < MIXED_COLUMNS; c++) {
            int a = r * MIXED_COLUMNS + c, b = a + 1, d = a + MIXED_COLUMNS, e = d + 1;
            const int six[6] = {a, b, e, a, e, d};
            for (int q = 0; q < 6; q++)
                corners[at++] = six[q];
        }
    return lithe_layout_add_constant(layout, "shells/sail/triangles", "1", "triangle corner",
                                     LITHE_COLUMN_INTEGER, 2, dims, corners, error) == LITHE_OK;
}

static inline bool mixed_contacts(LitheLayout *layout, LitheError *error) {
    static const char *const counts[] = {"contacts/first", "contacts/count"};
    static const char *const vectors[] = {"contacts/position", "contacts/force"};
    static const char *const reals[] = {"contacts/gap", "contacts/slip"};
    static const char *const numbers[] = {"contacts/a", "contacts/b", "contacts/part_a",
                                          "contacts/part_b"};
    bool fine = lithe_layout_add_text(layout, "contacts/things", "floor\nsand\nrope\nsail",
                                      error) == LITHE_OK;
    for (int i = 0; fine && i < 2; i++)
        fine = lithe_layout_add(layout, counts[i], "1", "time", LITHE_COLUMN_INTEGER, 0, NULL,
                                error) == LITHE_OK;
    for (int i = 0; fine && i < 2; i++)
        fine = lithe_layout_add_contact_column(layout, vectors[i], "m", "contact xyz",
                                               LITHE_COLUMN_REAL, error) == LITHE_OK;
    for (int i = 0; fine && i < 2; i++)
        fine = lithe_layout_add_contact_column(layout, reals[i], "m", "contact", LITHE_COLUMN_REAL,
                                               error) == LITHE_OK;
    for (int i = 0; fine && i < 4; i++)
        fine = lithe_layout_add_contact_column(layout, numbers[i], "1", "contact",
                                               LITHE_COLUMN_INTEGER, error) == LITHE_OK;
    return fine;
}

static inline bool mixed_layout(LitheContext *context, int32_t balls, LitheLayout *layout,
                                LitheError *error) {
    *layout = (LitheLayout){.context = context, .end = 1};
    layout->scene = lithe_alloc_text(context, "lithe: 1\n");
    layout->title = lithe_alloc_text(context, "Mixed");
    layout->version = lithe_alloc_text(context, "0.0.1");
    const int64_t nodes[2] = {MIXED_NODES, 3}, sail[2] = {MIXED_SAIL, 3}, sand[2] = {balls, 3};
    const int64_t seven[1] = {7};
    const double radius = 0.03, closed = 0, pose[7] = {0, 0, 0, 1, 0, 0, 0};
    double *radii = calloc((size_t)balls, sizeof *radii);
    for (int32_t i = 0; radii && i < balls; i++)
        radii[i] = mixed_radius(i);
    const LitheColumnKind real = LITHE_COLUMN_REAL;
    bool fine =
        radii && lithe_layout_add(layout, "time", "s", "time", real, 0, NULL, error) == LITHE_OK &&
        lithe_layout_add(layout, "rods/rope/position", "m", "time node xyz", real, 2, nodes,
                         error) == LITHE_OK &&
        lithe_layout_add(layout, "shells/sail/position", "m", "time vertex xyz", real, 2, sail,
                         error) == LITHE_OK &&
        lithe_layout_add(layout, "shells/sail/stress", "Pa", "time vertex", real, 1, sail, error) ==
            LITHE_OK &&
        lithe_layout_add(layout, "particles/sand/position", "m", "time particle xyz", real, 2, sand,
                         error) == LITHE_OK &&
        lithe_layout_add(layout, "particles/sand/velocity", "m/s", "time particle xyz", real, 2,
                         sand, error) == LITHE_OK &&
        lithe_layout_add_constant(layout, "rods/rope/radius", "m", "", real, 0, NULL, &radius,
                                  error) == LITHE_OK &&
        lithe_layout_add_constant(layout, "rods/rope/closed", "1", "", LITHE_COLUMN_INTEGER, 0,
                                  NULL, &closed, error) == LITHE_OK &&
        lithe_layout_add_text(layout, "rods/rope/section", "circle", error) == LITHE_OK &&
        lithe_layout_add_constant(layout, "particles/sand/radius", "m", "particle", real, 1, sand,
                                  radii, error) == LITHE_OK &&
        lithe_layout_add_constant(layout, "bodies/floor/pose", "m, 1", "pose", real, 1, seven, pose,
                                  error) == LITHE_OK &&
        lithe_layout_add_text(layout, "bodies/floor/shapes/0/kind", "half-space", error) ==
            LITHE_OK &&
        lithe_layout_add_constant(layout, "bodies/floor/shapes/0/place", "m, 1", "pose", real, 1,
                                  seven, pose, error) == LITHE_OK &&
        mixed_triangles(layout, error) && mixed_contacts(layout, error);
    free(radii);
    return fine;
}

/// Stress of a corner of the sheet, and velocity of a ball.
static inline double mixed_stress(int64_t k, int32_t i) {
    return 100 * (double)k + i % MIXED_COLUMNS;
}

static inline Vec3 mixed_velocity(int64_t k, int32_t i) {
    return v3(0.3 * (i % 7), 0, 0.4 * (i % 7) + (double)k);
}

static inline void mixed_frame(const LitheLayout *layout, int64_t k, int32_t balls, double *frame) {
    double *rope = frame + lithe_layout_find(layout, "rods/rope/position")->offset;
    double *sail = frame + lithe_layout_find(layout, "shells/sail/position")->offset;
    double *stress = frame + lithe_layout_find(layout, "shells/sail/stress")->offset;
    double *sand = frame + lithe_layout_find(layout, "particles/sand/position")->offset;
    double *velocity = frame + lithe_layout_find(layout, "particles/sand/velocity")->offset;
    frame[0] = 0.125 * (double)k;
    frame[lithe_layout_find(layout, "contacts/first")->offset] = (double)k;
    frame[lithe_layout_find(layout, "contacts/count")->offset] = 1;
    for (int32_t i = 0; i < MIXED_NODES; i++)
        v3_store(mixed_node(k, i), rope + 3 * i);
    for (int32_t i = 0; i < MIXED_SAIL; i++) {
        v3_store(mixed_corner(k, i), sail + 3 * i);
        stress[i] = mixed_stress(k, i);
    }
    for (int32_t i = 0; i < balls; i++) {
        v3_store(mixed_ball(k, i, balls), sand + 3 * i);
        v3_store(mixed_velocity(k, i), velocity + 3 * i);
    }
}

/// Writes MIXED_FRAMES frames with one contact each, of ball 3 on the floor, to `path`.
static inline bool mixed_write(LitheContext *context, const char *journal_path, const char *path,
                               int32_t balls, LitheError *error) {
    LitheLayout layout;
    LitheJournal journal = {0};
    if (!mixed_layout(context, balls, &layout, error) ||
        lithe_journal_create(context, journal_path, &layout, &journal, error) != LITHE_OK)
        return false;
    double *frame = calloc((size_t)journal.layout.frame_size, sizeof *frame);
    bool fine = frame != NULL;
    for (int64_t k = 0; fine && k < MIXED_FRAMES; k++) {
        // position, force on b, gap, slip, a, b, their parts
        const double row[12] = {0.7, -0.4, 0, 0, 0, -2, 0.001, 0.5, 1, 0, 3, 0};
        mixed_frame(&journal.layout, k, balls, frame);
        fine = lithe_journal_append(&journal, frame, row, 1, error) == LITHE_OK;
    }
    fine = fine && lithe_recording_write(&journal, path, error) == LITHE_OK;
    free(frame);
    lithe_journal_close(&journal);
    return fine;
}

#endif
