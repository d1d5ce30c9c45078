// SPDX-License-Identifier: Apache-2.0
// import/mjcf_hfield.c - height fields of MJCF: given in the file, binary, or a grey picture
//
// The heights of every source are scaled to 0..1 and then by the third number of `size`. In XML and
// in pictures the first row is at +y; in binary files, and in scenes, it is at -y.

#include "base/memory.h"
#include "import/mjcf.h"
#include "scene/input.h"

#include <png.h>
#include <string.h>

// rows and columns of a field, and the heights of the source with the row at -y first
typedef struct Field {
    int32_t rows, columns;
    double *heights; // [rows][columns], in the arena of the XML
} Field;

static LitheStatus make_field(LitheMjcf *mjcf, const LitheXmlNode *node, int64_t rows,
                              int64_t columns, Field *field) {
    LitheImport *import = mjcf->import;
    if (rows < 2 || columns < 2 || rows > LITHE_IMPORT_POINTS || columns > LITHE_IMPORT_POINTS)
        return lithe_import_fail(import, node,
                                 "<hfield> has %lld rows and %lld columns, must have 2 or more of "
                                 "each",
                                 (long long)rows, (long long)columns);
    import->point_total += rows * columns;
    if (import->point_total > LITHE_IMPORT_POINTS)
        return lithe_import_fail(import, node, "<hfield>: more than %d points in this robot",
                                 LITHE_IMPORT_POINTS);
    *field = (Field){.rows = (int32_t)rows, .columns = (int32_t)columns};
    field->heights = lithe_xml_keep(&import->xml, rows * columns, sizeof(double));
    return field->heights ? LITHE_OK : lithe_import_fail_memory(import);
}

static void reverse_rows(Field *field) {
    for (int32_t i = 0; i < field->rows / 2; i++) {
        double *a = field->heights + (int64_t)i * field->columns;
        double *b = field->heights + (int64_t)(field->rows - 1 - i) * field->columns;
        for (int32_t j = 0; j < field->columns; j++) {
            double kept = a[j];
            a[j] = b[j];
            b[j] = kept;
        }
    }
}

// --- the three sources ---------------------------------------------------------------------------

/// Reads nrow, ncol and elevation; without elevation the field is flat.
static LitheStatus read_inline(LitheMjcf *mjcf, const LitheXmlNode *node, Field *field) {
    LitheImport *import = mjcf->import;
    double rows = 0, columns = 0;
    LitheStatus status = lithe_import_number(import, node, "nrow", &rows);
    status = status ? status : lithe_import_number(import, node, "ncol", &columns);
    if (status)
        return status;
    if (!(rows >= 0 && rows < 1e9 && columns >= 0 && columns < 1e9))
        return lithe_import_fail(import, node, "<hfield>: nrow is %g and ncol %g, must be 2 to 1e9",
                                 rows, columns);
    status = make_field(mjcf, node, (int64_t)rows, (int64_t)columns, field);
    const char *elevation = lithe_xml_value(node, "elevation");
    if (status || !elevation)
        return status;
    int32_t count = field->rows * field->columns;
    status = lithe_import_numbers(import, node, "elevation", elevation, count, count,
                                  field->heights, NULL);
    if (status == LITHE_OK)
        reverse_rows(field);
    return status;
}

/// Reads two 4-byte integers, rows and columns, then floats, all little-endian.
static LitheStatus read_binary(LitheMjcf *mjcf, const LitheXmlNode *node, const char *bytes,
                               size_t length, Field *field) {
    uint32_t head[2] = {0, 0};
    const unsigned char *at = (const unsigned char *)bytes;
    for (int k = 0; k < 8 && length >= 8; k++)
        head[k / 4] |= (uint32_t)at[k] << 8 * (k % 4);
    uint64_t count = (uint64_t)head[0] * head[1];
    if (length < 8 || count != (length - 8) / 4 || (length - 8) % 4 != 0)
        return lithe_import_fail(
            mjcf->import, node,
            "<hfield>: a file of %zu bytes whose header has %u rows and %u columns: 8 "
            "bytes and 4 for each height are expected",
            length, head[0], head[1]);
    LitheStatus status = make_field(mjcf, node, head[0], head[1], field);
    for (uint64_t i = 0; status == LITHE_OK && i < count; i++) {
        uint32_t bits = 0;
        float height;
        for (int k = 0; k < 4; k++)
            bits |= (uint32_t)at[8 + 4 * i + (uint64_t)k] << 8 * k;
        memcpy(&height, &bits, sizeof height);
        field->heights[i] = (double)height;
        if (!isfinite(field->heights[i]))
            return lithe_import_fail(mjcf->import, node, "<hfield>: height %llu is not finite",
                                     (unsigned long long)i);
    }
    return status;
}

