// SPDX-License-Identifier: Apache-2.0
// import/urdf_shape.c - shapes of URDF: <collision> touches, <visual> is only drawn

#include "import/urdf.h"

#include <stdio.h>
#include <string.h>

LitheStatus lithe_urdf_origin(LitheImport *import, const LitheXmlNode *node, LitheFrame *frame) {
    const LitheXmlNode *origin = lithe_xml_child(node, "origin");
    Vec3 at = {0}, rpy = {0};
    LitheStatus status = lithe_import_vector(import, origin, "xyz", &at);
    status = status ? status : lithe_import_vector(import, origin, "rpy", &rpy);
    if (status)
        return status;
    Quat x = q4_exp(v3(rpy.x, 0, 0)), y = q4_exp(v3(0, rpy.y, 0)), z = q4_exp(v3(0, 0, rpy.z));
    Quat q = q4_unit(q4_mul(z, q4_mul(y, x)));
    if (!(fabs(q4_norm(q) - 1) < 1e-9))
        return lithe_import_fail(import, origin, "<origin>: rpy is too large");
    *frame = (LitheFrame){at, q};
    return LITHE_OK;
}

// --- shapes --------------------------------------------------------------------------------------

// Which of the shapes of an element: a visual mesh may have several parts with colours.
typedef struct Which {
    int32_t part;
    bool found; // false when there is no supported shape
    bool more;  // another part follows
} Which;

// A visual mesh is drawn as it is; one that touches is taken as its convex hull.
static LitheStatus read_mesh(LitheImport *import, const LitheXmlNode *node, LitheGeomDef *geom,
                             Which *which) {
    const char *named = lithe_xml_value(node, "filename"), *path = NULL;
    Vec3 scale = {1, 1, 1};
    LitheStatus status = lithe_import_vector(import, node, "scale", &scale);
    if (status)
        return status;
    if (!named)
        return lithe_import_fail(import, node, "<mesh> has no filename");
    if (!lithe_import_mesh_known(named) && geom->visual)
        return lithe_import_fail(import, node, "<mesh>: '%.150s' is none of .stl, .obj, .dae",
                                 named);
    if (!lithe_import_mesh_known(named)) {
        which->found = false;
        return lithe_import_note(
            import, node, "<mesh>: '%.150s' is none of .stl, .obj, .dae: this shape is ignored",
            named);
    }
    if (strncmp(named, "package://", 10) == 0)
        status = lithe_import_resolve_package(import, node, named, &path);
    else
        status = lithe_import_resolve(import, node, import->folder, named, &path);
    geom->kind = geom->visual ? LITHE_GEOM_TRIANGLE_MESH : LITHE_GEOM_CONVEX_MESH;
    if (!status)
        status = lithe_import_mesh(import, node, path, scale, which->part, geom, &which->more);
    if (geom->visual)
        return status;
    return status ? status : lithe_import_note(import, node, "<mesh> is taken as its convex hull");
}

static LitheStatus check_positive(LitheImport *import, const LitheXmlNode *node, const char *name,
                                  double value) {
    if (value > 0)
        return LITHE_OK;
    if (!lithe_xml_value(node, name))
        return lithe_import_fail(import, node, "<%s> has no %s", node->name, name);
    return lithe_import_fail(import, node, "<%s>: %s is %g m, must be > 0", node->name, name,
                             value);
}

static LitheStatus read_round(LitheImport *import, const LitheXmlNode *node, bool has_length,
                              LitheGeomDef *geom) {
    geom->radius = geom->length = 0;
    LitheStatus status = lithe_import_number(import, node, "radius", &geom->radius);
    status = status ? status : check_positive(import, node, "radius", geom->radius);
    if (!status && has_length)
        status = lithe_import_number(import, node, "length", &geom->length);
    if (!status && has_length)
        status = check_positive(import, node, "length", geom->length);
    return status;
}

/// The shape in <geometry>.
static LitheStatus read_geometry(LitheImport *import, const LitheXmlNode *geometry,
                                 LitheGeomDef *geom, Which *which) {
    which->found = true;
    for (const LitheXmlNode *node = geometry->first; node; node = node->next) {
        if (lithe_xml_is(node, "box")) {
            geom->kind = LITHE_GEOM_BOX;
            LitheStatus status = lithe_import_vector(import, node, "size", &geom->size);
            double min = fmin(geom->size.x, fmin(geom->size.y, geom->size.z));
            return status ? status : check_positive(import, node, "size", min);
        }
        if (lithe_xml_is(node, "sphere")) {
            geom->kind = LITHE_GEOM_SPHERE;
            return read_round(import, node, false, geom);
        }
        if (lithe_xml_is(node, "cylinder") || lithe_xml_is(node, "capsule")) {
            bool capsule = lithe_xml_is(node, "capsule");
            geom->kind = capsule ? LITHE_GEOM_CAPSULE : LITHE_GEOM_CYLINDER;
            return read_round(import, node, true, geom);
        }
        if (lithe_xml_is(node, "mesh"))
            return read_mesh(import, node, geom, which);
    }
    which->found = false;
    return lithe_import_note(import, geometry, "<geometry> has no supported shape");
}

