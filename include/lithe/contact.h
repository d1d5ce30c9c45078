// SPDX-License-Identifier: Apache-2.0
// lithe/contact.h - what touches what in a state, how far things are apart, what a ray meets

#ifndef LITHE_CONTACT_H
#define LITHE_CONTACT_H

#include "lithe/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place on a thing: on an edge of a rod, a shape of a body, a particle.
typedef struct LitheContactSide {
    LitheThing thing;
    int32_t part; ///< edge, shape (in the order of the scene) or particle of the thing, from 0
    double s;     ///< rod: place along that edge, 0 to 1; else 0
} LitheContactSide;

/// A pair of surface points that touch or soon may. Materials are combined as for springs in
/// series: stiffness k = kA kB/(kA + kB), dissipation d = (kB dA + kA dB)/(kA + kB), friction
/// mu = 2 muA muB/(muA + muB), torsional and rolling friction likewise.
typedef struct LitheContact {
    uint64_t id; ///< the same from state to state while the same places touch
    LitheContactSide a, b;
    LitheVec3 point;    ///< midway between the two surfaces [m]
    LitheVec3 normal;   ///< unit, from a to b
    double gap;         ///< between the surfaces [m]; negative: overlap
    double stiffness;   ///< of the pair [N/m]
    double dissipation; ///< of the pair [s/m]
    double friction;    ///< of the pair
    double torsional;   ///< friction about the normal, of the pair [m]
    double rolling;     ///< friction across the normal, of the pair [m]
    uint32_t feature;   ///< which corners and faces of shapes touch; 0 between round rods
} LitheContact;

/// Contacts of a state, and the memory to find the next ones in.
typedef struct LitheContacts LitheContacts;

/// Empty; NULL when out of memory.
LITHE_API LitheContacts *lithe_contacts_create(LitheContext *context);

/// Accepts NULL.
LITHE_API void lithe_contacts_destroy(LitheContacts *contacts);

/// All contacts with a gap up to `margin` (>= 0) [m], into `contacts`, which may have served other
/// states and models: once its buffers have grown nothing is allocated. They are sorted by id and
/// depend on the state alone. Left out are ignored pairs, pairs of groups that do not touch, bodies
/// tied by a joint, fixed against fixed, and neighbouring edges of one rod. On failure `contacts`
/// is as before.
LITHE_API LitheStatus lithe_find_contacts(const LitheModel *model, const LitheState *state,
                                          double margin, LitheContacts *contacts,
                                          LitheError *error);

/// Number of contacts, and all of them; they live until the next search or the end.
LITHE_API int32_t lithe_contact_count(const LitheContacts *contacts);
LITHE_API const LitheContact *lithe_contact_data(const LitheContacts *contacts);

/// Pairs of shapes near each other for which no contact is defined (two meshes, say): were it not
/// 0, something would pass through something else.
LITHE_API int32_t lithe_contact_unserved(const LitheContacts *contacts);

// --- forces of the last step ---------------------------------------------------------------------

/// A contact and what it did in a step.
typedef struct LitheContactForce {
    LitheContact contact; ///< as found at the start of the step
    LitheVec3 force;      ///< on side b, mean over the step [N]
    double normal;        ///< its part along the normal [N], >= 0
    double slip;          ///< speed of sliding at the end of the step [m/s]
} LitheContactForce;

/// Contacts that took part in the last lithe_step with this work, those without force included.
LITHE_API int32_t lithe_work_contact_count(const LitheWork *work);

/// One of them, from 0, in the order of their ids.
LITHE_API LitheContactForce lithe_work_contact(const LitheWork *work, int32_t index);

/// The nearest places of two things.
typedef struct LitheNearestPlaces {
    double distance; ///< m; negative: the depth of the overlap
    LitheContactSide a, b;
    LitheVec3 on_a, on_b; ///< on the two surfaces [m]
} LitheNearestPlaces;

/// Distance of two different things, by name. LITHE_BAD_INPUT when there is none of a name
/// or one has no shape; LITHE_NOT_SUPPORTED for two shapes between which none is defined.
LITHE_API LitheStatus lithe_find_distance(const LitheModel *model, const LitheState *state,
                                          const char *a, const char *b, LitheNearestPlaces *nearest,
                                          LitheError *error);

/// What a ray met first.
typedef struct LitheRayCast {
    bool hit;              ///< false: nothing, and the rest means nothing
    double distance;       ///< from the origin [m]
    LitheVec3 point;       ///< m
    LitheVec3 normal;      ///< unit, outward
    LitheContactSide what; ///< the place that was met
} LitheRayCast;

/// First surface that the ray from `origin` along `direction` (any length but 0) enters within
/// `longest` [m].
LITHE_API LitheStatus lithe_cast_ray(const LitheModel *model, const LitheState *state,
                                     LitheVec3 origin, LitheVec3 direction, double longest,
                                     LitheRayCast *cast, LitheError *error);

#ifdef __cplusplus
}
#endif

#endif
