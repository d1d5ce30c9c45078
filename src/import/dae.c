// SPDX-License-Identifier: Apache-2.0
// import/dae.c - meshes of COLLADA files: the triangles of their scene, one part for each colour
//
// The scene is a tree of nodes with transformations; its leaves are instances of geometries, whose
// polygons are cut into fans of triangles. Lengths are multiplied by the unit of the file. Axes are
// those of the file, whatever its up_axis: robot files are drawn so by other programs, too.

#include "base/memory.h"
#include "geom/mesh_file_parts.h"
#include "import/import.h"
#include "math/mat3.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_PARTS = 256,
    MAX_DEPTH = 64,       // of nodes, also through instances: a loop of instances ends here
    MAX_WORK = 100000000, // numbers read and elements visited: files that refer to themselves
};

// Linear map and shift.
typedef struct Place {
    Mat3 a;
    Vec3 b;
} Place;

typedef struct Part {
    LitheMeshReader reader; // collects the triangles
    LitheVec3 colour;       // x < 0: none
} Part;

typedef struct Dae {
    LitheImport *import;
    const LitheXmlNode *root;
    const char *path;
    bool whole;
    Part *parts;
    int32_t part_count, part_capacity;
    int64_t work;
} Dae;

// All numbers in the text of an element.
typedef struct Numbers {
    double *values; // [count]
    int32_t count;
} Numbers;

// --- finding and reading -------------------------------------------------------------------------

static LitheStatus add_work(Dae *dae, const LitheXmlNode *node, int64_t amount) {
    dae->work += amount;
    if (dae->work <= MAX_WORK)
        return LITHE_OK;
    return lithe_import_fail(dae->import, node, "<%s>: the file refers to its parts too often",
                             node->name);
}

static const LitheXmlNode *search(Dae *dae, const LitheXmlNode *node, const char *id) {
    dae->work += 4; // slower than a number
    const char *own = lithe_xml_value(node, "id");
    if (own && strcmp(own, id) == 0)
        return node;
    const LitheXmlNode *found = NULL;
    for (const LitheXmlNode *child = node->first; child && !found; child = child->next)
        found = search(dae, child, id);
    return found;
}

/// The element that the attribute `name` of `node` refers to: "#id".
static LitheStatus follow(Dae *dae, const LitheXmlNode *node, const char *name,
                          const LitheXmlNode **to) {
    const char *value = lithe_xml_value(node, name);
    if (!value || value[0] != '#')
        return lithe_import_fail(dae->import, node, "<%s>: %s is '%.100s', expected '#' and an id",
                                 node->name, name, value ? value : "");
    *to = search(dae, dae->root, value + 1);
    if (!*to)
        return lithe_import_fail(dae->import, node, "<%s>: %s: there is no element '%.100s'",
                                 node->name, name, value + 1);
    return add_work(dae, node, 0);
}

static const LitheXmlNode *descend(const LitheXmlNode *node, const char *name) {
    const LitheXmlNode *found = NULL;
    for (const LitheXmlNode *child = node->first; child && !found; child = child->next)
        found = lithe_xml_is(child, name) ? child : descend(child, name);
    return found;
}

static LitheStatus read_numbers(Dae *dae, const LitheXmlNode *node, Numbers *out) {
    const char *text = node->text ? node->text : "";
    int64_t count = 0;
    bool gap = true;
    for (const char *c = text; *c; c++) {
        bool now = strchr(" \t\r\n", *c) != NULL;
        count += gap && !now;
        gap = now;
    }
    LitheStatus status = add_work(dae, node, count);
    if (status)
        return status;
    out->values = lithe_alloc_array(dae->import->context, count, sizeof *out->values);
    if (!out->values)
        return lithe_import_fail_memory(dae->import);
    return lithe_import_numbers(dae->import, node, "the text", text, 0, (int32_t)count, out->values,
                                &out->count);
}

static void free_numbers(Dae *dae, Numbers *numbers) {
    lithe_free(dae->import->context, numbers->values);
    *numbers = (Numbers){0};
}

/// Exactly `count` numbers in the text of `node`.
static LitheStatus read_few(Dae *dae, const LitheXmlNode *node, int32_t count, double *out) {
    return lithe_import_numbers(dae->import, node, "the text", node->text ? node->text : "", count,
                                count, out, NULL);
}

// --- parts ---------------------------------------------------------------------------------------

