// SPDX-License-Identifier: Apache-2.0
// data/fibres.h - fibres in a soft solid
//
// Numbers in brackets: docs/theory/solids.md.

#ifndef LITHE_DATA_FIBRES_H
#define LITHE_DATA_FIBRES_H

#include "data/fits.h"

#include <stdbool.h>
#include <stdint.h>

/// A family of fibres in elements or on faces of a solid: its cells.
typedef struct LitheFibres {
    int32_t cell_count;
    int32_t width;     // nodes of a cell: 4 or 10, of a face 3 or 6
    int32_t points;    // quadrature points of a cell
    int32_t *nodes;    // [cell_count][width]
    int32_t *entries;  // [cell_count][pairs a >= b: 00 10 11 20 ..] of the pattern of the solid
    int32_t *elements; // [cell_count] ascending; NULL: the cells are faces
    int32_t *behind;   // [cell_count] the elements of faces; NULL: the cells are elements
    double *shares;    // [cell_count][points][width] (S83) [1/m]
    double *stiffness; // [cell_count][points] modulus times volume of fibre [J]
    bool slack;        // carries no compression
    LitheFits fits;    // of strains of the fibres
} LitheFibres;

#endif
