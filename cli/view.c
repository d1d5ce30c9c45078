// SPDX-License-Identifier: Apache-2.0
// cli/view.c - lithe view: a recording in the browser; shared with `lithe run --view`

#include "cli/cli.h"

#include "view/live.h"
#include "view/text.h"

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --- folder of the page --------------------------------------------------------------------------

const char lithe_cli_no_page[] =
    "the page of the viewer was not built: it needs nodejs and npm when Lithe is built "
    "(tools/deps, then tools/build)";

static bool has_page(const char *folder) {
    char path[PATH_MAX + 16];
    struct stat about;
    snprintf(path, sizeof path, "%s/index.html", folder);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool lithe_cli_page_folder(char *path, size_t size) {
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0) {
        own[length] = '\0';
        const char *folder = dirname(own);
        // beside the command in a build; under the prefix once installed
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

static const char *page_of(const LitheCliView *view, char *room, size_t size) {
    if (view->page)
        return view->page;
    if (lithe_cli_page_folder(room, size))
        return room;
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
            FILE *ignored = freopen("/dev/null", "w", stdout);
            FILE *likewise = freopen("/dev/null", "w", stderr);
            if (ignored && likewise)
                execlp("xdg-open", "xdg-open", url, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void announce(const char *url, void *user) {
    const LitheCliView *view = user;
    if (!lithe_view_is_loopback(view->address))
        fprintf(stderr,
                "lithe: warning: %s can be reached from other machines: everyone with the "
                "address below sees and controls this run, and nothing is encrypted\n",
                view->address);
    char usual[16];
    snprintf(usual, sizeof usual, ":%d/", LITHE_VIEW_PORT);
    if (view->port == 0 && !strstr(url, usual))
        fprintf(stderr, "Port %d is taken: a free one is used.\n", LITHE_VIEW_PORT);
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
                                   LitheControls *controls, char *room, size_t size) {
    LitheViewLiveDef def = {.address = view->address,
                            .port = view->port,
                            .assets = page_of(view, room, size),
                            .at_once = view->at_once,
                            .speed = view->speed,
                            .controls = controls,
                            .announce = announce,
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
        {"no-open", KEY_NO_OPEN, 0, 0, "viewer: only print its address, open no browser", 10}, \
        {"address", \
         KEY_ADDRESS, \
         "NUMBER", \
         0, \
         "viewer: listen at this address in place of 127.0.0.1; others can then reach it", \
         10}, \
    { \
        "page", KEY_PAGE, "FOLDER", 0, "viewer: take the page from this folder", 10 \
    }

static const struct argp_option of_recordings[] = {COMMON_OPTIONS, {0}};

static const struct argp_option of_runs[] = {
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
        view->port = (int32_t)lithe_cli_whole(state, "--port", text, 1, 65535);
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

const struct argp lithe_cli_view_argp = {.options = of_recordings, .parser = parse_common};
const struct argp lithe_cli_live_argp = {.options = of_runs, .parser = parse_common};

LitheCliView lithe_cli_view_default(void) {
    return (LitheCliView){.speed = 1};
}

// --- lithe view ----------------------------------------------------------------------------------

typedef struct Options {
    const char *run;
    LitheCliView view;
} Options;

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->view;
        return 0;
    case ARGP_KEY_ARG:
        if (o->run)
            argp_error(state, "expected one recording, unexpected argument '%s'", text);
        o->run = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->run)
            argp_error(state, "no recording is given (lithe run --view shows a run)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static LitheStatus serve(LitheContext *context, LitheViewReader *reader, const char *page,
                         LitheCliView *view, const sigset_t *stop, LitheError *error) {
    LitheBytes description = {.context = context};
    LitheViewServer *server = NULL;
    LitheStatus status =
        lithe_view_scene_describe(reader->scene, "replay", NULL, &description, error);
    lithe_bytes_put(&description, "", 1);
    LitheViewServerDef def = {.address = view->address,
                              .port = view->port,
                              .assets = page,
                              .description = (const char *)description.at,
                              .reader = reader};
    if (status == LITHE_OK)
        status = lithe_view_server_start(context, &def, &server, error);
    lithe_bytes_release(&description);
    if (status == LITHE_OK) {
        announce(lithe_view_server_url(server), view);
        int number;
        sigwait(stop, &number);
    }
    lithe_view_server_stop(server);
    return status;
}

int lithe_cli_view(int argc, char **argv) {
    const struct argp_child children[] = {{&lithe_cli_view_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.parser = parse,
                              .args_doc = "RUN.h5",
                              .doc = "Show a recording in the browser, until Ctrl-C.\v"
                                     "Example:\n  lithe view pendulum.h5\n",
                              .children = children};
    Options o = {.view = lithe_cli_view_default()};
    lithe_cli_parse(&argp, argc, argv, &o);
    char room[PATH_MAX + 32];
    const char *page = page_of(&o.view, room, sizeof room);
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
    LitheRecording *recording = NULL;
    LitheViewReader *reader = NULL;
    LitheStatus status = lithe_recording_open(context, o.run, &recording, &error);
    if (status == LITHE_OK)
        status = lithe_view_reader_create(recording, &reader, &error);
    if (status == LITHE_OK)
        status = serve(context, reader, page, &o.view, &stop, &error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    lithe_view_reader_destroy(reader);
    lithe_recording_close(recording);
    lithe_context_destroy(context);
    return code;
}
