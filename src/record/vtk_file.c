// SPDX-License-Identifier: Apache-2.0
// record/vtk_file.c - parts of the XML files of VTK: head, arrays in base64

#include "record/vtk_file.h"

#include <stddef.h>

void lithe_vtk_put_head(FILE *file, const char *type) {
    const uint16_t one = 1;
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n",
            type, *(const unsigned char *)&one == 1 ? "LittleEndian" : "BigEndian");
}

typedef struct Base64 {
    FILE *file;
    uint32_t bits;
    int held; // bytes in bits
} Base64;

static void put_group(Base64 *out, int bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = out->bits << 8 * (3 - bytes);
    char text[4];
    for (int i = 0; i < 4; i++)
        text[i] = i <= bytes ? digits[bits >> (18 - 6 * i) & 63] : '=';
    fwrite(text, 1, 4, out->file);
    out->bits = 0;
    out->held = 0;
}

static void put_bytes(Base64 *out, const void *data, size_t count) {
    const unsigned char *at = data;
    for (size_t i = 0; i < count; i++) {
        out->bits = out->bits << 8 | at[i];
        if (++out->held == 3)
            put_group(out, 3);
    }
}

void lithe_vtk_put_array(FILE *file, const char *type, const char *name, int32_t width,
                         const char *more, const void *data, int64_t count) {
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"%s format=\"binary\">\n",
            type, name, width, more);
    uint64_t bytes = (uint64_t)count * 8;
    Base64 out = {.file = file};
    put_bytes(&out, &bytes, sizeof bytes);
    put_bytes(&out, data, bytes);
    if (out.held > 0)
        put_group(&out, out.held);
    fprintf(file, "\n</DataArray>\n");
}
