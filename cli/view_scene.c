// SPDX-License-Identifier: Apache-2.0
// cli/view_scene.c - lithe view SCENE: a scene in the browser before it runs, again after each
// change
//
// The scene is loaded and its run waits at the start, paused. When the file, a slider or the record
// button changes what to run, the run is stopped and another one begins at the same address; pages
// reconnect by themselves. A file with an error leaves the last good scene on the screen.

#include "cli/cli.h"
#include "cli/scene_extra.h"

#include "base/memory.h"
#include "run/input.h"
#include "run/session.h"
#include "scene/scene.h"
#include "view/guard.h"
#include "view/live.h"
#include "view/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// s between two looks at a file with an error
#define LOOK_SECONDS 0.1

typedef struct Changed {
    char *name;
    char text[96]; // an override, or
    double value;  // the position of a joint
    bool joint;
} Changed;

typedef struct Desk {
    LitheContext *context;
    const char *path;
    LitheCliView *view;
    char token[LITHE_VIEW_TOKEN_CAPACITY];
    char page[PATH_MAX + 32];
    const char *assets; // folder of the page
    bool announced;
    int32_t generation;                          // number of the run, from 1
    char carried[sizeof((LitheError *)0)->text]; // why the run before stopped; empty: it did not
    Changed *changes;                            // by sliders
    int32_t change_count, change_capacity;
    LitheBytes messages; // warnings of the file, JSON objects

    // of the current run
    LitheScene *scene;
    LitheCliSliders sliders;
    LitheViewLive *live;
    uint64_t files;   // signature of the files that it was read from
    uint64_t refused; // signature of a later version that has an error; 0: none
    volatile sig_atomic_t stop;
    bool over;      // the user has stopped the program
    bool recording; // the run writes `out`
    bool written;   // `out` is complete
    char out[PATH_MAX];
} Desk;

// --- files ---------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(1099511628211); // FNV-1a, by words
}

static uint64_t sign_file(const char *path, uint64_t hash) {
    struct stat info;
    if (stat(path, &info) != 0)
        return mix(hash, 1);
    hash = mix(hash, (uint64_t)info.st_mtim.tv_sec);
    hash = mix(hash, (uint64_t)info.st_mtim.tv_nsec);
    return mix(mix(hash, (uint64_t)info.st_size), (uint64_t)info.st_ino);
}

// of the scene file and all files that it refers to
static uint64_t sign_files(const Desk *desk, const LitheScene *scene) {
    uint64_t hash = sign_file(desk->path, UINT64_C(14695981039346656037));
    for (int32_t i = 0; scene && i < scene->input_count; i++)
        hash = sign_file(scene->inputs[i], hash);
    return hash;
}

static LitheStatus load(Desk *desk, LitheScene **scene, LitheError *error) {
    const char **sets = calloc((size_t)desk->change_count + 1, sizeof *sets);
    int32_t count = 0;
    if (!sets) {
        *error = (LitheError){.status = LITHE_NO_MEMORY, .text = "out of memory: overrides"};
        return LITHE_NO_MEMORY;
    }
    for (int32_t i = 0; i < desk->change_count; i++)
        if (!desk->changes[i].joint)
            sets[count++] = desk->changes[i].text;
    LitheStatus status = lithe_scene_load(desk->context, desk->path, sets, count, scene, error);
    free((void *)sets);
    for (int32_t i = 0; status == LITHE_OK && i < desk->change_count; i++)
        for (int32_t j = 0; desk->changes[i].joint && j < (*scene)->joint_count; j++)
            if (strcmp((*scene)->joints[j].name, desk->changes[i].name) == 0)
                (*scene)->joints[j].position = desk->changes[i].value;
    if (status == LITHE_OK)
        status = lithe_scene_check(*scene, error);
    return status;
}

static void keep_warning(LitheLogLevel level, const char *text, void *user) {
    Desk *desk = user;
    if (level == LITHE_LOG_WARNING)
        lithe_cli_put_message(&desk->messages, text, true);
    fprintf(stderr, "lithe: %s%s\n", level == LITHE_LOG_WARNING ? "warning: " : "", text);
}

// --- between two steps ---------------------------------------------------------------------------

static void begin_again(Desk *desk) {
    desk->stop = 1;
}

// A changed file is tried at once; only a good one replaces the run.
static void look_at_files(Desk *desk) {
    uint64_t now = sign_files(desk, desk->scene);
    if (now == desk->files || now == desk->refused)
        return;
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheStatus status = load(desk, &scene, &error);
    lithe_scene_destroy(scene);
    desk->refused = status == LITHE_OK ? 0 : now;
    if (status == LITHE_OK) {
        begin_again(desk);
        return;
    }
    lithe_cli_complain("%s", error.text);
    lithe_view_live_say(desk->live, error.text, true);
}

