// SPDX-License-Identifier: Apache-2.0
// record/frame_asked.c - what the scene asks to record besides what always is

#include "record/frame_asked.h"

#include "base/status.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 512 };

static LitheStatus fail_unknown(const char *text, const char *what, bool of_rod,
                                const char *const *names, int32_t count, LitheError *error) {
    char list[512] = "";
    size_t at = 0;
    for (int32_t i = 0; i < count; i++) {
        int wrote = snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "", names[i]);
        at += wrote > 0 && (size_t)wrote < sizeof list - at ? (size_t)wrote : 0;
    }
    const char *meant = lithe_suggest(what, names, count);
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "record: also: '%.120s': a %s has no '%.60s'%s%s%s It has %s", text,
                      of_rod ? "rod" : "drive", what, meant ? ", did you mean '" : "",
                      meant ? meant : "", meant ? "'?" : ".", list);
}

// Of bodies and joints all is recorded anyway.
static bool is_recorded(const LitheModel *model, const char *text, const LitheLayout *layout) {
    const char *dot = strchr(text, '.');
    char path[2 * PATH_ROOM], name[PATH_ROOM];
    if (!dot || strlen(text) >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
    snprintf(path, sizeof path, "joints/%s/%s", name, dot + 1);
    if (lithe_layout_find(layout, path))
        return true;
    bool of_body = strcmp(dot + 1, "pose") == 0 || strcmp(dot + 1, "position") == 0 ||
                   strcmp(dot + 1, "orientation") == 0;
    return of_body && lithe_body_find(model, name).number > 0;
}

LitheStatus lithe_frame_asked(const LitheModel *model, const char *text, LitheLayout *layout,
                              LitheFrameMap *map, LitheError *error) {
    // names of all kinds as in the file: "energy.kinetic"
    const char *dot = strchr(text, '.');
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s", text);
    if (dot && strlen(text) < sizeof path)
        path[dot - text] = '/';
    if (lithe_layout_find(layout, path) || is_recorded(model, text, layout))
        return LITHE_OK;

    // NAME.QUANTITY
    char name[PATH_ROOM] = "";
    if (!dot || (size_t)(dot - text) >= sizeof name)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "record: also: '%.120s' is not NAME.QUANTITY, like rope.moment", text);
    memcpy(name, text, (size_t)(dot - text));
    int32_t rod = lithe_rod_find(model, name).number - 1;
    int32_t drive = lithe_drive_find(model, name).number - 1;
    if (rod < 0 && drive < 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "record: also: '%.120s' names no rod or drive of the scene, and nothing "
                          "of a body or joint",
                          text);
    const char *names[LITHE_FRAME_NAMES];
    int32_t count = lithe_frame_names(rod >= 0, names);
    for (int32_t i = 0; i < count; i++)
        if (strcmp(names[i], dot + 1) == 0)
            return lithe_frame_add(model, rod >= 0, rod >= 0 ? rod : drive, names[i], layout, map,
                                   error);
    return fail_unknown(text, dot + 1, rod >= 0, names, count, error);
}
