// SPDX-License-Identifier: Apache-2.0
// scene/read_rigid.c - bodies, joints, actuators and pose drives, and the fields that only they
// have

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "geom/geom_keys.h"
#include "math/quat.h"
#include "scene/entries.h"
#include "scene/geom_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MEMBER(Type, base, at) ((Type *)((char *)(base) + (at)))

// --- rotations, bits, names ----------------------------------------------------------------------

static bool read_quat(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      LitheQuat *rotation) {
    double v[4]; // numbers of the list
    if (node->kind == LITHE_TREE_SEQUENCE && node->count == 4) {
        if (!lithe_read_numbers(reader, node, LITHE_WANT_NUMBER, 4, v))
            return false;
        *rotation = (LitheQuat){v[0], v[1], v[2], v[3]};
        return true;
    }
    if (node->kind == LITHE_TREE_SEQUENCE) {
        if (node->count != 3)
            return lithe_read_fail(reader, node,
                                   "has %d values, 3 (a rotation vector) or 4 (a quaternion) are "
                                   "expected",
                                   node->count);
        if (!lithe_read_numbers(reader, node, LITHE_WANT_ANGLE, 3, v))
            return false;
        *rotation = q4_exp(v3_load(v));
        return true;
    }
    LitheRotateDef turn = {0};
    if (!lithe_read_mapping(reader, field->table, node, &turn))
        return false;
    if (!lithe_read_axis(reader, node, &turn.axis))
        return false;
    *rotation = q4_axis_angle(turn.axis, turn.angle);
    return true;
}

static bool read_scale(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *scale) {
    double factor;
    if (node->kind == LITHE_TREE_SEQUENCE)
        return lithe_read_vector(reader, node, LITHE_WANT_NUMBER, scale);
    if (!lithe_read_quantity(reader, node, LITHE_WANT_NUMBER, &factor))
        return false;
    *scale = v3(factor, factor, factor);
    return true;
}

static bool read_group(LitheReader *reader, const LitheTreeNode *node, uint32_t *bits) {
    int32_t number;
    if (!lithe_read_scalar(reader, node, "the number of a group") ||
        !lithe_read_integer(reader, node, node->text, &number))
        return false;
    if (number < 1 || number > 32)
        return lithe_read_fail(reader, node, "group %d, must be from 1 to 32", number);
    *bits |= 1u << (number - 1);
    return true;
}

static bool read_bits(LitheReader *reader, const LitheTreeNode *node, uint32_t *bits) {
    *bits = 0;
    if (node->kind == LITHE_TREE_SCALAR && strcmp(node->text, "none") == 0)
        return true;
    if (node->kind == LITHE_TREE_SCALAR && strcmp(node->text, "all") == 0) {
        *bits = UINT32_MAX;
        return true;
    }
    if (node->kind != LITHE_TREE_SEQUENCE)
        return read_group(reader, node, bits);
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (!read_group(reader, child, bits))
            return false;
    return true;
}

static bool read_body(LitheReader *reader, const LitheTreeNode *node, LitheBodyId *id) {
    return lithe_read_scalar(reader, node, "the name of a body") &&
           lithe_read_name(reader, node, LITHE_OBJECT_BODY, node->text, &id->number);
}

// one name, or a list of them
static bool read_bodies(LitheReader *reader, const LitheTreeNode *node, LitheBodyId *first,
                        LitheBodyId *more) {
    int32_t count = 0;
    if (node->kind != LITHE_TREE_SEQUENCE)
        return read_body(reader, node, first);
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        count++;
    if (count < 1 || count > 1 + LITHE_PLAN_MORE_DISKS)
        return lithe_read_fail(reader, node, "the list has %d names, must have 1 to %d", (int)count,
                               1 + LITHE_PLAN_MORE_DISKS);
    count = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, count++)
        if (!read_body(reader, child, count == 0 ? first : &more[count - 1]))
            return false;
    return true;
}

