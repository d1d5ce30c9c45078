// SPDX-License-Identifier: Apache-2.0
// import/mjcf.c - robots from MJCF: settings, included files, the tree of bodies
//
// Bodies without joints are rigidly connected to the element around them. In the world they are
// fixed bodies. In a moving body they are welded to it, or, without mass, their shapes are added to
// it. A body with several joints is connected by carrier bodies of a millionth of its mass, one
// joint each.

#include "import/mjcf.h"

#include "base/memory.h"
#include "base/status.h"
#include "scene/input.h"

#include <stdio.h>
#include <string.h>

enum { MAX_INCLUDE_DEPTH = 16, MAX_INCLUDES = 1000 };

#define FRAME "pos quat axisangle euler xyaxes zaxis "
#define LOOKS "rgba material group user " // appearance only: not reported
#define JOINT \
    "name class type axis pos range limited ref springref stiffness damping frictionloss " \
    "armature " \
    "actuatorfrcrange actuatorfrclimited " LOOKS
#define GEOM \
    "name class type size fromto mass density contype conaffinity friction condim mesh " \
    "hfield " FRAME LOOKS
#define ACTUATOR "name class joint gear ctrlrange ctrllimited forcerange forcelimited " LOOKS

static const LitheImportWord words[] = {
    {"*", "mujoco", "model"},
    {"mujoco", "compiler",
     "angle coordinate eulerseq autolimits meshdir assetdir texturedir inertiafromgeom "
     "discardvisual"},
    {"mujoco", "visual", "*"},
    {"mujoco", "statistic", "*"},
    {"mujoco", "size", "*"},
    {"mujoco", "default", "class"},
    {"default", "default", "class"},
    {"mujoco", "asset", ""},
    {"asset", "mesh", "name class file scale vertex"},
    {"asset", "hfield", "name file size nrow ncol elevation"},
    {"asset", "texture", "*"},
    {"asset", "material", "*"},
    {"mujoco", "worldbody", ""},
    {"worldbody", "body", "name childclass user " FRAME},
    {"body", "body", "name childclass user " FRAME},
    {"frame", "body", "name childclass user " FRAME},
    {"*", "frame", "name childclass " FRAME},
    {"body", "inertial", "mass diaginertia fullinertia " FRAME},
    {"*", "freejoint", "name group align"},
    {"*", "joint", JOINT},
    {"*", "geom", GEOM},
    {"*", "site", "*"},
    {"*", "camera", "*"},
    {"*", "light", "*"},
    {"mujoco", "actuator", ""},
    {"*", "motor", ACTUATOR},
    {"*", "position", "kp kv " ACTUATOR},
    {"*", "velocity", "kv " ACTUATOR},
    {"*", "general", "gainprm biasprm gaintype biastype dyntype " ACTUATOR},
    {"mujoco", "contact", ""},
    {"contact", "exclude", "name body1 body2"},
    {"mujoco", "option", "gravity timestep"}, // these two have special notes
    {"default", "mesh", "scale"},
    {"default", "material", "*"},
    {0},
};

// --- included files ------------------------------------------------------------------------------

static LitheStatus expand(LitheImport *import, LitheXmlNode *node);

