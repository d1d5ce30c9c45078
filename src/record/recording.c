// SPDX-License-Identifier: Apache-2.0
// record/recording.c - reading recordings; the file may be damaged or hostile

#include "record/recording.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/hdf5_file.h"
#include "record/recording_drawn.h"
#include "record/recording_frames.h"
#include "record/totals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Max depth of groups and number of datasets; we write less. Each part of a name is a group, and
// a name has up to 100 letters: bodies/g/0/0/0/shapes/0 has depth 7, the max is 53.
enum { DEPTH_MAX = 64, SETS_MAX = 1000000 };
// max values of one constant, and frames: they fit into memory easily
#define VALUES_MAX ((int64_t)1 << 28)

// --- finding what is there -----------------------------------------------------------------------

static bool begins_with(const char *axes, const char *axis) {
    size_t length = strlen(axis);
    return strncmp(axes, axis, length) == 0 && (axes[length] == '\0' || axes[length] == ' ');
}

// Sizes as the file claims them; `frames` may be rows of contacts. False: not a dataset of ours.
static bool get_shape(hid_t set, const char *axes, LitheColumn *column, int64_t *frames) {
    bool per_frame = begins_with(axes, "time") || begins_with(axes, "contact");
    hid_t space = H5Dget_space(set);
    hsize_t dims[3] = {1, 1, 1};
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool fits = rank >= per_frame && rank <= 2 + per_frame &&
                H5Sget_simple_extent_dims(space, dims, NULL) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (!fits)
        return false;
    column->rank = rank - per_frame;
    column->offset = per_frame ? 0 : -1;
    column->count = 1;
    *frames = per_frame ? (int64_t)dims[0] : -1;
    if (per_frame && dims[0] > (hsize_t)VALUES_MAX)
        return false;
    for (int32_t i = 0; i < column->rank; i++) {
        hsize_t size = dims[i + per_frame];
        if (size == 0 || size > (hsize_t)(VALUES_MAX / column->count))
            return false;
        column->dims[i] = (int64_t)size;
        column->count *= (int64_t)size;
    }
    return true;
}

// Uncompressed data must occupy their full size in the file: the stated sizes may be wrong.
static bool is_there(hid_t set, hid_t type, const LitheColumn *column, int64_t frames) {
    hid_t creation = H5Dget_create_plist(set);
    int filters = creation >= 0 ? H5Pget_nfilters(creation) : -1;
    int external = creation >= 0 ? H5Pget_external_count(creation) : -1;
    if (creation >= 0)
        H5Pclose(creation);
    if (filters < 0 || external != 0)
        return false;
    hsize_t rows = frames < 0 ? 1 : (hsize_t)frames;
    hsize_t wanted = rows * (hsize_t)column->count * H5Tget_size(type);
    return filters > 0 || H5Dget_storage_size(set) >= wanted;
}

static LitheStatus read_constant(const LitheRecording *recording, hid_t set, hid_t type,
                                 LitheColumn *column, LitheError *error) {
    LitheContext *context = recording->context;
    if (column->kind == LITHE_COLUMN_TEXT) {
        column->text = lithe_alloc(context, lithe_hdf5_text_length(type) + 1);
        if (!column->text)
            return lithe_fail_memory(error, "a recording");
        if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->text) < 0)
            return lithe_recording_fail_damaged(recording, column->path, error);
        return LITHE_OK;
    }
    column->values = lithe_alloc_array(context, column->count, sizeof(double));
    if (!column->values)
        return lithe_fail_memory(error, "a recording");
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->values) < 0)
        return lithe_recording_fail_damaged(recording, column->path, error);
    return LITHE_OK;
}

// Adds a column of the table of contacts; all its columns must have the same length.
static LitheStatus add_contact_column(LitheRecording *recording, const char *path, const char *unit,
                                      const char *axes, const LitheColumn *found, int64_t rows,
                                      LitheError *error) {
    LitheStatus status =
        lithe_layout_add_contact_column(&recording->layout, path, unit, axes, found->kind, error);
    if (status != LITHE_OK)
        return status;
    const LitheColumn *made =
        &recording->layout.contact_columns[recording->layout.contact_column_count - 1];
    bool fits = made->rank == found->rank && made->count == found->count;
    if (!fits || (recording->layout.contact_column_count > 1 && rows != recording->row_total))
        return lithe_recording_fail_damaged(recording, path, error);
    recording->row_total = rows;
    return LITHE_OK;
}

