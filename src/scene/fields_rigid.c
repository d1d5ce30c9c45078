// SPDX-License-Identifier: Apache-2.0
// scene/fields_rigid.c - the tables of keys of bodies, their shapes, joints, actuators and pose
// drives

#include "scene/field_rows.h"
#include "scene/fields.h"

_Static_assert(offsetof(LitheBodyEntry, def) == 0 && offsetof(LitheJointEntry, def) == 0,
               "the def is the first member");

const char *const lithe_joint_words[] = {"weld",   "revolute", "prismatic", "screw", "ball",
                                         "planar", "free",     "section",   NULL};
static const char *const actuator_words[] = {"force", "position", "velocity", "prescribed", NULL};

// --- shapes of bodies ----------------------------------------------------------------------------

static const LitheTable half_space_table = {"body shape half-space", NULL, 0};

static const LitheField sphere_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, radius),
     .about = "radius"},
    DIAMETER(LitheGeomDef, radius),
};
static const LitheTable sphere_table = TABLE("body shape sphere", sphere_fields);

static const LitheField capsule_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, radius),
     .about = "radius of the cylinder and its round ends"},
    DIAMETER(LitheGeomDef, radius),
    {"length", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, length),
     .about = "along z, between the centres of the round ends"},
};
static const LitheTable capsule_table = TABLE("body shape capsule", capsule_fields);

static const LitheField cylinder_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, radius),
     .about = "radius about z"},
    DIAMETER(LitheGeomDef, radius),
    {"length", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, length),
     .about = "along z, centred"},
    {"rounding", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheGeomDef, rounding), .preset = "0",
     .about = "radius of its rims, at most half of the length"},
};
static const LitheTable cylinder_table = TABLE("body shape cylinder", cylinder_fields);

static const LitheField box_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, size),
     .about = "full edges along x, y and z, centred"},
};
static const LitheTable box_table = TABLE("body shape box", box_fields);

static const LitheField ellipsoid_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, size),
     .about = "full axes along x, y and z, centred"},
};
static const LitheTable ellipsoid_table = TABLE("body shape ellipsoid", ellipsoid_fields);

// the points of a mesh, given here or in a file
#define MESH_POINTS \
    { \
        "points", LITHE_FIELD_POINTS, LITHE_WANT_LENGTH, AT(LitheGeomDef, points), \
            ALSO(LitheGeomDef, point_count), .preset = "none", .about = "list of points [x, y, z]" \
    }
#define MESH_FILE \
    {"path", LITHE_FIELD_FILE, AT(LitheGeomDef, path), .preset = "none", \
     .about = "instead of points: an STL or OBJ file, relative to the scene file"}, \
    { \
        "scale", LITHE_FIELD_SCALE, LITHE_WANT_NUMBER, AT(LitheGeomDef, scale), \
            .preset = "1", \
            .about = "of the file's lengths to metres: a number, or one for each of x, y and z" \
    }

static const LitheField convex_fields[] = {MESH_POINTS, MESH_FILE};
static const LitheTable convex_table = TABLE("body shape convex", convex_fields);

static const LitheField mesh_fields[] = {
    MESH_POINTS,
    {"triangles", LITHE_FIELD_TRIANGLES, AT(LitheGeomDef, triangles),
     ALSO(LitheGeomDef, triangle_count), .preset = "none",
     .about = "list of three numbers of points, from 0, counter-clockwise from outside"},
    MESH_FILE,
    {"convex", LITHE_FIELD_CONVEX, SHORTHAND, AT(LitheGeomDef, kind), .preset = "false",
     .about = "whether the convex hull of the points is meant"},
};
static const LitheTable mesh_table = TABLE("body shape mesh", mesh_fields);

static const LitheField heightfield_fields[] = {
    {"size", LITHE_FIELD_PAIR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, size.x),
     ALSO(LitheGeomDef, size.y), .about = "edges of the ground along x and y, centred"},
    {"heights", LITHE_FIELD_HEIGHTS, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, heights),
     .about = "list of rows along y, each a list of heights along x; solid below"},
};
static const LitheTable heightfield_table = TABLE("body shape heightfield", heightfield_fields);

