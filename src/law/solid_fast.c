// SPDX-License-Identifier: Apache-2.0
// law/solid_fast.c - the choice between the compiled forms of solid_fast_kernel.h

#include "law/solid_fast.h"

#include <stddef.h>

LitheTetKernel *lithe_tet_kernel(int32_t index) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return index == 0 ? lithe_tets_avx2 : index == 1 ? lithe_tets_portable : NULL;
#endif
    return index == 0 ? lithe_tets_portable : NULL;
}

LitheTetRotations *lithe_tet_rotations(int32_t index) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return index == 0   ? lithe_tets_rotations_avx2
               : index == 1 ? lithe_tets_rotations_portable
                            : NULL;
#endif
    return index == 0 ? lithe_tets_rotations_portable : NULL;
}

double lithe_tets_evaluate(const LitheTets *tets, const double *x, LitheTetTerms *terms) {
    return lithe_tet_kernel(0)(tets, x, terms);
}

void lithe_tets_rotations(const LitheTets *tets, const double *x, Mat3 *rotations) {
    lithe_tet_rotations(0)(tets, x, rotations);
}
