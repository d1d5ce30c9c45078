// SPDX-License-Identifier: Apache-2.0
// collide/patch_merge.c - many points of a patch become a few that act in the same way
//
// Points of a group have normals n_i that agree within an angle. With forces f_i, stiffnesses k_i:
//     (PF9)  F n = sum of f_i n_i, at the point c_f about which their moment has no part across n
//     (PF10) K = sum of k_i, c_k their centre, l_1, l_2 and e_1, e_2 the principal second moments
//            about it over K
//     (PF11) T = sum of f_i |x_i - c_k|/sum of f_i: the friction torque of a spin over mu F
//     (PF12) five points: c_k with (1 - s)F and (1 - w)K; c_k +- a_i e_i, each with w t_i K/2 and
//            s t_i F/2 +- F (c_f - c_k).e_i/(2 a_i), where a_i = sqrt(l_i/(w t_i));
//            t_1 = cos^2 u, t_2 = sin^2 u
//     (PF23) M = sum of sqrt(t_i l_i) = R cos(u - v), R^2 = l_1 + l_2, tan v = sqrt(l_2/l_1):
//            u = min(v + arccos(T/R), pi/4), s = w = (T/M)^2 for T <= R;
//            u = v, s = 0.9, w = (0.9 M/T)^2 for T > R; pi/4 where a force would be negative
//     (PF26) m_i second moments by force about c_k, along e_i and over F; D mean of d by force:
//            d = b_i D at c_k +- a_i e_i, b_i = m_i/(a_i^2 s t_i); d = b_0 D at c_k, such that the
//            mean of d by force is D; all b from 0.5 to 2, what is missing then adds to b_1, and
//            what is too much divides all
// Between two bodies, of which one patch slides and spins, ten points in place of five: two rings,
// corners of the outer one at the angles pi/4 + k pi/2 and of the inner one at k pi/3
//     (PF32) x = a sqrt(2) (sqrt(l_1) cos t, sqrt(l_2) sin t), inner ones times e = 0.34;
//            R^2 = l_1 + l_2, M the mean of |x| at e = a = 1 of the inner ones, c = 1 - e M/R
//     (PF33) T_k = sum of k_i |x_i - c_k|/K: q from (1 - c q)^2 = (T_k/R)^2 (1 - (1 - e^2) q),
//            a = 1/sqrt(1 - (1 - e^2) q), p = (1 - T/(R a))/c: the rings have the parts 1 - q, q
//            of K and 1 - p, p of F; the moment of F by forces in proportion to stiffness and place
//     (PF34) the rings have the dissipation b_o D, b_i D, such that the mean is D and the second
//            moment along e_2 is m_2: a narrow patch rolls across
//     (PF39) T without sum of k_i b.(x_i - c_k) |x_i - c_k|/F, b = F (c_f - c_k)/(K l) along e_1,
//     e_2:
//            what is pressed flat has f_i/k_i that is linear in x, and so have its points
//     (PF40) a group of the area A, whose second moments over A are a_1 and a_2, is not convex if
//            A < 6 sqrt(3 a_1 a_2), that of a triangle: it is halved across its longer axis
// A point with force has a part of the stiffness and the reverse: none is lost where the contact
// yields.
// Force, moment, stiffness, tilt stiffness, energy and the friction torque of a spin are those of
// the group.

#include "collide/patch.h"

// cosine of the angle within which normals are merged, 0.1 rad: resultants of a curved patch are
// exact anyway, and the stiffness across it errs by half a percent
#define MERGE_COSINE 0.995
// largest part of the force that acts at the outer four points: the centre has the rest with a part
// of the stiffness
#define MOST_OUTSIDE 0.9
// range of the dissipation of a point, over that of the group. As things separate, a point loses
// contact at the speed 1/d: with less dissipation it would push things apart faster than the others
// allow, with more it would open well before them.
#define LEAST_DAMPED 0.5
#define MOST_DAMPED 2.0
// what is rounding: of the offset of the force from a line of points, and of T/M from 1
#define LINE 1e-9
// (PF32) the inner ring over the outer one
#define INNER 0.34
// part of the force of a patch that a group has that becomes rings: a curved patch has many groups
#define MOST_FORCE 0.5
// range of the pressure of a ring over its mean
#define LEAST_PRESSED 0.25
#define MOST_PRESSED 4.0
// groups that are sought in one patch; points of further ones stay as they are
enum { GROUPS_MAX = 64, MERGED = 5, OUTER = 4, RINGS = 10 };

// a loop over points whose sums must stay in registers: inlined, it costs half as much again
#define KEEPS_REGISTERS __attribute__((noinline))

