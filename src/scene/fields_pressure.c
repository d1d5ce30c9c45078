// SPDX-License-Identifier: Apache-2.0
// scene/fields_pressure.c - the table of keys of pressures

#include "scene/field_rows.h"

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
