// SPDX-License-Identifier: Apache-2.0
// scene/arm.c - a soft arm, as the bodies, joints, actuators and ignored pairs it consists of
//
// The disk at the tip of a section has the joint of the section; the other disks share it.

#include "scene/arm.h"

#include "base/status.h"
#include "math/spatial.h"
#include "scene/objects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// limit the number of bodies of an arm, and the characters that follow its name: /section-1000
#define MAX_SECTIONS 1000
#define MAX_DISKS 1000
#define MAX_CHAMBERS 64
#define ARM_NAME_LENGTH (LITHE_NAME_LENGTH - 16)

LitheArmDef lithe_arm_def_default(void) {
    return (LitheArmDef){
        .rotation = {1, 0, 0, 0},
        .disks = 4,
        .disk_length = 2e-3,
        .chambers = 3,
        .group = 1,
        .mask = UINT32_MAX,
        .colour = {-1, -1, -1},
    };
}

int32_t lithe_section_before(const LitheScene *scene, int32_t joint) {
    LitheBodyId parent = scene->joints[joint - 1].parent;
    for (int32_t i = 0; parent.number > 0 && i < scene->joint_count; i++)
        if (scene->joints[i].child.number == parent.number)
            return scene->joints[i].kind == LITHE_JOINT_SECTION && !scene->joints[i].shares.number
                       ? i + 1
                       : 0;
    return 0;
}

// --- checking ------------------------------------------------------------------------------------

static void check_list(LitheCheck *check, const char *key, const double *values, int32_t count,
                       const char *unit) {
    if (!values)
        lithe_check_fail(check, key, "%s are missing: one per section", key);
    for (int32_t i = 0; values && i < count && check->status == LITHE_OK; i++)
        if (!(values[i] > 0 && values[i] < INFINITY))
            lithe_check_fail(check, key, "%s: number %d is %.9g %s, must be > 0", key, i + 1,
                             values[i], unit);
}

static void check_start(LitheCheck *check, const LitheArmDef *a) {
    if (a->start_count != 0 && a->start_count != 3 * a->section_count)
        lithe_check_fail(check, "start",
                         "start has %d elongations, must have %d, three per section",
                         a->start_count, 3 * a->section_count);
    for (int32_t i = 0; i < a->start_count && check->status == LITHE_OK; i++)
        if (!isfinite(a->start[i]))
            lithe_check_fail(check, "start", "start: number %d is %.9g m, must be finite", i + 1,
                             a->start[i]);
    for (int32_t i = 0; i < a->start_count / 3 && a->lengths && check->status == LITHE_OK; i++) {
        const double *l = a->start + 3 * (ptrdiff_t)i;
        double length = a->lengths[i] + (l[0] + l[1] + l[2]) / 3;
        if (!(length > 0))
            lithe_check_fail(check, "start",
                             "start makes section %d %.9g m long, must be > 0 (lengths: %.9g m)",
                             i + 1, length, a->lengths[i]);
    }
}

