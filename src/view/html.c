// SPDX-License-Identifier: Apache-2.0
// view/html.c - one self-contained HTML file: the page, with a packed recording in it

#include "view/pack.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// the place of the packed recording
#define PLACE "LITHE_RUN_DATA"

static LitheStatus read_page(LitheContext *context, const char *path, LitheBytes *page,
                             LitheError *error) {
    FILE *file = lithe_file_open_input(path);
    if (!file)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read: %s", path,
                          lithe_file_reason(errno));
    char buffer[65536];
    *page = (LitheBytes){.context = context};
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
        lithe_bytes_put(page, buffer, (int64_t)count);
    bool bad = ferror(file) != 0;
    fclose(file);
    lithe_bytes_put(page, "", 1);
    if (bad)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read", path);
    return page->failed ? lithe_fail_memory(error, "the page") : LITHE_OK;
}

static void put_base64(const unsigned char *from, int64_t count, FILE *file) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t i = 0; i < count; i += 3) {
        uint32_t bits = (uint32_t)from[i] << 16;
        if (i + 1 < count)
            bits |= (uint32_t)from[i + 1] << 8;
        if (i + 2 < count)
            bits |= from[i + 2];
        const char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                              i + 1 < count ? digits[bits >> 6 & 63] : '=',
                              i + 2 < count ? digits[bits & 63] : '='};
        fwrite(text, 1, sizeof text, file);
    }
}

LitheStatus lithe_export_html(LitheRecording *recording, const char *path, const char *page,
                              LitheError *error) {
    LitheContext *context = recording->context;
    LitheBytes text = {.context = context}, packed = {.context = context};
    LitheViewReader *reader = NULL;
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    if (status == LITHE_OK)
        status = read_page(context, page, &text, error);
    const char *place = status == LITHE_OK ? strstr((const char *)text.at, PLACE) : NULL;
    if (status == LITHE_OK && (!place || strstr(place + 1, PLACE)))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: no page for recordings: it must hold %s once", page, PLACE);
    if (status == LITHE_OK)
        status = lithe_view_reader_create(recording, &reader, error);
    if (status == LITHE_OK)
        status = lithe_view_pack(reader, 1, &packed, error);
    LitheFileReplace replace = {0};
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(context, path, &replace, error);
    if (status == LITHE_OK) {
        fwrite(text.at, 1, (size_t)(place - (const char *)text.at), replace.file);
        put_base64(packed.at, packed.count, replace.file);
        fputs(place + strlen(PLACE), replace.file);
        status = lithe_file_replace_commit(&replace, error);
    }
    lithe_view_reader_destroy(reader);
    lithe_bytes_release(&packed);
    lithe_bytes_release(&text);
    return status;
}
