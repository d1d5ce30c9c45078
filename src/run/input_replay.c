// SPDX-License-Identifier: Apache-2.0
// run/input_replay.c - repeats the inputs of a recording

#include "run/input.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/recording.h"
#include "run/session.h"

#include <math.h>
#include <string.h>

struct LitheInputReplay {
    LitheContext *context;
    LitheWatch watch;
    LitheRecording *recording;
    const double *rows; // [count][LITHE_INPUT_SIZE]
    int64_t count, next;
};

static LitheStatus begin(void *user, LitheSession *session, LitheError *error) {
    LitheInputReplay *replay = user;
    (void)error;
    const LitheLayout *own = session->out ? &session->journal.layout : &session->layout;
    if (strcmp(own->scene, replay->recording->layout.scene) != 0)
        lithe_log(replay->context, LITHE_LOG_WARNING,
                  "%s: its inputs belong to another scene, or to another version of this scene",
                  replay->recording->path);
    return LITHE_OK;
}

static LitheInput input_of(const double *row) {
    LitheInput input = {(LitheInputKind)row[1], (int32_t)row[2], (int32_t)row[3], {0}};
    memcpy(input.numbers, row + 4, sizeof input.numbers);
    return input;
}

static LitheWatchAnswer between_steps(void *user, LitheSession *session, bool at_end) {
    LitheInputReplay *replay = user;
    double now = (double)lithe_state_step(session->state);
    while (replay->next < replay->count) {
        const double *row = replay->rows + LITHE_INPUT_SIZE * replay->next;
        if (row[0] > now)
            break;
        LitheInput input = input_of(row);
        LitheError error = {0};
        if (lithe_input_apply(session, &input, &error) != LITHE_OK)
            lithe_log(replay->context, LITHE_LOG_WARNING, "%s: input %lld is ignored: %s",
                      replay->recording->path, (long long)replay->next, error.text);
        replay->next++;
    }
    if (!at_end)
        lithe_input_pull(session);
    return LITHE_WATCH_GO_ON;
}

static void end(void *user, LitheSession *session, LitheStatus status, const LitheError *error) {
    (void)user, (void)session, (void)status, (void)error;
}

// Checks that steps are in order, and that indices are whole numbers.
static bool is_valid(const double *rows, int64_t count) {
    double before = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *row = rows + LITHE_INPUT_SIZE * i;
        for (int k = 0; k < 4; k++)
            if (!(row[k] >= 0 && row[k] < (k == 0 ? 9e15 : 2e9) && row[k] == floor(row[k])))
                return false;
        if (row[0] < before)
            return false;
        before = row[0];
    }
    return true;
}

LitheStatus lithe_input_replay_create(LitheContext *context, const char *path,
                                      LitheInputReplay **replay, LitheError *error) {
    LitheInputReplay *made = lithe_alloc(context, sizeof *made);
    if (!made)
        return lithe_fail_memory(error, "the inputs of a recording");
    *made = (LitheInputReplay){
        .context = context,
        .watch = {.user = made, .begin = begin, .between_steps = between_steps, .end = end}};
    LitheStatus status = lithe_recording_open(context, path, &made->recording, error);
    if (status == LITHE_OK) {
        const LitheColumn *events = lithe_layout_find(&made->recording->layout, "inputs/events");
        bool there = events && events->values;
        if (there && (events->rank != 2 || events->dims[1] != LITHE_INPUT_SIZE ||
                      !is_valid(events->values, events->dims[0])))
            status = lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read 'inputs/events'",
                                path);
        else if (there) {
            made->rows = events->values;
            made->count = events->dims[0];
        } else {
            lithe_log(context, LITHE_LOG_WARNING, "%s: this run has no recorded inputs", path);
        }
    }
    if (status == LITHE_OK)
        *replay = made;
    else
        lithe_input_replay_destroy(made);
    return status;
}

const LitheWatch *lithe_input_replay_watch(const LitheInputReplay *replay) {
    return &replay->watch;
}

void lithe_input_replay_destroy(LitheInputReplay *replay) {
    if (!replay)
        return;
    lithe_recording_close(replay->recording);
    lithe_free(replay->context, replay);
}
