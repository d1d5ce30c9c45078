// SPDX-License-Identifier: Apache-2.0
// import/mjcf_geom.c - shapes and mass of MJCF: geoms, mesh assets, friction, contact groups

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh.h"
#include "import/mjcf.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// --- meshes --------------------------------------------------------------------------------------

/// Whether an asset has this name: the name given, or else that of its file without folder and
/// extension.
static bool asset_is(const LitheXmlNode *node, const char *wanted) {
    const char *name = lithe_xml_value(node, "name"), *file = lithe_xml_value(node, "file");
    if (name || !file)
        return name && strcmp(name, wanted) == 0;
    const char *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    size_t length = strcspn(file, ".");
    return strlen(wanted) == length && strncmp(file, wanted, length) == 0;
}

const LitheXmlNode *lithe_mjcf_asset(const LitheMjcf *mjcf, const char *kind, const char *name) {
    const LitheXmlNode *part = lithe_xml_child(mjcf->root, "asset");
    for (; part; part = lithe_xml_next_same(part)) {
        const LitheXmlNode *node = lithe_xml_child(part, kind);
        for (; node; node = lithe_xml_next_same(node))
            if (asset_is(node, name))
                return node;
    }
    return NULL;
}

/// Triangles of the hull of the geom's points, for its mass.
static LitheStatus add_hull(LitheMjcf *mjcf, const LitheXmlNode *node, LitheGeomDef *geom) {
    LitheImport *import = mjcf->import;
    LitheHull *hull = NULL;
    LitheError inner = {0};
    LitheStatus status =
        lithe_hull_create(import->context, geom->points, geom->point_count, &hull, &inner);
    if (status == LITHE_NO_MEMORY)
        return lithe_import_fail_memory(import);
    if (status)
        return lithe_import_fail(import, node, "<mesh>: %.600s", inner.text);
    int64_t corners = hull->face_start[hull->face_count];
    int32_t *triangles = lithe_xml_keep(&import->xml, 3 * corners, sizeof *triangles);
    Vec3 *points = lithe_xml_keep(&import->xml, hull->point_count, sizeof *points);
    int32_t count = 0;
    for (int32_t f = 0; f < hull->face_count && triangles; f++) {
        const int32_t *face = hull->face_points + hull->face_start[f];
        int32_t n = hull->face_start[f + 1] - hull->face_start[f];
        for (int32_t k = 2; k < n; k++, count++) {
            triangles[3 * count] = face[0];
            triangles[3 * count + 1] = face[k - 1];
            triangles[3 * count + 2] = face[k];
        }
    }
    if (points)
        memcpy(points, hull->points, (size_t)hull->point_count * sizeof *points);
    geom->points = points;
    geom->point_count = hull->point_count;
    geom->triangles = triangles;
    geom->triangle_count = count;
    lithe_hull_destroy(import->context, hull);
    return points && triangles ? LITHE_OK : lithe_import_fail_memory(import);
}

/// Points written in the file itself.
static LitheStatus inline_mesh(LitheMjcf *mjcf, LitheMjcfView view, Vec3 scale,
                               LitheGeomDef *geom) {
    LitheImport *import = mjcf->import;
    const char *vertex = lithe_mjcf_value(mjcf, view, "vertex", NULL);
    int32_t max = (int32_t)(strlen(vertex) / 2 + 1), count = 0;
    import->point_total += max;
    if (import->point_total > LITHE_IMPORT_POINTS)
        return lithe_import_fail(import, view.node, "<mesh>: more than %d points in this robot",
                                 LITHE_IMPORT_POINTS);
    double *numbers = lithe_xml_keep(&import->xml, max, sizeof *numbers);
    if (!numbers)
        return lithe_import_fail_memory(import);
    LitheStatus status =
        lithe_import_numbers(import, view.node, "vertex", vertex, 12, max, numbers, &count);
    if (status)
        return status;
    if (count % 3)
        return lithe_import_fail(import, view.node,
                                 "<mesh>: vertex has %d numbers, no multiple of 3", count);
    Vec3 *points = (Vec3 *)numbers;
    for (int32_t i = 0; i < count / 3; i++)
        points[i] = v3(scale.x * points[i].x, scale.y * points[i].y, scale.z * points[i].z);
    geom->points = points;
    geom->point_count = count / 3;
    return add_hull(mjcf, view.node, geom);
}

