// SPDX-License-Identifier: Apache-2.0
// scene/fields_solid.c - the tables of keys of soft solids and their meshes

#include "scene/field_rows.h"
#include "scene/fields.h"

// reader and writer of LITHE_FIELD_ONE_OF expect `kind` as the first member
_Static_assert(offsetof(LitheSolidMeshDef, kind) == 0, "the kind is the first member");

// in the order of LitheSolidLawKind
static const char *const law_words[] = {
    "corotated-lagged",        "corotated", "neo-hookean", "mooney-rivlin",
    "mooney-rivlin-isochoric", NULL};
_Static_assert(sizeof law_words / sizeof *law_words == LITHE_SOLID_LAW_KINDS + 1, "all laws");
static const char *const quadratic_words[] = {"false", "true", "auto", NULL};
static const char *const volume_words[] = {"auto", "plain", "mean", NULL};
static const char *const axis_words[] = {"none", "x", "y", "z", NULL};
static const char *const rest_words[] = {"built", "loaded", NULL};
static const char *const mass_words[] = {"lumped", "consistent", NULL};

// --- meshes --------------------------------------------------------------------------------------

static const LitheField box_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSolidMeshDef, size),
     .about = "full edges along x, y and z, centred"},
    {"resolution", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheSolidMeshDef, resolution),
     .preset = "none", .about = "wanted size of cells, or distance of nodes: see quadratic"},
    {"divisions", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheSolidMeshDef, divisions),
     .preset = "none",
     .about = "instead of resolution: cells along x, y and z; a cell has five tetrahedra"},
};
static const LitheTable box_table = TABLE("mesh box", box_fields);

#define RESOLUTION \
    { \
        "resolution", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, \
            AT(LitheSolidMeshDef, resolution), \
            .about = "wanted length of edges, or distance of nodes: see quadratic" \
    }
#define SIZE(key_, member_, text_) \
    { \
        key_, LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSolidMeshDef, member_), \
            .about = text_ \
    }

static const LitheField cylinder_fields[] = {
    SIZE("radius", radius, "of the cylinder"),
    SIZE("length", length, "along z, centred"),
    RESOLUTION,
};
static const LitheTable cylinder_table = TABLE("mesh cylinder", cylinder_fields);

static const LitheField tube_fields[] = {
    SIZE("radius", radius, "outer radius"),
    SIZE("inner", inner, "radius of the hole"),
    SIZE("length", length, "along z, centred"),
    RESOLUTION,
};
static const LitheTable tube_table = TABLE("mesh tube", tube_fields);

static const LitheField sphere_fields[] = {
    SIZE("radius", radius, "about the origin"),
    RESOLUTION,
};
static const LitheTable sphere_table = TABLE("mesh sphere", sphere_fields);
static const LitheTable half_sphere_table = TABLE("mesh half-sphere", sphere_fields);

static const LitheField hollow_fields[] = {
    SIZE("radius", radius, "outer radius, about the origin"),
    SIZE("inner", inner, "radius of the hollow"),
    RESOLUTION,
};
static const LitheTable hollow_sphere_table = TABLE("mesh hollow-sphere", hollow_fields);

static const LitheField arch_fields[] = {
    {"stones", LITHE_FIELD_INTEGER, REQUIRED, AT(LitheSolidMeshDef, stones),
     .about = "number of voussoirs, which share no nodes"},
    {"stone", LITHE_FIELD_INTEGER, AT(LitheSolidMeshDef, stone), .preset = "0",
     .about = "0: all of them; k: stone k alone, from the left"},
    SIZE("span", span, "distance of the inner corners, along x"),
    SIZE("thickness", thickness, "between the inner and the outer circle"),
    SIZE("depth", depth, "along y, centred"),
    QUANTITY("angle", ANGLE, LitheSolidMeshDef, angle, "180 deg", "of the arch at its centre"),
    RESOLUTION,
};
static const LitheTable arch_table = TABLE("mesh arch", arch_fields);

