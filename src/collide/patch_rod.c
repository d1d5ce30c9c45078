// SPDX-License-Identifier: Apache-2.0
// collide/patch_rod.c - the pressure field of an edge of a rod
//
// Cross-sections stand in the mitre planes of the nodes, so that neighbouring edges share them and
// the field is continuous along the rod:
//     (PF13) M_k = mean over both edges of m_k - t (m_k . tb)/(t . tb), tb = (t + t')/|t + t'|
// The triangles of the section make prisms of three tetrahedra each. At a free end the inner points
// of the section lie inside by the half thickness, so that the end face has no pressure. Where the
// rod bends more sharply than its section allows, prisms would be inverted: the sections of this
// edge are then perpendicular to it, and the edge is counted as folded.

#include "collide/part.h"
#include "collide/patch.h"

#include "body/rod.h"

#include <float.h>

// cosine of half the angle between two edges below which they have no mitre: 120 degrees
#define SHARPEST 0.5
// largest part of an edge that the closed end of a field takes
#define END_PART 0.5

typedef struct Section {
    Vec3 at, m1, m2; // the node, and the directors in the plane of the section
    Vec3 inset;      // of inner points: along the edge at a free end, else 0
} Section;

static Vec3 mitre(Vec3 m, Vec3 t, Vec3 mean) {
    return v3_axpy(-v3_dot(m, mean) / v3_dot(t, mean), t, m);
}

// (PF13) `other` may be NULL
static void set_directors(const Pose *edge, const Pose *other, Section *s) {
    s->m1 = q4_rotate(edge->rotation, v3(1, 0, 0));
    s->m2 = q4_rotate(edge->rotation, v3(0, 1, 0));
    if (!other)
        return;
    Vec3 t = q4_rotate(edge->rotation, v3(0, 0, 1)), u = q4_rotate(other->rotation, v3(0, 0, 1));
    Vec3 mean = v3_unit(v3_add(t, u));
    if (!(v3_dot(t, mean) > SHARPEST))
        return;
    Vec3 n1 = mitre(q4_rotate(other->rotation, v3(1, 0, 0)), u, mean);
    Vec3 n2 = mitre(q4_rotate(other->rotation, v3(0, 1, 0)), u, mean);
    s->m1 = v3_scale(0.5, v3_add(mitre(s->m1, t, mean), n1));
    s->m2 = v3_scale(0.5, v3_add(mitre(s->m2, t, mean), n2));
}

static Vec3 section_point(const Section *s, const LitheSectionMesh *mesh, int32_t k) {
    Vec3 x = v3_axpy(mesh->at[k][0], s->m1, v3_axpy(mesh->at[k][1], s->m2, s->at));
    return k < mesh->inner ? v3_add(x, s->inset) : x;
}

// --- elements ------------------------------------------------------------------------------------

enum { SECTION_MAX = LITHE_SECTORS_MAX + 8 };

typedef struct Prisms {
    const LitheSectionMesh *mesh;
    Vec3 x[2][SECTION_MAX]; // points of both sections, in the frame of the elements
    Vec3 face[2][2];        // inner points in the planes of the end faces
    bool ends[2];           // closed there
    double modulus;
    LithePatchElement *out;
    int32_t count;
} Prisms;

typedef struct Corner {
    Vec3 x;
    bool deep; // of relative depth 1
} Corner;

static Corner corner_of(const Prisms *p, int side, int32_t k) {
    return (Corner){p->x[side][k], k < p->mesh->inner};
}

static double add_tet(Prisms *p, Corner a, Corner b, Corner c, Corner d) {
    const Corner corners[4] = {a, b, c, d};
    LithePatchElement *e = &p->out[p->count++];
    e->corners = 4;
    for (int k = 0; k < 4; k++) {
        e->x[k] = corners[k].x;
        e->pressure[k] = corners[k].deep ? p->modulus : 0;
    }
    return v3_dot(v3_sub(b.x, a.x), v3_cross(v3_sub(c.x, a.x), v3_sub(d.x, a.x)));
}