/// The shape of a <collision> or <visual>, placed in the body.
static LitheStatus read_shape(LitheImport *import, const LitheXmlNode *node, LitheFrame link,
                              LitheGeomDef *geom, Which *which) {
    const LitheXmlNode *geometry = lithe_xml_child(node, "geometry");
    LitheFrame frame;
    which->found = which->more = false;
    LitheStatus status = lithe_urdf_origin(import, node, &frame);
    if (!status && !geometry)
        status = lithe_import_note(import, node, "<%s> has no <geometry>", node->name);
    else if (!status)
        status = read_geometry(import, geometry, geom, which);
    frame = frame_mul(link, frame);
    geom->at = frame.at;
    geom->rotation = frame.q;
    return status;
}

// --- what touches --------------------------------------------------------------------------------

static LitheStatus read_collisions(LitheImport *import, const LitheXmlNode *link, int32_t host,
                                   LitheFrame frame, bool shown) {
    LitheStatus status = LITHE_OK;
    const LitheXmlNode *node = lithe_xml_child(link, "collision");
    for (; node && !status; node = lithe_xml_next_same(node)) {
        LitheGeomDef geom = lithe_geom_def_default();
        Which which = {0};
        status = read_shape(import, node, frame, &geom, &which);
        if (status || !which.found)
            continue;
        geom.material = import->def->material;
        status = lithe_import_add_geom(import, host, &geom, node);
        if (!status && shown)
            status = lithe_import_show(import, host);
    }
    return status;
}

// --- what is only drawn --------------------------------------------------------------------------

/// The <color> of the material `name`: given for the robot, or in an earlier <visual>.
static const LitheXmlNode *find_colour(const LitheXmlNode *node, const char *name) {
    const LitheXmlNode *colour = NULL;
    for (const LitheXmlNode *child = node->first; child && !colour; child = child->next) {
        const char *own = lithe_xml_is(child, "material") ? lithe_xml_value(child, "name") : NULL;
        if (own && strcmp(own, name) == 0)
            colour = lithe_xml_child(child, "color");
        else if (lithe_xml_is(child, "link") || lithe_xml_is(child, "visual"))
            colour = find_colour(child, name);
    }
    return colour;
}

static LitheStatus read_material(LitheImport *import, const LitheXmlNode *visual,
                                 LitheVec3 *colour) {
    const LitheXmlNode *material = lithe_xml_child(visual, "material");
    const char *name = material ? lithe_xml_value(material, "name") : NULL;
    const LitheXmlNode *node = material ? lithe_xml_child(material, "color") : NULL;
    if (!node && name && *name) {
        node = find_colour(import->root, name);
        if (!node && !lithe_xml_child(material, "texture"))
            return lithe_import_note(import, material,
                                     "material '%.100s' has no colour: grey is drawn", name);
    }
    const char *value = node ? lithe_xml_value(node, "rgba") : NULL;
    double opacity = 1;
    return value ? lithe_import_rgba(import, node, value, colour, &opacity) : LITHE_OK;
}

/// Adds the parts of one <visual>.
static LitheStatus read_visual(LitheImport *import, const LitheXmlNode *node, int32_t host,
                               LitheFrame frame) {
    Which which = {.part = -1, .more = true};
    LitheStatus status = LITHE_OK;
    while (which.more && !status) {
        LitheGeomDef geom = lithe_geom_def_default();
        geom.visual = true;
        which.part++;
        status = read_shape(import, node, frame, &geom, &which);
        // a material of the robot replaces the colours of the file
        status = status ? status : read_material(import, node, &geom.colour);
        if (!status && which.found)
            status = lithe_import_add_geom(import, host, &geom, node);
    }
    return status;
}

/// Adds the visual shapes of a link. `*missing` is set when one cannot be read; the collision
/// shapes are then drawn instead, so that the link looks whole.
static LitheStatus read_visuals(LitheImport *import, const LitheXmlNode *link, const char *name,
                                int32_t host, LitheFrame frame, bool *missing) {
    bool touches = lithe_xml_child(link, "collision") != NULL;
    int32_t before = import->bodies[host].geom_count;
    LitheStatus status = LITHE_OK;
    const LitheXmlNode *node = lithe_xml_child(link, "visual");
    for (; node && !status; node = lithe_xml_next_same(node)) {
        char who[300];
        status = read_visual(import, node, host, frame);
        if (status) {
            *missing = true;
            snprintf(who, sizeof who, "visual of link '%.200s'", name);
            status = lithe_import_forgive(import, status, node, who,
                                          touches ? "the collision shape is drawn instead"
                                                  : "this shape is not drawn");
        }
    }
    if (*missing && touches)
        import->bodies[host].geom_count = before;
    return status;
}

LitheStatus lithe_urdf_shapes(LitheImport *import, const LitheXmlNode *link, const char *name,
                              int32_t host, LitheFrame frame) {
    bool missing = false;
    int32_t before = import->bodies[host].geom_count;
    LitheStatus status = read_visuals(import, link, name, host, frame, &missing);
    bool drawn = import->bodies[host].geom_count > before;
    if (!status && lithe_xml_child(link, "visual") && !lithe_xml_child(link, "collision"))
        status = lithe_import_note(
            import, link, "link '%s' has <visual> but no <collision>: it touches nothing", name);
    return status ? status : read_collisions(import, link, host, frame, !drawn);
}
