// SPDX-License-Identifier: Apache-2.0
// view/maker.c - thread that makes the frames of a live run

#include "view/maker.h"

#include "base/clock.h"
#include "base/status.h"
#include "run/session.h"

// --- one frame -----------------------------------------------------------------------------------

// When out of memory, the frame is omitted; the run continues.
static void make_frame(LitheViewMaker *maker) {
    LitheFrameSource source = {
        .model = maker->model, .state = maker->state, .report = &maker->report, .rows_kept = true};
    LitheEnergy energy;
    if (lithe_frame_fill(&source, maker->map, maker->numbers, &energy, NULL) != LITHE_OK)
        return;
    LitheViewFrame frame = {.numbers = maker->numbers,
                            .rows = maker->map->contacts.rows,
                            .row_count = maker->map->contacts.count,
                            .time = lithe_state_time(maker->state),
                            .number = (uint64_t)lithe_state_step(maker->state),
                            .flags = maker->flags,
                            .resets = maker->resets};
    LitheViewBlob *blob = lithe_view_blob_create(
        maker->context, lithe_view_frame_bytes(maker->scene, frame.row_count));
    if (!blob)
        return;
    lithe_view_frame_write(maker->scene, &frame, blob->data);
    lithe_view_hub_frame(maker->hub, blob);
}

static void *make_frames(void *user) {
    LitheViewMaker *maker = user;
    pthread_mutex_lock(&maker->lock);
    for (;;) {
        while (!atomic_load(&maker->busy) && !maker->closing)
            pthread_cond_wait(&maker->news, &maker->lock);
        if (!atomic_load(&maker->busy))
            break;
        pthread_mutex_unlock(&maker->lock);
        double began = lithe_clock();
        make_frame(maker);
        pthread_mutex_lock(&maker->lock);
        maker->seconds = lithe_clock() - began;
        atomic_store(&maker->busy, false);
        pthread_cond_broadcast(&maker->news);
    }
    pthread_mutex_unlock(&maker->lock);
    return NULL;
}

// --- the run -------------------------------------------------------------------------------------

bool lithe_view_maker_ready(LitheViewMaker *maker, double *seconds) {
    if (atomic_load(&maker->busy))
        return false;
    *seconds = maker->seconds;
    return true;
}

bool lithe_view_maker_give(LitheViewMaker *maker, const LitheSession *session, uint32_t flags,
                           uint32_t resets) {
    // before the first step contacts are not known
    const LitheWork *work = session->steps_made > 0 ? session->work : NULL;
    LitheContactRows *rows = &maker->map->contacts;
    if (rows->on && lithe_contact_rows_fill(session->model, work, rows, NULL) != LITHE_OK)
        return false;
    lithe_state_set(maker->state, lithe_state_data(session->state));
    maker->report = session->report;
    maker->flags = flags;
    maker->resets = resets;
    pthread_mutex_lock(&maker->lock);
    atomic_store(&maker->busy, true);
    pthread_cond_broadcast(&maker->news);
    pthread_mutex_unlock(&maker->lock);
    return true;
}

void lithe_view_maker_wait(LitheViewMaker *maker) {
    pthread_mutex_lock(&maker->lock);
    while (atomic_load(&maker->busy))
        pthread_cond_wait(&maker->news, &maker->lock);
    pthread_mutex_unlock(&maker->lock);
}

// --- begin and end -------------------------------------------------------------------------------

LitheStatus lithe_view_maker_begin(LitheViewMaker *maker, const LitheSession *session,
                                   LitheError *error) {
    maker->model = session->model;
    maker->state = lithe_state_copy(session->state);
    if (!maker->state)
        return lithe_fail_memory(error, "the state for the viewer");
    pthread_mutex_init(&maker->lock, NULL);
    pthread_cond_init(&maker->news, NULL);
    maker->running = pthread_create(&maker->thread, NULL, make_frames, maker) == 0;
    return maker->running ? LITHE_OK : lithe_fail_memory(error, "the thread of the viewer");
}

void lithe_view_maker_end(LitheViewMaker *maker) {
    if (maker->running) {
        pthread_mutex_lock(&maker->lock);
        maker->closing = true;
        pthread_cond_broadcast(&maker->news);
        pthread_mutex_unlock(&maker->lock);
        pthread_join(maker->thread, NULL);
    }
    if (maker->state) {
        pthread_cond_destroy(&maker->news);
        pthread_mutex_destroy(&maker->lock);
    }
    lithe_state_destroy(maker->state);
    *maker = (LitheViewMaker){0};
}
