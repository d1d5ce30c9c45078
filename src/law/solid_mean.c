// SPDX-License-Identifier: Apache-2.0
// law/solid_mean.c - mean volume over patches of tetrahedra; formulas in the header

#include "law/solid_mean.h"

#include <stddef.h>

static Mat3 deformation(const LitheTets *tets, int32_t element, const double *x) {
    const int32_t *node = tets->nodes + 4 * (int64_t)element;
    const Vec3 *g = tets->gradients + 4 * (int64_t)element;
    Vec3 origin = v3_load(x + 3 * (int64_t)node[0]);
    Mat3 F = m3_zero();
    for (int a = 1; a < 4; a++)
        F = m3_add(F, m3_outer(v3_sub(v3_load(x + 3 * (int64_t)node[a]), origin), g[a]));
    return F;
}

// (H21): returns V_P m, and v of (H23) in `slopes`
static double volume_of(const LitheTets *tets, const LitheTetPatches *patches, int32_t patch,
                        const double *x, Vec3 *slopes) {
    double sum = 0;
    int32_t node_count = patches->node_start[patch + 1] - patches->node_start[patch];
    for (int32_t k = 0; k < node_count; k++)
        slopes[k] = v3(0, 0, 0);
    for (int32_t k = patches->element_start[patch]; k < patches->element_start[patch + 1]; k++) {
        int32_t e = patches->elements[k];
        Mat3 F = deformation(tets, e, x), slope;
        double V = tets->volumes[e];
        const Mat3 *R = tets->rotations ? &tets->rotations[e] : NULL;
        sum += V * lithe_solid_theta(tets->law, &F, R, &slope);
        for (int a = 0; a < 4; a++) {
            Vec3 *v = &slopes[patches->places[4 * (int64_t)e + a]];
            *v = v3_axpy(V, m3_apply(slope, tets->gradients[4 * (int64_t)e + a]), *v);
        }
    }
    return sum;
}

// the last term of (H23); nodes ascend, so that the row of a block is its larger node
static void add_outer(const LitheTets *tets, const LitheTetPatches *patches, int32_t patch,
                      double weight, const Vec3 *slopes, double *values) {
    int32_t node_count = patches->node_start[patch + 1] - patches->node_start[patch];
    const int32_t *entry = patches->entries + patches->entry_start[patch];
    for (int32_t a = 0; a < node_count; a++)
        for (int32_t b = 0; b <= a; b++) {
            double *to = values + tets->value_at[*entry++];
            const double row[3] = {slopes[a].x, slopes[a].y, slopes[a].z};
            const double column[3] = {weight * slopes[b].x, weight * slopes[b].y,
                                      weight * slopes[b].z};
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    to[3 * j + i] += row[i] * column[j];
        }
}

double lithe_tets_evaluate_mean(const LitheTets *tets, const LitheTetPatches *patches,
                                const double *x, LitheTetTerms *terms, double *pressures) {
    double energy = 0;
    Vec3 slopes[LITHE_PATCH_NODES];
    for (int32_t p = 0; p < patches->count; p++) {
        double dU, ddU, V = patches->volumes[p];
        double mean = volume_of(tets, patches, p, x, slopes) / V;
        double U = tets->law->volume(tets->material, mean, &dU, &ddU);
        if (!(U < INFINITY)) {
            terms->bad = patches->elements[patches->element_start[p]];
            return INFINITY;
        }
        energy += V * U;
        for (int32_t k = patches->element_start[p]; pressures && k < patches->element_start[p + 1];
             k++)
            pressures[patches->elements[k]] = dU; // (H22)
        if (terms->project)
            ddU = fmax(ddU, 0);
        if (terms->values)
            add_outer(tets, patches, p, terms->scale * ddU / V, slopes, terms->values);
    }
    LitheSolidMaterial shape = lithe_solid_shape(tets->material);
    LitheTets rest = *tets;
    rest.material = &shape;
    rest.pressures = pressures;
    return energy + lithe_tets_evaluate(&rest, x, terms);
}