static void beat(void *user) {
    Desk *desk = user;
    if (*lithe_cli_stop()) {
        desk->over = true;
        desk->stop = 1;
        return;
    }
    look_at_files(desk);
}

// --- recording -----------------------------------------------------------------------------------

// "folder/knot.yaml" makes "knot.h5" in the current folder, or "knot-2.h5", .. : none is replaced
static void choose_out(Desk *desk) {
    const char *slash = strrchr(desk->path, '/');
    const char *name = slash ? slash + 1 : desk->path;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    for (int k = 1;; k++) {
        char number[16] = "";
        if (k > 1)
            snprintf(number, sizeof number, "-%d", k);
        snprintf(desk->out, sizeof desk->out, "%.*s%s.h5", length, name, number);
        if (access(desk->out, F_OK) != 0)
            return;
    }
}

static void remove_beside(const char *out, const char *ending) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s%s", out, ending);
    unlink(path);
}

// Makes the recording from the journal so far; the run continues.
static void write_recording(Desk *desk) {
    if (!desk->recording || desk->written)
        return;
    LitheError error = {0};
    int64_t frames = 0;
    char text[PATH_MAX + 64];
    bool fine = lithe_recover(desk->context, desk->out, &frames, &error) == LITHE_OK;
    if (fine)
        snprintf(text, sizeof text, "Recorded %s, %lld frames", desk->out, (long long)frames);
    else
        snprintf(text, sizeof text, "%s", error.text);
    desk->written = fine;
    fprintf(stderr, "lithe: %s\n", text);
    if (desk->live)
        lithe_view_live_say(desk->live, text, !fine);
}

static void at_end(void *user) {
    write_recording(user);
}

// --- requests of pages ---------------------------------------------------------------------------

static LitheStatus fail(LitheError *error, const char *text) {
    *error = (LitheError){.status = LITHE_BAD_INPUT};
    snprintf(error->text, sizeof error->text, "%s", text);
    return LITHE_BAD_INPUT;
}

static bool change(Desk *desk, const LitheCliSlider *slider, double value) {
    Changed *found = NULL;
    bool joint = slider->kind == LITHE_CLI_SLIDER_JOINT;
    for (int32_t i = 0; i < desk->change_count; i++)
        if (desk->changes[i].joint == joint && strcmp(desk->changes[i].name, slider->name) == 0)
            found = &desk->changes[i];
    if (!found) {
        char *name = lithe_alloc_text(desk->context, slider->name);
        if (!name || !LITHE_RESERVE(desk->context, desk->changes, desk->change_capacity,
                                    desk->change_count + 1)) {
            lithe_free(desk->context, name);
            return false;
        }
        found = &desk->changes[desk->change_count++];
        *found = (Changed){.name = name, .joint = joint};
    }
    found->value = value;
    int length = snprintf(found->text, sizeof found->text, "parameters.%s=%.9g %s", slider->name,
                          value, slider->unit);
    return joint || length < (int)sizeof found->text;
}

static LitheStatus slide(Desk *desk, LitheSession *session, const LitheViewMessage *message,
                         LitheError *error) {
    if (message->count >= desk->sliders.count)
        return fail(error, "slider: there is none with this number");
    const LitheCliSlider *slider = &desk->sliders.list[message->count];
    double slack = 1e-6 * (slider->high - slider->low);
    if (!(message->value >= slider->low - slack && message->value <= slider->high + slack)) {
        *error = (LitheError){.status = LITHE_BAD_INPUT};
        snprintf(error->text, sizeof error->text,
                 "slider %.200s: value is %g, must be from %g to %g", slider->name, message->value,
                 slider->low, slider->high);
        return LITHE_BAD_INPUT;
    }
    if (slider->kind == LITHE_CLI_SLIDER_ACTUATOR) {
        LitheInput input = {.kind = LITHE_INPUT_TARGET, .index = slider->index};
        input.numbers[0] = message->value;
        return lithe_input_apply(session, &input, error);
    }
    if (!change(desk, slider, message->value))
        return fail(error, "slider: the name is too long, or out of memory");
    // a value that the scene refuses is taken back
    LitheScene *scene = NULL;
    LitheStatus status = load(desk, &scene, error);
    lithe_scene_destroy(scene);
    if (status == LITHE_OK)
        begin_again(desk);
    else
        lithe_free(desk->context, desk->changes[--desk->change_count].name);
    return status;
}

