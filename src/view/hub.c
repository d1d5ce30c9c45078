// SPDX-License-Identifier: Apache-2.0
// view/hub.c - passes the newest frame of a run to its pages, and their requests to the run

#include "view/hub.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>
#include <time.h>

// --- blobs ---------------------------------------------------------------------------------------

LitheViewBlob *lithe_view_blob_create(LitheContext *context, int64_t bytes) {
    LitheViewBlob *blob = lithe_alloc(context, sizeof *blob + (size_t)bytes);
    if (!blob)
        return NULL;
    blob->context = context;
    atomic_init(&blob->users, 1);
    blob->bytes = bytes;
    return blob;
}

void lithe_view_blob_release(LitheViewBlob *blob) {
    if (blob && atomic_fetch_sub(&blob->users, 1) == 1)
        lithe_free(blob->context, blob);
}

// --- begin and end -------------------------------------------------------------------------------

LitheStatus lithe_view_hub_begin(LitheContext *context, LitheViewHub *hub, LitheError *error) {
    *hub = (LitheViewHub){.context = context};
    atomic_init(&hub->wanted, true);
    pthread_condattr_t clock;
    bool fine = pthread_condattr_init(&clock) == 0 &&
                pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 &&
                pthread_mutex_init(&hub->lock, NULL) == 0 &&
                pthread_cond_init(&hub->news, &clock) == 0 &&
                pthread_cond_init(&hub->requests, &clock) == 0;
    pthread_condattr_destroy(&clock);
    return fine ? LITHE_OK : lithe_fail_memory(error, "the hub of the viewer");
}

void lithe_view_hub_end(LitheViewHub *hub) {
    lithe_view_blob_release(hub->frame);
    lithe_view_blob_release(hub->status);
    lithe_view_blob_release(hub->failure);
    pthread_cond_destroy(&hub->news);
    pthread_cond_destroy(&hub->requests);
    pthread_mutex_destroy(&hub->lock);
}

// --- the run -------------------------------------------------------------------------------------

static void publish(LitheViewHub *hub, LitheViewBlob **slot, uint64_t *count, LitheViewBlob *blob) {
    if (!blob)
        return;
    pthread_mutex_lock(&hub->lock);
    LitheViewBlob *old = *slot;
    *slot = blob;
    ++*count;
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
    lithe_view_blob_release(old);
}

void lithe_view_hub_frame(LitheViewHub *hub, LitheViewBlob *frame) {
    atomic_store(&hub->wanted, false);
    publish(hub, &hub->frame, &hub->frame_count, frame);
}

void lithe_view_hub_status(LitheViewHub *hub, LitheViewBlob *status) {
    publish(hub, &hub->status, &hub->status_count, status);
}

void lithe_view_hub_failure(LitheViewHub *hub, LitheViewBlob *failure) {
    publish(hub, &hub->failure, &hub->failure_count, failure);
}

bool lithe_view_hub_take(LitheViewHub *hub, LitheViewMessage *message) {
    if (atomic_load_explicit(&hub->waiting, memory_order_relaxed) == 0)
        return false;
    pthread_mutex_lock(&hub->lock);
    bool found = hub->queued > 0;
    if (found) {
        *message = hub->queue[0];
        hub->queued--;
        memmove(hub->queue, hub->queue + 1, (size_t)hub->queued * sizeof *hub->queue);
        atomic_store(&hub->waiting, hub->queued);
    }
    pthread_mutex_unlock(&hub->lock);
    return found;
}

void lithe_view_hub_wait(LitheViewHub *hub, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t nanoseconds = until.tv_nsec + (int64_t)(seconds * 1e9);
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    pthread_mutex_lock(&hub->lock);
    if (hub->queued == 0)
        pthread_cond_timedwait(&hub->requests, &hub->lock, &until);
    pthread_mutex_unlock(&hub->lock);
}

void lithe_view_hub_close(LitheViewHub *hub) {
    pthread_mutex_lock(&hub->lock);
    atomic_store(&hub->closing, true);
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
}

// --- pages ---------------------------------------------------------------------------------------

bool lithe_view_hub_request(LitheViewHub *hub, const LitheViewMessage *message) {
    pthread_mutex_lock(&hub->lock);
    bool room = hub->queued < LITHE_VIEW_REQUESTS;
    // only the last position of a drag is needed
    LitheViewMessage *last = hub->queued > 0 ? &hub->queue[hub->queued - 1] : NULL;
    bool same = last && last->request == message->request &&
                (message->request == LITHE_REQUEST_MOVE ||
                 (message->request == LITHE_REQUEST_AXIS && last->axis == message->axis));
    if (same)
        *last = *message;
    else if (room)
        hub->queue[hub->queued++] = *message;
    atomic_store(&hub->waiting, hub->queued);
    pthread_cond_signal(&hub->requests);
    pthread_mutex_unlock(&hub->lock);
    return room || same;
}
