// SPDX-License-Identifier: Apache-2.0
// view/maker.h - thread that makes the frames of a live run
//
// The run hands over a copy of its state and the contacts of its last step, and continues; the
// thread computes strains, energies and the bytes of the frame. It makes one frame at a time:
// frames that become due in the meantime are skipped.

#ifndef LITHE_VIEW_MAKER_H
#define LITHE_VIEW_MAKER_H

#include "run/session.h"
#include "view/frame.h"
#include "view/hub.h"

typedef struct LitheViewMaker {
    LitheContext *context;
    LitheViewHub *hub;           // where frames go
    const LitheViewScene *scene; // what is in them
    LitheFrameMap *map;          // used by the maker while it is busy
    double *numbers;             // likewise [scene->number_count]

    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool running, closing;
    atomic_bool busy;

    // what was handed over
    const LitheModel *model;
    LitheState *state; // a copy
    LitheReport report;
    uint32_t flags, resets;
    double seconds; // of the last frame
} LitheViewMaker;

/// Starts the thread. Call lithe_view_maker_end also on failure.
LitheStatus lithe_view_maker_begin(LitheViewMaker *maker, const LitheSession *session,
                                   LitheError *error);
void lithe_view_maker_end(LitheViewMaker *maker); // accepts one that was never started

/// True when a frame can be handed over; `*seconds` is the time that the last one took.
bool lithe_view_maker_ready(LitheViewMaker *maker, double *seconds);

/// Hands over the current state of the run; false when out of memory. Only when the maker is ready.
bool lithe_view_maker_give(LitheViewMaker *maker, const LitheSession *session, uint32_t flags,
                           uint32_t resets);

/// Waits until the frame is complete.
void lithe_view_maker_wait(LitheViewMaker *maker);

#endif
