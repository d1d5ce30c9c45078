// SPDX-License-Identifier: Apache-2.0
// scene/fields_particles.c - the tables of keys of particles, sets and regions

#include "scene/field_rows.h"
#include "scene/fields.h"

// --- regions -------------------------------------------------------------------------------------

#define ENDS(first, last) \
    {"from",   LITHE_FIELD_VECTOR,    LITHE_WANT_LENGTH, \
     REQUIRED, AT(LitheRegionDef, a), .about = first}, \
    { \
        "to", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, b), \
            .about = last \
    }

static const LitheField box_fields[] = {
    ENDS("corner with the smallest x, y and z", "corner with the largest x, y and z"),
};
static const LitheTable region_box_table = TABLE("region box", box_fields);

static const LitheField cylinder_fields[] = {
    ENDS("one end of its axis", "the other end of its axis"),
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, size),
     .about = "radius about the axis"},
};
static const LitheTable region_cylinder_table = TABLE("region cylinder", cylinder_fields);

static const LitheField sphere_fields[] = {
    {"centre", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, a),
     .about = "centre of the sphere"},
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, size),
     .about = "radius of the sphere"},
};
static const LitheTable region_sphere_table = TABLE("region sphere", sphere_fields);

static const LitheField plane_fields[] = {
    {"point", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, a),
     .about = "a point of the plane"},
    {"normal", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, REQUIRED, AT(LitheRegionDef, b),
     .about = "normal of the plane"},
    {"thickness", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheRegionDef, size),
     .about = "thickness of the layer, half on each side of the plane"},
};
static const LitheTable region_plane_table = TABLE("region plane", plane_fields);

// --- particles -----------------------------------------------------------------------------------

static const LitheField fill_fields[] = {
    {"box", LITHE_FIELD_MAPPING, AT(LitheFillDef, region), .table = &region_box_table,
     .preset = "none", .about = "fills a box along the axes"},
    {"cylinder", LITHE_FIELD_MAPPING, AT(LitheFillDef, region), .table = &region_cylinder_table,
     .preset = "none", .about = "instead of box: fills a cylinder"},
    QUANTITY("spacing", LENGTH, LitheFillDef, spacing, "2.02 radius",
             "distance between the centres of neighbours; at least 2 radius"),
    QUANTITY("jitter", NUMBER, LitheFillDef, jitter, "0",
             "0 to 1: fraction of the gap between neighbours by which they are displaced at "
             "random"),
    {"seed", LITHE_FIELD_INTEGER, AT(LitheFillDef, seed), .preset = "0",
     .about = "random seed of the jitter: equal seeds give equal positions"},
    {"count", LITHE_FIELD_INTEGER, AT(LitheFillDef, count), .preset = "all that fit",
     .about = "max number, from the lowest layer up"},
};
static const LitheTable fill_table = TABLE("fill", fill_fields);

static const LitheField particles_fields[] = {
    {"material", LITHE_FIELD_MATERIAL, AT(LitheParticlesDef, material),
     .preset = "none, which needs mass or masses",
     .about = "name of a material: density, friction and contact"},
    QUANTITY("radius", LENGTH, LitheParticlesDef, radius, "required, unless there are radii",
             "radius of each particle"),
    DIAMETER(LitheParticlesDef, radius),
    {"radii", LITHE_FIELD_LIST, LITHE_WANT_LENGTH, AT(LitheParticlesDef, radii),
     ALSO(LitheParticlesEntry, radii_count), .preset = "none",
     .about = "instead of radius: one for each particle"},
    QUANTITY("mass", MASS, LitheParticlesDef, mass, "density times the volume of the ball",
             "mass of each particle"),
    {"masses", LITHE_FIELD_LIST, LITHE_WANT_MASS, AT(LitheParticlesDef, masses),
     ALSO(LitheParticlesEntry, masses_count), .preset = "none",
     .about = "instead of mass: one for each particle"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, SHORTHAND, AT(LitheParticlesEntry, at),
     .preset = "none", .about = "centre of a single particle"},
    {"positions", LITHE_FIELD_POINTS, LITHE_WANT_LENGTH, AT(LitheParticlesDef, positions),
     ALSO(LitheParticlesDef, count), .preset = "none",
     .about = "instead of at: list of centres [x, y, z]"},
    {"file", LITHE_FIELD_FILE, SHORTHAND, AT(LitheParticlesEntry, path), .preset = "none",
     .about = "instead of positions: text file with x y z in metres on each line, relative to the "
              "scene file"},
    {"fill", LITHE_FIELD_MAPPING, SHORTHAND, AT(LitheParticlesEntry, fill), .table = &fill_table,
     .preset = "none", .about = "instead of positions: as many as fit into a region"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheParticlesDef, velocity),
     .preset = "[0, 0, 0]", .about = "initial velocity of each"},
    {"group", LITHE_FIELD_BITS, AT(LitheParticlesDef, group), .preset = "1",
     .about = "groups they are in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheParticlesDef, mask), .preset = "all",
     .about = "groups they touch"},
    {"self-contact", LITHE_FIELD_FLAG, AT(LitheParticlesDef, self_contact), .preset = "true",
     .about = "whether they touch each other"},
    REPEAT,
};
const LitheTable lithe_particles_table = TABLE("particles", particles_fields);

// --- sets ----------------------------------------------------------------------------------------

// in the order of LitheSetWhat
static const char *const what_words[] = {"vertices", "edges", "faces", NULL};

// the keys that select members come last, in the order of LitheRegionKind
static const LitheField set_fields[] = {
    {"of", LITHE_FIELD_THING, REQUIRED, AT(LitheSetDef, of),
     .about = "name of a rod, particles or a solid"},
    {"what", LITHE_FIELD_WORD, AT(LitheSetDef, what), .words = what_words, .preset = "vertices",
     .about = "elements of the set: vertices (nodes of rods and solids, particles) or edges of "
              "rods; faces are not supported"},
    REPEAT,
    {"list", LITHE_FIELD_INDICES, AT(LitheSetDef, list), ALSO(LitheSetDef, count), .preset = "none",
     .about = "0-based indices of the members; negative ones count from the end"},
    {"box", LITHE_FIELD_MAPPING, AT(LitheSetDef, region), .table = &region_box_table,
     .preset = "none", .about = "instead of list: those in a box along the axes"},
    {"sphere", LITHE_FIELD_MAPPING, AT(LitheSetDef, region), .table = &region_sphere_table,
     .preset = "none", .about = "instead of list: those in a sphere"},
    {"plane", LITHE_FIELD_MAPPING, AT(LitheSetDef, region), .table = &region_plane_table,
     .preset = "none", .about = "instead of list: those near a plane"},
    {"cylinder", LITHE_FIELD_MAPPING, AT(LitheSetDef, region), .table = &region_cylinder_table,
     .preset = "none", .about = "instead of list: those in a cylinder"},
};
const LitheTable lithe_set_table = TABLE("set", set_fields);
