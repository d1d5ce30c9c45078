// SPDX-License-Identifier: Apache-2.0
// record/export_vtu.c - the tetrahedra of a solid as an unstructured grid of VTK

#include "record/export_vtu.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/vtk_file.h"

#include <string.h>

// numbers of these cells in VTK; nodes of elements have its order
enum { TETRAHEDRON = 10, QUADRATIC_TETRAHEDRON = 24 };

// components of symmetric tensors in the order of VTK: xx yy zz xy yz xz, ours xx yy zz yz zx xy
static const int8_t tensor_order[6] = {0, 1, 2, 5, 3, 4};
static const char tensor_names[] =
    " ComponentName0=\"xx\" ComponentName1=\"yy\" ComponentName2=\"zz\" ComponentName3=\"xy\" "
    "ComponentName4=\"yz\" ComponentName5=\"xz\"";

const LitheColumn *lithe_vtu_elements(const LitheRecording *recording, const LitheDrawable *of) {
    if (of->drawn != LITHE_DRAWN_SURFACE)
        return NULL;
    const LitheColumn *column = lithe_recording_column(recording, of->folder, of->name, "elements");
    if (!column || !column->values || column->rank != 2 ||
        (column->dims[1] != 4 && column->dims[1] != 10))
        return NULL;
    for (int64_t i = 0; i < column->count; i++)
        if (!(column->values[i] >= 0 && column->values[i] < of->point_count))
            return NULL;
    return column;
}

typedef struct Grid {
    LitheRecording *recording;
    const LitheDrawable *of;
    const LitheColumn *elements;
    int64_t frame;
    double *values;   // [the largest column] of the frame
    int64_t *numbers; // [element][nodes]
    FILE *file;
} Grid;

// a quantity of this thing per frame, on an axis "node" or "element"
static bool is_on(const Grid *grid, const LitheColumn *column, const char *axis) {
    size_t folder = strlen(grid->of->folder), name = strlen(grid->of->name), n = strlen(axis);
    const char *path = column->path;
    bool own = strncmp(path, grid->of->folder, folder) == 0 && path[folder] == '/' &&
               strncmp(path + folder + 1, grid->of->name, name) == 0 &&
               path[folder + 1 + name] == '/' && !strchr(path + folder + name + 2, '/');
    bool there = strncmp(column->axes, "time ", 5) == 0 &&
                 strncmp(column->axes + 5, axis, n) == 0 &&
                 (column->axes[5 + n] == ' ' || column->axes[5 + n] == '\0');
    return own && there && column->offset >= 0 && column->rank >= 1;
}

static LitheStatus put_column(const Grid *grid, const LitheColumn *column, LitheError *error) {
    int32_t width = column->rank == 2 ? (int32_t)column->dims[1] : 1;
    bool tensor = width == 6 && strstr(column->axes, " part");
    double *x = grid->values;
    LitheStatus status = lithe_recording_read(grid->recording, column, grid->frame, 1, x, error);
    if (status != LITHE_OK)
        return status;
    for (int64_t i = 0; tensor && i < column->dims[0]; i++) {
        double own[6];
        memcpy(own, x + 6 * i, sizeof own);
        for (int k = 0; k < 6; k++)
            x[6 * i + k] = own[tensor_order[k]];
    }
    lithe_vtk_put_array(grid->file, "Float64", strrchr(column->path, '/') + 1, width,
                        tensor ? tensor_names : "", x, column->count);
    return LITHE_OK;
}

static LitheStatus put_columns(const Grid *grid, const char *kind, const char *axis,
                               LitheError *error) {
    const LitheLayout *layout = &grid->recording->layout;
    LitheStatus status = LITHE_OK;
    fprintf(grid->file, "<%s>\n", kind);
    for (int32_t i = 0; status == LITHE_OK && i < layout->column_count; i++)
        if (is_on(grid, &layout->columns[i], axis) &&
            strcmp(strrchr(layout->columns[i].path, '/') + 1, "position") != 0)
            status = put_column(grid, &layout->columns[i], error);
    fprintf(grid->file, "</%s>\n", kind);
    return status;
}

static void put_cells(const Grid *grid) {
    int64_t count = grid->elements->dims[0], width = grid->elements->dims[1];
    fprintf(grid->file, "<Cells>\n");
    for (int64_t i = 0; i < grid->elements->count; i++)
        grid->numbers[i] = (int64_t)grid->elements->values[i];
    lithe_vtk_put_array(grid->file, "Int64", "connectivity", 1, "", grid->numbers,
                        grid->elements->count);
    for (int64_t i = 0; i < count; i++)
        grid->numbers[i] = (i + 1) * width;
    lithe_vtk_put_array(grid->file, "Int64", "offsets", 1, "", grid->numbers, count);
    for (int64_t i = 0; i < count; i++)
        grid->numbers[i] = width == 4 ? TETRAHEDRON : QUADRATIC_TETRAHEDRON;
    lithe_vtk_put_array(grid->file, "Int64", "types", 1, "", grid->numbers, count);
    fprintf(grid->file, "</Cells>\n");
}

static LitheStatus put_grid(const Grid *grid, LitheError *error) {
    const LitheColumn *position =
        lithe_recording_column(grid->recording, grid->of->folder, grid->of->name, "position");
    lithe_vtk_put_head(grid->file, "UnstructuredGrid");
    fprintf(grid->file,
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%lld\">\n<Points>\n",
            grid->of->point_count, (long long)grid->elements->dims[0]);
    LitheStatus status = put_column(grid, position, error);
    fprintf(grid->file, "</Points>\n");
    if (status == LITHE_OK) {
        put_cells(grid);
        status = put_columns(grid, "PointData", "node", error);
    }
    if (status == LITHE_OK)
        status = put_columns(grid, "CellData", "element", error);
    fprintf(grid->file, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    return status;
}

LitheStatus lithe_vtu_write(LitheRecording *recording, const LitheDrawable *of, int64_t frame,
                            const char *path, LitheError *error) {
    LitheContext *context = recording->context;
    Grid grid = {.recording = recording,
                 .of = of,
                 .elements = lithe_vtu_elements(recording, of),
                 .frame = frame};
    int64_t most = 3 * (int64_t)of->point_count;
    for (int32_t i = 0; i < recording->layout.column_count; i++)
        if (is_on(&grid, &recording->layout.columns[i], "element"))
            most = recording->layout.columns[i].count > most ? recording->layout.columns[i].count
                                                             : most;
    grid.values = lithe_alloc_array(context, most, sizeof *grid.values);
    grid.numbers = lithe_alloc_array(context, grid.elements->count, sizeof *grid.numbers);
    LitheFileReplace replace = {0};
    LitheStatus status = grid.values && grid.numbers
                             ? lithe_file_replace_begin(context, path, &replace, error)
                             : lithe_fail_memory(error, "a grid for ParaView");
    if (status == LITHE_OK) {
        grid.file = replace.file;
        status = put_grid(&grid, error);
        if (status == LITHE_OK)
            status = lithe_file_replace_commit(&replace, error);
        else
            lithe_file_replace_abort(&replace);
    }
    lithe_free(context, grid.values);
    lithe_free(context, grid.numbers);
    return status;
}
