// SPDX-License-Identifier: Apache-2.0
// tests/body/random_tree.h - trees with every kind of joint, random frames and inertias

#ifndef LITHE_TEST_RANDOM_TREE_H
#define LITHE_TEST_RANDOM_TREE_H

#include "body/tree.h"
#include "law/joint.h"
#include "test.h"

enum { MAX_LINKS = 12, MAX_V = 6 * MAX_LINKS, MAX_Q = 7 * MAX_LINKS };

/// A tree with its own memory, and a random state.
typedef struct Sample {
    LitheRigidLink links[MAX_LINKS];
    LitheRigidTree tree;
    double q[MAX_Q], v[MAX_V];
    void *memory;
    LitheRigidWork work;
} Sample;

static inline Vec3 random_vec(TestRandom *r, double size) {
    double x = test_random(r, -size, size), y = test_random(r, -size, size);
    return v3(x, y, test_random(r, -size, size));
}

static inline Pose random_pose(TestRandom *r) {
    Quat turn = q4_exp(random_vec(r, 1.7));
    return (Pose){turn, random_vec(r, 0.5)};
}

// a box with random edges, turned
static inline Mat3 random_inertia(TestRandom *r, double mass) {
    double a = test_random(r, 0.1, 0.5), b = test_random(r, 0.1, 0.5), c = test_random(r, 0.1, 0.5);
    Mat3 box = m3_scale(mass / 12, m3_diag(b * b + c * c, a * a + c * c, a * a + b * b));
    Mat3 turn = q4_matrix(q4_exp(random_vec(r, 1.7)));
    return m3_sym(m3_mul(m3_mul(turn, box), m3_transpose(turn)));
}

static inline LitheRigidLink plain_link(int32_t parent, LitheJointKind kind) {
    return (LitheRigidLink){.parent = parent,
                            .kind = kind,
                            .parent_frame = pose_identity(),
                            .child_frame = pose_identity()};
}

/// Numbers the links and allocates scratch; q at zero, v zero.
static inline void sample_ready(Sample *sample, int32_t link_count) {
    sample->tree = (LitheRigidTree){.links = sample->links, .link_count = link_count};
    LitheError error;
    if (lithe_rigid_number(&sample->tree, &error) != LITHE_OK)
        abort();
    sample->memory = malloc(lithe_rigid_work_size(&sample->tree));
    sample->work = lithe_rigid_work_layout(&sample->tree, sample->memory);
    lithe_rigid_zero(&sample->tree, sample->q);
    memset(sample->v, 0, sizeof sample->v);
}

// Every other section shares the joint of the link before it, where that is a section; every third
// link of those has no mass.
static inline void share_section(LitheRigidLink *links, int32_t i) {
    const LitheRigidLink *before = &links[i > 0 ? i - 1 : 0];
    if (i == 0 || links[i].kind != LITHE_JOINT_SECTION || before->kind != LITHE_JOINT_SECTION ||
        before->shares || before->parent < 0)
        return;
    links[i].shares = i;
    links[i].parent = before->parent;
    links[i].parent_frame = before->parent_frame;
    links[i].shape.length = before->shape.length;
    links[i].shape.radius = before->shape.radius;
    links[i].line_mass = 0;
    if (i % 3 == 0)
        links[i].mass = 0, links[i].inertia = m3_diag(0, 0, 0);
}

/// `first` is the kind of the root's joint, or -1 for any.
static inline void sample_random(Sample *sample, TestRandom *r, int32_t link_count, int first) {
    for (int32_t i = 0; i < link_count; i++) {
        int32_t parent = (int32_t)floor(test_random(r, i > 3 ? i - 4 : -1, i));
        LitheJointKind kind = (LitheJointKind)(test_random_bits(r) % 8);
        if (i == 0 && first >= 0)
            kind = (LitheJointKind)first, parent = -1;
        LitheRigidLink link = plain_link(i > 0 && parent < 0 ? 0 : parent, kind);
        link.parent_frame = random_pose(r);
        link.child_frame = random_pose(r);
        link.shape.pitch = test_random(r, -0.3, 0.3);
        link.shape.length = test_random(r, 0.3, 1);
        link.shape.radius = test_random(r, 0.8, 1.2);
        link.shape.along = test_random(r, 0.1, 1);
        link.line_mass = kind == LITHE_JOINT_SECTION ? test_random(r, 0, 2) : 0;
        link.mass = test_random(r, 0.2, 2);
        link.centre = random_vec(r, 0.3);
        link.inertia = random_inertia(r, link.mass);
        sample->links[i] = link;
        share_section(sample->links, i);
    }
    sample_ready(sample, link_count);
    double d[MAX_V];
    for (int32_t k = 0; k < sample->tree.v_count; k++) {
        d[k] = test_random(r, -1.5, 1.5);
        sample->v[k] = test_random(r, -2, 2);
    }
    lithe_rigid_advance(&sample->tree, sample->q, 1, d, sample->q);
}

static inline void sample_end(Sample *sample) {
    free(sample->memory);
}

#endif
