// SPDX-License-Identifier: Apache-2.0
// body/section_sums.h - sums over the mass of a section, four points of its line per SIMD vector

#ifndef LITHE_BODY_SECTION_SUMS_H
#define LITHE_BODY_SECTION_SUMS_H

#include "data/tree.h"

/// Sums over the mass dm of the line, p and slopes J_k in the frame of the base.
typedef struct LitheSectionMoments {
    double moment[3];    // dm p
    double second[3][3]; // dm p p', lower triangle
    double lin[3][3];    // dm J_k
    double ang[3][3];    // dm p x J_k
    double own[3][3];    // dm J_k . J_j, lower triangle
} LitheSectionMoments;

/// Motion of the base in its own axes.
typedef struct LitheSectionMotion {
    Vec3 omega, alpha; // angular velocity and acceleration
    Vec3 start;        // acceleration of the origin
} LitheSectionMotion;

typedef struct LitheSectionSums {
    // functions, points, slopes and masses at the shape section->y
    void (*place)(const LitheRigidLink *link, LitheSectionWork *section);
    void (*moments)(const LitheSectionWork *section, LitheSectionMoments *out);
    // bias at the rate section->y_rate
    void (*bias)(LitheSectionWork *section);
    // (X9) with the accelerations a [3] of the chambers, or NULL; adds to effort [3]
    void (*force)(const LitheSectionWork *section, const LitheSectionMotion *motion,
                  const double *a, Vec3 *force, Vec3 *torque, double *effort);
} LitheSectionSums;

extern const LitheSectionSums lithe_section_sums_portable;
#if defined(__x86_64__)
extern const LitheSectionSums lithe_section_sums_avx2;
#endif

/// The kernels in use.
static inline const LitheSectionSums *lithe_section_sums(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_section_sums_avx2;
#endif
    return &lithe_section_sums_portable;
}

#endif
