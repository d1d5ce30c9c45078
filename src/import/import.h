// SPDX-License-Identifier: Apache-2.0
// import/import.h - robots from files: what the readers of URDF and MJCF share
//
// A reader fills a LitheImport with its own bodies, joints, actuators, pairs and notes.
// lithe_import_finish moves them to the scene only when the whole file was read, in steps that
// cannot fail halfway. The scene is either unchanged or has the whole robot.

#ifndef LITHE_IMPORT_IMPORT_H
#define LITHE_IMPORT_IMPORT_H

#include "geom/mesh_file.h"
#include "import/xml.h"
#include "lithe/rigid.h"
#include "math/quat.h"

/// Pose of one frame in another.
typedef struct LitheFrame {
    Vec3 at;
    Quat q;
} LitheFrame;

static inline LitheFrame frame_identity(void) {
    return (LitheFrame){{0, 0, 0}, {1, 0, 0, 0}};
}

/// Composes two frames: b is given in a.
static inline LitheFrame frame_mul(LitheFrame a, LitheFrame b) {
    return (LitheFrame){v3_add(a.at, q4_rotate(a.q, b.at)), q4_unit(q4_mul(a.q, b.q))};
}

static inline Vec3 frame_point(LitheFrame a, Vec3 x) {
    return v3_add(a.at, q4_rotate(a.q, x));
}

/// Mass, its centre and the inertia about that centre, in the axes of the frame it is given in.
typedef struct LitheInertia {
    double mass;
    Vec3 centre;
    Mat3 about;
} LitheInertia;

typedef struct LitheImportBody {
    LitheBodyDef def; // name without the prefix of the robot
    LitheGeomDef *geoms;
    int32_t geom_count, geom_capacity;
    int32_t touch_count; // geoms that are not only drawn
    int32_t parent;      // index, -1: the world
    int32_t group;       // index of the body nearest to the root that it is rigidly connected to
    LitheFrame frame;    // in the world, joints at 0
    bool hidden;         // merged into another: not added to the scene
    const LitheXmlNode *node;
} LitheImportBody;

typedef struct LitheImportJoint {
    LitheJointDef def; // name without the prefix of the robot; bodies by index + 1
    const LitheXmlNode *node;
} LitheImportJoint;

typedef struct LitheImportMesh {
    const char *path;
    LitheMeshFile data;
    LitheVec3 colour; // x < 0: none
    int32_t part;     // of a file with several colours, which follow each other
    bool whole;       // all parts of the file as one
} LitheImportMesh;

/// What was ignored: reported once, then counted.
typedef struct LitheImportNote {
    const LitheXmlNode *node; // where it was first
    const char *text;
    int32_t count;
} LitheImportNote;

typedef struct LitheImportPair {
    int32_t a, b;
} LitheImportPair;

/// A named frame in a body.
typedef struct LitheImportSite {
    const char *name;
    int32_t body; // index, -1: the world
    LitheFrame frame;
    const LitheXmlNode *node;
} LitheImportSite;

/// A geom that touches and is also drawn where its body has visual geoms.
typedef struct LitheImportShown {
    int32_t body, geom;
} LitheImportShown;

typedef struct LitheImport {
    LitheContext *context;
    LitheScene *scene; // only read before the end
    const LitheRobotDef *def;
    LitheError *error;
    LitheXml xml;
    const LitheXmlNode *root;
    const char *folder;    // real path of the robot's folder; NULL: it may refer to no file
    const char *files[17]; // real paths of the files being read, outermost first
    int32_t file_depth;
    int32_t include_count; // of all <include> so far

    // ids that objects in these arrays contain are indices + 1
    LitheImportBody *bodies;
    int32_t body_count, body_capacity;
    LitheImportJoint *joints;
    int32_t joint_count, joint_capacity;
    LitheActuatorDef *actuators;
    int32_t actuator_count, actuator_capacity;
    LitheMaterialDef *materials; // geoms refer to them by scene->material_count + index + 1
    int32_t material_count, material_capacity;
    LitheImportPair *pairs;
    int32_t pair_count, pair_capacity;
    LitheImportSite *sites;
    int32_t site_count, site_capacity;
    LitheImportShown *shown;
    int32_t shown_count, shown_capacity;
    LitheImportNote *notes;
    int32_t note_count, note_capacity;
    LitheImportMesh *meshes;
    int32_t mesh_count, mesh_capacity;
    int64_t point_total; // of all geoms
} LitheImport;

