// SPDX-License-Identifier: Apache-2.0
// scene/fields.c - the tables of keys of scene files

#include "scene/fields.h"
#include "scene/field_rows.h"

#include <string.h>

// reader and writer of LITHE_FIELD_ONE_OF expect `kind` as the first member
_Static_assert(offsetof(LitheShapeDef, kind) == 0, "the kind is the first member");

const char *const lithe_hold_words[] = {"position", "clamp", "twist", "x", "y", "z", NULL};
const uint32_t lithe_hold_word_bits[] = {LITHE_HOLD_POSITION, LITHE_HOLD_CLAMP, LITHE_HOLD_TWIST,
                                         LITHE_HOLD_X,        LITHE_HOLD_Y,     LITHE_HOLD_Z};
const char *const lithe_clamped_words[] = {"none", "start", "end", "both", NULL};

static const char *const topology_words[] = {"auto", "always", "never", NULL};
static const char *const follow_words[] = {"loads", "arc-length", NULL};
static const char *const start_words[] = {"as-built", "equilibrium", NULL};
const char *const lithe_natural_words[] = {"straight", "shape", NULL};
static const char *const drive_words[] = {"position", "twist", "clamp", NULL};
static const char *const profile_words[] = {"linear", "smooth", "hold", NULL};

const LitheField *lithe_field_find(const LitheTable *table, const char *key) {
    for (int32_t i = 0; i < table->count; i++)
        if (strcmp(table->fields[i].key, key) == 0)
            return &table->fields[i];
    return NULL;
}

// --- time and recording --------------------------------------------------------------------------

static const char *const auto_words[] = {"auto", NULL};

static const LitheField adaptive_fields[] = {
    {"min", LITHE_FIELD_QUANTITY, LITHE_WANT_TIME, REQUIRED, AT(LitheTimeDef, min_step),
     .about = "min step; where a smaller one would be needed, the run stops and keeps its "
              "state"},
    {"max", LITHE_FIELD_QUANTITY, LITHE_WANT_TIME, REQUIRED, AT(LitheTimeDef, step),
     .about = "max step; all others are this one divided by powers of 2"},
    {"tolerance", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheTimeDef, step_tolerance),
     .words = auto_words, .preset = "auto",
     .about = "allowed error of positions per step; auto: 1/14 of an edge of a rod, 1/67 "
              "of its half thickness for the gaps of contacts"},
};
static const LitheTable adaptive_table = TABLE("adaptive", adaptive_fields);

static const LitheField step_fields[] = {
    {"adaptive", LITHE_FIELD_MAPPING, REQUIRED, .table = &adaptive_table,
     .about = "as long as errors, contacts, effort and events allow"},
};
static const LitheTable step_table = TABLE("step", step_fields);

static const LitheField time_fields[] = {
    {"step", LITHE_FIELD_STEP, LITHE_WANT_TIME, AT(LitheTimeDef, step),
     ALSO(LitheTimeDef, min_step), .table = &step_table, .preset = "1 ms",
     .about = "time step: fixed, or adaptive"},
    QUANTITY("end", TIME, LitheTimeDef, end, "1 s", "time at which the run ends"),
    {"scheme", LITHE_FIELD_WORD, AT(LitheTimeDef, scheme), .words = lithe_scheme_words,
     .preset = "auto",
     .about = "integrator: backward-euler is robust and damps fast motion, midpoint keeps "
              "momentum, symplectic-euler is explicit, static finds an equilibrium each step, "
              "tr-bdf2 is of second order and damps only motion that the step does not resolve; "
              "linearly-implicit, semi-implicit-euler and rk23 are those of the contact model "
              "lcp; "
              "auto: tr-bdf2; with contact patches and rods, the contact models imc and spt and "
              "the friction law sap backward-euler, with lcp linearly-implicit"},
    {"start", LITHE_FIELD_WORD, AT(LitheTimeDef, start), .words = start_words, .preset = "as-built",
     .about = "start as built, or from the equilibrium under the loads of t = 0"},
    QUANTITY("tolerance", NUMBER, LitheTimeDef, tolerance, "1e-9",
             "tolerance of the momentum residual, relative to the terms in balance"),
    {"max-iterations", LITHE_FIELD_INTEGER, AT(LitheTimeDef, max_iterations), .preset = "50",
     .about = "max Newton iterations per step; a step that needs more counts as not converged"},
    {"max-unconverged", LITHE_FIELD_INTEGER, AT(LitheTimeDef, max_unconverged), .preset = "20",
     .about = "steps in a row that may fail to converge: then the run stops with exit code 3 and "
              "keeps its state; 0: any number"},
    QUANTITY("max-energy-gain", NUMBER, LitheTimeDef, max_energy_gain, "1",
             "energy that may come from nothing, relative to the largest energy so far: beyond, "
             "the run stops with exit code 3 and keeps its state; 0: any"),
    {"max-work", LITHE_FIELD_INTEGER, AT(LitheTimeDef, max_work), .preset = "100000",
     .about = "work of one step: its Newton iterations and line searches in all its parts, each "
              "weighted by the part of the velocities that it solves for, and pairs that are "
              "tested: beyond, the run stops with exit code 3, keeps its state and names what "
              "runs away; 0: any"},
    {"follow", LITHE_FIELD_WORD, AT(LitheTimeDef, follow), .words = follow_words, .preset = "loads",
     .about = "static steps advance the loads, or go by arc-length along the path of equilibria, "
              "through limit points; static.load_time is the time of the loads"},
    {"arc", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheTimeDef, arc), .words = auto_words,
     .preset = "auto", .about = "arc length of a step; auto: first the loads advance by `step`"},
};
static const LitheTable time_table = TABLE("time", time_fields);

