// SPDX-License-Identifier: Apache-2.0
// view/client.c - one connected page

#include "view/client.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/bytes.h"
#include "view/text.h"

#include <civetweb.h>
#include <string.h>
#include <time.h>

// default frames per second
#define DEFAULT_RATE 60.0

struct LitheViewClient {
    LitheViewShared *shared;
    struct mg_connection *connection;
    pthread_t sender;

    // under the lock of the hub
    bool gone;
    double rate;               // max frames per second
    char error_text[1024];     // message for the page; "": none
    int64_t next, last, every; // remaining frames of a replay to send

    // only used by the sending thread
    uint64_t failure_seen, status_seen, frame_seen;
    uint32_t resets_seen;
    bool framed; // it has received a frame
    double sent; // s, when the last frame was sent
};

// --- sending -------------------------------------------------------------------------------------

static bool send_bytes(LitheViewClient *client, int opcode, const void *data, int64_t bytes) {
    return mg_websocket_write(client->connection, opcode, data, (size_t)bytes) > 0;
}

static bool send_failure(LitheViewClient *client, const char *what) {
    LitheBytes text = {.context = client->shared->context};
    lithe_view_put(&text, "{\"is\":\"error\",\"text\":");
    lithe_view_put_quoted(&text, what);
    lithe_view_put(&text, "}");
    bool fine = !text.failed && send_bytes(client, MG_WEBSOCKET_OPCODE_TEXT, text.at, text.count);
    lithe_bytes_release(&text);
    return fine;
}

// sends a frame of a recording; damage is reported and ends the request
static bool send_recorded(LitheViewClient *client, int64_t number) {
    LitheViewShared *shared = client->shared;
    LitheViewFrame frame;
    LitheError error = {0};
    LitheViewBlob *blob = NULL;
    pthread_mutex_lock(&shared->reading);
    LitheStatus status = lithe_view_reader_read(shared->reader, number, &frame, &error);
    if (status == LITHE_OK) {
        const LitheViewScene *scene = shared->reader->scene;
        blob =
            lithe_view_blob_create(shared->context, lithe_view_frame_bytes(scene, frame.row_count));
        if (blob)
            lithe_view_frame_write(scene, &frame, blob->data);
    }
    pthread_mutex_unlock(&shared->reading);
    bool fine = blob ? send_bytes(client, MG_WEBSOCKET_OPCODE_BINARY, blob->data, blob->bytes)
                     : send_failure(client, status == LITHE_OK ? "out of memory" : error.text);
    lithe_view_blob_release(blob);
    return fine;
}

// Releases the lock while it sends, so that neither the run nor other pages wait.
static bool send_blob(LitheViewClient *client, int opcode, LitheViewBlob *blob) {
    atomic_fetch_add(&blob->users, 1);
    pthread_mutex_unlock(&client->shared->hub->lock);
    bool fine = send_bytes(client, opcode, blob->data, blob->bytes);
    lithe_view_blob_release(blob);
    pthread_mutex_lock(&client->shared->hub->lock);
    return fine;
}

// The first frame that this page gets after a reset has the flag for it.
static bool send_frame(LitheViewClient *client, LitheViewBlob *frame) {
    uint32_t resets = lithe_view_frame_resets(frame->data);
    if (resets == client->resets_seen)
        return send_blob(client, MG_WEBSOCKET_OPCODE_BINARY, frame);
    LitheViewBlob *marked = lithe_view_blob_create(client->shared->context, frame->bytes);
    if (!marked)
        return true;
    memcpy(marked->data, frame->data, (size_t)frame->bytes);
    if (client->framed)
        lithe_view_frame_mark_reset(marked->data);
    client->resets_seen = resets;
    bool fine = send_blob(client, MG_WEBSOCKET_OPCODE_BINARY, marked);
    lithe_view_blob_release(marked);
    return fine;
}

static void wait_until(LitheViewHub *hub, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t nanoseconds = until.tv_nsec + (int64_t)(seconds * 1e9);
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    pthread_cond_timedwait(&hub->news, &hub->lock, &until);
}

