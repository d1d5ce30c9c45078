// SPDX-License-Identifier: Apache-2.0
// solve/overlap.c - the energy stored in the overlaps of a state

#include "solve/overlap.h"

#include "collide/part.h"
#include "collide/patch.h"
#include "collide/ties.h"
#include "law/stiffening.h"
#include "solve/contact_model.h"

#include <math.h>
#include <string.h>

// of the contact of a ball, b, which is the higher kind
static double ball_room(const LitheModel *model, const LitheContactParts *parts) {
    int32_t ball = parts->part[1] - lithe_part_at(model, LITHE_PART_BALL), set = 0;
    while (ball >= model->ball_sets[set].at + model->ball_sets[set].count)
        set++;
    if (!model->ball_sets[set].surface)
        return INFINITY;
    // points of surfaces touch shapes alone
    int32_t geom = parts->part[0] - lithe_part_at(model, LITHE_PART_SHAPE);
    return lithe_surface_depth(model->ball_sets[set].surface, &model->geoms[geom]);
}

// (SC6) the smaller depth of the two triangles
static double faces_room(const LitheModel *model, const LitheContactParts *parts) {
    double room = INFINITY;
    for (int k = 0; k < 2; k++) {
        int32_t face = parts->part[k] - lithe_part_at(model, LITHE_PART_FACE), set = 0;
        while (face >= model->face_sets[set].at + model->face_sets[set].count)
            set++;
        room = fmin(room, model->face_sets[set].surface->depths[face - model->face_sets[set].at]);
    }
    return room;
}

double lithe_contact_room(const LitheModel *model, const LitheContactParts *parts) {
    double room = 0;
    if (lithe_part_kind(model, parts->part[0]) == LITHE_PART_FACE)
        return faces_room(model, parts);
    if (lithe_part_kind(model, parts->part[1]) == LITHE_PART_BALL)
        return ball_room(model, parts);
    // the centreline of a rod must not reach a soft surface; particles keep their stiffness
    if (lithe_part_kind(model, parts->part[1]) == LITHE_PART_FACE)
        return lithe_part_kind(model, parts->part[0]) == LITHE_PART_SEGMENT
                   ? model->units[parts->site[0].unit].thickness
                   : INFINITY;
    for (int k = 0; k < 2; k++)
        if (parts->site[k].unit >= 0)
            room += model->units[parts->site[k].unit].thickness;
    return room > 0 ? room : INFINITY;
}

// nodes and triangles of a solid stand beside its tetrahedra, which are what touches
static bool touches_by_patches(const LitheModel *model, const LitheContacts *c,
                               LithePartPair pair) {
    LithePartKind kind = lithe_part_kind(model, pair.b);
    return kind != LITHE_PART_BALL && kind != LITHE_PART_FACE && lithe_patch_pair(model, c, pair);
}

bool lithe_patches_unseen(const LitheModel *model, const LitheWork *work) {
    const LitheContacts *c = work->contacts;
    int32_t seen = 0, near = 0, last[2] = {-1, -1};
    if (!model->patches || !lithe_can_touch(model))
        return false;
    // contacts of a pair follow each other
    for (int32_t i = 0; i < c->count; i++) {
        const int32_t *part = c->parts[i].part;
        seen += c->contacts[i].area > 0 && (part[0] != last[0] || part[1] != last[1]);
        memcpy(last, part, sizeof last);
    }
    for (int32_t i = 0; i < c->pair_count && near <= seen; i++)
        near += touches_by_patches(model, c, c->pairs[i]);
    return near > seen;
}

// All overlaps. At the end of a certified step that stayed near the places of its last search, only
// pairs that this search found close can overlap; a patch has no gap before it begins.
static bool find_overlaps(const LitheModel *model, const LitheState *state, LitheWork *work) {
    LitheCollideOptions options = {.pool = work->pool, .placed = &work->placed[0]};
    LitheError error;
    if (work->outcome.strayed < INFINITY && !lithe_patches_unseen(model, work) &&
        lithe_overlaps_are_near(model, work->contacts, work->outcome.margin,
                                lithe_contact_glide(model), work->moved))
        return lithe_collide_overlaps(model, state, work->contacts, work->moved, work->pool,
                                      options.placed, work->sweep);
    return lithe_collide(model, state, &options, work->sweep, &error) == LITHE_OK;
}

bool lithe_overlap_energy(const LitheModel *model, const LitheState *state, LitheWork *work,
                          double *energy) {
    const LitheContacts *found = work->sweep;
    bool stiffens = model->contact.certify;
    *energy = 0;
    if (!lithe_can_touch(model))
        return true;
    if (!find_overlaps(model, state, work))
        return false;
    for (int32_t i = 0; i < found->count; i++) {
        const LitheContact *c = &found->contacts[i];
        // (PF14); a released tie leaves an overlap that pushes nothing apart
        if (c->area > 0)
            *energy += 0.5 * c->force * -c->gap;
        else if (c->gap < 0 && !lithe_tie_leaves(model, state, found, i))
            *energy += lithe_stiff_energy(
                c->stiffness, stiffens ? lithe_contact_room(model, &found->parts[i]) : INFINITY,
                -c->gap);
    }
    return true;
}