static const LitheField record_fields[] = {
    QUANTITY("every", TIME, LitheRecordDef, every, "10 ms",
             "time between recorded frames; 0 records every step"),
    {"also", LITHE_FIELD_TEXTS, AT(LitheRecordDef, also), ALSO(LitheRecordDef, also_count),
     .preset = "none", .about = "further quantities to record, as a list of NAME.QUANTITY"},
    {"topology", LITHE_FIELD_WORD, AT(LitheRecordDef, topology), .words = topology_words,
     .preset = "auto",
     .about = "knot determinants, linking numbers and writhe of rods at every frame; auto: of rods "
              "of up to 1000 edges, where things can touch"},
};
static const LitheTable record_table = TABLE("record", record_fields);

// --- profiles ------------------------------------------------------------------------------------

static const LitheField profile_fields[] = {
    QUANTITY("value", VALUE, LitheProfileDef, value, "0", "constant value, in place of a table"),
    {"table", LITHE_FIELD_SAMPLES, LITHE_WANT_VALUE, .preset = "none",
     .about = "points [time, value], times increasing; constant before the first and after the "
              "last"},
    {"kind", LITHE_FIELD_WORD, AT(LitheProfileDef, kind), .words = profile_words,
     .preset = "linear",
     .about = "interpolation between points: linear, eased in and out, or piecewise constant"},
    QUANTITY("rate", VALUE_RATE, LitheProfileDef, rate, "0", "adds rate times t"),
    QUANTITY("amplitude", VALUE, LitheProfileDef, amplitude, "0",
             "adds amplitude sin(2 pi frequency t + phase)"),
    QUANTITY("frequency", FREQUENCY, LitheProfileDef, frequency, "0",
             "frequency of the oscillation"),
    QUANTITY("phase", ANGLE, LitheProfileDef, phase, "0", "phase of the oscillation"),
};
const LitheTable lithe_profile_table = TABLE("profile", profile_fields);

// --- shapes --------------------------------------------------------------------------------------

static const LitheField rotate_fields[] = {
    {"axis", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, REQUIRED, AT(LitheRotateDef, axis),
     .about = "axis through the origin"},
    {"angle", LITHE_FIELD_QUANTITY, LITHE_WANT_ANGLE, REQUIRED, AT(LitheRotateDef, angle),
     .about = "angle of the rotation"},
};
const LitheTable lithe_rotate_table = TABLE("rotate", rotate_fields);

#define SHAPE_COMMON \
    {"rotate", \
     LITHE_FIELD_ROTATE, \
     LITHE_WANT_ANGLE, \
     AT(LitheShapeDef, rotate), \
     .table = &lithe_rotate_table, \
     .preset = "none", \
     .about = "then rotates the curve about the origin: axis and angle, or a rotation vector"}, \
    { \
        "at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheShapeDef, at), \
            .preset = "[0, 0, 0]", .about = "then moves the curve" \
    }

static const LitheField line_fields[] = {
    {"from", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheShapeDef, from), .preset = "[0, 0, 0]",
     .about = "first point"},
    {"to", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, to),
     .about = "last point"},
    SHAPE_COMMON,
};
static const LitheTable line_table = TABLE("shape line", line_fields);

