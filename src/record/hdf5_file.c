// SPDX-License-Identifier: Apache-2.0
// record/hdf5_file.c - file drivers: one that never fails to write, one that checks what it reads;
// attributes

#include "record/hdf5_file.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"
#include "record/sums.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// since 1.14 drivers have a separate header
#if defined(__has_include)
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#endif

// libhdf5 has global state and is not thread-safe in some builds: one lock per process guards all
// calls
static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

static atomic_bool refused;

LitheStatus lithe_hdf5_refuse(const char *path, LitheError *error) {
    atomic_store(&refused, true);
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write: libhdf5 refused", path);
}

bool lithe_hdf5_refused(void) {
    return atomic_load(&refused);
}

// libhdf5 crashes where it finds no memory at its first call, or for the caches of a file (2 MB):
// it is called only where there is more.
static bool has_room(void) {
    void *volatile room = malloc((size_t)8 << 20); // volatile: a compiler may not leave it out
    free(room);
    return room != NULL;
}

LitheHdf5Quiet lithe_hdf5_begin(void) {
    pthread_mutex_lock(&hdf5_lock);
    LitheHdf5Quiet quiet = {.skipped = !has_room()};
    if (quiet.skipped)
        return quiet;
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void lithe_hdf5_end(LitheHdf5Quiet quiet) {
    if (!quiet.skipped) {
        H5Eclear2(H5E_DEFAULT);
        H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.user);
    }
    pthread_mutex_unlock(&hdf5_lock);
}

// --- the driver that writes ----------------------------------------------------------------------

typedef struct SinkFile {
    H5FD_t public; // must come first
    LitheHdf5Sink *sink;
    haddr_t allocated; // end of what libhdf5 has allocated
    haddr_t size;      // end of the written bytes
} SinkFile;

static H5FD_t *sink_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
    (void)name, (void)flags, (void)maxaddr;
    LitheHdf5Sink *const *info = H5Pget_driver_info(fapl);
    SinkFile *file = info ? lithe_alloc((*info)->context, sizeof *file) : NULL;
    if (file)
        file->sink = *info;
    else if (info)
        (*info)->reason = ENOMEM;
    return (H5FD_t *)file;
}

static herr_t sink_close(H5FD_t *base) {
    SinkFile *file = (SinkFile *)base;
    lithe_free(file->sink->context, file);
    return 0;
}

static herr_t sink_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t sink_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const SinkFile *)base)->allocated;
}

static herr_t sink_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((SinkFile *)base)->allocated = address;
    return 0;
}

static haddr_t sink_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const SinkFile *)base)->size;
}

static herr_t sink_read(H5FD_t *base, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                        void *buffer) {
    (void)type, (void)dxpl;
    SinkFile *file = (SinkFile *)base;
    // bytes beyond the end are zero
    memset(buffer, 0, size);
    haddr_t there = address < file->size ? file->size - address : 0;
    if (there > size)
        there = size;
    if (there > 0 && !file->sink->reason &&
        !lithe_disk_read(file->sink->fd, (int64_t)address, buffer, (int64_t)there))
        file->sink->reason = errno;
    return 0;
}

static herr_t sink_write(H5FD_t *base, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                         const void *buffer) {
    (void)type, (void)dxpl;
    SinkFile *file = (SinkFile *)base;
    if (!file->sink->reason &&
        !lithe_disk_write(file->sink->fd, (int64_t)address, buffer, (int64_t)size))
        file->sink->reason = errno ? errno : EIO;
    if (address + size > file->size)
        file->size = address + size;
    return 0;
}

static herr_t sink_truncate(H5FD_t *base, hid_t dxpl, hbool_t closing) {
    (void)dxpl, (void)closing;
    SinkFile *file = (SinkFile *)base;
    if (file->size == file->allocated)
        return 0;
    if (!file->sink->reason && ftruncate(file->sink->fd, (off_t)file->allocated) != 0)
        file->sink->reason = errno;
    file->size = file->allocated;
    return 0;
}

static H5FD_class_t sink_class(void) {
    H5FD_class_t made = {
#ifdef H5FD_CLASS_VERSION
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)600, // free for any use
#endif
        .name = "lithe_sink",
        .maxaddr = ((haddr_t)1 << 62) - 1,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(LitheHdf5Sink *),
        .open = sink_open,
        .close = sink_close,
        .query = sink_query,
        .get_eoa = sink_get_eoa,
        .set_eoa = sink_set_eoa,
        .get_eof = sink_get_eof,
        .read = sink_read,
        .write = sink_write,
        .truncate = sink_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    return made;
}

// No time stamps, not even in the root group. The format is that of HDF5 1.8: all current readers
// support it, and its headers have checksums, so that libhdf5 refuses a damaged file (with the
// older format it can crash).
static hid_t create_with(LitheHdf5Sink *sink, hid_t creation, hid_t access) {
    if (sink->driver < 0 || creation < 0 || access < 0 ||
        H5Pset_obj_track_times(creation, false) < 0 ||
        H5Pset_driver(access, sink->driver, &sink) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0)
        return -1;
    return H5Fcreate("recording", H5F_ACC_TRUNC, creation, access);
}

