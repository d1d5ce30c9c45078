// SPDX-License-Identifier: Apache-2.0
// scene/fields_fibre.c - the table of keys of fibres

#include "scene/field_rows.h"
#include "scene/fields.h"

static const LitheField fibre_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheFibreDef, place),
     .about = "name of a solid, a group of it, or a set of its nodes: the elements with all nodes "
              "in it; with thickness or diameter the faces of the surface with all nodes in it"},
    {"modulus", LITHE_FIELD_QUANTITY, LITHE_WANT_PRESSURE, REQUIRED, AT(LitheFibreDef, modulus),
     .about = "Young's modulus of a fibre"},
    QUANTITY(
        "fraction", NUMBER, LitheFibreDef, fraction, "1",
        "volume of the fibres over that of the elements, of all families at most 1; of faces over "
        "that of the layer of each family"),
    {"thickness", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, .flags = LITHE_FIELD_ABOVE_ZERO,
     AT(LitheFibreDef, thickness), .preset = "none",
     .about = "of a layer on the faces; without it and diameter, fibres fill elements"},
    {"diameter", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, .flags = LITHE_FIELD_ABOVE_ZERO,
     AT(LitheFibreDef, diameter), .preset = "none",
     .about = "of threads on the faces, instead of fraction and thickness"},
    {"spacing", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, .flags = LITHE_FIELD_ABOVE_ZERO,
     AT(LitheFibreDef, spacing), .preset = "none",
     .about = "with diameter: distance of neighbouring threads of a family, across them"},
    {"along", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheFibreDef, along),
     .preset = "[0, 0, 0]",
     .about = "direction in the frame of the mesh; on faces its part in them"},
    {"axis", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheFibreDef, axis), .preset = "[0, 0, 0]",
     .about = "instead of along: axis that they wind about, in the frame of the mesh"},
    {"centre", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheFibreDef, centre),
     .preset = "[0, 0, 0]",
     .about = "with axis, in elements: a point of the axis, in the frame of the mesh"},
    QUANTITY("angle", ANGLE, LitheFibreDef, angle, "0",
             "between axis and fibres, -90 to 90 deg; positive: right-handed helices"),
    {"crossed", LITHE_FIELD_FLAG, AT(LitheFibreDef, crossed), .preset = "false",
     .about = "whether a second family has the opposite angle"},
    {"slack", LITHE_FIELD_FLAG, AT(LitheFibreDef, slack), .preset = "false",
     .about = "whether they carry no compression, as threads do"},
    REPEAT,
};
const LitheTable lithe_fibre_table = TABLE("fibre", fibre_fields);
