// SPDX-License-Identifier: Apache-2.0
// lithe/goal.h - goals of a scene: what its run is meant to reach, measured at the end

#ifndef LITHE_GOAL_H
#define LITHE_GOAL_H

#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the frames of a run become one number.
typedef enum LitheTake {
    LITHE_TAKE_LAST,
    LITHE_TAKE_FIRST,
    LITHE_TAKE_MEAN,
    LITHE_TAKE_MIN,
    LITHE_TAKE_MAX,
    LITHE_TAKE_AT, ///< at one time, linear between frames; counts: of the frame before
} LitheTake;

/// A recorded quantity that is to be at least, or at most, so large.
typedef struct LitheGoalDef {
    const char *name;
    const char *of;        ///< the quantity, as `lithe plot` names it: "crate.position.y"
    LitheTake take;        ///< of the frames in its time; LITHE_TAKE_AT: at `at`
    double from, to;       ///< its time [s]
    double at;             ///< of LITHE_TAKE_AT [s]
    double at_least;       ///< in SI units; -INFINITY: no lower bound
    double at_most;        ///< in SI units; INFINITY: no upper bound
    const char *dimension; ///< of the bounds, as "a length", to be checked; NULL: not said
} LitheGoalDef;

/// The last value, of any size.
LITHE_API LitheGoalDef lithe_goal_def_default(void);

/// Adds a copy; false when out of memory. lithe_scene_check finds wrong values.
LITHE_API bool lithe_scene_add_goal(LitheScene *scene, const LitheGoalDef *def);

#ifdef __cplusplus
}
#endif

#endif
