// SPDX-License-Identifier: Apache-2.0
// body/rod_read.c - reading a state: positions, strains, internal forces, energies, momenta
//
// Readers use only model and state: natural state and frames are recomputed at the state's time,
// node by node, without scratch memory.

#include "base/assert.h"
#include "body/rod.h"
#include "law/rod_stretch.h"
#include "math/quat.h"

static const LitheRod *rod_of(const LitheModel *model, LitheRodId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->rod_count);
    return &model->rods[id.number - 1];
}

// --- sizes and names -----------------------------------------------------------------------------

int32_t lithe_rod_count(const LitheModel *model) {
    return model->rod_count;
}

const char *lithe_rod_name(const LitheModel *model, LitheRodId rod) {
    return rod_of(model, rod)->name;
}

int32_t lithe_rod_node_count(const LitheModel *model, LitheRodId rod) {
    return rod_of(model, rod)->node_count;
}

int32_t lithe_rod_edge_count(const LitheModel *model, LitheRodId rod) {
    return rod_of(model, rod)->edge_count;
}

bool lithe_rod_closed(const LitheModel *model, LitheRodId rod) {
    return rod_of(model, rod)->closed;
}

LitheSectionDef lithe_rod_section(const LitheModel *model, LitheRodId rod) {
    return rod_of(model, rod)->section;
}

int64_t lithe_model_dof_count(const LitheModel *model) {
    int64_t count = 0;
    for (int32_t i = 0; i < model->rod_count; i++)
        count += 3 * (int64_t)model->rods[i].node_count + model->rods[i].edge_count;
    for (int32_t i = model->rod_count; i < model->unit_count; i++)
        count += model->units[i].v_count;
    return count;
}

const double *lithe_rod_q(const LitheModel *model, const LitheState *state, LitheRodId rod) {
    return state->q + rod_of(model, rod)->dof_at;
}

const double *lithe_rod_v(const LitheModel *model, const LitheState *state, LitheRodId rod) {
    return state->v + rod_of(model, rod)->dof_at;
}

double *lithe_rod_v_writable(const LitheModel *model, LitheState *state, LitheRodId rod) {
    return state->v + rod_of(model, rod)->dof_at;
}

// --- thickness -----------------------------------------------------------------------------------

double lithe_rod_contact_radius(const LitheRod *rod) {
    const LitheSectionDef *s = &rod->section;
    switch (s->kind) {
    case LITHE_SECTION_RECTANGLE:
        return 0;
    case LITHE_SECTION_ELLIPSE:
        return s->radius; // 0: it touches as an ellipse (model/build_rod.c)
    default:
        return s->radius;
    }
}

double lithe_rod_bend_force(const LitheRod *rod) {
    double radius = lithe_rod_contact_radius(rod);
    return fmin(rod->EI1, rod->EI2) / (radius * radius);
}

double lithe_rod_half_thickness(const LitheRod *rod) {
    const LitheSectionDef *s = &rod->section;
    bool flat = s->kind == LITHE_SECTION_RECTANGLE || s->kind == LITHE_SECTION_ELLIPSE;
    return flat ? 0.5 * fmin(s->width, s->height) : s->radius;
}

// --- strains -------------------------------------------------------------------------------------

// edge i at the state, where the frames are anchored
static LitheRodEdge edge_at(const LitheRod *rod, const LitheState *state, int32_t i) {
    const double *q = state->q + rod->dof_at;
    Vec3 a = v3_load(q + 4 * rod->ends[i][0]), b = v3_load(q + 4 * rod->ends[i][1]);
    LitheRodEdge edge = {0};
    lithe_rod_edge(a, b, q[4 * i + 3], v3_unit(v3_sub(b, a)),
                   v3_load(state->own + rod->d1_at + 3 * (int64_t)i), &edge);
    return edge;
}

static double rest_length(const LitheRod *rod, double time, int32_t i) {
    double length = rod->built_length[i] * rod->rest_stretch[i];
    for (int32_t k = 0; k < rod->natural_drive_count; k++)
        length += lithe_profile_at(&rod->natural_drives[k].profile, time) *
                  rod->natural_drives[k].stretch[i] * rod->built_length[i];
    return length;
}

