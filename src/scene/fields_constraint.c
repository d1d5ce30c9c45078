// SPDX-License-Identifier: Apache-2.0
// scene/fields_constraint.c - the tables of keys of forces, constraints, chains, knots and settings
// of contact

#include "lithe/knot.h"
#include "scene/field_rows.h"
#include "scene/fields.h"

// in the order of their enums
static const char *const kind_words[] = {"attach", "weld",         "distance", "rope",
                                         "strut",  "hinge-spring", "tendon",   NULL};
static const char *const model_words[] = {"convex", "imc", "spt", "lcp", NULL};
static const char *const lcp_solver_words[] = {"newton", "lemke", "gauss-seidel", NULL};
static const char *const imc_friction_words[] = {"static", "paper", "centreline", NULL};
static const char *const law_words[] = {"lagged", "sap", "similar", NULL};
static const char *const patch_words[] = {"auto", "on", "off", NULL};
static const char *const face_words[] = {"whole", "corners", NULL};
static const char *const end_words[] = {"free", "pinned", "fixed", NULL};
// the word for 0
static const char *const auto_words[] = {"auto", NULL};
static const char *const any_words[] = {"any", NULL};

// --- contact -------------------------------------------------------------------------------------

static const LitheField imc_fields[] = {
    {"friction", LITHE_FIELD_WORD, AT(LitheContactDef, imc.friction), .words = imc_friction_words,
     .preset = "static",
     .about = "static sticks below the stick speed, where surfaces touch; paper opposes the motion "
              "of the last step, at the middles of the edges; centreline is static without the "
              "moments about the centrelines"},
    {"force", LITHE_FIELD_QUANTITY, LITHE_WANT_FORCE, AT(LitheContactDef, imc.force),
     .words = auto_words, .preset = "auto",
     .about = "largest contact force between two edges at the start; later it follows the load"},
    QUANTITY("sharpness", NUMBER, LitheContactDef, imc.sharpness, "50",
             "sharpness of the contact energy, over the radius"),
    QUANTITY("smoothing", NUMBER, LitheContactDef, imc.smoothing, "50",
             "sharpness of the corners in the smooth distance"),
    QUANTITY("parallel", NUMBER, LitheContactDef, imc.parallel, "0.01",
             "sine squared of the angle below which edges count as parallel"),
    QUANTITY("reach", NUMBER, LitheContactDef, imc.reach, "0.15",
             "gap up to which pairs of edges act, over the radius"),
    QUANTITY("depth", NUMBER, LitheContactDef, imc.depth, "0.003",
             "overlap up to which the largest force is not changed, over the radius"),
    QUANTITY("hover", NUMBER, LitheContactDef, imc.hover, "0.0125",
             "gap up to which the largest force is not changed, over the radius"),
    QUANTITY("damping", NUMBER, LitheContactDef, imc.damping, "0.2",
             "damping of the normal velocity, over the critical damping of the four nodes"),
    QUANTITY("stick-speed", SPEED, LitheContactDef, imc.stick_speed, "1e-6 m/s",
             "sliding below which static friction sticks"),
    QUANTITY("onset", RATE, LitheContactDef, imc.onset, "0.15 1/s",
             "sliding over the radius at which friction of the paper sets in"),
    {"plain", LITHE_FIELD_INTEGER, AT(LitheContactDef, imc.plain), .preset = "0",
     .about = "first iterations of a step without the Hessians of contacts"},
};
static const LitheTable imc_table = TABLE("imc", imc_fields);

static const LitheField lcp_fields[] = {
    {"solver", LITHE_FIELD_WORD, AT(LitheContactDef, lcp.solver), .words = lcp_solver_words,
     .preset = "newton",
     .about = "semismooth Newton, Lemke's pivots, or projected sweeps over contacts"},
    {"directions", LITHE_FIELD_INTEGER, AT(LitheContactDef, lcp.directions), .preset = "4",
     .about = "directions of friction in the plane of a contact, 3 to 32; more are closer to "
              "Coulomb's cone"},
    {"rank", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.rank), .preset = "true",
     .about = "stage 1: whether only contacts with independent normals are solved"},
    {"scale", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.scale), .preset = "true",
     .about = "stage 2: whether rows and columns are scaled"},
    {"regularise", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.regularise), .preset = "true",
     .about = "stage 3: whether the diagonal of normals is enlarged"},
    {"recheck", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.recheck), .preset = "true",
     .about = "whether contacts that stage 1 dropped come back where they would penetrate"},
    {"warm-start", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.warm_start), .preset = "true",
     .about = "whether a solve starts from the impulses of the last step"},
    {"fall-back", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.fall_back), .preset = "true",
     .about = "whether Lemke's method, then weaker problems, follow where the solver fails"},
    QUANTITY("push", NUMBER, LitheContactDef, lcp.push, "0.2",
             "fraction of an overlap that a step removes, 0 to 1"),
    QUANTITY("push-speed", SPEED, LitheContactDef, lcp.push_speed, "1 m/s",
             "the largest speed at which overlaps are removed"),
    {"masses-alone", LITHE_FIELD_FLAG, AT(LitheContactDef, lcp.masses_alone), .preset = "false",
     .about =
         "with the scheme rk23, whether impulses of contacts act on masses alone, as published: "
         "forces are then too small where dampers act within a step"},
};
static const LitheTable lcp_table = TABLE("lcp", lcp_fields);

