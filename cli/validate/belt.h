// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt.h - the belt of the filaments paper on its two rollers

#ifndef LITHE_CLI_VALIDATE_BELT_H
#define LITHE_CLI_VALIDATE_BELT_H

#include "cli/validate/validate.h"

#define BELT_ROLLER 0.03    // radius [m]
#define BELT_APART 0.14608  // of the axes [m]
#define BELT_WIDTH 0.02     // of the belt [m]
#define BELT_HEIGHT 0.002   // of the belt [m]
#define BELT_YOUNG 6.2e5    // Pa
#define BELT_CROWN 0.313    // radius of the crown across the belt [m]
#define BELT_PRESTRESS 0.95 // rest length over length
#define BELT_START (-0.02)  // of the belt beside the middle [m]
#define BELT_POISSON 0.4999

typedef struct LitheBelt {
    const char *label;
    int32_t nodes;
    double speed;        // of the crowned roller [rad/s]
    double step, end;    // s
    double shear;        // modulus [Pa]; 0: from Poisson's ratio
    double poisson;      // used where shear is 0; 0: BELT_POISSON
    double stretch;      // rest length over length
    double radius;       // of the line on which it is laid, round the axes [m]; 0: on the rollers
    double stiffening;   // factor on EA; 0: 1
    bool held;           // the twist of all edges is held
    const char *contact; // settings of contact
} LitheBelt;

/// As published: 50 nodes, pi rad/s, steps of 3 ms, the true torsion constant, patches.
LitheBelt lithe_belt_published(void);

/// The place on the line of the belt, radius R round the rollers, at the fraction s of its length;
/// *outwards is the normal there.
LitheVec3 lithe_belt_line(double s, double R, LitheVec3 *outwards);

/// A closed flat belt through these points, with pretension; it keeps `points`.
LitheRodDef lithe_belt_rod(const LitheVec3 *points, int32_t count);

/// The two rollers of a scene for a belt, without the belt. Call lithe_stand_end after it.
bool lithe_belt_rollers(LitheTrial *trial, const LitheBelt *belt, LitheStand *stand);

/// The whole scene, compiled. Call lithe_stand_end after it, also after failure.
bool lithe_belt_build(LitheTrial *trial, const LitheBelt *belt, LitheStand *stand);

/// Mean y of all nodes [m], and the length of the closed line through them [m].
double lithe_belt_mean_y(const LitheStand *stand, int32_t nodes);
double lithe_belt_length(const LitheStand *stand, int32_t nodes);

#endif