Pose lithe_edge_place(const LitheRod *rod, const LitheState *state, int32_t edge, double s) {
    const double *q = state->q + rod->dof_at;
    const int32_t *ends = rod->ends[edge];
    Vec3 x0 = v3_load(q + 4 * (int64_t)ends[0]), x1 = v3_load(q + 4 * (int64_t)ends[1]);
    Vec3 t = v3_unit(v3_sub(x1, x0));
    Vec3 d1 = v3_load(state->own + rod->d1_at + 3 * (int64_t)edge);
    double gamma = q[4 * (int64_t)edge + 3];
    Vec3 m1 = v3_axpy(sin(gamma), v3_cross(t, d1), v3_scale(cos(gamma), d1));
    // exactly the nodes at s = 0 and s = 1
    return (Pose){q4_of_matrix(m3_columns(m1, v3_cross(t, m1), t)),
                  v3_add(v3_scale(1 - s, x0), v3_scale(s, x1))};
}

// quantities of a joint
typedef struct Strain {
    double length;    // Voronoi [m]
    double bends;     // length that bends and twists, longer next to a welded end (H2) [m]
    double k1, k2;    // discrete curvatures, 2 tan(angle/2)
    double tau;       // twist [rad]
    double K1, K2, T; // their natural values
    double energy;    // [J]
} Strain;

static bool is_joint(const LitheRod *rod, int32_t node) {
    return rod->closed || (node > 0 && node < rod->node_count - 1);
}

// an edge with its rest length [m]
typedef struct Edge {
    LitheRodEdge edge;
    double rest;
} Edge;

static Edge read_edge(const LitheRod *rod, const LitheState *state, int32_t i) {
    return (Edge){edge_at(rod, state, i), rest_length(rod, lithe_load_time(state), i)};
}

// the strain of the joint at `node`, between the edges e and f
static Strain strain_at(const LitheRod *rod, const LitheState *state, int32_t node, const Edge *e,
                        const Edge *f) {
    double time = lithe_load_time(state);
    int32_t p = node > 0 ? node - 1 : rod->edge_count - 1;
    Strain s = {.length = 0.5 * (e->rest + f->rest)};
    double start = node == 1 ? rod->weld_shift[0] * e->rest : 0;
    s.bends = s.length + start + (node == rod->edge_count - 1 ? rod->weld_shift[1] * f->rest : 0);
    double c1 = rod->rest_curvature[2 * node], c2 = rod->rest_curvature[2 * node + 1];
    double twist = rod->rest_twist[node];
    for (int32_t k = 0; k < rod->natural_drive_count; k++) {
        const LitheNaturalDrive *drive = &rod->natural_drives[k];
        double x = lithe_profile_at(&drive->profile, time);
        c1 += x * drive->curvature[2 * node];
        c2 += x * drive->curvature[2 * node + 1];
        twist += x * drive->twist[node];
    }
    double kappa = hypot(c1, c2);
    double factor = kappa > 0 ? 2 * tan(0.5 * kappa * s.length) / kappa : 0;
    s.K1 = factor * c1;
    s.K2 = factor * c2;
    s.T = twist * s.length + rod->rest_offset[node];
    const double *q = state->q + rod->dof_at;
    s.tau = q[4 * node + 3] - q[4 * p + 3] + state->own[rod->tau_at + node];
    LitheJointSetting setting = {
        rod->EI1 / s.bends, rod->EI2 / s.bends, rod->GJ / s.bends, s.K1, s.K2, s.T};
    LitheJoint joint;
    if (!lithe_rod_joint(&e->edge, &f->edge, s.tau, &setting, LITHE_HESSIAN_NONE, &joint))
        return s;
    s.k1 = joint.k1;
    s.k2 = joint.k2;
    s.energy = joint.energy;
    return s;
}

// --- strain and stress of the surface (docs/theory/rods.md, section 10) --------------------------

// 2 tan(angle/2) of a component becomes angle over length
static double bend_per_length(double k, double part, double length) {
    double factor = k > 1e-8 ? 2 * atan(0.5 * k) / (k * length) : 1 / length;
    return factor * part;
}

// components of k, which are 2 tan(angle/2), as a rotation per length: towards m1 is about m2
static Vec3 turning_of(double k1, double k2, double tau, double length) {
    double k = hypot(k1, k2);
    return v3(-bend_per_length(k, k2, length), bend_per_length(k, k1, length), tau / length);
}