// sign of the area of a triangle of the section
static double turn_of(const LitheSectionMesh *m, const int32_t *t) {
    const double *a = m->at[t[0]], *b = m->at[t[1]], *c = m->at[t[2]];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0 ? 1 : -1;
}

// false: a tetrahedron is inverted
static bool add_prism(Prisms *p, const int32_t *t) {
    Corner low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = corner_of(p, 0, t[k]);
        high[k] = corner_of(p, 1, t[k]);
    }
    double sign = turn_of(p->mesh, t);
    double first = add_tet(p, low[0], low[1], low[2], high[2]);
    double second = add_tet(p, low[0], low[1], high[1], high[2]);
    double third = add_tet(p, low[0], high[0], high[1], high[2]);
    return sign * first > 0 && sign * second < 0 && sign * third > 0;
}

// between the end face and the inner points
static void add_end(Prisms *p, int side, const int32_t *t) {
    Corner rim[3];
    int inner = 0;
    while (inner < 2 && t[inner] < p->mesh->inner)
        inner++;
    for (int k = 0; k < 3; k++) {
        rim[k] = corner_of(p, side, t[k]);
        if (k < inner)
            rim[k] = (Corner){p->face[side][t[k]], false};
    }
    Corner deep = corner_of(p, side, t[0]);
    add_tet(p, rim[0], rim[1], rim[2], deep);
    if (inner == 2) // the prism between two inner points and their places in the end face
        add_tet(p, deep, rim[1], rim[2], corner_of(p, side, t[1]));
}

// two triangles between neighbouring rim points of both sections
static void add_rim(Prisms *p, int32_t i, int32_t j) {
    for (int k = 0; k < 2; k++) {
        LithePatchElement *e = &p->out[p->count++];
        e->corners = 3;
        e->x[0] = p->x[0][i];
        e->x[1] = k == 0 ? p->x[0][j] : p->x[1][j];
        e->x[2] = k == 0 ? p->x[1][j] : p->x[1][i];
        e->normal = v3_unit(v3_cross(v3_sub(e->x[1], e->x[0]), v3_sub(e->x[2], e->x[0])));
    }
}

static void add_face(Prisms *p, int side, const int32_t *t) {
    LithePatchElement *e = &p->out[p->count++];
    bool swap = (turn_of(p->mesh, t) > 0) == (side == 0);
    e->corners = 3;
    for (int k = 0; k < 3; k++)
        e->x[swap ? 2 - k : k] = t[k] < p->mesh->inner ? p->face[side][t[k]] : p->x[side][t[k]];
    e->normal = v3_unit(v3_cross(v3_sub(e->x[1], e->x[0]), v3_sub(e->x[2], e->x[0])));
}

double lithe_edge_modulus(const LitheModel *model, const LitheContacts *c, int32_t part) {
    const LitheRod *rod = &model->rods[c->things[part]];
    return rod->patch.count > 0 ? rod->touch.patch_modulus : -1;
}

int32_t lithe_edge_element_count(const LitheModel *model, const LitheContacts *c, int32_t part) {
    const LitheRod *rod = &model->rods[c->things[part]];
    return 8 * rod->patch.triangle_count + 4 * rod->patch.count;
}

static bool fill(Prisms *p) {
    const LitheSectionMesh *m = p->mesh;
    bool upright = true;
    p->count = 0;
    if (p->modulus > 0)
        for (int32_t i = 0; i < m->triangle_count; i++)
            upright &= add_prism(p, m->triangles[i]);
    else
        for (int32_t k = m->inner; k < m->count; k++)
            add_rim(p, k, k + 1 == m->count ? m->inner : k + 1);
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0; i < m->triangle_count && p->ends[side]; i++)
            if (p->modulus > 0)
                add_end(p, side, m->triangles[i]);
            else
                add_face(p, side, m->triangles[i]);
    return upright;
}