static const LitheField revolution_fields[] = {
    {"outline", LITHE_FIELD_OUTLINE, LITHE_WANT_LENGTH, REQUIRED,
     .about = "list of pairs [z, radius], first the height z, then the radius there; straight "
              "between; without thickness z increases, or the outline ends where it begins, or "
              "begins and ends at radius 0"},
    {"thickness", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheGeomDef, thickness),
     .preset = "0",
     .about = "of a wall on the inner side of an outline that goes up, on the outer side of one "
              "that goes down; 0: solid"},
    {"rounding", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, AT(LitheGeomDef, rounding), .preset = "0",
     .about = "radius of the corners of the outline, not of its ends"},
};
static const LitheTable revolution_table = TABLE("body shape revolution", revolution_fields);

static const LitheField tube_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, radius),
     .about = "outer radius about z"},
    DIAMETER(LitheGeomDef, radius),
    {"hole", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, hole),
     .about = "inner radius"},
    {"length", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, length),
     .about = "along z, centred; open at both ends"},
};
static const LitheTable tube_table = TABLE("body shape tube", tube_fields);

static const LitheField torus_fields[] = {
    {"radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, radius),
     .about = "from the z axis to the middle of the section"},
    {"section", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, section_radius),
     .about = "radius of the round section"},
};
static const LitheTable torus_table = TABLE("body shape torus", torus_fields);

static const LitheField plate_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, size),
     .about = "full edges along x, y and z, centred"},
    {"hole", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, hole),
     .about = "radius of the round hole along z through the centre"},
};
static const LitheTable plate_table = TABLE("body shape plate", plate_fields);

static const LitheField elliptic_fields[] = {
    {"size", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LitheGeomDef, size),
     .about = "full axes along x and y, length along z, centred"},
};
static const LitheTable elliptic_table = TABLE("body shape elliptic-cylinder", elliptic_fields);

// the kinds come first, in the order of LitheGeomKind
static const LitheField geom_fields[] = {
    {"half-space", LITHE_FIELD_MAPPING, .table = &half_space_table,
     .about = "everything below z = 0; has no mass"},
    {"sphere", LITHE_FIELD_MAPPING, .table = &sphere_table, .about = "a sphere"},
    {"capsule", LITHE_FIELD_MAPPING, .table = &capsule_table, .about = "a cylinder, round ends"},
    {"cylinder", LITHE_FIELD_MAPPING, .table = &cylinder_table, .about = "a cylinder, flat ends"},
    {"box", LITHE_FIELD_MAPPING, .table = &box_table, .about = "a box"},
    {"ellipsoid", LITHE_FIELD_MAPPING, .table = &ellipsoid_table, .about = "an ellipsoid"},
    {"convex", LITHE_FIELD_MAPPING, .table = &convex_table, .about = "a convex hull of points"},
    {"mesh", LITHE_FIELD_MAPPING, .table = &mesh_table, .about = "triangles"},
    {"heightfield", LITHE_FIELD_MAPPING, .table = &heightfield_table,
     .about = "ground with heights; has no mass"},
    {"revolution", LITHE_FIELD_MAPPING, .table = &revolution_table,
     .about = "an outline rotated about z: solid, or a wall"},
    {"tube", LITHE_FIELD_MAPPING, .table = &tube_table, .about = "a hollow cylinder, open ends"},
    {"torus", LITHE_FIELD_MAPPING, .table = &torus_table, .about = "a ring with a round section"},
    {"plate", LITHE_FIELD_MAPPING, .table = &plate_table, .about = "a box with a round hole"},
    {"elliptic-cylinder", LITHE_FIELD_MAPPING, .table = &elliptic_table,
     .about = "a cylinder with an elliptic section"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheGeomDef, at), .preset = "[0, 0, 0]",
     .about = "position in the body's frame"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheGeomDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation there"},
    {"material", LITHE_FIELD_MATERIAL, AT(LitheGeomDef, material), .preset = "that of the body",
     .about = "name of a material: density, friction and contact"},
    {"group", LITHE_FIELD_BITS, AT(LitheGeomDef, group), .preset = "1",
     .about = "groups it is in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheGeomDef, mask), .preset = "all",
     .about = "groups it touches"},
    {"weightless", LITHE_FIELD_FLAG, AT(LitheGeomDef, weightless), .preset = "false",
     .about = "has no mass, also with a material"},
    {"visual", LITHE_FIELD_FLAG, AT(LitheGeomDef, visual), .preset = "false",
     .about = "whether it is only drawn: it touches nothing and has no mass; where a body has such "
              "shapes, pictures show only those"},
    {"colour", LITHE_FIELD_COLOUR, LITHE_WANT_NUMBER, AT(LitheGeomDef, colour),
     .preset = "that of the body", .about = "colour in pictures and in the viewer"},
};
static const LitheTable geom_table = TABLE("body shape", geom_fields);

