// SPDX-License-Identifier: Apache-2.0
// record/contact_read.c - the recorded contacts of a frame, and the areas of patches among them

#include "record/contact_read.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

// smallest ratio of the half axes of an ellipse: narrower ones would not be seen
#define NARROWEST 0.05

static const struct {
    const char *path;
    int32_t width;
} columns[] = {{"contacts/position", 3}, {"contacts/normal", 3}, {"contacts/force", 3},
               {"contacts/a", 1},        {"contacts/b", 1},      {"contacts/part_a", 1},
               {"contacts/part_b", 1},   {"contacts/area", 1}};
enum { COLUMNS = (int)(sizeof columns / sizeof *columns), AREA = COLUMNS - 1 };

bool lithe_recording_has_patches(const LitheRecording *recording) {
    return lithe_layout_find_contact_column(&recording->layout, columns[AREA].path) != NULL;
}

static bool set_row(LitheContactRow *row, int32_t column, const double *x) {
    switch (column) {
    case 0:
        row->at = v3_load(x);
        return v3_finite(row->at);
    case 1:
        row->normal = v3_load(x);
        return v3_finite(row->normal);
    case 2:
        row->force = v3_load(x);
        return v3_finite(row->force);
    case AREA:
        row->area = x[0];
        return row->area >= 0 && isfinite(row->area);
    default:
        if (!(x[0] >= 0 && x[0] <= INT32_MAX))
            return false;
        *(column == 3 ? &row->a : column == 4 ? &row->b : &row->part[column - 5]) = (int32_t)x[0];
        return true;
    }
}

LitheStatus lithe_contact_read(LitheRecording *recording, int64_t frame, LitheContactRead *read,
                               LitheError *error) {
    int64_t first = 0, count = 0;
    LitheStatus status = lithe_recording_contacts(recording, frame, &first, &count, error);
    read->row_count = read->area_count = 0;
    if (status != LITHE_OK || count == 0)
        return status;
    if (!LITHE_RESERVE(read->context, read->rows, read->row_capacity, count) ||
        !LITHE_RESERVE(read->context, read->values, read->value_capacity, 3 * count))
        return lithe_fail_memory(error, "the contacts of a frame");
    memset(read->rows, 0, (size_t)count * sizeof *read->rows);
    for (int32_t k = 0; k < COLUMNS; k++) {
        const LitheColumn *column =
            lithe_layout_find_contact_column(&recording->layout, columns[k].path);
        if (!column && k == AREA)
            continue; // no patches
        if (!column || column->count != columns[k].width)
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read '%s'",
                              recording->path, columns[k].path);
        status = lithe_recording_read_rows(recording, column, first, count, read->values, error);
        if (status != LITHE_OK)
            return status;
        for (int64_t i = 0; i < count; i++)
            if (!set_row(&read->rows[i], k, read->values + i * columns[k].width))
                return lithe_fail(error, LITHE_BAD_INPUT,
                                  "%s: damaged: '%s' of a contact is not valid", recording->path,
                                  columns[k].path);
    }
    read->row_count = (int32_t)count;
    return LITHE_OK;
}

// --- areas ---------------------------------------------------------------------------------------

static bool same_area(const LitheContactRow *x, const LitheContactRow *y) {
    return x->a == y->a && x->b == y->b && x->part[0] == y->part[0] && x->part[1] == y->part[1] &&
           x->area == y->area && memcmp(&x->normal, &y->normal, sizeof x->normal) == 0;
}

static LithePatchArea area_of(const LitheContactRow *rows, int32_t count) {
    LithePatchArea out = {.normal = rows->normal, .a = rows->a, .b = rows->b};
    for (int32_t i = 0; i < count; i++) {
        out.centre = v3_axpy(1.0 / count, rows[i].at, out.centre);
        out.force = v3_add(out.force, rows[i].force);
        out.area += rows[i].area;
    }
    out.pressure = v3_dot(out.force, out.normal) / out.area;
    Vec3 u = v3_any_normal(out.normal), v = v3_cross(out.normal, u);
    double uu = 0, uv = 0, vv = 0;
    for (int32_t i = 0; i < count; i++) {
        Vec3 d = v3_sub(rows[i].at, out.centre);
        double x = v3_dot(d, u), y = v3_dot(d, v);
        uu += x * x;
        uv += x * y;
        vv += y * y;
    }
    double mean = 0.5 * (uu + vv), radius = hypot(0.5 * (uu - vv), uv);
    double angle = 0.5 * atan2(2 * uv, uu - vv);
    double ratio = mean > 0 ? sqrt(fmax(mean - radius, 0) / (mean + radius)) : 1;
    ratio = fmax(ratio, NARROWEST);
    double large = sqrt(out.area / (M_PI * ratio)), c = cos(angle), s = sin(angle);
    out.axes[0] = v3_scale(large, v3_axpy(s, v, v3_scale(c, u)));
    out.axes[1] = v3_scale(large * ratio, v3_axpy(c, v, v3_scale(-s, u)));
    return out;
}

LitheStatus lithe_contact_areas(LitheRecording *recording, int64_t frame, LitheContactRead *read,
                                LitheError *error) {
    LitheStatus status = lithe_contact_read(recording, frame, read, error);
    if (status != LITHE_OK)
        return status;
    if (!LITHE_RESERVE(read->context, read->areas, read->area_capacity, read->row_count))
        return lithe_fail_memory(error, "the patches of a frame");
    for (int32_t i = 0, after; i < read->row_count; i = after) {
        for (after = i + 1; after < read->row_count; after++)
            if (!same_area(&read->rows[i], &read->rows[after]))
                break;
        if (read->rows[i].area > 0)
            read->areas[read->area_count++] = area_of(&read->rows[i], after - i);
    }
    return LITHE_OK;
}

void lithe_contact_read_release(LitheContactRead *read) {
    lithe_free(read->context, read->rows);
    lithe_free(read->context, read->areas);
    lithe_free(read->context, read->values);
    *read = (LitheContactRead){.context = read->context};
}