static bool read_joint(LitheReader *reader, const LitheTreeNode *node, LitheJointId *id) {
    return lithe_read_scalar(reader, node, "the name of a joint") &&
           lithe_read_name(reader, node, LITHE_OBJECT_JOINT, node->text, &id->number);
}

bool lithe_read_file(LitheReader *reader, const LitheTreeNode *node, const char **path) {
    if (!lithe_read_scalar(reader, node, "a file name"))
        return false;
    const char *folder = reader->tree->folders[node->file];
    if (!folder)
        return lithe_read_fail(reader, node,
                               "a scene given as text without a folder cannot refer to files");
    bool absolute = node->text[0] == '/' || strcmp(folder, ".") == 0;
    size_t size = strlen(folder) + strlen(node->text) + 2;
    char *joined = lithe_read_push(reader, (int64_t)size, 1);
    if (!joined)
        return false;
    snprintf(joined, size, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", node->text);
    if (access(joined, R_OK) != 0) {
        reader->status = lithe_fail_at(
            reader->error, LITHE_FILE_ERROR, reader->tree->files[node->file], node->line,
            node->column, "%s: cannot read %s: %s", reader->path, joined, strerror(errno));
        return false;
    }
    *path = joined;
    return true;
}

// --- shapes --------------------------------------------------------------------------------------

static bool read_triangles(LitheReader *reader, const LitheTreeNode *node, LitheGeomDef *geom) {
    int32_t *corners = lithe_read_items(reader, node, "a list of triangles", 3 * sizeof *corners);
    if (!corners)
        return false;
    int64_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        if (child->kind != LITHE_TREE_SEQUENCE || child->count != 3)
            return lithe_read_fail(reader, child,
                                   "a triangle, three numbers of points, is expected");
        for (const LitheTreeNode *corner = child->first; corner; corner = corner->next)
            if (!lithe_read_scalar(reader, corner, "a whole number") ||
                !lithe_read_integer(reader, corner, corner->text, &corners[i++]))
                return false;
    }
    geom->triangles = corners;
    geom->triangle_count = node->count;
    return true;
}

static bool read_heights(LitheReader *reader, const LitheTreeNode *node, LitheGeomDef *geom) {
    if (node->kind != LITHE_TREE_SEQUENCE || node->count == 0 ||
        node->first->kind != LITHE_TREE_SEQUENCE)
        return lithe_read_fail(reader, node, "a list of rows of heights is expected");
    int32_t columns = node->first->count, row = 0;
    double *heights = lithe_read_push(reader, (int64_t)node->count * columns, sizeof *heights);
    if (!heights)
        return false;
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (!lithe_read_numbers(reader, child, LITHE_WANT_LENGTH, columns,
                                &heights[(int64_t)row++ * columns]))
            return false;
    geom->heights = heights;
    geom->rows = node->count;
    geom->columns = columns;
    return true;
}

static bool read_outline(LitheReader *reader, const LitheTreeNode *node, LitheGeomDef *geom) {
    double *z = lithe_read_items(reader, node, "a list of [z, radius]", 2 * sizeof *z);
    if (!z)
        return false;
    double *r = z + node->count;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, i++) {
        double pair[2];
        if (!lithe_read_numbers(reader, child, LITHE_WANT_LENGTH, 2, pair))
            return false;
        z[i] = pair[0];
        r[i] = pair[1];
    }
    geom->profile_z = z;
    geom->profile_r = r;
    geom->profile_count = node->count;
    return true;
}

// Reads the mesh of a file, so that the scene needs no other file.
static bool read_mesh_file(LitheReader *reader, LitheGeomDef *geom) {
    LitheGeomDef read;
    LitheVec3 s = geom->scale;
    if (!v3_finite(s) || s.x == 0 || s.y == 0 || s.z == 0)
        return true; // the check reports it
    if (!lithe_read_note_input(reader, geom->path))
        return false;
    reader->status = lithe_geom_file_read(reader->tree->context, geom, &read, reader->error);
    if (reader->status != LITHE_OK)
        return false;
    size_t points = (size_t)read.point_count * sizeof *read.points;
    size_t triangles = 3 * (size_t)read.triangle_count * sizeof *read.triangles;
    void *own_points = lithe_read_push(reader, (int64_t)points, 1);
    void *own_triangles = lithe_read_push(reader, (int64_t)triangles, 1);
    bool ok = own_points && own_triangles;
    if (ok) {
        memcpy(own_points, read.points, points);
        if (read.triangles)
            memcpy(own_triangles, read.triangles, triangles);
        *geom = read;
        geom->points = own_points;
        geom->triangles = read.triangles ? own_triangles : NULL;
    }
    lithe_geom_file_free(reader->tree->context, &read);
    return ok;
}

