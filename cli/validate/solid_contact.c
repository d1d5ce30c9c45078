// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_contact.c - soft solids that touch: rest on meshes of any size, friction on an
// incline, and Hertz's contacts of spheres and of a cylinder
//
// Hertz's pressure is p0 sqrt(1 - r^2/a^2). Its mean square distance from the centre of the contact
// is a^2 2/5 for spheres and a^2/4 for cylinders. Measured as a mean over the forces of contacts it
// changes smoothly with the load, while the outermost contact jumps from node to node.
// docs/theory/surfaces.md.

#include "cli/validate/validate.h"

#define GRAVITY 9.81

// --- contacts of two things ----------------------------------------------------------------------

typedef struct Press {
    double force;   // sum along z [N]
    double overlap; // mean, weighted by stiffness [m]
    double across;  // mean of x^2 + y^2, or of x^2 alone, weighted by force [m^2]
    int32_t count;  // contacts with a force
} Press;

static Press press_of(const LitheStand *stand, bool along_y) {
    Press p = {0};
    double stiffness = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        LitheVec3 x = c.contact.point;
        if (!(c.normal > 0))
            continue;
        p.force += fabs(c.force.z);
        p.across += fabs(c.force.z) * (x.x * x.x + (along_y ? 0 : x.y * x.y));
        p.overlap -= c.contact.stiffness * c.contact.gap;
        stiffness += c.contact.stiffness;
        p.count++;
    }
    p.overlap /= stiffness;
    p.across /= p.force;
    return p;
}

// --- solid_rest ----------------------------------------------------------------------------------

// a block of 0.2 kg with these cells along its edges rests on a shape or on a held solid
static bool lie(LitheTrial *trial, bool on_solid, const int cells[3], Press *out) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 20 ms, end: 10 s, scheme: backward-euler}\n"
        "materials:\n"
        "  soft: {young: 0.1 MPa, poisson: 0, density: 1000, damping: {stiffness: 50 ms}}\n"
        "  hard: {young: 1000 GPa, poisson: 0, density: 1000}\n"
        "solids:\n"
        "  block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.02], divisions: [%d, %d, "
        "%d]}},\n"
        "          at: [0, 0, 1 cm]}\n"
        "%s\n",
        cells[0], cells[1], cells[2],
        on_solid ? "  plate: {material: soft, mesh: {box: {size: [0.3, 0.3, 0.1], divisions: [3, "
                   "3, 1]}},\n"
                   "          at: [0, 0, -5 cm]}\n"
                   "holds: {plate: {on: plate}}"
                 : "bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}");
    ok = ok && lithe_stand_run(trial, &stand, 0.02, 1);
    if (ok)
        *out = press_of(&stand, false);
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_solid_rest(LitheTrial *trial) {
    // 4, 40 and 400 vertices on the lower face; layers of 0.1 mm with 0.1 MPa, two on a solid
    static const int cells[3][3] = {{1, 1, 1}, {7, 4, 1}, {19, 19, 2}};
    for (int on_solid = 0; on_solid < 2; on_solid++)
        for (int k = 0; k < 3; k++) {
            Press p;
            int vertices = (cells[k][0] + 1) * (cells[k][1] + 1);
            const char *what = on_solid ? "solid" : "shape";
            if (!lie(trial, on_solid, cells[k], &p) ||
                !lithe_trial_add(trial, near_to(p.force, 2, 1e-3), "force_%d_vertices_on_%s [N]",
                                 vertices, what) ||
                !lithe_trial_add(trial, near_to(p.overlap, (1 + on_solid) * 2e-7, 2e-3),
                                 "overlap_%d_vertices_on_%s [m]", vertices, what))
                return false;
        }
    return true;
}

// --- solid_incline -------------------------------------------------------------------------------

