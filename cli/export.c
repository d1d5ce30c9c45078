// SPDX-License-Identifier: Apache-2.0
// cli/export.c - lithe export: a recording as a table, ParaView files or a picture

#include "cli/cli.h"
#include "cli/scene_extra.h"

#include "record/export.h"
#include "view/gltf.h"
#include "view/pack.h"
#include "view/video.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct Options {
    const char *run;
    const char *out;
    const char *frame; // "last", a number, or a time
    const char **names;
    int32_t name_count;
    double *times; // [time_count] of a table along rods [s]
    int32_t time_count;
    LithePictureOptions picture;
    bool pictures_only; // an option was given that only pictures support
    bool has_range;
    double rate; // frames per second of a video; 0: default
    bool own_size;
    const char *page; // folder of the viewer's page; NULL: that of the build or installation
} Options;

typedef enum Format { CSV, PVD, PNG, SVG, HTML, GLB, MP4, UNKNOWN } Format;

static const struct {
    const char *ending, *about;
} formats[] = {
    [CSV] = {".csv", "a table for spreadsheets, one row per frame"},
    [PVD] = {".pvd", "ParaView: an index, and a folder of .vtp files beside it"},
    [PNG] = {".png", "a picture of one frame"},
    [SVG] = {".svg", "a drawing of one frame"},
    [HTML] = {".html", "a page that plays the recording in any browser, all in one file"},
    [GLB] = {".glb", "an animated glTF 2.0 scene: Blender, game engines, slides"},
    [MP4] = {".mp4", "a video, through the program ffmpeg"},
};

static Format format_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    for (int i = 0; dot && i < UNKNOWN; i++)
        if (strcasecmp(dot, formats[i].ending) == 0)
            return (Format)i;
    return UNKNOWN;
}

// --- arguments -----------------------------------------------------------------------------------

enum { KEY_FRAME = 'f', KEY_COLOUR = 'c', KEY_CAMERA = 'v', KEY_QUANTITY = 'q', KEY_AT = 'a' };
enum { KEY_SIZE = 1000, KEY_DARK, KEY_RANGE, KEY_FORCES, KEY_PATCHES, KEY_PAGE, KEY_RATE };

static const struct argp_option options[] = {
    {"frame", KEY_FRAME, "last|N|TIME", 0,
     "picture: which frame, by number from 0 (negative from the end) or time such as 0.5s "
     "(default last)",
     0},
    {"size", KEY_SIZE, "WxH", 0, "picture: size in pixels (default 1600x1000)", 0},
    {"colour", KEY_COLOUR, "QUANTITY", 0,
     "picture: colour by tension, curvature, twist, speed, displacement, von-mises, ... (default: "
     "one colour per rod)",
     0},
    {"color", KEY_COLOUR, "QUANTITY", OPTION_ALIAS, 0, 0},
    {"range", KEY_RANGE, "LOW:HIGH", 0, "picture: values of the first and the last colour", 0},
    {"camera", KEY_CAMERA, "AZIMUTH,ELEVATION", 0,
     "picture: direction of view, in degrees about z from x and above the horizon", 0},
    {"forces", KEY_FORCES, 0, 0,
     "picture: arrows for the forces of contacts and constraints, with a scale each", 0},
    {"patches", KEY_PATCHES, 0, 0,
     "picture: areas of contact patches, coloured by their pressure, in front of everything", 0},
    {"dark", KEY_DARK, 0, 0, "picture: dark background", 0},
    {"quantity", KEY_QUANTITY, "NAME", 0,
     "table: a column such as rope.tension.max; may be repeated (default: ends of rods, poses of "
     "bodies, energies)",
     0},
    {"at", KEY_AT, "TIME", 0,
     "table: quantities along rods at this time (0.5s), instead of one row per frame; may be "
     "repeated",
     0},
    {"rate", KEY_RATE, "N", 0, "video: recorded frames per second (default 30)", 0},
    {"page", KEY_PAGE, "FOLDER", 0, "page: take the viewer from this folder", 0},
    {0},
};

