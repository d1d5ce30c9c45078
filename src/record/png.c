// SPDX-License-Identifier: Apache-2.0
// record/png.c - PNG with libpng, with the allocator and the errors of Lithe

#include "record/png.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

typedef struct PngJob {
    LitheContext *context;
    FILE *file;
    char message[128];
    int reason; // errno of a write that failed; 0: none did
    bool no_memory;
} PngJob;

static void on_error(png_structp png, png_const_charp text) {
    PngJob *job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static png_voidp on_alloc(png_structp png, png_alloc_size_t bytes) {
    PngJob *job = png_get_mem_ptr(png);
    void *block = lithe_alloc(job->context, bytes);
    if (!block)
        job->no_memory = true;
    return block;
}

static void on_free(png_structp png, png_voidp block) {
    PngJob *job = png_get_mem_ptr(png);
    lithe_free(job->context, block);
}

static void on_write(png_structp png, png_bytep data, size_t bytes) {
    PngJob *job = png_get_io_ptr(png);
    errno = 0;
    if (fwrite(data, 1, bytes, job->file) != bytes) {
        job->reason = errno ? errno : EIO;
        png_error(png, "the write failed");
    }
}

static void on_flush(png_structp png) {
    (void)png; // the file is flushed when it is renamed
}

// False when libpng failed; its memory is freed in any case.
static bool write_png(const uint8_t *rgba, int32_t width, int32_t height, PngJob *job) {
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, job, on_error, on_warning,
                                                job, on_alloc, on_free);
    if (!png) {
        job->no_memory = true;
        return false;
    }
    png_infop info = png_create_info_struct(png);
    if (!info) {
        job->no_memory = true;
        png_destroy_write_struct(&png, NULL);
        return false;
    }
    // libpng reports errors by a jump to here
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, job, on_write, on_flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int32_t y = 0; y < height; y++)
        png_write_row(png, rgba + (size_t)y * (size_t)width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

LitheStatus lithe_png_write(LitheContext *context, const char *path, const uint8_t *rgba,
                            int32_t width, int32_t height, LitheError *error) {
    LitheFileReplace replace;
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    PngJob job = {.context = context, .file = replace.file};
    if (write_png(rgba, width, height, &job))
        return lithe_file_replace_commit(&replace, error);
    lithe_file_replace_abort(&replace);
    if (job.no_memory)
        return lithe_fail_memory(error, "a PNG file");
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write: %s", path,
                      job.reason ? strerror(job.reason) : job.message);
}