void lithe_rod_turning(const LitheRod *rod, const LitheState *state, int32_t node, Vec3 *now,
                       Vec3 *natural) {
    *now = *natural = v3(0, 0, 0);
    if (!is_joint(rod, node))
        return;
    Edge e = read_edge(rod, state, node > 0 ? node - 1 : rod->edge_count - 1);
    Edge f = read_edge(rod, state, node);
    Strain s = strain_at(rod, state, node, &e, &f);
    *now = turning_of(s.k1, s.k2, s.tau, s.length);
    *natural = turning_of(s.K1, s.K2, s.T, s.length);
}

// (L1): largest normal strain by bending, of differences of curvature [1/m]
static double bending_strain(const LitheFibre *fibre, double c1, double c2) {
    double a = fibre->half1 * fabs(c1), b = fibre->half2 * fabs(c2);
    return fibre->corners ? a + b : hypot(a, b);
}

// (L4) of the normal and the shear strain
static double principal_strain(const LitheFibre *fibre, double normal, double shear) {
    double nu = fibre->poisson;
    double a = (1 + nu) * normal;
    return 0.5 * ((1 - nu) * normal + sqrt(a * a + shear * shear));
}

// (L5)
static double von_mises(const LitheFibre *fibre, double normal, double shear) {
    double sigma = fibre->young * normal, tau = fibre->shear * shear;
    return sqrt(sigma * sigma + 3 * tau * tau);
}

// differences of curvature and twist from their natural values [1/m]
typedef struct Bent {
    double c1, c2, c3;
} Bent;

static Bent bent_of(const Strain *s) {
    double k = hypot(s->k1, s->k2), K = hypot(s->K1, s->K2), l = s->bends;
    return (Bent){bend_per_length(k, s->k1, l) - bend_per_length(K, s->K1, l),
                  bend_per_length(k, s->k2, l) - bend_per_length(K, s->K2, l), (s->tau - s->T) / l};
}

// (L2) and (L3) of a node between edges of axial strain `axial` at most; `bent` NULL: an end
static void surface_strains(const LitheRod *rod, double axial, const Bent *bent, double *normal,
                            double *shear) {
    const LitheFibre *fibre = &rod->fibre;
    *normal = axial;
    *shear = 0;
    if (!bent)
        return;
    *normal += bending_strain(fibre, bent->c1, bent->c2);
    *shear = fibre->arm * fabs(bent->c3);
}

static double signed_strain(const Edge *edge) {
    return (edge->edge.length - edge->rest) / edge->rest;
}

static double axial_strain(const Edge *edge) {
    return fabs(edge->edge.length - edge->rest) / edge->rest;
}

static void read_surface(const LitheRod *rod, int32_t i, double axial, const Bent *bent,
                         const LitheRodReading *out) {
    double normal, shear;
    surface_strains(rod, axial, bent, &normal, &shear);
    if (out->strain)
        out->strain[i] = principal_strain(&rod->fibre, normal, shear);
    if (out->stress)
        out->stress[i] = rod->fibre.young > 0 ? von_mises(&rod->fibre, normal, shear) : NAN;
}

double lithe_rod_strain_limit(const LitheRod *rod) {
    return rod->fibre.strain_limit > 0 ? rod->fibre.strain_limit : LITHE_LARGE_STRAIN;
}

// an edge that meets a node, without its frame
typedef struct Side {
    Vec3 t;
    double rest, strain; // rest length [m]; of the axis, negative in compression
} Side;

static Side side_of(const LitheRod *rod, const LitheState *state, int32_t edge) {
    const double *q = state->q + rod->dof_at;
    const int32_t *ends = rod->ends[edge];
    Vec3 e = v3_sub(v3_load(q + 4 * (int64_t)ends[1]), v3_load(q + 4 * (int64_t)ends[0]));
    double length = v3_norm(e), rest = rest_length(rod, lithe_load_time(state), edge);
    return (Side){v3_scale(1 / length, e), rest, (length - rest) / rest};
}

// --- held ends -----------------------------------------------------------------------------------

// what holds an end
enum { FREE_END = 0, POSITION_HELD = 1, TURN_HELD = 2, CLAMPED = 4 };

static int end_way(const LitheRod *rod, int end) {
    if (rod->closed)
        return FREE_END;
    int32_t node = end ? rod->node_count - 1 : 0, edge = end ? rod->edge_count - 1 : 0;
    const unsigned char *held = rod->held + 4 * (int64_t)edge, *own = rod->held + 4 * (int64_t)node;
    bool clamped = true;
    for (int c = 0; c < 7; c++)
        clamped = clamped && held[c];
    if (clamped) // in the middle of its outermost edge
        return CLAMPED | TURN_HELD | POSITION_HELD;
    bool fixed = (own[0] && own[1] && own[2]) || rod->tied[end];
    return (fixed ? POSITION_HELD : 0) | (rod->tied[end] & 2 ? TURN_HELD : 0);
}