/// Limits of one robot; more is a mistake or an attack.
enum {
    LITHE_IMPORT_BODIES = 10000,
    LITHE_IMPORT_GEOMS = 100000,
    LITHE_IMPORT_PAIRS = 200000,
    LITHE_IMPORT_NOTES = 500,
    LITHE_IMPORT_POINTS = 20000000,
};

// --- import.c: life and end ----------------------------------------------------------------------

/// As lithe_scene_add_robot, from memory. `folder` is where meshes and includes may be; NULL: none.
LitheStatus lithe_import_parse(LitheScene *scene, const LitheRobotDef *def, const char *bytes,
                               size_t length, const char *name, const char *folder,
                               LitheError *error);

/// The readers.
LitheStatus lithe_import_urdf(LitheImport *import, LitheXmlNode *root);
LitheStatus lithe_import_mjcf(LitheImport *import, LitheXmlNode *root);

/// Fails with bad input at a node: "file:line: ...".
LitheStatus lithe_import_fail(LitheImport *import, const LitheXmlNode *node, const char *format,
                              ...) LITHE_PRINTF(3, 4);
LitheStatus lithe_import_fail_memory(LitheImport *import);

/// Notes something that is ignored. Equal texts of one file are counted, not repeated.
LitheStatus lithe_import_note(LitheImport *import, const LitheXmlNode *node, const char *format,
                              ...) LITHE_PRINTF(3, 4);

/// Each function adds one object, zeroed or with its defaults. It fails and returns NULL when out
/// of memory or over the limit.
LitheImportBody *lithe_import_add_body(LitheImport *import, const LitheXmlNode *node,
                                       const char *name);
LitheJointDef *lithe_import_add_joint(LitheImport *import, const LitheXmlNode *node,
                                      const char *name);
LitheActuatorDef *lithe_import_add_actuator(LitheImport *import, const LitheXmlNode *node,
                                            const char *name);
LitheStatus lithe_import_add_geom(LitheImport *import, int32_t body, const LitheGeomDef *geom,
                                  const LitheXmlNode *node);

/// Places a joint: its z axis is along `axis` (not 0) through `at`, both in the child's frame,
/// whose pose in the parent is `child`.
void lithe_import_place_joint(LitheJointDef *joint, LitheFrame child, Vec3 at, Vec3 axis);

/// Index of a body (not hidden) or joint by name; -1: none.
int32_t lithe_import_find_body(const LitheImport *import, const char *name);
int32_t lithe_import_find_joint(const LitheImport *import, const char *name);

/// Ignores contacts between two bodies; a pair is added once.
LitheStatus lithe_import_add_pair(LitheImport *import, int32_t a, int32_t b);

/// Ignores contacts between bodies that a joint or a weld connects; `from_world`: also those
/// connected to a fixed body. Sets groups.
LitheStatus lithe_import_skip_neighbours(LitheImport *import, bool from_world);

/// Adds notes for elements and attributes that are not in `words`. Rows: parent ("*": any),
/// element, supported attributes (" a b c "; "*": any, and children are not checked).
typedef struct LitheImportWord {
    const char *parent;
    const char *name;
    const char *attributes;
} LitheImportWord;
LitheStatus lithe_import_list_unknown(LitheImport *import, const LitheXmlNode *node,
                                      const LitheImportWord *words);

// --- value.c: values of attributes ---------------------------------------------------------------

/// Reads between `min` and `max` finite numbers separated by blanks; `*count` may be NULL.
LitheStatus lithe_import_numbers(LitheImport *import, const LitheXmlNode *node, const char *name,
                                 const char *value, int32_t min, int32_t max, double *out,
                                 int32_t *count);

/// Reads the attribute `name` of `node`; `out` is unchanged when there is none (`node` may be
/// NULL).
LitheStatus lithe_import_number(LitheImport *import, const LitheXmlNode *node, const char *name,
                                double *out);
LitheStatus lithe_import_vector(LitheImport *import, const LitheXmlNode *node, const char *name,
                                Vec3 *out);

