// SPDX-License-Identifier: Apache-2.0
// model/acting.h - which objects of a scene act on which thing: what builds a thing looks at its
// own ones only, since there may be a million of each

#ifndef LITHE_MODEL_ACTING_H
#define LITHE_MODEL_ACTING_H

#include "base/groups.h"
#include "scene/scene.h"

typedef struct LitheActing {
    int32_t first[LITHE_THING_KINDS]; // group of the first thing of a kind
    LitheGroups holds, drives, forces, natural_drives;
    int32_t *parents;     // [body_count] the joint of which a body is the child, from 0; -1: none
    LitheGroups children; // joints by the body that is their parent
    LitheGroups sharing;  // joints by the joint whose section they share
} LitheActing;

/// False when out of memory; free even then.
bool lithe_acting_make(const LitheScene *scene, LitheActing *acting);
void lithe_acting_free(LitheContext *context, LitheActing *acting);

/// Those of `groups` (holds, drives, forces or natural_drives) whose place is on a thing.
LitheNumbers lithe_acting_on(const LitheActing *acting, const LitheGroups *groups,
                             LitheThing thing);

#endif
