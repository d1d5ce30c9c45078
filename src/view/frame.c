// SPDX-License-Identifier: Apache-2.0
// view/frame.c - numbers of a frame to the words of the stream

#include "view/frame.h"

#include "view/pressure.h"

#include <math.h>
#include <string.h>

// all supported processors are little-endian; words are copied from memory
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are little endian");

static float word(double number) {
    return isfinite(number) ? (float)number : 0;
}

static float *put(const double *from, int64_t count, float *to) {
    for (int64_t i = 0; i < count; i++)
        to[i] = from ? word(from[i]) : 0;
    return to + count;
}

// --- points --------------------------------------------------------------------------------------

// m1 of each edge; any normal where none was recorded
static float *put_directors(const LitheRecordingTube *rod, const double *x, const double *m1,
                            float *to) {
    if (m1)
        return put(m1, 3 * (int64_t)rod->edge_count, to);
    for (int32_t e = 0; e < rod->edge_count; e++) {
        Vec3 a = v3_load(x + 3 * e), b = v3_load(x + 3 * ((e + 1) % rod->node_count));
        double normal[3];
        v3_store(v3_any_normal(v3_unit(v3_sub(b, a))), normal);
        to = put(normal, 3, to);
    }
    return to;
}

static float *put_edges(const LitheRecordingTube *rod, const double *values, float *to) {
    int32_t edges = rod->edge_count;
    for (int32_t i = 0; i < rod->node_count; i++) {
        // mean of the edges that meet at the node
        int32_t before = i > 0 ? i - 1 : rod->closed ? edges - 1 : 0;
        int32_t after = i < edges ? i : edges - 1;
        to[i] = values ? word(0.5 * (values[before] + values[after])) : 0;
    }
    return to + rod->node_count;
}

static float *put_length2(int32_t count, const double *values, float *to) {
    for (int32_t i = 0; i < count; i++)
        to[i] = values ? word(hypot(values[2 * i], values[2 * i + 1])) : 0;
    return to + count;
}

static float *put_length3(int32_t count, const double *values, float *to) {
    for (int32_t i = 0; i < count; i++)
        to[i] = values ? word(v3_norm(v3_load(values + 3 * i))) : 0;
    return to + count;
}

// Angle about the rod from the director of one edge, transported in parallel, to that of the next
// edge, divided by the mean length of both edges.
static double twist_between(Vec3 d0, Vec3 d1, Vec3 m0, Vec3 m1) {
    double length = 0.5 * (v3_norm(d0) + v3_norm(d1));
    Vec3 t0 = v3_unit(d0), t1 = v3_unit(d1), sum = v3_add(t0, t1);
    double both = 1 + v3_dot(t0, t1);
    if (!(both > 1e-9) || !(length > 0))
        return 0;
    Vec3 carried = v3_axpy(-v3_dot(m0, t1) / both, sum, m0);
    return v3_angle_about(carried, m1, t1) / length;
}

static float *put_twist(const LitheRecordingTube *rod, const double *x, const double *m1,
                        float *to) {
    int32_t nodes = rod->node_count, edges = rod->edge_count;
    for (int32_t i = 0; i < nodes; i++) {
        int32_t before = i > 0 ? i - 1 : edges - 1;
        bool ends = !rod->closed && (i == 0 || i == nodes - 1);
        if (ends || !m1 || !x) {
            to[i] = 0;
            continue;
        }
        Vec3 a = v3_load(x + 3 * before), b = v3_load(x + 3 * i);
        Vec3 c = v3_load(x + 3 * ((i + 1) % nodes));
        to[i] = word(twist_between(v3_sub(b, a), v3_sub(c, b), v3_load(m1 + 3 * before),
                                   v3_load(m1 + 3 * i)));
    }
    // free ends have the value of the neighbouring node
    if (!rod->closed && nodes > 2) {
        to[0] = to[1];
        to[nodes - 1] = to[nodes - 2];
    }
    return to + nodes;
}