/// Index of `value` in `words`; -1: it is not there.
int32_t lithe_import_choice(const char *value, const char *const *words, int32_t count);

/// A name that can be part of NAME/...: not empty, no control characters, max 200 bytes.
LitheStatus lithe_import_name(LitheImport *import, const LitheXmlNode *node, const char *value);

// --- file.c: files of the robot ------------------------------------------------------------------

/// Real path of `named` (a path in `node`, relative to `base` inside the robot's folder), kept in
/// import->xml. Paths that leave the folder and missing files are refused.
LitheStatus lithe_import_resolve(LitheImport *import, const LitheXmlNode *node, const char *base,
                                 const char *named, const char **path);

/// The same for package://NAME/..., searched in the folder and those above it.
LitheStatus lithe_import_resolve_package(LitheImport *import, const LitheXmlNode *node,
                                         const char *named, const char **path);

/// A whole text file; free with lithe_free.
LitheStatus lithe_import_read_file(LitheContext *context, const char *path, char **bytes,
                                   size_t *length, LitheError *error);

/// Whether meshes are read from files with the ending of `path`.
bool lithe_import_mesh_known(const char *path);

/// Points and triangles of a mesh file, scaled, kept in import->xml; each file is read once. Of a
/// visual geom these are those of one part, which may have a colour; `*more` is set when there is
/// another part. A geom that touches has all parts.
LitheStatus lithe_import_mesh(LitheImport *import, const LitheXmlNode *node, const char *path,
                              Vec3 scale, int32_t part, LitheGeomDef *geom, bool *more);

/// Keeps a mesh, and takes its memory.
LitheStatus lithe_import_keep_mesh(LitheImport *import, const LitheImportMesh *mesh);

// --- dae.c: meshes of COLLADA --------------------------------------------------------------------

/// Reads all triangles of the scene of a COLLADA file, one part for each colour, or as one part
/// when `whole`; keeps them as meshes of `path`.
LitheStatus lithe_import_dae(LitheImport *import, const LitheXmlNode *node, const char *path,
                             bool whole);

// --- look.c: what is only drawn ------------------------------------------------------------------

/// The colour of "r g b a" in the attribute `rgba` of `node`; `*opacity` is a. Numbers beyond 0 to
/// 1 are noted and clipped, as other programs do. Both outputs are unchanged when there is none.
LitheStatus lithe_import_rgba(LitheImport *import, const LitheXmlNode *node, const char *value,
                              LitheVec3 *colour, double *opacity);

/// Marks the last geom of a body: it is drawn, too, where its body has visual geoms.
LitheStatus lithe_import_show(LitheImport *import, int32_t body);

/// Adds visual copies of all marked geoms to bodies with visual geoms.
LitheStatus lithe_import_draw_shown(LitheImport *import);

/// Turns the failure `status` of something that is only drawn into a note: "WHO: CAUSE: THEN". Only
/// a lack of memory remains a failure.
LitheStatus lithe_import_forgive(LitheImport *import, LitheStatus status, const LitheXmlNode *node,
                                 const char *who, const char *then);

// --- inertia.c: mass -----------------------------------------------------------------------------

/// Inertia of a solid of density 1 in the shape's own frame; mass 0 for planes, height fields and
/// open or flat meshes.
LitheInertia lithe_inertia_of_shape(const LitheGeomDef *geom);

LitheInertia lithe_inertia_scale(double factor, LitheInertia a);
LitheInertia lithe_inertia_move(LitheFrame frame, LitheInertia a);
LitheInertia lithe_inertia_add(LitheInertia a, LitheInertia b);

/// Whether a rigid body can have this inertia: mass > 0, principal moments > 0 that satisfy the
/// triangle inequality (with a tolerance for values rounded in files). `why` is the reason when
/// not.
bool lithe_inertia_is_valid(LitheInertia a, char *why, size_t size);

/// Reduces the largest principal moment to the sum of the others if it exceeds that; true when it
/// did.
#define LITHE_INERTIA_SETTLED \
    "the inertia misses the rule that no principal moment exceeds the sum of the others by less " \
    "than 1 %%: its largest is lowered"
bool lithe_inertia_settle(LitheInertia *a);

void lithe_inertia_store(LitheInertia a, LitheBodyDef *body);

#endif