LitheStatus lithe_mjcf_resolve(LitheMjcf *mjcf, const LitheXmlNode *asset, const char *file,
                               const char **path) {
    LitheImport *import = mjcf->import;
    char named[3000];
    bool joined = mjcf->meshdir && *mjcf->meshdir && file[0] != '/';
    int length = snprintf(named, sizeof named, "%s%s%s", joined ? mjcf->meshdir : "",
                          joined ? "/" : "", file);
    if (length >= (int)sizeof named)
        return lithe_import_fail(import, asset, "<%s>: the path has %d bytes: it is too long",
                                 asset->name, length);
    return lithe_import_resolve(import, asset, import->folder, named, path);
}

/// The asset that a geom refers to; `*found` is false when the geom is ignored.
static LitheStatus read_mesh(LitheMjcf *mjcf, const LitheXmlNode *node, const char *name,
                             LitheGeomDef *geom, bool *found) {
    LitheImport *import = mjcf->import;
    const LitheXmlNode *asset = lithe_mjcf_asset(mjcf, "mesh", name);
    LitheMjcfView view;
    int32_t main_class = -1;
    Vec3 scale = {1, 1, 1};
    if (!asset)
        return lithe_import_fail(import, node, "<geom>: no mesh named '%.100s'", name);
    LitheStatus status = lithe_mjcf_class(mjcf, asset, "main", &main_class);
    status = status ? status : lithe_mjcf_view(mjcf, asset, main_class, &view);
    status = status ? status : lithe_mjcf_vector(mjcf, view, "scale", &scale);
    if (status)
        return status;
    geom->kind = LITHE_GEOM_CONVEX_MESH;
    const char *file = lithe_xml_value(asset, "file"), *path = NULL;
    if (!file && lithe_mjcf_value(mjcf, view, "vertex", NULL))
        return inline_mesh(mjcf, view, scale, geom);
    if (!file)
        return lithe_import_fail(import, asset, "<mesh> has neither file nor vertex");
    if (!lithe_mesh_file_known(file)) {
        *found = false;
        return lithe_import_note(
            import, asset, "<mesh>: '%.150s' is neither .stl nor .obj: its shapes are ignored",
            file);
    }
    status = lithe_mjcf_resolve(mjcf, asset, file, &path);
    bool more = false;
    return status ? status : lithe_import_mesh(import, asset, path, scale, 0, geom, &more);
}

// --- shapes --------------------------------------------------------------------------------------

/// Reads fromto, which sets the shape's axis and its length; `*has` is whether it is given.
static LitheStatus read_ends(LitheMjcf *mjcf, LitheMjcfView view, LitheFrame *frame, double *length,
                             bool *has) {
    double ends[6];
    int32_t count = 0;
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, "fromto", 6, 6, ends, &count);
    *has = count == 6;
    if (status || !*has)
        return status;
    Vec3 a = v3_load(ends), b = v3_load(ends + 3), axis = v3_sub(a, b);
    *length = v3_norm(axis);
    if (!(*length > 1e-10) || !isfinite(*length))
        return lithe_import_fail(mjcf->import, view.node,
                                 "<geom>: the two points of fromto coincide");
    *frame = (LitheFrame){v3_mix(a, b, 0.5), q4_between(v3(0, 0, 1), v3_unit(axis))};
    return LITHE_OK;
}

