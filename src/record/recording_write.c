// SPDX-License-Identifier: Apache-2.0
// record/recording_write.c - journal to HDF5, in blocks of frames

#include "record/recording.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"
#include "record/equal_constants.h"
#include "record/equal_groups.h"
#include "record/hdf5_file.h"
#include "record/totals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// frames are moved in blocks of about this size: large enough for fast writes, small compared with
// the memory of a run
#define BLOCK_BYTES ((int64_t)4 << 20)
// libhdf5 clears its buffer for conversions to integers at every write: 1 MB by default, which
// costs more than all else for the short columns of a small scene
#define CONVERSION_BYTES ((size_t)1 << 14)

// attributes of datasets are texts of a few lengths: the types of those below this are made once
enum { KEPT_LENGTHS = 64 };

// in place of a dataset: a constant that gets further names
enum { NAMED_AGAIN = -2 };
// groups within each other, at most, as in record/recording.c
enum { MAX_DEPTH = 64 };

typedef struct Writer {
    LitheJournal *journal;
    hid_t file;
    hid_t groups;              // creation properties of groups
    hid_t creation;            // those of datasets
    hid_t transfer;            // properties of writes
    hid_t scalar;              // space of one value
    hid_t texts[KEPT_LENGTHS]; // types of texts by length; 0: not made yet
    hid_t open[MAX_DEPTH];     // groups of `path`, from the outermost one
    int32_t depth;             // their number
    char path[1024];           // of the group that was last written to
    int64_t block;             // frames per block
    double *frames;            // [block][frame_size]
    double *column;            // [block][largest column]
    hid_t *sets;               // [column_count] of frame columns and of constants with several
                               // names, else -1; then those of rows
    int32_t *same;             // [column_count] first constant that is equal, else itself
    LitheOrdered *ordered;     // all columns in the order of their paths
    hid_t source;              // the group that got a second name last; < 0: none
    int32_t source_first;      // entry of `ordered` where it starts
    int32_t source_length;     // length of its path
    double *rows;              // [row_capacity][row_size] that are to be written
    int64_t row_capacity, row_count;
    int64_t row_block; // rows whose widest column fits into `column`
    int64_t row_first; // index in the recording of the first row in `rows`
} Writer;

// --- heads ---------------------------------------------------------------------------------------

static bool put_head(hid_t file, const LitheJournal *journal) {
    const LitheLayout *layout = &journal->layout;
    bool fine = lithe_hdf5_put_text(file, "format", "lithe recording") &&
                lithe_hdf5_put_number(file, "format_version", H5T_STD_I32LE, 1) &&
                lithe_hdf5_put_text(file, "lithe", layout->version) &&
                lithe_hdf5_put_text(file, "title", layout->title) &&
                lithe_hdf5_put_text(file, "scene", layout->scene) &&
                lithe_hdf5_put_number(file, "end", H5T_IEEE_F64LE, layout->end) &&
                lithe_hdf5_put_number(file, "complete", H5T_STD_I32LE,
                                      journal->ended && journal->end.complete);
    if (!fine || !journal->ended)
        return fine;
    const LitheJournalEnd *end = &journal->end;
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)end->hash);
    fine = lithe_hdf5_put_text(file, "hash", hash) &&
           lithe_hdf5_put_number(file, "time_reached", H5T_IEEE_F64LE, end->time);
    const LitheTotal *total = lithe_totals;
    for (; fine && total->name && total->whole; total++)
        fine = lithe_hdf5_put_number(file, total->name, H5T_STD_I64LE,
                                     lithe_total_get(total, &end->totals));
    for (int i = 0; fine && i < LITHE_LIMIT_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "limited_by_%s", lithe_step_limit_name((LitheStepLimit)i));
        fine = lithe_hdf5_put_number(file, name, H5T_STD_I64LE, (double)end->totals.limits[i]);
    }
    for (; fine && total->name; total++)
        fine = lithe_hdf5_put_number(file, total->name, H5T_IEEE_F64LE,
                                     lithe_total_get(total, &end->totals));
    if (fine && *end->totals.scheme.scheme)
        fine = lithe_hdf5_put_text(file, "scheme", end->totals.scheme.scheme) &&
               lithe_hdf5_put_number(file, "step", H5T_IEEE_F64LE, end->totals.scheme.step);
    if (fine && end->totals.topology_changes > 0)
        fine = lithe_hdf5_put_text(file, "topology_first", end->totals.topology_first);
    if (fine && !end->complete)
        fine = lithe_hdf5_put_text(file, "stopped", end->reason);
    return fine;
}

