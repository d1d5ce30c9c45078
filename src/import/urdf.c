// SPDX-License-Identifier: Apache-2.0
// import/urdf.c - robots from URDF: links become bodies, joints stay joints
//
// Links are read from the root outwards. A link without mass that is fixed to another is only a
// frame. Without shapes it becomes a body without mass, so that tools can be named; otherwise its
// shapes are added to the link that it is fixed to, and it does not become a body.

#include "import/urdf.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct Link {
    const LitheXmlNode *node;
    const char *name;
    int32_t joint;    // whose child it is; -1: none
    int32_t host;     // index of the body that it belongs to
    LitheFrame frame; // in the host's
    bool reached;
} Link;

typedef struct Joint {
    const LitheXmlNode *node;
    const char *name, *type;
    int32_t parent, child; // links
    LitheFrame origin;     // of the child in the parent
} Joint;

typedef struct Urdf {
    LitheImport *import;
    Link *links;
    int32_t link_count;
    Joint *joints;
    int32_t joint_count;
    int32_t *queue; // [link_count] links in the order they are reached
} Urdf;

static const LitheImportWord words[] = {
    {"*", "robot", "name version"},
    {"robot", "link", "name type"},
    {"link", "inertial", ""},
    {"*", "origin", "xyz rpy"},
    {"inertial", "mass", "value"},
    {"inertial", "inertia", "ixx ixy ixz iyy iyz izz"},
    {"link", "collision", "name"},
    {"link", "visual", "*"}, // only drawn
    {"*", "material", "*"},
    {"collision", "geometry", ""},
    {"geometry", "box", "size"},
    {"geometry", "sphere", "radius"},
    {"geometry", "cylinder", "radius length"},
    {"geometry", "capsule", "radius length"},
    {"geometry", "mesh", "filename scale"},
    {"robot", "joint", "name type"},
    {"joint", "parent", "link"},
    {"joint", "child", "link"},
    {"joint", "axis", "xyz"},
    {"joint", "limit", "lower upper effort velocity"},
    {"joint", "dynamics", "damping friction"},
    {"joint", "mimic", "*"}, // has a special note
    {0},
};

// --- parts ---------------------------------------------------------------------------------------

static LitheStatus read_inertial(LitheImport *import, const LitheXmlNode *link,
                                 const LitheXmlNode *node, LitheInertia *out) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const LitheXmlNode *mass = lithe_xml_child(node, "mass");
    const LitheXmlNode *inertia = lithe_xml_child(node, "inertia");
    if (!mass || !inertia)
        return lithe_import_fail(import, node, "link '%s': <inertial> has no <%s>",
                                 lithe_xml_value(link, "name"), mass ? "inertia" : "mass");
    LitheFrame frame;
    double m = 0, i[6] = {0}; // mass; inertia in the order of `names`
    LitheStatus status = lithe_urdf_origin(import, node, &frame);
    status = status ? status : lithe_import_number(import, mass, "value", &m);
    for (int k = 0; k < 6 && !status; k++)
        status = lithe_import_number(import, inertia, names[k], &i[k]);
    if (status)
        return status;
    Mat3 about = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
    LitheInertia own = {m, {0, 0, 0}, about};
    char why[200];
    if (!lithe_inertia_is_valid(own, why, sizeof why))
        return lithe_import_fail(import, m > 0 ? inertia : mass, "link '%s': %s",
                                 lithe_xml_value(link, "name"), why);
    LitheStatus noted = LITHE_OK;
    if (lithe_inertia_settle(&own))
        noted = lithe_import_note(import, inertia, LITHE_INERTIA_SETTLED);
    *out = lithe_inertia_move(frame, own);
    return noted;
}

// --- links and joints by name --------------------------------------------------------------------