static const LitheField arc_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, radius),
     .about = "radius of the arc"},
    {"angle", LITHE_FIELD_QUANTITY, LITHE_WANT_ANGLE, REQUIRED, AT(LitheShapeDef, angle),
     .about = "angle of the arc, which leaves the origin along x and bends towards z"},
    SHAPE_COMMON,
};
static const LitheTable arc_table = TABLE("shape arc", arc_fields);

static const LitheField ring_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, radius),
     .about = "radius of the ring, which is closed, lies in the x-y plane and has its centre in "
              "the origin"},
    SHAPE_COMMON,
};
static const LitheTable ring_table = TABLE("shape ring", ring_fields);

static const LitheField helix_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, radius),
     .about = "radius of the helix about the z axis"},
    {"pitch", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, pitch),
     .about = "rise per turn; negative for a left-handed helix"},
    {"turns", LITHE_FIELD_QUANTITY, LITHE_WANT_NUMBER, REQUIRED, AT(LitheShapeDef, turns),
     .about = "number of turns, a plain number"},
    SHAPE_COMMON,
};
static const LitheTable helix_table = TABLE("shape helix", helix_fields);

static const LitheField catenary_fields[] = {
    {"from", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, from),
     .about = "first point"},
    {"to", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, to),
     .about = "last point"},
    {"length", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, length),
     .about = "length of the rod, which hangs along -z between the points"},
    SHAPE_COMMON,
};
static const LitheTable catenary_table = TABLE("shape catenary", catenary_fields);

static const LitheField polyline_fields[] = {
    {"points", LITHE_FIELD_POINTS, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, points),
     ALSO(LitheShapeDef, point_count), .about = "list of points [x, y, z]"},
    {"closed", LITHE_FIELD_FLAG, AT(LitheShapeDef, closed), .preset = "false",
     .about = "whether the last point is joined to the first"},
    SHAPE_COMMON,
};
static const LitheTable polyline_table = TABLE("shape polyline", polyline_fields);
static const LitheTable spline_table = TABLE("shape spline", polyline_fields);

static const LitheField file_fields[] = {
    {"path", LITHE_FIELD_TEXT, REQUIRED, AT(LitheShapeDef, path),
     .about = "text file with x y z in metres on each line, relative to the scene file"},
    {"closed", LITHE_FIELD_FLAG, AT(LitheShapeDef, closed), .preset = "false",
     .about = "whether the last point is joined to the first"},
    SHAPE_COMMON,
};
static const LitheTable file_table = TABLE("shape file", file_fields);

static const LitheField knot_fields[] = {
    {"unknotting", LITHE_FIELD_INTEGER, REQUIRED, AT(LitheShapeDef, unknotting),
     .about = "unknotting number: 1 is the simple overhand knot"},
    {"length", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheShapeDef, length),
     .about = "length of the rod, whose ends point along -x and x"},
    SHAPE_COMMON,
};
static const LitheTable knot_table = TABLE("shape overhand-knot", knot_fields);

static const LitheField piece_fields[] = {
    QUANTITY("straight", LENGTH, LithePathPiece, straight, "0",
             "continues straight by this length"),
    {"turn", LITHE_FIELD_QUANTITY, LITHE_WANT_ANGLE, AT(LithePathPiece, turn), .preset = "0",
     .about =
         "instead of straight: turns by this angle, to the left if positive; can exceed a turn"},
    QUANTITY("radius", LENGTH, LithePathPiece, radius, "none, a turn needs it",
             "radius of the turn"),
    QUANTITY("climb", LENGTH, LithePathPiece, climb, "0", "rise of the piece along z"),
};
static const LitheTable piece_table = TABLE("piece", piece_fields);

