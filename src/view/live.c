// SPDX-License-Identifier: Apache-2.0
// view/live.c - between two steps: requests of pages, the newest frame, and the playback speed

#include "view/live.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"
#include "run/input.h"
#include "run/session.h"
#include "view/maker.h"
#include "view/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// s of wall time: frames at the rate of screens, status at a readable rate
#define FRAME_SECONDS (1.0 / 60)
#define STATUS_SECONDS 0.25
// frames that take long are less frequent: copying the state takes at most a hundredth of the
// run's time, computing the frame at most a fifth of the time of its thread
#define GIVE_FRACTION 100
#define MAKE_FRACTION 5
// s; a run that lags behind its speed by more than this does not catch up
#define LAG_SECONDS 0.1
// s; interval of checks of the stop flag while idle
#define IDLE_SECONDS 0.05

struct LitheViewLive {
    LitheContext *context;
    LitheViewLiveDef def;
    LitheWatch watch;

    LitheRecording *recording; // columns of the frames, without a file
    LitheFrameMap map;
    double *numbers;
    LitheViewScene *scene;
    LitheViewHub hub;
    bool hub_made;
    LitheViewMaker maker;
    LitheViewServer *server;

    // requests of pages
    bool paused;
    double speed;
    int64_t steps_left; // steps until the next pause; 0: no such request
    bool reset_requested;

    // status
    bool page_seen, ended, end_reported, changed;
    uint32_t resets;
    int32_t viewers;
    int64_t framed; // step of the last frame sent; -1: none
    double frame_due, status_due, beat_due;
    double speed_wall, speed_time; // wall and simulated time at which the current speed was set
    double rate_wall, rate_time, rate;
};

// --- frames and status ---------------------------------------------------------------------------

static uint32_t flags_of(const LitheViewLive *live) {
    return (live->paused ? (uint32_t)LITHE_VIEW_PAUSED : 0) |
           (live->ended ? (uint32_t)LITHE_VIEW_ENDED : 0);
}

// Passes the state to the maker of frames; when out of memory, this frame is omitted.
static void send_frame(LitheViewLive *live, const LitheSession *session) {
    if (lithe_view_maker_give(&live->maker, session, flags_of(live), live->resets))
        live->framed = lithe_state_step(session->state);
}

// NULL when out of memory; releases the text
static LitheViewBlob *blob_of(LitheViewLive *live, LitheBytes *text) {
    LitheViewBlob *blob = text->failed ? NULL : lithe_view_blob_create(live->context, text->count);
    if (blob)
        memcpy(blob->data, text->at, (size_t)text->count);
    lithe_bytes_release(text);
    return blob;
}

static void send_status(LitheViewLive *live, const LitheSession *session, double now) {
    double time = lithe_state_time(session->state);
    if (now - live->rate_wall > 0.1) {
        live->rate = fmax(0, (time - live->rate_time) / (now - live->rate_wall));
        live->rate_wall = now;
        live->rate_time = time;
    }
    const LitheTotals *totals = &session->totals;
    LitheBytes text = {.context = live->context};
    lithe_view_put(&text, "{\"is\":\"status\",\"time\":");
    lithe_view_put_number(&text, time);
    lithe_view_put(&text, ",\"step\":%lld,\"rate\":", (long long)lithe_state_step(session->state));
    lithe_view_put_number(&text, live->paused ? 0 : live->rate);
    lithe_view_put(&text, ",\"speed\":");
    lithe_view_put_number(&text, live->speed);
    lithe_view_put(&text,
                   ",\"paused\":%s,\"ended\":%s,\"contacts\":%d,\"newton\":%d,\"passes\":%d,"
                   "\"unconverged\":%lld,\"cut\":%lld,\"viewers\":%d,\"grabbed\":%s}",
                   live->paused ? "true" : "false", live->ended ? "true" : "false",
                   (int)session->report.contacts, (int)session->report.newton_iterations,
                   (int)session->report.passes,
                   (long long)(totals->steps_unconverged + totals->solve_unconverged),
                   (long long)totals->steps_cut, (int)live->viewers,
                   session->grab.on ? "true" : "false");
    lithe_view_hub_status(&live->hub, blob_of(live, &text));
}