static const LitheField bellows_fields[] = {
    {"folds", LITHE_FIELD_INTEGER, REQUIRED, AT(LitheSolidMeshDef, folds),
     .about = "number of folds"},
    SIZE("radius", radius, "from the axis to the outer surface of the wall at the crests"),
    SIZE("inner", inner, "from the axis to the inner surface of the wall at the roots"),
    SIZE("length", length, "along z over both end plates, outside; the centre is the origin"),
    SIZE("thickness", thickness, "of the wall, along its normal"),
    SIZE("ends", depth, "thickness along z of the flat plate at each end"),
    RESOLUTION,
};
static const LitheTable bellows_table = TABLE("mesh bellows", bellows_fields);

static const LitheField finger_fields[] = {
    {"chambers", LITHE_FIELD_INTEGER, REQUIRED, AT(LitheSolidMeshDef, chambers),
     .about = "number of chambers in a row along x"},
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSolidMeshDef, size),
     .about = "full edges along x, y and z, outside, centred"},
    SIZE("wall", thickness, "thickness of the sides, the roof, and the walls of chambers"),
    SIZE("floor", depth, "thickness of the flat side z-min"),
    SIZE("channel", channel,
         "width and height of the channel that joins the chambers, on the floor"),
    QUANTITY("gap", LENGTH, LitheSolidMeshDef, gap, "0",
             "between the walls of neighbouring chambers, above the channel; 0: they share a wall"),
    RESOLUTION,
};
static const LitheTable finger_table = TABLE("mesh finger", finger_fields);

#define SCALE \
    { \
        "scale", LITHE_FIELD_QUANTITY, LITHE_WANT_NUMBER, SHORTHAND, AT(LitheSolidMeshDef, scale), \
            .preset = "1", .about = "multiplies the coordinates: 0.001 for a file in millimetres" \
    }

static const LitheField file_fields[] = {
    {"path", LITHE_FIELD_FILE, REQUIRED, AT(LitheSolidMeshDef, path),
     .about = ".vtk, .msh, .node or .ele file, relative to the scene file"},
    SCALE,
};
static const LitheTable file_table = TABLE("mesh file", file_fields);

static const LitheField surface_fields[] = {
    {"path", LITHE_FIELD_FILE, SHORTHAND, AT(LitheSolidMeshDef, path), .preset = "none",
     .about = ".stl or .obj file of a closed surface, relative to the scene file"},
    SCALE,
    RESOLUTION,
    {"points", LITHE_FIELD_POINTS, LITHE_WANT_LENGTH, AT(LitheSolidMeshDef, nodes),
     ALSO(LitheSolidMeshDef, node_count), .preset = "none", .about = "instead of path: its points"},
    {"triangles", LITHE_FIELD_INDICES, AT(LitheSolidMeshDef, elements),
     ALSO(LitheSolidMeshDef, element_numbers), .preset = "none",
     .about = "three points each, from 0, counter-clockwise from outside: one list"},
};
static const LitheTable surface_table = TABLE("mesh surface", surface_fields);

static const LitheField tetrahedra_fields[] = {
    {"nodes", LITHE_FIELD_POINTS, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSolidMeshDef, nodes),
     ALSO(LitheSolidMeshDef, node_count), .about = "places of the nodes"},
    {"per-element", LITHE_FIELD_INTEGER, AT(LitheSolidMeshDef, nodes_per_element), .preset = "4",
     .about = "4, or 10 with the midpoints of 01 12 02 03 13 23"},
    {"elements", LITHE_FIELD_INDICES, REQUIRED, AT(LitheSolidMeshDef, elements),
     ALSO(LitheSolidMeshDef, element_numbers), .about = "nodes of all elements, from 0: one list"},
    {"groups", LITHE_FIELD_TEXTS, AT(LitheSolidMeshDef, groups),
     ALSO(LitheSolidMeshDef, group_count), .preset = "none", .about = "names of groups of nodes"},
    {"group-sizes", LITHE_FIELD_INDICES, AT(LitheSolidMeshDef, group_sizes),
     ALSO(LitheSolidMeshDef, group_size_count), .preset = "none", .about = "nodes of each group"},
    {"group-nodes", LITHE_FIELD_INDICES, AT(LitheSolidMeshDef, group_nodes),
     ALSO(LitheSolidMeshDef, group_node_count), .preset = "none",
     .about = "nodes of all groups, one after the other"},
};
static const LitheTable tetrahedra_table = TABLE("mesh tetrahedra", tetrahedra_fields);

