// SPDX-License-Identifier: Apache-2.0
// body/tree_read.c - reading a state: poses and velocities of bodies, joints, what is not finite

#include "base/assert.h"
#include "base/memory.h"
#include "body/tree.h"
#include "body/tree_body.h"
#include "law/joint.h"
#include "law/pcc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- bodies --------------------------------------------------------------------------------------

int32_t lithe_body_count(const LitheModel *model) {
    return model->body_count;
}

static const LitheRigidBody *body_of(const LitheModel *model, LitheBodyId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->body_count);
    return &model->bodies[id.number - 1];
}

const char *lithe_body_name(const LitheModel *model, LitheBodyId body) {
    return body_of(model, body)->name;
}

const LitheTree *lithe_body_tree(const LitheModel *model, int32_t body) {
    int32_t unit = model->bodies[body].unit;
    return unit >= 0 && model->units[unit].kind == LITHE_UNIT_TREE
               ? &model->trees[model->units[unit].index]
               : NULL;
}

enum { MOST_Q = 7 }; // positions of a joint

// positions of the joint of a link after `time` at the velocity of the state; in `moved` if it
// moves
static const double *positions(const LitheTree *tree, const LitheState *state,
                               const LitheRigidLink *link, double time, double *moved) {
    const double *q = state->q + tree->q_at + link->q_at;
    const double *v = state->v + tree->v_at + link->v_at;
    double d[MOST_Q];
    if (time == 0)
        return q;
    for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++)
        d[k] = time * v[k];
    lithe_joint_advance(link->kind, q, d, moved);
    return moved;
}

// shape of the section that was placed last: the disks of a section share it
typedef struct SectionShape {
    const LitheRigidLink *of; // NULL: none
    double y[LITHE_PCC_DOFS];
} SectionShape;

static bool has_shape_of(const LitheRigidLink *a, const LitheRigidLink *b) {
    return a && a->q_at == b->q_at && a->shape.radius == b->shape.radius &&
           a->shape.length == b->shape.length;
}

// pose of a link relative to its parent
static Pose place_on_parent(const LitheTree *tree, const LitheState *state, int32_t i, double time,
                            SectionShape *last) {
    const LitheRigidLink *link = &tree->rigid.links[i];
    bool framed = link->framed[0]; // most disks of arms have neither frame
    double moved[MOST_Q];
    Pose joint;
    if (link->kind == LITHE_JOINT_SECTION) {
        if (!has_shape_of(last->of, link))
            lithe_pcc_shape(&link->shape, positions(tree, state, link, time, moved), last->y);
        last->of = link;
        joint = lithe_pcc_pose(last->y, link->shape.along);
        joint = framed ? pose_mul(link->parent_frame, joint) : joint;
    } else {
        const double *q = positions(tree, state, link, time, moved);
        joint = framed ? lithe_joint_after(link->parent_frame, link->kind, &link->shape, q)
                       : lithe_joint_pose(link->kind, &link->shape, q);
    }
    return link->framed[1] ? pose_mul_inverse(joint, link->child_frame) : joint;
}

// multiplies the poses of the joints from the link up to the root, so that no work array is needed
Pose lithe_link_place_extrapolated(const LitheModel *model, const LitheState *state, int32_t index,
                                   int32_t of, double time) {
    const LitheTree *tree = &model->trees[index];
    SectionShape last = {.of = NULL};
    Pose pose = pose_identity();
    for (int32_t i = of; i >= 0; i = tree->rigid.links[i].parent)
        pose = pose_mul(place_on_parent(tree, state, i, time, &last), pose);
    return pose;
}

// poses of all links, from the root outwards
static void place_links(const LitheTree *tree, const LitheState *state, double time, Pose *out) {
    SectionShape last = {.of = NULL};
    for (int32_t i = 0; i < tree->rigid.link_count; i++) {
        int32_t parent = tree->rigid.links[i].parent;
        Pose own = place_on_parent(tree, state, i, time, &last);
        out[i] = parent < 0 ? own : pose_mul(out[parent], own);
    }
}

int32_t lithe_most_links(const LitheModel *model) {
    int32_t most = 0;
    for (int32_t i = 0; i < model->tree_count; i++)
        if (model->trees[i].rigid.link_count > most)
            most = model->trees[i].rigid.link_count;
    return most;
}

bool lithe_placed_create(const LitheModel *model, LitheContext *context, LithePlaced *out) {
    int64_t links = lithe_most_links(model);
    out->q = lithe_alloc_array(context, LITHE_JOINT_MAX_Q * links, sizeof *out->q);
    out->links = lithe_alloc_array(context, links, sizeof *out->links);
    return out->q && out->links;
}

LithePlaces lithe_places_kept(const LitheState *state, LithePlaced *kept) {
    return (LithePlaces){.state = state, .links = kept->links, .kept = kept};
}

