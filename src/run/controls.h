// SPDX-License-Identifier: Apache-2.0
// run/controls.h - keys and gamepads of a scene as inputs of its run

#ifndef LITHE_RUN_CONTROLS_H
#define LITHE_RUN_CONTROLS_H

#include "run/input.h"

typedef struct LitheControl {
    char *key;           // NULL: an axis
    int32_t axis;        // -1: a key
    LitheInputKind kind; // of its inputs
    int32_t index;       // of the drive, actuator, hand or constraint
    double numbers[6];   // of the input at full level
    char does[160];      // description for users
    double level;        // current level: 0 to 1, of an axis -1 to 1
} LitheControl;

typedef struct LitheControls {
    LitheContext *context;
    LitheControl *list;
    int32_t count;
} LitheControls;

/// Reads the controls of a checked scene. Release in any case.
LitheStatus lithe_controls_begin(const LitheScene *scene, LitheControls *controls,
                                 LitheError *error);
void lithe_controls_release(LitheControls *controls);

/// A key is pressed or released, an axis moves. All controls of one target are added. Unused keys
/// and axes do nothing.
LitheStatus lithe_controls_key(LitheControls *controls, LitheSession *session, const char *key,
                               bool down, LitheError *error);
LitheStatus lithe_controls_axis(LitheControls *controls, LitheSession *session, int32_t axis,
                                double value, LitheError *error);

/// Releases all keys and centres all axes.
LitheStatus lithe_controls_idle(LitheControls *controls, LitheSession *session, LitheError *error);

#endif
