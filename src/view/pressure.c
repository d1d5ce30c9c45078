// SPDX-License-Identifier: Apache-2.0
// view/pressure.c - contact pressure at the points of things: normal force over projected area

#include "view/pressure.h"

#include <math.h>

// --- areas ---------------------------------------------------------------------------------------

static double distance(const float *a, const float *b) {
    return sqrt(pow((double)a[0] - (double)b[0], 2) + pow((double)a[1] - (double)b[1], 2) +
                pow((double)a[2] - (double)b[2], 2));
}

// length of a tube that belongs to a node: half of the edges that meet there
static double share_of_node(const LitheRecordingTube *tube, const float *x, int32_t node) {
    int32_t nodes = tube->node_count;
    bool first = node == 0 && !tube->closed, last = node == nodes - 1 && !tube->closed;
    const float *at = x + 3 * (int64_t)node;
    double before = first ? 0 : distance(at, x + 3 * (int64_t)((node + nodes - 1) % nodes));
    double after = last ? 0 : distance(at, x + 3 * (int64_t)((node + 1) % nodes));
    return 0.5 * (before + after);
}

static double triangle_area(const float *x, const int32_t corners[3]) {
    const float *a = x + 3 * (int64_t)corners[0], *b = x + 3 * (int64_t)corners[1],
                *c = x + 3 * (int64_t)corners[2];
    Vec3 u =
        v3((double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]);
    Vec3 v =
        v3((double)c[0] - (double)a[0], (double)c[1] - (double)a[1], (double)c[2] - (double)a[2]);
    return 0.5 * v3_norm(v3_cross(u, v));
}

// --- forces --------------------------------------------------------------------------------------

static void add_on_edge(const LitheRecordingTube *tube, const float *x, int64_t edge, double force,
                        float *to) {
    if (edge < 0 || edge >= tube->edge_count)
        return;
    const int32_t ends[2] = {(int32_t)edge, (int32_t)((edge + 1) % tube->node_count)};
    for (int k = 0; k < 2; k++) {
        double area = 2 * tube->radius * share_of_node(tube, x, ends[k]);
        if (area > 0)
            to[ends[k]] += (float)(0.5 * force / area);
    }
}

// a third of the force on each corner
static void add_on_triangle(const LitheRecordingSurface *surface, const float *x, int64_t triangle,
                            double force, float *to) {
    if (triangle < 0 || triangle >= surface->triangle_count)
        return;
    const int32_t *corners = surface->triangles + 3 * triangle;
    double area = 2 * triangle_area(x, corners);
    for (int k = 0; k < 3 && area > 0; k++)
        to[corners[k]] += (float)(force / 3 / area);
}

static void add_on_ball(const LitheRecordingBalls *balls, int64_t ball, double force, float *to) {
    if (ball < 0 || ball >= balls->count)
        return;
    double area = M_PI * balls->radii[ball] * balls->radii[ball];
    if (area > 0)
        to[ball] += (float)(force / area);
}

static void add_on(const LitheViewScene *scene, double thing, double part, double force,
                   float *words) {
    const LitheRecording *recording = scene->recording;
    if (!(thing >= 0 && thing < recording->thing_count && part >= 0 && part < 2147483647))
        return;
    int32_t set = scene->thing_points[(int32_t)thing];
    if (set < 0)
        return;
    const LitheViewPoints *points = &scene->points[set];
    const float *x = words + points->words_at;
    float *to = words + points->pressure_at;
    int64_t number = (int64_t)part;
    switch (points->of.drawn) {
    case LITHE_DRAWN_TUBE:
        add_on_edge(&recording->tubes[points->of.index], x, number, force, to);
        break;
    case LITHE_DRAWN_SURFACE:
        add_on_triangle(&recording->surfaces[points->of.index], x, number, force, to);
        break;
    default:
        add_on_ball(&recording->balls[points->of.index], number, force, to);
        break;
    }
}

static int64_t offset_of(const LitheLayout *layout, const char *path, int64_t count) {
    const LitheColumn *column = lithe_layout_find_contact_column(layout, path);
    return column && column->count == count ? column->offset : -1;
}

void lithe_view_add_pressures(const LitheViewScene *scene, const LitheViewFrame *frame,
                              float *words) {
    const LitheLayout *layout = &scene->recording->layout;
    int64_t normal = offset_of(layout, "contacts/normal", 3);
    int64_t pull = offset_of(layout, "contacts/force", 3);
    const int64_t ids[4] = {
        offset_of(layout, "contacts/a", 1), offset_of(layout, "contacts/part_a", 1),
        offset_of(layout, "contacts/b", 1), offset_of(layout, "contacts/part_b", 1)};
    if (pull < 0 || ids[0] < 0 || ids[1] < 0 || ids[2] < 0 || ids[3] < 0)
        return;
    for (int64_t i = 0; i < frame->row_count; i++) {
        const double *row = frame->rows + i * layout->row_size;
        Vec3 f = v3_load(row + pull);
        double force = normal >= 0 ? fabs(v3_dot(f, v3_load(row + normal))) : v3_norm(f);
        if (!isfinite(force))
            continue;
        add_on(scene, row[ids[0]], row[ids[1]], force, words);
        add_on(scene, row[ids[2]], row[ids[3]], force, words);
    }
}
