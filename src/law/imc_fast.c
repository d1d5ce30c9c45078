// SPDX-License-Identifier: Apache-2.0
// law/imc_fast.c - the choice between the compiled forms of imc_fast_kernel.h

#include "law/imc_fast.h"

static const LitheImcKernel *kernel(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_imc_kernel_avx2;
#endif
    return &lithe_imc_kernel_portable;
}

bool lithe_imc_many(const LitheImcMany *many, LitheImcPush *out) {
    return kernel()->many(many, out);
}

void lithe_imc_hessians(const LitheImcMany *many, double scale, const double *outer, double *out) {
    kernel()->hessians(many, scale, outer, out);
}

void lithe_imc_add_outer(const double *outer, double *hessian) {
    kernel()->add_outer(outer, hessian);
}

void lithe_imc_rates(int32_t count, const LitheImcRows *rows, const double *w, double *out) {
    kernel()->rates(count, rows, w, out);
}

void lithe_imc_spread(int32_t count, const LitheImcRows *rows, const double *f,
                      const LitheImcPush *now, double scale, double *out) {
    kernel()->spread(count, rows, f, now, scale, out);
}
