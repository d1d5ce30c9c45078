// SPDX-License-Identifier: Apache-2.0
// view/pressure.h - contact pressure as a field of a frame
//
//     p = sum |f . n| / A                                                            (pressure)
//
// over the contacts of a point; A is the projected area that belongs to the point: of a node of a
// tube its diameter times half the edges that meet there, of a ball its great circle, of a corner
// of a surface twice the touched triangle, which is a third of the six around a regular corner.

#ifndef LITHE_VIEW_PRESSURE_H
#define LITHE_VIEW_PRESSURE_H

#include "view/frame.h"

/// Adds the contacts of a frame to the words of its fixed part, whose pressures are 0 and whose
/// positions are known.
void lithe_view_add_pressures(const LitheViewScene *scene, const LitheViewFrame *frame,
                              float *words);

#endif
