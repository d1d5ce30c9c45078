// SPDX-License-Identifier: Apache-2.0
// view/waiting.c - connections that have not sent a whole request yet; if too many, the oldest is
// closed
//
// Each connection occupies a thread of civetweb until its request has arrived or ten seconds have
// passed. Connections that send nothing would block all others for that time. civetweb does not
// return the socket of a new connection: the sockets of this process are searched.

#include "view/waiting.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

enum { FILES = 4096 }; // max descriptors examined; others wait until their ten seconds have passed

void lithe_view_waiting_begin(LitheViewWaiting *w) {
    *w = (LitheViewWaiting){0};
    pthread_mutex_init(&w->lock, NULL);
}

void lithe_view_waiting_end(LitheViewWaiting *w) {
    pthread_mutex_destroy(&w->lock);
}

// the peer with this address and port, or a new one; NULL: too many
static LitheViewPeer *find_peer(LitheViewWaiting *w, uint32_t address, uint16_t port) {
    LitheViewPeer *vacant = NULL;
    for (int32_t i = 0; i < LITHE_VIEW_PEERS; i++) {
        LitheViewPeer *peer = &w->peers[i];
        if (peer->address == address && peer->port == port)
            return peer;
        if (!peer->address && !vacant)
            vacant = peer;
    }
    if (vacant)
        *vacant = (LitheViewPeer){.address = address, .port = port, .number = ++w->last};
    return vacant;
}

// finds all sockets; removes peers whose connection is closed
static void search(LitheViewWaiting *w, uint16_t port) {
    for (int32_t i = 0; i < LITHE_VIEW_PEERS; i++)
        w->peers[i].seen = false;
    for (int file = 0; file < FILES; file++) {
        struct sockaddr_in own = {0}, other = {0};
        socklen_t own_size = sizeof own, other_size = sizeof other;
        if (getsockname(file, (struct sockaddr *)&own, &own_size) != 0 ||
            own.sin_family != AF_INET || ntohs(own.sin_port) != port ||
            getpeername(file, (struct sockaddr *)&other, &other_size) != 0)
            continue;
        LitheViewPeer *peer = find_peer(w, other.sin_addr.s_addr, ntohs(other.sin_port));
        if (peer) {
            peer->seen = true;
            peer->file = file;
        }
    }
    for (int32_t i = 0; i < LITHE_VIEW_PEERS; i++)
        if (!w->peers[i].seen)
            w->peers[i] = (LitheViewPeer){0};
}

// Shuts the oldest connection if more than `max` wait; false: no more than `max` wait.
static bool drop_oldest(LitheViewWaiting *w, int32_t max) {
    LitheViewPeer *oldest = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < LITHE_VIEW_PEERS; i++) {
        LitheViewPeer *peer = &w->peers[i];
        if (!peer->address || peer->requested || peer->dropped)
            continue;
        count++;
        if (!oldest || peer->number < oldest->number)
            oldest = peer;
    }
    if (count <= max)
        return false;
    shutdown(oldest->file, SHUT_RDWR);
    oldest->dropped = true;
    return true;
}

void lithe_view_waiting_limit(LitheViewWaiting *w, uint16_t port, int32_t max) {
    pthread_mutex_lock(&w->lock);
    search(w, port);
    while (drop_oldest(w, max))
        ;
    pthread_mutex_unlock(&w->lock);
}

void lithe_view_waiting_requested(LitheViewWaiting *w, const char *address, uint16_t port) {
    struct in_addr number;
    if (inet_pton(AF_INET, address, &number) != 1)
        return;
    pthread_mutex_lock(&w->lock);
    LitheViewPeer *peer = find_peer(w, number.s_addr, port);
    if (peer)
        peer->requested = true;
    pthread_mutex_unlock(&w->lock);
}
