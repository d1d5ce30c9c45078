// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds.h - random worlds: made from a seed, run, and checked by independent formulas
//
// A world is a scene file that depends on its seed only. It is run as `lithe run` runs it, in a
// process of its own. After every step the checkers read positions, velocities and parameters and
// compute energies, momenta, overlaps and errors of ties and joints again, by formulas that are
// independent of the library. A violation that the run did not report is a silent failure.

#ifndef LITHE_CLI_WORLDS_H
#define LITHE_CLI_WORLDS_H

#include "cli/validate/passing.h"
#include "cli/validate/validate.h"

/// What a world is made of and how it is run.
typedef struct WorldPlan {
    uint64_t seed;
    LitheScheme scheme;
    double times; // factor on the step that fits the scene
} WorldPlan;

/// The scene file of a world, as text that the caller frees; NULL when out of memory.
char *lithe_world_make(const WorldPlan *plan);

/// Names of schemes in scene files.
const char *lithe_world_scheme(LitheScheme scheme);

// --- checkers ------------------------------------------------------------------------------------

/// Energies and momenta from positions, velocities and parameters.
typedef struct WorldSums {
    double kinetic;
    double stored; // stretching, bending, twist, springs of joints and ties, contacts
    double gravity;
    double contact; // of `stored`: overlaps of contacts
    double ties;    // of `stored`: springs of ties
    Vec3 momentum, angular;
    double momentum_scale, angular_scale; // sums of magnitudes
} WorldSums;

enum { WORLD_TIES = 16, WORLD_JOINTS = 16 };

/// What the checkers keep of the first state.
typedef struct WorldStart {
    double *natural;           // [node_count of all rods][3] natural k1, k2 and twist
    Pose tie[WORLD_TIES];      // place b in the frame of place a
    double length[WORLD_TIES]; // distance of the places
    Pose joint[WORLD_JOINTS];  // child in the frame of the parent
    bool free;                 // nothing from outside acts: momentum is constant
} WorldStart;

/// Memory of one run.
typedef struct WorldCheck {
    const LitheModel *model;
    LitheContacts *contacts;
    double *twist; // [node_count of all rods] scratch
    WorldStart start;
} WorldCheck;

bool lithe_world_check_begin(WorldCheck *check, const LitheModel *model, const LitheState *state);
void lithe_world_check_end(WorldCheck *check);

WorldSums lithe_world_sums(WorldCheck *check, const LitheState *state);

/// Energy of the overlaps of contacts in a state [J].
double lithe_world_overlaps(const LitheModel *model, const LitheState *state,
                            LitheContacts *contacts);

/// Largest overlap of round things (spheres, capsules, particles, round rods, the ground), over the
/// smaller half thickness.
double lithe_world_depth(const WorldCheck *check, const LitheState *state);

/// Error of a tie [m], and the rotation of place b since the start, in the frame of place a.
double lithe_world_tie_off(const WorldCheck *check, const LitheState *state, int32_t tie,
                           Vec3 *turn);

/// Largest error of near-rigid ties, and of joints [m].
double lithe_world_tie_error(const WorldCheck *check, const LitheState *state);
double lithe_world_joint_error(const WorldCheck *check, const LitheState *state);

// --- one world -----------------------------------------------------------------------------------

typedef enum WorldEnd {
    WORLD_DONE,    // reached its end
    WORLD_STOPPED, // stopped with a message: exit code 3 of `lithe run`
    WORLD_REFUSED, // the scene was not accepted
    WORLD_CRASHED, // a signal, a failed assertion
    WORLD_HUNG,    // took too long
} WorldEnd;

/// Checks that a world can fail.
typedef enum WorldFault {
    WORLD_FAULT_NUMBERS = 1 << 0,  // a number that is not finite
    WORLD_FAULT_ENERGY = 1 << 1,   // the energy rose
    WORLD_FAULT_TOTALS = 1 << 2,   // energies of the library differ from those computed here
    WORLD_FAULT_OVERLAP = 1 << 3,  // overlaps that are not small
    WORLD_FAULT_CROSSING = 1 << 4, // a rod passed through a rod
    WORLD_FAULT_TIES = 1 << 5,
    WORLD_FAULT_JOINTS = 1 << 6,
    WORLD_FAULT_MOMENTUM = 1 << 7,
    WORLD_FAULT_ANGULAR = 1 << 8,
    WORLD_FAULTS = 9,
} WorldFault;

/// Outcome of a world. Plain data: it comes from another process.
typedef struct WorldResult {
    WorldEnd end;
    uint32_t faults;   // WorldFault: what the checkers found
    uint32_t reported; // those of them that the run reported
    int32_t warnings;
    int64_t steps;
    int64_t trips;       // tr-bdf2: substeps that the guard corrected or made by backward Euler
    int64_t unconverged; // steps
    double energy;       // largest rise, over the largest kinetic or stored energy before
    double energy_time;  // when [s]
    double totals;       // largest difference of energies, relative
    double depth;        // largest overlap, over the smaller half thickness
    double ties, joints; // largest errors over the size of the world
    double momentum, angular;
    int64_t crossings;
    double seconds;
    char message[256]; // why it stopped, or the first warning
} WorldResult;

/// Runs a world in a process of its own.
WorldResult lithe_world_run(const WorldPlan *plan, const char *text);

#endif
