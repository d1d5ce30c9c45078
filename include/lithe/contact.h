// SPDX-License-Identifier: Apache-2.0
// lithe/contact.h - contacts of a state, distances between things, ray casts

#ifndef LITHE_CONTACT_H
#define LITHE_CONTACT_H

#include "lithe/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place on a thing: on an edge of a rod, a shape of a body, a particle.
typedef struct LitheContactSide {
    LitheThing thing;
    int32_t part; ///< edge, shape (in order of the scene), particle or node, from 0
    double s;     ///< rod: coordinate along that edge, 0 to 1; else 0
} LitheContactSide;

/// A pair of surface points that touch or are close. Materials are combined as for springs in
/// series: stiffness k = kA kB/(kA + kB), dissipation d = (kB dA + kA dB)/(kA + kB), friction
/// mu = 2 muA muB/(muA + muB), and the same for torsional and rolling friction.
typedef struct LitheContact {
    uint64_t id; ///< stays the same while the same places touch
    LitheContactSide a, b;
    LitheVec3 point;    ///< midway between the two surfaces [m]
    LitheVec3 normal;   ///< unit, from a to b
    double gap;         ///< between the surfaces [m]; negative: overlap
    double stiffness;   ///< of the pair [N/m]
    double dissipation; ///< of the pair [s/m]
    double friction;    ///< of the pair
    double torsional;   ///< friction about the normal, of the pair [m]
    double rolling;     ///< rolling friction, of the pair [m]
    uint32_t feature;   ///< which corners and faces of shapes touch; 0 between round rods
    double area;        ///< of a point of a patch: its share of the area [m^2]; 0: no patch
    double force;       ///< of a point of a patch: its force at rest [N]; else 0
} LitheContact;

/// Contacts of a state, and the buffers for the next search.
typedef struct LitheContacts LitheContacts;

/// Empty; NULL when out of memory.
LITHE_API LitheContacts *lithe_contacts_create(LitheContext *context);

/// Accepts NULL.
LITHE_API void lithe_contacts_destroy(LitheContacts *contacts);

/// Finds all contacts with a gap up to `margin` (>= 0) [m]. `contacts` can be reused for any state
/// and model: once its buffers have grown, nothing is allocated. Contacts are sorted by id and
/// depend only on the state. Excluded are ignored pairs, pairs of groups that do not touch, bodies
/// connected by a joint, pairs of fixed bodies, and neighbouring edges of one rod. On failure
/// `contacts` is unchanged.
LITHE_API LitheStatus lithe_find_contacts(const LitheModel *model, const LitheState *state,
                                          double margin, LitheContacts *contacts,
                                          LitheError *error);

/// Number of contacts, and all of them; valid until the next search or lithe_contacts_destroy.
LITHE_API int32_t lithe_contact_count(const LitheContacts *contacts);
LITHE_API const LitheContact *lithe_contact_data(const LitheContacts *contacts);

/// Number of close pairs of shapes whose contact is not supported (an open mesh and another mesh,
/// for example): they pass through each other. lithe_contact_unserved is the older name.
LITHE_API int32_t lithe_contact_unserved(const LitheContacts *contacts);
static inline int32_t lithe_contact_unsupported(const LitheContacts *contacts) {
    return lithe_contact_unserved(contacts);
}

// --- forces of the last step ---------------------------------------------------------------------

/// A contact and its force in a step.
typedef struct LitheContactForce {
    LitheContact contact; ///< as found at the start of the step
    LitheVec3 force;      ///< on side b, mean over the step, of tr-bdf2 over its last stage [N]
    double normal;        ///< its normal component [N], >= 0
    double slip;          ///< sliding speed at the end of the step [m/s]
} LitheContactForce;

/// Number of contacts in the last lithe_step with this work, including those without force.
LITHE_API int32_t lithe_work_contact_count(const LitheWork *work);

/// One of these contacts; `index` counts from 0 in the order of ids.
LITHE_API LitheContactForce lithe_work_contact(const LitheWork *work, int32_t index);

/// The nearest places of two things.
typedef struct LitheNearestPlaces {
    double distance; ///< m; negative: the depth of the overlap
    LitheContactSide a, b;
    LitheVec3 on_a, on_b; ///< on the two surfaces [m]
} LitheNearestPlaces;

/// Distance of two different things, by name. LITHE_BAD_INPUT when a name is unknown or a thing has
/// no shape; LITHE_NOT_SUPPORTED for pairs of shapes without a distance function (an
/// open mesh and a mesh).
LITHE_API LitheStatus lithe_find_distance(const LitheModel *model, const LitheState *state,
                                          const char *a, const char *b, LitheNearestPlaces *nearest,
                                          LitheError *error);

/// First hit of a ray.
typedef struct LitheRayCast {
    bool hit;              ///< false: no hit, the other fields are undefined
    double distance;       ///< from the origin [m]
    LitheVec3 point;       ///< m
    LitheVec3 normal;      ///< unit, outward
    LitheContactSide what; ///< the place that was hit
} LitheRayCast;

/// Finds the first surface that the ray from `origin` along `direction` (of any length except 0)
/// enters within `longest` [m].
LITHE_API LitheStatus lithe_cast_ray(const LitheModel *model, const LitheState *state,
                                     LitheVec3 origin, LitheVec3 direction, double longest,
                                     LitheRayCast *cast, LitheError *error);

#ifdef __cplusplus
}
#endif

#endif