// One shape: a mapping with one of the kinds, which are the first rows of the table.
static bool read_geom(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                      LitheGeomDef *geom) {
    int kinds = 0;
    *geom = lithe_geom_def_default();
    for (int i = 0; node->kind == LITHE_TREE_MAPPING && i < LITHE_GEOM_KINDS; i++)
        if (lithe_tree_find(node, table->fields[i].key)) {
            geom->kind = (LitheGeomKind)i;
            kinds++;
        }
    if (kinds != 1) {
        char text[400];
        const LitheTable only = {table->name, table->fields, LITHE_GEOM_KINDS};
        // a wrong key has its own message
        for (const LitheTreeNode *child = node->first; child && node->kind == LITHE_TREE_MAPPING;
             child = child->next)
            if (!lithe_field_find(table, child->key))
                return lithe_read_mapping(reader, table, node, geom);
        snprintf(text, sizeof text, "one kind of shape is expected, %d are given", kinds);
        lithe_known_key_text("", &only, text, sizeof text);
        return lithe_read_fail(reader, node, "%s", text);
    }
    return lithe_read_mapping(reader, table, node, geom) &&
           (!geom->path || read_mesh_file(reader, geom));
}

static bool read_geoms(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       LitheBodyDef *body) {
    LitheGeomDef *geoms = lithe_read_items(reader, node, "a list of shapes", sizeof *geoms);
    if (!geoms)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, i++) {
        size_t length = lithe_read_enter_index(reader, i);
        if (!read_geom(reader, field->table, child, &geoms[i]))
            return false;
        lithe_read_leave(reader, length);
    }
    body->geoms = node->count > 0 ? geoms : NULL;
    body->geom_count = node->count;
    return true;
}

static bool read_one_geom(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                          LitheBodyDef *body) {
    LitheGeomDef *geom = lithe_read_push(reader, 1, sizeof *geom);
    if (!geom || !read_geom(reader, field->table, node, geom))
        return false;
    body->geoms = geom;
    body->geom_count = 1;
    return true;
}

// --- paths ---------------------------------------------------------------------------------------

static bool read_path(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      LithePoseDriveDef *drive) {
    double *times = lithe_read_items(reader, node, "a list of poses", sizeof *times);
    if (!times)
        return false;
    LitheVec3 *positions = lithe_read_push(reader, node->count, sizeof *positions);
    LitheQuat *rotations = lithe_read_push(reader, node->count, sizeof *rotations);
    if (!positions || !rotations)
        return false;
    LithePosePoint point = {.rotation = {1, 0, 0, 0}}; // the rotation is kept from point to point
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, i++) {
        if (!lithe_read_item(reader, field->table, child, i, &point))
            return false;
        times[i] = point.time;
        positions[i] = point.at;
        rotations[i] = point.rotation;
    }
    drive->times = times;
    drive->positions = positions;
    drive->rotations = rotations;
    drive->count = node->count;
    return true;
}

bool lithe_read_ignore(LitheReader *reader, const LitheTreeNode *node) {
    if (node->kind == LITHE_TREE_SCALAR && node->text[0] == '\0' && !node->quoted)
        return true;
    if (node->kind != LITHE_TREE_SEQUENCE)
        return lithe_read_fail(reader, node, "a list of pairs of names is expected");
    for (const LitheTreeNode *pair = node->first; pair; pair = pair->next) {
        if (pair->kind != LITHE_TREE_SEQUENCE || pair->count != 2)
            return lithe_read_fail(reader, pair, "a pair of names is expected");
        if (!lithe_read_scalar(reader, pair->first, "a name") ||
            !lithe_read_scalar(reader, pair->last, "a name"))
            return false;
        if (!lithe_scene_ignore_pair(reader->scene, pair->first->text, pair->last->text))
            return lithe_read_fail_memory(reader);
    }
    return true;
}

