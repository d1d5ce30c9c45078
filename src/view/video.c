// SPDX-License-Identifier: Apache-2.0
// view/video.c - a recording as a video, through ffmpeg

#include "view/video.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "view/reader.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Encoder {
    pid_t process;
    int door; // socket to the standard input of ffmpeg
} Encoder;

// The temporary file, hidden beside the video: "a/.b.mp4.part.mp4" for "a/b.mp4". NULL: out of
// memory.
static char *name_of_part(LitheContext *context, const char *path) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    size_t size = strlen(path) + sizeof ".part.mp4" + 1;
    char *name = lithe_alloc(context, size);
    if (name)
        snprintf(name, size, "%.*s.%s.part.mp4", folder, path, path + folder);
    return name;
}

static LitheStatus start(Encoder *encoder, const char *path, const char *part,
                         const LitheVideoOptions *options, LitheError *error) {
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", (int)options->picture.width, (int)options->picture.height);
    snprintf(rate, sizeof rate, "%g", options->rate);
    char *const arguments[] = {(char *)"ffmpeg",    (char *)"-v",
                               (char *)"error",     (char *)"-y",
                               (char *)"-f",        (char *)"rawvideo",
                               (char *)"-pix_fmt",  (char *)"rgba",
                               (char *)"-s",        size,
                               (char *)"-r",        rate,
                               (char *)"-i",        (char *)"-",
                               (char *)"-pix_fmt",  (char *)"yuv420p",
                               (char *)"-movflags", (char *)"+faststart",
                               (char *)"-f",        (char *)"mp4",
                               (char *)part,        NULL};
    // a socket, not a pipe: when ffmpeg ends, writing to it fails without a signal
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write to ffmpeg: %s", path,
                          strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    // in its own process group: we handle Ctrl-C and then end it
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int reason =
        posix_spawnp(&encoder->process, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    encoder->door = ends[0];
    if (reason == 0)
        return LITHE_OK;
    close(ends[0]);
    if (reason == ENOENT)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: videos need the program ffmpeg, which was not found (on Debian: "
                          "apt-get install ffmpeg); .html needs nothing",
                          path);
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot start ffmpeg: %s", path,
                      strerror(reason));
}