/// The diffuse colour of the material that an instance of a geometry binds to `symbol`; x < 0:
/// none.
static LitheStatus read_colour(Dae *dae, const LitheXmlNode *instance, const char *symbol,
                               LitheVec3 *colour) {
    *colour = (LitheVec3){-1, -1, -1};
    const LitheXmlNode *bind = symbol ? descend(instance, "instance_material") : NULL;
    while (bind) {
        const char *own = lithe_xml_value(bind, "symbol");
        if (own && strcmp(own, symbol) == 0)
            break;
        bind = lithe_xml_next_same(bind);
    }
    const LitheXmlNode *material = NULL, *effect = NULL;
    LitheStatus status = bind ? follow(dae, bind, "target", &material) : LITHE_OK;
    const LitheXmlNode *use =
        material && !status ? lithe_xml_child(material, "instance_effect") : NULL;
    status = use && !status ? follow(dae, use, "url", &effect) : status;
    const LitheXmlNode *diffuse = effect && !status ? descend(effect, "diffuse") : NULL;
    const LitheXmlNode *node = diffuse ? lithe_xml_child(diffuse, "color") : NULL;
    double opacity = 1;
    if (status || !node || !node->text)
        return status;
    return lithe_import_rgba(dae->import, node, node->text, colour, &opacity);
}

static LitheStatus find_part(Dae *dae, const LitheXmlNode *node, LitheVec3 colour, Part **out) {
    for (int32_t i = 0; i < dae->part_count; i++) {
        LitheVec3 c = dae->parts[i].colour;
        *out = &dae->parts[i];
        if (dae->whole || (c.x == colour.x && c.y == colour.y && c.z == colour.z))
            return LITHE_OK;
    }
    if (dae->part_count == MAX_PARTS)
        return lithe_import_fail(dae->import, node, "more than %d colours", MAX_PARTS);
    if (!LITHE_RESERVE(dae->import->context, dae->parts, dae->part_capacity,
                       (int64_t)dae->part_count + 1))
        return lithe_import_fail_memory(dae->import);
    *out = &dae->parts[dae->part_count++];
    **out = (Part){.reader = {.context = dae->import->context,
                              .name = node->file,
                              .error = dae->import->error},
                   .colour = colour};
    return LITHE_OK;
}

// --- polygons ------------------------------------------------------------------------------------

// What the polygons of one primitive refer to.
typedef struct Polygons {
    const LitheXmlNode *node; // <triangles>, <polylist>, ...
    const Numbers *positions;
    int32_t position_stride, position_offset; // of the accessor
    int32_t stride, offset;                   // of the indices in <p>
    Place place;
    bool mirrored;
    Part *part;
} Polygons;

/// The k-th corner in `p`.
static LitheStatus read_corner(Dae *dae, const Polygons *of, const Numbers *p, int64_t k,
                               Vec3 *out) {
    int64_t at = k * of->stride + of->offset;
    if (at >= p->count)
        return lithe_import_fail(dae->import, of->node, "<%s>: <p> has %d numbers, too few",
                                 of->node->name, (int)p->count);
    double index = p->values[at];
    int64_t count =
        of->positions->count < of->position_offset + 3
            ? 0
            : (of->positions->count - of->position_offset - 3) / of->position_stride + 1;
    if (!(index >= 0 && index < (double)count) || index != floor(index))
        return lithe_import_fail(dae->import, of->node,
                                 "<%s>: <p> refers to point %g, there are 0 to %lld",
                                 of->node->name, index, (long long)count - 1);
    const double *x =
        of->positions->values + of->position_offset + (int64_t)index * of->position_stride;
    *out = v3_add(m3_apply(of->place.a, v3_load(x)), of->place.b);
    if (!isfinite(v3_norm(*out)))
        return lithe_import_fail(dae->import, of->node, "<%s>: point %g is too far away",
                                 of->node->name, index);
    return LITHE_OK;
}

static LitheStatus add_triangle(Dae *dae, const Polygons *of, const Numbers *p, int64_t a,
                                int64_t b, int64_t c) {
    Vec3 x[3];
    int64_t corners[3] = {a, of->mirrored ? c : b, of->mirrored ? b : c};
    LitheStatus status = LITHE_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = read_corner(dae, of, p, corners[i], &x[i]);
    of->part->reader.line = of->node->line;
    return status ? status : lithe_mesh_add(&of->part->reader, x[0], x[1], x[2]);
}

/// A polygon of corners from .. from + count - 1 of `p`, as a fan.
static LitheStatus add_fan(Dae *dae, const Polygons *of, const Numbers *p, int64_t from,
                           int64_t count) {
    LitheStatus status = LITHE_OK;
    for (int64_t i = 2; i < count && !status; i++)
        status = add_triangle(dae, of, p, from, from + i - 1, from + i);
    return status;
}

