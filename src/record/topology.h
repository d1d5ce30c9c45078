// SPDX-License-Identifier: Apache-2.0
// record/topology.h - knots, links and writhe of the rods per frame, and reports of changes

#ifndef LITHE_RECORD_TOPOLOGY_H
#define LITHE_RECORD_TOPOLOGY_H

#include "base/threads.h"
#include "lithe/model.h"
#include "math/vec3.h"
#include "record/layout.h"

/// Two closed rods that are linked.
typedef struct LitheLink {
    int32_t a, b; // rods, a < b
    int64_t number;
} LitheLink;

/// Links of a frame, in the order of their rods; all other pairs have the linking number 0.
typedef struct LitheLinks {
    LitheLink *links;
    int32_t count, capacity;
} LitheLinks;

/// Box of a closed rod.
typedef struct LitheRodBox {
    Vec3 low, high;
    int32_t rod, nodes;
} LitheRodBox;

/// The results of the last frame. Initialise to zero, except the context.
typedef struct LitheTopology {
    LitheContext *context;
    const LitheModel *model;
    LithePool *pool;         // worker threads, or NULL
    int32_t *rods;           // [count] watched rods
    int32_t count, left_out; // watched rods; rods that `auto` omits
    Vec3 *points;            // [node_count of the model] of the last frame
    double *determinant;     // [count]; 0: not known yet; keeps its last value while undecided
    double *writhe;          // [count]
    double *linked;          // [count] sum of |linking number| with all others
    double *linking;         // [first.count] of the pairs that are linked as built
    LitheLinks now, before, first;
    LitheRodBox *boxes; // [count] of closed rods
    int32_t box_count;
    bool links_recorded; // there are at least two closed rods
    double time;         // of the last frame
    bool updated;        // there was a frame
    int64_t offset[5];   // of its columns in a frame
    int64_t undecided;   // rods and links, summed over frames, that took too much work
    int64_t changes;     // since the start, except those of an end that went through a loop
} LitheTopology;

/// A change between two frames.
typedef struct LitheTopologyChange {
    int32_t a, b; // rods; b < 0: the knot of a
    int64_t from, to;
    double since, until;   // s
    bool harmless;         // an end of an open rod went through a loop; the steps are certified
    const char *who;       // undecided: a name; NULL: links
    const char *undecided; // not NULL: there is no change, and this is why the value is unknown
} LitheTopologyChange;

/// Called for each change, and the first time that something is undecided.
typedef void LitheTopologyFn(const LitheTopologyChange *change, void *user);

/// Selects the rods to watch, adds their columns, and finds the links in `state` as built. `auto`
/// omits rods of more than 1000 edges (left_out), and all rods where nothing can touch. Release in
/// any case.
LitheStatus lithe_topology_begin(LitheTopology *topology, const LitheModel *model,
                                 const LitheState *state, LitheTopologyWish request,
                                 LitheLayout *layout, LitheError *error);
void lithe_topology_release(LitheTopology *topology);

/// Evaluates a state, reports changes since the last state, and fills the topology columns of
/// `frame`.
LitheStatus lithe_topology_update(LitheTopology *topology, const LitheState *state, double *frame,
                                  LitheTopologyFn *on_change, void *user, LitheError *error);

/// Resets: the next state is the first.
void lithe_topology_restart(LitheTopology *topology);

/// Whether frames of this layout hold what lithe_topology_resume needs.
bool lithe_topology_has_columns(const LitheLayout *layout);

/// Continues from the last frame of a resumed run.
LitheStatus lithe_topology_resume(LitheTopology *topology, const LitheLayout *layout,
                                  const double *frame, LitheError *error);

/// "rope: knot determinant 9 -> 5 between 0.412 s and 0.417 s".
void lithe_topology_text(const LitheModel *model, const LitheTopologyChange *change, char *text,
                         size_t size);

#endif