static LitheStatus collect_links(Urdf *urdf, const LitheXmlNode *root) {
    LitheImport *import = urdf->import;
    int64_t count = 0;
    for (const LitheXmlNode *n = lithe_xml_child(root, "link"); n; n = lithe_xml_next_same(n))
        if (++count > LITHE_IMPORT_BODIES)
            return lithe_import_fail(import, n, "more than %d links", LITHE_IMPORT_BODIES);
    if (count == 0)
        return lithe_import_fail(import, root, "<robot> has no <link>");
    urdf->links = lithe_xml_keep(&import->xml, count, sizeof *urdf->links);
    urdf->queue = lithe_xml_keep(&import->xml, count, sizeof *urdf->queue);
    if (!urdf->links || !urdf->queue)
        return lithe_import_fail_memory(import);
    for (const LitheXmlNode *n = lithe_xml_child(root, "link"); n; n = lithe_xml_next_same(n)) {
        const char *name = lithe_xml_value(n, "name");
        LitheStatus status = lithe_import_name(import, n, name);
        for (int32_t i = 0; i < urdf->link_count && !status; i++)
            if (strcmp(urdf->links[i].name, name) == 0)
                status = lithe_import_fail(import, n, "there is a link '%s' in line %d already",
                                           name, urdf->links[i].node->line);
        if (status)
            return status;
        urdf->links[urdf->link_count++] = (Link){.node = n, .name = name, .joint = -1};
    }
    return LITHE_OK;
}

/// Index of the link that <parent> or <child> of a joint refers to.
static LitheStatus find_link(Urdf *urdf, const Joint *joint, const char *role, int32_t *link) {
    const LitheXmlNode *node = lithe_xml_child(joint->node, role);
    const char *name = node ? lithe_xml_value(node, "link") : NULL;
    if (!name)
        return lithe_import_fail(urdf->import, joint->node, "joint '%s' has no <%s link=...>",
                                 joint->name, role);
    for (*link = 0; *link < urdf->link_count; (*link)++)
        if (strcmp(urdf->links[*link].name, name) == 0)
            return LITHE_OK;
    return lithe_import_fail(urdf->import, node, "joint '%s': no link named '%.200s'", joint->name,
                             name);
}

static LitheStatus collect_joint(Urdf *urdf, const LitheXmlNode *node) {
    LitheImport *import = urdf->import;
    Joint *joint = &urdf->joints[urdf->joint_count];
    *joint = (Joint){
        .node = node, .name = lithe_xml_value(node, "name"), .type = lithe_xml_value(node, "type")};
    LitheStatus status = lithe_import_name(import, node, joint->name);
    for (int32_t i = 0; i < urdf->joint_count && !status; i++)
        if (strcmp(urdf->joints[i].name, joint->name) == 0)
            status = lithe_import_fail(import, node, "there is a joint '%s' in line %d already",
                                       joint->name, urdf->joints[i].node->line);
    if (!status && !joint->type)
        status = lithe_import_fail(import, node, "joint '%s' has no type", joint->name);
    status = status ? status : find_link(urdf, joint, "parent", &joint->parent);
    status = status ? status : find_link(urdf, joint, "child", &joint->child);
    status = status ? status : lithe_urdf_origin(import, node, &joint->origin);
    if (status)
        return status;
    Link *child = &urdf->links[joint->child];
    if (child->joint >= 0)
        return lithe_import_fail(import, node,
                                 "joint '%s': link '%s' already is the child of joint '%s', and "
                                 "closed loops of links are not supported",
                                 joint->name, child->name, urdf->joints[child->joint].name);
    child->joint = urdf->joint_count++;
    return LITHE_OK;
}

static LitheStatus collect_joints(Urdf *urdf, const LitheXmlNode *root) {
    int64_t count = 0;
    for (const LitheXmlNode *n = lithe_xml_child(root, "joint"); n; n = lithe_xml_next_same(n))
        if (++count > LITHE_IMPORT_BODIES)
            return lithe_import_fail(urdf->import, n, "more than %d joints", LITHE_IMPORT_BODIES);
    urdf->joints = lithe_xml_keep(&urdf->import->xml, count, sizeof *urdf->joints);
    if (!urdf->joints)
        return lithe_import_fail_memory(urdf->import);
    LitheStatus status = LITHE_OK;
    for (const LitheXmlNode *n = lithe_xml_child(root, "joint"); n && !status;
         n = lithe_xml_next_same(n))
        status = collect_joint(urdf, n);
    return status;
}