static LitheStatus add_list(Dae *dae, const Polygons *of, const Numbers *p) {
    const LitheXmlNode *sizes = lithe_xml_child(of->node, "vcount");
    Numbers counts = {0};
    LitheStatus status = sizes ? read_numbers(dae, sizes, &counts) : LITHE_OK;
    int64_t from = 0;
    for (int32_t i = 0; i < counts.count && !status; i++) {
        double size = counts.values[i];
        if (!(size >= 0 && size <= p->count) || size != floor(size))
            status = lithe_import_fail(dae->import, sizes,
                                       "<vcount>: a polygon has %g corners, <p> has %d numbers",
                                       size, (int)p->count);
        else
            status = add_fan(dae, of, p, from, (int64_t)size);
        from += (int64_t)size;
    }
    free_numbers(dae, &counts);
    return status;
}

/// One <p>: what it has depends on the primitive.
static LitheStatus add_polygons(Dae *dae, const Polygons *of, const Numbers *p) {
    int64_t corners = p->count / of->stride;
    LitheStatus status = LITHE_OK;
    if (lithe_xml_is(of->node, "polylist"))
        return add_list(dae, of, p);
    if (lithe_xml_is(of->node, "polygons") || lithe_xml_is(of->node, "trifans"))
        return add_fan(dae, of, p, 0, corners);
    if (lithe_xml_is(of->node, "tristrips")) {
        for (int64_t i = 2; i < corners && !status; i++)
            status = i % 2 == 0 ? add_triangle(dae, of, p, i - 2, i - 1, i)
                                : add_triangle(dae, of, p, i - 1, i - 2, i);
        return status;
    }
    for (int64_t i = 0; i + 2 < corners && !status; i += 3)
        status = add_triangle(dae, of, p, i, i + 1, i + 2);
    return status;
}

// --- geometries ----------------------------------------------------------------------------------

static bool is_primitive(const LitheXmlNode *node) {
    static const char *const names[] = {"triangles", "polylist", "polygons", "tristrips",
                                        "trifans"};
    return lithe_import_choice(node->name, names, 5) >= 0;
}

/// A whole number in an attribute, `fallback` where there is none.
static LitheStatus read_whole(Dae *dae, const LitheXmlNode *node, const char *name, int32_t low,
                              int32_t fallback, int32_t *out) {
    double value = fallback;
    LitheStatus status = lithe_import_number(dae->import, node, name, &value);
    if (!status && (!(value >= low && value <= 1e6) || value != floor(value)))
        return lithe_import_fail(dae->import, node, "<%s>: %s is %g, must be a whole number >= %d",
                                 node->name, name, value, (int)low);
    *out = (int32_t)value;
    return status;
}

/// Places of the corners in the indices of a primitive; `*vertices` is what they refer to.
static LitheStatus read_inputs(Dae *dae, Polygons *of, const LitheXmlNode **vertices) {
    LitheStatus status = LITHE_OK;
    *vertices = NULL;
    of->stride = 1;
    const LitheXmlNode *input = lithe_xml_child(of->node, "input");
    for (; input && !status; input = lithe_xml_next_same(input)) {
        int32_t offset = 0;
        const char *what = lithe_xml_value(input, "semantic");
        status = read_whole(dae, input, "offset", 0, 0, &offset);
        of->stride = offset + 1 > of->stride ? offset + 1 : of->stride;
        if (status || !what || strcmp(what, "VERTEX") != 0)
            continue;
        of->offset = offset;
        status = follow(dae, input, "source", vertices);
    }
    if (!status && !*vertices)
        return lithe_import_fail(dae->import, of->node,
                                 "<%s> has no <input> with the semantic VERTEX", of->node->name);
    return status;
}

/// The positions of <vertices>, and how they are stored.
static LitheStatus read_positions(Dae *dae, const LitheXmlNode *vertices, Polygons *of,
                                  Numbers *positions) {
    const LitheXmlNode *input = lithe_xml_child(vertices, "input"), *source = NULL;
    while (input && (!lithe_xml_value(input, "semantic") ||
                     strcmp(lithe_xml_value(input, "semantic"), "POSITION") != 0))
        input = lithe_xml_next_same(input);
    if (!input)
        return lithe_import_fail(dae->import, vertices, "<%s> has no <input> of positions",
                                 vertices->name);
    LitheStatus status = follow(dae, input, "source", &source);
    if (status)
        return status;
    const LitheXmlNode *array = lithe_xml_child(source, "float_array");
    const LitheXmlNode *accessor = descend(source, "accessor");
    if (!array)
        return lithe_import_fail(dae->import, source, "<%s> has no <float_array>", source->name);
    of->position_stride = 3;
    if (accessor)
        status = read_whole(dae, accessor, "stride", 3, 3, &of->position_stride);
    if (accessor && !status)
        status = read_whole(dae, accessor, "offset", 0, 0, &of->position_offset);
    return status ? status : read_numbers(dae, array, positions);
}