static hid_t column_type(const LitheColumn *column) {
    switch (column->kind) {
    case LITHE_COLUMN_REAL:
        return H5Tcopy(H5T_IEEE_F64LE);
    case LITHE_COLUMN_INTEGER:
        return H5Tcopy(H5T_STD_I64LE);
    case LITHE_COLUMN_TEXT:
        break;
    }
    return lithe_hdf5_text_type(strlen(column->text));
}

// A text attribute of a dataset.
static bool put_note(Writer *writer, hid_t set, const char *name, const char *text) {
    size_t length = strlen(text);
    if (length >= KEPT_LENGTHS)
        return lithe_hdf5_put_text(set, name, text);
    hid_t *type = &writer->texts[length];
    if (*type <= 0)
        *type = lithe_hdf5_text_type(length);
    return *type > 0 && lithe_hdf5_put(set, name, *type, writer->scalar, *type, text);
}

static void close_groups(Writer *writer, int32_t depth) {
    while (writer->depth > depth)
        H5Gclose(writer->open[--writer->depth]);
}

// Groups at the front of a path that are open already; `at`: where the next name starts.
static int32_t common_groups(const Writer *writer, const char *path, size_t length, size_t *at) {
    const char *open = writer->path;
    int32_t depth = 0;
    *at = 0;
    for (size_t i = 0; depth < writer->depth; i++) {
        bool end = i == length || path[i] == '/', open_end = !open[i] || open[i] == '/';
        if (end && open_end) {
            depth++;
            *at = i < length ? i + 1 : length;
        }
        if (i == length || !open[i] || path[i] != open[i])
            break;
    }
    return depth;
}

// Opens all groups of a path, and creates those that are missing. libhdf5 follows a path name by
// name from where it starts: from the group around, it takes one.
static bool make_groups(Writer *writer, const char *path, size_t length) {
    if (length >= sizeof writer->path)
        return false;
    size_t at;
    close_groups(writer, common_groups(writer, path, length, &at));
    memcpy(writer->path, path, length);
    writer->path[length] = '\0';
    while (at < length) {
        char *name = writer->path + at, *slash = strchr(name, '/');
        hid_t around = writer->depth > 0 ? writer->open[writer->depth - 1] : writer->file;
        if (writer->depth == MAX_DEPTH)
            return false;
        if (slash)
            *slash = '\0';
        // columns of one thing usually follow each other: most groups are new
        hid_t group = H5Gcreate2(around, name, H5P_DEFAULT, writer->groups, H5P_DEFAULT);
        if (group < 0)
            group = H5Gopen2(around, name, H5P_DEFAULT);
        at += strlen(name) + 1;
        if (slash)
            *slash = '/';
        if (group < 0)
            return false;
        writer->open[writer->depth++] = group;
    }
    return true;
}

// The group of a dataset, and its name there; negative on failure. Columns of one thing follow
// each other: usually their group is open.
static hid_t place_of(Writer *writer, const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (!slash)
        return writer->file;
    size_t length = (size_t)(slash - path);
    bool open = writer->depth > 0 && strlen(writer->path) == length &&
                memcmp(writer->path, path, length) == 0;
    return open || make_groups(writer, path, length) ? writer->open[writer->depth - 1] : -1;
}