static LitheStatus load(LitheImport *import, const LitheXmlNode *node, LitheXmlNode **root) {
    const char *named = lithe_xml_value(node, "file"), *path = NULL;
    if (!named)
        return lithe_import_fail(import, node, "<include> has no file");
    const char *ending = strrchr(named, '.');
    if (!ending || (strcmp(ending, ".xml") != 0 && strcmp(ending, ".mjcf") != 0))
        return lithe_import_fail(import, node, "<include>: '%.200s' does not end in .xml or .mjcf",
                                 named);
    LitheStatus status = lithe_import_resolve(import, node, import->folder, named, &path);
    if (status)
        return status;
    for (int32_t i = 0; i < import->file_depth; i++)
        if (strcmp(import->files[i], path) == 0)
            return lithe_import_fail(import, node, "<include>: '%.200s' includes itself", named);
    if (import->file_depth == MAX_INCLUDE_DEPTH)
        return lithe_import_fail(import, node, "<include>: more than %d files deep",
                                 MAX_INCLUDE_DEPTH);
    // nested includes can grow exponentially with their depth: their number is limited
    if (++import->include_count > MAX_INCLUDES)
        return lithe_import_fail(
            import, node, "<include>: more than %d includes, the max of a model", MAX_INCLUDES);
    char *bytes = NULL;
    size_t length = 0;
    status = lithe_import_read_file(import->context, path, &bytes, &length, import->error);
    if (!status && !lithe_scene_add_input(import->scene, path))
        status = lithe_import_fail_memory(import);
    if (!status)
        status = lithe_xml_parse(&import->xml, bytes, length, named, root, import->error);
    lithe_free(import->context, bytes);
    if (status)
        return status;
    import->files[import->file_depth++] = path;
    status = expand(import, *root);
    import->file_depth--;
    return status;
}

/// Replaces `from`, which follows `before` (NULL: is the first) in `parent`, by the children of
/// `root`.
static void splice(LitheXmlNode *parent, LitheXmlNode *before, LitheXmlNode *from,
                   LitheXmlNode *root) {
    LitheXmlNode *first = root->first ? root->first : from->next;
    for (LitheXmlNode *child = root->first; child; child = child->next)
        child->parent = parent;
    if (root->last)
        root->last->next = from->next;
    if (before)
        before->next = first;
    else
        parent->first = first;
    if (parent->last == from)
        parent->last = root->last ? root->last : before;
}

static LitheStatus expand(LitheImport *import, LitheXmlNode *node) {
    LitheXmlNode *before = NULL, *child = node->first;
    while (child) {
        LitheXmlNode *after = child->next, *root = NULL;
        LitheStatus status =
            lithe_xml_is(child, "include") ? load(import, child, &root) : expand(import, child);
        if (status)
            return status;
        if (root) {
            splice(node, before, child, root);
            before = root->last ? root->last : before;
        } else {
            before = child;
        }
        child = after;
    }
    return LITHE_OK;
}

// --- settings ------------------------------------------------------------------------------------

static LitheStatus read_word(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                             const char *zero, const char *one, bool *out) {
    const char *value = lithe_xml_value(node, name);
    if (value && strcmp(value, zero) != 0 && strcmp(value, one) != 0)
        return lithe_import_fail(mjcf->import, node, "<%s>: %s is '%.60s', must be %s or %s",
                                 node->name, name, value, zero, one);
    if (value)
        *out = strcmp(value, one) == 0;
    return LITHE_OK;
}

