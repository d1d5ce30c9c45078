// SPDX-License-Identifier: Apache-2.0
// record/export_patches.c - areas of contact patches of a frame as polygons of VTK

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/contact_read.h"
#include "record/export_vtu.h"
#include "record/vtk_file.h"

#include <math.h>

enum { CORNERS = 24 };

typedef struct Polygons {
    double *points;   // [area][CORNERS][3]
    double *values;   // [area][3]
    int64_t *numbers; // [area][CORNERS]
} Polygons;

static void put_cells(const LitheContactRead *read, Polygons *p, FILE *file) {
    int64_t count = read->area_count;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < CORNERS; k++) {
            double angle = 2 * M_PI * (double)k / CORNERS;
            Vec3 x = v3_axpy(cos(angle), read->areas[i].axes[0], read->areas[i].centre);
            v3_store(v3_axpy(sin(angle), read->areas[i].axes[1], x),
                     p->points + 3 * (i * CORNERS + k));
            p->numbers[i * CORNERS + k] = i * CORNERS + k;
        }
    fprintf(file,
            "<PolyData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n<Points>\n",
            (long long)count * CORNERS, (long long)count);
    lithe_vtk_put_array(file, "Float64", "Points", 3, "", p->points, 3 * count * CORNERS);
    fprintf(file, "</Points>\n<Polys>\n");
    lithe_vtk_put_array(file, "Int64", "connectivity", 1, "", p->numbers, count * CORNERS);
    for (int64_t i = 0; i < count; i++)
        p->numbers[i] = (i + 1) * CORNERS;
    lithe_vtk_put_array(file, "Int64", "offsets", 1, "", p->numbers, count);
    fprintf(file, "</Polys>\n<CellData>\n");
}

static void put_values(const LitheContactRead *read, Polygons *p, FILE *file) {
    int64_t count = read->area_count;
    for (int64_t i = 0; i < count; i++)
        p->values[i] = read->areas[i].pressure;
    lithe_vtk_put_array(file, "Float64", "pressure", 1, "", p->values, count);
    for (int64_t i = 0; i < count; i++)
        p->values[i] = read->areas[i].area;
    lithe_vtk_put_array(file, "Float64", "area", 1, "", p->values, count);
    for (int64_t i = 0; i < count; i++)
        v3_store(read->areas[i].force, p->values + 3 * i);
    lithe_vtk_put_array(file, "Float64", "force", 3, "", p->values, 3 * count);
    for (int64_t i = 0; i < count; i++)
        v3_store(read->areas[i].normal, p->values + 3 * i);
    lithe_vtk_put_array(file, "Float64", "normal", 3, "", p->values, 3 * count);
    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < count; i++)
            p->numbers[i] = side == 0 ? read->areas[i].a : read->areas[i].b;
        lithe_vtk_put_array(file, "Int64", side == 0 ? "a" : "b", 1, "", p->numbers, count);
    }
    fprintf(file, "</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n");
}

LitheStatus lithe_vtk_write_patches(LitheRecording *recording, int64_t frame, const char *path,
                                    LitheError *error) {
    LitheContext *context = recording->context;
    LitheContactRead read = {.context = context};
    LitheFileReplace replace = {0};
    LitheStatus status = lithe_contact_areas(recording, frame, &read, error);
    int64_t count = read.area_count > 0 ? read.area_count : 1;
    Polygons p = {.points = lithe_alloc_array(context, 3 * count * CORNERS, sizeof(double)),
                  .values = lithe_alloc_array(context, 3 * count, sizeof(double)),
                  .numbers = lithe_alloc_array(context, count * CORNERS, sizeof(int64_t))};
    if (status == LITHE_OK && (!p.points || !p.values || !p.numbers))
        status = lithe_fail_memory(error, "the patches of a frame");
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(context, path, &replace, error);
    if (status == LITHE_OK) {
        lithe_vtk_put_head(replace.file, "PolyData");
        put_cells(&read, &p, replace.file);
        put_values(&read, &p, replace.file);
        status = lithe_file_replace_commit(&replace, error);
    }
    lithe_free(context, p.points);
    lithe_free(context, p.values);
    lithe_free(context, p.numbers);
    lithe_contact_read_release(&read);
    return status;
}