static void place(Prisms *p, const Section sections[2], const LithePose *pose) {
    for (int side = 0; side < 2; side++)
        for (int32_t k = 0; k < p->mesh->count; k++) {
            Vec3 x = section_point(&sections[side], p->mesh, k);
            p->x[side][k] = pose ? place_point_back(pose, x) : x;
            if (k < p->mesh->inner) {
                Vec3 flat = v3_sub(x, sections[side].inset);
                p->face[side][k] = pose ? place_point_back(pose, flat) : flat;
            }
        }
}

int32_t lithe_edge_elements(const LitheModel *model, const LitheState *state,
                            const LitheContacts *c, int32_t part, const LithePose *pose,
                            LithePatchElement *out, bool *folded) {
    const LitheRod *rod = &model->rods[c->things[part]];
    int32_t edge = (int32_t)(part - rod->edge_at);
    const double *q = state->q + rod->dof_at;
    Prisms p; // not cleared: it is large
    p.mesh = &rod->patch;
    p.modulus = rod->touch.patch_modulus;
    p.out = out;
    Pose here = lithe_edge_place(rod, state, edge, 0);
    Section sections[2] = {{.at = v3_load(q + 4 * (int64_t)rod->ends[edge][0])},
                           {.at = v3_load(q + 4 * (int64_t)rod->ends[edge][1])}};
    Vec3 along = v3_sub(sections[1].at, sections[0].at);
    double length = v3_norm(along);
    double inset = length > 0 ? fmin(rod->patch.half / length, END_PART) : 0;
    for (int side = 0; side < 2; side++) {
        int32_t other = edge + (side == 0 ? -1 : 1);
        if (rod->closed)
            other = (other + rod->edge_count) % rod->edge_count;
        p.ends[side] = other < 0 || other >= rod->edge_count;
        Pose beside = p.ends[side] ? here : lithe_edge_place(rod, state, other, 0);
        set_directors(&here, p.ends[side] ? NULL : &beside, &sections[side]);
        if (p.ends[side] && p.modulus > 0)
            sections[side].inset = v3_scale(side == 0 ? inset : -inset, along);
    }
    place(&p, sections, pose);
    *folded = !fill(&p);
    if (*folded) {
        for (int side = 0; side < 2; side++)
            set_directors(&here, NULL, &sections[side]);
        place(&p, sections, pose);
        fill(&p);
    }
    return p.count;
}

LitheEdgeBend lithe_edge_bend(const LitheModel *model, const LitheState *state,
                              const LitheContacts *c, int32_t part) {
    const LitheRod *rod = &model->rods[c->things[part]];
    Quat here = lithe_edge_place(rod, state, (int32_t)(part - rod->edge_at), 0).rotation;
    Vec3 t = c->segments[part].edge;
    double tangents = 0, twist = 0; // tangents of half the angles at both ends; its sections' angle
    for (int side = 0; side < 3; side += 2) {
        int32_t edge = (int32_t)(part - rod->edge_at) + side - 1 + rod->edge_count;
        int32_t beside = lithe_edge_is_free(model, c, part, side / 2)
                             ? (int32_t)model->edge_count
                             : (int32_t)rod->edge_at + edge % rod->edge_count;
        Vec3 u = c->segments[beside].edge; // 0 beyond a free end
        tangents += tan(0.5 * atan2(v3_norm(v3_cross(t, u)), v3_dot(t, u)));
        if (v3_norm(u) > 0) {
            Pose other = lithe_edge_place(rod, state, (int32_t)(beside - rod->edge_at), 0);
            Quat turn = q4_mul(q4_conj(here), other.rotation);
            // sections at nodes turn by half of the angle between the edges
            twist += (side == 0 ? -1 : 1) * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
        }
    }
    return (LitheEdgeBend){.name = rod->name,
                           .edge = (int32_t)(part - rod->edge_at),
                           .radius = tangents > 0 ? v3_norm(t) / tangents : INFINITY,
                           .twist = fabs(twist),
                           .reach = rod->patch.reach};
}
