// SPDX-License-Identifier: Apache-2.0
// view/hub.h - passes the newest frame of a run to its pages, and their requests to the run
//
// The run only swaps a pointer under a short lock. Each page has its own thread, which takes the
// newest frame after it has sent the previous one. A slow page gets fewer frames; neither the run
// nor other pages wait for it.

#ifndef LITHE_VIEW_HUB_H
#define LITHE_VIEW_HUB_H

#include "view/message.h"

#include <pthread.h>
#include <stdatomic.h>

/// Bytes shared by several pages, with a reference count.
typedef struct LitheViewBlob {
    LitheContext *context;
    atomic_int users;
    int64_t bytes;
    unsigned char data[];
} LitheViewBlob;

/// With one reference; NULL when out of memory.
LitheViewBlob *lithe_view_blob_create(LitheContext *context, int64_t bytes);
void lithe_view_blob_release(LitheViewBlob *blob); // accepts NULL

/// Max requests in the queue; a page that sends more during a step gets an error.
enum { LITHE_VIEW_REQUESTS = 256 };

typedef struct LitheViewHub {
    LitheContext *context;
    pthread_mutex_t lock;
    pthread_cond_t news;     // for pages
    pthread_cond_t requests; // for the run
    LitheViewBlob *frame;    // newest; NULL before the first
    uint64_t frame_count;    // published so far
    atomic_bool wanted;      // some page has taken the newest frame, or there is none
    LitheViewBlob *status;   // newest, JSON text
    uint64_t status_count;
    LitheViewBlob *failure; // newest error, JSON text; a status does not replace it
    uint64_t failure_count;
    LitheViewMessage queue[LITHE_VIEW_REQUESTS];
    int32_t queued;
    atomic_int waiting; // equals queued; read without the lock
    atomic_int viewers;
    atomic_bool closing; // pages must disconnect
} LitheViewHub;

LitheStatus lithe_view_hub_begin(LitheContext *context, LitheViewHub *hub, LitheError *error);
void lithe_view_hub_end(LitheViewHub *hub);

// --- the run -------------------------------------------------------------------------------------

/// Sends a frame, a status or an error. The functions take ownership of the blob and ignore NULL.
void lithe_view_hub_frame(LitheViewHub *hub, LitheViewBlob *frame);
void lithe_view_hub_status(LitheViewHub *hub, LitheViewBlob *status);
void lithe_view_hub_failure(LitheViewHub *hub, LitheViewBlob *failure);

/// The oldest request; false when there is none.
bool lithe_view_hub_take(LitheViewHub *hub, LitheViewMessage *message);

/// Waits for a request, with a time limit.
void lithe_view_hub_wait(LitheViewHub *hub, double seconds);

/// Wakes all pages so that they close.
void lithe_view_hub_close(LitheViewHub *hub);

// --- pages ---------------------------------------------------------------------------------------

/// False: the queue is full.
bool lithe_view_hub_request(LitheViewHub *hub, const LitheViewMessage *message);

#endif
