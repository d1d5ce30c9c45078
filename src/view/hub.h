// SPDX-License-Identifier: Apache-2.0
// view/hub.h - between one run and its pages: the newest frame out, wishes in
//
// The run only swaps a pointer under a short lock; each page has a thread of its own that takes
// the newest frame when it has sent the one before. Whoever is slow gets fewer frames, and nobody
// waits for him.

#ifndef LITHE_VIEW_HUB_H
#define LITHE_VIEW_HUB_H

#include "view/message.h"

#include <pthread.h>
#include <stdatomic.h>

/// Bytes that several pages send; freed by the last one.
typedef struct LitheViewBlob {
    LitheContext *context;
    atomic_int users;
    int64_t bytes;
    unsigned char data[];
} LitheViewBlob;

/// One user; NULL when out of memory.
LitheViewBlob *lithe_view_blob_create(LitheContext *context, int64_t bytes);
void lithe_view_blob_release(LitheViewBlob *blob); // accepts NULL

/// Wishes that may wait; a page that sends more in the time of a step is told so.
enum { LITHE_VIEW_REQUESTS = 256 };

typedef struct LitheViewHub {
    LitheContext *context;
    pthread_mutex_t lock;
    pthread_cond_t news;     // for pages
    pthread_cond_t requests; // for the run
    LitheViewBlob *frame;    // newest; NULL before the first
    uint64_t frame_count;    // that were published
    atomic_bool wanted;      // some page has taken the newest one, or there is none
    LitheViewBlob *status;   // JSON text
    uint64_t status_count;
    LitheViewMessage queue[LITHE_VIEW_REQUESTS];
    int32_t queued;
    atomic_int waiting; // the same as queued, to look at without the lock
    atomic_int viewers;
    atomic_bool closing; // pages are to be sent away
} LitheViewHub;

LitheStatus lithe_view_hub_begin(LitheContext *context, LitheViewHub *hub, LitheError *error);
void lithe_view_hub_end(LitheViewHub *hub);

// --- the run -------------------------------------------------------------------------------------

/// Both take over the blob; NULL is passed over.
void lithe_view_hub_frame(LitheViewHub *hub, LitheViewBlob *frame);
void lithe_view_hub_status(LitheViewHub *hub, LitheViewBlob *status);

/// The oldest wish; false when there is none.
bool lithe_view_hub_take(LitheViewHub *hub, LitheViewMessage *message);

/// Waits for a wish, at most so long.
void lithe_view_hub_wait(LitheViewHub *hub, double seconds);

/// Wakes all pages so that they go.
void lithe_view_hub_close(LitheViewHub *hub);

// --- pages ---------------------------------------------------------------------------------------

/// False: too many are waiting.
bool lithe_view_hub_request(LitheViewHub *hub, const LitheViewMessage *message);

#endif