static const LitheField walk_fields[] = {
    {"pieces", LITHE_FIELD_PIECES, REQUIRED, AT(LitheShapeDef, pieces),
     ALSO(LitheShapeDef, piece_count), .table = &piece_table,
     .about = "straight pieces and turns, each tangent to the one before; the first leaves the "
              "origin along x"},
    {"closed", LITHE_FIELD_FLAG, AT(LitheShapeDef, closed), .preset = "false",
     .about = "whether the rod is a loop: the pieces must then end where they begin, in the same "
              "direction"},
    SHAPE_COMMON,
};
static const LitheTable walk_table = TABLE("shape path", walk_fields);

// in the order of LitheShapeKind
static const LitheField shape_fields[] = {
    {"line", LITHE_FIELD_MAPPING, .table = &line_table, .about = "a straight line"},
    {"arc", LITHE_FIELD_MAPPING, .table = &arc_table, .about = "a part of a circle"},
    {"ring", LITHE_FIELD_MAPPING, .table = &ring_table, .about = "a closed circle"},
    {"helix", LITHE_FIELD_MAPPING, .table = &helix_table, .about = "a helix"},
    {"catenary", LITHE_FIELD_MAPPING, .table = &catenary_table, .about = "a hanging chain"},
    {"polyline", LITHE_FIELD_MAPPING, .table = &polyline_table, .about = "straight through points"},
    {"spline", LITHE_FIELD_MAPPING, .table = &spline_table, .about = "smooth through points"},
    {"file", LITHE_FIELD_MAPPING, .table = &file_table, .about = "a polyline from a point file"},
    {"overhand-knot", LITHE_FIELD_MAPPING, .table = &knot_table, .about = "a loose open knot"},
    {"path", LITHE_FIELD_MAPPING, .table = &walk_table,
     .about = "straight pieces and turns, one after the other"},
};
const LitheTable lithe_shape_table = TABLE("shape", shape_fields);

// --- rods ----------------------------------------------------------------------------------------

// keys that the natural state of a rod and a natural drive have in common
#define NATURAL_LISTS(Type) \
    {"node-curvature1", \
     LITHE_FIELD_LIST, \
     LITHE_WANT_CURVATURE, \
     AT(Type, node_curvature1), \
     ALSO(Type, node_value_count), \
     .preset = "none", \
     .about = "further curvature towards m1, a value per node"}, \
        {"node-curvature2", \
         LITHE_FIELD_LIST, \
         LITHE_WANT_CURVATURE, \
         AT(Type, node_curvature2), \
         ALSO(Type, node_value_count), \
         .preset = "none", \
         .about = "further curvature towards m2, a value per node"}, \
    { \
        "node-twist", LITHE_FIELD_LIST, LITHE_WANT_TWIST, AT(Type, node_twist), \
            ALSO(Type, node_value_count), .preset = "none", \
                                          .about = "further twist, a value per node" \
    }

static const LitheField natural_fields[] = {
    {"from", LITHE_FIELD_WORD, AT(LitheRodDef, natural), .words = lithe_natural_words,
     .preset = "straight", .about = "unstressed when straight, or in its initial shape"},
    {"curvature", LITHE_FIELD_PAIR, LITHE_WANT_CURVATURE, AT(LitheRodDef, natural_curvature1),
     ALSO(LitheRodDef, natural_curvature2), .preset = "[0, 0]",
     .about = "curvature added everywhere: towards m1, towards m2"},
    QUANTITY("twist", TWIST, LitheRodDef, natural_twist, "0", "twist added everywhere"),
    QUANTITY("stretch", NUMBER, LitheRodDef, natural_stretch, "1",
             "rest length over built length; 0.95 is a pretension of 5 %"),
    NATURAL_LISTS(LitheRodDef),
    {"edge-stretch", LITHE_FIELD_LIST, LITHE_WANT_NUMBER, AT(LitheRodDef, edge_stretch),
     ALSO(LitheRodDef, edge_value_count), .preset = "none",
     .about = "further factors on the rest lengths, a value per edge"},
};
static const LitheTable natural_table = TABLE("natural", natural_fields);

static const LitheField drag_fields[] = {
    QUANTITY("normal", VISCOSITY, LitheRodDef, drag_normal, "0", "across the rod"),
    QUANTITY("tangent", VISCOSITY, LitheRodDef, drag_tangent, "0", "along the rod"),
};
static const LitheTable drag_table = TABLE("drag", drag_fields);