// The dataset of a column with its attributes, still empty; negative on failure. Its size is
// known, so that it is contiguous: there is no index of chunks that could be damaged.
static hid_t make_set(Writer *writer, const LitheColumn *column) {
    hsize_t dims[3];
    int rank = 0;
    bool row = strncmp(column->axes, "contact", 7) == 0;
    if (column->offset >= 0)
        dims[rank++] = (hsize_t)(row ? writer->journal->row_total : writer->journal->frames);
    for (int32_t i = 0; i < column->rank; i++)
        dims[rank++] = (hsize_t)column->dims[i];
    hid_t space = rank > 0 ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    hid_t type = column_type(column);
    const char *name;
    hid_t set = -1, place = place_of(writer, column->path, &name);
    if (place >= 0 && space >= 0 && type >= 0)
        set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, writer->creation, H5P_DEFAULT);
    if (set >= 0 && (!put_note(writer, set, "unit", column->unit) ||
                     !put_note(writer, set, "axes", column->axes))) {
        H5Dclose(set);
        set = -1;
    }
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return set;
}

// The dataset stays open; negative on failure.
static hid_t write_constant(Writer *writer, const LitheColumn *column) {
    hid_t set = make_set(writer, column);
    if (set < 0)
        return -1;
    hid_t type =
        column->kind == LITHE_COLUMN_TEXT ? column_type(column) : H5Tcopy(H5T_NATIVE_DOUBLE);
    const void *values = column->kind == LITHE_COLUMN_TEXT ? (const void *)column->text
                                                           : (const void *)column->values;
    bool fine = type >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, writer->transfer, values) >= 0;
    if (type >= 0)
        H5Tclose(type);
    if (fine)
        return set;
    H5Dclose(set);
    return -1;
}