static LitheStatus ask(void *user, LitheSession *session, const LitheViewMessage *message,
                       LitheError *error) {
    Desk *desk = user;
    if (message->request == LITHE_REQUEST_SLIDER)
        return slide(desk, session, message, error);
    if (!message->down) {
        if (!desk->recording || desk->written)
            return fail(error, "record: nothing is being recorded");
        write_recording(desk);
        return LITHE_OK;
    }
    if (desk->recording && !desk->written)
        return fail(error, "record: a recording is in progress");
    desk->recording = true;
    desk->written = false;
    choose_out(desk);
    begin_again(desk);
    return LITHE_OK;
}

// --- one run -------------------------------------------------------------------------------------

// the members of the description that only a scene has
static LitheStatus describe(Desk *desk, LitheBytes *extra, LitheError *error) {
    const char *slash = strrchr(desk->path, '/');
    LitheStatus status = LITHE_OK;
    lithe_view_put(extra, ",\"generation\":%d,\"file\":", (int)desk->generation);
    lithe_view_put_quoted(extra, slash ? slash + 1 : desk->path);
    lithe_view_put(extra, ",\"recording\":");
    lithe_view_put_quoted(extra, desk->recording ? desk->out : "");
    if (desk->scene) {
        lithe_view_put(extra, ",");
        lithe_cli_sliders_describe(&desk->sliders, extra);
        lithe_view_put(extra, ",");
        status = lithe_cli_marks_describe(desk->scene, extra, &desk->messages, error);
    }
    lithe_view_put(extra, ",\"messages\":[");
    lithe_bytes_put(extra, desk->messages.at, desk->messages.count);
    lithe_view_put(extra, "]");
    lithe_bytes_put(extra, "", 1);
    if (status == LITHE_OK && (extra->failed || desk->messages.failed))
        status = LITHE_NO_MEMORY;
    return status;
}

// The address stays the same for all runs; it is printed and opened once.
static void announced(const char *url, void *user) {
    Desk *desk = user;
    if (!desk->announced)
        lithe_cli_view_announce(url, desk->view);
    desk->announced = true;
    const char *port = strrchr(url, ':');
    if (port)
        desk->view->port = (int32_t)strtol(port + 1, NULL, 10);
}

// Sliders show the values that they were set to; their ranges are those of the file.
static void set_sliders(Desk *desk) {
    for (int32_t i = 0; i < desk->sliders.count; i++) {
        LitheCliSlider *slider = &desk->sliders.list[i];
        for (int32_t k = 0; k < desk->change_count; k++)
            if (!desk->changes[k].joint && slider->kind == LITHE_CLI_SLIDER_PARAMETER &&
                strcmp(desk->changes[k].name, slider->name) == 0)
                slider->value = desk->changes[k].value;
    }
}

static LitheStatus run(Desk *desk, LitheError *error) {
    LitheControls controls = {.context = desk->context};
    LitheBytes extra = {.context = desk->context};
    desk->sliders = (LitheCliSliders){.context = desk->context};
    LitheStatus status = lithe_controls_begin(desk->scene, &controls, error);
    if (status == LITHE_OK)
        status = lithe_cli_sliders_find(desk->scene, desk->path, &desk->sliders, error);
    set_sliders(desk);
    if (status == LITHE_OK)
        status = describe(desk, &extra, error);
    LitheViewLiveDef def = {.address = desk->view->address,
                            .port = desk->view->port,
                            .token = desk->token,
                            .assets = desk->assets,
                            .paused = !desk->recording,
                            .speed = desk->view->speed,
                            .controls = &controls,
                            .extra = (const char *)extra.at,
                            .stays = true,
                            .announce = announced,
                            .ended = at_end,
                            .beat = beat,
                            .ask = ask,
                            .user = desk};
    if (status == LITHE_OK)
        desk->live = lithe_view_live_create(desk->context, &def);
    if (desk->live) {
        LitheRunDef run_def = lithe_run_def_default();
        run_def.out = desk->recording ? desk->out : NULL;
        run_def.stop = &desk->stop;
        run_def.watch = lithe_view_live_watch(desk->live);
        status = lithe_run(desk->scene, &run_def, NULL, error);
    }
    lithe_view_live_destroy(desk->live);
    desk->live = NULL;
    lithe_bytes_release(&extra);
    lithe_cli_sliders_release(&desk->sliders);
    lithe_controls_release(&controls);
    return status;
}