// --- bodies --------------------------------------------------------------------------------------

static const LitheField body_fields[] = {
    {"shape", LITHE_FIELD_GEOM, SHORTHAND, .table = &geom_table, .preset = "none",
     .about = "its geometry: one kind of shape"},
    {"shapes", LITHE_FIELD_GEOMS, .table = &geom_table, .preset = "none",
     .about = "instead of shape: a list of them"},
    {"material", LITHE_FIELD_MATERIAL, SHORTHAND, AT(LitheBodyEntry, material), .preset = "none",
     .about = "of shapes that name none"},
    {"colour", LITHE_FIELD_COLOUR, LITHE_WANT_NUMBER, SHORTHAND, AT(LitheBodyEntry, colour),
     .preset = "grey", .about = "of shapes that name none"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheBodyDef, at), .preset = "[0, 0, 0]",
     .about = "where its frame is in the world"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheBodyDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation of its frame"},
    {"velocity", LITHE_FIELD_VECTOR, LITHE_WANT_SPEED, AT(LitheBodyDef, velocity),
     .preset = "[0, 0, 0]", .about = "of the origin of its frame at the start"},
    {"spin", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, AT(LitheBodyDef, spin),
     .preset = "[0, 0, 0]", .about = "angular velocity at the start, about the axes of the world"},
    {"angular-velocity", LITHE_FIELD_VECTOR, LITHE_WANT_ANGULAR_VELOCITY, SHORTHAND,
     AT(LitheBodyDef, angular_velocity), .preset = "[0, 0, 0]", .about = "another name of spin"},
    {"fixed", LITHE_FIELD_FLAG, AT(LitheBodyDef, fixed), .preset = "false",
     .about = "whether it never moves"},
    QUANTITY("mass", MASS, LitheBodyDef, mass, "from the shapes and their materials",
             "mass; needs inertia too"),
    {"centre", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheBodyDef, centre),
     .preset = "[0, 0, 0]", .about = "of mass, in its frame; goes with mass"},
    {"inertia", LITHE_FIELD_SIX, LITHE_WANT_INERTIA, AT(LitheBodyDef, inertia),
     .preset = "from the shapes",
     .about = "about the centre, along the axes of its frame: [xx, yy, zz, xy, xz, yz]; goes with "
              "mass"},
    REPEAT,
};
const LitheTable lithe_body_table = TABLE("body", body_fields);

// in the order of LitheRobotFormat
static const char *const robot_words[] = {"by-name", "urdf", "mjcf", NULL};

static const LitheField robot_fields[] = {
    {"path", LITHE_FIELD_FILE, REQUIRED, AT(LitheRobotDef, path),
     .about = "a URDF or MJCF file, relative to the scene file"},
    {"format", LITHE_FIELD_WORD, AT(LitheRobotDef, format), .words = robot_words,
     .preset = "by-name", .about = "by name: .urdf is URDF; .xml and .mjcf are MJCF"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheRobotDef, at), .preset = "[0, 0, 0]",
     .about = "where its root is in the world"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheRobotDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation of its root"},
    {"floating", LITHE_FIELD_FLAG, AT(LitheRobotDef, floating), .preset = "false",
     .about = "whether its root is free instead of fixed to the world"},
    {"material", LITHE_FIELD_MATERIAL, AT(LitheRobotDef, material), .preset = "none",
     .about = "of shapes that name none in the file"},
    {"positions", LITHE_FIELD_POSITIONS, LITHE_WANT_JOINT_POSITION, SHORTHAND,
     .preset = "as the file says",
     .about = "where joints with one degree of freedom start: their names in the file, each with a "
              "position"},
};
const LitheTable lithe_robot_table = TABLE("robot", robot_fields);

// --- joints --------------------------------------------------------------------------------------

