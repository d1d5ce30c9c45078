// SPDX-License-Identifier: Apache-2.0
// cli/check_bodies.c - lithe check: rigid bodies, joints and actuators

#include "cli/check_group.h"

#include "body/pose_drive.h"
#include "body/tree_body.h"
#include "data/model.h"
#include "geom/geom_keys.h"
#include "scene/fields.h"
#include "scene/scene.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const actuator_names[] = {
    [LITHE_ACTUATOR_FORCE] = "force",
    [LITHE_ACTUATOR_POSITION] = "position",
    [LITHE_ACTUATOR_VELOCITY] = "velocity",
    [LITHE_ACTUATOR_PRESCRIBED] = "prescribed",
};

// --- objects with numbered names -----------------------------------------------------------------

bool lithe_cli_fold(LitheCliFold *fold, const char *name) {
    size_t length = strlen(name), prefix = length;
    while (prefix > 0 && isdigit((unsigned char)name[prefix - 1]))
        prefix--;
    if (prefix == length || prefix == 0 || !strchr("/-", name[prefix - 1]) || !strchr(name, '/'))
        return false;
    for (int32_t i = 0; i < fold->row_count; i++)
        if (fold->rows[i].prefix == (int32_t)prefix &&
            memcmp(fold->rows[i].last, name, prefix) == 0) {
            fold->rows[i].last = name;
            fold->rows[i].count++;
            return true;
        }
    // the list is full: print every entry
    int32_t capacity = (int32_t)(sizeof fold->rows / sizeof *fold->rows);
    if (fold->row_count < capacity) {
        fold->rows[fold->row_count].last = name;
        fold->rows[fold->row_count].prefix = (int32_t)prefix;
        fold->rows[fold->row_count++].count = 0;
    }
    return false;
}

void lithe_cli_fold_end(const LitheCliFold *fold, const char *what) {
    for (int32_t i = 0; i < fold->row_count; i++)
        if (fold->rows[i].count > 0)
            printf("\n%s '%.*s..': %d more, up to '%s'\n", what, fold->rows[i].prefix,
                   fold->rows[i].last, fold->rows[i].count, fold->rows[i].last);
}

// --- bodies --------------------------------------------------------------------------------------

// The first shapes of the next body: shapes are in the order of their bodies.
typedef struct Next {
    int32_t geom, visual;
} Next;

// "2 x capsule", since not every kind has a regular plural
static void put_shapes(LitheCliGroups *all, const LitheModel *model, int32_t body, Next *next) {
    int32_t counts[LITHE_GEOM_KINDS] = {0}, total = 0;
    for (; next->geom < model->geom_count && model->geoms[next->geom].body == body; next->geom++) {
        const LitheGeom *geom = &model->geoms[next->geom].geom;
        counts[geom->kind]++;
        total++;
        // sizes are not printed: bodies with others are other bodies
        lithe_cli_put_key(all, "%.9g %.9g %.9g ", geom->radius, geom->reach,
                          v3_distance(geom->low, geom->high));
    }
    lithe_cli_put(all, "  %-26s ", "shapes");
    if (total == 0)
        lithe_cli_put(all, "none");
    const char *between = "";
    for (int kind = 0; kind < LITHE_GEOM_KINDS; kind++) {
        if (counts[kind] == 0)
            continue;
        if (counts[kind] > 1)
            lithe_cli_put(all, "%s%d x %s", between, counts[kind], lithe_geom_keys[kind]);
        else
            lithe_cli_put(all, "%s%s", between, lithe_geom_keys[kind]);
        between = ", ";
    }
    int32_t visuals = 0;
    for (; next->visual < model->visual_count && model->visuals[next->visual].body == body;
         next->visual++)
        visuals++;
    lithe_cli_put(all, "\n");
    if (visuals > 0)
        lithe_cli_put(all, "  %-26s %d shape%s, only drawn\n", "visual", visuals,
                      visuals == 1 ? "" : "s");
}

static void put_body(LitheCliGroups *all, const LitheModel *model, const LitheState *state,
                     int32_t index, Next *next) {
    const LitheRigidBody *body = &model->bodies[index];
    double pose[7];
    lithe_body_pose(model, state, (LitheBodyId){index + 1}, pose);
    lithe_cli_put_own(all, "\nbody '%s'", body->name);
    lithe_cli_put(all, "%s\n", body->unit < 0 ? ", fixed" : "");
    if (body->unit >= 0) {
        const LitheRigidLink *link = &lithe_body_tree(model, index)->rigid.links[body->element];
        lithe_cli_put(all, "  %-26s %.4g kg\n", "mass", link->mass);
        lithe_cli_put(all, "  %-26s [%.4g, %.4g, %.4g] m in its frame\n", "centre of mass",
                      link->centre.x, link->centre.y, link->centre.z);
    }
    lithe_cli_put_own(all, "  %-26s [%.4g, %.4g, %.4g] m\n", "at the start", pose[0], pose[1],
                      pose[2]);
    put_shapes(all, model, index, next);
}

// --- joints --------------------------------------------------------------------------------------

static const char *link_body(const LitheModel *model, int32_t tree, int32_t link) {
    return link < 0 ? "world" : model->bodies[model->trees[tree].rigid.links[link].body].name;
}

// rows with default values are not printed
static void put_value(LitheCliGroups *all, const char *what, double value, const char *unit,
                      const char *note) {
    if (value != 0)
        lithe_cli_put(all, "  %-26s %.4g %s%s\n", what, value, unit, note);
}

static bool is_sliding(LitheJointKind kind) {
    return kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_SECTION;
}

