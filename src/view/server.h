// SPDX-License-Identifier: Apache-2.0
// view/server.h - the page and its stream over HTTP and WebSocket (docs/viewer-stream.md)

#ifndef LITHE_VIEW_SERVER_H
#define LITHE_VIEW_SERVER_H

#include "view/hub.h"
#include "view/reader.h"

/// Tried when no port is asked for; when it is taken, a free one is used.
enum { LITHE_VIEW_PORT = 8127 };
/// Pages at a time; each has two threads.
enum { LITHE_VIEW_PAGES = 60 };

typedef struct LitheViewServer LitheViewServer;

typedef struct LitheViewServerDef {
    const char *address;     // NULL: 127.0.0.1
    int32_t port;            // 0: the usual one, or any that is free
    const char *assets;      // folder of the page
    const char *description; // of the scene, JSON
    LitheViewHub *hub;       // of a live run; NULL: replay
    LitheViewReader *reader; // of a replay; NULL: live
} LitheViewServerDef;

/// Serves until it is stopped, with threads of its own. What `def` points to, but for its texts,
/// lives longer.
LitheStatus lithe_view_server_start(LitheContext *context, const LitheViewServerDef *def,
                                    LitheViewServer **server, LitheError *error);

/// Sends all pages away and waits for them. Accepts NULL.
void lithe_view_server_stop(LitheViewServer *server);

/// For people and tests: "http://127.0.0.1:8127/#token=...". Belongs to the server.
const char *lithe_view_server_url(const LitheViewServer *server);

/// Whether an address is reached from this machine only.
bool lithe_view_is_loopback(const char *address);

int32_t lithe_view_server_viewers(const LitheViewServer *server);

#endif