// Displacement of a soft block along an incline with friction 0.5 in `time` seconds after 1 s, and
// its mean acceleration. Gravity is tilted, not the ground.
static bool slide(LitheTrial *trial, bool on_solid, double angle, double step, double time,
                  double *distance, double *acceleration) {
    LitheStand stand;
    double x[2] = {0, 0}, v[2] = {0, 0};
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: [%.17g, 0, %.17g]\n"
        "time: {step: %.17g, end: 100 s, scheme: backward-euler}\n"
        "materials: {soft: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0.5,\n"
        "                   damping: {stiffness: 20 ms}}}\n"
        "solids:\n"
        "  block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.05], divisions: [2, 2, 1]}},\n"
        "          at: [0, 0, 2.5 cm]}\n"
        "%s\n",
        GRAVITY * sin(angle), -GRAVITY * cos(angle), step,
        on_solid ? "  plate: {material: soft, mesh: {box: {size: [8, 0.2, 0.1], divisions: [16, 1, "
                   "1]}},\n"
                   "          at: [3.5, 0, -5 cm]}\n"
                   "holds: {plate: {on: plate}}"
                 : "bodies: {ground: {fixed: true, material: soft, shape: {half-space: {}}}}");
    for (int k = 0; ok && k < 2; k++) {
        ok = lithe_stand_run(trial, &stand, step, k ? time : 1);
        if (!ok)
            break;
        LitheSolidId block = lithe_solid_find(stand.model, "block");
        int32_t nodes = lithe_solid_node_count(stand.model, block);
        for (int32_t i = 0; i < nodes; i++) {
            x[k] += lithe_solid_position(stand.model, stand.state, block)[3 * i] / nodes;
            v[k] += lithe_solid_velocity(stand.model, stand.state, block)[3 * i] / nodes;
        }
    }
    *distance = x[1] - x[0];
    *acceleration = (v[1] - v[0]) / time;
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_solid_incline(LitheTrial *trial) {
    static const double stuck[] = {20, 25, 26.5};
    const double degree = M_PI / 180;
    for (int on_solid = 0; on_solid < 2; on_solid++) {
        const char *what = on_solid ? "solid" : "shape";
        double distance, none, a[2];
        for (int i = 0; i < 3; i++)
            if (!slide(trial, on_solid, stuck[i] * degree, 0.02 / trial->refine, 10, &distance,
                       &none) ||
                !lithe_trial_add(trial, at_most(fabs(distance), 1e-4),
                                 "motion_in_10_s_%gdeg_%s [m]", stuck[i], what))
                return false;
        for (int fine = 0; fine < 2; fine++)
            if (!slide(trial, on_solid, M_PI / 6, (fine ? 0.01 : 0.02) / trial->refine, 3,
                       &distance, &a[fine]))
                return false;
        LitheFinding f = refined_to(a, GRAVITY * (0.5 - 0.5 * cos(M_PI / 6)), 0.01);
        f.floor = 1e-3;
        if (!lithe_trial_add(trial, f, "acceleration_30deg_%s [m/s^2]", what))
            return false;
    }
    return true;
}

// --- Hertz ---------------------------------------------------------------------------------------

#define YOUNG 1e6
#define POISSON 0.3
#define RADIUS 0.1
#define PLANE_MODULUS (YOUNG / (1 - POISSON * POISSON))

// two half balls with elements of `size`, whose bases come closer by `approach` within 1 s, and
// then rest; damping lets the rest come soon
static bool press_balls(LitheTrial *trial, double size, double approach, Press *out) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: backward-euler, step: 50 ms, end: 10 s}\n"
        "materials: {soft: {young: %.17g, poisson: %.17g, density: 1000, friction: 0, damping: "
        "{stiffness: 0.1 s}}}\n"
        "solids:\n"
        "  low: {material: soft, law: corotated, quadratic: false, mesh: {half-sphere: {radius: "
        "%.17g, resolution: "
        "%.17g}}}\n"
        "  high: {material: soft, law: corotated, quadratic: false, mesh: {half-sphere: {radius: "
        "%.17g, resolution: "
        "%.17g}}, at: [0, 0, %.17g], rotate: {axis: [1, 0, 0], angle: 180 deg}}\n"
        "holds: {low: {on: low.base}}\n"
        "drives: {press: {on: high.base, kind: clamp, direction: [0, 0, -1], motion: {table: [[0 "
        "s, 0], [1 s, %.17g]]}}}\n",
        YOUNG, POISSON, RADIUS, size, RADIUS, size, 2 * RADIUS, approach);
    ok = ok && lithe_stand_run(trial, &stand, 0.05, 2);
    if (ok)
        *out = press_of(&stand, false);
    lithe_stand_end(&stand);
    return ok;
}