void lithe_view_live_say(LitheViewLive *live, const char *what, bool bad) {
    if (!live->hub_made)
        return;
    LitheBytes text = {.context = live->context};
    lithe_view_put(&text, "{\"is\":\"%s\",\"text\":", bad ? "error" : "note");
    lithe_view_put_quoted(&text, what);
    lithe_view_put(&text, "}");
    lithe_view_hub_failure(&live->hub, blob_of(live, &text));
}

static void send_trouble(LitheViewLive *live, const char *what) {
    lithe_view_live_say(live, what, true);
}

// --- requests ------------------------------------------------------------------------------------

static void set_speed_origin(LitheViewLive *live, const LitheSession *session) {
    live->speed_wall = lithe_clock();
    live->speed_time = lithe_state_time(session->state);
    live->changed = true;
}

// Pages of version 1 use numbers of tubes and bodies; others use names of things.
static LitheStatus grab(LitheViewLive *live, LitheSession *session, const LitheViewMessage *message,
                        LitheError *error) {
    const LitheRecording *recording = live->recording;
    const char *thing = message->thing;
    int32_t part = message->part;
    if (!thing[0] && message->body >= 0 && message->body < recording->body_count) {
        thing = recording->bodies[message->body].name;
    } else if (!thing[0] && message->body < 0 && message->rod < recording->tube_count) {
        thing = recording->tubes[message->rod].name;
        part = message->node;
    } else if (!thing[0]) {
        return lithe_fail(error, LITHE_BAD_INPUT, "grab: no such thing");
    }
    LitheInput input;
    LitheStatus status =
        lithe_input_grab(session->model, thing, part, message->at, message->to, &input, error);
    if (status != LITHE_OK)
        return status;
    return lithe_input_apply(session, &input, error);
}

static LitheStatus act(LitheViewLive *live, LitheSession *session, const LitheViewMessage *message,
                       LitheError *error) {
    LitheInput input = {.kind = LITHE_INPUT_RELEASE};
    switch (message->request) {
    case LITHE_REQUEST_GRAB:
        return grab(live, session, message, error);
    case LITHE_REQUEST_MOVE:
        input.kind = LITHE_INPUT_MOVE;
        memcpy(input.numbers + 3, message->to, sizeof message->to);
        break;
    case LITHE_REQUEST_RELEASE:
        break;
    case LITHE_REQUEST_KEY:
        return live->def.controls ? lithe_controls_key(live->def.controls, session, message->key,
                                                       message->down, error)
                                  : LITHE_OK;
    default:
        return live->def.controls ? lithe_controls_axis(live->def.controls, session, message->axis,
                                                        message->value, error)
                                  : LITHE_OK;
    }
    // another page may have released the object: then the move has no effect
    return session->grab.on ? lithe_input_apply(session, &input, error) : LITHE_OK;
}

static void grant(LitheViewLive *live, LitheSession *session, const LitheViewMessage *message) {
    LitheError error = {0};
    switch (message->request) {
    case LITHE_REQUEST_GRAB:
    case LITHE_REQUEST_MOVE:
    case LITHE_REQUEST_RELEASE:
    case LITHE_REQUEST_KEY:
    case LITHE_REQUEST_AXIS:
        if (act(live, session, message, &error) != LITHE_OK)
            send_trouble(live, error.text);
        return;
    case LITHE_REQUEST_SLIDER:
    case LITHE_REQUEST_RECORD:
        if (!live->def.ask)
            send_trouble(live, "only a scene that was opened by `lithe view` can be changed");
        else if (live->def.ask(live->def.user, session, message, &error) != LITHE_OK)
            send_trouble(live, error.text);
        return;
    case LITHE_REQUEST_PLAY:
    case LITHE_REQUEST_PAUSE:
        live->paused = message->request == LITHE_REQUEST_PAUSE;
        live->steps_left = 0;
        break;
    case LITHE_REQUEST_STEP:
        live->paused = false;
        live->steps_left = message->count;
        break;
    case LITHE_REQUEST_SPEED:
        live->speed = message->value;
        break;
    case LITHE_REQUEST_RESET:
        live->reset_requested = true;
        break;
    default: // requests of one page alone are handled elsewhere
        break;
    }
    set_speed_origin(live, session);
}

// --- between two steps ---------------------------------------------------------------------------

static bool is_stopped(const LitheSession *session) {
    return session->def->stop && *session->def->stop;
}

