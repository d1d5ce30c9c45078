// SPDX-License-Identifier: Apache-2.0
// record/layout_map.c - copies the columns of a frame to another layout

#include "record/layout_map.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static bool same_size(const LitheColumn *a, const LitheColumn *b) {
    return a->count == b->count && a->rank == b->rank && a->kind == b->kind;
}

static LitheStatus fail_column(const LitheColumn *column, const LitheColumn *found,
                               const LitheLayout *to, LitheError *error) {
    if (!found)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "the journal of Lithe %s has '%s', which this Lithe %s does not record",
                          to->version, column->path, lithe_version());
    return lithe_fail(error, LITHE_NOT_SUPPORTED,
                      "'%s' has another size or type in the journal of Lithe %s (%lld values) than "
                      "in this Lithe %s (%lld values)",
                      column->path, to->version, (long long)column->count, lithe_version(),
                      (long long)found->count);
}

static LitheStatus add_piece(LitheLayoutMap *map, const LitheColumn *from, const LitheColumn *to,
                             bool row, LitheError *error) {
    LitheLayoutPiece piece = {.from = from->offset, .to = to->offset, .count = to->count};
    map->on = map->on || from->offset != to->offset;
    bool room = row ? LITHE_RESERVE(map->context, map->row_pieces, map->row_piece_capacity,
                                    (int64_t)map->row_piece_count + 1)
                    : LITHE_RESERVE(map->context, map->pieces, map->piece_capacity,
                                    (int64_t)map->piece_count + 1);
    if (!room)
        return lithe_fail_memory(error, "the columns of the journal");
    if (row)
        map->row_pieces[map->row_piece_count++] = piece;
    else
        map->pieces[map->piece_count++] = piece;
    return LITHE_OK;
}

// Counts the columns that the program records and the journal does not have.
static void count_left_out(const LitheLayout *from, const LitheLayout *to, LitheLayoutMap *map) {
    for (int32_t i = 0; i < from->column_count + from->contact_column_count; i++) {
        bool contact = i >= from->column_count;
        const LitheColumn *own =
            contact ? &from->contact_columns[i - from->column_count] : &from->columns[i];
        const char *path = own->path;
        if (own->offset < 0 ||
            (contact ? lithe_layout_find_contact_column(to, path) : lithe_layout_find(to, path)))
            continue;
        if (map->left_out++ == 0)
            map->first_out = path;
    }
}

static LitheStatus find_pieces(const LitheLayout *from, const LitheLayout *to, LitheLayoutMap *map,
                               LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < to->column_count; i++) {
        const LitheColumn *column = &to->columns[i];
        if (column->offset < 0)
            continue;
        const LitheColumn *found = lithe_layout_find(from, column->path);
        status = found && found->offset >= 0 && same_size(column, found)
                     ? add_piece(map, found, column, false, error)
                     : fail_column(column, found, to, error);
    }
    for (int32_t i = 0; status == LITHE_OK && i < to->contact_column_count; i++) {
        const LitheColumn *column = &to->contact_columns[i];
        const LitheColumn *found = lithe_layout_find_contact_column(from, column->path);
        status = found && same_size(column, found) ? add_piece(map, found, column, true, error)
                                                   : fail_column(column, found, to, error);
    }
    return status;
}

LitheStatus lithe_layout_map_create(const LitheLayout *from, const LitheLayout *to,
                                    LitheLayoutMap *map, LitheError *error) {
    LitheLayoutMap made = {.context = to->context,
                           .from_row_size = from->row_size,
                           .to_row_size = to->row_size,
                           .on = from->frame_size != to->frame_size ||
                                 from->row_size != to->row_size};
    LitheStatus status = find_pieces(from, to, &made, error);
    if (status == LITHE_OK && made.on) {
        made.frame = lithe_alloc_array(made.context, to->frame_size, sizeof(double));
        if (!made.frame)
            status = lithe_fail_memory(error, "a frame of the journal");
    }
    if (status != LITHE_OK) {
        lithe_layout_map_release(&made);
        return status;
    }
    count_left_out(from, to, &made);
    *map = made;
    return LITHE_OK;
}

void lithe_layout_map_release(LitheLayoutMap *map) {
    lithe_free(map->context, map->pieces);
    lithe_free(map->context, map->row_pieces);
    lithe_free(map->context, map->frame);
    lithe_free(map->context, map->rows);
    *map = (LitheLayoutMap){.context = map->context};
}

static void copy(const LitheLayoutPiece *pieces, int32_t count, const double *from, double *to) {
    for (int32_t i = 0; i < count; i++)
        memcpy(to + pieces[i].to, from + pieces[i].from, (size_t)pieces[i].count * sizeof(double));
}

bool lithe_layout_map_apply(LitheLayoutMap *map, const double **frame, const double **rows,
                            int64_t *row_count) {
    if (!map->on)
        return true;
    copy(map->pieces, map->piece_count, *frame, map->frame);
    *frame = map->frame;
    // a journal without contacts
    if (map->to_row_size == 0)
        *row_count = 0;
    if (!LITHE_RESERVE(map->context, map->rows, map->row_capacity, *row_count * map->to_row_size))
        return false;
    for (int64_t i = 0; i < *row_count; i++)
        copy(map->row_pieces, map->row_piece_count, *rows + i * map->from_row_size,
             map->rows + i * map->to_row_size);
    *rows = map->rows;
    return true;
}

void lithe_layout_map_revert(const LitheLayoutMap *map, const double *frame, double *own) {
    for (int32_t i = 0; i < map->piece_count; i++)
        memcpy(own + map->pieces[i].from, frame + map->pieces[i].to,
               (size_t)map->pieces[i].count * sizeof(double));
}
