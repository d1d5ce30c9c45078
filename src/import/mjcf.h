// SPDX-License-Identifier: Apache-2.0
// import/mjcf.h - what the parts of the MJCF reader share: settings, default classes, values

#ifndef LITHE_IMPORT_MJCF_H
#define LITHE_IMPORT_MJCF_H

#include "import/import.h"

/// A <default>: the values of attributes that elements of a class do not have themselves.
typedef struct LitheMjcfClass {
    const char *name;
    const LitheXmlNode *node;
    int32_t parent;  // -1: none
    int32_t earlier; // another <default> of the same name; -1: none
} LitheMjcfClass;

/// A shape before it is added to a body.
typedef struct LitheMjcfShape {
    LitheGeomDef geom;
    const LitheXmlNode *node;
    bool touches; // false: it only has mass, and is drawn
    bool shown;   // it is drawn even where the body has shapes that are only drawn
} LitheMjcfShape;

/// An element with its class, which provides attributes that the element does not have.
typedef struct LitheMjcfView {
    const LitheXmlNode *node;
    int32_t class_index; // -1: none
} LitheMjcfView;

typedef enum LitheMjcfInertia {
    LITHE_MJCF_INERTIA_AUTO, // <inertial> where given, else the shapes
    LITHE_MJCF_INERTIA_SHAPES,
    LITHE_MJCF_INERTIA_GIVEN,
} LitheMjcfInertia;

typedef struct LitheMjcf {
    LitheImport *import;
    const LitheXmlNode *root;
    bool degrees;
    bool autolimits;
    char eulerseq[4];
    const char *meshdir;
    LitheMjcfInertia inertia;
    LitheMjcfClass *classes;
    int32_t class_count, class_capacity;
    LitheMjcfShape *shapes; // of the body being read
    int32_t shape_count, shape_capacity;
    double *refs; // [joint_count] MJCF positions of the joints in the model's pose
    int32_t ref_count, ref_capacity;
    int32_t world; // index of the body with the shapes of the world; -1: none yet
} LitheMjcf;

// --- mjcf_value.c --------------------------------------------------------------------------------

LitheStatus lithe_mjcf_read_classes(LitheMjcf *mjcf);

/// The view of `node`: its own class, or else `class_index`.
LitheStatus lithe_mjcf_view(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                            LitheMjcfView *view);

/// Index of a class by name; fails with bad input when there is none.
LitheStatus lithe_mjcf_class(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                             int32_t *index);

/// A value of the element or of its class; NULL: none. `where` (may be NULL) is the element that
/// has it.
const char *lithe_mjcf_value(const LitheMjcf *mjcf, LitheMjcfView view, const char *name,
                             const LitheXmlNode **where);

/// Reads numbers; `out` and `*count` are unchanged when there is no such attribute.
LitheStatus lithe_mjcf_numbers(LitheMjcf *mjcf, LitheMjcfView view, const char *name, int32_t min,
                               int32_t max, double *out, int32_t *count);
LitheStatus lithe_mjcf_number(LitheMjcf *mjcf, LitheMjcfView view, const char *name, double *out);
LitheStatus lithe_mjcf_vector(LitheMjcf *mjcf, LitheMjcfView view, const char *name, Vec3 *out);

/// One of "false", "true", "auto": 0, 1, 2.
LitheStatus lithe_mjcf_switch(LitheMjcf *mjcf, LitheMjcfView view, const char *name, int *out);

/// pos and one of quat, axisangle, euler, xyaxes, zaxis.
LitheStatus lithe_mjcf_frame(LitheMjcf *mjcf, LitheMjcfView view, LitheFrame *frame);

/// The name, or one made from `stem` and `number`; fails and returns NULL when out of memory.
const char *lithe_mjcf_name(LitheMjcf *mjcf, const LitheXmlNode *node, const char *stem,
                            int32_t number);

// --- mjcf_geom.c ---------------------------------------------------------------------------------

/// The <mesh> or <hfield> (`kind`) of that name among the assets; NULL: none.
const LitheXmlNode *lithe_mjcf_asset(const LitheMjcf *mjcf, const char *kind, const char *name);

/// Real path of a file of an asset, below meshdir.
LitheStatus lithe_mjcf_resolve(LitheMjcf *mjcf, const LitheXmlNode *asset, const char *file,
                               const char **path);

/// Reads a <geom>, which is given in `frame` of its body, into mjcf->shapes; adds its mass.
LitheStatus lithe_mjcf_geom(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                            LitheFrame frame, bool moves, LitheInertia *inertia);

/// The height field that a <geom> refers to (mjcf_hfield.c).
LitheStatus lithe_mjcf_hfield(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                              LitheGeomDef *geom);

/// <inertial> of a body.
LitheStatus lithe_mjcf_inertial(LitheMjcf *mjcf, const LitheXmlNode *node, LitheInertia *inertia);

/// Sets groups and masks so that exactly the shapes touch that contype and conaffinity allow to.
LitheStatus lithe_mjcf_set_groups(LitheMjcf *mjcf);

// --- mjcf_joint.c --------------------------------------------------------------------------------

/// A <joint> between two bodies (index, -1: the world); the pose of the child in the parent is
/// `place`.
LitheStatus lithe_mjcf_joint(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                             const char *name, int32_t parent, int32_t child, LitheFrame place);

LitheStatus lithe_mjcf_actuators(LitheMjcf *mjcf);
LitheStatus lithe_mjcf_excludes(LitheMjcf *mjcf);

#endif
