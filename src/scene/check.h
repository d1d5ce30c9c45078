// SPDX-License-Identifier: Apache-2.0
// scene/check.h - inside of lithe_scene_check: a checker that reports one wrong value per object

#ifndef LITHE_SCENE_CHECK_H
#define LITHE_SCENE_CHECK_H

#include "base/status.h"
#include "geom/shape.h"
#include "scene/scene.h"

/// The longest name of anything in a scene [characters].
#define LITHE_NAME_LENGTH 100

/// Largest deviation of a quaternion from unit length; within it, quaternions are normalised when
/// added.
#define LITHE_UNIT_TOLERANCE 1e-6

/// Least length of a vector that gives a direction: the square of a shorter one has few digits, or
/// is 0.
#define LITHE_SHORTEST_DIRECTION 1e-150

/// Checks one object at a time. Once `status` is not LITHE_OK, every further check of it does
/// nothing.
typedef struct LitheCheck {
    const LitheScene *scene;
    LitheError *error; // of the object that is checked
    LitheStatus status;
    LitheMistakes mistakes; // of the objects before
    bool warn;              // also log what is legal but suspicious
    char label[160];        // "rod 'rope'"
    char path[256];         // "rods.rope"
    const char *prefix;     // between path and key, not shown: "section.circle."
    char failed[128];       // prefix and key of the wrong value
} LitheCheck;

typedef enum LitheLimit {
    LITHE_ANY,          // finite
    LITHE_POSITIVE,     // finite and > 0
    LITHE_NOT_NEGATIVE, // finite and >= 0
} LitheLimit;

/// Selects object `index` of a section: ("rod", "rods", "rope", 0).
void lithe_check_select(LitheCheck *check, const char *kind, const char *section, const char *name,
                        int32_t index);

/// Fails with "LABEL: MESSAGE" at the place of `key` of the selected object ("": the object
/// itself).
void lithe_check_fail(LitheCheck *check, const char *key, const char *format, ...)
    LITHE_PRINTF(3, 4);

/// Logs a warning, "FILE:LINE:COLUMN: MESSAGE" with the place of `key` where it is known. Nothing
/// where the check does not warn.
void lithe_check_warn(const LitheCheck *check, const char *key, const char *format, ...)
    LITHE_PRINTF(3, 4);

// --- single values: `unit` may be "" -------------------------------------------------------------

/// "radius is -0.002 m, must be > 0"
void lithe_check_number(LitheCheck *check, const char *key, double value, const char *unit,
                        LitheLimit limit);
void lithe_check_vector(LitheCheck *check, const char *key, LitheVec3 v, const char *unit);

/// A vector of which only the direction counts; zero: it is not given.
void lithe_check_direction(LitheCheck *check, const char *key, LitheVec3 v);

/// Must have unit length within LITHE_UNIT_TOLERANCE.
void lithe_check_quat(LitheCheck *check, const char *key, LitheQuat q);
void lithe_check_choice(LitheCheck *check, const char *key, int value, int count);

/// Checks the length of a list; `wanted` < 0: the length is not known here.
void lithe_check_array(LitheCheck *check, const char *key, const double *values, int32_t count,
                       int32_t wanted, const char *things, const char *unit, LitheLimit limit);
void lithe_check_profile(LitheCheck *check, const char *key, const LitheProfileDef *p,
                         const char *unit);

/// Logs a value that is legal but outside the typical range.
void lithe_check_suspect(LitheCheck *check, const char *key, double value, double low, double high,
                         const char *unit);

// --- names and parts of the check ----------------------------------------------------------------

/// True for up to LITHE_NAME_LENGTH letters, digits, - and _ of which the first is a letter.
bool lithe_name_is_valid(const char *name);

/// True for names whose parts are separated by /, such as arm/hand, the body of a robot. Each part
/// is as above, but only the first one must begin with a letter.
bool lithe_parted_name_is_valid(const char *name);
#define LITHE_PARTED_NAME "; further parts follow a /"

/// Number of nodes of a rod as built; -1 when it is only known from the point file.
int32_t lithe_rod_def_node_count(const LitheRodDef *rod);
bool lithe_rod_def_closed(const LitheRodDef *rod);

/// Checks that names are valid and unique, and that references exist (check_name.c).
void lithe_check_names(LitheCheck *check);

/// Checks the shape of a rod or chain (check.c), and a place that is the value of `key`
/// (check_conditions.c).
void lithe_check_shape(LitheCheck *check, const LitheShapeDef *shape);
void lithe_check_place(LitheCheck *check, const char *key, const LithePlace *place);

/// The same for a part of a solid, a group or a set of its nodes (pressure.c).
void lithe_check_part(LitheCheck *check, const LithePlace *place);

/// Checks the settings of contact, and a chain before it is added (check_constraint.c).
void lithe_check_contact(LitheCheck *check);
void lithe_check_chain(LitheCheck *check, const LitheChainDef *chain);

/// Checks a shape of a body (check_geom.c).
void lithe_check_geom(LitheCheck *check, const LitheGeomDef *geom);

/// As lithe_scene_check; warnings to the log are optional.
LitheStatus lithe_scene_check_values(const LitheScene *scene, bool warn, LitheError *error);

/// Objects with mistakes of form, in whose place stand others with defaults.
typedef struct LitheUnread {
    struct {
        int32_t kind, index;
    } * objects;
    int32_t count, capacity;
} LitheUnread;

/// Adds the wrong values of all other objects to the mistakes of form. LITHE_NO_MEMORY.
LitheStatus lithe_scene_check_read(const LitheScene *scene, const LitheUnread *unread,
                                   LitheMistakes *mistakes);

#endif
