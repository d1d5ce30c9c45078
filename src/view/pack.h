// SPDX-License-Identifier: Apache-2.0
// view/pack.h - packs a whole recording: quantised, differences over time, deflated (the packed
// form of docs/viewer-stream.md), and the single HTML file around it

#ifndef LITHE_VIEW_PACK_H
#define LITHE_VIEW_PACK_H

#include "view/reader.h"

/// Packs every `every`-th frame (and the last one); `out` [bytes] is a zlib stream.
LitheStatus lithe_view_pack(LitheViewReader *reader, int64_t every, LitheBytes *out,
                            LitheError *error);

/// `page` is the file standalone.html of the built page.
LitheStatus lithe_export_html(LitheRecording *recording, const char *path, const char *page,
                              LitheError *error);

#endif