static LitheStatus read_compiler(LitheMjcf *mjcf, const LitheXmlNode *node) {
    bool global = false;
    int from_geom = -1;
    LitheMjcfView view = {node, -1};
    LitheStatus status = read_word(mjcf, node, "angle", "radian", "degree", &mjcf->degrees);
    status = status ? status : read_word(mjcf, node, "coordinate", "local", "global", &global);
    status =
        status ? status : read_word(mjcf, node, "autolimits", "false", "true", &mjcf->autolimits);
    status = status ? status : lithe_mjcf_switch(mjcf, view, "inertiafromgeom", &from_geom);
    if (status)
        return status;
    if (global)
        return lithe_import_fail(mjcf->import, node, "<compiler>: global coordinates are not read");
    if (from_geom >= 0)
        mjcf->inertia = from_geom == 0   ? LITHE_MJCF_INERTIA_GIVEN
                        : from_geom == 1 ? LITHE_MJCF_INERTIA_SHAPES
                                         : LITHE_MJCF_INERTIA_AUTO;
    const char *sequence = lithe_xml_value(node, "eulerseq");
    if (sequence && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
        return lithe_import_fail(mjcf->import, node,
                                 "<compiler>: eulerseq is '%.60s', must be three of xyzXYZ",
                                 sequence);
    if (sequence)
        memcpy(mjcf->eulerseq, sequence, 3);
    const char *folder = lithe_xml_value(node, "meshdir");
    folder = folder ? folder : lithe_xml_value(node, "assetdir");
    mjcf->meshdir = folder ? folder : mjcf->meshdir;
    return LITHE_OK;
}

static LitheStatus note_option(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name) {
    const char *value = lithe_xml_value(node, name);
    if (!value)
        return LITHE_OK;
    return lithe_import_note(mjcf->import, node,
                             "<option>: %s (%.60s) is ignored: the scene sets it", name, value);
}

static LitheStatus read_settings(LitheMjcf *mjcf) {
    LitheStatus status = LITHE_OK;
    const LitheXmlNode *node = lithe_xml_child(mjcf->root, "compiler");
    for (; node && !status; node = lithe_xml_next_same(node))
        status = read_compiler(mjcf, node);
    node = lithe_xml_child(mjcf->root, "option");
    for (; node && !status; node = lithe_xml_next_same(node)) {
        status = note_option(mjcf, node, "gravity");
        status = status ? status : note_option(mjcf, node, "timestep");
    }
    return status;
}

// --- bodies --------------------------------------------------------------------------------------

/// The place of a body or shape.
typedef struct Stand {
    int32_t body;     // index, -1: the world
    LitheFrame frame; // in that body
    int32_t class_index;
    bool fixed; // it never moves
} Stand;

/// The class that `node` sets for its children.
static LitheStatus enter_class(LitheMjcf *mjcf, const LitheXmlNode *node, Stand *stand) {
    const char *name = lithe_xml_value(node, "childclass");
    return name ? lithe_mjcf_class(mjcf, node, name, &stand->class_index) : LITHE_OK;
}

/// A <frame>: transforms its children.
static LitheStatus enter_frame(LitheMjcf *mjcf, const LitheXmlNode *node, Stand *stand) {
    LitheFrame own;
    LitheStatus status = lithe_mjcf_frame(mjcf, (LitheMjcfView){node, -1}, &own);
    stand->frame = frame_mul(stand->frame, own);
    return status ? status : enter_class(mjcf, node, stand);
}

/// The shapes in a body and its <frame>s, into mjcf->shapes; sums their mass.
static LitheStatus gather_shapes(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand,
                                 LitheInertia *inertia) {
    LitheStatus status = LITHE_OK;
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next) {
        if (lithe_xml_is(child, "geom")) {
            status =
                lithe_mjcf_geom(mjcf, child, stand.class_index, stand.frame, !stand.fixed, inertia);
        } else if (lithe_xml_is(child, "frame")) {
            Stand inner = stand;
            status = enter_frame(mjcf, child, &inner);
            status = status ? status : gather_shapes(mjcf, child, inner, inertia);
        }
    }
    return status;
}

static LitheStatus give_shapes(LitheMjcf *mjcf, int32_t body, LitheFrame frame) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < mjcf->shape_count && !status; i++) {
        LitheGeomDef geom = mjcf->shapes[i].geom;
        LitheFrame place = frame_mul(frame, (LitheFrame){geom.at, geom.rotation});
        geom.at = place.at;
        geom.rotation = place.q;
        status = lithe_import_add_geom(mjcf->import, body, &geom, mjcf->shapes[i].node);
        if (!status && mjcf->shapes[i].touches && mjcf->shapes[i].shown)
            status = lithe_import_show(mjcf->import, body);
    }
    mjcf->shape_count = 0;
    return status;
}