// Sends one message, or waits; the lock is held before and after. False: nothing more can be sent.
static bool send_next(LitheViewClient *client) {
    LitheViewHub *hub = client->shared->hub;
    bool fine = true;
    if (client->error_text[0]) {
        char what[sizeof client->error_text];
        memcpy(what, client->error_text, sizeof what);
        client->error_text[0] = '\0';
        pthread_mutex_unlock(&hub->lock);
        fine = send_failure(client, what);
        pthread_mutex_lock(&hub->lock);
    } else if (hub->failure_count != client->failure_seen) {
        client->failure_seen = hub->failure_count;
        fine = send_blob(client, MG_WEBSOCKET_OPCODE_TEXT, hub->failure);
    } else if (hub->status_count != client->status_seen) {
        client->status_seen = hub->status_count;
        fine = send_blob(client, MG_WEBSOCKET_OPCODE_TEXT, hub->status);
    } else if (client->next <= client->last) {
        int64_t number = client->next;
        client->next += client->every;
        pthread_mutex_unlock(&hub->lock);
        fine = send_recorded(client, number);
        pthread_mutex_lock(&hub->lock);
    } else if (hub->frame_count != client->frame_seen) {
        double now = lithe_clock(), due = client->sent + 1 / client->rate;
        if (now < due) {
            wait_until(hub, due - now);
        } else {
            client->sent = now;
            client->frame_seen = hub->frame_count;
            atomic_store(&hub->wanted, true);
            fine = send_frame(client, hub->frame);
            client->framed = true;
        }
    } else {
        pthread_cond_wait(&hub->news, &hub->lock);
    }
    return fine;
}

static void *send_all(void *user) {
    LitheViewClient *client = user;
    LitheViewShared *shared = client->shared;
    bool fine = send_bytes(client, MG_WEBSOCKET_OPCODE_TEXT, shared->hello, shared->hello_bytes);
    pthread_mutex_lock(&shared->hub->lock);
    while (fine && !client->gone && !shared->hub->closing)
        fine = send_next(client);
    bool closing = fine && !client->gone;
    client->gone = true;
    pthread_mutex_unlock(&shared->hub->lock);
    // once the page answers this, the server can stop without waiting for it
    if (closing)
        send_bytes(client, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, "\x03\xe9", 2);
    return NULL;
}

// --- begin and end -------------------------------------------------------------------------------

LitheViewClient *lithe_view_client_create(LitheViewShared *shared,
                                          struct mg_connection *connection) {
    LitheViewClient *client = lithe_alloc(shared->context, sizeof *client);
    if (!client)
        return NULL;
    *client = (LitheViewClient){
        .shared = shared, .connection = connection, .rate = DEFAULT_RATE, .last = -1, .every = 1};
    // errors of earlier requests are not for this page
    pthread_mutex_lock(&shared->hub->lock);
    client->failure_seen = shared->hub->failure_count;
    pthread_mutex_unlock(&shared->hub->lock);
    if (pthread_create(&client->sender, NULL, send_all, client) != 0) {
        lithe_free(shared->context, client);
        return NULL;
    }
    return client;
}

void lithe_view_client_destroy(LitheViewClient *client) {
    if (!client)
        return;
    LitheViewHub *hub = client->shared->hub;
    pthread_mutex_lock(&hub->lock);
    client->gone = true;
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
    pthread_join(client->sender, NULL);
    lithe_free(client->shared->context, client);
}

// --- requests of the page ------------------------------------------------------------------------

static void send_error(LitheViewClient *client, const char *what) {
    LitheViewHub *hub = client->shared->hub;
    pthread_mutex_lock(&hub->lock);
    strncpy(client->error_text, what, sizeof client->error_text - 1);
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
}

// Replaces the rest of an earlier request.
static void request_frames(LitheViewClient *client, const LitheViewMessage *message) {
    LitheViewHub *hub = client->shared->hub;
    if (message->last >= client->shared->reader->recording->frame_count) {
        send_error(client, "frames: 'to' is after the last frame");
        return;
    }
    pthread_mutex_lock(&hub->lock);
    client->next = message->from;
    client->last = message->last;
    client->every = message->every;
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
}

bool lithe_view_client_take(LitheViewClient *client, const char *text, size_t length) {
    LitheViewMessage message;
    LitheError error = {0};
    bool broken = false, live = client->shared->reader == NULL;
    LitheViewHub *hub = client->shared->hub;
    if (lithe_view_message_parse(text, length, &message, &broken, &error) != LITHE_OK) {
        if (!broken)
            send_error(client, error.text);
        return !broken;
    }
    if (message.request == LITHE_REQUEST_RATE) {
        pthread_mutex_lock(&hub->lock);
        client->rate = message.value;
        pthread_mutex_unlock(&hub->lock);
    } else if (message.request == LITHE_REQUEST_FRAMES && !live) {
        request_frames(client, &message);
    } else if (message.request == LITHE_REQUEST_FRAMES) {
        send_error(client, "frames: this is a run, whose frames are sent without a request");
    } else if (!live) {
        send_error(client, "this is a recording: it only sends frames");
    } else if (!lithe_view_hub_request(hub, &message)) {
        send_error(client, "too many messages at once: this one was ignored");
    }
    return true;
}
