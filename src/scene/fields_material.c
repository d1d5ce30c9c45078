// SPDX-License-Identifier: Apache-2.0
// scene/fields_material.c - the keys of materials, of pairs of materials and of sections of rods

#include "scene/field_rows.h"
#include "scene/fields.h"

#include "lithe/library.h"

// reader and writer of LITHE_FIELD_ONE_OF expect `kind` as the first member
_Static_assert(offsetof(LitheSectionDef, kind) == 0, "the kind is the first member");

static const char *const auto_words[] = {"auto", NULL};

static const LitheField material_damping_fields[] = {
    QUANTITY("mass", RATE, LitheMaterialDef, damping_mass, "0",
             "Rayleigh damping proportional to the mass"),
    QUANTITY("stiffness", TIME, LitheMaterialDef, damping_stiffness, "0",
             "Rayleigh damping proportional to the stiffness"),
};
static const LitheTable material_damping_table = TABLE("damping", material_damping_fields);

static const LitheField material_contact_fields[] = {
    {"stiffness", LITHE_FIELD_QUANTITY, LITHE_WANT_STIFFNESS,
     AT(LitheMaterialDef, contact_stiffness), .words = auto_words,
     .preset = "auto: from modulus, size and weight",
     .about = "force per overlap of a point contact"},
    QUANTITY("dissipation", DISSIPATION, LitheMaterialDef, contact_dissipation, "10 s/m",
             "loss in a contact after Hunt and Crossley: force grows by it times the speed of "
             "approach"),
    {"patches", LITHE_FIELD_MAPPING, .table = &lithe_material_patch_table, .preset = "none",
     .about = "a pressure field: contact over areas"},
};
static const LitheTable material_contact_table = TABLE("material contact", material_contact_fields);

static const LitheField material_fields[] = {
    {"from", LITHE_FIELD_LIBRARY, SHORTHAND, .also = LITHE_LIBRARY_MATERIAL, .preset = "none",
     .about = "name in the library of materials, whose published values are taken; keys beside it "
              "replace them"},
    {"young", LITHE_FIELD_QUANTITY, LITHE_WANT_PRESSURE, REQUIRED, AT(LitheMaterialDef, young),
     .about = "Young's modulus"},
    OTHER_NAME("E", PRESSURE, LitheMaterialDef, young, "another name of young"),
    QUANTITY("poisson", NUMBER, LitheMaterialDef, poisson, "0.5",
             "Poisson's ratio, > -1 and <= 0.5"),
    OTHER_NAME("nu", NUMBER, LitheMaterialDef, poisson, "another name of poisson"),
    QUANTITY("shear", PRESSURE, LitheMaterialDef, shear, "young/(2 (1 + poisson))",
             "shear modulus, where it does not follow from Poisson's ratio"),
    {"density", LITHE_FIELD_QUANTITY, LITHE_WANT_DENSITY, REQUIRED, AT(LitheMaterialDef, density),
     .about = "mass per volume"},
    OTHER_NAME("rho", DENSITY, LitheMaterialDef, density, "another name of density"),
    {"damping", LITHE_FIELD_MAPPING, .table = &material_damping_table, .preset = "none",
     .about = "internal damping"},
    QUANTITY("friction", NUMBER, LitheMaterialDef, friction, "0.5",
             "Coulomb's coefficient of friction"),
    OTHER_NAME("mu", NUMBER, LitheMaterialDef, friction, "another name of friction"),
    QUANTITY("torsional-friction", LENGTH, LitheMaterialDef, torsional_friction, "0",
             "torsional friction: max moment about the normal per normal force"),
    QUANTITY("rolling-friction", LENGTH, LitheMaterialDef, rolling_friction, "0",
             "rolling friction: max moment against rolling per normal force"),
    {"contact", LITHE_FIELD_MAPPING, .table = &material_contact_table, .preset = "as below",
     .about = "contact stiffness and dissipation"},
    QUANTITY("yield", PRESSURE, LitheMaterialDef, yield, "none",
             "von Mises stress above which a run warns of a rod"),
    QUANTITY("strain-limit", NUMBER, LitheMaterialDef, strain_limit, "none: 0.2",
             "largest strain above which a run warns of a rod"),
};
const LitheTable lithe_material_table = TABLE("material", material_fields);