typedef struct Frame {
    Vec3 n, e1, e2, centre; // centre: c_k, from set_moments on in the plane of the force
    double force, stiffness, area, depth, dissipation;
    double l1, l2, torque; // torque: T
    double spread;         // T_k
    double m1, m2;         // second moments along e_1 and e_2 by force, over it
    double off1, off2;     // c_f - c_k
} Frame;

typedef struct Group {
    int32_t first, last, size; // points
    bool part;                 // of a group that was halved
} Group;

// first group whose normal agrees, or a new one; -1: too many
static int32_t group_of(Vec3 normal, Vec3 *normals, int32_t *count) {
    for (int32_t g = 0; g < *count; g++)
        if (v3_dot(normal, normals[g]) > MERGE_COSINE)
            return g;
    if (*count == GROUPS_MAX)
        return -1;
    normals[*count] = normal;
    return (*count)++;
}

// (PF9) resultant, and the point at which it acts; (PF10) centre of the stiffness, or without any
// that of the force; false: no force
KEEPS_REGISTERS static bool set_resultant(const LithePatchPoint *p, int32_t start,
                                          const int32_t *next, Frame *f, Vec3 *acts) {
    // about the first point: places in the world may be large
    Vec3 sum = v3(0, 0, 0), first = v3(0, 0, 0), moment = v3(0, 0, 0), origin = p[start].at;
    Vec3 stiff = v3(0, 0, 0);
    double forces = 0, damped = 0, energy = 0;
    for (int32_t i = start; i >= 0; i = next[i]) {
        Vec3 d = v3_sub(p[i].at, origin), force = v3_scale(p[i].force, p[i].normal);
        sum = v3_add(sum, force);
        first = v3_axpy(p[i].force, d, first);
        stiff = v3_axpy(p[i].stiffness, d, stiff);
        moment = v3_add(moment, v3_cross(d, force));
        forces += p[i].force;
        damped += p[i].force * p[i].dissipation;
        energy += p[i].force * p[i].depth;
        f->stiffness += p[i].stiffness;
        f->area += p[i].area;
    }
    f->force = v3_norm(sum);
    if (!(f->force > 0))
        return false;
    f->n = v3_scale(1 / f->force, sum);
    f->dissipation = damped / forces;
    f->depth = energy / f->force;
    Vec3 middle = v3_scale(1 / forces, first);
    moment = v3_sub(moment, v3_cross(middle, sum));
    *acts = v3_add(origin, v3_axpy(1 / f->force, v3_cross(f->n, moment), middle));
    f->centre = v3_add(origin, f->stiffness > 0 ? v3_scale(1 / f->stiffness, stiff) : middle);
    return true;
}

// (PF10), (PF11) in the plane across n through `acts`
KEEPS_REGISTERS static void set_moments(const LithePatchPoint *p, int32_t start,
                                        const int32_t *next, Vec3 acts, Frame *f) {
    Vec3 u = v3_any_normal(f->n), v = v3_cross(f->n, u);
    Vec3 across = v3_sub(f->centre, acts);
    double cu = v3_dot(across, u), cv = v3_dot(across, v);
    double weight = 0, uu = 0, uv = 0, vv = 0, torque = 0, spread = 0, forces = 0, fuu = 0, fuv = 0,
           fvv = 0;
    bool stiff = f->stiffness > 0;
    f->centre = v3_axpy(cu, u, v3_axpy(cv, v, acts));
    for (int32_t i = start; i >= 0; i = next[i]) {
        double force = p[i].force, k = stiff ? p[i].stiffness : force;
        Vec3 d = v3_sub(p[i].at, f->centre);
        double x = v3_dot(d, u), y = v3_dot(d, v), kx = k * x, fx = force * x;
        weight += k;
        uu += kx * x;
        uv += kx * y;
        vv += k * y * y;
        double away = sqrt(x * x + y * y);
        torque += force * away;
        spread += k * away;
        forces += force;
        fuu += fx * x;
        fuv += fx * y;
        fvv += force * y * y;
    }
    uu /= weight, uv /= weight, vv /= weight;
    double mean = 0.5 * (uu + vv), radius = hypot(0.5 * (uu - vv), uv);
    double angle = 0.5 * atan2(2 * uv, uu - vv), c = cos(angle), s = sin(angle);
    f->l1 = mean + radius;
    f->l2 = fmax(mean - radius, 0);
    f->e1 = v3_axpy(s, v, v3_scale(c, u));
    f->e2 = v3_cross(f->n, f->e1);
    f->spread = spread / weight;
    f->m1 = (c * c * fuu + 2 * c * s * fuv + s * s * fvv) / forces;
    f->m2 = (s * s * fuu - 2 * c * s * fuv + c * c * fvv) / forces;
    f->off1 = -(cu * c + cv * s);
    f->off2 = -(cv * c - cu * s);
    f->torque = torque / forces;
}

