// SPDX-License-Identifier: Apache-2.0
// view/live.h - a run with connected pages, which can pause it, pull on things and restart it

#ifndef LITHE_VIEW_LIVE_H
#define LITHE_VIEW_LIVE_H

#include "run/controls.h"
#include "run/watch.h"
#include "view/server.h"

typedef struct LitheViewLive LitheViewLive;

typedef struct LitheViewLiveDef {
    const char *address;     // NULL: 127.0.0.1
    int32_t port;            // 0: the default one, or any free one
    const char *token;       // NULL: a new one
    const char *assets;      // folder of the page
    const char *extra;       // more members of the description, each with a comma before; or NULL
    bool paused;             // begin paused
    bool stays;              // at its end the run waits until it is stopped, with or without pages
    bool embed;              // notebooks of this machine may show the page in a frame
    bool at_once;            // begin without a page, and end with the run
    double speed;            // initial multiple of real time; 0: as fast as possible
    LitheControls *controls; // keys of the scene, or NULL; must outlive the run

    /// Called when the server listens, from the thread of the run.
    void (*announce)(const char *url, void *user);
    /// Called when the run has ended and waits for its pages to close. May be NULL.
    void (*ended)(void *user);
    /// Called while the run waits, about every 50 ms; it may raise the stop flag. May be NULL.
    void (*idle)(void *user);
    /// Called between steps and while the run waits, at most about every 50 ms; it may raise the
    /// stop flag. May be NULL.
    void (*beat)(void *user);
    /// Called for requests that need the scene: sliders and recording. NULL: they are refused.
    LitheStatus (*ask)(void *user, LitheSession *session, const LitheViewMessage *message,
                       LitheError *error);
    void *user;
} LitheViewLiveDef;

/// Creates the observer of one run, for LitheRunDef.watch. The texts of `def` must outlive it. NULL
/// when out of memory.
LitheViewLive *lithe_view_live_create(LitheContext *context, const LitheViewLiveDef *def);
const LitheWatch *lithe_view_live_watch(const LitheViewLive *live);
/// Sends a message to all pages, from the thread of the run: an error, or a note.
void lithe_view_live_say(LitheViewLive *live, const char *text, bool bad);
void lithe_view_live_destroy(LitheViewLive *live);

#endif