// Reads shape, unit and axes of an open dataset, and adds it. A dataset without axes is not ours
// (users may add their own data) and is ignored.
static LitheStatus add_set(LitheRecording *recording, hid_t set, const char *path,
                           LitheError *error) {
    LitheContext *context = recording->context;
    char *axes = lithe_hdf5_get_text(context, set, "axes");
    char *unit = lithe_hdf5_get_text(context, set, "unit");
    hid_t type = H5Dget_type(set);
    H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    LitheColumn column = {.path = (char *)path};
    int64_t frames = -1;
    LitheStatus status = LITHE_OK;
    if (!axes || !unit)
        goto done;
    bool text = lithe_hdf5_text_length(type) > 0;
    column.kind = text                  ? LITHE_COLUMN_TEXT
                  : kind == H5T_INTEGER ? LITHE_COLUMN_INTEGER
                                        : LITHE_COLUMN_REAL;
    if ((!text && kind != H5T_INTEGER && kind != H5T_FLOAT) ||
        !get_shape(set, axes, &column, &frames) || (text && (frames >= 0 || column.count != 1)) ||
        !is_there(set, type, &column, frames)) {
        status = lithe_recording_fail_damaged(recording, path, error);
        goto done;
    }
    if (begins_with(axes, "contact")) {
        status = add_contact_column(recording, path, unit, axes, &column, frames, error);
        goto done;
    }
    if (frames >= 0 && recording->frame_count >= 0 && frames != recording->frame_count) {
        status =
            lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: '%s' has %lld frames, others %lld",
                       recording->path, path, (long long)frames, (long long)recording->frame_count);
        goto done;
    }
    if (frames >= 0) {
        recording->frame_count = frames;
        status = lithe_layout_add(&recording->layout, path, unit, axes, column.kind, column.rank,
                                  column.dims, error);
        goto done;
    }
    status = read_constant(recording, set, type, &column, error);
    if (status == LITHE_OK && text)
        status = lithe_layout_add_text(&recording->layout, path, column.text, error);
    else if (status == LITHE_OK)
        status = lithe_layout_add_constant(&recording->layout, path, unit, axes, column.kind,
                                           column.rank, column.dims, column.values, error);
done:
    lithe_free(context, column.values);
    lithe_free(context, column.text);
    lithe_free(context, axes);
    lithe_free(context, unit);
    if (type >= 0)
        H5Tclose(type);
    return status;
}

// Position of a walk through the groups, and the number of objects found so far, which is limited:
// groups that contain each other would make the walk endless.
typedef struct Walk {
    char *path;
    int depth, met;
} Walk;

static LitheStatus add_group(LitheRecording *recording, hid_t group, Walk *walk, LitheError *error);

static LitheStatus add_object(LitheRecording *recording, hid_t group, const char *name, Walk *walk,
                              LitheError *error) {
    const char *path = walk->path;
    if (walk->met++ > 2 * SETS_MAX)
        return lithe_recording_fail_damaged(recording, path, error);
    // links, in particular into other files, are not followed
    H5L_info_t link;
    if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0)
        return lithe_recording_fail_damaged(recording, path, error);
    if (link.type != H5L_TYPE_HARD)
        return LITHE_OK;
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return lithe_recording_fail_damaged(recording, path, error);
    LitheStatus status = LITHE_OK;
    H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_DATASET)
        status = add_set(recording, object, path, error);
    else if (kind == H5I_GROUP)
        status = add_group(recording, object, walk, error);
    H5Oclose(object);
    return status;
}

static LitheStatus add_group(LitheRecording *recording, hid_t group, Walk *walk,
                             LitheError *error) {
    H5G_info_t info;
    char *path = walk->path;
    if (walk->depth > DEPTH_MAX || H5Gget_info(group, &info) < 0 || info.nlinks > SETS_MAX ||
        recording->layout.column_count > SETS_MAX)
        return lithe_recording_fail_damaged(recording, path, error);
    size_t length = strlen(path);
    LitheStatus status = LITHE_OK;
    walk->depth++;
    for (hsize_t i = 0; status == LITHE_OK && i < info.nlinks; i++) {
        char name[LITHE_RECORDING_NAME_BYTES];
        ssize_t size = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                          sizeof name, H5P_DEFAULT);
        if (size <= 0 || size >= (ssize_t)sizeof name ||
            length + 2 + (size_t)size > (size_t)DEPTH_MAX * LITHE_RECORDING_NAME_BYTES)
            return lithe_recording_fail_damaged(recording, path, error);
        snprintf(path + length, (size_t)DEPTH_MAX * LITHE_RECORDING_NAME_BYTES - length, "%s%s",
                 length > 0 ? "/" : "", name);
        status = add_object(recording, group, name, walk, error);
        path[length] = '\0';
    }
    walk->depth--;
    return status;
}