static void check_drive(LitheCheck *check, const LitheArmDef *a) {
    lithe_check_choice(check, "drive", (int)a->drive, LITHE_ARM_TENDON + 1);
    bool position = a->drive == LITHE_ARM_POSITION, pressure = a->drive == LITHE_ARM_PRESSURE;
    lithe_check_number(check, "drive-stiffness", a->drive_stiffness, "N/m",
                       position ? LITHE_POSITIVE : LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "drive-damping", a->drive_damping, "N s/m", LITHE_NOT_NEGATIVE);
    if (!position && (a->drive_stiffness > 0 || a->drive_damping > 0))
        lithe_check_fail(check, "drive-stiffness",
                         "drive-stiffness or drive-damping is given, but drive is not position");
    if (a->drive == LITHE_ARM_PASSIVE && a->force_limit > 0)
        lithe_check_fail(check, "force", "force is %.9g N, but the arm has no drive",
                         a->force_limit);
    lithe_check_number(check, "area", a->area, "m^2",
                       pressure ? LITHE_POSITIVE : LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "pressure", a->pressure_limit, "Pa", LITHE_NOT_NEGATIVE);
    if (!pressure && a->pressure_limit > 0)
        lithe_check_fail(check, "pressure", "pressure is %.9g Pa, but drive is not pressure",
                         a->pressure_limit);
    if (pressure && a->force_limit > 0)
        lithe_check_fail(check, "force",
                         "force is %.9g N, but drive is pressure: give pressure, its limit",
                         a->force_limit);
    if (a->chambers < 3 || a->chambers > MAX_CHAMBERS)
        lithe_check_fail(check, "chambers",
                         "chambers is %d, must be 3 to %d: fewer do not span length and bend",
                         a->chambers, MAX_CHAMBERS);
    // the positions of the joint are the elongations of three chambers
    if (a->chambers != 3 && position)
        lithe_check_fail(check, "drive", "drive position with %d chambers: supported for 3",
                         a->chambers);
}