// whether the poses that are kept are those of the tree; if not, they become so
static bool is_known(const LithePlaces *places, const LitheTree *tree) {
    LithePlaced *kept = places->kept;
    const double *q = places->state->q + tree->q_at;
    size_t bytes = (size_t)tree->rigid.q_count * sizeof *q;
    if (!kept || (kept->tree == tree && memcmp(kept->q, q, bytes) == 0))
        return kept != NULL;
    kept->tree = tree;
    memcpy(kept->q, q, bytes);
    return false;
}

Pose lithe_places_body(LithePlaces *places, const LitheModel *model, int32_t body) {
    const LitheRigidBody *own = &model->bodies[body];
    const LitheTree *tree = lithe_body_tree(model, body);
    if (!tree || tree->rigid.link_count == 1)
        return lithe_body_place_extrapolated(model, places->state, body, places->time);
    if (places->tree != tree && !is_known(places, tree))
        place_links(tree, places->state, places->time, places->links);
    places->tree = tree;
    Pose carrier = places->links[own->element];
    return own->offset ? pose_mul(carrier, own->frame) : carrier;
}

Pose lithe_body_place_extrapolated(const LitheModel *model, const LitheState *state, int32_t body,
                                   double time) {
    const LitheRigidBody *found = &model->bodies[body];
    if (found->unit < 0)
        return found->frame;
    LitheSite site = {.unit = found->unit, .element = found->element, .s = {found->s}};
    Pose carrier = lithe_unit_ops(model, found->unit)->place(model, state, &site, time);
    return found->offset ? pose_mul(carrier, found->frame) : carrier;
}

Pose lithe_body_place(const LitheModel *model, const LitheState *state, int32_t body) {
    return lithe_body_place_extrapolated(model, state, body, 0);
}

LitheJointPlace lithe_joint_place(const LitheModel *model, int32_t joint) {
    const LitheTree *tree = &model->trees[model->joints[joint].tree];
    const LitheRigidLink *link = &tree->rigid.links[model->joints[joint].link];
    const LitheRigidBody *body = &model->bodies[link->body];
    Pose frame = link->child_frame;
    if (body->offset)
        frame = pose_mul(pose_inverse(body->frame), frame);
    return (LitheJointPlace){link->kind, link->body, frame};
}

void lithe_body_pose(const LitheModel *model, const LitheState *state, LitheBodyId id,
                     double out[7]) {
    body_of(model, id);
    Pose pose = lithe_body_place(model, state, id.number - 1);
    Quat q = q4_unit(pose.rotation);
    v3_store(pose.at, out);
    out[3] = q.w;
    out[4] = q.x;
    out[5] = q.y;
    out[6] = q.z;
}

// Velocity of a body that is attached to a unit other than a tree: the Jacobian of its origin times
// v.
static void attached_velocity(const LitheModel *model, const LitheState *state, int32_t body,
                              double out[6]) {
    enum { ROWS = 6, WIDTH = 32, NODES = 8 };
    const LitheRigidBody *own = &model->bodies[body];
    const LitheUnit *unit = &model->units[own->unit];
    Vec3 linear[ROWS] = {{0}}, angular[ROWS] = {{0}};
    int32_t nodes[NODES];
    double blocks[ROWS * WIDTH], *at = blocks;
    LITHE_ASSERT(unit->site_width <= WIDTH && unit->site_nodes <= NODES);
    for (int k = 0; k < 3; k++)
        linear[k] = angular[3 + k] = v3(k == 0, k == 1, k == 2);
    LitheSite site = {.unit = own->unit,
                      .element = own->element,
                      .s = {own->s},
                      .point = lithe_body_place(model, state, body).at};
    int32_t count = lithe_unit_ops(model, own->unit)
                        ->site(model, state, NULL, &site, ROWS, linear, angular, nodes, blocks);
    memset(out, 0, ROWS * sizeof *out);
    for (int32_t k = 0; k < count; k++) {
        int32_t size = lithe_unit_node_size(unit, nodes[k]);
        const double *v = state->v + unit->v_at + lithe_unit_dof(unit, nodes[k]);
        for (int32_t row = 0; row < ROWS; row++)
            for (int32_t d = 0; d < size; d++)
                out[row] += *at++ * v[d];
    }
}

