// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_arch_hinges.c - the mechanism of an arch with two open joints
//
// Feet on edges and two joints that open below are four hinges: three rigid parts that move as one,
// by the turn of the left part. Their energy V is that of weight alone; where it has a maximum, a
// lean grows as exp(rate t), rate^2 = -V''/M, M the inertia of the motion. All of it is rigid
// dynamics in the plane of x and z: nothing of the solver is used.

#include "cli/validate/solid_arch.h"

#define GRAVITY 9.81
// of differences of the turn [rad], and the largest turn that is looked at
#define SMALL 1e-3
#define LARGEST 0.1

typedef struct Point {
    double x, z;
} Point;

// a part that turns as one
typedef struct Part {
    double mass;    // [kg]
    double inertia; // about its centre [kg m^2]
    Point centre;
} Part;

typedef struct Linkage {
    Part left, middle, right;
    Point left_foot, right_foot; // hinges that stay
    Point left_hinge, right_hinge;
    Point crown;
    double left_open, right_open; // angles of the joints [rad]
} Linkage;

// where the linkage is after a turn of its left part
typedef struct Pose {
    double left, middle, right; // turns [rad]
    Point centre[3], crown;
} Pose;

static Point turned(Point about, double angle, Point p) {
    double x = p.x - about.x, z = p.z - about.z, c = cos(angle), s = sin(angle);
    return (Point){about.x + c * x - s * z, about.z + s * x + c * z};
}

static double distance(Point a, Point b) {
    return hypot(b.x - a.x, b.z - a.z);
}

static double direction(Point a, Point b) {
    return atan2(b.z - a.z, b.x - a.x);
}

static Point node(const LitheStand *stand, int32_t number, int32_t i) {
    const double *x =
        lithe_solid_position(stand->model, stand->state, lithe_arch_stone(stand, number));
    return (Point){x[3 * i], x[3 * i + 2]};
}

// Mass and moments of stones first .. last. A tetrahedron has its mass in its four corners and its
// centre for moments up to the second: 1/20 of it in each corner and 4/5 in the centre.
static Part part_of(const LitheStand *stand, int32_t first, int32_t last) {
    double mass = 0, x = 0, z = 0, square = 0;
    for (int32_t number = first; number <= last; number++) {
        LitheSolidId id = lithe_arch_stone(stand, number);
        const double *at = lithe_solid_position(stand->model, stand->state, id);
        const double *nodal = lithe_solid_mass(stand->model, id);
        const int32_t *element = lithe_solid_elements(stand->model, id);
        int32_t elements = lithe_solid_element_count(stand->model, id);
        double own = 0, volume = 0, parts[64];
        for (int32_t i = 0; i < lithe_solid_node_count(stand->model, id); i++)
            own += nodal[i];
        for (int32_t e = 0; e < elements && e < 64; e++) {
            const double *a = at + 3 * element[4 * e];
            double d[3][3];
            for (int k = 0; k < 3; k++)
                for (int c = 0; c < 3; c++)
                    d[k][c] = at[3 * element[4 * e + k + 1] + c] - a[c];
            parts[e] = fabs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                            d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                            d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
                       6;
            volume += parts[e];
        }
        for (int32_t e = 0; e < elements && e < 64; e++) {
            double m = own * parts[e] / volume, cx = 0, cz = 0;
            for (int k = 0; k < 4; k++) {
                const double *p = at + 3 * element[4 * e + k];
                cx += p[0] / 4;
                cz += p[2] / 4;
                square += m / 20 * (p[0] * p[0] + p[2] * p[2]);
            }
            square += m * 4 / 5 * (cx * cx + cz * cz);
            mass += m;
            x += m * cx;
            z += m * cz;
        }
    }
    return (Part){mass, square - (x * x + z * z) / mass, {x / mass, z / mass}};
}

// Angle of the joint above a stone; nodes 2 and 6 of a stone are the inner and the outer one of its
// upper face, 0 and 4 those of its lower face.
static double opening(const LitheStand *stand, int32_t number) {
    double below = direction(node(stand, number, 2), node(stand, number, 6));
    double above = direction(node(stand, number + 1, 0), node(stand, number + 1, 4));
    return remainder(above - below, 2 * M_PI);
}

static int32_t widest(const LitheStand *stand, int32_t first, int32_t last) {
    int32_t at = first;
    for (int32_t k = first; k <= last; k++)
        at = opening(stand, k) > opening(stand, at) ? k : at;
    return at;
}

