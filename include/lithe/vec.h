// SPDX-License-Identifier: Apache-2.0
// lithe/vec.h - vectors and quaternions

#ifndef LITHE_VEC_H
#define LITHE_VEC_H

#ifdef __cplusplus
extern "C" {
#endif

/// A vector in space, or three numbers.
typedef struct LitheVec3 {
    double x, y, z;
} LitheVec3;

/// Rotation as a unit quaternion, real part first.
typedef struct LitheQuat {
    double w, x, y, z;
} LitheQuat;

#ifdef __cplusplus
}
#endif

#endif
