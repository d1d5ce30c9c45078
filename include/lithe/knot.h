// SPDX-License-Identifier: Apache-2.0
// lithe/knot.h - what is tied: the knot of a closed curve through named nodes of rods

#ifndef LITHE_KNOT_H
#define LITHE_KNOT_H

#include "lithe/constraint.h"
#include "lithe/model.h"
#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Number of a knot in its scene and model, from 1; 0: none.
typedef struct LitheKnotId {
    int32_t number;
} LitheKnotId;

/// How the end of one strand is joined to the start of the next one. Up is against gravity, without
/// gravity along z.
typedef enum LitheKnotJoin {
    LITHE_KNOT_AUTO,     ///< of a knot of one strand: around; else above and below in turn
    LITHE_KNOT_AROUND,   ///< both straight out from the middle of the curve, and joined far outside
    LITHE_KNOT_ABOVE,    ///< both outward at their height beyond all else, and joined above
    LITHE_KNOT_BELOW,    ///< both straight down below all else, and joined there
    LITHE_KNOT_STRAIGHT, ///< by a straight line
} LitheKnotJoin;

/// A closed curve: strands along rods, joined one after the other, the last one to the first.
typedef struct LitheKnotDef {
    const char *name;
    const LitheAnchor *through; ///< [through_count] start and end of each strand, on one rod
    int32_t through_count;
    LitheKnotJoin joined; ///< after each strand
} LitheKnotDef;

/// What is tied in a state.
typedef struct LitheKnotReading {
    int64_t
        determinant;   ///< 1: nothing, 3 trefoil, 5 figure eight, 9 square and granny; 0: undecided
    int32_t signature; ///< -2 right-handed trefoil, 0 square, 4 in size granny knot
    int32_t crossings; ///< of a view after curls and overlaps are removed
    double clearance;  ///< least gap between the joining lines and the rods of the curve [m]
} LitheKnotReading;

/// Joined as LITHE_KNOT_AUTO; name and strands must be set.
LITHE_API LitheKnotDef lithe_knot_def_default(void);

/// Adds a copy; number 0 when out of memory. lithe_scene_check finds wrong values.
LITHE_API LitheKnotId lithe_scene_add_knot(LitheScene *scene, const LitheKnotDef *def);

/// Knots of a model; the one of a name (number 0: none); the name of one, which belongs to the
/// model.
LITHE_API int32_t lithe_knot_count(const LitheModel *model);
LITHE_API LitheKnotId lithe_knot_find(const LitheModel *model, const char *name);
LITHE_API const char *lithe_knot_name(const LitheModel *model, LitheKnotId knot);

/// The knot in a state. LITHE_NO_MEMORY: *reading is unchanged. Undecided is no failure.
LITHE_API LitheStatus lithe_knot_read(const LitheModel *model, const LitheState *state,
                                      LitheKnotId knot, LitheKnotReading *reading,
                                      LitheError *error);

#ifdef __cplusplus
}
#endif

#endif