static LitheStatus add_primitive(Dae *dae, const LitheXmlNode *instance, const LitheXmlNode *node,
                                 Place place) {
    Numbers positions = {0};
    Polygons of = {
        .node = node, .positions = &positions, .place = place, .mirrored = m3_det(place.a) < 0};
    const LitheXmlNode *vertices = NULL;
    LitheVec3 colour;
    LitheStatus status = read_colour(dae, instance, lithe_xml_value(node, "material"), &colour);
    status = status ? status : find_part(dae, node, colour, &of.part);
    status = status ? status : read_inputs(dae, &of, &vertices);
    status = status ? status : read_positions(dae, vertices, &of, &positions);
    for (const LitheXmlNode *p = lithe_xml_child(node, "p"); p && !status;
         p = lithe_xml_next_same(p)) {
        Numbers indices = {0};
        status = read_numbers(dae, p, &indices);
        status = status ? status : add_polygons(dae, &of, &indices);
        free_numbers(dae, &indices);
    }
    if (!status && lithe_xml_child(node, "ph"))
        status = lithe_import_note(dae->import, node, "polygons with holes (<ph>) are not drawn");
    free_numbers(dae, &positions);
    return status;
}

static LitheStatus add_geometry(Dae *dae, const LitheXmlNode *instance, Place place) {
    const LitheXmlNode *geometry = NULL;
    LitheStatus status = follow(dae, instance, "url", &geometry);
    const LitheXmlNode *mesh = status ? NULL : lithe_xml_child(geometry, "mesh");
    if (!status && !mesh)
        return lithe_import_note(dae->import, geometry, "<%s> without <mesh> is not drawn",
                                 geometry->name);
    for (const LitheXmlNode *node = mesh ? mesh->first : NULL; node && !status; node = node->next)
        if (is_primitive(node))
            status = add_primitive(dae, instance, node, place);
    return status;
}

// --- nodes ---------------------------------------------------------------------------------------

/// Composes a transformation element with `place`; other elements leave it.
static LitheStatus transform(Dae *dae, const LitheXmlNode *node, Place *place) {
    double x[16];
    Place own = {m3_identity(), {0, 0, 0}};
    LitheStatus status = LITHE_OK;
    if (lithe_xml_is(node, "translate")) {
        status = read_few(dae, node, 3, x);
        own.b = status ? own.b : v3_load(x);
    } else if (lithe_xml_is(node, "scale")) {
        status = read_few(dae, node, 3, x);
        own.a = status ? own.a : m3_diag(x[0], x[1], x[2]);
    } else if (lithe_xml_is(node, "rotate")) {
        // axis and angle in degrees
        status = read_few(dae, node, 4, x);
        double norm = status ? 0 : v3_norm(v3_load(x));
        if (!isfinite(norm))
            status = lithe_import_fail(
                dae->import, node, "<rotate>: the axis is too long: %g %g %g", x[0], x[1], x[2]);
        if (!status && norm > 0)
            own.a = q4_matrix(q4_exp(v3_scale(x[3] * acos(-1.0) / 180 / norm, v3_load(x))));
    } else if (lithe_xml_is(node, "matrix")) {
        status = read_few(dae, node, 16, x);
        for (int i = 0; i < 3 && !status; i++)
            for (int j = 0; j < 3; j++)
                own.a.m[i][j] = x[4 * i + j];
        own.b = status ? own.b : v3(x[3], x[7], x[11]);
    } else if (lithe_xml_is(node, "lookat") || lithe_xml_is(node, "skew")) {
        status = lithe_import_note(dae->import, node, "<%s> is ignored", node->name);
    }
    place->b = v3_add(place->b, m3_apply(place->a, own.b));
    place->a = m3_mul(place->a, own.a);
    return status;
}

