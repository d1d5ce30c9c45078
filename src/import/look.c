// SPDX-License-Identifier: Apache-2.0
// import/look.c - what is only drawn of a robot: colours, visual shapes, files that are missing

#include "base/memory.h"
#include "import/import.h"

#include <stdio.h>
#include <string.h>

LitheStatus lithe_import_rgba(LitheImport *import, const LitheXmlNode *node, const char *value,
                              LitheVec3 *colour, double *opacity) {
    double rgba[4] = {0, 0, 0, 1};
    LitheStatus status = lithe_import_numbers(import, node, "rgba", value, 3, 4, rgba, NULL);
    bool inside = true;
    for (int i = 0; i < 4 && !status; i++) {
        inside = inside && rgba[i] >= 0 && rgba[i] <= 1;
        rgba[i] = fmin(fmax(rgba[i], 0), 1);
    }
    if (!status && !inside)
        status = lithe_import_note(import, node, "<%s>: rgba is '%.60s', beyond 0 to 1: clipped",
                                   node->name, value);
    if (status)
        return status;
    *colour = (LitheVec3){rgba[0], rgba[1], rgba[2]};
    *opacity = rgba[3];
    return LITHE_OK;
}

LitheStatus lithe_import_show(LitheImport *import, int32_t body) {
    const LitheImportBody *of = &import->bodies[body];
    if (of->geoms[of->geom_count - 1].kind == LITHE_GEOM_HALF_SPACE)
        return LITHE_OK; // drawn in any case
    if (!LITHE_RESERVE(import->context, import->shown, import->shown_capacity,
                       (int64_t)import->shown_count + 1))
        return lithe_import_fail_memory(import);
    import->shown[import->shown_count++] = (LitheImportShown){body, of->geom_count - 1};
    return LITHE_OK;
}

LitheStatus lithe_import_draw_shown(LitheImport *import) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < import->shown_count && !status; i++) {
        const LitheImportBody *body = &import->bodies[import->shown[i].body];
        if (body->geom_count == body->touch_count)
            continue;
        LitheGeomDef copy = body->geoms[import->shown[i].geom], plain = lithe_geom_def_default();
        copy.visual = true;
        copy.material = plain.material;
        copy.group = plain.group;
        copy.mask = plain.mask;
        status = lithe_import_add_geom(import, import->shown[i].body, &copy, body->node);
    }
    return status;
}

LitheStatus lithe_import_forgive(LitheImport *import, LitheStatus status, const LitheXmlNode *node,
                                 const char *who, const char *then) {
    if (status == LITHE_OK || status == LITHE_NO_MEMORY)
        return status;
    // the note has file and line again
    char place[300], cause[250];
    snprintf(place, sizeof place, "%.250s:%d: ", node->file, node->line);
    size_t length = strlen(place);
    bool twice = strncmp(import->error->text, place, length) == 0;
    snprintf(cause, sizeof cause, "%.249s", import->error->text + (twice ? length : 0));
    *import->error = (LitheError){0};
    return lithe_import_note(import, node, "%s: %s: %s", who, cause, then);
}
