// SPDX-License-Identifier: Apache-2.0
// view/assets.h - the files of the page, all in memory: requests have access to nothing else

#ifndef LITHE_VIEW_ASSETS_H
#define LITHE_VIEW_ASSETS_H

#include "lithe/base.h"

typedef struct LitheViewAsset {
    char *path; // as in a request: "/app.js"
    const char *type;
    unsigned char *data;
    int64_t bytes;
} LitheViewAsset;

typedef struct LitheViewAssets {
    LitheContext *context;
    LitheViewAsset *files;
    int32_t count, capacity;
} LitheViewAssets;

/// All regular files of a folder and of its folders. LITHE_FILE_ERROR when it has no index.html.
LitheStatus lithe_view_assets_load(LitheContext *context, const char *folder,
                                   LitheViewAssets *assets, LitheError *error);
void lithe_view_assets_release(LitheViewAssets *assets);

/// "/" is index.html; NULL: there is no such file.
const LitheViewAsset *lithe_view_assets_find(const LitheViewAssets *assets, const char *path);

#endif