/// Mass of a body from <inertial> or `shapes`, according to the settings; mass 0: none.
static LitheStatus find_inertia(LitheMjcf *mjcf, const LitheXmlNode *node, LitheInertia shapes,
                                LitheInertia *out) {
    const LitheXmlNode *inertial = lithe_xml_child(node, "inertial");
    *out = (LitheInertia){0};
    if (inertial && mjcf->inertia != LITHE_MJCF_INERTIA_SHAPES)
        return lithe_mjcf_inertial(mjcf, inertial, out);
    if (mjcf->inertia == LITHE_MJCF_INERTIA_GIVEN || !(shapes.mass > 0))
        return LITHE_OK;
    char why[200];
    if (!lithe_inertia_is_valid(shapes, why, sizeof why))
        return lithe_import_fail(mjcf->import, node, "<body>: of its shapes: %s", why);
    *out = shapes;
    return LITHE_OK;
}

/// Number of <joint> in a body; `*free_joint` is set when it is free.
static LitheStatus count_joints(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand,
                                int32_t *count, const LitheXmlNode **free_joint) {
    *count = 0;
    *free_joint = NULL;
    for (const LitheXmlNode *child = node->first; child; child = child->next) {
        bool is_free = lithe_xml_is(child, "freejoint");
        if (!is_free && !lithe_xml_is(child, "joint"))
            continue;
        LitheMjcfView view;
        LitheStatus status = lithe_mjcf_view(mjcf, child, stand.class_index, &view);
        if (status)
            return status;
        const char *type = lithe_mjcf_value(mjcf, view, "type", NULL);
        ++*count;
        if (is_free || (type && strcmp(type, "free") == 0))
            *free_joint = child;
    }
    if (*free_joint && (*count > 1 || stand.body >= 0))
        return lithe_import_fail(mjcf->import, *free_joint,
                                 "<%s> is free: it must be the only joint of a body in "
                                 "<worldbody>",
                                 (*free_joint)->name);
    return LITHE_OK;
}

static LitheImportBody *add_body(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                                 const Stand *stand, LitheFrame frame) {
    LitheImport *import = mjcf->import;
    LitheImportBody *body = lithe_import_add_body(import, node, name);
    if (!body)
        return NULL;
    LitheFrame above = {import->def->at, import->def->rotation};
    if (stand->body >= 0)
        above = import->bodies[stand->body].frame;
    body->parent = stand->body;
    body->frame = frame_mul(above, frame);
    return body;
}

/// The joints of a body and the carriers between them; then the body itself.
static LitheStatus add_jointed(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                               Stand stand, LitheFrame frame, int32_t count, int32_t class_index,
                               LitheInertia inertia) {
    LitheImport *import = mjcf->import;
    LitheFrame world = {import->def->at, import->def->rotation};
    LitheFrame place = stand.body >= 0 ? frame : frame_mul(world, frame);
    int32_t above = stand.body, number = 0;
    for (const LitheXmlNode *child = node->first; child; child = child->next) {
        if (!lithe_xml_is(child, "joint"))
            continue;
        bool last = ++number == count;
        const char *own = last ? name : lithe_mjcf_name(mjcf, NULL, name, number);
        LitheImportBody *body = own ? add_body(mjcf, node, own, &stand, frame) : NULL;
        if (!body)
            return import->error->status;
        int32_t index = import->body_count - 1;
        lithe_inertia_store(lithe_inertia_scale(last ? 1 : 1e-6, inertia), &body->def);
        char stem[300];
        snprintf(stem, sizeof stem, "%.220s-joint", name);
        const char *called = lithe_mjcf_name(mjcf, child, stem, number);
        LitheStatus status =
            called ? lithe_mjcf_joint(mjcf, child, class_index, called, above, index, place)
                   : import->error->status;
        if (status)
            return status;
        above = index;
        place = frame_identity();
    }
    if (count > 1)
        return lithe_import_note(
            import, node,
            "<body>: '%s' has %d joints: it is connected by %d carrier bodies of a "
            "millionth of its mass",
            name, count, count - 1);
    return LITHE_OK;
}