// the outer edge of the joint above a stone
static Point hinge(const LitheStand *stand, int32_t number) {
    Point a = node(stand, number, 6), b = node(stand, number + 1, 4);
    return (Point){0.5 * (a.x + b.x), 0.5 * (a.z + b.z)};
}

// The right part turns until its hinge has the distance from the left one that the middle part has.
static Pose pose_at(const Linkage *l, double left) {
    Pose pose = {.left = left};
    Point from = turned(l->left_foot, left, l->left_hinge), to;
    double length = distance(l->left_hinge, l->right_hinge), reach;
    for (int k = 0; k < 30; k++) {
        to = turned(l->right_foot, pose.right, l->right_hinge);
        reach = distance(from, to);
        // d reach / d turn: the hinge moves across its arm
        double slope = (-(to.x - from.x) * (to.z - l->right_foot.z) +
                        (to.z - from.z) * (to.x - l->right_foot.x)) /
                       reach;
        pose.right -= (reach - length) / slope;
    }
    to = turned(l->right_foot, pose.right, l->right_hinge);
    pose.middle = direction(from, to) - direction(l->left_hinge, l->right_hinge);
    Point shift = {from.x - l->left_hinge.x, from.z - l->left_hinge.z};
    Point centre = turned(l->left_hinge, pose.middle, l->middle.centre);
    Point crown = turned(l->left_hinge, pose.middle, l->crown);
    pose.centre[0] = turned(l->left_foot, left, l->left.centre);
    pose.centre[1] = (Point){centre.x + shift.x, centre.z + shift.z};
    pose.centre[2] = turned(l->right_foot, pose.right, l->right.centre);
    pose.crown = (Point){crown.x + shift.x, crown.z + shift.z};
    return pose;
}

static double height(const Linkage *l, const Pose *pose) {
    return l->left.mass * pose->centre[0].z + l->middle.mass * pose->centre[1].z +
           l->right.mass * pose->centre[2].z;
}

static double growth(const Linkage *l) {
    Pose less = pose_at(l, -SMALL), here = pose_at(l, 0), more = pose_at(l, SMALL);
    double bend = GRAVITY * (height(l, &less) - 2 * height(l, &here) + height(l, &more));
    double inertia = 0;
    const Part *part[3] = {&l->left, &l->middle, &l->right};
    double turn[3] = {more.left - less.left, more.middle - less.middle, more.right - less.right};
    for (int k = 0; k < 3; k++) {
        double path = distance(less.centre[k], more.centre[k]);
        inertia += (part[k]->mass * path * path + part[k]->inertia * turn[k] * turn[k]) / 4;
    }
    return bend < 0 ? sqrt(-bend / inertia) : NAN;
}

// x of the crown where the joint on the side of the lean has closed
static double closed_lean(const Linkage *l, double side) {
    double low = 0, high = LARGEST; // turns; the arch leans to -x where the left part turns by > 0
    for (int k = 0; k < 60; k++) {
        double turn = 0.5 * (low + high);
        Pose pose = pose_at(l, side < 0 ? turn : -turn);
        double open = side < 0 ? l->left_open + pose.middle - pose.left
                               : l->right_open + pose.right - pose.middle;
        *(open > 0 ? &low : &high) = turn;
    }
    return pose_at(l, side < 0 ? low : -low).crown.x;
}

LitheArchHinges lithe_arch_hinges(const LitheStand *stand, double foot, double top, double side) {
    int32_t key = (LITHE_ARCH_STONES + 1) / 2;
    LitheArchHinges out = {.left = widest(stand, 1, key - 1),
                           .right = widest(stand, key, LITHE_ARCH_STONES - 1)};
    LitheVec3 crown = lithe_arch_centre(stand, key);
    Linkage l = {.left = part_of(stand, 1, out.left),
                 .middle = part_of(stand, out.left + 1, out.right),
                 .right = part_of(stand, out.right + 1, LITHE_ARCH_STONES),
                 .left_foot = {-foot, top},
                 .right_foot = {foot, top},
                 .left_hinge = hinge(stand, out.left),
                 .right_hinge = hinge(stand, out.right),
                 .crown = {crown.x, crown.z},
                 .left_open = opening(stand, out.left),
                 .right_open = opening(stand, out.right)};
    out.rate = growth(&l);
    out.lean = closed_lean(&l, side);
    return out;
}
