// SPDX-License-Identifier: Apache-2.0
// data/fits.h - polynomials around the corners of a mesh, fitted to values in its cells
//
// Numbers in brackets: docs/theory/solids.md.

#ifndef LITHE_DATA_FITS_H
#define LITHE_DATA_FITS_H

#include <stdint.h>

/// (S71) What a fit needs of a mesh of elements or faces. The patch of a corner are the cells
/// around it; it has as many samples as these have quadrature points.
typedef struct LitheFits {
    int32_t points;  // of a cell
    int32_t rows;    // coefficients: that at the corner, or all where cells have midpoints
    int32_t *start;  // [node_count + 1] into cells; midpoints have none
    int32_t *cells;  // of the patches
    double *weights; // [start[node_count]][points][rows] coefficient: sum of weight times sample
    int32_t *spoke_start; // [node_count + 1] into spokes
    int32_t *spokes;      // [..][2] midpoint and other end of the edges at a corner
    double *scales;       // [node_count] over the reach of the patch [1/m]
} LitheFits;

#endif