/// Sizes of all kinds except meshes; `size` [3] as in the file, of which `count` are given.
static LitheStatus set_sizes(LitheMjcf *mjcf, LitheMjcfView view, const double *size, int32_t count,
                             bool ends, double length, LitheGeomDef *geom) {
    int32_t wanted = 3;
    switch (geom->kind) {
    case LITHE_GEOM_HALF_SPACE:
        return LITHE_OK;
    case LITHE_GEOM_SPHERE:
        wanted = 1;
        geom->radius = size[0];
        break;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_CYLINDER:
        wanted = ends ? 1 : 2;
        geom->radius = size[0];
        geom->length = ends ? length : 2 * size[1];
        break;
    default: // boxes and ellipsoids; with fromto, `size` has the half widths across the axis
        wanted = ends ? 1 : 3;
        geom->size = v3(2 * size[0], 2 * (ends && count < 2 ? size[0] : size[1]),
                        ends ? length : 2 * size[2]);
    }
    for (int32_t i = 0; i < wanted; i++)
        if (i >= count || !(size[i] > 0))
            return lithe_import_fail(mjcf->import, view.node,
                                     "<geom>: %d of its sizes must be > 0, number %d is %g", wanted,
                                     i + 1, i < count ? size[i] : 0);
    if (ends && count > 1 && wanted == 1 && geom->kind != LITHE_GEOM_SPHERE &&
        !(geom->size.y > 0) && (geom->kind == LITHE_GEOM_BOX || geom->kind == LITHE_GEOM_ELLIPSOID))
        return lithe_import_fail(mjcf->import, view.node, "<geom>: its sizes must be > 0");
    return LITHE_OK;
}

/// Kind, sizes and place; `*found` is false when the shape is ignored.
static LitheStatus read_shape(LitheMjcf *mjcf, LitheMjcfView view, LitheGeomDef *geom,
                              LitheFrame *frame, bool *found) {
    static const char *const types[] = {"plane",    "sphere", "capsule",
                                        "cylinder", "box",    "ellipsoid"};
    static const LitheGeomKind kinds[] = {LITHE_GEOM_HALF_SPACE, LITHE_GEOM_SPHERE,
                                          LITHE_GEOM_CAPSULE,    LITHE_GEOM_CYLINDER,
                                          LITHE_GEOM_BOX,        LITHE_GEOM_ELLIPSOID};
    const LitheXmlNode *where;
    const char *type = lithe_mjcf_value(mjcf, view, "type", &where);
    const char *mesh = lithe_mjcf_value(mjcf, view, "mesh", NULL);
    *found = true;
    LitheStatus status = lithe_mjcf_frame(mjcf, view, frame);
    if (status)
        return status;
    if (mesh && (!type || strcmp(type, "mesh") == 0 || strcmp(type, "sphere") == 0))
        return read_mesh(mjcf, view.node, mesh, geom, found);
    if (type && strcmp(type, "mesh") == 0)
        return lithe_import_fail(mjcf->import, where, "<geom> has type mesh, but no mesh is given");
    const char *field = lithe_mjcf_value(mjcf, view, "hfield", NULL);
    if (type && strcmp(type, "hfield") == 0)
        return field ? lithe_mjcf_hfield(mjcf, view.node, field, geom)
                     : lithe_import_fail(mjcf->import, where,
                                         "<geom> has type hfield, but no hfield is given");
    if (mesh || (type && strcmp(type, "sdf") == 0)) {
        *found = false;
        return lithe_import_note(mjcf->import, view.node,
                                 "<geom>: %s%.60s is not supported: this shape is ignored",
                                 mesh ? "a mesh fitted by a " : "", type);
    }
    int32_t k = lithe_import_choice(type ? type : "sphere", types, 6);
    if (k < 0)
        return lithe_import_fail(mjcf->import, where, "<geom>: unknown type '%.60s'", type);
    geom->kind = kinds[k];
    double size[3] = {0, 0, 0}, length = 0;
    int32_t given = 0;
    bool ends = false;
    if (geom->kind != LITHE_GEOM_HALF_SPACE && geom->kind != LITHE_GEOM_SPHERE)
        status = read_ends(mjcf, view, frame, &length, &ends);
    status = status ? status : lithe_mjcf_numbers(mjcf, view, "size", 1, 3, size, &given);
    return status ? status : set_sizes(mjcf, view, size, given, ends, length, geom);
}

// --- friction ------------------------------------------------------------------------------------