bool lithe_read_rigid_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                           void *base) {
    static const char *const flags[] = {"false", "true", NULL};
    void *member = (char *)base + field->offset;
    double pair[2];
    int word;
    switch (field->type) {
    case LITHE_FIELD_QUAT:
        return read_quat(reader, field, node, member);
    case LITHE_FIELD_SCALE:
        return read_scale(reader, node, member);
    case LITHE_FIELD_SIX:
        return lithe_read_numbers(reader, node, field->wanted, 6, member);
    case LITHE_FIELD_COLOUR:
        return lithe_read_colour(reader, node, member);
    case LITHE_FIELD_BITS:
        return read_bits(reader, node, member);
    case LITHE_FIELD_LIMITS:
        if (!lithe_read_numbers(reader, node, field->wanted, 2, pair))
            return false;
        *(double *)member = pair[0];
        *MEMBER(double, base, field->also) = pair[1];
        ((LitheJointDef *)base)->limited = true;
        return true;
    case LITHE_FIELD_PARENT:
        if (node->kind == LITHE_TREE_SCALAR && strcmp(node->text, "world") == 0)
            return true;
        return read_body(reader, node, member);
    case LITHE_FIELD_BODY:
        return read_body(reader, node, member);
    case LITHE_FIELD_BODIES:
        return read_bodies(reader, node, member, MEMBER(LitheBodyId, base, field->also));
    case LITHE_FIELD_JOINT:
        return read_joint(reader, node, member);
    case LITHE_FIELD_FILE:
        return lithe_read_file(reader, node, member);
    case LITHE_FIELD_TRIANGLES:
        return read_triangles(reader, node, base);
    case LITHE_FIELD_HEIGHTS:
        return read_heights(reader, node, base);
    case LITHE_FIELD_POSITIONS: // read after the robot was added
        return node->kind == LITHE_TREE_MAPPING ||
               lithe_read_fail(reader, node, "names of joints with positions are expected");
    case LITHE_FIELD_OUTLINE:
        return read_outline(reader, node, base);
    case LITHE_FIELD_CONVEX:
        if (!lithe_read_word(reader, node, flags, &word))
            return false;
        if (word == 1)
            ((LitheGeomDef *)base)->kind = LITHE_GEOM_CONVEX_MESH;
        return true;
    case LITHE_FIELD_GEOM:
        return read_one_geom(reader, field, node, base);
    case LITHE_FIELD_GEOMS:
        return read_geoms(reader, field, node, base);
    case LITHE_FIELD_PATH:
        return read_path(reader, field, node, base);
    case LITHE_FIELD_ANCHOR:
    case LITHE_FIELD_ANCHORS:
    case LITHE_FIELD_ANCHOR_ON:
        return lithe_read_anchor(reader, field, node, base);
    default:
        return true;
    }
}

// --- objects -------------------------------------------------------------------------------------

// The text of a scalar below a mapping; "" when there is none.
static const char *text_of(const LitheTreeNode *node, const char *key) {
    const LitheTreeNode *child =
        node->kind == LITHE_TREE_MAPPING ? lithe_tree_find(node, key) : NULL;
    return child && child->kind == LITHE_TREE_SCALAR ? child->text : "";
}

bool lithe_finish_body(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    (void)reader;
    LitheBodyEntry *body = entry;
    LitheGeomDef *geoms = (LitheGeomDef *)body->def.geoms; // in the memory of the tree
    for (int32_t i = 0; i < body->def.geom_count; i++) {
        if (geoms[i].material.number == 0 && !geoms[i].visual)
            geoms[i].material = body->material;
        if (geoms[i].colour.x < 0 && lithe_tree_find(node, "colour"))
            geoms[i].colour = body->colour;
    }
    return true;
}

