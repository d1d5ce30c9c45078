// SPDX-License-Identifier: Apache-2.0
// body/solid_swell.c - natural size of soft solids that changes in time: swelling, muscles
//
//     (S60)  F = F_e G,   G = product of the swells of an element: s I, or I + (s - 1) u u' along u
//     (S61)  E = sum of V det G W(F G^-1)
//     (S62)  which is (S6) with the gradients G^-T g_a and the volumes V det G
// W is the energy per natural volume: a free solid that swells has no stress.

#include "body/solid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// inverse of the factors at a time; false when one is not positive
static bool factors_at(const LitheSolid *solid, int32_t k, double time, double *s) {
    *s = lithe_profile_at(&solid->swells[k].profile, time);
    return *s > 0 && isfinite(*s);
}

Mat3 lithe_solid_shrink(const LitheSolid *solid, int32_t element, double time, double *volume) {
    Mat3 inverse = m3_identity();
    *volume = 1;
    for (int32_t k = 0; k < solid->swell_count; k++) {
        const LitheSwell *swell = &solid->swells[k];
        double s;
        if (!swell->in[element] || !factors_at(solid, k, time, &s))
            continue;
        bool along = v3_norm(swell->along) > 0;
        Mat3 own =
            along ? m3_add(m3_identity(), m3_scale(1 / s - 1, m3_outer(swell->along, swell->along)))
                  : m3_scale(1 / s, m3_identity());
        inverse = m3_mul(inverse, own);
        *volume *= along ? s : s * s * s;
    }
    return inverse;
}

int64_t lithe_solid_swell_doubles(const LitheSolid *solid) {
    int64_t points = (int64_t)solid->mesh.element_count * solid->points;
    if (solid->swell_count == 0)
        return 0;
    return points * (3 * (int64_t)solid->mesh.nodes_per_element + 1) + solid->patches.count;
}

bool lithe_solid_swell(const LitheSolid *solid, double time, double *memory, LitheSolid *out) {
    int32_t width = solid->mesh.nodes_per_element;
    int64_t points = (int64_t)solid->mesh.element_count * solid->points;
    double *volumes = memory + 3 * points * width, *patches = volumes + points, s;
    *out = *solid;
    if (solid->swell_count == 0)
        return true;
    for (int32_t k = 0; k < solid->swell_count; k++)
        if (!factors_at(solid, k, time, &s))
            return false;
    out->gradients = (Vec3 *)memory;
    out->volumes = volumes;
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        double more;
        Mat3 inverse = m3_transpose(lithe_solid_shrink(solid, e, time, &more));
        for (int64_t p = (int64_t)e * solid->points; p < ((int64_t)e + 1) * solid->points; p++) {
            volumes[p] = more * solid->volumes[p];
            for (int64_t a = p * width; a < (p + 1) * width; a++) // (S62)
                out->gradients[a] = m3_apply(inverse, solid->gradients[a]);
        }
    }
    for (int32_t p = 0; p < solid->patches.count; p++) {
        patches[p] = 0;
        for (int32_t k = solid->patches.element_start[p]; k < solid->patches.element_start[p + 1];
             k++)
            patches[p] += volumes[solid->patches.elements[k]];
    }
    out->patches.volumes = patches;
    return true;
}

bool lithe_solid_energy_at(const LitheModel *model, const LitheSolid *solid, double time,
                           const double *x, double *energy) {
    LitheSolidTerms terms = {0};
    LitheSolid now;
    if (solid->swell_count == 0) {
        *energy = lithe_solid_elastic(solid, x, NULL, &terms);
        return true;
    }
    double *memory =
        lithe_alloc_array(model->context, lithe_solid_swell_doubles(solid), sizeof *memory);
    if (!memory)
        return false;
    *energy = NAN;
    if (lithe_solid_swell(solid, time, memory, &now))
        *energy = lithe_solid_elastic(&now, x, NULL, &terms);
    lithe_free(model->context, memory);
    return true;
}