static error_t parse_picture(int key, char *text, struct argp_state *state, Options *o) {
    LithePictureOptions *picture = &o->picture;
    char rest = '\0';
    o->pictures_only = true;
    o->own_size |= key == KEY_SIZE;
    switch (key) {
    case KEY_SIZE:
        if (sscanf(text, "%dx%d%c", &picture->width, &picture->height, &rest) != 2 ||
            picture->width < 16 || picture->height < 16 || picture->width > 16384 ||
            picture->height > 16384)
            argp_error(state, "--size is '%s', must have the form 1600x1000, from 16 to 16384 each",
                       text);
        return 0;
    case KEY_COLOUR:
        picture->colour = text;
        return 0;
    case KEY_RANGE:
        picture->own_range = true;
        if (sscanf(text, "%lf:%lf%c", &picture->low, &picture->high, &rest) != 2 ||
            !(picture->low < picture->high) || !isfinite(picture->high - picture->low))
            argp_error(state, "--range is '%s', must have the form 0:2.5, the lower value first",
                       text);
        return 0;
    case KEY_CAMERA:
        picture->own_view = true;
        if (sscanf(text, "%lf,%lf%c", &picture->azimuth, &picture->elevation, &rest) != 2 ||
            !isfinite(picture->azimuth) || !isfinite(picture->elevation))
            argp_error(state, "--camera is '%s', must have the form 30,20 (degrees)", text);
        if (fabs(picture->elevation) > 89.9)
            argp_error(state,
                       "--camera is '%s', its elevation must be between -89.9 and 89.9 degrees",
                       text);
        picture->azimuth *= M_PI / 180;
        picture->elevation *= M_PI / 180;
        return 0;
    case KEY_FORCES:
        picture->forces = true;
        return 0;
    case KEY_PATCHES:
        picture->patches = true;
        return 0;
    default:
        picture->dark = true;
        return 0;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_SIZE:
    case KEY_COLOUR:
    case KEY_RANGE:
    case KEY_CAMERA:
    case KEY_DARK:
    case KEY_FORCES:
    case KEY_PATCHES:
        return parse_picture(key, text, state, o);
    case KEY_FRAME:
        o->frame = text;
        o->pictures_only = true;
        return 0;
    case KEY_RATE:
        o->rate = (double)lithe_cli_integer(state, "--rate", text, 1, 1000);
        return 0;
    case KEY_PAGE:
        o->page = text;
        return 0;
    case KEY_QUANTITY:
        o->names[o->name_count++] = text;
        return 0;
    case KEY_AT:
        o->times[o->time_count++] = lithe_cli_time(state, "--at", text);
        return 0;
    case ARGP_KEY_ARG:
        if (o->out)
            argp_error(state, "expected RUN.h5 and OUT, unexpected argument '%s'", text);
        if (o->run)
            o->out = text;
        else
            o->run = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->out)
            argp_error(state, "expected a recording and the file to write");
        if (o->pictures_only && format_of(o->out) != PNG && format_of(o->out) != SVG &&
            format_of(o->out) != MP4)
            argp_error(
                state,
                "--frame, --size, --colour, --range, --camera, --forces, "
                "--patches and --dark are for .png and .svg, all except the first also for .mp4");
        if (o->picture.patches && o->picture.colour)
            argp_error(state, "--patches has colours of its own: leave out --colour");
        if (o->picture.own_range && !o->picture.colour && !o->picture.patches)
            argp_error(state, "--range is that of the colours of a quantity: give --colour, too");
        if (o->frame && format_of(o->out) == MP4)
            argp_error(state, "--frame: a video shows all frames");
        if (o->rate > 0 && format_of(o->out) != MP4)
            argp_error(state, "--rate is for .mp4");
        if (o->page && format_of(o->out) != HTML)
            argp_error(state, "--page is for .html");
        if (o->name_count > 0 && format_of(o->out) != CSV)
            argp_error(state, "--quantity is for .csv");
        if (o->time_count > 0 && (format_of(o->out) != CSV || o->name_count == 0))
            argp_error(state, "--at is for .csv, with a --quantity along a rod such as "
                              "rope.tension");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- which frame ---------------------------------------------------------------------------------

// "last", "12", "-1", "0.5s"; a plain whole number is a frame, anything else a time
static LitheStatus find_frame(const LitheRecording *recording, const char *text, int64_t *frame,
                              LitheError *error) {
    int64_t count = recording->frame_count;
    *frame = count - 1;
    if (count > 0 && (!text || strcmp(text, "last") == 0))
        return LITHE_OK;
    *error = (LitheError){.status = LITHE_BAD_INPUT};
    if (count == 0) {
        snprintf(error->text, sizeof error->text, "%s: has no frames", recording->path);
        return error->status;
    }
    char *end = NULL;
    long long number = strtoll(text, &end, 10);
    if (end != text && *end == '\0') {
        *frame = number < 0 ? count + number : number;
        if (*frame >= 0 && *frame < count)
            return LITHE_OK;
        snprintf(error->text, sizeof error->text, "%s: --frame is %s, there are frames 0 to %lld",
                 recording->path, text, (long long)count - 1);
        return error->status;
    }
    double time = 0;
    if (!lithe_cli_parse_time(text, &time, error))
        return error->status;
    return lithe_recording_frame_at(recording, time, frame, error);
}

// --- the command ---------------------------------------------------------------------------------

static LitheStatus write_html(LitheRecording *recording, const Options *o, LitheError *error) {
    char folder[4096], page[4096 + 32];
    if (o->page) {
        snprintf(folder, sizeof folder, "%s", o->page);
    } else if (!lithe_cli_page_folder(folder, sizeof folder)) {
        *error = (LitheError){.status = LITHE_NOT_SUPPORTED};
        snprintf(error->text, sizeof error->text, "%s", lithe_cli_no_page);
        return error->status;
    }
    snprintf(page, sizeof page, "%s/standalone.html", folder);
    return lithe_export_html(recording, o->out, page, error);
}

static bool show_progress(int64_t frame, int64_t count, void *user) {
    const volatile sig_atomic_t *const *stop = user;
    bool goes_on = !**stop;
    if (isatty(STDERR_FILENO)) {
        if (goes_on && frame < count)
            fprintf(stderr, "\r  frame %lld of %lld\033[K", (long long)frame + 1, (long long)count);
        else
            fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
    return goes_on;
}

// Sets the range of the colours, of all frames that are drawn, and prints it.
static LitheStatus set_colours(LitheRecording *recording, LithePictureOptions *picture,
                               int64_t first, int64_t count, LitheError *error) {
    double low = 0, high = 0;
    char unit[32];
    if (!picture->colour)
        return LITHE_OK;
    LitheStatus status =
        lithe_export_range(recording, picture->colour, first, count, &low, &high, unit, error);
    if (status != LITHE_OK)
        return status;
    bool one = strcmp(unit, "1") == 0 || !unit[0];
    if (picture->own_range) {
        printf("%s: dark violet %.4g to pale yellow %.4g%s%s; the values are %.4g to %.4g\n",
               picture->colour, picture->low, picture->high, one ? "" : " ", one ? "" : unit, low,
               high);
        return LITHE_OK;
    }
    printf("%s: dark violet %.4g to pale yellow %.4g%s%s\n", picture->colour, low, high,
           one ? "" : " ", one ? "" : unit);
    // equal values have the first colour
    picture->own_range = high > low;
    picture->low = low;
    picture->high = high;
    return LITHE_OK;
}

static LitheStatus write_video(LitheRecording *recording, const Options *o, LitheError *error) {
    const volatile sig_atomic_t *stop = lithe_cli_stop();
    LitheVideoOptions video = {.picture = o->picture,
                               .rate = o->rate > 0 ? o->rate : 30,
                               .progress = show_progress,
                               .user = &stop};
    // smaller than a still picture, unless requested
    if (!o->own_size) {
        video.picture.width = 1280;
        video.picture.height = 800;
    }
    LitheStatus status = set_colours(recording, &video.picture, 0, recording->frame_count, error);
    return status == LITHE_OK ? lithe_export_video(recording, o->out, &video, error) : status;
}

static LitheStatus write_out(LitheRecording *recording, Options *o, LitheError *error) {
    int64_t frame = 0;
    LitheStatus status;
    switch (format_of(o->out)) {
    case CSV:
        if (o->time_count > 0)
            return lithe_export_csv_along(recording, o->out, o->names, o->name_count, o->times,
                                          o->time_count, error);
        return lithe_export_csv(recording, o->out, o->names, o->name_count, error);
    case PVD:
        return lithe_export_vtk(recording, o->out, error);
    case HTML:
        return write_html(recording, o, error);
    case GLB:
        return lithe_export_glb(recording, o->out, error);
    case MP4:
        return write_video(recording, o, error);
    default:
        status = find_frame(recording, o->frame, &frame, error);
        if (status == LITHE_OK)
            status = set_colours(recording, &o->picture, frame, 1, error);
        if (status == LITHE_OK)
            status = lithe_export_picture(recording, frame, o->out, &o->picture, error);
        return status;
    }
}

// a scene has no frames yet, only its start
static LitheStatus write_start(LitheContext *context, const Options *o, LitheError *error) {
    Format format = format_of(o->out);
    *error = (LitheError){.status = LITHE_BAD_INPUT};
    if (format != PNG && format != SVG)
        snprintf(error->text, sizeof error->text,
                 "%s: a scene that has not run can be exported as .png or .svg: its start", o->out);
    else if (o->frame)
        snprintf(error->text, sizeof error->text,
                 "%s: --frame is for recordings: a scene has only its start", o->run);
    else
        return lithe_cli_export_scene(context, o->run, o->out, &o->picture, error);
    return error->status;
}

static int unknown_format(const char *path) {
    lithe_cli_complain("%s: unknown ending; supported are", path);
    for (int i = 0; i < UNKNOWN; i++)
        fprintf(stderr, "  %-5s %s\n", formats[i].ending, formats[i].about);
    return LITHE_EXIT_BAD_INPUT;
}

int lithe_cli_export(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "RUN.h5 OUT\nSCENE.yaml OUT.png",
        .doc = "Convert a recording; the ending of OUT gives the format: .csv, .pvd, .png, "
               ".svg, .html, .glb or .mp4. Of a scene, a picture of its start with holds, drives, "
               "constraints, axes of bodies, and what overlaps.\v"
               "Examples:\n"
               "  lithe export pendulum.h5 pendulum.csv --quantity rope.end.position.z\n"
               "  lithe export pendulum.h5 rope.csv --quantity rope.tension --at 0.5s\n"
               "  lithe export pendulum.h5 pendulum.png --frame 0.5s --colour tension\n"
               "  lithe export scenes/pendulum.yaml start.png\n"};
    Options o = {.picture = lithe_picture_options_default(),
                 .names = calloc((size_t)argc, sizeof(char *)),
                 .times = calloc((size_t)argc, sizeof(double))};
    if (!o.names || !o.times) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);
    if (format_of(o.out) == UNKNOWN) {
        free(o.names);
        free(o.times);
        return unknown_format(o.out);
    }

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    LitheRecording *recording = NULL;
    LitheStatus status;
    if (lithe_cli_is_scene(o.run)) {
        status = write_start(context, &o, &error);
    } else {
        status = lithe_recording_open(context, o.run, &recording, &error);
        if (status == LITHE_OK)
            status = write_out(recording, &o, &error);
    }
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    lithe_recording_close(recording);
    lithe_context_destroy(context);
    free(o.names);
    free(o.times);
    return code;
}