/// Heights are the 8-bit red values, as grey pictures have them.
static LitheStatus read_picture(LitheMjcf *mjcf, const LitheXmlNode *node, const char *bytes,
                                size_t length, Field *field) {
    LitheContext *context = mjcf->import->context;
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, length))
        return lithe_import_fail(mjcf->import, node, "<hfield>: not a PNG picture: %s",
                                 image.message);
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // heights are not colours: no conversion
    LitheStatus status = make_field(mjcf, node, image.height, image.width, field);
    int64_t count = status ? 0 : (int64_t)field->rows * field->columns;
    unsigned char *pixels = status ? NULL : lithe_alloc_array(context, count, 4);
    if (status == LITHE_OK && !pixels)
        status = lithe_import_fail_memory(mjcf->import);
    if (status == LITHE_OK && !png_image_finish_read(&image, NULL, pixels, 0, NULL))
        status = lithe_import_fail(mjcf->import, node, "<hfield>: damaged PNG picture: %s",
                                   image.message);
    for (int64_t i = 0; status == LITHE_OK && i < count; i++)
        field->heights[i] = pixels[4 * i];
    if (status == LITHE_OK)
        reverse_rows(field);
    lithe_free(context, pixels);
    png_image_free(&image);
    return status;
}

static LitheStatus read_file(LitheMjcf *mjcf, const LitheXmlNode *node, const char *file,
                             Field *field) {
    LitheImport *import = mjcf->import;
    const char *path = NULL, *dot = strrchr(file, '.');
    char *bytes = NULL;
    size_t length = 0;
    LitheError inner = {0};
    LitheStatus status = lithe_mjcf_resolve(mjcf, node, file, &path);
    if (status)
        return status;
    status = lithe_import_read_file(import->context, path, &bytes, &length, &inner);
    if (!status && !lithe_scene_add_input(import->scene, path)) {
        lithe_free(import->context, bytes);
        status = LITHE_NO_MEMORY;
    }
    if (status == LITHE_NO_MEMORY)
        return lithe_import_fail_memory(import);
    if (status)
        return lithe_import_fail(import, node, "<hfield>: %.600s", inner.text);
    bool picture = dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".PNG") == 0);
    status = (picture ? read_picture : read_binary)(mjcf, node, bytes, length, field);
    lithe_free(import->context, bytes);
    return status;
}

// --- the shape -----------------------------------------------------------------------------------

LitheStatus lithe_mjcf_hfield(LitheMjcf *mjcf, const LitheXmlNode *geom_node, const char *name,
                              LitheGeomDef *geom) {
    LitheImport *import = mjcf->import;
    const LitheXmlNode *node = lithe_mjcf_asset(mjcf, "hfield", name);
    if (!node)
        return lithe_import_fail(import, geom_node, "<geom>: no hfield named '%.100s'", name);
    double size[4] = {0};
    const char *text = lithe_xml_value(node, "size"), *file = lithe_xml_value(node, "file");
    if (!text)
        return lithe_import_fail(import, node, "<hfield> has no size");
    LitheStatus status = lithe_import_numbers(import, node, "size", text, 4, 4, size, NULL);
    for (int k = 0; k < 4 && !status; k++)
        if (!(size[k] > 0))
            status = lithe_import_fail(import, node, "<hfield>: size is %g %g %g %g, must be > 0",
                                       size[0], size[1], size[2], size[3]);
    Field field = {0};
    if (status == LITHE_OK)
        status = file ? read_file(mjcf, node, file, &field) : read_inline(mjcf, node, &field);
    if (status == LITHE_OK)
        status = lithe_import_note(import, node,
                                   "<hfield> is solid all the way down; the last "
                                   "number of its size is ignored");
    if (status)
        return status;

    // scaled to the height in size; flat fields are at 0
    int64_t count = (int64_t)field.rows * field.columns;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        low = fmin(low, field.heights[i]);
        high = fmax(high, field.heights[i]);
    }
    for (int64_t i = 0; i < count; i++)
        field.heights[i] = high > low ? size[2] * ((field.heights[i] - low) / (high - low)) : 0;
    geom->kind = LITHE_GEOM_HEIGHTFIELD;
    geom->size = v3(2 * size[0], 2 * size[1], 0);
    geom->heights = field.heights;
    geom->rows = field.rows;
    geom->columns = field.columns;
    return LITHE_OK;
}
