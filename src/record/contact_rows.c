// SPDX-License-Identifier: Apache-2.0
// record/contact_rows.c - active contacts, one row each

#include "record/contact_rows.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/part.h"
#include "record/quantity.h"

#include <math.h>
#include <string.h>

// the columns of a row, in this order
static const struct {
    const char *path, *unit, *axes;
    LitheColumnKind kind;
} columns[] = {
    {"contacts/position", "m", "contact xyz", LITHE_COLUMN_REAL},
    {"contacts/normal", "1", "contact xyz", LITHE_COLUMN_REAL},
    {"contacts/force", "N", "contact xyz", LITHE_COLUMN_REAL},
    {"contacts/gap", "m", "contact", LITHE_COLUMN_REAL},
    {"contacts/slip", "m/s", "contact", LITHE_COLUMN_REAL},
    {"contacts/a", "1", "contact", LITHE_COLUMN_INTEGER},
    {"contacts/b", "1", "contact", LITHE_COLUMN_INTEGER},
    {"contacts/part_a", "1", "contact", LITHE_COLUMN_INTEGER},
    {"contacts/part_b", "1", "contact", LITHE_COLUMN_INTEGER},
    {"contacts/area", "m^2", "contact", LITHE_COLUMN_REAL}, // only where there may be patches
};
enum { COLUMNS = (int)(sizeof columns / sizeof *columns), ROW_SIZE = 16 };

static int32_t row_size(const LitheModel *model) {
    return model->patches ? ROW_SIZE : ROW_SIZE - 1;
}

bool lithe_contact_rows_wanted(const LitheModel *model) {
    return lithe_can_touch(model);
}

// --- contacts ------------------------------------------------------------------------------------

// Things are numbered by owner, in the order of lithe_owners. Returns the number of things before
// those of an owner; NULL: the number of all.
static int32_t things_before(const LitheModel *model, const LitheOwner *end) {
    int32_t count = 0;
    for (const LitheOwner *const *owner = lithe_owners; *owner && *owner != end; owner++)
        count += (*owner)->side ? (*owner)->count(model) : 0;
    return count;
}

// adds the names of all things, one per line
static LitheStatus add_names(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheBytes text = {.context = model->context};
    bool first = true;
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++)
        for (int32_t i = 0; (*owner)->side && i < (*owner)->count(model); i++) {
            const char *name = (*owner)->name(model, i);
            if (!first)
                lithe_bytes_put(&text, "\n", 1);
            lithe_bytes_put(&text, name, (int64_t)strlen(name));
            first = false;
        }
    lithe_bytes_put(&text, "", 1);
    LitheStatus status = text.failed ? lithe_fail_memory(error, "the names of what touches")
                                     : lithe_layout_add_text(layout, "contacts/things",
                                                             (const char *)text.at, error);
    lithe_bytes_release(&text);
    return status;
}

LitheStatus lithe_contact_rows_begin(const LitheModel *model, LitheLayout *layout,
                                     LitheContactRows *rows, LitheError *error) {
    int64_t things = things_before(model, NULL);
    rows->on = lithe_alloc_array(rows->context, 3 * things, sizeof(double));
    rows->load = lithe_alloc_array(rows->context, things, sizeof(double));
    if (!rows->on || !rows->load)
        return lithe_fail_memory(error, "the forces of contacts");
    LitheStatus status = LITHE_OK;
    int32_t count = model->patches ? COLUMNS : COLUMNS - 1;
    for (int32_t k = 0; status == LITHE_OK && k < count; k++)
        status = lithe_layout_add_contact_column(layout, columns[k].path, columns[k].unit,
                                                 columns[k].axes, columns[k].kind, error);
    return status == LITHE_OK ? add_names(model, layout, error) : status;
}

void lithe_contact_rows_release(LitheContactRows *rows) {
    lithe_free(rows->context, rows->rows);
    lithe_free(rows->context, rows->on);
    lithe_free(rows->context, rows->load);
    *rows = (LitheContactRows){.context = rows->context};
}

// --- one frame -----------------------------------------------------------------------------------

static int32_t thing_of(const LitheModel *model, const LitheContactSide *side) {
    int32_t before = 0;
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        int32_t number = (*owner)->side ? (*owner)->side(side) : 0;
        if (number > 0)
            return before + number - 1;
        before += (*owner)->side ? (*owner)->count(model) : 0;
    }
    LITHE_ASSERT(!"a side of a contact has an owner");
    return 0;
}

static void push(double sign, Vec3 force, double *on) {
    v3_store(v3_axpy(sign, force, v3_load(on)), on);
}

static LitheStatus begin_frame(const LitheModel *model, int32_t count, LitheContactRows *rows,
                               LitheError *error) {
    memset(rows->on, 0, 3 * (size_t)things_before(model, NULL) * sizeof(double));
    memset(rows->load, 0, (size_t)things_before(model, NULL) * sizeof(double));
    rows->count = 0;
    if (!LITHE_RESERVE(rows->context, rows->rows, rows->capacity, (int64_t)row_size(model) * count))
        return lithe_fail_memory(error, "the contacts of a frame");
    return LITHE_OK;
}

static void add_row(const LitheModel *model, const LitheContactForce *found,
                    LitheContactRows *rows) {
    const LitheContact *contact = &found->contact;
    if (v3_dot(found->force, found->force) == 0)
        return;
    int32_t a = thing_of(model, &contact->a), b = thing_of(model, &contact->b);
    double *row = rows->rows + (int64_t)row_size(model) * rows->count++;
    v3_store(contact->point, row);
    v3_store(contact->normal, row + 3);
    v3_store(found->force, row + 6);
    row[9] = contact->gap;
    row[10] = found->slip;
    row[11] = a;
    row[12] = b;
    row[13] = contact->a.part;
    row[14] = contact->b.part;
    if (model->patches)
        row[15] = contact->area;
    push(-1, found->force, rows->on + 3 * (int64_t)a);
    push(1, found->force, rows->on + 3 * (int64_t)b);
    double normal = fabs(v3_dot(found->force, contact->normal));
    rows->load[a] += normal;
    rows->load[b] += normal;
}

LitheStatus lithe_contact_rows_fill(const LitheModel *model, const LitheWork *work,
                                    LitheContactRows *rows, LitheError *error) {
    int32_t count = work ? lithe_work_contact_count(work) : 0;
    LitheStatus status = begin_frame(model, count, rows, error);
    for (int32_t i = 0; i < count && status == LITHE_OK; i++) {
        LitheContactForce found = lithe_work_contact(work, i);
        add_row(model, &found, rows);
    }
    return status;
}

LitheStatus lithe_contact_rows_take(const LitheModel *model, const LitheContactForce *forces,
                                    int32_t count, LitheContactRows *rows, LitheError *error) {
    LitheStatus status = begin_frame(model, count, rows, error);
    for (int32_t i = 0; i < count && status == LITHE_OK; i++)
        add_row(model, &forces[i], rows);
    return status;
}

void lithe_read_contact(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    int64_t thing = things_before(from->model, part->owner) + part->index;
    memcpy(out, from->contacts->on + 3 * thing, 3 * sizeof(double));
}

void lithe_read_contact_load(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = from->contacts->load[things_before(from->model, part->owner) + part->index];
}