/// The material with that friction: a copy of the robot's material with another coefficient.
static LitheStatus friction_material(LitheMjcf *mjcf, double friction, LitheMaterialId *material) {
    LitheImport *import = mjcf->import;
    int32_t i = 0;
    while (i < import->material_count && import->materials[i].friction != friction)
        i++;
    *material = (LitheMaterialId){import->scene->material_count + i + 1};
    if (i < import->material_count)
        return LITHE_OK;
    int32_t base = import->def->material.number;
    LitheMaterialDef def = base ? import->scene->materials[base - 1] : lithe_material_def_default();
    char name[60];
    snprintf(name, sizeof name, "friction-%.6g", friction);
    def.friction = friction;
    def.name = lithe_xml_keep_text(&import->xml, name);
    if (!def.name || !LITHE_RESERVE(import->context, import->materials, import->material_capacity,
                                    (int64_t)import->material_count + 1))
        return lithe_import_fail_memory(import);
    import->materials[import->material_count++] = def;
    return LITHE_OK;
}

static LitheStatus read_friction(LitheMjcf *mjcf, LitheMjcfView view, LitheGeomDef *geom) {
    LitheImport *import = mjcf->import;
    double friction[3] = {1, 0.005, 0.0001}, dimension = 3;
    int32_t count = 0;
    LitheStatus status = lithe_mjcf_numbers(mjcf, view, "friction", 1, 3, friction, &count);
    status = status ? status : lithe_mjcf_number(mjcf, view, "condim", &dimension);
    if (status)
        return status;
    if (friction[0] < 0)
        return lithe_import_fail(import, view.node, "<geom>: friction is %g, must be >= 0",
                                 friction[0]);
    if (dimension > 3)
        status = lithe_import_note(import, view.node,
                                   "<geom>: torsional and rolling friction (condim %g) is ignored",
                                   dimension);
    if (status)
        return status;
    if (dimension == 1)
        return friction_material(mjcf, 0, &geom->material);
    if (count == 0 && import->def->material.number) {
        geom->material = import->def->material;
        return LITHE_OK;
    }
    return friction_material(mjcf, friction[0], &geom->material);
}

// --- mass ----------------------------------------------------------------------------------------

static LitheStatus add_mass(LitheMjcf *mjcf, LitheMjcfView view, const LitheGeomDef *geom,
                            LitheFrame frame, LitheInertia *inertia) {
    double density = 1000, mass = -1;
    LitheStatus status = lithe_mjcf_number(mjcf, view, "density", &density);
    status = status ? status : lithe_mjcf_number(mjcf, view, "mass", &mass);
    if (status)
        return status;
    bool by_mass = lithe_mjcf_value(mjcf, view, "mass", NULL) != NULL;
    if (density < 0 || (by_mass && mass < 0))
        return lithe_import_fail(mjcf->import, view.node, "<geom>: %s is %g, must be >= 0",
                                 by_mass ? "mass" : "density", by_mass ? mass : density);
    LitheInertia own = lithe_inertia_of_shape(geom);
    if (!(own.mass > 0) || !isfinite(own.mass)) {
        if (geom->kind == LITHE_GEOM_HALF_SPACE || geom->kind == LITHE_GEOM_HEIGHTFIELD ||
            (by_mass ? mass : density) == 0)
            return LITHE_OK;
        return lithe_import_fail(mjcf->import, view.node,
                                 "<geom>: its shape has a volume of %g m^3, from which no mass can "
                                 "be computed",
                                 own.mass);
    }
    own = lithe_inertia_scale(by_mass ? mass / own.mass : density, own);
    *inertia = lithe_inertia_add(*inertia, lithe_inertia_move(frame, own));
    return LITHE_OK;
}

// --- a shape -------------------------------------------------------------------------------------

/// Colour of a shape by its rgba or its material; `*drawn` is false when it is not to be seen.
static LitheStatus read_look(LitheMjcf *mjcf, LitheMjcfView view, LitheMjcfShape *shape,
                             bool *drawn) {
    const LitheXmlNode *where = view.node;
    const char *value = lithe_mjcf_value(mjcf, view, "rgba", &where);
    const char *name = value ? NULL : lithe_mjcf_value(mjcf, view, "material", NULL);
    const LitheXmlNode *material = name ? lithe_mjcf_asset(mjcf, "material", name) : NULL;
    double opacity = 1, group = 0;
    LitheStatus status = lithe_mjcf_number(mjcf, view, "group", &group);
    if (material && !status) {
        LitheMjcfView look;
        int32_t main_class = -1;
        status = lithe_mjcf_class(mjcf, material, "main", &main_class);
        status = status ? status : lithe_mjcf_view(mjcf, material, main_class, &look);
        if (!status)
            value = lithe_mjcf_value(mjcf, look, "rgba", &where);
    }
    if (value && !status)
        status = lithe_import_rgba(mjcf->import, where, value, &shape->geom.colour, &opacity);
    // groups from 3 on are hidden by custom: they are the shapes for contact
    shape->shown = opacity > 0 && group < 3;
    *drawn = opacity > 0;
    return status;
}