// A second name of a dataset: bodies of one shape, as the disks of an arm, have many equal
// constants, and a dataset takes libhdf5 many times as long as a name.
static bool link_constant(Writer *writer, const LitheColumn *column, hid_t first) {
    const char *name;
    hid_t place = place_of(writer, column->path, &name);
    return place >= 0 && H5Olink(first, place, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

// Constants with further names stay open: links to an open dataset need no search of its path.
static bool make_constant(Writer *writer, const LitheColumn *column, hid_t *kept) {
    bool named_again = *kept == NAMED_AGAIN;
    hid_t set = write_constant(writer, column);
    *kept = named_again ? set : -1;
    return set >= 0 && (named_again || H5Dclose(set) >= 0);
}

// The path of the group at the front of the path of a column.
static bool group_path(const LitheOrdered *entry, int32_t length, char *path, size_t size) {
    if ((size_t)length >= size)
        return false;
    memcpy(path, entry->path, (size_t)length);
    path[length] = '\0';
    return true;
}

// Opens the group that gets a second name: usually the same as the last time.
static bool open_source(Writer *writer, int32_t first, int32_t length) {
    if (writer->source >= 0 && writer->source_first == first && writer->source_length == length)
        return true;
    char path[sizeof writer->path];
    if (writer->source >= 0)
        H5Gclose(writer->source);
    writer->source = group_path(&writer->ordered[first], length, path, sizeof path)
                         ? H5Gopen2(writer->file, path, H5P_DEFAULT)
                         : -1;
    writer->source_first = first;
    writer->source_length = length;
    return writer->source >= 0;
}

// A second name of a group: one name in place of a group with a name for each of its constants.
static bool link_group(Writer *writer, const LitheOrdered *entry) {
    char path[sizeof writer->path];
    const char *name;
    if (!open_source(writer, entry->first, entry->first_length) ||
        !group_path(entry, entry->length, path, sizeof path))
        return false;
    hid_t place = place_of(writer, path, &name);
    return place >= 0 && H5Olink(writer->source, place, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

// the number of the column whose dataset a column is a second name of, else its own one
static int32_t first_of(const Writer *writer, int32_t column) {
    return column < writer->journal->layout.column_count ? writer->same[column] : column;
}

static bool make_column(Writer *writer, int32_t number) {
    const LitheLayout *layout = &writer->journal->layout;
    const LitheColumn *column = number < layout->column_count
                                    ? &layout->columns[number]
                                    : &layout->contact_columns[number - layout->column_count];
    hid_t *set = &writer->sets[number], *first = &writer->sets[first_of(writer, number)];
    if (*first >= 0)
        return link_constant(writer, column, *first);
    if (column->offset < 0)
        return make_constant(writer, column, first);
    *set = make_set(writer, column);
    return *set >= 0;
}

// Group by group: the groups of a column are usually open.
static bool make_sets(Writer *writer, const LitheHdf5Sink *sink) {
    const LitheLayout *layout = &writer->journal->layout;
    int32_t count = layout->column_count + layout->contact_column_count;
    bool fine = put_head(writer->file, writer->journal);
    for (int32_t i = 0; i < count; i++) {
        const LitheOrdered *entry = &writer->ordered[i];
        int32_t first = first_of(writer, entry->column);
        if (entry->count > 0)
            i += entry->count - 1;
        else if (first != entry->column)
            writer->sets[first] = NAMED_AGAIN;
    }
    for (int32_t i = 0; fine && !sink->reason && i < count; i++) {
        const LitheOrdered *entry = &writer->ordered[i];
        fine = entry->count > 0 ? link_group(writer, entry) : make_column(writer, entry->column);
        i += entry->count > 0 ? entry->count - 1 : 0;
    }
    return fine && !sink->reason;
}

// --- frames --------------------------------------------------------------------------------------

// Writes entries first .. first + count - 1 of one column, from `from` [count][stride].
static bool write_places(const Writer *writer, hid_t set, const LitheColumn *column,
                         const double *from, int64_t stride, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        memcpy(writer->column + i * column->count, from + i * stride + column->offset,
               (size_t)column->count * sizeof(double));

    hsize_t start[3] = {(hsize_t)first, 0, 0};
    hsize_t size[3] = {(hsize_t)count, (hsize_t)column->dims[0], (hsize_t)column->dims[1]};
    hid_t there = H5Dget_space(set);
    hid_t here = H5Screate_simple(column->rank + 1, size, NULL);
    bool fine =
        there >= 0 && here >= 0 &&
        H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
        H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, writer->transfer, writer->column) >= 0;
    if (there >= 0)
        H5Sclose(there);
    if (here >= 0)
        H5Sclose(here);
    return fine;
}

// Writes the stored rows in blocks.
static bool flush_rows(Writer *writer) {
    const LitheLayout *layout = &writer->journal->layout;
    bool fine = true;
    for (int64_t at = 0; at < writer->row_count; at += writer->row_block) {
        int64_t count = writer->row_count - at;
        if (count > writer->row_block)
            count = writer->row_block;
        for (int32_t i = 0; fine && i < layout->contact_column_count; i++)
            fine = write_places(writer, writer->sets[layout->column_count + i],
                                &layout->contact_columns[i], writer->rows + at * layout->row_size,
                                layout->row_size, writer->row_first + at, count);
    }
    writer->row_first += writer->row_count;
    writer->row_count = 0;
    return fine;
}

// Stores the rows of the last frame read. False when out of memory, or when stored rows could not
// be written.
static bool keep_rows(Writer *writer, bool *memory) {
    const LitheJournal *journal = writer->journal;
    int64_t more = journal->row_count, size = journal->layout.row_size;
    if (more == 0)
        return true;
    if (writer->row_count + more > writer->row_capacity && !flush_rows(writer))
        return false;
    if (more > writer->row_capacity) {
        double *rows = lithe_alloc_array(journal->context, more * size, sizeof(double));
        *memory = rows != NULL;
        if (!rows)
            return false;
        lithe_free(journal->context, writer->rows);
        writer->rows = rows;
        writer->row_capacity = more;
    }
    memcpy(writer->rows + writer->row_count * size, journal->rows,
           (size_t)(more * size) * sizeof(double));
    writer->row_count += more;
    return true;
}

static LitheStatus write_frames(Writer *writer, const LitheHdf5Sink *sink, bool *fine,
                                LitheError *error) {
    LitheJournal *journal = writer->journal;
    int64_t cursor = 0;
    bool memory = true;
    for (int64_t first = 0; first < journal->frames; first += writer->block) {
        int64_t count = journal->frames - first;
        if (count > writer->block)
            count = writer->block;
        for (int64_t i = 0; i < count; i++) {
            LitheStatus status = lithe_journal_read(
                journal, &cursor, writer->frames + i * journal->layout.frame_size, error);
            if (status != LITHE_OK)
                return status;
            *fine = *fine && keep_rows(writer, &memory);
            if (!memory)
                return lithe_fail_memory(error, "a recording");
        }
        for (int32_t i = 0; *fine && i < journal->layout.column_count; i++)
            if (journal->layout.columns[i].offset >= 0)
                *fine = write_places(writer, writer->sets[i], &journal->layout.columns[i],
                                     writer->frames, journal->layout.frame_size, first, count) &&
                        !sink->reason;
        if (!*fine)
            return LITHE_OK;
    }
    *fine = *fine && flush_rows(writer) && !sink->reason;
    return LITHE_OK;
}

// --- the whole -----------------------------------------------------------------------------------

static bool allocate_buffers(Writer *writer) {
    const LitheLayout *layout = &writer->journal->layout;
    LitheContext *context = writer->journal->context;
    int64_t frame_bytes = layout->frame_size * (int64_t)sizeof(double);
    int64_t max = frame_bytes > 0 ? BLOCK_BYTES / frame_bytes : 1;
    if (max < 1)
        max = 1;
    writer->block = writer->journal->frames < max ? writer->journal->frames : max;

    int64_t widest = 1;
    for (int32_t i = 0; i < layout->column_count; i++)
        if (layout->columns[i].offset >= 0 && layout->columns[i].count > widest)
            widest = layout->columns[i].count;
    writer->frames = lithe_alloc_array(context, writer->block * layout->frame_size, sizeof(double));
    int32_t sets = layout->column_count + layout->contact_column_count;
    writer->sets = lithe_alloc_array(context, sets, sizeof(hid_t));
    for (int32_t i = 0; writer->sets && i < sets; i++)
        writer->sets[i] = -1;
    writer->same = lithe_alloc_array(context, layout->column_count, sizeof *writer->same);
    writer->ordered = lithe_alloc_array(context, sets, sizeof *writer->ordered);
    int64_t capacity = writer->block * widest;
    if (writer->journal->row_total > 0) {
        // as many rows as fit into a block; a frame with more rows enlarges it
        int64_t rows = BLOCK_BYTES / (layout->row_size * (int64_t)sizeof(double));
        writer->row_capacity =
            rows < writer->journal->row_total ? rows : writer->journal->row_total;
        writer->row_block = writer->row_capacity;
        writer->rows =
            lithe_alloc_array(context, writer->row_capacity * layout->row_size, sizeof(double));
        if (capacity < 3 * writer->row_block)
            capacity = 3 * writer->row_block;
    }
    writer->column = lithe_alloc_array(context, capacity, sizeof(double));
    return writer->frames && writer->column && writer->sets && writer->same && writer->ordered &&
           (writer->rows || writer->row_capacity == 0) &&
           lithe_equal_constants(layout, writer->same) &&
           lithe_equal_groups(layout, writer->same, writer->ordered);
}

static bool make_shared(Writer *writer) {
    writer->groups = H5Pcreate(H5P_GROUP_CREATE);
    writer->creation = H5Pcreate(H5P_DATASET_CREATE);
    writer->transfer = H5Pcreate(H5P_DATASET_XFER);
    writer->scalar = H5Screate(H5S_SCALAR);
    // no time stamps: equal runs make equal files; no fill values: every value is written
    return writer->groups >= 0 && writer->creation >= 0 && writer->transfer >= 0 &&
           writer->scalar >= 0 && H5Pset_obj_track_times(writer->groups, false) >= 0 &&
           H5Pset_obj_track_times(writer->creation, false) >= 0 &&
           H5Pset_fill_time(writer->creation, H5D_FILL_TIME_NEVER) >= 0 &&
           H5Pset_buffer(writer->transfer, CONVERSION_BYTES, NULL, NULL) >= 0;
}

static void close_shared(const Writer *writer) {
    const hid_t all[] = {writer->groups, writer->creation, writer->transfer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            H5Pclose(all[i]);
    if (writer->scalar >= 0)
        H5Sclose(writer->scalar);
    for (int i = 0; i < KEPT_LENGTHS; i++)
        if (writer->texts[i] > 0)
            H5Tclose(writer->texts[i]);
}

static LitheStatus write_file(Writer *writer, LitheHdf5Sink *sink, const char *path,
                              LitheError *error) {
    writer->file = lithe_hdf5_create(sink);
    if (writer->file < 0 && sink->reason == ENOMEM)
        return lithe_fail_memory(error, "a recording");
    bool fine = make_shared(writer) && writer->file >= 0 && make_sets(writer, sink);
    LitheStatus status = LITHE_OK;
    if (fine)
        status = write_frames(writer, sink, &fine, error);

    // closes everything in any case
    const LitheLayout *layout = &writer->journal->layout;
    for (int32_t i = 0; i < layout->column_count + layout->contact_column_count; i++)
        if (writer->sets[i] >= 0)
            fine = H5Dclose(writer->sets[i]) >= 0 && fine;
    close_groups(writer, 0);
    if (writer->source >= 0)
        H5Gclose(writer->source);
    close_shared(writer);
    fine = lithe_hdf5_finish(sink, writer->file) && fine;
    if (status != LITHE_OK || fine)
        return status;
    if (sink->reason == ENOMEM)
        return lithe_fail_memory(error, "a recording");
    if (sink->reason)
        return lithe_disk_fail(error, path, "write", sink->reason);
    return lithe_hdf5_refuse(path, error);
}

// The inputs of a user become a constant, now that all are known.
static LitheStatus add_inputs(LitheJournal *journal, LitheError *error) {
    const int64_t dims[2] = {journal->input_count, LITHE_INPUT_SIZE};
    if (journal->input_count == 0 || lithe_layout_find(&journal->layout, "inputs/events"))
        return LITHE_OK;
    return lithe_layout_add_constant(&journal->layout, "inputs/events", "1", "event number",
                                     LITHE_COLUMN_REAL, 2, dims, journal->inputs, error);
}

LitheStatus lithe_recording_write(LitheJournal *journal, const char *path, LitheError *error) {
    LitheContext *context = journal->context;
    Writer writer = {.journal = journal, .source = -1};
    LitheFileReplace replace = {0};
    LitheStatus status = add_inputs(journal, error);
    if (status == LITHE_OK && !allocate_buffers(&writer))
        status = lithe_fail_memory(error, "a recording");
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(context, path, &replace, error);
    if (status == LITHE_OK && !replace.temporary)
        status = lithe_fail(error, LITHE_FILE_ERROR,
                            "%s: a recording must be a regular file, not a device", path);
    if (status == LITHE_OK) {
        LitheHdf5Sink sink = {.context = context, .driver = -1, .fd = fileno(replace.file)};
        LitheHdf5Quiet quiet = lithe_hdf5_begin();
        status = write_file(&writer, &sink, path, error);
        lithe_hdf5_end(quiet);
    }
    if (status == LITHE_OK)
        status = lithe_journal_lock(journal, error);
    if (status == LITHE_OK)
        status = lithe_file_replace_commit(&replace, error);
    else
        lithe_file_replace_abort(&replace);
    lithe_free(context, writer.frames);
    lithe_free(context, writer.column);
    lithe_free(context, writer.rows);
    lithe_free(context, writer.sets);
    lithe_free(context, writer.same);
    lithe_free(context, writer.ordered);
    return status;
}