// (PF39) what a force that falls off evenly adds to T
static double slant_of(const LithePatchPoint *p, int32_t start, const int32_t *next,
                       const Frame *f) {
    double weight = 0, odd1 = 0, odd2 = 0;
    for (int32_t i = start; i >= 0; i = next[i]) {
        double k = f->stiffness > 0 ? p[i].stiffness : p[i].force;
        Vec3 d = v3_sub(p[i].at, f->centre);
        double x = v3_dot(d, f->e1), y = v3_dot(d, f->e2), away = sqrt(x * x + y * y);
        weight += k;
        odd1 += k * x * away;
        odd2 += k * y * away;
    }
    double slant = f->l1 > 0 ? f->off1 / f->l1 * odd1 / weight : 0;
    return slant + (f->l2 > LINE * f->l1 ? f->off2 / f->l2 * odd2 / weight : 0);
}

// (PF12) with the shares t of both axes; false: a force would be negative
static bool five(const Frame *f, const double t[2], LithePatchPoint out[MERGED]) {
    const double l[2] = {f->l1, f->l2}, off[2] = {f->off1, f->off2};
    const Vec3 e[2] = {f->e1, f->e2};
    double reach = sqrt(t[0] * l[0]) + sqrt(t[1] * l[1]);
    if (!(reach > 0) || !(f->torque > 0))
        return false;
    double root = f->torque / reach;
    if (fabs(root - 1) < LINE) // M = T: nothing is left for the centre
        root = 1;
    bool inside = root <= 1;
    root = inside ? root : MOST_OUTSIDE / root;
    double w = root * root;
    double s = inside ? w : MOST_OUTSIDE;
    out[0] = (LithePatchPoint){
        .at = f->centre, .force = (1 - s) * f->force, .stiffness = (1 - w) * f->stiffness};
    for (int i = 0; i < 2; i++) {
        double a = t[i] * l[i] > 0 ? sqrt(l[i] / (w * t[i])) : 0;
        double share = 0.5 * s * t[i] * f->force, part = 0.5 * w * t[i] * f->stiffness;
        double slant = a > 0 ? 0.5 * f->force * off[i] / a : 0;
        if (fabs(slant) > share || (a == 0 && fabs(off[i]) > LINE * reach))
            return false;
        if (a == 0) { // all points lie on a line
            out[0].force += 2 * share;
            out[0].stiffness += 2 * part;
            share = part = 0;
        }
        for (int k = 0; k < 2; k++)
            out[1 + 2 * i + k] = (LithePatchPoint){.at = v3_axpy(k ? -a : a, e[i], f->centre),
                                                   .force = k ? share - slant : share + slant,
                                                   .stiffness = part};
    }
    return true;
}

// (PF26) Dissipation of the five points: a_i is the distance of a pair from the centre, read from
// its first point.
static void damp(const Frame *f, LithePatchPoint out[MERGED]) {
    const double m[2] = {f->m1, f->m2};
    double b[2] = {1, 1}, middle = out[0].force / f->force, b0 = 1;
    double share[2], sum = 0; // of the force, and the mean of b by it
    for (int i = 0; i < 2; i++) {
        Vec3 arm = v3_sub(out[1 + 2 * i].at, f->centre);
        share[i] = (out[1 + 2 * i].force + out[2 + 2 * i].force) / f->force;
        double inertia = v3_dot(arm, arm) * share[i];
        if (inertia > 0)
            b[i] = fmin(fmax(m[i] / inertia, LEAST_DAMPED), MOST_DAMPED);
        sum += share[i] * b[i];
    }
    if (middle > 0)
        b0 = fmin(fmax((1 - sum) / middle, LEAST_DAMPED), MOST_DAMPED);
    sum += middle * b0;
    if (sum < 1 && share[0] > 0)
        b[0] += (1 - sum) / share[0], sum = 1;
    double d = f->dissipation / sum;
    out[0].dissipation = b0 * d;
    for (int k = 1; k < MERGED; k++)
        out[k].dissipation = b[(k - 1) / 2] * d;
}

