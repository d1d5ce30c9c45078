// SPDX-License-Identifier: Apache-2.0
// plan/obstacle.h - convex shapes that no disk of an arm may enter

#ifndef LITHE_PLAN_OBSTACLE_H
#define LITHE_PLAN_OBSTACLE_H

#include "plan/tape_vector.h"

#define LITHE_PLAN_DISKS 64     // of an arm, at most
#define LITHE_PLAN_OBSTACLES 17 // shapes, at most: 16 of a scene, and the ball

/// A disk of the arm: a cylinder about its axis.
typedef struct LitheArmDisk {
    const char *name; // of its body
    int32_t section;
    double place; // from 0 to 1 along the section
    double radius, half;
    uint32_t avoids; // bit k: it must not enter obstacle k
    bool meets_ball; // it could touch the ball, by groups and masks
} LitheArmDisk;

typedef enum LitheObstacleKind {
    LITHE_OBSTACLE_SPHERE,
    LITHE_OBSTACLE_HALF_SPACE, // z < 0
    LITHE_OBSTACLE_CAPSULE,    // axis z, half[2] from the middle to the centres of its ends
    LITHE_OBSTACLE_CYLINDER,   // axis z, half[2]
    LITHE_OBSTACLE_BOX         // half
} LitheObstacleKind;

/// A shape in the axes of the arm's base.
typedef struct LitheObstacle {
    LitheObstacleKind kind;
    const char *name;       // of its body
    double at[3];           // of its frame
    double axes[3][3];      // its x, y and z
    double radius, half[3]; // of kinds that have them
    double margin;          // to be kept beside the clearance of the task [m]
} LitheObstacle;

/// Lengths below this are rounded off [m]; distances are understated by at most three times as
/// much.
#define LITHE_OBSTACLE_SMOOTH 1e-4

/// A distance of a disk, with its centre and its axis, from a shape: never more than the true one.
/// It is that one within 3 LITHE_OBSTACLE_SMOOTH for spheres and half-spaces; for the others it is
/// that of the disk from a plane that separates its centre from the shape.
LitheTerm lithe_record_clearance(Tape *t, const LitheObstacle *shape, double radius, double half,
                                 Vector centre, Vector axis);

/// The distance of a point; negative inside of spheres, half-spaces and capsules, 0 inside of
/// others.
double lithe_obstacle_distance(const LitheObstacle *shape, const double point[3]);

#endif
