// SPDX-License-Identifier: Apache-2.0
// view/video.h - a recording as a video: our pictures, frame by frame, through ffmpeg

#ifndef LITHE_VIEW_VIDEO_H
#define LITHE_VIEW_VIDEO_H

#include "record/export.h"

typedef struct LitheVideoOptions {
    LithePictureOptions picture; // width and height must be even
    double rate;                 // frames per second, > 0; every recorded frame is one
    /// Called before each picture and after the last one; may be NULL. False stops the export: no
    /// video is written, and an older one stays.
    bool (*progress)(int64_t frame, int64_t count, void *user);
    void *user;
} LitheVideoOptions;

/// One camera has everything in view from the first frame to the last. LITHE_NOT_SUPPORTED when
/// there is no ffmpeg.
LitheStatus lithe_export_video(LitheRecording *recording, const char *path,
                               const LitheVideoOptions *options, LitheError *error);

#endif