// (H4), (H5): axial strain, and differences of curvature and twist, at a held end; returns its
// way, FREE_END where the rod is too short.
static int end_values(const LitheRod *rod, const LitheState *state, int end, double *axial,
                      Bent *bent) {
    int way = end_way(rod, end), skip = way & CLAMPED ? 1 : 0;
    if (way == FREE_END || rod->edge_count < 3)
        return FREE_END;
    int32_t step = end ? -1 : 1, first = end ? rod->edge_count - 1 : 0;
    Edge e[3];
    for (int k = 0; k < 3; k++)
        e[k] = read_edge(rod, state, first + step * k);
    double near = signed_strain(&e[skip]), far = signed_strain(&e[skip + 1]);
    double out = 0.5 * (e[skip].rest + (skip ? e[0].rest : 0));
    *axial = near + (near - far) * out / (0.5 * (e[skip].rest + e[skip + 1].rest));
    if (!(way & TURN_HELD))
        return way;
    Bent at[2];
    for (int k = 0; k < 2; k++) {
        int32_t node = end ? first - k : k + 1;
        Strain s = strain_at(rod, state, node, &e[end ? k + 1 : k], &e[end ? k : k + 1]);
        at[k] = bent_of(&s);
    }
    double share = (skip ? 0.5 : 1) * e[0].rest / e[1].rest;
    *bent =
        (Bent){at[0].c1 + share * (at[0].c1 - at[1].c1), at[0].c2 + share * (at[0].c2 - at[1].c2),
               at[0].c3 + share * (at[0].c3 - at[1].c3)};
    return way;
}

// --- largest values ------------------------------------------------------------------------------

// Bounds of (L2) and (L3) at a joint by positions and angles alone: the chord 2 tan(angle/2)
// exceeds the angle, and the difference of two curvatures is at most their sum.
static void bound_strains(const LitheRod *rod, const LitheState *state, int32_t i, const Side *e,
                          const Side *f, double *normal, double *shear) {
    const LitheFibre *fibre = &rod->fibre;
    const double *q = state->q + rod->dof_at, *K = rod->rest_curvature + 2 * (int64_t)i;
    int32_t p = i > 0 ? i - 1 : rod->edge_count - 1;
    double reach =
        fibre->corners ? hypot(fibre->half1, fibre->half2) : fmax(fibre->half1, fibre->half2);
    double l = 0.5 * (e->rest + f->rest), c = v3_dot(e->t, f->t);
    double tau = q[4 * i + 3] - q[4 * p + 3] + state->own[rod->tau_at + i] - rod->rest_offset[i];
    *normal += reach * (2 * sqrt(fmax(1 - c, 0) / (1 + c)) / l + fabs(K[0]) + fabs(K[1]));
    *shear = fibre->arm * fabs(tau / l - rod->rest_twist[i]);
}

// Strain over its limit, and stress over yield or tension over strength. False if neither is above
// that of `peaks`.
static bool exceeds(const LitheRod *rod, double pulled, double normal, double shear,
                    const LitheRodPeaks *peaks, double out[2]) {
    const LitheFibre *fibre = &rod->fibre;
    double load = fibre->young > 0 ? von_mises(fibre, normal, shear) : rod->EA * pulled;
    out[0] = principal_strain(fibre, normal, shear) / lithe_rod_strain_limit(rod);
    out[1] = fibre->yield > 0 ? load / fibre->yield : 0;
    return out[0] > peaks->strain || out[1] > peaks->stress;
}

static void raise_to(LitheRodPeaks *peaks, int32_t node, const double found[2]) {
    if (found[0] > peaks->strain) {
        peaks->strain = found[0];
        peaks->strain_node = node;
    }
    if (found[1] > peaks->stress) {
        peaks->stress = found[1];
        peaks->stress_node = node;
    }
}