static void check_arm(LitheCheck *check, const LitheArmDef *a) {
    lithe_check_select(check, "arm", "arms", a->name, 0);
    if (!a->name || !lithe_parted_name_is_valid(a->name) || strlen(a->name) > ARM_NAME_LENGTH)
        lithe_check_fail(check, "",
                         "a name has letters, digits, - and _ (at most %d) and begins with a "
                         "letter" LITHE_PARTED_NAME,
                         ARM_NAME_LENGTH);
    if (a->parent.number < 0 || a->parent.number > check->scene->body_count)
        lithe_check_fail(check, "parent", "parent is body number %d of %d", a->parent.number,
                         check->scene->body_count);
    lithe_check_vector(check, "at", a->at, "m");
    lithe_check_quat(check, "rotate", a->rotation);
    if (a->section_count < 1 || a->section_count > MAX_SECTIONS)
        lithe_check_fail(check, "lengths", "the arm has %d sections, must have 1 to %d",
                         a->section_count, MAX_SECTIONS);
    check_list(check, "lengths", a->lengths, a->section_count, "m");
    check_list(check, "masses", a->masses, a->section_count, "kg");
    check_list(check, "radii", a->radii, a->section_count, "m");
    lithe_check_number(check, "stiffness", a->stiffness, "N/m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping", a->damping, "N s/m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "force", a->force_limit, "N", LITHE_NOT_NEGATIVE);
    if (!(a->lower <= a->upper) || !isfinite(a->lower) || !isfinite(a->upper))
        lithe_check_fail(check, "limits", "limits are [%.9g, %.9g] m, must be in order", a->lower,
                         a->upper);
    check_start(check, a);
    if (a->disks < 1 || a->disks > MAX_DISKS)
        lithe_check_fail(check, "disks", "disks is %d, must be from 1 (the tip) to %d", a->disks,
                         MAX_DISKS);
    lithe_check_number(check, "disk-radius", a->disk_radius, "m", LITHE_POSITIVE);
    lithe_check_number(check, "disk-length", a->disk_length, "m", LITHE_POSITIVE);
    lithe_check_number(check, "disk-rounding", a->disk_rounding, "m", LITHE_NOT_NEGATIVE);
    if (a->disk_rounding > 0.5 * a->disk_length * (1 + 1e-12) ||
        (a->disk_rounding > 0 && a->disk_rounding >= a->disk_radius))
        lithe_check_fail(check, "disk-rounding",
                         "disk-rounding is %.9g m, must be at most half of disk-length, %.9g m, "
                         "and below disk-radius, %.9g m",
                         a->disk_rounding, 0.5 * a->disk_length, a->disk_radius);
    lithe_check_number(check, "disk-mass", a->disk_mass, "kg", LITHE_NOT_NEGATIVE);
    if (a->material.number < 0 || a->material.number > check->scene->material_count)
        lithe_check_fail(check, "material", "material is number %d of %d", a->material.number,
                         check->scene->material_count);
    check_drive(check, a);
}

// --- parts ---------------------------------------------------------------------------------------

typedef struct Arm {
    LitheScene *scene;
    const LitheArmDef *def;
    int32_t first; // number of its first body
    LitheJointId first_section;
    LitheBodyId stand; // what the present section stands on
    Pose base;         // of the present section in its frame, and in the world
    Pose world;
} Arm;

static void disk_name(const LitheArmDef *def, int32_t section, int32_t disk, char *name,
                      size_t size) {
    if (section + 1 == def->section_count && disk == def->disks)
        snprintf(name, size, "%s/tip", def->name);
    else
        snprintf(name, size, "%s/%d-%d", def->name, section + 1, disk);
}

// What is drawn behind a disk, down to the one before: the centre line and the chambers, as round
// bars with the chambers at zero.
static void draw_bars(const Arm *arm, int32_t section, LitheGeomDef *bars) {
    const LitheArmDef *def = arm->def;
    double space = def->lengths[section] / def->disks;
    double at = fmin(def->radii[section], 0.85 * def->disk_radius); // not outside of the disks
    double widest = 0.9 * at * sin(M_PI / def->chambers);
    double wide = def->area > 0 ? sqrt(def->area / M_PI) : 0.25 * at;
    bool tendons = def->drive == LITHE_ARM_TENDON;
    for (int32_t k = 0; k <= def->chambers; k++) {
        double angle = 2 * M_PI * (k - 1) / def->chambers;
        bars[k] = lithe_geom_def_default();
        bars[k].kind = LITHE_GEOM_CAPSULE;
        bars[k].length = space;
        bars[k].radius = k == 0 ? 0.3 * at : tendons ? 0.03 * at : fmin(wide, widest);
        bars[k].at = v3(k == 0 ? 0 : at * cos(angle), k == 0 ? 0 : at * sin(angle), -0.5 * space);
        bars[k].visual = true;
        bars[k].colour = k == 0 ? def->colour : (LitheVec3){0.45, 0.5, 0.55};
    }
}

// disk `disk` (from 1; 0: at the base) of a section, with the chambers at zero
static LitheBodyId add_disk(const Arm *arm, int32_t section, int32_t disk) {
    const LitheArmDef *def = arm->def;
    double r = def->disk_radius, l = def->disk_length, along = (double)disk / def->disks;
    char name[2 * LITHE_NAME_LENGTH];
    disk_name(def, section, disk, name, sizeof name);
    LitheGeomDef geoms[MAX_CHAMBERS + 3], geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_CYLINDER;
    geom.radius = r;
    geom.length = l;
    geom.rounding = def->disk_rounding;
    geom.material = def->material;
    geom.weightless = def->material.number > 0;
    geom.visual = def->material.number == 0;
    geom.group = def->group;
    geom.mask = def->mask;
    geom.colour = def->colour;
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = pose_point(arm->world, v3(0, 0, along * def->lengths[section]));
    body.rotation = arm->world.rotation;
    double mass = disk > 0 ? def->disk_mass : 0;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = mass * (3 * r * r + l * l) / 12;
    body.inertia[2] = 0.5 * mass * r * r;
    body.fixed = disk == 0 && arm->stand.number == 0;
    // what touches is not drawn where there is something to draw only: the disk is both
    int32_t count = 0;
    geoms[count++] = geom;
    if (!geom.visual) {
        geoms[count] = geom;
        geoms[count].material = (LitheMaterialId){0};
        geoms[count].weightless = false;
        geoms[count++].visual = true;
    }
    body.geoms = geoms;
    body.geom_count = count;
    if (disk > 0) {
        draw_bars(arm, section, geoms + count);
        body.geom_count += def->chambers + 1;
    }
    return lithe_scene_add_body(arm->scene, &body);
}

// the joint of the section where `owner` is {0}, else one that shares it
static LitheJointId add_joint(const Arm *arm, int32_t section, int32_t disk, LitheBodyId body,
                              LitheJointId owner) {
    const LitheArmDef *def = arm->def;
    char name[2 * LITHE_NAME_LENGTH];
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = name;
    joint.kind = LITHE_JOINT_SECTION;
    joint.parent = arm->stand;
    joint.child = body;
    joint.parent_at = arm->base.at;
    joint.parent_rotation = arm->base.rotation;
    joint.along = (double)disk / def->disks;
    if (owner.number > 0) {
        snprintf(name, sizeof name, "%s/%d-%d", def->name, section + 1, disk);
        joint.shares = owner;
        return lithe_scene_add_joint(arm->scene, &joint);
    }
    snprintf(name, sizeof name, "%s/section-%d", def->name, section + 1);
    joint.length = def->lengths[section];
    joint.radius = def->radii[section];
    joint.line_mass = def->masses[section];
    // n springs at equal angles are as stiff as three of n/3 each
    joint.stiffness = def->stiffness * def->chambers / 3;
    joint.damping = def->damping * def->chambers / 3;
    joint.limited = def->lower != 0 || def->upper != 0;
    joint.lower = def->lower;
    joint.upper = def->upper;
    joint.chamber_count = def->chambers;
    if (def->start_count > 0)
        joint.chambers = v3_load(def->start + 3 * (ptrdiff_t)section);
    return lithe_scene_add_joint(arm->scene, &joint);
}

static bool add_drives(const Arm *arm, int32_t section, LitheJointId joint) {
    const LitheArmDef *def = arm->def;
    bool three = def->chambers == 3 && def->drive != LITHE_ARM_TENDON;
    for (int32_t k = 1; k <= def->chambers && def->drive != LITHE_ARM_PASSIVE; k++) {
        char name[2 * LITHE_NAME_LENGTH];
        LitheActuatorDef drive = lithe_actuator_def_default();
        snprintf(name, sizeof name, "%s/%d-%d", def->name, section + 1, k);
        drive.name = name;
        drive.joint = joint;
        drive.chamber = three ? k : 0;
        drive.radius = three ? 0 : def->radii[section];
        drive.angle = three ? 0 : 2 * M_PI * (k - 1) / def->chambers;
        if (def->drive == LITHE_ARM_TENDON) {
            drive.pulls = true;
            drive.from = arm->first_section;
        }
        if (def->drive == LITHE_ARM_POSITION) {
            drive.kind = LITHE_ACTUATOR_POSITION;
            drive.stiffness = def->drive_stiffness;
            drive.damping = def->drive_damping;
            drive.target.value =
                def->start_count > 0 ? def->start[3 * (ptrdiff_t)section + k - 1] : 0;
        }
        drive.effort_limit = def->force_limit;
        if (def->drive == LITHE_ARM_PRESSURE) {
            drive.area = def->area;
            drive.effort_limit = def->pressure_limit * def->area;
        }
        if (!lithe_scene_add_actuator(arm->scene, &drive))
            return false;
    }
    return true;
}

// a disk where the section begins
static bool add_base(const Arm *arm, int32_t section) {
    char name[2 * LITHE_NAME_LENGTH];
    LitheBodyId body = add_disk(arm, section, 0);
    LitheJointDef joint = lithe_joint_def_default();
    if (body.number == 0 || arm->stand.number == 0)
        return body.number > 0;
    snprintf(name, sizeof name, "%s/%d-0", arm->def->name, section + 1);
    joint.name = name;
    joint.kind = LITHE_JOINT_WELD;
    joint.parent = arm->stand;
    joint.child = body;
    joint.parent_at = arm->base.at;
    joint.parent_rotation = arm->base.rotation;
    return lithe_scene_add_joint(arm->scene, &joint).number > 0;
}

static bool add_section(Arm *arm, int32_t section) {
    const LitheArmDef *def = arm->def;
    LitheJointId owner = {0};
    LitheBodyId tip = {0};
    if (def->base_plates && !add_base(arm, section))
        return false;
    for (int32_t k = 1; k <= def->disks; k++) {
        LitheBodyId body = add_disk(arm, section, k);
        if (body.number == 0)
            return false;
        tip = body;
    }
    owner = add_joint(arm, section, def->disks, tip, owner);
    if (owner.number == 0)
        return false;
    if (section == 0)
        arm->first_section = owner;
    for (int32_t k = 1; k < def->disks; k++) {
        LitheBodyId body = {tip.number - def->disks + k};
        if (add_joint(arm, section, k, body, owner).number == 0)
            return false;
    }
    arm->stand = tip;
    arm->base = pose_identity();
    arm->world.at = pose_point(arm->world, v3(0, 0, def->lengths[section]));
    return add_drives(arm, section, owner);
}

// disks that never touch: all, or neighbours along the arm
static bool ignore_disks(const Arm *arm) {
    int32_t plates = arm->def->base_plates; // of each section
    int32_t count = arm->def->section_count * (arm->def->disks + plates);
    bool touches = arm->def->material.number > 0;
    for (int32_t i = 0; i < count && touches; i++) {
        const char *own = arm->scene->bodies[arm->first + i].name;
        if (i <= plates && arm->def->parent.number > 0 &&
            !lithe_scene_ignore_pair(arm->scene, own,
                                     arm->scene->bodies[arm->def->parent.number - 1].name))
            return false;
        int32_t beside = i + 2 + plates; // a plate between two disks is a copy of one
        int32_t after = arm->def->self_contact && beside < count ? beside : count;
        for (int32_t k = i + 1; k < after; k++)
            if (!lithe_scene_ignore_pair(arm->scene, own, arm->scene->bodies[arm->first + k].name))
                return false;
    }
    return true;
}

static bool add_all(Arm *arm) {
    const LitheArmDef *def = arm->def;
    arm->stand = def->parent;
    arm->base = arm->world = (Pose){q4_unit(def->rotation), def->at};
    if (def->parent.number > 0) {
        const LitheBodyDef *parent = &arm->scene->bodies[def->parent.number - 1];
        arm->world = pose_mul((Pose){q4_unit(parent->rotation), parent->at}, arm->base);
    }
    for (int32_t i = 0; i < def->section_count; i++)
        if (!add_section(arm, i))
            return false;
    return ignore_disks(arm);
}

LitheStatus lithe_arm_expand(LitheScene *scene, const LitheArmDef *def, char *key, size_t size,
                             LitheError *error) {
    LitheCheck check = {.scene = scene, .error = error, .prefix = ""};
    check_arm(&check, def);
    snprintf(key, size, "%s", check.status == LITHE_OK ? "" : check.failed);
    if (check.status != LITHE_OK)
        return check.status;
    int32_t bodies = scene->body_count, joints = scene->joint_count;
    int32_t actuators = scene->actuator_count;
    int32_t pairs = scene->ignored_pair_count, notes = scene->note_count;
    Arm arm = {.scene = scene, .def = def, .first = bodies};
    if (add_all(&arm))
        return LITHE_OK;
    lithe_object_truncate(scene, LITHE_OBJECT_ACTUATOR, actuators);
    lithe_object_truncate(scene, LITHE_OBJECT_JOINT, joints);
    lithe_object_truncate(scene, LITHE_OBJECT_BODY, bodies);
    lithe_scene_cut_pairs(scene, pairs, notes);
    return lithe_fail_memory(error, "an arm");
}

LitheStatus lithe_scene_add_arm(LitheScene *scene, const LitheArmDef *def, LitheError *error) {
    char key[128];
    return lithe_arm_expand(scene, def, key, sizeof key, error);
}