// --- joints --------------------------------------------------------------------------------------

static bool is_type(const Joint *joint, const char *type) {
    return strcmp(joint->type, type) == 0;
}

static LitheStatus read_kind(LitheImport *import, const Joint *joint, LitheJointDef *def) {
    static const char *const types[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "floating", "planar"};
    static const LitheJointKind kinds[] = {LITHE_JOINT_WELD,     LITHE_JOINT_REVOLUTE,
                                           LITHE_JOINT_REVOLUTE, LITHE_JOINT_PRISMATIC,
                                           LITHE_JOINT_FREE,     LITHE_JOINT_PLANAR};
    int32_t k = lithe_import_choice(joint->type, types, 6);
    if (k >= 0) {
        def->kind = kinds[k];
        return LITHE_OK;
    }
    return lithe_import_fail(import, joint->node,
                             "joint '%s': type '%.60s' is none of fixed, revolute, continuous, "
                             "prismatic, floating, planar",
                             joint->name, joint->type);
}

static LitheStatus read_limit(LitheImport *import, const Joint *joint, LitheJointDef *def) {
    const LitheXmlNode *node = lithe_xml_child(joint->node, "limit");
    if (def->kind == LITHE_JOINT_WELD) // a weld has no limits
        return LITHE_OK;
    bool limited = is_type(joint, "revolute") || is_type(joint, "prismatic");
    if (!node && limited)
        return lithe_import_fail(import, joint->node, "joint '%s' is %s and has no <limit>",
                                 joint->name, joint->type);
    LitheStatus status = lithe_import_number(import, node, "effort", &def->effort_limit);
    status = status ? status : lithe_import_number(import, node, "velocity", &def->velocity_limit);
    if (limited && !status)
        status = lithe_import_number(import, node, "lower", &def->lower);
    if (limited && !status)
        status = lithe_import_number(import, node, "upper", &def->upper);
    if (status)
        return status;
    def->limited = limited;
    if (def->lower > def->upper)
        return lithe_import_fail(import, node, "joint '%s': lower is %g, above upper, %g",
                                 joint->name, def->lower, def->upper);
    if (def->effort_limit < 0 || def->velocity_limit < 0)
        return lithe_import_fail(import, node, "joint '%s': %s is %g, must be >= 0", joint->name,
                                 def->effort_limit < 0 ? "effort" : "velocity",
                                 fmin(def->effort_limit, def->velocity_limit));
    // the initial position is within the limits
    if (limited)
        def->position = fmin(fmax(0, def->lower), def->upper);
    return LITHE_OK;
}

static LitheStatus read_dynamics(LitheImport *import, const Joint *joint, LitheJointDef *def) {
    const LitheXmlNode *node = lithe_xml_child(joint->node, "dynamics");
    if (def->kind == LITHE_JOINT_WELD)
        return LITHE_OK;
    LitheStatus status = lithe_import_number(import, node, "damping", &def->damping);
    status = status ? status : lithe_import_number(import, node, "friction", &def->friction_loss);
    if (!status && (def->damping < 0 || def->friction_loss < 0))
        return lithe_import_fail(import, node, "joint '%s': %s is %g, must be >= 0", joint->name,
                                 def->damping < 0 ? "damping" : "friction",
                                 fmin(def->damping, def->friction_loss));
    return status;
}