// Adds up the velocities of the joints from the link up to the root, equation (4). After each link
// `velocity` is expressed in the axes of its parent.
void lithe_body_velocity(const LitheModel *model, const LitheState *state, LitheBodyId id,
                         double out[6]) {
    const LitheRigidBody *body = body_of(model, id);
    Pose pose = pose_identity();
    Spatial velocity = sp_zero();
    const LitheTree *tree = lithe_body_tree(model, id.number - 1);
    if (body->unit >= 0 && !tree) {
        attached_velocity(model, state, id.number - 1, out);
        return;
    }
    for (int32_t i = tree ? body->element : -1; i >= 0; i = tree->rigid.links[i].parent) {
        const LitheRigidLink *link = &tree->rigid.links[i];
        const double *q = state->q + tree->q_at + link->q_at;
        const double *v = state->v + tree->v_at + link->v_at;
        Spatial axes[LITHE_JOINT_MAX_V];
        lithe_joint_axes(link->kind, &link->shape, q, axes);

        // relative to the joint frame of the parent: the sum so far, plus the velocity of the joint
        Pose joint = lithe_joint_pose(link->kind, &link->shape, q);
        Pose moved = pose_mul(joint, pose_inverse(link->child_frame));
        pose = pose_mul(moved, pose);
        Vec3 lin = q4_rotate(moved.rotation, velocity.lin), arm = v3_sub(pose.at, joint.at);
        Vec3 ang = q4_rotate(moved.rotation, velocity.ang);
        for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++) {
            lin = v3_axpy(v[k], v3_add(axes[k].lin, v3_cross(axes[k].ang, arm)), lin);
            ang = v3_axpy(v[k], axes[k].ang, ang);
        }

        // expressed in the axes of the parent
        pose = pose_mul(link->parent_frame, pose);
        velocity.lin = q4_rotate(link->parent_frame.rotation, lin);
        velocity.ang = q4_rotate(link->parent_frame.rotation, ang);
    }
    v3_store(velocity.lin, out);
    v3_store(velocity.ang, out + 3);
}

// --- joints --------------------------------------------------------------------------------------

int32_t lithe_joint_count(const LitheModel *model) {
    return model->joint_count;
}

LitheJointId lithe_joint_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->joint_count; i++)
        if (strcmp(model->joints[i].name, name) == 0)
            return (LitheJointId){i + 1};
    return (LitheJointId){0};
}

static const LitheRigidJoint *joint_of(const LitheModel *model, LitheJointId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->joint_count);
    return &model->joints[id.number - 1];
}

const char *lithe_joint_name(const LitheModel *model, LitheJointId joint) {
    return joint_of(model, joint)->name;
}

LitheJointSize lithe_joint_size(const LitheModel *model, LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    LitheJointKind kind = model->trees[joint->tree].rigid.links[joint->link].kind;
    return (LitheJointSize){lithe_joint_q_count(kind), lithe_joint_v_count(kind)};
}

const double *lithe_joint_position(const LitheModel *model, const LitheState *state,
                                   LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->q + tree->q_at + tree->rigid.links[joint->link].q_at;
}

const double *lithe_joint_velocity(const LitheModel *model, const LitheState *state,
                                   LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->v + tree->v_at + tree->rigid.links[joint->link].v_at;
}

const double *lithe_joint_effort(const LitheModel *model, const LitheState *state,
                                 LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->own + tree->effort_at + tree->rigid.links[joint->link].v_at;
}

const double *lithe_joint_limit_effort(const LitheModel *model, const LitheWork *work,
                                       LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return lithe_tree_work(work, tree->unit)->limits + tree->rigid.links[joint->link].v_at;
}

int lithe_joint_reached(const LitheModel *model, const LitheWork *work, int32_t joint) {
    const LitheRigidJoint *own = &model->joints[joint];
    return lithe_tree_work(work, model->trees[own->tree].unit)->reached[own->link];
}

bool lithe_joint_is_prescribed(const LitheModel *model, const LitheWork *work, int32_t joint) {
    const LitheRigidJoint *own = &model->joints[joint];
    const LitheTree *tree = &model->trees[own->tree];
    const LitheRigidDrive *drives = lithe_tree_work(work, tree->unit)->drives;
    for (int32_t k = 0; k < tree->drive_count; k++)
        if (drives[k].link == own->link && drives[k].kind == LITHE_ACTUATOR_PRESCRIBED)
            return true;
    return false;
}

// --- numbers that are not finite -----------------------------------------------------------------

void lithe_tree_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                        size_t size) {
    const LitheTree *tree = &model->trees[model->units[unit].index];
    const LitheRigidTree *rigid = &tree->rigid;
    const LitheState *before = all->before;
    const double *wrenches = before->own + tree->wrench_at;
    for (int64_t k = 0; k < 6 * (int64_t)rigid->link_count; k++)
        if (!isfinite(wrenches[k])) {
            const char *name = rigid->links[k / 6].name;
            snprintf(text, size, "body '%s': the %s on it is %g", name ? name : "?",
                     k % 6 < 3 ? "force" : "torque", wrenches[k]);
            return;
        }
    for (int64_t k = 0; k < rigid->v_count; k++) {
        int32_t link = rigid->link_count - 1;
        while (link > 0 && rigid->links[link].v_at > k)
            link--;
        if (!isfinite(before->v[tree->v_at + k])) {
            const char *name = rigid->links[link].name;
            snprintf(text, size, "body '%s': its velocity, or that of its joint, is %g",
                     name ? name : "?", before->v[tree->v_at + k]);
            return;
        }
    }
    snprintf(text, size, "the rigid tree of body '%s' has a number that is not finite",
             rigid->links[0].name ? rigid->links[0].name : "?");
}