// --- bodies --------------------------------------------------------------------------------------

LitheStatus lithe_recording_body_pose(LitheRecording *recording, int32_t body, int64_t frame,
                                      double out[7], LitheError *error) {
    const LitheColumn *column = &recording->layout.columns[recording->bodies[body].pose];
    double pose[7];
    LitheStatus status = LITHE_OK;
    if (column->offset < 0)
        memcpy(pose, column->values, sizeof pose);
    else
        status = lithe_recording_read(recording, column, frame, 1, pose, error);
    if (status != LITHE_OK)
        return status;
    double norm = 0;
    for (int k = 3; k < 7; k++)
        norm += pose[k] * pose[k];
    bool fine = fabs(norm - 1) < 1e-6;
    for (int k = 0; k < 7; k++)
        fine = fine && isfinite(pose[k]);
    if (!fine)
        return lithe_recording_fail_damaged(recording, column->path, error);
    memcpy(out, pose, sizeof pose);
    return LITHE_OK;
}

// --- open and close ------------------------------------------------------------------------------

static int64_t whole(hid_t file, const char *name) {
    double number = 0;
    lithe_hdf5_get_number(file, name, &number);
    return number >= 0 && number < 9e15 ? (int64_t)number : 0;
}

static bool is_ours(hid_t file) {
    char format[32];
    return lithe_hdf5_get_short_text(file, "format", format, sizeof format) &&
           strcmp(format, "lithe recording") == 0;
}

LitheStatus lithe_recording_peek(LitheContext *context, const char *path, bool *ours,
                                 LitheError *error) {
    LitheHdf5Quiet quiet = lithe_hdf5_begin();
    LitheHdf5Source source = {.file = -1};
    LitheStatus status = lithe_hdf5_open(context, path, &source, error);
    *ours = status == LITHE_OK && is_ours(source.file);
    lithe_hdf5_close(&source);
    lithe_hdf5_end(quiet);
    return status == LITHE_NO_MEMORY ? status : LITHE_OK;
}

static LitheStatus read_head(LitheRecording *recording, hid_t file, LitheError *error) {
    LitheContext *context = recording->context;
    if (!is_ours(file))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: an HDF5 file, but not a recording of Lithe",
                          recording->path);
    int64_t version = whole(file, "format_version");
    if (version != 1)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: recording format %lld, this Lithe reads 1", recording->path,
                          (long long)version);
    LitheLayout *layout = &recording->layout;
    layout->scene = lithe_hdf5_get_text(context, file, "scene");
    layout->title = lithe_hdf5_get_text(context, file, "title");
    layout->version = lithe_hdf5_get_text(context, file, "lithe");
    lithe_hdf5_get_number(file, "end", &layout->end);
    if (!layout->scene || !layout->title || !layout->version)
        return lithe_recording_fail_damaged(recording, "scene", error);

    LitheJournalEnd *end = &recording->end;
    end->complete = whole(file, "complete") == 1;
    lithe_hdf5_get_number(file, "time_reached", &end->time);
    for (const LitheTotal *total = lithe_totals; total->name; total++) {
        double number = 0;
        lithe_hdf5_get_number(file, total->name, &number);
        lithe_total_set(total, number, &end->totals);
    }
    char *first = lithe_hdf5_get_text(context, file, "topology_first");
    snprintf(end->totals.topology_first, sizeof end->totals.topology_first, "%s",
             first ? first : "");
    lithe_free(context, first);
    LitheSchemeTotals *scheme = &end->totals.scheme;
    lithe_hdf5_get_number(file, "step", &scheme->step);
    char *word = lithe_hdf5_get_text(context, file, "scheme");
    snprintf(scheme->scheme, sizeof scheme->scheme, "%s", word ? word : "");
    lithe_free(context, word);
    for (int i = 0; i < LITHE_LIMIT_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "limited_by_%s", lithe_step_limit_name((LitheStepLimit)i));
        end->totals.limits[i] = whole(file, name);
    }
    char *hash = lithe_hdf5_get_text(context, file, "hash");
    if (hash)
        end->hash = strtoull(hash, NULL, 16);
    lithe_free(context, hash);
    char *stopped = lithe_hdf5_get_text(context, file, "stopped");
    snprintf(end->reason, sizeof end->reason, "%s", stopped ? stopped : "");
    lithe_free(context, stopped);
    return LITHE_OK;
}

