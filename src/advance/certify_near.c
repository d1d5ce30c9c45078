// SPDX-License-Identifier: Apache-2.0
// advance/certify_near.c - bodies that stay near the place where their contacts were searched
//
// The stages of a step search contacts at a predicted place. With s the largest distance of a point
// of a shape from its predicted place on the way of the step, d the depth of its inner shape, and g
// the smaller one of the search's margin and the smallest gap that it found, two bodies cannot have
// crossed (Z10) if for every shape that moves
//     (Z12)  s < d' + g for g < 0,  s < d' + g/2 else,  d' = (1 - 1e-3) d
// because their inner shapes were at least d_a + d_b + g apart. Without this every step of bodies
// that touch would search swept boxes.

#include "advance/certify_parts.h"

#include "body/tree_body.h"

#include <math.h>

// turns above this are not small: distances of rotations are convex below it [rad]
#define SMALL_TURN 1.0

// whether (Z12) applies, and the room that it leaves shapes beyond their inner shapes [m]
static bool applies(const LitheModel *model, const LitheAttempt *attempt, const LitheWork *work,
                    double *room) {
    const LitheContacts *c = work->contacts;
    // rods, particles and triangles have their own tests; patches have other gaps
    if (!work->outcome.ahead || attempt->held || c->part_count != model->geom_count ||
        c->unsupported > 0 || model->patches || model->contact.single)
        return false;
    *room = work->outcome.margin;
    for (int32_t i = 0; i < c->count; i++)
        *room = fmin(*room, c->contacts[i].gap);
    *room *= *room < 0 ? 1 : 0.5;
    return true;
}

// the largest distance of a point of the shape between its place in the search and with the body at
// `pose`
static double stray(const LitheModelGeom *geom, const LithePose *searched, Pose pose) {
    LithePose place = lithe_geom_place(pose, geom);
    Quat turned = q4_mul(q4_conj(searched->q), place.q);
    double turn = q4_turn_bound(turned);
    return turn < SMALL_TURN ? v3_distance(searched->at, place.at) + geom->geom.reach * turn
                             : INFINITY;
}

bool lithe_stay_near(const LitheModel *model, const LitheAttempt *attempt, LitheWork *work,
                     LithePlaces *begin, LithePlaces *end) {
    double room;
    if (!applies(model, attempt, work, &room))
        return false;
    Pose first = pose_identity(), last = first;
    double most = 0;
    for (int32_t g = 0; g < model->geom_count; g++) {
        const LitheModelGeom *own = &model->geoms[g];
        const LithePose *searched = &work->contacts->poses[g];
        work->moved[g] = 0;
        if (model->bodies[own->body].unit < 0)
            continue;
        if (g == 0 || own->body != model->geoms[g - 1].body) {
            first = lithe_places_body(begin, model, own->body);
            last = lithe_places_body(end, model, own->body);
        }
        double at_end = stray(own, searched, last);
        if (!(fmax(stray(own, searched, first), at_end) <
              (1 - LITHE_NEAR) * own->inner.depth + room))
            return false;
        work->moved[g] = at_end;
        most = fmax(most, at_end);
    }
    work->outcome.strayed = most;
    return true;
}