static const LitheField contact_fields[] = {
    {"enabled", LITHE_FIELD_FLAG, AT(LitheContactDef, enabled), .preset = "true",
     .about = "whether things touch at all; constraints act in any case"},
    {"model", LITHE_FIELD_WORD, AT(LitheContactDef, model), .words = model_words,
     .preset = "convex",
     .about = "how contacts are solved: convex supports everything; imc, a smooth potential, and "
              "spt, forces found by iteration, support rods only; lcp, a complementarity problem "
              "with polyhedral friction, supports bodies and robots only"},
    {"friction-law", LITHE_FIELD_WORD, AT(LitheContactDef, law), .words = law_words,
     .preset = "lagged",
     .about = "approximation of Coulomb's law: lagged slides without a gap, sap is the "
              "cone of SAP, similar has one potential"},
    {"passes", LITHE_FIELD_INTEGER, AT(LitheContactDef, passes), .words = auto_words,
     .preset = "auto", .about = "linearisations per step; auto: as many as the residual needs"},
    QUANTITY("tolerance", NUMBER, LitheContactDef, tolerance, "1e-6",
             "relative tolerance of the momentum balance of the convex solve"),
    {"max-iterations", LITHE_FIELD_INTEGER, AT(LitheContactDef, max_iterations), .preset = "100",
     .about = "max iterations of the convex solver per pass"},
    QUANTITY("stick-speed", SPEED, LitheContactDef, stick_speed, "1e-8 m/s",
             "sliding below which friction sticks; lagged and similar; less once all things in "
             "contact are at rest"),
    QUANTITY("sigma", NUMBER, LitheContactDef, sigma, "1e-6",
             "compliance of sticking, relative to that of the things in contact"),
    QUANTITY("beta", NUMBER, LitheContactDef, beta, "0.01",
             "compliance below which contacts count as rigid, relative to that of the things in "
             "contact"),
    {"margin", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheContactDef, margin),
     .words = auto_words, .preset = "auto",
     .about = "gap up to which contacts are detected; auto: from the speeds"},
    {"single", LITHE_FIELD_FLAG, AT(LitheContactDef, single), .preset = "false",
     .about =
         "for comparison: whether a pair of edges, or a flat edge and a shape, gets one contact "
         "only, where it is deepest, and no margin; each contact then begins with an overlap, "
         "whose energy comes from nothing"},
    {"certify", LITHE_FIELD_FLAG, AT(LitheContactDef, certify), .preset = "true",
     .about = "whether a step in which things passed through each other is cut in halves"},
    {"most-cuts", LITHE_FIELD_INTEGER, AT(LitheContactDef, most_cuts), .preset = "10",
     .about = "max halvings of a step before the run stops"},
    {"max-cuts", LITHE_FIELD_INTEGER, SHORTHAND, AT(LitheContactDef, max_cuts), .preset = "10",
     .about = "another name of most-cuts"},
    {"max-pairs", LITHE_FIELD_INTEGER, AT(LitheContactDef, max_pairs), .preset = "2000000",
     .about =
         "max pairs of edges, shapes and particles near each other; more of them are an error, "
         "since a pair takes up to 1 kB of memory"},
    {"patches", LITHE_FIELD_WORD, AT(LitheContactDef, patches), .words = patch_words,
     .preset = "auto",
     .about = "contact by pressure fields: auto where one of two things has a modulus for patches; "
              "on refuses things that can have no field; off: contact at points"},
    {"merge-patches", LITHE_FIELD_FLAG, AT(LitheContactDef, merge_patches), .preset = "true",
     .about =
         "whether polygons of a patch with nearly the same normal act as a few points, with the "
         "same force, moment, stiffness, tilt stiffness and friction torque"},
    {"faces", LITHE_FIELD_WORD, AT(LitheContactDef, faces), .words = face_words, .preset = "whole",
     .about =
         "where flat faces or straight lines of bodies touch: whole is at their corners or ends "
         "and inside, with the friction against spinning and the stiffness against rocking of the "
         "whole face or line; corners has half the contacts, and both are too large, 1.85 and 3 "
         "times for a square, 2 and 3 times for a line"},
    {"start-overlap", LITHE_FIELD_QUANTITY, LITHE_WANT_NUMBER, AT(LitheContactDef, start_overlap),
     .words = any_words, .preset = "1",
     .about = "overlap of two things as built beyond which a scene is refused, over the smaller "
              "half thickness; any, or 0: none is refused"},
    {"imc", LITHE_FIELD_MAPPING, .table = &imc_table, .preset = "as below",
     .about = "parameters of the model imc"},
    {"lcp", LITHE_FIELD_MAPPING, .table = &lcp_table, .preset = "as below",
     .about = "parameters of the model lcp"},
};
const LitheTable lithe_contact_table = TABLE("contact", contact_fields);

