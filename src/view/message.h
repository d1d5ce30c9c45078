// SPDX-License-Identifier: Apache-2.0
// view/message.h - what a page asks for, out of untrusted text (docs/viewer-stream.md)

#ifndef LITHE_VIEW_MESSAGE_H
#define LITHE_VIEW_MESSAGE_H

#include "lithe/base.h"

typedef enum LitheViewWish {
    LITHE_WISH_PLAY,
    LITHE_WISH_PAUSE,
    LITHE_WISH_STEP,
    LITHE_WISH_SPEED,
    LITHE_WISH_RESET,
    LITHE_WISH_RATE,
    LITHE_WISH_GRAB,
    LITHE_WISH_MOVE,
    LITHE_WISH_RELEASE,
    LITHE_WISH_KEY,
    LITHE_WISH_AXIS,
    LITHE_WISH_FRAMES,
} LitheViewWish;

enum { LITHE_VIEW_MESSAGE_BYTES = 4096, LITHE_VIEW_KEY_ROOM = 24, LITHE_VIEW_NAME_ROOM = 1024 };

typedef struct LitheViewMessage {
    LitheViewWish wish;
    int32_t count; // step
    double value;  // speed, rate, axis
    // grab: a thing by its name and a part of it, or as pages of version 1 count: a rod and its
    // node, or a body. "" and -1: not given
    char thing[LITHE_VIEW_NAME_ROOM];
    int32_t part, rod, node, body;
    double at[3], to[3];           // grab, move [m]
    char key[LITHE_VIEW_KEY_ROOM]; // key
    bool down;                     // likewise
    int32_t axis;                  // axis
    int64_t from, last, every;     // frames
} LitheViewMessage;

/// LITHE_BAD_INPUT with a message for what cannot be served; `broken` tells whether the text is no
/// JSON object at all, or too long. All numbers of a result are finite and in range.
LitheStatus lithe_view_message_parse(const char *text, size_t length, LitheViewMessage *message,
                                     bool *broken, LitheError *error);

#endif
