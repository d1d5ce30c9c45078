// SPDX-License-Identifier: Apache-2.0
// run/controls.h - keys and gamepads of a scene as inputs of its run

#ifndef LITHE_RUN_CONTROLS_H
#define LITHE_RUN_CONTROLS_H

#include "run/input.h"

typedef struct LitheControl {
    char *key;           // NULL: an axis
    int32_t axis;        // -1: a key
    LitheInputKind kind; // of its inputs
    int32_t index;       // of the drive, actuator, pose drive or constraint
    double numbers[6];   // of the input at full level
    char does[160];      // description for users
    double level;        // current level: 0 to 1, of an axis -1 to 1
} LitheControl;

typedef struct LitheControls {
    LitheContext *context;
    LitheControl *list;
    int32_t count;
} LitheControls;

/// Reads the controls of a checked scene. Call lithe_controls_release even after failure.
LitheStatus lithe_controls_begin(const LitheScene *scene, LitheControls *controls,
                                 LitheError *error);
void lithe_controls_release(LitheControls *controls);

/// Applies a key that is pressed or released, or an axis that moves. All controls of one target are
/// added. Keys and axes without a control have no effect.
LitheStatus lithe_controls_key(LitheControls *controls, LitheSession *session, const char *key,
                               bool down, LitheError *error);
LitheStatus lithe_controls_axis(LitheControls *controls, LitheSession *session, int32_t axis,
                                double value, LitheError *error);

/// Releases all keys and centres all axes.
LitheStatus lithe_controls_idle(LitheControls *controls, LitheSession *session, LitheError *error);

#endif