// in the order of LitheSolidMeshKind
static const LitheField mesh_fields[] = {
    {"box", LITHE_FIELD_MAPPING, .table = &box_table,
     .about = "a box; its groups are the faces x-min, x-max, y-min, y-max, z-min, z-max"},
    {"cylinder", LITHE_FIELD_MAPPING, .table = &cylinder_table,
     .about = "a cylinder along z; its groups are z-min, z-max, side"},
    {"tube", LITHE_FIELD_MAPPING, .table = &tube_table,
     .about = "a cylinder with a hole; its groups are z-min, z-max, inner, outer"},
    {"sphere", LITHE_FIELD_MAPPING, .table = &sphere_table,
     .about = "a ball; its group is surface"},
    {"half-sphere", LITHE_FIELD_MAPPING, .table = &half_sphere_table,
     .about = "the half z >= 0 of a ball; its groups are base, dome"},
    {"hollow-sphere", LITHE_FIELD_MAPPING, .table = &hollow_sphere_table,
     .about = "what lies between two spheres; its groups are inner, outer"},
    {"arch", LITHE_FIELD_MAPPING, .table = &arch_table,
     .about = "an arch of stones; its groups are intrados, extrados, left, right, front, back and "
              "stone-1 .."},
    {"bellows", LITHE_FIELD_MAPPING, .table = &bellows_table,
     .about = "a closed box with a folded wall; its groups are z-min, z-max, inner, outer"},
    {"finger", LITHE_FIELD_MAPPING, .table = &finger_table,
     .about = "a pneumatic finger along x with a flat floor; its groups are x-min, x-max, z-min, "
              "inner, outer"},
    {"file", LITHE_FIELD_MAPPING, .table = &file_table,
     .about = "tetrahedra of a file; its groups are those of the file"},
    {"surface", LITHE_FIELD_MAPPING, .table = &surface_table,
     .about = "a closed surface, filled with tetrahedra"},
    {"tetrahedra", LITHE_FIELD_MAPPING, .table = &tetrahedra_table, .about = "given one by one"},
};
_Static_assert(sizeof mesh_fields / sizeof *mesh_fields == LITHE_SOLID_MESH_KINDS, "all kinds");
static const LitheTable mesh_table = TABLE("mesh", mesh_fields);

// --- solids --------------------------------------------------------------------------------------