static LitheStatus add_joint(Urdf *urdf, const Joint *joint) {
    LitheImport *import = urdf->import;
    const Link *parent = &urdf->links[joint->parent], *child = &urdf->links[joint->child];
    LitheJointDef *def = lithe_import_add_joint(import, joint->node, joint->name);
    if (!def)
        return import->error->status;
    Vec3 axis = {1, 0, 0};
    LitheStatus status = read_kind(import, joint, def);
    status = status ? status : read_limit(import, joint, def);
    status = status ? status : read_dynamics(import, joint, def);
    status = status
                 ? status
                 : lithe_import_vector(import, lithe_xml_child(joint->node, "axis"), "xyz", &axis);
    if (status)
        return status;
    bool turns = def->kind != LITHE_JOINT_WELD && def->kind != LITHE_JOINT_FREE;
    double norm = v3_norm(axis);
    if (turns && (!(norm > 0) || !isfinite(norm)))
        return lithe_import_fail(import, lithe_xml_child(joint->node, "axis"),
                                 "joint '%s': the axis has no direction", joint->name);
    def->parent.number = parent->host + 1;
    def->child.number = child->host + 1;
    LitheFrame place = frame_mul(parent->frame, joint->origin);
    lithe_import_place_joint(def, place, v3(0, 0, 0), turns ? axis : v3(0, 0, 1));
    const LitheXmlNode *mimic = lithe_xml_child(joint->node, "mimic");
    if (mimic)
        return lithe_import_note(import, mimic,
                                 "<mimic> is ignored: joint '%s' moves independently", joint->name);
    return LITHE_OK;
}

// --- the tree ------------------------------------------------------------------------------------

/// Whether the link has mass: given, or (with a material) that of its shapes.
static bool has_mass(const LitheImport *import, const Link *link) {
    return lithe_xml_child(link->node, "inertial") ||
           (import->def->material.number && lithe_xml_child(link->node, "collision"));
}

static bool has_shapes(const Link *link) {
    return lithe_xml_child(link->node, "collision") || lithe_xml_child(link->node, "visual");
}

/// Adds a link without mass to the link that it is fixed to.
static LitheStatus join_link(Urdf *urdf, Link *link, const Link *parent, LitheFrame origin) {
    LitheImport *import = urdf->import;
    link->host = parent->host;
    link->frame = frame_mul(parent->frame, origin);
    Vec3 at = link->frame.at;
    LitheStatus status = lithe_import_note(
        import, link->node,
        "link '%s' has no mass and is fixed to '%s': it does not become a body; its origin is "
        "{on: %s/%s, at: [%.6g, %.6g, %.6g]}",
        link->name, parent->name, import->def->name, import->bodies[link->host].def.name, at.x,
        at.y, at.z);
    return status ? status
                  : lithe_urdf_shapes(import, link->node, link->name, link->host, link->frame);
}

/// Makes the body of a link, or finds the one that it belongs to.
static LitheStatus place_link(Urdf *urdf, Link *link, LitheFrame root_frame) {
    LitheImport *import = urdf->import;
    const Joint *joint = link->joint >= 0 ? &urdf->joints[link->joint] : NULL;
    const Link *parent = joint ? &urdf->links[joint->parent] : NULL;
    const LitheXmlNode *inertial = lithe_xml_child(link->node, "inertial");
    bool welded = joint && is_type(joint, "fixed");
    bool mass = has_mass(import, link);
    link->reached = true;
    if (welded && !mass && has_shapes(link))
        return join_link(urdf, link, parent, joint->origin);
    if (!mass && !welded && (joint || import->def->floating))
        return lithe_import_fail(import, link->node,
                                 "link '%s' moves and has no mass: it needs <inertial>, or "
                                 "<collision> shapes and a material for the robot",
                                 link->name);

    LitheImportBody *body = lithe_import_add_body(import, link->node, link->name);
    if (!body)
        return import->error->status;
    link->host = import->body_count - 1;
    link->frame = frame_identity();
    body->def.fixed = !joint && !import->def->floating;
    body->frame = root_frame;
    if (joint) {
        const LitheImportBody *above = &import->bodies[parent->host];
        body->parent = parent->host;
        body->frame = frame_mul(above->frame, frame_mul(parent->frame, joint->origin));
        body->group = welded ? above->group : link->host;
    }
    if (inertial) {
        LitheInertia inertia;
        LitheStatus status = read_inertial(import, link->node, inertial, &inertia);
        if (status)
            return status;
        lithe_inertia_store(inertia, &body->def);
    }
    LitheStatus status = lithe_urdf_shapes(import, link->node, link->name, link->host, link->frame);
    return status || !joint ? status : add_joint(urdf, joint);
}

