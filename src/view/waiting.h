// SPDX-License-Identifier: Apache-2.0
// view/waiting.h - connections that have not sent a whole request yet; if too many, the oldest is
// closed

#ifndef LITHE_VIEW_WAITING_H
#define LITHE_VIEW_WAITING_H

#include "lithe/base.h"

#include <pthread.h>

enum {
    LITHE_VIEW_THREADS = 72, // of the server: each serves one connection at a time
    LITHE_VIEW_PEERS = 256,  // connections that are known; a few more may wait for a thread
};

/// A connection, by its other end.
typedef struct LitheViewPeer {
    uint32_t address; // in network order; 0: free
    uint16_t port;
    bool requested, dropped; // its request has arrived; it was closed
    bool seen;               // by the last search
    int file;                // descriptor of its socket
    uint64_t number;         // in the order in which they were seen first
} LitheViewPeer;

/// Initialise with lithe_view_waiting_begin.
typedef struct LitheViewWaiting {
    pthread_mutex_t lock;
    uint64_t last; // highest number given to a peer
    LitheViewPeer peers[LITHE_VIEW_PEERS];
} LitheViewWaiting;

void lithe_view_waiting_begin(LitheViewWaiting *waiting);
void lithe_view_waiting_end(LitheViewWaiting *waiting);

/// Searches the connections to `port` of this process. When more than `max` wait, the oldest of
/// them are shut, so that their threads are free again.
void lithe_view_waiting_limit(LitheViewWaiting *waiting, uint16_t port, int32_t max);

/// Marks the connection from this address and port: its request has arrived.
void lithe_view_waiting_requested(LitheViewWaiting *waiting, const char *address, uint16_t port);

#endif
