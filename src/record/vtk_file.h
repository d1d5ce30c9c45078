// SPDX-License-Identifier: Apache-2.0
// record/vtk_file.h - parts of the XML files of VTK

#ifndef LITHE_RECORD_VTK_FILE_H
#define LITHE_RECORD_VTK_FILE_H

#include <stdint.h>
#include <stdio.h>

/// The first lines of a file of `type` ("PolyData", ..) for the byte order of this machine; the
/// file ends with "</VTKFile>".
void lithe_vtk_put_head(FILE *file, const char *type);

/// An array of `count` numbers of eight bytes ("Float64", "Int64"), `width` of them per tuple.
/// `more` are further attributes, each after a space, or "".
void lithe_vtk_put_array(FILE *file, const char *type, const char *name, int32_t width,
                         const char *more, const void *data, int64_t count);

#endif
