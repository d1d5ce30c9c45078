// SPDX-License-Identifier: Apache-2.0
// view/assets.c - the files of the page, all in memory

#include "view/assets.h"

#include "base/memory.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// limits of the folder, far above those of our page
enum { DEPTH_MAX = 4, FILES_MAX = 1000, PATH_CAPACITY = 4096 };
#define BYTES_MAX ((int64_t)64 << 20)

static const char *type_of(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

static LitheStatus add_file(LitheViewAssets *assets, const char *folder, const char *path,
                            int64_t bytes, LitheError *error) {
    char full[PATH_CAPACITY];
    snprintf(full, sizeof full, "%s%s", folder, path);
    if (bytes > BYTES_MAX || assets->count >= FILES_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: too large or too many for a page", full);
    if (!LITHE_RESERVE(assets->context, assets->files, assets->capacity, assets->count + 1))
        return lithe_fail_memory(error, "the page");
    LitheViewAsset file = {.path = lithe_alloc_text(assets->context, path),
                           .type = type_of(path),
                           .data = lithe_alloc(assets->context, (size_t)bytes + 1),
                           .bytes = bytes};
    FILE *stream = fopen(full, "rb");
    bool fine = file.path && file.data && stream &&
                fread(file.data, 1, (size_t)bytes, stream) == (size_t)bytes;
    if (stream)
        fclose(stream);
    assets->files[assets->count++] = file;
    return fine ? LITHE_OK : lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read", full);
}

static LitheStatus add_folder(LitheViewAssets *assets, const char *folder, const char *below,
                              int depth, LitheError *error) {
    char full[PATH_CAPACITY];
    snprintf(full, sizeof full, "%s%s", folder, below);
    DIR *list = opendir(full);
    if (!list)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read: %s", full, strerror(errno));
    LitheStatus status = LITHE_OK;
    for (struct dirent *entry; status == LITHE_OK && (entry = readdir(list));) {
        char path[PATH_CAPACITY];
        int length = snprintf(path, sizeof path, "%s/%s", below, entry->d_name);
        struct stat info;
        // hidden files are ignored, links are not followed
        if (entry->d_name[0] == '.' || length < 0 ||
            (size_t)length + strlen(folder) + 1 >= sizeof full)
            continue;
        snprintf(full, sizeof full, "%s%s", folder, path);
        if (lstat(full, &info) != 0)
            continue;
        if (S_ISREG(info.st_mode))
            status = add_file(assets, folder, path, (int64_t)info.st_size, error);
        else if (S_ISDIR(info.st_mode) && depth < DEPTH_MAX)
            status = add_folder(assets, folder, path, depth + 1, error);
    }
    closedir(list);
    return status;
}

LitheStatus lithe_view_assets_load(LitheContext *context, const char *folder,
                                   LitheViewAssets *assets, LitheError *error) {
    LitheViewAssets made = {.context = context};
    LitheStatus status = add_folder(&made, folder, "", 0, error);
    if (status == LITHE_OK && !lithe_view_assets_find(&made, "/"))
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: has no index.html", folder);
    if (status == LITHE_OK)
        *assets = made;
    else
        lithe_view_assets_release(&made);
    return status;
}

void lithe_view_assets_release(LitheViewAssets *assets) {
    for (int32_t i = 0; i < assets->count; i++) {
        lithe_free(assets->context, assets->files[i].path);
        lithe_free(assets->context, assets->files[i].data);
    }
    lithe_free(assets->context, assets->files);
    *assets = (LitheViewAssets){.context = assets->context};
}

const LitheViewAsset *lithe_view_assets_find(const LitheViewAssets *assets, const char *path) {
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    for (int32_t i = 0; i < assets->count; i++)
        if (strcmp(assets->files[i].path, path) == 0)
            return &assets->files[i];
    return NULL;
}
