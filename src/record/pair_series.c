// SPDX-License-Identifier: Apache-2.0
// record/pair_series.c - resultants of all contacts of two things over time: "belt+roller.force.z"
//
// On the second thing: force, centre (the mean of the places, weighted by their forces; NaN without
// contact), torque about the centre, area of patches.

#include "base/memory.h"
#include "base/status.h"
#include "record/contact_read.h"
#include "record/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORCE, CENTRE, TORQUE, AREA, WHATS };

static const struct {
    const char *name, *unit;
} whats[WHATS] = {[FORCE] = {"force", "N"},
                  [CENTRE] = {"centre", "m"},
                  [TORQUE] = {"torque", "N m"},
                  [AREA] = {"area", "m^2"}};

typedef struct Pair {
    int32_t a, b; // lines of contacts/things
    int32_t what;
    int32_t component; // -1: the length of a vector
    char name[160];
} Pair;

// the number of the line of `text` that has these bytes, or -1
static int32_t line_of(const char *text, const char *name, size_t length) {
    for (int32_t line = 0; text; line++) {
        const char *end = strchr(text, '\n');
        if ((end ? (size_t)(end - text) : strlen(text)) == length &&
            strncmp(text, name, length) == 0)
            return line;
        text = end ? end + 1 : NULL;
    }
    return -1;
}

// "A+B.what.c": names may have dots and plus signs themselves
static bool find_things(const char *things, const char *name, Pair *pair, const char **rest) {
    for (const char *plus = strchr(name, '+'); plus; plus = strchr(plus + 1, '+')) {
        pair->a = line_of(things, name, (size_t)(plus - name));
        for (const char *dot = strchr(plus, '.'); pair->a >= 0 && dot; dot = strchr(dot + 1, '.')) {
            pair->b = line_of(things, plus + 1, (size_t)(dot - plus - 1));
            *rest = dot + 1;
            if (pair->b >= 0)
                return true;
        }
    }
    return false;
}

static bool find_what(const char *rest, Pair *pair) {
    size_t length = strcspn(rest, ".");
    pair->component = -1;
    for (pair->what = 0; pair->what < WHATS; pair->what++)
        if (strlen(whats[pair->what].name) == length &&
            strncmp(rest, whats[pair->what].name, length) == 0)
            break;
    if (pair->what == WHATS)
        return false;
    if (rest[length] == '\0')
        return true;
    const char *axes = "xyz", *axis = rest[length + 1] ? strchr(axes, rest[length + 1]) : NULL;
    if (pair->what == AREA || !axis || rest[length + 2] != '\0')
        return false;
    pair->component = (int32_t)(axis - axes);
    return true;
}

// sums of a frame: out[3] of a vector, out[0] of the area
static void sum_up(const LitheContactRead *read, const Pair *pair, double out[3]) {
    Vec3 force = v3(0, 0, 0), centre = v3(0, 0, 0), torque = v3(0, 0, 0);
    double weight = 0, area = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < read->row_count; i++) {
            const LitheContactRow *row = &read->rows[i];
            bool forward = row->a == pair->a && row->b == pair->b;
            if (!forward && !(row->a == pair->b && row->b == pair->a))
                continue;
            Vec3 own = forward ? row->force : v3_neg(row->force); // on the second thing
            if (pass == 1) {
                torque = v3_add(torque, v3_cross(v3_sub(row->at, centre), own));
                continue;
            }
            force = v3_add(force, own);
            centre = v3_axpy(v3_norm(own), row->at, centre);
            weight += v3_norm(own);
            area += row->area;
        }
        if (pass == 0)
            centre = weight > 0 ? v3_scale(1 / weight, centre) : v3(NAN, NAN, NAN);
    }
    if (pair->what == AREA)
        out[0] = area;
    else
        v3_store(pair->what == FORCE ? force : pair->what == CENTRE ? centre : torque, out);
}

static LitheStatus fill(LitheRecording *recording, const Pair *pair, LitheSeriesSet *set,
                        LitheError *error) {
    LitheContactRead read = {.context = recording->context};
    LitheStatus status = LITHE_OK;
    for (int64_t k = 0; status == LITHE_OK && k < recording->frame_count; k++) {
        double x[3];
        status = lithe_contact_read(recording, k, &read, error);
        if (status != LITHE_OK)
            break;
        sum_up(&read, pair, x);
        for (int32_t i = 0; i < set->count; i++)
            set->series[i].values[k] = set->count == 3        ? x[i]
                                       : pair->what == AREA   ? x[0]
                                       : pair->component >= 0 ? x[pair->component]
                                                              : v3_norm(v3_load(x));
    }
    lithe_contact_read_release(&read);
    return status;
}

static LitheStatus make(LitheRecording *recording, const Pair *pair, LitheSeriesSet *set,
                        LitheError *error) {
    // a centre is a place, and has three curves
    int32_t count = pair->what == CENTRE && pair->component < 0 ? 3 : 1;
    bool length = pair->what != AREA && count == 1 && pair->component < 0;
    if (!LITHE_RESERVE(recording->context, set->series, set->capacity, count))
        return lithe_fail_memory(error, "series");
    for (int32_t i = 0; i < count; i++) {
        LitheSeries *series = &set->series[set->count++];
        snprintf(series->name, sizeof series->name, "%.120s%s", pair->name,
                 count == 3 ? (const char *const[]){".x", ".y", ".z"}[i] : "");
        snprintf(series->title, sizeof series->title, length ? "|%.120s|" : "%.120s", series->name);
        series->values =
            lithe_alloc_array(recording->context, recording->frame_count, sizeof(double));
        if (!series->values)
            return lithe_fail_memory(error, "series");
    }
    snprintf(set->unit, sizeof set->unit, "%s", whats[pair->what].unit);
    snprintf(set->label, sizeof set->label, "%s [%s]", whats[pair->what].name,
             whats[pair->what].unit);
    return fill(recording, pair, set, error);
}

bool lithe_is_pair_series(const LitheRecording *recording, const char *name) {
    const LitheColumn *things = lithe_layout_find(&recording->layout, "contacts/things");
    Pair pair;
    const char *rest;
    return things && things->text && find_things(things->text, name, &pair, &rest);
}

LitheStatus lithe_pair_series(LitheRecording *recording, const char *name, LitheSeriesSet *set,
                              LitheError *error) {
    const LitheColumn *things = lithe_layout_find(&recording->layout, "contacts/things");
    Pair pair = {0};
    const char *rest = "";
    bool found = things && things->text && find_things(things->text, name, &pair, &rest);
    if (!found || !find_what(rest, &pair))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: no quantity '%.80s': of two things that touch there are A+B.force, "
                          "A+B.centre and A+B.torque on B, with .x .y .z, and A+B.area",
                          recording->path, name);
    snprintf(pair.name, sizeof pair.name, "%s", name);
    LitheSeriesSet made = {.context = recording->context};
    LitheStatus status = make(recording, &pair, &made, error);
    if (status != LITHE_OK) {
        lithe_series_release(&made);
        return status;
    }
    *set = made;
    return LITHE_OK;
}