// --- constraints ---------------------------------------------------------------------------------

static const LitheField anchor_fields[] = {
    {"on", LITHE_FIELD_ANCHOR_ON, REQUIRED,
     .about = "a place on a rod, a particle, a node of a solid, the name of a body or solid, or "
              "world; a solid alone is its point at `at`, or where the other place is"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheAnchor, at), .preset = "[0, 0, 0]",
     .about = "position in the frame of the body or the world, or of a point of a solid at the "
              "start, in the world; not for a rod, particle or node"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheAnchor, rotation),
     .table = &lithe_rotate_table, .preset = "none",
     .about =
         "rotation of its frame relative to that of the body, the world, or the edge of the rod"},
};
const LitheTable lithe_anchor_table = TABLE("anchor", anchor_fields);

static const LitheField constraint_fields[] = {
    {"kind", LITHE_FIELD_WORD, REQUIRED, AT(LitheConstraintDef, kind), .words = kind_words,
     .about = "what is kept: equal positions, equal frames, the distance, at most a length, at "
              "least a length; or a spring turns the frames towards each other; a tendon slides "
              "through the places of `via` and pulls"},
    {"a", LITHE_FIELD_ANCHOR, REQUIRED, AT(LitheConstraintDef, a), .table = &lithe_anchor_table,
     .about = "first place"},
    {"b", LITHE_FIELD_ANCHOR, REQUIRED, AT(LitheConstraintDef, b), .table = &lithe_anchor_table,
     .about = "second place"},
    {"via", LITHE_FIELD_ANCHORS, AT(LitheConstraintDef, via), ALSO(LitheConstraintDef, via_count),
     .table = &lithe_anchor_table, .preset = "none",
     .about = "kind tendon: places between a and b, in this order, through which it slides without "
              "friction"},
    {"as-built", LITHE_FIELD_FLAG, AT(LitheConstraintDef, as_built), .preset = "true",
     .about = "whether the offset and rotation between them when it is switched on are kept (of a "
              "group of nodes on springs: those at the start); false pulls them together"},
    QUANTITY("length", LENGTH, LitheConstraintDef, length, "as when switched on",
             "length of the kinds distance, rope, strut and tendon"),
    {"shortening", LITHE_FIELD_PROFILE, LITHE_WANT_LENGTH, AT(LitheConstraintDef, shortening),
     .table = &lithe_profile_table, .preset = "0",
     .about = "kind tendon: by how much its length becomes shorter, over time"},
    {"tension", LITHE_FIELD_PROFILE, LITHE_WANT_FORCE, AT(LitheConstraintDef, tension),
     .table = &lithe_profile_table, .preset = "none, it has a length",
     .about = "kind tendon: it pulls with this force, whatever its length; below 0 it is slack"},
    QUANTITY("stiffness", STIFFNESS, LitheConstraintDef, stiffness, "0, near-rigid",
             "stiffness of the spring between the places"),
    QUANTITY("stiffness-per-area", STIFFNESS_PER_AREA, LitheConstraintDef, area_stiffness, "none",
             "kind attach of a group of nodes of a solid: instead of the stiffness of all its "
             "springs"),
    QUANTITY("damping", DAMPING, LitheConstraintDef, damping, "0", "damping of that spring"),
    QUANTITY("turn-stiffness", ROTATIONAL_STIFFNESS, LitheConstraintDef, turn_stiffness,
             "0, near-rigid", "kind weld: stiffness of the rotational spring between the frames"),
    QUANTITY("turn-damping", ROTATIONAL_DAMPING, LitheConstraintDef, turn_damping, "0",
             "kinds weld and hinge-spring: damping of the rotational spring"),
    QUANTITY("bend-stiffness", ROTATIONAL_STIFFNESS, LitheConstraintDef, bend_stiffness, "0",
             "kind hinge-spring: stiffness about axes perpendicular to the z axis of frame a"),
    QUANTITY("twist-stiffness", ROTATIONAL_STIFFNESS, LitheConstraintDef, twist_stiffness, "0",
             "kind hinge-spring: stiffness about the z axis of frame a"),
    {"contact", LITHE_FIELD_FLAG, AT(LitheConstraintDef, contact), .preset = "false",
     .about = "whether the two objects touch each other around the tied places, too"},
    QUANTITY("breaks-at", FORCE, LitheConstraintDef, breaks_at, "0, never",
             "force above which it breaks"),
    {"active", LITHE_FIELD_FLAG, AT(LitheConstraintDef, active), .preset = "true",
     .about = "whether it is switched on at the start"},
    {"switch", LITHE_FIELD_PROFILE, LITHE_WANT_NUMBER, AT(LitheConstraintDef, gate),
     .table = &lithe_profile_table, .preset = "1", .about = "acts only while this is at least 0.5"},
    REPEAT,
};
const LitheTable lithe_constraint_table = TABLE("constraint", constraint_fields);