static const LitheField solid_fields[] = {
    {"material", LITHE_FIELD_MATERIAL, REQUIRED, AT(LitheSolidDef, material),
     .about = "name of a material: young, poisson, density, damping, friction and contact"},
    {"law", LITHE_FIELD_WORD, AT(LitheSolidDef, law), .words = law_words,
     .preset = "corotated-lagged", .about = "elastic law"},
    QUANTITY("c1", PRESSURE, LitheSolidDef, c1, "from young and poisson",
             "C1 of a Mooney-Rivlin law, with c2 and bulk"),
    QUANTITY("c2", PRESSURE, LitheSolidDef, c2, "0", "C2 of a Mooney-Rivlin law"),
    QUANTITY("bulk", PRESSURE, LitheSolidDef, bulk, "from young and poisson",
             "bulk modulus of a Mooney-Rivlin law"),
    {"mesh", LITHE_FIELD_ONE_OF, ALWAYS, AT(LitheSolidDef, mesh), .table = &mesh_table,
     .preset = "none", .about = "tetrahedra: one of its kinds; required unless surface is given"},
    {"surface", LITHE_FIELD_FILE, SHORTHAND, AT(LitheSolidDef, mesh.path), .preset = "none",
     .about =
         "instead of mesh: .stl or .obj file of a closed surface, as in mesh: {surface: {path: "
         "..}}"},
    OTHER_NAME("resolution", LENGTH, LitheSolidDef, mesh.resolution,
               "with surface: size of the tetrahedra that fill it"),
    {"quadratic", LITHE_FIELD_WORD, AT(LitheSolidDef, quadratic), .words = quadratic_words,
     .preset = "auto",
     .about =
         "whether elements have ten nodes in place of four; auto: boxes and other simple bodies "
         "with a resolution get ten, and edges twice as long, so that it is the distance of "
         "their nodes; walls thinner than it and other meshes get four, or what their file has"},
    {"mass", LITHE_FIELD_WORD, AT(LitheSolidDef, mass), .words = mass_words, .preset = "lumped",
     .about = "distribution of the mass: to the nodes, or by the shape functions"},
    {"volume", LITHE_FIELD_WORD, AT(LitheSolidDef, volume), .words = volume_words, .preset = "auto",
     .about =
         "volume that the law resists to change: of each element (plain), or the mean of a few "
         "neighbouring ones, which does not lock; auto: mean where poisson > 0.45"},
    {"rest", LITHE_FIELD_WORD, AT(LitheSolidDef, rest), .words = rest_words, .preset = "built",
     .about = "what the mesh shows: the shape without stress, or the shape in balance under "
              "gravity, forces and pressures at the start, from which that at rest is computed"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheSolidDef, at), .preset = "[0, 0, 0]",
     .about = "position of the origin of the mesh"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheSolidDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation about that origin"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheSolidDef, velocity),
     .preset = "[0, 0, 0]", .about = "initial velocity of every node"},
    {"spin", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheSolidDef, angular_velocity),
     .preset = "[0, 0, 0]", .about = "initial rigid rotation about the centre of mass"},
    {"plane-strain", LITHE_FIELD_WORD, AT(LitheSolidDef, plane_strain), .words = axis_words,
     .preset = "none", .about = "axis along which no node moves"},
    {"acceleration", LITHE_FIELD_VECTOR, LITHE_WANT_ACCELERATION, AT(LitheSolidDef, acceleration),
     .preset = "[0, 0, 0]", .about = "force per mass on all of it, in addition to gravity"},
    {"acceleration-profile", LITHE_FIELD_PROFILE, LITHE_WANT_NUMBER,
     AT(LitheSolidDef, acceleration_profile), .table = &lithe_profile_table, .preset = "1",
     .about = "factor on it over time"},
    {"group", LITHE_FIELD_BITS, AT(LitheSolidDef, group), .preset = "1",
     .about = "groups it is in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheSolidDef, mask), .preset = "all",
     .about = "groups it touches"},
    {"self-contact", LITHE_FIELD_FLAG, AT(LitheSolidDef, self_contact), .preset = "false",
     .about = "whether its surface touches itself"},
    {"fine", LITHE_FIELD_FLAG, AT(LitheSolidDef, fine), .preset = "false",
     .about = "with surface: whether that surface is drawn, carried by the tetrahedra, in place of "
              "theirs"},
    {"fine-contact", LITHE_FIELD_FLAG, AT(LitheSolidDef, fine_contact), .preset = "false",
     .about = "with fine: whether that surface touches other things, in place of that of the "
              "tetrahedra"},
    {"face-contact", LITHE_FIELD_FLAG, AT(LitheSolidDef, face_contact), .preset = "true",
     .about = "whether faces of quadratic elements touch shapes of bodies with their middles, too; "
              "false: with their nodes alone"},
    REPEAT,
};
const LitheTable lithe_solid_table = TABLE("solid", solid_fields);