static LitheStatus add_node(Dae *dae, const LitheXmlNode *node, Place place, int32_t depth) {
    if (depth > MAX_DEPTH)
        return lithe_import_fail(dae->import, node, "<%s>: nodes nest deeper than %d", node->name,
                                 MAX_DEPTH);
    LitheStatus status = add_work(dae, node, 1);
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next) {
        const LitheXmlNode *other = NULL;
        status = transform(dae, child, &place);
        if (!status && lithe_xml_is(child, "instance_geometry"))
            status = add_geometry(dae, child, place);
        else if (!status && lithe_xml_is(child, "node"))
            status = add_node(dae, child, place, depth + 1);
        else if (!status && lithe_xml_is(child, "instance_node")) {
            status = follow(dae, child, "url", &other);
            status = status ? status : add_node(dae, other, place, depth + 1);
        } else if (!status && lithe_xml_is(child, "instance_controller")) {
            status = lithe_import_note(dae->import, child, "<%s> is not drawn", child->name);
        }
    }
    return status;
}

/// The scene of the file; without <scene> the first one.
static LitheStatus add_scene(Dae *dae, double unit) {
    const LitheXmlNode *scene = lithe_xml_child(dae->root, "scene");
    const LitheXmlNode *use = scene ? lithe_xml_child(scene, "instance_visual_scene") : NULL;
    const LitheXmlNode *top = use ? NULL : descend(dae->root, "visual_scene");
    LitheStatus status = use ? follow(dae, use, "url", &top) : LITHE_OK;
    if (!status && !top)
        status = lithe_import_fail(dae->import, dae->root, "<%s> has no <visual_scene>",
                                   dae->root->name);
    return status ? status : add_node(dae, top, (Place){m3_diag(unit, unit, unit), {0, 0, 0}}, 0);
}

static LitheStatus read_asset(Dae *dae, double *unit) {
    const LitheXmlNode *asset = lithe_xml_child(dae->root, "asset");
    const LitheXmlNode *length = asset ? lithe_xml_child(asset, "unit") : NULL;
    const LitheXmlNode *up = asset ? lithe_xml_child(asset, "up_axis") : NULL;
    LitheStatus status =
        length ? lithe_import_number(dae->import, length, "meter", unit) : LITHE_OK;
    if (!status && !(*unit > 0))
        return lithe_import_fail(dae->import, length, "<unit>: meter is %g, must be > 0", *unit);
    if (!status && up && up->text && !strstr(up->text, "Z_UP"))
        return lithe_import_note(dae->import, up,
                                 "<up_axis> is ignored: axes are those of the link");
    return status;
}

// --- the file ------------------------------------------------------------------------------------

static LitheStatus parse(Dae *dae, const LitheXmlNode *node) {
    LitheImport *import = dae->import;
    char *bytes = NULL;
    size_t length = 0;
    LitheError inner = {0};
    LitheXmlNode *root = NULL;
    LitheStatus status =
        lithe_import_read_file(import->context, dae->path, &bytes, &length, &inner);
    import->xml.texts = true;
    if (!status)
        status = lithe_xml_parse(&import->xml, bytes, length, dae->path, &root, &inner);
    import->xml.texts = false;
    lithe_free(import->context, bytes);
    if (status == LITHE_NO_MEMORY)
        return lithe_import_fail_memory(import);
    if (status)
        return lithe_import_fail(import, node, "<%s>: %.800s", node->name, inner.text);
    if (!lithe_xml_is(root, "COLLADA"))
        return lithe_import_fail(import, root, "<%.60s>: a COLLADA file begins with <COLLADA>",
                                 root->name);
    dae->root = root;
    return LITHE_OK;
}

LitheStatus lithe_import_dae(LitheImport *import, const LitheXmlNode *node, const char *path,
                             bool whole) {
    Dae dae = {.import = import, .path = path, .whole = whole};
    double unit = 1;
    LitheStatus status = parse(&dae, node);
    status = status ? status : read_asset(&dae, &unit);
    status = status ? status : add_scene(&dae, unit);
    int32_t kept = 0;
    for (int32_t i = 0; i < dae.part_count; i++) {
        LitheImportMesh mesh = {
            .path = path, .part = kept, .whole = whole, .colour = dae.parts[i].colour};
        mesh.data = dae.parts[i].reader.mesh;
        lithe_free(import->context, dae.parts[i].reader.slots);
        if (!status && mesh.data.triangle_count > 0) {
            kept++;
            status = lithe_import_keep_mesh(import, &mesh);
        } else {
            lithe_mesh_file_free(import->context, &mesh.data);
        }
    }
    lithe_free(import->context, dae.parts);
    if (!status && kept == 0)
        return lithe_import_fail(import, dae.root, "<%s> has no triangles", dae.root->name);
    return status;
}