// --- chains --------------------------------------------------------------------------------------

static const LitheField chain_fields[] = {
    {"material", LITHE_FIELD_MATERIAL, REQUIRED, AT(LitheChainDef, material),
     .about = "name of a material"},
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheChainDef, radius),
     .about = "radius of the capsules"},
    {"shape", LITHE_FIELD_ONE_OF, REQUIRED, AT(LitheChainDef, shape), .table = &lithe_shape_table,
     .about = "initial curve"},
    {"capsules", LITHE_FIELD_INTEGER, REQUIRED, AT(LitheChainDef, capsules),
     .about = "number of capsules"},
    {"natural", LITHE_FIELD_WORD, AT(LitheChainDef, natural), .words = lithe_natural_words,
     .preset = "straight", .about = "stress-free shape: straight, or the initial curve"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheChainDef, velocity),
     .preset = "[0, 0, 0]", .about = "initial velocity of all capsules"},
    QUANTITY("damping", ROTATIONAL_DAMPING, LitheChainDef, damping, "0",
             "rotational damping of its joints"),
    {"start", LITHE_FIELD_WORD, AT(LitheChainDef, start), .words = end_words, .preset = "free",
     .about = "how its start is held: free, pinned, or fixed with its direction"},
    {"end", LITHE_FIELD_WORD, AT(LitheChainDef, end), .words = end_words, .preset = "free",
     .about = "how its end is held"},
    {"group", LITHE_FIELD_BITS, AT(LitheChainDef, group), .preset = "1",
     .about = "groups it is in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheChainDef, mask), .preset = "all",
     .about = "groups it touches"},
    REPEAT,
};
const LitheTable lithe_chain_table = TABLE("chain", chain_fields);

// --- forces --------------------------------------------------------------------------------------

static const LitheField force_fields[] = {
    {"on", LITHE_FIELD_PLACE, REQUIRED, AT(LitheForceDef, place),
     .about =
         "place on a rod, a particle, a node or group of a solid, the name of a set or of a body"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheForceDef, at), .preset = "[0, 0, 0]",
     .about = "of a body: where the force acts, in its frame"},
    {"force", LITHE_FIELD_VECTOR, LITHE_WANT_FORCE, AT(LitheForceDef, force), .preset = "[0, 0, 0]",
     .about = "on the node, particle or body, or on each of a set or group; keeps its direction in "
              "space"},
    {"moment", LITHE_FIELD_VECTOR, LITHE_WANT_MOMENT, AT(LitheForceDef, moment),
     .preset = "[0, 0, 0]",
     .about = "on the edge of the place, or on the body; keeps its direction in space"},
    {"profile", LITHE_FIELD_PROFILE, LITHE_WANT_NUMBER, AT(LitheForceDef, profile),
     .table = &lithe_profile_table, .preset = "1", .about = "factor on both over time"},
    REPEAT,
};
const LitheTable lithe_force_table = TABLE("force", force_fields);

// --- knots ---------------------------------------------------------------------------------------

static const char *const join_words[] = {"auto", "around", "above", "below", "straight", NULL};

static const LitheField knot_fields[] = {
    {"through", LITHE_FIELD_ANCHORS, REQUIRED, AT(LitheKnotDef, through),
     ALSO(LitheKnotDef, through_count), .table = &lithe_anchor_table,
     .about = "places on rods, two of one rod for each strand: where it starts, and where it ends"},
    {"joined", LITHE_FIELD_WORD, AT(LitheKnotDef, joined), .words = join_words, .preset = "auto",
     .about = "how the end of a strand is joined to the start of the next one, the last to the "
              "first: around, straight out and far outside; above, led outward beyond all else and "
              "joined over it; below, led straight down and joined under it; straight; auto: "
              "around for one strand, else above and below in turn"},
    REPEAT,
};
const LitheTable lithe_knot_table = TABLE("knot", knot_fields);