// Sends what is due; changes are sent immediately.
static void publish_status(LitheViewLive *live, const LitheSession *session, double now) {
    int32_t viewers = (int32_t)atomic_load_explicit(&live->hub.viewers, memory_order_relaxed);
    // pages that connect later need a frame, too
    if (viewers > live->viewers)
        live->changed = true;
    live->page_seen |= viewers > 0;
    bool moved = lithe_state_step(session->state) != live->framed;
    // no frames while no page reads
    double made = 0;
    bool due = moved && now >= live->frame_due && atomic_load(&live->hub.wanted);
    // after a change, waits until the previous frame is complete
    if (viewers > 0 && live->changed)
        lithe_view_maker_wait(&live->maker);
    if (viewers > 0 && (live->changed || due) && lithe_view_maker_ready(&live->maker, &made)) {
        send_frame(live, session);
        double gave = lithe_clock() - now;
        live->frame_due =
            now + fmax(FRAME_SECONDS, fmax(GIVE_FRACTION * gave, MAKE_FRACTION * made));
    }
    if (live->changed || viewers != live->viewers || (viewers > 0 && now >= live->status_due)) {
        live->viewers = viewers;
        send_status(live, session, now);
        live->status_due = now + STATUS_SECONDS;
    }
    live->changed = false;
}

// s to wait before the next step; 0: none
static double too_early(LitheViewLive *live, const LitheSession *session, double now) {
    if (live->speed == 0 || live->steps_left > 0)
        return 0;
    double time = lithe_state_time(session->state);
    double due = live->speed_wall + (time - live->speed_time) / live->speed;
    if (now - due > LAG_SECONDS) {
        live->speed_wall = now;
        live->speed_time = time;
    }
    return due > now ? due - now : 0;
}

// Whether the next step, or the end, has to wait, and the max wait [s].
static double hold(LitheViewLive *live, const LitheSession *session, bool at_end, double now) {
    if (!live->page_seen && !live->def.at_once)
        return IDLE_SECONDS;
    if (at_end && live->def.stays)
        return IDLE_SECONDS;
    if (at_end)
        return live->viewers > 0 && !live->def.at_once ? IDLE_SECONDS : 0;
    if (live->paused)
        return IDLE_SECONDS;
    return fmin(too_early(live, session, now), IDLE_SECONDS);
}

static void release_pulls(LitheViewLive *live, LitheSession *session) {
    const LitheInput release = {.kind = LITHE_INPUT_RELEASE};
    if (session->grab.on)
        lithe_input_apply(session, &release, NULL);
    if (live->def.controls)
        lithe_controls_idle(live->def.controls, session, NULL);
}

static LitheWatchAnswer between_steps(void *user, LitheSession *session, bool at_end) {
    LitheViewLive *live = user;
    for (;;) {
        LitheViewMessage message;
        while (lithe_view_hub_take(&live->hub, &message))
            grant(live, session, &message);
        if (live->reset_requested) {
            live->reset_requested = false;
            live->ended = live->end_reported = false;
            live->changed = true;
            live->resets++;
            live->speed_wall = lithe_clock();
            live->speed_time = live->rate_time = 0;
            live->framed = -1;
            for (int32_t i = 0; live->def.controls && i < live->def.controls->count; i++)
                live->def.controls->list[i].level = 0;
            return LITHE_WATCH_RESET;
        }
        if (at_end != live->ended) {
            live->ended = at_end;
            live->changed = true;
        }
        double now = lithe_clock();
        publish_status(live, session, now);
        if (live->def.beat && now >= live->beat_due) {
            live->def.beat(live->def.user);
            live->beat_due = lithe_clock() + IDLE_SECONDS;
        }
        double wait = is_stopped(session) ? 0 : hold(live, session, at_end, now);
        if (wait == 0)
            break;
        if (at_end && live->page_seen && !live->end_reported && live->def.ended)
            live->def.ended(live->def.user);
        live->end_reported |= at_end;
        lithe_view_hub_wait(&live->hub, wait);
        if (live->def.idle)
            live->def.idle(live->def.user);
        session->waited += lithe_clock() - now;
    }
    if (live->steps_left > 0 && --live->steps_left == 0)
        live->paused = live->changed = true;
    // releases what was grabbed: when pages are gone, and when the run is over or saved
    bool over = at_end || is_stopped(session);
    if (over || live->viewers == 0)
        release_pulls(live, session);
    if (!over)
        lithe_input_pull(session);
    return LITHE_WATCH_GO_ON;
}