static const LitheField rod_fields[] = {
    {"material", LITHE_FIELD_MATERIAL, AT(LitheRodDef, material),
     .preset = "none, which only section stiffness allows", .about = "name of a material"},
    {"section", LITHE_FIELD_ONE_OF, REQUIRED, AT(LitheRodDef, section),
     .table = &lithe_section_table, .about = "cross-section: one of its kinds"},
    {"shape", LITHE_FIELD_ONE_OF, REQUIRED, AT(LitheRodDef, shape), .table = &lithe_shape_table,
     .about = "initial curve: one of its kinds"},
    {"nodes", LITHE_FIELD_INTEGER, AT(LitheRodDef, nodes),
     .preset = "101; a polyline's or file's own points", .about = "number of nodes"},
    {"clamped", LITHE_FIELD_CLAMPED, AT(LitheRodDef, clamp_start), ALSO(LitheRodDef, clamp_end),
     .preset = "none", .about = "ends held with their direction: start, end, both or none"},
    {"director", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheRodDef, director),
     .preset = "chosen", .about = "m1 at the start, made perpendicular to the tangent"},
    QUANTITY("twist", ANGLE, LitheRodDef, twist, "0",
             "total twist of the rod at the start, distributed evenly"),
    {"natural", LITHE_FIELD_MAPPING, .table = &natural_table, .preset = "straight",
     .about = "the state without stress"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheRodDef, velocity),
     .preset = "[0, 0, 0]", .about = "initial velocity of every node"},
    {"spin", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheRodDef, spin),
     .preset = "[0, 0, 0]", .about = "initial rigid rotation about the centre of mass"},
    {"angular-velocity", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, SHORTHAND,
     AT(LitheRodDef, angular_velocity), .preset = "[0, 0, 0]", .about = "another name of spin"},
    {"drag", LITHE_FIELD_DRAG, LITHE_WANT_VISCOSITY, AT(LitheRodDef, drag_normal),
     ALSO(LitheRodDef, drag_tangent), .table = &drag_table, .preset = "0",
     .about = "viscous force per length and speed: one number, or normal and tangent"},
    {"group", LITHE_FIELD_BITS, AT(LitheRodDef, group), .preset = "1",
     .about = "groups it is in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheRodDef, mask), .preset = "all",
     .about = "groups it touches"},
    {"self-contact", LITHE_FIELD_FLAG, AT(LitheRodDef, self_contact), .preset = "true",
     .about = "whether it touches itself"},
    REPEAT,
};
static const LitheTable rod_table = TABLE("rod", rod_fields);

// --- holds, drives and loads ---------------------------------------------------------------------

static const LitheField hold_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheHoldDef, place),
     .about = "place on a rod, a particle, a node or group of a solid, or the name of a set"},
    {"hold", LITHE_FIELD_HOLD, AT(LitheHoldDef, bits), .preset = "position",
     .about = "what is held: position, clamp, twist, x, y, z, or a list of these; of particles and "
              "solids no clamp and no twist"},
    REPEAT,
};
static const LitheTable hold_table = TABLE("hold", hold_fields);

static const LitheField drive_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheDriveDef, place),
     .about = "place on a rod, or nodes of a solid"},
    {"kind", LITHE_FIELD_WORD, AT(LitheDriveDef, kind), .words = drive_words, .preset = "position",
     .about = "moves a node, rotates an edge about its tangent, or moves an edge or the nodes of a "
              "solid as a rigid body"},
    {"direction", LITHE_FIELD_DIRECTION, LITHE_WANT_NUMBER, AT(LitheDriveDef, direction),
     ALSO(LitheDriveDef, outward), .preset = "none",
     .about = "direction of the motion: a vector, or outward for away from the rod's other end"},
    {"motion", LITHE_FIELD_PROFILE, LITHE_WANT_LENGTH, AT(LitheDriveDef, motion),
     .table = &lithe_profile_table, .preset = "0", .about = "displacement along the direction"},
    {"speed", LITHE_FIELD_QUANTITY, LITHE_WANT_SPEED, SHORTHAND, AT(LitheDriveDef, motion.rate),
     .preset = "0", .about = "instead of motion: a constant speed"},
    {"axis", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, AT(LitheDriveDef, axis),
     .preset = "the tangent as built", .about = "axis of the rotation of a clamp"},
    {"turn", LITHE_FIELD_PROFILE, LITHE_WANT_ANGLE, AT(LitheDriveDef, turn),
     .table = &lithe_profile_table, .preset = "0", .about = "angle turned"},
    {"turn-speed", LITHE_FIELD_QUANTITY, LITHE_WANT_ANGULAR_VELOCITY, SHORTHAND,
     AT(LitheDriveDef, turn.rate), .preset = "0", .about = "instead of turn: a constant speed"},
    QUANTITY("stiffness", DRIVE_SPRING, LitheDriveDef, stiffness, "0",
             "spring towards the target; 0 follows it exactly"),
    QUANTITY("damping", DRIVE_DASHPOT, LitheDriveDef, damping, "0",
             "damper towards the target's speed"),
    {"along-only", LITHE_FIELD_FLAG, AT(LitheDriveDef, along_only), .preset = "false",
     .about = "whether the spring acts along the direction only"},
    REPEAT,
};
static const LitheTable drive_table = TABLE("drive", drive_fields);