static float *put_speed(const LitheViewScene *scene, const LitheViewFrame *frame,
                        const LitheViewPoints *points, int32_t column, float *to) {
    int32_t count = points->of.point_count;
    if (column >= 0)
        return put(lithe_view_values(scene, frame->numbers, column), count, to);
    double passed = frame->time - frame->before_time;
    const double *x = lithe_view_values(scene, frame->numbers, points->position);
    const double *old =
        frame->before ? lithe_view_values(scene, frame->before, points->position) : NULL;
    for (int32_t i = 0; i < count; i++)
        to[i] = old && passed > 0
                    ? word(v3_distance(v3_load(x + 3 * i), v3_load(old + 3 * i)) / passed)
                    : 0;
    return to + count;
}

static float *put_displacement(const LitheViewPoints *points, const double *x, float *to) {
    int32_t count = points->of.point_count;
    for (int32_t i = 0; i < count; i++)
        to[i] = x ? word(v3_distance(v3_load(x + 3 * i), v3_load(points->first + 3 * i))) : 0;
    return to + count;
}

static float *put_points(const LitheViewScene *scene, const LitheViewFrame *frame,
                         const LitheViewPoints *points, float *to) {
    const LitheDrawable *of = &points->of;
    // only tubes have directors and edges
    const LitheRecordingTube *tube =
        of->drawn == LITHE_DRAWN_TUBE ? &scene->recording->tubes[of->index] : NULL;
    const double *x = lithe_view_values(scene, frame->numbers, points->position);
    const double *m1 = lithe_view_values(scene, frame->numbers, points->director);
    to = put(x, 3 * (int64_t)of->point_count, to);
    if (tube)
        to = put_directors(tube, x, m1, to);
    for (int32_t i = 0; i < points->field_count; i++) {
        const LitheViewOwnField *field = &points->fields[i];
        const double *values = lithe_view_values(scene, frame->numbers, field->column);
        switch (field->value) {
        case LITHE_VIEW_POINTS:
            to = put(values, of->point_count, to);
            break;
        case LITHE_VIEW_EDGES:
            to = put_edges(tube, values, to);
            break;
        case LITHE_VIEW_LENGTH2:
            to = put_length2(of->point_count, values, to);
            break;
        case LITHE_VIEW_LENGTH3:
            to = put_length3(of->point_count, values, to);
            break;
        case LITHE_VIEW_TWIST:
            to = put_twist(tube, x, m1, to);
            break;
        case LITHE_VIEW_SPEED:
            to = put_speed(scene, frame, points, field->column, to);
            break;
        case LITHE_VIEW_DISPLACEMENT:
            to = put_displacement(points, x, to);
            break;
        case LITHE_VIEW_PRESSURE: // added when all positions are known
            to = put(NULL, of->point_count, to);
            break;
        }
    }
    return to;
}

// --- curves --------------------------------------------------------------------------------------

static double take(const LitheViewSeries *series, const double *values, int64_t count) {
    double sum = 0, max = -INFINITY, squares = 0;
    switch (series->take) {
    case LITHE_VIEW_AT:
        return values[series->index];
    case LITHE_VIEW_MAX:
        for (int64_t i = 0; i < count; i++)
            max = fmax(max, values[i]);
        return max;
    case LITHE_VIEW_MEAN:
        for (int64_t i = 0; i < count; i++)
            sum += values[i];
        return sum / (double)count;
    case LITHE_VIEW_LENGTH:
        for (int64_t i = 0; i < count; i++)
            squares += values[i] * values[i];
        return sqrt(squares);
    }
    return 0;
}

// --- contacts ------------------------------------------------------------------------------------

static uint32_t whole(double number) {
    return number >= 0 && number < 4294967295.0 ? (uint32_t)number : 0;
}

// columns of a row of contacts in the order of the words
static const struct {
    const char *path;
    int32_t words;
    bool number; // of a thing or part
} contact_columns[] = {{"contacts/position", 3, false}, {"contacts/force", 3, false},
                       {"contacts/gap", 1, false},      {"contacts/slip", 1, false},
                       {"contacts/a", 1, true},         {"contacts/b", 1, true},
                       {"contacts/part_a", 1, true},    {"contacts/part_b", 1, true},
                       {"contacts/normal", 3, false},   {"contacts/area", 1, false}};