// --- begin and end -------------------------------------------------------------------------------

// Whether a quantity that is recorded only on request can be shown as colours: one number per
// point, or the two components of a bending moment.
static bool can_colour(const LitheOwner *owner, const LitheQuantity *quantity) {
    if (quantity->always || !owner->folder || !owner->axis_size)
        return false;
    const char *axis = quantity->axes + strcspn(quantity->axes, " ");
    const char *more = *axis ? strchr(axis + 1, ' ') : NULL;
    return *axis && (!more || strcmp(more, " m1m2") == 0);
}

// Requests these quantities of all things: "rope.speed", "rope.moment", ..
static LitheStatus request_colours(const LitheModel *model, LitheBytes *names, int32_t *count) {
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++)
        for (const LitheQuantity *quantity = (*owner)->quantities; quantity->name; quantity++) {
            if (!can_colour(*owner, quantity))
                continue;
            for (int32_t i = 0; i < (*owner)->count(model); i++) {
                const char *name = (*owner)->name(model, i);
                lithe_bytes_put(names, name, (int64_t)strlen(name));
                lithe_bytes_put(names, ".", 1);
                lithe_bytes_put(names, quantity->name, (int64_t)strlen(quantity->name) + 1);
                ++*count;
            }
        }
    return names->failed ? LITHE_NO_MEMORY : LITHE_OK;
}

// The columns of a recording, and also those that can be shown as colours.
static LitheStatus make_columns(LitheViewLive *live, const LitheSession *session,
                                LitheError *error) {
    const LitheModel *model = session->model;
    LitheContext *context = live->context;
    const LitheLayout *own = session->out ? &session->journal.layout : &session->layout;
    LitheLayout layout = {.context = context, .end = session->end};
    layout.title = lithe_alloc_text(context, own->title);
    layout.scene = lithe_alloc_text(context, "");
    layout.version = lithe_alloc_text(context, lithe_version());
    LitheBytes names = {.context = context};
    int32_t count = 0;
    LitheStatus status = request_colours(model, &names, &count);
    const char **also = lithe_alloc_array(context, count, sizeof *also);
    if (!layout.title || !layout.scene || !layout.version || !also || status != LITHE_OK)
        status = lithe_fail_memory(error, "the viewer");
    const char *name = (const char *)names.at;
    for (int32_t i = 0; status == LITHE_OK && i < count; i++, name += strlen(name) + 1)
        also[i] = name;
    LitheRecordDef record = {.also = (void *)also, .also_count = count};
    if (status == LITHE_OK)
        status = lithe_frame_layout(model, &record, &layout, &live->map, error);
    if (status == LITHE_OK)
        status = lithe_recording_of_layout("the viewer", &layout, &live->recording, error);
    lithe_layout_release(&layout);
    lithe_bytes_release(&names);
    lithe_free(context, also);
    return status;
}

// {"keys":[{"key":"a","does":"left: 0.1 m/s"}],"axes":[{"axis":0,"does":"..."}]}
static void describe_controls(const LitheControls *controls, LitheBytes *text) {
    for (int keys = 1; keys >= 0; keys--) {
        bool first = true;
        lithe_view_put(text, keys ? "{\"keys\":[" : "],\"axes\":[");
        for (int32_t i = 0; i < controls->count; i++) {
            const LitheControl *control = &controls->list[i];
            if ((control->key != NULL) != keys)
                continue;
            lithe_view_put(text, first ? "{" : ",{");
            first = false;
            if (keys) {
                lithe_view_put(text, "\"key\":");
                lithe_view_put_quoted(text, control->key);
            } else {
                lithe_view_put(text, "\"axis\":%d", (int)control->axis);
            }
            lithe_view_put(text, ",\"does\":");
            lithe_view_put_quoted(text, control->does);
            lithe_view_put(text, "}");
        }
    }
    lithe_view_put(text, "]}");
    lithe_bytes_put(text, "", 1);
}