// A file with an error and nothing to show: serves its message until the file changes.
static LitheStatus show_error(Desk *desk, const char *text, LitheError *error) {
    lithe_cli_complain("%s", text);
    desk->messages.count = 0;
    lithe_cli_put_message(&desk->messages, text, true);
    LitheBytes description = {.context = desk->context};
    const char *slash = strrchr(desk->path, '/');
    lithe_view_put(&description,
                   "{\"format\":\"lithe-view\",\"version\":%d,\"mode\":\"live\",\"title\":",
                   LITHE_VIEW_VERSION);
    lithe_view_put_quoted(&description, slash ? slash + 1 : desk->path);
    LitheStatus status = describe(desk, &description, error);
    LitheViewHub hub;
    LitheViewServer *server = NULL;
    if (status == LITHE_OK)
        status = lithe_view_hub_begin(desk->context, &hub, error);
    if (status != LITHE_OK) {
        lithe_bytes_release(&description);
        return status;
    }
    description.at[description.count - 1] = '}';
    lithe_bytes_put(&description, "", 1);
    LitheViewServerDef def = {.address = desk->view->address,
                              .port = desk->view->port,
                              .token = desk->token,
                              .assets = desk->assets,
                              .description = (const char *)description.at,
                              .hub = &hub};
    status = description.failed ? LITHE_NO_MEMORY
                                : lithe_view_server_start(desk->context, &def, &server, error);
    lithe_bytes_release(&description);
    if (status == LITHE_OK)
        announced(lithe_view_server_url(server), desk);
    uint64_t files = sign_files(desk, NULL);
    while (status == LITHE_OK && !*lithe_cli_stop() && sign_files(desk, NULL) == files)
        lithe_view_hub_wait(&hub, LOOK_SECONDS);
    desk->over = *lithe_cli_stop() != 0;
    lithe_view_server_stop(server);
    lithe_view_hub_end(&hub);
    return status;
}

static LitheStatus one_run(Desk *desk, LitheError *error) {
    LitheError why = {0};
    desk->stop = 0;
    desk->refused = 0;
    desk->generation++;
    desk->messages.count = 0;
    if (desk->carried[0])
        lithe_cli_put_message(&desk->messages, desk->carried, true);
    desk->carried[0] = '\0';
    LitheStatus status = load(desk, &desk->scene, &why);
    desk->files = sign_files(desk, desk->scene);
    bool records = desk->recording;
    char out[PATH_MAX];
    snprintf(out, sizeof out, "%s", desk->out);
    // the page lists them all
    for (int32_t i = 0; status == LITHE_OK && i < lithe_scene_note_count(desk->scene); i++)
        lithe_cli_put_message(&desk->messages, lithe_scene_note(desk->scene, i), false);
    if (status == LITHE_OK && desk->generation == 1)
        lithe_cli_print_notes(desk->scene);
    if (status == LITHE_OK)
        status = run(desk, &why);
    if (records) {
        // the next recording may have been requested: only a complete one can be followed by
        // another
        bool next = strcmp(out, desk->out) != 0;
        if (!next)
            write_recording(desk);
        if (next || desk->written) {
            remove_beside(out, ".journal");
            remove_beside(out, ".checkpoint");
        }
        desk->recording = next;
    }
    lithe_scene_destroy(desk->scene);
    desk->scene = NULL;
    if (status == LITHE_CANNOT_GO_ON) {
        lithe_cli_complain("%s", why.text);
        snprintf(desk->carried, sizeof desk->carried, "%s", why.text);
    }
    if (status == LITHE_INTERRUPTED || status == LITHE_CANNOT_GO_ON || status == LITHE_OK)
        return LITHE_OK;
    return desk->over ? LITHE_OK : show_error(desk, why.text, error);
}

int lithe_cli_view_scene(const char *path, LitheCliView *view) {
    Desk desk = {.path = path, .view = view};
    desk.assets = lithe_cli_view_page(view, desk.page, sizeof desk.page);
    if (!desk.assets)
        return LITHE_EXIT_BAD_INPUT;
    if (!lithe_view_token(desk.token)) {
        lithe_cli_complain("the system has no random numbers");
        return LITHE_EXIT_BAD_INPUT;
    }
    LitheContextDef def = lithe_context_def_default();
    def.log = keep_warning;
    def.log_user = &desk;
    desk.context = lithe_context_create(&def);
    if (!desk.context) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    desk.messages.context = desk.context;
    lithe_cli_stop();
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    while (status == LITHE_OK && !desk.over)
        status = one_run(&desk, &error);
    for (int32_t i = 0; i < desk.change_count; i++)
        lithe_free(desk.context, desk.changes[i].name);
    lithe_free(desk.context, desk.changes);
    lithe_bytes_release(&desk.messages);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    lithe_context_destroy(desk.context);
    return code;
}