/// A body that is rigidly connected to a moving one: welded, or merged into it when it has no mass.
static LitheStatus add_welded(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                              Stand stand, LitheFrame frame, LitheInertia inertia) {
    LitheImport *import = mjcf->import;
    LitheImportBody *body = add_body(mjcf, node, name, &stand, frame);
    if (!body)
        return import->error->status;
    body->group = import->bodies[stand.body].group;
    body->hidden = !(inertia.mass > 0);
    lithe_inertia_store(inertia, &body->def);
    if (body->hidden)
        return LITHE_OK;
    char stem[300];
    snprintf(stem, sizeof stem, "%.220s-weld", name);
    const char *called = lithe_mjcf_name(mjcf, NULL, stem, 1);
    LitheJointDef *joint = called ? lithe_import_add_joint(import, node, called) : NULL;
    if (!joint)
        return import->error->status;
    joint->kind = LITHE_JOINT_WELD;
    joint->parent.number = stand.body + 1;
    joint->child.number = import->body_count;
    lithe_import_place_joint(joint, frame, v3(0, 0, 0), v3(0, 0, 1));
    return LITHE_OK;
}

static LitheStatus read_children(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand);

static LitheStatus read_body(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand) {
    LitheImport *import = mjcf->import;
    LitheFrame frame;
    LitheInertia shapes = {0}, inertia;
    const LitheXmlNode *free_joint;
    int32_t joints;
    const char *name = lithe_mjcf_name(mjcf, node, "body", import->body_count + 1);
    LitheStatus status = name ? LITHE_OK : import->error->status;
    status = status ? status : lithe_mjcf_frame(mjcf, (LitheMjcfView){node, -1}, &frame);
    status = status ? status : enter_class(mjcf, node, &stand);
    status = status ? status : count_joints(mjcf, node, stand, &joints, &free_joint);
    if (status)
        return status;
    frame = frame_mul(stand.frame, frame);
    bool floats = stand.body < 0 && joints == 0 && import->def->floating;
    bool fixed = stand.fixed && joints == 0 && !floats;
    Stand inside = {-1, frame_identity(), stand.class_index, fixed};
    status = gather_shapes(mjcf, node, inside, &shapes);
    status = status ? status : find_inertia(mjcf, node, shapes, &inertia);
    if (!status && !(inertia.mass > 0) && (joints || floats))
        status = lithe_import_fail(
            import, node, "body '%s' moves and has no mass: it needs <inertial> or shapes", name);
    if (status)
        return status;

    if (joints && !free_joint) {
        status = add_jointed(mjcf, node, name, stand, frame, joints, stand.class_index, inertia);
    } else if (free_joint || floats || fixed) {
        LitheImportBody *body = add_body(mjcf, node, name, &stand, frame);
        if (!body)
            return import->error->status;
        body->def.fixed = fixed;
        lithe_inertia_store(inertia, &body->def);
    } else {
        status = add_welded(mjcf, node, name, stand, frame, inertia);
    }
    if (status)
        return status;

    // children are in this body, or in the body that it was merged into
    inside.body = import->body_count - 1;
    if (import->bodies[inside.body].hidden) {
        inside.body = stand.body;
        inside.frame = frame;
    }
    status = give_shapes(mjcf, inside.body, inside.frame);
    return status ? status : read_children(mjcf, node, inside);
}