/// Skips root links that are only frames of a floating robot; returns the first with mass.
static LitheStatus find_root(Urdf *urdf, int32_t *root, LitheFrame *frame) {
    LitheImport *import = urdf->import;
    *root = -1;
    for (int32_t i = 0; i < urdf->link_count; i++) {
        if (urdf->links[i].joint >= 0)
            continue;
        if (*root >= 0)
            return lithe_import_fail(
                import, urdf->links[i].node,
                "links '%s' and '%s' are children of no joint: a robot has one root",
                urdf->links[*root].name, urdf->links[i].name);
        *root = i;
    }
    if (*root < 0)
        return lithe_import_fail(import, urdf->links[0].node,
                                 "every link is a child: the joints form a closed loop");
    while (import->def->floating && !has_mass(import, &urdf->links[*root]) &&
           !lithe_xml_child(urdf->links[*root].node, "collision")) {
        int32_t only = -1, count = 0;
        for (int32_t i = 0; i < urdf->joint_count; i++) {
            if (urdf->joints[i].parent == *root) {
                only = i;
                count++;
            }
        }
        if (count != 1 || !is_type(&urdf->joints[only], "fixed"))
            break;
        LitheStatus status = lithe_import_note(import, urdf->links[*root].node,
                                               "link '%s' has no mass: the floating robot begins "
                                               "with the link that is fixed to it",
                                               urdf->links[*root].name);
        if (status)
            return status;
        urdf->links[*root].reached = true;
        *frame = frame_mul(*frame, urdf->joints[only].origin);
        *root = urdf->joints[only].child;
        urdf->links[*root].joint = -1;
    }
    return LITHE_OK;
}

static LitheStatus walk(Urdf *urdf, int32_t root, LitheFrame frame) {
    int32_t queued = 0;
    urdf->queue[queued++] = root;
    for (int32_t at = 0; at < queued; at++) {
        int32_t here = urdf->queue[at];
        LitheStatus status = place_link(urdf, &urdf->links[here], frame);
        if (status)
            return status;
        for (int32_t i = 0; i < urdf->joint_count; i++)
            if (urdf->joints[i].parent == here)
                urdf->queue[queued++] = urdf->joints[i].child;
    }
    for (int32_t i = 0; i < urdf->link_count; i++)
        if (!urdf->links[i].reached)
            return lithe_import_fail(
                urdf->import, urdf->links[i].node,
                "link '%s' is not connected to the root: its joints form a closed loop",
                urdf->links[i].name);
    return LITHE_OK;
}

static LitheStatus refuse_xacro(LitheImport *import, const LitheXmlNode *node) {
    if (strncmp(node->name, "xacro:", 6) == 0)
        return lithe_import_fail(import, node,
                                 "<%s>: this is xacro; make URDF of it first (xacro IN > OUT.urdf)",
                                 node->name);
    LitheStatus status = LITHE_OK;
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next)
        status = refuse_xacro(import, child);
    return status;
}

LitheStatus lithe_import_urdf(LitheImport *import, LitheXmlNode *root) {
    Urdf urdf = {.import = import};
    LitheFrame frame = {import->def->at, q4_unit(import->def->rotation)};
    int32_t first = -1;
    if (!lithe_xml_is(root, "robot"))
        return lithe_import_fail(import, root, "<%.60s> where URDF has <robot>", root->name);
    LitheStatus status = refuse_xacro(import, root);
    status = status ? status : collect_links(&urdf, root);
    status = status ? status : collect_joints(&urdf, root);
    status = status ? status : find_root(&urdf, &first, &frame);
    status = status ? status : walk(&urdf, first, frame);
    status = status ? status : lithe_import_skip_neighbours(import, true);
    return status ? status : lithe_import_list_unknown(import, root, words);
}
