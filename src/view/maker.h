// SPDX-License-Identifier: Apache-2.0
// view/maker.h - thread that computes the frames of a live run
//
// The run passes a copy of its state and the contacts of its last step to the thread, and
// continues. The thread computes strains, energies and the bytes of the frame, for one frame at a
// time: frames that become due in the meantime are skipped.

#ifndef LITHE_VIEW_MAKER_H
#define LITHE_VIEW_MAKER_H

#include "run/session.h"
#include "view/frame.h"
#include "view/hub.h"

typedef struct LitheViewMaker {
    LitheContext *context;
    LitheViewHub *hub;           // receives the frames
    const LitheViewScene *scene; // content of the frames
    LitheFrameMap *map;          // used by the maker while it is busy
    double *numbers;             // [scene->number_count] used by the maker while it is busy

    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool running, closing;
    atomic_bool busy;

    // data of the frame in work
    const LitheModel *model;
    LitheState *state; // a copy
    LitheReport report;
    uint32_t flags, resets;
    double seconds; // computing time of the last frame
} LitheViewMaker;

/// Starts the thread. Call lithe_view_maker_end also on failure.
LitheStatus lithe_view_maker_begin(LitheViewMaker *maker, const LitheSession *session,
                                   LitheError *error);
void lithe_view_maker_end(LitheViewMaker *maker); // accepts a maker that was never started

/// True when the thread can take a frame; `*seconds` is the computing time of the last frame.
bool lithe_view_maker_ready(LitheViewMaker *maker, double *seconds);

/// Passes the current state of the run to the thread, which must be ready; false when out of
/// memory.
bool lithe_view_maker_give(LitheViewMaker *maker, const LitheSession *session, uint32_t flags,
                           uint32_t resets);

/// Waits until the frame is complete.
void lithe_view_maker_wait(LitheViewMaker *maker);

#endif
