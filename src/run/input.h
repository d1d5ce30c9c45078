// SPDX-License-Identifier: Apache-2.0
// run/input.h - inputs of a user between the steps of a run: pulls on things, moves of drives
//
// All inputs are applied here and written to the journal, with the number of the step that follows.
// The same inputs at the same steps give the same run, bit for bit.

#ifndef LITHE_RUN_INPUT_H
#define LITHE_RUN_INPUT_H

#include "run/watch.h"

typedef enum LitheInputKind {
    LITHE_INPUT_GRAB_NODE = 1, // index of a rod, node; numbers 3-5: target
    LITHE_INPUT_GRAB_BODY = 2, // index of a body; numbers 0-2: place in its frame, 3-5: target
    LITHE_INPUT_MOVE = 3,      // numbers 3-5: target
    LITHE_INPUT_RELEASE = 4,
    LITHE_INPUT_DRIVE = 5,      // index of a drive; number 0: speed; 1: angular velocity
    LITHE_INPUT_ACTUATOR = 6,   // index of an actuator; number 0: rate of its target, or the target
    LITHE_INPUT_HAND = 7,       // index of a pose drive; velocity and angular velocity
    LITHE_INPUT_CONSTRAINT = 8, // index; number 0: 1 switches it on, 0 off
    LITHE_INPUT_GRAB_PARTICLE = 9, // index of a set, node: the particle; numbers 3-5: target
    LITHE_INPUT_TARGET = 10,       // index of an actuator; number 0: its target from now on
} LitheInputKind;

typedef struct LitheInput {
    LitheInputKind kind;
    int32_t index, node; // from 0, in the order of the model
    double numbers[6];
} LitheInput;

/// An input that grabs the thing with that name and pulls it from `at` towards `to`: node `part` of
/// a rod, particle `part` of a set, or the place `at` in the frame of a body. LITHE_BAD_INPUT when
/// there is no such thing.
LitheStatus lithe_input_grab(const LitheModel *model, const char *thing, int32_t part,
                             const double at[3], const double to[3], LitheInput *input,
                             LitheError *error);

/// Applies an input from the next step on. LITHE_BAD_INPUT for things that do not exist, fixed
/// bodies, and numbers that are not finite.
LitheStatus lithe_input_apply(LitheSession *session, const LitheInput *input, LitheError *error);

/// Called before each step: sets the pull on the grabbed thing as forces in the state.
///
///     f = (k (to - x - h v) - c v) / (1 + (h c + h^2 k) / m)                          (spring)
///
/// k and c make the whole thing follow like a damped pendulum of 20 rad/s. A free mass m under f
/// moves as under an implicit spring, which is stable for every step size; m is at most the
/// effective mass of the grabbed point.
void lithe_input_pull(LitheSession *session);

/// Repeats the inputs of a recording.
typedef struct LitheInputReplay LitheInputReplay;

/// Reads the inputs of a recording. Destroy accepts NULL.
LitheStatus lithe_input_replay_create(LitheContext *context, const char *path,
                                      LitheInputReplay **replay, LitheError *error);
const LitheWatch *lithe_input_replay_watch(const LitheInputReplay *replay);
void lithe_input_replay_destroy(LitheInputReplay *replay);

#endif