hid_t lithe_hdf5_create(LitheHdf5Sink *sink) {
    if (!has_room()) {
        sink->reason = ENOMEM;
        return -1;
    }
    H5FD_class_t driver_class = sink_class();
    sink->driver = H5FDregister(&driver_class);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = create_with(sink, creation, access);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    return file;
}

bool lithe_hdf5_finish(LitheHdf5Sink *sink, hid_t file) {
    bool fine = file >= 0 && H5Fclose(file) >= 0;
    if (sink->driver >= 0)
        H5FDunregister(sink->driver);
    sink->driver = -1;
    struct stat made;
    if (fine && sink->reason == 0)
        sink->reason = fstat(sink->fd, &made) == 0
                           ? lithe_sums_append(sink->context, sink->fd, (int64_t)made.st_size)
                           : errno;
    return fine && sink->reason == 0;
}

// Fails with the reason why a file could not be opened: missing, not HDF5, or damaged.
static LitheStatus fail_open(LitheContext *context, const char *path, LitheError *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool missing = errno == ENOENT;
        // an interrupted run has left its journal there
        char *journal = lithe_disk_beside(context, path, ".journal");
        bool stopped = missing && journal && access(journal, F_OK) == 0;
        lithe_free(context, journal);
        return lithe_fail(error, LITHE_FILE_ERROR,
                          stopped ? "%s: not there yet, only the journal of its run: `lithe "
                                    "resume` finishes the run, `lithe recover` keeps what there is"
                                  : "%s: cannot read: no such file or no permission",
                          path);
    }
    unsigned char head[8] = {0};
    struct stat file;
    bool regular = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
    bool full = regular && lithe_disk_read(fd, 0, head, (int64_t)sizeof head);
    close(fd);
    if (full && memcmp(head, "\x89HDF\r\n\x1a\n", 8) == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: a damaged or cut off HDF5 file", path);
    return lithe_fail(error, LITHE_BAD_INPUT,
                      regular ? "%s: not a recording (HDF5 file); lithe run makes one of a scene"
                              : "%s: not a recording: a folder, pipe or device",
                      path);
}

// --- the driver that reads -----------------------------------------------------------------------

typedef struct SourceFile {
    H5FD_t public; // must come first
    LitheContext *context;
    int fd;
    LitheSums sums;
    haddr_t allocated; // end of the HDF5 file as it states itself
    hid_t driver;      // libhdf5 uses it until the file is closed
} SourceFile;

static void source_release(SourceFile *file) {
    if (file->driver >= 0)
        H5FDunregister(file->driver);
    lithe_sums_release(&file->sums);
    close(file->fd);
    lithe_free(file->context, file);
}

static H5FD_t *source_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
    (void)name, (void)flags, (void)maxaddr;
    SourceFile *const *info = H5Pget_driver_info(fapl);
    return info ? (H5FD_t *)*info : NULL;
}

// Does nothing: the caller of H5Fopen releases the source, also when H5Fopen fails.
static herr_t source_close(H5FD_t *base) {
    (void)base;
    return 0;
}

static haddr_t source_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const SourceFile *)base)->allocated;
}

static herr_t source_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((SourceFile *)base)->allocated = address;
    return 0;
}

static haddr_t source_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return (haddr_t)((const SourceFile *)base)->sums.size;
}

static herr_t source_read(H5FD_t *base, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                          void *buffer) {
    (void)type, (void)dxpl;
    SourceFile *file = (SourceFile *)base;
    // bytes beyond the end are zero
    memset(buffer, 0, size);
    haddr_t end = (haddr_t)file->sums.size, there = address < end ? end - address : 0;
    if (there > size)
        there = size;
    return lithe_sums_read(&file->sums, file->fd, (int64_t)address, buffer, (int64_t)there) ? 0
                                                                                            : -1;
}

static herr_t source_write(H5FD_t *base, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                           const void *buffer) {
    (void)base, (void)type, (void)dxpl, (void)address, (void)size, (void)buffer;
    return -1;
}

static H5FD_class_t source_class(void) {
    H5FD_class_t made = sink_class();
#ifdef H5FD_CLASS_VERSION
    made.value = (H5FD_class_value_t)601; // free for any use
#endif
    made.name = "lithe_source";
    made.fapl_size = sizeof(SourceFile *);
    made.open = source_open;
    made.close = source_close;
    made.get_eoa = source_get_eoa;
    made.set_eoa = source_set_eoa;
    made.get_eof = source_get_eof;
    made.read = source_read;
    made.write = source_write;
    made.truncate = NULL;
    return made;
}