// (PF34) dissipation of two rings with the shares 1 - p and p of the force, over the mean: the mean
// of the group and its second moment by force across; `inertia`: that over the moment that the
// outer ring would have with all of the force
static void damp_rings(double p, double inertia, double b[2]) {
    double ring = INNER * INNER, outer = 1 - p;
    b[0] = (inertia - ring) / (outer * (1 - ring));
    b[0] = fmin(fmax(b[0], LEAST_DAMPED), fmin((1 - LEAST_DAMPED * p) / outer, MOST_DAMPED));
    b[1] = (1 - outer * b[0]) / p;
    if (b[1] > MOST_DAMPED) {
        b[1] = MOST_DAMPED;
        b[0] = (1 - p * MOST_DAMPED) / outer;
    }
}

// (PF32), (PF33); false: two rings cannot represent the group
static bool ten(const Frame *f, LithePatchPoint out[RINGS]) {
    double r1 = sqrt(f->l1), r2 = sqrt(f->l2), all = sqrt(f->l1 + f->l2);
    double y = f->spread / all;
    if (!(f->l2 > LINE * f->l1) || !(f->stiffness > 0) || !(y < 1))
        return false;
    double six = M_SQRT2 / 3 * (r1 + sqrt(f->l1 + 3 * f->l2)); // (PF32) |x| of the inner ring
    double c = 1 - INNER * six / all, d = 1 - INNER * INNER, b = 2 * c - y * y * d;
    double root = b * b - 4 * c * c * (1 - y * y);
    if (!(root >= 0))
        return false;
    double q = (b - sqrt(root)) / (2 * c * c), wide = sqrt(1 / (1 - d * q));
    double p = (1 - f->torque / (all * wide)) / c;
    if (!(p >= LEAST_PRESSED * q && p <= MOST_PRESSED * q) ||
        !(1 - p >= LEAST_PRESSED * (1 - q) && 1 - p <= MOST_PRESSED * (1 - q)))
        return false;
    double damped[2];
    damp_rings(p, f->m2 / (wide * wide * f->l2), damped);
    for (int k = 0; k < RINGS; k++) {
        bool in = k >= OUTER;
        int side = in ? k - OUTER : k;
        double angle = in ? M_PI / 3 * side : M_PI / 2 * side + M_PI / 4;
        double reach = M_SQRT2 * (in ? INNER * wide : wide), count = in ? RINGS - OUTER : OUTER;
        double x = reach * r1 * cos(angle), y1 = reach * r2 * sin(angle);
        double share = (in ? p : 1 - p) / count, part = (in ? q : 1 - q) / count;
        share += part * (x * f->off1 / f->l1 + y1 * f->off2 / f->l2);
        if (share < 0)
            return false;
        out[k] = (LithePatchPoint){.at = v3_axpy(x, f->e1, v3_axpy(y1, f->e2, f->centre)),
                                   .force = share * f->force,
                                   .stiffness = part * f->stiffness,
                                   .dissipation = damped[in] * f->dissipation};
    }
    return true;
}

// points of a group that has a frame; 0: they cannot represent it
static int32_t points_of(const Frame *f, bool rings, LithePatchPoint out[RINGS]) {
    int32_t made = RINGS;
    if (!rings || !ten(f, out)) {
        double all = sqrt(f->l1 + f->l2), angle = atan2(sqrt(f->l2), sqrt(f->l1));
        if (f->torque < all)
            angle = fmin(angle + acos(f->torque / all), 0.25 * M_PI);
        double c = cos(angle), s = sin(angle);
        const double first[2] = {c * c, s * s}, even[2] = {0.5, 0.5};
        if (!five(f, first, out) && !five(f, even, out))
            return 0;
        damp(f, out);
        made = MERGED;
    }
    int32_t count = 0;
    for (int k = 0; k < made; k++)
        if (out[k].force > 0)
            out[count++] = out[k];
    double energy = 0; // (PF14) depths in proportion to those of springs
    for (int32_t k = 0; k < count && made == RINGS; k++)
        energy += out[k].force * out[k].force / out[k].stiffness;
    for (int32_t k = 0; k < count; k++) {
        double spring = made == RINGS ? out[k].force / out[k].stiffness : 1;
        out[k].normal = f->n;
        out[k].area = f->area / count;
        out[k].depth = made == RINGS ? f->depth * spring * f->force / energy : f->depth;
    }
    return count;
}