static const LitheField natural_drive_fields[] = {
    {"rod", LITHE_FIELD_ROD, REQUIRED, AT(LitheNaturalDriveDef, rod), .about = "name of a rod"},
    {"curvature", LITHE_FIELD_PAIR, LITHE_WANT_CURVATURE, AT(LitheNaturalDriveDef, curvature1),
     ALSO(LitheNaturalDriveDef, curvature2), .preset = "[0, 0]",
     .about = "added everywhere: towards m1, towards m2"},
    QUANTITY("twist", TWIST, LitheNaturalDriveDef, twist, "0", "added everywhere"),
    QUANTITY("stretch", NUMBER, LitheNaturalDriveDef, stretch, "0",
             "relative change of the rest lengths: 0.1 is 10 % longer"),
    NATURAL_LISTS(LitheNaturalDriveDef),
    {"edge-stretch", LITHE_FIELD_LIST, LITHE_WANT_NUMBER, AT(LitheNaturalDriveDef, edge_stretch),
     ALSO(LitheNaturalDriveDef, edge_value_count), .preset = "none",
     .about = "further relative change of the rest lengths, a value per edge"},
    {"profile", LITHE_FIELD_PROFILE, LITHE_WANT_NUMBER, AT(LitheNaturalDriveDef, profile),
     .table = &lithe_profile_table, .preset = "1", .about = "factor on all of it over time"},
    REPEAT,
};
static const LitheTable natural_drive_table = TABLE("natural drive", natural_drive_fields);

// --- the scene -----------------------------------------------------------------------------------

