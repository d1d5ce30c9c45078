// SPDX-License-Identifier: Apache-2.0
// run/input.h - what a user does to a run between its steps: pulls on things, moves drives
//
// Everything goes through here and into the journal, with the number of the step before which it
// came: the same inputs at the same steps give the same run, bit for bit.

#ifndef LITHE_RUN_INPUT_H
#define LITHE_RUN_INPUT_H

#include "run/watch.h"

typedef enum LitheInputKind {
    LITHE_INPUT_GRAB_NODE = 1, // index of a rod, node; numbers 3-5: where to
    LITHE_INPUT_GRAB_BODY = 2, // index of a body; numbers 0-2: place in its frame, 3-5: where to
    LITHE_INPUT_MOVE = 3,      // numbers 3-5: where to
    LITHE_INPUT_RELEASE = 4,
    LITHE_INPUT_DRIVE = 5,      // index of a drive; number 0: speed; 1: of its turn
    LITHE_INPUT_ACTUATOR = 6,   // index of an actuator; number 0: rate of its target, or the target
    LITHE_INPUT_HAND = 7,       // index of a pose drive; velocity and spin
    LITHE_INPUT_CONSTRAINT = 8, // index; number 0: 1 switches it on, 0 off
    LITHE_INPUT_GRAB_PARTICLE = 9, // index of a set, node: the particle; numbers 3-5: where to
} LitheInputKind;

typedef struct LitheInput {
    LitheInputKind kind;
    int32_t index, node; // from 0, as the model counts
    double numbers[6];
} LitheInput;

/// An input that takes hold of the thing of that name and pulls `at` -> `to`: of a rod the node
/// `part`, of a set the particle `part`, of a body the place `at` in its frame. LITHE_BAD_INPUT
/// where there is no such thing.
LitheStatus lithe_input_grab(const LitheModel *model, const char *thing, int32_t part,
                             const double at[3], const double to[3], LitheInput *input,
                             LitheError *error);

/// Takes effect with the next step. LITHE_BAD_INPUT for what the model does not have, a body that
/// is fixed, and numbers that are not finite.
LitheStatus lithe_input_apply(LitheSession *session, const LitheInput *input, LitheError *error);

/// Before each step: the pull on what is held, as forces in the state.
///
///     f = (k (to - x - h v) - c v) / (1 + (h c + h^2 k) / m)                          (spring)
///
/// k and c make the whole thing follow like a damped pendulum of 20 rad/s. A free mass m under f
/// moves as under an implicit spring, for which no step is too long; m is no more than what the
/// grabbed point brings with it.
void lithe_input_pull(LitheSession *session);

/// Does again what a recording tells.
typedef struct LitheInputReplay LitheInputReplay;

/// Reads the inputs of a recording. Destroy accepts NULL.
LitheStatus lithe_input_replay_create(LitheContext *context, const char *path,
                                      LitheInputReplay **replay, LitheError *error);
const LitheWatch *lithe_input_replay_watch(const LitheInputReplay *replay);
void lithe_input_replay_destroy(LitheInputReplay *replay);

#endif