static LitheStatus make_scene(LitheViewLive *live, const LitheSession *session,
                              LitheBytes *description, LitheError *error) {
    LitheStatus status = make_columns(live, session, error);
    if (status == LITHE_OK)
        status = lithe_view_scene_create(live->recording, true, &live->scene, error);
    if (status != LITHE_OK)
        return status;
    live->numbers = lithe_alloc_array(live->context, live->scene->number_count, sizeof(double));
    LitheFrameSource source = {
        .model = session->model, .state = session->state, .report = &session->report};
    LitheEnergy energy;
    if (!live->numbers ||
        lithe_frame_fill(&source, &live->map, live->numbers, &energy, NULL) != LITHE_OK)
        return lithe_fail_memory(error, "the viewer");
    lithe_view_bounds(live->scene, live->numbers);
    LitheBytes controls = {.context = live->context};
    if (live->def.controls)
        describe_controls(live->def.controls, &controls);
    if (!controls.failed)
        status = lithe_view_scene_describe(live->scene, "live", (const char *)controls.at,
                                           description, error);
    description->failed |= controls.failed;
    lithe_bytes_release(&controls);
    if (live->def.extra && description->count > 0) {
        description->count--; // the bracket that ends it
        lithe_bytes_put(description, live->def.extra, (int64_t)strlen(live->def.extra));
        lithe_bytes_put(description, "}", 1);
    }
    lithe_bytes_put(description, "", 1);
    return status == LITHE_OK && description->failed ? lithe_fail_memory(error, "the viewer")
                                                     : status;
}

static LitheStatus begin(void *user, LitheSession *session, LitheError *error) {
    LitheViewLive *live = user;
    LitheBytes description = {.context = live->context};
    LitheStatus status = make_scene(live, session, &description, error);
    if (status == LITHE_OK)
        status = lithe_view_hub_begin(live->context, &live->hub, error);
    live->hub_made = status == LITHE_OK;
    live->maker = (LitheViewMaker){.context = live->context,
                                   .hub = &live->hub,
                                   .scene = live->scene,
                                   .map = &live->map,
                                   .numbers = live->numbers};
    if (status == LITHE_OK)
        status = lithe_view_maker_begin(&live->maker, session, error);
    LitheViewServerDef def = {.address = live->def.address,
                              .port = live->def.port,
                              .token = live->def.token,
                              .assets = live->def.assets,
                              .embed = live->def.embed,
                              .description = (const char *)description.at,
                              .hub = &live->hub};
    if (status == LITHE_OK)
        status = lithe_view_server_start(live->context, &def, &live->server, error);
    lithe_bytes_release(&description);
    if (status != LITHE_OK)
        return status;
    live->framed = -1;
    live->rate_time = lithe_state_time(session->state);
    live->rate_wall = lithe_clock();
    set_speed_origin(live, session);
    if (live->def.announce)
        live->def.announce(lithe_view_server_url(live->server), live->def.user);
    return LITHE_OK;
}

static void end(void *user, LitheSession *session, LitheStatus status, const LitheError *error) {
    LitheViewLive *live = user;
    if (live->server && status != LITHE_OK && error) {
        // error and last frame; pages that read get them before the connection closes
        send_trouble(live, error->text);
        live->ended = true;
        lithe_view_maker_wait(&live->maker);
        send_frame(live, session);
        lithe_view_maker_wait(&live->maker);
        lithe_view_hub_wait(&live->hub, IDLE_SECONDS);
    }
    lithe_view_maker_end(&live->maker);
    lithe_view_server_stop(live->server);
    live->server = NULL;
    if (live->hub_made)
        lithe_view_hub_end(&live->hub);
    live->hub_made = false;
    lithe_view_scene_destroy(live->scene);
    lithe_recording_close(live->recording);
    lithe_frame_map_release(&live->map);
    lithe_free(live->context, live->numbers);
    live->scene = NULL;
    live->recording = NULL;
    live->numbers = NULL;
}

LitheViewLive *lithe_view_live_create(LitheContext *context, const LitheViewLiveDef *def) {
    LitheViewLive *live = lithe_alloc(context, sizeof *live);
    if (!live)
        return NULL;
    live->context = context;
    live->def = *def;
    live->map.context = context;
    live->speed = def->speed;
    live->paused = def->paused;
    live->watch =
        (LitheWatch){.user = live, .begin = begin, .between_steps = between_steps, .end = end};
    return live;
}

const LitheWatch *lithe_view_live_watch(const LitheViewLive *live) {
    return &live->watch;
}

void lithe_view_live_destroy(LitheViewLive *live) {
    if (live)
        lithe_free(live->context, live);
}
