// SPDX-License-Identifier: Apache-2.0
// tests/advance/lcp_world.h - what the scenes of tests under contact: {model: lcp} have in common

#ifndef LITHE_TEST_LCP_WORLD_H
#define LITHE_TEST_LCP_WORLD_H

#include "world.h"

#define HEAD \
    "lithe: 1\n" \
    "materials: {wood: {young: 1 GPa, density: 500 kg/m^3, friction: 0.5}}\n"
#define FLOOR "  floor: {shape: {half-space: {}}, material: wood, fixed: true}\n"

/// Further steps, which may not allocate.
static inline void world_step_without_allocation(World *w, int64_t steps) {
    int64_t before = lithe_context_alloc_count(w->context);
    world_step(w, steps);
    CHECK(lithe_context_alloc_count(w->context) == before);
}

#endif
