// SPDX-License-Identifier: Apache-2.0
// record/hdf5_file.h - wrapper of libhdf5: no messages on stderr, and writing that survives a full
// disk
//
// libhdf5 can crash when a write fails while it flushes its caches. Therefore our file driver never
// fails: it stores the first error and discards later bytes, and the caller deletes the file.

#ifndef LITHE_RECORD_HDF5_FILE_H
#define LITHE_RECORD_HDF5_FILE_H

#include "lithe/base.h"

#include <hdf5.h>

/// Between begin and end only this thread uses libhdf5, and libhdf5 prints nothing.
typedef struct LitheHdf5Quiet {
    H5E_auto2_t print;
    void *user;
    bool skipped; // there was too little memory for libhdf5; files are not made or opened then
} LitheHdf5Quiet;

/// Fails since libhdf5 could not write a file, for want of memory as a rule.
LitheStatus lithe_hdf5_refuse(const char *path, LitheError *error);

/// Whether that has happened: libhdf5 may then crash at the exit of the process, in what it does
/// there, and `_exit` must be used.
bool lithe_hdf5_refused(void);

LitheHdf5Quiet lithe_hdf5_begin(void);
void lithe_hdf5_end(LitheHdf5Quiet quiet);

/// A file that is written through a descriptor, which the caller owns.
typedef struct LitheHdf5Sink {
    LitheContext *context;
    int fd;
    int reason;   // errno of the first failed write; 0: none
    hid_t driver; // set by lithe_hdf5_create
} LitheHdf5Sink;

/// Creates a file in `sink`; negative on failure. Close with lithe_hdf5_finish.
hid_t lithe_hdf5_create(LitheHdf5Sink *sink);

/// Closes the file and appends its checksums; false when something could not be written.
bool lithe_hdf5_finish(LitheHdf5Sink *sink, hid_t file);

/// A file that is read. `file` is negative when it is closed.
typedef struct LitheHdf5Source {
    hid_t file;
    struct SourceFile *source;
} LitheHdf5Source;

/// Opens a file for reading; where it has checksums (record/sums.h), everything that is read is
/// checked. It uses no file lock: recordings are replaced atomically, and some file systems have no
/// locks. Fails with the reason: missing, not HDF5, or damaged.
LitheStatus lithe_hdf5_open(LitheContext *context, const char *path, LitheHdf5Source *source,
                            LitheError *error);
void lithe_hdf5_close(LitheHdf5Source *source);

/// Text attributes; `object` is a file, group or dataset. Reading returns NULL when there is none
/// (or when out of memory); the caller frees the text.
bool lithe_hdf5_put_text(hid_t object, const char *name, const char *text);
char *lithe_hdf5_get_text(LitheContext *context, hid_t object, const char *name);

/// Reads a text attribute into `room`; false when there is no such attribute or it does not fit.
bool lithe_hdf5_get_short_text(hid_t object, const char *name, char *room, size_t size);

/// Number attributes. Reading returns false when there is no such attribute.
bool lithe_hdf5_put_number(hid_t object, const char *name, hid_t file_type, double number);
bool lithe_hdf5_get_number(hid_t object, const char *name, double *number);

/// An attribute of one value of `type`, stored as `file_type`; `space` is scalar. For many
/// attributes of the same types.
bool lithe_hdf5_put(hid_t object, const char *name, hid_t file_type, hid_t space, hid_t type,
                    const void *value);

/// The type of a text: UTF-8 of exactly this length. Texts of variable length are in a heap without
/// checksums, and libhdf5 can crash when that is damaged. Close with H5Tclose.
hid_t lithe_hdf5_text_type(size_t length);

/// Length in bytes of a type made by lithe_hdf5_text_type; 0: it is another type, or too long.
size_t lithe_hdf5_text_length(hid_t type);

#endif
