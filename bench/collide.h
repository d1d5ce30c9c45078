// SPDX-License-Identifier: Apache-2.0
// bench/collide.h - the collide cases: what finding the contacts of a crowd of rods costs
//
// N rubber rods (radius 5 mm) of 100 edges of 1 cm wind at random (seeded) through a box of one
// litre a rod: one part in thirteen is rod, whatever N. Timed is one search for contacts with a
// margin of 1 mm in memory that is warm.

#ifndef LITHE_BENCH_COLLIDE_H
#define LITHE_BENCH_COLLIDE_H

#include "lithe/lithe.h"

typedef struct LitheBenchCollide {
    int32_t rods;
    int64_t segments;
    int64_t pairs; // whose boxes overlap
    int64_t contacts;
    int32_t repeats;
    double unit_ns;      // of this machine, now
    double seconds;      // of a search, processor time, median over repeats
    double proxies;      // part of it: boxes [s]
    double broad;        // part of it: pairs [s]
    double narrow;       // part of it: contacts of the pairs [s]
    double cost_units;   // a search per segment
    double narrow_units; // narrow phase per pair
    int64_t peak_memory_bytes;
} LitheBenchCollide;

LitheStatus lithe_bench_collide(int32_t rods, LitheBenchCollide *result, LitheError *error);

#endif
