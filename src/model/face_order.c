// SPDX-License-Identifier: Apache-2.0
// model/face_order.c - triangles of surfaces in groups of neighbours, for the contact search
//
// A mesh numbers its triangles in any order. The search excludes pairs of bundles, which are
// consecutive slots (collide/broad.c): the smaller their boxes, the fewer pairs are left. Each
// surface is halved at the median of the middles at rest along their longest extent, until a bundle
// is left. A deformed surface has the same neighbours, so one order serves all steps.

#include "base/memory.h"
#include "base/status.h"
#include "data/contacts.h"
#include "geom/mesh.h"
#include "model/compile.h"

static void group(const Vec3 *middles, int32_t *order, int32_t count) {
    if (count <= LITHE_BUNDLE_PARTS)
        return;
    // only the last bundle of a surface is not full
    int32_t bundles = (count + LITHE_BUNDLE_PARTS - 1) / LITHE_BUNDLE_PARTS;
    int32_t half = (bundles + 1) / 2 * LITHE_BUNDLE_PARTS;
    lithe_halve(middles, order, count, half, false);
    group(middles, order, half);
    group(middles, order + half, count - half);
}

LitheStatus lithe_order_faces(LitheModel *model, LitheError *error) {
    int32_t *order = lithe_alloc_array(model->context, model->face_count, sizeof *order);
    Vec3 *middles = lithe_alloc_array(model->context, model->face_count, sizeof *middles);
    model->face_order = order;
    if (!order || !middles) {
        lithe_free(model->context, middles);
        return lithe_fail_memory(error, "the order of triangles");
    }
    for (int32_t s = 0; s < model->face_set_count; s++) {
        const LitheFaceSet *set = &model->face_sets[s];
        bool finite = true;
        for (int32_t i = 0; i < set->count; i++) {
            const int32_t *t = set->surface->triangles + 3 * (int64_t)i;
            const Vec3 *rest = set->surface->rest;
            middles[set->at + i] = v3_add(rest[t[0]], v3_add(rest[t[1]], rest[t[2]]));
            finite = finite && v3_finite(middles[set->at + i]);
            order[set->at + i] = set->at + i;
        }
        if (finite) // quickselect of NaN would not end
            group(middles, order + set->at, set->count);
    }
    lithe_free(model->context, middles);
    return LITHE_OK;
}
