// SPDX-License-Identifier: Apache-2.0
// view/maker.h - makes the frames of a live run on a thread of its own
//
// The run hands over a copy of its state and the contacts of its last step, and goes on; strains,
// energies and the bytes of the frame are made beside it. One frame is in the making at most: what
// comes meanwhile is left out.

#ifndef LITHE_VIEW_MAKER_H
#define LITHE_VIEW_MAKER_H

#include "run/session.h"
#include "view/frame.h"
#include "view/hub.h"

typedef struct LitheViewMaker {
    LitheContext *context;
    LitheViewHub *hub;           // where frames go
    const LitheViewScene *scene; // what is in them
    LitheFrameMap *map;          // the maker's own while it is busy
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
    double seconds; // that the last frame took
} LitheViewMaker;

/// Starts the thread. On failure end it, too.
LitheStatus lithe_view_maker_begin(LitheViewMaker *maker, const LitheSession *session,
                                   LitheError *error);
void lithe_view_maker_end(LitheViewMaker *maker); // accepts one that never began

/// True when a frame can be handed over; `*seconds` is what the last one took.
bool lithe_view_maker_ready(LitheViewMaker *maker, double *seconds);

/// Hands over the present state of the run; false when there is no memory for its contacts. Only
/// when the maker is ready.
bool lithe_view_maker_give(LitheViewMaker *maker, const LitheSession *session, uint32_t flags,
                           uint32_t resets);

/// Waits until what was handed over is a frame.
void lithe_view_maker_wait(LitheViewMaker *maker);

#endif