static void put_joint(LitheCliGroups *all, const LitheScene *scene, const LitheModel *model,
                      int32_t index) {
    const LitheRigidJoint *joint = &model->joints[index];
    const LitheRigidLink *link = &model->trees[joint->tree].rigid.links[joint->link];
    bool slides = is_sliding(link->kind);
    lithe_cli_put_key(all, "%s\n", lithe_joint_words[link->kind]);
    // a fixed body is part of the world
    LitheBodyId parent = scene->joints[index].parent;
    bool world = link->parent < 0 && parent.number < 1;
    lithe_cli_put_own(all, "\njoint '%s': %s, body '%s' on %s%s%s\n", joint->name,
                      lithe_joint_words[link->kind], link_body(model, joint->tree, joint->link),
                      world ? "the world" : "body '",
                      world              ? ""
                      : link->parent < 0 ? scene->bodies[parent.number - 1].name
                                         : link_body(model, joint->tree, link->parent),
                      world              ? ""
                      : link->parent < 0 ? "', which is fixed"
                                         : "'");
    if (link->kind == LITHE_JOINT_SECTION && !link->shares) {
        put_value(all, "length of the section", link->shape.length, "m", "");
        put_value(all, "radius of its chambers", link->shape.radius, "m", "");
        put_value(all, "mass of its centre line", link->line_mass, "kg", "");
    }
    if (link->kind != LITHE_JOINT_WELD && link->kind != LITHE_JOINT_FREE && !link->shares &&
        !lithe_joint_is_driven(model, index))
        lithe_cli_put(all, "  %-26s none: %s\n", "drive",
                      link->stiffness > 0 ? "a spring holds it" : "it moves freely");
    if (link->limited)
        lithe_cli_put(all, "  %-26s %.4g to %.4g %s\n", "limits", link->lower, link->upper,
                      slides ? "m" : "rad");
    put_value(all, "spring", link->stiffness, slides ? "N/m" : "N m/rad", "");
    put_value(all, "damping", link->damping, slides ? "N s/m" : "N m s/rad", "");
    put_value(all, "dry friction", link->friction_loss, slides ? "N" : "N m", "");
    put_value(all, "armature", link->armature, slides ? "kg" : "kg m^2", "");
    put_value(all, "largest effort", link->effort_limit, slides ? "N" : "N m", "");
    put_value(all, "largest speed", link->velocity_limit, slides ? "m/s" : "rad/s", "");
}

// the joint of a link; `likely`: the number of the one that it most often is
static const char *joint_of_link(const LitheModel *model, int32_t tree, int32_t link,
                                 int32_t likely) {
    const LitheRigidJoint *own = &model->joints[likely];
    if (own->tree == tree && own->link == link)
        return own->name;
    for (int32_t j = 0; j < model->joint_count; j++)
        if (model->joints[j].tree == tree && model->joints[j].link == link)
            return model->joints[j].name;
    return "?";
}

static void put_actuator(LitheCliGroups *all, const LitheScene *scene, const LitheModel *model,
                         int32_t tree, const LitheActuator *actuator) {
    const LitheRigidDrive *drive = &actuator->drive;
    const LitheActuatorDef *def = &scene->actuators[actuator->number];
    bool slides = is_sliding(model->trees[tree].rigid.links[drive->link].kind);
    lithe_cli_put_key(all, "%s\n", actuator_names[drive->kind]);
    lithe_cli_put_own(all, "\nactuator '%s': %s, on joint '%s'\n", actuator->name,
                      actuator_names[drive->kind],
                      joint_of_link(model, tree, drive->link, def->joint.number - 1));
    put_value(all, "target is a pressure on", def->area, "m^2", "");
    if (def->gear != 1)
        lithe_cli_put(all, "  %-26s %.4g\n", "gear", def->gear);
    if (drive->kind == LITHE_ACTUATOR_POSITION)
        put_value(all, "stiffness", drive->stiffness, slides ? "N/m" : "N m/rad", "");
    if (drive->kind == LITHE_ACTUATOR_POSITION || drive->kind == LITHE_ACTUATOR_VELOCITY)
        put_value(all, "damping", drive->damping, slides ? "N s/m" : "N m s/rad", "");
    // limits of the model are in the unit of the target
    if (def->area > 0)
        put_value(all, "largest pressure", actuator->effort_limit, "Pa", "");
    put_value(all, "largest effort", def->effort_limit, slides ? "N" : "N m", "");
}

void lithe_cli_check_bodies(const LitheScene *scene, const LitheModel *model,
                            const LitheState *state) {
    LitheCliGroups bodies = {"body", "bodies", ", elsewhere", .folded = true};
    Next next = {0};
    for (int32_t i = 0; i < model->body_count; i++) {
        put_body(&bodies, model, state, i, &next);
        lithe_cli_group(&bodies, model->bodies[i].name);
    }
    lithe_cli_groups_end(&bodies);
    LitheCliGroups joints = {"joint", "joints", ", elsewhere", .folded = true};
    for (int32_t i = 0; i < model->joint_count; i++) {
        put_joint(&joints, scene, model, i);
        lithe_cli_group(&joints, model->joints[i].name);
    }
    lithe_cli_groups_end(&joints);
    LitheCliGroups actuators = {"actuator", "actuators", ", elsewhere", .folded = true};
    for (int32_t i = 0; i < model->tree_count; i++)
        for (int32_t k = 0; k < model->trees[i].actuator_count; k++) {
            const LitheActuator *actuator = &model->trees[i].actuators[k];
            put_actuator(&actuators, scene, model, i, actuator);
            lithe_cli_group(&actuators, actuator->name);
        }
    lithe_cli_groups_end(&actuators);
}
