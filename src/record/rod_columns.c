// SPDX-License-Identifier: Apache-2.0
// record/rod_columns.c - sections and rest lengths of rods as constants of a recording

#include "record/rod_columns.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/quantity.h"

#include <math.h>
#include <stdio.h>

enum { PATH_CAPACITY = 512 };

// Full sizes along m1 and m2.
static void section_size(const LitheSectionDef *section, double size[2]) {
    bool flat = section->kind == LITHE_SECTION_RECTANGLE || section->kind == LITHE_SECTION_ELLIPSE;
    size[0] = flat ? section->width : 2 * section->radius;
    size[1] = flat ? section->height : 2 * section->radius;
}

static LitheStatus add_constants(const LitheModel *model, const LitheRod *rod, LitheLayout *layout,
                                 LitheError *error) {
    static const char *const kinds[] = {[LITHE_SECTION_CIRCLE] = "circle",
                                        [LITHE_SECTION_RECTANGLE] = "rectangle",
                                        [LITHE_SECTION_ELLIPSE] = "ellipse",
                                        [LITHE_SECTION_STIFFNESS] = "stiffness"};
    char path[PATH_CAPACITY];
    double size[2];
    section_size(&rod->section, size);
    double radius = 0.5 * fmax(size[0], size[1]), closed = rod->closed;
    const int64_t two[1] = {2}, edges[1] = {rod->edge_count};
    double *lengths = lithe_alloc_array(model->context, rod->edge_count, sizeof(double));
    if (!lengths)
        return lithe_fail_memory(error, "rest lengths");
    for (int32_t i = 0; i < rod->edge_count; i++)
        lengths[i] = rod->built_length[i] * rod->rest_stretch[i];

    snprintf(path, sizeof path, "rods/%s/closed", rod->name);
    LitheStatus status = lithe_layout_add_constant(layout, path, "1", "", LITHE_COLUMN_INTEGER, 0,
                                                   NULL, &closed, error);
    snprintf(path, sizeof path, "rods/%s/radius", rod->name);
    if (status == LITHE_OK)
        status = lithe_layout_add_constant(layout, path, "m", "", LITHE_COLUMN_REAL, 0, NULL,
                                           &radius, error);
    snprintf(path, sizeof path, "rods/%s/size", rod->name);
    if (status == LITHE_OK)
        status = lithe_layout_add_constant(layout, path, "m", "m1m2", LITHE_COLUMN_REAL, 1, two,
                                           size, error);
    snprintf(path, sizeof path, "rods/%s/rest_length", rod->name);
    if (status == LITHE_OK)
        status = lithe_layout_add_constant(layout, path, "m", "edge", LITHE_COLUMN_REAL, 1, edges,
                                           lengths, error);
    snprintf(path, sizeof path, "rods/%s/section", rod->name);
    if (status == LITHE_OK)
        status = lithe_layout_add_text(layout, path, kinds[rod->section.kind], error);
    if (status == LITHE_OK)
        status =
            lithe_layout_add_material(model, layout, "rods", rod->name, rod->touch.material, error);
    lithe_free(model->context, lengths);
    return status;
}

LitheStatus lithe_rod_columns(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < model->rod_count; i++)
        status = add_constants(model, &model->rods[i], layout, error);
    return status;
}