static const LitheField scene_fields[] = {
    {"lithe", LITHE_FIELD_VERSION, REQUIRED, .about = "version of the format: 1"},
    {"title", LITHE_FIELD_TEXT, AT(LitheScene, title), .preset = "none",
     .about = "one line that says what the scene shows"},
    {"allow-unusual", LITHE_FIELD_FLAG, AT(LitheScene, allow_unusual), .preset = "false",
     .about = "whether values outside of their typical ranges are intended: no warnings about "
              "them"},
    {"include", LITHE_FIELD_INCLUDE, .preset = "none",
     .about = "another scene file, or a list of them, to start from"},
    {"parameters", LITHE_FIELD_PARAMETERS, .preset = "none",
     .about = "names for quantities, to use in any value"},
    {"time", LITHE_FIELD_MAPPING, AT(LitheScene, time), .table = &time_table, .preset = "as below",
     .about = "time step, end and integrator"},
    {"gravity", LITHE_FIELD_GRAVITY, LITHE_WANT_ACCELERATION, AT(LitheScene, gravity),
     .preset = "9.81 m/s^2", .about = "none, a number along -z, or a vector"},
    {"contact", LITHE_FIELD_MAPPING, AT(LitheScene, contact), .table = &lithe_contact_table,
     .preset = "as below", .about = "how contact is solved"},
    {"materials", LITHE_FIELD_OBJECTS, .table = &lithe_material_table, .preset = "none",
     .about = "materials by name"},
    {"material-pairs", LITHE_FIELD_OBJECTS, .table = &lithe_material_pair_table, .preset = "none",
     .about = "contacts of two materials that differ from what the materials say, by name"},
    {"rods", LITHE_FIELD_OBJECTS, .table = &rod_table, .preset = "none", .about = "rods by name"},
    {"particles", LITHE_FIELD_OBJECTS, .table = &lithe_particles_table, .preset = "none",
     .about = "sets of particles by name"},
    {"solids", LITHE_FIELD_OBJECTS, .table = &lithe_solid_table, .preset = "none",
     .about = "soft solids by name"},
    {"sets", LITHE_FIELD_OBJECTS, .table = &lithe_set_table, .preset = "none",
     .about = "some vertices or edges of a thing, by name"},
    {"holds", LITHE_FIELD_OBJECTS, .table = &hold_table, .preset = "none",
     .about = "holds: what does not move, by name"},
    {"drives", LITHE_FIELD_OBJECTS, .table = &drive_table, .preset = "none",
     .about = "drives: what is moved, by name"},
    {"natural-drives", LITHE_FIELD_OBJECTS, .table = &natural_drive_table, .preset = "none",
     .about = "changes of natural states over time, by name"},
    {"bodies", LITHE_FIELD_OBJECTS, .table = &lithe_body_table, .preset = "none",
     .about = "rigid bodies, by name"},
    {"robots", LITHE_FIELD_OBJECTS, .table = &lithe_robot_table, .preset = "none",
     .about = "robots from files, by name"},
    {"chains", LITHE_FIELD_OBJECTS, .table = &lithe_chain_table, .preset = "none",
     .about = "ropes of capsules, by name"},
    {"arms", LITHE_FIELD_OBJECTS, .table = &lithe_arm_table, .preset = "none",
     .about = "soft arms of sections with chambers, by name"},
    {"forces", LITHE_FIELD_OBJECTS, .table = &lithe_force_table, .preset = "none",
     .about = "forces and moments, by name"},
    {"pressures", LITHE_FIELD_OBJECTS, .table = &lithe_pressure_table, .preset = "none",
     .about = "pressures on surfaces of solids, by name"},
    {"cavities", LITHE_FIELD_OBJECTS, .table = &lithe_cavity_table, .preset = "none",
     .about = "hollows of solids under pressure, or filled with gas, by name"},
    {"swells", LITHE_FIELD_OBJECTS, .table = &lithe_swell_table, .preset = "none",
     .about = "changes of the natural size of solids over time, by name"},
    {"fibres", LITHE_FIELD_OBJECTS, .table = &lithe_fibre_table, .preset = "none",
     .about = "fibres and threads that stiffen solids along a direction, by name"},
    {"joints", LITHE_FIELD_OBJECTS, .table = &lithe_joint_table, .preset = "none",
     .about = "joints between bodies, and to the world, by name"},
    {"actuators", LITHE_FIELD_OBJECTS, .table = &lithe_actuator_table, .preset = "none",
     .about = "actuators of joints, by name"},
    {"pose-drives", LITHE_FIELD_OBJECTS, .table = &lithe_pose_drive_table, .preset = "none",
     .about = "end effectors moved along paths, by name"},
    {"constraints", LITHE_FIELD_OBJECTS, .table = &lithe_constraint_table, .preset = "none",
     .about = "constraints between any two things, by name"},
    {"knots", LITHE_FIELD_OBJECTS, .table = &lithe_knot_table, .preset = "none",
     .about = "knots in rods that are recorded over time, by name"},
    {"controls", LITHE_FIELD_OBJECTS, .table = &lithe_control_table, .preset = "none",
     .about = "actions of keys and gamepads in the viewer, by name"},
    {"goals", LITHE_FIELD_OBJECTS, .table = &lithe_goal_table, .preset = "none",
     .about = "what the run is meant to reach, measured at its end, by name"},
    {"plan", LITHE_FIELD_MAPPING, AT(LitheScene, plan), .table = &lithe_plan_table,
     .preset = "none", .about = "a motion that `lithe plan` finds: an arm turns a ball"},
    {"ignore", LITHE_FIELD_IGNORE, .preset = "none",
     .about =
         "pairs of bodies, rods, particles or solids that never touch: a list of [NAME, NAME]"},
    {"record", LITHE_FIELD_MAPPING, AT(LitheScene, record), .table = &record_table,
     .preset = "as below", .about = "what is written to the recording"},
};
const LitheTable lithe_scene_table = TABLE("scene", scene_fields);
