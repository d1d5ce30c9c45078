// SPDX-License-Identifier: Apache-2.0
// record/hdf5_file.h - what we need of libhdf5: quiet calls, writing that survives a full disk
//
// libhdf5 can crash when a write fails while it flushes its caches. So we give it a file driver
// that never fails: the first error is kept here, later bytes go nowhere, and the caller throws
// the file away.

#ifndef LITHE_RECORD_HDF5_FILE_H
#define LITHE_RECORD_HDF5_FILE_H

#include "lithe/base.h"

#include <hdf5.h>

/// Between begin and end this thread alone uses libhdf5, and libhdf5 prints nothing.
typedef struct LitheHdf5Quiet {
    H5E_auto2_t print;
    void *user;
} LitheHdf5Quiet;

LitheHdf5Quiet lithe_hdf5_begin(void);
void lithe_hdf5_end(LitheHdf5Quiet quiet);

/// A file being written through a descriptor that stays the caller's.
typedef struct LitheHdf5Sink {
    LitheContext *context;
    int fd;
    int reason;   // errno of the first failed write; 0: none
    hid_t driver; // set by lithe_hdf5_create
} LitheHdf5Sink;

/// A new file in `sink`; negative on failure. End with lithe_hdf5_finish.
hid_t lithe_hdf5_create(LitheHdf5Sink *sink);

/// Closes; false when anything could not be written.
bool lithe_hdf5_finish(LitheHdf5Sink *sink, hid_t file);

/// For reading; negative on failure. Takes no lock: recordings are replaced as a whole, and some
/// file systems have none.
hid_t lithe_hdf5_open(const char *path);

/// Names the reason why it could not be opened as a user sees it: missing, not HDF5, or damaged.
LitheStatus lithe_hdf5_fail_open(LitheContext *context, const char *path, LitheError *error);

/// Text attributes; `object` a file, group or data set. Reading: NULL when there is none (or no
/// memory); the caller frees.
bool lithe_hdf5_put_text(hid_t object, const char *name, const char *text);
char *lithe_hdf5_get_text(LitheContext *context, hid_t object, const char *name);

/// Number attributes. Reading: false when there is none.
bool lithe_hdf5_put_number(hid_t object, const char *name, hid_t file_type, double number);
bool lithe_hdf5_get_number(hid_t object, const char *name, double *number);

/// The type of a text: UTF-8 of just this length (texts of variable length lie in a heap without
/// checksums, on which libhdf5 can crash when it is damaged). Close with H5Tclose.
hid_t lithe_hdf5_text_type(size_t length);

/// Bytes of such a type; 0: no text of ours, or longer than any.
size_t lithe_hdf5_text_length(hid_t type);

#endif