// Appends "; did you mean joint4?", or lists the joints from number `first` on, without the robot's
// name.
static void known_joints(LitheReader *reader, const char *robot, const char *wrong, int32_t first,
                         char *text, size_t size) {
    const LitheScene *scene = reader->scene;
    int32_t count = scene->joint_count - first;
    const char **names = lithe_read_push(reader, count + 1, sizeof *names);
    for (int32_t i = 0; names && i < count; i++)
        names[i] = scene->joints[first + i].name + strlen(robot) + 1;
    text[0] = '\0';
    if (names)
        lithe_known_text(wrong, names, count, text, size);
}

// Sets the initial positions of the robot's joints, which are those from number `first` on.
static bool read_positions(LitheReader *reader, const LitheTreeNode *robot, int32_t first) {
    const LitheTreeNode *node = lithe_tree_find(robot, "positions");
    size_t outer = node ? lithe_read_enter(reader, "positions") : 0;
    for (const LitheTreeNode *child = node ? node->first : NULL; child; child = child->next) {
        LitheJointDef *joint = NULL;
        for (int32_t i = first; i < reader->scene->joint_count && !joint; i++)
            if (strcmp(reader->scene->joints[i].name + strlen(robot->key) + 1, child->key) == 0)
                joint = &reader->scene->joints[i];
        if (!joint) {
            char known[300];
            known_joints(reader, robot->key, child->key, first, known, sizeof known);
            return lithe_read_fail(reader, child, "robot '%s' has no joint '%.60s'%s", robot->key,
                                   child->key, known);
        }
        size_t length = lithe_read_enter(reader, child->key);
        bool slides = lithe_joint_slides(joint->kind);
        if (joint->kind != LITHE_JOINT_PRISMATIC && joint->kind != LITHE_JOINT_REVOLUTE &&
            joint->kind != LITHE_JOINT_SCREW)
            return lithe_read_fail(reader, child,
                                   "a joint of kind %s has more than one position: only revolute, "
                                   "prismatic and screw joints can be set here",
                                   lithe_joint_words[joint->kind]);
        if (!lithe_read_quantity(reader, child, slides ? LITHE_WANT_LENGTH : LITHE_WANT_ANGLE,
                                 &joint->position))
            return false;
        lithe_read_leave(reader, length);
    }
    if (node)
        lithe_read_leave(reader, outer);
    return true;
}

bool lithe_add_robot(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    const LitheRobotDef *def = entry;
    double norm = q4_norm(def->rotation);
    if (!v3_finite(def->at) || !(fabs(norm - 1) <= LITHE_UNIT_TOLERANCE))
        return lithe_read_fail(reader, node,
                               "at is (%g, %g, %g) m, must be finite; rotate has length %.9g, must "
                               "be 1",
                               def->at.x, def->at.y, def->at.z, norm);
    int32_t before = reader->scene->joint_count;
    reader->status = reader->add_robot(reader->scene, def, reader->error);
    return reader->status == LITHE_OK && read_positions(reader, node, before);
}

static double section_length(const LitheReader *reader, const LitheJointDef *def) {
    int32_t owner = def->shares.number;
    return owner > 0 ? reader->scene->joints[owner - 1].length : def->length;
}