static const LitheField joint_fields[] = {
    {"kind", LITHE_FIELD_WORD, REQUIRED, AT(LitheJointDef, kind), .words = lithe_joint_words,
     .about =
         "how the child moves: not at all, about the joint's z axis, along it, both at once, "
         "about its origin, in its x-y plane, freely, or on a soft section of constant curvature"},
    {"parent", LITHE_FIELD_PARENT, AT(LitheJointDef, parent), .preset = "world",
     .about = "name of a body, or world"},
    {"child", LITHE_FIELD_BODY, REQUIRED, AT(LitheJointDef, child), .about = "name of a body"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, SHORTHAND, AT(LitheJointEntry, at),
     .preset = "the child's at",
     .about = "origin of the joint in the world, with bodies in their initial poses"},
    {"axis", LITHE_FIELD_VECTOR, LITHE_WANT_NUMBER, SHORTHAND, AT(LitheJointEntry, axis),
     .preset = "[0, 0, 1]",
     .about = "z axis of the joint in the world, with bodies in their initial poses"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, SHORTHAND, AT(LitheJointEntry, rotation),
     .table = &lithe_rotate_table, .preset = "none",
     .about =
         "instead of axis: rotation of the joint in the world, with bodies in their initial poses"},
    {"parent-at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, ALWAYS, AT(LitheJointDef, parent_at),
     .preset = "[0, 0, 0]", .about = "instead of at: origin of the joint in the parent's frame"},
    {"parent-rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheJointDef, parent_rotation),
     .table = &lithe_rotate_table, .preset = "none",
     .about = "rotation of the joint in the parent's frame"},
    {"child-at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheJointDef, child_at),
     .preset = "[0, 0, 0]", .about = "origin of the joint in the child's frame"},
    {"child-rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheJointDef, child_rotation),
     .table = &lithe_rotate_table, .preset = "none",
     .about = "rotation of the joint in the child's frame"},
    QUANTITY("pitch", PITCH, LitheJointDef, pitch, "0", "of a screw: displacement per angle"),
    QUANTITY("length", LENGTH, LitheJointDef, length, "none",
             "of a section: its centre line at rest, along z from the joint"),
    QUANTITY("radius", LENGTH, LitheJointDef, radius, "none",
             "of a section: from its centre line to its three chambers"),
    QUANTITY("line-mass", MASS, LitheJointDef, line_mass, "0",
             "of a section: mass of its centre line, uniform"),
    QUANTITY("along", NUMBER, LitheJointDef, along, "1",
             "of a section: where the child is, above 0 (base) to 1 (tip)"),
    {"shares", LITHE_FIELD_JOINT, AT(LitheJointDef, shares), .preset = "none",
     .about = "of a section: an earlier joint of the same parent, whose chambers also move this "
              "child"},
    {"chambers", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheJointDef, chambers),
     .preset = "[0, 0, 0]", .about = "of a section: elongations of its chambers at the start"},
    {"chamber-count", LITHE_FIELD_INTEGER, AT(LitheJointDef, chamber_count), .preset = "3",
     .about = "of a section: chambers at equal angles from x about z whose elongations the limits "
              "bound, 3 to 64"},
    QUANTITY("position", JOINT_POSITION, LitheJointDef, position, "0",
             "at the start; 0 are the bodies in their initial poses"),
    QUANTITY("velocity", JOINT_SPEED, LitheJointDef, velocity, "0", "at the start"),
    {"limits", LITHE_FIELD_LIMITS, LITHE_WANT_JOINT_POSITION, AT(LitheJointDef, lower),
     ALSO(LitheJointDef, upper), .preset = "none",
     .about = "min and max position; of a ball 0 and the max angle"},
    QUANTITY("stiffness", DRIVE_SPRING, LitheJointDef, stiffness, "0", "spring towards rest"),
    QUANTITY("rest", JOINT_POSITION, LitheJointDef, rest, "0",
             "position where the spring has no force"),
    QUANTITY("damping", DRIVE_DASHPOT, LitheJointDef, damping, "0", "viscous damping"),
    QUANTITY("friction", JOINT_EFFORT, LitheJointDef, friction_loss, "0", "dry friction"),
    QUANTITY("armature", JOINT_INERTIA, LitheJointDef, armature, "0",
             "inertia of the gear train, reflected to the joint"),
    QUANTITY("effort", JOINT_EFFORT, LitheJointDef, effort_limit, "0, no limit",
             "max total effort of its actuators"),
    QUANTITY("speed", JOINT_SPEED, LitheJointDef, velocity_limit, "0, no limit",
             "velocity limit, of each degree of freedom: a joint gets no faster"),
    REPEAT,
};
const LitheTable lithe_joint_table = TABLE("joint", joint_fields);

// --- actuators and pose drives -------------------------------------------------------------------