static LitheStatus read_all(LitheRecording *recording, LitheError *error) {
    hid_t file = (hid_t)recording->file;
    LitheStatus status = read_head(recording, file, error);
    char *path = lithe_alloc(recording->context, (size_t)DEPTH_MAX * LITHE_RECORDING_NAME_BYTES);
    if (status == LITHE_OK && !path)
        status = lithe_fail_memory(error, "a recording");
    if (status == LITHE_OK)
        status = add_group(recording, file, &(Walk){.path = path}, error);
    lithe_free(recording->context, path);
    if (status == LITHE_OK)
        status = lithe_recording_find_drawn(recording, error);
    return status;
}

static LitheStatus read_times(LitheRecording *recording, LitheError *error) {
    const LitheColumn *time = lithe_layout_find(&recording->layout, "time");
    if (!time || time->offset < 0 || time->rank != 0)
        return lithe_recording_fail_damaged(recording, "time", error);
    recording->times =
        lithe_alloc_array(recording->context, recording->frame_count, sizeof(double));
    if (!recording->times)
        return lithe_fail_memory(error, "the times of a recording");
    return lithe_recording_read(recording, time, 0, recording->frame_count, recording->times,
                                error);
}

static LitheRecording *create(LitheContext *context, const char *path) {
    LitheRecording *made = lithe_alloc(context, sizeof *made);
    char *copy = lithe_alloc_text(context, path);
    if (!made || !copy) {
        lithe_free(context, made);
        lithe_free(context, copy);
        return NULL;
    }
    *made = (LitheRecording){.context = context,
                             .path = copy,
                             .file = -1,
                             .layout = {.context = context},
                             .frame_count = -1};
    return made;
}

LitheStatus lithe_recording_of_layout(const char *name, LitheLayout *layout,
                                      LitheRecording **recording, LitheError *error) {
    LitheRecording *made = create(layout->context, name);
    if (!made)
        return lithe_fail_memory(error, "a recording");
    made->frame_count = 0;
    made->layout = *layout;
    LitheStatus status = lithe_recording_find_drawn(made, error);
    if (status == LITHE_OK) {
        *layout = (LitheLayout){.context = layout->context};
        *recording = made;
    } else {
        made->layout = (LitheLayout){.context = layout->context};
        lithe_recording_close(made);
    }
    return status;
}

LitheStatus lithe_recording_open(LitheContext *context, const char *path,
                                 LitheRecording **recording, LitheError *error) {
    LitheRecording *made = create(context, path);
    if (!made)
        return lithe_fail_memory(error, "a recording");
    LitheHdf5Quiet quiet = lithe_hdf5_begin();
    LitheHdf5Source source = {.file = -1};
    LitheStatus status = lithe_hdf5_open(context, path, &source, error);
    made->file = source.file;
    made->source = source.source;
    if (status == LITHE_OK)
        status = read_all(made, error);
    lithe_hdf5_end(quiet);
    if (status == LITHE_OK)
        status = read_times(made, error);
    if (status != LITHE_OK) {
        lithe_recording_close(made);
        return status;
    }
    *recording = made;
    return LITHE_OK;
}

LitheStatus lithe_recording_check_output(const LitheRecording *recording, const char *path,
                                         LitheError *error) {
    if (!lithe_file_same(recording->path, path))
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "%s: is the recording itself (%s), and an input is never overwritten: give "
                      "the output another name",
                      path, recording->path);
}

void lithe_recording_close(LitheRecording *recording) {
    if (!recording)
        return;
    if (recording->file >= 0) {
        LitheHdf5Quiet quiet = lithe_hdf5_begin();
        lithe_hdf5_close(
            &(LitheHdf5Source){.file = (hid_t)recording->file, .source = recording->source});
        lithe_hdf5_end(quiet);
    }
    LitheContext *context = recording->context;
    lithe_recording_release_drawn(recording);
    lithe_recording_release_frames(context, recording->frames);
    lithe_free(context, recording->times);
    lithe_layout_release(&recording->layout);
    lithe_free(context, recording->path);
    lithe_free(context, recording);
}

