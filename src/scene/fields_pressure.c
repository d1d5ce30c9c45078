// SPDX-License-Identifier: Apache-2.0
// scene/fields_pressure.c - the tables of keys of pressures, cavities, swells and pressure fields

#include "scene/field_rows.h"
#include "scene/fields.h"

static const LitheField pressure_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LithePressureDef, place),
     .about =
         "group of a solid, or the name of a set of its nodes: the faces with all nodes in it"},
    {"pressure", LITHE_FIELD_PROFILE, LITHE_WANT_PRESSURE, AT(LithePressureDef, pressure),
     .table = &lithe_profile_table, .preset = "0",
     .about = "force per area, against the outward normal of the deformed surface"},
    REPEAT,
};
const LitheTable lithe_pressure_table = TABLE("pressure", pressure_fields);

static const LitheField cavity_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheCavityDef, place),
     .about = "group of a solid, or the name of a set of its nodes: the faces with all nodes in "
              "it, which must be closed"},
    {"pressure", LITHE_FIELD_PROFILE, LITHE_WANT_PRESSURE, AT(LitheCavityDef, pressure),
     .table = &lithe_profile_table, .preset = "0", .about = "pressure inside above that outside"},
    {"gas", LITHE_FIELD_PROFILE, LITHE_WANT_PRESSURE, AT(LitheCavityDef, gas),
     .table = &lithe_profile_table, .preset = "none",
     .about = "instead of pressure: a gas, by the absolute pressure that it has at the volume of "
              "the start; a rise over time pumps gas in"},
    QUANTITY("outside", PRESSURE, LitheCavityDef, outside, "101.325 kPa",
             "absolute pressure outside of a gas"),
    QUANTITY("exponent", NUMBER, LitheCavityDef, exponent, "1",
             "of a gas: pressure times volume^exponent is constant; 1 at constant temperature, 1.4 "
             "for fast changes of air"),
    REPEAT,
};
const LitheTable lithe_cavity_table = TABLE("cavity", cavity_fields);

static const LitheField swell_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheSwellDef, place),
     .about = "name of a solid, a group of it, or a set of its nodes: the elements with all nodes "
              "in it"},
    {"factor", LITHE_FIELD_PROFILE, LITHE_WANT_NUMBER, AT(LitheSwellDef, factor),
     .table = &lithe_profile_table, .preset = "1",
     .about = "natural length over that of the mesh, over time"},
    {"along", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheSwellDef, along),
     .preset = "[0, 0, 0]",
     .about = "direction of a muscle, in the frame of the mesh; zero: all directions"},
    REPEAT,
};
const LitheTable lithe_swell_table = TABLE("swell", swell_fields);

// --- pressure fields of materials ----------------------------------------------------------------

static const char *const auto_words[] = {"auto", NULL};

static const LitheField material_patch_fields[] = {
    QUANTITY("modulus", PRESSURE, LitheMaterialDef, patch_modulus, "none: rigid in patches",
             "pressure at full depth: on the axis, at the centre or on the medial surface"),
    QUANTITY("dissipation", DISSIPATION, LitheMaterialDef, patch_dissipation, "10 s/m",
             "loss after Hunt and Crossley, as that of contacts at points"),
    {"sectors", LITHE_FIELD_INTEGER, AT(LitheMaterialDef, patch_sectors), .words = auto_words,
     .preset = "auto: 32", .about = "sectors of circles, 8 to 512"},
};
const LitheTable lithe_material_patch_table = TABLE("material patches", material_patch_fields);