void lithe_rod_raise_peaks(const LitheRod *rod, const LitheState *state, LitheRodPeaks *peaks) {
    bool driven = rod->natural_drive_count > 0;
    Side before = side_of(rod, state, rod->closed ? rod->edge_count - 1 : 0);
    for (int32_t i = 0; i < rod->node_count; i++) {
        bool joint = is_joint(rod, i);
        Side after = i < rod->edge_count ? side_of(rod, state, i) : before;
        double axial = fmax(fabs(before.strain), fabs(after.strain));
        double pulled = fmax(before.strain, after.strain), normal = axial, shear = 0, found[2];
        if (joint)
            bound_strains(rod, state, i, &before, &after, &normal, &shear);
        bool above = (driven && joint) || exceeds(rod, pulled, normal, shear, peaks, found);
        if (above && joint) {
            Edge e = read_edge(rod, state, i > 0 ? i - 1 : rod->edge_count - 1);
            Edge f = read_edge(rod, state, i);
            Strain s = strain_at(rod, state, i, &e, &f);
            Bent bent = bent_of(&s);
            surface_strains(rod, axial, &bent, &normal, &shear);
            above = exceeds(rod, pulled, normal, shear, peaks, found);
        }
        if (above)
            raise_to(peaks, i, found);
        before = after;
    }
    for (int end = 0; end < 2; end++) {
        Bent bent;
        double axial, normal, shear, found[2];
        int way = end_values(rod, state, end, &axial, &bent);
        if (way == FREE_END)
            continue;
        surface_strains(rod, fabs(axial), way & TURN_HELD ? &bent : NULL, &normal, &shear);
        if (exceeds(rod, axial, normal, shear, peaks, found))
            raise_to(peaks, end ? rod->node_count - 1 : 0, found);
    }
}

// writes the requested quantities of a node; `s` NULL: an end
static void read_node(const LitheRod *rod, int32_t i, const Strain *s, const LitheRodReading *out) {
    if (out->curvature) {
        // k = 2 tan(angle/2) becomes angle per length
        double k = s ? hypot(s->k1, s->k2) : 0;
        double factor = !s ? 0 : k > 1e-8 ? 2 * atan(0.5 * k) / (k * s->length) : 1 / s->length;
        double more = s ? s->length / s->bends - 1 : 0; // of what is not natural
        out->curvature[2 * i] = s ? factor * (s->k1 + more * (s->k1 - s->K1)) : 0;
        out->curvature[2 * i + 1] = s ? factor * (s->k2 + more * (s->k2 - s->K2)) : 0;
    }
    if (out->twist_rate)
        out->twist_rate[i] =
            s ? s->tau / s->length + (s->tau - s->T) * (1 / s->bends - 1 / s->length) : 0;
    if (out->moment) {
        // conjugate to the turning angle, where k = 2 tan(angle/2): dk/dangle = 1 + k^2/4
        double slope = s ? (1 + 0.25 * (s->k1 * s->k1 + s->k2 * s->k2)) / s->bends : 0;
        out->moment[2 * i] = s ? rod->EI1 * (s->k1 - s->K1) * slope : 0;
        out->moment[2 * i + 1] = s ? rod->EI2 * (s->k2 - s->K2) * slope : 0;
    }
    if (out->torque)
        out->torque[i] = s ? rod->GJ * (s->tau - s->T) / s->bends : 0;
}

// (H4): moments at a held end, at its node; `width` numbers per node
static void extend_moments(const LitheRod *rod, int32_t width, double *moment) {
    int32_t n = rod->node_count;
    for (int end = 0; moment && n > 3 && end < 2; end++) {
        int way = end_way(rod, end);
        if (!(way & TURN_HELD))
            continue;
        int32_t at = end ? n - 1 : 0, step = end ? -1 : 1, edge = end ? rod->edge_count - 1 : 0;
        double share =
            (way & CLAMPED ? 0.5 : 1) * rod->built_length[edge] / rod->built_length[edge + step];
        for (int32_t c = 0; c < width; c++) {
            double first = moment[width * (at + step) + c];
            moment[width * at + c] = first + share * (first - moment[width * (at + 2 * step) + c]);
        }
    }
}

// tension, strain and stress at held ends, where the arrays have their outermost edge and node
static void extend_to_ends(const LitheRod *rod, const LitheState *state,
                           const LitheRodReading *out) {
    for (int end = 0; (out->tension || out->strain || out->stress) && end < 2; end++) {
        Bent bent;
        double axial;
        int way = end_values(rod, state, end, &axial, &bent);
        if (way == FREE_END)
            continue;
        if (out->tension)
            out->tension[end ? rod->edge_count - 1 : 0] = rod->EA * axial;
        read_surface(rod, end ? rod->node_count - 1 : 0, fabs(axial),
                     way & TURN_HELD ? &bent : NULL, out);
    }
}