// (SC21) the radius that the pressure has over that of Hertz for the same force
static double ball_ratio(const Press *p) {
    return sqrt(2.5 * p->across) / cbrt(0.75 * p->force * RADIUS / PLANE_MODULUS);
}

bool lithe_case_hertz_spheres(LitheTrial *trial) {
    double ratio[2];
    for (int fine = 0; fine < 2; fine++) {
        Press p;
        if (!press_balls(trial, (fine ? 0.0125 : 0.025) / (trial->refine > 1 ? 1.5 : 1), 0.02, &p))
            return false;
        ratio[fine] = ball_ratio(&p);
        if (fine && (!lithe_trial_add(trial, reported(p.force), "force [N]") ||
                     !lithe_trial_add(trial, reported(sqrt(2.5 * p.across) / RADIUS),
                                      "radius_of_contact_over_that_of_ball") ||
                     !lithe_trial_add(trial, reported(p.count), "contacts")))
            return false;
    }
    return lithe_trial_add(trial, refined_to(ratio, 1, 0.1), "radius_of_contact_over_hertz");
}

// a layer of a cylinder in plane strain, whose middle plane moves down by `approach` onto a plane
static bool press_cylinder(LitheTrial *trial, double size, double approach, Press *out) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: static, step: 1 s, end: 10 s}\n"
        "materials:\n"
        "  soft: {young: %.17g, poisson: %.17g, density: 1000, friction: 0}\n"
        "  hard: {young: 1000 GPa, density: 1000, friction: 0}\n"
        "solids:\n"
        "  it: {material: soft, law: corotated, plane-strain: y, at: [0, 0, %.17g],\n"
        "       rotate: {axis: [1, 0, 0], angle: 90 deg},\n"
        "       quadratic: false,\n"
        "       mesh: {cylinder: {radius: %.17g, length: %.17g, resolution: %.17g}}}\n"
        "bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}\n"
        "sets: {middle: {of: it, plane: {point: [0, 0, %.17g], normal: [0, 0, 1], thickness: 0.1 "
        "mm}}}\n"
        "drives: {press: {on: middle, kind: clamp, direction: [0, 0, -1], motion: {value: 0, rate: "
        "%.17g}}}\n",
        YOUNG, POISSON, RADIUS, RADIUS, size, size, RADIUS, approach / 2);
    for (int32_t k = 0; ok && k < 2; k++)
        ok = lithe_stand_step(trial, &stand);
    if (ok) {
        *out = press_of(&stand, true);
        out->force /= size; // per length
    }
    lithe_stand_end(&stand);
    return ok;
}

// (SC22) the same for the half width of a cylinder
static double cylinder_ratio(const Press *p) {
    return sqrt(4 * p->across) / sqrt(4 * p->force * RADIUS / (M_PI * PLANE_MODULUS));
}

// Hertz holds for narrow contacts. What he leaves out is of the order of the width over the radius
// (the strain, to which the law is not linear) and of its square (the shape); a quarter of the
// square is the floor.
bool lithe_case_hertz_cylinder(LitheTrial *trial) {
    static const double approach[2] = {0.012, 0.006};
    double widths[2], differences[2];
    for (int load = 0; load < 2; load++) {
        double ratio[2];
        Press p;
        for (int fine = 0; fine < 2; fine++) {
            double size = (fine ? 5e-3 : 9e-3) / (trial->refine > 1 ? 2 : 1);
            if (!press_cylinder(trial, size, approach[load], &p))
                return false;
            ratio[fine] = cylinder_ratio(&p);
        }
        double width = sqrt(4 * p.across) / RADIUS;
        LitheFinding f = refined_to(ratio, 1, 0.05);
        f.floor = 0.25 * width * width;
        if (!lithe_trial_add(trial, reported(width), "half_width_over_radius_at_%g_m",
                             approach[load]) ||
            !lithe_trial_add(trial, f, "half_width_over_hertz_at_%g_m", approach[load]))
            return false;
        widths[load] = width;
        differences[load] = fabs(ratio[1] - 1);
    }
    double order = log(differences[0] / differences[1]) / log(widths[0] / widths[1]);
    // between 1 and 2
    return lithe_trial_add(trial, near_to(order, 1.5, 1.0 / 3),
                           "order_of_the_difference_in_the_width");
}