/// Whether the mass of the body around a shape comes from its shapes.
static bool gives_mass(const LitheMjcf *mjcf, const LitheXmlNode *node) {
    const LitheXmlNode *body = node->parent;
    while (body && !lithe_xml_is(body, "body") && !lithe_xml_is(body, "worldbody"))
        body = body->parent;
    bool given =
        body && lithe_xml_child(body, "inertial") && mjcf->inertia != LITHE_MJCF_INERTIA_SHAPES;
    return body && lithe_xml_is(body, "body") && !given &&
           mjcf->inertia != LITHE_MJCF_INERTIA_GIVEN;
}

/// Turns the failure of a shape that is only drawn into a note that names its body.
static LitheStatus forgive(LitheMjcf *mjcf, const LitheXmlNode *node, LitheStatus status) {
    const LitheXmlNode *body = node->parent;
    while (body && lithe_xml_is(body, "frame"))
        body = body->parent;
    const char *name = body ? lithe_xml_value(body, "name") : NULL;
    char who[300];
    snprintf(who, sizeof who, "visual of body '%.200s'", name ? name : "world");
    return lithe_import_forgive(mjcf->import, status, node, who,
                                "it is not drawn; a body without visual shapes is drawn by its "
                                "collision shapes");
}

static LitheStatus keep_shape(LitheMjcf *mjcf, LitheMjcfShape *shape) {
    LitheImport *import = mjcf->import;
    LitheGeomDef *geom = &shape->geom;
    if (!shape->touches) {
        const LitheGeomDef plain = lithe_geom_def_default();
        geom->visual = true;
        geom->group = plain.group;
        geom->mask = plain.mask;
        // drawn as it is, not as its hull
        if (geom->kind == LITHE_GEOM_CONVEX_MESH && geom->triangles)
            geom->kind = LITHE_GEOM_TRIANGLE_MESH;
    }
    if (!LITHE_RESERVE(import->context, mjcf->shapes, mjcf->shape_capacity,
                       (int64_t)mjcf->shape_count + 1))
        return lithe_import_fail_memory(import);
    mjcf->shapes[mjcf->shape_count++] = *shape;
    return LITHE_OK;
}

LitheStatus lithe_mjcf_geom(LitheMjcf *mjcf, const LitheXmlNode *node, int32_t class_index,
                            LitheFrame frame, bool moves, LitheInertia *inertia) {
    LitheImport *import = mjcf->import;
    LitheMjcfShape shape = {.geom = lithe_geom_def_default(), .node = node};
    LitheMjcfView view;
    LitheFrame own;
    bool found = true, drawn = true;
    double contype = 1, conaffinity = 1;
    LitheStatus status = lithe_mjcf_view(mjcf, node, class_index, &view);
    status = status ? status : lithe_mjcf_number(mjcf, view, "contype", &contype);
    status = status ? status : lithe_mjcf_number(mjcf, view, "conaffinity", &conaffinity);
    status = status ? status : read_look(mjcf, view, &shape, &drawn);
    if (status)
        return status;
    shape.touches = contype != 0 || conaffinity != 0;
    status = read_shape(mjcf, view, &shape.geom, &own, &found);
    if (status && !shape.touches && !gives_mass(mjcf, node))
        return forgive(mjcf, node, status);
    if (status || !found)
        return status;
    if (!(contype >= 0 && contype <= UINT32_MAX && conaffinity >= 0 && conaffinity <= UINT32_MAX))
        return lithe_import_fail(import, node,
                                 "<geom>: contype and conaffinity must be 0 to 2^32 - 1, "
                                 "got %g and %g",
                                 contype, conaffinity);
    if (moves && shape.geom.kind == LITHE_GEOM_HALF_SPACE)
        return lithe_import_fail(import, node,
                                 "<geom>: a plane in a body that moves is not supported");
    own = frame_mul(frame, own);
    shape.geom.at = own.at;
    shape.geom.rotation = own.q;
    shape.geom.group = (uint32_t)contype;
    shape.geom.mask = (uint32_t)conaffinity;
    if (shape.touches)
        status = read_friction(mjcf, view, &shape.geom);
    status = status ? status : add_mass(mjcf, view, &shape.geom, own, inertia);
    if (status || !(shape.touches || drawn))
        return status;
    return keep_shape(mjcf, &shape);
}

