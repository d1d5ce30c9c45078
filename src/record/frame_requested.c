// SPDX-License-Identifier: Apache-2.0
// record/frame_requested.c - quantities that the scene requests in addition to those that are
// always recorded

#include "record/frame_requested.h"

#include "base/status.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 512, NAMES_MAX = 64 };

// Lists the quantities of a thing that can be recorded; returns their number.
static int32_t list_names(const LitheOwner *owner, const char *names[NAMES_MAX]) {
    int32_t count = 0;
    for (const LitheQuantity *q = owner->quantities; q->name && count < NAMES_MAX; q++)
        names[count++] = q->name;
    return count;
}

static LitheStatus fail_unknown(const char *text, const char *what, const LitheOwner *owner,
                                LitheError *error) {
    const char *names[NAMES_MAX];
    int32_t count = list_names(owner, names);
    char list[512] = "";
    size_t at = 0;
    for (int32_t i = 0; i < count; i++) {
        int wrote = snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "", names[i]);
        at += wrote > 0 && (size_t)wrote < sizeof list - at ? (size_t)wrote : 0;
    }
    const char *meant = lithe_suggest(what, names, count);
    return lithe_fail(
        error, LITHE_BAD_INPUT, "record: also: '%.120s': %s %s has no '%.60s'%s%s%s It has %s",
        text, strchr("aeiou", owner->word[0]) ? "an" : "a", owner->word, what,
        meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : ".", list);
}

// "a rod, drive, body, joint or constraint"
static LitheStatus fail_unnamed(const char *text, LitheError *error) {
    char list[256] = "";
    size_t at = 0;
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        if (!(*owner)->folder)
            continue;
        const char *before = at == 0 ? "" : owner[1] ? ", " : " or ";
        int wrote = snprintf(list + at, sizeof list - at, "%s%s", before, (*owner)->word);
        at += wrote > 0 && (size_t)wrote < sizeof list - at ? (size_t)wrote : 0;
    }
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "record: also: '%.120s' is not the name of a %s of the scene", text, list);
}

// What follows the folder of owners with full names: "constraints.pin.force" and
// "constraints/pin.force" are pin.force. `only` is that owner, or NULL.
static const char *behind_folder(const char *text, const LitheOwner **only) {
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        size_t length = (*owner)->full_names ? strlen((*owner)->folder) : 0;
        bool same = length > 0 && strncmp(text, (*owner)->folder, length) == 0;
        *only = *owner;
        if (same && (text[length] == '.' || text[length] == '/') && strchr(text + length + 1, '.'))
            return text + length + 1;
    }
    *only = NULL;
    return text;
}

LitheStatus lithe_frame_requested(const LitheModel *model, const char *full, LitheLayout *layout,
                                  LitheFrameMap *map, LitheError *error) {
    const LitheOwner *only;
    const char *text = behind_folder(full, &only);
    // names of all kinds as in the file: "energy.kinetic"
    const char *dot = strchr(text, '.');
    char path[PATH_CAPACITY];
    snprintf(path, sizeof path, "%s", text);
    if (dot && strlen(text) < sizeof path)
        path[dot - text] = '/';
    if (lithe_layout_find(layout, path))
        return LITHE_OK;
    // constraints are always recorded
    if (dot && text != full) {
        snprintf(path, sizeof path, "%.*s/%.*s/%s", (int)(text - full - 1), full, (int)(dot - text),
                 text, dot + 1);
        if (lithe_layout_find(layout, path))
            return LITHE_OK;
    }

    // NAME.QUANTITY
    char name[PATH_CAPACITY] = "";
    if (!dot || (size_t)(dot - text) >= sizeof name)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "record: also: '%.120s' is not NAME.QUANTITY, like rope.moment", text);
    memcpy(name, text, (size_t)(dot - text));
    const LitheOwner *named = NULL, *lacking = NULL;
    const LitheQuantity *lacked = NULL;
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        if (only && *owner != only)
            continue;
        int32_t index = lithe_owner_find(*owner, model, name);
        const LitheQuantity *quantity = index >= 0 ? lithe_quantity_find(*owner, dot + 1) : NULL;
        int64_t dims[2];
        int32_t rank;
        const char *axes;
        bool has =
            quantity && lithe_quantity_shape(model, *owner, quantity, index, &rank, dims, &axes);
        if (has)
            return lithe_frame_add(model, *owner, index, quantity, layout, map, error);
        if (quantity && !lacked) {
            lacking = *owner;
            lacked = quantity;
        }
        if (index >= 0 && !named)
            named = *owner;
    }
    if (lacked)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "record: also: '%.120s': %s '%.100s' has no '%s'%s%s", full,
                          lacking->word, name, lacked->name, lacked->without ? ": " : "",
                          lacked->without ? lacked->without : "");
    return named ? fail_unknown(text, dot + 1, named, error) : fail_unnamed(text, error);
}
