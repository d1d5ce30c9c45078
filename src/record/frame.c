// SPDX-License-Identifier: Apache-2.0
// record/frame.c - arranges the columns of a frame by the rows of record/quantity.h, and fills them

#include "record/frame.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "record/frame_requested.h"

#include <stdio.h>

enum { PATH_CAPACITY = 512 };

// --- the list of columns -------------------------------------------------------------------------

LitheStatus lithe_frame_add(const LitheModel *model, const LitheOwner *owner, int32_t index,
                            const LitheQuantity *quantity, LitheLayout *layout, LitheFrameMap *map,
                            LitheError *error) {
    char path[PATH_CAPACITY];
    const char *axes;
    int64_t dims[2] = {1, 1};
    int32_t rank;
    if (quantity->of_contact && !lithe_contact_rows_wanted(model))
        return LITHE_OK;
    if (!lithe_quantity_shape(model, owner, quantity, index, &rank, dims, &axes))
        return LITHE_OK;
    if (owner->folder)
        snprintf(path, sizeof path, "%s/%s/%s", owner->folder, owner->name(model, index),
                 quantity->name);
    else
        snprintf(path, sizeof path, "%s", quantity->name);
    // requesting a quantity twice is no error
    if (lithe_layout_find(layout, path))
        return LITHE_OK;
    if (!LITHE_RESERVE(map->context, map->parts, map->part_capacity, map->part_count + 1))
        return lithe_fail_memory(error, "the list of recorded quantities");
    map->parts[map->part_count++] = (LitheFramePart){
        .owner = owner,
        .quantity = quantity,
        .index = index,
        .offset = layout->frame_size,
        .size = dims[0] * dims[1],
        .interpolation = quantity->interpolation_of ? quantity->interpolation_of(model, index)
                                                    : quantity->interpolation};
    return lithe_layout_add(
        layout, path, quantity->unit_of ? quantity->unit_of(model, index) : quantity->unit, axes,
        quantity->integer ? LITHE_COLUMN_INTEGER : LITHE_COLUMN_REAL, rank, dims, error);
}

static LitheStatus add_always(const LitheModel *model, LitheLayout *layout, LitheFrameMap *map,
                              LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        int32_t count = (*owner)->count(model);
        for (int32_t i = 0; i < count; i++)
            for (const LitheQuantity *q = (*owner)->quantities; status == LITHE_OK && q->name; q++)
                if (q->always)
                    status = lithe_frame_add(model, *owner, i, q, layout, map, error);
    }
    return status;
}

LitheStatus lithe_frame_layout(const LitheModel *model, const LitheRecordDef *record,
                               LitheLayout *layout, LitheFrameMap *map, LitheError *error) {
    map->contacts.context = map->context;
    LitheStatus status = add_always(model, layout, map, error);
    if (status == LITHE_OK && lithe_contact_rows_wanted(model))
        status = lithe_contact_rows_begin(model, layout, &map->contacts, error);
    for (int32_t i = 0; status == LITHE_OK && i < record->also_count; i++)
        status = lithe_frame_requested(model, record->also[i], layout, map, error);
    const LitheOwner *const *owner = lithe_owners_of_constants;
    for (; status == LITHE_OK && *owner; owner++)
        status = (*owner)->constants(model, layout, error);
    return status;
}

void lithe_frame_map_release(LitheFrameMap *map) {
    lithe_contact_rows_release(&map->contacts);
    lithe_free(map->context, map->parts);
    *map = (LitheFrameMap){.context = map->context};
}

// --- one frame -----------------------------------------------------------------------------------

// Reads the quantities of the whole model, or all others.
static void fill(LitheReadFrom *from, const LitheFrameMap *map, bool of_world, double *frame) {
    for (int32_t i = 0, n; i < map->part_count; i += n) {
        const LitheFramePart *first = &map->parts[i];
        for (n = 1; i + n < map->part_count; n++)
            if (first[n].owner != first->owner || first[n].index != first->index)
                break;
        if ((first->owner == &lithe_world_owner) == of_world)
            lithe_read_parts(from, first, n, frame);
    }
}

LitheStatus lithe_frame_fill(const LitheFrameSource *source, LitheFrameMap *map, double *frame,
                             LitheEnergy *energy, LitheError *error) {
    LitheStatus status = LITHE_OK;
    if (map->contacts.on && !source->rows_kept)
        status = lithe_contact_rows_fill(source->model, source->work, &map->contacts, error);
    if (status != LITHE_OK)
        return status;
    LitheReadFrom from = {.model = source->model,
                          .state = source->state,
                          .report = source->report,
                          .work = source->work,
                          .energy = energy,
                          .contacts = &map->contacts,
                          .first_row = source->first_row};
    // reading rods gives their elastic energy
    fill(&from, map, false, frame);
    *energy = lithe_energy_with(source->model, source->state, from.elastic, source->work);
    fill(&from, map, true, frame);
    return LITHE_OK;
}
