// SPDX-License-Identifier: Apache-2.0
// record/along.c - values of one frame along a rod

#include "record/along.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 128, MAX_WIDTH = 3 };

static const char *const components[MAX_WIDTH + 1][MAX_WIDTH] = {
    {NULL}, {""}, {"m1", "m2"}, {"x", "y", "z"}};

typedef struct Query {
    int32_t tube;
    const LitheColumn *column;
    char what[WORD];
    int32_t width;    // numbers per node or edge
    int32_t only;     // component; -1: all
    bool at_edges;    // else at nodes
    const char *name; // as given
} Query;

// "position, tension, ...": the quantities along a tube
static void list_quantities(const LitheRecording *recording, int32_t tube, char *text,
                            size_t size) {
    const LitheRecordingTube *of = &recording->tubes[tube];
    char prefix[2 * WORD];
    size_t used = 0,
           length = (size_t)snprintf(prefix, sizeof prefix, "%s/%s/", of->folder, of->name);
    text[0] = '\0';
    for (int32_t i = 0; i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        bool along = column->rank > 0 && column->offset >= 0 &&
                     (column->dims[0] == of->node_count || column->dims[0] == of->edge_count);
        if (along && strncmp(column->path, prefix, length) == 0 && used + 40 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.30s", used ? ", " : "",
                                     column->path + length);
    }
}

static LitheStatus find_tube(const LitheRecording *recording, const char *name, size_t length,
                             int32_t *tube, LitheError *error) {
    for (*tube = 0; *tube < recording->tube_count; ++*tube)
        if (strlen(recording->tubes[*tube].name) == length &&
            strncmp(recording->tubes[*tube].name, name, length) == 0)
            return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "%s: '%.80s': no rod named '%.*s'; what lies along a rod is ROD.WHAT, like "
                      "%s.tension",
                      recording->path, name, (int)(length < 80 ? length : 80), name,
                      recording->tube_count > 0 ? recording->tubes[0].name : "rope");
}

static LitheStatus set_component(const LitheRecording *recording, const char *word, Query *query,
                                 LitheError *error) {
    query->only = -1;
    if (!*word)
        return LITHE_OK;
    for (int32_t k = 0; k < query->width && query->width > 1; k++)
        if (strcmp(components[query->width][k], word) == 0)
            query->only = k;
    if (query->only >= 0)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "%s: '%.80s': '%.40s' cannot follow %s along a rod; what can: %s",
                      recording->path, query->name, word, query->what,
                      query->width == 3   ? ".x .y .z"
                      : query->width == 2 ? ".m1 .m2"
                                          : "nothing");
}

static LitheStatus parse(const LitheRecording *recording, const char *name, Query *query,
                         LitheError *error) {
    const char *dot = strchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    query->name = name;
    LitheStatus status = find_tube(recording, name, length, &query->tube, error);
    if (status != LITHE_OK)
        return status;
    const char *what = dot ? dot + 1 : "", *after = strchr(what, '.');
    snprintf(query->what, sizeof query->what, "%.*s",
             after ? (int)(after - what) : (int)strlen(what), what);
    const LitheRecordingTube *tube = &recording->tubes[query->tube];
    const LitheColumn *column = lithe_recording_tube_column(recording, query->tube, query->what);
    int64_t count = column && column->rank > 0 && column->offset >= 0 ? column->dims[0] : 0;
    int64_t width = column && column->rank > 1 ? column->dims[1] : 1;
    if ((count != tube->node_count && count != tube->edge_count) || width > MAX_WIDTH) {
        char list[400];
        list_quantities(recording, query->tube, list, sizeof list);
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: '%.80s': '%.60s' has no values along rod '%s'; there are %s",
                          recording->path, name, query->what, tube->name, list);
    }
    query->column = column;
    query->width = (int32_t)width;
    query->at_edges = count == tube->edge_count && count != tube->node_count;
    // a closed rod has as many edges as nodes: the axes of the column say which
    if (tube->closed)
        query->at_edges = strstr(column->axes, "edge") != NULL;
    return set_component(recording, after ? after + 1 : "", query, error);
}

