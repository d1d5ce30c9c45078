// SPDX-License-Identifier: Apache-2.0
// view/server.h - the page and its stream over HTTP and WebSocket (docs/viewer-stream.md)

#ifndef LITHE_VIEW_SERVER_H
#define LITHE_VIEW_SERVER_H

#include "view/hub.h"
#include "view/reader.h"

/// Tried when no port is requested; when it is in use, a free one is taken.
enum { LITHE_VIEW_PORT = 8127 };
/// Max connected pages; each has two threads.
enum { LITHE_VIEW_PAGES = 60 };

typedef struct LitheViewServer LitheViewServer;

typedef struct LitheViewServerDef {
    const char *address;     // NULL: 127.0.0.1
    int32_t port;            // 0: the default one, or any free one
    const char *token;       // NULL: a new one
    const char *assets;      // folder of the page
    bool embed;              // notebooks of this machine may show the page in a frame
    const char *description; // of the scene, JSON
    LitheViewHub *hub;       // of a live run; NULL: replay
    LitheViewReader *reader; // of a replay; NULL: live
    // a second recording, shown beside the first; NULL: none
    const char *second_description;
    LitheViewReader *second;
} LitheViewServerDef;

/// Serves until it is stopped, in its own threads. What `def` points to, except its texts, must
/// outlive the server.
LitheStatus lithe_view_server_start(LitheContext *context, const LitheViewServerDef *def,
                                    LitheViewServer **server, LitheError *error);

/// Disconnects all pages and waits for them. Accepts NULL.
void lithe_view_server_stop(LitheViewServer *server);

/// For users and tests: "http://127.0.0.1:8127/#token=...". Owned by the server.
const char *lithe_view_server_url(const LitheViewServer *server);

/// Whether an address can only be reached from this machine.
bool lithe_view_is_loopback(const char *address);

#endif