enum { CONTACT_COLUMNS = (int)(sizeof contact_columns / sizeof *contact_columns) };

static void put_contacts(const LitheViewScene *scene, const LitheViewFrame *frame,
                         unsigned char *out) {
    const LitheLayout *layout = &scene->recording->layout;
    int64_t at[CONTACT_COLUMNS];
    for (int k = 0; k < CONTACT_COLUMNS; k++) {
        const LitheColumn *column =
            lithe_layout_find_contact_column(layout, contact_columns[k].path);
        at[k] = column && column->count == contact_columns[k].words ? column->offset : -1;
    }
    for (int64_t i = 0; i < frame->row_count; i++) {
        const double *row = frame->rows + i * layout->row_size;
        float reals[3] = {0};
        int32_t words = 0;
        for (int k = 0; words < scene->contact_words; k++) {
            int32_t count = contact_columns[k].words;
            uint32_t id = contact_columns[k].number && at[k] >= 0 ? whole(row[at[k]]) : 0;
            if (!contact_columns[k].number && at[k] >= 0)
                put(row + at[k], count, reals);
            else
                memset(reals, 0, sizeof reals);
            memcpy(out + 4 * (int64_t)words,
                   contact_columns[k].number ? (void *)&id : (void *)reals, 4 * (size_t)count);
            words += count;
        }
        out += 4 * (int64_t)scene->contact_words;
    }
}

// --- all of it -----------------------------------------------------------------------------------

int64_t lithe_view_frame_bytes(const LitheViewScene *scene, int64_t row_count) {
    return LITHE_VIEW_HEAD_BYTES + 4 * (scene->word_count + scene->contact_words * row_count);
}

static void put_head(const LitheViewFrame *frame, int64_t bytes, unsigned char *out) {
    const uint32_t words[7] = {
        (uint32_t)bytes, (uint32_t)frame->number, frame->flags, 0, 0, (uint32_t)frame->row_count,
        frame->resets};
    memcpy(out, "LVF1", 4);
    memcpy(out + 4, words, sizeof words);
    memcpy(out + 16, &frame->time, sizeof frame->time);
}

void lithe_view_frame_write(const LitheViewScene *scene, const LitheViewFrame *frame,
                            unsigned char *out) {
    const LitheRecording *recording = scene->recording;
    put_head(frame, lithe_view_frame_bytes(scene, frame->row_count), out);
    float *to = (float *)(void *)(out + LITHE_VIEW_HEAD_BYTES);
    for (int32_t i = 0; i < scene->point_sets; i++)
        to = put_points(scene, frame, &scene->points[i], to);
    for (int32_t b = 0; b < recording->body_count; b++)
        if (scene->at[recording->bodies[b].pose] >= 0)
            to = put(lithe_view_values(scene, frame->numbers, recording->bodies[b].pose), 7, to);
    for (int32_t i = 0; i < scene->tie_count; i++) {
        const LitheViewTie *tie = &scene->ties[i];
        if (tie->active < 0) // a hold, a drive
            *to++ = 1;
        else
            to = put(lithe_view_values(scene, frame->numbers, tie->active), 1, to);
        to = put(lithe_view_values(scene, frame->numbers, tie->position), 3, to);
        to = put(lithe_view_values(scene, frame->numbers, tie->force), 3, to);
    }
    for (int32_t i = 0; i < scene->series_count; i++) {
        const LitheViewSeries *series = &scene->series[i];
        const double *values = lithe_view_values(scene, frame->numbers, series->column);
        *to++ = word(take(series, values, recording->layout.columns[series->column].count));
    }
    put_contacts(scene, frame, (unsigned char *)to);
    lithe_view_add_pressures(scene, frame, (float *)(void *)(out + LITHE_VIEW_HEAD_BYTES));
}

uint32_t lithe_view_frame_resets(const unsigned char *bytes) {
    uint32_t resets;
    memcpy(&resets, bytes + 28, sizeof resets);
    return resets;
}

void lithe_view_frame_mark_reset(unsigned char *bytes) {
    bytes[12] |= LITHE_VIEW_RESET;
}