double lithe_rod_read(const LitheRod *rod, const LitheState *state, const LitheRodReading *out) {
    double energy = 0;
    Edge before = {0};
    if (rod->closed)
        before = read_edge(rod, state, rod->edge_count - 1);
    for (int32_t i = 0; i < rod->node_count; i++) {
        Edge after = {0};
        if (i < rod->edge_count) {
            after = read_edge(rod, state, i);
            LitheStretch stretch = lithe_rod_stretch(&after.edge, rod->EA, after.rest);
            energy += stretch.energy;
            if (out->tension)
                out->tension[i] = stretch.tension;
            if (out->director)
                v3_store(after.edge.m1, out->director + 3 * (int64_t)i);
        }
        Strain s;
        bool joint = is_joint(rod, i);
        if (joint) {
            s = strain_at(rod, state, i, &before, &after);
            energy += s.energy;
        }
        read_node(rod, i, joint ? &s : NULL, out);
        if (out->strain || out->stress) {
            double e = i > 0 || rod->closed ? axial_strain(&before) : 0;
            double f = i < rod->edge_count ? axial_strain(&after) : 0;
            Bent bent = joint ? bent_of(&s) : (Bent){0, 0, 0};
            read_surface(rod, i, fmax(e, f), joint ? &bent : NULL, out);
        }
        before = after;
    }
    extend_moments(rod, 2, out->moment);
    extend_moments(rod, 1, out->torque);
    extend_to_ends(rod, state, out);
    return energy;
}

void lithe_rod_tension(const LitheModel *model, const LitheState *state, LitheRodId id,
                       double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.tension = out});
}

void lithe_rod_directors(const LitheModel *model, const LitheState *state, LitheRodId id,
                         double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.director = out});
}

void lithe_rod_curvature(const LitheModel *model, const LitheState *state, LitheRodId id,
                         double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.curvature = out});
}

void lithe_rod_twist(const LitheModel *model, const LitheState *state, LitheRodId id, double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.twist_rate = out});
}

void lithe_rod_moment(const LitheModel *model, const LitheState *state, LitheRodId id,
                      double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.moment = out});
}

void lithe_rod_torque(const LitheModel *model, const LitheState *state, LitheRodId id,
                      double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.torque = out});
}

void lithe_rod_strain(const LitheModel *model, const LitheState *state, LitheRodId id,
                      double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.strain = out});
}

void lithe_rod_stress(const LitheModel *model, const LitheState *state, LitheRodId id,
                      double *out) {
    lithe_rod_read(rod_of(model, id), state, &(LitheRodReading){.stress = out});
}

// --- sums ----------------------------------------------------------------------------------------

// momentum m v and angular momentum x x m v of the nodes, and the angular momentum of the edges
// about their tangents
static void add_momenta(const LitheRod *rod, const LitheState *state, LitheUnitTotals *sum) {
    const double *q = state->q + rod->dof_at, *v = state->v + rod->dof_at;
    for (int32_t i = 0; i < rod->node_count; i++) {
        Vec3 x = v3_load(q + 4 * i), u = v3_load(v + 4 * i);
        sum->momentum = v3_axpy(rod->mass[4 * i], u, sum->momentum);
        sum->angular = v3_axpy(rod->mass[4 * i], v3_cross(x, u), sum->angular);
        if (i < rod->edge_count)
            sum->angular = v3_axpy(rod->mass[4 * i + 3] * v[4 * i + 3], edge_at(rod, state, i).t,
                                   sum->angular);
    }
}

void lithe_rod_totals(const LitheModel *model, const LitheRod *rod, const LitheState *state,
                      LitheTotalsWanted wanted, LitheUnitTotals *sum) {
    const double *q = state->q + rod->dof_at, *v = state->v + rod->dof_at;
    if (wanted & LITHE_TOTALS_ELASTIC)
        sum->elastic += lithe_rod_read(rod, state, &(LitheRodReading){0});
    if (wanted & LITHE_TOTALS_MOMENTA)
        add_momenta(rod, state, sum);
    for (int32_t i = 0; (wanted & LITHE_TOTALS_ENERGY) && i < rod->node_count; i++) {
        const double *m = rod->mass + 4 * i, *u = v + 4 * i;
        sum->kinetic += 0.5 * m[0] * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (i < rod->edge_count)
            sum->kinetic += 0.5 * m[3] * u[3] * u[3];
        sum->gravity -= m[0] * v3_dot(model->gravity, v3_load(q + 4 * i));
    }
}
