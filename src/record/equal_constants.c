// SPDX-License-Identifier: Apache-2.0
// record/equal_constants.c - finds equal constants by their hashes

#include "record/equal_constants.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

static size_t value_bytes(const LitheColumn *column) {
    return column->text ? strlen(column->text) : (size_t)column->count * sizeof(double);
}

static const void *values_of(const LitheColumn *column) {
    return column->text ? (const void *)column->text : (const void *)column->values;
}

static bool is_equal(const LitheColumn *a, const LitheColumn *b) {
    return a->kind == b->kind && a->rank == b->rank &&
           memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0 &&
           strcmp(a->unit, b->unit) == 0 && strcmp(a->axes, b->axes) == 0 &&
           value_bytes(a) == value_bytes(b) &&
           memcmp(values_of(a), values_of(b), value_bytes(a)) == 0;
}

bool lithe_equal_constants(const LitheLayout *layout, int32_t *same) {
    int32_t slot_count = 2;
    while (slot_count < 2 * layout->column_count)
        slot_count *= 2;
    // number of the first constant of a content, from 1; 0: empty
    int32_t *slots = lithe_alloc_array(layout->context, slot_count, sizeof *slots);
    if (!slots)
        return false;
    for (int32_t i = 0; i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        same[i] = i;
        if (column->offset >= 0)
            continue;
        uint32_t at = (uint32_t)lithe_hash(0, values_of(column), value_bytes(column));
        at &= (uint32_t)slot_count - 1;
        while (slots[at] && !is_equal(&layout->columns[slots[at] - 1], column))
            at = (at + 1) & ((uint32_t)slot_count - 1);
        if (slots[at])
            same[i] = slots[at] - 1;
        else
            slots[at] = i + 1;
    }
    lithe_free(layout->context, slots);
    return true;
}