// distances of nodes, or of the middles of edges, along the rod
static LitheStatus measure(LitheRecording *recording, const Query *query, int64_t frame, double *x,
                           LitheError *error) {
    const LitheRecordingTube *tube = &recording->tubes[query->tube];
    const LitheColumn *column = lithe_recording_tube_column(recording, query->tube, "position");
    int32_t n = tube->node_count;
    double *p = lithe_alloc_array(recording->context, 3 * (int64_t)n, sizeof *p);
    LitheStatus status = p && column ? lithe_recording_read(recording, column, frame, 1, p, error)
                                     : lithe_fail_memory(error, "the positions of a rod");
    double at = 0;
    for (int32_t i = 0; status == LITHE_OK && i < (query->at_edges ? tube->edge_count : n); i++) {
        Vec3 a = v3_load(p + 3 * (int64_t)i), b = v3_load(p + 3 * (int64_t)((i + 1) % n));
        double length = v3_distance(a, b);
        x[i] = query->at_edges ? at + 0.5 * length : at;
        at += length;
    }
    lithe_free(recording->context, p);
    return status;
}

static LitheStatus fill(LitheRecording *recording, const Query *query, int64_t frame,
                        LitheAlong *along, LitheError *error) {
    LitheContext *context = recording->context;
    double *values = lithe_alloc_array(context, query->column->count, sizeof *values);
    int32_t lines = query->only >= 0 ? 1 : query->width;
    along->x = lithe_alloc_array(context, along->count, sizeof *along->x);
    along->series = lithe_alloc_array(context, lines, sizeof *along->series);
    LitheStatus status =
        values && along->x && along->series
            ? lithe_recording_read(recording, query->column, frame, 1, values, error)
            : lithe_fail_memory(error, "values along a rod");
    for (int32_t k = 0; status == LITHE_OK && k < lines; k++) {
        int32_t component = query->only >= 0 ? query->only : k;
        LitheSeries *series = &along->series[along->series_count++];
        snprintf(series->name, sizeof series->name, "%.60s.%.60s%s%s",
                 recording->tubes[query->tube].name, query->what, query->width > 1 ? "." : "",
                 query->width > 1 ? components[query->width][component] : "");
        series->values = lithe_alloc_array(context, along->count, sizeof *series->values);
        if (!series->values)
            status = lithe_fail_memory(error, "values along a rod");
        for (int32_t i = 0; status == LITHE_OK && i < along->count; i++)
            series->values[i] = values[(int64_t)query->width * i + component];
    }
    lithe_free(context, values);
    return status == LITHE_OK ? measure(recording, query, frame, along->x, error) : status;
}

LitheStatus lithe_recording_along(LitheRecording *recording, const char *name, double time,
                                  LitheAlong *along, LitheError *error) {
    Query query = {0};
    LitheStatus status = parse(recording, name, &query, error);
    if (status != LITHE_OK)
        return status;
    int64_t frame = 0;
    status = lithe_recording_frame_at(recording, time, &frame, error);
    if (status != LITHE_OK)
        return status;
    LitheAlong made = {.context = recording->context,
                       .time = recording->times[frame],
                       .count = (int32_t)query.column->dims[0]};
    bool plain = strcmp(query.column->unit, "1") == 0;
    snprintf(made.unit, sizeof made.unit, "%.30s", query.column->unit);
    snprintf(made.label, sizeof made.label, "%.100s%s%s%s", query.what, plain ? "" : " [",
             plain ? "" : made.unit, plain ? "" : "]");
    status = fill(recording, &query, frame, &made, error);
    if (status != LITHE_OK)
        lithe_along_release(&made);
    else
        *along = made;
    return status;
}

void lithe_along_release(LitheAlong *along) {
    for (int32_t i = 0; along->series && i < along->series_count; i++)
        lithe_free(along->context, along->series[i].values);
    lithe_free(along->context, along->series);
    lithe_free(along->context, along->x);
    *along = (LitheAlong){0};
}
