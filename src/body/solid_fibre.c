// SPDX-License-Identifier: Apache-2.0
// body/solid_fibre.c - fibres in the elements and on the faces of soft solids
//
// At a point of a cell, an element or a face, with the direction a at rest:
//     (S83)  y = F a = sum_b c_b x_b,   c_b = a.grad N_b at rest,   sum_b c_b = 0
//     (S84)  E = sum over cells and points of (S80),   k = modulus times volume of fibre at rest
//     (S85)  dE/dx_b = sum c_b dE/dy,   d2E/dx_b dx_d = sum c_b c_d d2E/dy2
// Gradients are those of the mesh: fibres do not swell with the solid (S60).

#include "body/solid.h"

#include "law/fibre.h"

#include <math.h>

// (S85); d2E/dy2 is symmetric, so that a block does not depend on which node is its row
static void add_stiffness(const LitheSolid *solid, const LitheFibres *own, const int32_t *entry,
                          const double *share, const Mat3 *H, double *values) {
    for (int32_t b = 0; b < own->width; b++)
        for (int32_t d = 0; d <= b; d++) {
            double *block = values + solid->pattern->value_at[*entry++];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    block[3 * j + i] += share[b] * share[d] * H->m[i][j];
        }
}

static double add_family(const LitheSolid *solid, const LitheFibres *own, const double *x,
                         const LitheSolidTerms *terms) {
    LitheFibrePart part = terms->strains   ? LITHE_FIBRE_STRAIN
                          : terms->project ? LITHE_FIBRE_PROJECTED
                                           : LITHE_FIBRE_WHOLE;
    int32_t each = own->width * (own->width + 1) / 2;
    double energy = 0;
    for (int64_t at = 0; at < (int64_t)own->cell_count * own->points; at++) {
        int64_t cell = at / own->points;
        const int32_t *node = own->nodes + cell * own->width;
        const double *share = own->shares + at * own->width;
        Vec3 slope, *want = terms->gradient ? &slope : NULL;
        Mat3 H, *hessian = terms->values ? &H : NULL;
        energy += lithe_fibre_energy(own->stiffness[at], own->slack,
                                     lithe_fibre_at(own, node, share, x), part, want, hessian);
        for (int32_t b = 0; want && b < own->width; b++) {
            double *f = terms->gradient + 3 * (int64_t)node[b];
            v3_store(v3_axpy(share[b], slope, v3_load(f)), f);
        }
        if (hessian) {
            H = m3_scale(terms->scale, H);
            add_stiffness(solid, own, own->entries + cell * each, share, &H, terms->values);
        }
    }
    return energy;
}

double lithe_solid_add_fibres(const LitheSolid *solid, const double *x,
                              const LitheSolidTerms *terms) {
    double energy = 0;
    for (int32_t k = 0; k < solid->fibre_count; k++)
        energy += add_family(solid, &solid->fibres[k], x, terms);
    return energy;
}

int32_t lithe_fibres_cell(const LitheFibres *own, int32_t element) {
    int32_t low = 0, high = own->elements ? own->cell_count : 0;
    while (low < high) { // cells are in the order of elements
        int32_t middle = (low + high) / 2;
        if (own->elements[middle] < element)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = own->elements && low < own->cell_count && own->elements[low] == element;
    return found ? low : -1;
}

Mat3 lithe_solid_fibre_stress(const LitheSolid *solid, int32_t element, int32_t point,
                              const double *x) {
    Mat3 sum = m3_zero();
    for (int32_t k = 0; k < solid->fibre_count; k++) {
        const LitheFibres *own = &solid->fibres[k];
        int32_t cell = lithe_fibres_cell(own, element);
        if (cell < 0)
            continue;
        int64_t at = (int64_t)cell * own->points + point;
        Vec3 slope, y = lithe_fibre_at(own, own->nodes + (int64_t)cell * own->width,
                                       own->shares + at * own->width, x);
        lithe_fibre_energy(own->stiffness[at], own->slack, y, LITHE_FIBRE_WHOLE, &slope, NULL);
        sum = m3_add(sum, m3_outer(slope, y));
    }
    return m3_scale(1 / solid->volumes[(int64_t)element * solid->points + point], sum);
}
