// SPDX-License-Identifier: Apache-2.0
// view/client.h - one connected page: its requests, and the thread that sends to it

#ifndef LITHE_VIEW_CLIENT_H
#define LITHE_VIEW_CLIENT_H

#include "view/hub.h"
#include "view/reader.h"

struct mg_connection;

/// What all pages of a server share.
typedef struct LitheViewShared {
    LitheContext *context;
    LitheViewHub *hub;
    LitheViewReader *reader; // NULL: live
    pthread_mutex_t reading; // one page reads at a time
    char *hello;             // first message, JSON
    int64_t hello_bytes;
} LitheViewShared;

typedef struct LitheViewClient LitheViewClient;

/// Starts the sending thread. NULL when out of memory or threads.
LitheViewClient *lithe_view_client_create(LitheViewShared *shared,
                                          struct mg_connection *connection);

/// Handles a message. False: close the connection.
bool lithe_view_client_take(LitheViewClient *client, const char *text, size_t length);

/// Ends the thread and waits for it. Accepts NULL.
void lithe_view_client_destroy(LitheViewClient *client);

#endif