static const LitheField actuator_fields[] = {
    {"joint", LITHE_FIELD_JOINT, REQUIRED, AT(LitheActuatorDef, joint),
     .about = "name of a joint with one degree of freedom, or of a section; without it the entry "
              "changes the actuator of its name that a robot or an arm has"},
    {"chamber", LITHE_FIELD_INTEGER, AT(LitheActuatorDef, chamber), .preset = "none",
     .about = "of a section: its chamber, 1 to 3"},
    QUANTITY("radius", LENGTH, LitheActuatorDef, radius, "none",
             "of a section, instead of chamber: distance of a chamber or tendon from the centre "
             "line"),
    QUANTITY("angle", ANGLE, LitheActuatorDef, angle, "0",
             "with radius: where the chamber or tendon is, from x about z"),
    {"from", LITHE_FIELD_JOINT, AT(LitheActuatorDef, from), .preset = "the joint",
     .about = "with radius: section at whose base the tendon begins; it ends at the tip of the "
              "joint"},
    {"pulls", LITHE_FIELD_FLAG, AT(LitheActuatorDef, pulls), .preset = "false",
     .about = "with radius: a tendon, whose target is its tension; a negative one does nothing"},
    QUANTITY("area", AREA, LitheActuatorDef, area, "none",
             "of a chamber: the target is then its pressure"),
    {"kind", LITHE_FIELD_WORD, REQUIRED, AT(LitheActuatorDef, kind), .words = actuator_words,
     .about = "applies the target as effort, pulls to it as position, pulls to it as velocity, or "
              "makes the joint follow it exactly"},
    {"target", LITHE_FIELD_PROFILE, LITHE_WANT_TARGET, AT(LitheActuatorDef, target),
     .table = &lithe_profile_table, .preset = "0", .about = "target of the joint over time"},
    QUANTITY("gear", NUMBER, LitheActuatorDef, gear, "1",
             "effort on the joint over that of the actuator"),
    QUANTITY("stiffness", DRIVE_SPRING, LitheActuatorDef, stiffness, "0", "of kind position"),
    QUANTITY("damping", DRIVE_DASHPOT, LitheActuatorDef, damping, "0",
             "of kinds position and velocity"),
    QUANTITY("effort", JOINT_EFFORT, LitheActuatorDef, effort_limit, "0, no limit", "max effort"),
    REPEAT,
};
const LitheTable lithe_actuator_table = TABLE("actuator", actuator_fields);

static const LitheField path_fields[] = {
    {"time", LITHE_FIELD_QUANTITY, LITHE_WANT_TIME, REQUIRED, AT(LithePosePoint, time),
     .about = "increasing from point to point"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, REQUIRED, AT(LithePosePoint, at),
     .about = "where the driven frame is in the world"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, ALWAYS, AT(LithePosePoint, rotation),
     .table = &lithe_rotate_table, .preset = "as at the point before; first: none",
     .about = "rotation there"},
};
static const LitheTable path_table = TABLE("pose", path_fields);

static const char *const path_words[] = {"linear", "smooth", NULL};
static const LitheField pose_drive_fields[] = {
    {"body", LITHE_FIELD_BODY, REQUIRED, AT(LithePoseDriveDef, body),
     .about = "name of the end effector"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LithePoseDriveDef, at), .preset = "[0, 0, 0]",
     .about = "origin of the driven frame in the frame of the body"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LithePoseDriveDef, rotation),
     .table = &lithe_rotate_table, .preset = "none", .about = "rotation there"},
    {"path", LITHE_FIELD_PATH, REQUIRED, AT(LithePoseDriveDef, times), .table = &path_table,
     .about = "list of poses in the world, with straight lines and the shortest rotations between"},
    {"kind", LITHE_FIELD_WORD, AT(LithePoseDriveDef, kind), .words = path_words, .preset = "linear",
     .about = "motion between poses: at constant velocity, or eased in and out, at rest in each"},
    QUANTITY("damping", NUMBER, LithePoseDriveDef, damping, "a good one",
             "of the least-squares solution near singular poses"),
    QUANTITY("posture", NUMBER, LithePoseDriveDef, posture, "0",
             "rate at which the null space pulls the joints to their start positions [1/s]"),
    QUANTITY("stiffness", DRIVE_SPRING, LithePoseDriveDef, stiffness, "0",
             "of the springs that pull the joints there; 0 follows exactly"),
    QUANTITY("joint-damping", DRIVE_DASHPOT, LithePoseDriveDef, joint_damping, "0",
             "of the same springs"),
    {"position-only", LITHE_FIELD_FLAG, AT(LithePoseDriveDef, position_only), .preset = "false",
     .about = "whether only the origin follows the path, and rotations are left to the joints: for "
              "arms with fewer than six of them"},
    REPEAT,
};
const LitheTable lithe_pose_drive_table = TABLE("pose drive", pose_drive_fields);