LitheStatus lithe_mjcf_inertial(LitheMjcf *mjcf, const LitheXmlNode *node, LitheInertia *inertia) {
    LitheMjcfView view = {node, -1};
    LitheFrame frame;
    double mass = 0, i[6] = {0}; // i: inertia xx yy zz xy xz yz
    int32_t diagonal = 0, full = 0;
    LitheStatus status = lithe_mjcf_frame(mjcf, view, &frame);
    status = status ? status : lithe_mjcf_number(mjcf, view, "mass", &mass);
    status = status ? status : lithe_mjcf_numbers(mjcf, view, "diaginertia", 3, 3, i, &diagonal);
    if (!status && !diagonal)
        status = lithe_mjcf_numbers(mjcf, view, "fullinertia", 6, 6, i, &full);
    if (status)
        return status;
    if (!diagonal && !full)
        return lithe_import_fail(mjcf->import, node,
                                 "<inertial> has neither diaginertia nor fullinertia");
    Mat3 about = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
    LitheInertia own = {mass, {0, 0, 0}, about};
    char why[200];
    if (!lithe_inertia_is_valid(own, why, sizeof why))
        return lithe_import_fail(mjcf->import, node, "<inertial>: %s", why);
    LitheStatus noted = LITHE_OK;
    if (lithe_inertia_settle(&own))
        noted = lithe_import_note(mjcf->import, node, LITHE_INERTIA_SETTLED);
    *inertia = lithe_inertia_move(frame, own);
    return noted;
}

// --- contact groups ------------------------------------------------------------------------------

// In MJCF two shapes touch when the contype of one and the conaffinity of the other have a common
// bit. Each pair of values becomes a group; its mask has the groups that it touches. (1, 1) is
// group 1, which is the default of a scene.
typedef struct Touch {
    uint32_t type, affinity;
} Touch;

static bool meet(Touch a, Touch b) {
    return (a.type & b.affinity) || (b.type & a.affinity);
}

LitheStatus lithe_mjcf_set_groups(LitheMjcf *mjcf) {
    LitheImport *import = mjcf->import;
    Touch kinds[32] = {{1, 1}};
    uint32_t mask[32];
    int32_t count = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t b = 0; b < import->body_count; b++) {
            LitheImportBody *body = &import->bodies[b];
            for (int32_t g = 0; g < body->geom_count; g++) {
                if (body->geoms[g].visual)
                    continue;
                Touch own = {body->geoms[g].group, body->geoms[g].mask};
                int32_t k = 0;
                while (k < count &&
                       (kinds[k].type != own.type || kinds[k].affinity != own.affinity))
                    k++;
                if (k == 32)
                    return lithe_import_fail(
                        import, body->node,
                        "more than 32 different pairs of contype and conaffinity");
                if (k == count)
                    kinds[count++] = own;
                if (pass == 1) {
                    body->geoms[g].group = (uint32_t)1 << k;
                    body->geoms[g].mask = mask[k];
                }
            }
        }
        // groups that this robot does not use are treated like group 1
        uint32_t known = count == 32 ? UINT32_MAX : ((uint32_t)1 << count) - 1;
        for (int32_t k = 0; k < count; k++) {
            mask[k] = meet(kinds[k], kinds[0]) ? ~known : 0;
            for (int32_t j = 0; j < count; j++)
                if (meet(kinds[k], kinds[j]))
                    mask[k] |= (uint32_t)1 << j;
        }
    }
    return LITHE_OK;
}
