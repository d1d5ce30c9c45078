// SPDX-License-Identifier: Apache-2.0
// cli/view.c - lithe view: a recording in the browser; shared with `lithe run --view` and
// view_scene.c

#include "cli/cli.h"

#include "view/live.h"
#include "view/text.h"

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --- folder of the page --------------------------------------------------------------------------

const char lithe_cli_no_page[] = "the page of the viewer was not built: in the project's folder "
                                 "'tools/deps' installs nodejs and "
                                 "npm, and 'tools/build release --target viewer' builds the page";

static bool has_page(const char *folder) {
    char path[PATH_MAX + 16];
    struct stat info;
    snprintf(path, sizeof path, "%s/index.html", folder);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool lithe_cli_page_folder(char *path, size_t size) {
    char own[PATH_MAX];
    if (lithe_cli_executable(own, sizeof own)) {
        const char *folder = dirname(own);
        // next to the command in a build; under the prefix in an installation
        static const char *const places[] = {"viewer", "../share/lithe/viewer"};
        for (int i = 0; i < 2; i++) {
            snprintf(path, size, "%s/%s", folder, places[i]);
            if (has_page(path))
                return true;
        }
    }
    snprintf(path, size, "%s", LITHE_VIEWER_INSTALLED);
    return has_page(path);
}

const char *lithe_cli_view_page(const LitheCliView *view, char *buffer, size_t size) {
    if (view->page)
        return view->page;
    if (lithe_cli_page_folder(buffer, size))
        return buffer;
    lithe_cli_complain("%s", lithe_cli_no_page);
    return NULL;
}

// --- the address, printed and opened -------------------------------------------------------------

// Failures and output of the browser are ignored.
static void open_browser(const char *url) {
    pid_t child = fork();
    if (child == 0) {
        // a grandchild, so that no process has to wait for it
        if (fork() == 0) {
            FILE *no_stdout = freopen("/dev/null", "w", stdout);
            FILE *no_stderr = freopen("/dev/null", "w", stderr);
            if (no_stdout && no_stderr)
                execlp("xdg-open", "xdg-open", url, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

void lithe_cli_view_announce(const char *url, void *user) {
    const LitheCliView *view = user;
    if (!lithe_view_is_loopback(view->address))
        fprintf(stderr,
                "lithe: warning: %s can be reached from other machines: everyone who has the "
                "address below can see and control this run, and nothing is encrypted\n",
                view->address);
    char default_port[16];
    snprintf(default_port, sizeof default_port, ":%d/", LITHE_VIEW_PORT);
    if (view->port == 0 && !strstr(url, default_port))
        fprintf(stderr, "Port %d is in use: a free port is used instead.\n", LITHE_VIEW_PORT);
    fprintf(stderr, "View at %s\n", url);
    fflush(stderr);
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!view->no_open && screen && isatty(STDERR_FILENO))
        open_browser(url);
}

static void print_ended(void *user) {
    (void)user;
    fprintf(stderr, "The run has reached its end: close the page, or press Ctrl-C, to finish.\n");
}

LitheViewLive *lithe_cli_view_live(LitheContext *context, LitheCliView *view,
                                   LitheControls *controls, char *buffer, size_t size) {
    LitheViewLiveDef def = {.address = view->address,
                            .port = view->port,
                            .assets = lithe_cli_view_page(view, buffer, size),
                            .at_once = view->at_once,
                            .speed = view->speed,
                            .controls = controls,
                            .announce = lithe_cli_view_announce,
                            .ended = print_ended,
                            .user = view};
    if (!def.assets)
        return NULL;
    LitheViewLive *live = lithe_view_live_create(context, &def);
    if (!live)
        lithe_cli_complain("out of memory");
    return live;
}

// --- options -------------------------------------------------------------------------------------

enum { KEY_PORT = 2000, KEY_ADDRESS, KEY_NO_OPEN, KEY_PAGE, KEY_SPEED, KEY_NO_WAIT, KEY_VIEW };

#define COMMON_OPTIONS \
    {"port", KEY_PORT, "N", 0, "viewer: port to listen at (default 8127, or a free one)", 10}, \
        {"no-open", KEY_NO_OPEN, 0, 0, "viewer: print its address, do not open a browser", 10}, \
        {"address", \
         KEY_ADDRESS, \
         "ADDRESS", \
         0, \
         "viewer: listen at this address instead of 127.0.0.1; other machines can then reach it", \
         10}, \
    { \
        "page", KEY_PAGE, "FOLDER", 0, "viewer: read the page from this folder", 10 \
    }

static const struct argp_option recording_options[] = {COMMON_OPTIONS, {0}};

static const struct argp_option run_options[] = {
    {"view", KEY_VIEW, 0, 0,
     "watch in the browser: the run begins when the page is loaded, in real time", 9},
    COMMON_OPTIONS,
    {"speed", KEY_SPEED, "X", 0,
     "viewer: at most X times real time (default 1); 0: as fast as possible", 10},
    {"no-wait", KEY_NO_WAIT, 0, 0, "viewer: begin and end without waiting for a page", 10},
    {0},
};

static error_t parse_common(int key, char *text, struct argp_state *state) {
    LitheCliView *view = state->input;
    char *end = NULL;
    switch (key) {
    case KEY_VIEW:
        view->on = true;
        return 0;
    case KEY_PORT:
        view->port = (int32_t)lithe_cli_integer(state, "--port", text, 1, 65535);
        break;
    case KEY_ADDRESS:
        view->address = text;
        break;
    case KEY_NO_OPEN:
        view->no_open = true;
        break;
    case KEY_PAGE:
        view->page = text;
        break;
    case KEY_SPEED:
        view->speed = strtod(text, &end);
        if (*end != '\0' || !(view->speed == 0 || (view->speed >= 0.001 && view->speed <= 1000)))
            argp_error(state, "--speed is '%s', must be 0 or from 0.001 to 1000", text);
        break;
    case KEY_NO_WAIT:
        view->at_once = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    view->given = true;
    return 0;
}

const struct argp lithe_cli_view_argp = {.options = recording_options, .parser = parse_common};
const struct argp lithe_cli_live_argp = {.options = run_options, .parser = parse_common};

LitheCliView lithe_cli_view_default(void) {
    return (LitheCliView){.speed = 1};
}

bool lithe_cli_is_scene(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0 ||
                   strcasecmp(dot, ".json") == 0);
}

// --- lithe view ----------------------------------------------------------------------------------

typedef struct Options {
    const char *run;
    const char *second; // another recording beside it; or NULL
    LitheCliView view;
} Options;

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->view;
        return 0;
    case ARGP_KEY_ARG:
        if (o->second)
            argp_error(state,
                       "expected one scene, or one or two recordings; unexpected argument "
                       "'%s'",
                       text);
        *(o->run ? &o->second : &o->run) = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->run)
            argp_error(state, "no scene or recording is given");
        if (o->second && (lithe_cli_is_scene(o->run) || lithe_cli_is_scene(o->second)))
            argp_error(state, "only recordings are shown side by side: '%s' and '%s'", o->run,
                       o->second);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// One recording, or two side by side.
typedef struct Shown {
    LitheRecording *recording;
    LitheViewReader *reader;
    LitheBytes description;
} Shown;

static LitheStatus open_shown(LitheContext *context, const char *path, Shown *shown,
                              LitheError *error) {
    shown->description.context = context;
    LitheStatus status = lithe_recording_open(context, path, &shown->recording, error);
    if (status == LITHE_OK)
        status = lithe_view_reader_create(shown->recording, &shown->reader, error);
    if (status == LITHE_OK)
        status = lithe_view_scene_describe(shown->reader->scene, "replay", NULL,
                                           &shown->description, error);
    lithe_bytes_put(&shown->description, "", 1);
    return status;
}

static void close_shown(Shown *shown) {
    lithe_bytes_release(&shown->description);
    lithe_view_reader_destroy(shown->reader);
    lithe_recording_close(shown->recording);
}

static LitheStatus serve(LitheContext *context, const Shown shown[2], const char *page,
                         LitheCliView *view, const sigset_t *stop, LitheError *error) {
    LitheViewServer *server = NULL;
    LitheViewServerDef def = {.address = view->address,
                              .port = view->port,
                              .assets = page,
                              .description = (const char *)shown[0].description.at,
                              .reader = shown[0].reader,
                              .second_description = (const char *)shown[1].description.at,
                              .second = shown[1].reader};
    LitheStatus status = lithe_view_server_start(context, &def, &server, error);
    if (status == LITHE_OK) {
        lithe_cli_view_announce(lithe_view_server_url(server), view);
        int number;
        sigwait(stop, &number);
    }
    lithe_view_server_stop(server);
    return status;
}

int lithe_cli_view(int argc, char **argv) {
    const struct argp_child children[] = {{&lithe_cli_view_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .parser = parse,
        .args_doc = "RUN.h5 [OTHER.h5]\nSCENE.yaml",
        .doc =
            "Show a recording, two recordings side by side, or a scene "
            "before it runs, in the browser, until Ctrl-C.\vA scene is shown again when its file "
            "changes; it runs and is recorded from the page.\n\n"
            "Examples:\n  lithe view pendulum.h5\n"
            "  lithe view coarse.h5 fine.h5\n"
            "  lithe view scenes/pendulum.yaml\n",
        .children = children};
    Options o = {.view = lithe_cli_view_default()};
    lithe_cli_parse(&argp, argc, argv, &o);
    if (lithe_cli_is_scene(o.run))
        return lithe_cli_view_scene(o.run, &o.view);
    char buffer[PATH_MAX + 32];
    const char *page = lithe_cli_view_page(&o.view, buffer, sizeof buffer);
    if (!page)
        return LITHE_EXIT_BAD_INPUT;
    // no thread of the server may receive the signal that main waits for
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    Shown shown[2] = {{0}};
    LitheStatus status = open_shown(context, o.run, &shown[0], &error);
    if (status == LITHE_OK && o.second)
        status = open_shown(context, o.second, &shown[1], &error);
    if (status == LITHE_OK)
        status = serve(context, shown, page, &o.view, &stop, &error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    close_shown(&shown[0]);
    close_shown(&shown[1]);
    lithe_context_destroy(context);
    return code;
}