static const LitheField material_pair_fields[] = {
    {"a", LITHE_FIELD_MATERIAL, REQUIRED, AT(LitheMaterialPairDef, a),
     .about = "name of a material"},
    {"b", LITHE_FIELD_MATERIAL, REQUIRED, AT(LitheMaterialPairDef, b),
     .about = "name of the other one, or of the same"},
    QUANTITY("friction", NUMBER, LitheMaterialPairDef, friction, "of the materials",
             "Coulomb's coefficient of friction"),
    QUANTITY("stiffness", STIFFNESS, LitheMaterialPairDef, stiffness, "of the materials",
             "force over depth of a point contact"),
    QUANTITY("dissipation", DISSIPATION, LitheMaterialPairDef, dissipation, "of the materials",
             "loss in a contact after Hunt and Crossley"),
    QUANTITY("torsional-friction", LENGTH, LitheMaterialPairDef, torsional_friction,
             "of the materials", "moment against spinning about the normal, over the normal force"),
    QUANTITY("rolling-friction", LENGTH, LitheMaterialPairDef, rolling_friction, "of the materials",
             "moment against rolling, over the normal force"),
};
const LitheTable lithe_material_pair_table = TABLE("material pair", material_pair_fields);

static const LitheField circle_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSectionDef, radius),
     .about = "radius of the rod"},
    DIAMETER(LitheSectionDef, radius),
};
static const LitheTable circle_table = TABLE("section circle", circle_fields);

static const LitheField rectangle_fields[] = {
    {"width", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSectionDef, width),
     .about = "full size along the director m1"},
    {"height", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSectionDef, height),
     .about = "full size along the director m2"},
};
static const LitheTable rectangle_table = TABLE("section rectangle", rectangle_fields);
static const LitheTable ellipse_table = TABLE("section ellipse", rectangle_fields);

static const LitheField section_damping_fields[] = {
    QUANTITY("mass", RATE, LitheSectionDef, damping_mass, "0",
             "Rayleigh damping proportional to the mass"),
    QUANTITY("stiffness", TIME, LitheSectionDef, damping_stiffness, "0",
             "Rayleigh damping proportional to the stiffness"),
};
static const LitheTable section_damping_table = TABLE("damping", section_damping_fields);

static const LitheField stiffness_fields[] = {
    {"from", LITHE_FIELD_LIBRARY, SHORTHAND, .also = LITHE_LIBRARY_LINE, .preset = "none",
     .about =
         "name of a rope, cable or hose in the library, whose published values are taken; keys "
         "beside it replace them"},
    {"EA", LITHE_FIELD_QUANTITY, LITHE_WANT_FORCE, REQUIRED, AT(LitheSectionDef, EA),
     .about = "stretching stiffness"},
    {"EI", LITHE_FIELD_TWICE, LITHE_WANT_BENDING_STIFFNESS, SHORTHAND, AT(LitheSectionDef, EI1),
     ALSO(LitheSectionDef, EI2), .preset = "0", .about = "bending stiffness in both directions"},
    QUANTITY("EI1", BENDING_STIFFNESS, LitheSectionDef, EI1, "0",
             "bending stiffness towards the director m1"),
    QUANTITY("EI2", BENDING_STIFFNESS, LitheSectionDef, EI2, "0",
             "bending stiffness towards the director m2"),
    QUANTITY("GJ", BENDING_STIFFNESS, LitheSectionDef, GJ, "2/3 of the smaller EI",
             "twisting stiffness; 0: none is given"),
    {"mass-per-length", LITHE_FIELD_QUANTITY, LITHE_WANT_MASS_PER_LENGTH, REQUIRED,
     AT(LitheSectionDef, mass_per_length), .about = "mass per length"},
    QUANTITY("spin-per-length", INERTIA_PER_LENGTH, LitheSectionDef, spin_per_length,
             "mass-per-length radius^2/2", "rotary inertia about the tangent, per length"),
    {"rotary-inertia-per-length", LITHE_FIELD_QUANTITY, LITHE_WANT_INERTIA_PER_LENGTH, SHORTHAND,
     AT(LitheSectionDef, rotary_inertia_per_length), .preset = "mass-per-length radius^2/2",
     .about = "another name of spin-per-length"},
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheSectionDef, radius),
     .about = "radius for drawing and contact"},
    {"damping", LITHE_FIELD_MAPPING, .table = &section_damping_table, .preset = "none",
     .about = "internal damping, as in a material"},
    QUANTITY("strength", FORCE, LitheSectionDef, strength, "none",
             "tension above which a run warns of the rod"),
    QUANTITY("strain-limit", NUMBER, LitheSectionDef, strain_limit, "none: 0.2",
             "stretch of the axis above which a run warns of the rod"),
};
static const LitheTable stiffness_table = TABLE("section stiffness", stiffness_fields);

// in the order of LitheSectionKind
static const LitheField section_fields[] = {
    {"circle", LITHE_FIELD_MAPPING, .table = &circle_table, .about = "a round section"},
    {"rectangle", LITHE_FIELD_MAPPING, .table = &rectangle_table, .about = "a rectangular section"},
    {"ellipse", LITHE_FIELD_MAPPING, .table = &ellipse_table, .about = "an elliptic section"},
    {"stiffness", LITHE_FIELD_MAPPING, .table = &stiffness_table,
     .about = "measured stiffnesses and mass instead of a material and a shape"},
};
const LitheTable lithe_section_table = TABLE("section", section_fields);