// Converts the joint frame from the world to frames in parent and child, with these in their
// initial poses.
bool lithe_finish_joint(LitheReader *reader, const LitheTreeNode *node, void *of) {
    static const char *const own[] = {"parent-at", "parent-rotate", "child-at", "child-rotate"};
    static const char *const world[] = {"at", "axis", "rotate"};
    LitheJointEntry *entry = of;
    LitheJointDef *def = &entry->def;
    for (int i = 0; i < 4; i++) {
        if (!lithe_tree_find(node, own[i]))
            continue;
        for (int k = 0; k < 3; k++) {
            const LitheTreeNode *both = lithe_tree_find(node, world[k]);
            if (both)
                return lithe_read_fail(reader, both, "%s and %s are both given, one is expected",
                                       world[k], own[i]);
        }
        return true; // both joint frames are given in the frames of the bodies
    }
    const LitheBodyDef *child = &reader->scene->bodies[def->child.number - 1];
    Quat turn = entry->rotation;
    const LitheTreeNode *axis = lithe_tree_find(node, "axis");
    if (axis) {
        Vec3 along = entry->axis;
        if (!lithe_read_axis(reader, axis, &along))
            return false;
        turn = q4_between(v3(0, 0, 1), along);
    }
    // the child's frame is on the section
    double length = def->kind == LITHE_JOINT_SECTION ? section_length(reader, def) : 0;
    Vec3 on = q4_rotate(turn, v3(0, 0, length * def->along));
    Vec3 at = lithe_tree_find(node, "at") ? entry->at : v3_sub(child->at, on);
    def->parent_at = at;
    def->parent_rotation = turn;
    if (def->parent.number > 0) {
        const LitheBodyDef *parent = &reader->scene->bodies[def->parent.number - 1];
        Quat back = q4_conj(parent->rotation);
        def->parent_at = q4_rotate(back, v3_sub(at, parent->at));
        def->parent_rotation = q4_mul(back, turn);
    }
    Quat back = q4_conj(child->rotation);
    def->child_at = q4_rotate(back, v3_sub(v3_add(at, on), child->at));
    def->child_rotation = q4_mul(back, turn);
    return true;
}

bool lithe_begin_joint(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    (void)entry;
    // the kind determines the dimensions
    const char *kind = text_of(node, "kind");
    reader->turns = strcmp(kind, "prismatic") != 0 && strcmp(kind, "section") != 0;
    return true;
}

// Without a joint an entry changes the actuator of its name that a robot or an arm has made.
static bool change_actuator(LitheReader *reader, const LitheTreeNode *node, LitheActuatorDef *def) {
    const LitheNames *names = &reader->names[LITHE_OBJECT_ACTUATOR];
    int32_t made = lithe_read_find(reader, LITHE_OBJECT_ACTUATOR, def->name);
    if (made > 0) {
        *def = reader->scene->actuators[made - 1];
        reader->changed = def;
    }
    if (made > 0 || names->count == 0)
        return true;
    const char **known = lithe_read_push(reader, names->count, sizeof *known);
    for (int32_t i = 0; known && i < names->count; i++)
        known[i] = names->all[i].name;
    char text[300] = "";
    if (known)
        lithe_known_text(def->name, known, names->count, text, sizeof text);
    return lithe_read_fail(
        reader, node, "joint is missing, and no robot or arm has an actuator of this name%s", text);
}

bool lithe_begin_actuator(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    static const char *const kinds[] = {"force", "position", "velocity"};
    LitheActuatorDef *def = entry;
    if (node->kind == LITHE_TREE_MAPPING && !lithe_tree_find(node, "joint") &&
        !change_actuator(reader, node, def))
        return false;
    // kind and joint determine the dimensions; wrong ones are reported below
    const char *kind = text_of(node, "kind");
    if (reader->changed && !*kind && def->kind < LITHE_ACTUATOR_PRESCRIBED)
        kind = kinds[def->kind];
    int32_t joint = reader->changed
                        ? def->joint.number
                        : lithe_read_find(reader, LITHE_OBJECT_JOINT, text_of(node, "joint"));
    reader->turns = joint == 0 || !lithe_joint_slides(reader->scene->joints[joint - 1].kind);
    bool speed = strcmp(kind, "velocity") == 0, effort = strcmp(kind, "force") == 0;
    reader->target_wanted = speed    ? LITHE_WANT_JOINT_SPEED
                            : effort ? LITHE_WANT_JOINT_EFFORT
                                     : LITHE_WANT_JOINT_POSITION;
    if (*text_of(node, "area") || (reader->changed && def->area > 0))
        reader->target_wanted = LITHE_WANT_PRESSURE;
    return true;
}

bool lithe_begin_pose_drive(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    (void)node;
    (void)entry;
    reader->turns = true;
    return true;
}
