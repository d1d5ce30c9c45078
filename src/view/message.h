// SPDX-License-Identifier: Apache-2.0
// view/message.h - requests that the page in the browser sends, parsed from untrusted text
// (docs/viewer-stream.md)

#ifndef LITHE_VIEW_MESSAGE_H
#define LITHE_VIEW_MESSAGE_H

#include "lithe/base.h"

typedef enum LitheViewRequest {
    LITHE_REQUEST_PLAY,
    LITHE_REQUEST_PAUSE,
    LITHE_REQUEST_STEP,
    LITHE_REQUEST_SPEED,
    LITHE_REQUEST_RESET,
    LITHE_REQUEST_RATE,
    LITHE_REQUEST_GRAB,
    LITHE_REQUEST_MOVE,
    LITHE_REQUEST_RELEASE,
    LITHE_REQUEST_KEY,
    LITHE_REQUEST_AXIS,
    LITHE_REQUEST_FRAMES,
    LITHE_REQUEST_SLIDER,
    LITHE_REQUEST_RECORD,
} LitheViewRequest;

enum {
    LITHE_VIEW_MESSAGE_BYTES = 4096,
    LITHE_VIEW_KEY_CAPACITY = 24,
    LITHE_VIEW_NAME_CAPACITY = 1024
};

typedef struct LitheViewMessage {
    LitheViewRequest request;
    int32_t count; // step; number of a slider
    double value;  // speed, rate, axis, slider
    // grab: a thing by its name and a part of it, or, from pages of version 1, a rod and its node,
    // or a body. "" and -1: not given
    char thing[LITHE_VIEW_NAME_CAPACITY];
    int32_t part, rod, node, body;
    double at[3], to[3];               // grab, move [m]
    char key[LITHE_VIEW_KEY_CAPACITY]; // key
    bool down;                         // key: pressed, not released; record: on
    int32_t axis;                      // axis
    int64_t from, last, every;         // frames
} LitheViewMessage;

/// LITHE_BAD_INPUT with a message for an invalid request; `broken`: the text is not a JSON object,
/// or too long. All numbers of a result are finite and in range.
LitheStatus lithe_view_message_parse(const char *text, size_t length, LitheViewMessage *message,
                                     bool *broken, LitheError *error);

#endif