// --- reading -------------------------------------------------------------------------------------

static LitheStatus read_places(LitheRecording *recording, const LitheColumn *column, bool of_rows,
                               int64_t first, int64_t count, double *out, LitheError *error) {
    int64_t all = of_rows ? recording->row_total : recording->frame_count;
    if (column->offset < 0 || first < 0 || count < 0 || first > all - count)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: '%s' has %lld %s, requested %lld to %lld",
                          recording->path, column->path, (long long)all,
                          of_rows ? "rows" : "frames", (long long)first,
                          (long long)(first + count - 1));
    if (count == 0)
        return LITHE_OK;
    if (recording->frames)
        return lithe_recording_read_frames(recording, column, of_rows, first, count, out, error);
    hsize_t start[3] = {(hsize_t)first, 0, 0};
    hsize_t size[3] = {(hsize_t)count, (hsize_t)column->dims[0], (hsize_t)column->dims[1]};
    LitheHdf5Quiet quiet = lithe_hdf5_begin();
    hid_t set = H5Dopen2((hid_t)recording->file, column->path, H5P_DEFAULT);
    hid_t there = set >= 0 ? H5Dget_space(set) : -1;
    hid_t here = H5Screate_simple(column->rank + 1, size, NULL);
    bool fine = there >= 0 && here >= 0 &&
                H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dread(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, out) >= 0;
    if (here >= 0)
        H5Sclose(here);
    if (there >= 0)
        H5Sclose(there);
    if (set >= 0)
        H5Dclose(set);
    lithe_hdf5_end(quiet);
    return fine ? LITHE_OK : lithe_recording_fail_damaged(recording, column->path, error);
}

LitheStatus lithe_recording_read(LitheRecording *recording, const LitheColumn *column,
                                 int64_t first, int64_t count, double *out, LitheError *error) {
    return read_places(recording, column, false, first, count, out, error);
}

LitheStatus lithe_recording_read_rows(LitheRecording *recording, const LitheColumn *column,
                                      int64_t first, int64_t count, double *out,
                                      LitheError *error) {
    return read_places(recording, column, true, first, count, out, error);
}

LitheStatus lithe_recording_contacts(LitheRecording *recording, int64_t frame, int64_t *first,
                                     int64_t *count, LitheError *error) {
    static const char *const paths[2] = {"contacts/first", "contacts/count"};
    double found[2] = {0, 0};
    for (int k = 0; k < 2 && recording->layout.contact_column_count > 0; k++) {
        const LitheColumn *column = lithe_layout_find(&recording->layout, paths[k]);
        if (!column || column->rank != 0)
            return lithe_recording_fail_damaged(recording, paths[k], error);
        LitheStatus status = lithe_recording_read(recording, column, frame, 1, &found[k], error);
        if (status != LITHE_OK)
            return status;
    }
    // both columns have an integer type, so that the values are whole
    double all = (double)recording->row_total;
    if (!(found[0] >= 0 && found[1] >= 0 && found[0] <= all && found[1] <= all - found[0]))
        return lithe_recording_fail_damaged(recording, paths[0], error);
    *first = (int64_t)found[0];
    *count = (int64_t)found[1];
    return LITHE_OK;
}

LitheStatus lithe_recording_frame_at(const LitheRecording *recording, double time, int64_t *frame,
                                     LitheError *error) {
    const double *t = recording->times;
    int64_t n = recording->frame_count, best = 0;
    if (n == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: has no frames", recording->path);
    double first = t[0], last = t[0], interval = 0;
    for (int64_t i = 1; i < n; i++) {
        if (fabs(t[i] - time) < fabs(t[best] - time))
            best = i;
        first = fmin(first, t[i]);
        last = fmax(last, t[i]);
        interval = fmax(interval, t[i] - t[i - 1]);
    }
    // the factor allows for rounding
    if (!(fabs(t[best] - time) <= 0.5 * interval * (1 + 1e-9) + 1e-9 * fabs(time)))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: the time is %g s, the recording has %g to %g s", recording->path,
                          time, first, last);
    *frame = best;
    return LITHE_OK;
}