// Groups of the points, of which each is a list: from its first point on `next` names the next one,
// -1 the end. The points of a polygon have one normal, and so one group.
static int32_t find_groups(const LithePatchPoint *points, int32_t count, int32_t *group,
                           int32_t *next, Group *groups) {
    Vec3 normals[GROUPS_MAX];
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        Vec3 n = points[i].normal, last = i > 0 ? points[i - 1].normal : v3(0, 0, 0);
        bool same = n.x == last.x && n.y == last.y && n.z == last.z;
        int32_t before = found, g = same ? group[i - 1] : group_of(n, normals, &found);
        group[i] = g;
        next[i] = -1;
        if (found > before)
            groups[g] = (Group){.first = i, .last = i};
        if (g < 0)
            continue;
        next[groups[g].last] = groups[g].size > 0 ? i : -1;
        groups[g].last = i;
        groups[g].size++;
    }
    return found;
}

// the line that halves a group
typedef struct Halves {
    Vec3 at, across;
} Halves;

// (PF40) whether a group is not convex; then sets the line
static bool is_hollow(const LithePatchPoint *p, int32_t start, const int32_t *next, const Frame *f,
                      Halves *halves) {
    double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int32_t i = start; i >= 0; i = next[i]) {
        Vec3 d = v3_sub(p[i].at, f->centre);
        double u = v3_dot(d, f->e1), v = v3_dot(d, f->e2), a = p[i].area;
        area += a;
        x += a * u;
        y += a * v;
        xx += a * u * u;
        xy += a * u * v;
        yy += a * v * v;
    }
    x /= area, y /= area;
    xx = xx / area - x * x, xy = xy / area - x * y, yy = yy / area - y * y;
    double angle = 0.5 * atan2(2 * xy, xx - yy);
    halves->at = v3_axpy(x, f->e1, v3_axpy(y, f->e2, f->centre));
    halves->across = v3_axpy(cos(angle), f->e1, v3_scale(sin(angle), f->e2));
    return area * area * (1 + LINE) < 108 * (xx * yy - xy * xy);
}

// what is merged
typedef struct Merge {
    LithePatchPoint *points;
    int32_t *group, *next;
    int32_t groups, made;
    bool bodies; // between two bodies
    double force;
    Group found[GROUPS_MAX];
    LithePatchPoint merged[GROUPS_MAX * RINGS];
} Merge;

// (PF40) moves the points on one side of the line to a new group
static void halve(Merge *m, const Halves *halves, int32_t from, int32_t to) {
    Group *groups = m->found;
    int32_t *next = m->next;
    int32_t i = groups[from].first;
    groups[from] = groups[to] = (Group){-1, -1, 0, true};
    while (i >= 0) {
        int32_t after = next[i];
        int32_t g = v3_dot(halves->across, v3_sub(m->points[i].at, halves->at)) < 0 ? from : to;
        if (groups[g].size++ == 0)
            groups[g].first = i;
        else
            next[groups[g].last] = i;
        groups[g].last = i;
        m->group[i] = g;
        next[i] = -1;
        i = after;
    }
}

// Merges a group, or halves it: then true, and the group is to be merged again.
static bool merge_group(Merge *m, int32_t g) {
    Frame f = {0};
    Vec3 acts;
    Group *group = &m->found[g];
    bool stays =
        group->size <= MERGED || !set_resultant(m->points, group->first, m->next, &f, &acts);
    bool most = !stays && m->bodies && (group->part || f.force > MOST_FORCE * m->force);
    if (stays || (most && group->size <= RINGS)) {
        group->size = 0;
        return false;
    }
    set_moments(m->points, group->first, m->next, acts, &f);
    if (m->bodies)
        f.torque -= slant_of(m->points, group->first, m->next, &f);
    Halves halves;
    if (most && m->groups < GROUPS_MAX &&
        is_hollow(m->points, group->first, m->next, &f, &halves)) {
        halve(m, &halves, g, m->groups++);
        return true;
    }
    int32_t made = points_of(&f, most, m->merged + m->made);
    m->made += made;
    if (made == 0)
        group->size = 0;
    return false;
}

int32_t lithe_patch_merge(LithePatchPoint *points, int32_t count, bool rings, int32_t *work) {
    Merge m; // most of it is never read
    m.points = points;
    m.group = work;
    m.next = work + count;
    m.bodies = rings;
    m.made = 0;
    m.force = 0;
    m.groups = find_groups(points, count, m.group, m.next, m.found);
    for (int32_t i = 0; i < count; i++)
        m.force += points[i].force;
    for (int32_t g = 0; g < m.groups; g++)
        while (merge_group(&m, g))
            ;
    int32_t left = 0;
    for (int32_t i = 0; i < count; i++)
        if (m.group[i] < 0 || m.found[m.group[i]].size == 0)
            points[left++] = points[i];
    for (int32_t i = 0; i < m.made; i++)
        points[left++] = m.merged[i];
    return left;
}
