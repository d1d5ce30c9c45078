// SPDX-License-Identifier: Apache-2.0
// scene/fields_solid.c - the tables of keys of soft solids and their meshes

#include "scene/field_rows.h"

// reader and writer of LITHE_FIELD_ONE_OF expect `kind` as the first member
_Static_assert(offsetof(LitheSolidMeshDef, kind) == 0, "the kind is the first member");

// in the order of LitheSolidLawKind
static const char *const law_words[] = {
    "corotated-lagged",        "corotated", "neo-hookean", "mooney-rivlin",
    "mooney-rivlin-isochoric", NULL};
_Static_assert(sizeof law_words / sizeof *law_words == LITHE_SOLID_LAW_KINDS + 1, "all laws");
static const char *const volume_words[] = {"auto", "plain", "mean", NULL};
static const char *const mass_words[] = {"lumped", "consistent", NULL};

// --- meshes --------------------------------------------------------------------------------------

static const LitheField box_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSolidMeshDef, size),
     .about = "full edges along x, y and z, centred"},
    {"divisions", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, REQUIRED, AT(LitheSolidMeshDef, divisions),
     .about = "cells along x, y and z; a cell has five tetrahedra"},
};
static const LitheTable box_table = TABLE("mesh box", box_fields);

// in the order of LitheSolidMeshKind
static const LitheField mesh_fields[] = {
    {"box", LITHE_FIELD_MAPPING, .table = &box_table,
     .about = "a box; its groups are the faces x-min, x-max, y-min, y-max, z-min, z-max"},
};
static const LitheTable mesh_table = TABLE("mesh", mesh_fields);

// --- solids --------------------------------------------------------------------------------------

static const LitheField solid_fields[] = {
    {"material", LITHE_FIELD_MATERIAL, REQUIRED, AT(LitheSolidDef, material),
     .about = "name of a material: young, poisson, density, damping, friction and contact"},
    {"law", LITHE_FIELD_WORD, AT(LitheSolidDef, law), .words = law_words, .preset = "corotated-lagged",
     .about = "elastic law"},
    QUANTITY("c1", PRESSURE, LitheSolidDef, c1, "from young and poisson",
             "C1 of a Mooney-Rivlin law, with c2 and bulk"),
    QUANTITY("c2", PRESSURE, LitheSolidDef, c2, "0", "C2 of a Mooney-Rivlin law"),
    QUANTITY("bulk", PRESSURE, LitheSolidDef, bulk, "from young and poisson",
             "bulk modulus of a Mooney-Rivlin law"),
    {"mesh", LITHE_FIELD_ONE_OF, REQUIRED, AT(LitheSolidDef, mesh), .table = &mesh_table,
     .about = "tetrahedra: one of its kinds"},
    {"quadratic", LITHE_FIELD_FLAG, AT(LitheSolidDef, quadratic), .preset = "false",
     .about = "whether elements have ten nodes in place of four"},
    {"mass", LITHE_FIELD_WORD, AT(LitheSolidDef, mass), .words = mass_words, .preset = "lumped",
     .about = "distribution of the mass: to the nodes, or by the shape functions"},
    {"volume", LITHE_FIELD_WORD, AT(LitheSolidDef, volume), .words = volume_words, .preset = "auto",
     .about =
         "volume that the law resists to change: of each element (plain), or the mean of a few "
         "neighbouring ones, which does not lock; auto: mean where poisson > 0.45"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheSolidDef, at), .preset = "[0, 0, 0]",
     .about = "position of the origin of the mesh"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheSolidDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation about that origin"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheSolidDef, velocity),
     .preset = "[0, 0, 0]", .about = "initial velocity of every node"},
    {"spin", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheSolidDef, angular_velocity),
     .preset = "[0, 0, 0]", .about = "initial rigid rotation about the centre of mass"},
    {"group", LITHE_FIELD_BITS, AT(LitheSolidDef, group), .preset = "1",
     .about = "groups it is in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheSolidDef, mask), .preset = "all",
     .about = "groups it touches"},
    REPEAT,
};
const LitheTable lithe_solid_table = TABLE("solid", solid_fields);
