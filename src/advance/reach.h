// SPDX-License-Identifier: Apache-2.0
// advance/reach.h - whether the constraints of a state can be met

#ifndef LITHE_ADVANCE_REACH_H
#define LITHE_ADVANCE_REACH_H

#include "data/state.h"
#include "data/work.h"

/// Whether the near-rigid constraints that act in `state` can be met together, by any motion of
/// what they tie within holds, prescribed motions and limits of joints, from this state on.
/// LITHE_CANNOT_GO_ON: they cannot; the error names one of them, what it requires and how near its
/// things come to that. Where the search does not decide, they can. `kept` is its scratch memory,
/// NULL before the first search; a run needs it only where a constraint begins far from being met,
/// or supplies energy. `meter`: of the step, or NULL.
LitheStatus lithe_reach_check(const LitheModel *model, const LitheState *state, LitheReach **kept,
                              LitheMeter *meter, LitheError *error);

/// The same of the constraints that act at the time `middle`, at the load time `time`, to which
/// everything moves that is prescribed.
LitheStatus lithe_reach_ahead(const LitheModel *model, const LitheState *state, double time,
                              double middle, LitheReach **kept, LitheMeter *meter,
                              LitheError *error);

/// A step or search from `start` to the load time `time` failed: where constraints that act at the
/// time `middle` cannot be met at its end, `error` becomes that of
/// lithe_reach_ahead; where one is far from it and can be met, `error` names it, too.
void lithe_reach_blame(const LitheModel *model, const LitheState *start, double time, double middle,
                       LitheReach **kept, LitheMeter *meter, LitheError *error);

/// Accepts NULL.
void lithe_reach_destroy(LitheReach *kept);

/// After a step in time from `before` to `state`: the number of steps ahead in which a constraint
/// raises doubt that it can be met, or 0. It began with an error, it supplied energy in the step
/// while an error remains, or its error grows where motion is prescribed: one step. Prescribed
/// motion that pulls things straight makes them faster and faster, and the energy of steps wrong
/// before the constraint is: some steps.
int32_t lithe_reach_doubted(const LitheModel *model, const LitheState *before,
                            const LitheState *state);

#endif