// Opens the file itself and its checksums.
static LitheStatus open_source(LitheContext *context, const char *path, SourceFile **out,
                               LitheError *error) {
    // without blocking: a pipe of that name must not stop the program
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        if (fd >= 0)
            close(fd);
        return fail_open(context, path, error);
    }
    SourceFile *source = lithe_alloc(context, sizeof *source);
    if (!source) {
        close(fd);
        return lithe_fail_memory(error, "a recording");
    }
    source->context = context;
    source->fd = fd;
    source->driver = -1;
    int reason = lithe_sums_open(context, fd, (int64_t)file.st_size, &source->sums);
    if (reason == 0) {
        *out = source;
        return LITHE_OK;
    }
    source_release(source);
    if (reason == ENOMEM)
        return lithe_fail_memory(error, "the checksums of a recording");
    if (reason == EBADMSG)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: its table of checksums", path);
    return lithe_disk_fail(error, path, "read", reason);
}

LitheStatus lithe_hdf5_open(LitheContext *context, const char *path, LitheHdf5Source *out,
                            LitheError *error) {
    if (!has_room())
        return lithe_fail_memory(error, "a recording");
    SourceFile *source = NULL;
    LitheStatus status = open_source(context, path, &source, error);
    if (status != LITHE_OK)
        return status;
    H5FD_class_t driver_class = source_class();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    source->driver = H5FDregister(&driver_class);
    if (source->driver >= 0 && access >= 0 && H5Pset_driver(access, source->driver, &source) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (access >= 0)
        H5Pclose(access);
    // a file without checksums ends where HDF5 says; further bytes are a damaged table of checksums
    if (file >= 0 && source->sums.count == 0 && source->allocated < (haddr_t)source->sums.size) {
        H5Fclose(file);
        file = -1;
    }
    *out = (LitheHdf5Source){.file = file, .source = source};
    if (file >= 0)
        return LITHE_OK;
    lithe_hdf5_close(out);
    return fail_open(context, path, error);
}

void lithe_hdf5_close(LitheHdf5Source *source) {
    if (source->file >= 0)
        H5Fclose(source->file);
    if (source->source)
        source_release(source->source);
    *source = (LitheHdf5Source){.file = -1};
}

// --- attributes ----------------------------------------------------------------------------------

// max length; longer than the scene of any recording
#define TEXT_MAX ((size_t)1 << 30)

hid_t lithe_hdf5_text_type(size_t length) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, length > 0 ? length : 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
         H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

size_t lithe_hdf5_text_length(hid_t type) {
    if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
        return 0;
    size_t length = H5Tget_size(type);
    return length <= TEXT_MAX ? length : 0;
}

bool lithe_hdf5_put(hid_t object, const char *name, hid_t file_type, hid_t space, hid_t type,
                    const void *value) {
    hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return fine;
}

static bool put(hid_t object, const char *name, hid_t file_type, hid_t type, const void *value) {
    hid_t space = H5Screate(H5S_SCALAR);
    bool fine = lithe_hdf5_put(object, name, file_type, space, type, value);
    if (space >= 0)
        H5Sclose(space);
    return fine;
}

bool lithe_hdf5_put_text(hid_t object, const char *name, const char *text) {
    hid_t type = lithe_hdf5_text_type(strlen(text));
    bool fine = type >= 0 && put(object, name, type, type, text);
    if (type >= 0)
        H5Tclose(type);
    return fine;
}

bool lithe_hdf5_put_number(hid_t object, const char *name, hid_t file_type, double number) {
    return put(object, name, file_type, H5T_NATIVE_DOUBLE, &number);
}

// A scalar attribute; negative when there is none.
static hid_t open_attribute(hid_t object, const char *name, hid_t *type) {
    if (H5Aexists(object, name) <= 0)
        return -1;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    *type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    bool fits = *type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0)
        H5Sclose(space);
    if (!fits && *type >= 0)
        H5Tclose(*type);
    if (!fits && attribute >= 0)
        H5Aclose(attribute);
    return fits ? attribute : -1;
}

char *lithe_hdf5_get_text(LitheContext *context, hid_t object, const char *name) {
    hid_t type = -1, attribute = open_attribute(object, name, &type);
    if (attribute < 0)
        return NULL;
    size_t length = lithe_hdf5_text_length(type);
    char *text = length > 0 ? lithe_alloc(context, length + 1) : NULL;
    if (text && H5Aread(attribute, type, text) < 0) {
        lithe_free(context, text);
        text = NULL;
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

bool lithe_hdf5_get_short_text(hid_t object, const char *name, char *room, size_t size) {
    hid_t type = -1, attribute = open_attribute(object, name, &type);
    if (attribute < 0)
        return false;
    size_t length = lithe_hdf5_text_length(type);
    memset(room, 0, size);
    bool fine = length > 0 && length < size && H5Aread(attribute, type, room) >= 0;
    H5Tclose(type);
    H5Aclose(attribute);
    return fine;
}

bool lithe_hdf5_get_number(hid_t object, const char *name, double *number) {
    hid_t type = -1, attribute = open_attribute(object, name, &type);
    if (attribute < 0)
        return false;
    H5T_class_t kind = H5Tget_class(type);
    bool fine = (kind == H5T_INTEGER || kind == H5T_FLOAT) &&
                H5Aread(attribute, H5T_NATIVE_DOUBLE, number) >= 0;
    H5Tclose(type);
    H5Aclose(attribute);
    return fine;
}