/// A site is a frame, for constraints to name; its shape is not drawn. Sites without a name are
/// left out.
static LitheStatus read_site(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand) {
    LitheImport *import = mjcf->import;
    LitheImportSite site = {lithe_xml_value(node, "name"), stand.body, frame_identity(), node};
    LitheMjcfView view;
    if (!site.name)
        return LITHE_OK;
    LitheStatus status = lithe_import_name(import, node, site.name);
    status = status ? status : lithe_mjcf_view(mjcf, node, stand.class_index, &view);
    status = status ? status : lithe_mjcf_frame(mjcf, view, &site.frame);
    if (status)
        return status;
    site.frame = frame_mul(stand.frame, site.frame);
    if (stand.body < 0)
        site.frame = frame_mul((LitheFrame){import->def->at, import->def->rotation}, site.frame);
    if (import->site_count >= LITHE_IMPORT_BODIES)
        return lithe_import_fail(import, node, "more than %d sites", LITHE_IMPORT_BODIES);
    if (!LITHE_RESERVE(import->context, import->sites, import->site_capacity,
                       (int64_t)import->site_count + 1))
        return lithe_import_fail_memory(import);
    import->sites[import->site_count++] = site;
    return LITHE_OK;
}

static LitheStatus read_children(LitheMjcf *mjcf, const LitheXmlNode *node, Stand stand) {
    LitheStatus status = LITHE_OK;
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next) {
        if (lithe_xml_is(child, "body")) {
            status = read_body(mjcf, child, stand);
        } else if (lithe_xml_is(child, "site")) {
            status = read_site(mjcf, child, stand);
        } else if (lithe_xml_is(child, "frame")) {
            Stand inner = stand;
            status = enter_frame(mjcf, child, &inner);
            status = status ? status : read_children(mjcf, child, inner);
        }
    }
    return status;
}

static LitheStatus read_world(LitheMjcf *mjcf, const LitheXmlNode *node) {
    LitheInertia unused = {0};
    Stand stand = {-1, frame_identity(), -1, true};
    LitheStatus status = lithe_mjcf_class(mjcf, node, "main", &stand.class_index);
    status = status ? status : gather_shapes(mjcf, node, stand, &unused);
    if (!status && mjcf->shape_count && mjcf->world < 0) {
        LitheImportBody *body = add_body(mjcf, node, "world", &stand, frame_identity());
        if (!body)
            return mjcf->import->error->status;
        body->def.fixed = true;
        mjcf->world = mjcf->import->body_count - 1;
    }
    if (!status && mjcf->shape_count)
        status = give_shapes(mjcf, mjcf->world, frame_identity());
    return status ? status : read_children(mjcf, node, stand);
}

static LitheStatus read_all(LitheMjcf *mjcf) {
    LitheImport *import = mjcf->import;
    LitheStatus status = read_settings(mjcf);
    status = status ? status : lithe_mjcf_read_classes(mjcf);
    const LitheXmlNode *world = lithe_xml_child(mjcf->root, "worldbody");
    if (!status && !world)
        status = lithe_import_fail(import, mjcf->root, "<mujoco> has no <worldbody>");
    for (; world && !status; world = lithe_xml_next_same(world))
        status = read_world(mjcf, world);
    if (!status && import->body_count == 0)
        status = lithe_import_fail(import, mjcf->root, "<worldbody> holds no body and no shape");
    status = status ? status : lithe_mjcf_actuators(mjcf);
    status = status ? status : lithe_mjcf_excludes(mjcf);
    status = status ? status : lithe_mjcf_set_groups(mjcf);
    status = status ? status : lithe_import_skip_neighbours(import, false);
    return status ? status : lithe_import_list_unknown(import, mjcf->root, words);
}

LitheStatus lithe_import_mjcf(LitheImport *import, LitheXmlNode *root) {
    LitheMjcf mjcf = {
        .import = import,
        .root = root,
        .degrees = true,
        .autolimits = true,
        .eulerseq = "xyz",
        .world = -1,
    };
    if (!lithe_xml_is(root, "mujoco"))
        return lithe_import_fail(import, root, "<%.60s> where MJCF has <mujoco>", root->name);
    LitheStatus status = expand(import, root);
    status = status ? status : read_all(&mjcf);
    lithe_free(import->context, mjcf.classes);
    lithe_free(import->context, mjcf.shapes);
    lithe_free(import->context, mjcf.refs);
    return status;
}