static bool hand_over(const Encoder *encoder, const uint8_t *data, size_t bytes) {
    while (bytes > 0) {
        ssize_t sent = send(encoder->door, data, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

// An older video is only replaced when the new one is complete.
static LitheStatus finish(Encoder *encoder, const char *path, const char *part, LitheStatus status,
                          LitheError *error) {
    int code = 0;
    close(encoder->door);
    while (waitpid(encoder->process, &code, 0) < 0 && errno == EINTR)
        ;
    bool fine = WIFEXITED(code) && WEXITSTATUS(code) == 0;
    if (status == LITHE_OK && !fine)
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: ffmpeg could not write it", path);
    if (status == LITHE_OK && rename(part, path) != 0)
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot write: %s", path, strerror(errno));
    if (status != LITHE_OK)
        unlink(part);
    return status;
}

// The camera for a box is that of a picture with a small ball in each of its corners.
static LitheStatus set_camera(LitheRecording *recording, LithePictureOptions *options,
                              LitheError *error) {
    LitheViewReader *reader = NULL;
    LitheStatus status = lithe_view_reader_create(recording, &reader, error);
    for (int64_t k = 0; status == LITHE_OK && k < recording->frame_count; k++) {
        LitheViewFrame frame;
        status = lithe_view_reader_read(reader, k, &frame, error);
        if (status == LITHE_OK)
            lithe_view_bounds(reader->scene, frame.numbers);
    }
    if (status == LITHE_OK && reader->scene->low[0] <= reader->scene->high[0]) {
        const double *box[2] = {reader->scene->low, reader->scene->high};
        LithePictureSphere corners[8];
        for (int i = 0; i < 8; i++)
            corners[i] = (LithePictureSphere){
                .centre = {box[i & 1][0], box[i >> 1 & 1][1], box[i >> 2][2]}, .radius = 1e-6};
        LithePicture picture = lithe_picture_default();
        picture.spheres = corners;
        picture.sphere_count = 8;
        picture.width = options->width;
        picture.height = options->height;
        if (options->own_view) {
            picture.azimuth = options->azimuth;
            picture.elevation = options->elevation;
        }
        options->own_camera = true;
        options->camera = lithe_picture_camera(&picture);
    }
    lithe_view_reader_destroy(reader);
    return status;
}

// Checks before any frame is drawn: `path` must end in .mp4, be a new name or a regular file, and
// not the recording itself.
static LitheStatus check_output(LitheRecording *recording, const char *path, LitheError *error) {
    LitheFileReplace probe = {0};
    size_t length = strlen(path), ending = sizeof ".mp4" - 1;
    if (length <= ending || strcasecmp(path + length - ending, ".mp4") != 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: a video is written as .mp4, the name must end so (ffmpeg -i x.mp4 "
                          "x.gif makes other formats of it)",
                          path);
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(recording->context, path, &probe, error);
    if (status == LITHE_OK && !probe.temporary)
        status = lithe_fail(error, LITHE_FILE_ERROR,
                            "%s: a video must be a regular file, not a device or a pipe", path);
    lithe_file_replace_abort(&probe);
    return status;
}

LitheStatus lithe_export_video(LitheRecording *recording, const char *path,
                               const LitheVideoOptions *options, LitheError *error) {
    LithePictureOptions picture = options->picture;
    if (picture.width % 2 != 0 || picture.height % 2 != 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "a video of %dx%d pixels: width and height must be even",
                          (int)picture.width, (int)picture.height);
    if (!(options->rate > 0 && options->rate <= 1000))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%g frames per second, must be more than 0 and at most 1000",
                          options->rate);
    LitheStatus status = check_output(recording, path, error);
    if (status == LITHE_OK)
        status = set_camera(recording, &picture, error);
    // colours mean the same in all frames
    char unit[32];
    if (status == LITHE_OK && picture.colour && !picture.own_range) {
        status = lithe_export_range(recording, picture.colour, 0, recording->frame_count,
                                    &picture.low, &picture.high, unit, error);
        picture.own_range = picture.low < picture.high;
    }
    char *part = name_of_part(recording->context, path);
    Encoder encoder = {0};
    if (status == LITHE_OK)
        status = part ? start(&encoder, path, part, options, error)
                      : lithe_fail_memory(error, "the name of a video");
    if (status != LITHE_OK) {
        lithe_free(recording->context, part);
        return status;
    }
    // drawing is slow: uses all processors, unless the caller has a pool
    LithePool *pool = NULL;
    if (!picture.pool) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        pool = lithe_pool_create(recording->context, processors > 1 ? (int32_t)processors : 1);
        picture.pool = pool;
    }
    for (int64_t k = 0; status == LITHE_OK && k < recording->frame_count; k++) {
        LitheImage image = {0};
        if (options->progress && !options->progress(k, recording->frame_count, options->user))
            status = lithe_fail(error, LITHE_INTERRUPTED, "%s: stopped", path);
        if (status == LITHE_OK)
            status = lithe_export_image(recording, k, &picture, &image, error);
        if (status == LITHE_OK &&
            !hand_over(&encoder, image.rgba, 4 * (size_t)image.width * (size_t)image.height))
            status = lithe_fail(error, LITHE_FILE_ERROR, "%s: ffmpeg ended too early", path);
        lithe_image_free(recording->context, &image);
    }
    lithe_pool_destroy(pool);
    // stop was requested while the last picture was drawn
    if (status == LITHE_OK && options->progress &&
        !options->progress(recording->frame_count, recording->frame_count, options->user))
        status = lithe_fail(error, LITHE_INTERRUPTED, "%s: stopped", path);
    status = finish(&encoder, path, part, status, error);
    lithe_free(recording->context, part);
    return status;
}
