// SPDX-License-Identifier: Apache-2.0
// bench/unit.h - the unit that makes benchmark figures comparable between machines

#ifndef LITHE_BENCH_UNIT_H
#define LITHE_BENCH_UNIT_H

/// Time of one unit on this machine [ns]: a plain scalar band Cholesky with solve (4000 unknowns,
/// half-bandwidth 10), per rod node of 4 unknowns, best of 50. Takes about 20 ms.
double lithe_bench_unit_ns(void);

#endif
